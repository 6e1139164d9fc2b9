"""The rules of an OpenAPI document whose generated clients compile and are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_TAKEN_IN_GO = re.compile(r"(New|Nullable)[A-Z]")
METHODS = {"get", "post", "put", "patch", "delete"}
IDENTIFIER = re.compile(r"[A-Za-z_][0-9A-Za-z_]*", re.ASCII)
LARGEST_INT32 = 2**31 - 1
SIZES = {"int32", "int64"}
TYPES = {"string", "number", "integer", "boolean", "array", "object"}
OF_3_1 = {"const", "examples", "prefixItems", "$defs", "contentMediaType", "if", "not"}
UNTYPED = re.compile(
    r"lookUp 200|\w+Request\.(storeId|clientId)|AuditEntry\.changes\.items\.(before|after)"
    r"|Store(|Input|Change)\.paymentMethodsOrder\.items\.items"
)
"""The untyped schemas: the one answer that is an object or a list, members that a shop's server
ignores whatever they are, the values of any field, and the names of payment methods, which may be
objects with a name and are answered as they were sent."""
IGNORED = "Of answers; ignored here."
"""The platform's description of an input's member that may have any type."""


def broken(document: Mapping[str, Any]) -> list[str]:
    return [
        *_of_the_whole(document),
        *(
            f"{place}: {fault}"
            for place, schema in schemas(document)
            for fault in (*_form(place, schema), *_dialect(schema), *_values(schema))
        ),
    ]


def schemas(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each schema with its position, also those inside others."""
    for name, schema in document["components"]["schemas"].items():
        yield from _inside(name, schema)
    for operation in operations(document):
        name = operation["operationId"]
        for parameter in operation.get("parameters", ()):
            yield from _inside(f"{name} {parameter['name']}", parameter["schema"])
        bodies = {"body": operation.get("requestBody", {}), **operation["responses"]}
        for status, body in bodies.items():
            for each in (*body.get("content", {}).values(), *body.get("headers", {}).values()):
                yield from _inside(f"{name} {status}", each["schema"])


def operations(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [item[method] for item in document["paths"].values() for method in item.keys() & METHODS]


def _inside(place: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield place, schema
    for name, member in schema.get("properties", {}).items():
        yield from _inside(f"{place}.{name}", member)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), Mapping):
            yield from _inside(f"{place}.{name}", schema[name])
    for name in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(name, ()):
            yield from _inside(f"{place} {name}", part)


def _of_the_whole(document: Mapping[str, Any]) -> Iterator[str]:
    if not re.fullmatch(r"3\.0\.\d", document["openapi"]):
        yield "it is not OpenAPI 3.0"
    for server in document["servers"]:
        if not re.fullmatch(r"https?://[^/{}]+(/[^{}]*[^/])?", server["url"]):
            yield f"{server['url']} is no address to ask at"
    named = [operation["operationId"] for operation in operations(document)]
    names = [*named, *document["components"]["schemas"]]
    yield from (f"{one} is no identifier" for one in names if not IDENTIFIER.fullmatch(one))
    yield from (f"{one} is also a constructor in Go" for one in names if _TAKEN_IN_GO.match(one))
    yield from (f"{one} names two operations" for one in set(named) if named.count(one) > 1)
    for operation in operations(document):
        if len(operation.get("requestBody", {"content": [1]})["content"]) != 1:
            yield f"{operation['operationId']} has bodies of several types"


def _form(place: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """It must have one type, or be one other schema."""
    if schema.keys() & {"anyOf", "oneOf"}:
        yield "a union"
    if len(schema.get("allOf", [1])) != 1:
        yield "it is made of several"
    if "$ref" in schema and len(schema) > 1:
        yield "words beside $ref are not read"
    if (kind := schema.get("type")) is not None and (isinstance(kind, list) or kind not in TYPES):
        yield f"the type {kind}"
    may_be_any = UNTYPED.fullmatch(place) or schema.get("description") == IGNORED
    if not may_be_any and not schema.keys() & {"type", "$ref", "allOf"}:
        yield "it has no type"


def _dialect(schema: Mapping[str, Any]) -> Iterator[str]:
    """It must use the words of 3.0, and ASCII names of members."""
    if schema.keys() & OF_3_1:
        yield f"words of 3.1: {sorted(schema)}"
    for bound in ("exclusiveMinimum", "exclusiveMaximum"):
        if not isinstance(schema.get(bound, True), bool):
            yield f"{bound} is a number"
    for name in schema.get("properties", {}):
        if not name.isascii():
            yield f"the member {name}"


def _values(schema: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in schema:
        names = schema.get("x-enum-varnames", [])
        if len(names) != len(schema["enum"]) or len(set(names)) != len(names):
            yield "its values have no names"
        yield from (f"the name {one}" for one in names if not IDENTIFIER.fullmatch(one))
        if None in schema["enum"]:
            yield "null is among its values"
    kind, size = schema.get("type"), schema.get("format")
    if (kind == "number" and size != "double") or (kind == "integer" and size not in SIZES):
        yield "its numbers have no size"
    is_large = schema.get("type") == "integer" and schema.get("maximum", 0) > LARGEST_INT32
    if is_large and schema.get("format") != "int64":
        yield "its numbers do not fit into 32 bits"
    if not (pattern := schema.get("pattern", "")).isascii() or re.search(r"\\[up]|\(\?", pattern):
        yield f"the pattern {pattern} is not one for every language"
