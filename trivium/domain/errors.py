"""The one error tree of Trivium.

TriviumError
├── InputError            the caller sent something that cannot be used
│   ├── DataError         a data set, or a row of it, cannot be used
│   └── PlanError         a plan does not fit the schema or its operators
├── NotFoundError         nothing has that id
├── ConflictError         the change contradicts what is stored
├── DependencyError       a store or service did not answer
│   └── NotAskedError     it was not asked, since it failed before or is busy
├── DeadlineError         the time given was used up
├── ModelOutputError      a language model answered with something unusable
└── HomeError             the home cannot be opened: it is owned, or damaged

A miss is a value, never an error.
"""

from collections.abc import Sequence


class TriviumError(Exception):
    """The root of every error that Trivium raises on purpose."""


class InputError(TriviumError):
    """What the caller sent cannot be used.

    Attributes:
        errors: one ``(where, what)`` pair for each fault found.
    """

    def __init__(self, message: str, errors: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.errors = tuple(errors)


class DataError(InputError):
    """A data set, or a row of it, cannot be used."""


class PlanError(InputError):
    """A plan does not fit the schema or the operators."""


class NotFoundError(TriviumError):
    """Nothing has that id."""


class ConflictError(TriviumError):
    """The change contradicts what is stored.

    Attributes:
        errors: one ``(where, what)`` pair for each contradiction, where there are several.
    """

    def __init__(self, message: str, errors: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.errors = tuple(errors)


class DependencyError(TriviumError):
    """A store or a service did not answer."""


class NotAskedError(DependencyError):
    """A store or a service was not asked: it failed before, or has more to do than it can."""


class DeadlineError(TriviumError):
    """The time given was used up."""


class ModelOutputError(TriviumError):
    """A language model answered with something unusable."""


class HomeError(TriviumError):
    """The home cannot be opened: another process owns it, or it is damaged."""
