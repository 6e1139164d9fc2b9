"""The application that a receipt is for, in a body or a query. Source: platform-contract.md 2.6."""

from __future__ import annotations

from collections.abc import Mapping

from pos_app.characters import has_controls
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """The addressed client or store; at least one is set, and ids are in small letters. store is
    None where it equals the client, as clients of the original service send it."""

    client: str | None
    store: str | None


def place_of(members: Mapping[str, object]) -> Place:
    """The client and store that a body or a query names. Raises Invalid naming the member."""
    client, store = _id(members, "clientId"), _id(members, "storeId")
    if client is None and store is None:
        raise Invalid('"clientId" is required', field="clientId")
    return Place(client, None if store == client else store)


def _id(members: Mapping[str, object], name: str) -> str | None:
    value = members.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Invalid(f'"{name}" must be a string', field=name)
    if not value:
        raise Invalid(f'"{name}" is not allowed to be empty', field=name)
    if has_controls(value):
        raise Invalid(f'"{name}" must not contain control characters', field=name)
    return value.lower()


def wants_link(document: Mapping[str, object]) -> bool:
    """Whether the answer should have a link to a PDF."""
    delivery = document.get("receiptDelivery")
    return isinstance(delivery, Mapping) and delivery.get("pdf") is True
