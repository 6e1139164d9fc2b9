"""The systems whose exports of products are recognised by their heads, each with the fields of its
columns.

A system is a table: what its columns mean. How such columns are read is the same for all of them
(`products_in_rows`, `row_texts`). The heads are those of the public documentation of each system.
Source: articles-from-a-file.md ("From another till or web shop").
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from pos_app.domain.text.search_text import fold
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.heads import (
    MANY_COLUMNS,
    VARIANT_OF,
    SheetField,
    field_of_head,
    folded_head,
)
from pos_app.selling.catalogue.sheet.row_plan import Question

_F, _S = DraftField, SheetField
_ADDED = frozenset({_F.TAX_LABEL, _F.UNIT})
"""Fields that a shop adds to a file by a column of its own, in the words of any sheet."""


@dataclass(frozen=True, slots=True)
class System:
    """anchors: folded heads; a row that has all of one set is a row of heads of this system. heads:
    the field of each folded head; of several heads of one field the first with cells is read.
    prefixes: fields by how a head begins, in small letters.

    between_levels: parts the levels of a category; top: a level that each category is in. commas:
    whether commas part categories. has_net_prices: whether the prices are usually without tax.
    """

    name: str
    anchors: tuple[frozenset[str], ...]
    heads: Mapping[str, str]
    prefixes: Mapping[str, str] = field(default_factory=dict)
    between_levels: str = ">"
    top: frozenset[str] = frozenset()
    commas: bool = False
    has_net_prices: bool = False

    def field_of(self, head: str) -> str | None:
        folded = folded_head(head)
        if folded in self.heads:
            return self.heads[folded]
        plain = head.strip().lower()
        named = (name for begin, name in self.prefixes.items() if plain.startswith(begin))
        added = field_of_head(head)
        return next(named, added if added in _ADDED else None)

    def levels(self, text: str) -> list[str]:
        """The names of categories in a cell.

        | cell                        | categories        |
        | Pića > Sokovi, Akcija       | Pića, Sokovi, Akcija |
        | All / Pića (Odoo)           | Pića              |
        """
        whole = text.replace("\\,", "\0")
        paths = whole.split(",") if self.commas else [whole]
        names = (
            level.replace("\0", ",").strip()
            for path in paths
            for level in path.split(self.between_levels)
        )
        return [name for name in dict.fromkeys(names) if name and fold(name) not in self.top]


def _sets(*anchors: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(one.split("|")) for one in anchors)


def _each(name: str, *heads: str) -> dict[str, str]:
    return dict.fromkeys(heads, name)


SYSTEMS = (
    System(
        "Shopify",
        _sets(
            "handle|title|variant price", "handle|title|option1 value", "url handle|title|price",
            "url handle|title|option1 value", "handle|title|variant sku",
        ),
        {
            **_each(_S.GROUP, "handle", "url handle"),
            **_each(_F.NAME, "title"),
            **_each(_F.DESCRIPTION, "body html", "description"),
            **_each(_F.CATEGORIES, "type", "product category"),
            **_each(_S.OPTION, "option1 value", "option2 value", "option3 value"),
            **_each(_F.SKU, "variant sku", "sku"),
            **_each(_F.EAN, "variant barcode", "barcode", "variant barcodes"),
            **_each(_F.PRICE, "variant price", "price"),
            **_each(_S.ON_SALE, "status", "published", "published on online store"),
            **_each(_S.CHARGED, "variant taxable", "charge tax"),
        },
    ),
    System(
        "WooCommerce",
        _sets("type|sku|name|regular price", "id|type|name|published", "type|name|tax class"),
        {
            **_each(_S.ROW_ID, "id"),
            **_each(_S.ROW_TYPE, "type"),
            **_each(_F.SKU, "sku"),
            **_each(_F.EAN, "gtin upc ean or isbn", "gtin"),
            **_each(_F.NAME, "name"),
            **_each(_S.ON_SALE, "published"),
            **_each(_F.DESCRIPTION, "description"),
            **_each(_S.CHARGED, "tax status"),
            **_each(_F.TAX_LABEL, "tax class"),
            **_each(_F.PRICE, "regular price"),
            **_each(_S.OFFER, "sale price"),
            **_each(_F.CATEGORIES, "categories"),
            **_each(_S.PARENT, "parent"),
            **_each(_S.OPTION, *(f"attribute {at} value s" for at in range(1, 10))),
            **_each(_F.WEIGHT, "weight kg"),
        },
        {
            **_each(
                _F.EAN, "meta: _global_unique_id", "meta: _wpm_gtin_code", "meta: _alg_ean",
                "meta: _ean",
            ),
        },
        commas=True,
    ),
    System(
        "Square",
        _sets("token|item name", "item name|variation name"),
        {
            **_each(_F.NAME, "item name"),
            **_each(_S.OPTION, "variation name"),
            **_each(_F.SKU, "sku"),
            **_each(_F.EAN, "gtin"),
            **_each(_F.DESCRIPTION, "description"),
            **_each(_F.CATEGORIES, "categories", "category", "reporting category"),
            **_each(_F.PRICE, "price"),
            **_each(_S.ON_SALE, "sellable"),
            **_each(_S.ARCHIVED, "archived"),
        },
        {"tax - ": _S.TAX_FLAG, "price ": _S.STORE_PRICE},
        commas=True,
    ),
    System(
        "Loyverse",
        _sets("handle|sku|name|default price", "handle|name|sold by weight",
              "handle|name|option 1 value"),
        {
            **_each(_S.GROUP, "handle"),
            **_each(_F.SKU, "sku"),
            **_each(_F.NAME, "name"),
            **_each(_F.CATEGORIES, "category"),
            **_each(_F.DESCRIPTION, "description"),
            **_each(_S.BY_WEIGHT, "sold by weight"),
            **_each(_S.OPTION, "option 1 value", "option 2 value", "option 3 value"),
            **_each(_F.PRICE, "default price", "price"),
            **_each(_F.EAN, "barcode"),
        },
        {"price [": _S.STORE_PRICE, "tax - ": _S.TAX_FLAG, "available for sale [": _S.IN_STORE},
    ),
    System(
        "Odoo",
        _sets("internal reference|sales price", "default code|list price",
              "internal reference|customer taxes", "name|sales price|customer taxes",
              "external id|name|sales price"),
        {
            **_each(_F.NAME, "name", "display name"),
            **_each(_F.SKU, "internal reference", "default code"),
            **_each(_F.EAN, "barcode"),
            **_each(_F.PRICE, "sales price", "list price", "public price"),
            **_each(_F.TAX_LABEL, "customer taxes", "sales taxes", "taxes id", "taxes id name",
                    "customer taxes tax name"),
            **_each(_F.CATEGORIES, "point of sale category", "pos product category",
                    "product category", "categ id", "categ id name"),
            **_each(_F.UNIT, "unit of measure", "unit", "uom id", "uom id name"),
            **_each(_F.PRODUCT_TYPE, "product type", "type", "detailed type"),
            **_each(_S.ON_SALE, "can be sold", "sale ok", "sales", "active"),
            **_each(_S.OPTION, "variant values", "attribute values",
                    "product template attribute value ids"),
        },
        between_levels="/",
        top=frozenset({"all", "sve"}),
        has_net_prices=True,
    ),
    System(
        "Lightspeed X",
        _sets("handle|sku|retail price", "handle|name|supply price"),
        {
            **_each(_S.GROUP, "handle"),
            **_each(_F.SKU, "sku"),
            **_each(_F.NAME, "name"),
            **_each(_F.DESCRIPTION, "description"),
            **_each(_F.CATEGORIES, "product category", "type"),
            **_each(_F.EAN, "barcode", "ean", "upc"),
            **_each(_F.PRICE, "retail price"),
            **_each(_F.TAX_LABEL, "tax name", "tax"),
            **_each(_S.OPTION, *(f"variant option {at} value" for at in ("one", "two", "three"))),
            **_each(_S.ON_SALE, "active"),
        },
        {"outlet_tax": _S.NET_TAX},
        between_levels="/",
    ),
    System(
        "Lightspeed R",
        _sets("system id|description", "system id|item", "system id|custom sku",
              "custom sku|default price"),
        {
            **_each(_F.EAN, "ean", "upc"),
            **_each(_F.SKU, "custom sku"),
            **_each(_F.MANUFACTURER_SKU, "manufacturer sku", "manufact sku"),
            **_each(_F.NAME, "description", "item"),
            **_each(VARIANT_OF, "matrix description"),
            **_each(_S.OPTION, "attribute 1", "attribute 2", "attribute 3"),
            **_each(_F.PRICE, "default price", "price"),
            **_each(_S.CHARGED, "tax", "taxable"),
            **_each(_F.TAX_LABEL, "tax class"),
            **_each(_S.LEVEL, "category", *(f"subcategory {at}" for at in range(1, 10))),
            **_each(_S.ARCHIVED, "archived"),
        },
    ),
)  # fmt: skip
"""An export in another language is a sheet like any other."""


def system_of(heads: Iterable[str]) -> System | None:
    """The system whose export has these heads, or None where that is not certain."""
    folded = {fold(head) for head in heads}
    return next((one for one in SYSTEMS if any(anchor <= folded for anchor in one.anchors)), None)


def fields_of(system: System, heads: Sequence[str], filled: Collection[int]) -> dict[int, str]:
    """The field of each column that the system knows, by the column's number; "" for a column that
    no catalogue has. filled: the columns with cells."""
    order = list(system.heads)
    fields = {at: system.field_of(head) or "" for at, head in enumerate(heads) if head.strip()}
    for at, name in fields.items():
        if name == _S.STORE_PRICE and not _names_store(heads[at], heads):
            fields[at] = ""

    def rank(index: int) -> tuple[bool, int]:
        folded = fold(heads[index])
        return index not in filled, order.index(folded) if folded in order else len(order)

    for name in {*fields.values()} - MANY_COLUMNS - {"", _F.EAN}:
        several = sorted((at for at, one in fields.items() if one == name), key=rank)
        fields |= dict.fromkeys(several[1:], "")
    return fields


def _names_store(head: str, heads: Sequence[str]) -> bool:
    """Whether another column is of the same store: "Price Centar" beside "Enabled Centar"."""
    store = f" {head.strip().partition(' ')[2].lower()}"
    return sum(one.strip().lower().endswith(store) for one in heads) > 1


def asks_for_tax(system: System | None, fields: Mapping[int, str]) -> dict[Question, str]:
    """The question whether the prices have tax in them, where the file leaves it open, with the
    answer that its columns give."""
    if _S.NET_TAX in fields.values():
        return {Question.NET: "no"}
    return {Question.NET: ""} if system is not None and system.has_net_prices else {}
