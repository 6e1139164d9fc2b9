"""What the sale asks the cashier, and what it tells him: values, shown by the views.

A question stands in the place of the picker until it is answered or put away with Esc. Where
`waits` is true a scan waits visibly and is entered after it; a mere list or menu closes and the
scan counts at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

from pos_app.domain.article import Article
from pos_app.domain.barcodes import WhyUnknown
from pos_app.domain.money import Money, Quantity
from pos_app.domain.verification import Verification
from pos_app.errors import PosError, RemoteError
from pos_app.selling.sale import Sale
from pos_app.selling.unusual_amounts import Unusual

# --- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WeightQuestion:
    """Sold by weight, and nothing was weighed."""

    waits: ClassVar[bool] = True
    article: Article
    unknown_code: str = ""


@dataclass(frozen=True, slots=True)
class PriceQuestion:
    """The price of this article is typed. quantity: what was typed before it.

    unknown_code: the code that it is sold for, where the catalogue has no article for that.
    """

    waits: ClassVar[bool] = True
    article: Article
    quantity: Quantity | None = None
    unknown_code: str = ""


@dataclass(frozen=True, slots=True)
class VariantQuestion:
    """Several articles have the code, or the product has variants; or one of open price is sold
    for an unknown code.
    """

    waits: ClassVar[bool] = True
    articles: tuple[Article, ...]
    unknown_code: str = ""


@dataclass(frozen=True, slots=True)
class NextQuantity:
    """The quantity for the next item."""

    waits: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class LineQuantity:
    """F3: how much of a line. typed: what was typed before the key."""

    waits: ClassVar[bool] = True
    line_id: int
    typed: str = ""


@dataclass(frozen=True, slots=True)
class LinePrice:
    """F4: price or discount of a line."""

    waits: ClassVar[bool] = True
    line_id: int
    typed: str = ""


@dataclass(frozen=True, slots=True)
class UnusualAmountQuestion:
    """A typed number is far above the usual. agreed: does what was meant.

    before: the question that it answered, which is asked anew to correct it.
    """

    waits: ClassVar[bool] = True
    unusual: Unusual
    agreed: Callable[[], None] = field(repr=False)
    before: Question | None = None


@dataclass(frozen=True, slots=True)
class VoidQuestion:
    """Dropping the sale needs a reason."""

    waits: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class NewArticle:
    """A manager adds what the catalogue lacks. code: what was scanned, may be ""."""

    waits: ClassVar[bool] = True
    code: str = ""


@dataclass(frozen=True, slots=True)
class SuspendedCarts:
    """The carts set aside."""

    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class RemovedLines:
    """The lines that can be put back."""

    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class More:
    """F9: what has no key of its own."""

    waits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class KeysOfScreen:
    """F1: the keys of this screen."""

    waits: ClassVar[bool] = False


Question = (
    WeightQuestion
    | PriceQuestion
    | VariantQuestion
    | NextQuantity
    | LineQuantity
    | LinePrice
    | UnusualAmountQuestion
    | VoidQuestion
    | NewArticle
    | SuspendedCarts
    | RemovedLines
    | More
    | KeysOfScreen
)

# --- notices -------------------------------------------------------------------------------------


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
    """The QR code of a receipt was scanned."""

    verification: Verification


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


@dataclass(frozen=True, slots=True)
class NotYet:
    """A key was pressed whose screen this version does not have. cap: as it stands on it."""

    cap: str


ServerActName = Literal["receipt", "drawer", "drawer_of_sale"]
"""What the server is asked for beside sales."""


@dataclass(frozen=True, slots=True)
class Running:
    """Something that the server was asked for takes longer."""

    what: ServerActName


@dataclass(frozen=True, slots=True)
class NotDone:
    """What the server was asked for did not succeed, or it is not known whether it did."""

    what: ServerActName
    error: RemoteError


@dataclass(frozen=True, slots=True)
class FileKept:
    """A file that nothing could be found to open with."""

    file: Path


@dataclass(frozen=True, slots=True)
class ScansWaiting:
    """Scans that can't be entered yet, because another program holds a file of ours."""

    count: int


@dataclass(frozen=True, slots=True)
class CartsSetAside:
    """Carts that came out of a copy that was put back: they may have been paid already."""

    count: int


@dataclass(frozen=True, slots=True)
class CodesMissed:
    """Codes of this sale that came to nothing; it is about to be paid without them."""

    count: int


Notice = (
    Bug
    | NoSuchCode
    | PriceTold
    | OneVoided
    | SaleDropped
    | NoneInCart
    | ReceiptRead
    | LastTold
    | ActFailed
    | NotYet
    | Running
    | NotDone
    | FileKept
    | ScansWaiting
    | CartsSetAside
    | CodesMissed
)

ACT_TOLD = PriceTold | OneVoided | SaleDropped
"""What the cashier's last act brought: of no use once the next is done."""
