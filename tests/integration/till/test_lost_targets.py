"""Operations that a till sent before its journal was put back, on receipts that the copy lacks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.selling.outbox.answer_effects import after_sending
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.answers import Issued, RefusedByServer, StillOpen, Unclear
from pos_app.selling.server.ports import OutgoingSale
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import until as becomes
from tests.integration.till import test_refunds
from tests.integration.till.test_operations_at_the_till import PAPER as PAPERS
from tests.integration.till.test_operations_at_the_till import outgoing

MANAGER = "Власник"


async def until(at: test_refunds.Counter, sale: Sale, what: str) -> Sale:
    async with asyncio.timeout(20):
        while True:
            await at.outbox.step()
            now = at.database.sales.sale(sale.key)
            if what in (now.state, now.reason and now.reason.code):
                return now
            await asyncio.sleep(0.02)


def refund_of(at: test_refunds.Counter, draft: RefundDraft) -> Sale:
    return confirm_refund(
        till=at.till,
        draft=draft,
        buyer=test_refunds.BUYER,
        delivery=test_refunds.PAPER,
        cashier="Мира",
        in_whole_dinars=True,
    )


async def killed_while_it_refunds(folder: Path) -> tuple[Sale, str]:
    """End the till while the processor signs a refund; then put back the journal from before the
    refunded sale. Return the refund and the number of its receipt."""
    async with test_refunds.counter(folder) as at:
        await at.sold()
        await at.ended(refund_of(at, RefundDraft.whole(await shown(at))))
        await until(at, refund_of(at, RefundDraft.whole(await shown(at, await at.sold()))), "done")
    shutil.copytree(folder / "journal", folder / "copy")
    async with test_refunds.counter(folder) as at:
        refund = refund_of(at, RefundDraft.whole(await shown(at, await at.sold())))
        before = len(at.server.shop.ledger())
        at.outbox.wake()
        sending = asyncio.create_task(until(at, refund, "done"))
        await becomes(lambda: len(at.server.shop.ledger()) > before)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending
        assert at.database.sales.sale(refund.key).state is SaleState.SENDING
        await becomes(lambda: len(at.server.shop.ledger()) > before + 1)
        number = at.server.shop.ledger()[before].number
        await at.sold()  # another program's sale
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder / "copy", folder / "journal")
    return refund, number


async def shown(at: test_refunds.Counter, number: str | None = None) -> ReceiptOverview:
    return (await at.receipts.receipt(number or at.server.shop.ledger()[0].number)).overview


async def test_a_refund_whose_receipt_was_lost_is_found_at_the_processor(folder: Path) -> None:
    refund, number = await killed_while_it_refunds(folder)
    async with test_refunds.counter(folder) as at:
        signed = len(at.server.shop.ledger())
        done = await until(at, refund, "done")
        assert done.receipt is not None
        assert done.receipt.fiscal_number == number
        assert len(at.server.shop.ledger()) == signed


@pytest.mark.parametrize("answer", ["found", "absent"])
async def test_a_refund_whose_receipt_was_lost_is_asked_of_a_person(
    folder: Path, answer: str
) -> None:
    refund, number = await killed_while_it_refunds(folder)
    async with test_refunds.counter(folder) as at:
        at.server.shop.processor.change(remember="last")
        ledger = at.server.shop.ledger()
        decisions = at.decisions
        told = await until(at, refund, "reported")
        assert told.receipt_id is not None
        await decisions.close_restored(by=MANAGER)
        doubt = await until(at, refund, "needs_human")
        assert doubt.state is SaleState.DOUBT
        assert doubt.receipt_id is not None
        if answer == "found":
            (paper,) = (one for one in ledger if one.number == number)
            url = json.loads(paper.answer)["verificationUrl"]
            await decisions.declare_found(doubt.receipt_id, verification_url=url, by=MANAGER)
            ended = await until(at, refund, "done")
            assert ended.receipt is not None
            assert ended.receipt.fiscal_number == number
            of_it = await shown(at, number)
            assert (of_it.total, of_it.lines) == (refund.total, ())
            assert of_it.why_not(ReceiptAct.COPY) is WhyNot.LOST
        else:
            await decisions.declare_absent(doubt.receipt_id, by=MANAGER)
            ended = await until(at, refund, "refused")
        assert len(at.server.shop.ledger()) == len(ledger)


PAID = {"payments": {"cash": 5}, "receiptDelivery": {"pdf": False}}
REST = {"buyerId": "10:101234567", "receiptDelivery": {"pdf": False}}
ADVANCE = SALE | {"invoiceType": "advance", "payments": {"cash": 10}}


async def acted(folder: Path) -> tuple[list[OutgoingSale], list[tuple[str, ...]]]:
    """Carry out a copy, a payment on an advance and its closing; then put back a journal without
    their receipts. Return the acts, each with the numbers that it got."""
    async with test_refunds.counter(folder) as at:
        await at.sold()
    shutil.copytree(folder / "journal", folder / "copy")
    asked: list[OutgoingSale] = []
    told: list[tuple[str, ...]] = []
    async with test_refunds.counter(folder) as at:
        till = FiscalHttp(at.api)

        async def done(operation: Operation, target: str | None, body: Any) -> Issued:
            sale = outgoing(len(asked) + 1, operation, target, body)
            answer = await till.issue(sale)
            assert isinstance(answer, Issued), answer
            numbers = (answer.receipt, *(receipt for _, receipt in answer.further))
            asked.append(sale)
            told.append(tuple(one.invoice_number for one in numbers))
            return answer

        sold = await done(Operation.ISSUE, None, SALE)
        advance = await done(Operation.ISSUE, None, ADVANCE)
        await done(Operation.COPY, sold.receipt_id, PAPERS)
        await done(Operation.ADVANCE, advance.receipt_id, PAID)
        total = sold.receipt.total_amount
        assert total is not None
        rest = REST | {"payments": {"cash": float(total.amount) - 15}}
        await done(Operation.CLOSE, advance.receipt_id, rest)
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder / "copy", folder / "journal")
    return [replace(one, is_from_before_restore=True) for one in asked[2:]], told[2:]


async def test_all_operations_are_found_without_what_they_act_on(folder: Path) -> None:
    reports, told = await acted(folder)
    async with test_refunds.counter(folder) as at:
        till = FiscalHttp(at.api)
        for report, numbers in zip(reports, told, strict=True):
            answer = await till.issue(report)
            assert isinstance(answer, Issued), answer
            found = (answer.receipt, *(receipt for _, receipt in answer.further))
            assert tuple(one.invoice_number for one in found) == numbers
            ended = after_sending(answer, report.operation).receipt
            assert ended is not None
            assert ended.fiscal_number == numbers[-1]


async def test_all_operations_are_asked_about_and_none_is_sent(folder: Path) -> None:
    """A closing whose first receipt is found is asked about again whatever is said of its sale:
    this journal does not know what the sale would be."""
    reports, told = await acted(folder)
    async with test_refunds.counter(folder) as at:
        at.server.shop.processor.change(remember="last")
        await at.sold()
        signed = at.server.shop.ledger()
        till, decisions = FiscalHttp(at.api), at.decisions
        answers = [await till.issue(report) for report in reports]
        for report, answer in zip(reports, answers, strict=True):
            assert isinstance(answer, Unclear), answer
            assert await till.issue(report) == answer
            found = await till.look_up(report.key)
            assert found == StillOpen(str(answer.receipt_id), "needs_human")
        asked = [doubt.key for doubt in await decisions.doubts()]
        assert set(asked) == {report.key for report in reports}
        closing = await till.look_up(reports[-1].key)
        assert isinstance(closing, StillOpen)
        (refund,) = (one for one in signed if one.number == told[-1][0])
        url = json.loads(refund.answer)["verificationUrl"]
        await decisions.declare_found(closing.receipt_id, verification_url=url, by=MANAGER)
        await decisions.declare_absent(closing.receipt_id, by=MANAGER)
        async with asyncio.timeout(20):
            while (now := await till.look_up(reports[-1].key)) != closing:
                assert isinstance(now, StillOpen)
                await asyncio.sleep(0.05)
        assert len(at.server.shop.ledger()) == len(signed)


async def test_two_payments_on_an_advance_that_is_known_are_asked_about_in_turn(
    folder: Path,
) -> None:
    """The second waits for the first, and both are remembered: their sums are known, and the
    advance goes on."""
    async with test_refunds.counter(folder) as at:
        advance = await FiscalHttp(at.api).issue(outgoing(1, Operation.ISSUE, None, ADVANCE))
        assert isinstance(advance, Issued)
    shutil.copytree(folder / "journal", folder / "copy")
    paid = [outgoing(n, Operation.ADVANCE, advance.receipt_id, PAID) for n in (2, 3)]
    async with test_refunds.counter(folder) as at:
        for one in paid:
            assert isinstance(await FiscalHttp(at.api).issue(one), Issued)
        await at.sold()
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder / "copy", folder / "journal")
    reports = [replace(one, is_from_before_restore=True) for one in paid]
    async with test_refunds.counter(folder) as at:
        at.server.shop.processor.change(remember="last")
        till, ledger = FiscalHttp(at.api), at.server.shop.ledger()
        for report, payment in zip(reports, ledger[1:3], strict=True):
            for other in reports:
                kept = await till.issue(other)
                assert isinstance(kept, Unclear | RefusedByServer | Issued), kept
            doubt = await till.issue(report)
            assert isinstance(doubt, Unclear)
            assert doubt.receipt_id is not None
            url = json.loads(payment.answer)["verificationUrl"]
            await at.decisions.declare_found(doubt.receipt_id, verification_url=url, by=MANAGER)
        told = await shown(at, advance.receipt.invoice_number)
        assert told.advance is not None
        assert told.advance.paid == Money(20)
        assert told.why_not(ReceiptAct.CLOSE) is None
        assert len(at.server.shop.ledger()) == len(ledger)


async def test_an_advance_of_which_a_lost_refund_was_found_is_not_listed_as_paid(
    folder: Path,
) -> None:
    """The refund also covers a payment from after the copy: nobody knows what is left of the
    advance."""
    async with test_refunds.counter(folder) as at:
        advance = await FiscalHttp(at.api).issue(outgoing(1, Operation.ISSUE, None, ADVANCE))
        assert isinstance(advance, Issued)
        assert [one.paid for one in (await at.receipts.advances()).advances] == [Money(10)]
    shutil.copytree(folder / "journal", folder / "copy")
    refund = outgoing(3, Operation.REFUND, advance.receipt_id, REST | {"payments": {"cash": 15}})
    async with test_refunds.counter(folder) as at:
        paid = outgoing(2, Operation.ADVANCE, advance.receipt_id, PAID)
        for one in (paid, refund):
            assert isinstance(await FiscalHttp(at.api).issue(one), Issued)
        await at.sold()
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder / "copy", folder / "journal")
    async with test_refunds.counter(folder) as at:
        report = replace(refund, is_from_before_restore=True)
        assert isinstance(await FiscalHttp(at.api).issue(report), Issued)
        told = await shown(at, advance.receipt.invoice_number)
        assert told.why_not(ReceiptAct.CLOSE) is WhyNot.LOST
        listed = await at.receipts.advances()
        assert (listed.advances, listed.is_whole) == ((), False)
