"""A scanner at a serial port, which is no keyboard: its text is passed on line by line.

A thread waits for its bytes. A line ends by CR, LF or a pause. If the port goes away, it is opened
again as soon as it is back.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from pos_app import log
from pos_app.adapters.serial_port import SerialPort, why_not_open
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.lazy_dataclass import dataclass

PAUSE_SECONDS = 0.1
"""After this pause a line counts as whole, even without CR or LF."""
AGAIN_SECONDS = 1.0
LONGEST_LINE = 4096
_END = re.compile(rb"[\r\n]+")
_FAULTS = {DeviceTrouble.BUSY: "busy", DeviceTrouble.NO_RIGHT: "no_right"}

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class _SerialPort:
    port: str = ""
    baud: int = 9600


class SerialScanner:
    """Implements scanner.serial_line.SerialLine."""

    def __init__(self) -> None:
        self._port = _SerialPort()
        self._changed = threading.Event()
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._on_line: Callable[[str, bool], None] = lambda *_: None
        self._on_fault: Callable[[str], None] = lambda _: None
        self._reported = ""

    def listen(self, on_line: Callable[[str, bool], None], on_fault: Callable[[str], None]) -> None:
        self._on_line, self._on_fault = on_line, on_fault

    def use(self, port: str, baud: int) -> None:
        chosen = _SerialPort(port, baud)
        if chosen == self._port:
            return
        self._port = chosen
        self._changed.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="serial scanner", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._is_closed = True
        self._changed.set()
        if self._thread is not None:
            self._thread.join()

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._is_closed:
            self._changed.clear()
            port = self._port
            fault = self._serve(port) if port.port else ""
            if self._changed.is_set():
                continue
            self._report_fault(fault)
            self._changed.wait(AGAIN_SECONDS if port.port else None)

    def _serve(self, port: _SerialPort) -> str:
        """Read until the port goes or another is wanted; return why nothing comes from it."""
        try:
            line = SerialPort(port.port, baud=port.baud, flow="none", stall_seconds=1)
        except (OSError, ValueError) as error:
            return _FAULTS.get(why_not_open(error), "away")
        _log.info("a scanner's port is open: %s", port.port)
        self._report_fault("")
        try:
            self._read(line)
        except OSError as error:
            _log.warning("a scanner's port is gone: %s", error)
            return "away"
        finally:
            with suppress(OSError):
                line.close()
        return ""

    def _read(self, port: SerialPort) -> None:
        """Read until another port is wanted. Raises OSError once the port is gone."""
        begun, last = b"", 0.0
        while not self._changed.is_set():
            came = port.read(PAUSE_SECONDS)
            now = time.monotonic()
            if not came:
                if begun and now - last >= PAUSE_SECONDS:
                    self._pass_on(begun, is_ended=False)
                    begun = b""
                continue
            last = now
            *whole, begun = _END.split(begun + came)
            for one in whole:
                self._pass_on(one, is_ended=True)
            begun = begun[-LONGEST_LINE:]

    def _report_fault(self, fault: str) -> None:
        if fault != self._reported:
            self._reported = fault
            self._on_fault(fault)

    def _pass_on(self, text_line: bytes, *, is_ended: bool) -> None:
        if text := text_line.decode("utf-8", "replace").strip("\0 \t\x02\x03"):
            self._on_line(text, is_ended)
