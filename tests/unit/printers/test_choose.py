"""From the words of the settings to printers."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest

from pos_app.adapters.printers.choose import ThermalKind, page_printer, thermal_printer
from pos_app.adapters.printers.ipp_exchange import IppAddress, cups_address, printer_address
from pos_app.adapters.printers.transport import Stopped
from pos_app.adapters.printers.transport_port import PortTransport, serial_transport
from pos_app.errors import Invalid
from pos_app.fiscalization.device_ports import Delivered, DeviceTrouble, Failed, HandoverProof
from tests.contract.printers.test_thermal_printers import JOB
from tests.fakes.escpos_device import EscposDevice, on_network, on_terminal
from tests.sweep import each


async def test_a_printer_is_found_by_host_and_port_or_by_the_path_of_its_port() -> None:
    async with on_network(EscposDevice()) as port:
        for host in ("127.0.0.1", "localhost"):
            printer = thermal_printer("network", f" {host}:{port} ")
            assert await printer.print(JOB) == Delivered(HandoverProof.CARRIED_OUT)
    kinds: tuple[ThermalKind, ...] = ("usb", "serial")
    for kind in kinds:
        async with on_terminal(EscposDevice()) as path:
            told = await thermal_printer(kind, path).print(JOB)
            assert told == Delivered(HandoverProof.CARRIED_OUT)


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
    for none in ("", "a b", "../admin", "a?b", "ipp://", "ipp:/x"):
        with pytest.raises(Invalid):
            page_printer(none)


# --- ports that block are used by one thread each, and closed whatever happens -------------------


class Slow:
    """A port whose opening and reading wait for the test."""

    def __init__(self) -> None:
        self.going_on = threading.Event()
        self.reading = threading.Event()
        self.closed = threading.Event()
        self.threads: set[int] = set()

    def opened(self) -> Slow:
        self.going_on.wait(10)
        return self

    def write(self, chunk: bytes) -> None:
        self.threads.add(threading.get_ident())

    def read(self, seconds: float) -> bytes:
        assert not self.closed.is_set()
        self.threads.add(threading.get_ident())
        self.reading.set()
        self.going_on.wait(10)
        assert not self.closed.is_set(), "closed under its reader"
        return b"x"

    def flush(self) -> None:
        self.threads.add(threading.get_ident())

    def close(self) -> None:
        self.threads.add(threading.get_ident())
        self.closed.set()


async def test_a_port_that_opens_after_it_was_given_up_is_closed() -> None:
    port = Slow()
    opening = asyncio.create_task(PortTransport("slow", port.opened).open())
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    port.going_on.set()
    assert await asyncio.to_thread(port.closed.wait, 10)


async def test_a_port_is_never_closed_under_its_reader() -> None:
    port = Slow()
    port.going_on.set()
    channel = await PortTransport("slow", port.opened).open()
    port.going_on.clear()
    reading = asyncio.create_task(channel.read(1))
    assert await asyncio.to_thread(port.reading.wait, 10)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    closing = asyncio.create_task(channel.close())
    await asyncio.sleep(0)
    assert not port.closed.is_set()
    port.going_on.set()
    await closing
    assert port.closed.is_set()
    assert len(port.threads) == 1


@each(
    ("error", "trouble"),
    [
        (FileNotFoundError(2, "no such file"), DeviceTrouble.AWAY),
        (PermissionError(13, "permission denied"), DeviceTrouble.NO_RIGHT),
        (OSError(16, "Device or resource busy"), DeviceTrouble.BUSY),
        (BlockingIOError(11, "locked by another program"), DeviceTrouble.BUSY),
        (ValueError("not a rate"), DeviceTrouble.AWAY),
    ],
)
async def test_why_it_does_not_open_is_told(error: Exception, trouble: DeviceTrouble) -> None:
    def refuse() -> Slow:
        raise error

    with pytest.raises(Stopped) as stopped:
        await PortTransport("lp0", refuse).open()
    assert (stopped.value.trouble, stopped.value.taken) == (trouble, False)


async def test_a_serial_port_that_another_program_holds_is_busy() -> None:
    async with on_terminal(EscposDevice()) as path:
        holding = await serial_transport(path).open()
        with pytest.raises(Stopped) as stopped:
            await serial_transport(path).open()
        await holding.close()
        await (await serial_transport(path).open()).close()
    assert stopped.value.trouble is DeviceTrouble.BUSY
