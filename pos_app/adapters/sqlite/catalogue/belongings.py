"""Moves the rows of an article in each table of `catalogue.db` to another id or article.

Two things may happen to an article that was made here. It is *renamed*: the platform has it too,
and it has the platform's id from then on. Or it is *handed over*: it turns out to be the same goods
as an article of the platform, which stays and gets the rows of ours. Both run within a transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import uuid4

import apsw

from pos_app.adapters.sqlite.catalogue.rows import first, many
from pos_app.adapters.sqlite.catalogue.shop_notes import join_marks
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.document_ids import IdMembers, rename_ids
from pos_app.wire.strict_json import dumps, loads


@dataclass(frozen=True, slots=True)
class Belonging:
    """A table with ids of articles, or of their products. All statements get :ours and :theirs, the
    two ids. renamed: for a renamed article; they also get :is_ours, whether this till added it to
    the platform. handed_over: for an article that is handed over; they also get :with_values,
    whether it gives its values too."""

    table: str
    renamed: tuple[str, ...] = ()
    handed_over: tuple[str, ...] = ()


_OF_ARTICLE = "SET article_uuid = :theirs WHERE article_uuid = :ours"
_OF_PRODUCT = "SET product_uuid = :theirs WHERE product_uuid = :ours"

_KEPT = """
SELECT id, document, sent, base FROM edit
WHERE product_uuid IN (?2, ?3, (SELECT product_uuid FROM article WHERE uuid = ?2))
    AND state IN ('waiting', 'sending', 'conflict', 'refused', 'done')
    AND instr(document || sent || base, ?1)
"""

_HELD = "SELECT 1 FROM product WHERE uuid = ?1 UNION ALL SELECT 1 FROM article WHERE uuid = ?1"
_LISTED = """
SELECT product, document FROM source
WHERE product IN (
    SELECT id FROM product WHERE uuid = ?1 UNION SELECT product FROM article WHERE uuid = ?1
)
"""

BELONGINGS = (
    Belonging(
        "product",
        (
            """UPDATE product SET article_uuid = :theirs WHERE article_uuid = :ours
                AND id = (SELECT product FROM article WHERE uuid = :ours)""",
            "UPDATE product SET uuid = :theirs WHERE uuid = :ours",
        ),
    ),
    Belonging(
        "article",
        (f"UPDATE article {_OF_PRODUCT}", "UPDATE article SET uuid = :theirs WHERE uuid = :ours"),
    ),
    Belonging(  # where both have marks, `join_marks` joins them
        "mark", (f"UPDATE mark {_OF_PRODUCT}", f"UPDATE OR REPLACE mark {_OF_ARTICLE}")
    ),
    Belonging(
        "sold",  # it has the product's number, which another id does not change
        handed_over=(
            """INSERT INTO sold SELECT s.day, new.id, s.times FROM sold s
                JOIN product old ON old.id = s.product AND old.uuid = :ours
                JOIN product new ON new.uuid = :theirs
                WHERE true ON CONFLICT DO UPDATE SET times = times + excluded.times""",
        ),
    ),
    Belonging(
        "sold_amount",
        (f"UPDATE OR REPLACE sold_amount {_OF_ARTICLE}",),
        (
            """INSERT INTO sold_amount SELECT :theirs, lines, amount FROM sold_amount
                WHERE article_uuid = :ours ON CONFLICT DO UPDATE
                SET lines = lines + excluded.lines, amount = amount + excluded.amount""",
            "DELETE FROM sold_amount WHERE article_uuid = :ours",
        ),
    ),
    Belonging(
        "edit",  # edits of ours end at a hand-over; `_rename_in_documents` renames ids
        (f"UPDATE edit {_OF_PRODUCT}", f"UPDATE edit {_OF_ARTICLE}"),
    ),
    Belonging(
        "changed_article",  # an undo does not delete an article that the platform had before
        (
            f"UPDATE changed_article {_OF_PRODUCT} AND (before IS NOT NULL OR :is_ours)",
            f"UPDATE changed_article {_OF_ARTICLE} AND (before IS NOT NULL OR :is_ours)",
        ),
    ),
    Belonging(
        "planned_row",
        (f"UPDATE planned_row {_OF_PRODUCT}", f"UPDATE planned_row {_OF_ARTICLE}"),
        (f"UPDATE planned_row {_OF_PRODUCT}", f"UPDATE planned_row {_OF_ARTICLE}"),
    ),
    Belonging(
        "price_change",
        (f"UPDATE price_change {_OF_ARTICLE}",),
        (f"UPDATE price_change {_OF_ARTICLE}",),
    ),
    Belonging(  # `join_plan` hands it over
        "planned_price", (f"UPDATE OR REPLACE planned_price {_OF_ARTICLE}",)
    ),
    Belonging(
        "label_print",  # the label that was printed last is the one on the shelf
        (f"UPDATE OR REPLACE label_print {_OF_ARTICLE}",),
        (
            """INSERT INTO label_print SELECT :theirs, shown, at, price FROM label_print
                WHERE article_uuid = :ours ON CONFLICT DO UPDATE
                SET shown = excluded.shown, at = excluded.at, price = excluded.price
                WHERE excluded.at > at""",
            "DELETE FROM label_print WHERE article_uuid = :ours",
        ),
    ),
)


def adopt(
    connection: apsw.Connection, ids: Mapping[str, str], *, is_ours: bool, of: str = ""
) -> None:
    """Give a product or variants that were made here the platform's ids.

    is_ours: whether this till added them there. An undo of the last change deletes no other article
    there. of: the product of variants that may be shown here no more. Rows that a removed variant
    left behind are replaced. An article that has one of these ids and does not keep it gets an id
    that nobody has (`make_room`).
    """
    going = {ours: theirs for ours, theirs in ids.items() if ours != theirs}
    moved = make_room(connection, going.values())
    for ours, theirs in going.items():
        _rename(connection, moved.get(ours, ours), theirs, is_ours=is_ours, of=of)


def make_room(connection: apsw.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Give the products and articles that have these ids other ones that nobody has, and return
    these by the old ones."""
    moved = {}
    for held in ids:
        if first(connection, _HELD, (held,)):
            moved[held] = str(uuid4())
            _rename(connection, held, moved[held], is_ours=True)
            _rename_in_source(connection, held, moved[held])
    return moved


def _rename(
    connection: apsw.Connection, ours: str, theirs: str, *, is_ours: bool, of: str = ""
) -> None:
    bindings = {"ours": ours, "theirs": theirs, "is_ours": is_ours}
    for one in BELONGINGS:
        for statement in one.renamed:
            connection.execute(statement, bindings)
    _rename_in_documents(connection, ours, theirs, of)


def _rename_in_source(connection: apsw.Connection, ours: str, theirs: str) -> None:
    for number, text in many(connection, _LISTED, (theirs,)):
        document = loads(text)
        rename_ids(document, IdMembers.OWN, {ours: theirs})
        sql = "UPDATE source SET document = ?, digest = NULL WHERE product = ?"
        connection.execute(sql, (dumps(document).decode(), number))


def _rename_in_documents(connection: apsw.Connection, ours: str, theirs: str, of: str) -> None:
    """Rename articles' ids in open and done edits, and no other text: an id of a file may be any
    text."""
    for number, *texts in many(connection, _KEPT, (ours, theirs, of)):
        documents = [loads(text) for text in texts]
        if [one for one in documents if rename_ids(one, IdMembers.OWN, {ours: theirs})]:
            bindings = (*(dumps(one).decode() for one in documents), number)
            sql = "UPDATE edit SET document = ?, sent = ?, base = ? WHERE id = ?"
            connection.execute(sql, bindings)


def hand_over(connection: apsw.Connection, ours: str, theirs: str, *, with_values: bool) -> None:
    """Give an article's rows to another article: the two are the same goods, and neither has
    variants. The caller removes ours.

    with_values: our price and manner of sale replace the other article's.
    """
    join_marks(connection, ours, theirs, with_values=with_values)
    bindings = {"ours": ours, "theirs": theirs, "with_values": with_values}
    for one in BELONGINGS:
        for statement in one.handed_over:
            connection.execute(statement, bindings)
