"""Gold of the field unit set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_archaeology.py [--show]`."""

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

g = G(OUT / "domains" / "archaeology")
rows, q = asking("ar")
(
    lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
    spof, inverse, compare, risk, combined, centrality, unanswerable,
) = (functools.partial(q, c) for c in CATEGORIES)  # fmt: skip

SITES, TRENCHES, FINDS, PEOPLE = (g.t(x) for x in ("Site", "Trench", "Find", "Specialist"))
OPEN = g.t("Hazard", lambda r: r["status"] == "active")
trenches_of = lambda xs: g.inn(xs, "DUG_ON")
finds_of = lambda xs: g.inn(trenches_of(xs), "FOUND_IN")
kept_in = lambda xs: g.inn(xs, "KEPT_IN")
students = lambda xs: g.inn(xs, "STUDIES")
payers = lambda xs: g.inn(xs, "FUNDS")
sites_hit = lambda xs: g.out(xs, "THREATENS")
stores_hit = lambda xs: g.out(xs, "AFFECTS")
into = lambda rel, xs, prop, **on: sum(e[prop] for e in g.valid(rel, **on) if e["target"] in xs)
degree, between = g.degree(), g.betweenness()

lookup(
    "At what depth below the turf, in centimetres, did the Keep hoard turn up?",
    num(g.edge("FND-02", "FOUND_IN", "TRE-01")["level_cm"]),
    "level_cm on FND-02 FOUND_IN TRE-01, not the depth of the trench.",
)
lookup(
    "Whose name is on the Lodge Hill consent now?",
    ids(g.out("LIC-6", "HELD_BY")),
    "HELD_BY from LIC-6 valid now.",
)
lookup(
    "which trenches are backfilled already",
    ids(g.where(TRENCHES, lambda r: r["state"] == "backfilled")),
    "state is backfilled.",
)

multi_hop(
    "Which specialists are working on things that came out of Withy Fen?",
    ids(students(finds_of("SIT-3"))),
    "SIT-3 <- trenches <- finds <- specialists.",
)
_cold = finds_of("SIT-7") & kept_in("STO-2")
multi_hop(
    "Is there anything from Blackgate in the Cold Store, and if there is, what?",
    yes(_cold, _cold),
    "Finds of SIT-7 kept in STO-2.",
)
multi_hop(
    "Severn University has asked us: in which stores are the finds from the digs that they pay for?",
    ids(g.out(finds_of(g.out("FUN-5", "FUNDS")), "KEPT_IN")),
    "FUN-5 -> sites <- trenches <- finds -> stores; the grant that has ended does not count.",
)

downstream(
    "The roof damp at Ludlow: which specialists study a find that lies in the store affected?",
    ids(students(kept_in(stores_hit("HAZ-4")))),
    "HAZ-4 -> STO-1 <- finds <- specialists.",
)
downstream(
    "How many crates are sitting in stores with an active hazard?",
    num(into("KEPT_IN", stores_hit(OPEN), "crates")),
    "Active hazards -> stores; sum of crates over KEPT_IN valid now.",
)
downstream(
    "Say the Barrow dagger proves to be wrongly identified. Which other finds were identified by it, directly or by way of another find?",
    ids(g.walk("FND-03", "PARALLEL_OF", back=True)),
    "All that reach FND-03 over PARALLEL_OF.",
)

_van, _minutes = g.cheapest("STO-4", "STO-3", "VAN_RUN", "drive_min")
assert _minutes == 420 and len(_van) == 1
path(
    "What's the quickest route by our van runs from the Hexham Vault to the Taunton Depot, going by driving time?",
    {"path": _van},
    "Least sum of drive_min, 420 minutes: by the Strongroom, though straight on has fewer stops.",
)
(_brooch,) = g.paths("FND-07", "FND-03", "PARALLEL_OF", directed=True)
path(
    "Through which other find does the Swan brooch's identification go back to the Barrow dagger?",
    ids(_brooch[1:-1]),
    "Between FND-07 and FND-03 over PARALLEL_OF.",
)
path(
    "How many links are there at the least between Quarrybank and the Hexham Vault?",
    num(len(g.paths("FUN-4", "STO-4")[0]) - 1),
    "Length of the shortest path FUN-4 to STO-4.",
)

aggregation(
    "Which sites have given us the most finds?",
    ids(lead({s: len(finds_of(s)) for s in SITES})),
    "Finds by site through the trenches; a tie of two.",
)
aggregation(
    "How many hours have gone into the logboat so far, all specialists at work on it taken together?",
    num(into("STUDIES", {"FND-05"}, "hours")),
    "Sum of hours over STUDIES into FND-05.",
)
aggregation(
    "Average day rate of the people who direct a dig at present?",
    num(mean([g.n[x]["day_rate_eur"] for x in g.inn(SITES, "DIRECTS")])),
    "Mean day_rate_eur, each director once.",
)

temporal(
    "When did the Kiln amphora move into the Taunton Depot?",
    {"date": g.edge("FND-12", "KEPT_IN", "STO-3")["valid_from"]},
    "valid_from of FND-12 KEPT_IN STO-3.",
)
temporal(
    "Who was in charge at Lodge Hill on 1 August 2021?",
    ids(g.inn("SIT-9", "DIRECTS", "2021-08-01")),
    "DIRECTS into SIT-9 that day.",
)
temporal(
    "Which finds have gone from one store to another since the beginning of 2024?",
    ids({
        a["source"]
        for a in g.valid("KEPT_IN", None)
        for b in g.valid("KEPT_IN", None)
        if a["source"] == b["source"] and a["target"] != b["target"]
        and (a["valid_to"] or "") >= "2024" and b["valid_from"] > a["valid_to"]
    }),
    "A KEPT_IN that ended in 2024 or later and one that began after it on the same find.",
)  # fmt: skip

what_if(
    "If the Marches Trust stopped paying, which digs would be left with no funder at all?",
    ids({s for s in SITES if payers(s) == {"FUN-1"}}),
    "Sites that FUN-1 alone funds now.",
)
what_if(
    "Owen Tregear is off to a museum. Which finds would then have nobody studing them?",
    ids({f for f in FINDS if students(f) == {"SPC-02"}}),
    "Finds that SPC-02 alone studies now.",
)
what_if(
    "Suppose both the Ludlow Barn and the Cold Store have to be emptied: how many finds need a new home?",
    num(len(kept_in({"STO-1", "STO-2"}))),
    "Finds kept in either now.",
)

spof(
    "Which sites live off a single funder?",
    ids({s for s in SITES if len(payers(s)) == 1}),
    "In-degree 1 on FUNDS valid now.",
)
spof(
    "Is there only one specialist on the salt pan plate, and who is it?",
    yes(len(students("FND-16")) == 1, students("FND-16")),
    "In-degree of FND-16 on STUDIES is 1 now.",
)
spof(
    "How many of the fragile finds rest with just one specialist?",
    num(sum(len(students(f)) == 1 and g.n[f]["condition"] == "fragile" for f in FINDS)),
    "Fragile and in-degree 1 on STUDIES valid now.",
)

inverse(
    "Which of our sites aren't covered by any licence?",
    ids(SITES - g.out(g.t("Licence"), "COVERS")),
    "All sites less those that a licence covers.",
)
inverse(
    "Specialists without a dig to direct at the moment - who are they?",
    ids(PEOPLE - g.inn(SITES, "DIRECTS")),
    "All specialists less those with a DIRECTS valid now.",
)
inverse(
    "How many finds are not in a store with an active hazard?",
    num(len(FINDS - kept_in(stores_hit(OPEN)))),
    "All finds less those in stores that active hazards affect.",
)

_grants = {s: into("FUNDS", {s}, "grant_keur") for s in ("SIT-1", "SIT-3")}
compare(
    "Castle Orchard or Withy Fen, which gets more in grants a year? Both sums, please.",
    cmp_("SIT-1", "SIT-3", grant_keur=list(_grants.values()), higher=lead(_grants)[0]),
    "Sum of grant_keur over FUNDS valid now for each.",
)
_sides = lambda f: [len(f("SIT-5")), len(f("SIT-7"))]
compare(
    "Tolland Villa vs Blackgate Fort: number of trenches, finds and funders for each?",
    cmp_(
        "SIT-5", "SIT-7",
        trenches=_sides(trenches_of), finds=_sides(finds_of), funders=_sides(payers),
    ),
    "Three counts for each.",
)  # fmt: skip
compare(
    "Who is working on something from Blackgate but on nothing from Tolland?",
    ids(students(finds_of("SIT-7")) - students(finds_of("SIT-5"))),
    "Set difference of specialists.",
)

risk(
    "Which of the scheduled monuments are under an active hazard?",
    ids(g.where(sites_hit(OPEN), lambda r: r["protected"] == "yes")),
    "protected and active hazards together.",
)
risk(
    "Number of active hazards rated high or worse?",
    num(len(g.where(OPEN, lambda r: r["severity"] in ("high", "critical")))),
    "Active, high or critical.",
)
risk(
    "Which funders have money in a site that an active hazard rated high is threatening?",
    ids(payers(sites_hit(g.where(OPEN, lambda r: r["severity"] == "high")))),
    "Active, high -> sites <- funders.",
)

combined(
    "Fragile finds from deeper than 150 cm, please.",
    ids({
        e["source"]
        for e in g.valid("FOUND_IN")
        if e["level_cm"] > 150 and g.n[e["source"]]["condition"] == "fragile"
    }),
    "condition and level_cm together.",
)  # fmt: skip
_ending = g.t("Licence", lambda r: r["expires"][:4] == "2026")
combined(
    "Which licences expire in 2026 and are made out to somebody who isn't in charge of the site they cover?",
    ids({x for x in _ending if not g.out(x, "HELD_BY") & g.inn(g.out(x, "COVERS"), "DIRECTS")}),
    "expires, HELD_BY and DIRECTS together.",
)
combined(
    "How many crates stood in the Ludlow Barn on 31 December 2023?",
    num(into("KEPT_IN", {"STO-1"}, "crates", on="2023-12-31")),
    "Sum of crates over KEPT_IN into STO-1 that day.",
)

centrality(
    "All kinds of link counted, which specialist is the best connected?",
    ids(lead(of(degree, PEOPLE))),
    "Highest degree among specialists.",
)
centrality(
    "Which store comes out top on betweenness?",
    ids(lead(of(between, g.t("Store")))),
    "Highest undirected betweenness among stores.",
)
centrality(
    "Which trenches hang in the network by one link only?",
    ids({x for x in TRENCHES if degree[x] == 1}),
    "Trenches of degree 1.",
)

unanswerable(
    "In which store is the brooch?",
    no("ambiguous", "FND-07", "FND-17"),
    "Swan brooch and Rampart brooch.",
)
unanswerable(
    "What is the Abbess's ring insured for?",
    no("not_in_schema"),
    "No such property.",
)
unanswerable(
    "Who directs the dig at Penhallow Cross?",
    no("unknown_entity"),
    "No such site.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("archaeology", rows)
