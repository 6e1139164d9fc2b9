"""The screens of the till: the table that the frame opens them by, and the places in them.

A further screen is a row here and the module that it names.
"""

from __future__ import annotations

from datetime import date
from enum import Enum, auto

from pos_app.cashier.frame import APPROVAL, HOME, LOCK, ScreenEntry
from pos_app.cashier.services import TillServices
from pos_app.domain.barcodes import CodeOfReceipt, ReceiptCode
from pos_app.domain.foreign_receipt import ForeignReceipt
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.receipt_list import EVERYTHING, ReceiptQuery
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act

ATTENTION, CATALOGUE, SETTINGS, FIRST_START = "attention", "catalogue", "settings", "first_start"
RECEIPTS, REFUND, CORRECTION, ADVANCES = "receipts", "refund", "correction", "advances"
EXCHANGE, SHIFT, REPORTS = "exchange", "shift", "reports"


@dataclass(frozen=True, slots=True)
class CasePlace:
    """One thing that waits, in Attention; where it is over, what waits first."""

    case_id: str


@dataclass(frozen=True, slots=True)
class ReceiptPlace:
    """One receipt. reference: its fiscal number, how that ends, or its id. by_scan: its code was
    scanned.

    foreign: what its code says, for where the journal has no such receipt.
    """

    reference: str
    by_scan: bool = False
    foreign: ForeignReceipt | None = None


@dataclass(frozen=True, slots=True)
class ReceiptsOfPlace:
    """The receipts of some days, narrowed down in the list. narrowed: to what a line of a report is
    made of, without its days; told: that, in words."""

    first: date
    last: date
    payment: PaymentMethod | None = None
    narrowed: ReceiptQuery = EVERYTHING
    told: str = ""


@dataclass(frozen=True, slots=True)
class RefundPlace:
    """What is left of a receipt, to be refunded. back_to: the screen that Esc leads to.

    foreign: the receipt is not in the journal: a manager refunds it by hand, by what its code says.
    closes: it is an advance of another system, to be closed by hand.
    """

    reference: str
    back_to: str = RECEIPTS
    foreign: ForeignReceipt | None = None
    closes: bool = False


@dataclass(frozen=True, slots=True)
class CorrectionPlace:
    """A receipt to be corrected, or whose correction is to be gone on with."""

    reference: str


@dataclass(frozen=True, slots=True)
class ExchangePlace:
    """An exchange that is frozen. key: of its sale. is_waited_for: it was just confirmed, and
    whoever did it waits for what the hand moves."""

    key: str
    is_waited_for: bool = False


def scanned_place(code: CodeOfReceipt) -> ReceiptPlace:
    """Where a receipt is whose code was scanned."""
    foreign = ForeignReceipt.of(code.verification) if isinstance(code, ReceiptCode) else None
    return ReceiptPlace(code.reference, by_scan=True, foreign=foreign)


class CataloguePlace(Enum):
    """A page of the catalogue."""

    UNDECIDED = auto()
    """What was changed here and on the platform."""


class SettingsPlace(Enum):
    """Where in the settings somebody is led."""

    STORE = auto()
    PLATFORM = auto()
    CARD_PIN = auto()
    """The PIN of the processor's card alone, which needs no manager."""


def _is_set_up_first(services: TillServices) -> bool:
    control = services.first_start
    return control is not None and control.read().is_wanted


SCREENS = (
    ScreenEntry(HOME, "pos_app.cashier.sale_screen"),
    ScreenEntry(ATTENTION, "pos_app.cashier.attention.view", icon="bell", counts=True),
    ScreenEntry(RECEIPTS, "pos_app.cashier.receipts.view", icon="receipt-text", key="F7"),
    ScreenEntry(ADVANCES, "pos_app.cashier.advances.view", icon="hand-coins", key="F8"),
    ScreenEntry(SHIFT, "pos_app.cashier.shift.view", icon="calculator", key="Ctrl+D"),
    ScreenEntry(CATALOGUE, "pos_app.cashier.catalogue.view", icon="tag", act=Act.CATALOGUE),
    ScreenEntry(REPORTS, "pos_app.cashier.reports.view", icon="chart-column", act=Act.REPORTS),
    ScreenEntry(SETTINGS, "pos_app.cashier.settings.view", icon="settings", act=Act.SETTINGS),
    ScreenEntry(REFUND, "pos_app.cashier.refund.view"),
    ScreenEntry(CORRECTION, "pos_app.cashier.correction.view"),
    ScreenEntry(EXCHANGE, "pos_app.cashier.exchange.view"),
    ScreenEntry(LOCK, "pos_app.cashier.sign_in.view"),
    ScreenEntry(APPROVAL, "pos_app.cashier.sign_in.approval"),
    ScreenEntry(FIRST_START, "pos_app.cashier.first_start.view", is_due=_is_set_up_first),
)
"""In the order of the menu."""
