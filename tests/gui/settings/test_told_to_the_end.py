"""A refusal on a page of the settings stands until a person's next act, and ends once the same is
done; what the page asks by itself neither takes it away nor leaves its own refusal behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from pos_app import errors
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.settings.store_model import StoreText
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.printer_setup import PrinterUse
from pos_app.domain.setup.processor_setup import ProcessorTrial
from tests.fakes.people_here import let_in
from tests.fakes.platform_setup import OURS
from tests.gui.inside import inside
from tests.gui.parts import lines_of, page_shown, visible_parts
from tests.gui.patience import until
from tests.gui.pictures import settle
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands

AWAY = errors.NotDelivered(what="The server does not answer.")


async def page_of(hands: Hands, name: PageName) -> tuple[SettingsScreen, QWidget]:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    let_in(screen.model, PIN)
    screen.model.choose(name)
    page: QWidget = await page_shown(hands.window.frame, f"set.page.{name}")
    return screen, page


def says(page: QWidget, words: str) -> bool:
    return any(words in line for line in lines_of(page))


def button(page: QWidget, name: str) -> Button:
    return next(one for one in visible_parts(page, Button) if one.accessibleName() == name)


async def test_a_refused_backup_is_told_until_the_next_act(hands: Hands) -> None:
    screen, page = await page_of(hands, PageName.BACKUP)
    screen.tick()
    await until(lambda: screen.model.backup.here is not None)
    backups = hands.shop.backups
    refused = errors.DiskFull("backup_room", what="x", free=212, wanted=1068)
    words = hands.window.texts.error(refused).happened
    hands.tap_words("Сачувај копију сада")
    backups.begun[0].came = refused
    await until(lambda: screen.model.backup.work is None)
    screen.tick()
    await until(lambda: backups.looks_here >= 2 and screen.model.backup.is_idle)
    assert says(page, words), "nobody did anything since"
    hands.tap_words("Сачувај копију сада")
    await until(lambda: len(backups.begun) == 2)
    await until(lambda: not says(page, words))


async def test_a_printers_page_asks_again_once_its_server_is_back(hands: Hands) -> None:
    desk = hands.shop.printer_setup
    desk.is_away = True
    words = hands.window.texts.error(AWAY).happened
    screen, page = await page_of(hands, PageName.PRINTERS)
    await until(lambda: says(page, words))
    desk.is_away = False
    screen.tick()
    await until(lambda: screen.model.printers.setup is not None)
    await until(lambda: not says(page, words))


async def test_a_search_for_printers_that_succeeds_ends_the_refusal_of_the_one_before(
    hands: Hands,
) -> None:
    desk = hands.shop.printer_setup
    words = hands.window.texts.error(AWAY).happened
    screen, page = await page_of(hands, PageName.PRINTERS)
    screen.tick()
    await until(lambda: screen.model.printers.found_printers is not None)
    screen.model.printers.set(width_mm=58)
    look = hands.window.texts("set.prn.look")
    desk.is_away = True
    hands.tap(button(page, look))
    await until(lambda: says(page, words))
    desk.is_away = False
    hands.tap(button(page, look))
    await until(lambda: bool(screen.model.printers.found_printers))
    await until(lambda: not says(page, words))


async def test_a_trial_that_could_not_be_made_leaves_no_older_result(hands: Hands) -> None:
    desk = hands.shop.printer_setup
    desk.told = replace(desk.told, kind="usb", address="/dev/usb/lp0")
    words, texts = hands.window.texts.error(AWAY).happened, hands.window.texts
    screen, page = await page_of(hands, PageName.PRINTERS)
    screen.tick()
    await until(lambda: screen.model.printers.found_printers is not None)
    name = texts(f"set.prn.try.{PrinterUse.RECEIPT}")
    hands.tap(button(page, name))
    ready = texts("set.prn.ready", n="4")
    await until(lambda: says(page, ready))
    desk.is_away = True
    hands.tap(button(page, name))
    await until(lambda: says(page, words))
    assert not says(page, ready)


@pytest.mark.parametrize("name", [PageName.PROCESSOR, PageName.PLATFORM, PageName.STORE])
async def test_a_change_that_fails_after_the_settings_were_left_is_told_at_the_sale(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: PageName
) -> None:
    screen, page = await page_of(hands, name)
    screen.tick()
    free, began = asyncio.Event(), asyncio.Event()
    refused: errors.PosError = errors.Refused(
        "platform", why="not this", answer_class=AnswerClass.FIX
    )

    async def late(*_: object, **__: object) -> None:
        began.set()
        await free.wait()
        raise refused

    shop, model = hands.shop, screen.model
    if name is PageName.PROCESSOR:
        refused = errors.NotDelivered(what="The server does not answer.")
        await until(lambda: model.processor.setup is not None)
        monkeypatch.setattr(shop.processor_setup, "change", late)
        model.processor.type(Entry.ESIR, "777/1.0")
    elif name is PageName.PLATFORM:
        refused = errors.NotDelivered(what="The server does not answer.")
        await until(lambda: model.platform.setup is not None)
        monkeypatch.setattr(shop.platform_setup, "change", late)
        model.platform.set_public_mode(not model.platform.public_mode)
    else:
        shop.platform_setup.told = OURS
        await model.platform.load()
        monkeypatch.setattr(shop.platform_setup, "change_store", late)
        model.store.type(StoreText.CITY, "Пирот")
    settle()
    hands.tap(button(page, hands.window.texts("set.save")))
    await until(began.is_set)
    hands.press("Esc")
    assert hands.window.frame.is_home
    free.set()
    words = hands.window.texts.error(refused).happened
    await until(lambda: hands.notice().startswith(words))


async def test_a_fault_of_a_secret_ends_with_the_secret(hands: Hands) -> None:
    """What is typed of a certificate is forgotten when the page is left."""
    screen, _ = await page_of(hands, PageName.PROCESSOR)
    screen.tick()
    model, desk = screen.model.processor, hands.shop.processor_setup
    await until(lambda: model.setup is not None)
    model.choose_kind(ProcessorKind.VPFR)
    model.type(Entry.PAC, "1")
    desk.trial = lambda _: ProcessorTrial(fault="pac", message="wrong")
    await model.try_out()
    assert Entry.PAC in model.faults
    hands.press("Esc")
    assert (model.pac, model.faults) == ("", {})


async def test_a_refusal_of_the_platform_s_page_stands_after_another_page(hands: Hands) -> None:
    screen, _ = await page_of(hands, PageName.PLATFORM)
    screen.tick()
    model, desk = screen.model, hands.shop.platform_setup
    await until(lambda: model.platform.setup is not None)
    desk.refuses = AWAY
    model.platform.set_public_mode(not model.platform.public_mode)
    settle()
    page = screen.page
    hands.tap(button(page, hands.window.texts("set.save")))
    await until(lambda: model.platform.failure is not None)
    for name in (PageName.PROCESSOR, PageName.PLATFORM):
        hands.tap(screen.list.rows[name])
        settle()
    assert says(screen.page, hands.window.texts.error(AWAY).happened)
