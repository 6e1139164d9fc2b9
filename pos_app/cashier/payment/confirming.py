"""The last step of every payment: all checks once more, then the sale is frozen."""

from __future__ import annotations

from pos_app.cashier.payment.drafts import Drafts, PaymentFault
from pos_app.cashier.services import TillServices
from pos_app.domain.payment import Payments
from pos_app.errors import PosError
from pos_app.selling.checkout import ConfirmedSale, confirm
from pos_app.selling.confirm_checks import SaleToConfirm, UntoldCodes, first_hindrance
from pos_app.selling.ticket import Ticket
from pos_app.selling.unusual_amounts import Unusual


def confirm_sale(
    ticket: Ticket,
    drafts: Drafts,
    tendered: Payments,
    services: TillServices,
    *,
    held_by: PosError | None,
    agreed: bool,
    by_key: bool = False,
    untold_codes: int = 0,
) -> ConfirmedSale | PaymentFault | UntoldCodes | Unusual | PosError:
    """The frozen sale, or the first thing that keeps it from being confirmed.

    The arguments are those of `SaleToConfirm`. Where it was not confirmed nothing is lost.
    """
    now = services.till.clock.now()
    found = first_hindrance(
        SaleToConfirm(
            ticket,
            tendered,
            drafts.due(ticket),
            drafts.faults(ticket, tendered, now),
            services.limits,
            services.in_whole_dinars,
            held_by=held_by,
            no_receipts=services.hindrance(ticket.kind),
            by_key=by_key,
            untold_codes=untold_codes,
            agreed=agreed,
        )
    )
    if found is not None:
        return found
    try:
        return confirm(
            till=services.till,
            ticket=ticket,
            tendered=tendered,
            papers=drafts.papers(ticket, now),
            cashier=services.cashier,
            in_whole_dinars=services.in_whole_dinars,
        )
    except PosError as error:
        return error
