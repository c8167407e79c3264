"""Works something out once for one object, however many ask for it while that is at hand."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


class _Itself(Generic[_T]):
    """An object, equal to itself alone; what is equal to it may still be another."""

    __slots__ = ("it",)

    def __init__(self, it: _T) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.it is self.it


def once(n_kept: int) -> Callable[[Callable[[_T], _R]], Callable[[_T], _R]]:
    """Return a decorator that keeps what a pure function gives for the last ``n_kept`` objects.

    The objects are frozen, and stay alive so long; what is given is shared, so nobody changes it.
    """

    def kept(function: Callable[[_T], _R]) -> Callable[[_T], _R]:
        @lru_cache(maxsize=n_kept)
        def known(itself: _Itself[_T]) -> _R:
            return function(itself.it)

        @wraps(function)
        def call(it: _T) -> _R:
            return known(_Itself(it))

        return call

    return kept
