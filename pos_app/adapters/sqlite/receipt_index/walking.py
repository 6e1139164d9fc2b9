"""Reads through receipts, the newest first, on the way with the fewest rows, in a bounded time.

A walk goes in blocks, small ones first: where hits are dense the first block fills a page, and
where they are rare a large block costs little for each row. It ends at a limit of rows or time, and
returns its position, from which the caller continues. No block is begun that would not end in time.

A row costs 0.5 µs where they are read one after the other, by time, and four times that where each
is looked up by its position.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from typing import Any, cast

import apsw

from pos_app.adapters.sqlite.receipt_index.conditions import (
    MOST_MERGED,
    MOST_SORTED,
    Conditions,
    Key,
    Way,
    as_list,
    receipts_in,
)
from pos_app.lazy_dataclass import dataclass

MOST_WALKED = 40_000
"""The limit for a page, in rows by time."""
MOST_SUMMED = 60_000
SUM_SECONDS = 0.1
FIRST_SECONDS = 0.02
FURTHER_SECONDS = 0.0025
"""The times for the first page and for others, by prediction: a disk may be slower."""
_FEWEST = 32
"""The least rows of a block, because a block has costs of its own."""
_DENSE = 4
"""Where at least one receipt of this many is a hit, the receipts are read by time."""
_BLOCKS = (64, 256, 512)
_BLOCKS_BY_TIME = (64, 512, 2_048)
_BY_POSITION = 4
_MERGED = 16
_COLUMNS = (
    "receipt.at, receipt.row, receipt.id, head, counter, total, kind, methods, cashier, program,"
    " buyer, e_invoice, referent"
)
_BEFORE = "(receipt.at, receipt.row) < (?, ?) AND receipt.at >= ?"
_WITHIN = "(receipt.at, receipt.row) < (?, ?) AND (receipt.at, receipt.row) >= (?, ?)"
"""There is no further bound beside these: SQLite takes only one for each end."""
_NEWEST_FIRST = "ORDER BY receipt.at DESC, receipt.row DESC"
_OF_FACET = (
    "SELECT at, row FROM facet WHERE entry = ? AND (at, row) < (?, ?) AND at >= ?"
    " ORDER BY at DESC, row DESC LIMIT ?"
)
_OF_FACETS = (
    "SELECT DISTINCT at, row FROM facet WHERE entry IN (SELECT value FROM json_each(?))"
    " AND (at, row) < (?, ?) AND at >= ? ORDER BY at DESC, row DESC LIMIT ?"
)
_END_OF_BLOCK = f"SELECT at, row FROM receipt WHERE {_BEFORE} {_NEWEST_FIRST} LIMIT 1 OFFSET ?"
_KEYS = (  # CROSS JOIN keeps the order of the keys, without sorting; a page ends where it is full
    " FROM json_each(?) AS key CROSS JOIN receipt ON receipt.at = key.value ->> 0"
    " AND receipt.row = key.value ->> 1"
)


@dataclass(frozen=True, slots=True)
class Walked:
    """The rows of a walk. rows: have the columns of `_COLUMNS`. end: the position behind which the
    next page begins, if any. is_cut: it ended before the page was full."""

    rows: list[Any]
    end: Key | None
    is_cut: bool = False


def walk(
    connection: apsw.Connection,
    conditions: Conditions,
    after: Key | None,
    most: int,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Walked:
    """Return at most `most` receipts that meet the conditions, behind `after`."""
    start = conditions.first if after is None else min(after, conditions.first)
    if conditions.finds_nothing or most < 1:
        return Walked([], None)
    _teach(connection, conditions)
    pace = _Pace(MOST_WALKED, FIRST_SECONDS if after is None else FURTHER_SECONDS, clock)
    found, end = list[Any](), None
    way, select = _way(connection, conditions), _SelectRows(most + 1)
    for reached, rows in _blocks(connection, conditions, way, start, select, pace=pace):
        found, end = found + rows, reached
        if len(found) > most:
            return Walked(found[:most], (found[most - 1][0], found[most - 1][1]))
    return Walked(found, end, is_cut=end is not None and len(found) < most)


def sums(
    connection: apsw.Connection,
    conditions: Conditions,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> dict[int, tuple[int, int]] | None:
    """Return number and amount of the receipts that meet the conditions, by kind, or None where too
    many would have to be read."""
    if conditions.finds_nothing:
        return {}
    _teach(connection, conditions)
    way = _way(connection, conditions)
    if not conditions.has_period and _cost_of_all(connection, way) > MOST_SUMMED:
        return None
    values, end = dict[int, tuple[int, int]](), None
    pace, first = _Pace(MOST_SUMMED, SUM_SECONDS, clock), conditions.first
    for reached, rows in _blocks(connection, conditions, way, first, _SelectSums(), pace=pace):
        end = reached
        for kind, receipts, total in rows:
            before = values.get(kind, (0, 0))
            values[kind] = (before[0] + receipts, before[1] + total)
    return values if end is None else None


def rows_at(connection: apsw.Connection, keys: list[Key]) -> list[Any]:
    """Return the rows at these positions, the newest first."""
    pairs = _as_pairs(sorted(keys, reverse=True))
    return connection.execute(f"SELECT {_COLUMNS}{_KEYS}", (pairs,)).fetchall()


def _teach(connection: apsw.Connection, conditions: Conditions) -> None:
    for name, function in conditions.functions.items():
        connection.create_scalar_function(name, cast("Any", function), 1)


@dataclass(frozen=True, slots=True)
class _SelectRows:
    most: int
    columns: str = _COLUMNS

    @property
    def end(self) -> str:
        return f"LIMIT {self.most}"

    @property
    def end_by_time(self) -> str:
        return f"{_NEWEST_FIRST} {self.end}"


@dataclass(frozen=True, slots=True)
class _SelectSums:
    columns: str = "kind, count(*), sum(total)"
    end: str = "GROUP BY kind"
    end_by_time: str = end


_Block = tuple[Key | None, list[Any]]
"""The position where the next block begins, None at the end, and the found rows."""


class _Pace:
    """The number of rows of each block of a walk, as far as there is room and time."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._clock = most, clock
        self._began = clock()
        self._seconds = seconds

    def sizes(self, blocks: tuple[int, ...], *, cost: int) -> Iterator[int]:
        """Iterate over the sizes of blocks: the first in any case, then those for which there is
        time at the speed so far. cost: the cost of a row."""
        rows = 0
        for wanted in chain(blocks, repeat(blocks[-1])):
            size, took = wanted, self._clock() - self._began
            if rows and took > 0:
                size = min(wanted, int((self._seconds - took) / took * rows))
            if rows * cost >= self._most or size < min(wanted, _FEWEST):
                return
            yield size
            rows += size


def _blocks(
    connection: apsw.Connection,
    conditions: Conditions,
    way: Way | None,
    start: Key,
    select: _SelectRows | _SelectSums,
    *,
    pace: _Pace,
) -> Iterator[_Block]:
    if way is None:
        yield from _by_time(connection, conditions, start, select, pace=pace)
        return
    keys = _keys(connection, conditions, way, start)
    sql = " AND ".join(["1", *conditions.sql])
    for size in pace.sizes(_BLOCKS, cost=_BY_POSITION):
        block = list(islice(keys, size))
        rows = connection.execute(
            f"SELECT {select.columns}{_KEYS} WHERE {sql} {select.end}",
            (_as_pairs(block), *conditions.values),
        ).fetchall()
        yield block[-1] if len(block) == size else None, rows
        if len(block) < size:
            return


def _by_time(
    connection: apsw.Connection,
    conditions: Conditions,
    start: Key,
    select: _SelectRows | _SelectSums,
    *,
    pace: _Pace,
) -> Iterator[_Block]:
    sql = " AND ".join([_WITHIN, *conditions.sql])
    everything = f"SELECT {select.columns} FROM receipt WHERE {sql} {select.end_by_time}"
    for size in pace.sizes(_BLOCKS_BY_TIME, cost=1):
        bounds = (*start, conditions.since)
        last = connection.execute(_END_OF_BLOCK, (*bounds, size - 1)).fetchone()
        end: Key = (conditions.since, -1) if last is None else (last[0], last[1])
        rows = connection.execute(everything, (*start, *end, *conditions.values)).fetchall()
        yield None if last is None else end, rows
        if last is None:
            return
        start = end


def _way(connection: apsw.Connection, conditions: Conditions) -> Way | None:
    """Return the way with the fewest receipts, or None for that by time."""
    ways = [one for one in conditions.ways if _can_be_taken(one)]
    best = min(ways, key=lambda one: one.rows, default=None)
    if best is None:
        return None
    return best if best.rows * _DENSE <= receipts_in(connection) else None


def _cost_of_all(connection: apsw.Connection, way: Way | None) -> int:
    return receipts_in(connection) if way is None else way.rows * _BY_POSITION


def _can_be_taken(way: Way) -> bool:
    if way.select or len(way.entries) > MOST_MERGED:
        return way.rows <= MOST_SORTED
    return True


def _keys(
    connection: apsw.Connection, conditions: Conditions, way: Way, start: Key
) -> Iterator[Key]:
    """Iterate over the positions on a way, the newest first, each once."""
    bounds = (*start, conditions.since)
    if way.select:
        sql = f"{way.select} {_BEFORE} {_NEWEST_FIRST}"
        yield from _positions(connection, sql, *way.values, *bounds)
    elif len(way.entries) > MOST_MERGED:
        yield from _positions(connection, _OF_FACETS, as_list(way.entries), *bounds, way.rows)
    else:
        last = None
        streams = [_of_facet(connection, entry, start, conditions.since) for entry in way.entries]
        for key in heapq.merge(*streams, reverse=True):
            if key != last:
                yield key
            last = key


def _of_facet(connection: apsw.Connection, entry: int, start: Key, since: int) -> Iterator[Key]:
    size = _MERGED
    while True:
        rows = _positions(connection, _OF_FACET, entry, *start, since, size)
        yield from rows
        if len(rows) < size:
            return
        start, size = rows[-1], min(size * 4, 4_096)


def _positions(connection: apsw.Connection, sql: str, *values: int | str) -> list[Key]:
    found: list[Any] = connection.execute(sql, values).fetchall()
    return found


def _as_pairs(keys: list[Key]) -> str:
    return f"[{','.join(f'[{at},{row}]' for at, row in keys)}]"
