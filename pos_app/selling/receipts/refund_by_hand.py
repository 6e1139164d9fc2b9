"""A refund of a receipt that the journal does not hold: of another system, or of another till.

A manager enters its number and time, and the amount that goes back by tax label. Whether so much
was sold, or went back before, is unknown here; the paper says so. A refund of an advance may close
it: then it covers all that was paid and gives nothing back, and the sale of the goods that follows
refers to it and asks for the remainder. Source: fiscal.md 6.2, 6.3, 6.6, 6.13.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money import money
from pos_app.domain.money.number_text import parse_amount, plain_amount_text
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import pricing, receipt_number
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import (
    LONGEST_NAME,
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
)
from pos_app.domain.text import instant
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale import sell
from pos_app.selling.sale.ports import SaleRepository, Till, goods_settled
from pos_app.selling.sale.receipt_drafts import moment_of
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.sell import new_ticket
from pos_app.selling.sale.ticket import NOTHING_ADDED, DocumentKind, Referent, Ticket, TypedDetails

MAY_BE = (InvoiceType.NORMAL, InvoiceType.ADVANCE)
"""The kinds of receipts that are refunded by hand; others are no turnover."""
GIVEN_BACK_BY = (PaymentMethod.CASH, PaymentMethod.WIRE_TRANSFER, PaymentMethod.CARD)


class HandPart(StrEnum):
    NUMBER = "number"
    TIME = "time"
    GOODS = "goods"
    AMOUNTS = "amounts"
    METHODS = "methods"
    """The payment methods of an advance that is closed."""


@dataclass(frozen=True, slots=True)
class HandFault:
    """kind: a stable name that is translated. label, method: those of the wrong amount."""

    part: HandPart
    kind: str
    label: TaxLabel | None = None
    method: PaymentMethod | None = None


@dataclass(frozen=True, slots=True)
class HandDraft:
    """The fields as typed. day, time: the day and time of the receipt, in Belgrade. goods: the name
    of each item.

    method: the single payment method. While it is None, nobody has chosen one: a refund gives back
    cash, and a closing asks for the method. paid: the amounts by several methods of a closed
    advance, as typed. at: the instant in the receipt's code, while nobody typed another. most: the
    total in the code, None when unknown. till: the shop's till that has the receipt, "" where none
    was found. with_goods: the goods of an advance are handed over.
    """

    number: str = ""
    day: str = ""
    time: str = ""
    goods: str = ""
    amounts: Mapping[TaxLabel, str] = field(default_factory=dict)
    kind: InvoiceType = InvoiceType.NORMAL
    method: PaymentMethod | None = None
    paid: Mapping[PaymentMethod, str] = field(default_factory=dict)
    at: datetime | None = None
    most: money.Money | None = None
    till: str = ""
    with_goods: bool = False

    @classmethod
    def of(
        cls, number: str, foreign: ForeignReceipt | None, *, goods: str, closes: bool = False
    ) -> HandDraft:
        """Fill in the data of the receipt's code, and the till that has it. closes: the advance is
        closed. Raises Invalid for a receipt that is no turnover: it would be refunded as a sale."""
        if foreign is None:
            kind = InvoiceType.ADVANCE if closes else InvoiceType.NORMAL
            return cls(number=number, goods=goods, kind=kind, with_goods=closes)
        if not foreign.may_be_refunded:
            raise Invalid("by_hand", field="kind")
        local = instant.in_belgrade(foreign.time)
        paid = {one.method: one.amount for one in foreign.payments if one.amount}
        return cls(
            number=foreign.number,
            day=local.strftime("%d.%m.%Y."),
            time=local.strftime("%H:%M"),
            goods=goods,
            kind=foreign.kind.invoice_type,
            at=foreign.time,
            most=foreign.total,
            amounts={one.label: plain_amount_text(one.amount) for one in foreign.by_label},
            till=foreign.till,
            method=next(iter(paid)) if len(paid) == 1 else None,
            paid={by: plain_amount_text(one) for by, one in paid.items()} if len(paid) > 1 else {},
            with_goods=closes,
        )

    def with_typed(self, *, day: str | None = None, time: str | None = None) -> HandDraft:
        """The draft with a typed day or time; the instant of the code then no longer counts."""
        day = self.day if day is None else day
        time = self.time if time is None else time
        is_same = (day, time) == (self.day, self.time)
        return replace(self, day=day, time=time, at=self.at if is_same else None)

    @property
    def closes(self) -> bool:
        """Whether the refund closes an advance: nothing goes back, and the goods are sold next."""
        return self.with_goods and self.kind is InvoiceType.ADVANCE

    # --- what it means ---------------------------------------------------------------------------

    def referent(self) -> str:
        """The number of the receipt. Raises Invalid."""
        return str(receipt_number.FiscalNumber.parse(self.number))

    def moment(self, now: datetime) -> datetime:
        """The instant of the receipt, UTC. Its time is printed on it and signed with the refund, so
        none is assumed. Raises Invalid."""
        if self.at is not None:
            return self.at
        moment = moment_of(self.day.strip(), self.time.strip(), now)
        if moment > now:
            raise Invalid("future.receipt")
        number = receipt_number.FiscalNumber.parse(self.number)
        if moment >= number.earliest:
            if not self.time.strip():
                raise Invalid("time.typed")
            return moment
        if number.is_before_efiscalization:
            raise Invalid("before_vat")
        raise Invalid("too_early.receipt")

    def amounts_by_label(self) -> dict[TaxLabel, money.Money]:
        """The amounts that go back by label. Raises Invalid for a text that is no amount."""
        typed = {label: self.amounts.get(label, "").strip() for label in TaxLabel}
        return {label: one for label, text in typed.items() if text and (one := parse_amount(text))}

    @property
    def total(self) -> money.Money:
        """The amount that goes back; zero while one of the texts is no amount."""
        try:
            return money.Money.total(self.amounts_by_label().values())
        except Invalid:
            return money.Money.ZERO

    @property
    def by_method(self) -> dict[PaymentMethod, money.Money]:
        """The payments by several methods. Raises Invalid for a text that is no amount."""
        typed = {method: self.paid.get(method, "").strip() for method in PaymentMethod}
        return {by: one for by, text in typed.items() if text and (one := parse_amount(text))}

    @property
    def single(self) -> PaymentMethod | None:
        """The single payment method, or None for several, or while it is unknown."""
        if not self.closes:
            return self.method if self.method in GIVEN_BACK_BY else PaymentMethod.CASH
        return None if any(text.strip() for text in self.paid.values()) else self.method

    @property
    def payments(self) -> Payments:
        """The payments of the refund; those of an advance are mirrored (fiscal.md 6.2)."""
        if self.single is not None:
            return Payments.of({self.single: self.total})
        return Payments.of(self.by_method) if self.closes else Payments()

    def hand_gives(self, *, in_whole_dinars: bool) -> money.Money:
        """The cash handed over; the receipt stays exact."""
        if self.closes:
            return money.Money.ZERO
        cash = self.payments.cash
        return money.handed(cash, in_whole_dinars=in_whole_dinars)

    def fault(self, now: datetime) -> HandFault | None:
        try:
            self.referent()
        except Invalid:
            return HandFault(HandPart.NUMBER, "form")
        try:
            self.moment(now)
        except Invalid as error:
            return HandFault(HandPart.TIME, error.kind or "date")
        if self.kind is not InvoiceType.ADVANCE and not self.goods.strip():
            return HandFault(HandPart.GOODS, "empty")
        return self._amounts_fault()

    def _amounts_fault(self) -> HandFault | None:
        for label, text in self.amounts.items():
            try:
                parse_amount(text) if text.strip() else None
            except Invalid:
                return HandFault(HandPart.AMOUNTS, "number", label)
        if not self.total:
            return HandFault(HandPart.AMOUNTS, "nothing")
        if self.closes and self.single is None:
            return self._methods_fault()
        is_limited = self.most is not None and not self.closes  # a closing exceeds its last payment
        if is_limited and self.total > (self.most or money.Money.ZERO):
            return HandFault(HandPart.AMOUNTS, "above_total")
        return None

    def _methods_fault(self) -> HandFault | None:
        for method, text in self.paid.items():
            try:
                parse_amount(text) if text.strip() else None
            except Invalid:
                return HandFault(HandPart.METHODS, "number", method=method)
        paid = self.by_method
        if not paid:
            return HandFault(HandPart.METHODS, "empty")
        if money.Money.total(paid.values()) != self.total:
            return HandFault(HandPart.METHODS, "sum", method=next(iter(paid)))
        return None

    def items(self) -> tuple[RequestedItem, ...]:
        """One item for each label, as for an advance. Raises Invalid."""
        is_advance = self.kind is InvoiceType.ADVANCE
        goods = self.goods.strip()[:LONGEST_NAME]
        return tuple(
            RequestedItem(
                money.Quantity.ONE,
                money.UnitPrice(amount.amount),
                article=FrozenArticle(pricing.ADVANCE_NAMES[label] if is_advance else goods, label),
                total=amount,
            )
            for label, amount in self.amounts_by_label().items()
        )


def confirm_refund_by_hand(
    *,
    till: Till,
    draft: HandDraft,
    buyer: BuyerId,
    delivery: ReceiptDelivery,
    cashier: str,
    in_whole_dinars: bool,
    is_own: bool = False,
    reason: str = "",
) -> Sale:
    """Freeze the refund. A refund that closes an advance is handed to nobody. is_own: the buyer
    stands for the shop itself, and is no buyer of the goods. reason: as in `NewSale`. Raises
    Invalid for a fault of `HandDraft.fault`; DiskFull. After an error nothing is confirmed."""
    now = till.clock.now()
    request = IssueRequest(
        invoice_type=draft.kind,
        transaction_type=TransactionType.REFUND,
        items=draft.items(),
        payments=draft.payments,
        delivery=ReceiptDelivery() if draft.closes else delivery,
        buyer=buyer,
        referent_number=draft.referent(),
        referent_time=draft.moment(now),
        total=draft.total,
    )
    pricing.price(request)
    kind = DocumentKind.ADVANCE if draft.kind is InvoiceType.ADVANCE else DocumentKind.SALE
    new = new_ticket(till=till, cashier=cashier, kind=kind)
    given = Payments() if draft.closes else draft.payments
    rounding = given.cash - draft.hand_gives(in_whole_dinars=in_whole_dinars)
    sale = NewSale(
        body=till.codec.encode(request),
        total=draft.total,
        money_taken=MoneyTaken(given, draft.payments, rounding=rounding),
        cashier=cashier,
        frozen_at=new.opened_at,
        operation=Operation.REFUND,
        reason=reason,
    )
    typed = TypedDetails(buyer_code=buyer.code, buyer_value=buyer.value, buyer_sure=True)
    of_goods = typed if draft.closes and not is_own else NOTHING_ADDED
    return till.carts.freeze_operation(new, sale=sale, typed_details=of_goods)


def open_goods(*, till: Till, sales: SaleRepository, ticket: Ticket, refund: Sale) -> Ticket:
    """Open an empty cart for the goods of an advance that was closed by hand. The cart refers to
    the refund, and asks for no more than remains. An open cart is suspended.

    Raises NotAllowed where there is such a sale or cart, or none is needed; DiskFull.
    """
    receipt = refund.receipt
    is_wanted = any(one.key == refund.key for one in sales.closed_without_goods())
    if not is_wanted or receipt is None or receipt.signed_at is None:
        raise goods_settled()
    buyer = till.carts.cart_of(refund.cart_id).typed_details
    referent = Referent(receipt.fiscal_number, receipt.signed_at, refund.total)
    return sell.open_with(
        till=till,
        ticket=ticket,
        kind=DocumentKind.SALE,
        cart=Cart(),
        typed_details=replace(buyer, referent=referent),
    )
