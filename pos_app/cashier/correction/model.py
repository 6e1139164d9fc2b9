"""A correction in front of the cashier: what is wrong, the true value, and the state of the job.
Widgets keep no state of their own.

Sources: till.md ("Receipts"), fiscal.md 6.4, 6.6, 6.13.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum

from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.acts.pair_in_front import PairInFront, PairStep
from pos_app.cashier.gate.about import About
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import parse_amount
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.receipt.receipt_overview import ReceiptOverview, WhyNot
from pos_app.errors import Invalid, PosError
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts import correction, frozen_pair
from pos_app.selling.sale.receipt_drafts import BuyerDraft, PaymentFault
from pos_app.selling.sale.sale import Sale

METHODS = (
    PaymentMethod.CASH,
    PaymentMethod.CARD,
    PaymentMethod.WIRE_TRANSFER,
    PaymentMethod.MOBILE_MONEY,
    PaymentMethod.CHECK,
)
"""The methods in the order of their keys; the next key stands for several methods at once."""
SEVERAL = (*METHODS, PaymentMethod.VOUCHER, PaymentMethod.OTHER)


class What(StrEnum):
    PAYMENT = "payment"
    BUYER = "buyer"


class CorrectionModel(PairInFront):
    """One correction at a time; it lives as long as the window."""

    def __init__(self, services: TillServices, *, on_lifted: Callable[[], None]) -> None:
        super().__init__(services)
        self.lock = ManagerLock(services, act=Act.REFUND, on_lifted=on_lifted)
        self.known = KnownBuyers(services.buyers)
        self.reference = ""
        self._empty()

    def _empty(self) -> None:
        self.overview: ReceiptOverview | None = None
        self.pair = None
        self.was_begun_before = False
        """Whether the job was found unfinished, because the till ended or somebody left the job."""
        self.trouble = None
        self.is_asking = False
        self.what = What.PAYMENT
        self.method: PaymentMethod | None = None
        self.several: dict[PaymentMethod, str] | None = None
        """The typed amounts where several methods are chosen; else None."""
        self.buyer = BuyerDraft()
        self._doubted: BuyerDraft | None = None
        self.marked: KnownBuyer | None = None
        """The firm of the buyers' book that Enter takes."""
        self.misses = False
        """Whether Enter was pressed while something was missing."""
        self.refusal = False
        """Whether the server refused the last try, so that surely nothing was issued."""

    # --- the receipt -----------------------------------------------------------------------------

    def open(self, reference: str) -> None:
        """Begin with a receipt; the same one again finds what was chosen for it."""
        if reference != self.reference or self.stage in (
            frozen_pair.PairStage.DONE,
            frozen_pair.PairStage.GIVEN_UP,
        ):
            self.reference = reference
            self._empty()

    @property
    def about(self) -> About:
        """The receipt whose correction somebody approves."""
        about = About(key="approve.act.correct", of=self.reference)
        if self.overview is None:
            return about
        return replace(about, of=self.overview.number, amount=self.overview.total)

    def take_overview(self, overview: ReceiptOverview) -> None:
        is_first, self.overview = self.overview is None, overview
        self.is_asking, self.trouble = False, None
        if not is_first:
            return
        begun = frozen_pair.unfinished_pairs(self.services.sales)
        of_it = (one for one in begun if one.refund.target == overview.receipt_id)
        mine = (one for one in of_it if not one.is_exchange)
        live = (
            one for one in mine if frozen_pair.stage_of(one) is not frozen_pair.PairStage.GIVEN_UP
        )
        self.pair = next(live, None)
        self.was_begun_before = self.pair is not None
        self.buyer = _draft_of(overview)
        if self.pair is not None:
            self._recall(self.pair)

    def _recall(self, job: frozen_pair.FrozenPair) -> None:
        paid = job.new.money_taken.tendered.by_method
        assert self.overview is not None
        self.method = paid[0][0] if len(paid) == 1 else None
        before = [(one.method, one.amount) for one in self.overview.payments]
        if [method for method, _ in before] == [method for method, _ in paid]:
            self.what, self.method = What.BUYER, None
        details = self.services.till.carts.cart_of(job.new.cart_id).typed_details
        self.buyer = BuyerDraft.of(details)

    def not_shown(self, error: PosError) -> None:
        self.is_asking, self.trouble = False, error

    @property
    def fault(self) -> correction.CorrectionFault | WhyNot | None:
        """The reason why the receipt can't be corrected; None while the correction is under way."""
        if self.overview is None or self.pair is not None:
            return None
        return correction.correction_fault(self.overview)

    @property
    def is_locked(self) -> bool:
        """Whether somebody who may refund has to lift the correction first, because it refunds and
        may move cash to another method."""
        is_there = self.overview is not None and self.pair is None and self.fault is None
        return is_there and not self.lock.is_open

    @property
    def can_type(self) -> bool:
        is_there = self.overview is not None and self.pair is None
        return is_there and self.fault is None and not self.is_locked

    @property
    def seller_pib(self) -> str:
        """The shop's own tax number; "" until the server has sent it."""
        status = self.services.server.status
        return status.seller_pib if status is not None else ""

    @property
    def wants_copy(self) -> bool:
        """Whether a copy of the refund is issued, too, for the customer to sign."""
        paid = self.overview.payments if self.overview is not None else ()
        return self.services.copy_follows([one.method for one in paid])

    # --- what is wrong, and what is right --------------------------------------------------------

    @property
    def present(self) -> frozenset[PaymentMethod]:
        """The method that alone paid the receipt, and so can't be chosen; empty if several paid."""
        assert self.overview is not None
        paid = frozenset(one.method for one in self.overview.payments if one.amount)
        return paid if len(paid) == 1 else frozenset()

    @property
    def is_of_exchange(self) -> bool:
        """Whether returned goods paid a part of the receipt. Then no single method paid all, and
        the cashier types the methods used beside the credit (decision 0223)."""
        overview = self.overview
        return overview is not None and self.services.sales.is_exchange(overview.receipt_id)

    def choose_what(self, what: What) -> None:
        if self.can_type:
            self.what = what
            self._chosen_anew()

    def choose(self, number: int) -> bool:
        """Choose a method by its number, from 0; the number after the last means several methods.
        Returns False where the choice is not possible."""
        if not self.can_type or self.what is not What.PAYMENT or number > len(METHODS):
            return False
        if number == len(METHODS):
            self.method = None
            self.several = self.several or dict.fromkeys(SEVERAL, "")
        elif self.is_of_exchange or METHODS[number] in self.present:
            return False
        else:
            self.method, self.several = METHODS[number], None
        self._chosen_anew()
        return True

    def _chosen_anew(self) -> None:
        self.misses = self.refusal = False
        self.trouble = None

    def type_amount(self, method: PaymentMethod, text: str) -> None:
        if self.several is not None and self.can_type:
            self.several[method] = text
            self._chosen_anew()

    def amount_fault(self, method: PaymentMethod) -> bool:
        text = (self.several or {}).get(method, "")
        return bool(text.strip()) and _amount(text) is None

    @property
    def missing_amount(self) -> Money:
        """The sum that the typed amounts lack; it is negative where they are too high."""
        assert self.overview is not None
        typed = Money.total(_amount(text) or Money.ZERO for text in (self.several or {}).values())
        return self.overview.total - typed

    def set_buyer(self, draft: BuyerDraft) -> None:
        if self.can_type:
            self.buyer = self.known.with_certainty(draft)
            self._chosen_anew()

    def take_marked(self) -> bool:
        """Take the marked firm; return False where none is."""
        if self.what is not What.BUYER or self.marked is None:
            return False
        self.set_buyer(self.buyer.of_known(self.marked))
        return True

    def buyer_fault(self) -> PaymentFault | None:
        """The buyer's fault, or a doubt about the number until somebody is sure of it."""
        return self.buyer.fault() or self.buyer.centre_fault() or self.buyer.unconfirmed_warning()

    @property
    def is_doubted(self) -> bool:
        is_here = self.misses and self.what is What.BUYER and self.can_type
        return is_here and self.buyer == self._doubted and not self.buyer.sure

    def agree(self) -> None:
        self.buyer = replace(self.buyer, sure=True)

    def draft(self) -> correction.CorrectionDraft | None:
        """The new receipt, or None while something is missing or nothing would change."""
        if self.overview is None:
            return None
        whole = self.services.in_whole_dinars
        draft = correction.CorrectionDraft.of(self.overview, in_whole_dinars=whole)
        if self.what is What.BUYER:
            if self.buyer_fault() is not None:
                return None
            centre = self.buyer.cost_centre()
            draft = replace(draft, buyer=self.buyer.buyer(), cost_centre=centre)
        else:
            paid = self._paid()
            if paid is None:
                return None
            draft = replace(draft, tendered=paid)
        return draft if draft.is_changed(in_whole_dinars=whole) else None

    def _paid(self) -> Payments | None:
        assert self.overview is not None
        whole = self.services.in_whole_dinars
        if self.method is not None:
            return correction.paid_by(self.overview, self.method, in_whole_dinars=whole)
        typed = {method: _amount(text) for method, text in (self.several or {}).items() if text}
        if not typed or self.missing_amount or None in typed.values():
            return None
        amounts = {method: amount for method, amount in typed.items() if amount is not None}
        cash = amounts.get(PaymentMethod.CASH)
        if cash:
            amounts[PaymentMethod.CASH] = cash_owed(cash, in_whole_dinars=whole)
        return Payments.of(amounts)

    def moved(self) -> Mapping[PaymentMethod, Money]:
        """The amounts by which the shift's sums move, by method."""
        assert self.overview is not None
        sums: dict[PaymentMethod, Money] = {}
        change = Money.total(one.amount for one in self.overview.payments) - self.overview.total
        for one in self.overview.payments:
            less = change if one.method is PaymentMethod.CASH else Money.ZERO
            sums[one.method] = less - one.amount
        for method, amount in self._new_payments():
            sums[method] = sums.get(method, Money.ZERO) + amount
        return {method: amount for method, amount in sums.items() if amount}

    def _new_payments(self) -> tuple[tuple[PaymentMethod, Money], ...]:
        """The payments of the new receipt without its change; empty until they are known."""
        assert self.overview is not None
        total = self.overview.total
        if self.pair is not None:
            shown = self.pair.new.money_taken.on_receipt
        elif self.what is What.PAYMENT and (paid := self._paid()) is not None:
            shown = paid
        else:
            shown = Payments.summed((one.method, one.amount) for one in self.overview.payments)
        others = shown.total - shown.cash
        by = dict(shown.by_method) | {PaymentMethod.CASH: total - others}
        return tuple((method, amount) for method, amount in by.items() if amount)

    # --- on to the receipts ----------------------------------------------------------------------

    @property
    def next_enter(self) -> PairStep:
        if self.pair is not None:
            return super().next_enter
        if self.overview is None:
            return PairStep.ASK
        return PairStep.CORRECT if self.fault is None else PairStep.BACK

    def find_missing(self) -> bool:
        """Find whether something is still missing; a doubtful buyer stops the correction until
        `agree`."""
        fault = self.buyer_fault() if self.what is What.BUYER else None
        if fault is not None and fault == self.buyer.unconfirmed_warning():
            self._doubted = self.buyer
        self.misses = self.draft() is None
        return self.misses

    def confirm(self) -> Sale:
        """Freeze both parts and return the refund, which goes first. Raises NotAllowed, DiskFull
        and database errors; then nothing was issued and the choices stay."""
        draft, services = self.draft(), self.services
        assert draft is not None
        self.pair = correction.confirm_correction(
            till=services.till,
            sales=services.sales,
            draft=draft,
            seller=services.own_buyer(),
            delivery=services.usual_delivery.delivery(),
            cashier=services.cashier,
            in_whole_dinars=services.in_whole_dinars,
        )
        self.trouble, self.was_begun_before, self.refusal = None, False, False
        return self.pair.refund

    def go_on(self) -> None:
        super().go_on()
        self.was_begun_before = False

    def give_up(self) -> None:
        """Give the job up, of which nothing was or will be issued. Raises NotAllowed."""
        assert self.pair is not None
        self.services.outbox.cancel(self.pair.refund.key, reason=GIVEN_UP)
        self.trouble = None

    def end_refused(self) -> None:
        """Give a refused job up; the person who waits sees that and goes on from the choices."""
        self.give_up()
        self.pair, self.refusal = None, True


GIVEN_UP = "correction given up"
"""The cancel reason of a refund of which nothing was issued."""


def _draft_of(overview: ReceiptOverview) -> BuyerDraft:
    code, _, value = (overview.buyer or "").partition(":")
    centre, _, of_centre = (overview.cost_centre or "").partition(":")
    draft = BuyerDraft(centre_code=centre, centre_value=of_centre)
    return replace(draft, code=code, value=value, sure=True) if value else draft


def _amount(text: str) -> Money | None:
    if not text.strip():
        return None
    try:
        return parse_amount(text)
    except Invalid:
        return None
