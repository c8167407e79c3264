"""Blind questions for the aerospace graph; gold computed from the data. usage: python3 gold.py [--show]

A relation is valid when effective_date <= day <= expired_date (inclusive, null unbounded); the day is 2024-12-01 unless one is named."""

from gold_aerospace import A, AS_OF, CHAIN, chains
from gold_common import cmp_, ids, lead, no, num, rank, write, yes


def questions(g):
    q = []
    add = lambda c, text, gold, note="": q.append((c, text, gold, note))
    N = g.n
    S, C, F, P, K, E = (
        g.t(x) for x in "Supplier Component Factory Product Customer RiskEvent".split()
    )
    OP = g.open_on()
    sup = lambda c, on=AS_OF: g.inn(c, "SUPPLIES", on)
    name = {r["name"]: i for i, r in g.all.items()}
    sole = {c for c in C if len(sup(c)) == 1}
    v = g.valid
    qty = lambda f: sum(e["order_qty"] for e in v("DELIVERS_TO") if f(e))
    lt = {e["target"]: e["lead_time_days"] for e in v("SUPPLIES")}
    con = {e["target"]: e["contract"] for e in v("SUPPLIES")}
    score = {p: g.score(p) for p in P}

    # ---- lookup
    add(
        "lookup",
        "lead time on the turbofan blades, in days?",
        num(g.edge("SUP-005", "SUPPLIES", "CMP-005", AS_OF)["lead_time_days"]),
        "lead_time_days on SUP-005 SUPPLIES CMP-005.",
    )
    add(
        "lookup",
        "What exactly has EuroConnect ordered from us? The products, please.",
        ids(g.inn("CUS-003", "DELIVERS_TO")),
        "DELIVERS_TO into CUS-003.",
    )
    add(
        "lookup",
        "The interior sidewall panel, is that a spot contract?",
        yes(g.edge("SUP-003", "SUPPLIES", "CMP-012", AS_OF)["contract"] == "spot"),
        "contract on SUP-003 SUPPLIES CMP-012.",
    )
    add(
        "lookup",
        "List the parts that are electronic assemblies.",
        ids(g.t("Component", lambda r: r["component_type"] == "Electronic Assembly")),
        "component_type.",
    )
    add(
        "lookup",
        "tier 2 suppliers - which ones are they",
        ids(g.t("Supplier", lambda r: r["tier"] == 2)),
        "tier 2 among the active suppliers; ShenzenChip has left.",
    )
    add(
        "lookup",
        "Which of the risk events on our books are over by now?",
        ids(g.t("RiskEvent", lambda r: r["status"] == "resolved")),
        "status resolved.",
    )
    (ca,) = g.t("Factory", lambda r: r["location"] == "Canada")
    add(
        "lookup",
        "What is the yearly capacity of our Canadian plant?",
        num(N[ca]["capacity_per_year"]),
        "capacity_per_year of FAC-004, found by location.",
    )
    add(
        "lookup",
        "How many X50s is AirGlobal waiting for?",
        num(g.edge("PRD-002", "DELIVERS_TO", "CUS-001", AS_OF)["order_qty"]),
        "order_qty on PRD-002 DELIVERS_TO CUS-001.",
    )

    # ---- multi_hop
    add(
        "multi_hop",
        "Who supplies the parts that go into our German plant?",
        ids(sup(g.out("FAC-002", "USES"))),
        "FAC-002 by location -> USES <- SUPPLIES. CarbonWing is a supplier in Germany, not a plant.",
    )
    spot = {e["target"] for e in v("SUPPLIES") if e["contract"] == "spot"}
    add(
        "multi_hop",
        "Which plants take in any part that we buy on a spot contract?",
        ids(g.inn(spot, "USES")),
        "SUPPLIES contract spot -> parts <- USES; ShenzenChip's expired spot contract is out.",
    )
    add(
        "multi_hop",
        "So what electronics ends up in the business jet? I'm after the electronic assemblies only.",
        ids(g.where(g.up("PRD-005")[1], lambda r: r["component_type"] == "Electronic Assembly")),
        "PRD-005 <- plants -> parts with component_type Electronic Assembly.",
    )
    add(
        "multi_hop",
        "Which tier 1 suppliers have something in the CargoHawk-300?",
        ids(g.where(g.up("PRD-003")[2], lambda r: r["tier"] == 1)),
        "Upstream suppliers of PRD-003 with tier 1.",
    )
    a, b = sup(g.out("FAC-005", "USES")), sup(g.out("FAC-003", "USES"))
    add(
        "multi_hop",
        "Is there any supplier that Epsilon and Gamma both get parts from, and who is it?",
        yes(a & b, a & b),
        "Suppliers of each plant, intersection: empty.",
    )
    add(
        "multi_hop",
        "Open or closed, which risk events have fallen on a company that supplies Propulsion Centre Gamma?",
        ids(g.inn(b, "AFFECTS")),
        "FAC-003 -> parts <- suppliers <- AFFECTS, whatever the status.",
    )
    add(
        "multi_hop",
        "how many different parts go into the things airglobal has ordered",
        num(len(g.up(g.inn("CUS-001", "DELIVERS_TO"))[1])),
        "CUS-001 <- products <- plants -> parts, distinct.",
    )
    add(
        "multi_hop",
        "Some of our suppliers deliver to a plant in their own country. Which suppliers are those?",
        ids(s for s in S if any(N[f]["location"] == N[s]["location"] for f in g.down(s)[1])),
        "Supplier -> part <- plant with the same location.",
    )

    # ---- downstream
    add(
        "downstream",
        "If CMP-012 can't be had for a while, which products does that hit?",
        ids(g.out(g.inn("CMP-012", "USES"), "PRODUCES")),
        "CMP-012 <- USES -> PRODUCES.",
    )
    c, f, p, k = g.down(g.out("EVT-003", "AFFECTS"))
    add(
        "downstream",
        "Follow the Monterrey power rationing down as far as our products: all parts, plants and products it touches, please, but not the customers.",
        ids(c | f | p),
        "Union of three layers under SUP-008.",
    )
    add(
        "downstream",
        "Revenue at stake, in $m, if CarbonWing can't deliver?",
        num(g.sum(g.down("SUP-003")[2], "revenue_musd")),
        "Sum of revenue_musd over the products under SUP-003.",
    )
    add(
        "downstream",
        "Would trouble at AeroMetal make it all the way through to DefenseTech?",
        yes("CUS-004" in g.down("SUP-002")[3]),
        "CUS-004 is not under SUP-002.",
    )
    add(
        "downstream",
        "Which plants feel it when the rudder actuators run out?",
        ids(g.inn("CMP-007", "USES")),
        "USES into CMP-007.",
    )
    add(
        "downstream",
        "Avionics Hub Delta goes dark: which of our customers on a framework or a government contract would notice?",
        ids(
            g.where(
                g.cust(g.out("FAC-004", "PRODUCES")),
                lambda r: r["contract"] in ("framework", "government"),
            )
        ),
        "FAC-004 -> products -> customers, filtered by the customer's contract.",
    )
    add(
        "downstream",
        "Going by today's relations, what products lay in the way of the UK foundry fire?",
        ids(g.down(g.out("EVT-006", "AFFECTS"))[2]),
        "Closed event, chain over relations valid now: SUP-005 -> CMP-005 -> FAC-003 -> products.",
    )
    th = g.down("SUP-004")[2]
    add(
        "downstream",
        "Of the units due for delivery in 2025, how many are of a product that depends on ThaiRubber?",
        num(qty(lambda e: e["source"] in th and e["delivery"].startswith("2025"))),
        "order_qty with delivery in 2025 over the products under SUP-004; AirGlobal's 12 wide-bodies are due in 2026.",
    )

    # ---- path
    add(
        "path",
        "What are the shortest chains linking OptiGlass to AirGlobal?",
        {"path": g.paths("SUP-007", "CUS-001")},
        "SUP-007 to CUS-001; two by way of two products.",
    )
    add(
        "path",
        "Trace the Taiwan earthquake through to the SkyPatrol drone.",
        {"path": chains(g, {"EVT-002"}, ("AFFECTS", False), *CHAIN, {"PRD-006"})},
        "EVT-002 to PRD-006; three parts, so three chains. Any of them or all.",
    )
    add(
        "path",
        "Counting supplier-part-plant-product as one route, how many different routes are there from CarbonWing Composites to the WideBird?",
        num(len(chains(g, {"SUP-003"}, *CHAIN, {"PRD-002"}))),
        "Number of SUP-003 -> part <- plant -> PRD-002 chains.",
    )
    r = chains(g, {"SUP-006"}, *CHAIN, {"PRD-005"})
    add(
        "path",
        "Is there any supply route at all from HydroServo to the ExecWing?",
        yes(r),
        "No chain from SUP-006 to PRD-005 along the supply direction.",
    )
    r = chains(g, {"SUP-008"}, *CHAIN, {"PRD-004"})
    add(
        "path",
        "What lies between ElectraWire and the RegionalJet? The part and the plant.",
        ids({x for w in r for x in w[1:-1]}),
        "Inner nodes of the one chain SUP-008 to PRD-004.",
    )
    add(
        "path",
        "shortest connection between ThaiRubber and OptiGlass, never mind which way the links point",
        {"path": g.paths("SUP-004", "SUP-007")},
        "Undirected, six links; four equally short ones. Any of them or all.",
    )
    r = chains(g, {"SUP-004"}, *CHAIN, ("DELIVERS_TO", False), {"CUS-002"})
    add(
        "path",
        "By way of which product do ThaiRubber's seals find their way to PacificWings?",
        ids({w[3] for w in r}),
        "Products on the chains SUP-004 -> CUS-002.",
    )
    add(
        "path",
        "fac-003 to cus-003, show me the ways",
        {"path": chains(g, {"FAC-003"}, ("PRODUCES", False), ("DELIVERS_TO", False), {"CUS-003"})},
        "Two: by PRD-001 and by PRD-003.",
    )

    # ---- aggregation
    add(
        "aggregation",
        "How many units do we have on order altogether?",
        num(qty(lambda e: True)),
        "Sum of order_qty over all of DELIVERS_TO.",
    )
    un = {x: qty(lambda e: e["target"] == x) for x in K}
    assert len(lead(un)) == 1
    add(
        "aggregation",
        "Which customer has the biggest order book counted in units?",
        ids(lead(un)),
        "Sum of order_qty per customer; one winner.",
    )
    add(
        "aggregation",
        "Rank our plants by yearly capacity, largest first.",
        rank({x: N[x]["capacity_per_year"] for x in F}),
        "capacity_per_year, descending.",
    )
    L = [e["lead_time_days"] for e in v("SUPPLIES")]
    add(
        "aggregation",
        "Across all the supply agreements now in force, what's the average lead time?",
        num(sum(L) / len(L)),
        "Mean over the 15 valid SUPPLIES; the two expired ones are out.",
    )
    r3 = rank(lt, k=3)
    add(
        "aggregation",
        "The three parts we wait longest for, with the days?",
        r3,
        "Three highest lead_time_days on valid SUPPLIES; no tie at the cut.",
    )
    add(
        "aggregation",
        "For each current supplier, tell me how many of our plants use its parts.",
        rank({s: len(g.down(s)[1]) for s in S}),
        "Distinct plants per supplier.",
    )
    add(
        "aggregation",
        "Taking all its parts together, how many pieces go into one unit at Epsilon?",
        num(sum(e["quantity_per_unit"] for e in v("USES") if e["source"] == "FAC-005")),
        "Sum of quantity_per_unit over FAC-005 USES.",
    )
    add(
        "aggregation",
        "mean revenue per product, $m",
        num(g.sum(P, "revenue_musd") / len(P)),
        "Mean of revenue_musd over the six products.",
    )

    # ---- temporal
    add(
        "temporal",
        "What was the last day on which ShenzenChip supplied us?",
        {"date": max(e["expired_date"] for e in v("SUPPLIES", None) if e["source"] == "SUP-009")},
        "expired_date of its one SUPPLIES, inclusive.",
    )
    add(
        "temporal",
        "Which risk events were open on New Year's Day 2023?",
        ids(g.open_on("2023-01-01")),
        "date <= 2023-01-01 <= ended_date.",
    )
    add(
        "temporal",
        "which suppliers had an agreement with us in force on 1 july 2020",
        ids({e["source"] for e in v("SUPPLIES", "2020-07-01")}),
        "Sources of SUPPLIES valid that day; HydroServo by the forging it made then.",
    )
    (old,) = [
        e["target"]
        for e in v("SUPPLIES")
        if e["effective_date"] == min(x["effective_date"] for x in v("SUPPLIES"))
    ]
    add(
        "temporal",
        "Of the supply agreements still running, which part has the oldest one?",
        ids([old]),
        "Earliest effective_date among valid SUPPLIES.",
    )
    add(
        "temporal",
        "How many of today's supply agreements were already in place on 31 December 2020?",
        num(sum(e["effective_date"] <= "2020-12-31" for e in v("SUPPLIES"))),
        "Valid now, effective by that day; the expired forging agreement is out.",
    )
    add(
        "temporal",
        "From whom did AeroMetal take over the landing gear forging?",
        ids(sup("CMP-009", "2023-06-30")),
        "The supplier whose SUPPLIES ended the day before AeroMetal's began.",
    )
    hit = {
        e
        for e in E
        if N[e]["date"] <= "2023-12-31" and (N[e]["ended_date"] or "9999") >= "2023-01-01"
    }
    add(
        "temporal",
        "I'm writing up 2023 for the board. Which suppliers had an event open against them on at least one day of that year, whenever it started or ended?",
        ids(g.out(hit, "AFFECTS")),
        "Events whose span overlaps 2023 -> suppliers; the UK fire ran into February, the titanium review into 2024.",
    )
    add(
        "temporal",
        "When was the most recently closed event declared over?",
        {"date": max(N[e]["ended_date"] for e in E if N[e]["ended_date"])},
        "Latest ended_date.",
    )

    # ---- what_if
    add(
        "what_if",
        "If Gamma shut its gates for good, which parts would no plant use any longer?",
        ids(x for x in C if g.inn(x, "USES") == {"FAC-003"}),
        "Parts used by FAC-003 alone.",
    )
    add(
        "what_if",
        "Suppose we lost TechChip and ElectraWire on the same day. Would any product get away unharmed, and which?",
        yes(True, P - g.down({"SUP-001", "SUP-008"})[2]),
        "All products less those under either.",
    )
    assert P - g.down({"SUP-001", "SUP-008"})[2]
    add(
        "what_if",
        "EuroConnect pulls out entirely - how many units drop off the order book?",
        num(qty(lambda e: e["target"] == "CUS-003")),
        "Sum of order_qty into CUS-003.",
    )
    two = {x: len(g.out(x, "USES") & g.out("SUP-002", "SUPPLIES")) for x in F}
    add(
        "what_if",
        "Say AeroMetal stopped supplying: which plants would be short of more than one part?",
        ids(x for x, m in two.items() if m > 1),
        "Parts of SUP-002 per plant, above 1.",
    )
    past = {e["source"] for e in v("SUPPLIES", None) if e["target"] == "CMP-009"} - sup("CMP-009")
    add(
        "what_if",
        "If AeroMetal dropped the landing gear forging, is there anyone else we could ask who has made it for us before?",
        yes(past, past),
        "Expired SUPPLIES on CMP-009; HydroServo is still a current supplier of another part.",
    )
    lost = {x for x in K if g.inn(x, "DELIVERS_TO") <= g.down("SUP-004")[2]}
    add(
        "what_if",
        "Imagine the flood wipes ThaiRubber out. Is there a customer for whom every product on order would be hit? Who?",
        yes(lost, lost),
        "Customers all of whose products are under SUP-004: none.",
    )
    add(
        "what_if",
        "If Epsilon burned down, which products lose the site of their final assembly?",
        ids(
            e["target"]
            for e in v("PRODUCES")
            if e["source"] == "FAC-005" and e["role"] == "final assembly"
        ),
        "role on FAC-005 PRODUCES.",
    )
    add(
        "what_if",
        "Assume we qualify a second source for the wing spar. How many parts would then still be single-sourced?",
        num(len(sole - {"CMP-002"})),
        "15 single-sourced less CMP-002.",
    )

    # ---- spof
    add(
        "spof",
        "Which parts go into just one plant?",
        ids(x for x in C if len(g.inn(x, "USES")) == 1),
        "USES in-degree 1.",
    )
    add(
        "spof",
        "products built at a single site, which?",
        ids(x for x in P if len(g.inn(x, "PRODUCES")) == 1),
        "PRODUCES in-degree 1.",
    )
    add(
        "spof",
        "Who is sole source to us for at least three parts?",
        ids(s for s in S if len(g.out(s, "SUPPLIES") & sole) >= 3),
        "Single-sourced parts per supplier, 3 or more.",
    )
    one = {x for x in K if len(g.inn(x, "DELIVERS_TO")) == 1}
    add(
        "spof",
        "Does any customer hang on one single product of ours? If so, who?",
        yes(one, one),
        "DELIVERS_TO in-degree 1.",
    )
    add(
        "spof",
        "Among the parts Delta needs, which have a lone supplier that isn't tier 1?",
        ids(x for x in g.out("FAC-004", "USES") & sole if N[min(sup(x))]["tier"] != 1),
        "Parts of FAC-004, single-sourced, tier of the supplier above 1.",
    )
    ep = {x: lt[x] for x in g.out("FAC-005", "USES") & sole}
    assert len(lead(ep)) == 1
    add(
        "spof",
        "Of Epsilon's single-source parts, which one takes longest to come in?",
        ids(lead(ep)),
        "Highest lead_time_days among the sole-sourced parts of FAC-005.",
    )
    ov = {
        x["target"]
        for x in v("SUPPLIES", None)
        for y in v("SUPPLIES", None)
        if x is not y
        and x["target"] == y["target"]
        and x["effective_date"] <= (y["expired_date"] or "9999")
        and y["effective_date"] <= (x["expired_date"] or "9999")
    }
    add(
        "spof",
        "Looking back over everything we have on record, was there ever a part with two suppliers at the same time?",
        yes(ov, ov),
        "Overlap of SUPPLIES spans on one part: none; both handovers were from one day to the next.",
    )
    add(
        "spof",
        "High-criticality parts with one supplier only, and that on a mere annual contract, please.",
        ids(x for x in sole if N[x]["criticality"] == "high" and con[x] == "annual"),
        "criticality, in-degree 1, contract annual on the valid SUPPLIES.",
    )

    # ---- inverse
    t2 = g.t("Supplier", lambda r: r["tier"] == 2)
    add(
        "inverse",
        "Which plant uses nothing whatsoever from a tier 2 supplier?",
        ids(F - g.down(t2)[1]),
        "Plants less those under tier 2 suppliers.",
    )
    add(
        "inverse",
        "Suppliers with no open event against them right now?",
        ids(S - g.out(OP, "AFFECTS")),
        "Current suppliers less those under open events.",
    )
    nev = S - g.out(E, "AFFECTS", None)
    add(
        "inverse",
        "Has any of our current suppliers been spared by every event on record, the closed ones too? Name it if so.",
        yes(nev, nev),
        "Current suppliers less all AFFECTS targets: none.",
    )
    add(
        "inverse",
        "What parts are not in anything AirGlobal has on order?",
        ids(C - g.up(g.inn("CUS-001", "DELIVERS_TO"))[1]),
        "15 less the parts under CUS-001's products.",
    )
    add(
        "inverse",
        "what do we make that pacificwings hasn't ordered",
        ids(P - g.inn("CUS-002", "DELIVERS_TO")),
        "Products less those with DELIVERS_TO CUS-002.",
    )
    add(
        "inverse",
        "How many of our products never pass through Final Assembly Epsilon?",
        num(len(P - g.out("FAC-005", "PRODUCES"))),
        "6 less the products of FAC-005.",
    )
    h1 = {e["target"] for e in v("DELIVERS_TO") if e["delivery"] in ("2025-Q1", "2025-Q2")}
    add(
        "inverse",
        "Which customers have no delivery coming to them in the first half of 2025?",
        ids(K - h1),
        "Customers less those with delivery 2025-Q1 or 2025-Q2.",
    )
    add(
        "inverse",
        "Which plants stand in a country where we have no current supplier?",
        ids(x for x in F if N[x]["location"] not in {N[s]["location"] for s in S}),
        "Plant location against supplier locations.",
    )

    # ---- compare
    cap = [N[x]["capacity_per_year"] for x in ("FAC-001", "FAC-004")]
    add(
        "compare",
        "Alpha or Delta: which can build more in a year, and how many different parts does each of them use?",
        cmp_(
            "FAC-001",
            "FAC-004",
            capacity_per_year=cap,
            components=[len(g.out(x, "USES")) for x in ("FAC-001", "FAC-004")],
            higher="FAC-001" if cap[0] > cap[1] else "FAC-004",
        ),
        "capacity_per_year and USES out-degree.",
    )
    pa, pb = (g.inn(x, "DELIVERS_TO") for x in ("CUS-001", "CUS-003"))
    add(
        "compare",
        "Compare AirGlobal with EuroConnect: products ordered, units ordered, and what they have both ordered.",
        cmp_(
            "CUS-001",
            "CUS-003",
            products=[len(pa), len(pb)],
            units=[un["CUS-001"], un["CUS-003"]],
            shared_products=sorted(pa & pb),
        ),
        "DELIVERS_TO into each; sums of order_qty.",
    )
    add(
        "compare",
        "Which parts do the ExecWing and the RegionalJet have in common?",
        ids(g.up("PRD-005")[1] & g.up("PRD-004")[1]),
        "Intersection of the parts under PRD-005 and PRD-004.",
    )
    fa, fb = g.down("SUP-001")[1], g.down("SUP-008")[1]
    add(
        "compare",
        "Do TechChip and ElectraWire feed exactly the same plants? And which ones do they both feed?",
        yes(fa == fb, fa & fb),
        "Plants under each, equal sets.",
    )
    pe = [len(g.down(g.out(x, "AFFECTS"))[2]) for x in ("EVT-001", "EVT-002")]
    add(
        "compare",
        "Thailand flood or Taiwan earthquake, which of them reaches more products? Both numbers please.",
        cmp_("EVT-001", "EVT-002", products=pe, higher="EVT-001" if pe[0] > pe[1] else "EVT-002"),
        "Products in each blast radius.",
    )
    se = [len(g.up(g.inn(x, "DELIVERS_TO"))[2]) for x in ("CUS-001", "CUS-004")]
    add(
        "compare",
        "whose orders rest on more suppliers, AirGlobal's or DefenseTech's, and how many is it for each?",
        cmp_("CUS-001", "CUS-004", suppliers=se, higher="CUS-001" if se[0] > se[1] else "CUS-004"),
        "Distinct suppliers behind each customer's products.",
    )
    wi = sorted(g.t("Component", lambda r: r["component_type"] == "Wiring"))
    add(
        "compare",
        "Harness against loom: which of the two comes in quicker, and what are the lead times?",
        cmp_(*wi, lead_time_days=[lt[x] for x in wi], lower=min(wi, key=lt.get)),
        "lead_time_days on the SUPPLIES of CMP-010 and CMP-013.",
    )
    add(
        "compare",
        "By how many days did the lead time of the flight control unit come down when TechChip replaced ShenzenChip?",
        num(
            g.edge("SUP-009", "SUPPLIES", "CMP-001")["lead_time_days"]
            - g.edge("SUP-001", "SUPPLIES", "CMP-001")["lead_time_days"]
        ),
        "70 less 45, the expired agreement against the valid one.",
    )

    # ---- risk
    add(
        "risk",
        "How much of the WideBird's risk score is down to the Thailand flood alone?",
        num(g.score("PRD-002", only="EVT-001")),
        "Eq. (1) on PRD-002, terms of EVT-001 only.",
    )
    add("risk", "Which product is most at risk just now?", ids(lead(score)), "Highest score; one.")
    tie = {p for p in P if sum(abs(score[p] - score[o]) < 1e-9 for o in P) > 1}
    add(
        "risk",
        "Which of our products share one and the same risk score?",
        ids(tie),
        "Products with equal scores: one group of three.",
    )
    add(
        "risk",
        "average risk score over the whole product range?",
        num(sum(score.values()) / len(P)),
        "Mean of the six scores.",
    )
    add(
        "risk",
        "If the Taiwan earthquake were declared over, what would SkyPatrol score?",
        num(g.score("PRD-006", without={"EVT-002"})),
        "Eq. (1) on PRD-006 without EVT-002.",
    )
    add(
        "risk",
        "Suppose the Monterrey rationing got worse and went from high to critical. What risk score would that give the RegionalJet-150?",
        num(g.score("PRD-004", sev={"EVT-003": "critical"})),
        "Eq. (1) on PRD-004 with weight 1.0 for EVT-003.",
    )
    add(
        "risk",
        "Of what PacificWings has ordered, give me the risk scores, riskiest first.",
        rank({p: score[p] for p in g.inn("CUS-002", "DELIVERS_TO")}),
        "Scores of the products of CUS-002.",
    )
    add(
        "risk",
        "What would the NarrowBody's risk score have been on 1 November 2022?",
        num(g.score("PRD-001", "2022-11-01")),
        "Relations valid and events open on that day: the UK foundry fire alone.",
    )

    # ---- combined
    add(
        "combined",
        "On 1 July 2020, for which of today's parts did we have no supplier yet?",
        ids(C - {e["target"] for e in v("SUPPLIES", "2020-07-01")}),
        "Temporal and inverse.",
    )
    add(
        "combined",
        "Rank the open events by the total revenue in $m of the products they reach.",
        rank({e: g.sum(g.down(g.out(e, "AFFECTS"))[2], "revenue_musd") for e in OP}),
        "Blast radius and sum; the first two tie.",
    )
    hs = g.out(OP, "AFFECTS")
    add(
        "combined",
        "Which plants get parts from two or more suppliers that are under an open event?",
        ids(x for x in F if len(sup(g.out(x, "USES")) & hs) >= 2),
        "Disruption and count per plant.",
    )
    assert "EVT-005" in g.open_on("2023-06-01")
    add(
        "combined",
        "As things stood on 1 June 2023, which products was the Hamburg port strike able to reach?",
        ids(g.down(g.out("EVT-005", "AFFECTS", "2023-06-01"), "2023-06-01")[2]),
        "Temporal and downstream: SUP-003 on that day.",
    )
    add(
        "combined",
        "Which of the suppliers behind the ExecWing-7 aren't hit by anything open?",
        ids(g.up("PRD-005")[2] - hs),
        "Upstream suppliers less those under open events.",
    )
    (top,) = lead(score)
    add(
        "combined",
        "how many units of our riskiest product are on order",
        num(qty(lambda e: e["source"] == top)),
        "Highest score, then sum of order_qty.",
    )
    add(
        "combined",
        "Are there customers whose every ordered product scores above 0.9 on risk? Which ones?",
        yes(True, {x for x in K if all(score[p] > 0.9 for p in g.inn(x, "DELIVERS_TO"))}),
        "Risk threshold for all products of a customer.",
    )
    add(
        "combined",
        "Sole-sourced parts behind the freighter that take more than 60 days to arrive?",
        ids(x for x in g.up("PRD-003")[1] & sole if lt[x] > 60),
        "Upstream, single-source and lead time together; the wing spar has 60 days, no more.",
    )

    # ---- centrality
    ad = g.adj()
    assert len(g.n) == 46 and len(v()) == 64 and set(ad) == set(g.n)
    deg = {x: len(ad[x]) for x in g.n}
    of = lambda d, T: {x: d[x] for x in T}
    bc = g.betweenness()
    add(
        "centrality",
        "Counting every kind of link, events as well, which suppliers are the best connected?",
        ids(lead(of(deg, S))),
        "Highest degree among suppliers; a tie of two.",
    )
    assert len(lead(of(bc, P))) == 1, of(bc, P)
    add(
        "centrality",
        "Which product sits on the most shortest paths, by betweenness with links taken both ways?",
        ids(lead(of(bc, P))),
        "Highest betweenness among products, undirected.",
    )
    add(
        "centrality",
        "which parts have the most direct connections",
        ids(lead(of(deg, C))),
        "Highest degree among components; a tie of five.",
    )
    add(
        "centrality",
        "How many entities is the WideBird-X50 directly tied to?",
        num(deg["PRD-002"]),
        "Degree of PRD-002.",
    )
    left, n = set(g.n) - {"FAC-004"}, 0
    while left:
        left -= set(g.far(min(left), {"FAC-004"}))
        n += 1
    add(
        "centrality",
        "If you took Delta out of the network, into how many separate pieces would the rest fall?",
        num(n),
        "Connected components of the undirected graph, events included, without FAC-004.",
    )
    add(
        "centrality",
        "On average, how many links does a node of our graph have?",
        num(2 * len(v()) / len(g.n)),
        "2 x 64 / 46.",
    )
    ind = {x: sum(e["target"] == x for e in v()) for x in g.n}
    add(
        "centrality",
        "Counting only the arrows that point in, which node comes out on top?",
        ids(lead(ind)),
        "Highest in-degree, directed; one.",
    )
    dist = {x: max(g.far(x).values()) for x in g.n}
    add(
        "centrality",
        "Every link walkable both ways and risk events included: how many steps apart are the two most distant nodes?",
        num(max(dist.values())),
        "Diameter of the undirected graph of active nodes and relations.",
    )

    # ---- unanswerable
    al = sorted(g.t("Product", lambda r: "airliner" in r["product_type"]))
    add(
        "unanswerable",
        "Who's buying the airliner?",
        no("ambiguous", *al),
        "Two airliners: single-aisle and wide-body. Asking which one, or answering for each under its name, is right.",
    )
    lg = sorted(g.t("Customer", lambda r: r["contract"] == "long-term"))
    add(
        "unanswerable",
        "How many units is our long-term contract customer getting?",
        no("ambiguous", *lg),
        "Two customers with a long-term contract. Asking which one, or answering for each under its name, is right.",
    )
    ev = sorted(g.t("RiskEvent", lambda r: r["date"].startswith("2022")))
    add(
        "unanswerable",
        "which supplier was it that the 2022 event hit?",
        no("ambiguous", *ev),
        "Two events began in 2022: the UK foundry fire and the Osaka typhoon. Asking which one, or answering for each under its name, is right.",
    )
    add(
        "unanswerable",
        "What parts do we get from Honeywell?",
        no("unknown_entity"),
        "No such supplier.",
    )
    add(
        "unanswerable",
        "Which suppliers are down because of the Suez Canal blockage?",
        no("unknown_entity"),
        "No such event; Lyon's transport blockade is another.",
    )
    add(
        "unanswerable",
        "fac-009: what products come out of it?",
        no("unknown_entity"),
        "Well-formed id past the last plant.",
    )
    add(
        "unanswerable",
        "How many people work at Avionics Hub Delta?",
        no("not_in_schema"),
        "No headcount in the schema.",
    )
    add(
        "unanswerable",
        "What do we pay ElectraWire for one main wiring harness?",
        no("not_in_schema"),
        "No prices in the schema.",
    )
    return q


rows = [
    {"id": f"ab-{k:03}", "category": c, "query": t, "gold": gold, "note": note}
    for k, (c, t, gold, note) in enumerate(questions(A()), 1)
]
assert len({r["query"].lower() for r in rows}) == len(rows)
write("aerospace_blind", rows)
