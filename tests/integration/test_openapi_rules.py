"""Both OpenAPI documents, as they are served, keep to the rules of generated clients."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.integration.local_api.test_openapi import described as described_by_the_server
from tests.integration.local_api.wires import running
from tests.integration.openapi_rules import broken, operations, schemas
from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.test_platform_openapi import described
from tests.sweep import each

Document = dict[str, Any]


async def test_the_servers_document_keeps_to_the_rules(folder: Path) -> None:
    async with running(folder) as server:
        document = (await server.ask("GET", "/openapi.json")).json()
    assert broken(document) == []
    assert len(list(schemas(document))) > 200


async def test_the_platforms_document_keeps_to_the_rules(tmp_path: Path) -> None:
    document = await described(Place("", tmp_path))
    assert broken(document) == []
    assert len(list(schemas(document))) > 600


def member(schema: str, name: str, **words: Any) -> Callable[[Document], None]:
    def broken_so(document: Document) -> None:
        document["components"]["schemas"][schema]["properties"][name] = words

    return broken_so


def named(schema: str) -> Callable[[Document], None]:
    def broken_so(document: Document) -> None:
        document["components"]["schemas"][schema] = {"type": "object"}

    return broken_so


def without_type(document: Document) -> None:
    del document["components"]["schemas"]["Receipt"]["properties"]["pdf"]["type"]


def bodies_of_two_types(document: Document) -> None:
    (issue,) = [one for one in operations(document) if one["operationId"] == "issue"]
    issue["requestBody"]["content"]["text/plain"] = {"schema": {"type": "string"}}


def named_twice(document: Document) -> None:
    for operation in operations(document)[:2]:
        operation["operationId"] = "one"


@each(
    ("breaks", "words"),
    [
        (lambda document: document.update(openapi="3.1.0"), "it is not OpenAPI 3.0"),
        (lambda document: document.update(servers=[{"url": "/"}]), "/ is no address to ask at"),
        (named_twice, "one names two operations"),
        (bodies_of_two_types, "issue has bodies of several types"),
        (without_type, "Receipt.pdf: it has no type"),
        (member("Item", "x", type="null"), "Item.x: the type null"),
        (member("Item", "x", type=["string", "null"]), "Item.x: the type ['string', 'null']"),
        (member("Item", "x", type="object", anyOf=[{"required": ["a"]}]), "Item.x: a union"),
        (member("Item", "Ђ", type="number"), "Item: the member Ђ"),
        (member("Item", "x", type="string", enum=["a"]), "Item.x: its values have no names"),
        (
            member("Item", "x", **{"type": "string", "enum": ["Ђ"], "x-enum-varnames": ["Ђ"]}),
            "Item.x: the name Ђ",
        ),
        (
            member("Item", "x", **{"$ref": "#/components/schemas/Receipt", "description": "a"}),
            "Item.x: words beside $ref are not read",
        ),
        (member("Item", "x", type="number"), "Item.x: its numbers have no size"),
        (member("Item", "x", type="number", format="float"), "Item.x: its numbers have no size"),
        (named("NewItem"), "NewItem is also a constructor in Go"),
        (
            member("Item", "x", type="integer", maximum=10**15),
            "Item.x: its numbers do not fit into 32 bits",
        ),
        (
            member("Item", "x", type="string", pattern=r"^\u0041$"),
            r"Item.x: the pattern ^\u0041$ is not one for every language",
        ),
        (
            member("Item", "x", type="number", exclusiveMinimum=0),
            "Item.x: exclusiveMinimum is a number",
        ),
    ],
)
def test_a_broken_rule_is_seen(breaks: Callable[[Document], None], words: str) -> None:
    document = copy.deepcopy(described_by_the_server())
    assert broken(document) == []
    breaks(document)
    assert words in broken(document)
