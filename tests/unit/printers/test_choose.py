"""From the words of the settings to printers."""

from __future__ import annotations

import asyncio
import sys

import pytest

from pos_app.adapters.printers.choose import ThermalKind, page_printer, thermal_printer
from pos_app.adapters.printers.ipp_exchange import IppAddress, cups_address, printer_address
from pos_app.errors import Invalid
from pos_app.fiscalization.device_ports import Delivered, Failed, HandoverProof
from tests.contract.printers.test_thermal_printers import JOB
from tests.fakes.escpos_device import EscposDevice, on_network, on_terminal


async def test_a_network_printer_is_found_by_host_and_port() -> None:
    async with on_network(EscposDevice()) as port:
        for host in ("127.0.0.1", "localhost"):
            printer = thermal_printer("network", f" {host}:{port} ")
            assert await printer.print(JOB) == Delivered(HandoverProof.CARRIED_OUT)


@pytest.mark.parametrize("kind", ["usb", "serial"])
async def test_a_printer_at_a_port_is_found_by_its_path(kind: ThermalKind) -> None:
    async with on_terminal(EscposDevice()) as path:
        assert await thermal_printer(kind, path).print(JOB) == Delivered(HandoverProof.CARRIED_OUT)


async def test_an_address_without_a_port_has_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []

    async def nobody_there(host: str, port: int) -> None:
        called.append((host, port))
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", nobody_there)
    for address in ("10.0.0.7", "[fe80::1]", "kasa"):
        assert isinstance(await thermal_printer("network", address).print(JOB), Failed)
    assert called == [("10.0.0.7", 9100), ("fe80::1", 9100), ("kasa", 9100)]


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        ("network", ""),
        ("network", "  "),
        ("network", "10.0.0.7:0"),
        ("network", "10.0.0.7:70000"),
        ("network", "10.0.0.7:x"),
        ("network", "http://10.0.0.7"),
        ("network", "two words"),
        ("usb", ""),
        pytest.param(
            "windows", "Kasa", marks=pytest.mark.skipif(sys.platform == "win32", reason="there")
        ),
    ],
)
def test_what_is_no_printer_is_refused(kind: ThermalKind, address: str) -> None:
    with pytest.raises(Invalid):
        thermal_printer(kind, address)


@pytest.mark.parametrize("queue", ["", "a b", "../admin", "a?b", "ipp://", "ipp:/x"])
def test_what_is_no_queue_is_refused(queue: str) -> None:
    with pytest.raises(Invalid):
        page_printer(queue)


def test_queues_have_their_places() -> None:
    assert cups_address("A4") == IppAddress(
        "ipp://localhost/printers/A4", "http://localhost/printers/A4", "/run/cups/cups.sock"
    )
    assert cups_address("A4", server="10.0.0.2:631") == IppAddress(
        "ipp://10.0.0.2:631/printers/A4", "http://10.0.0.2:631/printers/A4"
    )
    assert printer_address("ipp://10.0.0.9/ipp/print") == IppAddress(
        "ipp://10.0.0.9/ipp/print", "http://10.0.0.9:631/ipp/print"
    )
