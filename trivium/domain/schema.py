"""What a domain can hold: its types, relations and properties, as its data set describes them."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum


class PropertyKind(StrEnum):
    """What the values of a property are."""

    TEXT = "text"
    CATEGORY = "category"
    """Few distinct texts, each shared by several entities."""
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"


class Effect(StrEnum):
    """The direction in which a fault at one end of a relation is felt at the other."""

    FORWARD = "forward"
    """The target feels it: a supplier's fault reaches what it supplies."""
    BACKWARD = "backward"
    """The source feels it: the fault of a used part reaches its user."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One property of a type or of a relation."""

    name: str
    description: str = ""
    kind: PropertyKind = PropertyKind.TEXT
    values: tuple[str, ...] = ()
    """The values of a category, sorted."""
    unit: str | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeType:
    """One type of entity."""

    name: str
    description: str = ""
    properties: Mapping[str, Property] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    """Other words for it."""
    is_event: bool = False
    """Whether its entities disturb others: they have a severity and may be open or over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationType:
    """One type of relation."""

    name: str
    ends: tuple[tuple[str, str], ...]
    """The ``(source type, target type)`` pairs that it joins."""
    description: str = ""
    properties: Mapping[str, Property] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    effect: Effect = Effect.FORWARD

    def joins(self, node_type: str) -> bool:
        """Whether entities of a type stand at one of its ends."""
        return any(node_type in pair for pair in self.ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskModel:
    """How risk spreads in a domain.

    Source: the paper's Eq. (1), whose figures are the defaults.
    """

    severity_property: str = "severity"
    weights: Mapping[str, float] = field(
        default_factory=lambda: {"critical": 1.0, "high": 0.7, "medium": 0.4, "low": 0.1}
    )
    decay: tuple[float, ...] = (1.0, 0.6, 0.35, 0.2)
    """Weight by number of hops between the scored entity and the disturbed one, from 1."""
    status_property: str = "status"
    open_values: tuple[str, ...] = ("active", "open", "running", "ongoing")
    started_property: str = "date"
    ended_property: str = "ended_date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A domain: what its data set says of it, completed from the data."""

    name: str = "data"
    as_of: str | None = None
    """``now`` for a data set that is frozen, as an ISO date or date-time."""
    node_types: Mapping[str, NodeType] = field(default_factory=dict)
    relation_types: Mapping[str, RelationType] = field(default_factory=dict)
    valid_from: tuple[str, ...] = ("valid_from", "effective_date")
    """Names of the property that begins validity, the first present one counts."""
    valid_to: tuple[str, ...] = ("valid_to", "expired_date")
    risk: RiskModel = field(default_factory=RiskModel)

    def owners(self) -> Iterator[NodeType | RelationType]:
        """Give all that may have properties: every type, then every relation."""
        yield from self.node_types.values()
        yield from self.relation_types.values()

    def owner(self, name: str) -> NodeType | RelationType | None:
        """Return the type or the relation of that name."""
        return self.node_types.get(name) or self.relation_types.get(name)

    def relations_between(self, types: AbstractSet[str]) -> list[RelationType]:
        """Return the relations that join two types, or one type with itself."""
        return [r for r in self.relation_types.values() if any(set(e) == types for e in r.ends)]

    def triples(self) -> Iterator[tuple[str, RelationType, str]]:
        """Give every ``(source type, relation type, target type)``."""
        for relation in self.relation_types.values():
            for source, target in relation.ends:
                yield source, relation, target
