"""Opens and keeps the server's connection to the platform, and carries out the commands that arrive
on it.

Each command is passed to the door for receipts, with the relay's origin. A command is dropped if
its connection is gone, or if the machine slept about the time when the command was read: its sender
no longer waits, and the platform asks again under the same key.
Source: platform-contract.md 2.6 to 2.10; exactly-once.md (Steps; "The key travels the whole way").
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import field, replace
from typing import Any, Protocol

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt_identity import relay_origin
from pos_app.domain.receipt.server_status import PublicMode, PublicModeState, PublicNotice
from pos_app.errors import Invalid, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.relayed_command import LEAST_SECONDS, NO_TIME, ask
from pos_app.log import REQUEST_ID
from pos_app.wire import relay

AT_ONCE = 8
"""The most commands that are carried out at once. The till's own requests never wait for them
(`Rank.TILL`)."""
MOST_WAITING = 64
"""The most commands that may wait; further ones are declined at once."""
WELCOME_SECONDS = 10.0
STEADY_SECONDS = 60.0
"""After a connection that lasted this long the next one is tried soon."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 20.0
LEAST_SPREAD = 3.0
"""The least range, in seconds, of the random part of a pause. It keeps the tills of a platform that
restarts from coming back all at once."""
SLOW_PAUSE = 60.0
"""The seconds between two tries after a refusal that only a person can cure."""
CLONED_AFTER = 2
"""After this many replacements of an open connection by the same installation, each within
CLONE_SECONDS of the one before, a copy of the installation is taken to run on another computer. A
single replacement may have other reasons, such as an earlier connection of our own that nobody
reads."""
CLONE_SECONDS = 3 * 3600.0
CLONE_PAUSE, LONGEST_CLONE_PAUSE = 300.0, 3600.0
"""The seconds between two tries while this installation and its copy replace each other: the first
pause, which is doubled each time, and the longest."""
_MOST_DOUBLED = 4
"""The most doublings of the pause, after which it exceeds its limit anyway. Without this constant
the power of two might grow for months."""
CLONE_GONE_SECONDS = 2 * 3600.0
"""A connection that lasted this long proves that no copy runs any more, because the copy would have
come back sooner."""
_TICK_MS = 1000

_log = log.get(__name__)

TOO_LATE_SECONDS = 5.0


class LineClosed(PosError):
    """The connection is gone, or could not be opened.

    refusal: the platform's code for the reason, or "". by: the name of the application that is
    connected instead. slow: a person has to change something before a connection can succeed.
    at_least: the least seconds before the next try.
    """

    def __init__(
        self,
        kind: str = "",
        /,
        *,
        refusal: str = "",
        by: str = "",
        slow: bool = False,
        at_least: float = 0.0,
        **more: Any,
    ) -> None:
        super().__init__(kind, **more)
        self.refusal = refusal
        self.by = by
        self.slow = slow
        self.at_least = at_least


class RelayConnection(Protocol):
    """An open connection. Its methods raise LineClosed."""

    async def send(self, frame: str) -> None: ...

    async def receive(self) -> str | bytes: ...

    def beat_every(self, seconds: float) -> None:
        """Set the seconds between two pings of the other end."""
        ...

    async def close(self) -> None: ...


Dial = Callable[[], contextlib.AbstractAsyncContextManager[RelayConnection]]
"""Opens a connection. Entering it raises LineClosed."""


@dataclass(frozen=True, slots=True)
class RelayIdentity:
    """This server's identity for the platform. A person sees url, the platform's address, and
    program, this program's version."""

    client_id: str
    install_id: str
    store_id: str = ""
    name: str = ""
    url: str = ""
    program: str = ""


class RelayClient:
    def __init__(self, *, identity: RelayIdentity, dial: Dial, clock: Clock) -> None:
        self._identity = identity
        self._dial = dial
        self._clock = clock
        self._watch = SleepWatch(clock)
        self._state = PublicMode(
            PublicModeState.CONNECTING,
            clock.now(),
            url=identity.url,
            client_id=identity.client_id,
            store_id=identity.store_id,
        )
        self._replaced, self._replaced_at = 0, 0.0
        """The number of times that the same installation replaced an open connection, and the time
        of the last."""

    @property
    def status(self) -> PublicMode:
        return self._state

    async def run(self, door: ReceiptDoor) -> None:
        """Connect, and connect again whenever the connection ends, until cancelled."""
        pause = FIRST_PAUSE
        while True:
            began = self._clock.seconds()
            try:
                await self._connected(door)
                ended = LineClosed("ended")
            except LineClosed as error:
                ended = self._as_clone_if_repeated(error)
            self._note_end(ended)
            if self._clock.seconds() - began >= STEADY_SECONDS:
                pause = FIRST_PAUSE
            base = max(SLOW_PAUSE if ended.slow else pause, ended.at_least)
            await self._pause(base + random.uniform(0, max(LEAST_SPREAD, base / 2)))
            pause = min(LONGEST_PAUSE, pause * 2)

    def _as_clone_if_repeated(self, ended: LineClosed) -> LineClosed:
        """Return `ended`, or the error "cloned" if a copy of this installation replaces it again
        and again."""
        if ended.refusal != relay.RefusalCode.REPLACED:
            return ended
        now = self._clock.seconds()
        if now - self._replaced_at > CLONE_SECONDS:
            self._replaced = 0
        self._replaced, self._replaced_at = self._replaced + 1, now
        often = self._replaced - CLONED_AFTER
        if often < 0:
            return ended
        if self._state.cloned_since is None:
            self._state = replace(self._state, cloned_since=self._clock.now())
        pause = min(LONGEST_CLONE_PAUSE, CLONE_PAUSE * 2 ** min(often, _MOST_DOUBLED))
        return LineClosed("cloned", refusal="cloned", slow=True, at_least=pause)

    def _forget_copy(self) -> None:
        if self._state.cloned_since is not None:
            self._replaced = 0
            self._state = replace(self._state, cloned_since=None)

    async def _pause(self, seconds: float) -> None:
        await self._clock.pause(int(seconds * 1000), until=asyncio.Event())

    async def _connected(self, door: ReceiptDoor) -> None:
        """Open a connection, and carry out its commands until it ends."""
        async with self._dial() as channel:
            self._watch.tick()
            account = await self._greet(channel)
            connection = _Connection(door, channel, self._clock, self._watch)
            connection.origin = relay_origin(account=account, client=self._identity.client_id)
            async with connection.working(), self._ticking(channel):
                while True:
                    self._take(connection, _read(await channel.receive()))

    async def _greet(self, channel: RelayConnection) -> str:
        """Send this server's identity, and return the account's id."""
        who = self._identity
        hello = relay.HelloMessage(
            version=relay.VERSION,
            client_id=who.client_id,
            install_id=who.install_id,
            store_id=who.store_id or None,
            name=who.name[:100],
            program=who.program[:40],
        )
        await channel.send(relay.written(hello))
        try:
            async with asyncio.timeout(WELCOME_SECONDS):
                message = _read(await channel.receive())
        except TimeoutError:
            raise LineClosed("unanswered") from None
        if isinstance(message, relay.RefusedMessage):
            raise _refused(message)
        if not isinstance(message, relay.WelcomeMessage):
            raise LineClosed("no_protocol", slow=True)
        channel.beat_every(message.heartbeat_seconds)
        self._set_state(PublicModeState.CONNECTED)
        self._state = replace(self._state, newcomer=None)
        _log.info("connected to the platform")
        return message.account_id

    def _take(self, connection: _Connection, message: relay.FromPlatform) -> None:
        match message:
            case relay.CommandMessage():
                if self._watch.slept():
                    raise LineClosed("slept")
                connection.take(message)
            case relay.NoticeMessage():
                self._note(message)
            case relay.RefusedMessage():
                raise _refused(message)
            case relay.WelcomeMessage():
                raise LineClosed("second_welcome")

    @contextlib.asynccontextmanager
    async def _ticking(self, channel: RelayConnection) -> AsyncIterator[None]:
        """While inside, close the connection if the machine slept."""

        began = self._clock.seconds()

        async def tick() -> None:
            while True:
                await self._clock.pause(_TICK_MS, until=asyncio.Event())
                if self._watch.slept():
                    _log.warning("the machine slept: the connection is opened anew")
                    await channel.close()
                    return
                self._watch.tick()
                if self._clock.seconds() - began > CLONE_GONE_SECONDS:
                    self._forget_copy()

        task = asyncio.create_task(tick(), name="relay clock")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _note(self, message: relay.NoticeMessage) -> None:
        """Keep the platform's notice that it refused a newcomer. The same notice is logged only
        once."""
        before = self._state.newcomer
        if before is None or (before.code, before.name) != (message.code, message.name):
            _log.warning("the platform tells: %s", message.reason)
            made = PublicNotice(self._clock.now(), message.code, message.name, message.reason)
            self._state = replace(self._state, newcomer=made)

    def _note_end(self, ended: LineClosed) -> None:
        state = PublicModeState.REFUSED if ended.slow else PublicModeState.AWAY
        if (state, ended.what) != (self._state.state, self._state.words):
            _log.warning("no connection to the platform: %s", ended.what)
        self._set_state(state, code=ended.refusal, words=ended.what, by=ended.by)

    def _set_state(
        self, state: PublicModeState, *, code: str = "", words: str = "", by: str = ""
    ) -> None:
        """Set the state. If state and code are the same as before, `since` stays."""
        same = (state, code) == (self._state.state, self._state.code)
        since = self._state.since if same else self._clock.now()
        self._state = replace(self._state, state=state, since=since, code=code, words=words, by=by)


def _read(frame: str | bytes) -> relay.FromPlatform:
    try:
        return relay.from_platform(frame)
    except Invalid as error:
        raise LineClosed("no_message", why=error.what) from error


def _refused(message: relay.RefusedMessage) -> LineClosed:
    return LineClosed(what=message.reason, refusal=message.code, by=message.name, slow=True)


@dataclass
class _Connection:
    door: ReceiptDoor
    channel: RelayConnection
    clock: Clock
    watch: SleepWatch
    origin: str = ""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Carry out commands while inside. At the end all of them are cancelled, and none sends
        anything more; a receipt that is at the processor already goes on in the lane."""
        try:
            yield
        finally:
            self.gone.set()
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def take(self, command: relay.CommandMessage) -> None:
        until = self.clock.seconds() + command.remaining_ms / 1000
        is_busy = len(self.tasks) >= MOST_WAITING
        work = self._refuse(command) if is_busy else self._carry_out(command, until)
        task = asyncio.create_task(work, name="relayed command")
        self.tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a relayed command ended with a bug", exc_info=task.exception())

    async def _refuse(self, command: relay.CommandMessage) -> None:
        with contextlib.suppress(LineClosed):
            await self._decline(command, "Too many requests wait here already.")

    async def _carry_out(self, command: relay.CommandMessage, until: float) -> None:
        with contextlib.suppress(LineClosed):
            try:
                async with asyncio.timeout(until - LEAST_SECONDS - self.clock.seconds()):
                    await self.free.acquire()
            except TimeoutError:
                await self._decline(command, NO_TIME)
                return
            try:
                await self._run(command, until)
            finally:
                self.free.release()

    async def _run(self, command: relay.CommandMessage, until: float) -> None:
        left = until - self.clock.seconds()
        if left < LEAST_SECONDS:
            await self._decline(command, NO_TIME)
            return
        answer, message = await ask(
            self.door,
            command,
            origin=self.origin,
            cashier=self.door.cashier,
            seconds_left=left,
            is_gone=self._is_gone,
        )
        await self._send(message)
        if not self._is_gone():
            answer.delivered()

    def _is_gone(self) -> bool:
        """Whether, as far as this server knows, nobody waits for the answer any more."""
        return self.gone.is_set() or self.watch.slept()

    async def _decline(self, command: relay.CommandMessage, reason: str) -> None:
        REQUEST_ID.set(command.request_id)
        _log.info("a relayed command was declined: %s", reason)
        declined = relay.DeclinedMessage(
            command_id=command.command_id, attempt=command.attempt, reason=reason
        )
        await self._send(declined)

    async def _send(self, message: relay.FromApplication) -> None:
        try:
            await self.channel.send(relay.written(message))
        except LineClosed:
            self.gone.set()
            raise


class SleepWatch:
    """Notices that the machine slept, or that this program stood still, because everything read
    before is then out of date. `tick` must be called about once a second.

    A sleep stops the monotonic clock but not the time of day; a stopped process misses its ticks.
    Source: exactly-once.md, "States of a request on the server" (a tick more than 5 s late, or
    clocks that drift apart by 5 s).
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.tick()

    def tick(self) -> None:
        """Watch the time from this moment on."""
        self._ticked = self._clock.seconds()
        self._day = self._clock.now()

    def slept(self) -> bool:
        passed = self._clock.seconds() - self._ticked
        by_day = (self._clock.now() - self._day).total_seconds()
        return passed > TOO_LATE_SECONDS or abs(by_day - passed) > TOO_LATE_SECONDS
