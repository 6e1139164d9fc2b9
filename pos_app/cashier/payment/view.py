"""The payment panel covers the right side of the sale; the cart stays visible beside it.

Sources: till.md ("Payment", "Keys", Promises 1, 3, 6), look.md (Screens, 3).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.gate.manager_lock import Permit
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.layout import PAGE_OF, PaymentLayout
from pos_app.cashier.payment.model import (
    KeysShown,
    OpenPayment,
    Payment,
    PaymentModel,
    PaymentNews,
    PaymentPage,
    address_of,
    no_words,
    shop_of,
)
from pos_app.cashier.payment.payment_input import command_of, is_other_sign
from pos_app.cashier.payment.tender import EnterEffect, Origin, Tender
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Say
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.words.cart_texts import fault_words
from pos_app.cashier.words.done_words import by_methods
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.verification import Verification
from pos_app.errors import MachineError, NotAllowed, PosError
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.sale.checkout import ConfirmedSale
from pos_app.selling.sale.confirm_checks import AfterTraining, Hindrance
from pos_app.selling.sale.receipt_drafts import FaultPart, PaymentFault
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import Ticket
from pos_app.selling.sale.unusual_amounts import Unusual

TYPING_RESTS_MS = 700
"""Typed text is stored once no key has come for this time. If each digit were stored at once, a
killed till would come back with a part of a number."""


def _at_once(
    act: Act,
    then: Callable[[], None],
    *,
    percent: Decimal = Decimal(0),
    about: About = NOTHING_ELSE,
) -> None:
    """Do an act at once, where no sale says who may do it."""
    then()


class PaymentPanel(QWidget):
    """Signals: `back_pressed()`, the payment is left and keeps its text;
    `confirmed(ConfirmedSale)`, the sale is frozen, or `confirmed(Sale)`, another payment is;
    `ticket_saved(Ticket)`, the cart was stored with its additions; `failed(PosError)`, an act
    failed, which the panel shows; `page_shown()`, the way back may lead elsewhere;
    `goes_back(Payments, Payments)`, what a corporate card sends back to the customer, as it was
    told before and as it is now."""

    back_pressed = Signal()
    page_shown = Signal()
    confirmed = Signal(object)
    ticket_saved = Signal(object)
    failed = Signal(object)
    goes_back = Signal(object, object)

    confirm_cart: Callable[..., ConfirmedSale | Hindrance]
    """The sale's act that makes a cart a sale; other payments confirm by themselves."""
    permit: Permit = staticmethod(_at_once)
    """The sale's `permit`, by which an act is lifted."""
    amount_is_seen: Callable[[], bool] = staticmethod(lambda: True)
    """The sale's refusal of a finger that comes right after a scan."""
    check_cart: Callable[[], PosError | None] = staticmethod(lambda: None)
    """Brings the cart up to date with the catalogue before the confirmation; returns the error if
    that fails."""
    reminds: Callable[[], str] = staticmethod(lambda: "")
    """Returns what the cashier must not forget during payment; "" for nothing."""

    def __init__(
        self,
        services: TillServices,
        ui: UiContext,
        parent: QWidget | None = None,
        *,
        payment: OpenPayment | None = None,
        has_way_back: bool = True,
    ) -> None:
        """payment: the payment to show. has_way_back: whether the payment has a key that leads
        back; else the screen around it has one."""
        super().__init__(parent)
        self._has_way_back = has_way_back
        self._services = services
        self._known = KnownBuyers(services.buyers)
        self._texts = ui.texts
        self._theme = ui.theme
        self._open = payment or OpenPayment()
        self._layout: PaymentLayout | None = None
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(TYPING_RESTS_MS)
        self._resting.timeout.connect(self.keep_typed)
        self.setAccessibleName(self._texts(self._open.title))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a press beside a button leaves the caret
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        if self._open.is_open and self._open.model is not None:
            self._make_layout()
            self._show_page()
            self._show()
            self._resting.start()  # store text typed into the widgets before these

    # --- for the window --------------------------------------------------------------------------

    def begin(self, ticket: Ticket, *, at: FaultPart | None = None) -> None:
        """Begin the payment of a cart. The same cart again finds all that was typed for it.

        at: the wanted page, or None for the payment itself.
        """
        model, shop = self.cart_model, shop_of(self._services)
        if model is not None and model.ticket.key == ticket.key:
            model.take_ticket(ticket)
            model.take_shop(**shop)
            model.keep_given()
        else:
            model = PaymentModel(ticket, **shop)
        self.begin_with(model, at=at)

    def begin_with(self, model: Payment, *, at: FaultPart | None = None) -> None:
        self._open.begin(model, straight_to=at)
        self.setAccessibleName(self._texts(model.title))
        self._make_layout()
        self._show()
        self.focus_amount()
        if at is not None:
            self.open_page(at)

    def ticket_changed(self, ticket: Ticket) -> None:
        """Take a cart that a scan changed. The given amounts stay; the panel says so, and shows the
        new amount due."""
        model = self.cart_model
        if model is None or model.ticket.key != ticket.key:
            self.begin(ticket)
            return
        is_same = ticket.cart == model.ticket.cart
        added = model.take_ticket(ticket)
        if is_same:  # a code was missed, and a notice of its own says so
            self._show()
            return
        self._open.quiet()
        kept = "pay.kept" if model.tender.payments.total else "pay.added"
        self._open.announce(
            lambda texts: texts(kept, name=added.name) if added else texts("pay.cart_changed")
        )
        if self._open.is_asking:
            self._set_page(None)  # the question was about another amount
        self._show()

    def follow_person(self) -> None:
        """Offer on the open page what the person who works here now may do."""
        if self._form is not None:
            self._show_page()
            self._show()
            if self.isVisible():
                self.focus_amount()

    def receipt_scanned(self, receipt: Verification) -> bool:
        """Fill the buyer from the QR code of an earlier receipt; return False if the receipt names
        no buyer."""
        model = self._open.model
        if model is None:
            return False
        with address_of(model, self._known):
            found = model.receipt_scanned(receipt)
        if self._form is not None:
            self._form.refresh()
        self.save()
        told = "pay.buyer_from_receipt" if found else "pay.no_buyer_on_receipt"
        self._open.announce(lambda texts: texts(told), is_trouble=not found)
        self._show()
        return found

    def tell_news(self, say: Say, *, is_trouble: bool) -> None:
        """Show news of the sale, such as an unknown code; typed text stays."""
        self._open.announce(say, is_trouble=is_trouble)
        self._show()

    def take_news_back(self, say: Say) -> None:
        """Drop news of the sale; later news stay."""
        if self._open.news(self._texts).words == say(self._texts):
            self._open.announce()
            self._show()

    def save(self) -> bool:
        """Store the additions with the cart. If that fails, say so and return False."""
        try:
            self.store()
        except (NotAllowed, MachineError) as error:
            self._tell(error)
            return False
        return True

    def keep_typed(self) -> None:
        """Store the typed text. A failure is reported only when the page or the payment is left."""
        with contextlib.suppress(NotAllowed, MachineError):
            self.store()

    def store(self) -> None:
        """Store the additions with the cart. Raises NotAllowed for an outdated cart, DiskFull."""
        self._resting.stop()
        model = self._open.model
        stored = None if model is None else model.save(till=self._services.till)
        if stored is not None:
            self.ticket_saved.emit(stored)

    def open_page(self, part: FaultPart) -> None:
        model = self._open.model
        if model is None or PAGE_OF.get(part, part) not in model.pages:
            return
        self.keep_typed()
        model.keep_given()
        self._set_page(part)
        self._open.announce()
        self._show()
        if self._form is not None:
            self._form.focus_first()

    @property
    def model(self) -> Payment | None:
        return self._open.model

    @property
    def cart_model(self) -> PaymentModel | None:
        """The payment under way, if it is for a cart."""
        model = self._open.model
        return model if isinstance(model, PaymentModel) else None

    def focus_amount(self) -> None:
        if self._form is not None:
            self._form.focus_first()
            return
        if self._layout is not None and self._is_page():
            is_act = self._layout.issue.isVisible()
            (self._layout.issue if is_act else self).setFocus(Qt.FocusReason.OtherFocusReason)
            return
        field = self._layout.board.lines.field if self._layout is not None else None
        (field or self).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _form(self) -> Form | None:
        return self._layout.form if self._layout is not None else None

    def _is_page(self) -> bool:
        return self._layout is not None and self._layout.page is not None

    @property
    def acts_at_enter(self) -> bool:
        """Whether the next Enter confirms, which is so at once where the payment was left
        covered."""
        model = self._open.model
        if model is None or self._is_page():
            return False
        return model.next_enter()[1] is EnterEffect.COVERED

    # --- keys ------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the payment's keys before the window's shortcuts take them."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.ShortcutOverride:
            return super().event(event)
        if command_of(event, in_page=self._is_page()) is not None:
            event.accept()
        return event.isAccepted()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._on_key(event):
            super().keyPressEvent(event)

    def _on_key(self, event: QKeyEvent) -> bool:
        found = command_of(event, in_page=self._is_page())
        if found is None or self._open.model is None:
            return found is None and self._refuses_sign(event)
        model = self._open.model
        command, value = found
        match command:
            case TillCommand.BACK:
                self.go_back()
            case TillCommand.ENTER:
                self._press_issue()
            case TillCommand.PAY:
                self._go_on()
            case TillCommand.KEYS:
                self.show_keys()
            case TillCommand.PRICE:
                self.open_page(FaultPart.DISCOUNT)
            case TillCommand.BUYER:
                self.open_page(FaultPart.BUYER)
            case TillCommand():
                self._type(command, value, model)
        return True

    def _type(self, command: TillCommand, value: str, model: Payment) -> None:
        """Carry out a key of the amounts: a method, a line, a sign."""
        if model.is_offer and command is not TillCommand.METHOD:
            self._refuse_amount()
            return
        match command:
            case TillCommand.METHOD:
                self._choose(model.methods[int(value)])
            case TillCommand.LINE_UP | TillCommand.LINE_DOWN:
                self._give(model.tender.step(-1 if command is TillCommand.LINE_UP else 1))
            case TillCommand.RUB_OUT | TillCommand.CLEAR:
                self._give(model.tender.key("back" if command is TillCommand.RUB_OUT else "clear"))
            case _:
                self._give(model.tender.key(value))

    def _refuses_sign(self, event: QKeyEvent) -> bool:
        """Refuse a sign that no amount has, with a tone; the typed amount stays."""
        if self._open.model is None or self._is_page() or not is_other_sign(event):
            return False
        if self._open.model.is_offer:
            self._refuse_amount()
            return True
        self._services.tones.play("no")
        self._open.error = lambda texts: texts("number.only")
        self._show()
        return True

    def _refuse_amount(self) -> None:
        """Say that an offer asks for no amount."""
        self._services.tones.play("no")
        self._open.announce(lambda texts: texts("pay.offer.no_amount"), is_trouble=True)
        self._show()

    # --- acts ------------------------------------------------------------------------------------

    def _give(self, tender: Tender) -> None:
        if self._open.model is not None:
            self._open.model.give(tender)
            if tender.active_line.entry.origin is Origin.TYPED:
                self._resting.start()
            else:
                self.keep_typed()
            self._acted()

    def _acted(self) -> None:
        self._open.quiet()
        self._show()
        self.focus_amount()

    def _on_form(self) -> None:
        """Take a change on a page, and drop the news about the page, which may no longer be
        true."""
        self._open.announce()
        self._resting.start()
        self._show()

    def _on_goes_back(self, before: Payments, now: Payments) -> None:
        if now.total:
            self._services.tones.play("attention")
        self.goes_back.emit(before, now)

    def _go_on(self) -> None:
        """F12: go on from a page to the payment, or agree to an unusual amount."""
        page = self._open.page
        if isinstance(page, KeysShown) and page.over is not None:
            self._close_page()
        if self._open.is_asking:
            self._agreed()
        elif self._is_page() and self._layout is not None:
            self._end_page(on=True, agrees=not self._layout.issue.rests)

    def show_keys(self) -> None:
        """F1: show the keys of the payment, or of the page that covers it; F1 again leads back."""
        if self._layout is None:
            return
        if isinstance(self._open.page, KeysShown):
            self._close_page()
        elif self._open.show_keys():
            self._show_page()
            self._show()
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def way_back(self) -> str:
        """Return the words of the page that Esc leads to; "" where Esc leaves the payment."""
        layout, page, texts = self._layout, self._open.page, self._texts
        match page:
            case KeysShown(FaultPart()) if layout is not None and layout.form_title:
                return layout.form_title
            case KeysShown(Unusual()):
                return texts("sure.title")
            case FaultPart() if self._is_straight:
                return ""
            case None if layout is not None and layout.board.shows_numbers:
                return texts("pay.methods")
            case None:
                return ""
            case _:
                return texts(self._open.title)

    def standing(self) -> str:
        """Return the title of the page that is shown."""
        return self._layout.head.title if self._layout is not None else ""

    @property
    def _is_straight(self) -> bool:
        """Whether the open page was opened from the sale, where the step back leads."""
        return self._form is not None and self._open.straight_to in self._form.fault_parts

    def go_back(self) -> None:
        layout = self._layout
        if self._is_straight:
            self.back_pressed.emit()
        elif self._is_page():
            self._close_page()
        elif layout is not None and layout.board.shows_numbers:
            self._show_numbers(False)
            self.focus_amount()
        else:
            self.back_pressed.emit()

    def _tap_issue(self) -> None:
        if self._is_page():
            self._end_page(agrees=True)
        elif self.amount_is_seen():
            self._press_issue()

    def _press_issue(self) -> None:
        """The big button or Enter: end a page, take the exact rest, or confirm."""
        model = self._open.model
        if model is None:
            return
        if self._is_page():
            self._end_page()
            return
        effect = model.enter()
        if effect is EnterEffect.COVERED:
            self._confirm()
            return
        self._acted()
        self.keep_typed()
        if self._layout is not None:
            self._layout.issue.debounce()  # a double tap takes the amount over, and issues nothing
        if effect is EnterEffect.SHORT:
            remaining = amount_text(model.figure().amount)
            self._open.error = lambda texts: texts("pay.fault.lines.short", remaining=remaining)
            self._show()
        elif effect is EnterEffect.ADVANCE:
            due = model.due
            self._open.announce(lambda texts: texts("pay.advance.taken", amount=due))
            self._show()

    def _agreed(self) -> None:
        self._set_page(None)
        self._acted()
        self._confirm(agreed=True)

    def _confirm(self, *, agreed: bool = False) -> None:
        model = self._open.model
        if model is None:
            return
        if (error := self.check_cart()) is not None:
            self._tell(error)
            return
        match self.confirm_payment(model, agreed=agreed):
            case PaymentFault() as fault:
                self._show_fault(fault)
            case Unusual() as unusual:
                self._ask_if_right(unusual)
            case AfterTraining():
                if self._layout is not None:
                    # the sale has said it; a double tap confirms nothing
                    self._layout.issue.debounce()
            case NotAllowed(kind="hold") if self._services.asks_to_queue:
                confirm = partial(self._confirm, agreed=agreed)
                self.permit(Act.QUEUE, confirm, about=About(amount=model.due))
            case PosError() as error:
                self._tell(error)
            case ConfirmedSale() | Sale() as done:
                self._open.end()
                self.confirmed.emit(done)

    def confirm_payment(self, model: Payment, *, agreed: bool) -> ConfirmedSale | Sale | Hindrance:
        """Freeze the payment. Subclasses do so for other payments than a cart's."""
        assert isinstance(model, PaymentModel)
        return self.confirm_cart(model.ticket, model.drafts, model.tender.payments, agreed=agreed)

    def _ask_if_right(self, unusual: Unusual) -> None:
        if self._layout is not None:
            self._services.tones.play("attention")
            self._set_page(unusual)
            self._show()
            # Otherwise the focus would go to the next widget of the window.
            self._layout.issue.setFocus()

    def _show_fault(self, fault: PaymentFault) -> None:
        """Show a fault where it is corrected: at the line, or on its page."""
        if fault.part is FaultPart.LINES:
            self._open.error = partial(fault_words, fault)
            self._show()
            self.focus_amount()
        else:
            self.open_page(fault.part)
            if self._form is not None:
                self._refuse(self._form, fault)

    # --- pages -----------------------------------------------------------------------------------

    def _end_page(self, *, on: bool = False, agrees: bool = False) -> None:
        """End a page, unless something on it is wrong, which is then shown. This leads back to
        where the page was opened from, or with `on` always to the payment. agrees: what is doubted
        on the page is right."""
        form = self._form
        if form is not None:
            form.settle()
        if form is not None and form.is_doubted and agrees:
            form.agree()
        fault = form.fault(self._faults()) if form is not None else None
        if form is not None and fault is not None:
            if on and self._layout is not None:
                self._layout.issue.debounce()  # a double F12 agrees to no doubt
            self._refuse(form, fault)
        elif form is not None and form.lowers:
            take = partial(self._take_form, on=on)
            self.permit(Act.DISCOUNT, take, percent=form.lowers, about=form.about)
        else:
            self._take_form(on=on)

    def _take_form(self, *, on: bool) -> None:
        """Take over the page's content, also of a page that was made anew meanwhile."""
        form = self._form
        if form is None or (form.done() and self.save()):
            was_straight = form is not None and self._open.straight_to in form.fault_parts
            self._close_page()
            if was_straight and not on:
                self.back_pressed.emit()

    def _refuse(self, form: Form, fault: PaymentFault) -> None:
        """Show a fault at the field of the open page, or in the head where no field has it."""
        form.mark(fault)
        self._services.tones.play("no")
        is_told = form.shows(fault_words(fault, self._texts))
        say = no_words if is_told else partial(fault_words, fault)
        self._open.announce(say, is_trouble=not is_told)
        self._show()

    def _close_page(self) -> None:
        self.keep_typed()
        self._open.close_page()
        self._show_page()
        self._acted()

    def _tell(self, error: PosError) -> None:
        """Show a notice in place of the payment, which stays as it is."""
        self.failed.emit(error)
        self._set_page(error)
        self._show()

    # --- what is shown ---------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._layout is not None:
            self._layout.fit(event.size().height())
            if self._open.shows_numbers:
                self._layout.board.show_numbers(True)

    def _make_layout(self) -> None:
        assert self._open.model is not None
        if self._layout is not None:
            self._column.removeWidget(self._layout)
            self._layout.hide()
            self._layout.deleteLater()
        self._layout = layout = PaymentLayout(
            self._theme,
            self._texts,
            self._open.model,
            known=self._known,
            on_key=self._on_key,
            has_way_back=self._has_way_back,
        )
        self._column.addWidget(layout)
        layout.show()
        self._connect(layout)
        layout.fit(self.height())

    def _set_page(self, page: PaymentPage) -> None:
        self._open.page = page
        self._show_page()

    def _show_page(self) -> None:
        layout, page = self._layout, self._open.page
        if layout is None:
            return
        match page:
            case FaultPart():
                layout.show_form(page, till=self._services.till, may=self._may_discount)
            case Unusual():
                layout.ask_if_right(page)
            case PosError():
                layout.tell(page)
            case KeysShown(over):
                layout.show_keys(over)
            case None:
                layout.set_page(None)

    def _may_discount(self, percent: Decimal) -> bool:
        """Tell whether the person gives so many percent without asking."""
        try:
            return self._services.leave(Act.DISCOUNT, percent) is Leave.MAY
        except PosError:
            return False

    def _show(self) -> None:
        if self._layout is not None:
            self._layout.head.back.lead_to(self.way_back() or self._texts("back.sale"))
            error = self._open.error(self._texts)
            self._layout.show_model(self._faults(), news=self._news(), error=error)
            self._open.tell_changed()
            self.page_shown.emit()

    def _news(self) -> PaymentNews:
        """Return the last news, or without news what must not be forgotten; what goes back to the
        customer stands before either."""
        news, model = self._open.news(self._texts), self._open.model
        if not news.words and (reminder := self.reminds()):
            news = PaymentNews(reminder, is_trouble=True)
        if model is None or not model.given_back.total:
            return news
        back = self._texts("pay.replaced", by=by_methods(model.given_back, self._texts))
        return PaymentNews(" · ".join(filter(None, (back, news.words))), is_trouble=True)

    def _faults(self) -> tuple[PaymentFault, ...]:
        return self._open.model.faults(self._services.till.clock.now()) if self._open.model else ()

    def _connect(self, layout: PaymentLayout) -> None:
        layout.head.back.clicked.connect(self.go_back)
        layout.head.numbers.clicked.connect(self._toggle_numbers)
        layout.issue.clicked.connect(self._tap_issue)
        events = layout.events
        events.given.connect(self._give)
        events.method.connect(self._choose)
        events.page.connect(self.open_page)
        events.page_changed.connect(self._on_form)
        events.page_done.connect(self._end_page)
        events.saved.connect(self.ticket_saved)
        events.failed.connect(self._tell)
        events.agreed.connect(self._agreed)
        events.goes_back.connect(self._on_goes_back)
        events.refused.connect(lambda: self._services.tones.play("no"))

    def _choose(self, method: PaymentMethod) -> None:
        if self._open.model is not None:
            self._open.model.choose(method)
            self.keep_typed()
            self._acted()

    def _toggle_numbers(self) -> None:
        if self._layout is not None:
            self._show_numbers(not self._layout.board.shows_numbers)
            self._show()
            self.focus_amount()

    def _show_numbers(self, visible: bool) -> None:
        self._open.shows_numbers = visible
        if self._layout is not None:
            self._layout.board.show_numbers(visible)
