"""What a sheet leaves open, and what was answered: each question is asked once for all its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.selling.catalogue.product_draft import amount_typed, read_price
from pos_app.selling.catalogue.sheet.row_plan import BadCell, Question, SheetAnswers

MOST_TAXES = 8
"""The most texts that a column of the tax may have to be asked about: one with more is no such
column, and its cells are bad."""
_ASKED = {
    "label_zero": Question.ZERO,
    "price_net": Question.NET,
    "price_measure": Question.MEASURE,
    "price_counted": Question.MEASURE,
}
"""The mistakes of cells that a person can settle for all rows at once, by kind."""
_SETTLED = frozenset({*_ASKED, "label", "thousand", "new_needs"})
"""The kinds of all mistakes that an answer may mend."""


class OpenQuestions:
    """by_sheet: the questions that the sheet itself puts, with its answers ("" for none). rates:
    today's, in percent."""

    def __init__(
        self,
        answers: SheetAnswers,
        *,
        by_sheet: Mapping[Question, str],
        rates: Mapping[TaxLabel, Decimal],
    ) -> None:
        self.asked = dict.fromkeys(Question, 0)
        self.answers = {question: said for question, said in by_sheet.items() if said}
        self.answers |= answers.by_question
        self._price_has_tax = {**by_sheet, **answers.by_question}.get(Question.NET, "yes")
        self._rates = rates
        self._taxes = {fold(text): text for text in answers.by_tax}

    @property
    def taxes(self) -> list[str]:
        """The texts that stand for a tax and name no label; none where there are too many."""
        return [*self._taxes.values()] if len(self._taxes) <= MOST_TAXES else []

    def note(self, error: Invalid, text: str) -> None:
        """Note that a person may settle such a cell for all rows."""
        question = _ASKED.get(error.kind)
        if question is not None:
            self.asked[question] += 1
        elif error.kind == "label" and len(self._taxes) <= MOST_TAXES and fold(text):
            self._taxes.setdefault(fold(text), text)

    def noted(self) -> tuple[dict[Question, int], dict[str, str]]:
        """What was asked up to a row."""
        return dict(self.asked), dict(self._taxes)

    def keep_if_settled(
        self, before: tuple[dict[Question, int], dict[str, str]], bad: Iterable[BadCell]
    ) -> None:
        """Forget what a row asked since then, if no answer makes the row good."""
        if any(cell.why.kind not in _SETTLED for cell in bad):
            self.asked, self._taxes = before

    def with_tax(self, price_text: str, label: TaxLabel) -> str:
        """The price that a receipt has. Raises Invalid where it is not known whether it has its tax
        yet, or which one; a text that is no price stays as it is."""
        if self._price_has_tax == "yes":
            return price_text
        self.asked[Question.NET] += 1
        if not self._price_has_tax:
            raise Invalid("price_net")
        rate = self._rates.get(label)
        if rate is None:
            raise Invalid("label")
        try:
            net = read_price(price_text)
        except Invalid:  # it is told with the row's other cells
            return price_text
        return amount_typed(net and Money.rounded(net.amount * (100 + rate) / 100))
