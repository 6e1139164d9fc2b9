"""Blocks, of which every printed document is a list; each renderer draws all kinds of them.

A renderer (PDF, thermal raster, A4) knows blocks only, never receipts. Text in blocks is ready to
be drawn: 40 columns of one width, printable characters only, already in the right script.
Sources: fiscal.md 3 (40 columns) and 4 (QR: 40–50 mm, quiet zone of 4 modules), 6.15 (IPS).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

COLUMNS = 40
"""Width of a journal, and of everything printed with it."""
NOTICE_COLUMNS = 20
"""Columns of a notice: its letters are as wide as two of the journal's."""

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
        """Numbers of the lines that a page break never separates from the line below.

        A line of figures stays with the name above it, also where that fills several lines.
        """
        kept: set[int] = set()
        for number in reversed(range(len(self.text) - 1)):
            line = self.text[number]
            is_part_of_name = len(line) == COLUMNS and any(map(str.isalpha, line))
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
    """The receipt's code, centred. What follows it stays on the same page.

    side_mm: the code without its quiet zone, 40 to 50. quiet_modules: white around it.
    """

    text: str
    side_mm: int = 45
    quiet_modules: int = 4

    def __post_init__(self) -> None:
        if not 40 <= self.side_mm <= 50 or self.quiet_modules < 4:
            raise ValueError("a code is 40 to 50 mm wide, with 4 modules of white around it")


@dataclass(frozen=True, slots=True)
class PaymentCode:
    """A QR code to pay by, framed and with a caption, so it is not mistaken for the receipt's.

    caption: lines of at most 40 columns, centred by the renderer. side_mm: without its quiet zone.
    """

    text: str
    caption: tuple[str, ...]
    side_mm: int = 32
    quiet_modules: int = 4

    def __post_init__(self) -> None:
        _check(self.caption, COLUMNS)


@dataclass(frozen=True, slots=True)
class Notice:
    """Framed text in large letters, lines of at most 20 columns, centred by the renderer."""

    text: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.text, NOTICE_COLUMNS)


Block = Lines | Heading | QrCode | PaymentCode | Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What is printed, from top to bottom.

    title: the receipt's number. moment: the instant on it, UTC. language: a BCP 47 tag.
    on_each_page: at the top of each page after the first. page_word: "Страна" in its script.
    """

    title: str
    moment: datetime
    language: str
    blocks: tuple[Block, ...]
    on_each_page: tuple[Notice, ...] = ()
    page_word: str = "Страна"

    @property
    def letters(self) -> frozenset[str]:
        drawn = set(self.page_line(1234567890, 1) + self.title)
        for block in (*self.blocks, *self.on_each_page):
            match block:
                case PaymentCode():
                    drawn.update(*block.caption)
                case Lines() | Heading() | Notice():
                    drawn.update(*block.text)
                case QrCode():
                    continue
        return frozenset(drawn)

    @property
    def has_strong_letters(self) -> bool:
        strong = (Notice, Heading, PaymentCode)
        return any(isinstance(block, strong) for block in (*self.blocks, *self.on_each_page))

    def page_line(self, page: int, pages: int) -> str:
        return f"{self.page_word} {page}/{pages}".rjust(COLUMNS)


def _check(lines: tuple[str, ...], columns: int) -> None:
    for line in lines:
        if len(line) > columns or not line.isprintable():
            raise ValueError(f"not a line of at most {columns} printable characters: {line!r}")
