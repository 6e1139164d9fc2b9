"""Another program holds `till.db`: a code that could not be stored stays with its cart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from tests.fakes.inner_connection import connection_of
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop

EANS = ("8609910700134", "8609951100139")
UNKNOWN = "5901234123457"


class Hold:
    """Another program's lock of the file, until it releases it."""

    def __init__(self, shop: Shop) -> None:
        path = Path(connection_of(shop.database.sales).filename)
        self._connection = with_checksums(path, make=False)
        keep_log(self._connection)
        self._connection.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self.let_go()
        self._connection.close()


@contextmanager
def held(hands: Hands) -> Iterator[Hold]:
    hold = Hold(hands.shop)
    try:
        yield hold
    finally:
        hold.close()


async def test_a_code_that_could_not_be_stored_stays_with_a_cart_that_is_held(hands: Hands) -> None:
    hands.scan(EANS[0])
    with held(hands):
        hands.scan(UNKNOWN)
        await seen()
    hands.press("F6", "F6", "Enter")
    assert [one.code for one in hands.ticket.missed] == [UNKNOWN]
