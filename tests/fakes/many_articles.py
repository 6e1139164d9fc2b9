"""What a person saw of a change of many articles, as the till hands it on, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.selling.catalogue.bulk_act import ActDone, PlannedRow
from pos_app.selling.catalogue.bulk_change import BulkChange, preview
from pos_app.selling.catalogue.bulk_plan import row_of, row_to_delete
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor
from pos_app.selling.catalogue.last_change import LastChange


def planned_rows(catalogue: Catalogue, ids: Iterable[str], change: BulkChange) -> list[PlannedRow]:
    return [row_of(line) for line in preview(catalogue, ids, change)]


def shown_to_delete(
    catalogue: Catalogue, editor: CatalogueEditor, ids: Iterable[str]
) -> list[PlannedRow]:
    return [row_to_delete(catalogue, editor, one) for one in ids]


def last_of(editor: CatalogueEditor) -> LastChange:
    last = editor.last_change()
    assert last is not None
    return last


def counts(done: object) -> tuple[int, int, int]:
    """How many articles were made, refused, and left as something else had changed them."""
    assert isinstance(done, ActDone), done
    return (0, 0, 0) if done.act is None else (done.act.done, done.act.failed, done.act.left_out)
