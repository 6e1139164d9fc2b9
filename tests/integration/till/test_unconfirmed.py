"""A confirm that the disk refused is found after the restart: a person decides whether it is
sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import open_till
from pos_app.selling.sale.sale import UNCONFIRMED
from pos_app.selling.sale.state import SaleState
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of

TILL = "11111111-2222-4333-8444-555555555555"


async def test_what_was_perhaps_told_as_failed_is_not_sent(folder: Path) -> None:
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    sale = counter.sell()
    # As after a power cut: the disk had stored the confirm that it reported as failed.
    connection_of(database).execute("UPDATE meta SET unconfirmed = ?", (sale.key,))
    database.close()

    database = open_till(folder, till_id=TILL)
    again = Counter(database)
    again.server = counter.server
    again.restart()
    await again.steps(20)
    assert again.handed() == []
    kept = database.sales.sale(sale.key)
    assert (kept.state, kept.reason and kept.reason.code) == (SaleState.REFUSED, UNCONFIRMED)
    again.outbox.try_again(sale.key)
    await again.until(lambda: again.state(sale) is SaleState.DONE)
    assert again.handed() == [1]
    database.close()


async def test_a_confirm_that_was_told_as_done_is_sent_after_a_restart(folder: Path) -> None:
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    sale = counter.sell()
    assert database.sales.unconfirmed() is None
    counter.restart()
    await counter.until(lambda: counter.state(sale) is SaleState.DONE)
    database.close()


def test_no_confirm_is_a_part_of_another_change(folder: Path) -> None:
    """Otherwise its mark would reach the disk together with the mark's removal."""
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    with pytest.raises(AssertionError, match="part of another change"), database.acts.together():
        counter.sell()
    assert not database.sales.last(1)
    assert counter.sell().state is SaleState.FROZEN
    database.close()
