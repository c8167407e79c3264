"""Blind questions for a concert touring agency; gold computed from the data. usage: python3 gold.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
HITS has valid_from = the day of the incident and no end; an incident is open while status is active.
ROUTE_TO runs both ways. Degree, betweenness and chains of links: undirected, all current nodes and relations."""

import collections, pathlib

import gold_common
from gold_common import AS_OF, G, cmp_, ids, lead, no, num, rank, write, yes

HERE = pathlib.Path(__file__).resolve().parent


def one(d, least=False):
    (x,) = lead(d, least)
    return {"ids": [x]}


def less(f):
    """The graph without some of its nodes."""
    h = G(HERE / "domains" / "touring")
    h.n = {i: r for i, r in h.n.items() if not f(r)}
    h.e = [e for e in h.e if e["source"] in h.n and e["target"] in h.n]
    return h


def touring(g):
    q = []
    add = lambda c, text, gold, note: q.append((c, text, gold, {"note": note}))
    AR, AG, CI, VE, PR, TR, SH, GE, RE, HA, SP, IN = (
        g.t(x)
        for x in "Artist Agent City Venue Promoter Tour Show Gear RentalFirm Haulier Sponsor Incident".split()
    )
    N = g.n
    open_ = g.where(IN, lambda r: r["status"] == "active")
    shows_of = lambda t: g.inn(t, "PART_OF")
    city_of = lambda sh: g.out(g.out(sh, "HELD_AT"), "LIES_IN")

    # lookup
    add(
        "lookup",
        "Who's Ruby Achebe's agent these days?",
        ids(g.inn("AR-09", "REPRESENTS")),
        "REPRESENTS into AR-09 valid today; the former agent is out.",
    )
    add(
        "lookup",
        "what commission does greta take on pale lanterns, in percent",
        num(g.edge("AG-4", "REPRESENTS", "AR-08", AS_OF)["commission_pct"]),
        "commission_pct on AG-4 REPRESENTS AR-08.",
    )
    add(
        "lookup",
        "How many trucks has Wegener got on Anvil Years?",
        num(g.edge("HA-2", "TRANSPORTS", "TR-4", AS_OF)["trucks"]),
        "trucks on HA-2 TRANSPORTS TR-4.",
    )
    x = g.out("SP-3", "SPONSORS")
    add(
        "lookup",
        "Is Monde Mobile still putting money into anything of ours, and if so into what?",
        yes(x, x),
        "SPONSORS out of SP-3 valid today; the deal with AR-02 has ended.",
    )
    add(
        "lookup",
        "Capacity of the Tin Chapel, please.",
        num(N["VE-02"]["capacity"]),
        "Property of VE-02.",
    )

    # multi hop
    add(
        "multi_hop",
        "Who opens for Iron Harbour, be it directly or by opening for an act that does, however far down?",
        ids(g.walk("AR-06", "OPENS_FOR", back=True)),
        "Transitive OPENS_FOR into AR-06, valid today.",
    )
    add(
        "multi_hop",
        "Name the rental firms that supply something the Velvet Hour tour needs.",
        ids(g.inn(g.out("TR-5", "NEEDS"), "SUPPLIES")),
        "TR-5 NEEDS gear <- SUPPLIES; all valid today (LED wall not needed yet).",
    )
    add(
        "multi_hop",
        "Which acts are represented by somebody who reports straight to Femi?",
        ids(g.out(g.inn("AG-3", "REPORTS_TO"), "REPRESENTS")),
        "AG-3 <- REPORTS_TO (AG-4's has ended) -> REPRESENTS valid today.",
    )
    x = g.out("AR-09", "PLAYS_AT") & g.inn(g.out("IN-8", "HITS") & VE, "HELD_AT")
    add(
        "multi_hop",
        "Could the licence dispute at the Grand Miroir get in the way of a show that Ruby Achebe plays? Which one?",
        yes(x, x),
        "IN-8 HITS venue <- HELD_AT show <- PLAYS_AT AR-09.",
    )
    add(
        "multi_hop",
        "I need the hauliers who currently carry a tour with Bergquell's money in it",
        ids(g.inn(g.out("SP-2", "SPONSORS") & TR, "TRANSPORTS")),
        "SP-2 SPONSORS tours valid today (Paper Skies has ended) <- TRANSPORTS valid today.",
    )

    # downstream
    ge = g.out("RE-2", "SUPPLIES")
    tr = g.inn(ge, "NEEDS")
    add(
        "downstream",
        "Lichtwerk goes under tomorrow. List everything downstream of it: the gear it supplies, the tours that need that gear and all the shows of those tours.",
        ids(ge | tr | shows_of(tr)),
        "RE-2 -> gear <- tours <- shows, played and cancelled shows included; relations valid today.",
    )
    add(
        "downstream",
        "How many tickets have been sold altogether for the shows on tours that Gallop hauls?",
        num(g.sum(shows_of(g.out("HA-1", "TRANSPORTS")), "tickets_sold")),
        "HA-1 -> tours <- shows, sum of tickets_sold.",
    )
    add(
        "downstream",
        "Which artists would feel it if the Elbdock had to close, meaning anybody on the bill of a show held there?",
        ids(g.inn(g.inn("VE-08", "HELD_AT"), "PLAYS_AT")),
        "VE-08 <- HELD_AT <- PLAYS_AT.",
    )
    x = g.inn(g.inn("GE-04", "NEEDS"), "SPONSORS")
    add(
        "downstream",
        "What sponsors have money in a tour that takes the LED wall along as of now?",
        ids(x),
        "GE-04 <- NEEDS valid today (Velvet Hour from October) <- SPONSORS valid today.",
    )
    tr = g.inn("GE-06", "NEEDS")
    add(
        "downstream",
        "What hangs on the grand piano? The tours that need it and their headliners, I mean.",
        ids(tr | g.inn(tr, "HEADLINES")),
        "GE-06 <- NEEDS valid today (Small Rooms no longer) plus HEADLINES.",
    )

    # path
    p, km = g.cheapest("CI-02", "CI-08", "ROUTE_TO", "km")
    assert len(p) == 1
    add(
        "path",
        "Trucks go from Bristol to Warsaw. By which cities, in order, is the trip shortest in kilometres?",
        {"path": p},
        f"Least sum of km over ROUTE_TO valid today, both ways: {km} km.",
    )
    add(
        "path",
        "how many km at the very least from lyon to oslo on our routes",
        num(g.cheapest("CI-04", "CI-10", "ROUTE_TO", "km")[1]),
        "Least sum of km over ROUTE_TO valid today, both ways; the ferry from Oslo to Hamburg starts in November.",
    )
    add(
        "path",
        "Never mind the kilometres: what is the way from London to Warsaw with the fewest legs?",
        {"path": g.paths("CI-01", "CI-08", "ROUTE_TO")},
        "Fewest edges over ROUTE_TO valid today, both ways.",
    )
    add(
        "path",
        "Counting links of any kind, how many steps is it at the shortest between Polar Stage and Ines Valcourt?",
        num(len(g.paths("RE-4", "AR-02")[0]) - 1),
        "Length of the shortest undirected path RE-4 to AR-02 over all relations valid today.",
    )
    want = sorted(
        ["RE-2", x, "TR-3", "SH-09"] for x in g.out("RE-2", "SUPPLIES") & g.out("TR-3", "NEEDS")
    )
    assert want == g.paths("RE-2", "SH-09")
    add(
        "path",
        "By what chain does Lichtwerk's stuff end up at the Deep Crossing night in Oslo? Give every equally short one.",
        {"path": want},
        "Shortest paths RE-2 -> gear <- tour <- show SH-09.",
    )

    # aggregation
    add(
        "aggregation",
        "Which promoter has the most shows on its books?",
        one({p: len(g.out(p, "PROMOTES")) for p in PR}),
        "Out-degree on PROMOTES valid today; one winner.",
    )
    add(
        "aggregation",
        "Total sponsorship money going into our tours at the moment, in euros? Leave out what goes to artists.",
        num(sum(e["amount_eur"] for e in g.valid("SPONSORS") if e["target"] in TR)),
        "Sum of amount_eur over SPONSORS valid today whose target is a tour.",
    )
    os_ = g.where(SH, lambda r: r["status"] == "on sale")
    add(
        "aggregation",
        "What's the average ticket price over the shows that are on sale?",
        num(g.sum(os_, "ticket_price_eur") / len(os_)),
        "Mean of ticket_price_eur over shows with status on sale.",
    )
    add(
        "aggregation",
        "For every agent who has artists right now, how many are there? Longest list first.",
        rank({a: k for a in AG if (k := len(g.out(a, "REPRESENTS")))}),
        "Count of REPRESENTS valid today, agents with none left out.",
    )
    v = g.inn({"CI-01", "CI-03"}, "LIES_IN")
    add(
        "aggregation",
        "If you add up the capacity of all our London and Paris venues, what do you get?",
        num(g.sum(v, "capacity")),
        "Sum of capacity over venues in CI-01 and CI-03.",
    )

    # temporal
    add(
        "temporal",
        "Since when has Luca been Marrow Lane's agent?",
        {"date": g.edge("AG-5", "REPRESENTS", "AR-04", AS_OF)["valid_from"]},
        "valid_from of AG-5 REPRESENTS AR-04.",
    )
    add(
        "temporal",
        "who was the agent of the copper kites on 1 march 2018?",
        ids(g.inn("AR-01", "REPRESENTS", "2018-03-01")),
        "REPRESENTS into AR-01 valid on 2018-03-01.",
    )
    x = {e["target"] for e in g.valid("SUPPLIES", None) if e["valid_to"] and e["valid_to"] < AS_OF}
    add(
        "temporal",
        "For which gear has a supply deal with a rental firm already run out?",
        ids(x),
        "Targets of SUPPLIES with valid_to before today.",
    )
    add(
        "temporal",
        "Back in March this year, where was the Velvet London show going to be held?",
        ids(g.out("SH-13", "HELD_AT", "2026-03-15")),
        "HELD_AT out of SH-13 valid all through March 2026.",
    )
    a = {
        e["target"]
        for e in g.valid("TRANSPORTS", None)
        if (e["valid_to"] or "").startswith("2026") and e["valid_to"] < AS_OF
    }
    b = {
        e["target"]
        for e in g.valid("TRANSPORTS", None)
        if (e["valid_from"] or "").startswith("2026") and e["valid_from"] <= AS_OF
    }
    swap = {
        t
        for t in a & b
        if g.inn(t, "TRANSPORTS", "2026-04-30") != g.inn(t, "TRANSPORTS")
        and not g.inn(t, "TRANSPORTS", "2026-04-30") & g.inn(t, "TRANSPORTS")
    }
    add(
        "temporal",
        "Which tours have passed from one haulier to another so far this year, the old one out and a new one in?",
        ids(swap),
        "A TRANSPORTS that ended in 2026 and another that began in 2026 on the same tour; Paper Skies only lost a second haulier.",
    )

    # what if
    add(
        "what_if",
        "If Concerts Lumiere pulled out of everything, which shows would be left with no promoter at all?",
        ids(s for s in SH if g.inn(s, "PROMOTES") == {"PR-2"}),
        "Shows whose only PROMOTES valid today comes from PR-2.",
    )
    add(
        "what_if",
        "Say Soundforge shuts its doors today. What gear could we then not get from anybody?",
        ids(x for x in GE if g.inn(x, "SUPPLIES") == {"RE-1"}),
        "Gear whose only SUPPLIES valid today is from RE-1; Polar Stage's subs start in October.",
    )
    x = g.inn("GE-08", "SUPPLIES") - {"RE-4"}
    add(
        "what_if",
        "We'd like a second source for the pyro kit. Does anyone besides Polar Stage supply it at present?",
        yes(x, x),
        "SUPPLIES into GE-08 valid today, less RE-4: none; Lichtwerk's ended in 2024.",
    )

    class Cut(G):
        def valid(s, rel=None, on=AS_OF):
            return [
                e
                for e in G.valid(s, rel, on)
                if (e["source"], e["target"], e["type"]) != ("CI-06", "CI-07", "ROUTE_TO")
            ]

    add(
        "what_if",
        "Suppose the direct Hamburg-Berlin route was closed. How many kilometres would the shortest way between the two then be?",
        num(Cut(HERE / "domains" / "touring").cheapest("CI-06", "CI-07", "ROUTE_TO", "km")[1]),
        "Least sum of km over ROUTE_TO without that edge.",
    )
    add(
        "what_if",
        "Greta Sayer resigns and nobody steps in: which of her artists have no agent any more?",
        ids(a for a in AR if g.inn(a, "REPRESENTS") == {"AG-4"}),
        "Artists whose only agent today is AG-4.",
    )

    # single points of failure
    sole = {x: next(iter(s)) for x in GE if len(s := g.inn(x, "SUPPLIES")) == 1}
    add(
        "spof",
        "What gear do we get from just a single rental firm right now?",
        ids(sole),
        "SUPPLIES in-degree 1 today.",
    )
    arena = g.where(VE, lambda r: r["kind"] == "arena")
    add(
        "spof",
        "arena shows resting on one promoter only",
        ids(s for s in SH if g.out(s, "HELD_AT") & arena and len(g.inn(s, "PROMOTES")) == 1),
        "Shows held today at a venue of kind arena with PROMOTES in-degree 1.",
    )
    x = {t for t in TR if N[t]["budget_eur"] > 500000 and len(g.inn(t, "TRANSPORTS")) == 1}
    add(
        "spof",
        "Do any of the tours with a budget above half a million depend on a lone haulier at present? Name them.",
        yes(x, x),
        "budget_eur > 500000 and TRANSPORTS in-degree 1 today.",
    )
    add(
        "spof",
        "For how much of our gear is each rental firm the sole source? Count per firm, highest first, only firms that are the sole source of something.",
        rank(collections.Counter(sole.values())),
        "Counts of gear with SUPPLIES in-degree 1 by its firm.",
    )
    adj = g.adj("ROUTE_TO")

    def reach(x, cut):
        seen, f = {x}, [x]
        while f:
            for z in adj[f.pop()] - seen - {cut}:
                seen.add(z)
                f.append(z)
        return seen

    linked = set(adj)
    arts = {c for c in linked if len(reach(min(linked - {c}), c)) < len(linked) - 1}
    add(
        "spof",
        "Is there any city whose loss would cut other cities off from the rest of our routes? Which?",
        yes(arts, arts),
        "Cut nodes of ROUTE_TO valid today, both ways; Dublin has no route left.",
    )

    # inverse
    add(
        "inverse",
        "As things stand today, which venue has no show of ours at all?",
        ids(VE - g.out(SH, "HELD_AT")),
        "All venues less targets of HELD_AT valid today.",
    )
    spd = g.out(SP, "SPONSORS")
    add(
        "inverse",
        "Who among our artists gets no sponsor money at all, neither directly nor through a tour they headline?",
        ids(a for a in AR if a not in spd and not g.out(a, "HEADLINES") & spd),
        "Artists less those sponsored and those headlining a sponsored tour, today.",
    )
    add(
        "inverse",
        "How many tours can do without the moving head rig?",
        num(len(TR - g.inn("GE-03", "NEEDS"))),
        "7 less tours that NEED GE-03.",
    )
    add(
        "inverse",
        "in which cities is nordwind konzerte not promoting any show",
        ids(CI - city_of(g.out("PR-3", "PROMOTES"))),
        "All cities less those of PR-3's shows by PROMOTES valid today; its Amsterdam deal has ended.",
    )
    add(
        "inverse",
        "Is any haulage firm carrying none of our tours today? If so who?",
        yes(HA - g.inn(TR, "TRANSPORTS"), HA - g.inn(TR, "TRANSPORTS")),
        "Hauliers less sources of TRANSPORTS valid today; Nordkapp starts on 25 August.",
    )

    # compare
    A, B = g.out("TR-4", "NEEDS"), g.out("TR-3", "NEEDS")
    add(
        "compare",
        "Anvil Years versus Deep Crossing: how many kinds of gear does each need, how many shows does each have, and what gear do they share?",
        cmp_(
            "TR-4",
            "TR-3",
            counts={
                "Gear": [len(A), len(B)],
                "Show": [len(shows_of("TR-4")), len(shows_of("TR-3"))],
            },
            shared={"Gear": sorted(A & B)},
        ),
        "NEEDS and PART_OF of both.",
    )
    m = {r: [e["day_rate_eur"] for e in g.valid("SUPPLIES") if e["source"] == r] for r in RE}
    mean = lambda l: round(sum(l) / len(l), 2)
    r1, r2 = mean(m["RE-1"]), mean(m["RE-2"])
    add(
        "compare",
        "On average over what they supply us today, who charges the higher day rate, Soundforge or Lichtwerk? Both figures please.",
        cmp_("RE-1", "RE-2", average_day_rate_eur=[r1, r2], higher="RE-1" if r1 > r2 else "RE-2"),
        "Means of day_rate_eur over SUPPLIES valid today.",
    )
    add(
        "compare",
        "What gear does TR-4 need that TR-1 doesn't?",
        ids(g.out("TR-4", "NEEDS") - g.out("TR-1", "NEEDS")),
        "Set difference of NEEDS.",
    )
    add(
        "compare",
        "By how many places is Havnehallen bigger than the Elbdock?",
        num(N["VE-11"]["capacity"] - N["VE-08"]["capacity"]),
        "Difference of capacity.",
    )
    bills = lambda p: g.inn(g.out(p, "PROMOTES"), "PLAYS_AT")
    add(
        "compare",
        "Which artists are on bills put on by Blackbird as well as on bills put on by Concerts Lumiere?",
        ids(bills("PR-1") & bills("PR-2")),
        "Intersection of artists over PROMOTES and PLAYS_AT valid today.",
    )

    # risk
    t = "TR-3"
    things = (
        g.inn(t, "TRANSPORTS")
        | g.inn(g.out(t, "NEEDS"), "SUPPLIES")
        | g.out(shows_of(t), "HELD_AT")
        | city_of(shows_of(t))
    )
    add(
        "risk",
        "Which open incidents reach the Deep Crossing tour? Look at its hauliers, the firms that supply its gear, and the venues and cities of its shows.",
        ids(g.inn(things, "HITS") & open_),
        "Open incidents that HIT any of those; hauliers valid today.",
    )
    ev = {}
    for i in open_:
        hit = g.out(i, "HITS")
        if hit & (VE | CI):
            ev[i] = len(g.inn((hit & VE) | g.inn(hit & CI, "LIES_IN"), "HELD_AT"))
    add(
        "risk",
        "For each open incident that hits a venue or a city, how many shows are held at that venue, or at the venues of that city? Most exposed first.",
        rank(ev),
        "HITS venue, or city <- venues; shows by HELD_AT, whatever their status.",
    )
    cnt = {c: len(g.inn({c} | g.inn(c, "LIES_IN"), "HITS") & open_) for c in CI}
    add(
        "risk",
        "Which city is hit by the most open incidents, those on its venues included?",
        one(cnt),
        "Distinct open incidents on the city or a venue in it; one winner.",
    )
    x = {
        s for s in SH if N[s]["status"] == "sold out" and g.inn(g.out(s, "HELD_AT"), "HITS") & open_
    }
    add(
        "risk",
        "are any sold out shows in a venue that itself is under an open incident? which",
        yes(x, x),
        "status sold out; venue HIT by an active incident; closed ones out.",
    )
    add(
        "risk",
        "What losses have been booked so far against the incidents still open, in euros all told?",
        num(sum(e["loss_eur"] for e in g.valid("HITS") if e["source"] in open_)),
        "Sum of loss_eur over HITS of active incidents.",
    )

    # combined
    day = "2025-12-01"
    add(
        "combined",
        "On 1 December 2025, which gear could be had from Lichtwerk and from no one else?",
        ids(x for x in GE if g.inn(x, "SUPPLIES", day) == {"RE-2"}),
        "Temporal and single source: SUPPLIES valid on that day.",
    )
    add(
        "combined",
        "Tours with a budget of more than 600,000 that are carried by a haulier under an open incident: which ones?",
        ids(
            t
            for t in TR
            if N[t]["budget_eur"] > 600000 and g.inn(g.inn(t, "TRANSPORTS"), "HITS") & open_
        ),
        "Property filter and open incident on a haulier valid today.",
    )
    add(
        "combined",
        "Single-source gear whose only supplier is under an open incident and that three or more tours need, please.",
        ids(x for x, r in sole.items() if g.inn(r, "HITS") & open_ and len(g.inn(x, "NEEDS")) >= 3),
        "Single point of failure, open incident and in-degree of NEEDS.",
    )
    add(
        "combined",
        "Which shows in October or November 2026 are on sale and have only one act on the bill as things stand?",
        ids(
            s
            for s in SH
            if "2026-10-01" <= N[s]["date"] <= "2026-11-30"
            and N[s]["status"] == "on sale"
            and len(g.inn(s, "PLAYS_AT")) == 1
        ),
        "Date, status and in-degree of PLAYS_AT valid today; Valcourt joins Velvet Paris in September.",
    )
    fee = {
        a: sum(
            e["fee_eur"]
            for e in g.valid("PLAYS_AT")
            if e["source"] == a
            and N[e["target"]]["date"] > AS_OF
            and N[e["target"]]["status"] != "cancelled"
        )
        for a in g.out("AG-2", "REPRESENTS")
    }
    add(
        "combined",
        "For each artist Dominic represents today, what do the fees add up to over the shows still ahead of us, cancelled ones left out? Highest first.",
        rank(fee),
        "REPRESENTS valid today; sum of fee_eur on PLAYS_AT to shows dated after today and not cancelled.",
    )

    # centrality
    dg, dg2 = g.degree(), g.degree(False)
    assert dg == dg2  # no parallel relations
    add(
        "centrality",
        "Counting links of all kinds, which of our tours is the best connected?",
        one({t: dg[t] for t in TR}),
        "Highest degree among tours, relations valid today; one winner.",
    )
    bc = g.betweenness()
    quiet = less(lambda n: n["type"] == "Incident")
    for h in (
        quiet,
        less(lambda n: n.get("status") == "closed"),
    ):  # the same winners without (closed) incidents
        assert lead(h.betweenness()) == lead(bc) and lead({t: h.degree()[t] for t in TR}) == lead(
            {t: dg[t] for t in TR}
        )
    add(
        "centrality",
        "Treat every link as two-way. Which single node is the biggest go-between in the whole network, by betweenness?",
        one(bc),
        "Highest betweenness, undirected, all nodes.",
    )
    add(
        "centrality",
        "Top four cities by number of routes to other cities, with the counts",
        rank({c: len(adj[c]) for c in CI}, k=4),
        "Degree over ROUTE_TO valid today, both ways.",
    )
    add(
        "centrality",
        "Leaving incidents aside, which entities hang on to the rest by one link only?",
        ids(i for i, k in quiet.degree().items() if k == 1),
        "Degree 1 in the graph of relations valid today without incidents.",
    )
    add(
        "centrality",
        "If you look at nothing but the routes between cities, into how many separate groups do our eleven cities fall?",
        num(g.pieces(CI, "ROUTE_TO")),
        "Connected components of ROUTE_TO valid today; Dublin alone.",
    )

    # refused
    add(
        "unanswerable",
        "Which artists does Sayer represent?",
        no("ambiguous", "AG-2", "AG-4"),
        "Two agents named Sayer. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "who rents us the desk",
        no("ambiguous", "GE-05", "GE-09"),
        "Monitor Desk and Lighting Desk. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "tr-8 - who's hauling it?",
        no("unknown_entity"),
        "Well-formed id past the last tour.",
    )
    add(
        "unanswerable",
        "How many tickets have we sold for Paper Skies Lisbon?",
        no("unknown_entity"),
        "No such show, no such city.",
    )
    add(
        "unanswerable",
        "What did the bar at the Elbdock take on the night of the last show?",
        no("not_in_schema"),
        "No bar takings in the schema.",
    )
    return q


g = G(HERE / "domains" / "touring")
rows = [
    {"id": f"to-{k:03}", "category": c, "query": t, "gold": gold, **more}
    for k, (c, t, gold, more) in enumerate(touring(g), 1)
]
assert len({r["query"] for r in rows}) == len(rows)
write("touring", rows)
