"""Stores: defaults, the rows of the payment window, and the tax labels of a day."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.article.store import (
    PaymentOrder,
    PickerType,
    PrintMethod,
    ReceiptLanguage,
    Store,
    payment_rows,
)
from pos_app.domain.money import tax
from pos_app.domain.money.payment import PaymentMethod
from tests.sweep import each

ALL_SEVEN = ("cash", "card", "check", "mobilemoney", "wiretransfer", "voucher", "other")
NAMES = st.one_of(
    st.sampled_from([*ALL_SEVEN, "Cash", "bitcoin", ""]), st.integers(0, 6), st.decimals(0, 6)
)
ORDERS = st.lists(st.lists(NAMES, max_size=5).map(tuple), max_size=6).map(tuple)


def store(order: PaymentOrder | None = None) -> Store:
    return Store(
        id="8b0f6f0a-0d5e-4b1f-9f5c-1d6f3e0a7c11", name="Липа", payment_methods_order=order
    )


def test_a_store_with_only_a_name_has_the_defaults_of_the_contract() -> None:
    shop = store()
    assert shop.language is ReceiptLanguage.CYRILLIC
    assert shop.product_picker_type is PickerType.GRID
    assert shop.is_sound_enabled
    assert not shop.print_bank_accounts
    assert not shop.print_discounts
    assert not shop.default_unknown_amount_advance
    assert shop.print_method is None
    assert shop.handed_over_by == PrintMethod(thermal=True, a4=True, email=True)


@each(
    ("order", "rows"),
    [
        (None, [["cash", "card"], ["wiretransfer", "mobilemoney"], ["check", "voucher", "other"]]),
        ((), [["cash", "card"], ["wiretransfer", "mobilemoney"], ["check", "voucher", "other"]]),
        ((ALL_SEVEN,), [list(ALL_SEVEN)]),
        ((("card", "cash"), ("bitcoin",)),
         [["card", "cash"], ["check", "mobilemoney", "wiretransfer", "voucher", "other"]]),
        ((("other",), ALL_SEVEN[:6]), [["other"], list(ALL_SEVEN[:6])]),
        ((("cash", "cash"), ("cash", "card")),
         [["cash"], ["card"], ["check", "mobilemoney", "wiretransfer", "voucher", "other"]]),
        (((1, Decimal("2.0")), ("CASH",)), [list(ALL_SEVEN)]),
        (((),), [list(ALL_SEVEN)]),
    ],
)  # fmt: skip
def test_the_rows_of_the_payment_window(order: PaymentOrder | None, rows: list[list[str]]) -> None:
    assert [[str(method) for method in row] for row in payment_rows(store(order))] == rows


@given(ORDERS)
def test_each_method_has_exactly_one_button(order: PaymentOrder) -> None:
    rows = payment_rows(store(order))
    assert all(rows)
    assert sorted(method for row in rows for method in row) == sorted(PaymentMethod)


NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
BEFORE = datetime(2026, 12, 31, 22, 59, tzinfo=UTC)
NOW = tax.TaxRates(datetime(2015, 1, 1, tzinfo=UTC), {"Ђ": Decimal(20), "Е": Decimal(10)})
THEN = tax.TaxRates(
    NEW_YEAR, {"Ђ": Decimal(22), "Е": Decimal(8), "Г": Decimal(5), "F": Decimal(11)}
)


def test_rates_change_on_their_day() -> None:
    for moment, general in ((BEFORE, 20), (NEW_YEAR, 22)):
        assert tax.rates_by_label((THEN, NOW), moment)[tax.TaxLabel.DJ] == general
    told = dict(tax.rates_by_label((NOW, THEN), NEW_YEAR))
    assert told == {tax.TaxLabel.DJ: 22, tax.TaxLabel.E: 8, tax.TaxLabel.G: 5, tax.TaxLabel.A: 0}


def test_the_published_ones_stand_in_for_what_nobody_told() -> None:
    assert tax.rates_by_label((), NEW_YEAR) == tax.PUBLISHED_RATES
    assert tax.rates_by_label((THEN,), BEFORE) == tax.PUBLISHED_RATES
    sandbox = tax.TaxRates(NOW.valid_from, {"F": Decimal(11)})
    assert tax.rates_by_label((sandbox,), NEW_YEAR) == tax.PUBLISHED_RATES
