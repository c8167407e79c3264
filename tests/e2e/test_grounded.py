"""Every number, name and citation of composed answers is in their evidence."""

import copy
from pathlib import Path
from typing import Any

import pytest

from bench.grounded import Held, exceptions
from bench.grounding import drawn, faults
from tests.conftest import SEED, SOAK
from tests.e2e.conftest import settings_for
from tests.zoo import write_zoo
from trivium.app.bootstrap import open_service
from trivium.knowledge.dataset import read_dataset

N, N_SETS = (1_000, None) if SOAK > 1 else (60, 2)


async def test_composed_answers_say_nothing_that_their_evidence_does_not(
    tmp_path: Path, encoder_dir: Path
):
    found = []
    for number, (place, rows) in enumerate(drawn(N, SEED, N_SETS).items()):
        dataset = read_dataset(place)
        async with open_service(settings_for(tmp_path / str(number), encoder_dir)) as service:
            await service.knowledge.load(dataset)
            found += await faults(service, rows, Held.of(dataset.changes))

    assert found == []


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Held:
    return Held.of(read_dataset(write_zoo(tmp_path_factory.mktemp("zoo"))).changes)


ANSWER: dict[str, Any] = {
    "answer": "1: how many Keeper. [1] Beside it: Bruno Falk (K-2). [1]\n\n"
    "The weight of Tembo (A-1) is 4,100 kg. [2]\n\nPolar bears are fed at half past two. [3]",
    "result": {"kind": "number", "number": 1, "unit": None},
    "also": [],
    "results": {},
    "candidates": [],
    "route": {"parts": {"graph": "Who feeds Nanuk, and how heavy is Tembo?"}},
    "evidence": {"graph": {"question": "Who feeds Nanuk?", "nodes": ["K-2", "A-3"]}},
    "citations": [
        {
            "marker": 1, "tier": "graph", "nodes": ["K-2", "A-3"],
            "relations": [["K-2", "FEEDS", "A-3"]], "names": {"K-2": "Bruno Falk", "A-3": "Nanuk"},
        },
        {"marker": 2, "tier": "cag", "entity": "A-1", "attribute": "weight_kg", "value": 4100},
        {
            "marker": 3, "tier": "rag", "source": "doc-rules", "start": 26, "end": 62,
            "passage": "Polar bears are fed at half past two.",
        },
    ],
}  # fmt: skip


def place_of_the_passage(held: Held, answer: dict[str, Any]) -> dict[str, Any]:
    passage = answer["citations"][2]
    passage["start"] = held.documents["doc-rules"].index(passage["passage"])
    passage["end"] = passage["start"] + len(passage["passage"])
    return answer


def changed(held: Held, *path: object, to: object) -> dict[str, Any]:
    answer: Any = place_of_the_passage(held, copy.deepcopy(ANSWER))
    part = answer
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return dict(answer)


def test_what_is_in_the_evidence_is_no_exception(held: Held):
    assert exceptions(changed(held, "also", to=[]), held) == ()


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("result", "number"), 2, "1 is said"),
        (("citations", 1, "value"), 4000, "A-1 has no 4000"),
        (("citations", 1, "value"), 4000, "4,100 is said"),
        (("citations", 0, "relations", 0), ["K-1", "FEEDS", "A-3"], "there is no relation"),
        (("citations", 0, "names", "K-2"), "Bruno Stone", "K-2 is not 'Bruno Stone'"),
        (("citations", 0, "nodes"), ["A-3", "A-9"], "there is no A-9"),
        (("citations", 2, "source"), "doc-none", "doc-none does not say"),
        (("citations", 2, "marker"), 4, "[3] points to nothing"),
        (("citations", 2, "marker"), 4, "[4] stands nowhere"),
        (("answer",), "Nanuk lives in Ice Cave. [1][2][3]", "Ice Cave (H-2) is named"),
    ],
)
def test_what_is_not_in_the_evidence_is_found(
    held: Held, path: tuple[object, ...], value: object, told: str
):
    assert any(what.startswith(told) for what in exceptions(changed(held, *path, to=value), held))
