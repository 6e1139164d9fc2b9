"""The notices of the sale: their words, and which of them stay unread when another one comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal

from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.cart_texts import lost_words, piece_name
from pos_app.cashier.words.done_words import by_methods
from pos_app.cashier.words.moments import moment_text
from pos_app.cashier.words.receipt_words import document_words, moved_total, short_number
from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import (
    CodeOfReceipt,
    ReceiptCode,
    ShortReceiptCode,
    WhyUnknown,
    shown_code,
)
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import quantity_text
from pos_app.domain.money.payment import Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import LostDiscount
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.receipt.request import ReceiptKind
from pos_app.errors import Invalid, MachineError, NoSuchReceipt, NotAllowed, PosError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.missed_codes import Missed, UnknownCode
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.ticket import DocumentKind

MOST_NOTICES = 9
LONGEST_CODE = 40
MOST_NAMED = 3
"""The most articles that a notice names."""
_UNREADABLE = {
    WhyUnknown.CHECK_DIGIT: "notice.misread",
    WhyUnknown.CUT: "notice.misread",
    WhyUnknown.NOISE: "notice.noise",
    WhyUnknown.CHARACTERS: "notice.no_code",
    WhyUnknown.TOO_LONG: "notice.no_code",
    WhyUnknown.KEY_HELD: "notice.key_held",
    WhyUnknown.NOTHING_WEIGHED: "notice.empty_pack",
    WhyUnknown.GS1: "notice.gs1",
    WhyUnknown.ID_CARD: "notice.id_card",
    WhyUnknown.RECEIPT: "notice.receipt_misread",
}


class SaleNotice:
    __slots__ = ()
    level: ClassVar[NoticeKind] = NoticeKind.WARN

    def words(self, texts: Texts) -> NoticeWords:
        """What happened, whether the sale is safe, what to press."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class NoSuchCode(SaleNotice):
    """Nothing is sold under a code. why is None for a well-formed code that no article has."""

    code: str
    why: WhyUnknown | None
    may_create: bool
    open_price: tuple[Article, ...] = ()

    def words(self, texts: Texts) -> NoticeWords:
        code = _cut(shown_code(self.code))
        text_id = _UNREADABLE.get(self.why) if self.why else None
        if self.why is WhyUnknown.RECEIPT and _has_one_case(self.code):
            text_id = "notice.receipt_letters"
        if text_id is not None:
            return NoticeWords(texts(text_id, code=code), texts(f"{text_id}_words"))
        if self.may_create:
            text_id = "notice.unknown_manager" if self.open_price else "notice.unknown_create"
        else:
            text_id = "notice.unknown_cashier" if self.open_price else "notice.unknown_ask"
        return NoticeWords(texts("notice.unknown", code=code), texts(text_id))


@dataclass(frozen=True, slots=True)
class NotAdded(NoSuchCode):
    """A scan came while a badge was asked for. code: "" for a misread. name: the article of the
    code, "" for none."""

    name: str = ""

    def words(self, texts: Texts) -> NoticeWords:
        name = self.name or texts("lock.unknown_code" if self.code else "lock.misread")
        parts = (name, _cut(shown_code(self.code)))
        happened = texts("notice.scan_missed", name=", ".join(one for one in parts if one))
        return NoticeWords(happened, texts("notice.scan_missed_words"))


@dataclass(frozen=True, slots=True)
class PriceNotice(SaleNotice):
    """The answer to "Цена?": nothing was added. price is None for an article whose price is typed.
    total: the total of a packed piece."""

    level = NoticeKind.INFO
    article: Article
    price: Money | None
    total: Money | None = None

    def words(self, texts: Texts) -> NoticeWords:
        name, unit = self.article.name, self.article.unit or texts("unit.piece")
        safe = texts("notice.price_words", unit=unit)
        if self.price is None:
            return NoticeWords(texts("notice.price_open", name=name), safe)
        if self.total is None:
            return NoticeWords(texts("notice.price", name=name, price=self.price), safe)
        safe = texts("notice.price_total", total=self.total, price=self.price, unit=unit)
        return NoticeWords(texts("notice.price", name=name, price=self.total), safe)


@dataclass(frozen=True, slots=True)
class Voided(SaleNotice):
    """ "Сторно" was carried out. quantity, total: what was taken off, before discounts.
    left_quantity: the quantity of the article still in the cart."""

    level = NoticeKind.DONE
    article: Article
    quantity: Quantity
    total: Money
    left_quantity: Quantity | None

    def words(self, texts: Texts) -> NoticeWords:
        quantity = _so_much(self.quantity, self.article)
        happened = texts(
            "notice.voided",
            name=piece_name(self.article, texts),
            quantity=quantity,
            total=self.total,
        )
        if self.left_quantity is None:
            return NoticeWords(happened, texts("notice.voided.none"))
        left = _so_much(self.left_quantity, self.article)
        return NoticeWords(happened, texts("notice.voided.left", left=left))


@dataclass(frozen=True, slots=True)
class DiscountsLost(SaleNotice):
    """A change left no more than an amount off, which went with it."""

    lost: tuple[LostDiscount, ...]

    def words(self, texts: Texts) -> NoticeWords:
        safe, do = texts("discount_lost.safe"), texts("discount_lost.do")
        return NoticeWords(lost_words(self.lost, texts), safe, do)


@dataclass(frozen=True, slots=True)
class SaleDropped(SaleNotice):
    """The cart was ended without a sale. total: its sum. owed, paid_before: what Attention tells
    since then: the worth of goods that came back, and an advance whose goods are not sold.
    received, change_told: as in `GiveBack`."""

    level = NoticeKind.INFO
    total: Money
    owed: Money = Money.ZERO
    paid_before: Money = Money.ZERO
    received: Payments = Payments()
    change_told: Money = Money.ZERO

    @property
    def is_in_attention(self) -> bool:
        return bool(self.owed or self.paid_before)

    def words(self, texts: Texts) -> NoticeWords:
        is_charge_told = bool(self.total) or not self.is_in_attention
        parts = (
            texts("notice.dropped.safe", total=self.total) if is_charge_told else "",
            texts("notice.dropped.owed", owed=self.owed) if self.owed else "",
            texts("notice.dropped.goods", paid=self.paid_before) if self.paid_before else "",
        )
        return NoticeWords(
            texts("notice.dropped"),
            " ".join(filter(None, parts)),
            self._back(texts) if self.received.total else "",
        )

    def _back(self, texts: Texts) -> str:
        """What goes back, and by which methods it was received."""
        back = GiveBack(self.received, self.change_told).words(texts).happened
        by = by_methods(self.received, texts)
        return f"{back}. {texts('notice.put_aside.received', by=by)}"


@dataclass(frozen=True, slots=True)
class GiveBack(SaleNotice):
    """Nothing is paid any more for the cart, or the advance, for which this was received.
    change_told: the change that was told before, and is not in it; nobody knows whether the hand
    gave it. advance: the number of its first receipt, "" for a cart."""

    received: Payments
    change_told: Money = Money.ZERO
    advance: str = ""

    def words(self, texts: Texts) -> NoticeWords:
        received, change = self.received.total, self.change_told
        happened = texts("notice.give_back", received=received)
        if change:
            happened = texts("notice.give_back.told", received=received, change=change)
        by = "notice.give_back.advance" if self.advance else "notice.give_back.safe"
        return NoticeWords(happened, press=texts(by, by=by_methods(self.received, texts)))


@dataclass(frozen=True, slots=True)
class ChangeTold(SaleNotice):
    """The change of a refused sale, told when it was confirmed, counts as given in the cart that
    corrects it. received: what the cart has of its money."""

    change: Money
    received: Money

    def words(self, texts: Texts) -> NoticeWords:
        happened = texts("notice.change_told", change=self.change)
        safe = texts("notice.change_told.safe", received=self.received)
        return NoticeWords(happened, safe, texts("notice.change_told.do"))


@dataclass(frozen=True, slots=True)
class NoneInCart(SaleNotice):
    """ "Сторно" found no such article in the cart, or less of it than the code puts on. asked: how
    much that is, or the total of its label. there: what the cart holds, or None for nothing."""

    article: Article
    asked: Quantity | Money | None = None
    there: Quantity | None = None

    def words(self, texts: Texts) -> NoticeWords:
        name = piece_name(self.article, texts)
        if self.there is None:
            happened = texts("notice.not_in_cart", name=name)
            return NoticeWords(happened, texts("notice.not_in_cart_words"))
        there = _so_much(self.there, self.article)
        if isinstance(self.asked, Money):
            safe = texts("notice.no_such_pack", total=self.asked, there=there)
        else:
            asked = _so_much(self.asked or Quantity.ONE, self.article)
            safe = texts("notice.less_in_cart_words", asked=asked, there=there)
        return NoticeWords(texts("notice.less_in_cart", name=name), safe)


@dataclass(frozen=True, slots=True)
class ReceiptRead(SaleNotice):
    """The code of a receipt was scanned. answer: what the server knows of the receipt, or why it
    does not answer; it is None while the server is asked. copying: the next press issues a copy."""

    level = NoticeKind.INFO
    code: CodeOfReceipt
    answer: ReceiptOverview | PosError | None = None
    copying: bool = False

    def allows(self, act: ReceiptAct) -> bool:
        """Tell whether an act is known to be lawful."""
        return isinstance(self.answer, ReceiptOverview) and self.answer.why_not(act) is None

    @property
    def facts(self) -> ForeignReceipt | None:
        """The known facts of the receipt, from its code or else from the server."""
        if isinstance(self.code, ReceiptCode):
            return ForeignReceipt.of(self.code.verification)
        overview = self.answer
        if not isinstance(overview, ReceiptOverview):
            return None
        kind = ReceiptKind(overview.invoice_type, overview.transaction_type)
        return ForeignReceipt(
            overview.number,
            overview.counter,
            overview.total,
            overview.time,
            kind,
            overview.buyer or "",
        )

    def words(self, texts: Texts) -> NoticeWords:
        """Return number, total and time, but never the buyer, who may be a person."""
        facts, stays = self.facts, texts("notice.cart_stays")
        if facts is None:
            happened = texts("notice.receipt_short", number=self.code.reference.lstrip("-"))
            return NoticeWords(happened, f"{self.known_words(texts)} {stays}")
        named = {"number": facts.number, "total": facts.total}
        if self.copying:
            return NoticeWords(texts("notice.receipt_copying", **named), stays)
        invoice_type, transaction_type = facts.kind
        kind = texts(f"receipts.kind.{invoice_type}.{transaction_type}")
        is_short = isinstance(self.code, ShortReceiptCode)
        parts = (
            texts("notice.receipt_words", kind=kind, when=moment_text(facts.time)),
            texts("receipts.by_short_number") if is_short else "",
            self.known_words(texts),
            stays,
        )
        return NoticeWords(texts("notice.receipt", **named), " ".join(filter(None, parts)))

    def known_words(self, texts: Texts) -> str:
        match self.answer:
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


@dataclass(frozen=True, slots=True)
class LastNotice(SaleNotice):
    """The last receipt was pressed; the notice says what is known of it."""

    level = NoticeKind.INFO
    sale: Sale

    def words(self, texts: Texts) -> NoticeWords:
        sale = self.sale
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


@dataclass(frozen=True, slots=True)
class ActFailed(SaleNotice):
    """An act failed. adding: the act was to put an article into the cart."""

    error: PosError
    adding: bool = False

    def words(self, texts: Texts) -> NoticeWords:
        text = texts.error(self.error)
        if self.adding and isinstance(self.error, MachineError):
            return replace(text, safe=texts("notice.not_added"))
        return text


@dataclass(frozen=True, slots=True)
class Bug(SaleNotice):
    """The program erred: the log has the error, and work goes on. name: the error's class.
    is_opening: a screen could not be opened."""

    level = NoticeKind.DANGER
    name: str
    is_opening: bool = False

    def words(self, texts: Texts) -> NoticeWords:
        happened = texts("notice.not_opened" if self.is_opening else "notice.bug")
        return NoticeWords(happened, texts("notice.bug_words"), texts("notice.bug_do"))


ServerActName = Literal["receipt", "drawer", "drawer_of_sale"]
"""Acts asked of the server beside sales."""
DocumentName = Literal["receipt", "proforma"]
"""Documents that can be opened; a proforma is no receipt."""


@dataclass(frozen=True, slots=True)
class Running(SaleNotice):
    """An act asked of the server is not done yet."""

    level = NoticeKind.INFO
    action: ServerActName
    document: DocumentName = "receipt"

    def words(self, texts: Texts) -> NoticeWords:
        return _of_server_act(f"{self.action}.runs", texts, self.document)


@dataclass(frozen=True, slots=True)
class NotDone(SaleNotice):
    """An act asked of the server did not succeed, or may not have succeeded."""

    action: ServerActName
    error: RemoteError
    document: DocumentName = "receipt"

    def words(self, texts: Texts) -> NoticeWords:
        return _of_server_act(f"{self.action}.{self.error.code}", texts, self.document)


@dataclass(frozen=True, slots=True)
class FileKept(SaleNotice):
    """No program was found to open a file with."""

    file: Path
    document: DocumentName = "receipt"

    def words(self, texts: Texts) -> NoticeWords:
        happened = texts("receipt.kept", document=texts(f"document.{self.document}"))
        safe = texts("receipt.kept.safe", file=self.file.name)
        read_out = texts("receipt.kept.do", read_out=texts("notice.read_out.details"))
        return NoticeWords(happened, safe, read_out, technical=str(self.file))


@dataclass(frozen=True, slots=True)
class ScansWaiting(SaleNotice):
    """Scans can't be entered yet, because another program holds a file of ours."""

    count: int

    def words(self, texts: Texts) -> NoticeWords:
        happened = texts.count("waiting", self.count)
        return NoticeWords(happened, texts("held.safe"), texts("held.do"))


@dataclass(frozen=True, slots=True)
class CartsSuspended(SaleNotice):
    """Carts came from a copy that was put back, and may have been paid already."""

    count: int

    def words(self, texts: Texts) -> NoticeWords:
        return _of_many("notice.set_aside", self.count, texts)


@dataclass(frozen=True, slots=True)
class CartPutAside(SaleNotice):
    """The open cart was suspended because another one takes its place. received: what the customer
    gave for it."""

    level = NoticeKind.INFO
    total: Money
    received: Payments

    def words(self, texts: Texts) -> NoticeWords:
        by = by_methods(self.received, texts)
        return NoticeWords(
            texts("notice.put_aside", total=self.total),
            texts("notice.put_aside.received", by=by) if by else "",
            texts("notice.put_aside.do", key=cap_of(TillCommand.SUSPEND)),
        )


@dataclass(frozen=True, slots=True)
class NotSoldAgain(SaleNotice):
    """The catalogue no longer has some items of a receipt; the others are in the cart."""

    names: tuple[str, ...]

    def words(self, texts: Texts) -> NoticeWords:
        happened = texts("notice.not_again", names=_first_of(self.names, ", "))
        return NoticeWords(happened, texts("notice.not_again.safe"))


@dataclass(frozen=True, slots=True)
class ExchangeLeft(SaleNotice):
    """No goods come back after all; the cart goes on as a plain sale."""

    level = NoticeKind.INFO

    def words(self, texts: Texts) -> NoticeWords:
        return NoticeWords(texts("notice.exchange_left"), texts("notice.exchange_left.safe"))


@dataclass(frozen=True, slots=True)
class ExchangeRefused(SaleNotice):
    """No receipt of an exchange was issued, and its cart is open again. number: of the receipt
    whose goods come back. reason: the server's reason. left_total: the part of that receipt that
    remains, None if unknown."""

    number: str
    reason: str
    left_total: Money | None

    def words(self, texts: Texts) -> NoticeWords:
        safe, number = texts("notice.exchange_refused.safe"), short_number(self.number)
        if self.left_total is not None:
            safe = texts("notice.exchange_refused.left", left=self.left_total, number=number)
        do = texts("notice.exchange_refused.do", reason=self.reason)
        if self.left_total == Money.ZERO:
            do = texts("notice.exchange_refused.nothing_left", leave=texts("cart.exchange.leave"))
        return NoticeWords(texts("notice.exchange_refused"), safe, do)


@dataclass(frozen=True, slots=True)
class GoodsCredited(SaleNotice):
    """The refund of an exchange is signed and its sale is not. The refunded amount was not paid
    out, and counts as received for the cart."""

    money: ExchangeMoney

    def words(self, texts: Texts) -> NoticeWords:
        gives = max(-self.money.taken, Money.ZERO)
        do = texts("notice.credited.give", gives=gives) if gives else texts("notice.credited.do")
        happened = texts("notice.credited", credited=self.money.credited)
        return NoticeWords(happened, texts("notice.credited.safe"), do)


@dataclass(frozen=True, slots=True)
class CodesMissed(SaleNotice):
    """The sale is about to be paid without its missed codes."""

    codes: Missed

    def words(self, texts: Texts) -> NoticeWords:
        words = _of_many("notice.missed", len(self.codes), texts)
        shown = [_cut(shown_code(one.code)) for one in self.codes if _is_named(one)]
        named = _first_of(shown, ", ")
        return replace(words, happened=f"{words.happened}: {named}") if named else words


@dataclass(frozen=True, slots=True)
class TypedNotTaken(SaleNotice):
    """The search held digits, money or an article, when another cart came; or a number was typed
    for a row that is gone by now. name: the article of that row, or ""."""

    typed_text: str
    name: str = ""

    def words(self, texts: Texts) -> NoticeWords:
        if self.name:
            return NoticeWords(texts("notice.row_gone", name=self.name, typed=self.typed_text))
        return NoticeWords(texts("pay.not_taken", typed=self.typed_text))


@dataclass(frozen=True, slots=True)
class TrainingEnded(SaleNotice):
    """The cart that was left for training was about to be confirmed."""

    def words(self, texts: Texts) -> NoticeWords:
        safe, do = texts("notice.trained.safe"), texts("notice.trained.do")
        return NoticeWords(texts("notice.trained"), safe, do)


@dataclass(frozen=True, slots=True)
class Relabelled(SaleNotice):
    """Articles in the cart have another tax label by now, which the cart has taken over. articles:
    name, label before, label now."""

    level = NoticeKind.INFO
    articles: tuple[tuple[str, TaxLabel, TaxLabel], ...]

    def words(self, texts: Texts) -> NoticeWords:
        parts = [f"{name} {was.value} → {now.value}" for name, was, now in self.articles]
        happened = texts("notice.label", articles=_first_of(parts, "; "))
        return NoticeWords(happened, texts("notice.label.safe"))


def _has_one_case(code: str) -> bool:
    """Tell whether all letters are capital, or all small. The scanner made them so, and a second
    scan does not help."""
    return code in (code.upper(), code.lower())


def _is_named(missed: UnknownCode) -> bool:
    return bool(missed.code) and missed.why is not WhyUnknown.NOISE


def _cut(code: str) -> str:
    return code if len(code) <= LONGEST_CODE else f"{code[:LONGEST_CODE]}…"


def _so_much(quantity: Quantity, article: Article) -> str:
    return f"{quantity_text(quantity)} {article.unit}".rstrip()


def _first_of(names: Sequence[str], between: str) -> str:
    """Join the first MOST_NAMED parts, and "…" for the rest."""
    return between.join((*names[:MOST_NAMED], *("…" for _ in names[MOST_NAMED:][:1])))


def _of_many(text_id: str, count: int, texts: Texts) -> NoticeWords:
    happened = texts.count(text_id, count)
    return NoticeWords(happened, texts(f"{text_id}.safe"), texts(f"{text_id}.do"))


def _of_server_act(text_id: str, texts: Texts, document: DocumentName) -> NoticeWords:
    """Return the three parts of a text; the last two may have no words."""
    named, safe, do = texts(f"document.{document}"), f"{text_id}.safe", f"{text_id}.do"
    return NoticeWords(
        texts(text_id, document=named),
        texts(safe, document=named) if texts.has(safe) else "",
        texts(do) if texts.has(do) else "",
    )


def more_words(notices: Sequence[SaleNotice], missed: Missed, texts: Texts) -> str:
    """Return how much is unread beside the notice on top; "" for nothing. Of the codes all that the
    cart lacks are counted as long as one of them is unread, unless the notice on top has counted
    them: the payment tells the same number."""
    *others, top = notices
    rest = [one for one in others if not isinstance(one, NoSuchCode)]
    told = {one.code for one in notices if isinstance(one, NoSuchCode)}
    codes = {one.code for one in missed} | told if told else set()
    if isinstance(top, NoSuchCode):
        codes -= {top.code}
    elif isinstance(top, CodesMissed):
        codes = set()
    count = len(codes) + len(rest)
    if not count:
        return ""
    return texts.count("notice.more" if rest else "notice.more_codes", count)


def document_of(sale: Sale) -> DocumentName:
    """Return the kind of document that the customer gets."""
    return "proforma" if sale.kind is DocumentKind.PROFORMA else "receipt"


_LOOKED_AT = PriceNotice | ReceiptRead
"""Results of an act that left the cart alone; they are of no use once the next act is done."""

_CART_STATES = frozenset(
    {
        "most_lines",
        "nothing_new",
        "nothing_new_owed",
        "nothing_to_drop",
        "nothing_to_hold",
        "nothing_to_pay",
        "removed_line",
    }
)
"""The kinds of acts not allowed by the state of the cart, until it has changed."""

_CART_REFUSALS = frozenset(
    {
        "advance",
        "below_advance",
        "closing_is_sale",
        "doubted_buyer",
        "exchange",
        "exchange_is_sale",
        "hold",
        "not_enough",
        "part_of_advance",
        "serial_twice",
    }
)
"""The kinds of acts not allowed by what one cart is for or has, whatever else comes into it."""


def tells_of_cart(notice: SaleNotice) -> bool:
    """Whether a notice tells what the cart is or was, so that it leaves when the cart changes."""
    if isinstance(notice, ActFailed):
        error = notice.error
        if isinstance(error, Invalid):
            return (error.kind, error.field) == ("empty", "cart")
        return isinstance(error, NotAllowed) and error.kind in _CART_STATES
    return isinstance(notice, Voided | SaleDropped | NoneInCart) and not _gives_back(notice)


def _gives_back(notice: SaleNotice) -> bool:
    """Whether a notice tells of money for the customer, so that it stays until it was read, or its
    next cart is paid."""
    return isinstance(notice, GiveBack | SaleDropped) and bool(notice.received.total)


_OF_ONE_CART = (
    NoSuchCode,
    CodesMissed,
    Relabelled,
    DiscountsLost,
    NotSoldAgain,
    GoodsCredited,
    ExchangeLeft,
    ExchangeRefused,
    TrainingEnded,
    GiveBack,
    ChangeTold,
    SaleDropped,
)
"""Notices about a cart, and what is, or is not, in it; they stay while that cart changes."""


def _is_of_one_cart(notice: SaleNotice) -> bool:
    if isinstance(notice, ActFailed) and isinstance(notice.error, NotAllowed):
        kind = notice.error.kind
        return kind in _CART_REFUSALS or kind.startswith("unfinished_")
    if isinstance(notice, GiveBack) and notice.advance:
        return False
    return isinstance(notice, _OF_ONE_CART)


_COMES_BY_ITSELF = (
    Running
    | NotDone
    | FileKept
    | Bug
    | ScansWaiting
    | CartsSuspended
    | Relabelled
    | DiscountsLost
    | ExchangeRefused
)
"""Notices that come without an act of the cashier; they replace no other unread notice."""


class NoticeList:
    def __init__(self) -> None:
        self.unread: tuple[SaleNotice, ...] = ()

    def add(self, notice: SaleNotice) -> None:
        """Put a notice on top of those that stay."""
        kept = [one for one in self.unread if _stays(one, under=notice)]
        self.unread = (*kept[-MOST_NOTICES:], notice)

    def drop_newest(self) -> None:
        self.unread = self.unread[:-1]

    def remove(self, notice: SaleNotice) -> bool:
        """Remove a notice that is no longer true; tell whether it was there."""
        return self._set_unread(one for one in self.unread if one != notice)

    def exchange(self, notice: SaleNotice, now: SaleNotice) -> bool:
        """Show more in place of a notice; tell whether it was there."""
        return self._set_unread(now if one == notice else one for one in self.unread)

    def remove_notice_of_code(self, code: str) -> bool:
        """Remove the notice that a code is unknown; tell whether there was one."""
        return self._set_unread(
            one for one in self.unread if not (isinstance(one, NoSuchCode) and one.code == code)
        )

    def offer_to_create(self, may_create: bool) -> bool:
        """Offer to create the article of an unknown code, if the person may; tell whether there
        was such a code."""
        return self._set_unread(
            replace(one, may_create=may_create and one.why is None)
            if isinstance(one, NoSuchCode) and not isinstance(one, NotAdded)
            else one
            for one in self.unread
        )

    def remove_scans_waiting(self) -> bool:
        """Remove the notice that scans wait for a file; tell whether there was one."""
        return self._set_unread(one for one in self.unread if not isinstance(one, ScansWaiting))

    def remove_act_notice(self) -> bool:
        """Remove the results of the last act, since the next one follows, and what tells of the
        cart before; tell whether there were any."""
        return self._set_unread(
            one for one in self.unread if not isinstance(one, _LOOKED_AT) and not tells_of_cart(one)
        )

    def remove_of_cart(self, *, is_ended: bool, missed: Missed) -> bool:
        """Remove what tells of the cart before it changed; tell whether there was anything.
        is_ended: another cart is open now, so that all goes that was told of that one, but for the
        codes that this one misses."""
        codes = {one.code for one in missed}
        return self._set_unread(
            one
            for one in self.unread
            if (isinstance(one, NoSuchCode) and one.code in codes)
            or not (tells_of_cart(one) or (is_ended and _is_of_one_cart(one)))
        )

    def remove_discounts_lost(self) -> bool:
        """Remove the notices that a discount went, since another one is given; tell whether there
        were any."""
        return self._set_unread(one for one in self.unread if not isinstance(one, DiscountsLost))

    def update_sale(self, sale: Sale) -> bool:
        """Bring an unread notice of a sale up to date; tell whether there was one."""
        return self._set_unread(
            LastNotice(sale) if isinstance(one, LastNotice) and one.sale.key == sale.key else one
            for one in self.unread
        )

    def clear(self) -> None:
        """Drop the notices of a sale that is over. A notice about changed labels stays, because it
        may have come with the sale's last key."""
        self._set_unread(one for one in self.unread if isinstance(one, Relabelled))

    def _set_unread(self, notices: Iterable[SaleNotice]) -> bool:
        before, self.unread = self.unread, tuple(notices)
        return self.unread != before


def _stays(notice: SaleNotice, *, under: SaleNotice) -> bool:
    """Whether an unread notice stays when another comes. A notice of the cashier's next act
    replaces the notice of the last act. A notice that came without an act replaces only an older
    notice about the same thing."""
    if notice == under:
        return False
    is_counted = isinstance(notice, ScansWaiting | CartsSuspended | CodesMissed)
    if is_counted and type(notice) is type(under):
        return False
    if isinstance(notice, NotDone) and isinstance(under, NotDone) and notice.action == under.action:
        return False
    if isinstance(under, _COMES_BY_ITSELF) or _gives_back(notice):
        return True
    return isinstance(
        notice,
        NoSuchCode
        | Running
        | ScansWaiting
        | CartsSuspended
        | CartPutAside
        | TypedNotTaken
        | DiscountsLost,
    )


JUST_MS = 3_000
"""A notice that came within this time before a question may not have been read."""


class RecentNotices:
    """The notices that came while a question is open, or just before. The question covers the area
    of notices, so it shows them itself."""

    def __init__(self) -> None:
        self._came: list[tuple[int, SaleNotice]] = []

    def note(self, notice: SaleNotice, *, at: int) -> None:
        """Note a notice, except for waiting scans, which the question shows separately. at: a
        tick."""
        if not isinstance(notice, ScansWaiting):
            self._came.append((at, notice))

    def forget_read(self, *, at: int) -> None:
        """Forget older notices when the first question opens, because the cashier saw them."""
        self._came = [(then, one) for then, one in self._came if at - then <= JUST_MS]

    def of(self, unread: tuple[SaleNotice, ...]) -> tuple[SaleNotice, ...]:
        """Return the unread notices that the question shows."""
        self._came = [(then, one) for then, one in self._came if one in unread]
        return tuple(one for _, one in self._came)
