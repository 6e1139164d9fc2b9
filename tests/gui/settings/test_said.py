"""The words for a manager: each belongs to the control it stands at. They are read from the
painting."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus
from pos_app.domain.setup import processor_setup
from pos_app.selling.people.manager_pin import DEMO_PIN
from pos_app.selling.synchronisation.catalogue_edits import Changes, EditState, NewEdit
from tests.fakes.people_here import let_in, quick
from tests.fakes.platform_setup import OURS
from tests.fakes.processor_setup import LPFR
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.sweep import sampled


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


async def test_a_processor_that_waits_for_its_element_has_no_card_missing(hands: Hands) -> None:
    shop = hands.shop
    status = ProcessorStatus("vpfr", ProcessorState.ELEMENT, uid="EFGH5678")
    shop.processor_setup.told = replace(LPFR, kind="vpfr", status=status)
    shop.server.processor = ProcessorState.ELEMENT
    await shop.serve()
    hands.window.frame.count()
    screen, _ = await at_page(hands, PageName.PROCESSOR)
    await until(lambda: is_painted(screen, "чека елемент"))
    await until(lambda: is_painted(hands.window.status, "чека елемент"))
    assert not is_painted(hands.window.status, "картице")


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


# --- the catalogue -------------------------------------------------------------------------------


def change(shop: Shop, code: str, changes: Changes) -> NewEdit:
    product = shop.row(code).product_id
    return NewEdit.changing(product, product, changes, by="Мира", at=shop.clock.now())


async def test_a_code_that_is_taken_at_the_platform_is_told_with_who_has_it(hands: Hands) -> None:
    """In its editor and on the page of conflicts. A price that is the line's own at the sale is not
    told as another."""
    shop, model = hands.shop, inside(hands.window).model
    hands.scan(shop.catalogue.product(shop.row(MILK).product_id).ean or "")
    edit = shop.desk.record(change(shop, MILK, {"price": Money(100)}))
    model.catalogue_changed()
    hands.scan(shop.catalogue.product(shop.row(MILK).product_id).ean or "")
    await until(lambda: painted(inside(hands.window).cart.list).count("сада 100,00") == 1)
    bread = shop.catalogue.product(shop.row(BREAD).product_id)
    assert bread is not None
    shop.desk.move(edit.id, EditState.SENDING, at=shop.clock.now())
    error = f'"variants[2].sku" {BREAD} already exists'
    shop.desk.move(edit.id, EditState.REFUSED, at=shop.clock.now(), error=error)
    words = f"Шифру {BREAD} на платформи већ има други артикал: {bread.name}"
    inside(hands.window).open("catalogue")
    screen = inside(hands.window).catalogue
    let_in(screen.model, PIN)
    screen.model.open(edit.product_id, edit.article_id)
    await until(lambda: is_painted(screen.editor, words))
    screen.model.show_undecided()
    await until(lambda: screen.conflicts is not None and is_painted(screen.conflicts, words))


# --- the PIN of a demo ---------------------------------------------------------------------------


async def test_the_pin_of_a_demo_stands_where_it_is_asked_for(shop: Shop, sell_in: SellIn) -> None:
    shop.services.manager.save_pin(quick(DEMO_PIN))
    settings = shop.services.settings.having(environment="demo")
    shop.services = replace(shop.services, started_with=settings)
    hands = sell_in(shop)
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    await until(lambda: is_painted(screen, f"За демо је ПИН {DEMO_PIN}."))
    hands.type(DEMO_PIN)
    hands.press("Enter")
    assert not screen.model.is_open, "the window waits for no PIN: a thread tries it"
    await until(lambda: screen.model.is_open)


@pytest.mark.parametrize("environment", sampled(["production", "demo"]))
async def test_a_pin_that_somebody_chose_is_told_nowhere(
    shop: Shop, sell_in: SellIn, environment: str
) -> None:
    shop.services.manager.save_pin(quick(DEMO_PIN if environment == "production" else PIN))
    settings = shop.services.settings.having(environment=environment)
    shop.services = replace(shop.services, started_with=settings)
    hands = sell_in(shop)
    inside(hands.window).open("settings")
    await until(lambda: not hands.window.frame.tasks.names)
    said = painted(inside(hands.window).settings)
    assert DEMO_PIN not in said
    assert PIN not in said
