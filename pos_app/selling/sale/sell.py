"""Selling at the counter: one function for each act of a cashier on the cart.

Each takes the cart as it was, stores the change in one short transaction and returns the new cart.
Prices stay as they were entered; names and tax labels are the present ones. Source: till.md
("Cart", "Keys").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pos_app.domain.article.article import Article
from pos_app.domain.money.discount import LineDiscount
from pos_app.domain.money.money import GRAM, Money, Quantity, half_up
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import is_of_vat
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine, ReceiptDiscount, TakenOff
from pos_app.domain.receipt.request import MOST_ITEMS, FrozenArticle, is_sku
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import Invalid, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import tidy_name
from pos_app.selling.sale.goods_back import GoodsBack, Netting
from pos_app.selling.sale.missed_codes import Missed, without_entered
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import (
    EMPTY,
    LONGEST_CART_NAME,
    NOTHING_ADDED,
    DocumentKind,
    NewTicket,
    Ticket,
    TypedDetails,
)
from pos_app.selling.sale.unusual_amounts import Unusual, UsualLimits

_SOLD_ONLY = (DocumentKind.ADVANCE, DocumentKind.PROFORMA)
"""The kinds that a cart of an exchange, or of a closed advance, can't become."""


@dataclass(frozen=True, slots=True)
class ItemAdded:
    """The article is in the cart; `line` is its row."""

    ticket: Ticket
    line: CartLine


@dataclass(frozen=True, slots=True)
class AskQuantity:
    """The article is sold by weight, and its weight is unknown. Nothing was changed."""

    article: Article


@dataclass(frozen=True, slots=True)
class AskPrice:
    """The cashier must type the price of this article. Nothing was changed. quantity: how much is
    entered at that price, None for one piece."""

    article: Article
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class AskIfRight:
    """A typed number or a price label makes an unusual line, and the cashier is asked. Nothing was
    changed.

    stated_total: the total on the label, or None.
    """

    article: Article
    quantity: Quantity
    unusual: Unusual
    stated_total: Money | None = None


@dataclass(frozen=True, slots=True)
class AskLeave:
    """The item raises a discount that not everybody may give, so that somebody has to allow it.
    Nothing was changed. cart: as it would be."""

    cart: Cart


Allows = Callable[[Cart], bool]
"""Whether the cart may become that one without asking anybody."""


def allows_all(_: Cart) -> bool:
    return True


# --- the cart itself -----------------------------------------------------------------------------


def start(*, till: Till, cashier: str, training: bool = False) -> Ticket:
    """The open cart as it was left, also after a crash; else a new one."""
    found = till.carts.open_cart(training=training)
    kind = DocumentKind.TRAINING if training else DocumentKind.SALE
    return found or till.carts.begin(new_ticket(till=till, cashier=cashier, kind=kind))


def set_kind(*, till: Till, ticket: Ticket, kind: DocumentKind, cashier: str) -> Ticket:
    """Make the ticket a sale, an advance or a proforma. Training has a cart of its own; the other
    cart stays. What was received goes back to the customer when it becomes a proforma.

    Raises NotAllowed for an exchange, and for the goods of a closed advance of another system: both
    can only be sold.
    """
    referent = ticket.typed_details.referent
    if referent is not None and referent.paid_before and kind in _SOLD_ONLY:
        raise NotAllowed("closing_is_sale")
    if ticket.typed_details.goods_back is not None and kind in _SOLD_ONLY:
        raise NotAllowed("exchange_is_sale")
    if kind.is_training != ticket.kind.is_training:
        other = start(till=till, cashier=cashier, training=kind.is_training)
        return other if other.kind is kind else _of_kind(till, other, kind)
    return _of_kind(till, ticket, kind)


def _of_kind(till: Till, ticket: Ticket, kind: DocumentKind) -> Ticket:
    details = _details_for(kind, ticket.typed_details)
    return _saved(till, replace(ticket, kind=kind, typed_details=details), was=ticket)


def _details_for(kind: DocumentKind, details: TypedDetails) -> TypedDetails:
    """Return the details without what was received, where a cart becomes an offer."""
    return details.unpaid if kind.is_offer else details


def suspend(*, till: Till, ticket: Ticket, name: str | None = None) -> Ticket:
    """Suspend the cart and open the next. name: what the cart is called from now on, "" for no
    name; None leaves the name as it is. Raises NotAllowed when the cart is empty."""
    if not ticket.may_be_held:
        raise NotAllowed("nothing_to_hold")
    if name is not None:
        ticket = replace(ticket, name=tidy_name(name, longest=LONGEST_CART_NAME))
    with till.carts.together():
        till.carts.suspend(ticket, at=till.clock.now())
        return start(till=till, cashier=ticket.cashier, training=ticket.kind.is_training)


def give_to_cashier(*, till: Till, ticket: Ticket, cashier: str) -> Ticket:
    """Give the open cart to another cashier. Raises NotAllowed, DiskFull."""
    return _saved(till, replace(ticket, cashier=cashier), was=ticket)


def suspended(*, till: Till) -> Sequence[Ticket]:
    return till.carts.suspended()


def recall(*, till: Till, ticket: Ticket, cart_id: int) -> Ticket:
    """Recall a suspended cart; the present one is suspended instead if it has lines.

    Raises NotFound, or NotAllowed when that cart is no longer suspended.
    """
    wanted = till.carts.cart_of(cart_id)
    if wanted.kind.is_training != ticket.kind.is_training:
        raise _training_apart()
    if wanted.id not in {one.id for one in till.carts.suspended()}:
        raise NotAllowed("not_held")
    with till.carts.together():
        _put_away(till, ticket)
        return till.carts.recall(cart_id, at=till.clock.now())


def void(*, till: Till, ticket: Ticket, reason: str) -> Ticket:
    """End the cart without a sale and open the next. Raises Invalid without a reason."""
    if not reason.strip():
        raise Invalid("no_reason.cancel", field="reason")
    with till.carts.together():
        till.carts.void(ticket, reason=reason.strip(), at=till.clock.now())
        return start(till=till, cashier=ticket.cashier, training=ticket.kind.is_training)


def take_back(
    *, till: Till, ticket: Ticket, sale: Sale, refund: Sale | None = None, is_owed: bool = True
) -> Ticket:
    """Open a new cart with a cancelled sale's lines, typed details and received money, to be
    corrected; the present one is suspended. refund: the signed refund of an exchange. is_owed: its
    amount was not used or paid out meanwhile.

    The same commit marks the sale as seen, so that it is not offered again. Raises NotAllowed while
    the server has not confirmed that nothing was signed for it; nothing is changed then.
    """
    if sale.state is not SaleState.CANCELLED:
        raise NotAllowed("not_cancelled")
    before = till.carts.cart_of(sale.cart_id)
    if before.kind.is_training != ticket.kind.is_training:
        raise _training_apart()
    following = new_ticket(till=till, cashier=ticket.cashier, kind=before.kind)
    return till.carts.take_back(
        ticket,
        sale=sale,
        cart=before.cart,
        following=following,
        typed_details=_typed_again(before, sale, refund, is_owed=is_owed),
    )


def open_with(
    *, till: Till, ticket: Ticket, kind: DocumentKind, cart: Cart, typed_details: TypedDetails
) -> Ticket:
    """Open a cart with given lines; the present one is suspended if it has lines, and ends if it
    only has what is owed, which Attention tells then. Raises NotAllowed during training,
    DiskFull."""
    if ticket.kind.is_training:
        raise _training_apart()
    with till.carts.together():
        if ticket.may_be_held:
            ticket = suspend(till=till, ticket=ticket)
        elif not ticket.is_idle:
            ticket = void(till=till, ticket=ticket, reason=EMPTY)
        made = replace(ticket, kind=kind, cart=cart, typed_details=typed_details, emptied=None)
        return _saved(till, made, was=ticket)


def begin_exchange(
    *, till: Till, ticket: Ticket, goods: GoodsBack, card_of: TypedDetails = NOTHING_ADDED
) -> Ticket:
    """Open a cart for the goods that a customer takes in exchange; the present one is suspended,
    unless it is an exchange for the same receipt already. card_of: the buyer of a corporate card,
    whose payment no exchange turns into money (fiscal.md 6.7).

    Raises NotAllowed during training, DiskFull.
    """
    before = ticket.typed_details
    own = before.goods_back
    if own is not None and own.receipt_id == goods.receipt_id and not own.is_refunded:
        again = replace(before, goods_back=goods)
        return add_to_receipt(till=till, ticket=ticket, typed_details=again)
    details = replace(card_of, goods_back=goods)
    return open_with(
        till=till, ticket=ticket, kind=DocumentKind.SALE, cart=Cart(), typed_details=details
    )


def end_exchange(*, till: Till, ticket: Ticket) -> Ticket:
    """End the exchange: the lines become a plain sale, and an empty cart ends."""
    details = replace(ticket.typed_details, goods_back=None)
    if not ticket.cart.is_empty:
        return add_to_receipt(till=till, ticket=ticket, typed_details=details)
    following = new_ticket(till=till, cashier=ticket.cashier, kind=ticket.kind)
    left = replace(ticket, typed_details=details)
    return till.carts.end_empty(left, was=ticket, following=following)


def add_to_receipt(*, till: Till, ticket: Ticket, typed_details: TypedDetails) -> Ticket:
    """Keep the additions to the lines, finished or not. Raises NotAllowed, DiskFull."""
    return till.carts.save(replace(ticket, typed_details=typed_details), was=ticket)


def keep_missed(*, till: Till, ticket: Ticket, missed: Missed) -> Ticket:
    """Keep the codes that found no article. Raises NotAllowed, DiskFull, DatabaseBusy."""
    return till.carts.save(replace(ticket, missed=missed), was=ticket)


# --- lines ---------------------------------------------------------------------------------------


def add_item(
    *,
    till: Till,
    ticket: Ticket,
    article: Article,
    quantity: Quantity | None = None,
    price: Money | None = None,
    limits: UsualLimits | None = None,
    allows: Allows = allows_all,
    unknown_code: str = "",
) -> ItemAdded | AskQuantity | AskPrice | AskIfRight | AskLeave:
    """Enter an article, at its own price or at one the cashier typed.

    quantity is None for one piece, or for a question about goods sold by weight. limits: the
    cashier is asked about typed numbers beyond them, and about the first line for nothing of each
    article; None for no limits. allows: somebody has to allow what it does not. unknown_code: the
    scanned code without an article for which an article of open price is sold. Raises Invalid for
    an impossible line.
    """
    _check_serial(till, ticket, article.id, article)
    if price is None and article.asks_price:
        return AskPrice(article, quantity)
    if quantity is None and article.by_weight:
        return AskQuantity(article)
    entered = replace(_entered(till, article, price), unknown_code=unknown_code)
    count = quantity or Quantity.ONE
    if limits is not None:
        is_typed = quantity is not None or price is not None
        unusual = _unusual(ticket.cart, entered, count, limits, is_typed=is_typed)
        if unusual is not None:
            return AskIfRight(article, count, unusual)
    return _added(till, ticket, ticket.cart.add(entered, count), allows)


def add_items(
    *, till: Till, ticket: Ticket, items: Sequence[tuple[Article, Quantity, Money | None]]
) -> Ticket:
    """Enter several articles in one step, each at a price. Raises Invalid for an impossible line,
    NotAllowed where the cart has no room for all of them."""
    cart = ticket.cart
    for article, quantity, price in items:
        cart = cart.add(_entered(till, article, price), quantity)
    if len(cart.active) > MOST_ITEMS:
        raise _full()
    return _saved(till, replace(ticket, cart=cart, emptied=None), was=ticket)


def add_for_total(
    *,
    till: Till,
    ticket: Ticket,
    article: Article,
    total: Money,
    limits: UsualLimits | None = None,
    allows: Allows = allows_all,
) -> ItemAdded | AskIfRight | AskLeave:
    """Enter an article whose label states the line's total; its price gives the quantity.

    An open price is the label's total for one piece. limits: the cashier is asked about a quantity
    beyond them, because the label may be another article's; None for no limits. allows: as in
    `add_item`.
    """
    _check_serial(till, ticket, article.id, article)
    entered = _entered(till, article, total if article.asks_price else None)
    quantity = quantity_for(total, entered.price)
    if limits is not None and (unusual := limits.of_line(quantity, entered.price, entered)):
        return AskIfRight(article, quantity, replace(unusual, total=total), total)
    stated = None if article.asks_price else total
    return _added(till, ticket, ticket.cart.add(entered, quantity, stated_total=stated), allows)


def change_quantity(*, till: Till, ticket: Ticket, line_id: int, quantity: Quantity) -> Ticket:
    """Set the quantity of a line; a different one replaces the total that a label stated."""
    return _changed(till, ticket, _sold_line(ticket, line_id).of_quantity(quantity))


def change_price(*, till: Till, ticket: Ticket, line_id: int, price: Money) -> Ticket:
    """Set the price of one on this line. Raises Invalid for a negative price."""
    if price < Money.ZERO:
        raise Invalid("negative.typed_price", field="price")
    return _changed(till, ticket, _sold_line(ticket, line_id).at_price(price))


def discount_line(*, till: Till, ticket: Ticket, line_id: int, discount: LineDiscount) -> Ticket:
    """Lower one line by a percentage or an amount; a discount of None removes it.

    Raises Invalid for an amount above the line's total.
    """
    line = replace(_sold_line(ticket, line_id), discount=discount)
    _ = line.total
    return _changed(till, ticket, line)


def discount_receipt(*, till: Till, ticket: Ticket, discount: ReceiptDiscount) -> Ticket:
    """Lower the whole receipt by a percentage or an amount; a discount of None removes it.

    Raises Invalid for an amount above the total.
    """
    cart = replace(ticket.cart, discount=discount)
    _ = cart.total
    return _saved(till, replace(ticket, cart=cart), was=ticket)


def follow_catalogue(*, till: Till, ticket: Ticket, articles: Mapping[str, Article]) -> Ticket:
    """Give each line the present name, tax label and EAN of its article, because a receipt needs
    the label that holds when it is signed. Price and unit stay, because the quantity refers to
    them.

    articles: by id; the lines of others stay as they are.
    """
    lines = tuple(
        line if line.removed else _followed(line, articles.get(line.article.article_id))
        for line in ticket.cart.lines
    )
    if lines == ticket.cart.lines:
        return ticket
    return _saved(till, replace(ticket, cart=replace(ticket.cart, lines=lines)), was=ticket)


def remove_line(*, till: Till, ticket: Ticket, line_id: int) -> Ticket:
    """Remove a line; it can be put back until the sale ends. The cart ends with its last line."""
    cart = ticket.cart.change(replace(_sold_line(ticket, line_id), removed=True))
    return _with_less(till, ticket, cart)


def put_back(*, till: Till, ticket: Ticket, line_id: int) -> Ticket:
    """Sell a removed line after all. For an emptied cart all its other data comes back too, but no
    money where it is a proforma by now. Raises NotAllowed for a piece that was scanned again
    meanwhile."""
    _check_room(ticket)
    whole = _brought_back(ticket, ticket.emptied) if ticket.emptied is not None else ticket
    line = whole.cart.line(line_id)
    _check_serial(till, whole, line.article.article_id, line.article)
    cart = whole.cart.change(replace(line, removed=False))
    return _saved(till, replace(whole, cart=cart), was=ticket)


def take_off(*, till: Till, ticket: Ticket, taken: TakenOff) -> Ticket:
    """Store what is left once an article was taken off ("Сторно"). The cart ends with its last
    line."""
    return _with_less(till, ticket, taken.cart)


# --- parts ---------------------------------------------------------------------------------------


def new_ticket(*, till: Till, cashier: str, kind: DocumentKind) -> NewTicket:
    """An empty cart to be opened, with the key that its sale will keep for ever."""
    return NewTicket(till.new_key(), kind, cashier, till.clock.now())


def _put_away(till: Till, ticket: Ticket) -> None:
    if ticket.may_be_held:
        till.carts.suspend(ticket, at=till.clock.now())
    else:
        till.carts.void(ticket, reason=EMPTY, at=till.clock.now())


def _typed_again(before: Ticket, sale: Sale, refund: Sale | None, *, is_owed: bool) -> TypedDetails:
    """Return the typed details of a cancelled sale. The money received for it counts as paid,
    without the change that was told and without the credit of an exchange; for a proforma none was
    received."""
    typed, change = before.typed_details, sale.change_told
    received = sale.money_taken.less(change)
    goods = typed.goods_back
    if goods is not None:
        credited = Netting.of(goods, before.cart).credited(goods)
        received = Payments.of(
            {method: money - credited.amount(method) for method, money in received.by_method}
        )
    if goods is not None and refund is not None:
        goods = goods.signed(refund.key, refund.money_taken.rounding) if is_owed else None
    typed = replace(typed, goods_back=goods)
    if before.kind.is_offer:
        return typed.unpaid
    if typed.without_card is not None:
        # What the card sent back was told until the confirm, and counts as given.
        vouchers = (one for one in typed.without_card if one[0] is PaymentMethod.VOUCHER)
        typed = replace(typed, without_card=tuple(vouchers))
    return typed.paying(received.by_method, change or typed.change_told)


def _entered(till: Till, article: Article, price: Money | None) -> CartArticle:
    check_label(article.frozen, in_vat=till.in_vat())
    paid = price if price is not None else article.price
    if paid is None or paid < Money.ZERO:
        raise Invalid("negative.typed_price", field="price")
    sku = article.sku if article.sku is not None and is_sku(article.sku) else None
    return CartArticle(
        article.id,
        sku,
        article.frozen,
        paid,
        article.by_weight,
        batch=article.batch,
        serial=article.serial,
    )


def _check_serial(
    till: Till, ticket: Ticket, article_id: str, article: Article | CartArticle
) -> None:
    """Raise NotAllowed for a piece that lies in this cart or in a held one: it was scanned
    twice."""
    name, serial = article.frozen.name, article.serial
    if not serial:
        return
    if ticket.cart.has_piece(article_id, serial):
        raise NotAllowed("serial_twice", name=name, serial=serial)
    for held in till.carts.suspended():
        is_like = held.kind.is_training is ticket.kind.is_training
        if is_like and held.cart.has_piece(article_id, serial):
            at = in_belgrade(held.suspended_at or held.opened_at)
            cart = held.name or f"{at:%d.%m.%Y. %H:%M}"
            raise NotAllowed("serial_held", name=name, serial=serial, cart=cart)


def check_label(article: FrozenArticle, *, in_vat: bool) -> None:
    """Check that a shop outside the system of VAT sells nothing with a label of VAT. Raises
    NotAllowed."""
    if not in_vat and is_of_vat(article.label):
        raise NotAllowed("outside_vat", name=article.name, label=article.label.value)


def _followed(line: CartLine, article: Article | None) -> CartLine:
    if article is None:
        return line
    frozen = replace(article.frozen, unit=line.article.frozen.unit)
    if frozen == line.article.frozen:
        return line
    return replace(line, article=replace(line.article, frozen=frozen))


def quantity_for(total: Money, price: Money) -> Quantity:
    """The quantity that costs `total` at `price`, to a gram: 350.00 at 700.00 -> 0.500."""
    if not price:
        return Quantity.ONE
    return Quantity(max(half_up(total.amount / price.amount, GRAM), GRAM))


def _unusual(
    cart: Cart, entered: CartArticle, count: Quantity, limits: UsualLimits, *, is_typed: bool
) -> Unusual | None:
    """The oddity of a line to be added; a line for nothing is odd unless the cart has such a line
    of the same article already."""
    article_id = entered.article_id
    is_known = any(one.article.article_id == article_id and not one.price for one in cart.active)
    free = None if is_known else limits.of_price(entered.price, entered)
    return free or (limits.of_line(count, entered.price, entered) if is_typed else None)


def _added(till: Till, ticket: Ticket, cart: Cart, allows: Allows) -> ItemAdded | AskLeave:
    if len(cart.active) > MOST_ITEMS:
        raise _full()
    if not allows(cart):
        return AskLeave(cart)
    missed = without_entered(ticket.missed, cart.lines[-1].article)
    stored = _saved(till, replace(ticket, cart=cart, missed=missed, emptied=None), was=ticket)
    return ItemAdded(stored, stored.cart.lines[-1])


def _with_less(till: Till, ticket: Ticket, cart: Cart) -> Ticket:
    """Store a cart that lost lines. An empty one ends, with buyer, received money and the like, so
    that the next customer has none of them. The kind of document stays, because it is shown with an
    empty cart and was chosen for the next lines; so do the missed codes, whose goods are still
    unpaid."""
    left = replace(ticket, cart=cart)
    if not left.is_idle:
        return _saved(till, left, was=ticket)
    # a line that is put back brings the discount back, too
    left = replace(ticket, cart=replace(cart, discount=ticket.cart.discount))
    following = new_ticket(till=till, cashier=ticket.cashier, kind=ticket.kind)
    return replace(till.carts.end_empty(left, was=ticket, following=following), emptied=left)


def _brought_back(ticket: Ticket, emptied: Ticket) -> Ticket:
    return replace(
        ticket,
        cart=emptied.cart,
        typed_details=_details_for(ticket.kind, emptied.typed_details),
        name=emptied.name,
        emptied=None,
    )


def _changed(till: Till, ticket: Ticket, line: CartLine) -> Ticket:
    return _saved(till, replace(ticket, cart=ticket.cart.change(line)), was=ticket)


def _saved(till: Till, ticket: Ticket, *, was: Ticket) -> Ticket:
    """Store the ticket; refuse a cart that can't be priced, with which nothing could be done."""
    _ = ticket.cart.total
    return till.carts.save(ticket, was=was)


def _sold_line(ticket: Ticket, line_id: int) -> CartLine:
    line = ticket.cart.line(line_id)
    if line.removed:
        raise NotAllowed("removed_line")
    return line


def _check_room(ticket: Ticket) -> None:
    if len(ticket.cart.active) >= MOST_ITEMS:
        raise _full()


def _training_apart() -> NotAllowed:
    return NotAllowed("training_apart.sale")


def _full() -> NotAllowed:
    return NotAllowed("most_lines", most=MOST_ITEMS)
