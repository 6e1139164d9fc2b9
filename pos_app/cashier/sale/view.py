"""The right side of the sale: search, notices, picker, pad, action buttons and Pay."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.sale import questions, typed
from pos_app.cashier.sale.action_bar import ActionBar
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.mode_bar import ModeBar, paint_frame
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices_view import NoticeArea
from pos_app.cashier.sale.picker import Picker, picked_row
from pos_app.cashier.sale.search import SearchRow
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import lowest_cell
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import CATALOGUE
from pos_app.errors import Invalid
from pos_app.selling.sale.scan import ScanPurpose

SHARE_OF_TOUCH = 4.4
"""The pad's width in touch sizes: 202 px at 12 mm."""


class PadDrawer(QWidget):
    """Signals: `pressed(str)` with a digit, ",", "back" or "*"; `entered()`."""

    pressed = Signal(str)
    entered = Signal()

    def __init__(self, texts: Texts, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._texts = texts
        self._theme = theme
        self.pad = Pad(theme, back_name=texts("typing.back"))
        self.times = Button(theme, "×", name=texts("pad.times"))
        self.enter = Button(theme, texts("pad.enter"), icon="check")
        for button in (self.times, self.enter):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        half = theme.metrics.s2 // 2
        column = QVBoxLayout(self)
        column.setContentsMargins(half, half, theme.metrics.s3, half)
        column.setSpacing(theme.metrics.s2)
        column.addWidget(self.pad)
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        row.addWidget(self.times)
        row.addWidget(self.enter, 1)
        column.addLayout(row)
        column.addStretch(1)
        self.setFixedWidth(round(SHARE_OF_TOUCH * theme.metrics.touch) + theme.metrics.s3 - half)
        self.pad.pressed.connect(self.pressed)
        self.times.clicked.connect(lambda: self.pressed.emit("*"))
        self.enter.clicked.connect(self.entered)


class SaleView(QWidget):
    """Search, notices and action bar are always shown; the pad is hidden while it has no room
    between them. Signal: `pad_unfolding()`, the pad needs room."""

    pad_unfolding = Signal()

    def __init__(self, model: SaleModel, ui: UiContext, frame: Frame) -> None:
        super().__init__()
        self._model = model
        self._texts = texts = ui.texts
        self._theme = theme = ui.theme
        self._key = model.cart.ticket.key
        self._is_low = False
        keys = model.context.services.settings.till.action_keys
        self.mode = ModeBar(model, texts, theme, self)
        self.search = SearchRow(model, texts, theme, self)
        self.notices = NoticeArea(model, frame, texts, theme, follows=self.search.pad, parent=self)
        self.picker = Picker(model, texts, theme, self)
        self.picker.chips.follow(self.search.pad)
        self.picker.catalogue_wanted.connect(partial(frame.open, CATALOGUE))
        self.pad = PadDrawer(texts, theme, self)
        self.bar = ActionBar(keys, frame, texts, theme, self)
        self.pad.hide()
        self.picker.setMinimumHeight(1)  # the picker gives way before all else
        self._build()
        self._wire()
        self._restore()
        self.show_cart()

    # --- acts of the keys ------------------------------------------------------------------------

    def take_focus(self) -> None:
        self.search.take_focus()

    def quantity(self) -> None:
        """F3: ask for the current line's quantity, or for the next item's if there is no line."""
        line = self._model.cart.current_line
        self._ask_number(
            questions.NextQuantity() if line is None else questions.LineQuantity(line.id)
        )

    def price(self) -> None:
        """F4: ask for the current line's price or discount."""
        line = self._model.cart.current_line
        if line is None:
            self._model.context.tone("no")
            return
        self._ask_number(questions.LinePrice(line.id))

    def cash(self) -> None:
        """Numpad +: pay exact cash, or the amount typed before it as received."""
        self._model.confirmation.pay_typed_cash(self.search.text())

    def press_exact(self) -> None:
        """Pay as the button of exact cash shows; words in the search are ignored."""
        self._model.confirmation.pay_shown_cash(self.search.text())

    def card(self) -> None:
        self._model.confirmation.pay_typed_card(self.search.text())

    def back(self) -> bool:
        """Go one step back: leave the mode, the search, a notice, the next quantity or the pad.
        Return whether there was one."""
        model = self._model
        if model.cart.purpose is not ScanPurpose.ADD:
            model.entry.set_purpose(ScanPurpose.ADD)
        elif self.search.text():
            self.search.clear()
        elif model.context.notices:
            model.context.dismiss()
        elif model.cart.next_quantity is not None:
            model.entry.set_next_quantity(None)
        elif self.search.pad.isChecked():
            self.fold_pad()
        else:
            return False
        return True

    def type_key(self, event: QKeyEvent) -> None:
        self.search.type_key(event)

    def flip_picker(self) -> None:
        self.picker.set_as_list(not self._model.context.screen.as_list)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.mode.mode_style is not None:
            paint_frame(QPainter(self), self.rect(), self._theme, self.mode.mode_style)

    def fold_pad(self) -> None:
        self.search.pad.setChecked(False)

    def minimumSizeHint(self) -> QSize:
        """The height without the pad, which gives way."""
        least = super().minimumSizeHint()
        over = self.pad.minimumSizeHint().height() - self.picker.minimumSizeHint().height()
        return least - QSize(0, 0 if self.pad.isHidden() else max(0, over))

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit_chips()  # a notice came or went
            self._fit_pad()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low view, as above the on-screen keyboard, hide the chips and the words of mode and
        notice, to leave room for articles."""
        metrics = self._theme.metrics
        fixed = 2 * metrics.touch + metrics.button + 2 * metrics.s3 + 4 * metrics.s2
        is_low = event.size().height() < fixed + metrics.tile_height
        self._is_low = is_low
        self.mode.fold(is_low)
        self._fit_notice()
        self._fit_chips()
        self._fit_pad()

    def _fit_notice(self) -> None:
        """Show only the notice's first part where even the lowest tiles have no room below the
        whole notice."""
        self.notices.fold(self._is_low)
        if self.height() - self._height_beside_pad() < lowest_cell(self._theme.metrics):
            self.notices.fold(True)

    def _fit_chips(self) -> None:
        """Hide the chips where they leave no room for a row of tiles and all words of a notice."""
        metrics = self._theme.metrics
        needed = metrics.touch + metrics.tile_height + 3 * metrics.s2
        room = self.height() - self._height_beside_pad()
        self.picker.fold_chips(self._is_low or room < needed)

    def show_cart(self) -> None:
        ticket = self._model.cart.ticket
        cart = ticket.cart
        self.bar.show_suspended(self._model.cart.suspended_count, empty=ticket.is_idle)
        self.bar.show_cart(
            self._model.cart.to_pay,
            offer=self._texts("kind.proforma") if ticket.kind.is_offer else "",
            gives=self._model.cart.to_give or self._model.cart.to_give_beside.total,
            empty=cart.is_empty,
            has_line=self._model.cart.current_line is not None,
            is_begun=bool(ticket.typed_details.paid) or ticket.exchanged is not None,
        )
        self.bar.exact.show_exact(None if cart.is_empty else self._model.cart.cash_due)
        self.bar.card.show_exact(None if cart.is_empty else self._model.cart.due)
        self.picker.show_badges()

    # --- parts -----------------------------------------------------------------------------------

    def _build(self) -> None:
        metrics = self._theme.metrics
        half = metrics.s2 // 2
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s3 - half, metrics.s3, metrics.s3 - half, metrics.s3)
        column.setSpacing(0)
        column.addWidget(self.mode)
        column.addWidget(self.search)
        column.addWidget(self.notices)
        column.addSpacing(metrics.s2 + 2)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.picker, 1)
        middle.addWidget(self.pad)
        column.addLayout(middle, 1)
        column.addSpacing(metrics.s2 + 2 - half)
        column.addWidget(self.bar)
        for part in (self.mode, self.search, self.notices, self.bar):
            part.setContentsMargins(0, 0, metrics.s3 - half, 0)
        at_edge = column.contentsMargins()
        at_edge.setRight(0)  # at the right the picker has the thumb of its scroll bar
        column.setContentsMargins(at_edge)

    def _wire(self) -> None:
        search, bar = self.search, self.bar
        search.text_typed.connect(self._on_typed)
        search.entered.connect(self._on_entered)
        search.next_pressed.connect(lambda: self._model.questions.ask(questions.NextQuantity()))
        search.pad_toggled.connect(self._on_pad)
        search.down_pressed.connect(self.picker.step_in)
        self.pad.pressed.connect(search.press)
        self.pad.entered.connect(self._on_entered)
        self.picker.picked.connect(self._on_picked)
        self.picker.key_typed.connect(search.type_key)
        self.picker.to_search.connect(search.take_focus)
        self.picker.everything_wanted.connect(self._show_everything)
        bar.exact_pressed.connect(self.press_exact)
        bar.card_pressed.connect(self._model.confirmation.pay_shown_card)
        self._model.context.listen(
            self._on_change, SalePart.CART, SalePart.NEXT, SalePart.NOTICE, SalePart.CATALOGUE
        )

    def _show_everything(self) -> None:
        """Show all articles, because a search or a group has none."""
        self.search.clear()
        self.picker.show_everything()

    def _restore(self) -> None:
        """Restore what the screen showed before its widgets were made anew."""
        screen = self._model.context.screen
        self.search.search.edit.setText(screen.text)
        self.search.pad.setChecked(screen.pad_wanted)

    def _on_change(self, sale_parts: frozenset[SalePart]) -> None:
        if SalePart.CART in sale_parts:
            self._clear_for(self._model.cart.ticket.key)
            self.show_cart()
        if SalePart.NEXT in sale_parts:
            self.search.show_state()
            self.update()
        if sale_parts & {SalePart.NEXT, SalePart.NOTICE}:
            self._fit_notice()
        if SalePart.CATALOGUE in sale_parts:
            self.picker.reload_if_outdated()

    def _clear_for(self, key: str) -> None:
        """Clear the search for another cart, because the text was meant for the last cart."""
        if key != self._key:
            self._key = key
            self.search.clear()

    def _on_typed(self, text: str) -> None:
        self._model.context.screen.text = text
        if self._show_typed(text):
            return
        self._model.context.tone("no")

    def _show_typed(self, text: str) -> bool:
        """Show the meaning of the typed text on picker and buttons. If it means nothing, show that
        at the field and return False."""
        try:
            quantity = typed.multiplier(text)
        except Invalid as error:
            self.picker.search("")
            self.bar.exact.show_received(None)
            why = self._texts.error(error).happened
            self.search.search.set_error(self._texts("search.no_quantity", why=why))
            return False
        self.search.search.set_error("")
        if quantity is not None:
            self.search.clear()
            self._model.entry.type_next_quantity(quantity)
            return True
        is_offer = self._model.cart.ticket.kind.is_offer
        self.bar.exact.show_received(None if is_offer else typed.amount(text))
        if typed.is_code(text) or not typed.is_number(text):
            self.picker.search(text.strip())
        return True

    def _on_entered(self) -> None:
        text = self.search.text().strip()
        if typed.is_code(text):
            self.search.clear()
            self._model.entry.enter_code(text)
        elif text and not (typed.has_words(text) and self.picker.take_current()):
            self._refuse_entered(text)

    def _refuse_entered(self, text: str) -> None:
        """Say why Enter takes no article; what is wrong with a quantity is said already."""
        self._model.context.tone("no")
        field = self.search.search
        if not field.error():
            has_hits = self.picker.rows.rowCount() > 0
            why = "star" if typed.is_number(text) else "choose" if has_hits else "none"
            field.set_error(self._texts(f"search.enter.{why}", typed=text))

    def _on_picked(self, value: object) -> None:
        row = picked_row(value)
        if self.search.text():
            self.search.clear()
        if self.picker.view.hasFocus():
            self.search.take_focus()
        self._model.entry.tap(row)

    def _on_pad(self, visible: bool) -> None:
        self._model.context.screen.pad_wanted = visible
        if visible:
            self.pad_unfolding.emit()
        self._fit_pad()
        self.search.show_state()

    def _fit_pad(self) -> None:
        """Show the wanted pad if there is room; else its button says that there is no room."""
        button = self.search.pad
        fits = self.pad.minimumSizeHint().height() <= self.height() - self._height_beside_pad()
        self.pad.setVisible(button.isChecked() and fits)
        if fits or not button.isChecked():
            button.allow()
        else:
            button.refuse(self._texts("why.no_room"))

    def _height_beside_pad(self) -> int:
        """Return the height of the rows above and below the pad, with the gaps."""
        metrics, column = self._theme.metrics, self._column
        inside = self.width() - 2 * metrics.s3 + metrics.s2
        tall = 2 * metrics.s3
        for number in range(column.count()):
            item = column.itemAt(number)
            if item is not None and item.layout() is None:
                is_text = item.hasHeightForWidth()
                tall += item.heightForWidth(inside) if is_text else item.sizeHint().height()
        return tall

    def _ask_number(self, question: questions.Question) -> None:
        """Ask; a number moves from the search into the question."""
        if self._model.questions.ask_number(question, self.search.text()):
            self.search.clear()
