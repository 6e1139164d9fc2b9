"""Reports and articles as files: numbers are numbers; what can't be written is named, and why."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest

from pos_app.adapters.buyer_sheets import BuyerSheetProcess
from pos_app.adapters.chosen_file import unwritten
from pos_app.adapters.report_export import ReportExportProcess
from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.documents.report_sheet import ReportSheet
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.errors import Invalid
from pos_app.selling.buyers import buyer_sheet
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.buyers.buyer_sheet import SheetOfBuyers, read_sheet
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.file_work import FileDone
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.reports.own import acts_report
from pos_app.selling.reports.periods import Period
from pos_app.selling.reports.report import ReportChoice, ReportName
from tests.fakes.small_disk import fill, small_disk
from tests.integration.catalogue.test_sheets import Shop, ended, shop
from tests.sweep import each

__all__ = ["shop"]
AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
DAY = date(2026, 11, 20)
SR = Texts("sr-Cyrl")


def of_acts() -> ReportSheet:
    acts = [
        ActRow(AT, "Мира", NotedAct.PRICE, "Хлеб", "1058.99", "1000.00"),
        ActRow(AT, "Мира", NotedAct.COUNTED, "7", after="0.00"),
        ActRow(AT, "Мира", NotedAct.PERSON, "Ана", after="cashier"),
    ]
    report = acts_report(ReportChoice(ReportName.ACTS, Period(DAY, DAY), Period(DAY, DAY)), acts)
    return ReportWords(SR, {}).sheet(report, shop="Липа", made=AT)


def test_amounts_of_acts_are_numbers_in_a_workbook(tmp_path: Path) -> None:
    path = tmp_path / "acts.xlsx"
    with closing(ReportExportProcess()) as process:
        ended(process.export(of_acts(), path))
    rows = [*openpyxl.load_workbook(path).active.iter_rows(min_row=2, max_row=4, values_only=True)]
    assert [row[4:6] for row in rows] == [(1058.99, 1000), (None, 0), (None, "касир")]
    assert isinstance(rows[0][0], datetime)


def words_of(told: object) -> str:
    assert isinstance(told, Invalid), told
    notice = SR.error(told)
    return f"{notice.happened} {notice.press}"


def test_a_place_that_is_not_there_is_named(shop: Shop, tmp_path: Path) -> None:
    path = tmp_path / "nema" / "a.xlsx"
    with closing(ReportExportProcess()) as process:
        tolds = [ended(process.export(of_acts(), path))]
    tolds += [
        ended(shop.files.export(TableChoice(), path)),
        ended(shop.files.labels(["p1"], path, only_changed=False)),
    ]
    for told in tolds:
        assert words_of(told).startswith(f"{path} не може да се упише: тог места нема.")


def test_a_full_disk_is_named_and_leaves_the_earlier_file(shop: Shop, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=2) as disk:
        path = disk / "a.xlsx"
        path.write_bytes(b"earlier")
        fill(disk)
        with closing(ReportExportProcess()) as process:
            tolds = [ended(process.export(of_acts(), path))]
        tolds += [
            ended(shop.files.export(TableChoice(), path)),
            ended(shop.files.labels(["p1"], path, only_changed=False)),
        ]
        for told in tolds:
            assert words_of(told).startswith(f"{path} не може да се упише: диск је пун.")
        assert path.read_bytes() == b"earlier"
        assert {one.name for one in disk.iterdir()} <= {"a.xlsx", "full"}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "нема дозволе за писање"),
        (errno.EROFS, "нема дозволе за писање"),
        (errno.ETXTBSY, "отворена у другом програму"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_each_reason_has_its_words(number: int, words: str) -> None:
    error = OSError(number, "Input/output error")
    assert words in words_of(unwritten(error, Path("a.csv")))


def test_a_file_that_windows_holds_for_another_program_is_told_so() -> None:
    error = PermissionError(errno.EACCES, "denied")
    error.winerror = 32  # type: ignore[attr-defined]
    assert "отворена у другом програму" in words_of(unwritten(error, Path("a.csv")))


# --- the buyers' book as a sheet ---
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
def test_what_is_written_is_read(process: BuyerSheetProcess, tmp_path: Path, end: str) -> None:
    path = tmp_path / f"kupci.{end}"
    assert ended(process.write(BOOK, path)) == FileDone(2)
    told = [KnownBuyer(one.id, one.name, one.email) for one in BOOK]
    assert ended(process.read(path)) == SheetOfBuyers(tuple(told))
    if end == "xlsx":
        first = [*openpyxl.load_workbook(path).active.iter_rows(values_only=True)][1]
        assert first[:4] == ("100000049", "=Алфа д.о.о.", "alfa@example.rs", 2)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


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
def test_a_wrong_row_is_refused_by_field(cells: tuple[str, ...], column: str, kind: str) -> None:
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
