"""The last step of a payment: everything is looked at once more, then the sale is frozen."""

from __future__ import annotations

from pos_app.cashier.counter import Counter
from pos_app.cashier.payment.faults import Fault
from pos_app.cashier.payment.model import PaymentModel
from pos_app.errors import Invalid, MachineError, NotAllowed, PosError
from pos_app.selling.checkout import Confirmed
from pos_app.selling.plausible import Unusual


def confirm_payment(
    model: PaymentModel, counter: Counter, *, agreed: bool
) -> Confirmed | Fault | PosError | Unusual:
    """The frozen sale; or the first thing that must be mended; or why it can't be done now.

    agreed: the cashier said that an unusual amount is right; else it is told.
    """
    fault = next(iter(model.faults(counter.till.clock.now())), None)
    if fault is not None:
        return fault
    unusual = counter.limits.of_cash(model.tender.payments.cash, model.due)
    if unusual is not None and not agreed:
        return unusual
    hindrance = counter.hindrance(model.basket.kind)
    if hindrance is not None:
        return hindrance
    try:
        return model.confirm(till=counter.till, cashier=counter.cashier)
    except (Invalid, NotAllowed, MachineError) as error:
        return error
