"""Blind questions for the museum, written before the reader saw them; gold computed from the data.

usage: python3 gold_museum.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import collections, json, pathlib, sys

OUT = pathlib.Path(__file__).resolve().parent
ROOT = OUT / "domains"
AS_OF = "2026-08-01"
DIRS = {"museum": ROOT / "museum"}


class G:
    def __init__(s, d):
        rd = lambda f: [json.loads(x) for x in open(f"{d}/{f}", encoding="utf-8") if x.strip()]
        s.n, s.e = {r["id"]: r for r in rd("nodes.jsonl")}, rd("edges.jsonl")

    def valid(s, rel=None, on=AS_OF):
        return [
            e
            for e in s.e
            if (rel is None or e["type"] == rel)
            and (on is None or ((e["valid_from"] or "0000") <= on <= (e["valid_to"] or "9999")))
        ]

    def out(s, xs, rel, on=AS_OF):
        xs = {xs} if isinstance(xs, str) else set(xs)
        return {e["target"] for e in s.valid(rel, on) if e["source"] in xs}

    def inn(s, xs, rel, on=AS_OF):
        xs = {xs} if isinstance(xs, str) else set(xs)
        return {e["source"] for e in s.valid(rel, on) if e["target"] in xs}

    def walk(s, xs, rel, back=False, on=AS_OF):
        """Everything reached in one or more steps, start left out."""
        start = {xs} if isinstance(xs, str) else set(xs)
        seen, front = set(), set(start)
        while front:
            front = (s.inn if back else s.out)(front, rel, on) - seen - start
            seen |= front
        return seen

    def t(s, typ, f=lambda r: True):
        return {i for i, r in s.n.items() if r["type"] == typ and f(r)}

    def sum(s, xs, prop):
        return sum(s.n[x][prop] for x in xs)

    def where(s, xs, f):
        return {x for x in xs if f(s.n[x])}

    def edge(s, a, rel, b, on=None):
        (e,) = [e for e in s.valid(rel, on) if e["source"] == a and e["target"] == b]
        return e

    def adj(s, rel=None, directed=False):
        a = collections.defaultdict(set)
        for e in s.valid(rel):
            a[e["source"]].add(e["target"])
            if not directed:
                a[e["target"]].add(e["source"])
        return a

    def paths(s, a, b, rel=None, directed=False):
        adj, lv, seen = s.adj(rel, directed), [[a]], {a}
        while lv:
            hit = sorted(p for p in lv if p[-1] == b)
            if hit:
                return hit
            lv = [p + [y] for p in lv for y in adj[p[-1]] if y not in seen]
            seen |= {p[-1] for p in lv}
        return []

    def degree(s, multi=True):
        d = {i: 0 for i in s.n}
        if multi:
            for e in s.valid():
                d[e["source"]] += 1
                d[e["target"]] += 1
        else:
            for i, x in s.adj().items():
                d[i] = len(x)
        return d

    def betweenness(s):
        adj, bc = s.adj(), {i: 0.0 for i in s.n}
        for r in s.n:
            S, P, sig, dist, Q = (
                [],
                collections.defaultdict(list),
                collections.Counter({r: 1}),
                {r: 0},
                collections.deque([r]),
            )
            while Q:
                v = Q.popleft()
                S.append(v)
                for w in adj[v]:
                    if w not in dist:
                        dist[w] = dist[v] + 1
                        Q.append(w)
                    if dist[w] == dist[v] + 1:
                        sig[w] += sig[v]
                        P[w].append(v)
            dl = collections.Counter()
            for w in reversed(S):
                for v in P[w]:
                    dl[v] += sig[v] / sig[w] * (1 + dl[w])
                if w != r:
                    bc[w] += dl[w] / 2
        return bc


ids = lambda x: {"ids": sorted(x)}
num = lambda x: {"number": int(x) if float(x) == int(x) else round(float(x), 4)}
yes = lambda v, x=(): {"bool": bool(v), "ids": sorted(x)}
cmp_ = lambda a, b, **k: {"compare": {"a": a, "b": b, **k}}
no = lambda reason, *c: {
    "abstain": True,
    "reason": reason,
    **({"candidates": sorted(c)} if c else {}),
}


def rank(d, up=False, k=None, top=False):
    r = sorted(
        ([i, int(v) if float(v) == int(v) else round(v, 4)] for i, v in d.items()),
        key=lambda p: (p[1] if up else -p[1], p[0]),
    )
    if k:
        assert len(r) == k or r[k - 1][1] != r[k][1]  # no tie at the cut
        r = r[:k]
    return {"ranking": r, **({"top": [i for i, v in r if v == r[0][1]]} if top else {})}


def lead(d, least=False):
    best = (min if least else max)(d.values())
    return sorted(i for i, v in d.items() if abs(v - best) < 1e-9)


def museum(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    O = g.t("Object")
    op = g.t("Alarm", lambda r: r["status"] == "active")
    add("lookup", "Who painted the Winter Triptych?", ids(g.out("OB-112", "MADE_BY")))
    add("lookup", "how many hours has Atelier Fosse agreed for The Net Menders", num(120))
    add(
        "lookup",
        "Apart from Light on Water, is Nordbank paying for anything? Which shows?",
        yes(True, g.out("SP-1", "FUNDS") - {"EX-1"}),
    )
    add("lookup", "ob108 is in which gallery?", ids(g.out("OB-108", "HANGS_IN")))
    add(
        "multi_hop",
        "Which artists have work on view in the Rotunda?",
        ids(g.out(g.inn("GA-1", "HANGS_IN"), "MADE_BY")),
    )
    add(
        "multi_hop",
        "Name the carriers that work for lenders to Light on Water.",
        ids(g.inn(g.inn("EX-1", "LENDS_TO"), "MOVES_FOR")),
    )
    add(
        "multi_hop",
        "whose works does Lotte Brandt's curator look after?",
        ids(g.out(g.out(g.inn(g.inn("AR-3", "MADE_BY"), "KEEPS"), "KEEPS"), "MADE_BY")),
    )
    add(
        "multi_hop",
        "Can the courier strike reach Guild Treasures, and if so through which lender?",
        yes(True, g.out(g.out("AL-4", "STRIKES"), "MOVES_FOR") & g.inn("EX-4", "LENDS_TO")),
    )
    add(
        "downstream",
        "Everything that depends on Artways down the line: lenders and shows",
        ids(g.out("CA-1", "MOVES_FOR") | g.out(g.out("CA-1", "MOVES_FOR"), "LENDS_TO")),
    )
    add(
        "downstream",
        "Which exhibitions feel it if Safe Hands Transport stops driving?",
        ids(g.out(g.out("CA-2", "MOVES_FOR"), "LENDS_TO")),
    )
    add(
        "downstream",
        "What is the combined insured value of the works in Metal and Fire?",
        num(g.sum(g.inn("EX-2", "SHOWN_IN"), "insured_value_eur")),
    )
    add(
        "path",
        "How are Polar Freight and the Guild Chalice linked? Shortest way.",
        {"path": g.paths("SP-4", "OB-108")},
    )
    add(
        "path",
        "How many links apart are Hanne Munk and Nordbank at the shortest?",
        num(len(g.paths("RE-2", "SP-1")[0]) - 1),
    )
    add(
        "aggregation",
        "Which curator is responsible for the most works?",
        {
            **rank({c: len(g.out(c, "KEEPS")) for c in g.t("Curator")}, top=True),
            "ids": lead({c: len(g.out(c, "KEEPS")) for c in g.t("Curator")}),
        },
    )
    add("aggregation", "How much does Halcyon Energy give us altogether?", num(95000))
    add(
        "aggregation",
        "Average insured value of our oil paintings",
        num(g.sum(g.t("Object", lambda r: r["medium"] == "oil painting"), "insured_value_eur") / 4),
    )
    add(
        "aggregation",
        "sponsorship money per exhibition, highest first",
        rank(
            {
                x: sum(e["amount_eur"] for e in g.valid("FUNDS") if e["target"] == x)
                for x in g.t("Exhibition")
            }
        ),
    )
    add(
        "aggregation",
        "The three oldest objects we own",
        {
            **rank({o: g.n[o]["year"] for o in O}, up=True, k=3),
            "ids": ["OB-107", "OB-108", "OB-110"],
        },
    )
    add(
        "temporal",
        "Where did The Net Menders hang on 1 June 2015?",
        ids(g.out("OB-102", "HANGS_IN", "2015-06-01")),
    )
    add("temporal", "Since when has Simon Oduya kept the Guild Chalice?", {"date": "2026-03-01"})
    add(
        "temporal",
        "Which works were acquired after 2000?",
        ids(g.t("Object", lambda r: r["acquired_on"] > "2000-12-31")),
    )
    add(
        "temporal",
        "Which object passed from one curator to another in the course of 2021?",
        ids(["OB-110"]),
    )
    add(
        "what_if",
        "If Bronzewerk closed, which works would have no restorer left?",
        ids(o for o in O if g.inn(o, "TREATS") == {"RE-3"}),
    )
    add(
        "what_if",
        "Halcyon Energy and Polar Freight withdraw: which exhibitions lose every sponsor they have?",
        ids(
            x
            for x in g.t("Exhibition")
            if g.inn(x, "FUNDS") and g.inn(x, "FUNDS") <= {"SP-2", "SP-4"}
        ),
    )
    add(
        "spof",
        "Exhibitions that depend on a single lender",
        ids(x for x in g.t("Exhibition") if len(g.inn(x, "LENDS_TO")) == 1),
    )
    add(
        "spof",
        "Is any work kept by two or more curators? If so, which?",
        yes(True, {o for o in O if len(g.inn(o, "KEEPS")) > 1}),
    )
    add(
        "spof",
        "Fragile objects with only one restorer",
        ids(o for o in O if g.n[o]["condition"] == "fragile" and len(g.inn(o, "TREATS")) == 1),
    )
    add(
        "inverse",
        "Which works are not shown in any exhibition?",
        ids(o for o in O if not g.out(o, "SHOWN_IN")),
    )
    add(
        "inverse",
        "How many galleries are free of open alarms?",
        num(len(g.t("Gallery") - g.out(op, "STRIKES"))),
    )
    add(
        "inverse",
        "works whose maker nobody has recorded",
        ids(o for o in O if not g.out(o, "MADE_BY")),
    )
    add(
        "compare",
        "Rotunda versus Treasury: how many objects are on view in each?",
        cmp_(
            "GA-1",
            "GA-4",
            counts={"Object": [len(g.inn("GA-1", "HANGS_IN")), len(g.inn("GA-4", "HANGS_IN"))]},
        ),
    )
    add(
        "compare",
        "Which costs more per hour, Bronzewerk or Clay & Kiln?",
        cmp_("RE-3", "RE-4", values={"hourly_rate_eur": [110, 80]}),
    )
    add(
        "compare",
        "what does Light on Water show that Masters of Paper doesn't",
        ids(g.inn("EX-1", "SHOWN_IN") - g.inn("EX-3", "SHOWN_IN")),
    )
    add(
        "risk",
        "Which artists have a work hanging in a gallery with an active alarm?",
        ids(g.out(g.inn(g.out(op, "STRIKES") & g.t("Gallery"), "HANGS_IN"), "MADE_BY")),
    )
    add(
        "combined",
        "Oil paintings worth more than 500,000 that are not in good condition",
        ids(
            g.t(
                "Object",
                lambda r: (
                    r["medium"] == "oil painting"
                    and r["insured_value_eur"] > 500000
                    and r["condition"] != "good"
                ),
            )
        ),
    )
    add(
        "combined",
        "planned exhibitions with a silver sponsor",
        ids(
            x
            for x in g.out(g.t("Sponsor", lambda r: r["tier"] == "silver"), "FUNDS")
            if g.n[x]["status"] == "planned"
        ),
    )
    add(
        "combined",
        "Works by German artists in a gallery with a variable climate",
        ids(
            g.inn(g.t("Artist", lambda r: r["nationality"] == "German"), "MADE_BY")
            & g.inn(g.t("Gallery", lambda r: r["climate"] == "variable"), "HANGS_IN")
        ),
    )
    add(
        "combined",
        "which of them are fragile?",
        ids(o for o in g.out("CU-4", "KEEPS") if g.n[o]["condition"] == "fragile"),
        history=[{"role": "user", "content": "What works does Peter Ahlgren keep?"}],
    )
    add(
        "centrality",
        "Which exhibition has the most direct links?",
        ids(lead({k: v for k, v in g.degree().items() if g.n[k]["type"] == "Exhibition"})),
    )
    add(
        "centrality",
        "which single node is the biggest bottleneck by betweenness",
        ids(lead(g.betweenness())),
    )
    add("unanswerable", "Which exhibitions does Ahlgren curate?", no("ambiguous", "CU-1", "CU-4"))
    add("unanswerable", "Who treats the Golden Stag?", no("unknown_entity"))
    add("unanswerable", "Which visitors bought a ticket for Light on Water?", no("not_in_schema"))
    return q


for name, f, pre in (("museum", museum, "bm"),):
    g = G(DIRS[name])
    rows = [
        {"id": f"{pre}-{k:03}", "category": c, "query": t, "gold": gold, **more}
        for k, (c, t, gold, more) in enumerate(f(g), 1)
    ]
    (OUT / f"{name}.jsonl").write_text(
        "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8"
    )
    print(name, len(rows), dict(collections.Counter(r["category"] for r in rows)))
    if "--show" in sys.argv:
        for r in rows:
            print(
                r["id"],
                r["category"],
                "|",
                r["query"],
                "|",
                json.dumps(r["gold"], ensure_ascii=False),
            )
