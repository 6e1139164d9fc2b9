"""The list of receipts and the open receipt, by keys and mouse in the till's window, over a server
that answers when a test lets it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import zxingcpp
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from pos_app.cashier.receipts import model as receipts_model
from pos_app.cashier.receipts.filters import PeriodChoice
from pos_app.cashier.receipts.model import Doing
from pos_app.cashier.receipts.rows import ReceiptListHead
from pos_app.cashier.scanner.decoder import ENTER
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.labels import Icon
from pos_app.cashier.ui.panel import EmptyState
from pos_app.documents.shown_receipt import ShownElsewhere
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere, SearchEnd
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.server_status import ProcessorState, PublicMode, PublicModeState
from pos_app.domain.receipt.states import JobState
from pos_app.errors import NotDelivered
from pos_app.selling.sale.state import SaleState
from tests.fakes.browser import browser
from tests.fakes.fiscal_server import Fault
from tests.fakes.verification_url import payload, url
from tests.gui.attention.cases import settle, sold
from tests.gui.parts import lines_of, notices_in, visible_parts
from tests.gui.pictures import LIGHT
from tests.gui.receipts.conftest import Held
from tests.gui.receipts.day import at, copy, job, number_of
from tests.gui.receipts.screens import posed


@asynccontextmanager
async def at_f7(held: Held) -> AsyncIterator[None]:
    """Press F7, and wait until the newest receipt is open."""
    try:
        await settle(held.shop)
        await held.hands.press("F7")
        await held.opens("8640")
        yield
    finally:
        await held.close()


async def visited(held: Held) -> None:
    """Leave the list, and come back to it."""
    window = held.hands.hands.window
    await held.hands.by_hand(window.activateWindow)  # the offscreen platform may forget it
    await held.hands.by_hand(window.frame.go_home)
    await held.hands.press("F7")
    await held.opens("8640")


async def in_turn(held: Held, *ways: Callable[[Held], Awaitable[None]]) -> None:
    """Go these ways in one window, each on a visit of its own."""
    async with at_f7(held):
        for number, way in enumerate(ways):
            if number:
                await visited(held)
            await way(held)


async def scanned(held: Held, number: int) -> None:
    shown = held.server.details[number_of(number)]
    held.screen.room.open(shown.overview.number, by_scan=True)
    await held.opens(str(number))


async def rested(held: Held) -> None:
    await held.hands.until(lambda: not held.screen.opened.acts.main.rests)


def repeated(held: Held) -> list[str]:
    """The delivery jobs that were repeated."""
    return [one[1] for one in held.shop.doubts.told if one[0] == "again"]


def copies(held: Held) -> int:
    return sum(one.operation == "copy" for one in held.shop.store.sales.last(50))


async def digits_look_for_the_end_of_a_number_until_the_next_visit(held: Held) -> None:
    """The receipt is opened once it is found; each visit begins with today."""
    await held.hands.type("859")
    search = held.screen.side.filters.search
    assert search.text() == "859"
    await held.hands.press("Enter")
    assert held.screen.model.doing is None, "Enter in the search is not the large key"
    await held.hands.press("Backspace")
    assert search.text() == "85"
    await held.hands.press("Down")
    await held.hands.type("97")
    assert search.text() == "97", "on the list a digit begins another number"
    await held.hands.press("Esc")
    await held.hands.type("8597")
    held.server.answers = asyncio.Event()
    await held.hands.type("0")
    await held.hands.press("Backspace", "Enter")
    held.server.answers.set()
    await held.opens("8597")
    assert held.screen.side.view.hasFocus()
    assert held.screen.model.doing is None
    await held.hands.press("Esc", "Esc")
    assert held.hands.hands.window.frame.is_home
    await held.hands.press("F7")
    await held.opens("8640")
    assert held.screen.side.filters.search.text() == ""


async def press_each_act(held: Held) -> None:
    held.screen.side.view.setFocus()
    await held.hands.press("Enter", "Enter")
    for number in range(1, 8):
        await held.hands.press(f"Alt+{number}")
        assert held.screen.model.doing is None
    assert held.hands.hands.window.frame.top is held.screen
    assert copies(held) == 0


async def a_search_that_finds_nothing_leaves_nothing_to_act_on(held: Held) -> None:
    """Neither while the list is read anew, nor once it is empty."""
    side, model = held.screen.side, held.screen.model
    held.server.answers = asyncio.Event()
    await held.hands.press("F2")
    await held.hands.type("zzzz")
    await held.hands.press("Enter")
    await press_each_act(held)
    held.server.answers.set()
    await held.hands.until(lambda: model.is_found and not model.is_asking)
    assert model.opened is None
    await press_each_act(held)
    (empty,) = visible_parts(held.screen, EmptyState)
    assert (side.turnover.isVisible(), side.view.isVisible()) == (False, False)
    assert [one.icon_and_colour[0] for one in visible_parts(empty, Icon)] == ["search"]
    assert empty.button is not None
    await held.hands.tap(empty.button)
    await held.hands.until(side.view.isVisible)
    assert side.filters.search.text() == ""


async def a_row_is_opened_by_mouse_and_arrows_read_the_last_row_alone(held: Held) -> None:
    view = held.screen.side.view
    place = view.visualRect(held.screen.side.rows.index(3)).center()
    await held.hands.by_hand(held.hands.hands.tap, view.viewport(), place)
    await held.opens("8637")
    await held.hands.press("Up", "Up", "Up")
    await held.opens("8640")
    held.server.read.clear()
    for _ in range(6):
        await held.hands.press("Down")
    await held.opens("8634")
    assert held.server.read == [held.day.receipts[8634].link.id]
    await held.hands.press("PgDown")
    await held.hands.press("Up")
    rows = held.screen.side.view.currentIndex().row()
    await held.opens(str(8640 - rows))
    assert rows == 6 + held.screen.side.page - 1


async def nothing_acts_on_the_receipt_before(held: Held) -> None:
    held.server.answers = asyncio.Event()
    await held.hands.press("Down")
    await held.hands.press("Enter")
    await held.hands.type("v")
    assert held.screen.model.doing is None
    held.server.answers.set()
    await held.opens("8639")


async def a_slow_answer_never_takes_the_place_of_a_later_one(held: Held) -> None:
    slow = held.server.answers = asyncio.Event()
    await scanned_later(held, 8597)
    held.server.answers = None
    await scanned(held, 8595)
    slow.set()
    tasks = held.hands.hands.window.frame.tasks
    await held.hands.until(lambda: not tasks.names)
    assert held.number() == "8595"


async def scanned_later(held: Held, number: int) -> None:
    held.screen.room.open(number_of(number), by_scan=True)
    await held.hands.until(lambda: held.screen.model.is_late)
    await held.hands.until(lambda: "Рачун се чита …" in lines_of(held.screen.opened))


async def test_no_more_rows_are_held_than_a_person_scrolls_through(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts_model, "MOST_ROWS", 100)
    async with at_f7(held):
        bar = held.screen.side.view.verticalScrollBar()
        for _ in range(3):
            await held.hands.by_hand(lambda: bar.setValue(bar.maximum()))
            await held.hands.until(lambda: not held.screen.model.is_asking)
        assert held.screen.side.rows.rowCount() == 100
        assert any("старији се налазе по дану" in one for one in lines_of(held.screen.side))


async def a_row_that_an_answer_has_just_taken_away_is_opened_as_it_is_seen(held: Held) -> None:
    """Between an answer of the server and the list that shows it a person taps what is seen."""
    side, model = held.screen.side, held.screen.model
    place = side.view.visualRect(side.rows.index(3)).center()
    whole = model.rows

    def tap() -> None:
        model.rows = whole[:1]
        held.hands.hands.tap(side.view.viewport(), place)
        model.rows = whole

    await held.hands.by_hand(tap)
    await held.opens("8637")


async def filters_count_as_they_are_pressed(held: Held) -> None:
    side = held.screen.side
    assert "292.756,30" in lines_of(side)
    await held.hands.tap(side.filters.periods[PeriodChoice.YESTERDAY])
    await held.hands.until(lambda: bool(visible_parts(side, EmptyState)))
    assert "search" not in [one.icon_and_colour[0] for one in visible_parts(side, Icon)]
    assert side.rows.rowCount() == 0
    await held.hands.tap(side.filters.periods[PeriodChoice.DAYS])
    await held.hands.type("20.11.")
    await held.hands.until(lambda: side.rows.rowCount() == 50)
    side.filters.kind.chosen.emit("refunds")
    await held.hands.until(lambda: side.rows.rowCount() == 4)
    assert "−5.610,96" in " ".join(lines_of(side))


async def what_needs_something_is_done_from_there(held: Held) -> None:
    held.shop.doubts.told.clear()
    await held.hands.tap(held.screen.side.filters.waiting)
    await held.hands.until(lambda: held.screen.side.rows.rowCount() == 2)
    held.screen.side.view.setFocus()
    await held.hands.press("Up")
    await held.opens("8600")
    assert held.screen.opened.main_act(held.screen.model).words == "Штампај"
    await held.hands.press("Enter")
    assert held.screen.model.doing is Doing.PRINT
    await rested(held)
    await held.hands.press("Enter")
    await held.hands.until(lambda: bool(repeated(held)))
    told = held.day.receipts[8600]
    told.jobs = (job(8600, at("14:32")),)
    held.day.tell(held.server)
    await held.hands.tap(held.screen.side.filters.periods[PeriodChoice.TODAY])
    held.screen.room.read_again()
    await held.hands.until(lambda: held.screen.opened.main_act(held.screen.model).words == "Копија")


async def enter_issues_one_copy_however_it_is_pressed(held: Held) -> None:
    await held.hands.press("Enter", "Enter")
    assert (held.screen.model.doing, copies(held)) == (Doing.COPY, 0), "a double tap"
    await rested(held)
    for _ in range(3):
        await held.hands.by_hand(lambda: held.hands.hands.keys.press(ENTER, repeat=True))
    assert copies(held) == 0, "a key that is held down"
    await held.hands.press("Enter", "Enter", "Enter")
    assert copies(held) == 1
    assert held.screen.opened.main_act(held.screen.model).words == "Издаје се"
    await settle(held.shop)


async def a_copy_waits_for_the_processor_by_itself(held: Held) -> None:
    held.shop.server.processor = ProcessorState.AWAY
    held.shop.server.faults.extend([Fault.WAIT] * 3)
    held.shop.clock.go_on(20_000)
    await settle(held.shop, 3)
    await issued(held, 8639)
    await held.hands.until(
        lambda: any("Копија се издаје чим" in one for one in lines_of(held.screen.opened))
    )
    held.shop.server.processor = ProcessorState.READY
    held.shop.clock.go_on(60_000)
    await settle(held.shop, 30)
    await held.hands.until(
        lambda: any(one.endswith("је издата.") for one in lines_of(held.screen.opened))
    )
    assert held.shop.store.sales.last(1)[0].state is SaleState.DONE


async def issued(held: Held, number: int) -> int:
    """Issue a copy of a receipt by Enter, Enter; returns how many there are now."""
    before = copies(held)
    await scanned(held, number)
    await held.hands.press("Enter")
    await rested(held)
    await held.hands.press("Enter")
    assert copies(held) == before + 1
    return before + 1


async def a_copy_that_is_refused_is_told(held: Held) -> None:
    await issued(held, 8638)
    held.shop.server.faults.append(Fault.FIX)
    await settle(held.shop)
    await held.hands.until(
        lambda: any("Копија није издата" in one for one in lines_of(held.screen.opened))
    )


def says(held: Held, words: str) -> bool:
    return any(words in one for one in lines_of(held.screen.opened))


async def a_file_that_fails_after_the_screen_was_left_is_told_at_the_sale(held: Held) -> None:
    files = held.shop.receipt_files
    asked = len(files.asked)
    files.free.clear()
    await held.hands.type("d")
    await _opened_by_the_menu(held)
    await held.hands.until(lambda: len(files.asked) > asked)
    await held.hands.by_hand(held.hands.hands.window.frame.go_home)
    files.fault = NotDelivered(what="nobody there")
    files.free.set()
    words = held.hands.hands.window.texts.error(files.fault).happened
    await held.hands.until(lambda: held.hands.hands.notice().startswith(words))
    files.fault = None


async def a_copy_in_doubt_is_not_issued_again(held: Held) -> None:
    many = await issued(held, 8636)
    held.shop.server.faults.append(Fault.IN_DOUBT)
    await settle(held.shop, 60)
    await held.hands.until(
        lambda: any("Још се не зна" in one for one in lines_of(held.screen.opened))
    )
    await held.hands.press("Enter")
    assert (held.screen.model.doing, copies(held)) == (None, many)


async def _opened_by_the_menu(held: Held) -> None:
    await held.hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    await held.hands.by_hand(QTest.keyClick, menu, Qt.Key.Key_Return)


async def each_act_by_its_letter_by_alt_and_by_mouse(held: Held) -> None:
    buttons = held.screen.opened.acts.buttons
    await held.hands.type("d")
    await _opened_by_the_menu(held)
    await held.hands.press("F2", "Alt+3")
    await _opened_by_the_menu(held)
    assert buttons["D"].spec.key == "Alt+3", "while a field has the focus"
    await held.hands.press("Down")
    await held.opens("8639")
    assert buttons["D"].spec.key == "D"
    await held.hands.tap(buttons["D"])
    await _opened_by_the_menu(held)
    await held.hands.until(lambda: len(held.viewer.files) == 3)
    assert [one for one, _ in held.shop.receipt_files.asked] == [
        held.day.receipts[number].link.id for number in (8640, 8640, 8639)
    ]
    frame = held.hands.hands.window.frame
    for act, name in (("r", "refund"), ("i", "correction")):
        await held.hands.type(act)
        await held.hands.until(
            lambda: frame.top_name == name and not frame.tasks.names  # noqa: B023
        )
        await held.hands.press("Esc")
        await held.hands.until(lambda: frame.top_name == "receipts")
        await held.opens("8639")


def read(part: QWidget) -> str:
    """The text of the painted code, as a telephone reads it."""
    image = part.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    size, pixels = (image.width(), image.height()), bytes(image.constBits())
    picture = Image.frombytes("L", size, pixels, "raw", "L", image.bytesPerLine())
    (code,) = zxingcpp.read_barcodes(picture)
    return code.text


async def the_page_of_the_administration_is_opened_or_its_code_stays(held: Held) -> None:
    address = held.server.details[number_of(8640)].overview.verification_url
    assert address is not None
    with browser() as opened_by:
        for opens in (True, False):
            await held.hands.press("F2", "Alt+4")
            assert held.screen.model.doing is Doing.VERIFY
            assert read(held.screen.opened.doing.code) == address
            await rested(held)
            with pytest.MonkeyPatch.context() as patched:
                if not opens:
                    patched.setattr(QDesktopServices, "openUrl", lambda url: False)
                await held.hands.press("Enter")
                await held.hands.until(lambda: bool(opened_by.opened))
    assert opened_by.opened == [address]
    await held.hands.until(lambda: says(held, "сликајте код"))
    assert read(held.screen.opened.doing.code) == address


async def what_is_not_lawful_does_nothing_and_says_why(held: Held) -> None:
    await scanned(held, 8601)
    held.shop.tones.played.clear()
    for act in "ire":
        await held.hands.type(act)
    await held.hands.press("Enter")
    assert held.shop.tones.played == ["no"] * 4
    assert held.hands.hands.window.frame.top_name == "receipts"
    assert held.screen.model.doing is None
    assert "Копија се не рефундира" in held.screen.opened.acts.buttons["R"].toolTip()
    assert any("Копија се не рефундира" in one for one in lines_of(held.screen.opened))
    await held.hands.type("r")
    window = held.hands.hands.window
    window.change(language="en")
    assert "A copy can't be refunded" in " ".join(notices_in(held.hands.hands.window))
    window.change(language="sr-Cyrl")
    assert "Копија се не рефундира" in " ".join(notices_in(held.screen))


async def the_chain_leads_to_its_receipts(held: Held) -> None:
    await scanned(held, 8597)
    await held.hands.tap_words("Рефундација 8631")
    await held.opens("8631")
    await held.hands.tap_words("Продаја 8597")
    await held.opens("8597")
    for number in range(8650, 8660):
        copy(held.day, number, at("14:31"), held.day.receipts[8597].book)
    held.day.tell(held.server)
    await scanned(held, 8655)
    await held.hands.tap_words("још 2 рачуна")
    await held.opens("8658")


async def the_tills_own_sales_stand_there_while_the_server_is_away(held: Held) -> None:
    for amount in ("1236.00", "359.98"):
        sold(held.shop, amount)
    await settle(held.shop)
    held.server.fault = NotDelivered(what="nobody there")
    await held.hands.type("5")
    side = held.screen.side
    await held.hands.until(lambda: side.rows.rowCount() == 2)
    await held.hands.until(lambda: any("само продаје ове касе" in one for one in lines_of(side)))
    await held.hands.press("Esc", "Down")
    await held.hands.until(lambda: held.screen.model.own_opened is not None)
    held.shop.tones.played.clear()
    await held.hands.type("r")
    await held.hands.press("Enter")
    assert held.shop.tones.played == ["no", "no"]
    held.server.fault = None
    await held.hands.by_hand(held.screen.room.look)
    await held.hands.until(lambda: side.rows.rowCount() == 50)
    await held.hands.until(
        lambda: not any("само продаје ове касе" in one for one in lines_of(side))
    )


async def all_that_needs_something_is_read_as_it_comes_into_sight(held: Held) -> None:
    """The rows behind the first page are read too, and stay while the list is read again."""
    for number, told in held.day.receipts.items():
        told.jobs = (job(number, at("14:32"), JobState.FAILED),)
    held.day.tell(held.server)
    await visited(held)
    many = len(held.day.receipts)
    side, model = held.screen.side, held.screen.model
    assert (model.waiting_many, len(model.waiting)) == (many, 50)
    await held.hands.tap(side.filters.waiting)
    await held.hands.until(lambda: side.rows.rowCount() == 50)
    bar = side.view.verticalScrollBar()
    while side.rows.rowCount() < many:
        await held.hands.by_hand(lambda: bar.setValue(bar.maximum()))
        await held.hands.until(lambda: not model.is_asking)
    held.screen.room.refresh()
    await held.hands.until(lambda: not model.is_asking)
    assert side.rows.rowCount() == many
    assert len({one.receipt.number for one in model.waiting}) == many


async def a_copy_is_sent_to_an_address_alone(held: Held) -> None:
    await scanned(held, 8597)
    await held.hands.type("e")
    offered = held.screen.opened.doing.address.text()
    assert offered == "kupac@primer.rs", "where it was sent before"
    await held.hands.press("Esc")
    await scanned(held, 8635)
    await held.hands.type("e")
    assert held.screen.opened.doing.address.edit.hasFocus()
    main, field = held.screen.opened.acts.main, held.screen.opened.doing.address
    await rested(held)
    for letters in ("kupac", "@"):
        await held.hands.type(letters)
        assert (main.kind, main.accessibleName()) == (ButtonKind.PLAIN, "Упишите имејл")
        await held.hands.press("Enter")
        assert field.error()
        assert field.edit.hasFocus()
    many = copies(held)
    await held.hands.type("primer.rs")
    assert (main.kind, main.accessibleName(), field.error()) == (ButtonKind.FILLED, "Пошаљи", "")
    await held.hands.press("Enter")  # right after the last letter
    assert copies(held) == many + 1
    await settle(held.shop)
    assert b"kupac@primer.rs" in held.shop.server.handed[-1].body


async def a_list_that_is_being_made_says_so(held: Held) -> None:
    held.server.state = ListState(12_400, 2_000_000)
    await visited(held)
    assert any("Листа се прави" in one for one in lines_of(held.screen.side))


async def a_search_at_other_tills_is_left_by_esc(held: Held) -> None:
    """What comes later changes nothing; asked again, the tills that did not answer are named."""
    held.shop.server.public_mode = PublicMode(PublicModeState.CONNECTED, held.shop.clock.now())
    await settle(held.shop)
    held.server.searching = asyncio.Event()
    await held.hands.scan(url(payload()))
    screen, model = held.screen, held.screen.model
    await held.hands.until(lambda: model.search_began is not None)
    await held.hands.press("Esc")
    assert held.hands.hands.window.frame.top is screen
    left = "Тражење на осталим касама је прекинуто."
    await held.hands.until(lambda: left in " ".join(lines_of(screen)))
    held.server.searching.set()
    search = SearchElsewhere(SearchEnd.PARTLY, ("Каса 3",), ("Каса 2",))
    held.server.at_other_tills = ShownElsewhere(search)
    await held.hands.tap_words("Тражи на осталим касама")
    await held.hands.until(lambda: model.elsewhere is not None)
    for told in ("Није повезано: Каса 3.", "Нису се јавиле на време: Каса 2."):
        await held.hands.until(lambda: told in " ".join(lines_of(screen)))  # noqa: B023


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
@pytest.mark.deadline(120)
async def test_the_list_and_the_opened_receipt(held: Held) -> None:
    await in_turn(
        held,
        nothing_acts_on_the_receipt_before,
        a_slow_answer_never_takes_the_place_of_a_later_one,
        a_row_is_opened_by_mouse_and_arrows_read_the_last_row_alone,
        a_row_that_an_answer_has_just_taken_away_is_opened_as_it_is_seen,
        filters_count_as_they_are_pressed,
        digits_look_for_the_end_of_a_number_until_the_next_visit,
        a_search_that_finds_nothing_leaves_nothing_to_act_on,
        each_act_by_its_letter_by_alt_and_by_mouse,
        the_page_of_the_administration_is_opened_or_its_code_stays,
        what_is_not_lawful_does_nothing_and_says_why,
        the_chain_leads_to_its_receipts,
    )


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.deadline(120)
async def test_copies(held: Held) -> None:
    await in_turn(
        held,
        enter_issues_one_copy_however_it_is_pressed,
        a_copy_waits_for_the_processor_by_itself,
        a_copy_that_is_refused_is_told,
        a_file_that_fails_after_the_screen_was_left_is_told_at_the_sale,
        a_copy_is_sent_to_an_address_alone,
        a_copy_in_doubt_is_not_issued_again,
    )


async def test_deliveries_and_a_list_that_is_not_all(held: Held) -> None:
    await in_turn(
        held,
        what_needs_something_is_done_from_there,
        a_search_at_other_tills_is_left_by_esc,
        the_tills_own_sales_stand_there_while_the_server_is_away,
        all_that_needs_something_is_read_as_it_comes_into_sight,
        a_list_that_is_being_made_says_so,
    )


@pytest.mark.parametrize(
    ("scene", "titles"),
    [
        ("unread", ["Сервер није доступан", "Рачун сада не може да се прочита"]),
        ("unknown", ["Овај сервер не зна за тај рачун"]),
        ("elsewhere", ["Овај рачун није у дневнику ове касе"]),
    ],
)
def test_what_is_not_there_is_told_in_its_place(
    qapp: QApplication, scene: str, titles: list[str]
) -> None:
    with posed(qapp, LIGHT, scene) as window:
        states = visible_parts(window, EmptyState)
        assert [lines_of(one)[0] for one in states] == titles
        assert all(one.height() > window.height() // 2 for one in states)
        assert bool(visible_parts(window, ReceiptListHead)) is (scene != "unread")
