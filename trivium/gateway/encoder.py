"""Embeddings from a sentence encoder in ONNX, with neither torch nor a network.

``scripts/export_encoder.py`` makes the directory that this reads.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from trivium.domain.errors import DependencyError
from trivium.domain.question import Vector
from trivium.domain.threads import Threads

Precision: TypeAlias = Literal["fp32", "int8"]
Matrix: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

_MAX_TEXTS: Final = 32
_MAX_TOKENS: Final = 2048
"""In one batch, padding included. 8 texts of 256 tokens take 275 MB in all and 56 a second;
32 take 507 MB and are no quicker (2 cores, fp32)."""
_N_CALLS: Final = 4
"""At once; each may use more threads of the engine's."""
_MANIFEST: Final = "encoder.json"
_REMEDY: Final = "make it with: python scripts/export_encoder.py --out"


class OnnxEncoder:
    """A sentence encoder on onnxruntime.

    Attributes:
        name: the model's name.
        dimension: of the vectors.
    """

    def __init__(
        self,
        session: onnxruntime.InferenceSession,
        tokenizer: Tokenizer,
        manifest: Mapping[str, object],
    ) -> None:
        self.name = str(manifest["model"])
        self.dimension = int(str(manifest["dimension"]))
        self._takes_first = manifest["pooling"] == "cls"
        self._inputs = tuple(entry.name for entry in session.get_inputs())
        self._session = session
        self._tokenizer = tokenizer
        self._threads = Threads("encoder", _N_CALLS)

    @classmethod
    def open(
        cls, directory: Path, *, precision: Precision = "fp32", n_threads: int = 2
    ) -> "OnnxEncoder":
        """Load the encoder that was exported to ``directory``.

        Args:
            directory: what ``scripts/export_encoder.py`` made.
            precision: ``int8`` is twice as fast and a quarter of the size; its vectors are near
                those of ``fp32`` (``python -m bench.encoder`` says how near).
            n_threads: that one call may use.

        Raises:
            DependencyError: the directory is missing or damaged.
        """
        model = f"encoder.{precision}.onnx"
        try:
            manifest = json.loads((directory / _MANIFEST).read_text(encoding="utf-8"))
            for name in (model, "tokenizer.json"):
                _check(directory / name, manifest["sha256"][name])
            tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
            session = onnxruntime.InferenceSession(
                str(directory / model), _options(n_threads), providers=["CPUExecutionProvider"]
            )
            return cls(session, tokenizer, manifest)
        except FileNotFoundError as error:
            missing = f"no encoder in {directory}: {Path(error.filename).name} is missing"
            raise DependencyError(f"{missing}; {_REMEDY} {directory}") from error
        except Exception as error:  # both libraries raise bare Exceptions
            damaged = f"the encoder in {directory} is damaged: {error}"
            raise DependencyError(f"{damaged}; {_REMEDY} {directory}") from error

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return one vector of unit length for each text, in order; long texts are cut.

        Raises:
            DependencyError: the model failed on these texts.
        """
        if len(texts) == 1:  # a question: one turn of a thread costs less than two
            return tuple(await self._threads.run(lambda: self._embed(self._tokenise(texts))))
        encodings = await self._threads.run(lambda: self._tokenise(texts))
        vectors: dict[int, Vector] = {}
        for batch in _batches([len(ids) for ids in encodings]):
            rows = await self._threads.run(partial(self._embed, [encodings[at] for at in batch]))
            vectors.update(zip(batch, rows, strict=True))
        return tuple(vectors[at] for at in range(len(texts)))

    def _tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch([_valid(text) for text in texts])
        return [encoding.ids for encoding in encodings]

    def _embed(self, encodings: Sequence[Sequence[int]]) -> list[Vector]:
        width = max(len(ids) for ids in encodings)
        tokens, mask = np.zeros((2, len(encodings), width), dtype=np.int64)
        for row, ids in enumerate(encodings):
            tokens[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        known = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": tokens * 0}
        try:
            output = self._session.run(None, {name: known[name] for name in self._inputs})
        except Exception as error:  # onnxruntime raises bare Exceptions
            raise DependencyError(f"the encoder failed: {error}") from error
        pooled = output[0][:, 0] if self._takes_first else _mean(output[0], mask)
        unit = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12)
        return [tuple(row) for row in unit.tolist()]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Give places of texts, together all, like lengths together so that little is padded.

    >>> list(_batches([2000, 3, 2000, 3]))
    [[1, 3], [0], [2]]
    """
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == _MAX_TEXTS or (len(batch) + 1) * lengths[at] > _MAX_TOKENS):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _mean(tokens: Matrix, mask: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Matrix:
    """Average the token vectors ``(n, tokens, d)`` where ``mask`` ``(n, tokens)`` is 1."""
    weights = mask[:, :, None].astype(np.float32)
    mean: Matrix = (tokens * weights).sum(axis=1) / weights.sum(axis=1)
    return mean


def _valid(text: str) -> str:
    """Replace lone surrogates, which the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _check(file: Path, sha256: str) -> None:
    with file.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
            raise ValueError(f"{file.name} is not the file that was exported")


def _options(n_threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Waiting threads that spin take the cores from everything else: with both cores busy, one
    # encoding took 450 to 830 ms with spinning and 125 to 190 ms without.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
