"""The goods of an advance within the additional text."""

from __future__ import annotations

from pos_app.selling.sale.advance_items import lists_items, with_items, without_items
from tests.unit.selling.test_confirm_checks import ticket_of


def test_the_items_stand_below_what_was_typed_and_go_without_it() -> None:
    told = with_items("Испорука у петак", ticket_of("100.00", "20.00"), longest=4000)
    assert told.splitlines()[:2] == ["Испорука у петак", "Аванс за:"]
    assert len(told.splitlines()) == 4
    assert lists_items(told)
    assert without_items(told) == "Испорука у петак"
    assert with_items(told, ticket_of("5.00"), longest=4000).count("– ") == 1
    for typed in ("Аванс за:", "Аванс за:\nкухињу", "– 1 Роба: 5,00"):
        assert not lists_items(typed)
        assert without_items(typed) == typed


def test_what_finds_no_room_is_counted() -> None:
    told = with_items("", ticket_of(*(f"{price}.00" for price in range(1, 41))), longest=200)
    assert len(told) <= 200
    shown = told.count("Роба")
    assert told.endswith(f"– + {40 - shown}")
