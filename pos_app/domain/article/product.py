"""The catalogue: products with their variants, units, categories, pictures.

Sources: platform-api.md (Product, File), platform-contract.md 2.1–2.4. The shapes of units and
categories are our own: the platform has only their ids.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID, uuid5

from pos_app.characters import is_blank
from pos_app.domain.article.barcodes import may_be_stored
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import units
from pos_app.domain.receipt.request import LONGEST_NAME
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

_DIMENSIONS = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:x[0-9]+(?:\.[0-9]+)?){2}")


class ProductType(StrEnum):
    PRODUCT = "product"
    SERVICE = "service"
    DIGITAL = "digital"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure; `symbol` is printed on the receipt ("kg", "ком"). position: in the shop's
    list, where equal ones are sorted by name."""

    id: str
    name: str
    symbol: str
    position: int = 0

    @property
    def is_weight(self) -> bool:
        return units.is_weight(self.symbol)

    @property
    def is_piece(self) -> bool:
        return units.is_piece(self.symbol)


_UNITS = UUID("0d7f3a52-6f0c-5d5e-9a1b-6c1f5b8e2a47")
"""The namespace of the usual units' ids, which are the same in each shop."""

USUAL_UNITS = tuple(
    Unit(str(uuid5(_UNITS, symbol)), name, symbol)
    for name, symbol in map(
        units.usual_unit, ["ком", "kg", "g", "l", "ml", "m", "m²", "m³", "пак", "h"]
    )
)
"""The units of a shop without a platform."""


@dataclass(frozen=True, slots=True)
class Category:
    """position: among the chips, from 1."""

    id: str
    name: str
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of the platform, such as a product's main photo. Instants are UTC. size: bytes. urls:
    size name ("original", "64x64", …) and address, as listed."""

    id: str
    filename: str
    original_filename: str | None = None
    mimetype_filename: str | None = None
    size: int | None = None
    reference: str | None = None
    reference_id: str | None = None
    private: bool = False
    urls: tuple[tuple[str, str], ...] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    deleted_at: datetime | None = None

    def url(self, pixels: int) -> str | None:
        """The address of the smallest size at least `pixels` wide, else of the original."""
        widths = {int(name.split("x")[0]): at for name, at in self.urls if name[:1].isdigit()}
        enough = [width for width in widths if width >= pixels]
        return widths[min(enough)] if enough else dict(self.urls).get("original")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductFields:
    """The fields that products and variants share.

    price: dinars, VAT included, or None where the till asks for it. weight: kilograms. dimensions:
    "WIDTHxDEPTHxHEIGHT" in centimetres. categories: ids. description: HTML. Raises Invalid for an
    article that could not be sold: an empty name, a negative price or sku.
    """

    id: str
    name: str
    tax_label: TaxLabel
    sku: int | None = None
    manufacturer_sku: str | None = None
    description: str | None = None
    description_plain: str | None = None
    sale_unit_id: str | None = None
    base_unit_id: str | None = None
    quantity_per_base_unit: Decimal | None = None
    price: Money | None = None
    subtitle: str | None = None
    product_type: ProductType | None = None
    weight: Decimal | None = None
    dimensions: str | None = None
    has_variants: bool | None = None
    variant_name: str | None = None
    ean: str | None = None
    categories: tuple[str, ...] = ()
    cover_image: File | None = None

    def __post_init__(self) -> None:
        if is_blank(self.name):
            raise Invalid("empty.article", field="name")
        if self.price is not None and self.price.amount < 0:
            raise Invalid("negative.price", field="price")
        if self.sku is not None and self.sku < 0:
            raise Invalid("negative.sku", field="sku")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant(ProductFields):
    """One of the forms in which a product is sold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(ProductFields):
    """A product of the platform. Instants are UTC; `images` are file ids."""

    variants: tuple[Variant, ...] = ()
    images: tuple[str, ...] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def is_deleted(self) -> bool:
        """Whether it is deleted softly: its sku stays taken."""
        return self.deleted_at is not None

    @property
    def followers(self) -> tuple[Variant, ...]:
        """The variants without a price of their own, which cost what the product costs."""
        return tuple(one for one in self.variants if one.price is None)

    def with_variants(self, variants: tuple[Variant, ...]) -> Product:
        """The product with this list. With its first variant it is no longer sold itself, and
        without its last one it is again; in between it stays as somebody told."""
        told = self.has_variants if bool(variants) is bool(self.variants) else None
        has_variants = bool(variants) if told is None else told
        return replace(self, variants=variants, has_variants=has_variants)


def parse_dimensions(text: str) -> tuple[Decimal, Decimal, Decimal]:
    """Width, depth and height in centimetres of "30x20.5x10". Raises Invalid."""
    if not _DIMENSIONS.fullmatch(text):
        raise Invalid("dimensions")
    width, depth, height = (Decimal(side) for side in text.split("x"))
    return width, depth, height


def code_taken(field: str, sku: int | None, name: str) -> Invalid:
    """The error for a code in `field` that the article with that sku and name has."""
    other = name if sku is None else f"{sku} {name}".strip()
    return Invalid("code_of_other", field=field, other=other)


def input_faults(product: Product) -> tuple[Invalid, ...]:
    """Every fault of fields that a person filled in, each with its path; () when all is right.
    Edited, imported and added products are checked; those of the platform's list are not."""
    owners = [
        ("", product),
        *((f"variants[{i}].", variant) for i, variant in enumerate(product.variants)),
    ]
    return tuple(
        fault.at(f"{path}{fault.field}") for path, owner in owners for fault in _faults(owner)
    )


def _faults(owner: ProductFields) -> list[Invalid]:
    faults = []
    if len(owner.name.strip()) > LONGEST_NAME:
        faults.append(Invalid("name_too_long", field="name", longest=LONGEST_NAME))
    if owner.ean and not may_be_stored(owner.ean):
        faults.append(Invalid("no_code", field="ean"))
    if owner.dimensions:
        try:
            parse_dimensions(owner.dimensions)
        except Invalid as error:
            faults.append(error.at("dimensions"))
    for field, number in (
        ("weight", owner.weight),
        ("quantity_per_base_unit", owner.quantity_per_base_unit),
    ):
        if number is not None and number < 0:
            faults.append(Invalid("negative.number", field=field))
    return faults
