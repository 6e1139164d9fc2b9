"""A serial port of this machine, for a printer or a scanner."""

from __future__ import annotations

import errno
import sys
import time
from typing import TYPE_CHECKING, Literal

from pos_app.fiscalization.device_ports import DeviceTrouble

if TYPE_CHECKING:
    import serial

_HELD = (errno.EAGAIN, errno.EBUSY)
_CHUNK = 256
"""At 9600 baud these take a quarter of a second, in which a device that takes nothing is seen."""

Flow = Literal["none", "hardware", "software"]


class NotReady(OSError):
    """The other end says that it can receive nothing now; no byte of this part was sent."""


class TakesNothing(OSError):
    """The other end takes nothing for too long. The number of bytes sent before is unknown."""


def why_not_open(error: Exception) -> DeviceTrouble:
    """Return why a port does not open. On Windows only the text of pyserial's error says it."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _HELD or (sys.platform == "win32" and "PermissionError" in str(error)):
        return DeviceTrouble.BUSY
    return DeviceTrouble.NO_RIGHT if number == errno.EACCES else DeviceTrouble.AWAY


class SerialPort:
    def __init__(self, device: str, *, baud: int, flow: Flow, stall_seconds: float) -> None:
        """Open the port. Raises OSError (also pyserial's own), ValueError for an unknown rate."""
        import serial  # noqa: PLC0415 - only shops with such a device load it

        self._flow = flow
        self._stall_seconds = stall_seconds
        self._line: serial.Serial = serial.Serial(
            device,
            baud,
            write_timeout=stall_seconds,
            xonxoff=flow == "software",
            rtscts=flow == "hardware",
            exclusive=True if sys.platform != "win32" else None,
        )

    def write(self, chunk: bytes) -> None:
        """Write. Raises NotReady before the first byte, TakesNothing after it; OSError."""
        import serial  # noqa: PLC0415 - as above

        if self._flow == "hardware" and not self._line.cts:
            raise NotReady
        for start in range(0, len(chunk), _CHUNK):
            try:
                self._line.write(chunk[start : start + _CHUNK])
            except serial.SerialTimeoutException as error:
                raise TakesNothing from error

    def read(self, seconds: float) -> bytes:
        self._line.timeout = seconds
        first: bytes = self._line.read(1)
        return first + self._line.read(self._line.in_waiting) if first else b""

    def flush(self) -> None:
        """Wait for the machine's own buffer, not with pyserial's flush, which has no deadline.
        Raises TakesNothing, OSError."""
        left, since = self._line.out_waiting, time.monotonic()
        while left:
            time.sleep(0.02)
            now_left = self._line.out_waiting
            if now_left < left:
                left, since = now_left, time.monotonic()
            elif time.monotonic() - since > self._stall_seconds:
                raise TakesNothing

    def close(self) -> None:
        """Close without waiting for a dead device: the system would wait 30 s."""
        if self._line.out_waiting:
            self._line.reset_output_buffer()
        self._line.close()
