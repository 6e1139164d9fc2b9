"""Dataclasses whose methods are written when they are first called.

`dataclasses` compiles six methods for each class as its module is loaded; for some five hundred
classes that a till loads until its first scan, that was a third of all loading time. This decorator
takes the same arguments, and for classes with slots it gives the same class. A few bytes stand for
each method until it is called, and `dataclasses` builds the fields once they are asked for. Unusual
or wrong classes are given to `dataclasses` at once.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache
from reprlib import recursive_repr
from threading import RLock
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, cast

__all__ = ["dataclass"]
_FIELDS, _PARAMS = "__dataclass_fields__", "__dataclass_params__"
_UNUSUAL = ("InitVar", "KW_ONLY")
"""Annotations of members that are no fields."""
_OF_CLASS = ("ClassVar", "typing.ClassVar")
"""The beginnings of annotations of class attributes."""
_ONE_AT_A_TIME = RLock()
_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


class _NotGiven:
    """The mark of a default that a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


Method = Callable[..., Any]
Fields = Mapping[str, Field[Any]]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Works as `dataclasses.dataclass`."""
        if cls is None:
            return lambda given: dataclass(given, **options)
        fields = _fields_of(cls, options)
        if fields is None:
            return dataclasses.dataclass(cls, **options)
        return _Later(cls, fields, options).cls


class _Later:
    """The parts of one class that are not made yet. original: the class as it was written, without
    slots."""

    def __init__(self, original: type, fields: Fields, options: Mapping[str, bool]) -> None:
        self._original = original
        self._fields = fields
        self._options = options
        self.cls: Any = _with_slots(original, fields, self._added(original))

    def _added(self, original: type) -> dict[str, Any]:
        is_frozen, options = self._options.get("frozen", False), self._options
        equal = options.get("eq", True)
        added: dict[str, Any] = {
            _FIELDS: _OnUse(self.fields),
            _PARAMS: _OnUse(lambda: _params(**options)),
            "__match_args__": tuple(one.name for one in _arguments(self._fields, kw_only=False)),
            "__init__": self._later("__init__", self._init),
        }
        if options.get("repr", True):
            added["__repr__"] = self._later("__repr__", self._repr)
        if equal:
            added["__eq__"] = self._later("__eq__", lambda: self._compares("__eq__", "=="))
        own = {name: one for name, one in added.items() if name not in original.__dict__}
        if options.get("order"):
            own |= {name: self._later_order(name) for name in _ORDER}
        if is_frozen:
            own |= self._frozen(original)
        if equal and not _hashes_itself(original):
            own["__hash__"] = self._later("__hash__", self._hash) if is_frozen else None
        return own

    def _frozen(self, original: type) -> dict[str, Method]:
        own = {"__setattr__": self._refuse_to_set(), "__delattr__": self._refuse_to_delete()}
        states: dict[str, Method] = {"__getstate__": _get_state, "__setstate__": _set_state}
        return own | {name: one for name, one in states.items() if name not in original.__dict__}

    def _later(self, name: str, write: Callable[[], Method]) -> Method:
        """A substitute for a method until its first call, which puts the real method into the
        class."""

        def first_call(*args: Any, **named: Any) -> Any:
            method = write()
            method.__qualname__ = f"{self.cls.__qualname__}.{name}"
            if self.cls.__dict__.get(name) is first_call:
                setattr(self.cls, name, method)
            return method(*args, **named)

        return first_call

    def _later_order(self, name: str) -> Method:
        return self._later(name, lambda: self._compares(name, _ORDER[name]))

    def fields(self) -> dict[str, Field[Any]]:
        """The fields of `dataclasses`; from now on the class has them."""
        with _ONE_AT_A_TIME:  # `dataclasses` changes the class that it is given
            value = self.cls.__dict__[_FIELDS]
            if isinstance(value, _OnUse):
                is_frozen = self._options.get("frozen", False)
                inherits = any(hasattr(base, _FIELDS) for base in self._original.__bases__)
                made: Any = dataclasses.dataclass(
                    init=False,
                    repr=False,
                    eq=False,
                    frozen=is_frozen and inherits,
                    kw_only=self._options.get("kw_only", False),
                )(self._original)
                value = made.__dataclass_fields__
                setattr(self.cls, _FIELDS, value)
        return cast("dict[str, Field[Any]]", value)

    def _init(self) -> Method:
        me = "self" if "self" not in self._fields else "__dataclass_self__"
        known: dict[str, Any] = {"__not_given": _NotGiven()}
        text_lines = [
            self._assigned(me, one.name, value, known)
            for one in self._fields.values()
            if (value := _value(one, known))
        ]
        if hasattr(self.cls, "__post_init__"):
            text_lines.append(f"{me}.__post_init__()")
        given = [me, *map(_argument, _arguments(self._fields, kw_only=False))]
        if named := _arguments(self._fields, kw_only=True):
            given += ["*", *map(_argument, named)]
        init = _written("__init__", given, text_lines, known)
        types = {name: one.type for name, one in self._fields.items() if one.init}
        init.__annotations__ = {**types, "return": None}
        return init

    def _assigned(self, me: str, name: str, value: str, known: dict[str, Any]) -> str:
        """The statement that sets a slot; a frozen class refuses to set it in the usual way."""
        if not self._options.get("frozen", False):
            return f"{me}.{name} = {value}"
        slot = getattr(self.cls, name)
        if not isinstance(slot, MemberDescriptorType):
            known["__set_attribute"] = object.__setattr__
            return f"__set_attribute({me}, {name!r}, {value})"
        known[f"__set_{name}"] = slot.__set__
        return f"__set_{name}({me}, {value})"

    def _compares(self, name: str, sign: str) -> Method:
        parts = [one for one, field in self._fields.items() if field.compare]
        mine, others = _tuple("self", parts), _tuple("other", parts)
        text_lines = [
            "if other.__class__ is self.__class__:",
            f" return {mine} {sign} {others}",
            "return NotImplemented",
        ]
        return _written(name, ["self", "other"], text_lines, {})

    def _hash(self) -> Method:
        parts = [
            name
            for name, field in self._fields.items()
            if (field.compare if field.hash is None else field.hash)
        ]
        return _written("__hash__", ["self"], [f"return hash({_tuple('self', parts)})"], {})

    def _repr(self) -> Method:
        shown = [name for name, field in self._fields.items() if field.repr]

        def __repr__(self: object) -> str:
            fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
            return f"{self.__class__.__qualname__}({fields})"

        return recursive_repr()(__repr__)

    def _refuse_to_set(self) -> Method:
        def __setattr__(instance: Any, name: str, value: object) -> None:
            if type(instance) is self.cls or name in self._fields:
                raise FrozenInstanceError(f"cannot assign to field {name!r}")
            super(self.cls, instance).__setattr__(name, value)

        return __setattr__

    def _refuse_to_delete(self) -> Method:
        def __delattr__(instance: Any, name: str) -> None:
            if type(instance) is self.cls or name in self._fields:
                raise FrozenInstanceError(f"cannot delete field {name!r}")
            super(self.cls, instance).__delattr__(name)

        return __delattr__


class _OnUse:
    """A substitute for an attribute that `dataclasses` keeps in a class, until the attribute is
    read."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    def __get__(self, instance: object, owner: type) -> object:
        return self._make()


@cache
def _params(**options: bool) -> object:
    value: Any = dataclasses.dataclass(**options)(type("Shown", (), {}))
    return value.__dataclass_params__


def _fields_of(cls: type, options: Mapping[str, bool]) -> Fields | None:
    """The fields, with inherited ones, in order, or None where `dataclasses` handles the class."""
    if not options.get("slots") or not options.keys() <= _OPTIONS or _defines(cls, options):
        return None
    own = inspect.get_annotations(cls)
    if not all(map(_is_usual_type, own.values())):
        return None
    of_class = {name for name, value in own.items() if value.startswith(_OF_CLASS)}
    fields: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        inherited = getattr(base, _FIELDS, None)
        if inherited is not None:
            value = {one.name: one for one in dataclasses.fields(base)}
            is_frozen = getattr(base, _PARAMS).frozen
            types = [one.type for one in inherited.values()]
            if is_frozen != options.get("frozen", False) or not all(map(_is_usual_type, types)):
                return None
            of_class |= inherited.keys() - value.keys()
            fields |= value
    for name in (one for one in own if not own[one].startswith(_OF_CLASS)):
        given = cls.__dict__.get(name, MISSING)
        field = given if isinstance(given, Field) else dataclasses.field(default=given)
        if field.kw_only is MISSING:
            field.kw_only = options.get("kw_only", False)
        field.name, field.type = name, own[name]
        fields[name] = field
    return fields if _is_usual(cls, fields) and of_class.isdisjoint(fields) else None


def _is_usual_type(annotation: object) -> bool:
    return isinstance(annotation, str) and not any(word in annotation for word in _UNUSUAL)


_OPTIONS = frozenset({"repr", "eq", "order", "frozen", "kw_only", "slots"})


def _defines(cls: type, options: Mapping[str, bool]) -> bool:
    """Whether the class has a method of its own that `dataclasses` refuses to replace, or an order
    without equality."""
    refused = ["__slots__"]
    if options.get("frozen"):
        refused += ["__setattr__", "__delattr__"]
    if options.get("order"):
        refused += _ORDER
    is_unordered = options.get("order") and not options.get("eq", True)
    return is_unordered or any(name in cls.__dict__ for name in refused)


def _is_usual(cls: type, fields: Fields) -> bool:
    if any(isinstance(one, Field) and name not in fields for name, one in cls.__dict__.items()):
        return False
    if any(type(one.default).__hash__ is None for one in fields.values()):
        return False  # a list as a default
    takes_default = False
    for one in _arguments(fields, kw_only=False):
        if takes_default and not _has_default(one):
            return False
        takes_default = _has_default(one)
    return True


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _arguments(fields: Fields, *, kw_only: bool) -> list[Field[Any]]:
    return [one for one in fields.values() if one.init and one.kw_only is kw_only]


def _argument(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return f"{field.name}=__default_{field.name}"
    return f"{field.name}=__not_given" if field.default_factory is not MISSING else field.name


def _value(field: Field[Any], known: dict[str, Any]) -> str:
    """The expression to which `__init__` sets a field, or "" where it leaves it unset."""
    name = field.name
    if field.default_factory is not MISSING:
        known[f"__make_{name}"] = field.default_factory
        made = f"__make_{name}()"
        return f"{made} if {name} is __not_given else {name}" if field.init else made
    if field.default is not MISSING:
        known[f"__default_{name}"] = field.default
        return name if field.init else f"__default_{name}"
    return name if field.init else ""


def _tuple(owner: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{owner}.{name}," for name in names) + ")"


def _written(
    name: str, given: Iterable[str], text_lines: Iterable[str], known: dict[str, Any]
) -> Method:
    """A method of that name. known: the names that its lines use."""
    body = "".join(f"\n  {text_line}" for text_line in text_lines) or " pass"
    made: dict[str, Method] = {}
    exec(f"def {name}({', '.join(given)}):{body}", known, made)  # noqa: S102 - names of fields
    return made[name]


def _hashes_itself(cls: type) -> bool:
    """Whether a class has a hash of its own; Python puts None beside an `__eq__`."""
    own = cls.__dict__
    return own.get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)


def _with_slots(cls: type, fields: Fields, added: Mapping[str, Any]) -> type:
    """The class made again, with a slot for each field for which no base has one."""
    inherited = {name for base in cls.__mro__[1:-1] for name in _slots(base)}
    left_out = {*fields, "__dict__", "__weakref__"}
    kept = {name: one for name, one in cls.__dict__.items() if name not in left_out}
    slots = {"__slots__": tuple(name for name in fields if name not in inherited)}
    made = type(cls)(cls.__name__, cls.__bases__, {**kept, **added, **slots})
    made.__qualname__ = cls.__qualname__
    return made


def _slots(cls: type) -> Iterable[str]:
    slots: str | Iterable[str] = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else slots


def _get_state(instance: Any) -> list[Any]:
    return [getattr(instance, field.name) for field in dataclasses.fields(instance)]


def _set_state(instance: Any, state: Iterable[Any]) -> None:
    for field, value in zip(dataclasses.fields(instance), state, strict=True):
        object.__setattr__(instance, field.name, value)
