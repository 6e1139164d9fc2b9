"""The schemas of an OpenAPI 3.0 document as JSON Schema 2020-12, which validators read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with `nullable` and the two flags of exclusive bounds in JSON Schema's words."""
    made = dict(schema)
    for flag, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if made.pop(flag, False):
            made[flag] = made.pop(bound)
    for one in ("items", "additionalProperties"):
        if isinstance(made.get(one), Mapping):
            made[one] = as_json_schema(made[one])
    if "properties" in made:
        made["properties"] = each_as_json_schema(made["properties"])
    if "allOf" in made:
        made["allOf"] = [as_json_schema(each) for each in made["allOf"]]
    return {"anyOf": [made, {"type": "null"}]} if made.pop("nullable", False) else made


def each_as_json_schema(schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: as_json_schema(schema) for name, schema in schemas.items()}
