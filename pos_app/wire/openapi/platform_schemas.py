"""The shapes of the platform's document: stores, products, files and the lists of ours.

Source: platform-api.md (Store, Product, File), platform-contract.md 2.1 to 2.7 and 4. A test holds
the members of requests against `wire.store_input`, `wire.catalogue_input`, `wire.keys_and_clients`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pos_app.domain.key_scope import KeyScope
from pos_app.domain.money import LARGEST_AMOUNT
from pos_app.domain.product import ProductType
from pos_app.domain.request import LONGEST_CASHIER
from pos_app.domain.tax import TaxLabel
from pos_app.wire.input import LONGEST_CODE
from pos_app.wire.number import LARGEST_INTEGER
from pos_app.wire.openapi.members import OURS
from pos_app.wire.openapi.schemas import BODIES, NAMES, ref, schemas

Schema = dict[str, Any]

_NAME: Schema = {"type": "string", "minLength": 1}
_UUID: Schema = {"type": "string", "format": "uuid"}
_INSTANT: Schema = {"type": "string", "format": "date-time"}
_WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST_INTEGER}
_AMOUNT: Schema = {"type": "number", "minimum": 0, "maximum": LARGEST_AMOUNT}
_URLS = ("original", "64x64", "128x128", "256x256", "512x512", "1024x1024")


def _or_null(schema: Mapping[str, Any]) -> Schema:
    if "$ref" in schema:
        return {"anyOf": [dict(schema), {"type": "null"}]}
    kind = schema["type"]
    kinds = kind if isinstance(kind, list) else [kind]
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **choices, "type": [*kinds, "null"]}


_TEXT = _or_null({"type": "string"})
_FLAG = _or_null({"type": "boolean"})

STORE: Mapping[str, Schema] = {
    "name": _NAME,
    "address": _TEXT,
    "city": _TEXT,
    "zip": {**_TEXT, "description": "Postal code."},
    "gln": _TEXT,
    "phone": _TEXT,
    "language": {
        **_or_null({"type": "string", "enum": ["sr-Cyrl-RS", "sr-Latn-RS"]}),
        "description": "Of its receipts; sr-Cyrl-RS where it is not said.",
    },
    "printMethod": {
        "type": ["object", "null"],
        "properties": {name: {"type": "boolean"} for name in ("thermal", "a4", "email")},
        "additionalProperties": False,
        "description": "How receipts can be given out; all three where it is not said.",
    },
    "printBankAccounts": {**_FLAG, "description": "On receipts paid by bank transfer."},
    "printDiscounts": _FLAG,
    "paymentMethodsOrder": {
        "type": ["array", "null"],
        "items": {"type": "array", "items": {"type": ["string", "number"]}},
        "description": "Rows of names of payment methods, as the payment window shows them.",
        "examples": [[["cash", "card"], ["wiretransfer"]]],
    },
    "productPickerType": _or_null({"type": "string", "enum": ["list", "grid"]}),
    "isSoundEnabled": _FLAG,
    "defaultUnknownAmountAdvance": _FLAG,
}
FIELDS: Mapping[str, Schema] = {
    "name": _NAME,
    "sku": {
        **_or_null({**_WHOLE, "minimum": 1}),
        "description": "Article code, unique among products and variants. Left out: the next one. "
        "That of a deleted product stays taken.",
    },
    "manufacturerSku": _TEXT,
    "description": {
        **_TEXT,
        "description": "HTML; what could act is taken out. Sent"
        " anew, at most 65536 characters and 100 elements within one another.",
    },
    "saleUnitId": _or_null(_UUID),
    "baseUnitId": _or_null(_UUID),
    "quantityPerBaseUnit": _or_null(_AMOUNT),
    "price": {**_or_null(_AMOUNT), "description": "With VAT, 2 decimals at most."},
    "taxRateLabel": {"type": "string", "enum": [label.value for label in TaxLabel]},
    "subtitle": _TEXT,
    "productType": {
        **_or_null({"type": "string", "enum": [kind.value for kind in ProductType]}),
        "description": "`product` where it is not said.",
    },
    "weight": _or_null(_AMOUNT),
    "dimensions": {
        **_TEXT,
        "description": "WIDTHxDEPTHxHEIGHT in centimetres.",
        "examples": ["30x20.5x10"],
    },
    "hasVariants": {**_FLAG, "description": "Left out: whether it has any."},
    "variantName": _TEXT,
    "ean": {
        **_or_null({"type": "string", "maxLength": LONGEST_CODE}),
        "description": "GTIN, unique; that of a deleted product is free.",
    },
    "categories": {
        "type": ["array", "string", "null"],
        "items": _UUID,
        "format": "uuid",
        "description": "Ids, or one id.",
    },
}
PRODUCT: Mapping[str, Schema] = {
    **FIELDS,
    "variants": {
        "type": ["array", "null"],
        "items": {"$ref": ref("VariantInput")},
        "description": "The whole list; each is the one with its `id`, or else its `sku`.",
    },
    "images": {
        "type": ["array", "null"],
        "items": _UUID,
        "description": "Ids of files; the first is the cover.",
    },
    "createdAt": {**_or_null(_INSTANT), "description": "Taken when a product is added."},
    "deletedAt": {**_or_null(_INSTANT), "description": "An instant deletes it, null restores it."},
}
UNIT: Mapping[str, Schema] = {
    "name": _NAME,
    "symbol": {**_TEXT, "description": "Printed after a quantity."},
}
CATEGORY: Mapping[str, Schema] = {"name": _NAME, "position": _or_null(_WHOLE)}
CASHIER: Mapping[str, Schema] = {"name": {**_NAME, "maxLength": LONGEST_CASHIER}}
KEY: Mapping[str, Schema] = {
    "name": {**_NAME, "maxLength": 100},
    "scopes": {
        "type": "array",
        "items": {"type": "string", "enum": [scope.value for scope in KeyScope]},
        "minItems": 1,
        "description": "What the key may be used for; never more than the key that makes it.",
    },
}
CLIENT: Mapping[str, Schema] = {"name": {**_NAME, "maxLength": 100}}

_RECORD = ("createdAt", "updatedAt", "deletedAt")
_INSTANTS: Mapping[str, Schema] = {
    "createdAt": _INSTANT,
    "updatedAt": _INSTANT,
    "deletedAt": _or_null(_INSTANT),
}
_OF_OWNER: Mapping[str, Schema] = {
    "descriptionPlain": {**_TEXT, "description": "The description as text."},
    "coverImage": _or_null({"$ref": ref("File")}),
}


def platform_schemas() -> dict[str, Schema]:
    """The components of the document, by name."""
    record = ("id", *_RECORD)
    return {
        "StoreInput": _input(STORE, required=("name",), answered=record),
        "StoreChange": _input(STORE, answered=record),
        "Store": _answer(STORE),
        "VariantInput": _input(
            {"id": _or_null(_UUID) | OURS, **FIELDS}, answered=("descriptionPlain", "coverImage")
        )
        | {"description": "A new one needs `name` and `taxRateLabel`."},
        "ProductInput": _input(
            PRODUCT, required=("name", "taxRateLabel"), answered=("id", "updatedAt", *_OF_OWNER)
        ),
        "ProductChange": _input(PRODUCT, answered=("id", "updatedAt", *_OF_OWNER)),
        "Product": _product(),
        "Variant": _always({"id": _UUID, **_owner()}),
        "File": _file(),
        "UnitInput": _input(UNIT, required=("name",), answered=record),
        "UnitChange": _input(UNIT, answered=record),
        "Unit": _answer(UNIT),
        "CategoryInput": _input(CATEGORY, required=("name",), answered=record),
        "CategoryChange": _input(CATEGORY, answered=record),
        "Category": _answer(CATEGORY),
        "CashierInput": _input(CASHIER, required=("name",), answered=record),
        "CashierChange": _input(CASHIER, answered=record),
        "Cashier": _answer(CASHIER),
        "KeyInput": _input(KEY, required=("name", "scopes")),
        "Key": _always(_KEY_ANSWER),
        "NewKey": _always({**_KEY_ANSWER, "secret": _SECRET}),
        "RevokedKey": {"type": "object", "properties": {"revokedAt": _INSTANT}},
        "ClientChange": _input(
            CLIENT, answered=("id", "storeId", "version", "createdAt", "updatedAt", "lastSeenAt")
        ),
        "Client": _client(),
        "Empty": {"type": "object", "maxProperties": 0},
        "PlatformHealth": _always(
            {name: {"type": "string"} for name in ("service", "version", "database", "files")}
            | {"warnings": {"type": "array", "items": {"type": "string"}}}
        ),
    } | _of_receipts()


_KEY_ANSWER: Mapping[str, Schema] = {
    "id": {"type": "string"},
    **KEY,
    "createdAt": _INSTANT,
    "lastUsedAt": _or_null(_INSTANT),
}
_SECRET = {"type": "string", "description": "Shown this once; a lost one can't be found again."}


_IGNORED = "Of answers; ignored here."


def _input(
    members: Mapping[str, Schema], *, required: Iterable[str] = (), answered: Iterable[str] = ()
) -> Schema:
    """A body that is sent. answered: members of answers, which may come back and say nothing."""
    ignored: dict[str, Schema] = {name: {"description": _IGNORED} for name in answered}
    if "deletedAt" in ignored:
        ignored["deletedAt"]["type"] = "null"  # DELETE deletes
    least = {"required": list(required)} if required else {}
    return {
        "type": "object",
        "properties": {**ignored, **members},
        "additionalProperties": False,
        **least,
    }


def _always(members: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(members), "required": list(members)}


def _answer(members: Mapping[str, Schema]) -> Schema:
    """Of a row that has no instants in the specification."""
    instants = {name: instant | OURS for name, instant in _INSTANTS.items()}
    return _always({"id": _UUID, **members, **instants})


def _owner() -> dict[str, Schema]:
    categories = {"type": "array", "items": _UUID}
    return {**FIELDS, "categories": categories, **_OF_OWNER}


def _product() -> Schema:
    variants = {"type": "array", "items": {"$ref": ref("Variant")}}
    images = {"type": "array", "items": _UUID}
    return _always({"id": _UUID, **_owner(), "variants": variants, "images": images, **_INSTANTS})


def _file() -> Schema:
    return _always(
        {
            "id": _UUID,
            "filename": {"type": "string"},
            "originalFilename": {**_TEXT, "description": "As the sender named it."},
            "mimetypeFilename": {"type": "string", "description": "Type of the original."},
            "size": {"type": "integer", "description": "Bytes of the original."},
            "reference": _TEXT,
            "referenceId": _or_null(_UUID),
            "private": {"type": "boolean", "description": "Always false."},
            "urls": _always({name: {"type": "string", "format": "uri"} for name in _URLS})
            | {"description": "Addresses that show the picture to whoever has them."},
            **_INSTANTS,
        }
    )


def _client() -> Schema:
    return _always(
        {
            "id": _UUID,
            **CLIENT,
            "storeId": _or_null(_UUID),
            "version": {"type": "string"},
            "createdAt": _INSTANT,
            "updatedAt": _INSTANT,
            "lastSeenAt": _or_null(_INSTANT),
        }
    )


# --- receipts ------------------------------------------------------------------------------------

PLACE: Mapping[str, Schema] = {
    "clientId": {
        **_or_null(_UUID),
        "description": "The application that issues the receipt. It or `storeId` is required in "
        "public mode.",
    },
    "storeId": {
        **_or_null(_UUID),
        "deprecated": True,
        "description": "A store instead of an application: only one may be open there.",
    },
}
_CASHIER_ID: Schema = {
    **_or_null(_UUID),
    **OURS,
    "description": "Certificate mode, under development: who issues the receipt, in place of "
    "`clientId`.",
}


def _of_receipts() -> dict[str, Schema]:
    """The shapes of the local server, with the members that choose who issues a receipt."""
    made = {name: schema for name, schema in schemas().items() if name not in _OF_LOCAL_SERVER}
    for name in (NAMES[shape.__name__] for shape in BODIES):
        made[name]["properties"] |= {**PLACE, "cashierId": _CASHIER_ID}
    return made


_OF_LOCAL_SERVER = frozenset({"Health", "JournalMark", "PublicMode", "Synchronisation"})
