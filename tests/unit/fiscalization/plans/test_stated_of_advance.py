"""A refund of an advance by issue signs what is stated alone (platform-contract.md 2.13, 2.19)."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.errors import Invalid
from tests.sweep import each
from tests.unit.fiscalization.plans.book import Book, number_of, planned

BUYER = "10:123456788"
Shares = dict[str, int]

ADVANCE: dict[str, Any] = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "receiptDelivery": {"pdf": True},
}


def item(label: str, price: int, *, sku: int | None = None) -> dict[str, Any]:
    article = {"name": label, "taxRateLabel": label, "unit": "ком"}
    told = {} if sku is None else {"sku": sku}
    return told | {"quantity": 1, "unitPrice": price, "article": article}


ORDER = [item("Ђ", 60, sku=1), item("Е", 40, sku=2)]
TOTALS = [one | {"totalAmount": one["unitPrice"]} for one in ORDER]
GIFT = item("А", 0, sku=3)
PAID: dict[str, tuple[dict[str, Any], ...]] = {
    "known": (ADVANCE | {"items": ORDER, "payments": {"card": 100}},),
    "known, Е given back": (ADVANCE | {"items": ORDER, "payments": {"card": 100}},
     {"payments": {"card": 40}, "items": ORDER, "advanceSpecification": {"Е": 40}}),
    "unknown, Ђ alone": (ADVANCE | {"items": ORDER,
     "payments": {"card": 100}} | {"unknownAmountAdvance": True,
     "advanceSpecification": {"Ђ": 100}},),
    "unknown, both": (ADVANCE | {"items": ORDER,
     "payments": {"card": 100}} | {"unknownAmountAdvance": True,
     "advanceSpecification": {"Ђ": 60, "Е": 40}},),
    "unknown, half each": (ADVANCE | {"items": ORDER,
     "payments": {"card": 100}} | {"unknownAmountAdvance": True,
     "advanceSpecification": {"Ђ": 50, "Е": 50}},),
    "known, a gift": (ADVANCE | {"items": [*ORDER, GIFT], "payments": {"card": 100}},),
    "one label": (ADVANCE | {"items": [item("Е", 100, sku=2)], "payments": {"card": 100}},),
}  # fmt: skip
DJ, E = item("Ђ", 30), item("Е", 30)
SKU_1, SKU_2, SKU_9 = ({"sku": sku, "quantity": 1, "unitPrice": 30} for sku in (1, 2, 9))


def total(one: dict[str, Any], amount: int) -> dict[str, Any]:
    return one | {"totalAmount": amount}


def refund(items: list[dict[str, Any]], amount: int, specified: Shares | None) -> dict[str, Any]:
    body = ADVANCE | {"transactionType": "refund", "buyerId": BUYER, "items": items}
    body |= {"payments": {"card": amount}, "referentDocumentNumber": number_of(1)}
    return body if specified is None else body | {"advanceSpecification": specified}


def book_of(paid: str) -> Book:
    first, *later = PAID[paid]
    book = Book(*planned(first, None))
    for body in later:
        told = refund(body["items"], body["payments"]["card"], body["advanceSpecification"])
        book.add(*planned(told, book))
    return book


@each(
    ("paid", "items", "amount", "specified", "signed"),
    [
        # Both labels are stated, so the order's proportion is meant.
        ("known", [DJ, E], 30, None, {"Ђ": 18, "Е": 12}),
        ("known", ORDER, 100, None, {"Ђ": 60, "Е": 40}),
        ("known", [total(DJ, 18), total(E, 12)], 30, None, {"Ђ": 18, "Е": 12}),
        # The items state the order, not the part that goes back.
        ("known", [total(DJ, 60), total(E, 40)], 30, None, {"Ђ": 18, "Е": 12}),
        # Articles by number alone are those of the order; an article outside the order states no
        # label.
        ("known", [SKU_1, SKU_2], 30, None, {"Ђ": 18, "Е": 12}),
        ("known", [SKU_1, E], 30, None, {"Ђ": 18, "Е": 12}),
        ("known", [SKU_9], 30, None, {"Ђ": 18, "Е": 12}),
        # The specification names the label, the items may be those of the order.
        ("known", [DJ], 30, {"Ђ": 30}, {"Ђ": 30}),
        ("known", [E], 30, {"Е": 30}, {"Е": 30}),
        ("known", [DJ, E], 30, {"Е": 30}, {"Е": 30}),
        ("known", [SKU_2], 30, {"Е": 30}, {"Е": 30}),
        ("known", [total(DJ, 10), total(E, 20)], 30, {"Ђ": 10, "Е": 20}, {"Ђ": 10, "Е": 20}),
        # The specification counts, whatever the items add up to.
        ("known", [total(DJ, 18), total(E, 12)], 30, {"Ђ": 10, "Е": 20}, {"Ђ": 10, "Е": 20}),
        ("unknown, half each", TOTALS, 100, {"Ђ": 50, "Е": 50}, {"Ђ": 50, "Е": 50}),
        # A gift of the order adds nothing; where all goes back there is no choice.
        ("known, a gift", [*ORDER, GIFT], 100, None, {"Ђ": 60, "Е": 40}),
        ("known, a gift", [DJ, E, GIFT], 30, None, {"Ђ": 18, "Е": 12}),
        ("unknown, Ђ alone", ORDER, 100, None, {"Ђ": 100}),
        ("known, Е given back", ORDER, 60, None, {"Ђ": 60}),
        ("known, Е given back", [DJ], 30, None, {"Ђ": 30}),
        ("known, Е given back", [DJ, E], 30, {"Ђ": 30}, {"Ђ": 30}),
        ("unknown, Ђ alone", [DJ], 30, None, {"Ђ": 30}),
        ("unknown, Ђ alone", [DJ, E], 30, {"Ђ": 30}, {"Ђ": 30}),
        ("unknown, both", [E], 30, {"Е": 30}, {"Е": 30}),
        ("unknown, both", [DJ, E], 100, None, {"Ђ": 60, "Е": 40}),
        ("one label", [E], 30, None, {"Е": 30}),
        ("one label", [SKU_2], 30, None, {"Е": 30}),
    ],
)
def test_what_is_stated_is_signed(
    paid: str, items: list[dict[str, Any]], amount: int, specified: Shares | None, signed: Shares
) -> None:
    made = planned(refund(items, amount, specified), book_of(paid))[0].document
    assert {label.value: share.amount for label, share in made.by_label.items()} == signed


SPECIFICATION = "advanceSpecification"


@each(
    ("paid", "items", "amount", "specified", "field"),
    [
        # One label is stated and two would be signed, or the other way round.
        ("known", [DJ], 30, None, SPECIFICATION),
        ("known", [total(DJ, 30)], 30, None, SPECIFICATION),
        ("known", [E], 100, None, SPECIFICATION),
        ("known", [SKU_1], 30, None, SPECIFICATION),
        ("known, Е given back", [E], 30, None, SPECIFICATION),
        ("known, Е given back", [DJ, E], 30, None, SPECIFICATION),
        ("unknown, half each", TOTALS, 100, None, SPECIFICATION),
        ("known, Е given back", [SKU_9, E], 30, None, SPECIFICATION),
        ("unknown, Ђ alone", [E], 30, None, SPECIFICATION),
        ("unknown, Ђ alone", [SKU_2], 30, None, SPECIFICATION),
        ("unknown, Ђ alone", [DJ, E], 30, None, SPECIFICATION),
        ("unknown, both", [E], 30, None, SPECIFICATION),
        ("unknown, both", [E], 100, None, SPECIFICATION),
        # Both labels, but other amounts of them.
        ("known", [total(DJ, 10), total(E, 20)], 30, None, SPECIFICATION),
        ("known", [total(SKU_1, 10), total(SKU_2, 20)], 30, None, SPECIFICATION),
        # The specification names a label of no item.
        ("known", [DJ], 30, {"Е": 30}, f"{SPECIFICATION}.Е"),
        ("known", [SKU_1], 30, {"Ђ": 20, "Е": 10}, f"{SPECIFICATION}.Е"),
        ("unknown, both", [E], 30, {"Ђ": 30}, f"{SPECIFICATION}.Ђ"),
        # Nothing with that label was ordered.
        ("one label", [DJ], 30, None, "items[0].article.taxRateLabel"),
        ("one label", [DJ], 30, {"Е": 30}, "items[0].article.taxRateLabel"),
    ],
)
def test_what_contradicts_is_refused(
    paid: str, items: list[dict[str, Any]], amount: int, specified: Shares | None, field: str
) -> None:
    book = book_of(paid)
    with pytest.raises(Invalid) as refusal:
        planned(refund(items, amount, specified), book)
    assert refusal.value.field == field
