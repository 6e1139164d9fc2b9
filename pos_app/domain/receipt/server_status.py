"""The local API server's reports to the till beside receipts: its own state and its processor's.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`). A
member that may be None may be missing in the JSON, and `metadata` bounds its value. Instants are
UTC. Texts of state, reason and trouble are the server's words: a newer server may know others.
Source: platform-contract.md 3, exactly-once.md, till.md ("Attention").
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxRates
from pos_app.domain.receipt import states
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.lazy_dataclass import dataclass

# --- the journal ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JournalMark:
    """The last row of a journal's history. id: the journal's id. rows: the row's number, 0 before
    the first. hash: the hash over all rows up to the last, as hex."""

    id: str
    rows: int = field(metadata={"ge": 0, "le": 2**63 - 1})
    hash: str = field(default="", metadata={"max_length": 64})


@dataclass(frozen=True, slots=True)
class JournalCompared:
    """The journal compared with the till's memory of it. agrees: the journal has the row that the
    till remembers. last_sequence, last_key: the last sale of this till that the journal knows.
    epoch: the name of the journal's last restore."""

    journal: JournalMark
    agrees: bool
    last_sequence: int | None = None
    last_key: str | None = None
    epoch: str | None = None


@dataclass(frozen=True, slots=True)
class JournalRestored:
    """The journal was found to be an older or another one, and no manager has closed the mark.

    epoch: the name of this restore; a sale that was frozen by a till which knew this name is newer.
    why: a RestoreFound, or the word of a newer server.
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
    """The processor shows another secure element than the one in use, or none, or it lost receipts
    of the one in use."""
    LIMIT = "limit"
    DOUBT = "doubt"
    NOT_CONFIGURED = "not_configured"
    CERTIFICATE = "certificate"
    """A V-PFR and the server do not trust each other, or the PAC is wrong."""
    DISK = "disk"
    """The server's disk is nearly full, so nothing is sent to the processor."""


@dataclass(frozen=True, slots=True)
class OfferedElement:
    """A secure element that was found in place of the known one; a manager may accept it."""

    uid: str
    known: str


@dataclass(frozen=True, slots=True)
class ProcessorStatus:
    """The fiscal processor. code: the processor's own code, may be "". words: English. uid: the UID
    of the secure element in use, None before the first. url is None if no address is set.
    certificate_ends: the end of a V-PFR's certificate. unread: members of the processor's status,
    as it spells them, that can't be read and decide nothing. needs_audit: whether the element's
    receipts have to be read out soon, or None if the processor does not report it."""

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
    """The platform can't be reached; the server tries again."""
    REFUSED = "refused"
    """The platform does not let this server in; the server tries again, slowly."""


@dataclass(frozen=True, slots=True)
class PublicNotice:
    """A notice of the platform for a person, for example that another application was refused in
    favour of this one. since: the first report. name: the name of that application, may be "".
    words: English."""

    since: datetime
    code: str
    name: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class PublicMode:
    """The connection to the platform. since: the beginning of this state. code: why it is refused
    or away, in a word: "credentials", "scope", "too_many", "taken" …; may be "". words: English.
    by: the name of the application that is connected in its stead, "" where it is refused for
    another reason.

    newcomer: a notice of another application that was refused in favour of this one. client_id: the
    name by which other programs reach this one. cloned_since: the instant since when another
    computer is known to connect with a copy of this installation, in turns with it, or None.
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
    """The end of the last synchronisation with the platform."""

    NOT_YET = "not_yet"
    DONE = "done"
    TO_DECIDE = "to_decide"
    """The platform answered all; a person has to decide something."""
    AWAY = "away"
    """The platform was not reached, or refuses this installation; the program tries again."""
    FAILED = "failed"
    """This machine or its settings had a fault; the program tries again."""


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """The synchronisations that a program starts. at: the end of the last one; done_at: the end of
    the last one that got all answers of the platform. code: the fault in a word: "platform_key",
    "not_delivered" …; may be "". words: English."""

    state: SyncState = SyncState.NOT_YET
    at: datetime | None = None
    done_at: datetime | None = None
    code: str = ""
    words: str = ""


# --- what is without an outcome ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenReceipt:
    """A request without an outcome. state: a RequestState. total: the total of the receipt.
    half_done: whether the receipt is the refused one of a pair whose other receipt is signed."""

    receipt_id: str
    key: str | None
    state: str
    since: datetime
    total: Money | None
    half_done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUpTried:
    """Consecutive look-ups at the processor with the same result: the first at `since`, the last at
    `at`. counter: the processor's counter, None if it has none."""

    since: datetime
    at: datetime
    times: int = 1
    answer: states.LookAnswer
    counter: int | None = None


@dataclass(frozen=True, slots=True)
class SignedPart:
    """A signed receipt of a half-done pair. at: the processor's time."""

    receipt_id: str
    number: str
    at: datetime
    total: Money
    invoice_type: InvoiceType
    transaction_type: TransactionType


@dataclass(frozen=True, slots=True)
class WaitingPart:
    """The unsigned receipt of the pair. code: the processor's code, may be "". message: the meaning
    of the code, in English. is_reversal: whether it was to undo the signed receipt."""

    invoice_type: InvoiceType
    transaction_type: TransactionType
    total: Money
    code: str = ""
    message: str = ""
    is_reversal: bool = False


@dataclass(frozen=True, slots=True)
class HalfDonePair:
    """Receipts that belong together, one of them not signed. signed: the signed ones, at least one.

    ways: which of "again", "correct" and "reverse" are possible now; none while the other receipt
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

    reason: English. code: the reason's code, may be "". counter_before, counter_now: the
    processor's counter, if it has one. pair: set if a receipt that belongs to it is signed.
    done_before: for an act on a receipt, the numbers of the receipts that a journal which a backup
    replaced, or the till's file, has of it and this journal lacks; None where they have none, and
    there is no such journal, or one can't be read.
    """

    reason: str = ""
    lookups: tuple[LookUpTried, ...] = ()
    counter_before: int | None = None
    counter_now: int | None = None
    pair: HalfDonePair | None = None
    code: str = ""
    done_before: tuple[str, ...] | None = None


# --- for a person --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alarm:
    """A warning for a manager, from `since` to `at`. receipts: the number of receipts in the alarm.

    LATE_RECEIPT has number, total, signed_at, and the receipt that its sale can't take.
    FOREIGN_TRAFFIC has the number of receipts that others signed, and the counters before and after
    them; all unseen findings are one alarm, with the id of the last. ECHO has `differs`, the
    members of the processor's answer that are not equal to the request; answers that differ in the
    same members are one alarm, with the number and the receipt of the last. CATALOGUE_DAMAGED has
    id 0, which no other alarm has; it is reported as long as the damage lasts.
    """

    id: int
    what: states.AlarmKind
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

    receipt_id and number are None for a paper of the till's own and for the drawer's pulse. total:
    the receipt's total, which only the status has, or None if it can't be read. target: the address
    of a mail, else "". attempts: the number of attempts since a person's last request. trouble: the
    reason why it is not done yet, or None; words: English, for logs.
    """

    id: int
    method: states.JobMethod
    state: states.JobState
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

    reason: the guard's word: "host", "origin", "site", "api_off", "token", "lan" … setting, entry:
    the list in the settings, and the entry in it that would let the request pass; "" if no entry
    would.
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
class LoggedHeader:
    """A header of a request, as it was sent, without secrets."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request of another program that was let in, without secrets and buyers' data. Long parts
    are cut.

    number: upward from 1 since the server started. target: path and query as they were sent.
    status: 0 without an answer. error: the words of an error answer. headers and body are None in a
    list. is_cut: the body is not whole; is_masked: parts of it or of the headers are left out.
    """

    number: int
    at: datetime
    method: str
    target: str
    status: int
    took_ms: int
    error: str = ""
    host: str = ""
    headers: tuple[LoggedHeader, ...] | None = None
    body: str | None = None
    is_cut: bool = False
    is_masked: bool = False

    @property
    def failed(self) -> bool:
        return not 200 <= self.status < 400


@dataclass(frozen=True, slots=True)
class KeptSecret:
    """A secret that a person gives the server directly. elsewhere: the variable or file that gives
    the secret in place of the till; "" for none."""

    name: str
    is_set: bool
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """not_fiscal: receipts are practice (development processor).

    jobs: the jobs in trouble, first those that wait for a person; jobs_left_off: the number of
    others, at most 1,000 of each method. synchronisation is None where the till starts it.
    seller_pib: the shop's tax number, which a refund for an error of its own names; "" while it is
    unknown.
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

    @property
    def may_lack_receipts(self) -> bool:
        """Whether receipts may exist that the server does not have, until a manager has looked: the
        server's own rule (`fiscalization.outcomes.restore_detection.may_lack_receipts`), read from
        what it tells. A change of one is a change of both."""
        return self.restored is not None or any(
            alarm.what is states.AlarmKind.FOREIGN_TRAFFIC for alarm in self.alarms
        )
