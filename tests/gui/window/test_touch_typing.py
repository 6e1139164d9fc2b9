"""Letters by touch: when the keyboard opens and closes, the effects of its keys, the parts in
sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.sale.questions import NewArticle, Question, VoidQuestion
from pos_app.cashier.ui.keyboard import HELD_MS, KeyButton
from pos_app.cashier.ui.keyboard_layout import Script, ShiftState, Special
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.sale.receipt_drafts import FaultPart
from tests.gui.parts import form_of, visible_parts
from tests.gui.patience import until
from tests.gui.window.anew import Anew
from tests.gui.window.finger import Finger, place_of
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, Shop
from tests.sweep import each


def is_page(hands: Hands) -> bool:
    """Whether a form is open over the payment."""
    return hands.paying.page is not None


@pytest.fixture
def finger(hands: Hands, touch_screen: QPointingDevice) -> Finger:
    return Finger(hands.window, touch_screen)


def search(hands: Hands) -> QLineEdit:
    return hands.area.sale.search.search.edit


def a_finger_in_the_search_opens_it_and_letters_search(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    finger.type("сир")
    assert search(hands).text() == "сир"
    assert search(hands).hasFocus()
    assert "сир" in hands.area.sale.picker.rows.window.choice.query
    finger.special(Special.ENTER)
    assert len(hands.rows()) == 1 or hands.model.questions.question is not None


def a_mouse_and_keys_open_nothing(hands: Hands, finger: Finger) -> None:
    spot = place_of(search(hands)).center()
    QTest.mouseClick(hands.window.windowHandle(), Qt.MouseButton.LeftButton, pos=spot)
    hands.type("sir")
    assert search(hands).text() == "sir"
    assert not finger.has_keyboard


def _is_keyboard_key(widget: QWidget) -> bool:
    return widget.accessibleName() == "Тастатура"


def keyboard_key(field: QWidget) -> QWidget:
    """The button in a field that opens the keyboard."""
    return next(one for one in field.findChildren(QWidget) if _is_keyboard_key(one))


def a_key_opens_and_closes_it_for_any_pointer(hands: Hands, finger: Finger) -> None:
    assert not hands.window.findChildren(KeyButton), "it is not made before it is opened"
    button = keyboard_key(hands.area.sale.search)
    hands.tap(button)
    finger.keyboard.key("д").click()  # as a screen reader presses it
    assert search(hands).text() == "д"
    hands.tap(button)
    assert not finger.has_keyboard
    hands.model.entry.enter_code(BREAD)
    hands.press("F3")
    finger.tap(hands.area.panel.field.edit)
    assert not finger.has_keyboard, "a number has a pad"


def esc_folds_it_and_only_then_goes_a_step_back(hands: Hands, finger: Finger) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.area.pay(FaultPart.TEXT)
    finger.tap(hands.area.findChildren(QPlainTextEdit)[0])
    finger.type("хвала")
    hands.press("Esc")
    assert not finger.has_keyboard
    text = hands.area.findChildren(QPlainTextEdit)[0]
    assert text.toPlainText() == "хвала"
    assert is_page(hands)
    hands.press("Esc")
    assert not hands.area.is_paying


def it_folds_when_the_caret_goes_but_not_under_the_finger(hands: Hands, finger: Finger) -> None:
    """The pressed button acts, though it moves once the keyboard is gone."""
    hands.model.entry.enter_code(BREAD)
    hands.area.pay(FaultPart.BUYER)
    form = form_of(hands.area.payment)
    assert form is not None
    finger.tap(form.number.edit)
    layout = hands.paying
    before = place_of(layout.issue)
    spot = finger.press(layout.issue)
    assert finger.has_keyboard
    assert place_of(layout.issue) == before
    finger.lift(spot)
    assert not finger.has_keyboard
    assert not is_page(hands)


@pytest.mark.parametrize("use", ["always", "never"])
def test_a_shop_has_it_always_or_never(
    shop_data: Path, sell_in: SellIn, touch_screen: QPointingDevice, use: str
) -> None:
    shop = Shop(shop_data, touch_keyboard=use)
    hands = sell_in(shop)
    finger = Finger(hands.window, touch_screen)
    assert not finger.has_keyboard  # the caret is in the search
    for tap in (finger.tap, hands.tap):
        tap(search(hands))
        assert finger.has_keyboard is (use == "always")
        hands.window.typing.close()
    hands.model.questions.ask(NewArticle())  # a form that begins with words
    QApplication.processEvents()
    assert finger.has_keyboard is (use == "always")
    keys = [one for one in hands.window.findChildren(QWidget) if _is_keyboard_key(one)]
    assert bool(keys) is (use == "always")
    hands.window.close()
    shop.close()


def it_has_shift_scripts_and_a_name_for_each_key(hands: Hands, finger: Finger) -> None:
    """It opens next time as it was left."""
    finger.tap(search(hands))
    finger.special(Special.SHIFT)
    finger.type("Љ")
    assert finger.keyboard.letters.shift is ShiftState.OFF
    finger.special(Special.SCRIPT)
    finger.special(Special.SHIFT)
    finger.special(Special.SHIFT)
    finger.type("ŽA")
    assert search(hands).text() == "ЉŽA"
    finger.special(Special.HIDE)
    finger.tap(search(hands))
    assert finger.keyboard.letters.script is Script.LATIN
    assert finger.keyboard.letters.shift is ShiftState.OFF
    names = [one.accessibleName() for one in visible_parts(finger.keyboard, KeyButton)]
    assert all(names)
    assert len(set(names)) == len(names)


def a_star_is_a_quantity_as_typed(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    finger.type("3")
    finger.special(Special.SIGNS)
    finger.type("*")
    assert hands.model.cart.next_quantity is not None
    assert search(hands).text() == ""


def test_backspace_repeats_while_it_is_held(hands: Hands, finger: Finger, qtbot: QtBot) -> None:
    finger.tap(search(hands))
    finger.type("хлеб")
    back = finger.keyboard.key(Special.BACK)
    spot = finger.press(back)
    assert search(hands).text() == "хле"
    qtbot.waitUntil(lambda: search(hands).text() == "", timeout=HELD_MS + 3_000)
    finger.lift(spot)
    finger.type("а")
    left: list[str] = []
    search(hands).textChanged.connect(left.append)
    qtbot.wait(HELD_MS // 4)
    assert left == []


def two_fingers_type_two_letters(hands: Hands, finger: Finger) -> None:
    """The second finger is down before the first is up, as fast hands type."""
    finger.tap(search(hands))
    keyboard, handle = finger.keyboard, hands.window.windowHandle()
    first, second = (place_of(keyboard.key(sign)).center() for sign in "да")
    screen = finger.screen
    QTest.touchEvent(handle, screen).press(0, first, handle)
    QTest.touchEvent(handle, screen).stationary(0).press(1, second, handle)
    QTest.touchEvent(handle, screen).release(0, first, handle).stationary(1)
    QTest.touchEvent(handle, screen).release(1, second, handle)
    QApplication.processEvents()
    assert search(hands).text() == "да"
    assert not [one for one in keyboard.findChildren(KeyButton) if one.isDown()]


def fast_letters_are_no_scan_and_a_scan_goes_where_scans_go(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    for sign in "8600102":
        finger.keyboard.key(sign).click()  # faster than any scanner
    assert search(hands).text() == "8600102"
    assert hands.rows() == []
    hands.scan(BANANA_WEIGHED)
    assert len(hands.rows()) == 1
    assert "8600102" in search(hands).text()
    assert finger.has_keyboard


def a_scan_while_a_name_is_typed_waits_and_types_nothing(hands: Hands, finger: Finger) -> None:
    hands.model.questions.ask(NewArticle("123"))
    panel = hands.area.panel
    assert panel is not None
    finger.tap(panel.name.edit)
    finger.type("шах")
    hands.scan(BANANA_WEIGHED)
    assert panel.name.text() == "шах"
    assert len(hands.model.entry.waiting) == 1
    assert finger.has_keyboard


def asked(question: Question, field: str) -> Callable[[Hands], QWidget]:
    def field_of(hands: Hands) -> QWidget:
        hands.model.questions.ask(question)
        edit: QWidget = getattr(hands.area.panel, field).edit
        return edit

    return field_of


def buyer(hands: Hands) -> QWidget:
    hands.area.pay(FaultPart.BUYER)
    return form_of(hands.area.payment).number.edit


def cost_centre(hands: Hands) -> QWidget:
    hands.area.pay(FaultPart.BUYER)
    form = form_of(hands.area.payment)
    form.centres.chosen.emit("10")
    return form.centre.edit


def text(hands: Hands) -> QWidget:
    hands.area.pay(FaultPart.TEXT)
    return form_of(hands.area.payment).edit


FIELDS: dict[str, Callable[[Hands], QWidget]] = {
    "search": search,
    "name": asked(NewArticle(), "name"),
    "reason": asked(VoidQuestion(), "field"),
    "buyer": buyer,
    "cost centre": cost_centre,
    "text": text,
}


@pytest.mark.parametrize(("width", "touch"), [(1024, 15), (1366, 12)])
def test_field_total_and_keyboard_are_seen_at_once(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice, width: int, touch: TouchMm
) -> None:
    anew = Anew(sell_in(shop, width=width, touch=touch))

    @each("field", FIELDS)
    def all_are_seen(field: str) -> None:
        hands = anew.begin()
        hands.model.entry.enter_code(BREAD)
        finger, edit = Finger(hands.window, touch_screen), FIELDS[field](hands)
        QApplication.processEvents()
        finger.tap(edit, QPoint(10, 10))
        QApplication.processEvents()
        area, keyboard = place_of(hands.area.parentWidget()), place_of(finger.keyboard)
        is_text = isinstance(edit, QPlainTextEdit)
        line = 2 * edit.cursorRect().bottom() if is_text else edit.height()
        assert area.top() <= place_of(edit).top() <= keyboard.top() - line
        assert edit.visibleRegion().boundingRect().height() >= min(line, edit.height())
        assert keyboard.bottom() <= area.bottom()
        assert not keyboard.intersects(place_of(hands.cart))
        assert hands.window.size().toTuple() == (width, 768)
        letters = visible_parts(finger.keyboard, KeyButton)
        assert min(one.height() for one in letters) >= hands.window.theme.metrics.touch
        assert min(one.width() for one in letters) >= 52  # 13.7 mm at 1024
        before = "" if is_text else edit.property("text")
        sign = "к" if field == "reason" else "9"  # there a digit chooses a ready-made reason
        finger.type(sign)
        assert (edit.toPlainText() if is_text else edit.property("text")) == f"{before}{sign}"

    all_are_seen()


def it_stays_while_articles_are_tapped(hands: Hands, finger: Finger) -> None:
    """A tapped tile enters its article; the caret is back in the search at once."""
    finger.tap(search(hands))
    finger.type("хлеб")
    view = hands.area.sale.picker.view
    finger.tap(view.viewport(), view.visualRect(view.model().index(0, 0)).center())
    assert len(hands.rows()) == 1
    assert finger.has_keyboard


@each("act", [
    a_key_opens_and_closes_it_for_any_pointer, a_finger_in_the_search_opens_it_and_letters_search,
    a_mouse_and_keys_open_nothing, esc_folds_it_and_only_then_goes_a_step_back,
    it_folds_when_the_caret_goes_but_not_under_the_finger,
])  # fmt: skip
def test_when_it_opens_and_closes(
    anew: Anew, touch_screen: QPointingDevice, act: Callable[[Hands, Finger], None]
) -> None:
    hands = anew.begin()
    act(hands, Finger(hands.window, touch_screen))


@each(
    "act",
    [
        a_star_is_a_quantity_as_typed,
        two_fingers_type_two_letters, fast_letters_are_no_scan_and_a_scan_goes_where_scans_go,
        a_scan_while_a_name_is_typed_waits_and_types_nothing, it_stays_while_articles_are_tapped,
        it_has_shift_scripts_and_a_name_for_each_key,
    ],
)  # fmt: skip
def test_what_is_typed_and_scanned_with_it(
    anew: Anew, touch_screen: QPointingDevice, act: Callable[[Hands, Finger], None]
) -> None:
    hands = anew.begin()
    act(hands, Finger(hands.window, touch_screen))


async def test_three_firms_that_are_found_are_in_sight_above_the_keyboard(
    hands: Hands, finger: Finger
) -> None:
    hands.window.resize(1024, 768)
    for number in ("049", "057", "065", "073"):
        buyer = BuyerId.parse(f"10:100000{number}")
        hands.shop.database.buyers.take_in([KnownBuyer(buyer, f"Златибор {number}")])
    hands.press(f"#{BREAD}", "Enter", "F5")
    form = hands.paying.form
    assert form is not None
    number_field = form.number
    finger.tap(number_field.edit)
    hands.type("zlat")
    rows = visible_parts(form, OptionButton)
    assert finger.has_keyboard
    assert len(rows) == 4

    def seen() -> int:
        return sum(one.visibleRegion().boundingRect().height() == one.height() for one in rows)

    await until(lambda: seen() >= 3)
    assert not number_field.visibleRegion().isEmpty()
