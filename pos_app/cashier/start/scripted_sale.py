"""A sale without a person: a program sends scans and the cash key to the real window.

This shows on a machine without a display that the till sells; benchmarks use it too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.scanner import replay
from pos_app.cashier.scanner.decoder import ENTER, KEYPAD_PLUS, US
from pos_app.cashier.window.till_window import TillWindow
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import ENDED, SaleState

_OUTCOMES = ENDED | {SaleState.REFUSED}
_X11_OFFSET = 8
"""X11's number of a key is 8 above its position."""
_KEY_MS = 4
_BETWEEN_SCANS_MS = 250
_BEFORE_CASH_MS = 700
"""Exact payment takes no press just after a scan."""


class ScriptedSale(QObject):
    """Scans `codes` into the window, takes exact cash, and follows the sale to its end. Signal:
    `ended(Sale)`, the sale is signed, refused or cancelled."""

    ended = Signal(object)

    def __init__(self, window: TillWindow, codes: Sequence[str]) -> None:
        super().__init__(window)
        self._window = window
        self._codes = list(codes)
        self._key = ""
        room = window.frame.home_room
        assert isinstance(room, SaleRoom)
        room.model.confirmation.listen_confirmed(self._on_confirmed)
        window.services.outbox.listen(on_sale=self._on_sale)

    def begin(self) -> None:
        """Start; each further step comes by a timer."""
        if self._codes:
            scan(self._window, self._codes.pop(0))
            QTimer.singleShot(_BETWEEN_SCANS_MS, self, self.begin)
        else:
            QTimer.singleShot(_BEFORE_CASH_MS, self, lambda: press_cash(self._window))

    def _on_confirmed(self, sale: Sale) -> None:
        self._key = sale.key

    def _on_sale(self, sale: Sale) -> None:
        if sale.key == self._key and sale.state in _OUTCOMES:
            self._key = ""
            self.ended.emit(sale)


def scan(window: TillWindow, code: str) -> None:
    """Send the keys of a wedge scanner with a US layout for a code of digits and letters, then
    Enter."""
    scan_codes = {
        plain: scan_code for scan_code, (plain, _) in sorted(US.keys.items(), reverse=True)
    }
    moment = _now()
    for char in code:
        _tap(window, _Key(scan_codes[char], ord(char.upper()), char), moment)
        moment += _KEY_MS
    _tap(window, _Key(ENTER, Qt.Key.Key_Return, "\r"), moment)


def press_cash(window: TillWindow) -> None:
    pad = Qt.KeyboardModifier.KeypadModifier
    _tap(window, _Key(KEYPAD_PLUS, Qt.Key.Key_Plus, "+", pad), _now())


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class _Key:
    scan_code: int
    key: int
    text: str
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    def event(self, kind: QEvent.Type, moment: int) -> QKeyEvent:
        native = self.scan_code + _X11_OFFSET
        made = QKeyEvent(kind, self.key, self.modifiers, native, 0, 0, self.text)
        made.setTimestamp(moment)
        return made


def _tap(window: TillWindow, key: _Key, moment: int) -> None:
    """Press and release one key; the events come in a platform's order."""
    target = window.windowHandle()
    override = key.event(QEvent.Type.ShortcutOverride, moment)
    override.ignore()
    QCoreApplication.sendEvent(target, override)
    press = key.event(QEvent.Type.KeyPress, moment)
    if override.isAccepted() or not replay.fire(press):
        QCoreApplication.sendEvent(target, press)
    QCoreApplication.sendEvent(target, key.event(QEvent.Type.KeyRelease, moment))
