"""The screen of the settings: the list of pages at the left, one page at the right; before them the
gate asks for the PIN. A further page needs a file with its widget, a name in `PageName`, and a row
in `PAGES`, which has its group. Source: look.md (Screens, 8)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QStackedLayout, QWidget

from pos_app import __version__
from pos_app.cashier.commands import ENTER, ESCAPE, TillCommand
from pos_app.cashier.services.long_work import FilePoll
from pos_app.cashier.services.relabelling import RELABEL
from pos_app.cashier.settings import finder
from pos_app.cashier.settings.api_page import ApiPage
from pos_app.cashier.settings.backup_page import BackupPage
from pos_app.cashier.settings.buyers_page import BuyersPage
from pos_app.cashier.settings.card_pin import CardPin
from pos_app.cashier.settings.diagnostics_page import DiagnosticsPage
from pos_app.cashier.settings.display_page import DisplayPage
from pos_app.cashier.settings.mail_page import MailPage
from pos_app.cashier.settings.model import PageName, SettingsModel
from pos_app.cashier.settings.parts import SettingsPage, Start
from pos_app.cashier.settings.people_page import PeoplePage
from pos_app.cashier.settings.pin_page import PinPage
from pos_app.cashier.settings.platform_page import PlatformPage
from pos_app.cashier.settings.printer_page import PrinterPage
from pos_app.cashier.settings.processor_page import ProcessorPage
from pos_app.cashier.settings.scanner_page import ScannerPage
from pos_app.cashier.settings.store_page import StorePage
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage
from pos_app.cashier.settings.values_page import SoundsPanel, ValuesPage
from pos_app.cashier.settings.vat_page import VatPage
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.page_list import PageList, PageOption
from pos_app.cashier.window.frame import LOCK, Busy, Change, Frame, Room, ScanAnswer, ShopChange
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.window.screens import SETTINGS, SettingsPlace
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.codes import ReadCode


class PageGroup(StrEnum):
    """The groups of the list of pages, in their order."""

    SHOP = "shop"
    PEOPLE = "people"
    SELLING = "selling"
    DEVICES = "devices"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class PageSpec:
    name: PageName
    group: PageGroup
    icon: str
    make: Callable[[SettingsModel, UiContext, Start], SettingsPage]


def _values(page: ValuePage, group: PageGroup, icon: str) -> PageSpec:
    """Return the row of a page that holds values alone."""

    def made(model: SettingsModel, ui: UiContext, start: Start) -> SettingsPage:
        first, tones = model.services.first_start, model.services.tones
        return ValuesPage(
            model.values[page],
            ui,
            start,
            VALUE_PAGES[page],
            page=page,
            reopen=first.reopen if first is not None else None,
            below=(SoundsPanel(ui, tones.play),) if page is ValuePage.LOOK else (),
        )

    return PageSpec(PageName(page.value), group, icon, made)


def _api(model: SettingsModel, ui: UiContext, start: Start) -> SettingsPage:
    first = model.services.first_start
    return ApiPage(model.api, ui, start, reopen=first.reopen if first is not None else None)


PAGES: tuple[PageSpec, ...] = (
    PageSpec(
        PageName.STORE,
        PageGroup.SHOP,
        "store",
        lambda model, ui, start: StorePage(model.store, ui, start),
    ),
    PageSpec(
        PageName.VAT,
        PageGroup.SHOP,
        "percent",
        lambda model, ui, start: VatPage(model.cashier, ui, start),
    ),
    _values(ValuePage.RECEIPTS, PageGroup.SHOP, "receipt-text"),
    PageSpec(
        PageName.BUYERS,
        PageGroup.SHOP,
        "building-2",
        lambda model, ui, start: BuyersPage(model.buyers, ui, start),
    ),
    PageSpec(
        PageName.PEOPLE,
        PageGroup.PEOPLE,
        "users",
        lambda model, ui, start: PeoplePage(model.people, ui, start),
    ),
    _values(ValuePage.SIGN_IN, PageGroup.PEOPLE, "id-card"),
    PageSpec(
        PageName.PIN,
        PageGroup.PEOPLE,
        "lock",
        lambda model, ui, start: PinPage(model.services, ui, start, lambda: model.lifted_by),
    ),
    _values(ValuePage.SELLING, PageGroup.SELLING, "barcode"),
    _values(ValuePage.SHIFT, PageGroup.SELLING, "vault"),
    PageSpec(
        PageName.PROCESSOR,
        PageGroup.DEVICES,
        "shield-check",
        lambda model, ui, start: ProcessorPage(
            model.processor, ui, start, lambda: model.ask_card_pin(True)
        ),
    ),
    PageSpec(
        PageName.PRINTERS,
        PageGroup.DEVICES,
        "printer",
        lambda model, ui, start: PrinterPage(model.printers, ui, start),
    ),
    PageSpec(
        PageName.SCANNER,
        PageGroup.DEVICES,
        "scan-barcode",
        lambda model, ui, start: ScannerPage(
            model.values[ValuePage.SCANNER], model.scanner, ui, start
        ),
    ),
    PageSpec(
        PageName.DISPLAY,
        PageGroup.DEVICES,
        "monitor",
        lambda model, ui, start: DisplayPage(model.display, ui, start),
    ),
    _values(ValuePage.LOOK, PageGroup.SYSTEM, "palette"),
    PageSpec(
        PageName.PLATFORM,
        PageGroup.SYSTEM,
        "cloud",
        lambda model, ui, start: PlatformPage(model.platform, ui, start),
    ),
    PageSpec(
        PageName.MAIL,
        PageGroup.SYSTEM,
        "mail",
        lambda model, ui, start: MailPage(model.mail, ui, start),
    ),
    PageSpec(
        PageName.BACKUP,
        PageGroup.SYSTEM,
        "database-backup",
        lambda model, ui, start: BackupPage(model.backup, ui, start),
    ),
    PageSpec(PageName.API, PageGroup.SYSTEM, "server", _api),
    PageSpec(
        PageName.DIAGNOSTICS,
        PageGroup.SYSTEM,
        "stethoscope",
        lambda model, ui, start: DiagnosticsPage(model.diagnostics, ui, start),
    ),
)
"""The pages in the order of the list, those of one group one after the other."""


class SettingsRoom(Room):
    """Keeps the typed values of the pages, and whether a manager was let in."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = SettingsModel(frame.services)
        self.model.backup.is_busy = lambda: frame.busy is not None
        self.model.backup.follow = lambda work: FilePoll(work, self)
        self.model.buyers.follow = lambda work: FilePoll(work, self)
        self.model.store.on_saved = lambda: frame.announce(Change(ShopChange.CATALOGUE))
        self.model.cashier.on_saved = lambda: frame.announce(Change(ShopChange.CASHIER))
        # The timer lets the coroutine end first: a coroutine never enters a view.
        self.model.people.on_changed = lambda: QTimer.singleShot(0, self, self._people_changed)
        self.model.listen_failures(
            lambda error: QTimer.singleShot(0, self, partial(self._tell_failure, error))
        )
        for values in self.model.values.values():
            values.on_saved = self._values_saved

    @property
    def busy(self) -> Busy | None:
        if self.model.cashier.running == RELABEL:
            return Busy.ACT
        if self.model.buyers.work is not None:
            return Busy.BUYERS
        return Busy.BACKUP if self.model.backup.work is not None else None

    def _people_changed(self) -> None:
        """Follow a change of names; lock the till if the present person no longer works here."""
        services = self.frame.services
        self.frame.announce(Change(ShopChange.CASHIER))
        if services.signs_in and services.here.person is None:
            self.frame.cover(LOCK)

    def _tell_failure(self, error: PosError) -> None:
        """Say at the sale why an act failed whose screen was left; the page says it by itself."""
        if self.frame.top_name != SETTINGS:
            self.frame.home.show_error(error)

    def _values_saved(self, changed: frozenset[str]) -> None:
        """Report the change only after the view that saved has returned, because a changed look
        makes the view anew."""
        QTimer.singleShot(0, self, lambda: self.frame.settings_saved.emit(changed))

    def handle_change(self, change: Change) -> None:
        if change.what is ShopChange.SERVER:
            self.model.renew()

    def leave(self) -> None:
        self.model.leave()

    def forget_widgets(self) -> None:
        self.model.forget_listeners()


class SettingsScreen(HeadedScreen):
    """The gate, the pages, or the panel for the card's PIN."""

    title = "set.title"
    help_keys = (
        ("↑ ↓", "set.keys.pages"),
        (TillCommand.SEARCH, "set.find"),
        (ENTER, "set.keys.enter"),
        ("Tab", "set.keys.tab"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "cat.keys.escape"),
    )
    _changed = Signal()

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, SettingsRoom)
        self.model = model = room.model
        texts, theme = frame.ui.texts, frame.ui.theme
        self._ui, self._texts, self._tasks = frame.ui, texts, frame.tasks
        self.gate = PinGate(
            model, frame, asked=texts("set.pin.asked_words"), first=texts("set.pin.first_words")
        )
        self.card_pin = CardPin(model.processor, texts, theme)
        self.list = self._page_list()
        self.finder = finder.Finder(frame.ui, self.list, self._all_parts, model.has_page)
        self.finder.chosen.connect(self._go_to_found)
        self.finder.field.changed.connect(lambda _: self.show_way_back())
        self._pages: dict[PageName, SettingsPage] = {}
        self._stack = QStackedLayout()
        self._whole = QStackedLayout()
        self._shown_part: tuple[int, QWidget | None] = (_GATE, None)
        self._lay_out()
        # The queued signal lets the coroutine that changed the model end first: a coroutine never
        # enters a view.
        self._changed.connect(self.show_model, Qt.ConnectionType.QueuedConnection)
        self.model.listen(self._changed.emit)
        self.list.chosen.connect(self._choose)
        self.card_pin.given.connect(self._give_pin)
        self.show_model()

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        match screen_place:
            case SettingsPlace.STORE:
                self.model.choose(PageName.STORE)
            case SettingsPlace.PLATFORM:
                self.model.choose(PageName.PLATFORM)
            case SettingsPlace.CARD_PIN:
                self.model.ask_card_pin(True)
        self.show_model()

    def tick(self) -> None:
        """Update the clock, and the facts that the page asks for."""
        super().tick()
        if self.model.is_open and not self.model.asks_card_pin:
            self.page.refresh()

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Let a badge's owner in, or give the badge to the edited person. What can't be a badge may
        be of the goods of a cart that waits."""
        if self._edits_person:
            if not self.model.people.scan_badge(code):
                if not self.frame.home.ticket().cart.is_empty:
                    return ScanAnswer.MISSED
                self.frame.home.tone("no")
            return ScanAnswer.TAKEN
        return super().scan(code, text)

    def misread(self) -> ScanAnswer:
        return ScanAnswer.MISSED if self._edits_person else super().misread()

    @property
    def holds_typed(self) -> bool:
        model = self.model
        return (model.is_open and model.has_unsaved) or super().holds_typed

    def focus_place(self) -> None:
        if self.model.asks_card_pin:
            self.card_pin.focus_first()
        elif not self.model.is_open:
            self.gate.focus_first()
        elif self._edits_row:
            self.page.focus_first()
        elif self.finder.is_searching:
            self.finder.focus()  # the rows of the list are hidden
        else:
            self.list.focus_current()

    def step_back(self) -> bool:
        if self.model.scanner.is_on:
            self.model.scanner.end()
            return True
        if self.model.asks_card_pin and self.model.is_open:
            self.model.ask_card_pin(False)
            return True
        if (safe_answer := self._safe_answer) is not None:
            safe_answer.click()
            return True
        if self._edits_person:
            self.model.people.put_away()
            return True
        if self._edits_buyer:
            self.model.buyers.step_back()
            return True
        if self._asks_backup:
            self.model.backup.look_away()
            return True
        if self.finder.is_searching:
            self.finder.clear()
            self.list.focus_current()
            return True
        return False

    def press(self, command: TillCommand) -> None:
        if command is TillCommand.SEARCH:
            if self._shown_part[0] == _PAGES:
                self.finder.focus()
        else:
            super().press(command)

    @property
    def page(self) -> SettingsPage:
        """The chosen page; it is made when it is first shown."""
        return self._made(self.model.page)

    def _made(self, name: PageName) -> SettingsPage:
        if name not in self._pages:
            spec = next(one for one in PAGES if one.name == name)
            self._pages[name] = made = spec.make(self.model, self._ui, self._start)
            made.setAccessibleName(self._texts(f"set.page.{name}"))
            self._stack.addWidget(made)
        return self._pages[name]

    # --- where something is set ------------------------------------------------------------------

    def _all_parts(self) -> list[finder.FoundPart]:
        return [found for spec in PAGES for found in self._parts_of(spec)]

    def _parts_of(self, spec: PageSpec) -> Iterator[finder.FoundPart]:
        texts, also = self._texts, f"set.page.{spec.name}_also"
        page, about = texts(f"set.page.{spec.name}"), texts(also) if texts.has(also) else ""
        return finder.parts_in(spec.name, page, spec.icon, self._made(spec.name), about=about)

    def _go_to_found(self, found_part: finder.FoundPart) -> None:
        self.model.choose(found_part.name)
        self.show_model()
        finder.go_to(found_part, self.page)

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._is_on_page():
            if not event.isAutoRepeat():
                self.page.press_main()
        elif not self.finder.step(event.key()):
            super().keyPressEvent(event)

    def _is_on_page(self) -> bool:
        """Tell whether Enter belongs to the page; a focused button takes Enter itself."""
        focus = self.window().focusWidget()
        return self._whole.currentIndex() == _PAGES and not isinstance(focus, QAbstractButton)

    # --- parts -----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        whole = QWidget()
        whole.setLayout(self._whole)
        self.column.addWidget(whole, 1)
        sides = QWidget()
        row = QHBoxLayout(sides)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        pages = QWidget()
        pages.setLayout(self._stack)
        row.addWidget(pages, 1)
        for part in (self.gate, sides, self.card_pin, self.keys):
            self._whole.addWidget(part)
        self.finder.order_stops()

    def _page_list(self) -> PageList:
        texts, theme = self._texts, self.theme
        options = [
            PageOption(
                one.name,
                texts(f"set.page.{one.name}"),
                one.icon,
                texts(f"set.page_group.{one.group}"),
            )
            for one in PAGES
        ]
        made = PageList(theme, options, name=texts("set.pages"))
        edition = texts("set.edition", version=__version__)
        words = Label(theme, edition, step=TypeStep.SMALL, colour="ink_3", wrap=True)
        words.setContentsMargins(theme.metrics.s3, theme.metrics.s3, 0, 0)
        made.add_last(words)
        return made

    def _start(self, coroutine: Coroutine[object, object, None], name: str) -> None:
        self._tasks.start(coroutine, name=name)

    def _choose(self, name: str) -> None:
        self.model.choose(PageName(name))

    def _give_pin(self, pin: str) -> None:
        self._start(self.model.processor.enter_pin(pin), "give the card its PIN")

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self.model, self._texts
        self.card_pin.show_model()
        self.list.rows[PageName.PIN].setVisible(model.has_page(PageName.PIN))
        if not model.has_page(model.page):
            model.page = PageName.PEOPLE
        self.list.set_current(model.page)
        words = texts("set.card.title" if model.asks_card_pin else f"set.page.{model.page}")
        is_in = model.is_open or model.asks_card_pin
        self.head.set_title(texts("set.title"), words if is_in else "")
        if model.is_open:
            self._stack.setCurrentWidget(self.page)
            self.page.show_model()
        self.show_way_back()
        if self._show_another_part():
            self.tick()
            self.take_focus()

    @property
    def is_searched(self) -> bool:
        model = self.model
        is_step = model.scanner.is_on or model.asks_card_pin or self._edits_row
        return model.is_open and self.finder.is_searching and not is_step

    def step_title(self) -> str:
        model, texts = self.model, self._texts
        if not model.is_open:
            return ""
        if model.scanner.is_on:
            return texts("set.step.scan")
        if model.asks_card_pin:
            return texts("set.step.card")
        if self._asks_removal:
            return texts("set.step.removal" if self._edits_person else "set.step.deletion")
        asks = self._safe_answer is not None
        return self._row_title or (texts("set.step.question") if asks else super().step_title())

    @property
    def _row_title(self) -> str:
        """The title of the form or of the question that stands in place of its page's list."""
        model, texts = self.model, self._texts
        if self._edits_buyer:
            is_sheet = model.buyers.edit is None
            return texts("set.buyers.read" if is_sheet else "set.step.buyer")
        if self._asks_backup:
            return texts("set.step.backup")
        return texts("set.step.person") if self._edits_person else ""

    def way_back(self) -> str:
        if self._asks_removal:
            return self._row_title
        page = self._texts(f"set.page.{self.model.page}")
        is_step = self._edits_row or self._asks_backup or self._safe_answer is not None
        return page if is_step else super().way_back()

    def follow_cap(self, button: Button) -> None:
        super().follow_cap(button)
        if button is not self.head.button and button.spec.key in ("", ESCAPE):
            self.show_way_back()

    @property
    def _safe_answer(self) -> Button | None:
        """The safe answer of the question that the page asks, which Esc gives; None for none."""
        model, taken_by = self.model, self.head.button.taken_by
        if taken_by is None or not model.is_open or model.asks_card_pin:
            return None
        return taken_by if self.page.isAncestorOf(taken_by) else None

    @property
    def _asks_backup(self) -> bool:
        """Whether it is asked if a copy shall be put back."""
        model = self.model
        is_on_page = not model.asks_card_pin and model.page is PageName.BACKUP
        return model.is_open and is_on_page and model.backup.asked is not None

    @property
    def _asks_removal(self) -> bool:
        """Whether it is asked in a form if the person or the firm shall be removed."""
        people, buyers = self.model.people, self.model.buyers
        is_person, is_buyer = self._edits_person, self._edits_buyer
        return (is_person and people.asks_removal) or (is_buyer and buyers.asks_removal)

    @property
    def _edits_person(self) -> bool:
        model = self.model
        is_on_page = not model.asks_card_pin and model.page is PageName.PEOPLE
        return model.is_open and is_on_page and model.people.draft is not None

    @property
    def _edits_buyer(self) -> bool:
        model = self.model
        is_on_page = not model.asks_card_pin and model.page is PageName.BUYERS
        return model.is_open and is_on_page and model.buyers.is_step

    @property
    def _edits_row(self) -> bool:
        """Whether a form stands in place of its page's list."""
        return self._edits_person or self._edits_buyer

    def show_place(self) -> None:
        self._show_another_part()

    def _show_another_part(self) -> bool:
        """Show the right widget; tell whether it is another than before."""
        if self.shows_keys:
            index = _KEYS
        elif self.model.asks_card_pin:
            index = _CARD
        else:
            index = _PAGES if self.model.is_open else _GATE
        self._whole.setCurrentIndex(index)
        shown = (index, self._stack.currentWidget())
        changed, self._shown_part = shown != self._shown_part, shown
        return changed


_GATE, _PAGES, _CARD, _KEYS = range(4)


ROOM, SCREEN = SettingsRoom, SettingsScreen
