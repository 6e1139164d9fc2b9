"""Ports that block are used by one thread each, and closed whatever happens."""

from __future__ import annotations

import asyncio
import threading

import pytest

from pos_app.adapters.printers.transport import Stopped
from pos_app.adapters.printers.transport_port import PortTransport, serial_transport
from pos_app.fiscalization.device_ports import DeviceTrouble
from tests.fakes.escpos_device import EscposDevice, on_terminal


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


@pytest.mark.parametrize(
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
