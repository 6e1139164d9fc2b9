from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QApplication

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.stores import SqliteStoreEdits
from pos_app.cashier.scanner.decoder import LAYOUTS
from pos_app.cashier.scanner.trial import TriedScan
from pos_app.cashier.services.display_setup import MONITOR, DisplaySetup, Monitor
from pos_app.cashier.services.self_test import tested
from pos_app.cashier.settings.api_model import ApiModel
from pos_app.cashier.settings.backup_model import BackupModel
from pos_app.cashier.settings.buyers_model import BuyerBookModel
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import ChosenFile, Entry, ProcessorKind
from pos_app.cashier.settings.store_model import StoreText
from pos_app.cashier.settings.values import HOST, NETWORK, ValuePage
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.window.screens import SETTINGS
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.article.store import PrintMethod
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup.backup import BackupSet, BackupWhy, Lacking, LastTry, SetHolds
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.domain.setup.platform_setup import PlatformTrial
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterUse
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorTrial
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import DiskFull, NotDelivered, Refused
from pos_app.selling.backups import FOLDER, BackupSetup, BackupsHere
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.buyers.buyer_sheet import read_sheet
from pos_app.selling.catalogue.bulk_change import LabelForAll
from pos_app.selling.file_work import FileProgress
from pos_app.selling.people.rights import Act, Role
from pos_app.selling.sale.cashier_setup import IN_VAT, CashierSetup
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.self_test import MachineFacts
from tests.fakes.fiscal_server import receipt
from tests.fakes.inner_connection import connection_of
from tests.fakes.many_articles import planned_rows
from tests.fakes.people_here import let_in, sign_in
from tests.fakes.platform_setup import OURS
from tests.fakes.printer_setup import IN_THE_SHOP
from tests.fakes.processor_setup import ANSWERED, CERTIFICATE, LPFR
from tests.fakes.services_in_memory import DisplayOfMonitors
from tests.gui import pictures
from tests.gui.crawl.posing import named, over_till
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.window.joining import ask_to_join
from tests.gui.window.posed import Pose
from tests.gui.window.shop import BREAD, RATES, NoDoubts, Shop, run

PIN = "2580"
T = TypeVar("T")


def done(coroutine: Coroutine[object, object, None]) -> None:
    """Run a coroutine that never really waits."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits")


def opened(shop: Shop, window: TillWindow, page: PageName = PageName.PROCESSOR) -> SettingsScreen:
    """Open a page of the settings, with the PIN."""
    vars(window.tasks)["start"] = _at_once  # pictures have no loop
    window.frame.open(SETTINGS)
    screen = inside(window).settings
    let_in(screen.model, PIN)
    screen.model.choose(page)
    pictures.settle()
    return screen


def at(name: str, page: PageName) -> Pose:
    def pose(shop: Shop, window: TillWindow) -> None:
        opened(shop, window, page)

    pose.__name__ = name
    return pose


def _at_once(
    coroutine: Coroutine[object, object, None], *, name: str, on_failure: object = None
) -> None:
    """Also run work in a thread to its end, such as the check of a PIN."""
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(coroutine)
    finally:
        loop.close()


def first_pin(shop: Shop, window: TillWindow) -> None:
    window.frame.open(SETTINGS)


def lpfr(shop: Shop, window: TillWindow) -> None:
    run(shop.serve())
    opened(shop, window)


def lpfr_tried(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.trial = lambda _: replace(
        ANSWERED,
        clock_ahead_ms=-95_300,
        missing_labels=("А",),
        labels=("Ђ", "Е", "Г"),
        pin_required=True,
        known_uid="ZZZZ9999",
    )
    screen = opened(shop, window)
    done(screen.model.processor.try_out())


def lpfr_training(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.answers = [Issued("r-1", receipt(57))]
    run(shop.serve())
    done(opened(shop, window).model.processor.issue_training())


def lpfr_away(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.trial = lambda _: ProcessorTrial(fault="away", message="no answer")
    screen = opened(shop, window)
    screen.model.processor.type(Entry.URL, "http://192.168.1.40:8888")
    done(screen.model.processor.try_out())


def vpfr(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.trial = lambda _: replace(
        ANSWERED, certificate=CERTIFICATE, uid="EFGH5678"
    )
    model = opened(shop, window).model.processor
    model.choose_kind(ProcessorKind.VPFR)
    model.pfx = ChosenFile("lipa-ns-02.pfx", b"x")
    model.type(Entry.PASSWORD, "tajna")
    model.type(Entry.PAC, "AB12CD")
    done(model.try_out())


def vpfr_wrong(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.trial = lambda change: ProcessorTrial(
        fault="pac" if change.password == "tajna" else "password"
    )
    model = opened(shop, window).model.processor
    model.choose_kind(ProcessorKind.VPFR)
    model.pfx = ChosenFile("lipa-ns-02.pfx", b"x")
    model.type(Entry.PASSWORD, "tajna?")
    done(model.try_out())
    model.faults[Entry.PAC] = "pac"
    model.announce()


def vpfr_in_use(shop: Shop, window: TillWindow) -> None:
    soon = replace(CERTIFICATE, expires=shop.clock.now() + timedelta(days=9))
    shop.processor_setup.told = replace(
        LPFR,
        kind="vpfr",
        url="",
        certificate=soon,
        has_pac=True,
        has_ca=True,
        status=server_status.ProcessorStatus(
            "vpfr", server_status.ProcessorState.CERTIFICATE, uid="EFGH5678", url=CERTIFICATE.url
        ),
        given_elsewhere=("processor_pac",),
    )
    screen = opened(shop, window)
    screen.model.processor.set_used_here_alone(False)
    done(screen.model.processor.save())


def development(shop: Shop, window: TillWindow) -> None:
    screen = opened(shop, window)
    screen.model.processor.choose_kind(ProcessorKind.DEVELOPMENT)


def no_answer(shop: Shop, window: TillWindow) -> None:
    async def silent() -> None:
        raise NotDelivered(what="The server does not answer.")

    vars(shop.processor_setup)["setup"] = silent
    opened(shop, window)


def printers(shop: Shop, window: TillWindow) -> None:
    desk = shop.printer_setup
    desk.told = replace(IN_THE_SHOP, a4_queue="Kancelarija")
    model = opened(shop, window, PageName.PRINTERS).model.printers
    done(model.look_for())
    done(model.try_out(PrinterUse.RECEIPT))
    done(model.print_page(PrinterUse.RECEIPT))
    desk.trial = replace(desk.trial, fault="offline")
    done(model.try_out(PrinterUse.A4))


def printers_serial(shop: Shop, window: TillWindow) -> None:
    desk = shop.printer_setup
    desk.told = IN_THE_SHOP
    desk.job = replace(desk.job, state=JobState.UNPROVEN, trouble="cut_off")
    model = opened(shop, window, PageName.PRINTERS).model.printers
    done(model.look_for())
    done(model.print_page(PrinterUse.A4))
    model.choose_kind(PrinterKind.SERIAL)
    model.type(PrinterUse.RECEIPT, "/dev/ttyUSB0")


def printers_wrong(shop: Shop, window: TillWindow) -> None:
    shop.printer_setup.refuses = Refused("address", what="no")
    model = opened(shop, window, PageName.PRINTERS).model.printers
    model.choose_kind(PrinterKind.NETWORK)
    model.type(PrinterUse.RECEIPT, "192.168 1.50")
    done(model.save())


def cashier_out_of_vat(shop: Shop, window: TillWindow) -> None:
    opened(shop, window, PageName.VAT).model.cashier.choose(in_vat=False)


def cashier_asks(shop: Shop, window: TillWindow) -> None:
    cashier_out_of_vat(shop, window)
    asks(window)


def cashier_asks_entering(shop: Shop, window: TillWindow) -> None:
    without_vat(shop)
    shop.services.cashier_here.saved = CashierSetup("Мира", in_vat=False)
    opened(shop, window, PageName.VAT).model.cashier.choose(in_vat=True)
    asks(window)


def labels_of_vat(shop: Shop, window: TillWindow) -> None:
    told(shop)
    shop.services.cashier_here.saved = CashierSetup("Мира", in_vat=False)
    inside(window).open_case("tax labels")


def labels_outside_vat(shop: Shop, window: TillWindow) -> None:
    without_vat(shop)
    inside(window).open_case("tax labels")


def told(shop: Shop) -> None:
    async def asked() -> None:
        shop.server.rates = (RATES,)
        await shop.outbox.step()

    done(asked())


def without_vat(shop: Shop) -> None:
    told(shop)
    services = shop.services
    products = services.table.labelled(tuple(TaxLabel)).products
    rows = planned_rows(services.catalogue, products, LabelForAll(TaxLabel.A))
    work = services.catalogue_files.change(rows, by="Мира")
    while work.result() is None:
        time.sleep(0.02)


def asks(window: TillWindow) -> None:
    page_in_front(window.frame, "set.page.vat").press_main()
    pictures.settle()


def cashier_in_sale(shop: Shop, window: TillWindow) -> None:
    shop.cashier_settings.given = (IN_VAT,)
    inside(window).model.entry.enter_code(BREAD)
    opened(shop, window, PageName.VAT)


def rights(shop: Shop, window: TillWindow) -> None:
    """The table of rights, with cells that are not saved yet; three people work here."""
    sign_in(shop.services)
    shop.services.here.person = shop.services.people.people()[0]
    shop.services.people.keep_badge(shop.services.people.people()[1], "BADGE-1")
    model = people_page(window).model.people
    model.turn(Act.DISCOUNT, Role.LEAD)
    model.turn(Act.REFUND, Role.CASHIER)


def person(shop: Shop, window: TillWindow) -> None:
    people = opened(shop, window, PageName.PEOPLE).model.people
    people.edit(None)
    people.type(name="Мира", pin="12", again="13")
    done(people.save_person())


def removal(shop: Shop, window: TillWindow) -> None:
    rights(shop, window)
    people = inside(window).settings.model.people
    people.edit(shop.services.people.people()[1])
    people.ask_removal(True)


def people_page(window: TillWindow) -> SettingsScreen:
    window.frame.open(SETTINGS)
    screen = inside(window).settings
    screen.model.choose(PageName.PEOPLE)
    QApplication.processEvents()
    return screen


def cashier_saved(shop: Shop, window: TillWindow) -> None:
    shop.services.cashier_here.saved = CashierSetup("Мира", in_vat=False)
    model = opened(shop, window, PageName.VAT).model.cashier
    model.choose(in_vat=True)
    done(model.save())


THE_TWO = (Monitor("till", 1366, 768, True), Monitor("DELL U2412M", 1920, 1200, False))


def receipts_words(shop: Shop, window: TillWindow) -> None:
    model = opened(shop, window, PageName.RECEIPTS).model.values[ValuePage.RECEIPTS]
    model.type("receipt.header", "Пекара и маркет Липа\nод 1998.")
    model.type("receipt.footer", "Хвала на куповини! \u6f22")
    model.refused = "receipt.footer"
    model.announce()


def signing_in(shop: Shop, window: TillWindow) -> None:
    model = opened(shop, window, PageName.SIGN_IN).model.values[ValuePage.SIGN_IN]
    model.type("people.lock_after_minutes", "1000")


def shift(shop: Shop, window: TillWindow) -> None:
    model = opened(shop, window, PageName.SHIFT).model.values[ValuePage.SHIFT]
    model.type("shift.terminals", "Терминал 1\nТерминал 2")


def shift_open(shop: Shop, window: TillWindow) -> None:
    """Shifts can't be switched off while one is open."""
    shop.database.shifts.ensure_open(by="Мира", at=shop.clock.now())
    model = opened(shop, window, PageName.SHIFT).model.values[ValuePage.SHIFT]
    model.type("shift.use", "off")


def shift_waits(shop: Shop, window: TillWindow) -> None:
    model = opened(shop, window, PageName.SHIFT).model.values[ValuePage.SHIFT]
    model.waits_for_start = True
    model.announce()


def search_typed(shop: Shop, window: TillWindow) -> None:
    opened(shop, window, PageName.STORE).finder.field.set_text("готовин")


def found_nothing(shop: Shop, window: TillWindow) -> None:
    opened(shop, window, PageName.STORE).finder.field.set_text("ракета")


class ApiDesk(NoDoubts):
    """The server's answers about the local API. token: whether there is one."""

    def __init__(self, shop: Shop, *, token: bool = True) -> None:
        at, refused = shop.clock.now(), server_status.RefusedCaller
        earlier, here, page = timedelta(minutes=3), "127.0.0.1:9999", "https://shop.example"
        self.token = token
        self.refused = (
            refused(at, "origin", "", "POST", RECEIPTS, here, page, "server.origins", page),
            refused(
                at - earlier, "host", "", "GET", RECEIPTS, "kasa.local:9999", "", "server.names",
                "kasa.local",
            ),
            refused(at - 3 * earlier, "token", "", "POST", RECEIPTS, "192.168.1.20:9999"),
        )  # fmt: skip
        wrong = '40001003 "transactionType" must be one of sale'
        self.logged = (
            told_request(at, 3, status=200, took=312),
            told_request(at, 2, status=400, took=4, error=wrong),
            replace(told_request(at, 1, status=404, took=2), method="GET", target=f"{RECEIPTS}/7"),
        )

    async def refused_callers(self) -> Sequence[server_status.RefusedCaller]:
        return self.refused

    async def requests(self, *, number: int | None = None) -> Sequence[server_status.LoggedRequest]:
        return [one for one in self.logged if number in (None, one.number)]

    async def secrets(self) -> Sequence[server_status.KeptSecret]:
        return (server_status.KeptSecret("lan_token", self.token),)

    async def keep_secret(self, name: str, value: str, *, by: str) -> None:
        self.token = bool(value)

    async def reopen(self, *, by: str) -> None:
        """Do nothing: the server would open the shop again."""


RECEIPTS = "/fiscalization/receipts"


def told_request(
    at: datetime, number: int, *, status: int, took: int, error: str = ""
) -> server_status.LoggedRequest:
    body = (
        '{"invoiceType": "normal", "transactionType": "sal", "buyerId": "<buyer-left-out>", '
        '"payments": {"cash": 100}, "items": [{"quantity": 1, "sku": 16}]}'
    )
    heads = {
        "Host": "127.0.0.1:9999",
        "Content-Type": "application/json",
        "Idempotency-Key": "order-20-11-2026-0007",
        "X-Pos-Token": "<left-out>",
    }
    return server_status.LoggedRequest(
        number, at - timedelta(seconds=40 * (3 - number)), "POST", RECEIPTS, status, took, error,
        host=heads["Host"], headers=tuple(map(server_status.LoggedHeader, heads, heads.values())),
        body=body, is_masked=True,
    )  # fmt: skip


def api_page(shop: Shop, window: TillWindow, *, token: bool = True) -> ApiModel:
    desk = ApiDesk(shop, token=token)
    shop.services = replace(shop.services, server_decisions=desk, local_api=desk)
    model = opened(shop, window, PageName.API).model.api
    vars(model)["services"] = shop.services
    model.addresses = ("192.168.1.20",)
    done(model.look())
    pictures.settle()
    return model


def bring(window: TillWindow, panel: str) -> None:
    pictures.settle()
    page = page_in_front(window.frame, "set.page.api")
    area = page.findChild(Scrolled)
    area.verticalScrollBar().setValue(vars(page)[panel].y())
    pictures.settle()


def api(shop: Shop, window: TillWindow) -> None:
    api_page(shop, window, token=False).type(HOST, NETWORK)


def api_port(shop: Shop, window: TillWindow) -> None:
    model = api_page(shop, window, token=False)
    server = shop.services.settings.server.having(port=9998, host="0.0.0.0")
    saved = shop.services.settings.having(server=server)
    shop.services.settings_here.saved = saved
    model.read()
    model.waits_for_start = True
    done(model.make_token())
    bring(window, "addresses")


def api_refused(shop: Shop, window: TillWindow) -> None:
    model = api_page(shop, window)
    server = shop.services.settings.server.having(names=("kasa.local",))
    saved = shop.services.settings.having(server=server)
    shop.services.settings_here.saved = saved
    model.read()
    model.ask_to_allow(model.callers[0])
    bring(window, "refused")


def api_request(shop: Shop, window: TillWindow) -> None:
    model = api_page(shop, window)
    done(model.open(2))
    bring(window, "requests")


class _ScannerOfPictures:
    def try_out(self, on_tried: Callable[[TriedScan], None], *, wanted: Callable[[], bool]) -> None:
        self.on_tried = on_tried

    def end_trial(self) -> None: ...


def scanner(shop: Shop, window: TillWindow) -> None:
    shop.services.scanner_here.control = _ScannerOfPictures()
    shop.services.scanner_here.fault = "away"
    settings = shop.services.settings
    said = settings.scanner.having(port="/dev/ttyACM0")
    shop.services.settings_here.saved = settings.having(scanner=said)
    opened(shop, window, PageName.SCANNER)


def scanner_tried(shop: Shop, window: TillWindow) -> None:
    control = shop.services.scanner_here.control = _ScannerOfPictures()
    model = opened(shop, window, PageName.SCANNER).model.scanner
    model.start(lambda: True)
    texts = dict.fromkeys(LAYOUTS, "%8609910700134")
    control.on_tried(TriedScan(texts, "tab", 48))


def scanner_label(shop: Shop, window: TillWindow) -> None:
    control = shop.services.scanner_here.control = _ScannerOfPictures()
    model = opened(shop, window, PageName.SCANNER).model.scanner
    model.start(lambda: True)
    control.on_tried(TriedScan(dict.fromkeys(LAYOUTS, "2600013035099"), "enter", 6))


def _with_mail(shop: Shop) -> None:
    settings = shop.services.settings
    of_shop = {"user": "racuni@lipa.rs", "sender": "racuni@lipa.rs", "sender_name": "Маркет Липа"}
    said = settings.mail.having(host="mail.lipa.rs", **of_shop)
    shop.services.settings_here.saved = settings.having(mail=said)


def mail(shop: Shop, window: TillWindow) -> None:
    _with_mail(shop)
    screen = opened(shop, window, PageName.MAIL)
    screen.model.mail.type("mail.sender", "racuni.lipa.rs")


def mail_tried(shop: Shop, window: TillWindow) -> None:
    _with_mail(shop)
    shop.mail_setup.told = MailSetup(has_password=True)
    shop.mail_setup.trial = MailTrial("login")
    screen = opened(shop, window, PageName.MAIL)
    done(screen.model.mail.ask())
    screen.model.mail.type_to("gazda@lipa.rs")
    done(screen.model.mail.send_trial())
    pictures.settle()
    page = page_in_front(window.frame, "set.page.mail")
    area = page.findChild(Scrolled)
    assert area is not None
    area.ensureWidgetVisible(page.trial, 0, 60)


def diagnostics(shop: Shop, window: TillWindow) -> None:
    run(shop.serve())
    screen = opened(shop, window, PageName.LOOK)
    model = screen.model.diagnostics
    model.findings = tested(shop.services, MachineFacts(41_000_000_000, None, asked=True))
    model.is_read = True
    model.lines = (
        "2026-07-14 10:12:40,511 WARNING pos_app.adapters.mail.smtp: mail act=send trouble=login",
        "2026-07-14 10:29:02,007 ERROR   pos_app.local_api.app: a request failed: …",
    )
    model.bundle = Path("/media/usb/pos-app-2026-07-14-103000.zip")
    screen.model.choose(PageName.DIAGNOSTICS)


def display_none(shop: Shop, window: TillWindow) -> None:
    shop.services.display_here.control = DisplayOfMonitors(THE_TWO[0])
    opened(shop, window, PageName.DISPLAY)


def display(shop: Shop, window: TillWindow) -> None:
    shop.services.display_here.control = DisplayOfMonitors(*THE_TWO)
    model = opened(shop, window, PageName.DISPLAY).model.display
    model.change(DisplaySetup("DELL U2412M", theme="dark"))
    model.try_out()


def display_away(shop: Shop, window: TillWindow) -> None:
    shop.display_settings.given = (MONITOR,)
    shop.services.display_here.saved = DisplaySetup("DELL U2412M")
    shop.services.display_here.control = DisplayOfMonitors(THE_TWO[0])
    opened(shop, window, PageName.DISPLAY)


def _a_set(shop: Shop, days: float, **more: object) -> BackupSet:
    at = shop.clock.now() - timedelta(days=days)
    holds = SetHolds(51_204, at - timedelta(minutes=9), 51_311, 51_311, 0, 4_512)
    facts = ("/shop/backups", at, BackupWhy.DAILY, "4.0.0", 812_000_000, holds)
    told = BackupSet(in_belgrade(at).strftime("%Y-%m-%d-%H%M%S"), *facts)
    return replace(told, **more)  # type: ignore[arg-type]


def _backups(shop: Shop, last: LastTry | None = None) -> None:
    today = _a_set(shop, 0.13, why=BackupWhy.HAND)
    waits = SetHolds(50_990, shop.clock.now() - timedelta(days=1), 51_099, 51_099, 2, 4_512)
    sets = (
        today,
        replace(today, is_second=True),
        _a_set(shop, 1.1, holds=waits),
        _a_set(shop, 2.1),
        _a_set(shop, 5, why=BackupWhy.UPGRADE, version="3.1.4", holds=None),
        _a_set(shop, 9, is_second=True),
    )
    shop.backup_settings.setup = BackupSetup("/media/disk")
    shop.backups.told = BackupsHere(
        sets, last, "/home/kasa/.local/share/pos-app/backups", 34_200_000_000, 910_000_000
    )


def _at_backups(shop: Shop, window: TillWindow) -> BackupModel:
    screen = opened(shop, window, PageName.BACKUP)
    screen.page.refresh()
    pictures.settle()
    return screen.model.backup


def _with_buyers(shop: Shop) -> None:
    names = ("Алфа градња д.о.о.", "Градска управа за финансије", "СЗТР „Градина“", "")
    ids = ("10:100000049", "12:100000057:12345", "10:100000065", "40:ATU12345678")
    buyers = [KnownBuyer(BuyerId.parse(one), name) for one, name in zip(ids, names, strict=True)]
    shop.services.buyers.take_in(buyers)


def _at_buyers(shop: Shop, window: TillWindow) -> BuyerBookModel:
    _with_buyers(shop)
    return opened(shop, window, PageName.BUYERS).model.buyers


def buyers_none(shop: Shop, window: TillWindow) -> None:
    opened(shop, window, PageName.BUYERS)


def buyers(shop: Shop, window: TillWindow) -> None:
    _at_buyers(shop, window)


def buyer_new(shop: Shop, window: TillWindow) -> None:
    model = _at_buyers(shop, window)
    model.open(None)
    model.type(number="11:0101990710008", name="Ана")
    model.save()


def buyer_meanwhile(shop: Shop, window: TillWindow) -> None:
    model = _at_buyers(shop, window)
    model.open(model.rows()[0])
    model.type(name="Алфа градња", email="alfa@example.rs")
    shop.services.buyers.take_in([replace(model.rows()[0], email="racuni.alfa.gradnja@example.rs")])
    model.save()


def buyer_removal(shop: Shop, window: TillWindow) -> None:
    model = _at_buyers(shop, window)
    model.open(model.rows()[0])
    model.ask_removal(True)


def buyers_sheet(shop: Shop, window: TillWindow) -> None:
    model = _at_buyers(shop, window)
    rows = [("PIB", "Naziv", "E-mail"), ("100000073", "Виноград", ""), ("1000", "Алфа", "")]
    rows += [("11:0101990710008", "Ана", ""), ("100000081", "Бета", "beta@")]
    model.sheet = read_sheet(rows)
    model.announce()


def backup_none(shop: Shop, window: TillWindow) -> None:
    _at_backups(shop, window)


def backup(shop: Shop, window: TillWindow) -> None:
    _backups(shop)
    _at_backups(shop, window)


def backup_running(shop: Shop, window: TillWindow) -> None:
    _backups(shop)
    _at_backups(shop, window).begin()
    shop.backups.begun[-1].progress = FileProgress(318, 1_624)
    pictures.settle()


def backup_failed(shop: Shop, window: TillWindow) -> None:
    error = DiskFull("backup_room", what="full", safe="", do="", free=212, wanted=1_068)
    _backups(shop, LastTry(shop.clock.now() - timedelta(hours=1), error))
    shop.backup_settings.setup = BackupSetup("/media/disk", given_elsewhere=(FOLDER,))
    _at_backups(shop, window)


def _lacking(shop: Shop) -> Lacking:
    now = shop.clock.now()
    return Lacking(214, now - timedelta(days=1), now, 0, 212, 51_100, 51_311, 0, 2, 3, 5, 2, 4, 31)


def backup_missing(shop: Shop, window: TillWindow) -> None:
    _backups(shop, LastTry(shop.clock.now() - timedelta(hours=3), second_words="away"))
    shop.backups.lacks = replace(_lacking(shop), doubts=1, waiting=2, taken_along=1)
    _look_into(shop, _at_backups(shop, window))


def _look_into(shop: Shop, model: BackupModel) -> None:
    model.look_into(model.sets[1][0])
    model.end_look(shop.backups.looks[-1].came)
    pictures.settle()


def backup_asked(shop: Shop, window: TillWindow) -> None:
    _backups(shop)
    shop.backups.seals_secrets = shop.backups.keeps_settings = True
    shop.backups.lacks = _lacking(shop)
    _look_into(shop, _at_backups(shop, window))


def backup_read(shop: Shop, window: TillWindow) -> None:
    _backups(shop)
    shop.backups.lacks = None
    model = _at_backups(shop, window)
    model.look_into(model.sets[1][0])
    shop.backups.looks[-1].progress = FileProgress(212, 812)
    pictures.settle()


def platform(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    screen = opened(shop, window, PageName.PLATFORM)
    done(screen.model.platform.try_out())


def platform_wrong(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    shop.platform_setup.trial = PlatformTrial(fault="key")
    model = opened(shop, window, PageName.PLATFORM).model.platform
    model.type(PlatformField.SECRET, "tajna")
    done(model.try_out())
    trial = model.trial
    model.type(PlatformField.URL, "https://platforma.lipa.rs/v3")
    model.trial = trial
    model.announce()


def platform_clear_text(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    screen = opened(shop, window, PageName.PLATFORM)
    screen.model.platform.type(PlatformField.URL, "http://192.168.1.20:8400/v2")


def platform_joining(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    ask_to_join(catalogue_file(shop.services.settings.data))
    opened(shop, window, PageName.PLATFORM)


def platform_key(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    model = opened(shop, window, PageName.PLATFORM).model.platform
    model.type_key_name("ЕРП")
    model.set_scope(KeyScope.APPLICATION, True)
    model.set_one_client(True)
    model.set_each_order_is_a_sale(True)
    done(model.add_key())
    assert model.keys is not None
    model.ask_revoke(model.keys[1])


def platform_own_key(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    model = opened(shop, window, PageName.PLATFORM).model.platform
    done(model.load_keys())
    assert model.keys is not None
    model.ask_rotate(model.keys[0])


def store(shop: Shop, window: TillWindow) -> None:
    screen = opened(shop, window, PageName.STORE)
    screen.model.store.move(PaymentMethod.CARD, -1)


def store_waits(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    shop.platform_setup.refuses = NotDelivered(what="no line")
    screen = opened(shop, window, PageName.STORE)
    done(screen.model.platform.load())
    model = screen.model.store
    model.type(StoreText.CITY, "Сремски Карловци")
    done(model.save())
    model.type(StoreText.NAME, "")


def store_conflict(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    (before,) = shop.catalogue.stores()
    ways = PrintMethod(thermal=True, email=True)
    ours = replace(before, city="Пирот", print_method=ways, is_sound_enabled=False)
    shop.desk.queue_store(before, ours, by="Мира", at=shop.clock.now())
    theirs = replace(before, city="Врање", print_method=PrintMethod(a4=True))
    shop.desk.keep_store(theirs)
    opened(shop, window, PageName.STORE)


def store_refused(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.told = OURS
    (before,) = shop.catalogue.stores()
    ours = replace(before, gln="123")
    shop.desk.queue_store(before, ours, by="Мира", at=shop.clock.now())
    edit = shop.desk.store_edit(ours.id)
    assert edit is not None
    SqliteStoreEdits(connection_of(shop.desk)).refuse(
        edit, why='"gln" must have 13 digits', field="gln"
    )
    opened(shop, window, PageName.STORE)


def printers_not_found(shop: Shop, window: TillWindow) -> None:
    shop.printer_setup.listed = ()
    screen = opened(shop, window, PageName.PRINTERS)
    done(screen.model.printers.load())
    done(screen.model.printers.look_for())
    screen.model.printers.choose_kind(PrinterKind.USB)


def card_pin(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.pin = PinResult.WRONG
    screen = opened(shop, window)
    screen.model.ask_card_pin(True)
    for pin in ("1111", "2222"):
        done(screen.model.processor.enter_pin(pin))


def pin_page(shop: Shop, window: TillWindow) -> None:
    opened(shop, window, PageName.PIN)
    page = page_in_front(window.frame, "set.page.pin")
    for name, typed in (("old", "1111"), ("pin", "4321"), ("again", "4321")):
        page.panel.fields[name].set_text(typed)
    page.panel.enter.click()


def keys(shop: Shop, window: TillWindow) -> None:
    opened(shop, window).toggle_keys()


SCENES = named(
    first_pin, lpfr, lpfr_tried, lpfr_training, lpfr_away, vpfr, vpfr_wrong, vpfr_in_use,
    development, no_answer, card_pin, pin_page, keys, at("platform_none", PageName.PLATFORM),
    platform, platform_wrong, platform_clear_text, platform_joining, platform_key,
    platform_own_key, at("printers_none", PageName.PRINTERS), printers, printers_serial,
    printers_wrong, store, store_waits, store_conflict, store_refused, printers_not_found,
    at("cashier", PageName.VAT), cashier_out_of_vat, cashier_asks, cashier_asks_entering,
    labels_of_vat, labels_outside_vat, cashier_in_sale, cashier_saved, rights, person, removal,
    at("receipts", PageName.RECEIPTS), receipts_words, signing_in, at("selling", PageName.SELLING),
    shift, shift_open, shift_waits, at("look", PageName.LOOK), search_typed, found_nothing,
    scanner, scanner_tried, scanner_label, api, api_port, api_refused, api_request, mail,
    mail_tried, diagnostics,
    display_none, display, display_away, backup_none, backup, backup_running, backup_failed,
    backup_missing, backup_asked, backup_read, buyers_none, buyers, buyer_new, buyer_meanwhile,
    buyer_removal, buyers_sheet,
)  # fmt: skip
posed = over_till(SCENES)
