"""The content of the customer display: nothing sold, the open cart, its payment, the confirmed sale
and its code.

It reads the models of the sale when asked. It keeps only the cart that was just confirmed and the
code that becomes small, because those models no longer have them. It never reads a buyer's number,
a notice or an error. Source: till.md (Customer display).
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from pos_app.cashier.payment.model import FigureKind, OpenPayment, PaymentModel
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.words.cart_texts import tax_of
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.cart import Cart
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.credit import exchange_of
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket

NOTHING = Payments()
SMALL_MS = 30_000
"""Milliseconds for which the last receipt's code stays in a corner, once the next sale has
begun."""
LARGE_MS = 120_000
"""Milliseconds for which the confirmed sale stays if nothing else is sold."""


class Scene(Enum):
    IDLE = auto()
    SELLING = auto()
    PAYING = auto()
    CONFIRMED = auto()


@dataclass(frozen=True, slots=True)
class TakeHomeCode:
    """The code of a receipt to take home. url: the tax administration's address in it."""

    url: str
    number: str


@dataclass(frozen=True, slots=True)
class BuyersFigure:
    """The largest figure. kind: the end of its word's text id."""

    kind: str
    amount: Money


@dataclass(frozen=True, slots=True)
class Shown:
    """The content of the display.

    cart is None while nothing is sold. current: the id of the marked line. due: the sum to be paid
    now.
    tax: the tax in the total, or None where it is unknown, or the shop is not in VAT.
    given: the received sums by method. figure: the largest figure. kind: the kind of the document.
    code: it is large unless is_small.
    """

    scene: Scene
    shop: str
    is_practice: bool
    kind: DocumentKind = DocumentKind.SALE
    cart: Cart | None = None
    current: int | None = None
    due: Money = Money.ZERO
    tax: Money | None = None
    given: Payments = NOTHING
    figure: BuyersFigure | None = None
    code: TakeHomeCode | None = None
    is_small: bool = False


@dataclass(frozen=True, slots=True)
class _Confirmed:
    """A sale with its cart. at: ticks of the clock. small_since: ticks when another sale was begun,
    or None."""

    sale: Sale
    ticket: Ticket
    at: int
    small_since: int | None = None

    @property
    def code(self) -> TakeHomeCode | None:
        """The code, or None while the receipt is not signed. A cashier's practice has none either,
        because nobody takes it home."""
        receipt = self.sale.receipt
        if receipt is None or not receipt.verification_url or self.sale.kind.is_training:
            return None
        return TakeHomeCode(receipt.verification_url, receipt.fiscal_number)


class BuyersModel:
    def __init__(self, sale: SaleModel, payment: OpenPayment) -> None:
        self._sale, self._payment = sale, payment
        self._services = sale.context.services
        self._ticket = self._before = sale.cart.ticket
        self._confirmed: _Confirmed | None = None

    # --- changes of the sale ---------------------------------------------------------------------

    def cart_changed(self) -> None:
        """Note that the cart has changed. A scan waits for this call, so the call does little."""
        ticket = self._sale.cart.ticket
        if ticket.id != self._ticket.id:
            self._before = self._ticket
        self._ticket = ticket
        if self._confirmed is not None and not ticket.cart.is_empty:
            self.shrink()

    def sale_confirmed(self, sale: Sale) -> None:
        if sale.cart_id == self._before.id:
            self._confirmed = _Confirmed(sale, self._before, self._ticks())
        if not self._ticket.cart.is_empty:  # this cart waited while somebody trained
            self.shrink()

    def sale_moved(self, sale: Sale) -> bool:
        """Take a change of a sale, its signature for example; return whether it is the shown
        sale."""
        confirmed = self._confirmed
        if confirmed is None or confirmed.sale.key != sale.key:
            return False
        self._confirmed = replace(confirmed, sale=sale)
        return True

    def shrink(self) -> None:
        """Keep only the code, in a corner and for a while, because something else begins."""
        confirmed = self._confirmed
        if confirmed is not None and confirmed.small_since is None:
            self._confirmed = replace(confirmed, small_since=self._ticks())

    def next_ms(self) -> int | None:
        """Return the milliseconds until something leaves the display by itself, or None."""
        confirmed = self._confirmed
        if confirmed is None:
            return None
        end = (
            confirmed.at + LARGE_MS
            if confirmed.small_since is None
            else confirmed.small_since + SMALL_MS
        )
        return max(end - self._ticks(), 0)

    def _ticks(self) -> int:
        return self._services.till.clock.ticks()

    # --- the content -----------------------------------------------------------------------------

    def content(self) -> Shown:
        if self.next_ms() == 0:
            self._confirmed = None
        ticket, confirmed = self._ticket, self._confirmed
        is_large = confirmed is not None and confirmed.small_since is None
        if confirmed is not None and is_large:
            return self._of_confirmed(confirmed)
        base = replace(
            self._base(), code=confirmed.code if confirmed is not None else None, is_small=True
        )
        if ticket.cart.is_empty:
            return base
        due, total = self._sale.cart.due, ticket.cart.total
        base = replace(
            base,
            scene=Scene.SELLING,
            kind=ticket.kind,
            cart=ticket.cart,
            due=due,
            tax=self._tax(ticket.cart),
            current=self._current(ticket),
            figure=BuyersFigure("total", total),
        )
        paid = self._paid(ticket)
        return base if paid is None else _paying(base, paid)

    def _base(self) -> Shown:
        services, store = self._services, self._sale.context.store
        status = services.server.status
        practice = services.not_fiscal or (status is not None and status.not_fiscal)
        return Shown(Scene.IDLE, store.name if store is not None else "", practice)

    def _tax(self, cart: Cart) -> Money | None:
        services = self._services
        status = services.server.status
        if status is None or not services.in_vat:
            return None
        return tax_of(cart, cart.totals, status.rates, services.till.clock.now())

    def _current(self, ticket: Ticket) -> int:
        """Return the id of the line that was changed last. If that line is not sold any more,
        return the id of the last line."""
        current = self._sale.cart.current_line
        return current.id if current is not None else ticket.cart.active[-1].id

    def _paid(self, ticket: Ticket) -> PaymentModel | None:
        model = self._payment.model
        is_open = self._payment.is_open and isinstance(model, PaymentModel)
        if not is_open or not isinstance(model, PaymentModel) or model.ticket.key != ticket.key:
            return None
        return model if model.tender.payments.total or model.ticket.netting is not None else None

    def _of_confirmed(self, confirmed: _Confirmed) -> Shown:
        sale, total = confirmed.sale, BuyersFigure("total", confirmed.sale.total)
        base = replace(
            self._base(),
            scene=Scene.CONFIRMED,
            kind=sale.kind,
            cart=confirmed.ticket.cart,
            due=sale.total,
            tax=self._tax(confirmed.ticket.cart),
            figure=total,
            code=confirmed.code,
        )
        if sale.is_exchange:
            # The buyer sees the sum that changes hands once both receipts are issued, as the
            # cashier does.
            pair = self._pair(sale) if sale.state is SaleState.DONE else None
            return base if pair is None else replace(base, figure=_moved(pair))
        money = sale.money_taken
        if sale.kind is DocumentKind.PROFORMA:
            return base
        figure = BuyersFigure("paid", money.tendered.total)
        if money.change:
            figure = BuyersFigure("change", money.change)
        return replace(base, given=money.tendered, figure=figure)

    def _pair(self, sale: Sale) -> FrozenPair | None:
        """Both receipts, or None where they can't be read now; only the cashier learns that."""
        try:
            return exchange_of(self._services.till, self._services.sales, sale)
        except PosError:
            return None


def _moved(pair: FrozenPair) -> BuyersFigure:
    """The sum that the buyer paid or got back with an exchange."""
    money = ExchangeMoney.of(pair.refund, pair.new)
    if money.change:
        return BuyersFigure("change", money.change)
    if money.taken < Money.ZERO:
        return BuyersFigure("given_back", -money.taken)
    if money.back.total:
        return BuyersFigure("given_back", money.back.total)
    return BuyersFigure("paid", money.taken or money.paid.total)


_BUYERS_KINDS = {
    FigureKind.REMAINING: "remaining",
    FigureKind.CHANGE: "change",
    FigureKind.GIVE_BACK: "given_back",
    FigureKind.BACK_BESIDE: "given_back",
}
"""The figures of a payment that the buyer may see. That too much was typed concerns only the
cashier."""


def _paying(base: Shown, model: PaymentModel) -> Shown:
    figure = model.figure()
    kind = _BUYERS_KINDS.get(figure.kind)
    largest = base.figure
    if kind is not None and figure.amount:
        largest = BuyersFigure(kind, figure.amount)
    given = model.tender.payments
    return replace(
        base, scene=Scene.PAYING, current=None, due=model.due, given=given, figure=largest
    )
