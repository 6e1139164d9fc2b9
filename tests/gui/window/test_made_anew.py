"""A change of theme, language or width makes the content of the window again."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from pos_app import settings
from pos_app.cashier.correction.view import CorrectionRoom
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.refund.room import RefundRoom
from pos_app.cashier.reports.room import ReportsRoom
from pos_app.cashier.sale.catalogue_pages import ALL_CHIP
from pos_app.cashier.sale.notices import NoSuchCode
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import (
    ADVANCES,
    ATTENTION,
    CATALOGUE,
    CORRECTION,
    RECEIPTS,
    REFUND,
    REPORTS,
    SETTINGS,
    SHIFT,
)
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.ticket import DocumentKind
from tests.bench.machine import measure
from tests.fakes.fiscal_server import Fault
from tests.fakes.people_here import let_in, sign_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.pictures import settle
from tests.gui.refund.screens import LINES, NUMBER, sold
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn, other_program_comes, other_program_goes, seen
from tests.gui.window.screens import no_platform
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.gui.window.test_frame import confirm_bread
from tests.sweep import each

QUICK_MS = 400
"""Milliseconds of a processor whose fixed loop takes AT_REFERENCE_MS; more on a slower one."""
AT_REFERENCE_MS = 10
FLIPS = 12
PAID = str(Money.total(one.total for one in LINES))


def caret() -> tuple[str, int]:
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit), field
    return field.text(), field.cursorPosition()


def to_dark(hands: Hands) -> None:
    hands.window.change(theme="dark")


def to_english(hands: Hands) -> None:
    hands.window.change(language="en")


def to_narrow(hands: Hands) -> None:
    hands.window.resize(1024, 768)
    settle()
    assert hands.window.theme.metrics.narrow


CHANGES = [to_dark, to_english, to_narrow]
Change = Callable[[Hands], None]


def let_go() -> None:
    """Let Qt delete the widgets that were put away."""
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    settle()


def the_sale_shows_what_it_showed(hands: Hands, change: Change) -> None:
    window = hands.window
    hands.model.entry.enter_code(BREAD)
    window.on_scan("4006381333931")
    picker = hands.area.sale.picker
    picker.chips.chosen.emit(ALL_CHIP)
    picker.set_as_list(True)
    hands.area.sale.search.pad.setChecked(True)
    hands.type("sir")
    hands.area.sale.search.search.edit.setCursorPosition(1)
    rows, found = hands.rows(), picker.rows.window.count
    change(hands)
    sale = hands.area.sale
    assert hands.rows() == rows
    assert isinstance(hands.model.context.notices[-1], NoSuchCode)
    assert "4006381333931" in hands.notice()
    assert (sale.search.text(), caret()) == ("sir", ("sir", 1))
    assert (sale.picker.rows.as_list, sale.picker.rows.window.count) == (True, found)
    assert sale.search.pad.isChecked()
    hands.press("Esc")
    assert sale.picker.rows.window.choice.chip == ALL_CHIP  # as before the search


def a_question_keeps_what_was_typed(hands: Hands, change: Change) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3", "#25")
    change(hands)
    assert caret() == ("25", 2)
    hands.press("Enter")
    assert hands.rows()[0].find("25") >= 0


def a_payment_keeps_all_that_was_typed(hands: Hands, change: Change) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F12", "#2000", "F5", "#1234")
    change(hands)
    assert hands.area.is_paying
    assert caret() == ("1234", 4)
    hands.press("Esc")
    assert caret()[0] == "2.000"
    assert hands.model.cart.current_line_id is not None
    hands.press("Esc")
    assert not hands.area.is_paying
    hands.area.pay(FaultPart.BUYER)
    assert caret()[0] == "1234"


def the_payment_says_what_was_added_and_what_is_lacking(hands: Hands, change: Change) -> None:
    window = hands.window

    def told() -> str:
        return " ".join((hands.paying.head.news_text(), *lines_of(hands.paying)))

    hands.model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.model.entry.enter_code(MILK)
    assert window.texts("pay.added", name="Млеко свеже 2,8 % 1 l") in told()
    change(hands)
    assert window.texts("pay.added", name="Млеко свеже 2,8 % 1 l") in told()
    hands.press("#x")
    assert window.texts("number.only") in told()
    change(hands)
    assert window.texts("number.only") in told()


def lifted(lock: ManagerLock) -> None:
    if not lock.is_open:
        let_in(lock, "2580")


def a_receipt_to_refund(window: TillWindow) -> None:
    room, book = window.frame.room(REFUND), sold(*LINES, cash=PAID)
    assert isinstance(room, RefundRoom)
    room.model.open(NUMBER, back_to=HOME)
    room.model.take_overview(overview_of(book.links[0], book.chain, jobs=(), origin="till"))
    lifted(room.model.lock)


def a_receipt_to_correct(window: TillWindow) -> None:
    room, book = window.frame.room(CORRECTION), sold(*LINES, cash=PAID)
    assert isinstance(room, CorrectionRoom)
    room.model.open(NUMBER)
    room.model.take_overview(overview_of(book.links[0], book.chain, jobs=(), origin="till"))
    lifted(room.model.lock)


def reports_let_in(window: TillWindow) -> None:
    room = window.frame.room(REPORTS)
    assert isinstance(room, ReportsRoom)
    lifted(room.model)


def keeps_why(
    screen: str, ready: Callable[[TillWindow], None] = lambda _: None
) -> Callable[[Hands, Change], None]:
    """A screen keeps why an act was refused until the next act, in the words of the language."""

    def state(hands: Hands, change: Change) -> None:
        window, why = hands.window, NotAllowed("another_cart")
        ready(window)
        window.frame.open(screen)
        settle()
        window.frame.refuse(why)
        assert window.texts.error(why).in_one_text in lines_of(window)
        change(hands)
        assert window.texts.error(why).in_one_text in lines_of(window)
        window.frame.top.end_refusal()
        assert window.texts.error(why).in_one_text not in lines_of(window)

    state.__name__ = f"{screen}_keeps_why_an_act_was_refused"
    return state


def attention_keeps_its_case(hands: Hands, change: Change) -> None:
    window = hands.window
    inside(window).open("attention")
    hands.press("F1")
    change(hands)
    assert inside(window).is_in("attention")
    assert window.texts("att.keys.tab") in lines_of(window)
    hands.press("Esc")
    assert inside(window).is_in("attention")
    hands.press("Esc")
    assert not inside(window).is_in("attention")


def a_text_of_several_lines_is_typed_on_at_its_end(
    hands: Hands, change: Callable[[Hands], None]
) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.area.payment.open_page(FaultPart.TEXT)
    hands.type("hvala")
    change(hands)
    hands.type("x")
    field = QApplication.focusWidget()
    assert isinstance(field, QPlainTextEdit)
    assert field.toPlainText() == "hvalax"


STATES = [
    the_sale_shows_what_it_showed,
    a_question_keeps_what_was_typed,
    a_payment_keeps_all_that_was_typed,
    the_payment_says_what_was_added_and_what_is_lacking,
    attention_keeps_its_case,
    keeps_why(ADVANCES),
    keeps_why(ATTENTION),
    keeps_why(CORRECTION, a_receipt_to_correct),
    keeps_why(CATALOGUE),
    keeps_why(RECEIPTS),
    keeps_why(REFUND, a_receipt_to_refund),
    keeps_why(REPORTS, reports_let_in),
    keeps_why(SETTINGS),
    keeps_why(SHIFT),
    a_text_of_several_lines_is_typed_on_at_its_end,
]


@each("state", STATES)
@each("change", CHANGES)
def test_no_typed_text_is_lost(
    anew: Anew, state: Callable[[Hands, Change], None], change: Change
) -> None:
    state(anew.begin(), change)


def test_a_theme_or_language_of_the_menu_is_kept_and_letters_search(hands: Hands) -> None:
    """The next start reads what is kept, however this one ends."""
    window = hands.window
    for label, value in (("theme_words", "more.theme_dark"), ("language", "language.en")):
        hands.press("F9")
        hands.tap_words(f"{window.texts('more.look_words')}: {window.texts('more.look')}")
        let_go()
        hands.tap_words(f"{window.texts(f'more.{label}')}: {window.texts(value)}")
        let_go()
        assert hands.model.questions.question is None
        hands.type("sir")
        assert hands.area.sale.search.text() == "sir"
        hands.press("Esc")
    kept = settings.load(window.services.settings.data).till
    assert (kept.theme, kept.language) == ("dark", "en")


def kinds() -> Counter[str]:
    """The number of Qt objects that Python holds, by type."""
    return Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, QObject))


def test_it_is_quick_and_nothing_is_left_of_the_widgets_before(
    hands: Hands, tmp_path: Path
) -> None:
    window = hands.window
    for code in (BREAD, MILK):
        hands.model.entry.enter_code(code)

    def flip(times: int) -> list[float]:
        costs = []
        for number in range(times):
            began = time.process_time()
            window.change(
                theme="dark" if number % 2 else "light", language="en" if number % 4 else "sr-Latn"
            )
            window.repaint()
            costs.append(1000 * (time.process_time() - began))
            let_go()
        gc.collect()
        return costs

    costs = flip(4)
    slower = max(1, measure(tmp_path).cpu_ms / AT_REFERENCE_MS)
    assert min(costs) < QUICK_MS * slower, (costs, slower)
    widgets, objects = len(QApplication.allWidgets()), len(window.findChildren(QObject))
    alive = kinds()
    flip(FLIPS)
    assert len(QApplication.allWidgets()) == widgets
    assert len(window.findChildren(QObject)) == objects
    more = {kind: count for kind, count in (kinds() - alive).items() if count >= FLIPS}
    assert more == {}  # Python keeps none of them either


def states(hands: Hands) -> dict[str, object]:
    """Each part of the window that tells a state, without its words."""
    window = hands.window
    top, line = hands.top, window.status
    who = top.lock
    return {
        "waiting": (top.bell.isVisible(), top.bell.spec.words),
        "signed in": (who.isVisible(), window.services.cashier in who.accessibleName()),
        "another program in front": top.banners.behind.isVisible(),
        "training": top.banners.kind.isVisible(),
        "kind of document": top.segment.current(),
        "bottom line": (line.isVisible(), line.accessibleDescription().count(" · ")),
    }


async def test_each_state_stands_again_however_the_window_is_made_anew(
    shop: Shop, sell_in: SellIn
) -> None:
    """Somebody is signed in and trains, a refused sale waits, processor and platform are away."""
    sign_in(shop.services)
    shop.services.here.person = shop.services.people.people()[0]  # the manager may train
    hands = sell_in(shop)
    await confirm_bread(hands, Fault.FIX)
    shop.server.processor = ProcessorState.AWAY
    no_platform(shop, hands.window)
    await shop.serve(2)
    await seen()
    hands.window.frame.tick()
    inside(hands.window).set_kind(DocumentKind.TRAINING)
    other_program_comes()
    before = states(hands)
    assert (before["waiting"], before["signed in"]) == ((True, "1"), (True, True))
    assert "Процесор није доступан" in hands.window.status.accessibleDescription()
    assert before["another program in front"]
    assert before["training"]
    for change in CHANGES:
        change(hands)
        assert states(hands) == before, change.__name__
    hands.tap(hands.top.bell)
    assert inside(hands.window).is_in("attention")
    other_program_goes()
