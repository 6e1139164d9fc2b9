"""A character that is typed by Alt and its number."""

from __future__ import annotations

from pos_app.cashier.scanner.decoder import alt_char
from tests.sweep import each


@each(
    ("digits", "char"),
    [
        ("052", "4"), ("65", "A"), ("0065", "A"), ("0138", "Š"), ("138", "è"), ("0154", "š"),
        ("029", "\x1d"), ("321", "A"), ("0129", ""), ("", ""),
    ],
)  # fmt: skip
def test_alt_with_a_number(digits: str, char: str) -> None:
    assert alt_char(digits) == char
