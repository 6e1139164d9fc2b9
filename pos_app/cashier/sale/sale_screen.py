"""The sale's screen, below all others: the top, the cart, and beside it the sale, payment or a
question.

A scan goes through `take_scan` to the model and is painted before `take_scan` returns, without the
event loop. Source: till.md, look.md ("Ideas").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from pos_app import log
from pos_app.cashier.commands import KINDS, TillCommand
from pos_app.cashier.payment.model import OpenPayment, PaymentModel
from pos_app.cashier.sale import server_acts
from pos_app.cashier.sale.cart_view import CartColumn
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices import ActFailed, Bug, ExchangeRefused
from pos_app.cashier.sale.questions import KeysOfScreen, More
from pos_app.cashier.sale.top import Top
from pos_app.cashier.sale.work_area import WorkArea
from pos_app.cashier.services.tasks import guarded_answer
from pos_app.cashier.ui.keyboard import KeyboardSpace
from pos_app.cashier.window.frame import (
    APPROVAL,
    SETTLE_MS,
    Busy,
    Change,
    Frame,
    Home,
    HomeRoom,
    HomeScreen,
    Room,
    ShopChange,
)
from pos_app.cashier.window.screens import EXCHANGE, ExchangePlace
from pos_app.domain.article.barcodes import ReceiptCode, WhyUnknown
from pos_app.domain.article.store import PickerType
from pos_app.domain.money.money import Money
from pos_app.errors import MachineError, NotAllowed
from pos_app.selling.attention.delivery_trouble import printer_in_trouble
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.checkout import count_sold
from pos_app.selling.sale.ports import Carts
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind

_log = log.get(__name__)

_EXACT = TillCommand.CASH, TillCommand.CARD

MOST_UNCOUNTED = 8
"""The most sales that wait for a pause before they are counted as sold; later sales no longer put
the count off."""
TRY_AGAIN_MS = 100
"""Milliseconds between two tries to enter scans while another program holds the file, or somebody
is asked for an approval."""


class SaleRoom(HomeRoom):
    """The open cart and its payment, the drawer, and the sales that are not counted yet."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = SaleModel(frame.services)
        self.payment = OpenPayment()
        self.payment.on_begun = self._begin_payment
        self._begun: set[int] = set()
        self.model.context.approval = frame.permit
        self.model.context.is_approving = self._is_approving
        self.model.context.is_payment_begun = self._is_payment_begun
        self.drawer = server_acts.DrawerControl(self.model, frame.tasks, self)
        self.papers = server_acts.OwedPapers(self.model, frame.tasks, self)
        self.last_receipt = server_acts.ReceiptViewer(self.model, frame.tasks, frame.viewer, self)
        self.scanned = server_acts.ScannedReceipt(self.model, frame.tasks, self)
        self.home = self._home()
        self._uncounted: list[Sale] = []
        self._prints = True
        self._counting = _timer(self, SETTLE_MS, self._count_sold)
        self._counting.setSingleShot(True)
        self._trying_again = _timer(self, TRY_AGAIN_MS, self.model.entry.enter_blocked)
        self.model.confirmation.listen_confirmed(self._on_confirmed)
        self.model.context.tell_goes_back()
        self.drawer.changed.connect(
            lambda: frame.announce(Change(ShopChange.DRAWER, shut=self.drawer.shut))
        )

    def handle_change(self, change: Change) -> None:
        if change.what is ShopChange.SALES and change.sale is not None:
            self._note(change.sale)
        elif change.what is ShopChange.CASHIER:
            self.model.cart.follow_name()
        elif change.what is ShopChange.SERVER:
            was_printing = self._prints
            self._prints = printer_in_trouble(self.frame.services.server.status) is None
            if was_printing and not self._prints:
                self.model.context.tone("attention")

    def forget_widgets(self) -> None:
        self.model.context.forget_listeners()
        self.model.context.listen(self._follow_blocked, SalePart.WAITING)
        self.model.context.listen(lambda _: self.scanned.ask(), SalePart.NEWS)
        self.model.context.listen(lambda _: self.frame.count_soon(), SalePart.OTHER_CART)

    def close(self) -> None:
        self._trying_again.stop()
        self._counting.stop()
        self.papers.close()
        self._count_sold()

    @property
    def busy(self) -> Busy | None:
        return Busy.PAYMENT if self.payment.is_open else None

    @property
    def received(self) -> Money:
        """What was received for the open cart and for the held ones."""
        paid = (one.received.total for one in self._carts.suspended())
        return Money.total([self._begun_payment() or Money.ZERO, *paid])

    def _is_payment_begun(self) -> bool:
        """Whether somebody began to pay the cart; a cart that was suspended meanwhile counts
        too."""
        ticket = self.model.cart.ticket
        if ticket.id in self._begun or ticket.typed_details.paid:
            return True
        return bool(self.model.context.attempt(lambda: self._carts.is_begun(ticket.id)))

    def _begun_payment(self) -> Money | None:
        ticket, payment = self.model.cart.ticket, self.payment.model
        if ticket.kind.is_offer:
            return None
        received = ticket.received.total
        if isinstance(payment, PaymentModel) and payment.ticket.id == ticket.id:
            received = payment.received
        is_lost = ticket.id not in self._begun and self._is_payment_begun()
        return received if received or self.payment.is_open or is_lost else None

    @property
    def _carts(self) -> Carts:
        return self.frame.services.till.carts

    def _begin_payment(self, cart_id: int) -> None:
        """Note that the cart is being paid. Where that can't be saved, payment goes on, and the
        fact is known until the till closes."""
        if cart_id in self._begun:
            return
        self._begun.add(cart_id)
        try:
            self._carts.begin_payment(cart_id)
        except MachineError as error:
            _log.warning("that a payment was begun can't be kept: %s", error.what)

    # --- what other rooms ask of it --------------------------------------------------------------

    def _home(self) -> Home:
        context, cart, drawer = self.model.context, self.model.cart, self.drawer
        return Home(
            show_error=lambda error: context.notify(ActFailed(error), "attention"),
            show_bug=self._show_bug,
            show_unopened=partial(self._show_bug, is_opening=True),
            tone=context.tone,
            shop_name=lambda: context.store.name if context.store is not None else "",
            ticket=lambda: cart.ticket,
            begun_payment=self._begun_payment,
            note_fault=context.note_fault,
            hand_over=lambda holds: cart.hand_over(holds=holds),
            take_back=cart.take_back,
            open_goods=cart.open_goods,
            sell_again=self.model.entry.sell_again,
            begin_exchange=cart.begin_exchange,
            give_back=context.give_back,
            exchange_refused=lambda *why: context.notify(ExchangeRefused(*why), "attention"),
            act_confirmed=self._act_confirmed,
            see_drawer=drawer.see,
            open_drawer_for=drawer.open_for,
            open_drawer=drawer.open,
            print_paper=self.papers.print,
        )

    def _show_bug(self, error: BaseException, *, is_opening: bool = False) -> None:
        self.model.context.notify(Bug(type(error).__name__, is_opening), "attention")

    def _act_confirmed(self, sale: Sale) -> None:
        self.model.confirmation.act_confirmed(sale)
        self.frame.count_soon(anew=True)

    # --- parts -----------------------------------------------------------------------------------

    def _is_approving(self) -> bool:
        return bool(self.frame.services.here.lifted_by) or self.frame.is_covered_by(APPROVAL)

    def _follow_blocked(self, _: frozenset[SalePart]) -> None:
        context = self.model.context
        is_approving = bool(self.model.entry.waiting) and context.is_approving()
        is_held = context.blocked_by is not None or is_approving
        if is_held != self._trying_again.isActive():
            self._trying_again.start() if is_held else self._trying_again.stop()

    def _note(self, sale: Sale) -> None:
        self.model.confirmation.note_sale(sale)
        is_young = sale.key in self.frame.services.outbox.young_doubts
        calls = sale.state in (SaleState.DOUBT, SaleState.REFUSED) or sale.is_unreadable
        if calls and not is_young:
            self.model.context.tone("attention")
            self.frame.count()

    def _on_confirmed(self, sale: Sale) -> None:
        """Open the drawer if the sale moves cash, and begin the next sale. An exchange opens its
        own screen, which shows the sum to hand over."""
        self.frame.home_screen.take_focus()
        self.frame.count_soon(anew=True)
        self._uncounted.append(sale)
        if len(self._uncounted) <= MOST_UNCOUNTED:
            self._counting.start()
        if sale.is_exchange:
            self.frame.open(EXCHANGE, ExchangePlace(sale.key, is_waited_for=True))
        else:
            self.drawer.open_for(sale)

    def _count_sold(self) -> None:
        sold, self._uncounted = self._uncounted, []
        services = self.frame.services
        for sale in sold:
            count_sold(sale, till=services.till, editor=services.editor)


class SaleScreen(HomeScreen):
    has_own_space = True

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame)
        assert isinstance(room, SaleRoom)
        self.room, self.model = room, room.model
        ui = frame.ui
        self.setAccessibleName(ui.texts("back.sale"))
        # The cart listens first: a new row is painted before anything else is looked at.
        self.cart = CartColumn(self.model, ui, frame, self)
        self.work_area = WorkArea(self.model, room.payment, ui=ui, frame=frame)
        self.top = Top(self.model, ui, frame, self)
        self.top.kind_chosen.connect(self.set_kind)
        self.model.context.listen(self._on_change, SalePart.KIND, SalePart.NEWS)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top)
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addWidget(self.cart)
        sides.addWidget(KeyboardSpace(self.work_area), 1)
        column.addLayout(sides, 1)
        self.cart.set_quiet(self.work_area.is_paying)
        self.work_area.paying.connect(self.cart.set_quiet)
        self.work_area.sale.pad_unfolding.connect(self.room_wanted)
        self._acts = self._bind()
        self._show_kind()

    # --- for the frame ---------------------------------------------------------------------------

    def begin(self) -> None:
        self.work_area.sale.picker.begin()

    def take_focus(self) -> None:
        self.work_area.take_focus()

    def press(self, command: TillCommand) -> None:
        if command is TillCommand.BACK:
            self.frame.run(command)
        elif self.model.questions.is_asked:
            self.work_area.take_key(command)
        elif command in _EXACT and self.model.questions.question is not None:
            self.model.context.tone("no")  # the list lies over the keys that issue a receipt
        elif not self.work_area.is_paying:
            self.work_area.put_lists_away()
            self.frame.run(command)
        elif command in (TillCommand.SEARCH, TillCommand.DRAWER, *KINDS):
            self.frame.run(command)

    def standing(self) -> str:
        return self.work_area.standing() or self.accessibleName()

    def finish_cart(self) -> None:
        self.model.entry.finish()
        if self.work_area.is_paying:
            self.work_area.payment.store()

    def lets_go(self) -> bool:
        if self.model.questions.is_asked:
            return False
        self.work_area.put_lists_away()
        return True

    def act(self, command: TillCommand) -> None:
        self._acts[command]()

    def take_scan(self, code: ReadCode, *, rest_of: str) -> None:
        meant = code.meaning
        is_taken = isinstance(meant, ReceiptCode) and guarded_answer(
            partial(self.work_area.take_receipt, meant.verification)
        )
        if not is_taken:
            self.model.entry.scan(code, rest_of=rest_of)

    def take_misread(self, code: str, why: WhyUnknown, *, rest_of: str) -> None:
        self.model.entry.misread(code, why, rest_of=rest_of)

    def miss_scan(self, code: ReadCode | None, *, rest_of: str) -> None:
        self.model.entry.miss(code, rest_of=rest_of)

    def changed(self, change: Change) -> None:
        match change.what:
            case ShopChange.CATALOGUE:
                self.work_area.sale.picker.reload_if_outdated()
                self._follow_catalogue()
            case ShopChange.CASHIER:
                self.top.show_store()
                self.model.entry.follow_person()
                self.work_area.follow_person()
            case ShopChange.SERVER:
                self._show_kind()
                self.model.context.announce(SalePart.CART, SalePart.LAST)
            case ShopChange.CARTS_SUSPENDED:
                goes_on = self.model.cart.goes_on
                if not goes_on:
                    self.work_area.set_paying(False)
                self.model.cart.begin_anew()
                if not goes_on:
                    self.model.questions.put_away()

    def tick(self) -> None:
        """Update the clock, and read what another program has changed in the catalogue."""
        self.top.show_clock()
        if self.work_area.sale.picker.reload_if_outdated():
            self._follow_catalogue()
            self.top.show_store()
            self.frame.count()

    @property
    def takes_pad_keys(self) -> bool:
        return not (self.work_area.is_paying or self.model.questions.is_asked)

    def type_key(self, event: QKeyEvent) -> None:
        self.work_area.type_key(event)

    def show_waiting(self, many: int) -> None:
        self.top.show_waiting(many)

    def show_in_front(self, in_front: bool) -> None:
        self.top.show_in_front(in_front)

    def take_width(self, width: int) -> None:
        self.cart.take_width(width)
        self._column.activate()  # the least sizes change at once, not some events later

    def give_room(self) -> None:
        self.work_area.sale.fold_pad()

    def keep_typed(self) -> None:
        self.work_area.payment.keep_typed()

    def set_kind(self, kind: DocumentKind) -> None:
        """Make the open cart another kind of document; a payment goes on with that kind."""
        self.work_area.payment.keep_typed()  # the typed text belongs to the cart that is left now
        self.model.cart.set_kind(kind, self._kind_changed)

    def _kind_changed(self) -> None:
        self._show_kind()
        if self.work_area.is_paying:
            self.work_area.payment.begin(self.model.cart.ticket)
        self.work_area.take_focus()

    # --- parts -----------------------------------------------------------------------------------

    def _bind(self) -> dict[TillCommand, Callable[[], object]]:
        model, sale = self.model, self.work_area.sale
        return {
            TillCommand.KEYS: lambda: model.questions.ask(KeysOfScreen()),
            TillCommand.SEARCH: self._search,
            TillCommand.QUANTITY: sale.quantity,
            TillCommand.PRICE: sale.price,
            TillCommand.BUYER: lambda: self.work_area.pay(FaultPart.BUYER),
            TillCommand.SUSPEND: model.cart.suspend_or_recall,
            TillCommand.SUSPEND_NAMED: model.cart.ask_name,
            TillCommand.MORE: lambda: model.questions.ask(More()),
            TillCommand.DRAWER: self._open_drawer,
            TillCommand.PAY: self.work_area.pay,
            TillCommand.CASH: sale.cash,
            TillCommand.CARD: sale.card,
            TillCommand.LINE_UP: lambda: model.cart.select_next_line(-1),
            TillCommand.LINE_DOWN: lambda: model.cart.select_next_line(1),
            TillCommand.REMOVE: self._remove,
            **{command: partial(self.set_kind, DocumentKind(command)) for command in KINDS},
            TillCommand.BACK: self.work_area.back,
            TillCommand.RECEIPT: self.room.last_receipt.show,
            TillCommand.FLIP_PICKER: sale.flip_picker,
        }

    def _remove(self) -> None:
        line = self.model.cart.current_line
        if line is not None:
            self.model.cart.remove_line(line.id)

    def _open_drawer(self) -> None:
        if self.room.drawer.is_there:
            self.frame.permit(Act.DRAWER, self.room.drawer.open_by_hand)
        else:
            self.frame.refuse(NotAllowed("no_drawer"))

    def _search(self) -> None:
        if self.work_area.is_paying:
            self.work_area.leave_payment()
        else:
            self.work_area.sale.take_focus()

    def _on_change(self, sale_parts: frozenset[SalePart]) -> None:
        if SalePart.KIND in sale_parts:
            self._show_kind()
        if SalePart.NEWS in sale_parts and not self.frame.is_home and self.model.context.notices:
            newest = self.model.context.notices[-1]
            self.frame.top.tell(lambda texts: newest.words(texts).in_one_text)

    def _show_kind(self) -> None:
        self.top.show_kind()
        self.frame.set_banner(self.top.banner_elsewhere)

    def _follow_catalogue(self) -> None:
        """Sell from the changed catalogue. If the store's picker type changed it is shown at once,
        else the cashier's own choice stays."""
        before = self.model.context.store
        self.model.catalogue_changed()
        store = self.model.context.store
        picker = store.product_picker_type if store is not None else PickerType.GRID
        if before is None or before.product_picker_type is not picker:
            self.work_area.sale.picker.set_as_list(picker is PickerType.LIST)


def _timer(parent: QObject, milliseconds: int, act: Callable[[], object]) -> QTimer:
    made = QTimer(parent)
    made.setInterval(milliseconds)
    made.timeout.connect(act)
    return made


ROOM, SCREEN = SaleRoom, SaleScreen
