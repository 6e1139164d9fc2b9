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
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pos_app.wire import relay
from tests.bench import platform_requests as requests
from tests.bench.figures import Figure, NotMeasured, Target, quantile
from tests.bench.machine import resident_mib
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
_SHORT = 125
"""The longest frame in bytes whose length stands in its second byte."""
_MANY = 4_000
"""The number of connections that one worker takes."""
_WORKERS = 4
_AT_ONCE = 40
"""Applications that connect at the same time."""


def measure(place: Place) -> Iterator[Figure]:
    yield from _platform(place, "SQLite", None, 1)
    for workers in (1, 2):
        yield from _on_postgresql(place, workers)


def of_tills(place: Place) -> Iterator[Figure]:
    """Measure many tills: one worker on the embedded database as long as it takes them all, and
    several on PostgreSQL."""
    if place.size.tills < _MANY:
        yield from _platform(place, "SQLite", None, 1)
    if place.size.tills >= place.size.many_tills:
        yield from _on_postgresql(place, _WORKERS)


def _on_postgresql(place: Place, workers: int) -> Iterator[Figure]:
    with postgresql_cluster(is_durable=True) as cluster:
        name = f"PostgreSQL, {workers} worker{'s' * (workers > 1)}"
        yield from _platform(place, name, cluster, workers)


def _spent(program: Program, cluster: Cluster | None) -> tuple[float, float, float]:
    """Processor seconds of the workers, of PostgreSQL and of this load until now."""
    database = 0.0 if cluster is None else requests.tree_seconds(cluster.postmaster)
    return requests.tree_seconds(program.child.pid), database, time.process_time()


def _each(
    before: tuple[float, float, float], after: tuple[float, float, float], receipts: int
) -> str:
    workers, database, load = (
        (last - first) / receipts * 1000 for first, last in zip(before, after, strict=True)
    )
    return (
        f"processor a receipt: {workers:.2f} ms of workers ({1000 / workers:.0f} receipts a"
        f" second of it), {database:.2f} ms of PostgreSQL, {load:.2f} ms of this load"
    )


def _platform(place: Place, name: str, cluster: Cluster | None, workers: int) -> Iterator[Figure]:
    """Measure a platform. name: of its database. cluster: None for SQLite."""
    folder = Path(tempfile.mkdtemp(prefix="relay-", dir=place.folder))
    database = "" if cluster is None else cluster.address
    requests.without_quotas(folder)
    basic = requests.basic_of(requests.fill(folder, 0, database))
    with requests.running(place, folder, database, workers=workers) as (address, program):
        if cluster is None:  # its worker has a core of its own, and this load the other
            requests.pin(program.child.pid, 0)
            requests.pin(os.getpid(), 1)
        try:
            figures = asyncio.run(_measured(address, basic, program, cluster, place.size))
        finally:
            requests.pin(os.getpid(), None)
    for figure in figures:
        told = f"public mode, {name}: {figure.name}"
        yield replace(figure, name=told, size=place.size.tills)


async def _measured(
    address: str, basic: str, program: Program, cluster: Cluster | None, size: Size
) -> list[Figure]:
    clients = [str(uuid.uuid4()) for _ in range(size.tills)]
    began, empty = time.perf_counter(), resident_mib(program.child.pid)
    async with asyncio.timeout(120 + size.tills / 10):
        tills = await _connected(address, basic, clients)
    connected = (time.perf_counter() - began) * 1000
    each_till = (resident_mib(program.child.pid) - empty) * 1024 / size.tills
    parts = [_spent(program, cluster)]
    at_most = await _loaded(address, basic, clients, seconds=size.loaded, rate=None)
    parts.append(_spent(program, cluster))
    steady = await _loaded(address, basic, clients, seconds=size.loaded, rate=RATE)
    parts.append(_spent(program, cluster))
    note = (
        f"{CALLERS} callers without a pause; p99 then {quantile(at_most, 0.99):.0f} ms;"
        f" {_each(parts[0], parts[1], len(at_most))}"
    )
    figures = [
        Figure.single("receipts/s", len(at_most) / size.loaded, "/s", _RATE, note),
        Figure.of(f"own time at {RATE}/s", steady, _OWN, _each(parts[1], parts[2], len(steady))),
        Figure.single("tills connect", connected),
    ]
    if cluster is None:
        await asyncio.sleep(size.idle)
        share = (_spent(program, cluster)[0] - parts[2][0]) / size.idle * 100
        figures.append(Figure.single("tills that do nothing, of a core", share, "%"))
        figures.append(Figure.single("memory of each connected till", each_till, "KB"))
    for one in tills:
        one.close()
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


async def _connected(address: str, basic: str, clients: list[str]) -> list[asyncio.BaseTransport]:
    gate = asyncio.Semaphore(_AT_ONCE)
    return await asyncio.gather(*(_connect(address, basic, client, gate) for client in clients))


async def _loaded(
    address: str, basic: str, clients: list[str], *, seconds: float, rate: int | None
) -> list[float]:
    """Milliseconds of the receipts of callers that go on for so many seconds, each at least
    once."""
    load, end = list[float](), time.perf_counter() + seconds
    pace = None if rate is None else CALLERS / rate
    await asyncio.gather(
        *(_caller(address, basic, clients, n, pace, end, load) for n in range(CALLERS))
    )
    return load


async def _caller(
    address: str,
    basic: str,
    clients: list[str],
    n: int,
    pace: float | None,
    end: float,
    load: list[float],
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
            load.append((time.perf_counter() - began) * 1000)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise NotMeasured(f"a receipt was not answered: {answer[:500]!r}")
            turn += CALLERS
