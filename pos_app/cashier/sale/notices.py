"""What the sale tells the cashier, and which notices stay unread when another one comes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pos_app.domain.article import Article
from pos_app.domain.barcodes import CodeOfReceipt, ReceiptCode, WhyUnknown
from pos_app.domain.foreign_receipt import ForeignReceipt
from pos_app.domain.money import Money, Quantity
from pos_app.domain.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.domain.request import ReceiptKind
from pos_app.domain.tax import TaxLabel
from pos_app.errors import PosError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.ticket import DocumentKind

MOST_NOTICES = 9


@dataclass(frozen=True, slots=True)
class NoSuchCode:
    """Nothing is sold under a code. why: None where the code is sound but nobody's."""

    code: str
    why: WhyUnknown | None
    may_create: bool
    open_price: tuple[Article, ...] = ()


@dataclass(frozen=True, slots=True)
class PriceTold:
    """ "Цена?": nothing was added. price: None where it is typed; total: of a packed piece."""

    article: Article
    price: Money | None
    total: Money | None = None


@dataclass(frozen=True, slots=True)
class OneVoided:
    """ "Сторно" was carried out. left: how much of the article the cart still has."""

    article: Article
    left: Quantity | None


@dataclass(frozen=True, slots=True)
class SaleDropped:
    """The cart was ended without a sale. total: what it came to."""

    total: Money


@dataclass(frozen=True, slots=True)
class NoneInCart:
    """ "Сторно" of an article that the cart does not have."""

    article: Article


@dataclass(frozen=True, slots=True)
class ReceiptRead:
    """The code of a receipt was scanned. told: what the server knows of it, or why it tells
    nothing; None while it is asked. copying: the next press issues a copy."""

    code: CodeOfReceipt
    told: ReceiptOverview | PosError | None = None
    copying: bool = False

    def allows(self, act: ReceiptAct) -> bool:
        """Whether it is known to be lawful."""
        return isinstance(self.told, ReceiptOverview) and self.told.why_not(act) is None

    @property
    def facts(self) -> ForeignReceipt | None:
        """What is known of it: by its code, else by the server."""
        if isinstance(self.code, ReceiptCode):
            return ForeignReceipt.of(self.code.verification)
        told = self.told
        if not isinstance(told, ReceiptOverview):
            return None
        kind = ReceiptKind(told.invoice_type, told.transaction_type)
        return ForeignReceipt(
            told.number, told.counter, told.total, told.time, kind, told.buyer or ""
        )


@dataclass(frozen=True, slots=True)
class LastTold:
    """What is known of the last receipt, which was pressed."""

    sale: Sale


@dataclass(frozen=True, slots=True)
class ActFailed:
    """An act that could not be done. adding: it was to put an article into the cart."""

    error: PosError
    adding: bool = False


@dataclass(frozen=True, slots=True)
class Bug:
    """The program erred: it is in the log, and work goes on. name: of the error's class."""

    name: str


ServerActName = Literal["receipt", "drawer", "drawer_of_sale"]
"""What the server is asked for beside sales."""
DocumentName = Literal["receipt", "proforma"]
"""What is opened to be seen: a proforma is no receipt."""


@dataclass(frozen=True, slots=True)
class Running:
    """Something that the server was asked for takes longer."""

    action: ServerActName
    document: DocumentName = "receipt"


@dataclass(frozen=True, slots=True)
class NotDone:
    """What the server was asked for did not succeed, or it is not known whether it did."""

    action: ServerActName
    error: RemoteError
    document: DocumentName = "receipt"


@dataclass(frozen=True, slots=True)
class FileKept:
    """A file that nothing could be found to open with."""

    file: Path
    document: DocumentName = "receipt"


@dataclass(frozen=True, slots=True)
class ScansWaiting:
    """Scans that can't be entered yet, because another program holds a file of ours."""

    count: int


@dataclass(frozen=True, slots=True)
class CartsSetAside:
    """Carts that came out of a copy that was put back: they may have been paid already."""

    count: int


@dataclass(frozen=True, slots=True)
class NotSoldAgain:
    """Items of a receipt that the catalogue does not have any more; the others are in the cart."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExchangeLeft:
    """No goods come back after all; what is in the cart stays a plain sale."""


@dataclass(frozen=True, slots=True)
class ExchangeRefused:
    """Nothing of an exchange was issued, and its cart is open again. number: of the receipt whose
    goods come back. reason: of the server. left: what of the receipt remains; None: not known."""

    number: str
    reason: str
    left: Money | None


@dataclass(frozen=True, slots=True)
class GoodsCredited:
    """The refund of an exchange is signed and its sale is not: what came back was not paid out, and
    stands as received for the cart."""

    money: ExchangeMoney


@dataclass(frozen=True, slots=True)
class CodesMissed:
    """Codes of this sale that came to nothing; it is about to be paid without them."""

    count: int


@dataclass(frozen=True, slots=True)
class NotTaken:
    """Digits that stood in the search when another cart came: money or an article."""

    typed: str


@dataclass(frozen=True, slots=True)
class TrainingEnded:
    """The cart of sales that training was begun over was about to be confirmed."""


@dataclass(frozen=True, slots=True)
class Relabelled:
    """Articles in the cart have another tax label by now, which the cart has taken: name, label
    before, label now."""

    articles: tuple[tuple[str, TaxLabel, TaxLabel], ...]


SaleNotice = (
    Bug
    | NoSuchCode
    | PriceTold
    | OneVoided
    | SaleDropped
    | NoneInCart
    | ReceiptRead
    | LastTold
    | ActFailed
    | Running
    | NotDone
    | FileKept
    | ScansWaiting
    | CartsSetAside
    | CodesMissed
    | NotTaken
    | TrainingEnded
    | Relabelled
    | NotSoldAgain
    | ExchangeLeft
    | ExchangeRefused
    | GoodsCredited
)


def document_of(sale: Sale) -> DocumentName:
    """What the customer is given for it."""
    return "proforma" if sale.kind is DocumentKind.PROFORMA else "receipt"


ACT_TOLD = PriceTold | OneVoided | SaleDropped | ReceiptRead
"""What the cashier's last act brought: of no use once the next is done."""

_COMES_BY_ITSELF = (
    Running | NotDone | FileKept | Bug | ScansWaiting | CartsSetAside | Relabelled | ExchangeRefused
)
"""Notices that no act of the cashier brought: they replace none that is unread."""


class NoticeList:
    """The notices that were not read yet, the newest last."""

    def __init__(self) -> None:
        self.unread: tuple[SaleNotice, ...] = ()

    def add(self, notice: SaleNotice) -> None:
        """Put it on top of those that stay."""
        kept = [one for one in self.unread if _stays(one, under=notice)]
        self.unread = (*kept[-MOST_NOTICES:], notice)

    def drop_newest(self) -> None:
        """The one on top was read."""
        self.unread = self.unread[:-1]

    def remove(self, notice: SaleNotice) -> bool:
        """Take one away that is no longer true; whether it was there."""
        return self._keep(one for one in self.unread if one != notice)

    def exchange(self, notice: SaleNotice, now: SaleNotice) -> bool:
        """Tell more in place of what is told; whether it was there."""
        return self._keep(now if one == notice else one for one in self.unread)

    def remove_told_of_code(self, code: str) -> bool:
        """Take away that a code is unknown; whether it was told."""
        return self._keep(
            one for one in self.unread if not (isinstance(one, NoSuchCode) and one.code == code)
        )

    def remove_scans_waiting(self) -> bool:
        """No scan waits for a file any more; whether that was told."""
        return self._keep(one for one in self.unread if not isinstance(one, ScansWaiting))

    def remove_act_told(self) -> bool:
        """The next act follows: take away what the last one brought; whether there was any."""
        return self._keep(one for one in self.unread if not isinstance(one, ACT_TOLD))

    def update_sale(self, sale: Sale) -> bool:
        """Bring an unread notice of a sale up to date; whether there was one."""
        return self._keep(
            LastTold(sale) if isinstance(one, LastTold) and one.sale.key == sale.key else one
            for one in self.unread
        )

    def clear(self) -> None:
        """The sale is over. What its last key found out about labels was not read yet."""
        self._keep(one for one in self.unread if isinstance(one, Relabelled))

    def _keep(self, notices: Iterable[SaleNotice]) -> bool:
        before, self.unread = self.unread, tuple(notices)
        return self.unread != before


def _stays(notice: SaleNotice, *, under: SaleNotice) -> bool:
    """Whether an unread notice stays when another comes.

    A notice of the cashier's next act replaces that of his last one. A notice that no act brought
    replaces only an older one of the same thing.
    """
    if notice == under:
        return False
    is_counted = isinstance(notice, ScansWaiting | CartsSetAside | CodesMissed)
    if is_counted and type(notice) is type(under):
        return False
    if isinstance(notice, NotDone) and isinstance(under, NotDone) and notice.action == under.action:
        return False
    if isinstance(under, _COMES_BY_ITSELF):
        return True
    return isinstance(notice, NoSuchCode | Running | ScansWaiting | CartsSetAside | NotTaken)


JUST_MS = 3_000
"""What was told so shortly before a question came may not have been read."""


class RecentNotices:
    """Notices that came while a question is open, or just before it: the question covers the place
    of notices, so it shows them itself."""

    def __init__(self) -> None:
        self._came: list[tuple[int, SaleNotice]] = []

    def note(self, notice: SaleNotice, *, at: int) -> None:
        """One came, at that tick. The question shows waiting scans in a line of their own."""
        if not isinstance(notice, ScansWaiting):
            self._came.append((at, notice))

    def forget_read(self, *, at: int) -> None:
        """The first question opens now: what came longer ago was seen beneath."""
        self._came = [(then, one) for then, one in self._came if at - then <= JUST_MS]

    def of(self, unread: tuple[SaleNotice, ...]) -> tuple[SaleNotice, ...]:
        """What the question says, of all that is not read."""
        self._came = [(then, one) for then, one in self._came if one in unread]
        return tuple(one for _, one in self._came)
