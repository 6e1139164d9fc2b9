"""Prices that are typed, and F4: a discount or another price for a line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.segment import Segment
from pos_app.cashier.sale.asking import LinePrice, WhatPrice
from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import NumberPanel, QuestionPanel, number_field, pad_for
from pos_app.cashier.sale.typed_before import TEXT, Entries
from pos_app.cashier.texts import Words
from pos_app.domain.discount import Percent
from pos_app.domain.numerals import parse_amount
from pos_app.errors import Invalid

PART = "part"
"""Whether it is a discount (0) or a price (1)."""


class PricePanel(NumberPanel):
    """What an article costs whose price is typed."""

    def __init__(
        self, question: WhatPrice, model: SaleModel, lines: LineActs, words: Words, look: Look
    ) -> None:
        article = question.article
        label = words("ask.price_of", unit=article.unit or words("unit.piece"))
        super().__init__(
            model, words, look, title=words("ask.price"), beside=article.name, label=label
        )
        self._lines = lines

    def answer(self) -> None:
        """Take the price, or say at the field why it can't be."""
        price = self.read(parse_amount)
        if price is not None:
            self._lines.answer_price(price)


class LinePricePanel(QuestionPanel):
    """A discount in percent, or a new price, for one line."""

    def __init__(
        self, question: LinePrice, model: SaleModel, lines: LineActs, words: Words, look: Look
    ) -> None:
        line = model.basket.cart.line(question.line_id)
        super().__init__(
            model, words, look, title=words("ask.price_head"),
            words_beside=line.article.frozen.name,
        )  # fmt: skip
        self._line_id = question.line_id
        self._lines = lines
        parts = (words("ask.percent"), words("ask.new_price"))
        self.segment = Segment(look, parts, name=words("ask.price_head"))
        self.field = number_field(look, name=parts[0], text=question.typed)
        self.body.addWidget(self.segment, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.field)
        self.body.addWidget(pad_for(look, words, lambda: self.field))
        self.none = Button(look, words("ask.no_discount"), icon="undo-2")
        self.none.clicked.connect(self._take_back)
        self.body.addWidget(self.none, 0, Qt.AlignmentFlag.AlignLeft)
        self.none.setVisible(line.discount is not None)
        self.body.addStretch(1)
        self.offer(words("ask.change"), self.answer)
        self.segment.chosen.connect(self._on_part)
        self.field.changed.connect(lambda _: self.field.set_error(""))
        self.field.changed.connect(self.typed_changed)
        self.refuse_signs(self.field)

    def focus_first(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def typed(self) -> Entries:
        return {TEXT: self.field.text(), PART: str(self.segment.current())}

    def take_typed(self, typed: Entries) -> None:
        super().take_typed(typed)
        self.segment.set_current(int(typed.get(PART, "0")))
        self._on_part(self.segment.current())
        self.field.set_text(typed[TEXT])
        self.field.edit.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is typed while a part or a button has the focus is for the field."""
        if event.text().isprintable() and event.text().strip():
            self.focus_first()
            self.field.edit.insert(event.text())
        else:
            super().keyPressEvent(event)

    def answer(self) -> None:
        """Take the discount or price, or say at the field why it can't be."""
        try:
            self._answer()
        except Invalid as error:
            self.field.set_error(self.words.error(error).happened)
            self.model.tone("no")

    def _answer(self) -> None:
        typed = parse_amount(self.field.text())
        if self.segment.current() == 0:
            percent = Percent(typed.amount)
            self.model.answered(lambda: self._lines.set_discount(self._line_id, percent))
        else:
            self._lines.answer_price(typed)

    def _take_back(self) -> None:
        self.model.answered(lambda: self._lines.set_discount(self._line_id, None))

    def _on_part(self, number: int) -> None:
        name = self.words("ask.new_price" if number else "ask.percent")
        self.field.edit.setAccessibleName(name)
        self.field.set_error("")
        self.typed_changed.emit()
        self.focus_first()
