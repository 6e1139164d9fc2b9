"""Questions about numbers: how much, at what price, and whether an unusual number is right."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt

from pos_app.cashier.acts.confirm_amount import ConfirmAmount
from pos_app.cashier.acts.percent_keys import PercentKeys
from pos_app.cashier.commands import KeyPage, TillCommand
from pos_app.cashier.sale import questions
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels import frame
from pos_app.cashier.sale.typed import (
    PricePart,
    line_at,
    price_total,
    quantity_total,
    with_quantity,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import quantity_text, typed_quantity_text
from pos_app.domain.receipt.cart import CartLine
from pos_app.domain.receipt.units import Measure, known_unit, measure_of
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act, Leave


@dataclass(frozen=True, slots=True)
class _Facts:
    """label: of the field. typed_text: the field's text. given: as in Reckoning."""

    title: str
    beside: str
    label: str
    typed_text: str = ""
    given: str = ""


class QuantityPanel(frame.NumberPanel):
    """Takes a number with up to three decimals, after a comma or a point."""

    def __init__(
        self, question: questions.QuantityQuestion, model: SaleModel, texts: Texts, theme: Theme
    ) -> None:
        facts = _facts(question, model, texts)
        self._question = question
        super().__init__(
            model,
            texts,
            theme,
            title=facts.title,
            beside=facts.beside,
            label=facts.label,
            typed_text=facts.typed_text,
            given=facts.given,
        )

    def answer(self) -> None:
        self.show_fault(self.model.entry.answer_typed_quantity(self.field.text()))

    def reckon(self, typed_text: str) -> Money | None:
        return quantity_total(self._question, typed_text, self.model.cart.ticket.cart)

    def changed_line(self, typed_text: str) -> CartLine | None:
        if not isinstance(self._question, questions.LineQuantity):
            return None
        return with_quantity(self.model.cart.ticket.cart.line(self._question.line_id), typed_text)

    def given_now(self, line: CartLine) -> str:
        before = self.model.cart.ticket.cart.line(line.id)
        return frame.line_words(line.fitting(before), self.texts)


def _facts(question: questions.QuantityQuestion, model: SaleModel, texts: Texts) -> _Facts:
    match question:
        case questions.WeightQuestion(article):
            title = _how_much(article.unit, texts)
            price = None if article.asks_price else article.price
            given = "" if price is None else frame.price_words(price, article.unit, texts)
            return _Facts(title, article.name, title, given=given)
        case questions.LineQuantity(line_id):
            line = model.cart.ticket.cart.line(line_id)
            frozen = line.article.frozen
            label = _how_much(frozen.unit, texts)
            shown = typed_quantity_text(line.quantity)
            given = frame.line_words(line, texts)
            return _Facts(texts("ask.quantity"), frozen.name, label, shown, given)
        case questions.NextQuantity():
            now = typed_quantity_text(model.cart.next_quantity) if model.cart.next_quantity else ""
            return _Facts(texts("ask.next"), "", texts("ask.how_many"), now)


def _how_much(unit: str, texts: Texts) -> str:
    """Return the question for a unit: "Колико килограма?", "Колико комада?"."""
    if measure_of(unit)[0] is Measure.PIECE:
        return texts("ask.how_many")
    known = known_unit(unit)
    usual = f"ask.how_much.{known.symbol if known else unit}"
    return texts(usual) if texts.has(usual) else texts("ask.how_much", unit=unit)


PART = "part"
"""The name of the entry with the number's `PricePart`."""
_PARTS = ("ask.percent", "ask.amount_off", "ask.new_price")


class PricePanel(frame.NumberPanel):
    """The price of an article that has none of its own."""

    def __init__(
        self, question: questions.PriceQuestion, model: SaleModel, texts: Texts, theme: Theme
    ) -> None:
        self._question = question
        article, quantity = question.article, question.quantity
        unit = article.unit or texts("unit.piece")
        many = quantity is not None and quantity != Quantity.ONE
        given = f"{quantity_text(quantity)} {unit}" if quantity and many else ""
        super().__init__(
            model,
            texts,
            theme,
            title=texts("ask.price"),
            beside=article.name,
            label=texts("ask.price_of", unit=unit),
            given=given,
        )

    def answer(self) -> None:
        self.show_fault(self.model.entry.answer_typed_price(self.field.text()))

    def reckon(self, typed_text: str) -> Money | None:
        return price_total(self._question, typed_text)


class LinePricePanel(frame.NumberPanel):
    """A discount in percent or in dinars, or a new price, for one line."""

    def __init__(
        self, question: questions.LinePrice, model: SaleModel, texts: Texts, theme: Theme
    ) -> None:
        self._line_id = question.line_id
        line = model.cart.ticket.cart.line(question.line_id)
        self.segment = Segment(
            theme, [texts(part) for part in _PARTS], name=texts("ask.price_head")
        )
        super().__init__(
            model,
            texts,
            theme,
            title=texts("ask.price_head"),
            beside=line.article.frozen.name,
            label=texts(_PARTS[PricePart.PERCENT]),
            given=frame.line_words(line, texts, counted=True),
            above=self.segment,
            yes="ask.change",
        )
        self.none = Button(theme, texts("ask.no_discount"), icon="trash-2", kind=ButtonKind.DANGER)
        self.none.clicked.connect(self._take_back)
        self.usual = PercentKeys(theme, name=texts("ask.price_head"), may=self._may)
        self.usual.chosen.connect(self._take_usual)
        self.beside_pad.insertWidget(self.beside_pad.count() - 1, self.usual)
        last = self.beside_pad.count() - 1
        self.beside_pad.insertWidget(last, self.none, 0, Qt.AlignmentFlag.AlignLeft)
        self.none.setVisible(line.discount is not None)  # now it has a parent, and is no window
        self.segment.chosen.connect(self._on_part)
        self.typed_changed.connect(self._show_usual)
        self._show_usual()

    def entries(self) -> questions.Entries:
        return {**super().entries(), PART: str(self.segment.current())}

    def take_typed(self, entries: questions.Entries) -> None:
        self.segment.set_current(int(entries.get(PART, "0")))
        self._on_part(self.segment.current())
        super().take_typed({questions.TEXT: entries[questions.TEXT]})

    def answer(self) -> None:
        entry, text = self.model.entry, self.field.text()
        self.show_fault(entry.answer_typed_line_price(self._line_id, self._part, text))

    def reckon(self, typed_text: str) -> Money | None:
        cart = self.model.cart.ticket.cart
        return line_at(cart.line(self._line_id), self._part, typed_text).total

    def changed_line(self, typed_text: str) -> CartLine | None:
        return line_at(self.model.cart.ticket.cart.line(self._line_id), self._part, typed_text)

    @property
    def _part(self) -> PricePart:
        return PricePart(self.segment.current())

    def _may(self, percent: Decimal) -> bool:
        try:
            return self.model.context.services.leave(Act.DISCOUNT, percent) is Leave.MAY
        except PosError:
            return False

    def _take_usual(self, percent: int) -> None:
        self.segment.set_current(PricePart.PERCENT)
        self._on_part(PricePart.PERCENT)
        self.field.set_text(str(percent))
        self._show_usual()  # the press has unticked the key of the percentage that stood there

    def _show_usual(self) -> None:
        text = self.field.text()
        is_percent = self._part is PricePart.PERCENT and text.isdecimal()
        self.usual.show_percent(Decimal(text) if is_percent else None)

    def _take_back(self) -> None:
        self.model.questions.answered(lambda: self.model.cart.set_discount(self._line_id, None))

    def _on_part(self, number: int) -> None:
        self.field.edit.setAccessibleName(self.texts(_PARTS[number]))
        self.field.set_error("")
        self.typed_changed.emit()
        self.focus_first()


def _title_of(question: questions.Question, model: SaleModel, texts: Texts) -> str:
    """Return the title of the question that a number answers."""
    match question:
        case questions.LinePrice():
            return texts("ask.price_head")
        case questions.WeightQuestion() | questions.LineQuantity() | questions.NextQuantity():
            return _facts(question, model, texts).title
        case questions.NewArticle():
            return texts("ask.create")
        case _:
            return texts("ask.price")


class UnusualAmountPanel(frame.QuestionPanel):
    """Enter leads back to correct the number; F12, or a finger, confirms it."""

    key_page = KeyPage.UNUSUAL

    def __init__(
        self,
        question: questions.UnusualAmountQuestion,
        model: SaleModel,
        texts: Texts,
        theme: Theme,
    ) -> None:
        super().__init__(model, texts, theme, title=texts("sure.title"))
        self._agreed = question.agreed
        if question.before is not None:
            self.lead_to(_title_of(question.before, model, texts))
        self.confirm = ConfirmAmount(theme, texts, question.unusual)
        self.confirm.agreed.connect(self._agree)
        self.body.addWidget(self.confirm, 1)
        is_entered = question.before is None and question.unusual.article is not None
        self.offer(
            texts("sure.leave_out" if is_entered else "sure.mend"),
            model.questions.ask_again,
            icon="undo-2",
        )

    def take_key(self, command: TillCommand) -> None:
        if command is TillCommand.PAY:
            self._agree()
        else:
            super().take_key(command)

    def _agree(self) -> None:
        self.model.questions.answered(self._agreed)
