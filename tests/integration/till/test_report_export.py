"""Reports and articles as files: numbers are numbers; what can't be written is named, and why."""

from __future__ import annotations

import errno
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest

from pos_app.adapters.chosen_file import unwritten
from pos_app.adapters.report_export import ReportExportProcess
from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.documents.report_sheet import ReportSheet
from pos_app.errors import Invalid
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.reports.own import acts_report
from pos_app.selling.reports.periods import Period
from pos_app.selling.reports.report import ReportChoice, ReportName
from tests.fakes.small_disk import fill, small_disk
from tests.integration.catalogue.test_sheets import Shop, ended, shop

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
