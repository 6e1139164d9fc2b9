"""The issue operation: contradictions between fields, references, refunds by hand (fiscal.md 6)."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import Invalid
from tests.sweep import each
from tests.unit.fiscalization.plans.book import NOON, Book, fitting, line, number_of, planned, sale

YESTERDAY = (NOON - timedelta(days=1)).isoformat()
ELSEWHERE = "XYZW1234-XYZW1234-8652"
ARTICLE = {"name": "Хлеб", "taxRateLabel": "Е", "unit": "ком"}
ITEM = {"sku": 1, "quantity": 1, "unitPrice": 100, "article": ARTICLE}
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"wiretransfer": 100},
    "items": [ITEM],
    "receiptDelivery": {"pdf": True},
}
ADVANCE = SALE | {"invoiceType": "advance"}
REFUND = SALE | {
    "transactionType": "refund",
    "buyerId": "10:123456788",
    "referentDocumentNumber": ELSEWHERE,
    "referentDocumentDT": YESTERDAY,
}


def sold(kind: InvoiceType = InvoiceType.NORMAL) -> Book:
    return Book(sale(line("Хлеб/ком", "Е", "3", "100.00", sku=1), kind=kind, card="300.00"))


@each(
    ("body", "field"),
    [
        (SALE | {"posTime": YESTERDAY}, "posTime"),
        (ADVANCE | {"posTime": YESTERDAY, "payments": {"cash": 100}}, "posTime"),
        (ADVANCE | {"posTime": (NOON + timedelta(days=1)).isoformat()}, "posTime"),
        (ADVANCE | {"posTime": NOON.isoformat()}, "posTime"),
        (SALE | {"unknownAmountAdvance": True}, "unknownAmountAdvance"),
        (SALE | {"referentDocumentDT": YESTERDAY}, "referentDocumentDT"),
        (SALE | {"referentDocumentNumber": ELSEWHERE}, "referentDocumentDT"),
        (REFUND | {"invoiceType": "proforma", "transactionType": "sale"}, "referentDocumentNumber"),
        (REFUND | {"invoiceType": "training", "transactionType": "sale"}, "referentDocumentNumber"),
        (SALE | {"buyerCostCenterId": "20:AB"}, "buyerCostCenterId"),
        (SALE | {"buyerId": "10:123456788", "buyerCostCenterId": "50:1"}, "buyerCostCenterId"),
        (SALE | {"buyerId": "10:1", "buyerCostCenterId": "60:01012026_31012026"}, "buyerId"),
        (SALE | {"transactionType": "refund"}, "referentDocumentNumber"),
        ({**REFUND, "buyerId": None}, "buyerId"),
        (REFUND | {"payments": {"card": 101}}, "payments"),
        (REFUND | {"payments": {"cash": 101}}, "payments"),
        (REFUND | {"posTime": YESTERDAY}, "posTime"),
        (REFUND | {"invoiceType": "advance", "posTime": YESTERDAY}, "posTime"),
        (SALE | {"items": [ITEM | {"article": ARTICLE | {"name": "00: Дар"}}]}, "payments.other"),
        (SALE | {"advanceSpecification": {"Е": 100}}, "advanceSpecification"),
        (SALE | {"totalAmount": 99}, "totalAmount"),
        (SALE | {"payments": {"wiretransfer": 99}}, "payments"),
    ],
)
def test_a_contradiction_names_its_field(body: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        planned(body)
    assert refusal.value.field == field


@each(
    "body",
    [
        SALE,
        ADVANCE | {"posTime": YESTERDAY},
        ADVANCE | {"unknownAmountAdvance": True},
        SALE | {"referentDocumentNumber": ELSEWHERE, "referentDocumentDT": YESTERDAY},
        ADVANCE | {"referentDocumentNumber": ELSEWHERE, "referentDocumentDT": YESTERDAY},
        SALE | {"buyerId": "10:123456788", "buyerCostCenterId": "50:1",
         "payments": {"voucher": 100}},
        REFUND | {"buyerCostCenterId": "60:01012026_31012026"},
        SALE | {"items": [ITEM | {"article": ARTICLE | {"name": "00: Дар"}}],
         "payments": {"other": 100}},
    ],
)  # fmt: skip
def test_what_fits_together_is_taken(body: dict[str, Any]) -> None:
    (receipt,) = planned(body)
    assert receipt.document.total == Money(100)


@each(
    ("kind", "body", "fits"),
    [
        (InvoiceType.PROFORMA, SALE, True),
        (InvoiceType.NORMAL, SALE, False),
        (InvoiceType.TRAINING, SALE, False),
        (InvoiceType.NORMAL, REFUND, True),
        (InvoiceType.TRAINING, REFUND, False),
        (InvoiceType.TRAINING, REFUND | {"invoiceType": "training"}, True),
        (InvoiceType.PROFORMA, REFUND | {"invoiceType": "training"}, False),
    ],
)
def test_a_reference_names_a_receipt_of_its_kind(
    kind: InvoiceType, body: dict[str, Any], fits: bool
) -> None:
    body = {**body, "referentDocumentNumber": number_of(1), "referentDocumentDT": None}
    with fitting(fits, '"referentDocumentNumber".*receipt of another kind'):
        receipt = planned(body, sold(kind))[0]
        assert receipt.document.referent_time == NOON + timedelta(minutes=1)
    with pytest.raises(Invalid) as refusal:
        planned(REFUND | {"referentDocumentNumber": number_of(1)}, sold())
    assert refusal.value.field == "referentDocumentDT", "a time that is not the receipt's"


def test_a_receipt_from_elsewhere_is_refunded_as_it_is_told_with_a_copy_for_cash() -> None:
    refund, copy = planned(REFUND | {"payments": {"cash": 100}})
    assert refund.document.transaction_type is TransactionType.REFUND
    assert refund.document.referent_number == ELSEWHERE
    assert copy.document.invoice_type is InvoiceType.COPY
    assert (refund.esir.is_unchecked, copy.esir.is_unchecked) == (True, True)


def test_a_receipt_of_this_journal_is_never_refunded_beyond_what_was_sold() -> None:
    book = sold()
    body = REFUND | {
        "referentDocumentNumber": number_of(1),
        "referentDocumentDT": None,
        "items": [ITEM | {"quantity": 2}],
        "payments": {"card": 200},
    }
    book.add(*planned(body, book), operation=Operation.ISSUE)
    with pytest.raises(Invalid) as refusal:
        planned(body, book)
    assert refusal.value.field == "items[0].quantity"


def back(items: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A refund by issue of the receipt that `discounted` sold."""
    return REFUND | {
        "referentDocumentNumber": number_of(1),
        "referentDocumentDT": None,
        "items": items,
        **more,
    }


def discounted() -> Book:
    """Three loaves and two bags, each 10 % below its price of 100.00 and 9.99."""
    book = Book()
    bread = line("Хлеб/ком", "Е", "3", "90.00", sku=1, total="270.00")
    bag = line("Кеса/ком", "Ђ", "2", "8.99", sku=2, total="17.98")
    book.add(sale(bread, bag, card="287.98"))
    return book


BREAD = {"sku": 1, "quantity": 3, "unitPrice": 100}
BAG = {"sku": 2, "quantity": 2, "unitPrice": Decimal("9.99")}
ALL_BACK = {"payments": {"card": Decimal("287.98")}}


@each(
    ("items", "more"),
    [
        ([BREAD, BAG], {}),
        ([BREAD, BAG], {"discount": 10}),
        ([BREAD | {"totalAmount": 270}, BAG], {"discount": 10}),
        ([BREAD | {"totalAmount": 270}, BAG | {"totalAmount": Decimal("17.98")}], {}),
        ([BREAD | {"totalAmount": 270}, BAG], {"discount": 10, "totalAmount": Decimal("287.98")}),
        ([BREAD | {"article": ARTICLE}, BAG], {}),
        ([BREAD | {"unitPrice": 1}, BAG], {}),
    ],
)
def test_what_a_refund_by_issue_states_may_be_what_was_sold(
    items: list[dict[str, Any]], more: dict[str, Any]
) -> None:
    (refund,) = planned(back(items, **(ALL_BACK | more)), discounted())
    assert refund.document.total == Money("287.98")


@each(
    ("items", "more", "field"),
    [
        ([BREAD | {"totalAmount": 300}, BAG], {}, "items[0].totalAmount"),
        ([BREAD, BAG | {"totalAmount": 18}], {}, "items[1].totalAmount"),
        ([BREAD, BAG], {"discount": 20}, "discount"),
        ([BREAD | {"totalAmount": 270}, BAG], {"discount": 20}, "discount"),
        ([BREAD | {"totalAmount": 300}, BAG], {"discount": 10}, "items[0].totalAmount"),
        ([BREAD, BAG], {"totalAmount": 288}, "totalAmount"),
        ([BREAD | {"article": ARTICLE | {"taxRateLabel": "Ђ"}}, BAG], {},
         "items[0].article.taxRateLabel"),
        ([BREAD, BAG], {"payments": {"card": 288}}, "payments"),
    ],
)  # fmt: skip
def test_what_a_refund_by_issue_states_is_never_passed_over(
    items: list[dict[str, Any]], more: dict[str, Any], field: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        planned(back(items, **(ALL_BACK | more)), discounted())
    assert refusal.value.field == field


def test_one_item_that_is_taken_from_several_lines_states_their_sum() -> None:
    dear = line("Хлеб/ком", "Е", "1", "100.00", sku=1)
    book = Book(sale(dear, line("Хлеб/ком", "Е", "2", "80.00", sku=1), card="260.00"))
    one = {"sku": 1, "quantity": 2, "unitPrice": 100}
    paid = {"payments": {"card": 180}}
    (refund,) = planned(back([one | {"totalAmount": 180}], **paid), book)
    assert [str(each.total) for each in refund.document.lines] == ["100.00", "80.00"]
    with pytest.raises(Invalid) as refusal:
        planned(back([one | {"totalAmount": 200}], **paid), book)
    assert refusal.value.field == "items[0].totalAmount"
