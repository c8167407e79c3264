"""What requests to change the knowledge hold, checked and turned into the domain's types."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from trivium.app.meanings import MeaningRequest, Name, Words
from trivium.domain import mutation
from trivium.domain.alias import Meaning
from trivium.domain.knowledge import ChangeKind
from trivium.domain.mutation import Mutation
from trivium.knowledge.changelog import ChangeFilter

Author: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
MAX_SEQUENCE: Final = 2**62
_AUTHOR: Final = "admin"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, ser_json_inf_nan="constants")


class _Dated(_Model):
    properties: dict[str, object] = Field(default_factory=dict)
    valid_from: str | None = None
    valid_to: str | None = Field(None, description="The last day, or the first instant after.")
    acl: tuple[str, ...] = ()


class AddEntityRequest(_Dated):
    """Put an entity, whole: what it was before is replaced."""

    op: Literal["add_entity"]
    id: Name
    type: Name
    name: str | None = None
    aliases: tuple[str, ...] = ()


class RemoveEntityRequest(_Model):
    """Drop an entity with its relations and facts."""

    op: Literal["remove_entity"]
    id: Name


class AddRelationshipRequest(_Dated):
    """Put a relation; the one of the same ends, type and beginning is replaced."""

    op: Literal["add_relationship"]
    source: Name
    type: Name
    target: Name
    key: Name | None = Field(None, description="Tells parallel relations apart.")


class ExpireRelationshipRequest(_Model):
    """End a relation; it stays for questions about its time."""

    op: Literal["expire_relationship"]
    source: Name
    type: Name
    target: Name
    key: Name | None = None
    valid_to: str | None = Field(None, description="Now, when it is not said.")


class AddEventRequest(_Model):
    """Put an event and its relations to what it affects."""

    op: Literal["add_event", "add_risk_event"]
    id: Name
    type: Name | None = Field(None, description="Needed where there are several types of events.")
    name: str | None = None
    severity: str | None = None
    date: str | None = None
    properties: dict[str, object] = Field(default_factory=dict)
    affects: tuple[Name, ...] = ()
    relation: Name | None = Field(None, description="Needed where several relations fit.")


class AddAliasRequest(MeaningRequest):
    """Learn words for an entity, a type, a relation or a property."""

    op: Literal["add_alias"]
    words: Words


class RemoveAliasRequest(MeaningRequest):
    """Forget words that were learned."""

    op: Literal["remove_alias"]
    words: Words


MutationRequest: TypeAlias = Annotated[
    AddEntityRequest
    | RemoveEntityRequest
    | AddRelationshipRequest
    | ExpireRelationshipRequest
    | AddEventRequest
    | AddAliasRequest
    | RemoveAliasRequest,
    Field(discriminator="op"),
]


def _add_alias(words: str, **means: object) -> Mutation:
    return mutation.AddAlias(words=words, means=Meaning.of_json(means))


def _remove_alias(words: str, **means: object) -> Mutation:
    return mutation.RemoveAlias(words=words, means=Meaning.of_json(means))


_KINDS: Final[Mapping[str, Callable[..., Mutation]]] = {
    "add_entity": mutation.AddEntity,
    "remove_entity": mutation.RemoveEntity,
    "add_relationship": mutation.AddRelationship,
    "expire_relationship": mutation.ExpireRelationship,
    "add_event": mutation.AddEvent,
    "add_risk_event": mutation.AddEvent,
    "add_alias": _add_alias,
    "remove_alias": _remove_alias,
}


class MutationsRequest(_Model):
    """Mutations, all of which are made, or none."""

    mutations: Annotated[list[MutationRequest], Field(min_length=1, max_length=10_000)]
    author: Author = _AUTHOR

    def to_mutations(self) -> tuple[Mutation, ...]:
        """Return the domain's mutations."""
        return tuple(
            _KINDS[asked.op](**{name: getattr(asked, name) for name in _fields(asked)})
            for asked in self.mutations
        )


def _fields(asked: BaseModel) -> Sequence[str]:
    return [name for name in type(asked).model_fields if name != "op"]


class UndoRequest(_Model):
    """Who takes a change back."""

    author: Author = _AUTHOR


class LoadRequest(_Model):
    """A data set on the disk of the service."""

    directory: Name
    accept: bool = Field(
        default=False, description="Whether answers that a changed schema changes are accepted."
    )


class ChangesQuery(_Model):
    """Which changes are asked for."""

    since: int = Field(0, ge=0, le=MAX_SEQUENCE, description="Those after this number.")
    limit: int = Field(100, ge=1, le=1_000)
    kind: ChangeKind | None = None
    key: str | None = None
    source: str | None = None
    author: str | None = None

    def to_filter(self) -> ChangeFilter:
        """Return the changelog's filter."""
        return ChangeFilter(
            since=self.since,
            limit=self.limit,
            kinds=None if self.kind is None else (self.kind,),
            key=self.key,
            source=self.source,
            author=self.author,
        )


class RecordedChange(_Model):
    """One change, with before and after."""

    sequence: int
    at: str
    author: str
    source: str
    kind: ChangeKind
    key: str
    before: dict[str, object] | None
    after: dict[str, object] | None


class ChangesResponse(_Model):
    """Changes, and the knowledge version that holds them."""

    version: int
    changes: list[RecordedChange]
