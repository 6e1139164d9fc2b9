"""Each screen of the table: opened, asked for its keys, left, made again; steps look alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.commands import letter_key
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.theme import Icons
from pos_app.cashier.window import till_window as window_module
from pos_app.cashier.window.frame import HOME, Screen, ScreenEntry
from pos_app.cashier.window.screens import SCREENS
from pos_app.errors import NotAllowed
from pos_app.resources import folder
from pos_app.selling.people.rights import Act
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.walk import loop_of_scene
from tests.gui.parts import is_page_in_front, lines_of, visible_parts
from tests.gui.pictures import SHAPES
from tests.gui.window.hands import Hands
from tests.sweep import each

BREAD_EAN = "8609910700134"

OVER_THE_SALE = [entry for entry in SCREENS if entry.icon or entry.key]


@each("entry", OVER_THE_SALE)
def test_it_opens_tells_its_keys_and_leads_back(hands: Hands, entry: ScreenEntry) -> None:
    frame = hands.window.frame
    hands.press("F9")
    hands.tap_words(hands.window.texts(f"more.{entry.name}_words"))
    assert frame.top_name == entry.name
    top: Any = frame.top
    assert hands.window.texts(top.title) == top.accessibleName()
    had_focus = hands.window.focusWidget()
    assert had_focus is not None
    for away in ("Enter", "F1", "Esc"):  # none presses what lies behind
        hands.press("F1")
        assert is_page_in_front(frame, "ask.keys")
        hands.press(away)
        assert not is_page_in_front(frame, "ask.keys")
        assert frame.top is top
        assert hands.window.focusWidget() is had_focus or not had_focus.isVisible()
    hands.press("Esc")
    assert frame.is_home
    assert hands.area.sale.search.search.edit.hasFocus()


@pytest.mark.qt_log_ignore("keyToAscii Unhandled key code")
@each("entry", [one for one in OVER_THE_SALE if one.key])
def test_its_key_opens_it_on_each_keyboard(hands: Hands, entry: ScreenEntry) -> None:
    """Qt runs neither of two commands that have one key."""
    sequences = letter_key(entry.key)
    assert len(sequences) == (2 if entry.key[-1].isalpha() else 1)
    for sequence in sequences:
        QTest.keySequence(hands.window.windowHandle(), sequence)
        assert hands.window.frame.top_name == entry.name
        hands.window.frame.go_home()


@each("entry", OVER_THE_SALE)
def test_a_code_that_nobody_knows_leads_nowhere(hands: Hands, entry: ScreenEntry) -> None:
    """It is told on the screen, with its tone, also over the keys of F1; Esc reads it first."""
    frame, tones = hands.window.frame, hands.shop.tones.played
    before = hands.total()
    frame.open(entry.name)
    for scan, words in (
        (lambda: hands.scan("4006381333931"), "lock.unknown_code"),
        (lambda: hands.scan_part("860991070"), "lock.misread"),
    ) * 2:
        tones.clear()
        scan()
        assert frame.top_name == entry.name
        assert hands.window.texts(words) in " ".join(lines_of(frame.top))
        assert tones == ["no"]
        hands.press("Esc")
        assert frame.top_name == entry.name
        assert hands.window.texts(words) not in " ".join(lines_of(frame.top))
        hands.press("F1")
    assert hands.total() == before, "nothing was sold"
    hands.scan(BREAD_EAN)
    assert frame.is_home
    assert hands.total() != before


def test_each_has_its_icon_and_its_pictures() -> None:
    icons = Icons(folder() / "icons")
    assert [one.name for one in OVER_THE_SALE if one.icon and not icons.has(one.icon)] == []
    rooms = {entry.home.split(".")[2] for entry in SCREENS if entry.name != HOME}
    assert not rooms - {scene.room for scene in SCENES}, "no scenes in tests/gui/crawl/scenes.py"


def test_the_window_names_no_screen() -> None:
    """The frame opens screens by the table."""
    words = Path(window_module.__file__).read_text(encoding="utf-8")
    rooms = [entry.home.removeprefix("pos_app.cashier.").split(".")[0] for entry in SCREENS]
    assert [room for room in rooms if f"pos_app.cashier.{room}" in words] == []
    assert CatalogueScreen.__name__ not in words
    assert len(words.splitlines()) <= 400


WHY = NotAllowed("other_cart")


def told_on(hands: Hands, screen: Screen) -> bool:
    happened = hands.window.texts.error(WHY).happened
    return any(happened in line for line in lines_of(screen))


@each("entry", OVER_THE_SALE)
def test_each_screen_tells_a_refusal_until_another_act_begins(
    hands: Hands, entry: ScreenEntry
) -> None:
    frame = hands.window.frame
    frame.open(entry.name)
    screen = frame.top
    for tell in (frame.refuse, lambda error: frame.tell_failure(error, of=entry.name)):
        tell(WHY)
        assert told_on(hands, screen), "a refusal is told where the act was tried"
        frame.permit(Act.DRAWER, lambda: None)
        assert not told_on(hands, screen), "another act began"
    frame.go_home()
    assert hands.notice() == "", "nothing of it stays at the sale"


@each("entry", OVER_THE_SALE)
def test_a_failure_of_a_screen_that_was_left_is_told_at_the_sale(
    hands: Hands, entry: ScreenEntry
) -> None:
    hands.window.frame.tell_failure(WHY, of=entry.name)
    assert hands.notice().startswith(hands.window.texts.error(WHY).happened)
    hands.press("Esc")
    assert hands.notice() == ""


FILLED, PLAIN = ButtonKind.FILLED, ButtonKind.PLAIN
STEPS = {
    "refund-doubt": ("У Пажњу", FILLED, True),
    "correction-doubt": ("У Пажњу", FILLED, True),
    "exchange-doubt": ("У Пажњу", FILLED, True),
    "refund-away": ("Покушај поново", FILLED, True),
    "correction-unknown": ("Покушај поново", FILLED, True),
    "correction-not_sent": ("Покушај поново", FILLED, True),
    "exchange-not_sent": ("Покушај поново", FILLED, True),
    "refund-all_gone": None,
    "correction-given_up": None,
    "exchange-given_up": ("Следећа продаја", FILLED, True),
    "exchange-under_way": ("Издаје се", PLAIN, False),
    "exchange-to_cart": ("Корпа се отвара", PLAIN, False),
}


@pytest.mark.parametrize("title", STEPS)
def test_a_step_has_one_word_and_one_kind_of_button(qapp: QApplication, title: str) -> None:
    (scene,) = [one for one in SCENES if one.title == title]
    with loop_of_scene(), scene.posed(qapp, SHAPES[0], scene.name) as window:
        bigs = visible_parts(window, BigButton)
        seen = [(big.accessibleName(), big.kind, big.isEnabled()) for big in bigs]
        assert seen == [step for step in [STEPS[title]] if step], "only the way back is left"
