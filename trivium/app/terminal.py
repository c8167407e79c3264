"""What a person sees on the terminal: lines, answers and progress bars."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from tqdm import tqdm

_MAX_REPORTED = 20


def say(text: str) -> None:
    """Print a line on standard error."""
    print(text, file=sys.stderr, flush=True)


def report(loaded: Mapping[str, Any]) -> None:  # Any: JSON
    """Say what was loaded and what was left out; see ``Loaded.to_json``."""
    counts = ", ".join(f"{n} {kind}s" for kind, n in loaded["counts"].items() if kind != "schema")
    kept = f"; {loaded['n_kept']} stay as mutations made them" if loaded["n_kept"] else ""
    say(f"{loaded['name']}: {counts or 'a schema'}; {loaded['n_changes']} changes{kept}.")
    for title, kind in (("Left out", "rejected"), ("Note", "warnings")):
        for row in loaded[kind][:_MAX_REPORTED]:
            place = f"{row['file']}:{row['line']}" if row["line"] else row["file"]
            say(f"{title}: {place}: {row['reason']}")
        if loaded[f"n_{kind}"] > _MAX_REPORTED:
            say(f"{title}: and {loaded[f'n_{kind}'] - _MAX_REPORTED} more.")


def show(outcome: Mapping[str, Any], *, is_explained: bool = False) -> int:  # Any: JSON
    """Print one outcome for a person; return the exit status."""
    if "error" in outcome:
        say(f"trivium: {outcome['error']['detail']}")
        return 1
    if "answer" not in outcome:
        print(f"{', '.join(outcome['tiers']) or 'no tier'} ({outcome['decided_by']})")
        for reason in outcome["reasons"]:
            print(f"- {reason}")
        return 0
    print(outcome["answer"])
    print(f"\nroute: {', '.join(outcome['route']['tiers']) or 'none'}; id: {outcome['id']}")
    for line in sources(outcome["citations"]):
        print(line)
    if is_explained:
        for line in _explanation(outcome["evidence"].get("graph", {})):
            print(line)
    return 0


def _explanation(graph: Mapping[str, Any]) -> Iterator[str]:
    """Give how each word was understood, as a table, and what was made of them."""
    words = graph.get("words")
    if words is None:
        yield "\nThe graph was not asked, which alone says how each word was understood."
        return
    yield f"\n{graph['question']}"
    rows = [("words", "as", "means"), *((w["text"], w["as"], w["means"]) for w in words)]
    wide, wider = (max(len(row[i]) for row in rows) for i in (0, 1))
    yield from (f"  {a:{wide}}  {b:{wider}}  {c}".rstrip() for a, b, c in rows)
    yield f"understood: {graph['understood'] or 'nothing: ' + graph['refused']}"


def sources(citations: Sequence[Mapping[str, Any]]) -> Iterator[str]:  # Any: JSON
    """Give a line for each citation: its marker, and what it points to."""
    for citation in citations:
        if "title" in citation:
            told = f"{citation['title']} ({citation['source']})"
        elif "entity" in citation:
            told = f"{citation['entity']} {citation['attribute']}, {citation['source']}"
        else:
            told = f"{len(citation['relations'])} relations over {len(citation['nodes'])} entities"
        yield f"[{citation['marker']}] {told}"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give the lines of a table; its columns are as wide as what stands in them."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{part:{width}}" for part, width in zip(row, wide, strict=True)).rstrip()


def show_status(state: Mapping[str, Any]) -> None:  # Any: JSON
    """Print how a home is, for a person: a line for each part, and what to do below it."""
    owner, url = state.get("owner"), state.get("url")
    serving = f", served at {url}" if url else ""
    held = f"owned by process {owner}{serving}" if owner else "owned by no process"
    print(f"{state['home']} ({held}): {state['status']}")
    if "error" in state:
        print(f"  -> {state['error']}")
    if "knowledge_version" in state:
        print(f"knowledge version {state['knowledge_version']}")
    parts = state.get("parts", {})
    wide = max(map(len, parts), default=0)
    for name, part in parts.items():
        where = f" [{part['where']}]" if part["where"] else ""
        since = part["since"][:19].replace("T", " ")
        told = f"{part['detail']}{where}".strip()
        print(f"{name:{wide}}  {part['state']:6}  since {since}  {told}")
        if part["advice"]:
            print(f"{'':{wide}}  -> {part['advice']}")


class Bars:
    """Progress bars on standard error, one for each kind of work."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for bar in self._bars.values():
            bar.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Move the bar of ``what``."""
        if what not in self._bars:
            self._bars[what] = tqdm(total=total, desc=what, disable=not sys.stderr.isatty())
        bar = self._bars[what]
        bar.total = total
        bar.update(done - bar.n)
