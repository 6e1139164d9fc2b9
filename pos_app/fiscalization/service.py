"""The fiscal service that answers requests, their caller, and the request as received."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from pos_app.clock import Clock
from pos_app.domain.buyer import BuyerId
from pos_app.domain.operations import Operation, OperationRequest
from pos_app.domain.receipt import Warnings
from pos_app.domain.receipt_identity import receipt_id
from pos_app.domain.request import PlatformArticle
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.lane.sending import CallerWaits
from pos_app.fiscalization.plans.shop_choices import ShopChoices
from pos_app.fiscalization.ports import Articles, Journal
from pos_app.fiscalization.present_callers import PresentCallers
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class IssuerSettings:
    """esir_number: "IB/version". seller: the shop's own PIB as a buyer, or None."""

    esir_number: str | None = None
    seller: BuyerId | None = None
    rules: ShopChoices = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class FiscalService:
    """The journal, its lane, and the data for checking requests. present: the callers of requests
    without a key that are under way."""

    journal: Journal
    lane: Lane
    articles: Articles
    clock: Clock
    issuer: IssuerSettings
    store: StoreRules
    present: PresentCallers = field(default_factory=PresentCallers)


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request. origin: the till's id, an account with its client, or "local".

    keyless: it sent no key; the one here is from `new_key`, and an identical request may be the
    same one. has_new_key: the relaying platform made its key, knows that it is no repetition, and
    hands it over for the first time. is_till: it goes before other programs' requests. epoch: the
    restore of the journal that its sale is newer than. is_from_before_restore: it reports a sale
    that was tried before a restore and is never sent. is_provable: such a report, where the till's
    file is newer than the journal, and the processor still finds a receipt from before the sale.
    has_waited: a sale that was confirmed before the till's last start. left_seconds: the time for
    which it waits from acceptance, where that is shorter than usual. articles: the relaying
    platform's articles by code; [] for a code that it no longer sells.
    """

    origin: str
    cashier: str
    waits: CallerWaits
    key: str
    keyless: bool = False
    has_new_key: bool = False
    till_sequence: int | None = None
    is_till: bool = False
    epoch: str | None = None
    is_from_before_restore: bool = False
    is_provable: bool = False
    has_waited: bool = False
    left_seconds: float | None = None
    articles: Mapping[int, Sequence[PlatformArticle]] = field(default_factory=dict)

    @property
    def receipt_id(self) -> str:
        """The id by which the receipt is looked up, whether or not the request was stored."""
        return receipt_id(origin=self.origin, key=self.key)

    @property
    def is_new(self) -> bool:
        """Whether its key was surely never sent before."""
        return self.keyless or self.has_new_key

    @property
    def repeats_no_old_key(self) -> bool:
        """Whether it never repeats an old key: a till looks its key up before it voids a sale."""
        return self.is_till or self.is_new


def new_key() -> str:
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class IncomingRequest:
    """A request as received: its bytes, the hash of its content, and its reader.

    target: the request id of the receipt that it acts on, or None when it issues one. `read` raises
    Invalid. `notice` warns of members that were ignored. Both are called only where the key has no
    answer yet.
    """

    body: bytes
    body_hash: bytes
    read: Callable[[], OperationRequest]
    operation: Operation = Operation.ISSUE
    target: str | None = None
    notice: Callable[[], Warnings] = tuple


def body_hash(
    canonical: bytes, *, operation: Operation = Operation.ISSUE, target: str | None = None
) -> bytes:
    prefix = b"" if target is None else f"{operation} {target}\0".encode()
    return hashlib.sha256(prefix + canonical).digest()
