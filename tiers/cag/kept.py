"""What the store keeps of an entity: its type, and its facts as rows; edited, and ranked."""

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from trivium.domain.knowledge import Fact
from trivium.domain.payloads import earlier_rows, with_earlier


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """All that is kept of one entity."""

    type: str | None
    facts: dict[str, Fact]


AllKept: TypeAlias = Mapping[str, Kept]
Ranks: TypeAlias = Mapping[tuple[str, str], dict[bytes, float]]
"""By type and attribute: each member's number."""


def edited(
    kept: AllKept,
    puts: Sequence[Fact],
    drops: Sequence[tuple[str, str]],
    dropped_entities: Sequence[str],
    types: Mapping[str, str],
) -> dict[str, Kept]:
    """Return what is kept after a batch; see ``RedisStore.apply``."""
    held = dict(kept) | dict.fromkeys(dropped_entities, Kept(type=None, facts={}))
    after = {
        entity: Kept(type=types.get(entity, one.type), facts=dict(one.facts))
        for entity, one in held.items()
    }
    for entity, attribute in drops:
        after[entity].facts.pop(attribute, None)
    for fact in puts:
        after[fact.entity].facts[fact.attribute] = fact
    return after


def ranks_of(kept: AllKept) -> Ranks:
    """Return what ranks: the finite numbers of entities with a type; booleans are none."""
    ranks: defaultdict[tuple[str, str], dict[bytes, float]] = defaultdict(dict)
    for entity, one in kept.items():
        for attribute, fact in one.facts.items():
            value = fact.value
            if one.type is None or isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if abs(value) <= sys.float_info.max:  # so it is finite, and as a float too
                ranks[one.type, attribute][to_bytes(entity)] = float(value)
    return ranks


def row_of(fact: Fact) -> list[object]:
    """Return value, unit, date, source and version, then the earlier versions, where it has any."""
    row: list[object] = [fact.value, fact.unit, fact.as_of, fact.source, fact.version]
    return [*row, earlier_rows(fact)] if fact.earlier else row


def fact_of(entity: str, attribute: str, row: Sequence[Any]) -> Fact:  # Any: JSON, our own form
    """Return the fact that ``row_of`` made the row of."""
    value, unit, as_of, source, version, *earlier = row
    fact = Fact(
        entity=entity,
        attribute=attribute,
        value=value,
        unit=unit,
        as_of=as_of,
        source=source,
        version=version,
    )
    return with_earlier(fact, earlier[0] if earlier else ())


def packed(fact: Fact) -> str:
    """Return a fact as it is kept under its entity and attribute."""
    return json.dumps(row_of(fact), separators=(",", ":"))


def unpacked(entity: str, stored: Mapping[bytes | str, bytes | str]) -> tuple[Fact, ...]:
    """Return the facts of one hash, in the order of the attributes' names."""
    rows = sorted((to_text(attribute), json.loads(row)) for attribute, row in stored.items())
    return tuple(fact_of(entity, attribute, row) for attribute, row in rows)


def to_bytes(text: str) -> bytes:
    """Return a text as Redis keeps it."""
    return text.encode("utf-8", "surrogatepass")  # ids come from JSON, which allows lone surrogates


def to_text(stored: bytes | str) -> str:
    """Return what ``to_bytes`` took."""
    assert isinstance(stored, bytes)  # a str only with decode_responses
    return stored.decode("utf-8", "surrogatepass")
