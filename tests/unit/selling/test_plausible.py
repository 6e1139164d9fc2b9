"""The typed numbers that the till asks about."""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import CartArticle
from pos_app.domain.receipt.request import FrozenArticle
from pos_app.domain.receipt.units import Measure
from pos_app.errors import DatabaseBusy
from pos_app.selling.sale.unusual_amounts import Unusual, UnusualKind, UsualLimits
from tests.sweep import each

ABOVE = {Measure.KILOGRAM: 30, Measure.LITRE: 30, Measure.METRE: 100, Measure.PIECE: 100}
LIMITS = UsualLimits(Quantity(1000), Money(1_000_000), cash_times=10, above=ABOVE)


def of_unit(unit: str) -> CartArticle:
    frozen = FrozenArticle("Кајмак", TaxLabel("Ђ"), unit)
    return CartArticle("kajmak", 236, frozen, Money("1690"))


@each(
    ("quantity", "price", "odd"),
    [
        ("999.999", "58.99", None),
        ("1000", "58.99", Unusual(UnusualKind.QUANTITY, Quantity(1000))),
        ("86009990", "58.99", Unusual(UnusualKind.QUANTITY, Quantity(86009990))),
        ("1", "999999.99", None),
        ("1", "1000000", Unusual(UnusualKind.LINE_TOTAL, Money(1_000_000))),
        ("2.5", "400000", Unusual(UnusualKind.LINE_TOTAL, Money(1_000_000))),
        ("500", "999999999", Unusual(UnusualKind.LINE_TOTAL, Money(499_999_999_500))),
        ("999", "999999999999", None),  # no receipt has such a line: it is refused, not asked about
    ],
)
def test_a_line(quantity: str, price: str, odd: Unusual | None) -> None:
    assert LIMITS.of_line(Quantity(quantity), Money(price), of_unit("сат")) == odd


Q, F = UnusualKind.QUANTITY, UnusualKind.FRACTION


@each(
    ("quantity", "unit", "what"),
    [
        ("412", "kg", Q), ("30", "kg", None), ("30.001", "кг", Q), ("412", "g", None),
        ("30000", "г", None), ("30001", "g.", Q), ("30.5", "l", Q), ("750", "мл", None),
        ("100", "m", None), ("100.01", "М", Q), ("100", "ком", None), ("101", "kom.", Q),
        ("101", "", Q), ("1.5", "ком", F), ("0.412", "", F), ("1.5", "сат", None),
        ("999", "паковање", None), ("1000", "паковање", Q), ("412", "kgr", Q), ("0.5", "kmd", F),
        ("412", "t", None), ("1000", "тона", Q), ("0.5", "пак", None),
    ],
)  # fmt: skip
def test_each_kind_of_unit_has_its_own(quantity: str, unit: str, what: UnusualKind | None) -> None:
    found = LIMITS.of_line(Quantity(quantity), Money("9.99"), of_unit(unit))
    assert found == (what and Unusual(what, Quantity(quantity)))


@each(
    ("quantity", "what"),
    [("5", None), ("5.001", UnusualKind.TIMES_USUAL), ("412", UnusualKind.QUANTITY)],
)
def test_many_times_what_is_usual(quantity: str, what: UnusualKind | None) -> None:
    usual = {"kajmak": Quantity("0.250")}
    limits = replace(LIMITS, usual_times=20, usual_of=usual.get)
    found = limits.of_line(Quantity(quantity), Money("1690"), of_unit("kg"))
    assert found == (what and Unusual(what, Quantity(quantity)))


def test_what_is_usual_and_can_not_be_read_is_not_asked_about() -> None:
    def unreadable(article_id: str) -> Quantity | None:
        raise DatabaseBusy(what=f"another program holds {article_id}")

    limits = replace(LIMITS, usual_times=20, usual_of=unreadable)
    assert limits.of_line(Quantity(6), Money("1690"), of_unit("kg")) is None


@each(
    ("received", "due", "asked"),
    [
        ("2000", "1674.72", False), ("16747.20", "1674.72", False), ("16747.21", "1674.72", True),
        ("5000", "58.99", False), ("5000.01", "58.99", True), ("86009990001", "58.99", True),
        ("5001", "0", True),
    ],
)  # fmt: skip
def test_cash(received: str, due: str, asked: bool) -> None:
    cash = Money(received)
    assert LIMITS.of_cash(cash, Money(due)) == (Unusual(UnusualKind.CASH, cash) if asked else None)
    above_all = replace(LIMITS, cash_times=1_000_000)
    assert above_all.of_cash(Money(2_000_000), Money(1_500_000)) is None
    by_law, most = replace(LIMITS, cash_kept=Money(1_200_000)), Money(1_200_000)
    assert by_law.of_cash_kept(Money("1199999.99")) is None
    assert by_law.of_cash_kept(most) == Unusual(UnusualKind.CASH_KEPT, most)
