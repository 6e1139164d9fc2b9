"""The pages of delivery, discount on the whole receipt, and the additional text."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.look.controls import CheckBox
from pos_app.cashier.look.edit import TextArea
from pos_app.cashier.look.labels import Label
from pos_app.cashier.look.letters import Typed
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.segment import Segment
from pos_app.cashier.payment.delivery import Way
from pos_app.cashier.payment.drafts import LONGEST_TEXT
from pos_app.cashier.payment.faults import Fault, Place
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.say import fault_words
from pos_app.cashier.texts import Words
from pos_app.domain.numerals import amount_text
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.selling.ports import Till


class DeliveryForm(Form):
    """One box for each way that the store offers and this version can carry out."""

    places = frozenset({Place.DELIVERY})

    def __init__(self, look: Look, words: Words, model: PaymentModel) -> None:
        super().__init__(look, words, model, title="pay.delivery", pad=False)
        self.hint("pay.delivery.words")
        self.boxes: dict[Way, CheckBox] = {}
        for way in model.delivery.offered:
            self.boxes[way] = box = CheckBox(look, words(f"pay.way.{way}"))
            box.toggled.connect(lambda on, way=way: self._tick(way, on))
            self.column.addWidget(box)
        email = words("pay.delivery.email")
        self.email = self.field(email, placeholder=email, takes=Typed.ADDRESS)
        self.email.changed.connect(self._take_email)
        self.column.addWidget(self.email)
        self.column.addStretch(1)
        self.refresh()

    def focus_first(self) -> None:
        if Way.EMAIL in self.model.delivery.chosen:
            self.email.setFocus()
        elif self.boxes:
            next(iter(self.boxes.values())).setFocus()

    def refresh(self) -> None:
        draft = self.model.delivery
        for way, box in self.boxes.items():
            box.setChecked(way in draft.chosen)
        self.email.set_text(draft.email)
        self._show_state()

    def mark(self, fault: Fault) -> None:
        self.email.set_error(fault_words(fault, self.words))
        self.email.setFocus()

    def _tick(self, way: Way, on: bool) -> None:
        self.model.delivery = self.model.delivery.tick(way, on)
        self._show_state()
        self.changed.emit()
        if way is Way.EMAIL and on:
            self.email.setFocus()

    def _take_email(self, typed: str) -> None:
        self.model.delivery = replace(self.model.delivery, email=typed)
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        draft = self.model.delivery
        self.email.setVisible(Way.EMAIL in draft.chosen)
        fault = draft.fault() if draft.email else None
        self.email.set_error(fault_words(fault, self.words))


class DiscountForm(Form):
    """A percentage or an amount on the whole receipt; the cart takes it at "Done".

    The model keeps what is typed until then: Esc loses none of it.
    """

    shows_figure = True

    def __init__(self, look: Look, words: Words, model: PaymentModel, *, till: Till) -> None:
        super().__init__(look, words, model, title="pay.discount")
        self._till = till
        self.draft = model.discount_draft()
        parts = (words("pay.discount.percent"), words("pay.discount.amount"))
        self.kind = Segment(look, parts, name=words("pay.discount"))
        self.kind.set_current(0 if self.draft.in_percent else 1)
        self.kind.chosen.connect(self._choose)
        self.value = self.field(words("pay.discount.value"), right=True)
        self.value.set_text(self.draft.text)
        self.value.changed.connect(self._take_value)
        self.remove = self.remover("pay.discount.remove")
        self.remove.clicked.connect(self._remove)
        self._said = Label(look, colour="ink_2", wrap=True)
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
            basket = self.model.discount_receipt(self.draft.discount(), till=self._till)
        except Invalid as error:
            self._show_error(error)
            return False
        except (NotAllowed, MachineError) as error:
            self.failed.emit(error)
            return False
        self.model.discount_typed = None
        if basket is not None:
            self.saved.emit(basket)
        return True

    def _show_error(self, error: Invalid) -> None:
        self.value.set_error(fault_words(Fault.of(Place.DISCOUNT, error), self.words))

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
        cart = self.model.basket.cart
        before = replace(cart, discount=None).total
        self.value.set_error("")
        self.remove.setVisible(bool(self.draft.text))
        try:
            after = replace(cart, discount=self.draft.discount()).total
        except Invalid as error:
            self._show_error(error)
            return
        self._said.setText(
            self.words("pay.discount.words", before=amount_text(before), after=amount_text(after))
        )


class TextForm(Form):
    """The text below the fiscal part. Enter begins a line, Ctrl+Enter is Done."""

    places = frozenset({Place.TEXT})
    done_key = "Ctrl+Enter"

    def __init__(self, look: Look, words: Words, model: PaymentModel) -> None:
        super().__init__(look, words, model, title="pay.text", pad=False)
        self.hint("pay.text.words")
        self.edit = TextArea(look, name=words("pay.text"))
        self.edit.setPlainText(model.text)
        self.edit.textChanged.connect(self._take_text)
        self.edit.installEventFilter(self)
        self._left = Label(look, step=Step.SMALL, colour="ink_2")
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
        fault = Fault(Place.TEXT, "length", {"longest": LONGEST_TEXT}) if left < 0 else None
        left_words = self.words.count("pay.text.left", max(left, 0))
        self._left.setText(fault_words(fault, self.words) or left_words)
        self._left.set_colour("danger" if fault else "ink_2")
        self.remove.setVisible(bool(self.model.text))
