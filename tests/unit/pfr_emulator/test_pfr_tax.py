"""The processor's tax engine against amounts measured on real receipts."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from pos_app.pfr_emulator import json_text, rates
from pos_app.pfr_emulator.invoice import Item
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, SANDBOX_RATES, RateTable
from pos_app.pfr_emulator.tax import tax_items
from tests.sweep import each

TODAY = datetime(2026, 1, 5, tzinfo=UTC)


def taxes_of(*items: Item, table: RateTable = SANDBOX_RATES) -> dict[str, Decimal]:
    labels = rates.in_force(table, TODAY).labels()
    return {tax.label.label: tax.amount for tax in tax_items(items, labels)}


def line(total: str, labels: str, quantity: str = "1") -> Item:
    price = Decimal(total)
    return Item("роба", Decimal(quantity), price, price, tuple(labels))


@each(
    ("total", "labels", "expected"),
    [
        ("68.46", "A", {"A": "5.6527"}),
        ("730.00", "F", {"F": "72.3423"}),
        ("230.25", "A", {"A": "19.0115"}),
        ("26.00", "BF", {"B": "0", "F": "2.5766"}),
        ("1.00", "PЖ", {"P": "0.5", "Ж": "0.0798"}),
    ],
)
def test_measured_vectors(total: str, labels: str, expected: dict[str, str]) -> None:
    assert taxes_of(line(total, labels)) == {
        label: Decimal(amount) for label, amount in expected.items()
    }


def test_per_quantity_first_then_on_total_then_on_net() -> None:
    # 103.00 - 2 x 0.50 = 102.00; 2 % on total: 2.00; 19 % in the remaining 100.00: 15.9664.
    told = taxes_of(line("103.00", "PTЖ", quantity="2"))
    assert told == {"P": Decimal("1.0000"), "T": Decimal("2.0000"), "Ж": Decimal("15.9664")}


def test_a_label_is_rounded_once_over_all_lines() -> None:
    # 0.05 holds 0.0083333 of Ђ: three lines are 0.0250; each rounded, they would be 0.0249.
    lines = [line("0.05", "Ђ")] * 3
    assert taxes_of(*lines, table=PRODUCTION_RATES) == {"Ђ": Decimal("0.0250")}
    # 0.0003 at 20 % is 0.00005 exactly: halves go up.
    item = Item("x", Decimal(1), Decimal(0), Decimal("0.0003"), ("Ђ",))
    assert taxes_of(item, table=PRODUCTION_RATES) == {"Ђ": Decimal("0.0001")}
    on_120 = {"Ђ": "20.0000", "Е": "10.9091", "Г": "0", "А": "0"}
    for label, expected in on_120.items():
        told = taxes_of(line("120.00", label), table=PRODUCTION_RATES)
        assert told == {label: Decimal(expected)}


@each(("year", "group_id"), [(1990, 1), (2013, 1), (2014, 2), (2026, 2), (2099, 3)])
def test_the_group_in_force_is_the_youngest_that_began(year: int, group_id: int) -> None:
    assert rates.in_force(PRODUCTION_RATES, datetime(year, 6, 1, tzinfo=UTC)).group_id == group_id


# --- rounding of money, and JSON that never passes through a float -------------------------------


@each(
    "body",
    [
        b"{", b"\xff", b'{"a":NaN}', b'{"a":Infinity}', b'{"a":1e999999999}', b'{"a":1e-999999999}',
        b'{"a":' + b"1" * 5000 + b"}", b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_exact_json_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_text.decode(body)
