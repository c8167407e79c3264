"""Blind questions for a software estate; gold computed from the data. usage: python3 gold.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
HITS has valid_from = the day of the incident and no end; an incident is open while status is active, on a past day from
date to ended_date, both included. Degree and betweenness: undirected, all current nodes and relations."""

import collections, pathlib
from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent


def sub(g, f, rel=None):
    """The same graph with only the entities that pass f, and one relation if named."""
    h = G.__new__(G)
    h.n = {i: r for i, r in g.n.items() if f(r)}
    h.e = [e for e in g.e if e["source"] in h.n and e["target"] in h.n and rel in (None, e["type"])]
    return h


def estate(g):
    q = []
    add = lambda c, text, gold, note: q.append((c, text, gold, note))
    T, E, S, L, H, D, V, K, I = (
        g.t(x)
        for x in "Team Engineer Service Library Host DataStore Vendor Customer Incident".split()
    )
    N = g.n
    OPEN = g.where(I, lambda r: r["status"] == "active")
    tier = lambda k: g.where(S, lambda r: r["tier"] == k)
    one = lambda xs: (lambda l: l[0])(list(xs)) if len(set(xs)) == 1 else 1 / 0
    hits = lambda i: g.out(i, "HITS", None)
    was_open = lambda i, d: N[i]["date"] <= d <= N[i].get("ended_date", "9999")

    # lookup
    add(
        "lookup",
        "Who gets phoned when the Tracking Feed falls over?",
        ids(g.inn("S-06", "ON_CALL_FOR")),
        "ON_CALL_FOR into S-06.",
    )
    add(
        "lookup",
        "how many seats has brenner got on the booking portal",
        num(g.edge("K-02", "SUBSCRIBES_TO", "S-01", AS_OF)["seats"]),
        "seats on K-02 SUBSCRIBES_TO S-01.",
    )
    o = g.out("K-03", "SUBSCRIBES_TO") - {"S-01"}
    add(
        "lookup",
        "Apart from the portal, does Cassidy subscribe to anything from us? What, if so?",
        yes(o, o),
        "SUBSCRIBES_TO from K-03, less S-01.",
    )
    add(
        "lookup",
        "Which data stores have a copy on Granite, please?",
        ids(g.inn("H-07", "STORED_ON")),
        "STORED_ON into H-07, primary or replica.",
    )
    add(
        "lookup",
        "What does Tidewater charge us for Fjord, per year and in thousand euros?",
        num(g.edge("H-06", "SUPPLIED_BY", "V-7", AS_OF)["fee_keur_year"]),
        "fee_keur_year on H-06 SUPPLIED_BY V-7.",
    )

    # multi_hop
    add(
        "multi_hop",
        "Which vendors do the servers under the Booking Portal come from?",
        ids(g.out(g.out("S-01", "RUNS_ON"), "SUPPLIED_BY")),
        "S-01 -> hosts -> vendors.",
    )
    add(
        "multi_hop",
        "Every customer who subscribes to something that Team Otter owns, please.",
        ids(g.inn(g.inn("T-3", "OWNED_BY"), "SUBSCRIBES_TO")),
        "T-3 <- services <- customers. Address Checker has left the team; future subscriptions do not count.",
    )
    add(
        "multi_hop",
        "We're taking the Session Cache down tonight for maintenance. Who is on call for the services that read it or write to it? I'd like to warn them all.",
        ids(g.inn(g.inn("D-05", "READS") | g.inn("D-05", "WRITES"), "ON_CALL_FOR")),
        "D-05 <- READS or WRITES <- ON_CALL_FOR.",
    )
    lib = {l for l in g.out("S-12", "USES") if "V-6" in g.out(l, "SUPPLIED_BY")}
    add(
        "multi_hop",
        "Is there anything from Paperworks inside the Label Printer as it is built today, and if so which library?",
        yes(lib, lib),
        "S-12 -> library -> V-6. Oldsoap (use expired) is no answer.",
    )
    add(
        "multi_hop",
        "On which hosts do the services that Galway Medical pays for run?",
        ids(g.out(g.out("K-07", "SUBSCRIBES_TO"), "RUNS_ON")),
        "K-07 -> services -> hosts.",
    )

    # downstream
    sup = g.inn("V-7", "SUPPLIED_BY")
    sv = (
        g.inn(sup & H, "RUNS_ON")
        | g.inn(sup & D, "READS")
        | g.inn(sup & D, "WRITES")
        | g.inn(sup & L, "USES")
    )
    add(
        "downstream",
        "Give me everything that hangs on Tidewater Cloud: the hosts and data stores we get from them, the services that run on those hosts or read or write those stores, and the customers subscribed to those services.",
        ids(sup | sv | g.inn(sv, "SUBSCRIBES_TO")),
        "Union of three layers under V-7; it supplies no library today.",
    )
    add(
        "downstream",
        "If Carrier Connect stops answering, which services feel it, directly or further up the call chain?",
        ids(g.walk("S-11", "CALLS", back=True)),
        "CALLS backwards from S-11, any depth.",
    )
    on_anvil = g.inn("H-01", "RUNS_ON")
    add(
        "downstream",
        "How many seats in all have customers taken on services that run on Anvil?",
        num(sum(e["seats"] for e in g.valid("SUBSCRIBES_TO") if e["target"] in on_anvil)),
        "Sum of seats over SUBSCRIBES_TO into the services on H-01.",
    )
    st = g.inn("T-6", "OWNED_BY")
    up = st | g.walk(st, "CALLS", back=True)
    add(
        "downstream",
        "Team Stoat is about to ship a risky change to all its services. Which gold-plan customers use one of those services or any service that depends on them through calls, however many steps away?",
        ids(g.where(g.inn(up, "SUBSCRIBES_TO"), lambda r: r["plan"] == "gold")),
        "T-6 <- services, with CALLS backwards, <- gold customers.",
    )
    x = g.inn("L-05", "USES")
    add(
        "downstream",
        "hashmoor: which services are built with it and which teams own those? both in one list",
        ids(x | g.out(x, "OWNED_BY")),
        "L-05 <- USES -> OWNED_BY; Fraud Screen's use has expired.",
    )

    # path
    p = g.paths("S-13", "S-07", "CALLS", True)
    add(
        "path",
        "Show me the shortest call chain from the Claims Handler to the Notification Hub.",
        {"path": p if len(p) > 1 else p[0]},
        "CALLS, directed, shortest; all that tie.",
    )
    add(
        "path",
        "Counting links of any kind, how far apart are Foss & Daughters and Moorside Security at the closest?",
        num(len(g.paths("K-06", "V-4")[0]) - 1),
        "Length of the shortest undirected path K-06 to V-4, over relations valid today.",
    )
    p, w = g.cheapest("H-10", "H-09", "LINKED_TO", "latency_ms")
    add(
        "path",
        "Which way through the network from Juniper to Iris has the least latency in total?",
        {"path": one([tuple(y) for y in p])},
        "Least sum of latency_ms over LINKED_TO, both ways; the Ember-Juniper link has gone.",
    )
    add(
        "path",
        "whats the lowest total latency you can get between Kiln and Ember, in ms",
        num(g.cheapest("H-11", "H-05", "LINKED_TO", "latency_ms")[1]),
        "Least sum of latency_ms over LINKED_TO, both ways.",
    )

    def reach(x, cut, rel, back=False):
        seen, f = {x}, [x]
        while f:
            y = f.pop()
            for z in g.out(y, rel) - seen - {cut}:
                seen.add(z)
                f.append(z)
        return seen

    must = {s for s in S - {"S-01", "S-11"} if "S-11" not in reach("S-01", s, "CALLS")}
    add(
        "path",
        "Through which service must every chain of calls from the Booking Portal to Carrier Connect pass?",
        ids(must),
        "Cut node between S-01 and S-11 over CALLS, directed.",
    )

    # aggregation
    u = {h: sum(e["instances"] for e in g.valid("RUNS_ON") if e["target"] == h) for h in H}
    add(
        "aggregation",
        "Which host carries the most service instances, all services added up?",
        ids([one(lead(u))]),
        "Sum of instances over RUNS_ON by host; one winner.",
    )
    add(
        "aggregation",
        "What do we pay Oakline in a year altogether, in thousand euros?",
        num(sum(e["fee_keur_year"] for e in g.valid("SUPPLIED_BY") if e["target"] == "V-5")),
        "Sum of fee_keur_year into V-5; Ember's old contract is out.",
    )
    pd = g.where(D, lambda r: r["personal_data"] == "yes")
    add(
        "aggregation",
        "Average size of the data stores with personal data in them, in GB?",
        num(g.sum(pd, "size_gb") / len(pd)),
        "Mean size_gb over personal_data yes.",
    )
    add(
        "aggregation",
        "Services per team, as things stand, biggest owner first",
        rank({t: len(g.inn(t, "OWNED_BY")) for t in T}),
        "In-degree on OWNED_BY by team.",
    )
    dc = {s: len(g.inn(s, "SUBSCRIBES_TO")) for s in S}
    add(
        "aggregation",
        "Which of our services has the largest number of different customers?",
        ids([one(lead(dc))]),
        "In-degree on SUBSCRIBES_TO; one winner.",
    )

    # temporal
    add(
        "temporal",
        "Since when has the Address Checker been Magpie's?",
        {"date": g.edge("S-15", "OWNED_BY", "T-1", AS_OF)["valid_from"]},
        "valid_from of S-15 OWNED_BY T-1.",
    )
    add(
        "temporal",
        "Who was on call for login in February 2026?",
        ids(g.inn("S-10", "ON_CALL_FOR", "2026-02-15")),
        "ON_CALL_FOR into S-10 on a day of that month; the same all month.",
    )
    ch = {
        a["source"]
        for a in g.valid("OWNED_BY", None)
        for b in g.valid("OWNED_BY", None)
        if a["source"] == b["source"]
        and a["target"] != b["target"]
        and (a["valid_to"] or "9999") < AS_OF
        and "2025-01-01" <= (b["valid_from"] or "") <= AS_OF
    }
    add(
        "temporal",
        "Which services have passed from one team to another since the start of 2025?",
        ids(ch),
        "An OWNED_BY that ended and another that began between 2025-01-01 and today. Claims Handler lost its team without a new one; Notification Hub's move is still to come.",
    )
    d = "2026-08-31"
    add(
        "temporal",
        "Anything that'll be running on Kiln on the last day of this month?",
        yes(g.inn("H-11", "RUNS_ON", d), g.inn("H-11", "RUNS_ON", d)),
        "RUNS_ON into H-11 on 2026-08-31.",
    )
    add(
        "temporal",
        "Customers whose subscription to something lapsed between 1 August 2025 and 31 July 2026, please",
        ids(
            e["source"]
            for e in g.valid("SUBSCRIBES_TO", None)
            if "2025-08-01" <= (e["valid_to"] or "9999") <= "2026-07-31"
        ),
        "SUBSCRIBES_TO with valid_to in that span.",
    )

    # what_if
    add(
        "what_if",
        "If Brenner Motors walked away, which services would be left without a single subscriber?",
        ids(s for s in S if g.inn(s, "SUBSCRIBES_TO") == {"K-02"}),
        "Services whose only customer is K-02.",
    )
    add(
        "what_if",
        "Say we pull the plug on Dune. Which services have nowhere left to run?",
        ids(s for s in S if g.out(s, "RUNS_ON") == {"H-04"}),
        "Services that run on H-04 only.",
    )
    site = N["H-07"]["site"]
    add(
        "what_if",
        "We'd like to move the Document Vault off Granite but stay in the same data centre. Which other hosts there have more cores than Granite?",
        ids(g.where(H, lambda r: r["site"] == site and r["cores"] > N["H-07"]["cores"])),
        "Hosts at H-07's site with more cores.",
    )
    fire = {"H-01", "H-06"}
    dead = {s for s in S if (r := g.out(s, "RUNS_ON")) and r <= fire}
    add(
        "what_if",
        "suppose Anvil and Fjord went dark at the same moment. how many customers would have at least one service they subscribe to with no host left?",
        num(len(g.inn(dead, "SUBSCRIBES_TO"))),
        "Services whose hosts are all among H-01 and H-06; their customers counted.",
    )
    add(
        "what_if",
        "Suppose Moorside's contract ended today. For which libraries would we have no vendor left?",
        ids(l for l in L if g.out(l, "SUPPLIED_BY") == {"V-4"}),
        "Libraries whose only vendor is V-4; Oldsoap has moved away.",
    )

    # spof
    add(
        "spof",
        "Which tier 1 services run on one host only?",
        ids(s for s in tier(1) if len(g.out(s, "RUNS_ON")) == 1),
        "Out-degree 1 on RUNS_ON, tier 1.",
    )
    two = {l for l in ("L-03", "L-04") if len(g.out(l, "SUPPLIED_BY")) > 1}
    add(
        "spof",
        "Have we a second vendor today for either Geolith or Quillpdf?",
        yes(two, two),
        "Out-degree of L-03 and L-04 on SUPPLIED_BY is 1 each; Geolith's second contract only starts in 2027.",
    )
    add(
        "spof",
        "engineers who are the only person on call for some service",
        ids({next(iter(o)) for s in S if len(o := g.inn(s, "ON_CALL_FOR")) == 1}),
        "Engineers on services with in-degree 1 on ON_CALL_FOR.",
    )
    add(
        "spof",
        "Stores with personal data that sit on just one host with no replica anywhere, and that nobody backs up hourly?",
        ids(d for d in pd if len(g.out(d, "STORED_ON")) == 1 and N[d]["backup"] != "hourly"),
        "personal_data yes, one STORED_ON, backup not hourly.",
    )
    add(
        "spof",
        "How many data stores are written to by exactly one service?",
        num(len([d for d in D if len(g.inn(d, "WRITES")) == 1])),
        "In-degree 1 on WRITES; those that nobody writes are out.",
    )

    # inverse
    add(
        "inverse",
        "Which libraries don't come from any vendor at all?",
        ids(L - {e["source"] for e in g.valid("SUPPLIED_BY")}),
        "Libraries less sources of SUPPLIED_BY.",
    )
    add(
        "inverse",
        "How many of our services has no customer subscribed to?",
        num(len(S - g.out(K, "SUBSCRIBES_TO"))),
        "18 less targets of SUBSCRIBES_TO valid today.",
    )
    dep = {"S-15"} | g.walk("S-15", "CALLS", back=True)
    add(
        "inverse",
        "Whose subscriptions have nothing to do with the Address Checker? I mean customers none of whose services is it or calls it, directly or by way of other services.",
        ids(K - g.inn(dep, "SUBSCRIBES_TO")),
        "All customers less those of S-15 and of the services above it on CALLS.",
    )
    idle = H - g.out(S, "RUNS_ON")
    add(
        "inverse",
        "Is there a host with no service on it right now, and which is it?",
        yes(idle, idle),
        "Hosts less targets of RUNS_ON valid today.",
    )
    add(
        "inverse",
        "Tier 2 services nobody is on call for",
        ids(tier(2) - g.out(E, "ON_CALL_FOR")),
        "Tier 2 less targets of ON_CALL_FOR.",
    )

    # compare
    tm = lambda t: (g.inn(t, "OWNED_BY"), g.inn(t, "MEMBER_OF"))
    (a, b), (c, d) = tm("T-2"), tm("T-3")
    add(
        "compare",
        "Heron against Otter: how many services and how many engineers does each team have today?",
        cmp_("T-2", "T-3", counts={"Service": [len(a), len(c)], "Engineer": [len(b), len(d)]}),
        "OWNED_BY and MEMBER_OF into each team.",
    )
    add(
        "compare",
        "What libraries does Invoice Maker use that the Payment Gateway doesn't?",
        ids(g.out("S-08", "USES") - g.out("S-03", "USES")),
        "Set difference of USES.",
    )
    fees = {
        v: [e["fee_keur_year"] for e in g.valid("SUPPLIED_BY") if e["target"] == v]
        for v in ("V-5", "V-7")
    }
    mean = {v: round(sum(x) / len(x), 4) for v, x in fees.items()}
    add(
        "compare",
        "Per contract and year, who is dearer on average, Oakline or Tidewater? Both figures please.",
        cmp_(
            "V-5", "V-7", average_fee_keur_year=[mean["V-5"], mean["V-7"]], higher=one(lead(mean))
        ),
        "Means over SUPPLIED_BY valid today.",
    )
    add(
        "compare",
        "K-1 and K-8, which services do both of them have?",
        ids(g.out("K-01", "SUBSCRIBES_TO") & g.out("K-08", "SUBSCRIBES_TO")),
        "[hard] Short ids for K-01 and K-08. Intersection of SUBSCRIBES_TO.",
    )
    f = lambda s: (g.out(s, "RUNS_ON"), g.walk(s, "CALLS"))
    (a, b), (c, d) = f("S-08"), f("S-18")
    add(
        "compare",
        "Invoice Maker vs Dock Scheduler: number of services each depends on through calls, direct or not, and which of those they have in common?",
        cmp_(
            "S-08", "S-18", counts={"Service": [len(b), len(d)]}, shared={"Service": sorted(b & d)}
        ),
        "CALLS from each, any depth.",
    )

    # risk
    below = {"S-04"} | g.walk("S-04", "CALLS")
    add(
        "risk",
        "Which open incidents hit the Rate Calculator or any service it calls, directly or further down?",
        ids(i for i in OPEN if hits(i) & below),
        "S-04 and CALLS from it, any depth; HITS of active incidents.",
    )
    n = collections.Counter(t for i in OPEN for t in hits(i))
    add(
        "risk",
        "What one thing in the estate is being hit directly by the most open incidents at once?",
        ids([one(lead(n))]),
        "In-degree on HITS from active incidents; one winner.",
    )
    bad = {t for i in OPEN if N[i]["severity"] in ("critical", "high") for t in hits(i)} & S
    add(
        "risk",
        "customers exposed to anything serious at the moment, i.e. subscribed to a service that an open incident of high or critical severity has hit directly",
        ids(g.inn(bad, "SUBSCRIBES_TO")),
        "Active, high or critical, HITS a service, its customers.",
    )
    add(
        "risk",
        "How many minutes of downtime has each open incident cost us so far? Worst first.",
        rank(
            {i: sum(e["downtime_min"] for e in g.valid("HITS") if e["source"] == i) for i in OPEN}
        ),
        "Sum of downtime_min over HITS by active incident.",
    )
    hot = {t for i in OPEN for t in hits(i)}
    clean = {
        s
        for s in tier(1)
        if not (
            {s} | g.out(s, "RUNS_ON") | g.out(s, "READS") | g.out(s, "WRITES") | g.out(s, "USES")
        )
        & hot
    }
    add(
        "risk",
        "Do we have any tier 1 service that's clear of trouble: no open incident on the service itself, on a host it runs on, on a store it reads or writes or on a library it uses? Which ones?",
        yes(clean, clean),
        "Tier 1 less those whose own neighbours on RUNS_ON, READS, WRITES, USES are hit by an active incident.",
    )

    # combined
    day = "2025-11-04"
    hh = {t for i in I if was_open(i, day) for t in hits(i)} & H
    add(
        "combined",
        "On 4 November 2025, which services were running on a host hit by an incident that was open that day?",
        ids(g.inn(hh, "RUNS_ON", day)),
        "Incidents open on the day -> HITS host <- RUNS_ON valid on the day.",
    )
    add(
        "combined",
        "Which engineers hired before 2018 belong to a team that owns a service directly hit by an open incident?",
        ids(
            g.where(
                g.inn(g.out(hot & S, "OWNED_BY"), "MEMBER_OF"), lambda r: r["hired"] < "2018-01-01"
            )
        ),
        "Active incident -> service -> team <- MEMBER_OF, hired before 2018.",
    )
    add(
        "combined",
        "Vendors we rate C that an open incident has hit and that supply a host some tier 1 service runs on: which?",
        ids(
            g.where(
                hot & g.out(g.out(tier(1), "RUNS_ON"), "SUPPLIED_BY"), lambda r: r["rating"] == "C"
            )
        ),
        "Tier 1 -> host -> vendor, rating C, HITS by an active incident.",
    )
    add(
        "combined",
        "Which services used Oldsoap or ran on Kiln on 1 June 2025 and do neither today?",
        ids(
            (g.inn("L-10", "USES", "2025-06-01") | g.inn("H-11", "RUNS_ON", "2025-06-01"))
            - g.inn("L-10", "USES")
            - g.inn("H-11", "RUNS_ON")
        ),
        "USES or RUNS_ON on the day, less today's.",
    )
    add(
        "combined",
        "single-host services that no team owns or that nobody is on call for, but which still have more than one paying customer",
        ids(
            s
            for s in S
            if len(g.out(s, "RUNS_ON")) == 1
            and (not g.out(s, "OWNED_BY") or not g.inn(s, "ON_CALL_FOR"))
            and len(g.inn(s, "SUBSCRIBES_TO")) > 1
        ),
        "One host, no owner or no on-call, more than one customer.",
    )

    # centrality
    d1, d2 = g.degree(), g.degree(False)
    assert lead(d1) == lead(d2), (lead(d1), lead(d2))
    add(
        "centrality",
        "Taking links of all kinds together, who or what is the most connected node?",
        ids(lead(d1)),
        "Highest total degree over valid relations.",
    )
    bt = {k: v for k, v in g.betweenness().items() if N[k]["type"] == "Host"}
    add(
        "centrality",
        "By betweenness, with every link two-way, which of our servers is the biggest bottleneck in the whole estate?",
        ids([one(lead(bt))]),
        "Highest betweenness among hosts, undirected, all current relations.",
    )
    ci = {s: len(g.inn(s, "CALLS")) for s in S}
    add(
        "centrality",
        "which services are called by the most other services? direct calls only",
        ids(lead(ci)),
        "Highest in-degree on CALLS; ties listed.",
    )
    dg = sub(g, lambda r: r["type"] != "Incident").degree(False)
    dm = sub(g, lambda r: r["type"] != "Incident").degree()
    assert {k for k, v in dg.items() if v == 1} == {k for k, v in dm.items() if v == 1}
    add(
        "centrality",
        "If we leave incidents out of the picture, which nodes hang on by a single link?",
        ids(k for k, v in dm.items() if v == 1),
        "Degree 1 in the graph of valid relations without incidents.",
    )
    cut = {
        h
        for h in H
        if sub(g, lambda r: r["id"] != h).pieces(H - {h}, "LINKED_TO") > g.pieces(H, "LINKED_TO")
    }
    add(
        "centrality",
        "Looking at the network links only: which hosts would, on going down, split the rest of the hosts into groups that can't reach each other?",
        ids(cut),
        "Articulation points over LINKED_TO, both ways.",
    )

    # unanswerable
    add(
        "unanswerable",
        "Which data stores does the gateway read?",
        no("ambiguous", "S-02", "S-03"),
        "API Gateway and Payment Gateway. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "What team is Okafor in these days?",
        no("ambiguous", "E-01", "E-02"),
        "Two engineers named Okafor. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "s-19 - what does it call?",
        no("unknown_entity"),
        "[hard] Well-formed id past the last service.",
    )
    add(
        "unanswerable",
        "Which services is Samira Khan on call for?",
        no("unknown_entity"),
        "No such engineer.",
    )
    add(
        "unanswerable",
        "What salary are we paying Priya Nair?",
        no("not_in_schema"),
        "No pay in the schema.",
    )
    return q


g = G(HERE / "domains" / "estate")
rows = [
    {"id": f"es-{k:03}", "category": c, "query": t, "gold": gold, "note": note}
    for k, (c, t, gold, note) in enumerate(estate(g), 1)
]
assert (
    collections.Counter(r["category"] for r in rows)
    == {c: 5 for c in {r["category"] for r in rows}}
    and len(rows) == 70
)
write("estate", rows)
