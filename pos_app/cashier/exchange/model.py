"""How far an exchange is, and what is to be done about it. No widget knows a fact that is not here.

Sources: till.md ("Receipts"), fiscal.md 6.4, 6.13.
"""

from __future__ import annotations

from enum import StrEnum

from pos_app.cashier.act_in_front import TO_CART
from pos_app.cashier.services import TillServices
from pos_app.domain.money import Money
from pos_app.domain.states import AnswerClass
from pos_app.errors import PosError
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, pair_with, stage_of
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.state import SaleState


class Enter(StrEnum):
    """What the big button, and Enter, do next."""

    WAIT = "wait"
    AGAIN = "again"
    """Nothing is issued: send the refund once more."""
    ISSUE = "issue"
    """The new receipt, behind a refund that is issued."""
    ATTENTION = "attention"
    """Nobody knows whether it was issued."""
    BACK = "back"


_ENTER = {
    PairStage.REFUNDING: Enter.WAIT,
    PairStage.ISSUING: Enter.WAIT,
    PairStage.NOT_BEGUN: Enter.AGAIN,
    PairStage.HALF: Enter.ISSUE,
    PairStage.IN_DOUBT: Enter.ATTENTION,
    PairStage.DONE: Enter.BACK,
    PairStage.GIVEN_UP: Enter.BACK,
}


class ExchangeModel:
    """One exchange at a time; it lives as long as the window."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.pair: FrozenPair | None = None
        self.is_waited_for = False
        """Whoever confirmed it has stood here since."""
        self.drawer_asked = False
        self.goes_to_cart = False
        """Nothing was issued, and the cart is to be opened again as soon as the server agrees."""
        self.trouble: PosError | None = None

    def open(self, key: str, *, is_waited_for: bool) -> None:
        """key: of its sale."""
        sales = self.services.sales
        self.pair = pair_with(sales, sales.sale(key))
        self.is_waited_for = is_waited_for
        self.drawer_asked, self.goes_to_cart, self.trouble = False, False, None

    def hear(self, sale: Sale) -> bool:
        """A sale went on; whether it is a half of this exchange."""
        pair, sales = self.pair, self.services.sales
        if pair is None or sale.key not in (pair.refund.key, pair.new.key):
            return False
        self.pair = FrozenPair(sales.sale(pair.refund.key), sales.sale(pair.new.key))
        if self.stage not in (PairStage.NOT_BEGUN, PairStage.GIVEN_UP):
            self.goes_to_cart = False  # the server found it, or is not sure that nothing was issued
        return True

    # --- facts -----------------------------------------------------------------------------------

    @property
    def stage(self) -> PairStage | None:
        return None if self.pair is None else stage_of(self.pair)

    @property
    def next_enter(self) -> Enter:
        stage = self.stage
        if self.goes_to_cart or (stage is PairStage.IN_DOUBT and self.doubt_is_young):
            return Enter.WAIT
        return Enter.BACK if stage is None else _ENTER[stage]

    @property
    def doubt_is_young(self) -> bool:
        """Whether a doubt is being looked up, and may end in a moment."""
        pair = self.pair
        return pair is not None and pair.next_part.key in self.services.outbox.young_doubts

    @property
    def may_go_to_cart(self) -> bool:
        """Whether nothing is issued, so that the lines may be changed."""
        return self.stage is PairStage.NOT_BEGUN and not self.goes_to_cart

    @property
    def money(self) -> ExchangeMoney:
        assert self.pair is not None
        return ExchangeMoney.of(self.pair.refund, self.pair.new)

    @property
    def hand_gives(self) -> Money:
        """Change, or what is left of the credit in cash."""
        assert self.pair is not None
        return self.pair.new.money_taken.change or max(-self.money.taken, Money.ZERO)

    @property
    def has_copy(self) -> bool:
        """Whether a copy of the refund follows it, for the customer to sign."""
        assert self.pair is not None
        paid = self.pair.refund.money_taken.on_receipt.by_method
        return self.services.copy_follows([method for method, _ in paid])

    @property
    def number(self) -> str:
        """Of the receipt whose goods came back."""
        assert self.pair is not None
        goods = self.services.till.carts.cart_of(self.pair.new.cart_id).typed_details.goods_back
        return "" if goods is None else goods.number

    @property
    def is_refused(self) -> bool:
        """Whether the server refused the refund as it is: surely nothing was issued."""
        pair = self.pair
        reason = pair.refund.reason if pair is not None else None
        is_fix = reason is not None and reason.answer_class is AnswerClass.FIX
        return self.stage is PairStage.NOT_BEGUN and is_fix

    @property
    def can_be_taken_back(self) -> bool:
        """Whether both halves are cancelled, and the cart waits to be opened again."""
        pair = self.pair
        return self.goes_to_cart and pair is not None and pair.new.state is SaleState.CANCELLED

    # --- acts ------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Have what is not issued yet sent. Raises NotAllowed."""
        assert self.pair is not None
        self.services.outbox.try_again(self.pair.next_part.key)
        self.is_waited_for, self.trouble = True, None

    def give_up(self) -> None:
        """Nothing is issued: have both halves cancelled, for their cart. Raises NotAllowed."""
        assert self.pair is not None
        self.goes_to_cart = True
        self.services.outbox.cancel(self.pair.refund.key, reason=TO_CART)
