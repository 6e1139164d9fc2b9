"""The words of a notice: what happened, whether the sale is safe, what to press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pos_app.cashier.sale.last_sale import document_words, moved_total
from pos_app.cashier.sale.notices import (
    ActFailed,
    Bug,
    CartsSuspended,
    CodesMissed,
    ExchangeLeft,
    ExchangeRefused,
    FileKept,
    GoodsCredited,
    LastNotice,
    NoneInCart,
    NoSuchCode,
    NotDone,
    NotSoldAgain,
    PriceNotice,
    ReceiptRead,
    Relabelled,
    Running,
    SaleDropped,
    SaleNotice,
    ScansWaiting,
    TrainingEnded,
    TypedNotTaken,
    Voided,
)
from pos_app.cashier.services.file_viewer import breakable
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import ShortReceiptCode, WhyUnknown
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import quantity_text
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import MachineError, NoSuchReceipt, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import Sale

LONGEST_CODE = 40
MOST_NAMED = 3
"""The most articles that a notice names."""

_UNREADABLE = {
    WhyUnknown.CHECK_DIGIT: "notice.misread",
    WhyUnknown.CUT: "notice.misread",
    WhyUnknown.KEY_HELD: "notice.key_held",
    WhyUnknown.NOTHING_WEIGHED: "notice.empty_pack",
    WhyUnknown.ID_CARD: "notice.id_card",
    WhyUnknown.RECEIPT: "notice.receipt_misread",
}


@dataclass(frozen=True, slots=True)
class NoticeFace:
    kind: NoticeKind
    text: NoticeWords


def face_of(notice: SaleNotice, texts: Texts) -> NoticeFace:
    match notice:
        case NoSuchCode():
            return NoticeFace(NoticeKind.WARN, _unknown(notice, texts))
        case PriceNotice() | ReceiptRead() | LastNotice() | Relabelled() | ExchangeLeft():
            return NoticeFace(NoticeKind.INFO, _text_of(notice, texts))
        case Voided() | SaleDropped():
            return NoticeFace(NoticeKind.INFO, _taken_away(notice, texts))
        case NoneInCart():
            return NoticeFace(NoticeKind.WARN, _not_taken_off(notice, texts))
        case Bug(_, is_opening):
            happened = texts("notice.not_opened" if is_opening else "notice.bug")
            text = NoticeWords(happened, texts("notice.bug_words"), texts("notice.bug_do"))
            return NoticeFace(NoticeKind.DANGER, text)
        case (
            ScansWaiting()
            | CartsSuspended()
            | CodesMissed()
            | TypedNotTaken()
            | TrainingEnded()
            | NotSoldAgain()
            | ExchangeRefused()
            | GoodsCredited()
        ):
            return NoticeFace(NoticeKind.WARN, _goes_on(notice, texts))
        case Running() | NotDone() | FileKept():
            return _of_server_act(notice, texts)
        case ActFailed(error, adding):
            text = texts.error(error)
            if adding and isinstance(error, MachineError):
                text = replace(text, safe=texts("notice.not_added"))
            return NoticeFace(NoticeKind.WARN, text)


def more_words(notices: Sequence[SaleNotice], texts: Texts) -> str:
    """Return how much is unread beside the notice on top; "" for nothing. Missed codes are counted
    as such, unless the notice on top has counted them."""
    *others, top = notices
    codes = sum(isinstance(one, NoSuchCode) for one in others)
    if isinstance(top, CodesMissed):
        codes, others = 0, [one for one in others if not isinstance(one, NoSuchCode)]
    if not others:
        return ""
    return texts.count("notice.more_codes" if codes == len(others) else "notice.more", len(others))


def _of_exchange(notice: ExchangeRefused | GoodsCredited, texts: Texts) -> NoticeWords:
    """Say which part of an exchange was not issued, and who gets the money."""
    if isinstance(notice, GoodsCredited):
        money = notice.money
        gives = max(-money.taken, Money.ZERO)
        do = texts("notice.credited.give", gives=gives) if gives else texts("notice.credited.do")
        happened = texts("notice.credited", credited=money.credited)
        return NoticeWords(happened, texts("notice.credited.safe"), do)
    safe, number = texts("notice.exchange_refused.safe"), short_number(notice.number)
    if notice.left is not None:
        safe = texts("notice.exchange_refused.left", left=notice.left, number=number)
    do = texts("notice.exchange_refused.do", reason=notice.reason)
    return NoticeWords(texts("notice.exchange_refused"), safe, do)


def _taken_away(notice: Voided | SaleDropped, texts: Texts) -> NoticeWords:
    if isinstance(notice, SaleDropped):
        return NoticeWords(
            texts("notice.dropped"), texts("notice.dropped.safe", total=notice.total)
        )
    article, left = notice.article, notice.left
    happened = texts(
        "notice.voided",
        name=article.name,
        quantity=_so_much(notice.quantity, article),
        total=notice.total,
    )
    if left is None:
        return NoticeWords(happened, texts("notice.voided.none"))
    return NoticeWords(happened, texts("notice.voided.left", left=_so_much(left, article)))


def _not_taken_off(notice: NoneInCart, texts: Texts) -> NoticeWords:
    article, there = notice.article, notice.there
    if there is None:
        happened = texts("notice.not_in_cart", name=article.name)
        return NoticeWords(happened, texts("notice.not_in_cart_words"))
    happened = texts("notice.less_in_cart", name=article.name)
    if isinstance(notice.asked, Money):
        words = texts("notice.no_such_pack", total=notice.asked, there=_so_much(there, article))
    else:
        asked = _so_much(notice.asked or Quantity.ONE, article)
        words = texts("notice.less_in_cart_words", asked=asked, there=_so_much(there, article))
    return NoticeWords(happened, words)


def _so_much(quantity: Quantity, article: Article) -> str:
    return f"{quantity_text(quantity)} {article.unit}".rstrip()


def _goes_on(
    notice: ScansWaiting
    | CartsSuspended
    | CodesMissed
    | TypedNotTaken
    | TrainingEnded
    | NotSoldAgain
    | ExchangeRefused
    | GoodsCredited,
    texts: Texts,
) -> NoticeWords:
    """Word a notice after which selling goes on: what happened, why nothing is lost, what to do."""
    if isinstance(notice, ExchangeRefused | GoodsCredited):
        return _of_exchange(notice, texts)
    if isinstance(notice, NotSoldAgain):
        happened = texts("notice.not_again", names=_first_of(notice.names, ", "))
        return NoticeWords(happened, texts("notice.not_again.safe"))
    if isinstance(notice, TypedNotTaken):
        if notice.name:
            return NoticeWords(texts("notice.row_gone", name=notice.name, typed=notice.typed))
        return NoticeWords(texts("pay.not_taken", typed=notice.typed))
    if isinstance(notice, TrainingEnded):
        safe, do = texts("notice.trained.safe"), texts("notice.trained.do")
        return NoticeWords(texts("notice.trained"), safe, do)
    if isinstance(notice, ScansWaiting):
        return NoticeWords(
            texts.count("waiting", notice.count), texts("held.safe"), texts("held.do")
        )
    text_id = "notice.missed" if isinstance(notice, CodesMissed) else "notice.set_aside"
    return NoticeWords(
        texts.count(text_id, notice.count), texts(f"{text_id}.safe"), texts(f"{text_id}.do")
    )


def _text_of(
    notice: PriceNotice | ReceiptRead | LastNotice | Relabelled | ExchangeLeft, texts: Texts
) -> NoticeWords:
    """Word a notice that answers the cashier's question, or only informs."""
    match notice:
        case PriceNotice():
            return _price(notice, texts)
        case ReceiptRead():
            return _receipt(notice, texts)
        case LastNotice(sale):
            return _last(sale, texts)
        case ExchangeLeft():
            return NoticeWords(texts("notice.exchange_left"), texts("notice.exchange_left.safe"))
        case Relabelled(articles):
            parts = [f"{name} {was.value} → {now.value}" for name, was, now in articles]
            articles_text = _first_of(parts, "; ")
            return NoticeWords(
                texts("notice.label", articles=articles_text), texts("notice.label.safe")
            )


def _first_of(parts: Sequence[str], between: str) -> str:
    """Join the first MOST_NAMED parts, and "…" for the rest."""
    return between.join((*parts[:MOST_NAMED], *("…" for _ in parts[MOST_NAMED:][:1])))


def _last(sale: Sale, texts: Texts) -> NoticeWords:
    safe = texts(
        "notice.last_words",
        total=moved_total(sale),
        when=moment_text(sale.frozen_at),
        cashier=sale.cashier,
    )
    document = document_words(sale, texts)
    if sale.receipt is None:
        waiting = texts("last.waiting")
        with_document = f"{document}: {waiting[0].lower()}{waiting[1:]}"
        return NoticeWords(with_document if document else waiting, safe)
    kind = document or texts("notice.receipt_of")
    happened = texts("notice.last", kind=kind, number=sale.receipt.fiscal_number)
    if sale.is_unreadable:
        safe = f"{safe} {texts('receipt.unreadable')}."
        return NoticeWords(happened, safe, texts("receipt.unreadable.do"))
    return NoticeWords(happened, safe)


def _of_server_act(notice: Running | NotDone | FileKept, texts: Texts) -> NoticeFace:
    document = texts(f"document.{notice.document}")
    if isinstance(notice, FileKept):
        text = NoticeWords(
            texts("receipt.kept", document=document),
            texts("receipt.kept.safe", file=breakable(notice.file)),
        )
        return NoticeFace(NoticeKind.WARN, text)
    if isinstance(notice, Running):
        return NoticeFace(NoticeKind.INFO, _three(f"{notice.action}.runs", texts, document))
    notice_text = _three(f"{notice.action}.{notice.error.code}", texts, document)
    return NoticeFace(NoticeKind.WARN, notice_text)


def in_one_line(notice: SaleNotice, texts: Texts) -> str:
    """Say what happened and what to do in one text, for a notice without a panel of its own."""
    text = face_of(notice, texts).text
    parts = (text.happened, text.press)
    return " ".join(part if part[-1] in ".!?…" else f"{part}." for part in parts if part)


def _three(text_id: str, texts: Texts, document: str) -> NoticeWords:
    """Return the three parts of a text; the last two may have no words."""
    safe, do = f"{text_id}.safe", f"{text_id}.do"
    return NoticeWords(
        texts(text_id, document=document),
        texts(safe, document=document) if texts.has(safe) else "",
        texts(do) if texts.has(do) else "",
    )


def moment_text(moment: datetime) -> str:
    """Return a moment as people in Serbia write it: 20.11.2026. 14:32."""
    return in_belgrade(moment).strftime("%d.%m.%Y. %H:%M")


def clock_text(moment: datetime) -> str:
    """Return the time of day in Belgrade: 14:32."""
    return in_belgrade(moment).strftime("%H:%M")


def _unknown(notice: NoSuchCode, texts: Texts) -> NoticeWords:
    code = notice.code if len(notice.code) <= LONGEST_CODE else f"{notice.code[:LONGEST_CODE]}…"
    text_id = _UNREADABLE.get(notice.why) if notice.why else None
    if notice.why is WhyUnknown.RECEIPT and _has_one_case(notice.code):
        text_id = "notice.receipt_letters"
    if text_id is not None:
        return NoticeWords(texts(text_id, code=code), texts(f"{text_id}_words"))
    if notice.may_create:
        text_id = "notice.unknown_manager" if notice.open_price else "notice.unknown_create"
        return NoticeWords(texts("notice.unknown", code=code), texts(text_id))
    text_id = "notice.unknown_cashier" if notice.open_price else "notice.unknown_ask"
    return NoticeWords(texts("notice.unknown", code=code), texts(text_id))


def _has_one_case(code: str) -> bool:
    """Tell whether all letters are capital, or all small. The scanner made them so, and a second
    scan does not help."""
    return code in (code.upper(), code.lower())


def _price(notice: PriceNotice, texts: Texts) -> NoticeWords:
    article = notice.article
    unit = article.unit or texts("unit.piece")
    if notice.price is None:
        happened = texts("notice.price_open", name=article.name)
        return NoticeWords(happened, texts("notice.price_words", unit=unit))
    shown = notice.total if notice.total is not None else notice.price
    happened = texts("notice.price", name=article.name, price=shown)
    if notice.total is None:
        return NoticeWords(happened, texts("notice.price_words", unit=unit))
    safe = texts("notice.price_total", total=notice.total, price=notice.price, unit=unit)
    return NoticeWords(happened, safe)


def _receipt(notice: ReceiptRead, texts: Texts) -> NoticeWords:
    """Return number, total and time, but never the buyer, who may be a person."""
    facts, stays = notice.facts, texts("notice.cart_stays")
    if facts is None:
        happened = texts("notice.receipt_short", number=notice.code.reference.lstrip("-"))
        return NoticeWords(happened, f"{known_words(notice, texts)} {stays}")
    named = {"number": facts.number, "total": facts.total}
    if notice.copying:
        return NoticeWords(texts("notice.receipt_copying", **named), stays)
    invoice_type, transaction_type = facts.kind
    kind = texts(f"receipts.kind.{invoice_type}.{transaction_type}")
    is_short = isinstance(notice.code, ShortReceiptCode)
    parts = (
        texts("notice.receipt_words", kind=kind, when=moment_text(facts.time)),
        texts("receipts.by_short_number") if is_short else "",
        known_words(notice, texts),
        stays,
    )
    return NoticeWords(texts("notice.receipt", **named), " ".join(filter(None, parts)))


def known_words(notice: ReceiptRead, texts: Texts) -> str:
    match notice.answer:
        case None:
            return texts("notice.receipt_asked")
        case NoSuchReceipt():
            return texts("notice.receipt_elsewhere")
        case PosError():
            return texts("notice.receipt_not_told")
        case ReceiptOverview() as overview:
            left = Money.total(line.left_total for line in overview.lines)
            why_not = overview.why_not(ReceiptAct.REFUND)
            if why_not is not None:
                return texts(f"receipts.why_not.{why_not}")
            return texts("notice.receipt_left", left=left) if left != overview.total else ""
