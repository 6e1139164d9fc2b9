"""The bodies by which a caller adds or changes a store.

Source: platform-api.md (Store), platform-contract.md 2.3 to 2.5 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, PlainValidator

from pos_app.wire.input import RESPONSE_ONLY, Input, Name, one_of, read_input, wrong
from pos_app.wire.store import method_name

DEFAULTS: Mapping[str, Any] = {
    "name": None,
    "address": None,
    "city": None,
    "zip": None,
    "gln": None,
    "phone": None,
    "language": "sr-Cyrl-RS",
    "printMethod": {"thermal": True, "a4": True, "email": True},
    "printBankAccounts": False,
    "printDiscounts": False,
    "paymentMethodsOrder": None,
    "productPickerType": "grid",
    "isSoundEnabled": True,
    "defaultUnknownAmountAdvance": False,
}
"""The members of a store, in the order of the specification."""


def _method(value: object) -> object:
    """Check a method, and keep it as it was sent."""
    method_name(value)
    if isinstance(value, Mapping) and len(value) > 1:
        raise wrong("may have nothing but a name")
    return value


class _PrintMethodInput(Input):
    """A caller's print methods, exact about every member, where `wire.store` reads a platform's."""

    thermal: bool = False
    a4: Annotated[bool, Field(alias="a4")] = False
    email: bool = False


class StoreInput(Input):
    """The body of adding or changing a store."""

    name: Name = ""
    address: str | None = None
    city: str | None = None
    zip: str | None = None
    gln: str | None = None
    phone: str | None = None
    language: Annotated[str, PlainValidator(one_of("sr-Cyrl-RS", "sr-Latn-RS"))] | None = None
    print_method: _PrintMethodInput | None = None
    print_bank_accounts: bool | None = None
    print_discounts: bool | None = None
    payment_methods_order: list[list[Annotated[Any, PlainValidator(_method)]]] | None = None
    product_picker_type: Annotated[str, PlainValidator(one_of("list", "grid"))] | None = None
    is_sound_enabled: bool | None = None
    default_unknown_amount_advance: bool | None = None


def read_store(document: object, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """All members of the store that `document` adds, or of the store `before` as it changes it. A
    null member gets its default again. Raises Invalid naming every field at fault."""
    required = ("name",) if before is None else ()
    shape = read_input(StoreInput, document, ignored=RESPONSE_ONLY, required=required)
    members = dict(DEFAULTS) if before is None else {name: before[name] for name in DEFAULTS}
    sent = shape.model_dump(by_alias=True, exclude_unset=True)
    if shape.print_method is not None:  # the members left out get their defaults
        sent["printMethod"] = shape.print_method.model_dump(by_alias=True)
    for name, value in sent.items():
        members[name] = DEFAULTS[name] if value is None else value
    return members
