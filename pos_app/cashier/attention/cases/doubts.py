"""Cases of receipts that may exist. A person looks the receipt up, scans the processor's paper, or
declares the receipt absent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Self

from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.cases.corrections import exchange_or_correction
from pos_app.cashier.attention.cases.hand_words import methods_in_words
from pos_app.cashier.attention.cases.pairs import DecidedPairs, HalfDoneCase, doubt_of_pair
from pos_app.cashier.attention.cases.sale_cases import LATEST, SaleCase
from pos_app.cashier.commands import ENTER
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.receipt.server_status import OpenReceipt, ReceiptInDoubt
from pos_app.domain.receipt.states import IN_DOUBT, LookAnswer, RequestState
from pos_app.domain.receipt.verification import decode
from pos_app.errors import NotAllowed
from pos_app.selling.attention.unfinished_sales import AttentionKind
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.sale import INTERRUPTED, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.answers import Issued

_ADDRESS = "address"
_ACT_UNKNOWN = "act_unknown"
"""The server's code of the question whether a receipt that is acted on was acted on before."""
_WAIT_TO_BE_SEEN = (SaleState.REFUSED, SaleState.CANCELLING)
"""The states of an undone act whose own row still waits to be dismissed."""


@dataclass(frozen=True, kw_only=True)
class DoubtCase(case.Case):
    """A receipt that may have been signed. doubt has the server's facts about it.

    receipt_id: the server's id of the receipt; it is None until the server has told it to the till.
    """

    icon = ("circle-question-mark", "warn")
    asks_doubts = True
    safe: ClassVar[str] = "doubt"
    press: ClassVar[str] = "doubt"
    receipt_id: str | None
    doubt: ReceiptInDoubt | None

    @property
    def waits_for_person(self) -> bool:
        """Whether only a person can end the doubt, which then holds up no later receipt."""
        return self.doubt is not None and self.doubt.state == RequestState.NEEDS_HUMAN

    @property
    def asks_about_before(self) -> bool:
        """Whether nothing was sent, because the server may lack what was done with the receipt that
        this one refers to."""
        return self.doubt is not None and self.doubt.code == _ACT_UNKNOWN

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        told = super().notice(texts, facts)
        if not self.asks_about_before:
            return told
        happened, press = texts("att.happened.act_unknown"), texts("att.press.act_unknown")
        before = self.doubt.done_before if self.doubt else None
        if before is not None:
            found = texts("att.done_before", numbers=", ".join(map(short_number, before)))
            happened = f"{happened} {found if before else texts('att.nothing_done_before')}"
        return replace(told, happened=happened, press=press)

    @property
    def request_id(self) -> str:
        return self.receipt_id or ""

    @property
    def foot(self) -> str:
        return "att.go_on_beside" if self.waits_for_person else "att.go_on_behind"

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        scan = (self._scan_step(texts),) if self.receipt_id is not None else ()
        if self.asks_about_before:
            return *scan, self._absent_step(texts, facts)
        return self._look_step(texts, facts), *scan, self._absent_step(texts, facts)

    def on_scan(self, texts: Texts) -> case.Action:
        return case.Action(
            "find",
            texts("att.check"),
            self._find,
            kind=ButtonKind.FILLED,
            key_cap=ENTER,
            takes=_ADDRESS,
            running=texts("att.checking"),
            busy=texts("att.looking"),
            error_at=_ADDRESS,
        )

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        pair = self.doubt.pair if self.doubt else None
        return super().happened(texts, facts) if pair is None else doubt_of_pair(pair, texts)

    def absent_words(self, texts: Texts) -> tuple[str, str]:
        """Return the words of the button that declares the receipt absent, and those above it."""
        return self.text_of(texts, "att.absent"), self.text_of(texts, "att.absent_words")

    # --- steps ---

    def _look_step(self, texts: Texts, facts: case.CaseFacts) -> case.Step:
        looked = self.doubt is not None and bool(self.doubt.lookups)
        again = case.Action(
            "look",
            texts("att.look_again"),
            self._look_again,
            icon="refresh-cw",
            running=texts("att.looking"),
            busy=texts("att.looking"),
        )
        return case.Step(
            texts("att.step.look" if looked else "att.step.look_first"),
            look_words(self.doubt, texts, now=facts.now),
            case.StepState.DONE if looked else case.StepState.OPEN,
            beside=again,
        )

    def _scan_step(self, texts: Texts) -> case.Step:
        entry = case.EntryField(
            _ADDRESS,
            texts("att.scan_field"),
            texts("att.scan_hint"),
            is_address=True,
            missing=texts("att.scan_missing"),
        )
        rows = ((entry, self.on_scan(texts)),)
        title = texts("att.step.scan_before" if self.asks_about_before else "att.step.scan")
        return case.Step(title, texts("att.scan_words"), case.StepState.CURRENT, rows=rows)

    def _absent_step(self, texts: Texts, facts: case.CaseFacts) -> case.Step:
        asks_before, (absent, words) = self.asks_about_before, self.absent_words(texts)
        declare = case.Action(
            "absent",
            texts("att.vouch") if asks_before else absent,
            self._declare_absent,
            icon="lock",
            takes=case.MANAGER,
            right=Act.DECIDE,
            busy=texts("att.looking"),
        )
        words = texts("att.vouch_words") if asks_before else words
        rows = (*case.manager_rows(texts, facts), (declare, case.Remark(texts("att.absent_note"))))
        title = texts("att.step.vouch" if asks_before else "att.step.absent")
        return case.Step(title, words, rows=rows)

    # --- actions ---

    async def _look_again(self, context: case.ActionContext, _word: str) -> str:
        found: Issued | str = ""
        if self.receipt_id is not None:
            found = await context.services.server_decisions.look_again(self.receipt_id)
        context.services.outbox.decided(self.sale_key)
        await context.ask_doubts()
        return "att.found" if isinstance(found, Issued) else "att.not_found"

    def _find(self, context: case.ActionContext, address: str) -> case.ActionResult:
        """Declare the receipt found; text that is no receipt's address is never sent."""
        decode(address)
        return self._declare_found(context, address.strip())

    async def _declare_found(self, context: case.ActionContext, address: str) -> str:
        services = context.services
        receipt_id = self._known_id()
        try:
            await services.server_decisions.declare_found(
                receipt_id, verification_url=address, by=services.cashier
            )
        finally:
            services.outbox.decided(self.sale_key)
        return "att.accepted"

    async def _declare_absent(self, context: case.ActionContext, manager: str) -> str:
        receipt_id, services = self._known_id(), context.services
        try:
            await services.server_decisions.declare_absent(receipt_id, by=manager)
        finally:
            services.outbox.decided(self.sale_key)
        return "att.vouched" if self.asks_about_before else "att.declared"

    def _known_id(self) -> str:
        """The receipt's id at the server. Raises NotAllowed while the till does not know it."""
        if self.receipt_id is None:
            raise NotAllowed("not_yet_known")
        return self.receipt_id


@dataclass(frozen=True, kw_only=True)
class DoubtedSale(DoubtCase, SaleCase):
    @classmethod
    def in_doubt(cls, sale: Sale, doubt: ReceiptInDoubt | None) -> Self:
        receipt_id = sale.receipt_id or (doubt.receipt_id if doubt else None)
        return cls(
            id=sale.key,
            since=sale.frozen_at,
            total=sale.total,
            sale=sale,
            doubt=doubt,
            receipt_id=receipt_id,
        )

    def absent_words(self, texts: Texts) -> tuple[str, str]:
        """A sale that is to be cancelled is not sent again, but cancelled."""
        if self.sale.cancel_reason is None or self.is_act:
            return super().absent_words(texts)
        return texts("att.absent.cancel"), texts("att.absent_words.cancel")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        reason = self.sale.reason
        has_pair = self.doubt is not None and self.doubt.pair is not None
        if not has_pair and reason is not None and reason.code == INTERRUPTED:
            return texts(f"att.happened.{INTERRUPTED}")
        return super().happened(texts, facts)


class DecideCase(DoubtedSale):
    """The server can't find out whether there is a receipt, so a person decides."""

    kind = AttentionKind.DECIDE

    @property
    def waits_for_person(self) -> bool:
        return True

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return methods_in_words(self.money(facts), texts)


class LookedUpCase(DoubtedSale):
    """Till and server go on looking for the receipt."""

    kind = AttentionKind.LOOKED_UP
    press = "looked_up"


@dataclass(frozen=True, kw_only=True)
class ForeignDoubt(DoubtCase):
    """A receipt that another program asked this server for. state: a RequestState."""

    kind = "foreign_doubt"
    safe = "foreign"
    state: str

    @property
    def waits_for_person(self) -> bool:
        return self.state == RequestState.NEEDS_HUMAN

    def absent_words(self, texts: Texts) -> tuple[str, str]:
        return texts("att.absent_foreign"), ""

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return ""

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return case.asked_at(self, texts, facts)

    def technical(self, texts: Texts) -> str:
        return case.asked_id(self, texts)


class ReceiptsOfOthers(case.Source):
    """Finds the doubts that belong to no sale of this till, and the half-done pairs of any program.
    It leaves out young doubts, as the cases of sales do."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._decided = DecidedPairs(services.decisions, services.till.clock)

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        status = self.services.server.status
        known = {doubt.receipt_id: doubt for doubt in reading.doubts}
        for receipt in status.open if status else ():
            if self._is_shown(receipt):
                yield self._case_of(receipt, known.get(receipt.receipt_id))

    def solved(self, reading: case.Reading) -> Iterable[case.Case]:
        decided = list(self._decided.of_today())
        latest = self.services.sales.last(LATEST) if decided else ()
        for one in decided:
            own = next((sale for sale in latest if one.is_about(sale)), None)
            frozen = None if own is None else exchange_or_correction(self.services, own)
            # The row of an undone act tells of its money until it was seen, and then this one.
            if own is None or frozen is not None or own.state not in _WAIT_TO_BE_SEEN:
                yield replace(one, sale=own, frozen=frozen)

    def _case_of(self, receipt: OpenReceipt, doubt: ReceiptInDoubt | None) -> case.Case:
        receipt_id, since, total = receipt.receipt_id, receipt.since, receipt.total
        if receipt.half_done:
            is_mine = self.services.sales.is_mine(key=receipt.key, receipt_id=receipt_id)
            return HalfDoneCase(
                id=receipt_id,
                since=since,
                total=total,
                doubt=doubt,
                decided=self._decided,
                is_mine=is_mine,
                key=(receipt.key or "") if is_mine else "",
            )
        return ForeignDoubt(
            id=receipt_id,
            since=since,
            total=total,
            doubt=doubt,
            receipt_id=receipt_id,
            state=receipt.state,
        )

    def _is_shown(self, receipt: OpenReceipt) -> bool:
        if receipt.receipt_id in self.services.outbox.young_doubts:
            return False
        if self._decided.has(receipt.receipt_id) or receipt.state not in IN_DOUBT:
            return False
        if receipt.half_done:  # also of this till, because no look-up ends a half-done pair
            return True
        return not self.services.sales.is_mine(key=receipt.key, receipt_id=receipt.receipt_id)


def doubt_of(sale: Sale, doubts: Sequence[ReceiptInDoubt]) -> ReceiptInDoubt | None:
    """The doubt of a sale of this till, or None."""
    for doubt in doubts:
        if doubt.key == sale.key or doubt.receipt_id == sale.receipt_id:
            return doubt
    return None


def look_words(doubt: ReceiptInDoubt | None, texts: Texts, *, now: datetime) -> str:
    """The words that say how often the receipt was looked up, when the last time was, what was
    found, and whether the counter moved."""
    if doubt is None or not doubt.lookups:
        return texts("att.look.none")
    last = doubt.lookups[-1]
    many = sum(run.times for run in doubt.lookups)
    times = texts.count("att.look.times", many, when=case.when(last.at, texts, now=now))
    if last.answer is not LookAnswer.MISSING:
        return texts(f"att.look.{last.answer}", times=times)
    before, counter = doubt.counter_before, last.counter
    if before is None or counter is None:
        return texts("att.look.plain", times=times)
    kind = "moved" if counter != before else "stands"
    return texts(f"att.look.{kind}", times=times, before=before, now=counter)
