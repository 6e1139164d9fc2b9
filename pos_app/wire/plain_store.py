"""Stores as the catalogue keeps them, read without a shape: a till shows its store before the first
scan, and shapes are loaded after that. A store with an unusual value is left to `wire.store`; for
others both give the same result.

Source: platform-api.md (Store), platform-contract.md 2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pos_app.domain.article import store
from pos_app.domain.article.fields import STORE_FIELDS, FieldKind
from pos_app.errors import Invalid


def plain_store(document: object) -> store.Store | None:
    """The store in a value of `strict_json`, or None when `store_from_json` has to read it."""
    if type(document) is not dict:
        return None
    try:
        members = {
            field.name: _READ[field.kind](document[field.wire_name])
            for field in STORE_FIELDS
            if document.get(field.wire_name) is not None
        }
        return store.Store(id=_text(document.get("id")), name=members.pop("name", ""), **members)
    except (ValueError, Invalid):
        return None


def _of(kind: type) -> Callable[[Any], Any]:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise ValueError
        return value

    return read


_flag, _list, _members = _of(bool), _of(list), _of(dict)


def _text(value: object) -> str:
    if type(value) is not str or not value:
        raise ValueError
    return value


def _print_method(value: object) -> store.PrintMethod:
    ways = (_members(value).get(name) for name in ("thermal", "a4", "email"))
    return store.PrintMethod(*(way is not None and _flag(way) for way in ways))


def _payment_order(value: object) -> store.PaymentOrder:
    return tuple(tuple(map(_text, _list(row))) for row in _list(value))


_READ: Mapping[FieldKind, Callable[[Any], Any]] = {
    FieldKind.NAME: _text,
    FieldKind.TEXT: _of(str),
    FieldKind.FLAG: _flag,
    FieldKind.LANGUAGE: store.ReceiptLanguage,
    FieldKind.PICKER_TYPE: store.PickerType,
    FieldKind.PRINT_METHOD: _print_method,
    FieldKind.PAYMENT_ORDER: _payment_order,
}
