"""The screen of the advances: the open ones are at the left, the chosen one at the right. While an
advance is paid, it stands at the left of its payment.

Sources: till.md ("Advances"), look.md, mock-15.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.acts.confirm_amount import ConfirmAmount
from pos_app.cashier.advances.act_view import ActView
from pos_app.cashier.advances.advance_view import AdvanceView
from pos_app.cashier.advances.items_view import ItemsView
from pos_app.cashier.advances.list_view import AdvanceList
from pos_app.cashier.advances.payment import AdvanceAct, FurtherPaymentModel
from pos_app.cashier.advances.room import AdvancesRoom, Wanted
from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.payment.model import Payment
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import NEXT_ICON
from pos_app.cashier.ui.labels import ElidedLabel, Icon
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.panel import ButtonRow
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Change, Frame, Room, ScanAnswer, ShopChange
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.words.cart_texts import past_its_day
from pos_app.domain.article.barcodes import (
    ArticleCode,
    EditionCode,
    ReceiptCode,
    ScannedCode,
    ShortReceiptCode,
)
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import PriceCode, WeightCode
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import ReceiptAct, WhyNot
from pos_app.domain.receipt.request import InvoiceType
from pos_app.domain.text.instant import day_of
from pos_app.errors import PosError
from pos_app.selling.catalogue.codes import ReadCode, found_by
from pos_app.selling.receipts.advance_draft import ClosingDraft
from pos_app.selling.sale.checkout import ConfirmedSale
from pos_app.selling.sale.confirm_checks import Hindrance
from pos_app.selling.sale.sale import Sale

LIST_SHARE, PAID_SHARE = 0.556, 0.37
"""The width's share of the list beside an advance (mock-15), and of an advance beside its
payment."""
LOOK_SECONDS = 3
"""Seconds between two questions how an act stands that has not ended."""
SEND, GIVE_BACK, OTHERS = "E", "R", "O"
PLUS = "+"


class AdvancePanel(PaymentPanel):
    def __init__(self, room: AdvancesRoom, frame: Frame) -> None:
        super().__init__(frame.services, frame.ui, payment=room.payment, has_way_back=False)
        self._room = room

    def confirm_payment(self, model: Payment, *, agreed: bool) -> ConfirmedSale | Sale | Hindrance:
        assert isinstance(model, AdvanceAct)
        return self._room.confirm(model, agreed=agreed)


class AdvancesScreen(HeadedScreen):
    title = "adv.title"
    help_keys = (
        ("↑ ↓", "adv.keys.rows"),
        (ENTER, "adv.keys.enter"),
        (PLUS, "adv.keys.plus"),
        (SEND, "adv.keys.send"),
        (GIVE_BACK, "adv.keys.refund"),
        (OTHERS, "adv.others"),
        ("0–9", "adv.keys.digits"),
        (TillCommand.SEARCH, "adv.keys.search"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, AdvancesRoom)
        self.room, self.model = room, room.model
        texts, theme = frame.ui.texts, frame.ui.theme
        self._texts = texts
        self.list = AdvanceListSide(theme, texts)
        self.opened = OpenedSide(theme, texts)
        self.payment = AdvancePanel(room, frame)
        self.items: ItemsView | None = None
        self._foreign: ForeignReceipt | None = None
        """The advance that the last scanned code names, or None."""
        self._seconds = 0
        self._sides = QWidget()
        self._row = row = QHBoxLayout(self._sides)
        row.addWidget(self.list)
        row.addWidget(self.opened, 1)
        row.addWidget(self.payment, 1)
        self.column.addWidget(self._sides, 1)
        self.column.addWidget(self.keys, 1)
        self._connect()
        if room.naming is not None and room.is_naming:
            self._make_items(room.naming)
        self.show_place()

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, screens.ReceiptPlace):
            self.room.open_number(screen_place.reference)

    def showEvent(self, event: QShowEvent) -> None:
        self.room.ask()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share(event.size().width())
        super().resizeEvent(event)

    def changed(self, change: Change) -> None:
        if change.what in (ShopChange.SALES, ShopChange.SERVER):
            self._show()

    def tick(self) -> None:
        super().tick()
        self._seconds = (self._seconds + 1) % LOOK_SECONDS
        if self._seconds == 0 and not self.is_busy:
            self.room.look()

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        meant = code.meaning
        if isinstance(meant, ReceiptCode | ShortReceiptCode):
            if self.shows_keys:
                self.toggle_keys()
            if self.is_paying:
                found = isinstance(meant, ReceiptCode) and self.payment.receipt_scanned(
                    meant.verification
                )
                self.frame.home.tone("item" if found else "no")
            elif self.items is None:
                self._foreign = _foreign_advance(meant)
                self.room.open_number(meant.reference)
                self.end_refusal()
                if isinstance(meant, ShortReceiptCode):
                    self.tell(lambda texts: texts("receipts.by_short_number"))
            return ScanAnswer.TAKEN
        if self.items is not None and _is_of_goods(meant):
            self._scan_item(self.items, code)
            return ScanAnswer.TAKEN
        return self.unused_scan

    @property
    def holds_typed(self) -> bool:
        return self.is_paying or self.items is not None or super().holds_typed

    def press(self, command: TillCommand) -> None:
        if command is TillCommand.SEARCH and not self.is_busy:
            self.list.list.search.edit.setFocus()
        elif command is TillCommand.PAY and self._question is not None:
            self._question.agreed.emit()
        elif not self.is_paying or command in (TillCommand.BACK, TillCommand.DRAWER):
            super().press(command)

    def tell_in_place(self, words: str) -> bool:
        """Show the words below the list, or at the top where that is covered."""
        self.list.tell(words)
        return not self.is_busy

    def focus_place(self) -> None:
        if self.is_paying:
            self.payment.focus_amount()
        elif self.items is not None:
            self.items.focus_first()
        else:
            self.list.list.focus_list()

    def step_back(self) -> bool:
        if self.is_paying:
            self.payment.go_back()
        elif self.items is not None and self.items.question is not None:
            self.items.drop_question()
        elif self.items is not None:
            self._leave_items()
        elif self.list.list.search.edit.hasFocus() or self.model.typed_text:
            self.model.search("")
            self._show()
            self.list.list.focus_list()
        else:
            return False
        return True

    # --- keys ------------------------------------------------------------------------------------

    @property
    def is_paying(self) -> bool:
        return self.room.payment.is_open

    @property
    def _question(self) -> ConfirmAmount | None:
        """The question that covers the items, or None."""
        return None if self.items is None or self.is_paying else self.items.question

    @property
    def is_busy(self) -> bool:
        return self.is_paying or self.items is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and self.items is not None and not self.is_paying and not self.shows_keys:
            if not event.isAutoRepeat():
                self.items.press()
        elif self.shows_keys or self.is_busy or not self._act_by(event):
            super().keyPressEvent(event)

    def _act_by(self, event: QKeyEvent) -> bool:
        """Tell whether the list handled the key."""
        key, text = event.key(), typed_text(event)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._press_enter()
            return True
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(-1 if key == Qt.Key.Key_Up else 1)
            return True
        if event.isAutoRepeat():
            return False
        if text == PLUS:
            self.want(Wanted.PAYMENT)
        elif text.isdigit():
            search = self.list.list.search
            search.edit.setFocus()
            search.edit.insert(text)
        elif letter_of(event) == SEND:
            self._press_if(self.opened.send, self._why_no_receipts() or self._why_no_mail())
        elif letter_of(event) == GIVE_BACK:
            self._press_if(self.list.refund, self._why_no_refund())
        elif letter_of(event) == OTHERS:
            self._press_if(self.list.others, self._why_under_way())
        else:
            return False
        return True

    def _press_enter(self) -> None:
        stage = self.room.act.stage
        if stage is Stage.REFUSED and self.room.refused is not None:
            self._again()
        elif stage is Stage.DOUBT:
            self._decide()
        elif stage is Stage.DONE:
            self._go_on()
        elif self.list.list.search.edit.hasFocus():
            self.list.list.focus_list()
        else:
            self.want(Wanted.CLOSING)

    def _go_on(self) -> None:
        """Go on to the next sale. A new button ignores the second tap of the same finger."""
        if not self.opened.next.rests:
            self.leave()

    def _press_if(self, button: ThemedButton, why: Say | None = None) -> None:
        if button.isVisible() and button.isEnabled():
            button.click()
        else:
            self._refuse(why)

    def _refuse(self, why: Say | None) -> None:
        self.frame.home.tone("no")
        if why is not None:
            self.tell(why)

    def _step(self, by: int) -> None:
        self.model.step(by)
        self._chosen()

    # --- what is done ----------------------------------------------------------------------------

    def _choose(self, index: int) -> None:
        row = self.list.list.rows.row_at(index)
        if row is not None and row.numbers[0] != self.model.chosen:
            self.model.choose(row)
            self._chosen()

    def _tapped(self) -> None:
        """Show the acts on an advance again that was tapped after one of them was done."""
        if self.room.act.stage is Stage.DONE and self.model.row is not None:
            self._chosen()

    def _chosen(self) -> None:
        self.room.put_away()
        self.end_refusal()
        self._show()
        self.room.rest_on_chosen()

    def _search(self, typed_text: str) -> None:
        if typed_text == self.model.typed_text:
            return
        before = self.model.chosen
        self.model.search(typed_text)
        if self.model.chosen != before:
            self._chosen()
        else:
            self._show()

    def want(self, wanted: Wanted) -> None:
        """Begin what is wanted at once, or as soon as the whole advance is there."""
        self.end_refusal()
        if self.model.opened is None and self.model.row is None:
            self._refuse(_none_words)
            return
        if self.model.opened is not None:
            self._begin(wanted)
        else:
            self.room.want(wanted)

    def _begin(self, wanted: Wanted) -> None:
        overview = self.model.opened
        why = self._why_not(wanted)
        if overview is None or self.is_busy or why is not None:
            self._refuse(why)
            return
        if not self.room.put_away():
            return
        if wanted is Wanted.PAYMENT:
            self._pay(self.room.payment_of(overview))
            return
        draft = self.room.begin_closing(overview)
        if draft.names_items:
            self._make_items(draft)
            self.show_place()
            self.take_focus()
        else:
            self._pay(self.room.closing_of(draft))

    def _pay(self, model: AdvanceAct) -> None:
        self.room.payment.set_open(True)
        self.payment.begin_with(model)
        self.show_place()
        self.payment.focus_amount()

    def _leave_payment(self) -> None:
        if not self.payment.save():
            return
        self.room.payment.set_open(False)
        self.show_place()
        self.take_focus()

    def _confirmed(self, _: Sale) -> None:
        self.room.payment.set_open(False)
        self._drop_items()
        self.show_place()
        self.take_focus()

    def _again(self) -> None:
        model = self.room.refused
        if model is not None and self.room.put_away():
            self._pay(model)

    def _decide(self) -> None:
        sale = self.room.act.sale
        place = None if sale is None else screens.CasePlace(sale.key)
        self.frame.open(screens.ATTENTION, place)

    # --- items -----------------------------------------------------------------------------------

    def _make_items(self, draft: ClosingDraft) -> None:
        self.room.naming, self.room.is_naming = draft, True
        self.items = ItemsView(self.theme, self._texts, draft)
        self.items.changed.connect(self._name_items)
        self.items.done.connect(self._items_named)
        self.items.asks.connect(lambda _: self.show_way_back())
        self.items.refused.connect(lambda: self.frame.home.tone("no"))
        self._row.addWidget(self.items, 1)

    def _name_items(self, draft: ClosingDraft) -> None:
        self.room.naming = draft

    def _items_named(self) -> None:
        assert self.room.naming is not None
        self._pay(self.room.closing_of(self.room.naming))

    def _leave_items(self) -> None:
        """Leave the items; what was typed is found again while the advance is the same."""
        self.room.is_naming = False
        self._hide_items()
        self.show_place()
        if self.frame.top is self:
            self.take_focus()

    def _drop_items(self) -> None:
        self.room.naming, self.room.is_naming = None, False
        self._hide_items()

    def _hide_items(self) -> None:
        if self.items is not None:
            self._row.removeWidget(self.items)
            self.items.hide()
            self.items.deleteLater()
            self.items = None

    def _scan_item(self, items: ItemsView, code: ReadCode) -> None:
        """Add what was scanned. A pack whose last day is over is asked about first, or refused
        where the shop does so."""
        services = self.frame.services
        found, today = found_by(code, services.catalogue), day_of(services.till.clock.now())
        is_added = False
        self.end_refusal()
        if len(found) == 1 and items.question is None:
            refusal: PosError | None = found[0].refusal
            is_past = found[0].is_past(today)
            if refusal is None and is_past and services.settings.till.expired_goods == "refuse":
                refusal = past_its_day(found[0])
            if refusal is not None:
                self.tell(lambda texts: texts.error(refusal).happened)
            elif is_past:
                items.ask_about_day(found[0])
            else:
                is_added = items.add(found[0])
        self.frame.home.tone("item" if is_added else "no")

    # --- what is shown ---------------------------------------------------------------------------

    def show_place(self) -> None:
        self.keys.setVisible(self.shows_keys)
        self._sides.setVisible(not self.shows_keys)
        self.payment.setVisible(self.is_paying)
        if self.items is not None:
            self.items.setVisible(not self.is_paying)
        self.list.setVisible(not self.is_busy)
        self._show()
        self._share(self.width())  # by what is shown now
        self.show_way_back()

    @property
    def is_searched(self) -> bool:
        return bool(self.model.typed_text) and not self.is_busy

    def step_title(self) -> str:
        if not self.is_busy:
            return super().step_title()
        is_further = self.is_paying and isinstance(self.room.payment.model, FurtherPaymentModel)
        return self._texts("att.op.advance" if is_further else "att.op.close")

    def way_back(self) -> str:
        is_above = self._question is not None or (self.is_paying and self.items is not None)
        below = self._texts("adv.items") if is_above else ""
        step = self.payment.way_back() if self.is_paying else ""
        return step or below or super().way_back()

    def _share(self, width: int) -> None:
        """Share the width. The payment has its own margins and as much room as at the sale. The
        room that an advance needs is taken from the list."""
        edge, busy = self.theme.metrics.s3, self.is_busy
        outer, inner = (0, edge) if busy else (edge, 0)
        self._row.setContentsMargins(outer, outer, outer, outer)
        self._row.setSpacing(outer)
        self.opened.set_margin(inner)
        if busy:
            self.opened.setFixedWidth(round(width * PAID_SHARE))
        else:
            self.opened.setMinimumWidth(0)
            self.opened.setMaximumWidth(width)
            room = width - 5 * edge - self.opened.minimumSizeHint().width()
            self.list.setFixedWidth(min(round(width * LIST_SHARE) - edge, room))

    def _show(self) -> None:
        if self.items is not None and not self.is_paying and self.room.names_another:
            self._leave_items()
            return
        now = self.frame.services.till.clock.now()
        self.list.list.show_model(self.model, now)
        under_way, act = self.room.is_under_way, self.room.act
        row, opened = self.model.row, self.model.opened
        self.opened.view.show_advance(row, opened, now, under_way=under_way)
        known = (None if opened is None else opened.advance) or row
        paid = known.paid if under_way and known is not None else None
        can_go_back = self.room.refused is not None
        self.opened.act.show_act(
            act.sale,
            act.stage,
            paid=paid,
            can_go_back=can_go_back,
            goes_back=self.room.goes_back,
            counts_on=self.room.counts_on,
            elsewhere=self.room.done_elsewhere,
        )
        is_empty = self.model.lists_nothing and act.sale is None
        self.list.refund.setVisible(not is_empty)
        self.opened.show_parts(not is_empty, with_buttons=not self.is_busy)
        is_done = act.stage is Stage.DONE
        can_close = not self._why_not(Wanted.CLOSING)
        self.opened.show_next(is_done, can_close=can_close, can_begin=not under_way)
        self.opened.give_room()
        self._allow()
        self.show_way_back()

    def _allow(self) -> None:
        opened = self.model.opened
        advance = None if opened is None else opened.advance
        is_open = advance is not None and not advance.is_closed
        remaining = advance.remaining if is_open and advance is not None else None
        shown = None if self._why_not(Wanted.CLOSING) else remaining
        is_refused = self.room.refused is not None
        self.opened.close_button.show_act(
            self._texts("adv.close"),
            amount="" if shown is None else amount_text(shown),
            key="" if is_refused else ENTER,
            icon="hand-coins",
            kind=ButtonKind.PLAIN if is_refused else ButtonKind.FILLED,
        )
        for button, why in (
            (self.opened.close_button, self._why_not(Wanted.CLOSING)),
            (self.opened.add, self._why_not(Wanted.PAYMENT)),
            (self.list.refund, self._why_no_refund()),
            (self.list.others, self._why_under_way()),
            (self.opened.send, self._why_no_receipts() or self._why_no_mail()),
            (self.opened.receipts, self._why_no_receipts()),
        ):
            button.allow() if why is None else button.refuse(why(self._texts))
        for button, key in ((self.list.refund, GIVE_BACK), (self.list.others, OTHERS)):
            button.set_key(key if button.isEnabled() else "")

    def _why_under_way(self) -> Say | None:
        return partial(why_words, WhyNot.UNDER_WAY) if self.room.is_under_way else None

    def _why_not(self, wanted: Wanted) -> Say | None:
        opened = self.model.opened
        if (under_way := self._why_under_way()) is not None:
            return under_way
        if opened is None or opened.advance is None:
            return _none_words
        act = ReceiptAct.CLOSE if wanted is Wanted.CLOSING else ReceiptAct.ADVANCE
        why = opened.why_not(act)
        if why is not None:
            return partial(why_words, why)
        is_paid = opened.advance.remaining is not None and not opened.advance.remaining
        return _paid_words if wanted is Wanted.PAYMENT and is_paid else None

    def _why_no_refund(self) -> Say | None:
        opened = self.model.opened
        if (under_way := self._why_under_way()) is not None:
            return under_way
        if opened is None:
            return _none_words
        if opened.advance is not None and opened.advance.is_closed:
            return partial(why_words, WhyNot.CLOSED)
        why = opened.why_not(ReceiptAct.REFUND)
        return None if why is None else partial(why_words, why)

    def _why_no_receipts(self) -> Say | None:
        return _none_words if self.model.opened is None else None

    def _why_no_mail(self) -> Say | None:
        return None if self.frame.services.may_mail else _no_mail_words

    def _open_receipts(self) -> None:
        if self.model.opened is not None:
            number = self.model.opened.number
            place = screens.ReceiptPlace(number, back_to=screens.ADVANCES)
            self.frame.open(screens.RECEIPTS, place)

    def _refund(self) -> None:
        if self.model.opened is not None:
            self.frame.open(
                screens.REFUND,
                screens.RefundPlace(self.model.opened.number, back_to=screens.ADVANCES),
            )

    def _close_by_hand(self) -> None:
        self.frame.open(screens.REFUND, screens.RefundPlace("", screens.ADVANCES, closes=True))

    def _no_advance(self, words: str) -> None:
        """Open the closing by hand for an advance of another system; else show the words."""
        foreign, self._foreign = self._foreign, None
        if foreign is not None:
            place = screens.RefundPlace(foreign.number, screens.ADVANCES, foreign, closes=True)
            self.frame.open(screens.REFUND, place)
            return
        self._refuse(lambda texts: texts(words))

    def _connect(self) -> None:
        side, opened, queued = self.list, self.opened, Qt.ConnectionType.QueuedConnection
        side.list.search.changed.connect(self._search)
        side.list.again.connect(self.room.ask)
        side.list.table.selectionModel().currentChanged.connect(
            lambda index, _: self._choose(index.row())
        )
        side.list.table.clicked.connect(lambda _: self._tapped())
        side.refund.clicked.connect(self._refund)
        side.others.clicked.connect(self._close_by_hand)
        opened.close_button.clicked.connect(lambda: self.want(Wanted.CLOSING))
        opened.add.clicked.connect(lambda: self.want(Wanted.PAYMENT))
        opened.receipts.clicked.connect(self._open_receipts)
        opened.send.clicked.connect(self._open_receipts)
        opened.act.again.connect(self._again)
        opened.act.decide.connect(self._decide)
        opened.next.clicked.connect(self.leave)
        opened.close_too.clicked.connect(lambda _=False: self.want(Wanted.CLOSING))
        self.payment.back_pressed.connect(self._leave_payment)
        self.payment.page_shown.connect(self.show_way_back)
        self.payment.confirmed.connect(self._confirmed)
        self.room.changed.connect(self._show, queued)
        self.room.came.connect(self._begin, queued)
        self.room.no_advance.connect(self._no_advance, queued)


def _foreign_advance(code: ReceiptCode | ShortReceiptCode) -> ForeignReceipt | None:
    foreign = ForeignReceipt.of(code.verification) if isinstance(code, ReceiptCode) else None
    is_advance = foreign is not None and foreign.kind.invoice_type is InvoiceType.ADVANCE
    return foreign if is_advance and foreign is not None and foreign.may_be_refunded else None


def why_words(why: WhyNot, texts: Texts) -> str:
    """The reason why an act on an advance is not possible, in its own words where it has some."""
    return texts(_WHY.get(why, f"receipts.why_not.{why}"))


_WHY = {
    WhyNot.CLOSED: "adv.why.closed",
    WhyNot.CLOSED_ADVANCE: "adv.why.closed",
    WhyNot.UNDER_WAY: "adv.why.under_way",
    WhyNot.HALF_DONE: "adv.why.half_done",
    WhyNot.REFUNDED: "adv.why.refunded",
}


def _none_words(texts: Texts) -> str:
    return texts("adv.why.none")


def _paid_words(texts: Texts) -> str:
    return texts("adv.why.paid")


def _no_mail_words(texts: Texts) -> str:
    return texts("receipts.no_mail")


class AdvanceListSide(QWidget):
    """The list, the words below it, and the refund button far from everything else."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.list = AdvanceList(theme, texts)
        self.refund = Button(
            theme, texts("adv.refund"), icon="undo-2", key=GIVE_BACK, kind=ButtonKind.DANGER
        )
        self.others = Button(theme, texts("adv.others"), icon="receipt-text", key=OTHERS)
        self._usual = texts("adv.no_parts")
        self._words_label = ElidedLabel(theme, self._usual, step=TypeStep.SMALL, colour="ink_2")
        note = QHBoxLayout()
        note.setSpacing(theme.metrics.s2)
        note.addWidget(Icon(theme, "info", size=18))
        note.addWidget(self._words_label, 1)
        foot = ButtonRow(theme, self.refund, self.others, gap=theme.metrics.s2, apart=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        column.addWidget(self.list, 1)
        column.addLayout(note)
        column.addWidget(foot)

    def tell(self, words: str) -> None:
        self._words_label.setText(words or self._usual)


class OpenedSide(QWidget):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.view = AdvanceView(theme, texts)
        self.act = ActView(theme, texts)
        self.receipts = Button(theme, texts("adv.receipts"), icon="receipt-text")
        self.send = Button(theme, texts("adv.send"), icon="mail", key=SEND)
        self._buttons = ButtonRow(theme, self.receipts, self.send, gap=theme.metrics.s2)
        self.view.column.addWidget(self._buttons)
        self.add = Button(
            theme, texts("adv.add"), icon="plus", key=PLUS, bold=True, height="button"
        )
        self.add.let_fold()
        is_narrow = theme.metrics.narrow or theme.metrics.large
        self.close_button = BigButton(
            theme, texts("adv.close"), key=ENTER, icon="hand-coins", stacked=is_narrow
        )
        amount = theme.font(TypeStep.AMOUNT, Weight.BOLD)
        room = width_of(amount, "99.999,99") + 2 * theme.metrics.s4
        self.close_button.setMinimumWidth(room if is_narrow else round(5.4 * theme.metrics.touch))
        self.next = BigButton(theme, texts("done.next"), key=ENTER, icon=NEXT_ICON)
        self.close_too = Button(
            theme, texts("adv.close"), icon="hand-coins", bold=True, height="button"
        )
        """Closes the advance of which a part was just paid."""
        self.close_too.let_fold()
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(theme.metrics.s3)
        for button in (self.add, self.close_too):
            foot.addWidget(button)
        foot.addWidget(self.close_button, 1)
        foot.addWidget(self.next, 1)
        self._column = column = QVBoxLayout(self)
        column.setSpacing(theme.metrics.s3)
        column.addWidget(self.view, 1)
        column.addWidget(self.act)
        column.addWidget(self._foot)

    def set_margin(self, margin: int) -> None:
        self._column.setContentsMargins(margin, margin, margin, margin)

    def show_next(self, is_done: bool, *, can_close: bool, can_begin: bool) -> None:
        """is_done: an act is done, so that the big button leads to the next sale. can_begin: no act
        is under way, beside which no other is offered."""
        self.next.setVisible(is_done)
        self.close_too.setVisible(is_done and can_close)
        for button in (self.add, self.close_button):
            button.setVisible(not is_done and can_begin)

    def give_room(self) -> None:
        """Hide the chain of receipts in large type while the result of an act is shown."""
        is_large = self.view.theme.metrics.large
        self.view.path.setVisible(not is_large or self.act.isHidden())

    def show_parts(self, visible: bool, *, with_buttons: bool) -> None:
        """Show the advance; nothing is shown beside a list that is empty, which says why."""
        self.view.setVisible(visible)
        self._foot.setVisible(visible and with_buttons)
        self._buttons.setVisible(with_buttons)


ROOM, SCREEN = AdvancesRoom, AdvancesScreen


def _is_of_goods(meant: ScannedCode) -> bool:
    return isinstance(meant, ArticleCode | EditionCode | WeightCode | PriceCode | Gs1Message)
