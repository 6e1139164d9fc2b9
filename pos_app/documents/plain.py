"""A finished document as plain JSON members, and back: for the journal and for requests.

Receipts are never sent so: they are laid out from what was signed. A payment code is printed on
receipts only, so it has no plain form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from pos_app.documents.blocks import (
    Block,
    Document,
    Heading,
    Lines,
    Notice,
    PaymentCode,
    QrCode,
)
from pos_app.domain.instant import from_text
from pos_app.errors import Invalid

MOST_BLOCKS = 500
MOST_LINES = 5000
"""In all blocks: some 20 m of paper."""
LONGEST_CODE = 2000
"""Characters in a QR code."""


def plain(document: Document) -> dict[str, Any]:
    """Raises Invalid for a payment code."""
    return {
        "title": document.title,
        "moment": document.moment.isoformat(),
        "language": document.language,
        "blocks": [_plain_block(block) for block in document.blocks],
    }


def document_of(members: Mapping[str, Any]) -> Document:
    """The document of what `plain` returned. Raises Invalid naming the member."""
    blocks = members.get("blocks")
    if not isinstance(blocks, list) or not 1 <= len(blocks) <= MOST_BLOCKS:
        raise Invalid(f'"blocks" must be an array of 1 to {MOST_BLOCKS}', field="blocks")
    read = tuple(_block(block, f"blocks[{place}]") for place, block in enumerate(blocks))
    lines = sum(len(block.text) for block in read if not isinstance(block, QrCode | PaymentCode))
    if lines > MOST_LINES:
        raise Invalid(f'"blocks" may have {MOST_LINES} lines in all', field="blocks")
    return Document(
        title=_text(members, "title"),
        moment=from_text(_text(members, "moment")),
        language=_text(members, "language"),
        blocks=read,
    )


def _plain_block(block: Block) -> dict[str, Any]:
    match block:
        case Lines() | Heading() | Notice():
            return {"kind": type(block).__name__.lower(), "text": list(block.text)}
        case QrCode():
            return {"kind": "qr", "text": block.text}
        case PaymentCode():
            raise Invalid("a code to pay by stands on receipts alone", field="blocks")
        case _:
            assert_never(block)


def _block(members: object, path: str) -> Block:
    if not isinstance(members, Mapping):
        raise Invalid(f'"{path}" must be of type object', field=path)
    kind, text = members.get("kind"), members.get("text")
    try:
        match kind:
            case "qr" if isinstance(text, str) and 0 < len(text) <= LONGEST_CODE:
                return QrCode(text)
            case "lines":
                return Lines(_lines(text, path))
            case "heading":
                return Heading(_lines(text, path))
            case "notice":
                return Notice(_lines(text, path))
    except ValueError as error:
        raise Invalid(f'"{path}.text" is {error}', field=f"{path}.text") from error
    message = f'"{path}.kind" must be one of [lines, heading, notice, qr], with its text'
    raise Invalid(message, field=f"{path}.kind")


def _lines(text: object, path: str) -> tuple[str, ...]:
    if not isinstance(text, Sequence) or isinstance(text, str):
        raise Invalid(f'"{path}.text" must be an array', field=f"{path}.text")
    if not all(isinstance(line, str) for line in text):
        raise Invalid(f'"{path}.text" must hold strings', field=f"{path}.text")
    return tuple(text)


def _text(members: Mapping[str, Any], name: str) -> str:
    text = members.get(name)
    if not isinstance(text, str) or not text or len(text) > 200 or not text.isprintable():
        raise Invalid(f'"{name}" must be a text of 1 to 200 characters', field=name)
    return text
