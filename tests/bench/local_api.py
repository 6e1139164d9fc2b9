"""Measures receipts through the local API: how many a second, and the server's own time for each.

Server and processor are processes of their own; the processor answers in 0 ms, and it measures the
time that it needs to sign, which is subtracted.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from urllib.parse import quote

from pos_app.adapters.data_folder.install import known_install
from tests.bench import machine
from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.place import Place
from tests.bench.processor import TIMES
from tests.e2e.shop import Program

RECEIPTS = "/fiscalization/receipts"
CALLERS = 20
_WITHIN = 0.8
"""The share of one caller's receipts a second that all callers together are to reach."""
_ITEMS = 3
_RATE = Target(60, 60, at_least=True)
_OWN = Target(p99=25)


@dataclass(frozen=True, slots=True)
class Issued:
    """number: the fiscal number. took: milliseconds of the POST, as the caller measured them."""

    number: str
    took: float


class Caller:
    """A program at the local API, over one connection, once a server made the shop's identity. Its
    receipts have no picture of the QR code, as those of the till: that takes some 8 ms."""

    def __init__(self, place: Place, codes: Sequence[list[str]]) -> None:
        self._door = HTTPConnection("127.0.0.1", place.shop.port, timeout=60)
        self._codes = codes
        self._at = 0
        install = known_install(place.data)
        self._as_till = {"X-Pos-Token": install.token, "X-Without-Code": "true"}

    def issue(self, lines: int = _ITEMS) -> Issued:
        """Sell articles for cash. Raises NotMeasured for any answer but a receipt."""
        items = [{"sku": int(sku), "quantity": 1, "unitPrice": 99.99} for sku in self._next(lines)]
        sale = {
            "invoiceType": "normal",
            "transactionType": "sale",
            "payments": {"cash": 100 * lines},
            "receiptDelivery": {"pdf": False, "base64pdf": False},
            "items": items,
        }
        body = json.dumps(sale).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        headers |= self._as_till
        began = time.perf_counter()
        self._door.request("POST", RECEIPTS, body, headers)
        answer = self._door.getresponse()
        told = answer.read()
        took = (time.perf_counter() - began) * 1000
        if answer.status != 200:
            raise NotMeasured(f"no receipt: {answer.status} {told[:500]!r}")
        return Issued(json.loads(told)["invoiceNumber"], took)

    def find(self, number: str) -> float:
        began = time.perf_counter()
        self._door.request("GET", f"{RECEIPTS}/{quote(number, safe='')}")
        answer = self._door.getresponse()
        found = answer.read()
        took = (time.perf_counter() - began) * 1000
        if answer.status != 200 or json.loads(found)["invoiceNumber"] != number:
            raise NotMeasured(f"{number} was not found: {answer.status} {found[:500]!r}")
        return took

    def close(self) -> None:
        self._door.close()

    def _next(self, count: int) -> list[str]:
        self._at += count
        return [self._codes[(self._at + step) % len(self._codes)][1] for step in range(count)]


def measure(place: Place) -> Iterator[Figure]:
    """Measure one caller after the other, then several at once, then look-ups."""
    processor, codes = place.processor(), json.loads(place.codes.read_text())
    server = place.shop.server()
    if server.is_over:
        raise NotMeasured(f"the server did not start: {server.errors()}")
    caller = Caller(place, codes)
    for _ in range(5):
        caller.issue()
    spent = Spent(server, processor)
    processor_times(place)
    began = time.perf_counter()
    issued = [caller.issue() for _ in range(place.size.receipts)]
    seconds = time.perf_counter() - began
    yield from _alone(issued, processor_times(place), seconds)
    yield from spent.figures(len(issued))
    yield _together(place, codes, len(issued) / seconds)
    found = [caller.find(one.number) for one in issued]
    note = f"{len(issued)} receipts and more"
    name = "GET receipt by its number, over HTTP, with its picture"
    yield Figure.of(name, found, None, note)
    yield Figure.single("memory of the server", machine.resident_mib(server.child.pid), "MiB")
    caller.close()
    server.stop()


class Spent:
    """Processor time of server and processor since this was made."""

    def __init__(self, server: Program, processor: Program) -> None:
        self._pids = {"server": server.child.pid, "development processor": processor.child.pid}
        self._before = {name: machine.cpu_seconds(pid) for name, pid in self._pids.items()}

    def figures(self, receipts: int) -> Iterator[Figure]:
        for name, pid in self._pids.items():
            spent = machine.cpu_seconds(pid) - self._before[name]
            yield Figure.single(
                f"  processor time of the {name}, a receipt", 1000 * spent / receipts
            )


def _alone(issued: list[Issued], signing: list[float], seconds: float) -> Iterator[Figure]:
    took = [one.took for one in issued]
    if len(signing) != len(issued):
        raise NotMeasured(f"{len(issued)} receipts, {len(signing)} signed")
    own = [whole - signed for whole, signed in zip(took, signing, strict=True)]
    yield Figure.single(
        "local API, one caller: receipts a second", len(issued) / seconds, "1/s", _RATE
    )
    yield Figure.of("POST receipts, own time (without the processor's)", own, _OWN)
    yield Figure.of("  with the processor's", took)
    yield Figure.of("  the processor's", signing)
    less = seconds - sum(signing) / 1000
    rate = len(issued) / less
    yield Figure.single("  receipts a second if the processor took no time", rate, "1/s", _RATE)


def _together(place: Place, codes: list[list[str]], alone: float) -> Figure:
    """alone is the number of receipts a second of one caller."""
    each = max(1, place.size.receipts // CALLERS)
    numbers: list[str] = []

    def work(start: int) -> None:
        caller = Caller(place, codes[start:])
        numbers.extend(caller.issue().number for _ in range(each))
        caller.close()

    threads = [threading.Thread(target=work, args=(7 * number,)) for number in range(CALLERS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    if len(set(numbers)) != each * CALLERS:
        raise NotMeasured(f"{len(set(numbers))} receipts instead of {each * CALLERS}")
    name = f"local API, {CALLERS} callers at once: receipts a second"
    limit = Target(_WITHIN * alone, _WITHIN * alone, at_least=True)
    return Figure.single(name, len(numbers) / seconds, "1/s", limit)


def of_lines(place: Place) -> Iterator[Figure]:
    place.processor()
    server = place.shop.server()
    caller = Caller(place, json.loads(place.codes.read_text()))
    caller.issue()
    for lines in place.size.lines:
        processor_times(place)
        took = [caller.issue(lines).took for _ in range(4 * place.size.carts)]
        own = [one - sign for one, sign in zip(took, processor_times(place), strict=True)]
        yield replace(Figure.of("POST receipts of so many lines, own time", own), size=lines)
    caller.close()
    server.stop()


def processor_times(place: Place) -> list[float]:
    """Milliseconds of the processor for each invoice since the last call."""
    door = HTTPConnection("127.0.0.1", place.shop.processor_port, timeout=30)
    door.request("GET", TIMES)
    told: list[float] = json.loads(door.getresponse().read())
    door.close()
    return told
