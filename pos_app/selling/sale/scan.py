"""A scanned or typed code changes the cart, or raises a question to the cashier.

Source: till.md ("The scanner", "Cart").
"""

from __future__ import annotations

from enum import Enum, auto
from functools import reduce
from operator import add

from pos_app.domain.article import barcodes
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.cart import Cart, CartLine, TakenOff, check_single
from pos_app.domain.text.instant import day_of
from pos_app.errors import NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, FoundArticle
from pos_app.selling.catalogue.codes import ReadCode, found_by, named_code
from pos_app.selling.sale import sell
from pos_app.selling.sale.missed_codes import UnknownCode
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.ticket import Ticket
from pos_app.selling.sale.unusual_amounts import UsualLimits


class ScanPurpose(Enum):
    ADD = auto()
    SHOW_PRICE = auto()
    """"Цена?" shows the price and adds nothing."""
    TAKE_OFF = auto()
    """"Сторно" takes off what the code would put on."""


@dataclass(frozen=True, slots=True)
class ChooseArticle:
    """The catalogue has the code several times. Nothing was changed."""

    found_articles: tuple[FoundArticle, ...]


@dataclass(frozen=True, slots=True)
class AskExpired:
    """The last day of a pack is past: it is sold if the cashier agrees, or not at all. Nothing was
    changed."""

    found_article: FoundArticle


@dataclass(frozen=True, slots=True)
class PriceShown:
    """The price of an article, or None if the cashier types it. total: of a weighed or priced
    pack."""

    article: Article
    price: Money | None
    total: Money | None = None


@dataclass(frozen=True, slots=True)
class TookOff:
    """ "Сторно" took off what the code puts on."""

    ticket: Ticket
    article: Article
    taken: TakenOff


@dataclass(frozen=True, slots=True)
class NotInCart:
    """The cart holds less than the code puts on. asked: how much that is, the total of a pack, or
    None for one piece or a whole line. there: what the cart holds, or None for nothing."""

    article: Article
    asked: Quantity | Money | None = None
    there: Quantity | None = None


@dataclass(frozen=True, slots=True)
class ReceiptScanned:
    """The code of a receipt: it opens that receipt or fills in its buyer."""

    code: barcodes.CodeOfReceipt


Scanned = (
    sell.ItemAdded
    | sell.AskQuantity
    | sell.AskPrice
    | sell.AskIfRight
    | sell.AskLeave
    | ChooseArticle
    | AskExpired
    | PriceShown
    | TookOff
    | NotInCart
    | UnknownCode
    | ReceiptScanned
)


def scan(
    *,
    till: Till,
    catalogue: Catalogue,
    ticket: Ticket,
    code: ReadCode,
    times: Quantity | None = None,
    purpose: ScanPurpose = ScanPurpose.ADD,
    limits: UsualLimits | None = None,
    allows: sell.Allows = sell.allows_all,
) -> Scanned:
    """Use a code for the cashier's purpose: one indexed read, at most one short transaction.

    times: the multiplier typed before the code. limits: beyond them the cashier is asked. allows:
    as in `sell`. Raises Invalid for an impossible quantity, NotAllowed when the receipt is full.
    """
    found = found_by(code, catalogue)
    if not found:
        return no_article(code)
    if len(found) > 1:
        return ChooseArticle(found)
    return use(
        till=till,
        ticket=ticket,
        found_article=found[0],
        times=times,
        purpose=purpose,
        limits=limits,
        allows=allows,
    )


def use(
    *,
    till: Till,
    ticket: Ticket,
    found_article: FoundArticle,
    times: Quantity | None = None,
    purpose: ScanPurpose = ScanPurpose.ADD,
    limits: UsualLimits | None = None,
    allows: sell.Allows = sell.allows_all,
) -> Scanned:
    """Use a found article for the cashier's purpose, as `scan`."""
    match purpose:
        case ScanPurpose.ADD:
            if found_article.is_past(day_of(till.clock.now())):
                return AskExpired(found_article)
            return _add(till, ticket, found_article, times=times, limits=limits, allows=allows)
        case ScanPurpose.SHOW_PRICE:
            return _price(found_article)
        case ScanPurpose.TAKE_OFF:
            return _take_off(till, ticket, found_article, times)


def taken_by(cart: Cart, found_article: FoundArticle, times: Quantity | None) -> TakenOff:
    """What "Сторно" with a code takes off: exactly what the code puts on. Raises NotFound where the
    cart holds less, Invalid for an impossible quantity."""
    quantity, total = _put_on(found_article, times)
    if quantity is None and not found_article.article.by_weight:
        quantity = Quantity.ONE
    own = _own_lines(cart, found_article.article)
    return cart.take_off(own, quantity, stated_total=total, is_pack=found_article.is_pack)


def no_article(code: ReadCode) -> UnknownCode | ReceiptScanned:
    """What a code is as long as no article has it."""
    match code.meaning:
        case barcodes.ReceiptCode() | barcodes.ShortReceiptCode() as receipt:
            return ReceiptScanned(receipt)
        case barcodes.IdentityCard():  # no data of an identity card is shown or kept
            return UnknownCode("", barcodes.WhyUnknown.ID_CARD)
        case barcodes.Unknown(_, why):
            return UnknownCode(named_code(code), why)
        case _:
            return UnknownCode(named_code(code))


def _own_lines(cart: Cart, article: Article) -> list[CartLine]:
    return cart.lines_of(article.id, batch=article.batch, serial=article.serial)


def _put_on(
    found_article: FoundArticle, times: Quantity | None
) -> tuple[Quantity | None, Money | None]:
    """The quantity that a code puts on, None where it states none, and a label's total, or None.
    Raises Invalid for a label that is refused, and for several pieces with one serial number."""
    if found_article.refusal is not None:
        raise found_article.refusal
    if times is None and found_article.is_plain:
        return None, None
    article, whole = found_article.article, found_article.times(times or Quantity.ONE)
    piece = found_article.quantity if found_article.is_pack else Quantity.ONE
    is_weighed = article.by_weight and not found_article.is_pack
    if whole.quantity != piece and not is_weighed:
        check_single(article.name, article.serial)
    return whole.quantity, whole.total


def _add(
    till: Till,
    ticket: Ticket,
    found_article: FoundArticle,
    *,
    times: Quantity | None,
    limits: UsualLimits | None,
    allows: sell.Allows,
) -> sell.ItemAdded | sell.AskQuantity | sell.AskPrice | sell.AskIfRight | sell.AskLeave:
    quantity, total = _put_on(found_article, times)
    if found_article.asks_price:
        return sell.AskPrice(found_article.article, quantity)
    if total is not None:
        return sell.add_for_total(
            till=till,
            ticket=ticket,
            article=found_article.article,
            total=total,
            limits=limits,
            allows=allows,
        )
    return sell.add_item(
        till=till,
        ticket=ticket,
        article=found_article.article,
        quantity=quantity,
        limits=limits,
        allows=allows,
    )


def _price(found_article: FoundArticle) -> PriceShown:
    article = found_article.article
    price = None if article.asks_price or found_article.asks_price else article.price
    if found_article.total is not None or found_article.is_plain or price is None:
        return PriceShown(article, price, found_article.total)
    return PriceShown(article, price, price.times(found_article.quantity))


def _take_off(
    till: Till, ticket: Ticket, found_article: FoundArticle, times: Quantity | None
) -> TookOff | NotInCart:
    article = found_article.article
    try:
        taken = taken_by(ticket.cart, found_article, times)
    except NotFound:
        quantity, total = _put_on(found_article, times)
        held = [one.quantity for one in _own_lines(ticket.cart, article)]
        return NotInCart(article, total or quantity, reduce(add, held) if held else None)
    return TookOff(sell.take_off(till=till, ticket=ticket, taken=taken), article, taken)
