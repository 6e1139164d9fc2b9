"""The page of the discount, over the payment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from pos_app.cashier.acts.percent_keys import PercentKeys
from pos_app.cashier.gate.about import About, about_change
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import PaymentFigure, PaymentModel
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.labels import NO_AMOUNT, Label
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_words, option_text_id
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.cart import Cart
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.selling.sale import receipt_drafts
from pos_app.selling.sale.ports import Till


class DiscountForm(Form):
    """The page of the discount on the whole receipt, in percent or as an amount. "Done" writes the
    discount into the cart. Until then the model keeps the typed text."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: PaymentModel,
        events: PaymentEvents,
        *,
        till: Till,
        may: Callable[[Decimal], bool],
    ) -> None:
        """may: whether the person gives so many percent without asking."""
        named = option_text_id(receipt_drafts.FaultPart.DISCOUNT, model.kind, texts)
        super().__init__(theme, texts, model, events, title=named)
        self._of_cart = model
        self._till = till
        parts = (texts("pay.discount.percent"), texts("pay.discount.amount"))
        self.kind = choices.Segment(theme, parts, name=texts(named))
        self.kind.set_current(0 if self.draft.in_percent else 1)
        self.kind.chosen.connect(self._choose)
        self.value = self.field(texts("pay.discount.value"), right=True)
        self.value.set_text(self.draft.text)
        self.value.changed.connect(self._take_value)
        self.remove = self.remover("pay.discount.remove")
        self.remove.clicked.connect(self._remove)
        self._words_label = Label(theme, colour="ink_2", wrap=True)
        for part in (self.kind, self.value, self._words_label):
            self.column.addWidget(part)
        self.usual = PercentKeys(theme, name=self.title, may=may)
        self.usual.chosen.connect(self._take_usual)
        self.column.addWidget(self.usual)
        self.column.addStretch(1)
        self.column.addWidget(self.remove)
        self._show_state()

    def _take_usual(self, percent: int) -> None:
        self.kind.set_current(0)
        self._choose(0)
        self.value.set_text(str(percent))
        self._show_state()  # the press has unticked the key of the percentage that stood there

    @property
    def figure(self) -> PaymentFigure:
        """The payment's figure as it would be with the typed discount."""
        return self._of_cart.figure_with(self._after)

    @property
    def draft(self) -> receipt_drafts.DiscountDraft:
        return self._of_cart.discount_draft

    def focus_first(self) -> None:
        self.value.edit.setFocus()
        self.value.edit.selectAll()

    def refresh(self) -> None:
        self._show_state()

    @property
    def lowers(self) -> Decimal:
        return self._after.lowered_from(self._of_cart.ticket.cart)

    @property
    def about(self) -> About:
        return about_change(self._of_cart.ticket.cart, self._after)

    @property
    def _after(self) -> Cart:
        """The cart with the discount; as it is while the discount is wrong, as `done` reports."""
        cart = self._of_cart.ticket.cart
        try:
            after = replace(cart, discount=self.draft.discount())
            _ = after.total
        except Invalid:
            return cart
        return after

    def fault(
        self, faults: Sequence[receipt_drafts.PaymentFault]
    ) -> receipt_drafts.PaymentFault | None:
        try:
            self._total_after()
        except Invalid as error:
            return receipt_drafts.PaymentFault.of(receipt_drafts.FaultPart.DISCOUNT, error)
        return None

    def _total_after(self) -> Money:
        """Return the cart's total with the discount. Raises Invalid while that is wrong."""
        return replace(self._of_cart.ticket.cart, discount=self.draft.discount()).total

    def done(self) -> bool:
        """Store the discount with the cart; return False if that fails."""
        try:
            ticket = self._of_cart.discount_receipt(self.draft.discount(), till=self._till)
        except Invalid as error:
            self.mark(receipt_drafts.PaymentFault.of(receipt_drafts.FaultPart.DISCOUNT, error))
            return False
        except (NotAllowed, MachineError) as error:
            self.events.failed.emit(error)
            return False
        if ticket is not None:
            self.events.saved.emit(ticket)
        return True

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        self.value.set_error(fault_words(fault, self.texts))
        self.focus_first()

    def _choose(self, number: int) -> None:
        self._of_cart.type_discount(replace(self.draft, in_percent=number == 0))
        self._show_state()
        self.events.page_changed.emit()
        self.focus_first()

    def _take_value(self, typed_text: str) -> None:
        self._of_cart.type_discount(replace(self.draft, text=typed_text))
        self._show_state()
        self.events.page_changed.emit()

    def _remove(self) -> None:
        self.value.set_text("")
        self.events.page_done.emit()

    def _show_state(self) -> None:
        cart = self._of_cart.ticket.cart
        before = replace(cart, discount=None).total
        self.remove.setVisible(bool(self.draft.text))
        self.value_typed.emit()
        fault, lowered = self.fault(()), NO_AMOUNT
        if fault is None:
            lowered = amount_text(self._total_after())
        self.value.judge(fault_words(fault, self.texts))
        self._words_label.setText(
            self.texts("pay.discount.words", before=amount_text(before), after=lowered)
        )
        discount = self._after.discount
        given = discount.value if isinstance(discount, Percent) else None
        self.usual.show_percent(given if fault is None else None)
