"""The OpenAPI 3.0 document of the platform.

Source: platform-api.md, platform-contract.md 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import KEY_WORDS
from pos_app.wire import problem
from pos_app.wire.openapi import document, paths
from pos_app.wire.openapi.answers import READING, json_of
from pos_app.wire.openapi.examples import EXAMPLES, OF_CATALOGUE
from pos_app.wire.openapi.form import one_of
from pos_app.wire.openapi.members import OURS
from pos_app.wire.openapi.platform_schemas import PLACE, platform_schemas
from pos_app.wire.openapi.schemas import ref
from pos_app.wire.receipt_paths import ANSWERED_WITHIN

INTERFACE_VERSION = "3.0.0"

_ABOUT = """\
Stores, products and fiscal receipts of a point of sale.

Each request carries a key and its secret (HTTP Basic). Lists come whole. Numbers are JSON numbers
and never strings; a double holds each amount to the para, a float of 32 bits does not. Unknown
members of stores and products are refused, those of receipts ignored. A receipt is issued by the
application that is connected for `clientId`, within {seconds} seconds. 4xx: surely no receipt
exists. 5xx or no answer: look it up. What is deleted is left out of lists. A unit or
category that a product names is not deleted, and a product gets none that was deleted: 409, which
names the member of the product. `x-own-member` marks what the specification of this API does not
have; applications connect to `/v2/relay` by websocket, which is ours too."""

_GUARD = (
    problem.MALFORMED,
    problem.UNAUTHORIZED,
    problem.FORBIDDEN,
    problem.BODY_LATE,
    problem.TOO_LARGE,
    problem.WRONG_HOST,
    problem.TOO_MANY,
    problem.BUG,
)
_OPEN_GUARD = (
    problem.MALFORMED,
    problem.BODY_LATE,
    problem.TOO_LARGE,
    problem.WRONG_HOST,
    problem.TOO_MANY,
    problem.BUG,
)
_RELAYED = (problem.NO_CLIENT, problem.RELAY_LOST)
_ID: paths.Described = {
    "name": "Id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}
_VERSION: paths.Described = {
    "name": "If-Match",
    "in": "header",
    "description": "The `updatedAt` that the change was made from, in quotes, as "
    '`"2026-09-01T05:30:00.000Z"`: an older one is 409 and nothing is changed.',
    "schema": {"type": "string"},
    **OURS,
}
_SINCE: paths.Described = {
    "name": "updatedSince",
    "in": "query",
    "description": "Only what was changed at this instant or later, also what was deleted.",
    "schema": {"type": "string", "format": "date-time"},
    **OURS,
}
_KNOWN: paths.Described = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of a list that you have: 304 where it is still the same.",
    "schema": {"type": "string"},
    **OURS,
}
_CERTIFICATE = {
    "pfx": "The secure element, in base64.",
    "password": "Its password.",
    "pac": "Its PAC, 6 letters and digits.",
}
_BYTES = {"type": "string", "format": "binary"}


def platform_document(served: Iterable[paths.Served], address: str) -> paths.Described:
    """Return the document, ready to be written by `strict_json.dumps`. address: the address of the
    platform, without a slash at its end."""
    return {
        "openapi": document.VERSION,
        "info": {
            "title": "Platform API",
            "version": INTERFACE_VERSION,
            "description": _ABOUT.format(seconds=ANSWERED_WITHIN),
        },
        "servers": [{"url": address, "description": "The platform that this document came from"}],
        "security": [{"key": []}],
        "tags": [{"name": name} for name in _TAGS],
        "paths": paths.paths_of(
            served, described_operations(), identity=_ID, guard=_GUARD, open_guard=_OPEN_GUARD
        ),
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


def described_operations() -> dict[str, paths.OperationWords]:
    """The description of each operation, by its operationId."""
    return {**_catalogue(), **_files(), **_access(), **_receipts(), **_open()}


_TAGS = ("Stores", "Products", "Receipts", "Units", "Categories", "Files", "Access", "Open to all")


# --- lists ---------------------------------------------------------------------------------------


def _catalogue() -> dict[str, paths.OperationWords]:
    return {
        **_records("stores", "Store", "Stores", is_ours=False),
        **_records("products", "Product", "Products", is_ours=False, more=(problem.DUPLICATE,)),
        **_records("units", "Unit", "Units", more=(problem.DUPLICATE,)),
        "mergeUnit": _merged("Unit", "Units"),
        **_records("categories", "Category", "Categories", more=(problem.DUPLICATE,)),
        "mergeCategory": _merged("Category", "Categories"),
        **_records("cashiers", "Cashier", "Access"),
    }


def _records(
    names: str,
    noun: str,
    tag: str,
    *,
    is_ours: bool = True,
    more: tuple[problem.ProblemKind, ...] = (),
) -> dict[str, paths.OperationWords]:
    """The operations of a resource that is listed, added, changed and deleted."""
    small = noun.lower()
    add = paths.OperationWords(
        f"Add a {small}",
        {
            "201": {
                "description": f"The {small}.",
                **json_of(noun),
                **_links(f"update{noun}", f"put{noun}", f"delete{noun}"),
            }
        },
        (problem.SCHEMA, *more),
        body=_body(f"{noun}Input", names),
        tag=tag,
        is_ours=is_ours,
    )
    change = paths.OperationWords(
        f"Change a {small}: what is not sent stays",
        {"200": {"description": f"The {small} as it is now.", **json_of(noun)}},
        (problem.SCHEMA, *more, problem.NOT_FOUND, problem.KEY_BOUND),
        [_VERSION],
        _body(f"{noun}Change", names, required=False),
        tag,
        is_ours,
    )
    return {
        f"list{names.capitalize()}": _listed(names, noun, tag, is_ours=is_ours),
        f"add{noun}": _once(add),
        f"update{noun}": change,
        f"put{noun}": _same_by_put(change),
        f"delete{noun}": _deleted(
            noun, tag, problem.SCHEMA, problem.KEY_BOUND, version=True, is_ours=is_ours
        ),
    }


_KEY_OF_POST: paths.Described = {
    **document.IDEMPOTENCY_KEY,
    "description": f"{KEY_WORDS}, new for each that is to be made. For 24 hours the same request"
    " under the same key is answered as the first was, and makes no second one.",
}


def _once(add: paths.OperationWords) -> paths.OperationWords:
    """A POST that may carry a key."""
    parameters = [*(add.parameters or ()), _KEY_OF_POST]
    return replace(add, parameters=parameters, cases=(*add.cases, problem.KEY_BOUND))


def _merged(noun: str, tag: str) -> paths.OperationWords:
    small = noun.lower()
    return _once(
        paths.OperationWords(
            f"Merge a {small} with another one: products get that, and this one is deleted",
            {"200": {"description": f"The {small} that stays.", **json_of(noun)}},
            (problem.SCHEMA, problem.NOT_FOUND),
            [_VERSION],
            {"required": True, **json_of("Merge")},
            tag,
        )
    )


def _same_by_put(change: paths.OperationWords) -> paths.OperationWords:
    return replace(change, summary="The same as PATCH", is_ours=True)


def _listed(names: str, noun: str, tag: str, *, is_ours: bool = True) -> paths.OperationWords:
    headers = {
        "ETag": {"schema": {"type": "string"}, **OURS},
        "X-Catalogue-Revision": {"schema": {"type": "string"}, **OURS},
        "X-Catalogue-Whole": {
            "description": "On the answer to updatedSince: the whole list, as the database was"
            " restored since the list of If-None-Match, or that is too old.",
            "schema": one_of(["true"]),
            **OURS,
        },
    }
    return paths.OperationWords(
        f"All {names} of the account",
        {
            "200": {"description": "All of them.", "headers": headers, **_array(noun)},
            "304": {"description": "The list is the one that you have."},
        },
        [problem.SCHEMA],
        [_SINCE, _KNOWN],
        tag=tag,
        is_ours=is_ours,
    )


def _deleted(
    noun: str, tag: str, *cases: problem.ProblemKind, version: bool = False, is_ours: bool = True
) -> paths.OperationWords:
    return paths.OperationWords(
        f"Delete a {noun.lower()}",
        {"200": {"description": "It is deleted.", **json_of("Empty")}},
        (*cases, problem.NOT_FOUND),
        [_VERSION] if version else [],
        tag=tag,
        is_ours=is_ours,
    )


# --- files, keys, clients ------------------------------------------------------------------------


def _files() -> dict[str, paths.OperationWords]:
    name = {"name": "filename", "in": "query", "schema": {"type": "string", "maxLength": 255}}
    form = {
        "type": "object",
        "properties": {"file": _BYTES},
        "required": ["file"],
        "additionalProperties": False,
    }
    add = paths.OperationWords(
        "Upload a picture of at most 20 MiB: JPEG, PNG, WebP or GIF; its bytes may be the body too",
        {
            "201": {
                "description": "The file; its sizes are made.",
                **json_of("Picture"),
                **_links("getFile", "deleteFile"),
            },
            "200": {"description": "The file with the same bytes.", **json_of("Picture")},
        },
        [problem.SCHEMA],
        [name],
        {"required": True, "content": {"multipart/form-data": {"schema": form}}},
        "Files",
    )
    one = {"200": {"description": "The file.", **json_of("Picture")}}
    delete = _deleted("File", "Files", problem.SCHEMA, problem.KEY_BOUND, version=True)
    return {
        "listFiles": _listed("files", "Picture", "Files"),
        "addFile": _once(add),
        "getFile": paths.OperationWords(
            "One file", one, [problem.SCHEMA, problem.NOT_FOUND], tag="Files"
        ),
        "deleteFile": replace(delete, summary="Delete a file that no product shows"),
    }


def _access() -> dict[str, paths.OperationWords]:
    """Keys and clients. Their lists have neither instants nor versions."""
    made = {
        "description": "The key and its secret.",
        **json_of("KeyWithSecret"),
        **_links("deleteKey"),
    }
    revoked = "It is revoked; `revokedAt` says since when, where it was before."
    rename = paths.OperationWords(
        "Rename a client",
        {"200": {"description": "The client.", **json_of("Client")}},
        [problem.SCHEMA, problem.NOT_FOUND],
        body=_body("ClientChange", "clients", required=False),
        tag="Access",
    )
    return {
        "listKeys": _plain_list("keys", "Key"),
        "addKey": _once(
            paths.OperationWords(
                "Make a key; its secret is shown this once",
                {"201": made},
                [problem.SCHEMA],
                body=_body("KeyInput", "keys"),
                tag="Access",
            )
        ),
        "rotateKey": _once(
            paths.OperationWords(
                "Make a key in the place of one, which is refused once the new one is used",
                {"201": made},
                [problem.NOT_FOUND],
                tag="Access",
            )
        ),
        "deleteKey": replace(
            _deleted("Key", "Access", problem.SCHEMA),
            answers={"200": {"description": revoked, **json_of("RevokedKey")}},
        ),
        "listClients": _plain_list("clients", "Client"),
        "updateClient": rename,
        "putClient": _same_by_put(rename),
        "deleteClient": _deleted("Client", "Access", problem.SCHEMA),
        "listAudit": replace(
            _listed("entries", "AuditEntry", "Access"),
            summary="Who did what: the audit log of the account, the oldest entry first",
        ),
    }


def _plain_list(names: str, noun: str) -> paths.OperationWords:
    every = {"200": {"description": "All of them.", **_array(noun)}}
    return paths.OperationWords(
        f"All {names} of the account", every, [problem.SCHEMA], tag="Access"
    )


# --- receipts ------------------------------------------------------------------------------------


def _receipts() -> dict[str, paths.OperationWords]:
    parameters = [
        {"name": name, "in": "query", "schema": _shape(values), **_words(values)}
        for name, values in PLACE.items()
    ]
    look_up = paths.OperationWords(
        "Look up what became of a request",
        {
            "200": {
                "description": "The receipt; of a pair, both.",
                "content": {"application/json": {"schema": document.RECEIPT_OR_PAIR}},
            },
            "202": {"description": "Not known yet: ask again.", **json_of("Waiting")},
        },
        [problem.SCHEMA, problem.NOT_FOUND, problem.PROCESSOR_AWAY, *_RELAYED, *READING],
        parameters,
        tag="Receipts",
    )
    listing = document.list_receipts()
    return {
        "issue": _operation(Operation.ISSUE),
        "listReceipts": replace(
            listing,
            cases=[*listing.cases, *_RELAYED],
            parameters=[*parameters, *document.LIST_QUERY],
            tag="Receipts",
        ),
        "lookUp": look_up,
        **{str(one): _operation(one) for one in Operation if one is not Operation.ISSUE},
    }


def _operation(operation: Operation) -> paths.OperationWords:
    certificate = [
        {
            "name": name,
            "in": "header",
            "description": f"{words} Only in certificate mode, which is under development.",
            "schema": {"type": "string"},
        }
        for name, words in _CERTIFICATE.items()
    ]
    shown = {
        title: {"value": {"clientId": _CLIENT_SHOWN, **body}}
        for title, body in EXAMPLES[operation].items()
    }
    return paths.OperationWords(
        document.SUMMARIES[operation],
        {"200": document.answer_of(operation)},
        dict.fromkeys((*document.CASES[operation], *_RELAYED)),
        [document.IDEMPOTENCY_KEY, *certificate],
        {"required": True, **json_of(f"{operation.capitalize()}Request", examples=shown)},
        "Receipts",
        is_ours=False,
    )


_CLIENT_SHOWN = "0f6f0b1e-6f0a-4b6e-9a53-2f3a5d1c7e11"


# --- what needs no key ---------------------------------------------------------------------------


def _open() -> dict[str, paths.OperationWords]:
    size = {
        "name": "size",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
        "example": "256x256",
    }
    picture = {
        "200": _kinds("It never changes.", "image/jpeg", "image/png", "image/webp"),
        "304": {"description": "The picture is the one that you have."},
    }
    pdf = {"200": _kinds("The file.", "application/pdf")}
    health = {
        "200": {"description": "Both answer.", **json_of("PlatformHealth")},
        "503": {"description": "The database fails.", **json_of("PlatformHealth")},
    }
    ready = {
        "200": {"description": "Callers may be sent here.", **json_of("PlatformReadiness")},
        "503": {
            "description": "The database fails, or the program was asked to end.",
            **json_of("PlatformReadiness"),
        },
    }
    words = "The PDF behind the link in a receipt's answer"
    return {
        "picture": paths.OperationWords(
            "The picture of a file, for whoever has its address",
            picture,
            [problem.NOT_FOUND],
            [_ID, size],
            tag=_ALL,
        ),
        "pdf": paths.OperationWords(
            words, pdf, [problem.NOT_FOUND], [{**_ID, "name": "secret"}], tag=_ALL
        ),
        "health": paths.OperationWords(
            "Whether the platform and its database answer", health, parameters=[], tag=_ALL
        ),
        "ready": paths.OperationWords(
            "Whether a proxy may send callers to this program", ready, parameters=[], tag=_ALL
        ),
        "openapi": paths.OperationWords(
            "This document", {"200": document.ITSELF}, parameters=[], tag=_ALL
        ),
    }


_ALL = "Open to all"


def _kinds(description: str, *kinds: str) -> paths.Described:
    return {"description": description, "content": {kind: {"schema": _BYTES} for kind in kinds}}


# --- parts ---------------------------------------------------------------------------------------


def _array(noun: str) -> paths.Described:
    schema = {"type": "array", "items": {"$ref": ref(noun)}}
    return {"content": {"application/json": {"schema": schema}}}


def _links(*operations: str) -> paths.Described:
    """The operations that are possible with the id of a new resource."""
    values = {"parameters": {"Id": "$response.body#/id"}}
    return {"links": {name: {"operationId": name, **values} for name in operations}}


def _body(schema: str, path: str, *, required: bool = True) -> paths.Described:
    found = OF_CATALOGUE[path]
    shown = {title: {"value": body} for title, body in found.items()}
    return {"required": required, **json_of(schema, examples=shown)}


def _shape(member: Mapping[str, Any]) -> paths.Described:
    return {"type": "string", "format": member["format"]}


def _words(member: Mapping[str, Any]) -> paths.Described:
    return {name: member[name] for name in ("description", "deprecated") if name in member}
