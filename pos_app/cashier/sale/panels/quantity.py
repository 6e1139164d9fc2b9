"""How much: of an article sold by weight, of a line (F3), of the next item."""

from __future__ import annotations

from pos_app.cashier.look.look import Look
from pos_app.cashier.sale.asking import HowMuch, LineQuantity, NextQuantity
from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import NumberPanel
from pos_app.cashier.texts import Words
from pos_app.domain.numerals import parse_quantity, typed_quantity_text
from pos_app.domain.product import PIECE_SYMBOLS

Asked = HowMuch | LineQuantity | NextQuantity


class QuantityPanel(NumberPanel):
    """A number with up to three decimals; comma and point are both decimal."""

    def __init__(
        self, question: Asked, model: SaleModel, lines: LineActs, words: Words, look: Look
    ) -> None:
        title, beside, label, typed = _facts(question, model, words)
        super().__init__(model, words, look, title=title, beside=beside, label=label, typed=typed)
        self._lines = lines

    def answer(self) -> None:
        """Take the number, or say at the field why it can't be."""
        quantity = self.read(parse_quantity)
        if quantity is not None:
            self._lines.answer_quantity(quantity)


def _facts(question: Asked, model: SaleModel, words: Words) -> tuple[str, str, str, str]:
    """Title, words beside it, label of the field, and what stands in it."""
    match question:
        case HowMuch(article):
            title = _how_much(article.unit, words)
            return title, article.name, words("ask.weighed", name=article.name), ""
        case LineQuantity(line_id, typed):
            line = model.basket.cart.line(line_id)
            frozen = line.article.frozen
            label = _how_much(frozen.unit, words)
            return (
                words("ask.quantity"),
                frozen.name,
                label,
                typed or typed_quantity_text(line.quantity),
            )
        case NextQuantity():
            now = typed_quantity_text(model.next_quantity) if model.next_quantity else ""
            return words("ask.next"), "", words("ask.how_many"), now


def _how_much(unit: str, words: Words) -> str:
    """The question for its unit: "Колико kg?", "Колико комада?"."""
    if not unit or unit in PIECE_SYMBOLS:
        return words("ask.how_many")
    return words("ask.how_much", unit=unit)
