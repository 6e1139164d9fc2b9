"""The contract of every buyers' book."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.sqlite.till.schema import FILE_NAME, TILL_MIGRATIONS
from pos_app.adapters.sqlite.till.unsent import take_along
from pos_app.domain.receipt.buyer import BUYER_KINDS, BuyerId
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.buyers.buyer_book import KnownBuyer, tidy_name
from pos_app.selling.sale.sale import NewSale
from pos_app.selling.sale.state import SaleState
from tests.contract.selling.test_sales import NOW, RECEIPT, bring, new_sale, new_ticket, restored
from tests.fakes.ready_tables import open_ready
from tests.sweep import each

_BOOK = TILL_MIGRATIONS[0].partition("CREATE TABLE buyers")[2].partition(";")[0]
ALFA, BETA, FARM = map(BuyerId.parse, ("10:100000049", "12:100000057:12345", "40:ATU12345678"))


def sold(number: int, buyer: BuyerId, *, name: str = "", email: str = "") -> NewSale:
    """A sale so many minutes later."""
    noted = KnownBuyer.on_receipt(buyer, name=name, email=email)
    return replace(new_sale(), buyer=noted, frozen_at=NOW + timedelta(minutes=number))


def sell_to(
    store: Any, number: int, buyer: BuyerId, state: SaleState = SaleState.DONE, **told: str
) -> str:
    """Sell to a firm, and bring the sale into a state."""
    basket = store.carts.open_cart(training=False) or store.carts.begin(new_ticket(number))
    following = new_ticket(number + 1)
    frozen = store.carts.freeze(basket, sale=sold(number, buyer, **told), following=following)[0]
    bring(store, frozen.key, state)
    return str(frozen.key)


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
    assert book.take_in([KnownBuyer(ALFA, "Алфа"), KnownBuyer(new, "Гама", "g@example.rs")]) == 1
    book.change(ALFA, name="Бета")
    book.change(new, email="")
    book.remove(BETA)
    book = reopened().buyers
    assert [(one.id, one.name, one.receipts) for one in book.find("", at_most=9)] == [
        (ALFA, "Бета", 2),
        (FARM, "", 1),
        (new, "Гама", 0),
    ]
    assert book.buyer(new).email == ""
    assert [one.id for one in book.find("bet", at_most=9)] == [ALFA]


def test_nothing_is_noted_of_a_sale_that_was_not_confirmed(book: Any, store: Any) -> None:
    basket = store.carts.open_cart(training=False)
    outdated = replace(basket, revision=7)
    with pytest.raises(NotAllowed):
        store.carts.freeze(outdated, sale=sold(5, FARM), following=new_ticket(6))
    assert book.buyer(FARM).receipts == 1


def test_the_book_learns_nothing_of_a_sale_without_a_receipt(book: Any, store: Any) -> None:
    before = book.find("", at_most=9)
    buyers = BuyerId.parse("10:100000041"), BETA
    cases = product(set(SaleState) - {SaleState.DONE}, buyers)
    for number, (state, buyer) in enumerate(cases, 5):
        sell_to(store, number, buyer, state, name="Омега", email="pogresno@example.rs")
    assert book.find("", at_most=9) == before


def test_a_receipt_that_is_known_later_is_learned_once(
    book: Any, store: Any, reopened: Callable[[], Any]
) -> None:
    """Its address counts only where no later sale and no manager gave another."""
    keys = [
        sell_to(store, number, buyer, SaleState.DOUBT, name="Нова", email="a@example.rs")
        for number, buyer in ((5, ALFA), (6, BETA), (7, FARM))
    ]
    sell_to(store, 8, ALFA, email="b@example.rs")
    book.change(BETA, email="c@example.rs")
    book.remove(FARM)
    store.sales.request_cancel(keys[1], reason="wrong", at=NOW)
    store.sales.act_on_restore(restored(9, is_journal=True), at=NOW)
    store = reopened()
    for key in keys:
        store.sales.move(key, SaleState.DONE, at=NOW, receipt=RECEIPT)
        with pytest.raises(NotAllowed):
            store.sales.move(key, SaleState.DONE, at=NOW, receipt=RECEIPT)
    book, (alfa, beta, farm) = store.buyers, map(store.buyers.buyer, (ALFA, BETA, FARM))
    last = NOW + timedelta(minutes=8)
    assert (alfa.email, alfa.receipts, alfa.last_at) == ("b@example.rs", 4, last)
    assert (beta.email, beta.receipts) == ("c@example.rs", 2)
    assert (farm.name, farm.email, farm.receipts) == ("Нова", "a@example.rs", 1)


def test_a_firm_goes_along_with_its_sale_into_another_file(store: Any, folder: Path) -> None:
    key = sell_to(store, 5, FARM, SaleState.DOUBT, name="Нова")
    open_ready(folder / "other").close()
    take_along(folder / "other" / FILE_NAME, folder / "till" / FILE_NAME)
    with closing(open_ready(folder / "other")) as other:
        other.sales.move(key, SaleState.DONE, at=NOW, receipt=RECEIPT)
        assert [(one.id, one.name) for one in other.buyers.find("", at_most=9)] == [(FARM, "Нова")]


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
