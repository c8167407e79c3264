"""Measures the plain grammar of questions: ``python -m bench.grammar [--show FORM]``.

Each relation of each data set is asked about in the forms that English has for it (active, passive,
progressive, past on a day, negated, counted, whether), from both ends, with its own verb.
Gold comes from the graph. No form is about one domain; a form that fails in many is a hole in the
reader, where a question that somebody wrote shows one at a time.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench import forms
from bench.reading import Domain
from bench.sets import SETS
from tiers.graphrag.view import Scope
from trivium.domain.schema import RelationType
from trivium.domain.time import Moment
from trivium.language.text import spoken

_PARTICLES: Final = frozenset({"by", "to", "in", "at", "on", "of", "for", "with", "after", "from"})
_PARTICIPLES: Final = {
    "make": "made", "teach": "taught", "hold": "held", "build": "built", "buy": "bought",
    "sell": "sold", "run": "run", "feed": "fed", "lead": "led", "send": "sent", "take": "taken",
    "keep": "kept", "pay": "paid", "know": "known", "ride": "ridden", "write": "written",
    "read": "read", "bring": "brought", "draw": "drawn", "strike": "struck", "grow": "grown",
}  # fmt: skip
_PER_RELATION: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of a form, and what is right."""

    form: str
    text: str
    gold: Mapping[str, object]


def words_of(relation: RelationType) -> dict[str, str]:
    """Return the forms of a relation's verb; none where its name begins with no verb."""
    first, *rest = spoken(relation.name).split()
    if not first.endswith("s") or first.endswith("ss") or (rest and rest[-1] not in _PARTICLES):
        return {}
    bare = f"{first[:-3]}y" if first.endswith("ies") else first[:-1]
    bare = bare.removesuffix("e") if bare.endswith(("she", "che", "xe", "sse")) else bare
    tail = "".join(f" {word}" for word in rest)
    stem = bare.removesuffix("e")
    is_short = (
        len(bare) <= 4 and bare[-1] in "npt" and bare[-2] in "aeiou" and bare[-3] not in "aeiou"
    )
    doubled = stem + stem[-1] if is_short else stem
    past = f"{bare[:-1]}ied" if bare.endswith("y") and bare[-2] not in "aeiou" else f"{doubled}ed"
    participle = _PARTICIPLES.get(bare, past)
    return {
        "v": bare + tail, "vs": first + tail, "ving": f"{doubled}ing{tail}",
        "pp": participle + tail, "ved": participle + tail,
    }  # fmt: skip


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def questions(domain: Domain, rng: random.Random) -> Iterator[Asked]:
    """Give the questions about a data set's relations."""
    schema = domain.lexicon.schema
    today = Moment.of(schema.as_of or "2026-08-01")
    for relation in schema.relation_types.values():
        verb = words_of(relation)
        own = len(relation.ends) == 1 and relation.ends[0][0] != relation.ends[0][1]
        if not verb or not own or "ved" not in verb:
            continue
        source, target = relation.ends[0]
        nouns = {
            "T": spoken(target),
            "S": spoken(source),
            "Ss": _plural(spoken(source)),
            "Ts": _plural(spoken(target)),
        }
        for _ in range(_PER_RELATION):
            past = Moment.of(f"{int(today.day[:4]) - 1}-06-15")
            for said, is_source in ((forms.SOURCE_ASKED, True), (forms.TARGET_ASKED, False)):
                yield from _sets(
                    domain, relation, said, verb | nouns, (today, past), rng, is_source=is_source
                )
            for said, is_source in ((forms.NOT_SOURCE, True), (forms.NOT_TARGET, False)):
                yield from _sets(
                    domain, relation, said, verb | nouns, (today, past), rng,
                    is_source=is_source, is_not=True,
                )  # fmt: skip
            for form, (text, is_source) in forms.COUNTED.items():
                for one in _sets(
                    domain, relation, {form: text}, verb | nouns, (today, past), rng,
                    is_source=is_source,
                ):  # fmt: skip
                    yield Asked(form=form, text=one.text, gold={"number": len(one.gold["ids"])})  # type: ignore[arg-type]  # a list
            yield from _nested(domain, relation, verb | nouns, (today, past), rng)
        scope = Scope(view=domain.graph, schema=schema, moment=today)
        yield from _counts(scope, relation, verb | nouns)
        yield from _whether(domain, relation, verb, (today, past), rng)


def _degrees(scope: Scope, relation: RelationType, *, outgoing: bool) -> dict[str, int]:
    own = relation.ends[0][0 if outgoing else 1]
    found = {}
    for node in scope.active(own):
        edges = scope.edges(node.id, relation.name, outgoing=outgoing)
        found[node.id] = len({e.target if outgoing else e.source for e in edges})
    return found


def _counts(scope: Scope, relation: RelationType, words: Mapping[str, str]) -> Iterator[Asked]:
    for said, outgoing in ((forms.COUNTS, True), (forms.COUNTS_BACK, False)):
        degrees = _degrees(scope, relation, outgoing=outgoing)
        for form, (text, holds) in said.items():
            ids = sorted(i for i, n in degrees.items() if holds(n))
            yield Asked(form=form, text=text.format(**words), gold={"ids": ids})
    degrees = _degrees(scope, relation, outgoing=True)
    for form, (text, pick) in forms.LEADING.items():
        if degrees:
            end = pick(degrees.values())
            ids = sorted(i for i, n in degrees.items() if n == end)
            yield Asked(form=form, text=text.format(**words), gold={"ids": ids})


def _whether(
    domain: Domain,
    relation: RelationType,
    words: Mapping[str, str],
    moments: tuple[Moment, Moment],
    rng: random.Random,
) -> Iterator[Asked]:
    source, target = relation.ends[0]
    for form, text in forms.WHETHER.items():
        moment = moments[1] if "{D}" in text else moments[0]
        scope = Scope(view=domain.graph, schema=domain.lexicon.schema, moment=moment)
        joined = [
            e for n in scope.active(source) for e in scope.edges(n.id, relation.name, outgoing=True)
        ]
        if not joined:
            continue
        edge = rng.choice(joined)
        others = [n.id for n in scope.active(target)]
        other = edge.target if rng.random() < 0.5 else rng.choice(others)
        is_so = any(e.source == edge.source and e.target == other for e in joined)
        a, b = domain.graph.node(edge.source), domain.graph.node(other)
        assert a is not None
        assert b is not None
        said = text.format(**words, Y=a.name, X=b.name, D=moment.text)
        yield Asked(form=form, text=said, gold={"bool": is_so})


def _nested(
    domain: Domain,
    relation: RelationType,
    words: Mapping[str, str],
    moments: tuple[Moment, Moment],
    rng: random.Random,
) -> Iterator[Asked]:
    """Give questions about what a relation joins to something that a second one describes."""
    source, target = relation.ends[0]
    for inner, (text, is_source) in forms.INNER.items():
        second = [
            (r, ends)
            for r in domain.lexicon.schema.relation_types.values()
            for ends in r.ends[:1]
            if r is not relation
            and ends[0 if is_source else 1] == target
            and ends[0] != ends[1]
            and words_of(r)
        ]
        if not second:
            continue
        other, ends = rng.choice(second)
        named = ends[1 if is_source else 0]
        for form in rng.sample(sorted(forms.NESTED), 3):
            moment = moments[1] if "{D}" in forms.NESTED[form] else moments[0]
            scope = Scope(view=domain.graph, schema=domain.lexicon.schema, moment=moment)
            found = {
                n.id: {
                    e.source if is_source else e.target
                    for e in scope.edges(n.id, other.name, outgoing=not is_source)
                }
                for n in scope.active(named)
            }
            fit = [i for i, middle in found.items() if middle]
            if not fit:
                continue
            chosen = rng.choice(fit)
            node = domain.graph.node(chosen)
            assert node is not None
            middle = found[chosen]
            ids = {e.source for m in middle for e in scope.edges(m, relation.name, outgoing=False)}
            if "don't" in form:
                ids = {n.id for n in scope.active(source)} - ids
            described = text.format(**words_of(other), Ts=words["Ts"], Z=node.name)
            said = forms.NESTED[form].format(**words, N=described, D=moment.text)
            gold: Mapping[str, object] = {"ids": sorted(ids)}
            if "how many" in form:
                gold = {"number": len(ids)}
            yield Asked(form=f"{form} | {inner}", text=said, gold=gold)


def _sets(  # noqa: PLR0913  # what a question is made of
    domain: Domain,
    relation: RelationType,
    said: Mapping[str, str],
    words: Mapping[str, str],
    moments: tuple[Moment, Moment],
    rng: random.Random,
    *,
    is_source: bool,
    is_not: bool = False,
) -> Iterator[Asked]:
    source, target = relation.ends[0]
    asked, named = (source, target) if is_source else (target, source)
    for form, text in said.items():
        moment = moments[1] if "{D}" in text else moments[0]
        scope = Scope(view=domain.graph, schema=domain.lexicon.schema, moment=moment)
        entities = [n for n in domain.graph.nodes(named) if scope.holds(n)]
        found: dict[str, list[str]] = {}
        for entity in entities:
            edges = scope.edges(entity.id, relation.name, outgoing=not is_source)
            found[entity.id] = sorted({e.source if is_source else e.target for e in edges})
        fit = [n for n in entities if found[n.id]] or entities
        if not fit or (asked == named):
            continue
        node = rng.choice(fit)
        ids = found[node.id]
        if is_not:
            ids = sorted({n.id for n in scope.active(asked)} - set(ids))
        asking = text.format(**words, X=node.name, Y=node.name, D=moment.text)
        yield Asked(form=form, text=asking, gold={"ids": ids})


def main() -> None:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", help="print the questions of a form, or all, that went wrong")
    options = parser.parse_args()
    rng = random.Random(0)
    tally: dict[str, list[bool]] = defaultdict(list)
    for directory in dict.fromkeys(named.partition("=")[2].partition(":")[0] for named in SETS):
        domain = Domain.load(Path(directory))
        for asked in questions(domain, rng):
            outcome = domain.answer({"id": "", "query": asked.text, "gold": asked.gold})
            tally[asked.form].append(outcome.right)
            if options.show in {asked.form, "all"} and not outcome.right:
                print(f"{asked.form} | {asked.text}\n    gold {asked.gold}")
                print(f"    got {outcome.result} {outcome.why}\n    {outcome.understood[:160]}")
    for form, right in sorted(tally.items(), key=lambda item: sum(item[1]) / len(item[1])):
        print(f"{form:32s} {sum(right):4d} / {len(right):<4d} {sum(right) / len(right):6.1%}")
    for name in [*forms.NESTED, *forms.INNER]:
        own = [
            r for f, right in tally.items() if name in f.split(" | ") and " | " in f for r in right
        ]
        print(f"… {name:30s} {sum(own):4d} / {len(own):<4d} {sum(own) / max(1, len(own)):6.1%}")
    every = [is_right for right in tally.values() for is_right in right]
    print(f"{'all':32s} {sum(every):4d} / {len(every):<4d} {sum(every) / len(every):6.1%}")


if __name__ == "__main__":
    main()
