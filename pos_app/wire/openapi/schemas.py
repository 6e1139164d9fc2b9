"""Makes the schemas of bodies and answers from the shapes, and adds what `members` says of them.

The members come from the shapes, so a member that `members` does not describe appears, too. Only
`members` can add one that a shape lacks. A request may have null for each member that may be left
out. An answer has all its members, and its schema says which may be null. Pydantic gives the shapes
as JSON Schema 2020-12; the parts that differ in OpenAPI 3.0 are rewritten here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic.json_schema import models_json_schema

from pos_app.domain.receipt.states import REVERSED, AnswerClass
from pos_app.wire.fiscal import IssueShape
from pos_app.wire.openapi.form import one_of, or_null, whole
from pos_app.wire.openapi.members import (
    ANSWERS,
    IGNORED,
    OURS,
    PAYMENTS,
    PAYMENTS_OR_NONE,
    REQUESTS,
)
from pos_app.wire.operations import AdvanceShape, CloseShape, CopyShape, RefundShape
from pos_app.wire.reading import Shape
from pos_app.wire.receipt import IssuedShape
from pos_app.wire.receipt_list import ReceiptPageShape
from pos_app.wire.server import Health, Waiting

BODIES: tuple[type[Shape], ...] = (IssueShape, AdvanceShape, CloseShape, CopyShape, RefundShape)
NAMES: Mapping[str, str] = {
    "IssueShape": "IssueRequest",
    "AdvanceShape": "AdvanceRequest",
    "CloseShape": "CloseRequest",
    "CopyShape": "CopyRequest",
    "RefundShape": "RefundRequest",
    "ArticleShape": "Article",
    "ItemShape": "Item",
    "RefundedItemShape": "RefundedItem",
    "DeliveryShape": "ReceiptDelivery",
    "IssuedShape": "Receipt",
    "TaxItemShape": "TaxItem",
    "ReceiptPageShape": "ReceiptPage",
    "ListedReceiptShape": "ListedReceipt",
    "ListedItemShape": "ListedItem",
    "WarningShape": "Warning",
    "NamedCopyShape": "NamedCopy",
    "Waiting": "Waiting",
    "Health": "Health",
    "JournalMark": "JournalMark",
    "Synchronisation": "Synchronisation",
    "PublicModeAnswer": "PublicMode",
}
"""The names of the shapes in the document."""

_WHOLE: Mapping[str, Mapping[str, Any]] = {"DeliveryShape": {"minProperties": 1}}
_LEFT_OUT = {"proof", "signed", "synchronisation", "publicMode", "catalogue", "warnings", "copy"}
"""The members of answers that may be missing; they are never null."""
_PDF = {
    "pdf": {
        "type": "string",
        "nullable": True,
        "format": "uri",
        "description": "A link that lives 10 minutes; only where it was asked for.",
    },
    "base64pdf": {
        "type": "string",
        "nullable": True,
        "description": "The PDF in base64; only where it was asked for.",
    },
}
_CLASS = {
    **one_of(AnswerClass),
    **OURS,
    "description": "What to do: fix the request; cure: a person helps, then the same key again; "
    "wait: surely not sent, the same key again later; unknown: a receipt may exist, look it up.",
}

_CODE = {"type": "integer", "format": "int32"}


def schemas() -> dict[str, Any]:
    asked = {NAMES[name]: _request(name, made) for name, made in _made(BODIES, "validation")}
    answers = (IssuedShape, ReceiptPageShape, Waiting, Health)
    values = {NAMES[name]: _answer(name, made) for name, made in _made(answers, "serialization")}
    values["Receipt"]["properties"] |= _PDF
    receipts = {"type": "array", "items": {"$ref": ref("Receipt")}, "minItems": 1, "maxItems": 2}
    paid = {"Payments": dict(PAYMENTS), "PaymentsOrNone": dict(PAYMENTS_OR_NONE)}
    return asked | paid | values | {"Receipts": receipts, "Problem": _problem()}


def ref(name: str) -> str:
    return f"#/components/schemas/{name}"


def _made(
    shapes: tuple[type[Shape], ...], mode: Literal["validation", "serialization"]
) -> list[tuple[str, dict[str, Any]]]:
    _, made = models_json_schema(
        [(shape, mode) for shape in shapes], by_alias=True, ref_template=ref("{model}")
    )
    return list(made["$defs"].items())


def _request(name: str, made: Mapping[str, Any]) -> dict[str, Any]:
    required = made.get("required", [])
    members = {
        member: _member(found, REQUESTS[name].get(member, {}), may_be_null=member not in required)
        for member, found in made["properties"].items()
    }
    if name in {shape.__name__ for shape in BODIES}:
        members |= IGNORED
    least = {"required": required} if required else {}
    return {"type": "object", "properties": members, **least, **_WHOLE.get(name, {})}


def _answer(name: str, made: Mapping[str, Any]) -> dict[str, Any]:
    words = ANSWERS[name]
    members = {
        member: _member(
            found, words.get(member, {}), may_be_null="anyOf" in found and member not in _LEFT_OUT
        )
        for member, found in made["properties"].items()
    }
    always = [member for member in members if member not in _LEFT_OUT]
    return {"type": "object", "properties": members, "required": always}


def _member(
    schema: Mapping[str, Any], added: Mapping[str, Any], *, may_be_null: bool
) -> dict[str, Any]:
    """Return Pydantic's schema of a member, without title and default, together with `added`."""
    (known,) = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    values = {name: value for name, value in known.items() if name not in {"title", "default"}}
    values = dict(added) if "$ref" in added else _renamed(values) | added
    if "const" in values:  # a word of OpenAPI 3.1
        values["enum"] = [values.pop("const")]
    if "enum" in values:
        values = one_of(values["enum"]) | values
    return or_null(values) if may_be_null else whole(values)


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: ref(NAMES[item.rpartition("/")[2]]) if name == "$ref" else _renamed(item)
        for name, item in value.items()
    }


def _problem() -> dict[str, Any]:
    """Return the schema of the error body that `wire.problem` writes."""
    part = {
        "type": "object",
        "properties": {
            "source": one_of(["body", "query", "headers", "params", "settings"]),
            "keys": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "message": {"type": "string"},
        },
        "required": ["source", "keys", "message"],
    }
    members: dict[str, Any] = {
        "code": {**_CODE, "description": "Stable; the same as `errorCode`."},
        "errorCode": _CODE,
        "name": {"type": "string"},
        "class": _CLASS,
        "message": {"type": "string", "description": "Words for a person; they may change."},
        "validation": {
            "type": "object",
            "additionalProperties": part,
            "description": "The fields at fault, by where they stood; {} where none is.",
        },
    }
    more = {
        "receiptId": {"type": "string", "description": "Look the outcome up by this."},
        "pfrCode": {"type": "string", "description": "The fiscal processor's own code."},
        "kind": {"type": "string", "description": "A word for what is wrong, for programs."},
        "signed": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Numbers of the receipts of a half-done pair that exist.",
        },
        "state": one_of([REVERSED])
        | {"description": "Of a pair that was undone: what was asked for is not done."},
    }
    return {"type": "object", "properties": members | more, "required": list(members)}
