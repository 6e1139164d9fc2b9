"""Makes products from bodies. Source: platform-contract.md 2.1 to 2.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from pos_app.domain.article.product import Product, ProductFields, ProductType, Variant
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api import resource
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import PRODUCT
from pos_app.platform_api.files.lookup import files_of, note_images
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.products import description
from pos_app.platform_api.products.codes import (
    ArticleCodes,
    check_unique,
    next_skus,
    own_codes,
    write_codes,
)
from pos_app.platform_api.slow_work import Turns
from pos_app.platform_api.used_names import check_names
from pos_app.wire import catalogue
from pos_app.wire.catalogue_input import ProductChange, VariantChange, read_product_input
from pos_app.wire.row import members_of
from pos_app.wire.strict_json import dumps, loads


@dataclass(frozen=True, slots=True)
class _Description:
    """A read description. fault: see `why_not`."""

    html: str = ""
    plain: str = ""
    fault: str = ""


_PIECE = 16 * 1024
"""The characters of descriptions that are read at once."""

_Descriptions = Mapping[str, _Description]
"""Descriptions by the HTML that was sent."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    change: ProductChange
    descriptions: _Descriptions


@dataclass(frozen=True, slots=True)
class _ProductDraft(resource.Draft):
    codes: tuple[ArticleCodes, ...] = ()
    is_new: bool = False
    images: tuple[str, ...] | None = None
    """The ids of its photos, or None where the noted ones stay."""


class Products(resource.Resource):
    path = "/products"
    noun = "Product"
    table = PRODUCT
    may_be_restored = True

    def __init__(self, context: PlatformContext, authentication: Authentication) -> None:
        super().__init__(context, authentication)
        self._turns = Turns()

    async def prepared(self, caller: KeyHolder, body: object, *, is_new: bool) -> _Prepared:
        account, done = caller.account_id, self._context.slow_work.done
        async with self._turns.of(account):  # or all bodies of an account would be ready at once
            read = partial(read_product_input, is_new=is_new)
            change = await done(account, _weight(body), read, body)
            descriptions: dict[str, _Description] = {}
            for some in _in_pieces(change):
                size = sum(map(_weight_of, some))
                descriptions |= await done(account, size, _read_descriptions, some)
        return _Prepared(change, descriptions)

    async def draft_new(
        self, write: CatalogueWrite, row_id: str, body: _Prepared
    ) -> resource.Draft:
        """Make a new product. Without a sku it gets the next; without a type it is a product."""
        change = body.change
        fields = {"product_type": ProductType.PRODUCT} | _made(change.fields, body.descriptions)
        product = Product(id=row_id, created_at=change.created_at, **fields)
        before = replace(product, images=())
        return await self._drafted(write, product, body, before=before, own={})

    async def draft_changed(
        self, write: CatalogueWrite, row: resource.AccountRow, body: _Prepared
    ) -> resource.Draft:
        """Change a product; members that the body lacks stay."""
        change = body.change
        before = await self._context.slow_work.done_locked(len(row.document), _kept_product, row)
        product = replace(before, **_made(change.fields, body.descriptions, before))
        if row.deleted_at is not None:  # files may have been deleted since
            product = await _with_cover(write, product, before)
        own = await own_codes(write, row.id)
        if not change.is_deleted_row:
            body = replace(body, change=replace(change, deleted_at=row.deleted_at))
        was_deleted = row.deleted_at is not None
        return await self._drafted(
            write, product, body, before=before, own=own, was_deleted=was_deleted
        )

    async def on_written(self, write: CatalogueWrite, row_id: str, draft: resource.Draft) -> None:
        """Write the codes by which the product and its variants are found."""
        if isinstance(draft, _ProductDraft):
            await write_codes(write, row_id, draft.codes, is_new=draft.is_new)
            if draft.images is not None:
                await note_images(write.connection, row_id, draft.images, is_new=draft.is_new)
            return
        own = await own_codes(write, row_id)  # the deleted product's barcodes are free
        codes = [
            ArticleCodes(row.owner_id, row.sku, None, document=row.document) for row in own.values()
        ]
        await write_codes(write, row_id, codes)

    async def _drafted(
        self,
        write: CatalogueWrite,
        product: Product,
        body: _Prepared,
        *,
        before: Product,
        own: Mapping[str, Any],
        was_deleted: bool = False,
    ) -> resource.Draft:
        change = body.change
        if change.variants is not None:
            variants = _variants(product, change.variants, own, body.descriptions)
            product = product.with_variants(variants)
            told = change.fields.get("has_variants", product.has_variants)
            product = replace(product, has_variants=told)
        if product.has_variants is None:
            product = replace(product, has_variants=bool(product.variants))
        if "images" in change.fields:
            product = await _with_cover(write, product, before)
        is_deleted = change.deleted_at is not None
        if not is_deleted:
            await check_names(write, product, before if own and not was_deleted else None)
        await check_unique(
            write, _codes(product, is_deleted=is_deleted), product_id=product.id, own=own
        )
        product = await _numbered(write, product)
        codes = _codes(product, is_deleted=is_deleted)
        return _ProductDraft(
            members=members_of(catalogue.product_to_json(product)),
            created_at=product.created_at,
            deleted_at=change.deleted_at,
            size=_size(product),
            codes=(*codes, *_gone(before, own, codes)),
            is_new=not own,
            images=product.images if not own or product.images != before.images else None,
        )


def _size(product: Product) -> int:
    owners = (product, *product.variants)
    return sum(512 + 2 * len(one.description or "") for one in owners)


def _kept_product(row: resource.AccountRow) -> Product:
    members = {"id": row.id, **resource.kept_members(row.document)}
    return replace(catalogue.product_from_json(members), created_at=row.created_at)


def _weight(body: object) -> int:
    """Estimate the time to read a body by its owners of members."""
    members = body if isinstance(body, Mapping) else {}
    variants = members.get("variants")
    owners = [members, *(variants if isinstance(variants, list) else ())]
    texts = (one.get("description") for one in owners if isinstance(one, Mapping))
    return sum(len(text) for text in texts if isinstance(text, str)) + 512 * len(owners)


def _weight_of(html: str) -> int:
    """Estimate the time to read a description: it takes longer than its length suggests."""
    return 16 * len(html)


def _in_pieces(change: ProductChange) -> Iterator[list[str]]:
    """Iterate over the descriptions, some short ones or a long one at a time."""
    owners = [change.fields, *(one.fields for one in change.variants or ())]
    entries = {fields.get("description") for fields in owners}
    some: list[str] = []
    for html in entries:
        if html is None:
            continue
        some.append(html)
        if sum(map(len, some)) >= _PIECE:
            yield some
            some = []
    if some:
        yield some


def _read_descriptions(some: list[str]) -> dict[str, _Description]:
    return {html: _description(html) for html in some}


def _description(html: str) -> _Description:
    if fault := description.why_not(html):
        return _Description(fault=fault)
    safe = description.sanitised(html)
    if len(safe) > description.MOST_MADE:
        return _Description(fault="has elements that a reader repeats again and again")
    return _Description(safe, description.plain_text(safe))


def _made(
    fields: Mapping[str, Any],
    descriptions: _Descriptions,
    before: ProductFields | None = None,
    path: str = "",
) -> dict[str, Any]:
    """Return the fields with a safe description and its plain text; a stored description may be
    longer than the limit. Raises Invalid."""
    made = dict(fields)
    html = made.get("description")
    if before is not None and html == before.description:
        made.pop("description", None)
    elif html is not None:
        found, field = descriptions[html], f"{path}description"
        if found.fault:
            raise Invalid("fault", field=field, fault=found.fault)
        made |= {"description": found.html, "description_plain": found.plain}
    elif "description" in made:
        made["description_plain"] = None
    return made


# --- variants ------------------------------------------------------------


def _variants(
    product: Product,
    changes: tuple[VariantChange, ...],
    own: Mapping[str, Any],
    descriptions: _Descriptions,
) -> tuple[Variant, ...]:
    """Return the variants in the body's order, each made from the one with its id or else its sku.
    An earlier variant of the product comes back with its id. An unknown id is ignored: the new
    variant gets one here, as a product does. Raises Invalid."""
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
            made_of = _made(change.fields, descriptions, path=change.path)
            variant = Variant(id=str(uuid4()), **({"product_type": product.product_type} | made_of))
        else:
            variant = replace(before, **_made(change.fields, descriptions, before, change.path))
        if variant.id in made:
            raise _sent_twice(change, "sku")
        made[variant.id] = variant
    return tuple(made.values())


def _sent_twice(change: VariantChange, member: str) -> Invalid:
    field = f"{change.path}{member}"
    return Invalid("sent_twice", field=field)


def _kept_variant(text: str) -> Variant:
    return catalogue.variant_from_json(loads(text))


# --- codes ------------------------------------------------------------


def _codes(product: Product, *, is_deleted: bool) -> tuple[ArticleCodes, ...]:
    """Return the codes of the product and its variants. The barcodes of a deleted product are
    free."""
    owners = [("", product), *((f"variants[{n}].", one) for n, one in enumerate(product.variants))]
    return tuple(
        ArticleCodes(one.id, one.sku, None if is_deleted else one.ean, path) for path, one in owners
    )


def _gone(
    before: Product, own: Mapping[str, Any], codes: tuple[ArticleCodes, ...]
) -> tuple[ArticleCodes, ...]:
    """Return the codes of removed variants, each with the document that brings it back."""
    owners, skus = {code.owner_id for code in codes}, {code.sku for code in codes}
    had = {one.id: one for one in before.variants}
    return tuple(
        ArticleCodes(row.owner_id, row.sku, None, document=row.document or _text(had[row.owner_id]))
        for row in own.values()
        if row.owner_id not in owners and row.sku not in skus
    )


def _text(variant: Variant) -> str:
    return dumps(catalogue.variant_to_json(variant)).decode()


async def _numbered(write: CatalogueWrite, product: Product) -> Product:
    """Give the product and each variant without a sku one, in this order."""
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
    """Make the first image the cover, and remove images that are gone. Raises Invalid for a new
    image that is no file of ours."""
    files = await files_of(write.connection, write.account_id, product.images)
    for index, file_id in enumerate(product.images):
        if file_id not in files and file_id not in before.images:
            field = f"images[{index}]"
            raise Invalid("no_such_file", field=field, file_id=file_id)
    images = tuple(file_id for file_id in product.images if file_id in files)
    return replace(product, images=images, cover_image=files[images[0]] if images else None)
