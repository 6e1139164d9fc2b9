"""`pos-app sync`: a checked list comes in whole, in small steps, while tills sell."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.bootstrap.synchronisation import sync
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.errors import Invalid, NotFound
from pos_app.wire.strict_json import dumps
from tests.integration.catalogue.conftest import NOW, PARTS, Shop, product
from tests.sweep import each

MANY = [product(f"Артикал {number}", number) for number in range(1, 101)]


def test_over_a_damaged_catalogue_it_says_how_a_new_one_is_made(folder: Path) -> None:
    source = folder / "articles.json"
    source.write_bytes(dumps({"products": [product("Хлеб", 1)]}))
    damaged = catalogue_file(folder)
    damaged.parent.mkdir()
    damaged.write_text("no database" * 1000)
    out = io.StringIO()
    told = settings.load(folder)
    assert sync.sync_command(settings=told, source=source, out=out) == sync.FAILED
    assert IF_DAMAGED in out.getvalue()
    assert "support puts the damaged file aside" in out.getvalue()
    assert damaged.read_text() == "no database" * 1000
    for file in damaged.parent.glob("catalogue.db*"):
        file.rename(file.with_name(f"aside-{file.name}"))
    assert sync.sync_command(settings=told, source=source, out=out) == sync.DONE


def test_variants_and_products_may_change_places(shop: Shop) -> None:
    variant = {**product("Лименка", 5), "id": "tin"}
    a, b = product("А", None, hasVariants=True), product("Б", None, hasVariants=True)
    shop.bring({**a, "variants": [variant]}, {**b, "variants": []})
    shop.bring({**b, "variants": [variant]}, {**a, "variants": []})
    (found,) = shop.shelf.by_code(ArticleCode("5"))
    assert (found.article.product_id, shop.shelf.variants("id А")) == ("id Б", ())
    shop.bring(product("Лименка", 5, id="tin"), product("А", None), product("Б", 6))
    (found,) = shop.shelf.by_code(ArticleCode("5"))
    assert (found.article.product_id, shop.names()) == ("tin", ["А", "Б", "Лименка"])


# --- what is gone --------------------------------------------------------------------------------


def test_a_manager_lets_them_go_at_the_till_or_with_the_next_run(shop: Shop) -> None:
    shop.bring(*MANY)
    assert "10 products gone from the list" in "".join(shop.bring(*MANY[10:]).lines())
    assert shop.desk.accept_gone(by="Мира", at=NOW) == 10
    assert (shop.shelf.count(), shop.shelf.facts().gone) == (90, 0)
    report = shop.bring(accept_removals=True)
    assert (report.removed, report.held_back) == (90, 0)
    assert shop.shelf.count() == shop.shelf.count("artikal") == 0


def test_a_deletion_that_the_list_tells_needs_no_manager(shop: Shop) -> None:
    shop.bring(product("Хлеб", 1), product("Сок", 2))
    shop.bring(product("Хлеб", 1, deletedAt="2026-11-20T11:00:00.000Z"), product("Сок", 2))
    assert shop.names() == ["Сок"]
    parts = {
        member: [{"id": "gone", "name": "Бивша", "deletedAt": "2026-11-20T11:00:00.000Z"}, *rows]
        for member, rows in PARTS.items()
    }
    shop.bring_text(dumps(parts))
    assert [one.name for one in shop.shelf.stores()] == ["Липа"]
    assert "gone" not in [one.id for one in shop.shelf.units()]
    assert "gone" not in [one.category.id for one in shop.shelf.categories()]


# --- a list that is bad --------------------------------------------------------------------------


@each(
    ("text", "field"),
    [
        ('{"stores": [{"id": "s"}], "products": []}', "stores[0].name"),
        ('{"stores": [{"id": "s", "name": "A"}, {"id": "s", "name": "B"}]}', "stores[1].id"),
        ('{"units": [{"id": "s", "name": 5}]}', "units[0].name"),
        ('{"categories": [{"name": "x"}]}', "categories[0].id"),
        ('{"products": {"a": 1}}', "products"),
        ('{"products": [5]}', "products[0]"),
    ],
)
def test_a_fault_elsewhere_in_the_list_is_named_too(shop: Shop, text: str, field: str) -> None:
    shop.bring(product("Сир", 9))
    with pytest.raises(Invalid) as caught:
        shop.bring_text(text.encode())
    assert (caught.value.field, shop.names()) == (field, ["Сир"])


# --- as a program --------------------------------------------------------------------------------


def test_a_file_that_is_not_there(shop: Shop, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        shop.sync(tmp_path / "none.json")
    with pytest.raises(NotFound):
        shop.sync(tmp_path)
