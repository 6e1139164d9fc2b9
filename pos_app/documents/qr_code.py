"""The modules of a QR code, for paper, pictures and screens, made by segno.

Byte mode, error correction L and mask 2, as fiscal receipts have them: a mask of its own choice
would cost segno four times as much, some 40 ms. Sources: fiscal.md 4; ISO/IEC 18004.
"""

from __future__ import annotations

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

LONGEST = 2953
"""The bytes that the largest code holds."""

_DIGITS = bytes.maketrans(b"\x00\x01", b"01")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A code without a quiet zone: `side` rows of `side` bytes, b"1" where it is black."""

    side: int
    modules: bytes


def code(text: str) -> Symbol:
    """The smallest code of a text. Raises Invalid for no text (kind: empty) and for more than 2,953
    bytes (kind: length)."""
    content = text.encode()
    if not content:
        raise Invalid("empty.qr")
    if len(content) > LONGEST:
        raise Invalid("length.qr")
    import segno  # noqa: PLC0415 - a till that shows no code never loads it

    made = segno.make_qr(content, error="l", mode="byte", mask=2, boost_error=False)
    return Symbol(len(made.matrix), b"".join(made.matrix).translate(_DIGITS))
