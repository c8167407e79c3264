"""Blind questions for the library network; gold computed from the data. usage: python3 gold.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is 2026-08-01 unless one is named.
HITS runs from the day of the event with no end; an incident is open while status is active. VAN_RUN is driven both ways.
Degree and betweenness: undirected, all current nodes and relations, incidents included unless left out."""

import collections, pathlib

import gold_common
from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent


def questions(g):
    q = []
    add = lambda c, text, gold, note="": q.append((c, text, gold, note))
    N, v = g.n, g.valid
    B, C, W, PU, S, EQ, V, P, GR, CR, M, I = (
        g.t(x)
        for x in "Branch Collection Work Publisher Staff Equipment Vendor Project Grant Courier Member Incident".split()
    )
    OP = g.where(I, lambda r: r["status"] == "active")
    hit = g.out(OP, "HITS")
    tot = lambda rel, prop, f: sum(e[prop] for e in v(rel) if f(e))
    mean = lambda xs: sum(xs) / len(xs)

    # ---- lookup
    add(
        "lookup",
        "Who curates the Quarry Company Records?",
        ids(g.inn("CO-07", "CURATES")),
        "CURATES into CO-07.",
    )
    add(
        "lookup",
        "how many hours a week does desmond do at millbrook",
        num(g.edge("SF-02", "WORKS_AT", "BR-03", AS_OF)["hours_week"]),
        "hours_week on SF-02 WORKS_AT BR-03.",
    )
    add(
        "lookup",
        "What does Pellow charge us a month for the catalogue server, in euros?",
        num(g.edge("VE-2", "SUPPLIES", "EQ-6", AS_OF)["fee_eur_month"]),
        "fee_eur_month on VE-2 SUPPLIES EQ-6.",
    )
    x = g.inn("CO-11", "BORROWS_FROM") - {"ME-6"}
    add(
        "lookup",
        "Apart from the choir, does any member borrow from the Pritchard Sheet Music? If so, who?",
        yes(x, x),
        "BORROWS_FROM into CO-11, less ME-6: nobody.",
    )

    # ---- multi_hop
    add(
        "multi_hop",
        "Which members borrow from something that's kept at the County Record Office?",
        ids(g.inn(g.inn("BR-07", "HOUSED_AT"), "BORROWS_FROM")),
        "BR-07 <- collections <- members.",
    )
    add(
        "multi_hop",
        "Gazette Page by Page: name all the vendors behind the equipment it needs, please.",
        ids(g.inn(g.out("PJ-2", "NEEDS"), "SUPPLIES")),
        "PJ-2 -> equipment <- vendors; Nordarkiv by the overhead scanner only.",
    )
    add(
        "multi_hop",
        "Going by the works we have listed, whose imprints are on the shelves at Larkfield? I mean the publishers.",
        ids(g.out(g.inn(g.inn("BR-11", "HOUSED_AT"), "PART_OF"), "PUBLISHED_BY")),
        "BR-11 <- collections <- works -> publishers.",
    )
    x = g.out(g.inn("BR-07", "WORKS_AT"), "LEADS")
    add(
        "multi_hop",
        "What projects are led by somebody who works at the Record Office?",
        ids(x),
        "BR-07 <- staff -> LEADS today.",
    )

    # ---- downstream
    eq = g.out("VE-1", "SUPPLIES")
    pj = g.inn(eq, "NEEDS")
    co = g.out(pj, "DIGITISES")
    add(
        "downstream",
        "Scanwell goes bust. Give me everything downstream of it: the equipment it supplies, the projects that need that equipment and the collections those projects digitise.",
        ids(eq | pj | co),
        "VE-1 -> equipment <- projects -> collections, union.",
    )
    co = g.inn(g.out("CR-2", "SERVES"), "HOUSED_AT")
    add(
        "downstream",
        "How many loans a year come out of collections kept at any branch that Tern serves?",
        num(tot("BORROWS_FROM", "loans_year", lambda e: e["target"] in co)),
        "CR-2 -> branches <- collections (each once); sum of loans_year.",
    )
    add(
        "downstream",
        "Which members borrow from a collection housed in a building that the Quayside flood hit?",
        ids(g.inn(g.inn(g.out("IN-1", "HITS") & B, "HOUSED_AT"), "BORROWS_FROM")),
        "IN-1 -> branches <- collections <- members.",
    )
    pj = g.out("GR-1", "FUNDS")
    add(
        "downstream",
        "if the lottery grant were frozen today, which projects would feel it and which collections are they digitising? one list is fine",
        ids(pj | g.out(pj, "DIGITISES")),
        "GR-1 -> projects -> collections; the money for Registers Rescued starts in 2027.",
    )

    # ---- path
    p, km = g.cheapest("BR-08", "BR-05", "VAN_RUN", "km")
    add(
        "path",
        "Which way should our van go from Saltmarsh to Fernhill to drive the fewest kilometres?",
        {"path": p},
        "Least sum of km over VAN_RUN, both ways; the Millbrook-Larkfield run has expired.",
    )
    add(
        "path",
        "how many km is it at the very least from hollin moor to the port ansel archive on our van runs",
        num(g.cheapest("BR-09", "BR-10", "VAN_RUN", "km")[1]),
        "Least sum of km over VAN_RUN.",
    )
    ps = [
        ["GR-2", a, "CO-10"]
        for a in sorted(g.out("GR-2", "FUNDS"))
        if "CO-10" in g.out(a, "DIGITISES")
    ]
    add(
        "path",
        "By what chain does the Harbour Trust's money reach the Coastal Charts?",
        {"path": ps},
        "GR-2 -> project -> CO-10; only one.",
    )
    ps = g.paths("ME-6", "VE-1")
    add(
        "path",
        "Counting links of any kind, how many steps lie between the Valley Choir and Scanwell at the shortest?",
        num(len(ps[0]) - 1),
        "Length of the shortest undirected path ME-6 to VE-1, in edges.",
    )

    # ---- aggregation
    add(
        "aggregation",
        "How many metres of shelf are taken up at Castle Street all told?",
        num(tot("HOUSED_AT", "shelf_m", lambda e: e["target"] == "BR-01")),
        "Sum of shelf_m into BR-01; the large print left in 2024.",
    )
    ln = {c: tot("BORROWS_FROM", "loans_year", lambda e: e["target"] == c) for c in C}
    assert len(lead(ln)) == 1
    add(
        "aggregation",
        "Which collection do our members borrow from most, by loans a year?",
        ids(lead(ln)),
        "Sum of loans_year per collection; one winner.",
    )
    add(
        "aggregation",
        "What's the average floor area of our archive buildings, in square metres?",
        num(mean([N[b]["floor_m2"] for b in B if N[b]["kind"] == "archive"])),
        "Mean of floor_m2 over branches of kind archive.",
    )
    add(
        "aggregation",
        "Runs a week per courier, busiest first",
        rank({c: tot("SERVES", "runs_week", lambda e: e["source"] == c) for c in CR}),
        "Sum of runs_week over valid SERVES.",
    )

    # ---- temporal
    add(
        "temporal",
        "When did Bram take over Voices of the Quarry?",
        {"date": g.edge("SF-10", "LEADS", "PJ-4", AS_OF)["valid_from"]},
        "valid_from of SF-10 LEADS PJ-4.",
    )
    add(
        "temporal",
        "Where were the quarry records kept on New Year's Day 2025?",
        ids(g.out("CO-07", "HOUSED_AT", "2025-01-01")),
        "HOUSED_AT valid that day.",
    )
    took = {
        e["target"]
        for e in v("CURATES", None)
        for f in v("CURATES", None)
        if e["target"] == f["target"]
        and e["source"] != f["source"]
        and (f["valid_to"] or "") >= "2018-12-31"
        and (e["valid_from"] or "") >= "2019-01-01"
        and e["valid_from"] <= AS_OF
        and f["valid_to"] < AS_OF
    }
    add(
        "temporal",
        "Which collections have passed from one curator to another since the start of 2019?",
        ids(took),
        "A CURATES that ended and a later one that began on the same collection; the tapes get their new curator only in September.",
    )
    add(
        "temporal",
        "What will the Port Ansel Archive be holding on 1 November this year? The collections, I mean.",
        ids(g.inn("BR-10", "HOUSED_AT", "2026-11-01")),
        "HOUSED_AT valid on 2026-11-01; the glass plates move in in October.",
    )

    # ---- what_if
    x = {e for e in EQ if g.inn(e, "SUPPLIES") == {"VE-3"}}
    add(
        "what_if",
        "If Nordarkiv pulled out, which equipment would have nobody left to supply it?",
        ids(x),
        "Equipment whose only valid vendor is VE-3.",
    )
    two = {"SF-07", "SF-02"}
    add(
        "what_if",
        "Suppose Gwen Tarrant and Desmond Coyle both left today and nobody stepped in. Which collections lose the only curator they have?",
        ids(c for c in C if (k := g.inn(c, "CURATES")) and k <= two),
        "Collections all of whose curators are among the two.",
    )
    x = g.inn("EQ-2", "TRAINED_ON") - {"SF-10"}
    add(
        "what_if",
        "Bram's off sick and the large format scanner has to run. Is anybody else trained on it?",
        yes(x, x),
        "TRAINED_ON into EQ-2 less SF-10: nobody.",
    )
    add(
        "what_if",
        "Say Tern Couriers packed it in: how many of the branches they serve would have no other courier?",
        num(len([b for b in B if g.inn(b, "SERVES") == {"CR-2"}])),
        "Branches whose only courier today is CR-2; Bellweather's Saltmarsh run begins in October.",
    )

    # ---- spof
    add(
        "spof",
        "Which pieces of equipment can only one member of staff operate?",
        ids(e for e in EQ if len(g.inn(e, "TRAINED_ON")) == 1),
        "TRAINED_ON in-degree 1 today.",
    )
    add(
        "spof",
        "running projects that live off a single grant, which are they?",
        ids(p for p in P if N[p]["state"] == "running" and len(g.inn(p, "FUNDS")) == 1),
        "State running, FUNDS in-degree 1 today.",
    )
    adj = g.adj("VAN_RUN")

    def comps(cut):
        left, n = B - {cut}, 0
        while left:
            todo = [left.pop()]
            n += 1
            while todo:
                for z in adj[todo.pop()] & left:
                    left.discard(z)
                    todo.append(z)
        return n

    x = {b for b in B if comps(b) > comps(None)}
    add(
        "spof",
        "Is there any branch that would cut others off from our van runs if it had to close? Which?",
        yes(x, x),
        "Cut nodes over VAN_RUN.",
    )
    add(
        "spof",
        "How many of our collections are kept in one building only?",
        num(len([c for c in C if len(g.out(c, "HOUSED_AT")) == 1])),
        "HOUSED_AT out-degree 1 today.",
    )

    # ---- inverse
    add(
        "inverse",
        "At which branch does no courier call?",
        ids(B - g.out(CR, "SERVES")),
        "Branches less those served today.",
    )
    add(
        "inverse",
        "Which collections isn't any project digitising, planned ones included?",
        ids(C - g.out(P, "DIGITISES")),
        "Collections less DIGITISES targets.",
    )
    add(
        "inverse",
        "How many of our staff don't curate anything at the moment?",
        num(len([s for s in S if not g.out(s, "CURATES")])),
        "12 less those with a valid CURATES.",
    )
    x = M - g.inn(hit & C, "BORROWS_FROM")
    add(
        "inverse",
        "Are there members who borrow from no collection that an open incident has struck directly? Name them.",
        yes(x, x),
        "Members less those that borrow from a collection under an open incident.",
    )

    # ---- compare
    a, b = "PJ-1", "PJ-6"
    ea, eb, ca, cb = (
        g.out(a, "NEEDS"),
        g.out(b, "NEEDS"),
        g.out(a, "DIGITISES"),
        g.out(b, "DIGITISES"),
    )
    add(
        "compare",
        "Ships Online versus Registers Rescued: how many kinds of equipment does each need, how many collections does each digitise, and what equipment do both need?",
        cmp_(
            a,
            b,
            counts={"Equipment": [len(ea), len(eb)], "Collection": [len(ca), len(cb)]},
            shared={"Equipment": sorted(ea & eb)},
        ),
        "NEEDS and DIGITISES of each.",
    )
    add(
        "compare",
        "What does the Family History Society borrow from that the Maritime Institute doesn't?",
        ids(g.out("ME-2", "BORROWS_FROM") - g.out("ME-3", "BORROWS_FROM")),
        "Set difference on BORROWS_FROM.",
    )
    add(
        "compare",
        "By how many euros is the budget of Ships Online bigger than that of Glass to Pixel?",
        num(N["PJ-1"]["budget_eur"] - N["PJ-5"]["budget_eur"]),
        "Difference of budget_eur.",
    )
    av = [
        mean([e["fee_eur_week"] for e in v("SERVES") if e["source"] == c]) for c in ("CR-1", "CR-2")
    ]
    add(
        "compare",
        "On average per branch, whose weekly fee is higher, Bellweather's or Tern's? Both figures please.",
        cmp_("CR-1", "CR-2", average_fee_eur_week=av, higher="CR-1" if av[0] > av[1] else "CR-2"),
        "Means of fee_eur_week over valid SERVES.",
    )

    # ---- risk
    co = g.out("PJ-1", "DIGITISES")
    around = co | g.out(co, "HOUSED_AT") | g.inn(g.out("PJ-1", "NEEDS"), "SUPPLIES")
    add(
        "risk",
        "Which open incidents reach Ships Online? Look at its collections, the buildings they are kept in and the vendors of its equipment.",
        ids(g.inn(around, "HITS") & OP),
        "Open incidents on those three layers.",
    )
    add(
        "risk",
        "damage booked so far per open incident in euros, worst first",
        rank({i: tot("HITS", "damage_eur", lambda e: e["source"] == i) for i in OP}),
        "Sum of damage_eur over HITS of each active incident.",
    )
    x = g.where(g.inn(hit & C, "DIGITISES"), lambda r: r["ends"] <= "2026-12-31")
    add(
        "risk",
        "Is any project that's due to end this year digitising a collection an open incident has hit? Which?",
        yes(x, x),
        "ends by 2026-12-31, collection under an open incident.",
    )
    ex = {b: len(g.inn({b} | g.inn(b, "HOUSED_AT") | g.inn(b, "SERVES"), "HITS") & OP) for b in B}
    add(
        "risk",
        "Counting open incidents on the branch itself, on the collections housed there and on the couriers that serve it, which branches are exposed to more than one?",
        ids(b for b in B if ex[b] > 1),
        "Distinct open incidents per branch, above 1.",
    )

    # ---- combined
    on = "2025-12-01"
    op_on = {i for i in I if N[i]["date"] <= on <= (N[i]["ended_date"] or "9999")}
    x = g.inn(g.out(op_on, "HITS", on) & B, "HOUSED_AT", on)
    add(
        "combined",
        "On 1 December 2025, which collections were in a building that an incident open on that day had hit?",
        ids(x),
        "Events open that day -> branches <- collections that day.",
    )
    add(
        "combined",
        "Fragile works insured for more than 5,000 euros that belong to a collection under an open incident: which?",
        ids(
            g.where(
                g.inn(hit & C, "PART_OF"),
                lambda r: r["condition"] == "fragile" and r["insured_eur"] > 5000,
            )
        ),
        "condition, insured_eur and open incidents on the collection.",
    )
    big = g.where(P, lambda r: r["budget_eur"] > 50000)
    add(
        "combined",
        "Which staff hired in 2015 or later curate something that a project with a budget above 50,000 is digitising?",
        ids(
            g.where(g.inn(g.out(big, "DIGITISES"), "CURATES"), lambda r: r["hired"] >= "2015-01-01")
        ),
        "hired, CURATES and DIGITISES of projects over 50,000.",
    )
    x = {
        e
        for e in EQ
        if len(k := g.inn(e, "SUPPLIES")) == 1 and k <= hit and len(g.inn(e, "NEEDS")) >= 3
    }
    add(
        "combined",
        "Single-vendor equipment whose vendor is under an open incident and which three or more projects need, please.",
        ids(x),
        "SUPPLIES in-degree 1, open incident on the vendor, NEEDS in-degree 3 or more.",
    )

    # ---- centrality
    dg, d1 = g.degree(), g.degree(False)
    of = lambda d, T: {x: d[x] for x in T}
    assert dg == d1 and len(lead(of(dg, B))) == 1, sorted(of(dg, B).items(), key=lambda p: -p[1])[
        :3
    ]
    add(
        "centrality",
        "Taking links of every kind together, which branch is the best connected?",
        ids(lead(of(dg, B))),
        "Highest degree among branches, incidents included.",
    )
    bc = g.betweenness()
    top = sorted(((round(x, 2), i) for i, x in bc.items()), reverse=True)[:4]
    assert len(lead(bc)) == 1
    add(
        "centrality",
        "Treat all links as two-way: which single node is the biggest go-between in the whole network by betweenness?",
        ids(lead(bc)),
        f"Highest betweenness, undirected; leaders {top}",
    )
    d2 = collections.Counter(
        x for e in v() if e["type"] != "HITS" for x in (e["source"], e["target"])
    )
    add(
        "centrality",
        "Leaving incidents out of the picture, which entities hang on by a single link?",
        ids(x for x in N if x not in I and d2[x] == 1),
        "Degree 1 without incidents and their relations.",
    )
    vr = {b: len(adj[b]) for b in B}
    add(
        "centrality",
        "On the van runs alone, which branches are a dead end, with just one run to anywhere?",
        ids(b for b in B if vr[b] == 1),
        "VAN_RUN degree 1 today.",
    )

    # ---- unanswerable
    add(
        "unanswerable",
        "Which collections does Coyle curate?",
        no("ambiguous", "SF-01", "SF-02"),
        "Two Coyles. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "who supplies us with the scanner",
        no("ambiguous", "EQ-1", "EQ-2"),
        "Two scanners: overhead book and large format. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "pj-9: who leads it?",
        no("unknown_entity"),
        "Well-formed id past the last project.",
    )
    add(
        "unanswerable",
        "How much did the café at Quayside take last month?",
        no("not_in_schema"),
        "No takings in the schema.",
    )
    return q


g = G(HERE / "domains" / "library")
rows = [
    {"id": f"li-{k:03}", "category": c, "query": t, "gold": gold, "note": note}
    for k, (c, t, gold, note) in enumerate(questions(g), 1)
]
assert len({r["query"].lower() for r in rows}) == len(rows)
write("library", rows)
