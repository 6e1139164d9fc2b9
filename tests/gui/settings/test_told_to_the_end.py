"""A refusal on a page of the settings stands until a person's next act, and ends once the same is
done; what the page asks by itself neither takes it away nor leaves its own refusal behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from pos_app import errors
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.settings.store_model import StoreText
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.printer_setup import PrinterUse
from pos_app.domain.setup.processor_setup import ProcessorTrial
from tests.fakes.platform_setup import OURS
from tests.gui.inside import inside
from tests.gui.parts import visible_parts
from tests.gui.patience import until
from tests.gui.pictures import settle
from tests.gui.settings.conftest import at_page, says
from tests.gui.window.hands import Hands

AWAY = errors.NotDelivered(what="The server does not answer.")


def button(page: QWidget, name: str) -> Button:
    return next(one for one in visible_parts(page, Button) if one.accessibleName() == name)


async def test_a_printers_page_tells_what_holds_now(hands: Hands) -> None:
    """It asks again once its server is back; a search that succeeds ends the refusal of the one
    before, and a trial that could not be made leaves no older result."""
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
    shop = hands.shop
    shop.platform_setup.told = OURS
    inside(hands.window).open("settings")
    model = inside(hands.window).settings.model
    refused = errors.Refused("platform", why="not this", answer_class=AnswerClass.FIX)
    asked: tuple[tuple[PageName, str, errors.PosError, Callable[[], object]], ...] = (
        (
            PageName.PLATFORM,
            "change",
            AWAY,
            lambda: model.platform.set_public_mode(not model.platform.public_mode),
        ),
        (
            PageName.STORE,
            "change_store",
            refused,
            lambda: model.store.type(StoreText.CITY, "Пирот"),
        ),
        (PageName.PROCESSOR, "change", AWAY, lambda: model.processor.type(Entry.ESIR, "777/1.0")),
    )
    for name, act, fault, change in asked:
        desk = shop.processor_setup if name is PageName.PROCESSOR else shop.platform_setup
        screen, page = await at_page(hands, name)
        screen.tick()
        if name is PageName.PROCESSOR:
            await until(lambda: model.processor.setup is not None)
        await model.platform.load()
        free, began = asyncio.Event(), asyncio.Event()

        async def late(
            *_: object,
            free: asyncio.Event = free,
            began: asyncio.Event = began,
            fault: errors.PosError = fault,
            **__: object,
        ) -> None:
            began.set()
            await free.wait()
            raise fault

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


async def test_a_refusal_stands_after_another_page_and_that_of_a_secret_ends_with_it(
    hands: Hands,
) -> None:
    """What is typed of a certificate is forgotten when the page is left."""
    screen, page = await at_page(hands, PageName.PLATFORM)
    screen.tick()
    model, desk = screen.model, hands.shop.platform_setup
    await until(lambda: model.platform.setup is not None)
    desk.refuses = AWAY
    model.platform.set_public_mode(not model.platform.public_mode)
    settle()
    hands.tap(button(page, hands.window.texts("save")))
    await until(lambda: model.platform.failure is not None)
    for name in (PageName.PROCESSOR, PageName.PLATFORM):
        hands.tap(screen.list.rows[name])
        settle()
    assert says(screen.page, hands.window.texts.error(AWAY).happened)
    screen, _ = await at_page(hands, PageName.PROCESSOR)
    screen.tick()
    processor = model.processor
    await until(lambda: processor.setup is not None)
    processor.choose_kind(ProcessorKind.VPFR)
    processor.type(Entry.PAC, "1")
    hands.shop.processor_setup.trial = lambda _: ProcessorTrial(fault="pac", message="wrong")
    await processor.try_out()
    assert Entry.PAC in processor.faults
    hands.press("Esc")
    assert (processor.pac, processor.faults) == ("", {})
