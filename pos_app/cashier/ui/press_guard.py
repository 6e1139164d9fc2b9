"""A double tap presses no second control, and a key that is held or struck twice acts once.

The guard sees each press of a window before any widget does. Near a press it takes no other until
the pointer was let go and REST_MS have passed, because another control, or the same button with
another meaning, may lie there by then. It takes a press at once if the control lay there unchanged
at the press before, and either it is another one than was pressed, or it is made for repeating: a
key of a pad, plus and minus, a tile, a scroll bar, a field. The same holds for a key that comes
again: only keys that type, or move in a list or a text, act at once. An Enter that follows so soon
on the key that opened what it would confirm confirms nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QEventPoint, QInputEvent, QKeyEvent, QMouseEvent, QTouchEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)

from pos_app.cashier.ui.keyboard import Keyboard
from pos_app.cashier.ui.press_part import REPEATS, REST_MS, PressPart, strokes
from pos_app.cashier.ui.scrolling import DRAGGED
from pos_app.cashier.ui.typed_keys import typed_text

_STEPS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""The guard looks at these distances around a press, in touch sizes, for controls that lie there
already."""
_OUTSIDE = QPointF(-10_000, -10_000)
_PRESSES = frozenset((QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick))
_STRUCK = frozenset((QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress))
_TOUCHES = frozenset((QEvent.Type.TouchBegin, QEvent.Type.TouchUpdate, QEvent.Type.TouchEnd))
_MOVES = frozenset(
    {
        Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home,
        Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Backspace,
        Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
    }
)  # fmt: skip
"""Keys that only move or rub out, and may be held and repeated."""
_MODIFIERS = frozenset(
    {
        Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta,
        Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock,
    }
)  # fmt: skip
_NO_KEY = (0, Qt.KeyboardModifier.NoModifier)
_AMOUNT = frozenset("0123456789,.")
"""These signs are typed into an amount or a PIN without a field."""
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PAD_ACTS = (Qt.Key.Key_Plus, Qt.Key.Key_Minus)
"""These keys of the numeric pad pay."""


_TYPED = (QLineEdit, QPlainTextEdit, QScrollBar)
_CONTROLS = (*_TYPED, QAbstractButton, QAbstractItemView, QMenu)


def stamp_of(event: QInputEvent) -> int:
    """Return the time of a press in ms, of which only differences mean anything."""
    return event.timestamp()


class Lying(NamedTuple):
    """Describes what lies at a point. rect: its place on the screen. meaning: what a press means
    there."""

    widget: QWidget
    meaning: Hashable
    rect: QRect
    repeats: bool
    is_control: bool


class _Press(NamedTuple):
    spot: QPoint
    at: int
    lying: Lying
    around: frozenset[Lying]
    """The controls that lay near it."""
    is_taken: bool


class PressGuard(QObject):
    """Sees the presses of a window, and of the menus and dialogs over it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._near = 0
        self._presses: list[_Press] = []
        self._let_go_at = 0
        self._is_down = False
        self._letting_go = False
        self._keys = _Struck()
        self._opened = _OpenedWindows(self)

    def watch(self, near: int) -> None:
        """Be the first of the filters on the QWindow. near: the distance in pixels within which two
        presses are meant for one spot."""
        self._near = near
        self._window.windowHandle().installEventFilter(self)

    def watch_opened(self, opened: QWidget | None = None) -> None:
        """Watch an open menu or dialog, and each window that opens over it or now: a dialog opens
        lists, menus and questions of its own, and Qt sends the keys there."""
        if opened is not None and (handle := opened.windowHandle()) is not None:
            handle.installEventFilter(self)
        self._opened.begin()

    def forget_key(self) -> None:
        """Forget the key that was struck last: after a scan the same key is meant anew."""
        self._keys = _Struck()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if self._letting_go:
            return False
        if kind is QEvent.Type.ContextMenu:
            self.watch_opened()
        if kind in _STRUCK and isinstance(event, QKeyEvent):
            self._opened.end_with_last()
            is_taken = self._keys.takes(event)
            if not is_taken:
                event.accept()  # an accepted override keeps Qt from looking for a shortcut
            elif not event.isAutoRepeat() and event.key() not in _MODIFIERS:
                strokes.begin()
                QTimer.singleShot(0, strokes.end)
            return not is_taken
        if kind is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            self._keys.note_release(event)
        elif kind in _PRESSES and isinstance(event, QMouseEvent):
            is_held = bool(event.buttons() & ~event.button())
            return not self._takes(event.globalPosition().toPoint(), event, is_held=is_held)
        elif kind is QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            return self._end(watched, event)
        elif kind in _TOUCHES and isinstance(event, QTouchEvent):
            self._feel(event)
        return False

    # --- the pointer -----------------------------------------------------------------------------

    def _takes(self, spot: QPoint, event: QInputEvent, *, is_held: bool = False) -> bool:
        """Note a press, and tell whether it is taken. is_held: another button is still down."""
        strokes.end()
        self._opened.end_with_last()
        at = stamp_of(event)
        last = self._presses[-1] if self._presses else None
        if self._is_down and last is not None and (last.at, last.spot) == (at, spot):
            return last.is_taken  # Qt tells one press twice, as a press and as a double click
        self._presses = [one for one in self._presses if self._is_young(one, at) or is_held]
        lying = self.lying_at(spot)
        is_taken = not _rests(lying.widget) and all(
            _may_follow(one, spot, lying, near=self._near) for one in self._presses
        )
        around = self._around(spot) if is_taken else frozenset()
        self._presses.append(_Press(spot, at, lying, around, is_taken))
        self._is_down = True
        return is_taken

    def _is_young(self, press: _Press, at: int) -> bool:
        """Tell whether a press was made, or let go, less than REST_MS before. A time before it is
        none after it: the clock of the events has begun anew."""
        since = max(press.at, self._let_go_at) if press is self._presses[-1] else press.at
        return 0 <= at - since < REST_MS

    def _around(self, spot: QPoint) -> frozenset[Lying]:
        steps = [round(self._near * step) for step in _STEPS]
        return frozenset(self.lying_at(spot + QPoint(x, y)) for x in steps for y in steps)

    def _end(self, watched: QObject, event: QMouseEvent) -> bool:
        """End a press. If another control lies there by now, or the control has another meaning,
        it is told that the pointer left it, so that it does not act."""
        self._let_go_at = stamp_of(event)
        was_down, self._is_down = self._is_down, False
        if not was_down or not self._presses:
            return False
        press = self._presses[-1]
        if not press.is_taken:
            return True
        is_same = self.lying_at(press.spot)[:2] == press.lying[:2]
        if is_same or press.lying.repeats or not press.lying.is_control:
            return False
        self._letting_go = True
        QCoreApplication.sendEvent(watched, _released_outside(event))
        self._letting_go = False
        return True

    def _feel(self, event: QTouchEvent) -> None:
        """Take the fingers on the on-screen keyboard, for which Qt makes no mouse events."""
        for point in event.points():
            spot = point.globalPosition().toPoint()
            if point.state() is QEventPoint.State.Released:
                self._let_go_at = stamp_of(event)
            elif point.state() is QEventPoint.State.Pressed:
                keyboard = _keyboard_around(self.lying_at(spot).widget)
                if keyboard is not None and not self._takes(spot, event):
                    keyboard.ignore_finger(point.id())

    # --- what lies at a point --------------------------------------------------------------------

    def lying_at(self, spot: QPoint) -> Lying:
        """Return what lies at a point of the screen."""
        for above in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if above is not None and above.rect().contains(above.mapFromGlobal(spot)):
                return _lying_in(above, above.mapFromGlobal(spot))
        return _lying_in(self._window, self._window.mapFromGlobal(spot))


def _may_follow(before: _Press, spot: QPoint, lying: Lying, *, near: int) -> bool:
    """Tell whether a press at a spot may follow so soon after another one."""
    lay_there = before.lying.rect.contains(spot)
    is_near = lay_there or (spot - before.spot).manhattanLength() <= near
    if not is_near or not lying.is_control:
        return True
    if lying[:2] == before.lying[:2]:
        return before.is_taken and lying.repeats
    return not lay_there and lying in before.around


class _OpenedWindows(QObject):
    """Shows the guard each window of the program that opens over another one. It is a filter of the
    application, which costs each event some microseconds, so it is one only while a menu or dialog
    is open. The guard itself is a filter of the windows, because the scanner's filter, which is one
    of the application, has to see a key before it."""

    def __init__(self, guard: PressGuard) -> None:
        super().__init__(guard)
        self._guard = guard
        self._is_on = False

    def begin(self) -> None:
        if not self._is_on and (application := QApplication.instance()) is not None:
            application.installEventFilter(self)
            self._is_on = True

    def end_with_last(self) -> None:
        """End with the first press after the last menu or dialog."""
        if not self._is_on or QApplication.activePopupWidget() or QApplication.activeModalWidget():
            return
        if (application := QApplication.instance()) is not None:
            application.removeEventFilter(self)
        self._is_on = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWindow):
            watched.installEventFilter(self._guard)
        return False


class _Struck:
    """The key that was struck last."""

    def __init__(self) -> None:
        self._key = _NO_KEY
        self._down_at = self._last_at = 0
        self._focus: QWidget | None = None
        self._part: Any = None
        self._is_taken = True

    def takes(self, event: QKeyEvent) -> bool:
        """Tell whether a key acts that goes down. The override of its press comes first."""
        if event.key() in _MODIFIERS:
            return True
        if event.key() in _MOVES:
            self._key = _NO_KEY
            return True
        key, at = (event.key(), event.modifiers()), stamp_of(event)
        is_again = key == self._key and 0 <= at - self._last_at < REST_MS
        focus = QApplication.focusWidget()
        part = _confirming_part(focus)
        is_told_twice = is_again and at == self._down_at and not event.isAutoRepeat()
        if not is_told_twice:
            is_first = not is_again and not event.isAutoRepeat()
            if is_first:
                is_soon = 0 <= at - self._last_at < REST_MS and event.key() in _ENTERS
                is_opened = part is not None and part is not self._part
                self._is_taken = not (is_soon and is_opened and part.acts_at_enter)
                self._focus, self._part = focus, part
            else:
                self._is_taken = _types(event, focus, began_here=focus is self._focus)
        self._key = key
        self._down_at = self._last_at = at
        return self._is_taken

    def note_release(self, event: QKeyEvent) -> None:
        if event.key() == self._key[0]:
            self._last_at = stamp_of(event)


def _confirming_part(focus: QWidget | None) -> Any:
    """The part around the focus that tells by `acts_at_enter` whether an Enter confirms, or
    None."""
    while focus is not None and not hasattr(type(focus), "acts_at_enter"):
        focus = focus.parentWidget()
    return focus


def _types(event: QKeyEvent, focus: QWidget | None, *, began_here: bool) -> bool:
    """Tell whether a key types or rubs out, so that it may be held, and struck as fast as a hand
    can. began_here: the focus is where it was when the key was struck first."""
    key, modifiers = event.key(), event.modifiers()
    is_pad = bool(modifiers & Qt.KeyboardModifier.KeypadModifier)
    is_text = isinstance(focus, QPlainTextEdit) and not focus.isReadOnly()
    is_field = isinstance(focus, QLineEdit) and not focus.isReadOnly()
    if key in _ENTERS:
        return is_text and began_here and not modifiers & ~Qt.KeyboardModifier.KeypadModifier
    if key == Qt.Key.Key_Delete:
        has_text = isinstance(focus, QLineEdit) and is_field and bool(focus.text())
        return began_here and (is_text or has_text)
    popup = QApplication.activePopupWidget()
    is_offering = isinstance(popup, QAbstractItemView)  # a completer's; its field keeps the focus
    if not typed_text(event) or (popup is not None and not is_offering):
        return False
    if key in _PAD_ACTS and is_pad:
        return False
    if is_text or is_field:
        return began_here or _ends_with(focus, event.text())
    return began_here and not event.isAutoRepeat() and event.text() in _AMOUNT


def _ends_with(field: QWidget | None, typed_text: str) -> bool:
    """Tell whether the caret stands after this text, as where the key before typed it. Another key
    led to the field, and types nothing there while it is held."""
    if isinstance(field, QLineEdit):
        return field.text()[: field.cursorPosition()].casefold().endswith(typed_text.casefold())
    assert isinstance(field, QPlainTextEdit)
    before = field.toPlainText()[: field.textCursor().position()]
    return before.casefold().endswith(typed_text.casefold())


def _keyboard_around(widget: QWidget | None) -> Keyboard | None:
    while widget is not None and not isinstance(widget, Keyboard):
        widget = widget.parentWidget()
    return widget


def _rests(widget: QWidget | None) -> bool:
    """Tell whether a widget, or one around it, has just appeared or moved by itself."""
    while widget is not None:
        if getattr(widget, "rests_for_fingers", getattr(widget, "rests", False)):
            return True
        widget = widget.parentWidget()
    return False


def _lying_in(window: QWidget, point: QPoint) -> Lying:
    found: QWidget = window.childAt(point) or window
    control = _control_of(found, window)
    if control is None:
        return Lying(found, None, QRect(), repeats=False, is_control=False)
    place = control.mapFrom(window, point)
    part = _part_of(control, place)
    on_screen = part.rect.translated(control.mapToGlobal(QPoint(0, 0)))
    return Lying(control, part.key, on_screen, part.repeats, is_control=True)


def _control_of(widget: QWidget, window: QWidget) -> QWidget | None:
    """Return the control that a press on a widget is meant for, or None."""
    above: QWidget | None = widget
    while above is not None:
        if _takes_presses(type(above)) or above.property(REPEATS) or above.property(DRAGGED):
            return above
        above = above.parentWidget() if above is not window else None
    return None


_known: dict[type, bool] = {}


def _takes_presses(kind: type) -> bool:
    """Tell whether widgets of a class take presses: those of Qt, and ours that handle them."""
    if kind not in _known:
        ours = (one for one in kind.__mro__ if one.__module__.startswith("pos_app."))
        handles = any("mouseReleaseEvent" in vars(one) for one in ours)
        _known[kind] = handles or issubclass(kind, _CONTROLS)
    return _known[kind]


def _part_of(control: QWidget, point: QPoint) -> PressPart:
    if isinstance(control, QAbstractItemView):
        area = control.viewport()
        part = _cell_of(control, area.mapFrom(control, point))
        return part._replace(rect=part.rect.translated(area.mapTo(control, QPoint(0, 0))))
    if isinstance(control, QMenu):
        for action in control.actions():
            place = control.actionGeometry(action)
            if place.contains(point):
                return PressPart(action.text(), place)
    if hasattr(control, "press_part") and (found := control.press_part(point)) is not None:
        return _checked(found)
    repeats = isinstance(control, _TYPED) or control.property(REPEATS) or control.property(DRAGGED)
    return PressPart(_meaning_of(control), control.rect(), bool(repeats))


def _cell_of(view: QAbstractItemView, point: QPoint) -> PressPart:
    if hasattr(view, "press_part") and (found := view.press_part(point)) is not None:
        return _checked(found)
    index = view.indexAt(point)
    if not index.isValid():
        return PressPart(None, view.viewport().rect())
    words = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    key = (index.row(), index.column(), words)
    is_qts = not type(view).__module__.startswith("pos_app.")  # a double click opens a folder there
    return PressPart(key, view.visualRect(index), is_qts or bool(view.property(REPEATS)))


def _checked(part: object) -> PressPart:
    assert isinstance(part, PressPart)
    return part


def _meaning_of(control: QWidget) -> Hashable:
    """Return the words of a control, and whether it is ticked."""
    if isinstance(control, QAbstractButton):
        spec = getattr(control, "spec", None)
        words = (spec.lead, spec.words, spec.icon) if spec is not None else ()
        return control.accessibleName(), control.isChecked(), words
    if isinstance(control, _TYPED):
        return None
    return control.accessibleName()


def _released_outside(event: QMouseEvent) -> QMouseEvent:
    """Return the release of a pointer that is far away."""
    made = QMouseEvent(
        QEvent.Type.MouseButtonRelease,
        _OUTSIDE,
        _OUTSIDE,
        _OUTSIDE,
        event.button(),
        event.buttons(),
        event.modifiers(),
        event.pointingDevice(),
    )
    made.setTimestamp(event.timestamp())
    return made


def guard_opened(opened: QWidget) -> None:
    """Let the guard of the window below an open menu or dialog see the presses on it, which is a
    window of its own."""
    above = opened.parentWidget()
    guard = above.window().findChild(PressGuard) if above is not None else None
    if isinstance(guard, PressGuard):
        guard.watch_opened(opened)
