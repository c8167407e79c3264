"""Turns mutations into the changes that they take, given what is held: all of them, or none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, assert_never, cast

from trivium.domain.knowledge import LOADER, MUTATIONS, Change, Value
from trivium.domain.mutation import (
    AddAlias,
    AddEntity,
    AddEvent,
    AddRelationship,
    ExpireRelationship,
    Mutation,
    RemoveAlias,
    RemoveEntity,
)
from trivium.domain.schema import Property, Schema
from trivium.domain.time import Moment, Validity, parse_instant
from trivium.knowledge.aliases import added, removed
from trivium.knowledge.checking import (
    Faults,
    checked_bounds,
    checked_ends,
    checked_id,
    checked_properties,
    told,
)
from trivium.knowledge.files import as_text
from trivium.knowledge.held import Held, Item
from trivium.knowledge.tables import ItemKind
from trivium.language.text import fold

_NOTHING: Final[Mapping[str, object]] = {}


def changes_for(
    mutations: Sequence[Mutation], held: Held, *, author: str, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that mutations take, each seeing those before it; all or none.

    Args:
        mutations: what is wanted, in order.
        held: what is held of the entities that they name; it is changed on the way.
        author: who wants it.
        now: when a relation ends that is expired without a date, in a home that is not frozen.

    Raises:
        InputError: some of it cannot be; with each fault.
    """
    faults = Faults()
    if author == LOADER or not author.strip():
        faults.found.append(("author", f"{author!r} is kept for loads; give a name of your own"))
    work = _Work(held, author, now, faults)
    changes: list[Change] = []
    for number, mutation in enumerate(mutations):
        faults.where = f"mutations.{number}"
        n_faults = len(faults.found)
        made = tuple(work.of(mutation))
        if len(faults.found) == n_faults:
            for change in made:
                held.take(change)
            changes += made
    faults.refuse()
    return tuple(changes)


@dataclass(frozen=True, slots=True)
class _Work:
    """Turns one mutation after the other into changes."""

    held: Held
    author: str
    now: datetime
    faults: Faults

    @property
    def schema(self) -> Schema:
        return self.held.schema

    def of(self, mutation: Mutation) -> Sequence[Change]:
        match mutation:
            case AddEntity():
                return self._add_entity(mutation)
            case RemoveEntity():
                return self._remove_entity(mutation)
            case AddRelationship():
                return self._add_relationship(mutation)
            case ExpireRelationship():
                return self._expire_relationship(mutation)
            case AddEvent():
                return self._add_event(mutation)
            case AddAlias():
                return added(mutation, self.held, self.author, self.faults)
            case RemoveAlias():
                return removed(mutation, self.held, self.author)
            case _:
                assert_never(mutation)

    def _add_entity(self, mutation: AddEntity) -> Sequence[Change]:
        key = checked_id(mutation.id, "id", self.faults)
        known = self.schema.node_types.get(mutation.type)
        if known is None:
            types = told(self.schema.node_types)
            self.faults.add("type", f"there is no type {mutation.type!r}; there are {types}")
            return ()
        before = self.held.type_of(key)
        if before not in {None, mutation.type}:
            self.faults.add("type", f"{key} is a {before}; remove it before it is something else")
        properties = self._properties(mutation, known.properties, known.name)
        payload = {
            "id": key,
            "type": known.name,
            "name": as_text(mutation.name) or key,
            "aliases": [text for alias in mutation.aliases if (text := as_text(alias))],
            "properties": properties,
            "valid_from": mutation.valid_from,
            "valid_to": mutation.valid_to,
            "acl": list(mutation.acl),
        }
        item = self.held.node(key) or Item(ItemKind.NODE, MUTATIONS, key)
        return (item.put(payload, self.author),)

    def _remove_entity(self, mutation: RemoveEntity) -> Sequence[Change]:
        key = checked_id(mutation.id, "id", self.faults)
        return (
            *(item.drop(self.author) for item in self.held.resting_on(key)),
            *(item.drop(self.author) for item in self.held.nodes(key)),
        )

    def _add_relationship(self, mutation: AddRelationship) -> Sequence[Change]:
        source = self._known(mutation.source, "source")
        target = self._known(mutation.target, "target")
        types = self.held.type_of(source), self.held.type_of(target)
        checked_ends(self.schema, mutation.type, *types, self.faults)
        known = self.schema.relation_types.get(mutation.type)
        properties = self._properties(mutation, known.properties, known.name) if known else {}
        own = None if mutation.key is None else checked_id(mutation.key, "key", self.faults)
        key = own or "|".join((source, mutation.type, target, mutation.valid_from or ""))
        payload = {
            "source": source,
            "target": target,
            "type": mutation.type,
            "properties": properties,
            "valid_from": mutation.valid_from,
            "valid_to": mutation.valid_to,
            "acl": list(mutation.acl),
        }
        alike = self.held.relations(source, mutation.type, target)
        found = next((item for item in reversed(alike) if item.key == key), None)
        item = found or Item(ItemKind.EDGE, MUTATIONS, key)
        return (item.put(payload, self.author),)

    def _expire_relationship(self, mutation: ExpireRelationship) -> Sequence[Change]:
        is_dated = checked_bounds(None, mutation.valid_to, self.faults)
        found = self._relation(mutation)
        if found is None or not is_dated:
            return ()
        payload = self.held.payload(found) or _NOTHING
        end = mutation.valid_to
        if end is None and _is_over(payload, self._moment()):
            return ()
        end = end or self._moment().text
        start = _text(payload.get("valid_from"))
        if Validity.of(start, end).is_empty:
            self.faults.add("valid_to", f"the relation begins on {start}, after {end}")
            return ()
        properties = dict(cast("Mapping[str, Value]", payload.get("properties") or {}))
        properties[_bound_name(properties, self.schema.valid_to)] = end
        return (found.put({**payload, "properties": properties, "valid_to": end}, self.author),)

    def _add_event(self, mutation: AddEvent) -> Sequence[Change]:
        node_type = mutation.type or self._event_type()
        if node_type is None:
            return ()
        known = self.schema.node_types.get(node_type)
        if known is not None and not known.is_event:
            self.faults.add("type", f"{node_type} is not a type of events")
            return ()
        risk = self.schema.risk
        if mutation.severity is not None and fold(mutation.severity) not in risk.weights:
            levels = told(risk.weights)
            self.faults.add("severity", f"{mutation.severity!r} is none of {levels}")
        given = {risk.severity_property: mutation.severity, risk.started_property: mutation.date}
        extra = {name: value for name, value in given.items() if value is not None}
        event = AddEntity(
            id=mutation.id,
            type=node_type,
            name=mutation.name,
            properties={**mutation.properties, **extra},
        )
        changes = [*self._add_entity(event)]
        for change in changes:
            self.held.take(change)
        for target in mutation.affects:
            relation = mutation.relation or self._relation_to(node_type, target)
            if relation is not None:
                changes += self._add_relationship(
                    AddRelationship(source=mutation.id, type=relation, target=target)
                )
        return changes

    def _known(self, entity: str, field_name: str) -> str:
        """Return the id of an entity that must be there."""
        key = checked_id(entity, field_name, self.faults)
        if key and self.held.node(key) is None:
            self.faults.add(field_name, f"no entity has the id {key!r}")
        return key

    def _properties(
        self, mutation: AddEntity | AddRelationship, known: Mapping[str, Property], owner: str
    ) -> dict[str, Value]:
        """Return properties with the validity among them, as a data set has them."""
        begins, ends = self.schema.valid_from, self.schema.valid_to
        given = dict(mutation.properties)
        for name in [name for name in given if name in {*begins, *ends}]:
            del given[name]
            self.faults.add(f"properties.{name}", "say it as valid_from or valid_to of the whole")
        kept = checked_properties(given, known, owner, self.faults)
        checked_bounds(mutation.valid_from, mutation.valid_to, self.faults)
        for bound, names in ((mutation.valid_from, begins), (mutation.valid_to, ends)):
            if bound is not None:
                kept[_bound_name(known, names)] = bound
        return kept

    def _relation(self, mutation: ExpireRelationship) -> Item | None:
        """Return the relation that is meant, where just one is."""
        wanted = (mutation.source, mutation.type, mutation.target)
        found: Sequence[Item] = self.held.relations(*wanted)
        if mutation.key is not None:
            found = tuple(item for item in found if item.key == mutation.key)
        if not found:
            said = f" with the key {mutation.key!r}" if mutation.key is not None else ""
            self.faults.add("type", f"there is no relation {' '.join(wanted)}{said}")
        elif len(found) > 1:
            found = self._open(found)
        if len(found) > 1:
            self.faults.add("key", f"several are alike; say which: {told([i.key for i in found])}")
        return found[0] if len(found) == 1 else None

    def _open(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return those that are not over, or all where every one is."""
        now = self._moment()
        payloads = ((item, self.held.payload(item) or _NOTHING) for item in items)
        return [item for item, payload in payloads if not _is_over(payload, now)] or items

    def _moment(self) -> Moment:
        """Return the instant that is now: of the data set, where it is frozen."""
        as_of = self.schema.as_of
        if as_of is None:
            return Moment.of(self.now)
        day = Moment.of(as_of)
        return day if day.start == day.end else Moment.of(f"{day.day}T00:00:00+00:00")

    def _event_type(self) -> str | None:
        """Return the type of events, where the schema has just one."""
        types = [name for name, known in self.schema.node_types.items() if known.is_event]
        if len(types) != 1:
            self.faults.add("type", f"say which type of event it is; there are {told(types)}")
        return types[0] if len(types) == 1 else None

    def _relation_to(self, event_type: str, target: str) -> str | None:
        """Return the relation from an event to what it affects, where just one fits."""
        target_type = self.held.type_of(target)
        pair = (event_type, target_type)
        fit = [name for name, r in self.schema.relation_types.items() if pair in r.ends]
        if target_type is None:
            self.faults.add("affects", f"no entity has the id {target!r}")
        elif len(fit) != 1:
            fits = f"from {event_type} to {target_type} there are {told(fit)}"
            self.faults.add("relation", f"say which relation it is; {fits}")
        return fit[0] if target_type is not None and len(fit) == 1 else None


def _bound_name(known: Iterable[str], names: Sequence[str]) -> str:
    """Return under which name a bound of validity stands among properties."""
    there = set(known)
    return next((name for name in names if name in there), names[0])


def _is_over(payload: Mapping[str, object], moment: Moment) -> bool:
    end = _text(payload.get("valid_to"))
    return end is not None and parse_instant(end, ends=True) <= moment.start


def _text(value: object) -> str | None:
    return None if value is None else str(value)
