"""The state of an exchange and what can be done about it. Widgets keep no state of their own.

Sources: till.md ("Receipts"), fiscal.md 6.4, 6.13.
"""

from __future__ import annotations

from pos_app.cashier.acts.act_in_front import TO_CART
from pos_app.cashier.acts.pair_in_front import PairInFront, PairStep
from pos_app.cashier.services.till_services import TillServices
from pos_app.selling.receipts.credit import exchange_of
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import ExchangeMoney, Sale
from pos_app.selling.sale.state import SaleState


class ExchangeModel(PairInFront):
    """One exchange at a time; it lives as long as the window."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.is_waited_for = False
        """Whether the person who confirmed the exchange still waits here."""
        self.drawer_asked = False
        self.goes_to_cart = False
        """Whether nothing was issued, and the cart is opened again as soon as the server agrees."""

    def open(self, key: str, *, is_waited_for: bool) -> None:
        """key: the key of the exchange's sale."""
        sales = self.services.sales
        self.pair = exchange_of(self.services.till, sales, sales.sale(key))
        self.is_waited_for = is_waited_for
        self.drawer_asked, self.goes_to_cart, self.trouble = False, False, None

    def follow_sale(self, sale: Sale) -> bool:
        is_half = super().follow_sale(sale)
        if is_half and self.stage not in (PairStage.NOT_BEGUN, PairStage.GIVEN_UP):
            self.goes_to_cart = False  # the server found it, or is not sure that nothing was issued
        return is_half

    # --- facts -----------------------------------------------------------------------------------

    @property
    def next_enter(self) -> PairStep:
        """One that was given up has no receipt to go back to, and the next sale follows."""
        meant = PairStep.WAIT if self.goes_to_cart else super().next_enter
        return PairStep.NEXT if meant is PairStep.BACK else meant

    @property
    def may_go_to_cart(self) -> bool:
        """Whether nothing is issued, so that the lines may be changed."""
        return self.stage is PairStage.NOT_BEGUN and not self.goes_to_cart

    @property
    def money(self) -> ExchangeMoney:
        assert self.pair is not None
        return ExchangeMoney.of(self.pair.refund, self.pair.new)

    @property
    def has_copy(self) -> bool:
        """Whether a copy of the refund is issued too, for the customer to sign."""
        assert self.pair is not None
        paid = self.pair.refund.money_taken.on_receipt.by_method
        return self.services.copy_follows([method for method, _ in paid])

    @property
    def number(self) -> str:
        assert self.pair is not None
        goods = self.services.till.carts.cart_of(self.pair.new.cart_id).typed_details.goods_back
        return "" if goods is None else goods.number

    @property
    def can_be_taken_back(self) -> bool:
        """Whether both receipts are cancelled, and the cart waits to be opened again."""
        pair = self.pair
        return self.goes_to_cart and pair is not None and pair.new.state is SaleState.CANCELLED

    # --- acts ------------------------------------------------------------------------------------

    def go_on(self) -> None:
        super().go_on()
        self.is_waited_for = True

    def give_up(self) -> None:
        """Have both unissued receipts cancelled, for their cart to open. Raises NotAllowed."""
        assert self.pair is not None
        self.goes_to_cart = True
        self.services.outbox.cancel(self.pair.refund.key, reason=TO_CART)
        self.trouble = None
