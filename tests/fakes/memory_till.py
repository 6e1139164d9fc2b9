"""`till.db` in memory: the till's own tables without a file, for tests that need no disk."""

from __future__ import annotations

from functools import cache

import apsw

from pos_app.adapters.sqlite.kept_open import OurConnection
from pos_app.adapters.sqlite.migrations import migrate
from pos_app.adapters.sqlite.till.carts import CartTable
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.adapters.sqlite.till.sales import SaleTable
from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.selling.people.acts import AtTheTill

_WRITES = ("INSERT", "UPDATE", "DELETE")


@cache
def _tables() -> apsw.Connection:
    made = apsw.Connection(":memory:")
    migrate(made, TILL_MIGRATIONS)
    made.execute("INSERT INTO meta (one, till_id) VALUES (1, 'till-1')")
    return made


class MemoryTill(CartTable):
    """The ports Carts and, in `sales`, SaleRepository; `disk_full` makes each further change
    fail."""

    def __init__(self) -> None:
        connection, came = OurConnection(":memory:"), set[int]()
        with connection.backup("main", _tables(), "main") as copying:
            copying.step()
        connection.pragma("foreign_keys", True)
        connection.exec_trace = self._refused
        super().__init__(connection, ActTable(connection, AtTheTill()), came=came)
        self.sales = SaleTable(connection, tidy=lambda: None, came=came)
        self.disk_full = False

    @property
    def carts(self) -> MemoryTill:
        return self

    def _refused(self, _: object, statement: str, __: object) -> bool:
        if self.disk_full and statement.lstrip().startswith(_WRITES):
            raise apsw.FullError("the disk took no more data")
        return True
