"""The JSON of products, variants, files, units and categories, to and from the domain; and
the changed fields of a product, for stored edits and for PATCH.

Reading is lenient toward unknown members and exact about known ones; a null member counts as
absent. Writing gives every member of the specification.
Source: platform-api.md (Product, File), platform-contract.md 2.1–2.4, 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, ValidationError

from pos_app.characters import is_blank
from pos_app.domain.article.article import Marks
from pos_app.domain.article.fields import PRODUCT_FIELDS, SHARED_FIELDS
from pos_app.domain.article.product import (
    Category,
    Product,
    ProductFields,
    ProductType,
    Unit,
    Variant,
)
from pos_app.domain.money.money import LARGEST_AMOUNT, Money, without_float_noise
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.wire import file, reading, shop_notes, strict_json, tax_labels
from pos_app.wire.moment import instant_text, moment
from pos_app.wire.number import Number

WIRE_NAMES = {one.name: one.wire_name for one in (*SHARED_FIELDS, *PRODUCT_FIELDS)}
"""The members of a product by the names of its fields, without the id."""
_Text = Annotated[str, Field(min_length=1)]
_FINEST = Decimal("0.00000001")
"""Decimals of a quantity per base unit that are finer than this may be the noise of a float."""

_BLANK = Product(id="-", name="-", tax_label=TaxLabel.A)
_BLANK_DOCUMENT = {"id": "-", "name": "-", "taxRateLabel": TaxLabel.A.value}
_FIELDS = {wire: name for name, wire in WIRE_NAMES.items()}


def _one_as_list(given: object) -> object:
    """Turn a single id into an array: one rendition of the specification shows an array of
    categories, the other a single id."""
    if isinstance(given, str):
        return [given] if given else []
    return given


class FieldsShape(shop_notes.MarksShape):
    """The members of products and variants on the wire, without the id."""

    name: _Text
    sku: Number | None = None
    manufacturer_sku: str | None = None
    description: str | None = None
    description_plain: str | None = None
    sale_unit_id: str | None = None
    base_unit_id: str | None = None
    quantity_per_base_unit: Number | None = None
    price: Number | None = None
    tax_rate_label: tax_labels.LabelText
    subtitle: str | None = None
    product_type: Literal["product", "service", "digital"] | None = None
    weight: Number | None = None
    dimensions: str | None = None
    has_variants: bool | None = None
    variant_name: str | None = None
    ean: str | None = None
    categories: Annotated[list[_Text] | None, BeforeValidator(_one_as_list)] = None
    cover_image: file.FileShape | None = None


class _ListedShape(FieldsShape):
    id: _Text


class _ProductShape(_ListedShape):
    variants: list[_ListedShape] = Field(default_factory=list)
    images: list[_Text] = Field(default_factory=list)
    created_at: str | None = None
    updated_at: str | None = None
    deleted_at: str | None = None


class _UnitShape(reading.Shape):
    id: _Text
    name: _Text
    symbol: str = ""
    position: Number = Decimal(0)


class _CategoryShape(reading.Shape):
    id: _Text
    name: _Text
    position: Number = Decimal(0)


# --- reading -----------------------------------------------------------------------------------


def product_from_json(document: object) -> Product:
    """A product as a platform lists it. Raises Invalid naming the field."""
    return read_product(document)[0]


def read_product(
    document: object, *, with_description: bool = True
) -> tuple[Product, dict[str, Marks]]:
    """A product, and the shop's marks of it and its variants, by article id. Raises Invalid naming
    the field."""
    shape = _product_shape(document)
    variants = [(f"variants[{index}].", one) for index, one in enumerate(shape.variants)]
    fields = _fields(shape, "", with_description=with_description)
    fields |= {
        "variants": tuple([Variant(**_fields(one, path)) for path, one in variants]),
        "images": tuple(shape.images),
        "created_at": moment("createdAt", shape.created_at),
        "updated_at": moment("updatedAt", shape.updated_at),
        "deleted_at": moment("deletedAt", shape.deleted_at),
    }
    product, owners = Product(**fields), [("", shape), *variants]
    marks = {one.id: shop_notes.marks_of(one, path) for path, one in owners if one.states_marks}
    return product, marks


def variant_from_json(document: object) -> Variant:
    """A variant as its product lists it. Raises Invalid naming the field."""
    shape = reading.read(_ListedShape, document)
    return Variant(**_fields(shape, ""))


def _product_shape(document: object) -> _ProductShape:
    """Read as `read` does, but faster for the thousands of valid products. Most members may be null
    here, so nulls have to be removed first only if another member is null."""
    for prepared in (_as_it_is, reading.without_nulls):
        try:
            return _ProductShape.model_validate(prepared(document))
        except ValidationError:
            continue
    return reading.read(_ProductShape, document)


def _as_it_is(document: object) -> object:
    return document


class ListedCodes(NamedTuple):
    """The codes of an article in a list. `path` goes before a name at fault."""

    path: str
    id: str
    name: str
    sku: int | None
    ean: str | None


def listed_codes(document: Mapping[str, Any]) -> tuple[ListedCodes, ...]:
    """The codes of a product and its variants, in a document that `read_product` takes. The codes
    of a deleted article are None.
    """
    owners = [("", document)]
    owners += [(f"variants[{n}].", one) for n, one in enumerate(document.get("variants") or ())]
    gone = bool(document.get("deletedAt"))
    return tuple(
        ListedCodes(
            path=path,
            id=one["id"],
            name=one["name"],
            sku=None if gone or not one.get("sku") else int(one["sku"]),
            ean=None if gone else one.get("ean"),
        )
        for path, one in owners
    )


_WIDTH = len("2026-11-20T10:00:00.000Z")


def updated_at_of(document: Mapping[str, Any]) -> str:
    """The time of a listed product's last change, as written; "" unless it is UTC to the
    millisecond, so that such texts compare as the instants do."""
    value = document.get("updatedAt")
    fits = isinstance(value, str) and len(value) == _WIDTH and value.endswith("Z")
    return value if isinstance(value, str) and fits else ""


def unit_from_json(document: object) -> Unit:
    """A unit; without a symbol its name is used. Raises Invalid naming the field."""
    shape = reading.read(_UnitShape, document)
    position = file.whole("position", shape.position) or 0
    return Unit(shape.id, shape.name, shape.symbol or shape.name, position)


def category_from_json(document: object) -> Category:
    """A category. Raises Invalid naming the field."""
    shape = reading.read(_CategoryShape, document)
    return Category(shape.id, shape.name, file.whole("position", shape.position) or 0)


def name_to_json(named: Unit | Category) -> dict[str, Any]:
    """A unit or category as the functions above read it."""
    symbol = {"symbol": named.symbol} if isinstance(named, Unit) else {}
    return {"id": named.id, "name": named.name, **symbol, "position": named.position}


def _fields(shape: _ListedShape, path: str, *, with_description: bool = True) -> dict[str, Any]:
    kind, cover = shape.product_type, shape.cover_image
    return {
        "id": shape.id,
        "name": _named(shape.name, path),
        "tax_label": TaxLabel(shape.tax_rate_label),
        "sku": file.whole(f"{path}sku", shape.sku) or None,  # 0 is no code
        "manufacturer_sku": shape.manufacturer_sku or None,
        "description": shape.description if with_description else None,
        "description_plain": shape.description_plain if with_description else None,
        "sale_unit_id": shape.sale_unit_id or None,
        "base_unit_id": shape.base_unit_id or None,
        "quantity_per_base_unit": _per_base_unit(shape.quantity_per_base_unit),
        "price": _price(f"{path}price", shape.price),
        "subtitle": shape.subtitle,
        "product_type": None if kind is None else ProductType(kind),
        "weight": shape.weight,
        "dimensions": shape.dimensions,
        "has_variants": shape.has_variants,
        "variant_name": shape.variant_name,
        "ean": (shape.ean or "").strip() or None,
        "categories": tuple(dict.fromkeys(shape.categories or ())),
        "cover_image": None if cover is None else file.file_of(cover, f"{path}coverImage."),
    }


def _named(name: str, path: str) -> str:
    if is_blank(name):
        raise Invalid("name_not_empty", field=f"{path}name", path=path)
    return name


def _price(field: str, number: Decimal | None) -> Money | None:
    if number is None:
        return None
    if number < 0:
        raise Invalid("not_negative", field=field)
    return reading.at(field, Money.without_float_noise, number)


def _per_base_unit(number: Decimal | None) -> Decimal | None:
    """The number with the decimals that were sent, without the noise of a binary float."""
    if number is None or abs(number) > LARGEST_AMOUNT:
        return number
    meant = without_float_noise(number, _FINEST)
    return number if meant == number or not meant else Decimal(strict_json.number_text(meant))


# --- writing -----------------------------------------------------------------------------------


def product_to_json(product: Product) -> dict[str, Any]:
    """A product as a platform answers it, every member present."""
    return {
        "id": product.id,
        **fields_to_json(product),
        "variants": [variant_to_json(one) for one in product.variants],
        "images": list(product.images),
        "createdAt": instant_text(product.created_at),
        "updatedAt": instant_text(product.updated_at),
        "deletedAt": instant_text(product.deleted_at),
    }


def variant_to_json(variant: Variant) -> dict[str, Any]:
    return {"id": variant.id, **fields_to_json(variant)}


def fields_to_json(owner: ProductFields) -> dict[str, Any]:
    cover, kind = owner.cover_image, owner.product_type
    return {
        "name": owner.name,
        "sku": owner.sku,
        "manufacturerSku": owner.manufacturer_sku,
        "description": owner.description,
        "descriptionPlain": owner.description_plain,
        "saleUnitId": owner.sale_unit_id,
        "baseUnitId": owner.base_unit_id,
        "quantityPerBaseUnit": owner.quantity_per_base_unit,
        "price": None if owner.price is None else owner.price.amount,
        "taxRateLabel": owner.tax_label.value,
        "subtitle": owner.subtitle,
        "productType": None if kind is None else kind.value,
        "weight": owner.weight,
        "dimensions": owner.dimensions,
        "hasVariants": owner.has_variants,
        "variantName": owner.variant_name,
        "ean": owner.ean,
        "categories": list(owner.categories),
        "coverImage": None if cover is None else file.file_to_json(cover),
    }


def product_input(
    product: Product, only: frozenset[str] | None = None, *, before: Product | None = None
) -> dict[str, Any]:
    """The body for adding a product, or with `only` for changing these fields.

    only: names of ProductFields, and "variants" and "images". `productType` is always included,
    because the live service demands it (platform-contract.md 2.2). A field without a value is left
    out of an addition, and null in a change. before: what is changed, at a platform that may take
    null only where there was a value; None where it takes it for each field of a variant.
    """
    has_nulls = only is not None
    document = {
        **_input(product, has_nulls=has_nulls),
        "variants": [
            {"id": one.id, **_variant_input(one, before, has_nulls=has_nulls)}
            for one in product.variants
        ],
        "images": list(product.images),
    }
    if only is None:
        for name in ("variants", "images"):
            if not document[name]:
                del document[name]
        for variant in document.get("variants", ()):
            del variant["id"]
        return document
    wanted = {WIRE_NAMES[name] for name in only} | {"productType"}
    return {name: value for name, value in document.items() if name in wanted}


def _variant_input(variant: Variant, before: Product | None, *, has_nulls: bool) -> dict[str, Any]:
    """A variant in the body of its product. A platform keeps what is left out of one that it has,
    or had: a field without a value is null, too, or with `before` where that one has a value."""
    document = _input(variant, has_nulls=has_nulls and before is None)
    was = next((one for one in before.variants if one.id == variant.id), None) if before else None
    if was is None:
        return document
    has_or_had = document.keys() | _input(was).keys()
    every = _input(variant, has_nulls=True)
    return {name: value for name, value in every.items() if name in has_or_had}


def _input(owner: ProductFields, *, has_nulls: bool = False) -> dict[str, Any]:
    document = {
        name: value
        for name, value in fields_to_json(owner).items()
        if name not in _ANSWERED_ONLY and (has_nulls or value not in (None, []))
    }
    document["productType"] = document.get("productType") or ProductType.PRODUCT.value
    return document


_ANSWERED_ONLY = frozenset(one.wire_name for one in SHARED_FIELDS if one.is_answered)


def changes_to_json(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Domain values by field name of ProductFields, as members of the wire. {"price":
    Money("58.99"), "tax_label": TaxLabel.E} -> {"price": 58.99, "taxRateLabel": "Е"}."""
    document = product_to_json(replace(_BLANK, **changes))
    return {WIRE_NAMES[name]: document[WIRE_NAMES[name]] for name in changes}


def changes_from_json(document: Mapping[str, Any]) -> dict[str, Any]:
    """The changes that `changes_to_json` wrote. Raises Invalid naming the field."""
    if not document:
        return {}
    product = product_from_json({**_BLANK_DOCUMENT, **document})
    return {_FIELDS[name]: getattr(product, _FIELDS[name]) for name in document}
