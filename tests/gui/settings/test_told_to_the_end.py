"""A refusal on a page of the settings stands until a person's next act, and ends once the same is
done; what the page asks by itself neither takes it away nor leaves its own refusal behind."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from pos_app import errors
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.setup.printer_setup import PrinterUse
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, page_shown, visible_parts
from tests.gui.patience import until
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
