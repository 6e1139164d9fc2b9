"""A signed receipt: what the processor answered. Source: fiscal.md 1 (InvoiceResult)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class TaxItem:
    """Tax of one label; amount has 4 decimals and is positive on a refund too."""

    category_type: int
    category_name: str
    label: str
    rate: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True)
class SignedReceipt:
    """The processor's answer. Only the members without a default are guaranteed. sdc_time_text:
    `sdc_time` as the processor wrote it, with its offset."""

    sdc_time: datetime
    sdc_time_text: str
    invoice_counter: str
    invoice_number: str
    signed_by: str
    encrypted_internal_data: str
    requested_by: str | None = None
    signature: str | None = None
    invoice_counter_extension: str | None = None
    tax_items: tuple[TaxItem, ...] | None = None
    verification_url: str | None = None
    journal: str | None = None
    messages: str | None = None
    total_counter: int | None = None
    transaction_type_counter: int | None = None
    total_amount: Money | None = None
    tax_group_revision: int | None = None
    business_name: str | None = None
    tin: str | None = None
    location_name: str | None = None
    address: str | None = None
    district: str | None = None
    mrc: str | None = None


# --- warnings beside it ------------------------------------------------------------------------
# The receipt is valid, but something was not done as asked. Source: platform-contract.md 2.24.


class WarningCode(StrEnum):
    """A warning's code for programs; it never changes its meaning."""

    UNKNOWN_MEMBER = "unknown_member"
    EMAIL_NOT_SENT = "email_not_sent"
    PDF_NOT_MADE = "pdf_not_made"
    GLYPH = "glyph"


@dataclass(frozen=True, slots=True)
class ReceiptWarning:
    """message: text for a person. field: path of the member, "items[0].sku"."""

    code: WarningCode
    message: str
    field: str


Warnings = tuple[ReceiptWarning, ...]
