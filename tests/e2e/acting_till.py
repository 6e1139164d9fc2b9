"""A till without a window that acts on receipts: it refunds a line, exchanges goods, corrects a
payment, copies, closes an advance of another system by hand, and takes and closes its own advance.

    python -m tests.e2e.acting_till --data DIR --total 3

Its own file, and the server's list of advances, say which acts are done and so which comes next; a
till that was killed goes on. It speaks as `robot`, and ends with 0 once `total` rounds are done.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery
from pos_app.errors import RemoteError
from pos_app.selling.receipts import frozen_pair
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.confirm import (
    confirm_advance_payment,
    confirm_closing,
    confirm_copy,
    confirm_refund,
)
from pos_app.selling.receipts.correction import CorrectionDraft, confirm_correction, paid_by
from pos_app.selling.receipts.exchanged import goods_back
from pos_app.selling.receipts.refund_by_hand import HandDraft, confirm_refund_by_hand, open_goods
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.e2e import robot

FIRST, NEXT = Money(10), Money(5)
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
_LEFT = (frozen_pair.PairStage.NOT_BEGUN, frozen_pair.PairStage.HALF)


class Cashier(robot.Robot):
    """Does one round after the other; `run` returns when `total` are done."""

    async def _work(self) -> None:
        while True:
            await self._settled()
            if self._is_done():
                return
            await self._act()

    def _is_done(self) -> bool:
        closed = [one for one in self._kept() if one.operation is Operation.CLOSE]
        rounds = min(sum(one.state is SaleState.DONE for one in closed), len(self._handed_over()))
        return rounds >= self._total and not self._half_done()

    async def _settled(self) -> None:
        """Wait until no sale is under way or in doubt; what surely was not sent is done anew."""
        waiting = self._core.database.sales.waiting
        while any(
            sale.state is not SaleState.REFUSED or not sale.is_kept_in_front for sale in waiting()
        ):
            self._changed.clear()
            await self._changed.wait()

    def _sent(self, sale: Sale) -> None:
        robot.tell("key", sale.key)
        self._core.outbox.wake()

    def _kept(self) -> list[Sale]:
        """The confirmed sales, the oldest first, without refused ones that are done anew."""
        kept = self._core.database.sales.last(10_000)
        is_anew = {one.key for one in kept if one.state is not SaleState.DONE and one.target}
        return [one for one in reversed(kept) if one.key not in is_anew]

    @property
    def _ways(self) -> tuple[Callable[[ReceiptOverview], None], ...]:
        return self._refund, self._exchange, self._correct, self._copy

    def _plain(self) -> list[Sale]:
        carts = self._core.till.carts
        issued = [one for one in self._kept() if one.operation is Operation.ISSUE]
        handed_over = {one.key for one in self._handed_over()}
        return [
            one
            for one in issued
            if one.follows is None
            and one.key not in handed_over
            and carts.cart_of(one.cart_id).kind is DocumentKind.SALE
        ]

    def _handed_over(self) -> list[Sale]:
        carts = self._core.till.carts
        issued = [one for one in self._kept() if one.operation is Operation.ISSUE]
        return [one for one in issued if carts.cart_of(one.cart_id).paid_before]

    def _half_done(self) -> list[frozen_pair.FrozenPair]:
        left = frozen_pair.unfinished_pairs(self._core.database.sales)
        return [one for one in left if frozen_pair.stage_of(one) in _LEFT]

    async def _act(self) -> None:
        try:
            if not self._begun():
                await self._next()
        except RemoteError:  # the server is away
            await asyncio.sleep(0.05)

    async def _next(self) -> None:
        kept, plain = self._kept(), self._plain()
        acted_on = {one.target for one in kept if one.target}
        for number, sale in enumerate(plain):
            if sale.receipt.receipt_id not in acted_on:
                shown = await self._core.receipts.receipt(sale.receipt.fiscal_number)
                self._ways[number % len(self._ways)](shown.overview)
                return
        rounds, rest = divmod(len(plain), len(self._ways))
        closed = sum(one.operation is Operation.CLOSE for one in kept)
        if rest or (rounds == sum(one.closes_elsewhere for one in kept) == closed):
            robot.sell(self._core, robot.articles(self._core), items=2)
        elif closed < rounds:
            await self._go_on_with_advance()
        else:
            self._close_elsewhere(rounds)

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
            begun = sell.start(till=core.till, cashier=robot.CASHIER)
            ticket = open_goods(
                till=core.till, sales=core.database.sales, ticket=begun, refund=refund
            )
        if ticket is None or not ticket.paid_before:
            return False
        self._hand_over(ticket)
        return True

    @property
    def _by(self) -> dict[str, Any]:
        return {"till": self._core.till, "cashier": robot.CASHIER}

    @property
    def _whole(self) -> dict[str, Any]:
        return self._by | {"delivery": _NO_PAPER, "in_whole_dinars": True}

    @property
    def _rung_up(self) -> dict[str, Any]:
        return self._by | {"receipt_details": robot.NO_PAPER, "in_whole_dinars": True}

    def _refund(self, told: ReceiptOverview) -> None:
        self._sent(confirm_refund(draft=_first_line(told), buyer=_CUSTOMER, **self._whole))

    def _exchange(self, told: ReceiptOverview) -> None:
        goods = goods_back(_first_line(told), _CUSTOMER)
        ticket = sell.start(**self._by)
        if ticket.typed_details.goods_back is None:
            ticket = sell.begin_exchange(till=self._core.till, ticket=ticket, goods=goods)
        ticket = self._filled(ticket, 2)
        owed = max(ticket.cart.total - goods.total, Money.ZERO)
        tendered = Payments.of({PaymentMethod.CASH: cash_owed(owed, in_whole_dinars=True)})
        done = confirm_exchange(ticket=ticket, goods=goods, tendered=tendered, **self._rung_up)
        self._sent(done.sale)

    def _correct(self, told: ReceiptOverview) -> None:
        """Correct the payment: it was paid by card in truth."""
        draft = CorrectionDraft.of(told, in_whole_dinars=True)
        draft = replace(draft, tendered=paid_by(told, PaymentMethod.CARD, in_whole_dinars=True))
        sales = self._core.database.sales
        self._sent(confirm_correction(sales=sales, draft=draft, seller=_SHOP, **self._whole).refund)

    def _copy(self, told: ReceiptOverview) -> None:
        self._sent(confirm_copy(overview=told, delivery=_NO_PAPER, **self._by))

    def _close_elsewhere(self, number: int) -> None:
        draft = replace(ELSEWHERE, number=f"XYZW1234-XYZW1234-{number}")
        self._sent(confirm_refund_by_hand(draft=draft, buyer=_SHOP, is_own=True, **self._whole))

    def _hand_over(self, ticket: Ticket) -> None:
        ticket = self._filled(ticket, 1)
        referent, due = ticket.typed_details.referent, ticket.cart.total - ticket.paid_before
        told = replace(robot.NO_PAPER, referent_number=referent.number, referent_time=referent.time)
        paid = {"tendered": Payments.of({PaymentMethod.CARD: due}), "receipt_details": told}
        self._sent(confirm(ticket=ticket, **self._rung_up | paid).sale)

    async def _go_on_with_advance(self) -> None:
        """Begin one, take a further payment, close it: as the server tells of the open ones."""
        listed = await self._core.receipts.advances()
        if not listed.is_whole:
            await asyncio.sleep(0.05)
            return
        if not listed.advances:
            self._begin_advance()
            return
        shown = await self._core.receipts.receipt(listed.advances[0].number)
        advance = shown.overview.advance
        details: dict[str, Any] = {"details": robot.NO_PAPER} | self._by
        if advance.paid == FIRST:
            paid = Payments.of({PaymentMethod.CASH: NEXT})
            payment = FurtherPayment(shown.overview, paid, in_whole_dinars=False)
            self._sent(confirm_advance_payment(payment=payment, **details))
        else:
            draft = ClosingDraft.of(shown.overview, in_whole_dinars=False)
            rest = replace(draft, tendered=Payments.of({PaymentMethod.CARD: draft.due}))
            self._sent(confirm_closing(closing=rest, **details))

    def _begin_advance(self) -> None:
        ticket = sell.start(**self._by)
        if ticket.kind is not DocumentKind.ADVANCE:
            ticket = sell.set_kind(ticket=ticket, kind=DocumentKind.ADVANCE, **self._by)
        told = {
            "tendered": Payments.of({PaymentMethod.CASH: FIRST}),
            "receipt_details": replace(robot.NO_PAPER, advance=FIRST),
            "in_whole_dinars": False,
        }
        self._sent(confirm(ticket=self._filled(ticket, 1), **self._by | told).sale)

    def _filled(self, ticket: Ticket, many: int) -> Ticket:
        """Fill the cart up to `many` lines; a killed till left some."""
        for article in islice(robot.articles(self._core), many - len(ticket.cart.active)):
            added = sell.add_item(till=self._core.till, ticket=ticket, article=article)
            assert isinstance(added, sell.ItemAdded)
            ticket = added.ticket
        return ticket


def _first_line(told: ReceiptOverview) -> RefundDraft:
    return RefundDraft(told, {told.lines[0].index: told.lines[0].left_quantity})


def main(words: list[str] | None = None) -> int:
    return robot.run(words, Cashier)


if __name__ == "__main__":
    sys.exit(main())
