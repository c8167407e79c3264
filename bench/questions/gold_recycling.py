"""Gold of the recycling set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_recycling.py [--show]`."""

import collections

from gold_common import G, OUT, asking, cmp_, ids, lead, no, num, of, rank, write, yes

g = G(OUT / "domains" / "recycling")
rows, q = asking("rc")


DISTRICTS, ROUNDS, TRUCKS = g.t("District"), g.t("Round"), g.t("Truck")
PLANTS, MATERIALS, BUYERS = g.t("Plant"), g.t("Material"), g.t("Buyer")
ACTIVE = g.t("Breakdown", lambda r: r["status"] == "active")
DOWN = g.out(ACTIVE, "HALTS")
degree, between = g.degree(), g.betweenness()
tipped = g.total("TIPS_AT", "target", "tonnes_week")
lifts = g.total("COVERS", "target", "lifts_week")
sold = g.total("BUYS", "source", "tonnes_year")

q(
    "lookup",
    "Which of our trucks are electric?",
    ids(g.where(TRUCKS, lambda r: r["fuel"] == "electric")),
    "fuel is electric.",
)
q(
    "lookup",
    "How pure is the cardboard that Riverbank turns out, in percent?",
    num(g.edge("PLA-2", "RECOVERS", "MTL-2")["purity_pct"]),
    "purity_pct on PLA-2 RECOVERS MTL-2.",
)
q(
    "lookup",
    "Who is buying PET flakes from us?",
    ids(g.inn("MTL-7", "BUYS")),
    "BUYS into MTL-7.",
)

q(
    "multi_hop",
    "At which depots do the trucks serving Lower Bramley park?",
    ids(g.out(g.inn(g.inn("DIS-5", "COVERS"), "RUNS"), "PARKS_AT")),
    "DIS-5 <- rounds <- trucks -> depots.",
)
q(
    "multi_hop",
    "Who takes the materials that come out of the Fernhill plastics works?",
    ids(g.inn(g.out("PLA-5", "RECOVERS"), "BUYS")),
    "PLA-5 -> materials <- buyers.",
)
_east = g.inn("DIS-9", "COVERS") & g.inn("PLA-3", "TIPS_AT")
q(
    "multi_hop",
    "Does any of the Eastmoor rounds unload at Ashdown, and which one?",
    yes(_east, _east),
    "Rounds that cover DIS-9 and tip at PLA-3.",
)

q(
    "downstream",
    "Which buyers take a material from the plant that the baler fire has hit?",
    ids(g.inn(g.out(g.out("BRK-1", "HALTS"), "RECOVERS"), "BUYS")),
    "BRK-1 -> plant -> materials <- buyers.",
)
_green = g.out(g.inn("PLA-4", "TIPS_AT"), "COVERS")
q(
    "downstream",
    "How many households live in the districts whose rounds tip at Greenloop?",
    num(g.sum(_green, "households")),
    "PLA-4 <- rounds -> districts, each once.",
)
q(
    "downstream",
    "Which plants receive something from Northgate, directly or by way of another plant?",
    ids(g.walk("PLA-1", "FORWARDS_TO")),
    "FORWARDS_TO from PLA-1, any number of steps.",
)

q(
    "path",
    "Show the chain that leads from Truck 23 to Polyteks.",
    {"path": g.paths("TRK-07", "BUY-4")},
    "TRK-07 to BUY-4.",
)
_lario = g.inn(g.out("BUY-5", "BUYS"), "RECOVERS")
q(
    "path",
    "Through which plant do Truck 19's loads pass on their way to Cartiera Lario?",
    ids(g.out(g.out("TRK-05", "RUNS"), "TIPS_AT") & _lario),
    "Plants where rounds of TRK-05 tip and that recover what BUY-5 buys.",
)
_hazel = g.out("ROU-05", "TIPS_AT")
_hazel |= g.walk(_hazel, "FORWARDS_TO")
q(
    "path",
    "Following the waste, can anything from the Hazel round end up with Vetropak North?",
    yes("BUY-2" in g.inn(g.out(_hazel, "RECOVERS"), "BUYS")),
    "ROU-05 -> plants and those they forward to -> materials <- buyers.",
)

q(
    "aggregation",
    "Which plant gets the most tonnes a week straight from the rounds?",
    ids(lead(tipped)),
    "Sum of tonnes_week on TIPS_AT by plant.",
)
q(
    "aggregation",
    "How many kilometres long are all our rounds taken together?",
    num(g.sum(ROUNDS, "length_km")),
    "Sum of length_km.",
)
q(
    "aggregation",
    "Rank the top three districts by bins emptied a week.",
    rank(lifts, k=3),
    "Sum of lifts_week on COVERS by district.",
)

q(
    "temporal",
    "Which materials was Polyteks taking on 1 January 2023?",
    ids(g.out("BUY-4", "BUYS", "2023-01-01")),
    "BUYS from BUY-4 valid that day.",
)
q(
    "temporal",
    "Where was the Blue round unloaded in June 2024?",
    ids(g.out("ROU-02", "TIPS_AT", "2024-06-15")),
    "TIPS_AT from ROU-02 in that month.",
)
q(
    "temporal",
    "From what day has Truck 28 been parked at the Stanhope depot?",
    {"date": g.edge("TRK-09", "PARKS_AT", "DEP-3")["valid_from"]},
    "valid_from of TRK-09 PARKS_AT DEP-3.",
)

q(
    "what_if",
    "If Truck 25 were off the road, which rounds would have no truck?",
    ids({r for r in ROUNDS if g.inn(r, "RUNS") == {"TRK-08"}}),
    "Rounds that TRK-08 alone runs.",
)
q(
    "what_if",
    "Should Hartmann Papier cancel, how many tonnes a year would we have to place elsewhere?",
    num(sold["BUY-1"]),
    "Sum of tonnes_year on BUYS from BUY-1.",
)
q(
    "what_if",
    "Suppose the Ashdown plant closed for good. Which materials would no plant turn out any more?",
    ids({m for m in MATERIALS if g.inn(m, "RECOVERS") == {"PLA-3"}}),
    "Materials that PLA-3 alone recovers.",
)

q(
    "spof",
    "Which materials come from one plant only?",
    ids({m for m in MATERIALS if len(g.inn(m, "RECOVERS")) == 1}),
    "In-degree 1 on RECOVERS valid now.",
)
q(
    "spof",
    "How many materials have a single buyer?",
    num(sum(len(g.inn(m, "BUYS")) == 1 for m in MATERIALS)),
    "In-degree 1 on BUYS valid now.",
)
_shared = {r for r in ROUNDS if len(g.inn(r, "RUNS")) > 1}
q(
    "spof",
    "Are there rounds with a second truck on them, and which?",
    yes(_shared, _shared),
    "In-degree above 1 on RUNS valid now.",
)

_glass = g.where(ROUNDS, lambda r: r["waste"] == "glass")
q(
    "inverse",
    "Which districts aren't on any glass round?",
    ids(DISTRICTS - g.out(_glass, "COVERS")),
    "All districts less those of rounds whose waste is glass.",
)
q(
    "inverse",
    "Which plants have never had a breakdown?",
    ids(PLANTS - g.out(g.t("Breakdown"), "HALTS", None)),
    "All plants less those any breakdown ever halted.",
)
q(
    "inverse",
    "How many of the trucks don't run on diesel?",
    num(len(g.where(TRUCKS, lambda r: r["fuel"] != "diesel"))),
    "fuel other than diesel.",
)

_homes = {d: g.n[d]["households"] for d in ("DIS-2", "DIS-9")}
q(
    "compare",
    "Where are there more households, in Millfield or in Eastmoor?",
    cmp_("DIS-2", "DIS-9", households=list(_homes.values()), higher=lead(_homes)[0]),
    "households of each.",
)
q(
    "compare",
    "Which materials does Northgate turn out that Riverbank doesn't?",
    ids(g.out("PLA-1", "RECOVERS") - g.out("PLA-2", "RECOVERS")),
    "Set difference of RECOVERS; an expired one does not count.",
)
_paper = lambda plant: g.edge(plant, "RECOVERS", "MTL-1")["tonnes_year"]
q(
    "compare",
    "How many more tonnes of mixed paper a year does Northgate recover than Riverbank?",
    num(_paper("PLA-1") - _paper("PLA-2")),
    "Difference of tonnes_year on RECOVERS into MTL-1.",
)

_grave = g.where(ACTIVE, lambda r: r["severity"] in {"high", "critical"})
q(
    "risk",
    "Which plants have an active breakdown rated high or critical?",
    ids(g.out(_grave, "HALTS")),
    "Active, high or critical, -> plants.",
)
q(
    "risk",
    "How many tonnes a week do the rounds bring to plants with an active breakdown?",
    num(sum(tipped[p] for p in DOWN)),
    "Sum of tonnes_week on TIPS_AT into the plants that an active breakdown halts.",
)
q(
    "risk",
    "Is there an active breakdown at Fernhill?",
    yes("PLA-5" in DOWN),
    "The only one of PLA-5 is resolved.",
)

_north = g.inn(g.inn("PLA-1", "TIPS_AT"), "RUNS")
q(
    "combined",
    "Which trucks built before 2020 are on rounds that tip at Northgate?",
    ids(g.where(_north, lambda r: r["built"] < 2020)),
    "PLA-1 <- rounds <- trucks, by built.",
)
_dear = {e["source"] for e in g.valid("BUYS") if e["price_eur_t"] > 550}
q(
    "combined",
    "Which C-rated buyers pay us more than 550 euros a tonne for a material?",
    ids(g.where(_dear, lambda r: r["credit_rating"] == "C")),
    "credit_rating and price_eur_t together.",
)
_thursday = g.where(ROUNDS, lambda r: r["collection_day"] == "Thursday")
q(
    "combined",
    "Which Thursday rounds tip at a plant without an active breakdown?",
    ids({r for r in _thursday if g.out(r, "TIPS_AT") - DOWN}),
    "collection_day, then the plants less those halted.",
)

q(
    "centrality",
    "Which plant is the biggest bottleneck by betweenness?",
    ids(lead(of(between, PLANTS))),
    "Highest undirected betweenness among plants.",
)
q(
    "centrality",
    "How many neighbours does Northgate have in the network?",
    num(len(g.adj()["PLA-1"])),
    "Distinct neighbours over valid relations.",
)
q(
    "centrality",
    "Which trucks have the most direct links?",
    ids(lead(of(degree, TRUCKS))),
    "Highest degree among trucks.",
)

q(
    "unanswerable",
    "Which rounds go through Ferncliff?",
    no("unknown_entity"),
    "No such district.",
)
q(
    "unanswerable",
    "How many households are there in Bramley?",
    no("ambiguous", "DIS-5", "DIS-6"),
    "Lower and Upper Bramley.",
)
q(
    "unanswerable",
    "What do we pay a year to insure Truck 19?",
    no("not_in_schema"),
    "No such property.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("recycling", rows)
