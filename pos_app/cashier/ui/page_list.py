"""The list of pages at the left of a screen, in groups under small heads. The chosen page is
tinted, and alone a stop of Tab; the arrow keys go to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QMargins, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

_OF_SCREEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Left, Qt.Key.Key_Right)


@dataclass(frozen=True, slots=True)
class PageOption:
    """group: the head above the first row of a group; "" for a list without groups."""

    id: str
    words: str
    icon: str
    group: str = ""


class PageList(Ground):
    """Signal: `chosen(str)` with the id of a row. gives_enter: the rows leave Enter and the arrows
    to the sides to the screen. least: the least width in touch sizes."""

    chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        options: Sequence[PageOption],
        *,
        name: str,
        gives_enter: bool = False,
        least: int = 5,
    ) -> None:
        super().__init__(theme, side=Qt.Edge.RightEdge)
        self.setAccessibleName(name)
        metrics = theme.metrics
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(
            metrics.s3, metrics.s3, metrics.s3 + metrics.hair, metrics.s3
        )
        self.column.setSpacing(metrics.s1)
        self.rows: dict[str, PageRow] = {}
        inside = QWidget()
        self._within = QVBoxLayout(inside)
        self._within.setContentsMargins(0, 0, 0, 0)
        self._within.setSpacing(metrics.s1)
        self._add_rows(options, gives_enter=gives_enter)
        self._within.addStretch(1)
        self._inside, self._below = inside, _Below(theme)
        self._area = Scrolled(theme, name=name)
        self._area.show_inside(inside)
        self.column.addWidget(self._area, 1)
        widest = max(row.sizeHint().width() for row in self.rows.values())
        least = min(least, 4 if metrics.narrow else least) * metrics.touch
        self.setFixedWidth(max(widest, least) + 2 * metrics.s3 + metrics.hair)

    def _add_rows(self, options: Sequence[PageOption], *, gives_enter: bool) -> None:
        group = ""
        for option in options:
            if option.group != group:
                group = option.group
                self._within.addWidget(self._head(group, is_first=not self.rows))
            row = PageRow(self.theme, option.words, option.icon, gives_enter=gives_enter)
            row.clicked.connect(lambda _=False, key=option.id: self._choose(key))
            self.rows[option.id] = row
            self._within.addWidget(row)

    def _head(self, words: str, *, is_first: bool) -> Label:
        metrics = self.theme.metrics
        label = Label(
            self.theme, words, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2"
        )
        label.setContentsMargins(metrics.s3, metrics.s2 if is_first else metrics.s3, 0, metrics.s1)
        return label

    def add_last(self, part: QWidget) -> None:
        """Put a part below the last row; it scrolls with the rows, so that it never covers one."""
        self._within.insertWidget(self._within.count() - 1, part)

    def show_below(self, *, well: str, hint: str) -> None:
        """Show at the foot what is well, with its tick, and a hint, as long as all rows have room
        above them; where only one of the two has room, the hint goes."""
        if self._below.parentWidget() is None:
            self.column.addWidget(self._below)
        self._below.show_words(well, hint)
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fold()
        super().resizeEvent(event)

    def _fold(self) -> None:
        if self._below.parentWidget() is None:
            return
        edges = self.column.contentsMargins()
        rows = self._inside.sizeHint().height() + edges.top() + edges.bottom()
        room = self.height() - rows - self.column.spacing()
        has_room = self._below.fold(self.width() - edges.left() - edges.right(), room)
        self._below.setVisible(self._below.has_words and has_room)

    def show_rows(self, visible: bool) -> None:
        """Set whether the rows are shown, or something else has their room."""
        self._area.setVisible(visible)

    def set_current(self, option_id: str) -> None:
        for one, row in self.rows.items():
            row.setChecked(one == option_id)
        make_one_stop(self.rows.values(), self.rows.get(option_id))
        if option_id in self.rows:
            self._area.bring(self.rows[option_id])

    def focus_current(self) -> None:
        row = next((one for one in self.rows.values() if one.isChecked()), None)
        if row is not None:
            row.setFocus(Qt.FocusReason.OtherFocusReason)
            self._area.bring(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        option_ids = [option_id for option_id, row in self.rows.items() if not row.isHidden()]
        focus = self.window().focusWidget()
        at = next(
            (n for n, option_id in enumerate(option_ids) if self.rows[option_id] is focus), None
        )
        wanted = None if at is None else row_after(event.key(), at, len(option_ids))
        if wanted is None:
            super().keyPressEvent(event)
            return
        option_id = option_ids[wanted]
        self.rows[option_id].setFocus(Qt.FocusReason.OtherFocusReason)
        self._choose(option_id)

    def _choose(self, option_id: str) -> None:
        self.set_current(option_id)
        self.chosen.emit(option_id)


ROW_KEYS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End})
"""The keys that lead from a row to another one."""


def row_after(key: int, at: int, many: int) -> int | None:
    """Return the row to which a key leads from another one in a column of so many; None for a key
    that leads to none. at: -1 above the first row."""
    wanted = {
        Qt.Key.Key_Up: at - 1, Qt.Key.Key_Down: at + 1,
        Qt.Key.Key_Home: 0, Qt.Key.Key_End: many - 1,
    }.get(Qt.Key(key))  # fmt: skip
    return None if wanted is None or not many else min(max(wanted, 0), many - 1)


def make_one_stop(rows: Iterable[PageRow], at: PageRow | None) -> None:
    """Let Tab stop at this row alone; the arrow keys go to the others."""
    for row in rows:
        is_stop = row is at
        row.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.ClickFocus)


class _Below(QWidget):
    """Quiet words at the foot of the list."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        metrics = theme.metrics
        self._tick = Icon(theme, "circle-check", colour="ok", size=16)
        self._well = Label(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, wrap=True)
        self._hint = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        row = QHBoxLayout()
        row.setSpacing(metrics.s2)
        row.addWidget(self._tick, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._well, 1)
        column = QVBoxLayout(self)
        self._edges, self._gap = QMargins(metrics.s3, metrics.s1, metrics.s2, 0), metrics.s2
        column.setContentsMargins(self._edges)
        column.setSpacing(self._gap)
        column.addLayout(row)
        column.addWidget(self._hint)

    @property
    def has_words(self) -> bool:
        return bool(self._well.text() or self._hint.text())

    def fold(self, width: int, free_height: int) -> bool:
        """Leave the hint out where it has no room; return whether the rest has."""
        edges, has_well = self._edges, bool(self._well.text())
        width -= edges.left() + edges.right()
        beside = self._tick.sizeHint().width() + self._gap
        well = self._well.heightForWidth(width - beside) if has_well else 0
        hint = self._hint.heightForWidth(width) if self._hint.text() else 0
        both = well + hint + (self._gap if well and hint else 0)
        has_hint = bool(hint) and edges.top() + both <= free_height
        self._hint.setVisible(has_hint)
        return has_hint or (has_well and edges.top() + well <= free_height)

    def show_words(self, well: str, hint: str) -> None:
        self._well.setText(well)
        self._hint.setText(hint)
        for part in (self._tick, self._well):
            part.setVisible(bool(well))


class PageRow(ThemedButton):
    def __init__(self, theme: Theme, words: str, icon: str, *, gives_enter: bool = False) -> None:
        super().__init__(theme, words)
        self._words, self._icon, self._gives_enter = words, icon, gives_enter
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        words = painting.width_of(self.theme.font(TypeStep.BASE, Weight.BOLD), self._words)
        return QSize(words + metrics.icon(20) + 4 * metrics.s3, metrics.touch)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_given = self._gives_enter and event.key() in _OF_SCREEN
        if is_given or event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()  # the list goes to the next page; Qt would move the focus alone
        else:
            super().keyPressEvent(event)

    def nextCheckState(self) -> None:
        """Leave the choice to the list."""

    def paint_ground(self, painter: QPainter) -> None:
        if self.isChecked() or self.isDown():
            fill = self.theme.colour("line" if self.isDown() else "tint")
            painting.box(painter, self.rect(), radius=self.theme.metrics.radius_button, fill=fill)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        chosen = self.isChecked()
        self.paint_ground(painter)
        ink: Token = "accent" if chosen else "ink_2"
        size = metrics.icon(20)
        rect = QRect(metrics.s3, 0, size, self.height())
        theme.draw_icon(painter, self._icon, ink, 20, rect.center())
        room = self.rect().adjusted(rect.right() + 1 + metrics.s3, 0, -metrics.s2, 0)
        weight = Weight.BOLD if chosen else Weight.MEDIUM
        font = theme.fonts.resized(self.font(), TypeStep.BASE, weight)
        painting.write(
            painter, room, self._words, theme.colour(ink), font, align=painting.LEFT, elide=True
        )
