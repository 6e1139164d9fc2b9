"""The frame of the window: it knows the screen on top, and passes changes between the screens.

Each screen has a `Room`, which lives as long as the window and holds its models, running work and
typed text; and a `Screen`, a widget in one theme, language and width, made when it is opened and
again when one of these changes. The frame knows both by the names of a table.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import Enum, StrEnum, auto
from functools import partial
from importlib import import_module
from typing import ClassVar, Protocol

from PySide6.QtCore import QMetaMethod, QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QVBoxLayout, QWidget

from pos_app import log
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.gate.manager_lock import never_allowed
from pos_app.cashier.services.file_viewer import Viewer
from pos_app.cashier.services.tasks import Tasks, failure_of, guarded, guarded_answer
from pos_app.cashier.services.till_services import TillServices, ToneName
from pos_app.cashier.texts.lookup import Language, Say, Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.focus import FocusPosition, focus_position, take_focus_at
from pos_app.cashier.ui.keyboard import KeyboardSpace
from pos_app.cashier.ui.notice import BannerText, NoticeText
from pos_app.cashier.ui.panel import Ground
from pos_app.documents.blocks import Document
from pos_app.domain.article.barcodes import WhyUnknown
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.errors import PosError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.people.people import Person
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import Ticket, TypedDetails
from pos_app.selling.server.drawer_openings import DrawerShut

_log = log.get(__name__)

HOME = "sale"
LOCK, APPROVAL, CLOSING = "lock", "approval", "closing"
"""The names of the screens that cover the one on top. They ask who works here, who lifts an act,
and whether the till is closed."""
SETTLE_MS = 700
"""Milliseconds that something must wait before it is counted: a usual sale is through by then."""


class ShopChange(Enum):
    """The facts of the shop that changed. Changes inside a screen stay there."""

    CATALOGUE = auto()
    CASHIER = auto()
    """The person who sells, or settings of the shop that are printed on receipts."""
    SALES = auto()
    SERVER = auto()
    DRAWER = auto()
    FILES = auto()
    """Other files than before can't be read or written, or another version of the program is
    known."""
    CARTS_SUSPENDED = auto()
    """The open cart came from a restored copy; another one is open now."""


@dataclass(frozen=True, slots=True)
class Change:
    """sale: the sale that went on. shut: why the drawer did not open, or None once it did."""

    what: ShopChange
    sale: Sale | None = None
    shut: DrawerShut | None = None


@dataclass(frozen=True, slots=True)
class WaitingCounts:
    """The number of things that wait, how many of them need a person, and why the drawer did not
    open with the last sale."""

    many: int = 0
    to_decide: int = 0
    drawer: RemoteError | None = None


class Busy(StrEnum):
    """Work that closing the till cuts off."""

    PAYMENT = "payment"
    ACT = "act"
    """A change, deletion, import or taking back of many articles, which is carried on later."""
    PLAN = "plan"
    """One that is still planned: nothing is changed yet."""
    READ = "read"
    EXPORT = "export"
    PICTURE = "picture"
    LABELS = "labels"
    RECEIPTS = "receipts"
    REPORT = "report"
    BUYERS = "buyers"
    """The buyers' book is written into a file, or a file is read for it."""
    BACKUP = "backup"
    DAILY = "daily"
    """The backup of the day."""
    SETUP = "setup"
    """A step of the first start is saved."""
    SYNC = "sync"
    DOWNLOAD = "download"
    """A new version of the program is fetched."""


class ScanAnswer(Enum):
    """What becomes of a scan, as the screen on top says."""

    TAKEN = auto()
    KEPT = auto()
    """The screen has no use for it and tells it, because leaving the screen would lose what
    somebody does there."""
    FOR_THE_SALE = auto()
    MISSED = auto()
    """The screen asks for a PIN or a badge, and the scan is none: the screen tells it, and the cart
    counts it among the codes that were not added."""


class Room(QObject):
    """The part of a screen that lives as long as the window. It holds no widget."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.frame = frame
        self.shows_keys = False
        """Whether the page of F1 covers the screen; it stays when the widget is made anew."""
        self.told: Callable[[Texts], NoticeText] | None = None
        """The notice that stands on the screen, in words of a language; it stays when the widget
        is made anew."""

    def handle_change(self, change: Change) -> None:
        """Take a change of the shop, whether the screen is open or not."""

    def carry_on(self) -> None:
        """Carry on work that the end of the last till cut."""

    def leave(self) -> None:
        """Leave the screen: it is locked again, and secrets are dropped."""

    def forget_widgets(self) -> None:
        """Forget the widget, which will be deleted."""

    def disconnect_widgets(self, *signals: SignalInstance) -> None:
        """Disconnect what a widget has connected; there may have been no widget since the last
        time."""
        for signal in signals:
            if self.isSignalConnected(QMetaMethod.fromSignal(signal)):
                signal.disconnect()

    def count(self) -> WaitingCounts | None:
        """Count what waits here. It returns None where nothing can wait."""
        return None

    def close(self) -> None:
        """Prepare for the end of the till."""

    @property
    def busy(self) -> Busy | None:
        return None

    @property
    def received(self) -> Money:
        """The money typed as received for what is not confirmed yet. Raises MachineError."""
        return Money.ZERO


class Screen(Ground):
    """One visit of a room, in one theme, language and width."""

    blocks: ClassVar[bool] = False
    """Whether nothing else can be opened while this screen is shown."""
    has_own_space: ClassVar[bool] = False
    """Whether the screen itself decides which part gives way to the on-screen keyboard."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.ui.theme, colour="bg")
        self.frame = frame

    def standing(self) -> str:
        """Return the title of what stands on the screen: a form or a page of it, or the screen
        itself."""
        return self.accessibleName()

    def go_to(self, screen_place: object) -> None:
        """Show a place of the screen first; each screen defines its own places."""

    def come_on_top(self) -> None:
        """Called once the screen is the one on top, also after it was made anew or uncovered. What
        came to an end meanwhile is told here and not while the screen is made."""

    def take_focus(self) -> None:
        """Put the focus where the person goes on."""

    def press(self, command: TillCommand) -> None:
        """Take a command key of the window."""

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Take a scan, if the screen has a use for it. text: what the scanner typed."""
        return self.unused_scan

    def misread(self) -> ScanAnswer:
        """Take a scan whose rest did not come, as `scan`."""
        return self.unused_scan

    @property
    def unused_scan(self) -> ScanAnswer:
        return ScanAnswer.KEPT if self.keeps_scan() else ScanAnswer.FOR_THE_SALE

    def changed(self, change: Change) -> None:
        """Take a change of the shop."""

    def keeps_scan(self) -> bool:
        """Whether a scan that the screen has no use for is told here; else it is the sale's, and
        the code of an article leads there."""
        return False

    def tell_scan(self, scanned: Say) -> None:
        """Say that a scan was not entered. scanned: what it was, in words of a language."""

    def tell_badge(self) -> None:
        """Say that a badge was scanned, and what it is for."""

    def tell(self, say: Say) -> None:
        """Show in one text what happened at the sale meanwhile, or why an act was refused, until
        `end_refusal`."""

    def end_refusal(self) -> None:
        """Take away the reason why an act was refused, because another act begins."""

    def show_told(self) -> None:
        """Show what is told in the room; called once the screen is made."""

    def tick(self) -> None:
        """Called once a second."""

    def show_banner(self, banner: BannerText) -> None:
        """Show the banner of the sale."""

    def show_in_front(self, in_front: bool) -> None:
        """Show whether the till has the keyboard focus."""


class SellAgain(Protocol):
    def __call__(self, overview: ReceiptOverview, *, as_advance: bool = False) -> None: ...


class PrintPaper(Protocol):
    def __call__(self, paper: Document, *, on_a4: bool, on_end: Callable[[str], None]) -> None: ...


@dataclass(frozen=True, slots=True)
class Home:
    """What other screens ask of the home, the sale. An act on the open cart raises PosError where
    it is impossible; then nothing was changed."""

    show_error: Callable[[PosError], None]
    """Shows an expected error that no screen shows by itself."""
    show_bug: Callable[[BaseException], None]
    """Shows that a bug occurred; the log has its cause, and the cashier goes on."""
    show_unopened: Callable[[BaseException], None]
    """Shows that a bug kept a screen from being opened."""
    note_fault: Callable[[PosError], None]
    """Takes over what an error says of the till's files, where another screen shows the error."""
    tone: Callable[[ToneName], None]
    shop_name: Callable[[], str]
    ticket: Callable[[], Ticket]
    begun_payment: Callable[[], Money | None]
    """The sum received so far for the open cart, or None where nothing was, and its payment is not
    open. It is zero also where a restart may have lost the sum."""
    hand_over: Callable[[bool], Callable[[], None]]
    """Gives the open cart to the person who works here now; where True is given, holds it and gives
    the next one. Returns what shows that, once it is committed."""
    take_back: Callable[[Sale], None]
    """Moves the sale's lines into the open cart."""
    open_goods: Callable[[Sale], None]
    """Opens a cart for the goods of the advance that this refund closes."""
    sell_again: SellAgain
    """Puts the lines of a receipt into the cart. A proforma becomes the sale that it offers, or an
    advance on that sale."""
    begin_exchange: Callable[[GoodsBack, TypedDetails], None]
    """Opens a cart for the goods taken in exchange for those that come back."""
    exchange_refused: Callable[[str, str, Money | None], None]
    """Says that no receipt of an exchange was issued, and that its cart is open again: its number,
    the reason, and what is left to refund."""
    give_back: Callable[[str, Payments], None]
    """Says that the customer gets back what was received for an advance that is no more, given by
    the number of its first receipt."""
    act_confirmed: Callable[[Sale], None]
    """Sends an act on a receipt that another screen froze; the sale shows it as its last act."""
    see_drawer: Callable[[], None]
    """Closes the case of the drawer: somebody opened it by its key, or it need not be open."""
    open_drawer_for: Callable[[Sale], None]
    """Opens the drawer if the sale moves cash."""
    open_drawer: Callable[[], None]
    print_paper: PrintPaper
    """Prints a paper of a shift, which the till owes until the server has it. on_end is called with
    "printed", "owed" (it is printed later by itself) or "failed"."""


class HomeRoom(Room):
    home: Home


class HomeScreen(Screen):
    """The screen below all others. Signal: `room_wanted()`, the screen needs the space of the
    on-screen keyboard."""

    room_wanted = Signal()

    def begin(self) -> None:
        """Begin to sell, at the start or after the first start."""
        raise NotImplementedError

    def act(self, command: TillCommand) -> None:
        """Run a command of the sale."""
        raise NotImplementedError

    def finish_cart(self) -> None:
        """End what the open cart waits for, before it is held for the person who left it, and store
        what was typed for it. Raises PosError where it can't be held now."""
        raise NotImplementedError

    def lets_go(self) -> bool:
        """Close a list or the menu, and return whether another screen may be opened; a question
        that scans wait for prevents that."""
        raise NotImplementedError

    def take_scan(self, code: ReadCode, *, rest_of: str) -> None:
        """Enter a scan, or show that it waits. rest_of: the part that was reported as misread
        before."""
        raise NotImplementedError

    def take_misread(self, code: str, why: WhyUnknown, *, rest_of: str) -> None:
        raise NotImplementedError

    def miss_scan(self, code: ReadCode | None, *, rest_of: str) -> None:
        """Count a scan that a screen does not let in; None for a misread."""
        raise NotImplementedError

    @property
    def takes_pad_keys(self) -> bool:
        """Whether + and − of the numeric pad pay now; else they may be text."""
        raise NotImplementedError

    def type_key(self, event: QKeyEvent) -> None:
        """Take a printable key that no field took."""
        raise NotImplementedError

    def show_waiting(self, many: int) -> None:
        raise NotImplementedError

    def take_width(self, width: int) -> None:
        raise NotImplementedError

    def give_room(self) -> None:
        """Make space for the on-screen keyboard, which unfolds next."""
        raise NotImplementedError

    def keep_typed(self) -> None:
        """Save typed text, because the till is closing."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class AskedAct:
    """An act that somebody may do only if another person lifts it. then: does the act. percent: of
    a discount. about: what exactly is asked for."""

    act: Act
    then: Callable[[], None]
    percent: Decimal = Decimal(0)
    about: About = NOTHING_ELSE


@dataclass(frozen=True, slots=True)
class AskedToClose:
    """Somebody wants to close the till. then: closes it. by_session: the desktop session ends."""

    then: Callable[[], object]
    by_session: bool = False


@dataclass(frozen=True, slots=True)
class LockedBy:
    """The till was locked. person: who worked here, or None where nobody signs in. since: when the
    till was locked, if that was before this start."""

    person: Person | None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ScreenEntry:
    """A row of the table of screens. home: the module that has its `ROOM` and `SCREEN`; it is
    imported on demand.

    icon: the icon of its item in the menu of F9, with the texts `more.NAME` and `more.NAME_words`;
    "" without an item. key: opens it from anywhere, with the text `keys.NAME`. act: the right that
    it needs; the item is hidden from people who can never get it. counts: things wait there, so its
    room exists from the first count. is_due: whether the till begins with it.
    """

    name: str
    home: str
    icon: str = ""
    key: str = ""
    act: Act | None = None
    counts: bool = False
    is_due: Callable[[TillServices], bool] = lambda _: False

    def make_room(self, frame: Frame) -> Room:
        room = import_module(self.home).ROOM(frame)
        assert isinstance(room, Room)
        return room

    def make_screen(self, frame: Frame, room: Room) -> Screen:
        screen = import_module(self.home).SCREEN(frame, room)
        assert isinstance(screen, Screen)
        return screen


class Frame(QObject):
    """Opens and leaves the screens of one window.

    acts: the commands that the window itself runs. Signals: `counted()`, the number of waiting
    things may have changed; `blocked(bool)`, a screen that nothing leads away from was opened or
    left; `language_wanted(Language)`; `settings_saved(frozenset[str])`, a manager changed these
    settings; `covered()`, a screen now covers the one on top; `went_home()`, the sale is shown
    instead of another screen.
    """

    counted = Signal()
    blocked = Signal(bool)
    language_wanted = Signal(object)
    settings_saved = Signal(object)
    covered = Signal()
    went_home = Signal()
    _loaded = Signal()

    def __init__(
        self,
        table: Sequence[ScreenEntry],
        services: TillServices,
        ui: UiContext,
        *,
        viewer: Viewer,
        acts: Mapping[TillCommand, Callable[[], object]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._table = {entry.name: entry for entry in table}
        self._acts = acts
        self.services, self.ui, self.viewer = services, ui, viewer
        self.tasks = Tasks(on_error=self._show_error, on_bug=self._show_bug)
        self.waiting = WaitingCounts()
        self.banner = BannerText()
        self._in_front = True
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE_MS)
        self._settling.timeout.connect(self.count)
        self._loaded.connect(self.count, Qt.ConnectionType.QueuedConnection)
        self._steps: deque[Callable[[], None]] = deque()
        self._is_moving = False
        self._rooms: dict[str, Room] = {}
        self._stack = QStackedLayout()
        self._spaces: dict[str, QWidget] = {}
        self._screens: dict[str, Screen] = {}
        due = (entry.name for entry in table if entry.is_due(services))
        self.top_name = next(due, HOME)
        self.cover_name = ""
        self._below: list[tuple[str, FocusPosition]] = []
        """For each cover, what it covers (another cover or "") and where the focus was."""
        self._home_room = self.room(HOME)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._keep_covered)

    # --- rooms and screens -----------------------------------------------------------------------

    def room(self, name: str) -> Room:
        """The room of that name, made when it is first asked for."""
        if name not in self._rooms:
            self._rooms[name] = self._table[name].make_room(self)
        return self._rooms[name]

    @property
    def home_room(self) -> HomeRoom:
        assert isinstance(self._home_room, HomeRoom)
        return self._home_room

    @property
    def home(self) -> Home:
        return self.home_room.home

    @property
    def home_screen(self) -> HomeScreen:
        home = self._screens[HOME]
        assert isinstance(home, HomeScreen)
        return home

    @property
    def top(self) -> Screen:
        return self._screens[self.cover_name or self.top_name]

    @property
    def _under(self) -> Screen:
        return self._screens[self.top_name]

    @property
    def is_home(self) -> bool:
        return self.is_seen(HOME)

    def is_seen(self, name: str) -> bool:
        """Whether that screen is on top and not covered. What comes while it is not seen changes no
        cart and opens no drawer by itself."""
        return self.top_name == name and not self.cover_name

    def build(self, ui: UiContext, into: QVBoxLayout) -> None:
        """Make the home screen in another theme, language or width; `build_top` makes the screens
        above it once the home has its size. The old widgets are deleted with their parent. into: a
        layout of a widget; in any other layout the screen would become a window of its own."""
        for room in self._rooms.values():
            guarded(room.forget_widgets)
        self.ui = ui
        self._screens, self._spaces = {}, {}
        self._stack = QStackedLayout()
        into.addLayout(self._stack, 1)
        self._make(HOME)
        self.home_screen.show_waiting(self.waiting.many)

    def build_top(self, *, gives_up: bool = False) -> None:
        """Make the screen on top, and its cover, in the present theme, language and width.
        gives_up: a screen that can't be made is left, unless nothing may lead away from it."""
        self._navigate(partial(self._build_top, gives_up=gives_up))

    def _build_top(self, *, gives_up: bool) -> None:
        for name in self._above_home():
            error = failure_of(partial(self._make, name))
            if error is not None:
                if not gives_up or name == LOCK or self._table[name].is_due(self.services):
                    raise error
                self._leave_unmade(name)
                self._report(error)
        if not self.is_home:
            self._show_top()
            self.top.show()  # at once, so that it can get the focus back
        guarded(self.top.come_on_top)

    def _leave_unmade(self, name: str) -> None:
        if name == self.cover_name:
            self.cover_name, _ = self._below.pop()
        elif name != self.top_name:
            del self._below[1:]  # the question over this cover is all that covers now
        else:
            self.top_name = HOME
        self._drop(name)

    def begin(self) -> None:
        """Begin, once the window is shown."""
        if self.top_name == HOME:
            self.home_screen.begin()
            self._cover_at_start()
        self.top.take_focus()

    def _cover_at_start(self) -> None:
        """Ask who works here; a till of one person opens locked if it was left so."""
        services = self.services
        if services.signs_in and services.here.person is None:
            self.cover(LOCK)
        elif (since := services.left_locked) is not None:
            self.cover(LOCK, LockedBy(None, since))

    # --- navigation ------------------------------------------------------------------------------

    def _navigate(self, step: Callable[[], None]) -> None:
        """Change the screens; a change that is asked for meanwhile, as by a screen that is being
        made, follows after it."""
        self._steps.append(step)
        if self._is_moving:
            return
        self._is_moving = True
        try:
            while self._steps:
                self._steps.popleft()()
        finally:
            self._is_moving = False
            self._steps.clear()

    def open(self, name: str, screen_place: object = None) -> None:
        """Show that screen instead of the one on top; a cover stays above it. screen_place: what
        the screen shows first. A screen that can't be opened leaves the one before as it is."""
        self._navigate(partial(self._open, name, screen_place))

    def _open(self, name: str, screen_place: object) -> None:
        if self._under.blocks:
            return
        before = self.top_name
        if name == HOME:
            self._go_home()
        elif name != before:
            focus = focus_position(self._spaces[before])
            error = failure_of(partial(self._show_new, name, screen_place))
            if error is not None:
                self.top_name = before
                self._show_top()
                self._drop(name)
                if not self.cover_name:
                    guarded(partial(self._focus_again, focus))
                self._report(error)
                return
            if before != HOME:
                self._drop(before)
            guarded(self.top.come_on_top)
        elif screen_place is not None:
            guarded(partial(self._under.go_to, screen_place))

    def _show_new(self, name: str, screen_place: object) -> None:
        self._make(name)
        self.top_name = name
        self._show_top()
        if not self.cover_name:
            self.top.take_focus()
        if screen_place is not None:
            self._under.go_to(screen_place)

    def _go_home(self) -> None:
        """Show the sale, which always stands; nothing keeps a person on a screen that fails."""
        if self.top_name == HOME:
            return
        name, self.top_name = self.top_name, HOME  # later messages of the room are for the sale
        self._show_top()
        self._drop(name)
        self.went_home.emit()
        if not self.cover_name:
            guarded(self.top.take_focus)

    def cover(self, name: str, screen_place: object = None) -> None:
        """Cover the screen on top, which stays as it is below. Only a person who signs in removes
        the lock; the question whether the till is closed lies over it, and gives way to any other
        cover."""
        self._navigate(partial(self._cover, name, screen_place))

    def _cover(self, name: str, screen_place: object) -> None:
        if self.cover_name == CLOSING != name:
            self._uncover(CLOSING)
        is_over_all = name == CLOSING
        if self.cover_name == name:
            return
        if not is_over_all and (self._under.blocks or self.cover_name == LOCK):
            return
        before = self.cover_name
        focus = focus_position(self._spaces[before or self.top_name])
        error = failure_of(partial(self._show_cover, name, screen_place))
        if error is not None:
            self.cover_name = before
            self._show_top()
            self._drop(name)
            guarded(partial(self._focus_again, focus))
            self._report(error)
            return
        if before and not is_over_all:
            self._drop(before)
        else:
            self._below.append((before, focus))
        self.covered.emit()

    def _show_cover(self, name: str, screen_place: object) -> None:
        self._make(name)
        self.cover_name = name
        self._show_top()
        if screen_place is not None:
            self.top.go_to(screen_place)
        self.top.take_focus()

    def uncover(self, name: str) -> None:
        """Remove that cover; the question whether the till is closed may lie over it and stays."""
        self._navigate(partial(self._uncover, name))

    def is_covered_by(self, name: str) -> bool:
        return name in (self.cover_name, *(one for one, _ in self._below))

    @property
    def below(self) -> Screen:
        """The screen that is seen again once the cover on top is removed."""
        return self._screens[(self._below[-1][0] if self._below else "") or self.top_name]

    @property
    def covers_cover(self) -> bool:
        """Whether a cover lies below the one on top."""
        return bool(self._below and self._below[-1][0])

    def keeps_scan_below(self) -> bool:
        """Whether the screen below the cover on top keeps a scan that it has no use for."""
        return bool(guarded_answer(self._under.keeps_scan))

    def _uncover(self, name: str) -> None:
        if not self.is_covered_by(name):
            return
        if name != self.cover_name:  # whatever lies over it covers what it covered
            del self._below[[one for one, _ in self._below].index(name)]
            self._drop(name)
            return
        self.cover_name, focus = self._below.pop()
        self._show_top()
        self._drop(name)
        guarded(partial(self._focus_again, focus))
        guarded(self.top.come_on_top)

    def _focus_again(self, position: FocusPosition) -> None:
        if not take_focus_at(self._spaces[self.cover_name or self.top_name], position):
            self.top.take_focus()

    def _report(self, error: Exception) -> None:
        """Say that a screen could not be opened; the one before is on top again."""
        if isinstance(error, PosError):
            self.refuse(error)
            return
        _log.error("a screen could not be opened", exc_info=error)
        self.home.show_unopened(error)

    def _keep_covered(self, _: QWidget | None, now: QWidget | None) -> None:
        """Keep the focus on the cover. A widget below may ask for the focus, and Qt gives it to
        hidden widgets too."""
        if self.cover_name and now is None:
            QTimer.singleShot(0, self, self._take_focus_back)
        elif self.cover_name:
            self._take_focus_back()

    def _take_focus_back(self) -> None:
        if not self.cover_name:
            return
        space, now = self._spaces[self.cover_name], QApplication.focusWidget()
        is_elsewhere = now is not None and now.window() is not space.window()
        if not is_elsewhere and (now is None or not space.isAncestorOf(now)):
            self.top.take_focus()

    def leave_to(self, before: Person | None) -> None:
        """Go on after somebody signed in. before: who worked here until then. A screen that another
        person opened, or that a manager lifted, is left; its typed text stays."""
        person, act = self.services.here.person, self._table[self.top_name].act
        is_same = before is not None and person is not None and before.id == person.id
        if not is_same or (act is not None and self.services.leave(act) is not Leave.MAY):
            self.go_home()

    def permit(
        self,
        act: Act,
        then: Callable[[], None],
        *,
        percent: Decimal = Decimal(0),
        about: About = NOTHING_ELSE,
    ) -> None:
        """Run `then`, if the person who works here may do the act; else ask somebody to lift the
        act, or say that nobody can. percent: of a discount. about: what is shown to that person."""
        try:
            leave = self.services.leave(act, percent)
            lifters = self.services.lifters(act, percent) if leave is Leave.ASKS else ()
        except PosError as error:
            self.refuse(error)
            return
        self.top.end_refusal()
        if leave is Leave.MAY:
            then()
        elif lifters:
            self.cover(APPROVAL, AskedAct(act, then, percent, about))
        else:
            self.refuse(never_allowed(act))

    def refuse(self, error: PosError) -> None:
        """Say on the visible screen why something is not done."""
        if self.is_home:
            self._show_error(error)
        else:
            self.top.tell(partial(_why, error))
        self.home.tone("no")

    def tell_failure(self, error: PosError, *, of: str) -> None:
        """Say why an act of a screen failed: on that screen, where the act is tried again and takes
        the words away; at the sale, until somebody has read it, if the screen was left. of: the
        name of the screen."""
        if self.top_name == of and self.top_name != HOME:
            self._under.tell(partial(_why, error))
            self.home.tone("no")
        else:
            self.home.show_error(error)

    def open_waiting(self) -> None:
        if self.cover_name:
            return
        self.open(next(entry.name for entry in self._table.values() if entry.counts))

    def go_home(self) -> None:
        self.open(HOME)

    def end_blocking(self) -> None:
        """End the first start's screen for good, and sell."""
        self._navigate(self._end_blocking)

    def _end_blocking(self) -> None:
        if not self._under.blocks:
            return
        name, self.top_name = self.top_name, HOME
        self._show_top()
        self._drop(name)
        self._rooms.pop(name).deleteLater()
        self.blocked.emit(False)
        self.announce(Change(ShopChange.CATALOGUE))
        self.announce(Change(ShopChange.CASHIER))
        guarded(self.home_screen.begin)
        guarded(self.home_screen.take_focus)

    # --- what the screens ask of it --------------------------------------------------------------

    def run(self, command: TillCommand) -> None:
        if command in self._acts:
            self._acts[command]()
        else:
            self.home_screen.act(command)

    def announce(self, change: Change) -> None:
        """Pass a change to the rooms and to the sale, and count what waits. The screen on top,
        which may read more, comes last."""
        guarded(self._make_counted)
        for room in tuple(self._rooms.values()):
            guarded(partial(room.handle_change, change))
        guarded(partial(self.home_screen.changed, change))
        if change.what is ShopChange.SALES:
            self.count_soon()
        else:
            guarded(self.count)
        for screen in self._above():
            guarded(partial(screen.changed, change))

    def _above(self) -> Sequence[Screen]:
        """The screens above the home that stand: the one on top, then its covers."""
        return [self._screens[one] for one in self._above_home() if one in self._screens]

    def _above_home(self) -> list[str]:
        names = (self.top_name, *(one for one, _ in self._below), self.cover_name)
        return [one for one in names if one not in ("", HOME)]

    def count_soon(self, *, anew: bool = False) -> None:
        """Count after SETTLE_MS. anew: begin the wait again, even if it is under way."""
        if anew or not self._settling.isActive():
            self._settling.start()

    def count_first(self) -> None:
        """Count for the first time, when the till sells already. The modules for this are loaded in
        a thread, so that nobody waits for them; an earlier count loads them at once."""
        if not all(entry.name in self._rooms for entry in self._counted()):
            self.tasks.start(self._load_counted(), name="load what counts")

    async def _load_counted(self) -> None:
        for entry in self._counted():
            await asyncio.to_thread(import_module, entry.home)
        self._loaded.emit()

    def _counted(self) -> Sequence[ScreenEntry]:
        return [entry for entry in self._table.values() if entry.counts]

    def _make_counted(self) -> None:
        for entry in self._counted():
            self.room(entry.name)

    def count(self) -> None:
        self._settling.stop()
        self._make_counted()
        found = [found for room in self._rooms.values() if (found := room.count()) is not None]
        self.show_counted(*found)

    def show_counted(self, *counts: WaitingCounts) -> None:
        self.waiting = WaitingCounts(
            sum(one.many for one in counts),
            sum(one.to_decide for one in counts),
            next((one.drawer for one in counts if one.drawer is not None), None),
        )
        self.home_screen.show_waiting(self.waiting.many)
        self.counted.emit()

    def set_banner(self, banner: BannerText) -> None:
        self.banner = banner
        for screen in self._screens.values():
            screen.show_banner(banner)

    def show_in_front(self, in_front: bool) -> None:
        """Show whether the till has the keyboard focus. Scans go to the program that has the
        focus."""
        self._in_front = in_front
        for screen in self._screens.values():
            screen.show_in_front(in_front)

    def set_language(self, language: Language) -> None:
        self.language_wanted.emit(language)

    def tick(self) -> None:
        """Called once a second."""
        for screen in (self.home_screen, *self._above()):
            guarded(screen.tick)

    @property
    def busy(self) -> Busy | None:
        return next(iter(self.busy_with), None)

    @property
    def busy_with(self) -> tuple[Busy, ...]:
        """The work of each room, and of none, that closing the till cuts off."""
        works = [busy for room in self._rooms.values() if (busy := room.busy) is not None]
        backups = self.services.backups
        if backups is not None and backups.makes_daily:
            works.append(Busy.DAILY)
        return tuple(works)

    @property
    def received(self) -> Money:
        """The money typed as received in all rooms, for what is not confirmed yet. Raises
        MachineError."""
        return Money.total(room.received for room in self._rooms.values())

    def close(self) -> None:
        self._settling.stop()
        guarded(self.home_screen.keep_typed)
        for room in self._rooms.values():
            guarded(room.close)

    # --- parts -----------------------------------------------------------------------------------

    def _make(self, name: str) -> None:
        screen = self._table[name].make_screen(self, self.room(name))
        space = screen if screen.has_own_space else KeyboardSpace(screen)
        self._screens[name], self._spaces[name] = screen, space
        self._stack.addWidget(space)
        screen.show_told()
        screen.show_banner(self.banner)
        screen.show_in_front(self._in_front)
        screen.tick()

    def _show_top(self) -> None:
        self._stack.setCurrentWidget(self._spaces[self.cover_name or self.top_name])

    def _drop(self, name: str) -> None:
        """Remove a screen, or what was made of it; its state lives on in its room."""
        room, space = self._rooms.get(name), self._spaces.pop(name, None)
        self._screens.pop(name, None)
        if room is not None:
            guarded(room.forget_widgets)
            guarded(room.leave)
            room.shows_keys, room.told = False, None
        if space is not None:
            self._stack.removeWidget(space)
            space.hide()
            space.deleteLater()

    def _show_error(self, error: PosError) -> None:
        self.home.show_error(error)

    def _show_bug(self, error: BaseException) -> None:
        self.home.show_bug(error)


def _why(error: PosError, texts: Texts) -> str:
    return texts.error(error).in_one_text
