"""Answer ids that we can tell from forged ones without looking anything up."""

import hmac
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from trivium.domain.errors import InputError

_SHAPE: Final = re.compile("ans_([0-9a-f]{32})_([0-9a-f]{20})")
_N_RANDOM_BYTES: Final = 10
_N_CHECKSUM_DIGITS: Final = 20
"""80 bits: too many to be guessed over the network."""


def _now() -> datetime:
    return datetime.now(UTC)


class AnswerIds:
    """Makes ids ``ans_<milliseconds and random digits>_<keyed checksum>``, in order of time."""

    def __init__(
        self,
        secret: bytes,
        random: Callable[[int], bytes],
        clock: Callable[[], datetime] = _now,
    ) -> None:
        """Take what ids are made of.

        Args:
            secret: the key of the checksums; ids of another key are not ours.
            random: gives so many random bytes.
            clock: gives the time, with its zone.

        Raises:
            InputError: ``secret`` is empty.
        """
        if not secret:
            raise InputError("the secret of the answer ids is empty")
        self._secret = secret
        self._random = random
        self._clock = clock

    def new(self) -> str:
        """Return a fresh id; one that is made in a later millisecond sorts after it."""
        milliseconds = int(self._clock().timestamp() * 1000)
        body = f"{milliseconds:012x}{self._random(_N_RANDOM_BYTES).hex()}"
        return f"ans_{body}_{self._checksum(body)}"

    def is_ours(self, id: str) -> bool:  # noqa: A002  # the word of the door
        """Whether ``id`` was made with our secret; any text may be asked about."""
        parts = _SHAPE.fullmatch(id)
        return parts is not None and hmac.compare_digest(self._checksum(parts[1]), parts[2])

    def _checksum(self, body: str) -> str:
        return hmac.digest(self._secret, body.encode(), "sha256").hex()[:_N_CHECKSUM_DIGITS]
