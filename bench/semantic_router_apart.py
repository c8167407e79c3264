"""Routes by the package ``semantic-router``; run in an environment of its own, with numpy.

``python semantic_router_apart.py DIR`` reads ``rows.json`` (rows to fit on, rows to route, each a
text and a label) and ``vectors.npy`` (theirs, in that order), and writes ``routes.json``.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from pydantic import Field
from semantic_router import Route
from semantic_router.encoders import DenseEncoder
from semantic_router.routers import IndexedRouter

_NONE = "nothing"


class Known(DenseEncoder):
    """Gives the vectors that the caller made."""

    name: str = "known"
    vectors: dict[str, list[float]] = Field(default_factory=dict)

    def __call__(self, docs: list[str]) -> list[list[float]]:
        """Return the vector of each text."""
        return [self.vectors[text] for text in docs]


def main() -> None:
    """Fit, route, write."""
    place = Path(sys.argv[1])
    fitted, held = json.loads((place / "rows.json").read_text())
    vectors = np.load(place / "vectors.npy").tolist()
    known = dict(zip((text for text, _ in [*fitted, *held]), vectors, strict=True))
    said: dict[str, list[str]] = {}
    for text, label in fitted:
        said.setdefault(label or _NONE, []).append(text)
    routes = [Route(name=label, utterances=texts) for label, texts in said.items()]
    router = IndexedRouter(Known(vectors=known), routes)
    found, times = [], []
    for text, _ in held:
        started = time.perf_counter()
        name = router(text).name
        times.append((time.perf_counter() - started) * 1000)
        found.append("" if name in (None, _NONE) else name)
    (place / "routes.json").write_text(json.dumps({"routes": found, "ms": times}))


if __name__ == "__main__":
    main()
