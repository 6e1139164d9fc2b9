"""The table of the till's screens, by which the frame opens them, and the places at which they can
be opened.

docs/recipes.md says how a screen is added.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from enum import Enum, auto

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window import frame
from pos_app.cashier.window.frame import Busy
from pos_app.domain.article.barcodes import CodeOfReceipt, ReceiptCode
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_list import EVERYTHING, ReceiptQuery
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act

ATTENTION, CATALOGUE, SETTINGS, FIRST_START = "attention", "catalogue", "settings", "first_start"
RECEIPTS, REFUND, CORRECTION, ADVANCES = "receipts", "refund", "correction", "advances"
EXCHANGE, SHIFT, REPORTS = "exchange", "shift", "reports"


@dataclass(frozen=True, slots=True)
class CasePlace:
    """A case in Attention, by its id or by the key of its sale; if it is over, the first open case,
    which has to be chosen before anything acts on it."""

    case_id: str


@dataclass(frozen=True, slots=True)
class ReceiptPlace:
    """One receipt. reference: its fiscal number, the end of that number, or its id. by_scan: its
    code was scanned. foreign: the content of its code, in case the journal has no such receipt.
    back_to: the screen that Esc leads to, else the sale. is_back: somebody comes back from an act
    on a receipt, so that list and Esc are as they were."""

    reference: str
    by_scan: bool = False
    foreign: ForeignReceipt | None = None
    back_to: str = ""
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class ReceiptsOfPlace:
    """The receipts of some days, narrowed down in the list. narrowed: the receipts of a report's
    line, without its days; words: that line in words of a language."""

    first: date
    last: date
    payment: PaymentMethod | None = None
    narrowed: ReceiptQuery = EVERYTHING
    words: Callable[[Texts], str] | None = None


@dataclass(frozen=True, slots=True)
class RefundPlace:
    """A receipt whose rest is to be refunded. back_to: the screen that Esc leads to. foreign: the
    content of the code of a receipt that is not in the journal and that a manager refunds by hand.
    closes: it is an advance of another system, to be closed by hand."""

    reference: str
    back_to: str = RECEIPTS
    foreign: ForeignReceipt | None = None
    closes: bool = False


@dataclass(frozen=True, slots=True)
class CorrectionPlace:
    """A receipt whose correction is to be begun or continued."""

    reference: str


@dataclass(frozen=True, slots=True)
class ExchangePlace:
    """A frozen exchange. key: of its sale. is_waited_for: it was confirmed just now, and the
    cashier waits for the sum to hand over."""

    key: str
    is_waited_for: bool = False


def scanned_place(code: CodeOfReceipt) -> ReceiptPlace:
    foreign = ForeignReceipt.of(code.verification) if isinstance(code, ReceiptCode) else None
    return ReceiptPlace(code.reference, by_scan=True, foreign=foreign)


class CataloguePlace(Enum):
    UNDECIDED = auto()
    NAMES = auto()
    """The page of units and categories."""
    LABELS = auto()
    """The labels of the prices that change tomorrow."""


class SettingsPlace(Enum):
    STORE = auto()
    PLATFORM = auto()
    CARD_PIN = auto()
    """The PIN of the processor's card, which needs no manager."""


def _is_set_up_first(services: TillServices) -> bool:
    control = services.first_start
    return control is not None and control.read().is_wanted


SCREENS = (
    frame.ScreenEntry(frame.HOME, "pos_app.cashier.sale.sale_screen"),
    frame.ScreenEntry(ATTENTION, "pos_app.cashier.attention.view", icon="bell", counts=True),
    frame.ScreenEntry(RECEIPTS, "pos_app.cashier.receipts.view", icon="receipt-text", key="F7"),
    frame.ScreenEntry(ADVANCES, "pos_app.cashier.advances.view", icon="hand-coins", key="F8"),
    frame.ScreenEntry(SHIFT, "pos_app.cashier.shift.view", icon="calculator", key="Ctrl+D"),
    frame.ScreenEntry(CATALOGUE, "pos_app.cashier.catalogue.view", icon="tag", act=Act.CATALOGUE),
    frame.ScreenEntry(
        REPORTS, "pos_app.cashier.reports.view", icon="chart-column", act=Act.REPORTS
    ),
    frame.ScreenEntry(SETTINGS, "pos_app.cashier.settings.view", icon="settings", act=Act.SETTINGS),
    frame.ScreenEntry(REFUND, "pos_app.cashier.refund.view"),
    frame.ScreenEntry(CORRECTION, "pos_app.cashier.correction.view"),
    frame.ScreenEntry(EXCHANGE, "pos_app.cashier.exchange.view"),
    frame.ScreenEntry(frame.LOCK, "pos_app.cashier.sign_in.view"),
    frame.ScreenEntry(frame.APPROVAL, "pos_app.cashier.sign_in.approval"),
    frame.ScreenEntry(frame.CLOSING, "pos_app.cashier.closing.view"),
    frame.ScreenEntry(FIRST_START, "pos_app.cashier.first_start.view", is_due=_is_set_up_first),
)
"""The screens in the order of the menu."""


def carry_on_changes(till: frame.Frame) -> None:
    """Carry on the change of many articles that the end of the last till cut, or let Attention tell
    of one of which nothing, or all, was made by then."""
    if not till.top.isVisible():  # the window is closed again
        return
    try:
        if Busy.ACT not in till.busy_with:
            till.services.editor.settle_begun()
        act = till.services.catalogue.facts().bulk_act
    except MachineError:  # Attention tells of it
        return
    if act is not None:
        till.room(CATALOGUE).carry_on()
