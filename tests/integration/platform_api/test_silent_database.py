"""A line to PostgreSQL on which nothing comes any more, without a word of its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pos_app.errors import DatabaseBusy
from pos_app.platform_api.database import batches
from pos_app.platform_api.relay.rows import SqlCommands
from tests.integration.platform_api.hosted import DatabasePlace
from tests.integration.platform_api.relayed import TillServer, sale, worker

ISSUE = "/fiscalization/receipts"
SOCKET = ".s.PGSQL.5432"


class Between:
    """Passes bytes to PostgreSQL and back, until a line that said a word falls silent."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: list[tuple[bytearray, asyncio.Event]] = []
        self._more = asyncio.Event()

    async def until(self, word: bytes) -> None:
        """Wait until a line said it."""
        async with asyncio.timeout(10):
            while not any(word in said for said, _ in self._lines):
                self._more.clear()
                await self._more.wait()

    def fall_silent(self, word: bytes) -> int:
        """How many lines did. They stay open; later ones are passed on."""
        silent = [passes for said, passes in self._lines if word in said and passes.is_set()]
        for passes in silent:
            passes.clear()
        return len(silent)

    async def come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._server)
        said, passes = bytearray(), asyncio.Event()
        passes.set()
        self._lines.append((said, passes))
        for one in (
            self._copy(reader, far_writer, passes, said),
            self._copy(far_reader, writer, passes, bytearray()),
        ):
            task = asyncio.create_task(one)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        passes: asyncio.Event,
        said: bytearray,
    ) -> None:
        try:
            with contextlib.suppress(ConnectionError):
                while data := await reader.read(65536):
                    said += data
                    self._more.set()
                    await passes.wait()
                    writer.write(data)
        finally:
            writer.close()

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def between(address: str, folder: Path) -> AsyncIterator[tuple[DatabasePlace, Between]]:
    """The same database by a way that can fall silent."""
    place = parse_qs(urlsplit(address).query)["host"][0]
    way, door = Between(f"{place}/{SOCKET}"), folder / "pg"
    door.mkdir()
    server = await asyncio.start_unix_server(way.come, door / SOCKET)
    try:
        yield DatabasePlace(f"postgresql://postgres@/postgres?host={door}", folder), way
    finally:
        server.close()
        await way.end()


async def test_a_worker_hears_of_commands_again_after_its_line_fell_silent(
    postgresql_address: str, folder: Path
) -> None:
    async with (
        between(postgresql_address, folder) as (place, way),
        worker(place, is_near=False, quiet_seconds=0.3) as far,
        worker(DatabasePlace(postgresql_address, folder), of=far, is_near=False) as near,
        TillServer.connected(far) as till,
        near.caller() as caller,
    ):
        await way.until(b"LISTEN")
        assert way.fall_silent(b"LISTEN") == 1
        posting = asyncio.create_task(caller.post(ISSUE, json=sale(till.client)))
        await till.answer(await till.command())
        assert (await posting).status_code == 200
        assert way.fall_silent(b"LISTEN") == 1  # another line than before


async def test_a_write_is_given_up_when_its_line_fell_silent_and_the_next_has_another(
    postgresql_address: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "ANSWER_SECONDS", 0.3)
    async with between(postgresql_address, folder) as (place, way):
        database = await place.open()
        try:
            commands = SqlCommands(database)
            assert await commands.by_id("none") is None
            assert way.fall_silent(b"FROM relay_command") == 1
            with pytest.raises(DatabaseBusy):
                await commands.by_id("none")
            assert await commands.by_id("none") is None
        finally:
            await database.close()
