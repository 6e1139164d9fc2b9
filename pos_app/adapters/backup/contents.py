"""Counts what a shop's databases hold, and what would be missing with the databases of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import apsw

from pos_app import log, resources
from pos_app.adapters.data_folder import CATALOGUE, JOURNAL, TILL
from pos_app.adapters.sqlite.journal.rows import moment_of
from pos_app.adapters.sqlite.read_only import reading
from pos_app.adapters.sqlite.till.unsent import going_along
from pos_app.domain.article.product import USUAL_UNITS
from pos_app.domain.money.money import Money
from pos_app.domain.setup.backup import Lacking, SetHolds
from pos_app.errors import MachineError
from pos_app.wire.strict_json import loads

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

_TILL_ROWS = {
    "carts": (
        "SELECT key, revision FROM carts"
        " WHERE state IN ('open', 'held') AND id IN (SELECT cart_id FROM cart_lines)"
    ),
    "shifts": (
        "SELECT 'shift', id, closed_at FROM shifts"
        " UNION ALL SELECT 'count', c.id, c.counted FROM counts c JOIN shifts s ON s.id = shift_id"
        " WHERE s.closed_at IS NULL"
        " UNION ALL SELECT 'float', after_shift, counted FROM float_counts"
        " WHERE after_shift >= (SELECT coalesce(max(id), 0) FROM shifts)"
    ),
    "cash_moves": "SELECT id, at FROM cash_moves",
    "collected": (
        "SELECT id, at FROM collected UNION ALL SELECT -id, at FROM collected_taken_back"
    ),
    "acts": "SELECT id, at FROM acts UNION ALL SELECT -id, at FROM drawer_openings",
    "decisions": (
        "SELECT 'pair', receipt_id FROM pair_decisions"
        " UNION ALL SELECT 'restore', number FROM restores WHERE closed_at IS NOT NULL"
    ),
}
"""The rows of `till.db` whose loss is counted. Of these nothing is deleted that a person could
miss."""
_CATALOGUE_ROWS = {
    "edits": (
        "SELECT 'edit', key FROM edit UNION ALL SELECT 'row', id || article_uuid FROM planned_row"
        " WHERE (SELECT state FROM bulk_act) <> 'planning'"
    ),
    "decisions": "SELECT origin, answered_at FROM joining WHERE answer <> ''",
    "stores": "SELECT store, ours FROM store_edit WHERE ours <> theirs OR sent NOTNULL",
}
_TILL_REGISTERS = {
    "buyers": "SELECT id, name, email FROM buyers",
    "people": "SELECT id, name, role, pin, badge, removed_at FROM people",
    "rights": "SELECT act || ' ' || role, cell FROM rights",
}
"""The rows of `till.db` that a person adds, changes and deletes. The first column names a row."""
_CATALOGUE_REGISTERS = {
    "names": (
        "SELECT uuid, name, symbol FROM unit UNION ALL"
        " SELECT uuid, name, NULL FROM category WHERE name IS NOT NULL"
    ),
    "planned_prices": "SELECT article_uuid, price, begins_at, ends_at FROM planned_price",
    "labels": "SELECT article_uuid, at FROM label_print",
}
NOT_COUNTED = {
    TILL: {
        "made_by": "names the program's version",
        "meta": "what the till remembers of its server",
        "missed_codes": "told with their cart",
        "cart_additions": "each change of them changes the revision of their cart",
        "waiting_sales": "made of sales",
        "sale_payments": "told with their sale",
        "sale_events": "told with their sale, or as acts",
        "sale_moves": "fixed",
        "names": "made of people",
        "unknown_pins": "counts wrong PINs",
        "owed_papers": "told with their shift",
        "given_for_advance": "typed, and not confirmed",
    },
    CATALOGUE: {
        "made_by": "names the program's version",
        "meta": "what the till remembers of lists and sheets",
        "store": "the platform's list, with store_edit",
        "product": "made of lists and edits",
        "source": "the platform's list",
        "article": "made of product",
        "barcode": "made of product",
        "product_category": "made of product",
        "product_unit": "made of product",
        "search": "made of product",
        "picture": "the photos are put back by themselves",
        "mark": "made of lists and edits",
        "sold": "made of sales",
        "best_seller": "made of sales",
        "sold_amount": "made of sales",
        "edit_move": "fixed",
        "name_edit": "shown in unit and category",
        "price_change": "told with edits and planned prices",
        "gone": "made of the platform's list",
        "sync_run": "tells of lists",
        "platform": "what the till remembers of the platform's list",
        "last_change": "told with edits",
        "changed_article": "told with edits",
    },
}
"""The tables whose rows are not counted, and why their loss needs no words of its own. Each other
table of these databases is read here."""
_HISTORIES = {
    TILL: "SELECT id, at FROM acts",
    CATALOGUE: "SELECT 'edit', key FROM edit UNION ALL SELECT id, at FROM price_change",
}
"""Rows that are never deleted."""

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
                counts = counted[name](here, there)
                decisions = found.get("decisions", 0) + counts.get("decisions", 0)
                found |= {**counts, "decisions": decisions}
        except (MachineError, apsw.Error, OSError) as error:
            _log.warning("what is in %s can't be counted: %s", name, error)
            unread.append(name.as_posix())
    return Lacking(**found, unread=tuple(unread))


def without_setting_up(lacking: Lacking) -> Lacking:
    """Leave out what whoever sets a till up makes, the first manager among it: without a sale
    nobody asks about that."""
    lacking = without_first_manager(lacking)
    return replace(lacking, acts=0, names=0, stores=0, decisions=0)


def without_first_manager(lacking: Lacking) -> Lacking:
    """Leave out the manager whom a first start makes."""
    return replace(lacking, people=max(0, lacking.people - 1))


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
        **_counted(here, there, TILL),
    }


def _of_catalogue(here: apsw.Connection, there: apsw.Connection) -> dict[str, Any]:
    return _counted(here, there, CATALOGUE)


def _counted(here: apsw.Connection, there: apsw.Connection, path: Path) -> dict[str, int]:
    """Count the rows that are here and not in the set, or otherwise in it. A row of a register that
    only the set has is counted too, if what is here follows the set: it was deleted since."""
    rows, registers = (
        (_TILL_ROWS, _TILL_REGISTERS) if path == TILL else (_CATALOGUE_ROWS, _CATALOGUE_REGISTERS)
    )
    counted = Counter({one: len(_rows(here, sql) - _rows(there, sql)) for one, sql in rows.items()})
    history = _rows(there, _HISTORIES[path])
    own = {"names": _names_of_first_start()} if path == CATALOGUE else {}
    follows = bool(history) and history <= _rows(here, _HISTORIES[path])
    for name, sql in registers.items():
        theirs = _rows(there, sql)
        ours = _rows(here, sql) - (own.get(name, frozenset()) - theirs)
        other = ours ^ theirs if follows else ours - theirs
        counted[name] += len({row[0] for row in other})
    return dict(counted)


@cache
def _names_of_first_start() -> frozenset[tuple[Any, ...]]:
    """The units and categories that a first start writes by itself, also that of a demo."""
    text = (resources.folder() / "demo" / "catalogue.json").read_bytes()
    demo: Any = loads(text)
    listed = {(one["id"], one["name"], one["symbol"]) for one in demo["units"]}
    usual = {(one.id, one.name, one.symbol) for one in USUAL_UNITS}
    categories = {(one["id"], one["name"], None) for one in demo["categories"]}
    return frozenset(listed | usual | categories)


def _rows(connection: apsw.Connection, rows: str) -> set[tuple[Any, ...]]:
    """Read rows that are each another one. A file of another version may have no such table."""
    try:
        return set(connection.execute(rows))
    except apsw.SQLError:
        return set()
