"""The screens of the till: the table that the frame opens them by, and the places in them.

A further screen is a row here and the module that it names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from pos_app.cashier.frame import HOME, ScreenEntry
from pos_app.cashier.services import TillServices

ATTENTION, CATALOGUE, SETTINGS, FIRST_START = "attention", "catalogue", "settings", "first_start"
RECEIPTS, REFUND, CORRECTION, ADVANCES = "receipts", "refund", "correction", "advances"


@dataclass(frozen=True, slots=True)
class CasePlace:
    """One thing that waits, in Attention; where it is over, what waits first."""

    case_id: str


@dataclass(frozen=True, slots=True)
class ReceiptPlace:
    """One receipt. reference: its fiscal number, or its id. by_scan: its code was scanned."""

    reference: str
    by_scan: bool = False


@dataclass(frozen=True, slots=True)
class RefundPlace:
    """What is left of a receipt, to be refunded. back_to: the screen that Esc leads to."""

    reference: str
    back_to: str = RECEIPTS


@dataclass(frozen=True, slots=True)
class CorrectionPlace:
    """A receipt to be corrected, or whose correction is to be gone on with."""

    reference: str


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
    ScreenEntry(CORRECTION, "pos_app.cashier.correction.view"),
    ScreenEntry(CATALOGUE, "pos_app.cashier.catalogue.view", icon="tag", managers=True),
    ScreenEntry(SETTINGS, "pos_app.cashier.settings.view", icon="settings", managers=True),
    ScreenEntry(FIRST_START, "pos_app.cashier.first_start.view", is_due=_is_set_up_first),
)
"""In the order of the menu."""
