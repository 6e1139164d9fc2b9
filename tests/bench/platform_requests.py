"""Measures one worker of the platform on SQLite: small requests, many at once, and pictures. The
callers are this process, the worker is another; on two cores each has its own."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
from PIL import Image

from pos_app import settings
from pos_app.bootstrap.platform.accounts import add_account, add_key
from tests.bench.figures import Figure, NotMeasured, quantile
from tests.bench.machine import cpu_seconds
from tests.bench.place import Place
from tests.e2e.shop import Program

CALLERS = 16


def measure(place: Place) -> Iterator[Figure]:
    """Measure reads with credentials, adds, and the memory of a worker that was not asked anything
    yet."""
    folder = place.folder / "platform-requests"
    without_quotas(folder)
    key = asyncio.run(new_key(folder))
    with running(place, folder) as (address, program):
        worker = program.child.pid
        pin(worker, 0)
        pin(os.getpid(), 1)
        try:
            yield Figure.single("a worker that begins", megabytes(worker), "MB")
            yield from _rates(address, basic_of(key), worker, place.size.loaded / 2)
            yield Figure.single("  the worker's memory after all this", megabytes(worker), "MB")
            yield from _pictures(address, key, worker, place.size.picture)
        finally:
            pin(os.getpid(), None)


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


async def new_key(folder: Path, database: str = "") -> tuple[str, str]:
    """Key and secret of a new account. database: the address of one, or "" for SQLite."""
    shop = settings.load(folder, platform_server={"database_url": database})
    key = await add_key(shop, await add_account(shop, "bench"))
    return key.id, key.secret


def basic_of(key: tuple[str, str]) -> str:
    """The header of a key."""
    return f"Basic {base64.b64encode(':'.join(key).encode()).decode()}"


def _rates(address: str, basic: str, worker: int, seconds: float) -> Iterator[Figure]:
    def unit(number: int) -> bytes:
        return b""

    def product(number: int) -> bytes:
        told = {"name": f"Артикал {number}", "taxRateLabel": "Е", "price": 58.9}
        return json.dumps(told, ensure_ascii=False).encode()

    for words, line, body in (
        ("reads with credentials", "GET /v2/units", unit),
        ("products added", "POST /v2/products", product),
    ):
        before = cpu_seconds(worker)
        took = asyncio.run(_load(address, basic, line, body, seconds))
        each = (cpu_seconds(worker) - before) / len(took) * 1000
        note = (
            f"{CALLERS} callers; p99 {quantile(took, 0.99):.0f} ms; {each:.2f} ms of processor each"
        )
        yield Figure.single(f"platform: {words}", len(took) / seconds, "/s", note=note)


def _pictures(
    address: str, key: tuple[str, str], worker: int, size: tuple[int, int]
) -> Iterator[Figure]:
    """Measure a large picture of each kind, and the most memory that the worker
    holds for it."""
    with httpx.Client(base_url=address, auth=key, trust_env=False, timeout=60.0) as caller:
        for kind in ("JPEG", "PNG", "WEBP"):
            content = _picture(kind, size)
            begin_high_water(worker)
            before, began = cpu_seconds(worker), time.perf_counter()
            told = {"Content-Type": f"image/{kind.lower()}"}
            answer = caller.post("/v2/files", content=content, headers=told)
            if answer.status_code != 201:
                raise NotMeasured(answer.text)
            took = (time.perf_counter() - began) * 1000
            note = (
                f"{len(content) / 1e6:.1f} MB; {cpu_seconds(worker) - before:.2f} s of processor;"
                f" the worker held {megabytes(worker, 'VmHWM'):.0f} MB at most"
            )
            yield Figure.single(f"platform: a picture ({kind})", took, "ms", note=note)


def _picture(kind: str, size: tuple[int, int]) -> bytes:
    """A picture with details everywhere, as in a photo."""
    grain = Image.effect_noise((500, 375), 60).resize(size)
    photo = Image.merge("RGB", (grain, grain.rotate(90).resize(grain.size), grain.rotate(180)))
    written = io.BytesIO()
    photo.save(written, kind)
    return written.getvalue()


async def _load(
    address: str, basic: str, line: str, body: Callable[[int], bytes], seconds: float
) -> list[float]:
    """Milliseconds of each request; each caller sends at least one."""
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def call(caller: int) -> None:
        async with connected(address) as (reader, writer):
            number = caller
            while (began := time.perf_counter()) < end or number == caller:
                answer = await asked(reader, writer, line, basic, body(number))
                number += CALLERS
                if answer[9:10] != b"2":
                    raise NotMeasured(f"{line} was answered {answer[:40]!r}")
                took.append((time.perf_counter() - began) * 1000)

    await asyncio.gather(*map(call, range(CALLERS)))
    return took


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


def megabytes(process: int, name: str = "VmRSS") -> float:
    """Memory of a process; VmHWM is its maximum since `begin_high_water`."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.partition(f"{name}:")[2].split()[0]) / 1024


def begin_high_water(process: int) -> None:
    Path(f"/proc/{process}/clear_refs").write_text("5", encoding="ascii")
