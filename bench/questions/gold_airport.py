"""Gold of the airport set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_airport.py [--show]`."""

import collections

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "airport")
rows, q = asking("ap")

AIRLINES, FLIGHTS, STANDS, GATES = (g.t(x) for x in ("Airline", "Flight", "Stand", "Gate"))
ACTIVE = g.t("Incident", lambda r: r["status"] == "active")
HIT = g.out(ACTIVE, "DISRUPTS")
gates_of = lambda stands: g.inn(stands, "CONNECTS_TO")
flights_at = lambda gates: g.inn(gates, "DEPARTS_FROM")
operated = lambda airline: g.out(airline, "OPERATES")
serving = lambda service: [e for e in g.valid("HANDLES") if e["service"] == service]

_fees = {(e["source"], e["target"]): e["fee_keur"] for e in serving("baggage")}
q(
    "lookup",
    "what does groundline charge nordwing a year for baggage, in thousands of euros",
    num(_fees["HND-1", "AIR-01"]),
    "fee_keur on HND-1 HANDLES AIR-01 for baggage, not for ramp.",
)
q(
    "lookup",
    "List the stands measuring 55 metres or more.",
    ids(g.t("Stand", lambda r: r["length_m"] >= 55)),
    "length_m from 55.",
)
q(
    "lookup",
    "I'm sitting at Gate B4. Which stands could they take us to from here?",
    ids(g.out("GAT-B4", "CONNECTS_TO")),
    "CONNECTS_TO from GAT-B4.",
)

q(
    "multi_hop",
    "Whose equipment is at work on Stand 31?",
    ids(g.inn(g.inn("STD-31", "WORKS_ON"), "OWNS")),
    "STD-31 <- equipment <- handlers.",
)
q(
    "multi_hop",
    "My sister only likes the South Terminal - where can she fly to from there?",
    ids(g.out(flights_at(g.inn("TER-S", "LIES_IN")), "GOES_TO")),
    "TER-S <- gates <- flights -> destinations.",
)
_same = flights_at(g.out("FLT-13", "DEPARTS_FROM"))
_polaris = g.where(g.inn(_same, "OPERATES"), lambda r: r["alliance"] == "Polaris")
q(
    "multi_hop",
    "Does any Polaris airline operate a flight from the gate that GS 7 uses, and which one?",
    yes(_polaris, _polaris),
    "FLT-13 -> gate <- flights <- operators in Polaris.",
)

q(
    "downstream",
    "Follow the Kerosene spill from its stands back to the gates: which flights end up affected?",
    ids(flights_at(gates_of(g.out("INC-1", "DISRUPTS")))),
    "INC-1 -> stands <- gates <- flights.",
)
q(
    "downstream",
    "Total the seats on the flights whose gate leads to the stand hit by the Airbridge failure.",
    num(g.sum(flights_at(gates_of(g.out("INC-2", "DISRUPTS"))), "seats")),
    "INC-2 -> STD-13 <- gates <- flights, sum of seats.",
)

q(
    "path",
    "Wich way shuold an aircraft be towed from Stand 11 to Stand 21 to cover the fewest metres?",
    {"path": g.cheapest("STD-11", "STD-21", "TOWS_TO", "metres")[0]},
    "Least sum of metres over TOWS_TO; fewer stands by another way.",
)
q(
    "path",
    "how are tarmaco and groundline linked?",
    {"path": g.paths("HND-4", "HND-1")},
    "Shortest paths over any relation valid now; the old back-up has ended.",
)
q(
    "path",
    "Over links of any sort, how many are there at the fewest between Tug Charlie and Oslo?",
    num(len(g.paths("EQP-03", "DST-OSL")[0]) - 1),
    "Length of the shortest path EQP-03 to DST-OSL.",
)

q(
    "aggregation",
    "For each handler, add up the yearly fees of its present contracts.",
    rank(g.total("HANDLES", "source", "fee_keur")),
    "Sum of fee_keur over HANDLES valid now, by handler.",
)
_rotations = {e["target"]: e["weekly_rotations"] for e in g.valid("OPERATES")}
q(
    "aggregation",
    "Three busiest flights by weekly rotations?",
    rank(_rotations, k=3),
    "weekly_rotations on OPERATES valid now.",
)
q(
    "aggregation",
    "avg book value of a tug, in k euros",
    num(mean(g.n[x]["value_keur"] for x in g.t("Equipment", lambda r: r["kind"] == "tug"))),
    "Mean value_keur of tugs.",
)

q(
    "temporal",
    "Until when was CA 77 flown by Nordwing?",
    {"date": g.edge("AIR-01", "OPERATES", "FLT-08")["valid_to"]},
    "valid_to of AIR-01 OPERATES FLT-08.",
)
q(
    "temporal",
    "Before it was rerouted, to which destination did NW 117 fly in January 2024?",
    ids(g.out("FLT-02", "GOES_TO", "2024-01-15")),
    "GOES_TO from FLT-02 valid in that month.",
)
_ever = g.out(AIRLINES, "OPERATES", None)
q(
    "temporal",
    "Which flight did its airline give up, so that nobody operates it any longer?",
    ids(_ever - g.out(AIRLINES, "OPERATES")),
    "Targets of OPERATES ever, less those now.",
)

_left = FLIGHTS - flights_at({"GAT-B2", "GAT-A3"})
_gated = {f for f in _left if g.out(f, "DEPARTS_FROM")}
q(
    "what_if",
    "Take away Gate B2 and Gate A3 together: "
    "which destinations are left without a gate that has a flight to them?",
    ids(g.t("Destination") - g.out(_gated, "GOES_TO")),
    "All destinations less those of flights with another gate; the freighter has none.",
)
_ramp = collections.defaultdict(set)
for _e in serving("ramp"):
    _ramp[_e["target"]].add(_e["source"])
q(
    "what_if",
    "If Aeroserv went bankrupt, wich airlines would have nobody left for ramp work?",
    ids({a for a, hs in _ramp.items() if hs == {"HND-2"}}),
    "Airlines whose ramp work HND-2 alone does.",
)
q(
    "what_if",
    "Say Portway Handling took over every contract of TarmaCo on top of its own. "
    "How many airlines would Portway be handling?",
    num(len(g.out({"HND-3", "HND-4"}, "HANDLES"))),
    "Union of the airlines of HND-3 and HND-4.",
)

q(
    "spof",
    "Which gates depend on a single stand?",
    ids({x for x in GATES if len(g.out(x, "CONNECTS_TO")) == 1}),
    "One stand by CONNECTS_TO valid now, over whatever number of ways.",
)
_clean = {e["source"] for e in serving("cleaning")}
q(
    "spof",
    "Is all the cleaning in the hands of one handler, and if so whose?",
    yes(len(_clean) == 1, _clean),
    "Sources of HANDLES with service cleaning.",
)

q(
    "inverse",
    "Name the carriers that sell no codeshare seats.",
    ids(AIRLINES - g.inn(FLIGHTS, "CODESHARES_ON")),
    "All airlines less the sources of CODESHARES_ON valid now.",
)
q(
    "inverse",
    "stands where no equipment works these days?",
    ids(STANDS - g.out(g.t("Equipment"), "WORKS_ON")),
    "All stands less the targets of WORKS_ON valid now.",
)
q(
    "inverse",
    "Count the pieces of equipment that are not used on any stand with an active incident.",
    num(len(g.t("Equipment") - g.inn(HIT, "WORKS_ON"))),
    "All equipment less what works on a stand that an active incident disrupts.",
)

_week = {
    a: sum(e["weekly_rotations"] for e in g.valid("OPERATES") if e["source"] == a)
    for a in ("AIR-01", "AIR-02")
}
q(
    "compare",
    "Nordwing vs Iberluz - who operates more rotations a week in all, and how many does each?",
    cmp_("AIR-01", "AIR-02", weekly_rotations=list(_week.values()), higher=lead(_week)[0]),
    "Sum of weekly_rotations over OPERATES valid now.",
)
_reach = lambda airline: g.out(operated(airline), "GOES_TO")
q(
    "compare",
    "What destinatons do flights operated by Nordwing and flights operated by Tatra have in common?",
    ids(_reach("AIR-01") & _reach("AIR-05")),
    "Intersection of destinations.",
)
q(
    "compare",
    "Who works for Iberluz on the ground but has no contract with Azur Express?",
    ids(g.inn("AIR-02", "HANDLES") - g.inn("AIR-04", "HANDLES")),
    "Difference of handlers.",
)

_delay = collections.Counter()
for _e in g.valid("DISRUPTS"):
    if _e["source"] in ACTIVE:
        _delay[_e["source"]] += _e["delay_minutes"]
q(
    "risk",
    "Rank the active incidents, worst first, by the minutes of delay summed over their stands.",
    rank(_delay),
    "Sum of delay_minutes over DISRUPTS valid now.",
)
_critical = g.where(ACTIVE, lambda r: r["severity"] == "critical")
_domestic = g.where(gates_of(g.out(_critical, "DISRUPTS")), lambda r: r["zone"] == "domestic")
q(
    "risk",
    "Are any domestic gates connected to a stand with a critical incident at the moment? Which?",
    yes(_domestic, _domestic),
    "Active, critical, -> stands <- gates in the domestic zone.",
)
q(
    "risk",
    "On how many stands is more than one incident active?",
    num(sum(len(g.inn(s, "DISRUPTS") & ACTIVE) > 1 for s in STANDS)),
    "In-degree above 1 on DISRUPTS from active incidents.",
)

_north = flights_at(g.inn("TER-N", "LIES_IN"))
q(
    "combined",
    "Which airlines have all of the flights they operate leaving from the North Terminal?",
    ids({a for a in AIRLINES if operated(a) and operated(a) <= _north}),
    "Universal over OPERATES; the freighter leaves from no gate.",
)
_during = {e["target"] for e in g.valid("DISRUPTS", None) if (e["valid_to"] or "9999") >= "2026"}
q(
    "combined",
    "Some stands were disrupted earlier in 2026 but are free of incidents today. Which are they?",
    ids(_during - g.out(g.t("Incident"), "DISRUPTS")),
    "Disrupted in 2026, less those disrupted now.",
)
_far = g.t("Destination", lambda r: r["distance_km"] > 1200)
q(
    "combined",
    "State the mean block time, in minutes, of current flights to places over 1,200 km away.",
    num(mean(e["block_minutes"] for e in g.valid("GOES_TO") if e["target"] in _far)),
    "Mean block_minutes over GOES_TO valid now into far destinations.",
)

degree = g.degree()
q(
    "centrality",
    "With relations of every kind counted, which airline has the highest degree?",
    ids(lead(of(degree, AIRLINES))),
    "Highest degree among airlines over valid relations.",
)
q(
    "centrality",
    "Which stands are cut points of the towing network as it is now?",
    ids(g.cut_points(STANDS, "TOWS_TO")),
    "Stands whose loss leaves more pieces over TOWS_TO, both ways.",
)
q(
    "centrality",
    "into how many unconnected pieces do the tow links divide the stands",
    num(g.pieces(STANDS, "TOWS_TO")),
    "Connected components of the stands over TOWS_TO valid now.",
)

q("unanswerable", "Which gate does BX 300 leave from?", no("unknown_entity"), "No such flight.")
q("unanswerable", "Who is the pilot of NW 230?", no("not_in_schema"), "No pilots.")
q(
    "unanswerable",
    "Could you tell me the price of a coffee in the North Terminal?",
    no("not_in_schema"),
    "No such property.",
)
q(
    "unanswerable",
    "For Lumen Airways, who does the ramp handling?",
    no("unknown_entity"),
    "No such airline.",
)
q(
    "unanswerable",
    "What flights has Caledon got?",
    no("ambiguous", "AIR-03", "AIR-07"),
    "Caledon Air and Caledon Cargo.",
)

assert len(rows) == 42
write("airport", rows)
