"""The fiscal service, the callers whose requests it answers, and the requests as they came."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from pos_app.clock import Clock
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Operation, OperationRequest
from pos_app.domain.receipt.receipt import Warnings
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.request import PlatformArticle
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.lane.sending import CallerWaits
from pos_app.fiscalization.plans.shop_choices import ShopChoices
from pos_app.fiscalization.ports import (
    Articles,
    Journal,
    ReceiptReader,
    SetAside,
    TillAct,
    TillActs,
)
from pos_app.fiscalization.present_callers import PresentCallers
from pos_app.lazy_dataclass import dataclass

T = TypeVar("T")


def always_in_vat() -> bool:
    return True


def nothing_set_aside(ask: Callable[[ReceiptReader], T]) -> tuple[Sequence[T], bool]:
    return (), True


class NoTill:
    """Implements `ports.TillActs` where there is no till's file."""

    def on(self, receipt_ids: Collection[str]) -> Sequence[TillAct]:
        return ()

    def is_undone(self, act: TillAct) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class IssuerSettings:
    """esir_number: the number of our ESIR, "IB/version". seller: the shop's own PIB as a buyer's
    id, or None. in_vat: whether the shop is in the system of VAT now; it is asked for each request,
    because a manager changes it while the server runs."""

    esir_number: str | None = None
    seller: BuyerId | None = None
    rules: ShopChoices = field(kw_only=True)
    in_vat: Callable[[], bool] = always_in_vat


@dataclass(frozen=True, slots=True)
class FiscalService:
    """The journal, its lane, and the data with which requests are checked. set_aside: the journals
    that backups replaced. till_acts: what the till's file knows of acts on receipts. present: the
    callers whose requests without a key are under way."""

    journal: Journal
    lane: Lane
    articles: Articles
    clock: Clock
    issuer: IssuerSettings
    store: StoreRules
    set_aside: SetAside = nothing_set_aside
    till_acts: TillActs = field(default_factory=NoTill)
    present: PresentCallers = field(default_factory=PresentCallers)


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request. origin: in whose name `key` counts (`domain.receipt_identity`).

    keyless: the caller sent no key. `key` is then from `new_key`, and an earlier identical request
    may be the same sale. has_new_key: the relaying platform made the key, knows that the request is
    no repetition, and hands it over for the first time. may_be_begun: the relaying platform handed
    the key over before, and a server may have carried it out. is_till: the caller is the till,
    whose requests go before those of other programs. epoch: the last restore of the journal before
    the sale. is_from_before_restore: the till only reports a sale that it tried to send before a
    restore; it is never sent. is_provable: for such a report, the processor's "not found" proves
    that there is no receipt, because the till's file is newer than the journal, and the processor
    still finds a receipt from before the sale. has_waited: the sale was confirmed before the till's
    last start. left_seconds: how long the caller waits from acceptance, if that is shorter than
    usual. articles: the relaying platform's articles by code; [] for a code that it no longer
    sells. corrects_after: the key of the refund whose lines a correction sells once more.
    """

    origin: str
    cashier: str
    waits: CallerWaits
    key: str
    keyless: bool = False
    has_new_key: bool = False
    may_be_begun: bool = False
    till_sequence: int | None = None
    is_till: bool = False
    epoch: str | None = None
    is_from_before_restore: bool = False
    is_provable: bool = False
    has_waited: bool = False
    left_seconds: float | None = None
    articles: Mapping[int, Sequence[PlatformArticle]] = field(default_factory=dict)
    corrects_after: str | None = None

    @property
    def receipt_id(self) -> str:
        """The id by which the receipt is looked up, even if the request was never stored."""
        return receipt_id(origin=self.origin, key=self.key)

    @property
    def is_new(self) -> bool:
        """Whether the key was surely never sent before."""
        return self.keyless or self.has_new_key

    @property
    def repeats_no_old_key(self) -> bool:
        """Whether the caller surely does not send a key again that it sent long ago. A till does
        not, because it looks up the key before it voids a sale."""
        return self.is_till or self.is_new


def new_key() -> str:
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class IncomingRequest:
    """A request as it was received.

    body_hash: the hash of its content. read: reads the body; raises Invalid. notice: returns
    warnings about members that were ignored. Both are called only if the key has no answer yet.
    target: the request id of the receipt that the operation acts on, or None for a new receipt.
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
