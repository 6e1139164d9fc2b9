"""A platform with an account, asked over HTTP without a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import insert

from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.app import create_app
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import STORE
from pos_app.platform_api.keys import ALL_SCOPES, NewKey, make_key
from pos_app.platform_api.picture_files import PictureFiles
from tests.integration.described_answers import Described

PLATFORM = "http://platform.example"
BASE = f"{PLATFORM}/v2"
BREAD = {"name": "Хлеб", "taxRateLabel": "Е"}


@dataclass(frozen=True, slots=True)
class Place:
    """A platform's database and its folder."""

    address: str
    folder: Path

    async def open(self) -> Database:
        return await Database.open(self.address, folder=self.folder)


_DOCUMENT: list[Described] = []


class StrictReader(httpx.AsyncClient):
    """Takes only answers that the platform's own document describes; streams are not checked."""

    async def request(self, *args: Any, **options: Any) -> httpx.Response:
        answer = await super().request(*args, **options)
        _DOCUMENT[0].check(answer)
        return answer


async def _read_document(transport: httpx.ASGITransport) -> None:
    if not _DOCUMENT:
        async with httpx.AsyncClient(transport=transport) as client:
            _DOCUMENT.append(Described.of((await client.get(f"{PLATFORM}/openapi.json")).json()))


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = datetime(2026, 9, 1, 5, 30, tzinfo=UTC)
        self.second = 1000.0

    def now(self) -> datetime:
        return self.at

    def seconds(self) -> float:
        return self.second

    def ticks(self) -> int:
        return int(self.second * 1000)

    def forward(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)
        self.second += seconds

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        self.forward(milliseconds / 1000)


@dataclass(frozen=True, slots=True)
class Hosted:
    context: PlatformContext
    clock: SetClock
    account: str
    key: NewKey
    client: httpx.AsyncClient
    transport: httpx.ASGITransport

    async def account_of(self, name: str) -> httpx.AsyncClient:
        now = self.clock.now()
        return self.caller((await new_account(self.context.database, name=name, now=now))[1])

    async def key_of(self, account: str, *scopes: KeyScope) -> NewKey:
        async with self.context.database.writing() as connection:
            return await make_key(
                connection, account, KeyTerms("test", scopes or ALL_SCOPES), now=self.clock.now()
            )

    def caller(self, key: NewKey, address: str = "192.0.2.1") -> httpx.AsyncClient:
        return StrictReader(
            transport=httpx.ASGITransport(self.transport.app, client=(address, 40000)),
            base_url=BASE,
            auth=(key.id, key.secret),
        )


async def new_account(
    database: Database, *scopes: KeyScope, now: datetime, name: str = "Прва"
) -> tuple[str, NewKey]:
    """Make an account with a key of these scopes, or of all."""
    terms = KeyTerms("test", scopes or ALL_SCOPES)
    async with database.writing() as connection:
        account = await make_account(connection, name=name, now=now)
        return account, await make_key(connection, account, terms, now=now)


@asynccontextmanager
async def hosted(
    place: Place, *, public_url: str = "", metrics_token: str = ""
) -> AsyncIterator[Hosted]:
    database = await place.open()
    clock = SetClock()
    try:
        account, key = await new_account(database, now=clock.now())
        files = PictureFiles.open("", folder=place.folder / "files")
        context = PlatformContext(database, clock, "3.2.0", files, public_url, metrics_token)
        transport = httpx.ASGITransport(create_app(context))
        await _read_document(transport)
        async with StrictReader(
            transport=transport, base_url=BASE, auth=(key.id, key.secret)
        ) as client:
            yield Hosted(context, clock, account, key, client, transport)
    finally:
        await database.close()


async def many_stores(database: Database, account: str, count: int, length: int) -> None:
    """Make that many stores with names of that length, without the API."""
    rows = []
    for number in range(1, count + 1):
        document = json.dumps({"name": f"{number} " + "x" * length})
        ids = {"id": f"{account}-{number}", "account_id": account, "document": document}
        made = dict.fromkeys(("created_at", "updated_at"), datetime(2026, 9, 1, tzinfo=UTC))
        rows.append({**ids, **made, "number": number, "revision": number})
    async with database.writing() as connection:
        await connection.execute(insert(STORE), rows)


def problem(answer: httpx.Response) -> tuple[int, int, str, list[str]]:
    """Return status, code, message and keys of an error body."""
    body: dict[str, Any] = answer.json()
    assert body["code"] == body["errorCode"]
    keys = [key for part in body["validation"].values() for key in part["keys"]]
    for source, part in body["validation"].items():
        assert (part["source"], part["message"]) == (source, body["message"])
    return answer.status_code, body["code"], body["message"], keys
