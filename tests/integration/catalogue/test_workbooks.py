"""Sheets that are small on the disk and large to read; sheets of LibreOffice and of old Excel.

`sheets/` has one table that LibreOffice 7.4 wrote in both formats, and again with a password: it
has merged cells, empty and hidden rows, formulas, percents, a date and a truth value. Another sheet
is hidden, and a third is not the one that the book opens with.
"""

from __future__ import annotations

import contextlib
import io
import struct
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.catalogue_files.spreadsheets import look_at, rows_of
from pos_app.domain.money import tax
from pos_app.errors import Invalid
from tests.integration.catalogue.test_sheets import HEAD, Shop, children, memory_of, shop

__all__ = ["shop"]
MOST_MEMORY = 300 * 1024 * 1024
MOST_SECONDS = 60
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TEXTS = "xl/sharedStrings.xml"
TYPE_OF_TEXTS = (
    f'<Override PartName="/{TEXTS}" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sharedStrings+xml"/></Types>'
).encode()
Pieces = Iterator[bytes]


def book(path: Path, **parts: Callable[[], Pieces]) -> Path:
    """Write a workbook of one article, with other parts, named by the stems of their files."""
    kept, made = io.BytesIO(), Workbook()
    for row in (HEAD.split(";"), ["1", "Хлеб", "79,90", "Ђ"]):
        made.active.append(row)
    made.save(kept)
    with zipfile.ZipFile(kept) as own, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        names = {Path(name).stem: name for name in own.namelist()}
        if "sharedStrings" in parts and TEXTS not in own.namelist():
            names["sharedStrings"] = TEXTS
            types = own.read("[Content_Types].xml").replace(b"</Types>", TYPE_OF_TEXTS)
            parts["[Content_Types]"] = whole(types)
        for stem, name in names.items():
            with packed.open(name, "w", force_zip64=True) as part:
                for piece in parts[stem]() if stem in parts else [own.read(name)]:
                    part.write(piece)
    return path


def xml(root: str, piece: bytes, times: int, end: bytes = b"") -> Callable[[], Pieces]:
    def pieces() -> Pieces:
        yield f'<{root} xmlns="{MAIN}">'.encode()
        many = max(1, (1 << 20) // max(len(piece), 1))
        for _ in range(times // many + 1):
            yield piece * many
        yield end + f"</{root.partition(' ')[0]}>".encode()

    return pieces


def whole(text: bytes) -> Callable[[], Pieces]:
    return lambda: iter([text])


MANY = 400_000_000
BOMB = b'<!DOCTYPE l [<!ENTITY a "%s">%s]><sst xmlns="%s"><si><t>&j;</t></si></sst>' % (
    b"lol" * 1000,
    b"".join(
        b'<!ENTITY %c "%s">' % (one, b"&%c;" % (one - 1) * 10) for one in range(ord("b"), ord("k"))
    ),
    MAIN.encode(),
)
ROW = b'<row><c t="inlineStr"><is><t>%s</t></is></c></row>' % (b"x" * 200)
LONG = ROW.replace(b"x" * 200, b"x" * 40_000)


def texts(piece: bytes, times: int) -> dict[str, Callable[[], Pieces]]:
    """Return parts of shared texts that repeat a piece so often."""
    return {"sharedStrings": xml("sst", piece, times)}


def rows(piece: bytes, times: int, end: bytes = b"") -> dict[str, Callable[[], Pieces]]:
    return {"sheet1": xml("worksheet", piece, times, end)}


SHEETS_OF_A_BOOK = b"".join(
    b'<sheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
    b'relationships" name="%d" sheetId="%d" r:id="rId1"/>' % (n, n)
    for n in range(1, 20_000)
)
TYPED = b'<!DOCTYPE w><worksheet xmlns="%s"/>' % MAIN.encode()
HOSTILE: dict[str, tuple[str, dict[str, Callable[[], Pieces]]]] = {
    "1.9 GB of shared texts": (
        "file_part",
        texts(b"<si><t>%s</t></si>" % (b"a" * 100), 16_000_000),
    ),
    "many small shared texts": ("file_texts", texts(b"<si><t>a</t></si>", MANY // 17)),
    "one endless shared text": ("file_row", texts(b"a" * 1000, 300_000)),
    "elements without texts": ("file_row", texts(b"<a/>", MANY // 4)),
    "elements in each other": ("file_row", texts(b"<a>", MANY // 4)),
    "a sheet of 600 MB": ("file_part", rows(ROW, 3_000_000)),
    "one endless row": ("file_row", rows(b"<sheetData><row>" + b"<c/>" * 1000, 100_000)),
    "a row of 450,000 cells": (
        "file_columns",
        rows(b"<sheetData><row>" + b"<c/>" * 450_000 + b"</row>", 1),
    ),
    "styles": ("file_part", {"styles": xml("styleSheet", b"<xf/>", 40_000_000)}),
    "properties of the book": ("file_part", {"workbook": xml("workbook", b"<a/>", MANY // 8)}),
    "expanded entities": ("file_no_table", {"sharedStrings": whole(BOMB)}),
    "a declared type": ("file_no_table", {"sheet1": whole(TYPED)}),
    "thousands of sheets": (
        "file_sheets",
        {"workbook": xml("workbook", b"", 0, b"<sheets>%s</sheets>" % SHEETS_OF_A_BOOK)},
    ),
    "a long cell": ("file_cell", rows(b"", 0, b"<sheetData>" + LONG + b"</sheetData>")),
}


def refusal(shop: Shop, path: Path, case: str, *, most_memory: int = MOST_MEMORY) -> Invalid:
    """Return why the real child refuses a file; check its memory and time meanwhile."""
    others, most, begun = children(), 0, time.monotonic()
    # A fork of the nursery is no child of this process.
    with contextlib.closing(CatalogueProcess(shop.data)) as files:
        work = files.plan_import(path, label=None, rates=tax.PUBLISHED_RATES)
        while (told := work.result()) is None:
            most = max(most, memory_of(children() - others))
            assert time.monotonic() - begun < MOST_SECONDS * 3
            time.sleep(0.02)  # waits for the child
    seconds = time.monotonic() - begun
    size = path.stat().st_size
    sys.stdout.write(f"{case}: {size >> 10} KiB, {most >> 20} MiB, {seconds:.1f} s: {told!s:.90}\n")
    assert isinstance(told, Invalid), told
    assert most < most_memory
    assert seconds < MOST_SECONDS
    return told


@pytest.mark.long
@pytest.mark.parametrize("case", HOSTILE)
def test_a_workbook_is_refused_before_it_fills_the_memory(case: str, shop: Shop) -> None:
    kind, parts = HOSTILE[case]
    told = refusal(shop, book(shop.data / "sheet.xlsx", **parts), case)
    assert told.kind == kind, told
    if "most" in told.values:
        assert str(told.values["most"]) in told.what, "the limit is named"


def lying(path: Path, part: str) -> Path:
    """Let the directory of an archive state fewer bytes of a part than it has."""
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        said = packed.getinfo(part).file_size.to_bytes(4, "little")
    at = content.rfind(said)
    assert at > 0
    content[at : at + 4] = (100_000).to_bytes(4, "little")
    path.write_bytes(content)
    return path


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_an_archive_whose_directory_lies_or_is_long_is_refused(suffix: str, shop: Shop) -> None:
    """Parts that say less than they hold give no more than they say."""
    path = shop.data / f"sheet.{suffix}"
    if suffix == "ods":
        lying(ods(path, ods_row(text_cell("x" * 20_000)) * 30_000), "content.xml")
    else:
        lying(book(path, **texts(b"<si><t>%s</t></si>" % (b"a" * 100), 3_000_000)), TEXTS)
    assert refusal(shop, path, "a size that lies").kind == "file_no_table"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(100_000):
            packed.writestr(f"{number}", b"")
    assert refusal(shop, path, "many parts").kind == "file_parts"


@pytest.mark.long
@pytest.mark.parametrize(
    ("begin", "piece", "kind"),
    [
        ("", "a", "file_row"),
        ("", "a;", "file_row"),
        ("sep=;\n", "a;", "file_row"),
        ("", '"a\n";', "file_row"),
        ("", "x" * 40_000 + "\n", "file_cell"),
    ],
)
def test_a_csv_without_an_end_is_refused(begin: str, piece: str, kind: str, shop: Shop) -> None:
    path = shop.data / "sheet.csv"
    path.write_text(begin + piece * (190_000_000 // len(piece.encode())), "utf-8")
    assert refusal(shop, path, repr(piece[:10])).kind == kind


def test_money_of_another_country_is_no_dinars(shop: Shop) -> None:
    """A workbook shows it by the cell's format; numbers with our currency, or none, are prices."""
    book = Workbook()
    book.active.append(["Шифра", "Назив", "Цена", "Порез"])
    kinds = {
        '#,##0.00\\ "€"': "12.5 €", "[$EUR-407]#,##0.00": "12.5 EUR", '"$"#,##0.00': "12.5 $",
        '#,##0.00\\ "USD"': "12.5 USD", '#,##0.00\\ "дин."': "12.5", "General": "12.5",
        "#,##0.00\\ [$RSD-241A]": "12.5", "_-* #,##0.00\\ _€_-": "12.5", '0.0" kom"': "12.5",
    }  # fmt: skip
    for number, form in enumerate(kinds, 2):
        book.active.append([700 + number, f"Ново {number}", 12.5, "Ђ"])
        book.active.cell(number, 3).number_format = form
    book.save(path := shop.data / "sheet.xlsx")
    assert [row[2] for row in texts_of(path)[1:]] == [*kinds.values()]
    plan = shop.planned(path)
    assert [(one.row, one.column) for one in plan.bad_cells] == [(n, "Цена") for n in (2, 3, 4, 5)]
    assert (plan.new, plan.bad) == (5, 4)


def test_a_currency_of_an_ods_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.ods"
    old = b'office:value-type="float" office:value="%s"'
    new = b'office:value-type="currency" office:currency="%s" office:value="%s"'
    with zipfile.ZipFile(ODS) as own, zipfile.ZipFile(path, "w") as packed:
        for name in own.namelist():
            part = own.read(name)
            for value, currency in ((b"12.3", b"EUR"), (b"36.9", b"RSD"), (b"58.99", b"USD")):
                part = part.replace(old % value, new % (currency, value))
            packed.writestr(name, part)
    prices = [row[3] for row in texts_of(path)[4:]]
    assert prices == ["12.3 EUR", "36.9", "58.99 USD", "", "1234567.5"]


# --- sheets of LibreOffice (ODS) and of old Excel (XLS) -------------------------------------------

SHEETS = Path(__file__).parent / "sheets"
ODS, XLS = SHEETS / "artikli.ods", SHEETS / "artikli.xls"
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' + " ".join(
    f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"' for one in ("table", "text")
)


def texts_of(path: Path) -> list[list[str]]:
    return list(rows_of(look_at(path)))


def test_the_name_of_the_file_does_not_matter(tmp_path: Path) -> None:
    for path in (ODS, XLS):
        for suffix in (".ods", ".xls", ".xlsx", ".csv", ""):
            renamed = tmp_path / f"cene{suffix}"
            renamed.write_bytes(path.read_bytes())
            assert texts_of(renamed) == texts_of(path), renamed


# --- small on the disk, large to read ------------------------------------------------------------


def ods(path: Path, rows: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", MIMETYPE, zipfile.ZIP_STORED)
        packed.writestr("META-INF/manifest.xml", "<manifest/>")
        with packed.open("content.xml", "w", force_zip64=True) as part:
            part.write(
                f"<office:document-content {NAMES}><office:body><office:spreadsheet>"
                '<table:table table:name="A">'.encode()
            )
            for at in range(0, len(rows), 1 << 20):
                part.write(rows[at : at + (1 << 20)])
            part.write(b"</table:table></office:spreadsheet></office:body>")
            part.write(b"</office:document-content>")
    return path


def text_cell(words: str, more: str = "") -> str:
    begin = f'<table:table-cell office:value-type="string"{more}>'
    return f"{begin}<text:p>{words}</text:p></table:table-cell>"


def ods_row(cells: str, more: str = "") -> bytes:
    return f"<table:table-row{more}>{cells}</table:table-row>".encode()


MANY_COLUMNS = ' table:number-columns-repeated="16384"'
MANY_ROWS = ' table:number-rows-repeated="6000"'
MOST_OF_CALAMINE = 750 * 1024 * 1024
BOMBS = {
    "a cell repeated in each direction": (
        "file_memory",
        ods_row(text_cell("x" * 200, MANY_COLUMNS), MANY_ROWS),
        1,
    ),
    "rows of a repeated cell": ("file_memory", ods_row(text_cell("x" * 200, MANY_COLUMNS)), 5000),
    "billions of blanks": ("file_memory", ods_row(text_cell('x<text:s text:c="2000000000"/>')), 1),
    "a table of 600 MB": ("file_part", ods_row(text_cell("x" * 20_000)), 30_000),
}
"""How each is refused, its row, and how often it stands there: only the test makes them all."""


@pytest.mark.long
@pytest.mark.parametrize("case", BOMBS)
def test_an_ods_is_refused_before_it_fills_the_memory(case: str, shop: Shop) -> None:
    kind, row, many = BOMBS[case]
    path = ods(shop.data / "sheet.ods", row * many)
    told = refusal(shop, path, case, most_memory=MOST_OF_CALAMINE)
    assert told.kind == kind, told
    assert str(told.values["most"]) in told.what, "the limit is named"


def far_corners(sheets: int) -> bytes:
    """Return an XLS of Excel 5 whose sheets have their first cell and their last."""

    def record(kind: int, body: bytes) -> bytes:
        return struct.pack("<HH", kind, len(body)) + body

    begin = record(0x809, struct.pack("<HHHH", 0x500, 5, 0, 0))
    cells = b"".join(
        record(0x203, struct.pack("<HHHd", row, column, 0, 1.0)) for row, column in CORNERS
    )
    sheet = record(0x809, struct.pack("<HHHH", 0x500, 0x10, 0, 0)) + cells + record(0x0A, b"")
    names = [f"S{number:03}".encode() for number in range(sheets)]
    room = len(begin) + sum(4 + 7 + len(name) for name in names) + 4
    bounds = b"".join(
        record(0x85, struct.pack("<IBBB", room + at * len(sheet), 0, 0, len(name)) + name)
        for at, name in enumerate(names)
    )
    return in_compound_file(begin + bounds + record(0x0A, b"") + sheet * sheets)


CORNERS = ((0, 0), (16_383, 255))


def in_compound_file(stream: bytes) -> bytes:
    """Return a compound file of one stream, "Book"."""
    size, end, free = max(4096, -(-len(stream) // 512) * 512), 0xFFFFFFFE, 0xFFFFFFFF
    sectors = size // 512
    tables = -(-(sectors + 2) // 127)
    chain = [*range(1, sectors), end, end, *[0xFFFFFFFD] * tables]
    chain += [free] * (tables * 128 - len(chain))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    head += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 6
    head += struct.pack("<IIIIIIIII", 0, tables, sectors, 0, 4096, end, 0, end, 0)
    places = [sectors + 1 + at for at in range(tables)]
    head += struct.pack("<109I", *places, *[free] * (109 - tables))

    def entry(name: str, kind: int, child: int, start: int, length: int) -> bytes:
        words = f"{name}\0".encode("utf-16-le")
        told = words.ljust(64, b"\0") + struct.pack("<HBB", len(words), kind, 1)
        told += struct.pack("<III", free, free, child) + b"\0" * 36
        return told + struct.pack("<IQ", start, length)

    folder = entry("Root Entry", 5, 1, end, 0) + entry("Book", 2, free, 0, size)
    folder = folder.ljust(512, b"\0")
    return head + stream.ljust(size, b"\0") + folder + struct.pack(f"<{len(chain)}I", *chain)


@pytest.mark.long
def test_an_xls_of_far_corners_is_refused_before_it_fills_the_memory(shop: Shop) -> None:
    """calamine makes the rectangle of each sheet: 40 sheets of two cells would take 5 GB."""
    path = shop.data / "sheet.xls"
    path.write_bytes(far_corners(40))
    assert path.stat().st_size < 10_000
    assert refusal(shop, path, "far corners", most_memory=MOST_OF_CALAMINE).kind == "file_memory"
