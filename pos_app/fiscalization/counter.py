"""Where requests are taken: what the counter holds, who asks, and what came."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from pos_app.domain.request import IssueRequest
from pos_app.fiscalization.delivery import StoreRules
from pos_app.fiscalization.lane import Lane
from pos_app.fiscalization.plan import Issuer
from pos_app.fiscalization.ports import Articles, Clock, Journal
from pos_app.fiscalization.sending import CallerWaits

SHORTEST_KEY, LONGEST_KEY = 16, 64


@dataclass(frozen=True, slots=True)
class Counter:
    """The journal, the lane behind it, and what requests are checked by."""

    journal: Journal
    lane: Lane
    articles: Articles
    clock: Clock
    issuer: Issuer
    store: StoreRules


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. origin: the till's id, an account with its client, or "local"."""

    origin: str
    cashier: str
    waits: CallerWaits
    key: str | None = None
    till_sequence: int | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """What came: its bytes, the hash of its canonical form, and how to read it. `read` raises
    Invalid; it is called only when the key does not answer already."""

    body: bytes
    body_hash: bytes
    read: Callable[[], IssueRequest]


def body_hash(canonical: bytes) -> bytes:
    """The hash that tells whether two bodies ask for the same."""
    return hashlib.sha256(canonical).digest()
