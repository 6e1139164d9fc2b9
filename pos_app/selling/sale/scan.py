"""A scanned or typed code changes the cart, or raises a question to the cashier.

Source: till.md ("The scanner", "Cart").
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto
from typing import assert_never

from pos_app.domain import barcodes
from pos_app.domain.article import Article
from pos_app.domain.money import Money, Quantity
from pos_app.errors import NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, FoundArticle
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
    """"Сторно" removes one piece."""


@dataclass(frozen=True, slots=True)
class ReadCode:
    """A code as it came in, with its meaning. Its text is never logged: it may be a buyer's
    data."""

    text: str = field(repr=False)
    meaning: barcodes.ScannedCode = field(repr=False)


def read_code(text: str, rules: barcodes.WeightCodeRules) -> ReadCode:
    """Read a scanned or typed code; nothing is looked up. rules: the rules of the shop's scale."""
    return ReadCode(text.strip(), barcodes.classify(text, rules))


@dataclass(frozen=True, slots=True)
class ChooseArticle:
    """The catalogue has the code several times. Nothing was changed."""

    articles: tuple[Article, ...]


@dataclass(frozen=True, slots=True)
class PriceShown:
    """The price of an article, or None if the cashier types it. total: of a weighed or priced
    pack."""

    article: Article
    price: Money | None
    total: Money | None = None


@dataclass(frozen=True, slots=True)
class OneRemoved:
    ticket: Ticket
    article: Article


@dataclass(frozen=True, slots=True)
class NotInCart:
    article: Article


@dataclass(frozen=True, slots=True)
class ReceiptScanned:
    """The code of a receipt: it opens that receipt or fills in its buyer."""

    code: barcodes.CodeOfReceipt


Scanned = (
    sell.ItemAdded
    | sell.AskQuantity
    | sell.AskPrice
    | sell.AskIfRight
    | ChooseArticle
    | PriceShown
    | OneRemoved
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
) -> Scanned:
    """Use a code for the cashier's purpose: one indexed read, at most one short transaction.

    times: the multiplier typed before the code. limits: beyond them the cashier is asked. Raises
    Invalid for an impossible quantity, NotAllowed when the receipt is full.
    """
    meant = code.meaning
    match meant:
        case barcodes.ReceiptCode() | barcodes.ShortReceiptCode():
            return ReceiptScanned(meant)
        case barcodes.IdentityCard() | barcodes.Unknown():
            return _no_article(meant)
        case barcodes.ArticleCode():
            found = catalogue.by_code(meant)
        case barcodes.WeightCode() | barcodes.PriceCode():
            found = tuple(FoundArticle(article) for article in catalogue.by_scale(meant))
        case _:
            assert_never(meant)
    if not found:
        return UnknownCode(code.text)
    if len(found) > 1:
        return ChooseArticle(tuple(one.article for one in found))
    match purpose:
        case ScanPurpose.ADD:
            return _add(till, ticket, found[0], meant, times=times, limits=limits)
        case ScanPurpose.SHOW_PRICE:
            return _price(found[0], meant)
        case ScanPurpose.TAKE_OFF:
            return _take_off(till, ticket, found[0].article)


def _no_article(meant: barcodes.IdentityCard | barcodes.Unknown) -> UnknownCode:
    """The missed code; no data of an identity card is shown or kept."""
    if isinstance(meant, barcodes.IdentityCard):
        return UnknownCode("", barcodes.WhyUnknown.ID_CARD)
    return UnknownCode(meant.code, meant.why)


_Meant = barcodes.ArticleCode | barcodes.WeightCode | barcodes.PriceCode


def _add(
    till: Till,
    ticket: Ticket,
    found: FoundArticle,
    meant: _Meant,
    *,
    times: Quantity | None,
    limits: UsualLimits | None,
) -> sell.ItemAdded | sell.AskQuantity | sell.AskPrice | sell.AskIfRight:
    count = times or Quantity.ONE
    if isinstance(meant, barcodes.PriceCode):
        total = meant.total.times(count)
        return sell.add_for_total(
            till=till, ticket=ticket, article=found.article, total=total, limits=limits
        )
    one = meant.quantity if isinstance(meant, barcodes.WeightCode) else found.quantity
    plain = isinstance(meant, barcodes.ArticleCode) and times is None and one == Quantity.ONE
    quantity = None if plain else Quantity(one.amount * count.amount)
    asked = limits if times is not None else None
    return sell.add_item(
        till=till, ticket=ticket, article=found.article, quantity=quantity, limits=asked
    )


def _price(found: FoundArticle, meant: _Meant) -> PriceShown:
    article = found.article
    price = None if article.asks_price else article.price
    match meant:
        case barcodes.PriceCode(total=total):
            return PriceShown(article, price, total)
        case barcodes.WeightCode(quantity=weighed) if price is not None:
            return PriceShown(article, price, price.times(weighed))
        case _ if price is not None and found.quantity != Quantity.ONE:
            return PriceShown(article, price, price.times(found.quantity))
        case _:
            return PriceShown(article, price)


def _take_off(till: Till, ticket: Ticket, article: Article) -> OneRemoved | NotInCart:
    try:
        left = sell.take_one_off(till=till, ticket=ticket, article_id=article.id)
    except NotFound:
        return NotInCart(article)
    return OneRemoved(left, article)
