"""The till as a program: the core, the window over it, and the tasks beside them."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypedDict

from pos_app import errors, installed, log
from pos_app.adapters.backup.process import DailyBackup
from pos_app.adapters.data_folder import TILL
from pos_app.adapters.data_folder.first_start_file import FirstStartFile
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.running_mark import marked
from pos_app.adapters.data_folder.settings_file import SettingsFile, settings_with, write_settings
from pos_app.adapters.data_folder.upgrade_mark import RESTORE_MARK
from pos_app.adapters.gs1 import read_gs1, verifier_of
from pos_app.adapters.machine import MachineHere
from pos_app.adapters.serial_scanner import SerialScanner
from pos_app.adapters.server_process.service import is_kept_by_service
from pos_app.adapters.sound.tones import TonePlayer
from pos_app.adapters.sqlite.copy_before_opening import is_to_be_copied
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.adapters.support_bundle import SupportHere
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.bootstrap.till.demo import demo_at_its_port, prepare_demo
from pos_app.cashier.services import display_setup
from pos_app.cashier.services.till_services import TillServices, Tones
from pos_app.cashier.start import app
from pos_app.cashier.start.opening import Opening
from pos_app.cashier.start.single_window import call_to_front
from pos_app.cashier.start.start_error import show_start_error
from pos_app.cashier.texts.lookup import Language
from pos_app.cashier.window.till_window import TillWindow
from pos_app.keep_running import keep_running
from pos_app.selling import backups
from pos_app.selling.first_start import FirstStart, FirstStartControl, ShopChoice
from pos_app.selling.sale.cashier_setup import IN_VAT, NAME, CashierSetup
from pos_app.settings import Settings, load, named, variable_that_sets

(MAIL_AUTHORITIES,) = named("mail", "ca_file")

_OF_ANOTHER = ("other_till", "unreleased")
"""The faults of a file that belongs to another till or to no released version. Its sales are not
sent."""

REOPENS = -1
"""The status of a till in whose place the installed program is opened."""
LOOK_SECONDS = 15.0
"""Seconds between two looks at the program's own files."""
LOADS_SECONDS = 2.0
"""Seconds from the start to the loading of what only a later scan needs."""

CarriesOut = Callable[[Path, backups.AskedBack, Callable[[int, int], None]], None]
"""Puts a set back in a data folder, and reports the bytes done, and all bytes."""
Closes = Callable[[Callable[[], object]], object]
"""Closes the till, if a person agrees; what it is given notes before why the till closes."""

_log = log.get(__name__)


def run_till(
    settings: Settings,
    *,
    on_address: Callable[[str], None] | None = None,
    reread: Callable[[], Settings] | None = None,
    put_back: CarriesOut | None = None,
) -> int:
    """Open the till, and return its exit status. A fault that keeps it from opening is shown, then
    raised.

    A till that is open already comes to the front instead. on_address: called with the server's
    address when it answers for the first time. reread: returns the present settings; if it is
    given, a folder without a shop has its first start, after which the till is opened anew.
    put_back: puts a backup back between two tills.
    """
    opening = Opening()
    puts_back = None if reread is None or put_back is None else PutsBackHere(put_back)
    try:
        while True:
            first = FirstStartHere(settings) if reread is not None else None
            shop = settings if first is None else first.shop()
            program = TillProgram(
                shop, on_address=on_address, first_start=first, opening=opening, puts_back=puts_back
            )
            with marked("till", shop.data):
                program.uncopied = _copied_first(shop, opening)
                status = _open(shop, program, opening)
                if program.here.reopens:
                    return REOPENS
                if puts_back is not None:
                    puts_back.carry_out(shop.data, opening)
            if first is None or reread is None or not first.reopens:
                return status
            settings = reread()
    except errors.PosError as error:
        opening.close()
        show_start_error(error, language=settings.till.language, theme=settings.till.theme)
        raise


def _copied_first(settings: Settings, opening: Opening) -> errors.MachineError | None:
    """Copy a shop that another version opened last, and return what a person has to know where
    there is no copy. A second till that starts meanwhile copies nothing, and calls this one."""
    data, till = settings.data, settings.till
    if not is_to_be_copied(data):
        return None
    from pos_app.adapters.sqlite.shop_upgrade import copy_once  # most tills never need it

    try:
        lock = FolderLock(data / "till" / LOCK_NAME, what="till")
    except errors.AlreadyRunning:
        return None
    with closing(lock):
        fault = app.copy_behind(
            opening,
            data,
            lambda report_progress: copy_once(data, report_progress=report_progress),
            language=till.language,
            theme=till.theme,
        )
    if fault is None or isinstance(fault, errors.DatabaseDamaged):
        return None  # the till itself tells of damage
    is_full = isinstance(fault, errors.DiskFull)
    return errors.DiskFull("uncopied") if is_full else errors.MachineError("uncopied")


def _open(settings: Settings, program: TillProgram, opening: Opening) -> int:
    try:
        return program.run()
    except errors.DatabaseDamaged as error:
        if error.file != TILL.name or error.kind in _OF_ANOTHER:
            raise
        raise _sent_of(error, settings, opening) from error
    except errors.AlreadyRunning as error:
        if error.kind != "till":
            raise
        if call_to_front(settings.data):
            _log.info("the till is open already: it was called to the front")
            return 0
        raise errors.AlreadyRunning(
            "silent_till", program="till", path=str(settings.data)
        ) from error


def _sent_of(
    error: errors.DatabaseDamaged, settings: Settings, opening: Opening
) -> errors.DatabaseDamaged:
    """Send the readable sales of a till's file that does not open; return the error to show."""
    from pos_app.bootstrap.till.damaged_till import send_from_damaged  # most tills never need it

    def send(report_progress: Callable[[int, int], None]) -> errors.DatabaseDamaged:
        try:
            return send_from_damaged(error, settings, report_progress)
        except errors.AlreadyRunning:
            raise
        except errors.MachineError as fault:  # mostly a full disk: the damage is shown
            _log.error("what a damaged file tells could not be sent: %s", fault.what)
            return error

    till = settings.till
    return app.send_unsent_behind(opening, send, language=till.language, theme=till.theme)


def _at_once(note: Callable[[], object]) -> None:
    note()


class FirstStartHere:
    """Implements selling.first_start.FirstStartControl for a data folder."""

    def __init__(self, settings: Settings) -> None:
        """Begin the first start. settings: the folder's own settings. Raises
        DataFolderNotWritable."""
        self._settings = settings
        self._file = FirstStartFile(settings.data)
        self._close: Closes = _at_once
        self.reopens = False
        if settings.environment != "demo":
            self._file.begin()

    def shop(self) -> Settings:
        """Return the settings of the shop to open: the folder's own, or its demo's. Raises what
        `prepare_demo` does."""
        if self.read().choice is not ShopChoice.DEMO:
            return self._settings
        return demo_at_its_port(self._prepared_demo())

    def close_with(self, close: Closes) -> None:
        self._close = close

    def read(self) -> FirstStart:
        return self._file.read()

    def save(self, start: FirstStart) -> None:
        self._file.save(start)

    async def prepare_demo(self) -> None:
        await asyncio.to_thread(self._prepared_demo)

    def _prepared_demo(self) -> Settings:
        """Prepare the demo; a new one has the language of the till in which it was chosen."""
        language = load(self._settings.data).till.language
        return prepare_demo(self._file.demo, tell=_log.info, language=language)

    def keep_language(self, language: Language) -> None:
        _change(self._settings.data, {"till.language": language})

    def reopen(self, start: FirstStart | None = None) -> None:
        self._close(partial(self._note, start))

    def _note(self, start: FirstStart | None) -> None:
        if start is not None:
            self.save(start)
        self.reopens = True


class PutsBackHere:
    """Implements selling.backups.PutsBack between two tills of this program."""

    def __init__(self, put_back: CarriesOut) -> None:
        self._put_back = put_back
        self._asked: backups.AskedBack | None = None
        self.reopen: Callable[[], None] = lambda: None
        """Closes the open till, which another one replaces."""
        self.fault: errors.PosError | None = None

    @property
    def is_asked(self) -> bool:
        return self._asked is not None

    def begin(self, asked: backups.AskedBack) -> None:
        if self._asked is None:
            self._asked = asked
            self.reopen()

    def carry_out(self, data: Path, opening: Opening) -> None:
        """Put the set back, after the till is closed. Raises PosError where the set is half put
        back, which the next start continues."""
        if self._asked is None:
            return
        asked, self._asked, self.fault = self._asked, None, None
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)  # ended at any step, the next start continues it
        _log.warning("the backup %s is put back", asked.folder)
        try:
            app.put_back_behind(
                opening, lambda report_progress: self._put_back(data, asked, report_progress)
            )
        except errors.PosError as error:
            if (data / RESTORE_MARK).exists():
                raise
            _log.error("no backup was put back: %s", error.what)
            self.fault = error


class ProgramHere:
    """Implements selling.updates.RunningProgram for this process."""

    def __init__(self) -> None:
        self.is_replaced = self.reopens = False
        self.close: Closes = _at_once
        self._tell: Callable[[], None] = lambda: None

    def listen(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def reopen(self) -> None:
        self.close(self._note)

    def _note(self) -> None:
        self.reopens = True

    async def keep_looking(self) -> None:
        """Look at the files until they are others."""
        while not self.is_replaced:
            await asyncio.sleep(LOOK_SECONDS)
            self.is_replaced = await asyncio.to_thread(installed.is_replaced)
        _log.warning("the files of this program were exchanged; it has to be opened anew")
        self._tell()
        await asyncio.Event().wait()


class CashierInSettings:
    """Implements selling.sale.cashier_setup.CashierSettings with settings.toml."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def given_elsewhere(self) -> tuple[str, ...]:
        return tuple(name for name in (NAME, IN_VAT) if variable_that_sets(name))

    def save(self, setup: CashierSetup) -> None:
        values, given = {NAME: setup.cashier, IN_VAT: setup.in_vat}, self.given_elsewhere()
        _change(self._data, {name: one for name, one in values.items() if name not in given})


class DisplayInSettings:
    """Implements cashier.display_setup.DisplaySettings with settings.toml."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def given_elsewhere(self) -> tuple[str, ...]:
        return tuple(
            name
            for name in (display_setup.MONITOR, display_setup.PICTURES, display_setup.THEME)
            if variable_that_sets(name)
        )

    def save(self, setup: display_setup.DisplaySetup) -> None:
        values = {
            display_setup.MONITOR: setup.monitor,
            display_setup.PICTURES: setup.pictures,
            display_setup.THEME: setup.theme,
        }
        given = self.given_elsewhere()
        _change(self._data, {name: one for name, one in values.items() if name not in given})


class BackupInSettings:
    """Implements selling.backups.BackupSettings with settings.toml."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def read(self) -> backups.BackupSetup:
        backup = load(self._data).backup
        return backups.BackupSetup(backup.folder, backup.daily, self._given())

    def _given(self) -> tuple[str, ...]:
        return tuple(name for name in (backups.FOLDER, backups.DAILY) if variable_that_sets(name))

    def save(self, setup: backups.BackupSetup) -> None:
        values, given = {backups.FOLDER: setup.folder, backups.DAILY: setup.daily}, self._given()
        _change(self._data, {name: one for name, one in values.items() if name not in given})


def _change(data: Path, changes: Mapping[str, object]) -> None:
    write_settings(data, settings_with(data, changes)[1])


def check_for_server(settings: Settings, changed: Collection[str]) -> None:
    """Raise SettingsBroken for typed values with which the server would not start, or could send no
    mail. changed: the settings whose files are checked."""
    from pos_app.bootstrap.issuing.devices import check_mail_authorities
    from pos_app.bootstrap.issuing.store_pdf import check_receipt

    check_receipt(settings)
    if MAIL_AUTHORITIES in changed:
        check_mail_authorities(settings)


class TillProgram:
    """One run of the till. `core` is None until the window opens its services."""

    def __init__(
        self,
        settings: Settings,
        *,
        on_address: Callable[[str], None] | None = None,
        first_start: FirstStartHere | None = None,
        opening: Opening | None = None,
        puts_back: PutsBackHere | None = None,
    ) -> None:
        """opening: covers the window of an earlier till until this one is painted."""
        self._settings = settings
        self._on_address = on_address
        self._first_start = first_start
        self._opening = opening or Opening()
        self._puts_back = puts_back
        self.core: TillCore | None = None
        self.uncopied: errors.MachineError | None = None
        """Why the shop was not copied before this version opened it; the window shows it."""
        self.here = ProgramHere()
        self._minutes_still: Callable[[], float] = lambda: 0.0

    def run(
        self,
        *,
        on_ready: Callable[[TillWindow], None] | None = None,
        size: tuple[int, int] | None = None,
    ) -> int:
        """Show the window until it is closed, by the cashier or by SIGTERM. Raises what opening the
        core raises."""

        def ready(window: TillWindow) -> None:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: window.close())
            self._minutes_still = lambda: window.hands.minutes_still
            self.here.close = lambda note: self._close_for_another(window, note)
            if self._first_start is not None:
                self._first_start.close_with(self.here.close)
            self._tell_put_back(window)
            if self.uncopied is not None:
                window.frame.home.show_error(self.uncopied)
            if on_ready is not None:
                on_ready(window)

        return app.run(
            open_services=self._open_services,
            background=self._background,
            on_ready=ready,
            opening=self._opening,
            size=size,
        )

    def _tell_put_back(self, window: TillWindow) -> None:
        """Show why the requested backup was not put back; let the next request reopen the till."""
        puts_back = self._puts_back
        if puts_back is None or self._first_start is None:
            return
        puts_back.reopen = self._first_start.reopen
        if puts_back.fault is not None:
            window.frame.home.show_error(puts_back.fault)

    def _close_for_another(self, window: TillWindow, note: Callable[[], object]) -> None:
        """Close for a till that opens in this one's place; ask before where that cuts work off."""

        def close() -> None:
            note()
            self._close_covered(window)

        window.ways_out.ask_if_busy(close)

    def _close_covered(self, window: TillWindow) -> None:
        """Close the window under a cover, which stays until another till opens."""
        puts_back = self._puts_back is not None and self._puts_back.is_asked
        self._opening.cover(
            window, window.theme, window.texts, then=window.close, puts_back=puts_back
        )

    @contextmanager
    def _open_services(self) -> Iterator[TillServices]:
        with (
            open_till_core(self._settings) as core,
            closing(TonePlayer()) as tones,
            closing(SerialScanner()) as scanner,
        ):
            self.core = core
            core.server.listen(self._tell_address)
            services = services_of(core, tones, first_start=self._first_start)
            services.name_who_is_alone()
            # A till can't stop a service's server; support stops the service and puts a set back.
            puts_back = None if is_kept_by_service(self._settings.data) else self._puts_back
            here = self.here if self._first_start is not None else None
            yield replace(services, serial_scanner=scanner, puts_back=puts_back, program=here)

    def _tell_address(self, fault: errors.MachineError | None) -> None:
        if fault is None and self.core is not None and self._on_address is not None:
            report, self._on_address = self._on_address, None
            report(f"http://127.0.0.1:{self.core.server.port}")

    def _background(self, services: TillServices) -> Sequence[Coroutine[object, object, None]]:
        work = [keep_running(services.outbox.run, "the outbox"), self._keep_server(), _load_gs1()]
        work.append(keep_running(self.here.keep_looking, "the look at the program's files"))
        core = self.core
        daily = DailyBackup(self._settings.data) if core is None else core.backups.daily
        work.append(keep_running(lambda: daily.run(self._still_seconds), "the daily backup"))
        if core is not None:
            work.append(keep_running(core.sync.run, "the synchronisation"))
        if core is not None and not core.database.looks_whole:
            work.append(self._send_beside(core))
        if core is not None and core.updates is not None:
            work.append(keep_running(core.updates.keep_looking, "the look for updates"))
        return work

    async def _send_beside(self, core: TillCore) -> None:
        from pos_app.bootstrap.till.damaged_till import send_beside  # most tills never need it

        try:
            await send_beside(self._settings, core.install, core.server)
        except errors.PosError as error:  # the till itself reports the damage of its file
            _log.error("what a damaged file tells could not be sent: %s", error.what)

    def _still_seconds(self) -> float:
        return self._minutes_still() * 60

    async def _keep_server(self) -> None:
        core = self.core
        assert core is not None
        try:
            await core.server.run()
        finally:
            await core.let_go()


async def _load_gs1() -> None:
    """Load the tables of GS1 messages once the window stands, for the first scan of one."""
    await asyncio.sleep(LOADS_SECONDS)
    await asyncio.to_thread(read_gs1, "")


def services_of(
    core: TillCore, tones: Tones, *, first_start: FirstStartControl | None = None
) -> TillServices:
    settings = core.settings
    return TillServices(
        till=core.till,
        sales=core.database.sales,
        catalogue=core.catalogue,
        table=core.table,
        editor=core.editor,
        catalogue_files=core.catalogue_files,
        buyers=core.database.buyers,
        people=core.database.people,
        here=core.database.here,
        manager=core.database.manager,
        acts=core.database.acts,
        outbox=core.outbox,
        server_decisions=core.doubts,
        server_jobs=core.server_jobs,
        local_api=core.local_api,
        receipt_printer=core.receipt_printer,
        processor_setup=core.processor_setup,
        printer_setup=core.printer_setup,
        platform_setup=core.platform_setup,
        mail_setup=core.mail_setup,
        backups=core.backups,
        **_in_settings(settings.data),
        sync=core.sync,
        updates=core.updates,
        first_start=first_start,
        openings=core.database.drawer,
        decisions=core.database.decisions,
        collected=core.database.collected,
        receipts=core.receipts,
        receipt_export=core.receipt_export,
        report_export=core.report_export,
        buyer_sheets=core.buyer_sheets,
        receipt_files=core.receipt_files,
        shifts=core.database.shifts,
        till_looks_whole=core.database.looks_whole,
        paper_files=core.paper_files,
        machine=MachineHere(settings.data),
        support=SupportHere(settings.data, token=core.install.token, clock=core.till.clock),
        keeper=core.server,
        tones=tones,
        started_with=settings,
        not_fiscal=settings.processor.kind == "development",
        read_gs1=read_gs1,
        verifier_of=verifier_of,
    )


class _InSettings(TypedDict):
    """What the window changes of a folder's settings, by the names of `TillServices`."""

    cashier_settings: CashierInSettings
    display_settings: DisplayInSettings
    settings_keeper: SettingsFile
    backup_settings: BackupInSettings


def _in_settings(data: Path) -> _InSettings:
    return {
        "cashier_settings": CashierInSettings(data),
        "display_settings": DisplayInSettings(data),
        "settings_keeper": SettingsFile(data, check=check_for_server),
        "backup_settings": BackupInSettings(data),
    }
