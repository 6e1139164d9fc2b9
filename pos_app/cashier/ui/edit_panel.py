"""The panel of an edit on its way to the platform: what the edit waits for, and the fields that
both sides changed, with a button to choose each of the two values.

Source: look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button, FacedButton
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.labels import MOST_LINES, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import GROUNDS, NoticeKind
from pos_app.cashier.ui.painting import CENTRE, broken, put
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token


class SideButton(FacedButton):
    """A button for one side's value: the origin in small letters, and the
    whole value below in bold."""

    def __init__(self, theme: Theme, side: str, words: str, *, name: str) -> None:
        super().__init__(theme, name)
        self._side = side
        self._words = words
        self.setToolTip(words)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        height = sum(len(words) * line for _, words, line, _ in self._rows()) + 2 * metrics.s2
        return QSize(3 * metrics.touch, max(metrics.touch, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _rows(self) -> list[tuple[Meter, list[str], int, Token]]:
        """The origin in at most two lines and the value in three, each with its meter, the height
        of its lines and its colour."""
        metrics = self.theme.metrics
        room = self.width() - 2 * metrics.s2
        kinds: tuple[tuple[str, TypeStep, Weight, int, Token], ...] = (
            (self._side, TypeStep.SMALL, Weight.MEDIUM, 2, "ink_2"),
            (self._words, TypeStep.STRONG, Weight.BOLD, MOST_LINES, "ink"),
        )
        rows = []
        for words, step, weight, lines, ink in kinds:
            meter, text_lines = broken(
                self.theme, self.font(), words, room, step=step, weight=weight, lines=lines
            )
            rows.append((meter, text_lines, metrics.line(step), ink))
        return rows

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_ground(painter, ButtonKind.PLAIN)
        rows, side = self._rows(), self.theme.metrics.s2
        top = (self.height() - sum(len(words) * line for _, words, line, _ in rows)) // 2
        for meter, text_lines, line, ink in rows:
            for words in text_lines:
                rect = QRect(side, top, self.width() - 2 * side, line)
                put(painter, rect, words, self.theme.colour(ink), meter.font, align=CENTRE)
                top += line


class TwoSides(QWidget):
    """A field with both its values. sides: origin and words of each value. choose: gets the number
    of the chosen value."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        sides: Sequence[tuple[str, str]],
        choose: Callable[[int], None],
    ) -> None:
        super().__init__()
        self.buttons: list[SideButton] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s1)
        column.addWidget(Label(theme, name, step=TypeStep.SMALL, weight=Weight.SEMIBOLD))
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        for number, (side, words) in enumerate(sides):
            button = SideButton(theme, side, words, name=f"{name}, {side}: {words}")
            button.clicked.connect(lambda _=False, number=number: choose(number))
            row.addWidget(button, 1)
            self.buttons.append(button)
        column.addLayout(row)


class EditPanel(Panel):
    def __init__(
        self,
        theme: Theme,
        kind: NoticeKind,
        head: str,
        words: str,
        *,
        icon: str,
        fields: Sequence[TwoSides],
        acts: Sequence[Button],
        details: Details | None = None,
    ) -> None:
        ground, _, ink, _ = GROUNDS[kind]
        super().__init__(theme, colour=ground)
        self.buttons: list[QAbstractButton] = [
            *(button for one in fields for button in one.buttons),
            *((details.button,) if details is not None else ()),
            *acts,
        ]
        """All buttons of the panel, from the top."""
        metrics = theme.metrics
        self.setAccessibleName(f"{head} {words}".strip())
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, icon, colour=ink, size=24), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(metrics.s1)
        column.addWidget(Label(theme, head, weight=Weight.SEMIBOLD, wrap=True))
        if words:
            column.addWidget(Label(theme, words, step=TypeStep.SMALL, wrap=True))
        for part in (*fields, details):
            if part is not None:
                column.addWidget(part)
        if acts:
            buttons = QHBoxLayout()
            buttons.setSpacing(metrics.s2)
            for act in acts:
                buttons.addWidget(act)
            buttons.addStretch(1)
            column.addLayout(buttons)
        row.addLayout(column, 1)
