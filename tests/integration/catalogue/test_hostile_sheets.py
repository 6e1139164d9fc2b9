"""Sheets that are small on the disk and large to read: they are refused with the limit named, and
the real child process stays small."""

from __future__ import annotations

import contextlib
import io
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
from tests.integration.catalogue.test_sheets import HEAD, Shop, children, memory_of

MOST_MEMORY = 300 * 1024 * 1024
MOST_SECONDS = 60
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TEXTS = "xl/sharedStrings.xml"
TYPE_OF_TEXTS = (
    f'<Override PartName="/{TEXTS}" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sharedStrings+xml"/></Types>'
).encode()
Pieces = Iterator[bytes]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.close()


def book(path: Path, **parts: Callable[[], Pieces]) -> Path:
    """Write a workbook of one article, with other parts (by the name of a part's file) in place of
    its own, or beside them."""
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
HOSTILE: dict[str, tuple[str, dict[str, Callable[[], Pieces]]]] = {
    "1.9 GB of shared texts": (
        "file_part",
        {"sharedStrings": xml("sst", b"<si><t>%s</t></si>" % (b"a" * 100), 16_000_000)},
    ),
    "many small shared texts": (
        "file_texts",
        {"sharedStrings": xml("sst", b"<si><t>a</t></si>", MANY // 17)},
    ),
    "one endless shared text": ("file_row", {"sharedStrings": xml("sst", b"a" * 1000, 300_000)}),
    "elements without texts": ("file_row", {"sharedStrings": xml("sst", b"<a/>", MANY // 4)}),
    "elements in each other": ("file_row", {"sharedStrings": xml("sst", b"<a>", MANY // 4)}),
    "a sheet of 600 MB": ("file_part", {"sheet1": xml("worksheet", ROW, 3_000_000)}),
    "one endless row": (
        "file_row",
        {"sheet1": xml("worksheet", b"<sheetData><row>" + b"<c/>" * 1000, 100_000)},
    ),
    "a row of 450,000 cells": (
        "file_columns",
        {"sheet1": xml("worksheet", b"<sheetData><row>" + b"<c/>" * 450_000 + b"</row>", 1)},
    ),
    "styles": ("file_part", {"styles": xml("styleSheet", b"<xf/>", 40_000_000)}),
    "properties of the book": ("file_part", {"workbook": xml("workbook", b"<a/>", MANY // 8)}),
    "expanded entities": ("file_no_table", {"sharedStrings": whole(BOMB)}),
    "a declared type": (
        "file_no_table",
        {"sheet1": whole(b'<!DOCTYPE w><worksheet xmlns="%s"/>' % MAIN.encode())},
    ),
    "thousands of sheets": (
        "file_sheets",
        {
            "workbook": xml(
                "workbook",
                b"",
                0,
                b"<sheets>%s</sheets>"
                % b"".join(
                    b'<sheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
                    b'relationships" name="%d" sheetId="%d" r:id="rId1"/>' % (n, n)
                    for n in range(1, 20_000)
                ),
            )
        },
    ),
    "a long cell": (
        "file_cell",
        {"sheet1": xml("worksheet", b"", 0, b"<sheetData>" + LONG + b"</sheetData>")},
    ),
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


@pytest.mark.long
def test_parts_that_say_less_than_they_hold_give_no_more_than_they_say(shop: Shop) -> None:
    texts = xml("sst", b"<si><t>%s</t></si>" % (b"a" * 100), 3_000_000)
    path = book(shop.data / "sheet.xlsx", sharedStrings=texts)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        size = packed.getinfo(TEXTS).file_size
    said = size.to_bytes(4, "little")
    at = content.rfind(said)
    assert at > 0
    content[at : at + 4] = (100_000).to_bytes(4, "little")
    path.write_bytes(content)
    assert refusal(shop, path, "a size that lies").kind == "file_no_table"


@pytest.mark.long
def test_an_archive_of_a_million_parts_is_refused(shop: Shop) -> None:
    path = shop.data / "sheet.xlsx"
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
