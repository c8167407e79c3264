"""Gold of the datacentre set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_datacentre.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "datacentre")
rows, q = asking("dc")

HALLS, CLUSTERS, SERVICES = g.t("Hall"), g.t("Cluster"), g.t("Service")
CUSTOMERS, SITES = g.t("Customer"), g.t("Site")
OPEN = g.t("Incident", lambda r: r["status"] == "open")
standing = lambda halls: g.inn(halls, "HOUSED_IN")
running = lambda clusters: g.inn(clusters, "RUNS_ON")
users = lambda services: g.inn(services, "SUBSCRIBES_TO")
halls_at = lambda site: g.inn(site, "LOCATED_IN")
sites_of = lambda service: g.out(g.out(g.out(service, "RUNS_ON"), "HOUSED_IN"), "LOCATED_IN")

q(
    "lookup",
    "How many racks does Petrel take up in Flint?",
    num(g.edge("CLU-6", "HOUSED_IN", "HAL-6")["racks"]),
    "racks on CLU-6 HOUSED_IN HAL-6.",
)
q(
    "lookup",
    "what availability did we promise Tulip Bank for Managed Postgres",
    num(g.edge("CUS-01", "SUBSCRIBES_TO", "SVC-03")["sla_pct"]),
    "sla_pct on CUS-01 SUBSCRIBES_TO SVC-03.",
)
q(
    "lookup",
    "Which carriers currently charge us more than 6000 euros a month at one of our sites?",
    ids({e["source"] for e in g.valid("LANDS_AT") if e["eur_month"] > 6000}),
    "eur_month over 6000 on LANDS_AT valid now.",
)

q(
    "multi_hop",
    "Which customers use a service that runs on Heron?",
    ids(users(running("CLU-2"))),
    "CLU-2 <- services <- customers.",
)
q(
    "multi_hop",
    "carriers coming into the site where Gannet stands?",
    ids(g.inn(g.out(g.out("CLU-7", "HOUSED_IN"), "LOCATED_IN"), "LANDS_AT")),
    "CLU-7 -> hall -> site <- carriers.",
)
_dutch = running(standing(halls_at(g.t("Site", lambda r: r["city"] == "Rotterdam"))))
_pixel = _dutch & g.out("CUS-05", "SUBSCRIBES_TO")
q(
    "multi_hop",
    "Does Pixel Foundry use any service that is running in Rotterdam, and which?",
    yes(_pixel, _pixel),
    "CUS-05 -> services, those on a cluster in a hall of SIT-2.",
)

_dark = g.inn("FED-5", "FED_BY")
q(
    "downstream",
    "Lule Hydro One trips. List all the halls it feeds and the clusters standing in them.",
    ids(_dark | standing(_dark)),
    "Union of the halls under FED-5 and their clusters.",
)
q(
    "downstream",
    "If the Object Store fails, which other services go with it, directly or indirectly?",
    ids(g.walk("SVC-02", "DEPENDS_ON", back=True)),
    "DEPENDS_ON backwards to the end from SVC-02.",
)
q(
    "downstream",
    "We have to shut Dolomite. Which customers are affected through the services on its clusters?",
    ids(users(running(standing("HAL-4")))),
    "HAL-4 <- clusters <- services <- customers, valid now.",
)

_copies = g.paths("CLU-2", "CLU-9", "REPLICATES_TO", directed=True)
assert _copies == g.paths("CLU-2", "CLU-9")
q(
    "path",
    "By which chain of clusters does data replicated out of Heron get to Tern?",
    {"path": _copies},
    "REPLICATES_TO from CLU-2 to CLU-9; the shortest over all relations too.",
)
q(
    "path",
    "shortest connection between Fjordline Ferries and the Liffey Diesel Bank",
    {"path": g.paths("CUS-03", "FED-7")},
    "CUS-03 to FED-7 over any relations.",
)
q(
    "path",
    "How many hops lie between the Bluewave cable cut and State Archive, taking the shortest way?",
    num(len(g.paths("INC-3", "CUS-11")[0]) - 1),
    "Length of the shortest path INC-3 to CUS-11, in edges.",
)

q(
    "aggregation",
    "Rank the halls by the number of racks our clusters take up in them, most first.",
    rank(g.total("HOUSED_IN", "target", "racks")),
    "Sum of racks over HOUSED_IN valid now, by hall.",
)
q(
    "aggregation",
    "Total kW reserved on power feeds for the halls at Riverside?",
    num(sum(e["kw"] for e in g.valid("FED_BY") if e["source"] in halls_at("SIT-1"))),
    "Sum of kw over FED_BY valid now out of the halls of SIT-1.",
)
q(
    "aggregation",
    "avg promised SLA over the Backup Vault subscriptions",
    num(mean(e["sla_pct"] for e in g.valid("SUBSCRIBES_TO") if e["target"] == "SVC-06")),
    "Mean sla_pct over SUBSCRIBES_TO into SVC-06 valid now.",
)

q(
    "temporal",
    "Since when has Tern been housed in Iolite?",
    {"date": g.edge("CLU-9", "HOUSED_IN", "HAL-9")["valid_from"]},
    "valid_from of CLU-9 HOUSED_IN HAL-9.",
)
q(
    "temporal",
    "What services were running on Merlin on 1 February 2024?",
    ids(g.inn("CLU-8", "RUNS_ON", "2024-02-01")),
    "RUNS_ON into CLU-8 on that day.",
)
_ended = {
    e["source"]
    for e in g.valid("SUBSCRIBES_TO", None)
    if "2025-01-01" <= (e["valid_to"] or "") <= "2025-12-31"
}
q(
    "temporal",
    "Which customers had a subscription end in 2025?",
    ids(_ended),
    "SUBSCRIBES_TO with valid_to in 2025.",
)

_out = {"FED-2", "FED-9"}
q(
    "what_if",
    "Suppose Westline and the Main Diesel Bank are both out. Which halls have no power feed left?",
    ids(h for h in g.inn(_out, "FED_BY") if g.out(h, "FED_BY") <= _out),
    "Halls all of whose feeds are FED-2 or FED-9.",
)
_left = {"CAR-2", "CAR-3"}
q(
    "what_if",
    "If Transeuro and Bluewave both pulled out, which sites would be without a carrier?",
    ids(s for s in g.out(_left, "LANDS_AT") if g.inn(s, "LANDS_AT") <= _left),
    "Sites all of whose carriers are CAR-2 or CAR-3.",
)
q(
    "what_if",
    "Say we move everything that runs on Merlin over to Falcon. "
    "How many services would Falcon be running then?",
    num(len(running({"CLU-1", "CLU-8"}))),
    "Services on CLU-1 or CLU-8, each once.",
)

q(
    "spof",
    "Wich services are deployed on just one cluster?",
    ids(s for s in SERVICES if len(g.out(s, "RUNS_ON")) == 1),
    "Out-degree 1 on RUNS_ON valid now.",
)
q(
    "spof",
    "halls hanging on a single power feed",
    ids(h for h in HALLS if len(g.out(h, "FED_BY")) == 1),
    "Out-degree 1 on FED_BY valid now.",
)
_lone = {s for s in SITES if len(g.inn(s, "LANDS_AT")) == 1}
q(
    "spof",
    "Do any of our sites rely on only one carrier?",
    yes(_lone, _lone),
    "In-degree 1 on LANDS_AT valid now: none.",
)

q(
    "inverse",
    "Which customers don't have any racks of their own with us today?",
    ids(CUSTOMERS - g.inn(HALLS, "COLOCATES_IN")),
    "All customers less the sources of COLOCATES_IN valid now.",
)
q(
    "inverse",
    "Clusters that are not replicated to any other cluster, please.",
    ids(CLUSTERS - g.inn(CLUSTERS, "REPLICATES_TO")),
    "All clusters less the sources of REPLICATES_TO valid now.",
)
q(
    "inverse",
    "how many services don't depend on any other service?",
    num(len(SERVICES - g.inn(SERVICES, "DEPENDS_ON"))),
    "All services less the sources of DEPENDS_ON valid now.",
)

_two = ("SIT-1", "SIT-2")
q(
    "compare",
    "Compare Riverside with Harbour Point: number of halls and number of carriers at each.",
    cmp_(
        *_two,
        counts={
            "Hall": [len(halls_at(s)) for s in _two],
            "Carrier": [len(g.inn(s, "LANDS_AT")) for s in _two],
        },
    ),
    "In-degrees on LOCATED_IN and LANDS_AT valid now.",
)
q(
    "compare",
    "Who subscribes to Managed Postgres and also to the Backup Vault?",
    ids(users("SVC-03") & users("SVC-06")),
    "Intersection of subscribers.",
)
_fees = of(g.total("SUBSCRIBES_TO", "source", "eur_month"), ("CUS-07", "CUS-05"))
q(
    "compare",
    "Lumen Broadcast or Pixel Foundry - whose subscription fees come to more a month? "
    "I need both totals.",
    cmp_("CUS-07", "CUS-05", eur_month=list(_fees.values()), higher=lead(_fees)[0]),
    "Sum of eur_month over SUBSCRIBES_TO valid now.",
)

_sev1 = g.out(g.where(OPEN, lambda r: r["severity"] == "sev1"), "IMPAIRS")
q(
    "risk",
    "Which customers subscribe to a service that runs on a cluster in the hall "
    "with the open sev1 incident?",
    ids(users(running(standing(_sev1)))),
    "Open, sev1, -> HAL-3 <- clusters <- services <- customers.",
)
_minutes = of(g.total("IMPAIRS", "source", "minutes_down"), OPEN)
q(
    "risk",
    "Which open incident has caused the most minutes of downtime so far?",
    ids(lead(_minutes)),
    "Highest sum of minutes_down over IMPAIRS valid now.",
)
_hurt = g.inn(g.inn(g.out(OPEN, "IMPAIRS") & g.t("PowerFeed"), "FED_BY"), "COLOCATES_IN")
q(
    "risk",
    "Are there customers with racks in a hall whose power feed is impared by an open incident? "
    "Who are they?",
    yes(_hurt, _hurt),
    "Open incidents -> FED-2 <- halls <- customers that colocate there now.",
)

q(
    "combined",
    "Which gold services run at more than one site?",
    ids(s for s in SERVICES if g.n[s]["level"] == "gold" and len(sites_of(s)) > 1),
    "level and the distinct sites of the clusters.",
)
q(
    "combined",
    "On 1 January 2023, which clusters stood in a hall at the Old Mint?",
    ids(g.inn(halls_at("SIT-4"), "HOUSED_IN", "2023-01-01")),
    "HOUSED_IN on that day into the hall of SIT-4.",
)
_nl = g.t("Customer", lambda r: r["country"] == "Netherlands")
q(
    "combined",
    "How much do customers from the Netherlands pay us in subscription fees a month, all in all?",
    num(sum(e["eur_month"] for e in g.valid("SUBSCRIBES_TO") if e["source"] in _nl)),
    "Sum of eur_month over SUBSCRIBES_TO valid now, country Netherlands.",
)

degree, between = g.degree(), g.betweenness()
q(
    "centrality",
    "Which service has the most direct connections, all kinds of link counted?",
    ids(lead(of(degree, SERVICES))),
    "Highest degree among services over valid relations.",
)
q(
    "centrality",
    "hall with the highest betweenness in the network?",
    ids(lead(of(between, HALLS))),
    "Highest undirected betweenness among halls.",
)
q(
    "centrality",
    "Going by replication alone, into how many separate groups do our clusters fall?",
    num(g.pieces(CLUSTERS, "REPLICATES_TO")),
    "Connected components over REPLICATES_TO valid now; every cluster has one.",
)

q(
    "unanswerable",
    "Which hall is Osprey in?",
    no("ambiguous", "CLU-3", "CLU-4"),
    "Osprey One and Osprey Two.",
)
q(
    "unanswerable",
    "who's the on-call engineer for Emerald tonight",
    no("not_in_schema"),
    "No engineers.",
)
q(
    "unanswerable",
    "How much a month does Sunrise Logistics pay for the Backup Vault?",
    no("unknown_entity"),
    "No such customer.",
)

assert len(rows) == 42
write("datacentre", rows)
