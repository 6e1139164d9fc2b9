"""The paths of requests for receipts and look-ups, the same on the local API and on the platform.

Source: platform-contract.md 1.
"""

from __future__ import annotations

from urllib.parse import quote

from pos_app.characters import has_controls

RECEIPTS = "/fiscalization/receipts"
LONGEST_REFERENCE = 200
"""The most characters of a reference for a look-up: an id, a number, or a key."""
ANSWERED_WITHIN = 20
"""Seconds that the documentation tells callers to wait for an answer."""


def asked_of(reference: str, *, client_id: str) -> str:
    """The path, with its query, that looks a receipt up at one application through the platform."""
    return f"{RECEIPTS}/{quote(reference, safe='')}?clientId={quote(client_id, safe='')}"


def is_reference(text: str) -> bool:
    """Whether a text may refer to a receipt: its id, its number, or its key."""
    return 0 < len(text) <= LONGEST_REFERENCE and not has_controls(text)
