"""Short questions in everyday words over film, water and dairy, blind too; gold computed from the data.

usage: python3 gold_phrases.py [--show]

A relation is valid when valid_from <= day <= valid_to (inclusive, null unbounded); the day is as_of unless one is named.
Degree and betweenness: undirected, all current nodes and relations."""

import collections, json, pathlib, sys

OUT = pathlib.Path(__file__).resolve().parent
ROOT = OUT / "domains"
AS_OF = "2026-08-01"
DIRS = {name: ROOT / name for name in ("film", "water", "dairy")}


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


def film(g):
    q = []
    add = lambda text, gold: q.append((text, gold))
    P = g.t("Production")
    add("Which films does Kestrel Capital finance?", ids(g.out("b2", "FUNDS")))
    add("Tundra was filmed where?", ids(g.out("tundra", "FILMS_AT")))
    add("How many productions is Olga Brandt producing?", num(len(g.inn("p15", "PRODUCED_BY"))))
    add("Is there anyone who both writes and directs Tundra?", yes(True, ["p03"]))
    add("Which festivals has The Last Ferry been to?", ids(g.out("lastferry", "SCREENED_AT")))
    add("List every site outside Belgium.", ids(g.t("Site", lambda r: r["country"] != "Belgium")))
    add(
        "Which productions cost more than 10 million euros?",
        ids(g.t("Production", lambda r: r["budget_eur"] > 10e6)),
    )
    add(
        "the longest film",
        {
            **rank({p: g.n[p]["runtime_min"] for p in P}, k=1),
            "ids": lead({p: g.n[p]["runtime_min"] for p in P}),
        },
    )
    add("Who is Jonah Pike's agency?", ids(g.out("p06", "REPRESENTED_BY")))
    add(
        "Which actors have the same agency as Felix Voss?",
        ids(
            (g.inn(g.out("p08", "REPRESENTED_BY"), "REPRESENTED_BY") - {"p08"})
            & g.t("Person", lambda r: r["craft"] == "actor")
        ),
    )
    add("How much is Nordisk Lys paying for Little Bear?", num(210000))
    add("When did Bullring buy North Light?", {"date": "2026-03-01"})
    add("Which productions lost a distributor in 2025?", ids({"hourglass", "lastferry"}))
    add(
        "If the Fjord drone permit lapses, which productions are affected?",
        ids(g.inn(g.inn("pm3", "NEEDS"), "FILMS_AT")),
    )
    add(
        "Which backers have put money into more than one film?",
        ids(b for b in g.t("Backer") if len(g.out(b, "FUNDS")) > 1),
    )
    add(
        "Production with the highest number of rented items?",
        {
            **rank({p: len(g.out(p, "RENTS")) for p in P}, top=True),
            "ids": lead({p: len(g.out(p, "RENTS")) for p in P}),
        },
    )
    return q


def water(g):
    q = []
    add = lambda text, gold: q.append((text, gold))
    add("Which zones get water from Fell Tank?", ids(g.out("RS-05", "SUPPLIES")))
    add("What is Southmoor's leakage?", num(18.7))
    add("How many people live in the zones that Castle Tank supplies?", num(18400 + 7200))
    add("Who does Meg Tully report to?", ids(["T-04"]))
    add(
        "Which technicians report to someone in the Red Crew?",
        ids(g.inn(g.inn("CR-2", "BELONGS_TO"), "REPORTS_TO")),
    )
    add(
        "List pumps that have no service contract",
        ids(g.t("Pump") - g.out(g.t("Vendor"), "SERVICES")),
    )
    add(
        "Which customers use over 1000 cubic metres a day?",
        ids(g.t("Customer", lambda r: r["use_m3_day"] > 1000)),
    )
    add("Which reservoir was cleaned longest ago?", ids(["RS-06"]))
    add(
        "Which reservoirs were last cleaned before 2024?",
        ids(g.t("Reservoir", lambda r: r["last_cleaned"] < "2024")),
    )
    add("How long is the main between High Tor and Castle Tank?", num(3400))
    add("If SRC-05 dries up, which plants have no source left?", ids(["PL-4"]))
    add(
        "Do High Tor and Fell Tank share a zone? Which?",
        yes(True, g.out("RS-01", "SUPPLIES") & g.out("RS-05", "SUPPLIES")),
    )
    add(
        "Which chemicals are bought from an Irish vendor?",
        ids(g.inn(g.t("Vendor", lambda r: r["country"] == "Ireland"), "SOLD_BY")),
    )
    add(
        "total volume of the reservoirs that Brand Works fills",
        num(g.sum(g.out("PL-3", "FILLS"), "volume_m3")),
    )
    add("which zone has the fewest inhabitants", ids(["Z-8"]))
    add("Who looks after Beacon Hill?", ids(["CR-2"]))
    return q


def dairy(g):
    q = []
    add = lambda text, gold: q.append((text, gold))
    add("Which dairies does Dovecote Farm supply?", ids(g.out("F4", "MILKS_FOR")))
    add("Who taught Ros Kerr?", ids(["M2"]))
    add(
        "Which farms share a border with Birchfold?",
        ids(g.out("F2", "BORDERS") | g.inn("F2", "BORDERS")),
    )
    add("Which farms did foot rot hit?", ids(g.out("X2", "HURTS")))
    add(
        "Which cheeses ripen for more than 100 days?",
        ids(g.t("Cheese", lambda r: r["ripening_days"] > 100)),
    )
    add("Which shop in Lund is the largest?", ids(["S5"]))
    add("how many kilos of Morning Dew does the Market Hall Stall take a week", num(90))
    add(
        "Which makers have a recipe that no shop in Harrow stocks?",
        ids(
            g.inn(
                {c for c in g.t("Cheese") if not (g.inn(c, "STOCKS") & {"S2", "S3"})}, "RECIPE_OF"
            )
        ),
    )
    add("What's the cheapest cheese?", ids(["C2"]))
    add("Which drivers work nights?", ids(g.t("Driver", lambda r: r["shift"] == "night")))
    add("Which tankers are older than 2015?", ids(g.t("Tanker", lambda r: r["built"] < 2015)))
    add("Do Klara Feld and Tom Birk share a recipe?", yes(True, ["C6"]))
    return q


for name, f in (("film", film), ("water", water), ("dairy", dairy)):
    g = G(DIRS[name])
    rows = [
        {"id": f"ph-{name}-{k:02}", "category": "phrases", "query": t, "gold": gold}
        for k, (t, gold) in enumerate(f(g), 1)
    ]
    (OUT / f"{name}_phrases.jsonl").write_text(
        "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8"
    )
    print(name, len(rows))
