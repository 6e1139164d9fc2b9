"""Where requests are taken: what the counter holds, who asks, and what came."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from pos_app.clock import Clock
from pos_app.domain.buyer import BuyerId
from pos_app.domain.operations import Asked, Operation
from pos_app.domain.warning import Warnings
from pos_app.fiscalization.handover_options import StoreRules
from pos_app.fiscalization.identity import receipt_id
from pos_app.fiscalization.lane import Lane
from pos_app.fiscalization.plans.rules import EsirRules
from pos_app.fiscalization.ports import Articles, Journal
from pos_app.fiscalization.sending import CallerWaits

SHORTEST_KEY, LONGEST_KEY = 16, 64


@dataclass(frozen=True, slots=True)
class IssuerSettings:
    """Who issues: the ESIR's number "IB/version", the shop's own PIB where it is set, its rules."""

    esir_number: str | None = None
    seller: BuyerId | None = None
    rules: EsirRules = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class FiscalService:
    """The journal, the lane behind it, and what requests are checked by."""

    journal: Journal
    lane: Lane
    articles: Articles
    clock: Clock
    issuer: IssuerSettings
    store: StoreRules


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. origin: the till's id, an account with its client, or "local".

    keyless: it sent no key; the one it has here was made for it (`new_key`). is_till: its sale goes
    before what other programs ask. epoch: the restore of the journal that its sale is newer than.
    is_from_before_restore: it reports a sale that was tried before one: never to be sent.
    has_waited: a sale that the till confirmed before its own start.
    """

    origin: str
    cashier: str
    waits: CallerWaits
    key: str
    keyless: bool = False
    till_sequence: int | None = None
    is_till: bool = False
    epoch: str | None = None
    is_from_before_restore: bool = False
    has_waited: bool = False

    @property
    def receipt_id(self) -> str:
        """The id under which what it asks for can be looked up, whether it was stored or not."""
        return receipt_id(origin=self.origin, key=self.key)

    @property
    def repeats_no_old_key(self) -> bool:
        """A till looks its key up before it drops a sale; a key made here has never been sent."""
        return self.is_till or self.keyless


def new_key() -> str:
    """A key for a request that came without one."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class IncomingRequest:
    """What came: its bytes, the hash of what it asks for, and how to read it.

    target: the request id of the receipt that it acts on, None when it issues one. `read` raises
    Invalid; it is called only when the key does not answer already, and so is `notice`, which tells
    what of it was ignored.
    """

    body: bytes
    body_hash: bytes
    read: Callable[[], Asked]
    operation: Operation = Operation.ISSUE
    target: str | None = None
    notice: Callable[[], Warnings] = tuple


def body_hash(
    canonical: bytes, *, operation: Operation = Operation.ISSUE, target: str | None = None
) -> bytes:
    """The hash that tells whether two requests ask for the same."""
    aim = b"" if target is None else f"{operation} {target}\0".encode()
    return hashlib.sha256(aim + canonical).digest()
