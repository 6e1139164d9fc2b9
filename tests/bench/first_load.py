"""Measures a till that sells its own articles while a platform's first list is imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.barcodes import check_digit
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.bench.place import Place, Size, opened
from tests.bench.synchronise import filled_platform

_MADE_HERE = 300


@contextmanager
def place_of_first_load(size: Size) -> Iterator[Place]:
    """A shop with some articles of its own, and a platform with all the others."""
    with opened(size) as place, filled_platform(place.folder / "platform", size.articles) as told:
        usual = (place.data / "settings.toml").read_text(encoding="utf-8")
        with_platform = place.lists[1]
        agreed = 'join = "send"\n'  # else a person is asked before this shop's articles go there
        with_platform.write_text(usual + told + agreed, encoding="utf-8")
        place.codes.write_text(json.dumps(_articles(place.data)), encoding="utf-8")
        yield place


def _articles(data: Path) -> list[list[str]]:
    """Make the shop's articles; returns their EANs and codes."""
    codes = []
    with SqliteCatalogueEditor(catalogue_file(data)) as desk:
        for number in range(_MADE_HERE):
            digits, sku = f"29{number:010d}", 7_000_000 + number
            ean = digits + check_digit(digits)
            product = Product(
                id=f"made-{number}",
                name=f"Наш артикал {number}",
                tax_label=TaxLabel.DJ,
                sku=sku,
                ean=ean,
                price=Money("99.90"),
            )
            desk.record(NewEdit.adding(product, by="Мира", at=datetime.now(UTC)))
            codes.append([ean, str(sku)])
    return codes
