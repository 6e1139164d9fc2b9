"""Scrolling: the thin bar, areas that hold a page, and pushing by a finger.

The thumb is 6 px wide while it moves, 2 px while idle; the bar has neither track nor arrows. The
bar is over the content of a list, so that rows reach to the edge of their panel. Beside a page it
stands in the gap at the page's right, such as the edge of the screen, so that the page keeps its
width; where nothing is free there, and for tiles, it has a lane of its own. Nothing goes on moving
by itself (look.md, "Motion").
"""

from __future__ import annotations

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPointingDevice,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QScrollBar,
    QStackedLayout,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.ui.field import text_of, whole_field
from pos_app.cashier.ui.painting import box
from pos_app.cashier.ui.theme import Theme

IDLE_AFTER_MS = 1500
THUMB, IDLE_THUMB = 6, 2
BESIDE_RING = 6
"""Pixels from the edge of a list to its thumb: the ring of the current row lies between them."""
MORE_ICON = 20


_OF_GAP = frozenset(
    (
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.ParentChange,
        QEvent.Type.LayoutRequest,
    )
)
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class ThinScrollBar(QScrollBar):
    """The vertical scroll bar of an area, over its right edge."""

    def __init__(self, theme: Theme, area: QAbstractScrollArea) -> None:
        super().__init__(Qt.Orientation.Vertical, area)
        self._theme = theme
        self._area = area
        self._whole: QWidget = area
        """What stands in the page: the area, or the stack of which it is a part."""
        self._own = area.verticalScrollBar()
        self._left_at, self._stays_at = QSize(0, 0), QSize(0, 0)
        """The sizes of the area at which the lane was last taken away, and at which it stays: there
        the content fits only beside it, as folded words do that are lower while they are narrower.
        Without the second one the lane would come and go for ever. The first is forgotten once the
        layouts are at rest: content that was too high for a moment, twice, does not keep a lane."""
        self._at_rest = QTimer(self)
        self._at_rest.setSingleShot(True)
        self._at_rest.setInterval(0)
        self._at_rest.timeout.connect(self._forget_left)
        self._idle = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(IDLE_AFTER_MS)
        self._timer.timeout.connect(self._go_idle)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().installEventFilter(self)
        area.installEventFilter(self)
        area.destroyed.connect(self.deleteLater)  # in the gap the bar is the child of another
        self._own.rangeChanged.connect(self._take_range)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._scrolled)
        self.sliderPressed.connect(lambda: self._own.setSliderDown(True))
        self.sliderReleased.connect(lambda: self._own.setSliderDown(False))
        self._take_range()
        self._reposition()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in (self._area, self._whole):
            if event.type() in _OF_GAP and isValid(self._own):  # an area that ends hides itself
                self._take_range()
        elif event.type() is QEvent.Type.Resize:
            if not self._stays_at.isNull() and self._stays_at != self._area.size():
                self._stays_at = QSize(0, 0)
                self._take_range()
            self._reposition()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._wake()

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics = self._theme.metrics
        thick = metrics.px(IDLE_THUMB if self._idle and not self.isSliderDown() else THUMB)
        fill = self._theme.colour("line_strong")
        box(QPainter(self), self._thumb(thick), radius=thick // 2, fill=fill)

    def thickest_thumb(self) -> QRect:
        """Return the rectangle of the moving thumb."""
        return self._thumb(self._theme.metrics.px(THUMB))

    def _thumb(self, thick: int) -> QRect:
        metrics = self._theme.metrics
        span = max(1, self.maximum() - self.minimum())
        room = self.height()
        long = max(metrics.touch, room * self.pageStep() // (span + self.pageStep()))
        start = (room - long) * (self.value() - self.minimum()) // span
        right = (self.width() - thick) // 2 if self._lane() else metrics.px(BESIDE_RING)
        return QRect(self.width() - thick - right, start, thick, long)

    def _take_range(self) -> None:
        self.setPageStep(max(1, self._own.pageStep()))
        self.setSingleStep(max(1, self._own.singleStep()))
        self.setRange(self._own.minimum(), self._own.maximum())
        needed = self._own.maximum() > self._own.minimum()
        gap = self._gap()
        parent = self._area if gap is None else self._whole.parentWidget()
        if self.parentWidget() is not parent:
            self.setParent(parent)
        is_seen = gap is None or parent is None or self._area.isVisibleTo(parent)
        self.setVisible(needed and is_seen)
        if isinstance(self._area, QScrollArea):
            self._make_room(self._area, needed=needed and gap is None)
            self._reposition()

    def _gap(self) -> QRect | None:
        """Return the free gap at the right of a page, in its parent; None if it is too narrow."""
        self._follow_stack()
        parent = self._whole.parentWidget()
        if parent is None or not isinstance(self._area, QScrollArea):
            return None
        area = QRect(self._area.mapTo(parent, QPoint()), self._area.size())
        metrics = self._theme.metrics
        least = metrics.px(THUMB) + 2 * metrics.hair
        gap = QRect(area.right() + 1, area.top(), metrics.s3, area.height()) & parent.rect()
        for child in parent.findChildren(QWidget, options=_DIRECT):
            if child is not self and not child.isHidden() and child.geometry().intersects(gap):
                gap.setRight(min(gap.right(), child.geometry().left() - 1))
        return gap if gap.width() >= least else None

    def _follow_stack(self) -> None:
        """Find the stack around the area, beside which the page's gap is."""
        stack = self._area.parentWidget()
        is_in_one = stack is not None and isinstance(stack.layout(), QStackedLayout)
        whole = stack if stack is not None and is_in_one else self._area
        if whole is not self._whole:
            self._whole = whole
            whole.installEventFilter(self)

    def _make_room(self, area: QScrollArea, *, needed: bool) -> None:
        """Give the bar a lane beside the content, or take the lane away."""
        had, size = area.viewportMargins().right() > 0, area.size()
        if needed and not had and self._left_at == size:
            self._stays_at = size
        lane = needed or self._stays_at == size
        if had and not lane:
            self._left_at = size
            self._at_rest.start()
        below = area.viewportMargins().bottom()
        area.setViewportMargins(0, 0, self._theme.metrics.s3 if lane else 0, below)

    def _forget_left(self) -> None:
        self._left_at = QSize(0, 0)

    def _scrolled(self, value: int) -> None:
        self._own.setValue(value)
        self._wake()

    def _reposition(self) -> None:
        if (room := self._gap()) is not None:
            view = self._area.viewport().geometry().translated(room.left(), room.top())
            inset = self._theme.metrics.s1
            self.setGeometry(
                room.left(), view.top() + inset, room.width(), view.height() - 2 * inset
            )
            self.raise_()
            self.update()
            return
        gap, wide = self._theme.metrics.s1, self._theme.metrics.s4
        view, lane = self._area.viewport().geometry(), self._lane()
        left = self._area.width() - (lane or wide)
        self.setGeometry(left, view.top() + gap, lane or wide, max(0, view.height() - 2 * gap))
        self.raise_()
        self.update()

    def _lane(self) -> int:
        """Return the width beside the viewport, 0 if it is too narrow for the thumb."""
        if self.parentWidget() is not self._area:
            return self.width()
        beside = self._area.width() - 1 - self._area.viewport().geometry().right()
        return beside if beside > self._theme.metrics.px(THUMB) else 0

    def _wake(self) -> None:
        self._idle = False
        self._timer.start()
        self.update()

    def _go_idle(self) -> None:
        self._idle = True
        self.update()


_MOVES_INSIDE = frozenset((QEvent.Type.LayoutRequest, QEvent.Type.Resize))


class Scrolled(QScrollArea):
    """An area that scrolls only up and down, without frame and ground. Arrow keys are left to the
    screen. When the size changes, the field with the caret stays in sight, or the widget of
    `bring`."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._inside: QWidget | None = None
        self._wanted: QWidget | None = None
        """The widget of `bring`, kept in sight whenever something moves, until a person scrolls or
        types."""
        self._settled = QTimer(self)
        """Runs out once the content has its layout for the new size."""
        self._settled.setSingleShot(True)
        self._settled.setInterval(0)
        self._settled.timeout.connect(self._show_what_counts)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.viewport().setAutoFillBackground(False)
        ThinScrollBar(theme, self)
        self.verticalScrollBar().sliderPressed.connect(self._forget_wanted)

    def show_inside(self, inside: QWidget) -> None:
        if self._inside is not None:
            self.takeWidget()  # something in it may be in the middle of an event
            self._inside.hide()
            self._inside.deleteLater()
        self._inside = inside
        self.setWidget(inside)
        inside.setAutoFillBackground(False)

    def bring(self, widget: QWidget) -> None:
        """Scroll to a widget once it has its position."""
        self._wanted = widget
        self._settled.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settled.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() in _MOVES_INSIDE:
            self._settled.start()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def _show_what_counts(self) -> None:
        """Scroll to the wanted widget, where it is too high for the area to what has the focus in
        it, but rather to the field with the caret, if somebody has typed into it."""
        focus, wanted, margin = QApplication.focusWidget(), self._wanted, self._theme.metrics.s2
        if self._inside is None:
            return
        if wanted is not None and isValid(wanted) and wanted.isVisible():
            self.ensureWidgetVisible(wanted, 0, margin)
            if focus is not None and wanted.isAncestorOf(focus):
                self.ensureWidgetVisible(focus, 0, margin)
        if focus is not None and self._inside.isAncestorOf(focus) and text_of(focus):
            self.ensureWidgetVisible(whole_field(focus), 0, margin)
            self._wanted = None

    def _forget_wanted(self) -> None:
        self._wanted = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._forget_wanted()
        super().wheelEvent(event)


def bring_into_sight(widget: QWidget) -> None:
    """Scroll to a widget in all areas around it."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, Scrolled):
            above.bring(widget)
        above = above.parentWidget()


class MoreBelow(QWidget):
    """An arrow at the foot of an area while there is more below. A press goes through it."""

    def __init__(self, theme: Theme, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._theme = theme
        self._area = area
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self.reposition)
        bar.rangeChanged.connect(self.reposition)
        self.reposition()

    def reposition(self) -> None:
        bar, metrics = self._area.verticalScrollBar(), self._theme.metrics
        self.setVisible(bar.value() < bar.maximum())
        side = metrics.icon(MORE_ICON) + 2 * metrics.s1
        view = self._area.viewport().geometry()
        left = view.left() + (view.width() - side) // 2
        self.setGeometry(left, self._area.height() - side, side, side)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        box(painter, self.rect(), radius=self.width() // 2, fill=theme.colour("accent"))
        theme.draw_icon(
            painter,
            "chevron-down",
            "on_accent",
            MORE_ICON,
            QPoint(self.width() // 2 + 1, self.height() // 2 + 1),
        )


class ScrolledColumn(Scrolled):
    """An area that is as wide as its content needs, and may be as low as necessary."""

    def show_inside(self, inside: QWidget) -> None:
        super().show_inside(inside)
        inside.installEventFilter(self)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        wide = self._inside.minimumSizeHint().width() if self._inside is not None else 0
        return QSize(wide, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ScrolledRows(ScrolledColumn):
    """Rows of one height, of which only whole ones are shown."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme, name=name)
        self._row, self._gap = 0, theme.metrics.s2

    def set_row_height(self, height: int) -> None:
        if height == self._row:
            return
        self._row = height
        self.verticalScrollBar().setSingleStep(height + self._gap)
        self._show_whole_rows()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self._show_whole_rows()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_whole_rows()
        super().resizeEvent(event)

    def _show_whole_rows(self) -> None:
        inside, around = 0, 0
        if self._inside is not None:
            inside = self._inside.minimumSizeHint().height()
            layout = self._inside.layout()
            around = 0 if layout is None else 2 * layout.contentsMargins().top()
        room, step = self.contentsRect().height() - around, self._row + self._gap
        is_cut = self._row > 0 and self._row <= room < inside - around
        over = (room + self._gap) % step if is_cut else 0
        margins = self.viewportMargins()
        if margins.bottom() != over:
            self.setViewportMargins(0, 0, margins.right(), over)


BEGINS = 3
"""A finger that has moved by 1/BEGINS of a touch size pushes, and no longer presses."""
DRAGGED = "dragged"
"""The dynamic property of a widget that is dragged itself, so that a finger on it pushes
nothing."""
_OUTSIDE = QPointF(-10_000, -10_000)


class FingerScroll(QObject):
    """Lets a finger push lists and pages, wherever it is on them; a finger that pushes presses
    nothing. Install it on the QWindow, because the widget under the finger keeps the press to
    itself. A mouse pushes, too, because some touch screens pass for one; but not in a field, where
    it selects text."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._area: QAbstractScrollArea | None = None
        self._pressed_at = 0.0
        self._value = 0
        self._pushes = False
        self._letting_go = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or self._letting_go:
            return False
        match event.type():
            case QEvent.Type.MouseButtonPress:
                self._begin(event)
            case QEvent.Type.MouseMove if event.buttons() & Qt.MouseButton.LeftButton:
                return self._move(watched, event)
            case QEvent.Type.MouseButtonRelease:
                return self._end()
        return False

    def _begin(self, event: QMouseEvent) -> None:
        point = event.position()
        self._pushes = False
        self._area = _area_of(self._window.childAt(point.toPoint()), event)
        if self._area is not None:
            self._pressed_at = point.y()
            self._value = self._area.verticalScrollBar().value()

    def _move(self, watched: QObject, event: QMouseEvent) -> bool:
        if self._area is None:
            return False
        # a scan closed the area meanwhile; the finger does not mean what is there now
        if not isValid(self._area):
            return self._pushes
        moved = event.position().y() - self._pressed_at
        if not self._pushes and abs(moved) * BEGINS >= self._theme.metrics.touch:
            self._pushes = True
            self._area.verticalScrollBar().setSliderDown(True)
            self._let_go(watched, event)
        if self._pushes and isValid(self._area):
            self._area.verticalScrollBar().setValue(round(self._value - moved))
        return self._pushes

    def _end(self) -> bool:
        """End the press; return whether the finger had pushed."""
        pushed, area = self._pushes, self._area
        self._pushes, self._area = False, None
        if pushed and area is not None and isValid(area):
            area.verticalScrollBar().setSliderDown(False)
        return pushed

    def _let_go(self, watched: QObject, event: QMouseEvent) -> None:
        """Tell the pressed widget that the finger has left it, so that the widget does not act."""
        self._letting_go = True
        released = QMouseEvent(
            QEvent.Type.MouseButtonRelease,
            _OUTSIDE,
            _OUTSIDE,
            _OUTSIDE,
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.NoButton,
            event.modifiers(),
            event.pointingDevice(),
        )
        QCoreApplication.sendEvent(watched, released)
        self._letting_go = False


def _area_of(widget: QWidget | None, event: QMouseEvent) -> QAbstractScrollArea | None:
    """Return the area that a press on a widget pushes, or None."""
    by_finger = event.pointingDevice().pointerType() is QPointingDevice.PointerType.Finger
    while widget is not None:
        if isinstance(widget, QScrollBar) or widget.property(DRAGGED):
            return None
        if isinstance(widget, QLineEdit | QPlainTextEdit) and not by_finger:
            return None
        if isinstance(widget, QAbstractScrollArea):
            bar = widget.verticalScrollBar()
            if bar.maximum() > bar.minimum():
                return widget
        widget = widget.parentWidget()
    return None
