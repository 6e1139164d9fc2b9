"""The event filter takes a wedge scanner's keys before any widget gets them.

It filters the events of windows, before Qt looks at focus, popups, modal dialogs and shortcuts.
Keys of the numeric pad that are given back as typed by hand type digits, also with Num Lock off.
Keys that other code sends straight to a widget, as the on-screen keyboard does, do not pass here
and are never taken for a scan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QWindow
from PySide6.QtWidgets import QDialog, QLineEdit

from pos_app import log
from pos_app.cashier.scanner import burst, decoder
from pos_app.cashier.scanner.replay import lasting_copy, send_key
from pos_app.cashier.scanner.stamps import EventStamps, MessageTimes, stamp_of_now
from pos_app.cashier.scanner.strokes import KeyReader, Stroke, StrokeKind
from pos_app.cashier.scanner.trial import TriedKeys, TriedScan
from pos_app.settings import ScannerSettings

_log = log.get(__name__)

_OVERRIDE = QEvent.Type.ShortcutOverride
_PRESS = QEvent.Type.KeyPress
_RELEASE = QEvent.Type.KeyRelease
_POINTED = frozenset((QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick))

MARGIN_MS = 5
"""Silence counts this much after the longest gap, because timers and buses jitter."""

_Identity = tuple[int, int, int]


class ScanFilter(QObject):
    """Calls `on_scan(code, rest_of)` for every scan, before anything else can act on its keys.

    For an incomplete scan it calls `on_misread(code, rest_of, key_held)`. If more of the scan comes
    later, it calls `on_misread` again with the new part, and with the earlier part as `rest_of`; if
    the scan is whole by then, it calls `on_scan` with the whole code. key_held: Ctrl, Alt or the
    like was held down during the scan.

    It calls `on_key_too_soon()` for a key of a person that came so soon after a scan that it may be
    the scanner's own, or was meant for what stood there before; the key does nothing. So it does
    for a press of a pointer during a scan.

    The calls are made directly, while the scan's last key or the timer that noticed the silence is
    handled, and never through the event queue. `on_key()` is called in the same way for each key
    that goes down. An exception in a call is a bug: it goes to `sys.excepthook`, and the scan's
    Enter still has no effect.

    It implements trial.ScannerControl: while a manager tries the scanner, all scans go to the
    trial.
    """

    _scanned = Signal(object)
    _line = Signal(str)
    _key_down = Signal()
    _key_too_soon = Signal()

    def __init__(
        self,
        on_scan: Callable[[str, str], object],
        settings: ScannerSettings,
        *,
        on_misread: Callable[[str, str, bool], object],
        on_key: Callable[[], object] = lambda: None,
        on_key_too_soon: Callable[[], object] = lambda: None,
        family: decoder.Family | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        windows = QGuiApplication.platformName() == "windows"
        self._family = family or (decoder.Family.SET1 if windows else decoder.Family.X11)
        self._messages = MessageTimes() if windows else None
        self._stamps = self._messages or EventStamps()
        self._on_scan, self._on_misread = on_scan, on_misread
        # A direct signal is a plain call, at which Qt stops an exception.
        self._scanned.connect(self._hand_over, Qt.ConnectionType.DirectConnection)
        self._line.connect(self._hand_over_line, Qt.ConnectionType.DirectConnection)
        self._key_down.connect(on_key, Qt.ConnectionType.DirectConnection)
        self._key_too_soon.connect(on_key_too_soon, Qt.ConnectionType.DirectConnection)
        self._silence = self._timer(self._on_silence)
        self._tried_silence = self._timer(self._tell_tried)
        self._tried: TriedKeys[QKeyEvent] | None = None
        self._on_tried: Callable[[TriedScan], None] = lambda _: None
        self._is_trial_wanted: Callable[[], bool] = lambda: False
        self._silence_checked = False
        # it waits for the rest of a scan, which may take longer than a next key
        self._is_waiting = False
        self._replaying = False
        self._pending: Stroke[QKeyEvent] | None = None  # the last key of the burst under way
        self._released = (0, 0)  # the Enter released last, and when
        self._seen: tuple[_Identity, bool] | None = None  # an override's key: was it taken?
        self._window: QWindow | None = None  # the window that the held keys were meant for
        self._bursts: burst.Bursts[QKeyEvent] = burst.Bursts(burst.Rules())
        self.configure(settings)

    def configure(self, settings: ScannerSettings) -> None:
        self.decide_now()
        rules = burst.Rules(gap_ms=settings.gap_ms, prefix=settings.prefix, suffix=settings.suffix)
        self._bursts = burst.Bursts(rules)
        self._reader = KeyReader(decoder.Decoder(decoder.LAYOUTS[settings.layout]), self._family)
        self._gap_ms, self._prefix = settings.gap_ms, settings.prefix

    def install(self) -> None:
        application = _application()
        if self._messages is not None:
            application.installNativeEventFilter(self._messages)
        application.installEventFilter(self)

    def remove(self) -> None:
        self.decide_now()
        application = _application()
        application.removeEventFilter(self)
        if self._messages is not None:
            application.removeNativeEventFilter(self._messages)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _POINTED and isinstance(watched, QWindow) and isinstance(event, QMouseEvent):
            return not self._point(event)
        if kind is not _PRESS and kind is not _RELEASE and kind is not _OVERRIDE:
            return False
        if self._replaying or not isinstance(watched, QWindow) or not isinstance(event, QKeyEvent):
            return False
        if kind is not _RELEASE:  # a key of a shortcut is reported by its override alone
            self._key_down.emit()
        if self._is_held_on(event, kind):
            if kind is _PRESS:
                self.decide_now()
                self._give_back_one(lasting_copy(event, is_held=True), watched)
            event.accept()
            return True
        taken = self._taken_before(event, kind)
        if taken is None:
            taken = self._take(watched, event, kind)
        if taken:
            event.accept()  # an accepted override keeps Qt from looking for a shortcut
        return taken

    def _is_held_on(self, event: QKeyEvent, kind: QEvent.Type) -> bool:
        """Tell whether Enter is held down, and Qt takes it for pressed again. X11 reports a held
        key as released and pressed in the same millisecond. Qt finds the press by looking ahead in
        its queue, and takes the key for pressed again if the press is not there yet. A held Enter
        would then confirm one thing after the other."""
        if decoder.position(self._family, event.nativeScanCode()) not in (
            decoder.ENTER,
            decoder.KEYPAD_ENTER,
        ):
            return False
        moment = (event.nativeScanCode(), event.timestamp())
        if kind is _RELEASE:
            self._released = moment
            return False
        is_x11 = self._family is decoder.Family.X11 and moment[1] > 0
        return is_x11 and not event.isAutoRepeat() and self._released == moment

    def _taken_before(self, event: QKeyEvent, kind: QEvent.Type) -> bool | None:
        if self._seen is None or kind is not _PRESS:
            return None
        identity, taken = self._seen
        self._seen = None
        return taken if identity == _identity(event) else None

    def _take(self, window: QWindow, event: QKeyEvent, kind: QEvent.Type) -> bool:
        sign = self._reader.pad_sign(event)
        stroke = self._reader.read(event, self._stamps.of(event), lasting_copy(event, sign=sign))
        if self._is_tried():
            return self._try(stroke, event, kind)
        decision = self._bursts.feed(stroke)
        # The steps may move the focus (open a dialog): a press after them is sent to the widget
        # that has the focus then, not to the one that Qt had chosen. A pad key goes as its digit.
        follows = decision.passes and bool(decision.steps or sign) and stroke.down
        taken = follows or not decision.passes
        if kind is _OVERRIDE:
            self._seen = (_identity(event), taken)
        self._watch_silence(window)
        self._act(decision.steps)
        if follows:
            self._give_back(burst.Replay((stroke,)))
        return taken

    def _point(self, event: QMouseEvent) -> bool:
        """Have the keys that are held act before a press of a pointer; tell whether it is taken."""
        decision = self._bursts.point(self._stamps.of_pointer(event))
        self._watch_silence(self._window)
        self._act(decision.steps)
        return decision.passes

    def _timer(self, on_time: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(on_time)
        return timer

    def _watch_silence(self, window: QWindow | None) -> None:
        """Measure time from the last key that may belong to a scan, not from any other."""
        pending = self._bursts.pending
        if pending is self._pending:
            return
        self._pending = pending
        self._silence_checked = self._is_waiting = False
        if pending is None:
            self._silence.stop()
        else:
            self._window = window
            self._silence.start(self._gap_ms + MARGIN_MS)

    def _on_silence(self) -> None:
        """Wait for one more round of the loop, then decide. Keys that were pressed before the
        silence may still be in the queue: after a stall of the loop the timer may fire before they
        are handled. If they come, their own stamps decide.
        """
        self._silence_checked = True
        QTimer.singleShot(0, self, self._on_quiet_round)

    def _on_quiet_round(self) -> None:
        if not self._silence_checked:
            return
        if self._is_waiting:
            self.decide_now()
            return
        self._decided(self._bursts.silence())
        if self._bursts.pending is not None:
            self._pending, self._is_waiting = self._bursts.pending, True
            self._silence.start(burst.PART_MS)

    def decide_now(self) -> None:
        """Decide without waiting for more keys whether the keys that are held back are a scan or
        typing."""
        if self._tried is not None:
            self._tell_tried()
        self._decided(self._bursts.end())

    def _decided(self, steps: tuple[burst.Step[QKeyEvent], ...]) -> None:
        self._pending = None
        self._silence_checked = self._is_waiting = False
        self._silence.stop()
        self._act(steps)

    def _act(self, steps: tuple[burst.Step[QKeyEvent], ...]) -> None:
        for step in steps:
            if isinstance(step, burst.Scan) and _is_typed(step):
                self._bursts.note_typed()
                self._give_back(burst.Replay(step.strokes))
            elif isinstance(step, burst.KeyTooSoon):
                self._key_too_soon.emit()
            elif isinstance(step, burst.Scan):
                kind = "misread scan" if step.misread else "scan"
                _log.debug(kind, extra={"fields": {"characters": len(step.code)}})
                self._scanned.emit(step)
            else:
                self._give_back(step)

    # --- a scanner at a serial port --------------------------------------------------------------

    def take_line(self, text: str, *, is_ended: bool) -> None:
        """Take a text of a serial scanner. is_ended: the end of its line came with it."""
        if self._is_tried():
            self._on_tried(TriedScan({"": text}, "enter" if is_ended else "none", None))
            return
        self.decide_now()
        self._key_down.emit()
        self._bursts.note_scan(stamp_of_now())
        self._line.emit(text.removeprefix(self._prefix))

    def _hand_over_line(self, code: str) -> None:
        self._on_scan(code, "")

    # --- a manager tries it ----------------------------------------------------------------------

    def try_out(self, on_tried: Callable[[TriedScan], None], *, wanted: Callable[[], bool]) -> None:
        self.decide_now()
        self._tried = TriedKeys(self._in_each_layout)
        self._on_tried, self._is_trial_wanted = on_tried, wanted

    def end_trial(self) -> None:
        self._tried_silence.stop()
        self._tried = None

    def _is_tried(self) -> bool:
        if self._tried is not None and not self._is_trial_wanted():
            self.end_trial()
        return self._tried is not None

    def _try(self, stroke: Stroke[QKeyEvent], event: QKeyEvent, kind: QEvent.Type) -> bool:
        assert self._tried is not None
        if self._tried.is_over(stroke):
            self._tell_tried()
        taken = self._tried.feed(stroke)
        if kind is _OVERRIDE:
            self._seen = (_identity(event), taken)
        if taken and stroke.down:
            is_ended = stroke.kind is StrokeKind.END
            self._tried_silence.start(
                (burst.LATE_SUFFIX_MS if is_ended else burst.PART_MS) + MARGIN_MS
            )
        return taken

    def _tell_tried(self) -> None:
        self._tried_silence.stop()
        if self._tried is not None and (tried_scan := self._tried.done()) is not None:
            self._on_tried(tried_scan)

    def _in_each_layout(
        self, strokes: Sequence[Stroke[QKeyEvent]]
    ) -> Mapping[str, Sequence[Stroke[QKeyEvent]]]:
        readers = {
            name: KeyReader(decoder.Decoder(layout), self._family)
            for name, layout in decoder.LAYOUTS.items()
        }
        return {
            name: [
                replace(reader.read(one.event, one.at, one.event), repeat=one.repeat)
                for one in strokes
            ]
            for name, reader in readers.items()
        }

    # --- what was decided ------------------------------------------------------------------------

    def _hand_over(self, scan: burst.Scan[QKeyEvent]) -> None:
        if scan.misread:
            self._on_misread(scan.code, scan.rest_of, scan.key_held)
        else:
            self._on_scan(scan.code, scan.rest_of)

    def _give_back(self, replay: burst.Replay[QKeyEvent]) -> None:
        for stroke in replay.strokes:
            self._give_back_one(stroke.event, self._window)

    def _give_back_one(self, event: QKeyEvent, window: QWindow | None) -> None:
        self._replaying = True
        try:
            send_key(event, window)
        finally:
            self._replaying = False


def _is_typed(scan: burst.Scan[QKeyEvent]) -> bool:
    """Tell whether keys at a scanner's pace, from a program or out of a full queue, go into the
    field with the focus all the same. A code that proves itself never does. In a field that hides
    them they may be a secret, and a scan is shown and kept. In a dialog, where nobody scans, they
    may be a path. An Enter that ended them acts in neither."""
    focus = QGuiApplication.focusObject()
    if burst.is_proved(scan.code) or not isinstance(focus, QLineEdit):
        return False
    is_secret = focus.echoMode() is QLineEdit.EchoMode.Password
    return is_secret or isinstance(focus.window(), QDialog)


def _identity(event: QKeyEvent) -> _Identity:
    return event.timestamp(), event.nativeScanCode(), event.key()


def _application() -> QCoreApplication:
    application = QCoreApplication.instance()
    if application is None:
        raise RuntimeError("the scan filter needs a running QApplication")
    return application
