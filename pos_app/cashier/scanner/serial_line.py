"""A scanner at a serial port, for the window: its lines of text arrive on Qt's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal

from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.scanner.trial import ScannerHere
from pos_app.settings import ScannerSettings


class SerialLine(Protocol):
    """The serial port of this machine. It calls the functions given to `listen` in a thread of its
    own."""

    def listen(self, on_line: Callable[[str, bool], None], on_fault: Callable[[str], None]) -> None:
        """on_line: called with a line of text, and whether a line end came after it. on_fault:
        called with a fault as `ScannerHere.fault` has it."""

    def use(self, port: str, baud: int) -> None:
        """Read from this port from now on, whenever it is present; "" reads from none."""

    def close(self) -> None: ...


class SerialScans(QObject):
    """Passes the port's lines to the filter, as if a scanner had typed them."""

    _came = Signal(str, bool)
    _failed = Signal(str)

    def __init__(self, line: SerialLine, scans: ScanFilter, here: ScannerHere) -> None:
        super().__init__(scans)
        self._line, self._scans, self._here = line, scans, here
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._failed.connect(self._note, Qt.ConnectionType.QueuedConnection)
        line.listen(self._came.emit, self._failed.emit)

    def follow(self, settings: ScannerSettings) -> None:
        self._line.use(settings.port, settings.baud)

    def stop(self) -> None:
        self._line.listen(lambda *_: None, lambda _: None)

    def _take(self, text: str, is_ended: bool) -> None:
        self._scans.take_line(text, is_ended=is_ended)

    def _note(self, fault: str) -> None:
        self._here.fault = fault
