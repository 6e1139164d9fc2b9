"""Warns of ignored members of a request by which its sender may have meant something.

Unknown members are ignored, because clients of the platform send more than its specification has
(platform-contract.md 2.3, 2.24). A warning beside the receipt names three kinds of members: those
that differ from a known one by a slip, those that are known elsewhere in the same request, and
those by which the sender means money, such as a discount by any name or an amount by an unknown
method. The operations' shapes are the source.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, get_args

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import ReceiptWarning, WarningCode, Warnings
from pos_app.lazy_dataclass import dataclass
from pos_app.wire import operations
from pos_app.wire.fiscal import ArticleShape, IssueShape, ItemShape
from pos_app.wire.reading import Shape, path_text

_SHAPES: Mapping[Operation, type[Shape]] = {
    Operation.ISSUE: IssueShape,
    Operation.ADVANCE: operations.AdvanceShape,
    Operation.CLOSE: operations.CloseShape,
    Operation.COPY: operations.CopyShape,
    Operation.REFUND: operations.RefundShape,
}
_METHODS = frozenset(method.value for method in PaymentMethod)
_NO_METHOD = "is no method of payment and its amount was ignored; there are " + ", ".join(
    f'"{method.value}"' for method in PaymentMethod
)
_NOTHING_OFF = (
    'is not known there and was ignored: nothing is taken off for it. There are "discount" of an '
    'issued receipt, in percent, and "totalAmount" of an item that is sold'
)
_FOR_THE_PLATFORM = frozenset({"storeId", "clientId"})
_TAKES_OFF = ("discount", "rabat", "popust", "рабат", "попуст")
"""A sender of a name with one of these words believes that less is to be paid."""
_CLOSE_ENOUGH = 0.86
"""The limit of difflib: unitPrise and wiretransfers are above it; unit, unitPriceNet and
quantityUnit, below it, are another program's own names."""
_LONGEST = 40
_MOST_LOOKED_AT, _MOST_LISTED = 200, 20
"""The most unknown names that are compared, so that a body full of them costs nothing, and the most
warnings."""

Location = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A member that is unknown in its object. known: the names of that object. on_purpose: the
    names that clients send there without need."""

    location: Location
    value: object
    known: frozenset[str]
    on_purpose: frozenset[str]

    @property
    def name(self) -> str:
        return str(self.location[-1])

    @property
    def position(self) -> tuple[Location, str]:
        """The path without list indexes."""
        *parents, name = self.location
        return tuple(part for part in parents if isinstance(part, str)), str(name)


def noticed(operation: Operation, document: object) -> Warnings:
    """Return one warning for each suspicious name, at most `_MOST_LISTED`, with the first path even
    if many items have it."""
    shape = _SHAPES[operation]
    elsewhere = frozenset(map(_folded, _vocabulary(shape)))
    found: dict[tuple[Location, str], ReceiptWarning] = {}
    looked_at: set[tuple[Location, str]] = set()
    for one in _unknown(shape, document, ()):
        if one.position in looked_at or _folded(one.name) in _silent(one.known, one.on_purpose):
            continue
        words = _words(one, elsewhere)
        looked_at.add(one.position)
        if words is not None:
            path = _path(one)
            text = f'"{path}" {words}'
            found[one.position] = ReceiptWarning(WarningCode.UNKNOWN_MEMBER, text, path)
        if len(looked_at) == _MOST_LOOKED_AT or len(found) == _MOST_LISTED:
            break
    return tuple(found.values())


def _words(unknown: _Unknown, elsewhere: frozenset[str]) -> str | None:
    meant = _meant(unknown.name, unknown.known) if len(unknown.name) <= _LONGEST else None
    if meant is not None:
        return f'is not known and was ignored; did you mean "{meant}"?'
    if unknown.known is _METHODS:
        return _NO_METHOD if _is_money(unknown.value) else None
    name = _folded(unknown.name)
    if any(stem in name for stem in _TAKES_OFF):
        return _NOTHING_OFF
    return "is not known there and was ignored" if name in elsewhere else None


def _is_money(value: object) -> bool:
    """Whether the value is an amount other than zero, or may contain one."""
    if isinstance(value, Mapping | list):
        return bool(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        return False
    if not isinstance(value, str):
        return value != 0
    try:
        return len(value) <= _LONGEST and Decimal(value.strip().replace(",", ".")) != 0
    except InvalidOperation:
        return False


def _path(unknown: _Unknown) -> str:
    *parents, _ = unknown.location
    name = unknown.name if len(unknown.name) <= _LONGEST else f"{unknown.name[:_LONGEST]}…"
    return path_text((*parents, name))


def _meant(name: str, known: frozenset[str]) -> str | None:
    folded = {_folded(each): each for each in sorted(known)}
    close = difflib.get_close_matches(_folded(name), folded, n=1, cutoff=_CLOSE_ENOUGH)
    return folded[close[0]] if close else None


def _folded(name: str) -> str:
    """The folded name: unit_price, UnitPrice and unit-price are the same."""
    return name.casefold().replace("_", "").replace("-", "").strip()


# --- what is known -----------------------------------------------------------------------------


def _unknown(shape: type[Shape], document: object, location: Location) -> Iterator[_Unknown]:
    """The unknown members of a document; a null counts as absent."""
    if not isinstance(document, Mapping):
        return
    members = _members(shape)
    for name, value in document.items():
        if value is None:
            continue
        if name not in members:
            yield _Unknown((*location, name), value, frozenset(members), _on_purpose(shape))
        elif name == "payments" and isinstance(value, Mapping):
            for method, amount in value.items():
                if method not in _METHODS and amount is not None:
                    yield _Unknown((*location, name, method), amount, _METHODS, frozenset())
        elif (inner := members[name]) is not None:
            for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
                index_part = () if index is None else (index,)
                yield from _unknown(inner, item, (*location, name, *index_part))


@cache
def _members(shape: type[Shape]) -> Mapping[str, type[Shape] | None]:
    """The members by name, each with the shape of the object, or of the array's objects, in it."""
    return {
        field.alias or name: _inner(field.annotation) for name, field in shape.model_fields.items()
    }


def _inner(annotation: Any) -> type[Shape] | None:
    if isinstance(annotation, type) and issubclass(annotation, Shape):
        return annotation
    return next(filter(None, map(_inner, get_args(annotation))), None)


@cache
def _vocabulary(shape: type[Shape]) -> frozenset[str]:
    """Every name that may occur in a request."""
    members = _members(shape)
    inner = (_vocabulary(found) for found in members.values() if found is not None)
    return _METHODS.union(members, *inner)


@cache
def _on_purpose(shape: type[Shape]) -> frozenset[str]:
    """The names that clients send there without need: an item's data that the catalogue has too,
    and all data of the sale for a refunded item."""
    if shape is ItemShape:
        return frozenset(_members(ArticleShape))
    if shape is operations.RefundedItemShape:
        return frozenset({*_members(ArticleShape), *_members(ItemShape)})
    return _FOR_THE_PLATFORM


@cache
def _silent(known: frozenset[str], on_purpose: frozenset[str]) -> frozenset[str]:
    """The names sent on purpose, folded. Those that are only another spelling of a known name are
    left out, and warned of."""
    return frozenset(map(_folded, on_purpose)) - frozenset(map(_folded, known))
