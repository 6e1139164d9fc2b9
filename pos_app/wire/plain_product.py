"""A quick reader for plain products: products without variants, photo or marks of the shop, whose
members all have their usual form.

Most products of a list are plain. This reader takes a fifth of the time of
`wire.catalogue.read_product`, which reads all others and names their faults. For a plain product
both give the same result.

Source: platform-api.md (Product), platform-contract.md 2.1–2.4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from pos_app.characters import is_blank
from pos_app.domain.money import LARGEST_AMOUNT, PARA, without_float_noise
from pos_app.domain.product import ProductType
from pos_app.domain.tax import TaxLabel
from pos_app.wire.number import LARGEST_INTEGER

_TEXTS = (
    "manufacturerSku",
    "description",
    "descriptionPlain",
    "saleUnitId",
    "baseUnitId",
    "subtitle",
    "dimensions",
    "variantName",
    "ean",
)
_OTHERS = (
    "id",
    "name",
    "sku",
    "price",
    "taxRateLabel",
    "productType",
    "hasVariants",
    "variants",
    "images",
    "categories",
    "coverImage",
    "quantityPerBaseUnit",
    "weight",
    "createdAt",
    "updatedAt",
    "deletedAt",
)
_MEMBERS = frozenset((*_TEXTS, *_OTHERS))
_LABELS = frozenset(label.value for label in TaxLabel)
_TYPES = frozenset((None, *(kind.value for kind in ProductType)))
_NUMBERS = (int, Decimal)
_INSTANT = re.compile(
    r"(?!000[01]|9999)[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
)


class PlainProduct(NamedTuple):
    """A product that is one article, with the data that the till shows. price: in para. updated_at:
    the text as it came, in UTC with milliseconds."""

    id: str
    name: str
    label: str
    sku: int | None
    ean: str | None
    manufacturer_sku: str | None
    price: int | None
    sale_unit_id: str | None
    subtitle: str | None
    variant_name: str | None
    categories: tuple[str, ...]
    updated_at: str | None


def plain_product(document: object) -> PlainProduct | None:
    """Return the product in a document of `strict_json`, or None if `read_product` has to read
    it."""
    if type(document) is not dict or not _MEMBERS.issuperset(document):
        return None
    get = document.get
    identity, name, label = get("id"), get("name"), get("taxRateLabel")
    if not (type(identity) is str and identity and type(name) is str and not is_blank(name)):
        return None
    if type(label) is not str or label not in _LABELS:
        return None
    if not (_is_one_article(document) and _have_specified_types(document)):
        return None
    sku, price, categories = get("sku"), _para(get("price")), _categories(get("categories"))
    if sku is not None and not (type(sku) is int and 0 <= sku <= LARGEST_INTEGER):
        return None
    if price == _ODD or categories is None:
        return None
    return PlainProduct(
        identity,
        name,
        label,
        sku or None,
        (get("ean") or "").strip() or None,
        get("manufacturerSku") or None,
        price,
        get("saleUnitId") or None,
        get("subtitle"),
        get("variantName"),
        categories,
        get("updatedAt"),
    )


def _is_one_article(document: Mapping[str, Any]) -> bool:
    get = document.get
    variants, has_variants = get("variants"), get("hasVariants")
    return (
        (variants is None or variants == [])
        and (has_variants is None or has_variants is False)
        and get("coverImage") is None
        and get("deletedAt") is None
    )


def _have_specified_types(document: Mapping[str, Any]) -> bool:
    """Whether all texts, and the members that the till does not show, have the specified types."""
    get = document.get
    for member in _TEXTS:
        if (text := get(member)) is not None and type(text) is not str:
            return False
    for member in ("weight", "quantityPerBaseUnit"):
        if (number := get(member)) is not None and type(number) not in _NUMBERS:
            return False
    images, kind = get("images"), get("productType")
    if images and not (type(images) is list and _are_ids(images)):
        return False
    if images is not None and type(images) is not list:
        return False
    if not (kind is None or type(kind) is str) or kind not in _TYPES:
        return False
    return _is_instant(get("createdAt")) and _is_instant(get("updatedAt"))


def _are_ids(values: list[object]) -> bool:
    return all(type(one) is str and one for one in values)


def _is_instant(text: object) -> bool:
    """Whether the value is None, or an instant in the one form that needs no conversion."""
    if text is None:
        return True
    if type(text) is not str or not _INSTANT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


_ODD = -1
"""Stands for a price that `read_product` has to check."""


def _para(price: object) -> int | None:
    if price is None:
        return None
    if type(price) is int:
        return price * 100 if 0 <= price <= LARGEST_AMOUNT else _ODD
    if type(price) is Decimal and 0 <= price <= LARGEST_AMOUNT:
        para = int(price * 100)
        return para if Decimal(para).scaleb(-2) == price else _para_without_noise(price)
    return _ODD


def _para_without_noise(price: Decimal) -> int:
    meant = without_float_noise(price, PARA)
    para = int(meant * 100)
    return para if Decimal(para).scaleb(-2) == meant else _ODD


def _categories(shown: object) -> tuple[str, ...] | None:
    """Return the ids, each once, or None if `read_product` has to check them."""
    if shown is None or shown == "":
        return ()
    if type(shown) is str:
        return (shown,)
    if type(shown) is list and _are_ids(shown):
        return tuple(dict.fromkeys(shown))
    return None
