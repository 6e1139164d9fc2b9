"""Finds the cases of this till's own sales and chooses the class of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pos_app.cashier.attention.cases import sale_cases
from pos_app.cashier.attention.cases.case import Case, Reading, Source
from pos_app.cashier.attention.cases.corrections import (
    CreditOwed,
    case_of_pair,
    exchange_or_correction,
    pair_of,
)
from pos_app.cashier.attention.cases.doubts import DecideCase, DoubtedSale, LookedUpCase, doubt_of
from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.domain.text.instant import day_of
from pos_app.selling.attention.unfinished_sales import AttentionItem, attention
from pos_app.selling.receipts.credit import exchange_of, signed_refund
from pos_app.selling.sale.sale import AFTER_REFUND, Sale
from pos_app.selling.sale.state import SaleState

MOST_CASES = 50
"""The most cases of sales that need a person, and of sales that go on; further ones are counted."""
_NEEDS_PERSON = (SaleState.REFUSED, SaleState.DOUBT)
_GOES_ON = (SaleState.FROZEN, SaleState.SENDING, SaleState.CANCELLING)
_TROUBLE = frozenset({SaleState.DOUBT, SaleState.REFUSED, SaleState.CANCELLING})
_DOUBTED: Mapping[str, type[DoubtedSale]] = {one.kind: one for one in (DecideCase, LookedUpCase)}
_OF_SALE: Mapping[str, type[sale_cases.SaleCase]] = {
    one.kind: one
    for one in (
        sale_cases.RefusedSale,
        sale_cases.ProcessorNeedsHelp,
        sale_cases.DiskNeedsRoom,
        sale_cases.ToRefund,
        sale_cases.UnreadableReceipt,
        sale_cases.SentCase,
        sale_cases.HalfSigned,
        sale_cases.WaitsForServer,
        sale_cases.WaitsForProcessor,
        sale_cases.WaitsBehind,
        sale_cases.CancelledSoon,
    )
}


class SaleSource(Source):
    """Finds the sales that wait, are in doubt, are refused, or have to be corrected or seen, and
    the solved ones."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._latest: Sequence[Sale] = ()
        self._is_first = True
        """Whether nothing was read yet, so that a sale may have ended before this start."""
        self._corrections: set[str] = set()
        self._had_trouble: dict[str, bool] = {}

    def cases(self, reading: Reading) -> Iterable[Case]:
        return map(self._in_exchange, self._cases(reading))

    def _cases(self, reading: Reading) -> Iterable[Case]:
        sales = self.services.sales
        to_decide = sales.waiting(*_NEEDS_PERSON, at_most=MOST_CASES)
        going_on = sales.waiting(*_GOES_ON, at_most=MOST_CASES)
        waiting = sorted((*to_decide, *going_on), key=lambda sale: sale.sequence)
        wants_latest = reading.thorough or self._is_first
        self._latest = sales.last(sale_cases.LATEST) if wants_latest else ()
        self._is_first = False
        items = attention(
            waiting,
            server=self.services.server,
            done_to_be_seen=sales.done_to_be_seen(),
            young_doubts=self.services.outbox.young_doubts,
        )
        for item in items:
            if not self._is_half_done(item.sale):
                yield from self._cases_of(item, reading.doubts)
        yield from self._left_off(sale_cases.MoreToDecide, _NEEDS_PERSON, to_decide)
        yield from self._left_off(sale_cases.MoreWaiting, _GOES_ON, going_on)
        yield from map(sale_cases.ClosedWithoutGoods.of, sales.closed_without_goods())
        to_take_back = self._corrected((*waiting, *self._latest))
        yield from map(sale_cases.ToTakeBack.of, to_take_back)
        yield from map(CreditOwed.of, self._credits(to_take_back))

    def note_sale(self, sale: Sale) -> None:
        if sale.cancel_reason == sale_cases.CORRECTION:
            self._corrections.add(sale.key)

    def solved(self, reading: Reading) -> Iterable[Case]:
        """The sales that had waited for somebody and ended today."""
        today = day_of(reading.now)
        for sale in self._latest:
            if sale.answered_at is None or day_of(sale.answered_at) != today:
                continue
            if not sale_cases.waits_to_be_taken_back(sale) and self._has_had_trouble(sale):
                yield sale_cases.SolvedSale(
                    id=sale.key,
                    since=sale.answered_at,
                    total=sale.total,
                    sale=sale,
                    pair=exchange_or_correction(self.services, sale),
                )

    def _cases_of(self, item: AttentionItem, doubts: Sequence[ReceiptInDoubt]) -> Iterable[Case]:
        """The cases of a sale. A refused part of a pair has the case of the pair, or none if the
        other part's case tells more."""
        pair = None
        if item.kind == sale_cases.RefusedSale.kind:
            pair = pair_of(self.services.sales, item.sale)
        if (
            pair is None
            and item.kind == sale_cases.RefusedSale.kind
            and self._lacks_closing(item.sale)
        ):
            yield sale_cases.RefusedGoods.of(item.sale)
        elif pair is None:
            yield case_of(item, doubts)
        elif (case := case_of_pair(pair, item.sale)) is not None:
            yield case

    def _in_exchange(self, listed: Case) -> Case:
        """The case; that of an exchange's sale with both halves, which say what the hand moves. A
        credit that is owed has lost its other half."""
        if isinstance(listed, CreditOwed) or not isinstance(listed, sale_cases.SaleCase):
            return listed
        if listed.pair is not None or not listed.sale.is_exchange:
            return listed
        pair = exchange_of(self.services.till, self.services.sales, listed.sale)
        return replace(listed, pair=pair)

    def _lacks_closing(self, sale: Sale) -> bool:
        """Whether the server does not know the refund that paid for the sale's goods."""
        ticket = self.services.till.carts.cart_of(sale.cart_id)
        return sale_cases.is_of_unknown_closing(sale, paid_before=ticket.paid_before)

    def _is_half_done(self, sale: Sale) -> bool:
        """Whether the sale is a pair whose second receipt was refused, which has a case of its
        own."""
        status = self.services.server.status
        half_done = (one for one in (status.open if status else ()) if one.half_done)
        return any(sale.key == one.key or sale.receipt_id == one.receipt_id for one in half_done)

    def _left_off(
        self, kind: type[Case], states: Sequence[SaleState], sales_with_cases: Sequence[Sale]
    ) -> Iterable[Case]:
        """One case that counts the sales without cases of their own. since: when the last sale with
        a case was frozen."""
        counts = self.services.sales.counts()
        left_off = sum(counts[state] for state in states) - len(sales_with_cases)
        if left_off > 0 and sales_with_cases:
            yield kind(id=kind.kind, since=sales_with_cases[-1].frozen_at, many=left_off)

    def _corrected(self, seen: Iterable[Sale]) -> list[Sale]:
        """The cancelled sales whose lines wait to be taken back. Sales to be corrected are
        remembered, because `seen` may lack them."""
        self._corrections |= {
            sale.key for sale in seen if sale.cancel_reason == sale_cases.CORRECTION
        }
        sales = [self.services.sales.sale(key) for key in self._corrections]
        is_over = [sale for sale in sales if sale.was_shown or sale.state is SaleState.DONE]
        self._corrections -= {sale.key for sale in is_over}
        waiting = [sale for sale in sales if sale_cases.waits_to_be_taken_back(sale)]
        return sorted(waiting, key=lambda sale: sale.sequence)

    def _credits(self, to_take_back: Sequence[Sale]) -> list[Sale]:
        """The owed refunds of exchanges, except those whose new lines wait to be taken back and
        bring the credit along."""
        till, sales = self.services.till, self.services.sales
        refunds = (signed_refund(till, sales, one) for one in to_take_back)
        with_lines = {one.key for one in refunds if one is not None}
        return [one for one in sales.credits_owed() if one.key not in with_lines]

    def _has_had_trouble(self, sale: Sale) -> bool:
        """Whether an ended sale was ever refused, in doubt, sent again or dropped."""
        if sale.key not in self._had_trouble:
            events = self.services.sales.history(sale.key)
            trouble = sale.attempts > 1 or any(
                event.new in _TROUBLE and event.code != AFTER_REFUND for event in events
            )
            self._had_trouble[sale.key] = trouble
        return self._had_trouble[sale.key]


def case_of(item: AttentionItem, doubts: Sequence[ReceiptInDoubt]) -> sale_cases.SaleCase:
    if item.kind == sale_cases.RefusedSale.kind and item.sale.operation is not Operation.ISSUE:
        return sale_cases.RefusedAct.of(item.sale)
    if item.kind not in _DOUBTED:
        return _OF_SALE[item.kind].of(item.sale)
    return _DOUBTED[item.kind].in_doubt(item.sale, doubt_of(item.sale, doubts))
