"""The fields of products, variants and stores are described once, here.

A module that treats fields by their kind has a table by `FieldKind`; a missing kind fails when the
module is imported. The busiest readers and writers (listed products, rows of lists), and modules
that decide about each field (orders, columns of databases, layouts), name the fields themselves:
`tests/architecture/test_fields_everywhere.py` reports each of these modules that misses a field.

Sources: platform-api.md (Store, Product), platform-contract.md 2.1 to 2.5 and 4.
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from enum import Enum, auto

from pos_app.lazy_dataclass import dataclass


class FieldKind(Enum):
    NAME = auto()
    """A text with at least one visible character."""
    TEXT = auto()
    CODE = auto()
    """Another party's code of an article, as text."""
    SKU = auto()
    EAN = auto()
    UNIT = auto()
    NUMBER = auto()
    PRICE = auto()
    TAX_LABEL = auto()
    PRODUCT_TYPE = auto()
    DIMENSIONS = auto()
    FLAG = auto()
    CATEGORIES = auto()
    VARIANTS = auto()
    FILE = auto()
    FILES = auto()
    INSTANT = auto()
    LANGUAGE = auto()
    PICKER_TYPE = auto()
    PRINT_METHOD = auto()
    PAYMENT_ORDER = auto()


@dataclass(frozen=True, slots=True)
class DeclaredField:
    """A field of a product, variant or store.

    about: its text in the API's document. wire: its member in JSON, where that is not the camelCase
    of its name. is_answered: answers have it, and a sent one is ignored. heads: the heads of its
    column in a sheet; the first is written, any is read.
    """

    name: str
    kind: FieldKind
    about: str = ""
    _: KW_ONLY
    wire: str = ""
    is_required: bool = False
    is_answered: bool = False
    heads: tuple[str, ...] = ()

    @property
    def wire_name(self) -> str:
        first, *others = self.name.split("_")
        return self.wire or first + "".join(word.title() for word in others)


_K = FieldKind
SHARED_FIELDS = (
    DeclaredField("name", _K.NAME, is_required=True,
          heads=("Назив", "name", "naziv artikla", "artikal", "item", "roba", "proizvod",
                 "naziv proizvoda", "product")),
    DeclaredField("sku", _K.SKU, "Article code, unique among products and variants. Left out: the "
          "next one. That of a deleted product stays taken.",
          heads=("Шифра", "code", "sku", "item code", "sifra artikla", "plu", "kod", "id artikla",
                 "interna sifra")),
    DeclaredField("manufacturer_sku", _K.CODE,
          heads=("Шифра произвођача", "makers code", "manufacturer sku", "kataloski broj")),
    DeclaredField("description", _K.TEXT, "HTML; what could act is taken out. Sent anew, at most "
          "65536 characters and 100 elements within one another.",
          heads=("Опис", "description")),
    DeclaredField("sale_unit_id", _K.UNIT, heads=(
        "Јединица", "unit", "jm", "jed", "jedinica mere", "jed mere", "jed mj", "jedinica mjere",
        "mera",
    )),
    DeclaredField("base_unit_id", _K.UNIT, heads=("Основна јединица", "base unit")),
    DeclaredField("quantity_per_base_unit", _K.NUMBER,
          heads=("Количина у основној јединици", "quantity per base unit")),
    DeclaredField("price", _K.PRICE, "With VAT, 2 decimals at most.", heads=(
        "Цена", "price", "cena sa pdv", "cena s pdv", "cena sa porezom", "price with vat",
        "price incl vat", "gross price", "retail price", "selling price", "prodajna cena",
        "prodajna cena sa pdv", "cena prodajna", "mpc", "mp cena", "cena mp", "mpc sa pdv",
        "maloprodajna cena", "maloprodajna cena sa pdv", "cijena", "prodajna cijena",
        "maloprodajna cijena", "cijena sa pdv",
    )),
    DeclaredField("tax_label", _K.TAX_LABEL, wire="taxRateLabel", is_required=True, heads=(
        "Порез", "tax", "poreska oznaka", "oznaka poreza", "tax label", "pdv", "stopa",
        "poreska stopa", "stopa poreza", "stopa pdv", "stopa pdv a", "pdv stopa", "poreska grupa",
        "tarifa", "poreska tarifa", "tax rate", "vat", "vat rate", "taxratelabel", "tarifni broj",
        "pdv grupa", "pdv oznaka", "oznaka pdv",
    )),
    DeclaredField("subtitle", _K.TEXT, heads=("Кратак опис", "subtitle", "podnaslov")),
    DeclaredField("product_type", _K.PRODUCT_TYPE, "`product` where it is not said.",
          heads=("Врста", "kind", "type")),
    DeclaredField("weight", _K.NUMBER, heads=("Тежина", "weight", "tezina kg", "weight kg")),
    DeclaredField("dimensions", _K.DIMENSIONS, "WIDTHxDEPTHxHEIGHT in centimetres.",
          heads=("Димензије", "dimensions", "size")),
    DeclaredField("has_variants", _K.FLAG, "Left out: whether it has any."),
    DeclaredField("variant_name", _K.TEXT, heads=("Варијанта", "variant", "naziv varijante")),
    DeclaredField("ean", _K.EAN, "GTIN, unique; that of a deleted product is free.",
          heads=("ЕАН", "ean", "barkod", "bar kod", "barcode", "gtin", "ean kod", "ean13",
                 "ean barkod", "barkod ean")),
    DeclaredField("categories", _K.CATEGORIES, "Ids, or one id.",
          heads=("Категорија", "category", "kategorije", "categories", "grupa", "group",
                 "naziv grupe", "grupa artikala", "robna grupa", "podgrupa", "odeljenje")),
    DeclaredField("description_plain", _K.TEXT, "The description as text.", is_answered=True),
    DeclaredField("cover_image", _K.FILE, is_answered=True),
)  # fmt: skip
"""The fields of products and variants without `id`, in the specification's order."""
KINDS = {one.name: one.kind for one in SHARED_FIELDS}

PRODUCT_FIELDS = (
    DeclaredField("variants", _K.VARIANTS,
          "The whole list; each is the one with its `id`, or else its `sku`."),
    DeclaredField("images", _K.FILES, "Ids of files; the first is the cover."),
    DeclaredField("created_at", _K.INSTANT, "Taken when a product is added."),
    DeclaredField("updated_at", _K.INSTANT, is_answered=True),
    DeclaredField("deleted_at", _K.INSTANT, "An instant deletes it, null restores it."),
)  # fmt: skip

STORE_FIELDS = (
    DeclaredField("name", _K.NAME, is_required=True),
    DeclaredField("address", _K.TEXT),
    DeclaredField("city", _K.TEXT),
    DeclaredField("zip", _K.TEXT, "Postal code."),
    DeclaredField("gln", _K.TEXT),
    DeclaredField("phone", _K.TEXT),
    DeclaredField("language", _K.LANGUAGE, "Of its receipts; sr-Cyrl-RS where it is not said."),
    DeclaredField("print_method", _K.PRINT_METHOD,
          "How receipts can be given out; all three where it is not said."),
    DeclaredField("print_bank_accounts", _K.FLAG, "On receipts paid by bank transfer."),
    DeclaredField("print_discounts", _K.FLAG),
    DeclaredField("payment_methods_order", _K.PAYMENT_ORDER,
          "Rows of payment methods, as the payment window shows them. Each is a name, a number, or "
          "an object with nothing but a `name`, and is answered as it was sent."),
    DeclaredField("product_picker_type", _K.PICKER_TYPE),
    DeclaredField("is_sound_enabled", _K.FLAG),
    DeclaredField("default_unknown_amount_advance", _K.FLAG),
)  # fmt: skip
"""The fields of a store without `id`, in the specification's order."""
