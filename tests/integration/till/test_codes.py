"""The codes of a manager's articles at a till without a platform, where nobody else gives them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pos_app import settings
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.domain.article.product import Product
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue import editing
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.run import range_of

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
APPLE, RED, GREEN = (f"00000000-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))


def apple(core: TillCore) -> Product:
    found = core.catalogue.product(APPLE)
    assert found is not None
    return found


def make_apple(core: TillCore) -> Product:
    blank = editing.blank_product(APPLE, label=TaxLabel.E, unit_id=None, sku=None)
    typed = {DraftField.NAME.value: "Јабука", DraftField.PRICE.value: "99,50"}
    editing.add_typed(core.editor, blank, typed, by="Ана", at=NOW)
    return apple(core)


def test_an_article_and_its_variants_have_codes_of_their_till(folder: Path) -> None:
    with open_till_core(settings.load(folder)) as core:
        first = range_of(core.install.till_id).start
        assert make_apple(core).sku == first
        for variant, name in ((RED, "црвена"), (GREEN, "зелена")):
            typed = {DraftField.VARIANT_NAME.value: name}
            editing.add_variant_typed(
                core.editor, editing.blank_variant(apple(core), variant), typed, by="Ана", at=NOW
            )
        assert [one.sku for one in apple(core).variants] == [first + 1, first + 2]
