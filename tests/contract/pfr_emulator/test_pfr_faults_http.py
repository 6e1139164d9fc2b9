"""Every fault on demand, as a caller meets it, and what the ledger then holds."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.contract.pfr_emulator.device import Device
from tests.sweep import each

Request = dict[str, Any]
DEADLINE = 10.0


def signed_totals(device: Device) -> list[float]:
    return [float(entry.total) for entry in device.processor.entries()]


def wait_for(condition: Callable[[], bool]) -> None:
    """Poll until the condition holds: another thread signs the receipt and notifies nobody."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def silence(caplog: pytest.LogCaptureFixture, lpfr: Device) -> Iterator[None]:
    """A broken connection is what was asked for: the server must log nothing about it."""
    with caplog.at_level(logging.DEBUG):
        yield
        # One more request, so that the server has logged all it had to log.
        lpfr.change(unreachable=[])
        lpfr.client.get("/api/v3/attention").raise_for_status()
    records = [*caplog.get_records("call"), *caplog.get_records("teardown")]
    loud = [record for record in records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in loud] == []


def test_drop_then_sign_is_executed_late(lpfr: Device, sale: Request) -> None:
    """What is refused is not signed late either."""
    lpfr.fault(kind="drop_then_sign", seconds=0)
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        lpfr.sign({**sale, "items": []})
    lpfr.fault(kind="drop_then_sign", seconds=1)
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        lpfr.sign(sale, RequestId="r1")
    assert lpfr.client.get("/api/v3/invoices/r1").status_code == 404
    wait_for(lambda: lpfr.client.get("/api/v3/invoices/r1").status_code == 200)
    assert signed_totals(lpfr) == [241.0]


@each(
    "code", ["1300", "1500", "2100", "2110", "2210", "2220", "2230", "2310", "2400", "2800", "1999"]
)
def test_refuse_with_any_code(lpfr: Device, sale: Request, code: str) -> None:
    lpfr.fault(kind="refuse", code=code)
    response = lpfr.sign(sale)
    assert response.status_code == (423 if code in ("2100", "2110") else 400)
    assert response.json()["modelState"] == [{"property": "", "errors": [code]}]
    assert signed_totals(lpfr) == []


@pytest.mark.parametrize("signed", [False, True])
def test_html_500_and_unreadable_200(lpfr: Device, sale: Request, signed: bool) -> None:
    lpfr.fault(kind="html_500", signed=signed)
    lpfr.fault(kind="unreadable_200", signed=signed)
    page = lpfr.sign(sale)
    assert page.status_code == 500
    assert page.headers["content-type"].startswith("text/html")
    broken = lpfr.sign(sale)
    assert broken.status_code == 200
    with pytest.raises(ValueError, match="Unterminated"):
        broken.json()
    assert len(signed_totals(lpfr)) == (2 if signed else 0)


def test_slow_comes_byte_by_byte(lpfr: Device, sale: Request) -> None:
    sale["options"]["omitTextualRepresentation"] = "1"
    lpfr.fault(kind="slow", seconds=0)
    chunks = []
    with lpfr.client.stream("POST", "/api/v3/invoices", json=sale) as response:
        chunks = list(response.iter_raw())
    assert len(chunks) > 5  # the system may join pieces where the reader is late
    assert json.loads(b"".join(chunks))["totalAmount"] == 241.0


def test_a_fault_lasts_for_its_count_or_until_it_is_cleared(lpfr: Device, sale: Request) -> None:
    lpfr.fault(kind="refuse", code="2220", count=2)
    assert [lpfr.sign(sale).status_code for _ in range(4)] == [400, 400, 200, 200]
    lpfr.fault(kind="refuse", code="2220", count=None)
    assert [lpfr.sign(sale).status_code for _ in range(3)] == [400] * 3
    assert (lpfr.control.delete("/faults").json(), lpfr.sign(sale).status_code) == ([], 200)
