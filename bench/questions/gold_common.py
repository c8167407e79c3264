"""What the scripts that compute gold share: a graph to look at, the forms of gold, and writing.

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is AS_OF unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import collections, heapq, json, pathlib, sys

OUT = pathlib.Path(__file__).resolve().parent
AS_OF = "2026-08-01"


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

    def total(s, rel, end, prop):
        """The sum of a property of a relation valid now, by one end."""
        sums = collections.Counter()
        for e in s.valid(rel):
            sums[e[end]] += e[prop]
        return sums

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

    def cheapest(s, a, b, rel, prop):
        """All the ways over a relation, both ways, whose sum of a property is least; and that sum."""
        w = collections.defaultdict(dict)
        for e in s.valid(rel):
            for x, y in ((e["source"], e["target"]), (e["target"], e["source"])):
                w[x][y] = min(w[x].get(y, e[prop]), e[prop])
        best, found, todo = None, [], [(0, [a])]
        while todo:
            d, p = heapq.heappop(todo)
            if best is not None and d > best + 1e-9:
                break
            if p[-1] == b:
                best = d
                found.append(p)
                continue
            for y, more in w[p[-1]].items():
                if y not in p:
                    heapq.heappush(todo, (d + more, p + [y]))
        return found, round(best, 4)

    def pieces(s, xs, rel):
        """How many groups a relation joins some entities into."""
        adj, left, n = s.adj(rel), set(xs), 0
        while left:
            n, front = n + 1, {left.pop()}
            while front:
                front = {y for x in front for y in adj[x]} & left
                left -= front
        return n

    def cut_points(s, xs, rel):
        """Which of some entities a relation joins into more groups once they are left out."""
        whole = s.pieces(xs, rel)
        return {x for x in xs if s.pieces(set(xs) - {x}, rel) > whole}

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


def of(d, xs):
    return {x: d[x] for x in xs}


def lead(d, least=False):
    best = (min if least else max)(d.values())
    return sorted(i for i, v in d.items() if abs(v - best) < 1e-9)


CATEGORIES = (
    "lookup", "multi_hop", "downstream", "path", "aggregation", "temporal", "what_if",
    "spof", "inverse", "compare", "risk", "combined", "centrality", "unanswerable",
)  # fmt: skip


def mean(xs):
    xs = list(xs)
    return sum(xs) / len(xs)


def numbered(prefix, n, makers, *given):
    """The n rows of a set: what the maker of each category gives for what is given, in order."""
    found = [(c, *row) for c in CATEGORIES for row in makers[c](*given)]
    assert len(found) == n
    names = ("category", "query", "gold", "note")
    return [{"id": f"{prefix}-{k:03}", **dict(zip(names, row))} for k, row in enumerate(found, 1)]


def asking(prefix):
    """The rows of a set that is empty yet, and what adds a question to them."""
    rows = []

    def q(category, query, gold, note):
        row = {"category": category, "query": query, "gold": gold, "note": note}
        rows.append({"id": f"{prefix}-{len(rows) + 1:03}", **row})

    return rows, q


def write(name, rows):
    """Write the questions of a set, and say how many there are; with --show, all of them."""
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    (OUT / f"{name}.jsonl").write_text(text, encoding="utf-8")
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
