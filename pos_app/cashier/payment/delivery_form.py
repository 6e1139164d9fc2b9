"""The page of the delivery, over the payment."""

from __future__ import annotations

from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import Payment
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_words, option_text_id
from pos_app.selling.sale import receipt_drafts


class DeliveryForm(Form):
    """The page of the delivery: a check box for each way that is offered."""

    fault_parts = frozenset({receipt_drafts.FaultPart.DELIVERY})

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        events: PaymentEvents,
        *,
        known: KnownBuyers,
    ) -> None:
        named = option_text_id(receipt_drafts.FaultPart.DELIVERY, model.kind, texts)
        super().__init__(theme, texts, model, events, title=named, pad=False)
        self._known = known
        self.hint(f"{named}.words")
        self.boxes: dict[receipt_drafts.DeliveryWay, choices.CheckBox] = {}
        for way in model.delivery.offered:
            self.boxes[way] = box = choices.CheckBox(theme, texts(f"pay.way.{way}"))
            box.toggled.connect(lambda on, way=way: self._tick(way, on))
            self.column.addWidget(box)
        email = texts("pay.delivery.email")
        self.email = self.field(email, placeholder=email, takes=InputKind.ADDRESS)
        self.email.changed.connect(self._take_email)
        self.column.addWidget(self.email)
        self.column.addStretch(1)
        self.refresh()

    def focus_first(self) -> None:
        if receipt_drafts.DeliveryWay.EMAIL in self.model.delivery.chosen:
            self.email.setFocus()
        elif self.boxes:
            next(iter(self.boxes.values())).setFocus()

    def refresh(self) -> None:
        draft = self.model.delivery
        for way, box in self.boxes.items():
            box.setChecked(way in draft.chosen)
        self.email.set_text(draft.email)
        self._show_state()

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        self.email.set_error(fault_words(fault, self.texts))
        self.email.setFocus()

    def _tick(self, way: receipt_drafts.DeliveryWay, on: bool) -> None:
        self.model.tick_delivery(way, on)
        is_asked = way is receipt_drafts.DeliveryWay.EMAIL and on
        if is_asked and not self.model.delivery.email:
            self.email.set_text(self._known.email(self.model.buyer))
        self._show_state()
        self.events.page_changed.emit()
        if is_asked:
            self.email.setFocus()

    def _take_email(self, typed_text: str) -> None:
        self.model.set_email(typed_text)
        self._show_state()
        self.events.page_changed.emit()

    def _show_state(self) -> None:
        draft = self.model.delivery
        self.email.setVisible(receipt_drafts.DeliveryWay.EMAIL in draft.chosen)
        fault = draft.fault() if draft.email else None
        self.email.judge(fault_words(fault, self.texts))
