"""The pages of printers, mail and the customer display: what is typed is tried, saved."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.cashier.services.display_setup import DisplaySetup, Monitor
from pos_app.cashier.settings import printer_model
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.cashier.settings.values_page import ValueRow
from pos_app.cashier.ui.field import Field
from pos_app.domain.article.store import PrintMethod
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup import printer_setup
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.errors import DataFolderNotWritable, NotDelivered, Refused
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from tests.fakes.services_in_memory import DisplayOfMonitors
from tests.gui.inside import inside
from tests.gui.parts import only
from tests.gui.patience import until
from tests.gui.settings.conftest import (
    Reopened,
    at_page,
    save,
    saved,
    says,
    told,
    type_over,
    written,
)
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

RECEIPT, A4 = printer_setup.PrinterUse.RECEIPT, printer_setup.PrinterUse.A4


async def loaded(shop: Shop) -> PrinterModel:
    made = PrinterModel(shop.services)
    await made.load()
    await made.look_for()
    return made


async def test_what_is_typed_is_tried_saved_and_known_to_the_till_without_a_restart(
    shop: Shop,
) -> None:
    model, desk, services = await loaded(shop), shop.printer_setup, shop.services
    assert not model.has_changes
    assert DeliveryWay.THERMAL not in services.ways_here
    model.choose_kind(printer_setup.PrinterKind.USB)
    assert not model.can_save, "it has no address"
    assert [one.address for one in model.found_for(RECEIPT)] == ["/dev/usb/lp0"]
    model.type(RECEIPT, " /dev/usb/lp0 ")
    model.choose_kind(printer_setup.PrinterKind.NETWORK)
    assert model.draft.address == ""
    model.choose_kind(printer_setup.PrinterKind.USB)
    assert model.draft.address == " /dev/usb/lp0 ", "each kind keeps its own"
    model.set(width_mm=58, drawer="pin2")
    model.type(A4, "Kancelarija")
    wanted = printer_setup.PrinterChange(
        kind="usb", address="/dev/usb/lp0", width_mm=58, drawer="pin2", a4_queue="Kancelarija"
    )
    await model.try_out(RECEIPT)
    assert desk.tried == [(RECEIPT, wanted)]
    await model.print_page(RECEIPT)
    assert not desk.pages, "only the printer that is set prints"
    await model.save()
    assert desk.changes == [wanted]
    assert (model.saved_at is None, model.has_changes) == (False, False)
    assert {DeliveryWay.THERMAL, DeliveryWay.A4} <= services.ways_here
    model.choose_kind(printer_setup.PrinterKind.NONE)
    await model.save()
    assert desk.changes[1] == printer_setup.PrinterChange(kind="none")
    assert DeliveryWay.THERMAL not in services.ways_here


async def test_a_trial_page_waits_for_a_server_that_opens_anew_and_what_is_typed_hides_old_news(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printer_model, "AWAY_PAUSE", 0.0)
    model, desk = await loaded(shop), shop.printer_setup
    desk.away = 3
    await model.print_page(A4)
    assert (desk.pages, model.pages[A4].state) == ([A4], JobState.DONE)
    desk.away = 1_000_000
    monkeypatch.setattr(printer_model, "AWAY_SECONDS", 0.05)
    await model.print_page(RECEIPT)
    assert isinstance(model.failure, NotDelivered)
    desk.trial = printer_setup.PrinterTrial(use=A4, fault="offline")
    await model.try_out(A4)
    model.type(A4, "x")
    assert not model.trials
    assert not model.pages
    desk.refuses = Refused("queue", what="no")
    await model.save()
    assert (model.fault, model.failure, model.draft.a4_queue) == ("queue", None, "x")
    model.drop()
    assert (model.draft, model.fault) == (model.setup, "")


def row_of(page: Any, setting: str) -> ValueRow:
    row: ValueRow = page.form.rows[f"mail.{setting}"]
    return row


def type_in(hands: Hands, page: Any, **texts: str) -> None:
    for setting, text in texts.items():
        type_over(hands, only(row_of(page, setting), Field), text)


async def test_the_password_alone_is_saved_and_stays_typed_where_the_server_is_away(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    mail.refuses = NotDelivered(what="The server is away.")
    _, page = await at_page(hands, PageName.MAIL)
    type_over(hands, page.password.field, "tajna")
    await save(hands, page)
    await until(lambda: page.acts.words != "" and page.acts.save.isEnabled())
    assert (mail.passwords, page.password.field.text()) == ([], "tajna")
    mail.refuses = None
    hands.tap(page.acts.save)
    await until(lambda: mail.passwords == ["tajna"])
    assert (written(hands.shop), reopened.reopened) == ({}, [])


FAULTS = {
    "no_host": "нема сервера с тим именом",
    "away": "не јавља",
    "no_encryption": "шифровање",
    "certificate": "сертификату",
    "login": "лозинка",
    "sender": "пошиљаоца",
    "recipient": "примаоца",
    "refused": "одбио",
    "stuck": "предуго",
}


async def test_a_trial_mail_is_sent_once_and_each_cause_is_told(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    mail.told = MailSetup(has_password=True, given_elsewhere=True)
    _, page = await at_page(hands, PageName.MAIL)
    await until(lambda: page.password.field.edit.placeholderText() != "")
    assert not page.password.field.isEnabled(), "it is given elsewhere"
    assert not page.trial.send.isEnabled()
    type_in(hands, page, host="mail.lipa.rs", sender="racuni@lipa.rs")
    await saved(hands, page)
    type_over(hands, page.trial.to, "gazda@lipa.rs")

    async def sent() -> None:
        await until(page.trial.send.isEnabled)
        hands.tap(page.trial.send)

    def is_told(words: str) -> bool:
        return "није послата: " in told(page.trial) and words in told(page.trial)

    mail.away = 1  # the server opens the shop again
    await sent()
    await until(lambda: "имејл сервер ју је примио" in told(page.trial))
    assert mail.sent == ["gazda@lipa.rs"]
    for fault, words in FAULTS.items():
        mail.trial = MailTrial(fault)
        await sent()
        await until(partial(is_told, words))
    mail.trial = MailTrial("cut_off", may_be_sent=True)
    await sent()
    await until(lambda: "проверите да ли је стигла" in told(page.trial))
    assert "није послата" not in told(page.trial)


TILL, BUYER = Monitor("KASA", 1366, 768, True), Monitor("KUPAC", 1920, 1080, False)


async def test_a_monitor_is_chosen_tried_saved_and_stays_chosen_while_it_is_pulled_out(
    hands: Hands, tmp_path: Path
) -> None:
    services, kept_in = hands.shop.services, hands.shop.display_settings
    display = DisplayOfMonitors(TILL, BUYER)
    services.display_here.control = display
    screen, page = await at_page(hands, PageName.DISPLAY)
    form, model = page.form, screen.model.display
    assert not form.try_button.isEnabled(), "no monitor is chosen"
    form.monitor.chosen.emit(TILL.name)
    assert not form.try_button.isEnabled(), "the till stands there"
    form.monitor.chosen.emit(BUYER.name)
    await until(form.try_button.isEnabled)
    hands.tap(form.try_button)
    assert display.tried == [DisplaySetup("KUPAC")]
    assert services.customer_display == DisplaySetup()
    form.pictures.edit.setFocus()
    hands.type("nowhere")
    await save(hands, page)
    await until(lambda: says(page, "Тог места нема"))
    assert kept_in.kept == []
    saved = DisplaySetup("KUPAC", str(tmp_path), "dark")
    model.change(saved)
    kept_in.refuses = DataFolderNotWritable(what="no", path="/x")
    await save(hands, page)
    await until(lambda: model.failure is not None)
    assert (services.customer_display, display.followed) == (DisplaySetup(), 0)
    kept_in.refuses = None
    await save(hands, page)
    await until(lambda: model.saved_at is not None)
    assert (kept_in.kept, services.customer_display, display.followed) == ([saved], saved, 1)
    display.connected = (TILL,)
    await until(lambda: "KUPAC: сада није прикључен" in form.monitor.accessibleName())
    assert not form.try_button.isEnabled()
    display.connected = (TILL, BUYER)
    await until(form.try_button.isEnabled)
    assert "KUPAC, 1920 × 1080" in form.monitor.accessibleName()
    kept_in.refuses = DataFolderNotWritable(what="no", path="/x")
    model.change(DisplaySetup("KUPAC"))
    await save(hands, page)
    hands.window.frame.go_home()
    await until(lambda: hands.notice() != "")  # the page that would say it was left


async def test_a_printer_on_whose_paper_the_store_gives_no_receipt_is_told(hands: Hands) -> None:
    """It may be set in settings.toml alone, and prints its trial page."""
    shop, words = hands.shop, "„Термо папир“ није укључен на страни „Продавница“"
    shop.printer_setup.told = replace(shop.printer_setup.told, kind="usb", address="/dev/usb/lp0")
    for thermal in (False, True):
        before = shop.catalogue.store()
        assert before is not None
        after = replace(before, print_method=PrintMethod(thermal=thermal, a4=True, email=True))
        shop.desk.queue_store(before, after, by="Мира", at=shop.clock.now())
        _, page = await at_page(hands, PageName.PRINTERS)
        await until(page.form.receipt.page_button.isVisible)
        await until(partial(lambda page, told: says(page, words) is told, page, not thermal))
        inside(hands.window).open("sale")
