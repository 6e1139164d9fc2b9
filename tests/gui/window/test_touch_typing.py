"""Letters by touch: when the keyboard opens and closes, the effects of its keys, the parts in
sight."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.sale.questions import LineQuantity, NewArticle, VoidQuestion
from pos_app.cashier.texts.lookup import LANGUAGES, Language
from pos_app.cashier.ui import press_guard
from pos_app.cashier.ui.keyboard import HELD_MS, KeyButton
from pos_app.cashier.ui.keyboard_layout import Script, ShiftState, Special
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.selling.sale.receipt_drafts import FaultPart
from tests.gui.inside import inside
from tests.gui.parts import form_of, layout_of, visible_parts
from tests.gui.window.anew import Anew
from tests.gui.window.finger import Finger, place_of
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, Shop, copied
from tests.sweep import diagonals, each, sampled, together, turns


def is_page(hands: Hands) -> bool:
    """Whether a form is open over the payment."""
    return layout_of(inside(hands.window).work_area.payment).page is not None


@pytest.fixture
def finger(hands: Hands, touch_screen: QPointingDevice) -> Finger:
    return Finger(hands.window, touch_screen)


def search(hands: Hands) -> QLineEdit:
    return inside(hands.window).work_area.sale.search.search.edit


# --- opening and closing -------------------------------------------------------------------------


def a_finger_in_the_search_opens_it_and_letters_search(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    finger.type("сир")
    assert search(hands).text() == "сир"
    assert search(hands).hasFocus()
    assert "сир" in inside(hands.window).work_area.sale.picker.rows.window.choice.query
    finger.special(Special.ENTER)
    assert len(hands.rows()) == 1 or inside(hands.window).model.questions.question is not None


def a_mouse_and_keys_open_nothing(hands: Hands, finger: Finger) -> None:
    spot = place_of(search(hands)).center()
    QTest.mouseClick(hands.window.windowHandle(), Qt.MouseButton.LeftButton, pos=spot)
    hands.type("sir")
    assert search(hands).text() == "sir"
    assert not finger.has_keyboard


def keyboard_key(field: QWidget) -> QWidget:
    """The button in a field that opens the keyboard."""
    return next(one for one in field.findChildren(QWidget) if one.accessibleName() == "Тастатура")


def its_key_in_the_field_opens_and_closes_it_for_any_pointer(hands: Hands, finger: Finger) -> None:
    button = keyboard_key(inside(hands.window).work_area.sale.search)
    hands.tap(button)
    assert finger.has_keyboard
    hands.tap(button)
    assert not finger.has_keyboard


def test_it_is_not_made_before_it_is_opened(hands: Hands, finger: Finger) -> None:
    assert not hands.window.findChildren(KeyButton)
    finger.tap(search(hands))
    assert hands.window.findChildren(KeyButton)


def esc_folds_it_and_only_then_goes_a_step_back(hands: Hands, finger: Finger) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    inside(hands.window).work_area.pay(FaultPart.TEXT)
    finger.tap(inside(hands.window).work_area.findChildren(QPlainTextEdit)[0])
    finger.type("хвала")
    hands.press("Esc")
    assert not finger.has_keyboard
    text = inside(hands.window).work_area.findChildren(QPlainTextEdit)[0]
    assert text.toPlainText() == "хвала"
    assert is_page(hands)
    hands.press("Esc")
    assert not inside(hands.window).work_area.is_paying


def hide_folds_it_and_keeps_what_was_typed(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    finger.type("хле")
    finger.special(Special.HIDE)
    assert not finger.has_keyboard
    assert search(hands).text() == "хле"
    assert search(hands).hasFocus()
    assert (
        inside(hands.window).work_area.size()
        == inside(hands.window).work_area.parentWidget().size()
    )


def it_folds_when_the_caret_goes_but_not_under_the_finger(hands: Hands, finger: Finger) -> None:
    """The pressed button acts, though it moves once the keyboard is gone."""
    inside(hands.window).model.entry.enter_code(BREAD)
    inside(hands.window).work_area.pay(FaultPart.BUYER)
    form = form_of(inside(hands.window).work_area.payment)
    assert form is not None
    finger.tap(form.number.edit)
    layout = layout_of(inside(hands.window).work_area.payment)
    before = place_of(layout.issue)
    spot = finger.press(layout.issue)
    assert finger.has_keyboard
    assert place_of(layout.issue) == before
    finger.lift(spot)
    assert not finger.has_keyboard
    assert not is_page(hands)


def it_folds_when_its_page_is_done(hands: Hands, finger: Finger) -> None:
    """The caret is in the search again, which nobody has tapped."""
    inside(hands.window).model.questions.ask(NewArticle())
    finger.tap(ask_name(hands))
    inside(hands.window).model.questions.put_away()
    QApplication.processEvents()
    assert search(hands).hasFocus()
    assert not finger.has_keyboard


@pytest.mark.parametrize("pointer", ["finger", "mouse"])
def test_always_opens_for_any_pointer(
    shop_data: Path, sell_in: SellIn, touch_screen: QPointingDevice, pointer: str
) -> None:
    shop = Shop(shop_data, touch_keyboard="always")
    hands = sell_in(shop)
    finger = Finger(hands.window, touch_screen)
    assert not finger.has_keyboard  # the caret is in the search
    if pointer == "finger":
        finger.tap(search(hands))
    else:
        hands.tap(search(hands))
    assert finger.has_keyboard
    finger.special(Special.HIDE)
    inside(hands.window).model.questions.ask(NewArticle())
    QApplication.processEvents()
    assert finger.has_keyboard  # a form that begins with words
    hands.window.close()
    shop.close()


def test_never_has_no_keyboard_and_no_key(
    shop_data: Path, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    shop = Shop(shop_data, touch_keyboard="never")
    hands = sell_in(shop)
    finger = Finger(hands.window, touch_screen)
    finger.tap(search(hands))
    assert not finger.has_keyboard
    assert not [
        one for one in hands.window.findChildren(QWidget) if one.accessibleName() == "Тастатура"
    ]
    hands.window.close()
    shop.close()


def a_number_that_has_a_pad_opens_none(hands: Hands, finger: Finger) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    inside(hands.window).model.questions.ask(
        LineQuantity(inside(hands.window).model.cart.ticket.cart.lines[0].id)
    )
    finger.tap(inside(hands.window).work_area.panel.field.edit)
    assert not finger.has_keyboard


# --- keys ----------------------------------------------------------------------------------------


def test_letters_go_the_way_of_typed_keys(hands: Hands, finger: Finger) -> None:
    """Undo, the selection and the limits of the field work as with a real keyboard."""
    edit = search(hands)
    finger.tap(edit)
    finger.type("абв")
    edit.undo()
    assert edit.text() == ""
    finger.type("абв")
    edit.setSelection(1, 1)
    finger.type("г")
    assert edit.text() == "агв"
    edit.end(False)
    edit.setMaxLength(4)
    finger.type("дђ")
    assert edit.text() == "агвд"


def a_star_is_a_quantity_as_typed(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    finger.type("3")
    finger.special(Special.SIGNS)
    finger.type("*")
    assert inside(hands.window).model.cart.next_quantity is not None
    assert search(hands).text() == ""


def test_fast_fingers_type_each_sign_and_enter_once(
    hands: Hands, finger: Finger, monkeypatch: pytest.MonkeyPatch
) -> None:
    finger.tap(search(hands))
    times = count(10**9, 25)
    monkeypatch.setattr(press_guard, "stamp_of", lambda _: next(times))
    finger.type("ллл")
    assert search(hands).text() == "ллл"
    entered: list[bool] = []
    finger.keyboard.entered.connect(lambda: entered.append(True))
    finger.special(Special.ENTER)
    finger.special(Special.ENTER)
    assert len(entered) == 1


def test_shift_script_and_signs(hands: Hands, finger: Finger) -> None:
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
    assert finger.keyboard.letters.script is Script.LATIN  # it opens next time as it was left
    assert finger.keyboard.letters.shift is ShiftState.OFF


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


def a_finger_in_the_gap_types_the_letter_beside_it(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    key = finger.keyboard.key("д")
    for corner in (QPoint(0, 0), key.rect().bottomRight()):
        finger.tap(key, corner)
    assert search(hands).text() == "дд"


def a_screen_reader_presses_keys_too(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    finger.keyboard.key("д").click()
    finger.keyboard.key(Special.HIDE).click()
    assert search(hands).text() == "д"
    assert not finger.has_keyboard


@each("language", LANGUAGES)
def test_every_key_has_a_name(hands: Hands, finger: Finger, language: Language) -> None:
    assert not finger.has_keyboard
    finger.tap(search(hands))
    hands.window.change(language=language)
    finger.tap(search(hands))
    names = [one.accessibleName() for one in finger.keyboard.findChildren(KeyButton)]
    shown = [one for one in finger.keyboard.findChildren(KeyButton) if one.isVisible()]
    assert all(names[: len(shown)])
    assert len(set(names[: len(shown)])) == len(shown)
    assert finger.keyboard.accessibleName() == hands.window.texts("typing.name")
    finger.special(Special.HIDE)


# --- the scanner ---------------------------------------------------------------------------------


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
    inside(hands.window).model.questions.ask(NewArticle("123"))
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    finger.tap(panel.name.edit)
    finger.type("шах")
    hands.scan(BANANA_WEIGHED)
    assert panel.name.text() == "шах"
    assert len(inside(hands.window).model.entry.waiting) == 1
    assert finger.has_keyboard


# --- what stays in sight -------------------------------------------------------------------------


def ask_name(hands: Hands) -> QWidget:
    inside(hands.window).model.questions.ask(NewArticle())
    return inside(hands.window).work_area.panel.name.edit


def ask_price(hands: Hands) -> QWidget:
    inside(hands.window).model.questions.ask(NewArticle())
    return inside(hands.window).work_area.panel.price.edit


def ask_reason(hands: Hands) -> QWidget:
    inside(hands.window).model.questions.ask(VoidQuestion())
    return inside(hands.window).work_area.panel.field.edit


def buyer(hands: Hands) -> QWidget:
    inside(hands.window).work_area.pay(FaultPart.BUYER)
    return form_of(inside(hands.window).work_area.payment).number.edit


def cost_centre(hands: Hands) -> QWidget:
    inside(hands.window).work_area.pay(FaultPart.BUYER)
    form = form_of(inside(hands.window).work_area.payment)
    form.centres.chosen.emit("10")
    return form.centre.edit


def text(hands: Hands) -> QWidget:
    inside(hands.window).work_area.pay(FaultPart.TEXT)
    return form_of(inside(hands.window).work_area.payment).edit


FIELDS: dict[str, Callable[[Hands], QWidget]] = {
    "search": search,
    "name": ask_name,
    "price": ask_price,
    "reason": ask_reason,
    "buyer": buyer,
    "cost centre": cost_centre,
    "text": text,
}


@pytest.mark.parametrize("width", sampled([1024, 1366]))
def test_a_text_and_what_is_left_of_it_are_whole_above_the_keyboard(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice, width: int
) -> None:
    hands = sell_in(shop, width=width)
    inside(hands.window).model.entry.enter_code(BREAD)
    edit = text(hands)
    QApplication.processEvents()
    tall = edit.height()
    finger = Finger(hands.window, touch_screen)
    finger.tap(edit)
    QApplication.processEvents()
    assert finger.has_keyboard
    labels = visible_parts(form_of(inside(hands.window).work_area.payment), Label)
    (left,) = [one for one in labels if one.text().startswith("још")]
    for part in (edit, left):
        assert part.visibleRegion().boundingRect() == part.rect()
    assert edit.height() < tall  # without the keyboard it takes all the room


@pytest.mark.parametrize(
    ("fields", "sizes"), together(turns(FIELDS, diagonals([1024, 1366], [15, 12])), apart=1)
)
def test_field_total_and_keyboard_are_seen_at_once(
    shop: Shop,
    sell_in: SellIn,
    touch_screen: QPointingDevice,
    fields: list[str],
    sizes: tuple[int, TouchMm],
) -> None:
    width, touch = sizes
    anew = Anew(sell_in(shop, width=width, touch=touch))

    @each("field", fields)
    def all_are_seen(field: str) -> None:
        seen_at_once(anew.begin(), touch_screen, field, width)

    all_are_seen()


def seen_at_once(hands: Hands, touch_screen: QPointingDevice, field: str, width: int) -> None:
    window = hands.window
    inside(window).model.entry.enter_code(BREAD)
    finger = Finger(window, touch_screen)
    edit = FIELDS[field](hands)
    QApplication.processEvents()
    finger.tap(edit, QPoint(10, 10))
    QApplication.processEvents()
    keyboard, stands = place_of(finger.keyboard), place_of(edit)
    line = 2 * edit.cursorRect().bottom() if isinstance(edit, QPlainTextEdit) else edit.height()
    assert stands.top() + line <= keyboard.top()
    assert stands.top() >= place_of(inside(window).work_area.parentWidget()).top()
    assert edit.visibleRegion().boundingRect().height() >= min(line, edit.height())
    assert keyboard.bottom() <= place_of(inside(window).work_area.parentWidget()).bottom()
    assert not keyboard.intersects(place_of(inside(window).cart))
    assert window.size().width() == width
    assert window.size().height() == 768
    letters = [one for one in finger.keyboard.findChildren(KeyButton) if one.isVisible()]
    assert min(one.height() for one in letters) >= window.theme.metrics.touch
    assert min(one.width() for one in letters) >= 52  # 13.7 mm at 1024
    before = edit.property("text") if isinstance(edit, QLineEdit) else ""
    finger.type("1")
    typed = edit.text() if isinstance(edit, QLineEdit) else edit.toPlainText()
    assert typed == f"{before}1"


def test_pay_stays_in_sight_while_something_is_searched(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    hands = sell_in(shop, width=1024, touch=15)
    inside(hands.window).model.entry.enter_code(BREAD)
    finger = Finger(hands.window, touch_screen)
    finger.tap(search(hands))
    finger.type("сир")
    pay = inside(hands.window).work_area.sale.bar.pay
    assert place_of(pay).bottom() < place_of(finger.keyboard).top()
    tiles = inside(hands.window).work_area.sale.picker.view
    assert tiles.viewport().height() >= hands.window.theme.metrics.touch
    finger.special(Special.HIDE)
    assert inside(hands.window).work_area.sale.picker.chips.isVisible()


def test_it_follows_theme_and_size(hands: Hands, finger: Finger) -> None:
    finger.tap(search(hands))
    light = finger.keyboard.grab().toImage().pixelColor(2, 30)
    hands.window.change(theme="dark")
    QApplication.processEvents()
    assert finger.keyboard.grab().toImage().pixelColor(2, 30) != light


def it_costs_no_repaint_of_its_other_keys(hands: Hands, finger: Finger) -> None:
    """Typing a letter paints its key, and no other part of the keyboard."""
    finger.tap(search(hands))
    QApplication.processEvents()
    painted: list[str] = []

    class Eye(QWidget):
        def eventFilter(self, watched: object, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Paint and isinstance(watched, KeyButton):
                painted.append(watched.key.sign)
            return False

    eye = Eye()
    for key in finger.keyboard.findChildren(KeyButton):
        key.installEventFilter(eye)
    finger.type("д")
    assert set(painted) == {"д"}
    eye.deleteLater()


def it_stays_while_articles_are_tapped(hands: Hands, finger: Finger) -> None:
    """A tapped tile enters its article; the caret is back in the search at once."""
    finger.tap(search(hands))
    finger.type("хлеб")
    view = inside(hands.window).work_area.sale.picker.view
    finger.tap(view.viewport(), view.visualRect(view.model().index(0, 0)).center())
    assert len(hands.rows()) == 1
    assert finger.has_keyboard


@each(
    "act",
    [
        a_finger_in_the_search_opens_it_and_letters_search,
        a_mouse_and_keys_open_nothing,
        its_key_in_the_field_opens_and_closes_it_for_any_pointer,
        esc_folds_it_and_only_then_goes_a_step_back,
        hide_folds_it_and_keeps_what_was_typed,
        it_folds_when_the_caret_goes_but_not_under_the_finger,
        it_folds_when_its_page_is_done,
        a_number_that_has_a_pad_opens_none,
    ],
)
def test_when_it_opens_and_closes(
    anew: Anew, touch_screen: QPointingDevice, act: Callable[[Hands, Finger], None]
) -> None:
    hands = anew.begin()
    act(hands, Finger(hands.window, touch_screen))


@each(
    "act",
    [
        a_star_is_a_quantity_as_typed,
        two_fingers_type_two_letters,
        a_finger_in_the_gap_types_the_letter_beside_it,
        a_screen_reader_presses_keys_too,
        fast_letters_are_no_scan_and_a_scan_goes_where_scans_go,
        a_scan_while_a_name_is_typed_waits_and_types_nothing,
        it_costs_no_repaint_of_its_other_keys,
        it_stays_while_articles_are_tapped,
    ],
)
def test_what_is_typed_and_scanned_with_it(
    anew: Anew, touch_screen: QPointingDevice, act: Callable[[Hands, Finger], None]
) -> None:
    hands = anew.begin()
    act(hands, Finger(hands.window, touch_screen))


def test_two_tills_in_one_process_have_keyboards_of_their_own(
    shop_data: Path, template: Path, tmp_path: Path, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    first, second = Shop(shop_data), Shop(copied(template, tmp_path / "other"))
    one, other = sell_in(first), sell_in(second)
    finger = Finger(other.window, touch_screen)
    finger.tap(search(other))
    assert finger.has_keyboard
    assert one.window.typing.keyboard is None
    for till, store in ((one, first), (other, second)):
        till.window.close()
        store.close()
