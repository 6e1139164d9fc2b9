"""Sheets, and the distribution of a document's pieces over them.

Measures are in millimetres from the top left corner. A roll is one page as tall as its content. A4
has pages of one height, each with one column of text or with two, read one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from pos_app.documents.blocks import COLUMNS
from pos_app.lazy_dataclass import dataclass

TALLEST_PAGE = 3000.0
"""The height at which a roll begins another page: PDF allows 5,080 mm, but viewers get slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet. height: None for a roll. column: the width of 40 letters. line: height of one line.
    columns: the number of columns of text side by side. gutter: mm between them."""

    width: float
    margin: float
    column: float
    line: float
    height: float | None = None
    columns: int = 1
    gutter: float = 0.0

    @property
    def usable_height(self) -> float:
        """The height for everything on a page, with the foot."""
        return (self.height or TALLEST_PAGE) - 2 * self.margin

    @property
    def foot(self) -> float:
        return 2 * self.line if self.height else self.line

    def left_edge(self, column: int) -> float:
        """Return the left edge of a column; all columns together are in the middle of the page."""
        all_of_them = self.columns * self.column + (self.columns - 1) * self.gutter
        return (self.width - all_of_them) / 2 + column * (self.column + self.gutter)

    @property
    def per_letter(self) -> float:
        return self.column / COLUMNS


ROLL_80 = Sheet(width=80, margin=4, column=72, line=3.7)
ROLL_58 = Sheet(width=58, margin=4, column=48, line=2.6)
"""Forty columns are 48 mm wide, as such printers print them: the journal stays as signed."""
A4 = Sheet(width=210, height=297, margin=15, column=100, line=4.8)
"""Letters of nearly 12 points in a column in the middle, for documents that fit one such page."""
A4_SMALLER = Sheet(width=210, height=297, margin=14, column=84, line=4.1)
"""Letters of 10 points in a column in the middle."""
A4_IN_TWO = Sheet(width=210, height=297, margin=14, column=84, line=4.1, columns=2, gutter=12)
"""The same letters in two columns, for longer documents."""


PieceT = TypeVar("PieceT", bound="Piece")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a document that the end of a page never divides. height: in mm. keeps_next: stays
    on the page of the next piece."""

    height: float
    keeps_next: bool = False


@dataclass(frozen=True, slots=True)
class PdfPage(Generic[PieceT]):
    """A page. head: runs across the page. columns: the pieces of each column, from left to
    right."""

    head: tuple[PieceT, ...]
    columns: tuple[tuple[PieceT, ...], ...]

    @property
    def height(self) -> float:
        return height_of(self.head) + max(map(height_of, self.columns))


def height_of(pieces: Sequence[Piece]) -> float:
    return sum(piece.height for piece in pieces)


def spread(
    pieces: Sequence[PieceT],
    *,
    sheet: Sheet,
    first_head: tuple[PieceT, ...] = (),
    next_head: tuple[PieceT, ...] = (),
) -> list[PdfPage[PieceT]]:
    """Return at least one page. first_head, next_head: begin the first page, and each further
    one."""
    if sheet.height is None and height_of(first_head) + height_of(pieces) <= sheet.usable_height:
        return [PdfPage(first_head, (tuple(pieces),))]
    groups = list(_groups(pieces))
    pages = [_filled(groups, first_head, sheet)]
    while groups:
        pages.append(_filled(groups, next_head, sheet))
    return pages


def _filled(
    groups: list[tuple[PieceT, ...]], head: tuple[PieceT, ...], sheet: Sheet
) -> PdfPage[PieceT]:
    room = sheet.usable_height - sheet.foot - height_of(head)
    return PdfPage(head, tuple(tuple(_column(groups, room)) for _ in range(sheet.columns)))


def _column(groups: list[tuple[PieceT, ...]], free_height: float) -> Iterator[PieceT]:
    """Take at least one group, so that one taller than a page does not stop the loop for ever."""
    used = 0.0
    while groups and (not used or used + height_of(groups[0]) <= free_height):
        group = groups.pop(0)
        used += height_of(group)
        yield from group


def _groups(pieces: Sequence[PieceT]) -> Iterator[tuple[PieceT, ...]]:
    group: list[PieceT] = []
    for piece in pieces:
        group.append(piece)
        if not piece.keeps_next:
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)
