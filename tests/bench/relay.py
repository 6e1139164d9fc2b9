"""Public mode: receipts a second through one worker of the platform, and its own time for each.

A thousand simulated applications are connected and answer at once with a receipt of usual size.
Callers and applications are this process, the platform is another; on two cores each has its own.
Its own time is what a caller waits, so the ways to and from both ends are in it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import connect

from pos_app.wire import relay
from tests.bench.figures import Figure, NotMeasured, Target, quantile
from tests.bench.place import Place
from tests.e2e.shop import Program

TILLS = 1000
CALLERS = 48
SECONDS = 12.0
RATE = 300
_RATE = Target(RATE, RATE, at_least=True)
_OWN = Target(p99=50)
_RECEIPT = json.dumps({"id": "r", "journal": "X" * 3000, "qrCode": "Q" * 3000})
_AT_ONCE = 40
"""Applications that connect at the same time."""


@dataclass
class Load:
    """What callers saw. took: milliseconds of each receipt."""

    took: list[float] = field(default_factory=list)
    failed: int = 0


def measure(place: Place) -> Iterator[Figure]:
    """On the embedded database."""
    folder = place.folder / "platform"
    base = ["-m", "pos_app", "platform", "--data", str(folder)]
    account = _told(place, [*base[:3], "account", "add", "Bench", *base[3:], "--json"])["account"]
    key = _told(place, [*base[:3], "key", "add", account, *base[3:], "--json"])
    program = place.shop.run(*base, "--port", "0", name="platform")
    program.until(lambda: program.lines("http") or program.is_over)
    _pin(program.child.pid, 0)
    _pin(os.getpid(), 1)
    try:
        address = program.lines("http")[0][0]
        yield from asyncio.run(_measured(address, f"{key['key']}:{key['secret']}", program))
    finally:
        _pin(os.getpid(), None)
        program.stop()


def _told(place: Place, words: list[str]) -> dict[str, str]:
    program = place.shop.run(*words, name="platform-words")
    if program.wait() != 0:
        raise NotMeasured(program.errors())
    told: dict[str, str] = json.loads(" ".join(program.lines()[-1]))
    return told


async def _measured(address: str, credentials: str, program: Program) -> list[Figure]:
    basic = f"Basic {base64.b64encode(credentials.encode()).decode()}"
    clients = [str(uuid.uuid4()) for _ in range(TILLS)]
    gate, ready = asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(0)
    tills = [asyncio.create_task(_till(address, basic, client, gate, ready)) for client in clients]
    try:
        began = time.perf_counter()
        async with asyncio.timeout(120):
            for _ in clients:
                await ready.acquire()
        connected = time.perf_counter() - began
        at_most = await _loaded(address, basic, clients, rate=None)
        cpu = _cpu(program.child.pid)
        steady = await _loaded(address, basic, clients, rate=RATE)
        cpu = _cpu(program.child.pid) - cpu
    finally:
        for task in tills:
            task.cancel()
        await asyncio.gather(*tills, return_exceptions=True)
    if at_most.failed or steady.failed:
        raise NotMeasured(f"{at_most.failed + steady.failed} receipts were not answered")
    rate = len(at_most.took) / SECONDS
    note = f"{CALLERS} callers without a pause; p99 then {quantile(at_most.took, 0.99):.0f} ms"
    each = f"of the worker's processor {cpu / len(steady.took) * 1000:.1f} ms a receipt"
    return [
        Figure.one("public mode: receipts/s, 1,000 tills", rate, "/s", _RATE, note),
        Figure.of(f"public mode: own time at {RATE}/s", steady.took, _OWN, each),
        Figure.one("public mode: 1,000 tills connect", connected, "s"),
    ]


async def _till(
    address: str, basic: str, client: str, gate: asyncio.Semaphore, ready: asyncio.Semaphore
) -> None:
    async with gate:
        line = await connect(
            f"ws{address.removeprefix('http')}/v2/relay",
            additional_headers={"Authorization": basic},
            proxy=None,
            compression=None,
        )
        hello = relay.Hello(version=relay.VERSION, client_id=client, install_id=client)
        await line.send(relay.written(hello))
        await line.recv()
    ready.release()
    async for frame in line:
        command = json.loads(frame)
        told = {"type": "answer", "status": 200, "body": _RECEIPT}
        told |= {name: command[name] for name in ("commandId", "attempt")}
        await line.send(json.dumps(told))


async def _loaded(address: str, basic: str, clients: list[str], *, rate: int | None) -> Load:
    load, end = Load(), time.perf_counter() + SECONDS
    pace = None if rate is None else CALLERS / rate
    await asyncio.gather(
        *(_caller(address, basic, clients, n, pace, end, load) for n in range(CALLERS))
    )
    return load


async def _caller(
    address: str, basic: str, clients: list[str], n: int, pace: float | None, end: float, load: Load
) -> None:
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    due = time.perf_counter() + (pace or 0) * n / CALLERS
    turn = n
    while True:
        now = time.perf_counter()
        if pace is not None and now < due:
            await asyncio.sleep(due - now)
        began = due if pace is not None else now
        if began >= end:
            break
        due += pace or 0
        body = json.dumps({"clientId": clients[turn % TILLS], "items": [{"sku": 1}] * 3}).encode()
        head = (
            f"POST /v2/fiscalization/receipts HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Authorization: {basic}\r\nContent-Type: application/json\r\n"
            f"Idempotency-Key: {uuid.uuid4().hex}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        load.took.append((time.perf_counter() - began) * 1000)
        load.failed += not answer.startswith(b"HTTP/1.1 200")
        turn += CALLERS
    writer.close()
    await writer.wait_closed()


def _pin(pid: int, core: int | None) -> None:
    """Each side has a core of its own, where there are two."""
    cores = sorted(range(os.cpu_count() or 1))
    if len(cores) > 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(pid, set(cores) if core is None else {cores[core]})


def _cpu(pid: int) -> float:
    """Seconds of processor that a process has used; 0 where that can't be told."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
