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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
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


def too_large() -> Invalid:
    return Invalid("file_memory", most=MOST_MEMORY // MEGABYTE)


def is_ods(opened: ReadFile) -> bool:
    """Tell whether an archive is an ODS. Raises Invalid, BadZipFile."""
    with Archive(opened) as archive:
        return _CONTENT in archive.NameToInfo


def rows_of_book(opened: ReadFile, *, is_archive: bool) -> Iterator[list[Any]]:
    """Iterate over the rows of the sheet that an ODS opens with, or of the first visible one with a
    cell, from the sheet's first row and column. Raises Invalid, CalamineError, BadZipFile."""
    opens_with = _check_archive(opened) if is_archive else ""
    opened.seek(0)
    with limited_memory(MOST_MEMORY), _panics():
        try:
            sheet = _visible_sheet(_opened(opened), opens_with)
        except MemoryError as error:
            raise too_large() from error
    before = [""] * (sheet.start or (0, 0))[1]
    for row in sheet.iter_rows():
        yield [*before, *row]


@contextmanager
def _panics() -> Iterator[None]:
    """Raise Invalid for a panic of Rust, which is no Exception."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise Invalid("file_no_table") from error
        raise


def _check_archive(opened: ReadFile) -> str:
    """Read what calamine will, to its end, which an honest size is; return the name of the sheet
    that the book opens with, "" where it is not told."""
    with Archive(opened) as archive:
        for name in _SMALL:
            archive.read(name)
        with archive.stream(_CONTENT) as content:
            while content.read(_PIECE):
                content.begin_anew()
        settings = archive.read(_SETTINGS) if _SETTINGS in archive.NameToInfo else b""
    found = _OPENS_WITH.search(settings.decode("utf-8", "replace"))
    return unescape(found[1]) if found else ""


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
