"""Blind questions for the dairy, written before the reader saw them; gold computed from the data.

usage: python3 gold_dairy.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import collections, json, pathlib, sys

OUT = pathlib.Path(__file__).resolve().parent
ROOT = OUT / "domains"
AS_OF = "2026-08-01"
DIRS = {"dairy": ROOT / "dairy"}


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


def dairy(g):
    q = []
    add = lambda c, text, gold, **k: q.append((c, text, gold, k))
    F, D, C, S = g.t("Farm"), g.t("Dairy"), g.t("Cheese"), g.t("Shop")
    op = g.t("Scare", lambda r: r["status"] == "active")
    add("lookup", "which cheeses does Northgate make?", ids(g.out("D1", "MAKES")))
    add("lookup", "Who drives the Red tanker nowadays?", ids(g.inn("T1", "DRIVES")))
    add("lookup", "How many litres a day does Dovecote Farm send to Mill Lane?", num(900))
    add(
        "lookup",
        "Besides Black Tarn, does the Corner Larder have any cheese of ours? Which?",
        yes(True, g.out("S1", "STOCKS") - {"C1"}),
    )
    add(
        "multi_hop",
        "In which shops can you buy something that Klara Feld invented the recipe of?",
        ids(g.inn(g.out("M1", "RECIPE_OF"), "STOCKS")),
    )
    add("multi_hop", "farms behind Old Shepherd", ids(g.inn(g.inn("C3", "MAKES"), "MILKS_FOR")))
    add(
        "multi_hop",
        "Who drives the tankers that collect from the farms Dr Moss treats?",
        ids(g.inn(g.inn(g.out("V1", "TREATS"), "COLLECTS_FROM"), "DRIVES")),
    )
    add("multi_hop", "Do any of Jo Tarrant's farms deliver to Quay Dairy?", yes(False, []))
    dd = g.out("F5", "MILKS_FOR")
    cc = g.out(dd, "MAKES")
    add(
        "downstream",
        "Everything downstream of Eskmoor: dairies, cheeses and shops",
        ids(dd | cc | g.inn(cc, "STOCKS")),
    )
    add(
        "downstream",
        "If Cairn End's milk went bad, which shops could end up with it?",
        ids(g.inn(g.out(g.out("F3", "MILKS_FOR"), "MAKES"), "STOCKS")),
    )
    add(
        "downstream",
        "Whose teaching goes back, directly or through others, to Klara Feld?",
        ids(g.walk("M1", "TAUGHT_BY", back=True)),
    )
    add(
        "path",
        "What's the shortest chain linking Dr Aalto and the Station Deli?",
        {"path": g.paths("V2", "S4")},
    )
    add(
        "path",
        "How far apart are Sven Holt and Ros Kerr, in links?",
        num(len(g.paths("R4", "M3")[0]) - 1),
    )
    add(
        "path",
        "Along the borders only, what is the shortest way from Alder Croft to Dovecote Farm?",
        {"path": g.paths("F1", "F4", rel="BORDERS")},
    )
    add("aggregation", "Total milk per day that Northgate Dairy gets, in litres?", num(10200))
    add(
        "aggregation",
        "Which shop stocks the widest range of our cheeses?",
        {
            **rank({s: len(g.out(s, "STOCKS")) for s in S}, top=True),
            "ids": lead({s: len(g.out(s, "STOCKS")) for s in S}),
        },
    )
    add(
        "aggregation",
        "rank the vets by how many farms they treat",
        rank({v: len(g.out(v, "TREATS")) for v in g.t("Vet")}),
    )
    add(
        "aggregation",
        "What is the average price per kilo of the gold label cheeses?",
        num((24.5 + 31.0) / 2),
    )
    add(
        "aggregation",
        "kilos sold a week for each cheese, all shops together, best seller first",
        rank({c: sum(e["kg_week"] for e in g.valid("STOCKS") if e["target"] == c) for c in C}),
    )
    add(
        "aggregation",
        "the two smallest farms by herd",
        {**rank({f: g.n[f]["herd_size"] for f in F}, up=True, k=2), "ids": ["F3", "F6"]},
    )
    add(
        "temporal",
        "Which dairy did Fennside milk for at the end of 2024?",
        ids(g.out("F6", "MILKS_FOR", "2024-12-31")),
    )
    add("temporal", "until when was Dr Aalto treating Cairn End", {"date": "2023-12-31"})
    add("temporal", "Which shops began stocking something in 2026?", ids(["S5"]))
    add(
        "temporal",
        "Who joined the co-operative after 2010? Farms only.",
        ids(g.t("Farm", lambda r: r["joined"] > "2010-12-31")),
    )
    add(
        "what_if",
        "Say Quay Dairy never reopens: which cheeses would nobody make any more?",
        ids(c for c in C if g.inn(c, "MAKES") == {"D3"}),
    )
    add(
        "what_if",
        "If Dr Moss retires, which farms have no vet left?",
        ids(f for f in F if g.inn(f, "TREATS") == {"V1"}),
    )
    add(
        "what_if",
        "Tanker Red and Tanker Blue both break down. How many farms would nobody collect from?",
        num(
            len(
                [
                    f
                    for f in F
                    if g.inn(f, "COLLECTS_FROM") and g.inn(f, "COLLECTS_FROM") <= {"T1", "T2"}
                ]
            )
        ),
    )
    add("spof", "cheeses made in one dairy only", ids(c for c in C if len(g.inn(c, "MAKES")) == 1))
    add(
        "spof",
        "Is there a cheese that just one shop stocks? Name it.",
        yes(True, {c for c in C if len(g.inn(c, "STOCKS")) == 1}),
    )
    add("inverse", "Which farms have no vet?", ids(F - g.out(g.t("Vet"), "TREATS")))
    add(
        "inverse",
        "How many shops don't stock a single hard cheese?",
        num(
            len(
                [
                    s
                    for s in S
                    if not (g.out(s, "STOCKS") & g.t("Cheese", lambda r: r["style"] == "hard"))
                ]
            )
        ),
    )
    add(
        "inverse",
        "Apart from the organic ones, which farms milk for Northgate?",
        ids(g.where(g.inn("D1", "MILKS_FOR"), lambda r: r["organic"] != "yes")),
    )
    add(
        "compare",
        "Green Basket vs Castle Stores: how many cheeses in each, and which in both?",
        cmp_("S3", "S5", counts={"Cheese": [3, 3]}, shared={"Cheese": ["C1"]}),
    )
    add(
        "compare",
        "Which is dearer, Blue Fell or Smoked Ember?",
        cmp_("C4", "C6", values={"price_eur_kg": [27.8, 19.9]}),
    )
    add(
        "compare",
        "What does the Station Deli sell that the Corner Larder does not?",
        ids(g.out("S4", "STOCKS") - g.out("S1", "STOCKS")),
    )
    add(
        "risk",
        "Which cheeses are exposed to an active scare at the dairy that makes them?",
        ids(g.out(g.out(op, "HURTS") & D, "MAKES")),
    )
    add(
        "combined",
        "hard cheeses over 30 euros a kilo that are stocked in Lund",
        ids(
            c
            for c in g.t("Cheese", lambda r: r["style"] == "hard" and r["price_eur_kg"] > 30)
            if g.inn(c, "STOCKS") & g.t("Shop", lambda r: r["town"] == "Lund")
        ),
    )
    add(
        "combined",
        "Organic farms in the Lower valley that border a farm with more than 100 cows",
        ids(
            f
            for f in g.t("Farm", lambda r: r["organic"] == "yes" and r["valley"] == "Lower")
            if (g.out(f, "BORDERS") | g.inn(f, "BORDERS"))
            & g.t("Farm", lambda r: r["herd_size"] > 100)
        ),
    )
    add(
        "combined",
        "Night drivers of a tanker built before 2015",
        ids(
            g.t("Driver", lambda r: r["shift"] == "night")
            & g.inn(g.t("Tanker", lambda r: r["built"] < 2015), "DRIVES")
        ),
    )
    add(
        "combined",
        "and which of these does Dr Moss look after?",
        ids(g.inn("D2", "MILKS_FOR") & g.out("V1", "TREATS")),
        history=[{"role": "user", "content": "Which farms milk for Mill Lane Dairy?"}],
    )
    add(
        "centrality",
        "Which farm has the most links of all kinds?",
        ids(lead({k: v for k, v in g.degree().items() if g.n[k]["type"] == "Farm"})),
    )
    add("unanswerable", "What does Tarrant drive?", no("ambiguous", "R1", "R3"))
    add("unanswerable", "Which shops stock Velvet Moon?", no("unknown_entity"))
    add("unanswerable", "Which bakeries use our cheese?", no("not_in_schema"))
    return q


for name, f, pre in (("dairy", dairy, "bd"),):
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
