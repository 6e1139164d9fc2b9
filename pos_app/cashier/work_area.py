"""The right side of the window: the sale, or the payment, or a question over either."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from pos_app.cashier.keys import KeyAction
from pos_app.cashier.payment.drafts import FaultPlace
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.restored_carts import PutBack
from pos_app.cashier.sale.carts import CartActs
from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notice_words import face_of
from pos_app.cashier.sale.open_sale import Part
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.panels.more import MoreActs
from pos_app.cashier.sale.panels.open import panel_for
from pos_app.cashier.sale.panels.recent_notices import RecentNotices
from pos_app.cashier.sale.questions import (
    KeysOfScreen,
    LinePrice,
    LineQuantity,
    More,
    Notice,
    NotYet,
    Question,
)
from pos_app.cashier.sale.unfinished_input import TEXT
from pos_app.cashier.sale.view import SaleView
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.verification import Verification
from pos_app.selling.checkout import ConfirmedSale
from pos_app.selling.scan import ScanPurpose
from pos_app.selling.ticket import Ticket

ACTION_KEYS = MappingProxyType(
    {"F3": KeyAction.QUANTITY, "F4": KeyAction.PRICE, "F5": KeyAction.BUYER, "F6": KeyAction.HOLD}
)
"""Keys that a shop may have on its bar or leave to the menu."""


class WorkArea(QWidget):
    """Signals: `confirmed(Confirmed)`, `attention_wanted()`, `paying(bool)`,
    `close_wanted()`, `drawer_wanted()`, `receipt_wanted()`, `begun_anew()` after a copy was put
    back."""

    confirmed = Signal(object)
    attention_wanted = Signal()
    paying = Signal(bool)
    close_wanted = Signal()
    drawer_wanted = Signal()
    receipt_wanted = Signal()
    begun_anew = Signal()

    def __init__(
        self, model: SaleModel, lines: LineActs, texts: Texts, theme: Theme, payment: PaymentPanel
    ) -> None:
        super().__init__()
        self.model = model
        self.texts = texts
        self.theme = theme
        self.lines = lines
        self.carts = CartActs(model)
        self.sale = SaleView(model, self.lines, self.carts, texts=texts, theme=theme)
        self.payment = payment
        self.panel: QuestionPanel | None = None
        self.is_paying = False
        self._told: Notice | None = None
        """What of the notices was told on the payment last."""
        self._lately = RecentNotices()
        self._more = self._more_acts()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.sale)
        self._pages.addWidget(payment)
        self._wire()
        self._put_back = PutBack(model.services.outbox, self._begin_anew, self)
        self._show_page()

    def minimumSizeHint(self) -> QSize:
        """That of the page which is shown: above the on-screen keyboard each pixel counts."""
        page = self._pages.currentWidget()
        return page.minimumSizeHint() if page is not None else QSize(0, 0)

    # --- for the window --------------------------------------------------------------------------

    def pay(self, place: FaultPlace | None = None) -> None:
        """F12: the payment of the open cart; `place` opens one of its pages (F5: the buyer)."""
        held = self.model.held_by is not None
        if self.model.ticket.cart.is_empty or self.model.is_asked or held:
            self.model.tone("no")
            return
        self._put_lists_away()
        self.sale.search.clear()
        self.model.set_purpose(ScanPurpose.ADD)  # while paying a scan adds its item
        self._set_paying(True)
        self.payment.begin(self.model.ticket, at=place)

    def leave_payment(self) -> None:
        """Back to the sale; the cart keeps what was added, or says why it can't and stays."""
        if self.payment.keep():
            self._set_paying(False)
            self.take_focus()

    def take_receipt(self, receipt: Verification) -> bool:
        """An earlier receipt was scanned while paying: it may fill the buyer."""
        if not self.is_paying or self.model.is_asked:
            return False
        self.model.tone("item" if self.payment.receipt_scanned(receipt) else "no")
        return True

    def take_focus(self) -> None:
        """Put the keyboard where it belongs on this page."""
        if self.panel is not None:
            self.panel.focus_first()
        elif self.is_paying:
            self.payment.focus_amount()
        else:
            self.sale.take_focus()

    def type_key(self, event: QKeyEvent) -> bool:
        """A printable key without a field: it is for the search. Whether it was."""
        if self.panel is not None or self.is_paying:
            return False
        self.sale.type_key(event)
        return True

    def act(self, act: KeyAction) -> None:
        """A key of the window."""
        if act is KeyAction.BACK:
            self._back()
        elif self.model.is_asked:
            if self.panel is not None:
                self.panel.take_key(act)
        elif self.is_paying:
            if act is KeyAction.SEARCH:
                self.leave_payment()
            elif act is KeyAction.DRAWER:
                self.drawer_wanted.emit()
        else:
            self._put_lists_away()
            self._acts()[act]()

    def tell_missing(self, cap: str) -> None:
        """A key of a screen that this version does not have. A question keeps its place."""
        if self.model.is_asked:
            self.model.tone("no")
            return
        self._put_lists_away()
        self.model.notify(NotYet(cap), "no")

    # --- parts -----------------------------------------------------------------------------------

    def _acts(self) -> dict[KeyAction, Callable[[], None]]:
        sale = self.sale
        return {
            KeyAction.KEYS: lambda: self.model.ask(KeysOfScreen()),
            KeyAction.SEARCH: sale.take_focus,
            KeyAction.QUANTITY: sale.quantity,
            KeyAction.PRICE: sale.price,
            KeyAction.BUYER: lambda: self.pay(FaultPlace.BUYER),
            KeyAction.HOLD: self.carts.suspend_or_recall,
            KeyAction.MORE: lambda: self.model.ask(More()),
            KeyAction.PAY: self.pay,
            KeyAction.CASH: sale.cash,
            KeyAction.CARD: sale.card,
            KeyAction.LINE_UP: lambda: self.lines.touch_by(-1),
            KeyAction.LINE_DOWN: lambda: self.lines.touch_by(1),
            KeyAction.REMOVE: self._remove,
            KeyAction.DRAWER: self.drawer_wanted.emit,
        }

    def _remove(self) -> None:
        line = self.lines.touched
        if line is not None:
            self.lines.remove(line.id)

    def _back(self) -> None:
        """One step back; nothing is destroyed by it."""
        if self.model.question is not None:
            self.model.go_back()
        elif self.is_paying:
            self.leave_payment()
        else:
            self.sale.back()
            self.sale.take_focus()

    def _begin_anew(self) -> None:
        """The open cart came out of a copy and was set aside, whatever was done with it."""
        self._set_paying(False)
        self.carts.begin_anew()
        self.model.put_away()
        self.begun_anew.emit()

    def _put_lists_away(self) -> None:
        if self.model.question is not None and not self.model.is_asked:
            self.model.put_away()

    def _wire(self) -> None:
        self.sale.pay_wanted.connect(self.pay)
        self.sale.buyer_wanted.connect(lambda: self.pay(FaultPlace.BUYER))
        self.sale.attention_wanted.connect(self.attention_wanted)
        self.sale.confirmed.connect(self.confirmed)
        self.sale.drawer_wanted.connect(self.drawer_wanted)
        self.sale.notices.receipt_wanted.connect(self.receipt_wanted)
        self.payment.back_pressed.connect(self.leave_payment)
        self.payment.confirmed.connect(self._on_paid)
        self.payment.ticket_saved.connect(self._on_saved)
        self.payment.failed.connect(self.model.note_fault)
        self.payment.hindered_by = lambda: self.model.held_by
        self.payment.reminds = self._missed
        self.model.listen(self._on_change)
        self.texts.changed.connect(self._rebuild_panel)
        self.theme.changed.connect(self._rebuild_panel)

    def _missed(self) -> str:
        """How many codes of this sale came to nothing, in words; "" for none."""
        count = len(self.model.ticket.missed)
        return self.texts.count("notice.missed", count) if count else ""

    def _on_change(self, parts: frozenset[Part]) -> None:
        if Part.NEWS in parts and self.model.notices:
            self._lately.note(self.model.notices[-1], at=self._ticks())
        if Part.NOTICE in parts and self.panel is not None:
            self._say_lately(self.panel)
        if Part.QUESTION in parts:
            self._show_question()
        elif self.panel is not None:
            self.panel.on_change(parts)
        if parts & {Part.CART, Part.MISSED} and self.is_paying:
            self._tell_payment()
        if Part.NOTICE in parts and self.is_paying:
            self._tell_news(came=Part.NEWS in parts)

    def _tell_news(self, *, came: bool) -> None:
        """What came while paying; what is withdrawn no longer stands on the payment either."""
        notices = self.model.notices
        if came and notices:
            self._told = notices[-1]
            face = face_of(self._told, self.texts)
            is_trouble = face.kind is not NoticeKind.INFO
            self.payment.tell_news(face.told.happened, is_trouble=is_trouble)
        elif self._told is not None and self._told not in notices:
            self.payment.take_news_back(face_of(self._told, self.texts).told.happened)
            self._told = None

    def _tell_payment(self) -> None:
        """A scan changed the cart while paying: what was typed stays."""
        ticket = self.model.ticket
        if ticket.cart.is_empty:
            self._set_paying(False)
            return
        paid = self.payment.model
        if paid is not None and paid.ticket is not ticket:
            self.payment.ticket_changed(ticket)

    def _on_paid(self, done: ConfirmedSale) -> None:
        self._set_paying(False)
        self.carts.take_over(done)
        self.confirmed.emit(done)

    def _on_saved(self, ticket: Ticket) -> None:
        """The payment stored with the cart what was added to it."""
        self.model.show(ticket, touched=self.model.touched)

    def _set_paying(self, paying: bool) -> None:
        if paying != self.is_paying:
            self.is_paying = paying
            self._show_page()
            self.paying.emit(paying)

    def _show_question(self) -> None:
        old, self.panel = self.panel, None
        question = self.model.question
        if question is not None:
            if old is None:
                self._lately.forget_read(at=self._ticks())
            self.panel = panel_for(question, self._more, self.texts, self.theme)
            self._take_typed(self.panel, question)
            self._say_lately(self.panel)
            self._pages.addWidget(self.panel)
        self._show_page()
        self.take_focus()
        if old is not None:
            self._pages.removeWidget(old)
            old.hide()
            old.deleteLater()

    def _say_lately(self, panel: QuestionPanel) -> None:
        panel.show_news(self._lately.of(self.model.notices))

    def _ticks(self) -> int:
        return self.model.services.till.clock.ticks()

    def _take_typed(self, panel: QuestionPanel, question: Question) -> None:
        """What was typed before Esc stands there again; what is typed from now on is kept."""
        before, ticket = self.model.typed_before, self.model.ticket
        if isinstance(question, LineQuantity | LinePrice) and question.typed:
            before.keep(question, ticket, {TEXT: question.typed})
        elif typed_then := before.of(question, ticket):
            panel.take_typed(typed_then)
        panel.typed_changed.connect(lambda: before.keep(question, ticket, panel.typed()))

    def _rebuild_panel(self) -> None:
        if self.panel is not None:
            self._show_question()

    def _show_page(self) -> None:
        page: QWidget = self.payment if self.is_paying else self.sale
        self._pages.setCurrentWidget(self.panel or page)

    def _more_acts(self) -> MoreActs:
        return MoreActs(
            model=self.model,
            lines=self.lines,
            carts=self.carts,
            pay_card=lambda: self._then(self.sale.card),
            open_drawer=lambda: self._then(self.drawer_wanted.emit),
            show_receipt=lambda: self._then(self.receipt_wanted.emit),
            open_attention=lambda: self._then(self.attention_wanted.emit),
            close_till=lambda: self._then(self.close_wanted.emit),
            flip_picker=lambda: self._then(self.sale.flip_picker),
            flip_theme=self._flip_theme,
            picker_is_list=lambda: self.sale.picker.rows.as_list,
            theme_is_dark=lambda: self.theme.palette.name == "dark",
            without_key=self._without_key,
        )

    def _without_key(self) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What has no key on the bar, by choice or for want of room: a finger finds it in
        the menu."""
        acts = self._acts()
        folded = self.sale.bar.folded
        on_bar = [key for key in self.sale.bar.keys if key not in folded]
        return tuple(
            (key, self._as_choice(acts[act]))
            for key, act in ACTION_KEYS.items()
            if key not in on_bar
        )

    def _as_choice(self, act: Callable[[], None]) -> Callable[[], None]:
        return lambda: self._then(act)

    def _then(self, act: Callable[[], None]) -> None:
        """Close the menu, then do what was chosen in it."""
        self.model.put_away()
        act()

    def _flip_theme(self) -> None:
        self.theme.change(theme="light" if self.theme.palette.name == "dark" else "dark")
