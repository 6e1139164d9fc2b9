"""A manager saves, adds and deletes articles. Each act is an edit that waits to be sent.

All that an act writes (fields, marks, plan, new categories) is stored together or not at all: after
an error nothing of it is in force, and the same act can be done again.

Source: till.md (Catalogue), platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from pos_app.domain.article import NO_MARKS, Marks
from pos_app.domain.product import Product, ProductFields, Variant
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid, NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor, ProductReader
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import (
    Drafted,
    DraftFaults,
    DraftField,
    TypedFields,
    as_typed,
    changed_meanwhile,
    read_draft,
)
from pos_app.selling.synchronisation import catalogue_edits

NO_CATEGORIES: Mapping[str, str] = MappingProxyType({})
NOTHING_SHOWN: TypedFields = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Edited:
    """A product or variant as it is, to be edited. owner: the product, or its variant."""

    product: Product
    owner: ProductFields
    marks: Marks
    plan: PlannedPrice | None

    @property
    def typed(self) -> dict[str, str]:
        return as_typed(self.owner, self.marks, self.plan)

    @property
    def is_variant(self) -> bool:
        return self.owner is not self.product


def open_for_edit(
    catalogue: ProductReader, editor: CatalogueEditor, product_id: str, article_id: str
) -> Edited | None:
    """A product or its variant with all its fields, or None when it is gone."""
    product = catalogue.product(product_id)
    owner = catalogue_edits.owner_in(product, article_id) if product is not None else None
    if product is None or owner is None:
        return None
    return Edited(product, owner, catalogue.marks(article_id), editor.plan_of(article_id))


@dataclass(frozen=True, slots=True)
class Undecided:
    """A change that waits for a manager, and its article. product and owner are None when they are
    gone here."""

    edit: catalogue_edits.CatalogueEdit
    product: Product | None
    owner: ProductFields | None

    @property
    def name(self) -> str:
        """The article's name, or what a new one was to be called."""
        owner = self.owner or self.product
        return "" if owner is None else owner.name


def undecided(catalogue: Catalogue, editor: CatalogueEditor) -> tuple[Undecided, ...]:
    """All changes that were made on both sides, then those that the platform refused."""
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
    """A new product before anything is typed. Its name is empty until it is saved."""
    product = Product(id=product_id, name="-", tax_label=label, sku=sku, sale_unit_id=unit_id)
    return Edited(product, product, NO_MARKS, None)


def save_typed(
    editor: CatalogueEditor,
    product_id: str,
    article_id: str,
    typed: TypedFields,
    *,
    by: str,
    at: datetime,
    shown: TypedFields = NOTHING_SHOWN,
    categories: Mapping[str, str] = NO_CATEGORIES,
) -> bool:
    """Save what was typed in the fields of a product or variant. It returns False where nothing
    differs.

    article_id: that of the product or of its variant. shown: the earlier contents of typed fields;
    a missing one showed what is stored now. Another person's changes since then stay; where both
    changed a field nothing is saved, and the error names it. categories: names by id of new ones.

    Raises DraftFaults with each faulty field, NotFound, and what the editor raises.
    """
    with _together(editor, categories):
        now = open_for_edit(editor, editor, product_id, article_id)
        if now is None:
            raise gone(article_id)
        over = changed_meanwhile(typed, shown, now.typed)
        if over:
            raise DraftFaults({field: _meanwhile(field) for field in over})
        drafted = read_draft(typed, now.typed, now.marks, article_id=article_id)
        if drafted.changes:
            new = catalogue_edits.NewEdit.changing(
                product_id, article_id, drafted.changes, by=by, at=at
            )
            _at_its_field(editor, new)
        _save_ours(editor, article_id, drafted, by=by, at=at)
        return not drafted.is_empty


def _meanwhile(field: DraftField) -> Invalid:
    return Invalid("changed_meanwhile", field=field)


def gone(article_id: str) -> NotFound:
    """An article was deleted meanwhile."""
    return NotFound("article.edited", article=article_id)


def add_typed(
    editor: CatalogueEditor,
    blank: Edited,
    typed: TypedFields,
    *,
    by: str,
    at: datetime,
    categories: Mapping[str, str] = NO_CATEGORIES,
) -> None:
    """Add a new product with what was typed. Raises as `save_typed`."""
    before = {**blank.typed, DraftField.NAME: ""}
    whole = {DraftField.NAME.value: "", **typed}
    unnamed = not whole[DraftField.NAME].strip()
    if unnamed:
        whole[DraftField.NAME] = " "  # differs, so that it is read, with a fault at its field
    drafted = read_draft(whole, before, blank.marks, article_id=blank.owner.id)
    product = _with(blank.product, drafted.changes)
    with _together(editor, categories):
        _at_its_field(editor, catalogue_edits.NewEdit.adding(product, by=by, at=at))
        _save_ours(editor, product.id, drafted, by=by, at=at)


def blank_variant(product: Product, variant_id: str) -> Edited:
    """A new variant of a product, with the values that it shares with it."""
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
    typed: TypedFields,
    *,
    by: str,
    at: datetime,
    categories: Mapping[str, str] = NO_CATEGORIES,
) -> None:
    """Add a new variant with what was typed. Raises as `save_typed`, and DraftFaults where it has
    no name of its own: two of one name could not be told apart."""
    named = {DraftField.VARIANT_NAME.value: "", **typed}
    if not named[DraftField.VARIANT_NAME].strip():
        fault = Invalid("article_name.variant", field=DraftField.VARIANT_NAME)
        raise DraftFaults({DraftField.VARIANT_NAME: fault})
    drafted = read_draft(named, blank.typed, blank.marks, article_id=blank.owner.id)
    assert isinstance(blank.owner, Variant)
    variant = replace(blank.owner, **drafted.changes)
    with _together(editor, categories):
        product = _product_now(editor, blank.product)
        _save_variants(editor, product, (*product.variants, variant), by=by, at=at)
        _save_ours(editor, variant.id, drafted, by=by, at=at)


def blank_again(product: Product, gone: Edited) -> Edited:
    """The deleted article as a new, unsaved one; its photos are gone.

    product: the product as it is now for a variant, else the deleted one itself.
    """
    if gone.is_variant:
        return blank_variant(product, str(uuid4()))
    variants = tuple(replace(one, id=str(uuid4())) for one in product.variants)
    new = replace(product, id=str(uuid4()), variants=variants, images=(), cover_image=None)
    return Edited(new, new, NO_MARKS, None)


def delete_variant(editor: CatalogueEditor, edited: Edited, *, by: str, at: datetime) -> None:
    """Delete a variant; without any the product is sold itself."""
    with editor.together():
        product = _product_now(editor, edited.product)
        left = tuple(one for one in product.variants if one.id != edited.owner.id)
        _save_variants(editor, product, left, by=by, at=at)


def order_photos(
    editor: CatalogueEditor, product: Product, file_ids: Sequence[str], *, by: str, at: datetime
) -> None:
    """Set the photos of a product, the main one first; the others are taken off.

    product: as it was shown. A photo that another added since then stays, behind these, and one
    that was taken off does not come back.
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


def _product_now(editor: CatalogueEditor, shown: Product) -> Product:
    """The product as it is now, which may differ from the shown one. Raises NotFound."""
    product = editor.product(shown.id)
    if product is None:
        raise gone(shown.id)
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
    """Write all within in one transaction, with these new categories."""
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
        editor.drop_plan(article_id)


def _at_its_field(editor: CatalogueEditor, new: catalogue_edits.NewEdit) -> None:
    """Turn a code that another article has, or an impossible number, into a fault of its field."""
    try:
        editor.record(new)
    except Invalid as error:
        field = error.field.rpartition(".")[2]
        if field in set(DraftField):
            raise DraftFaults({field: error}) from error
        raise
