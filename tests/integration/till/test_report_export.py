"""Reports and articles as files: numbers are numbers; what can't be written is named, and why."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.adapters.buyer_sheets import BuyerSheetProcess
from pos_app.adapters.chosen_file import unwritten
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.errors import Invalid
from pos_app.selling.buyers import buyer_sheet
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.buyers.buyer_sheet import read_sheet
from tests.integration.catalogue.test_sheets import shop
from tests.sweep import each

__all__ = ["shop"]
SR = Texts("sr-Cyrl")


def words_of(told: object) -> str:
    assert isinstance(told, Invalid), told
    notice = SR.error(told)
    return f"{notice.happened} {notice.press}"


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


# --- the buyers' book as a sheet ---
ALFA, BETA = BuyerId.parse("10:100000049"), BuyerId.parse("12:100000057:12345")


@pytest.fixture
def process() -> Iterator[BuyerSheetProcess]:
    with closing(BuyerSheetProcess()) as made:
        yield made


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
