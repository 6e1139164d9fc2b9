"""What is owed on each receipt of a chain, by what refunds, closings and reversals did to it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from pos_app.adapters.sqlite.receipt_index.reports import ReportReader
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.reports import Grouping, Receivable, ReportAsked
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from tests.integration.receipt_index.model import row_of, written
from tests.integration.receipt_index.test_questions import FIRST

TRANSFER, CHECK, CASH = PaymentMethod.WIRE_TRANSFER, PaymentMethod.CHECK, PaymentMethod.CASH
NORMAL, ADVANCE = InvoiceType.NORMAL, InvoiceType.ADVANCE
BUYER = "10:123456788"


class Link(NamedTuple):
    """A receipt of the chain that the first one begins, one a day. of: the place of the receipt
    that it refers to; None: none, or one of another journal."""

    what: str
    paid: dict[PaymentMethod, int]
    of: int | None = None
    kind: InvoiceType = NORMAL


def rows_of(links: tuple[Link, ...]) -> list[SignedRow]:
    rows = []
    for place, link in enumerate(links):
        total = Money(sum(link.paid.values()))
        is_back = link.what in ("refund", "closing")
        document = FiscalDocument(
            invoice_type=link.kind,
            transaction_type=TransactionType.REFUND if is_back else TransactionType.SALE,
            lines=(FiscalLine("Роба", TaxLabel.DJ, Quantity(1), total, total),),
            payments=tuple((method, Money(amount)) for method, amount in link.paid.items()),
            cashier="Ана",
            buyer=BUYER,
        )
        members = {
            "chain": uuid.UUID(int=0),
            "referent": None if link.of is None else f"abcd1234-ABCD1234-{link.of + 1}",
            "is_closing": link.what == "closing",
            "is_reversal": link.what == "reversal",
        }
        rows.append(row_of(place, FIRST + timedelta(days=place), document, **members))
    return rows


def told(folder: Path, rows: list[SignedRow], *, days: int = 30) -> tuple[Receivable, ...]:
    written(folder / "list.db", rows)
    last = FIRST.date() + timedelta(days=days)
    methods = frozenset({TRANSFER, CHECK})
    asked = ReportAsked(Grouping.RECEIVABLES, last, last, methods=methods)
    return ReportReader(folder / "list.db").report(asked, ListState(0, 0)).receivables


def owed(folder: Path, rows: list[SignedRow], *, days: int = 30) -> dict[str, int]:
    """Return what is owed, by the counter of the receipt."""
    receivables = told(folder, rows, days=days)
    return {one.number[18:]: int(one.amount - one.given_back) for one in receivables}


SALE = Link("sale", {TRANSFER: 100})
PAID = Link("sale", {TRANSFER: 100}, kind=ADVANCE)


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ((SALE,), {"1": 100}),
        ((Link("sale", {TRANSFER: 70, CHECK: 20, CASH: 10}),), {"1": 90}),
        ((Link("sale", {CASH: 100}),), {}),
        *(
            ((SALE._replace(kind=kind),), {})
            for kind in (InvoiceType.COPY, InvoiceType.PROFORMA, InvoiceType.TRAINING)
        ),
        ((SALE, Link("refund", {TRANSFER: 30}, 0)), {"1": 70}),
        ((SALE, Link("refund", {CASH: 30}, 0)), {"1": 100}),
        ((SALE, Link("refund", {TRANSFER: 100}, 0), Link("reversal", {TRANSFER: 100}, 1)),
         {"1": 100}),
        ((Link("sale", {CASH: 100}), Link("refund", {TRANSFER: 100}, 0)), {}),
        # two payments on an advance, given back by one refund that names the last
        ((PAID, PAID._replace(of=0), Link("refund", {TRANSFER: 150}, 1, ADVANCE)),
         {"1": 50, "2": 0}),
        # closed: no money moved by it, and the rest is owed on the sale
        ((PAID, Link("closing", {TRANSFER: 100}, 0, ADVANCE), Link("sale", {TRANSFER: 40}, 1)),
         {"1": 100, "3": 40}),
        # a closing whose sale was refused, undone
        ((PAID, Link("closing", {TRANSFER: 100}, 0, ADVANCE),
          Link("reversal", {TRANSFER: 100}, 1, ADVANCE)), {"1": 100}),
        # the refund of a closed sale gives back what was paid in advance, too
        ((PAID, Link("closing", {TRANSFER: 100}, 0, ADVANCE), Link("sale", {TRANSFER: 40}, 1),
          Link("refund", {TRANSFER: 140}, 2)), {"1": 0, "3": 0}),
        # an advance of another system, refunded by hand, and its sale
        ((Link("refund", {TRANSFER: 100}, None, ADVANCE), Link("sale", {TRANSFER: 40}, 0)),
         {"2": 40}),
    ],
)  # fmt: skip
def test_what_is_owed_follows_the_receipts_of_its_chain(
    tmp_path: Path, links: tuple[Link, ...], expected: dict[str, int]
) -> None:
    assert owed(tmp_path, rows_of(links)) == expected


def test_at_the_end_of_a_day_nothing_later_counts(tmp_path: Path) -> None:
    rows = rows_of((SALE, SALE, Link("refund", {TRANSFER: 100}, 0)))
    assert owed(tmp_path, rows, days=1) == {"1": 100, "2": 100}


def test_a_buyer_is_told_with_the_methods_and_a_natural_person_by_the_code(tmp_path: Path) -> None:
    first, second, other, nobody = rows_of((Link("sale", {CHECK: 5, TRANSFER: 5}), *(SALE,) * 3))
    rows = [first, second, bought_by(other, "11:0101990710008"), bought_by(nobody, None)]
    firm, same, person, none = told(tmp_path, rows)
    assert (firm.buyer, firm.methods) == (BUYER, (CHECK, TRANSFER))
    assert firm.buyer_key == same.buyer_key
    assert (person.buyer, none.buyer, none.buyer_key) == ("11", None, None)
    assert person.buyer_key not in (firm.buyer_key, None)


def bought_by(row: SignedRow, buyer: str | None) -> SignedRow:
    return replace(row, document=replace(row.document, buyer=buyer))
