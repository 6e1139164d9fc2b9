"""A receipt that a caller asks for, as the till stores it and the server receives it.

Source: platform-api.md (issue request), platform-contract.md 2.13 (article, totalAmount).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NamedTuple

from pos_app.characters import has_controls, is_blank
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.units import known_unit, unit_word
from pos_app.lazy_dataclass import dataclass

MOST_ITEMS = 500
"""The most lines of a receipt (exactly-once.md, "The open local server", 5)."""
LONGEST_ADDITIONAL_TEXT = 4000
LONGEST_NAME = 2000
LONGEST_UNIT = 40
"""The name of a fiscal item contains unit and tax label: at most 2048 characters (fiscal.md 1)."""
LONGEST_CASHIER = 50
"""The most characters of a cashier's name that a processor takes (fiscal.md 1)."""
LARGEST_SKU = 10**16 - 1
"""The largest article code that a receipt can name (platform-contract.md 2.1)."""


def cashier_fault(name: str) -> Literal["", "blank", "signs", "long"]:
    """The reason why a cashier's name can't stand on a receipt, or "". Blanks around it do not
    count."""
    if has_controls(name):
        return "signs"
    if len(name.strip()) > LONGEST_CASHIER:
        return "long"
    return "blank" if is_blank(name) else ""


def free_text_fault(text: str) -> Literal["", "length", "signs"]:
    """The reason why a text of several lines can't stand below a receipt, or "". It may have line
    breaks and tabs, and no other control character."""
    if len(text) > LONGEST_ADDITIONAL_TEXT:
        return "length"
    in_line = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    return "signs" if has_controls(in_line) else ""


def is_sku(number: int | Decimal) -> bool:
    """Whether a receipt can name an article by this code."""
    return 1 <= number <= LARGEST_SKU


class InvoiceType(StrEnum):
    """Kinds of documents a processor signs; an issue request never asks for a copy."""

    NORMAL = "normal"
    ADVANCE = "advance"
    PROFORMA = "proforma"
    TRAINING = "training"
    COPY = "copy"

    @property
    def is_fiscal(self) -> bool:
        """Whether it is turnover: Промет and Аванс are, all others are not (fiscal.md 6.1)."""
        return self in (InvoiceType.NORMAL, InvoiceType.ADVANCE)


class TransactionType(StrEnum):
    SALE = "sale"
    REFUND = "refund"


class ReceiptKind(NamedTuple):
    """The kind of a receipt: a normal sale, the refund of an advance, the copy of a refund."""

    invoice_type: InvoiceType
    transaction_type: TransactionType


@dataclass(frozen=True, slots=True)
class FrozenArticle:
    """The printed and taxed data of an article, as they were when the line was entered. `unit` may
    be "". Name and unit are one line each, of LONGEST_NAME and LONGEST_UNIT characters at most."""

    name: str
    label: TaxLabel
    unit: str = ""
    gtin: str | None = None

    @property
    def printed_name(self) -> str:
        """The name with the unit, as a fiscal item has it (fiscal.md 6.9)."""
        return printed_name(self.name, self.unit)


def printed_name(name: str, unit: str) -> str:
    return f"{name}/{unit}" if unit else name


def name_and_unit(printed: str) -> tuple[str, str]:
    """Split a `FrozenArticle.printed_name`; the unit is "" where there is none.

    A fiscal item has no member for its unit, and a name may contain slashes. One word after the
    last slash is taken for a unit if it is one that shops use. Another word may be a part of the
    name, so it stays there, as it stands on the paper.

    | printed         | name           | unit    |
    | Jabuke/kg       | Jabuke         | kg      |
    | Laminat/m²      | Laminat        | m²      |
    | Ćevapi/porcija  | Ćevapi         | porcija |
    | Sok 1/2/kom.    | Sok 1/2        | kom.    |
    | Sok 1/2         | Sok 1/2        |         |
    | Kafa/čaj        | Kafa/čaj       |         |
    | Kafa/čaj 200 g  | Kafa/čaj 200 g |         |
    """
    name, _, unit = printed.rpartition("/")
    is_unit = unit[:1].isalpha() and " " not in unit and known_unit(unit) is not None
    return (name, unit) if name.strip() and is_unit else (printed, "")


def article_key(sku: int | None, gtin: str | None, printed: str) -> str:
    """The identity of an article in reports: its code, else its EAN and printed name.

    The unit stays in it, in one spelling: what looks like a unit may tell two articles apart.

    | printed                  | key                      |
    | Sir/kg, Sir/кг.          | Sir/kg, of both          |
    | Majica/M, Majica/L       | Majica/m, Majica/l       |
    | Sok/jabuka, Sok/višnja   | Sok/jabuka, Sok/višnja   |
    """
    name, unit = name_and_unit(printed)
    return str(sku or "") or f"{gtin or ''} {printed_name(name, unit_word(unit))}".lstrip()


@dataclass(frozen=True, slots=True)
class PlatformArticle:
    """An article as the platform sells it now."""

    id: str
    frozen: FrozenArticle


@dataclass(frozen=True, slots=True)
class RequestedItem:
    """One line. Without `article` the catalogue is searched for `sku`, once, on acceptance. total:
    the line's final gross, discounts included, or None where it is computed."""

    quantity: Quantity
    unit_price: UnitPrice
    sku: int | None = None
    article: FrozenArticle | None = None
    total: Money | None = None


@dataclass(frozen=True, slots=True)
class ReceiptDelivery:
    """email: an address."""

    thermal: bool = False
    a4: bool = False
    email: str | None = None
    pdf: bool = False
    base64_pdf: bool = False

    @property
    def kept_here(self) -> ReceiptDelivery:
        """The delivery of receipts that the shop signs and keeps (fiscal.md 6.4): on its paper,
        else as a file."""
        has_paper = self.thermal or self.a4
        return ReceiptDelivery(thermal=self.thermal, a4=self.a4, pdf=not has_paper)


@dataclass(frozen=True, slots=True)
class IssueRequest:
    """Instants are UTC."""

    invoice_type: InvoiceType
    transaction_type: TransactionType
    items: tuple[RequestedItem, ...]
    payments: Payments
    delivery: ReceiptDelivery
    buyer: BuyerId | None = None
    cost_centre: CostCentre | None = None
    referent_number: str | None = None
    referent_time: datetime | None = None
    pos_time: datetime | None = None
    unknown_amount_advance: bool = False
    advance_specification: Mapping[TaxLabel, Money] = field(default_factory=dict)
    discount: Percent | None = None
    additional_text: str = ""
    total: Money | None = None

    @property
    def kind(self) -> ReceiptKind:
        return ReceiptKind(self.invoice_type, self.transaction_type)
