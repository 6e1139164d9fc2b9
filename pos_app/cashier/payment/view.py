"""The payment panel: over the right side of the sale, the cart stays visible beside it.

Sources: till.md ("Payment", "Keys", Promises 1, 3, 6), look.md (Screens, 3).
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pos_app.cashier.counter import Counter
from pos_app.cashier.look.look import Look
from pos_app.cashier.payment.confirming import confirm_payment
from pos_app.cashier.payment.faults import Fault, Place
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.keys import Act, act_of
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.pages import NoticePage, form_at
from pos_app.cashier.payment.say import fault_words
from pos_app.cashier.payment.stage import Stage
from pos_app.cashier.payment.tender import Entered, Tender
from pos_app.cashier.texts import Words
from pos_app.cashier.texts_payment import ENGLISH, SERBIAN
from pos_app.domain.numerals import amount_text
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.verification import Verification
from pos_app.errors import PosError
from pos_app.selling.basket import Basket


class PaymentPanel(QWidget):
    """Signals: `back_pressed()`, all that was typed stays; `confirmed(Confirmed)`, the sale is
    frozen; `basket_saved(Basket)`, the cart got a discount here and was stored.
    """

    back_pressed = Signal()
    confirmed = Signal(object)
    basket_saved = Signal(object)

    def __init__(
        self, counter: Counter, words: Words, look: Look, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._counter = counter
        self._words = words
        self._look = look
        self._model: PaymentModel | None = None
        self._stage: Stage | None = None
        self._form: Form | None = None
        self._news = ""
        self._is_trouble = False
        self._error = ""
        words.learn(SERBIAN, ENGLISH)
        self.setAccessibleName(words("pay.title"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a press beside a button leaves the caret
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        words.changed.connect(self._rebuild)
        look.changed.connect(self._rebuild)

    # --- for the window --------------------------------------------------------------------------

    def begin(self, basket: Basket) -> None:
        """Take the payment for a cart. The same cart again finds all that was typed for it."""
        if self._model is not None and self._model.basket.key == basket.key:
            self._model.take_basket(basket)
        else:
            self._model = PaymentModel(
                basket,
                store=self._counter.shelf.store(),
                in_whole_dinars=self._counter.in_whole_dinars,
            )
        self._news = self._error = ""
        self._rebuild()
        self.focus_amount()

    def basket_changed(self, basket: Basket) -> None:
        """A scan changed the cart: payments stay, what is due is new, and both are said."""
        model = self._model
        if model is None or model.basket.key != basket.key:
            self.begin(basket)
            return
        added = model.take_basket(basket)
        self._news = self._words("pay.cart_changed")
        if added is not None:
            self._news = self._words("pay.kept", name=added.name)
        self._error = ""
        self._show()

    def receipt_scanned(self, receipt: Verification) -> bool:
        """The QR code of an earlier receipt fills the buyer; False when it names none."""
        model = self._model
        if model is None:
            return False
        found = model.receipt_scanned(receipt)
        self._news = self._words("pay.buyer_from_receipt" if found else "pay.no_buyer_on_receipt")
        if self._form is not None:
            self._form.refresh()
        self._show()
        return found

    def tell_trouble(self, words: str) -> None:
        """Something went wrong beside the payment, an unknown code say: what is typed stays."""
        self._news, self._is_trouble = words, True
        self._show()

    def open_page(self, place: Place) -> None:
        """Open buyer, delivery, discount, text or advance in place of the payment."""
        model = self._model
        if (
            model is None
            or self._stage is None
            or (place is Place.ADVANCE and not model.is_advance)
        ):
            return
        till = self._counter.till
        self._form = form_at(place, self._look, self._words, model, till=till)
        self._form.changed.connect(self._show)
        self._form.entered.connect(self._close_form)
        self._form.saved.connect(self.basket_saved)
        self._form.failed.connect(self._tell)
        self._stage.set_page(self._form)
        self._show()
        self._form.focus_first()

    def focus_amount(self) -> None:
        """Put the caret where digits go."""
        if self._form is not None:
            self._form.focus_first()
            return
        field = self._stage.board.lines.field if self._stage is not None else None
        (field or self).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def model(self) -> PaymentModel | None:
        """The payment under way."""
        return self._model

    # --- keys ------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keys of the payment are claimed before a shortcut of the window can take them."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.ShortcutOverride:
            return super().event(event)
        if act_of(event, in_page=self._is_page()) is not None:
            event.accept()
        return event.isAccepted()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._on_key(event):
            super().keyPressEvent(event)

    def _on_key(self, event: QKeyEvent) -> bool:
        found = act_of(event, in_page=self._is_page())
        if found is None or self._model is None:
            return False
        act, value = found
        match act:
            case Act.BACK:
                self._back()
            case Act.ENTER:
                self._press_issue()
            case Act.PAGE:
                self.open_page(Place(value))
            case Act.METHOD:
                self._choose(self._model.methods[int(value)])
            case Act.STEP:
                self._give(self._model.tender.step(int(value)))
            case Act.KEY:
                self._give(self._model.tender.key(value))
            case Act.NOTHING:
                return True
        return True

    # --- acts ------------------------------------------------------------------------------------

    def _give(self, tender: Tender) -> None:
        if self._model is not None:
            self._model.tender = tender
            self._acted()

    def _acted(self) -> None:
        self._error = self._news = ""
        self._show()
        self.focus_amount()

    def _back(self) -> None:
        stage = self._stage
        if self._is_page():
            self._close_page()
        elif stage is not None and stage.board.shows_numbers:
            stage.board.show_numbers(False)
            self.focus_amount()
        else:
            self.back_pressed.emit()

    def _press_issue(self) -> None:
        """The big button, or Enter: done with a page, the exact rest, or confirm."""
        model = self._model
        if model is None:
            return
        if self._form is not None:
            self._close_form()
            return
        if self._is_page():
            self._close_page()
            return
        model.tender, meant = model.tender.enter()
        if meant is Entered.COVERED:
            self._confirm(model)
            return
        self._acted()
        if meant is Entered.SHORT:
            remaining = amount_text(model.figure().amount)
            self._error = self._words("pay.fault.lines.short", remaining=remaining)
            self._show()

    def _confirm(self, model: PaymentModel) -> None:
        outcome = confirm_payment(model, self._counter)
        if isinstance(outcome, Fault):
            self._show_fault(outcome)
        elif isinstance(outcome, PosError):
            self._tell(outcome)
        else:
            self._model = None
            self._counter.outbox.wake()
            self.confirmed.emit(outcome)

    def _show_fault(self, fault: Fault) -> None:
        """Tell it where it is mended: at the line, or on its page."""
        if fault.place is Place.LINES:
            self._error = fault_words(fault, self._words)
            self._show()
            self.focus_amount()
        else:
            self.open_page(fault.place)
            self._news = fault_words(fault, self._words)
            self._show()

    # --- pages -----------------------------------------------------------------------------------

    def _is_page(self) -> bool:
        return self._stage is not None and self._stage.page is not None

    def _close_form(self) -> None:
        """Done: what a page takes over at its end is taken over now."""
        if self._form is not None and self._form.done():
            self._close_page()

    def _close_page(self) -> None:
        self._form = None
        if self._stage is not None:
            self._stage.set_page(None)
        self._acted()

    def _tell(self, error: PosError) -> None:
        """A notice in place of the payment, which stays as it is."""
        if self._stage is None:
            return
        self._form = None
        page = NoticePage(self._look, self._words, self._words.error(error))
        page.back.clicked.connect(self._close_page)
        self._stage.set_page(page)
        self._show()
        page.back.setFocus()

    # --- what is shown ---------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._stage is not None:
            self._stage.fit(event.size().height())

    def _rebuild(self) -> None:
        """All widgets anew, in the words and sizes of the moment."""
        if self._model is None:
            return
        focus = QApplication.focusWidget()
        had_focus = focus is self or (focus is not None and self.isAncestorOf(focus))
        if self._stage is not None:
            self._column.removeWidget(self._stage)
            self._stage.hide()
            self._stage.deleteLater()
        self._form = None
        self._stage = stage = Stage(self._look, self._words, self._model, on_key=self._on_key)
        self._column.addWidget(stage)
        stage.show()
        stage.head.back.clicked.connect(self._back)
        stage.head.numbers.clicked.connect(self._toggle_numbers)
        stage.issue.clicked.connect(self._press_issue)
        stage.board.given.connect(self._give)
        stage.board.method.connect(self._choose)
        stage.board.option.connect(self.open_page)
        stage.fit(self.height())
        self._show()
        if had_focus:
            self.focus_amount()

    def _choose(self, method: PaymentMethod) -> None:
        if self._model is not None:
            self._model.choose(method)
            self._acted()

    def _toggle_numbers(self) -> None:
        if self._stage is not None:
            self._stage.board.show_numbers(not self._stage.board.shows_numbers)
            self._show()
            self.focus_amount()

    def _show(self) -> None:
        """Everything as the model says it."""
        model, stage, words = self._model, self._stage, self._words
        if model is None or stage is None:
            return
        faults = model.faults(self._counter.till.clock.now())
        title = self._form.title if self._form else words("pay.title")
        stage.show_model(
            model, faults, title=title, news=self._news, is_trouble=self._is_trouble,
            error=self._error,
        )  # fmt: skip
        self._is_trouble = False
