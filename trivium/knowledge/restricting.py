"""What has an access list is kept out of a projection that tells all readers the same."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trivium.domain.knowledge import Change, ChangeKind
from trivium.domain.payloads import allowed
from trivium.domain.ports import Projection

_DROPS: Final = {
    ChangeKind.PUT_NODE: ChangeKind.DROP_NODE,
    ChangeKind.PUT_EDGE: ChangeKind.DROP_EDGE,
}


class ForEverybody:
    """A ``Projection`` that passes on just what everybody may see.

    What gets an access list goes from it, and comes back when the list is taken away.
    """

    def __init__(self, inner: Projection) -> None:
        self._inner = inner
        self.name = inner.name

    async def watermark(self) -> int:
        """Return the watermark; see ``Projection``."""
        return await self._inner.watermark()

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        """Pass changes on; see ``Projection``."""
        await self._inner.apply([_for_everybody(change) for change in changes], upto)

    async def clear(self) -> None:
        """Forget everything; see ``Projection``."""
        await self._inner.clear()


def _for_everybody(change: Change) -> Change:
    drop = _DROPS.get(change.kind)
    if drop is None or allowed(change.payload) is None:
        return change
    return replace(change, kind=drop, payload={})
