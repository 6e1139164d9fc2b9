"""A receipt printer that takes ESC/POS, answers questions and runs out of paper; and its two
sockets.

It shares no code with what it tests. Real-time questions (DLE EOT) are answered the moment they
come, at any position, as real printers do; all else is worked through in order, and only while
there is paper, the cover is shut and the buffer is not empty.
"""

from __future__ import annotations

import asyncio
import os
import pty
import socket
import struct
import termios
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

LENGTHS = {b"\x1b@": 2, b"\x1bp": 5, b"\x1da": 3, b"\x1dr": 3, b"\x10\x04": 3, b"\x1bd": 3}


@dataclass
class EscposDevice:
    """The printer. answers: "all", "at_once" (DLE EOT only) or "nothing".

    paper: commands it can still carry out before the roll ends, None for a full roll. buffer: how
    many bytes it takes in before it works them through. cut_after: bytes after which its
    connection dies. blink_after: bytes after which it is offline until it
    has said so once and is asked again. late: the seconds that its answers take.
    """

    answers: Literal["all", "at_once", "nothing"] = "all"
    paper: int | None = None
    paper_low: bool = False
    cover_open: bool = False
    cutter_jammed: bool = False
    offline: bool = False
    buffer: int = 8192
    cut_after: int | None = None
    blink_after: int | None = None
    late: float = 0.0
    noise: bytes = b""
    taken: bytearray = field(default_factory=bytearray)
    printed: list[bytes] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    drawer_opened: int = 0
    _told_blink: bool = False
    _waiting: bytearray = field(default_factory=bytearray)

    @property
    def stands_still(self) -> bool:
        return self.paper == 0 or self.cover_open or self.cutter_jammed or self.offline

    @property
    def room(self) -> int:
        return max(0, self.buffer - len(self._waiting))

    def receive(self, received: bytes) -> bytes:
        self.taken += received
        self._waiting += received
        if self.blink_after is not None and len(self.taken) > self.blink_after:
            self.offline = True
        told = bytearray()
        if self.answers != "nothing":
            for place in range(len(received) - 2):
                if received[place : place + 2] == b"\x10\x04" and received[place + 2] in range(
                    1, 5
                ):
                    told += self.noise + bytes([self._state(received[place + 2])])
                    self.asked.append(received[place + 2])
        while not self.stands_still and (command := self._next_command()):
            del self._waiting[: len(command)]
            told += self._carry_out(command)
        return bytes(told)

    def switch_off_and_on(self) -> None:
        """Forget all that is not worked through, half a command too."""
        self._waiting.clear()

    async def has_printed(self, count: int) -> None:
        await _until(lambda: sum(map(len, self.printed)) >= count)

    async def has_taken(self, count: int) -> None:
        await _until(lambda: len(self.taken) >= count)

    def _next_command(self) -> bytes:
        while self._waiting[:1] == b"\0":  # no command, and no letter
            del self._waiting[:1]
        waiting = bytes(self._waiting)
        start = waiting[:2]
        length = LENGTHS.get(start, 1)
        if start == b"\x1dV":
            length = 4 if waiting[2:3] >= b"A" else 3
        if waiting[:3] == b"\x1dv0":
            if len(waiting) < 8:
                return b""
            across, down = struct.unpack("<HH", waiting[4:8])
            length = 8 + across * down
        if start in {b"\x1b", b"\x1d", b"\x10"} or len(waiting) < length:
            return b""
        return waiting[:length]

    def _carry_out(self, command: bytes) -> bytes:
        if command[:2] == b"\x10\x04":
            return b""
        if command[:2] == b"\x1dr":
            return b"\x00" if self.answers == "all" else b""
        if command[:2] == b"\x1bp":
            self.drawer_opened += 1
        self.printed.append(command)
        if self.paper is not None:
            self.paper -= 1
        return b""

    def _state(self, n: int) -> int:
        out = self.paper == 0
        if n == 1 and self._told_blink:
            self.offline, self.blink_after, self._told_blink = False, None, False
        bits = {
            1: 0x08 if self.stands_still else 0,
            2: (0x04 if self.cover_open else 0) | (0x20 if out else 0),
            3: 0x08 if self.cutter_jammed else 0,
            4: (0x60 if out else 0) | (0x0C if out or self.paper_low else 0),
        }
        if n == 1 and self.offline and self.blink_after is not None:
            self._told_blink = True
        return 0x12 | bits[n]


async def _until(came: Callable[[], bool]) -> None:
    while True:
        if came():
            return
        await asyncio.sleep(0.005)


# --- on the network --------------------------------------------------------------------------


@asynccontextmanager
async def on_network(device: EscposDevice, *, port: int = 0) -> AsyncIterator[int]:
    """Serve the printer at a real socket of the loopback, on any free port for 0; yields the port.
    It serves one connection at a time."""
    loop = asyncio.get_running_loop()
    listening = socket.create_server(("127.0.0.1", port))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listening.setblocking(False)

    async def serve() -> None:
        while True:
            connection, _ = await loop.sock_accept(listening)
            with connection, suppress(ConnectionError):
                await _converse(loop, connection, device)

    serving = asyncio.create_task(serve(), name="printer")
    try:
        yield listening.getsockname()[1]
    finally:
        serving.cancel()
        await asyncio.wait({serving})
        listening.close()


async def _converse(
    loop: asyncio.AbstractEventLoop, connection: socket.socket, device: EscposDevice
) -> None:
    while True:
        while not device.room:  # takes nothing more, but notices when the other side gives up
            await asyncio.sleep(0.01)
            if _is_reset(connection):
                return
        received = await loop.sock_recv(connection, min(device.room, 1024))
        if not received:
            return
        if device.cut_after is not None and len(device.taken) + len(received) > device.cut_after:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        if told := device.receive(received):
            await asyncio.sleep(device.late)
            await loop.sock_sendall(connection, told)


def _is_reset(connection: socket.socket) -> bool:
    return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0


# --- as a device of the machine -----------------------------------------------------------------


@asynccontextmanager
async def on_terminal(device: EscposDevice) -> AsyncIterator[str]:
    """Serve the printer behind a pseudo-terminal; yields the path, which opens as a device or
    serial."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs, termios.TCSANOW)
    os.set_blocking(ours, False)
    loop = asyncio.get_running_loop()

    def receive() -> None:
        if not device.room:
            return
        with suppress(BlockingIOError):
            if told := device.receive(os.read(ours, min(device.room, 1024))):
                loop.call_later(device.late, os.write, ours, told)

    loop.add_reader(ours, receive)
    try:
        yield os.ttyname(theirs)
    finally:
        loop.remove_reader(ours)
        os.close(ours)
        os.close(theirs)
