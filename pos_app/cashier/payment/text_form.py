"""The page of the additional text, over the payment."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from pos_app.cashier.commands import CTRL_ENTER
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import Payment
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.field import TextArea
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_words, option_text_id
from pos_app.domain.receipt.request import LONGEST_ADDITIONAL_TEXT
from pos_app.selling.sale import receipt_drafts


class TextForm(Form):
    """The page of the text below the fiscal part. Enter begins a new line; Ctrl+Enter is "Done"."""

    fault_parts = frozenset({receipt_drafts.FaultPart.TEXT})
    done_key = CTRL_ENTER

    def __init__(self, theme: Theme, texts: Texts, model: Payment, events: PaymentEvents) -> None:
        named = option_text_id(receipt_drafts.FaultPart.TEXT, model.kind, texts)
        super().__init__(theme, texts, model, events, title=named, pad=False, whole_width=True)
        self.hint(f"{named}.words")
        self.edit = TextArea(theme, name=texts(named))
        self.edit.setPlainText(model.text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)  # typing goes on after the text
        self.edit.textChanged.connect(self._take_text)
        self.edit.installEventFilter(self)
        self._letters_left = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self.remove = self.remover("pay.text.remove")
        self.remove.clicked.connect(self.edit.clear)
        self.column.addWidget(self.edit, 1)
        self.column.addWidget(self._letters_left)
        self.column.addWidget(self.remove)
        self._show_state()

    def focus_first(self) -> None:
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.events.page_done.emit()
                return True
        return False

    def _take_text(self) -> None:
        self.model.text = self.edit.toPlainText()
        self._show_state()
        self.events.page_changed.emit()

    def _show_state(self) -> None:
        left = LONGEST_ADDITIONAL_TEXT - len(self.model.text)
        fault = receipt_drafts.text_fault(self.model.text)
        left_words = self.texts.count("pay.text.left", max(left, 0))
        self._letters_left.setText(fault_words(fault, self.texts) or left_words)
        self._letters_left.set_colour("danger" if fault else "ink_2")
        self.remove.setVisible(bool(self.model.text))
