"""The first start, by hand: the demo in one press, a shop in six steps, then a sale."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.first_start.model import ShopField
from pos_app.cashier.first_start.view import KEEP_MS, TRY_MS, FirstStartScreen
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterTrial, PrinterUse
from pos_app.domain.setup.processor_setup import ProcessorTrial
from pos_app.errors import DiskFull, NotDelivered, PosError, Refused
from pos_app.selling.first_start import FirstStart, FirstStep, ShopChoice
from pos_app.selling.sale.cashier_setup import CashierSetup
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.fakes.services_in_memory import FirstStartInMemory
from tests.gui.inside import inside
from tests.gui.parts import lines_of, page_in_front, words_on
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop

SHEET = "назив;цена;порез;шифра;баркод\nХлеб;58,99;Е;1;8609910700134\nЛоше;abc;Ђ;2;\n"


PIN = "2580"
LABELLED = "1 артикал има ознаку ПДВ-а"


def screen_of(hands: Hands) -> FirstStartScreen:
    screen = inside(hands.window).first_start
    assert screen is not None
    return screen


async def stepped(hands: Hands, step: FirstStep) -> FirstStartScreen:
    """Wait until the step is shown."""
    screen = screen_of(hands)
    await until(lambda: screen.forms.get(step) is not None and screen.forms[step].isVisible())
    return screen


def form_of(hands: Hands, step: FirstStep) -> Any:
    """The form of the step, by its title."""
    return page_in_front(hands.window.frame, f"first.step.{step}")


@dataclass
class Start:
    """A new till, whose window opens on a step of its first start."""

    shop: Shop
    desk: FirstStartInMemory
    sell_in: SellIn

    def open(self) -> Hands:
        return self.sell_in(self.shop)

    async def at(self, step: FirstStep, **answers: str) -> tuple[Hands, FirstStartScreen]:
        self.desk.state = FirstStart(ShopChoice.SHOP, step, answers)
        hands = self.open()
        return hands, await stepped(hands, step)

    async def at_processor(self) -> tuple[Hands, FirstStartScreen]:
        hands, screen = await self.at(FirstStep.STORE, name="Радња")
        hands.tap(screen.next)
        return hands, await stepped(hands, FirstStep.PROCESSOR)


@pytest.fixture
def start(new_shop: Shop, desk: FirstStartInMemory, sell_in: SellIn) -> Start:
    return Start(new_shop, desk, sell_in)


async def test_the_demo_is_one_press_and_is_remembered(start: Start) -> None:
    """The language is chosen by keys alone before."""
    hands = start.open()
    for language, key in (("sr-Latn", Qt.Key.Key_Right), ("sr-Cyrl", Qt.Key.Key_Left)):
        screen_of(hands).language.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(screen_of(hands).language, key)
        assert start.desk.languages[-1] == language
        await until(screen_of(hands).language.hasFocus)  # though every word is made again
    screen = screen_of(hands)
    start.desk.refuses = DiskFull(what="The disk is full.", safe="x", do="y")
    hands.tap(screen.choice.demo_card)
    await until(lambda: "Нема места на диску" in lines_of(screen.choice))
    told = (
        "Још ништа није подешено. Позовите подршку и прочитајте: нема места на диску."
        " Затим покушајте поново."
    )
    assert told in lines_of(screen.choice)
    assert screen.choice.demo_card.hasFocus()
    assert start.desk.reopened == 0
    start.desk.refuses = None
    hands.tap(screen.choice.demo_card)
    await until(lambda: start.desk.reopened)
    assert (start.desk.demos, start.desk.state.choice, start.desk.state.is_wanted) == (
        1,
        ShopChoice.DEMO,
        False,
    )


async def pin_chosen(hands: Hands) -> None:
    """Choose the manager's PIN by keys, and wait for the next step."""
    await stepped(hands, FirstStep.PIN)
    await typed_pins(hands, PIN, PIN)
    await stepped(hands, FirstStep.ARTICLES)


async def typed_pins(hands: Hands, *pins: str) -> None:
    """Type each PIN with its Enter."""
    for number, pin in enumerate(pins, start=1):
        hands.type(pin)
        if number == len(pins):
            await until(lambda: not screen_of(hands).next.is_missing)
        hands.press("Enter")


async def imported(hands: Hands, screen: FirstStartScreen, sheet: Path) -> None:
    """Import one article of a sheet with a wrong row."""
    await asyncio.to_thread(sheet.write_text, SHEET, encoding="utf-8")
    articles = form_of(hands, FirstStep.ARTICLES)
    articles.read_sheet(sheet)
    for _ in range(6):  # another process reads it, which takes its time on a busy machine
        with suppress(AssertionError):
            await until(lambda: articles.preview is not None and articles.preview.isVisible())
    assert articles.preview is not None
    assert "То није број" in lines_of(articles.preview)
    hands.press("Enter")
    for _ in range(6):
        with suppress(AssertionError):
            await until(lambda: screen.model.articles.done is not None)
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    assert screen.model.articles.count == 1
    told = "Увезен је 1 артикал. 1 ред је изостављен због грешке."
    await until(lambda: told in lines_of(articles))
    assert hands.window.focusWidget() is screen.next, "Enter goes on, as the key says"


async def test_a_shop_is_set_up_by_hand_and_sells(start: Start, tmp_path: Path) -> None:
    hands, presses = start.open(), 0
    screen = screen_of(hands)
    hands.tap(screen.choice.shop_card)
    await stepped(hands, FirstStep.CASHIER)
    hands.type("Mira")
    assert screen.next.is_missing
    hands.tap(form_of(hands, FirstStep.CASHIER).cards[True])
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.tap(screen.next)
    await pin_chosen(hands)
    await imported(hands, screen, tmp_path / "ценовник.csv")
    hands.tap(screen.next)
    await stepped(hands, FirstStep.STORE)
    assert screen.next.is_missing
    hands.type("Radnja")
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.tap(screen.next)
    await stepped(hands, FirstStep.PROCESSOR)
    await until(lambda: screen.model.processor.setup is not None)
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.press("Enter")  # the chosen kind has the focus
    await stepped(hands, FirstStep.PRINTER)
    await until(lambda: screen.model.printer.setup is not None)
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.press("Enter")
    await until(lambda: inside(hands.window).first_start is None)
    presses += len(("choice", "vat", "dialog", "dialog", "dialog", "import", *FirstStep))
    presses += len("Mira") + len("Radnja") + 2 * len(PIN) + 1
    assert presses <= 34, "within three minutes"
    assert start.shop.services.manager.pin_check()(PIN)
    assert start.shop.cashier_settings.kept == [CashierSetup("Mira", in_vat=True)]
    assert "Mira" in inside(hands.window).top.lock.accessibleName()
    assert start.desk.state == FirstStart(ShopChoice.SHOP, FirstStep.PRINTER, {}, is_over=True)
    assert start.desk.reopened == 0, "it sells under the new name at once"
    store = start.shop.services.catalogue.store()
    assert store is not None
    assert store.name == "Radnja"
    assert inside(hands.window).work_area.sale.picker.rows.rowCount() == 1, (
        "not the empty favourites"
    )
    hands.scan("8609910700134")
    assert "58,99" in hands.total()


async def test_who_is_not_in_vat_needs_no_labels_in_the_file(start: Start, tmp_path: Path) -> None:
    """A name that does not fit on a receipt is reported while it is typed."""
    hands, screen = await start.at(FirstStep.CASHIER)
    form = form_of(hands, FirstStep.CASHIER)
    form.name.edit.setText("M" * 51)
    await until(lambda: "На рачун стаје највише 50 слова." in words_on(form.name))
    assert screen.next.is_missing
    form.name.edit.setText("M" * 50)
    await until(lambda: "На рачун стаје највише 50 слова." not in words_on(form.name))
    assert screen.next.is_missing
    hands.tap(form.cards[False])
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.press("Enter")
    await pin_chosen(hands)
    assert start.shop.cashier_settings.kept == [CashierSetup("M" * 50, in_vat=False)]
    assert start.desk.state.answers["in_vat"] == "no"
    sheet = tmp_path / "ценовник.csv"
    sheet.write_text("назив;цена\nХлеб;58,99\n", encoding="utf-8")
    articles = form_of(hands, FirstStep.ARTICLES)
    assert "Сваки артикал добија ознаку А." in "".join(lines_of(articles))
    articles.read_sheet(sheet)
    for _ in range(6):
        with suppress(AssertionError):
            await until(lambda: articles.preview is not None and articles.preview.isVisible())
    hands.press("Enter")
    for _ in range(6):
        with suppress(AssertionError):
            await until(lambda: screen.model.articles.done is not None)
    (row,) = start.shop.services.catalogue.page("", limit=2)
    product = start.shop.services.catalogue.product(row.product_id)
    assert product is not None
    assert product.tax_label is TaxLabel.A


async def test_who_leaves_vat_is_told_of_the_articles_first(start: Start, tmp_path: Path) -> None:
    hands, screen = await start.at(FirstStep.CASHIER)
    form_of(hands, FirstStep.CASHIER).name.edit.setText("Mira")
    hands.tap(form_of(hands, FirstStep.CASHIER).cards[True])
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.press("Enter")
    await pin_chosen(hands)
    await imported(hands, screen, tmp_path / "ценовник.csv")
    for step in (FirstStep.PIN, FirstStep.CASHIER):
        hands.tap(screen.head.button)
        await stepped(hands, step)
    assert not any(LABELLED in line for line in lines_of(screen))
    hands.tap(form_of(hands, FirstStep.CASHIER).cards[False])
    await until(lambda: any(LABELLED in line for line in lines_of(screen)))
    assert start.shop.cashier_settings.kept == [CashierSetup("Mira", in_vat=True)], "not saved yet"
    hands.tap(screen.next)
    await stepped(hands, FirstStep.PIN)
    assert any(LABELLED in line for line in lines_of(screen)), "until they are changed"


async def test_nobody_sells_before_the_managers_pin_is_chosen(start: Start) -> None:
    """Then the first person who opens the catalogue is asked for it, and can't choose it."""
    hands, screen = await start.at(FirstStep.PIN)
    assert screen.next.is_missing
    assert not screen.skip.isVisible()
    assert screen.next.accessibleName() == "Укуцајте ПИН"
    assert not any("Упишите" in line for line in lines_of(screen)), "the key alone says it"
    screen.take_focus()
    await typed_pins(hands, "2580", "2581")
    (_, again) = form_of(hands, FirstStep.PIN).fields.values()
    await until(lambda: "Два уписа нису иста" in words_on(again))
    assert hands.window.focusWidget() is again.edit
    assert not start.shop.services.manager.is_set()
    hands.type("2580")
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    with refused(connection_of(start.shop.database.sales), apsw.FullError(), only="INSERT"):
        hands.tap(screen.next)
        await until(lambda: any("Нема места" in line for line in lines_of(screen)))
    hands.tap(screen.next)
    await stepped(hands, FirstStep.ARTICLES)
    assert start.shop.services.manager.pin_check()("2580")
    hands.press("Esc")
    await stepped(hands, FirstStep.PIN)
    assert "изабран" in lines_of(form_of(hands, FirstStep.PIN))
    await until(lambda: hands.window.focusWidget() is screen.next)
    assert "2580" not in str(start.desk.kept)
    start.desk.state = replace(start.desk.state, is_over=True)
    till = start.open()
    inside(till.window).open("catalogue")
    assert "Само управник мења артикле и цене." in lines_of(inside(till.window).catalogue)


async def test_what_is_typed_outlives_back_and_a_killed_till(start: Start) -> None:
    hands, screen = await start.at(FirstStep.STORE)
    form = form_of(hands, FirstStep.STORE)
    form.fields[ShopField.CITY].edit.setText("Нови Сад")
    await until(lambda: screen.model.is_unkept)
    await until(lambda: not screen.model.is_unkept)
    assert start.desk.state.answers["city"] == "Нови Сад"
    hands.press("Esc")
    await stepped(hands, FirstStep.ARTICLES)
    hands.press("Esc")
    await stepped(hands, FirstStep.PIN)
    hands.press("Esc")
    await stepped(hands, FirstStep.CASHIER)
    form_of(hands, FirstStep.CASHIER).cards[False].click()
    hands.type("Mira")
    await until(lambda: start.desk.state.answers.get("cashier") == "Mira")
    hands.press("Esc")
    await until(screen.choice.isVisible)
    again = start.open()  # as if the first one had been killed here
    assert screen_of(again).choice.isVisible()
    again.press("Enter")
    await stepped(again, FirstStep.CASHIER)
    assert form_of(again, FirstStep.CASHIER).name.text() == "Mira"
    assert form_of(again, FirstStep.CASHIER).cards[False].isChecked()
    again.tap(screen_of(again).next)
    await pin_chosen(again)
    again.tap(screen_of(again).next)
    await stepped(again, FirstStep.STORE)
    assert form_of(again, FirstStep.STORE).fields[ShopField.CITY].text() == "Нови Сад"
    assert KEEP_MS < TRY_MS


async def test_a_till_opened_again_goes_on_in_the_first_field_and_keeps_a_notice(
    start: Start,
) -> None:
    hands, screen = await start.at(FirstStep.STORE)
    hands.type("Radnja")
    hands.scan("8609910700134")
    for language in LANGUAGES:
        hands.window.change(theme="dark", language=language)
        screen = await stepped(hands, FirstStep.STORE)
        assert any(hands.window.texts("scan.kept") in line for line in lines_of(screen))
        assert form_of(hands, FirstStep.STORE).fields[ShopField.NAME].text() == "Radnja"
    hands.tap(screen.next)
    await stepped(hands, FirstStep.PROCESSOR)
    assert not any(hands.window.texts("scan.kept") in line for line in lines_of(screen))


async def test_a_platform_shows_what_a_new_shop_needs_first(start: Start) -> None:
    """Its key goes without encryption only where somebody said so."""
    hands, screen = await start.at(FirstStep.ARTICLES)
    hands.choose(form_of(hands, FirstStep.ARTICLES).way, 1)
    form, model = form_of(hands, FirstStep.ARTICLES).platform, screen.model.platform
    await until(lambda: model.setup is not None)
    seen = {entry: field.isVisible() for entry, field in form.fields.items()}
    assert seen == {
        PlatformField.URL: True,
        PlatformField.KEY: True,
        PlatformField.SECRET: True,
        PlatformField.APPLICATION_URL: False,
    }
    assert form.environment.isVisible()
    later = (form.store, form.store_name, form.public_mode, form.copy_client, form.sync_button)
    assert not any(one.isVisible() for one in later)
    form.fields[PlatformField.URL].edit.setFocus()
    hands.type("https://platforma.lipa.rs/v2")
    for text in ("pk_12", "tajna"):
        hands.press("Enter", f"#{text}")
    await until(lambda: model.trial is not None)
    assert model.typed_texts[PlatformField.SECRET] == "tajna"
    await until(lambda: "одговара за 41 ms · 2 продавнице" in lines_of(form.tried))
    assert form.store.isVisible(), "which of the two it is"
    rest = "Продавница, апликација и јавни режим"
    hands.tap_words(rest)
    await until(form.public_mode.isVisible)
    assert form.fields[PlatformField.APPLICATION_URL].isVisible()
    hands.tap_words(rest)
    await until(lambda: not form.public_mode.isVisible())
    desk_of_platform, tried = start.shop.platform_setup, len(start.shop.platform_setup.tried)
    url = form.fields[PlatformField.URL].edit
    url.setFocus()
    url.selectAll()
    hands.type("http://192.168.1.20:8400/v2")
    await until(form.clear_text.isVisible)
    assert not screen.model.wants_trial
    assert len(desk_of_platform.tried) == tried, "the key went there and nobody was asked"
    hands.tap(form.clear_text)
    await until(lambda: len(desk_of_platform.tried) > tried and model.trial is not None)
    change = desk_of_platform.tried[-1]
    assert change.clear_text_allowed == change.url == "http://192.168.1.20:8400/v2"


async def test_a_chosen_printer_prints_its_trial_page_before_the_till_opens(start: Start) -> None:
    printers = start.shop.printer_setup
    printers.trial = PrinterTrial(use=PrinterUse.RECEIPT, tells=False)
    hands, screen = await start.at_processor()
    await until(lambda: screen.model.processor.setup is not None)
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.tap(screen.next)
    await stepped(hands, FirstStep.PRINTER)
    form, model = form_of(hands, FirstStep.PRINTER), screen.model.printer
    await until(form.cards[PrinterKind.NETWORK].isVisible)
    await until(lambda: any(line.startswith("Без штампача рачуни") for line in lines_of(screen)))
    hands.tap(form.cards[PrinterKind.NETWORK])
    form.receipt.address.edit.setText("192.168.1.50")
    await until(lambda: PrinterUse.RECEIPT in model.trials)
    await until(lambda: "Не јавља стање: одштампајте пробни лист." in lines_of(form))
    assert not any(line.startswith("Без штампача рачуни") for line in lines_of(screen))
    await until(form.receipt.page_button.isEnabled)
    hands.tap(form.receipt.page_button)
    await until(lambda: printers.pages == [PrinterUse.RECEIPT])
    assert printers.told.address == "192.168.1.50"
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    assert not screen.skip.isVisible()


async def test_enter_goes_on_where_the_key_says_so(start: Start) -> None:
    """The store belongs to the platform, and is only shown."""
    settings = start.shop.services.settings
    platform = settings.platform.having(url="https://platforma.lipa.rs/v2")
    settings = settings.having(platform=platform)
    start.shop.services = replace(start.shop.services, started_with=settings)
    hands, screen = await start.at(FirstStep.ARTICLES)
    screen.take_focus()
    assert form_of(hands, FirstStep.ARTICLES).choose.hasFocus(), "Enter presses it"
    assert screen.next.spec.key == ""
    while not screen.next.hasFocus():
        hands.press("Tab")
    assert screen.next.spec.key == "Enter"
    hands.tap(screen.next)
    await stepped(hands, FirstStep.STORE)
    assert not form_of(hands, FirstStep.STORE).fields[ShopField.NAME].isEnabled()
    await until(screen.next.hasFocus)
    hands.press("Enter")
    await stepped(hands, FirstStep.PROCESSOR)


async def test_a_server_that_starts_is_waited_for_and_that_of_another_till_is_told_of(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another till's server answers at this one's port, and refuses its requests."""
    faults: list[PosError] = [NotDelivered(what="The server does not answer.")]

    async def fails() -> None:
        raise faults[-1]

    with monkeypatch.context() as away:
        away.setattr(start.shop.processor_setup, "setup", fails)
        _, screen = await start.at_processor()
        await until(lambda: "Каса се припрема …" in lines_of(screen))
        faults.append(Refused(what='"X-Pos-Install" is not this installation: nothing was done'))
        start.shop.server.stranger = "other_install"
        start.shop.clock.go_on(await start.shop.outbox.step())
        screen.tick()  # each second
        told = "Уместо сервера се јавља сервер друге касе. Угасите ту касу, или позовите подршку"
        await until(lambda: any(line.startswith(told) for line in lines_of(screen)))
        assert not any("X-Pos-Install" in line for line in lines_of(screen))
    screen.tick()
    await until(lambda: screen.model.processor.setup is not None)


async def test_nothing_is_sold_or_opened_meanwhile(start: Start) -> None:
    """Another language rebuilds the step, and is kept."""
    hands, screen = await start.at(FirstStep.STORE)
    hands.scan("8609910700134")
    hands.press("F12", "F9", "F2", "F10")
    assert inside(hands.window).is_in("first_start")
    assert not inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.cart.is_empty
    assert start.shop.tones.played[-1] == "no"
    assert form_of(hands, FirstStep.STORE).fields[ShopField.NAME].text() == ""
    screen.take_focus()
    hands.type("Abc")
    hands.choose(screen.language, 2)
    await until(lambda: screen_of(hands) is not screen)
    again = await stepped(hands, FirstStep.STORE)
    assert start.desk.languages == ["en"]
    assert form_of(hands, FirstStep.STORE).fields[ShopField.NAME].text() == "Abc"
    assert "Step 4 of 6" in [one.text() for one in again.findChildren(ElidedLabel)]


async def test_the_demo_leads_to_a_shop_of_one_s_own(start: Start) -> None:
    start.desk.state = FirstStart(ShopChoice.DEMO)
    hands = start.open()
    assert not inside(hands.window).is_in("first_start")
    hands.press("F9")
    hands.tap(hands.button("крај пробе"))
    await until(lambda: start.desk.reopened == 1)
    assert start.desk.state.is_wanted


async def test_a_processor_is_tried_as_it_is_typed_and_a_changed_one_opens_the_till_anew(
    start: Start,
) -> None:
    """What is typed can be skipped."""
    shop = start.shop
    shop.processor_setup.trial = lambda _: ProcessorTrial(fault="away", message="no")
    hands, screen = await start.at_processor()
    model = screen.model.processor
    await until(lambda: model.setup is not None)
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    field = form_of(hands, FirstStep.PROCESSOR).fields[Entry.URL]
    field.edit.setText("http://10.0.0.1:8888")
    await until(lambda: model.trial is not None)
    form = form_of(hands, FirstStep.PROCESSOR)
    await until(lambda: "На овој адреси нико не одговара" in lines_of(form))
    await until(screen.skip.isVisible)
    hands.tap(screen.skip)
    await stepped(hands, FirstStep.PRINTER)
    assert not model.has_changes
    hands.tap(screen.head.button)
    await stepped(hands, FirstStep.PROCESSOR)
    field.edit.setText("http://10.0.0.2:8888")
    await screen.model.go_on()
    assert model.trial is not None
    await until(lambda: "На овој адреси нико не одговара" in lines_of(form))
    assert not shop.processor_setup.changes
    await until(lambda: screen.next.isEnabled() and not screen.next.is_missing)
    hands.tap(screen.next)
    await stepped(hands, FirstStep.PRINTER)
    assert len(shop.processor_setup.changes) == 1, "who says so goes on"
    hands.tap(screen.next)
    await until(lambda: start.desk.reopened == 1)
    assert start.desk.state.is_over
