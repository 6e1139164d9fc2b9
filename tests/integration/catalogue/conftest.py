"""A data folder whose catalogue comes from lists that the tests write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.selling.synchronisation.reports import SyncReport
from pos_app.wire.strict_json import dumps
from tests.fakes.ready_tables import ready_catalogue

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
PIECE = {"id": "u-piece", "name": "комад", "symbol": "ком"}
KILOGRAM = {"id": "u-kg", "name": "килограм", "symbol": "kg"}
BAKERY = {"id": "c-bakery", "name": "Пекара", "position": 1}
DAIRY = {"id": "c-dairy", "name": "Млечно", "position": 2}
PARTS: dict[str, list[dict[str, Any]]] = {
    "stores": [{"id": "s1", "name": "Липа"}],
    "units": [PIECE, KILOGRAM],
    "categories": [DAIRY, BAKERY],
}


def product(name: str, sku: int | None, price: str | None = "100", **more: Any) -> dict[str, Any]:
    """Return a product as a platform lists it; its id is made of its name."""
    return {
        "id": f"id {name}",
        "name": name,
        "sku": sku,
        "price": None if price is None else Decimal(price),
        "taxRateLabel": "Е",
        "productType": "product",
        "saleUnitId": "u-piece",
        "categories": ["c-bakery"],
        "updatedAt": "2026-11-20T10:00:00.000Z",
        **more,
    }


@dataclass
class Shop:
    """One data folder: `bring` a list in, look at `shelf`, change at `desk`."""

    folder: Path
    shelf: SqliteCatalogue
    desk: SqliteCatalogueEditor
    lines: list[str] = field(default_factory=list)

    def bring(
        self, *products: dict[str, Any], accept_removals: bool = False, **parts: Any
    ) -> SyncReport:
        return self.bring_text(
            dumps({**PARTS, **parts, "products": products}), accept_removals=accept_removals
        )

    def bring_text(self, text: bytes, *, accept_removals: bool = False) -> SyncReport:
        """Synchronise with a file of this text."""
        source = self.folder.parent / "list.json"
        source.write_bytes(text)
        return self.sync(source, accept_removals=accept_removals)

    def sync(self, source: Path, *, accept_removals: bool = False) -> SyncReport:
        return run_sync(
            settings=settings.load(self.folder),
            source=source,
            progress=self.lines.append,
            accept_removals=accept_removals,
        )

    def names(self, query: str = "", **ask: Any) -> list[str]:
        return [row.name for row in self.shelf.page(query, **ask)]

    def price(self, name: str) -> str | None:
        article = self.shelf.article(f"id {name}")
        return None if article.price is None else str(article.price)


@pytest.fixture
def shop(folder: Path) -> Iterator[Shop]:
    path = ready_catalogue(catalogue_file(folder))
    with SqliteCatalogue(path) as shelf, SqliteCatalogueEditor(path) as desk:
        yield Shop(folder, shelf, desk)
