"""A sale is paid, and the ways that were promised for its receipt go before it is sent. The receipt
is issued all the same; its paper has a job, which Attention tells about where nothing prints it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.till import BREAD
from tests.integration.till import test_refunds
from tests.integration.till.test_leaving_vat import CASHIER, entered, paid

EVERY_WAY = ReceiptDelivery(thermal=True, a4=True, email="kupac@example.rs", pdf=False)
DEVICES = frozenset({JobMethod.THERMAL, JobMethod.A4, JobMethod.EMAIL})


@dataclass
class Methods:
    """What the store's settings offer; a test changes it."""

    offered: frozenset[str] = field(default_factory=lambda: frozenset(DEVICES))

    def print_methods(self) -> frozenset[str]:
        return self.offered


async def all_ways(at: test_refunds.Counter, act: str) -> Sale:
    """An act of the till that asks for every way, confirmed and not sent yet."""
    if act == "sale":
        return paid(at, entered(at, BREAD), delivery=EVERY_WAY)
    shown = (await at.receipts.receipt(await at.sold())).overview
    return confirm_refund(
        till=at.till,
        draft=RefundDraft.whole(shown),
        buyer=test_refunds.BUYER,
        delivery=EVERY_WAY,
        cashier=CASHIER,
        in_whole_dinars=True,
    )


@pytest.mark.parametrize(("act", "refuses_without_mail"), [("sale", True), ("refund", False)])
async def test_ways_that_are_given_up_after_the_payment_refuse_no_receipt(
    folder: Path, act: str, refuses_without_mail: bool
) -> None:
    methods = Methods()
    store = AvailableHandover(methods, DEVICES, refuses_without_mail=refuses_without_mail)
    async with test_refunds.counter(folder, store=store) as at:
        sale = await all_ways(at, act)
        methods.offered = frozenset()
        done = await at.ended(sale)
        assert (done.state, done.reason) == (SaleState.DONE, None)
        jobs = {one.method for one in at.server.shop.journal.jobs.not_done()}
        assert jobs == {JobMethod.THERMAL, JobMethod.A4}, "the mail is told as not sent"
