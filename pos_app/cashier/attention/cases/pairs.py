"""Half-done pairs: one receipt is signed, the other was refused; a manager ends the pair."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from pos_app import log
from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.cases.hand_words import hand_words
from pos_app.cashier.attention.cases.sale_cases import SolvedCase
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.words.receipt_words import short_number
from pos_app.cashier.words.refused_words import code_words
from pos_app.clock import Clock
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import REVERSED, RequestState
from pos_app.domain.text.instant import day_of
from pos_app.errors import MachineError
from pos_app.selling.attention.pair_decisions import KEPT, DecisionLog, PairDecision
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.answers import Issued

_log = log.get(__name__)
_WAYS = ("again", "reverse", "correct")


@dataclass(frozen=True, kw_only=True)
class HalfDoneCase(case.Case):
    """doubt is None until the server was asked; doubt.pair is None if the server can't read the
    pair. is_mine: this till asked for the receipt; key: that of its sale then, else ""."""

    kind = "half_done"
    asks_doubts = True
    doubt: server_status.ReceiptInDoubt | None
    decided: DecidedPairs
    is_mine: bool = False
    key: str = ""

    @property
    def sale_key(self) -> str:
        return self.key

    @property
    def pair(self) -> server_status.HalfDonePair | None:
        return self.doubt.pair if self.doubt else None

    def title(self, texts: Texts) -> str:
        return _of_operation("half_done", self.pair.operation if self.pair else None, texts)

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        if self.pair is None:
            return texts(f"att.why.half_done_{self._missing_as}")
        return texts("att.why.half_done", number=short_number(self.pair.first.number))

    @property
    def number(self) -> str:
        return "" if self.pair is None else self.pair.first.number

    @property
    def request_id(self) -> str:
        return self.id

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return case.asked_at(self, texts, facts)

    def technical(self, texts: Texts) -> str:
        return case.asked_id(self, texts)

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        safe = texts("att.safe.half_done")
        if self.pair is None:
            happened = texts("att.happened.half_done_unknown")
            return NoticeWords(happened, safe, texts(f"att.press.half_done_{self._missing_as}"))
        signed, waiting = self.pair.first, self.pair.waiting
        happened = texts(
            "att.happened.half_reversed" if waiting.is_reversal else "att.happened.half_done",
            signed=_kind_of(signed, texts),
            number=short_number(signed.number),
            total=amount_text(signed.total),
            refused=_kind_of(waiting, texts),
            other=amount_text(waiting.total),
        )
        *first, last = [texts(f"att.pair.way.{way}") for way in self._offered(self.pair)] or [""]
        ways = texts("att.pair.or", first=", ".join(first), last=last) if first else last
        press = texts("att.press.half_done", ways=ways) if ways else ""
        return NoticeWords(happened, safe, press)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        if self.pair is None:
            return ()
        waiting = self.pair.waiting
        step = case.Step(
            texts("att.step.pair_said"),
            code_words(waiting.code, texts),
            case.StepState.DONE,
            quote=waiting.message,
        )
        ways = self._ways(self.pair, texts, signs_in=facts.signs_in)
        rows = (*case.manager_rows(texts, facts), ways)
        offered = self._offered(self.pair)
        undoing = texts("att.pair.choices.reverse", **_undoing(self.pair, texts))
        told = (texts("att.pair.choices.again"), undoing if "reverse" in offered else "")
        words = " ".join(filter(None, told))
        choice = case.Step(texts("att.step.pair"), words, case.StepState.CURRENT, rows=rows)
        if "correct" not in offered:
            return step, choice
        # A copy must repeat what the refund says, so nothing of it may be corrected.
        of_copy = "" if self.pair.operation is Operation.CLOSE else ".copy"
        corrected = texts(f"att.pair.correct_words{of_copy}")
        return step, choice, case.Step(texts("att.step.pair_correct"), corrected)

    # --- parts ---

    def _offered(self, pair: server_status.HalfDonePair) -> list[str]:
        """The ways that the steps offer: a reversal is not undone, and at this till nobody can type
        the correction of a request."""
        left_out = {
            *(("reverse",) if pair.waiting.is_reversal else ()),
            *(("correct",) if self.is_mine else ()),
        }
        return [one for one in _WAYS if one in pair.ways and one not in left_out]

    @property
    def _missing_as(self) -> str:
        """Part of text ids for why there is no pair: the server was not asked yet, or can't read
        it."""
        return "unread" if self.doubt else "unknown"

    def _ways(
        self, pair: server_status.HalfDonePair, texts: Texts, *, signs_in: bool
    ) -> tuple[case.Action, ...]:
        """The ways to end the pair; undoing signs a receipt, so a question names that receipt
        first."""
        busy = texts("att.pair.running")
        again = case.Action(
            "again",
            texts("att.pair.again"),
            self._send_again,
            icon="refresh-cw",
            takes=case.MANAGER,
            busy=busy,
            confirm=case.sure_of(texts, texts("att.pair.again")) if signs_in else None,
            right=Act.DECIDE,
        )
        confirm = case.Confirm(
            texts("att.pair.sure", **_undoing(pair, texts)), texts("att.pair.sign"), texts("att.no")
        )
        undo = case.Action(
            "reverse",
            texts("att.pair.reverse"),
            self._reverse,
            icon="undo-2",
            kind=ButtonKind.DANGER,
            takes=case.MANAGER,
            busy=busy,
            confirm=confirm,
            right=Act.DECIDE,
        )
        offered = self._offered(pair)
        return tuple(one for one in (again, undo) if one.name in offered)

    async def _send_again(self, context: case.ActionContext, manager: str) -> str:
        decisions = context.services.server_decisions
        return await self._end(context, decisions.pair_again(self.id, by=manager), manager)

    async def _reverse(self, context: case.ActionContext, manager: str) -> str:
        decisions = context.services.server_decisions
        return await self._end(context, decisions.reverse_pair(self.id, by=manager), manager)

    async def _end(
        self,
        context: case.ActionContext,
        way: Coroutine[object, object, Issued | str],
        manager: str,
    ) -> str:
        ended = await way
        if isinstance(ended, Issued) or ended == REVERSED:
            self.decided.save(self._decision(manager, is_reversal=ended == REVERSED))
        context.services.outbox.decided(self.doubt.key or "" if self.doubt else "")
        await context.ask_doubts()
        if isinstance(ended, Issued):
            return "att.pair.finished"
        known = {REVERSED: "undone", str(RequestState.NEEDS_HUMAN): "refused"}
        return f"att.pair.{known.get(ended, 'under_way')}"

    def _decision(self, manager: str, *, is_reversal: bool) -> PairDecision:
        pair = self.pair
        return PairDecision(
            self.id,
            self.decided.now(),
            manager,
            is_reversal,
            self.total,
            pair.operation if pair else None,
            pair.first.number if pair else "",
        )


@dataclass(frozen=True, kw_only=True)
class DecidedPair(SolvedCase):
    """sale: this till's act that asked for the pair, or None. frozen: the exchange or correction
    that the act belongs to, or None."""

    decision: PairDecision
    sale: Sale | None = None
    frozen: FrozenPair | None = None

    @property
    def sale_key(self) -> str:
        return "" if self.sale is None else self.sale.key

    def is_about(self, sale: Sale) -> bool:
        """Whether a receipt of the pair is that of the sale: the signed one of a refund, the other
        one of a closing."""
        number = sale.receipt.fiscal_number if sale.receipt else ""
        return self.decision.receipt_id == sale.receipt_id or number == self.decision.number != ""

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        usual, is_issued = super().notice(texts, facts), not self.decision.is_reversal
        own = self.sale
        hand = "" if own is None else hand_words(own, self.frozen, texts, is_issued=is_issued)
        return replace(usual, press=hand or usual.press)

    def title(self, texts: Texts) -> str:
        return _of_operation(self._ended, self.decision.operation, texts)

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts("att.why.decided", by=self.decision.by)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return case.asked_at(self, texts, facts)

    def technical(self, texts: Texts) -> str:
        return case.asked_id(self, texts)

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        at = case.when(self.since, texts, now=facts.now)
        number = short_number(self.decision.number)
        ended = f"att.happened.{self._ended}"
        happened = texts(ended, number=number) if number else texts(f"{ended}.bare")
        return f"{happened} {texts('att.happened.decided', by=self.decision.by, when=at)}"

    @property
    def _ended(self) -> str:
        return "pair_undone" if self.decision.is_reversal else "pair_finished"


class DecidedPairs:
    """Pairs that a manager ended at this till. The server keeps the decision in its log and in the
    receipts; the till keeps what it shows under today's solved cases."""

    def __init__(self, kept: DecisionLog, clock: Clock) -> None:
        self._clock = clock
        self._decisions = kept
        self._here: dict[str, PairDecision] = {}
        """The decisions made in this window. A decision that could not be saved is shown while the
        window lives."""

    def now(self) -> datetime:
        """The time in UTC."""
        return self._clock.now()

    def save(self, decision: PairDecision) -> None:
        """Keep the decision. A failure to save it is only logged: the server has acted, and a
        failure shown here would make people ask twice."""
        self._here[decision.receipt_id] = decision
        try:
            self._decisions.keep_decision(decision)
        except MachineError as error:
            _log.error("the decision on %s is not kept: %s", decision.receipt_id, error)

    def has(self, receipt_id: str) -> bool:
        """Whether the pair is ended; an older status may still list it."""
        return receipt_id in self._here

    def of_today(self) -> Iterator[DecidedPair]:
        """Today's decisions, the newest first. Raises MachineError where they can't be read."""
        now = self._clock.now()
        kept = {one.receipt_id: one for one in self._decisions.decisions(since=now - KEPT)}
        for decision in sorted(
            (kept | self._here).values(), key=lambda entry: entry.at, reverse=True
        ):
            if day_of(decision.at) == day_of(now):
                yield DecidedPair(
                    id=decision.receipt_id,
                    since=decision.at,
                    total=decision.total,
                    decision=decision,
                )


def _of_operation(which: str, operation: Operation | None, texts: Texts) -> str:
    """The title; it names the operation where that is known."""
    if operation is None:
        return texts(f"att.row.{which}")
    kind = "close" if operation is Operation.CLOSE else "refund"
    return texts(f"att.row.{which}.{kind}")


def _undoing(pair: server_status.HalfDonePair, texts: Texts) -> dict[str, str]:
    """Values for texts about the receipt that undoing the pair signs: a sale of the same items that
    refers to the first receipt."""
    signed = pair.first
    kind = "advance" if signed.invoice_type is InvoiceType.ADVANCE else "normal"
    return {
        "kind": texts(f"att.kind.{signed.invoice_type}.{TransactionType.SALE}"),
        "total": amount_text(signed.total),
        "number": signed.number,
        "after": texts(f"att.pair.after.{kind}"),
    }


def doubt_of_pair(pair: server_status.HalfDonePair, texts: Texts) -> str:
    """Words for which receipt of a pair is issued and which one is in doubt."""
    signed, waiting = pair.first, pair.waiting
    return texts(
        "att.happened.half_doubt",
        signed=_kind_of(signed, texts),
        number=short_number(signed.number),
        total=amount_text(signed.total),
        other=_kind_of(waiting, texts),
        other_total=amount_text(waiting.total),
    )


def _kind_of(part: server_status.SignedPart | server_status.WaitingPart, texts: Texts) -> str:
    return texts(f"att.kind.{part.invoice_type}.{part.transaction_type}")
