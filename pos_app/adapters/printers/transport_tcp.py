"""A printer on the network: raw TCP, port 9100.

The socket's buffer is small, so that few bytes wait there for the printer's acknowledgement. A
buffer of the usual size would take a whole receipt, which would count as handed over although the
printer is off.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys

from pos_app.adapters.printers.transport import PrinterChannel, Stopped
from pos_app.fiscalization.device_ports import DeviceTrouble

if sys.platform == "linux":
    import fcntl
    import struct
    import termios

PORT = 9100
_SEND_BUFFER = 8192
_FLUSH_LOOK_SECONDS = 0.02
_READ_SIZE = 4096


class TcpTransport:
    """Opens connections to `host`. stall_seconds: how long the printer may take for one chunk
    before it counts as stuck. linger_seconds: how long `close` waits for the printer's end."""

    def __init__(
        self,
        host: str,
        port: int = PORT,
        *,
        connect_seconds: float = 3.0,
        stall_seconds: float = 10.0,
        linger_seconds: float = 1.0,
    ) -> None:
        self._host = host
        self._port = port
        self._connect_seconds = connect_seconds
        self._stall_seconds = stall_seconds
        self._linger_seconds = linger_seconds

    async def open(self) -> PrinterChannel:
        """Connect. A printer that serves another caller refuses or keeps us waiting: AWAY."""
        address = f"{self._host}:{self._port}"
        try:
            async with asyncio.timeout(self._connect_seconds):
                reader, writer = await asyncio.open_connection(self._host, self._port)
        except TimeoutError as error:
            raise Stopped(
                DeviceTrouble.AWAY, f"The printer at {address} does not answer."
            ) from error
        except (OSError, UnicodeError) as error:
            raise Stopped(
                DeviceTrouble.AWAY, f"The printer at {address} can't be reached."
            ) from error
        writer.transport.set_write_buffer_limits(high=0)
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        return TcpChannel(
            reader, writer, stall_seconds=self._stall_seconds, linger_seconds=self._linger_seconds
        )


class TcpChannel:
    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        stall_seconds: float,
        linger_seconds: float,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._stall_seconds = stall_seconds
        self._linger_seconds = linger_seconds
        self._broken = False

    async def write(self, chunk: bytes) -> None:
        if self._reader.at_eof() or self._writer.is_closing():
            raise self._stopped(DeviceTrouble.CUT_OFF, "The printer ended the connection.")
        try:
            self._writer.write(chunk)
            async with asyncio.timeout(self._stall_seconds):
                await self._writer.drain()
        except TimeoutError as error:
            left = self._writer.transport.get_write_buffer_size()
            words = "The printer takes nothing more."
            raise self._stopped(DeviceTrouble.STUCK, words, taken=left < len(chunk)) from error
        except OSError as error:
            words = "The connection to the printer broke."
            raise self._stopped(DeviceTrouble.CUT_OFF, words, taken=True) from error

    async def read(self, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                received = await self._reader.read(_READ_SIZE)
        except TimeoutError:
            return b""
        except OSError as error:
            words = "The connection to the printer broke."
            raise self._stopped(DeviceTrouble.CUT_OFF, words, taken=True) from error
        if not received:
            raise self._stopped(
                DeviceTrouble.CUT_OFF, "The printer ended the connection.", taken=True
            )
        return received

    async def flush(self) -> None:
        """Wait until the printer acknowledged every byte, where the system reports it (Linux)."""
        loop = asyncio.get_running_loop()
        left, since = self._unacknowledged(), loop.time()
        while left:
            await asyncio.sleep(_FLUSH_LOOK_SECONDS)
            now_left = self._unacknowledged()
            if now_left < left:
                left, since = now_left, loop.time()
            elif loop.time() - since > self._stall_seconds:
                raise self._stopped(
                    DeviceTrouble.STUCK, "The printer takes nothing more.", taken=True
                )

    async def close(self) -> None:
        """End our side first and wait a moment for the printer's end.

        Closing with unread answers would reset the connection, and a printer then drops its data.
        The connection is closed even if this call is cancelled.
        """
        try:
            with contextlib.suppress(OSError, TimeoutError):
                if self._broken:
                    self._writer.transport.abort()
                else:
                    self._writer.write_eof()
                    async with asyncio.timeout(self._linger_seconds):
                        while await self._reader.read(_READ_SIZE):
                            continue
        finally:
            if self._writer.transport.get_write_buffer_size():
                self._writer.transport.abort()  # an orderly end would never come
            self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    def _unacknowledged(self) -> int:
        if sys.platform != "linux" or self._writer.is_closing():
            return 0
        connection = self._writer.get_extra_info("socket")
        data = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4))
        count: int = struct.unpack("i", data)[0]
        return count

    def _stopped(self, trouble: DeviceTrouble, words: str, *, taken: bool = False) -> Stopped:
        self._broken = True
        return Stopped(trouble, words, taken=taken)
