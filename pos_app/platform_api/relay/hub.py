"""The applications connected to this worker, and the tasks that wait for their answers.

An answer belongs to one attempt of one command of one application. An answer that fits no waiting
attempt is late, repeated or foreign: it is dropped and logged (`answers` stores a late receipt all
the same).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping
from dataclasses import field

from pos_app import log
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database.batches import ChannelMessage
from pos_app.platform_api.relay.presence import Application, fits
from pos_app.wire import relay

_log = log.get(__name__)

Send = Callable[[relay.FromPlatform], None]
"""Queues a message; one that can't be sent ends the connection."""


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The outcome of an attempt. answer is None if surely nothing was begun (reason says why), or
    if the outcome is unknown (reason is None). secrets: the secrets of the links to its PDFs, by
    receipt id. is_announced: whether the asking worker was informed with the commit."""

    answer: relay.AnswerMessage | None = None
    secrets: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    is_announced: bool = False


LOST = AttemptOutcome()

_LOOK_SECONDS = 0.01
_Attempt = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Waiter:
    """A waiting attempt. keeps: the answer is stored under its command before it is reported. news:
    the news of the answer for another worker. request: the id of its request."""

    future: asyncio.Future[AttemptOutcome]
    keeps: bool
    news: ChannelMessage | None
    request: str


@dataclass
class Connected:
    """One connection. close: sends the reason, and ends it. key: the id of the key that opened
    it."""

    application: Application
    send: Send
    close: Callable[[relay.FromPlatform | None], None]
    key: str = ""
    waiting: dict[_Attempt, _Waiter] = field(default_factory=dict)


def _nobody(count: int) -> None:
    """Ignore a change."""


class Hub:
    """The connected applications. counted: called with their number at each change."""

    def __init__(self, counted: Callable[[int], None] = _nobody) -> None:
        self._counted = counted
        self._is_leaving = False
        self._entering: dict[str, Connected] = {}
        self._connections: dict[str, Connected] = {}
        self._of_client: dict[tuple[str, str], Connected] = {}
        self._of_store: dict[tuple[str, str], Connected] = {}

    def __len__(self) -> int:
        return len(self._connections)

    def expect(self, connected: Connected) -> None:
        """Note a connection whose application is being entered. From the commit on another worker,
        or a connection of this one, may say that it is replaced."""
        self._entering[connected.application.connection] = connected

    def add(self, connected: Connected) -> bool:
        """Add the entered application; return False where it was replaced meanwhile."""
        application = connected.application
        if self._entering.pop(application.connection, None) is None:
            return False
        self._connections[application.connection] = connected
        before = self._of_client.get((application.account, application.client))
        if before is not None:
            self._forget_connection(before)
        self._of_client[application.account, application.client] = connected
        if application.store is not None:
            self._of_store[application.account, application.store] = connected
        self._counted(len(self))
        return True

    def remove(self, connected: Connected) -> None:
        """Remove a connection; tasks that wait for it get LOST."""
        self._entering.pop(connected.application.connection, None)
        self._connections.pop(connected.application.connection, None)
        self._counted(len(self))
        self._forget_connection(connected)
        for waiter in connected.waiting.values():
            if not waiter.future.done():
                waiter.future.set_result(LOST)
        connected.waiting.clear()

    def _forget_connection(self, connected: Connected) -> None:
        application = connected.application
        for by_store, store in (
            (self._of_client, application.client),
            (self._of_store, application.store),
        ):
            if store is not None and by_store.get((application.account, store)) is connected:
                del by_store[application.account, store]

    def by_connection(self, connection: str) -> Connected | None:
        return self._connections.get(connection)

    def to_notify(self, connection: str) -> Connected | None:
        """Return a connection, also one whose application is being entered."""
        return self._connections.get(connection) or self._entering.get(connection)

    def admitted(self) -> list[Connected]:
        """Return all connections; none where the worker leaves, which takes their rows away."""
        return [] if self._is_leaving else list(self._connections.values())

    def of_keys(self, keys: Container[str]) -> list[Connected]:
        return [one for one in self._connections.values() if one.key in keys]

    def find(
        self, account: str, *, client: str | None = None, store: str | None = None
    ) -> Connected | None:
        if self._is_leaving:
            return None
        by_id, sought_id = (self._of_store, store) if client is None else (self._of_client, client)
        here = None if sought_id is None else by_id.get((account, sought_id))
        if here is None or fits([here.application], client=client, store=store) is None:
            return None
        return here

    async def leave(self) -> None:
        """Hide the applications from callers; return once none has a command to answer."""
        self._is_leaving = True
        while any(one.waiting for one in self._connections.values()):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_SECONDS)

    async def ask(
        self,
        connected: Connected,
        command: relay.CommandMessage,
        *,
        seconds: float,
        keeps: bool,
        news: ChannelMessage | None = None,
    ) -> AttemptOutcome:
        """Hand a command over, and wait for its outcome; LOST when there is none in time. news: for
        the asking worker, sent with the commit of the answer."""
        asked = command.command_id, command.attempt
        future: asyncio.Future[AttemptOutcome] = asyncio.get_running_loop().create_future()
        connected.waiting[asked] = _Waiter(future, keeps, news, command.request_id)
        connected.send(command)
        try:
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            return LOST
        finally:
            connected.waiting.pop(asked, None)

    def is_kept(
        self, connected: Connected, message: relay.AnswerMessage | relay.DeclinedMessage
    ) -> bool:
        """Tell whether the answer may belong to a stored command."""
        waiter = connected.waiting.get((message.command_id, message.attempt))
        return waiter is None or waiter.keeps

    def news_of(
        self, connected: Connected, message: relay.AnswerMessage | relay.DeclinedMessage
    ) -> ChannelMessage | None:
        """Return the news for another worker, sent with the commit of the answer."""
        waiter = connected.waiting.get((message.command_id, message.attempt))
        return None if waiter is None else waiter.news

    def request_of(
        self, connected: Connected, message: relay.AnswerMessage | relay.DeclinedMessage
    ) -> str:
        """Return the id of the request that waits for the answer, or ""."""
        waiter = connected.waiting.get((message.command_id, message.attempt))
        return "" if waiter is None else waiter.request

    def settle(
        self,
        connected: Connected,
        message: relay.AnswerMessage | relay.DeclinedMessage,
        outcome: AttemptOutcome,
    ) -> None:
        waiter = connected.waiting.get((message.command_id, message.attempt))
        if waiter is not None and not waiter.future.done():
            waiter.future.set_result(outcome)
        else:
            fields = {"command": message.command_id, "client": connected.application.client}
            _log.warning("an answer that nobody waits for", extra={"fields": fields})
