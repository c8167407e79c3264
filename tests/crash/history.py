"""What was said to a server and what it acknowledged; and whether it is all there."""

import asyncio
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Register:
    acknowledged: object = None
    open: list[object] = field(default_factory=list)
    """Said since then, and not acknowledged: each may have happened or not."""


class History:
    """Registers, each written by one client at a time.

    ``begin`` before a value is sent, ``done`` when it was acknowledged. Afterwards a register
    holds the value that was acknowledged last, or one that was sent since.

    Attributes:
        n_begun: how many values were sent.
        n_done: how many of them were acknowledged.
    """

    def __init__(self) -> None:
        self.n_begun = 0
        self.n_done = 0
        self._marks: list[tuple[int, asyncio.Event]] = []
        self._registers: defaultdict[Hashable, _Register] = defaultdict(_Register)

    def begin(self, key: Hashable, value: object) -> None:
        """Note that ``value`` is about to be sent."""
        self.n_begun += 1
        self._registers[key].open.append(value)
        for n, event in self._marks:
            if self.n_begun >= n:
                event.set()

    def done(self, key: Hashable, value: object) -> None:
        """Note that ``value`` was acknowledged."""
        self.n_done += 1
        self._registers[key] = _Register(value)

    def mark(self, n: int) -> asyncio.Event:
        """Return what is set when ``n`` more values were begun."""
        event = asyncio.Event()
        self._marks.append((self.n_begun + n, event))
        return event

    def refused(self, key: Hashable, value: object) -> None:
        """Note that ``value`` was refused for good: it did not happen."""
        self._registers[key].open.remove(value)

    def acknowledged(self, key: Hashable) -> object:
        """Return what was acknowledged last under ``key``; ``None`` for nothing."""
        return self._registers[key].acknowledged

    def check(self, found: Mapping[Hashable, object]) -> list[str]:
        """Return what is wrong with what was found, and go on from there.

        Args:
            found: what each register holds; one that is left out holds ``None``.
        """
        wrong = [f"nobody wrote {key!r}: {found[key]!r}" for key in found.keys() - self._registers]
        for key, register in self._registers.items():
            value = found.get(key)
            if value != register.acknowledged and value not in register.open:
                wrong.append(
                    f"{key!r} holds {value!r}; acknowledged was {register.acknowledged!r}, "
                    f"and after it {register.open!r} was sent"
                )
            self._registers[key] = _Register(value)
        return wrong
