"""What the local API server tells the till beside receipts: how it and its processor stand.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`).
A member that may be None may be missing in what is read, and `metadata` bounds what is taken.
Instants are UTC. Texts of state, reason and trouble are the server's words: a newer server may know
others.
Source: platform-contract.md 3, exactly-once.md, till.md ("Attention").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.states import AlarmKind, JobMethod, JobState, LookAnswer
from pos_app.domain.tax import TaxRates
from pos_app.lazy_dataclass import dataclass

# --- the journal ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JournalMark:
    """The last row of a journal's history. id: of the journal. rows: the row's number, 0 when
    there is none yet. hash: hex, over all rows up to it, so it stands for all of them.
    """

    id: str
    rows: int = field(metadata={"ge": 0, "le": 2**63 - 1})
    hash: str = field(default="", metadata={"max_length": 64})


@dataclass(frozen=True, slots=True)
class JournalCompared:
    """What the journal says to what the till remembers of it. agrees: it has that row.

    last_sequence, last_key: this till's last sale that it knows. epoch: of its last restore.
    """

    journal: JournalMark
    agrees: bool
    last_sequence: int | None = None
    last_key: str | None = None
    epoch: str | None = None


@dataclass(frozen=True, slots=True)
class JournalRestored:
    """The journal was found to be an older or another one, and no manager has closed the mark.

    epoch: names it; what is frozen by a till that knows it is newer. why: a RestoreFound, or the
    word of a newer server.
    """

    epoch: str
    since: datetime
    why: str


# --- the processor -------------------------------------------------------------------------------


class ProcessorState(StrEnum):
    """Whether receipts can be signed now."""

    READY = "ready"
    AWAY = "away"
    PIN = "pin"
    CARD = "card"
    ELEMENT = "element"
    """It shows another secure element than the one in use, or none, or lost receipts of it."""
    LIMIT = "limit"
    DOUBT = "doubt"
    NOT_CONFIGURED = "not_configured"
    CERTIFICATE = "certificate"
    """Of a V-PFR: it and the server do not trust each other, or the PAC is wrong."""
    DISK = "disk"
    """Not its fault: the server's disk is nearly full, so nothing is sent to it."""


@dataclass(frozen=True, slots=True)
class OfferedElement:
    """A secure element that is there in place of the known one; a manager may accept it."""

    uid: str
    known: str


@dataclass(frozen=True, slots=True)
class ProcessorStatus:
    """The fiscal processor. code: its own, may be "". words: English. uid: of the secure element
    in use, None before one was told. url: None where none is set. certificate_ends: of a V-PFR.
    unread: members of its status, as it spells them, that can't be read and decide nothing.
    needs_audit: whether its receipts have to be read out soon; None where it does not say."""

    kind: str
    state: ProcessorState
    code: str = ""
    words: str = ""
    uid: str | None = None
    url: str | None = None
    offered: OfferedElement | None = None
    certificate_ends: datetime | None = None
    unread: tuple[str, ...] = ()
    needs_audit: bool | None = None


# --- the platform --------------------------------------------------------------------------------


class PublicModeState(StrEnum):
    """Whether other programs can issue receipts here through the platform."""

    OFF = "off"
    NOT_CONFIGURED = "not_configured"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    AWAY = "away"
    """The platform can't be reached; tried again."""
    REFUSED = "refused"
    """It does not let this server in; tried again, slowly."""


@dataclass(frozen=True, slots=True)
class PublicNotice:
    """What the platform told that a person should see, as another application that was refused in
    favour of this one. since: when it was first told. name: of that application, may be "".
    words: English."""

    since: datetime
    code: str
    name: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class PublicMode:
    """The connection to the platform. since: of this state. code: why it is refused or away, in a
    word: "credentials", "scope", "too_many", "taken" …; may be "". words: English. by: name of the
    application that has the place, "" where it is refused for something else.

    newcomer: who was refused in favour of this one since it is connected. client_id: what other
    programs name. cloned_since: since when it is known that another computer connects with a copy
    of this installation, in turns with it; None where it does not.
    """

    state: PublicModeState
    since: datetime
    code: str = ""
    words: str = ""
    url: str = ""
    client_id: str = ""
    store_id: str = ""
    by: str = ""
    newcomer: PublicNotice | None = None
    cloned_since: datetime | None = None


class SyncState(StrEnum):
    """How the last synchronisation with the platform ended."""

    NOT_YET = "not_yet"
    DONE = "done"
    TO_DECIDE = "to_decide"
    """All was asked; a person has to decide something."""
    AWAY = "away"
    """The platform was not reached, or refuses this installation; tried again."""
    FAILED = "failed"
    """This machine or its settings; tried again."""


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """The synchronisations that a program starts. at: the end of the last one; done_at: of the last
    one to which the platform answered all. code: what was wrong, in a word: "platform_key",
    "not_delivered" …; may be "". words: English.
    """

    state: SyncState = SyncState.NOT_YET
    at: datetime | None = None
    done_at: datetime | None = None
    code: str = ""
    words: str = ""


# --- what is without an outcome ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenReceipt:
    """A request without an outcome. state: a RequestState. total: of the receipt.

    half_done: it is the refused receipt of a pair, what it belongs to is signed.
    """

    receipt_id: str
    key: str | None
    state: str
    since: datetime
    total: Money | None
    half_done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUpTried:
    """Look-ups in a row at the processor that ended the same: the first at `since`, the last at
    `at`. counter: what the processor had reached, None where it counts none."""

    since: datetime
    at: datetime
    times: int = 1
    answer: LookAnswer
    counter: int | None = None


@dataclass(frozen=True, slots=True)
class SignedPart:
    """A receipt of a half-done pair that is signed. at: when, by the processor."""

    receipt_id: str
    number: str
    at: datetime
    total: Money
    invoice_type: InvoiceType
    transaction_type: TransactionType


@dataclass(frozen=True, slots=True)
class WaitingPart:
    """The receipt of the pair that is not signed. code: the processor's, may be "". message:
    English, what the code means. is_reversal: it was to undo what is signed."""

    invoice_type: InvoiceType
    transaction_type: TransactionType
    total: Money
    code: str = ""
    message: str = ""
    is_reversal: bool = False


@dataclass(frozen=True, slots=True)
class HalfDonePair:
    """Receipts that belong together, one of them not signed. signed: at least one.

    ways: of "again", "correct" and "reverse" those that are open now; none while the other receipt
    may be signed.
    """

    operation: Operation
    signed: tuple[SignedPart, ...] = field(metadata={"min_length": 1})
    waiting: WaitingPart
    ways: tuple[str, ...] = ()

    @property
    def first(self) -> SignedPart:
        """The receipt that the other one was to follow."""
        return self.signed[0]


@dataclass(frozen=True, slots=True)
class ReceiptInDoubt(OpenReceipt):
    """A request that may have been signed, or the refused half of a pair.

    reason: English. counter_before, counter_now: the processor's, where it counts. pair: where
    something that belongs to it is signed.
    """

    reason: str = ""
    lookups: tuple[LookUpTried, ...] = ()
    counter_before: int | None = None
    counter_now: int | None = None
    pair: HalfDonePair | None = None


# --- for a person --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alarm:
    """What a manager has to see, from `since` to `at`. receipts: how many it tells of.

    LATE_RECEIPT: number, total, signed_at, and the receipt that its sale can't take.
    FOREIGN_TRAFFIC: how many receipts others signed, and between which counters; all of it that
    was not seen is one alarm, with the id of the last.
    ECHO: differs, the members of the processor's answer that are not equal to what was sent; those
    that differ alike are one alarm, with the number and the receipt of the last.
    CATALOGUE_DAMAGED: id 0, which no other has; it is told for as long as it is so.
    """

    id: int
    what: AlarmKind
    since: datetime
    at: datetime
    receipts: int = 1
    receipt_id: str | None = None
    number: str | None = None
    total: Money | None = None
    signed_at: datetime | None = None
    counter_before: int | None = None
    counter_now: int | None = None
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeliveryJob:
    """A receipt, or a paper of the till's own, that is to be printed or sent.

    receipt_id, number: None for the till's own: a paper, or the drawer's pulse. total: of the
    receipt, told with the status alone; None also where it can't be read. target: the address of a
    mail, else "". attempts: since a person asked last. trouble: why it is not done yet, None before
    that; words: English, for logs.
    """

    id: int
    method: JobMethod
    state: JobState
    since: datetime
    changed_at: datetime
    receipt_id: str | None = None
    number: str | None = None
    total: Money | None = None
    target: str = ""
    attempts: int = 0
    trouble: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class RefusedCaller:
    """A request that the server's guard refused. Texts are as they were sent, cut to 200
    characters.

    reason: the guard's word: "host", "origin", "site", "api_off", "token", "lan" …
    setting, entry: what added to which list of the settings would let it past that; "" where
    nothing would.
    """

    at: datetime
    reason: str
    message: str
    method: str
    path: str
    host: str = ""
    origin: str = ""
    setting: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True)
class ToldHeader:
    """A header of a request, as it was sent; what is secret in it is left out."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ToldRequest:
    """A request of another program that was let in. What is secret or a buyer's is left out, and
    what is long is cut.

    number: upward from 1 since the server started. target: path and query as they were sent.
    status: 0 where nothing was answered. error: the words of an answer that is none of success.
    headers, body: None in a list of many. is_cut: the body is not whole, is_masked: something of
    it or of the headers is left out.
    """

    number: int
    at: datetime
    method: str
    target: str
    status: int
    took_ms: int
    error: str = ""
    host: str = ""
    headers: tuple[ToldHeader, ...] | None = None
    body: str | None = None
    is_cut: bool = False
    is_masked: bool = False

    @property
    def failed(self) -> bool:
        return not 200 <= self.status < 400


@dataclass(frozen=True, slots=True)
class KeptSecret:
    """A secret that a person gives the server by itself. elsewhere: the variable or file that gives
    it in place of the till; "" for none."""

    name: str
    is_set: bool
    elsewhere: str = ""


LISTS: Mapping[type, str] = MappingProxyType(
    {
        ReceiptInDoubt: "doubts",
        DeliveryJob: "jobs",
        RefusedCaller: "refusals",
        ToldRequest: "requests",
        KeptSecret: "secrets",
    }
)
"""What the server lists for the till, and the word by which the till asks for it."""


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What works now. not_fiscal: receipts are practice (development processor).

    jobs: those in trouble, first those that wait for a person; jobs_left_off: how many more are,
    of each method 1,000 at most. synchronisation: None where the till starts it. seller_pib: the
    tax number that the shop sells under, which a refund for an error of its own names; "" while it
    is not known.
    """

    processor: ProcessorStatus
    rates: tuple[TaxRates, ...] = ()
    open: tuple[OpenReceipt, ...] = ()
    not_fiscal: bool = False
    alarms: tuple[Alarm, ...] = ()
    jobs: tuple[DeliveryJob, ...] = ()
    jobs_left_off: int = 0
    restored: JournalRestored | None = None
    public_mode: PublicMode | None = None
    synchronisation: Synchronisation | None = None
    seller_pib: str = ""
