"""Typing an amount, key by key."""

from __future__ import annotations

from pos_app.cashier.payment.tender import AmountEntry
from pos_app.domain.money.money import Money
from tests.sweep import each


def typed(keys: str, start: AmountEntry | None = None) -> AmountEntry:
    """Type keys that are separated by blanks, or have one character each."""
    entry = start or AmountEntry()
    for key in keys.split() if " " in keys else keys:
        entry = entry.key(key)
    return entry


@each(
    ("keys", "shown", "amount"),
    [
        ("", "", "0"),
        ("1", "1", "1"),
        ("1000", "1.000", "1000"),
        ("1 00 0", "1.000", "1000"),
        ("1000,5", "1.000,5", "1000.50"),
        ("1000.5", "1.000,5", "1000.50"),
        ("1000,505", "1.000,50", "1000.50"),
        (",5", "0,5", "0.50"),
        ("12,,3", "12,3", "12.30"),
        ("007", "7", "7"),
        ("0 00", "0", "0"),
        ("1 2 back", "1", "1"),
        ("1 , 5 back back", "1", "1"),
        ("1 2 clear", "", "0"),
        ("back", "", "0"),
        ("a-+5", "5", "5"),
        ("123456789", "123.456.789", "123456789"),
        ("1234567890", "123.456.789", "123456789"),
    ],
)
def test_keys_become_an_amount(keys: str, shown: str, amount: str) -> None:
    entry = typed(keys)
    assert (entry.field_text, entry.amount) == (shown, Money(amount))


def test_a_digit_replaces_an_amount_that_was_filled_in() -> None:
    exact = AmountEntry.exact(Money("1674.72"))
    assert exact.field_text == "1.674,72"
    assert typed("20", exact).field_text == "20"
    assert typed(",", exact).field_text == "0,"


def test_back_shortens_an_amount_that_was_filled_in() -> None:
    assert AmountEntry.exact(Money("1674.72")).key("back").field_text == "1.674,7"


def test_notes_add_up_and_typing_replaces_them() -> None:
    given = AmountEntry().note(Money(1000)).note(Money(500))
    assert given.field_text == "1.500,00"
    assert given.key("2").field_text == "2"
    assert given.key("2").note(Money(200)).field_text == "200,00"


def test_nothing_remains_is_nothing_filled_in() -> None:
    assert AmountEntry.exact(Money.ZERO) == AmountEntry()
