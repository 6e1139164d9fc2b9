"""The picker's window over the catalogue: no row is read that is not shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, PAGE, Choice, RowWindow
from pos_app.selling.catalogue.catalogue import CatalogueRow, SortOrder
from tests.fakes.till_clock import StandingClock
from tests.unit.cashier.test_rows import ROW


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
