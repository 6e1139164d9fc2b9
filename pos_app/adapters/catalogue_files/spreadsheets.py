"""Reads sheets of rows in files: CSV as programs in Serbia write it, XLSX, ODS and old XLS; writes
CSV and XLSX.

Formulas are never carried out: a cell of an XLSX gives its formula as text, which the reader of the
rows refuses, and one of an ODS or XLS the value that it was saved with; a text that looks like a
formula gets an apostrophe in front. No formula is written either: a value that begins like one
stays a text.
"""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Self, TextIO, cast
from xml.etree.ElementTree import ParseError

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.utils.exceptions import InvalidFileException
from python_calamine import CalamineError

from pos_app.adapters.catalogue_files.letters import UTF_8, Guess, guess_encoding
from pos_app.adapters.catalogue_files.other_workbook import is_ods, rows_of_book
from pos_app.adapters.catalogue_files.workbook import MEGABYTE, MOST_OF_ROW, Book, ReadFile
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.cells import UNENDED, Cell, NumberCell, without_formula

MOST_BYTES = 200_000_000
MOST_ROWS = 500_000
MOST_COLUMNS = 200
MOST_OF_CELL = 32_767
"""The characters of a cell in Excel."""
MOST_TEXT = 300 * MEGABYTE
"""The characters of all cells that are read."""
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
_MARKUP = re.compile(r"\s*<(\?xml|!doctype|html|table|meta|head)\b", re.IGNORECASE)
"""The begin of a web page or of XML, which programs name as XLS because Excel opens it."""
_SAMPLE = 64_000
_ROWS_OF_SAMPLE = 60
_LAST_BYTES, _AFTER_LINES = 4, b"\x00\x1a"
"""The last bytes of a text, where its last line ends, and those that follow the end of a line: the
other half of one in UTF-16, and the mark of DOS after a whole text."""
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The characters that XML 1.0 can't hold, not even as references."""
_NO_TEXT = re.compile(rb"[\x01-\x08\x0e-\x1f]")
"""Bytes that tell a file that is no text from a text with a damaged byte."""
_HIGH_BYTES = (0, 1, 4)
"""The high bytes of Latin and Cyrillic letters in UTF-16."""


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A file that was looked at: its `kind`, "csv", "xlsx", "ods" or "xls", and how its text is
    written.

    doubt: its letters fit several encodings. ends_in_line: its last line has no end, as where a
    file was cut. declared: its first row only names the separator
    (`sep=;`), as Excel writes it.
    """

    path: Path
    kind: str
    encoding: str = ""
    separator: str = ""
    doubt: bool = False
    declared: bool = False
    ends_in_line: bool = False

    @property
    def may_end_process(self) -> bool:
        """Tell whether reading it may end the process, which means that it is too large."""
        return self.kind in ("ods", "xls")

    @property
    def given_encoding(self) -> str:
        """The encoding's common name; "" for undamaged UTF-8 and workbooks, which need none."""
        return _ENCODING_NAMES.get(self.encoding, "UTF-8" if self.doubt else "")


def look_at(path: Path) -> SheetFile:
    """Find out the kind of a file by its content. Raises Invalid (kind file_…)."""
    try:
        with path.open("rb") as file:
            begin = file.read(_SAMPLE)
            size = path.stat().st_size
            file.seek(max(size - _LAST_BYTES, 0))
            last = file.read(_LAST_BYTES).rstrip(_AFTER_LINES)
    except OSError as error:
        raise Invalid("file_unread", why=error.strerror) from error
    if size > MOST_BYTES:
        raise Invalid("file_large", most=MOST_BYTES // MEGABYTE)
    if begin.startswith(_ZIP):
        return SheetFile(path, _kind_of_archive(path))
    if begin.startswith(_OLD_EXCEL):
        return SheetFile(path, "xls")
    encoding, doubt = _encoding_of(path, begin)
    text = begin.decode(encoding, "replace").removeprefix("\ufeff")
    if _MARKUP.match(text):
        raise Invalid("file_markup")
    declared = _DECLARED.match(text)
    separator = declared[1] if declared else _separator_of(text)
    in_line = not last.endswith((b"\n", b"\r"))
    return SheetFile(
        path, "csv", encoding, separator, doubt, declared=bool(declared), ends_in_line=in_line
    )


def _kind_of_archive(path: Path) -> str:
    with _no_table(), ReadFile(path) as opened:
        return "ods" if is_ods(opened) else "xlsx"


def _encoding_of(path: Path, begin: bytes) -> Guess:
    """Recognise UTF-16 and UTF-8, with or without a mark; else guess by the letters."""
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Guess("utf-16", doubt=False)
    for encoding, high_bytes in (("utf-16-le", begin[1::2]), ("utf-16-be", begin[::2])):
        of_serbian = sum(map(high_bytes.count, _HIGH_BYTES))
        if 0 in begin and len(begin) > 3 and of_serbian * 10 > len(high_bytes) * 9:
            return Guess(encoding, doubt=False)
    if b"\x00" in begin and _NO_TEXT.search(begin):
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

    report_progress: called with the percentage of the file that was read; the first row of a
    workbook comes late, because all words of an XLSX stand before its rows, and the others are read
    whole.
    """
    match file.kind:
        case "csv":
            rows = _rows_of_csv(file, report_progress)
        case "xlsx":
            rows = _rows_of_xlsx(file.path, report_progress)
        case _:
            rows = _rows_of_other_book(file, report_progress)
    room = MOST_TEXT
    for number, row in enumerate(rows):
        if number >= MOST_ROWS:
            raise Invalid("file_rows")
        for text in row:
            room -= len(text)
            if len(text) > MOST_OF_CELL:
                raise Invalid("file_cell", row=number + 1, most=MOST_OF_CELL)
        if room < 0:
            raise Invalid("file_text", most=MOST_TEXT // MEGABYTE)
        yield row


class _Lines:
    """The lines of a CSV. A whole row begins their measure anew: one in quotes has many lines. A
    mark comes after the last line, which is a row of its own where all quotes have ended."""

    def __init__(self, opened: TextIO) -> None:
        self._opened = opened
        self._letters_left = MOST_OF_ROW
        self._number = 0
        self.are_over = False
        self.of_row: list[str] = []

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        text_line = self._opened.readline(self._letters_left + 1)
        self._letters_left -= len(text_line)
        if self._letters_left < 0:
            raise Invalid("file_row", most=MOST_OF_ROW // MEGABYTE)
        if not text_line:
            if self.are_over:
                raise StopIteration
            self.are_over = True
            return UNENDED
        self._number += 1
        if "\x00" in text_line:
            raise Invalid("file_zero_byte", line=self._number)
        self.of_row.append(text_line)
        return text_line

    def begin_anew(self) -> None:
        self._letters_left = MOST_OF_ROW
        self.of_row = []


def _rows_of_csv(file: SheetFile, report_progress: Callable[[int], None]) -> Iterator[list[str]]:
    try:
        read = ReadFile(file.path, report_progress)
        with io.TextIOWrapper(
            cast("BinaryIO", read), encoding=file.encoding, errors="replace", newline=""
        ) as opened:
            lines = _Lines(opened)
            if file.declared:
                next(lines, "")
            for row in csv.reader(lines, delimiter=file.separator):
                is_well = len(lines.of_row) == 1 or _is_well_quoted(lines.of_row, file.separator)
                lines.begin_anew()
                if row != [UNENDED]:
                    yield (row if is_well else [*map(_marked, row)])[:MOST_COLUMNS]
    except (csv.Error, OSError) as error:
        raise Invalid("file_no_table.why", why=error) from error


def _is_well_quoted(text_lines: Sequence[str], separator: str) -> bool:
    """Tell whether each quotation mark of a row ends its cell. Where one is missing, the first of a
    row below ends it, in front of a letter."""
    try:
        return bool([*csv.reader(text_lines, delimiter=separator, strict=True)])
    except csv.Error:
        return False


def _marked(cell: str) -> str:
    return f"{cell}{UNENDED}" if len(cell.splitlines()) > 1 else cell


_BROKEN = (
    InvalidFileException,
    zipfile.BadZipFile,
    KeyError,
    ValueError,
    ParseError,
    EOFError,
    OSError,
    IndexError,
    CalamineError,
    zlib.error,
)


@contextmanager
def _no_table() -> Iterator[None]:
    """Raise Invalid for a workbook that its reader does not understand."""
    try:
        yield
    except _BROKEN as error:
        raise Invalid("file_no_table") from error


def _rows_of_xlsx(path: Path, report_progress: Callable[[int], None]) -> Iterator[list[str]]:
    """Iterate over the rows of a workbook, with the empty ones between them. No row is wider than
    the widest of the first."""
    with _no_table(), ReadFile(path, report_progress) as opened, Book(opened) as book:
        width, widest, after = MOST_COLUMNS, 1, 1
        for number, cells in book.rows():
            for _ in range(after, number):
                yield []
            if number < after:
                continue
            after = number + 1
            row = _texts_of(cells, width)
            widest = max(widest, len(row))
            yield row
            if number >= _ROWS_OF_SAMPLE:
                width = widest


def _rows_of_other_book(
    file: SheetFile, report_progress: Callable[[int], None]
) -> Iterator[list[str]]:
    with _no_table(), ReadFile(file.path, report_progress) as opened:
        for values in rows_of_book(opened, is_archive=file.kind == "ods"):
            row = [_text_of(value) for value in values[:MOST_COLUMNS]]
            while row and not row[-1]:
                row.pop()
            yield row


def _texts_of(cells: Iterable[dict[str, Any]], width: int) -> list[str]:
    """Return the texts of a row's cells, up to the last one with a text."""
    texts = [""] * width
    for cell in cells:
        if 0 < cell["column"] <= width:
            texts[cell["column"] - 1] = _text_of(cell["value"], cell["data_type"])
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _text_of(value: object, kind: str = "") -> str:
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
        case date():
            return value.strftime("%d.%m.%Y.")
        case str() if kind != "f":
            return without_formula(value)
        case _:
            return str(value)


def _number_text(value: float) -> str:
    """Write all digits of whole numbers (an EAN), and no digits that a float adds."""
    if not math.isfinite(value):
        return ""
    if value.is_integer():
        return str(int(value))
    return NumberCell(f"{Decimal(f'{value:.12g}'):f}")


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
