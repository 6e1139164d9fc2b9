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
from pos_app.selling.catalogue.sheet.row_plan import Question
from tests.fakes.many_articles import counts
from tests.integration.catalogue.test_sheets import HEAD, Shop, children, ended, memory_of, shop

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


def test_rows_and_columns_that_are_missing_stay_empty(shop: Shop) -> None:
    """A sheet's own word about its size does not count: some programs write a wrong one."""
    rows = (
        b'<row r="2"><c r="A2" t="inlineStr"><is><t>%s</t></is></c><c r="C2" t="inlineStr"><is><t>'
        b"%s</t></is></c></row>"
        % ("Шифра".encode(), "Назив".encode())
        + b'<row r="5"><c r="A5"><v>1234</v></c><c r="C5" t="inlineStr"><is><t>%s</t></is></c>'
        b"</row>" % "Хлеб".encode()
    )
    sheet = b'<worksheet xmlns="%s"><dimension ref="A1"/><sheetData>%s</sheetData></worksheet>'
    path = book(shop.data / "sheet.xlsx", sheet1=whole(sheet % (MAIN.encode(), rows)))
    assert list(rows_of(look_at(path))) == [
        [],
        ["Шифра", "", "Назив"],
        [],
        [],
        ["1234", "", "Хлеб"],
    ]


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
BOTH = pytest.mark.parametrize("path", [ODS, XLS], ids=["ods", "xls"])
HEADS = ["Шифра", "ЕАН", "Назив", "Цена", "ПДВ", "Боја", "Планирана цена", "Планирана од"]
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' + " ".join(
    f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"' for one in ("table", "text")
)


def texts_of(path: Path) -> list[list[str]]:
    return list(rows_of(look_at(path)))


@BOTH
def test_cells_are_what_a_person_would_type(path: Path, shop: Shop) -> None:
    """Whole numbers have all their digits, fractions those that are certain."""
    assert texts_of(path) == [
        ["Ценовник продавнице «Липа»"],
        [],
        [],
        HEADS,
        [
            *("501", "8600000000011", "Чоколада „Ђурђевак“ 80 g"),
            *("12.3", "0.2", "бела", "11.5", "15.01.2027."),
        ],
        ["0502", "8601234567899", "Šargarepa & kelj, 1 kg", "36.9", "Е", "'-10"],
        ["503", "", "Хлеб  ражани", "58.99", "10", "TRUE"],
        ["504", "", "Ред са грешком", "", "0.1"],
        ["505", "123", "Вода", "1234567.5", "Ђ 20 %"],
    ]
    plan = shop.planned(path)
    assert (plan.rows, plan.new, plan.bad, plan.encoding) == (5, 5, 0, "")
    assert plan.unpriced == 1, "the row whose formula failed"
    assert counts(shop.carried_out(plan)) == (5, 0, 0)
    prices = {"501": "12.30", "502": "36.90", "503": "58.99", "505": "1234567.50"}
    assert {code: shop.price(code) for code in prices} == prices
    chocolate = shop.article("8600000000011")
    assert (chocolate.name, chocolate.label.value) == ("Чоколада „Ђурђевак“ 80 g", "Ђ")


@pytest.mark.parametrize("name", ["locked.ods", "locked.xls"])
def test_a_file_with_a_password_says_so(name: str, shop: Shop) -> None:
    why = ended(shop.files.plan_import(SHEETS / name, label=None, rates=tax.PUBLISHED_RATES))
    assert isinstance(why, Invalid)
    assert why.kind == "file_locked"


def test_the_name_of_the_file_does_not_matter(tmp_path: Path) -> None:
    for path in (ODS, XLS):
        for suffix in (".ods", ".xls", ".xlsx", ".csv", ""):
            renamed = tmp_path / f"cene{suffix}"
            renamed.write_bytes(path.read_bytes())
            assert texts_of(renamed) == texts_of(path), renamed


def test_of_an_ods_the_sheet_that_it_opens_with_is_read(tmp_path: Path) -> None:
    """LibreOffice tells it where a window saved the file."""
    item = '<config:config-item config:name="ActiveTable" config:type="string">'
    for opens, first in (("Napomene", "Шифра"), ("Stari", "Ценовник продавнице «Липа»")):
        path = tmp_path / "sheet.ods"
        with zipfile.ZipFile(ODS) as own, zipfile.ZipFile(path, "w") as packed:
            for name in own.namelist():
                told = f"<office:settings>{item}{opens}</config:config-item>".encode()
                is_told = name == "settings.xml"
                part = own.read(name)
                packed.writestr(name, part.replace(b"<office:settings>", told) if is_told else part)
        assert texts_of(path)[0][0] == first, "a hidden sheet is not read"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "file_empty"),
        (b"\n;;\n", "file_empty"),
        (b"\x00\x01", "file_no_table"),
        ("Шифра;Назив\n7;Со\0к\n".encode(), "file_zero_byte"),
        (b"PK\x03\x04broken", "file_no_table"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "file_no_table"),
        (XLS.read_bytes()[:5000], "file_no_table"),
        (ODS.read_bytes()[:5000], "file_no_table"),
        (
            b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>',
            "file_markup",
        ),
        (b"\xef\xbb\xbf\n<html><table><tr><td>A</td></tr></table></html>", "file_markup"),
    ],
)
def test_what_is_only_named_so_is_refused(content: bytes, kind: str, shop: Shop) -> None:
    path = shop.data / "sheet.xls"
    path.write_bytes(content)
    why = ended(shop.files.plan_import(path, label=None, rates=tax.PUBLISHED_RATES))
    assert isinstance(why, Invalid)
    assert why.kind == kind


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


def number_cell(number: str) -> str:
    return f'<table:table-cell office:value-type="float" office:value="{number}"/>'


NUMBERS = ["144.444", "120.5", "1299", "58.99001"]


def xlsx_of_numbers(path: Path) -> Path:
    made = Workbook()
    made.active.append(["Шифра", "Назив", "Цена", "Порез"])
    for code, price in enumerate([*map(float, NUMBERS), "2.345"], 61001):
        made.active.append([code, "Сок", price, "Ђ"])
    made.save(path)
    return path


def ods_of_numbers(path: Path) -> Path:
    rows = ods_row("".join(map(text_cell, ("Шифра", "Назив", "Цена", "Порез"))))
    for code, price in enumerate([*map(number_cell, NUMBERS), text_cell("2.345")], 61001):
        rows += ods_row(number_cell(str(code)) + text_cell("Сок") + price + text_cell("Ђ"))
    return ods(path, rows)


@pytest.mark.parametrize("written", [xlsx_of_numbers, ods_of_numbers])
@pytest.mark.parametrize("refused", ["odbijeni.xlsx", "odbijeni.csv"])
def test_the_point_of_a_number_cell_never_separates_thousands(
    written: Callable[[Path], Path], refused: str, shop: Shop
) -> None:
    """Nor does an answer about texts. More than two decimals are refused, also in a saved row."""
    path = written(shop.data / "cene")
    plan = shop.planned(path)
    assert [(one.text, one.why.kind) for one in plan.bad_cells] == [
        ("144.444", "decimals"),
        ("2.345", "thousand"),
    ]
    said = plan.answers.with_answer(Question.POINT, "yes")
    plan = ended(shop.files.plan_import(path, label=None, rates=tax.PUBLISHED_RATES, answers=said))
    assert [(one.text, one.why.kind) for one in plan.bad_cells] == [("144.444", "decimals")]
    assert counts(ended(shop.files.carry_out(plan, name="cene", by="Мира"))) == (4, 0, 0)
    prices = [shop.price(str(code)) for code in range(61002, 61006)]
    assert prices == ["120.50", "1299.00", "58.99", "2345.00"]
    again = shop.planned(path)
    assert (again.same, again.bad) == (4, 1), "the answer is remembered for texts alone"
    back = shop.data / refused
    ended(shop.files.save_refused(plan, back, language="sr-Cyrl"))
    assert [one.why.kind for one in shop.planned(back).bad_cells] == ["decimals"]


def test_rows_that_an_ods_repeats_to_its_end_are_no_rows(tmp_path: Path) -> None:
    """LibreOffice writes so where a whole column has a format."""
    empty = '<table:table-cell table:number-columns-repeated="16384"/>'
    rows = ods_row(text_cell("Шифра") + text_cell("Назив", MANY_COLUMNS.replace("16384", "2")))
    rows += ods_row("<table:table-cell/>", ' table:number-rows-repeated="3"')
    rows += ods_row(text_cell("7"), ' table:number-rows-repeated="2"')
    rows += ods_row(empty, ' table:number-rows-repeated="1048569"')
    path = ods(tmp_path / "sheet.ods", rows)
    assert texts_of(path) == [["Шифра", "Назив", "Назив"], [], [], [], ["7"], ["7"]]


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


def test_an_xls_of_excel_5_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xls"
    path.write_bytes(far_corners(1))
    rows = texts_of(path)
    assert (rows[0], rows[1], len(rows)) == (["1"], [], CORNERS[1][0] + 1)
