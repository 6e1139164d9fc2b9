"""Compares each answer with the OpenAPI document of the server that gave it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from tests.integration.openapi_rules import METHODS
from tests.unit.wire.json_schema import as_json_schema, each_as_json_schema

LARGEST_CHECKED = 100_000
"""Bytes; to check more would hold up the loop of tests that measure it."""


@dataclass(frozen=True, slots=True)
class Described:
    """A document. operations: the pattern of a path and a method -> its answers by status."""

    schemas: Mapping[str, Any]
    operations: tuple[tuple[re.Pattern[str], str, Mapping[str, Any]], ...]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Described:
        found = [
            (_pattern(path), method, item[method]["responses"])
            for path, item in document["paths"].items()
            for method in item.keys() & METHODS
        ]
        found.sort(key=lambda each: each[0].pattern.count("+"))  # a fixed name before any name
        return cls(each_as_json_schema(document["components"]["schemas"]), tuple(found))

    def answers(self, method: str, path: str) -> Mapping[str, Any] | None:
        """Return the answers of an operation; None where the document has no such operation."""
        for pattern, one, answers in self.operations:
            if one == method.lower() and pattern.fullmatch(path):
                return answers
        return None

    def check(self, answer: httpx.Response) -> None:
        asked = answer.request
        known = self.answers(asked.method, asked.url.raw_path.decode().partition("?")[0])
        if known is None:
            return
        place = f"{asked.method} {asked.url.path} {answer.status_code}"
        assert str(answer.status_code) in known, f"{place} is not described: {answer.text}"
        content = known[str(answer.status_code)].get("content", {})
        told = content.get("application/json", {}).get("schema")
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        if not told or not is_json or len(answer.content) > LARGEST_CHECKED:
            return
        validator = _validator(json.dumps(as_json_schema(told)), self)
        for fault in validator.iter_errors(json.loads(answer.content)):
            raise AssertionError(f"{place}: {fault.message} at {fault.instance_path}")

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path)))


@cache
def _validator(schema: str, document: Described) -> jsonschema_rs.Draft202012Validator:
    whole = {**json.loads(schema), "components": {"schemas": document.schemas}}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
