"""Cases about a sale of this till that waits, was refused, is done, or was solved. `doubts` has the
cases of sales in doubt. Sources: till.md ("Attention"), exactly-once.md (steps 10 and 12)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from pos_app import log
from pos_app.cashier.acts.act_in_front import TO_CART, is_undone
from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.cases.hand_words import (
    each_method,
    hand_words,
    methods_in_words,
    moved_money,
)
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.words.receipt_words import short_number
from pos_app.cashier.words.refused_words import code_words, item_and_field, refused_words
from pos_app.domain.money.money import Money, handed
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.receipt.states import REVERSED, AnswerClass
from pos_app.domain.setup import processor
from pos_app.selling.attention.unfinished_sales import AttentionKind
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import ABSENT, LEFT_IN_FRONT, NOT_COMPARED, UNCONFIRMED, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerLink, ServerView

_log = log.get(__name__)
CORRECTION = TO_CART
"""The cancel reason of a sale that is to be corrected; its lines wait to be taken back."""
SEEN = "seen"
"""The cancel reason of a refused operation that a person put away."""
LATEST = 300
"""The number of the last sales among which those solved today are sought."""
_REASON = "reason"
_REASONS = ("withdrew", "mistake", "twice")


@dataclass(frozen=True, kw_only=True)
class SaleCase(case.Case):
    """pair: the exchange or correction that the sale belongs to, where that was asked for."""

    sale: Sale
    pair: FrozenPair | None = None

    @classmethod
    def of(cls, sale: Sale) -> Self:
        return cls(id=sale.key, since=sale.frozen_at, total=sale.total, sale=sale)

    @property
    def is_act(self) -> bool:
        """Whether it is an operation on a receipt, which has no lines and goes back to no cart."""
        return self.sale.operation is not Operation.ISSUE

    @property
    def cart_id(self) -> int | None:
        return None if self.is_act else self.sale.cart_id

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        """The text for an operation, where the usual one speaks of a sale."""
        if not self.is_act or not texts.has(f"{text_id}.act"):
            return texts(text_id, **values)
        what = texts(f"att.op.{self.sale.operation}")
        return texts(f"{text_id}.act", **{"what": what, **values})

    def heading(self, texts: Texts) -> str:
        return self.text_of(texts, f"att.ask.{self.kind}")

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        safe, press = self.safe or self.kind, self.press or self.kind
        return NoticeWords(
            self.happened(texts, facts),
            self.text_of(texts, f"att.safe.{safe}"),
            self.text_of(texts, f"att.press.{press}"),
        )

    @property
    def number(self) -> str:
        return self.sale.receipt.fiscal_number if self.sale.receipt else ""

    @property
    def sale_key(self) -> str:
        return self.sale.key

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        moment = case.when(self.sale.frozen_at, texts, now=facts.now)
        cashier = self.sale.cashier
        items = "" if self.is_act else texts.count("att.items", lines)
        at = self.text_of(texts, "att.sale_at", when=moment)
        parts = (at, cashier, items, each_method(self.money(facts), texts))
        return " · ".join(filter(None, parts))

    def money(self, facts: case.CaseFacts) -> Payments:
        """The money that the head of the case names."""
        return moved_money(self.sale, self.pair)

    def drop_step(self, texts: Texts, title: str) -> case.Step:
        """The step that cancels the sale for a reason, ready-made or typed. title: a text id."""
        name, missing = texts("att.drop_reason"), texts("drop.order")
        entry = case.EntryField(_REASON, name, name, letters=1, missing=missing)
        is_paid = not self.is_act and self.sale.kind.takes_money
        words = tuple((text_id, texts(f"att.reason.{text_id}")) for text_id in _REASONS)
        drop = case.Action(
            "drop",
            self.text_of(texts, "att.drop"),
            self._drop,
            "trash-2",
            ButtonKind.DANGER,
            takes=_REASON,
            right=None if self.is_act else Act.DROP_CART,
            first_right=Act.REMOVE_WHILE_PAYING if is_paid else None,
        )
        rows = ((case.Suggestions(_REASON, words),), (entry, drop))
        has_money = is_paid and bool(moved_money(self.sale, self.pair).total)
        told = texts("att.drop_words.paid" if has_money else "att.drop_words")
        if is_paid and (credited := self._stays_owed):
            told = f"{told}. {texts('att.drop_words.owed', credited=credited)}"
        return case.Step(texts(title), told, rows=rows)

    @property
    def _stays_owed(self) -> Money:
        """What is owed for the goods that came back, whatever becomes of the sale."""
        pair = self.pair
        is_signed = pair is not None and pair.refund.state is SaleState.DONE
        return pair.refund.total if pair and is_signed and pair.is_exchange else Money.ZERO

    def _drop(self, context: case.ActionContext, reason: str) -> case.ActionResult:
        services, sale = context.services, self.sale
        with services.acts.together():
            if not self.is_act and not sale.kind.is_training:
                total = str(sale.total.amount)
                services.note(NotedAct.CART_DROPPED, reason, before=total, sale_key=sale.key)
            services.outbox.cancel(sale.key, reason=reason)
        return "att.dropped.act" if self.is_act else "att.dropped"


# --- what goes on by itself, at once or when somebody has helped ---------------------------------

_LANE_BUSY = "40010001"
_CURABLE = frozenset(ProcessorState(cure.value) for cure in processor.Cure)


class WaitingCase(SaleCase):
    """A sale that goes on by itself. can_drop: it can be dropped until it is sent."""

    group = case.CaseGroup.GOES_ON
    icon: ClassVar[tuple[str, Token]] = ("clock", "info")
    level = NoticeKind.INFO
    safe = "waiting"
    press: ClassVar[str] = "waiting"
    can_drop: ClassVar[bool] = False

    def cause(self, server: ServerView) -> str:
        """Part of the text ids for what the sale waits for."""
        return self.kind

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts(f"att.why.{self.cause(facts.server)}")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return self.text_of(texts, f"att.happened.{self.cause(facts.server)}")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        if not self.can_drop or self.sale.state is not SaleState.FROZEN:
            return ()
        return (self.drop_step(texts, "att.drop_waiting"),)


class SentCase(WaitingCase):
    """The sale is being sent, or will be sent next."""

    kind = AttentionKind.SENT
    rings = False
    is_under_way = True


class WaitsForServer(WaitingCase):
    """The server is away, can't be started, or another program answers on its address."""

    kind = AttentionKind.WAITS_FOR_SERVER
    can_drop = True

    def cause(self, server: ServerView) -> str:
        if server.link is ServerLink.STRANGER:
            return "stranger"
        return "server_fails" if server.is_troubled else self.kind

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        """The notice; where a person must mend the server, it does not say that the server recovers
        by itself."""
        usual = super().notice(texts, facts)
        if not facts.server.is_troubled:
            return usual
        return replace(usual, safe=texts("att.safe.server"), press=texts("att.press.server_fails"))


class WaitsForProcessor(WaitingCase):
    """The processor is away, or busy with a receipt in doubt."""

    kind = AttentionKind.WAITS_FOR_PROCESSOR
    can_drop = True

    def cause(self, server: ServerView) -> str:
        status, reason = server.status, self.sale.reason
        if status is None:
            return self.kind
        was_busy = reason is not None and reason.code == _LANE_BUSY and bool(status.open)
        return "lane" if was_busy or status.processor.state is ProcessorState.DOUBT else self.kind


class WaitsBehind(WaitingCase):
    """An earlier sale goes first."""

    kind = AttentionKind.WAITS_BEHIND
    can_drop = True


class HalfSigned(WaitingCase):
    """A pair whose first receipt is signed; the server sends the second by itself."""

    kind = AttentionKind.HALF_SIGNED
    safe = AttentionKind.HALF_SIGNED


class CancelledSoon(WaitingCase):
    """The sale is dropped; the server's answer is awaited. Its receipt may exist, so no money goes
    back yet."""

    kind = AttentionKind.CANCELLED_SOON
    safe = press = AttentionKind.CANCELLED_SOON

    def cause(self, server: ServerView) -> str:
        waits = self.sale.reason is not None and self.sale.reason.code == NOT_COMPARED
        return "drop_not_compared" if waits else self.kind


class ProcessorNeedsHelp(WaitingCase):
    """The processor needs help, such as its PIN, its card or an upload at its limit. Once a person
    has helped, the sale goes on by itself."""

    kind = AttentionKind.HELP_PROCESSOR
    group = case.CaseGroup.NEEDS_YOU
    icon = ("key-round", "warn")
    level = NoticeKind.WARN
    can_drop = True

    def cause(self, server: ServerView) -> str:
        """The cause by the processor's state, else by the code it refused with; "other" stands for
        a fault that nobody in the shop cures, such as a card that is there and can't be used."""
        code, cure = self._code(server), ""
        if server.status is not None and server.status.processor.state in _CURABLE:
            cure = server.status.processor.state.value
        elif code in processor.CURES:
            cure = processor.CURES[code].value
        is_there = cure == processor.Cure.CARD and code in processor.CURABLE - {
            processor.CARD_ABSENT
        }
        return cure if cure and not is_there else "other"

    def _code(self, server: ServerView) -> str:
        """The processor's present code, else the code it refused with."""
        status = server.status.processor if server.status is not None else None
        if status is not None and status.state in _CURABLE:
            return status.code
        return self.sale.reason.pfr_code if self.sale.reason else ""

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        wanted = self.cause(facts.server)
        of_code = code_words(self._code(facts.server), texts) if wanted == "other" else ""
        return of_code or texts(f"att.help.{wanted}")

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        wanted, reason = self.cause(facts.server), self.sale.reason
        text = self._code(facts.server) or (reason.text if reason else "")
        press = texts(f"att.help_do.{wanted}", code=text)
        return NoticeWords(self.why(texts, facts), texts("att.safe.waiting"), press)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        rest = super().steps(texts, facts)
        if self.cause(facts.server) != "pin":
            return rest
        key, icon = "att.card_pin", "key-round"
        return *case.one_action(texts, "att.step.card_pin", key, icon, self._ask_pin), *rest

    def _ask_pin(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.open_card_pin()
        return ""


class DiskNeedsRoom(WaitingCase):
    """The server's disk is nearly full: a person frees some room, and then the sale goes on by
    itself."""

    kind = AttentionKind.FREE_DISK
    group = case.CaseGroup.NEEDS_YOU
    icon = ("circle-alert", "warn")
    level = NoticeKind.WARN
    safe = press = AttentionKind.FREE_DISK
    can_drop = True


class MoreToDecide(case.Case):
    """Counts the sales that need a person and have no cases of their own."""

    kind = "more_to_decide"
    icon = ("circle-question-mark", "warn")
    safe = "waiting"


class MoreWaiting(case.Case):
    """Counts the sales that go on by themselves and have no cases of their own."""

    kind = "more_waiting"
    group = case.CaseGroup.GOES_ON
    icon = ("clock", "info")
    level = NoticeKind.INFO
    safe = "waiting"


# --- refused, and to be corrected ----------------------------------------------------------------


class RefusedSale(SaleCase):
    """The server refused the sale as it is: it is corrected in a cart, sent again, or dropped."""

    kind = AttentionKind.CORRECT_OR_DROP
    icon = ("circle-alert", "danger")
    level = NoticeKind.DANGER
    safe = press = "refused"

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return refused_words(self.sale.reason, texts)

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        if self.sale.reason is None or self.sale.reason.code != UNCONFIRMED:
            return super().notice(texts, facts)
        parts = ("happened", "safe", "press")
        return NoticeWords(*(texts(f"att.{part}.{UNCONFIRMED}") for part in parts))

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return f"{texts('att.refused.happened')} {self.why(texts, facts)}".strip()

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        quote = self.sale.reason.text if self.sale.reason else ""
        why = self.why(texts, facts)
        step = case.Step(texts("att.step.said"), why, case.StepState.DONE, quote=quote)
        correct = case.Action(
            "correct",
            texts("att.correct"),
            self._correct,
            "undo-2",
            ButtonKind.FILLED,
            key_cap=ENTER,
        )
        again = case.Action(
            "again",
            texts("att.again"),
            self._send_again,
            "refresh-cw",
            spoken=texts("att.again_name"),
        )
        mend = case.Step(
            texts("att.step.correct"),
            texts("att.correct_words"),
            case.StepState.CURRENT,
            rows=((correct, again),),
        )
        return step, mend, self.drop_step(texts, "att.step.drop")

    def _correct(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        """Cancel the sale first: its lines are sold again only once the server has agreed."""
        context.take_back_later(self.sale.key)
        context.services.outbox.cancel(self.sale.key, reason=CORRECTION)
        return "att.cancelling"

    def _send_again(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        """Send the sale again; the cause was mended elsewhere."""
        context.services.outbox.try_again(self.sale.key)
        return "att.sent_again"


class RefusedGoods(RefusedSale):
    """The goods were paid by an advance of another system, and the server's journal was restored
    without its closing. However the sale is corrected, the server asks for the whole price."""

    safe = "refused"

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        return NoticeWords(
            texts("att.happened.refused_goods"),
            texts("att.safe.refused"),
            texts("att.press.refused_goods"),
        )

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        step, _, drop = super().steps(texts, facts)
        return step, drop


def is_of_unknown_closing(sale: Sale, *, paid_before: Money) -> bool:
    """Whether the server refused the payments of a sale because it does not know what was paid
    before. paid_before: the till's own sum."""
    reason = sale.reason
    return (
        bool(paid_before) and reason is not None and item_and_field(reason.field)[1] == "payments"
    )


def _undone_title(sale: Sale, texts: Texts) -> str:
    """The title of an act whose one receipt was issued and undone; "" where nothing was issued."""
    text_id = f"att.row.pair_undone.{sale.operation}"
    return texts(text_id) if is_undone(sale) and texts.has(text_id) else ""


_TOLD_REASONS = frozenset({LEFT_IN_FRONT, ABSENT, REVERSED, UNCONFIRMED})
"""The codes that have words of their own; for others the answer class is named."""


class RefusedAct(SaleCase):
    """A refused operation on a receipt, or one that was not sent while somebody waited: it is sent
    again, or put away and begun anew from its receipt. No cart can correct it."""

    kind = AttentionKind.CORRECT_OR_DROP
    icon = ("circle-alert", "danger")
    level = NoticeKind.DANGER

    @property
    def _cause(self) -> str:
        reason = self.sale.reason
        if reason is None:
            return LEFT_IN_FRONT
        return reason.code if reason.code in _TOLD_REASONS else reason.answer_class.value

    def title(self, texts: Texts) -> str:
        return _undone_title(self.sale, texts) or super().title(texts)

    def heading(self, texts: Texts) -> str:
        return _undone_title(self.sale, texts) or super().heading(texts)

    @property
    def can_go_again(self) -> bool:
        """Whether the same request may be issued now; a request refused for good would be refused
        again."""
        return self._cause not in (REVERSED, AnswerClass.FIX)

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return refused_words(self.sale.reason, texts) or texts(f"att.why.act.{self._cause}")

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        happened = texts(f"att.happened.act.{self._cause}")
        text = refused_words(self.sale.reason, texts)
        safe = "att.safe.act_undone" if self._cause == REVERSED else "att.safe.act"
        anew = "att.press.act_anew" if self.sale.target else "att.press.act_anew_by_hand"
        press = "att.press.act_again" if self.can_go_again else anew
        words, given = texts(press), self._cash_back
        if self.can_go_again and given:
            words = texts("att.press.refund_again", amount=amount_text(given))
        if is_undone(self.sale):
            words = f"{self._hand_words(texts)} {words}".strip()
        return NoticeWords(f"{happened} {text}".strip(), texts(safe), words)

    def _hand_words(self, texts: Texts) -> str:
        """What the hand does once nothing comes of the act any more, as its solved row says it."""
        return hand_words(self.sale, self.pair, texts, is_issued=False)

    @property
    def _cash_back(self) -> Money:
        """The cash to give back once the refund is issued; no other screen shows it by then."""
        sale, money = self.sale, self.sale.money_taken
        if sale.operation is not Operation.REFUND or not sale.kind.takes_money:
            return Money.ZERO
        return money.tendered.cash - money.rounding

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        quote = self.sale.reason.text if self.sale.reason else ""
        step = case.Step(
            texts("att.step.said"), self.why(texts, facts), case.StepState.DONE, quote=quote
        )
        again = case.Action(
            "again",
            texts("att.again"),
            self._send_again,
            "refresh-cw",
            ButtonKind.FILLED,
            key_cap=ENTER,
            spoken=texts("att.again_name"),
        )
        show = case.Action("show", texts("att.act.show"), self._show, "file-text")
        way = "again" if self.can_go_again else "anew"
        ways = (again,) if self.can_go_again else ()
        if self.sale.target is not None:  # a refund by hand names a receipt that is not here
            ways = (*ways, show)
        mend = case.Step(
            texts(f"att.step.act_{way}"),
            texts(f"att.act.{way}_words"),
            case.StepState.CURRENT,
            rows=(ways,),
        )
        put_away = self._put_away(texts, is_alone=not ways)
        return (step, mend, put_away) if ways else (step, put_away)

    def _put_away(self, texts: Texts, *, is_alone: bool) -> case.Step:
        """The step that cancels the request, which its button says; of one that was undone there is
        nothing to cancel. is_alone: no other step is offered."""
        told, hand = texts("att.act.seen_words"), self._hand_words(texts)
        if hand and not is_undone(self.sale):
            told = f"{told}. {hand}"
        if self._cause == REVERSED:
            name, button, icon = "att.step.done_seen", "att.seen", "check"
        else:
            name = "att.step.act_cancel" if is_alone else "att.step.act_seen"
            button, icon = "att.act.cancel", "x"
        state = case.StepState.CURRENT if is_alone else case.StepState.OPEN
        seen = case.Action("seen", texts(button), self._seen, icon)
        return case.Step(texts(name), told, state, rows=((seen,),))

    def _send_again(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.services.outbox.try_again(self.sale.key)
        return "att.sent_again.act"

    async def _show(self, context: case.ActionContext, _word: str) -> str:
        target, services = self.sale.target, context.services
        assert target is not None, "what has none is not shown"
        file = await services.receipt_files.pdf_of(target, by=services.cashier)
        context.open_file(case.FileToOpen(file, None, ""))
        return ""

    def _seen(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        """Put the operation away; the server confirms that nothing was or will be issued for it."""
        context.services.outbox.cancel(self.sale.key, reason=SEEN)
        return "att.act.put_away"


class ToTakeBack(SaleCase):
    """The sale was cancelled to be corrected: its lines wait to be put into the cart."""

    kind = "take_back"
    icon = ("undo-2", "warn")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return case.one_action(
            texts, "att.step.correct", "att.take_back", "undo-2", self._take_back
        )

    def _take_back(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.take_back(self.sale)
        return ""


class ClosedWithoutGoods(SaleCase):
    """The refund that closes an advance of another system, whose goods have no receipt."""

    kind = "closed_without_goods"
    icon = ("hand-coins", "warn")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts(
            "att.happened.closed_without_goods",
            number=self.number,
            amount=amount_text(self.sale.total),
        )

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        """The steps: sell the goods, or a manager says that they were settled otherwise."""
        sell = case.one_action(
            texts,
            "att.step.closed_without_goods",
            "att.goods.open",
            "hand-coins",
            self._sell,
            words=texts("att.goods.words"),
        )
        cash = handed(self.sale.total, in_whole_dinars=facts.in_whole_dinars)
        given = texts("att.paid_out.cash", amount=amount_text(cash))
        back = case.Action(
            "paid_out",
            texts("att.goods.paid_out"),
            self._paid_out,
            "banknote",
            confirm=case.Confirm(
                f"{given} {texts('att.goods.paid_sure')}", texts("att.credit.yes"), texts("att.no")
            ),
            right=Act.DECIDE,
        )
        confirm = case.Confirm(texts("att.goods.sure"), texts("att.goods.yes"), texts("att.no"))
        settled = case.Action(
            "settled",
            texts("att.goods.settled"),
            self._settle,
            "check",
            confirm=confirm,
            right=Act.DECIDE,
        )
        otherwise = case.Step(
            texts("att.step.goods_settled"),
            texts("att.goods_settled.words"),
            rows=((back, settled),),
        )
        return (*sell, otherwise)

    def _sell(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.open_goods(self.sale)
        return ""

    def _paid_out(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        """Note that the money paid for the advance was given back in cash."""
        services = context.services
        if any(one.key == self.sale.key for one in services.sales.closed_without_goods()):
            gave = handed(self.sale.total, in_whole_dinars=services.in_whole_dinars)
            services.sales.note_paid_out(
                self.sale.key, gave=gave, by=services.cashier, at=services.till.clock.now()
            )
        return "att.credit.is_paid_out"

    def _settle(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        services = context.services
        services.sales.mark_shown(self.sale.key)
        _log.warning("goods of %s settled otherwise, says %s", self.number, services.cashier)
        return "att.goods.is_settled"


def waits_to_be_taken_back(sale: Sale) -> bool:
    """Whether the sale was cancelled to be corrected and its lines are not yet in a cart."""
    is_sale = sale.operation is Operation.ISSUE
    cancelled = sale.state is SaleState.CANCELLED and sale.cancel_reason == CORRECTION and is_sale
    return cancelled and not sale.was_shown


# --- done ----------------------------------------------------------------------------------------


class IssuedCase(SaleCase):
    """A sale that is done, about which a person has to know something."""

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return self.text_of(texts, f"att.happened.{self.kind}", number=self.number)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        sure = case.sure_of(texts, texts("att.seen"))
        return case.one_action(
            texts, "att.step.done_seen", "att.seen", "check", self._seen, confirm=sure
        )

    def _seen(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.services.sales.mark_shown(self.sale.key)
        return ""


class ToRefund(IssuedCase):
    """The sale was signed although it had been dropped: its receipt stands until it is refunded."""

    kind = AttentionKind.REFUND

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        notice = super().notice(texts, facts)
        if not self.sale.is_unreadable:
            return notice
        return NoticeWords(notice.happened, notice.safe, texts("att.press.refund_unreadable"))


class UnreadableReceipt(IssuedCase):
    """The sale is signed, but the server can't read its copy of the receipt, so its paper can't be
    made here."""

    kind = AttentionKind.UNREADABLE


class SolvedCase(case.Case):
    """A case that waited for somebody; it stays until the day ends."""

    kind = "solved"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("circle-check", "ok")
    level = NoticeKind.DONE


@dataclass(frozen=True, kw_only=True)
class SolvedSale(SaleCase, SolvedCase):
    """A sale with its receipt, or a cancelled one. since: when it ended."""

    @property
    def picture(self) -> tuple[str, Token]:
        return self.icon if self.number else ("x", "ink_2")

    def title(self, texts: Texts) -> str:
        if not self.number:
            usual = self.text_of(texts, "att.row.solved.cancelled")
            return _undone_title(self.sale, texts) or usual
        return self.text_of(texts, "att.row.solved.done", number=short_number(self.number))

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        is_done = self.sale.state is SaleState.DONE
        moved = methods_in_words(self.money(facts), texts)
        undone = "att.why.act.reversed" if is_undone(self.sale) else "att.why.cancelled"
        return moved if is_done else texts(undone)

    def notice(self, texts: Texts, facts: case.CaseFacts) -> NoticeWords:
        usual, is_issued = super().notice(texts, facts), self.sale.state is SaleState.DONE
        safe = usual.safe if is_issued else self.text_of(texts, "att.safe.cancelled")
        if not is_issued and is_undone(self.sale):
            safe = texts("att.safe.act_undone")
        hand = hand_words(self.sale, self.pair, texts, is_issued=is_issued)
        return replace(usual, safe=safe, press=hand or usual.press)

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        moment = case.when(self.since, texts, now=facts.now)
        if not self.number:
            usual = self.text_of(texts, "att.happened.solved.cancelled", when=moment)
            return texts("att.happened.act.reversed") if is_undone(self.sale) else usual
        return self.text_of(texts, "att.happened.solved.done", number=self.number, when=moment)
