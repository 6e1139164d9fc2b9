"""A field of a product or store stands wherever it has to.

`pos_app/domain/article/fields.py` describes each field once, and some modules take all they need
from there. Others spell the fields: because they are fast, because they are SQL, or because a
position or an order is a decision. Each of these modules is asked about each field, by its
behaviour wherever that can be tested; the failure names those that miss a field: it is the list of
what is left to do for a new one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.cashier.catalogue import columns
from pos_app.cashier.catalogue.product_edit_words import field_name, value_words
from pos_app.cashier.settings import store_edit_words
from pos_app.cashier.settings.store_model import SWITCHES, StoreText
from pos_app.cashier.texts.lookup import LANGUAGES, Texts
from pos_app.domain.article.article import NO_MARKS, Article
from pos_app.domain.article.fields import (
    PRODUCT_FIELDS,
    SHARED_FIELDS,
    STORE_FIELDS,
    DeclaredField,
    FieldKind,
)
from pos_app.domain.article.product import File, Product, ProductFields, ProductType, Variant
from pos_app.domain.article.store import PickerType, PrintMethod, ReceiptLanguage, Store
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import PUBLISHED_RATES, TaxLabel
from pos_app.errors import PosError
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.product_draft import DraftField, as_typed, read_draft
from pos_app.selling.catalogue.sheet.cell_reading import CellReader
from pos_app.selling.catalogue.sheet.export import WRITTEN, head_row, sheet_rows
from pos_app.selling.catalogue.sheet.heads import field_of_head
from pos_app.selling.cells import Cell, plain
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from pos_app.selling.synchronisation.store_edits import differing
from pos_app.wire import catalogue
from pos_app.wire.catalogue import changes_from_json, changes_to_json
from pos_app.wire.catalogue_input import read_product_input
from pos_app.wire.store import changed_members, store_from_json, store_to_json
from pos_app.wire.store_input import read_store
from pos_app.wire.strict_json import dumps
from tests.unit.wire.hostile_documents import READERS

ROOT = Path(__file__).parents[2]
UNIT, CATEGORY, PHOTO = (f"0d7f3a52-6f0c-4d5e-9a1b-6c1f5b8e2a4{end}" for end in "123")
NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
LEAST = {"id": "p1", "name": "Хлеб", "taxRateLabel": "Е"}
BLANK = Product(id="p1", name="Хлеб", tax_label=TaxLabel.E)
BLANK_VARIANT = Variant(id=UNIT, name="Хлеб", tax_label=TaxLabel.E)
STORE = Store(id="s1", name="Липа")

_K = FieldKind
SAMPLES: Mapping[FieldKind, tuple[object, object]] = {
    _K.NAME: ("Сир", "Сир"),
    _K.TEXT: ("зрео", "зрео"),
    _K.CODE: ("М-1", "М-1"),
    _K.SKU: (77, 77),
    _K.EAN: ("8600123450144", "8600123450144"),
    _K.UNIT: (UNIT, UNIT),
    _K.NUMBER: (Decimal("0.5"), Decimal("0.5")),
    _K.PRICE: (Money("64.90"), Decimal("64.90")),
    _K.TAX_LABEL: (TaxLabel.G, "Г"),
    _K.PRODUCT_TYPE: (ProductType.SERVICE, "service"),
    _K.DIMENSIONS: ("1x2x3", "1x2x3"),
    _K.FLAG: (False, False),
    _K.CATEGORIES: ((CATEGORY,), [CATEGORY]),
    _K.VARIANTS: ((BLANK_VARIANT,), [{**LEAST, "id": UNIT}]),
    _K.FILE: (File(id=PHOTO, filename="a.png"), {"id": PHOTO, "filename": "a.png"}),
    _K.FILES: ((PHOTO,), [PHOTO]),
    _K.INSTANT: (NOW, "2026-11-20T12:30:00.000Z"),
    _K.LANGUAGE: (ReceiptLanguage.LATIN, "sr-Latn-RS"),
    _K.PICKER_TYPE: (PickerType.LIST, "list"),
    _K.PRINT_METHOD: (PrintMethod(a4=True), {"thermal": False, "a4": True, "email": False}),
    _K.PAYMENT_ORDER: ((("card",), ("cash",)), [["card"], ["cash"]]),
}
"""A value of each kind, and its JSON."""


def value_of(field: DeclaredField) -> Any:
    return SAMPLES[field.kind][0]


def json_of(field: DeclaredField) -> Any:
    return SAMPLES[field.kind][1]


def is_same_json(one: object, other: object) -> bool:
    return dumps(one) == dumps(other)


class Kept(NamedTuple):
    """A list in the till with a plain product and a pinned one, which both have all fields; `cells`
    is the second product in an exported sheet."""

    plain: Product
    pinned: Product
    rows: Mapping[str, CatalogueRow]
    articles: Mapping[str, Article]
    cells: Mapping[str, Cell]
    reader: CellReader


# --- products and variants -----------------------------------------------------------------------


def is_written_and_read(field: DeclaredField, _: Kept) -> bool:
    value = {field.name: value_of(field)}
    variants = (replace(BLANK_VARIANT, **value),) if field in SHARED_FIELDS else ()
    product = replace(BLANK, **({"variants": variants} | value))
    written = catalogue.product_to_json(product)
    again, _marks = catalogue.read_product({**LEAST, **written})
    return again == product and field.wire_name in written


def is_taken_from_callers(field: DeclaredField, _: Kept) -> bool:
    """A caller's value of an answered field is ignored."""
    member = {field.wire_name: json_of(field)}
    said = read_product_input(member, is_new=False)
    if field in PRODUCT_FIELDS and not field.is_answered:
        found = getattr(said, field.name, None) or said.fields.get(field.name)
        return bool(found) and (field.kind is _K.VARIANTS or found == value_of(field))
    told = [said.fields]
    if field in SHARED_FIELDS:
        variants = read_product_input({"variants": [member]}, is_new=False).variants or ()
        told += [one.fields for one in variants]
    expected = {} if field.is_answered else {field.name: value_of(field)}
    return told == [expected] * len(told)


def is_sent_to_platforms(field: DeclaredField, _: Kept) -> bool:
    product = replace(BLANK, **{field.name: value_of(field)})
    sent = catalogue.product_input(product, only=frozenset({field.name}))
    return field.wire_name in sent and field.wire_name in catalogue.product_input(product)


def is_stored(field: DeclaredField, kept: Kept) -> bool:
    owners = [kept.plain, kept.pinned]
    return all(is_as_listed(field, getattr(owner, field.name), owner) for owner in owners)


def is_in_columns(field: DeclaredField, kept: Kept) -> bool:
    """A row of a list and an article that is sold have the value that was listed, if they have the
    field."""
    names = {"tax_label": "label", "sale_unit_id": "unit", "categories": "category_ids"}
    name = names.get(field.name, field.name)
    told = [
        (product, getattr(one, name))
        for product in (kept.plain, kept.pinned)
        for one in (kept.rows[product.id], kept.articles[product.id])
        if name in {each.name for each in fields(one)}
    ]
    return hasattr(kept.plain, field.name) and all(
        found == "ком" if name == "unit" else is_as_listed(field, found, product)
        for product, found in told
    )


def is_as_listed(field: DeclaredField, found: object, product: Product) -> bool:
    """Codes and names differ between the two products."""
    if field.kind in (_K.SKU, _K.EAN, _K.NAME):
        return bool(found) and found == getattr(product, field.name)
    return bool(found == value_of(field))


def is_typed(field: DeclaredField, _: Kept) -> bool:
    typed = as_typed(replace(BLANK, **{field.name: value_of(field)}), NO_MARKS, None)
    return is_drafted(field, typed[field.name])


def is_drafted(field: DeclaredField, text: str) -> bool:
    before = as_typed(BLANK, NO_MARKS, None)
    drafted = read_draft({field.name: text}, before, NO_MARKS, article_id="p1")
    return drafted.changes == {field.name: value_of(field)}


def is_in_sheets(field: DeclaredField, kept: Kept) -> bool:
    """The cell of a field is read back under the heading that is written over it; a number that
    people calculate with stays a number."""
    cell, head = kept.cells[field.name], head_row()[WRITTEN.index(field.name)]
    text = kept.reader.typed_text(field.name, plain(cell))
    differs = field.kind in (_K.SKU, _K.EAN, _K.NAME)
    is_number = field.kind in (_K.NUMBER, _K.PRICE, _K.SKU)
    return (
        field_of_head(head) == field.name
        and (bool(text) if differs else is_drafted(field, text))
        and isinstance(cell, int | Decimal) is is_number
    )


def is_column(field: DeclaredField, _: Kept) -> bool:
    (column,) = (one for one, name in columns.FIELD_OF.items() if name == field.name)
    words = [columns.head_words(column, Texts(language)) for language in LANGUAGES]
    is_shown = any(column in some for some in columns.SETS.values())
    is_placed = column in (*columns.FOLDS, *NEVER_FOLDED)
    return all(words) and is_shown and column in columns.KIND_OF and is_placed


_C = columns.CatalogueColumn
NEVER_FOLDED = (_C.CODE, _C.NAME, _C.PRICE)


def is_in_the_form(field: DeclaredField, _: Kept) -> bool:
    editor = ROOT / "pos_app/cashier/catalogue/editor.py"
    return f"_F.{DraftField(field.name).name}" in spelt(editor, "_build_form", "_row_with_picture")


def is_decided(field: DeclaredField, _: Kept) -> bool:
    """An edit of it is recorded, comes back, and is shown in words when both sides changed it."""
    edit = NewEdit.changing("p1", "p1", {field.name: value_of(field)}, by="", at=NOW)
    told = [
        (field_name(field.name, texts), value_words(field.name, value_of(field), texts, {}))
        for texts in map(Texts, LANGUAGES)
    ]
    return changes_from_json(changes_to_json(edit.changes)) == edit.changes and all(map(all, told))


def is_tried(field: DeclaredField, _: Kept) -> bool:
    names = ["a listed product", *(["a listed variant"] if field in SHARED_FIELDS else [])]
    return all(field.wire_name in READERS[name].right for name in names)


# --- stores --------------------------------------------------------------------------------------


def store_value(field: DeclaredField) -> Any:
    """A flag gets the opposite of its default."""
    is_flag = field.kind is _K.FLAG
    return not getattr(STORE, field.name) if is_flag else value_of(field)


def store_json(field: DeclaredField) -> Any:
    return store_value(field) if field.kind is _K.FLAG else json_of(field)


def is_written_and_read_of_store(field: DeclaredField, _: Kept) -> bool:
    after = replace(STORE, **{field.name: store_value(field)})
    written = store_to_json(after)
    is_changed = changed_members(STORE, after).keys() == {field.wire_name}
    is_written = is_same_json(written[field.wire_name], store_json(field))
    return is_changed and is_written and store_from_json(written) == after


def is_taken_of_store(field: DeclaredField, _: Kept) -> bool:
    before = read_store({"name": "Липа"}, None)
    members = read_store({field.wire_name: store_json(field)}, before)
    is_new = not is_same_json(before[field.wire_name], store_json(field))
    return is_new and is_same_json(members[field.wire_name], store_json(field))


def is_decided_of_store(field: DeclaredField, _: Kept) -> bool:
    value = store_value(field)
    told = [
        (store_edit_words.field_name(field.name, one), store_edit_words.value_words(value, one))
        for one in map(Texts, LANGUAGES)
    ]
    is_noticed = differing(STORE, replace(STORE, **{field.name: value})) == (field.name,)
    return is_noticed and all(map(all, told))


def is_on_the_page(field: DeclaredField, _: Kept) -> bool:
    page = ROOT / "pos_app/cashier/settings/store_page.py"
    if field.name in tuple(StoreText):
        return f"StoreText.{StoreText(field.name).name}" in spelt(page, "_PAIRED")
    return field.name in SWITCHES


def is_store_tried(field: DeclaredField, _: Kept) -> bool:
    return field.wire_name in READERS["a listed store"].right


# --- the places ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """One module that spells fields. where: its name for the person who added a field. but: fields
    that it leaves out."""

    where: str
    has: Callable[[DeclaredField, Kept], bool]
    but: frozenset[str] = frozenset()


ANSWERED = frozenset({"description_plain", "cover_image"})
NOT_TYPED = ANSWERED | {"has_variants"}
"""has_variants follows from the variants, and a photo is chosen."""
ONE_OF_ALL = (
    Place("its writer and reader, pos_app/wire/catalogue.py: fields_to_json, product_to_json, "
          "FieldsShape, _fields", is_written_and_read),
    Place("what callers send, pos_app/wire/catalogue_input.py", is_taken_from_callers),
    Place("the documents of tests/unit/wire/hostile_documents.py", is_tried),
)  # fmt: skip
OF_SHARED = (
    *ONE_OF_ALL,
    Place("what a platform is sent, pos_app/wire/catalogue.py: product_input",
          is_sent_to_platforms, ANSWERED),
    Place("the stored product, pos_app/adapters/sqlite/catalogue", is_stored,
          frozenset({"cover_image"})),
    Place("the columns of lists, pos_app/adapters/sqlite/catalogue/{schema,index,plain_products,"
          "rows}.py", is_in_columns, frozenset({"cover_image"})),
    Place("the draft, pos_app/selling/catalogue/product_draft.py: DraftField, as_typed",
          is_typed, NOT_TYPED),
    Place("the sheet, pos_app/selling/catalogue/sheet/export.py: WRITTEN, and its heads in "
          "pos_app/domain/article/fields.py", is_in_sheets, NOT_TYPED),
    Place("the table, pos_app/cashier/catalogue/columns.py: Column, SETS, FIELD_OF, FOLDS, and "
          "cat.column.… in resources/texts/sr.po", is_column,
          NOT_TYPED | {"description", "variant_name"}),
    Place("the form, pos_app/cashier/catalogue/editor.py: _build_form", is_in_the_form, NOT_TYPED),
    Place("what is decided where both sides changed it: EDITABLE of pos_app/selling/"
          "synchronisation/catalogue_edits.py, and cat.field.… in resources/texts/sr.po",
          is_decided, frozenset({"description_plain", "has_variants"})),
)  # fmt: skip
OF_STORE = (
    Place("its writer and reader, pos_app/wire/store.py: store_to_json, StoreShape, store_of",
          is_written_and_read_of_store),
    Place("what callers send, pos_app/wire/store_input.py: StoreInput, DEFAULTS",
          is_taken_of_store),
    Place("the documents of tests/unit/wire/hostile_documents.py", is_store_tried),
    Place("what is decided where both sides changed it: set.store.… in resources/texts/sr.po",
          is_decided_of_store),
    Place("the page, pos_app/cashier/settings: StoreText of store_model.py, _PAIRED of "
          "store_page.py", is_on_the_page,
          frozenset({"language", "print_method", "payment_methods_order", "product_picker_type"})),
)  # fmt: skip
"""The four fields without a position on the page have their own parts there."""


def misses(places: Iterable[Place], field: DeclaredField, kept: Kept) -> Iterator[str]:
    for place in places:
        try:
            has = field.name in place.but or place.has(field, kept)
        except (AttributeError, KeyError, TypeError, ValueError, PosError):
            has = False
        if not has:
            yield place.where


def spelt(path: Path, *scopes: str) -> set[str]:
    """The names that these functions or values of a module spell, such as "_F.NAME"; the module
    of a class is left out."""
    tree = ast.parse(path.read_text("utf-8"))
    return {
        ".".join(ast.unparse(part).split(".")[-2:])
        for node in ast.walk(tree)
        if (isinstance(node, ast.FunctionDef) and node.name in scopes)
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in scopes)
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
    }


def is_understood(field: DeclaredField) -> bool:
    """Tell whether a list with the field can be read at all; if not, only the modules are
    reported."""
    try:
        catalogue.read_product({**LEAST, field.wire_name: json_of(field)})
    except (ValueError, PosError):
        return False
    return True


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("fields") / "data"
    folder.mkdir()
    told = {
        one.wire_name: json_of(one)
        for one in SHARED_FIELDS
        if one.kind is not _K.FILE and is_understood(one)
    }
    source = folder.parent / "list.json"
    other = {"name": "Кајмак", "sku": 78, "ean": "4006381333931", "pinned": True}
    listed = {
        "plain": {**told, "id": "plain"},
        "pinned": {**told, "id": "pinned", **other},  # it is not written together with others
    }
    lists = {
        "stores": [{"id": "s1", "name": "Липа"}],
        "units": [{"id": UNIT, "name": "комад", "symbol": "ком"}],
        "categories": [{"id": CATEGORY, "name": "Млечно", "position": 1}],
        "products": [*listed.values()],
    }
    source.write_bytes(dumps(lists))
    run_sync(settings=settings.load(folder), source=source, progress=print, accept_removals=False)
    path = catalogue_file(folder)
    with SqliteCatalogue(path) as shelf, SqliteCatalogueEditor(path) as desk:
        plain_one, pinned = shelf.product("plain"), shelf.product("pinned")
        assert plain_one is not None
        assert pinned is not None
        (cells,) = sheet_rows(shelf, desk, ["pinned"])
        return Kept(
            plain_one,
            pinned,
            {row.product_id: row for row in shelf.page(limit=9)},
            {one: sold for one in listed if (sold := shelf.article(one))},
            dict(zip(map(str, WRITTEN), cells, strict=True)),
            CellReader(shelf, PUBLISHED_RATES),
        )


def test_each_field_stands_wherever_it_has_to(kept: Kept) -> None:
    missed = [
        f"{field.name} of {whose}: {where}"
        for whose, told, places in (
            ("products and variants", SHARED_FIELDS, OF_SHARED),
            ("products", PRODUCT_FIELDS, ONE_OF_ALL),
            ("stores", STORE_FIELDS, OF_STORE),
        )
        for field in told
        for where in misses(places, field, kept)
    ]
    assert not missed, "missing:\n" + "\n".join(missed)


def test_each_field_is_told() -> None:
    """The table has all fields of the records, and no other."""
    shared = {one.name for one in fields(ProductFields)} - {"id"}
    for record, own, told in (
        ("ProductFields", shared, SHARED_FIELDS),
        ("Product", {one.name for one in fields(Product)} - shared - {"id"}, PRODUCT_FIELDS),
        ("Store", {one.name for one in fields(Store)} - {"id"}, STORE_FIELDS),
    ):
        differing_names = own ^ {one.name for one in told}
        assert not differing_names, f"{record} and domain/article/fields.py: {differing_names}"
    assert SAMPLES.keys() == set(FieldKind)


@pytest.mark.parametrize("kind", FieldKind)
def test_a_field_that_is_nowhere_is_missed_everywhere(kind: Enum, kept: Kept) -> None:
    assert isinstance(kind, FieldKind)
    new = DeclaredField("made_up", kind, heads=("Измишљено",))
    for places in (OF_SHARED, ONE_OF_ALL, OF_STORE):
        assert [*misses(places, new, kept)] == [place.where for place in places]
