"""Gold of the studio set: 42 questions over 14 categories, answered in plain Python.

Run as `python bench/questions/gold_studio.py [--show]`."""

from gold_common import G, OUT, asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = G(OUT / "domains" / "studio")
rows, q = asking("st")

TITLES, TEAMS, MIDDLEWARE = g.t("Title"), g.t("Team"), g.t("Middleware")
LIVE = g.t("Title", lambda r: r["stage"] == "live")
OPEN = g.t("Incident", lambda r: r["status"] == "open")
using = lambda software: g.inn(software, "BUILT_ON")
licensors = lambda software: g.inn(software, "LICENSES")
hired = lambda titles: g.inn(titles, "HIRED_FOR")

q(
    "lookup",
    "What does Gearhead cost on the Vega Console?",
    num(g.edge("TTL-07", "SHIPS_ON", "PL-1")["price_eur"]),
    "price_eur on TTL-07 SHIPS_ON PL-1.",
)
q(
    "lookup",
    "List all our games that are still in production.",
    ids(g.t("Title", lambda r: r["stage"] == "production")),
    "stage production.",
)
q(
    "lookup",
    "which producer looks after pocket parade",
    ids(g.inn("TTL-06", "OVERSEES")),
    "OVERSEES into TTL-06.",
)

q(
    "multi_hop",
    "Which contractors are at work on games that use the Kestrel Engine?",
    ids(hired(using("MW-2"))),
    "MW-2 <- titles <- contractors.",
)
q(
    "multi_hop",
    "Where can players buy the games that Owen Hollis is in charge of? I need the platforms.",
    ids(g.out(g.out("PD-2", "OVERSEES"), "SHIPS_ON")),
    "PD-2 -> titles -> platforms; Cumulus has ended.",
)
q(
    "multi_hop",
    "How many different licensors stand behind the middleware of Emberfall 2?",
    num(len(licensors(g.out("TTL-03", "BUILT_ON")))),
    "TTL-03 -> middleware <- licensors, each once.",
)

_mesh = g.out("IN-2", "BREAKS")
q(
    "downstream",
    "Start from the middleware that the matchmaking outage is breaking, add whatever middleware "
    "needs it, and tell me which titles use any of that.",
    ids(using(_mesh | g.walk(_mesh, "NEEDS", back=True))),
    "IN-2 -> MW-5 <- MW-6, then titles; MW-9 is over, and would add none.",
)
q(
    "downstream",
    "Should Anvilworks go under, which teams are working on something built on its middleware?",
    ids(g.inn(using(g.out("LI-1", "LICENSES")), "DEVELOPS")),
    "LI-1 -> middleware <- titles <- teams.",
)
_saves = using(g.out("IN-1", "BREAKS"))
q(
    "downstream",
    "How many thousand copies have been sold, on the platforms they are on now, "
    "of the games using the engine that Save Corruption breaks?",
    num(sum(e["sold_k"] for e in g.valid("SHIPS_ON") if e["source"] in _saves)),
    "IN-1 -> MW-1 <- titles, sum of sold_k over SHIPS_ON valid now.",
)

q(
    "path",
    "Shortest connection between Bastion Security and Inês Carvalho?",
    {"path": g.paths("LI-6", "PD-3")},
    "LI-6 to PD-3 over any relations.",
)
q(
    "path",
    "whats the smallest number of steps from droidmart to the foundry",
    num(len(g.paths("PL-5", "TM-1")[0]) - 1),
    "Length of the shortest path PL-5 to TM-1.",
)
q(
    "path",
    "Show the route by which Kestrel Interactive's software gets into Emberfall II.",
    {"path": g.paths("LI-2", "TTL-03")},
    "LI-2 to TTL-03; only one, and not by its engine.",
)

q(
    "aggregation",
    "Yearly licence fees by licensor, dearest first.",
    rank(g.total("LICENSES", "source", "fee_keur")),
    "Sum of fee_keur over LICENSES valid now, by licensor.",
)
_sold = g.total("SHIPS_ON", "target", "sold_k")
q(
    "aggregation",
    "Which platform has sold the most copies, if you add up all the games on it today?",
    ids(lead(_sold)),
    "Highest sum of sold_k over SHIPS_ON valid now.",
)
q(
    "aggregation",
    "average budget of our live titles, in k eur",
    num(mean(g.n[t]["budget_keur"] for t in LIVE)),
    "Mean budget_keur of the titles at stage live.",
)

q(
    "temporal",
    "Since when has Owen Hollis been overseeing Emberfall?",
    {"date": g.edge("PD-2", "OVERSEES", "TTL-01")["valid_from"]},
    "valid_from of PD-2 OVERSEES TTL-01.",
)
q(
    "temporal",
    "What did we have on Cumulus on 1 January 2024?",
    ids(g.inn("PL-6", "SHIPS_ON", "2024-01-01")),
    "SHIPS_ON into PL-6 on 2024-01-01.",
)
q(
    "temporal",
    "For which games did a contractor's engagement come to an end during 2025?",
    ids(
        e["target"] for e in g.valid("HIRED_FOR", None) if (e["valid_to"] or "").startswith("2025-")
    ),
    "Targets of HIRED_FOR that ended in 2025.",
)

q(
    "what_if",
    "If Dev Malhotra resigned, which live games would have no producer?",
    ids(t for t in LIVE if g.inn(t, "OVERSEES") == {"PD-4"}),
    "Live titles that PD-4 alone oversees now.",
)
_testing = {t: set() for t in TITLES}
for e in g.valid("HIRED_FOR"):
    if e["task"] == "testing":
        _testing[e["target"]].add(e["source"])
q(
    "what_if",
    "Bugbusters goes bust tomorow. Which titles then have nobody hired for testing any more?",
    ids(t for t, firms in _testing.items() if firms == {"CT-3"}),
    "Titles whose testing is CT-3's alone now.",
)
q(
    "what_if",
    "Suppose the Keystone PC Store threw us out: which games could no longer be bought anywhere?",
    ids(t for t in TITLES if g.out(t, "SHIPS_ON") == {"PL-3"}),
    "Titles on sale on PL-3 alone now.",
)

q(
    "spof",
    "Which live titles have only a single team working on them?",
    ids(t for t in LIVE if len(g.inn(t, "DEVELOPS")) == 1),
    "Live, in-degree 1 on DEVELOPS valid now.",
)
q(
    "spof",
    "Middleware that comes from one licensor only and is used by more than two titles?",
    ids(m for m in MIDDLEWARE if len(licensors(m)) == 1 and len(using(m)) > 2),
    "In-degree 1 on LICENSES, in-degree above 2 on BUILT_ON, both now.",
)
_second = {m for m in g.out("TTL-09", "BUILT_ON") if len(licensors(m)) > 1}
q(
    "spof",
    "Is there a second licensor for any of the middleware that Nine Lanterns uses?",
    yes(_second, _second),
    "TTL-09 uses MW-1, which LI-1 alone licenses.",
)

q(
    "inverse",
    "contractors that aren't hired for any title right now?",
    ids(g.t("Contractor") - hired(TITLES)),
    "All contractors less the sources of HIRED_FOR valid now.",
)
q(
    "inverse",
    "Which of the live games use no middleware with an open incident?",
    ids(LIVE - using(g.out(OPEN, "BREAKS"))),
    "Live titles less those using MW-1, MW-4, MW-5 or MW-6.",
)
_racing = g.t("Title", lambda r: r["genre"] == "racing")
q(
    "inverse",
    "Name the teams that have never worked on a racing game.",
    ids(TEAMS - g.inn(_racing, "DEVELOPS", None)),
    "All teams less those that ever developed a racing title.",
)

_two = ("TTL-03", "TTL-05")
_firms = [hired(t) for t in _two]
q(
    "compare",
    "Emberfall II versus Tidewatch: Deep: how much middleware and how many contractors "
    "does each have, and which contractors do they share?",
    cmp_(
        *_two,
        middleware=[len(g.out(t, "BUILT_ON")) for t in _two],
        contractors=[len(f) for f in _firms],
        shared_contractors=sorted(_firms[0] & _firms[1]),
    ),
    "BUILT_ON and HIRED_FOR valid now.",
)
q(
    "compare",
    "Which middleware does Gearhead run on that Tidewatch doesn't?",
    ids(g.out("TTL-07", "BUILT_ON") - g.out("TTL-04", "BUILT_ON")),
    "Difference of middleware.",
)
_bill = of(g.total("HIRED_FOR", "source", "cost_keur"), ("CT-3", "CT-6"))
q(
    "compare",
    "who is costing us more on current jobs, bugbusters or redpoint? both totals pls",
    cmp_("CT-3", "CT-6", cost_keur=list(_bill.values()), higher=lead(_bill)[0]),
    "Sum of cost_keur over HIRED_FOR valid now.",
)

_grave = g.where(OPEN, lambda r: r["severity"] in ("high", "critical"))
q(
    "risk",
    "Which producers have a title that uses middleware broken by an open incident "
    "of high or critical severity?",
    ids(g.inn(using(g.out(_grave, "BREAKS")), "OVERSEES")),
    "Open, high or critical, -> middleware <- titles <- producers.",
)
_down = dict.fromkeys(TITLES, 0)
for e in g.valid("TAKES_DOWN", None):
    _down[e["target"]] += e["hours_down"]
q(
    "risk",
    "Which game has been down for the most hours in all, fixed incidents included?",
    ids(lead(_down)),
    "Highest sum of hours_down over all TAKES_DOWN.",
)
q(
    "risk",
    "Rank the open incidents that break middleware by the crash reports a day they cause now.",
    rank(of(g.total("BREAKS", "source", "crashes_day"), g.inn(MIDDLEWARE, "BREAKS") & OPEN)),
    "Sum of crashes_day over BREAKS valid now, by open incident.",
)

_dear = {e["source"] for e in g.valid("SHIPS_ON") if e["price_eur"] > 30}
_royal = {e["source"] for e in g.valid("BUILT_ON") if e["royalty_pct"] >= 5}
q(
    "combined",
    "Games that sell for over 30 euros somewhere and pay a royalty of 5 percent or more?",
    ids(_dear & _royal),
    "price_eur on SHIPS_ON and royalty_pct on BUILT_ON together.",
)
_work = {t: g.out(t, "DEVELOPS") for t in TEAMS}
q(
    "combined",
    "Which teams work on nothing but live titles these days?",
    ids(t for t, titles in _work.items() if titles and titles <= LIVE),
    "Universal over DEVELOPS valid now.",
)
_ops = g.out("TM-6", "DEVELOPS")
q(
    "combined",
    "What is the average price on Keystone of the games that Live Ops works on?",
    num(
        mean(
            e["price_eur"]
            for e in g.valid("SHIPS_ON")
            if e["target"] == "PL-3" and e["source"] in _ops
        )
    ),
    "Mean price_eur over SHIPS_ON into PL-3 of TM-6's titles.",
)

degree, between = g.degree(), g.betweenness()
q(
    "centrality",
    "Which title has the highest degree, all kinds of relations counted?",
    ids(lead(of(degree, TITLES))),
    "Highest degree among titles over valid relations.",
)
q(
    "centrality",
    "Links taken both ways, which middleware lies on the most shortest paths of the network "
    "(betweenness)?",
    ids(lead(of(between, MIDDLEWARE))),
    "Highest undirected betweenness among middleware.",
)
q(
    "centrality",
    "Incidents aside, which nodes have no link to anything as things stand?",
    ids(i for i, k in degree.items() if not k and g.n[i]["type"] != "Incident"),
    "Degree 0 over valid relations.",
)

q(
    "unanswerable",
    "What review score did Lumen & Lark get from the press?",
    no("not_in_schema"),
    "No reviews.",
)
q("unanswerable", "Which team is making Starhollow?", no("unknown_entity"), "No such title.")
q(
    "unanswerable",
    "Which games does Hollis oversee?",
    no("ambiguous", "PD-2", "PD-5"),
    "Owen and Lena Hollis.",
)

assert len(rows) == 42
write("studio", rows)
