"""Gold of the coffee set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_coffee.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "coffee")
rows, q = asking("co")

FARMS, COOPS, ROASTERS = g.t("Farm"), g.t("Cooperative"), g.t("Roaster")
OPEN = g.t("Disruption", lambda r: r["status"] == "open")
exporters = lambda coops: g.out(coops, "SELLS_TO")
stores = lambda coops: g.out(exporters(coops), "SHIPS_TO")
drawing = lambda stores: g.inn(stores, "DRAWS_FROM")

q(
    "lookup",
    "How many bags a season does Guji Union sell to Sheba?",
    num(g.edge("COP-4", "SELLS_TO", "EXP-4")["bags"]),
    "bags on COP-4 SELLS_TO EXP-4.",
)
q(
    "lookup",
    "farms above 1900 metres",
    ids(g.t("Farm", lambda r: r["altitude_m"] > 1900)),
    "altitude_m over 1900.",
)
q(
    "lookup",
    "What price per pound is Slow Ember paying Nyungwe Edge?",
    num(g.edge("ROA-5", "BUYS_DIRECT", "FRM-06")["usd_lb"]),
    "usd_lb on ROA-5 BUYS_DIRECT FRM-06.",
)

q(
    "multi_hop",
    "Which café chains are supplied by roasters that draw their coffee from the Trieste depot?",
    ids(g.out(drawing("WHS-4"), "ROASTS_FOR")),
    "WHS-4 <- roasters -> chains.",
)
q(
    "multi_hop",
    "growers in a co-op that currently has a loan from Bachue Exports",
    ids(g.inn(g.out("EXP-2", "PREFINANCES"), "MEMBER_OF")),
    "EXP-2 -> cooperatives <- farms, memberships valid now.",
)
_direct = g.out(g.inn("CHN-5", "ROASTS_FOR"), "BUYS_DIRECT")
q(
    "multi_hop",
    "Do any of Daily Crema's roasters buy straight from farms, and if so from which ones?",
    yes(_direct, _direct),
    "CHN-5 <- roasters -> farms.",
)

q(
    "downstream",
    "The Minas frost: follow the coffee of the farms it hit on through their co-op and its "
    "exporter. Which warehouses will get less?",
    ids(stores(g.out(g.out("DIS-1", "HITS"), "MEMBER_OF"))),
    "DIS-1 -> farms -> cooperative -> exporter -> warehouses.",
)
q(
    "downstream",
    "If Musasa Growers can't deliver, which roasters could run short because they draw from a "
    "warehouse that its exporter ships to?",
    ids(drawing(stores("COP-3"))),
    "COP-3 -> EXP-3 -> WHS-1 <- roasters; WHS-4 is over.",
)
_nord = drawing("WHS-2")
q(
    "downstream",
    "Say customs close Speicher Nord. List the roasters that draw from it "
    "and the chains those roasters supply.",
    ids(_nord | g.out(_nord, "ROASTS_FOR")),
    "Union of the roasters of WHS-2 and their chains, valid now.",
)

q(
    "path",
    "Trace the shortest way from Cerrado Norte to Torrefazione Bellini.",
    {"path": g.paths("COP-5", "ROA-3")},
    "COP-5 to ROA-3 over any relations.",
)
q(
    "path",
    "western leaf rust to Bean & Bicycle, how many links at the fewest?",
    num(len(g.paths("DIS-3", "CHN-1")[0]) - 1),
    "Length of the shortest path DIS-3 to CHN-1.",
)
q(
    "path",
    "By way of which exporters does Andina's coffee get to the Antwerp store?",
    ids(exporters("COP-1") & g.inn("WHS-1", "SHIPS_TO")),
    "Exporters between COP-1 and WHS-1.",
)

q(
    "aggregation",
    "Rank our exporters by total bags shipped a month, biggest first.",
    rank(g.total("SHIPS_TO", "source", "bags_month")),
    "Sum of bags_month over SHIPS_TO valid now, by exporter.",
)
q(
    "aggregation",
    "average price per lb over all direct trade purchases running today?",
    num(mean(e["usd_lb"] for e in g.valid("BUYS_DIRECT"))),
    "Mean usd_lb over BUYS_DIRECT valid now.",
)
q(
    "aggregation",
    "How many hectares do the current members of Tinto Claro farm altogether?",
    num(g.sum(g.inn("COP-2", "MEMBER_OF"), "hectares")),
    "Sum of hectares over the farms of COP-2 now.",
)

q(
    "temporal",
    "Until what date was La Esperanza Alta a member of Andina?",
    {"date": g.edge("FRM-02", "MEMBER_OF", "COP-1")["valid_to"]},
    "valid_to of FRM-02 MEMBER_OF COP-1.",
)
_lapsing = {e["source"] for e in g.valid("HOLDS") if e["valid_to"] <= "2026-12-31"}
q(
    "temporal",
    "Which co-ops hold a certificate that will run out before the end of 2026?",
    ids(_lapsing & COOPS),
    "HOLDS valid now with a last day in 2026, by cooperative; CRT-4 of COP-5 is over.",
)
q(
    "temporal",
    "Who was shipping to Speicher Süd on 1 January 2026?",
    ids(g.inn("WHS-3", "SHIPS_TO", "2026-01-01")),
    "SHIPS_TO into WHS-3 on that day.",
)

q(
    "what_if",
    "Suppose the Tilbury store burnt down. Which roasters would be left without any warehouse?",
    ids(r for r in drawing("WHS-5") if g.out(r, "DRAWS_FROM") == {"WHS-5"}),
    "Roasters that draw from WHS-5 alone.",
)
q(
    "what_if",
    "Kestrel goes bust: which chains loose their only roaster?",
    ids(c for c in g.out("ROA-2", "ROASTS_FOR") if g.inn(c, "ROASTS_FOR") == {"ROA-2"}),
    "Chains that ROA-2 alone supplies now.",
)
q(
    "what_if",
    "If Cafe Puerto and Bachue merged, how many warehouses would the merged firm be shipping to?",
    num(len(g.out({"EXP-1", "EXP-2"}, "SHIPS_TO"))),
    "Warehouses of EXP-1 or EXP-2, each once.",
)

q(
    "spof",
    "Which co-ops depend on a single exporter for all their sales?",
    ids(c for c in COOPS if len(exporters(c)) == 1),
    "One distinct exporter by SELLS_TO valid now, however many contracts.",
)
_single = {w for w in g.t("Warehouse") if len(g.inn(w, "SHIPS_TO")) == 1}
q(
    "spof",
    "Is there a warehouse that only one exporter ships to these days? Which?",
    yes(_single, _single),
    "In-degree 1 on SHIPS_TO valid now.",
)
q(
    "spof",
    "certificates held by just one cooperative (don't count farms)",
    ids(c for c in g.t("Certificate") if len(g.inn(c, "HOLDS") & COOPS) == 1),
    "One cooperative by HOLDS valid now.",
)

q(
    "inverse",
    "Which farms don't belong to any co-op at present?",
    ids(FARMS - g.inn(COOPS, "MEMBER_OF")),
    "All farms less the sources of MEMBER_OF valid now.",
)
q(
    "inverse",
    "How many roasters do no direct buying from farms?",
    num(len(ROASTERS - g.inn(FARMS, "BUYS_DIRECT"))),
    "All roasters less the sources of BUYS_DIRECT valid now.",
)
q(
    "inverse",
    "Cooperatives without a pre-harvest loan from anyone as of today?",
    ids(COOPS - g.out(g.t("Exporter"), "PREFINANCES")),
    "All cooperatives less the targets of PREFINANCES valid now.",
)

q(
    "compare",
    "Antwerp Dock Store vs Trieste Free Port Depot: how many exporters ship to each, "
    "and how many roasters draw from each?",
    cmp_(
        "WHS-1",
        "WHS-4",
        counts={
            "Exporter": [len(g.inn(w, "SHIPS_TO")) for w in ("WHS-1", "WHS-4")],
            "Roaster": [len(drawing(w)) for w in ("WHS-1", "WHS-4")],
        },
    ),
    "In-degrees on SHIPS_TO and DRAWS_FROM valid now.",
)
q(
    "compare",
    "Which exporters ship to Antwerp but not to Speicher Nord?",
    ids(g.inn("WHS-1", "SHIPS_TO") - g.inn("WHS-2", "SHIPS_TO")),
    "Difference of exporters.",
)
q(
    "compare",
    "By how many metres does Guji Halo lie higher than Kibira Hill?",
    num(g.n["FRM-07"]["altitude_m"] - g.n["FRM-05"]["altitude_m"]),
    "Difference of altitude_m.",
)

q(
    "risk",
    "Which roasters draw from a warehouse that an open disruption is hitting right now?",
    ids(drawing(g.out(OPEN, "HITS"))),
    "Open disruptions -> WHS-1 <- roasters.",
)
_worst = {d: max(e["loss_pct"] for e in g.valid("HITS") if e["source"] == d) for d in OPEN}
q(
    "risk",
    "For every open disruption give me the highest loss percentage it is causing anywhere, "
    "worst first.",
    rank(_worst),
    "Highest loss_pct over HITS valid now, by open disruption.",
)
_grave = g.where(OPEN, lambda r: r["severity"] in ("high", "critical"))
_squeezed = g.inn(g.out(_grave, "HITS"), "SELLS_TO")
q(
    "risk",
    "Co-ops selling to an exporter that is under an open disruption of high or critical severity?",
    ids(_squeezed),
    "Open, high or critical, -> exporters <- cooperatives.",
)

q(
    "combined",
    "Natural process, above 2000 m, and sold directly to a roaster today: which farms?",
    ids(
        g.where(
            g.out(ROASTERS, "BUYS_DIRECT"),
            lambda r: r["process"] == "natural" and r["altitude_m"] > 2000,
        )
    ),
    "process, altitude_m and BUYS_DIRECT valid now; FRM-07's buyer has gone.",
)
_hamburg = g.inn(g.t("Warehouse", lambda r: r["city"] == "Hamburg"), "SHIPS_TO")
q(
    "combined",
    "Which organic certified co-ops sell to an exporter that ships into Hamburg?",
    ids(g.inn("CRT-1", "HOLDS") & COOPS & g.inn(_hamburg, "SELLS_TO")),
    "HOLDS CRT-1 and the city of the exporter's warehouses.",
)
q(
    "combined",
    "Mean altitude of the Ethiopian farms that are still in a coop?",
    num(
        mean(
            g.n[f]["altitude_m"]
            for f in g.inn(COOPS, "MEMBER_OF")
            if g.n[f]["country"] == "Ethiopia"
        )
    ),
    "Mean altitude_m over Ethiopian farms with a membership valid now.",
)

degree, between = g.degree(), g.betweenness()
assert lead(of(degree, g.t("Exporter"))) == lead(of(g.degree(multi=False), g.t("Exporter")))
q(
    "centrality",
    "Which exporter has the most links of all kinds?",
    ids(lead(of(degree, g.t("Exporter")))),
    "Highest degree among exporters over valid relations; the same with parallels once.",
)
q(
    "centrality",
    "What's the biggest bottleneck in the whole network, by betweenness?",
    ids(lead(between)),
    "Highest undirected betweenness.",
)
_joined = g.inn(COOPS, "MEMBER_OF") | g.out(FARMS, "MEMBER_OF")
q(
    "centrality",
    "Look only at which farm is a member of which co-op today and leave out farms without one: "
    "how many separate groups do farms and co-ops form?",
    num(g.pieces(_joined, "MEMBER_OF")),
    "Connected components over MEMBER_OF valid now; FRM-01 joins two cooperatives.",
)

q(
    "unanswerable",
    "How high up is La Esperanza?",
    no("ambiguous", "FRM-02", "FRM-03"),
    "La Esperanza Alta and La Esperanza Baja.",
)
q(
    "unanswerable",
    "What moisture content does the coffee from Aricha Garden have?",
    no("not_in_schema"),
    "No such property.",
)
q(
    "unanswerable",
    "which warehouse does Blue Heron Roasters draw from?",
    no("unknown_entity"),
    "No such roaster.",
)

assert len(rows) == 42
write("coffee", rows)
