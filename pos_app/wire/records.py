"""Turns frozen dataclasses of the domain into JSON objects and back, without a second description.

A field becomes a member with its name in camelCase. Reading is as strict as that of the shapes
(`reading`): no member is converted, a missing one must have a default or may be None, unknown ones
are ignored. Writing follows the declared class: a subclass's own fields are not sent.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic.alias_generators import to_camel
from pydantic_core import (
    CoreSchema,
    PydanticCustomError,
    SchemaSerializer,
    SchemaValidator,
    core_schema,
)

from pos_app import errors
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import from_text
from pos_app.wire import moment, number, reading, strict_json
from pos_app.wire.store import store_from_json, store_to_json

T = TypeVar("T")


def from_json(kind: type[T], document: object) -> T:
    """The record in a document of `strict_json`. Raises Invalid."""
    validator, _ = _engine(cast("Hashable", kind))
    value: T = reading.validated(validator.validate_python, document)
    return value


def list_from_json(kind: type[T], document: object) -> tuple[T, ...]:
    if not isinstance(document, list):
        raise errors.Invalid("array_value", field="")
    return tuple(from_json(kind, one) for one in document)


def written(kind: type[T], record: T) -> bytes:
    """The body of one object, with all its members."""
    return strict_json.dumps(to_json(kind, record))


def written_list(kind: type[T], records: Iterable[T]) -> bytes:
    return strict_json.dumps([to_json(kind, one) for one in records])


def to_json(kind: type[T], record: T) -> object:
    """One object, for `strict_json.dumps`."""
    _, serializer = _engine(cast("Hashable", kind))
    return serializer.to_python(record, by_alias=True)


@cache
def _engine(kind: Hashable) -> tuple[SchemaValidator, SchemaSerializer]:
    schema = schema_of(cast("type", kind))
    return SchemaValidator(schema), SchemaSerializer(schema)


def schema_of(kind: type) -> CoreSchema:
    hints = get_type_hints(kind)
    members = [_member(field, hints[field.name]) for field in fields(kind)]
    return core_schema.dataclass_schema(
        kind,
        core_schema.dataclass_args_schema(kind.__name__, members),
        [field.name for field in fields(kind)],
        slots=True,
    )


def described(kind: type) -> CoreSchema:
    """The schema as a part of a shape, which OpenAPI describes under the dataclass's name."""
    return _with(schema_of(kind), {"ref": f"{kind.__module__}.{kind.__name__}:0"})


def _member(field: Field[Any], hint: Any) -> core_schema.DataclassField:
    value, name = _bounded(value_schema(hint), field.metadata), to_camel(field.name)
    if field.default is not MISSING:
        value = core_schema.with_default_schema(value, default=field.default)
    elif may_be_none(hint):
        value = core_schema.with_default_schema(value, default=None)
    return core_schema.dataclass_field(
        field.name, value, kw_only=True, validation_alias=name, serialization_alias=name
    )


def _bounded(schema: CoreSchema, bounds: Mapping[str, Any]) -> CoreSchema:
    """The schema with bounds, which apply to a nullable value where it is not None."""
    if schema["type"] == "nullable":
        return _with(schema, {"schema": _with(schema["schema"], bounds)})
    return _with(schema, bounds)


def _with(schema: CoreSchema, more: Mapping[str, Any]) -> CoreSchema:
    return cast("CoreSchema", {**schema, **more})


def may_be_none(hint: Any) -> bool:
    return hint is NoneType or NoneType in get_args(hint)


def value_schema(hint: Any) -> CoreSchema:
    """The schema by which the values of a type are read and written. `X | None`, `tuple[X, ...]`,
    `Sequence[X]`, `frozenset[X]`, `Mapping[K, V]` and `Annotated[X, bounds]` are known, the types
    of `_PLAIN`, and classes with `as_members` and `from_members`."""
    if get_origin(hint) is not Annotated and hint in _PLAIN:
        return _PLAIN[hint]
    if parts := get_args(hint):
        return _composed(get_origin(hint), parts)
    if hasattr(hint, "from_members"):
        return core_schema.no_info_after_validator_function(
            _checked(hint.from_members),
            core_schema.dict_schema(),
            serialization=_written_by(hint.as_members),
        )
    if issubclass(hint, Enum):
        plain = _written_by(lambda member: member.value)
        return core_schema.enum_schema(hint, list(hint), sub_type="str", serialization=plain)
    return schema_of(hint)


def _composed(origin: Any, type_arguments: tuple[Any, ...]) -> CoreSchema:
    if origin is Annotated:
        return _bounded(value_schema(type_arguments[0]), type_arguments[1])
    if NoneType in type_arguments:
        (some,) = (part for part in type_arguments if part is not NoneType)
        return core_schema.nullable_schema(value_schema(some))
    if origin in _LISTED:
        each = [value_schema(type_arguments[0])]
        return core_schema.tuple_schema(each, variadic_item_index=0, serialization=_listed(tuple))
    if origin is frozenset:
        each_member = value_schema(type_arguments[0])
        return core_schema.frozenset_schema(each_member, serialization=_listed(frozenset))
    plain = core_schema.wrap_serializer_function_ser_schema(lambda some, each: each(dict(some)))
    return core_schema.dict_schema(*map(value_schema, type_arguments), serialization=plain)


def _listed(kind: type) -> core_schema.WrapSerializerFunctionSerSchema:
    return core_schema.wrap_serializer_function_ser_schema(lambda some, each: [*each(kind(some))])


def _written_by(write: Callable[[Any], object]) -> core_schema.PlainSerializerFunctionSerSchema:
    return core_schema.plain_serializer_function_ser_schema(write)


def _checked(build: Callable[[Any], object]) -> Callable[[Any], object]:
    """Wrap `build`, so that an Invalid of it is reported with the path of the member."""

    def checked(value: Any) -> object:
        try:
            return build(value)
        except errors.Invalid as error:
            raise PydanticCustomError("invalid", "{what}", {"what": error.what}) from error

    return checked


def _kind_of(text: str) -> ReceiptKind:
    invoice_type, _, transaction_type = text.partition(" ")
    try:
        return ReceiptKind(InvoiceType(invoice_type), TransactionType(transaction_type))
    except ValueError as error:
        raise errors.Invalid("receipt_kind") from error


def _day_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise errors.Invalid("a_day") from error


def _bytes_of(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise PydanticCustomError("base64", "must be base64") from error


_TEXT = core_schema.str_schema(strict=True)
_LISTED = (tuple, Sequence, Collection)
_PLAIN: dict[Any, CoreSchema] = {
    NoneType: core_schema.none_schema(),
    str: _TEXT,
    Store: core_schema.no_info_plain_validator_function(
        _checked(store_from_json), serialization=_written_by(store_to_json)
    ),
    bytes: core_schema.no_info_after_validator_function(
        _bytes_of,
        _TEXT,
        serialization=_written_by(lambda content: base64.b64encode(content).decode()),
    ),
    int: core_schema.int_schema(strict=True),
    bool: core_schema.bool_schema(strict=True),
    Decimal: core_schema.no_info_plain_validator_function(number.decimal_of),
    Money: core_schema.no_info_plain_validator_function(
        _checked(lambda value: Money(number.decimal_of(value))),
        serialization=_written_by(lambda money: money.amount),
    ),
    Quantity: core_schema.no_info_plain_validator_function(
        _checked(lambda value: Quantity(number.decimal_of(value))),
        serialization=_written_by(lambda quantity: quantity.amount),
    ),
    ReceiptKind: core_schema.no_info_after_validator_function(
        _checked(_kind_of), _TEXT, serialization=_written_by(" ".join)
    ),
    errors.MachineError: core_schema.no_info_after_validator_function(
        errors.from_members, core_schema.dict_schema(), serialization=_written_by(errors.as_members)
    ),
    date: core_schema.no_info_after_validator_function(
        _checked(_day_of), _TEXT, serialization=_written_by(date.isoformat)
    ),
    datetime: core_schema.no_info_after_validator_function(
        _checked(from_text), _TEXT, serialization=_written_by(moment.instant_text)
    ),
}
