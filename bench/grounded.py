"""What an answer says that its evidence does not: markers, sources, numbers and names, by program.

The evidence is what a reader can open: the citations of the paragraph, the results that are told
for programs, the candidates that are offered. How the question itself was read is no claim.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from synthesis.citing import numbers_supported
from synthesis.inert import quoted
from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.payloads import (
    document_from_payload,
    edge_from_payload,
    fact_from_payload,
    node_from_payload,
)

Json: TypeAlias = Mapping[str, Any]  # Any: JSON

_MARKER: Final = re.compile(r"\[(\d+)\]")
_RESULTS: Final = ("result", "also", "results", "candidates")
_PLACE: Final = re.compile(r"^\d+\. ", re.MULTILINE)
"""The place in a ranking or list."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a data set holds, for looking sources up."""

    names: Mapping[str, str]
    """Of each entity, by its id."""
    types: frozenset[str]
    relations: frozenset[tuple[str, str, str]]
    documents: Mapping[str, str]
    """The text of each document."""
    values: frozenset[tuple[str, str]]
    """Each entity with a value that it, a relation of it, or a fact about it has, as text."""

    @classmethod
    def of(cls, changes: Iterable[Change]) -> "Held":
        """Collect what the puts of a data set say."""
        names, types, relations, documents, values = {}, set(), set(), {}, set()
        for change in changes:
            match change.kind:
                case ChangeKind.PUT_NODE:
                    node = node_from_payload(change.payload)
                    names[node.id] = node.name
                    types.add(node.type)
                    values |= {(node.id, _plain(v)) for v in _flat(node.properties)}
                case ChangeKind.PUT_EDGE:
                    edge = edge_from_payload(change.key, change.payload)
                    relations.add((edge.source, edge.type, edge.target))
                    said = {_plain(v) for v in _flat(change.payload)}
                    values |= {(end, v) for end in (edge.source, edge.target) for v in said}
                case ChangeKind.PUT_FACT:
                    payload = change.payload
                    fact = fact_from_payload(payload, 0)
                    values |= {(f.entity, _plain(f.value)) for f in (fact, *fact.earlier)}
                case ChangeKind.PUT_DOCUMENT:
                    document = document_from_payload(change.payload)
                    documents[document.id] = document.text
                case _:
                    pass
        return cls(names, frozenset(types), frozenset(relations), documents, frozenset(values))


def exceptions(answer: Json, held: Held) -> tuple[str, ...]:
    """Return what of an answer, as the door gives it, is not in its evidence; nothing is right."""
    return (*_markers(answer), *_sources(answer, held), *_said(answer, held))


def _markers(answer: Json) -> Iterator[str]:
    """Each marker has a citation, and each citation a marker."""
    cited = {c["marker"] for c in answer["citations"]}
    used = {int(m) for m in _MARKER.findall(answer["answer"])}
    yield from (f"[{n}] points to nothing" for n in sorted(used - cited))
    yield from (f"[{n}] stands nowhere" for n in sorted(cited - used))


def _sources(answer: Json, held: Held) -> Iterator[str]:
    """Each citation says what the data set does."""
    for citation in answer["citations"]:
        match citation["tier"]:
            case "rag":
                text = held.documents.get(citation["source"], "")
                if text[citation["start"] : citation["end"]] != citation["passage"]:
                    yield f"{citation['source']} does not say its passage there"
            case "graph":
                yield from _subgraph(citation, held)
            case _ if citation["entity"] in held.types:
                pass  # a figure over entities of a type: `_said` holds it against the results
            case _:
                if (citation["entity"], _plain(citation["value"])) not in held.values:
                    yield f"{citation['entity']} has no {citation['value']!r}"


def _subgraph(citation: Json, held: Held) -> Iterator[str]:
    for relation in citation["relations"]:
        if tuple(relation) not in held.relations:
            yield f"there is no relation {relation}"
    for node, name in citation["names"].items():
        if held.names.get(node) != name:
            yield f"{node} is not {name!r}"
    yield from (f"there is no {n}" for n in citation["nodes"] if n not in held.names)


def _said(answer: Json, held: Held) -> Iterator[str]:
    """Numbers and names of each paragraph stand in what it cites, or in the results."""
    by_marker = {c["marker"]: c for c in answer["citations"]}
    results = [_text(answer[key]) for key in _RESULTS] + _sizes([answer[k] for k in _RESULTS])
    asked = _text(list(_read(answer)))
    for paragraph in answer["answer"].split("\n\n"):
        cited = [by_marker[int(m)] for m in _MARKER.findall(paragraph) if int(m) in by_marker]
        shown = [_text({k: v for k, v in c.items() if k != "marker"}) for c in cited]
        told = [*cited, *answer["candidates"], *answer["evidence"].values()]
        ids = {n for shown in told for n in _ids(shown)}
        known = [*shown, asked, *(held.names[n] for n in ids if n in held.names)]
        text = _PLACE.sub("", _MARKER.sub(" ", paragraph))
        yield from (f"{n} is said: {text}" for n in numbers_supported(text, [*results, *known]))
        for node, name in held.names.items():
            if node not in ids and _stands(name, text) and not any(name in k for k in known):
                yield f"{name} ({node}) is named: {text}"


def _text(value: object) -> str:
    """Return all that a value holds, one thing a line, as it is quoted."""
    return "\n".join(quoted(str(part)) for part in _flat(value))


def _sizes(value: object) -> list[str]:
    """Return how long each list within is: what an answer may count."""
    parts = value.values() if isinstance(value, Mapping) else value
    if not isinstance(parts, Iterable) or isinstance(parts, str):
        return []
    own = [str(len(value))] if isinstance(value, list) else []
    return own + [size for part in parts for size in _sizes(part)]


def _read(answer: Json) -> Iterator[object]:
    """Give how the question was understood: its parts, each word, its time, the plan that ran."""
    yield from answer["route"]["parts"].values()
    for trace in answer["evidence"].values():
        yield from (word["means"] for word in trace.get("words", ()))
        yield from (step["arguments"] for step in trace.get("plan", ()))
        yield from (trace.get(key) for key in ("question", "as_of", "entities"))


def _ids(shown: Json) -> Iterator[str]:
    yield from (*shown.get("nodes", ()), *shown.get("entities", ()))
    yield from (shown[key] for key in ("entity", "id") if key in shown)


def _stands(name: str, text: str) -> bool:
    return len(name) > 3 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield key
            yield from _flat(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
