"""Prices that are typed, and F4: a discount or another price for a line."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import NumberPanel
from pos_app.cashier.sale.panels.reckoning import line_words
from pos_app.cashier.sale.questions import LinePrice, PriceQuestion
from pos_app.cashier.sale.unfinished_input import TEXT, Entries
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.cart import CartLine
from pos_app.domain.discount import Percent, line_total
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import parse_amount, quantity_text

PART = "part"
"""Whether it is a discount in per cent (0), one in dinars (1) or a price (2)."""
PERCENT, AMOUNT_OFF, NEW_PRICE = range(3)
_PARTS = ("ask.percent", "ask.amount_off", "ask.new_price")


class PricePanel(NumberPanel):
    """What an article costs whose price is typed."""

    def __init__(
        self, question: PriceQuestion, model: SaleModel, lines: LineActs, texts: Texts, theme: Theme
    ) -> None:
        article, self._quantity = question.article, question.quantity
        unit = article.unit or texts("unit.piece")
        many = self._quantity is not None and self._quantity != Quantity.ONE
        given = f"{quantity_text(self._quantity)} {unit}" if self._quantity and many else ""
        super().__init__(
            model, texts, theme, title=texts("ask.price"), beside=article.name,
            label=texts("ask.price_of", unit=unit), given=given,
        )  # fmt: skip
        self._lines = lines

    def answer(self) -> None:
        """Take the price, or say at the field why it can't be."""
        price = self.read(parse_amount)
        if price is not None:
            self._lines.answer_price(price)

    def reckon(self, typed: str) -> Money | None:
        return line_total(parse_amount(typed), self._quantity or Quantity.ONE)


class LinePricePanel(NumberPanel):
    """A discount in percent or in dinars, or a new price, for one line."""

    def __init__(
        self, question: LinePrice, model: SaleModel, lines: LineActs, texts: Texts, theme: Theme
    ) -> None:
        self._line_id = question.line_id
        self._lines = lines
        line = model.ticket.cart.line(question.line_id)
        self.segment = Segment(
            theme, [texts(part) for part in _PARTS], name=texts("ask.price_head")
        )
        super().__init__(
            model, texts, theme, title=texts("ask.price_head"), beside=line.article.frozen.name,
            label=texts(_PARTS[PERCENT]), typed=question.typed,
            given=line_words(line, texts, counted=True), above=self.segment, yes="ask.change",
        )  # fmt: skip
        self.none = Button(theme, texts("ask.no_discount"), icon="undo-2")
        self.none.clicked.connect(self._take_back)
        self.none.setVisible(line.discount is not None)
        last = self.beside_pad.count() - 1
        self.beside_pad.insertWidget(last, self.none, 0, Qt.AlignmentFlag.AlignLeft)
        self.segment.chosen.connect(self._on_part)

    def typed(self) -> Entries:
        return {**super().typed(), PART: str(self.segment.current())}

    def take_typed(self, typed: Entries) -> None:
        self.segment.set_current(int(typed.get(PART, "0")))
        self._on_part(self.segment.current())
        super().take_typed({TEXT: typed[TEXT]})

    def answer(self) -> None:
        """Take the discount or price, or say at the field why it can't be."""
        changed = self.read(self._changed)
        if changed is None:
            return
        if self.segment.current() == NEW_PRICE:
            self._lines.answer_price(changed.price)
        else:
            wanted = changed.discount
            self.model.answered(lambda: self._lines.set_discount(self._line_id, wanted))

    def reckon(self, typed: str) -> Money | None:
        return self._changed(typed).total

    def _changed(self, text: str) -> CartLine:
        """The line with what was typed. Raises Invalid."""
        line = self.model.ticket.cart.line(self._line_id)
        typed = parse_amount(text)
        match self.segment.current():
            case 0:
                changed = replace(line, discount=Percent(typed.amount))
            case 1:
                changed = replace(line, discount=typed)
            case _:
                changed = replace(line, price=typed, stated_total=None).without_excess
        _ = changed.total
        return changed

    def _take_back(self) -> None:
        self.model.answered(lambda: self._lines.set_discount(self._line_id, None))

    def _on_part(self, number: int) -> None:
        self.field.edit.setAccessibleName(self.texts(_PARTS[number]))
        self.field.set_error("")
        self.typed_changed.emit()
        self.focus_first()
