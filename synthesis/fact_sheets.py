"""Fact sheets as the beginning of a prompt, the same for every question about the same entities.

A prompt cache keeps beginnings: what a block says may depend on the blocks before it and on nothing
after it. So facts are numbered through from 1, and the markers of other evidence come after theirs.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from synthesis.showing import citation_detail, evidence_text
from trivium.domain.answer import Citation
from trivium.domain.evidence import FactSheet
from trivium.domain.knowledge import Fact
from trivium.domain.prompting import block_code
from trivium.domain.question import TierName

MAX_CHARACTERS: Final = 32_000
"""Of all sheets of a question, some 10,000 tokens; facts that find no room are left out."""
_CUT: Final = "More is known of it than stands here."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """A sheet with the facts that found room, each with its marker."""

    sheet: FactSheet
    facts: Mapping[int, Fact]

    @property
    def text(self) -> str:
        """What the block quotes: JSON line by line, so that no value begins a line of its own."""
        lines = [_head(self.sheet), *(_line(marker, fact) for marker, fact in self.facts.items())]
        if len(self.facts) < len(self.sheet.facts):
            lines.append(_CUT)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Prefix:
    """The sheets that a model reads before what is asked."""

    listed: tuple[_Listed, ...] = ()

    @classmethod
    def of(cls, sheets: Sequence[FactSheet]) -> "Prefix":
        """Return what of some sheets, in their order, finds room; see ``MAX_CHARACTERS``."""
        room, marker, listed = MAX_CHARACTERS, 0, []
        for sheet in sheets:
            room -= len(_head(sheet))
            facts: dict[int, Fact] = {}
            for fact in sheet.facts:
                size = len(_line(marker + 1, fact))
                if size <= room:
                    marker, room = marker + 1, room - size
                    facts[marker] = fact
            if facts:
                listed.append(_Listed(sheet=sheet, facts=facts))
        return cls(tuple(listed))

    @property
    def facts(self) -> dict[int, Fact]:
        """The facts by their markers."""
        return {marker: fact for one in self.listed for marker, fact in one.facts.items()}

    @property
    def citations(self) -> dict[int, Citation]:
        """What cites each fact, by its marker."""
        return {
            marker: Citation(marker=marker, tier=TierName.CAG, detail=citation_detail(fact))
            for marker, fact in self.facts.items()
        }

    def markers_of(self, citations: Sequence[Citation]) -> dict[int, int]:
        """Return the marker that each citation has beside the sheets; a fact of theirs has its own.

        Returns:
            By the marker that it has without them.
        """
        known = self.citations
        return {
            c.marker: next(
                (m for m, k in known.items() if (k.tier, k.detail) == (c.tier, c.detail)),
                len(known) + c.marker,
            )
            for c in citations
        }

    def said(self) -> Iterator[tuple[int, str]]:
        """Give each marker with all that its fact says, to hold an answer against."""
        for one in self.listed:
            sheet = one.sheet
            for marker, fact in one.facts.items():
                about = f"{sheet.name} ({sheet.entity}), {sheet.type}"
                yield marker, f"{about}\n{evidence_text(fact)}\n{fact.source}"

    def blocks(self, others: Sequence[str]) -> tuple[str, ...]:
        """Return a block for each sheet.

        Args:
            others: what else the model reads. Only where it holds the code of a sheet, as no honest
                text does, is the block another.
        """
        texts = [one.text for one in self.listed]
        found = []
        for place, text in enumerate(texts):
            code = block_code([text], [*texts[:place], *texts[place + 1 :], *others])
            found.append(
                f"The code of this sheet is {code}.\n\n<sheet-{code}>\n{text}\n</sheet-{code}>"
            )
        return tuple(found)


def _head(sheet: FactSheet) -> str:
    return _json({"entity": sheet.entity, "type": sheet.type, "name": sheet.name})


def _line(marker: int, fact: Fact) -> str:
    told = {
        "marker": marker,
        "attribute": fact.attribute,
        "value": fact.value,
        "unit": fact.unit,
        "as_of": fact.as_of,
        "source": fact.source,
    }
    return _json({key: value for key, value in told.items() if value is not None})


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
