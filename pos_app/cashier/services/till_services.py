"""Everything the window is given, in one object that `bootstrap` makes; no global holds it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import field, replace
from datetime import datetime
from decimal import Decimal
from typing import Literal, Protocol

from pos_app import log
from pos_app.cashier.scanner.serial_line import SerialLine
from pos_app.cashier.scanner.trial import ScannerHere
from pos_app.cashier.services.code_rules import code_rules
from pos_app.cashier.services.display_setup import DisplayHere, DisplaySettings, DisplaySetup
from pos_app.cashier.services.storage_faults import StorageFaults
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.article.barcodes import CodeRules
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import ScaleRules
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel, TaxRates, rates_at, rates_by_label
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.server_jobs import ServerJobs
from pos_app.domain.receipt.units import Measure
from pos_app.domain.setup.local_api_service import LocalApiService
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.printer_setup import PrinterSetup, PrinterSetupService
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.attention.pair_decisions import DecisionLog
from pos_app.selling.backups import Backups, BackupSettingsKeeper, PutsBack
from pos_app.selling.buyers.buyer_book import BuyerBook
from pos_app.selling.buyers.buyer_sheet import BuyerSheets
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor
from pos_app.selling.catalogue.files import CatalogueFiles
from pos_app.selling.catalogue.table import CatalogueTable
from pos_app.selling.first_start import FirstStartControl, ShopChoice
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.people.acts import ActLog, AtTheTill, NotedAct
from pos_app.selling.people.manager_pin import PinRepository
from pos_app.selling.people.people import PeopleRepository, Person, signs_in
from pos_app.selling.people.rights import UNSIGNED, Act, Leave
from pos_app.selling.receipts.export import ReceiptExport
from pos_app.selling.receipts.frozen_pair import copy_follows
from pos_app.selling.receipts.own_sales import held_by_own_act
from pos_app.selling.reports.export import ReportExport
from pos_app.selling.reports.receivables import CollectedLog
from pos_app.selling.sale import confirm_checks, receipt_drafts
from pos_app.selling.sale.cashier_setup import CashierSettings, CashierSetup
from pos_app.selling.sale.ports import SaleRepository, Till
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.sale.unusual_amounts import UsualLimits
from pos_app.selling.server import ports
from pos_app.selling.server.drawer_openings import DrawerLog
from pos_app.selling.server.monitor import ServerView
from pos_app.selling.server.self_test import Machine
from pos_app.selling.server.support import Support
from pos_app.selling.shift.shift import ShiftRepository
from pos_app.selling.synchronisation.run import SyncRunner
from pos_app.selling.updates import RunningProgram, Updates
from pos_app.settings import Settings

_log = log.get(__name__)

ToneName = Literal["item", "no", "done", "attention"]


class Tones(Protocol):
    """The four tones. `play` returns at once, whatever the sound device does."""

    def play(self, name: ToneName) -> None: ...


@dataclass(slots=True)
class PrintersHere:
    """saved is the printer setup that a manager saved since the start. It is None if no manager
    did; then the settings count."""

    saved: PrinterSetup | None = None


@dataclass(slots=True)
class CashierHere:
    """saved is the setup of who sells, as a manager saved it since the start. It is None if no
    manager did; then the settings count."""

    saved: CashierSetup | None = None


@dataclass(slots=True)
class PlatformHere:
    """saved_url is the platform's address that a manager saved since the start, or "". It is None
    if no manager did; then the settings count."""

    saved_url: str | None = None


class SettingsKeeper(Protocol):
    """The shop's settings, as a manager changes them one by one ("till.theme")."""

    def given_elsewhere(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names whose values the environment gives; they can be changed only there."""

    def change(self, changes: Mapping[str, object]) -> Settings:
        """Write all the changes or none, and return the new settings. Raises SettingsBroken with
        the impossible setting as the value `name`, NotAllowed, DataFolderNotWritable."""


@dataclass(slots=True)
class SettingsHere:
    """saved has the settings that a manager saved since the start; it is None until then."""

    saved: Settings | None = None


@dataclass(frozen=True, slots=True)
class TillServices:
    """catalogue: reads the catalogue for selling. table: reads it for the manager's table. editor:
    a manager's changes of it. catalogue_files: import, export and labels. buyers: the firms
    that were on receipts; buyer_sheets: these as sheets. people: the people who
    work here, and their rights. here: the person who works here now, if people sign in. manager:
    the manager's PIN. acts: what an owner asks about later. not_fiscal: receipts of this
    installation are practice (demo, development). read_gs1: reads a GS1 message. verifier_of: the
    digit that proves the value on a scale's label. receipt_printer: prints papers that are no
    receipts, and opens the drawer; None where the till can do neither. openings: the log of who
    opened the drawer without a sale. decisions: a manager's decisions on half-done pairs. receipts:
    the receipts of the server's journal; receipt_files: receipts as PDF; receipt_export: receipts
    as sheets; report_export: files of reports. collected: what came in for receipts that
    are paid later. shifts: the shifts, also where none is begun.
    paper_files: papers of the till's own as PDF, or None. machine: this computer, for the
    self-test. support: logs, and a bundle of what helps to find a fault. processor_setup: the
    fiscal processor at the server, printer_setup: its printers, platform_setup: the platform,
    mail_setup: its mail, or None where the till can't set one up. cashier_settings: saves who
    sells, display_settings: the customer display, backup_settings: where backups go and when,
    settings_keeper: all other settings, also theme and language as they are chosen, or None where
    the till can't save them. backups: makes and lists them, or None. serial_scanner: reads a
    scanner at a serial port, or None. sync: runs synchronisations, or None. updates: newer
    versions, or None where nobody asks for them. program: this program itself, or None where
    nothing can open it anew. first_start: the first start of this folder, or None if the shop was
    set up in another way. puts_back: restores a backup, or None. till_looks_whole: False where the
    till's file was found damaged as it was opened."""

    till: Till
    sales: SaleRepository
    catalogue: Catalogue
    table: CatalogueTable
    editor: CatalogueEditor
    catalogue_files: CatalogueFiles
    buyers: BuyerBook
    people: PeopleRepository
    here: AtTheTill
    manager: PinRepository
    acts: ActLog
    outbox: Outbox
    server_decisions: ports.ServerDecisions
    server_jobs: ServerJobs
    local_api: LocalApiService
    keeper: ports.ServerKeeper
    openings: DrawerLog
    decisions: DecisionLog
    receipts: ServerReceipts
    receipt_files: ports.ReceiptFiles
    receipt_export: ReceiptExport
    shifts: ShiftRepository
    collected: CollectedLog
    report_export: ReportExport
    buyer_sheets: BuyerSheets
    tones: Tones
    started_with: Settings
    """The settings of the start; `settings` are the present ones."""
    not_fiscal: bool
    read_gs1: Callable[[str], Gs1Message | None]
    verifier_of: Callable[[str], int]
    receipt_printer: ports.ServerReceiptPrinter | None = None
    paper_files: ports.PaperFiles | None = None
    machine: Machine | None = None
    support: Support | None = None
    processor_setup: ports.ServerProcessorSetup | None = None
    printer_setup: PrinterSetupService | None = None
    platform_setup: ports.ServerPlatformSetup | None = None
    mail_setup: MailSetupService | None = None
    cashier_settings: CashierSettings | None = None
    display_settings: DisplaySettings | None = None
    settings_keeper: SettingsKeeper | None = None
    backups: Backups | None = None
    backup_settings: BackupSettingsKeeper | None = None
    serial_scanner: SerialLine | None = None
    sync: SyncRunner | None = None
    updates: Updates | None = None
    program: RunningProgram | None = None
    first_start: FirstStartControl | None = None
    puts_back: PutsBack | None = None
    till_looks_whole: bool = True
    printers: PrintersHere = field(default_factory=PrintersHere)
    cashier_here: CashierHere = field(default_factory=CashierHere)
    platform_here: PlatformHere = field(default_factory=PlatformHere)
    display_here: DisplayHere = field(default_factory=DisplayHere)
    scanner_here: ScannerHere = field(default_factory=ScannerHere)
    settings_here: SettingsHere = field(default_factory=SettingsHere)
    faults: StorageFaults = field(default_factory=StorageFaults)

    def __post_init__(self) -> None:
        """Let selling ask for the present answer about VAT, which a manager may change."""
        object.__setattr__(self, "till", replace(self.till, in_vat=lambda: self.in_vat))

    @property
    def settings(self) -> Settings:
        return self.settings_here.saved or self.started_with

    def keep_look(self, setting: str, value: str) -> None:
        """Save a setting of the look. After a failure the next start only looks as this one did."""
        keeper = self.settings_keeper
        if keeper is None or keeper.given_elsewhere((setting,)):
            return
        try:
            self.settings_here.saved = keeper.change({setting: value})
        except (MachineError, NotAllowed) as error:
            _log.warning("%s is not kept: %s", setting, error)

    @property
    def server(self) -> ServerView:
        """The last seen state of server and processor; `outbox.listen(on_server=…)` reports
        changes."""
        return self.outbox.view

    @property
    def cashier(self) -> str:
        if self.here.person is not None:
            return self.here.person.name
        saved = self.cashier_here.saved
        return saved.cashier if saved is not None else self.settings.till.cashier

    async def receipt_now(self, reference: str) -> ShownReceipt:
        """The server's receipt, on which no act may begin while the till's own one is under way."""
        shown_receipt = await self.receipts.receipt(reference)
        overview = held_by_own_act(self.sales, shown_receipt.overview)
        return replace(shown_receipt, overview=overview)

    def name_who_is_alone(self) -> None:
        """Give the one person who works here the name that the receipts have, so that lock, people,
        settings and receipts say the same. A name that somebody had who works here no more, and a
        file that takes nothing now, leave it as it is."""
        people = self.people.people()
        if len(people) == 1 and people[0].name != self.cashier:
            with suppress(Invalid, MachineError):
                self.people.change(people[0], name=self.cashier, role=people[0].role)

    @property
    def signs_in(self) -> bool:
        return signs_in(self.people.people())

    @property
    def locks(self) -> bool:
        """Whether the till can be locked, because somebody can unlock it by PIN or badge. It can't
        while nobody's PIN can be read."""
        try:
            return self.here.person is not None or self.manager.is_set()
        except MachineError:
            return False

    @property
    def left_locked(self) -> datetime | None:
        """The time since which a till of one person is locked, also before this start, or None
        where it is not. Raises MachineError."""
        return None if self.signs_in or not self.manager.is_set() else self.acts.left_locked()

    def leave(self, act: Act, percent: Decimal = Decimal(0)) -> Leave:
        """Whether the person who works here may do the act. percent: of a discount."""
        person = self.here.person
        if person is None and self.signs_in:
            return Leave.NEVER
        if person is None:
            needs_manager = act is Act.REFUND and self.settings.till.refund_needs_manager
            return Leave.ASKS if needs_manager else UNSIGNED[act]
        rights = self.people.rights()
        if act is Act.DISCOUNT:
            return rights.discount(person.role, percent)
        return rights.leave(act, person.role)

    @property
    def sees_turnover(self) -> bool:
        """Whether the person who works here may see what was taken without asking somebody: the X
        report, the sums above the list of receipts, the parts of the expected cash."""
        return self.leave(Act.X_REPORT) is Leave.MAY

    def may(self, act: Act) -> bool:
        """Whether the act may be done, even if somebody has to lift it."""
        return self.leave(act) is not Leave.NEVER

    def lifters(self, act: Act, percent: Decimal = Decimal(0)) -> tuple[Person, ...]:
        """The people who can lift the act here, by PIN or badge. There are none if the person at
        the till can never do it."""
        if self.leave(act, percent) is Leave.NEVER:
            return ()
        people, rights = self.people.people(), self.people.rights()
        return tuple(
            one
            for one in people
            if (one.has_pin or one.has_badge) and rights.may_lift(act, one.role, percent=percent)
        )

    def note(
        self,
        done: NotedAct,
        subject: str = "",
        *,
        before: str = "",
        after: str = "",
        sale_key: str = "",
        lifted_by: str = "",
    ) -> None:
        """Log an act that has no transaction of its own. lifted_by: the person who lifted it,
        unless `here` knows that. Raises DiskFull, DatabaseBusy, DatabaseDamaged."""
        with self.here.lifting(lifted_by) if lifted_by else nullcontext():
            self.acts.write(
                done,
                by=self.cashier,
                at=self.till.clock.now(),
                subject=subject,
                before=before,
                after=after,
                sale_key=sale_key,
            )

    @property
    def in_vat(self) -> bool:
        saved = self.cashier_here.saved
        return saved.in_vat if saved is not None else self.settings.esir.in_vat

    @property
    def customer_display(self) -> DisplaySetup:
        display = self.settings.customer_display
        started = DisplaySetup(display.monitor, display.pictures, display.theme)
        return self.display_here.saved or started

    @property
    def has_platform(self) -> bool:
        saved = self.platform_here.saved_url
        return bool(saved if saved is not None else self.settings.platform.url)

    @property
    def rates(self) -> Mapping[TaxLabel, Decimal]:
        """Today's rate of each tax label, in percent, from the processor's last status."""
        status = self.server.status
        return rates_by_label(status.rates if status is not None else (), self.till.clock.now())

    @property
    def rates_told(self) -> TaxRates | None:
        """The rates that the processor told last for today, or None."""
        status = self.server.status
        return None if status is None else rates_at(status.rates, self.till.clock.now())

    @property
    def is_chosen_demo(self) -> bool:
        """Whether this shop is the demo that was chosen in the first start of a shop's till."""
        first = self.first_start
        return first is not None and first.read().choice is ShopChoice.DEMO

    @property
    def in_whole_dinars(self) -> bool:
        return self.settings.till.cash_rounding == "whole_dinar"

    @property
    def limits(self) -> UsualLimits:
        """The limits above which the till asks whether a typed number is right."""
        till = self.settings.till
        return UsualLimits(
            Quantity(till.ask_from_quantity),
            Money(till.ask_from_line_total),
            till.ask_above_cash_times,
            {
                Measure.KILOGRAM: till.ask_above_kilograms,
                Measure.LITRE: till.ask_above_litres,
                Measure.METRE: till.ask_above_metres,
                Measure.PIECE: till.ask_above_pieces,
            },
            till.ask_above_usual_times,
            self.catalogue.usual_amount,
            Money(till.ask_from_cash),
        )

    @property
    def has_drawer(self) -> bool:
        """Whether a cash drawer is wired to the server's printer."""
        printer = self.printers.saved or self.settings.printer
        return (
            self.receipt_printer is not None and printer.kind != "none" and printer.drawer != "none"
        )

    @property
    def ways_here(self) -> frozenset[receipt_drafts.DeliveryWay]:
        return ways_here(self.settings, saved=self.printers.saved)

    @property
    def may_mail(self) -> bool:
        return receipt_drafts.DeliveryWay.EMAIL in self.ways_here

    @property
    def usual_delivery(self) -> receipt_drafts.DeliveryDraft:
        """The store's usual way of handing over."""
        return receipt_drafts.Drafts.usual(self.catalogue.store(), built=self.ways_here).delivery

    def own_buyer(self) -> BuyerId:
        """The shop as the buyer of a receipt by which it corrects its own error. Raises NotAllowed
        while nothing can be signed, or its tax number is unknown."""
        if self.server.signs_nothing:
            raise NotAllowed("correction_waits")
        status = self.server.status
        if status is None or not status.seller_pib:
            raise NotAllowed("seller_unknown")
        return BuyerId(receipt_drafts.USUAL_KIND, status.seller_pib)

    def scale_rules(self) -> ScaleRules:
        return self.code_rules().scale

    def code_rules(self) -> CodeRules:
        return code_rules(self.settings, self.read_gs1, self.verifier_of)

    def copy_follows(self, methods: Collection[PaymentMethod]) -> bool:
        """Whether this shop's setup demands a copy of a refund by these methods."""
        esir = self.settings.esir
        return copy_follows(
            methods,
            of_every=esir.refund_copy == "every",
            restricted_payments=esir.restricted_payments,
        )

    @property
    def asks_to_queue(self) -> bool:
        """Whether a sale that is refused because no processor signs now ("hold") may be queued
        once the act QUEUE is lifted."""
        return (
            self.server.signs_nothing
            and self.settings.till.queue_without_processor == "allowed"
            and self.leave(Act.QUEUE) is Leave.ASKS
            and not self.here.lifts(Act.QUEUE)
        )

    def hindrance(self, kind: DocumentKind, *, exchanged: bool = False) -> NotAllowed | None:
        """The reason why a document of this kind can't be confirmed now, or None."""
        if not self.server.signs_nothing:
            return None
        may_wait = self.settings.till.queue_without_processor == "allowed"
        may_wait &= self.leave(Act.QUEUE) is Leave.MAY or self.here.lifts(Act.QUEUE)
        return confirm_checks.without_processor(kind, may_wait=may_wait, exchanged=exchanged)


def ways_here(
    settings: Settings, *, saved: PrinterSetup | None = None
) -> frozenset[receipt_drafts.DeliveryWay]:
    """The ways of handing over for which the server has a device; a PDF needs none.

    saved: the printers, where they were changed since the settings were read.
    """
    kind = saved.kind if saved is not None else settings.printer.kind
    queue = saved.a4_queue if saved is not None else settings.a4.queue
    devices = {
        receipt_drafts.DeliveryWay.THERMAL: kind != "none",
        receipt_drafts.DeliveryWay.A4: bool(queue),
        receipt_drafts.DeliveryWay.EMAIL: bool(settings.mail.host),
    }
    return frozenset({receipt_drafts.DeliveryWay.PDF}) | {
        way for way, is_set in devices.items() if is_set
    }
