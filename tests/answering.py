"""Small graphs of a test's own, and the questions that the reader answers over them."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tests.fakes import HashEncoder
from tiers.graphrag.plans.plan import run
from tiers.graphrag.reading.reader import PlanReader, Refused
from tiers.graphrag.stores.memory import MemoryGraph
from tiers.graphrag.view import Scope
from trivium.domain.question import Question, Turn
from trivium.knowledge.dataset import read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

Row = Mapping[str, object]
Node = tuple[str, str, str, Row]
"""Its id, type, name and properties."""
Edge = tuple[str, str, str, Row]
"""Its source, relation, target and properties."""


class Ask(Protocol):
    """Answers a question: its result as JSON, or the reason why there is none."""

    def __call__(self, text: str, before: str | None = None) -> Any:  # JSON
        """``before`` is the question that came before it."""


def rows_of(nodes: Iterable[Node], edges: Iterable[Edge]) -> tuple[list[Row], list[Row]]:
    """Return the lines of a data set from its nodes and edges, written short."""
    return (
        [{"id": i, "type": t, "name": n, **more} for i, t, n, more in nodes],
        [{"source": s, "type": r, "target": t, **more} for s, r, t, more in edges],
    )


def asking(folder: Path, schema: str, nodes: Iterable[Row], edges: Iterable[Row]) -> Ask:
    """Write a data set into a folder, load it, and return who answers questions about it."""
    (folder / "schema.yaml").write_text(schema, "utf-8")
    for name, rows in (("nodes", nodes), ("edges", edges)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return answering(folder)


def answering(folder: Path) -> Ask:
    """Load a data set and return who answers questions about it."""
    changes = read_dataset(folder).changes
    lexicon, graph = lexicon_of(changes), MemoryGraph()
    asyncio.run(graph.apply(changes, len(changes)))
    reader, plans = QuestionReader(HashEncoder(), lexicon), PlanReader()

    def ask(text: str, before: str | None = None) -> Any:
        history = (Turn("user", before),) if before else ()
        question = reader.read(Question(text=text, history=history))
        scope = Scope(view=graph, schema=lexicon.schema, moment=question.moment)
        plan = plans.read(question, scope)
        return plan.reason.value if isinstance(plan, Refused) else run(plan, scope).result.to_json()

    return ask
