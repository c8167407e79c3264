"""Blind questions for the aerospace graph, second set; gold computed from the data. usage: python3 gold.py [--show]

A relation is valid when effective_date <= day <= expired_date (inclusive, null unbounded); the day is 2024-12-01 unless one is named."""

from gold_aerospace import A, AS_OF, CHAIN, chains
from gold_common import cmp_, ids, lead, no, num, rank, write, yes


def questions(g):
    q = []
    add = lambda c, text, gold, note="": q.append((c, text, gold, note))
    N, v = g.n, g.valid
    S, C, F, P, K, E = (
        g.t(x) for x in "Supplier Component Factory Product Customer RiskEvent".split()
    )
    OP = g.open_on()
    sup = lambda c, on=AS_OF: g.inn(c, "SUPPLIES", on)
    sole = {c for c in C if len(sup(c)) == 1}
    lt = {e["target"]: e["lead_time_days"] for e in v("SUPPLIES")}
    con = {e["target"]: e["contract"] for e in v("SUPPLIES")}
    score = {p: g.score(p) for p in P}
    parts = lambda p: g.up(p)[1]
    hs = g.out(OP, "AFFECTS")
    DEL = ("DELIVERS_TO", False)
    who = lambda a, b, x, y: a if x > y else b

    # ---- lookup
    add(
        "lookup",
        "where do we get the pitot sensors from?",
        ids(sup("CMP-008")),
        "SUPPLIES into CMP-008.",
    )
    add(
        "lookup",
        "What does the ExecWing-7 bring in, in $m?",
        num(N["PRD-005"]["revenue_musd"]),
        "revenue_musd of PRD-005.",
    )
    add(
        "lookup",
        "Which plant does the final assembly on the NarrowBody?",
        ids(
            e["source"]
            for e in v("PRODUCES")
            if e["target"] == "PRD-001" and e["role"] == "final assembly"
        ),
        "role on PRODUCES into PRD-001.",
    )
    add(
        "lookup",
        "Which products have a delivery down for the third quarter of 2025?",
        ids(e["source"] for e in v("DELIVERS_TO") if e["delivery"] == "2025-Q3"),
        "delivery on DELIVERS_TO.",
    )

    # ---- multi_hop
    add(
        "multi_hop",
        "Which airlines and other customers is Propulsion Centre Gamma working for in the end?",
        ids(g.cust(g.out("FAC-003", "PRODUCES"))),
        "FAC-003 -> products -> customers.",
    )
    mx = {s for s in S if N[s]["location"] == "Mexico"}
    add(
        "multi_hop",
        "what's in the RegionalJet that comes from Mexico? parts please",
        ids(parts("PRD-004") & g.out(mx, "SUPPLIES")),
        "PRD-004 <- plants -> parts <- suppliers with location Mexico.",
    )
    t2 = {s for s in S if N[s]["tier"] == 2}
    x = g.out("FAC-001", "USES") & g.out(t2, "SUPPLIES")
    add(
        "multi_hop",
        "Does Assembly Plant Alpha take anything from a tier 2 supplier? If it does, which parts?",
        yes(x, x),
        "FAC-001 -> parts <- suppliers of tier 2.",
    )
    add(
        "multi_hop",
        "At which plants is a part used that takes 75 days or longer to come in?",
        ids(g.inn({c for c in C if lt[c] >= 75}, "USES")),
        "Valid SUPPLIES with lead_time_days of 75 or more -> parts <- plants.",
    )

    # ---- downstream
    add(
        "downstream",
        "The landing gear forging dries up. Whose orders are at risk?",
        ids(g.cust(g.out(g.inn("CMP-009", "USES"), "PRODUCES"))),
        "CMP-009 <- plants -> products -> customers.",
    )
    add(
        "downstream",
        "Which of the open events work their way through to DefenseTech?",
        ids(e for e in OP if "CUS-004" in g.down(g.out(e, "AFFECTS"))[3]),
        "Open events with CUS-004 in the blast radius.",
    )
    p = g.out("FAC-002", "PRODUCES")
    add(
        "downstream",
        "Everything further down the line that a stoppage at Composite Works Beta would touch, products and customers in one list please.",
        ids(p | g.cust(p)),
        "FAC-002 -> products -> customers, union.",
    )
    f = g.down("SUP-004")[1]
    add(
        "downstream",
        "If SUP-004 misses its shipments, which products get held up in final assembly?",
        ids(
            e["target"] for e in v("PRODUCES") if e["source"] in f and e["role"] == "final assembly"
        ),
        "SUP-004 -> parts <- plants -> PRODUCES with role final assembly.",
    )

    # ---- path
    add(
        "path",
        "How does the Thailand flood get through to EuroConnect? Show me every chain there is.",
        {"path": chains(g, {"EVT-001"}, ("AFFECTS", False), *CHAIN, DEL, {"CUS-003"})},
        "EVT-001 -> SUP-004 -> part <- plant -> product -> CUS-003; two, by either seal, both by the freighter.",
    )
    add(
        "path",
        "Which parts tie CarbonWing to the NarrowBody?",
        ids({r[1] for r in chains(g, {"SUP-003"}, *CHAIN, {"PRD-001"})}),
        "Components on the chains SUP-003 to PRD-001.",
    )
    add(
        "path",
        "walk me from ElectraWire to the WideBird, link by link",
        {"path": chains(g, {"SUP-008"}, *CHAIN, {"PRD-002"})},
        "SUP-008 to PRD-002; only one.",
    )
    al = chains(g, {"SUP-002"}, *CHAIN, DEL, {"CUS-003"})
    add(
        "path",
        "By way of which plants can AeroMetal's parts make it to EuroConnect?",
        ids({r[2] for r in al}),
        "Factories on the chains SUP-002 -> CUS-003.",
    )

    # ---- aggregation
    n = {s: len(g.out(s, "SUPPLIES")) for s in S}
    add(
        "aggregation",
        "Which suppliers make the largest number of different parts for us?",
        ids(lead(n)),
        "Out-degree on valid SUPPLIES; a tie of two.",
    )
    add(
        "aggregation",
        "Add up the yearly capacity of the plants that work on the NarrowBody.",
        num(g.sum(g.inn("PRD-001", "PRODUCES"), "capacity_per_year")),
        "Sum of capacity_per_year over the factories of PRD-001.",
    )
    L = [lt[c] for c in g.out("FAC-003", "USES")]
    add(
        "aggregation",
        "average lead time of the parts Gamma uses?",
        num(sum(L) / len(L)),
        "Mean of lead_time_days over the valid SUPPLIES of the parts of FAC-003.",
    )
    add(
        "aggregation",
        "Units on order for each product, biggest first, please.",
        rank({p: sum(e["order_qty"] for e in v("DELIVERS_TO") if e["source"] == p) for p in P}),
        "Sum of order_qty per product.",
    )

    # ---- temporal
    import datetime

    D = datetime.date.fromisoformat
    dur = {
        e: (D(N[e]["ended_date"]) - D(N[e]["date"])).days for e in sorted(E) if N[e]["ended_date"]
    }
    add(
        "temporal",
        "Of the events that are over, which one went on the longest?",
        ids(lead(dur)),
        f"ended_date less date: {dur}.",
    )
    add(
        "temporal",
        "When did the newest of our supply agreements start?",
        {"date": max(e["effective_date"] for e in v("SUPPLIES"))},
        "Latest effective_date among valid SUPPLIES.",
    )
    add(
        "temporal",
        "On the day the Lyon blockade began, who was making the landing gear forging?",
        ids(sup("CMP-009", N["EVT-007"]["date"])),
        "SUPPLIES into CMP-009 valid on the date of EVT-007.",
    )
    add(
        "temporal",
        "which risk events have started since the beginning of 2024",
        ids(e for e in E if N[e]["date"] >= "2024-01-01"),
        "date from 2024-01-01 on.",
    )

    # ---- what_if
    x = g.out("SUP-003", "SUPPLIES") & sole & parts("PRD-001")
    add(
        "what_if",
        "Suppose CarbonWing went under. For how many of the NarrowBody's parts would we have no supplier?",
        num(len(x)),
        "Parts under PRD-001 whose only supplier is SUP-003.",
    )
    rest = set().union(*(parts(p) for p in P - {"PRD-002", "PRD-003"}))
    add(
        "what_if",
        "If we stopped making both the WideBird and the CargoHawk, which parts would not go into any product any more?",
        ids((parts("PRD-002") | parts("PRD-003")) - rest),
        "Parts under the two and under no other product.",
    )
    add(
        "what_if",
        "Say Epsilon closed for good: is there a supplier none of whose parts would be used anywhere then? Who?",
        yes(True, {s for s in S if g.down(s)[1] == {"FAC-005"}}),
        "Suppliers all of whose parts go to FAC-005 only.",
    )
    a, b = (
        set().union(*(g.down(g.out(e, "AFFECTS"))[2] for e in x)) for x in (OP, OP - {"EVT-001"})
    )
    add(
        "what_if",
        "Were the Thailand flood over tomorrow, which products would be out of reach of any open event?",
        ids(P - b),
        f"Products less those under EVT-002 and EVT-003; all six are reached today.",
    )
    assert a == P

    # ---- spof
    add(
        "spof",
        "How many of the parts that Alpha uses have only the one supplier?",
        num(len(g.out("FAC-001", "USES") & sole)),
        "In-degree 1 on SUPPLIES among the parts of FAC-001.",
    )
    add(
        "spof",
        "Which high-criticality parts have just one supplier and go to just one plant?",
        ids(c for c in sole if N[c]["criticality"] == "high" and len(g.inn(c, "USES")) == 1),
        "criticality high, one supplier, one plant.",
    )
    add(
        "spof",
        "products with a single buyer?",
        ids(p for p in P if len(g.out(p, "DELIVERS_TO")) == 1),
        "Out-degree 1 on DELIVERS_TO.",
    )
    add(
        "spof",
        "Who is our only source for a part with a lead time of at least 90 days?",
        ids(s for c in sole if lt[c] >= 90 for s in sup(c)),
        "Suppliers of single-sourced parts with lead_time_days of 90 or more.",
    )

    # ---- inverse
    add(
        "inverse",
        "Which plants have no hand in the business jet?",
        ids(F - g.inn("PRD-005", "PRODUCES")),
        "Factories less those of PRD-005.",
    )
    add(
        "inverse",
        "Parts that are used neither at Alpha nor at Gamma, please.",
        ids(C - g.out({"FAC-001", "FAC-003"}, "USES")),
        "15 less the parts of FAC-001 and FAC-003.",
    )
    x = S - g.up(g.inn("CUS-001", "DELIVERS_TO"))[2]
    add(
        "inverse",
        "Is there any current supplier that has no part in what AirGlobal has ordered? Which one?",
        yes(x, x),
        "Current suppliers less those behind AirGlobal's products: none.",
    )
    add(
        "inverse",
        "what do we buy that is not on a long-term contract",
        ids(c for c in C if con[c] != "long-term"),
        "Parts whose valid SUPPLIES has another contract.",
    )

    # ---- compare
    un = [
        sum(e["order_qty"] for e in v("DELIVERS_TO") if e["target"] == k)
        for k in ("CUS-002", "CUS-004")
    ]
    add(
        "compare",
        "Who has more units on order, PacificWings or DefenseTech? Both figures, please.",
        cmp_("CUS-002", "CUS-004", units=un, higher=who("CUS-002", "CUS-004", *un)),
        "Sums of order_qty.",
    )
    add(
        "compare",
        "Which parts does Alpha use that Epsilon doesn't?",
        ids(g.out("FAC-001", "USES") - g.out("FAC-005", "USES")),
        "Set difference on USES.",
    )
    add(
        "compare",
        "Do the WideBird and the RegionalJet share any customers? Name them.",
        yes(True, g.out("PRD-002", "DELIVERS_TO") & g.out("PRD-004", "DELIVERS_TO")),
        "Intersection on DELIVERS_TO.",
    )
    da, db = g.down("SUP-001"), g.down("SUP-003")
    add(
        "compare",
        "TechChip against CarbonWing: how many parts does each supply, how many plants and products depend on each, and which products depend on both?",
        cmp_(
            "SUP-001",
            "SUP-003",
            components=[len(da[0]), len(db[0])],
            factories=[len(da[1]), len(db[1])],
            products=[len(da[2]), len(db[2])],
            shared_products=sorted(da[2] & db[2]),
        ),
        "Dual downstream traversal.",
    )

    # ---- risk
    add(
        "risk",
        "What is the highest risk score among the products AirGlobal has ordered?",
        num(max(score[p] for p in g.inn("CUS-001", "DELIVERS_TO"))),
        "Eq. (1) over the products of CUS-001; PRD-002.",
    )
    sc = [round(score[p], 4) for p in ("PRD-006", "PRD-003")]
    add(
        "risk",
        "is the drone riskier than the freighter? give me both scores",
        cmp_("PRD-006", "PRD-003", risk_score=sc, higher=who("PRD-006", "PRD-003", *sc)),
        "Eq. (1) on both.",
    )
    add(
        "risk",
        "Break the X50's risk score down by open event, largest share first.",
        rank({e: g.score("PRD-002", only=e) for e in OP}),
        "Eq. (1) on PRD-002, terms of each event.",
    )
    add(
        "risk",
        "What did the RegionalJet-150 score on 1 August 2024?",
        num(g.score("PRD-004", "2024-08-01")),
        "Relations valid and events open on that day: the Monterrey rationing alone.",
    )

    # ---- combined
    old = g.out(E - OP, "AFFECTS")
    add(
        "combined",
        "Which of Gamma's parts have a lead time above 50 days and come from a supplier that a now closed event once hit?",
        ids(c for c in g.out("FAC-003", "USES") if lt[c] > 50 and sup(c) & old),
        "USES, lead time and closed events on the supplier.",
    )
    x = set.intersection(*(g.down(g.out(e, "AFFECTS"))[2] for e in OP))
    add(
        "combined",
        "Is there a product that all of the open events reach at once? Which?",
        yes(x, x),
        "Intersection of the three blast radii; the flood is what narrows it down.",
    )
    add(
        "combined",
        "On 1 June 2022, who was supplying the parts that Avionics Hub Delta uses?",
        ids(sup(g.out("FAC-004", "USES", "2022-06-01"), "2022-06-01")),
        "Temporal and multi-hop: the loom had no supplier yet and ShenzenChip made the flight control unit.",
    )
    r = {s: len(g.down(s)[2]) for s in S - hs}
    add(
        "combined",
        "Leaving out those under an open event, which supplier reaches the most products?",
        ids(lead(r)),
        "Product reach among suppliers without an open event; one.",
    )

    # ---- centrality
    ad = g.adj()
    assert len(g.n) == 46 and len(v()) == 64
    deg = {x: len(ad[x]) for x in g.n}
    bc = g.betweenness()
    of = lambda d, T: {x: d[x] for x in T}
    add(
        "centrality",
        "Rank the plants by how many direct links they have.",
        rank(of(deg, F)),
        "Degree of the factories.",
    )
    b = of(bc, S)
    assert len(lead(b)) == 1
    add(
        "centrality",
        "With links taken as two-way, which supplier has the highest betweenness?",
        ids(lead(b)),
        f"Highest betweenness among suppliers: {sorted(((round(x, 2), i) for i, x in b.items()), reverse=True)[:3]}.",
    )
    d = g.far("SUP-001")
    add(
        "centrality",
        "How many other entities are within two links of TechChip, risk events counted and direction ignored?",
        num(sum(0 < x <= 2 for x in d.values())),
        "Distance 1 or 2 from SUP-001 in the undirected graph.",
    )
    add(
        "centrality",
        "does our whole network hang together in one piece, events included?",
        yes(len(g.far("SUP-001")) == len(g.n)),
        "One connected component, undirected.",
    )

    # ---- unanswerable
    jets = sorted(p for p in P if "jet" in N[p]["product_type"])
    add(
        "unanswerable",
        "Who ordered the jet?",
        no("ambiguous", *jets),
        "Two jets: regional and business. Asking which one, or answering for each under its name, is right.",
    )
    el = sorted(c for c in C if N[c]["component_type"] == "Electronic Assembly")
    add(
        "unanswerable",
        "Which plant uses the electronic assembly?",
        no("ambiguous", *el),
        "Three electronic assemblies. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "What's the risk score of the JumboLiner-800?",
        no("unknown_entity"),
        "No such product.",
    )
    add(
        "unanswerable",
        "What year was Propulsion Centre Gamma built?",
        no("not_in_schema"),
        "No year of building in the schema.",
    )
    return q


rows = [
    {"id": f"ac-{k:03}", "category": c, "query": t, "gold": gold, "note": note}
    for k, (c, t, gold, note) in enumerate(questions(A()), 1)
]
assert len({r["query"].lower() for r in rows}) == len(rows)
write("aerospace_blind2", rows)
