"""The suite of a company that builds pumps, over all tiers; gold computed from the data in domains/orders.

usage: python3 gold_orders.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named."""

from gold_common import cmp_, ids, lead, no, num, rank, write, yes
from gold_orders_told import (
    CAG,
    CUSTOMERS,
    PRODUCTS,
    RAG,
    SUPPLIERS,
    WAREHOUSES,
    g,
    said,
    the,
    values,
)

COMPONENTS, REGIONS = g.t("Component"), g.t("Region")
OPEN = g.t("Order", lambda r: r["status"] == "open")
ACTIVE = g.t("Disruption", lambda r: r["status"] == "active")


def built_with(components):
    return g.inn(components, "REQUIRES")


def from_supplier(suppliers):
    """The components that come from suppliers."""
    return g.inn(suppliers, "SOURCED_FROM")


def open_with(products):
    """The open orders that contain products."""
    return g.inn(products, "CONTAINS") & OPEN


def alone(supplier):
    """The components that only one supplier delivers."""
    return {c for c in COMPONENTS if g.out(c, "SOURCED_FROM") == {supplier}}


def lookup():
    line = g.edge(the("Order 1008"), "CONTAINS", the("Tarn 40"))
    return [
        (
            "Which suppliers do we get the Shaft Seal from?",
            ids(g.out(the("Shaft Seal"), "SOURCED_FROM")),
        ),
        ("How many Tarn 40 are on order 1008?", num(line["quantity"])),
    ]


def multi_hop():
    ordered = g.out(g.out(the("Granby Mining"), "PLACED"), "CONTAINS")
    return [
        (
            "Which customers have open orders with products that need the Check Valve?",
            ids(g.inn(open_with(built_with(the("Check Valve"))), "PLACED")),
        ),
        (
            "Show me every supplier behind the components of the products that Granby Mining has ordered.",
            ids(g.out(g.out(ordered, "REQUIRES"), "SOURCED_FROM")),
        ),
    ]


def downstream():
    hit = built_with(from_supplier(the("Penang Elastomers")))
    sent = g.out(g.inn(the("Gdynia Depot"), "DISPATCHED_FROM"), "FULFILS")
    return [
        (
            "Penang Elastomers can't deliver: which products and which open orders does that touch?",
            ids(hit | open_with(hit)),
        ),
        (
            "Which customers are waiting for a shipment dispatched from Gdynia?",
            ids(g.inn(sent & OPEN, "PLACED")),
        ),
    ]


def path():
    between = g.out(the("Tarn 80"), "REQUIRES") & from_supplier(the("Ostrava Castings"))
    return [
        (
            "How is Nordkabel connected to Iverley Paper?",
            {"path": g.paths(the("Nordkabel"), the("Iverley Paper"))},
        ),
        ("Through which components does the Tarn 80 depend on Ostrava Castings?", ids(between)),
    ]


def aggregation():
    lines = [
        e for e in g.valid("CONTAINS") if e["source"] in OPEN and e["target"] == the("Tarn 80")
    ]
    return [
        (
            "Rank our warehouses by how many different components they keep.",
            rank({w: len(g.out(w, "STOCKS")) for w in WAREHOUSES}),
        ),
        (
            "How many units of the Tarn 80 are on open orders in total?",
            num(sum(e["quantity"] for e in lines)),
        ),
    ]


def temporal():
    nordics = g.edge(the("Rotterdam Hub"), "SERVES", the("Nordics"))
    return [
        (
            "Who supplied the Control Board on 1 May 2025?",
            ids(g.out(the("Control Board"), "SOURCED_FROM", "2025-05-01")),
        ),
        ("Until when did the Rotterdam Hub serve the Nordics?", {"date": nordics["valid_to"]}),
    ]


def what_if():
    return [
        (
            "If Roulements Lyon dropped out, which products could we no longer build?",
            ids(built_with(alone(the("Roulements Lyon")))),
        ),
        (
            "Suppose we lose Taichung Sensors. Which components would have no supplier left?",
            ids(alone(the("Taichung Sensors"))),
        ),
    ]


def spof():
    single = {c for c in COMPONENTS if len(g.out(c, "SOURCED_FROM")) == 1}
    regions = {r for r in REGIONS if len(g.inn(r, "SERVES")) == 1}
    return [
        (
            "Which high-criticality components hang on a single supplier?",
            ids(g.where(single, lambda r: r["criticality"] == "high")),
        ),
        (
            "Are there regions that only one warehouse serves? Which?",
            yes(regions, regions),
        ),
    ]


def inverse():
    return [
        (
            "Which customers have never raised a ticket?",
            ids(CUSTOMERS - g.inn(g.t("Ticket"), "RAISED")),
        ),
        (
            "Which products contain nothing from Taichung Sensors?",
            ids(PRODUCTS - built_with(from_supplier(the("Taichung Sensors")))),
        ),
    ]


def compare():
    tarns = the("Tarn 40"), the("Tarn 80")
    parts = [g.out(p, "REQUIRES") for p in tarns]
    pair = the("Acme Industries"), the("Calder Foods")
    n_orders = [len(g.out(c, "PLACED")) for c in pair]
    return [
        (
            "Compare the Tarn 40 with the Tarn 80: how many components does each need, and which do they share?",
            cmp_(
                *tarns,
                counts={"Component": [len(p) for p in parts]},
                shared={"Component": sorted(parts[0] & parts[1])},
            ),
        ),
        (
            "Who has placed more orders with us, Acme or Calder Foods?",
            cmp_(*pair, orders=n_orders, higher=pair[n_orders[1] > n_orders[0]]),
        ),
    ]


def risk():
    critical = g.out(g.where(ACTIVE, lambda r: r["severity"] == "critical"), "AFFECTS") & SUPPLIERS
    return [
        (
            "Which components come from a supplier that has an active disruption?",
            ids(from_supplier(g.out(ACTIVE, "AFFECTS") & SUPPLIERS)),
        ),
        (
            "How many open orders contain a product with a component from a supplier under an active critical disruption?",
            num(len(open_with(built_with(from_supplier(critical))))),
        ),
    ]


def combined():
    early = g.where(OPEN, lambda r: r["due_date"] < "2026-10-01")
    shipped = {e["target"] for e in g.valid("FULFILS")}
    grave = g.t("Ticket", lambda r: r["priority"] == "high" and r["status"] == "open")
    keys = g.where(CUSTOMERS, lambda r: r["segment"] == "key")
    return [
        (
            "Which open orders due before 1 October 2026 aren't on any shipment yet?",
            ids(early - shipped),
        ),
        (
            "Which key accounts have an open ticket with high priority?",
            ids(g.inn(grave, "RAISED") & keys),
        ),
    ]


def centrality():
    degree, between = g.degree(), g.betweenness()
    return [
        (
            "Which product has the most direct links of all kinds?",
            ids(lead({p: degree[p] for p in PRODUCTS})),
        ),
        (
            "Taking links in both directions, which supplier has the highest betweenness?",
            ids(lead({s: between[s] for s in SUPPLIERS})),
        ),
    ]


def unanswerable():
    return [
        ("Which customers have ordered the Foss Turbine?", no("unknown_entity")),
        ("Which drivers carried shipment 505?", no("not_in_schema")),
    ]


def facts_documents():
    return [
        (
            "What is Penang Elastomers' on-time figure, and what does the Q2 report say about why its rejects rose?",
            {
                **values("Penang Elastomers", "on_time_delivery_percent"),
                **said("report-suppliers-2026-q2", "run too hot"),
            },
        ),
        (
            "Credit limit of Brightwater, and what do they want from us according to the account note?",
            {
                **values("Brightwater Utilities", "credit_limit_keur"),
                **said("account-brightwater", "named technician"),
            },
        ),
    ]


def facts_graph():
    return [
        (
            "How many Pressure Sensors are in stock, and which products need them?",
            {
                **values("Pressure Sensor", "stock_on_hand"),
                **ids(built_with(the("Pressure Sensor"))),
            },
        ),
        (
            "When did the Kortex ransomware attack begin and which components do we source from Kortex Electronics?",
            {
                **values("Kortex ransomware attack", "date"),
                **ids(from_supplier(the("Kortex Electronics"))),
            },
        ),
    ]


def documents_graph():
    before = g.out(the("Rubber Diaphragm"), "SOURCED_FROM", "2024-03-31")
    return [
        (
            "Which open orders contain the Beck Dosing Pump, and who gets theirs first according to the July operations meeting?",
            {
                **said("minutes-operations-2026-07", "Fenwick go first"),
                **ids(open_with(the("Beck Dosing Pump"))),
            },
        ),
        (
            "Who supplied the Rubber Diaphragm before Penang Elastomers, and how long do parts of former suppliers stay approved by the runbook?",
            {**said("runbook-shortage", "36 months"), **ids(before)},
        ),
    ]


def all_tiers():
    acme = g.out(g.out(the("Acme Industries"), "PLACED") & OPEN, "CONTAINS")
    return [
        (
            "Acme before my visit: what annual revenue do they bring, which products are on their open orders, and which vibration limit does the frame agreement set?",
            {
                **values("Acme Industries", "annual_revenue_keur"),
                **said("contract-acme", "4.5 millimetres per second"),
                **ids(acme),
            },
        ),
        (
            "Rotterdam dock strike: how severe is it, which components does the Rotterdam Hub keep, and what do trucks over Antwerp cost by the minutes?",
            {
                **values("Rotterdam dock strike", "severity"),
                **said("minutes-operations-2026-07", "EUR 1,900"),
                **ids(g.out(the("Rotterdam Hub"), "STOCKS")),
            },
        ),
    ]


def outside():
    return [
        ("good morning! everything fine with you?", no("out_of_scope")),
        ("Who won the football world cup in 1990?", no("out_of_scope")),
    ]


PARTS = [
    (["cag"], "f", CAG),
    (["rag"], "d", RAG),
    (["graph"], "g", [lookup, multi_hop, downstream, path, aggregation, temporal, what_if,
                      spof, inverse, compare, risk, combined, centrality, unanswerable]),
    (["cag", "rag"], "m", [facts_documents]),
    (["cag", "graph"], "n", [facts_graph]),
    (["rag", "graph"], "o", [documents_graph]),
    (["cag", "rag", "graph"], "p", [all_tiers]),
    ([], "x", [outside]),
]  # fmt: skip

rows = []
for tiers, letter, makers in PARTS:
    found = [(maker.__name__, *row) for maker in makers for row in maker()]
    for k, (category, query, gold, *more) in enumerate(found, 1):
        rows.append(
            {
                "id": f"{letter}{k:02}",
                "query": query,
                "tiers": tiers,
                "category": category,
                "gold": gold,
                **(more[0] if more else {}),
            }
        )
assert len(rows) == 80
write("domains/orders/questions", rows)
