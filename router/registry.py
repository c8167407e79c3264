"""Router models by version: the shipped one, and those of a home."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import structlog

from router.model import RouterModel
from trivium.domain.errors import ConflictError, DataError, NotFoundError

SHIPPED = Path(__file__).parent / "models" / "shipped.npz"
"""The model that comes with the package."""
_NAME: Final = re.compile(r"[\w.+-]{1,100}")

_log = structlog.get_logger(__name__)


class Registry:
    """A folder of models and their cards, one of which serves.

    ``serving`` names what was promoted, in order: the last one serves; where it is empty, the
    shipped one does. Every file is replaced whole, so that a crash leaves the old or the new one.
    """

    def __init__(self, directory: Path, base: RouterModel | None = None) -> None:
        self._directory = directory
        self._base = base

    def base(self) -> RouterModel:
        """Return the model that serves before any was trained here: the shipped one.

        Raises:
            DataError: its file is damaged.
        """
        self._base = self._base or RouterModel.load(SHIPPED)
        return self._base

    def versions(self) -> tuple[str, ...]:
        """Return the versions that were trained here, oldest first."""
        files = sorted(self._directory.glob("*.npz"), key=lambda path: path.stat().st_mtime_ns)
        return tuple(path.stem for path in files)

    def card(self, version: str) -> Mapping[str, object]:
        """Return what is known of a version; nothing where its card is lost."""
        try:
            found: Mapping[str, object] = json.loads(self._file(version, "json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found

    def keep(self, model: RouterModel) -> None:
        """Keep a model; it does not serve yet."""
        self._directory.mkdir(parents=True, exist_ok=True)
        model.save(self._file(model.version, "npz"))
        self.describe(model.version, model.card)

    def describe(self, version: str, card: Mapping[str, object]) -> None:
        """Write the card of a version."""
        text = json.dumps(dict(card), indent=1, sort_keys=True)
        self._write(self._file(version, "json"), text)

    def save(self, model: RouterModel) -> None:
        """Keep a model, and let it serve."""
        self.keep(model)
        self.promote(model.version)

    def load(self, version: str) -> RouterModel:
        """Return a version.

        Raises:
            NotFoundError: there is none of that name.
            DataError: its file is damaged.
        """
        if version == self.base().version:
            return self.base()
        path = self._file(version, "npz")
        if not path.exists():
            raise NotFoundError(f"There is no router version {version[:80]!r}.")
        return RouterModel.load(path)

    def promote(self, version: str) -> RouterModel:
        """Let a version serve, and return it; the same again changes nothing.

        Raises:
            NotFoundError: there is none of that name.
            DataError: its file is damaged; what served goes on.
        """
        model = self.load(version)
        served = self._served()
        if served[-1:] != [version]:
            self._serve([*served, version])
        return model

    def rollback(self) -> RouterModel:
        """Let what served before serve again, and return it.

        Raises:
            ConflictError: the shipped model serves already.
            DataError: the file of the earlier one is damaged; what served goes on.
        """
        served = self._served()
        if not served:
            raise ConflictError("The shipped router serves: there is nothing to go back to.")
        before = served[:-1]
        model = self.load(before[-1]) if before else self.base()
        self._serve(before)
        return model

    def current(self) -> RouterModel:
        """Return the model that serves; past damaged ones, that which served before.

        Raises:
            DataError: the shipped one is damaged too.
        """
        for version in reversed(self._served()):
            try:
                return self.load(version)
            except (DataError, NotFoundError) as error:
                _log.error("router_model_unusable", version=version, error=str(error))
        return self.base()

    def _served(self) -> list[str]:
        try:
            lines = (self._directory / "serving").read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return []
        return [line for line in lines if _NAME.fullmatch(line)]

    def _serve(self, versions: list[str]) -> None:
        self._write(self._directory / "serving", "\n".join(versions))

    def _file(self, version: str, kind: str) -> Path:
        if not _NAME.fullmatch(version):
            raise NotFoundError(f"There is no router version {version[:80]!r}.")
        return self._directory / f"{version}.{kind}"

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
