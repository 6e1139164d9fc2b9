"""The OpenAPI 3.1 document of the open routes. Source: platform-contract.md 1, 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pos_app.domain.operations import Operation
from pos_app.domain.receipt_identity import KEY_PATTERN, KEY_WORDS
from pos_app.wire.openapi.answers import ON_A_RECEIPT, PAIR, READING, SIGNING, json_of, problems
from pos_app.wire.openapi.examples import EXAMPLES
from pos_app.wire.openapi.members import OURS
from pos_app.wire.openapi.schemas import ref, schemas
from pos_app.wire.problem import NOT_FOUND, PAIR_HALF_DONE, SCHEMA
from pos_app.wire.receipt_paths import ANSWERED_WITHIN

_ABOUT = """\
Issues each fiscal receipt exactly once, for programs on the same machine.

Send a key of your own with each operation, new for each sale, and keep it before you send. The
same key with the same body gives the same receipt again. 4xx: surely nothing was signed. 5xx or no
answer: look it up. Unknown members are ignored, null is absent, numbers are JSON numbers and never
strings. An answer comes within {seconds} seconds. `x-own-member` marks what the platform's
specification does not have."""

SUMMARIES = {
    Operation.ISSUE: "Issue a receipt",
    Operation.ADVANCE: "Add a payment to an advance",
    Operation.CLOSE: "Close an advance: its refund and the sale",
    Operation.COPY: "Issue a copy",
    Operation.REFUND: "Refund a receipt, whole or in part; in cash with its copy",
}
CASES = {
    Operation.ISSUE: (*SIGNING, PAIR_HALF_DONE),
    Operation.ADVANCE: ON_A_RECEIPT,
    Operation.CLOSE: PAIR,
    Operation.COPY: ON_A_RECEIPT,
    Operation.REFUND: PAIR,
}
PAIRS = {Operation.CLOSE, Operation.REFUND}
_ID = {
    "name": "Id",
    "in": "path",
    "required": True,
    "description": "A receipt's `id` or its number, in small letters too, url-encoded.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}
_TO_LOOK_UP = _ID | {
    "description": "A receipt's `id`, its number, or `key:` and the key it was sent with."
}
_NONCE = {
    "name": "nonce",
    "in": "query",
    "description": "The answer then has the proof that it comes from this installation.",
    "schema": {"type": "string", "pattern": "^[0-9A-Fa-f]{32,64}$"},
}
_SECRET = {"name": "secret", "in": "path", "required": True, "schema": {"type": "string"}}

IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": f"{KEY_WORDS}, new for each sale. Without it a repeated request can't be told "
    "from a second sale.",
    "schema": {"type": "string", "pattern": KEY_PATTERN},
    "example": "5e2f9c1a7b3d4860",
    **OURS,
}


@dataclass(frozen=True, slots=True)
class Served:
    """The facts of the HTTP front that the document tells. Paths begin with "/".

    pdf: ends with "/".
    """

    version: str
    receipts: str
    health: str
    pdf: str
    document: str


def document(served: Served) -> dict[str, Any]:
    """The document, ready to be written by `strict_json.dumps`."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Local fiscal API",
            "version": served.version,
            "description": _ABOUT.format(seconds=ANSWERED_WITHIN),
        },
        "servers": [{"url": "/", "description": "The server that this document came from"}],
        "paths": _paths(served),
        "components": {"schemas": schemas()},
    }


def _paths(served: Served) -> dict[str, Any]:
    one = f"{served.receipts}/{{Id}}"
    return {
        served.receipts: {"post": _operation(Operation.ISSUE, served)},
        one: {"get": _look_up()},
        **{
            f"{one}/{operation}": {"parameters": [_ID], "post": _operation(operation, served)}
            for operation in Operation
            if operation is not Operation.ISSUE
        },
        served.health: {"get": _health()},
        f"{served.pdf}{{secret}}": {"get": _pdf()},
        served.document: {"get": _itself()},
    }


def _operation(operation: Operation, served: Served) -> dict[str, Any]:
    name = f"{operation.capitalize()}Request"
    shown = {title: {"value": body} for title, body in EXAMPLES[operation].items()}
    found = {
        "description": "The receipts, in the order in which they were signed."
        if operation in PAIRS
        else "The signed receipt.",
        **json_of("Receipts" if operation in PAIRS else "Receipt"),
    }
    if operation is Operation.ISSUE:
        found["links"] = _links()
    return {
        "operationId": str(operation),
        "summary": SUMMARIES[operation],
        "parameters": [IDEMPOTENCY_KEY],
        "requestBody": {"required": True, **json_of(name, examples=shown)},
        "responses": {"200": found, **problems(CASES[operation])},
    }


def _links() -> dict[str, Any]:
    then = ["lookUp", *(str(each) for each in Operation if each is not Operation.ISSUE)]
    return {
        name: {"operationId": name, "parameters": {"Id": "$response.body#/id"}} for name in then
    }


def _look_up() -> dict[str, Any]:
    either = {"oneOf": [{"$ref": ref(name)} for name in ("Receipt", "Receipts")]}
    return {
        "operationId": "lookUp",
        "summary": "Look up what became of a request",
        "parameters": [_TO_LOOK_UP],
        "x-own-member": True,
        "responses": {
            "200": {
                "description": "The receipt; under the key of a pair, both.",
                "content": {"application/json": {"schema": either}},
            },
            "202": {
                "description": "Not yet known; `state` tells whether to ask again.",
                **json_of("Waiting"),
            },
            **problems([NOT_FOUND, PAIR_HALF_DONE, *READING]),
        },
    }


def _health() -> dict[str, Any]:
    return {
        "operationId": "health",
        "summary": "Who answers here",
        "parameters": [_NONCE],
        "x-own-member": True,
        "responses": {
            "200": {"description": "The server is there.", **json_of("Health")},
            **problems([SCHEMA]),
        },
    }


def _pdf() -> dict[str, Any]:
    file = {"schema": {"type": "string", "contentMediaType": "application/pdf"}}
    return {
        "operationId": "pdf",
        "summary": "The PDF behind the link in a receipt's answer",
        "parameters": [_SECRET],
        "x-own-member": True,
        "responses": {
            "200": {"description": "The file.", "content": {"application/pdf": file}},
            **problems([NOT_FOUND, *READING]),
        },
    }


def _itself() -> dict[str, Any]:
    return {
        "operationId": "openapi",
        "summary": "This document",
        "x-own-member": True,
        "responses": {
            "200": {
                "description": "OpenAPI 3.1.",
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            **problems([]),
        },
    }
