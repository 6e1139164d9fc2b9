"""The frame of the window: which screen stands on top, and what the screens tell each other.

A screen is a room with one door. Its `Room` lives as long as the window and holds its models, what
runs on and what was typed; its `Screen` is a widget in one theme, language and width, made when it
is opened and made again when one of these changes. The frame knows both by the names of a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import Enum, StrEnum, auto
from importlib import import_module
from typing import ClassVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.file_viewer import Viewer
from pos_app.cashier.manager_lock import never_allowed
from pos_app.cashier.services import TillServices, ToneName
from pos_app.cashier.tasks import Tasks
from pos_app.cashier.texts.lookup import Language
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.focus import FocusPlace, focus_place, take_focus_at
from pos_app.cashier.ui.keyboard import KeyboardSpace
from pos_app.cashier.ui.notice import BannerText
from pos_app.cashier.ui.panel import Ground
from pos_app.documents.blocks import Document
from pos_app.domain.barcodes import WhyUnknown
from pos_app.domain.money import Money
from pos_app.domain.receipt_overview import ReceiptOverview
from pos_app.errors import PosError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.people import Person
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.scan import ReadCode
from pos_app.selling.sale.ticket import Ticket, TypedDetails
from pos_app.selling.server.drawer_openings import DrawerShut

HOME = "sale"
"""The name of the screen below all others."""
LOCK, APPROVAL = "lock", "approval"
"""The names of the screens that cover whatever stands on top: who works here is asked, and who
lifts what somebody may not do."""
SETTLE_MS = 700
"""How long something must wait before line and bell say so: a usual sale is through by then."""


class Changed(Enum):
    """What of the shop is another than before. What changes inside a screen stays there."""

    CATALOGUE = auto()
    """Articles or the store."""
    CASHIER = auto()
    """Who sells, or what of the shop's settings a receipt says."""
    SALES = auto()
    """A confirmed sale went on."""
    SERVER = auto()
    DRAWER = auto()
    FILES = auto()
    """Other files can't be read or written, or another version of the program is known."""
    SET_ASIDE = auto()
    """The open cart came out of a copy; another one is open now."""


@dataclass(frozen=True, slots=True)
class Change:
    """sale: the one that went on. shut: why the drawer did not open, None once it did."""

    what: Changed
    sale: Sale | None = None
    shut: DrawerShut | None = None


@dataclass(frozen=True, slots=True)
class WaitingCounts:
    """What waits: how many things, how many of them call for a person, and why the drawer did not
    open with the last sale."""

    many: int = 0
    to_decide: int = 0
    drawer: RemoteError | None = None


class Busy(StrEnum):
    """What closing the till would cut off."""

    PAYMENT = "payment"
    CATALOGUE = "catalogue"


class Room(QObject):
    """What of a screen lives as long as the window. It holds no widget."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.frame = frame
        self.shows_keys = False
        """The page of F1 covers the screen; it stays where the widget is made anew."""

    def hear(self, change: Change) -> None:
        """Something of the shop changed, whether the screen is open or not."""

    def leave(self) -> None:
        """The screen was left: it is locked again, secrets are dropped."""

    def forget_widgets(self) -> None:
        """The widget goes: tell it nothing more."""

    def count(self) -> WaitingCounts | None:
        """What waits here, read anew; None where nothing can."""
        return None

    def close(self) -> None:
        """The till is being closed."""

    @property
    def busy(self) -> Busy | None:
        """What has to end before the till closes."""
        return None


class Screen(Ground):
    """One visit of a room, in one theme, language and width."""

    blocks: ClassVar[bool] = False
    """Whether nothing else can be opened while it stands."""
    has_own_space: ClassVar[bool] = False
    """Whether it says itself which part of it gives way to the on-screen keyboard."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.ui.theme, colour="bg")
        self.frame = frame

    def go_to(self, place: object) -> None:
        """Show that place of it first; each screen says what places it has."""

    def take_focus(self) -> None:
        """Put the keyboard where somebody goes on."""

    def press(self, command: TillCommand) -> None:
        """A key of the window."""

    def scan(self, code: ReadCode, text: str) -> bool:
        """Take a scan; where it does not, the sale does. text: what the scanner typed."""
        return False

    def misread(self) -> bool:
        """Take a scan whose rest did not come; where it does not, the sale tells it."""
        return False

    def changed(self, change: Change) -> None:
        """Something of the shop changed."""

    def tell(self, words: str) -> None:
        """What happened at the sale meanwhile, in one line."""

    def tick(self) -> None:
        """Once a second."""

    def show_banner(self, told: BannerText) -> None:
        """What the banner of the sale says."""

    def show_in_front(self, in_front: bool) -> None:
        """Whether the till has the keyboard."""


class HomeRoom(Room):
    """That of the screen below all others: what each of them may ask of the sale."""

    def show_error(self, error: PosError) -> None:
        """An expected error that no screen shows by itself."""
        raise NotImplementedError

    def show_bug(self, error: BaseException) -> None:
        """A bug: it is in the log with its cause; the cashier is told and goes on."""
        raise NotImplementedError

    def tone(self, name: ToneName) -> None:
        raise NotImplementedError

    def print_paper(self, paper: Document, *, on_a4: bool, on_end: Callable[[str], None]) -> None:
        """A paper of a shift: it is owed until the server has it. on_end: told "printed", "owed"
        (it comes by itself later) or "failed"."""
        raise NotImplementedError

    @property
    def ticket(self) -> Ticket:
        """The open cart."""
        raise NotImplementedError

    @property
    def begun_payment(self) -> Money | None:
        """What was received so far for the open cart, which nobody has confirmed; None where no
        payment was begun. Zero also where a restart forgot it."""
        raise NotImplementedError

    def take_over(self) -> None:
        """The open cart is that of who works here now. Raises PosError; then it is as it was."""
        raise NotImplementedError

    @property
    def shop_name(self) -> str:
        """That of the store; "" while there is none."""
        raise NotImplementedError

    def read_code(self, code: str) -> ReadCode:
        """What a scan means."""
        raise NotImplementedError

    def take_back(self, sale: Sale) -> None:
        """Its lines become the open cart. Raises PosError where they can't."""
        raise NotImplementedError

    def open_goods(self, refund: Sale) -> None:
        """The sale of the goods of the advance that it closes becomes the open cart. Raises
        PosError where it can't."""
        raise NotImplementedError

    def sell_again(self, overview: ReceiptOverview, *, as_advance: bool = False) -> None:
        """The lines of a receipt into the cart; of a proforma the sale that it offers, or an
        advance on it. Raises PosError where they can't be, and nothing was changed."""
        raise NotImplementedError

    def begin_exchange(self, goods: GoodsBack, card_of: TypedDetails) -> None:
        """A cart for what is taken for goods that come back. Raises PosError, and nothing was
        changed."""
        raise NotImplementedError

    def exchange_refused(self, number: str, reason: str, left: Money | None) -> None:
        """Nothing of an exchange was issued, and its cart is open again."""
        raise NotImplementedError

    def see_drawer(self) -> None:
        """Somebody opened the drawer by its key, or it need not be open."""
        raise NotImplementedError

    def act_confirmed(self, sale: Sale) -> None:
        """An act on a receipt was frozen on another screen: it is sent now, and is the last that
        the sale tells of."""
        raise NotImplementedError

    def open_drawer_for(self, sale: Sale) -> None:
        """Open the drawer where cash moves with it."""
        raise NotImplementedError

    def open_drawer(self) -> None:
        """Open it: cash moves."""
        raise NotImplementedError


class HomeScreen(Screen):
    """The screen below all others.

    Signal: `room_wanted()`, it needs the room of the on-screen keyboard.
    """

    room_wanted = Signal()

    def begin(self) -> None:
        """The till begins to sell, or does so after its first start."""
        raise NotImplementedError

    def act(self, command: TillCommand) -> None:
        """Carry out a command that is neither the window's nor opens a screen."""
        raise NotImplementedError

    def hold_cart(self) -> None:
        """Set the open cart aside, for who left it. Raises PosError; then it is as it was."""
        raise NotImplementedError

    def lets_go(self) -> bool:
        """Whether the key of another screen leads away now; a question that scans wait for does
        not."""
        raise NotImplementedError

    def take_scan(self, code: ReadCode, *, rest_of: str) -> None:
        """Enter it, or let it wait visibly. rest_of: what was told of it before as misread."""
        raise NotImplementedError

    def take_misread(self, code: str, why: WhyUnknown, *, rest_of: str) -> None:
        raise NotImplementedError

    @property
    def takes_pad_keys(self) -> bool:
        """Whether + and − of the pad pay now; else they may be text."""
        raise NotImplementedError

    def type_key(self, event: QKeyEvent) -> None:
        """A printable key that no field took."""
        raise NotImplementedError

    def show_waiting(self, many: int) -> None:
        """On the bell."""
        raise NotImplementedError

    def take_width(self, width: int) -> None:
        """The window is so wide now."""
        raise NotImplementedError

    def give_room(self) -> None:
        """The on-screen keyboard unfolds next."""
        raise NotImplementedError

    def keep_typed(self) -> None:
        """The till is being closed: nothing that was typed is lost."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class AskedAct:
    """What somebody may do only if another one lifts it. then: does it. percent: of a discount."""

    act: Act
    then: Callable[[], None]
    percent: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class LockedBy:
    """The till was locked. person: who worked here; None where nobody signs in. since: when, where
    that was before this start."""

    person: Person | None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ScreenEntry:
    """A row of the table of screens. home: the module that has its `ROOM` and `SCREEN`, imported
    when somebody asks for it.

    icon: of its item in the menu of F9, with the texts `more.NAME` and `more.NAME_words`; "" for
    none. key: what opens it from anywhere, with the text `keys.NAME`. act: the right to it; who may
    never do that does not have the item. counts: things wait there, so that its room stands
    from the first count. is_due: whether the till begins with it.
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

    acts: what the window itself does at a command. Signals: `counted()`, another number of things
    may wait; `blocked(bool)`, a screen stands that nothing leads away from, or no longer;
    `language_wanted(Language)`; `settings_saved(frozenset[str])`, a manager changed these settings;
    `covered()`, a screen covers the one on top from now on.
    """

    counted = Signal()
    blocked = Signal(bool)
    language_wanted = Signal(object)
    settings_saved = Signal(object)
    covered = Signal()
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
        self._rooms: dict[str, Room] = {}
        self._stack = QStackedLayout()
        self._spaces: dict[str, QWidget] = {}
        self._screens: dict[str, Screen] = {}
        due = (entry.name for entry in table if entry.is_due(services))
        self.top_name = next(due, HOME)
        self.cover_name = ""
        """The screen that covers the one on top; "" for none."""
        self._focus_below = FocusPlace()
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
    def home(self) -> HomeScreen:
        home = self._screens[HOME]
        assert isinstance(home, HomeScreen)
        return home

    @property
    def top(self) -> Screen:
        """The screen that is seen: it alone gets keys and scans."""
        return self._screens[self.cover_name or self.top_name]

    @property
    def _under(self) -> Screen:
        """The screen below a cover."""
        return self._screens[self.top_name]

    @property
    def is_home(self) -> bool:
        """Whether the sale is seen."""
        return self.top_name == HOME and not self.cover_name

    def build(self, ui: UiContext, into: QVBoxLayout) -> None:
        """The screen below all others, anew in another theme, language or width, and room for those
        over it: `build_top`, once that has its size. What was before goes with the widget that it
        was in. into: of a widget, or the screen would be shown as a window of its own."""
        for room in self._rooms.values():
            room.forget_widgets()
        self.ui = ui
        self._screens, self._spaces = {}, {}
        self._stack = QStackedLayout()
        into.addLayout(self._stack, 1)
        self._make(HOME)

    def build_top(self) -> None:
        """The screen on top, likewise."""
        if self.top_name != HOME:
            self._make(self.top_name)
        if self.cover_name:
            self._make(self.cover_name)
        if not self.is_home:
            self._show_top()
            self.top.show()  # not only once the loop is back: the focus goes where it was before

    def begin(self) -> None:
        """Once the window stands."""
        if self.top_name == HOME:
            self.home.begin()
            self._cover_at_start()
        self.top.take_focus()

    def _cover_at_start(self) -> None:
        """Who works here is asked; a till of one person opens as it was left."""
        services = self.services
        if services.signs_in and services.here.person is None:
            self.cover(LOCK)
        elif (since := services.left_locked) is not None:
            self.cover(LOCK, LockedBy(None, since))

    def open(self, name: str, place: object = None) -> None:
        """Show that screen in place of the one on top; below a cover, where there is one. place:
        where in it to begin."""
        if self._under.blocks:
            return
        if name != self.top_name:
            self._leave_top()
            self.top_name = name
            if name != HOME:
                self._make(name)
            self._show_top()
            if not self.cover_name:
                self.top.take_focus()
        if place is not None:
            self._under.go_to(place)

    def cover(self, name: str, place: object = None) -> None:
        """Lay that screen over the one on top, which lives on below and is there again as it was
        once it is uncovered. Nothing takes the place of the lock but who signs in."""
        if self._under.blocks or self.cover_name in (name, LOCK):
            return
        if self.cover_name:
            self.uncover()
        self._focus_below = focus_place(self._spaces[self.top_name])
        self._make(name)
        self.cover_name = name
        self._show_top()
        if place is not None:
            self.top.go_to(place)
        self.top.take_focus()
        self.covered.emit()

    def uncover(self) -> None:
        """What was covered is seen again, with the focus where it was."""
        if not self.cover_name:
            return
        name, self.cover_name = self.cover_name, ""
        self._show_top()
        self._drop(name)
        if not take_focus_at(self._spaces[self.top_name], self._focus_below):
            self.top.take_focus()

    def _keep_covered(self, _: QWidget | None, now: QWidget | None) -> None:
        """What lies below a cover may ask for the focus, and Qt gives it to what is hidden."""
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
        """Somebody signed in. before: who worked here until then. What another one opened, or had
        lifted by a manager, is left; what was typed there stays."""
        person, act = self.services.here.person, self._table[self.top_name].act
        is_same = before is not None and person is not None and before.id == person.id
        if not is_same or (act is not None and self.services.leave(act) is not Leave.MAY):
            self.go_home()

    def permit(self, act: Act, then: Callable[[], None], *, percent: Decimal = Decimal(0)) -> None:
        """Do it, if whoever works here may; else have it lifted in place, or say that nobody can.
        percent: of a discount."""
        try:
            leave = self.services.leave(act, percent)
            lifters = self.services.lifters(act, percent) if leave is Leave.ASKS else ()
        except PosError as error:
            self.refuse(error)
            return
        if leave is Leave.MAY:
            then()
        elif lifters:
            self.cover(APPROVAL, AskedAct(act, then, percent))
        else:
            self.refuse(never_allowed(act))

    def refuse(self, error: PosError) -> None:
        """Say on the screen that is seen why something is not done."""
        if self.is_home:
            self._show_error(error)
        else:
            told = self.ui.texts.error(error)
            self.top.tell(" ".join(part for part in (told.happened, told.press) if part))
        self.home_room.tone("no")

    def open_waiting(self) -> None:
        """The screen where things wait."""
        if self.cover_name:
            return
        self.open(next(entry.name for entry in self._table.values() if entry.counts))

    def go_home(self) -> None:
        """Back to the sale, from wherever."""
        self.open(HOME)

    def end_blocking(self) -> None:
        """What the till began with is over, for good: sell."""
        if not self._under.blocks:
            return
        name = self.top_name
        self._leave_top()
        self._rooms.pop(name).deleteLater()
        self.blocked.emit(False)
        self.tell(Change(Changed.CATALOGUE))
        self.tell(Change(Changed.CASHIER))
        self.home.begin()
        self.home.take_focus()

    # --- what the screens ask of it --------------------------------------------------------------

    def run(self, command: TillCommand) -> None:
        """Carry out a command, from whatever key, button or menu it comes."""
        if command in self._acts:
            self._acts[command]()
        else:
            self.home.act(command)

    def tell(self, change: Change) -> None:
        """Rooms hear it first, then the sale; then what waits is counted, before a screen that may
        read more of it."""
        self._make_counted()
        for room in tuple(self._rooms.values()):
            room.hear(change)
        self.home.changed(change)
        if change.what is Changed.SALES:
            self.count_soon()
        else:
            self.count()
        if self.top_name != HOME:
            self._under.changed(change)
        if self.cover_name:
            self.top.changed(change)

    def count_soon(self, *, anew: bool = False) -> None:
        """Once a usual sale would be through. anew: that long from now on, whoever asked before."""
        if anew or not self._settling.isActive():
            self._settling.start()

    def count_first(self) -> None:
        """Once the till has begun to sell. What that takes is loaded in a thread, so that nobody
        waits for it; whoever counts before loads it at once."""
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
        """Read anew what waits."""
        self._settling.stop()
        self._make_counted()
        found = [found for room in self._rooms.values() if (found := room.count()) is not None]
        self.show_counted(*found)

    def show_counted(self, *found: WaitingCounts) -> None:
        """A room has read anew what waits there."""
        self.waiting = WaitingCounts(
            sum(one.many for one in found),
            sum(one.to_decide for one in found),
            next((one.drawer for one in found if one.drawer is not None), None),
        )
        self.home.show_waiting(self.waiting.many)
        self.counted.emit()

    def set_banner(self, told: BannerText) -> None:
        """The banner of the sale stands on each screen."""
        self.banner = told
        for screen in self._screens.values():
            screen.show_banner(told)

    def show_in_front(self, in_front: bool) -> None:
        """Whether the till has the keyboard: what is scanned elsewhere does not come here."""
        self._in_front = in_front
        for screen in self._screens.values():
            screen.show_in_front(in_front)

    def set_language(self, language: Language) -> None:
        """Show everything in another language."""
        self.language_wanted.emit(language)

    def tick(self) -> None:
        """Once a second."""
        self.home.tick()
        if self.top_name != HOME:
            self._under.tick()
        if self.cover_name:
            self.top.tick()

    @property
    def busy(self) -> Busy | None:
        """What has to end before the till closes."""
        return next((room.busy for room in self._rooms.values() if room.busy is not None), None)

    def close(self) -> None:
        """The till is being closed."""
        self._settling.stop()
        self.home.keep_typed()
        for room in self._rooms.values():
            room.close()

    # --- parts -----------------------------------------------------------------------------------

    def _make(self, name: str) -> None:
        screen = self._table[name].make_screen(self, self.room(name))
        space = screen if screen.has_own_space else KeyboardSpace(screen)
        self._screens[name], self._spaces[name] = screen, space
        self._stack.addWidget(space)
        screen.show_banner(self.banner)
        screen.show_in_front(self._in_front)
        screen.tick()

    def _show_top(self) -> None:
        self._stack.setCurrentWidget(self._spaces[self.cover_name or self.top_name])

    def _leave_top(self) -> None:
        """The screen goes; what it shows lives on in its room."""
        if self.top_name == HOME:
            return
        name, self.top_name = self.top_name, HOME  # what the room still tells is for the sale
        self._show_top()
        self._drop(name)

    def _drop(self, name: str) -> None:
        room, space = self._rooms[name], self._spaces.pop(name)
        del self._screens[name]
        room.forget_widgets()
        room.leave()
        room.shows_keys = False
        self._stack.removeWidget(space)
        space.hide()
        space.deleteLater()

    def _show_error(self, error: PosError) -> None:
        self.home_room.show_error(error)

    def _show_bug(self, error: BaseException) -> None:
        self.home_room.show_bug(error)
