"""A platform on a real socket, and an application that gives the answers a test sets."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import struct
import uuid
from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import serve
from pos_app.clock import Clock
from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.platform_api.app import create_app
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.clock import DatabaseClock
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.keys import ALL_SCOPES, NewKey, make_key
from pos_app.platform_api.picture_files import PictureFiles
from pos_app.platform_api.quotas import Quotas
from pos_app.platform_api.relay.commands import RelayCommand
from pos_app.platform_api.relay.presence import Application, Entered
from pos_app.platform_api.relay.program import RelayRoom, relaying
from pos_app.wire import relay
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.hosted import Place, new_account

KEY = "5e2f9c1a7b3d4860"
ISSUE = "/fiscalization/receipts"


@dataclass
class Reached:
    """A process of the platform as its callers see it."""

    address: str
    key: NewKey

    def caller(self, key: NewKey | None = None) -> httpx.AsyncClient:
        used = key or self.key
        return httpx.AsyncClient(
            base_url=f"{self.address}/v2",
            auth=(used.id, used.secret),
            timeout=25,
            trust_env=False,
            verify=NO_TLS,
        )


@dataclass
class Worker(Reached):
    database: Database
    account: str
    relay: RelayRoom

    async def another_key(self) -> NewKey:
        """Make another key of the same account, with all scopes."""
        async with self.database.writing() as connection:
            now = SystemClock().now()
            return await make_key(connection, self.account, KeyTerms("test", ALL_SCOPES), now=now)

    async def row(self, key: str = KEY) -> RelayCommand:
        """Return what the platform keeps of a key."""
        found = await self.relay.service.commands.by_key(self.account, key)
        assert found is not None
        return found

    async def metrics(self) -> str:
        headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as monitor:
            return (await monitor.get(f"{self.address}/metrics", headers=headers)).text

    async def another_account(self, *scopes: KeyScope) -> NewKey:
        return (await new_account(self.database, *scopes, now=SystemClock().now(), name="Друга"))[1]

    async def application_at(
        self, worker: str, client: str, install: str = "i", *, beats: bool = True
    ) -> Application:
        """Enter an application that is connected to another worker, which hangs or is gone."""
        presence, now = self.relay.service.presence, self.relay.service.now_ms()
        made = Application(
            self.account, client, install, None, "Каса", worker, uuid.uuid4().hex, now
        )
        if beats:
            await presence.beat(worker, now_ms=now)
        assert await presence.enter(made, now_ms=now) == Entered()
        return made


METRICS_TOKEN = "a-token-of-the-tests"


@asynccontextmanager
async def worker(
    place: Place,
    of: Worker | None = None,
    *,
    quiet_seconds: float = 5.0,
    most: Quotas | None = None,
    own: Clock | None = None,
    public_url: str = "",
) -> AsyncIterator[Worker]:
    """Run a worker. of: another one, whose account is used. own: its machine's clock."""
    database = await place.open()
    clock = DatabaseClock(own or SystemClock(), database)
    await clock.compare()
    stop, ready = asyncio.Event(), asyncio.get_running_loop().create_future()
    try:
        account, key = (of.account, of.key) if of else await new_account(database, now=clock.now())
        files = PictureFiles.open("", folder=place.folder / "files")
        context = PlatformContext(
            database, clock, "3.2.0", files, public_url, METRICS_TOKEN, most=most or Quotas(),
            clock_warning=lambda: clock.warning,
        )  # fmt: skip
        more: dict[str, Any] = {"metrics": context.metrics, "quotas": context.quotas}
        async with relaying(database, clock, quiet_seconds=quiet_seconds, **more) as room:
            door: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "websockets": True}
            door |= {"ready": ready.set_result, "stop": stop, "limits": ConnectionLimits()}
            serving = asyncio.create_task(serve(create_app(context, room), **door))
            yield Worker(await ready, key, database, account, room)
            stop.set()
            await serving
    finally:
        await database.close()


@dataclass
class TillServer:
    """A till's server as the platform sees it, which sends what a test says."""

    line: ClientConnection
    client: str
    install: str
    greeting: relay.FromPlatform | None = None
    heard: list[relay.FromPlatform] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def connected(
        cls,
        at: Reached,
        *,
        client: str = "",
        install: str = "",
        store: str | None = None,
        key: NewKey | None = None,
    ) -> AsyncIterator[Self]:
        """Connect and say hello; its greeting is the platform's answer."""
        async with line_to(at, key) as line:
            made = cls(line, client or str(uuid.uuid4()), install or str(uuid.uuid4()))
            await made.say_hello(store)
            made.greeting = await made.hears()
            yield made

    def back(self, at: Reached, **how: Any) -> AbstractAsyncContextManager[Self]:
        """Connect the same installation again."""
        return self.connected(at, client=self.client, install=self.install, **how)

    async def say_hello(self, store: str | None = None) -> None:
        hello = relay.HelloMessage(
            version=relay.VERSION, client_id=self.client, install_id=self.install, store_id=store,
            name="Каса", program="3.2.1",
        )  # fmt: skip
        await self.line.send(relay.written(hello))

    async def hears(self) -> relay.FromPlatform:
        message = relay.from_platform(await asyncio.wait_for(self.line.recv(), 10))
        self.heard.append(message)
        return message

    async def command(self) -> relay.CommandMessage:
        message = await self.hears()
        assert isinstance(message, relay.CommandMessage), message
        return message

    async def answer(
        self,
        command: relay.CommandMessage,
        status: int = 200,
        files: dict[str, str] | None = None,
        attempt: int = 0,
        **body: Any,
    ) -> None:
        error = {"code": status * 100_000 + 90_001} if status >= 400 else {}
        await self.answer_text(
            command, json.dumps({"id": "r-1", **error, **body}), status, files, attempt
        )

    async def answer_text(
        self,
        command: relay.CommandMessage,
        body: str,
        status: int = 200,
        files: dict[str, str] | None = None,
        attempt: int = 0,
    ) -> None:
        """Send an answer, even one that is none of the API."""
        told = relay.AnswerMessage(
            command_id=command.command_id,
            attempt=attempt or command.attempt,
            status=status,
            body=body,
            pdf=tuple(relay.PdfContent(receipt_id=r, content=c) for r, c in (files or {}).items()),
        )
        await self.line.send(relay.written(told))

    async def signs(
        self, asking: Awaitable[httpx.Response], status: int = 200, **how: Any
    ) -> tuple[relay.CommandMessage, Any]:
        """Answer the command of a caller with this status; return it and the caller's document."""
        sent = asyncio.ensure_future(asking)
        command = await self.command()
        await self.answer(command, status, **how)
        answer = await sent
        assert answer.status_code == status, answer.text
        return command, answer.content and answer.json()

    @property
    def refusal(self) -> str:
        """Return the code of a greeting that refuses; "" of a welcome."""
        assert isinstance(self.greeting, relay.WelcomeMessage | relay.RefusedMessage)
        return getattr(self.greeting, "code", "")

    @property
    def refused(self) -> relay.RefusedMessage:
        """Return the last message, which refuses."""
        last = self.heard[-1]
        assert isinstance(last, relay.RefusedMessage), last
        return last

    async def decline(self, command: relay.CommandMessage) -> None:
        told = relay.DeclinedMessage(
            command_id=command.command_id, attempt=command.attempt, reason="Too late."
        )
        await self.line.send(relay.written(told))

    async def ended(self) -> None:
        """Wait until the platform closes the connection; its last messages are in `heard`."""
        with suppress(ConnectionClosed):
            while True:
                self.heard.append(relay.from_platform(await self.line.recv()))


@asynccontextmanager
async def shop(place: Place) -> AsyncIterator[tuple[Worker, TillServer, httpx.AsyncClient]]:
    async with worker(place) as at, TillServer.connected(at) as till, at.caller() as caller:
        yield at, till, caller


@asynccontextmanager
async def two_workers(place: Place) -> AsyncIterator[tuple[Worker, Worker, httpx.AsyncClient]]:
    """Yield two workers of one platform, and a caller of the first."""
    async with worker(place) as near, worker(place, of=near) as far, near.caller() as caller:
        yield near, far, caller


@asynccontextmanager
async def line_to(at: Reached, key: NewKey | None = None) -> AsyncIterator[ClientConnection]:
    used = key or at.key
    credentials = base64.b64encode(f"{used.id}:{used.secret}".encode()).decode()
    async with connect(
        f"ws{at.address.removeprefix('http')}/v2/relay",
        additional_headers={"Authorization": f"Basic {credentials}"},
        proxy=None,
        compression=None,
        close_timeout=1,
    ) as line:
        yield line


def posted(
    caller: httpx.AsyncClient, body: dict[str, Any], path: str = ISSUE, key: str | None = KEY
) -> asyncio.Task[httpx.Response]:
    headers = {} if key is None else {"Idempotency-Key": key}
    return asyncio.create_task(caller.post(path, json=body, headers=headers))


async def sent(
    at: Reached, body: dict[str, Any], path: str = ISSUE, **headers: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send a POST on a connection of its own."""
    built = httpx.Request("POST", f"{at.address}/v2{path}", json=body, headers=headers)
    asked = next(httpx.BasicAuth(at.key.id, at.key.secret).auth_flow(built))
    head = "".join(f"{name}: {value}\r\n" for name, value in asked.headers.items())
    place = httpx.URL(at.address)
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(f"POST /v2{path} HTTP/1.1\r\n{head}\r\n".encode() + asked.content)
    return reader, writer


async def whole_answer(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    """Return the head in small letters, and the body by its length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(head.partition("content-length: ")[2].split()[0])
    return head, await reader.readexactly(length)


def reset(writer: asyncio.StreamWriter) -> None:
    """End the connection as one that leaves bytes unread."""
    line = writer.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def sale(client: str | None, **members: Any) -> dict[str, Any]:
    """Return a body; the platform reads only these members of it."""
    named = {} if client is None else {"clientId": client}
    return {"items": [{"sku": 1}], "receiptDelivery": {"pdf": False}, **named, **members}
