"""A cart with its kind of document, its cashier, and the key by which its receipt will be asked
for.

Source: till.md ("Cart"), exactly-once.md ("The key travels the whole way").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.request import InvoiceType
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.goods_back import GoodsBack, Netting
from pos_app.selling.sale.missed_codes import Missed

# --- what is added beside the lines ------------------------------------------------------------
# Details are kept as typed, finished or not; the payment shows their faults. They are stored with
# the cart at each change, so that every way of paying finds them, and none is lost when the cart is
# suspended or the till killed. Source: till.md ("Payment", Promise 1), fiscal.md 5, 6.2, 6.8, 6.12.


@dataclass(frozen=True, slots=True)
class TypedAdvance:
    """The fields of an advance, as typed.

    amount: "" for the whole cart. unknown: the final amount is unknown, or None for the store's
    usual. texts_by_label: by tax label. day, time: the day and time when a wire transfer arrived,
    in Belgrade.
    """

    amount: str = ""
    unknown: bool | None = None
    texts_by_label: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Referent:
    """The receipt that a cart comes from: a proforma, or the refund of an advance of another
    system, where paid_before is the advance's payment (fiscal.md 6.2). time: UTC."""

    number: str
    time: datetime
    paid_before: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class TypedDetails:
    """Texts as typed; numbers of persons never appear in logs.

    buyer_code: the buyer's kind in the codebook, "" for the usual one. buyer_sure: whether the
    cashier confirmed this number although its check digit does not fit. centre_code: "" for no cost
    centre. ways: names of the ways of delivery, or None for the shop's usual one. email: the
    address as typed. paid: the payments so far; a card may have been charged on its terminal. Cash
    below zero is no payment: of a refused sale that is corrected it is the change that was told,
    and the payments are without it.
    without_card: the payments that count again if the corporate card is turned off: those before
    it, and those that were typed since, but none that it filled in itself. None without the card.
    referent: the receipt that the cart comes from. goods_back: the goods that a customer brings
    back in exchange.
    """

    buyer_code: str = ""
    buyer_value: str = field(default="", repr=False)
    centre_code: str = ""
    centre_value: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    ways: tuple[str, ...] | None = None
    email: str = field(default="", repr=False)
    advance: TypedAdvance = field(default_factory=TypedAdvance)
    buyer_sure: bool = False
    paid: tuple[tuple[PaymentMethod, Money], ...] = ()
    referent: Referent | None = None
    goods_back: GoodsBack | None = None
    buyer_name: str = field(default="", repr=False)
    without_card: tuple[tuple[PaymentMethod, Money], ...] | None = None

    @property
    def given(self) -> tuple[tuple[PaymentMethod, Money], ...]:
        """The payments so far, without the change that was told before."""
        return tuple((method, money) for method, money in self.paid if money > Money.ZERO)

    @property
    def change_told(self) -> Money:
        return -Money.total(money for _, money in self.paid if money < Money.ZERO)

    @property
    def paid_in_all(self) -> Money:
        return Money.total(money for _, money in self.given)

    def paying(self, given: Iterable[tuple[PaymentMethod, Money]], told: Money) -> TypedDetails:
        """The same with these payments, and the change that was told before."""
        change = ((PaymentMethod.CASH, -told),) if told else ()
        return replace(self, paid=(*given, *change))

    @property
    def unpaid(self) -> TypedDetails:
        """The same without anything that was received."""
        return replace(self, paid=(), without_card=None)

    def paid_before(self, kind: DocumentKind) -> Money:
        """The same as `Ticket.paid_before`, for a ticket of that kind."""
        is_sale = kind is DocumentKind.SALE
        return self.referent.paid_before if is_sale and self.referent is not None else Money.ZERO

    def binds(self, kind: DocumentKind) -> bool:
        """Whether these details keep a cart of that kind open even without lines."""
        return self.goods_back is not None or bool(self.paid_before(kind))


NOTHING_ADDED = TypedDetails()
"""The details of a receipt of lines alone, delivered in the usual way."""


# --- the ticket --------------------------------------------------------------------------------

LONGEST_CART_NAME = 40


class DocumentKind(StrEnum):
    """The kind of document that the cart becomes when confirmed."""

    SALE = "sale"
    ADVANCE = "advance"
    PROFORMA = "proforma"
    TRAINING = "training"

    @property
    def invoice_type(self) -> InvoiceType:
        return _INVOICE_TYPES[self]

    @property
    def is_training(self) -> bool:
        """Whether the document is training, whose cart exists beside the real one."""
        return self is DocumentKind.TRAINING

    @property
    def is_offer(self) -> bool:
        """Whether the document only names how the customer would pay. Training is practised with
        amounts, as a sale."""
        return self is DocumentKind.PROFORMA

    @property
    def takes_money(self) -> bool:
        """Whether a customer pays for the document; nobody pays for training or a proforma."""
        return self in (DocumentKind.SALE, DocumentKind.ADVANCE)


_INVOICE_TYPES = {
    DocumentKind.SALE: InvoiceType.NORMAL,
    DocumentKind.ADVANCE: InvoiceType.ADVANCE,
    DocumentKind.PROFORMA: InvoiceType.PROFORMA,
    DocumentKind.TRAINING: InvoiceType.TRAINING,
}


EMPTY = "empty"
"""The reason of a cart that was ended because it had no lines."""


@dataclass(frozen=True, slots=True)
class NewTicket:
    """An empty cart to be opened. key: 32 hex digits, minted for it alone. opened_at: UTC."""

    key: str
    kind: DocumentKind
    cashier: str
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Ticket:
    """A stored cart. revision counts its changes, so that an outdated copy is never written.

    missed: the codes that found no article, until the sale ends. suspended_at: the instant of
    suspending, UTC, or None. emptied: for an empty cart, the one before it, which ended with its
    last line; until something is entered, that one can be brought back. It is not stored. name:
    what the cart was called while it was suspended, "" for no name.
    """

    id: int
    key: str
    kind: DocumentKind
    cashier: str
    opened_at: datetime
    revision: int = 0
    cart: Cart = field(default_factory=Cart)
    typed_details: TypedDetails = NOTHING_ADDED
    missed: Missed = ()
    suspended_at: datetime | None = None
    emptied: Ticket | None = None
    name: str = ""

    @property
    def is_idle(self) -> bool:
        """Whether the cart has no lines, no returned goods and no payment in advance."""
        return self.cart.is_empty and not self.typed_details.binds(self.kind)

    @property
    def may_be_held(self) -> bool:
        """Whether it has lines, or goods that come back by a refund that is not issued yet. What is
        owed already Attention tells, unless a cart has it."""
        return not self.cart.is_empty or self.sends_refund

    @property
    def exchanged(self) -> GoodsBack | None:
        """The goods that come back for its lines; only a sale can be an exchange."""
        return self.typed_details.goods_back if self.kind is DocumentKind.SALE else None

    @property
    def netting(self) -> Netting | None:
        """The returned goods against its lines, or None if no goods come back."""
        return None if self.exchanged is None else Netting.of(self.exchanged, self.cart)

    @property
    def sends_refund(self) -> bool:
        goods = self.exchanged
        return goods is not None and not goods.is_refunded

    @property
    def received(self) -> Payments:
        """What the customer gave for the cart so far; nothing in training."""
        return Payments.summed(self.typed_details.given if self.kind.takes_money else ())

    @property
    def goes_back(self) -> Payments:
        """What goes back to the customer if nothing is paid for the cart any more: not a voucher
        that nobody gave, because a corporate card filled it in."""
        details = self.typed_details
        if details.without_card is None or not self.kind.takes_money:
            return self.received
        return Payments.summed(details.without_card)

    @property
    def paid_before(self) -> Money:
        """The sale's payment in advance at another system; zero for other kinds."""
        return self.typed_details.paid_before(self.kind)

    @property
    def shown_cart(self) -> Cart:
        """The cart, or the emptied one, whose lines can be put back."""
        return self.cart if self.emptied is None else self.emptied.cart
