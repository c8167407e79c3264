"""Questions for which there is no room are refused before they are read as HTTP.

Who sends more than can be answered sends it without end, and each refusal takes time from answers.
"""

import time
from collections.abc import Iterable
from typing import Final

from trivium.app.admission import Room
from trivium.app.observing import Metrics
from trivium.app.requests import request_id, tell_of

_ASKED: Final = b"POST /ask HTTP/1.1\r\n"
_LINE: Final = b"\r\n"


class Shedding:
    """Refuses what is one whole question, beyond doubt, while all places are taken.

    All else goes its way through the application, which refuses it too.
    """

    def __init__(self, room: Room, metrics: Metrics) -> None:
        self._room = room
        self._metrics = metrics
        response = room.refusal()
        self._headers = tuple(response.raw_headers)
        self._body = bytes(response.body)

    @property
    def is_needed(self) -> bool:
        """Whether all places are taken."""
        return self._room.is_full

    def refused(
        self, data: bytes, usual: Iterable[tuple[bytes, bytes]]
    ) -> tuple[bytes, bool] | None:
        """Return the response to what came, and whether the connection ends; nothing: read it.

        Args:
            data: the first bytes of a request.
            usual: headers that every response has.
        """
        started = time.perf_counter()
        fields = _fields_of(data) if data.startswith(_ASKED) else None
        if fields is None:
            return None
        is_last = fields.get(b"connection", b"").lower() == b"close"
        own = request_id(fields.get(b"x-request-id", b"").decode("latin-1"))
        self._metrics.shed()
        seconds = time.perf_counter() - started
        tell_of(
            self._metrics, "POST", "/ask", status=503, seconds=seconds, notes={"request_id": own}
        )
        named = (b"x-request-id", own.encode()), (b"connection", b"close")
        headers = (*usual, *self._headers, *named[: 1 + is_last])
        told = b"".join(b"%s: %s\r\n" % header for header in headers)
        return b"HTTP/1.1 503 Service Unavailable\r\n" + told + _LINE + self._body, is_last


def _fields_of(data: bytes) -> dict[bytes, bytes] | None:
    """Return the headers of what is one whole request and no more, beyond doubt; else nothing."""
    head, _, body = data.removeprefix(_ASKED).partition(_LINE * 2)
    lines = head.split(_LINE)
    fields = {n.lower(): v.strip() for n, _, v in (line.partition(b":") for line in lines)}
    is_whole = fields.get(b"content-length") == b"%d" % len(body)
    is_plain = len(fields) == len(lines) and not fields.keys() & {b"transfer-encoding", b"expect"}
    return fields if is_whole and is_plain else None
