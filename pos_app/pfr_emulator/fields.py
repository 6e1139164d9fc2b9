"""Reads the members of a JSON request and collects all faults, by property and code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from decimal import Decimal
from enum import IntEnum
from typing import TypeVar

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.amounts import decimals
from pos_app.pfr_emulator.belgrade import BELGRADE
from pos_app.pfr_emulator.codes import Code, Problem

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")

EnumT = TypeVar("EnumT", bound=IntEnum)


@dataclass(frozen=True, slots=True)
class TextRule:
    """The longest text allowed, and the code for a longer one."""

    longest: int
    code: Code = Code.TOO_LONG


@dataclass(frozen=True, slots=True)
class NumberRule:
    """The bounds of a number (both allowed) and the most decimals."""

    least: Decimal
    most: Decimal
    decimals: int


@dataclass(slots=True)
class Fields:
    """The members of the JSON object at the path `where`; faults are added to `problems`."""

    members: Mapping[str, object]
    where: str = ""
    problems: list[Problem] = field(default_factory=list)

    def path(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def refuse(self, name: str, code: Code) -> None:
        self.problems.append(Problem(self.path(name), code))

    def given(self, name: str, *, required: bool) -> object:
        """Return the member, or None when it is absent; null and "" count as absent."""
        value = self.members.get(name)
        if value in (None, ""):
            if required:
                self.refuse(name, Code.REQUIRED)
            return None
        return value

    def text(self, name: str, rule: TextRule, *, required: bool = False) -> str | None:
        value = self.given(name, required=required)
        if value is None:
            return None
        if not isinstance(value, str):
            self.refuse(name, Code.INVALID_VALUE)
            return None
        if len(value) > rule.longest:
            self.refuse(name, rule.code)
            return None
        return value

    def number(self, name: str, rule: NumberRule, *, exact: bool) -> Decimal | None:
        """Read a required JSON number; `exact` refuses surplus decimals that are not zeros."""
        value = self.given(name, required=True)
        if value is None:
            return None
        if not isinstance(value, Decimal):
            self.refuse(name, Code.INVALID_VALUE)
        elif not rule.least <= value <= rule.most:
            self.refuse(name, Code.OUT_OF_RANGE)
        elif exact and decimals(value) > rule.decimals:
            self.refuse(name, Code.INVALID_FORMAT)
        else:
            return value
        return None

    def choice(self, name: str, choices: type[EnumT]) -> EnumT | None:
        """Read a required member of an enumeration, sent as its number or its name in any case."""
        value = self.given(name, required=True)
        if value is None:
            return None
        chosen = _chosen(value, choices)
        if chosen is None:
            self.refuse(name, Code.INVALID_VALUE)
        return chosen

    def instant(self, name: str, *, required: bool = False) -> datetime | None:
        """Read an ISO 8601 date and time; without an offset it is Belgrade time."""
        value = self.given(name, required=required)
        if value is None:
            return None
        moment = _instant(value)
        if moment is None:
            self.refuse(name, Code.INVALID_FORMAT)
        return moment

    def array(self, name: str, *, most: int) -> list[object]:
        """Read a required array of 1 to `most` members; empty when it is wrong."""
        value = self.given(name, required=True)
        if isinstance(value, list) and 1 <= len(value) <= most:
            return value
        if isinstance(value, list):
            self.refuse(name, Code.LIST_TOO_LONG if value else Code.LIST_TOO_SHORT)
        elif value is not None:
            self.refuse(name, Code.INVALID_VALUE)
        return []

    def objects(self, name: str, *, most: int) -> list[Fields]:
        found = []
        for index, member in enumerate(self.array(name, most=most)):
            if isinstance(member, Mapping):
                found.append(Fields(member, f"{self.path(name)}[{index}]", self.problems))
            else:
                self.refuse(f"{name}[{index}]", Code.INVALID_VALUE)
        return found


def _chosen(value: object, choices: type[EnumT]) -> EnumT | None:
    for choice in choices:
        by_number = isinstance(value, Decimal) and value == choice.value
        by_name = isinstance(value, str) and value.upper() == choice.name
        if by_number or by_name:
            return choice
    return None


def _instant(value: object) -> datetime | None:
    if not isinstance(value, str) or not _INSTANT.match(value):
        return None
    try:
        moment = datetime.fromisoformat(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=BELGRADE)
        # The instant must exist in both zones in which receipts and answers show times.
        return moment.astimezone(UTC).astimezone(BELGRADE)
    except (ValueError, OverflowError):
        return None
