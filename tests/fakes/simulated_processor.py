"""A fiscal processor in memory and virtual time, with the faults of the real ones.

It is not idempotent, may execute a request late or never, may lose, cut, repeat or mix up its
answer, restarts, signs for other programs too, and finds a receipt by RequestId surely only while
that is the last one (exactly-once.md, "Facts"). The `Fate` of a POST says what happens to it.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import PUBLISHED_RATES, TaxRates, tax_within
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt, TaxItem
from pos_app.domain.setup.processor import PfrFault, PfrStatus
from pos_app.errors import NotDelivered, OutcomeUnknown
from pos_app.fiscalization import ports
from pos_app.wire.pfr import INVOICE_TYPES, TRANSACTION_TYPES
from tests.fakes.verification_url import payload, url
from tests.fakes.virtual_time import EPOCH

READ_SECONDS = 40.0
"""The seconds that the client reads before it gives up."""
LATENCY = 0.05
TIN = "990000019"
RATES = TaxRates(
    datetime(2022, 1, 1, tzinfo=UTC), {label.value: rate for label, rate in PUBLISHED_RATES.items()}
)

Told = Literal["receipt", "other_total", "other_element", "the_one_before", "nothing", "refusal"]


@dataclass(frozen=True, slots=True)
class Fate:
    """The outcome of one POST; times in seconds from its first byte.

    executed: when the receipt is signed, None for never. answered: when an answer or the end of the
    connection arrives. told: what the answer says; "nothing" is a cut or unreadable answer.
    lasting: whether a look-up gives the wrong answer too. sent: False when no byte could be
    written.
    """

    executed: float | None = 0.1
    answered: float = 0.2
    told: Told = "receipt"
    code: str = ""
    lasting: bool = False
    sent: bool = True


WELL = Fate()


@dataclass(frozen=True, slots=True)
class Entry:
    """One signed receipt. request_id is None for another program's. told: the answer of a
    look-up."""

    request_id: str | None
    document: FiscalDocument | None
    uid: str
    counter: int
    receipt: SignedReceipt
    told: SignedReceipt


class SimulatedProcessor:
    """Implements fiscalization.ports.Processor. counted: whether it is an L-PFR, which reports its
    counter.

    remembers: which receipts a look-up finds. bare: a code that it answers in place of a status,
    though it signs. tells_counter: False while its status lacks the counter. on_post, on_signed:
    called for each request and receipt, as they happen.
    """

    def __init__(self, *, counted: bool, remembers: Literal["all", "last"]) -> None:
        self.counted = counted
        self.remembers = remembers
        self.ledger: list[Entry] = []
        self.fates: list[Fate] = []
        self.code = ""
        self.bare = ""
        self.tells_counter = True
        self.is_away = False
        self.is_mute = False
        self.uid = "AAAA1111"
        self.on_post: Callable[[FiscalDocument, str], None] = lambda document, request_id: None
        self.on_signed: Callable[[Entry], None] = lambda entry: None
        self._last_given: SignedReceipt | None = None
        self._counters = {"AAAA1111": 0, "BBBB2222": 0}
        self._late: dict[asyncio.TimerHandle, _Post] = {}
        self._lines: set[asyncio.Event] = set()

    # --- the protocol -----------------------------------------------------------------------

    async def status(self) -> PfrStatus:
        await self._reached()
        if self.bare:
            return PfrStatus(None, None, None, pin_required=False, codes=(self.bare,))
        without_card = self.code == "1300"
        tells_counter = self.counted and self.tells_counter and not without_card
        return PfrStatus(
            uid=None if without_card else self.uid,
            clock=_now(),
            total_counter=self._counters[self.uid] if tells_counter else None,
            pin_required=self.code == "1500",
            codes=(self.code or "0000",),
            rates=(RATES,),
        )

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        await self._reached()
        return self.finds(pfr_request_id)

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> ports.SignReply:
        self.on_post(document, pfr_request_id)
        fate = self.fates.pop(0) if self.fates else WELL
        if self.is_away or not fate.sent:
            return ports.PfrNotSent("nobody there")
        if self.code:
            fate = Fate(executed=None, told="refusal", code=self.code)
        before = self._last_given
        post = _Post(document, pfr_request_id, fate)
        self._plan(post, fate.executed)
        if not await self._held_for(min(fate.answered, READ_SECONDS)):
            return ports.PfrUnclear("cut off")
        self._execute_before_answering(post)
        if self.is_mute or fate.answered > READ_SECONDS or fate.told == "nothing":
            return ports.PfrUnclear("no answer that can be read")
        if fate.told == "refusal":
            return ports.PfrRefused((PfrFault(fate.code),))
        self._last_given = post.told
        given = before if fate.told == "the_one_before" else post.told
        return ports.PfrUnclear("empty") if given is None else ports.PfrSigned(given)

    async def _reached(self) -> None:
        if self.is_away or not await self._held_for(LATENCY):
            raise NotDelivered(what="nobody there")
        if self.is_mute:
            raise OutcomeUnknown(what="no answer")

    async def _held_for(self, seconds: float) -> bool:
        cut = asyncio.Event()
        self._lines.add(cut)
        try:
            await asyncio.wait_for(cut.wait(), seconds)
        except TimeoutError:
            return True
        finally:
            self._lines.discard(cut)
        return False

    # --- signing ----------------------------------------------------------------------------

    def finds(self, request_id: str) -> SignedReceipt | None:
        known = self.ledger[-1:] if self.remembers == "last" else self.ledger
        found = [entry for entry in known if entry.request_id == request_id]
        return found[-1].told if found else None

    def pending(self, request_id: str) -> bool:
        return any(post.request_id == request_id for post in self._late.values())

    def _plan(self, post: _Post, seconds: float | None) -> None:
        if seconds is None:
            return

        def execute() -> None:
            del self._late[timer]
            post.told = self._execute(post)

        timer = asyncio.get_running_loop().call_later(seconds, execute)
        self._late[timer] = post

    def _execute_before_answering(self, post: _Post) -> None:
        """Execute a request that is due before its answer, also when the machine stood still in
        between."""
        executed = post.fate.executed
        for timer in [timer for timer, late in self._late.items() if late is post]:
            if executed is not None and executed <= post.fate.answered <= READ_SECONDS:
                timer.cancel()
                del self._late[timer]
                post.told = self._execute(post)

    def _execute(self, post: _Post) -> SignedReceipt:
        receipt = self._signed(post.document)
        told = _misreported(receipt, post.fate.told)
        kept = told if post.fate.lasting else receipt
        self._add(Entry(post.request_id, post.document, self.uid, self._counter, receipt, kept))
        return told

    def _add(self, entry: Entry) -> None:
        self.ledger.append(entry)
        self.on_signed(entry)

    @property
    def _counter(self) -> int:
        return self._counters[self.uid]

    def _signed(self, document: FiscalDocument | None) -> SignedReceipt:
        self._counters[self.uid] += 1
        number = f"{self.uid}-{self.uid}-{self._counter}"
        total = document.total if document else Money("77.77")
        return SignedReceipt(
            sdc_time=_now(),
            sdc_time_text=_now().isoformat(timespec="milliseconds"),
            invoice_counter=f"{self._counter}/{self._counter}ПП",
            invoice_number=number,
            signed_by=self.uid,
            encrypted_internal_data=base64.b64encode(bytes(256)).decode(),
            requested_by=self.uid,
            tax_items=_taxes(document),
            verification_url=_url(document, self.uid, self._counter, total),
            total_counter=self._counter,
            total_amount=total,
            tin=TIN,
        )

    # --- what happens to it ---------------------------------------------------------------------

    def sign_for_another(self) -> None:
        """Sign a receipt for another program on the same element."""
        receipt = self._signed(None)
        self._add(Entry(None, None, self.uid, self._counter, receipt, receipt))

    def restart(self, *, loses: bool) -> None:
        """Break every connection; with `loses`, requests that were not executed yet never will
        be."""
        for cut in self._lines:
            cut.set()
        if loses:
            for timer in self._late:
                timer.cancel()
            self._late.clear()

    def freeze(self, seconds: float) -> None:
        """Let the processor stand still with the whole machine: late requests come that much
        later."""
        loop = asyncio.get_running_loop()
        for timer, post in list(self._late.items()):
            timer.cancel()
            del self._late[timer]
            self._plan(post, timer.when() + seconds - loop.time())

    def replace(self, uid: str) -> None:
        """Put another element in, unless this one has something to sign."""
        if not self._late:
            self.uid = uid

    def recount(self) -> None:
        """Begin the counter of the element again at a lower number, as after a bad repair."""
        if not self._lines and not self._late:  # it was not at work, but in a workshop
            self._counters[self.uid] //= 2

    def heal(self) -> None:
        """End all faults; late requests stay late."""
        self.fates.clear()
        self.code, self.bare, self.tells_counter = "", "", True
        self.is_away, self.is_mute = False, False


class _Post:
    def __init__(self, document: FiscalDocument, request_id: str, fate: Fate) -> None:
        self.document = document
        self.request_id = request_id
        self.fate = fate
        self.told: SignedReceipt | None = None


def _misreported(receipt: SignedReceipt, told: Told) -> SignedReceipt:
    if told == "other_total" and receipt.total_amount is not None:
        return replace(receipt, total_amount=receipt.total_amount + Money("0.01"))
    if told == "other_element":
        return replace(receipt, requested_by="WR0NGUID")
    return receipt


def _now() -> datetime:
    """The processor's own clock, which no fault touches; to the millisecond."""
    passed = EPOCH + timedelta(seconds=asyncio.get_running_loop().time())
    return passed.replace(microsecond=passed.microsecond // 1000 * 1000)


def _taxes(document: FiscalDocument | None) -> tuple[TaxItem, ...]:
    amounts = document.by_label if document else {}
    return tuple(
        TaxItem(0, "", label, PUBLISHED_RATES[label], tax_within(gross, PUBLISHED_RATES[label]))
        for label, gross in amounts.items()
    )


def _url(document: FiscalDocument | None, uid: str, counter: int, total: Money) -> str:
    """A verification URL with a right checksum (fiscal.md 4); nothing in it is a real signature."""
    return url(
        payload(
            requested_by=uid.encode(),
            signed_by=uid.encode(),
            total_counter=counter,
            type_counter=counter,
            total=int(total.amount * 10**4),
            milliseconds=(_now() - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1),
            invoice_type=INVOICE_TYPES[document.invoice_type] if document else 0,
            transaction_type=TRANSACTION_TYPES[document.transaction_type] if document else 0,
            buyer=(document.buyer or "").encode() if document else b"",
        ),
        address="https://sandbox.suf.purs.gov.rs/v/?vl=",
    )
