"""A call of a port between the till and its server: arguments and result as JSON, by annotations.

The body of the request has the arguments by name, in camelCase, and the answer has one member,
`result`. An argument with a default may be missing. `Annotated[str, {"max_length": 20}]` bounds an
argument as `metadata` bounds a record's field, and the arguments of `_ALIKE` mean the same in every
port.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, get_type_hints

from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, SchemaSerializer, SchemaValidator, core_schema

from pos_app.domain.receipt.request import LONGEST_CASHIER
from pos_app.wire import reading, records
from pos_app.wire.strict_json import dumps, loads

_RESULT = "result"


_NAME = core_schema.no_info_after_validator_function(
    reading.seen, core_schema.str_schema(strict=True, min_length=1, max_length=LONGEST_CASHIER)
)
_KEY = core_schema.str_schema(strict=True, pattern="^[!-~]{16,64}$")
_ALIKE: Mapping[str, CoreSchema] = {"by": _NAME, "key": _KEY, "press": _KEY}
"""by: the name of the person who acts. key, press: the id of the act, which is done once."""


class PortCall:
    """A method of a port. Its arguments are given and returned by name."""

    def __init__(self, method: Callable[..., Any]) -> None:
        hints = get_type_hints(method, include_extras=True)
        self._signature, result = signature(method), hints.pop("return")
        self._read, self._write = _engines(hints, self._signature.parameters)
        self._read_result, self._write_result = _engines({_RESULT: result}, {})

    def asked(self, *given: Any, **named: Any) -> bytes:
        """The body of a request with these arguments."""
        arguments = self._signature.bind(None, *given, **named).arguments
        del arguments["self"]
        return dumps(self._write.to_python(arguments, by_alias=True))

    def arguments(self, body: bytes) -> dict[str, Any]:
        """Raises Invalid naming each argument at fault."""
        read: dict[str, Any] = reading.validated(self._read.validate_python, loads(body))
        return read

    def answered(self, result: object) -> bytes:
        return dumps(self._write_result.to_python({_RESULT: result}, by_alias=True))

    def result(self, document: object) -> Any:
        """Raises Invalid."""
        return reading.validated(self._read_result.validate_python, document).get(_RESULT)


@cache
def call_of(port: Callable[..., object], name: str) -> PortCall:
    return PortCall(getattr(port, name))


def methods_of(port: Callable[..., object]) -> Iterable[str]:
    """The names of a port's methods, inherited ones too."""
    return [
        name for name in dir(port) if not name.startswith("_") and callable(getattr(port, name))
    ]


def _engines(
    hints: Mapping[str, Any], parameters: Mapping[str, Parameter]
) -> tuple[SchemaValidator, SchemaSerializer]:
    members = {
        name: core_schema.typed_dict_field(
            _ALIKE.get(name) or records.value_schema(hint),
            required=not records.may_be_none(hint)
            and (name not in parameters or parameters[name].default is Parameter.empty),
            validation_alias=to_camel(name),
            serialization_alias=to_camel(name),
        )
        for name, hint in hints.items()
    }
    schema = core_schema.typed_dict_schema(members)
    return SchemaValidator(schema), SchemaSerializer(schema)
