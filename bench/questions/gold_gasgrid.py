"""Gold of the gas network set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_gasgrid.py [--show]`."""

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

g = G(OUT / "domains" / "gasgrid")
rows, q = asking("gg")
(
    lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
    spof, inverse, compare, risk, combined, centrality, unanswerable,
) = (functools.partial(q, c) for c in CATEGORIES)  # fmt: skip

PIPES, STATIONS, CUSTOMERS, SHIPPERS = (
    g.t(x) for x in ("Pipeline", "Compressor", "Customer", "Shipper")
)
OPEN = g.t("Outage", lambda r: r["status"] == "active")
lines_of = lambda xs: g.inn(xs, "SERVES")
served_by = lambda xs: g.out(xs, "SERVES")
sellers = lambda xs: g.inn(xs, "SUPPLIES")
stations_on = lambda xs: g.inn(xs, "COMPRESSES")
stopped = lambda xs: g.out(xs, "STOPS")
degree, between = g.degree(), g.betweenness()

lookup(
    "What has Norgas booked on the Skagen Link, in GWh a day?",
    num(g.edge("SHP-1", "BOOKS", "ITC-1")["booked_gwh_day"]),
    "booked_gwh_day on SHP-1 BOOKS ITC-1.",
)
lookup(
    "Which pipelines are allowed more than 80 bar?",
    ids(g.where(PIPES, lambda r: r["max_pressure_bar"] > 80)),
    "max_pressure_bar above 80; the trunks at 80 are out.",
)
lookup(
    "who looks after the Ringway station these days",
    ids(g.inn("CPR-6", "MAINTAINS")),
    "MAINTAINS into CPR-6 valid now.",
)

multi_hop(
    "Which shippers sell gas to a customer that hangs on the Capital Ring?",
    ids(sellers(served_by("PIP-06"))),
    "PIP-06 -> customers <- shippers.",
)
_petrel = g.inn("PIP-01", "FEEDS") & g.out("SHP-8", "HOLDS_STAKE_IN")
multi_hop(
    "Has Aurelia got a stake in any of the wells that feed the Landfall Line? Which?",
    yes(_petrel, _petrel),
    "Wells into PIP-01 that SHP-8 has a share in.",
)
multi_hop(
    "We owe Osier Paper Mill a list: which contractors maintain the compressor stations on the pipelines that serve it?",
    ids(g.inn(stations_on(lines_of("CUS-13")), "MAINTAINS")),
    "CUS-13 <- pipelines <- stations <- contractors.",
)

_below = {"PIP-05"} | g.walk("PIP-05", "FLOWS_INTO")
downstream(
    "Following the flow, which customers sit on the Western Trunk or on any line downstream of it?",
    ids(served_by(_below)),
    "PIP-05 and all it flows into -> customers.",
)
_burnt = served_by(g.out(stopped("OUT-3"), "COMPRESSES"))
downstream(
    "How many GWh a year have shippers contracted to sell to the customers connected to pipelines whose compressor station the Westholt fire has stopped?",
    num(sum(e["contract_gwh_year"] for e in g.valid("SUPPLIES") if e["target"] in _burnt)),
    "OUT-3 -> CPR-5 -> pipelines -> customers; sum of contract_gwh_year valid now.",
)
_moor = g.out("WEL-5", "FEEDS")
downstream(
    "Into which storages can gas from Moorside 3 find its way?",
    ids(g.out(_moor | g.walk(_moor, "FLOWS_INTO"), "FILLS")),
    "WEL-5 -> pipelines and all they flow into -> storages.",
)

_delta = g.paths("PIP-01", "PIP-13", "FLOWS_INTO", directed=True)
assert len(_delta) == 1
path(
    "By which pipelines does gas get from the Landfall Line to the Delta Branch, taking the fewest?",
    {"path": _delta},
    "PIP-01 to PIP-13 over FLOWS_INTO; the way by the Harbour Spur is closed.",
)
_ring = g.paths("PIP-01", "PIP-06", "FLOWS_INTO", directed=True)
path(
    "Through which pipelines, the two ends left out, must all gas pass that goes from the Landfall Line to the Capital Ring?",
    ids(set.intersection(*map(set, _ring)) - {"PIP-01", "PIP-06"}),
    "Common to all ways from PIP-01 to PIP-06 over FLOWS_INTO; one trunk can stand in for the other.",
)
path(
    "How many links apart, at the shortest, are Penfold and Delta Fertiliser?",
    num(len(g.paths("CTR-3", "CUS-10")[0]) - 1),
    "Length of the shortest path CTR-3 to CUS-10.",
)

aggregation(
    "Top three shippers by interconnector capacity booked, with totals in GWh a day.",
    rank(g.total("BOOKS", "source", "booked_gwh_day"), k=3),
    "Sum of booked_gwh_day over BOOKS valid now, by shipper.",
)
aggregation(
    "How many kilometres of pipe do we have that was laid before 1980?",
    num(g.sum(g.where(PIPES, lambda r: r["laid"] < 1980), "length_km")),
    "Sum of length_km over pipelines laid before 1980.",
)
aggregation(
    "How full are our salt caverns on average, in per cent?",
    num(mean([r["fill_pct"] for r in g.n.values() if r.get("kind") == "salt cavern"])),
    "Plain mean of fill_pct over salt caverns.",
)

temporal(
    "Since when has Penfold been servicing the Westholt station?",
    {"date": g.edge("CTR-3", "MAINTAINS", "CPR-5")["valid_from"]},
    "valid_from of CTR-3 MAINTAINS CPR-5.",
)
temporal(
    "Which compresor stations were down on 1 December 2025?",
    ids(g.out(g.t("Outage"), "STOPS", "2025-12-01")),
    "STOPS valid that day.",
)
temporal(
    "Who was selling gas to Tarn Steelworks on New Year's Day 2023?",
    ids(g.inn("CUS-05", "SUPPLIES", "2023-01-01")),
    "SUPPLIES into CUS-05 that day.",
)

what_if(
    "Rumour has it that Blueflame is going bust. Which customers would be left with no shipper?",
    ids({c for c in CUSTOMERS if sellers(c) == {"SHP-7"}}),
    "Customers that SHP-7 alone supplies now.",
)
what_if(
    "If both the Southern Link and the Harbour Spur were shut, how many customers would be without any pipeline serving them?",
    num(sum(lines_of(c) <= {"PIP-09", "PIP-07"} for c in CUSTOMERS)),
    "Customers that have no other SERVES valid now.",
)
what_if(
    "Suppose Turbomec walks out: which compressor stations have no other contractor?",
    ids({s for s in STATIONS if g.inn(s, "MAINTAINS") == {"CTR-1"}}),
    "Stations that CTR-1 alone maintains now.",
)

spof(
    "Which customers have two pipelines serving them but only one shipper?",
    ids({c for c in CUSTOMERS if len(lines_of(c)) == 2 and len(sellers(c)) == 1}),
    "In-degree 2 on SERVES and 1 on SUPPLIES, valid now.",
)
spof(
    "Is there just one pipeline that fills the Port LNG Tanks? Which one?",
    yes(len(g.inn("STG-4", "FILLS")) == 1, g.inn("STG-4", "FILLS")),
    "In-degree of STG-4 on FILLS is 1.",
)
spof(
    "How many pipelines have exactly one compressor station to keep up their pressure?",
    num(sum(len(stations_on(p)) == 1 for p in PIPES)),
    "In-degree 1 on COMPRESSES valid now.",
)

inverse(
    "Which shippers lease no storage space at present?",
    ids(SHIPPERS - g.inn(g.t("Storage"), "LEASES")),
    "All shippers less those with a LEASES valid now.",
)
inverse(
    "pipelines without a compressor?",
    ids(PIPES - g.out(STATIONS, "COMPRESSES")),
    "All pipelines less the targets of COMPRESSES valid now.",
)
inverse(
    "How many customers aren't served by any pipeline that an active outage is curtailing?",
    num(len(CUSTOMERS - served_by(g.out(OPEN, "CURTAILS")))),
    "All customers less those on pipelines with a CURTAILS from an active outage.",
)

_two = lambda r: [len(g.out("SHP-1", r)), len(g.out("SHP-8", r))]
compare(
    "Norgas against Aurelia: number of customers supplied, interconnectors booked and storages leased, side by side?",
    cmp_(
        "SHP-1", "SHP-8",
        customers=_two("SUPPLIES"), interconnectors=_two("BOOKS"), storages=_two("LEASES"),
    ),
    "Three counts for each, valid now.",
)  # fmt: skip
_space = of(g.total("LEASES", "source", "space_gwh"), ("SHP-5", "SHP-2"))
compare(
    "Who rents more storage space in total, the Municipal Gas Pool or Volta Supply? Give me both figures.",
    cmp_("SHP-5", "SHP-2", space_gwh=list(_space.values()), higher=lead(_space)[0]),
    "Sum of space_gwh over LEASES valid now for each.",
)
compare(
    "On which interconnectors do both Volta and Aurelia have capacity?",
    ids(g.out("SHP-2", "BOOKS") & g.out("SHP-8", "BOOKS")),
    "Intersection of BOOKS.",
)

_bad = g.where(OPEN, lambda r: r["severity"] in ("critical", "high"))
risk(
    "Which pipelines have a compressor station that's stopped by an active outage rated high or critical?",
    ids(g.out(stopped(_bad), "COMPRESSES")),
    "Active, high or critical -> stations -> pipelines.",
)
risk(
    "How many megawatts of compressor power are stopped by active outages right now?",
    num(g.sum(stopped(OPEN), "power_mw")),
    "Sum of power_mw over stations that active outages stop.",
)
risk(
    "Which of the active outages weren't planned?",
    ids(g.where(OPEN, lambda r: r["planned"] == "no")),
    "Active and planned is no.",
)

_thick = served_by(g.where(PIPES, lambda r: r["diameter_mm"] >= 900))
combined(
    "Interruptible customers using more than 300 GWh a year and connected to a pipeline of 900 mm or more - which are they?",
    ids(g.where(_thick, lambda r: r["interruptible"] == "yes" and r["demand_gwh_year"] > 300)),
    "diameter_mm, interruptible and demand_gwh_year together.",
)
_2022 = "2022-10-01"
combined(
    "On 1 October 2022, which customers were both served by the Harbour Spur and supplied by Norgas?",
    ids(g.out("PIP-07", "SERVES", _2022) & g.out("SHP-1", "SUPPLIES", _2022)),
    "SERVES and SUPPLIES valid that day.",
)
combined(
    "Which Norwegian shippers own more than half of a well, as things stand?",
    ids({
        e["source"]
        for e in g.valid("HOLDS_STAKE_IN")
        if e["share_pct"] > 50 and g.n[e["source"]]["country"] == "Norway"
    }),
    "country and share_pct over HOLDS_STAKE_IN valid now.",
)  # fmt: skip

centrality(
    "Ignoring the direction of links, which pipeline is the worst bottleneck by betweenness?",
    ids(lead(of(between, PIPES))),
    "Highest undirected betweenness among pipelines.",
)
centrality(
    "Which shippers have the most direct links of all our shippers?",
    ids(lead(of(degree, SHIPPERS))),
    "Highest degree among shippers over valid relations; a tie of two.",
)
centrality(
    "Pipelines with the fewest direct links, whatever the kind of link - which are they?",
    ids(lead(of(degree, PIPES), least=True)),
    "Lowest degree among pipelines; a tie of two.",
)

unanswerable(
    "How deep is the Gannet well?",
    no("ambiguous", "WEL-1", "WEL-2"),
    "Gannet A and Gannet B.",
)
unanswerable(
    "What does Volta pay for its capacity on the Maas Link?",
    no("not_in_schema"),
    "No price in the schema.",
)
unanswerable(
    "cus-017 - which pipeline is it on?",
    no("unknown_entity"),
    "Well-formed id past the last customer.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("gasgrid", rows)
