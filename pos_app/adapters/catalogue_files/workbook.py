"""Reads the rows of an XLSX with little memory, whatever the file holds.

A file of 2 MB can unpack to 2 GB. The archive is asked for the sizes of its parts before a part is
read; its reader never gives more than such a size. The two parts that may be large, the sheet and
its shared texts, are read as a stream whose every row, every text and whole length have a limit.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from sys import getsizeof
from typing import Any, Self

from defusedxml.ElementTree import iterparse
from openpyxl.cell.text import Text
from openpyxl.packaging.manifest import Manifest
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.worksheet._reader import WorkSheetParser
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS

from pos_app.errors import Invalid
from pos_app.selling.cells import other_currency

MEGABYTE = 1_000_000
MOST_UNPACKED = 500 * MEGABYTE
"""The bytes of the sheet, and of its shared texts."""
MOST_OF_PART = 4 * MEGABYTE
"""The bytes of any other part, which openpyxl reads whole."""
MOST_OF_ROW = 2 * MEGABYTE
"""The bytes of a row, and of a shared text, with everything in front of it."""
MOST_MEMORY_OF_TEXTS = 150 * MEGABYTE
MOST_SHEETS = 1000
MOST_CELLS = 16_384
"""The columns of a sheet in Excel."""
_MOST_OF_DIRECTORY = 4 * MEGABYTE
_END = b"PK\x05\x06"
_END_ROOM = (1 << 16) + 22
"""The bytes that the end of an archive may take, with its comment."""
_ROW, _ROWS, _SHARED, _PLAIN = (
    f"{{{SHEET_MAIN_NS}}}{tag}" for tag in ("row", "sheetData", "si", "t")
)
_BRACKET = re.compile(r"\[\$([^\]-]+)(?:-[^\]]*)?\]")
"""A currency in the format of a number, with the code of its language: "[$€-407]"."""
_UNSEEN = re.compile(r"\[[^\]]*\]|[_*].")
"""Parts of a format that are not seen: colours, and a blank as wide as a sign."""
_OURS = frozenset({"rsd", "рсд", "din", "дин", "csd"})
Cells = list[dict[str, Any]]


def currency_of(number_format: str) -> str:
    """The currency by which a format shows a number, "" where it is ours or none.

    | format               | currency |
    | #,##0.00\\ "€"        | €        |
    | [$EUR-407] #,##0.00  | EUR      |
    | "$"#,##0.00          | $        |
    | #,##0.00\\ "дин."     |          |
    | [$-241A]#,##0.00     |          |
    | 0" kom", #,##0.00_€  |          |
    """
    for named in _BRACKET.findall(number_format):
        word = named.strip().rstrip(".")
        if word.lower() not in _OURS:
            return str(word)
    return other_currency(_UNSEEN.sub("", number_format))


class ReadFile(io.FileIO):
    """A file that reports how much of it was read."""

    def __init__(self, path: Path, report_progress: Callable[[int], None] = lambda _: None) -> None:
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


class Archive(zipfile.ZipFile):
    """An archive that gives no part larger than its limit."""

    def __init__(self, opened: ReadFile) -> None:
        _check_directory(opened)
        super().__init__(opened)

    def open(self, name: Any, *more: Any, **named: Any) -> Any:
        self.check(name)
        return super().open(name, *more, **named)

    @contextmanager
    def stream(self, name: str) -> Iterator[_Measured]:
        self.check(name, MOST_UNPACKED)
        with super().open(name) as part:
            yield _Measured(part)

    def check(self, name: str | zipfile.ZipInfo, most: int = MOST_OF_PART) -> None:
        """Raise Invalid for a part that says that it is larger, or that is packed otherwise."""
        info = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        if info.file_size > most:
            raise Invalid("file_part", part=info.filename[:100], most=most // MEGABYTE)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Invalid(
                "file_no_table"
            )  # XLSX and ODS know no other, and these unpack without a limit


def _check_directory(opened: ReadFile) -> None:
    """Raise Invalid for an archive with so many parts that their names alone fill the memory."""
    size = opened.seek(0, io.SEEK_END)
    opened.seek(max(size - _END_ROOM, 0))
    _, found, end = io.FileIO.read(opened, _END_ROOM).rpartition(_END)
    opened.seek(0)
    if found and int.from_bytes(end[8:12], "little") > _MOST_OF_DIRECTORY:
        raise Invalid("file_parts", most=_MOST_OF_DIRECTORY // MEGABYTE)


class _Measured:
    """A part that is read as a stream. A whole row or text begins the measure anew."""

    def __init__(self, part: Any) -> None:
        self._part = part
        self._since = 0

    def begin_anew(self) -> None:
        self._since = 0

    def read(self, size: int = -1) -> bytes:
        piece: bytes = self._part.read(size)
        self._since += len(piece)
        if self._since > MOST_OF_ROW:
            raise Invalid("file_row", most=MOST_OF_ROW // MEGABYTE)
        return piece


class Book(ExcelReader):  # type: ignore[misc]  # openpyxl has no types
    """A workbook of which one sheet is read. It reads neither charts nor themes nor properties."""

    def __init__(self, opened: ReadFile) -> None:
        self.archive = Archive(opened)
        self.valid_files = self.archive.namelist()
        self.read_only, self.keep_vba, self.data_only = True, False, False
        self.keep_links = self.rich_text = False
        self.shared_strings: list[str] = []
        self.package: Manifest
        self.wb: Any
        self.parser: Any
        self._places: list[tuple[str, str] | None] = []
        self._currencies: dict[int, str] = {}

    def __enter__(self) -> Self:
        self.read_manifest()
        self.read_workbook()
        if len(self.parser.sheets) > MOST_SHEETS:
            raise Invalid("file_sheets", most=MOST_SHEETS)
        apply_stylesheet(self.archive, self.wb)
        self._read_currencies()
        for sheet, rel in self.parser.find_sheets():
            if rel.target in self.valid_files:
                is_chart = "chartsheet" in rel.Type
                self._places.append(None if is_chart else (rel.target, sheet.state))
        self.read_strings()
        return self

    def __exit__(self, *_: object) -> None:
        self.archive.close()

    def _read_currencies(self) -> None:
        """Read which styles show a number as money of another country."""
        formats = self.wb._number_formats  # noqa: SLF001  # the book offers them by cell alone
        for number, style in enumerate(self.wb._cell_styles):  # noqa: SLF001  # the same
            at = style.numFmtId - BUILTIN_FORMATS_MAX_SIZE
            is_own = 0 <= at < len(formats)
            code = formats[at] if is_own else BUILTIN_FORMATS.get(style.numFmtId, "")
            if currency := currency_of(code):
                self._currencies[number] = currency

    def read_strings(self) -> None:
        """Read the texts that the sheets share."""
        part = self.package.find(SHARED_STRINGS)
        if part is None:
            return
        room = MOST_MEMORY_OF_TEXTS
        with self.archive.stream(part.PartName[1:]) as stream:
            for _, element in iterparse(stream, forbid_dtd=True):
                if element.tag == _SHARED:
                    text = _text_of(element).replace("x005F_", "")
                    element.clear()
                    stream.begin_anew()
                    room -= getsizeof(text) + getsizeof(element)
                    if room < 0:
                        raise Invalid("file_texts", most=MOST_MEMORY_OF_TEXTS // MEGABYTE)
                    self.shared_strings.append(text)

    def rows(self) -> Iterator[tuple[int, Cells]]:
        """Iterate over the rows of the sheet that the book opens with, or of its first visible one,
        each with its number. A number of another country's money is a text with its currency."""
        with self.archive.stream(self._visible_sheet()) as stream:
            parser = WorkSheetParser(
                stream,
                self.shared_strings,
                epoch=self.wb.epoch,
                date_formats=self.wb._date_formats,  # noqa: SLF001  # its own reader takes these
                timedelta_formats=self.wb._timedelta_formats,  # noqa: SLF001
            )
            for _, element in iterparse(stream, forbid_dtd=True):
                if element.tag == _ROWS:
                    return
                if element.tag == _ROW:
                    if len(element) > MOST_CELLS:
                        raise Invalid("file_columns", most=MOST_CELLS)
                    row = parser.parse_row(element)
                    element.clear()
                    stream.begin_anew()
                    for cell in row[1] if self._currencies else ():
                        self._name_currency(cell)
                    yield row

    def _name_currency(self, cell: dict[str, Any]) -> None:
        currency = self._currencies.get(cell["style_id"])
        if currency and isinstance(cell["value"], int | float):
            cell["value"], cell["data_type"] = f"{cell['value']} {currency}", "s"

    def _visible_sheet(self) -> str:
        seen = [one for one in self._places if one is not None and one[1] == "visible"]
        at = self.wb._active_sheet_index  # noqa: SLF001  # `active` asks for the sheets themselves
        opens = self._places[at] if 0 <= at < len(self._places) else None
        return (opens if opens in seen and opens is not None else seen[0])[0]


def _text_of(element: Any) -> str:
    """Return a shared text. openpyxl takes ten times as long for a plain one as for its letters."""
    if len(element) == 1 and element[0].tag == _PLAIN:
        return element[0].text or ""
    text: str = Text.from_tree(element).content
    return text
