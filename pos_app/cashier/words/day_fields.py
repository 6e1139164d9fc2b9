"""The two fields into which the first and the last day of a period are typed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.text.instant import day_typed


class DayFields(QWidget):
    """Signals: `days_typed(str, str)`, the days as far as they are typed; `days_chosen(date,
    date)`, once one of them is typed, which then stands for the other too."""

    days_typed = Signal(str, str)
    days_chosen = Signal(object, object)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._no_day = texts("period.no_day")
        self._is_filling = False
        self._today: Callable[[], date] = lambda: date.min
        self.first = self._field(theme, texts("period.first"))
        self.last = self._field(theme, texts("period.last"))
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(theme.metrics.s2)
        for field in (self.first, self.last):
            self.row.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)

    def show_days(self, days: tuple[str, str], *, holds: bool, today: Callable[[], date]) -> None:
        """Show days as they were typed. holds: whether a person typed them."""
        self._today = today
        if (self.first.text(), self.last.text()) == days:
            return
        self._is_filling = True
        for field, typed in zip((self.first, self.last), days, strict=True):
            field.set_text(typed)
            field.edit.setModified(holds)
        self._is_filling = False
        self._read()

    def _field(self, theme: Theme, name: str) -> Field:
        field = Field(theme, name=name, icon="calendar", takes=InputKind.NUMBER, placeholder=name)
        field.changed.connect(lambda _: self._take())
        bounded(theme, field)
        return field

    def _take(self) -> None:
        if self._is_filling:
            return
        self.days_typed.emit(self.first.text(), self.last.text())
        found = self._read()
        first, last = found[0] or found[1], found[1] or found[0]
        if first is not None:
            self.days_chosen.emit(first, last)

    def _read(self) -> list[date | None]:
        found = []
        for field in (self.first, self.last):
            typed = field.text().strip()
            day = day_typed(typed, today=self._today()) if typed else None
            field.judge(self._no_day if typed and day is None else "")
            found.append(day)
        return found
