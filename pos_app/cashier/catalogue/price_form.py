"""What many articles are to cost, and when: the fields of a change of prices."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.ui.choices import CheckBox, DropDown, Option, WordChoice
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import FIELD_WIDTH, TAKES_ALL, Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.errors import Invalid
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.product_draft import DraftField

T = TypeVar("T")


class PriceWay(StrEnum):
    PERCENT = "percent"
    AMOUNT = "amount"


class PriceForm(QWidget):
    """Signal: `changed()`, something else is typed or chosen."""

    changed = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._texts = model, ui.texts
        self._theme = theme = ui.theme
        texts = ui.texts
        ways = [Option(one.value, texts(f"cat.bulk.way.{one}")) for one in PriceWay]
        self.way = WordChoice(theme, ways, name=texts("cat.bulk.price"))
        self.way.set_current(PriceWay.PERCENT)
        self.percent = self._amount_field("percent", signed=True)
        self.amount = self._amount_field("amount")
        self.rounding = DropDown(theme, name=texts("cat.bulk.rounding"))
        roundings = bulk_change.Rounding
        self.rounding.set_options(
            [Option(one.value, texts(f"cat.rounding.{one}")) for one in roundings]
        )
        self.rounding.set_current(roundings.PARA.value)
        self.begins = self._day_field("begins")
        self.ends = self._day_field("ends")
        self.replaces_plans = CheckBox(theme, texts("cat.bulk.replaces_plans"))
        self._blocks: dict[PriceWay, QWidget] = {}
        self._lay_out()
        self._connect()
        self._show_parts()

    @property
    def first(self) -> Field:
        """The field to go on in: a wrong day, else the price."""
        wrong = next((one for one in (self.begins, self.ends) if one.fault()), None)
        if wrong is not None:
            return wrong
        return self.percent if self.current is PriceWay.PERCENT else self.amount

    @property
    def current(self) -> PriceWay:
        return PriceWay(self.way.current())

    # --- parts -----------------------------------------------------------------------------------

    def _amount_field(self, name: str, *, signed: bool = False) -> Field:
        name = self._texts(f"cat.bulk.{name}")
        if not signed:
            return AmountField(self._theme, name=name, takes=InputKind.NUMBER, step=TypeStep.TITLE)
        return Field(
            self._theme,
            name=name,
            right=True,
            signed=True,
            takes=InputKind.NUMBER,
            placeholder=self._texts("cat.bulk.percent_hint"),
            step=TypeStep.TITLE,
        )

    def _day_field(self, name: str) -> Field:
        texts = self._texts
        return Field(
            self._theme,
            name=texts(f"cat.bulk.{name}"),
            takes=InputKind.NUMBER,
            placeholder=texts(f"cat.bulk.{name}_hint"),
        )

    def _row(self, *titled: tuple[str, QWidget]) -> QWidget:
        """Fields side by side with their titles: they stand in one line however long a title, or
        what is told below a field, is."""
        fields = bounded(self._theme, QWidget(), len(titled) * FIELD_WIDTH)
        grid = QGridLayout(fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(self._theme.metrics.s2)
        grid.setVerticalSpacing(self._theme.metrics.s1 // 2)
        for column, (words, part) in enumerate(titled):
            head = Label(self._theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True)
            grid.addWidget(head, 0, column, Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(part, 1, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
        block = QWidget()
        row = QHBoxLayout(block)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(fields, TAKES_ALL)
        row.addStretch(1)
        return block

    def _lay_out(self) -> None:
        texts = self._texts
        by_percent = self._row(
            (texts("cat.bulk.percent"), self.percent), (texts("cat.bulk.rounding"), self.rounding)
        )
        self._blocks = {
            PriceWay.PERCENT: by_percent,
            PriceWay.AMOUNT: self._row((texts("cat.bulk.amount"), self.amount)),
        }
        period = self._row(
            (texts("cat.bulk.begins"), self.begins), (texts("cat.bulk.ends"), self.ends)
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.metrics.s2)
        for part in (self.way, *self._blocks.values(), period, self.replaces_plans):
            column.addWidget(part)

    def _connect(self) -> None:
        for field in (self.percent, self.amount):
            field.refused.connect(lambda: self._model.services.tones.play("no"))
        for field in (self.percent, self.amount, self.begins, self.ends):
            field.changed.connect(lambda _: self._on_change())
        for choice in (self.way, self.rounding):
            choice.chosen.connect(lambda _: self._on_change())
        self.replaces_plans.clicked.connect(self.changed)

    def _on_change(self) -> None:
        self._show_parts()
        self.changed.emit()

    def _show_parts(self) -> None:
        for way, block in self._blocks.items():
            block.setVisible(way is self.current)
        self.replaces_plans.setVisible(self._has_day)

    @property
    def _has_day(self) -> bool:
        return bool((self.begins.text() + self.ends.text()).strip())

    # --- what is typed ---------------------------------------------------------------------------

    def change(self, moment: datetime) -> bulk_change.NewPrices | None:
        """The typed change, or None while it is incomplete; each field tells its fault."""
        rule = self._rule()
        try:
            period = bulk_change.price_period(
                self.begins.text(),
                self.ends.text(),
                moment,
                replaces_plans=self.replaces_plans.isChecked(),
            )
        except Invalid as error:
            is_begin = error.field == DraftField.PLANNED_FROM
            self.begins.judge(self._fault(error) if is_begin else "")
            self.ends.judge("" if is_begin else self._fault(error))
            return None
        self.begins.judge("")
        self.ends.judge("")
        if rule is None:
            return None
        return bulk_change.NewPrices(rule, self._model.services.editor, moment, period)

    def _rule(self) -> bulk_change.PriceRule | None:
        if self.current is PriceWay.AMOUNT:
            return self._read(self.amount, bulk_change.one_price)
        rounding = bulk_change.Rounding(self.rounding.current())
        return self._read(self.percent, lambda text: bulk_change.price_change(text, rounding))

    def _read(self, field: Field, read: Callable[[str], T | None]) -> T | None:
        try:
            value = read(field.text())
        except Invalid as error:
            field.judge(self._fault(error))
            return None
        field.judge("")
        return value

    def _fault(self, error: Invalid) -> str:
        return self._texts.error(error).happened

    def order(self) -> str:
        """What a person has to type before anything changes."""
        if self.begins.fault() or self.ends.fault():
            return self._texts("cat.bulk.order.day")
        return self._texts(f"cat.bulk.order.{self.current}")
