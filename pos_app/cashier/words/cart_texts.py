"""The cart in words: its lines, its sums, and the options of its receipt.

Sale, payment and Attention use the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.rows import CartRow, CartState
from pos_app.cashier.words.buyer_words import buyer_words
from pos_app.cashier.words.moments import date_text
from pos_app.domain.article.article import Article
from pos_app.domain.money import number_text
from pos_app.domain.money.discount import LineDiscount, line_total
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.money.tax import TaxRates, rates_at, tax_total
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine, LostDiscount
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.sale import receipt_drafts
from pos_app.selling.sale.ticket import DocumentKind, Ticket

_SHORT = 24
"""The most characters of a text that an option shows."""

LabelledTexts = tuple[tuple[str, str], ...]


def option_text_id(part: receipt_drafts.FaultPart, kind: DocumentKind, texts: Texts) -> str:
    """The id of the text that names an option; with `.short` it has the short form, with `.words`
    the words. A proforma may have texts of its own, because it is no receipt."""
    own = f"pay.{part}.proforma"
    return own if kind is DocumentKind.PROFORMA and texts.has(own) else f"pay.{part}"


def shown_lines(cart: Cart, shown_removed: frozenset[int]) -> tuple[CartLine, ...]:
    """The lines that have a row: the sold ones, and those removed just now."""
    return tuple(line for line in cart.lines if not line.removed or line.id in shown_removed)


def cart_row(
    line: CartLine, texts: Texts, *, is_current: bool, price_now: Money | None = None
) -> CartRow:
    """price_now: the article's present price; it is shown where the line has another price."""
    lowered = line.total != line.full or line.price != line.article.price
    is_other = price_now not in (None, line.price, line.article.price)
    before = line.article.price if line.price != line.article.price else line.price
    return CartRow(
        quantity=number_text.quantity_text(line.quantity),
        name=line.article.frozen.name,
        unit_price=number_text.amount_text(line.each),
        unit=line.article.frozen.unit,
        total=number_text.amount_text(line.total),
        old_unit_price=number_text.amount_text(before) if lowered else None,
        discount=discount_text(line.discount),
        old_total=number_text.amount_text(_full_at(line, before)) if lowered else None,
        note=" · ".join(_notes(line, texts, price_now=price_now if is_other else None)),
        state=_state(line, is_current=is_current),
    )


def named_line(line: CartLine, texts: Texts) -> str:
    """The name of a line's article with what tells its piece from others."""
    return ", ".join((line.article.frozen.name, *_notes(line, texts, price_now=None)))


def _notes(line: CartLine, texts: Texts, *, price_now: Money | None) -> Iterator[str]:
    if price_now is not None:
        yield texts("cart.price_now", price=price_now)
    yield from _piece_words(line.article, texts)


def piece_name(article: Article, texts: Texts) -> str:
    """The name of an article with the batch and the serial number of the scanned piece."""
    return ", ".join((article.name, *_piece_words(article, texts)))


def _piece_words(article: Article | CartArticle, texts: Texts) -> Iterator[str]:
    if article.batch:
        yield texts("cart.batch", batch=article.batch)
    if article.serial:
        yield texts("cart.serial", serial=article.serial)


def past_its_day(pack: FoundArticle) -> NotAllowed:
    """The refusal of a pack whose last day is over."""
    assert pack.good_until is not None
    return NotAllowed("expired", day=date_text(pack.good_until), name=pack.article.name)


def discount_text(discount: LineDiscount) -> str | None:
    """A line's discount: "−20 %" or "−50,00", or None."""
    if isinstance(discount, Money):
        return number_text.amount_text(-discount)
    return None if discount is None else number_text.percent_text(-discount.value)


def lost_words(lost: Iterable[LostDiscount], texts: Texts) -> str:
    """The discounts that no longer fit, each with its article or the cart; "" for none."""
    return " · ".join(
        texts("discount_lost.line", amount=one.amount, name=one.name)
        if one.name
        else texts("discount_lost.cart", amount=one.amount)
        for one in lost
    )


def cart_facts(
    cart: Cart, texts: Texts, *, total: Money, tax: Money | None, paid: Money = Money.ZERO
) -> LabelledTexts:
    """The number of items, what was paid before, the discount if there is one, and the tax where
    its rates are known."""
    facts = [(texts("cart.items"), str(len(cart.active)))]
    if paid:
        facts.append((texts("cart.paid"), number_text.amount_text(paid)))
    saved = cart.full - total
    if saved:
        facts.append((texts("cart.discount"), number_text.amount_text(-saved)))
    if tax is not None:
        facts.append((texts("cart.tax"), number_text.amount_text(tax)))
    return tuple(facts)


def credits_of(ticket: Ticket, texts: Texts) -> LabelledTexts:
    """What already pays for a part of the cart: goods that come back, or an advance."""
    found = []
    if (goods := ticket.exchanged) is not None:
        found.append((texts("cart.credit.goods"), number_text.amount_text(-goods.total)))
    if paid := ticket.paid_before:
        found.append((texts("cart.credit.advance"), number_text.amount_text(-paid)))
    return tuple(found)


def given_beside(beside: Payments, texts: Texts) -> LabelledTexts:
    """What goes back by other methods than cash, each with its name."""
    return tuple(
        (
            texts("refund.figure.no_cash", method=texts(f"pay.method.{method}")),
            number_text.amount_text(amount),
        )
        for method, amount in beside.by_method
    )


def tax_of(
    cart: Cart, totals: Sequence[Money], rates: Iterable[TaxRates], now: datetime
) -> Money | None:
    """The tax in the lines' totals, for display; it is None while one of the rates is unknown. now:
    UTC."""
    valid = rates_at(rates, now)
    if valid is None:
        return None
    by_label: dict[str, list[Money]] = {}
    for line, total in zip(cart.active, totals, strict=True):
        by_label.setdefault(line.article.frozen.label.value, []).append(total)
    return tax_total({label: Money.total(each) for label, each in by_label.items()}, valid)


def badges(cart: Cart, product_of: Mapping[str, str]) -> dict[str, str]:
    """The number of pieces of each product in the cart; a weighed line counts as one."""
    counts: dict[str, Decimal] = {}
    for line in cart.active:
        product = product_of.get(line.article.article_id, "")
        pieces = Decimal(1) if line.article.by_weight else line.quantity.amount
        counts[product] = counts.get(product, Decimal(0)) + pieces
    return {product: number_text.quantity_sum_text(count) for product, count in counts.items()}


def _full_at(line: CartLine, price: Money) -> Money:
    return line.full if line.stated_total is not None else line_total(price, line.quantity)


def _state(line: CartLine, *, is_current: bool) -> CartState:
    if line.removed:
        return CartState.REMOVED
    return CartState.CURRENT if is_current else CartState.NORMAL


# --- what is added to the receipt ---------------------------------------------------------------


def buyer_draft_words(draft: receipt_drafts.BuyerDraft, texts: Texts, *, name: str = "") -> str:
    """The words on the option "buyer"; the number of a natural person is shown in its field only.
    name: that of the buyers' book."""
    if draft.fault() or draft.centre_fault():
        return texts("pay.unfinished")
    buyer = draft.buyer()
    if buyer is None:
        return texts("pay.buyer.none")
    named = buyer_words(
        f"{buyer.code}:" if buyer.is_personal else str(buyer),
        texts,
        name="" if buyer.is_personal else name,
        kind=texts("pay.corporate") if draft.by_corporate_card else "",
    )
    return texts("pay.buyer.doubted", buyer=named) if draft.unconfirmed_warning() else named


def known_buyer_label(buyer: KnownBuyer, texts: Texts) -> str:
    """The quiet words above a firm of the buyers' book; above one without a name stands its kind,
    because the number stands below."""
    return buyer_words(str(buyer.id) if buyer.name else f"{buyer.id.code}:", texts)


def buyer_number(draft: receipt_drafts.BuyerDraft) -> str:
    """The number of a finished buyer who is no natural person, for a narrow option; else ""."""
    if draft.fault() or draft.centre_fault() or draft.unconfirmed_warning():
        return ""
    buyer = draft.buyer()
    return "" if buyer is None or buyer.is_personal else buyer.value


def fault_words(fault: receipt_drafts.PaymentFault | None, texts: Texts) -> str:
    if fault is None:
        return ""
    text_id = f"pay.fault.{fault.part}.{_kind(fault)}"
    if texts.has(text_id):
        return _filled(text_id, fault, texts)
    values: Mapping[str, Any] = fault.values
    return texts.error(Invalid(fault.kind, what=fault.what, **values)).happened


def fault_order(fault: receipt_drafts.PaymentFault | None, texts: Texts) -> str:
    """Return what to do about a fault of a page, in few words; "" for None."""
    if fault is None:
        return ""
    text_id = f"pay.order.{fault.part}.{_kind(fault)}"
    return _filled(text_id if texts.has(text_id) else f"pay.order.{fault.part}", fault, texts)


def _kind(fault: receipt_drafts.PaymentFault) -> str:
    is_of_buyer = fault.part is receipt_drafts.FaultPart.BUYER
    is_too_long = is_of_buyer and fault.kind == "length" and "longest" in fault.values
    return "too_long" if is_too_long else fault.kind


def _filled(text_id: str, fault: receipt_drafts.PaymentFault, texts: Texts) -> str:
    return texts(
        text_id, **{name: _value_text(value, texts) for name, value in fault.values.items()}
    )


def _value_text(value: object, texts: Texts) -> object:
    if isinstance(value, Money):
        return number_text.amount_text(value)
    part = f"pay.part.{value}"
    return texts(part) if texts.has(part) else value


def delivery_words(
    draft: receipt_drafts.DeliveryDraft, texts: Texts, *, short: bool = False
) -> str:
    """The words on the option "delivery"; consent is named where paper could be had instead.

    short: the shortest words are taken.
    """
    if draft.fault():
        return texts("pay.unfinished")
    text_ids = [f"pay.way.{way}" for way in draft.offered if way in draft.chosen]
    brief = [
        f"{text_id}.short" if short and texts.has(f"{text_id}.short") else text_id
        for text_id in text_ids
    ]
    chosen = [texts(text_id) for text_id in brief]
    ways = ", ".join(chosen) or texts("pay.way.none")
    must_agree = draft.is_without_paper and bool(set(receipt_drafts.PAPER) & set(draft.offered))
    agrees = "pay.without_paper.short" if short else "pay.without_paper"
    return texts(agrees, ways=ways) if must_agree else ways


def delivery_icon(draft: receipt_drafts.DeliveryDraft) -> str:
    """The icon of the option "delivery": that of its first way."""
    icons = {receipt_drafts.DeliveryWay.EMAIL: "mail", receipt_drafts.DeliveryWay.PDF: "file-text"}
    way = next((one for one in draft.offered if one in draft.chosen), None)
    return "printer-x" if way is None else icons.get(way, "printer")


def text_words(text: str, texts: Texts) -> str:
    """The words on the option "text": the beginning of the text."""
    text = " ".join(text.split())
    if not text:
        return texts("pay.text.none")
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def advance_words(draft: receipt_drafts.AdvanceDraft, texts: Texts, *, is_wrong: bool) -> str:
    if is_wrong:
        return texts("pay.unfinished")
    asked = draft.asked()
    return number_text.amount_text(asked) if asked is not None else texts("pay.advance.whole")
