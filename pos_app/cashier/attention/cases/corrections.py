"""Cases about an unfinished pair of frozen acts, which is a correction or an exchange. Either
nothing of the pair is issued, or the refund is issued and the sale behind it is not. The pair is
continued on the screen of corrections or exchanges. Sources: till.md ("Attention"), fiscal.md
6.6."""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.cashier.attention.cases import case, sale_cases
from pos_app.cashier.commands import ENTER
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.words.refused_words import refused_words
from pos_app.domain.money.money import Money, handed
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts import frozen_pair
from pos_app.selling.receipts.credit import exchange_of, is_credit_owed
from pos_app.selling.sale.ports import SaleRepository
from pos_app.selling.sale.sale import Sale


@dataclass(frozen=True, kw_only=True)
class PairCase(sale_cases.SaleCase):
    """pair: its current state. sale: the part that is issued next."""

    icon = ("pencil", "warn")
    job = "correction"
    """Part of the text ids; it names the kind of pair."""
    pair: frozen_pair.FrozenPair

    def why(self, texts: Texts, facts: case.CaseFacts) -> str:
        return refused_words(self.sale.reason, texts) or texts(f"att.why.{self.kind}")

    def go_on_step(self, texts: Texts) -> case.Step:
        """The step that leads to the screen where the pair is continued."""
        go_on = case.Action(
            "go_on",
            texts(f"att.{self.job}.go_on"),
            self._go_on,
            "pencil",
            ButtonKind.FILLED,
            key_cap=ENTER,
        )
        title, words = texts(f"att.step.{self.kind}"), self.words(texts)
        quote = self.sale.reason.text if self._is_refusal and self.sale.reason else ""
        return case.Step(title, words, case.StepState.CURRENT, quote=quote, rows=((go_on,),))

    def words(self, texts: Texts) -> str:
        return texts(f"att.{self.kind}.words")

    @property
    def _is_refusal(self) -> bool:
        reason = self.sale.reason
        return reason is not None and reason.answer_class is AnswerClass.FIX

    def _go_on(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.open_pair(self.pair)
        return ""

    def _to_cart(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        """Cancel the sale; its lines become a cart as soon as the server allows it."""
        context.take_back_later(self.pair.new.key)
        context.services.outbox.cancel(self.sale.key, reason=sale_cases.CORRECTION)
        return "att.cancelling"


class UnbegunCorrection(PairCase):
    kind = "unbegun_correction"

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        end = case.Action("end", texts("corr.give_up"), self._end, "x")
        give_up = case.Step(
            texts("att.step.correction_end"), texts("att.correction_end.words"), rows=((end,),)
        )
        return self.go_on_step(texts), give_up

    def _end(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.services.outbox.cancel(self.sale.key, reason=sale_cases.SEEN)
        return "att.act.put_away"


class HalfCorrection(PairCase):
    """The refund is issued, the new receipt is not. A new receipt that the server refuses as it is
    may become a cart."""

    kind = "half_correction"

    @property
    def _may_be_cart(self) -> bool:
        return self._is_refusal

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        correct = case.Action("correct", texts("att.correct"), self._to_cart, "undo-2")
        steps, status = [self.go_on_step(texts)], facts.server.status
        if status is not None and status.may_lack_receipts:
            rows = () if self._may_be_cart else ((correct,),)
            words = texts("att.pair_before.words")
            steps.append(case.Step(texts("att.step.pair_before"), words, rows=rows))
        if self._may_be_cart:
            title = texts(f"att.step.{self.job}_by_hand")
            steps.append(case.Step(title, self.by_hand_words(texts), rows=((correct,),)))
        return tuple(steps)

    def by_hand_words(self, texts: Texts) -> str:
        return texts("att.correction_by_hand.words")


class UnbegunExchange(PairCase):
    """No part of the exchange is issued; the customer may have other wishes."""

    kind, job = "unbegun_exchange", "exchange"

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        back = case.Action("to_cart", texts("exch.to_cart"), self._to_cart, "undo-2")
        end = case.Step(
            texts("att.step.exchange_end"), texts("att.exchange_end.words"), rows=((back,),)
        )
        return self.go_on_step(texts), end


class HalfExchange(HalfCorrection):
    """The customer's goods are back and their worth is owed, also to a customer who does not wait
    until the sale can be sent."""

    kind, job = "half_exchange", "exchange"

    @property
    def _may_be_cart(self) -> bool:
        return True

    def words(self, texts: Texts) -> str:
        return texts("att.half_exchange.words", credited=self.pair.refund.total)

    def by_hand_words(self, texts: Texts) -> str:
        return texts("att.exchange_by_hand.words", credited=self.pair.refund.total)


class CreditOwed(sale_cases.SaleCase):
    """The worth of an exchange's refund is owed, because the new goods have no receipt and no cart.
    sale: the refund."""

    kind = "credit_owed"
    icon = ("hand-coins", "warn")

    def happened(self, texts: Texts, facts: case.CaseFacts) -> str:
        return texts(
            "att.happened.credit_owed", number=self.number, amount=amount_text(self.sale.total)
        )

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        """The steps: open a cart with the credit, or a manager says that it was paid out."""
        use = case.one_action(
            texts,
            "att.step.credit_owed",
            "att.credit.open",
            "hand-coins",
            self._use,
            words=texts("att.goods.words"),
        )
        cash = self._cash(facts.in_whole_dinars)
        sure = texts("att.credit.sure")
        if cash:
            sure = f"{texts('att.paid_out.cash', amount=amount_text(cash))} {sure}"
        confirm = case.Confirm(sure, texts("att.credit.yes"), texts("att.no"))
        paid_out = case.Action(
            "paid_out",
            texts("att.credit.paid_out"),
            self._paid_out,
            "check",
            confirm=confirm,
            right=Act.DECIDE,
        )
        otherwise = case.Step(
            texts("att.step.credit_paid_out"),
            texts("att.credit_paid_out.words"),
            rows=((paid_out,),),
        )
        return (*use, otherwise)

    def money(self, facts: case.CaseFacts) -> Payments:
        """What is owed, as the hand would give it; the refund's own row was rounded with the new
        goods."""
        owed = self.sale.money_taken
        return owed.less(owed.tendered.cash - self._cash(facts.in_whole_dinars))

    def _cash(self, in_whole_dinars: bool) -> Money:
        return handed(self.sale.money_taken.tendered.cash, in_whole_dinars=in_whole_dinars)

    def _use(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        context.take_back(self.sale)
        return ""

    def _paid_out(self, context: case.ActionContext, _word: str) -> case.ActionResult:
        services = context.services
        if is_credit_owed(services.sales, self.sale):
            gave = self._cash(services.in_whole_dinars)
            services.sales.note_paid_out(
                self.sale.key, gave=gave, by=services.cashier, at=services.till.clock.now()
            )
        return "att.credit.is_paid_out"


def pair_of(sales: SaleRepository, sale: Sale) -> frozen_pair.FrozenPair | None:
    """The pair that a refused sale belongs to, or None where it belongs to none."""
    is_part = sale.follows is not None or sale.operation == "refund"
    return frozen_pair.pair_with(sales, sale) if is_part else None


def exchange_or_correction(services: TillServices, sale: Sale) -> frozen_pair.FrozenPair | None:
    """The pair that the sale belongs to, or None."""
    if sale.is_exchange:
        return exchange_of(services.till, services.sales, sale)
    return pair_of(services.sales, sale)


_UNBEGUN = {False: UnbegunCorrection, True: UnbegunExchange}
_HALF = {False: HalfCorrection, True: HalfExchange}
"""The class of a half-issued pair, by whether it is an exchange."""


def case_of_pair(pair: frozen_pair.FrozenPair, refused: Sale) -> PairCase | None:
    """The case of a refused part, or None where the other part's case tells more."""
    refund, new = pair.refund, pair.new
    match frozen_pair.stage_of(pair):
        case frozen_pair.PairStage.NOT_BEGUN if refused.key == refund.key:
            kind: type[PairCase] = _UNBEGUN[pair.is_exchange]
        case frozen_pair.PairStage.HALF if refused.key == new.key:
            kind = _HALF[pair.is_exchange]
        case _:
            return None
    return kind(id=refused.key, since=refund.frozen_at, total=new.total, sale=refused, pair=pair)
