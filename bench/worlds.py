"""The domains that the router learns in: those with labelled rows, and invented ones."""

import hashlib
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import yaml
from tqdm import tqdm

from bench.sets import ROUTES, SUITES
from router.filling import Domain
from router.making import make
from router.model import tier_set
from router.training import Example
from trivium.app.gating import domain_of
from trivium.app.settings import Settings
from trivium.app.suite import Row, question_of
from trivium.domain.question import Question, Understood, Vector
from trivium.gateway.encoder import OnnxEncoder
from trivium.knowledge.dataset import DataSet, read_dataset
from trivium.knowledge.lexicon import lexicon_of
from trivium.language.reading import QuestionReader

_LABELLED: Final = Path("router/examples")
_FURTHER: Final = Path("bench/questions/domains")
_TESTED: Final = frozenset(
    {path.name for path in SUITES} | {file.stem.removeprefix("routes_") for file in ROUTES}
)
"""The domains whose suites or rows test what was learnt: nothing is made in them."""
_INVENTED: Final = Path("router/made/worlds.yaml")
_ELSEWHERE: Final = {
    "aerospace": Path("examples/aerospace"),
    **{name: _FURTHER / name for name in ("ferries", "pharmacy", "skiresort")},
}
"""Domains whose data stand in another place than their rows."""
_CACHE: Final = Path(".cache/encodings.npz")
_RESTYLED: Final = Path(".cache/restyled.npz")
_BATCH: Final = 32


@dataclass(frozen=True, slots=True)
class Learned:
    """An example and the row that it comes from; a made one has none."""

    example: Example
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A domain that questions are read and made in, with its labelled rows."""

    name: str
    reader: QuestionReader
    domain: Domain
    rows: Sequence[Row]


async def load() -> list[Learned]:
    """Read and encode every labelled and made question, each with its domain's names and schema."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    found: list[Learned] = []
    for number, world in enumerate(worlds(encoder)):
        found += (_labelled(world, row) for row in world.rows)
        found += _made(world, number)
    return await _with_vectors(found, encoder, _CACHE)


async def read_again(items: Sequence[Learned], restyle: Callable[[str], str]) -> list[Learned]:
    """Return labelled rows with their questions written differently, read and encoded anew."""
    settings = Settings()
    encoder = OnnxEncoder.open(settings.encoder_dir, precision=settings.encoder_precision)
    readers = {world.name: world.reader for world in worlds(encoder) if world.rows}
    found = []
    for item in items:
        question = question_of({**item.row, "query": restyle(item.row["query"])})
        read = readers[item.example.group].read(question)
        found.append(replace(item, example=replace(item.example, question=read)))
    return await _with_vectors(found, encoder, _RESTYLED)


async def _with_vectors(
    found: Sequence[Learned], encoder: OnnxEncoder, cache: Path
) -> list[Learned]:
    vectors = await encoded(encoder, [item.example.question.text for item in found], cache)
    return [
        replace(item, example=replace(item.example, question=_with(item.example.question, vectors)))
        for item in found
    ]


def _with(question: Understood, vectors: Mapping[str, Vector]) -> Understood:
    return replace(question, vector=vectors[question.text])


def _labelled(world: World, row: Row) -> Learned:
    example = Example(
        question=world.reader.read(question_of(row)),
        tiers=tier_set(row["tiers"]),
        also_ok=tuple(tier_set(names) for names in row.get("also_ok", ())),
        group=world.name,
    )
    return Learned(example, row)


def _made(world: World, seed: int) -> Iterator[Learned]:
    for made in make(world.domain, seed):
        read = world.reader.read
        parts = tuple((read(Question(text=text)), tier) for text, tier in made.clauses)
        example = Example(
            question=read(made.question),
            tiers=made.tiers,
            group=world.name,
            is_made=True,
            parts=parts,
        )
        yield Learned(example, {})


def worlds(encoder: OnnxEncoder) -> Iterator[World]:
    """Give every domain: those with labelled rows, those with data alone, invented ones."""
    for directory in sorted(path for path in _LABELLED.iterdir() if path.is_dir()):
        rows = [
            json.loads(line)
            for file in sorted(directory.glob("*examples.jsonl"))
            for line in file.read_text("utf-8").splitlines()
        ]
        data = read_dataset(_ELSEWHERE.get(directory.name, directory))
        yield _world(directory.name, data, {}, encoder, rows)
    known = _TESTED.union(_ELSEWHERE)
    for directory in sorted(path for path in _FURTHER.iterdir() if path.name not in known):
        yield _world(directory.name, read_dataset(directory), {}, encoder, ())
    for name, short in yaml.safe_load(_INVENTED.read_text("utf-8")).items():
        with tempfile.TemporaryDirectory() as fresh:
            _spell_out(name, short, Path(fresh))
            yield _world(name, read_dataset(Path(fresh)), short, encoder, ())


def _world(
    name: str, data: DataSet, short: Row, encoder: OnnxEncoder, rows: Sequence[Row]
) -> World:
    domain = replace(domain_of(data), asking=short.get("ask", {}), topics=short.get("topics", ()))
    reader = QuestionReader(encoder, lexicon_of(data.changes))
    return World(name=name, reader=reader, domain=domain, rows=rows)


def _spell_out(name: str, short: Row, directory: Path) -> None:
    """Write a domain in short form as a data set, with values drawn for its attributes."""
    dice = random.Random(name)
    types = [
        {"name": type_name, "properties": _unsaid(items)}
        for type_name, items in short["types"].items()
    ]
    relations = [text.split() for text in short["relations"]]
    links = [
        {"source": source, "name": verb, "target": target, "properties": _unsaid(items)}
        for source, verb, target, *items in relations
    ]
    schema = {"name": name, "node_types": types, "relation_types": links}
    (directory / "schema.yaml").write_text(yaml.safe_dump(schema), "utf-8")
    nodes = [
        {"id": f"{type_name[:3].upper()}-{n}", "type": type_name, "name": node}
        | {item.split()[0]: _drawn(item, n, dice) for item in short["types"][type_name]}
        for type_name, names in short["names"].items()
        for n, node in enumerate(names, 1)
    ]
    (directory / "nodes.jsonl").write_text("".join(json.dumps(n) + "\n" for n in nodes), "utf-8")
    ids = {kind: [n["id"] for n in nodes if n["type"] == kind] for kind in short["types"]}
    edges = [
        {"source": one, "target": other, "type": verb}
        | {item.split(":")[0]: _drawn(item.replace(":", " "), n, dice) for item in items}
        for source, verb, target, *items in relations
        for n, (one, other) in enumerate(product(ids[source], ids[target]))
        if one != other
    ]
    (directory / "edges.jsonl").write_text("".join(json.dumps(e) + "\n" for e in edges), "utf-8")


def _unsaid(items: Sequence[str]) -> dict[str, str]:
    """Return the names of properties, ``name kind`` or ``name:kind``, with nothing said of them."""
    return {re.split("[ :]", item)[0]: "" for item in items}


def _drawn(item: str, n: int, dice: random.Random) -> object:
    """Draw a value for ``name kind``: a number, a date, one of a few words, or a text."""
    name, kind = item.split(maxsplit=1)
    if kind == "n":
        return dice.randint(1, 900)
    if kind == "d":
        return f"20{dice.randint(10, 27)}-0{dice.randint(1, 9)}-1{dice.randint(0, 9)}"
    if "|" in kind:
        values = kind.split("|")
        return values[n % len(values)]
    return f"{name} {chr(64 + n)}{dice.randint(10, 99)}"


async def encoded(
    encoder: OnnxEncoder, texts: Sequence[str], cache: Path = _CACHE
) -> dict[str, Vector]:
    """Encode each text once; what was encoded before comes from a file."""
    keys = {text: hashlib.sha256(f"{encoder.name}\0{text}".encode()).hexdigest() for text in texts}
    known = _cached(cache)
    missing = sorted((t for t, key in keys.items() if key not in known), key=len)
    for first in tqdm(range(0, len(missing), _BATCH), "encoding", disable=not missing):
        batch = missing[first : first + _BATCH]
        for text, vector in zip(batch, await encoder.encode(batch), strict=True):
            known[keys[text]] = np.array(vector, dtype=np.float32)
    if missing:
        cache.parent.mkdir(exist_ok=True)
        np.savez(cache, keys=np.array(list(known)), vectors=np.stack(list(known.values())))
    return {text: tuple(known[key].tolist()) for text, key in keys.items()}


def _cached(cache: Path) -> dict[str, np.ndarray]:
    if not cache.is_file():
        return {}
    with np.load(cache, allow_pickle=False) as file:
        return dict(zip(file["keys"].tolist(), file["vectors"], strict=True))
