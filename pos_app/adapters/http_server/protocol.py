"""uvicorn's HTTP/1.1 protocol with deadlines and a limit of connections.

uvicorn waits for ever for the rest of a head or body, keeps reading a body that was refused, and
has no limit that some callers are exempt from. Here each connection is in one phase, each phase has
its time, and a caller that takes too long is cut off. Source: exactly-once.md, "The open local
server", 5.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import sys
from array import array
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from http import HTTPStatus
from typing import Any, cast

import h11
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from pos_app import log
from pos_app.http_front.delivery import CONNECTION
from pos_app.http_front.request_id import id_given
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.request_id import HEADER, new_request_id

if sys.platform == "win32":
    _UNSENT = _UNREAD = 0

    def ioctl(file: int, request: int, buffer: array[int]) -> None:
        """Report nothing: this system has no such call."""
else:
    from fcntl import ioctl
    from termios import FIONREAD as _UNREAD
    from termios import TIOCOUTQ as _UNSENT

TAKEN_WITHIN_SECONDS = 10.0
_FIRST_BYTES = b"HTTP/1.1 "
_FIRST_LOOK_SECONDS, _LAST_LOOK_SECONDS = 0.0005, 0.02
_ANSWERED_SOON_SECONDS = 2.0
"""The time in which the system of a caller that still reads acknowledges a byte."""
_FRESH_SECONDS = 0.2
_UNTOLD_SECONDS = 0.1
"""The time for a reset where this system does not tell what was acknowledged."""
_FILES_KEPT = 96
"""Open files that no connection gets: our own, and the few for connections being accepted."""
_FILES_OF_OUR_OWN = 64
_UNSENT_BYTES = 128 * 1024
"""The unsent bytes that the system may buffer for one caller."""
_LAST_SECONDS = 0.5
"""The time for a caller that connected, or began a body, just before the end, to finish."""
_LEAST_CONNECTIONS, _LEAST_BACKLOG = 16, 2
_BACKLOG_SHARE = 4
"""The open files to count for each connection of the backlog. asyncio may accept this many times
the backlog before we get to close any old connection."""


_log = log.get(__name__)


class Phase(Enum):
    HEAD = "the head of a request"
    BODY = "the body of a request"
    WORK = "the application"
    LINGER = "the rest of a body that was answered already, or the caller's own end"
    IDLE = "another request"


class ConnectionClass(Enum):
    NEW = "no request yet"
    OPEN = "open to anybody"
    RESERVED = "reserved"


def _nobody(scope: Scope) -> bool:
    return False


def _plain_malformed(fault: str) -> tuple[int, bytes]:
    return 400, b'"malformed"'


def _plain_late() -> tuple[int, bytes]:
    return 408, b'"late"'


async def _plain_busy(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("Too many connections", 429)(scope, receive, send)


def _small_steps(transport: asyncio.Transport) -> None:
    """Let the system report early that a caller goes on reading. By itself it keeps megabytes for a
    slow caller, and reports room only when a third of them is gone."""
    connected = transport.get_extra_info("socket")
    if connected is not None and hasattr(socket, "TCP_NOTSENT_LOWAT"):
        with contextlib.suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of a server. Times in seconds.

    open_connections: the limit of connections whose requests `is_reserved` does not claim; busy
    answers one more. connections: the limit for all, which is much higher, so that a new caller has
    time for its request however fast others come back. backlog: the number of waiting connections
    that are accepted before any is looked at. malformed: returns status and JSON body for bytes
    that are no HTTP; its argument is the parser's description of the fault. late: returns status
    and JSON body for a body that was not whole within its time, or whose caller closed its side
    before sending all of it. linger_seconds: the time for a caller that sends everything before it
    reads, because a reset would destroy the answer before it is read; 30 MB from a slow shop take
    25 s.
    """

    head_seconds: float = 10.0
    body_seconds: float = 30.0
    idle_seconds: float = 60.0
    linger_seconds: float = 30.0
    write_seconds: float = 30.0
    open_connections: int = 64
    connections: int = 512
    backlog: int = 2048
    is_reserved: Callable[[Scope], bool] = _nobody
    busy: ASGIApp = _plain_busy
    malformed: Callable[[str], tuple[int, bytes]] = _plain_malformed
    late: Callable[[], tuple[int, bytes]] = _plain_late

    def within(self, files: int) -> ConnectionLimits:
        """Return the limits for a program that may have that many files open, so that callers leave
        some for the databases and the connection to the processor, and accepting never fails."""
        connections = min(self.connections, max(_LEAST_CONNECTIONS, files - _FILES_KEPT))
        left = files - _FILES_OF_OUR_OWN - connections
        return replace(
            self,
            connections=connections,
            open_connections=min(self.open_connections, max(1, connections // 2)),
            backlog=min(self.backlog, max(_LEAST_BACKLOG, left // _BACKLOG_SHARE)),
        )

    def seconds(self, phase: Phase) -> float | None:
        """Return how long a connection may stay in a phase; the application keeps its own time."""
        times = {
            Phase.HEAD: self.head_seconds,
            Phase.BODY: self.body_seconds,
            Phase.LINGER: self.linger_seconds,
            Phase.IDLE: self.idle_seconds,
        }
        return times.get(phase)


class LimitedConfig(Config):
    """uvicorn's configuration, which passes the limits to each connection.

    open_now: the number of connections of the class OPEN. by_use: all HTTP connections, first the
    one that has been in its phase for longest.
    """

    def __init__(self, app: ASGIApp, *, limits: ConnectionLimits, **options: Any) -> None:
        super().__init__(app, **options)
        self.limits = limits
        self.open_now = 0
        self.by_use: dict[TimedH11, None] = {}


class _StrictConnection(h11.Connection):
    """Refuses a request that gives the length of its body in two ways. h11 would accept it, but an
    intermediary may have read the length in the other way; then what is the body for one program is
    the next request for the other (RFC 9112, 6.3 and 11.2)."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class _BegunAnswer:
    """A transport for the answer to a caller that ended its side, whose first bytes are sent before
    the answer is known: they are the same in each answer.

    A caller that only ended its side takes such a byte; the system of one that closed answers it
    with a reset. Nothing else tells the two apart.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._sent = 0
        self._has_answer = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def ask(self) -> bool:
        """Send one more of these bytes, unless the answer itself is on its way; return False where
        none is left."""
        if self._has_answer:
            return True
        if self._sent == len(_FIRST_BYTES):
            return False
        self._transport.write(_FIRST_BYTES[self._sent : self._sent + 1])
        self._sent += 1
        return True

    def write(self, data: bytes) -> None:
        """Write a part of the answer, without what was sent of it."""
        self._has_answer = self._has_answer or bool(data)
        self._transport.write(data[self._sent :])
        if data:
            self._sent = 0


class _LastAnswer:
    """A transport for an answer that may be the last of its connection, and whose delivery is
    reported. end: called in place of closing both sides."""

    def __init__(self, transport: asyncio.Transport, end: Callable[[], None]) -> None:
        self._transport = transport
        self.close = end

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class TimedH11(H11Protocol):
    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(config, LimitedConfig)
        self.conn = _StrictConnection(h11.SERVER)  # uvicorn has the same limit of a head
        self._limits = config.limits
        self._server = config
        self._application: Any = self.app
        self.app = self._admit
        self._phase: Phase | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        self._closes_after = self._is_handed_on = self._is_last = False
        self._settling: Callable[[bool], None] | None = None
        self._ended_well: bool | None = None
        self._has_ended = self._has_ended_ours = False
        self._begun: _BegunAnswer | None = None
        self._asked_at = -_FRESH_SECONDS
        self.connection_class = ConnectionClass.NEW

    # --- the life of a connection --------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Follow a new caller; where there are too many, an idle connection gives way."""
        super().connection_made(cast(asyncio.Transport, transport))
        # Bytes count as written once the system took them. With a limit of 0 asyncio's TLS pauses
        # for ever.
        is_plain = self.transport.get_extra_info("ssl_object") is None
        self.transport.set_write_buffer_limits(high=0 if is_plain else 1)
        _small_steps(self.transport)
        self._used_now()
        if len(self.connections) > self._limits.connections and not self._evict(
            set(ConnectionClass)
        ):
            self.transport.abort()
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended_well = exc is None and not self._untaken() and not self._is_reset()
        self._settle(self._ended_well)
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._has_ended_ours:  # what comes after the last answer is for nobody
            super().data_received(data)
            self._follow()

    def eof_received(self) -> bool:  # type: ignore[override]  # as asyncio has it
        """Answer a body that ends too early at once: the caller sends no more. Return whether the
        connection stays open for the answers to whole requests.

        A caller that ended its side after its request may still read, and may have closed:
        `is_here` finds out. TLS ends both sides at once.
        """
        if self.transport.is_closing():
            return False
        if self._phase is Phase.BODY:
            self._refuse_late()
        if self._phase is not Phase.WORK or self.transport.get_extra_info("ssl_object"):
            return False
        self._has_ended = True
        self._begin_answer()
        return True

    def _begin_answer(self) -> None:
        """Let the present request be answered by way of its first bytes."""
        last = self._last
        if last is not None and not last.response_started and self._begun is None:
            self._begun = _BegunAnswer(self.transport)
            last.transport = cast(asyncio.Transport, self._begun)

    def on_response_complete(self) -> None:
        """Begin the next phase after an answer; an unfinished body has LINGER's time."""
        self._begun = None
        super().on_response_complete()
        if self._has_ended and not self.transport.is_closing():
            if self.waits:
                self.transport.close()
            elif self._present_phase() is Phase.WORK:
                self._begin_answer()
            else:
                self._refuse_late()
        self._unset_keepalive_if_required()  # the phase IDLE counts instead
        self._follow()

    def pause_writing(self) -> None:
        """Give a caller that does not read its answer some time for that."""
        super().pause_writing()
        self._stall = self.loop.call_later(self._limits.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def shutdown(self) -> None:
        """Stop: answer a request that is whole, or will be in a moment, and drop half a request."""
        if self.transport.is_closing():
            return
        if self._may_have_asked():
            self._is_last = True
            self._disarm()
            self._deadline = self.loop.call_later(_LAST_SECONDS, self.transport.close)
        elif self._phase is Phase.BODY:
            self._disarm()
            self._deadline = self.loop.call_later(_LAST_SECONDS, self.transport.abort)
            super().shutdown()
        elif self._phase is Phase.LINGER:
            self.transport.close()
        else:
            super().shutdown()

    def _may_have_asked(self) -> bool:
        """Tell whether an unread request may be on its way: its caller could not know what became
        of it if the connection ended now."""
        if self._phase not in {Phase.HEAD, Phase.IDLE}:
            return False
        return self._last is None or self._waiting(_UNREAD) > 0

    @property
    def _last(self) -> RequestResponseCycle | None:
        return self.cycle  # None until the first request, whatever its type says

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to the websocket, which keeps its own time."""
        self._leave()
        self._is_handed_on = True
        super().handle_websocket_upgrade(event)

    # --- phases and their time -----------------------------------------------------------------

    @property
    def waits(self) -> bool:
        """Whether no request of this connection is being worked on."""
        last = self._last
        return last is None or last.response_complete

    @property
    def gives_way(self) -> bool:
        """Whether closing the connection costs time alone: half a body is no request yet."""
        return self.waits or self._phase is Phase.BODY

    def _follow(self) -> None:
        if self._is_handed_on or self.transport.is_closing():
            self._disarm()
            return
        if self._is_last and self._last is not None:
            self._last.keep_alive = False
        if self._closes_after and self.conn.their_state is not h11.SEND_BODY:
            self.transport.close()
            return
        phase = self._present_phase()
        if phase is self._phase:
            return
        self._disarm()
        self._phase = phase
        self._used_now()
        seconds = self._limits.seconds(phase)
        if seconds is not None:
            end = self._refuse_late if phase is Phase.BODY else self.transport.abort
            self._deadline = self.loop.call_later(seconds, end)

    def _present_phase(self) -> Phase:
        if self._has_ended_ours:
            return Phase.LINGER
        if self.conn.their_state is h11.SEND_BODY:
            return Phase.LINGER if self.waits else Phase.BODY
        if not self.waits:
            return Phase.WORK
        has_begun = self._last is None or bool(self.conn.trailing_data[0])
        return Phase.HEAD if has_begun else Phase.IDLE

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    # --- what became of an answer ----------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return not self.transport.is_closing()

    async def is_here(self) -> bool:
        if self._begun is None or self.loop.time() - self._asked_at < _FRESH_SECONDS:
            return self.is_open and not self._is_reset()
        if not self._begun.ask():
            return False
        if not _UNSENT:  # a reset is seen by the second byte
            await asyncio.sleep(_UNTOLD_SECONDS)
            self._begun.ask()
            await asyncio.sleep(_UNTOLD_SECONDS)
        await self._acknowledged(_ANSWERED_SOON_SECONDS)
        is_here = self.is_open and not self._is_reset() and not self._untaken()
        if is_here:
            self._asked_at = self.loop.time()
        return is_here

    async def _acknowledged(self, seconds: float) -> None:
        """Wait until the other system has everything that was written, or until it is gone."""
        pause, until = _FIRST_LOOK_SECONDS, self.loop.time() + seconds
        while self._untaken() and self.loop.time() < until and self.is_open:
            if self._is_reset():
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LAST_LOOK_SECONDS)

    async def taken(self) -> bool:
        await self._acknowledged(TAKEN_WITHIN_SECONDS)
        await asyncio.sleep(0)  # the loop reports a closed connection only in its next turn
        if self.transport.is_closing():
            await asyncio.sleep(0)
            return bool(self._ended_well)
        return not self._untaken() and not self._is_reset()

    def settle(self, report: Callable[[bool], None]) -> None:
        self._settling = report
        if self._ended_well is not None:
            self._settle(self._ended_well)
        elif self._last is not None and not self._has_ended:
            transport = _LastAnswer(self.transport, self._end_own_side)
            self._last.transport = cast(asyncio.Transport, transport)

    def _end_own_side(self) -> None:
        """End our side alone, because a reset in place of the caller's end is what tells that it
        threw the answer away. TLS ends both at once, and a server that stops waits for nobody."""
        if self._is_last or not self.transport.can_write_eof():
            self.transport.close()
            return
        self._has_ended_ours = True
        with contextlib.suppress(OSError):  # the caller is gone already
            self.transport.write_eof()

    def _settle(self, is_kept: bool) -> None:
        report, self._settling = self._settling, None
        if report is not None:
            report(is_kept)

    def _is_reset(self) -> bool:
        """Tell whether the other system ended the connection of a caller that had ended its side:
        asyncio no longer reads there, and says nothing of it. Windows tells it at a write."""
        connected = self.transport.get_extra_info("socket")
        if not self._has_ended or not hasattr(select, "poll") or connected.fileno() < 0:
            return False
        look = select.poll()
        look.register(connected.fileno(), 0)
        return bool(look.poll(0))

    def _untaken(self) -> int:
        """Return the bytes written that the other system has not acknowledged, as far as this
        system tells; Windows tells nothing."""
        unsent = self._waiting(_UNSENT) + (self.transport.get_write_buffer_size() if _UNSENT else 0)
        return max(0, unsent - self._has_ended_ours)  # the end of our side counts as a byte

    def _waiting(self, which: int) -> int:
        """Return the bytes in the system's buffer for sent or received data; 0 if unknown."""
        connected = self.transport.get_extra_info("socket")
        if not which or connected is None or connected.fileno() < 0:
            return 0
        waiting = array("i", [0])
        try:
            ioctl(connected.fileno(), which, waiting)
        except OSError:
            return 0
        return waiting[0]

    # --- how many --------------------------------------------------------------------------------

    async def _admit(self, scope: Any, receive: Any, send: Any) -> None:
        self._settle(True)
        scope.setdefault("extensions", {})[CONNECTION] = self
        is_reserved = self._limits.is_reserved(scope)
        if is_reserved or self.connection_class is ConnectionClass.OPEN or self._has_room():
            if not self.transport.is_closing():
                self.take_class(ConnectionClass.RESERVED if is_reserved else ConnectionClass.OPEN)
            await self._application(scope, receive, send)
        else:
            self._closes_after = True
            await self._limits.busy(scope, receive, send)

    def _has_room(self) -> bool:
        is_room = self._server.open_now < self._limits.open_connections
        return is_room or self._evict({ConnectionClass.OPEN})

    def take_class(self, connection_class: ConnectionClass) -> None:
        """Give the connection another class; only connections of the class OPEN are counted."""
        self._server.open_now += connection_class is ConnectionClass.OPEN
        self._server.open_now -= self.connection_class is ConnectionClass.OPEN
        self.connection_class = connection_class

    def _evict(self, classes: set[ConnectionClass]) -> bool:
        """Close the connection that kept us waiting longest, reserved ones last; return False if
        all work. A body counts from its beginning, however often a byte of it comes."""
        reserved = None
        for one in self._server.by_use:
            is_leaving = one is self or one.transport.is_closing()
            if is_leaving or one.connection_class not in classes or not one.gives_way:
                continue
            if one.connection_class is not ConnectionClass.RESERVED:
                one.give_way()
                return True
            reserved = reserved or one
        if reserved is not None:
            reserved.give_way()
        return reserved is not None

    def give_way(self) -> None:
        """Close the connection for another one, which is counted in its stead at once."""
        self.transport.abort()
        self._leave()

    def _leave(self) -> None:
        self._disarm()
        self.take_class(ConnectionClass.NEW)
        self._server.by_use.pop(self, None)

    def _used_now(self) -> None:
        self._server.by_use.pop(self, None)
        self._server.by_use[self] = None

    # --- what the application does not answer ----------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are no HTTP, in the server's own form. Call this only inside the
        `except` block: it reads the current exception."""
        self._end_with(lambda: self._limits.malformed(str(sys.exception())))

    def _refuse_late(self) -> None:
        """Answer that the body is late. To the application the caller is gone."""
        self._end_with(self._limits.late)

    def _end_with(self, answer: Callable[[], tuple[int, bytes]]) -> None:
        """Answer in place of the application, where it has not begun to, and close."""
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.abort()
            return
        if (last := self._last) is not None and not last.response_complete:
            last.disconnected = True  # the body of this request is at fault: this is its answer
            last.message_event.set()
        status, body = answer()
        is_its = last is not None and not last.response_complete
        request_id = (
            id_given(cast("dict[str, Any]", last.scope)) if last and is_its else ""
        ) or new_request_id()
        values = {"status": status, "request": request_id}
        _log.info("a request was refused before it came whole", extra={"fields": values})
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            (HEADER.lower().encode(), request_id.encode()),
        ]
        events = (
            h11.Response(
                status_code=status, headers=headers, reason=HTTPStatus(status).phrase.encode()
            ),
            h11.Data(data=body),
            h11.EndOfMessage(),
        )
        for event in events:
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
