"""The JSON of the fiscal processor's protocol v3, to and from the domain.

Source: fiscal.md 1. Only a few members of an answer are guaranteed; enums go out as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field

from pos_app.characters import one_line
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxRates, says_not_in_vat
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.setup.processor import PfrFault, PfrStatus
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.bounds import Rate, counter_at_end, moment
from pos_app.wire.number import number_in_text
from pos_app.wire.reading import Shape, at, read
from pos_app.wire.strict_json import dumps

T = TypeVar("T")
_YES_OR_NO = {"true": True, "1": True, "false": False, "0": False}
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
    """The body of POST invoices. The processor is asked to draw no QR: we draw our own. labels: our
    tax label -> the processor's, where the spelling differs."""
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


# --- answers -----------------------------------------------------------------------------


class _Rate(Shape):
    rate: Annotated[Rate, BeforeValidator(number_in_text)]
    label: str


class _Category(Shape):
    name: Any = None
    tax_rates: list[_Rate] = Field(default_factory=list)


class _RateGroup(Shape):
    valid_from: str
    tax_categories: list[_Category] = Field(default_factory=list)


class _Status(Shape):
    """uid and last_invoice_number decide whether anything may be sent. The other members are read
    one by one, so that an unreadable one does not stop the shop from selling."""

    uid: str | int | None = None
    last_invoice_number: str | int | None = None
    sdc_date_time: Any = None
    is_pin_required: Any = None
    audit_required: Any = None
    gsc: Any = None
    mssc: Any = None


_RATES = ("currentTaxRates", "allTaxRates")
"""Members of a status that change some times in a year, and are most of its length."""


class _Leniently:
    """Reads one member after the other. unread: the unreadable ones."""

    def __init__(self) -> None:
        self.unread: dict[str, None] = {}

    def of(self, name: str, build: Callable[[Any], T], value: Any) -> T | None:
        if value is None:
            return None
        try:
            return build(value)
        except Invalid:
            self.unread[name] = None
            return None

    def each(self, name: str, build: Callable[[Any], T], values: Any) -> tuple[T, ...]:
        """The readable values of a list, or of a single value."""
        listed = values if isinstance(values, list) else [values]
        found = (self.of(name, build, value) for value in listed)
        return tuple(one for one in found if one is not None)


@dataclass(frozen=True, slots=True)
class _LastRates:
    """The members of the rates as last read, and their result."""

    members: tuple[Any, Any]
    rates: tuple[TaxRates, ...]
    unread: Mapping[str, None]


class StatusReader:
    """Reads the statuses of one processor, one before each receipt: rates equal to the last ones
    are not read again. labels: our tax label -> the processor's, where the spelling differs; rates
    are returned under ours."""

    def __init__(self, *, labels: Mapping[str, str] = MappingProxyType({})) -> None:
        self._labels = labels
        self._known: _LastRates | None = None

    def read(self, document: object) -> PfrStatus:
        """Read a status. Raises Invalid when the answer has not the shape of a status, or has an
        unreadable element or counter. Other unreadable members are named in `unread`."""
        plain: object = document
        values: tuple[Any, Any] = (None, None)
        if isinstance(document, Mapping):
            plain = {name: value for name, value in document.items() if name not in _RATES}
            values = (document.get(_RATES[0]), document.get(_RATES[1]))
        status, leniently = read(_Status, plain), _Leniently()
        number = status.last_invoice_number
        clock = leniently.of("sdcDateTime", _clock, status.sdc_date_time)
        pin = leniently.of("isPinRequired", _yes_or_no, status.is_pin_required)
        codes = (
            *leniently.each("gsc", _code, status.gsc),
            *leniently.each("mssc", _code, status.mssc),
        )
        rates = self._rates(values)
        leniently.unread.update(rates.unread)
        audit = leniently.of("auditRequired", _yes_or_no, status.audit_required)
        return PfrStatus(
            uid=None if status.uid is None else _uid_of(status.uid),
            clock=clock,
            total_counter=None if number is None else _counter_of(str(number)),
            pin_required=bool(pin),
            codes=codes,
            rates=rates.rates,
            audit_required=audit,
            unread=tuple(leniently.unread),
        )

    def _rates(self, values: tuple[Any, Any]) -> _LastRates:
        known = self._known
        if known is None or known.members != values:
            leniently = _Leniently()
            current, groups = values
            rates = _all_rates(current, groups, leniently, self._labels)
            known = self._known = _LastRates(values, rates, leniently.unread)
        return known


def _all_rates(
    value: Any, given_groups: Any, leniently: _Leniently, labels: Mapping[str, str]
) -> tuple[TaxRates, ...]:
    """Read all groups of rates. If a group is unreadable, read only the current one, because an
    older readable group would be taken for the current one."""
    build = partial(_rates, labels=labels)
    current = leniently.of(_RATES[0], build, value)
    groups = leniently.each(_RATES[1], build, given_groups)
    if _RATES[1] in leniently.unread:
        groups = ()
    if current and all(current.valid_from != group.valid_from for group in groups):
        return (*groups, current)
    return groups


def _counter_of(number: str) -> int:
    """ABCD1234-ABCD1234-8653 -> 8653; an empty number means that the processor has signed
    nothing."""
    if not number.strip():
        return 0
    counter = at("lastInvoiceNumber", counter_at_end, number.strip())
    if counter is None:
        raise Invalid("ends_with_counter", field="lastInvoiceNumber")
    return counter


def _uid_of(uid: str | int) -> str | None:
    text = f"{uid:08d}" if isinstance(uid, int) else uid.strip()
    if not text:
        return None
    if not _UID.fullmatch(text):
        raise Invalid("uid", field="uid")
    return text.upper()


def _clock(value: Any) -> datetime:
    if not isinstance(value, str):
        raise Invalid("a_moment")
    return moment(value)


def _yes_or_no(value: Any) -> bool:
    found = _YES_OR_NO.get(str(value).strip().lower())
    if found is None:
        raise Invalid("true_or_false")
    return found


def _code(value: Any) -> str:
    """A code of four digits, also from a number, which has lost its zeros."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Invalid("a_code")
    text = str(value).strip()
    code = text.zfill(4) if text.isascii() and text.isdecimal() else text
    if not _is_code(code):
        raise Invalid("a_code")
    return code


def _rates(value: Any, labels: Mapping[str, str]) -> TaxRates:
    group = read(_RateGroup, value)
    percent: dict[str, Decimal] = {
        rate.label: rate.rate for category in group.tax_categories for rate in category.tax_rates
    }
    ours = {label: percent[theirs] for label, theirs in labels.items() if theirs in percent}
    own = {label: rate for label, rate in percent.items() if label not in labels}
    spelled = {theirs: label for label, theirs in labels.items()}
    outside_vat = tuple(
        spelled.get(rate.label, rate.label)
        for category in group.tax_categories
        if isinstance(category.name, str) and says_not_in_vat(category.name)
        for rate in category.tax_rates
        if rate.label in spelled or rate.label not in labels
    )
    return TaxRates(from_text(group.valid_from), {**own, **ours}, outside_vat)


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
