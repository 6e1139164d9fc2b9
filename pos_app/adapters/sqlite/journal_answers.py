"""A signed answer as the journal keeps it: what its address carries is kept once, as bytes.

The verification address carries the internal data and the signature too, in Base64 of another
alignment, which no compression sees; together they are most of a receipt. So the bytes of the
address follow the JSON, and those two members say where in them they begin, and how many.
What can't be written again as it was told stays in the JSON.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any
from urllib.parse import quote, unquote

from pos_app.adapters.sqlite.journal_packing import packed, unpacked
from pos_app.domain.receipt import SignedReceipt
from pos_app.wire.receipt import signed_receipt_from_json, signed_receipt_to_json
from pos_app.wire.strict_json import dumps, loads

_IN_ADDRESS = ("encryptedInternalData", "signature")
_ADDRESS = "verificationUrl"
_BEGINS = "?vl="
_END = b"\0"
"""Between the JSON, which escapes it, and the bytes."""


def answer_packed(receipt: SignedReceipt) -> bytes:
    """The answer without its absent members."""
    members = {
        name: value for name, value in signed_receipt_to_json(receipt).items() if value is not None
    }
    address, mark, told = members.get(_ADDRESS, "").partition(_BEGINS)
    sealed = _bytes_of(unquote(told))
    if not sealed or _written(sealed) != told:
        return packed(dumps(members))
    members[_ADDRESS] = address + mark
    for name in _IN_ADDRESS:
        plain = _bytes_of(members.get(name, ""))
        if plain and plain in sealed:
            members[name] = [sealed.index(plain), len(plain)]
    return packed(dumps(members) + _END, sealed)


def answer_of(content: bytes) -> SignedReceipt:
    """What `answer_packed` was given. Raises ValueError, Invalid, zlib.error for any other."""
    text, mark, sealed = unpacked(content).partition(_END)
    document: Any = loads(text)
    if mark:
        document[_ADDRESS] += _written(sealed)
        for name in _IN_ADDRESS:
            if isinstance(place := document.get(name), list):
                start, length = place
                document[name] = base64.b64encode(sealed[start : start + length]).decode()
    return signed_receipt_from_json(document)


def _written(sealed: bytes) -> str:
    return quote(base64.b64encode(sealed), safe="")


def _bytes_of(text: str) -> bytes:
    """What a text says in Base64; none where it is written otherwise than we write it."""
    try:
        plain = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return plain if base64.b64encode(plain).decode() == text else b""
