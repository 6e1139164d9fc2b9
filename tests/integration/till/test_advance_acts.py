"""A further payment and a closing from the till's file through the outbox to the real server and
processor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import Invalid
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment, advance_of
from pos_app.selling.receipts.confirm import confirm_advance_payment, confirm_closing
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.integration.fiscalization.test_operations import ADVANCE, BOOK, BUYER
from tests.integration.till.test_refunds import PAPER, Counter, counter

DETAILS = ReceiptDetails(delivery=PAPER)
UNKNOWN = ADVANCE | {"unknownAmountAdvance": True, "advanceSpecification": {"Ђ": 4000, "Е": 2000}}


def given(**amounts: str) -> Payments:
    return Payments.of({PaymentMethod(name): Money(text) for name, text in amounts.items()})


async def begun(at: Counter, **beside: object) -> ReceiptOverview:
    """Issue an advance of 18,000, with 6,000 paid, for another program."""
    issued = await at.server.shop.sell(ADVANCE | BUYER | beside)
    return (await at.receipts.receipt(issued.receipt_id)).overview


def paying(at: Counter, overview: ReceiptOverview, tendered: Payments) -> Sale:
    payment = FurtherPayment(overview, tendered)
    return confirm_advance_payment(till=at.till, payment=payment, details=DETAILS, cashier="Мира")


def closing(at: Counter, draft: ClosingDraft) -> Sale:
    return confirm_closing(till=at.till, closing=draft, details=DETAILS, cashier="Мира")


async def issued(at: Counter, sale: Sale) -> ReceiptOverview:
    done = await at.ended(sale)
    assert done.state is SaleState.DONE, done.reason
    assert done.receipt is not None
    return (await at.receipts.receipt(done.receipt.fiscal_number)).overview


async def test_payments_then_the_closing_and_the_chain_is_no_longer_open(folder: Path) -> None:
    async with counter(folder) as at:
        first = await begun(at)
        sale = paying(at, first, given(cash="4000.00", card="500.00"))
        assert (sale.kind, sale.total) == (DocumentKind.ADVANCE, Money(4500))
        assert sale.money_taken.change == Money.ZERO
        second = await issued(at, sale)
        assert (second.total, second.cashier, second.buyer) == (
            Money(4500),
            "Мира",
            BUYER["buyerId"],
        )
        assert second.refers_to == first.number
        (row,) = (await at.receipts.advances()).advances
        assert (row.number, row.paid, row.remaining) == (second.number, Money(10500), Money(7500))
        draft = replace(ClosingDraft.of(second, in_whole_dinars=True), tendered=given(cash="8000"))
        vat = draft.advance.vat
        ended = closing(at, draft)
        assert (ended.kind, ended.total) == (DocumentKind.SALE, Money(7500))
        assert ended.money_taken.change == Money(500)
        sold = await issued(at, ended)
        assert (sold.invoice_type, sold.total) == (InvoiceType.NORMAL, Money(18000))
        assert [(one.method, one.amount) for one in sold.payments] == [
            (PaymentMethod.CASH, Money(8000))
        ]
        refund = sold.chain[-2]
        assert (refund.invoice_type, refund.transaction_type, refund.total) == (
            InvoiceType.ADVANCE,
            TransactionType.REFUND,
            Money(10500),
        )
        assert vat is not None
        assert (await at.receipts.advances()).advances == ()


async def test_what_another_till_did_meanwhile_is_refused_and_moves_nothing(folder: Path) -> None:
    async with counter(folder) as at:
        seen = await begun(at)
        await issued(at, paying(at, seen, given(card="10000")))
        refused = await at.ended(paying(at, seen, given(card="5000")))
        assert refused.state is SaleState.REFUSED
        assert refused.reason is not None
        assert "remains" in refused.reason.text
        short = replace(ClosingDraft.of(seen, in_whole_dinars=True), tendered=given(card="12000"))
        late = await at.ended(closing(at, short))
        assert late.state is SaleState.REFUSED
        now = advance_of((await at.receipts.receipt(seen.number)).overview)
        assert (now.paid, now.is_closed) == (Money(16000), False)


async def test_an_unknown_amount_is_split_and_its_items_are_named(folder: Path) -> None:
    async with counter(folder) as at:
        first = await begun(at, **UNKNOWN)
        unsplit = FurtherPayment(first, given(card="100"))
        with pytest.raises(Invalid):
            confirm_advance_payment(till=at.till, payment=unsplit, details=DETAILS, cashier="Мира")
        parts = {TaxLabel.DJ: Money(60), TaxLabel.E: Money(40)}
        payment = replace(unsplit, amounts_by_label=parts)
        second = await issued(
            at,
            confirm_advance_payment(till=at.till, payment=payment, details=DETAILS, cashier="Мира"),
        )
        assert {one.label: one.amount for one in advance_of(second).by_label} == {
            TaxLabel.DJ: Money(4060),
            TaxLabel.E: Money(2040),
        }
        draft = ClosingDraft.of(second, in_whole_dinars=True)
        assert (draft.names_items, draft.due) == (True, Money(11900))
        # The goods are fewer than ordered, and cost more than was paid.
        only_table = replace(draft, items=draft.items[:1], tendered=given(wiretransfer="5900"))
        sold = await issued(at, closing(at, only_table))
        assert [(one.name, one.total) for one in sold.lines] == [("Сто/ком", Money(12000))]
        assert sold.total == Money(12000)


async def test_one_line_of_unknown_amount_closes_at_what_was_paid(folder: Path) -> None:
    async with counter(folder) as at:
        first = await begun(at, items=[BOOK], unknownAmountAdvance=True)
        draft = ClosingDraft.of(first, in_whole_dinars=True)
        sold = await issued(at, closing(at, replace(draft, tendered=given(cash="250"))))
        assert sold.total == Money(6250)
        assert Money.total(one.amount for one in sold.payments) == Money(250)


async def test_a_closing_is_never_sent_by_itself_later(folder: Path) -> None:
    async with counter(folder) as at:
        first = await begun(at)
        draft = replace(ClosingDraft.of(first, in_whole_dinars=True), tendered=given(card="12000"))
        sale = closing(at, draft)
        assert sale.is_kept_in_front
        assert paying(at, first, given(card="1")).is_kept_in_front
        assert advance_of(first).buyer == BUYER["buyerId"]
