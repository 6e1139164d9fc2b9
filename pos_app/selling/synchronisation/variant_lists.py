"""Joins the lists of a product's variants of two sides, variant by variant and field by field, by
what they were before. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from pos_app.domain.article.product import ProductFields, ProductType, Variant
from pos_app.lazy_dataclass import dataclass

Variants = tuple[Variant, ...]

_ABSENT = object()
"""The value of a field where a list does not have the variant."""
_LEFT_TO_THEIRS = {"id", "description_plain", "has_variants", "cover_image"}
_COMPARED = tuple(one.name for one in fields(ProductFields) if one.name not in _LEFT_TO_THEIRS)


@dataclass(frozen=True, slots=True)
class JoinedList:
    """ours: their list with what was changed here. base: their list; where both sides changed the
    same differently, a value that is not theirs, by which it is known later that a person is asked
    about it."""

    ours: Variants
    base: Variants
    has_conflicts: bool


@dataclass(frozen=True, slots=True)
class VariantConflict:
    """A variant that both sides changed differently. ours, theirs: the differing fields with their
    values, or None where that side does not have the variant."""

    variant: Variant
    ours: Mapping[str, Any] | None
    theirs: Mapping[str, Any] | None


def joined(
    base: Variants,
    ours: Variants,
    theirs: Variants,
    *,
    asked: Variants | None = None,
    is_lost: bool = False,
) -> JoinedList:
    """Join two lists. What one side changed is taken from it, and ours is kept where both did.

    | a field of one variant, or the variant itself                |
    | base | ours | theirs | becomes                               |
    | 10   | 12   | 10     | 12                                    |
    | 10   | 10   | 11     | 11                                    |
    | 10   | 12   | 11     | 12, a conflict                        |
    | 10   | 12   | gone   | 12, a conflict                        |
    | 10   | gone | 11     | gone, a conflict                      |
    | 10   | gone | 10     | gone                                  |
    | none | 12   | none   | 12                                    |
    | none | none | 11     | 11                                    |

    asked: their list by which a person is asked already; what was in conflict then stays so until
    both are equal. is_lost: each difference between base and theirs is a conflict.
    """
    known, here, there = _by_id(base), _by_id(ours), _by_id(theirs)
    before = known if asked is None else _by_id(asked)
    kept: list[Variant] = []
    based: list[Variant] = []
    has_conflicts = False
    for id_ in dict.fromkeys((*there, *here)):
        sides = known.get(id_), here.get(id_), there.get(id_), before.get(id_)
        one, base_of_one, is_conflict = _joined_variant(*sides, is_lost=is_lost)
        kept += [one] if one else []
        based += [base_of_one] if base_of_one else []
        has_conflicts |= is_conflict
    return JoinedList(tuple(kept), tuple(based), has_conflicts)


def merged(base: Variants, ours: Variants, theirs: Variants) -> Variants:
    """Their list with what was changed here since the base."""
    return joined(base, ours, theirs).ours


def changed_in(base: Variants, ours: Variants, variant_id: str) -> dict[str, Any]:
    """The fields of a variant that our list changes, or all of one that it adds, with their
    values."""
    was, one = _by_id(base).get(variant_id), _by_id(ours).get(variant_id)
    if one is None:
        return {}
    names = [name for name in _COMPARED if _value(one, name) != _value(was, name)]
    return {name: getattr(one, name) for name in names}


def arrived(base: Variants, sent: Variants, theirs: Variants) -> Variants:
    """The base with what they have of the list that was sent to them."""
    known, going, there = map(_by_id, (base, sent, theirs))
    result = []
    for id_ in dict.fromkeys((*known, *going)):
        old, new, now = known.get(id_), going.get(id_), there.get(id_)
        if old and new and now:
            old = replace(
                old, **{n: getattr(new, n) for n in _COMPARED if _value(new, n) == _value(now, n)}
            )
        elif new is None and now is None:
            old = None
        elif new and now and _is_same_goods(new, now):
            old = new
        result += [old] if old else []
    return tuple(result)


def _is_same_goods(sent: Variant, theirs: Variant) -> bool:
    """Whether a variant that was sent is theirs, rather than one that another made of its code."""
    same_ean = sent.ean is not None and sent.ean == theirs.ean
    return same_ean or sent.variant_name == theirs.variant_name


def is_same(ours: Variants, theirs: Variants) -> bool:
    """Whether two lists have the same variants, of which a platform fills in missing fields."""
    return _compared(ours) == _compared(theirs)


def conflicts_in(base: Variants, ours: Variants, theirs: Variants) -> list[VariantConflict]:
    """What a person is asked about of two lists that were joined, by the base of that."""
    known, here, there = map(_by_id, (base, ours, theirs))
    result = []
    for id_ in dict.fromkeys((*there, *here)):
        was, one, other = known.get(id_), here.get(id_), there.get(id_)
        names = [
            name
            for name in _COMPARED
            if _value(one, name) != _value(other, name) != _value(was, name)
        ]
        if not names:
            continue
        if one is None or other is None:
            changed = [n for n in _COMPARED if _value(one or other, n) != _value(was, n)]
            names = changed if was and changed else ["price"]
        ours_of_one, theirs_of_one = _fields(one, names), _fields(other, names)
        result.append(VariantConflict(other or here[id_], ours_of_one, theirs_of_one))
    return result


def _fields(variant: Variant | None, names: Iterable[str]) -> dict[str, Any] | None:
    return None if variant is None else {name: getattr(variant, name) for name in names}


def _joined_variant(
    base: Variant | None,
    ours: Variant | None,
    theirs: Variant | None,
    asked: Variant | None,
    *,
    is_lost: bool,
) -> tuple[Variant | None, Variant | None, bool]:
    """The variant as it becomes, its base, and whether it is in conflict."""
    if ours is None or theirs is None:
        key = (_compared_one(one) for one in (base, ours, theirs, asked))
        takes_ours, is_conflict = _sides(*key, is_lost=is_lost)
        if not is_conflict:
            return ours if takes_ours else theirs, theirs, False
        is_theirs = _compared_one(base) == _compared_one(theirs)
        return ours, ours if is_theirs else base, True
    mine: dict[str, Any] = {}
    known: dict[str, Any] = {}
    for name in _COMPARED:
        values = [_value(one, name) for one in (base, ours, theirs, asked)]
        takes_ours, is_conflict = _sides(*values, is_lost=is_lost)
        if takes_ours:
            mine[name] = getattr(ours, name)
        if is_conflict:
            is_base = base is not None and values[0] != values[2]
            known[name] = getattr(base if is_base else ours, name)
    is_new = base is None and bool(known)
    return replace(theirs, **mine), None if is_new else replace(theirs, **known), bool(known)


def _sides(base: Any, ours: Any, theirs: Any, asked: Any, *, is_lost: bool) -> tuple[bool, bool]:
    """Whether our value counts, and whether a person decides about it."""
    if ours == theirs:
        return False, False
    if base != asked or (is_lost and base != theirs):
        return True, True
    return ours != base, base not in (ours, theirs)


def _value(variant: Variant | None, name: str) -> Any:
    if variant is None:
        return _ABSENT
    value = getattr(variant, name)
    return ProductType.PRODUCT if name == "product_type" and value is None else value


def _compared_one(variant: Variant | None) -> tuple[Any, ...]:
    return tuple(_value(variant, name) for name in _COMPARED)


def _compared(variants: Variants) -> dict[str, tuple[Any, ...]]:
    return {one.id: _compared_one(one) for one in variants}


def _by_id(variants: Variants) -> dict[str, Variant]:
    return {one.id: one for one in variants}
