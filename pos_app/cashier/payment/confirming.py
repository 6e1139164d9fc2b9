"""The last step of a payment: everything is looked at once more, then the sale is frozen."""

from __future__ import annotations

from pos_app.cashier.payment.drafts import PaymentFault
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.services import TillServices
from pos_app.errors import Invalid, MachineError, NotAllowed, PosError
from pos_app.selling.checkout import ConfirmedSale
from pos_app.selling.unusual_amounts import Unusual


def confirm_payment(
    model: PaymentModel, services: TillServices, *, agreed: bool
) -> ConfirmedSale | PaymentFault | PosError | Unusual:
    """The frozen sale; or the first thing that must be mended; or why it can't be done now.

    agreed: the cashier said that an unusual amount is right; else it is told.
    """
    fault = next(iter(model.faults(services.till.clock.now())), None)
    if fault is not None:
        return fault
    unusual = services.limits.of_cash(model.tender.payments.cash, model.due)
    if unusual is not None and not agreed:
        return unusual
    hindrance = services.hindrance(model.ticket.kind)
    if hindrance is not None:
        return hindrance
    try:
        return model.confirm(till=services.till, cashier=services.cashier)
    except (Invalid, NotAllowed, MachineError) as error:
        return error
