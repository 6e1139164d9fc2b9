"""Counts what a shop's databases hold, and what would be missing with the databases of a set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from pos_app import log
from pos_app.adapters.data_folder import CATALOGUE, JOURNAL, TILL
from pos_app.adapters.sqlite.journal.rows import moment_of
from pos_app.adapters.sqlite.read_only import reading
from pos_app.adapters.sqlite.till.unsent import going_along
from pos_app.domain.money.money import Money
from pos_app.domain.setup.backup import Lacking, SetHolds
from pos_app.errors import MachineError

_OF_JOURNAL = "SELECT count(*), max(sdc_time) FROM receipts"
_OF_TILL = (
    "SELECT count(*), coalesce(max(sequence), 0),"
    " count(*) FILTER (WHERE state NOT IN ('done', 'cancelled')) FROM sales"
)
_OF_CATALOGUE = "SELECT count(*) FROM article"
_RECEIPTS = "SELECT number, sdc_time FROM receipts"
_DOUBTS = "SELECT id FROM requests WHERE state IN ('sending', 'unknown', 'needs_human')"
_SALES = "SELECT key, sequence, state NOT IN ('done', 'cancelled'), total FROM sales"
_KEYS = "SELECT key FROM sales"
_CARTS = "SELECT key FROM carts WHERE state IN ('open', 'held') AND id IN (SELECT cart_id FROM {})"
_SHIFTS = "SELECT id, closed_at FROM shifts"
_MOVES = "SELECT id, at FROM cash_moves"
_COLLECTED = "SELECT id, at FROM collected UNION ALL SELECT -id, at FROM collected_taken_back"
_ACTS = "SELECT id, at FROM acts"
_EDITS = "SELECT key FROM edit"
_ADDED_PEOPLE = "SELECT id, name FROM people WHERE id > (SELECT min(id) FROM people)"
"""The first one is the manager with whom a till begins."""

_log = log.get(__name__)


def holds_of(readers: Mapping[Path, apsw.Connection]) -> SetHolds | None:
    """Count what these open databases hold, or return None where another version made one of them,
    because its tables are unknown."""
    try:
        receipts = last = sales = last_sale = waiting = articles = None
        if JOURNAL in readers:
            receipts, last = readers[JOURNAL].execute(_OF_JOURNAL).get
        if TILL in readers:
            sales, last_sale, waiting = readers[TILL].execute(_OF_TILL).get
        if CATALOGUE in readers:
            articles = readers[CATALOGUE].execute(_OF_CATALOGUE).get
    except apsw.SQLError as error:
        _log.info("what is in a database is not counted: %s", error)
        return None
    moment = None if last is None else moment_of(last)
    return SetHolds(receipts or 0, moment, sales or 0, last_sale or 0, waiting or 0, articles or 0)


def lacking_with(data: Path, folder: Path | None, names: Collection[Path]) -> Lacking:
    """Count what these databases of a data folder have and those of a set lack. folder: None to
    count all that they have."""
    along = () if folder is None or TILL not in names else _going_along(data, folder)
    found: dict[str, Any] = {"taken_along": len(along)}
    unread = []
    counted: dict[Path, Callable[[apsw.Connection, apsw.Connection], dict[str, Any]]] = {
        JOURNAL: _of_journal,
        TILL: partial(_of_till, along=along),
        CATALOGUE: _of_catalogue,
    }
    for name in names:
        if not (data / name).exists():
            continue
        try:
            with reading(data / name) as here, _reading_set(folder, name) as there:
                found |= counted[name](here, there)
        except (MachineError, apsw.Error, OSError) as error:
            _log.warning("what is in %s can't be counted: %s", name, error)
            unread.append(name.as_posix())
    return Lacking(**found, unread=tuple(unread))


def _reading_set(folder: Path | None, name: Path) -> AbstractContextManager[apsw.Connection]:
    """Connect to the database of the set, or to an empty one."""
    return closing(apsw.Connection(":memory:")) if folder is None else reading(folder / name)


def _of_journal(here: apsw.Connection, there: apsw.Connection) -> dict[str, Any]:
    known = {number for number, _ in _rows(there, _RECEIPTS)}
    times = sorted(at for number, at in here.execute(_RECEIPTS) if number not in known)
    doubts = {one for (one,) in here.execute(_DOUBTS)} - {one for (one,) in _rows(there, _DOUBTS)}
    found: dict[str, Any] = {"receipts": len(times), "doubts": len(doubts)}
    if times:
        found |= {"first_receipt": moment_of(times[0]), "last_receipt": moment_of(times[-1])}
    return found


def _going_along(data: Path, folder: Path) -> Collection[str]:
    """Return keys of the sales here that go into the till's file of the set (`take_along`)."""
    if not (data / TILL).exists():
        return ()
    try:
        with reading(data / TILL) as here, reading(folder / TILL) as there:
            return {row["key"] for row in going_along(there, here)}
    except (MachineError, apsw.Error, OSError) as error:
        _log.warning("which sales would go along can't be told: %s", error)
        return ()


def _of_till(
    here: apsw.Connection, there: apsw.Connection, *, along: Collection[str]
) -> dict[str, Any]:
    known = {key for (key,) in _rows(there, _KEYS)} | set(along)
    sales = [sale for key, *sale in here.execute(_SALES) if key not in known]
    numbers = [number for number, _, _ in sales] or [0]
    unsent = [total for _, waits, total in sales if waits]
    return {
        "sales": len(sales),
        "first_sale": min(numbers),
        "last_sale": max(numbers),
        "waiting": len(unsent),
        "unsent": Money.of_para(sum(unsent)),
        "carts": _more(here, there, _CARTS.format("cart_lines")),
        "shifts": _more(here, there, _SHIFTS),
        "cash_moves": _more(here, there, _MOVES),
        "collected": _more(here, there, _COLLECTED),
        "acts": _more(here, there, _ACTS),
        "people": _more(here, there, _ADDED_PEOPLE),
    }


def _of_catalogue(here: apsw.Connection, there: apsw.Connection) -> dict[str, Any]:
    return {"edits": _more(here, there, _EDITS)}


def _more(here: apsw.Connection, there: apsw.Connection, rows: str) -> int:
    """Count the rows that are here and not there."""
    return len(_rows(here, rows) - _rows(there, rows))


def _rows(connection: apsw.Connection, rows: str) -> set[tuple[Any, ...]]:
    """Read rows that are each another one. A file of another version may have no such table."""
    try:
        return set(connection.execute(rows))
    except apsw.SQLError:
        return set()
