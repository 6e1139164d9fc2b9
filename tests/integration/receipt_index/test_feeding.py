"""The list has each receipt of the journal once, whatever happens to programs and files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.receipt_index import index_file, schema
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.receipt_index import ReceiptIndex
from pos_app.domain.money.payment import MAY_BE_PAID_LATER, PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_list import EVERYTHING, HandOver, ListedReceipt
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import DatabaseDamaged, DiskFull
from tests.integration.fiscalization.shop import opened

LIST = Path("receipt-index", "receipt-index.db")
JOURNAL = Path("journal", "journal.db")
KEYS = tuple(f"{place:016}" for place in range(100))


def list_of(folder: Path) -> ReceiptIndexFile:
    return ReceiptIndexFile(folder / LIST, folder / JOURNAL)


def whole(file: ReceiptIndexFile) -> tuple[ListedReceipt, ...]:
    while file.step():
        pass
    page = file.page(EVERYTHING, None, 1000)
    assert page.state.is_whole, page.state
    assert page.go_on is None
    return page.rows


def told(rows: Sequence[ListedReceipt]) -> list[str]:
    return [row.number for row in rows]


async def sold(folder: Path, keys: Sequence[str]) -> None:
    async with opened(folder) as shop:
        for key in keys:
            await shop.sell(key=key)


# --- faults --------------------------------------------------------------------------------------


async def test_a_full_disk_is_told_with_what_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(folder) as shop:
        index = ReceiptIndex(folder / LIST, folder / JOURNAL)
        async with index.fed(shop.lane.changes):
            await shop.sell(key=KEYS[0])
            assert len((await index.page(EVERYTHING)).rows) == 1
            monkeypatch.setattr(index_file, "LEAST_ROOM", 10**18)
            issued = await shop.sell(key=KEYS[1])
            page = await index.page(EVERYTHING)
            assert len(page.rows) == 1
            assert isinstance(page.state.trouble, DiskFull)
            assert not page.state.is_whole
            monkeypatch.undo()
            page = await index.page(EVERYTHING)
            assert page.state.is_whole
            assert page.rows[0].number == issued.receipt.invoice_number


async def test_a_journal_that_can_not_be_read_is_told(folder: Path) -> None:
    await sold(folder, KEYS[:2])
    with closing(list_of(folder)) as file:
        rows = whole(file)
    (folder / JOURNAL).rename(folder / "away")
    with closing(list_of(folder)) as file:
        file.step()
        page = file.page(EVERYTHING, None, 50)
        assert told(page.rows) == told(rows)
        assert {row.handed_over for row in page.rows} == {HandOver.UNKNOWN}
        assert isinstance(page.state.trouble, DatabaseDamaged)
        assert file.listed([rows[0].request_id]) == ()
    (folder / "away").rename(folder / JOURNAL)
    with closing(list_of(folder)) as file:
        assert whole(file) == rows
        assert file.listed([rows[1].request_id, "unknown", rows[0].request_id]) == rows


def test_the_codebooks_are_part_of_what_makes_the_file() -> None:
    """Rows store positions in them: a file made with other codebooks is made anew."""
    (step,) = schema.MIGRATIONS
    told = [line.removeprefix("-- ") for line in step.splitlines() if line.startswith("-- ")]
    methods, told = told[: len(PaymentMethod)], told[len(PaymentMethod) :]
    labels, told = told[: len(TaxLabel)], told[len(TaxLabel) :]
    many = len(InvoiceType) * len(TransactionType)
    kinds, told = told[:many], told[many:]
    assert labels == [f"{place}: {label}" for place, label in enumerate(TaxLabel)]
    assert methods == [f"{place}: {method}" for place, method in enumerate(PaymentMethod)]
    assert (kinds[0], len(kinds)) == ("0: normal sale", many)
    assert told == [
        f"{place}: {one}"
        for codebook in (MAY_BE_PAID_LATER, schema.ROLES)
        for place, one in enumerate(codebook)
    ]
