"""The data that all plans need beside the request, and checks that several plans share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import NOTHING_PAID, PaymentMethod, Payments
from pos_app.domain.receipt.buyer import BuyerId, CostCentre, check_cost_centre
from pos_app.domain.text.instant import E_FISCALIZATION_BEGAN, day_of
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance_tax import GivenRates
from pos_app.fiscalization.plans.shop_choices import PaymentLines, ShopChoices
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """now: the instant of acceptance. seller: the shop's own PIB as a buyer, or None.

    rates: the processor's rates, which give the tax of an advance whose answer lacks it.
    esir_number: "IB/version"; cashier: as printed; rules: the shop's choices. in_vat: whether the
    shop is in the system of VAT.
    """

    now: datetime
    cashier: str
    rules: ShopChoices
    esir_number: str | None = None
    seller: BuyerId | None = None
    rates: GivenRates = None
    in_vat: bool = True


@contextmanager
def sums_named(field: str) -> Iterator[None]:
    """Raises Invalid on `field` for a sum beyond 12 digits, which no single member causes."""
    try:
        yield
    except Invalid as error:
        if error.field:
            raise
        raise Invalid("wrong", field=field, why=error.what) from error


def payment_lines(
    payments: Payments, centre: CostCentre | None, *, rules: ShopChoices
) -> PaymentLines:
    """The payments of a document; with a corporate card a payment of nothing is by voucher."""
    if centre is not None and centre.is_corporate_card:
        return payments.by_method or ((PaymentMethod.VOUCHER, Money.ZERO),)
    return rules.recorded(payments.by_method) or NOTHING_PAID


def text_of(buyer: BuyerId | CostCentre | None) -> str | None:
    return None if buyer is None else str(buyer)


def buyer_within(chain_buyer: str | None, given: BuyerId | None) -> BuyerId | None:
    return given if given or chain_buyer is None else BuyerId.parse(chain_buyer)


def check_centre(
    centre: CostCentre | None, *, buyer: BuyerId | None, payments: Payments, refund: bool
) -> None:
    try:
        check_cost_centre(centre, buyer=buyer, payments=payments, refund=refund)
    except Invalid as error:
        raise Invalid("wrong", field="buyerCostCenterId", why=error.what) from error


def check_pos_time(pos_time: datetime | None, payments: Payments, *, now: datetime) -> None:
    """Check the ЕСИР време, which only a wire transfer of an earlier day may have (fiscal.md 6.8).
    No advance was fiscal before e-fiscalization, so an earlier day is mistyped. Raises Invalid."""
    if pos_time is None:
        return
    if not payments.amount(PaymentMethod.WIRE_TRANSFER):
        raise Invalid("pos_time_wire", field="posTime")
    if day_of(pos_time) >= day_of(now):
        raise Invalid("pos_time_day", field="posTime")
    if pos_time < E_FISCALIZATION_BEGAN:
        raise Invalid("pos_time_began", field="posTime", day=day_of(E_FISCALIZATION_BEGAN))
