"""Gold of the ferries set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_ferries.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "ferries")
rows, q = asking("fe")

FERRIES, ROUTES, PORTS, HAULIERS = g.t("Ferry"), g.t("Route"), g.t("Port"), g.t("Haulier")
OPEN = g.t("Incident", lambda r: r["status"] == "active")
routes_of = lambda ships: g.out(ships, "DEPLOYED_ON")
ships_on = lambda routes: g.inn(routes, "DEPLOYED_ON")
booked = lambda routes: g.inn(routes, "BOOKS_ON")
masters = lambda: [e for e in g.valid("SERVES_ABOARD") if e["rank"] == "master"]

q(
    "lookup",
    "How many lane metres a week has Glenmore booked on the Night Freight?",
    num(g.edge("HAU-1", "BOOKS_ON", "RTE-5")["lane_metres_week"]),
    "lane_metres_week on HAU-1 BOOKS_ON RTE-5.",
)
q(
    "lookup",
    "which of our ships were built before 2000",
    ids(g.t("Ferry", lambda r: r["built"] < 2000)),
    "built before 2000.",
)
q(
    "lookup",
    "Who is master of the Lady Fenella?",
    ids(e["source"] for e in masters() if e["target"] == "FER-05"),
    "rank master on SERVES_ABOARD into FER-05.",
)

q(
    "multi_hop",
    "Which ports does the Skerry Star come to on the routes she works these days?",
    ids(g.out(routes_of("FER-01"), "CALLS_AT")),
    "FER-01 -> routes -> ports.",
)
q(
    "multi_hop",
    "Name the fuel suppliers of the ships that run on the routes Kerr Haulage has space on.",
    ids(g.inn(ships_on(g.out("HAU-4", "BOOKS_ON")), "FUELS")),
    "HAU-4 -> routes <- ferries <- fuel suppliers.",
)
_norway = g.t("Shipyard", lambda r: r["country"] == "Norway")
_marchuk = g.out("OFF-08", "SERVES_ABOARD") & g.out(_norway, "MAINTAINS")
q(
    "multi_hop",
    "Does Olena Marchuk serve on a ship that a Norwegian yard looks after, and if so on which?",
    yes(_marchuk, _marchuk),
    "OFF-08 -> ferries <- yards in Norway.",
)

q(
    "downstream",
    "The engine room fire: which hauliers have freight booked "
    "on the route that the ship concerned is working?",
    ids(booked(routes_of(g.out("INC-1", "INVOLVES")))),
    "INC-1 -> FER-04 -> RTE-2 <- hauliers.",
)
_gas = g.out("FUE-3", "FUELS")
q(
    "downstream",
    "If Cryogas can't deliver, list every ship and every route that is hit.",
    ids(_gas | routes_of(_gas)),
    "FUE-3 -> ferries, and their routes.",
)
_dunskeig = routes_of(g.out("YRD-1", "MAINTAINS"))
q(
    "downstream",
    "What do hauliers book in total, in lane metres a week, "
    "on routes worked by ships that Dunskeig maintains?",
    num(sum(e["lane_metres_week"] for e in g.valid("BOOKS_ON") if e["target"] in _dunskeig)),
    "YRD-1 -> ferries -> routes, each once; sum of lane_metres_week.",
)

q(
    "path",
    "Shortest connection between Island Parcels and Falkenhof Werft?",
    {"path": g.paths("HAU-6", "YRD-3")},
    "HAU-6 to YRD-3 over any relations.",
)
q(
    "path",
    "at minimum how many steps from the charger outage to Hamish Gunn?",
    num(len(g.paths("INC-3", "OFF-07")[0]) - 1),
    "Length of the shortest path INC-3 to OFF-07.",
)
q(
    "path",
    "By what chain is Moyle Slipway linked to the Bay Hopper? All the shortest ones.",
    {"path": g.paths("YRD-4", "RTE-7")},
    "YRD-4 to RTE-7; two equally short.",
)

q(
    "aggregation",
    "Fuel bill per supplier in thousands of euros a week, biggest first",
    rank(g.total("FUELS", "source", "keur_week")),
    "Sum of keur_week over FUELS valid now, by supplier.",
)
q(
    "aggregation",
    "What's the average crossing time of the routes that run all year?",
    num(mean(g.n[r]["crossing_min"] for r in ROUTES if g.n[r]["season"] == "all year")),
    "Mean crossing_min of the all-year routes.",
)
q(
    "aggregation",
    "Top three ships by crossings per week, all their routes added up.",
    rank(g.total("DEPLOYED_ON", "source", "crossings_week"), k=3),
    "Sum of crossings_week over DEPLOYED_ON valid now, by ferry.",
)

q(
    "temporal",
    "What ship was on the Coast Express on 1 August 2025?",
    ids(g.inn("RTE-8", "DEPLOYED_ON", "2025-08-01")),
    "DEPLOYED_ON into RTE-8 on 2025-08-01.",
)
q(
    "temporal",
    "When does the Fenella's spell on the Summer Link finish?",
    {"date": g.edge("FER-05", "DEPLOYED_ON", "RTE-6")["valid_to"]},
    "valid_to of FER-05 DEPLOYED_ON RTE-6, still to come.",
)
q(
    "temporal",
    "Which officers used to serve on the Saint Brannoc but no longer do?",
    ids(g.inn("FER-08", "SERVES_ABOARD", None) - g.inn("FER-08", "SERVES_ABOARD")),
    "SERVES_ABOARD into FER-08 ended, none valid now.",
)

q(
    "what_if",
    "Suppose the Corrigan has to be laid up. Which routes have no ship at all then?",
    ids(r for r in routes_of("FER-04") if ships_on(r) == {"FER-04"}),
    "Routes that FER-04 alone works now.",
)
_oil = {"FUE-1", "FUE-2"}
q(
    "what_if",
    "if norbunker and clyde marine fuels both stopped delivring, "
    "which ships would have nobody left to fuel them?",
    ids(f for f in g.out(_oil, "FUELS") if g.inn(f, "FUELS") <= _oil),
    "Ferries all of whose suppliers are FUE-1 or FUE-2.",
)
_sold = {"FER-06", "FER-09"}
_bare = {r for r in routes_of(_sold) if ships_on(r) <= _sold}
q(
    "what_if",
    "We sell the Tern and the Guillemot. Does any route lose all of its ships, and which one?",
    yes(_bare, _bare),
    "Routes all of whose ferries are FER-06 or FER-09; RTE-7 keeps FER-08.",
)

q(
    "spof",
    "Routes that depend on one single ship right now?",
    ids(r for r in ROUTES if len(ships_on(r)) == 1),
    "In-degree 1 on DEPLOYED_ON valid now.",
)
q(
    "spof",
    "Which ships have only one yard under contract and only one fuel supplier?",
    ids(f for f in FERRIES if len(g.inn(f, "MAINTAINS")) == len(g.inn(f, "FUELS")) == 1),
    "In-degree 1 on MAINTAINS and 1 on FUELS, both valid now.",
)
_relief = g.inn("FER-04", "STANDS_IN_FOR")
q(
    "spof",
    "Is there more than one ship that can stand in for the Corrigan? Which?",
    yes(len(_relief) > 1, _relief),
    "In-degree of FER-04 on STANDS_IN_FOR.",
)

q(
    "inverse",
    "Which ships have no yard to maintain them at present?",
    ids(FERRIES - g.out(g.t("Shipyard"), "MAINTAINS")),
    "All ferries less the targets of MAINTAINS valid now.",
)
q(
    "inverse",
    "Ports where no fuel supplier keeps a depot, please.",
    ids(PORTS - g.out(g.t("FuelSupplier"), "HAS_DEPOT_IN")),
    "All ports less the targets of HAS_DEPOT_IN valid now.",
)
q(
    "inverse",
    "how many hauliers have nothing booked on any route that calls at Tarsey?",
    num(len(HAULIERS - booked(g.inn("PRT-7", "CALLS_AT")))),
    "All hauliers less those on routes that call at PRT-7 now.",
)

_fuel = of(g.total("FUELS", "target", "keur_week"), ("FER-01", "FER-02"))
q(
    "compare",
    "Skerry Star or Skerry Dawn - which has the higher weekly fuel bill? Both figures please.",
    cmp_("FER-01", "FER-02", keur_week=list(_fuel.values()), higher=lead(_fuel)[0]),
    "Sum of keur_week over FUELS valid now, by ferry.",
)
q(
    "compare",
    "Which ports does the Island Loop call at that the Northern Crossing leaves out?",
    ids(g.out("RTE-4", "CALLS_AT") - g.out("RTE-1", "CALLS_AT")),
    "Difference of ports.",
)
_both = [booked(r) for r in ("RTE-1", "RTE-5")]
q(
    "compare",
    "Northern Crossing against Night Freight: "
    "number of ships and of hauliers on each, and which hauliers book on both?",
    cmp_(
        "RTE-1",
        "RTE-5",
        ferries=[len(ships_on("RTE-1")), len(ships_on("RTE-5"))],
        hauliers=[len(x) for x in _both],
        shared_hauliers=sorted(_both[0] & _both[1]),
    ),
    "DEPLOYED_ON and BOOKS_ON valid now.",
)

_grave = g.where(OPEN, lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which routes are worked by a ship that is involved in an open incident "
    "rated high or critical?",
    ids(routes_of(g.out(_grave, "INVOLVES"))),
    "Active, high or critical, -> ferries -> routes.",
)
q(
    "risk",
    "Crossings lost to the incidents still running, all ships together?",
    num(sum(e["crossings_lost"] for e in g.valid("INVOLVES") if e["source"] in OPEN)),
    "Sum of crossings_lost over INVOLVES of active incidents.",
)
_count = {f: len(g.inn(f, "INVOLVES", None)) for f in FERRIES}
q(
    "risk",
    "Which ship has been in the most incidents, those that are closed included?",
    ids(lead(_count)),
    "In-degree on INVOLVES at any time.",
)

_roomy = g.t("Ferry", lambda r: r["car_spaces"] > 100)
q(
    "combined",
    "Officers over 45 serving on a ship that takes more than 100 cars?",
    ids(g.where(g.inn(_roomy, "SERVES_ABOARD"), lambda r: r["age"] > 45)),
    "age above 45 and car_spaces above 100, SERVES_ABOARD valid now.",
)
_troubled = g.out(OPEN, "INVOLVES")
q(
    "combined",
    "Which masters have a ship with an incident open at the moment?",
    ids(e["source"] for e in masters() if e["target"] in _troubled),
    "rank master on the edge into a ferry of an active incident.",
)
_diesel = g.t("Ferry", lambda r: r["propulsion"] == "diesel")
_docked = {y: g.out(y, "MAINTAINS") for y in g.t("Shipyard")}
q(
    "combined",
    "Which yards maintain nothing but diesel ships?",
    ids(y for y, ships in _docked.items() if ships and ships <= _diesel),
    "Universal over MAINTAINS valid now.",
)

degree, between = g.degree(), g.betweenness()
q(
    "centrality",
    "Which port has the most links of any kind? Name them all if there is a tie.",
    ids(lead(of(degree, PORTS))),
    "Highest degree among ports over valid relations; a tie of two.",
)
q(
    "centrality",
    "Ignoring the direction of links, which ship scores highest on betweenness?",
    ids(lead(of(between, FERRIES))),
    "Highest undirected betweenness among ferries.",
)
q(
    "centrality",
    "Join every route to the ports it calls at today. How many separate networks does that make?",
    num(g.pieces(ROUTES | PORTS, "CALLS_AT")),
    "Connected components over CALLS_AT valid now.",
)

q(
    "unanswerable",
    "How much is a return ticket for a car on the Sound Shuttle?",
    no("not_in_schema"),
    "No fares in the schema.",
)
q(
    "unanswerable",
    "On which routes has Kerr booked space?",
    no("ambiguous", "HAU-4", "HAU-5"),
    "Kerr Haulage and Kerr Timber.",
)
q("unanswerable", "who is the master of the Hjaltland", no("unknown_entity"), "No such ship.")

assert len(rows) == 42
write("ferries", rows)
