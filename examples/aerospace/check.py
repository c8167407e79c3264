"""Checks that this data set agrees with itself: the graph, the documents, the facts and the questions.

usage: python3 check.py        (standard library only; exit 1 when something does not hold)

One file, longer than most here, so that the data set can be copied elsewhere whole.
"""

import collections
import datetime
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TODAY = "2024-12-01"
SEVERITY = {"critical": 1.0, "high": 0.7, "medium": 0.4, "low": 0.1}
THREE_HOPS = 0.35  # product, factory, component, supplier


def rows(name):
    """The rows of a JSON Lines file beside this script."""
    return [
        json.loads(line)
        for line in (HERE / name).read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


NODES = {row["id"]: row for row in rows("nodes.jsonl")}
EDGES = rows("edges.jsonl")


# --- the graph -------------------------------------------------------------------------------------------------------


def valid(row, day=TODAY):
    """Whether a relation holds on a day; both its first and its last day count."""
    return row["effective_date"] <= day <= (row["expired_date"] or "9999-12-31")


def of_type(kind):
    """The active nodes of a type."""
    return {i for i, node in NODES.items() if node["type"] == kind and not node.get("expired_date")}


def having(kind, **wanted):
    """The active nodes of a type with the given property values."""
    return {
        i for i in of_type(kind) if all(NODES[i][name] == value for name, value in wanted.items())
    }


def edges(kind, day=TODAY):
    """The relations of a type that hold on a day."""
    return [edge for edge in EDGES if edge["type"] == kind and valid(edge, day)]


def ahead(kind, sources, day=TODAY):
    """What the sources point at."""
    return {edge["target"] for edge in edges(kind, day) if edge["source"] in sources}


def back(kind, targets, day=TODAY):
    """What points at the targets."""
    return {edge["source"] for edge in edges(kind, day) if edge["target"] in targets}


def products_of(suppliers):
    """The products that have a part of these suppliers in them."""
    return ahead("PRODUCES", back("USES", ahead("SUPPLIES", suppliers)))


def chain_of(product):
    """The factories, components and suppliers behind a product."""
    factories = back("PRODUCES", {product})
    components = ahead("USES", factories)
    return factories, components, back("SUPPLIES", components)


def struck_by(event):
    """The suppliers, components, factories, products and customers that an event reaches, layer by layer."""
    suppliers = ahead("AFFECTS", {event})
    components = ahead("SUPPLIES", suppliers)
    factories = back("USES", components)
    products = ahead("PRODUCES", factories)
    return suppliers, components, factories, products, ahead("DELIVERS_TO", products)


def open_events(day=TODAY):
    """The events that are going on on a day."""
    return {
        i
        for i in of_type("RiskEvent")
        if NODES[i]["date"] <= day <= (NODES[i]["ended_date"] or "9999-12-31")
    }


def risk(product):
    """Severity times decay, summed over the product's parts, their suppliers and the open events on those."""
    total = 0.0
    for component in chain_of(product)[1]:
        for supplier in back("SUPPLIES", {component}):
            total += sum(
                SEVERITY[NODES[e]["severity"]] * THREE_HOPS
                for e in back("AFFECTS", {supplier}) & open_events()
            )
    return round(total, 2)


def neighbours():
    """The undirected graph of everything active, as node -> the nodes next to it."""
    near = {i: set() for i, node in NODES.items() if not node.get("expired_date")}
    for edge in EDGES:
        if valid(edge):
            near[edge["source"]].add(edge["target"])
            near[edge["target"]].add(edge["source"])
    return near


def shortest_paths(start, end):
    """All equally short paths between two nodes, direction ignored."""
    near, found, frontier = neighbours(), [], [[start]]
    while frontier and not found:
        frontier = [
            [*path, step]
            for path in frontier
            for step in sorted(near[path[-1]])
            if step not in path
        ]
        found = [path for path in frontier if path[-1] == end]
    return found


def betweenness():
    """How many shortest paths run through each node (Brandes), undirected, not normalised."""
    near = neighbours()
    score = dict.fromkeys(near, 0.0)
    for start in near:
        order, before, paths, far = (
            [],
            collections.defaultdict(list),
            collections.Counter({start: 1}),
            {start: 0},
        )
        queue = collections.deque([start])
        while queue:
            here = queue.popleft()
            order.append(here)
            for there in near[here]:
                if there not in far:
                    far[there] = far[here] + 1
                    queue.append(there)
                if far[there] == far[here] + 1:
                    paths[there] += paths[here]
                    before[there].append(here)
        share = dict.fromkeys(order, 0.0)
        for here in reversed(order):
            for previous in before[here]:
                share[previous] += paths[previous] / paths[here] * (1 + share[here])
            if here != start:
                score[here] += share[here] / 2
    return score


def ordered(customers):
    """Units on order for these customers."""
    return sum(edge["order_qty"] for edge in edges("DELIVERS_TO") if edge["target"] in customers)


def leaders(score):
    """The members with the highest score."""
    return {i for i, value in score.items() if value == max(score.values())}


def ranking(score):
    """Pairs, highest first."""
    return [[i, score[i]] for i in sorted(score, key=lambda i: (-score[i], i))]


def figures():
    """(what, is, should be) for each published figure of the graph."""
    flood = struck_by("EVT-001")
    techchip = ahead("SUPPLIES", {"SUP-001"})
    plants = back("USES", techchip)
    sole = {c for c in of_type("Component") if len(back("SUPPLIES", {c})) == 1}
    wide, regional = chain_of("PRD-002"), chain_of("PRD-004")
    places = [{NODES[i]["location"] for i in chain[0] | chain[2]} for chain in (wide, regional)]
    reach = {s: len(products_of({s})) for s in of_type("Supplier")}
    same_kind = having("Component", component_type=NODES["CMP-001"]["component_type"])
    counts = {
        "Supplier": 8,
        "Component": 15,
        "Factory": 5,
        "Product": 6,
        "Customer": 4,
        "RiskEvent": 8,
    }
    live = {"SUPPLIES": 15, "USES": 20, "PRODUCES": 13, "DELIVERS_TO": 8, "AFFECTS": 8}
    triple = [(e["source"], e["type"], e["target"]) for e in EDGES if valid(e)]
    yield "nodes that are active", sum(len(of_type(kind)) for kind in counts), 46
    yield "nodes by type", {kind: len(of_type(kind)) for kind in counts}, counts
    yield "relations by type", {kind: len(edges(kind)) for kind in live}, live
    yield (
        "relations that hold and that have expired",
        (len(triple), len(EDGES) - len(triple)),
        (64, 2),
    )
    yield "ids are unique", len(NODES), len(rows("nodes.jsonl"))
    yield (
        "relations join known nodes",
        {e["source"] for e in EDGES} | {e["target"] for e in EDGES} <= set(NODES),
        True,
    )
    yield (
        "flood: supplier, parts, plant",
        flood[:3],
        ({"SUP-004"}, {"CMP-004", "CMP-011"}, {"FAC-005"}),
    )
    yield "flood: nodes reached", sum(map(len, flood)), 9
    yield "flood: customers spared", of_type("Customer") - flood[4], {"CUS-004"}
    yield (
        "TechChip: parts and plants",
        (techchip, plants),
        ({"CMP-001", "CMP-006", "CMP-014"}, {"FAC-001", "FAC-004"}),
    )
    yield "TechChip: products", products_of({"SUP-001"}), of_type("Product") - {"PRD-003"}
    yield "TechChip: customers", ahead("DELIVERS_TO", products_of({"SUP-001"})), of_type("Customer")
    spar = [
        ("SUP-002", "SUPPLIES", "CMP-002"),
        ("FAC-001", "USES", "CMP-002"),
        ("FAC-001", "PRODUCES", "PRD-001"),
    ]
    yield "AeroMetal to the NarrowBody through the spar", set(spar) <= set(triple), True
    yield (
        "widest reach over products",
        (leaders(reach), max(reach.values())),
        ({"SUP-001", "SUP-008"}, 5),
    )
    yield "AeroMetal's parts", ahead("SUPPLIES", {"SUP-002"}), {"CMP-002", "CMP-009", "CMP-015"}
    yield "Flight Control Unit today", back("SUPPLIES", {"CMP-001"}), {"SUP-001"}
    yield (
        "Flight Control Unit until the switch",
        back("SUPPLIES", {"CMP-001"}, "2024-02-16"),
        {"SUP-009"},
    )
    yield "nobody else makes such an assembly", back("SUPPLIES", same_kind), {"SUP-001"}
    yield "parts with one supplier", len(sole), 15
    grades = [
        len(sole & having("Component", criticality=grade)) for grade in ("high", "medium", "low")
    ]
    yield "those parts by criticality", grades, [11, 3, 1]
    depth = (tuple(map(len, wide)), tuple(map(len, regional)))
    yield "plants, parts, suppliers: WideBird and RegionalJet", depth, ((4, 12, 8), (1, 4, 2))
    yield "suppliers that both share", wide[2] & regional[2], {"SUP-001", "SUP-008"}
    yield "their regions", tuple(map(len, places)), (8, 3)
    buyers = tuple(len(ahead("DELIVERS_TO", {p})) for p in ("PRD-002", "PRD-004"))
    yield "their customers", buyers, (2, 1)
    scores = {NODES[p]["name"]: risk(p) for p in of_type("Product")}
    airliners = {"WideBird-X50": 1.19, "NarrowBody-900": 0.49, "RegionalJet-150": 0.98}
    yield (
        "risk scores",
        scores,
        airliners | {"ExecWing-7": 0.98, "SkyPatrol-UAV": 0.98, "CargoHawk-300": 0.7},
    )


# --- the answers to the graph questions, computed ----------------------------------------------------------------------


def customers_waiting_on(component):
    """The customers of everything that a user of the component works on."""
    return ahead("DELIVERS_TO", ahead("PRODUCES", back("USES", {component})))


def plants_compared(a, b):
    """How many components two plants use, and which ones both do."""
    uses = [ahead("USES", {plant}) for plant in (a, b)]
    return {
        "a": a,
        "b": b,
        "counts": {"Component": [*map(len, uses)]},
        "shared": {"Component": sorted(uses[0] & uses[1])},
    }


def orders_compared(a, b):
    """How many units two customers have on order."""
    qty = [ordered({a}), ordered({b})]
    return {"a": a, "b": b, "order_qty": qty, "higher": a if qty[0] > qty[1] else b}


def last_day(supplier, component):
    """The last day of a supply relation."""
    return next(
        e["expired_date"] for e in EDGES if (e["source"], e["target"]) == (supplier, component)
    )


def degrees(kind):
    """How many direct relations each node of a type has."""
    near = neighbours()
    return {i: len(near[i]) for i in of_type(kind)}


GRAPH = {
    "g01": lambda: {"ids": ahead("USES", {"FAC-003"})},
    "g02": lambda: {
        "number": next(
            e["order_qty"]
            for e in edges("DELIVERS_TO")
            if (e["source"], e["target"]) == ("PRD-002", "CUS-002")
        )
    },
    "g03": lambda: {"ids": back("SUPPLIES", ahead("USES", {"FAC-005"}))},
    "g04": lambda: {"ids": customers_waiting_on("CMP-008")},
    "g05": lambda: {
        "ids": products_of({"SUP-005"}) | ahead("DELIVERS_TO", products_of({"SUP-005"}))
    },
    "g06": lambda: {"path": shortest_paths("SUP-004", "CUS-003")},
    "g07": lambda: {
        "ranking": ranking({f: len(ahead("PRODUCES", {f})) for f in of_type("Factory")})
    },
    "g08": lambda: {"number": ordered({"CUS-003"})},
    "g09": lambda: {"ids": back("SUPPLIES", {"CMP-009"}, "2022-03-01")},
    "g10": lambda: {"date": last_day("SUP-006", "CMP-009")},
    "g11": lambda: {"ids": ahead("PRODUCES", {"FAC-003"})},
    "g12": lambda: {"ids": of_type("Product") - products_of({"SUP-004"})},
    "g13": lambda: {
        "ids": {
            c for c in having("Component", criticality="medium") if len(back("SUPPLIES", {c})) == 1
        }
    },
    "g14": lambda: {"ids": {p for p in of_type("Product") if len(back("PRODUCES", {p})) == 1}},
    "g15": lambda: {"ids": of_type("Factory") - back("USES", ahead("SUPPLIES", {"SUP-002"}))},
    "g16": lambda: {"ids": of_type("Supplier") - ahead("AFFECTS", open_events())},
    "g17": lambda: {"compare": plants_compared("FAC-001", "FAC-004")},
    "g18": lambda: {"compare": orders_compared("CUS-001", "CUS-002")},
    "g19": lambda: {"number": risk("PRD-002")},
    "g20": lambda: {
        "ids": leaders({p: risk(p) for p in of_type("Product")}),
        "ranking": ranking({p: risk(p) for p in of_type("Product")}),
    },
    "g21": lambda: {
        "ids": having("Component", criticality="high")
        & ahead("SUPPLIES", having("Supplier", location="France"))
    },
    "g22": lambda: {"ids": ahead("AFFECTS", open_events("2023-01-01"))},
    "g23": lambda: {"ids": leaders(degrees("Product"))},
    "g24": lambda: {"ids": leaders({c: round(betweenness()[c], 6) for c in of_type("Component")})},
    "g27": lambda: {"ids": back("USES", {"CMP-007"})},
    "g28": lambda: {"ids": back("SUPPLIES", {"CMP-001"}, "2023-11-30")},
    "m04": lambda: {"ids": struck_by("EVT-003")[4]},
    "m05": lambda: {"ids": back("SUPPLIES", {"CMP-001"}, "2024-02-16")},
    "m06": lambda: {"ids": ahead("PRODUCES", back("USES", {"CMP-005"}))},
    "m07": lambda: {"ids": chain_of("PRD-006")[2]},
    "m08": lambda: {"ids": back("DELIVERS_TO", {"CUS-002"})},
    "m09": lambda: {"ids": struck_by("EVT-001")[2]},
    "m10": lambda: {"ids": back("PRODUCES", {"PRD-004"})},
}


def plain(value):
    """Sets as sorted lists, as they stand in a file."""
    return {key: sorted(part) if isinstance(part, set) else part for key, part in value.items()}


# --- documents, facts, questions -----------------------------------------------------------------------------------------


def documents():
    """Document id -> (front matter, text)."""
    found = {}
    for path in sorted((HERE / "documents").glob("*.md")):
        parts = re.fullmatch(r"---\n(.*?)\n---\n(.*)", path.read_text(encoding="utf-8"), re.DOTALL)
        head = dict(line.split(": ", 1) for line in parts[1].splitlines()) if parts else {}
        found[head.get("id", path.name)] = (head, parts[2] if parts else "")
    return found


def is_day(text):
    """Whether a text is a calendar day that is not in the data set's future."""
    try:
        return datetime.date.fromisoformat(text) <= datetime.date.fromisoformat(TODAY)
    except ValueError:
        return False


def document_faults(docs):
    """What is wrong with the documents."""
    if len(docs) != len(list((HERE / "documents").glob("*.md"))):
        yield "two documents share an id"
    for name, (head, text) in docs.items():
        if not {"id", "title", "date"} <= set(head) or not is_day(head["date"]):
            yield f"{name}: front matter without id, title or a date up to {TODAY}"
            continue
        if set(head) - {"id", "title", "date", "valid_to", "supersedes"}:
            yield f"{name}: unknown front matter"
        if not 150 <= len(text.split()) <= 600:
            yield f"{name}: {len(text.split())} words"
        older = docs.get(head.get("supersedes"))
        if "supersedes" in head and (older is None or older[0]["date"] >= head["date"]):
            yield f"{name}: supersedes nothing that is older"
        for known in re.findall(r"\b(?:SUP|CMP|FAC|PRD|CUS|EVT)-\d{3}\b", text):
            if known not in NODES:
                yield f"{name}: names {known}, which is not a node"


def fact_faults():
    """What is wrong with the facts."""
    lead = {e["target"]: e["lead_time_days"] for e in edges("SUPPLIES")}
    seen = {}
    for fact in rows("facts.jsonl"):
        where = f"{fact['entity']} {fact['attribute']}"
        if fact["entity"] not in of_type(NODES.get(fact["entity"], {}).get("type")):
            yield f"{where}: no such entity"
        if not is_day(fact["as_of"]) or not fact["source"]:
            yield f"{where}: no day or no source"
        if fact["attribute"] in NODES.get(fact["entity"], {}):
            yield f"{where}: is a property of the node"
        if (where, fact["as_of"]) in seen:
            yield f"{where}: said twice for one day"
        seen[where, fact["as_of"]] = fact["value"]
        if (
            fact["attribute"] == "lead_time_days"
            and lead.pop(fact["entity"], None) != fact["value"]
        ):
            yield f"{where}: differs from the relation"
    if lead:
        yield f"no lead time for {sorted(lead)}"


def gold_ids(gold):
    """All node ids that a gold answer names."""
    return set(re.findall(r'"((?:SUP|CMP|FAC|PRD|CUS|EVT)-\d{3})"', json.dumps(gold)))


def question_faults(docs):
    """What is wrong with the questions."""
    questions = rows("questions.jsonl")
    facts = rows("facts.jsonl")
    if len({q["id"] for q in questions}) != len(questions) or len(
        {q["query"] for q in questions}
    ) != len(questions):
        yield "two questions share an id or a text"
    for q in questions:
        name, gold = q["id"], q["gold"]
        said = [docs[d][1].casefold() for d in gold.get("docs", []) if d in docs]
        if set(gold.get("docs", [])) - set(docs):
            yield f"{name}: unknown document"
        for text in gold.get("contains", []):
            if not any(text.casefold() in document for document in said):
                yield f"{name}: {text!r} does not stand in its documents"
        for text in gold.get("not_contains", []):
            if any(text.casefold() in document for document in said):
                yield f"{name}: {text!r} stands in its documents"
            if not any(text.casefold() in document.casefold() for _, document in docs.values()):
                yield f"{name}: {text!r} stands in no document at all"
        if gold_ids(gold) - set(NODES):
            yield f"{name}: unknown nodes {sorted(gold_ids(gold) - set(NODES))}"
        about = gold.get("nodes") or [gold.get("node")]
        known = [v for i in about if i for v in NODES[i].values()] + [
            f["value"] for f in facts if f["entity"] in about
        ]
        for value in gold.get("values", []):
            if value not in known:
                yield f"{name}: {value!r} is not known of {about}"
        if name in GRAPH:
            right = plain(GRAPH[name]())
            if {key: gold.get(key) for key in right} != right:
                yield f"{name}: gold {gold} is not {right}"
        elif "graph" in q["tiers"] and not gold.get("abstain"):
            yield f"{name}: no computed answer"


def main():
    """Run all checks and say what holds."""
    faults = 0
    for what, got, want in figures():
        print(
            ("ok   " if got == want else "FAIL ")
            + what
            + ("" if got == want else f": {got}, not {want}")
        )
        faults += got != want
    docs = documents()
    parts = [
        (f"{len(docs)} documents", document_faults(docs)),
        (f"{len(rows('facts.jsonl'))} facts", fact_faults()),
        (f"{len(rows('questions.jsonl'))} questions", question_faults(docs)),
    ]
    for what, found in parts:
        wrong = list(found)
        print(
            "\n".join(["FAIL " + what, *("     " + fault for fault in wrong)])
            if wrong
            else "ok   " + what
        )
        faults += len(wrong)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
