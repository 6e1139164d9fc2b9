"""What paper is made of. A document is a list of blocks; each renderer draws all of them.

A renderer (PDF, thermal raster, A4) knows blocks only, never receipts. Text in blocks is ready to
be drawn: 40 columns of one width, printable characters alone, already in the right script.
Sources: fiscal.md 3 (40 columns) and 4 (QR: 40–50 mm, quiet zone of 4 modules).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

COLUMNS = 40
"""Width of a journal, and so of everything that stands with it on paper."""
NOTICE_COLUMNS = 20
"""Columns of a notice: its letters are as wide as two of the journal's."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Monospaced lines of at most 40 columns. signed: they are the processor's own words."""

    text: tuple[str, ...]
    signed: bool = False

    def __post_init__(self) -> None:
        _check(self.text, COLUMNS)


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code in the middle of the paper. What follows it stays on the same page.

    side_mm: the code without its quiet zone, 40 to 50. quiet_modules: white around it.
    """

    text: str
    side_mm: int = 45
    quiet_modules: int = 4

    def __post_init__(self) -> None:
        if not 40 <= self.side_mm <= 50 or self.quiet_modules < 4:
            raise ValueError("a code is 40 to 50 mm wide, with 4 modules of white around it")


@dataclass(frozen=True, slots=True)
class Notice:
    """Framed words in large letters, lines of at most 20 columns, centred by the renderer."""

    text: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.text, NOTICE_COLUMNS)


Block = Lines | QrCode | Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What goes on paper, from top to bottom.

    title: the receipt's number. moment: the instant it bears, UTC. language: a BCP 47 tag.
    on_each_page: what a page after the first begins with. page_word: "Страна" in its script.
    """

    title: str
    moment: datetime
    language: str
    blocks: tuple[Block, ...]
    on_each_page: tuple[Notice, ...] = ()
    page_word: str = "Страна"

    def page_line(self, page: int, pages: int) -> str:
        """The foot of a page where there are several: "Страна 2/5", at the right edge."""
        return f"{self.page_word} {page}/{pages}".rjust(COLUMNS)


def _check(lines: tuple[str, ...], columns: int) -> None:
    for line in lines:
        if len(line) > columns or not line.isprintable():
            raise ValueError(f"not a line of at most {columns} printable characters: {line!r}")
