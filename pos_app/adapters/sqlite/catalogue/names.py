"""The shop's units and categories in `catalogue.db`: what hangs on each, and its changes.

An article's row has the words of its unit and no id, so the words of all articles of a unit are
exchanged by its symbol and name together. The functions that write run within a transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app.adapters.sqlite.catalogue.bulk_acts import act_under_way
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.lists import add_units, names_of, write_name
from pos_app.adapters.sqlite.catalogue.name_edits import keep_name_edit, name_edit, name_edits
from pos_app.adapters.sqlite.catalogue.rows import first, many, units_of
from pos_app.domain.article.name_words import twin_of
from pos_app.domain.article.product import USUAL_UNITS, Unit
from pos_app.errors import NotAllowed, NotFound
from pos_app.selling.catalogue.bulk_act import EndingName
from pos_app.selling.catalogue.names import check_name
from pos_app.selling.synchronisation.catalogue_edits import EditSide
from pos_app.selling.synchronisation.name_edits import (
    IN_USE,
    NameEdit,
    changed_here,
    decided,
    kind_of,
)
from pos_app.selling.synchronisation.own_names import Named, NameKind, same_named

_NAMING = """
SELECT uuid FROM product WHERE id IN (SELECT product FROM source WHERE instr(document, ?1))
UNION
SELECT product_uuid FROM edit
WHERE state IN ('waiting', 'sending', 'conflict', 'refused') AND instr(document, ?1)
"""
_HAVING = {
    NameKind.UNIT: "SELECT p.uuid FROM product_unit u JOIN product p ON p.id = u.product"
    " WHERE u.unit = ?",
    NameKind.CATEGORY: "SELECT p.uuid FROM category c JOIN product_category h ON h.category = c.id"
    " JOIN product p ON p.id = h.product WHERE c.uuid = ?",
}
_RESPELL_PRODUCTS = """
UPDATE product SET unit = ?1 WHERE unit = ?2
    AND id IN (SELECT product FROM article WHERE unit = ?2 AND unit_name = ?3)
"""
_RESPELL = "UPDATE article SET unit = ?1, unit_name = ?2 WHERE unit = ?3 AND unit_name = ?4"
_WORDLESS = """
SELECT DISTINCT p.uuid FROM product_unit u JOIN product p ON p.id = u.product
JOIN article a ON a.product = p.id WHERE u.unit = ? AND a.unit = '' AND a.unit_name = ''
"""
_PLANNED = "SELECT 1 FROM planned_row WHERE instr(after, ?) LIMIT 1"


def named(connection: apsw.Connection, ending: EndingName) -> Named | None:
    return names_of(connection, ending.kind).get(ending.id)


def products_having(connection: apsw.Connection, kind: NameKind, name_id: str) -> list[str]:
    """The products that have a unit, for sale or as their base, or a category, themselves or by a
    variant."""
    return [row[0] for row in many(connection, _HAVING[kind], (name_id,))]


def has_articles(connection: apsw.Connection, named: Named) -> bool:
    """Whether a product of the list has this unit or category."""
    return first(connection, _HAVING[kind_of(named)], (named.id,)) is not None


def _has_twin(connection: apsw.Connection, unit: Unit) -> bool:
    words = (unit.symbol, unit.name)
    others = units_of(connection).values()
    return any((one.symbol, one.name) == words and one.id != unit.id for one in others)


# --- what a manager does -------------------------------------------------------------------------


def add_name(connection: apsw.Connection, named: Named, *, by: str, at: datetime) -> None:
    """Add a unit or category. Raises Invalid, which names the field."""
    kind = _checked(connection, named, None)
    edit = changed_here(name_edit(connection, kind, named.id), None, named, by=by, at=at)
    keep_name_edit(connection, kind, named.id, edit)
    write_name(connection, named)


def change_name(
    connection: apsw.Connection,
    index: CatalogueIndex,
    old: Named,
    new: Named,
    *,
    by: str,
    at: datetime,
) -> None:
    """Turn a unit or category, as it was shown, into another of the same id, in the place that it
    has by now. What was sold stays as it was. Raises NotFound, Invalid, NotAllowed where it is not
    called any more as it was shown."""
    kind = kind_of(new)
    here = names_of(connection, kind).get(old.id)
    if here is not None:
        old, new = (replace(one, position=here.position) for one in (old, new))
    _checked(connection, new, old)
    edit = changed_here(name_edit(connection, kind, old.id), old, new, by=by, at=at)
    keep_name_edit(connection, kind, old.id, edit)
    if isinstance(old, Unit) and isinstance(new, Unit):
        respell(connection, index, old, new, by=by, at=at)
    write_name(connection, new)


def _checked(connection: apsw.Connection, new: Named, old: Named | None) -> NameKind:
    kind = kind_of(new)
    here = names_of(connection, kind)
    if old is not None:
        if old.id not in here:
            raise NotFound("choice")
        if here[old.id] != old:
            raise NotAllowed("name_changed")
    others = [one for one in here.values() if one.id != new.id]
    check_name(new, others, old=old, has_articles=old is not None and has_articles(connection, old))
    return kind


def respell(
    connection: apsw.Connection,
    index: CatalogueIndex,
    old: Unit,
    new: Unit,
    *,
    by: str,
    at: datetime,
) -> None:
    """Give the articles of a unit its new words."""
    if (old.symbol, old.name) == (new.symbol, new.name):
        return
    if _has_twin(connection, old):
        index.units = {**index.units, new.id: new}
        for uuid in products_having(connection, NameKind.UNIT, old.id):
            index.show(uuid, by=by, at=at)
        return
    connection.execute(_RESPELL_PRODUCTS, (new.symbol, old.symbol, old.name))
    connection.execute(_RESPELL, (new.symbol, new.name, old.symbol, old.name))


def order_names(
    connection: apsw.Connection, ordered: Collection[Named], *, by: str, at: datetime
) -> None:
    """Give these units or categories their positions, from 1, in this order."""
    for position, one in enumerate(ordered, 1):
        kind = kind_of(one)
        now = names_of(connection, kind).get(one.id)
        if now is None or now.position == position:
            continue
        new = replace(now, position=position)
        edit = changed_here(name_edit(connection, kind, one.id), now, new, by=by, at=at)
        keep_name_edit(connection, kind, one.id, edit)
        write_name(connection, new)


def delete_name(connection: apsw.Connection, named: Named, *, by: str, at: datetime) -> None:
    """Delete a unit or category on which nothing hangs. One that is gone already stays so. Raises
    NotAllowed where an article has it, or a change of many articles that is under way names it."""
    kind = kind_of(named)
    now = names_of(connection, kind).get(named.id)
    if now is None:
        return
    _check_unused(connection, now)
    edit = changed_here(name_edit(connection, kind, now.id), now, None, by=by, at=at)
    keep_name_edit(connection, kind, now.id, edit)
    forget_name(connection, now)


def _check_unused(connection: apsw.Connection, named: Named) -> None:
    if has_articles(connection, named):
        raise NotAllowed("name_in_use")
    if act_under_way(connection) and first(connection, _PLANNED, (named.id,)):
        raise NotAllowed("bulk_open")


def forget_name(connection: apsw.Connection, named: Named) -> None:
    sql = "UPDATE category SET name = NULL WHERE uuid = ?"
    if isinstance(named, Unit):
        sql = "DELETE FROM unit WHERE uuid = ?"
    connection.execute(sql, (named.id,))


def decide_name(
    connection: apsw.Connection,
    index: CatalogueIndex,
    edit: NameEdit,
    side: EditSide,
    *,
    by: str,
    at: datetime,
) -> None:
    """A person's answer about a change that was refused, or that both sides made, as it was shown.
    Raises NotFound where it is not that any more, NotAllowed as `delete_name` does."""
    if name_edit(connection, edit.kind, edit.id) != edit:
        raise NotFound("choice")
    gone = edit.theirs or edit.base
    if side is EditSide.OURS and edit.ours is None and gone is not None:
        _check_unused(connection, gone)
        forget_name(connection, gone)
    keep_name_edit(connection, edit.kind, edit.id, decided(edit, side))
    if side is EditSide.OURS:
        return
    if edit.theirs is None:
        if edit.was_lost and edit.ours and not has_articles(connection, edit.ours):
            forget_name(connection, edit.ours)
        return
    here = names_of(connection, edit.kind).get(edit.id)
    if isinstance(here, Unit) and isinstance(edit.theirs, Unit):
        respell(connection, index, here, edit.theirs, by=by, at=at)
    write_name(connection, edit.theirs)


def bring_back(connection: apsw.Connection, named: Named, *, by: str, at: datetime) -> None:
    """Bring back a unit or category that was deleted here: the deletion that waits ends, else the
    platform gets it as a new one. Raises NotAllowed where another one has its name or symbol by
    now."""
    kind = kind_of(named)
    others = [one for one in names_of(connection, kind).values() if one.id != named.id]
    twin = twin_of(named, others, "name", "symbol")
    if twin is not None:
        raise NotAllowed("name_twin", name=named.name, other=twin.name)
    edit = changed_here(name_edit(connection, kind, named.id), None, named, by=by, at=at)
    keep_name_edit(connection, kind, named.id, edit)
    write_name(connection, named)


# --- what a list brings --------------------------------------------------------------------------


def add_listed_units(
    index: CatalogueIndex, units: Iterable[Unit], *, by: str, at: datetime
) -> None:
    """Add the units of a list that are not here yet, and give their words to the articles that came
    before them."""
    connection = index.connection
    here = units_of(connection)
    new = {one.id: one for one in units if one.id not in here}
    add_units(connection, [*new.values()])
    index.units = {**index.units, **new}
    for unit_id in new:
        for (uuid,) in many(connection, _WORDLESS, (unit_id,)):
            index.show(uuid, by=by, at=at)


def withdraw_deletions(index: CatalogueIndex, *, by: str, at: datetime) -> None:
    """Put units and categories that were deleted here back into the list where an article has them
    by now; a person is told."""
    connection = index.connection
    for edit in name_edits(connection):
        gone = edit.theirs or edit.base
        if not edit.is_deletion or gone is None or not has_articles(connection, gone):
            continue
        left = replace(edit, error=IN_USE, stays=False, on_way=None)
        keep_name_edit(connection, edit.kind, edit.id, left)
        if isinstance(gone, Unit):
            add_listed_units(index, (gone,), by=by, at=at)
        else:
            write_name(connection, gone)


# --- what a list no longer has -------------------------------------------------------------------


def drop_unlisted_units(connection: apsw.Connection, listed: Collection[Unit]) -> None:
    """Drop the units that a platform lists no more, unless something here still needs them. The
    usual units stay, unless the platform lists the same under another id: they are this shop's own
    until they are used."""
    listed_too = same_named(USUAL_UNITS, [*listed])
    kept = {one.id for one in listed} | {one.id for one in USUAL_UNITS} - listed_too.keys()
    drop_unneeded_units(connection, units_of(connection).keys() - kept)


def drop_unneeded_units(connection: apsw.Connection, ids: Collection[str]) -> None:
    """Drop those of these units that no article has, and that nobody changed here."""
    changed = {edit.id for edit in name_edits(connection, NameKind.UNIT)}
    here = units_of(connection)
    for unit in (here[one] for one in ids if one in here and one not in changed):
        if not _is_needed(connection, unit):
            forget_name(connection, unit)


def _is_needed(connection: apsw.Connection, unit: Unit) -> bool:
    if has_articles(connection, unit) or first(connection, _PLANNED, (unit.id,)):
        return True
    return first(connection, _NAMING, (unit.id,)) is not None
