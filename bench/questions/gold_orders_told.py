"""Facts and documents of the orders suite: what each question asks, and what a right answer must say.

What a document says is checked to stand in it, and what must not be said, in another one."""

import json

from gold_common import OUT, G, no

HOME = OUT / "domains" / "orders"
g = G(HOME)
FACTS = {
    (f["entity"], f["attribute"]): f["value"]
    for f in map(json.loads, (HOME / "facts.jsonl").read_text(encoding="utf-8").splitlines())
}
TEXTS = {f"doc-{p.stem}": p.read_text(encoding="utf-8") for p in HOME.glob("documents/*.md")}
CUSTOMERS, PRODUCTS = g.t("Customer"), g.t("Product")
SUPPLIERS, WAREHOUSES = g.t("Supplier"), g.t("Warehouse")


def the(name):
    """The one node of a name."""
    (i,) = [i for i, r in g.n.items() if r["name"] == name]
    return i


def value(entity, attribute):
    """A property of a node, or a fact on it."""
    return g.n[entity].get(attribute, FACTS.get((entity, attribute)))


def values(name, *attributes):
    return {"values": [value(the(name), a) for a in attributes], "node": the(name)}


def both(attribute, *names):
    nodes = [the(name) for name in names]
    return {"values": [value(i, attribute) for i in nodes], "nodes": nodes}


def ranked(pool, attribute, k=None, up=False):
    """The k first of a type by an attribute, with no tie among them."""
    having = [i for i in sorted(pool) if value(i, attribute) is not None]
    order = sorted(having, key=lambda i: value(i, attribute), reverse=not up)
    assert len({value(i, attribute) for i in order}) == len(order)
    nodes = order[:k]
    return {"values": [value(i, attribute) for i in nodes], "nodes": nodes, "ordered": True}


def said(doc, phrase, unsaid=None, by=None):
    """What document ``doc`` says, and what ``by`` says and the answer must not."""
    flat = {name: " ".join(text.split()) for name, text in TEXTS.items()}
    assert phrase in flat[f"doc-{doc}"]
    gold = {"docs": [f"doc-{doc}"], "contains": [phrase]}
    if unsaid:
        assert unsaid in flat[f"doc-{by}"]
        assert unsaid not in flat[f"doc-{doc}"]
        gold["not_contains"] = [unsaid]
    return gold


def fact_values():
    return [
        (
            "What's the list price of the Rill Metering Skid?",
            values("Rill Metering Skid", "list_price_eur"),
        ),
        ("which country is Vallespir Valves in", values("Vallespir Valves", "country")),
        ("How many Drive Motors do we have in stock?", values("Drive Motor", "stock_on_hand")),
        (
            "On-time delivery percentage of Ostrava Castings, please.",
            values("Ostrava Castings", "on_time_delivery_percent"),
        ),
        (
            "How high is the credit limit for Dunmore?",
            values("Dunmore Chemicals", "credit_limit_keur"),
        ),
        ("When is order 1011 due?", values("Order 1011", "due_date")),
        (
            "Can you give me the tracking number for shipment 506?",
            values("Shipment 506", "tracking_number"),
        ),
        ("Is order 1006 still open or what is its status?", values("Order 1006", "status")),
        ("How severe is the Taichung earthquake?", values("Taichung earthquake", "severity")),
        ("On which day was the Lindau plant fire over?", values("Lindau plant fire", "ended_date")),
        ("pallet capacity Gdynia Depot?", values("Gdynia Depot", "capacity_pallets")),
        (
            "How much does Granby Mining owe us in overdue invoices?",
            values("Granby Mining", "overdue_invoices_keur"),
        ),
    ]


def profiles():
    return [
        (
            "Tell me about Fenwick Breweries.",
            values("Fenwick Breweries", "industry", "country", "annual_revenue_keur"),
        ),
        (
            "Quick overview of Roulements Lyon?",
            values("Roulements Lyon", "country", "founded", "annual_spend_keur"),
        ),
        (
            "Show me the basic data of ORD-1013.",
            values("Order 1013", "status", "due_date", "total_eur"),
        ),
    ]


def fact_comparisons():
    return [
        (
            "Which weighs more, a Tarn 80 or a Force Booster Set?",
            both("weight_kg", "Tarn 80", "Force Booster Set"),
        ),
        (
            "Do we have more Ball Bearing Sets or more Air Filter Cartridges on hand?",
            both("stock_on_hand", "Ball Bearing Set", "Air Filter Cartridge"),
        ),
        (
            "Sealwright against Nordkabel: who is better on on-time delivery?",
            both("on_time_delivery_percent", "Sealwright Ltd", "Nordkabel"),
        ),
    ]


def fact_rankings():
    return [
        (
            "Who are our three biggest customers by annual revenue?",
            ranked(CUSTOMERS, "annual_revenue_keur", 3),
        ),
        ("Our two most expensive products by list price?", ranked(PRODUCTS, "list_price_eur", 2)),
        (
            "Which three suppliers have the worst on-time delivery?",
            ranked(SUPPLIERS, "on_time_delivery_percent", 3, up=True),
        ),
        ("List the warehouses by number of staff, largest first.", ranked(WAREHOUSES, "staff")),
    ]


def fact_unknown():
    return [
        ("What's the noise level of the Corrie Compressor?", no("not_in_schema")),
        ("What is the credit limit of Pellworm Shipping?", no("unknown_entity")),
    ]


def superseded():
    old, new = "contract-penang-2024", "contract-penang-2026"
    return [
        (
            "How long do we have to pay Penang Elastomers' invoices?",
            said(new, "30 days", "45 days", old),
        ),
        (
            "How much buffer stock of diaphragms must Penang Elastomers keep under the contract?",
            said(new, "five weeks", "two weeks", old),
        ),
        (
            "When does a flood count as force majeure for Penang Elastomers?",
            said(new, "3.6 metres"),
        ),
        (
            "What may we take off per week when a lot from Penang Elastomers is late?",
            said(old, "0.5 per cent", "1.2 per cent", new),
            {"as_of": "2025-05-15"},
        ),
    ]


def clauses():
    return [
        (
            "What can Acme claim from us for late delivery according to the frame agreement?",
            said("contract-acme", "0.75 per cent"),
        ),
        (
            "Until when may Acme cancel an order without paying?",
            said("contract-acme", "eight weeks before the due date"),
        ),
        (
            "Who is allowed to release safety stock?",
            said("policy-safety-stock", "head of materials"),
        ),
        (
            "What does the safety stock policy say about parts from a single supplier outside Europe?",
            said("policy-safety-stock", "half again"),
        ),
        (
            "Which goods don't count as safety stock under the policy?",
            said("policy-safety-stock", "consignment"),
        ),
    ]


def reasons():
    return [
        (
            "Why were the lots from Penang Elastomers late in the second quarter?",
            said("report-suppliers-2026-q2", "curing press"),
        ),
        (
            "Why did we move the Control Board away from Gelder?",
            said("memo-control-board", "capacitor"),
        ),
        (
            "What's the reason shipment 505 is delayed?",
            said("minutes-operations-2026-07", "missed the last gate"),
        ),
        (
            "What went badly on our side in the Lindau fire?",
            said("postmortem-lindau-fire", "retired in 2023"),
        ),
    ]


def procedures():
    return [
        (
            "How do we rank the orders when a part runs short?",
            said("runbook-shortage", "Hospitals, drinking water and food safety"),
        ),
        (
            "When can we lift the freeze on a short part?",
            said("runbook-shortage", "45 days of open orders"),
        ),
    ]


def narratives():
    return [
        (
            "Tell me about our relationship with Brightwater at the moment.",
            said("account-brightwater", "Strained"),
        ),
        (
            "What was agreed on 28 July about containers over Antwerp?",
            said("minutes-operations-2026-07", "only containers with electronics"),
        ),
        (
            "What does Mr Wrona suspect behind the vibration at Acme?",
            said("minutes-operations-2026-07", "converter settings"),
        ),
    ]


CAG = [fact_values, profiles, fact_comparisons, fact_rankings, fact_unknown]
RAG = [superseded, clauses, reasons, procedures, narratives]
