"""Gold of the railway set: 42 questions, answered in plain Python.

Run as `python bench/questions/gold_railway.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "railway")
rows, q = asking("rw")


LINES, STATIONS, DEPOTS = g.t("Line"), g.t("Station"), g.t("Depot")
TRAINS, CREWS = g.t("Train"), g.t("Crew")
OPEN = g.t("Disruption", lambda r: r["status"] == "active")
trains_on = lambda lines: g.inn(lines, "RUNS_ON")
lines_of = lambda trains: g.out(trains, "RUNS_ON")
contracts_of = lambda firm: g.inn(firm, "AWARDED_TO")
kept_at = lambda depot: g.inn(depot, "BASED_AT") & TRAINS
crews_at = lambda depot: g.inn(depot, "BASED_AT") & CREWS


def reached(start, without):
    """The stations that can be reached by track from one when another is closed."""
    adj, seen, front = g.adj("TRACK_TO"), {start}, {start}
    while front:
        front = {y for x in front for y in adj[x]} - seen - {without}
        seen |= front
    return seen


q(
    "lookup",
    "How many trains a day does the Coast Line send to Cliffend?",
    num(g.edge("LIN-1", "CALLS_AT", "STA-06")["trains_a_day"]),
    "trains_a_day on LIN-1 CALLS_AT STA-06.",
)
q(
    "lookup",
    "crews that sign on at the roundhouse?",
    ids(crews_at("DEP-3")),
    "Crews based at DEP-3.",
)
q(
    "lookup",
    "I live in Easby. Does the Airport Express stop there?",
    yes("STA-03" in g.out("LIN-5", "CALLS_AT")),
    "LIN-5 has no CALLS_AT to STA-03.",
)

q(
    "multi_hop",
    "Name the firms responsible for maintaining the trains used on the Valley Line.",
    ids(g.out(g.inn(trains_on("LIN-2"), "COVERS"), "AWARDED_TO")),
    "LIN-2 <- trains <- contracts -> firms.",
)
q(
    "multi_hop",
    "The people who drive the Moor Line, which depots do they start from?",
    ids(g.out(g.inn("LIN-3", "WORKS"), "BASED_AT")),
    "LIN-3 <- crews -> depots.",
)
q(
    "multi_hop",
    "At how many different stations could a passenger step into the Merlin?",
    num(len(g.out(lines_of("TRN-05"), "CALLS_AT"))),
    "TRN-05 -> lines -> stations, counted.",
)

q(
    "downstream",
    "Thanks to the gearbox recall, which lines have to do without a train of theirs?",
    ids(lines_of(g.out("DSR-3", "CRIPPLES"))),
    "DSR-3 -> trains -> lines.",
)
q(
    "downstream",
    "What do the daily passengers come to at all stations on lines slowed by the overtime ban?",
    num(g.sum(g.out(g.out("DSR-5", "SLOWS"), "CALLS_AT"), "daily_passengers")),
    "DSR-5 -> lines -> stations, each once, daily_passengers summed.",
)
q(
    "downstream",
    "Should Brightwheel fold, on which lines would there be trains that lose a maintenance contract?",
    ids(lines_of(g.out(contracts_of("FIR-3"), "COVERS"))),
    "FIR-3 <- contracts -> trains -> lines.",
)

q(
    "path",
    "By track, what is the fastest way from Sandholme to Dunford Junction, going by running minutes?",
    {"path": g.cheapest("STA-05", "STA-07", "TRACK_TO", "minutes")[0]},
    "Least sum of minutes over TRACK_TO.",
)
q(
    "path",
    "from beckfoot to marl airport along the tracks with as few stations between as possible",
    {"path": g.paths("STA-09", "STA-13", "TRACK_TO")},
    "Fewest TRACK_TO steps.",
)
q(
    "path",
    "What ties Haldane Engineering to Blackstane? One shortest connection will do.",
    {"path": g.paths("FIR-4", "STA-12")},
    "FIR-4 to STA-12 over any relations.",
)

q(
    "aggregation",
    "Rank all lines by the trips our trains make on them in a week, busiest first.",
    rank(g.total("RUNS_ON", "target", "trips_a_week")),
    "Sum of trips_a_week over RUNS_ON valid now.",
)
_gear = g.t("Contract", lambda r: r["scope"] == "running gear")
q(
    "aggregation",
    "Mean yearly price of the maintanance contracts for running gear (k EUR)",
    num(mean(g.n[c]["price_keur"] for c in _gear)),
    "Mean price_keur where scope is running gear.",
)
q(
    "aggregation",
    "Put together, how many seats did the trains kept at Tarn Street Depot on 1 January 2022 have?",
    num(g.sum(g.inn("DEP-2", "BASED_AT", "2022-01-01") & TRAINS, "seats")),
    "Sum of seats over the trains based at DEP-2 that day.",
)

_held = {e["target"] for e in g.valid("AWARDED_TO", None) if e["source"] == "MTC-3"}
q(
    "temporal",
    "From whom did Haldane take over the engine overhaul?",
    ids(_held - g.out("MTC-3", "AWARDED_TO")),
    "Expired AWARDED_TO of MTC-3.",
)
q(
    "temporal",
    "since when has violet crew been at peat yard",
    {"date": g.edge("CRW-6", "BASED_AT", "DEP-4")["valid_from"]},
    "valid_from of CRW-6 BASED_AT DEP-4.",
)
_once = {e["target"] for e in g.valid("COVERS", None)}
q(
    "temporal",
    "Which trains were under a maintenance contract at some time but have none whatsoever today?",
    ids(_once - g.out(g.t("Contract"), "COVERS")),
    "Trains with COVERS in the past and none valid now.",
)

_pair = {"TRN-03", "TRN-05"}
q(
    "what_if",
    "Curlew and Merlin both break down for good - any line with no train left at all? Say which.",
    yes(
        any(trains_on(x) <= _pair for x in LINES),
        {x for x in LINES if trains_on(x) <= _pair},
    ),
    "Lines whose trains are all among the two.",
)
q(
    "what_if",
    "Let's say Haldane Engineering replaced Norgate in every contract that Norgate has. How many"
    " contracts would Haldane then be carrying out?",
    num(len(contracts_of("FIR-4") | contracts_of("FIR-1"))),
    "Contracts of FIR-4 and FIR-1 together.",
)
_now = reached("STA-01", None)
q(
    "what_if",
    "Close Dunford Junction: to which other stations would the tracks no longer take you from"
    " Marlport Central?",
    ids(_now - reached("STA-01", "STA-07") - {"STA-07"}),
    "Stations cut off from STA-01 on TRACK_TO without STA-07.",
)

q(
    "spof",
    "Which lines would have nobody to drive them if one crew fell ill?",
    ids({x for x in LINES if len(g.inn(x, "WORKS")) == 1}),
    "One crew on WORKS valid now.",
)
q(
    "spof",
    "Wich trains are covered by one maintenance contract and no more?",
    ids({t for t in TRAINS if len(g.inn(t, "COVERS")) == 1}),
    "One contract on COVERS valid now.",
)

q(
    "inverse",
    "Do we own any trains that aren't used on a line at present? Name them if so.",
    yes(
        any(not lines_of(t) for t in TRAINS),
        {t for t in TRAINS if not lines_of(t)},
    ),
    "Trains with no RUNS_ON valid now.",
)
q(
    "inverse",
    "how many stations have no platform shut by an active disruption",
    num(len(STATIONS - g.out(OPEN, "BLOCKS"))),
    "All stations less those that an active disruption blocks.",
)
q(
    "inverse",
    "Crews working neither the Coast Line nor the Valley Line, please.",
    ids(CREWS - g.inn({"LIN-1", "LIN-2"}, "WORKS")),
    "All crews less those of either line.",
)

q(
    "compare",
    "The Roundhouse against Peat Yard: how many trains and how many crews are based at each?",
    cmp_(
        "DEP-3",
        "DEP-4",
        trains=[len(kept_at(d)) for d in ("DEP-3", "DEP-4")],
        crews=[len(crews_at(d)) for d in ("DEP-3", "DEP-4")],
    ),
    "Trains and crews based at each.",
)
q(
    "compare",
    "At which stations can one change between the Moor Line and the Airport Express?",
    ids(g.out("LIN-3", "CALLS_AT") & g.out("LIN-5", "CALLS_AT")),
    "Intersection of CALLS_AT.",
)
_price = {f: g.sum(contracts_of(f), "price_keur") for f in ("FIR-1", "FIR-4")}
q(
    "compare",
    "Whose contracts are dearer for us per year, Norgate's or Haldane's? Both sums, please.",
    cmp_("FIR-1", "FIR-4", price_keur=list(_price.values()), higher=lead(_price)[0]),
    "Sum of price_keur over the contracts of each.",
)

_shut = {e["target"]: e["platforms_shut"] for e in g.valid("BLOCKS") if e["source"] in OPEN}
q(
    "risk",
    "Where are the most platforms out of use because of a disruption still going on?",
    ids(lead(_shut)),
    "Highest platforms_shut over BLOCKS from active disruptions.",
)
q(
    "risk",
    "Disruptions not yet resolved and rated high or critical?",
    ids(g.where(OPEN, lambda r: r["severity"] in ("high", "critical"))),
    "Active, severity high or critical.",
)

_electric = g.t("Train", lambda r: r["kind"] == "electric")
q(
    "combined",
    "Is there a depot where every single train is electric? If there is, which one?",
    yes(
        any(kept_at(d) and kept_at(d) <= _electric for d in DEPOTS),
        {d for d in DEPOTS if kept_at(d) and kept_at(d) <= _electric},
    ),
    "Depots all of whose trains are electric.",
)
_norgate = g.out(contracts_of("FIR-1"), "COVERS")
q(
    "combined",
    "Of the trains that Norgate maintains, which are not used on any line calling at Sandholm?",
    ids(_norgate - trains_on(g.inn("STA-05", "CALLS_AT"))),
    "Trains of FIR-1 less those on lines that call at STA-05.",
)
q(
    "combined",
    "Combined seating of our pre-2000 trains that are still in use on some line",
    num(g.sum(g.where(TRAINS, lambda r: r["built"] < 2000 and lines_of(r["id"])), "seats")),
    "Sum of seats where built before 2000 and RUNS_ON valid now.",
)
_slow = {e["target"] for e in g.valid("SLOWS") if e["delay_minutes"] > 10}
_evening = g.out(g.t("Crew", lambda r: r["shift"] == "late"), "WORKS")
q(
    "combined",
    "Which lines are currently delayed by more than 10 minutes and also worked by a late-shift crew?",
    ids(_slow & _evening),
    "delay_minutes above 10, and a crew on the late shift.",
)

q(
    "centrality",
    "Looking at the tracks alone, which stations would split the network in two or more if closed?",
    ids(g.cut_points(STATIONS, "TRACK_TO")),
    "Cut points of TRACK_TO.",
)
_between = g.betweenness()
q(
    "centrality",
    "Which line has the highest betweenness in the graph as a whole, links taken both ways?",
    ids(lead(of(_between, LINES))),
    "Highest undirected betweenness among lines.",
)

q(
    "unanswerable",
    "Where does the Lakeside Line stop?",
    no("unknown_entity"),
    "No such line.",
)
q(
    "unanswerable",
    "What is the top speed of the Osprey?",
    no("not_in_schema"),
    "No such property.",
)
q(
    "unanswerable",
    "Could you tell me who manages Peat Yard?",
    no("not_in_schema"),
    "Nothing on managers.",
)
q(
    "unanswerable",
    "trn-19: which depot is it at?",
    no("unknown_entity"),
    "No such train.",
)
q(
    "unanswerable",
    "Which lines call at Marlport?",
    no("ambiguous", "STA-01", "STA-02"),
    "Marlport Central and Marlport Harbour.",
)

write("railway", rows)
