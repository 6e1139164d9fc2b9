"""One reading decides what a scanned or typed code means, for every screen that takes codes.

A code that is stored with an article means that article. Only a code that nobody stored is read by
the patterns of scale labels, GS1 messages and short receipt codes. Source: till.md ("Weight and
price codes", "GS1 messages").
"""

from __future__ import annotations

from dataclasses import field, replace
from decimal import Decimal

from pos_app.domain.article import barcodes
from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import ArticleCode, CodeRules, EditionCode
from pos_app.domain.article.gs1 import Gs1Message, without_aim
from pos_app.domain.article.scale_labels import PriceCode, WeightCode
from pos_app.domain.money.money import GRAM, LARGEST_AMOUNT, Money, Quantity, half_up
from pos_app.domain.money.number_text import exact_text
from pos_app.domain.receipt.units import is_weight
from pos_app.errors import Invalid, MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, FoundArticle

_NEVER_STORED = barcodes.ReceiptCode | barcodes.IdentityCard


@dataclass(frozen=True, slots=True)
class ReadCode:
    """A code as it came in, with its meaning. Its text is never logged: it may be a buyer's
    data."""

    text: str = field(repr=False)
    meaning: barcodes.ScannedCode = field(repr=False)


def read_code(text: str, rules: CodeRules, catalogue: Catalogue) -> ReadCode:
    """Read a scanned or typed code.

    While the catalogue can't be read the pattern alone decides; `found_by` asks it again.
    """
    plain = without_aim(text.strip())
    read = ReadCode(plain, barcodes.classify(text, rules))
    try:
        stored = _stored(read, catalogue) if _is_patterned(read.meaning) else ()
    except MachineError:
        stored = ()
    return ReadCode(plain, ArticleCode(plain)) if stored else read


def found_by(code: ReadCode, catalogue: Catalogue) -> tuple[FoundArticle, ...]:
    """The articles that a code means, each with what one scan of the code stands for; none for a
    receipt's code, or for one that the catalogue lacks. Several: somebody has to choose.

    Raises DatabaseBusy, DatabaseDamaged.
    """
    if stored := _stored(code, catalogue):
        return stored
    match code.meaning:
        case EditionCode() as edition:
            named = catalogue.by_code(ArticleCode(edition.ean))
            return tuple(replace(one, asks_price=edition.asks_price) for one in named)
        case Gs1Message() as message:
            named = catalogue.by_code(ArticleCode(message.gtin))
            return tuple(_labelled(one, message) for one in named)
        case WeightCode() | PriceCode() as label:
            return tuple(_pack(article, label) for article in catalogue.by_scale(label))
        case _:
            return ()


def named_code(code: ReadCode) -> str:
    """The code that goods are known by: the GTIN of a GS1 message, the EAN of printed matter
    without its supplement, else the code itself."""
    match code.meaning:
        case Gs1Message() as message:
            return message.code
        case EditionCode() as edition if edition.is_printed_matter:
            return edition.ean
        case barcodes.Unknown(text):
            return text
        case _:
            return code.text


def _stored(code: ReadCode, catalogue: Catalogue) -> tuple[FoundArticle, ...]:
    if isinstance(code.meaning, _NEVER_STORED) or not barcodes.may_be_stored(code.text):
        return ()
    return catalogue.by_code(ArticleCode(code.text))


def _is_patterned(meaning: barcodes.ScannedCode) -> bool:
    return not isinstance(meaning, ArticleCode | _NEVER_STORED)


def _labelled(named: FoundArticle, message: Gs1Message) -> FoundArticle:
    """The article with what its message says of this pack: the price stands before the weight, as
    on the label of a scale. The net weight of goods that are sold by the piece sells nothing, and
    pieces of goods that are weighed say no weight: it is asked for, as without a count."""
    article = replace(named.article, batch=message.batch, serial=message.serial)
    pack = replace(named, article=article, good_until=message.good_until)
    if message.price is not None:
        return _priced(pack, message.price)
    if message.weight is not None and (article.by_weight or is_weight(article.unit)):
        return _measured(pack, message.weight.scaleb(3) * article.label_step)
    if message.count is None or (article.by_weight and named.is_plain):
        return pack
    return pack.times(Quantity(message.count))


def _pack(article: Article, label: WeightCode | PriceCode) -> FoundArticle:
    pack = FoundArticle(article)
    if isinstance(label, PriceCode):
        return _priced(pack, label.total.amount)
    return _measured(pack, label.amount_in(article.label_step))


def _priced(pack: FoundArticle, stated: Decimal) -> FoundArticle:
    """A pack of the total on its label; one that no receipt can have is rounded, and refused by the
    sale. Refunds look for it rounded."""
    total = Money.rounded(min(stated, LARGEST_AMOUNT))
    refusal = None if total.amount == stated else _refusal("label_price", pack, stated)
    return replace(pack, quantity=Quantity.ONE, total=total, is_pack=True, refusal=refusal)


def _measured(pack: FoundArticle, stated: Decimal) -> FoundArticle:
    """A pack of the quantity on its label, as `_priced`."""
    quantity = Quantity(max(half_up(stated, GRAM), GRAM))
    exact = quantity.amount == stated
    refusal = None if exact else _refusal("label_quantity", pack, stated)
    return replace(pack, quantity=quantity, is_pack=True, refusal=refusal)


def _refusal(kind: str, pack: FoundArticle, stated: Decimal) -> Invalid:
    article = pack.article
    return Invalid(kind, name=article.name, stated=exact_text(stated), unit=article.unit)
