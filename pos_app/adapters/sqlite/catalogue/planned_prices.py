"""Planned prices in `catalogue.db`. The SQL that charges them at their time is `rows._PLAN`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import apsw

from pos_app.adapters.sqlite import stored_values
from pos_app.adapters.sqlite.catalogue.rows import first, number
from pos_app.errors import NotFound
from pos_app.selling.catalogue.planned_prices import PlannedPrice

NOW = "shop_now"
"""A function of a reading connection: the present instant, as it is stored."""
_IS_THERE = "SELECT 1 FROM article WHERE uuid = ?1 UNION SELECT 1 FROM product WHERE uuid = ?1"
_READ = "SELECT price, begins_at, ends_at FROM planned_price WHERE article_uuid = ?"
_WRITE = "INSERT OR REPLACE INTO planned_price VALUES (?, ?, ?, ?, ?, ?)"
_BOUNDS = f"""
SELECT (SELECT count(*) FROM planned_price WHERE begins_at <= {NOW}())
    + (SELECT count(*) FROM planned_price WHERE ends_at <= {NOW}())
"""


def provide_time(connection: apsw.Connection, now: Callable[[], datetime]) -> None:
    """Give the SQL of a connection the present time."""

    def present_time(*_: object) -> str:
        return stored_values.moment_text(now())

    connection.create_scalar_function(NOW, present_time, 0)


def bounds_passed(connection: apsw.Connection) -> int:
    """Return how many plans have begun or ended: another number means that other prices hold."""
    return number(connection, _BOUNDS)


def plan_of(connection: apsw.Connection, article_uuid: str) -> PlannedPrice | None:
    row = first(connection, _READ, (article_uuid,))
    if row is None:
        return None
    ends = stored_values.moment_of(row[2]) if row[2] else None
    return PlannedPrice(
        article_uuid, stored_values.money(row[0]), stored_values.moment_of(row[1]), ends
    )


def keep_plan(connection: apsw.Connection, plan: PlannedPrice, *, by: str, at: datetime) -> None:
    """Replace a plan, within a transaction. Raises NotFound."""
    if first(connection, _IS_THERE, (plan.article_id,)) is None:
        raise NotFound("article.in_cart", article=plan.article_id)
    begins, ends = (
        stored_values.moment_text(plan.begins_at),
        stored_values.optional_text(plan.ends_at),
    )
    row = (
        plan.article_id,
        stored_values.para(plan.price),
        begins,
        ends,
        by,
        stored_values.moment_text(at),
    )
    connection.execute(_WRITE, row)
