"""The window of the till: its keys and scans, its size, its status line, and the frame of screens.

A change of theme, language or width makes the content anew, while the screens' rooms live on. The
screen on top decides what a key or a scan does. Source: till.md, look.md ("Ideas").
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QVBoxLayout, QWidget

from pos_app import log
from pos_app.cashier import commands
from pos_app.cashier.gate.manager_lock import no_lock
from pos_app.cashier.services.file_viewer import DesktopViewer, Viewer
from pos_app.cashier.services.storage_faults import Retrial, Where
from pos_app.cashier.services.tasks import CoreEvents, failure_of, guarded
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.services.tolerant_catalogue import tolerant_catalogue
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.bars import StatusLine
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.focus import FocusPosition, FocusRing, focus_position, take_focus_at
from pos_app.cashier.ui.keyboard import TouchTyping, keyboard_name
from pos_app.cashier.ui.metrics import Metrics, measure, measured_for
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.press_guard import PressGuard
from pos_app.cashier.ui.qt_words import tell_in
from pos_app.cashier.ui.scrolling import FingerScroll
from pos_app.cashier.ui.style import apply_style
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.window import scan_ways
from pos_app.cashier.window.frame import LOCK, SETTLE_MS, Change, Frame, LockedBy, ShopChange
from pos_app.cashier.window.screens import SCREENS, carry_on_changes
from pos_app.cashier.window.status import show_status, sync_progress
from pos_app.cashier.window.ways_out import WaysOut
from pos_app.domain.article.barcodes import WhyUnknown
from pos_app.errors import MachineError
from pos_app.selling.sale.sale import Sale
from pos_app.settings import named

_log = log.get(__name__)

TICK_MS = 1000
THEME, LANGUAGE = named("till", "theme", "language")
SIZES = frozenset(named("till", "touch_mm", "text_percent"))
PAINTED = SIZES | {THEME, LANGUAGE, *named("till", "name", "touch_keyboard", "action_keys")}
"""Settings for which the content is made anew."""
LEAST_WIDTH = 1024
"""In pixels at 96 dpi; at this width the window has the sizes of a narrow one."""


class TillWindow(QWidget):
    """Signals: `closed()`; `rebuilt()`, the content was made anew; `settings_taken()`, a manager
    changed settings of the till."""

    closed = Signal()
    rebuilt = Signal()
    settings_taken = Signal()

    _stood = Qt.WindowState.WindowNoState
    """The last state of the window that was not minimised: full screen or not."""

    def __init__(
        self, services: TillServices, ui: UiContext, *, viewer: Viewer | None = None
    ) -> None:
        """viewer: opens receipts; by default the system's own."""
        super().__init__()
        clock = services.till.clock
        catalogue = tolerant_catalogue(services.catalogue, faults=services.faults, clock=clock)
        self.services = services = replace(services, catalogue=catalogue)
        self._ui = self._with_field_words(ui)
        acts = {
            commands.TillCommand.FLIP_THEME: self._flip_theme,
            commands.TillCommand.LOCK: self.lock,
        }
        self.frame = Frame(
            SCREENS, services, self._ui, viewer=viewer or DesktopViewer(), acts=acts, parent=self
        )
        self.ways_out = WaysOut(self.frame, self)
        acts[commands.TillCommand.SET_UP] = self.ways_out.leave_demo
        acts[commands.TillCommand.CLOSE] = self.ways_out.ask
        self.tasks = self.frame.tasks
        self._events = CoreEvents(services, self)
        self._retrial = Retrial(services.faults, Where.TILL, clock)
        self._told_sync = sync_progress(services)
        self._ticking, self._measuring = QTimer(self), QTimer(self)
        self._wire()
        commands.listen_to_keys(
            self,
            self.press_key,
            screens={entry.key: entry.name for entry in SCREENS if entry.key},
            on_screen=self._on_screen_key,
        )
        self.setMinimumWidth(ui.theme.metrics.px(LEAST_WIDTH))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._guard = PressGuard(self)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._build()
        self._pad = commands.PadKeys(self.press_key, is_wanted=self._takes_pad_keys, parent=self)
        self.hands = commands.HandsWatch(clock, self)
        for last in (self._pad, self.hands, self._guard):  # Qt asks the last one first
            self.windowHandle().installEventFilter(last)
        self.frame.begin()
        QTimer.singleShot(SETTLE_MS, self, self.frame.count_first)
        QTimer.singleShot(SETTLE_MS, self, lambda: carry_on_changes(self.frame))
        self._ticking.start(TICK_MS)

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
    ) -> bool:
        """Show everything in another theme, language or size; nothing that was typed is lost.
        Return False where the content could not be made so, and is as it was."""
        ui = self._ui.changed(theme=theme, language=language, metrics=metrics)
        return ui is self._ui or self._rebuild(self._with_field_words(ui))

    def _with_field_words(self, ui: UiContext) -> UiContext:
        opens = self.services.settings.till.touch_keyboard
        return ui.with_field_words(keyboard_name(ui.texts, opens))

    def _rebuild(self, ui: UiContext) -> bool:
        """Make the content anew over the same rooms, or as it was if that fails; return whether it
        is as wanted."""
        before, position = self._ui, focus_position(self._content)
        keys = self.typing.keyboard
        self.setUpdatesEnabled(False)
        try:
            failed = failure_of(lambda: self._replace(ui))
            if failed is not None:
                _log.error("the content could not be made anew", exc_info=failed)
                self._replace(before, gives_up=True)
            guarded(lambda: self._focus_at(position))
            if keys is not None:
                guarded(self.typing.open)
        finally:
            self.setUpdatesEnabled(True)
        self.rebuilt.emit()
        if failed is not None:
            self.frame.home.show_unopened(failed)
        return failed is None

    def _focus_at(self, position: FocusPosition) -> None:
        if not take_focus_at(self._content, position):
            self.frame.top.take_focus()

    def _replace(self, ui: UiContext, *, gives_up: bool = False) -> None:
        """The old content is deleted later by the event loop, because one of its buttons may have
        asked for this. gives_up: a screen that can't be made is left."""
        old = self._content
        self.windowHandle().removeEventFilter(self._finger)
        old.hide()
        self._whole.removeWidget(old)
        old.setParent(None)
        old.deleteLater()
        application = QApplication.instance()
        if ui.theme is not self._ui.theme and isinstance(application, QApplication):
            apply_style(application, ui.theme)
        self._ui = ui
        self._build(gives_up=gives_up)

    def _build(self, *, gives_up: bool = False) -> None:
        ui, texts = self._ui, self._ui.texts
        self._content = content = Ground(ui.theme, colour="bg")
        tell_in(texts, content)
        self.status = StatusLine(ui.theme, name=texts("status.name"), parent=content)
        self.status.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.status.clicked.connect(self.frame.open_waiting)
        whole = QVBoxLayout(content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self.frame.build(ui, whole)
        whole.addWidget(self.status)
        self._whole.addWidget(content)
        self.ring = FocusRing(ui.theme, content)
        self._finger = FingerScroll(content, ui.theme)
        # This makes the platform's window, which may be capped to its screen at once: the resize is
        # delivered before the call returns, so the content must exist by then.
        self.winId()
        self.windowHandle().installEventFilter(self._finger)
        self._guard.watch(ui.theme.metrics.touch)
        opens = self.services.settings.till.touch_keyboard
        self.typing = TouchTyping(content, texts, ui.theme, opens)
        self.typing.opening.connect(self.frame.home_screen.give_room)
        self.frame.home_screen.room_wanted.connect(self.typing.close)
        self.frame.covered.connect(self.typing.close)
        self.frame.covered.connect(self._show_counts)
        self._name()
        self._show_counts()
        self.frame.home_screen.take_width(self.width())
        content.show()
        self.frame.build_top(gives_up=gives_up)
        self._on_blocked(self.frame.top.blocks)

    def _name(self) -> None:
        shop, title = self.frame.home.shop_name(), self.texts("till.title")
        self.setWindowTitle(f"{title} · {shop}" if shop else title)
        self.setAccessibleName(title)

    # --- the scanner -----------------------------------------------------------------------------

    def on_scan(self, code: str, rest_of: str = "") -> None:
        """Enter a scan, or show that it waits. rest_of: the part reported as misread before."""
        self._guard.forget_key()
        scan_ways.enter(self.frame, code, rest_of=rest_of)

    def on_misread(self, code: str, rest_of: str = "", key_held: bool = False) -> None:
        """Report a scan that sold nothing: a part is missing, or Ctrl, Alt or the like was held."""
        why = WhyUnknown.KEY_HELD if key_held else WhyUnknown.CUT
        scan_ways.report_misread(self.frame, code, why, rest_of=rest_of)

    # --- what the screens and other programs ask -------------------------------------------------

    def come_to_front(self) -> None:
        """Bring the window in front of those of other programs, as large as it was."""
        if self.isMinimized():
            self.setWindowState(self._stood)
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)  # where the system keeps another program in front

    def _show_counts(self) -> None:
        self._told_sync = sync_progress(self.services)
        show_status(self.status, self.services, self.frame.waiting, self.texts)

    def _on_blocked(self, is_blocked: bool) -> None:
        self.status.setHidden(is_blocked)

    def _flip_theme(self) -> None:
        theme: ThemeName = "light" if self.theme.palette.name == "dark" else "dark"
        if self.change(theme=theme):
            self.services.keep_look(THEME, theme)

    def _set_language(self, language: Language) -> None:
        if self.change(language=language):
            self.services.keep_look(LANGUAGE, language)

    def _take_settings(self, changed: frozenset[str]) -> None:
        """Apply the settings that a manager saved; for those of PAINTED the content is made
        anew."""
        till = self.services.settings.till
        metrics = measure(
            dpi=self.theme.metrics.dpi,
            touch_mm=till.touch_mm,
            text_percent=till.text_percent,
            width=self.width(),
        )
        ui = self._ui.changed(
            theme=till.theme if THEME in changed else None,
            language=till.language if LANGUAGE in changed else None,
            metrics=metrics if changed & SIZES else None,
        )
        if changed & PAINTED:
            self._rebuild(self._with_field_words(ui))
        self.settings_taken.emit()
        self.frame.announce(Change(ShopChange.CASHIER))

    # --- keys ------------------------------------------------------------------------------------

    def press_key(self, command: commands.TillCommand) -> None:
        if command is commands.TillCommand.LOCK:
            self.frame.run(command)
        else:
            scan_ways.press(self.frame, command)

    def lock(self) -> None:
        """Lock the till until somebody signs in."""
        if self.frame.top.blocks or self.frame.cover_name == LOCK:
            return
        if not self.services.locks:
            self.frame.refuse(no_lock())
            return
        for over in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if over is not None:
                over.close()
        self.frame.cover(LOCK, LockedBy(self.services.here.person))

    def _on_screen_key(self, name: str) -> None:
        if self.frame.cover_name:
            self.frame.home.tone("no")
        elif not self.frame.is_home or self.frame.home_screen.lets_go():
            self.frame.open(name)
        else:
            self.frame.home.tone("no")

    def _takes_pad_keys(self) -> bool:
        return self.frame.is_home and self.frame.home_screen.takes_pad_keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a key that no field and no shortcut took: Enter presses the button with the focus,
        text goes to the sale."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(focus, QAbstractButton) and not event.isAutoRepeat():
                focus.click()
            return
        if typed_text(event) and self.frame.is_home:
            self.frame.home_screen.type_key(event)

    # --- events of Qt ----------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.WindowStateChange and not self.isMinimized():
            self._stood = self.windowState()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.frame.home_screen.take_width(event.size().width())
        if measured_for(self.theme.metrics, event.size().width()) != self.theme.metrics:
            self._measuring.start()

    def _measure(self) -> None:
        """Take the sizes of a narrow or a wide window, if the width asks for it."""
        self.change(metrics=measured_for(self.theme.metrics, self.width()))

    def close(self) -> bool:
        """Close without a question, as programs and answered questions do."""
        return self.ways_out.end(super().close)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.ways_out.lets_close(event):
            self._ticking.stop()
            self.frame.close()
            self.closed.emit()

    # --- what happens meanwhile ------------------------------------------------------------------

    def _wire(self) -> None:
        frame, events, queued = self.frame, self._events, Qt.ConnectionType.QueuedConnection
        frame.counted.connect(self._show_counts)
        frame.blocked.connect(self._on_blocked)
        frame.language_wanted.connect(self._set_language)
        frame.settings_saved.connect(self._take_settings)
        events.sale_moved.connect(self._on_sale, queued)
        events.server_changed.connect(self._on_server, queued)
        events.storage_failed.connect(self._on_storage, queued)
        events.storage_changed.connect(self._on_files, queued)
        events.updates_changed.connect(self._on_files, queued)
        events.carts_suspended.connect(self._on_carts_suspended, queued)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application)
        self._measuring.setSingleShot(True)
        self._measuring.setInterval(0)
        self._measuring.timeout.connect(self._measure)
        self._ticking.timeout.connect(self._tick)

    def _on_sale(self, sale: Sale) -> None:
        self.frame.announce(Change(ShopChange.SALES, sale))

    def _on_server(self) -> None:
        self.frame.announce(Change(ShopChange.SERVER))

    def _on_files(self) -> None:
        self.frame.announce(Change(ShopChange.FILES))

    def _on_carts_suspended(self) -> None:
        self.frame.announce(Change(ShopChange.CARTS_SUSPENDED))

    def _on_storage(self, fault: MachineError | None) -> None:
        faults, by = self.services.faults, "outbox"
        if fault is None:
            faults.clear(Where.TILL, by=by)
            return
        faults.report(Where.TILL, fault, by=by, at=self.services.till.clock.now())
        self.frame.home.show_error(fault)

    def _on_application(self, state: Qt.ApplicationState) -> None:
        self.frame.show_in_front(state is Qt.ApplicationState.ApplicationActive)

    def _tick(self) -> None:
        """Called once a second. A failed read of the till's own file is repeated at times."""
        minutes = self.services.settings.people.lock_after_minutes
        if minutes and self.hands.minutes_still >= minutes and self.services.locks:
            self.lock()
        guarded(self.frame.tick)
        if self._told_sync != sync_progress(self.services):
            self._show_counts()
        if self._retrial.is_due():
            self.frame.count()
