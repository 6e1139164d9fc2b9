"""A chain of receipts for the tests of plans: plans go in, signed links come out."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel, tax_within
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.esir_part import ReceiptReference
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.operations import AdvancePayment, Closing, Operation
from pos_app.domain.receipt.receipt import SignedReceipt, TaxItem
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance import plan_advance
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.close import plan_closing
from pos_app.fiscalization.plans.issue import plan_issue
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from pos_app.fiscalization.plans.shop_choices import USUAL
from pos_app.wire.fiscal import issue_request_from_json

NOON = datetime(2026, 11, 20, 11, 0, tzinfo=UTC)
SELLER = BuyerId.parse("10:101234567")
BUYER = BuyerId.parse("10:123456788")
BASIS = Basis(now=NOON, cashier="Ана", esir_number="123/3.2.0", seller=SELLER, rules=USUAL)
PDF = ReceiptDelivery(pdf=True)
RATES = {TaxLabel.DJ: 20, TaxLabel.E: 10, TaxLabel.G: 0, TaxLabel.A: 0}


def line(
    name: str, label: str, quantity: str, price: str, *, sku: int | None = None, total: str = ""
) -> FiscalLine:
    """A sold line; its total is price × quantity unless `total` says otherwise."""
    many, each = Quantity(quantity), Money(price)
    whole = Money(total) if total else each.times(many)
    return FiscalLine(name, TaxLabel(label), many, each, whole, sku=sku)


def payments(**amounts: str) -> Payments:
    """For example payments(cash="10.00")."""
    return Payments.of({PaymentMethod(name): Money(text) for name, text in amounts.items()})


def sale(
    *lines: FiscalLine,
    kind: InvoiceType = InvoiceType.NORMAL,
    buyer: str | None = None,
    order: AdvanceOrder | None = None,
    **paid: str,
) -> PlannedReceipt:
    document = FiscalDocument(
        invoice_type=kind,
        transaction_type=TransactionType.SALE,
        lines=lines,
        payments=payments(**paid).by_method,
        cashier="Ана",
        buyer=buyer,
    )
    return PlannedReceipt(document=document, order=order, delivery=PDF)


class Book:
    """Signs planned receipts, one after the other, beginning with those of one command."""

    def __init__(self, *planned: PlannedReceipt) -> None:
        self.links: list[ChainReceipt] = []
        self._commands = 0
        if planned:
            self.add(*planned)

    @property
    def chain(self) -> Chain:
        return Chain(tuple(self.links))

    def add(
        self,
        *planned: PlannedReceipt,
        operation: Operation = Operation.ISSUE,
        states: tuple[RequestState, ...] = (),
    ) -> ChainReceipt:
        """Add one command's receipts, signed unless `states` says otherwise; returns the first."""
        self._commands += 1
        first = len(self.links)
        for child, receipt in enumerate(planned):
            state = states[child] if states else RequestState.SIGNED
            self._add(receipt, operation, child, state, first)
        return self.links[first]

    def _add(
        self,
        planned: PlannedReceipt,
        operation: Operation,
        child: int,
        state: RequestState,
        first: int,
    ) -> None:
        if planned.follows is not None and state is RequestState.SIGNED:
            planned = planned.after(self.links[first + planned.follows].reference)
        counter = len(self.links) + 1
        link = ChainReceipt(
            id=f"request-{counter}",
            command_id=f"command-{self._commands}",
            operation=operation,
            child=child,
            state=state,
            planned=planned,
            receipt=signed(planned, counter) if state is RequestState.SIGNED else None,
        )
        self.links.append(link)


def number_of(counter: int) -> str:
    """The number of the receipt with that counter."""
    return f"ABCD1234-ABCD1234-{counter}"


def signed(planned: PlannedReceipt, counter: int) -> SignedReceipt:
    """The answer of a processor, with its own tax."""
    taxes = tuple(
        TaxItem(0, "", label.value, Decimal(RATES[label]), tax_within(gross, Decimal(RATES[label])))
        for label, gross in planned.document.by_label.items()
    )
    moment = NOON + timedelta(minutes=counter)
    return SignedReceipt(
        sdc_time=moment,
        sdc_time_text=moment.isoformat(),
        invoice_counter=f"{counter}/{counter}ПП",
        invoice_number=number_of(counter),
        signed_by="ABCD1234",
        encrypted_internal_data="",
        tax_items=taxes,
        total_amount=planned.document.total,
    )


def reference(counter: int) -> ReceiptReference:
    return ReceiptReference(number_of(counter), NOON + timedelta(minutes=counter))


def known(*lines: FiscalLine) -> AdvanceOrder:
    return AdvanceOrder(lines, is_known=True)


def unknown(*lines: FiscalLine) -> AdvanceOrder:
    return replace(known(*lines), is_known=False)


def fitting(fits: bool, words: str = "") -> AbstractContextManager[object]:
    """What is done inside is taken, or (fits=False) refused in these words."""
    return nullcontext() if fits else pytest.raises(Invalid, match=words)


def advance(
    order: AdvanceOrder, *lines: FiscalLine, buyer: str | None = None, **paid: str
) -> PlannedReceipt:
    return sale(*lines, kind=InvoiceType.ADVANCE, buyer=buyer, order=order, **paid)


def closing(**paid: str) -> Closing:
    return Closing(payments=payments(**paid), delivery=PDF)


def closed(
    book: Book, request: Closing, *items: FiscalLine, basis: Basis = BASIS, corrects: bool = False
) -> tuple[PlannedReceipt, PlannedReceipt]:
    """The refund and the sale that close the advance at the book's begin."""
    first, chain = book.links[0], book.chain
    return plan_closing(
        receipt=first, chain=chain, request=request, items=items, basis=basis, corrects=corrects
    )


def paid_on(book: Book, request: AdvancePayment, basis: Basis = BASIS) -> PlannedReceipt:
    (planned,) = plan_advance(receipt=book.links[0], chain=book.chain, request=request, basis=basis)
    return planned


def planned(
    body: dict[str, Any], book: Book | None = None, of: int = 0
) -> tuple[PlannedReceipt, ...]:
    """The plan of an issue, which refers to a receipt of the book if there is one."""
    request, chain = issue_request_from_json(body), book.chain if book else Chain(())
    referent = book.links[of] if book and book.links else None
    return plan_issue(request=request, referent=referent, chain=chain, basis=BASIS)
