"""Blind questions for the telecom carrier; gold computed from the data.

usage: python3 gold_telecom.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
A type names all of its nodes. Degree and betweenness: undirected, all current nodes and relations."""

import collections, pathlib

from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent
g = G(HERE / "domains" / "telecom")
n = g.n
SITE, ROUTER, CABLE, SERVICE, CUSTOMER, VENDOR, TECH, REL, OUT = (
    g.t(x)
    for x in (
        "Site",
        "Router",
        "Cable",
        "Service",
        "Customer",
        "Vendor",
        "Technician",
        "Release",
        "Outage",
    )
)
has = lambda p, v: lambda r: r.get(p) == v


def trunks(without=()):
    """Router -> its trunk neighbours, both ways."""
    a = {r: set() for r in ROUTER if r not in without}
    for e in g.valid("TRUNKED_TO"):
        if e["source"] in a and e["target"] in a:
            a[e["source"]].add(e["target"])
            a[e["target"]].add(e["source"])
    return a


def reach(a, x):
    seen, todo = {x}, [x]
    while todo:
        for y in a[todo.pop()] - seen:
            seen.add(y)
            todo.append(y)
    return seen


def hops(a, b):
    return g.paths(a, b, rel="TRUNKED_TO")


q = []


def add(kind, style, text, gold, note):
    q.append((kind, style, text, gold, note))


# --- lookup along one relation
add(
    "lookup",
    "plain",
    "Which routers are at Port Haddon Exchange?",
    ids(g.inn("S-HAD", "HOUSED_AT")),
    "HOUSED_AT into S-HAD.",
)
add(
    "lookup",
    "indirect",
    "there's a problem up at Hollinside Mast, who looks after it?",
    ids(g.inn("S-HOL", "LOOKS_AFTER")),
    "LOOKS_AFTER into S-HOL.",
)
add(
    "lookup",
    "plain",
    "What release is R-07 on?",
    ids(g.out("R-07", "RUNS")),
    "Id. RUNS out of R-07.",
)

# --- two and three hops
cu_on = lambda cables: g.inn(g.inn(cables, "ROUTED_OVER"), "SUBSCRIBES_TO")
add(
    "multi_hop",
    "plain",
    "Which customers have a service that rides on the Vale Trunk?",
    ids(cu_on("C-05")),
    "C-05 <- services <- customers.",
)
mast = g.t("Site", has("kind", "mast"))
add(
    "multi_hop",
    "indirect",
    "Whose software is it that runs on the routers out at the masts? The publisher, I mean.",
    ids(g.out(g.out(g.inn(mast, "HOUSED_AT"), "RUNS"), "PUBLISHED_BY")),
    "Masts <- routers -> releases -> vendors.",
)
add(
    "multi_hop",
    "indirect",
    "Tessel Mobile want to know who maintains the cables their services ride on. Which vendors are those?",
    ids(g.inn(g.out(g.out("CU-04", "SUBSCRIBES_TO"), "ROUTED_OVER"), "MAINTAINS")),
    "CU-04 -> services -> cables <- vendors.",
)
add(
    "multi_hop",
    "indirect",
    "Health Net is provisioned on a couple of routers. Who are the technicians looking after the sites where those stand?",
    ids(g.inn(g.out(g.out("SV-09", "PROVISIONED_ON"), "HOUSED_AT"), "LOOKS_AFTER")),
    "SV-09 -> routers -> sites <- technicians.",
)
add(
    "multi_hop",
    "indirect",
    "who's the boss of the tech that looks after Skerry Landing Station",
    ids(g.out(g.inn("S-SKE", "LOOKS_AFTER"), "REPORTS_TO")),
    "S-SKE <- technician -> manager, one level.",
)

# --- filters on properties
add(
    "filter",
    "plain",
    "List the buried cables longer than 40 km.",
    ids(g.t("Cable", lambda r: r["construction"] == "buried" and r["length_km"] > 40)),
    "Category and number.",
)
add(
    "filter",
    "plain",
    "Which customers have a contract that ends before 2027?",
    ids(g.t("Customer", lambda r: r.get("contract_end", "9999") < "2027-01-01")),
    "Date; Stanrigg has no contract_end.",
)
add(
    "filter",
    "indirect",
    "Routers that we installed after 2020 and that have less than 100 gig of capacity, which ones are they?",
    ids(g.t("Router", lambda r: r["installed"] > "2020-12-31" and r["capacity_gbps"] < 100)),
    "Date and number.",
)

# --- negation, complement, exception
add(
    "negation",
    "plain",
    "Which cables are not maintained by any vendor?",
    ids(CABLE - g.out(VENDOR, "MAINTAINS")),
    "Complement of current MAINTAINS.",
)
add(
    "negation",
    "indirect",
    "Leaving Coast Business Fibre aside, what else have we got provisioned on HAD-CR1?",
    ids(g.inn("R-03", "PROVISIONED_ON") - {"SV-01"}),
    "Services on R-03 less SV-01.",
)
add(
    "negation",
    "indirect",
    "Which sites have slipped through the net, I mean the ones no technician is looking after as of today?",
    ids(SITE - g.out(TECH, "LOOKS_AFTER")),
    "Trinnick gets one only in September, Eastry Quay lost its own in 2025.",
)

# --- counting, sum, average
add(
    "aggregation",
    "plain",
    "How many customers take Regional SIP?",
    num(len(g.inn("SV-10", "SUBSCRIBES_TO"))),
    "Current SUBSCRIBES_TO into SV-10.",
)
add(
    "aggregation",
    "indirect",
    "If you add up all our aerial cables, how many fibres is that?",
    num(g.sum(g.t("Cable", has("construction", "aerial")), "fibres")),
    "Sum of fibres.",
)
add(
    "aggregation",
    "plain",
    "How much does Orrin Bank pay us per month in total?",
    num(sum(e["monthly_eur"] for e in g.valid("SUBSCRIBES_TO") if e["source"] == "CU-05")),
    "Sum of monthly_eur on current SUBSCRIBES_TO; Harbour Ethernet ended in 2024.",
)
huts = g.t("Site", has("kind", "hut"))
add(
    "aggregation",
    "plain",
    "What is the average number of battery hours at the huts?",
    num(g.sum(huts, "battery_hours") / len(huts)),
    "Mean of battery_hours over kind hut.",
)

# --- superlatives and top-k
old = g.where(g.inn("REL-1", "RUNS"), lambda r: True)
first = min(n[r]["installed"] for r in old)
add(
    "superlative",
    "plain",
    "Of the routers running NorOS 21.4, which was installed first?",
    ids(r for r in old if n[r]["installed"] == first),
    "Least installed among RUNS into REL-1.",
)
bill = {
    c: sum(e["monthly_eur"] for e in g.valid("SUBSCRIBES_TO") if e["source"] == c) for c in CUSTOMER
}
top3 = rank(bill, k=3)
add(
    "superlative",
    "indirect",
    "who are our three biggest custmers, going by what they pay us every month",
    {**top3, "ids": sorted(i for i, _ in top3["ranking"])},
    "Typo. Sum of monthly_eur, top three, no tie at the cut.",
)
add(
    "superlative",
    "indirect",
    "Measured as a share of its capacity, which router has the highest peak?",
    ids(lead({r: n[r]["peak_gbps"] / n[r]["capacity_gbps"] for r in ROUTER})),
    "peak_gbps / capacity_gbps.",
)

# --- grouping
add(
    "grouping",
    "plain",
    "How many sites are there per region?",
    rank(collections.Counter(n[s]["region"] for s in SITE)),
    "Groups are values of region, not nodes.",
)
spend = collections.Counter()
for e in g.valid("MAINTAINS"):
    spend[e["source"]] += e["annual_eur"]
assert set(spend) == VENDOR
add(
    "grouping",
    "indirect",
    "Can you break down for me what we spend on maintenance in a year, vendor by vendor, the most expensive at the top?",
    rank(spend),
    "Sum of annual_eur over current MAINTAINS; all seven vendors have one.",
)

# --- comparing two things
a, b = g.out("CU-05", "SUBSCRIBES_TO"), g.out("CU-10", "SUBSCRIBES_TO")
add(
    "compare",
    "plain",
    "Compare Orrin Bank and Brightwave: how many services does each take, and which do they share?",
    cmp_("CU-05", "CU-10", counts={"Service": [len(a), len(b)]}, shared={"Service": sorted(a & b)}),
    "Current SUBSCRIBES_TO.",
)
add(
    "compare",
    "indirect",
    "To get traffic up to Cawdale we can take the Moor Trunk or the Moor Diverse. Which of the two cables is the longer one?",
    cmp_("C-08", "C-12", values={"length_km": [n["C-08"]["length_km"], n["C-12"]["length_km"]]}),
    "length_km; C-12 is longer.",
)

# --- property compared with property
add(
    "property_vs_property",
    "plain",
    "Which services have a measured availability below their SLA?",
    ids(g.t("Service", lambda r: r["measured_pct"] < r["sla_pct"])),
    "Harbour Ethernet is equal, so not below.",
)
add(
    "property_vs_property",
    "indirect",
    "Which cables have more than half of their fibres still dark?",
    ids(g.t("Cable", lambda r: 2 * (r["fibres"] - r["fibres_lit"]) > r["fibres"])),
    "fibres - fibres_lit > fibres / 2.",
)

# --- universals
protected = {e["source"] for e in g.valid("ROUTED_OVER") if e["path"] == "protect"}
add(
    "universal",
    "plain",
    "Which customers take at least one service and have a protect path for every service they take?",
    ids(
        c for c in CUSTOMER if g.out(c, "SUBSCRIBES_TO") and g.out(c, "SUBSCRIBES_TO") <= protected
    ),
    "Customers with no service today are out by the wording.",
)
small = g.t("Site", lambda r: r["kind"] in ("hut", "mast"))
add(
    "universal",
    "indirect",
    "Which of our technicians look after huts or masts and no other kind of site?",
    ids(t for t in TECH if g.out(t, "LOOKS_AFTER") and g.out(t, "LOOKS_AFTER") <= small),
    "All of their current sites are huts or masts.",
)

# --- single source
add(
    "single_source",
    "plain",
    "Which services ride on only one cable?",
    ids(s for s in SERVICE if len(g.out(s, "ROUTED_OVER")) == 1),
    "Out-degree 1 on current ROUTED_OVER.",
)
add(
    "single_source",
    "indirect",
    "Give me the sites that are hangign off one singel cable.",
    ids(s for s in SITE if len(g.inn(s, "TERMINATES_AT")) == 1),
    "Typos. In-degree 1 on TERMINATES_AT; Trinnick has no cable.",
)

# --- what if
add(
    "what_if",
    "plain",
    "If Jorvik Fibreworks went bankrupt, which cables would have no maintenance vendor left?",
    ids(c for c in CABLE if g.inn(c, "MAINTAINS") == {"V-3"}),
    "Calder is on C-05 and C-08 as well.",
)
add(
    "what_if",
    "indirect",
    "Suppose a ship's anchor rips up both the Skerry Submarine Cable and the Skerry North Cable. Which services are then left without any cable at all?",
    ids(
        s
        for s in SERVICE
        if g.out(s, "ROUTED_OVER") and g.out(s, "ROUTED_OVER") <= {"C-04", "C-13"}
    ),
    "Two removed.",
)
cut = reach(trunks(), "R-01") - reach(trunks(without=("R-07",)), "R-01") - {"R-07"}
add(
    "what_if",
    "indirect",
    "we want to swap out CAW-AG1 tonight. While it's off, which other routers lose their way to ALD-CR1 over the trunks?",
    ids(cut),
    "Reach over TRUNKED_TO with and without R-07; the spare at Trinnick never had a way.",
)

# --- effects downstream of an event
add(
    "downstream",
    "plain",
    "OUT-406: which customers take a service that rides on a cable it hit?",
    ids(cu_on(g.out("OUT-406", "HIT") & CABLE)),
    "Id. Moor storm -> cables <- services <- customers.",
)
hr = g.out("OUT-404", "HIT") & ROUTER
hs = g.inn(hr, "PROVISIONED_ON")
add(
    "downstream",
    "indirect",
    "For the report on the Kirkbeck flood I need the routers it hit, the services provisioned on those routers and the customers who take those services, all in one list.",
    ids(hr | hs | g.inn(hs, "SUBSCRIBES_TO")),
    "Union of three layers.",
)
opn = g.t("Outage", has("status", "open"))
add(
    "downstream",
    "plain",
    "Which services are provisioned on a router that is hit by an open outage?",
    ids(g.inn(g.out(opn, "HIT") & ROUTER, "PROVISIONED_ON")),
    "Open outages -> routers <- services.",
)

# --- on a past day, changes, since when
add(
    "temporal",
    "plain",
    "Which release was ALD-CR1 running on 1 January 2025?",
    ids(g.out("R-01", "RUNS", "2025-01-01")),
    "Past RUNS.",
)
add(
    "temporal",
    "plain",
    "Since when has Isla Baird looked after Aldmouth Exchange?",
    {"date": g.edge("T-8", "LOOKS_AFTER", "S-ALD")["valid_from"]},
    "valid_from of LOOKS_AFTER.",
)
add(
    "temporal",
    "indirect",
    "Put the router software of 1 July 2026 next to that of 1 January 2026: on which routers is it no longer the same release?",
    ids(r for r in ROUTER if g.out(r, "RUNS", "2026-01-01") != g.out(r, "RUNS", "2026-07-01")),
    "RUNS on two days.",
)
add(
    "temporal",
    "indirect",
    "which customers gave up one of our servics in the course of 2024?",
    ids(
        e["source"]
        for e in g.valid("SUBSCRIBES_TO", None)
        if (e["valid_to"] or "").startswith("2024")
    ),
    "Typo. SUBSCRIBES_TO with valid_to in 2024.",
)

# --- paths
add(
    "path",
    "plain",
    "Which trunk route from SKE-AG1 to KIR-AG1 has the fewest hops?",
    {"path": hops("R-08", "R-05")},
    "Shortest path over TRUNKED_TO, both ways; one. By latency it would be another.",
)
fast, ms = g.cheapest("R-09", "R-08", "TRUNKED_TO", "latency_ms")
add(
    "path",
    "indirect",
    "What's the quickest way over the trunks from PEL-AC1 to SKE-AG1, adding up the latency? Router by router, please.",
    {"path": fast},
    f"Least sum of latency_ms ({ms} ms); fewer hops by WEX-AG1 but slower.",
)
add(
    "path",
    "indirect",
    "How many links are there at the very least between Larkfield Wind and Tomasz Wolny?",
    num(len(g.paths("CU-13", "T-4")[0]) - 1),
    "Shortest path in edges, any relation.",
)

# --- structure
deg = {r: len(x) for r, x in trunks().items()}
cnt = collections.Counter(x for e in g.valid("TRUNKED_TO") for x in (e["source"], e["target"]))
assert lead(deg) == lead(cnt)
add(
    "structure",
    "plain",
    "Which router has the most trunks to other routers?",
    ids(lead(cnt)),
    "The same whether parallel trunks count once or twice.",
)
add(
    "structure",
    "indirect",
    "Going by betweenness and ignoring direction, what is the single worst choke point of the whole graph?",
    ids(lead(g.betweenness())),
    "Highest betweenness over all current nodes and relations.",
)
tr, parts, left = trunks(), 0, set(ROUTER)
while left:
    left -= reach(tr, next(iter(left)))
    parts += 1
add(
    "structure",
    "indirect",
    "Looking at the trunks alone, into how many separate pieces do our routers fall? A router without any trunk counts as a piece of its own.",
    num(parts),
    "Connected components over TRUNKED_TO.",
)

# --- yes/no
eol = g.t("Release", has("lifecycle", "end of life"))
bad = g.inn(eol, "RUNS") & g.t("Router", has("role", "core"))
add(
    "yes_no",
    "plain",
    "Is any core router still on an end of life release?",
    yes(bad, bad),
    "None: no.",
)
lone = {s for s in SERVICE if len(g.out(s, "ROUTED_OVER")) == 1}
fin = g.inn(lone, "SUBSCRIBES_TO") & g.t("Customer", has("sector", "finance"))
add(
    "yes_no",
    "indirect",
    "Is there anybody among the finance customers who takes a service with just one cable under it, and if so who?",
    yes(fin, fin),
    "Trading Wave.",
)

# --- intersections and unions
add(
    "set",
    "plain",
    "Which customers take both Health Net and Blue Light Voice?",
    ids(g.inn("SV-09", "SUBSCRIBES_TO") & g.inn("SV-04", "SUBSCRIBES_TO")),
    "Intersection.",
)
add(
    "set",
    "indirect",
    "All the sites that are either on Isla Baird's patch or maintained by Watt & Sons, in one list.",
    ids(g.out("T-8", "LOOKS_AFTER") | (g.out("V-6", "MAINTAINS") & SITE)),
    "Union; Watt's contract at Skerry begins only in 2027.",
)
add(
    "set",
    "plain",
    "Which routers does Meridian maintain that Moor Broadband is also provisioned on?",
    ids(g.out("V-7", "MAINTAINS") & g.out("SV-02", "PROVISIONED_ON")),
    "Intersection.",
)

# --- before or after another event
storm, ring = n["OUT-406"]["ended"], n["OUT-401"]["ended"]
add(
    "before_after",
    "plain",
    "Which closed outages started after the Moor storm had ended?",
    ids(g.t("Outage", lambda r: r["status"] == "closed" and r["started"] > storm)),
    "started > ended of OUT-406.",
)
add(
    "before_after",
    "indirect",
    "Since the Coast Ring cut was over, which customers have started on one of our services that they still take?",
    ids(e["source"] for e in g.valid("SUBSCRIBES_TO") if (e["valid_from"] or "") > ring),
    "valid_from after ended of OUT-401 and up to today; Larkfield's telemetry is still to come but its broadband counts.",
)

# --- to be refused
add(
    "unanswerable",
    "plain",
    "Which sites does Baird look after?",
    no("ambiguous", "T-7", "T-8"),
    "Ewan and Isla.",
)
add(
    "unanswerable",
    "indirect",
    "how long is the Coast Ring cable again?",
    no("ambiguous", "C-01", "C-02", "C-14"),
    "East, West and Inland.",
)
add(
    "unanswerable",
    "plain",
    "Which routers are at Thornwick Exchange?",
    no("unknown_entity"),
    "No such site.",
)
add(
    "unanswerable",
    "indirect",
    "r-27, what software has that one got on it?",
    no("unknown_entity"),
    "Id, past the last router.",
)
add(
    "unanswerable",
    "plain",
    "Which insurance company covers the Skerry Submarine Cable?",
    no("not_in_schema"),
    "No insurers in the schema.",
)
add(
    "unanswerable",
    "plain",
    "What is Grace Okafor's salary?",
    no("not_in_schema"),
    "No pay in the schema.",
)

assert len(q) == 60, len(q)
rows = [
    {"id": f"btc-{k:03}", "category": c, "query": t, "gold": gold, "note": note}
    for k, (c, _, t, gold, note) in enumerate(q, 1)
]
write("telecom", rows)
