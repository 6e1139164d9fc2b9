"""Rows of lists: the day in a row, and the window in which rows are read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.cashier.receipts.words import ReceiptRowWords
from pos_app.cashier.sale import typed
from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, PAGE, Choice, RowWindow
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark, SortOrder
from pos_app.selling.receipts.own_sales import OwnSale
from pos_app.selling.sale.state import SaleState
from tests.fakes.till_clock import StandingClock
from tests.sweep import each

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


ROW = CatalogueRow(
    product_id="p",
    article_id="a",
    articles=1,
    sku=2088,
    ean=None,
    name="Сир млади домаћи",
    subtitle="",
    label=TaxLabel.E,
    price=Money(899),
    highest=Money(899),
    unit="kg",
    by_weight=True,
    asks_price=False,
    pinned=True,
    category_ids=("d13944cb-1308-521d-8521-098b301dca12",),
    picture=None,
    edits=EditMark.NONE,
)


@each(
    ("text", "times", "code", "number", "cash"),
    [
        ("", None, False, False, None),
        ("3*", Quantity(3), False, False, None),
        ("0,412*", Quantity("0.412"), False, False, None),
        ("0.412*", Quantity("0.412"), False, False, None),
        ("2088", None, True, True, Money(2088)),
        (" 2000 ", None, True, True, Money(2000)),
        ("2000,5", None, False, True, Money("2000.50")),
        ("0,", None, False, True, Money(0)),
        ("sir", None, False, False, None),
        ("sir 250", None, False, False, None),
        ("٣", None, False, False, None),
    ],
)
def test_the_table(
    text: str, times: Quantity | None, code: bool, number: bool, cash: Money | None
) -> None:
    is_code, is_number = typed.is_code(text), typed.is_number(text)
    assert (is_code, is_number, typed.amount(text)) == (code, number, cash)
    assert typed.multiplier(text) == times
    with pytest.raises(Invalid):
        typed.multiplier("0*")


@dataclass
class LongCatalogue:
    """The reads of the port Catalogue that a window needs, over numbered rows."""

    rows: int = 100_000
    asked: list[tuple[str, str | None, int, int]] = field(default_factory=list)
    written: int = 0
    counted: list[int | None] = field(default_factory=list)

    def count(
        self, query: str = "", *, category_id: str | None = None, most: int | None = None
    ) -> int:
        self.counted.append(most)
        return self.rows if most is None else min(most, self.rows)

    def page(
        self,
        query: str = "",
        *,
        category_id: str | None = None,
        order: SortOrder = SortOrder.NAME,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[CatalogueRow, ...]:
        self.asked.append((query, category_id, offset, limit))
        last = min(offset + limit, self.rows)
        return tuple(replace(ROW, sku=number) for number in range(offset, last))

    def favourites(self, *, limit: int = 60) -> tuple[CatalogueRow, ...]:
        return (replace(ROW, sku=7, product_id="7"), replace(ROW, sku=8, product_id="8"))

    def generation(self) -> int:
        return self.written


def window_on(catalogue: LongCatalogue, choice: Choice) -> RowWindow:
    window = RowWindow(catalogue, StandingClock())  # type: ignore[arg-type]
    window.show(choice)
    return window


@given(st.lists(st.integers(-1, 100_000), max_size=60))
def test_each_row_is_the_right_one_and_costs_its_page_alone(numbers: list[int]) -> None:
    catalogue = LongCatalogue()
    window = window_on(catalogue, Choice(ALL_CHIP))
    for number in numbers:
        row = window.row(number)
        assert (row.sku if row else None) == (number if 0 <= number < 100_000 else None)
    assert len(set(catalogue.asked)) == len({number // PAGE for number in numbers if number >= 0})
