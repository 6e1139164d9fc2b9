"""The JSON of the list of receipts: its query, and its pages.

Source: platform-contract.md 2.27.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from hashlib import blake2b
from itertools import product
from typing import Any, TypeVar

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.receipt import TaxItem
from pos_app.domain.receipt.receipt_list import (
    ListedReceipt,
    ListPage,
    ListPosition,
    ReceiptFigures,
    ReceiptQuery,
)
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import beginning_of, from_text
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.wire import bounds
from pos_app.wire.moment import instant_text
from pos_app.wire.number import Number
from pos_app.wire.reading import Shape, at
from pos_app.wire.receipt import TaxItemShape
from pos_app.wire.records import to_json

USUAL_ROWS, MOST_ROWS = 50, 200
LONGEST_TEXT = 200
"""The most characters of a member of the query."""
_POSITION = re.compile(r"(-?[0-9]{1,18})\.([0-9]{1,18})\.[0-9a-f]{12}", re.ASCII)
_OF_A_PAGE = frozenset({"limit", "after"})
"""The members that may differ from page to page."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_ROWS = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)
_CHOICES = {
    "invoiceType": InvoiceType,
    "transactionType": TransactionType,
    "payment": PaymentMethod,
}
_TEXTS = {"cashier": "cashier", "program": "program", "number": "number", "words": "words"}
MEMBERS = frozenset({"since", "until", *_CHOICES, *_TEXTS, "buyerId", *_OF_A_PAGE})
"""The members of a query."""

_C = TypeVar("_C", InvoiceType, TransactionType, PaymentMethod)
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class AskedPage:
    """after: the position behind which the page begins, None for the newest receipts."""

    query: ReceiptQuery
    after: ListPosition | None
    most: int


# --- the query -----------------------------------------------------------------------------------


def asked_page(members: Mapping[str, str]) -> AskedPage:
    """Read a query's members, which are texts. Raises Invalid naming the member."""
    for name, text in members.items():
        if name not in MEMBERS:
            raise Invalid("words", field=name, words="is not allowed")
        if not text.strip():  # a program whose variable is empty does not mean all receipts
            raise Invalid("not_empty", field=name)
        if len(text) > LONGEST_TEXT:
            raise Invalid("words", field=name, words=f"may have {LONGEST_TEXT} characters at most")
    texts = {member: members.get(name, "").strip() for name, member in _TEXTS.items()}
    query = ReceiptQuery(
        since=_read(members, "since", _beginning),
        until=_read(members, "until", _end),
        kinds=_kinds(members),
        payments=frozenset(_chosen(members, "payment", PaymentMethod)),
        cashier=texts["cashier"] or None,
        program=texts["program"] or None,
        buyer=_read(members, "buyerId", lambda text: str(BuyerId.parse(text))),
        number=texts["number"],
        words=texts["words"],
    )
    if query.since is not None and query.until is not None and query.until <= query.since:
        raise Invalid("words", field="until", words="must not lie before `since`")
    return AskedPage(query, _position(members), _rows(members.get("limit", "")))


def _read(members: Mapping[str, str], name: str, read: Callable[[str], _V]) -> _V | None:
    text = members.get(name, "").strip()
    return at(name, read, text) if text else None


def _kinds(members: Mapping[str, str]) -> frozenset[ReceiptKind]:
    invoices = _chosen(members, "invoiceType", InvoiceType)
    transactions = _chosen(members, "transactionType", TransactionType)
    if not invoices and not transactions:
        return frozenset()
    pairs = product(invoices or InvoiceType, transactions or TransactionType)
    return frozenset(ReceiptKind(*pair) for pair in pairs)


def _chosen(members: Mapping[str, str], name: str, choices: type[_C]) -> list[_C]:
    texts = [text.strip() for text in members[name].split(",")] if name in members else []
    try:
        return [choices(text) for text in texts]
    except ValueError:
        known = ", ".join(each.value for each in choices)
        raise Invalid("words", field=name, words=f"must be of: {known}") from None


def _beginning(text: str) -> datetime:
    return beginning_of(_day(text)) if _DAY.fullmatch(text) else from_text(text)


def _end(text: str) -> datetime:
    """A day is meant to its end."""
    if not _DAY.fullmatch(text):
        return from_text(text)
    return beginning_of(_day(text) + timedelta(days=1))


def _day(text: str) -> date:
    return from_text(f"{text}T12:00:00").date()


def _rows(text: str) -> int:
    if not text:
        return USUAL_ROWS
    if not _ROWS.fullmatch(text) or int(text) > MOST_ROWS:
        words = f"must be a whole number from 1 to {MOST_ROWS}"
        raise Invalid("words", field="limit", words=words)
    return int(text)


def _position(members: Mapping[str, str]) -> ListPosition | None:
    text = members.get("after", "")
    if not text:
        return None
    found = _POSITION.fullmatch(text)
    position = None if found is None else ListPosition(int(found[1]), int(found[2]))
    if position is None or text != _after(position, members):
        words = "must be the `next` of the page before, beside the same other members"
        raise Invalid("words", field="after", words=words)
    return position


def _after(position: ListPosition, members: Mapping[str, str]) -> str:
    """The `after` of the page behind a position. It ends with a digest of the position and of the
    conditions, by which a cut one, and one of another list, is refused."""
    asked = sorted((name, text.strip()) for name, text in members.items() if name not in _OF_A_PAGE)
    text = f"{position.at}.{position.row}"
    return f"{text}.{blake2b(repr((text, asked)).encode(), digest_size=6).hexdigest()}"


# --- a page --------------------------------------------------------------------------------------


class ListedItemShape(Shape):
    sku: Number | None
    name: str
    tax_rate_label: str
    quantity: Number
    unit_price: bounds.Amount
    total_amount: bounds.Amount
    gtin: str | None


class ListedReceiptShape(Shape):
    """A row. The members from `payments` on are null where the journal can't be read there."""

    id: str
    invoice_number: str
    sdc_date_time: str
    invoice_type: str
    transaction_type: str
    total_amount: bounds.Amount
    referent_document_number: str | None
    buyer_id: str | None
    cashier: str
    program: str
    payments: dict[str, Number] | None
    tax_items: list[TaxItemShape] | None
    items: list[ListedItemShape] | None


class ReceiptPageShape(Shape):
    """The form of an answer; `page_to_json` writes it."""

    receipts: list[ListedReceiptShape]
    next: str | None
    unreadable: int


def page_to_json(page: ListPage, members: Mapping[str, str]) -> dict[str, Any]:
    """The answer with a page. `next` is the `after` of the next page. members: of its query."""
    after = page.go_on
    return {
        "receipts": [_row(row) for row in page.rows],
        "next": None if after is None else _after(after, members),
        "unreadable": page.state.left_out,
    }


def _row(row: ListedReceipt) -> dict[str, Any]:
    figures = row.figures
    return {
        "id": row.request_id,
        "invoiceNumber": row.number,
        "sdcDateTime": instant_text(row.at),
        "invoiceType": row.kind.invoice_type.value,
        "transactionType": row.kind.transaction_type.value,
        "totalAmount": row.total.amount,
        "referentDocumentNumber": row.referent,
        "buyerId": row.buyer,
        "cashier": row.cashier,
        "program": row.program,
        **(_NO_FIGURES if figures is None else _figures(figures)),
    }


_NO_FIGURES = {"payments": None, "taxItems": None, "items": None}


def _figures(figures: ReceiptFigures) -> dict[str, Any]:
    return {
        "payments": {each.method.value: each.amount.amount for each in figures.payments},
        "taxItems": [to_json(TaxItem, item) for item in figures.taxes],
        "items": [_item(line) for line in figures.lines],
    }


def _item(line: FiscalLine) -> dict[str, Any]:
    return {
        "sku": line.sku,
        "name": line.name,
        "taxRateLabel": line.label.value,
        "quantity": line.quantity.amount,
        "unitPrice": line.unit_price.amount,
        "totalAmount": line.total.amount,
        "gtin": line.gtin,
    }
