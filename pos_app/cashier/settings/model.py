"""The state of the settings screen: whether the manager is in, and the page. Typed values of a page
are kept until a button saves or discards them, whatever is opened or left meanwhile. Sources:
till.md (Settings), look.md (Screens, 8)."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.cashier.settings.api_model import ApiModel
from pos_app.cashier.settings.backup_model import BackupModel
from pos_app.cashier.settings.buyers_model import BuyerBookModel
from pos_app.cashier.settings.cashier_model import CashierModel
from pos_app.cashier.settings.diagnostics_model import DiagnosticsModel
from pos_app.cashier.settings.display_model import DisplayModel
from pos_app.cashier.settings.mail_model import MailModel
from pos_app.cashier.settings.people_model import PeopleModel
from pos_app.cashier.settings.platform_model import PlatformModel
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.cashier.settings.processor_model import ProcessorModel
from pos_app.cashier.settings.scanner_model import ScannerTrialModel
from pos_app.cashier.settings.store_model import StoreModel
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage, ValuesModel
from pos_app.errors import PosError
from pos_app.selling.people.rights import Act

_Page = (
    StoreModel
    | CashierModel
    | BuyerBookModel
    | ProcessorModel
    | PrinterModel
    | DisplayModel
    | PlatformModel
    | ValuesModel
    | BackupModel
)


class PageName(StrEnum):
    """A page of the settings, in the order of the list."""

    STORE = "store"
    VAT = "vat"
    RECEIPTS = "receipts"
    BUYERS = "buyers"
    PEOPLE = "people"
    SIGN_IN = "sign_in"
    PIN = "pin"
    SELLING = "selling"
    SHIFT = "shift"
    LOOK = "look"
    SCANNER = "scanner"
    PROCESSOR = "processor"
    PRINTERS = "printers"
    DISPLAY = "display"
    MAIL = "mail"
    PLATFORM = "platform"
    BACKUP = "backup"
    API = "api"
    DIAGNOSTICS = "diagnostics"


class SettingsModel(ManagerLock):
    """The settings' model outlives the widgets that show it."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services, act=Act.SETTINGS, on_lifted=self._tell)
        self.asks_card_pin = False
        """Whether the screen is open for the PIN of the card alone, which needs no manager."""
        self.page = PageName.PROCESSOR
        self.cashier = CashierModel(services)
        self.people = PeopleModel(services)
        self.buyers = BuyerBookModel(services)
        self.processor = ProcessorModel(services)
        self.printers = PrinterModel(services)
        self.display = DisplayModel(services)
        self.platform = PlatformModel(services)
        self.backup = BackupModel(services)
        self.store = StoreModel(services, self.platform)
        names = {
            page: [one for group in groups for one in group.values]
            for page, groups in VALUE_PAGES.items()
        }
        self.api = ApiModel(services, names[ValuePage.API])
        self.mail = MailModel(services)
        own: dict[ValuePage, ValuesModel] = {
            ValuePage.API: self.api,
            ValuePage.MAIL: self.mail,
            ValuePage.PLATFORM: self.platform.values,
        }
        self.values: dict[ValuePage, ValuesModel] = {
            page: own.get(page) or ValuesModel(services, of_page) for page, of_page in names.items()
        }
        self.scanner = ScannerTrialModel(services, self.values[ValuePage.SCANNER])
        self.diagnostics = DiagnosticsModel(services)
        for one in (*self._pages, self.people):
            one.lifted_by = lambda: self.lifted_by
        self._listeners: list[Callable[[], None]] = []

    @property
    def _pages(self) -> tuple[_Page, ...]:
        return (
            self.store,
            self.cashier,
            self.buyers,
            self.processor,
            self.printers,
            self.display,
            self.platform,
            *self.values.values(),
            self.backup,
        )

    @property
    def has_unsaved(self) -> bool:
        """Whether a page holds what nobody saved yet."""
        return self.people.has_unsaved or any(page.has_changes for page in self._pages)

    def listen_failures(self, listener: Callable[[PosError], None]) -> None:
        """Call back with the reason why an act of a person failed."""
        for page in (*self._pages, self.diagnostics):
            if isinstance(page, ActingModel):
                page.on_failure = listener

    def listen(self, listener: Callable[[], None]) -> None:
        """Call back after each change here or on a page."""
        self._listeners.append(listener)
        for page in (*self._pages, self.people, self.scanner, self.diagnostics):
            page.listen(listener)

    def forget_listeners(self) -> None:
        self._listeners.clear()
        for page in (*self._pages, self.people, self.scanner, self.diagnostics):
            page.forget_listeners()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def has_page(self, page: PageName) -> bool:
        """Tell whether a page exists. If people sign in, the manager's PIN is that of one of them,
        and has no page."""
        return page is not PageName.PIN or not self.services.signs_in

    # --- what is shown ---------------------------------------------------------------------------

    def choose(self, page: PageName) -> None:
        if page is not self.page and self.has_page(page):
            self.page = page
            if page is PageName.PLATFORM:
                self.platform.note_done("keys")  # each visit asks for them once
            self._tell()

    def ask_card_pin(self, asked: bool) -> None:
        self.asks_card_pin = asked
        self.processor.pin_result = None
        self._tell()

    def leave(self) -> None:
        """Lock the screen, so that the next visit asks for the PIN again. Typed values are kept,
        secrets are not."""
        self.lock()
        self.asks_card_pin = False
        self.processor.pin_result = None
        for page in (*self._pages, self.people, self.scanner, self.diagnostics):
            page.leave()

    def renew(self) -> None:
        """Ask anew when somebody looks, because the server or its processor changed."""
        self.processor.renew()
