"""Every printed document is a list of blocks; each renderer draws all kinds of them.

A renderer (PDF, thermal raster, A4) knows blocks only, never receipts. Text in blocks is ready to
be drawn: 40 columns of one width, printable characters only, already in the right script.
Sources: fiscal.md 3 (40 columns) and 4 (QR: 40–50 mm, quiet zone of 4 modules), 6.15 (IPS).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, assert_never

from pos_app.documents.bar_codes import BarCode, bar_code
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

COLUMNS = 40
"""The width of a journal, and of all text printed with it."""
NOTICE_COLUMNS = 20
"""The columns of a notice: its letters are as wide as two of the journal's."""

_FIGURES = re.compile(r" +[-\d.,]+( +[-\d.,]+)+")


@dataclass(frozen=True, slots=True)
class Lines:
    """Monospaced lines of at most 40 columns. signed: they are the processor's journal."""

    text: tuple[str, ...]
    signed: bool = False

    def __post_init__(self) -> None:
        _check(self.text, COLUMNS)

    @property
    def kept_with_next(self) -> frozenset[int]:
        """The numbers of the lines that a page break never separates from the line below. A line of
        figures stays with the name above it, also if the name fills several lines."""
        kept: set[int] = set()
        for number in reversed(range(len(self.text) - 1)):
            text_line = self.text[number]
            is_part_of_name = len(text_line) == COLUMNS and any(map(str.isalpha, text_line))
            if _FIGURES.fullmatch(self.text[number + 1]) or (
                is_part_of_name and number + 1 in kept
            ):
                kept.add(number)
        return frozenset(kept)


@dataclass(frozen=True, slots=True)
class Heading:
    """The shop's header, lines of at most 40 columns, centred by the renderer."""

    text: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.text, COLUMNS)


@dataclass(frozen=True, slots=True)
class QrCode:
    """The receipt's code, centred. The block after it stays on the same page. side_mm: the code
    without its quiet zone, 40 to 50. quiet_modules: white around it."""

    text: str
    side_mm: int = 45
    quiet_modules: int = 4

    def __post_init__(self) -> None:
        if not 40 <= self.side_mm <= 50 or self.quiet_modules < 4:
            raise ValueError("a code is 40 to 50 mm wide, with 4 modules of white around it")


@dataclass(frozen=True, slots=True)
class PaymentCode:
    """A QR code to pay by, framed and with a caption, so it is not mistaken for the receipt's.

    caption: lines of at most 40 columns, centred by the renderer. side_mm: the code without its
    quiet zone.
    """

    text: str
    caption: tuple[str, ...]
    side_mm: int = 32
    quiet_modules: int = 4

    def __post_init__(self) -> None:
        _check(self.caption, COLUMNS)


@dataclass(frozen=True, slots=True)
class ShortCode:
    """A small Code 128 below an empty line, for scanners that read no QR code. figures: printed
    under the bars, for a person to type. height_mm: the height of the bars."""

    text: str
    figures: str
    height_mm: int = 8

    def __post_init__(self) -> None:
        _check((self.figures,), COLUMNS)

    @property
    def bars(self) -> BarCode:
        return bar_code(self.text)


SHORT_CODE_QUIET = 10
"""The modules of white that Code 128 needs on either side."""


@dataclass(frozen=True, slots=True)
class FramedNotice:
    """Framed text in large letters, lines of at most 20 columns, centred by the renderer."""

    text: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.text, NOTICE_COLUMNS)


@dataclass(frozen=True, slots=True)
class WritingSpace:
    """White paper to write on by hand, in mm."""

    height_mm: int


Block = Lines | Heading | QrCode | PaymentCode | ShortCode | FramedNotice | WritingSpace


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A printed document, from top to bottom.

    title: the receipt's number. moment: the instant on it, UTC. language: a BCP 47 tag.
    on_each_page: at the top of each page after the first. page_word: "Страна" in its script.
    """

    title: str
    moment: datetime
    language: str
    blocks: tuple[Block, ...]
    on_each_page: tuple[FramedNotice, ...] = ()
    page_word: str = "Страна"

    @property
    def letters(self) -> frozenset[str]:
        drawn = set(self.page_line(1234567890, 1) + self.title)
        for block in (*self.blocks, *self.on_each_page):
            match block:
                case PaymentCode():
                    drawn.update(*block.caption)
                case Lines() | Heading() | FramedNotice():
                    drawn.update(*block.text)
                case ShortCode():
                    drawn.update(block.figures)
                case QrCode() | WritingSpace():
                    continue
        return frozenset(drawn)

    @property
    def has_strong_letters(self) -> bool:
        strong = (FramedNotice, Heading, PaymentCode)
        return any(isinstance(block, strong) for block in (*self.blocks, *self.on_each_page))

    def as_members(self) -> dict[str, Any]:
        return plain(self)

    @classmethod
    def from_members(cls, members: Mapping[str, Any]) -> Document:
        """Raises Invalid."""
        return document_of(members)

    def page_line(self, page: int, pages: int) -> str:
        return f"{self.page_word} {page}/{pages}".rjust(COLUMNS)


def _check(text_lines: tuple[str, ...], columns: int) -> None:
    for text_line in text_lines:
        if len(text_line) > columns or not text_line.isprintable():
            raise ValueError(f"not a line of at most {columns} printable characters: {text_line!r}")


# --- as plain JSON members, and back: for the journal, for requests, for a receipt on the screen --


MOST_BLOCKS = 500
MOST_LINES = 5000
"""The most lines in all blocks: some 20 m of paper."""
HIGHEST_SPACE_MM = 100
LONGEST_CODE = 2000


def plain(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "moment": document.moment.isoformat(),
        "language": document.language,
        "blocks": [_plain_block(block) for block in document.blocks],
    }


def document_of(members: Mapping[str, Any]) -> Document:
    """The document that `plain` turned into members. Raises Invalid naming the member."""
    blocks = members.get("blocks")
    if not isinstance(blocks, list) or not 1 <= len(blocks) <= MOST_BLOCKS:
        raise Invalid("blocks", field="blocks", most_blocks=MOST_BLOCKS)
    read = tuple(_block(block, f"blocks[{index}]") for index, block in enumerate(blocks))
    lines = sum(
        len(block.text) for block in read if isinstance(block, Lines | Heading | FramedNotice)
    )
    if lines > MOST_LINES:
        raise Invalid("block_lines", field="blocks", most_lines=MOST_LINES)
    return Document(
        title=_text(members, "title"),
        moment=from_text(_text(members, "moment")),
        language=_text(members, "language"),
        blocks=read,
    )


def check_own(document: Document) -> None:
    """Raise Invalid for a paper of the till's own with a block that only receipts have: a payment
    code, a short code, or room to sign."""
    for index, block in enumerate(document.blocks):
        if isinstance(block, PaymentCode | ShortCode | WritingSpace):
            path = f"blocks[{index}]"
            raise Invalid("block_kind", field=f"{path}.kind", path=path)


def _plain_block(block: Block) -> dict[str, Any]:
    match block:
        case Lines():
            return {"kind": "lines", "text": list(block.text)}
        case Heading():
            return {"kind": "heading", "text": list(block.text)}
        case FramedNotice():
            return {"kind": "notice", "text": list(block.text)}
        case QrCode():
            return {"kind": "qr", "text": block.text}
        case PaymentCode():
            return {"kind": "payment", "text": block.text, "caption": list(block.caption)}
        case ShortCode():
            return {"kind": "short", "text": block.text, "figures": block.figures}
        case WritingSpace():
            return {"kind": "space", "height": block.height_mm}
        case _:
            assert_never(block)


def _block(members: object, path: str) -> Block:
    if not isinstance(members, Mapping):
        raise Invalid("object", field=path)
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
                return FramedNotice(_lines(text, path))
            case "payment" if isinstance(text, str):
                return PaymentCode(text, _lines(members.get("caption"), path))
            case "short" if isinstance(text, str):
                return ShortCode(text, _text(members, "figures"))
            case "space" if isinstance(height := members.get("height"), int):
                return WritingSpace(min(max(height, 0), HIGHEST_SPACE_MM))
    except ValueError as error:
        raise Invalid("block_wrong", field=f"{path}.text", path=path, why=error) from error
    raise Invalid("block_kind", field=f"{path}.kind", path=path)


def _lines(text: object, path: str) -> tuple[str, ...]:
    if not isinstance(text, Sequence) or isinstance(text, str):
        raise Invalid("block_array", field=f"{path}.text", path=path)
    if not all(isinstance(line, str) for line in text):
        raise Invalid("block_strings", field=f"{path}.text", path=path)
    return tuple(text)


def _text(members: Mapping[str, Any], name: str) -> str:
    text = members.get(name)
    if not isinstance(text, str) or not text or len(text) > 200 or not text.isprintable():
        raise Invalid("block_text", field=name)
    return text
