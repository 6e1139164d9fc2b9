"""The five operations as any program on the machine uses them: curl, a server, a processor.

Each of the two is a process of its own; the processor is killed between the two receipts of a
closing, and comes back.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.nursery import Life, born
from tests.fakes.no_tls import NO_TLS
from tests.ports import free_port

CURL = shutil.which("curl")
KEY = "chain-0123456789"
SETTINGS = """
[processor]
kind = "lpfr"
url = "{url}"
quiet_seconds = 45
[esir]
ib = "1234"
"""
TABLE = {
    "quantity": 2,
    "unitPrice": 6000,
    "article": {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"},
}
DELIVERED = {"receiptDelivery": {"pdf": False}}
ADVANCE = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 3000},
    "items": [TABLE],
} | DELIVERED
MORE = {"payments": {"wiretransfer": 4000}} | DELIVERED
REST = {"payments": {"card": 5000}} | DELIVERED
BACK = {"buyerId": "10:123456788", "payments": {"cash": 12000}} | DELIVERED


@contextmanager
def program(*words: str) -> Iterator[tuple[Life, str]]:
    """Run a program of ours; yield it with the address that it printed."""
    with Path(os.devnull).open("wb") as nowhere:
        child = born(*words, errors=nowhere)
    try:
        yield child, child.stdout.readline().strip()
    finally:
        child.kill()
        child.communicate()


@dataclass
class Pfr:
    """The development processor as a process that can be killed and started again."""

    folder: Path
    port: int
    control_port: int
    stack: ExitStack
    process: Life | None = None

    def start(self) -> None:
        ports = ("--port", str(self.port), "--control-port", str(self.control_port))
        started = program("processor", "--data", str(self.folder), *ports)
        self.process, _ = self.stack.enter_context(started)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def control(self, method: str, path: str, body: Any = None) -> Any:
        url = f"http://127.0.0.1:{self.control_port}{path}"
        return httpx.request(method, url, json=body, trust_env=False, verify=NO_TLS).json()

    def signed(self) -> list[str]:
        return [one["answer"]["invoiceCounterExtension"] for one in self.control("GET", "/ledger")]


@dataclass
class Chain:
    address: str
    pfr: Pfr

    def curl(self, path: str, body: Any = None, *headers: str) -> tuple[int, Any]:
        """Return status and document of one call; with a body it is a POST."""
        assert CURL is not None
        words = [CURL, "-sS", "--noproxy", "*", "--max-time", "20", "-w", "\n%{http_code}"]
        for header in headers:
            words += ["-H", header]
        if body is not None:
            words += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        address = f"{self.address}/fiscalization/receipts{path}"
        done = subprocess.run([*words, address], capture_output=True, text=True, check=True)
        document, _, status = done.stdout.rpartition("\n")
        return int(status), json.loads(document)


@pytest.fixture
def chain(folder: Path, tmp_path: Path) -> Iterator[Chain]:
    with started(folder, tmp_path) as made:
        yield made


@contextmanager
def started(folder: Path, tmp_path: Path, more: str = "") -> Iterator[Chain]:
    """Run both programs. more: settings of the server."""
    if CURL is None:
        pytest.skip("curl is not installed")
    with ExitStack() as stack:
        pfr = Pfr(tmp_path / "pfr", free_port(), free_port(), stack)
        pfr.start()
        text = SETTINGS.format(url=f"http://127.0.0.1:{pfr.port}") + more
        (folder / "settings.toml").write_text(text, encoding="utf-8")
        server = program("server", "--data", str(folder), "--port", "0")
        _, address = stack.enter_context(server)
        yield Chain(address, pfr)


def test_advance_advance_close_refund(chain: Chain) -> None:
    status, first = chain.curl("", ADVANCE)
    assert status == 200, first
    status, second = chain.curl(f"/{first['invoiceNumber']}/advance", MORE)
    assert status == 200, second
    status, (back, sale) = chain.curl(f"/{first['id']}/close", REST)
    assert status == 200
    assert (back["totalAmount"], sale["totalAmount"]) == (7000, 12000)
    status, (refund, copy) = chain.curl(
        f"/{sale['invoiceNumber'].replace('-', '%2d')}/refund", BACK
    )
    assert status == 200
    assert (refund["totalAmount"], copy["totalAmount"]) == (12000, 12000)
    assert chain.pfr.signed() == ["АП", "АП", "АР", "ПП", "ПР", "КР"]
    numbers = [one["invoiceNumber"] for one in (first, second, back, sale, refund)]
    ledger = chain.pfr.control("GET", "/ledger")
    assert [one["request"].get("referentDocumentNumber") for one in ledger] == [None, *numbers]
    status, refused = chain.curl(f"/{first['id']}/close", REST)
    assert (status, refused["code"]) == (400, 40090001)
    assert numbers[2] in refused["message"]
    assert numbers[3] in refused["message"]


def test_the_map_of_labels_reaches_the_processor(folder: Path, tmp_path: Path) -> None:
    """The development processor has only the labels of production: it does not know F."""
    more = '[processor.label_map]\n"Ђ" = "F"\n'
    with started(folder, tmp_path, more) as chain:
        status, refused = chain.curl(
            "", ADVANCE | {"invoiceType": "normal", "payments": {"card": 12000}}
        )
        assert (status, refused["pfrCode"]) == (400, "2310")
        assert chain.pfr.signed() == []


def test_the_processor_dies_between_the_two_receipts_of_the_closing(chain: Chain) -> None:
    _, first = chain.curl("", ADVANCE)
    path = f"/{first['invoiceNumber']}/close"
    rest = REST | {"payments": {"card": 9000}}
    chain.pfr.control("POST", "/faults", {"kind": "late_answer"})
    chain.pfr.control("POST", "/faults", {"kind": "late_signing", "seconds": 600})
    with subprocess.Popen(
        [
            *(str(CURL), "-sS", "--noproxy", "*", "--max-time", "20", "-d", json.dumps(rest)),
            *("-H", "Content-Type: application/json", "-H", f"Idempotency-Key: {KEY}"),
            f"{chain.address}/fiscalization/receipts{path}",
        ],
        stdout=subprocess.PIPE,
        text=True,
    ) as closing:
        until(lambda: len(chain.pfr.control("GET", "/ledger")) == 2)
        until(lambda: not chain.pfr.control("GET", "/state")["faults"])
        signed = chain.pfr.control("GET", "/ledger")[1]["invoiceNumber"]
        chain.pfr.kill()
        assert closing.stdout is not None
        told = json.loads(closing.stdout.read())
    assert (told["code"], told["class"], told["signed"]) == (50010002, "unknown", [signed])
    status, waiting = chain.curl(f"/{told['receiptId']}")
    assert (status, waiting["receiptId"]) == (202, told["receiptId"])
    status, wait = chain.curl(f"/{first['id']}/advance", MORE)
    assert (status, wait["class"]) == (400, "wait")

    chain.pfr.start()
    until(lambda: chain.curl(f"/{told['receiptId']}")[0] == 200, pause=1.0)
    status, whole = chain.curl(f"/key:{KEY}")
    assert [one["invoiceCounterExtension"] for one in whole] == ["АР", "ПП"]
    assert whole[0]["invoiceNumber"] == signed
    assert chain.curl(path, rest, f"Idempotency-Key: {KEY}") == (200, whole)
    back = BACK | {"payments": {"card": 12000}}
    status, (refund,) = chain.curl(f"/{whole[1]['id']}/refund", back)
    assert (status, refund["totalAmount"]) == (200, 12000)
    assert chain.pfr.signed() == ["АП", "АР", "ПП", "ПР"]


def until(check: Any, seconds: float = 60.0, *, pause: float = 0.05) -> None:
    """Ask again and again until other programs have come to it."""
    ends = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < ends
        time.sleep(pause)
