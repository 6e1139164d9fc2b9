"""Reads the headers of a receipt request; a wrong one raises InvalidPart naming it.

From callers other than the till only Idempotency-Key is read.
Source: platform-contract.md 2.8 (Idempotency-Key), 2.20 (X-Cashier).
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from starlette.datastructures import Headers

from pos_app.domain.receipt.receipt_identity import is_key, till_origin
from pos_app.domain.receipt.receipt_list import LOCAL_PROGRAM
from pos_app.domain.receipt.request import LONGEST_CASHIER, cashier_fault
from pos_app.http_front.errors import InvalidPart
from pos_app.local_api.access_middleware import AdmittedCaller

_TILL = re.compile(r"[0-9A-Za-z-]{1,64}")
PROVABLE = "provable"
_SEQUENCE = re.compile(r"[1-9][0-9]{0,17}")


def idempotency_key(headers: Headers) -> str | None:
    """Return the caller's key, or None when it sent none. Raises InvalidPart."""
    key = _at_most_once(headers, "Idempotency-Key")
    return None if key is None else checked_key(key, name="Idempotency-Key", source="headers")


def checked_key(key: str, *, name: str, source: str) -> str:
    """Check a key of 16 to 64 visible ASCII characters. Raises InvalidPart naming `name`."""
    if is_key(key):
        return key
    raise InvalidPart("key", field=name, source=source)


def origin_of(headers: Headers, admitted: AdmittedCaller, *, till_id: str) -> str:
    """Return the origin that a key belongs to: "till:ID" with the install token, else "local"."""
    if not admitted.is_till:
        return LOCAL_PROGRAM
    till = _at_most_once(headers, "X-Till")
    if till is not None and not _TILL.fullmatch(till):
        raise _fault("id", "X-Till")
    return till_origin(till or till_id)


def cashier_of(headers: Headers, admitted: AdmittedCaller, *, otherwise: str) -> str:
    """Return the cashier's name, else `otherwise`. The header is percent-encoded UTF-8."""
    encoded = _at_most_once(headers, "X-Cashier") if admitted.is_till else None
    if encoded is None:
        return otherwise
    try:
        name = unquote(encoded, errors="strict")
    except UnicodeDecodeError as error:
        raise _fault("percent_encoded", "X-Cashier") from error
    fault = cashier_fault(name)
    if not encoded.isascii() or fault == "signs":
        raise _fault("percent_encoded", "X-Cashier")
    if fault:
        raise _fault("name_length", "X-Cashier", longest=LONGEST_CASHIER)
    return name.strip()


def till_sequence_of(headers: Headers, admitted: AdmittedCaller) -> int | None:
    """Return the number that the till gave to this request, upward from 1."""
    sequence = _at_most_once(headers, "X-Till-Sequence") if admitted.is_till else None
    if sequence is None:
        return None
    if not _SEQUENCE.fullmatch(sequence):
        raise _fault("positive", "X-Till-Sequence")
    return int(sequence)


def epoch_of(headers: Headers, admitted: AdmittedCaller) -> str | None:
    """Return the last restore of the journal before the sale."""
    epoch = _at_most_once(headers, "X-Journal-Epoch") if admitted.is_till else None
    if epoch is not None and not _TILL.fullmatch(epoch):
        raise _fault("id", "X-Journal-Epoch")
    return epoch


def is_from_before_restore(headers: Headers, admitted: AdmittedCaller) -> bool:
    """Tell whether the till reports a sale that it tried before a restore."""
    return _header_of_till(headers, admitted, "X-Before-Restore", ("true", PROVABLE)) is not None


def is_provable(headers: Headers, admitted: AdmittedCaller) -> bool:
    """Tell whether the processor's "not found" proves that the reported sale has no receipt (see
    `Caller`)."""
    return _header_of_till(headers, admitted, "X-Before-Restore", ("true", PROVABLE)) == PROVABLE


def has_waited(headers: Headers, admitted: AdmittedCaller) -> bool:
    """Tell whether the sale was confirmed before the till's last start."""
    return _header_of_till(headers, admitted, "X-Has-Waited", ("true",)) is not None


def corrects_after(headers: Headers, admitted: AdmittedCaller) -> str | None:
    """Return the key of the refund whose lines a correction of the till sells once more."""
    key = _at_most_once(headers, "X-Corrects-After") if admitted.is_till else None
    return None if key is None else checked_key(key, name="X-Corrects-After", source="headers")


def needs_no_code(headers: Headers, admitted: AdmittedCaller) -> bool:
    """Tell whether the answer needs no picture of its QR code, because the till draws it itself."""
    return _header_of_till(headers, admitted, "X-Without-Code", ("true",)) is not None


def _header_of_till(
    headers: Headers, admitted: AdmittedCaller, name: str, values: tuple[str, ...]
) -> str | None:
    value = _at_most_once(headers, name) if admitted.is_till else None
    if value not in (None, *values):
        raise _fault("one_of", name, values=" or ".join(f'"{one}"' for one in values))
    return value


def _at_most_once(headers: Headers, name: str) -> str | None:
    values = headers.getlist(name)
    if len(values) > 1:
        raise _fault("once", name)
    return values[0] if values else None


def _fault(kind: str, name: str, **values: object) -> InvalidPart:
    return InvalidPart(kind, field=name, source="headers", **values)
