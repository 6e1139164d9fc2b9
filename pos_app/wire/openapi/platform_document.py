"""The OpenAPI 3.1 document of the platform. Source: platform-api.md, platform-contract.md 1 and 2.

Paths are whole, from the platform's address on; those below /v2 are the public API.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pos_app.domain.operations import Operation
from pos_app.wire.openapi.answers import READING, json_of, problems
from pos_app.wire.openapi.document import CASES, IDEMPOTENCY_KEY, PAIRS, SUMMARIES
from pos_app.wire.openapi.examples import EXAMPLES, OF_CATALOGUE
from pos_app.wire.openapi.members import OURS
from pos_app.wire.openapi.platform_schemas import PLACE, platform_schemas
from pos_app.wire.openapi.schemas import ref
from pos_app.wire.problem import (
    BODY_LATE,
    BUG,
    DUPLICATE,
    FORBIDDEN,
    KEY_BOUND,
    MALFORMED,
    NO_CLIENT,
    NOT_FOUND,
    PROCESSOR_AWAY,
    RELAY_LOST,
    SCHEMA,
    TOO_LARGE,
    TOO_MANY,
    UNAUTHORIZED,
    ProblemKind,
)
from pos_app.wire.receipt_paths import ANSWERED_WITHIN, RECEIPTS

INTERFACE_VERSION = "3.0.0"
BASE = "/v2"
_RECEIPTS = f"{BASE}{RECEIPTS}"

Described = dict[str, Any]

_ABOUT = """\
Stores, products and fiscal receipts of a point of sale.

Each request carries a key and its secret (HTTP Basic). Lists come whole. Numbers are JSON numbers
and never strings; unknown members of stores and products are refused, those of receipts ignored.
A receipt is issued by the application that is connected for `clientId`, within {seconds} seconds.
4xx: surely no receipt exists. 5xx or no answer: look it up. What is deleted is left out of lists.
`x-own-member` marks what the specification of this API does not have; applications connect to
`/v2/relay` by websocket, which is ours too."""

_GUARD = (MALFORMED, UNAUTHORIZED, FORBIDDEN, BODY_LATE, TOO_LARGE, TOO_MANY, BUG)
_OPEN_GUARD = (MALFORMED, BODY_LATE, TOO_LARGE, TOO_MANY, BUG)
_RELAYED = (NO_CLIENT, RELAY_LOST)
_ID: Described = {
    "name": "Id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}
_VERSION: Described = {
    "name": "If-Match",
    "in": "header",
    "description": "The `updatedAt` that the change was made from, in quotes, as "
    '`"2026-09-01T05:30:00.000Z"`: an older one is 409 and nothing is changed.',
    "schema": {"type": "string"},
    **OURS,
}
_SINCE: Described = {
    "name": "updatedSince",
    "in": "query",
    "description": "Only what was changed at this instant or later, also what was deleted.",
    "schema": {"type": "string", "format": "date-time"},
    **OURS,
}
_KNOWN: Described = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of a list that you have: 304 where it is still the same.",
    "schema": {"type": "string"},
    **OURS,
}
_IGNORED_BODY = {
    "description": "Read and ignored.",
    "content": {"application/json": {"schema": {}}},
}
_CERTIFICATE = {
    "pfx": "The secure element, in base64.",
    "password": "Its password.",
    "pac": "Its PAC, 6 letters and digits.",
}
_PICTURES = ("image/jpeg", "image/png", "image/webp", "image/gif")
_BYTES = {"type": "string", "format": "binary"}


def platform_document() -> Described:
    """The document, ready to be written by `strict_json.dumps`."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Platform API",
            "version": INTERFACE_VERSION,
            "description": _ABOUT.format(seconds=ANSWERED_WITHIN),
        },
        "servers": [{"url": "/", "description": "The platform that this document came from"}],
        "security": [{"key": []}],
        "tags": [{"name": name} for name in _TAGS],
        "paths": {**_catalogue(), **_files(), **_access(), **_receipts(), **_open()},
        "components": {
            "schemas": platform_schemas(),
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "basic",
                    "description": "Key as the user, its secret as the password.",
                }
            },
        },
    }


_TAGS = ("Stores", "Products", "Receipts", "Units", "Categories", "Files", "Access", "Open to all")


# --- lists ---------------------------------------------------------------------------------------


def _catalogue() -> Described:
    return {
        **_records("stores", "Store", "Stores", ours=False),
        **_records("products", "Product", "Products", ours=False, more=(DUPLICATE,)),
        **_records("units", "Unit", "Units"),
        **_records("categories", "Category", "Categories"),
        **_records("cashiers", "Cashier", "Access"),
    }


def _records(
    path: str,
    noun: str,
    tag: str,
    *,
    ours: bool = True,
    more: tuple[ProblemKind, ...] = (),
) -> Described:
    """The operations of a resource that is listed, added, changed and deleted."""
    small, mark = noun.lower(), OURS if ours else {}
    change = {
        "tags": [tag],
        "parameters": [_VERSION],
        "requestBody": _body(f"{noun}Change", path, required=False),
        "responses": {
            "200": {"description": f"The {small} as it is now.", **json_of(noun)},
            **_problems(SCHEMA, *more, NOT_FOUND, KEY_BOUND),
        },
        **mark,
    }
    return {
        f"{BASE}/{path}": {
            "get": _listed(path, noun, tag) | mark,
            "post": _added(path, noun, tag, more) | mark,
        },
        f"{BASE}/{path}/{{Id}}": {
            "parameters": [_ID],
            "patch": {
                "operationId": f"update{noun}",
                "summary": f"Change a {small}: what is not sent stays",
                **change,
            },
            "put": {
                "operationId": f"put{noun}",
                "summary": "The same as PATCH",
                **change,
                **OURS,
            },
            "delete": _deleted(noun, tag, SCHEMA, KEY_BOUND, version=True) | mark,
        },
    }


def _added(path: str, noun: str, tag: str, more: tuple[ProblemKind, ...]) -> Described:
    small = noun.lower()
    return {
        "operationId": f"add{noun}",
        "summary": f"Add a {small}",
        "tags": [tag],
        "requestBody": _body(f"{noun}Input", path),
        "responses": {
            "201": {
                "description": f"The {small}.",
                **json_of(noun),
                **_links(f"update{noun}", f"put{noun}", f"delete{noun}"),
            },
            **_problems(SCHEMA, *more),
        },
    }


def _listed(path: str, noun: str, tag: str) -> Described:
    headers = {
        "ETag": {"schema": {"type": "string"}, **OURS},
        "X-Catalogue-Revision": {"schema": {"type": "string"}, **OURS},
        "X-Catalogue-Whole": {
            "description": "On the answer to updatedSince: the whole list, as the database was"
            " restored since the list of If-None-Match, or that is too old.",
            "schema": {"type": "string", "enum": ["true"]},
            **OURS,
        },
    }
    return {
        "operationId": f"list{path.capitalize()}",
        "summary": f"All {path} of the account",
        "tags": [tag],
        "parameters": [_SINCE, _KNOWN],
        "responses": {
            "200": {"description": "All of them.", "headers": headers, **_array(noun)},
            "304": {"description": "The list is the one that you have."},
            **_problems(SCHEMA),
        },
    }


def _deleted(noun: str, tag: str, *cases: ProblemKind, version: bool = False) -> Described:
    return {
        "operationId": f"delete{noun}",
        "summary": f"Delete a {noun.lower()}",
        "tags": [tag],
        "parameters": [_VERSION] if version else [],
        "requestBody": _IGNORED_BODY,
        "responses": {
            "200": {"description": "It is deleted.", **json_of("Empty")},
            **_problems(*cases, NOT_FOUND),
        },
    }


# --- files, keys, clients ------------------------------------------------------------------------


def _files() -> Described:
    name = {"name": "filename", "in": "query", "schema": {"type": "string", "maxLength": 255}}
    form = {
        "type": "object",
        "properties": {"file": _BYTES},
        "required": ["file"],
        "additionalProperties": False,
    }
    content = {kind: {"schema": _BYTES} for kind in _PICTURES}
    add = {
        "operationId": "addFile",
        "summary": "Upload a picture of at most 20 MiB: its bytes as the body, or a form",
        "tags": ["Files"],
        "parameters": [name],
        "requestBody": {
            "required": True,
            "content": {**content, "multipart/form-data": {"schema": form}},
        },
        "responses": {
            "201": {
                "description": "The file; its sizes are made.",
                **json_of("File"),
                **_links("getFile", "deleteFile"),
            },
            "200": {"description": "The file with the same bytes.", **json_of("File")},
            **_problems(SCHEMA),
        },
        **OURS,
    }
    one = {
        "operationId": "getFile",
        "summary": "One file",
        "tags": ["Files"],
        "responses": {
            "200": {"description": "The file.", **json_of("File")},
            **_problems(SCHEMA, NOT_FOUND),
        },
        **OURS,
    }
    delete = _deleted("File", "Files", SCHEMA, KEY_BOUND, version=True) | OURS
    delete["summary"] = "Delete a file that no product shows"
    return {
        f"{BASE}/files": {"get": _listed("files", "File", "Files") | OURS, "post": add},
        f"{BASE}/files/{{Id}}": {"parameters": [_ID], "get": one, "delete": delete},
    }


def _access() -> Described:
    """Keys and clients. Their lists know neither instants nor versions."""
    made = {
        "operationId": "addKey",
        "summary": "Make a key; its secret is shown this once",
        "tags": ["Access"],
        "requestBody": _body("KeyInput", "keys"),
        "responses": {
            "201": {
                "description": "The key and its secret.",
                **json_of("NewKey"),
                **_links("deleteKey"),
            },
            **_problems(SCHEMA),
        },
        **OURS,
    }
    change = {
        "tags": ["Access"],
        "requestBody": _body("ClientChange", "clients", required=False),
        "responses": {
            "200": {"description": "The client.", **json_of("Client")},
            **_problems(SCHEMA, NOT_FOUND),
        },
        **OURS,
    }
    revoke = _deleted("Key", "Access", SCHEMA) | OURS
    revoke["responses"]["200"] = {
        "description": "It is revoked; `revokedAt` says since when, where it was before.",
        **json_of("RevokedKey"),
    }
    return {
        f"{BASE}/keys": {"get": _plain_list("keys", "Key"), "post": made},
        f"{BASE}/keys/{{Id}}": {
            "parameters": [_ID],
            "delete": revoke,
        },
        f"{BASE}/clients": {"get": _plain_list("clients", "Client")},
        f"{BASE}/clients/{{Id}}": {
            "parameters": [_ID],
            "patch": {"operationId": "updateClient", "summary": "Rename a client", **change},
            "put": {"operationId": "putClient", "summary": "The same as PATCH", **change},
            "delete": _deleted("Client", "Access", SCHEMA) | OURS,
        },
    }


def _plain_list(path: str, noun: str) -> Described:
    return {
        "operationId": f"list{path.capitalize()}",
        "summary": f"All {path} of the account",
        "tags": ["Access"],
        "responses": {
            "200": {"description": "All of them.", **_array(noun)},
            **_problems(SCHEMA),
        },
        **OURS,
    }


# --- receipts ------------------------------------------------------------------------------------


def _receipts() -> Described:
    one = f"{_RECEIPTS}/{{Id}}"
    certificate = [
        {
            "name": name,
            "in": "header",
            "description": f"{words} Only in certificate mode, which is under development.",
            "schema": {"type": "string"},
        }
        for name, words in _CERTIFICATE.items()
    ]
    headers = [IDEMPOTENCY_KEY, *certificate]
    place = [
        {"name": name, "in": "query", "schema": _shape(told), **_words(told)}
        for name, told in PLACE.items()
    ]
    look_up = {
        "operationId": "lookUp",
        "summary": "Look up what became of a request",
        "tags": ["Receipts"],
        "parameters": place,
        "responses": {
            "200": {
                "description": "The receipt; of a pair, both.",
                "content": {"application/json": {"schema": _RECEIPT_OR_PAIR}},
            },
            "202": {"description": "Not known yet: ask again.", **json_of("Waiting")},
            **_problems(SCHEMA, NOT_FOUND, PROCESSOR_AWAY, *_RELAYED, *READING),
        },
        **OURS,
    }
    return {
        _RECEIPTS: {"post": _operation(Operation.ISSUE, headers)},
        one: {"parameters": [_ID], "get": look_up},
        **{
            f"{one}/{operation}": {"parameters": [_ID], "post": _operation(operation, headers)}
            for operation in Operation
            if operation is not Operation.ISSUE
        },
    }


_RECEIPT_OR_PAIR = {"oneOf": [{"$ref": ref(name)} for name in ("Receipt", "Receipts")]}


def _operation(operation: Operation, headers: list[Described]) -> Described:
    shown = {
        title: {"value": {"clientId": _CLIENT_SHOWN, **body}}
        for title, body in EXAMPLES[operation].items()
    }
    is_pair = operation in PAIRS
    return {
        "operationId": str(operation),
        "summary": SUMMARIES[operation],
        "tags": ["Receipts"],
        "parameters": headers,
        "requestBody": {
            "required": True,
            **json_of(f"{operation.capitalize()}Request", examples=shown),
        },
        "responses": {
            "200": {
                "description": "The receipts, in the order in which they were signed."
                if is_pair
                else "The signed receipt.",
                **json_of("Receipts" if is_pair else "Receipt"),
            },
            **_problems(*dict.fromkeys((*CASES[operation], *_RELAYED))),
        },
    }


_CLIENT_SHOWN = "0f6f0b1e-6f0a-4b6e-9a53-2f3a5d1c7e11"


# --- what needs no key ---------------------------------------------------------------------------


def _open() -> Described:
    size = {
        "name": "size",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
        "example": "256x256",
    }
    return {
        "/files/{Id}/{size}": {
            "get": _of_all(
                "picture",
                "The picture of a file, for whoever has its address",
                {
                    "200": _kinds("It never changes.", "image/jpeg", "image/png", "image/webp"),
                    "304": {"description": "The picture is the one that you have."},
                },
                NOT_FOUND,
                parameters=[_ID, size],
            )
        },
        "/pdf/{secret}": {
            "get": _of_all(
                "pdf",
                "The PDF behind the link in a receipt's answer",
                {"200": _kinds("The file.", "application/pdf")},
                NOT_FOUND,
                parameters=[{**_ID, "name": "secret"}],
            )
        },
        "/health": {
            "get": _of_all(
                "health",
                "Whether the platform and its database answer",
                {
                    "200": {"description": "Both answer.", **json_of("PlatformHealth")},
                    "503": {"description": "The database fails.", **json_of("PlatformHealth")},
                },
            )
        },
        "/openapi.json": {"get": _of_all("openapi", "This document", {"200": _ITSELF})},
    }


_ITSELF = {
    "description": "OpenAPI 3.1.",
    "content": {"application/json": {"schema": {"type": "object"}}},
}


def _kinds(description: str, *kinds: str) -> Described:
    return {"description": description, "content": {kind: {"schema": _BYTES} for kind in kinds}}


def _of_all(
    name: str,
    summary: str,
    answers: Mapping[str, Any],
    *cases: ProblemKind,
    parameters: Iterable[Described] = (),
) -> Described:
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["Open to all"],
        "security": [],
        "parameters": list(parameters),
        "responses": {**answers, **problems(cases, _OPEN_GUARD)},
        **OURS,
    }


# --- parts ---------------------------------------------------------------------------------------


def _problems(*cases: ProblemKind) -> Described:
    return problems(cases, _GUARD)


def _array(noun: str) -> Described:
    schema = {"type": "array", "items": {"$ref": ref(noun)}}
    return {"content": {"application/json": {"schema": schema}}}


def _links(*operations: str) -> Described:
    """What can be done next with the id of what was just added."""
    told = {"parameters": {"Id": "$response.body#/id"}}
    return {"links": {name: {"operationId": name, **told} for name in operations}}


def _body(schema: str, path: str, *, required: bool = True) -> Described:
    found = OF_CATALOGUE[path]
    shown = {title: {"value": body} for title, body in found.items()}
    return {"required": required, **json_of(schema, examples=shown)}


def _shape(member: Mapping[str, Any]) -> Described:
    return {"type": "string", "format": member["format"]}


def _words(member: Mapping[str, Any]) -> Described:
    return {name: member[name] for name in ("description", "deprecated") if name in member}
