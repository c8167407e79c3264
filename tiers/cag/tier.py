"""The CAG tier: answers from facts, each with its date and its source."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from tiers.cag.entities import described_entities, named_entities
from tiers.cag.findings import Entity, Finding, Found, Refused, hit, miss
from tiers.cag.meaning import Meanings
from tiers.cag.ordering import is_ordering
from tiers.cag.sheets import FactReader, Sheets
from tiers.cag.types import about_type
from tiers.cag.values import about_entities
from tiers.cag.wording import Wording
from trivium.domain.deadline import Deadline
from trivium.domain.errors import DependencyError, InputError
from trivium.domain.evidence import FactSheet, TierResult
from trivium.domain.ports import Encoder
from trivium.domain.question import Understood
from trivium.domain.time import Moment
from trivium.language.reading import Lexicon


class FactStore(FactReader, Protocol):
    """Where facts are read, and how far it is."""

    async def watermark(self) -> int:
        """Return the number of the last change that it holds."""
        ...


_LONG: Final = frozenset({"week", "month", "quarter", "year"})

__all__ = ["CagTier", "FactReader"]


class CagTier:
    """Implements ``Tier`` over a fact store; ``lexicon`` tells types and names.

    ``encoder`` tells which attribute is meant by words that name none.

    ``version`` gives the knowledge version: a store that holds less has lost facts, and what it
    lacks is no miss.
    """

    def __init__(
        self,
        facts: FactStore,
        lexicon: Lexicon,
        encoder: Encoder,
        version: Callable[[], int] = lambda: 0,
    ) -> None:
        self._facts = facts
        self._lexicon = lexicon
        self._meanings = Meanings(encoder)
        self._version = version

    async def retrieve(self, question: Understood, deadline: Deadline) -> TierResult:
        """Return the facts that answer.

        Raises:
            DependencyError: the fact store did not answer, or not in time, or lost facts.
        """
        wording = Wording(question)
        sheets = Sheets(self._facts, self._lexicon.schema, question)
        try:
            async with asyncio.timeout(deadline.remaining_s):
                wanted = self._version()
                if await self._facts.watermark() < wanted:
                    raise DependencyError("the fact store lost facts, which are being put back")
                finding = await self._find(wording, sheets)
        except TimeoutError as error:
            raise DependencyError("the fact store did not answer in time") from error
        if isinstance(finding, Refused):
            return miss(finding, {"question": question.text, "entities": list(finding.entities)})
        return hit(finding, [*finding.lacking, *_too_new(wording, finding)])

    async def _find(self, wording: Wording, sheets: Sheets) -> Finding:
        """Look for the entities named, else for one that is described, else for a type."""
        entities = await named_entities(wording, sheets)
        if isinstance(entities, Refused):
            return entities
        if entities:
            return await self._about(wording, sheets, entities)
        is_count = bool(wording.cues("count")) and bool(wording.types())
        asks_of_all = is_count or is_ordering(wording) or wording.cues("sum", "average")
        described: tuple[Entity, ...] | Refused = ()
        if not asks_of_all:
            described = await described_entities(wording, sheets, self._lexicon.names)
        if isinstance(described, Refused):
            return described
        if described:
            return await self._about(wording, sheets, described)
        return await about_type(wording, sheets, self._lexicon.names)

    async def _about(self, wording: Wording, sheets: Sheets, entities: Sequence[Entity]) -> Finding:
        """Answer what a question asks of some entities; beside it stand all their facts."""
        finding = await about_entities(wording, sheets, self._meanings, entities)
        if isinstance(finding, Refused):
            return finding
        told = []
        for entity in sorted(entities, key=lambda e: e.id):
            known = await sheets.facts(entity.id, entity.type)
            facts = sorted(known or (), key=lambda f: f.attribute)
            told.append(
                FactSheet(entity=entity.id, type=entity.type, name=entity.name, facts=tuple(facts))
            )
        return replace(finding, sheets=tuple(told))


def _too_new(wording: Wording, found: Found) -> Iterator[str]:
    """Say which facts are of a later time than the one that the question is about."""
    asked = [(t.moment.end, t.moment.text) for t in wording.question.times
             if not set(t.span) <= found.words]  # fmt: skip
    asked += [(0, said) for said in _past_periods(wording, found.words)]
    if wording.question.question.as_of:
        now = wording.question.moment
        asked.append((max(now.end, now.start + 1), now.text))
    for end, said in asked:
        later = [f for f in found.facts if f.as_of and _begins(f.as_of) >= end]
        if later:
            yield f"This is as of {later[0].as_of}; what held then ({said}) is not kept as a fact."
            return


def _past_periods(wording: Wording, used: frozenset[int]) -> Iterator[str]:
    """Give the words for a time gone by, such as "last month", that name no attribute."""
    places = {wording.sentence_at(i) for i in used}
    for index, token in enumerate(wording.tokens):
        if index in used or (used and wording.sentence_at(index) not in places):
            continue
        before = wording.tokens[index - 1].lower if index else ""
        if token.lower == "yesterday":
            yield token.lower
        elif token.lower in _LONG and before in {"last", "previous", "past"}:
            yield f"{before} {token.lower}"


def _begins(as_of: str) -> int:
    try:
        return Moment.of(as_of).start
    except InputError:  # facts come with any text for a date
        return 0
