"""The manager's table over a real catalogue.db, and planned prices in every read of the till."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.integration.catalogue.test_sheets import product

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
NAMES = ("Вода", "Сир млади", "Бурек са сиром", "Сирће", "Јогурт")


@dataclass
class Desk:
    """A catalogue of five products, and what time it is."""

    path: Path
    now: datetime = NOW

    def __post_init__(self) -> None:
        self.editor = SqliteCatalogueEditor(self.path)
        for number, name in enumerate(NAMES, 1):
            made = product(f"p{number}", name, sku=number, price=Money(100 - number))
            self.editor.record(NewEdit.adding(made, by="Мира", at=NOW))
        self.table = SqliteCatalogueTable(self.path, now=lambda: self.now)
        self.catalogue = SqliteCatalogue(self.path, now=lambda: self.now)

    def close(self) -> None:
        for each in (self.editor, self.table, self.catalogue):
            each.close()

    def names(self, choice: TableChoice) -> list[str]:
        rows = self.table.page(choice, offset=0, limit=50)
        assert self.table.count(choice) == len(rows)
        assert set(self.table.products(choice)) == {row.product_id for row in rows}
        return [row.name for row in rows]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "catalogue.db")
    yield made
    made.close()


def test_what_waits_can_be_shown_alone(desk: Desk) -> None:
    assert len(desk.names(TableChoice(edits=EditMark.WAITING))) == 5
    assert desk.names(TableChoice("sir", edits=EditMark.CONFLICT)) == []
    assert desk.names(TableChoice(category_id="none")) == []
