"""Gold of the satellite operator set: 42 questions, three in each of 14 categories, answered in plain Python.

Run as `python bench/questions/gold_satellites.py [--show]`."""

import collections

from gold_common import G, OUT, asking, cmp_, ids, lead, no, num, of, rank, write, yes

g = G(OUT / "domains" / "satellites")
rows, q = asking("sa")

CUSTOMERS = g.t("Customer")
UP = g.t("Satellite", lambda r: r["status"] == "in orbit")
OPEN = g.t("Anomaly", lambda r: r["status"] == "active")
leased = lambda c: g.out(c, "LEASES")
lessees = lambda s: g.inn(s, "LEASES")
tracked = lambda x: g.out(x, "TRACKS")
trackers = lambda s: g.inn(s, "TRACKS")
pilots = lambda s: g.inn(s, "FLIES")
fees = g.total("LEASES", "source", "fee_keur")
ill = g.out(OPEN, "AFFECTS")
degree, between = g.degree(), g.betweenness()

q(
    "lookup",
    "osprey passes per day at inuvik?",
    num(g.edge("GST-2", "TRACKS", "SAT-10")["passes_per_day"]),
    "passes_per_day on GST-2 TRACKS SAT-10.",
)
_besides = tracked("GST-7") - {"SAT-04", "SAT-05"}
q(
    "lookup",
    "Leaving Heron-1 and Heron-2 aside, does Goonhilly track anything, and what?",
    yes(_besides, _besides),
    "TRACKS from GST-7, less the two Herons: nothing.",
)
q(
    "lookup",
    "Which of our birds in orbit weigh under 100 kg?",
    ids(g.where(UP, lambda r: r["mass_kg"] < 100)),
    "mass_kg below 100, in orbit.",
)

q(
    "multi_hop",
    "Which companies currently supply the payloads that Merlin carries?",
    ids(g.inn(g.out("SAT-11", "CARRIES"), "SUPPLIES")),
    "SAT-11 -> payloads <- makers, now.",
)
q(
    "multi_hop",
    "Name the ground stations that have contact with any satellite AgriSight leases.",
    ids(trackers(leased("CUS-02"))),
    "CUS-02 -> satellites <- stations.",
)
q(
    "multi_hop",
    "Where do the controllers of Heron-2 work? All the stations, please.",
    ids(g.out(pilots("SAT-05"), "BASED_AT")),
    "SAT-05 <- controllers -> stations, now.",
)

q(
    "downstream",
    "The cable cut at Dongara: which customers lease a satellite that the station tracks?",
    ids(lessees(tracked(g.out("ANO-5", "DISTURBS")))),
    "ANO-5 -> station -> satellites <- customers.",
)
_wave = g.inn(g.out("MAK-3", "SUPPLIES"), "CARRIES")
q(
    "downstream",
    "For the supplier review: how much do we earn a year, in thousands of euros, from leases on satellites that carry something Wavecrest supplies?",
    num(sum(e["fee_keur"] for e in g.valid("LEASES") if e["target"] in _wave)),
    "MAK-3 -> payloads <- satellites, sum of fee_keur over LEASES valid now.",
)
_laser = g.out("MAK-6", "SUPPLIES")
_flown = g.inn(_laser, "CARRIES")
q(
    "downstream",
    "Give me everything downstream of Photon Links: payloads, satellites and customers.",
    ids(_laser | _flown | lessees(_flown)),
    "The union of the three layers under MAK-6.",
)

q(
    "path",
    "Over the ground lines, what's the route from Dongara to Goonhilly with the least total delay?",
    {"path": g.cheapest("GST-6", "GST-7", "LINKED_TO", "latency_ms")[0]},
    "Least sum of latency_ms over LINKED_TO valid now; 166 ms, where the route with fewest lines takes 168.",
)
q(
    "path",
    "What is the shortest connection between Iwona Zak and Titan Mining?",
    {"path": g.paths("CTL-9", "CUS-07")},
    "CTL-9 to CUS-07 over any relations; the name typed without its accent.",
)
q(
    "path",
    "How many links apart are Optica Vienna and the coastguard at the least?",
    num(len(g.paths("MAK-2", "CUS-01")[0]) - 1),
    "Length of the shortest path MAK-2 to CUS-01.",
)

q(
    "aggregation",
    "Which ground station tracks the most satellites?",
    ids(lead({x: len(tracked(x)) for x in g.t("Station")})),
    "Out-degree on TRACKS valid now.",
)
q(
    "aggregation",
    "Our three biggest customers by yearly fees, with what each pays?",
    rank(fees, k=3),
    "Sum of fee_keur over LEASES valid now, three highest.",
)
q(
    "aggregation",
    "What is the combined mass of everything we have in orbit in LEO, in kg?",
    num(g.sum(g.where(UP, lambda r: r["orbit"] == "LEO"), "mass_kg")),
    "Sum of mass_kg, LEO and in orbit.",
)

q(
    "temporal",
    "Since when has Northstar been delivering the Ka-band transponder?",
    {"date": g.edge("MAK-1", "SUPPLIES", "PAY-5")["valid_from"]},
    "valid_from of MAK-1 SUPPLIES PAY-5.",
)
q(
    "temporal",
    "Which satellites were suffering from an anomaly on 7 March 2026?",
    ids(g.out(g.t("Anomaly"), "AFFECTS", "2026-03-07")),
    "AFFECTS valid that day; Merlin's had ended.",
)
q(
    "temporal",
    "Which rocket was Curlew-1 booked on at the end of 2025?",
    ids(g.out("SAT-12", "LAUNCHED_BY", "2025-12-31")),
    "LAUNCHED_BY from SAT-12 on 2025-12-31.",
)

q(
    "what_if",
    "If Kiruna goes dark, which satellites in orbit can no other station reach?",
    ids(s for s in UP if trackers(s) == {"GST-1"}),
    "Satellites in orbit tracked by GST-1 alone, now.",
)
q(
    "what_if",
    "Suppose we lose Heron-1. Which customers would be left with no satellite at all?",
    ids(c for c in CUSTOMERS if leased(c) == {"SAT-04"}),
    "Customers that lease SAT-04 alone.",
)
q(
    "what_if",
    "Optica goes bust: for which payloads would we then have nobody to deliver them?",
    ids(p for p in g.t("Payload") if g.inn(p, "SUPPLIES") == {"MAK-2"}),
    "Payloads supplied by MAK-2 alone.",
)

_spare = g.inn("SAT-10", "BACKS_UP")
q(
    "spof",
    "Is there any satellite today that could take over from Osprey, and if so which?",
    yes(_spare, _spare),
    "BACKS_UP into SAT-10 valid now: none, the retired Dunlin did.",
)
q(
    "spof",
    "Which payloads do we get from one supplier only?",
    ids(p for p in g.t("Payload") if len(g.inn(p, "SUPPLIES")) == 1),
    "In-degree 1 on SUPPLIES valid now.",
)
q(
    "spof",
    "Which satellites with an open anomaly have just the one controller?",
    ids(s for s in ill if len(pilots(s)) == 1),
    "Satellites of active anomalies, in-degree 1 on FLIES valid now.",
)

q(
    "inverse",
    "Which customers have nothing on either of the Herons, Heron-1 and Heron-2?",
    ids(CUSTOMERS - lessees({"SAT-04", "SAT-05"})),
    "All customers less those that lease SAT-04 or SAT-05 now.",
)
q(
    "inverse",
    "Which launchers have none of our planned satellites booked on them?",
    ids(g.t("Launcher") - g.out(g.t("Satellite") - UP, "LAUNCHED_BY")),
    "All launchers less those of satellites not up yet, now.",
)
q(
    "inverse",
    "How many satellites in orbit are free of open anomolies?",
    num(len(UP - ill)),
    "Satellites in orbit less those that active anomalies affect.",
)

_sizes = {"satellites": leased, "stations": lambda c: trackers(leased(c))}
_both = {k: [len(f("CUS-01")), len(f("CUS-10"))] for k, f in _sizes.items()}
_shared = sorted(trackers(leased("CUS-01")) & trackers(leased("CUS-10")))
q(
    "compare",
    "Nordic Coastguard versus the DMA: how many satellites does each lease, how many stations track those, and which stations do they have in common?",
    cmp_("CUS-01", "CUS-10", **_both, shared_stations=_shared),
    "Counts along LEASES and TRACKS.",
)
q(
    "compare",
    "Which payloads does Tern-1 carry that Tern-3 doesn't?",
    ids(g.out("SAT-06", "CARRIES") - g.out("SAT-08", "CARRIES")),
    "Set difference of CARRIES.",
)
_pays = of(fees, ("CUS-03", "CUS-09"))
q(
    "compare",
    "Who brings in more in yearly fees, Lumen or Skyhaul? Let me have both sums.",
    cmp_("CUS-03", "CUS-09", fee_keur=list(_pays.values()), higher=lead(_pays)[0]),
    "Sum of fee_keur over LEASES valid now; Skyhaul's lease on Heron-1 has ended.",
)

q(
    "risk",
    "Which satellites are under an open anomaly that is rated high or critical?",
    ids(g.out(g.where(OPEN, lambda r: r["severity"] in ("high", "critical")), "AFFECTS")),
    "Active anomalies rated high or critical -> satellites.",
)
q(
    "risk",
    "How many customers lease at least one satellite that has an open anomaly?",
    num(len(lessees(ill))),
    "Active anomalies -> satellites <- customers.",
)
q(
    "risk",
    "Which of the open anomalies has been running longest?",
    ids(lead({a: int(g.n[a]["date"].replace("-", "")) for a in OPEN}, least=True)),
    "Earliest date among active anomalies.",
)

q(
    "combined",
    "LEO satellites launched after 2020 that have an open anomaly: which are they?",
    ids(g.where(ill, lambda r: r["orbit"] == "LEO" and r["launched"] > "2020-12-31")),
    "orbit, launched and active anomalies together.",
)
q(
    "combined",
    "What was being tracked on 15 January 2026 by the station that had an anomaly that day?",
    ids(g.out(g.out(g.t("Anomaly"), "DISTURBS", "2026-01-15"), "TRACKS", "2026-01-15")),
    "DISTURBS that day -> station -> TRACKS that day.",
)
q(
    "combined",
    "Which public sector customers lease a satellite built by Cassia?",
    ids(g.where(lessees(g.out("MAK-5", "BUILDS")), lambda r: r["sector"] == "public")),
    "MAK-5 -> satellites <- customers, by sector.",
)

q(
    "centrality",
    "Treating every link as two-way, which single node has the highest betweenness?",
    ids(lead(between)),
    "Highest undirected betweenness.",
)
q(
    "centrality",
    "Which satellite has the most direct links?",
    ids(lead(of(degree, g.t("Satellite")))),
    "Highest degree among satellites over valid relations.",
)
q(
    "centrality",
    "Which customers and makers dangle from the network by a single link?",
    ids(x for x in CUSTOMERS | g.t("Maker") if degree[x] == 1),
    "Degree 1 among customers and makers over valid relations.",
)

q(
    "unanswerable",
    "Who delivers the transponder?",
    no("ambiguous", "PAY-4", "PAY-5"),
    "Ku-band and Ka-band. Asking which one, or answering for each under its name, is right.",
)
q(
    "unanswerable",
    "SAT-21 - which stations track it?",
    no("unknown_entity"),
    "Well-formed id past the last satellite.",
)
q(
    "unanswerable",
    "What salary is Emil Kovač on?",
    no("not_in_schema"),
    "No such property.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {3}
write("satellites", rows)
