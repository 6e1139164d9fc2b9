"""A refund of a receipt that the journal does not hold: of another system, or of another till.

A manager names its number and time, and how much goes back by tax label. Whether so much was sold,
or went back before, can't be known here; the paper says so. Source: fiscal.md 6.2, 6.3, 6.6, 6.13.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from pos_app.domain.buyer import BuyerId
from pos_app.domain.foreign_receipt import ForeignReceipt
from pos_app.domain.instant import in_belgrade
from pos_app.domain.money import Money, Quantity, UnitPrice, whole_dinars
from pos_app.domain.number_text import parse_amount
from pos_app.domain.operations import Operation
from pos_app.domain.payment import PaymentMethod, Payments
from pos_app.domain.pricing import ADVANCE_NAMES, price
from pos_app.domain.receipt_number import FiscalNumber
from pos_app.domain.request import (
    LONGEST_NAME,
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
)
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.receipt_drafts import moment_of
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.sell import new_ticket
from pos_app.selling.sale.ticket import DocumentKind

MAY_BE = (InvoiceType.NORMAL, InvoiceType.ADVANCE)
"""Kinds of receipts that are refunded by hand; others are no turnover."""
GIVEN_BACK_BY = (PaymentMethod.CASH, PaymentMethod.WIRE_TRANSFER, PaymentMethod.CARD)


class HandPlace(StrEnum):
    """Where something is wrong."""

    NUMBER = "number"
    TIME = "time"
    GOODS = "goods"
    AMOUNTS = "amounts"


@dataclass(frozen=True, slots=True)
class HandFault:
    """kind: stable name that is translated. label: of the amount that is wrong."""

    place: HandPlace
    kind: str
    label: TaxLabel | None = None


@dataclass(frozen=True, slots=True)
class HandDraft:
    """The fields as typed. day, time: of the receipt, Belgrade. goods: the name of each item.

    at: its instant as its code told, while nobody typed another. most: what it cost, where its code
    told; None: nobody knows.
    """

    number: str = ""
    day: str = ""
    time: str = ""
    goods: str = ""
    amounts: Mapping[TaxLabel, str] = field(default_factory=dict)
    kind: InvoiceType = InvoiceType.NORMAL
    method: PaymentMethod = PaymentMethod.CASH
    at: datetime | None = None
    most: Money | None = None

    @classmethod
    def of(cls, number: str, foreign: ForeignReceipt | None, *, goods: str) -> HandDraft:
        """What the code of the receipt says, filled in. Raises Invalid for one that is no turnover:
        it would be refunded as a sale."""
        if foreign is None:
            return cls(number=number, goods=goods)
        if not foreign.may_be_refunded:
            raise Invalid("Only a sale or an advance is refunded by hand.", field="kind")
        local = in_belgrade(foreign.time)
        return cls(
            number=foreign.number,
            day=local.strftime("%d.%m.%Y."),
            time=local.strftime("%H:%M"),
            goods=goods,
            kind=foreign.kind.invoice_type,
            at=foreign.time,
            most=foreign.total,
        )

    def typed(self, *, day: str | None = None, time: str | None = None) -> HandDraft:
        """With another day or time than its code told."""
        day = self.day if day is None else day
        time = self.time if time is None else time
        is_same = (day, time) == (self.day, self.time)
        return replace(self, day=day, time=time, at=self.at if is_same else None)

    # --- what it means ---------------------------------------------------------------------------

    def referent(self) -> str:
        """The number of the receipt. Raises Invalid."""
        return str(FiscalNumber.parse(self.number))

    def moment(self, now: datetime) -> datetime:
        """When it was issued, UTC. Raises Invalid."""
        if self.at is not None:
            return self.at
        moment = moment_of(self.day.strip(), self.time.strip(), now)
        if moment > now:
            raise Invalid("a receipt can't be of the future", kind="future")
        return moment

    def parts(self) -> dict[TaxLabel, Money]:
        """What goes back by label. Raises Invalid for a text that is no amount."""
        typed = {label: self.amounts.get(label, "").strip() for label in TaxLabel}
        return {label: one for label, text in typed.items() if text and (one := parse_amount(text))}

    @property
    def total(self) -> Money:
        """What goes back; nothing while an amount is none."""
        try:
            return Money.total(self.parts().values())
        except Invalid:
            return Money.ZERO

    @property
    def payments(self) -> Payments:
        return Payments.of({self.method: self.total})

    def hand_gives(self, *, in_whole_dinars: bool) -> Money:
        """The cash that the hand gives; the receipt stays exact."""
        cash = self.payments.cash
        return whole_dinars(cash) if in_whole_dinars else cash

    def fault(self, now: datetime) -> HandFault | None:
        """The first thing that keeps it from being issued."""
        try:
            self.referent()
        except Invalid:
            return HandFault(HandPlace.NUMBER, "form")
        try:
            self.moment(now)
        except Invalid as error:
            return HandFault(HandPlace.TIME, str(error.values.get("kind", "date")))
        if not self.goods.strip():
            return HandFault(HandPlace.GOODS, "empty")
        return self._amounts_fault()

    def _amounts_fault(self) -> HandFault | None:
        for label, text in self.amounts.items():
            try:
                parse_amount(text) if text.strip() else None
            except Invalid:
                return HandFault(HandPlace.AMOUNTS, "number", label)
        if not self.total:
            return HandFault(HandPlace.AMOUNTS, "nothing")
        if self.most is not None and self.total > self.most:
            return HandFault(HandPlace.AMOUNTS, "above_total")
        return None

    def items(self) -> tuple[RequestedItem, ...]:
        """One a label, as of an advance; raises Invalid."""
        is_advance = self.kind is InvoiceType.ADVANCE
        goods = self.goods.strip()[:LONGEST_NAME]
        return tuple(
            RequestedItem(
                Quantity.ONE,
                UnitPrice(amount.amount),
                article=FrozenArticle(ADVANCE_NAMES[label] if is_advance else goods, label),
                total=amount,
            )
            for label, amount in self.parts().items()
        )


def confirm_refund_by_hand(
    *,
    till: Till,
    draft: HandDraft,
    buyer: BuyerId,
    delivery: ReceiptDelivery,
    cashier: str,
    in_whole_dinars: bool,
) -> Sale:
    """Freeze it. Raises Invalid for what `HandDraft.fault` tells; DiskFull. Then nothing was
    confirmed."""
    now = till.clock.now()
    request = IssueRequest(
        invoice_type=draft.kind,
        transaction_type=TransactionType.REFUND,
        items=draft.items(),
        payments=draft.payments,
        delivery=delivery,
        buyer=buyer,
        referent_number=draft.referent(),
        referent_time=draft.moment(now),
        total=draft.total,
    )
    price(request)
    kind = DocumentKind.ADVANCE if draft.kind is InvoiceType.ADVANCE else DocumentKind.SALE
    new = new_ticket(till=till, cashier=cashier, kind=kind)
    rounding = draft.payments.cash - draft.hand_gives(in_whole_dinars=in_whole_dinars)
    sale = NewSale(
        body=till.codec.encode(request),
        total=draft.total,
        money_taken=MoneyTaken(draft.payments, draft.payments, rounding=rounding),
        cashier=cashier,
        frozen_at=new.opened_at,
        operation=Operation.REFUND,
    )
    return till.carts.freeze_operation(new, sale=sale)
