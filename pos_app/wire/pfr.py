"""The JSON of the fiscal processor's protocol v3, to and from the domain.

Source: fiscal.md 1. Only a few members of an answer are guaranteed; enums go out as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from itertools import islice
from types import MappingProxyType
from typing import Any

from pydantic import Field

from pos_app.characters import one_line
from pos_app.domain.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.instant import from_text
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.processor import PfrFault, PfrStatus
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.tax import TaxRates
from pos_app.errors import Invalid
from pos_app.wire.bounds import Rate, counter_at_end, moment
from pos_app.wire.reading import Shape, at, read
from pos_app.wire.strict_json import dumps

_UID = re.compile(r"[0-9A-Za-z]{8}")
_MOST_FAULTS = 50
_LONGEST_PROPERTY = 60
INVOICE_TYPES: Mapping[InvoiceType, int] = {
    InvoiceType.NORMAL: 0,
    InvoiceType.PROFORMA: 1,
    InvoiceType.COPY: 2,
    InvoiceType.TRAINING: 3,
    InvoiceType.ADVANCE: 4,
}
TRANSACTION_TYPES: Mapping[TransactionType, int] = {
    TransactionType.SALE: 0,
    TransactionType.REFUND: 1,
}
PAYMENT_TYPES: Mapping[PaymentMethod, int] = {
    PaymentMethod.OTHER: 0,
    PaymentMethod.CASH: 1,
    PaymentMethod.CARD: 2,
    PaymentMethod.CHECK: 3,
    PaymentMethod.WIRE_TRANSFER: 4,
    PaymentMethod.VOUCHER: 5,
    PaymentMethod.MOBILE_MONEY: 6,
}


def invoice_request_to_json(
    document: FiscalDocument, *, labels: Mapping[str, str] = MappingProxyType({})
) -> bytes:
    """The body of POST invoices. The processor is asked to draw no QR: we draw our own.

    labels: our tax label -> the processor's, where it spells them otherwise.
    """
    members: dict[str, Any] = {
        "dateAndTimeOfIssue": _iso(document.pos_time),
        "cashier": document.cashier,
        "buyerId": document.buyer,
        "buyerCostCenterId": document.cost_centre,
        "invoiceType": INVOICE_TYPES[document.invoice_type],
        "transactionType": TRANSACTION_TYPES[document.transaction_type],
        "payment": [
            {"amount": amount.amount, "paymentType": PAYMENT_TYPES[method]}
            for method, amount in document.payments
        ],
        "invoiceNumber": document.esir_number,
        "referentDocumentNumber": document.referent_number,
        "referentDocumentDT": _iso(document.referent_time),
        "options": {"omitQRCodeGen": "1", "omitTextualRepresentation": "0"},
        "items": [_line_to_json(line, labels) for line in document.lines],
    }
    return dumps({name: value for name, value in members.items() if value is not None})


def _line_to_json(line: FiscalLine, labels: Mapping[str, str]) -> dict[str, Any]:
    members: dict[str, Any] = {
        "gtin": line.gtin,
        "name": line.name,
        "quantity": line.quantity.amount,
        "labels": [labels.get(line.label.value, line.label.value)],
        "unitPrice": line.unit_price.amount,
        "totalAmount": line.total.amount,
    }
    return {name: value for name, value in members.items() if value is not None}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment(text)


# --- answers -----------------------------------------------------------------------------


class _Rate(Shape):
    rate: Rate
    label: str


class _Category(Shape):
    tax_rates: list[_Rate] = Field(default_factory=list)


class _RateGroup(Shape):
    valid_from: str
    tax_categories: list[_Category] = Field(default_factory=list)


class _Status(Shape):
    sdc_date_time: str | None = None
    uid: str | None = None
    current_tax_rates: _RateGroup | None = None
    all_tax_rates: list[_RateGroup] = Field(default_factory=list)
    is_pin_required: bool | None = None
    last_invoice_number: str | None = None
    gsc: list[str] = Field(default_factory=list)
    mssc: list[str] = Field(default_factory=list)


def status_from_json(
    document: object, *, labels: Mapping[str, str] = MappingProxyType({})
) -> PfrStatus:
    """Raises Invalid when the answer has not the shape of a status.

    labels: our tax label -> the processor's, where it spells them otherwise; rates are told under
    ours.
    """
    status = read(_Status, document)
    number = status.last_invoice_number
    current, groups = status.current_tax_rates, status.all_tax_rates
    if current and all(current.valid_from != group.valid_from for group in groups):
        groups = [*groups, current]
    return PfrStatus(
        uid=None if status.uid is None else _uid_of(status.uid),
        clock=_moment(status.sdc_date_time),
        total_counter=None if number is None else _counter_of(number),
        pin_required=bool(status.is_pin_required),
        codes=(*status.gsc, *status.mssc),
        rates=tuple(_rates(group, labels) for group in groups),
    )


def _counter_of(number: str) -> int:
    """ABCD1234-ABCD1234-8653 -> 8653; an empty number is a processor that has signed nothing."""
    if not number.strip():
        return 0
    counter = at("lastInvoiceNumber", counter_at_end, number.strip())
    if counter is None:
        raise Invalid('"lastInvoiceNumber" must end with a counter', field="lastInvoiceNumber")
    return counter


def _uid_of(text: str) -> str | None:
    if not text.strip():
        return None
    if not _UID.fullmatch(text.strip()):
        raise Invalid('"uid" must have 8 letters or digits', field="uid")
    return text.strip().upper()


def _rates(group: _RateGroup, labels: Mapping[str, str]) -> TaxRates:
    percent: dict[str, Decimal] = {
        rate.label: rate.rate for category in group.tax_categories for rate in category.tax_rates
    }
    ours = {label: percent[theirs] for label, theirs in labels.items() if theirs in percent}
    own = {label: rate for label, rate in percent.items() if label not in labels}
    return TaxRates(from_text(group.valid_from), {**own, **ours})


def faults_from_json(document: object) -> tuple[PfrFault, ...]:
    """The codes of a refusal: a modelState, or a bare code as text or number; () when neither."""
    if isinstance(document, Mapping):
        state = document.get("modelState")
        return tuple(islice(_faults(state), _MOST_FAULTS)) if isinstance(state, list) else ()
    text = str(document).strip() if isinstance(document, str | int) else ""
    return (PfrFault(text),) if _is_code(text) else ()


def _faults(state: list[Any]) -> Iterator[PfrFault]:
    for entry in state:
        if isinstance(entry, Mapping) and isinstance(entry.get("errors"), list):
            for code in entry["errors"]:
                if _is_code(str(code)):
                    about = str(entry.get("property") or "")
                    yield PfrFault(str(code), one_line(about, longest=_LONGEST_PROPERTY))


def _is_code(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()
