"""The program around the window: one application, one loop, an orderly end."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from PySide6.QtCore import Qt, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from pos_app import log, resources
from pos_app.cashier.customer_display.display import CustomerDisplay
from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.scanner.serial_line import SerialScans
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.start import plain_import  # noqa: F401 - before the rest is imported
from pos_app.cashier.start.application import log_message
from pos_app.cashier.start.opening import COPIES, PUTS_BACK, SENDS_UNSENT, Opening
from pos_app.cashier.start.single_window import CloseAnswer, Doorbell
from pos_app.cashier.start.start_error import first_look
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.fonts import load_fonts
from pos_app.cashier.ui.metrics import Metrics, measure, usable_dpi
from pos_app.cashier.ui.style import set_up_style
from pos_app.cashier.ui.theme import Theme, screen_facts
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.cashier.window.frame import Busy
from pos_app.cashier.window.scan_ways import report_key_too_soon
from pos_app.cashier.window.till_window import TillWindow
from pos_app.errors import MachineError
from pos_app.selling.sale.state import SaleState

_log = log.get(__name__)

LETTING_GO = 3.0
"""Seconds that the program waits at its end for a sale under way. A sale that takes longer is
looked up by its key at the next start."""

_LOOK_SECONDS = 0.1

_OF_FILES = frozenset((Busy.RECEIPTS, Busy.REPORT, Busy.BUYERS, Busy.BACKUP, Busy.DAILY))

Background = Callable[[TillServices], Sequence[Coroutine[object, object, None]]]
"""Coroutines that run as long as the window: the outbox, the keeper of the server."""
OnReady = Callable[[TillWindow], None]


def run(
    *,
    open_services: Callable[[], AbstractContextManager[TillServices]],
    background: Background,
    opening: Opening | None = None,
    on_ready: OnReady | None = None,
    size: tuple[int, int] | None = None,
) -> int:
    """Show the till until it is closed; returns the exit status.

    open_services is opened before the window and closed after everything that works with it.
    on_ready is called once the window stands, for runs without a person. opening disappears when
    the window is painted. size: the size of the window in pixels; without it the window fills the
    screen.
    """
    qInstallMessageHandler(log_message)
    application = _application()
    load_fonts(resources.folder() / "fonts")
    loop = _new_loop(application)
    with loop, open_services() as services, closing(Doorbell(services.settings.data)) as bell:
        loop.run_until_complete(
            _serve(
                application,
                services,
                bell,
                background=background,
                opening=opening or Opening(),
                on_ready=on_ready,
                size=size,
            )
        )
    return 0


T = TypeVar("T")
Work = Callable[[Callable[[int, int], None]], T]
"""Work for a thread. It is given a function that takes the number of parts done and of all
parts."""


def put_back_behind(opening: Opening, work: Work[None]) -> None:
    """Restore a backup while the opening screen shows the progress; no till is open. Raises what
    `work` raises."""
    _run_behind(opening, PUTS_BACK, work)


def send_unsent_behind(
    opening: Opening, work: Work[T], *, language: Language, theme: ThemeName
) -> T:
    """Send the unsent sales of a damaged file before there is a window, while the opening screen
    shows the progress. Returns and raises as `work` does."""
    opening.open_screen(first_look(_application(), theme), Texts(language), SENDS_UNSENT)
    return _run_behind(opening, SENDS_UNSENT, work)


def copy_behind(
    opening: Opening, data: Path, work: Work[T], *, language: Language, theme: ThemeName
) -> T:
    """Copy the shop before there is a window, while the opening screen shows the progress and a
    second start brings it to the front. The caller holds the till's lock. Returns and raises as
    `work` does."""
    opening.open_screen(first_look(_application(), theme), Texts(language), COPIES)
    with closing(Doorbell(data)) as bell:
        bell.answer_with(opening.come_to_front, busy=lambda: CloseAnswer.FILES)
        return _run_behind(opening, COPIES, work)


def _application() -> QApplication:
    """The application, which ends with its work and not with its last window."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setQuitOnLastWindowClosed(False)
    return application


_loops_before = count()


def _new_loop(application: QApplication) -> QEventLoop:
    """Make a loop, and free here what is left of the one before it. Its timers are objects of Qt: a
    collection in a thread that works for the new loop would free them there, and crash the till. A
    usual start has no loop before, and does not wait for a collection."""
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    if next(_loops_before):
        gc.collect()
    return loop


def _run_behind(opening: Opening, words: str, work: Work[T]) -> T:
    loop = _new_loop(_application())
    with loop:
        done: T = loop.run_until_complete(_work_behind(opening, words, work))
    return done


async def _work_behind(opening: Opening, words: str, work: Work[T]) -> T:
    part = (0, 1)

    def tell(done: int, whole: int) -> None:
        nonlocal part
        part = (done, whole)

    task = asyncio.create_task(asyncio.to_thread(work, tell), name=words)
    try:
        while not task.done():
            opening.show_part(words, *part)
            await asyncio.wait({task}, timeout=_LOOK_SECONDS)
        return await task
    finally:
        opening.show_opens()


async def _serve(
    application: QApplication,
    services: TillServices,
    bell: Doorbell,
    *,
    background: Background,
    opening: Opening,
    on_ready: OnReady | None,
    size: tuple[int, int] | None,
) -> None:
    till = services.settings.till
    # Where our own keyboard opens, Windows' keyboard must not open too and cover the field.
    own = till.touch_keyboard != "never"
    application.setAttribute(Qt.ApplicationAttribute.AA_DisableNativeVirtualKeyboard, own)
    theme = Theme(theme=till.theme, metrics=metrics_for(application, services, size))
    set_up_style(application, theme)
    window = TillWindow(services, UiContext(theme, Texts(till.language)))
    scanner = ScanFilter(
        window.on_scan,
        services.settings.scanner,
        on_misread=window.on_misread,
        on_key=window.hands.note,
        on_key_too_soon=partial(report_key_too_soon, window.frame),
        parent=window,
    )
    sys.excepthook = excepthook_of(window)
    ended = asyncio.Event()
    window.closed.connect(ended.set)
    _follow_settings(window, scanner)
    scanner.install()
    for number, coroutine in enumerate(background(services)):
        window.tasks.start(coroutine, name=f"background {number + 1}")
    _show(window, size)
    CustomerDisplay(window)
    opening.uncover(window)
    bell.answer_with(window.come_to_front, busy=lambda: _busy_with(window), close=window.close)
    _keep_built()
    window.rebuilt.connect(_keep_rebuilt, Qt.ConnectionType.QueuedConnection)
    if on_ready is not None:
        on_ready(window)
    await ended.wait()
    scanner.remove()
    services.scanner_here.control = None
    try:
        await _let_go(services)
    finally:  # a task that runs on keeps the server, and the program would wait for that
        await window.tasks.close()
    sys.excepthook = sys.__excepthook__
    window.deleteLater()


def _follow_settings(window: TillWindow, scanner: ScanFilter) -> None:
    """Apply the scanner's settings now and at each change, for scans by keys and from a serial
    port."""
    services = window.services
    services.scanner_here.control = scanner
    window.settings_taken.connect(lambda: scanner.configure(services.settings.scanner))
    if services.serial_scanner is not None:
        serial = SerialScans(services.serial_scanner, scanner, services.scanner_here)
        window.settings_taken.connect(lambda: serial.follow(services.settings.scanner))
        window.closed.connect(serial.stop)
        serial.follow(services.settings.scanner)


def _busy_with(window: TillWindow) -> CloseAnswer | None:
    """The reason why another program that asks the till to close has to wait, or None."""
    works = window.frame.busy_with
    if Busy.PAYMENT in works:
        return CloseAnswer.PAYMENT
    if _is_sending(window.services):
        return CloseAnswer.RECEIPT
    if _OF_FILES.issuperset(works):
        return CloseAnswer.FILES if works else None
    return CloseAnswer.CATALOGUE


def _keep_built() -> None:
    """Freeze the built objects: without this each full collection walks all of them (measured:
    pauses of 15 to 25 ms between a scan and its paint)."""
    gc.collect()
    gc.freeze()


def _keep_rebuilt() -> None:
    """Freeze the objects anew, so that those built before can be freed."""
    gc.unfreeze()
    _keep_built()


def metrics_for(
    application: QApplication, services: TillServices, size: tuple[int, int] | None = None
) -> Metrics:
    screen = application.primaryScreen()
    facts = screen_facts(screen)
    till = services.settings.till
    return measure(
        dpi=usable_dpi(facts),
        touch_mm=till.touch_mm,
        text_percent=till.text_percent,
        width=size[0] if size else facts.width,
    )


def _show(window: TillWindow, size: tuple[int, int] | None) -> None:
    if size is None:
        # Without a window manager nobody makes the window as large as the screen. With one, the
        # window has this size once it is no longer full screen.
        window.setGeometry(window.screen().availableGeometry())
        window.showFullScreen()
    else:
        window.resize(*size)
        window.show()
    window.activateWindow()


async def _let_go(services: TillServices) -> None:
    """Wait at most LETTING_GO for a sale that is being sent."""
    clock = services.till.clock
    deadline = clock.ticks() + int(LETTING_GO * 1000)
    never = asyncio.Event()
    while clock.ticks() < deadline and _is_sending(services):
        await clock.pause(20, until=never)


def _is_sending(services: TillServices) -> bool:
    """Whether a sale is being sent. It is False where the file can't be read, because a damaged
    file must not keep the till from closing."""
    try:
        return services.sales.counts()[SaleState.SENDING] > 0
    except MachineError:
        return False


def excepthook_of(
    window: TillWindow,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Show an exception in a slot: a file that can't be used now in its own words, anything else as
    a bug, whose cause is logged."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        if isinstance(error, MachineError):  # a damaged text is found at its first use
            _log.warning("an act in the window failed: %s", error)
            window.frame.home.show_error(error)
        else:
            _log.error("a bug in the window", exc_info=(kind, error, trace))
            window.frame.home.show_bug(error)

    return hook
