"""One connection at the door: a request must come in time, and what is no HTTP is a problem too."""

import asyncio
import json
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from trivium.app.problems import described
from trivium.app.shedding import Shedding


class Connection(H11Protocol):
    """Uvicorn's HTTP/1.1, which by itself waits for the rest of a head for ever."""

    head_s: ClassVar[float] = 10.0
    """Time for the first line and the headers of a request, from its first byte."""
    shedding: Shedding | None = None
    """What refuses a question that there is no room for, before it is read."""
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]  # as uvicorn has it
        self, transport: asyncio.Transport
    ) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; while it is less than a head, the time for the head runs on."""
        if self._is_shed(data):
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
        elif self._waiting is None and not self.transport.is_closing():
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(400, f"{msg.rstrip('.')}: its head is malformed, or larger than 16 KiB.")

    def _is_shed(self, data: bytes) -> bool:
        """Refuse a question that there is no room for; the connection waits for the next one."""
        if self.shedding is None or not (self.shedding.is_needed and self._is_between_requests()):
            return False
        refused = self.shedding.refused(data, self.server_state.default_headers)
        if refused is None:
            return False
        response, is_last = refused
        self._wait_no_more()
        self._unset_keepalive_if_required()
        self.transport.write(response)
        if is_last:
            self.transport.close()
        else:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )
        return True

    def _is_between_requests(self) -> bool:
        is_idle = self.conn.our_state is self.conn.their_state is h11.IDLE
        return is_idle and not self.conn.trailing_data[0] and not self.transport.is_closing()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.head_s, self._give_up)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if not self.transport.is_closing():
            self._refuse(408, f"The head of the request did not come within {self.head_s:g} s.")

    def _refuse(self, status: int, detail: str) -> None:
        """Answer with a problem, where nothing was answered yet, and close."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            problem = described(status, detail)
            headers = [("content-type", "application/problem+json"), ("connection", "close")]
            start = h11.Response(status_code=status, headers=headers, reason=str(problem["title"]))
            body = h11.Data(data=json.dumps(problem).encode())
            for event in (start, body, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
