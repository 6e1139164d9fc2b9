"""Planned prices in `catalogue.db`. The SQL that charges them at their time is `rows.HOLDS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import apsw

from pos_app.adapters.sqlite import stored_values
from pos_app.adapters.sqlite.catalogue.rows import IS_OVER, NOW, first, many, number
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.units import is_measured_alike
from pos_app.errors import NotFound
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason
from pos_app.selling.catalogue.planned_prices import ComingPrice, EndedPlan, PlannedPrice
from pos_app.wire.strict_json import dumps, loads

_READ = f"""
SELECT p.price, p.begins_at, p.ends_at, p.percent, p.unit FROM planned_price p
WHERE p.article_uuid = ? AND NOT {IS_OVER.format(plan="p")}
"""
_NAME_AND_UNIT = """
SELECT name, unit FROM article WHERE uuid = ?1
UNION ALL SELECT name, unit FROM product WHERE uuid = ?1
"""
_WRITE = """
INSERT OR REPLACE INTO planned_price
    (article_uuid, price, begins_at, ends_at, by, made_at, noted, percent, unit)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_OF_OTHER_UNITS = """
SELECT a.uuid, a.name, p.unit, a.unit
FROM article a CROSS JOIN planned_price p ON p.article_uuid = a.uuid
WHERE a.product = ? AND p.unit <> a.unit
"""
_NOTHING_NOTED, _BEGIN_NOTED, _END_NOTED = range(3)
_DUE = """
SELECT p.article_uuid, p.price, max(p.begins_at, p.made_at), p.ends_at, p.by, p.noted, p.percent
FROM planned_price p CROSS JOIN article a ON a.uuid = p.article_uuid
WHERE (p.noted = 0 AND p.begins_at <= ?1 OR p.noted = 1 AND p.ends_at <= ?1)
    AND (?2 IS NULL OR a.product = ?2 OR a.uuid = ?2)
"""
# Before this was noted, the price of the article may have changed after that moment.
_BASE_AT = """
SELECT coalesce(c.old, CASE WHEN c.id IS NULL THEN a.price END),
    a.uuid, a.sku, a.name, a.label, a.unit
FROM article a LEFT JOIN price_change c ON c.id = (
    SELECT id FROM price_change WHERE article_uuid = a.uuid AND at > ?2 ORDER BY at, id LIMIT 1)
WHERE a.uuid = ?1
"""
_NOTE = """
INSERT INTO price_change (article_uuid, sku, name, label, unit, old, new, at, by, cause, percent)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_STANDS = "SELECT price FROM planned_price WHERE article_uuid = ? AND coalesce(ends_at > ?, 1)"
_ENDED = "plans_ended"
"""The name in `meta` of the plans that were taken off and that nobody has seen yet."""
_HELD = "SELECT price FROM planned_price WHERE article_uuid = ? AND noted = 1"
_USUAL = f"{_HELD} AND ends_at ISNULL"
_NAME_AND_PRICE = "SELECT name, price FROM article WHERE uuid = ?"
_TAKEN_OFF = """
SELECT old FROM price_change
WHERE article_uuid = ? AND at >= ? AND cause = 'plan_end' AND old NOTNULL
    AND at NOT LIKE '%:00.000000+00:00'
ORDER BY at DESC, id DESC LIMIT 1
"""
_SAYS = "coalesce(l.at NOTNULL AND (l.price ISNULL OR l.price = {price}), 0)"
"""Whether the label that was printed last says a price. One without a price is of an article whose
price the cashier types."""
_HANGS_READY = f"""coalesce(l.at > ?3 AND (
    l.at = p.begins_at AND {_SAYS.format(price="p.price")}
    OR l.at = p.ends_at AND p.begins_at < ?3 AND {_SAYS.format(price="a.price")}), 0)"""
"""Whether the label that was printed last is of the next change, which is yet to come."""
_CHANGE = f"""
SELECT a.uuid, a.name, {{at}} AS at, {{old}} AS old, {{new}} AS new,
    (SELECT sort_key FROM product WHERE id = a.product),
    l.at NOTNULL AS is_labelled,
    l.at IS {{at}} AND {_SAYS.format(price="{new}")} AS is_ready,
    NOT {_SAYS.format(price="{new}")} AND ({{at}} > ?3 OR NOT {_HANGS_READY}) AS is_missing
FROM planned_price p CROSS JOIN article a ON a.uuid = p.article_uuid
    LEFT JOIN label_print l ON l.article_uuid = a.uuid
WHERE {{at}} >= ?1 AND {{at}} < ?2 AND a.price IS NOT p.price AND
"""
_IS_OVER_THEN = IS_OVER.format(plan="p").replace(f"{NOW}()", "?3")
"""A function that each row calls takes longer than all else of the row."""
# A label that was printed for a coming price, whose plan is taken off or moved since, is due now.
# One of a price that an edit changed since then is not: its price held at its moment. A plan begins
# and ends at a whole minute, which passes over nearly all other labels. A plan that has begun, or
# whose label it is, has its own rows.
_NEVER_CAME = """
SELECT a.uuid, a.name, ?3, l.price, a.price, (SELECT sort_key FROM product WHERE id = a.product),
    1, 0, 1
FROM label_print l CROSS JOIN article a ON a.uuid = l.article_uuid
WHERE ?3 >= ?1 AND ?3 < ?2 AND l.at LIKE '%:00.000000+00:00'
    AND l.price <> coalesce(a.price, -1) AND NOT a.open_price
    AND NOT EXISTS (
        SELECT 1 FROM planned_price p WHERE p.article_uuid = a.uuid AND a.price IS NOT p.price
            AND (l.at IN (p.begins_at, p.ends_at) OR p.begins_at <= ?3))
    AND l.price IS NOT coalesce((SELECT c.old FROM price_change c WHERE c.article_uuid = a.uuid
        AND c.at > l.at ORDER BY c.at, c.id LIMIT 1), a.price)
"""
# An article with a begin and an end in the time that is asked for is listed with its begin, until
# it has ended.
_COMING = f"""
{_CHANGE.format(at="p.begins_at", old="a.price", new="p.price")} NOT {_IS_OVER_THEN}
UNION ALL
{_CHANGE.format(at="p.ends_at", old="p.price", new="a.price")}
    (p.begins_at < ?1 OR {_IS_OVER_THEN})
UNION ALL
{_NEVER_CAME}
"""
_MISSING = f"SELECT count(*) FROM ({_COMING}) WHERE is_missing AND is_labelled >= ?4"
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


def coming_prices(
    connection: apsw.Connection, since: datetime, until: datetime, now: datetime
) -> tuple[ComingPrice, ...]:
    times = tuple(map(stored_values.moment_text, (since, until, now)))
    return tuple(
        ComingPrice(
            row[0],
            row[1],
            stored_values.moment_of(row[2]),
            stored_values.optional_money(row[3]),
            stored_values.optional_money(row[4]),
            *map(bool, row[6:]),
        )
        for row in many(connection, f"{_COMING} ORDER BY 6, 2", times)
    )


def labels_missing(
    connection: apsw.Connection,
    since: datetime,
    until: datetime,
    now: datetime,
    *,
    only_labelled: bool,
) -> int:
    times = map(stored_values.moment_text, (since, until, now))
    return number(connection, _MISSING, (*times, int(only_labelled)))


def coming_moments(connection: apsw.Connection, since: datetime) -> tuple[datetime, ...]:
    sql = """
    SELECT DISTINCT p.begins_at AS at FROM planned_price p CROSS JOIN article a
        ON a.uuid = p.article_uuid WHERE p.begins_at >= ?1 AND a.price IS NOT p.price
    UNION SELECT DISTINCT p.ends_at FROM planned_price p CROSS JOIN article a
        ON a.uuid = p.article_uuid WHERE p.ends_at >= ?1 AND a.price IS NOT p.price
    ORDER BY at"""
    rows = many(connection, sql, (stored_values.moment_text(since),))
    return tuple(stored_values.moment_of(row[0]) for row in rows)


def plan_of(connection: apsw.Connection, article_uuid: str) -> PlannedPrice | None:
    row = first(connection, _READ, (article_uuid,))
    if row is None:
        return None
    ends = stored_values.moment_of(row[2]) if row[2] else None
    return PlannedPrice(
        article_uuid,
        stored_values.money(row[0]),
        stored_values.moment_of(row[1]),
        ends,
        Decimal(row[3]) if row[3] else None,
        row[4],
    )


def note_due(connection: apsw.Connection, at: datetime, *, of: int | str | None = None) -> None:
    """Note the plans that have begun or ended until then among the price changes, within a
    transaction. of: the row of a product, or the id of an article, whose plans alone are noted."""
    now = stored_values.moment_text(at)
    for uuid, price, begins, ends, by, earlier, percent in many(connection, _DUE, (now, of)):
        noted = earlier
        if earlier == _NOTHING_NOTED:
            why = PriceReason(PriceCause.PLAN, Decimal(percent) if percent else None)
            _note(connection, uuid, begins, by, why, new=price)
            noted = _BEGIN_NOTED
        if ends is not None and ends <= now:
            if ends > begins:
                _note(connection, uuid, ends, by, PriceReason(PriceCause.PLAN_END), old=price)
            noted = _END_NOTED
        sql = "UPDATE planned_price SET noted = ? WHERE article_uuid = ?"
        connection.execute(sql, (noted, uuid))


def _note(
    connection: apsw.Connection,
    uuid: str,
    at: str,
    by: str,
    why: PriceReason,
    *,
    old: int | None = None,
    new: int | None = None,
) -> None:
    """Note a change from the article's own price, or back to it."""
    base, *article = many(connection, _BASE_AT, (uuid, at))[0]
    was, becomes = (base, new) if why.cause is PriceCause.PLAN else (old, base)
    note_change(connection, article, was, becomes, at=at, by=by, why=why)


def note_change(
    connection: apsw.Connection,
    article: Sequence[str | int | None],
    old: int | None,
    new: int | None,
    *,
    at: str,
    by: str,
    why: PriceReason,
) -> None:
    """Note a change of what an article costs. article: its id, code, name, label and unit."""
    if old != new:
        of = (str(why.cause), _percent_text(why))
        connection.execute(_NOTE, (*article, old, new, at, by, *of))


def _percent_text(why: PriceReason) -> str | None:
    return None if why.percent is None else str(why.percent)


def is_planned(connection: apsw.Connection, article_uuid: str) -> bool:
    """Tell whether a planned price holds now, so that the article's own price is not charged."""
    return first(connection, _HELD, (article_uuid,)) is not None


def keep_plan(
    connection: apsw.Connection, plan: PlannedPrice, *, by: str, at: datetime, why: PriceReason
) -> None:
    """Replace a plan, within a transaction. why: the reason to write it, which is why the price
    changes where the plan holds already. One that is of another measure than the article, which
    had it before, is told as ended. Raises NotFound."""
    found = first(connection, _NAME_AND_UNIT, (plan.article_id,))
    if found is None:
        raise NotFound("article.in_cart", article=plan.article_id)
    name, unit = found
    if plan.unit is not None and not is_measured_alike(plan.unit, unit):
        drop_plan(connection, plan.article_id, by=by, at=at, why=why)
        if not plan.is_over_at(at):
            _tell_ended(connection, name, plan.price)
        return
    before = _charged(connection, plan.article_id, at)
    now = stored_values.moment_text(at)
    begins = stored_values.moment_text(plan.begins_at)
    ends = stored_values.optional_text(plan.ends_at)
    noted = _NOTHING_NOTED
    if begins <= now:
        noted = _BEGIN_NOTED if ends is None or now < ends else _END_NOTED
    price = stored_values.para(plan.price)
    percent = _percent_text(why) if plan.percent is None else str(plan.percent)
    row = (plan.article_id, price, begins, ends, by, now, noted, percent, unit)
    connection.execute(_WRITE, row)
    _note_charged(connection, plan.article_id, before, by=by, at=at, why=why)


def drop_plan(
    connection: apsw.Connection, article_uuid: str, *, by: str, at: datetime, why: PriceReason
) -> None:
    """Take a plan off, within a transaction. why: as `keep_plan` has it."""
    before = _charged(connection, article_uuid, at)
    connection.execute("DELETE FROM planned_price WHERE article_uuid = ?", (article_uuid,))
    _note_charged(connection, article_uuid, before, by=by, at=at, why=why)


def fit_plans(
    connection: apsw.Connection,
    product: int,
    *,
    by: str,
    at: datetime,
    why: PriceReason,
    are_meant: bool,
) -> None:
    """Let no plan be charged for a unit that measures otherwise than the plan's, within a
    transaction: those of a product's articles are taken off, which is noted. product: its row.
    are_meant: a person said that they are the prices of the new unit."""
    for uuid, name, was, unit in many(connection, _OF_OTHER_UNITS, (product,)):
        if are_meant or is_measured_alike(was, unit):
            sql = "UPDATE planned_price SET unit = ? WHERE article_uuid = ?"
            connection.execute(sql, (unit, uuid))
        else:
            _end_plan(connection, uuid, name, by=by, at=at, why=why)


def end_usual_plan(
    connection: apsw.Connection, article_uuid: str, *, by: str, at: datetime, why: PriceReason
) -> None:
    """Let the price of an article, which a platform brought or a person chose, take the place of a
    plan without an end that has begun, within a transaction. It is told unless the price is that
    of the plan."""
    held = first(connection, _USUAL, (article_uuid,))
    article = first(connection, _NAME_AND_PRICE, (article_uuid,))
    if held is None or article is None:
        return
    name, price = article
    if price == held[0]:
        drop_plan(connection, article_uuid, by=by, at=at, why=why)
    else:
        _end_plan(connection, article_uuid, name, by=by, at=at, why=why)


def tell_ended_since(connection: apsw.Connection, article_uuid: str, *, since: datetime) -> None:
    """Tell of the plan that a person took off since a change of an article was made, because the
    change is withdrawn, and the price for which the plan went is not charged any more. A plan ends
    by itself at a whole minute. It runs within a transaction."""
    article = first(connection, _NAME_AND_PRICE, (article_uuid,))
    found = first(connection, _TAKEN_OFF, (article_uuid, stored_values.moment_text(since)))
    if article is None or found is None or plan_of(connection, article_uuid) is not None:
        return
    name, price = article
    ended = EndedPlan(name, stored_values.money(found[0]))
    if found[0] != price and ended not in ended_plans(connection):
        _tell_ended(connection, ended.name, ended.price)


def _end_plan(
    connection: apsw.Connection,
    article_uuid: str,
    name: str,
    *,
    by: str,
    at: datetime,
    why: PriceReason,
) -> None:
    found = first(connection, _STANDS, (article_uuid, stored_values.moment_text(at)))
    if found is not None:
        drop_plan(connection, article_uuid, by=by, at=at, why=why)
        _tell_ended(connection, name, stored_values.money(found[0]))


def join_plan(
    connection: apsw.Connection,
    plan: PlannedPrice,
    name: str,
    *,
    by: str,
    at: datetime,
    why: PriceReason,
    with_values: bool,
) -> None:
    """Give an article the plan of another one that became one with it, within a transaction. A plan
    that goes by that is told as ended: that of the article, or this one where it is of another
    measure, or the other article's price is not taken. name: the other article's."""
    if plan == plan_of(connection, plan.article_id):
        return
    found = first(connection, _NAME_AND_UNIT, (plan.article_id,))
    if found and with_values and is_measured_alike(plan.unit or "", found[1]):
        _end_plan(connection, plan.article_id, found[0], by=by, at=at, why=why)
        keep_plan(connection, plan, by=by, at=at, why=why)
    else:
        _tell_ended(connection, name, plan.price)


def _tell_ended(connection: apsw.Connection, name: str, price: Money) -> None:
    keep_ended(connection, (*ended_plans(connection), EndedPlan(name, price)))


def ended_plans(connection: apsw.Connection) -> tuple[EndedPlan, ...]:
    found = first(connection, "SELECT value FROM meta WHERE name = ?", (_ENDED,))
    kept: Any = loads(found[0].encode()) if found else []
    return tuple(EndedPlan(name, stored_values.money(price)) for name, price in kept)


def keep_ended(connection: apsw.Connection, ended: Iterable[EndedPlan]) -> None:
    kept = dumps([[one.name, stored_values.para(one.price)] for one in ended]).decode()
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_ENDED, kept))


def _charged(connection: apsw.Connection, article_uuid: str, at: datetime) -> int | None:
    """Return what an article costs by what is noted; what is due is noted first."""
    note_due(connection, at, of=article_uuid)
    row = first(connection, _HELD, (article_uuid,))
    if row is None:
        row = first(connection, "SELECT price FROM article WHERE uuid = ?", (article_uuid,))
    return row[0] if row is not None else None


def _note_charged(
    connection: apsw.Connection,
    article_uuid: str,
    before: int | None,
    *,
    by: str,
    at: datetime,
    why: PriceReason,
) -> None:
    sql = "SELECT uuid, sku, name, label, unit, price FROM article WHERE uuid = ?"
    found = first(connection, sql, (article_uuid,))
    if found is None:
        return
    *article, own = found
    held = first(connection, _HELD, (article_uuid,))
    if why.cause is PriceCause.EDIT:
        why = PriceReason(PriceCause.PLAN if held is not None else PriceCause.PLAN_END)
    becomes, moment = (own if held is None else held[0]), stored_values.moment_text(at)
    note_change(connection, article, before, becomes, at=moment, by=by, why=why)
