"""The facets by which a signed receipt is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.fiscalization import receipt_facets

JMBG = "0101990710008"


def line(name: str, **members: Any) -> FiscalLine:
    return FiscalLine(name, TaxLabel.DJ, Quantity(1), Money(100), Money(100), **members)


SALE = FiscalDocument(
    invoice_type=InvoiceType.NORMAL,
    transaction_type=TransactionType.SALE,
    lines=(line("Ћуфте у сосу/kg", sku=7, gtin="08600000000018"), line("Хлеб 1/2/ком")),
    payments=((PaymentMethod.CARD, Money(150)), (PaymentMethod.CASH, Money(50))),
    cashier="Милица Ђурић",
)


def of_sort(document: FiscalDocument, sort: receipt_facets.FacetSort) -> list[receipt_facets.Facet]:
    return [one for one in receipt_facets.facets_of(document, program="till") if one.sort is sort]


def test_each_sort_has_its_facet() -> None:
    told = {(one.sort, one.text) for one in receipt_facets.facets_of(SALE, program="till")}
    assert told == {
        (receipt_facets.FacetSort.KIND, "normal sale"),
        (receipt_facets.FacetSort.CASHIER, "Милица Ђурић"),
        (receipt_facets.FacetSort.PROGRAM, "till"),
        (receipt_facets.FacetSort.PAYMENT, "card"),
        (receipt_facets.FacetSort.PAYMENT, "cash"),
        (receipt_facets.FacetSort.ARTICLE, "7\n08600000000018\nЋуфте у сосу/kg"),
        (receipt_facets.FacetSort.ARTICLE, "\n\nХлеб 1/2/ком"),
    }


def test_words_are_folded_and_have_the_codes_but_not_the_unit() -> None:
    meat, bread = of_sort(SALE, receipt_facets.FacetSort.ARTICLE)
    assert meat.words.split() == ["cufte", "u", "sosu", "7", "08600000000018", "8600000000018"]
    assert bread.words.split() == ["hleb", "1", "2"]
    (cashier,) = of_sort(SALE, receipt_facets.FacetSort.CASHIER)
    assert cashier.words == "milica djuric"


def test_an_article_twice_on_a_receipt_is_one_facet() -> None:
    twice = replace(SALE, lines=SALE.lines * 2)
    assert receipt_facets.facets_of(twice, program="till") == receipt_facets.facets_of(
        SALE, program="till"
    )


def test_what_paid_nothing_is_no_payment() -> None:
    closed = replace(SALE, payments=((PaymentMethod.CASH, Money.ZERO),))
    assert receipt_facets.methods_of(closed) == ()
    assert of_sort(closed, receipt_facets.FacetSort.PAYMENT) == []


@pytest.mark.parametrize(
    ("document", "asks"),
    [
        (replace(SALE, buyer="12:123456788:12345"), True),
        (replace(SALE, buyer="10:123456788"), False),
        (replace(SALE, buyer="10:123456788", cost_centre="50:1"), True),
        (replace(SALE, buyer="12:123456788:12345", invoice_type=InvoiceType.PROFORMA), False),
    ],
)
def test_what_asks_an_e_invoice(document: FiscalDocument, asks: bool) -> None:
    assert (receipt_facets.E_INVOICE in receipt_facets.facets_of(document, program="till")) is asks


def test_a_firm_is_found_by_its_number() -> None:
    firm = receipt_facets.buyer_facet("12:123456788:12345")
    assert (firm.text, firm.words) == ("12:123456788:12345", "123456788 12345")
    assert receipt_facets.shown_buyer(firm.text) == "12:123456788:12345"


@pytest.mark.parametrize("buyer", [f"11:{JMBG}", "20:003456789", "99:of no codebook"])
def test_a_persons_number_is_not_kept(buyer: str) -> None:
    """No part of it is kept either: the receipt is found by the whole number alone."""
    person = receipt_facets.buyer_facet(buyer)
    assert buyer[3:] not in person.text
    assert person.words == ""
    assert receipt_facets.shown_buyer(person.text) == buyer[:2]


def test_a_persons_whole_number_finds_the_facet() -> None:
    assert receipt_facets.buyer_facet(f"11:{JMBG}") in receipt_facets.persons_called(f" {JMBG} ")
    assert receipt_facets.buyer_facet(f"11:{JMBG}") not in receipt_facets.persons_called(JMBG[:-1])


@pytest.mark.parametrize(
    ("number", "parts"),
    [
        ("ABCD1234-abcd1234-8597", ("ABCD1234-abcd1234", 8597)),
        ("ABCD1234-ABCD1234-1", ("ABCD1234-ABCD1234", 1)),
        ("ABCD1234-ABCD1234-0597", ("ABCD1234-ABCD1234-0597", None)),
        ("ABCD1234-ABCD1234-" + "9" * 32, ("ABCD1234-ABCD1234-" + "9" * 32, None)),
        ("A-B-७", ("A-B-७", None)),
        ("8597", ("8597", None)),
        ("", ("", None)),
    ],
)
def test_a_number_is_put_together_again(number: str, parts: tuple[str, int | None]) -> None:
    assert receipt_facets.number_parts(number) == parts
    assert receipt_facets.number_of(*parts) == number
