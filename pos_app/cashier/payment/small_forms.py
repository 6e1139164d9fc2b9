"""The pages of delivery, discount on the whole receipt, and the additional text."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.payment.delivery import DeliveryWay
from pos_app.cashier.payment.drafts import LONGEST_TEXT
from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.payment_texts import fault_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.controls import CheckBox
from pos_app.cashier.ui.edit import TextArea
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.segment import Segment
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.number_text import amount_text
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.selling.ports import Till


class DeliveryForm(Form):
    """One box for each way that the store offers and this version can carry out."""

    places = frozenset({FaultPlace.DELIVERY})

    def __init__(self, theme: Theme, texts: Texts, model: PaymentModel) -> None:
        super().__init__(theme, texts, model, title="pay.delivery", pad=False)
        self.hint("pay.delivery.words")
        self.boxes: dict[DeliveryWay, CheckBox] = {}
        for way in model.delivery.offered:
            self.boxes[way] = box = CheckBox(theme, texts(f"pay.way.{way}"))
            box.toggled.connect(lambda on, way=way: self._tick(way, on))
            self.column.addWidget(box)
        email = texts("pay.delivery.email")
        self.email = self.field(email, placeholder=email, takes=Typed.ADDRESS)
        self.email.changed.connect(self._take_email)
        self.column.addWidget(self.email)
        self.column.addStretch(1)
        self.refresh()

    def focus_first(self) -> None:
        if DeliveryWay.EMAIL in self.model.delivery.chosen:
            self.email.setFocus()
        elif self.boxes:
            next(iter(self.boxes.values())).setFocus()

    def refresh(self) -> None:
        draft = self.model.delivery
        for way, box in self.boxes.items():
            box.setChecked(way in draft.chosen)
        self.email.set_text(draft.email)
        self._show_state()

    def mark(self, fault: PaymentFault) -> None:
        self.email.set_error(fault_words(fault, self.texts))
        self.email.setFocus()

    def _tick(self, way: DeliveryWay, on: bool) -> None:
        self.model.delivery = self.model.delivery.tick(way, on)
        self._show_state()
        self.changed.emit()
        if way is DeliveryWay.EMAIL and on:
            self.email.setFocus()

    def _take_email(self, typed: str) -> None:
        self.model.delivery = replace(self.model.delivery, email=typed)
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        draft = self.model.delivery
        self.email.setVisible(DeliveryWay.EMAIL in draft.chosen)
        fault = draft.fault() if draft.email else None
        self.email.set_error(fault_words(fault, self.texts))


class DiscountForm(Form):
    """A percentage or an amount on the whole receipt; the cart takes it at "Done".

    The model keeps what is typed until then: Esc loses none of it.
    """

    shows_figure = True

    def __init__(self, theme: Theme, texts: Texts, model: PaymentModel, *, till: Till) -> None:
        super().__init__(theme, texts, model, title="pay.discount")
        self._till = till
        self.draft = model.discount_draft()
        parts = (texts("pay.discount.percent"), texts("pay.discount.amount"))
        self.kind = Segment(theme, parts, name=texts("pay.discount"))
        self.kind.set_current(0 if self.draft.in_percent else 1)
        self.kind.chosen.connect(self._choose)
        self.value = self.field(texts("pay.discount.value"), right=True)
        self.value.set_text(self.draft.text)
        self.value.changed.connect(self._take_value)
        self.remove = self.remover("pay.discount.remove")
        self.remove.clicked.connect(self._remove)
        self._said = Label(theme, colour="ink_2", wrap=True)
        for part in (self.kind, self.value, self._said):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.column.addWidget(self.remove)
        self._show_state()

    def focus_first(self) -> None:
        self.value.edit.setFocus()
        self.value.edit.selectAll()

    def refresh(self) -> None:
        self._show_state()

    def done(self) -> bool:
        """The cart takes the discount and is stored; False when it does not."""
        try:
            ticket = self.model.discount_receipt(self.draft.discount(), till=self._till)
        except Invalid as error:
            self._show_error(error)
            return False
        except (NotAllowed, MachineError) as error:
            self.failed.emit(error)
            return False
        self.model.discount_typed = None
        if ticket is not None:
            self.saved.emit(ticket)
        return True

    def _show_error(self, error: Invalid) -> None:
        self.value.set_error(fault_words(PaymentFault.of(FaultPlace.DISCOUNT, error), self.texts))

    def _choose(self, number: int) -> None:
        self.draft.in_percent = number == 0
        self._show_state()
        self.focus_first()

    def _take_value(self, typed: str) -> None:
        self.draft.text = typed
        self._show_state()

    def _remove(self) -> None:
        self.value.set_text("")
        self.entered.emit()

    def _show_state(self) -> None:
        cart = self.model.ticket.cart
        before = replace(cart, discount=None).total
        self.value.set_error("")
        self.remove.setVisible(bool(self.draft.text))
        try:
            after = replace(cart, discount=self.draft.discount()).total
        except Invalid as error:
            self._show_error(error)
            return
        self._said.setText(
            self.texts("pay.discount.words", before=amount_text(before), after=amount_text(after))
        )


class TextForm(Form):
    """The text below the fiscal part. Enter begins a line, Ctrl+Enter is Done."""

    places = frozenset({FaultPlace.TEXT})
    done_key = "Ctrl+Enter"

    def __init__(self, theme: Theme, texts: Texts, model: PaymentModel) -> None:
        super().__init__(theme, texts, model, title="pay.text", pad=False)
        self.hint("pay.text.words")
        self.edit = TextArea(theme, name=texts("pay.text"))
        self.edit.setPlainText(model.text)
        self.edit.textChanged.connect(self._take_text)
        self.edit.installEventFilter(self)
        self._left = Label(theme, step=Step.SMALL, colour="ink_2")
        self.remove = self.remover("pay.text.remove")
        self.remove.clicked.connect(self.edit.clear)
        self.column.addWidget(self.edit, 1)
        self.column.addWidget(self._left)
        self.column.addWidget(self.remove)
        self._show_state()

    def focus_first(self) -> None:
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.entered.emit()
                return True
        return False

    def _take_text(self) -> None:
        self.model.text = self.edit.toPlainText()
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        left = LONGEST_TEXT - len(self.model.text)
        fault = (
            PaymentFault(FaultPlace.TEXT, "length", {"longest": LONGEST_TEXT}) if left < 0 else None
        )
        left_words = self.texts.count("pay.text.left", max(left, 0))
        self._left.setText(fault_words(fault, self.texts) or left_words)
        self._left.set_colour("danger" if fault else "ink_2")
        self.remove.setVisible(bool(self.model.text))
