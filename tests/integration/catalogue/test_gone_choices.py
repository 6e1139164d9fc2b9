"""A category or unit that went since it was chosen is given to no article, whoever writes it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_plan import change_as_planned
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.catalogue.product_draft import DraftFaults, DraftField

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)


@pytest.mark.parametrize("field", [DraftField.CATEGORIES, DraftField.UNIT, DraftField.BASE_UNIT])
def test_what_went_is_given_to_no_article(tmp_path: Path, field: DraftField) -> None:
    editor = SqliteCatalogueEditor(tmp_path / "catalogue.db")
    create_for_code(
        editor, product_id="p", name="Хлеб", label=TaxLabel.E, price=None, by="Ана", at=NOW
    )
    editor.add_categories({"there": "Пекара"})
    row = PlannedRow("p", "p", {field: ""}, {field: "went"}, {"name": "Хлеб"})
    with pytest.raises(DraftFaults):
        change_as_planned(editor, [row], by="Ана", at=NOW)
    given = PlannedRow("p", "p", {"categories": ""}, {"categories": "there"})
    changed, left = change_as_planned(editor, [given], by="Ана", at=NOW)
    assert (len(changed), left) == (1, [])
    editor.close()
