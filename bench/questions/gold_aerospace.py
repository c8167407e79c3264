"""What the scripts that compute gold over the aerospace graph share: its files as a graph to look at, chains, and writing.

A relation is valid when effective_date <= day <= expired_date (inclusive, null unbounded); the day is 2024-12-01 unless one is named."""

import json, pathlib

import gold_common
from gold_common import G

AS_OF = gold_common.AS_OF = "2024-12-01"
DATA = pathlib.Path(__file__).resolve().parents[2] / "examples" / "aerospace"


def lines(name):
    return map(json.loads, (DATA / name).read_text().splitlines())


class A(G):
    """The aerospace files in the form that G reads: AS_OF is passed by hand, for G's defaults are another day's."""

    def __init__(s, day=AS_OF, nodes=None, edges=None):
        s.all = {r["id"]: r for r in lines("nodes.jsonl")}
        s.n = (
            nodes
            if nodes is not None
            else {i: r for i, r in s.all.items() if not r.get("expired_date")}
        )
        s.e = edges if edges is not None else list(lines("edges.jsonl"))

    def valid(s, rel=None, on=AS_OF):
        on = AS_OF if on == "2026-08-01" else on  # G's own default day
        return [
            e
            for e in s.e
            if (rel is None or e["type"] == rel)
            and (on is None or (e["effective_date"] <= on <= (e["expired_date"] or "9999")))
        ]

    # the layers
    def parts_of_sup(s, x, on=AS_OF):
        return s.out(x, "SUPPLIES", on)

    def plants_of_part(s, x, on=AS_OF):
        return s.inn(x, "USES", on)

    def prods_of_plant(s, x, on=AS_OF):
        return s.out(x, "PRODUCES", on)

    def cust(s, x, on=AS_OF):
        return s.out(x, "DELIVERS_TO", on)

    def down(s, sup, on=AS_OF):
        c = s.out(sup, "SUPPLIES", on)
        f = s.inn(c, "USES", on)
        p = s.out(f, "PRODUCES", on)
        return c, f, p, s.out(p, "DELIVERS_TO", on)

    def up(s, prd, on=AS_OF):
        f = s.inn(prd, "PRODUCES", on)
        c = s.out(f, "USES", on)
        return f, c, s.inn(c, "SUPPLIES", on)

    def open_on(s, day=AS_OF):
        if day == AS_OF:
            return {i for i in s.t("RiskEvent") if s.n[i]["status"] == "active"}
        return {
            i for i in s.t("RiskEvent") if s.n[i]["date"] <= day <= (s.n[i]["ended_date"] or "9999")
        }

    def score(s, prd, day=AS_OF, only=None, without=(), sev={}):
        W = dict(critical=1.0, high=0.7, medium=0.4, low=0.1)
        op = s.open_on(day)
        return sum(
            W[sev.get(ev, s.n[ev]["severity"])] * 0.35
            for c in s.up(prd, day)[1]
            for sup in s.inn(c, "SUPPLIES", day)
            for ev in s.inn(sup, "AFFECTS", day)
            if ev in op and ev not in without and (only is None or ev == only)
        )

    def far(s, a, cut=()):
        adj, d, todo = s.adj(), {a: 0}, [a]
        for x in todo:
            for y in adj[x] - set(cut):
                if y not in d:
                    d[y] = d[x] + 1
                    todo.append(y)
        return d


def units(g, products):
    """How many of some products are on order."""
    return sum(e["order_qty"] for e in g.valid("DELIVERS_TO") if e["source"] in products)


def chains(g, *layers):
    """All the paths along given steps: layers = start set, (relation, back?) ..., last filter set."""
    start, *steps, last = layers
    ps = [[x] for x in sorted(start)]
    for rel, back in steps:
        ps = [p + [y] for p in ps for y in sorted((g.inn if back else g.out)(p[-1], rel))]
    return sorted(p for p in ps if p[-1] in last)


CHAIN = [("SUPPLIES", False), ("USES", True), ("PRODUCES", False)]
