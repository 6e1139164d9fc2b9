"""A buyer is called the same on each screen; a natural person's number is not shown whole."""

from __future__ import annotations

import pytest

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.buyer_words import buyer_words

TEXTS = Texts()


@pytest.mark.parametrize(
    ("buyer", "name", "told"),
    [
        ("", "", ""),
        ("10:100000001", "", "ПИБ 100000001"),
        ("10:100000001", "Алфа", "Алфа, ПИБ 100000001"),
        ("12:100000057:12345", "", "ПИБ и ЈБКЈС 100000057:12345"),
        ("20:001234567", "", "Лична карта, крај броја 567"),
        ("20:", "", "Лична карта"),
        ("99:123456", "", "99, крај броја 456"),
    ],
)
def test_what_a_buyer_is_called(buyer: str, name: str, told: str) -> None:
    assert buyer_words(buyer, TEXTS, name=name) == told
    whole = buyer_words("20:001234567", TEXTS, is_whole=True)
    assert whole == "Лична карта 001234567", "a correction compares whole numbers"
