"""The contract of every buyers' book."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.domain.receipt.buyer import BUYER_KINDS, BuyerId
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.buyers.buyer_book import KnownBuyer, tidy_name
from pos_app.selling.sale.sale import NewSale
from pos_app.selling.sale.state import SaleState
from tests.contract.selling.test_sales import NOW, bring, new_sale, new_ticket
from tests.sweep import each

_BOOK = TILL_MIGRATIONS[0].partition("CREATE TABLE buyers")[2].partition(";")[0]
ALFA, BETA, FARM = map(BuyerId.parse, ("10:100000049", "12:100000057:12345", "40:ATU12345678"))


def sold(number: int, buyer: BuyerId, *, name: str = "", email: str = "") -> NewSale:
    """A sale so many minutes later."""
    noted = KnownBuyer.on_receipt(buyer, name=name, email=email)
    return replace(new_sale(), buyer=noted, frozen_at=NOW + timedelta(minutes=number))


def sell_to(store: Any, number: int, buyer: BuyerId, **told: str) -> None:
    basket = store.carts.open_cart(training=False) or store.carts.begin(new_ticket(number))
    following = new_ticket(number + 1)
    store.carts.freeze(basket, sale=sold(number, buyer, **told), following=following)


@pytest.fixture
def book(store: Any) -> Any:
    """The book of a till that sold to three firms, last to the first of them."""
    sell_to(store, 1, ALFA, name="Алфа д.о.о.")
    sell_to(store, 2, BETA, name="Градска управа", email="uprava@example.rs")
    sell_to(store, 3, FARM)
    sell_to(store, 4, ALFA)
    return store.buyers


@each(
    ("query", "ids"),
    [
        ("", [ALFA, FARM, BETA]),
        ("алф", [ALFA]),
        ("ALFA DOO", [ALFA]),
        ("alfa d.o.o.", [ALFA]),
        ("d o o", [ALFA]),
        ("alfa o", []),
        ("upr gra", [BETA]),
        ("ифа", []),
        ("100 000", [ALFA, BETA]),
        ("057", [BETA]),
        ("atu1", [FARM]),
        ("%", [ALFA, FARM, BETA]),
    ],
)
def test_firms_are_found_by_words_and_parts_of_numbers(
    book: Any, query: str, ids: list[BuyerId]
) -> None:
    assert [one.id for one in book.find(query, at_most=9)] == ids
    assert [one.id for one in book.find(query, at_most=1)] == ids[:1]


def test_a_known_name_stays_and_the_last_address_counts(book: Any, store: Any) -> None:
    last = NOW + timedelta(minutes=4)
    assert book.buyer(ALFA) == KnownBuyer(ALFA, "Алфа д.о.о.", receipts=2, last_at=last)
    assert book.buyer(BETA).email == "uprava@example.rs"
    sell_to(store, 5, ALFA, name="Алфа нова", email="a@example.rs")
    told = KnownBuyer(ALFA, "Алфа д.о.о.", "a@example.rs", 3, NOW + timedelta(minutes=5))
    assert book.buyer(ALFA) == told
    assert (book.count(), book.buyer(BuyerId.parse("10:100000065"))) == (3, None)
    wanted = [str(one) for one in (ALFA, FARM)] + ["10:100000065", "11:0101990710008"]
    assert book.names_of(wanted) == {str(ALFA): "Алфа д.о.о."}


def test_a_manager_changes_adds_and_removes(book: Any, reopened: Callable[[], Any]) -> None:
    new = BuyerId.parse("10:100000065")
    book.save([KnownBuyer(ALFA, "Бета"), KnownBuyer(new, "Гама", "g@example.rs")])
    book.remove(BETA)
    book = reopened().buyers
    assert [(one.id, one.name, one.receipts) for one in book.find("", at_most=9)] == [
        (ALFA, "Бета", 2),
        (FARM, "", 1),
        (new, "Гама", 0),
    ]
    assert [one.id for one in book.find("bet", at_most=9)] == [ALFA]


def test_nothing_is_noted_of_a_sale_that_was_not_confirmed(book: Any, store: Any) -> None:
    basket = store.carts.open_cart(training=False)
    outdated = replace(basket, revision=7)
    with pytest.raises(NotAllowed):
        store.carts.freeze(outdated, sale=sold(5, FARM), following=new_ticket(6))
    assert book.buyer(FARM).receipts == 1


def test_a_firm_was_on_no_receipt_of_a_sale_that_was_cancelled(book: Any, store: Any) -> None:
    mistyped = BuyerId.parse("10:100000041")
    for number, buyer, name in ((5, mistyped, ""), (6, ALFA, ""), (7, FARM, "")):
        sell_to(store, number, buyer, name=name)
        bring(store, store.sales.last(1)[0].key, SaleState.CANCELLED)
    assert book.buyer(mistyped) is None
    assert (book.buyer(ALFA).receipts, book.buyer(FARM).receipts) == (2, 1)


def test_a_natural_person_is_in_no_book() -> None:
    persons = [code for code, kind in BUYER_KINDS.items() if kind.personal]
    assert not any(f"'{code}:'" in _BOOK for code in persons)
    firms = set(BUYER_KINDS) - set(persons)
    assert all(f"'{code}:'" in _BOOK for code in firms)
    passport = BuyerId.parse("30:X123")
    assert KnownBuyer.on_receipt(passport, name="Ана") is None
    with pytest.raises(Invalid):
        KnownBuyer(passport)


def test_a_name_has_one_line_and_only_what_is_seen() -> None:
    assert (tidy_name(" Алфа\n д.о.о.\x07 "), len(tidy_name("а" * 500))) == ("Алфа д.о.о.", 100)
