"""A connection to PostgreSQL that falls silent without being closed."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pos_app.errors import DatabaseBusy
from pos_app.platform_api.authentication import REMEMBERED_SECONDS
from pos_app.platform_api.database import batches
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.relay.commands import receipt_id_of
from pos_app.platform_api.relay.stored_commands import Commands
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import DatabasePlace

ISSUE = "/fiscalization/receipts"
SOCKET = ".s.PGSQL.5432"


class Between:
    """Passes bytes to PostgreSQL and back, until a connection that sent a word falls silent."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: list[tuple[bytearray, asyncio.Event]] = []
        self._more = asyncio.Event()
        self._unanswered = b""
        self._is_fallen = False

    async def until(self, word: bytes) -> None:
        async with asyncio.timeout(10):
            while not any(word in said for said, _ in self._lines):
                self._more.clear()
                await self._more.wait()

    def fall_silent(self, word: bytes) -> int:
        """Silence the connections that sent it, and return their number. They stay open; later ones
        are passed on."""
        silent = [passes for said, passes in self._lines if word in said and passes.is_set()]
        for passes in silent:
            passes.clear()
        return len(silent)

    def answer_no_more(self, word: bytes) -> None:
        """Keep the answers from connections that send it from now on; the word itself is passed
        on."""
        for said, _ in self._lines:
            said.clear()
        self._unanswered = word

    async def fall(self) -> None:
        """End every connection, and accept no more."""
        self._is_fallen = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_fallen:
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_unix_connection(self._server)
        said, passes, is_answered = bytearray(), asyncio.Event(), asyncio.Event()
        passes.set()
        is_answered.set()
        self._lines.append((said, passes))

        def hear(data: bytes) -> None:
            said.extend(data)
            self._more.set()
            if self._unanswered and self._unanswered in said:
                is_answered.clear()

        for one in (
            self._copy(reader, far_writer, (passes,), hear),
            self._copy(far_reader, writer, (passes, is_answered), lambda data: None),
        ):
            task = asyncio.create_task(one)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gates: Sequence[asyncio.Event],
        hear: Callable[[bytes], None],
    ) -> None:
        try:
            with contextlib.suppress(ConnectionError):
                while data := await reader.read(65536):
                    hear(data)
                    for gate in gates:
                        await gate.wait()
                    writer.write(data)
        finally:
            writer.close()

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def between(address: str, folder: Path) -> AsyncIterator[tuple[DatabasePlace, Between]]:
    """Yield the same database, reached through connections that can fall silent."""
    place = parse_qs(urlsplit(address).query)["host"][0]
    way, door = Between(f"{place}/{SOCKET}"), folder / "pg"
    door.mkdir()
    server = await asyncio.start_unix_server(way.come, door / SOCKET)
    try:
        yield DatabasePlace(f"postgresql://postgres@/postgres?host={door}", folder), way
    finally:
        server.close()
        await way.end()


@pytest.mark.parametrize("asks", [False, True], ids=["the till's", "the asking one"])
async def test_a_worker_hears_again_after_its_line_fell_silent(
    postgresql_address: str, folder: Path, asks: bool
) -> None:
    straight = DatabasePlace(postgresql_address, folder)
    async with (
        between(postgresql_address, folder) as (place, way),
        relayed.worker(straight if asks else place, quiet_seconds=0.3) as far,
        relayed.worker(place if asks else straight, of=far, quiet_seconds=0.3) as near,
        relayed.TillServer.connected(far) as till,
        near.caller() as caller,
    ):
        await way.until(b"LISTEN")
        assert way.fall_silent(b"LISTEN") == 1
        await till.signs(caller.post(ISSUE, json=relayed.sale(till.client)))
        assert way.fall_silent(b"LISTEN") == 1  # not the connection of before


async def test_a_write_is_given_up_when_its_line_fell_silent_and_the_next_has_another(
    postgresql_address: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "ANSWER_SECONDS", 0.3)
    async with between(postgresql_address, folder) as (place, way):
        database = await place.open()
        try:
            commands = Commands(database)
            assert await commands.by_id("none") is None
            assert way.fall_silent(b"FROM relay_command") == 1
            with pytest.raises(DatabaseBusy):
                await commands.by_id("none")
            assert await commands.by_id("none") is None
        finally:
            await database.close()


async def test_nobody_is_denied_what_another_worker_was_told_with_a_commit_without_an_answer(
    postgresql_address: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        between(postgresql_address, folder) as (place, way),
        relayed.worker(place) as near,
        relayed.worker(DatabasePlace(postgresql_address, folder), of=near) as far,
        relayed.TillServer.connected(far) as till,
        near.caller() as caller,
    ):
        posting = asyncio.create_task(caller.post(ISSUE, json=relayed.sale(till.client)))
        await till.answer(await till.command())
        assert (await posting).status_code == 200  # from now on the statement is prepared
        monkeypatch.setattr(batches, "ANSWER_SECONDS", 1.0)
        way.answer_no_more(f"relay_{far.relay.service.worker}".encode())
        posting = asyncio.create_task(caller.post(ISSUE, json=relayed.sale(till.client)))
        command = await till.command()
        answer = await posting
        assert (answer.status_code, answer.json()["code"]) == (500, 50080001)
        await till.answer(command, id="r-1")
        again = await caller.post(ISSUE, json=relayed.sale(till.client))
        assert (again.status_code, again.json()["id"]) == (200, "r-1")


async def test_a_receipt_that_may_exist_is_told_while_the_database_is_away(
    postgresql_address: str, folder: Path
) -> None:
    """A caller let in before gets the receipt's id: its key was checked then."""
    headers = {"Idempotency-Key": relayed.KEY}
    async with (
        between(postgresql_address, folder) as (place, way),
        relayed.worker(place) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        await till.signs(caller.post(ISSUE, json=relayed.sale(till.client), headers=headers))
        began = time.monotonic()
        while time.monotonic() < began + REMEMBERED_SECONDS:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await way.fall()
        told = await caller.post(ISSUE, json=relayed.sale(till.client), headers=headers)
        assert (told.status_code, told.json()["code"]) == (500, 50080001)
        assert told.json()["receiptId"] == receipt_id_of(at.account, till.client, relayed.KEY)
        async with at.caller(NewKey(at.key.id, "another")) as stranger:
            assert (await stranger.post(ISSUE, json={})).status_code == 500
