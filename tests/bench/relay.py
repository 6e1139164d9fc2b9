"""Measures public mode: receipts a second through the platform's workers, and its own time for
each.

Simulated applications are connected, a thousand in the whole bench, and answer at once with a
receipt of usual size. This process holds callers and applications. The platform's own time is the
time that a caller waits, with the ways to and from both ends. On two cores workers, PostgreSQL and
this load compete for the processor: the comparable figure is the processor time of each for a
receipt.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pos_app.wire import relay
from tests.bench import platform_requests as requests
from tests.bench.figures import Figure, NotMeasured, Target, quantile
from tests.bench.machine import cpu_seconds, resident_mib
from tests.bench.place import Place, Size
from tests.e2e.shop import Program
from tests.fakes.postgresql import Cluster, postgresql_cluster

CALLERS = 48
RATE = 300
_RATE = Target(RATE, RATE, at_least=True)
_OWN = Target(p99=50)
_RECEIPT = json.dumps({"id": "r", "journal": "X" * 3000, "qrCode": "Q" * 3000})
_LINE = "POST /v2/fiscalization/receipts"
_TEXT, _PING, _PONG = 1, 9, 10
_ALL_CONNECTED = b"connected\n"
_SHORT = 125
"""The longest frame in bytes whose length stands in its second byte."""
_MANY = 4_000
"""The number of connections that one worker takes."""
_WORKERS = 4
_AT_ONCE = 40
"""Applications that connect at the same time."""


@dataclass
class Load:
    """The callers' results. took: milliseconds of each receipt."""

    took: list[float] = field(default_factory=list)
    failed: int = 0


def measure(place: Place) -> Iterator[Figure]:
    requests.pin(os.getpid(), 1)
    try:
        yield from _platform(place, Hosting("platform", "SQLite", is_pinned=True))
    finally:
        requests.pin(os.getpid(), None)
    for workers in (1, 2):
        yield from _on_postgresql(place, workers)


def of_tills(place: Place) -> Iterator[Figure]:
    """Measure many tills: one worker on the embedded database as long as it takes them all, and
    several on PostgreSQL, whose tills are in processes of their own."""
    tills = place.size.tills
    if tills < _MANY:
        requests.pin(os.getpid(), 1)
        try:
            yield from _platform(place, Hosting(f"platform-of-{tills}", "SQLite", is_pinned=True))
        finally:
            requests.pin(os.getpid(), None)
    if tills >= place.size.apart:
        yield from _on_postgresql(place, _WORKERS, processes=_WORKERS)


def _on_postgresql(place: Place, workers: int, *, processes: int = 0) -> Iterator[Figure]:
    with postgresql_cluster(is_durable=True) as cluster:
        name = f"PostgreSQL, {workers} worker{'s' * (workers > 1)}"
        folder = f"platform-{place.size.tills}-{workers}"
        yield from _platform(place, Hosting(folder, name, cluster, workers, processes=processes))


@dataclass(frozen=True, slots=True)
class Hosting:
    """The way in which a platform runs. is_pinned: its worker has a core of its own, and this load
    the other. processes: the number of processes with tills, beside the callers; at 0 the tills are
    here."""

    folder: str
    name: str
    cluster: Cluster | None = None
    workers: int = 1
    is_pinned: bool = False
    processes: int = 0


@dataclass(frozen=True, slots=True)
class Processor:
    workers: float
    database: float
    load: float

    @classmethod
    def now(cls, program: Program, cluster: Cluster | None, tills: list[Tills]) -> Processor:
        database = 0.0 if cluster is None else requests.tree_seconds(cluster.postmaster)
        load = sum(map(cpu_seconds, {os.getpid(), *(one.pid for one in tills)}))
        return cls(requests.tree_seconds(program.child.pid), database, load)

    def since(self, before: Processor, receipts: int) -> str:
        workers, database, load = (
            (getattr(self, name) - getattr(before, name)) / receipts * 1000
            for name in ("workers", "database", "load")
        )
        return (
            f"processor a receipt: {workers:.2f} ms of workers ({1000 / workers:.0f} receipts a"
            f" second of it), {database:.2f} ms of PostgreSQL, {load:.2f} ms of this load"
        )


def _platform(place: Place, hosting: Hosting) -> Iterator[Figure]:
    with _running(place, hosting) as (address, basic, program):
        yield from asyncio.run(_measured(address, basic, program, hosting, place.size))


@contextmanager
def _running(place: Place, hosting: Hosting) -> Iterator[tuple[str, str, Program]]:
    folder = place.folder / hosting.folder
    database = "" if hosting.cluster is None else hosting.cluster.address
    requests.without_quotas(folder)
    basic = requests.basic_of(asyncio.run(requests.new_key(folder, database)))
    with requests.running(place, folder, database, workers=hosting.workers) as (address, program):
        if hosting.is_pinned:
            requests.pin(program.child.pid, 0)
        yield address, basic, program


async def _measured(
    address: str, basic: str, program: Program, hosting: Hosting, size: Size
) -> list[Figure]:
    clients = [str(uuid.uuid4()) for _ in range(size.tills)]
    began = time.perf_counter()
    empty, idle = resident_mib(program.child.pid), requests.tree_seconds(program.child.pid)
    async with asyncio.timeout(120 + size.tills / 10):
        tills = await _connected(address, basic, clients, hosting.processes)
    connected = time.perf_counter() - began
    each_till = (resident_mib(program.child.pid) - empty) * 1024 / size.tills
    spent = (requests.tree_seconds(program.child.pid) - idle) * 1000 / size.tills
    cost = f"processor each: {spent:.1f} ms of workers"
    parts = [Processor.now(program, hosting.cluster, tills)]
    at_most = await _loaded(address, basic, clients, seconds=size.loaded, rate=None)
    parts.append(Processor.now(program, hosting.cluster, tills))
    steady = await _loaded(address, basic, clients, seconds=size.loaded, rate=RATE)
    parts.append(Processor.now(program, hosting.cluster, tills))
    if hosting.is_pinned:
        await asyncio.sleep(size.idle)
        parts.append(Processor.now(program, hosting.cluster, tills))
    for one in tills:
        await one.close()
    if at_most.failed or steady.failed:
        raise NotMeasured(f"{at_most.failed + steady.failed} receipts were not answered")
    rate = len(at_most.took) / size.loaded
    note = (
        f"{CALLERS} callers without a pause; p99 then {quantile(at_most.took, 0.99):.0f} ms;"
        f" {parts[1].since(parts[0], len(at_most.took))}"
    )
    each = parts[2].since(parts[1], len(steady.took))
    mode = f"public mode, {hosting.name}"
    figures = [
        Figure.single(f"{mode}: receipts/s, {size.tills:,} tills", rate, "/s", _RATE, note),
        Figure.of(f"{mode}: own time at {RATE}/s", steady.took, _OWN, each),
        Figure.single(f"{mode}: {size.tills:,} tills connect", connected, "s", note=cost),
    ]
    if hosting.is_pinned:
        share = (parts[3].workers - parts[2].workers) / size.idle * 100
        note = f"{size.idle:.0f} s of {size.tills:,} connected tills; percent of a core"
        figures.append(Figure.single(f"{mode}: tills that do nothing", share, "%", note=note))
    if hosting.workers == 1:
        memory = f"{mode}: memory of each connected till"
        figures.append(Figure.single(memory, each_till, "KB"))
    return figures


class _Till(asyncio.Protocol):
    """An application in a few lines: that of a library would take most of this process's time."""

    def __init__(self, greeted: asyncio.Future[None], basic: str, client: str) -> None:
        self._greeted = greeted
        self._basic = basic
        self._client = client
        self._buffer = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET /v2/relay HTTP/1.1\r\nHost: localhost\r\nAuthorization: {self._basic}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, end, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            self._is_open = True
            hello = relay.HelloMessage(
                version=relay.VERSION, client_id=self._client, install_id=self._client
            )
            self._say(relay.written(hello))
        while (frame := self._frame()) is not None:
            self._hear(*frame)

    def _frame(self) -> tuple[int, bytes] | None:
        buffer, begin = self._buffer, 2
        if len(buffer) < begin:
            return None
        length = buffer[1]
        if length > _SHORT:
            begin, length = 4, int.from_bytes(buffer[2:4], "big")
        if len(buffer) < begin + length:
            return None
        self._buffer = buffer[begin + length :]
        return buffer[0] & 0xF, buffer[begin : begin + length]

    def _hear(self, kind: int, payload: bytes) -> None:
        if kind == _PING:
            self._write(_PONG, payload)
        if kind != _TEXT:
            return
        told = json.loads(payload)
        if told["type"] != "command":
            self._greeted.set_result(None)
            return
        answer = {"type": "answer", "status": 200, "body": _RECEIPT}
        self._say(json.dumps(answer | {name: told[name] for name in ("commandId", "attempt")}))

    def _say(self, text: str) -> None:
        self._write(_TEXT, text.encode())

    def _write(self, kind: int, payload: bytes) -> None:
        """Write a frame, masked with zeros, which changes nothing."""
        size = len(payload)
        length = bytes([0x80 | size]) if size <= _SHORT else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(bytes([0x80 | kind]) + length + bytes(4) + payload)


async def _connect(
    address: str, basic: str, client: str, gate: asyncio.Semaphore
) -> asyncio.BaseTransport:
    host, port = address.removeprefix("http://").split(":")
    loop = asyncio.get_running_loop()
    greeted: asyncio.Future[None] = loop.create_future()
    async with gate:
        transport, _ = await loop.create_connection(
            lambda: _Till(greeted, basic, client), host, int(port)
        )
        await greeted
    return transport


@dataclass(frozen=True, slots=True)
class Tills:
    """Connected applications, and the process that holds them."""

    pid: int
    lines: list[asyncio.BaseTransport] = field(default_factory=list)
    child: asyncio.subprocess.Process | None = None

    async def close(self) -> None:
        for line in self.lines:
            line.close()
        if self.child is not None and self.child.stdin is not None:
            self.child.stdin.close()
            await self.child.wait()


async def _connected(address: str, basic: str, clients: list[str], processes: int) -> list[Tills]:
    if processes:
        parts = [clients[number::processes] for number in range(processes)]
        return list(await asyncio.gather(*(_apart(address, basic, part) for part in parts if part)))
    gate = asyncio.Semaphore(_AT_ONCE)
    lines = await asyncio.gather(*(_connect(address, basic, client, gate) for client in clients))
    return [Tills(os.getpid(), list(lines))]


async def _apart(address: str, basic: str, clients: list[str]) -> Tills:
    words, pipe = ("-m", "tests.bench.relay", address, basic), asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(sys.executable, *words, stdin=pipe, stdout=pipe)
    child.stdin.write(json.dumps(clients).encode() + b"\n")
    await child.stdin.drain()
    if await child.stdout.readline() != _ALL_CONNECTED:
        raise NotMeasured("the tills of another process did not connect")
    return Tills(child.pid, child=child)


async def _hold(address: str, basic: str) -> None:
    """Work of that process: connect the applications of the first line, and stay until input
    ends."""
    loop = asyncio.get_running_loop()
    clients = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    tills = await _connected(address, basic, clients, 0)
    sys.stdout.buffer.write(_ALL_CONNECTED)
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)
    for one in tills:
        await one.close()


async def _loaded(
    address: str, basic: str, clients: list[str], *, seconds: float, rate: int | None
) -> Load:
    """The results of callers that go on for so many seconds, each at least once."""
    load, end = Load(), time.perf_counter() + seconds
    pace = None if rate is None else CALLERS / rate
    await asyncio.gather(
        *(_caller(address, basic, clients, n, pace, end, load) for n in range(CALLERS))
    )
    return load


async def _caller(
    address: str, basic: str, clients: list[str], n: int, pace: float | None, end: float, load: Load
) -> None:
    due = time.perf_counter() + (pace or 0) * n / CALLERS
    turn = n
    async with requests.connected(address) as (reader, writer):
        while True:
            now = time.perf_counter()
            if pace is not None and now < due:
                await asyncio.sleep(due - now)
            began = due if pace is not None else now
            if began >= end and turn > n:
                break
            due += pace or 0
            client = clients[turn % len(clients)]
            body = json.dumps({"clientId": client, "items": [{"sku": 1}] * 3}).encode()
            answer = await requests.asked(reader, writer, _LINE, basic, body)
            load.took.append((time.perf_counter() - began) * 1000)
            load.failed += not answer.startswith(b"HTTP/1.1 200")
            turn += CALLERS


if __name__ == "__main__":
    asyncio.run(_hold(*sys.argv[1:]))
