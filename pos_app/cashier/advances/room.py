"""The room of the advances asks the server and continues an act when the screen is left.

Source: till.md ("Advances").
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QTimer, Signal

from pos_app import errors
from pos_app.cashier.acts.act_in_front import (
    GOES_BACK,
    REFUSED_IN_FRONT,
    ActInFront,
    Stage,
    is_undone,
)
from pos_app.cashier.advances.model import AdvancesModel
from pos_app.cashier.advances.payment import (
    AdvanceAct,
    ClosingModel,
    Elsewhere,
    FurtherPaymentModel,
    keep_given,
    stands_as,
)
from pos_app.cashier.payment.model import OpenPayment, shop_of
from pos_app.cashier.services.tasks import LastAsked
from pos_app.cashier.window.frame import Busy, Change, Frame, Room, ShopChange
from pos_app.cashier.window.screens import ADVANCES
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.selling.receipts.advance_draft import NOTHING_GIVEN, ClosingDraft, advance_of
from pos_app.selling.receipts.confirm import given_for
from pos_app.selling.sale.confirm_checks import Hindrance, unusual_cash
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import KEPT_IN_FRONT, Sale
from pos_app.selling.sale.state import SaleState

REST_MS = 120
"""Milliseconds that an advance stays chosen before the server is asked, as arrow keys pass many."""
_PAYING = (Operation.ADVANCE, Operation.CLOSE)


class Wanted(Enum):
    PAYMENT = auto()
    CLOSING = auto()


class AdvancesRoom(Room):
    """Signals, to be connected queued: `changed()`, something must be shown anew;
    `came(Wanted)`, the act that was wanted before the advance was there can be done now;
    `no_advance(str)`, a requested receipt belongs to no open advance; the argument is the id of
    the text that says so."""

    changed = Signal()
    came = Signal(object)
    no_advance = Signal(str)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = AdvancesModel(untouched=self._untouched())
        self.payment = OpenPayment()
        self.naming: ClosingDraft | None = None
        self.is_naming = False
        self.act = ActInFront(lambda: frame.services.outbox.young_doubts)
        self._act_on: ReceiptOverview | None = None
        """The advance of the act, as it stood when the act was taken up."""
        self._sent: AdvanceAct | None = None
        """The last confirmed payment with all that was typed, kept until it ends well."""
        self._sent_key = ""
        """The key of its sale."""
        self._sent_upon = Money.ZERO
        """What was paid on the advance by then."""
        self._wanted: Wanted | None = None
        self._list = LastAsked(frame.tasks, cancels=False)
        self._opening = LastAsked(frame.tasks, cancels=False)
        self._is_listed = False
        """Whether a list came on this visit."""
        self._asked = ""
        """The number of the receipt that is asked for now or in a moment, or ""."""
        self._unread: errors.PosError | None = None
        """Why the last receipt that was asked for could not be read."""
        self._unread_number = ""
        """Its number, or "" once it was read or something else was chosen."""
        self._resting = QTimer(self, interval=REST_MS, singleShot=True)
        self._resting.timeout.connect(self._ask_one)

    # --- for the frame ---------------------------------------------------------------------------

    def _untouched(self) -> timedelta:
        return timedelta(days=self.frame.services.settings.till.advance_untouched_days)

    def handle_change(self, change: Change) -> None:
        self.model.untouched_after = self._untouched()
        if self.act.follow_change(change):
            self._follow_act()
            self.changed.emit()
        elif change.sale is not None and change.sale.operation in KEPT_IN_FRONT:
            self._hear_other_act(change.sale)
        elif change.what is ShopChange.SERVER and self.model.error is not None:
            self.ask()
            if self._unread_number:
                self._open_number(self._unread_number)

    def _follow_act(self) -> None:
        self._note_held()
        if self.act.stage is Stage.DONE:
            self._sent = None
            self.ask()
            if self.frame.top_name == ADVANCES:
                self._open_issued()
            else:
                self.act.sale = None
        elif self.act.stage is Stage.REFUSED:
            self.ask()
            self.open_chosen()

    def _hear_other_act(self, sale: Sale) -> None:
        """Show how an act of this till stands that nobody waits for here."""
        if self.frame.top_name == ADVANCES:
            self._note_held()
            self._take_up()
            self.ask()
            self.changed.emit()
        elif sale.operation is Operation.REFUND and sale.state is SaleState.DONE:
            self._hear_refund()

    def _hear_refund(self) -> None:
        """Find out at once whether what was given for an advance goes back, as it is no more."""
        with contextlib.suppress(errors.MachineError):
            if self.frame.services.till.carts.given_for_advances():
                self._list.ask(
                    self.frame.services.receipts.advances,
                    name="open advances",
                    take=self._settle_closed,
                    fail=lambda _: None,  # the next list that is read tells it
                )

    def leave(self) -> None:
        self._resting.stop()
        self._list.drop()
        self._opening.drop()
        self._asked, self._wanted, self._is_listed = "", None, False
        self._unread_number = ""
        self.close()
        self.payment.set_open(False)
        if self.model.opens_another:
            self.model.forget()
        if self.act.stage is not Stage.UNDER_WAY:
            self.put_away()

    def close(self) -> None:
        if self.payment.model is not None:
            with contextlib.suppress(errors.MachineError):
                self.payment.model.save(till=self.frame.services.till)

    @property
    def busy(self) -> Busy | None:
        return Busy.PAYMENT if self.payment.is_open else None

    @property
    def received(self) -> Money:
        """What was given for the begun payment and not confirmed, and what is kept in the file as
        given for other advances, or before the till ended. Raises MachineError."""
        given = {
            advance: one.paid
            for advance, one in self.frame.services.till.carts.given_for_advances().items()
            if not one.goes_back
        }
        if isinstance(begun := self.payment.model, AdvanceAct):
            given[begun.overview.first_number] = begun.given
        return Money.total(amount for paid in given.values() for _, amount in paid)

    # --- what the server knows -------------------------------------------------------------------

    def ask(self) -> None:
        """Ask for the open advances; their answer asks anew for the chosen one."""
        self._list.ask(
            self.frame.services.receipts.advances,
            name="open advances",
            take=self._take,
            fail=self._fail,
        )

    def open_chosen(self) -> None:
        row = self.model.row
        if row is not None:
            self._open_number(row.number)

    def rest_on_chosen(self) -> None:
        """Ask for the chosen advance in a moment. An answer about an earlier one is of no use."""
        row = self.model.row
        self._asked, self._wanted = "" if row is None else row.number, None
        self._unread_number = ""
        self._opening.drop()
        self._resting.stop()
        if row is not None:
            self._resting.start()

    def open_number(self, number: str) -> None:
        if self.act.stage is Stage.DONE:
            self.put_away()
        row = self.model.of_number(number)
        if row is not None:
            self.model.typed_text = ""
            self.model.search("")
            self.model.choose(row)
            self.changed.emit()
        self._open_number(number)

    def want(self, wanted: Wanted) -> None:
        if self._asked:
            self._wanted = wanted

    def _open_number(self, number: str) -> None:
        self._resting.stop()
        self._asked, self._wanted = number, None
        self._ask_one()

    def _ask_one(self) -> None:
        self._unread_number = ""
        if self._unread is not None and self.model.error is self._unread:
            self.model.error = None  # the list itself was read
            self.changed.emit()
        self._opening.ask(
            partial(self.frame.services.receipts.receipt, self._asked),
            name="an advance",
            take=self._open,
            fail=self._fail_one,
        )

    def _take(self, listed: OpenAdvances) -> None:
        opens, self._is_listed = not self._is_listed, True
        self.model.take(listed, awaits_another=bool(self._asked), opens=opens)
        self._note_held()
        self._settle_closed(listed)
        if not self._asked:
            self.open_chosen()
        self.changed.emit()

    def _settle_closed(self, listed: OpenAdvances) -> None:
        if listed.is_whole:
            with contextlib.suppress(errors.MachineError):
                self._let_go_back({row.numbers[0] for row in listed.advances})

    def _let_go_back(self, are_open: set[str]) -> None:
        """Let what was given for advances for which nothing can be paid any more go back, and say
        so; a payment that is open stays. Raises MachineError."""
        carts = self.frame.services.till.carts
        if isinstance(begun := self.payment.model, AdvanceAct):
            if self.payment.is_open:
                are_open = {*are_open, begun.overview.first_number}
            elif begun.overview.first_number not in are_open:
                self.payment.end()
        for advance, given in carts.given_for_advances().items():
            if advance not in are_open and not given.goes_back:
                carts.give_for_advance(advance, 0, given.paid)
                self.frame.home.give_back(advance, Payments.summed(given.paid))

    def _open(self, shown_receipt: ShownReceipt) -> None:
        overview, self._asked = shown_receipt.overview, ""
        if overview.advance is None:
            self.no_advance.emit("adv.no_advance")
            return
        self.model.open(overview)
        self._take_up()
        pays_again = self.payment.model if self.payment.is_open else None
        sent = self._sent
        is_taken_up = sent is not None and sent in (self.refused, pays_again)
        if sent is not None and is_taken_up and _is_same(sent.overview, overview):
            sent.follow(overview)
        wanted, self._wanted = self._wanted, None
        self.changed.emit()
        if wanted is not None:
            self.came.emit(wanted)

    def _fail(self, error: errors.PosError) -> None:
        self.model.error = error
        self.changed.emit()

    def _fail_one(self, error: errors.PosError) -> None:
        number, self._asked, self._wanted = self._asked, "", None
        if isinstance(error, errors.Refused):  # the journal has no such receipt
            self.no_advance.emit("adv.no_advance")
        else:
            self._unread, self._unread_number = error, number
            self._fail(error)

    def _open_issued(self) -> None:
        sale = self.act.sale
        if sale is not None and sale.receipt is not None:
            self._open_number(sale.receipt.fiscal_number)

    # --- the act that has not ended --------------------------------------------------------------

    def _note_held(self) -> None:
        rows = self.model.listed.advances if self.model.listed is not None else ()
        with contextlib.suppress(errors.MachineError):
            found = self.frame.services.sales.under_way_on([row.receipt_id for row in rows])
            self.model.held = frozenset(one.target for one in found if one.target is not None)

    def _take_up(self) -> None:
        """Follow this till's act on the opened advance, also where it was confirmed before the
        page was left or the till ended, and one that was refused and is not put away yet; an act
        on another advance is not followed any more."""
        if self.model.opened is None:
            return
        sale, chain = self.act.sale, _chain_of(self.model.opened)
        if sale is not None and sale.target not in chain:
            self.put_away()
        with contextlib.suppress(errors.MachineError):
            if found := self.frame.services.sales.under_way_on(chain):
                self.act.sale = found[0]
            elif self.act.sale is None:
                refused = self.frame.services.sales.waiting(SaleState.REFUSED)
                self.act.sale = next((one for one in reversed(refused) if _pays(one, chain)), None)
        self._act_on = self.model.opened

    @property
    def is_under_way(self) -> bool:
        """Whether an act on the opened advance has not ended, or its receipt was not read yet, so
        that no sum is to be paid and nothing else may begin."""
        opened, row, sale = self.model.opened, self.model.row, self.act.sale
        if self.act.stage in (Stage.UNDER_WAY, Stage.DOUBT):
            return True
        if opened is None:
            return row is not None and self.model.is_under_way(row)
        if sale is not None and self.act.stage is Stage.DONE:
            number = sale.receipt.fiscal_number if sale.receipt is not None else ""
            return number not in [one.number for one in opened.chain]
        return opened.why_not(ReceiptAct.CLOSE) in (WhyNot.UNDER_WAY, WhyNot.HALF_DONE)

    def look(self) -> None:
        """Ask the server how another program's act stands, or for the receipt of one that ended;
        of this till's own act the outbox tells."""
        is_followed = self.act.stage in (Stage.UNDER_WAY, Stage.DOUBT)
        if self.is_under_way and not is_followed and not self._asked:
            self.ask()
            if self._unread_number:
                self._open_number(self._unread_number)

    # --- acts ------------------------------------------------------------------------------------

    def payment_of(self, overview: ReceiptOverview) -> AdvanceAct:
        """The begun payment if the advance is unchanged, else a new one."""
        begun = self.payment.model
        if isinstance(begun, FurtherPaymentModel) and stands_as(begun.overview, overview):
            begun.follow(overview)
            begun.take_shop(**shop_of(self.frame.services))
            return begun
        return self._with_given(FurtherPaymentModel(overview, **shop_of(self.frame.services)))

    def closing_of(self, draft: ClosingDraft) -> AdvanceAct:
        """The begun payment if the draft is unchanged, else a new one."""
        begun = self.payment.model
        if isinstance(begun, ClosingModel) and begun.is_of(draft):
            begun.follow(draft.overview)
            begun.take_shop(**shop_of(self.frame.services))
            return begun
        return self._with_given(ClosingModel(draft, **shop_of(self.frame.services)))

    def _with_given(self, act: AdvanceAct) -> AdvanceAct:
        """The payment with what was given for its advance before."""
        services = self.frame.services
        kept = services.till.carts.given_for_advances().get(act.overview.first_number)
        if kept is not None:
            issued = services.sales.payments_on(_chain_of(act.overview))
            numbers = {one.receipt.fiscal_number for one in issued if one.receipt is not None}
            act.take_kept(kept, issued=numbers)
        return act

    def begin_closing(self, overview: ReceiptOverview) -> ClosingDraft:
        """The closing that was begun for the same advance, else a new one. Raises Invalid."""
        whole = self.frame.services.in_whole_dinars
        draft = ClosingDraft.of(overview, in_whole_dinars=whole)
        if self.naming is not None and stands_as(self.naming.overview, overview):
            return replace(self.naming, overview=overview, in_whole_dinars=whole)
        return draft

    @property
    def names_another(self) -> bool:
        """Whether items are named for another advance than the chosen one, as theirs went."""
        return self.naming is not None and self.naming.overview.first_number != self.model.chosen

    def confirm(self, model: AdvanceAct, *, agreed: bool) -> Sale | Hindrance:
        """Freeze the payment, or return the first thing that prevents it."""
        services = self.frame.services
        if missing := model.missing():
            return missing
        if faults := model.faults(services.till.clock.now()):
            return faults[0]
        unusual = unusual_cash(services.limits, model.tender.payments, model.due)
        if unusual is not None and not agreed:
            return unusual
        if services.server.signs_nothing:
            return errors.NotAllowed("advance_waits")
        if services.sales.under_way_on(_chain_of(model.overview)):
            return errors.NotAllowed("advance_in_doubt")  # another one would pay a second time
        try:
            sale = model.confirm(till=services.till, cashier=services.cashier)
        except (errors.PosError, errors.MachineError) as error:
            return error
        model.forget_kept()
        self._act_on, self._sent, self._sent_key = model.overview, model, sale.key
        self._sent_upon = advance_of(model.overview).paid
        self.act.sale = sale
        self._note_held()
        self.frame.home.act_confirmed(sale)
        self.frame.home.open_drawer_for(sale)
        return sale

    def put_away(self) -> bool:
        """Stop waiting for the act, and tell whether it could be put away.

        A refused act is cancelled, because it was seen and must not be sent beside the next act.
        What was given for it stays given, unless the screen said that it goes back.
        """
        sale, sent = self.act.sale, self.refused
        if sale is not None and self.act.stage is Stage.REFUSED:
            reason = GOES_BACK if self.goes_back else REFUSED_IN_FRONT
            try:
                self._settle_given(sale)
                if sale.state is SaleState.REFUSED:
                    self.frame.services.outbox.cancel(sale.key, reason=reason)
            except (errors.PosError, errors.MachineError) as error:
                self.frame.tell_failure(error, of=ADVANCES)
                return False
        if sent is not None and not self.payment.is_open:
            self._begin_again(sent)
        self.act.sale = None
        return True

    def _settle_given(self, sale: Sale) -> None:
        """Keep what was given for the refused act with its advance, where it is found by any next
        payment, unless it goes back. Raises MachineError."""
        sent, till, on = self.refused, self.frame.services.till, self._act_on
        if self.goes_back:
            if sent is not None:
                sent.give_nothing()
        elif sent is not None:
            sent.save(till=till)
        elif on is not None and _pays(sale, _chain_of(on)) and not _has_given(till, on):
            keep_given(till, on, given_for(till, sale).by_method)

    def _begin_again(self, sent: AdvanceAct) -> None:
        """Let the next payment of the same kind be the refused one, with all that was typed."""
        self.payment.begin(sent, straight_to=None)
        if isinstance(sent, ClosingModel) and sent.draft.names_items:
            self.naming = replace(sent.draft, tendered=NOTHING_GIVEN)

    @property
    def _refused_payment(self) -> Sale | None:
        """The payment or closing that was refused, or None; a refund receives nothing."""
        sale = self.act.sale
        is_payment = sale is not None and sale.operation in _PAYING
        return sale if is_payment and self.act.stage is Stage.REFUSED else None

    @property
    def goes_back(self) -> bool:
        """Whether what was received for the refused act goes back to the customer: what was issued
        for it is undone, it was put away in Attention, or another till closed the advance."""
        sale, elsewhere = self._refused_payment, self.done_elsewhere
        if sale is None:
            return False
        is_over = elsewhere is not None and elsewhere[0] == "closed"
        return is_undone(sale) or sale.state is SaleState.CANCELLED or is_over

    @property
    def counts_on(self) -> Payments:
        """What the next payment has of what was received for the refused act."""
        sale = self._refused_payment
        if sale is None or self.goes_back:
            return NOTHING_GIVEN
        with contextlib.suppress(errors.MachineError):
            return given_for(self.frame.services.till, sale)
        return NOTHING_GIVEN

    @property
    def refused(self) -> AdvanceAct | None:
        """The payment that was confirmed and refused, as it was typed."""
        sale = self.act.sale
        is_sent = sale is not None and sale.key == self._sent_key
        return self._sent if is_sent and self.act.stage is Stage.REFUSED else None

    @property
    def done_elsewhere(self) -> Elsewhere | None:
        """What another till did with the advance since the refused payment was confirmed, and how
        much it moved; None for nothing."""
        sent, opened = self.refused, self._act_on
        if sent is None or opened is None or not _is_same(sent.overview, opened):
            return None
        advance = advance_of(opened)
        if advance.is_closed:
            return "closed", Money.ZERO
        moved = advance.paid - self._sent_upon
        if moved < Money.ZERO:
            return "given_back", -moved
        return ("paid", moved) if moved else None


def _pays(sale: Sale, chain: set[str]) -> bool:
    """Whether it is a payment on the advance of these receipts, or its closing."""
    return sale.target in chain and sale.operation in _PAYING


def _has_given(till: Till, overview: ReceiptOverview) -> bool:
    return overview.first_number in till.carts.given_for_advances()


def _chain_of(overview: ReceiptOverview) -> set[str]:
    """The ids of the receipts of the advance."""
    return {one.receipt_id for one in overview.chain}


def _is_same(overview: ReceiptOverview, other: ReceiptOverview) -> bool:
    """Whether both belong to the same advance, which began with the same receipt."""
    return overview.chain[0].receipt_id == other.chain[0].receipt_id
