"""Measures receipts through the local API: how many a second, and the server's own time for each.

Server and processor are processes of their own; the processor answers in 0 ms, and it measures the
time that it needs to sign, which is subtracted.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from urllib.parse import quote

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
    """number: the fiscal number. took: milliseconds of the POST, as the caller measured them. own:
    the same without the processor's."""

    number: str
    took: float
    own: float = 0.0


class Caller:
    """A program at the local API, over one connection, once a server made the shop's identity. Its
    receipts have no picture of the QR code, as those of the till: that takes some 8 ms."""

    def __init__(self, place: Place, start: int = 0) -> None:
        self._door = HTTPConnection("127.0.0.1", place.shop.port, timeout=60)
        self._codes = json.loads(place.codes.read_text())
        self._at = start
        self._as_till = place.shop.as_till() | {"X-Without-Code": "true"}

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
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        return self._asked("POST", RECEIPTS, json.dumps(sale), headers | self._as_till)

    def find(self, number: str) -> float:
        """Milliseconds of a look-up."""
        found = self._asked("GET", f"{RECEIPTS}/{quote(number, safe='')}", None, {})
        if found.number != number:
            raise NotMeasured(f"{number} was not found: {found}")
        return found.took

    def _asked(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Issued:
        began = time.perf_counter()
        self._door.request(method, path, body, headers)
        answer = self._door.getresponse()
        told = answer.read()
        took = (time.perf_counter() - began) * 1000
        if answer.status != 200:
            raise NotMeasured(f"no receipt: {answer.status} {told[:500]!r}")
        return Issued(json.loads(told)["invoiceNumber"], took)

    def close(self) -> None:
        self._door.close()

    def _next(self, count: int) -> list[str]:
        self._at += count
        return [self._codes[(self._at + step) % len(self._codes)][1] for step in range(count)]


@dataclass
class Serving:
    """A server, and a caller that has its first receipts. started: milliseconds of its start."""

    place: Place
    program: Program
    caller: Caller
    started: float

    def issue(self, count: int, lines: int = _ITEMS) -> list[Issued]:
        """Receipts one after the other."""
        self._signing()
        issued = [self.caller.issue(lines) for _ in range(count)]
        signing = self._signing()
        if len(signing) != count:
            raise NotMeasured(f"{count} receipts, {len(signing)} signed")
        pairs = zip(issued, signing, strict=True)
        return [replace(one, own=one.took - signed) for one, signed in pairs]

    def _signing(self) -> list[float]:
        """Milliseconds of the processor for each invoice since the last call."""
        door = HTTPConnection("127.0.0.1", self.place.shop.processor_port, timeout=30)
        door.request("GET", TIMES)
        told: list[float] = json.loads(door.getresponse().read())
        door.close()
        return told

    def figures(self, rate: Target | None, stored: Sequence[str] = ()) -> Iterator[Figure]:
        """The figures of one caller, and those of look-ups of `stored` numbers, or of its own."""
        pid, count = self.program.child.pid, self.place.size.receipts
        before = machine.cpu_seconds(pid)
        issued = self.issue(count)
        spent = 1000 * (machine.cpu_seconds(pid) - before) / count
        own = [one.own for one in issued]
        name = "  receipts a second, without the processor's time"
        yield Figure.single(name, 1000 / statistics.mean(own), "/s", rate)
        yield Figure.of("  POST receipts, own time", own, _OWN)
        yield Figure.single("  processor time of the server, a receipt", spent)
        numbers = stored or [one.number for one in issued]
        found = [self.caller.find(number) for number in numbers]
        yield Figure.of("  GET receipt by its number, over HTTP, with its picture", found)


@contextmanager
def serving(place: Place) -> Iterator[Serving]:
    place.processor()
    began = time.perf_counter()
    program = place.server()
    started = (time.perf_counter() - began) * 1000
    caller = Caller(place)
    for _ in range(5):
        caller.issue()
    try:
        yield Serving(place, program, caller, started)
    finally:
        caller.close()
        program.stop()


def measure(place: Place) -> Iterator[Figure]:
    """Measure one caller, then several at once."""
    with serving(place) as server:
        yield from server.figures(_RATE)
        alone = [one.took for one in server.issue(place.size.receipts)]
        yield _together(place, 1000 / statistics.mean(alone))


def _together(place: Place, alone: float) -> Figure:
    """alone is the number of receipts a second of one caller."""
    each = max(1, place.size.receipts // CALLERS)
    numbers: list[str] = []

    def work(start: int) -> None:
        caller = Caller(place, start)
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
    return Figure.single(name, len(numbers) / seconds, "/s", limit)


def of_lines(place: Place) -> Iterator[Figure]:
    with serving(place) as server:
        for lines in place.size.lines:
            own = [one.own for one in server.issue(4 * place.size.carts, lines)]
            yield replace(Figure.of("POST receipts of so many lines, own time", own), size=lines)
