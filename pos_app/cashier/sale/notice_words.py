"""The words of a notice: what happened, is the sale safe, what to press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pos_app.cashier.look.notice import NoticeKind
from pos_app.cashier.sale.asking import (
    Bug,
    CartsSetAside,
    CodesMissed,
    Failed,
    FileKept,
    LastTold,
    NoneInCart,
    NoSuchCode,
    NotDone,
    Notice,
    NotYet,
    OneVoided,
    PriceTold,
    ReceiptRead,
    Running,
    SaleDropped,
    ScansHeld,
)
from pos_app.cashier.texts import Told, Words
from pos_app.cashier.viewer import breakable
from pos_app.domain.barcodes import WhyUnknown
from pos_app.domain.instant import in_belgrade
from pos_app.domain.request import TransactionType
from pos_app.domain.verification import Verification
from pos_app.errors import MachineError
from pos_app.selling.basket import DocumentKind
from pos_app.selling.sale import Sale

LONGEST_CODE = 40

_UNREADABLE = {
    WhyUnknown.CHECK_DIGIT: "notice.misread",
    WhyUnknown.CUT: "notice.misread",
    WhyUnknown.NOTHING_WEIGHED: "notice.empty_pack",
    WhyUnknown.RECEIPT: "notice.receipt_misread",
}


@dataclass(frozen=True, slots=True)
class NoticeFace:
    """Kind and words of a notice."""

    kind: NoticeKind
    told: Told


def face_of(notice: Notice, words: Words) -> NoticeFace:
    """How a notice is shown."""
    match notice:
        case NoSuchCode():
            return NoticeFace(NoticeKind.WARN, _unknown(notice, words))
        case PriceTold() | ReceiptRead() | LastTold() | NotYet():
            return NoticeFace(NoticeKind.INFO, _told(notice, words))
        case OneVoided() | SaleDropped():
            return NoticeFace(NoticeKind.INFO, _taken_away(notice, words))
        case NoneInCart(article):
            happened = words("notice.not_in_cart", name=article.name)
            told = Told(happened, words("notice.not_in_cart_words"))
            return NoticeFace(NoticeKind.WARN, told)
        case Bug():
            told = Told(words("notice.bug"), words("notice.bug_words"), words("notice.bug_do"))
            return NoticeFace(NoticeKind.DANGER, told)
        case ScansHeld() | CartsSetAside() | CodesMissed():
            return NoticeFace(NoticeKind.WARN, _counted(notice, words))
        case Running() | NotDone() | FileKept():
            return _of_server_act(notice, words)
        case Failed(error, adding):
            told = words.error(error)
            if adding and isinstance(error, MachineError):
                told = replace(told, safe=words("notice.not_added"))
            return NoticeFace(NoticeKind.WARN, told)


def more_words(notices: Sequence[Notice], words: Words) -> str:
    """What else was not read yet, beside the notice on top; "" for nothing.

    Codes that came to nothing are told as such, unless the one on top has counted them.
    """
    *others, top = notices
    codes = sum(isinstance(one, NoSuchCode) for one in others)
    if isinstance(top, CodesMissed):
        codes, others = 0, [one for one in others if not isinstance(one, NoSuchCode)]
    if not others:
        return ""
    return words.count("notice.more_codes" if codes == len(others) else "notice.more", len(others))


def _taken_away(notice: OneVoided | SaleDropped, words: Words) -> Told:
    """That it is done, and what the cart has now."""
    if isinstance(notice, SaleDropped):
        return Told(words("notice.dropped"), words("notice.dropped.safe", total=notice.total))
    article, left = notice.article, notice.left
    happened = words("notice.voided", name=article.name)
    if left is None:
        return Told(happened, words("notice.voided.none"))
    unit = article.unit or words("unit.piece")
    return Told(happened, words("notice.voided.left", left=left, unit=unit))


def _counted(notice: ScansHeld | CartsSetAside | CodesMissed, words: Words) -> Told:
    """How many there are, why nothing is lost, and what to do."""
    if isinstance(notice, ScansHeld):
        return Told(words.count("waiting", notice.count), words("held.safe"), words("held.do"))
    key = "notice.missed" if isinstance(notice, CodesMissed) else "notice.set_aside"
    return Told(words.count(key, notice.count), words(f"{key}.safe"), words(f"{key}.do"))


def _told(notice: PriceTold | ReceiptRead | LastTold | NotYet, words: Words) -> Told:
    """The answer to what the cashier asked for."""
    match notice:
        case PriceTold():
            return _price(notice, words)
        case ReceiptRead(verification):
            return _receipt(verification, words)
        case LastTold(sale):
            return _last(sale, words)
        case NotYet(cap):
            return Told(words("notice.not_yet", key=cap))


def _last(sale: Sale, words: Words) -> Told:
    safe = words(
        "notice.last_words", total=sale.total, when=moment_text(sale.frozen_at),
        cashier=sale.cashier,
    )  # fmt: skip
    if sale.receipt is None:
        return Told(words("last.waiting"), safe)
    is_sale = sale.kind is DocumentKind.SALE
    kind = words("notice.receipt_of" if is_sale else f"kind.{sale.kind}")
    happened = words("notice.last", kind=kind, number=sale.receipt.fiscal_number)
    if sale.is_unreadable:
        safe = f"{safe} {words('receipt.unreadable')}."
        return Told(happened, safe, words("receipt.unreadable.do"))
    return Told(happened, safe)


def _of_server_act(notice: Running | NotDone | FileKept, words: Words) -> NoticeFace:
    if isinstance(notice, FileKept):
        told = Told(words("receipt.kept"), words("receipt.kept.safe", file=breakable(notice.file)))
        return NoticeFace(NoticeKind.WARN, told)
    if isinstance(notice, Running):
        return NoticeFace(NoticeKind.INFO, _three(f"{notice.what}.runs", words))
    return NoticeFace(NoticeKind.WARN, _three(f"{notice.what}.{notice.error.code}", words))


def in_one_line(notice: Notice, words: Words) -> str:
    """What happened and what to do, where a notice has no place of its own."""
    told = face_of(notice, words).told
    parts = (told.happened, told.press)
    return " ".join(part if part[-1] in ".!?…" else f"{part}." for part in parts if part)


def _three(key: str, words: Words) -> Told:
    """The three parts of a text; the last two may have none."""
    safe, do = f"{key}.safe", f"{key}.do"
    return Told(
        words(key), words(safe) if words.has(safe) else "", words(do) if words.has(do) else ""
    )


def moment_text(moment: datetime) -> str:
    """A moment as people in Serbia write it: 20.11.2026. 14:32."""
    return in_belgrade(moment).strftime("%d.%m.%Y. %H:%M")


def clock_text(moment: datetime) -> str:
    """The time of day in Belgrade: 14:32."""
    return in_belgrade(moment).strftime("%H:%M")


def _unknown(notice: NoSuchCode, words: Words) -> Told:
    code = notice.code if len(notice.code) <= LONGEST_CODE else f"{notice.code[:LONGEST_CODE]}…"
    key = _UNREADABLE.get(notice.why) if notice.why else None
    if key is not None:
        return Told(words(key, code=code), words(f"{key}_words"))
    if notice.may_create:
        key = "notice.unknown_manager" if notice.open_price else "notice.unknown_create"
        return Told(words("notice.unknown", code=code), words(key))
    key = "notice.unknown_cashier" if notice.open_price else "notice.unknown_ask"
    return Told(words("notice.unknown", code=code), words(key))


def _price(notice: PriceTold, words: Words) -> Told:
    article = notice.article
    unit = article.unit or words("unit.piece")
    if notice.price is None:
        happened = words("notice.price_open", name=article.name)
        return Told(happened, words("notice.price_words", unit=unit))
    shown = notice.total if notice.total is not None else notice.price
    happened = words("notice.price", name=article.name, price=shown)
    if notice.total is None:
        return Told(happened, words("notice.price_words", unit=unit))
    safe = words("notice.price_total", total=notice.total, price=notice.price, unit=unit)
    return Told(happened, safe)


def _receipt(verification: Verification, words: Words) -> Told:
    """Number, total and moment; never the buyer, who may be a person."""
    refund = verification.transaction_type is TransactionType.REFUND
    return Told(
        words("notice.receipt", number=str(verification.number)),
        words(
            "notice.receipt_words",
            kind=words("notice.receipt_refund" if refund else "notice.receipt_sale"),
            total=verification.total,
            when=moment_text(verification.moment),
        ),
    )
