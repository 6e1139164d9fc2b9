"""The tables of catalogue.db allow the same life of an edit as the core."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.catalogue.belongings import BELONGINGS
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS
from pos_app.adapters.sqlite.database import open_database
from pos_app.selling.synchronisation.catalogue_edits import MOVES, EditState
from tests.sweep import each

INSERT = """
INSERT INTO edit (key, kind, product_uuid, article_uuid, base, document, by, made_at, state,
    state_at)
VALUES (lower(hex(randomblob(16))), ?, 'p', 'p', '{}', '{}', 'Мира', 'now', ?, 'now')
"""


@pytest.fixture
def connection(folder: Path) -> apsw.Connection:
    return open_database(folder / "catalogue.db", migrations=MIGRATIONS)


@each("old", EditState)
@each("new", EditState)
def test_storage_refuses_each_other_move(
    connection: apsw.Connection, old: EditState, new: EditState
) -> None:
    stored = set(connection.execute("SELECT old, new FROM edit_move"))
    assert stored == {(str(one), str(two)) for one, following in MOVES.items() for two in following}
    connection.execute("BEGIN; DROP TRIGGER edit_begins")
    connection.execute(INSERT, ("update", str(old)))
    try:
        if old == new or new in MOVES[old]:
            connection.execute("UPDATE edit SET state = ?", (str(new),))
            return
        with pytest.raises(apsw.ConstraintError, match="no such move"):
            connection.execute("UPDATE edit SET state = ?", (str(new),))
    finally:
        connection.execute("ROLLBACK")


@pytest.mark.parametrize("kind", ["add", "update", "delete", "note"])
def test_an_edit_begins_where_its_life_does(connection: apsw.Connection, kind: str) -> None:
    for state in EditState:
        if state is (EditState.KEPT if kind == "note" else EditState.WAITING):
            connection.execute(INSERT, (kind, str(state)))
            continue
        with pytest.raises(apsw.ConstraintError, match="begins"):
            connection.execute(INSERT, (kind, str(state)))


def test_the_views_that_the_server_reads_are_frozen(connection: apsw.Connection) -> None:
    columns = {
        view: [
            row[0] for row in connection.execute(f"SELECT name FROM pragma_table_info('{view}')")
        ]
        for view in ("article_v1", "open_edit_v1", "store_v1")
    }
    assert columns == {
        "article_v1": ["article_id", "sku", "name", "label", "unit", "gtin", "price", "by_weight"],
        "open_edit_v1": ["article_id", "kind", "is_own", "document", "base", "sent"],
        "store_v1": [
            "store_id",
            "language",
            "thermal",
            "a4",
            "email",
            "print_bank_accounts",
            "print_discounts",
        ],
    }


def test_each_table_with_ids_of_articles_says_what_becomes_of_them(
    connection: apsw.Connection,
) -> None:
    rows = connection.execute(
        "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND c.name IN ('article_uuid', 'product_uuid')"
    )
    assert {str(row[0]) for row in rows} <= {one.table for one in BELONGINGS}
