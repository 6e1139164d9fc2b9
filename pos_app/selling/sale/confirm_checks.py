"""A sale is confirmed only after these checks, in this order, by whatever way it is paid.

| # | the sale is not confirmed while                       | paid by a key   | paid on the panel  |
|---|-------------------------------------------------------|-----------------|--------------------|
| 1 | `blocked_by`: scans can't be entered yet              | the key is dead | said               |
| 2 | a label of VAT, while the shop is not in that system  | said            | said               |
| 3 | `PaymentBegun`: something was received, or comes back | opens the panel | goes on with it    |
| 4 | `AfterTraining`: this sale waited behind training     | said once       | said once          |
| 5 | `UntoldCodes`: unknown codes were not shown yet       | said once       | shown all the time |
| 6 | `faults`: the payment or added details are wrong      | said            | opened where it is |
| 7 | `nothing_to_pay`: 0,00 is due, and nothing was paid   | said            | goes on            |
| 8 | `not_enough`: the cash does not cover what is due     | said            | can't be confirmed |
| 9 | `para_in_cash`: the cash received has para           | said            | can't be confirmed |
|10 | `unusual_cash`: far more cash than is usual           | asked           | asked              |
|11 | `no_receipts`: no receipt is signed now               | said            | said               |

A key is exact cash, exact card or cash received. Only a key makes the checks 3, 5 and 7 to 9: the
panel shows these figures while the cashier types. Money received there counts exactly once. Source:
till.md (Promises 2 and 5, "Payment").
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import Payments, has_para, settle
from pos_app.errors import Invalid, NotAllowed, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.checkout import ConfirmedSale, confirm
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.receipt_drafts import Drafts, PaymentFault
from pos_app.selling.sale.sell import check_label
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from pos_app.selling.sale.unusual_amounts import Unusual, UsualLimits


@dataclass(frozen=True, slots=True)
class UntoldCodes:
    """Some codes of this sale found no article, and the cashier was not warned of them before
    paying. count: their number."""

    count: int


@dataclass(frozen=True, slots=True)
class PaymentBegun:
    """Something was received, perhaps from a card, or goods come back: only the panel can go on."""


@dataclass(frozen=True, slots=True)
class AfterTraining:
    """Training ended while this sale was entered, which the cashier may not know."""


Hindrance = PosError | PaymentBegun | AfterTraining | UntoldCodes | PaymentFault | Unusual


@dataclass(frozen=True, slots=True)
class SaleToConfirm:
    """tendered: the customer's payment. drafts: additions to the receipt.

    blocked_by: the reason why scans can't be entered. no_receipts: the reason why the sale can't be
    confirmed while no receipt is signed. is_queued: no receipt is signed now. by_key: paid by one
    key, without the payment panel. after_training: the cashier was not told that training ended.
    agreed: the cashier confirmed an unusual amount. in_vat: whether the shop is in the system of
    VAT.
    """

    ticket: Ticket
    drafts: Drafts
    tendered: Payments
    limits: UsualLimits
    in_whole_dinars: bool
    blocked_by: PosError | None = None
    no_receipts: NotAllowed | None = None
    is_queued: bool = False
    by_key: bool = False
    after_training: bool = False
    untold_codes: int = 0
    agreed: bool = False
    in_vat: bool = True


def confirm_sale(sale: SaleToConfirm, *, till: Till, cashier: str) -> ConfirmedSale | Hindrance:
    """Freeze the sale, or return the first thing that prevents it; then nothing is lost."""
    now = till.clock.now()
    hindrance = first_hindrance(sale, now)
    if hindrance is not None:
        return hindrance
    goods = sale.ticket.exchanged
    confirm_plain = partial(confirm, is_queued=sale.is_queued)
    confirm_it = confirm_plain if goods is None else partial(confirm_exchange, goods=goods)
    try:
        return confirm_it(
            till=till,
            ticket=sale.ticket,
            tendered=sale.tendered,
            receipt_details=sale.drafts.receipt_details(sale.ticket, now),
            cashier=cashier,
            in_whole_dinars=sale.in_whole_dinars,
        )
    except PosError as error:
        return error


def first_hindrance(sale: SaleToConfirm, now: datetime) -> Hindrance | None:
    """The first check of the table that prevents the sale. now: UTC."""
    if sale.blocked_by is not None:
        return sale.blocked_by
    if (refused := _refused_label(sale)) is not None:
        return refused
    return _of_cashier(sale, now)


def _refused_label(sale: SaleToConfirm) -> NotAllowed | None:
    try:
        for line in sale.ticket.cart.active:
            check_label(line.article.frozen, in_vat=sale.in_vat)
    except NotAllowed as error:
        return error
    return None


def _of_cashier(sale: SaleToConfirm, now: datetime) -> Hindrance | None:
    """The checks of what the cashier entered and was told."""
    if sale.by_key and (sale.ticket.typed_details.paid or sale.ticket.exchanged is not None):
        return PaymentBegun()
    if sale.after_training:
        return AfterTraining()
    if sale.by_key and sale.untold_codes:
        return UntoldCodes(sale.untold_codes)
    if faults := sale.drafts.faults(sale.ticket, sale.tendered, now):
        return faults[0]
    due = sale.drafts.due(sale.ticket)
    if sale.by_key and (error := _of_amounts(sale, due)) is not None:
        return error
    takes_money = sale.ticket.kind.takes_money
    unusual = unusual_cash(sale.limits, sale.tendered, due, takes_money=takes_money)
    if unusual is not None and not sale.agreed:
        return unusual
    return sale.no_receipts


def without_processor(
    kind: DocumentKind, *, may_wait: bool, exchanged: bool = False
) -> NotAllowed | None:
    """The reason why a document of this kind can't be confirmed while no receipt is signed, or
    None.

    A sale or proforma may wait in the queue, if the shop wants that; an advance waits in front of
    the cashier (till.md, promise 5), and so does an exchange.
    """
    if kind is DocumentKind.ADVANCE:
        return NotAllowed("advance")
    if exchanged:
        return NotAllowed("exchange")
    return None if may_wait else NotAllowed("hold")


def unusual_cash(
    limits: UsualLimits, tendered: Payments, due: Money, *, takes_money: bool = True
) -> Unusual | None:
    """Return the unusual amount of cash, or None. The limit of the law comes first, because the
    cashier is asked only once."""
    cash = tendered.cash
    given_back = max(tendered.total - due, Money.ZERO)
    of_law = limits.of_cash_kept(cash - given_back)
    if of_law is not None and takes_money:
        return of_law
    return limits.of_cash(cash, due)


def _of_amounts(sale: SaleToConfirm, due: Money) -> PosError | None:
    """The checks of amounts that the panel shows before they are confirmed."""
    if sale.ticket.kind.takes_money and not due and not sale.ticket.paid_before:
        return NotAllowed("nothing_to_pay", total=amount_text(Money.ZERO))
    settled = settle(due, sale.tendered, in_whole_dinars=sale.in_whole_dinars)
    if settled.on_receipt is None:
        received = sale.tendered.cash
        if sale.ticket.kind is DocumentKind.ADVANCE:
            return _part(due, received)
        return NotAllowed("not_enough", received=amount_text(received), owed=amount_text(due))
    if has_para(due, sale.tendered, in_whole_dinars=sale.in_whole_dinars):
        return Invalid("para_in_cash", field="payments")
    return None


def _part(due: Money, received: Money) -> NotAllowed:
    """The error for less than the typed amount of an advance, which the cashier can lower."""
    return NotAllowed("part_of_advance", received=amount_text(received), owed=amount_text(due))
