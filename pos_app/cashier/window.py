"""The window of the till: its models and tasks, and the content that shows them.

A change of theme, language or width makes the content anew, while models, tasks and what was typed
live on. A scan goes from the filter through `on_scan` to the model and is painted before `on_scan`
returns; nothing of it passes through the event loop. Source: till.md, look.md ("Ideas").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

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

from pos_app.cashier.attention.actions import ActionRunner
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.commands import PadKeys, TillCommand, listen_to_keys
from pos_app.cashier.file_viewer import DesktopViewer, Viewer
from pos_app.cashier.first_start.model import FirstStartModel, first_start_of
from pos_app.cashier.payment.model import OpenPayment
from pos_app.cashier.sale.cart_view import CartColumn
from pos_app.cashier.sale.model import Part, SaleModel
from pos_app.cashier.sale.notice_words import in_one_line
from pos_app.cashier.sale.notices import ActFailed, Bug
from pos_app.cashier.sale.questions import KeysOfScreen, More
from pos_app.cashier.sale.top import Top
from pos_app.cashier.server_acts import DrawerControl, ReceiptViewer
from pos_app.cashier.services import TillServices
from pos_app.cashier.settings.model import PageName, SettingsModel
from pos_app.cashier.status import StatusFacts, sentence, status_items
from pos_app.cashier.storage_faults import Retrial, Where
from pos_app.cashier.tasks import CoreEvents, Tasks
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.tolerant_catalogue import TolerantCatalogue
from pos_app.cashier.ui.bars import StatusLine
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.focus import FocusRing, focus_place, take_focus_at
from pos_app.cashier.ui.keyboard import KeyboardSpace, TouchTyping, keyboard_name
from pos_app.cashier.ui.metrics import Metrics, measured_for
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.scrolling import FingerScroll
from pos_app.cashier.ui.style import apply_style
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.work_area import WorkArea
from pos_app.domain.barcodes import ReceiptCode, WhyUnknown
from pos_app.domain.store import PickerType
from pos_app.errors import MachineError, PosError
from pos_app.selling.attention.delivery_trouble import printer_in_trouble
from pos_app.selling.first_start import FirstStart, ShopChoice
from pos_app.selling.sale.receipt_drafts import FaultPlace
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind

if TYPE_CHECKING:  # what nobody opens at the start is loaded when it is opened
    from pos_app.cashier.catalogue.view import CatalogueScreen
    from pos_app.cashier.catalogue.work import LongWork
    from pos_app.cashier.first_start.view import FirstStartScreen
    from pos_app.cashier.settings.view import SettingsScreen

_SALE, _ATTENTION, _CATALOGUE, _SETTINGS, _FIRST_START = range(5)
"""The screens, as they lie in the window."""

TICK_MS = 1000
TRY_AGAIN_MS = 100
"""Between two tries to enter what waits for a file that another program holds."""
LEAST_WIDTH = 1024
"""How narrow the window can be made, in pixels at 96 dpi: then it has the sizes of a narrow one."""
SETTLE_MS = 700
"""How long something must wait before line and bell say so: a usual sale is through by then."""


class TillWindow(QWidget):
    """It is the `Commands` that its views call.

    Signals: `closed()` once the cashier closed it; `rebuilt()`, the content was made anew.
    """

    closed = Signal()
    rebuilt = Signal()

    _stood = Qt.WindowState.WindowNoState
    """Full screen or not, when it was not minimised."""

    def __init__(
        self, services: TillServices, ui: UiContext, *, viewer: Viewer | None = None
    ) -> None:
        """viewer: opens receipts; the system's own where none is given."""
        super().__init__()
        clock, viewer = services.till.clock, viewer or DesktopViewer()
        catalogue = TolerantCatalogue(services.catalogue, faults=services.faults, clock=clock)
        self.services = services = replace(services, catalogue=catalogue)
        self.tasks = Tasks(on_error=self.show_error, on_bug=self.show_bug)
        self.model = SaleModel(services)
        self._payment = OpenPayment()
        self._ui = self._with_keyboard_key(ui)
        waiting = AttentionModel(services)
        self._runner = ActionRunner(services, waiting, ui.texts, self.tasks, viewer, parent=self)
        self._catalogue_model = CatalogueModel(services)
        self.catalogue: CatalogueScreen | None = None
        """Made when it is first opened: nobody waits for it at the start."""
        self._long_work: LongWork | None = None
        """Of the catalogue; it outlives the widgets that show it."""
        self._settings_model = SettingsModel(services)
        self._settings_model.store.on_saved = self._on_catalogue_changed
        self._settings_model.cashier.on_saved = self._on_cashier_changed
        self.settings: SettingsScreen | None = None
        """Likewise."""
        self.first_start: FirstStartScreen | None = None
        """There while the shop is not set up."""
        self._first_start_model = first_start_of(services)
        self._drawer = DrawerControl(self.model, self.tasks, self)
        self._last_receipt = ReceiptViewer(self.model, self.tasks, viewer, self)
        self._events = CoreEvents(services, self)
        self._retrial = Retrial(services.faults, Where.TILL, clock)
        self._uncounted: list[Sale] = []
        self._prints = True
        self._in_front = True
        self._settling, self._ticking = QTimer(self), QTimer(self)
        self._trying_again, self._measuring = QTimer(self), QTimer(self)
        self._wire()
        listen_to_keys(self, self.press_key, on_missing=self._on_missing)
        self.setMinimumWidth(ui.theme.metrics.px(LEAST_WIDTH))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._build()
        self._pad = PadKeys(self.press_key, is_wanted=self._takes_pad_keys, parent=self)
        self.windowHandle().installEventFilter(self._pad)
        self.refresh_status()
        self._begin()
        self._ticking.start(TICK_MS)

    def _begin(self) -> None:
        """With the first start, or the sale."""
        if self._first_start_model is not None:
            self._make_first_start(self._first_start_model)
        else:
            self.work_area.sale.picker.begin()
        self._take_focus()

    # --- theme, language, width ------------------------------------------------------------------

    @property
    def theme(self) -> Theme:
        return self._ui.theme

    @property
    def texts(self) -> Texts:
        return self._ui.texts

    def change(
        self,
        *,
        theme: ThemeName | None = None,
        language: Language | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Show everything in another theme, language or size; nothing that was typed is lost."""
        ui = self._ui.changed(theme=theme, language=language, metrics=metrics)
        if ui is not self._ui:
            self._rebuild(self._with_keyboard_key(ui))

    def _with_keyboard_key(self, ui: UiContext) -> UiContext:
        opens = self.services.settings.till.touch_keyboard
        return ui.with_keyboard_key(keyboard_name(ui.texts, opens))

    def _rebuild(self, ui: UiContext) -> None:
        """The content anew over the same models. The old one goes once the loop is back: it may be
        a button of it that asked for this."""
        old, place, typing = self._content, focus_place(self._content), self.typing
        screen = self._screens.currentIndex()
        self.model.forget_listeners()
        self._catalogue_model.forget_listeners()
        self._settings_model.forget_listeners()
        if self._first_start_model is not None:
            self._first_start_model.forget_listeners()
        self.windowHandle().removeEventFilter(self._finger)
        self.setUpdatesEnabled(False)
        try:
            old.hide()
            self._whole.removeWidget(old)
            old.setParent(None)
            old.deleteLater()
            application = QApplication.instance()
            if ui.theme is not self._ui.theme and isinstance(application, QApplication):
                apply_style(application, ui.theme)
            self._ui = ui
            self._runner.speak(ui.texts)
            self._build()
            if screen == _CATALOGUE:
                self._make_catalogue()
            if screen == _SETTINGS:
                self._make_settings()
            self._screens.setCurrentIndex(screen)
            if self._first_start_model is not None:
                self._make_first_start(self._first_start_model)
            if not take_focus_at(self._content, place):
                self._take_focus()
            if typing.keyboard is not None:
                self.typing.open()
        finally:
            self.setUpdatesEnabled(True)
        self.rebuilt.emit()

    def _build(self) -> None:
        """The views, in the theme and texts of the moment."""
        ui, texts = self._ui, self._ui.texts
        self._content = content = Ground(ui.theme, colour="bg")
        # The cart listens first: a new row is painted before anything else is looked at.
        self.cart = CartColumn(self.model, ui, self, content)
        self.work_area = WorkArea(self.model, self._payment, ui=ui, commands=self)
        self.top = Top(self.model, ui, self, content)
        self.attention = AttentionScreen(self.services, ui, self._runner, content)
        self.status = StatusLine(ui.theme, name=texts("status.name"), parent=content)
        self.model.listen(self._on_change)
        self.catalogue, self._catalogue_place = None, _empty_place()
        self.settings, self._settings_place = None, _empty_place()
        self._first_start_place = _empty_place()
        rooms = (
            self.work_area, self.attention, self._catalogue_place, self._settings_place,
            self._first_start_place,
        )  # fmt: skip
        self._rooms = tuple(KeyboardSpace(room) for room in rooms)
        self._lay_out(content)
        self.cart.set_quiet(self.work_area.is_paying)
        self.work_area.paying.connect(self.cart.set_quiet)
        self.attention.back_pressed.connect(lambda: self.show_attention(False))
        self.attention.counted.connect(self._show_counts)
        self.status.clicked.connect(lambda: self.run(TillCommand.ATTENTION))
        self.ring = FocusRing(ui.theme, content)
        self._finger = FingerScroll(content, ui.theme)
        # This makes the platform's window, which may be capped to its screen at once: the resize is
        # delivered before the call returns, so the content stands by then.
        self.winId()
        self.windowHandle().installEventFilter(self._finger)
        opens = self.services.settings.till.touch_keyboard
        self.typing = TouchTyping(content, self._rooms, texts, ui.theme, opens)
        self.typing.opening.connect(self.work_area.sale.fold_pad)
        self.work_area.sale.pad_unfolding.connect(self.typing.close)
        self._handlers = self._bind()
        self._name()
        self._show_kind()
        self._show_in_front()
        self._show_counts()
        self.cart.take_width(self.width())
        content.show()

    def _lay_out(self, content: QWidget) -> None:
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
        whole = QVBoxLayout(content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self._screens = QStackedLayout()
        whole.addLayout(self._screens, 1)
        self._screens.addWidget(selling)
        self._screens.addWidget(self._rooms[1])
        self._screens.addWidget(self._rooms[2])
        self._screens.addWidget(self._rooms[3])
        self._screens.addWidget(self._rooms[4])
        whole.addWidget(self.status)
        self.status.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._whole.addWidget(content)

    def _name(self) -> None:
        store = self.model.store
        title = self.texts("till.title")
        self.setWindowTitle(f"{title} · {store.name}" if store else title)
        self.setAccessibleName(title)

    # --- the scanner -----------------------------------------------------------------------------

    def on_scan(self, code: str, rest_of: str = "") -> None:
        """A scan, whatever is open and wherever the focus is: entered, or visibly waiting. rest_of:
        what was told of it before as misread; it is whole now."""
        if self.is_in_first_start:
            self.model.tone("no")  # there is nothing to sell yet
            return
        read = self.model.read_code(code)
        if isinstance(read.meaning, ReceiptCode):
            if self.is_in_attention:
                if self.attention.receipt_scanned(code):
                    return
            elif self.work_area.take_receipt(read.meaning.verification):
                return
        elif self.is_in_catalogue and self.catalogue is not None and self.catalogue.scanned(code):
            return
        self.show_sale()
        self.model.scan(read, rest_of=rest_of)

    def on_misread(self, code: str, rest_of: str = "", key_held: bool = False) -> None:
        """A scan whose rest did not come, or that came while a Ctrl, Alt or the like was held: it
        is told, and nothing is sold. rest_of: what was told of it before."""
        if self.is_in_first_start:
            self.model.tone("no")
            return
        if self.is_in_catalogue and self.catalogue is not None and self.catalogue.misread():
            return
        self.show_sale()
        why = WhyUnknown.KEY_HELD if key_held else WhyUnknown.CUT
        self.model.misread(code, why, rest_of=rest_of)

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
        """Whether Attention stands over cart and work area."""
        return self._screens.currentIndex() == _ATTENTION

    @property
    def is_in_catalogue(self) -> bool:
        """Whether the manager's catalogue stands over cart and work area."""
        return self._screens.currentIndex() == _CATALOGUE

    @property
    def is_working(self) -> bool:
        """Whether long work of the catalogue runs, whatever is open."""
        return self._long_work is not None and self._long_work.work is not None

    @property
    def is_in_settings(self) -> bool:
        """Whether the settings stand over cart and work area."""
        return self._screens.currentIndex() == _SETTINGS

    @property
    def is_in_first_start(self) -> bool:
        """Whether the shop is being set up; nothing else can be opened then."""
        return self.first_start is not None

    def _make_first_start(self, model: FirstStartModel) -> None:
        from pos_app.cashier.first_start.view import FirstStartScreen  # noqa: PLC0415

        self.first_start = made = FirstStartScreen(model, self._ui, self.tasks)
        _put_in(self._first_start_place, made)
        made.show()  # not only once the loop is back: the focus goes where it was before
        self._screens.setCurrentIndex(_FIRST_START)
        self.status.hide()
        made.over.connect(self._end_first_start)
        made.language_chosen.connect(self._choose_language)

    def _choose_language(self, language: Language) -> None:
        """In the first start, for always."""
        assert self._first_start_model is not None
        self._first_start_model.keep_language(language)
        self.set_language(language)

    def _end_first_start(self) -> None:
        """The shop is set up: sell."""
        if self.first_start is None or self._first_start_model is None:
            return
        self._first_start_model.forget_listeners()
        self.first_start.hide()
        self.first_start.deleteLater()
        self.first_start = self._first_start_model = None
        self._screens.setCurrentIndex(_SALE)
        self.status.show()
        self._on_catalogue_changed()
        self.top.show_store()
        self.work_area.sale.picker.begin()
        self._take_focus()

    def show_sale(self) -> None:
        """Go back to the sale, from wherever."""
        self.show_attention(False)
        self.show_catalogue(False)
        self.show_settings(False)

    def show_attention(self, shown: bool) -> None:
        """Open Attention, or go back to the sale."""
        if shown == self.is_in_attention:
            return
        if shown:
            self.show_catalogue(False)
            self.show_settings(False)
            self.attention.refresh()
        self._screens.setCurrentIndex(_ATTENTION if shown else _SALE)
        if not shown:
            self.attention.leave()
        self._take_focus()

    def show_catalogue(self, shown: bool) -> None:
        """Open the manager's catalogue, which asks for the PIN, or go back to the sale."""
        if shown == self.is_in_catalogue:
            return
        if shown:
            self.show_attention(False)
            self.show_settings(False)
            if self.catalogue is not None and self.is_working:
                self.catalogue.lock()  # long work goes on, and is shown behind the PIN
            else:
                self._drop_catalogue()
                self._make_catalogue()
        self._screens.setCurrentIndex(_CATALOGUE if shown else _SALE)
        if not shown:
            self._catalogue_model.leave()
        self._take_focus()

    def show_settings(self, shown: bool, *, card_pin: bool = False) -> None:
        """Open the settings, or go back to the sale. They ask for the manager's PIN; card_pin: only
        the processor's card is given its PIN, which needs no manager."""
        if shown == self.is_in_settings:
            return
        if shown:
            self.show_attention(False)
            self.show_catalogue(False)
            self._settings_model.forget_listeners()
            if self.settings is not None:
                self.settings.hide()
                self.settings.deleteLater()
            self._settings_model.ask_card_pin(card_pin)
            self._make_settings()
        self._screens.setCurrentIndex(_SETTINGS if shown else _SALE)
        if not shown:
            self._settings_model.leave()
        self._take_focus()

    def show_store(self) -> None:
        """Open the settings at the page of the store, behind the manager's PIN."""
        self._settings_model.choose(PageName.STORE)
        self.show_settings(True)

    def show_platform(self) -> None:
        """Open the settings at the page of the platform, behind the manager's PIN."""
        self._settings_model.choose(PageName.PLATFORM)
        self.show_settings(True)

    def _make_settings(self) -> None:
        from pos_app.cashier.settings.view import SettingsScreen  # noqa: PLC0415

        self.settings = made = SettingsScreen(self._settings_model, self._ui, self.tasks)
        _put_in(self._settings_place, made)
        made.back_pressed.connect(lambda: self.show_settings(False))
        made.set_banner(self.top.banner)
        made.show_in_front(self._in_front)
        made.refresh()

    def _make_catalogue(self) -> None:
        from pos_app.cashier.catalogue.view import CatalogueScreen  # noqa: PLC0415
        from pos_app.cashier.catalogue.work import LongWork  # noqa: PLC0415

        self._long_work = self._long_work or LongWork(self)
        made = CatalogueScreen(self._catalogue_model, self._long_work, self._ui)
        self.catalogue = made
        _put_in(self._catalogue_place, made)
        made.back_pressed.connect(lambda: self.show_catalogue(False))
        made.changed.connect(self._on_catalogue_changed)
        made.store_wanted.connect(self.show_store)
        made.set_banner(self.top.banner)
        made.show_in_front(self._in_front)
        made.refresh()

    def _decide_edits(self) -> None:
        """Attention sends a manager to the changes that wait for an answer."""
        self._catalogue_model.show_undecided()
        self.show_catalogue(True)

    def _drop_catalogue(self) -> None:
        """The next visit finds the PIN in front again."""
        self._catalogue_model.forget_listeners()
        if self.catalogue is not None:
            self.catalogue.hide()
            self.catalogue.deleteLater()
            self.catalogue = None

    def _take_focus(self) -> None:
        if self.first_start is not None:
            self.first_start.take_focus()
        elif self.is_in_attention:
            self.attention.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.is_in_catalogue and self.catalogue is not None:
            self.catalogue.take_focus()
        elif self.is_in_settings and self.settings is not None:
            self.settings.take_focus()
        else:
            self.work_area.take_focus()

    def show_error(self, error: PosError) -> None:
        """An expected error that no screen shows by itself."""
        self.model.notify(ActFailed(error), "attention")

    def show_bug(self, error: BaseException) -> None:
        """A bug: it is in the log with its cause; the cashier is told and goes on."""
        self.model.notify(Bug(type(error).__name__), "attention")

    def refresh_status(self) -> None:
        """Read anew what waits; show it in the bottom line and the bell."""
        self.attention.count()
        self._show_counts()

    def _show_counts(self) -> None:
        """Both tell what Attention counts: the three never differ."""
        model, texts = self.attention.model, self.texts
        waiting = model.count()
        facts = StatusFacts.of(
            self.services,
            waiting=waiting,
            to_decide=model.decisions,
            drawer=self._drawer.shut.why if self._drawer.shut is not None else None,
        )
        self.status.set_status(status_items(facts, texts), sentence(facts, texts))
        self.top.show_waiting(waiting)

    def _show_kind(self) -> None:
        """The kind of document, and the banner it has on both screens."""
        self.top.show_kind()
        self.attention.set_banner(self.top.banner)
        if self.catalogue is not None:
            self.catalogue.set_banner(self.top.banner)
        if self.settings is not None:
            self.settings.set_banner(self.top.banner)

    def _show_in_front(self) -> None:
        self.top.show_in_front(self._in_front)
        self.attention.show_in_front(self._in_front)
        if self.catalogue is not None:
            self.catalogue.show_in_front(self._in_front)
        if self.settings is not None:
            self.settings.show_in_front(self._in_front)

    # --- commands --------------------------------------------------------------------------------

    def run(self, command: TillCommand) -> None:
        """Carry out a command, from whatever key, button or menu it comes."""
        self._handlers[command]()

    def press_key(self, command: TillCommand) -> None:
        """A key of the window: what it does depends on the screen that is open."""
        if self.first_start is not None:
            if command is TillCommand.BACK:
                self.first_start.back()
        elif self._screens.currentIndex() != _SALE:
            self._press_over_sale(command)
        elif command is TillCommand.BACK:
            self.run(command)
        elif self.model.is_asked:
            self.work_area.take_key(command)
        elif not self.work_area.is_paying:
            self.work_area.put_lists_away()
            self.run(command)
        elif command in (TillCommand.SEARCH, TillCommand.DRAWER):
            self.run(command)

    def _press_over_sale(self, command: TillCommand) -> None:
        if self.is_in_attention:
            if command in (TillCommand.BACK, TillCommand.DRAWER):
                self.run(command)
            elif command is TillCommand.KEYS:
                self.attention.toggle_keys()
        elif self.is_in_catalogue and self.catalogue is not None:
            self._press_in_catalogue(self.catalogue, command)
        elif self.is_in_settings and self.settings is not None:
            self._press_in_settings(self.settings, command)

    def _press_in_catalogue(self, screen: CatalogueScreen, command: TillCommand) -> None:
        match command:
            case TillCommand.BACK:
                screen.back()
            case TillCommand.SEARCH:
                screen.focus_search()
            case TillCommand.KEYS:
                screen.toggle_keys()
            case TillCommand.LINE_UP | TillCommand.LINE_DOWN:
                screen.turn_page(-1 if command is TillCommand.LINE_UP else 1)
            case TillCommand.DRAWER:
                self.run(command)

    def _press_in_settings(self, screen: SettingsScreen, command: TillCommand) -> None:
        match command:
            case TillCommand.BACK:
                screen.back()
            case TillCommand.KEYS:
                screen.toggle_keys()
            case TillCommand.DRAWER:
                self.run(command)

    def _bind(self) -> dict[TillCommand, Callable[[], object]]:
        """The handler of each command, over the present content."""
        model = self.model
        return {
            TillCommand.KEYS: lambda: model.ask(KeysOfScreen()),
            TillCommand.SEARCH: self._search,
            TillCommand.QUANTITY: self.work_area.sale.quantity,
            TillCommand.PRICE: self.work_area.sale.price,
            TillCommand.BUYER: lambda: self.work_area.pay(FaultPlace.BUYER),
            TillCommand.SUSPEND: model.suspend_or_recall,
            TillCommand.MORE: lambda: model.ask(More()),
            TillCommand.DRAWER: self._drawer.open_by_hand,
            TillCommand.PAY: self.work_area.pay,
            TillCommand.CASH: self.work_area.sale.cash,
            TillCommand.CARD: self.work_area.sale.card,
            TillCommand.LINE_UP: lambda: model.select_next_line(-1),
            TillCommand.LINE_DOWN: lambda: model.select_next_line(1),
            TillCommand.REMOVE: self._remove,
            TillCommand.BACK: self._back,
            TillCommand.ATTENTION: lambda: self.show_attention(True),
            TillCommand.CATALOGUE: lambda: self.show_catalogue(True),
            TillCommand.SETTINGS: lambda: self.show_settings(True),
            TillCommand.RECEIPT: self._last_receipt.show,
            TillCommand.FLIP_PICKER: self.work_area.sale.flip_picker,
            TillCommand.FLIP_THEME: self._flip_theme,
            TillCommand.SET_UP: self._leave_demo,
            TillCommand.CLOSE: self.close,
        }

    def _leave_demo(self) -> None:
        """To the first start of the shop in whose folder the demo is."""
        control = self.services.first_start
        if control is not None and self.services.is_chosen_demo:
            control.keep(FirstStart(choice=ShopChoice.SHOP))
            control.reopen()

    def _remove(self) -> None:
        line = self.model.current_line
        if line is not None:
            self.model.remove_line(line.id)

    def _search(self) -> None:
        if self.work_area.is_paying:
            self.work_area.leave_payment()
        else:
            self.work_area.sale.take_focus()

    def _back(self) -> None:
        if self.is_in_attention:
            self.show_attention(False)
        elif self.is_in_catalogue and self.catalogue is not None:
            self.catalogue.back()
        elif self.is_in_settings and self.settings is not None:
            self.settings.back()
        else:
            self.work_area.back()

    def _flip_theme(self) -> None:
        self.change(theme="light" if self.theme.palette.name == "dark" else "dark")

    def set_language(self, language: Language) -> None:
        self.change(language=language)

    def show_case(self, row_id: str) -> None:
        """Open Attention where one thing is solved; where it is over, with what waits first."""
        self.show_attention(True)
        self.attention.choose(row_id)

    def set_kind(self, kind: DocumentKind) -> None:
        """Make the open cart another document; a payment goes on with that."""
        self.work_area.payment.keep_typed()  # it belongs to the cart that is left now
        self.model.set_kind(kind)
        self._show_kind()
        if self.work_area.is_paying:
            self.work_area.payment.begin(self.model.ticket)
        self.work_area.take_focus()

    def _on_confirmed(self, sale: Sale) -> None:
        """The drawer opens for its cash, the next one begins."""
        self.work_area.take_focus()
        self._settling.start()
        self._uncounted.append(sale)
        self._drawer.open_for(sale)

    def _on_catalogue_changed(self) -> None:
        """Something was saved there: the picker and the counts tell it at once."""
        self.work_area.sale.picker.reload_if_outdated()
        self._follow_catalogue()
        self.refresh_status()

    def _on_cashier_changed(self) -> None:
        self.top.show_store()

    def _follow_catalogue(self) -> None:
        """Sell from what is written now. Another picker of the store is shown at once; as long as
        it stays, a cashier's own choice stays too."""
        before = self.model.store
        self.model.catalogue_changed()
        store = self.model.store
        picker = store.product_picker_type if store is not None else PickerType.GRID
        if before is None or before.product_picker_type is not picker:
            self.work_area.sale.picker.set_as_list(picker is PickerType.LIST)

    def _on_missing(self, cap: str) -> None:
        if self.is_in_attention:
            self.model.tone("no")
            self.attention.tell(self.texts("notice.not_yet", key=cap))
        elif self.is_in_catalogue or self.is_in_settings:
            self.model.tone("no")
        else:
            self.work_area.tell_missing(cap)

    def _takes_pad_keys(self) -> bool:
        """In payment and questions + and − may be text; on the sale they pay."""
        over = self._screens.currentIndex() != _SALE
        return not (over or self.work_area.is_paying or self.model.is_asked)

    # --- events of Qt ----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What no field and no key of the window took: words go to the search."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(focus, QAbstractButton) and not event.isAutoRepeat():
                focus.click()
            return
        if typed_text(event) and self._screens.currentIndex() == _SALE:
            self.work_area.type_key(event)

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
        self.change(metrics=measured_for(self.theme.metrics, self.width()))

    def closeEvent(self, event: QCloseEvent) -> None:
        for timer in (self._settling, self._ticking, self._trying_again):
            timer.stop()
        self._count_sold()
        self.work_area.payment.keep_typed()
        event.accept()
        self.closed.emit()

    # --- what happens meanwhile ------------------------------------------------------------------

    def _wire(self) -> None:
        self.model.listen_confirmed(self._on_confirmed)
        self._drawer.changed.connect(self._on_drawer)
        self._runner.drawer_wanted.connect(self._drawer.open_by_hand)
        self._runner.catalogue_wanted.connect(self._decide_edits)
        self._runner.card_pin_wanted.connect(lambda: self.show_settings(True, card_pin=True))
        self._runner.store_wanted.connect(self.show_store)
        self._runner.platform_wanted.connect(self.show_platform)
        self._runner.drawer_seen.connect(self._drawer.see)
        self._runner.sale_taken.connect(self._on_take_back)
        events, queued = self._events, Qt.ConnectionType.QueuedConnection
        events.sale_moved.connect(self._on_sale, queued)
        events.server_changed.connect(self._on_server, queued)
        events.storage_failed.connect(self._on_storage, queued)
        events.storage_changed.connect(self._on_attention_changed, queued)
        events.updates_changed.connect(self._on_attention_changed, queued)
        events.carts_set_aside.connect(self._begin_anew, queued)
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

    def _on_change(self, parts: frozenset[Part]) -> None:
        if Part.CART in parts:
            self._show_kind()
        if Part.NEWS in parts and self.is_in_attention and self.model.notices:
            self.attention.tell(in_one_line(self.model.notices[-1], self.texts))
        if Part.WAITING in parts:
            is_held = self.model.held_by is not None
            if is_held != self._trying_again.isActive():
                self._trying_again.start() if is_held else self._trying_again.stop()

    def _settled(self) -> None:
        """A moment after the last change: nobody waits for this."""
        self.refresh_status()
        self._count_sold()

    def _count_sold(self) -> None:
        sold, self._uncounted = self._uncounted, []
        for sale in sold:
            self.services.count_sold(sale)

    def _begin_anew(self) -> None:
        """The open cart came out of a copy and was set aside, whatever was done with it."""
        self.work_area.set_paying(False)
        self.model.begin_anew()
        self.model.put_away()
        self.refresh_status()

    def _on_take_back(self, sale: Sale) -> None:
        try:
            self.model.take_back(sale)
        except PosError as error:
            self._runner.refuse(error)
            return
        self.show_sale()

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
        self._show_kind()
        self.model.tell(Part.CART, Part.LAST)
        self._settings_model.renew()
        if self.is_in_attention:
            self.attention.refresh()

    def _on_drawer(self) -> None:
        self.attention.show_drawer(self._drawer.shut)
        self.refresh_status()

    def _on_storage(self, fault: MachineError | None) -> None:
        faults, by = self.services.faults, "outbox"
        if fault is None:
            faults.clear(Where.TILL, by=by)
            return
        faults.report(Where.TILL, fault, by=by, at=self.services.till.clock.now())
        self.show_error(fault)

    def _on_attention_changed(self) -> None:
        self.refresh_status()
        if self.is_in_attention:
            self.attention.refresh()

    def _on_application(self, state: Qt.ApplicationState) -> None:
        self._in_front = state is Qt.ApplicationState.ApplicationActive
        self._show_in_front()

    def _tick(self) -> None:
        """Once a second: the clock, and what another program has changed in the catalogue.

        Now and then also what of the till's own storage could not be read.
        """
        self.top.show_clock()
        if self.first_start is not None:
            self.first_start.refresh()
        elif self.is_in_catalogue and self.catalogue is not None:
            self.catalogue.refresh()
        elif self.is_in_settings and self.settings is not None:
            self.settings.refresh()
        if self.work_area.sale.picker.reload_if_outdated():
            self._follow_catalogue()
            self.top.show_store()
            self.refresh_status()
        elif self._retrial.is_due():
            self.refresh_status()


def _empty_place() -> QWidget:
    """Where a screen stands that is made when it is first opened."""
    place = QWidget()
    whole = QVBoxLayout(place)
    whole.setContentsMargins(0, 0, 0, 0)
    return place


def _put_in(place: QWidget, screen: QWidget) -> None:
    layout = place.layout()
    assert layout is not None
    layout.addWidget(screen)
