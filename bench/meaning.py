"""How well the encoder alone finds the attribute that a question for a fact is after.

``python -m bench.meaning [--show]`` asks all questions for one value of one entity. Each is asked
twice: with all attributes of the entity's type, and without the right one, when none should be
found. Some of those left are near for anybody: a weight, where the height is gone.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.facts import SUITES as FACT_SUITES
from bench.facts import encoder, known_of
from bench.sets import KEPT, SUITES
from tests.fakes import NoEncoder
from tiers.cag.meaning import Meanings
from tiers.cag.sheets import Sheets
from tiers.cag.wording import Wording
from trivium.app.suite import question_of
from trivium.domain.schema import Property
from trivium.language.reading import QuestionReader

SETS: Final = (
    *((directory, path) for _, directory, path in FACT_SUITES),
    *((directory, directory / "questions.jsonl") for directory in SUITES[1:]),
)


@dataclass(frozen=True, slots=True)
class _Asked:
    wording: Wording
    node_type: str
    attributes: Mapping[str, Property]
    right: str | None
    """The attribute with the value that is asked for; ``None``: the type has no such attribute."""


async def _questions(directory: Path, rows: Iterable[str]) -> AsyncIterator[_Asked]:
    lexicon, store = await known_of(directory)
    reader = QuestionReader(NoEncoder(), lexicon)
    for row in map(json.loads, rows):
        gold: Mapping[str, Any] = row["gold"]
        wording = Wording(reader.read(question_of(row)))
        named = [m.candidates[0] for m in wording.mentions if m.candidates]
        is_value = len(gold.get("values", ())) == 1 and not {"history", "truth"} & set(gold)
        is_lacking = gold.get("reason") == "not_in_schema"
        if row["tiers"] != ["cag"] or not named or not (is_value or is_lacking):
            continue
        entity = next((c for c in named if c.id == gold.get("node")), named[0])
        sheets = Sheets(store, lexicon.schema, wording.question)
        facts = await sheets.facts(entity.id, entity.type) or ()
        right = {f.attribute for f in facts if f.value in gold.get("values", ())}
        if is_lacking or len(right) == 1:
            attributes = await sheets.attributes(entity.type)
            yield _Asked(wording, entity.type, attributes, right.pop() if right else None)


async def main() -> None:
    """Print how often the right attribute is found, another one, and one where none is right."""
    meanings = Meanings(encoder())
    n: Counter[str] = Counter()
    for directory, rows in [(d, p.read_text("utf-8").splitlines()) for d, p in SETS]:
        async for asked in _questions(directory, rows):
            wording, attributes = asked.wording, dict(asked.attributes)
            rest = [i for i in range(len(wording.tokens)) if i not in wording.named]
            found = await meanings.nearest(wording, rest, asked.node_type, attributes)
            name = found.attribute.name if found else None
            is_shown = "--show" in sys.argv and directory.name not in KEPT
            if is_shown and name != asked.right:
                print(f"{wording.question.text!r}: {name}, not {asked.right}")
            if asked.right is None:
                n.update(lacking=1, made_up=name is not None)
                continue
            n.update(asked=1, right=name == asked.right, wrong=name not in {None, asked.right})
            del attributes[asked.right]
            without = await meanings.nearest(wording, rest, asked.node_type, attributes)
            n.update(taken=without is not None)
    same = "one is found all the same in"
    print(f"the right attribute        {n['right']} of {n['asked']}, another {n['wrong']}")
    print(f"no such attribute          {same} {n['made_up']} of {n['lacking']}")
    print(f"the right one taken away   {same} {n['taken']} of {n['asked']}")


if __name__ == "__main__":
    asyncio.run(main())
