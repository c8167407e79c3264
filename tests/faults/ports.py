"""Ports that fail on demand: a wrapper for any asynchronous port, and one for a graph store."""

import asyncio
import inspect
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from tiers.graphrag.view import GraphView
from trivium.domain.errors import DependencyError


class Fault(StrEnum):
    """How something fails."""

    NONE = "none"
    FAIL = "fail"
    """It says that it does not answer."""
    CRASH = "crash"
    """It raises what nobody expects."""
    HANG = "hang"
    """It does not return until it is mended."""
    SLOW = "slow"


class Switch:
    """What sets the fault of one dependency, and mends it."""

    def __init__(self, slow_s: float = 0.2) -> None:
        self.slow_s = slow_s
        self.fault = Fault.NONE
        self.n_struck = 0
        self._mended = threading.Event()
        self._mended_here = asyncio.Event()

    def set(self, fault: Fault) -> None:
        """Fail so from now on; ``Fault.NONE`` lets go of all that hangs."""
        self._mended.set()
        self._mended_here.set()
        self._mended, self._mended_here = threading.Event(), asyncio.Event()
        self.fault = fault

    async def strike(self) -> None:
        """Fail as it is set to."""
        mended = self._mended_here
        if self._raises():
            await mended.wait()
        elif self.fault is Fault.SLOW:
            await asyncio.sleep(self.slow_s)

    def strike_thread(self) -> None:
        """Fail as it is set to, in a thread."""
        mended = self._mended
        if self._raises():
            mended.wait()
        elif self.fault is Fault.SLOW:
            mended.wait(self.slow_s)

    def _raises(self) -> bool:
        """Raise where it is set to; return whether it should hang instead."""
        self.n_struck += self.fault is not Fault.NONE
        if self.fault is Fault.FAIL:
            raise DependencyError("it was told to fail")
        if self.fault is Fault.CRASH:
            raise RuntimeError("it was told to crash")
        return self.fault is Fault.HANG


class FaultyPort:
    """Any port: each asynchronous method fails as the switch says, and works otherwise."""

    def __init__(self, port: Any, switch: Switch) -> None:
        self._port = port
        self._switch = switch

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._port, name)
        if not inspect.iscoroutinefunction(member):
            return member

        async def call(*arguments: Any, **named: Any) -> Any:
            await self._switch.strike()
            return await member(*arguments, **named)

        return call


class FaultyGraph:
    """A graph store whose reading fails as the switch says."""

    def __init__(self, graph: Any, switch: Switch) -> None:
        self._graph = graph
        self._switch = switch

    @contextmanager
    def reading(self) -> Iterator[GraphView]:
        self._switch.strike_thread()
        with self._graph.reading() as view:
            yield view
