"""The cart becomes a sale, by one key or in the payment; this sale is then the last sale.

Source: till.md ("Keys", "Payment").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NoReturn

from pos_app.cashier.gate.about import About
from pos_app.cashier.sale.asking import Questions
from pos_app.cashier.sale.context import SaleContext, SalePart
from pos_app.cashier.sale.entry import CodeEntry
from pos_app.cashier.sale.notices import CodesMissed, LastNotice, TrainingEnded
from pos_app.cashier.sale.open_cart import OpenCart, last_line_id
from pos_app.cashier.sale.typed import amount
from pos_app.cashier.services.tasks import guarded
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import NotAllowed, PosError
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.credit import exchange_of
from pos_app.selling.receipts.frozen_pair import FrozenPair, pair_with
from pos_app.selling.sale import confirm_checks, sell
from pos_app.selling.sale.checkout import ConfirmedSale, exact_card
from pos_app.selling.sale.receipt_drafts import Drafts, FaultPart, PaymentFault
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import Ticket
from pos_app.selling.sale.unusual_amounts import Unusual

DEAD_AFTER_SCAN = 400
"""Milliseconds after a scan in which no finger pays, because the amount has just changed under it
(till.md, Keys)."""
NEWEST_SALES = 100
"""The number of sales among which a start looks for the last sale and the last training."""
_PAGE_OF_FAULT = {FaultPart.COST_CENTRE: FaultPart.BUYER, FaultPart.WIRE_TIME: FaultPart.ADVANCE}
"""These faults are corrected on a page of another name."""


class Confirmation:
    open_payment: Callable[[], None]
    """Opens the payment that was begun. The part of the window that shows payments sets this."""

    def __init__(
        self, context: SaleContext, questions: Questions, cart: OpenCart, entry: CodeEntry
    ) -> None:
        self._context = context
        self._questions = questions
        self._services = context.services
        self._cart = cart
        self._entry = entry
        self._confirmed_listeners: list[Callable[[Sale], None]] = []
        self._last_sales = _last_sales(context.services.sales.last(NEWEST_SALES))

    def listen_confirmed(self, listener: Callable[[Sale], None]) -> None:
        """Call back with each confirmed sale, once its successor is the open cart."""
        self._confirmed_listeners.append(listener)

    @property
    def can_pay_by_key(self) -> bool:
        """Whether exact payment acts now. It does not for an empty cart, during a question, or
        while scans wait to be entered."""
        return not (
            self._cart.ticket.cart.is_empty
            or self._questions.is_asked
            or self._context.blocked_by is not None
            or self._entry.waiting
        )

    def pay_cash(self, received: Money | None = None) -> None:
        """Pay cash, exactly or as received. If a part was paid already the payment opens."""
        cash = self._cart.cash_due if received is None else received
        self._pay(Payments.of({PaymentMethod.CASH: cash}))

    def pay_card(self) -> None:
        """Pay the exact amount by card. If a part was paid already the payment opens."""
        self._pay(exact_card(self._cart.due))

    def pay_typed_cash(self, text: str) -> None:
        """Pay exact cash, or take the typed amount as received; other text is refused."""
        typed = text.strip()
        received = amount(typed)
        if typed and received is None and self.can_pay_by_key:
            self._context.attempt(lambda: _no_amount(typed))
        else:
            self._take_cash(received)

    def pay_shown_cash(self, text: str) -> None:
        """Pay cash as the button of exact cash shows it: a typed amount counts as received, other
        text is ignored."""
        if self.amount_is_seen():
            self._take_cash(amount(text))

    def _take_cash(self, received: Money | None) -> None:
        """Pay cash; for an offer nothing is received, and a typed amount is refused."""
        if received is not None and self._cart.ticket.kind.is_offer and self.can_pay_by_key:
            self._context.attempt(_nothing_received)
        else:
            self.pay_cash(received)

    def pay_shown_card(self) -> None:
        """Pay by card as the button shows it."""
        if self.amount_is_seen():
            self.pay_card()

    def amount_is_seen(self) -> bool:
        """Tell whether the amount on the buttons has stood there for long enough to be what a
        finger meant; refuse if it has not."""
        since = self._entry.scanned_at
        is_seen = since is None or self._services.till.clock.ticks() - since >= DEAD_AFTER_SCAN
        if not is_seen:
            self._context.refuse(NotAllowed("soon_after_scan"))
        return is_seen

    def pay_typed_card(self, text: str) -> None:
        """Pay the exact amount by card; any other text is refused, unless a payment was begun."""
        typed = text.strip()
        is_begun = bool(self._cart.ticket.typed_details.paid)
        is_exact = typed == "" or amount(typed) == self._cart.due
        if is_exact or is_begun or not self.can_pay_by_key:
            self.pay_card()
        else:
            self._context.attempt(_only_exactly)

    def confirm_cart(
        self,
        ticket: Ticket,
        drafts: Drafts,
        paid: Payments,
        *,
        agreed: bool,
        by_key: bool = False,
        untold_codes: int = 0,
    ) -> ConfirmedSale | confirm_checks.Hindrance:
        """The frozen sale, or the first thing that prevents it; checks and arguments are those of
        `selling.sale.confirm_checks`. The end of training is reported."""
        services = self._services
        sale = confirm_checks.SaleToConfirm(
            ticket,
            drafts,
            paid,
            services.limits,
            services.in_whole_dinars,
            blocked_by=self._context.blocked_by,
            no_receipts=services.hindrance(ticket.kind, exchanged=ticket.sends_refund),
            is_queued=services.server.signs_nothing,
            by_key=by_key,
            after_training=ticket.key == self._cart.left_for_training,
            untold_codes=untold_codes,
            agreed=agreed,
            in_vat=services.in_vat,
        )
        found = confirm_checks.confirm_sale(sale, till=services.till, cashier=services.cashier)
        if isinstance(found, confirm_checks.AfterTraining):
            self._cart.left_for_training = ""
            self._context.notify(TrainingEnded(), "attention")
        return found

    def sale_confirmed(self, done: ConfirmedSale) -> None:
        """Take a frozen sale, which is the last sale now; its successor is the open cart. In an
        exchange the refund is the last sale until it is signed, because it is sent first."""
        behind = done.sale.follows
        last = done.sale if behind is None else self._services.sales.sale(behind)
        self._last_sales[done.sale.kind.is_training] = last
        self._context.clear_notices()
        self._cart.left_for_training = ""
        following = self._after_training(done) if done.sale.kind.is_training else done.ticket
        self._cart.clear_for(following)
        self._cart.ticket, self._cart.current_line_id = following, last_line_id(following)
        self._cart.announce(
            SalePart.CART, SalePart.KIND, SalePart.NEXT, SalePart.LAST, SalePart.NOTICE
        )
        self._cart.check_articles()
        if done.sale.kind.is_training:
            self._context.notify(LastNotice(done.sale))  # the column shows the last sale again
        self._context.tone("done")
        self._services.outbox.wake()
        for listener in self._confirmed_listeners:
            guarded(partial(listener, done.sale))

    def act_confirmed(self, act: Sale) -> None:
        """Take a refund, a copy or a payment on an advance that was frozen; the open cart stays as
        it is."""
        self._last_sales[act.kind.is_training] = act
        self._cart.announce(SalePart.LAST)
        self._context.tone("done")
        self._services.outbox.wake()

    @property
    def last(self) -> Sale | None:
        """The sale confirmed last. Training has a last sale of its own, which is never shown as a
        sale."""
        return self._last_sales.get(self._cart.ticket.kind.is_training)

    @property
    def last_pair(self) -> FrozenPair | None:
        """The pair (a correction or an exchange) that the last sale belongs to, or None."""
        last, services = self.last, self._services
        if last is None:
            return None
        if last.is_exchange:
            return exchange_of(services.till, services.sales, last)
        is_half = last.follows is not None or last.operation is Operation.REFUND
        return pair_with(services.sales, last) if is_half else None

    def note_sale(self, sale: Sale) -> None:
        """Take over a sale's new state, if it is the last sale. A later operation on a receipt,
        which was confirmed elsewhere, becomes the last sale."""
        last = self._last_sales.get(sale.kind.is_training)
        is_act = sale.operation is not Operation.ISSUE
        is_later = is_act and (last is None or sale.sequence > last.sequence)
        if is_later or (last is not None and sale.key == last.key):
            self._last_sales[sale.kind.is_training] = sale
            is_notice_updated = self._context.notice_list.update_sale(sale)
            self._context.announce(
                *(SalePart.LAST, SalePart.NOTICE) if is_notice_updated else (SalePart.LAST,)
            )

    def _pay(self, paid: Payments, *, agreed: bool = False) -> None:
        if not self.can_pay_by_key:
            self._context.tone("no")
            return
        if (error := self._cart.check_articles()) is not None:
            self._context.refuse(error)
            return
        codes = frozenset((self._cart.ticket.id, one) for one in self._cart.ticket.missed)
        untold = 0 if codes <= self._cart.shown_missed else len(codes)
        match self.confirm_cart(
            self._cart.ticket,
            self._cart.drafts,
            paid,
            agreed=agreed,
            by_key=True,
            untold_codes=untold,
        ):
            case confirm_checks.PaymentBegun():
                self.open_payment()
            case confirm_checks.UntoldCodes():
                self._cart.shown_missed = codes
                self._context.notify(CodesMissed(self._cart.ticket.missed), "attention")
            case Unusual() as unusual:
                self._questions.ask_if_right(
                    unusual, lambda: self._pay_if_none_waits(paid), is_paid=True
                )
            case PaymentFault() as fault:
                self._context.refuse(self._not_finished(fault))
            case NotAllowed(kind="hold") if self._services.asks_to_queue:
                pay = partial(self._pay, paid, agreed=agreed)
                self._context.permit(Act.QUEUE, pay, about=About(amount=self._cart.total))
            case PosError() as error:
                self._context.refuse(error)
            case ConfirmedSale() as done:
                self.sale_confirmed(done)

    def _pay_if_none_waits(self, paid: Payments) -> None:
        """Pay, unless scans came while the question was open; they belong to this sale and go
        first."""
        if not self._entry.waiting:
            self._pay(paid, agreed=True)

    def _after_training(self, done: ConfirmedSale) -> Ticket:
        """Return the cart of real sales as it was left, because the next customer's receipt is no
        training. If that cart can't be read, return the cart of training, whose banner says so."""
        services = self._services
        try:
            found = sell.start(till=services.till, cashier=services.cashier)
        except PosError as error:
            self._context.note_fault(error)
            return done.ticket
        if not found.cart.is_empty:
            self._cart.left_for_training = found.key
        return found

    def _not_finished(self, fault: PaymentFault) -> NotAllowed:
        """Return why the receipt's additions are not right. A begun addition is never left out in
        silence."""
        if fault == self._cart.drafts.buyer.unconfirmed_warning():
            return NotAllowed("doubted_buyer")
        if fault.kind == "below_advance":
            ticket = self._cart.ticket
            paid = amount_text(ticket.paid_before)
            lacking = amount_text(ticket.paid_before - ticket.cart.total)
            return NotAllowed("below_advance", paid=paid, lacking=lacking)
        part = _PAGE_OF_FAULT.get(fault.part, fault.part)
        return NotAllowed(f"unfinished_{part}")


def _last_sales(sales: Iterable[Sale]) -> dict[bool, Sale]:
    """Return the last sale, and the last training under True. sales: the newest first."""
    found: dict[bool, Sale] = {}
    for sale in sales:
        found.setdefault(sale.kind.is_training, sale)
    return found


def _no_amount(typed_text: str) -> NoReturn:
    raise NotAllowed("typed_no_amount", typed=typed_text)


def _nothing_received() -> NoReturn:
    raise NotAllowed("typed_for_offer")


def _only_exactly() -> NoReturn:
    raise NotAllowed("typed_by_card")
