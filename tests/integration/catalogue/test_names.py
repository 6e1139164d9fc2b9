"""Units and categories in a real catalogue: added, renamed, ordered, merged, deleted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.domain.article.product import Category, Unit, Variant
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.catalogue.bulk_act import EndingName
from pos_app.selling.catalogue.editing import save_typed
from pos_app.selling.catalogue.names import instead
from pos_app.selling.synchronisation.own_names import Named, NameKind
from tests.fakes.many_articles import counts, last_of, planned_rows
from tests.integration.catalogue.test_bulk_acts import carried_on, killed
from tests.integration.catalogue.test_sheets import NOW, Shop, ended, product
from tests.sweep import each

UNIT, CATEGORY = NameKind.UNIT, NameKind.CATEGORY
DAIRY, CHEESE = Category("c1", "Млечно", 1), Category("c2", "Сиреви", 2)
IDS = [f"n{number}" for number in range(1, 6)]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """Five articles in a category: two by weight, and one a product with a variant."""
    made = Shop(tmp_path)
    made.editor.open_store(Store(id="s1", name="Липа"))
    for one in (DAIRY, CHEESE):
        made.editor.add_name(one, by="Мира", at=NOW)
    kg, piece = (named(made, UNIT, name).id for name in ("килограм", "комад"))
    for number, product_id in enumerate(IDS, 1):
        half = Variant(
            id="v1", name="Пола", variant_name="Пола", tax_label=TaxLabel.E, sku=150,
            price=Money(50), sale_unit_id=kg,
        )  # fmt: skip
        unit, variants = kg if number < 3 else piece, (half,) if number == 5 else ()
        more: dict[str, Any] = {"price": Money(100), "categories": (DAIRY.id,)}
        more |= {"sale_unit_id": unit, "variants": variants}
        made.add(product(product_id, f"Сир {number}", sku=100 + number, **more))
    yield made
    made.close()


def named(shop: Shop, kind: NameKind, name: str) -> Named:
    (found,) = (one.named for one in shop.catalogue.counted_names(kind) if one.named.name == name)
    return found


def rows(shop: Shop, kind: NameKind) -> dict[str, int]:
    return {one.named.name: one.rows for one in shop.catalogue.counted_names(kind) if one.rows}


def change(shop: Shop, old: Named, new: Named) -> None:
    shop.editor.change_name(old, new, by="Мира", at=NOW)


def merge(shop: Shop, old: Named, new: Named | None, files: CatalogueProcess | None = None) -> Any:
    kind = UNIT if isinstance(old, Unit) else CATEGORY
    act = instead(kind, old.id, None if new is None else new.id)
    planned = planned_rows(shop.catalogue, shop.catalogue.products_having(kind, old.id), act)
    ends = EndingName(kind, old.id, old.name)
    return ended((files or shop.files).change(planned, by="Мира", ends=ends))


def units(shop: Shop) -> list[str]:
    found = [shop.catalogue.variants(one)[0] for one in IDS]
    return [one.unit for one in found]


@each(
    ("name", "symbol", "field", "kind"),
    [
        ("", "пал", "name", "name_missing"),
        ("палета", "", "symbol", "symbol_missing"),
        ("п" * 101, "пал", "name", "name_too_long"),
        ("палета", "п" * 41, "symbol", "unit_too_long"),
        ("палета", "пал 2", "symbol", "unit_symbol"),
        ("палета", "2пал", "symbol", "unit_symbol"),
        ("палета", "л/2", "symbol", "unit_symbol"),
        ("Килограм", "пал", "name", "word_taken"),
        ("палета", "Kom.", "symbol", "word_taken"),
        ("кило", "kgr", "symbol", "unit_spelled"),
        ("кмд", "pcs", "symbol", "unit_spelled"),
        ("kilogram", "кг", "name", "word_taken"),
    ],
)
def test_what_can_not_be_a_unit_is_refused_at_its_field(
    shop: Shop, name: str, symbol: str, field: str, kind: str
) -> None:
    with pytest.raises(Invalid) as fault:
        shop.editor.add_name(Unit("u1", name, symbol), by="Мира", at=NOW)
    assert (fault.value.field, fault.value.kind) == (field, kind)


def test_articles_are_measured_as_before(shop: Shop) -> None:
    kg, gram = named(shop, UNIT, "килограм"), named(shop, UNIT, "грам")
    assert isinstance(kg, Unit)
    shop.editor.delete_name(gram, by="Мира", at=NOW)
    for symbol in ("џак", "g", "grm"):
        with pytest.raises(Invalid) as fault:
            change(shop, kg, replace(kg, symbol=symbol))
        assert (fault.value.field, fault.value.kind) == ("symbol", "unit_weight")
    litre = named(shop, UNIT, "литар")
    assert isinstance(litre, Unit)
    change(shop, litre, replace(litre, name="тона", symbol="t"))  # no article has it
    with pytest.raises(NotAllowed) as late:
        change(shop, litre, replace(litre, name="кила"))
    assert late.value.kind == "name_changed"


@each("new", [CHEESE, None])
def test_a_merge_moves_the_articles_and_is_taken_back(shop: Shop, new: Category | None) -> None:
    with pytest.raises(NotAllowed) as used:
        shop.editor.delete_name(DAIRY, by="Мира", at=NOW)
    assert (used.value.kind, counts(merge(shop, DAIRY, new))) == ("name_in_use", (5, 0, 0))
    assert rows(shop, CATEGORY) == ({} if new is None else {"Сиреви": 5})
    assert [one.category for one in shop.catalogue.categories()] == [CHEESE]
    ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert rows(shop, CATEGORY) == {"Млечно": 5}
    assert [one.category for one in shop.catalogue.categories()] == [DAIRY, CHEESE]
    assert {edit.id for edit in shop.editor.name_edits()} == {"c1", "c2"}, "as before"


@each("of", [CATEGORY, UNIT])
def test_what_was_merged_comes_back_once_its_name_is_free(shop: Shop, of: NameKind) -> None:
    """Another one is added under its name, then one is renamed to it."""
    ways: dict[NameKind, tuple[Named, ...]] = {
        CATEGORY: (DAIRY, Category("c9", "mlečno", 3), CHEESE, replace(CHEESE, name="Млечно")),
        UNIT: (
            piece := named(shop, UNIT, "комад"),
            Unit("u9", "kom", "KOM."),
            pack := named(shop, UNIT, "паковање"),
            replace(pack, name=piece.name),
        ),
    }
    old, other, into, renamed = ways[of]
    before = rows(shop, of)
    for twin in (other, renamed):
        merge(shop, old, into)
        if twin is other:
            shop.editor.add_name(other, by="Мира", at=NOW)
        else:
            change(shop, into, renamed)
        refused = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
        assert (refused.kind, refused.values["other"]) == ("name_twin", twin.name)
        assert (shop.editor.bulk_act(), old.name in rows(shop, of)) == (None, twin is renamed)
        if twin is other:
            shop.editor.delete_name(other, by="Мира", at=NOW)
        else:
            change(shop, renamed, into)
        ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
        assert rows(shop, of) == before


def test_a_merge_of_units_reaches_variants_and_base_units(shop: Shop) -> None:
    kg, gram = named(shop, UNIT, "килограм"), named(shop, UNIT, "грам")
    save_typed(shop.editor, "n3", "n3", {"base_unit_id": kg.id}, by="Мира", at=NOW)
    assert counts(merge(shop, kg, gram)) == (4, 0, 0)
    assert units(shop) == ["g", "g", "ком", "ком", "ком"]
    assert shop.catalogue.product("n5").variants[0].sale_unit_id == gram.id
    assert "килограм" not in {one.name for one in shop.catalogue.units()}
    ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert units(shop) == ["kg", "kg", "ком", "ком", "ком"]
    assert [one.unit for one in shop.catalogue.variants("n5")] == ["ком", "kg"]
    assert all(shop.catalogue.variants(one)[0].by_weight for one in IDS[:2]), "they are weighed"


def test_articles_show_the_units_of_their_own_commit(shop: Shop) -> None:
    """A unit that is made or renamed in a commit is that of the articles written later in it."""
    kg, piece = named(shop, UNIT, "килограм"), named(shop, UNIT, "комад")
    assert isinstance(kg, Unit)
    new = replace(kg, name="кило", symbol="кг")
    with shop.editor.together():
        shop.editor.add_name(Unit("u1", "кутија", "кут", 11), by="Мира", at=NOW)
        save_typed(shop.editor, "n3", "n3", {"sale_unit_id": "u1"}, by="Мира", at=NOW)
        change(shop, kg, new)
        save_typed(shop.editor, "n4", "n4", {"sale_unit_id": kg.id}, by="Мира", at=NOW)
        save_typed(shop.editor, "n3", "n3", {"sale_unit_id": piece.id}, by="Мира", at=NOW)
        save_typed(shop.editor, "n5", "n5", {"sale_unit_id": "u1"}, by="Мира", at=NOW)
    assert units(shop) == ["кг", "кг", "ком", "кг", "кут"]


def test_a_base_unit_is_had_as_much_as_the_one_of_sale(shop: Shop) -> None:
    gram, kg = named(shop, UNIT, "грам"), named(shop, UNIT, "килограм")
    assert isinstance(gram, Unit)
    for product_id in ("n3", "n4"):
        save_typed(shop.editor, product_id, product_id, {"base_unit_id": gram.id}, by="", at=NOW)
    assert rows(shop, UNIT)["грам"] == 2
    assert set(shop.catalogue.products_having(UNIT, gram.id)) == {"n3", "n4"}
    with pytest.raises(NotAllowed) as used:
        shop.editor.delete_name(gram, by="Мира", at=NOW)
    with pytest.raises(Invalid) as fault:
        change(shop, gram, replace(gram, symbol="џак"))
    assert (used.value.kind, fault.value.kind) == ("name_in_use", "unit_weight")
    planned = planned_rows(shop.catalogue, ["n3"], instead(UNIT, gram.id, kg.id))
    ended(shop.files.change(planned, by="Мира", ends=EndingName(UNIT, gram.id, gram.name)))
    assert rows(shop, UNIT)["грам"] == 1, "one article was left out, so the unit stays"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("commit", [2, 3, 4])
def test_a_merge_that_is_killed_is_carried_on(shop: Shop, commit: int, when: str) -> None:
    with closing(killed(shop, commit=commit, when=when)) as files:
        merge(shop, DAIRY, CHEESE, files)
    if shop.catalogue.facts().bulk_act is not None:
        assert DAIRY in [one.category for one in shop.catalogue.categories()]
        with pytest.raises(NotAllowed):
            shop.editor.delete_name(DAIRY, by="Мира", at=NOW)
        carried_on(shop)
    elif rows(shop, CATEGORY).get("Млечно"):
        merge(shop, DAIRY, CHEESE)
    assert [one.category for one in shop.catalogue.categories()] == [CHEESE]
    assert (rows(shop, CATEGORY), shop.catalogue.facts().bulk_act) == ({"Сиреви": 5}, None)


def test_a_category_that_an_article_got_meanwhile_stays(shop: Shop) -> None:
    with shop.editor.together():
        planned = planned_rows(shop.catalogue, IDS, instead(CATEGORY, DAIRY.id, CHEESE.id))
        categories = f"{DAIRY.id}\n{CHEESE.id}"
        save_typed(shop.editor, "n2", "n2", {"categories": categories}, by="Ана", at=NOW)
    ends = EndingName(CATEGORY, DAIRY.id, DAIRY.name)
    assert counts(ended(shop.files.change(planned, by="Мира", ends=ends))) == (4, 0, 1)
    assert rows(shop, CATEGORY) == {"Млечно": 1, "Сиреви": 5}
