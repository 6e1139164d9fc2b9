from __future__ import annotations

from decimal import Decimal

import pytest

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.esir_part import EsirPart, LoweredLine
from pos_app.domain.receipt.pricing import price
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.issue import esir_part, plan_issue
from tests.unit.documents.papers import item, request
from tests.unit.fiscalization.plans.book import BASIS

COFFEE = item("Кафа млевена", "349.99", "2")
CHEESE = item("Сир", "800.00", "0.500", unit="kg", total="320.00")
TENTH = Percent(Decimal(10))


def part_of(asked: IssueRequest) -> EsirPart:
    return esir_part(asked, price(asked))


def test_each_lowered_line_is_told_with_its_percentage_where_one_was_asked_for() -> None:
    asked = request(COFFEE, CHEESE, cash="1000.00", discount=TENTH)

    assert part_of(asked).lowered == (
        LoweredLine("Кафа млевена/ком", Money("699.98"), Money("629.98"), TENTH),
        LoweredLine("Сир/kg", Money("400.00"), Money("320.00"), None),
    )


def test_lines_at_their_full_price_are_not_told() -> None:
    assert (
        part_of(request(COFFEE, item("Кеса", "10.00", total="10.00"), cash="800.00")) == EsirPart()
    )


def test_an_advance_has_achieved_no_discount() -> None:
    asked = request(CHEESE, cash="100.00", invoice_type=InvoiceType.ADVANCE, discount=TENTH)

    assert part_of(asked).lowered == ()
    (planned,) = plan_issue(request=asked, referent=None, chain=Chain(()), basis=BASIS)
    assert planned.esir.lowered == ()
    assert planned.order is not None
    assert planned.order.lowered == (LoweredLine("Сир/kg", Money("400.00"), Money("320.00")),)


def test_the_callers_words_are_kept_as_they_came() -> None:
    assert part_of(request(additional_text=" Хвала\n")).additional_text == " Хвала\n"


@pytest.mark.parametrize("kind", [InvoiceType.NORMAL, InvoiceType.ADVANCE])
@pytest.mark.parametrize(("count", "fits"), [(1, True), (2, False)])
def test_what_is_saved_is_told_in_one_sum(kind: InvoiceType, count: int, fits: bool) -> None:
    """An advance's saving is printed with the closing, whose lines are the order's."""
    dear = item("Вила", "999999999999.99", total="100.00")
    asked = request(*[dear] * count, cash="200.00" if count == 2 else "100.00", invoice_type=kind)
    if fits:
        plan_issue(request=asked, referent=None, chain=Chain(()), basis=BASIS)
        return
    with pytest.raises(Invalid, match="12 digits") as refusal:
        plan_issue(request=asked, referent=None, chain=Chain(()), basis=BASIS)
    assert refusal.value.field == "items"
