"""What requests say that words mean, checked and turned into the domain's types."""

from typing import Annotated, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from trivium.domain.alias import MAX_ALIAS, Alias, Meaning
from trivium.domain.errors import InputError

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=10_000)]
Words: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=MAX_ALIAS, description="As people say it.")
]


class MeaningRequest(BaseModel):
    """Just one of an entity, a type, a relation and a property with its owner."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entity: Name | None = Field(None, description="The id of an entity.")
    type: Name | None = None
    relation: Name | None = None
    property: Name | None = None
    of: Name | None = Field(None, description="The type or relation that has the property.")

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        try:
            self.to_meaning()
        except InputError as error:
            raise ValueError(str(error)) from error
        return self

    def to_meaning(self) -> Meaning:
        """Return the domain's meaning."""
        names = MeaningRequest.model_fields
        return Meaning.of_json({name: getattr(self, name) for name in names})


class MisreadRequest(BaseModel):
    """Words of a question that were misread, and what they mean."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: Words
    means: MeaningRequest

    def to_alias(self) -> Alias:
        """Return the alias that this asks for."""
        return Alias(words=self.words, means=self.means.to_meaning())
