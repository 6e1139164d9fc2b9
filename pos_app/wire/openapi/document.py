"""The OpenAPI 3.0 document of the open routes. Source: platform-contract.md 1, 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import KEY_PATTERN, KEY_WORDS
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.wire.openapi import answers, paths
from pos_app.wire.openapi.examples import EXAMPLES
from pos_app.wire.openapi.form import one_of
from pos_app.wire.openapi.members import OURS
from pos_app.wire.openapi.schemas import schemas
from pos_app.wire.problem import NOT_COMPARED_YET, NOT_FOUND, PAIR_HALF_DONE, SCHEMA, STORAGE_AWAY
from pos_app.wire.receipt_list import LONGEST_TEXT, MOST_ROWS, USUAL_ROWS
from pos_app.wire.receipt_paths import ANSWERED_WITHIN

VERSION = "3.0.3"
"""The version of OpenAPI; generators of clients support 3.1 only in part."""
_ABOUT = """\
Issues each fiscal receipt exactly once, for programs on the same machine.

Send a key of your own with each operation, new for each sale, and keep it before you send. The
same key with the same body gives the same receipt again. 4xx: nothing was signed for this request;
after 409 an earlier body of the key may be, so look it up. 5xx or no answer: look it up. Unknown
members are ignored, null is absent, numbers are JSON numbers and never strings; a double holds each
amount to the para, a float of 32 bits does not. An answer comes within {seconds} seconds.
`x-own-member` marks what the platform's specification does not have."""

SUMMARIES = {
    Operation.ISSUE: "Issue a receipt",
    Operation.ADVANCE: "Add a payment to an advance",
    Operation.CLOSE: "Close an advance: its refund and the sale",
    Operation.COPY: "Issue a copy",
    Operation.REFUND: "Refund a receipt, whole or in part; in cash with its copy",
}
CASES = {
    Operation.ISSUE: (*answers.SIGNING, PAIR_HALF_DONE),
    Operation.ADVANCE: answers.ON_A_RECEIPT,
    Operation.CLOSE: answers.PAIR,
    Operation.COPY: answers.ON_A_RECEIPT,
    Operation.REFUND: answers.PAIR,
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

IDEMPOTENCY_KEY: paths.Described = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": f"{KEY_WORDS}, new for each sale. Without it a repeated request can't be told "
    "from a second sale.",
    "schema": {"type": "string", "pattern": KEY_PATTERN},
    "example": "5e2f9c1a7b3d4860",
    **OURS,
}


def document(version: str, served: Iterable[paths.Served], address: str) -> paths.Described:
    """Return the document, ready to be written by `strict_json.dumps`. address: the address of the
    server, without a slash at its end."""
    return {
        "openapi": VERSION,
        "info": {
            "title": "Local fiscal API",
            "version": version,
            "description": _ABOUT.format(seconds=ANSWERED_WITHIN),
        },
        "servers": [{"url": address, "description": "The server that this document came from"}],
        "paths": paths.paths_of(served, described_operations(), identity=_ID, guard=answers.GUARD),
        "components": {"schemas": schemas()},
    }


def described_operations() -> dict[str, paths.OperationWords]:
    """The description of each operation, by its operationId."""
    file = {"schema": {"type": "string", "format": "binary"}}
    return {
        "issue": _operation(Operation.ISSUE),
        "listReceipts": list_receipts(),
        "lookUp": _look_up(),
        **{str(one): _operation(one) for one in Operation if one is not Operation.ISSUE},
        "health": paths.OperationWords(
            "Who answers here",
            {"200": {"description": "The server is there.", **answers.json_of("Health")}},
            [SCHEMA],
            [_NONCE],
        ),
        "pdf": paths.OperationWords(
            "The PDF behind the link in a receipt's answer",
            {"200": {"description": "The file.", "content": {"application/pdf": file}}},
            [NOT_FOUND, *answers.READING],
            [_SECRET],
        ),
        "openapi": paths.OperationWords("This document", {"200": ITSELF}),
    }


ITSELF: paths.Described = {
    "description": "OpenAPI 3.0.",
    "content": {"application/json": {"schema": {"type": "object"}}},
}


def _operation(operation: Operation) -> paths.OperationWords:
    shown = {title: {"value": body} for title, body in EXAMPLES[operation].items()}
    found = answer_of(operation)
    if operation is Operation.ISSUE:
        found["links"] = _links()
    return paths.OperationWords(
        SUMMARIES[operation],
        {"200": found},
        CASES[operation],
        [IDEMPOTENCY_KEY],
        {"required": True, **answers.json_of(f"{operation.capitalize()}Request", examples=shown)},
        is_ours=False,
    )


def answer_of(operation: Operation) -> paths.Described:
    """The answer of an operation that issued a receipt or a pair."""
    if operation in PAIRS:
        words = "The receipts, in the order in which they were signed."
        return {"description": words, **answers.json_of("Receipts")}
    return {"description": "The signed receipt.", **answers.json_of("Receipt")}


def _links() -> paths.Described:
    then = ["lookUp", *(str(each) for each in Operation if each is not Operation.ISSUE)]
    return {
        name: {"operationId": name, "parameters": {"Id": "$response.body#/id"}} for name in then
    }


RECEIPT_OR_PAIR: paths.Described = {
    "description": "A `Receipt`; `Receipts` where it was asked for by the key of a pair, or by the "
    "id of its request."
}
"""A look-up by key may answer with either. No type is given: from "an object or a list" few
generators make a client that compiles, and some make one that reads a list as an object without
members."""


def _look_up() -> paths.OperationWords:
    return paths.OperationWords(
        "Look up what became of a request",
        {
            "200": {
                "description": "The receipt; under the key of a pair, both.",
                "content": {"application/json": {"schema": RECEIPT_OR_PAIR}},
            },
            "202": {
                "description": "Not yet known; `state` tells whether to ask again.",
                **answers.json_of("Waiting"),
            },
        },
        [NOT_FOUND, PAIR_HALF_DONE, *answers.READING],
        [_TO_LOOK_UP],
    )


def list_receipts() -> paths.OperationWords:
    return paths.OperationWords(
        "List receipts, the newest first",
        {"200": {"description": "A page of them.", **answers.json_of("ReceiptPage")}},
        [SCHEMA, NOT_FOUND, NOT_COMPARED_YET, STORAGE_AWAY],
        LIST_QUERY,
    )


def _asked(name: str, description: str, schema: Mapping[str, Any], **more: Any) -> paths.Described:
    return {"name": name, "in": "query", "description": description, "schema": schema, **more}


def _texts_of(choices: type[StrEnum]) -> dict[str, Any]:
    """The form of a list of words, which are written with commas between."""
    array = {"type": "array", "items": one_of(choices)}
    return {"schema": array, "style": "form", "explode": False}


_TEXT = {"type": "string", "maxLength": LONGEST_TEXT}
_DAY_OR_TIME = "a day (2026-11-27, Belgrade) or an instant; without an offset it is Belgrade's time"
LIST_QUERY: list[paths.Described] = [
    _asked("since", f"Issued from then on: {_DAY_OR_TIME}.", _TEXT, example="2026-11-27"),
    _asked(
        "until",
        f"Issued before: {_DAY_OR_TIME}. A day is meant with its end, so that the same day in "
        "both is that day.",
        _TEXT,
        example="2026-11-27",
    ),
    _asked("invoiceType", "One of these.", **_texts_of(InvoiceType)),
    _asked("transactionType", "One of these.", **_texts_of(TransactionType)),
    _asked("payment", "Paid with one of these, or with several.", **_texts_of(PaymentMethod)),
    _asked("cashier", "The cashier's whole name.", _TEXT),
    _asked("program", "Who asked for it, as a row's `program`.", _TEXT),
    _asked("buyerId", "The buyer, as in a request.", _TEXT),
    _asked("number", "The end of its number: 597, or ABCD1234-597.", _TEXT),
    _asked(
        "words",
        "Each begins a word of one article, of the cashier's name or of the buyer's number, in "
        "either script; or it is an article's sku or GTIN.",
        _TEXT,
    ),
    _asked(
        "limit",
        "The most receipts of a page; long ones make it shorter.",
        {
            "type": "integer",
            "format": "int32",
            "minimum": 1,
            "maximum": MOST_ROWS,
            "default": USUAL_ROWS,
        },
    ),
    _asked("after", "The `next` of the page before.", _TEXT),
]
"""The query of the list of receipts, on both fronts."""
