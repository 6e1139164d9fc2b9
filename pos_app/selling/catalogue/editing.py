"""A manager saves, adds and deletes articles. Each act is an edit that waits to be sent.

All that an act writes (fields, marks, plan, new categories) is stored together or not at all. After
an error nothing is stored, so the same act can be done again.

Source: till.md (Catalogue), platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from pos_app.domain.article.article import NO_MARKS, Marks
from pos_app.domain.article.product import Product, ProductFields, Variant
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.instant import day_of
from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import (
    Catalogue,
    CatalogueEditor,
    ProductReader,
    delete_product,
)
from pos_app.selling.catalogue.planned_prices import PlannedPrice, PricePlans
from pos_app.selling.catalogue.product_draft import (
    OF_PLAN,
    Drafted,
    DraftFaults,
    DraftField,
    TypedFields,
    as_seen,
    as_typed,
    changed_meanwhile,
    read_draft,
)
from pos_app.selling.synchronisation import catalogue_edits

NO_CATEGORIES: Mapping[str, str] = MappingProxyType({})
NOTHING_SHOWN: TypedFields = MappingProxyType({})
_CHOSEN = (DraftField.CATEGORIES, DraftField.UNIT, DraftField.BASE_UNIT)
"""Fields that hold the ids of categories or of a unit."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A product or variant that is edited, with its stored values. owner: the product or its
    variant."""

    product: Product
    owner: ProductFields
    marks: Marks
    plan: PlannedPrice | None

    @property
    def typed_fields(self) -> dict[str, str]:
        return as_typed(self.owner, self.marks, self.plan)

    @property
    def is_variant(self) -> bool:
        return self.owner is not self.product

    @property
    def seen(self) -> list[dict[str, str]]:
        """The texts that a person sees of it, of a product those of its variants too."""
        variants = () if self.is_variant else self.product.variants
        itself = as_seen(self.owner, self.marks, self.plan)
        return [itself, *(as_seen(one, NO_MARKS, None) for one in variants)]


def open_for_edit(
    catalogue: ProductReader, editor: CatalogueEditor, product_id: str, article_id: str
) -> Edited | None:
    """Return a product or its variant with all its fields, or None if it was deleted."""
    product = catalogue.product(product_id)
    owner = catalogue_edits.owner_in(product, article_id) if product is not None else None
    if product is None or owner is None:
        return None
    return Edited(product, owner, catalogue.marks(article_id), editor.plan_of(article_id))


@dataclass(frozen=True, slots=True)
class Undecided:
    """A change that a manager must decide, and its article. product, owner: None if deleted
    here."""

    edit: catalogue_edits.CatalogueEdit
    product: Product | None
    owner: ProductFields | None

    @property
    def name(self) -> str:
        """The name of the article, else of its product; "" if both are gone."""
        owner = self.owner or self.product
        return "" if owner is None else owner.name


def undecided(catalogue: Catalogue, editor: CatalogueEditor) -> tuple[Undecided, ...]:
    """Return all changes that a manager must decide: first those of fields that both sides changed,
    then those that the platform refused."""
    found = []
    for state in (catalogue_edits.EditState.CONFLICT, catalogue_edits.EditState.REFUSED):
        for edit in editor.edits(frozenset({state})):
            product = catalogue.product(edit.product_id)
            owner = None if product is None else catalogue_edits.owner_in(product, edit.article_id)
            found.append(Undecided(edit, product, owner))
    return tuple(found)


def blank_product(
    product_id: str, *, label: TaxLabel, unit_id: str | None, sku: int | None
) -> Edited:
    """Return a new product, before anything is typed. Its name "-" stands for an empty one."""
    product = Product(id=product_id, name="-", tax_label=label, sku=sku, sale_unit_id=unit_id)
    return Edited(product, product, NO_MARKS, None)


def with_plan_off(edited: Edited, typed_fields: TypedFields, *, at: datetime) -> TypedFields:
    """Return texts that a person gives an article. Where a price is among them it takes the place
    of a planned price that has begun and has no end, which is taken off unless the person planned
    it with them."""
    is_usual = edited.plan is not None and edited.plan.is_usual_at(at)
    if not is_usual or DraftField.PRICE not in typed_fields or OF_PLAN & typed_fields.keys():
        return typed_fields
    return {**typed_fields, **dict.fromkeys(map(str, OF_PLAN), "")}


def plans_of_variants(edited: Edited, plans: PricePlans, *, at: datetime) -> list[PlannedPrice]:
    """Return the plans of variants that a new price of their product takes the place of."""
    followers = () if edited.is_variant else edited.product.followers
    planned = (plans.plan_of(one.id) for one in followers)
    return [one for one in planned if one is not None and one.is_usual_at(at)]


def save_typed(
    editor: CatalogueEditor,
    product_id: str,
    article_id: str,
    typed_fields: TypedFields,
    *,
    by: str,
    at: datetime,
    shown_fields: TypedFields = NOTHING_SHOWN,
    categories: Mapping[str, str] = NO_CATEGORIES,
    plans_are_meant: bool = False,
    replaced: Sequence[PlannedPrice] = (),
) -> bool:
    """Save the texts that were typed in the fields of a product or variant; return False if nothing
    differs from what is stored.

    article_id: the id of the product or variant. shown_fields: the texts that the typed fields had
    before; a field that is missing here had the text that is stored now. Changes that another
    person made meanwhile stay. If both changed a field nothing is saved, and the error names the
    field. categories: the names of new categories, by id. plans_are_meant: as
    `CatalogueEditor.record`. replaced: plans of variants, which a new price takes the place of.

    Raises DraftFaults with each faulty field, NotFound, and what the editor raises.
    """
    with _together(editor, categories):
        now = open_for_edit(editor, editor, product_id, article_id)
        if now is None:
            raise gone(article_id)
        over = changed_meanwhile(typed_fields, shown_fields, now.typed_fields, today=day_of(at))
        if over:
            raise DraftFaults({field: _meanwhile(field) for field in over})
        _check_offered(editor, typed_fields, now.typed_fields)
        drafted = read_draft(
            typed_fields, now.typed_fields, now.marks, article_id=article_id, at=at
        )
        if drafted.changes:
            new = catalogue_edits.NewEdit.changing(
                product_id, article_id, drafted.changes, by=by, at=at
            )
            _at_its_field(editor, new, plans_are_meant=plans_are_meant)
        _save_ours(editor, article_id, drafted, by=by, at=at)
        for one in replaced if "price" in drafted.changes else ():
            if editor.plan_of(one.article_id) == one:
                editor.drop_plan(one.article_id, by=by, at=at)
        return not drafted.is_empty


def put_back_plans(
    editor: CatalogueEditor,
    product_id: str,
    replaced: Iterable[PlannedPrice],
    *,
    by: str,
    at: datetime,
) -> None:
    """Put back plans of a product's variants that its price took the place of, except that of a
    variant that went, or has a price of its own or another plan since."""
    product = editor.product(product_id)
    following = set() if product is None else {one.id for one in product.followers}
    for one in replaced:
        if one.article_id in following and editor.plan_of(one.article_id) is None:
            editor.plan_price(one, by=by, at=at)


def _check_offered(editor: CatalogueEditor, typed_fields: TypedFields, before: TypedFields) -> None:
    """Check that no category or unit is newly given that went since it was chosen. Raises
    DraftFaults."""
    given = {
        field: set(typed_fields[field].splitlines()) - set(before[field].splitlines())
        for field in _CHOSEN
        if field in typed_fields
    }
    lacking = editor.lacking(frozenset().union(*given.values()))
    faults: dict[str, Invalid] = {
        field: _meanwhile(field) for field, ids in given.items() if ids & lacking
    }
    if faults:
        raise DraftFaults(faults)


def _meanwhile(field: DraftField) -> Invalid:
    return Invalid("changed_meanwhile", field=field)


def gone(article_id: str) -> NotFound:
    return NotFound("article.edited", article=article_id)


def read_new(blank: Edited, typed_fields: TypedFields, *, at: datetime) -> Drafted:
    """Read what was typed for a new product or variant, which has a name of its own. Raises
    DraftFaults."""
    if blank.is_variant:
        named = {DraftField.VARIANT_NAME.value: "", **typed_fields}
        if not named[DraftField.VARIANT_NAME].strip():
            fault = Invalid("article_name.variant", field=DraftField.VARIANT_NAME)
            raise DraftFaults({DraftField.VARIANT_NAME: fault})
        return read_draft(named, blank.typed_fields, blank.marks, article_id=blank.owner.id, at=at)
    before = {**blank.typed_fields, DraftField.NAME: ""}
    whole = {DraftField.NAME.value: "", **typed_fields}
    if not whole[DraftField.NAME].strip():
        whole[DraftField.NAME] = " "  # differs from `before`, so that it is read and found faulty
    return read_draft(whole, before, blank.marks, article_id=blank.owner.id, at=at)


def add_typed(
    editor: CatalogueEditor,
    blank: Edited,
    typed_fields: TypedFields,
    *,
    by: str,
    at: datetime,
    categories: Mapping[str, str] = NO_CATEGORIES,
) -> None:
    """Add a new product with the typed values. Raises as `save_typed`."""
    drafted = read_new(blank, typed_fields, at=at)
    product = _with(blank.product, drafted.changes)
    with _together(editor, categories):
        _check_offered(editor, typed_fields, blank.typed_fields)
        _at_its_field(editor, catalogue_edits.NewEdit.adding(product, by=by, at=at))
        _save_ours(editor, product.id, drafted, by=by, at=at)


def blank_variant(product: Product, variant_id: str) -> Edited:
    """Return a new variant of a product, with the product's name, tax label, price and unit."""
    variant = Variant(
        id=variant_id,
        name=product.name,
        tax_label=product.tax_label,
        price=product.price,
        sale_unit_id=product.sale_unit_id,
    )
    return Edited(product, variant, NO_MARKS, None)


def add_variant_typed(
    editor: CatalogueEditor,
    blank: Edited,
    typed_fields: TypedFields,
    *,
    by: str,
    at: datetime,
    categories: Mapping[str, str] = NO_CATEGORIES,
) -> None:
    """Add a new variant with the typed values. Raises as `save_typed`, and DraftFaults if it has no
    name of its own, because two variants with the same name could not be told apart."""
    drafted = read_new(blank, typed_fields, at=at)
    assert isinstance(blank.owner, Variant)
    variant = replace(blank.owner, **drafted.changes)
    with _together(editor, categories):
        _check_offered(editor, typed_fields, blank.typed_fields)
        product = _product_now(editor, blank.product)
        _save_variants(editor, product, (*product.variants, variant), by=by, at=at)
        _save_ours(editor, variant.id, drafted, by=by, at=at)


def blank_again(product: Product, gone: Edited) -> Edited:
    """Return a new, unsaved article that is to take the place of the deleted one, without its
    photos.

    product: for a variant, its product as it is now; for a product, the deleted product itself.
    """
    if gone.is_variant:
        return blank_variant(product, str(uuid4()))
    variants = tuple(replace(one, id=str(uuid4())) for one in product.variants)
    new = replace(product, id=str(uuid4()), variants=variants, images=(), cover_image=None)
    return Edited(new, new, NO_MARKS, None)


def delete_as_shown(editor: CatalogueEditor, edited: Edited, *, by: str, at: datetime) -> None:
    """Delete a product or a variant, if it still is as a person saw it. Raises NotAllowed where
    something else has changed it since, NotFound where it is gone."""
    with editor.together():
        now = open_for_edit(editor, editor, edited.product.id, edited.owner.id)
        if now is None:
            raise gone(edited.owner.id)
        if now.seen != edited.seen:
            raise NotAllowed("changed_since_shown", name=now.owner.name)
        if edited.is_variant:
            delete_variant(editor, edited, by=by, at=at)
        else:
            delete_product(editor, edited.product.id, by=by, at=at)


def delete_variant(editor: CatalogueEditor, edited: Edited, *, by: str, at: datetime) -> None:
    """Delete a variant. When the last one is deleted, the product is sold itself."""
    with editor.together():
        product = _product_now(editor, edited.product)
        left = tuple(one for one in product.variants if one.id != edited.owner.id)
        _save_variants(editor, product, left, by=by, at=at)


def bring_back(editor: CatalogueEditor, deleted: Edited, *, by: str, at: datetime) -> None:
    """Take the deletion of a product or a variant back. deleted: as it was before that. Raises as
    `CatalogueEditor.bring_back`, and NotFound for a variant whose product is gone."""
    if not deleted.is_variant:
        editor.bring_back(deleted.product.id, by=by, at=at)
        return
    variant, ids = deleted.owner, [one.id for one in deleted.product.variants]
    assert isinstance(variant, Variant)
    with editor.together():
        product = _product_now(editor, deleted.product)
        if catalogue_edits.owner_in(product, variant.id) is not None:
            raise NotAllowed("changed_since")
        before = ids[: ids.index(variant.id)]
        at_place = sum(one.id in before for one in product.variants)
        variants = (*product.variants[:at_place], variant, *product.variants[at_place:])
        _save_variants(editor, product, variants, by=by, at=at)
        plan = deleted.plan
        if plan is not None and (plan.is_over_at(at) or editor.plan_of(variant.id) is not None):
            plan = None
        marks = deleted.marks if editor.marks(variant.id) != deleted.marks else None
        _save_ours(editor, variant.id, Drafted({}, marks, plan), by=by, at=at)


def order_photos(
    editor: CatalogueEditor, product: Product, file_ids: Sequence[str], *, by: str, at: datetime
) -> None:
    """Set the photos of a product, the main photo first. Its other photos are removed.

    product: the product as it was shown to the person. A photo that somebody else added meanwhile
    stays, after these; a photo that somebody else removed meanwhile does not come back.
    """
    shown = catalogue_edits.photos_of(product)
    with editor.together():
        now = catalogue_edits.photos_of(_product_now(editor, product))
        kept = [one for one in file_ids if one in now or one not in shown]
        wanted = (*kept, *(one for one in now if one not in shown and one not in kept))
        if wanted != now:
            changes = {catalogue_edits.IMAGES: wanted}
            editor.record(
                catalogue_edits.NewEdit.changing(product.id, product.id, changes, by=by, at=at)
            )


def _product_now(editor: CatalogueEditor, shown_product: Product) -> Product:
    """Return the product as it is stored now; it may differ from the shown one. Raises NotFound."""
    product = editor.product(shown_product.id)
    if product is None:
        raise gone(shown_product.id)
    return product


def _save_variants(
    editor: CatalogueEditor,
    product: Product,
    variants: tuple[Variant, ...],
    *,
    by: str,
    at: datetime,
) -> None:
    changes = {catalogue_edits.VARIANTS: variants}
    _at_its_field(
        editor, catalogue_edits.NewEdit.changing(product.id, product.id, changes, by=by, at=at)
    )


def _with(product: Product, changes: Mapping[str, Any]) -> Product:
    values = {name: getattr(product, name) for name in catalogue_edits.EDITABLE}
    return Product(id=product.id, **{**values, **changes})


@contextmanager
def _together(editor: CatalogueEditor, categories: Mapping[str, str]) -> Iterator[None]:
    with editor.together():
        if categories:
            editor.add_categories(categories)
        yield


def _save_ours(
    editor: CatalogueEditor, article_id: str, drafted: Drafted, *, by: str, at: datetime
) -> None:
    if drafted.marks is not None:
        editor.note(article_id, drafted.marks, by=by, at=at)
    if drafted.plan is not None:
        editor.plan_price(drafted.plan, by=by, at=at)
    elif drafted.drops_plan:
        editor.drop_plan(article_id, by=by, at=at)


def _at_its_field(
    editor: CatalogueEditor, new: catalogue_edits.NewEdit, *, plans_are_meant: bool = False
) -> None:
    """Record an edit. If a code is taken by another article, or a number is impossible, the error
    becomes a fault of its field."""
    try:
        editor.record(new, plans_are_meant=plans_are_meant)
    except Invalid as error:
        field = error.field.rpartition(".")[2]
        if field in set(DraftField):
            raise DraftFaults({field: error}) from error
        raise
