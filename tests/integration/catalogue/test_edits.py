"""A manager's edits: visible at once, queued, and safe from a synchronisation."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.errors import NotFound
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_plan import change_as_planned
from pos_app.selling.catalogue.catalogue import create_for_code, delete_product
from pos_app.selling.catalogue.product_draft import DraftFaults, DraftField
from pos_app.selling.synchronisation import catalogue_edits
from tests.fakes.inner_connection import connection_of
from tests.integration.catalogue.conftest import NOW, Shop, product

WAITING, CONFLICT = catalogue_edits.EditState.WAITING, catalogue_edits.EditState.CONFLICT


def change(shop: Shop, article_id: str, **changes: object) -> catalogue_edits.CatalogueEdit:
    article = shop.shelf.article(article_id)
    ids = article.product_id, article.id
    return shop.desk.record(catalogue_edits.NewEdit.changing(*ids, changes, by="Мира", at=NOW))


def open_edits(shop: Shop) -> tuple[catalogue_edits.CatalogueEdit, ...]:
    return shop.desk.edits(catalogue_edits.OPEN)


# --- visible and queued --------------------------------------------------------------------------


def test_a_deleted_product_is_off_the_shelf_at_once(shop: Shop) -> None:
    shop.bring(product("Хлеб", 1, ean="8600123450144"), product("Сок", 2))
    change(shop, "id Хлеб", price=Money(3))
    delete_product(shop.desk, "id Хлеб", by="Мира", at=NOW)
    assert (shop.names(), shop.names("hleb")) == (["Сок"], [])
    assert shop.shelf.by_code(ArticleCode("8600123450144")) == ()
    assert [edit.kind for edit in open_edits(shop)] == [catalogue_edits.EditKind.DELETE]
    shop.bring(product("Хлеб", 1, ean="8600123450144"), product("Сок", 2))
    assert shop.names() == ["Сок"]
    with pytest.raises(NotFound):
        delete_product(shop.desk, "id Хлеб", by="Мира", at=NOW)
    with pytest.raises(NotFound):
        shop.desk.move(99, catalogue_edits.EditState.SENDING, at=NOW)


# --- and a synchronisation -----------------------------------------------------------------------


@pytest.mark.parametrize("side", catalogue_edits.EditSide)
def test_what_changed_while_we_deleted_it(shop: Shop, side: catalogue_edits.EditSide) -> None:
    shop.bring(product("Хлеб", 1, "10"))
    edit = delete_product(shop.desk, "id Хлеб", by="Мира", at=NOW)
    changed = product("Хлеб", 1, "11", updatedAt="2026-11-21T10:00:00.000Z")
    assert shop.bring(changed).conflicts == 1
    shop.desk.decide(edit.id, {catalogue_edits.DELETED: side}, at=NOW)
    assert shop.names() == ([] if side is catalogue_edits.EditSide.OURS else ["Хлеб"])
    shop.bring({**changed, "subtitle": "x"})
    assert shop.names() == ([] if side is catalogue_edits.EditSide.OURS else ["Хлеб"])


# --- the server reads beside another program -----------------------------------------------------


@pytest.mark.parametrize("statement", range(1, 6))
def test_an_article_of_a_receipt_is_that_of_one_moment(shop: Shop, statement: int) -> None:
    """A manager's change is committed before one of the server's statements."""
    shop.bring(product("Хлеб", 1))
    sold = [PlatformArticle("id Хлеб", FrozenArticle("Хлеб", TaxLabel.G, "ком"))]
    begun: list[str] = []

    def change_before(_cursor: object, sql: str, _values: Any) -> bool:
        begun.append(sql)
        if len(begun) == statement:
            change(shop, "id Хлеб", tax_label=TaxLabel.DJ)
        return True

    with closing(CatalogueView(catalogue_file(shop.folder))) as view:
        view.articles(1)
        connection_of(view).exec_trace = change_before
        (shown,) = view.articles(1, sold=sold)
        assert shown.label in (TaxLabel.G, TaxLabel.DJ), begun
        (shown,) = view.articles(1, sold=sold)
        assert len(begun) > statement
        assert shown.label is TaxLabel.DJ


# --- choices that went ----------------------------------------------------------------------------


@pytest.mark.parametrize("field", [DraftField.CATEGORIES, DraftField.UNIT, DraftField.BASE_UNIT])
def test_a_category_or_unit_that_went_is_given_to_none(tmp_path: Path, field: DraftField) -> None:
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
