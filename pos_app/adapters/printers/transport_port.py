"""A printer behind a port of this machine: a Linux device file (USB), or a serial port.

Ports block, so each open one has a thread of its own, which does its work in order, and the port is
closed only when nothing uses it any more.
"""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeVar

from pos_app.adapters import serial_port
from pos_app.adapters.printers.transport import PrinterChannel, Stopped
from pos_app.fiscalization.device_ports import DeviceTrouble

if sys.platform != "win32":
    import select

_READ_SIZE = 4096

_Result = TypeVar("_Result")


class Port(Protocol):
    """An open port. Its methods block, and raise OSError (also pyserial's errors)."""

    def write(self, chunk: bytes) -> None:
        """Write all of it. Raises Stopped."""
        ...

    def read(self, seconds: float) -> bytes:
        """Return the bytes that come within that time, b"" when none do."""
        ...

    def flush(self) -> None:
        """Return when the machine holds no bytes back. Raises Stopped."""
        ...

    def close(self) -> None: ...


class PortTransport:
    """Opens a port; `opened` blocks and raises OSError or ValueError. name: for messages."""

    def __init__(self, name: str, opened: Callable[[], Port]) -> None:
        self._name = name
        self._opened = opened

    async def open(self) -> PrinterChannel:
        """Open the port. Raises Stopped: AWAY for a missing port, BUSY for a port that another
        program has, NO_RIGHT for a port that this user may not open."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="printer")
        opening = thread.submit(self._opened)
        try:
            return PortChannel(await asyncio.wrap_future(opening), thread)
        except asyncio.CancelledError:
            opening.add_done_callback(_close_unused)
            thread.shutdown(wait=False)
            raise
        except (OSError, ValueError) as error:
            thread.shutdown(wait=False)
            raise Stopped(
                serial_port.why_not_open(error),
                f"The printer {self._name} can't be opened: {error}",
            ) from error


def _close_unused(opening: Future[Port]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


class PortChannel:
    def __init__(self, port: Port, thread: ThreadPoolExecutor) -> None:
        self._port = port
        self._thread = thread

    async def write(self, chunk: bytes) -> None:
        await self._run(lambda: self._port.write(chunk))

    async def read(self, seconds: float) -> bytes:
        return await self._run(lambda: self._port.read(seconds))

    async def flush(self) -> None:
        await self._run(self._port.flush)

    async def close(self) -> None:
        with suppress(Stopped):
            await self._run(self._port.close)
        self._thread.shutdown(wait=False)

    async def _run(self, act: Callable[[], _Result]) -> _Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, act)
        except serial_port.NotReady as error:
            words = "The printer is not ready to receive."
            raise Stopped(DeviceTrouble.OFFLINE, words) from error
        except serial_port.TakesNothing as error:
            words = "The printer takes nothing more."
            raise Stopped(DeviceTrouble.STUCK, words, taken=True) from error
        except OSError as error:
            words = f"The printer's port failed: {error}"
            raise Stopped(DeviceTrouble.CUT_OFF, words, taken=True) from error


# --- a device file of Linux: /dev/usb/lp0 -----------------------------------------------------


def device_transport(path: str, *, stall_seconds: float = 10.0) -> PortTransport:
    """Return a printer that Linux shows as a file, as it does with each USB printer (usblp)."""
    return PortTransport(path, lambda: DevicePort(path, stall_seconds=stall_seconds))


class DevicePort:
    """An open device file. Writes never wait inside the driver, so they can be given up."""

    def __init__(self, path: str, *, stall_seconds: float) -> None:
        """Open the file. Raises OSError; ValueError where there are no such files, or this is
        another kind of file: bytes written to a disk or a database can't be taken back."""
        if sys.platform == "win32":
            raise ValueError("Windows shows no printer as a file")
        self._stall_seconds = stall_seconds
        if not stat.S_ISCHR(Path(path).stat().st_mode):
            raise ValueError("it is no device")
        self._file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        if not stat.S_ISCHR(os.fstat(self._file).st_mode):  # the path got another file meanwhile
            os.close(self._file)
            raise ValueError("it is no device")

    def write(self, chunk: bytes) -> None:
        rest = chunk
        while rest:
            if not self._is_ready(self._stall_seconds, to_write=True):
                words = "The printer takes nothing more."
                raise Stopped(DeviceTrouble.STUCK, words, taken=len(rest) < len(chunk))
            with suppress(BlockingIOError):
                rest = rest[os.write(self._file, rest) :]

    def read(self, seconds: float) -> bytes:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self._is_ready(left, to_write=False):
                break
            with suppress(BlockingIOError):
                if received := os.read(self._file, _READ_SIZE):
                    return received
                time.sleep(min(left, 0.05))  # this driver reports an end where nothing came yet
        return b""

    def flush(self) -> None:
        """Wait until the driver is ready again: the printer then took the last bytes."""
        if not self._is_ready(self._stall_seconds, to_write=True):
            raise Stopped(DeviceTrouble.STUCK, "The printer takes nothing more.", taken=True)

    def close(self) -> None:
        os.close(self._file)

    def _is_ready(self, seconds: float, *, to_write: bool) -> bool:
        watched = select.poll()
        watched.register(self._file, select.POLLOUT if to_write else select.POLLIN)
        events = watched.poll(max(0.0, seconds) * 1000)
        if events and events[0][1] & (select.POLLERR | select.POLLHUP):
            raise OSError("the device is gone")
        return bool(events)


# --- a serial line ------------------------------------------------------------------------------


def serial_transport(
    device: str, *, baud: int = 115200, flow: serial_port.Flow = "none", stall_seconds: float = 10.0
) -> PortTransport:
    """Return a printer at a serial port ("COM3", "/dev/ttyUSB0"), 8 data bits, no parity, 1 stop
    bit."""
    return PortTransport(
        device,
        lambda: serial_port.SerialPort(device, baud=baud, flow=flow, stall_seconds=stall_seconds),
    )
