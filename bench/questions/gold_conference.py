"""Gold of the trade fair set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_conference.py [--show]`."""

import collections, functools

from gold_common import (
    CATEGORIES,
    G,
    OUT,
    asking,
    cmp_,
    ids,
    lead,
    mean,
    no,
    num,
    of,
    rank,
    write,
    yes,
)

g = G(OUT / "domains" / "conference")
rows, q = asking("cf")
(
    lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
    spof, inverse, compare, risk, combined, centrality, unanswerable,
) = (functools.partial(q, c) for c in CATEGORIES)  # fmt: skip

FAIRS, EXHIBITORS, HALLS = g.t("Fair"), g.t("Exhibitor"), g.t("Hall")
OPEN = g.t("Incident", lambda r: r["status"] == "active")
halls_of = lambda fs, on="2026-08-01": g.out(fs, "HELD_IN", on)
fairs_in = lambda hs, on="2026-08-01": g.inn(hs, "HELD_IN", on)
stands_at = lambda fs: g.inn(fs, "EXHIBITS_AT")
backers = lambda fs: g.inn(fs, "SPONSORS")
hit = lambda xs: g.out(xs, "DISRUPTS")
rated = lambda *levels: g.where(OPEN, lambda r: r["severity"] in levels)
into = lambda rel, xs, prop: sum(e[prop] for e in g.valid(rel) if e["target"] in xs)
degree, between = g.degree(), g.betweenness()

lookup(
    "How big is FilmWrap's stand at Packaging Forum, in square metres?",
    num(g.edge("EXH-05", "EXHIBITS_AT", "FAI-04")["stand_m2"]),
    "stand_m2 on EXH-05 EXHIBITS_AT FAI-04.",
)
lookup(
    "who does the food in Quayside hall",
    ids(g.inn("HAL-03", "CATERS")),
    "CATERS into HAL-03.",
)
lookup(
    "Which of our fairs open on 17 November 2026?",
    ids(g.where(FAIRS, lambda r: r["opens"] == "2026-11-17")),
    "opens on the day.",
)

multi_hop(
    "Which exhibitors have a stand at a fair that uses a hall catered by Harvest Table?",
    ids(stands_at(fairs_in(g.out("CAT-2", "CATERS")))),
    "CAT-2 -> halls <- fairs <- exhibitors; its former hall does not count.",
)
_air = g.out("EXH-09", "EXHIBITS_AT") & fairs_in(g.inn("VEN-3", "IN_VENUE"))
multi_hop(
    "Is AirPure showing at anything that takes place at the Old Foundry? If so, at what?",
    yes(_air, _air),
    "Fairs of EXH-09 in the halls of VEN-3.",
)
multi_hop(
    "Name the stand builders of those companies that have one of their own people speaking at CleanRoom Europe.",
    ids(g.inn(g.out(g.inn("FAI-05", "SPEAKS_AT"), "WORKS_FOR"), "BUILDS_FOR")),
    "FAI-05 <- speakers -> employers <- builders.",
)

downstream(
    "The dockers are out in Rotterdam: which sponsors have money in a fair that the strike reaches?",
    ids(backers(fairs_in(hit("INC-2")))),
    "INC-2 -> halls <- fairs <- sponsors.",
)
downstream(
    "How many square metres of stand are booked, all told, at the fairs hit by the Merlin roof leak?",
    num(into("EXHIBITS_AT", fairs_in(hit("INC-1")), "stand_m2")),
    "INC-1 -> HAL-05 <- fairs; sum of stand_m2 over EXHIBITS_AT valid now.",
)
downstream(
    "If Lumen Stands went under, whose stands would be touched? Include the builders that subcontract to Lumen, directly or through another builder.",
    ids(g.out({"BLD-5"} | g.walk("BLD-5", "SUBCONTRACTS_TO", back=True), "BUILDS_FOR")),
    "BLD-5 and all who pass work on to it in the end -> exhibitors.",
)

path(
    "Trace the Hospital IT Summit back, fair by fair, to the Packaging Forum that it ultimately grew out of.",
    {"path": g.paths("FAI-08", "FAI-04", "SPUN_OFF_FROM", directed=True)},
    "SPUN_OFF_FROM from FAI-08 to FAI-04.",
)
path(
    "By the shortest way under cover, how many metres is it from Maas Hall to Quayside Hall?",
    num(g.cheapest("HAL-01", "HAL-03", "LINKED_TO", "walkway_m")[1]),
    "Least sum of walkway_m: by the Waal Hall, not straight.",
)
path(
    "What's the shortest connection between Maud Janssen and Chez Amélie, over any kind of link?",
    {"path": g.paths("SPK-5", "CAT-4")},
    "SPK-5 to CAT-4 over any relations.",
)

aggregation(
    "Top three fairs by sponsership money, with the sums.",
    rank(g.total("SPONSORS", "target", "amount_keur"), k=3),
    "Sum of amount_keur over SPONSORS valid now.",
)
aggregation(
    "What do we pay in hall rent for one edition of Garden & Terrace, all halls together, in thousands?",
    num(sum(e["rent_keur"] for e in g.valid("HELD_IN") if e["source"] == "FAI-06")),
    "Sum of rent_keur over HELD_IN of FAI-06.",
)
aggregation(
    "Which exhibitor takes the most floor space, adding up all its stands?",
    ids(lead(g.total("EXHIBITS_AT", "source", "stand_m2"))),
    "Sum of stand_m2 over EXHIBITS_AT valid now, by exhibitor.",
)

temporal(
    "Since when has Packaging Forum been using Merlin Hall?",
    {"date": g.edge("FAI-04", "HELD_IN", "HAL-05")["valid_from"]},
    "valid_from of FAI-04 HELD_IN HAL-05.",
)
temporal(
    "Which halls were disrupted on 3 December 2025?",
    ids(g.out(g.t("Incident"), "DISRUPTS", "2025-12-03")),
    "DISRUPTS valid that day.",
)
temporal(
    "Which exhibitors changed from one stand builder to another between the start of 2023 and the end of 2025?",
    ids({
        a["target"]
        for a in g.valid("BUILDS_FOR", None)
        for b in g.valid("BUILDS_FOR", None)
        if a["target"] == b["target"] and "2023" <= (a["valid_to"] or "9") < "2026"
        and "2023" <= b["valid_from"] < "2026"
    }),
    "A BUILDS_FOR that ended and one that began in the three years on the same exhibitor.",
)  # fmt: skip

what_if(
    "Suppose Halvorsen Bank pulls out. Which fairs are left without any sponsor?",
    ids({f for f in FAIRS if backers(f) == {"SPO-1"}}),
    "Fairs that SPO-1 alone sponsors.",
)
what_if(
    "Spoon & Ladle walks away tomorrow. In which halls is there then nobody to feed the visiters?",
    ids({h for h in HALLS if g.inn(h, "CATERS") == {"CAT-1"}}),
    "Halls that CAT-1 alone caters.",
)
_kestrel = g.inn("VEN-2", "IN_VENUE")
_gone = {f for f in FAIRS if halls_of(f) <= _kestrel}
assert _gone == fairs_in(_kestrel)
what_if(
    "If we lost Kestrel Park altogether, how many exhibitors would have no fair of ours left?",
    num(sum(g.out(x, "EXHIBITS_AT") <= _gone for x in EXHIBITORS)),
    "Exhibitors all of whose fairs are held in the halls of VEN-2.",
)

spof(
    "Which halls have only one caterer?",
    ids({h for h in HALLS if len(g.inn(h, "CATERS")) == 1}),
    "In-degree 1 on CATERS valid now.",
)
spof(
    "Does MediBuild hang on a single hall, and which one is it?",
    yes(len(halls_of("FAI-03")) == 1, halls_of("FAI-03")),
    "Out-degree of FAI-03 on HELD_IN is 1.",
)
spof(
    "Of the exhibitors at BakeTec, who relies on just one stand builder?",
    ids({x for x in stands_at("FAI-01") if len(g.inn(x, "BUILDS_FOR")) == 1}),
    "FAI-01 <- exhibitors with in-degree 1 on BUILDS_FOR.",
)

inverse(
    "Which fairs have no speaker on the programme at the moment?",
    ids(FAIRS - g.out(g.t("Speaker"), "SPEAKS_AT")),
    "All fairs less those with a SPEAKS_AT valid now.",
)
inverse(
    "Which exhibitors are at no fair that is held in a hall with an active incident?",
    ids(EXHIBITORS - stands_at(fairs_in(hit(OPEN)))),
    "All exhibitors less those that active incidents reach.",
)
inverse(
    "How many of our speakers aren't employed by any exhibitor?",
    num(len(g.t("Speaker") - g.inn(EXHIBITORS, "WORKS_FOR"))),
    "All speakers less those with a WORKS_FOR valid now.",
)

_sides = lambda f: [len(f("FAI-01")), len(f("FAI-06"))]
compare(
    "BakeTec against Garden & Terrace: how many exhibitors, halls and sponsors has each got?",
    cmp_(
        "FAI-01", "FAI-06",
        exhibitors=_sides(stands_at), halls=_sides(halls_of), sponsors=_sides(backers),
    ),
    "Three counts for each.",
)  # fmt: skip
_fees = {f: into("EXHIBITS_AT", {f}, "fee_keur") for f in ("FAI-05", "FAI-09")}
compare(
    "What brings in more stand fees, CleanRoom Europe or Label & Print? Both totals please.",
    cmp_("FAI-05", "FAI-09", fee_keur=list(_fees.values()), higher=lead(_fees)[0]),
    "Sum of fee_keur over EXHIBITS_AT valid now for each.",
)
compare(
    "Who exhibits at Label & Print but not at PackForum?",
    ids(stands_at("FAI-09") - stands_at("FAI-04")),
    "Set difference of exhibitors; a stand given up does not count.",
)

risk(
    "Any halls with a critical incident right now? Which?",
    yes(hit(rated("critical")), hit(rated("critical"))),
    "Halls that an active critical incident disrupts.",
)
risk(
    "How many visitors are we expecting, in total, at fairs booked into a hall with an active incident rated high or critical?",
    num(g.sum(fairs_in(hit(rated("high", "critical"))), "visitors_expected")),
    "Active, high or critical -> halls <- fairs, sum of visitors_expected.",
)
risk(
    "Which fair has the most different active incidents in its halls?",
    ids(lead({f: len(g.inn(halls_of(f), "DISRUPTS") & OPEN) for f in FAIRS})),
    "Active incidents on the halls of each fair.",
)

_small = g.where(EXHIBITORS, lambda r: r["employees"] < 100)
_birmingham = fairs_in(g.inn(g.t("Venue", lambda r: r["city"] == "Birmingham"), "IN_VENUE"))
combined(
    "Which exhibitors with fewer than 100 employees have a stand of more than 100 square metres at a fair in Birmingham?",
    ids({
        e["source"]
        for e in g.valid("EXHIBITS_AT")
        if e["source"] in _small and e["target"] in _birmingham and e["stand_m2"] > 100
    }),
    "employees, stand_m2 and city together.",
)  # fmt: skip
_2024 = "2024-03-01"
combined(
    "On 1 March 2024, which fairs at Kestrel Park had Trident as a sponsor?",
    ids(g.out("SPO-2", "SPONSORS", _2024) & fairs_in(g.inn("VEN-2", "IN_VENUE", _2024), _2024)),
    "SPONSORS and HELD_IN valid that day.",
)
combined(
    "What are Standcraft's current contracts with Dutch exhibitors worth together, in thousands a year?",
    num(sum(
        e["contract_keur"]
        for e in g.valid("BUILDS_FOR")
        if e["source"] == "BLD-1" and g.n[e["target"]]["country"] == "Netherlands"
    )),
    "Sum of contract_keur over BUILDS_FOR of BLD-1 into exhibitors of the country.",
)  # fmt: skip

centrality(
    "Which hall has the highest betweenness, all links taken as two-way?",
    ids(lead(of(between, HALLS))),
    "Highest undirected betweenness among halls.",
)
centrality(
    "Just for the board paper: which two nodes of the whole network have the most direct links, and how many each?",
    rank(degree, k=2),
    "Highest total degree over valid relations.",
)
_quiet = collections.Counter(
    x for e in g.valid() if e["type"] != "DISRUPTS" for x in (e["source"], e["target"])
)
centrality(
    "Incidents left aside, which nodes are tied in by one single link?",
    ids({i for i, d in _quiet.items() if d == 1}),
    "Degree 1 in the graph of valid relations without incidents.",
)

unanswerable(
    "At which fairs is Carvalho speaking?",
    no("ambiguous", "SPK-1", "SPK-7"),
    "Ines and Paulo Carvalho.",
)
unanswerable(
    "How high is the ceiling in the Falcon Hall?",
    no("not_in_schema"),
    "No such property.",
)
unanswerable(
    "what stand fee does Brightwater Pumps pay at MediBuild",
    no("unknown_entity"),
    "No such exhibitor.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("conference", rows)
