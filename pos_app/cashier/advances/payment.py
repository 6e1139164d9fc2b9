"""The further payment on an advance, and the payment at its closing.

Typed money is kept with the advance until the payment is confirmed.
Sources: fiscal.md 6.2, till.md ("Advances").
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Literal, Unpack

from pos_app.cashier.payment.model import FigureKind, Payment, PaymentFigure, PaymentShop
from pos_app.cashier.payment.tender import EnterEffect, Tender, TenderLine
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, excess_of
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.errors import Invalid
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment, advance_of
from pos_app.selling.receipts.confirm import confirm_advance_payment, confirm_closing
from pos_app.selling.sale import receipt_drafts
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.ports import GivenForAdvance, Paid, Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind

Elsewhere = tuple[Literal["paid", "given_back", "closed"], Money]
"""What another till did with an advance, and how much it moved."""


class AdvanceAct(Payment):
    """The common part of both payments. The buyer of the journal's advance stays the buyer."""

    scan_hint = "pay.scan_hint.kept"

    def __init__(
        self,
        overview: ReceiptOverview,
        due: Money,
        *,
        store: Store | None,
        in_whole_dinars: bool,
        built: frozenset[receipt_drafts.DeliveryWay],
    ) -> None:
        self.overview = overview
        buyer = _buyer(advance_of(overview).buyer)
        usual, whole = receipt_drafts.Drafts.usual(store, built=built), in_whole_dinars
        drafts = replace(usual, buyer=buyer)
        super().__init__(due, drafts, usual=usual, store=store, in_whole_dinars=whole)
        self._kept: Paid = ()
        """What the file has as given for the advance."""
        self._filled_in: tuple[TenderLine, ...] = ()
        """The lines that the opening filled in, where nobody pressed anything for them yet."""

    @property
    def given(self) -> Paid:
        """What somebody gave: not the rest that the opening filled in, until it is changed or
        confirmed, and not the voucher that a corporate card filled in."""
        tender = self._without_card if self.buyer.by_corporate_card else self.tender
        return () if tender.lines == self._filled_in else tender.paid

    @property
    def given_back(self) -> Payments:
        before = self._before_card
        is_given = before is None or before.lines != self._filled_in
        return super().given_back if is_given else Payments()

    def forget_kept(self) -> None:
        """Have nothing kept any more, because the payment is confirmed and has taken it: what a
        corporate card sent back was told until then."""
        self._filled_in = ()
        if (before := self._before_card) is not None:
            vouchers = (one for one in before.paid if one[0] is PaymentMethod.VOUCHER)
            self._before_card = self._begun().holding(vouchers)
        self._kept = ()

    def take_kept(self, kept: GivenForAdvance, *, issued: Collection[str]) -> None:
        """Take what was given for the advance before, whatever another till did with the advance
        since. issued: the numbers of this till's payments on it; what was given before one of them
        was taken by it, and is forgotten as soon as this is stored."""
        self._kept = kept.paid
        since = {one.number for one in self.overview.chain[kept.receipts :]}
        if not kept.goes_back and since.isdisjoint(issued):
            self.give(self.tender.holding(kept.paid).left_and_opened())

    def save(self, *, till: Till) -> None:
        """Store the given amounts with the advance. Raises DiskFull."""
        if self.given != self._kept:
            keep_given(till, self.overview, self.given)
            self._kept = self.given

    @property
    def labels(self) -> dict[TaxLabel, Money]:
        return {}

    def give(self, tender: Tender) -> None:
        self.tender = tender
        self.owe()

    def give_nothing(self) -> None:
        """Begin anew, because what was given goes back; what was typed beside it stays."""
        self.give(self._begun())

    def choose(self, method: PaymentMethod) -> None:
        super().choose(method)
        self.owe()

    def faults(self, now: datetime) -> tuple[receipt_drafts.PaymentFault, ...]:
        buyer, given = self.buyer, self.tender.payments
        found = [
            buyer.fault(),
            buyer.centre_fault(),
            buyer.unconfirmed_warning(),
            self.delivery.fault(),
            *self._own_faults(now),
        ]
        found.append(receipt_drafts.text_fault(self.text))
        if any(not self.allows(method) for method, _ in given.by_method):
            found.append(
                receipt_drafts.PaymentFault(receipt_drafts.FaultPart.LINES, "corporate_card")
            )
        if excess := excess_of(self.due, given):
            found.append(
                receipt_drafts.PaymentFault(
                    receipt_drafts.FaultPart.LINES, "above_total", {"excess": excess}
                )
            )
        return tuple(fault for fault in found if fault is not None)

    def follow(self, overview: ReceiptOverview) -> None:
        """Take the changed advance: what was given stays, and is compared with what remains now."""
        self.overview = overview
        self.owe()

    def missing(self) -> receipt_drafts.PaymentFault | None:
        """The fault that is shown only when the payment is confirmed; there is none by default."""
        return None

    @abstractmethod
    def confirm(self, *, till: Till, cashier: str) -> Sale:
        """Freeze the payment. Raises Invalid, DiskFull; then nothing was confirmed."""

    def _own_faults(self, now: datetime) -> tuple[receipt_drafts.PaymentFault | None, ...]:
        return ()

    def _details(self, now: datetime) -> ReceiptDetails:
        return ReceiptDetails(
            delivery=self.delivery.delivery(),
            buyer=self.buyer.buyer(),
            cost_centre=self.buyer.cost_centre(),
            additional_text=self.text,
            pos_time=self.advance.arrived(now),
            buyer_name=self.buyer.name,
        )


class FurtherPaymentModel(AdvanceAct):
    """A further payment: whatever is given is paid, up to what remains."""

    kind = DocumentKind.ADVANCE
    pages = (
        receipt_drafts.FaultPart.ADVANCE,
        receipt_drafts.FaultPart.BUYER,
        receipt_drafts.FaultPart.DELIVERY,
        receipt_drafts.FaultPart.TEXT,
    )

    def __init__(
        self,
        overview: ReceiptOverview,
        *,
        store: Store | None,
        in_whole_dinars: bool,
        built: frozenset[receipt_drafts.DeliveryWay],
    ) -> None:
        remaining = advance_of(overview).remaining
        super().__init__(
            overview,
            remaining or Money.ZERO,
            store=store,
            in_whole_dinars=in_whole_dinars,
            built=built,
        )
        self.advance = replace(self.advance, unknown=remaining is None)

    @property
    def draft(self) -> FurtherPayment:
        """The payment as far as it is given; its split is typed on a page of its own."""
        given, whole = self.tender.payments, self.in_whole_dinars
        return FurtherPayment(self.overview, given, in_whole_dinars=whole)

    @property
    def due(self) -> Money:
        """The sum that the given payments cover, or all that remains while nothing is given."""
        draft = self.draft
        return draft.amount or draft.advance.remaining or Money.ZERO

    @property
    def labels(self) -> dict[TaxLabel, Money]:
        """The amounts by label, but only where the split has to be typed."""
        draft = self.draft
        return draft.labels if draft.needs_split else {}

    def advance_fault(self) -> receipt_drafts.PaymentFault | None:
        if not self.labels:
            return None
        return replace(self.advance, amount=str(self.due).replace(".", ",")).fault(self.labels)

    def figure(self) -> PaymentFigure:
        """The sum that remains after this payment, or where that is unknown, the whole sum paid."""
        usual, draft = super().figure(), self.draft
        gives_back = usual.kind is FigureKind.CHANGE and bool(usual.amount)
        if usual.kind is FigureKind.EXCESS or gives_back:
            return usual
        paid, remaining = draft.amount, draft.advance.remaining
        if remaining is None:
            so_far = draft.advance.paid + paid
            return replace(usual, kind=FigureKind.PAID_WITH_IT, amount=so_far)
        if not paid:
            return usual
        due = paid if usual.rounding else remaining
        return replace(usual, kind=FigureKind.AFTER_IT, amount=remaining - paid, due=due)

    def owe(self) -> None:
        remaining = self.draft.advance.remaining
        given = self.tender.payments.total
        self.tender = self.tender.owing(given if remaining is None else remaining)

    def next_enter(self) -> tuple[Tender, EnterEffect]:
        """Let Enter accept a part of the due sum."""
        after, effect = super().next_enter()
        is_part = effect in (EnterEffect.SHORT, EnterEffect.FILLED)
        if is_part and self.tender.payments.total:
            return self.tender, EnterEffect.COVERED
        return after, effect

    def confirm(self, *, till: Till, cashier: str) -> Sale:
        payment = replace(self.draft, amounts_by_label=self.advance.split(self.labels))
        details = self._details(till.clock.now())
        return confirm_advance_payment(till=till, payment=payment, details=details, cashier=cashier)

    def missing(self) -> receipt_drafts.PaymentFault | None:
        return (
            None
            if self.draft.amount
            else receipt_drafts.PaymentFault(receipt_drafts.FaultPart.LINES, "nothing")
        )

    def _own_faults(self, now: datetime) -> tuple[receipt_drafts.PaymentFault | None, ...]:
        return self.advance_fault(), self.advance.wire_fault(self.tender.payments, now)


class ClosingModel(AdvanceAct):
    """The payment of the rest at the closing. draft has the sold items, if they are named."""

    kind = DocumentKind.SALE
    pages = (
        receipt_drafts.FaultPart.BUYER,
        receipt_drafts.FaultPart.DELIVERY,
        receipt_drafts.FaultPart.TEXT,
    )
    issue_word = "pay.issue.closing"

    def __init__(
        self,
        draft: ClosingDraft,
        *,
        store: Store | None,
        in_whole_dinars: bool,
        built: frozenset[receipt_drafts.DeliveryWay],
    ) -> None:
        self._draft = draft
        super().__init__(
            draft.overview, draft.due, store=store, in_whole_dinars=in_whole_dinars, built=built
        )
        if self.due:
            self.tender = self.tender.exact()
            self._filled_in = self.tender.lines

    def take_shop(self, **shop: Unpack[PaymentShop]) -> None:
        self._draft = replace(self._draft, in_whole_dinars=shop["in_whole_dinars"])
        super().take_shop(**shop)

    def follow(self, overview: ReceiptOverview) -> None:
        self._draft = replace(self._draft, overview=overview)
        super().follow(overview)

    def is_of(self, draft: ClosingDraft) -> bool:
        is_same = stands_as(self._draft.overview, draft.overview)
        return is_same and self._draft.items == draft.items

    @property
    def draft(self) -> ClosingDraft:
        return replace(self._draft, tendered=self.tender.payments)

    @property
    def due(self) -> Money:
        return self.draft.due

    def figure(self) -> PaymentFigure:
        """The figure of a sale, or the whole sum paid where the price follows from that sum."""
        usual, draft = super().figure(), self.draft
        if not draft.takes_what_is_given:
            return usual
        return replace(usual, kind=FigureKind.PAID_WITH_IT, amount=draft.total)

    def confirm(self, *, till: Till, cashier: str) -> Sale:
        details = self._details(till.clock.now())
        return confirm_closing(till=till, closing=self.draft, details=details, cashier=cashier)


def stands_as(overview: ReceiptOverview, other: ReceiptOverview) -> bool:
    """Whether both are of the same advance, of which no receipt was issued between them."""
    before, now = ([one.receipt_id for one in each.chain] for each in (overview, other))
    return before == now


def keep_given(till: Till, overview: ReceiptOverview, paid: Paid) -> None:
    """Keep what was given for the advance, as it stands. Raises DiskFull."""
    till.carts.give_for_advance(overview.first_number, len(overview.chain), paid)


def _buyer(wire: str | None) -> receipt_drafts.BuyerDraft:
    """The buyer of the advance. The number was certain when the advance was issued."""
    try:
        buyer = BuyerId.parse(wire or "")
    except Invalid:
        return receipt_drafts.BuyerDraft()
    return replace(
        receipt_drafts.BuyerDraft().with_typed(code=buyer.code, value=buyer.value), sure=True
    )
