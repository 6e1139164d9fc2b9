"""The JSON of a store, to and from the domain.

Source: platform-api.md (Store), platform-contract.md 2.5, 4.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator

from pos_app.domain.article.store import PickerType, PrintMethod, ReceiptLanguage, Store
from pos_app.wire.input import wrong
from pos_app.wire.reading import Shape, read
from pos_app.wire.strict_json import loads

_Text = Annotated[str, Field(min_length=1)]


class _PrintMethod(Shape):
    thermal: bool = False
    a4: Annotated[bool, Field(alias="a4")] = False
    email: bool = False


def method_name(value: object) -> str | int | Decimal:
    """A method's name, or the name of an object, which clients of the original service send."""
    named = value.get("name") if isinstance(value, dict) else value
    if isinstance(named, str | int | Decimal) and not isinstance(named, bool):
        return named
    raise wrong("must be one of [string, number, object with a name]")


class StoreShape(Shape):
    """A store on the wire without its id: the body of adding one."""

    name: _Text
    address: str | None = None
    city: str | None = None
    zip: str | None = None
    gln: str | None = None
    phone: str | None = None
    language: Literal["sr-Cyrl-RS", "sr-Latn-RS"] = "sr-Cyrl-RS"
    print_method: _PrintMethod | None = None
    print_bank_accounts: bool = False
    print_discounts: bool = False
    payment_methods_order: list[list[Annotated[Any, PlainValidator(method_name)]]] | None = None
    product_picker_type: Literal["list", "grid"] = "grid"
    is_sound_enabled: bool = True
    default_unknown_amount_advance: bool = False


class _ListedStore(StoreShape):
    id: _Text


def store_from_json(document: object) -> Store:
    """A store as a platform lists it; a missing member has the contract's default. Raises Invalid
    naming the field."""
    shape = read(_ListedStore, document)
    return store_of(shape, store_id=shape.id)


def store_of(shape: StoreShape, *, store_id: str) -> Store:
    given, order = shape.print_method, shape.payment_methods_order
    return Store(
        id=store_id,
        name=shape.name,
        address=shape.address,
        city=shape.city,
        zip=shape.zip,
        gln=shape.gln,
        phone=shape.phone,
        language=ReceiptLanguage(shape.language),
        print_method=given if given is None else PrintMethod(given.thermal, given.a4, given.email),
        print_bank_accounts=shape.print_bank_accounts,
        print_discounts=shape.print_discounts,
        payment_methods_order=None if order is None else tuple(tuple(row) for row in order),
        product_picker_type=PickerType(shape.product_picker_type),
        is_sound_enabled=shape.is_sound_enabled,
        default_unknown_amount_advance=shape.default_unknown_amount_advance,
    )


def store_to_json(store: Store) -> dict[str, Any]:
    """A store as a platform answers it, every member present."""
    given, order = store.print_method, store.payment_methods_order
    return {
        "id": store.id,
        "name": store.name,
        "address": store.address,
        "city": store.city,
        "zip": store.zip,
        "gln": store.gln,
        "phone": store.phone,
        "language": store.language.value,
        "printMethod": given and {"thermal": given.thermal, "a4": given.a4, "email": given.email},
        "printBankAccounts": store.print_bank_accounts,
        "printDiscounts": store.print_discounts,
        "paymentMethodsOrder": order and [[_echoed(name) for name in row] for row in order],
        "productPickerType": store.product_picker_type.value,
        "isSoundEnabled": store.is_sound_enabled,
        "defaultUnknownAmountAdvance": store.default_unknown_amount_advance,
    }


def _echoed(name: str | int | Decimal) -> str | int | Decimal:
    return str(name) if isinstance(name, str) else name


def versions_of(text: str) -> dict[str, str]:
    """`updatedAt` of each store of a list, by id, where it has one. Raises MalformedJson."""
    listed = loads(text)
    rows = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return {str(one["id"]): version_of(one) for one in rows if version_of(one)}


def version_of(document: object) -> str:
    """`updatedAt` of a store as it is listed, "" where it has none."""
    return str(document.get("updatedAt") or "") if isinstance(document, dict) else ""


def changed_members(before: Store, after: Store) -> dict[str, Any]:
    """The body of a PATCH that turns one into the other: the members that differ."""
    then, now = store_to_json(before), store_to_json(after)
    return {name: value for name, value in now.items() if value != then.get(name)}
