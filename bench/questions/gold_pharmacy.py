"""Gold of the pharmacy set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_pharmacy.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "pharmacy")
rows, q = asking("ph")

BRANCHES, MEDICINES, MAKERS = g.t("Branch"), g.t("Medicine"), g.t("Manufacturer")
PRESCRIBERS = g.t("Pharmacist", lambda r: r["prescriber"])
in_town = lambda town: g.t("Branch", lambda r: r["town"] == town)
keeping = lambda medicines: g.inn(medicines, "STOCKS")
homes = lambda branches: g.out(branches, "PACKS_FOR")
open_alerts = lambda f: g.t("Alert", lambda r: r["status"] == "active" and f(r))

q(
    "lookup",
    "how many packs of the blue inhaler does Station Road hold",
    num(g.edge("BR-06", "STOCKS", "MED-04")["packs"]),
    "packs on BR-06 STOCKS MED-04.",
)
q(
    "lookup",
    "Which of our pharmacists are allowed to prescribe?",
    ids(PRESCRIBERS),
    "prescriber is true.",
)
q(
    "lookup",
    "What discount does Orwell Quay get from Pennant?",
    num(g.edge("BR-04", "BUYS_FROM", "WHO-4")["discount_pct"]),
    "discount_pct on BR-04 BUYS_FROM WHO-4.",
)

q(
    "multi_hop",
    "Which surgeries send prescriptions to the shops that Li Wen works in?",
    ids(g.inn(g.out("PHA-07", "EMPLOYED_AT"), "SENDS_SCRIPTS_TO")),
    "PHA-07 -> branches <- clinics.",
)
q(
    "multi_hop",
    "Through which wholesalers can we get something made by Tessaly Labs?",
    ids(g.inn(g.out("MAK-2", "MAKES"), "DISTRIBUTES")),
    "MAK-2 -> medicines <- wholesalers.",
)
_german = g.out(g.t("Manufacturer", lambda r: r["country"] == "Germany"), "MAKES")
_cambridge = keeping(_german) & in_town("Cambridge")
q(
    "multi_hop",
    "Do any of the Cambridge shops stock a medicine from a German manufacturer, and which shops?",
    yes(_cambridge, _cambridge),
    "German manufacturers -> medicines <- branches in Cambridge.",
)

q(
    "downstream",
    "If Halvorsen Pharma stopped production, "
    "which care homes would feel it through the branches that stock its medicines?",
    ids(homes(keeping(g.out("MAK-1", "MAKES")))),
    "MAK-1 -> medicines <- branches -> care homes.",
)
_hit = keeping(g.out("ALR-1", "CONCERNS"))
q(
    "downstream",
    "The glargine recall: give me every shop that stocks the product "
    "and every care home those shops pack for.",
    ids(_hit | homes(_hit)),
    "ALR-1 -> MED-08 <- branches, and their care homes.",
)
_pennant = {e["source"] for e in g.valid("BUYS_FROM") if e["target"] == "WHO-4"}
q(
    "downstream",
    "How many prescription items a month go to branches that are customers of Pennant Healthcare?",
    num(sum(e["items_month"] for e in g.valid("SENDS_SCRIPTS_TO") if e["target"] in _pennant)),
    "WHO-4 <- branches <- clinics; sum of items_month.",
)

q(
    "path",
    "What's the shortest connection between Elm Tree Surgery and Kestrel Inhalation?",
    {"path": g.paths("CLI-1", "MAK-6")},
    "CLI-1 to MAK-6 over any relations.",
)
q(
    "path",
    "How many links at the least lie between Ruth Okonjo and Quintero Biologics?",
    num(len(g.paths("PHA-04", "MAK-4")[0]) - 1),
    "Length of the shortest path PHA-04 to MAK-4.",
)
q(
    "path",
    "zorn & weiss to gainsborough court - show me how they are linked, shortest way pls",
    {"path": g.paths("MAK-5", "HOM-3")},
    "MAK-5 to HOM-3 over any relations; two equally short.",
)

q(
    "aggregation",
    "Pharmacist hours per week by branch, most first.",
    rank(g.total("EMPLOYED_AT", "target", "hours_week")),
    "Sum of hours_week over EMPLOYED_AT valid now, by branch.",
)
q(
    "aggregation",
    "average pack price of the diabetes medicines?",
    num(mean(g.n[m]["pack_price_gbp"] for m in MEDICINES if g.n[m]["group"] == "diabetes")),
    "Mean pack_price_gbp of the group diabetes.",
)
q(
    "aggregation",
    "Name the three clinics that send us the most items a month, all branches taken together.",
    rank(g.total("SENDS_SCRIPTS_TO", "source", "items_month"), k=3),
    "Sum of items_month over SENDS_SCRIPTS_TO valid now, by clinic.",
)

q(
    "temporal",
    "Who was the manager at Market Square on 1 May 2026?",
    ids(
        e["source"]
        for e in g.valid("EMPLOYED_AT", "2026-05-01")
        if e["target"] == "BR-05" and e["post"] == "manager"
    ),
    "EMPLOYED_AT into BR-05 on 2026-05-01, post manager.",
)
q(
    "temporal",
    "When did Castle Meadow's contract with Cawston Chemicals run out?",
    {"date": g.edge("BR-02", "BUYS_FROM", "WHO-5")["valid_to"]},
    "valid_to of BR-02 BUYS_FROM WHO-5.",
)
q(
    "temporal",
    "Which branches ended a purchase contract with a wholesaler during 2025?",
    ids(e["source"] for e in g.valid("BUYS_FROM", None) if "2025" in (e["valid_to"] or "")),
    "BUYS_FROM with valid_to in 2025.",
)

_quit = {b for b in BRANCHES if g.inn(b, "EMPLOYED_AT") == {"PHA-03"}}
q(
    "what_if",
    "Suppose Ewa Kowalska resigns. Does any shop end up without a pharmacist, and which?",
    yes(_quit, _quit),
    "Branches where PHA-03 alone works now.",
)
q(
    "what_if",
    "if northgate goes bust which branches have no wholsaler left",
    ids(b for b in BRANCHES if g.out(b, "BUYS_FROM") == {"WHO-3"}),
    "Branches that buy from WHO-3 alone now.",
)
_lost = {"MAK-3", "MAK-5"}
q(
    "what_if",
    "Were we to lose both Bexwell Generics and Zorn & Weiss, "
    "which medicines would nobody make any more?",
    ids(m for m in g.out(_lost, "MAKES") if g.inn(m, "MAKES") <= _lost),
    "Medicines all of whose manufacturers are MAK-3 or MAK-5.",
)

q(
    "spof",
    "Shops with just one pharmacist at present?",
    ids(b for b in BRANCHES if len(g.inn(b, "EMPLOYED_AT")) == 1),
    "In-degree 1 on EMPLOYED_AT valid now.",
)
_single = {m for m in MEDICINES if len(g.inn(m, "MAKES")) == len(g.inn(m, "DISTRIBUTES")) == 1}
q(
    "spof",
    "Which medicines hang on one manufacturer and also on one wholesaler only?",
    ids(_single),
    "In-degree 1 on MAKES and 1 on DISTRIBUTES, both valid now.",
)
_pack = g.inn("HOM-3", "PACKS_FOR")
q(
    "spof",
    "Has Gainsborough Court got more than one branch packing for it? Which ones?",
    yes(len(_pack) > 1, _pack),
    "In-degree of HOM-3 on PACKS_FOR valid now.",
)

q(
    "inverse",
    "Which medicines does none of our branches have in stock?",
    ids(MEDICINES - g.out(BRANCHES, "STOCKS")),
    "All medicines less the targets of STOCKS valid now.",
)
q(
    "inverse",
    "how many branches do not pack for any care home?",
    num(len(BRANCHES - g.inn(g.t("CareHome"), "PACKS_FOR"))),
    "All branches less the sources of PACKS_FOR valid now.",
)
q(
    "inverse",
    "Wholesalers that none of the shops in Cambridge buys from, please.",
    ids(g.t("Wholesaler") - g.out(in_town("Cambridge"), "BUYS_FROM")),
    "All wholesalers less those of the branches in Cambridge.",
)

_packs = g.total("STOCKS", "source", "packs")
_two = of(_packs, ("BR-01", "BR-08"))
q(
    "compare",
    "Castle Street versus Hospital Way: who holds more packs in total? Give both totals.",
    cmp_("BR-01", "BR-08", packs=list(_two.values()), higher=lead(_two)[0]),
    "Sum of packs over STOCKS valid now.",
)
q(
    "compare",
    "Which medicines does Anglia Drug Depot carry that Northgate doesn't?",
    ids(g.out("WHO-1", "DISTRIBUTES") - g.out("WHO-3", "DISTRIBUTES")),
    "Difference of the medicines distributed now.",
)
q(
    "compare",
    "Which shop gets scripts from both Elm Tree and Elm Grove?",
    ids(g.out("CLI-1", "SENDS_SCRIPTS_TO") & g.out("CLI-2", "SENDS_SCRIPTS_TO")),
    "Intersection of branches; CLI-2 no longer sends to BR-01.",
)

_grave = open_alerts(lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which branches have stock of a medicine that is under an open high or critical alert?",
    ids(keeping(g.out(_grave, "CONCERNS"))),
    "Active, high or critical, -> medicines <- branches.",
)
_recalled = g.out(open_alerts(lambda r: r["kind"] == "recall"), "CONCERNS")
q(
    "risk",
    "How many packs on our shelves are of medicines with a recall still running?",
    num(sum(e["packs"] for e in g.valid("STOCKS") if e["target"] in _recalled)),
    "Sum of packs over STOCKS of medicines with an active recall.",
)
_reach = {a: len(keeping(g.out(a, "CONCERNS"))) for a in open_alerts(lambda r: True)}
q(
    "risk",
    "Of the alerts that are open, which one touches the most branches through what they stock?",
    ids(lead(_reach)),
    "Active alert -> medicines <- branches; the most branches.",
)

q(
    "combined",
    "Which shops have let methylphenidate fall below its reorder level?",
    ids(
        e["source"]
        for e in g.valid("STOCKS")
        if e["target"] == "MED-14" and e["packs"] < e["reorder_at"]
    ),
    "packs under reorder_at on STOCKS into MED-14.",
)
_several = {b for b in BRANCHES if len(g.out(b, "BUYS_FROM")) >= 2}
q(
    "combined",
    "List the pharmacists who may prescribe and who work at a branch with two or more wholesalers.",
    ids(PRESCRIBERS & g.inn(_several, "EMPLOYED_AT")),
    "prescriber, and a branch with at least 2 on BUYS_FROM valid now.",
)
_fridge = g.t("Medicine", lambda r: r["storage"] == "fridge")
q(
    "combined",
    "Whcih fridge medicines are distributed by more than one wholesaler?",
    ids(m for m in _fridge if len(g.inn(m, "DISTRIBUTES")) > 1),
    "storage fridge and in-degree above 1 on DISTRIBUTES valid now.",
)

degree, between = g.degree(), g.betweenness()
q(
    "centrality",
    "Which branch has the most direct links of all kinds?",
    ids(lead(of(degree, BRANCHES))),
    "Highest degree among branches over valid relations.",
)
q(
    "centrality",
    "Going by betweenness with links both ways, which wholesaler is the biggest go-between?",
    ids(lead(of(between, g.t("Wholesaler")))),
    "Highest undirected betweenness among wholesalers.",
)
q(
    "centrality",
    "Which clinics and care homes hang on the network by a single link?",
    ids(x for x in g.t("Clinic") | g.t("CareHome") if degree[x] == 1),
    "Degree 1 over valid relations.",
)

q("unanswerable", "What is Siobhan Keane's salary?", no("not_in_schema"), "No such property.")
q(
    "unanswerable",
    "at which branch does farrow work",
    no("ambiguous", "PHA-02", "PHA-05"),
    "Tom and Daniel Farrow.",
)
q("unanswerable", "Who makes ibuprofen for us?", no("unknown_entity"), "No such medicine.")

assert len(rows) == 42
write("pharmacy", rows)
