"""Gold of the solar set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_solar.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "solar")
rows, q = asking("so")

PARKS, INVESTORS, CONTRACTORS = g.t("Park"), g.t("Investor"), g.t("Contractor")
OPEN = g.t("Incident", lambda r: r["status"] == "open")
parks_with = lambda models: g.inn(models, "FITTED_WITH")
owners = lambda parks: g.inn(parks, "HOLDS_STAKE")
lessors = lambda parks: g.inn(parks, "LEASES_TO")

q(
    "lookup",
    "How many Gridmate 350s have we got at Saltmarsh?",
    num(g.edge("PK-05", "FITTED_WITH", "EQ-10")["units"]),
    "units on PK-05 FITTED_WITH EQ-10.",
)
q(
    "lookup",
    "landowners who get £2,200 a hectare or more",
    ids(e["source"] for e in g.valid("LEASES_TO") if e["rent_gbp_ha"] >= 2200),
    "rent_gbp_ha from 2200 on a lease valid now.",
)
q(
    "lookup",
    "Which contractor does the cleaning at Larkfield?",
    ids(
        e["source"]
        for e in g.valid("MAINTAINS")
        if e["target"] == "PK-01" and e["scope"] == "cleaning"
    ),
    "MAINTAINS into PK-01 with scope cleaning.",
)

q(
    "multi_hop",
    "Granary Pension Fund wants to write to the landowners of every park "
    "it has money in. Who are they?",
    ids(lessors(g.out("IN-2", "HOLDS_STAKE"))),
    "IN-2 -> parks <- landowners, leases valid now.",
)
q(
    "multi_hop",
    "Which substations take in power from parks with Sunleaf M6 panels?",
    ids(g.out(parks_with("EQ-03"), "FEEDS_INTO")),
    "EQ-03 <- parks -> substations; PK-09's former connection does not count.",
)
_fenwatt = g.out("CO-3", "MAINTAINS") & g.out("IN-5", "HOLDS_STAKE")
q(
    "multi_hop",
    "does Fenwatt look after any park that Teal Bank is invested in, and if yes which",
    yes(_fenwatt, _fenwatt),
    "Parks of CO-3 and parks of IN-5.",
)

q(
    "downstream",
    "The Blackwater transformer failure: which investors feel it "
    "through the parks that are connected there?",
    ids(owners(g.inn(g.out("IC-2", "STRIKES"), "FEEDS_INTO"))),
    "IC-2 -> SS-3 <- parks <- investors.",
)
q(
    "downstream",
    "Say Jinghua went bust. Which of our parks run on a model that it currently makes?",
    ids(parks_with(g.out("MF-2", "PRODUCES"))),
    "MF-2 -> models <- parks.",
)
_dark = g.inn("SS-4", "FEEDS_INTO")
q(
    "downstream",
    "Coldharbour substation goes dark - give me everyone behind the parks it cuts off: "
    "investors and landowners, in one list.",
    ids(owners(_dark) | lessors(_dark)),
    "SS-4 <- parks <- investors, landowners; the former investor of PK-06 does not count.",
)

_way, _km = g.cheapest("SS-2", "SS-5", "LINKED_TO", "line_km")
q(
    "path",
    "Which way along the grid lines is the shortest in kilometres "
    "from Thornbury Cross to Sleaford North?",
    {"path": _way},
    f"Least sum of line_km over LINKED_TO both ways, {_km} km; fewest lines is another way.",
)
q(
    "path",
    "shortest connection between greenback grounds and cadence thin film?",
    {"path": g.paths("CO-6", "MF-6")},
    "CO-6 to MF-6 over any relations valid now; only one.",
)
q(
    "path",
    "How many links are there at the very least between George Cobb and the Wolds Airfield Trust?",
    num(len(g.paths("LO-3", "LO-5")[0]) - 1),
    "Length of the shortest path LO-3 to LO-5.",
)

q(
    "aggregation",
    "Total yearly maintenance fees by contractor, biggest first",
    rank(g.total("MAINTAINS", "source", "fee_kgbp")),
    "Sum of fee_kgbp over MAINTAINS valid now, by contractor.",
)
_trackers = g.t("Park", lambda r: (r["mounting"], r["stage"]) == ("tracker", "operating"))
q(
    "aggregation",
    "What's the mean capacity of our operating tracker parks, in MWp?",
    num(mean(g.n[p]["capacity_mwp"] for p in _trackers)),
    "Mean capacity_mwp; PK-11 is not operating.",
)
q(
    "aggregation",
    "Top three substations by the export capacity our parks have agreed there.",
    rank(g.total("FEEDS_INTO", "target", "export_mw"), k=3),
    "Sum of export_mw over FEEDS_INTO valid now, by substation.",
)

q(
    "temporal",
    "When did Hollow Down stop using the Voltra C2500?",
    {"date": g.edge("PK-02", "FITTED_WITH", "EQ-06")["valid_to"]},
    "valid_to of PK-02 FITTED_WITH EQ-06.",
)
q(
    "temporal",
    "Who were the shareholders of Larkfield on 1 June 2020?",
    ids(g.inn("PK-01", "HOLDS_STAKE", "2020-06-01")),
    "HOLDS_STAKE into PK-01 on 2020-06-01.",
)
q(
    "temporal",
    "Which parks stand on land whose current lease runs out before 2040?",
    ids(e["target"] for e in g.valid("LEASES_TO") if e["valid_to"] < "2040-01-01"),
    "valid_to before 2040 on a lease valid now; PK-10's that has run out does not count.",
)

q(
    "what_if",
    "If Voltra stopped making inverters for good, which models would nobody build any more?",
    ids(m for m in g.out("MF-3", "PRODUCES") if g.inn(m, "PRODUCES") == {"MF-3"}),
    "Models that MF-3 alone produces now.",
)
_out = {"CO-3", "CO-5"}
q(
    "what_if",
    "Fenwatt and Clearpane both walk away from all their contracts. "
    "Which parks would lose the last contractor they have?",
    ids(p for p in g.out(_out, "MAINTAINS") if g.inn(p, "MAINTAINS") <= _out),
    "Parks all of whose contractors are CO-3 or CO-5.",
)
q(
    "what_if",
    "Suppose Blue Heron bought every stake that Cormorant Capital holds. "
    "In how many parks would Blue Heron be invested then?",
    num(len(g.out({"IN-1", "IN-3"}, "HOLDS_STAKE"))),
    "Parks of IN-1 or IN-3 now, each once.",
)

q(
    "spof",
    "which panels come from one manufacturer only?",
    ids(
        m
        for m in g.t("Equipment", lambda r: r["kind"] == "panel")
        if len(g.inn(m, "PRODUCES")) == 1
    ),
    "In-degree 1 on PRODUCES valid now, kind panel.",
)
_single = {
    p for p in PARKS if g.n[p]["region"] == "Lincolnshire" and len(g.out(p, "FEEDS_INTO")) == 1
}
q(
    "spof",
    "Is any of the Lincolnshire parks hanging on a single grid connection? Which one?",
    yes(_single, _single),
    "Out-degree 1 on FEEDS_INTO valid now, region Lincolnshire.",
)
q(
    "spof",
    "Which parks have just one investor behind them?",
    ids(p for p in PARKS if len(owners(p)) == 1),
    "In-degree 1 on HOLDS_STAKE valid now.",
)

q(
    "inverse",
    "For which manufacturers do we have no accredited contractor at the moment?",
    ids(g.t("Manufacturer") - g.out(CONTRACTORS, "ACCREDITED_BY")),
    "All manufacturers less the targets of ACCREDITED_BY valid now.",
)
q(
    "inverse",
    "How many parks have never been struck by an incident themselves?",
    num(len(PARKS - g.out(g.t("Incident"), "STRIKES", None))),
    "All parks less the targets of STRIKES at any time.",
)
_kent = g.t("Park", lambda r: r["region"] == "Kent")
q(
    "inverse",
    "Investors without a stake in any Kent park, please",
    ids(INVESTORS - owners(_kent)),
    "All investors less those of PK-01 and PK-03 now.",
)

_fees = of(g.total("MAINTAINS", "target", "fee_kgbp"), ("PK-01", "PK-08"))
q(
    "compare",
    "Larkfield or Old Airfield - which costs us more in maintenance fees a year? Both totals, pls.",
    cmp_("PK-01", "PK-08", fee_kgbp=list(_fees.values()), higher=lead(_fees)[0]),
    "Sum of fee_kgbp over MAINTAINS valid now.",
)
q(
    "compare",
    "What equiptment do Fen Edge and Mill Lane have in common?",
    ids(g.out("PK-09", "FITTED_WITH") & g.out("PK-03", "FITTED_WITH")),
    "Intersection of models fitted now.",
)
q(
    "compare",
    "Who is invested in Old Airfield but not in Mill Hill?",
    ids(owners("PK-08") - owners("PK-04")),
    "Difference of investors.",
)

_grave = g.where(OPEN, lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which landowners have a park on their ground that a high or critical incident "
    "is striking right now?",
    ids(lessors(g.out(_grave, "STRIKES") & PARKS)),
    "Open, high or critical, -> parks <- landowners; IC-1 has left PK-03, IC-2 is at a substation.",
)
q(
    "risk",
    "Of the incidents still open, which one has cost us the most output?",
    ids(lead(of(g.total("STRIKES", "source", "mwh_lost"), OPEN))),
    "Highest sum of mwh_lost among open incidents.",
)
_hail = g.t("Incident", lambda r: r["kind"] == "hail")
_hit = g.out(_hail, "STRIKES", None) & parks_with("EQ-01")
q(
    "risk",
    "Has hail ever struck a park with Heliant 450 panels? Name them if so.",
    yes(_hit, _hit),
    "STRIKES of kind hail at any time, and parks fitted with EQ-01.",
)

_tight = g.t("Substation", lambda r: r["headroom_mw"] < 20)
q(
    "combined",
    "Parks over 30 MWp feeding into a substation that has less than 20 MW of headroom left?",
    ids(g.where(g.inn(_tight, "FEEDS_INTO"), lambda r: r["capacity_mwp"] > 30)),
    "capacity_mwp above 30 and headroom_mw below 20.",
)
_farmers = g.t("Landowner", lambda r: r["kind"] == "farmer")
q(
    "combined",
    "average rent per hectare over the leases we currently have with farmers",
    num(mean(e["rent_gbp_ha"] for e in g.valid("LEASES_TO") if e["source"] in _farmers)),
    "Mean rent_gbp_ha over LEASES_TO valid now from farmers, a lease counting once.",
)
_electrical = {
    e["source"]
    for e in g.valid("MAINTAINS")
    if e["scope"] == "electrical" and e["target"] in parks_with("EQ-06")
}
q(
    "combined",
    "Which of the contractors accredited by Voltra do electrical work at a park "
    "where C2500s are still running?",
    ids(_electrical & g.inn("MF-3", "ACCREDITED_BY")),
    "ACCREDITED_BY MF-3 now, and MAINTAINS, electrical, of a park fitted with EQ-06 now.",
)

between = g.betweenness()
q(
    "centrality",
    "Name the two best-connected nodes of the whole graph, with their number of links.",
    rank(g.degree(), k=2),
    "Highest degree over valid relations; no tie.",
)
q(
    "centrality",
    "By betweenness, which investor is the busiest bridge in our network?",
    ids(lead(of(between, INVESTORS))),
    "Highest undirected betweenness among investors.",
)
q(
    "centrality",
    "Look at nothing but the lines between substations: "
    "which substations, if one of them drops out, split the rest into separate parts?",
    ids(g.cut_points(g.t("Substation"), "LINKED_TO")),
    "Cut points of LINKED_TO, undirected.",
)

q(
    "unanswerable",
    "What does Cobb lease to us?",
    no("ambiguous", "LO-2", "LO-3"),
    "Marjorie and George Cobb.",
)
q("unanswerable", "How many sheep graze at Cuckoo Ridge?", no("not_in_schema"), "No sheep.")
q(
    "unanswerable",
    "who maintains the Primrose Bank solar farm",
    no("unknown_entity"),
    "No such park.",
)

assert len(rows) == 42
write("solar", rows)
