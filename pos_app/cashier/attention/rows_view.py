"""The left of Attention: groups by who must act, each row with its time, reason and total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import LEFT, RIGHT, rule, width_of, write
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import RING, ThemedButton

ICON = 22


@dataclass(frozen=True, slots=True)
class RowButton:
    """An answer that a row takes itself. act: its name."""

    act: str
    words: str
    icon: str
    kind: ButtonKind = ButtonKind.PLAIN


@dataclass(frozen=True, slots=True)
class RowFace:
    """What one row shows. short: the title where that is too long."""

    id: str
    icon: str
    ink: Token
    title: str
    words: str
    total: str
    short: str = ""
    buttons: tuple[RowButton, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupFace:
    """A head and its rows."""

    head: str
    rows: tuple[RowFace, ...]


class CaseRow(ThemedButton):
    """One row; the current one is tint with an accent bar. Signals: `clicked`; `answered(str)`, a
    button in it.
    """

    answered = Signal(str)

    def __init__(self, theme: Theme, face: RowFace) -> None:
        super().__init__(theme, f"{face.title} {face.total}".strip())
        self.setAccessibleDescription(face.words)
        self.face = face
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if face.buttons:
            self._put_buttons()

    def wanted(self) -> QSize:
        metrics = self.theme.metrics
        below = metrics.touch + metrics.s3 if self.face.buttons else 0
        return QSize(6 * metrics.touch, self._words_height() + below)

    def _words_height(self) -> int:
        metrics = self.theme.metrics
        lines = metrics.line(Step.NAME) + metrics.line(Step.SMALL) + 6 * metrics.s1
        return max(metrics.cart_row, lines)

    def _put_buttons(self) -> None:
        metrics = self.theme.metrics
        line = QHBoxLayout()
        line.setSpacing(metrics.s2)
        for one in self._fitting_buttons():
            icon = "" if metrics.narrow else one.icon
            button = Button(self.theme, one.words, icon=icon, kind=one.kind,
                            name=f"{one.words}: {self.face.title}")  # fmt: skip
            button.clicked.connect(lambda _=False, act=one.act: self.answered.emit(act))
            line.addWidget(button)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(self._left(), 0, metrics.s2, metrics.s3)
        column.addStretch(1)
        column.addLayout(line)

    def _fitting_buttons(self) -> tuple[RowButton, ...]:
        """In a narrow window large letters have room for one; its case has them all."""
        metrics = self.theme.metrics
        return self.face.buttons[: 1 if metrics.narrow and metrics.text_percent > 100 else None]

    def _left(self) -> int:
        """Where words and buttons begin."""
        metrics = self.theme.metrics
        return metrics.s4 + metrics.icon(ICON) + metrics.s3

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.wanted().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics, fonts = self.theme, self.theme.metrics, self.theme.fonts
        if self.isChecked() or self.isDown():
            painter.fillRect(self.rect(), theme.colour("tint" if self.isChecked() else "line"))
        self._paint_bar(painter)
        rule(painter, self.rect(), theme)
        size = metrics.icon(ICON)
        line, small = metrics.line(Step.NAME), metrics.line(Step.SMALL)
        top = (self._words_height() - line - small) // 2
        middle = QPoint(metrics.s4 + size // 2, top + line // 2)
        theme.draw_icon(painter, self.face.icon, self.face.ink, ICON, middle)
        left, right = self._left(), self.width() - metrics.s4
        amount = fonts.resized(self.font(), Step.STRONG, Weight.BOLD)
        took = width_of(amount, self.face.total)
        room = QRect(right - took, top, took, line)
        write(painter, room, self.face.total, theme.colour("ink"), amount, align=RIGHT)
        upper = QRect(left, top, right - took - metrics.s3 - left, line)
        bold = fonts.resized(self.font(), Step.NAME, Weight.SEMIBOLD)
        fits = not self.face.short or width_of(bold, self.face.title) <= upper.width()
        title = self.face.title if fits else self.face.short
        write(painter, upper, title, theme.colour("ink"), bold, align=LEFT, elide=True)
        lower = QRect(left, top + line, right - left, small)
        quiet = fonts.resized(self.font(), Step.SMALL)
        write(painter, lower, self.face.words, theme.colour("ink_2"), quiet, align=LEFT, elide=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down choose another row, which is the screen's."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _paint_bar(self, painter: QPainter) -> None:
        """The accent bar of the current row; with the focus it takes the focus' colour."""
        if self.isChecked() or self.hasFocus():
            ink: Token = "focus" if self.hasFocus() else "accent"
            bar = QRect(0, 0, self.theme.metrics.s1, self.height())
            painter.fillRect(bar, self.theme.colour(ink))

    def _set_ring(self) -> None:
        self.setProperty(RING, None)


class GroupList(Scrolled):
    """All groups. Signals: `chosen(str)`, the id of a row; `answered(str, str)`, with a button in
    it.
    """

    chosen = Signal(str)
    answered = Signal(str, str)

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme, name=name)
        self._theme = theme
        self._groups: tuple[GroupFace, ...] | None = None
        self.rows: dict[str, CaseRow] = {}

    def show_groups(self, groups: Sequence[GroupFace], *, current: str) -> None:
        """Show these; what is shown already is not made anew."""
        if tuple(groups) != self._groups:
            had_focus = any(row.hasFocus() for row in self.rows.values())
            self._groups = tuple(groups)
            self._build()
            if had_focus and current in self.rows:
                self.rows[current].setFocus()
        for row_id, row in self.rows.items():
            row.setChecked(row_id == current)

    def step(self, current: str, by: int) -> str:
        """The id of the row above (-1) or below (+1), or the same at the ends."""
        ids = list(self.rows)
        if current not in ids:
            return ids[0] if ids else ""
        return ids[min(max(ids.index(current) + by, 0), len(ids) - 1)]

    def reveal(self, row_id: str) -> None:
        """Scroll a row into sight and give it the focus."""
        if row_id in self.rows:
            self.rows[row_id].setFocus()
            self.ensureWidgetVisible(self.rows[row_id], 0, 0)

    def ensure_seen(self, row_id: str) -> None:
        """Scroll a row into sight."""
        if row_id in self.rows:
            self.ensureWidgetVisible(self.rows[row_id], 0, 0)

    def _build(self) -> None:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.rows = {}
        for group in self._groups or ():
            column.addLayout(self._head(group))
            for face in group.rows:
                self.rows[face.id] = row = CaseRow(self._theme, face)
                row.clicked.connect(lambda _=False, row_id=face.id: self.chosen.emit(row_id))
                row.answered.connect(lambda act, row_id=face.id: self.answered.emit(row_id, act))
                column.addWidget(row)
        column.addStretch(1)
        self.show_inside(holder)

    def _head(self, group: GroupFace) -> QHBoxLayout:
        metrics = self._theme.metrics
        line = QHBoxLayout()
        line.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s1)
        for words in (group.head, str(len(group.rows))):
            line.addWidget(
                Label(self._theme, words, step=Step.SMALL, weight=Weight.BOLD, colour="ink_2")
            )
        line.insertStretch(1, 1)
        return line
