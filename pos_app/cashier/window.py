"""The window of the till: cart, stage, full screens over both, and the line below.

A scan goes from the filter through `on_scan` to the model and is painted before `on_scan`
returns; nothing of it passes through the event loop. Source: till.md, look.md ("Ideas").
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.core_events import CoreEvents
from pos_app.cashier.drawer import DrawerControl
from pos_app.cashier.file_viewer import DesktopViewer, Viewer
from pos_app.cashier.key_shortcuts import PadKeys, listen_to_keys
from pos_app.cashier.keys import KeyAction
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.receipt_viewer import ReceiptViewer
from pos_app.cashier.sale.cart_view import CartColumn
from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notice_words import in_one_line
from pos_app.cashier.sale.open_sale import Part
from pos_app.cashier.sale.questions import ActFailed, Bug, LastTold
from pos_app.cashier.sales_count import count_sold
from pos_app.cashier.services import TillServices
from pos_app.cashier.status import StatusFacts, sentence, status_items
from pos_app.cashier.storage_faults import Retrial, Where
from pos_app.cashier.tasks import Tasks
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.tolerant_catalogue import TolerantCatalogue
from pos_app.cashier.top import Top
from pos_app.cashier.ui.bars import StatusLine
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.keyboard import KeyboardSpace, TouchTyping, keyboard_name
from pos_app.cashier.ui.metrics import measured_for
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.scrolling import FingerScroll
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.work_area import WorkArea
from pos_app.domain.barcodes import ReceiptCode, classify
from pos_app.errors import MachineError, PosError
from pos_app.selling.checkout import ConfirmedSale
from pos_app.selling.delivery_trouble import printer_in_trouble
from pos_app.selling.sale import Sale
from pos_app.selling.sale_state import SaleState
from pos_app.selling.ticket import DocumentKind

TICK_MS = 1000
TRY_AGAIN_MS = 100
"""Between two tries to enter what waits for a file that another program holds."""
LEAST_WIDTH = 1024
"""How narrow the window can be made, in pixels at 96 dpi: then it has the sizes of a narrow one."""
SETTLE_MS = 700
"""How long something must wait before line and bell say so: a usual sale is through by then."""


class TillWindow(Ground):
    """Signals: `closed()` once the cashier closed it; `confirmed(Confirmed)` for each sale."""

    closed = Signal()
    confirmed = Signal(object)

    _stood = Qt.WindowState.WindowNoState
    """Full screen or not, when it was not minimised."""

    def __init__(
        self, services: TillServices, texts: Texts, theme: Theme, *, viewer: Viewer | None = None
    ) -> None:
        """viewer: opens receipts; the system's own where none is given."""
        super().__init__(theme, colour="bg")
        clock, viewer = services.till.clock, viewer or DesktopViewer()
        shelf = TolerantCatalogue(services.catalogue, faults=services.faults, clock=clock)
        self.services = services = replace(services, catalogue=shelf)
        self.texts = texts
        self.tasks = Tasks(on_error=self.show_error, on_bug=self.show_bug)
        self.model = SaleModel(services)
        self._rules = services.weight_rules()
        opens = services.settings.till.touch_keyboard
        theme.name_keyboard(keyboard_name(texts, opens))
        lines = LineActs(self.model)
        # The cart listens first: a new row is painted before anything else is looked at.
        self.cart = CartColumn(self.model, lines, texts, theme, self)
        payment = PaymentPanel(services, texts, theme, self)
        self.stage = WorkArea(self.model, lines, texts, theme, payment)
        self.top = Top(self.model, texts, theme, self)
        self.attention = AttentionScreen(services, texts, theme, self.tasks, viewer, parent=self)
        self.status = StatusLine(theme, name=texts("status.name"), parent=self)
        self._drawer = DrawerControl(self.model, self.tasks, self)
        self._last_receipt = ReceiptViewer(self.model, self.tasks, viewer, self)
        self._hearing = CoreEvents(services, self)
        self._retrial = Retrial(services.faults, Where.TILL, clock)
        self._uncounted: list[Sale] = []
        self._prints = True
        self._settling = QTimer(self)
        self._ticking = QTimer(self)
        self._trying_again = QTimer(self)
        self._measuring = QTimer(self)
        self._rooms = KeyboardSpace(self.stage), KeyboardSpace(self.attention)
        self._build()
        self._wire()
        listen_to_keys(self, self._on_key, on_missing=self._on_missing)
        self.setMinimumWidth(theme.metrics.px(LEAST_WIDTH))
        self.winId()  # makes the window of the platform, at whose door the pad's keys are taken
        self._pad = PadKeys(self._on_key, is_wanted=self._takes_pad_keys, parent=self)
        self.windowHandle().installEventFilter(self._pad)
        self.ring = FocusRing(theme, self)
        self.windowHandle().installEventFilter(FingerScroll(self, theme))
        self.typing = TouchTyping(self, self._rooms, texts, theme, opens)
        self.typing.opening.connect(self.stage.sale.fold_pad)
        self.stage.sale.pad_unfolding.connect(self.typing.close)
        self.refresh_status()
        self.stage.take_focus()

    # --- the scanner -----------------------------------------------------------------------------

    def on_scan(self, code: str) -> None:
        """A scan, whatever is open and wherever the focus is: entered, or visibly waiting."""
        meant = classify(code, self._rules)
        if isinstance(meant, ReceiptCode):
            if self.is_in_attention:
                if self.attention.receipt_scanned(code):
                    return
            elif self.stage.take_receipt(meant.verification):
                return
        self.show_attention(False)
        self.model.scan(code)

    def on_misread(self, code: str, rest_of: str) -> None:
        """A scan whose rest did not come: it is told, and nothing is sold. rest_of: what was told
        of it before."""
        self.show_attention(False)
        self.model.misread(code, rest_of=rest_of)

    # --- screens ---------------------------------------------------------------------------------

    def come_to_front(self) -> None:
        """Stand before the windows of all other programs, as large as it was."""
        if self.isMinimized():
            self.setWindowState(self._stood)
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)  # where the system keeps another program in front

    @property
    def is_in_attention(self) -> bool:
        """Whether Attention stands over cart and stage."""
        return self._screens.currentIndex() == 1

    def show_attention(self, shown: bool) -> None:
        """Open Attention, or go back to the sale."""
        if shown == self.is_in_attention:
            return
        if shown:
            self.attention.refresh()
        self._screens.setCurrentIndex(1 if shown else 0)
        if shown:
            self.attention.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.stage.take_focus()

    def show_case(self, row_id: str) -> None:
        """Open Attention where one thing is solved; where it is over, with what waits first."""
        self.show_attention(True)
        self.attention.choose(row_id)

    def show_error(self, error: PosError) -> None:
        """An expected error that no screen shows by itself."""
        self.model.notify(ActFailed(error), "attention")

    def show_bug(self, error: BaseException) -> None:
        """A bug: it is in the log with its cause; the cashier is told and goes on."""
        self.model.notify(Bug(type(error).__name__), "attention")

    def refresh_status(self) -> None:
        """The bottom line and the bell, as things stand now."""
        self.attention.count()
        self._show_counts()

    def _show_counts(self) -> None:
        """Both tell what Attention counts: the three never differ."""
        model, texts = self.attention.model, self.texts
        waiting = model.count()
        standing = StatusFacts.of(
            self.services,
            waiting=waiting,
            to_decide=model.decisions,
            drawer=self._drawer.shut.why if self._drawer.shut is not None else None,
        )
        self.status.set_status(status_items(standing, texts), sentence(standing, texts))
        self.top.show_waiting(waiting)

    # --- events ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What no field and no key of the window took: words go to the search."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(focus, QAbstractButton) and not event.isAutoRepeat():
                focus.click()
            return
        typed = event.text()
        if typed and typed.isprintable() and not self.is_in_attention:
            self.stage.type_key(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.WindowStateChange and not self.isMinimized():
            self._stood = self.windowState()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.cart.take_width(event.size().width())
        if measured_for(self.theme.metrics, event.size().width()) != self.theme.metrics:
            self._measuring.start()

    def _measure(self) -> None:
        """Take the sizes of a narrow window, or of a wide one, once it has become that."""
        self.theme.change(metrics=measured_for(self.theme.metrics, self.width()))
        self.cart.take_width(self.width())

    def closeEvent(self, event: QCloseEvent) -> None:
        for timer in (self._settling, self._ticking, self._trying_again):
            timer.stop()
        self._count_sold()
        event.accept()
        self.closed.emit()

    # --- parts -----------------------------------------------------------------------------------

    def _build(self) -> None:
        selling = QWidget()
        column = QVBoxLayout(selling)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top)
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addWidget(self.cart)
        sides.addWidget(self._rooms[0], 1)
        column.addLayout(sides, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self._screens = QStackedLayout()
        whole.addLayout(self._screens, 1)
        self._screens.addWidget(selling)
        self._screens.addWidget(self._rooms[1])
        whole.addWidget(self.status)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.status.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._name()

    def _wire(self) -> None:
        self.model.listen(self._on_change)
        self.stage.confirmed.connect(self._on_confirmed)
        self.stage.attention_wanted.connect(lambda: self.show_attention(True))
        self.stage.close_wanted.connect(self.close)
        self.stage.drawer_wanted.connect(self._drawer.open_by_hand)
        self._drawer.changed.connect(self._on_drawer)
        self.attention.drawer_wanted.connect(self._drawer.open_by_hand)
        self.attention.drawer_seen.connect(self._drawer.see)
        self.stage.receipt_wanted.connect(self._last_receipt.show)
        self.stage.begun_anew.connect(self.refresh_status)
        self.stage.paying.connect(self.cart.set_quiet)
        self.cart.last_pressed.connect(self._on_last_pressed)
        self.cart.solve_pressed.connect(self.show_case)
        self.top.kind_chosen.connect(self._on_kind)
        self.top.told.connect(self.attention.set_banner)
        self.top.show_kind()
        self.top.bell_pressed.connect(lambda: self.show_attention(True))
        self.status.clicked.connect(lambda: self.show_attention(True))
        self.attention.back_pressed.connect(lambda: self.show_attention(False))
        self.attention.take_back.connect(self._on_take_back)
        self.attention.counted.connect(self._show_counts)
        self._hearing.sale_moved.connect(self._on_sale)
        self._hearing.server_changed.connect(self._on_server)
        self._hearing.storage_failed.connect(self._on_storage)
        self._hearing.storage_changed.connect(self._on_storage_changed)
        self.texts.changed.connect(self._in_other_words)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE_MS)
        self._settling.timeout.connect(self._settled)
        self._trying_again.setInterval(TRY_AGAIN_MS)
        self._trying_again.timeout.connect(self.model.enter_held)
        self._measuring.setSingleShot(True)
        self._measuring.setInterval(0)
        self._measuring.timeout.connect(self._measure)
        self._ticking.timeout.connect(self._tick)
        self._ticking.start(TICK_MS)

    def _on_key(self, act: KeyAction) -> None:
        if not self.is_in_attention:
            self.stage.act(act)
        elif act is KeyAction.BACK:
            self.show_attention(False)
        elif act is KeyAction.KEYS:
            self.attention.toggle_keys()
        elif act is KeyAction.DRAWER:
            self._drawer.open_by_hand()

    def _on_missing(self, cap: str) -> None:
        if self.is_in_attention:
            self.model.tone("no")
            self.attention.say(self.texts("notice.not_yet", key=cap))
        else:
            self.stage.tell_missing(cap)

    def _takes_pad_keys(self) -> bool:
        """In payment and questions + and − may be text; on the sale they pay."""
        return not (self.is_in_attention or self.stage.is_paying or self.model.is_asked)

    def _on_change(self, parts: frozenset[Part]) -> None:
        if Part.CART in parts:
            self.top.show_kind()
        if Part.NEWS in parts and self.is_in_attention and self.model.notices:
            self.attention.say(in_one_line(self.model.notices[-1], self.texts))
        if Part.WAITING in parts:
            is_held = self.model.held_by is not None
            if is_held != self._trying_again.isActive():
                self._trying_again.start() if is_held else self._trying_again.stop()

    def _on_kind(self, kind: DocumentKind) -> None:
        stage = self.stage
        stage.carts.set_kind(kind)
        self.top.show_kind()
        if stage.is_paying:
            stage.payment.begin(self.model.ticket)
        stage.take_focus()

    def _on_confirmed(self, done: ConfirmedSale) -> None:
        self.stage.take_focus()
        self._settling.start()
        self._uncounted.append(done.sale)
        self._drawer.open_for(done.sale)
        self.confirmed.emit(done)

    def _settled(self) -> None:
        """A moment after the last change: nobody waits for this."""
        self.refresh_status()
        self._count_sold()

    def _count_sold(self) -> None:
        sold, self._uncounted = self._uncounted, []
        for sale in sold:
            count_sold(self.services, sale)

    def _on_last_pressed(self) -> None:
        last = self.model.last
        if last is not None and last.state is not SaleState.DONE:
            self.show_case(last.key)
        elif last is not None:
            self.model.notify(LastTold(last))

    def _on_take_back(self, sale: Sale) -> None:
        try:
            self.stage.carts.take_back(sale)
        except PosError as error:
            self.attention.acts.refuse(error)
            return
        self.show_attention(False)

    def _on_sale(self, sale: Sale) -> None:
        self.model.note_sale(sale)
        is_young = sale.key in self.services.outbox.young_doubts
        calls = sale.state in (SaleState.DOUBT, SaleState.REFUSED) or sale.is_unreadable
        if calls and not is_young:
            self.model.tone("attention")
            self.refresh_status()
        elif not self._settling.isActive():
            self._settling.start()
        if self.is_in_attention:
            self.attention.refresh()

    def _on_server(self) -> None:
        was_printing = self._prints
        self._prints = printer_in_trouble(self.services.server.status) is None
        if was_printing and not self._prints:
            self.model.tone("attention")
        self.refresh_status()
        self.top.show_kind()
        self.model.tell(Part.CART, Part.LAST)
        if self.is_in_attention:
            self.attention.refresh()

    def _on_drawer(self) -> None:
        self.attention.show_drawer(self._drawer.shut)
        self.refresh_status()

    def _on_storage(self, fault: MachineError | None) -> None:
        faults, by = self.services.faults, "outbox"
        if fault is None:
            faults.over(Where.TILL, by=by)
            return
        faults.met(Where.TILL, fault, by=by, at=self.services.till.clock.now())
        self.show_error(fault)

    def _on_storage_changed(self) -> None:
        self.refresh_status()
        if self.is_in_attention:
            self.attention.refresh()

    def _on_application(self, state: Qt.ApplicationState) -> None:
        in_front = state is Qt.ApplicationState.ApplicationActive
        self.top.show_in_front(in_front)
        self.attention.show_in_front(in_front)

    def _tick(self) -> None:
        """Once a second: the clock, and what another program has changed in the catalogue.

        Now and then also what of the till's own storage could not be read.
        """
        self.top.show_clock()
        if self.stage.sale.picker.reload_if_outdated():
            self.model.store = self.services.catalogue.store()
            self.top.show_store()
            self.stage.lines.check_prices()
            self.refresh_status()
        elif self._retrial.is_due():
            self.refresh_status()

    def _name(self) -> None:
        store = self.model.store
        title = self.texts("till.title")
        self.setWindowTitle(f"{title} · {store.name}" if store else title)
        self.setAccessibleName(title)

    def _in_other_words(self) -> None:
        self._name()
        self.status.setAccessibleName(self.texts("status.name"))
        self.refresh_status()
