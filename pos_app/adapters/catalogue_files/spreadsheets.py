"""Reads and writes sheets of rows in files: CSV as programs in Serbia write it, and XLSX.

Formulas are never carried out: a cell gives its formula as text, which the reader of the rows
refuses; a text that looks like a formula gets an apostrophe in front. No formula is written either:
a value that begins like one stays a text.
"""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.chartsheet import Chartsheet
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils.exceptions import InvalidFileException

from pos_app.adapters.catalogue_files.letters import UTF_8, Guess, guess_encoding
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.sheet.cells import Cell, without_formula

MOST_BYTES = 200_000_000
MOST_UNPACKED = 2_000_000_000
MOST_ROWS = 500_000
MOST_COLUMNS = 200
_ZIP = b"PK\x03\x04"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_ENCODING_NAMES = {
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "iso8859_2": "ISO 8859-2",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp852": "CP 852 (DOS)",
    "cp855": "CP 855 (DOS)",
    "iso8859_5": "ISO 8859-5",
}
_SEPARATORS = ";\t|,"
_DECLARED = re.compile(r'"?sep=([;\t,|])"?[;\t, ]*[\r\n]', re.IGNORECASE)
_SAMPLE = 64_000
_ROWS_OF_SAMPLE = 60
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The characters that XML 1.0 can't hold, not even as references."""
_HIGH_BYTES = (0, 1, 4)
"""The high bytes of Latin and Cyrillic letters in UTF-16."""


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A file that was looked at: its `kind`, "csv" or "xlsx", and how its text is written.

    doubt: its letters fit several encodings. declared: its first row only names the separator
    (`sep=;`), as Excel writes it.
    """

    path: Path
    kind: str
    encoding: str = ""
    separator: str = ""
    doubt: bool = False
    declared: bool = False

    @property
    def given_encoding(self) -> str:
        """The encoding's common name; "" for undamaged UTF-8 and XLSX, which need none."""
        return _ENCODING_NAMES.get(self.encoding, "UTF-8" if self.doubt else "")


def look_at(path: Path) -> SheetFile:
    """Find out the kind of a file by its content. Raises Invalid (kind file_…)."""
    try:
        with path.open("rb") as file:
            begin = file.read(_SAMPLE)
        size = path.stat().st_size
    except OSError as error:
        raise Invalid("file_unread", why=error.strerror) from error
    if size > MOST_BYTES:
        raise Invalid("file_large.bytes")
    if begin.startswith(_ZIP):
        return SheetFile(path, "xlsx")
    if begin.startswith(_OLD_EXCEL):
        raise Invalid("file_old")
    encoding, doubt = _encoding_of(path, begin)
    text = begin.decode(encoding, "replace").removeprefix("\ufeff")
    declared = _DECLARED.match(text)
    separator = declared[1] if declared else _separator_of(text)
    return SheetFile(path, "csv", encoding, separator, doubt, declared=bool(declared))


def _encoding_of(path: Path, begin: bytes) -> Guess:
    """Recognise UTF-16 and UTF-8, with or without a mark; else guess by the letters."""
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Guess("utf-16", doubt=False)
    for encoding, high_bytes in (("utf-16-le", begin[1::2]), ("utf-16-be", begin[::2])):
        of_serbian = sum(map(high_bytes.count, _HIGH_BYTES))
        if 0 in begin and len(begin) > 3 and of_serbian * 10 > len(high_bytes) * 9:
            return Guess(encoding, doubt=False)
    if b"\x00" in begin:
        raise Invalid("file_no_table")
    try:
        with path.open(encoding=UTF_8, newline="") as file:
            while file.read(1 << 20):
                pass
    except UnicodeDecodeError:
        return guess_encoding(path)
    return Guess(UTF_8, doubt=False)


def _separator_of(text: str) -> str:
    """Return the sign with the most cells in rows of equal width. A sign in a title, or between the
    digits of a price, has fewer."""
    found = {}
    for sign in _SEPARATORS:
        try:
            rows = list(islice(csv.reader(io.StringIO(text), delimiter=sign), _ROWS_OF_SAMPLE))
        except csv.Error:
            continue
        widths = [len(row) for row in rows if len(row) > 1]
        found[sign] = max((widths.count(one) * one for one in set(widths)), default=0)
    return max(found, key=found.__getitem__, default=_SEPARATORS[0])


def rows_of(
    file: SheetFile, *, report_progress: Callable[[int], None] = lambda _: None
) -> Iterator[list[str]]:
    """Iterate over the rows of a sheet as text, with those above the heads. Raises Invalid (kind
    file_…).

    report_progress: called with the percentage read of an XLSX, whose first row comes late because
    all its words stand before its rows.
    """
    rows = _rows_of_xlsx(file.path, report_progress) if file.kind == "xlsx" else _rows_of_csv(file)
    for number, row in enumerate(rows):
        if number >= MOST_ROWS:
            raise Invalid("file_rows")
        yield row


def _rows_of_csv(file: SheetFile) -> Iterator[list[str]]:
    try:
        with file.path.open(encoding=file.encoding, errors="replace", newline="") as opened:
            if file.declared:
                opened.readline()
            for row in csv.reader(opened, delimiter=file.separator):
                yield row[:MOST_COLUMNS]
    except (csv.Error, OSError) as error:
        raise Invalid("file_no_table.why", why=error) from error


_BROKEN = (
    InvalidFileException,
    zipfile.BadZipFile,
    KeyError,
    ValueError,
    ParseError,
    EOFError,
    OSError,
)


class _ReadFile(io.FileIO):
    """A file that reports how much of it was read."""

    def __init__(self, path: Path, report_progress: Callable[[int], None]) -> None:
        super().__init__(path)
        self._whole = max(path.stat().st_size, 1)
        self._read = self._percent = 0
        self._report_progress = report_progress

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(-1 if size is None else size) or b""
        self._read += len(piece)
        percent = min(self._read * 100 // self._whole, 99)
        if percent != self._percent:
            self._percent = percent
            self._report_progress(percent)
        return piece


class _SheetReader(ExcelReader):  # type: ignore[misc]  # openpyxl has no types
    """Reads no charts: openpyxl stumbles over a chart sheet without a drawing."""

    def read_chartsheet(self, sheet: Any, rel: object) -> None:
        """Keep the sheet's place, because the book tells by number which one it opens with."""
        self.wb._add_sheet(Chartsheet(parent=self.wb, title=sheet.name))  # noqa: SLF001  # it has no other way


def _book_of(opened: _ReadFile) -> Any:
    reader = _SheetReader(opened, read_only=True, data_only=False, keep_links=False)
    reader.read()
    return reader.wb


def _rows_of_xlsx(path: Path, report_progress: Callable[[int], None]) -> Iterator[list[str]]:
    """Iterate over the rows of the sheet that the book opens with, or of its first visible one."""
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(one.file_size for one in packed.infolist()) > MOST_UNPACKED:
                raise Invalid("file_large.unpacked")
        opened = _ReadFile(path, report_progress)
        with opened, closing(_book_of(opened)) as book:
            seen = [one for one in book.worksheets if one.sheet_state == "visible"]
            sheet = book.active if book.active in seen else seen[0]
            begin = [
                _texts_of(row)
                for row in islice(sheet.iter_rows(max_col=MOST_COLUMNS), _ROWS_OF_SAMPLE)
            ]
            yield from begin
            width = max(map(len, begin), default=0)
            for row in sheet.iter_rows(min_row=len(begin) + 1, max_col=max(width, 1)):
                yield _texts_of(row)
    except Invalid:
        raise
    except (*_BROKEN, IndexError) as error:
        raise Invalid("file_no_table") from error


def _texts_of(row: Iterable[Any]) -> list[str]:
    """Return the cells of a row, up to the last one with a text."""
    texts = [_text_of(cell.value, cell.data_type) for cell in row]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _text_of(value: object, kind: str) -> str:
    """Write a cell as a person would type it: a number with as many digits as are certain, and a
    text that looks like a formula with an apostrophe in front, as in a CSV."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return _number_text(value)
        case datetime():
            at_midnight = (value.hour, value.minute) == (0, 0)
            return value.strftime("%d.%m.%Y." if at_midnight else "%d.%m.%Y. %H:%M")
        case str() if kind != "f":
            return without_formula(value)
        case _:
            return str(value)


def _number_text(value: float) -> str:
    """Write all digits of whole numbers (an EAN), and no digits that a float adds."""
    if not math.isfinite(value):
        return ""
    return str(int(value)) if value.is_integer() else f"{Decimal(f'{value:.12g}'):f}"


# --- writing -------------------------------------------------------------------------------------


def write_csv(path: Path, rows: Iterable[Sequence[str]], *, encoding: str = "utf-8-sig") -> None:
    """Write a CSV that Serbian Excel opens by double click: semicolons, the mark of UTF-8."""
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)


def write_xlsx(path: Path, rows: Iterable[Sequence[Cell]], *, title: str) -> None:
    """Write an XLSX whose numbers are numbers and whose texts are never formulas. A character that
    XML can't hold becomes U+FFFD, which each program shows; not each one reads Excel's escapes
    (`_x000B_`), and U+FFFE has none."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
    kept = io.BytesIO()
    book.save(kept)
    path.write_bytes(kept.getvalue())


def _cell(sheet: object, value: Cell) -> object:
    """Make a text or number cell: openpyxl takes a text that begins with "=" for a formula, and
    writes 79.99 as 79.98999999999999."""
    if isinstance(value, str):
        value = _NO_XML.sub("\ufffd", value)
    is_number = isinstance(value, Decimal)
    if not is_number and not (isinstance(value, str) and value.startswith("=")):
        return value
    cell = WriteOnlyCell(sheet, value=str(value))
    cell.data_type = "n" if is_number else "s"
    return cell
