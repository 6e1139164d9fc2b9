"""Groups of settings, and the values that each member may have.

The annotation of a member gives a plain type and, in `Annotated`, rules. A rule takes a value and
returns it as it is kept, or raises ValueError with the reason why it is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import (
    Annotated,
    Any,
    NamedTuple,
    NoReturn,
    Self,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pos_app.characters import is_blank
from pos_app.lazy_dataclass import dataclass

_FLAGS = dict.fromkeys(("true", "t", "yes", "y", "on", "1"), True) | dict.fromkeys(
    ("false", "f", "no", "n", "off", "0"), False
)


class SettingRefused(Exception):
    """The reason why a value of a setting is refused. path: the names that lead to the setting.
    is_unknown: there is no setting of that name."""

    def __init__(self, why: str, *path: str, is_unknown: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.path = path
        self.is_unknown = is_unknown


@dataclass_transform(kw_only_default=True, frozen_default=True)
class SettingsGroup:
    """Settings that belong together. An object holds the given values; its class holds the
    defaults."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} of settings does not change")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.values() == self.values()

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.given})"

    @property
    def given(self) -> dict[str, Any]:
        return dict(vars(self))

    def values(self) -> dict[str, Any]:
        """The value of each member, also where it is a default."""
        return {name: getattr(self, name) for name in type(self).__annotations__}

    def as_json(self) -> dict[str, Any]:
        def plainly(value: object) -> object:
            if isinstance(value, SettingsGroup):
                return value.values()
            return dict(value) if isinstance(value, Mapping) else str(value)

        read: dict[str, Any] = json.loads(json.dumps(self.values(), default=plainly))
        return read

    def having(self, **values: Any) -> Self:
        """A copy with other values, which are not checked."""
        return type(self)(**self.given | values)

    def check(self) -> None:
        """Check the rules across members. Raises ValueError with the reason and, if one member is
        at fault, its name."""


# --- rules ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Within:
    least: int
    most: float = math.inf

    def __call__(self, value: float) -> float:
        if not self.least <= value <= self.most:
            is_open = self.most == math.inf
            bounds = f"of at least {self.least}" if is_open else f"from {self.least} to {self.most}"
            raise ValueError(f"it is a number {bounds}")
        return value


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text has this form. description: the form in words."""

    form: str
    description: str

    def __call__(self, value: str) -> str:
        if re.fullmatch(self.form, value) is None:
            raise ValueError(f"it is {self.description}")
        return value


@dataclass(frozen=True, slots=True)
class UpTo:
    most: int

    def __call__(self, value: Any) -> Any:
        if len(value) > self.most:
            of = "characters" if isinstance(value, str) else "entries"
            raise ValueError(f"it has at most {self.most} {of}")
        return value


def once(values: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(values)) < len(values):
        raise ValueError("each stands there once")
    return values


def seen(name: str) -> str:
    if is_blank(name):
        raise ValueError("nothing of it can be seen")
    return name


# --- reading --------------------------------------------------------------------------------------


class SettingKind(NamedTuple):
    """The values that a setting may have. plain: its type without rules."""

    plain: Any
    rules: tuple[Callable[[Any], Any], ...] = ()

    @classmethod
    def of(cls, annotation: Any) -> SettingKind:
        if get_origin(annotation) is not Annotated:
            return cls(annotation)
        plain, *rules = get_args(annotation)
        return cls(plain, tuple(rules))

    @property
    def is_many(self) -> bool:
        return get_origin(self.plain) in (tuple, Mapping) or is_group(self.plain)


@cache
def kinds(group: type[SettingsGroup]) -> Mapping[str, SettingKind]:
    hints = get_type_hints(group, include_extras=True)
    return {name: SettingKind.of(annotation) for name, annotation in hints.items()}


def is_group(plain: Any) -> bool:
    return isinstance(plain, type) and issubclass(plain, SettingsGroup)


def taken(kind: SettingKind, value: object, *path: str) -> Any:
    """The given value as a setting of that kind keeps it. Raises NotTaken. A text is accepted for a
    number, a switch or a choice too, since the environment has only texts."""
    if is_group(kind.plain):
        return group_of(kind.plain, value, *path)
    origin, of = get_origin(kind.plain), get_args(kind.plain)
    if origin is tuple:
        value = _list(SettingKind.of(of[0]), value, path)
    elif origin is Mapping:
        value = _table(SettingKind.of(of[0]), SettingKind.of(of[1]), value, path)
    plain = () if kind.is_many else (_PLAIN.get(kind.plain) or partial(_choice, of),)
    for rule in (*plain, *kind.rules):
        try:
            value = rule(value)
        except ValueError as error:
            raise SettingRefused(str(error), *path) from error
    return value


def group_of(group: type[SettingsGroup], given_values: object, *path: str) -> Any:
    """A group with these given values. Raises NotTaken."""
    if not isinstance(given_values, Mapping):
        raise SettingRefused("it is a group of settings, not a value", *path)
    known = kinds(group)  # type: ignore[arg-type] # mypy holds the hash of its objects for its own
    read = {
        name: taken(kind, given_values[name], *path, name)
        for name, kind in known.items()
        if name in given_values
    }
    for name in (name for name in given_values if name not in known):
        raise SettingRefused("there is no such setting", *path, name, is_unknown=True)
    whole = group(**read)
    try:
        whole.check()
    except ValueError as error:
        raise SettingRefused(error.args[0], *path, *error.args[1:]) from error
    return whole


def _list(kind: SettingKind, value: object, path: tuple[str, ...]) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise SettingRefused("it is a list", *path)
    return tuple(taken(kind, one, *path) for one in value)


def _table(
    keys: SettingKind, kind: SettingKind, value: object, path: tuple[str, ...]
) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise SettingRefused("it is a table of names and values", *path)
    read = {}
    for name, one in value.items():
        try:
            taken(keys, name)
        except SettingRefused as error:
            raise SettingRefused(error.why, *path, name, is_unknown=True) from error
        read[name] = taken(kind, one, *path, name)
    return read


def _choice(words: tuple[str | int, ...], value: object) -> str | int:
    for one in words:
        if str(value) == str(one):
            return one
    allowed = ", ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in words)
    raise ValueError(f"it is one of {allowed}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("it is a text, in quotation marks")
    return value


def _flag(value: object) -> bool:
    found = _FLAGS.get(str(value).lower())
    if found is None:
        raise ValueError("it is true or false")
    return found


def _number(value: object) -> float:
    if isinstance(value, bool):
        raise ValueError("it is a number, not true or false")
    try:
        return float(value)  # type: ignore[arg-type] # a list and whatever else is told below
    except (TypeError, ValueError, OverflowError):
        raise ValueError("it is a number") from None


def _whole(value: object) -> int:
    number = _number(value)
    if not number.is_integer():
        raise ValueError("it is a whole number")
    return value if isinstance(value, int) else int(number)


_PLAIN: Mapping[Any, Callable[[Any], Any]] = {
    str: _text,
    bool: _flag,
    int: _whole,
    float: _number,
    Path: Path,
}
