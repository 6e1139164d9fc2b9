"""Reads a request body by pydantic shapes into domain values, or raises one clear Invalid.

The wording ("… is required", "… must be a number") is the one that callers of this API know
(platform-contract.md 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from pos_app.characters import is_blank
from pos_app.errors import Invalid

T = TypeVar("T")
V = TypeVar("V")
M = TypeVar("M", bound=BaseModel)


class Shape(BaseModel):
    """A JSON object with camelCase members; unknown ones are ignored."""

    model_config = ConfigDict(
        strict=True, extra="ignore", alias_generator=to_camel, frozen=True, defer_build=True
    )


def read(shape: type[M], document: object) -> M:
    """`document` in that shape. Raises Invalid naming every field at fault, the first in words."""
    return validated(shape.model_validate, document)


def validated(validate: Callable[[Any], V], document: object) -> V:
    """The value that pydantic makes of an object. Raises Invalid naming every field at fault."""
    return as_sent(lambda members: validate(without_nulls(members)), document)


def as_sent(validate: Callable[[Any], V], document: object) -> V:
    """As `validated`, for an object in which a null differs from an absent member. Raises
    Invalid."""
    if not isinstance(document, Mapping):
        raise Invalid("object_value", field="")
    try:
        return validate(document)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        paths = [path_text(fault["loc"]) for fault in faults]
        wording = _wording(faults[0]["type"], faults[0].get("ctx", {}), faults[0]["msg"])
        keys = tuple(dict.fromkeys(paths))
        raise Invalid("wording", field=paths[0], keys=keys, wording=wording) from error


def without_nulls(value: Any) -> Any:
    """Remove null members at every depth of objects, because they count as absent."""
    if isinstance(value, str):  # most are, and asking the abstract class takes long
        return value
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    if isinstance(value, (dict, Mapping)):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return value


def path_text(location: tuple[int | str, ...]) -> str:
    """("items", 0, "sku") -> items[0].sku."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def seen(text: str) -> str:
    """A validator of names: a name without a visible character is empty."""
    if is_blank(text):
        raise PydanticCustomError("blank", "is not allowed to be empty")
    return text


_WORDS: Mapping[str, str] = {
    "missing": "is required",
    "string_type": "must be a string",
    "bool_type": "must be a boolean",
    "number_type": "must be a number",
    "int_type": "must be a number",
    "decimal_type": "must be a number",
    "list_type": "must be an array",
    "tuple_type": "must be an array",
    "dict_type": "must be of type object",
    "model_type": "must be of type object",
    "dataclass_type": "must be of type object",
    "model_attributes_type": "must be of type object",
    "extra_forbidden": "is not allowed",
}


def _wording(kind: str, context: Mapping[str, Any], message: str) -> str:
    match kind:
        case "enum" | "literal_error":
            return f"must be one of [{str(context['expected']).replace(' or ', ', ')}]"
        case "too_short":
            return f"must contain at least {context['min_length']} items"
        case "too_long":
            return f"must contain less than or equal to {context['max_length']} items"
        case "string_too_short":
            return "is not allowed to be empty"
        case "string_too_long":
            return f"length must be less than or equal to {context['max_length']} characters long"
        case _:
            return _WORDS.get(kind) or message[:1].lower() + message[1:]


WORDED = "worded"
"""The kind of an Invalid that has this API's wording already, without its path."""
_KINDS: Mapping[str, str] = {
    "date": "must be a valid ISO 8601 date and time",
    "negative": "must be greater than or equal to 0",
    "number": "must be a number",
    "not_positive": "must be greater than 0",
    "too_large": "must be less than or equal to 999999999999.99",
    "decimals": "has too many decimal places",
    "range": "must be greater than or equal to 0 and less than or equal to 100",
}


def at(path: str, build: Callable[[V], T], value: V) -> T:
    """`build(value)`; its Invalid names the field `path`, in this API's wording."""
    try:
        return build(value)
    except Invalid as error:
        kind = error.kind
        words = error.what if kind == WORDED else f"is not valid: {error.what}"
        raise Invalid("told", field=path, told=_KINDS.get(kind, words)) from error
