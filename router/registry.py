"""Router models by version: the shipped one, and those of a home."""

from pathlib import Path

from router.model import RouterModel

SHIPPED = Path(__file__).parent / "models" / "shipped.npz"
"""The model that comes with the package."""


class Registry:
    """A folder of models, one of which serves."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def versions(self) -> tuple[str, ...]:
        """Return the versions there are, oldest first."""
        return tuple(sorted(path.stem for path in self._directory.glob("*.npz")))

    def save(self, model: RouterModel) -> None:
        """Keep a model, and let it serve."""
        self._directory.mkdir(parents=True, exist_ok=True)
        model.save(self._directory / f"{model.version}.npz")
        fresh = self._directory / "current.new"
        fresh.write_text(model.version)
        fresh.replace(self._directory / "current")

    def current(self) -> RouterModel:
        """Return the model that serves: the one chosen last, else the shipped one.

        Raises:
            DataError: its file is damaged.
        """
        chosen = self._directory / "current"
        if not chosen.exists():
            return RouterModel.load(SHIPPED)
        return RouterModel.load(self._directory / f"{chosen.read_text().strip()}.npz")
