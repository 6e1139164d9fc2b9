"""The lines of a receipt in the cart once more: at today's prices, or a proforma as it was offered.

Source: till.md ("Receipts"), fiscal.md 6.3 (a sale may refer to a proforma).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.cart import CartLine
from pos_app.domain.receipt.receipt_overview import ReceiptOverview, SoldLine
from pos_app.domain.receipt.request import InvoiceType, TransactionType, name_and_unit
from pos_app.errors import NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.receipts.correction import cart_of
from pos_app.selling.sale import sell
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.ticket import DocumentKind, Referent, Ticket, TypedAdvance, TypedDetails


@dataclass(frozen=True, slots=True)
class SoldAgain:
    """The cart with the lines. missing: names of articles that the catalogue no longer has. free:
    the lines for nothing, which are not in the cart: they are asked about as after a scan."""

    ticket: Ticket
    missing: tuple[str, ...] = ()
    free: tuple[tuple[Article, Quantity], ...] = ()


def sell_again(
    *, till: Till, catalogue: Catalogue, ticket: Ticket, overview: ReceiptOverview
) -> SoldAgain:
    """Add a receipt's articles to the open cart at present prices, those of open price at the
    receipt's. Raises NotAllowed for a training receipt, and where no article is found."""
    _check_kind(overview)
    wanted, missing = [], list[str]()
    free = list[tuple[Article, Quantity]]()
    for line in overview.lines:
        article = _article_of(line, catalogue)
        if article is None:
            missing.append(name_and_unit(line.name)[0])
        else:
            price = line.unit_price if article.asks_price else article.price
            quantity = Quantity(line.quantity)
            if price == Money.ZERO:
                free.append((article, quantity))
            else:
                wanted.append((article, quantity, price))
    if not (wanted or free):
        raise NotAllowed("none_known")
    if wanted:
        ticket = sell.add_items(till=till, ticket=ticket, items=wanted)
    return SoldAgain(ticket, tuple(missing), tuple(free))


def open_proforma(
    *,
    till: Till,
    catalogue: Catalogue,
    ticket: Ticket,
    overview: ReceiptOverview,
    as_advance: bool = False,
) -> Ticket:
    """Open an offer as a sale that refers to it, line by line as it was offered; an open cart is
    suspended. as_advance: open it as an advance on its total instead. An advance has no reference,
    so the text below its end line names the proforma (fiscal.md 6.3).

    Raises NotAllowed unless the receipt is a proforma of which nothing was taken back.
    """
    kind = overview.invoice_type, overview.transaction_type
    if kind != (InvoiceType.PROFORMA, TransactionType.SALE):
        raise NotAllowed("no_proforma")
    if any(line.left_quantity != line.quantity for line in overview.lines):
        raise NotAllowed("proforma_taken_back")
    code, _, value = (overview.buyer or "").partition(":")
    typed = TypedDetails(
        buyer_code=code,
        buyer_value=value,
        buyer_sure=bool(value),
        text=overview.additional_text,
        advance=TypedAdvance(unknown=False if as_advance else None),
        referent=Referent(overview.number, overview.time),
    )
    lines = tuple(_offered(overview, catalogue))
    cart = replace(cart_of(overview), lines=lines)
    kind_of_cart = DocumentKind.ADVANCE if as_advance else DocumentKind.SALE
    return sell.open_with(
        till=till, ticket=ticket, kind=kind_of_cart, cart=cart, typed_details=typed
    )


def _check_kind(overview: ReceiptOverview) -> None:
    if overview.invoice_type is InvoiceType.TRAINING:
        raise NotAllowed("training_apart.receipt")


def _offered(overview: ReceiptOverview, catalogue: Catalogue) -> Iterator[CartLine]:
    for line, sold in zip(cart_of(overview).lines, overview.lines, strict=True):
        article = _article_of(sold, catalogue)
        if article is None:
            yield line
            continue
        known = replace(line.article, article_id=article.id, by_weight=article.by_weight)
        yield replace(line, article=known)


def _article_of(line: SoldLine, catalogue: Catalogue) -> Article | None:
    """Return the catalogue's article for a line: by the line's article code, else by its bar code;
    only an article that has this code as its own."""
    for code in (str(line.sku) if line.sku is not None else None, line.gtin):
        if code is None:
            continue
        found = [one.article for one in catalogue.by_code(ArticleCode(code))]
        same = (one for one in found if one.sku == line.sku or one.gtin == line.gtin)
        if (article := next(same, None)) is not None:
            return article
    return None
