"""The right side of the window: the sale, or the payment, or a question over either."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.payment.model import OpenPayment
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices import CodesMissed, SaleNotice
from pos_app.cashier.sale.panels import panel_for
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.panels.more import Menu
from pos_app.cashier.sale.questions import Question, UnusualAmountQuestion
from pos_app.cashier.sale.view import SaleView
from pos_app.cashier.texts.lookup import Say
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.window.frame import Frame
from pos_app.domain.money.number_text import typed_quantity_text
from pos_app.domain.receipt.verification import Verification
from pos_app.selling.sale.checkout import ConfirmedSale
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.scan import ScanPurpose

_FOLLOWED = (SalePart.CART, SalePart.MISSED, SalePart.NOTICE, SalePart.QUESTION, SalePart.WAITING)


class WorkArea(QWidget):
    """Signal: `paying(bool)`, the payment was opened or left."""

    paying = Signal(bool)

    def __init__(
        self, model: SaleModel, payment: OpenPayment, *, ui: UiContext, frame: Frame
    ) -> None:
        super().__init__()
        self._model = model
        self._payment = payment
        self._ui = ui
        self._frame = frame
        self.sale = SaleView(model, ui, frame)
        self.payment = PaymentPanel(model.context.services, ui, self, payment=payment)
        self.panel: QuestionPanel | None = None
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.sale)
        self._pages.addWidget(self.payment)
        self.payment.back_pressed.connect(self.leave_payment)
        self.payment.confirmed.connect(self._on_paid)
        self.payment.ticket_saved.connect(model.cart.ticket_saved)
        self.payment.failed.connect(model.context.note_fault)
        self.payment.goes_back.connect(model.cart.tell_replaced)
        self.payment.permit = model.context.permit
        self.payment.check_cart = model.cart.check_articles
        self.payment.amount_is_seen = model.confirmation.amount_is_seen
        self.payment.confirm_cart = model.confirmation.confirm_cart
        self.payment.reminds = self._missed
        model.confirmation.open_payment = self.pay
        model.context.listen(self._on_change, *_FOLLOWED)
        self._make_panel()
        self._show_page()

    @property
    def is_paying(self) -> bool:
        """Whether the payment is open, with a question over it or not."""
        return self._payment.is_open

    def standing(self) -> str:
        """Return the title of the question or of the page of the payment; "" at the sale."""
        if self.panel is not None:
            return self.panel.head.title
        return self.payment.standing() if self.is_paying else ""

    def minimumSizeHint(self) -> QSize:
        """The size of the shown page alone, because space above the on-screen keyboard is
        scarce."""
        page = self._pages.currentWidget()
        return page.minimumSizeHint() if page is not None else QSize(0, 0)

    # --- for the window --------------------------------------------------------------------------

    def pay(self, part: FaultPart | None = None) -> None:
        """Open the payment of the open cart (F12); `part` opens one of its pages (F5: the
        buyer)."""
        model = self._model
        if model.cart.tells_nothing_new():
            return
        if (
            model.cart.ticket.cart.is_empty
            or model.questions.is_asked
            or model.context.blocked_by is not None
            or model.entry.waiting
        ):
            model.context.tone("no")
            return
        if model.cart.refuses_labels():
            return
        self.put_lists_away()
        typed, quantity = model.context.screen.typed_digits, model.cart.next_quantity
        if quantity is not None:
            typed = f"{typed_quantity_text(quantity)}* {typed}".rstrip()
        self.sale.search.clear()
        model.entry.set_purpose(ScanPurpose.ADD)  # while paying a scan adds its item
        model.cart.forget_next_quantity()
        self.set_paying(True)
        self.payment.begin(model.cart.ticket, at=part)
        if typed:
            self.payment.tell_news(
                lambda texts: texts("pay.not_taken", typed=typed), is_trouble=True
            )

    def leave_payment(self) -> None:
        """Save what was added to the cart, and go back to the sale. If it can't be saved, the
        payment says why and stays open."""
        if self.payment.save():
            self.set_paying(False)
            self.take_focus()

    def set_paying(self, paying: bool) -> None:
        if paying != self._payment.is_open:
            self._payment.set_open(paying)
            self._show_page()
            self.paying.emit(paying)

    def take_receipt(self, receipt: Verification) -> bool:
        """Take a receipt whose code was scanned while paying; the buyer may be filled from it."""
        if not self.is_paying or self._model.questions.is_asked:
            return False
        self._model.context.tone("item" if self.payment.receipt_scanned(receipt) else "no")
        return True

    def follow_person(self) -> None:
        """Offer what the person who works here now may do."""
        self.sale.picker.follow_person()
        self.payment.follow_person()
        if self.panel is not None:
            self._show_question()

    def take_focus(self) -> None:
        if self.panel is not None:
            self.panel.focus_first()
        elif self.is_paying:
            self.payment.focus_amount()
        else:
            self.sale.take_focus()

    def type_key(self, event: QKeyEvent) -> None:
        """Take a printable key that no field took; on the sale it goes to the search."""
        if self.panel is None and not self.is_paying:
            self.sale.type_key(event)

    def take_key(self, command: TillCommand) -> None:
        """Pass a key on to the open question."""
        if self.panel is not None:
            self.panel.take_key(command)

    def back(self) -> None:
        if self.panel is not None:
            self.panel.back()
        elif self.is_paying:
            self.leave_payment()
        else:
            self.sale.back()
            self.sale.take_focus()

    def put_lists_away(self) -> None:
        """Close a list or the menu; a question that scans wait for stays."""
        if self._model.questions.question is not None and not self._model.questions.is_asked:
            self._model.questions.put_away()

    # --- parts -----------------------------------------------------------------------------------

    def _missed(self) -> str:
        """The number of missed codes of this sale and the first of them; "" for none."""
        missed = self._model.cart.ticket.missed
        return CodesMissed(missed).words(self._ui.texts).happened if missed else ""

    def _on_change(self, sale_parts: frozenset[SalePart]) -> None:
        model = self._model
        if SalePart.NEWS in sale_parts and model.context.notices:
            model.context.screen.recent.note(model.context.notices[-1], at=self._ticks())
        if SalePart.NOTICE in sale_parts and self.panel is not None:
            self._show_recent(self.panel)
        if SalePart.QUESTION in sale_parts:
            self._show_question()
        elif self.panel is not None:
            self.panel.on_change(sale_parts)
        if sale_parts & {SalePart.CART, SalePart.MISSED} and self.is_paying:
            self._show_cart_in_payment()
        if SalePart.NOTICE in sale_parts and self.is_paying:
            self._show_news_in_payment(came=SalePart.NEWS in sale_parts)

    def _show_news_in_payment(self, *, came: bool) -> None:
        """Show a new notice in the payment, or remove one that was withdrawn."""
        notices, screen = self._model.context.notices, self._model.context.screen
        if came and notices:
            screen.shown_in_payment = notices[-1]
            is_trouble = notices[-1].level is not NoticeKind.INFO
            self.payment.tell_news(_happened(notices[-1]), is_trouble=is_trouble)
        elif screen.shown_in_payment is not None and screen.shown_in_payment not in notices:
            self.payment.take_news_back(_happened(screen.shown_in_payment))
            screen.shown_in_payment = None

    def _show_cart_in_payment(self) -> None:
        """Show the changed cart in the payment; what was typed stays."""
        ticket = self._model.cart.ticket
        if ticket.cart.is_empty:
            self.set_paying(False)
            return
        paid = self.payment.cart_model
        if paid is not None and paid.ticket is not ticket:
            self.payment.ticket_changed(ticket)

    def _on_paid(self, done: ConfirmedSale) -> None:
        self.set_paying(False)
        self._model.confirmation.sale_confirmed(done)

    def _show_question(self) -> None:
        old = self.panel
        if old is None:
            self._model.context.screen.recent.forget_read(at=self._ticks())
        try:
            self._make_panel()
        except Exception:
            self._model.questions.put_away()  # without its panel nobody could answer it
            raise
        finally:
            self._show_page()
            self.take_focus()
            if old is not None:
                self._pages.removeWidget(old)
                old.hide()
                old.deleteLater()

    def _make_panel(self) -> None:
        self.panel = None
        question = self._model.questions.question
        if question is None:
            return
        menu = Menu(self._model, self._frame, self.sale.bar)
        self.panel = panel_for(question, menu, self._ui.texts, self._ui.theme)
        is_over_another = isinstance(question, UnusualAmountQuestion) and question.before
        if self.is_paying and not is_over_another:
            self.panel.lead_to(self._ui.texts(self._payment.title))
        self._take_typed(self.panel, question)
        self._show_recent(self.panel)
        self._pages.addWidget(self.panel)

    def _show_recent(self, panel: QuestionPanel) -> None:
        panel.show_news(self._model.context.screen.recent.of(self._model.context.notices))

    def _ticks(self) -> int:
        return self._model.context.services.till.clock.ticks()

    def _take_typed(self, panel: QuestionPanel, question: Question) -> None:
        """Put back into the panel what was typed before Esc, and keep what is typed from now on."""
        typed, ticket = self._model.questions.unfinished_input, self._model.questions.asked
        if entries := typed.of(question, ticket):
            panel.take_typed(entries)
            if typed.was_left(question, ticket):
                panel.tell_typed_before()
        panel.typed_changed.connect(lambda: typed.save(question, ticket, panel.entries()))

    def _show_page(self) -> None:
        page: QWidget = self.payment if self.is_paying else self.sale
        self._pages.setCurrentWidget(self.panel or page)


def _happened(notice: SaleNotice) -> Say:
    return lambda texts: notice.words(texts).happened
