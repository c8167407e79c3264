"""The one deadline of a request."""

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock by which a request must end."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """Return the deadline that lies ``seconds`` ahead."""
        return cls(time.monotonic() + seconds)

    def sooner(self, seconds: float) -> "Deadline":
        """Return the deadline that lies ``seconds`` before."""
        return Deadline(self.at - seconds)

    @property
    def remaining_s(self) -> float:
        """Seconds left; 0 when it has passed."""
        return max(0.0, self.at - time.monotonic())
