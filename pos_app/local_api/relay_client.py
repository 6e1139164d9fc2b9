"""The server's connection to the platform, which it opens and keeps, and the commands that come by
it.

Each command is passed to the door for receipts, under an origin of the relay's. A command that was
read from a connection which is gone, or around a sleep of the machine, is dropped: its sender no
longer waits, and the platform asks again under the same key.
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
from pos_app.domain.receipt_identity import relay_origin
from pos_app.domain.server_status import PublicMode, PublicModeState, PublicNotice
from pos_app.errors import Invalid, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.relayed_command import LEAST_SECONDS, NO_TIME, ask
from pos_app.log import REQUEST_ID
from pos_app.wire import relay

AT_ONCE = 8
"""The commands worked on at once; the till's own requests are never behind them (`Rank.TILL`)."""
MOST_WAITING = 64
"""Commands beyond these are declined at once."""
WELCOME_SECONDS = 10.0
STEADY_SECONDS = 60.0
"""A connection that lasted this long was a good one: the next is tried soon."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 20.0
LEAST_SPREAD = 3.0
"""The least seconds over which the tills of a restarted platform come back."""
SLOW_PAUSE = 60.0
"""Seconds between two tries where the platform refuses: a person has to change something."""
CLONED_AFTER = 2
"""After so many replacements of an open connection by the same installation, each within
CLONE_SECONDS of the last, a copy of it runs on another computer. The first may have other reasons,
such as our own earlier connection that nobody reads."""
CLONE_SECONDS = 3 * 3600.0
CLONE_PAUSE, LONGEST_CLONE_PAUSE = 300.0, 3600.0
"""Seconds between two tries while the two replace each other, doubled each time, and their
limit."""
_MOST_DOUBLED = 4
"""The most doublings, with which the limit is exceeded: the two may go on for months."""
CLONE_GONE_SECONDS = 2 * 3600.0
"""A connection that lasted this long, longer than a copy waits, does not alternate with one any
more."""
_TICK_MS = 1000

_log = log.get(__name__)

TOO_LATE_SECONDS = 5.0


class LineClosed(PosError):
    """The connection is gone, or there was none. refusal: the platform's code for it, may be "".
    by: the application that is connected instead.

    slow: a person has to change something before it can succeed. at_least: the platform's least
    seconds before the next try.
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


class Channel(Protocol):
    """An open connection. Its methods raise LineClosed."""

    async def send(self, frame: str) -> None: ...

    async def receive(self) -> str | bytes: ...

    def beat_every(self, seconds: float) -> None:
        """Set the seconds between two questions whether the other end is there."""
        ...

    async def close(self) -> None: ...


Dial = Callable[[], contextlib.AbstractAsyncContextManager[Channel]]
"""Opens a connection; entering raises LineClosed."""


@dataclass(frozen=True, slots=True)
class RelayIdentity:
    """This server's identity for the platform. url: the platform's; program: this one's version.
    Both are shown."""

    client_id: str
    install_id: str
    store_id: str = ""
    name: str = ""
    url: str = ""
    program: str = ""


class RelayClient:
    """Keeps one connection to the platform."""

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
        """The number and the last time of replacements of an open connection by the same
        installation."""

    @property
    def status(self) -> PublicMode:
        return self._state

    async def run(self, door: ReceiptDoor) -> None:
        """Connect, and again whenever the connection ends, until cancelled."""
        pause = FIRST_PAUSE
        while True:
            began = self._clock.seconds()
            try:
                await self._connected(door)
                ended = LineClosed("ended")
            except LineClosed as error:
                ended = self._judged(error)
            self._tell_end(ended)
            if self._clock.seconds() - began >= STEADY_SECONDS:
                pause = FIRST_PAUSE
            base = max(SLOW_PAUSE if ended.slow else pause, ended.at_least)
            await self._pause(base + random.uniform(0, max(LEAST_SPREAD, base / 2)))
            pause = min(LONGEST_PAUSE, pause * 2)

    def _judged(self, ended: LineClosed) -> LineClosed:
        """Judge whether a copy of this installation repeatedly replaces it."""
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
        """Work on one connection, from its opening to its end."""
        async with self._dial() as channel:
            self._watch.tick()
            account = await self._greet(channel)
            connection = _Connection(door, channel, self._clock, self._watch)
            connection.origin = relay_origin(account=account, client=self._identity.client_id)
            async with connection.working(), self._ticking(channel):
                while True:
                    self._take(connection, _read(await channel.receive()))

    async def _greet(self, channel: Channel) -> str:
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
        self._tell(PublicModeState.CONNECTED)
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
    async def _ticking(self, channel: Channel) -> AsyncIterator[None]:
        """End the connection after a sleep of the machine, while inside."""

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
        """Note a refusal of a newcomer; repeated ones are logged once."""
        before = self._state.newcomer
        if before is None or (before.code, before.name) != (message.code, message.name):
            _log.warning("the platform tells: %s", message.reason)
            made = PublicNotice(self._clock.now(), message.code, message.name, message.reason)
            self._state = replace(self._state, newcomer=made)

    def _tell_end(self, ended: LineClosed) -> None:
        state = PublicModeState.REFUSED if ended.slow else PublicModeState.AWAY
        if (state, ended.what) != (self._state.state, self._state.words):
            _log.warning("no connection to the platform: %s", ended.what)
        self._tell(state, code=ended.refusal, words=ended.what, by=ended.by)

    def _tell(
        self, state: PublicModeState, *, code: str = "", words: str = "", by: str = ""
    ) -> None:
        """Note the state; a try that ends as the one before it changes nothing visible."""
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
    channel: Channel
    clock: Clock
    watch: SleepWatch
    origin: str = ""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Work on commands while inside. At the end nothing more is sent for them; receipts at the
        processor go on in the lane."""
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
        """Tell whether nobody awaits the answer any more, as far as is known here."""
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
    """Notices that the machine slept, or that this program stood still: data read before are old.
    `tick` is called about once a second.

    A sleep stops the monotonic clock but not the time of day; a stopped process misses its ticks.
    Source: exactly-once.md, "States of a request on the server" (a tick more than 5 s late, or
    clocks that drift apart by 5 s).
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.tick()

    def tick(self) -> None:
        """Watch the time after this moment."""
        self._ticked = self._clock.seconds()
        self._day = self._clock.now()

    def slept(self) -> bool:
        passed = self._clock.seconds() - self._ticked
        by_day = (self._clock.now() - self._day).total_seconds()
        return passed > TOO_LATE_SECONDS or abs(by_day - passed) > TOO_LATE_SECONDS
