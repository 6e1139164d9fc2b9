"""Products: what a body makes of one. Source: platform-contract.md 2.1 to 2.4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from pos_app.domain.product import Product, ProductFields, ProductType, Variant
from pos_app.errors import Invalid
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.database.tables import PRODUCT
from pos_app.platform_api.files.lookup import files_of, note_images
from pos_app.platform_api.products.codes import (
    Code,
    check_unique,
    next_skus,
    own_codes,
    write_codes,
)
from pos_app.platform_api.products.description import plain_text, sanitised
from pos_app.platform_api.resource import AccountRow, Draft, Resource, kept_members
from pos_app.wire.catalogue import (
    product_from_json,
    product_to_json,
    variant_from_json,
    variant_to_json,
)
from pos_app.wire.catalogue_input import ProductChange, VariantChange, read_product_input
from pos_app.wire.row import members_of
from pos_app.wire.strict_json import dumps, loads


@dataclass(frozen=True, slots=True)
class _ProductDraft(Draft):
    codes: tuple[Code, ...] = ()
    is_new: bool = False
    images: tuple[str, ...] | None = None
    """None: those that were noted before."""


class Products(Resource):
    path = "/products"
    noun = "Product"
    table = PRODUCT
    may_be_restored = True

    async def draft_new(self, write: CatalogueWrite, row_id: str, body: object) -> Draft:
        """Without a sku it gets the next; without a type it is a product."""
        change = read_product_input(body, is_new=True)
        fields = {"product_type": ProductType.PRODUCT} | _made(change.fields)
        product = Product(id=row_id, created_at=change.created_at, **fields)
        before = replace(product, images=())
        return await self._drafted(write, product, change, before=before, own={})

    async def draft_changed(self, write: CatalogueWrite, row: AccountRow, body: object) -> Draft:
        """What the body does not say stays as it is."""
        change = read_product_input(body, is_new=False)
        before = _kept_product(row)
        product = replace(before, **_made(change.fields, before))
        if row.deleted_at is not None:  # files may have been deleted since
            product = await _with_cover(write, product, before)
        own = await own_codes(write, row.id)
        if not change.says_deleted:
            change = replace(change, deleted_at=row.deleted_at)
        return await self._drafted(write, product, change, before=before, own=own)

    async def on_written(self, write: CatalogueWrite, row_id: str, draft: Draft) -> None:
        """Write the codes by which the product and its variants are found."""
        if isinstance(draft, _ProductDraft):
            await write_codes(write, row_id, draft.codes, is_new=draft.is_new)
            if draft.images is not None:
                await note_images(write.connection, row_id, draft.images, is_new=draft.is_new)
            return
        own = await own_codes(write, row_id)  # it was deleted: its barcodes are free
        codes = [Code(row.owner_id, row.sku, None, document=row.document) for row in own.values()]
        await write_codes(write, row_id, codes)

    async def _drafted(
        self,
        write: CatalogueWrite,
        product: Product,
        change: ProductChange,
        *,
        before: Product,
        own: Mapping[str, Any],
    ) -> Draft:
        if change.variants is not None:
            product = replace(product, variants=_variants(product, change.variants, own))
        if product.has_variants is None:
            product = replace(product, has_variants=bool(product.variants))
        if "images" in change.fields:
            product = await _with_cover(write, product, before)
        is_deleted = change.deleted_at is not None
        await check_unique(
            write, _codes(product, is_deleted=is_deleted), product_id=product.id, own=own
        )
        product = await _numbered(write, product)
        codes = _codes(product, is_deleted=is_deleted)
        return _ProductDraft(
            members=members_of(product_to_json(product)),
            created_at=product.created_at,
            deleted_at=change.deleted_at,
            codes=(*codes, *_gone(before, own, codes)),
            is_new=not own,
            images=product.images if not own or product.images != before.images else None,
        )


def _kept_product(row: AccountRow) -> Product:
    members = {"id": row.id, **kept_members(row.document)}
    return replace(product_from_json(members), created_at=row.created_at)


def _made(fields: Mapping[str, Any], before: ProductFields | None = None) -> dict[str, Any]:
    """The fields with a safe description and its plain text."""
    made = dict(fields)
    if "description" in made:
        html = made["description"]
        if before is None or html != before.description:
            html = None if html is None else sanitised(html)
        made["description"] = html
        made["description_plain"] = None if html is None else plain_text(html)
    return made


# --- variants ------------------------------------------------------------


def _variants(
    product: Product, changes: tuple[VariantChange, ...], own: Mapping[str, Any]
) -> tuple[Variant, ...]:
    """The variants as the body lists them, each made of the one with its id or else its sku.

    One that the product had before comes back with its id. An id that the product never had is
    its caller's own: the variant gets one here, as a product does. Raises Invalid.
    """
    known = {row.owner_id: _kept_variant(row.document) for row in own.values() if row.document}
    known |= {one.id: one for one in product.variants}
    named: set[str] = set()
    for change in changes:
        if change.id is not None and change.id in named:
            raise _sent_twice(change, "id")
        named |= {change.id} if change.id else set()
    by_sku = {one.sku: one for one in known.values() if one.id not in named}
    made: dict[str, Variant] = {}
    for change in changes:
        before = known.get(change.id or "") or by_sku.get(change.sku)
        if before is None:
            change.check_complete()
            fields = {"product_type": product.product_type} | _made(change.fields)
            variant = Variant(id=str(uuid4()), **fields)
        else:
            variant = replace(before, **_made(change.fields, before))
        if variant.id in made:
            raise _sent_twice(change, "sku")
        made[variant.id] = variant
    return tuple(made.values())


def _sent_twice(change: VariantChange, member: str) -> Invalid:
    field = f"{change.path}{member}"
    return Invalid(f'"{field}" is sent twice', field=field)


def _kept_variant(text: str) -> Variant:
    return variant_from_json(loads(text))


# --- codes ------------------------------------------------------------


def _codes(product: Product, *, is_deleted: bool) -> tuple[Code, ...]:
    """Those of the product and its variants. The barcodes of a deleted one are free."""
    owners = [("", product), *((f"variants[{n}].", one) for n, one in enumerate(product.variants))]
    return tuple(
        Code(one.id, one.sku, None if is_deleted else one.ean, path) for path, one in owners
    )


def _gone(before: Product, own: Mapping[str, Any], codes: tuple[Code, ...]) -> tuple[Code, ...]:
    """Those of variants that the product has no more, each with what brings it back."""
    owners, skus = {code.owner_id for code in codes}, {code.sku for code in codes}
    had = {one.id: dumps(variant_to_json(one)).decode() for one in before.variants}
    return tuple(
        Code(row.owner_id, row.sku, None, document=row.document or had[row.owner_id])
        for row in own.values()
        if row.owner_id not in owners and row.sku not in skus
    )


async def _numbered(write: CatalogueWrite, product: Product) -> Product:
    """With a sku for the product and each variant that has none, in this order."""
    owners = (product, *product.variants)
    used = {one.sku for one in owners if one.sku is not None}
    missing = sum(one.sku is None for one in owners)
    if not missing:
        return product
    skus = iter(await next_skus(write, missing, used))
    if product.sku is None:
        product = replace(product, sku=next(skus))
    variants = (
        replace(one, sku=next(skus)) if one.sku is None else one for one in product.variants
    )
    return replace(product, variants=tuple(variants))


async def _with_cover(write: CatalogueWrite, product: Product, before: Product) -> Product:
    """With the photo of its first image, and without images that are gone.

    Raises Invalid for a new image that is no file of ours.
    """
    files = await files_of(write.connection, write.account_id, product.images)
    for index, file_id in enumerate(product.images):
        if file_id not in files and file_id not in before.images:
            field = f"images[{index}]"
            raise Invalid(f'"{field}" {file_id} does not exist', field=field)
    images = tuple(file_id for file_id in product.images if file_id in files)
    return replace(product, images=images, cover_image=files[images[0]] if images else None)
