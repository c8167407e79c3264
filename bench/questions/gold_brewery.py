"""Gold of the brewery set: 42 questions, answered in plain Python.

Run as `python bench/questions/gold_brewery.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "brewery")
rows, q = asking("br")


BREWERIES, FARMS, TANKS = g.t("Brewery"), g.t("HopFarm"), g.t("Tank")
BEERS, PUBS = g.t("Beer"), g.t("Pub")
OPEN = g.t("Incident", lambda r: r["status"] == "active")
beers_of = lambda brewery: g.out(brewery, "BREWS")
pubs_of = lambda beers: g.inn(beers, "SERVES")
hopped_by = lambda farms: g.out(farms, "GROWS_FOR")
style = lambda name: g.t("Beer", lambda r: r["style"] == name)
degree, between = g.degree(), g.betweenness()
_sold, _drawn = (g.total("SERVES", end, "litres_a_week") for end in ("target", "source"))

q(
    "lookup",
    "What do the Drovers charge for a pint of Oak Tup?",
    num(g.edge("PUB-03", "SERVES", "BEE-12")["price_eur"]),
    "price_eur on PUB-03 SERVES BEE-12.",
)
q(
    "lookup",
    "where can i get heron pils on tap",
    ids(pubs_of("BEE-04")),
    "SERVES into BEE-04.",
)
q(
    "lookup",
    "Is it Last Drop that is sitting in Hangman these days?",
    yes("BEE-05" in g.out("TNK-06", "HOLDS")),
    "TNK-06 HOLDS BEE-05 now.",
)

q(
    "multi_hop",
    "Whose malt ends up in Hemp Collar?",
    ids(g.inn(g.inn("BEE-06", "BREWS"), "DELIVERS")),
    "BEE-06 <- breweries <- maltsters.",
)
q(
    "multi_hop",
    "Please state the hop farms standing behind the beers that the Railway Tap pours.",
    ids(g.inn(g.out("PUB-09", "SERVES"), "GROWS_FOR")),
    "PUB-09 -> beers <- farms.",
)
q(
    "multi_hop",
    "The beers lying in Otter Lane's tanks right now - which pubs have at least one of them?",
    ids(pubs_of(g.out(g.inn("BRW-2", "STANDS_IN"), "HOLDS"))),
    "BRW-2 <- tanks -> beers <- pubs.",
)

_short = g.out(g.out("INC-4", "HALTS"), "DELIVERS")
q(
    "downstream",
    "Follow the kiln fire down to the bar: which pubs pour a beer brewed by one of the breweries"
    " that take malt from the maltster it halted?",
    ids(pubs_of(beers_of(_short))),
    "INC-4 -> maltster -> breweries -> beers <- pubs.",
)
q(
    "downstream",
    "Which beers are going to be hit by the downy mildew outbreak?",
    ids(hopped_by(g.out("INC-1", "BLIGHTS"))),
    "INC-1 -> farm -> beers.",
)
q(
    "downstream",
    "How many litres a week do we sell, over all pubs, of the beers that rely on the farm that was"
    " battered by the hailstorm?",
    num(sum(_sold[b] for b in hopped_by(g.out("INC-2", "BLIGHTS")))),
    "INC-2 -> farm -> beers, litres_a_week summed.",
)

q(
    "path",
    "How does Weissach Malz hang together with the Three Larks? Shortest chain please",
    {"path": g.paths("MLT-3", "PUB-11")},
    "MLT-3 to PUB-11 over any relations.",
)
q(
    "path",
    "Show the chain of recipes leading from Midnight Tup back to Black Tup.",
    {"path": g.paths("BEE-13", "BEE-02", "BASED_ON", directed=True)},
    "BASED_ON from BEE-13 to BEE-02.",
)
q(
    "path",
    "Tamarack Ridge and Crannoch Maltings: how far apart are they in the graph, counted in steps?",
    num(len(g.paths("FRM-4", "MLT-4")[0]) - 1),
    "Length of the shortest path FRM-4 to MLT-4.",
)

q(
    "aggregation",
    "Our top three beers by weekly litres, all pubs taken together?",
    rank(_sold, k=3),
    "Sum of litres_a_week over SERVES valid now, three highest.",
)
q(
    "aggregation",
    "whats the avarage price of a pint of lodestar",
    num(mean(e["price_eur"] for e in g.valid("SERVES") if e["target"] == "BEE-03")),
    "Mean price_eur over SERVES into BEE-03.",
)
q(
    "aggregation",
    "Tonnes of malt that reach Stonebridge in a year, all sorts added up",
    num(sum(e["tonnes"] for e in g.valid("DELIVERS") if e["target"] == "BRW-1")),
    "Sum of tonnes over DELIVERS into BRW-1.",
)

q(
    "temporal",
    "On what date did the Farthing tank come to Copperfold?",
    {"date": g.edge("TNK-11", "STANDS_IN", "BRW-5")["valid_from"]},
    "valid_from of TNK-11 STANDS_IN BRW-5.",
)
_before = {e["source"] for e in g.valid("BREWS", None) if e["target"] == "BEE-08"}
q(
    "temporal",
    "Mudlark used to be made by somebody else. Who?",
    ids(_before - g.inn("BEE-08", "BREWS")),
    "Expired BREWS into BEE-08.",
)
_may = "2026-05-01"
q(
    "temporal",
    "Back on 1 May 2026, what beers were in the tanks at Stonebridge?",
    ids(g.out(g.inn("BRW-1", "STANDS_IN", _may), "HOLDS", _may)),
    "Tanks and contents on that day.",
)

q(
    "what_if",
    "Imagine that Lindenhof quits growing hops for us altogether. Which beers would be left with no"
    " hop farm at all?",
    ids({b for b in BEERS if g.inn(b, "GROWS_FOR") == {"FRM-3"}}),
    "Beers that FRM-3 alone grows for.",
)
_two = {"MLT-1", "MLT-2"}
q(
    "what_if",
    "Say both Brookes & Daughters and Thornfield shut: does any brewery run out of malt, and which?",
    yes(
        any(g.inn(b, "DELIVERS") <= _two for b in BREWERIES),
        {b for b in BREWERIES if g.inn(b, "DELIVERS") <= _two},
    ),
    "Breweries whose maltsters are all among the two.",
)
_gone = {"TNK-01"}
q(
    "what_if",
    "With Bertha scrapped and nothing put in her place, what would be Stonebridge's remaining tank"
    " volume in hectolitres?",
    num(g.sum(g.inn("BRW-1", "STANDS_IN") - _gone, "volume_hl")),
    "Sum of volume_hl of the tanks of BRW-1 without TNK-01.",
)

q(
    "spof",
    "Breweries with no second maltster to fall back on?",
    ids({b for b in BREWERIES if len(g.inn(b, "DELIVERS")) == 1}),
    "One maltster on DELIVERS valid now.",
)
q(
    "spof",
    "List the beers that are brewed in one place only and can be drunk in one pub only.",
    ids({b for b in BEERS if len(g.inn(b, "BREWS")) == 1 == len(pubs_of(b))}),
    "One brewery and one pub.",
)

q(
    "inverse",
    "Is there a beer of ours that no pub has on, and if so, what's it called?",
    yes(BEERS - g.out(PUBS, "SERVES"), BEERS - g.out(PUBS, "SERVES")),
    "Beers less the targets of SERVES.",
)
q(
    "inverse",
    "how many pubs dont pour anything brewed at gallows hill",
    num(len(PUBS - pubs_of(beers_of("BRW-3")))),
    "All pubs less those that serve a beer of BRW-3.",
)
q(
    "inverse",
    "which tanks are standing empty at the moment",
    ids({t for t in TANKS if not g.out(t, "HOLDS")}),
    "Tanks with no HOLDS valid now.",
)

q(
    "compare",
    "Who gets through more beer in a week, the Drovers or the Weighbridge? I'd like both totals.",
    cmp_(
        "PUB-03",
        "PUB-08",
        litres_a_week=[_drawn["PUB-03"], _drawn["PUB-08"]],
        higher=lead(of(_drawn, ("PUB-03", "PUB-08")))[0],
    ),
    "Sum of litres_a_week for each.",
)
q(
    "compare",
    "Which of the beers at the Cat & Fiddle does The Plough in Millbeck also have?",
    ids(g.out("PUB-04", "SERVES") & g.out("PUB-02", "SERVES")),
    "Intersection of SERVES.",
)
q(
    "compare",
    "Maltsters on Gallows Hill's books that are not on Stonebridge's, kindly.",
    ids(g.inn("BRW-3", "DELIVERS") - g.inn("BRW-1", "DELIVERS")),
    "Set difference of maltsters.",
)

_critical = g.where(OPEN, lambda r: r["severity"] == "critical")
_stopped = g.inn(g.inn("BRW-1", "STANDS_IN"), "STOPS") & _critical
q(
    "risk",
    "Is any critical incident still active on a tank at Stonbridge? Tell me which.",
    yes(_stopped, _stopped),
    "Active critical incidents that stop a tank of BRW-1.",
)
_loss = {e["target"]: e["loss_percent"] for e in g.valid("BLIGHTS") if e["source"] in OPEN}
q(
    "risk",
    "Under the incidents now active, which farm loses the bigest share of its harvest?",
    ids(lead(_loss)),
    "Highest loss_percent over BLIGHTS from active incidents.",
)

_weak = g.t("Beer", lambda r: r["abv"] < 5)
q(
    "combined",
    "Which hop farms grow for nothing but beers below 5 % alcohol?",
    ids({f for f in FARMS if hopped_by(f) and hopped_by(f) <= _weak}),
    "Farms all of whose beers have an abv below 5.",
)
_kent = hopped_by(g.where(FARMS, lambda r: r["region"] == "Kent"))
q(
    "combined",
    "Beers that either use hops from Kent or are poured at the Weighbridge, but not both",
    ids(_kent ^ g.out("PUB-08", "SERVES")),
    "Symmetric difference of two sets of beers.",
)
_late = g.inn(g.t("Contract", lambda r: r["ends"] > "2028-12-31"), "BOUND_BY")
q(
    "combined",
    "Which pubs with more than 100 seats are bound by a contract that only ends after 2028?",
    ids(g.where(_late, lambda r: r["seats"] > 100)),
    "seats and ends together, BOUND_BY valid now.",
)
q(
    "combined",
    "How much stout have we got in tanks at present, in hectolitres?",
    num(sum(e["hl"] for e in g.valid("HOLDS") if e["target"] in style("stout"))),
    "Sum of hl over HOLDS into stouts.",
)

q(
    "centrality",
    "Taking every kind of link there is, which beer is connected to the most things?",
    ids(lead(of(g.degree(multi=False), BEERS))),
    "Highest number of distinct neighbours among beers.",
)
assert lead(of(degree, BEERS)) == lead(of(g.degree(multi=False), BEERS))
_kin = g.adj("BASED_ON")
q(
    "centrality",
    "If only the links between recipes counted, how many separate families would the related beers"
    " make? Beers with no relatives left out.",
    num(g.pieces(_kin, "BASED_ON")),
    "Connected groups of two or more over BASED_ON.",
)

q(
    "unanswerable",
    "Which beers are on at the Golden Fleece?",
    no("unknown_entity"),
    "No such pub.",
)
q(
    "unanswerable",
    "What yeast goes into Mudlark?",
    no("not_in_schema"),
    "Nothing on yeast.",
)
q(
    "unanswerable",
    "whats in tnk-27",
    no("unknown_entity"),
    "No such tank.",
)
q(
    "unanswerable",
    "How many stars have guests given the Moorhen?",
    no("not_in_schema"),
    "No such property.",
)
q(
    "unanswerable",
    "Which stouts does the Plough pour?",
    no("ambiguous", "PUB-01", "PUB-02"),
    "Two pubs called The Plough.",
)

write("brewery", rows)
