"""The buyers' book as a sheet: what is written is read again, and rows that are wrong are named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest

from pos_app.adapters.buyer_sheets import BuyerSheetProcess
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.errors import Invalid
from pos_app.selling.file_work import FileDone
from pos_app.selling.sale import buyer_sheet
from pos_app.selling.sale.buyer_book import KnownBuyer
from pos_app.selling.sale.buyer_sheet import SheetOfBuyers, read_sheet
from tests.integration.catalogue.test_sheets import ended
from tests.sweep import each

AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
ALFA, BETA = BuyerId.parse("10:100000049"), BuyerId.parse("12:100000057:12345")
BOOK = (
    KnownBuyer(ALFA, "=Алфа д.о.о.", "alfa@example.rs", 2, AT),
    KnownBuyer(BETA, "Градска управа"),
)


@pytest.fixture
def process() -> Iterator[BuyerSheetProcess]:
    with closing(BuyerSheetProcess()) as made:
        yield made


@pytest.mark.parametrize("end", ["xlsx", "csv"])
def test_what_is_written_is_read_again(
    process: BuyerSheetProcess, tmp_path: Path, end: str
) -> None:
    path = tmp_path / f"kupci.{end}"
    assert ended(process.write(BOOK, path)) == FileDone(2)
    told = [KnownBuyer(one.id, one.name, one.email) for one in BOOK]
    assert ended(process.read(path)) == SheetOfBuyers(tuple(told))
    if end == "xlsx":
        first = [*openpyxl.load_workbook(path).active.iter_rows(values_only=True)][1]
        assert first[:4] == ("100000049", "=Алфа д.о.о.", "alfa@example.rs", 2)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_place_or_file_that_cant_be_used_is_told(
    process: BuyerSheetProcess, tmp_path: Path
) -> None:
    told = ended(process.write(BOOK, tmp_path / "nema" / "a.xlsx"))
    assert (type(told), told.kind) == (Invalid, "file_unwritten")
    (tmp_path / "slika.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    assert ended(process.read(tmp_path / "slika.xlsx")).kind == "file_no_table"
    (tmp_path / "a.csv").write_text("Назив;Место\nАлфа;Ниш\n", "utf-8")
    assert ended(process.read(tmp_path / "a.csv")).kind == "no_buyer_column"


HEADS = ("Naziv", "PIB", "E-mail")


@each(
    ("cells", "column", "kind"),
    [
        (("Ана", "11:0101990710008", ""), buyer_sheet.ID, "personal_buyer"),
        (("Ана", "30:X1", ""), buyer_sheet.ID, "personal_buyer"),
        (("Алфа", "10000004", ""), buyer_sheet.ID, "buyer_number"),
        (("Ана", "0101990710008", ""), buyer_sheet.ID, "buyer_number"),
        (("Алфа", "", ""), buyer_sheet.ID, "buyer_missing"),
        (("Алфа", "=1+1", ""), buyer_sheet.ID, "buyer_number"),
        (("Алфа" * 30, "100000065", ""), buyer_sheet.NAME, "buyer_name_long"),
        (("Алфа", "100000065", "ana@"), buyer_sheet.EMAIL, "buyer_email"),
        (("Алфа", "100 000 049", ""), buyer_sheet.ID, "buyer_twice"),
    ],
)
def test_a_wrong_row_is_refused_by_its_field(
    cells: tuple[str, ...], column: str, kind: str
) -> None:
    rows = [("Купци",), HEADS, ("Алфа", "100000049", ""), (), cells, ("Бета", str(BETA), "b@x.rs")]
    sheet = read_sheet(rows)
    assert [one.id for one in sheet.buyers] == [ALFA, BETA]
    assert sheet.buyers[1] == KnownBuyer(BETA, "Бета", "b@x.rs")
    assert sheet.refused_many == 1
    (refused,) = sheet.refused
    assert (refused.row, refused.column, refused.why.kind) == (5, column, kind)
    assert cells[1] not in str(refused.why) or not cells[1], "no number is repeated"


def test_not_more_firms_are_read_than_a_till_takes_at_once() -> None:
    rows = ((f"{number:09d}",) for number in range(buyer_sheet.MOST_BUYERS + 1))
    with pytest.raises(Invalid):
        read_sheet([("PIB",), *rows])
