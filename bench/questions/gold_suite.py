"""What the scripts of suites over all tiers share: facts beside the graph, golds of documents, and checks.

Of a fact with a history, the latest value holds up to the day; the day is AS_OF unless one is named.
Gold of documents was read in them by hand; writing fails when its words do not stand there."""

import json

from gold_common import AS_OF, OUT, G, rank, write

N_QUESTIONS = 80


class Suite(G):
    """A data set with facts and documents."""

    def __init__(s, domain):
        s.home = OUT / "domains" / domain
        super().__init__(s.home)
        lines = (s.home / "facts.jsonl").read_text("utf-8").splitlines()
        s.facts = [json.loads(line) for line in lines]

    def the(s, name):
        """The one node of a name or alias."""
        (i,) = [i for i, r in s.n.items() if name in (r["name"], *r.get("aliases", ()))]
        return i

    def known(s, node, attribute, on=AS_OF):
        """The one value of an attribute on a day: a property, or the latest fact up to then."""
        found = [f for f in s.facts if (f["entity"], f["attribute"]) == (node, attribute)]
        assert bool(found) != (attribute in s.n[node]), (node, attribute)
        if not found:
            return s.n[node][attribute]
        return max((f for f in found if f["as_of"] <= on), key=lambda f: f["as_of"])["value"]

    def fact(s, name, *attributes, on=AS_OF):
        node = s.the(name)
        return {"values": [s.known(node, a, on) for a in attributes], "node": node}

    def pair(s, a, b, attribute):
        nodes = [s.the(a), s.the(b)]
        return {"values": [s.known(n, attribute) for n in nodes], "nodes": nodes}

    def order(s, typ, attribute, k=None, up=False):
        """The first k of a type by an attribute, best first, no two alike."""
        best = rank({n: s.known(n, attribute) for n in s.t(typ)}, up=up, k=k)["ranking"]
        assert len({v for _, v in best}) == len(best)
        return {"values": [v for _, v in best], "nodes": [n for n, _ in best], "ordered": True}

    def write(s, prefix, sets):
        """Write the questions: by the tiers asked, functions that give them, named by category."""
        found = [(t, f.__name__, *row) for t, group in sets.items() for f in group for row in f()]
        rows = [
            {"id": f"{prefix}-{k:03}", "query": q, "tiers": list(t), "category": c, "gold": gold}
            for k, (t, c, q, gold) in enumerate(found, 1)
        ]
        assert len(rows) == N_QUESTIONS
        s._check_documents(rows)
        s._check_ids(rows)
        write(f"domains/{s.home.name}/questions", rows)

    def _check_documents(s, rows):
        """Fail when the words of a gold do not stand in its document, or those to be left out do."""
        texts = {}
        for file in (s.home / "documents").glob("*.md"):
            text = file.read_text("utf-8")
            texts[text.split("id: ", 1)[1].split("\n", 1)[0]] = text
        for row in rows:
            without = row["gold"].get("not_contains", ())
            for name in row["gold"].get("docs", ()):
                assert all(w in texts[name] for w in row["gold"]["contains"]), row["id"]
                assert not any(w in texts[name] for w in without), row["id"]
                assert all(any(w in t for t in texts.values()) for w in without), row["id"]

    def _check_ids(s, rows):
        """Fail when a gold names a node that the data do not hold."""

        def names(x):
            if isinstance(x, str):
                return {x}
            parts = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
            return set().union(*map(names, parts))

        for row in rows:
            gold, both = row["gold"], row["gold"].get("compare", {})
            found = [gold[k] for k in ("node", "nodes", "ids", "path", "candidates") if k in gold]
            found += [both[k] for k in ("a", "b", "higher", "shared") if k in both]
            assert names(found) <= set(s.n), row["id"]


def doc(name, *contains, without=()):
    gold = {"docs": [f"doc-{name}"], "contains": list(contains)}
    return {**gold, "not_contains": list(without)} if without else gold
