"""A third set of blind questions over the aerospace graph; gold computed from examples/aerospace.

usage: python3 gold_aerospace_blind3.py [--show]

Conventions: gold_aerospace.py. Chains run over relations valid on the day; a type names its active nodes."""

from gold_aerospace import A, AS_OF, CHAIN, chains, units
from gold_common import cmp_, ids, lead, mean, no, num, numbered, rank, write, yes


def ordered(g, customer):
    return g.inn(customer, "DELIVERS_TO")


def units_of(g, customer):
    return sum(e["order_qty"] for e in g.valid("DELIVERS_TO") if e["target"] == customer)


def lookup(g):
    role = {e["source"] for e in g.valid("PRODUCES") if e["role"] == "final assembly"}
    return [
        (
            "What's the lead time on the turbofan blades?",
            num(g.edge("SUP-005", "SUPPLIES", "CMP-005", AS_OF)["lead_time_days"]),
            "lead_time_days of the one current agreement on CMP-005.",
        ),
        (
            "Which customers are on a long-term contract with us?",
            ids(g.t("Customer", lambda r: r["contract"] == "long-term")),
            "contract of Customer.",
        ),
        (
            "Which plants do the final assembly of one of our products?",
            ids(role),
            "role on PRODUCES; the plant that has it in its name is one of three.",
        ),
        (
            "How many RegionalJets does PacificWings have on order?",
            num(g.edge("PRD-004", "DELIVERS_TO", "CUS-002", AS_OF)["order_qty"]),
            "order_qty of one relation.",
        ),
    ]


def multi_hop(g):
    thai = g.inn(g.out("SUP-004", "SUPPLIES"), "USES")
    bought = g.out(g.inn(ordered(g, "CUS-001"), "PRODUCES"), "USES")
    uk = g.t("Factory", lambda r: r["location"] == "United Kingdom")
    german = g.t("Supplier", lambda r: r["location"] == "Germany")
    french = g.t("Factory", lambda r: r["location"] == "France")
    return [
        (
            "Which plants end up with something that ThaiRubber makes?",
            ids(thai),
            "SUP-004 -> parts <- plants.",
        ),
        (
            "List the parts that go into whatever AirGlobal has ordered.",
            ids(bought),
            "CUS-001 <- products <- plants -> parts.",
        ),
        (
            "Which customers are buying something that gets worked on in the United Kingdom?",
            ids(g.out(g.out(uk, "PRODUCES"), "DELIVERS_TO")),
            "Plants there -> products -> customers.",
        ),
        (
            "Do any German suppliers feed our French plant, and which?",
            yes(
                german & g.inn(g.out(french, "USES"), "SUPPLIES"),
                german & g.inn(g.out(french, "USES"), "SUPPLIES"),
            ),
            "Location of both ends; suppliers of parts used at FAC-005.",
        ),
    ]


def downstream(g):
    of_part = lambda c: g.out(g.inn(c, "USES"), "PRODUCES")
    return [
        (
            "The fuel line gasket is running short. Which aircraft does that hold up?",
            ids(of_part("CMP-011")),
            "CMP-011 <- plants -> products.",
        ),
        (
            "What hangs on PropulsionWorks, all the way from its parts to the customers?",
            ids(set().union(*g.down("SUP-005"))),
            "The union of the four layers under SUP-005.",
        ),
        (
            "How many units on order are for products that Beta has a hand in?",
            num(units(g, g.out("FAC-002", "PRODUCES"))),
            "Sum of order_qty over the products of FAC-002.",
        ),
        (
            "Which customers would feel a quality problem with the cabin door seal?",
            ids(g.cust(of_part("CMP-004"))),
            "CMP-004 <- plants -> products -> customers.",
        ),
    ]


def path(g):
    (short,) = {len(p) for p in g.paths("SUP-008", "CUS-003")}
    through = chains(g, {"SUP-001"}, *CHAIN, ("DELIVERS_TO", False), {"CUS-004"})
    flood = g.paths("EVT-001", "CUS-001")
    carbon = chains(g, {"SUP-003"}, *CHAIN, {"PRD-005"})
    assert carbon == g.paths("SUP-003", "PRD-005")
    return [
        (
            "How do CarbonWing's parts get into the ExecWing?",
            {"path": carbon},
            "Two chains of the same length.",
        ),
        (
            "What is the shortest chain from the Thailand flood to AirGlobal?",
            {"path": flood},
            "Two equally short ones, by the seal and by the gasket.",
        ),
        (
            "How many hops from ElectraWire to EuroConnect, taking the shortest way?",
            num(short - 1),
            "Edges of a shortest path.",
        ),
        (
            "Which parts lie on the chains that lead from TechChip to DefenseTech?",
            ids({p[1] for p in through}),
            "Second layer of all SUP-001 -> CUS-004 chains.",
        ),
    ]


def aggregation(g):
    plants = g.inn("PRD-002", "PRODUCES")
    return [
        (
            "Average lead time over all the supply agreements running now?",
            num(mean(e["lead_time_days"] for e in g.valid("SUPPLIES"))),
            "Mean over valid SUPPLIES; the two expired ones are out.",
        ),
        (
            "Rank our customers by the number of units they have on order.",
            rank({c: units_of(g, c) for c in g.t("Customer")}),
            "Sum of order_qty per customer.",
        ),
        (
            "How many parts does each of our current suppliers make for us?",
            rank({s: len(g.out(s, "SUPPLIES")) for s in g.t("Supplier")}),
            "Out-degree on valid SUPPLIES.",
        ),
        (
            "Added up, what yearly capacity do the plants working on the WideBird have?",
            num(g.sum(plants, "capacity_per_year")),
            "Sum of capacity_per_year over the plants of PRD-002.",
        ),
    ]


def temporal(g):
    old = {e["target"] for e in g.valid("SUPPLIES") if e["effective_date"] < "2021-01-01"}
    return [
        (
            "Until when did ShenzenChip supply the flight control unit?",
            {"date": g.edge("SUP-009", "SUPPLIES", "CMP-001")["expired_date"]},
            "expired_date of the expired agreement.",
        ),
        (
            "Which parts do we buy under agreements that began before 2021 and still run?",
            ids(old),
            "effective_date of valid SUPPLIES.",
        ),
        (
            "Which risk events were open on 1 June 2023?",
            ids(g.open_on("2023-06-01")),
            "date <= day <= ended_date.",
        ),
        (
            "Who was making the landing gear forging for us in 2022?",
            ids(
                g.inn("CMP-009", "SUPPLIES", "2022-01-01")
                | g.inn("CMP-009", "SUPPLIES", "2022-12-31")
            ),
            "The expired agreement holds for the whole year.",
        ),
    ]


def what_if(g):
    used = g.out(g.t("Factory") - {"FAC-005"}, "USES")
    safe = {p for p in g.t("Product") if not g.up(p)[2] & {"SUP-002", "SUP-003"}}
    return [
        (
            "If Epsilon closed, which parts would no plant use any more?",
            ids(g.out("FAC-005", "USES") - used),
            "Parts of FAC-005 that no other plant uses.",
        ),
        (
            "Suppose EuroConnect cancels everything. How many units come off the order book?",
            num(units_of(g, "CUS-003")),
            "Sum of order_qty into CUS-003.",
        ),
        (
            "Say AeroMetal and CarbonWing both stop delivering: which products would not be touched?",
            ids(safe),
            "Products with neither among their suppliers.",
        ),
        (
            "What would the ExecWing's risk score drop to if the Taiwan earthquake were closed?",
            num(g.score("PRD-005", without={"EVT-002"})),
            "Eq. (1) without EVT-002.",
        ),
    ]


def spof(g):
    sole = {c for c in g.t("Component") if len(g.inn(c, "SUPPLIES")) == 1}
    sup = {s for s in g.t("Supplier") if len(g.out(s, "SUPPLIES") & sole) >= 3}
    narrow = {c for c in sole if g.n[c]["criticality"] == "high" and len(g.inn(c, "USES")) == 1}
    return [
        (
            "Which suppliers are the sole source of three parts or more?",
            ids(sup),
            "Parts of in-degree 1, counted per supplier.",
        ),
        (
            "Which products have all their work done at a single plant?",
            ids({p for p in g.t("Product") if len(g.inn(p, "PRODUCES")) == 1}),
            "In-degree 1 on PRODUCES.",
        ),
        (
            "High-criticality parts with just one supplier and just one plant using them?",
            ids(narrow),
            "In-degree 1 on SUPPLIES and on USES, criticality high.",
        ),
        (
            "Which customers have only one of our products on order?",
            ids({c for c in g.t("Customer") if len(ordered(g, c)) == 1}),
            "In-degree 1 on DELIVERS_TO.",
        ),
    ]


def inverse(g):
    tech = g.inn(g.out("SUP-001", "SUPPLIES"), "USES")
    hit = g.out(g.open_on(), "AFFECTS")
    german = g.out(g.t("Factory", lambda r: r["location"] == "Germany"), "PRODUCES")
    return [
        (
            "Which plants use nothing from TechChip?",
            ids(g.t("Factory") - tech),
            "All plants less those that use a part of SUP-001.",
        ),
        (
            "Which of our current suppliers are not under an open event?",
            ids(g.t("Supplier") - hit),
            "Closed events do not count.",
        ),
        (
            "Which aircraft have no work done on them in Germany?",
            ids(g.t("Product") - german),
            "Location of the plants; the drone counts as a product.",
        ),
        (
            "How many of our parts does Plant Alpha not use?",
            num(len(g.t("Component") - g.out("FAC-001", "USES"))),
            "15 less the parts of FAC-001.",
        ),
    ]


def compare(g):
    def reach(s):
        return [len(layer) for layer in g.down(s)[:3]]

    thai, electra = reach("SUP-004"), reach("SUP-008")
    cap = [g.n[f]["capacity_per_year"] for f in ("FAC-001", "FAC-004")]
    order = [units_of(g, c) for c in ("CUS-001", "CUS-002")]
    assert cap[1] > cap[0] and order[0] > order[1]
    return [
        (
            "Alpha or Delta: which one has the higher yearly capacity? Give both.",
            cmp_("FAC-001", "FAC-004", capacity_per_year=cap, higher="FAC-004"),
            "capacity_per_year of both.",
        ),
        (
            "Compare ThaiRubber with ElectraWire: how many parts, plants and products does each reach?",
            cmp_(
                "SUP-004",
                "SUP-008",
                **{
                    k: [x, y]
                    for k, x, y in zip(("components", "factories", "products"), thai, electra)
                },
            ),
            "Dual downstream traversal.",
        ),
        (
            "What parts do the WideBird and the ExecWing have in common?",
            ids(g.up("PRD-002")[1] & g.up("PRD-005")[1]),
            "Intersection of the parts behind both.",
        ),
        (
            "Who has more units on order with us, AirGlobal or PacificWings?",
            cmp_("CUS-001", "CUS-002", units_on_order=order, higher="CUS-001"),
            "Sum of order_qty of both.",
        ),
    ]


def risk(g):
    score = {p: g.score(p) for p in g.t("Product")}
    return [
        (
            "What is the WideBird's risk score at the moment?",
            num(score["PRD-002"]),
            "Eq. (1) on PRD-002.",
        ),
        (
            "Which product carries the most risk right now?",
            ids(lead(score)),
            "Eq. (1); one winner.",
        ),
        (
            "How much of the WideBird's risk score is down to the Monterrey power rationing?",
            num(g.score("PRD-002", only="EVT-003")),
            "Eq. (1) with EVT-003 alone.",
        ),
        (
            "Which products have a risk score above 0.9?",
            ids({p for p, v in score.items() if v > 0.9}),
            "Eq. (1), threshold.",
        ),
    ]


def combined(g):
    slow = {e["target"] for e in g.valid("SUPPLIES") if e["lead_time_days"] > 50}
    high = g.t("Component", lambda r: r["criticality"] == "high")
    day = "2023-01-01"
    hit = g.out(g.open_on(day), "AFFECTS", day)
    all_three = [g.down(g.out(e, "AFFECTS"))[3] for e in sorted(g.open_on())]
    second = g.t("Supplier", lambda r: r["tier"] == 2)
    return [
        (
            "Which high-criticality parts used at Alpha have a lead time above 50 days?",
            ids(slow & high & g.out("FAC-001", "USES")),
            "Criticality, lead time and plant together.",
        ),
        (
            "On 1 January 2023, which products had a supplier behind them that was under an open event?",
            ids(g.down(hit, day)[2]),
            "Events open on that day, chains valid on that day.",
        ),
        (
            "Which customers are reached by every one of the open events?",
            ids(set.intersection(*all_three)),
            "Intersection of three blast radii.",
        ),
        (
            "Which tier 2 suppliers feed more than one of our plants?",
            ids({s for s in second if len(g.down(s)[1]) > 1}),
            "Tier, and number of plants that use any of the supplier's parts.",
        ),
    ]


def centrality(g):
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which suppliers have the most direct links, events included?",
            ids(lead({s: degree[s] for s in g.t("Supplier")})),
            "Total degree among suppliers; a tie.",
        ),
        (
            "By betweenness over the whole network, links taken both ways, which product is the most central?",
            ids(lead({p: between[p] for p in g.t("Product")})),
            "Highest betweenness among products.",
        ),
        (
            "How many direct connections does Gamma have in all?",
            num(degree["FAC-003"]),
            "Total degree of FAC-003.",
        ),
        (
            "If we took Delta out, into how many separate pieces would the network fall?",
            num(g.pieces(set(g.n) - {"FAC-004"}, None)),
            "Connected components of all active nodes less FAC-004.",
        ),
    ]


def unanswerable(g):
    return [
        ("Which plants use the carbon brake discs?", no("unknown_entity"), "No such part."),
        (
            "Who has the airliner on order?",
            no("ambiguous", *g.t("Product", lambda r: r["product_type"].endswith("airliner"))),
            "Two products are airliners by type.",
        ),
        (
            "What's the reject rate on ElectraWire's harnesses?",
            no("not_in_schema"),
            "No quality figures on any type.",
        ),
        (
            "When is Atlantic Express due its next aircraft?",
            no("unknown_entity"),
            "No such customer.",
        ),
    ]


write("aerospace_blind3", numbered("b3", 56, globals(), A()))
