"""Members of a request that are ignored and look as if they should not be.

Unknown members are ignored, because clients of the platform send more than its specification has
(platform-contract.md 2.3, 2.24). A name that only a slip parts from a known one, or that is known
elsewhere in the same request, is told beside the receipt. The operations' shapes are the source.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pos_app.domain.operations import Operation
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.warning import ReceiptWarning, WarningCode, Warnings
from pos_app.wire.issue_shape import ArticleShape, IssueShape, ItemShape
from pos_app.wire.operation_shapes import (
    AdvanceShape,
    CloseShape,
    CopyShape,
    RefundedItemShape,
    RefundShape,
)
from pos_app.wire.reading import Shape, path_text

_SHAPES: Mapping[Operation, type[Shape]] = {
    Operation.ISSUE: IssueShape,
    Operation.ADVANCE: AdvanceShape,
    Operation.CLOSE: CloseShape,
    Operation.COPY: CopyShape,
    Operation.REFUND: RefundShape,
}
_METHODS = frozenset(method.value for method in PaymentMethod)
_FOR_THE_PLATFORM = frozenset({"storeId", "clientId"})
_MEANT_ELSEWHERE = frozenset({"discount"})
"""Known to issuing a receipt alone, and dear where another operation or an item passes it over."""
_CLOSE_ENOUGH = 0.86
"""Of difflib: unitPrise and wiretransfers are; unit, unitPriceNet and quantityUnit are names of
another program's own."""
_LONGEST = 40
_MOST_LOOKED_AT, _MOST_TOLD = 200, 20
"""Unknown names that are compared, so that a body full of them costs nothing, and warnings."""

Location = tuple[int | str, ...]


def noticed(operation: Operation, document: object) -> Warnings:
    """A warning for each name, once for all items, with the path of the first."""
    shape = _SHAPES[operation]
    elsewhere = _vocabulary(shape) | _MEANT_ELSEWHERE
    found: dict[tuple[Location, str], ReceiptWarning] = {}
    looked_at: set[tuple[Location, str]] = set()
    for location, known, on_purpose in _unknown(shape, document, ()):
        *parents, name = location
        place = tuple(part for part in parents if isinstance(part, str)), str(name)
        if place in looked_at or name in on_purpose:
            continue
        looked_at.add(place)
        told = _told(path_text(location), str(name), known, elsewhere)
        if told is not None:
            found[place] = told
        if len(looked_at) == _MOST_LOOKED_AT or len(found) == _MOST_TOLD:
            break
    return tuple(found.values())


def _told(
    path: str, name: str, known: frozenset[str], elsewhere: frozenset[str]
) -> ReceiptWarning | None:
    if len(name) > _LONGEST:
        return None
    meant = _meant(name, known)
    if meant is not None:
        words = f'"{path}" is not known and was ignored; did you mean "{meant}"?'
    elif name in elsewhere:
        words = f'"{path}" is not known there and was ignored'
    else:
        return None
    return ReceiptWarning(WarningCode.UNKNOWN_MEMBER, words, path)


def _meant(name: str, known: frozenset[str]) -> str | None:
    folded = {_folded(each): each for each in sorted(known)}
    close = difflib.get_close_matches(_folded(name), folded, n=1, cutoff=_CLOSE_ENOUGH)
    return folded[close[0]] if close else None


def _folded(name: str) -> str:
    """unit_price, UnitPrice and unit-price are one."""
    return name.casefold().replace("_", "").replace("-", "").strip()


# --- what is known -----------------------------------------------------------------------------


def _unknown(
    shape: type[Shape], document: object, location: Location
) -> Iterator[tuple[Location, frozenset[str], frozenset[str]]]:
    """Where a name is that its object has not, what that object has, and what is sent there on
    purpose. A null is as not sent."""
    if not isinstance(document, Mapping):
        return
    members = _members(shape)
    for name, value in document.items():
        if value is None:
            continue
        if name not in members:
            yield (*location, name), frozenset(members), _on_purpose(shape)
        elif name == "payments" and isinstance(value, Mapping):
            for method, amount in value.items():
                if method not in _METHODS and amount is not None:
                    yield (*location, name, method), _METHODS, frozenset()
        elif (inner := members[name]) is not None:
            for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
                place = () if index is None else (index,)
                yield from _unknown(inner, item, (*location, name, *place))


@cache
def _members(shape: type[Shape]) -> Mapping[str, type[Shape] | None]:
    """Name -> the shape of the object, or of the objects of the array, that it holds."""
    return {
        field.alias or name: _inner(field.annotation) for name, field in shape.model_fields.items()
    }


def _inner(annotation: Any) -> type[Shape] | None:
    if isinstance(annotation, type) and issubclass(annotation, Shape):
        return annotation
    return next(filter(None, map(_inner, get_args(annotation))), None)


@cache
def _vocabulary(shape: type[Shape]) -> frozenset[str]:
    """Every name that a request may have anywhere."""
    members = _members(shape)
    inner = (_vocabulary(found) for found in members.values() if found is not None)
    return _METHODS.union(members, *inner)


@cache
def _on_purpose(shape: type[Shape]) -> frozenset[str]:
    """What clients send there though nobody needs it: of an item what the catalogue says too, of a
    refunded one all that it was sold by."""
    if shape is ItemShape:
        return frozenset(_members(ArticleShape))
    if shape is RefundedItemShape:
        return frozenset({*_members(ArticleShape), *_members(ItemShape)})
    return _FOR_THE_PLATFORM
