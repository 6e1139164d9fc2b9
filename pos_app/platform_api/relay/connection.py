"""GET /v2/relay: an application connects, identifies itself, and carries out commands.

Source: platform-contract.md 2.7.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import NoReturn

from starlette.websockets import WebSocket, WebSocketDisconnect

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.errors import Invalid, MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.quotas import QuotaKeeper
from pos_app.platform_api.relay.answers import AnswerTaker
from pos_app.platform_api.relay.hub import Connected, Hub
from pos_app.platform_api.relay.presence import Application, Barred, Presence
from pos_app.platform_api.relay.service import StoreKnown
from pos_app.platform_api.slow_work import SlowWork
from pos_app.wire import relay
from pos_app.wire.input import is_uuid

HELLO_SECONDS = 10.0
HEARTBEAT_SECONDS = 20
_MOST_UNSENT = 256
_POLICY = 1008
_LONGEST_CLOSE = 123
"""The most bytes of the words in the frame that closes a websocket."""

_log = log.get(__name__)

_REASONS = {
    relay.RefusalCode.TAKEN: "Another application is open for this client or store",
    relay.RefusalCode.FOREIGN_CLIENT: (
        "This clientId belongs to another account. In the till: Settings, Platform, New clientId."
    ),
    relay.RefusalCode.OTHER_INSTALLATION: (
        "This clientId belongs to another installation. In its till: Settings, Platform, New"
        " clientId."
    ),
    relay.RefusalCode.KEY_OF_ANOTHER: (
        "This key is for the application that connected with it first. Make another key."
    ),
    relay.RefusalCode.QUOTA: (
        "The account has as many clients as it may have: delete those that are gone."
    ),
    relay.RefusalCode.UNKNOWN_STORE: "The account has no store with this storeId.",
    relay.RefusalCode.VERSION: "The platform speaks another version: update the older of the two.",
    relay.RefusalCode.REPLACED: "The same installation connected again.",
    relay.RefusalCode.REVOKED: "The key of this connection was revoked.",
    relay.RefusalCode.MALFORMED: "That was no message of an application.",
}
_NO_UUID = relay.RefusedMessage(
    code=relay.RefusalCode.MALFORMED.value,
    reason='"clientId" must be a valid GUID. In the till: Settings, Platform, New clientId.',
)


def refused(code: relay.RefusalCode, *, by: Application | None = None) -> relay.RefusedMessage:
    reason, name = _REASONS[code], ""
    if by is not None:
        name = by.name or by.client
        reason = f'{reason}: "{name}".'
    return relay.RefusedMessage(code=code.value, reason=reason, name=name)


class _Ended(Exception):
    """The connection is to be closed. message: the last message to it, or None."""

    def __init__(self, message: relay.FromPlatform | None = None) -> None:
        super().__init__()
        self.message = message


@dataclass(frozen=True, slots=True)
class Relay:
    """The front for applications. elsewhere: sends a message to a connection of another worker; a
    RefusedMessage closes it."""

    hub: Hub
    presence: Presence
    answers: AnswerTaker
    clock: Clock
    worker: str
    store_known: StoreKnown
    slow_work: SlowWork
    quotas: QuotaKeeper
    elsewhere: (
        Callable[[Application, relay.RefusedMessage | relay.NoticeMessage], Awaitable[None]] | None
    ) = None

    async def serve(self, websocket: WebSocket, caller: KeyHolder) -> None:
        """Serve one connection of an authenticated application; return at its end."""
        await websocket.accept()
        outgoing = _Outgoing(websocket)
        try:
            hello = await self._hello(websocket, caller.account_id)
            connected = Connected(
                self._application(hello, caller), outgoing.put, outgoing.finish, key=caller.key_id
            )
            self.hub.expect(connected)
            try:
                await self._enter(connected, hello, caller)
                welcome = relay.WelcomeMessage(
                    account_id=caller.account_id, heartbeat_seconds=HEARTBEAT_SECONDS
                )
                outgoing.put(welcome)
                await self._listen(websocket, connected)
            finally:
                self.hub.remove(connected)
                await self.presence.leave(connected.application.connection)
        except _Ended as ended:
            outgoing.finish(ended.message)
        except MachineError as error:  # the application connects again soon
            _log.error("an application was let go: %s", error.what)
        except WebSocketDisconnect:
            pass
        finally:
            await outgoing.end()

    async def _hello(self, websocket: WebSocket, account: str) -> relay.HelloMessage:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await self._message(websocket, account)
        except TimeoutError:
            raise _Ended(refused(relay.RefusalCode.MALFORMED)) from None
        if not isinstance(hello, relay.HelloMessage):
            raise _Ended(refused(relay.RefusalCode.MALFORMED))
        if hello.version != relay.VERSION:
            raise _Ended(refused(relay.RefusalCode.VERSION))
        if not is_uuid(hello.client_id):
            raise _Ended(_NO_UUID)
        return hello.model_copy(update={"client_id": hello.client_id.lower()})

    def _application(self, hello: relay.HelloMessage, caller: KeyHolder) -> Application:
        return Application(
            account=caller.account_id,
            client=hello.client_id,
            install=hello.install_id,
            store=hello.store_id,
            name=hello.name,
            worker=self.worker,
            connection=secrets.token_hex(16),
            since_ms=now_ms(self.clock),
        )

    async def _enter(
        self, connected: Connected, hello: relay.HelloMessage, caller: KeyHolder
    ) -> None:
        """Let the application in. Raises _Ended where it is not, or was replaced meanwhile."""
        application = connected.application
        account, store = application.account, application.store
        if store is not None and not await self.store_known(account, store):
            raise _Ended(refused(relay.RefusalCode.UNKNOWN_STORE))
        if caller.one_client and not await self.presence.lets_in(caller.key_id, hello.client_id):
            raise _Ended(refused(relay.RefusalCode.KEY_OF_ANOTHER))
        if not await self.presence.has_room(self.quotas, account, hello.client_id):
            raise _Ended(refused(relay.RefusalCode.QUOTA))
        entry = await self.presence.enter(
            application, version=hello.program, now_ms=application.since_ms
        )
        if isinstance(entry, Barred):
            await self._bar(application, entry)
        for replaced in entry.replaced:
            await self._notify(replaced, refused(relay.RefusalCode.REPLACED))
        if caller.one_client and not await self.presence.bind(caller.key_id, hello.client_id):
            raise _Ended(refused(relay.RefusalCode.KEY_OF_ANOTHER))
        if not self.hub.add(connected):
            raise _Ended

    async def _bar(self, application: Application, entry: Barred) -> NoReturn:
        fields = {"client": application.client, "code": entry.code.value}
        _log.warning("an application was not let in", extra={"fields": fields})
        if entry.by is not None:
            name = application.name or application.client
            reason = f'Another application was refused: "{name}".'
            notice = relay.NoticeMessage(code=entry.code.value, reason=reason, name=name)
            await self._notify(entry.by, notice)
        raise _Ended(refused(entry.code, by=entry.by))

    async def _notify(
        self, application: Application, message: relay.RefusedMessage | relay.NoticeMessage
    ) -> None:
        here = self.hub.to_notify(application.connection)
        if here is not None:
            notify_here(self.hub, here, message)
        elif self.elsewhere is not None and application.worker != self.worker:
            await self.elsewhere(application, message)

    async def _message(self, websocket: WebSocket, account: str) -> relay.FromApplication:
        frame = await _frame(websocket)
        return await self.slow_work.done(account, len(frame), _message, frame)

    async def _listen(self, websocket: WebSocket, connected: Connected) -> None:
        while True:
            message = await self._message(websocket, connected.application.account)
            if not isinstance(message, relay.AnswerMessage | relay.DeclinedMessage):
                raise _Ended(refused(relay.RefusalCode.MALFORMED))
            await self.answers.take(connected, message)


def notify_here(
    hub: Hub, connected: Connected, message: relay.RefusedMessage | relay.NoticeMessage
) -> None:
    """Send a message to a connection of this worker. A RefusedMessage ends the connection, and
    callers no longer find the application."""
    if isinstance(message, relay.RefusedMessage):
        hub.remove(connected)
        connected.close(message)
    else:
        connected.send(message)


async def _frame(websocket: WebSocket) -> str | bytes:
    """Return the next frame. Raises WebSocketDisconnect."""
    event = await websocket.receive()
    if event["type"] != "websocket.receive":
        raise WebSocketDisconnect(event.get("code", 1005))
    text = event.get("text")
    return text if text is not None else bytes(event.get("bytes") or b"")


def _message(frame: str | bytes) -> relay.FromApplication:
    try:
        return relay.from_application(frame)
    except Invalid as error:
        _log.warning("an application sent what is no message: %s", error.what)
        raise _Ended(refused(relay.RefusalCode.MALFORMED)) from error


def _cut(words: str) -> str:
    return words.encode()[:_LONGEST_CLOSE].decode(errors="ignore")


class _Outgoing:
    """The queue of messages to a connection, which a task of its own sends in order."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._queue: asyncio.Queue[relay.FromPlatform | None] = asyncio.Queue(_MOST_UNSENT)
        self._is_finished = False
        self._task = asyncio.create_task(self._run(), name="relay connection")

    def put(self, message: relay.FromPlatform) -> None:
        if self._is_finished:
            return
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:  # it reads nothing, so it no longer counts as an application
            self._is_finished = True
            self._task.cancel()

    def finish(self, message: relay.FromPlatform | None) -> None:
        """Send a last message, and close."""
        if message is not None:
            self.put(message)
        if not self._is_finished:
            self._is_finished = True
            if self._queue.full():
                self._task.cancel()
            else:
                self._queue.put_nowait(None)

    async def end(self) -> None:
        """Send the queued messages, as far as the other end takes them."""
        self.finish(None)
        try:
            async with asyncio.timeout(2.0):
                await asyncio.wait({self._task})
        except TimeoutError:
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        why = ""
        try:
            while (message := await self._queue.get()) is not None:
                await self._websocket.send_text(relay.written(message))
                if isinstance(message, relay.RefusedMessage):
                    why = f"{message.code}: {message.reason}"
            await self._websocket.close(_POLICY, _cut(why))
        except (WebSocketDisconnect, RuntimeError, OSError):
            return  # the connection is gone, which its reader reports
