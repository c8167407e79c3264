"""Gold of the fifth unseen set over the aerospace graph: 56 questions, four in each category, answered in plain Python.

Run as `python bench/questions/gold_aerospace_blind5.py [--show]`."""

import collections

from gold_aerospace import AS_OF, CHAIN, A, chains
from gold_common import asking, cmp_, ids, lead, mean, no, num, of, rank, write, yes

g = A()
out = lambda x, rel: g.out(x, rel, AS_OF)
inn = lambda x, rel: g.inn(x, rel, AS_OF)
rows, q = asking("a5")


PRODUCTS, PARTS, PLANTS = g.t("Product"), g.t("Component"), g.t("Factory")
SUPPLIERS, CUSTOMERS = g.t("Supplier"), g.t("Customer")
OPEN = g.open_on()
HIT = out(OPEN, "AFFECTS")
deals = g.valid("SUPPLIES", AS_OF)
orders = g.valid("DELIVERS_TO", AS_OF)
lead_time = {e["target"]: e["lead_time_days"] for e in deals}
lead_of = lambda sup: mean([e["lead_time_days"] for e in deals if e["source"] == sup])
on_order = lambda prds: sum(e["order_qty"] for e in orders if e["source"] in prds)
ordered_by = lambda cus: sum(e["order_qty"] for e in orders if e["target"] == cus)
score = {p: round(g.score(p), 4) for p in PRODUCTS}
only_source = {c for c in PARTS if len(inn(c, "SUPPLIES")) == 1}
degree, between = g.degree(), g.betweenness()

q(
    "lookup",
    "How many days does AeroMetal need to deliver the landing gear forging?",
    num(g.edge("SUP-002", "SUPPLIES", "CMP-009", AS_OF)["lead_time_days"]),
    "lead_time_days on SUP-002 SUPPLIES CMP-009.",
)
q(
    "lookup",
    "Which of our plants can turn out more than 40 units a year?",
    ids(g.where(PLANTS, lambda r: r["capacity_per_year"] > 40)),
    "capacity_per_year above 40.",
)
q(
    "lookup",
    "What is the avionics hub building for us at the moment?",
    ids(out("FAC-004", "PRODUCES")),
    "PRODUCES from FAC-004.",
)
q(
    "lookup",
    "Is the Hamburg port strike still running?",
    yes("EVT-005" in OPEN),
    "EVT-005 is resolved.",
)

q(
    "multi_hop",
    "Who makes the parts that end up in the business jet?",
    ids(g.up("PRD-005")[2]),
    "PRD-005 <- plants -> parts <- suppliers; named by its kind.",
)
q(
    "multi_hop",
    "Which customers are waiting for an aircraft with our turbofan blades in it?",
    ids(out(out(inn("CMP-005", "USES"), "PRODUCES"), "DELIVERS_TO")),
    "CMP-005 <- plants -> products -> customers.",
)
q(
    "multi_hop",
    "Does anything OptiGlass makes end up in what DefenseTech ordered?",
    yes("CUS-004" in g.down("SUP-007")[3]),
    "No plant that uses the probes makes PRD-006.",
)
q(
    "multi_hop",
    "How many different suppliers feed Final Assembly Epsilon?",
    num(len(inn(out("FAC-005", "USES"), "SUPPLIES"))),
    "Distinct suppliers of the parts that FAC-005 uses.",
)

q(
    "downstream",
    "Suppose a bad batch of power looms got through. Which aircraft could have one inside?",
    ids(out(inn("CMP-013", "USES"), "PRODUCES")),
    "CMP-013 <- plants -> products.",
)
q(
    "downstream",
    "How much product revenue rides on CarbonWing's parts, in $m?",
    num(g.sum(g.down("SUP-003")[2], "revenue_musd")),
    "Sum of revenue_musd over the products under SUP-003.",
)
_gov = g.where(g.down(out("EVT-002", "AFFECTS"))[3], lambda r: r["contract"] == "government")
q(
    "downstream",
    "Is there a government customer downstream of the Taiwan earthquake, and which?",
    yes(_gov, _gov),
    "Customers under SUP-001 whose contract is government.",
)
_plants = inn("CMP-002", "USES")
q(
    "downstream",
    "List the plants and the products that the titanium spar goes into.",
    ids(_plants | out(_plants, "PRODUCES")),
    "Union of two layers under CMP-002.",
)

q(
    "path",
    "How does the Thailand flood get through to PacificWings? Show every shortest chain.",
    {"path": g.paths("EVT-001", "CUS-002")},
    "EVT-001 to CUS-002: one way for each of the two seals.",
)
_wide = chains(g, {"SUP-008"}, *CHAIN, {"PRD-002"})
q(
    "path",
    "Which of ElectraWire's parts tie it to the WideBird?",
    ids({p[1] for p in _wide}),
    "The parts on the chains from SUP-008 to PRD-002.",
)
q(
    "path",
    "Trace the shortest link from the fuel line gasket to AirGlobal.",
    {"path": g.paths("CMP-011", "CUS-001")},
    "CMP-011 to CUS-001.",
)
q(
    "path",
    "Can you get from PropulsionWorks to DefenseTech along the supply chain?",
    yes(chains(g, {"SUP-005"}, *CHAIN, ("DELIVERS_TO", False), {"CUS-004"})),
    "No chain from SUP-005 to CUS-004.",
)

q(
    "aggregation",
    "What's the average lead time over the supply agreements in force?",
    num(mean([e["lead_time_days"] for e in deals])),
    "Mean of lead_time_days over SUPPLIES valid now.",
)
q(
    "aggregation",
    "Total units on order per customer, largest first.",
    rank({c: ordered_by(c) for c in CUSTOMERS}),
    "Sum of order_qty by customer.",
)
q(
    "aggregation",
    "Which two plants have the smallest yearly capacity?",
    rank({f: g.n[f]["capacity_per_year"] for f in PLANTS}, up=True, k=2),
    "Lowest capacity_per_year, two.",
)
q(
    "aggregation",
    "How many of our running supply agreements are long-term ones?",
    num(sum(e["contract"] == "long-term" for e in deals)),
    "SUPPLIES valid now with contract long-term.",
)

q(
    "temporal",
    "Which incidents broke out in 2023?",
    ids(g.t("RiskEvent", lambda r: r["date"][:4] == "2023")),
    "date in 2023, whatever the status.",
)
q(
    "temporal",
    "Until what date did HydroServo supply us with landing gear forgings?",
    {"date": g.edge("SUP-006", "SUPPLIES", "CMP-009")["expired_date"]},
    "expired_date of SUP-006 SUPPLIES CMP-009.",
)
q(
    "temporal",
    "Which suppliers were under an open event on 1 June 2023?",
    ids(g.out(g.open_on("2023-06-01"), "AFFECTS", "2023-06-01")),
    "AFFECTS of the events open that day.",
)
_oldest = min(e["effective_date"] for e in deals)
q(
    "temporal",
    "With whom do we have our oldest supply agreement that is still in force?",
    ids({e["source"] for e in deals if e["effective_date"] == _oldest}),
    "Source of the earliest effective_date among SUPPLIES valid now.",
)

_calm = {p: round(g.score(p, without={"EVT-002"}), 4) for p in PRODUCTS}
q(
    "what_if",
    "If the Taiwan earthquake were closed today, which product would carry the highest risk score?",
    ids(lead(_calm)),
    "Eq. (1) without EVT-002.",
)
q(
    "what_if",
    "TechChip walks away tomorrow. Which plants are short of at least one part?",
    ids(g.down("SUP-001")[1]),
    "Plants that use a part that only SUP-001 supplies.",
)
q(
    "what_if",
    "If we shut the Beta works, which parts would no longer be used anywhere?",
    ids({c for c in PARTS if inn(c, "USES") == {"FAC-002"}}),
    "Parts used by FAC-002 alone.",
)
q(
    "what_if",
    "How many units on order would be held up if Epsilon stopped work?",
    num(on_order(out("FAC-005", "PRODUCES"))),
    "Sum of order_qty over the products of FAC-005.",
)

q(
    "spof",
    "Which parts have a single vendor and are fitted at a single plant?",
    ids({c for c in only_source if len(inn(c, "USES")) == 1}),
    "In-degree 1 on SUPPLIES and on USES.",
)
q(
    "spof",
    "How many of our products hang on a single customer?",
    num(sum(len(out(p, "DELIVERS_TO")) == 1 for p in PRODUCTS)),
    "Out-degree 1 on DELIVERS_TO.",
)
q(
    "spof",
    "Which products depend on one plant only?",
    ids({p for p in PRODUCTS if len(inn(p, "PRODUCES")) == 1}),
    "In-degree 1 on PRODUCES.",
)
q(
    "spof",
    "Is the pitot sensor array sole-sourced, and if so who from?",
    yes("CMP-008" in only_source, inn("CMP-008", "SUPPLIES")),
    "In-degree of CMP-008 on SUPPLIES is 1.",
)

q(
    "inverse",
    "Which plants use no part that is rated below high?",
    ids(PLANTS - inn(g.where(PARTS, lambda r: r["criticality"] != "high"), "USES")),
    "All plants less those that use a medium or low part.",
)
q(
    "inverse",
    "Which suppliers aren't touched by any open event?",
    ids(SUPPLIERS - HIT),
    "Current suppliers less those an active event affects.",
)
q(
    "inverse",
    "How many of our products has EuroConnect not ordered?",
    num(len(PRODUCTS - inn("CUS-003", "DELIVERS_TO"))),
    "Products less those delivered to CUS-003.",
)
_minor = g.where(PARTS, lambda r: r["criticality"] != "high")
q(
    "inverse",
    "Of the parts that aren't rated high, which does Epsilon not use?",
    ids(_minor - out("FAC-005", "USES")),
    "Criticality other than high, less the parts of FAC-005.",
)

_two = [ordered_by("CUS-001"), ordered_by("CUS-003")]
q(
    "compare",
    "AirGlobal or EuroConnect: who has more units on order in total? Both figures please.",
    cmp_(
        "CUS-001",
        "CUS-003",
        order_qty=_two,
        higher=lead({"CUS-001": _two[0], "CUS-003": _two[1]})[0],
    ),
    "Sum of order_qty for each.",
)
q(
    "compare",
    "Which parts do Alpha and Gamma both use?",
    ids(out("FAC-001", "USES") & out("FAC-003", "USES")),
    "Intersection of USES.",
)
_cap = {f: g.n[f]["capacity_per_year"] for f in ("FAC-001", "FAC-004")}
q(
    "compare",
    "Which has the larger yearly capacity, Alpha or Delta?",
    cmp_("FAC-001", "FAC-004", capacity_per_year=list(_cap.values()), higher=lead(_cap)[0]),
    "capacity_per_year of each.",
)
q(
    "compare",
    "How many more suppliers does the WideBird depend on than the RegionalJet?",
    num(len(g.up("PRD-002")[2]) - len(g.up("PRD-004")[2])),
    "Difference of the upstream supplier counts.",
)

_weight = {e: g.score("PRD-004", only=e) for e in OPEN}
q(
    "risk",
    "Which open event weighs most in the RegionalJet's risk score?",
    ids(lead(_weight)),
    "Eq. (1) on PRD-004 with one event at a time.",
)
q(
    "risk",
    "Which other products have the same risk score as the ExecWing?",
    ids({p for p, x in score.items() if x == score["PRD-005"]} - {"PRD-005"}),
    "Eq. (1), equal scores.",
)
q(
    "risk",
    "What was the NarrowBody's risk score on 1 January 2023?",
    num(g.score("PRD-001", "2023-01-01")),
    "Eq. (1) with chains and open events of that day.",
)
q(
    "risk",
    "What is the mean risk score across our products?",
    num(mean(list(score.values()))),
    "Eq. (1), mean over six products.",
)

_leads = {s: lead_of(s) for s in HIT}
q(
    "combined",
    "Of the suppliers under an open event, which one delivers fastest on average?",
    ids(lead(_leads, least=True)),
    "Least mean lead_time_days among suppliers that an active event affects.",
)
q(
    "combined",
    "Which parts take more than 55 days to get and are used at more than one plant?",
    ids({c for c in PARTS if lead_time[c] > 55 and len(inn(c, "USES")) > 1}),
    "lead_time_days and USES in-degree together.",
)
q(
    "combined",
    "How many units are on order for products that score above 1 on risk?",
    num(on_order({p for p, s in score.items() if s > 1})),
    "Risk threshold, then the sum of order_qty.",
)
q(
    "combined",
    "Which tier-2 suppliers behind the NarrowBody have no open event on them?",
    ids(g.where(g.up("PRD-001")[2] - HIT, lambda r: r["tier"] == 2)),
    "Upstream suppliers, tier 2, less those an active event affects.",
)

q(
    "centrality",
    "Which of our suppliers has the highest betweenness?",
    ids(lead(of(between, SUPPLIERS))),
    "Highest undirected betweenness among suppliers.",
)
q(
    "centrality",
    "Which parts have fewer than three direct connections?",
    ids({c for c in PARTS if degree[c] < 3}),
    "Degree below 3 among parts.",
)
q(
    "centrality",
    "By betweenness, which customer sits most in the middle of things?",
    ids(lead(of(between, CUSTOMERS))),
    "Highest undirected betweenness among customers.",
)
q(
    "centrality",
    "How many direct neighbours does the WideBird have in the network?",
    num(len(g.adj()["PRD-002"])),
    "Distinct neighbours over valid relations.",
)

q(
    "unanswerable",
    "What does Lufthansa have on order with us?",
    no("unknown_entity"),
    "No such customer.",
)
q(
    "unanswerable",
    "What's the scrap rate at Assembly Plant Alpha?",
    no("not_in_schema"),
    "No such property.",
)
q(
    "unanswerable",
    "How many can the assembly site turn out in a year?",
    no("ambiguous", "FAC-001", "FAC-005"),
    "Assembly Plant Alpha and Final Assembly Epsilon.",
)
q(
    "unanswerable",
    "Who is the managing director of OptiGlass?",
    no("not_in_schema"),
    "No persons in the schema.",
)

assert set(collections.Counter(r["category"] for r in rows).values()) == {4}
write("aerospace_blind5", rows)
