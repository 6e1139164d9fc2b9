"""A platform in a process of its own with the articles of an account, and requests to it."""

from __future__ import annotations

import asyncio
import base64
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.database import tables
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.keys import ALL_SCOPES, make_key
from pos_app.wire.strict_json import dumps
from tests.bench import assortment
from tests.bench.machine import cpu_seconds
from tests.bench.place import Place
from tests.e2e.shop import Program

_BEGAN = datetime(2026, 9, 1, 5, 30, tzinfo=UTC)


@contextmanager
def running(
    place: Place, folder: Path, database: str = "", *, workers: int = 1
) -> Iterator[tuple[str, Program]]:
    """Run a platform in a folder; it yields its address and its program. database: the address of
    one, or "" for SQLite."""
    words = ["-m", "pos_app", "platform", "--data", str(folder), "--port", "0"]
    words += ["--workers", str(workers)]
    words += ["--database-url", database] if database else []
    program = place.shop.run(*words, name=folder.name)
    try:
        program.until(lambda: program.lines("http") or program.is_over, seconds=60)
        yield program.lines("http")[0][0], program
    finally:
        program.stop()


def without_quotas(folder: Path) -> None:
    """Lift the quotas, since one key asks here as often as many do."""
    of = ("applications", "requests", "per_second")
    names = [*of, *(f"key_{name}" for name in of), "clients", "rows"]
    told = "".join(f"quota_{name} = 0\n" for name in names)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text(f"[platform_server]\n{told}", encoding="utf-8")


def fill(folder: Path, articles: int, address: str = "") -> tuple[str, str]:
    """Write an account with `articles` articles as the platform keeps them; returns its key and
    secret. address: the database's, or "" for SQLite."""
    return asyncio.run(_fill(folder, articles, address))


async def _fill(folder: Path, articles: int, address: str) -> tuple[str, str]:
    database = await Database.open(address, folder=folder / "platform")
    parts = assortment.small_parts()
    try:
        async with database.writing() as connection:
            account = await make_account(connection, name="Робна кућа", now=_BEGAN)
            key = await make_key(connection, account, KeyTerms("x", ALL_SCOPES), now=_BEGAN)
            for table, name in (
                (tables.STORE, "stores"),
                (tables.UNIT, "units"),
                (tables.CATEGORY, "categories"),
            ):
                rows = [_row(account, one, n) for n, one in enumerate(parts[name], 1)]
                await connection.execute(insert(table), rows)
            moments = (_BEGAN + timedelta(milliseconds=number) for number in count(1))
            products = zip(count(1), moments, assortment.products(articles), strict=False)
            while batch := list(islice(products, 1000)):
                rows = [
                    _row(account, one | {"updatedAt": _text(at)}, n, at) for n, at, one in batch
                ]
                await connection.execute(insert(tables.PRODUCT), rows)
            await connection.execute(update(tables.ACCOUNT).values(revision=articles))
    finally:
        await database.close()
    return key.id, key.secret


def _row(
    account: str, document: dict[str, Any], number: int, at: datetime = _BEGAN
) -> dict[str, Any]:
    return {
        "id": document["id"],
        "account_id": account,
        "number": number,
        "revision": number,
        "created_at": _BEGAN,
        "updated_at": at,
        "deleted_at": None,
        "document": dumps(document).decode(),
    }


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def basic_of(key: tuple[str, str]) -> str:
    return f"Basic {base64.b64encode(':'.join(key).encode()).decode()}"


async def asked(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    line: str,
    basic: str,
    content: bytes,
) -> bytes:
    """The head of an answer, read to its end. A library would take most of this process's time."""
    head = (
        f"{line} HTTP/1.1\r\nHost: platform\r\nAuthorization: {basic}\r\n"
        f"Idempotency-Key: {uuid.uuid4().hex}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    writer.write(head.encode() + content)
    answer = await reader.readuntil(b"\r\n\r\n")
    await _body(reader, answer.lower())
    return answer


async def _body(reader: asyncio.StreamReader, head: bytes) -> None:
    if b"content-length: " in head:
        length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        return
    while size := int((await reader.readline()).strip(), 16):
        await reader.readexactly(size + 2)
    await reader.readline()


@asynccontextmanager
async def connected(
    address: str,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, _, port = address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()
        await writer.wait_closed()


def pin(process: int, core: int | None) -> None:
    """Give a process a core of its own, where there are two; core is None to allow all of them."""
    cores = sorted(range(os.cpu_count() or 1))
    if len(cores) > 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, set(cores) if core is None else {cores[core]})


def tree_seconds(process: int) -> float:
    """Processor seconds of a process and its children; those of children that ended are left
    out."""
    try:
        of_it = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        return cpu_seconds(process) + sum(tree_seconds(int(one)) for one in of_it)
    except (FileNotFoundError, ProcessLookupError):  # PostgreSQL's own come and go
        return 0.0
