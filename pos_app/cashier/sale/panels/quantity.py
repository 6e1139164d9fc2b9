"""How much: of an article sold by weight, of a line (F3), of the next item."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import NumberPanel
from pos_app.cashier.sale.panels.reckoning import line_words, price_words
from pos_app.cashier.sale.questions import LineQuantity, NextQuantity, WeightQuestion
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.discount import line_total
from pos_app.domain.money import Money
from pos_app.domain.number_text import parse_quantity, typed_quantity_text
from pos_app.domain.product import PIECE_SYMBOLS

Asked = WeightQuestion | LineQuantity | NextQuantity


@dataclass(frozen=True, slots=True)
class _Facts:
    """label: of the field. typed: what stands in it. given: the price it is reckoned with."""

    title: str
    beside: str
    label: str
    typed: str = ""
    given: str = ""


class QuantityPanel(NumberPanel):
    """A number with up to three decimals; comma and point are both decimal."""

    def __init__(
        self, question: Asked, model: SaleModel, lines: LineActs, texts: Texts, theme: Theme
    ) -> None:
        facts = _facts(question, model, texts)
        self._question = question
        self._lines = lines
        super().__init__(
            model, texts, theme, title=facts.title, beside=facts.beside, label=facts.label,
            typed=facts.typed, given=facts.given,
        )  # fmt: skip

    def answer(self) -> None:
        """Take the number, or say at the field why it can't be."""
        quantity = self.read(parse_quantity)
        if quantity is not None:
            self._lines.answer_quantity(quantity)

    def reckon(self, typed: str) -> Money | None:
        quantity = parse_quantity(typed)
        match self._question:
            case WeightQuestion(article) if article.price is not None:
                return line_total(article.price, quantity)
            case LineQuantity(line_id):
                line = self.model.ticket.cart.line(line_id)
                return replace(line, quantity=quantity, stated_total=None).without_excess.total
            case _:
                return None


def _facts(question: Asked, model: SaleModel, texts: Texts) -> _Facts:
    match question:
        case WeightQuestion(article):
            title = _how_much(article.unit, texts)
            price = None if article.asks_price else article.price
            given = "" if price is None else price_words(price, article.unit, texts)
            return _Facts(title, article.name, title, given=given)
        case LineQuantity(line_id, typed):
            line = model.ticket.cart.line(line_id)
            frozen = line.article.frozen
            label = _how_much(frozen.unit, texts)
            stands = typed or typed_quantity_text(line.quantity)
            given = line_words(line, texts)
            return _Facts(texts("ask.quantity"), frozen.name, label, stands, given)
        case NextQuantity():
            now = typed_quantity_text(model.next_quantity) if model.next_quantity else ""
            return _Facts(texts("ask.next"), "", texts("ask.how_many"), now)


def _how_much(unit: str, texts: Texts) -> str:
    """The question for its unit: "Колико kg?", "Колико комада?"."""
    if not unit or unit in PIECE_SYMBOLS:
        return texts("ask.how_many")
    return texts("ask.how_much", unit=unit)
