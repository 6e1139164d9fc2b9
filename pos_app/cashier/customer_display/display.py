"""The customer display of one till: its monitor, and when it is painted. The display listens to the
models of the sale, which know nothing of it. Changes are shown together, after the sale's own
paint. Source: till.md (Customer display)."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QScreen

from pos_app.cashier.customer_display.brush import prepare_codes
from pos_app.cashier.customer_display.model import BuyersModel, Scene
from pos_app.cashier.customer_display.pictures import DisplayPictures
from pos_app.cashier.customer_display.view import DisplayView
from pos_app.cashier.customer_display.words import words_of
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.services.display_setup import DisplaySetup, Monitor
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.texts.of_store import language_for
from pos_app.cashier.ui.idle import AfterPaint
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import EXCHANGE
from pos_app.cashier.window.till_window import TillWindow
from pos_app.selling.sale.sale import Sale

PICTURE_MS = 10_000
TRIAL_MS = 10_000
_TICK_MS = 1_000


class CustomerDisplay(QObject):
    """Implements display_setup.DisplayControl. It exists while the till's window is shown."""

    _sale_moved = Signal(object)

    def __init__(self, window: TillWindow) -> None:
        super().__init__(window)
        room = window.frame.home_room
        assert isinstance(room, SaleRoom)
        self._window, self._services, self._sale = window, window.services, room.model
        self._model = BuyersModel(room.model, room.payment)
        self._texts = window.texts
        self._trial: DisplaySetup | None = None
        self._pictures: DisplayPictures | None = None
        self.view: DisplayView | None = None
        self._after_paint = AfterPaint(self._show, self)
        self._ticking = self._timer(_TICK_MS, self._tick)
        self._turning = self._timer(PICTURE_MS, self._turn)
        self._trying = self._timer(TRIAL_MS, self._end_trial, once=True)
        self._ending = self._timer(0, self._show, once=True)
        room.payment.listen(self._ask)
        room.model.confirmation.listen_confirmed(self._on_confirmed)
        self._listen()
        window.rebuilt.connect(self._on_rebuilt)
        window.closed.connect(self.close)
        self._sale_moved.connect(self._on_moved, Qt.ConnectionType.QueuedConnection)
        window.services.outbox.listen(on_sale=self._sale_moved.emit)
        self._watch_monitors()
        window.services.display_here.control = self
        self._show_on_monitor()

    def close(self) -> None:
        self._services.display_here.control = None
        for timer in (self._ticking, self._turning, self._trying, self._ending):
            timer.stop()
        self._take_away()

    # --- for the settings ------------------------------------------------------------------------

    def monitors(self) -> tuple[Monitor, ...]:
        return tuple(monitor for monitor, _ in self._monitors())

    def try_out(self, setup: DisplaySetup) -> None:
        self._trial = setup
        self._trying.start()
        self._stand_anew()

    def follow_setup(self) -> None:
        self._trial = None
        self._trying.stop()
        self._stand_anew()

    def _end_trial(self) -> None:
        self.follow_setup()

    @property
    def _setup(self) -> DisplaySetup:
        return self._trial or self._services.customer_display

    # --- where it stands -------------------------------------------------------------------------

    def _watch_monitors(self) -> None:
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.screenAdded.connect(self._on_added)
        # Qt emits this signal before it moves the removed monitor's windows to another one.
        application.screenRemoved.connect(self._show_on_monitor)
        self._window.windowHandle().screenChanged.connect(self._show_on_monitor)
        for screen in QGuiApplication.screens():
            screen.geometryChanged.connect(self._show_on_monitor)

    def _on_added(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self._show_on_monitor)
        self._show_on_monitor()

    def _monitors(self) -> list[tuple[Monitor, QScreen]]:
        """The connected monitors from left to right, each with a unique name."""
        tills = self._window.windowHandle().screen()
        screens = QGuiApplication.screens()
        screens.sort(key=lambda screen: (screen.geometry().x(), screen.geometry().y()))
        found: list[tuple[Monitor, QScreen]] = []
        names: dict[str, int] = {}
        for screen in screens:
            many = names[screen.name()] = names.get(screen.name(), 0) + 1
            name = screen.name() if many == 1 else f"{screen.name()} ({many})"
            size, ratio = screen.size(), screen.devicePixelRatio()
            # A mirror of the till's monitor has the same geometry: the till would be covered.
            is_tills = screen is tills or screen.geometry().intersects(tills.geometry())
            monitor = Monitor(
                name, round(size.width() * ratio), round(size.height() * ratio), is_tills
            )
            found.append((monitor, screen))
        return found

    def _target(self) -> QScreen | None:
        wanted = self._setup.monitor
        if not wanted or not self._window.isVisible():
            return None
        return next(
            (
                one
                for monitor, one in self._monitors()
                if monitor.name == wanted and not monitor.is_tills
            ),
            None,
        )

    def _show_on_monitor(self) -> None:
        """Show the display where it was set up, or nowhere."""
        screen = self._target()
        if screen is None:
            self._take_away()
        elif self.view is None:
            self._place_on(screen)
        elif self.view.screen() is not screen or self.view.geometry() != screen.geometry():
            self._stand_anew()

    def _stand_anew(self) -> None:
        """Show the display in another look, or on another monitor."""
        self._take_away()
        self._show_on_monitor()

    def _place_on(self, screen: QScreen) -> None:
        setup, window = self._setup, self._window
        theme = window.theme
        if setup.theme != "till":
            theme = theme.changed_to(theme=setup.theme)
        language = language_for(self._sale.context.store, window.texts.language)
        is_interfaces = language == window.texts.language
        self._texts = window.texts if is_interfaces else Texts(language)
        self.view = view = DisplayView(theme, self._texts, window)
        self._show()
        view.stand_on(screen)
        prepare_codes()
        self._ticking.start()
        if setup.pictures:
            folder = self._services.settings.data / setup.pictures
            self._pictures = DisplayPictures(folder, screen.size() * screen.devicePixelRatio())
            self._pictures.read.connect(self._on_picture, Qt.ConnectionType.QueuedConnection)
            self._turning.start()
            self._turn()

    def _take_away(self) -> None:
        """Close the window at once, because Qt would move it to another monitor."""
        view, self.view, self._pictures = self.view, None, None
        self._ticking.stop()
        self._turning.stop()
        if view is not None:
            view.hide()
            view.deleteLater()

    # --- what it shows ---------------------------------------------------------------------------

    def _listen(self) -> None:
        """Listen to the cart after the cart's own view, which paints first."""
        self._sale.context.listen(self._on_change, SalePart.CART, SalePart.KIND)

    def _on_rebuilt(self) -> None:
        """Show the display anew, because the look or language of the till may have changed."""
        self._listen()
        self._stand_anew()

    def _on_change(self, sale_parts: frozenset[SalePart]) -> None:
        self._model.cart_changed()
        self._ask()

    def _on_confirmed(self, sale: Sale) -> None:
        self._model.sale_confirmed(sale)
        self._ask()

    def _on_moved(self, sale: Sale) -> None:
        if self._model.sale_moved(sale):
            self._ask()

    def _ask(self) -> None:
        """Show changes once the till has painted."""
        if self.view is not None:
            self._after_paint.ask()

    def _show(self) -> None:
        view = self.view
        if view is None:
            return
        shown = self._model.content()
        words = words_of(shown, self._texts)
        if self._trial is not None:
            words = replace(words, banner=self._texts("display.trial"))
        view.show_words(words)
        left = self._model.next_ms()
        if left is not None:
            self._ending.start(left)

    def _tick(self) -> None:
        """Show the display anew. A confirmed sale shrinks to its code when the cashier opens
        another screen."""
        if self._window.frame.top_name not in (HOME, EXCHANGE):
            self._model.shrink()
        self._show()

    # --- pictures --------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Read the next picture while somebody may see it."""
        view = self.view
        is_idle = view is not None and view.words is not None and view.words.scene is Scene.IDLE
        if self._pictures is not None and (is_idle or view is None or not view.shows_picture):
            self._pictures.read_next()

    def _on_picture(self, picture: QImage | None) -> None:
        if self.view is not None and self.sender() is self._pictures:
            self.view.show_picture(picture)

    def _timer(self, milliseconds: int, act: object, *, once: bool = False) -> QTimer:
        made = QTimer(self)
        made.setInterval(milliseconds)
        made.setSingleShot(once)
        made.timeout.connect(act)
        return made
