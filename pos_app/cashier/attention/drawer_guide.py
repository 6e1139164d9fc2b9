"""The answers about a drawer that did not open with a sale: once more, or it is open."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.cashier.attention.steps import Guide
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.theme import Theme


class DrawerGuide(Guide):
    """Signals: `again()`, open it now; `seen()`, somebody opened it, or it need not be open."""

    again = Signal()
    seen = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, texts)
        self.open = self.button("keys.f10", icon="vault", kind=ButtonKind.FILLED, cap="F10")
        self.open.clicked.connect(self.again)
        self.end = self.button("att.drawer.seen", icon="check")
        self.end.clicked.connect(self.seen)
        row = self.row(self.open, self.end)
        line = self.step(texts("att.step.job"), texts("att.drawer.note"), row)
        line.number.set_step(current=True)

    def first(self) -> QWidget | None:
        return self.open
