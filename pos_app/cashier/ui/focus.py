"""The focus ring, an overlay that follows the focus and paints around the focused widget; and where
the focus goes from a widget that can't keep it.

Only widgets with the property `theme.RING` get a ring; fields show the focus by their own edge and
lists inside the row. The overlay is masked to the ring, so that the widget inside is not painted
again, and to the scroll areas around the widget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QTextCursor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.ui.painting import ring
from pos_app.cashier.ui.theme import RING, Theme
from pos_app.lazy_dataclass import dataclass

GAP = 2
WIDTH = 3

_FOLLOWED = frozenset(
    (
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.EnabledChange,
        QEvent.Type.ZOrderChange,
    )
)


class FocusRing(QWidget):
    """The overlay of one window, which is its parent."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        self._on_focus(None, application.focusWidget())

    def target(self) -> QWidget | None:
        return self._target if self.isVisible() else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _FOLLOWED:
            self._reposition()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._target is None or not isValid(self._target):
            return
        edge = GAP + WIDTH
        inner = self.rect().adjusted(edge, edge, -edge, -edge)
        radius = int(self._target.property(RING) or 0)
        ring(QPainter(self), inner, self._theme, radius=radius, gap=GAP, width=WIDTH)

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        for widget in self._watched:
            if isValid(widget):
                widget.removeEventFilter(self)
        self._watched = []
        self._target = None
        if now is not None and now.property(RING) is not None and self._window.isAncestorOf(now):
            self._target = now
            self._follow(now)
        self._reposition()

    def _follow(self, target: QWidget) -> None:
        """Follow a widget, and all its parents, when they move."""
        widget: QWidget | None = target
        while widget is not None and widget is not self._window:
            widget.installEventFilter(self)
            self._watched.append(widget)
            widget = widget.parentWidget()

    def _reposition(self) -> None:
        target = self._target
        if target is None or not isValid(target) or not target.isVisible():
            self.hide()
            return
        edge = GAP + WIDTH
        corner = target.mapTo(self._window, QPoint(0, 0))
        rect = QRect(corner, target.size()).adjusted(-edge, -edge, edge, edge)
        self.setGeometry(rect)
        whole = self.rect()
        painted = QRegion(whole) - _within(whole.adjusted(edge, edge, -edge, -edge), target)
        painted &= self._seen(target).translated(-rect.topLeft())
        if painted.isEmpty():
            self.hide()
            return
        self.setMask(painted)
        self.show()
        self.raise_()
        self.update()

    def _seen(self, target: QWidget) -> QRect:
        """Return the part of the window in which the ring may be: the scroll areas around its
        widget. At a side at which the widget is whole the ring may lie beyond the area's edge."""
        seen, edge = self._window.rect(), GAP + WIDTH
        corner = target.mapTo(self._window, QPoint(0, 0))
        view = target.parentWidget()
        while view is not None and view is not self._window:
            area = view.parentWidget()
            if isinstance(area, QAbstractScrollArea) and area.viewport() is view:
                room = QRect(view.mapTo(self._window, QPoint(0, 0)), view.size())
                if not room.intersects(QRect(corner, target.size())):
                    return QRect()
                above = edge if corner.y() >= room.top() else 0
                below = edge if corner.y() + target.height() <= room.bottom() + 1 else 0
                seen &= room.adjusted(-edge, -above, edge, below)
            view = area
        return seen


def _within(inner: QRect, target: QWidget) -> QRegion:
    """Return the region that is surely inside of the ring: all but the round corners."""
    radius = int(target.property(RING) or 0)
    upright = inner.adjusted(radius, 0, -radius, 0)
    return QRegion(upright) + QRegion(inner.adjusted(0, radius, 0, -radius))


# --- the way back ---------------------------------------------------------------------------------


KEPT = 8
"""The number of widgets that the keeper remembers."""


class FocusKeeper(QObject):
    """Gives the focus back to the widget that had it before, when a press disables, hides or
    deletes the present one. Qt would give it to the next widget in its order, which may be another
    act that the next Enter would do, or to none. Make one for each screen."""

    def __init__(self, screen: QWidget, otherwise: Callable[[], None]) -> None:
        """otherwise: puts the focus somewhere, if none of the former widgets can have it."""
        super().__init__(screen)
        self._screen, self._otherwise = screen, otherwise
        self._before: list[QWidget] = []
        self._unseen: QWidget | None = None
        """The widget with the focus, where it was hidden already when it got it: what follows is a
        person's press, which nothing took the focus from."""
        self._is_back = False
        """Whether the focus comes back from another window, while the screen went on."""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._put_back)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def settled(self) -> None:
        """Leave the focus where the screen has just put it."""
        self._later.stop()

    def give_back(self, widget: QWidget | None) -> None:
        """Put the focus back on a widget of the screen, if that can still have it."""
        if widget is not None and self._may_have_it(widget):
            self.settled()
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_focus(self, old: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self) or not isValid(self._screen):
            return
        is_ours = old is not None and isValid(old) and self._screen.isAncestorOf(old)
        is_ours = is_ours and old is not self._unseen
        self._unseen = now if now is not None and not _is_there(now) else None
        self._is_back = not is_ours and now is not None and self._was_handed_on(old, now)
        if self._is_back or (is_ours and old is not None and not _is_there(old)):
            self._later.start()
            return
        self._later.stop()
        if now is not None and self._screen.isAncestorOf(now):
            others = [one for one in self._before if one is not now]
            self._before = [*others[1 - KEPT :], now]

    def _was_handed_on(self, old: QWidget | None, now: QWidget) -> bool:
        """Tell whether Qt chose the widget while another window had the focus, such as a dialog
        whose answer disabled the button that opened it."""
        last, window = self._before[-1] if self._before else None, self._screen.window()
        if last is None or last is now or not isValid(last) or not self._screen.isAncestorOf(last):
            return False
        was_away = old is None or not isValid(old) or old.window() is not window
        comes_back = was_away and now.window() is window
        return not _can_have_it(last) and (comes_back or getattr(now, "is_act", False))

    def _put_back(self) -> None:
        if not self._screen.isVisible():
            return
        for one in () if self._is_back else reversed(self._before):
            if self._may_have_it(one):
                one.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        self._otherwise()
        now = QApplication.focusWidget()
        if now is not self._screen and (now is None or not self._screen.isAncestorOf(now)):
            self._screen.setFocus(Qt.FocusReason.OtherFocusReason)  # whose keys lead on

    def _may_have_it(self, widget: QWidget) -> bool:
        return isValid(widget) and self._screen.isAncestorOf(widget) and _can_have_it(widget)


def _is_there(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled()


def _can_have_it(widget: QWidget) -> bool:
    return _is_there(widget) and widget.focusPolicy() != Qt.FocusPolicy.NoFocus


# --- the key cap of the filled button ------------------------------------------------------------


class KeyedButton(Protocol):
    """A button whose key cap can be changed."""

    def set_key(self, key: str) -> None: ...


class EnterCap(QObject):
    """Shows Enter on the filled button of a screen only while Enter presses it. Make one where a
    widget with the focus takes Enter, as buttons do. takes: whether that widget does."""

    def __init__(
        self,
        screen: QWidget,
        filled: KeyedButton,
        key: str,
        *,
        takes: Callable[[QWidget], bool] = lambda widget: isinstance(widget, QAbstractButton),
    ) -> None:
        super().__init__(screen)
        self._screen, self._filled, self._key, self._takes = screen, filled, key, takes
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self) or not isValid(self._screen) or now is None:
            return
        is_taken = (
            id(now) != id(self._filled) and self._screen.isAncestorOf(now) and self._takes(now)
        )
        self._filled.set_key("" if is_taken else self._key)


# --- the focus place -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FocusPosition:
    """way: from a widget down to the focused one; each step is a class, and the number of the child
    among its siblings of that class. caret: the position in a field. selected: start and end of the
    selected letters."""

    way: tuple[tuple[str, int], ...] = ()
    caret: int = 0
    selected: tuple[int, int] | None = None


def focus_position(root: QWidget) -> FocusPosition:
    """Return the position of the focus within `root`; without a way if the focus is elsewhere."""
    focus: QWidget | None = QApplication.focusWidget()
    if focus is None or not root.isAncestorOf(focus):
        return FocusPosition()
    way: list[tuple[str, int]] = []
    widget = focus
    while widget is not root:
        parent, name = widget.parentWidget(), type(widget).__name__
        assert parent is not None
        way.append((name, _children(parent, name).index(widget)))
        widget = parent
    if isinstance(focus, QPlainTextEdit):
        cursor = focus.textCursor()
        chosen = (cursor.anchor(), cursor.position()) if cursor.hasSelection() else None
        return FocusPosition(tuple(reversed(way)), cursor.position(), chosen)
    if not isinstance(focus, QLineEdit):
        return FocusPosition(tuple(reversed(way)))
    selected = (focus.selectionStart(), focus.selectionEnd()) if focus.hasSelectedText() else None
    return FocusPosition(tuple(reversed(way)), focus.cursorPosition(), selected)


def take_focus_at(root: QWidget, position: FocusPosition) -> bool:
    """Put the focus at the same position among widgets that were made anew; return whether there is
    one."""
    widget = root
    for name, number in position.way:
        children = _children(widget, name)
        if number >= len(children):
            return False
        widget = children[number]
    if not position.way or not _can_have_it(widget):
        return False
    widget.setFocus(Qt.FocusReason.OtherFocusReason)
    if isinstance(widget, QLineEdit):
        widget.setCursorPosition(position.caret)
        if position.selected is not None:
            begin, end = position.selected
            widget.setSelection(begin, end - begin)
    elif isinstance(widget, QPlainTextEdit):
        begin, end = position.selected or (position.caret, position.caret)
        cursor = widget.textCursor()
        cursor.setPosition(begin)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        widget.setTextCursor(cursor)
    return True


def _children(parent: QWidget, name: str) -> list[QWidget]:
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    return [
        one for one in parent.findChildren(QWidget, options=direct) if type(one).__name__ == name
    ]
