"""A panel beside the table, or over it: what is chosen, what comes of it for each article, and the
acts below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.commands import ENTER, ESCAPE
from pos_app.cashier.ui.buttons import Button, is_enter, takes_enter
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.scrolling import Scrolled

MOST_SHOWN = 50


class SideList(Panel):
    """Signal: `closed()`."""

    closed = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext, title: str) -> None:
        super().__init__(ui.theme)
        self.model = model
        self.texts = ui.texts
        self.stop = Button(ui.theme, ui.texts("cat.bulk.stop"), key=ESCAPE)
        self.stop.clicked.connect(self.closed)
        self.summary = Label(ui.theme, weight=Weight.SEMIBOLD, wrap=True)
        self._title = title
        self._lines = QVBoxLayout()
        self._area = Scrolled(ui.theme, name=ui.texts("cat.bulk.preview"))
        self.setAccessibleName(title)

    def renew(self) -> None:
        """Show what would come of it now, because the catalogue was read anew."""
        raise NotImplementedError

    def focus_first(self) -> None:
        raise NotImplementedError

    def enter(self) -> None:
        """Do what Enter does."""
        raise NotImplementedError

    def lay_out(self, controls: Sequence[QWidget], acts: Sequence[Button]) -> None:
        """Put the parts together. What is chosen scrolls with the lines, so that these have room in
        a low window, too."""
        metrics = self.theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s2)
        column.addWidget(
            Label(self.theme, self._title, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        )
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(metrics.s2)
        for part in (*controls, self.summary):
            whole.addWidget(part)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(metrics.s1)
        whole.addLayout(self._lines)
        whole.addStretch(1)
        self._area.show_inside(inside)
        column.addWidget(self._area, 1)
        row = QHBoxLayout()
        row.setSpacing(metrics.s2)
        row.addWidget(self.stop)
        row.addStretch(1)
        for act in acts:
            row.addWidget(act)
        column.addLayout(row)
        EnterCap(self, acts[-1], ENTER, takes=takes_enter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event, self):
            if not event.isAutoRepeat():
                self.enter()
            return
        super().keyPressEvent(event)

    def clear_lines(self) -> None:
        clear_layout(self._lines)

    @property
    def has_room(self) -> bool:
        """Whether another line is shown; the summary counts the others."""
        return self._lines.count() < MOST_SHOWN

    def add_line(self, name: str, words: str, note: str = "", *, is_quiet: bool = False) -> None:
        """Show an article and what it gets. note: what else is to be known of it."""
        block = QWidget()
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        row.addWidget(ElidedLabel(self.theme, name), 1)
        row.addWidget(
            Label(self.theme, words, weight=Weight.SEMIBOLD, colour="ink_3" if is_quiet else "ink")
        )
        column.addLayout(row)
        if note:
            column.addWidget(Label(self.theme, note, step=TypeStep.SMALL, colour="warn", wrap=True))
        block.setAccessibleName(f"{name}: {words} {note}".strip())
        self._lines.addWidget(block)
