"""A till without a window that refunds a line, exchanges goods, corrects a payment, and closes an
advance of another system by hand.

    python -m tests.e2e.changing_till --data DIR --total 3

Its own file says which acts are done and so which comes next; a till that was killed goes on. It
speaks as `advancing_till`, and ends with 0 once `total` rounds are done.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery
from pos_app.errors import RemoteError
from pos_app.selling.receipts import frozen_pair
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.correction import CorrectionDraft, confirm_correction, paid_by
from pos_app.selling.receipts.exchanged import goods_back
from pos_app.selling.receipts.refund_by_hand import HandDraft, confirm_refund_by_hand, open_goods
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import ItemAdded, add_item, begin_exchange, start
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import Ticket
from tests.e2e import advancing_till, robot

SALES = 3
"""Sales of a round: in one a line is refunded, one is exchanged, one is corrected."""
ELSEWHERE = HandDraft(
    number="",
    day="20.11.2025.",
    time="11:42",
    goods="-",
    kind=InvoiceType.ADVANCE,
    amounts={TaxLabel.E: "1,00"},
    method=PaymentMethod.CARD,
    with_goods=True,
)
_CUSTOMER, _SHOP = BuyerId.parse("11:1234567890123"), BuyerId.parse("10:106543219")
_NO_PAPER = ReceiptDelivery()


class Changer(advancing_till.Cashier):
    """Makes one round after the other: three sales, each with its change, then a closing by
    hand."""

    async def _is_done(self) -> bool:
        return len(self._handed_over()) >= self._total and not self._half_done()

    # --- what its file says ----------------------------------------------------------------------

    def _kept(self) -> list[Sale]:
        """The confirmed sales, the oldest first, without refused ones that are done anew."""
        kept = self._core.database.sales.last(10_000)
        is_anew = {one.key for one in kept if one.state is not SaleState.DONE and one.target}
        return [one for one in reversed(kept) if one.key not in is_anew]

    def _plain(self) -> list[Sale]:
        """The sales that are changed afterwards."""
        issued = [one for one in self._kept() if one.operation is Operation.ISSUE]
        handed_over = {one.key for one in self._handed_over()}
        return [one for one in issued if one.follows is None and one.key not in handed_over]

    def _handed_over(self) -> list[Sale]:
        """The goods of advances that were closed by hand."""
        carts = self._core.till.carts
        issued = [one for one in self._kept() if one.operation is Operation.ISSUE]
        return [one for one in issued if carts.cart_of(one.cart_id).paid_before]

    def _half_done(self) -> list[frozen_pair.FrozenPair]:
        left = frozen_pair.unfinished_pairs(self._core.database.sales)
        return [
            one
            for one in left
            if frozen_pair.stage_of(one)
            in (frozen_pair.PairStage.NOT_BEGUN, frozen_pair.PairStage.HALF)
        ]

    # --- what comes next -------------------------------------------------------------------------

    async def _act(self) -> None:
        if self._begun():
            return
        kept, plain = self._kept(), self._plain()
        changed = {one.target for one in kept if one.target}
        for number, sale in enumerate(plain):
            assert sale.receipt is not None
            if sale.receipt.receipt_id not in changed:
                await self._change(sale, number % SALES)
                return
        closings = sum(one.closes_elsewhere for one in kept)
        if len(plain) == SALES * (closings + 1):
            self._close(closings + 1)
        else:
            robot.sell(self._core, robot.articles(self._core), items=2)

    def _begun(self) -> bool:
        """End the half-done acts first, as the person at the till would."""
        core = self._core
        halves = [one.next_part for one in self._half_done()]
        refused = core.database.sales.waiting(SaleState.REFUSED)
        for one in (*halves, *(one for one in refused if one.closes_elsewhere)):
            core.outbox.try_again(one.key)
            core.outbox.wake()
            return True
        ticket = core.till.carts.open_cart(training=False)
        for refund in core.database.sales.closed_without_goods():
            begun = start(till=core.till, cashier=robot.CASHIER)
            ticket = open_goods(
                till=core.till, sales=core.database.sales, ticket=begun, refund=refund
            )
        if ticket is None or not ticket.paid_before:
            return False
        self._hand_over(ticket)
        return True

    async def _change(self, sale: Sale, way: int) -> None:
        assert sale.receipt is not None
        try:
            shown = await self._core.receipts.receipt(sale.receipt.fiscal_number)
        except RemoteError:
            await self._rest()
            return
        (self._refund, self._exchange, self._correct)[way](shown.overview)

    def _refund(self, told: ReceiptOverview) -> None:
        self._sent(
            confirm_refund(
                till=self._core.till,
                draft=_first_line(told),
                buyer=_CUSTOMER,
                delivery=_NO_PAPER,
                cashier=robot.CASHIER,
                in_whole_dinars=True,
            )
        )

    def _exchange(self, told: ReceiptOverview) -> None:
        """Exchange the first line for two other articles."""
        till = self._core.till
        goods = goods_back(_first_line(told), _CUSTOMER)
        ticket = start(till=till, cashier=robot.CASHIER)
        if ticket.typed_details.goods_back is None:
            ticket = begin_exchange(till=till, ticket=ticket, goods=goods)
        ticket = self._filled(ticket, 2)
        owed = max(ticket.cart.total - goods.total, Money.ZERO)
        done = confirm_exchange(
            till=till,
            ticket=ticket,
            goods=goods,
            tendered=Payments.of({PaymentMethod.CASH: cash_owed(owed, in_whole_dinars=True)}),
            receipt_details=robot.NO_PAPER,
            cashier=robot.CASHIER,
            in_whole_dinars=True,
        )
        self._sent(done.sale)

    def _correct(self, told: ReceiptOverview) -> None:
        """Correct the payment: it was paid by card in truth."""
        core = self._core
        draft = CorrectionDraft.of(told, in_whole_dinars=True)
        right = paid_by(told, PaymentMethod.CARD, in_whole_dinars=True)
        begun = confirm_correction(
            till=core.till,
            sales=core.database.sales,
            draft=replace(draft, tendered=right),
            seller=_SHOP,
            delivery=_NO_PAPER,
            cashier=robot.CASHIER,
            in_whole_dinars=True,
        )
        self._sent(begun.refund)

    def _close(self, number: int) -> None:
        draft = replace(ELSEWHERE, number=f"XYZW1234-XYZW1234-{number}")
        self._sent(
            confirm_refund_by_hand(
                till=self._core.till,
                draft=draft,
                buyer=_SHOP,
                delivery=_NO_PAPER,
                cashier=robot.CASHIER,
                in_whole_dinars=True,
                is_own=True,
            )
        )

    def _hand_over(self, ticket: Ticket) -> None:
        ticket = self._filled(ticket, 1)
        referent, due = ticket.typed_details.referent, ticket.cart.total - ticket.paid_before
        assert referent is not None
        told = replace(robot.NO_PAPER, referent_number=referent.number, referent_time=referent.time)
        done = confirm(
            till=self._core.till,
            ticket=ticket,
            tendered=Payments.of({PaymentMethod.CARD: due}),
            receipt_details=told,
            cashier=robot.CASHIER,
            in_whole_dinars=True,
        )
        self._sent(done.sale)

    def _filled(self, ticket: Ticket, many: int) -> Ticket:
        """Fill the cart up to `many` lines; a killed till left some."""
        for article in islice(robot.articles(self._core), many - len(ticket.cart.active)):
            added = add_item(till=self._core.till, ticket=ticket, article=article)
            assert isinstance(added, ItemAdded)
            ticket = added.ticket
        return ticket


def _first_line(told: ReceiptOverview) -> RefundDraft:
    return RefundDraft(told, {told.lines[0].index: told.lines[0].left_quantity})


def main(words: list[str] | None = None) -> int:
    return advancing_till.main(words, cashier=Changer)


if __name__ == "__main__":
    sys.exit(main())
