"""The period that a report asks the server for, and the part of the answer that it uses."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from pos_app.domain.money.money import Money
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.shift_report import ActSums, FromServer
from pos_app.selling.shift.cash import DrawerSum, ShiftSale
from pos_app.selling.shift.shift import Span
from pos_app.selling.shift.telling import ShiftFacts, ask_server
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.sweep import each
from tests.unit.selling.test_shift_report import category, row, sale

OPENED = datetime(2026, 11, 20, 8, tzinfo=UTC)
NOW = OPENED + timedelta(hours=9)
HOUR = timedelta(hours=1)


@dataclass
class Listed(ReceiptsInMemory):
    rows: list[receipt_list.ListedReceipt] = field(default_factory=list)

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        assert query.since is not None
        assert query.until is not None
        found = tuple(one for one in self.rows if query.since <= one.at < query.until)
        state = receipt_list.ListState(len(self.rows), len(self.rows))
        return receipt_list.ListPage(found, None, state)


def of(number: int, at: datetime, **more: str) -> receipt_list.ListedReceipt:
    return replace(row(number, "100", "16.6667", **more), at=at)  # type: ignore[arg-type]


def facts(*sales: ShiftSale, since: datetime = OPENED, until: datetime | None = None) -> ShiftFacts:
    span = Span(None, since, until)
    return ShiftFacts(span, sales, DrawerSum(()), ActSums(), since)


async def told(rows: list[receipt_list.ListedReceipt], of_till: ShiftFacts) -> FromServer | None:
    return await ask_server(Listed(rows=rows), of_till, until=NOW, category_of=category)


@each("apart", [timedelta(0), 5 * HOUR, -20 * HOUR, timedelta(days=400)])
async def test_a_processor_whose_clock_is_off_still_has_the_receipts_of_the_turnover(
    apart: timedelta,
) -> None:
    """By its own times they lie hours beside the shift's."""
    times = [OPENED + HOUR + apart, NOW - HOUR + apart]
    sales = [replace(sale(n), signed_at=at) for n, at in enumerate(times)]
    found = await told([of(n, at) for n, at in enumerate(times)], facts(*sales))
    assert found is not None
    assert [one.total for one in found.labels] == [Money(200)]


async def test_receipts_of_other_programs_are_those_of_its_time_alone() -> None:
    """The next report begins at the moment of this one."""
    web = {"program": "Веб-продаја"}
    rows = [
        of(1, OPENED - timedelta(seconds=1), **web),
        of(2, OPENED, **web),
        of(3, NOW - timedelta(seconds=1), **web),
        of(4, NOW, **web),
    ]
    found = await told(rows, facts())
    assert found is not None
    assert [(one.amount, one.many) for one in found.others] == [(Money(200), 2)]
    assert found.until == NOW
    later = await ask_server(
        Listed(rows=rows), facts(since=NOW), until=NOW + HOUR, category_of=category
    )
    assert later is not None
    assert [one.many for one in later.others] == [1]
