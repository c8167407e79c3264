"""Gold of the auction house set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_auction.py [--show]`."""

import collections

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "auction")
rows, q = asking("au")

LOTS, BIDDERS, CONSIGNORS = g.t("Lot"), g.t("Bidder"), g.t("Consignor")
COMING = g.t("Sale", lambda r: r["status"] == "upcoming")
OPEN = g.t("Claim", lambda r: r["status"] == "active")
lots_in = lambda sale: g.inn(sale, "OFFERED_IN")
owners = lambda lots: g.inn(lots, "CONSIGNS")
paddles = lambda sale: g.inn(sale, "REGISTERED_FOR")
claimed = g.out(OPEN, "CONCERNS")
degree, between = g.degree(), g.betweenness()

q(
    "lookup",
    "What reserve did we agree with Baron von Thurn for the Pearl Tiara, in thousands?",
    num(g.edge("CON-2", "CONSIGNS", "LOT-11")["reserve_keur"]),
    "reserve_keur on CON-2 CONSIGNS LOT-11.",
)
q(
    "lookup",
    "Which lots were made before 1650?",
    ids(g.where(LOTS, lambda r: r["made"] < 1650)),
    "made below 1650.",
)
q(
    "lookup",
    "who was the underbidder on the Tompion",
    ids(g.inn("LOT-07", "UNDERBIDS")),
    "UNDERBIDS into LOT-07.",
)

q(
    "multi_hop",
    "Whose property goes under the hammer in the Autumn Old Masters?",
    ids(owners(lots_in("SAL-5"))),
    "SAL-5 <- lots <- consignors.",
)
q(
    "multi_hop",
    "Which restorers are busy with something from the Maps and Instruments sale?",
    ids(g.inn(lots_in("SAL-7"), "RESTORES")),
    "SAL-7 <- lots <- restorers, now.",
)
_lost = g.out("BID-04", "UNDERBIDS") & g.out("BID-02", "BOUGHT")
q(
    "multi_hop",
    "Did Tanaka come second on anything that Ulm went home with, and if so on what?",
    yes(_lost, _lost),
    "Lots that BID-04 underbid and BID-02 bought.",
)

q(
    "downstream",
    "The Wexley export query: which bidders hold a paddle for a sale that it touches?",
    ids(paddles(g.out(g.out("CLM-6", "CONCERNS"), "OFFERED_IN"))),
    "CLM-6 -> lots -> sale <- bidders.",
)
q(
    "downstream",
    "If Alpenfrachts drivers walk out, which consignors have property stuck with them?",
    ids(owners(g.out("SHI-2", "CARRIES"))),
    "SHI-2 -> lots <- consignors.",
)
q(
    "downstream",
    "I need a figure for the insurers: the low estimates of everything in the sale that Noor Siddiqui runs, added up, in thousands of euros.",
    num(g.sum(lots_in(g.out("SPE-8", "RUNS")), "estimate_low_keur")),
    "SPE-8 -> sale <- lots, sum of estimate_low_keur.",
)

q(
    "path",
    "What's the shortest chain of links from Jasper Wynn to Kestrel?",
    {"path": g.paths("SPE-9", "BID-01")},
    "SPE-9 to BID-01 over any relations.",
)
q(
    "path",
    "How many steps is it, at the fewest, from Penrose Horology to the Convent of Santa Lucia?",
    num(len(g.paths("RES-2", "CON-9")[0]) - 1),
    "Length of the shortest path RES-2 to CON-9.",
)
q(
    "path",
    "How does the line of training run from Miles Cartwright down to Jasper Wynn?",
    {"path": g.paths("SPE-3", "SPE-9", "TRAINS", directed=True)},
    "TRAINS from SPE-3 to SPE-9, valid now.",
)

_lots_of = collections.Counter(e["source"] for e in g.valid("CONSIGNS"))
q(
    "aggregation",
    "Who has the most lots consigned with us at the moment?",
    ids(lead(_lots_of)),
    "Out-degree on CONSIGNS valid now.",
)
_hammer = g.total("BOUGHT", "target", "hammer_keur")
q(
    "aggregation",
    "Which three lots made the highest hammer prices? With the prices, please, and leave out anything where the deal fell through.",
    rank(_hammer, k=3),
    "hammer_keur over BOUGHT valid now, three highest.",
)
q(
    "aggregation",
    "What buyer's premium do we charge on average in the sales still to come?",
    num(mean(g.n[s]["premium_pct"] for s in COMING)),
    "Mean premium_pct of upcoming sales.",
)

q(
    "temporal",
    "Since when has Noor Siddiqui been in charge of Maps and Instruments?",
    {"date": g.edge("SPE-8", "RUNS", "SAL-7")["valid_from"]},
    "valid_from of SPE-8 RUNS SAL-7.",
)
q(
    "temporal",
    "As things stood on 1 March 2026, in which room was the Autumn Old Masters to be held?",
    ids(g.out("SAL-5", "HELD_IN", "2026-03-01")),
    "HELD_IN from SAL-5 on 2026-03-01.",
)
_gone = [e for e in g.valid("OFFERED_IN", on=None) if e["valid_to"]]
q(
    "temporal",
    "Which lots were taken out of a sale between 1 May and 31 July 2026?",
    ids(e["source"] for e in _gone if "2026-05-01" <= e["valid_to"] <= "2026-07-31"),
    "OFFERED_IN that ended in those months.",
)

q(
    "what_if",
    "If the Corn Exchange burnt down tonight, which sales still to come would be without a room?",
    ids(s for s in COMING if g.out(s, "HELD_IN") == {"ROM-3"}),
    "Upcoming sales held in ROM-3 alone.",
)
q(
    "what_if",
    "Clara Hale is off for three months. For which lots is nobody else on the catalogue entry?",
    ids(x for x in LOTS if g.inn(x, "CATALOGUES") == {"SPE-6"}),
    "Lots catalogued by SPE-6 alone.",
)
q(
    "what_if",
    "Suppose Rosalind Okafor never pays for what she has bought: how much hammer money would be gone, in thousands?",
    num(g.total("BOUGHT", "source", "hammer_keur")["BID-03"]),
    "Sum of hammer_keur on BOUGHT from BID-03.",
)

q(
    "spof",
    "Which lots in the upcoming sales have only one specialist cataloguing them?",
    ids(x for x in lots_in(COMING) if len(g.inn(x, "CATALOGUES")) == 1),
    "In-degree 1 on CATALOGUES, lots of upcoming sales.",
)
_van = g.inn("LOT-11", "CARRIES")
q(
    "spof",
    "Does the Pearl Tiara hang on a single shipper, and on which?",
    yes(len(_van) == 1, _van),
    "In-degree of LOT-11 on CARRIES is 1.",
)
q(
    "spof",
    "How many lots under an open claim are in the hands of just one restorer?",
    num(sum(len(g.inn(x, "RESTORES")) == 1 for x in claimed)),
    "Lots of active claims, in-degree 1 on RESTORES.",
)

q(
    "inverse",
    "Which paintings are with no restorer at the moment?",
    ids(g.t("Lot", lambda r: r["kind"] == "painting") - g.out(g.t("Restorer"), "RESTORES")),
    "Paintings less the targets of RESTORES valid now.",
)
q(
    "inverse",
    "wich bidders aren't registered for any of the upcoming sales?",
    ids(BIDDERS - paddles(COMING)),
    "All bidders less those registered for upcoming sales.",
)
q(
    "inverse",
    "How many of our consignors have nothing caught up in an open claim?",
    num(len(CONSIGNORS - owners(claimed))),
    "All consignors less those of lots under active claims.",
)

_sizes = {"lots": lots_in, "consignors": lambda s: owners(lots_in(s)), "bidders": paddles}
_both = {k: [len(f("SAL-4")), len(f("SAL-6"))] for k, f in _sizes.items()}
q(
    "compare",
    "Country House Sale against Winter Jewels: how many lots, consignors and bidders has each, and which bidders do they share?",
    cmp_("SAL-4", "SAL-6", **_both, shared_bidders=sorted(paddles("SAL-4") & paddles("SAL-6"))),
    "Counts around each sale.",
)
q(
    "compare",
    "Who had a paddle for the Spring Old Masters but has none for the Autumn Old Masters?",
    ids(paddles("SAL-1") - paddles("SAL-5")),
    "Set difference of registered bidders.",
)
_cover = of(g.total("CARRIES", "source", "insured_keur"), ("SHI-1", "SHI-2"))
q(
    "compare",
    "Falconer or Alpenfracht, which of them carries more insured value for us? Both totals, please.",
    cmp_("SHI-1", "SHI-2", insured_keur=list(_cover.values()), higher=lead(_cover)[0]),
    "Sum of insured_keur over CARRIES valid now.",
)

q(
    "risk",
    "Which lots have an open claim rated high or worse hanging over them?",
    ids(g.out(g.where(OPEN, lambda r: r["severity"] in ("high", "critical")), "CONCERNS")),
    "Active claims rated high or critical -> lots.",
)
q(
    "risk",
    "All told, how much is in dispute in the claims still open (thousands of euros)?",
    num(g.sum(OPEN, "amount_keur")),
    "Sum of amount_keur of active claims.",
)
q(
    "risk",
    "Rank the open claims by the money at stake, biggest first.",
    rank({c: g.n[c]["amount_keur"] for c in OPEN}),
    "amount_keur of active claims.",
)

_home = lambda r: r["kind"] == "private" and r["country"] == "United Kingdom"
q(
    "combined",
    "Private bidders from the United Kingdom with a limit of more than 100k and a paddle for the Country House Sale: who are they?",
    ids(g.where(paddles("SAL-4"), lambda r: _home(r) and r["limit_keur"] > 100)),
    "kind, country, limit_keur and REGISTERED_FOR together.",
)
_bench = g.out(g.t("Restorer"), "RESTORES")
q(
    "combined",
    "Low estimate of 100k or more, at a restorer's, and under an open claim: which lots are those?",
    ids(g.where(_bench & claimed, lambda r: r["estimate_low_keur"] >= 100)),
    "estimate_low_keur, RESTORES and active claims together.",
)
_day = "2026-03-01"
q(
    "combined",
    "On 1 March 2026, which lots in the Fine Clocks sale had no restorer working on them?",
    ids(g.inn("SAL-2", "OFFERED_IN", _day) - g.out(g.t("Restorer"), "RESTORES", _day)),
    "Temporal and inverse: lots of SAL-2 that day less those restored that day.",
)

q(
    "centrality",
    "Which lots have the most direct links of any?",
    ids(lead(of(degree, LOTS))),
    "Highest degree among lots over valid relations.",
)
q(
    "centrality",
    "By betweenness, with links counted both ways, which sale is the biggest bottleneck?",
    ids(lead(of(between, g.t("Sale")))),
    "Highest undirected betweenness among sales.",
)
q(
    "centrality",
    "Which bidders hang on the network by a single link?",
    ids(x for x in BIDDERS if degree[x] == 1),
    "Degree 1 among bidders over valid relations.",
)

q(
    "unanswerable",
    "Which lots is Hale cataloguing?",
    no("ambiguous", "SPE-1", "SPE-6"),
    "Imogen and Clara Hale. Asking which one, or answering for each under her name, is right.",
)
q(
    "unanswerable",
    "Which sale is the Stradivari viola in?",
    no("unknown_entity"),
    "No such lot.",
)
q(
    "unanswerable",
    "How old is Marguerite Sauvage?",
    no("not_in_schema"),
    "No such property.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("auction", rows)
