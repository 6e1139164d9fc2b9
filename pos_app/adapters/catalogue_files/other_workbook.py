"""Reads the rows of an ODS, or of an XLS of Excel 5 to 2003, by calamine.

calamine reads a file whole before it gives a row. It makes the rectangle of each sheet, and repeats
a cell of an ODS as often as the file says: 6 kB can become 3 GB. So an archive is asked for the
sizes of its parts first and read through once, because calamine believes no size; and while
calamine reads, the process gets no more than `MOST_MEMORY`. Where it needs more, calamine **ends
the process**: whoever reads such a file in one of its own says before what that means.

It tells a formula's value, not the formula; a formula that failed is an empty cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import unescape

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from pos_app.adapters.catalogue_files.workbook import MEGABYTE, Archive, ReadFile
from pos_app.adapters.memory_limit import limited_memory
from pos_app.errors import Invalid

MOST_MEMORY = 500 * MEGABYTE
_CONTENT, _SETTINGS = "content.xml", "settings.xml"
_SMALL = ("mimetype", "META-INF/manifest.xml")
_OPENS_WITH = re.compile(r'config:name="ActiveTable"[^>]*>([^<]*)<')
_PIECE = 1 << 20
_OURS = ("RSD", "CSD")
_CURRENCY = re.compile(rb'office:currency="(?!RSD"|CSD")')
_LONGEST_NAME = 32
"""More than the letters by which a currency is found."""


def too_large() -> Invalid:
    return Invalid("file_memory", most=MOST_MEMORY // MEGABYTE)


def is_ods(opened: ReadFile) -> bool:
    """Tell whether an archive is an ODS. Raises Invalid, BadZipFile."""
    with Archive(opened) as archive:
        return _CONTENT in archive.NameToInfo


def rows_of_book(opened: ReadFile, *, is_archive: bool) -> Iterator[list[Any]]:
    """Iterate over the rows of the sheet that an ODS opens with, or of the first visible one with a
    cell, from the sheet's first row and column. A number of an ODS that is other money than ours
    is a text with its currency. Raises Invalid, CalamineError, BadZipFile."""
    opens_with, has_currencies = _check_archive(opened) if is_archive else ("", False)
    opened.seek(0)
    with limited_memory(MOST_MEMORY), _panics():
        try:
            sheet = _visible_sheet(_opened(opened), opens_with)
        except MemoryError as error:
            raise too_large() from error
    before = [""] * (sheet.start or (0, 0))[1]
    money = _Money(sheet.name)
    if has_currencies:
        _read_money(opened, money)
    for number, row in enumerate(sheet.iter_rows()):
        yield money.named(number, [*before, *row])


class _Money:
    """Notes the cells of a sheet of an ODS that are other money than ours, by row."""

    def __init__(self, sheet: str) -> None:
        self._sheet = sheet
        self._is_read = False
        self._row = self._rows_end = self._column = 0
        self._rows: dict[int, tuple[int, list[tuple[int, int, str]]]] = {}
        """By the first of equal rows: the end of these, and their cells of one currency."""
        self._of_rows: tuple[int, list[tuple[int, int, str]]] = (0, [])

    def note(self, name: str, attrs: Mapping[str, str]) -> None:
        """Note the begin of an element."""
        if name == "table:table":
            self._is_read = attrs.get("table:name", "") == self._sheet
        elif self._is_read and name == "table:table-row":
            self._row, self._column = self._rows_end, 0
            self._rows_end += int(attrs.get("table:number-rows-repeated", "1"))
        elif self._is_read and name in ("table:table-cell", "table:covered-table-cell"):
            end = self._column + int(attrs.get("table:number-columns-repeated", "1"))
            currency = attrs.get("office:currency", "")
            if currency and currency not in _OURS:
                cells = self._rows.setdefault(self._row, (self._rows_end, []))[1]
                cells.append((self._column, end, currency))
            self._column = end

    def named(self, number: int, row: list[Any]) -> list[Any]:
        """The row with the currencies of its numbers. Rows come in their order."""
        self._of_rows = self._rows.get(number, self._of_rows)
        rows_end, cells = self._of_rows
        for begin, end, currency in cells if number < rows_end else ():
            for at in range(begin, min(end, len(row))):
                if isinstance(row[at], int | float):
                    row[at] = f"{row[at]} {currency}"
        return row


def _read_money(opened: ReadFile, money: _Money) -> None:
    opened.seek(0)
    with Archive(opened) as archive, archive.stream(_CONTENT) as content:
        parser = ParserCreate()
        parser.StartElementHandler, parser.StartDoctypeDeclHandler = money.note, _refuse_entities
        try:
            while piece := content.read(_PIECE):
                content.begin_anew()
                parser.Parse(piece)
        except ExpatError as error:
            raise Invalid("file_no_table") from error


def _refuse_entities(*_: object) -> None:
    raise Invalid("file_no_table")


@contextmanager
def _panics() -> Iterator[None]:
    """Raise Invalid for a panic of Rust, which is no Exception."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise Invalid("file_no_table") from error
        raise


def _check_archive(opened: ReadFile) -> tuple[str, bool]:
    """Read what calamine will, to its end, which an honest size is; return the name of the sheet
    that the book opens with, "" where it is not told, and whether other money than ours is in
    it."""
    with Archive(opened) as archive:
        for name in _SMALL:
            archive.read(name)
        with archive.stream(_CONTENT) as content:
            end, has_currencies = b"", False
            while piece := content.read(_PIECE):
                content.begin_anew()
                has_currencies = has_currencies or bool(_CURRENCY.search(end + piece))
                end = piece[-_LONGEST_NAME:]
        settings = archive.read(_SETTINGS) if _SETTINGS in archive.NameToInfo else b""
    found = _OPENS_WITH.search(settings.decode("utf-8", "replace"))
    return (unescape(found[1]) if found else ""), has_currencies


def _opened(opened: ReadFile) -> CalamineWorkbook:
    """Open a book. calamine tells of a password only where the file's name has the right end."""
    try:
        return CalamineWorkbook.from_filelike(opened)
    except CalamineError:
        try:
            return CalamineWorkbook.from_path(Path(str(opened.name)))
        except PasswordError as locked:
            raise Invalid("file_locked") from locked


def _visible_sheet(book: CalamineWorkbook, opens_with: str) -> CalamineSheet:
    names = [
        one.name
        for one in book.sheets_metadata
        if one.visible is SheetVisibleEnum.Visible and one.typ is SheetTypeEnum.WorkSheet
    ]
    sheets = map(book.get_sheet_by_name, [opens_with] if opens_with in names else names)
    first = next(sheets)
    return first if first.height else next((one for one in sheets if one.height), first)
