"""Reads the QR code of a fiscal receipt, offline.

Source: fiscal.md 4 (the table of offsets). The checksum proves that the code was read right. Only
the tax administration knows whether the code is genuine.
"""

from __future__ import annotations

import binascii
import re
import struct
from base64 import b64decode
from collections.abc import Collection
from dataclasses import field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import md5
from urllib.parse import unquote

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_number import FiscalNumber
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.text.instant import as_utc
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

VERSION = 3
INVOICE_TYPES = (
    InvoiceType.NORMAL,
    InvoiceType.PROFORMA,
    InvoiceType.COPY,
    InvoiceType.TRAINING,
    InvoiceType.ADVANCE,
)
"""Invoice types by their numbers in the protocol (fiscal.md 1)."""
TRANSACTION_TYPES = (TransactionType.SALE, TransactionType.REFUND)

_ADDRESS = re.compile(r"https?://([A-Za-z0-9.:\-]+)/v/?\?vl=([A-Za-z0-9+/=% ]+)", re.IGNORECASE)
_UIDS = struct.Struct("<x8s8s")
_COUNTERS_AND_TOTAL = struct.Struct("<IIQ")
_MOMENT_AND_TYPES = struct.Struct(">QBBB")
_HEAD = 44
_SIGNATURE = 256
_CHECKSUM = 16
_INTERNAL = (256, 512)
"""Real processors write the encrypted internal data in either length; the total length decides."""
_LONGEST_BUYER = 20
_PADDING = "\0 "
"""Some processors pad the buyer to twenty characters."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Verification:
    """The content of a verification URL.

    total: positive also on a refund. moment: the processor's time, UTC, to the millisecond.
    buyer_id: as printed, without a processor's padding of NULs and blanks, "" without a buyer;
    `repr()` never shows it, because it may be a JMBG.
    """

    host: str
    requested_by: str
    signed_by: str
    total_counter: int
    type_counter: int
    total: Money
    moment: datetime
    invoice_type: InvoiceType
    transaction_type: TransactionType
    buyer_id: str = field(repr=False)
    encrypted_internal_data: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    @property
    def number(self) -> FiscalNumber:
        return FiscalNumber(self.requested_by, self.signed_by, self.total_counter)


def looks_like_verification(text: str) -> bool:
    return re.match(r"https?://[^/\s]+/v/?\?vl=", text, re.IGNORECASE) is not None


def decode(url: str, *, hosts: Collection[str] | None = None) -> Verification:
    """Read a verification URL, of one of `hosts` or of any.

    Its base64 may be percent-encoded in either case of hex, plain, or with blanks for "+", which a
    form leaves.

    Raises Invalid (kind: address, host, base64, length, checksum, version, content).
    """
    found = _ADDRESS.fullmatch(url.strip())
    if found is None:
        raise Invalid("address.verification")
    host = found[1].lower()
    if hosts is not None and host not in hosts:
        raise Invalid("host", host=host)
    payload = _payload(unquote(found[2]).replace(" ", "+"))
    _check_frame(payload)
    return _read(host, payload)


def _payload(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid("base64") from error


def _check_frame(payload: bytes) -> None:
    """Check the length first, because the last bytes of a cut code are no checksum."""
    if len(payload) < _HEAD or _internal_length(payload) not in _INTERNAL:
        raise Invalid("length.verification", given=len(payload))
    if md5(payload[:-_CHECKSUM], usedforsecurity=False).digest() != payload[-_CHECKSUM:]:
        raise Invalid("checksum")
    if payload[0] != VERSION:
        raise Invalid("version", given=payload[0], version=VERSION)


def _internal_length(payload: bytes) -> int:
    return len(payload) - _HEAD - payload[_HEAD - 1] - _SIGNATURE - _CHECKSUM


def _read(host: str, payload: bytes) -> Verification:
    requested_by, signed_by = (_ascii(uid) for uid in _UIDS.unpack_from(payload))
    total_counter, type_counter, total = _COUNTERS_AND_TOTAL.unpack_from(payload, 17)
    milliseconds, invoice, transaction, length = _MOMENT_AND_TYPES.unpack_from(payload, 33)
    sealed = _HEAD + length
    signed = sealed + _internal_length(payload)
    if length > _LONGEST_BUYER or invoice >= len(INVOICE_TYPES) or transaction > 1:
        raise _wrong_content()
    _check_number(requested_by, signed_by, total_counter)
    return Verification(
        host=host,
        requested_by=requested_by,
        signed_by=signed_by,
        total_counter=total_counter,
        type_counter=type_counter,
        total=_amount(total),
        moment=_moment(milliseconds),
        invoice_type=INVOICE_TYPES[invoice],
        transaction_type=TRANSACTION_TYPES[transaction],
        buyer_id=_ascii(payload[_HEAD:sealed]).strip(_PADDING),
        encrypted_internal_data=payload[sealed:signed],
        signature=payload[signed : signed + _SIGNATURE],
    )


def _check_number(requested_by: str, signed_by: str, total_counter: int) -> None:
    try:
        FiscalNumber(requested_by, signed_by, total_counter)
    except Invalid as error:
        raise _wrong_content() from error


def _ascii(field_bytes: bytes) -> str:
    try:
        return field_bytes.decode("ascii")
    except UnicodeDecodeError as error:
        raise _wrong_content() from error


def _amount(ten_thousandths: int) -> Money:
    try:
        return Money(Decimal(ten_thousandths).scaleb(-4))
    except Invalid as error:
        raise _wrong_content() from error


def _moment(milliseconds: int) -> datetime:
    try:
        return as_utc(_EPOCH + timedelta(milliseconds=milliseconds))
    except (OverflowError, Invalid) as error:
        raise _wrong_content() from error


def _wrong_content() -> Invalid:
    return Invalid("content")
