"""Answers about entities that are named: values, profiles, comparisons."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tiers.cag.asking import (
    asked_in_vain,
    asks_for_profile,
    asks_for_several,
    asks_otherwise,
    other_type,
)
from tiers.cag.attributes import near_names, plain, title
from tiers.cag.changes import development
from tiers.cag.comparing import compared_values
from tiers.cag.findings import (
    Entity,
    Finding,
    Found,
    Refused,
    sentence,
    values_of,
)
from tiers.cag.histories import developed
from tiers.cag.kinds import results_of_one, results_of_several
from tiers.cag.matching import Match, match
from tiers.cag.meaning import Meanings
from tiers.cag.sheets import Sheets, kind_of
from tiers.cag.truths import judge
from tiers.cag.wording import Wording
from trivium.domain.evidence import Reason, Statement
from trivium.domain.knowledge import Fact
from trivium.domain.schema import Property
from trivium.language.text import spoken

_Known = Mapping[str, Mapping[str, Fact]]
"""Entity → attribute → fact."""


async def about_entities(
    wording: Wording, sheets: Sheets, meanings: Meanings, entities: Sequence[Entity]
) -> Finding:
    """Answer what a question asks of named entities."""
    known: dict[str, dict[str, Fact]] = {}
    attributes: dict[str, Mapping[str, Property]] = {}
    for entity in entities:
        attributes[entity.id] = await sheets.attributes(entity.type)
        known[entity.id] = _sheet(
            await sheets.facts(entity.id, entity.type) or (), attributes[entity.id]
        )
    asked = _asked(wording, entities, attributes)
    used = {i for found in asked.values() for m in found for i in m.words}
    asked_of = development(wording, used)
    if asked_of:
        histories = {
            e.id: await sheets.histories(e.id, e.type) if known[e.id] else {} for e in entities
        }
        told = developed(wording, asked_of, entities, asked, histories)
        if told:
            return told
    judged = _judged(wording, sheets, entities, known, asked, attributes)
    if judged:
        return judged
    if any(asked.values()):
        return _values(wording, entities, asked, known)
    in_vain = asked_in_vain(wording, entities)
    is_profile = asks_for_profile(wording, entities, in_vain)
    other = in_vain or asks_otherwise(wording, entities)
    if is_profile or other is None:
        return _profile(entities, known, is_asked=is_profile)
    asked = await _meant(wording, meanings, entities, known, attributes)
    if not any(asked.values()):
        return _not_in_schema(other, entities[0], attributes[entities[0].id])
    judged = _judged(wording, sheets, entities, known, asked, attributes)
    found = judged or _values(wording, entities, asked, known)
    return _told_how(found, entities, asked)


def _told_how(
    found: Finding, entities: Sequence[Entity], asked: Mapping[str, Sequence[Match]]
) -> Finding:
    """Return a finding that says which attribute was taken to be meant."""
    if isinstance(found, Refused):
        return found
    meant = {title(m.attribute): None for matches in asked.values() for m in matches}
    of = " and ".join(entity.label for entity in entities)
    return replace(found, read_as=f"the {', '.join(meant)} of {of}")


def _judged(
    wording: Wording,
    sheets: Sheets,
    entities: Sequence[Entity],
    known: _Known,
    asked: Mapping[str, tuple[Match, ...]],
    attributes: Mapping[str, Mapping[str, Property]],
) -> Found | None:
    """Answer a question whether something is so of one entity."""
    if len(entities) > 1:
        return None
    (entity,) = entities
    of_it = entity.id
    return judge(wording, sheets.schema, entity, known[of_it], asked[of_it], attributes[of_it])


async def _meant(
    wording: Wording,
    meanings: Meanings,
    entities: Sequence[Entity],
    known: _Known,
    attributes: Mapping[str, Mapping[str, Property]],
) -> dict[str, tuple[Match, ...]]:
    """Return the attribute of each entity that is meant by words that name none.

    Who asks for several things, or for what is of another type, asks for no attribute.
    """
    if other_type(wording, entities) or asks_for_several(wording):
        return {}
    spans = [e.span for e in entities]
    own = wording.own if wording.is_follow_up else wording.sentence_of(spans)
    indexes = [i for i in own if i not in wording.named]
    indexes = indexes or [i for i in wording.own if i not in wording.named]
    found: dict[str, tuple[Match, ...]] = {}
    for node_type in dict.fromkeys(entity.type for entity in entities):
        ids = [entity.id for entity in entities if entity.type == node_type]
        kinds = {name: kind_of(f.value) for e in ids for name, f in known[e].items()}
        told = {n: replace(a, kind=kinds.get(n, a.kind)) for n, a in attributes[ids[0]].items()}
        near = await meanings.nearest(wording, indexes, node_type, told)
        found |= dict.fromkeys(ids, (near,) if near else ())
    return found


def _sheet(facts: Sequence[Fact], attributes: Mapping[str, Property]) -> dict[str, Fact]:
    """Return facts by attribute, in the order in which the schema lists them."""
    places = {name: place for place, name in enumerate(attributes)}
    ordered = sorted(facts, key=lambda f: places.get(f.attribute, len(places)))
    return {fact.attribute: fact for fact in ordered}


def _asked(
    wording: Wording,
    entities: Sequence[Entity],
    attributes: Mapping[str, Mapping[str, Property]],
) -> dict[str, tuple[Match, ...]]:
    """Return what is asked of each entity: what its own sentence asks, and the surest of it."""
    found = {e.id: match(wording, e.type, attributes[e.id]) for e in entities}
    found = {e: _without_preamble(wording, matches) for e, matches in found.items()}
    if len(entities) > 1 and any(m.is_named for matches in found.values() for m in matches):
        found = {e: tuple(m for m in matches if m.is_named) for e, matches in found.items()}
    own = {e.id: tuple(m for m in found[e.id] if _is_beside(wording, e, m)) for e in entities}
    return own if any(own.values()) else found


def _without_preamble(wording: Wording, matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Leave out what is only hinted at in what is told before, where a question follows it."""
    asking = {wording.sentence_at(i) for i in wording.asking}
    asked = tuple(m for m in matches if any(wording.sentence_at(i) in asking for i in m.core))
    return tuple(m for m in matches if m.is_named or m in asked) if asked else matches


def _is_beside(wording: Wording, entity: Entity, item: Match) -> bool:
    """Whether something is asked in the sentence of an entity, or after all sentences that name."""
    place = wording.sentence_at(entity.span.first)
    last = max((wording.sentence_at(i) for i in wording.named), default=place)
    asking = {wording.sentence_at(i) for i in wording.asking}
    places = {wording.sentence_at(i) for i in item.core}
    return place in places or (place not in asking and place == last and max(places) > last)


def _values(
    wording: Wording,
    entities: Sequence[Entity],
    asked: Mapping[str, Sequence[Match]],
    known: _Known,
) -> Finding:
    facts: list[Fact] = []
    statements: list[Statement] = []
    lacking: list[str] = []
    for entity in entities:
        for item in asked[entity.id]:
            fact = known[entity.id].get(item.attribute.name)
            if fact is None:
                lacking.append(f"No {title(item.attribute)} is recorded for {entity.label}.")
                continue
            statements.append(Statement(sentence(fact, entity.label), (len(facts),)))
            facts.append(fact)
    if not facts:
        why = _lacking(entities, lacking, known)
        ids = tuple(entity.id for entity in entities)
        return Refused(reason=Reason.NOT_IN_SCHEMA, why=why, entities=ids)
    compared = compared_values(wording, entities, asked, facts)
    if len(facts) == 1 and len(entities) == 1 and not lacking:
        (item,) = asked[entities[0].id]
        result, *also = results_of_one(wording, entities[0], item, facts[0])
    else:
        is_compared = bool(compared)
        result, *also = results_of_several(wording, entities, facts, is_compared=is_compared)
    return Found(
        shape="comparison" if compared else "values",
        facts=tuple(facts),
        result=result,
        also=tuple(also),
        statements=(*compared, *statements),
        lacking=tuple(lacking),
        trace=_trace(entities, asked),
        words=frozenset(i for found in asked.values() for m in found for i in m.words),
        is_hinted=not any(m.is_named for found in asked.values() for m in found),
    )


def _lacking(entities: Sequence[Entity], lacking: Sequence[str], known: _Known) -> str:
    names = [plain(name) for name in known[entities[0].id]]
    return " ".join([*lacking, f"Known of it: {', '.join(names)}."]) if names else " ".join(lacking)


def _trace(entities: Sequence[Entity], asked: Mapping[str, Sequence[Match]]) -> dict[str, object]:
    return {
        "entities": [e.id for e in entities],
        "attributes": [
            {"name": m.attribute.name, "score": round(m.score, 3), "named": m.is_named}
            for m in {m.attribute.name: m for found in asked.values() for m in found}.values()
        ],
    }


def _profile(entities: Sequence[Entity], known: _Known, *, is_asked: bool) -> Finding:
    """Tell all that is known of the entities."""
    facts: list[Fact] = []
    statements: list[Statement] = []
    for entity in entities:
        statements.append(
            Statement(f"{entity.label} is {_article(entity.type)} {spoken(entity.type)}.")
        )
        for fact in known[entity.id].values():
            statements.append(Statement(sentence(fact, entity.label), (len(facts),)))
            facts.append(fact)
    if not facts:
        why = f"No facts are recorded for {entities[0].label}."
        return Refused(reason=Reason.NO_EVIDENCE, why=why, entities=(entities[0].id,))
    return Found(
        shape="profile",
        facts=tuple(facts),
        result=values_of(facts),
        statements=tuple(statements),
        trace=_trace(entities, {}),
        is_hinted=not is_asked,
    )


def _article(node_type: str) -> str:
    return "an" if node_type[:1].casefold() in set("aeiou") else "a"


def _not_in_schema(asked: str, entity: Entity, attributes: Mapping[str, Property]) -> Refused:
    near = ", ".join(near_names(attributes, asked))
    return Refused(
        reason=Reason.NOT_IN_SCHEMA,
        why=f"No attribute of {entity.label} answers to {asked!r}. Near ones: {near}.",
        entities=(entity.id,),
    )
