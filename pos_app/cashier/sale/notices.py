"""The notices of the sale, and which of them stay unread when another one comes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import CodeOfReceipt, ReceiptCode, WhyUnknown
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.receipt.request import ReceiptKind
from pos_app.errors import PosError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.ticket import DocumentKind

MOST_NOTICES = 9


@dataclass(frozen=True, slots=True)
class NoSuchCode:
    """Nothing is sold under a code. why is None for a well-formed code that no article has."""

    code: str
    why: WhyUnknown | None
    may_create: bool
    open_price: tuple[Article, ...] = ()


@dataclass(frozen=True, slots=True)
class PriceNotice:
    """The answer to "Цена?": nothing was added. price is None for an article whose price is typed.
    total: the total of a packed piece."""

    article: Article
    price: Money | None
    total: Money | None = None


@dataclass(frozen=True, slots=True)
class Voided:
    """ "Сторно" was carried out. quantity, total: what was taken off, before discounts. left: the
    quantity of the article still in the cart."""

    article: Article
    quantity: Quantity
    total: Money
    left: Quantity | None


@dataclass(frozen=True, slots=True)
class SaleDropped:
    """The cart was ended without a sale. total: its sum."""

    total: Money


@dataclass(frozen=True, slots=True)
class NoneInCart:
    """ "Сторно" found no such article in the cart, or less of it than the code puts on. asked: how
    much that is, or the total of its label. there: what the cart holds, or None for nothing."""

    article: Article
    asked: Quantity | Money | None = None
    there: Quantity | None = None


@dataclass(frozen=True, slots=True)
class ReceiptRead:
    """The code of a receipt was scanned. answer: what the server knows of the receipt, or why it
    does not answer; it is None while the server is asked. copying: the next press issues a copy."""

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


@dataclass(frozen=True, slots=True)
class LastNotice:
    """The last receipt was pressed; the notice says what is known of it."""

    sale: Sale


@dataclass(frozen=True, slots=True)
class ActFailed:
    """An act failed. adding: the act was to put an article into the cart."""

    error: PosError
    adding: bool = False


@dataclass(frozen=True, slots=True)
class Bug:
    """The program erred: the log has the error, and work goes on. name: the error's class.
    is_opening: a screen could not be opened."""

    name: str
    is_opening: bool = False


ServerActName = Literal["receipt", "drawer", "drawer_of_sale"]
"""Acts asked of the server beside sales."""
DocumentName = Literal["receipt", "proforma"]
"""Documents that can be opened; a proforma is no receipt."""


@dataclass(frozen=True, slots=True)
class Running:
    """An act asked of the server is not done yet."""

    action: ServerActName
    document: DocumentName = "receipt"


@dataclass(frozen=True, slots=True)
class NotDone:
    """An act asked of the server did not succeed, or may not have succeeded."""

    action: ServerActName
    error: RemoteError
    document: DocumentName = "receipt"


@dataclass(frozen=True, slots=True)
class FileKept:
    """No program was found to open a file with."""

    file: Path
    document: DocumentName = "receipt"


@dataclass(frozen=True, slots=True)
class ScansWaiting:
    """Scans can't be entered yet, because another program holds a file of ours."""

    count: int


@dataclass(frozen=True, slots=True)
class CartsSuspended:
    """Carts came from a copy that was put back, and may have been paid already."""

    count: int


@dataclass(frozen=True, slots=True)
class NotSoldAgain:
    """The catalogue no longer has some items of a receipt; the others are in the cart."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExchangeLeft:
    """No goods come back after all; the cart goes on as a plain sale."""


@dataclass(frozen=True, slots=True)
class ExchangeRefused:
    """No receipt of an exchange was issued, and its cart is open again. number: of the receipt
    whose goods come back. reason: the server's reason. left: the part of that receipt that remains,
    None if unknown."""

    number: str
    reason: str
    left: Money | None


@dataclass(frozen=True, slots=True)
class GoodsCredited:
    """The refund of an exchange is signed and its sale is not. The refunded amount was not paid
    out, and counts as received for the cart."""

    money: ExchangeMoney


@dataclass(frozen=True, slots=True)
class CodesMissed:
    """The sale is about to be paid without its missed codes."""

    count: int


@dataclass(frozen=True, slots=True)
class TypedNotTaken:
    """The search held digits, money or an article, when another cart came; or a number was typed
    for a row that is gone by now. name: the article of that row, or ""."""

    typed: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class TrainingEnded:
    """The cart that was left for training was about to be confirmed."""


@dataclass(frozen=True, slots=True)
class Relabelled:
    """Articles in the cart have another tax label by now, which the cart has taken over. articles:
    name, label before, label now."""

    articles: tuple[tuple[str, TaxLabel, TaxLabel], ...]


SaleNotice = (
    Bug
    | NoSuchCode
    | PriceNotice
    | Voided
    | SaleDropped
    | NoneInCart
    | ReceiptRead
    | LastNotice
    | ActFailed
    | Running
    | NotDone
    | FileKept
    | ScansWaiting
    | CartsSuspended
    | CodesMissed
    | TypedNotTaken
    | TrainingEnded
    | Relabelled
    | NotSoldAgain
    | ExchangeLeft
    | ExchangeRefused
    | GoodsCredited
)


def document_of(sale: Sale) -> DocumentName:
    """Return the kind of document that the customer gets."""
    return "proforma" if sale.kind is DocumentKind.PROFORMA else "receipt"


ACT_NOTICES = PriceNotice | Voided | SaleDropped | ReceiptRead
"""Results of the cashier's last act; they are of no use once the next act is done."""

_COMES_BY_ITSELF = (
    Running
    | NotDone
    | FileKept
    | Bug
    | ScansWaiting
    | CartsSuspended
    | Relabelled
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
        return self._keep(one for one in self.unread if one != notice)

    def exchange(self, notice: SaleNotice, now: SaleNotice) -> bool:
        """Show more in place of a notice; tell whether it was there."""
        return self._keep(now if one == notice else one for one in self.unread)

    def remove_notice_of_code(self, code: str) -> bool:
        """Remove the notice that a code is unknown; tell whether there was one."""
        return self._keep(
            one for one in self.unread if not (isinstance(one, NoSuchCode) and one.code == code)
        )

    def remove_scans_waiting(self) -> bool:
        """Remove the notice that scans wait for a file; tell whether there was one."""
        return self._keep(one for one in self.unread if not isinstance(one, ScansWaiting))

    def remove_act_notice(self) -> bool:
        """Remove the results of the last act, since the next one follows; tell whether there were
        any."""
        return self._keep(one for one in self.unread if not isinstance(one, ACT_NOTICES))

    def update_sale(self, sale: Sale) -> bool:
        """Bring an unread notice of a sale up to date; tell whether there was one."""
        return self._keep(
            LastNotice(sale) if isinstance(one, LastNotice) and one.sale.key == sale.key else one
            for one in self.unread
        )

    def clear(self) -> None:
        """Drop the notices of a sale that is over. A notice about changed labels stays, because it
        may have come with the sale's last key."""
        self._keep(one for one in self.unread if isinstance(one, Relabelled))

    def _keep(self, notices: Iterable[SaleNotice]) -> bool:
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
    if isinstance(under, _COMES_BY_ITSELF):
        return True
    return isinstance(notice, NoSuchCode | Running | ScansWaiting | CartsSuspended | TypedNotTaken)


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
