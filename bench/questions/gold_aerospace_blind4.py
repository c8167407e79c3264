"""A fourth set of blind questions over the aerospace graph; gold computed from examples/aerospace.

usage: python3 gold_aerospace_blind4.py [--show]

Conventions: gold_aerospace.py. Chains run over relations valid on the day; a type names its active nodes."""

from gold_aerospace import A, AS_OF, CHAIN, chains, units
from gold_common import cmp_, ids, lead, mean, no, num, numbered, rank, write, yes


def of_type(g, name):
    return g.t("Component", lambda r: r["component_type"] == name)


def built_at(g, plants):
    return g.out(plants, "PRODUCES")


def single(g, pool, rel):
    return {x for x in pool if len(g.inn(x, rel)) == 1}


def lookup(g):
    engines = {
        e["source"]
        for e in g.valid("PRODUCES")
        if e["target"] == "PRD-003" and e["role"] == "propulsion"
    }
    spot = {e["target"] for e in g.valid("SUPPLIES") if e["contract"] == "spot"}
    europe = g.t("Customer", lambda r: r["region"] == "Europe") & g.cust("PRD-005")
    return [
        (
            "Who does the propulsion work on the CargoHawk?",
            ids(engines),
            "role of PRODUCES into PRD-003.",
        ),
        (
            "How many aircraft a year can Epsilon turn out?",
            num(g.n["FAC-005"]["capacity_per_year"]),
            "capacity_per_year of FAC-005.",
        ),
        (
            "Which parts do we buy on spot contracts at the moment?",
            ids(spot),
            "contract of valid SUPPLIES; the spot deal with the former supplier has ended.",
        ),
        (
            "Is anyone in Europe buying the ExecWing? Who?",
            yes(europe, europe),
            "DELIVERS_TO from PRD-005, region Europe.",
        ),
    ]


def multi_hop(g):
    japan = g.t("Supplier", lambda r: r["location"] == "Japan")
    inside = of_type(g, "Electronic Assembly") & g.up("PRD-005")[1]
    second = g.t("Supplier", lambda r: r["tier"] == 2) & g.up("PRD-004")[2]
    return [
        (
            "Which suppliers does the avionics hub get its parts from?",
            ids(g.inn(g.out("FAC-004", "USES"), "SUPPLIES")),
            "FAC-004 -> parts <- suppliers.",
        ),
        (
            "Which of our aircraft have something from Japan in them?",
            ids(g.down(japan)[2]),
            "Suppliers there -> parts <- plants -> products.",
        ),
        (
            "What electronic assemblies end up in the business jet?",
            ids(inside),
            "PRD-005 <- plants -> parts of one type.",
        ),
        (
            "Are there tier 2 suppliers behind the RegionalJet, and if so which?",
            yes(second, second),
            "Tier of the suppliers upstream of PRD-004.",
        ),
    ]


def downstream(g):
    quake = g.out("EVT-002", "AFFECTS")
    fitted = g.inn("CMP-007", "USES")
    return [
        (
            "Beta is shut for a month. Whose aircraft are going to be late?",
            ids(g.cust(built_at(g, "FAC-002"))),
            "FAC-002 -> products -> customers.",
        ),
        (
            "Which plants and which products does the Taiwan earthquake get through to?",
            ids(g.down(quake)[1] | g.down(quake)[2]),
            "EVT-002 -> SUP-001 -> parts <- plants -> products; union of the last two.",
        ),
        (
            "How much revenue a year, in $m, rides on CarbonWing's parts?",
            num(g.sum(g.down("SUP-003")[2], "revenue_musd")),
            "Sum of revenue_musd over the products under SUP-003.",
        ),
        (
            "Trouble with the rudder actuator: list the plants that fit it and the models they work on.",
            ids(fitted | built_at(g, fitted)),
            "CMP-007 <- plants -> products; union of both.",
        ),
    ]


def path(g):
    (short,) = {len(p) for p in g.paths("SUP-001", "CUS-003")}
    rubber = chains(g, {"SUP-004"}, *CHAIN, {"PRD-003"})
    rationing = g.paths("EVT-003", "CUS-004")
    metal = chains(g, {"SUP-002"}, *CHAIN, ("DELIVERS_TO", False), {"CUS-002"})
    assert rubber == g.paths("SUP-004", "PRD-003") and len(rationing) == 1
    return [
        (
            "Trace the supply line from ThaiRubber to the CargoHawk.",
            {"path": rubber},
            "Two chains, by the seal and by the gasket.",
        ),
        (
            "How does the Monterrey power rationing get to DefenseTech?",
            {"path": rationing},
            "EVT-003 to CUS-004; only one.",
        ),
        (
            "TechChip to EuroConnect: how many links is that at the shortest?",
            num(short - 1),
            "Edges of a shortest path.",
        ),
        (
            "Which plants lie between AeroMetal and PacificWings?",
            ids({p[2] for p in metal}),
            "Third layer of all SUP-002 -> CUS-002 chains.",
        ),
    ]


def aggregation(g):
    due = [e for e in g.valid("DELIVERS_TO") if e["delivery"] == "2025-Q3"]
    lead_time = {e["target"]: e["lead_time_days"] for e in g.valid("SUPPLIES")}
    return [
        (
            "How many units are due for delivery in Q3 2025, all told?",
            num(sum(e["order_qty"] for e in due)),
            "Sum of order_qty over valid DELIVERS_TO with delivery 2025-Q3.",
        ),
        (
            "Which part has the longest lead time right now?",
            ids(lead(lead_time)),
            "Highest lead_time_days over valid SUPPLIES; one winner.",
        ),
        (
            "What does one of our products bring in on average, in $m a year?",
            num(mean(g.n[p]["revenue_musd"] for p in g.t("Product"))),
            "Mean of revenue_musd.",
        ),
        (
            "Rank the plants by how many products they work on.",
            rank({f: len(built_at(g, f)) for f in g.t("Factory")}),
            "Out-degree on PRODUCES; ties.",
        ),
    ]


def temporal(g):
    new = {e["target"] for e in g.valid("SUPPLIES") if e["effective_date"] >= "2022-01-01"}
    day = "2022-12-31"
    hit = g.out(g.open_on(day), "AFFECTS", day)
    return [
        (
            "When did the Hamburg port strike end?",
            {"date": g.n["EVT-005"]["ended_date"]},
            "ended_date of EVT-005.",
        ),
        (
            "Which parts are we buying under an agreement that started in 2022 or later?",
            ids(new),
            "effective_date of valid SUPPLIES.",
        ),
        (
            "What was HydroServo supplying to us on 1 May 2023?",
            ids(g.out("SUP-006", "SUPPLIES", "2023-05-01")),
            "The forging agreement was still running.",
        ),
        (
            "Was any supplier under an open event on 31 December 2022? Which one?",
            yes(hit, hit),
            "date <= day <= ended_date, then AFFECTS.",
        ),
    ]


def what_if(g):
    sole = {c for c in g.t("Component") if g.inn(c, "SUPPLIES") == {"SUP-008"}}
    return [
        (
            "If we dropped the NarrowBody, how many units would be left on the order book?",
            num(units(g, g.t("Product") - {"PRD-001"})),
            "Sum of order_qty over all products but PRD-001.",
        ),
        (
            "Suppose ElectraWire goes under: for which parts would we have no supplier?",
            ids(sole),
            "Parts whose only supplier is SUP-008.",
        ),
        (
            "Say Gamma is out of action. Which products don't need it and could still be built?",
            ids(g.t("Product") - built_at(g, "FAC-003")),
            "All products less those of FAC-003.",
        ),
        (
            "What would the NarrowBody's risk score be if the Taiwan earthquake were upgraded to critical?",
            num(g.score("PRD-001", sev={"EVT-002": "critical"})),
            "Eq. (1) on PRD-001 with another severity for EVT-002.",
        ),
    ]


def spof(g):
    one_plant = single(g, g.t("Product"), "PRODUCES")
    one_buyer = {p for p in g.t("Product") if len(g.cust(p)) == 1}
    medium = g.t("Component", lambda r: r["criticality"] == "medium")
    return [
        (
            "Which of our parts are used at one plant and no other?",
            ids(single(g, g.t("Component"), "USES")),
            "In-degree 1 on USES.",
        ),
        (
            "Is there a plant that is the only one working on some product? Which?",
            yes(g.inn(one_plant, "PRODUCES"), g.inn(one_plant, "PRODUCES")),
            "Plants of products with in-degree 1 on PRODUCES.",
        ),
        (
            "How many medium-criticality parts hang on a single supplier?",
            num(len(single(g, medium, "SUPPLIES"))),
            "In-degree 1 on SUPPLIES, criticality medium.",
        ),
        (
            "Which products have just one buyer?",
            ids(one_buyer),
            "Out-degree 1 on DELIVERS_TO.",
        ),
    ]


def inverse(g):
    electronic = g.inn(of_type(g, "Electronic Assembly"), "USES")
    shaken = g.down(g.out(g.open_on(), "AFFECTS"))[1]
    calm = g.t("Factory") - shaken
    return [
        (
            "Which customers have nothing on order that Delta works on?",
            ids(g.t("Customer") - g.cust(built_at(g, "FAC-004"))),
            "All customers less those of the products of FAC-004.",
        ),
        (
            "How many of our plants use no electronic assemblies?",
            num(len(g.t("Factory") - electronic)),
            "All plants less those that use a part of the type.",
        ),
        (
            "Which parts are not rated high for criticality?",
            ids(g.t("Component", lambda r: r["criticality"] != "high")),
            "criticality of Component.",
        ),
        (
            "Are there plants that use nothing from a supplier under an open event? Which?",
            yes(calm, calm),
            "All plants less those under the suppliers of the open events.",
        ),
    ]


def compare(g):
    revenue = [g.n[p]["revenue_musd"] for p in ("PRD-003", "PRD-004")]
    pair = ("FAC-003", "FAC-005")
    both = g.inn("CUS-001", "DELIVERS_TO") & g.inn("CUS-003", "DELIVERS_TO")
    assert revenue[0] > revenue[1]
    return [
        (
            "What brings in more revenue, the CargoHawk or the RegionalJet? Both figures please.",
            cmp_("PRD-003", "PRD-004", revenue_musd=revenue, higher="PRD-003"),
            "revenue_musd of both.",
        ),
        (
            "Gamma against Epsilon: number of parts used, number of products worked on, yearly capacity.",
            cmp_(
                *pair,
                components=[len(g.out(f, "USES")) for f in pair],
                products=[len(built_at(g, f)) for f in pair],
                capacity_per_year=[g.n[f]["capacity_per_year"] for f in pair],
            ),
            "Degrees on USES and PRODUCES, and a property.",
        ),
        (
            "Which suppliers feed both Beta and Epsilon?",
            ids(
                g.inn(g.out("FAC-002", "USES"), "SUPPLIES")
                & g.inn(g.out("FAC-005", "USES"), "SUPPLIES")
            ),
            "Intersection of the suppliers of the parts that both use.",
        ),
        (
            "Do AirGlobal and EuroConnect have any product in common on order? Which?",
            yes(both, both),
            "Intersection of the products of both.",
        ),
    ]


def risk(g):
    score = {p: g.score(p) for p in g.t("Product")}
    wired = {p: score[p] for p in g.down("SUP-008")[2]}
    high = g.where(g.open_on(), lambda r: r["severity"] == "high")
    return [
        (
            "How many of the open events are rated high?",
            num(len(high)),
            "severity of the active events.",
        ),
        (
            "What is the average risk score of the products PacificWings has ordered?",
            num(mean(score[p] for p in g.inn("CUS-002", "DELIVERS_TO"))),
            "Mean of Eq. (1) over two products.",
        ),
        (
            "Rank the products that ElectraWire is behind by risk score, worst first.",
            rank(wired),
            "Eq. (1) over the products under SUP-008; a tie of three.",
        ),
        (
            "Which products have the Taiwan earthquake in their risk score?",
            ids({p for p in score if g.score(p, only="EVT-002")}),
            "Eq. (1) with EVT-002 alone is above 0.",
        ),
    ]


def combined(g):
    slow = {e["target"] for e in g.valid("SUPPLIES") if e["lead_time_days"] > 60}
    first = g.out(g.t("Supplier", lambda r: r["tier"] == 1), "SUPPLIES")
    day = "2023-03-25"
    hit = g.out(g.open_on(day), "AFFECTS", day)
    risky = {p for p in g.t("Product") if g.score(p) > 1}
    long_term = g.t("Customer", lambda r: r["contract"] == "long-term")
    small = g.t("Factory", lambda r: r["capacity_per_year"] < 40)
    return [
        (
            "Which single-source parts from a tier 1 supplier have a lead time of more than 60 days?",
            ids(slow & first & single(g, g.t("Component"), "SUPPLIES")),
            "In-degree 1 on SUPPLIES, tier and lead time together.",
        ),
        (
            "On 25 March 2023, which plants were using a part from a supplier under an open event?",
            ids(g.down(hit, day)[1]),
            "EVT-007 -> SUP-006, whose forging agreement still ran that day.",
        ),
        (
            "Which customers on a long-term contract have ordered a product that scores above 1 on risk?",
            ids(long_term & g.cust(risky)),
            "Eq. (1), DELIVERS_TO and contract together.",
        ),
        (
            "Which plants with a capacity below 40 a year use parts from a supplier that is under an open event?",
            ids(small & g.down(g.out(g.open_on(), "AFFECTS"))[1]),
            "Capacity and active disruption together.",
        ),
    ]


def centrality(g):
    degree, between = g.degree(), g.betweenness()
    cut = set(g.n) - set(g.far("CUS-001", cut={"FAC-003"})) - {"FAC-003"}
    return [
        (
            "Which plants have the fewest direct links?",
            ids(lead({f: degree[f] for f in g.t("Factory")}, least=True)),
            "Least total degree among plants; a tie.",
        ),
        (
            "Treating links as two-way, which supplier comes out highest on betweenness?",
            ids(lead({s: between[s] for s in g.t("Supplier")})),
            "Highest betweenness among suppliers.",
        ),
        (
            "Rank our customers by their number of direct links.",
            rank({c: degree[c] for c in g.t("Customer")}),
            "Total degree per customer.",
        ),
        (
            "Take Gamma out of the network: which nodes are then cut off from the rest?",
            ids(cut),
            "What is no longer in the big component.",
        ),
    ]


def unanswerable(g):
    jets = g.t("Product", lambda r: r["product_type"].lower().endswith(" jet"))
    return [
        (
            "Since when has Bavaria Forge been supplying us?",
            no("unknown_entity"),
            "No such supplier.",
        ),
        (
            "Which customer is waiting for the jet?",
            no("ambiguous", *jets),
            "Two products are jets by type. Asking which one, or answering for each under its name, is right.",
        ),
        (
            "What do we pay for a turbofan blade set?",
            no("not_in_schema"),
            "No prices on any type or relation.",
        ),
        ("evt-012, is that one still open?", no("unknown_entity"), "Well-formed id past the last."),
    ]


write("aerospace_blind4", numbered("b4", 56, globals(), A()))
