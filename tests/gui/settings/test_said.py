"""The words for a manager: each belongs to its control, and ends once the same is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from pos_app import errors
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.settings.store_model import StoreText
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup import processor_setup
from pos_app.domain.setup.printer_setup import PrinterUse
from pos_app.selling.people.manager_pin import DEMO_PIN
from pos_app.selling.synchronisation.catalogue_edits import EditState, NewEdit
from tests.fakes.people_here import let_in, quick
from tests.fakes.platform_setup import OURS
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside
from tests.gui.parts import visible_parts
from tests.gui.patience import until
from tests.gui.pictures import settle
from tests.gui.settings.conftest import at_page, says, told, type_over
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, MILK, Shop


def painted(within: QWidget) -> str:
    """The words that are painted in it, one text per row."""
    every = [one for one in (within, *within.findChildren(QWidget)) if one.isVisible()]
    return "\n".join(text.words for one in every for text in painted_by(one)[0])


def is_painted(within: QWidget, words: str) -> bool:
    return words in painted(within)


def judged(change: processor_setup.ProcessorChange) -> processor_setup.ProcessorTrial:
    """The server's answer to an invalid address."""
    try:
        processor_setup.check_address(change.kind or "", change.url or "")
    except processor_setup.SetupWrong as error:
        return processor_setup.ProcessorTrial(fault=error.kind, message=error.what)
    return processor_setup.ProcessorTrial(fault="away")


async def test_an_address_is_judged_by_the_rule_of_its_processor(hands: Hands) -> None:
    """The empty one of a V-PFR says where it comes from."""
    hands.shop.processor_setup.trial = judged
    screen, page = await at_page(hands, PageName.PROCESSOR)
    await until(lambda: screen.model.processor.setup is not None)
    form = page.form
    await until(form.cards[ProcessorKind.LPFR].isChecked)  # the processor that is set up is chosen
    field = form.fields[Entry.URL]
    for kind, url, words in (
        (ProcessorKind.VPFR, "http://vpfr.rs", "Адреса В-ПФР почиње са https://"),
        (ProcessorKind.LPFR, "192.168.1.40:8888", "Адреса се пише као http://127.0.0.1:8888"),
        (ProcessorKind.LPFR, "", "Упишите адресу процесора"),
    ):
        hands.tap(form.cards[kind])
        await until(form.cards[kind].isChecked)
        await until(field.isVisible)
        field.edit.selectAll()
        QTest.keyClick(field.edit, Qt.Key.Key_Delete)
        if kind is ProcessorKind.VPFR:
            await until(lambda: painted(field) == "из сертификата")
        for letter in url:
            QTest.keyClicks(field.edit, letter)
        await until(form.try_button.isEnabled)
        hands.tap(form.try_button)
        await until(partial(is_painted, field, words))


@pytest.mark.qt_log_ignore("does not support QPlatformServices", extend=True)
async def test_a_browser_that_does_not_open_is_told_at_the_address(hands: Hands) -> None:
    hands.shop.platform_setup.told = OURS
    _, page = await at_page(hands, PageName.PLATFORM)
    form = page.form
    await until(form.open_button.isEnabled)
    hands.tap(form.open_button)
    words = "Прегледач на овом рачунару не отвара адресу"
    field = form.fields[PlatformField.APPLICATION_URL]
    await until(lambda: is_painted(field, words))
    QTest.keyClicks(field.edit, "a")
    await until(lambda: not is_painted(field, words))


@pytest.mark.parametrize(
    ("environment", "pin", "is_told"),
    [("demo", DEMO_PIN, True), ("production", DEMO_PIN, False), ("demo", PIN, False)],
)
async def test_only_the_pin_of_a_demo_stands_where_it_is_asked_for(
    shop: Shop, sell_in: SellIn, environment: str, pin: str, is_told: bool
) -> None:
    shop.services.manager.save_pin(quick(pin))
    settings = shop.services.settings.having(environment=environment)
    shop.services = replace(shop.services, started_with=settings)
    hands = sell_in(shop)
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    await until(lambda: not hands.window.frame.tasks.names)
    await until(lambda: is_painted(screen, f"За демо је ПИН {DEMO_PIN}.") is is_told)
    assert pin not in painted(screen) or is_told
    hands.type(pin)
    hands.press("Enter")
    assert not screen.model.is_open, "the window waits for no PIN: a thread tries it"
    await until(lambda: screen.model.is_open)


async def test_a_code_that_is_taken_at_the_platform_is_told_with_who_has_it(hands: Hands) -> None:
    """In its editor and on the page of conflicts."""
    shop, model, milk = hands.shop, inside(hands.window).model, hands.shop.row(MILK)
    hands.scan(milk.ean or "")
    now, price = shop.clock.now(), {"price": Money(100)}
    product = milk.product_id
    edit = shop.desk.record(NewEdit.changing(product, product, price, by="Мира", at=now))
    model.catalogue_changed()
    hands.scan(milk.ean or "")
    await until(lambda: painted(inside(hands.window).cart.list).count("сада 100,00") == 1)
    shop.desk.move(edit.id, EditState.SENDING, at=now)
    error = f'"variants[2].sku" {BREAD} already exists'
    shop.desk.move(edit.id, EditState.REFUSED, at=now, error=error)
    words = f"Шифру {BREAD} на платформи већ има други артикал: {shop.row(BREAD).name}"
    inside(hands.window).open("catalogue")
    screen = inside(hands.window).catalogue
    let_in(screen.model, PIN)
    screen.model.open(product, product)
    await until(lambda: is_painted(screen.editor, words))
    screen.model.show_undecided()
    await until(lambda: screen.conflicts is not None and is_painted(screen.conflicts, words))


AWAY = errors.NotDelivered(what="The server does not answer.")


def button(page: QWidget, name: str) -> Button:
    return next(one for one in visible_parts(page, Button) if one.accessibleName() == name)


async def test_a_printers_page_tells_what_holds_now(hands: Hands) -> None:
    """It asks again once its server is back."""
    desk, texts = hands.shop.printer_setup, hands.window.texts
    desk.told = replace(desk.told, kind="usb", address="/dev/usb/lp0")
    desk.is_away = True
    words = texts.error(AWAY).happened
    screen, page = await at_page(hands, PageName.PRINTERS)
    await until(lambda: says(page, words))
    desk.is_away = False
    screen.tick()
    await until(lambda: screen.model.printers.setup is not None)
    await until(lambda: not says(page, words))
    await until(lambda: screen.model.printers.found_printers is not None)
    name, ready = texts(f"set.prn.try.{PrinterUse.RECEIPT}"), texts("set.prn.ready", n="4")
    hands.tap(button(page, name))
    await until(lambda: says(page, ready))
    desk.is_away = True
    hands.tap(button(page, name))
    await until(lambda: says(page, words))
    assert not says(page, ready)
    screen.model.printers.set(width_mm=58)
    hands.tap(button(page, texts("set.prn.look")))
    await until(lambda: says(page, words) and not screen.model.printers.running)
    desk.is_away = False
    hands.tap(button(page, texts("set.prn.look")))
    await until(lambda: bool(screen.model.printers.found_printers))
    await until(lambda: not says(page, words))


@pytest.mark.deadline(120)
async def test_a_change_that_fails_after_the_settings_were_left_is_told_at_the_sale(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, free, began = hands.shop, asyncio.Event(), asyncio.Event()
    shop.platform_setup.told = OURS
    inside(hands.window).open("settings")
    model = inside(hands.window).settings.model
    refused = errors.Refused("platform", why="not this", answer_class=AnswerClass.FIX)
    faults: list[errors.PosError] = []

    async def late(*_: object, **__: object) -> None:
        began.set()
        await free.wait()
        raise faults[-1]

    asked: tuple[tuple[PageName, object, str, errors.PosError, Callable[[], object]], ...] = (
        (PageName.PLATFORM, shop.platform_setup, "change", AWAY,
         lambda: model.platform.set_public_mode(not model.platform.public_mode)),
        (PageName.STORE, shop.platform_setup, "change_store", refused,
         lambda: model.store.type(StoreText.CITY, "Пирот")),
        (PageName.PROCESSOR, shop.processor_setup, "change", AWAY,
         lambda: model.processor.type(Entry.ESIR, "777/1.0")),
    )  # fmt: skip
    for name, desk, act, fault, change in asked:
        screen, page = await at_page(hands, name)
        screen.tick()
        await until(lambda: name is not PageName.PROCESSOR or model.processor.setup is not None)  # noqa: B023
        await model.platform.load()
        free.clear()
        began.clear()
        faults.append(fault)
        with monkeypatch.context() as patched:
            patched.setattr(desk, act, late)
            change()
            settle()
            hands.tap(button(page, hands.window.texts("save")))
            await until(began.is_set)
            hands.press("Esc")
            assert hands.window.frame.is_home
            free.set()
            words = hands.window.texts.error(fault).happened
            await until(lambda: hands.notice().startswith(words))  # noqa: B023
        while inside(hands.window).model.context.notices:
            inside(hands.window).model.context.dismiss()


BREAD_EAN, NOBODYS, BROKEN_OFF = "8609910700134", "4006381333931", "860991070"


async def test_a_scan_leads_no_manager_away_from_what_is_typed(hands: Hands) -> None:
    """Where nothing is typed, an article goes to the sale."""
    screen, page = await at_page(hands, PageName.SELLING)
    for scan, words in (
        (lambda: hands.scan(NOBODYS), "код који нема ниједан артикал"),
        (lambda: hands.scan_part(BROKEN_OFF), "код који није прочитан цео"),
    ) * 2:
        scan()
        assert inside(hands.window).is_in("settings")
        assert screen.model.is_open, "the PIN is not asked for again"
        assert words in told(screen.told)
        hands.press("Esc")
        assert told(screen.told) == ""
        assert inside(hands.window).is_in("settings"), "Esc reads the notice first"
    hands.scan(BREAD_EAN)
    assert inside(hands.window).is_in("sale")
    assert len(hands.rows()) == 1
    screen, page = await at_page(hands, PageName.SELLING)
    field = next(one for one in page.findChildren(Field) if one.isVisible())
    type_over(hands, field, "7")
    for scan in (lambda: hands.scan(BREAD_EAN), lambda: hands.scan_part(BROKEN_OFF)) * 2:
        scan()
        assert inside(hands.window).is_in("settings")
        assert field.text() == "7"
        assert field.edit.hasFocus()
        assert "све што је овде откуцано остаје" in told(screen.told)
    hands.window.change(theme="dark", language="en")
    settle()
    screen = inside(hands.window).settings
    assert "all that is typed here stays" in told(screen.told), "the notice stands again"
    assert len(hands.rows()) == 1


async def test_a_gate_that_goes_while_the_demos_pin_is_looked_at_takes_its_answer_along(
    shop: Shop, sell_in: SellIn
) -> None:
    """Another theme makes the screens anew, and a thread still compares the PIN."""
    shop.services.manager.save_pin(quick(DEMO_PIN))
    settings = shop.services.settings.having(environment="demo")
    shop.services = replace(shop.services, started_with=settings)
    hands = sell_in(shop)
    inside(hands.window).open("settings")
    await until(lambda: "look at the PIN of a demo" in hands.window.frame.tasks.names)
    gate = inside(hands.window).settings
    hands.window.frame.go_home()
    assert hands.window.change(theme="dark")
    await until(lambda: not isValid(gate))
    await until(lambda: not hands.window.frame.tasks.names)
    assert hands.notice() == ""
