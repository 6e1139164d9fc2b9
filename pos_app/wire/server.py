"""The JSON of the local API that is no receipt: health, status, doubts, a person's answers.

The server builds these shapes by our own names and the till reads them by the wire's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field

from pos_app.wire.number import Number
from pos_app.wire.reading import Shape, seen
from pos_app.wire.strict_json import dumps

SERVICE = "pos-app-server"
"""How health names the program."""

_Text = Annotated[str, Field(min_length=1)]
_Key = Annotated[str, Field(min_length=16, max_length=64)]
_Name = Annotated[str, Field(min_length=1, max_length=50), AfterValidator(seen)]


def written(shape: Answer) -> bytes:
    """The body of one object; members that are not set are left out."""
    return dumps(shape.model_dump(by_alias=True, exclude_unset=True))


def written_list(shapes: Sequence[Answer]) -> bytes:
    """The body of an array of objects."""
    return dumps([shape.model_dump(by_alias=True) for shape in shapes])


# --- asked -------------------------------------------------------------------------------------


class CancelBody(Shape):
    """POST /till/cancel."""

    key: str


class DecidedByBody(Shape):
    """Who decides, where nothing else is told: of a doubt /absent, /again and /reverse, of
    an alarm /seen, of a job /again and /seen.
    """

    by: _Name


class FoundBody(Shape):
    """POST /till/doubts/{receiptId}/found."""

    verification_url: _Text
    by: _Name


class CorrectBody(Shape):
    """POST /till/doubts/{receiptId}/correct. request: the body of the pair's operation, anew."""

    by: _Name
    request: dict[str, Any]


def found_said(*, verification_url: str, by: str) -> dict[str, str]:
    """The body that is read as FoundBody: a person's proof that a receipt exists."""
    return {"verificationUrl": verification_url, "by": by}


class PrintBody(Shape):
    """POST /till/print. key: minted by the till; the same again prints nothing a second time.

    paper: a finished document, in the plain members of documents.plain.
    """

    key: _Key
    paper: dict[str, Any]


class PdfBody(DecidedByBody):
    """POST /till/receipts/{receiptId}/pdf. instead: of its papers that still wait; they are dropped
    once it is told that the file was opened."""

    instead: bool = False


class DrawerBody(Shape):
    """POST /till/drawer. key: minted for one press; the same again opens it no second time."""

    key: _Key
    by: _Name


# --- answered ----------------------------------------------------------------------------------


class Answer(Shape):
    """A shape that is written and read."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)


class State(Answer):
    """Where a request stands now. signed: the numbers of a pair's receipts that are signed."""

    state: str
    signed: list[str] = Field(default_factory=list)


class Waiting(Answer):
    """202 of a look-up: neither a receipt nor surely none. signed: the numbers of a pair's."""

    receipt_id: str
    state: str
    signed: list[str] = Field(default_factory=list)


class JournalMark(Answer):
    """Which journal answers, and how far it has come. rows: the number of its last row; hash: hex,
    over all rows up to it."""

    id: str
    rows: Annotated[int, Field(ge=0, le=2**63 - 1)]
    hash: Annotated[str, Field(max_length=64)] = ""


class WitnessBody(Shape):
    """POST /till/witness. journal: what the till remembers of it, None at first. epoch: the last
    restore of it that the till knows of."""

    journal: JournalMark | None = None
    epoch: Annotated[str, Field(max_length=64)] | None = None


class Witness(Answer):
    """What the journal says to that. agrees: it continues what the till remembers.

    last_sequence, last_key: the till's last sale that it knows. epoch: of its last restore.
    """

    journal: JournalMark
    agrees: bool
    last_sequence: int | None = None
    last_key: str | None = None
    epoch: str | None = None


class ElementBody(DecidedByBody):
    """POST /till/element. uid: the secure element that receipts go to from now on."""

    uid: _Text


class OfferedElement(Answer):
    """Another secure element than the one in use (known), which a manager may accept."""

    uid: str
    known: str


class Restored(Answer):
    """The journal was found to be an older one. why: till_witness, server_witness, processor_holds,
    other_machine or damaged."""

    epoch: str
    since: str
    why: str


class Health(Answer):
    """GET /health. proof: only where a nonce was asked, and the server knows the token."""

    service: str
    version: str
    install_id: str
    environment: str
    journal: JournalMark
    proof: str | None = None


class ProcessorStatus(Answer):
    """state: ready, away, pin, card, limit, doubt, disk (ours is nearly full) or not_configured.

    code: the PFR's, or "".
    """

    kind: str
    state: str
    code: str = ""
    words: str = ""
    uid: str | None = None
    url: str | None = None
    offered: OfferedElement | None = None


class Rates(Answer):
    """Percent by label, in force from an instant on."""

    valid_from: str
    percent: dict[str, Number]


class OpenReceipt(Answer):
    """A request without an outcome. half_done: a receipt that belongs to it is signed, and this
    one was refused.
    """

    receipt_id: str
    key: str | None = None
    state: str
    since: str
    total: Number | None = None
    half_done: bool = False


class Alarm(Answer):
    """What a manager has to see. what: late_receipt, foreign_traffic, echo, or a newer server's.

    receipts: how many it tells of, from `since` to `at`. differs: of an echo, the members of the
    processor's answer that are not equal to what was sent; the receipt is signed.
    """

    id: int
    what: str
    since: str
    at: str
    receipts: int = 1
    receipt_id: str | None = None
    number: str | None = None
    total: Number | None = None
    signed_at: str | None = None
    counter_before: int | None = None
    counter_now: int | None = None
    differs: list[str] = Field(default_factory=list)


class Job(Answer):
    """One receipt, or paper of the till's own, that is to be printed or sent.

    method: thermal, a4, email or drawer. state: waiting, running, failed, unproven, done, dropped.
    number: of the receipt. trouble: why it is not done yet, in a word; words: for the log.
    total: of the receipt, told with the status alone.
    """

    id: int
    method: str
    state: str
    since: str
    changed_at: str
    receipt_id: str | None = None
    number: str | None = None
    total: Number | None = None
    target: str = ""
    attempts: int = 0
    trouble: str | None = None
    words: str = ""


class Jobs(Answer):
    """All jobs, for reading: the answer itself is the array."""

    jobs: list[Job]


class DrawerTold(Answer):
    """What became of the pulse. outcome: delivered, failed (surely not opened) or unproven."""

    outcome: str
    trouble: str | None = None


class PdfFile(Answer):
    """POST /till/receipts/{receiptId}/pdf.

    number: of the receipt. content: the file, base64.
    """

    number: str
    content: str


class TillStatus(Answer):
    """GET /till/status. jobs: those in trouble only, first those that wait for a person.

    jobs_left_off: how many more are in trouble, of each method 1,000 at most; GET /till/jobs has
    them all.
    """

    processor: ProcessorStatus
    rates: list[Rates] = Field(default_factory=list)
    open: list[OpenReceipt] = Field(default_factory=list)
    not_fiscal: bool = False
    alarms: list[Alarm] = Field(default_factory=list)
    jobs: list[Job] = Field(default_factory=list)
    jobs_left_off: int = 0
    restored: Restored | None = None


class LookUpTried(Answer):
    """So many questions in a row to the processor for a receipt in doubt, and their one answer.

    answer: found, missing or away. counter: what the processor had reached, where it counts.
    """

    since: str
    at: str
    times: int = 1
    answer: str
    counter: int | None = None


class SignedPart(Answer):
    """A receipt of a half-done pair that is signed. at: when, by the processor."""

    receipt_id: str
    number: str
    at: str
    total: Number
    invoice_type: str
    transaction_type: str


class WaitingPart(Answer):
    """The one that is not. code: the processor's, may be ""; message: what it means.

    is_reversal: it was to undo what is signed.
    """

    invoice_type: str
    transaction_type: str
    total: Number
    code: str = ""
    message: str = ""
    is_reversal: bool = False


class HalfDonePair(Answer):
    """Two receipts of which one is signed. operation: close, refund or issue.

    ways: of again, correct and reverse those that are open now; none while the other receipt may
    be signed.
    """

    operation: str
    signed: Annotated[list[SignedPart], Field(min_length=1)]
    waiting: WaitingPart
    ways: list[str] = Field(default_factory=list)


class Doubt(OpenReceipt):
    """GET /till/doubts: a request that may have been signed, or the refused half of a pair.

    pair: what is signed of its pair, where something is.
    """

    reason: str = ""
    lookups: list[LookUpTried] = Field(default_factory=list)
    counter_before: int | None = None
    counter_now: int | None = None
    pair: HalfDonePair | None = None


class Doubts(Answer):
    """All doubts, for reading: the answer itself is the array."""

    doubts: list[Doubt]


class RefusedCaller(Answer):
    """GET /till/refusals: a request that the guard refused. reason: its word for it."""

    at: str
    reason: str
    message: str
    method: str
    path: str
    host: str = ""
    origin: str = ""


class RefusedCallers(Answer):
    """All refusals, for reading: the answer itself is the array."""

    refusals: list[RefusedCaller]
