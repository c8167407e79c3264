"""Write the three question files of this folder, gold computed from the data.

usage: python3 gold.py [--show]
Each question is (category, text, function of the graph, note). A relation counts when valid_from <= day <= valid_to,
both inclusive, null unbounded; the day is the data set's as_of unless the question names one. Degree and betweenness
are undirected, on all current nodes and relations.
"""

import collections
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parents[1] / "router" / "examples"
AS_OF = "2026-08-01"


class Graph:
    def __init__(self, domain):
        rows = lambda name: [
            json.loads(x) for x in open(DATA / domain / name, encoding="utf-8") if x.strip()
        ]
        self.n = {r["id"]: r for r in rows("nodes.jsonl")}
        self.e = rows("edges.jsonl")

    def edges(self, rel=None, a=None, b=None, on=AS_OF, **props):
        """Relations valid on the day (on=None: ever)."""
        for e in self.e:
            if rel and e["type"] != rel or a and e["source"] != a or b and e["target"] != b:
                continue
            if on and not (e.get("valid_from") or "0") <= on <= (e.get("valid_to") or "9"):
                continue
            if all(e.get(k) == v for k, v in props.items()):
                yield e

    def edge(self, rel, a, b, on=AS_OF):
        (e,) = self.edges(rel, a, b, on)
        return e

    def ends(self, start, *steps, on=AS_OF):
        """Follow typed steps, ">REL" along the arrow and "<REL" against it, from a node or a set."""
        at = {start} if isinstance(start, str) else set(start)
        for s in steps:
            d, rel = s[0], s[1:]
            at = {
                e["target" if d == ">" else "source"]
                for e in self.edges(rel, on=on)
                if e["source" if d == ">" else "target"] in at
            }
        return at

    def closure(self, start, *steps, on=AS_OF):
        """What the steps reach in one or more turns, the start left out."""
        first = {start} if isinstance(start, str) else set(start)
        seen, front = set(), first
        while front:
            front = set().union(*(self.ends(front, s, on=on) for s in steps)) - seen - first
            seen |= front
        return seen

    def type(self, t, **props):
        return {
            i
            for i, r in self.n.items()
            if r["type"] == t and all(r.get(k) == v for k, v in props.items())
        }

    def p(self, i, name):
        return self.n[i][name]

    def links(self):
        return [(e["source"], e["target"]) for e in self.edges()]

    def degree(self):
        d = collections.Counter(dict.fromkeys(self.n, 0))
        for a, b in self.links():
            d[a] += 1
            d[b] += 1
        return d

    def neighbours(self, rel=None):
        adj = collections.defaultdict(set)
        for e in self.edges(rel):
            adj[e["source"]].add(e["target"])
            adj[e["target"]].add(e["source"])
        return adj

    def paths(self, a, b, rel=None):
        """All shortest undirected paths, as node lists; rel keeps to one relation."""
        adj, level = self.neighbours(rel), [[a]]
        while level:
            hit = sorted(x for x in level if x[-1] == b)
            if hit:
                return hit
            level = [x + [y] for x in level for y in adj[x[-1]] if y not in x]
            assert len(level) < 10**6
        return []

    def betweenness(self, multi=False):
        """Brandes; multi counts parallel relations as so many paths."""
        w = collections.Counter()
        for a, b in self.links():
            w[a, b] = w[a, b] + 1 if multi else 1
            w[b, a] = w[b, a] + 1 if multi else 1
        adj, out = self.neighbours(), dict.fromkeys(self.n, 0.0)
        for s in self.n:
            order, pred, dist, queue = (
                [],
                collections.defaultdict(list),
                {s: 0},
                collections.deque([s]),
            )
            sigma = collections.Counter({s: 1})
            while queue:
                v = queue.popleft()
                order.append(v)
                for x in adj[v]:
                    if x not in dist:
                        dist[x] = dist[v] + 1
                        queue.append(x)
                    if dist[x] == dist[v] + 1:
                        sigma[x] += sigma[v] * w[v, x]
                        pred[x].append(v)
            delta = collections.Counter()
            for x in reversed(order):
                for v in pred[x]:
                    delta[v] += sigma[v] * w[v, x] / sigma[x] * (1 + delta[x])
                if x != s:
                    out[x] += delta[x] / 2
        return out


def ids(x):
    return {"ids": sorted(x)}


def num(x):
    x = round(float(x), 4)
    return {"number": int(x) if x == int(x) else x}


def yes(value, found=()):
    return {"bool": bool(value), "ids": sorted(found)}


def ranked(d, up=False):
    return {
        "ranking": [
            [k, v] for k, v in sorted(d.items(), key=lambda kv: (kv[1] if up else -kv[1], kv[0]))
        ]
    }


def leaders(d, least=False):
    best = (min if least else max)(d.values())
    return ids(k for k, v in d.items() if abs(v - best) < 1e-9)


def paths(g, a, b, rel=None):
    return {"path": g.paths(a, b, rel)}


def steps(g, a, b):
    return num(len(g.paths(a, b)[0]) - 1)


def bottleneck(g, t=None):
    a, b = (
        leaders({k: v for k, v in g.betweenness(m).items() if t is None or g.p(k, "type") == t})
        for m in (False, True)
    )
    assert a == b  # the same whether parallel relations count once or each
    return a


def compare(a, b, **more):
    return {"compare": {"a": a, "b": b, **more}}


def unknown(reason="unknown_entity"):
    return lambda g: {"abstain": True, "reason": reason}


def ambiguous(*candidates):
    return lambda g: {
        "abstain": True,
        "reason": "ambiguous",
        "candidates": sorted(c for c in candidates if g.n[c]),
    }


# ---------------------------------------------------------------- hospital
def open_hits(g, **props):
    """Department -> incidents that are open and disturb it today."""
    out = collections.defaultdict(set)
    for i in g.type("Incident", status="open", **props):
        for d in g.ends(i, ">AFFECTS"):
            out[d].add(i)
    return out


def need(g, system):
    """A system and all systems that need it, directly or through others."""
    return {system} | g.closure(system, "<DEPENDS_ON")


def sole(g, t, rel):
    """Members of t with exactly one incoming rel."""
    return {x for x in g.type(t) if len(g.ends(x, "<" + rel)) == 1}


def total(g, xs, name):
    return sum(g.p(x, name) for x in xs)


HOSPITAL = [
    (
        "lookup",
        "Who is in charge of Radiology?",
        lambda g: ids(g.ends("D-14", "<HEADS")),
        "HEADS into D-14.",
    ),
    (
        "lookup",
        "wards run by cardiolgy",
        lambda g: ids(g.ends("D-12", ">RUNS_WARD")),
        "Typo. RUNS_WARD out of D-12.",
    ),
    (
        "lookup",
        "How many FlowSure pumps stand in Oncology?",
        lambda g: num(g.edge("INSTALLED_IN", "DV-4", "D-13")["quantity"]),
        "quantity on DV-4 INSTALLED_IN D-13.",
    ),
    (
        "lookup",
        "What share of our cisplatin comes from Novasol, in percent?",
        lambda g: num(g.edge("SUPPLIES", "S-2", "M-2")["share_pct"]),
        "share_pct on S-2 SUPPLIES M-2.",
    ),
    (
        "multi_hop",
        "Who makes the machines that stand at North Quay?",
        lambda g: ids(g.ends("H-2", ">HAS_DEPARTMENT", "<INSTALLED_IN", ">MADE_BY")),
        "H-2 -> departments -> machines -> makers.",
    ),
    (
        "multi_hop",
        "At which of our hospitals does Dr. Lindholm work?",
        lambda g: ids(g.ends("C-105", ">WORKS_IN", "<HAS_DEPARTMENT")),
        "C-105 works in two departments of two hospitals.",
    ),
    (
        "multi_hop",
        "suppliers of the drugs that neonatal ventilation needs",
        lambda g: ids(g.ends("T-5", ">USES_MEDICINE", "<SUPPLIES")),
        "T-5 -> drugs -> suppliers.",
    ),
    (
        "downstream",
        "Identity Hub goes down. Which departments can't work, counting the systems that need it in turn?",
        lambda g: ids(g.ends(need(g, "SY-5"), "<RUNS_ON")),
        "DEPENDS_ON backwards to the end, then RUNS_ON backwards. Only D-51 runs on no system.",
    ),
    (
        "downstream",
        "Which systems and departments would MediCore drag down with it if it failed?",
        lambda g: ids(g.closure("SY-1", "<DEPENDS_ON") | g.ends(need(g, "SY-1"), "<RUNS_ON")),
        "Systems that need SY-1 and the departments that run on any of them.",
    ),
    (
        "downstream",
        "Medlinea stops delivering everything tomorrow. Which treatments need at least one of its drugs?",
        lambda g: ids(g.ends("S-1", ">SUPPLIES", "<USES_MEDICINE")),
        "S-1 -> drugs (heparin no longer) -> treatments.",
    ),
    (
        "path",
        "How is Dr. Demir connected to the Identity Hub? Shortest way please.",
        lambda g: paths(g, "C-109", "SY-5"),
        "Shortest path, undirected.",
    ),
    (
        "path",
        "Show the chain that links the propofol shortage to Medlinea.",
        lambda g: paths(g, "IN-304", "S-1"),
        "Shortest paths; two equally short.",
    ),
    (
        "path",
        "how many links apart are Corvitta and MediCore, at the shortest?",
        lambda g: steps(g, "S-5", "SY-1"),
        "Typo. Length of the shortest path in edges.",
    ),
    (
        "aggregation",
        "How many beds do the wards of St. Alban have between them?",
        lambda g: num(total(g, g.ends("H-1", ">HAS_DEPARTMENT", ">RUNS_WARD"), "beds")),
        "Sum of beds over the wards of H-1's departments, not the hospital's licensed beds.",
    ),
    (
        "aggregation",
        "Average waiting list over the departments of North Quay?",
        lambda g: (lambda d: num(total(g, d, "waiting_list") / len(d)))(
            g.ends("H-2", ">HAS_DEPARTMENT")
        ),
        "Mean of waiting_list over D-21 and D-22; Maternity left in 2024.",
    ),
    (
        "aggregation",
        "Rank our drug suppliers by how many medicines each delivers today.",
        lambda g: ranked(
            {s: len(g.ends(s, ">SUPPLIES")) for s in g.ends(g.type("Medicine"), "<SUPPLIES")}
        ),
        "Out-degree on current SUPPLIES.",
    ),
    (
        "temporal",
        "Until when did Maternity belong to North Quay?",
        lambda g: {"date": next(g.edges("HAS_DEPARTMENT", "H-2", "D-31", on=None))["valid_to"]},
        "valid_to of the former HAS_DEPARTMENT.",
    ),
    (
        "temporal",
        "Who was delivering our heparin on 31 December 2024?",
        lambda g: ids(g.ends("M-1", "<SUPPLIES", on="2024-12-31")),
        "Last day of S-1's agreement, still counted.",
    ),
    (
        "temporal",
        "who supervised Demir on 30 june 2023",
        lambda g: ids(g.ends("C-109", "<SUPERVISES", on="2023-06-30")),
        "SUPERVISES valid that day.",
    ),
    (
        "temporal",
        "Which departments were being disturbed by an incident on 1 December 2025?",
        lambda g: ids(g.ends(g.type("Incident"), ">AFFECTS", on="2025-12-01")),
        "AFFECTS valid that day.",
    ),
    (
        "what_if",
        "If Novasol dropped out, which drugs would be left with no supplier at all?",
        lambda g: ids(m for m in g.ends("S-2", ">SUPPLIES") if g.ends(m, "<SUPPLIES") == {"S-2"}),
        "Drugs whose only current supplier is S-2; heparin's former one does not count.",
    ),
    (
        "what_if",
        "Suppose the whole of North Quay closed. Which treatments would no longer be offered anywhere in the network?",
        lambda g: ids(
            t
            for t in g.type("Treatment")
            if g.ends(t, ">OFFERED_BY")
            and g.ends(t, ">OFFERED_BY") <= g.ends("H-2", ">HAS_DEPARTMENT")
        ),
        "Treatments whose only departments are H-2's.",
    ),
    (
        "what_if",
        "Say LabTrack fails: which departments cannot work, either because they run on it or because a system they run on needs it?",
        lambda g: ids(g.ends(need(g, "SY-2"), "<RUNS_ON")),
        "SY-2 and SY-4, then RUNS_ON backwards.",
    ),
    (
        "spof",
        "Is there a second company we could fall back on for propofol, one that already delivers it?",
        lambda g: yes(g.ends("M-3", "<SUPPLIES") - {"S-1"}),
        "Only S-1 delivers M-3: no.",
    ),
    (
        "spof",
        "Departments where only a single clinician works?",
        lambda g: ids(sole(g, "Department", "WORKS_IN")),
        "In-degree 1 on current WORKS_IN.",
    ),
    (
        "spof",
        "Which clinicians are the only investigator on a trial that is recruiting?",
        lambda g: ids(
            g.ends(
                {t for t in sole(g, "Trial", "TAKES_PART_IN") if g.p(t, "status") == "recruiting"},
                "<TAKES_PART_IN",
            )
        ),
        "Recruiting trials with one current investigator.",
    ),
    (
        "inverse",
        "Which departments are not disturbed by any open incident?",
        lambda g: ids(g.type("Department") - set(open_hits(g))),
        "All departments less those under an open incident.",
    ),
    (
        "inverse",
        "How many of our clinicians take part in no trial at the moment?",
        lambda g: num(len(g.type("Clinician") - g.ends(g.type("Trial"), "<TAKES_PART_IN"))),
        "10 less those with a current TAKES_PART_IN.",
    ),
    (
        "inverse",
        "hospitals that don't send patients on to anybody",
        lambda g: ids(g.type("Hospital") - g.ends(g.type("Hospital"), "<TRANSFERS_TO")),
        "No outgoing TRANSFERS_TO.",
    ),
    (
        "compare",
        "Oncology vs the Stroke Unit: how many systems does each run on directly, and which do they share?",
        lambda g: (
            lambda a, b: compare(
                "D-13",
                "D-15",
                counts={"System": [len(a), len(b)]},
                shared={"System": sorted(a & b)},
            )
        )(g.ends("D-13", ">RUNS_ON"), g.ends("D-15", ">RUNS_ON")),
        "Direct RUNS_ON only.",
    ),
    (
        "compare",
        "Who has more free beds on its wards in total, Cardiology or Maternity? Both figures.",
        lambda g: (
            lambda x: compare(
                "D-12", "D-31", values={"free_beds": x}, higher="D-12" if x[0] > x[1] else "D-31"
            )
        )([total(g, g.ends(d, ">RUNS_WARD"), "free_beds") for d in ("D-12", "D-31")]),
        "Sum of free_beds over the wards run.",
    ),
    (
        "compare",
        "which drugs does hip replacement need that angioplasty doesnt",
        lambda g: ids(g.ends("T-2", ">USES_MEDICINE") - g.ends("T-1", ">USES_MEDICINE")),
        "Set difference of USES_MEDICINE.",
    ),
    (
        "risk",
        "Which treatments are carried out by a department under an open incident of high severity?",
        lambda g: ids(g.ends(set(open_hits(g, severity="high")), "<OFFERED_BY")),
        "High open incidents -> departments -> treatments.",
    ),
    (
        "risk",
        "For each open incident: how many departments does it disturb? Worst first.",
        lambda g: ranked(
            {i: len(g.ends(i, ">AFFECTS")) for i in g.type("Incident", status="open")}
        ),
        "Out-degree on AFFECTS.",
    ),
    (
        "risk",
        "Which department has the most open incidents on its back right now?",
        lambda g: leaders({d: len(x) for d, x in open_hits(g).items()}),
        "In-degree on AFFECTS from open incidents; one.",
    ),
    (
        "combined",
        "Which treatments need a drug that only one supplier delivers and that will last less than ten days?",
        lambda g: ids(
            g.ends(
                {m for m in sole(g, "Medicine", "SUPPLIES") if g.p(m, "days_left") < 10},
                "<USES_MEDICINE",
            )
        ),
        "Single source, threshold, then USES_MEDICINE backwards.",
    ),
    (
        "combined",
        "On 1 January 2022, which medicines had more than one supplier?",
        lambda g: ids(
            m for m in g.type("Medicine") if len(g.ends(m, "<SUPPLIES", on="2022-01-01")) > 1
        ),
        "In-degree on SUPPLIES valid that day; cisplatin's second supplier came in 2023.",
    ),
    (
        "combined",
        "Departments more than 5 percent over budget and disturbed by an open incident at the same time: who heads them?",
        lambda g: ids(g.ends({d for d in open_hits(g) if g.p(d, "overspend_pct") > 5}, "<HEADS")),
        "overspend_pct and open incident together, then HEADS.",
    ),
    (
        "centrality",
        "Treating every link as two-way, which node is the biggest bottleneck by betweenness?",
        bottleneck,
        "Highest betweenness, undirected; far ahead of the next.",
    ),
    (
        "centrality",
        "Which departments have the most links of all kinds?",
        lambda g: leaders({d: g.degree()[d] for d in g.type("Department")}),
        "Highest degree among departments; a tie of two (with parallel links counted once as well).",
    ),
    (
        "centrality",
        "Which clinicians have just one single relation in the whole graph?",
        lambda g: ids(c for c in g.type("Clinician") if g.degree()[c] == 1),
        "Degree 1 over all current relations.",
    ),
    ("unanswerable", "Which wards does Dermatology run?", unknown(), "No such department."),
    (
        "unanswerable",
        "Who works in the emergency department?",
        ambiguous("D-11", "D-21"),
        "Two emergency departments. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "Which car parks belong to Marienhof?",
        unknown("not_in_schema"),
        "No car parks in the schema.",
    ),
    (
        "unanswerable",
        "dv-9: in which department does it stand?",
        unknown(),
        "Well-formed id past the last machine.",
    ),
]


# ---------------------------------------------------------------- shipping
def held(g, **props):
    """Vessel -> days of delay by disruptions that are running."""
    out = collections.Counter()
    for d in g.type("Disruption", status="running", **props):
        for e in g.edges("HOLDS_UP", a=d):
            out[e["target"]] += e["days"]
    return out


def booked(g, c):
    return total(g, g.ends(c, ">PLACED"), "teu")


def ports(g, s):
    return g.ends(s, ">CALLS_AT", ">IN_PORT")


SHIPPING = [
    (
        "lookup",
        "At which terminal does the Condor's rotation start?",
        lambda g: ids(e["target"] for e in g.edges("CALLS_AT", a="S-SA4", order=1)),
        "order 1 on current CALLS_AT; Maasvlakte Delta is the former first call.",
    ),
    (
        "lookup",
        "How many slots a sailing does Kobayashi take on the Maple Bridge?",
        lambda g: num(g.edge("TAKES_SLOTS_ON", "PA-1", "S-AT2")["slots"]),
        "slots on PA-1 TAKES_SLOTS_ON S-AT2.",
    ),
    (
        "lookup",
        "levante represents us in which ports",
        lambda g: ids(g.ends("AG-2", ">REPRESENTS_US_IN")),
        "REPRESENTS_US_IN out of AG-2.",
    ),
    (
        "multi_hop",
        "Which customers have bookings on voyages of the ships that we charter from Hellas?",
        lambda g: ids(g.ends("O-1", ">OWNS", "<OF_VESSEL", "<ON_VOYAGE", "<PLACED")),
        "O-1 -> ships -> voyages -> bookings -> customers.",
    ),
    (
        "multi_hop",
        "Which ports does Citrus Express call at?",
        lambda g: ids(ports(g, "S-MED1")),
        "S-MED1 -> terminals -> ports.",
    ),
    (
        "multi_hop",
        "Which of our agents act in a port on the Lotus Loop?",
        lambda g: ids(g.ends(ports(g, "S-AE3"), "<REPRESENTS_US_IN")),
        "S-AE3 -> terminals -> ports -> agents.",
    ),
    (
        "multi_hop",
        "Whom do we charter ships on the Baltic Feeder from?",
        lambda g: ids(g.ends("S-FD7", "<SAILS_ON", "<OWNS")),
        "S-FD7 -> ships -> owners; the Egret is our own.",
    ),
    (
        "downstream",
        "The Boreas is late. Give me everything riding on it: voyages, bookings and the customers who placed them.",
        lambda g: ids(
            (lambda v: v | g.ends(v, "<ON_VOYAGE") | g.ends(v, "<ON_VOYAGE", "<PLACED"))(
                g.ends("V-02", "<OF_VESSEL")
            )
        ),
        "Union of three layers over V-02.",
    ),
    (
        "downstream",
        "The Santos flood is holding up a ship. Which customers have bookings on that ship's voyages?",
        lambda g: ids(g.ends("D-4", ">HOLDS_UP", "<OF_VESSEL", "<ON_VOYAGE", "<PLACED")),
        "D-4 -> ship -> voyages -> bookings -> customers.",
    ),
    (
        "downstream",
        "Which other services can a box off the Baltic Feeder end up on, after one or more changes?",
        lambda g: ids(g.closure("S-FD7", ">FEEDS")),
        "FEEDS forwards to the end, the start left out.",
    ),
    (
        "path",
        "How is Ortega Citrus connected to Hellas Tonnage?",
        lambda g: paths(g, "C-12", "O-1"),
        "Shortest path, undirected; one.",
    ),
    (
        "path",
        "Shortest chain from the pilots' strike to Baltica Agencies?",
        lambda g: paths(g, "D-1", "AG-1"),
        "Shortest paths, undirected; three equally short.",
    ),
    (
        "path",
        "how many hops from Faulkner to Singapore, at least?",
        lambda g: steps(g, "C-11", "P-SIN"),
        "Typo. Length of the shortest path in edges.",
    ),
    (
        "aggregation",
        "How many TEU has Pacific Toys booked altogether?",
        lambda g: num(booked(g, "C-13")),
        "Sum of teu over its bookings.",
    ),
    (
        "aggregation",
        "Total freight in dollars of all bookings discharged at Maasvlakte Delta",
        lambda g: num(total(g, g.ends("T-MVD", "<DISCHARGES_AT"), "freight_usd")),
        "Sum of freight_usd over DISCHARGES_AT into T-MVD.",
    ),
    (
        "aggregation",
        "List the services by number of terminals they call at, most first.",
        lambda g: ranked({s: len(g.ends(s, ">CALLS_AT")) for s in g.type("Service")}),
        "Out-degree on current CALLS_AT.",
    ),
    (
        "temporal",
        "Which service did the Aurora sail on on 1 May 2018?",
        lambda g: ids(g.ends("V-01", ">SAILS_ON", on="2018-05-01")),
        "SAILS_ON valid that day.",
    ),
    (
        "temporal",
        "Since when has Levante been acting for us in Piraeus?",
        lambda g: {"date": g.edge("REPRESENTS_US_IN", "AG-2", "P-PIR")["valid_from"]},
        "valid_from on AG-2 REPRESENTS_US_IN P-PIR.",
    ),
    (
        "temporal",
        "Which ships were being held up on 10 July 2026?",
        lambda g: ids(g.ends(g.type("Disruption"), ">HOLDS_UP", on="2026-07-10")),
        "HOLDS_UP valid that day.",
    ),
    (
        "temporal",
        "what terminals did the condor call at on 1 july 2021",
        lambda g: ids(g.ends("S-SA4", ">CALLS_AT", on="2021-07-01")),
        "Euromax came in 2022, Maasvlakte Delta went at the end of 2021.",
    ),
    (
        "what_if",
        "If the Kestor Bay were laid up, would any service be left without a ship, and which?",
        lambda g: (lambda x: yes(x, x))(
            {s for s in g.ends("V-04", ">SAILS_ON") if g.ends(s, "<SAILS_ON") == {"V-04"}}
        ),
        "Services whose only ship is V-04.",
    ),
    (
        "what_if",
        "Suppose Maasvlakte Delta shut for good: which services would no longer call anywhere in Rotterdam?",
        lambda g: ids(
            s
            for s in g.ends("P-RTM", "<IN_PORT", "<CALLS_AT")
            if g.ends(s, ">CALLS_AT") & g.ends("P-RTM", "<IN_PORT") == {"T-MVD"}
        ),
        "Services whose only Rotterdam terminal is T-MVD.",
    ),
    (
        "what_if",
        "Levante quits. In which ports would we then have nobody acting for us where somebody does now?",
        lambda g: ids(
            p
            for p in g.ends("AG-2", ">REPRESENTS_US_IN")
            if g.ends(p, "<REPRESENTS_US_IN") == {"AG-2"}
        ),
        "Ports whose only agent is AG-2.",
    ),
    (
        "spof",
        "Which services have just one vessel?",
        lambda g: ids(sole(g, "Service", "SAILS_ON")),
        "In-degree 1 on current SAILS_ON.",
    ),
    (
        "spof",
        "Is there another terminal in Santos besides Tecon Brasil?",
        lambda g: yes(g.ends("P-SSZ", "<IN_PORT") - {"T-TSB"}),
        "T-TSB is the only one: no.",
    ),
    (
        "spof",
        "Terminals that only a single service calls at?",
        lambda g: ids(sole(g, "Terminal", "CALLS_AT")),
        "In-degree 1 on current CALLS_AT.",
    ),
    (
        "inverse",
        "In which ports do we have no agent?",
        lambda g: ids(g.type("Port") - g.ends(g.type("Agent"), ">REPRESENTS_US_IN")),
        "All ports less those with an agent.",
    ),
    (
        "inverse",
        "Which of the vessels are not chartered from any owner?",
        lambda g: ids(g.type("Vessel") - g.ends(g.type("Owner"), ">OWNS")),
        "All vessels less the targets of OWNS.",
    ),
    (
        "inverse",
        "how many vessels are NOT held up by anything right now",
        lambda g: num(len(g.type("Vessel") - set(held(g)))),
        "8 less the vessels under a current HOLDS_UP.",
    ),
    (
        "compare",
        "Lotus Loop versus Condor: how many terminals does each call at, and which do they have in common?",
        lambda g: (
            lambda a, b: compare(
                "S-AE3",
                "S-SA4",
                counts={"Terminal": [len(a), len(b)]},
                shared={"Terminal": sorted(a & b)},
            )
        )(g.ends("S-AE3", ">CALLS_AT"), g.ends("S-SA4", ">CALLS_AT")),
        "Current CALLS_AT.",
    ),
    (
        "compare",
        "Who has booked more TEU with us, Pacific Toys or Amaral? Both totals please.",
        lambda g: (
            lambda x: compare(
                "C-13", "C-16", values={"teu": x}, higher="C-13" if x[0] > x[1] else "C-16"
            )
        )([booked(g, "C-13"), booked(g, "C-16")]),
        "Sum of teu over the bookings of each.",
    ),
    (
        "compare",
        "ports that Citrus Express serves but the Condor does not",
        lambda g: ids(ports(g, "S-MED1") - ports(g, "S-SA4")),
        "Set difference of ports.",
    ),
    (
        "risk",
        "Which vessels are held up by a running disruption of high severity?",
        lambda g: ids(held(g, severity="high")),
        "Severity and status on the disruption, then HOLDS_UP.",
    ),
    (
        "risk",
        "Days of delay per ship from the disruptions running now, worst first. Only the ships that are held up.",
        lambda g: ranked(held(g)),
        "Sum of days on current HOLDS_UP.",
    ),
    (
        "risk",
        "Which running disruptions hit a port and hold up a ship as well?",
        lambda g: ids(
            d
            for d in g.type("Disruption", status="running")
            if g.ends(d, ">HITS") and g.ends(d, ">HOLDS_UP")
        ),
        "Both HITS and HOLDS_UP.",
    ),
    (
        "combined",
        "Which bookings travel on a voyage of a ship that is held up now and get unloaded in a port that is restricted?",
        lambda g: ids(
            b
            for b in g.ends(set(held(g)), "<OF_VESSEL", "<ON_VOYAGE")
            if any(
                g.p(p, "status") == "restricted" for p in g.ends(b, ">DISCHARGES_AT", ">IN_PORT")
            )
        ),
        "Delay and port status together.",
    ),
    (
        "combined",
        "On 1 June 2021, which services had no ship sailing on them?",
        lambda g: ids(g.type("Service") - g.ends(g.type("Vessel"), ">SAILS_ON", on="2021-06-01")),
        "Temporal and inverse.",
    ),
    (
        "combined",
        "Chartered ships built before 2010 that are the only vessel on their service?",
        lambda g: ids(
            v
            for v in g.ends(g.type("Owner"), ">OWNS")
            if g.p(v, "built") < 2010
            and any(g.ends(s, "<SAILS_ON") == {v} for s in g.ends(v, ">SAILS_ON"))
        ),
        "Chartered, age and single ship together; the Halcyon shares its service.",
    ),
    (
        "centrality",
        "Which node has the most direct connections in the whole network?",
        lambda g: leaders(g.degree()),
        "Highest degree; one.",
    ),
    (
        "centrality",
        "By betweenness, links taken as two-way, which terminal is the biggest chokepoint?",
        lambda g: bottleneck(g, "Terminal"),
        "Betweenness in the whole graph, best of the terminals.",
    ),
    (
        "centrality",
        "Which ports have the fewest links?",
        lambda g: leaders({p: g.degree()[p] for p in g.type("Port")}, least=True),
        "Lowest degree among ports, all relations; a tie of two.",
    ),
    (
        "unanswerable",
        "Which ships sail on the Sakura Express?",
        unknown(),
        "No such service; Citrus Express is another one.",
    ),
    (
        "unanswerable",
        "On which service does the Meridiaan sail?",
        ambiguous("V-01", "V-02", "V-03", "V-07"),
        "Four ships of that name. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "Which crew members are aboard the Boreas?",
        unknown("not_in_schema"),
        "No crew in the schema.",
    ),
    (
        "unanswerable",
        "BK-70999 - which voyage is it on?",
        unknown(),
        "Well-formed id of no booking.",
    ),
]


# -------------------------------------------------------------- university
def running(g):
    return g.type("Project", status="running")


def hours(g, x):
    return sum(e["hours_per_week"] for e in g.edges("TEACHES", a=x))


def mods(g, p):
    return g.ends(p, "<PART_OF")


UNIVERSITY = [
    (
        "lookup",
        "Which modules is Stiegler teaching now?",
        lambda g: ids(g.ends("L-03", ">TEACHES")),
        "TEACHES out of L-03.",
    ),
    (
        "lookup",
        "How many euros does the Halm Foundation put into the Tidal Marsh Observatory?",
        lambda g: num(g.edge("FUNDED_BY", "R-1", "U-2")["amount_eur"]),
        "amount_eur on R-1 FUNDED_BY U-2.",
    ),
    (
        "lookup",
        "who chairs the exam board",
        lambda g: ids(e["source"] for e in g.edges("SITS_ON", b="C-2", role="chair")),
        "role chair on current SITS_ON; Menon is a former chair.",
    ),
    (
        "lookup",
        "Hours a week that Kamau teaches the field course?",
        lambda g: num(g.edge("TEACHES", "L-05", "M-410")["hours_per_week"]),
        "hours_per_week on L-05 TEACHES M-410.",
    ),
    (
        "multi_hop",
        "With which partner universities do departments of the Faculty of Science exchange students?",
        lambda g: ids(g.ends("F-SCI", "<BELONGS_TO", ">EXCHANGES_WITH")),
        "F-SCI -> departments -> partners.",
    ),
    (
        "multi_hop",
        "Name all lecturers who teach a module of the MSc Data Science.",
        lambda g: ids(g.ends("P-MDS", "<PART_OF", "<TEACHES")),
        "P-MDS -> modules -> lecturers.",
    ),
    (
        "multi_hop",
        "who is paying at present for the projects located in biology",
        lambda g: ids(g.ends("D-BIO", "<HOSTED_BY", ">FUNDED_BY")),
        "D-BIO -> projects -> funders; Seagrass Genomes' grant has ended.",
    ),
    (
        "downstream",
        "What must be passed before NLP, directly or further back? All the modules, please.",
        lambda g: ids(g.closure("M-330", ">REQUIRES")),
        "REQUIRES forwards to the end.",
    ),
    (
        "downstream",
        "A student has failed Programming Basics. Which modules are barred as long as that stands, all the way up?",
        lambda g: ids(g.closure("M-110", "<REQUIRES")),
        "REQUIRES backwards to the end.",
    ),
    (
        "downstream",
        "Which programmes contain a module that has Machine Learning as a direct prerequisite?",
        lambda g: ids(g.ends("M-310", "<REQUIRES", ">PART_OF")),
        "M-310 <- REQUIRES <- modules -> programmes.",
    ),
    (
        "path",
        "How are Felix Odum and Hanna Brück connected, by the shortest way?",
        lambda g: paths(g, "L-10", "L-11"),
        "Shortest path, undirected; one.",
    ),
    (
        "path",
        "What's the link between Brandel Software and the Ethics Committee?",
        lambda g: paths(g, "U-4", "C-1"),
        "Shortest path, undirected; one.",
    ),
    (
        "path",
        "How many steps is it at least from Turku to the Senate?",
        lambda g: steps(g, "X-1", "C-3"),
        "Length of the shortest path in edges.",
    ),
    (
        "aggregation",
        "Which lecturer teaches the most hours a week in total?",
        lambda g: leaders({x: hours(g, x) for x in g.type("Lecturer")}),
        "Sum of hours_per_week over current TEACHES; one.",
    ),
    (
        "aggregation",
        "How many ECTS points do the compulsory modules of the BSc Computer Science add up to?",
        lambda g: num(
            sum(g.p(e["source"], "credits") for e in g.edges("PART_OF", b="P-BCS", compulsory=True))
        ),
        "Sum of credits over PART_OF with compulsory true.",
    ),
    (
        "aggregation",
        "Number of programmes run by each department, most first",
        lambda g: ranked({d: len(g.ends(d, "<RUN_BY")) for d in g.type("Department")}),
        "In-degree on current RUN_BY; every department runs at least one.",
    ),
    (
        "aggregation",
        "Combined budget in euros of the running projects hosted in the Faculty of Science?",
        lambda g: num(
            total(g, g.ends("F-SCI", "<BELONGS_TO", "<HOSTED_BY") & running(g), "budget_eur")
        ),
        "Status running; Seagrass Genomes is finished.",
    ),
    (
        "aggregation",
        "avg pass rate across the modules of the Data Science master?",
        lambda g: (lambda m: num(total(g, m, "pass_rate_pct") / len(m)))(mods(g, "P-MDS")),
        "Mean of pass_rate_pct over the modules of P-MDS.",
    ),
    (
        "temporal",
        "who was teaching algoritms on 15 january 2026",
        lambda g: ids(g.ends("M-210", "<TEACHES", on="2026-01-15")),
        "Typo. TEACHES valid that day.",
    ),
    (
        "temporal",
        "Who headed the History department before Vasic?",
        lambda g: ids(e["source"] for e in g.edges("HEADS", b="D-HIS", on=None) if e["valid_to"]),
        "The former HEADS into D-HIS.",
    ),
    (
        "temporal",
        "Since when does Data Protection Law count towards the Data Science master?",
        lambda g: {"date": g.edge("PART_OF", "M-602", "P-MDS")["valid_from"]},
        "valid_from of PART_OF.",
    ),
    (
        "temporal",
        "What was the last day on which Public Law swapped students with Nantes?",
        lambda g: {"date": next(g.edges("EXCHANGES_WITH", "D-PUB", "X-2", on=None))["valid_to"]},
        "valid_to of the former EXCHANGES_WITH.",
    ),
    (
        "what_if",
        "If Prof. Eisner left us, which modules would have nobody to teach them?",
        lambda g: ids(m for m in g.ends("L-09", ">TEACHES") if g.ends(m, "<TEACHES") == {"L-09"}),
        "Modules whose only lecturer is L-09.",
    ),
    (
        "what_if",
        "Kamau's contract isn't renewed. Which of her modules are left without a lecturer?",
        lambda g: ids(m for m in g.ends("L-05", ">TEACHES") if g.ends(m, "<TEACHES") == {"L-05"}),
        "M-410 still has Quiroga.",
    ),
    (
        "what_if",
        "Suppose the Halm Foundation stops paying: which running projects would be left with no funder?",
        lambda g: ids(r for r in running(g) if g.ends(r, ">FUNDED_BY") <= {"U-2"}),
        "None: R-1 still has the ERF.",
    ),
    (
        "what_if",
        "Suppose the Computer Science department were dissolved, which programmes would have no department to run them?",
        lambda g: ids(p for p in g.type("Programme") if g.ends(p, ">RUN_BY") == {"D-CS"}),
        "P-MDS is run by Mathematics too.",
    ),
    (
        "spof",
        "Which modules are taught by exactly one person?",
        lambda g: ids(sole(g, "Module", "TEACHES")),
        "In-degree 1 on current TEACHES.",
    ),
    (
        "spof",
        "Apart from Quiroga, is anyone else teaching the Coastal Field Course? Who?",
        lambda g: (lambda x: yes(x, x))(g.ends("M-410", "<TEACHES") - {"L-04"}),
        "Yes: Kamau.",
    ),
    (
        "spof",
        "Departments with only one lecturer employed in them?",
        lambda g: ids(sole(g, "Department", "EMPLOYED_IN")),
        "In-degree 1 on current EMPLOYED_IN; Pryce's post has ended.",
    ),
    (
        "inverse",
        "Which departments have no exchange partner?",
        lambda g: ids(g.type("Department") - g.ends(g.type("Partner"), "<EXCHANGES_WITH")),
        "No current EXCHANGES_WITH.",
    ),
    (
        "inverse",
        "how many modules have no prerequisite",
        lambda g: num(len(g.type("Module") - g.ends(g.type("Module"), "<REQUIRES"))),
        "12 less the sources of REQUIRES.",
    ),
    (
        "inverse",
        "Which lecturers with status active do not sit on any committee?",
        lambda g: ids(
            g.type("Lecturer", status="active") - g.ends(g.type("Committee"), "<SITS_ON")
        ),
        "Status active less the sources of SITS_ON.",
    ),
    (
        "inverse",
        "Modules for which no room is recorded?",
        lambda g: ids(g.type("Module") - g.ends(g.type("Room"), "<HELD_IN")),
        "All modules less the sources of HELD_IN.",
    ),
    (
        "compare",
        "CompLing vs the Data Science master: number of modules in each, and which they share?",
        lambda g: (
            lambda a, b: compare(
                "P-MCL",
                "P-MDS",
                counts={"Module": [len(a), len(b)]},
                shared={"Module": sorted(a & b)},
            )
        )(mods(g, "P-MCL"), mods(g, "P-MDS")),
        "Current PART_OF.",
    ),
    (
        "compare",
        "Who teaches more hours a week, Stiegler or Kamau? Give both figures.",
        lambda g: (
            lambda x: compare(
                "L-03",
                "L-05",
                values={"hours_per_week": x},
                higher="L-03" if x[0] > x[1] else "L-05",
            )
        )([hours(g, "L-03"), hours(g, "L-05")]),
        "Sum of hours_per_week over current TEACHES.",
    ),
    (
        "compare",
        "which committees is Labelle on that Aasland isn't",
        lambda g: ids(g.ends("L-08", ">SITS_ON") - g.ends("L-01", ">SITS_ON")),
        "Set difference of SITS_ON.",
    ),
    (
        "combined",
        "Which lecturers teach a module that is held in a room that's closed?",
        lambda g: ids(g.ends(g.type("Room", status="closed"), "<HELD_IN", "<TEACHES")),
        "Room status, then two hops.",
    ),
    (
        "combined",
        "On 1 January 2019, which departments had no head?",
        lambda g: ids(g.type("Department") - g.ends(g.type("Lecturer"), ">HEADS", on="2019-01-01")),
        "Temporal and inverse; Quiroga and Labelle came later.",
    ),
    (
        "combined",
        "Who leads a running project and is head of a department too?",
        lambda g: ids(
            {e["source"] for e in g.edges("WORKS_ON", role="lead") if e["target"] in running(g)}
            & g.ends(g.type("Department"), "<HEADS")
        ),
        "role lead, project status and HEADS; Aasland's project is only applied for.",
    ),
    (
        "centrality",
        "Which node is the main bottleneck of the whole graph by betweenness, direction ignored?",
        bottleneck,
        "Highest betweenness, undirected.",
    ),
    (
        "centrality",
        "Which lecturer has the most relations of every kind taken together?",
        lambda g: leaders({x: g.degree()[x] for x in g.type("Lecturer")}),
        "Highest degree among lecturers; one.",
    ),
    (
        "centrality",
        "Partner universities tied into the network by a single link?",
        lambda g: ids(x for x in g.type("Partner") if g.degree()[x] == 1),
        "Degree 1 over all current relations.",
    ),
    ("unanswerable", "Which modules does Prof. Sandoval teach?", unknown(), "No such lecturer."),
    (
        "unanswerable",
        "Which modules take place in the lab?",
        ambiguous("RM-2", "RM-3"),
        "Wet Lab B and GPU Lab. Asking which one, or answering for each under its name, is right.",
    ),
    (
        "unanswerable",
        "Which student residences belong to the Faculty of Law?",
        unknown("not_in_schema"),
        "No residences in the schema.",
    ),
]


def main():
    for domain, rows in (
        ("hospital", HOSPITAL),
        ("shipping", SHIPPING),
        ("university", UNIVERSITY),
    ):
        g, seen, out = Graph(domain), collections.Counter(), []
        for k, (category, query, gold, note) in enumerate(rows, 1):
            seen[category] += 1
            out.append(
                {
                    "id": f"b{domain[0]}-{k:03d}",
                    "category": category,
                    "query": query,
                    "gold": gold(g),
                    "note": note,
                }
            )
        assert len({r["query"] for r in out}) == len(out) == 45, (domain, len(out))
        (HERE / f"{domain}.jsonl").write_text(
            "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in out), encoding="utf-8"
        )
        print(domain, len(out), dict(seen))
        if "--show" in sys.argv:
            for r in out:
                print(
                    f"  {r['id']} {r['category']:12s} {r['query']}\n      {json.dumps(r['gold'], ensure_ascii=False)}"
                )


if __name__ == "__main__":
    main()
