"""How facts lie in the store beside those that people see, and how they are read back.

Each entity has its sheet of facts, and a hidden twin that says what a sheet cannot: its type, its
data set, when it holds, who may see it, and what its own node says where an explicit fact has
taken the place. A hidden sheet for each type lists the attributes that explicit facts have
brought, and one more says as of when each data set is. Hidden names begin with NUL; what comes
with such a name from outside is not kept.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from tiers.cag.versions import Then
from trivium.domain.knowledge import Fact, Value
from trivium.domain.question import Mention, Understood
from trivium.domain.schema import NodeType, Property, PropertyKind, RelationType, Schema
from trivium.domain.time import Moment

_HIDDEN: Final = "\0"
_TWIN: Final = f"{_HIDDEN}twin:"
_ATTRIBUTES: Final = f"{_HIDDEN}attributes:"
DATA_SETS: Final = f"{_HIDDEN}data sets"
"""Sheet: data set → as of when it is."""
TYPE: Final = "type"
DATA_SET: Final = "data set"
MEMBER: Final = "member"
"""1, so that the store's rankings list the entities of a type."""
SINCE: Final = "since"
UNTIL: Final = "until"
ACL: Final = "acl"
RESTRICTED: Final = "restricted"
EARLIER: Final = "earlier"
"""What other data sets say of the entity, in their order, where several do; as JSON."""
OWN: Final = "own:"
"""Before the name of an attribute that has an explicit fact: what the node itself says."""
SAID: Final = "said:"
"""Before the name of an attribute that has explicit facts: who says which, in order; as JSON."""
PUBLIC: Final = "*"
MAX_SCANNED: Final = 2_000
"""Entities of a type that one question may look at one by one."""
_AT_ONCE: Final = 100


class FactReader(Protocol):
    """What answering needs of the fact store; each raises ``DependencyError``."""

    async def sheets(self, entities: Sequence[str]) -> tuple[tuple[Fact, ...], ...]:
        """Return what is known of each of some entities, in the order of the attributes' names."""
        ...

    async def ranking(
        self, node_type: str, attribute: str, *, limit: int | None = None, ascending: bool = False
    ) -> tuple[tuple[str, float], ...]:
        """Return the entities of a type with their number; see ``RedisStore.ranking``."""
        ...


def is_hidden(name: str) -> bool:
    """Whether a name is one of those kept for hidden sheets."""
    return name.startswith(_HIDDEN)


def twin(name: str) -> str:
    """Return the name of the twin of an entity; of a type, the type of its entities' twins."""
    return _TWIN + name


def attribute_sheet(node_type: str) -> str:
    """Return the name of the sheet that lists what explicit facts say of a type."""
    return _ATTRIBUTES + node_type


def kind_of(value: Value) -> PropertyKind:
    """Return the kind of attribute that a value bespeaks."""
    if isinstance(value, bool):
        return PropertyKind.BOOLEAN
    if isinstance(value, int | float):
        return PropertyKind.NUMBER
    text = str(value)
    is_date = len(text) >= 10 and text[4:8:3] == "--" and text[:4].isdigit()
    return PropertyKind.DATE if is_date else PropertyKind.TEXT


class Sheets:
    """The facts that the asker of one question may see."""

    def __init__(self, reader: FactReader, schema: Schema, question: Understood) -> None:
        self._reader = reader
        self.schema = schema
        self._moment: Moment = question.moment
        self._principal = question.question.principal
        self._then = Then.of(question)
        self._now = Then.of_now(question)
        self._known: dict[str, tuple[Fact, ...]] = {}
        """What was read for this question, by entity or hidden name."""

    async def foresee(self, mentions: Sequence[Mention]) -> None:
        """Read in one go what will be wanted of the entities that are most likely meant."""
        likely = [c for m in mentions for c in m.best if not is_hidden(c.id)][:_AT_ONCE]
        types = (attribute_sheet(c.type) for c in likely)
        twins = (twin(c.id) for c in likely)
        meant = (c.id for m in mentions if not m.is_ambiguous for c in m.best)
        names = (*types, *twins, *(entity for entity in meant if not is_hidden(entity)))
        await self._read([*dict.fromkeys(names)][: 3 * _AT_ONCE])

    async def facts(self, entity: str, node_type: str) -> tuple[Fact, ...] | None:
        """Return the facts of an entity, its node's before others; ``None``: not for the asker."""
        if is_hidden(entity):
            return None
        await self._read([twin(entity), entity])
        if not await self._may_see(entity):
            return None
        (known,) = await self._sheets([entity], node_type)
        facts = self._then.versions(known)
        return tuple(sorted(facts, key=lambda fact: fact.source != f"node {entity}"))

    async def may_see(self, entity: str) -> bool:
        """Whether an entity is for the asker."""
        return not is_hidden(entity) and await self._may_see(entity)

    async def histories(self, entity: str, node_type: str) -> dict[str, tuple[Fact, ...]]:
        """Return all that was ever said of an entity up to now, by attribute, the oldest first.

        ``facts`` tells whether the asker may see it.
        """
        (facts,) = await self._sheets([entity], node_type)
        return {f.attribute: said for f in facts if (said := self._now.all_of(f))}

    async def many(self, entities: Sequence[str], node_type: str) -> dict[str, tuple[Fact, ...]]:
        """Return the facts of each of some entities that the asker may see."""
        found: dict[str, tuple[Fact, ...]] = {}
        for start in range(0, len(entities), _AT_ONCE):
            part = entities[start : start + _AT_ONCE]
            sheets = await self._sheets(part, node_type)
            found.update(zip(part, map(self._then.versions, sheets), strict=True))
        return found

    async def _read(self, names: Sequence[str]) -> tuple[tuple[Fact, ...], ...]:
        """Return what is known under some names, each read once for a question."""
        if unread := [name for name in names if name not in self._known]:
            self._known.update(zip(unread, await self._reader.sheets(unread), strict=True))
        return tuple(self._known[name] for name in names)

    async def scan(self, node_type: str) -> dict[str, tuple[Fact, ...]] | None:
        """Return the facts of all that ``members`` gives; ``None`` where they are too many."""
        members = await self.members(node_type)
        return await self.many(members, node_type) if len(members) <= MAX_SCANNED else None

    async def members(self, node_type: str) -> tuple[str, ...]:
        """Return the entities of a type that hold at the question's moment, in order."""
        twins = await self._reader.ranking(twin(node_type), MEMBER)
        out = await self._out_of_sight(node_type)
        return tuple(sorted(key.removeprefix(_TWIN) for key, _ in twins if key not in out))

    async def ranking(
        self, node_type: str, attribute: str, *, limit: int | None, ascending: bool
    ) -> tuple[tuple[str, float], ...]:
        """Return a kept ranking, without what is out of sight; see ``FactReader``.

        Of a time gone by, it is made anew from the values that held then.
        """
        out, is_then = await self._out_of_sight(node_type), self._then.is_told
        pairs = await self._reader.ranking(
            node_type, attribute, limit=None if out or is_then else limit, ascending=ascending
        )
        seen = [pair for pair in pairs if twin(pair[0]) not in out]
        if is_then and len(seen) <= MAX_SCANNED:
            known = await self.many([entity for entity, _ in seen], node_type)
            seen = _ranked(known, attribute, ascending=ascending)
        return cut(seen, limit)

    async def attributes(self, node_type: str) -> Mapping[str, Property]:
        """Return the attributes of a type: the schema's, then those that facts have brought."""
        entry = self.schema.node_types.get(node_type)
        found = dict(entry.properties) if entry else {}
        (brought,) = await self._read([attribute_sheet(node_type)])
        for fact in brought:
            if fact.attribute not in found:
                found[fact.attribute] = self._brought(fact)
        return found

    def _brought(self, fact: Fact) -> Property:
        """Return an attribute of facts, with what the schema says of its name elsewhere."""
        owners: list[NodeType | RelationType] = [*self.schema.node_types.values()]
        owners += self.schema.relation_types.values()
        alike = (o.properties[fact.attribute] for o in owners if fact.attribute in o.properties)
        like = next(alike, Property(name=fact.attribute))
        return replace(like, kind=PropertyKind(str(fact.value)), unit=fact.unit, values=())

    async def _sheets(
        self, entities: Sequence[str], node_type: str
    ) -> tuple[tuple[Fact, ...], ...]:
        """Return the facts of entities as kept, each number in the unit that the schema tells."""
        entry = self.schema.node_types.get(node_type)
        found = await self._read(entities)
        if entry is None:
            return found
        return tuple(tuple(_in_unit(f, entry.properties) for f in facts) for facts in found)

    async def _may_see(self, entity: str) -> bool:
        (told,) = await self._read([twin(entity)])
        for fact in told:
            if fact.attribute == ACL:
                allowed = json.loads(str(fact.value))
                return PUBLIC in allowed or self._principal in allowed
        return True

    async def _out_of_sight(self, node_type: str) -> frozenset[str]:
        """Return the twins of those that are not for the asker, or do not hold at the moment."""
        kind, start, end = twin(node_type), self._moment.start, self._moment.end
        restricted = await self._reader.ranking(kind, RESTRICTED)
        out = {k for k, _ in restricted if not await self._may_see(k.removeprefix(_TWIN))}
        out |= {k for k, until in await self._reader.ranking(kind, UNTIL) if until <= start}
        begun = max(end, start + 1)
        out |= {k for k, since in await self._reader.ranking(kind, SINCE) if since >= begun}
        return frozenset(out)


def _in_unit(fact: Fact, properties: Mapping[str, Property]) -> Fact:
    """Return a fact with the unit that the schema tells, where it tells none or less itself.

    Of a node's own number, the schema may tell that it counts thousands of the unit in its name.
    """
    told = properties[fact.attribute].unit if fact.attribute in properties else None
    if told is None or told == fact.unit or kind_of(fact.value) is not PropertyKind.NUMBER:
        return fact
    if fact.unit is not None and fact.source != f"node {fact.entity}":
        return fact
    earlier = tuple(replace(before, unit=before.unit or told) for before in fact.earlier)
    return replace(fact, unit=told, earlier=earlier)


def _ranked(
    known: Mapping[str, Sequence[Fact]], attribute: str, *, ascending: bool
) -> list[tuple[str, float]]:
    """Return entities with the number that each has, in order."""
    pairs = [
        (entity, float(fact.value))
        for entity, facts in known.items()
        for fact in facts
        if fact.attribute == attribute and isinstance(fact.value, int | float)
    ]
    sign = 1 if ascending else -1
    return sorted(pairs, key=lambda pair: (sign * pair[1], pair[0]))


def cut(pairs: Sequence[tuple[str, float]], limit: int | None) -> tuple[tuple[str, float], ...]:
    """Return the first ``limit`` pairs and those that tie with the last of them.

    >>> cut([("a", 3), ("b", 2), ("c", 2), ("d", 1)], 2)
    (('a', 3), ('b', 2), ('c', 2))
    """
    if limit is None or limit >= len(pairs):
        return tuple(pairs)
    if limit <= 0:
        return ()
    last = pairs[limit - 1][1]
    return tuple(p for n, p in enumerate(pairs) if n < limit or p[1] == last)
