"""Exchanges ids with the other workers on the same PostgreSQL; everything else is read from the
tables.

The asking worker commits the command with its question; the application's worker takes the command,
and commits the answer with news for the asking worker. A notification may be lost with its
connection, so it only saves time: the waiting worker also looks at the row once a second, and
repeats a question that was not begun. Messages, in a channel for each worker:

    ask ID ATTEMPT ACCOUNT CLIENT ASKER UNTIL
                             to the application's worker: take it and hand it over
    told ID ATTEMPT SECRETS  to the waiting worker: the row has the answer
    lost ID ATTEMPT          to the waiting worker: the outcome is unknown; or, where it was not
                             begun, no application is connected
    say CONNECTION MESSAGE   to an application: a Notice, or a Refused and the end of its connection
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import field

import psycopg
from psycopg import sql

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.errors import Invalid, MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.log import REQUEST_ID
from pos_app.platform_api.database.batches import ChannelMessage
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.postgresql import answering, connected
from pos_app.platform_api.relay.commands import CommandState, RelayCommand
from pos_app.platform_api.relay.connection import notify_here
from pos_app.platform_api.relay.hub import LOST, AttemptOutcome, Hub
from pos_app.platform_api.relay.presence import Application, Presence
from pos_app.platform_api.relay.service import WAY_SECONDS, message_of
from pos_app.platform_api.relay.stored_commands import AnswerOf, Commands
from pos_app.wire.relay import AnswerMessage, NoticeMessage, RefusedMessage, from_platform, written

LOOK_SECONDS = 1.0
TAKEN_SECONDS = 3.0
"""A living worker begins a command in some milliseconds, and surely within this time."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
QUIET_SECONDS = 5.0
"""The seconds without news after which the database is queried, and within which it must answer."""

MOST_EARLY = 256
"""The most news that are kept because they came before the commit of their attempt was reported.
News that came too late are among them."""

_log = log.get(__name__)


@dataclass
class _AskedElsewhere:
    """An attempt that another worker was asked for. heard: set when that worker has reported the
    outcome, or its loss."""

    heard: asyncio.Event = field(default_factory=asyncio.Event)
    secrets: Mapping[str, str] = field(default_factory=dict)
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class _Question:
    """Another worker's question. until_ms: its caller waits until then."""

    command_id: str
    attempt: int
    account: str
    client: str
    asker: str
    until_ms: int

    @classmethod
    def read(cls, command_id: str, attempt: str, rest: str) -> _Question:
        account, client, asker, until_ms = rest.split(" ")
        return cls(command_id, int(attempt), account, client, asker, int(until_ms))

    @property
    def attempt_of(self) -> tuple[str, int]:
        return self.command_id, self.attempt

    def news(self, kind: str, *more: str) -> ChannelMessage:
        words = kind, self.command_id, str(self.attempt), *more
        return ChannelMessage(_channel(self.asker), " ".join(words))


class OtherWorkers:
    """Implements Way, and carries out other workers' commands."""

    def __init__(
        self,
        *,
        database: Database,
        worker: str,
        hub: Hub,
        commands: Commands,
        presence: Presence,
        clock: Clock,
        quiet_seconds: float = QUIET_SECONDS,
    ) -> None:
        self._quiet_seconds = quiet_seconds
        self._address = database.address
        self._worker = worker
        self._hub = hub
        self._commands = commands
        self._presence = presence
        self._clock = clock
        self._waiting: dict[tuple[str, int], _AskedElsewhere] = {}
        self._early: dict[tuple[str, int], _AskedElsewhere] = {}
        self._taken: set[tuple[str, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    # --- asking --------------------------------------------------------------------------------

    def question(self, application: Application, command: RelayCommand) -> ChannelMessage:
        values = command.id, command.attempt, command.account, command.client, command.asker
        message = " ".join(map(str, ("ask", *values, command.until_ms)))
        return ChannelMessage(_channel(application.worker), message)

    async def ask(
        self,
        application: Application,
        command: RelayCommand,
        *,
        seconds: float,
        line: object | None,
    ) -> AttemptOutcome:
        asked = command.id, command.attempt
        waiter = self._waiting[asked] = self._early.pop(asked, _AskedElsewhere())
        try:
            return await self._ask(application, command, waiter, seconds, line)
        except MachineError as error:
            _log.error("another worker can't be asked: %s", error.what)
            return LOST
        finally:
            del self._waiting[asked]

    async def _ask(
        self,
        application: Application,
        command: RelayCommand,
        waiter: _AskedElsewhere,
        seconds: float,
        line: object | None,
    ) -> AttemptOutcome:
        began = self._clock.seconds()
        is_begun = False
        while (left := began + seconds - self._clock.seconds()) > 0:
            try:
                async with asyncio.timeout(min(LOOK_SECONDS, left)):
                    await waiter.heard.wait()
            except TimeoutError:
                pass
            waiter.heard.clear()
            row = await self._commands.by_id(command.id)
            if row is None or row.body_hash != command.body_hash:
                return LOST  # the key came again with another body
            if row.state is CommandState.ANSWERED or row.answered >= command.attempt:
                return _outcome(row, waiter.secrets)
            is_begun = row.begun >= command.attempt
            if waiter.is_lost or (self._clock.seconds() > began + TAKEN_SECONDS and not is_begun):
                break
            if await self._is_gone(application):  # its worker may be gone too, and reports nothing
                break
            if not is_begun:
                await self._commands.announce(self.question(application, command))
        if not is_begun and await self._commands.withdraw(command.id, command.attempt, line=line):
            return AttemptOutcome(reason="")
        return LOST

    async def _is_gone(self, application: Application) -> bool:
        now, client = now_ms(self._clock), application.client
        found = await self._presence.find(
            application.account, client=client, store=None, now_ms=now
        )
        return found is None or found.connection != application.connection

    async def notify(
        self, application: Application, message: RefusedMessage | NoticeMessage
    ) -> None:
        text = f"say {application.connection} {written(message)}"
        try:
            await self._commands.announce(ChannelMessage(_channel(application.worker), text))
        except MachineError as error:
            _log.error("another worker can't be told: %s", error.what)

    # --- being asked -----------------------------------------------------------------------------

    async def run(self) -> None:
        """Listen until cancelled; connect again whenever the connection ends."""
        pause = FIRST_PAUSE
        while True:
            try:
                async with await connected(self._address) as connection:
                    channel = sql.Identifier(_channel(self._worker))
                    with answering(connection, self._quiet_seconds):
                        await connection.execute(sql.SQL("LISTEN {}").format(channel))
                    pause = FIRST_PAUSE
                    while True:
                        async for notification in connection.notifies(timeout=self._quiet_seconds):
                            self._heard(notification.payload)
                        with answering(connection, self._quiet_seconds):
                            await connection.execute("SELECT 1")
            except (psycopg.Error, OSError) as error:
                _log.warning("the database no longer tells news: %s", type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _heard(self, payload: str) -> None:
        kind, _, rest = payload.partition(" ")
        if kind == "say":
            self._pass_on(*rest.split(" ", 1))
            return
        command_id, attempt, *more = rest.split(" ", 2)
        if kind == "ask":
            question = _Question.read(command_id, attempt, *more)
            if question.attempt_of in self._taken:
                return
            self._taken.add(question.attempt_of)
            task = asyncio.create_task(self._carry_out(question))
            self._tasks.add(task)
            task.add_done_callback(self._done)
            return
        waiter = self._waiter((command_id, int(attempt)))
        waiter.is_lost = kind == "lost"
        waiter.secrets = json.loads(more[0]) if more else {}
        waiter.heard.set()

    def _waiter(self, asked: tuple[str, int]) -> _AskedElsewhere:
        if asked in self._waiting:
            return self._waiting[asked]
        if len(self._early) >= MOST_EARLY:
            del self._early[next(iter(self._early))]
        return self._early.setdefault(asked, _AskedElsewhere())

    def _pass_on(self, connection: str, text: str) -> None:
        here = self._hub.to_notify(connection)
        try:
            message = from_platform(text)
        except Invalid:
            return
        if here is not None and isinstance(message, RefusedMessage | NoticeMessage):
            notify_here(self._hub, here, message)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, MachineError):
            _log.error("a command of another worker was not carried out: %s", error.what)
        else:
            _log.error("a command of another worker ended with a bug", exc_info=error)

    async def _carry_out(self, asked: _Question) -> None:
        try:
            news = await self._outcome_of(asked)
        finally:
            self._taken.discard(asked.attempt_of)
        if news:
            await self._commands.announce(asked.news(*news))

    async def _outcome_of(self, asked: _Question) -> tuple[str, ...]:
        """Return the news for the asking worker; nothing where it was informed with the commit, or
        by another worker."""
        here = self._hub.find(asked.account, client=asked.client)
        left = (asked.until_ms - now_ms(self._clock)) / 1000
        if here is None or left <= 0:
            return ("lost",)
        begun = await self._commands.begin(*asked.attempt_of)
        if begun is None:
            row = await self._commands.by_id(asked.command_id)
            is_answered = row is not None and row.state is CommandState.ANSWERED
            return ("told",) if is_answered else ()
        if self._hub.by_connection(here.application.connection) is None:
            of = AnswerOf(asked.account, asked.client, *asked.attempt_of)
            await self._commands.declined(of)  # the connection ended and got nothing
            return ("lost",)
        REQUEST_ID.set(begun.request)  # for this task alone
        message, news = message_of(begun, seconds=left - WAY_SECONDS), asked.news("told")
        outcome = await self._hub.ask(here, message, seconds=left, keeps=True, news=news)
        if outcome.is_announced:
            return ()
        if outcome is LOST:
            return ("lost",)
        return "told", json.dumps(dict(outcome.secrets), separators=(",", ":"))


def _channel(worker: str) -> str:
    return f"relay_{worker}"


def _outcome(row: RelayCommand, secrets: Mapping[str, str]) -> AttemptOutcome:
    if row.status is None:
        return AttemptOutcome(reason="The application did not begin it.")
    answer = AnswerMessage(
        command_id=row.id, attempt=row.answered, status=row.status, body=row.answer or ""
    )
    return AttemptOutcome(answer, secrets)
