"""The till sells articles: one for each sellable product or variant.

Sources: platform-contract.md 2.1, till.md (Cart, Catalogue).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from pos_app.characters import without_controls
from pos_app.domain.article.product import File, Product, ProductFields, Unit
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import LONGEST_NAME, LONGEST_UNIT, FrozenArticle
from pos_app.domain.receipt.units import label_step
from pos_app.domain.text.search_text import words
from pos_app.lazy_dataclass import dataclass

_GTIN = re.compile(r"[0-9]{8,14}")


@dataclass(frozen=True, slots=True)
class Barcode:
    """A further barcode of an article. quantity: the number of pieces (a crate: 20)."""

    code: str
    quantity: Quantity = Quantity.ONE


@dataclass(frozen=True, slots=True)
class Marks:
    """The shop's own settings of an article, for which the platform has no fields. by_weight is
    None where the unit decides."""

    pinned: bool = False
    open_price: bool = False
    by_weight: bool | None = None
    barcodes: tuple[Barcode, ...] = ()


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A product without variants, or one variant of a product; `id` is the id of this product or
    variant. price is None where the till asks for the price. unit: a symbol, may be "". batch,
    serial: of the very piece that was scanned, where the shop keeps them; else ""."""

    id: str
    product_id: str
    name: str
    label: TaxLabel
    sku: int | None
    ean: str | None
    manufacturer_sku: str | None
    variant_name: str | None
    price: Money | None
    unit: str
    unit_name: str
    by_weight: bool
    category_ids: tuple[str, ...]
    picture: File | None
    pinned: bool
    open_price: bool
    barcodes: tuple[Barcode, ...]
    batch: str = ""
    serial: str = ""

    @property
    def asks_price(self) -> bool:
        return self.open_price or self.price is None

    @property
    def label_step(self) -> Decimal:
        """How much of the article's unit the last digit on a scale's label is."""
        return label_step(self.unit, by_weight=self.by_weight)

    @property
    def gtin(self) -> str | None:
        return gtin_of(self.ean)

    @property
    def frozen(self) -> FrozenArticle:
        name = without_controls(self.name)[:LONGEST_NAME]
        unit = without_controls(self.unit)[:LONGEST_UNIT]
        return FrozenArticle(name, self.label, unit, self.gtin)


def gtin_of(ean: str | None) -> str | None:
    """An EAN as a fiscal item may carry it, with 8 to 14 digits, else None."""
    return ean if ean and _GTIN.fullmatch(ean) else None


def sellable_articles(
    product: Product, *, units: Mapping[str, Unit], marks: Mapping[str, Marks]
) -> tuple[Article, ...]:
    """The articles of a product, the product first. units: by id. marks: by article id.

    A deleted product has none; a product with variants is not sold itself (platform-contract.md
    2.1). A variant without a unit, price, categories or picture has those of its product.
    """
    if product.is_deleted:
        return ()
    sellable: list[ProductFields] = [] if product.has_variants else [product]
    return tuple(
        _article(fields, product, units=units, marks=marks.get(fields.id, NO_MARKS))
        for fields in (*sellable, *product.variants)
    )


def _article(
    sold: ProductFields, product: Product, *, units: Mapping[str, Unit], marks: Marks
) -> Article:
    unit = units.get(sold.sale_unit_id or product.sale_unit_id or "")
    weighed = unit is not None and unit.is_weight
    return Article(
        id=sold.id,
        product_id=product.id,
        name=_article_name(sold, product),
        label=sold.tax_label,
        sku=sold.sku,
        ean=sold.ean,
        manufacturer_sku=sold.manufacturer_sku,
        variant_name=sold.variant_name,
        price=product.price if sold.price is None else sold.price,
        unit=unit.symbol if unit else "",
        unit_name=unit.name if unit else "",
        by_weight=weighed if marks.by_weight is None else marks.by_weight,
        category_ids=sold.categories or product.categories,
        picture=sold.cover_image or product.cover_image,
        pinned=marks.pinned,
        open_price=marks.open_price,
        barcodes=marks.barcodes,
    )


def _article_name(sold: ProductFields, product: Product) -> str:
    """The product's name with the variant's, without repeating a word.

    | product   | name of the variant | variantName | article         |
    | Мајица    | Мајица              | плава L     | Мајица плава L  |
    | Мајица    | L                   | L           | Мајица L        |
    | Мајица    | Мајица плава        | L           | Мајица плава L  |
    | Сир крављи| Сир димљени парче   | Парче       | Сир димљени парче |
    """
    name, variant = sold.name.strip(), (sold.variant_name or "").strip()
    if sold is not product and words(name)[:1] != words(product.name)[:1]:
        name = f"{product.name.strip()} {name}"
    if sold is not product and not set(words(variant)) <= set(words(name)):
        name = f"{name} {variant}"
    return name
