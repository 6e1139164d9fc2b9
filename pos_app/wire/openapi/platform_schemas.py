"""The shapes of the platform's document: stores, products, files and the lists of ours.

Source: platform-api.md (Store, Product, File), platform-contract.md 2.1 to 2.7 and 4. A test
compares the members of requests with `wire.store_input`, `wire.catalogue_input`,
`wire.keys_and_clients`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from pos_app.domain.article import store
from pos_app.domain.article.fields import (
    PRODUCT_FIELDS,
    SHARED_FIELDS,
    STORE_FIELDS,
    DeclaredField,
    FieldKind,
)
from pos_app.domain.article.product import ProductType
from pos_app.domain.money import money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request
from pos_app.domain.setup import platform_key
from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.wire.catalogue_input import REQUIRED
from pos_app.wire.input import LONGEST_CODE
from pos_app.wire.number import LARGEST_INTEGER
from pos_app.wire.openapi.form import NUMBER, one_of, or_null
from pos_app.wire.openapi.members import OURS
from pos_app.wire.openapi.schemas import BODIES, NAMES, ref, schemas

Schema = dict[str, Any]

_NAME: Schema = {"type": "string", "minLength": 1}
_UUID: Schema = {"type": "string", "format": "uuid"}
_INSTANT: Schema = {"type": "string", "format": "date-time"}
_WHOLE: Schema = {"type": "integer", "format": "int64", "minimum": 0, "maximum": LARGEST_INTEGER}
_AMOUNT: Schema = {**NUMBER, "minimum": 0, "maximum": money.LARGEST_AMOUNT}
_URLS = ("original", "64x64", "128x128", "256x256", "512x512", "1024x1024")


_TEXT = or_null({"type": "string"})

_OF_KIND: Mapping[FieldKind, Schema] = {
    FieldKind.NAME: _NAME,
    FieldKind.TEXT: _TEXT,
    FieldKind.CODE: _TEXT,
    FieldKind.SKU: or_null({**_WHOLE, "minimum": 1}),
    FieldKind.EAN: or_null({"type": "string", "maxLength": LONGEST_CODE}),
    FieldKind.UNIT: or_null(_UUID),
    FieldKind.NUMBER: or_null(_AMOUNT),
    FieldKind.PRICE: or_null(_AMOUNT),
    FieldKind.TAX_LABEL: one_of(TaxLabel),
    FieldKind.PRODUCT_TYPE: or_null(one_of(ProductType)),
    FieldKind.DIMENSIONS: {**_TEXT, "example": "30x20.5x10"},
    FieldKind.FLAG: or_null({"type": "boolean"}),
    FieldKind.CATEGORIES: or_null({"type": "array", "items": _UUID}),
    FieldKind.VARIANTS: or_null({"type": "array", "items": {"$ref": ref("VariantInput")}}),
    FieldKind.FILE: or_null({"$ref": ref("Picture")}),
    FieldKind.FILES: or_null({"type": "array", "items": _UUID}),
    FieldKind.INSTANT: or_null(_INSTANT),
    FieldKind.LANGUAGE: or_null(one_of(store.ReceiptLanguage)),
    FieldKind.PICKER_TYPE: or_null(one_of(store.PickerType)),
    FieldKind.PRINT_METHOD: {
        "type": "object",
        "nullable": True,
        "properties": {one.name: {"type": "boolean"} for one in fields(store.PrintMethod)},
        "additionalProperties": False,
    },
    FieldKind.PAYMENT_ORDER: {
        "type": "array",
        "nullable": True,
        "items": {"type": "array", "items": {}},
        "example": [["cash", "card"], ["wiretransfer"]],
    },
}


def _members(some: Iterable[DeclaredField], *, answered: bool = False) -> dict[str, Schema]:
    """Describe the members of a body for these fields, or with `answered` those of answers
    alone."""
    return {
        one.wire_name: _OF_KIND[one.kind] | ({"description": one.about} if one.about else {})
        for one in some
        if one.is_answered is answered
    }


STORE = _members(STORE_FIELDS)
FIELDS = _members(SHARED_FIELDS)
PRODUCT = FIELDS | _members(PRODUCT_FIELDS)
_POSITION: Schema = {
    **or_null(_WHOLE),
    "description": "The place in the shop's list; equal ones are sorted by name.",
}
UNIT: Mapping[str, Schema] = {
    "name": _NAME,
    "symbol": {
        **_TEXT,
        "maxLength": request.LONGEST_UNIT,
        "description": "Printed after a quantity.",
    },
    "position": _POSITION,
}
CATEGORY: Mapping[str, Schema] = {"name": _NAME, "position": _POSITION}
CASHIER: Mapping[str, Schema] = {"name": {**_NAME, "maxLength": request.LONGEST_CASHIER}}
KEY: Mapping[str, Schema] = {
    "name": {**_NAME, "maxLength": 100},
    "scopes": {
        "type": "array",
        "items": one_of(platform_key.KeyScope),
        "minItems": 1,
        "description": "What the key may be used for; never more than the key that makes it.",
    },
    "eachOrderIsASale": {
        "type": "boolean",
        "description": "Whether an order that comes without Idempotency-Key is never taken for a"
        " repetition of an identical one. False where it is not told.",
    },
    "oneClient": {
        "type": "boolean",
        "description": "Whether the application that connects with it first is the only one that"
        " may. False where it is not told.",
    },
}
CLIENT: Mapping[str, Schema] = {"name": {**_NAME, "maxLength": 100}}

_RECORD = ("createdAt", "updatedAt", "deletedAt")
_INSTANTS: Mapping[str, Schema] = {
    "createdAt": _INSTANT,
    "updatedAt": _INSTANT,
    "deletedAt": or_null(_INSTANT),
}
_OF_OWNER = _members(SHARED_FIELDS, answered=True)
_ANSWERED_OF_PRODUCT = ("id", *_members(PRODUCT_FIELDS, answered=True), *_OF_OWNER)


def platform_schemas() -> dict[str, Schema]:
    """The components of the document, by name."""
    record = ("id", *_RECORD)
    return {
        "StoreInput": _input(STORE, required=("name",), answered=record),
        "StoreChange": _input(STORE, answered=record),
        "Store": _answer(STORE),
        "VariantInput": _input({"id": or_null(_UUID) | OURS, **FIELDS}, answered=_OF_OWNER)
        | {"description": "A new one needs `name` and `taxRateLabel`."},
        "ProductInput": _input(PRODUCT, required=REQUIRED, answered=_ANSWERED_OF_PRODUCT),
        "ProductChange": _input(PRODUCT, answered=_ANSWERED_OF_PRODUCT),
        "Product": _product(),
        "Variant": _always({"id": _UUID, **_owner()}),
        "Picture": _picture(),
        "UnitInput": _input(UNIT, required=("name",), answered=record),
        "UnitChange": _input(UNIT, answered=record),
        "Unit": _answer(UNIT),
        "CategoryInput": _input(CATEGORY, required=("name",), answered=record),
        "CategoryChange": _input(CATEGORY, answered=record),
        "Category": _answer(CATEGORY),
        "Merge": _input({"into": _UUID}, required=("into",)),
        "CashierInput": _input(CASHIER, required=("name",), answered=record),
        "CashierChange": _input(CASHIER, answered=record),
        "Cashier": _answer(CASHIER),
        "KeyInput": _input(KEY, required=("name", "scopes")),
        "Key": _always(_KEY_ANSWER),
        "KeyWithSecret": _always({**_KEY_ANSWER, "secret": _SECRET}),
        "RevokedKey": {"type": "object", "properties": {"revokedAt": _INSTANT}},
        "ClientChange": _input(
            CLIENT, answered=("id", "storeId", "version", "createdAt", "updatedAt", "lastSeenAt")
        ),
        "Client": _client(),
        "AuditEntry": _audit_entry(),
        "Empty": {"type": "object", "maxProperties": 0},
        "PlatformHealth": _always(
            {name: {"type": "string"} for name in ("service", "version", "database", "files")}
            | {"warnings": {"type": "array", "items": {"type": "string"}}}
        ),
        "PlatformReadiness": _always(
            {"ready": {"type": "boolean"}, "why": or_null({"type": "string"})}
        ),
    } | _of_receipts()


_KEY_ANSWER: Mapping[str, Schema] = {
    "id": {"type": "string"},
    **KEY,
    "createdAt": _INSTANT,
    "lastUsedAt": or_null(_INSTANT),
}
_SECRET = {"type": "string", "description": "Shown this once; a lost one can't be found again."}


_IGNORED = "Of answers; ignored here."
_ANSWERED: Mapping[str, Schema] = {
    "id": _UUID,
    **_INSTANTS,
    **_OF_OWNER,
    "storeId": _UUID,
    "version": {"type": "string"},
    "lastSeenAt": _INSTANT,
}


def _input(
    members: Mapping[str, Schema], *, required: Iterable[str] = (), answered: Iterable[str] = ()
) -> Schema:
    """A body that is sent. answered: members of answers, which may come back and are ignored."""
    ignored: dict[str, Any] = {name: {"description": _IGNORED} for name in answered}
    if "deletedAt" in ignored:
        ignored["deletedAt"] = or_null(_ANSWERED["deletedAt"])
        ignored["deletedAt"]["description"] = "Of answers; only null is taken: DELETE deletes."
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
    """The answer of a row that has no instants in the specification."""
    instants = {name: instant | OURS for name, instant in _INSTANTS.items()}
    return _always({"id": _UUID, **members, **instants})


def _owner() -> dict[str, Schema]:
    categories = {"type": "array", "items": _UUID}
    return {**FIELDS, "categories": categories, **_OF_OWNER}


def _product() -> Schema:
    variants = {"type": "array", "items": {"$ref": ref("Variant")}}
    images = {"type": "array", "items": _UUID}
    return _always({"id": _UUID, **_owner(), "variants": variants, "images": images, **_INSTANTS})


def _picture() -> Schema:
    return _always(
        {
            "id": _UUID,
            "filename": {"type": "string"},
            "originalFilename": {**_TEXT, "description": "As the sender named it."},
            "mimetypeFilename": {"type": "string", "description": "Type of the original."},
            "size": {"type": "integer", "format": "int32", "description": "Bytes of the original."},
            "reference": _TEXT,
            "referenceId": or_null(_UUID),
            "private": {"type": "boolean", "description": "Always false."},
            "urls": _always({name: {"type": "string", "format": "uri"} for name in _URLS})
            | {"description": "Addresses that show the picture to whoever has them."},
            **_INSTANTS,
        }
    )


def _audit_entry() -> Schema:
    change = _always({"field": {"type": "string"}, "before": {}, "after": {}})
    by = "The id of the key that did it; null for the operator's command line."
    return _always(
        {
            "id": _UUID,
            "at": _INSTANT,
            "kind": one_of(AuditKind),
            "act": one_of(AuditAct),
            "objectId": {"type": "string"},
            "name": {"type": "string", "description": "Of the object, as it was then."},
            "byKey": {**_TEXT, "description": by},
            "requestId": {**_TEXT, "description": "X-Request-Id of that request."},
            "changes": {"type": "array", "items": change},
        }
    )


def _client() -> Schema:
    return _always(
        {
            "id": _UUID,
            **CLIENT,
            "storeId": or_null(_UUID),
            "version": {"type": "string"},
            "createdAt": _INSTANT,
            "updatedAt": _INSTANT,
            "lastSeenAt": or_null(_INSTANT),
        }
    )


# --- receipts ------------------------------------------------------------------------------------

PLACE: Mapping[str, Schema] = {
    "clientId": {
        **or_null(_UUID),
        "description": "The application that issues the receipt. It or `storeId` is required in "
        "public mode.",
    },
    "storeId": {
        **or_null(_UUID),
        "deprecated": True,
        "description": "A store instead of an application: only one may be open there.",
    },
}
_CASHIER_ID: Schema = {
    **or_null({"type": "string"}),
    **OURS,
    "description": "Certificate mode, under development: who issues the receipt, in place of "
    "`clientId`. The id of a cashier, or the name where only one has it.",
}


def _of_receipts() -> dict[str, Schema]:
    """The shapes of the local server, with the members that choose the issuer of a receipt."""
    made = {name: schema for name, schema in schemas().items() if name not in _OF_LOCAL_SERVER}
    for name in (NAMES[shape.__name__] for shape in BODIES):
        made[name]["properties"] |= {**PLACE, "cashierId": _CASHIER_ID}
    return made


_OF_LOCAL_SERVER = frozenset({"Health", "JournalMark", "PublicMode", "Synchronisation"})
