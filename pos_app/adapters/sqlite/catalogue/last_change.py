"""The last change of many articles in `catalogue.db`. The writing functions run within the
transaction of the change itself, or of its undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from pos_app.adapters.sqlite.catalogue.bulk_acts import rename_end
from pos_app.adapters.sqlite.catalogue.name_edits import named_of
from pos_app.adapters.sqlite.catalogue.rows import document_of, first, many
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.selling.catalogue.last_change import ChangedArticle, ChangeKind, LastChange
from pos_app.selling.catalogue.made_ids import NewNames
from pos_app.wire.document_ids import MEMBER_OF, IdMembers
from pos_app.wire.strict_json import dumps

_FORGET = ("DELETE FROM changed_article", "DELETE FROM last_change")
_HEAD = """
INSERT INTO last_change (one, kind, name, by, at, articles, categories)
VALUES (1, ?, ?, ?, ?, 0, '{}')
"""
_MORE = """
UPDATE last_change SET articles = articles + ?, categories = json_patch(categories, ?),
    units = json_patch(units, ?)
"""
_ARTICLE = """
INSERT INTO changed_article (product_uuid, article_uuid, name, before, after)
VALUES (?, ?, ?, ?, ?)
"""
_LATEST = """
SELECT id, product_uuid, article_uuid, name, before, after FROM changed_article
WHERE id < ? ORDER BY id DESC LIMIT ?
"""


class SqliteChangeLog:
    """A change that is being made: the port `selling.catalogue.last_change.ChangeLog`."""

    def __init__(self, connection: apsw.Connection, change: LastChange) -> None:
        self._connection = connection
        self._change = change
        self._is_begun = is_of(connection, change)

    def add(self, changed: Sequence[ChangedArticle], made: NewNames, *, many: int) -> None:
        if not changed and made.is_empty:
            return
        connection, change = self._connection, self._change
        if not self._is_begun:
            for sql in _FORGET:
                connection.execute(sql)
            head = (change.kind.value, change.name, change.by, moment_text(change.at))
            connection.execute(_HEAD, head)
            self._is_begun = True
        rows = [
            (
                one.product_id,
                one.article_id,
                one.name,
                None if one.before is None else _text(one.before),
                _text(one.after),
            )
            for one in changed
        ]
        connection.executemany(_ARTICLE, rows)
        connection.execute(_MORE, (many, _text(made.categories), _text(made.units)))


def is_of(connection: apsw.Connection, change: LastChange) -> bool:
    """Tell whether the kept change is this one, which was cut and is carried on."""
    row = first(connection, "SELECT kind, name, by, at FROM last_change")
    return row == (change.kind.value, change.name, change.by, moment_text(change.at))


def last_change(connection: apsw.Connection) -> LastChange | None:
    """Return the last change, or None where nothing of it can be undone."""
    row = first(connection, "SELECT kind, name, by, at, articles, ended FROM last_change")
    count = first(connection, "SELECT COUNT(*), max(after = '{}') FROM changed_article")
    if row is None or count is None or not count[0]:
        return None
    kind, name, by, at, articles, ended = row
    ended_name = named_of(ended).name if ended else ""
    moment = moment_of(at)
    many, is_deletion = count[0], bool(count[1])
    return LastChange(ChangeKind(kind), name, by, moment, articles, ended_name, many, is_deletion)


def changed_articles(
    connection: apsw.Connection, *, below: int, limit: int
) -> list[tuple[int, ChangedArticle]]:
    """Return the changes of articles with numbers below `below`, the last first."""
    found = []
    for number, product_id, article_id, name, before, after in many(
        connection, _LATEST, (below, limit)
    ):
        was = document_of(before) if before else None
        one = ChangedArticle(product_id, article_id, name, was, document_of(after))
        found.append((number, one))
    return found


def forget(connection: apsw.Connection, numbers: Sequence[int], *, many: int) -> None:
    """Forget changes that were taken back. many: as `LastChange.articles` counts."""
    rows = [(number,) for number in numbers]
    connection.executemany("DELETE FROM changed_article WHERE id = ?", rows)
    connection.execute("UPDATE last_change SET articles = articles - ?", (many,))


def end(connection: apsw.Connection) -> NewNames:
    """End the undo; return the units and categories that were made with the change."""
    row = first(connection, "SELECT categories, units FROM last_change")
    for sql in _FORGET:
        connection.execute(sql)
    return NewNames(*map(document_of, row)) if row else NewNames()


def note_ended(connection: apsw.Connection, change: LastChange, ended: str) -> None:
    """Note the unit or category, as JSON, that went with this change, if anything was changed."""
    if is_of(connection, change):
        connection.execute("UPDATE last_change SET ended = ?", (ended,))


def take_ended(connection: apsw.Connection) -> str:
    """Return the unit or category, as JSON, that went with the change and is to be brought back; ""
    for none. It is returned once."""
    row = first(connection, "SELECT ended FROM last_change")
    connection.execute("UPDATE last_change SET ended = ''")
    return row[0] if row else ""


def rename_in_change(
    connection: apsw.Connection, members: IdMembers, ids: Mapping[str, str]
) -> None:
    """Rename units or categories in the last change, and in the planned rows of one under way and
    the end of it. ids: the new ids by the old ones. The list of categories made with the change is
    not renamed, because an undo would then delete the platform's category."""
    for table in ("changed_article", "planned_row"):
        _rename_in(connection, table, members, ids)
    rename_end(connection, ids)


def _rename_in(
    connection: apsw.Connection, table: str, members: IdMembers, ids: Mapping[str, str]
) -> None:
    fields = [field for field, member in MEMBER_OF.items() if member in members.value]
    for number, *texts in many(connection, f"SELECT id, before, after FROM {table}"):
        documents = [document_of(text or "{}") for text in texts]
        renamed = [
            {name: _renamed(text, ids) if name in fields else text for name, text in one.items()}
            for one in documents
        ]
        if renamed != documents:
            parts = [_text(one) if text else None for one, text in zip(renamed, texts, strict=True)]
            sql = f"UPDATE {table} SET before = ?, after = ? WHERE id = ?"
            connection.execute(sql, (*parts, number))


def _renamed(text: str, ids: Mapping[str, str]) -> str:
    """Rename the ids in `text`, a form field with one id, or several, one per line."""
    return "\n".join(dict.fromkeys(ids.get(one, one) for one in text.split("\n")))


def _text(document: Mapping[str, Any]) -> str:
    return dumps(dict(document)).decode()
