"""Gold of the seed breeder set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_seeds.py [--show]`."""

import collections

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "seeds")
rows, q = asking("se")

VARIETIES, DISEASES, GROWERS = g.t("Variety"), g.t("Disease"), g.t("Grower")
LISTED = g.where(VARIETIES, lambda r: r["stage"] == "listed")
OPEN = g.t("Outbreak", lambda r: r["status"] == "active")
growers = lambda v: g.inn(v, "GROWS")
trialled = lambda field: g.inn(field, "TRIALLED_IN")
resists = lambda v: g.out(v, "RESISTS")
sold = lambda m: g.out(m, "SELLS")
buyers = lambda m: g.inn(m, "BUYS_FROM")
struck = lambda o: g.out(o, "STRIKES")
degree, between = g.degree(), g.betweenness()

q(
    "lookup",
    "What royalty does Greenline pay us on Winter Velvet, in percent?",
    num(g.edge("MER-4", "SELLS", "VAR-13")["royalty_pct"]),
    "royalty_pct on MER-4 SELLS VAR-13.",
)
_else = g.out("GRW-04", "GROWS") - {"VAR-08"}
q(
    "lookup",
    "Does Neri have anything of ours in the ground apart from Rosso Lungo? If so, what?",
    yes(_else, _else),
    "GROWS from GRW-04, less VAR-08.",
)
q(
    "lookup",
    "how many ha of cotterdale has lagarde sown",
    num(g.edge("GRW-08", "GROWS", "VAR-03")["area_ha"]),
    "area_ha on GRW-08 GROWS VAR-03.",
)

q(
    "multi_hop",
    "Which farms and nurseries grow something that Mateus Faria is breeding?",
    ids(growers(g.out("BRE-2", "BREEDS"))),
    "BRE-2 -> varieties <- growers.",
)
q(
    "multi_hop",
    "Cotterdale's trial fields: who runs them at present?",
    ids(g.inn(g.out("VAR-03", "TRIALLED_IN"), "MANAGES")),
    "VAR-03 -> fields <- breeders, now.",
)
q(
    "multi_hop",
    "Which labs are testing a variety that is resistant to yellow rust today?",
    ids(g.inn(g.inn("DIS-1", "RESISTS"), "TESTS")),
    "DIS-1 <- varieties <- labs; Amberley's resistance has gone.",
)

q(
    "downstream",
    "Name every variety that descends from Oldminster, however many crosses down.",
    ids(g.walk("VAR-17", "PARENT_OF")),
    "PARENT_OF in one or more steps from VAR-17.",
)
q(
    "downstream",
    "We may have to recall stock. Which growers have sown any descendant of Rosso Lungo, be it a direct or a later one?",
    ids(growers(g.walk("VAR-08", "PARENT_OF"))),
    "VAR-08 -> descendants <- growers; Rosso Lungo itself does not count.",
)
q(
    "downstream",
    "How many trial plots are standing in the fields that the Norfolk rust has struck?",
    num(sum(e["plots"] for e in g.valid("TRIALLED_IN") if e["target"] in struck("OUT-1"))),
    "OUT-1 -> fields <- varieties, sum of plots over TRIALLED_IN valid now.",
)

q(
    "path",
    "By road, which is the shortest way in kilometres from the Priory Glasshouse to Hangman's Hill?",
    {"path": g.cheapest("FLD-4", "FLD-3", "ROAD_TO", "road_km")[0]},
    "Least sum of road_km over ROAD_TO; 282 km, where the way with fewest roads takes 297.",
)
q(
    "path",
    "Trace the quickest line of descent from Oldminster down to Dunmow.",
    {"path": g.paths("VAR-17", "VAR-04", "PARENT_OF", directed=True)},
    "Shortest PARENT_OF chain from VAR-17 to VAR-04.",
)
q(
    "path",
    "How many links lie between Sunita Rao and Greenline, taking the shortest connection?",
    num(len(g.paths("BRE-5", "MER-4")[0]) - 1),
    "Length of the shortest path BRE-5 to MER-4.",
)

q(
    "aggregation",
    "Which variety is sown on the largest area, all growers together?",
    ids(lead(g.total("GROWS", "target", "area_ha"))),
    "Sum of area_ha over GROWS valid now, by variety.",
)
q(
    "aggregation",
    "Top three merchants by what our growers order from them a year, with the sums in thousands of euros.",
    rank(g.total("BUYS_FROM", "target", "order_keur"), k=3),
    "Sum of order_keur over BUYS_FROM valid now, by merchant.",
)
q(
    "aggregation",
    "What does Dunmow yield on average over the fields it's trialled in (t/ha)?",
    num(mean(e["yield_t_per_ha"] for e in g.valid("TRIALLED_IN") if e["source"] == "VAR-04")),
    "Mean of yield_t_per_ha over TRIALLED_IN from VAR-04.",
)

q(
    "temporal",
    "Until what day did Amberley hold out against yellow rust?",
    {"date": g.edge("VAR-01", "RESISTS", "DIS-1")["valid_to"]},
    "valid_to of VAR-01 RESISTS DIS-1.",
)
q(
    "temporal",
    "Which varieties lost a resistance in the course of 2023?",
    ids(e["source"] for e in g.valid("RESISTS", None) if (e["valid_to"] or "")[:4] == "2023"),
    "RESISTS that ended in 2023.",
)
q(
    "temporal",
    "Who was managing Long Acre on 1 May 2022?",
    ids(g.inn("FLD-1", "MANAGES", "2022-05-01")),
    "MANAGES into FLD-1 on 2022-05-01.",
)

q(
    "what_if",
    "Norwich Seed Lab shuts. Which diseases can then nobody screen for us?",
    ids(d for d in DISEASES if g.inn(d, "SCREENS_FOR") == {"LAB-1"}),
    "Diseases that LAB-1 alone screens for, now.",
)
q(
    "what_if",
    "If Agnes Thorpe retired tomorrow, which varieties would be left without a breeder?",
    ids(v for v in VARIETIES if g.inn(v, "BREEDS") == {"BRE-1"}),
    "Varieties that BRE-1 alone breeds.",
)
q(
    "what_if",
    "Suppose we give up Kelso Top: which varieties would not be in trial anywhere any more?",
    ids(v for v in VARIETIES if g.out(v, "TRIALLED_IN") == {"FLD-6"}),
    "Varieties trialled in FLD-6 alone, now.",
)

q(
    "spof",
    "Which of the listed varieties are sold by one merchant only?",
    ids(v for v in LISTED if len(g.inn(v, "SELLS")) == 1),
    "In-degree 1 on SELLS valid now, listed varieties.",
)
_other = g.inn("DIS-7", "SCREENS_FOR") - {"LAB-5"}
q(
    "spof",
    "Apart from Lumière, is there any lab that can detect clubroot for us, and which?",
    yes(_other, _other),
    "SCREENS_FOR into DIS-7, less LAB-5: none.",
)
q(
    "spof",
    "How many growers depend on a single merchant for their seed?",
    num(sum(len(g.out(x, "BUYS_FROM")) == 1 for x in GROWERS)),
    "Out-degree 1 on BUYS_FROM valid now.",
)

q(
    "inverse",
    "Which listed varieties are resistant to nothing at all these days?",
    ids(v for v in LISTED if not resists(v)),
    "Listed varieties without RESISTS valid now.",
)
q(
    "inverse",
    "Wich diseases are behind none of the open outbreaks?",
    ids(DISEASES - g.out(OPEN, "CAUSED_BY")),
    "All diseases less those that cause active outbreaks.",
)
_wheats = g.where(VARIETIES, lambda r: r["crop"] == "wheat")
q(
    "inverse",
    "How many of our growers don't grow any of the wheats?",
    num(len(GROWERS - growers(_wheats))),
    "All growers less those that grow a wheat.",
)

_sizes = {"varieties": sold, "growers": buyers}
_both = {k: [len(f("MER-4")), len(f("MER-5"))] for k, f in _sizes.items()}
q(
    "compare",
    "Greenline against Nordfrø: how many varieties does each sell, how many growers buy from each, and which varieties do both sell?",
    cmp_("MER-4", "MER-5", **_both, shared_varieties=sorted(sold("MER-4") & sold("MER-5"))),
    "Counts on SELLS and BUYS_FROM.",
)
q(
    "compare",
    "Which diseases does Ruby Cascade resist that Sungleam does not?",
    ids(resists("VAR-10") - resists("VAR-09")),
    "Set difference of RESISTS.",
)
_sown = of(g.total("GROWS", "source", "area_ha"), ("GRW-02", "GRW-08"))
q(
    "compare",
    "Tuckett or Lagarde: who has more hectares under our varieties in all? Both totals, please.",
    cmp_("GRW-02", "GRW-08", area_ha=list(_sown.values()), higher=lead(_sown)[0]),
    "Sum of area_ha over GROWS valid now.",
)

q(
    "risk",
    "Which trial fields are under an open outbreak rated high or worse?",
    ids(struck(g.where(OPEN, lambda r: r["severity"] in ("high", "critical")))),
    "Active outbreaks rated high or critical -> fields.",
)
q(
    "risk",
    "How many varieties have trial plots in a field with an open outbreak?",
    num(len(trialled(struck(OPEN)))),
    "Active outbreaks -> fields <- varieties.",
)
q(
    "risk",
    "Which field has the most open outbreaks on it at once?",
    ids(lead({f: len(g.inn(f, "STRIKES") & OPEN) for f in g.t("Field")})),
    "In-degree on STRIKES from active outbreaks.",
)

q(
    "combined",
    "Which wheats on trial in a field that the Norfolk rust has struck have no resistance to yellow rust?",
    ids((trialled(struck("OUT-1")) & _wheats) - g.inn("DIS-1", "RESISTS")),
    "OUT-1 -> fields <- wheats, less those resistant to DIS-1 now.",
)
q(
    "combined",
    "What stood in trial on 1 October 2025 in the field that was under an outbreak that day?",
    ids(g.inn(g.out(g.t("Outbreak"), "STRIKES", "2025-10-01"), "TRIALLED_IN", "2025-10-01")),
    "STRIKES that day -> field <- TRIALLED_IN that day.",
)
_salad = growers(g.where(VARIETIES, lambda r: r["crop"] == "lettuce"))
q(
    "combined",
    "Organic growers who have sown a lettuce and buy from Greenline, please.",
    ids(g.where(_salad & buyers("MER-4"), lambda r: r["organic"] == "yes")),
    "organic, crop and BUYS_FROM together.",
)

q(
    "centrality",
    "Which varieties have the most direct links?",
    ids(lead(of(degree, VARIETIES))),
    "Highest degree among varieties over valid relations.",
)
q(
    "centrality",
    "Going by undirected betweenness, which merchant is the chief go-between?",
    ids(lead(of(between, g.t("Merchant")))),
    "Highest undirected betweenness among merchants.",
)
_links = [e for e in g.valid() if g.n[e["source"]]["type"] != "Outbreak"]
_calm = collections.Counter(e[end] for e in _links for end in ("source", "target"))
q(
    "centrality",
    "Leave outbreaks aside: which entities hang on to the rest by just one link?",
    ids(x for x, n in _calm.items() if n == 1),
    "Degree 1 in the graph of valid relations without outbreaks.",
)

q(
    "unanswerable",
    "Which growers have Cascade in the ground?",
    no("ambiguous", "VAR-10", "VAR-11"),
    "Ruby and Golden Cascade. Asking which one, or answering for each under its name, is right.",
)
q(
    "unanswerable",
    "In which fields is the Blue Marrow pea on trial?",
    no("unknown_entity"),
    "No such variety.",
)
q(
    "unanswerable",
    "What germination rate does Elmet reach?",
    no("not_in_schema"),
    "No such property.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("seeds", rows)
