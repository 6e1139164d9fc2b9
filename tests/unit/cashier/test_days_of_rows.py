"""In January a row or a case of the year before says its day and its year."""

from __future__ import annotations

from datetime import UTC, datetime

from pos_app.cashier.attention.cases.case import when
from pos_app.cashier.receipts.words import ReceiptRowWords, widest_time
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money
from pos_app.selling.receipts.own_sales import OwnSale
from pos_app.selling.sale.state import SaleState

JANUARY = datetime(2027, 1, 4, 10, tzinfo=UTC)
DECEMBER = datetime(2026, 12, 31, 22, 15, tzinfo=UTC)
NEW_YEAR = datetime(2026, 12, 31, 23, 15, tzinfo=UTC)
"""It is 2027 in Belgrade then."""


def time_of(at: datetime, *, one_day: bool = False) -> str:
    sale = OwnSale(
        key="k" * 32,
        cashier="Мира",
        at=at,
        number=None,
        kind=None,
        total=Money(5),
        payments=(),
        state=SaleState.FROZEN,
        request_id=None,
    )
    words = ReceiptRowWords(Texts("sr-Cyrl"), JANUARY, one_day, lambda _: False)
    return words.row(sale).time


def test_a_row_of_the_year_before_has_its_day() -> None:
    assert time_of(DECEMBER) == "31.12.26."
    assert time_of(NEW_YEAR) == "1.1."
    assert time_of(DECEMBER, one_day=True) == "31.12.26.", "own sales are of any day"
    assert time_of(JANUARY) == "11:00"


def test_the_column_has_room_for_it() -> None:
    assert widest_time([DECEMBER, JANUARY], now=JANUARY, one_day=False) == "00.00.00."
    assert widest_time([NEW_YEAR], now=JANUARY, one_day=False) == "00.00."


def test_a_case_of_the_year_before_has_its_year() -> None:
    texts = Texts("sr-Cyrl")
    assert when(DECEMBER, texts, now=JANUARY) == "31.12.2026. у 23:15"
    assert when(NEW_YEAR, texts, now=JANUARY) == "01.01. у 00:15"
