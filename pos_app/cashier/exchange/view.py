"""The screen of a frozen exchange: its receipts at the left, the sum that the hand moves at the
right. The exchange was put together on the screens of refund and sale.

Source: till.md ("Receipts"), look.md.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.acts.act_steps import SHARED_STEPS, StepFace
from pos_app.cashier.acts.pair_in_front import PairStep
from pos_app.cashier.acts.pair_parts import PartContent, part_row
from pos_app.cashier.acts.pair_screen import SIDE_PERMILLE, PairScreen
from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.exchange.model import ExchangeModel
from pos_app.cashier.exchange.words import (
    done_content,
    figure_content,
    notice_content,
    part_contents,
)
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import DonePanel
from pos_app.cashier.ui.figure import FigurePanel
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.cashier.ui.panel import Divider, FilledPanel, clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Change, Frame, Room, ShopChange
from pos_app.cashier.words.receipt_words import short_number
from pos_app.cashier.words.refused_words import code_words
from pos_app.domain.money.money import Money
from pos_app.errors import MachineError, NotAllowed, PosError
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState

_FACES = {**SHARED_STEPS, PairStep.ISSUE: StepFace("exch.enter.issue", "check")}


class ExchangeRoom(Room):
    """Holds one exchange; it goes on when the screen is left. Signal: `changed()`."""

    changed = Signal()
    _left_read = Signal(object, object)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = ExchangeModel(frame.services)
        self._left_read.connect(self._tell_refused, Qt.ConnectionType.QueuedConnection)

    def leave(self) -> None:
        """Note that nobody waits here any more to see a refusal, to take the money, or to have the
        cart opened, which then waits in Attention."""
        self.model.is_waited_for = self.model.goes_to_cart = False

    def handle_change(self, change: Change) -> None:
        if change.what is not ShopChange.SALES or change.sale is None:
            return
        model, before = self.model, self.model.stage
        if not model.follow_sale(change.sale):
            return
        if model.stage is PairStage.ISSUING and before is not PairStage.ISSUING:
            assert model.pair is not None
            self.frame.home.act_confirmed(model.pair.new)  # the sale shows it as its last act
        waits = model.is_waited_for and self.frame.is_seen(screens.EXCHANGE)
        if model.next_enter is not PairStep.WAIT:
            model.is_waited_for = False  # what comes of it later comes of itself
        if model.stage is PairStage.DONE and waits:
            self._open_drawer()
        elif model.is_refused and waits and not model.goes_to_cart:
            self.to_cart()
        self.take_back_if_ready()
        self.changed.emit()

    def take_back_if_ready(self) -> None:
        """Open the cart again once both receipts are cancelled. The cart is opened only while this
        screen is seen, because a cart must not change while the cashier works in it."""
        if self.model.can_be_taken_back and self.frame.is_seen(screens.EXCHANGE):
            self._take_back()

    def to_cart(self) -> None:
        """Give the unissued exchange up; its cart opens once both receipts are cancelled."""
        try:
            self.model.give_up()
        except (NotAllowed, MachineError) as error:
            self.model.trouble, self.model.goes_to_cart = error, False
        self.changed.emit()

    # --- parts -----------------------------------------------------------------------------------

    def _open_drawer(self) -> None:
        model = self.model
        if model.money.taken and model.services.has_drawer:
            model.drawer_asked = True
            self.frame.home.open_drawer()

    def _take_back(self) -> None:
        pair, model = self.model.pair, self.model
        assert pair is not None
        model.goes_to_cart = False
        number, refund = model.number, pair.refund
        try:
            self.frame.home.take_back(pair.new)
        except PosError as error:
            model.trouble = error
            self.changed.emit()
            return
        self.frame.go_home()
        work = self._read_left(number, refund)
        self.frame.tasks.start(
            work,
            name="read what is left",
            on_failure=lambda _: self._left_read.emit((number, refund), None),
        )

    async def _read_left(self, number: str, refund: Sale) -> None:
        overview = (await self.frame.services.receipts.receipt(number)).overview
        left = Money.total(line.left_total for line in overview.lines)
        self._left_read.emit((number, refund), left)

    def _tell_refused(self, of: tuple[str, Sale], remaining: Money | None) -> None:
        number, refund = of
        history = self.frame.services.sales.history(refund.key)
        codes = [one.code for one in history if one.new is SaleState.REFUSED and one.code]
        is_less_left = remaining is not None and remaining < refund.total  # another till was first
        code = "" if is_less_left or not codes else codes[-1]
        reason = code_words(code[-4:], self.frame.ui.texts)
        self.frame.home.exchange_refused(number, reason, remaining)


class ExchangeScreen(PairScreen):
    model: ExchangeModel
    title = "exch.title"
    help_keys = (
        (ENTER, "exch.keys.enter"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ExchangeRoom)
        self.room, self.model = room, room.model
        texts = frame.ui.texts
        self.to_cart = Button(self.theme, texts("exch.to_cart"), icon="undo-2", spread=True)
        self.to_cart.clicked.connect(room.to_cart)
        self._lay_out()
        room.changed.connect(self.show_anew)
        self._show()
        self.show_place()

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        inside = QWidget()
        holder = QVBoxLayout(inside)
        holder.setContentsMargins(0, 0, 0, 0)
        holder.addLayout(self._left_column)
        holder.addStretch(1)
        area = ScrolledColumn(self.theme, name=self.frame.ui.texts(self.title))
        area.show_inside(inside)
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.addLayout(self._right_column)
        side.addStretch(1)
        side.addWidget(self.to_cart)
        side.addWidget(self.big)
        for layout in (self._left_column, self._right_column, holder, side):
            layout.setSpacing(metrics.s3)
        row = QHBoxLayout(self._page_area)
        row.setContentsMargins(*(metrics.s3,) * 4)
        row.setSpacing(metrics.s3)
        row.addWidget(area, 1)
        row.addWidget(self._side)
        self.column.addWidget(self._page_area, 1)
        self.column.addWidget(self.keys, 1)

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, screens.ExchangePlace):
            self.model.open(screen_place.key, is_waited_for=screen_place.is_waited_for)
            self.show_anew()

    def show_place(self) -> None:
        self.show_body(self._page_area, None)

    def come_on_top(self) -> None:
        super().come_on_top()
        self.room.take_back_if_ready()

    def resizeEvent(self, event: QResizeEvent) -> None:
        metrics = self.theme.metrics
        wide = event.size().width() * SIDE_PERMILLE // 1000
        self._side.setFixedWidth(max(wide, 7 * metrics.touch))
        super().resizeEvent(event)

    # --- what is shown ---------------------------------------------------------------------------

    def show_anew(self) -> None:
        self._show()
        if self.frame.top is self and not self.shows_keys:
            self.focus_place()

    def _show(self) -> None:
        model, texts, theme = self.model, self.frame.ui.texts, self.theme
        clear_layout(self._left_column)
        clear_layout(self._right_column)
        pair = model.pair
        self.to_cart.setVisible(model.may_go_to_cart)
        if pair is not None:
            number = texts("refund.of_receipt", number=short_number(model.number))
            self.head.set_title(texts(self.title), number)
            if (notice := notice_content(model, texts)) is not None:
                kind, words = notice
                self._left_column.addWidget(
                    NoticePanel(
                        theme, kind, happened=words.happened, safe=words.safe, press=words.press
                    )
                )
            self._left_column.addWidget(ExchangePartsPanel(theme, part_contents(model, texts)))
            if model.stage is PairStage.DONE:
                self._right_column.addWidget(DonePanel(theme, done_content(model, texts)))
            elif model.stage is not PairStage.GIVEN_UP:
                figure, told = FigurePanel(theme), figure_content(model, texts)
                figure.show_figure(told.title, told.amount, told.words)
                self._right_column.addWidget(figure)
        meant = model.next_enter
        face = _FACES[meant]
        word = texts("exch.enter.to_cart" if model.goes_to_cart else face.word)
        key = "" if meant is PairStep.WAIT else ENTER
        self.big.show_act(word, key=key, icon=face.icon, kind=face.kind)
        if meant is PairStep.WAIT:
            self.big.refuse(word)
        else:
            self.big.allow()


class ExchangePartsPanel(FilledPanel):
    def __init__(self, theme: Theme, contents: tuple[PartContent, ...]) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column = self.edge_column()
        for number, part in enumerate(contents, 1):
            if number > 1:
                column.addWidget(Divider(theme))
            column.addWidget(part_row(theme, number, part, wide=True))


ROOM, SCREEN = ExchangeRoom, ExchangeScreen
