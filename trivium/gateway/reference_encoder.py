"""Embeddings from any model that sentence-transformers can load, by name or by folder."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trivium.domain.errors import DependencyError
from trivium.domain.question import Vector

if TYPE_CHECKING:  # torch takes seconds and hundreds of megabytes: only who opens one pays
    from sentence_transformers import SentenceTransformer


class ReferenceEncoder:
    """A sentence encoder on sentence-transformers; slower than ``OnnxEncoder``, for any model."""

    def __init__(self, model: "SentenceTransformer") -> None:
        self._model = model

    @classmethod
    def open(cls, model: str) -> "ReferenceEncoder":
        """Load ``model``: a folder, or a name that was downloaded before; nothing is fetched.

        Raises:
            DependencyError: sentence-transformers is not installed, or cannot load the model.
        """
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - see above

            return cls(SentenceTransformer(model, device="cpu", local_files_only=True))
        except ImportError as error:
            raise DependencyError(
                "this encoder needs: pip install sentence-transformers"
            ) from error
        except (OSError, ValueError) as error:
            raise DependencyError(f"cannot load the encoder {model!r}: {error}") from error

    async def encode(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return one vector of unit length for each text, in order; long texts are cut.

        Raises:
            DependencyError: the model failed on these texts.
        """
        return await asyncio.to_thread(self._embed, list(texts))

    def _embed(self, texts: list[str]) -> tuple[Vector, ...]:
        if not texts:
            return ()
        try:
            vectors = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        except (RuntimeError, ValueError, TypeError) as error:
            raise DependencyError(f"the encoder failed: {error}") from error
        return tuple(tuple(float(x) for x in row) for row in vectors)
