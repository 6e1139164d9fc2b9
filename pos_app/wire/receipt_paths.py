"""The paths of requests for receipts and look-ups, the same on the local API and on the platform,
and the application that a request is for, in a body or a query.

Source: platform-contract.md 1, 2.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from pos_app.characters import has_controls
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

RECEIPTS = "/fiscalization/receipts"
LONGEST_REFERENCE = 200
"""The most characters of a reference for a look-up: an id, a number, or a key."""
PLACE = frozenset({"clientId", "storeId"})
"""The members that name the application on the platform; the local API reads neither."""
ANSWERED_WITHIN = 20
"""Seconds that the documentation tells callers to wait for an answer."""


def asked_of(reference: str, *, client_id: str) -> str:
    """The path, with its query, that looks a receipt up at one application through the platform."""
    return f"{RECEIPTS}/{quote(reference, safe='')}?clientId={quote(client_id, safe='')}"


def is_reference(text: str) -> bool:
    """Whether a text may refer to a receipt: its id, its number, or its key."""
    return 0 < len(text) <= LONGEST_REFERENCE and not has_controls(text)


@dataclass(frozen=True, slots=True)
class Addressee:
    """The addressed client or store; at least one is set, and ids are in small letters. store is
    None where it equals the client, as clients of the original service send it."""

    client: str | None
    store: str | None


def addressee_of(members: Mapping[str, object]) -> Addressee:
    """The client and store that a body or a query names. Raises Invalid naming the member."""
    client, store = _id(members, "clientId"), _id(members, "storeId")
    if client is None and store is None:
        raise Invalid("required", field="clientId")
    return Addressee(client, None if store == client else store)


def _id(members: Mapping[str, object], name: str) -> str | None:
    value = members.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Invalid("string", field=name)
    if not value:
        raise Invalid("not_empty", field=name)
    if has_controls(value):
        raise Invalid("no_control_characters", field=name)
    return value.lower()


def wants_link(document: Mapping[str, object]) -> bool:
    delivery = document.get("receiptDelivery")
    return isinstance(delivery, Mapping) and delivery.get("pdf") is True
