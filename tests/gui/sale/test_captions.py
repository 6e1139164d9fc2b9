"""Captions of the action keys grow with the text; keys without room are in the menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.cashier.ui.metrics import TouchMm, TypeStep
from pos_app.cashier.ui.painting import width_of
from tests.gui.inside import inside
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop
from tests.sweep import diagonals, sampled

TOUCH: tuple[TouchMm, ...] = (15, 12, 9)


@pytest.mark.parametrize(
    ("width_text", "look"),
    sampled(
        diagonals(
            [(1024, 150), (1366, 125), (1024, 100), (1366, 150), (1024, 125), (1366, 100)],
            diagonals(LANGUAGES, TOUCH),
        )
    ),
)
def test_captions_are_never_smaller_than_small_type(
    shop: Shop, sell_in: SellIn, width_text: tuple[int, int], look: tuple[str, TouchMm]
) -> None:
    (width, text), (language, touch) = width_text, look
    window = sell_in(shop, width=width, touch=touch, text=text).window
    window.change(language=language)  # type: ignore[arg-type]
    inside(window).model.entry.enter_code(BREAD)
    settle()
    bar, small = inside(window).work_area.sale.bar, window.theme.metrics.type_px(TypeStep.SMALL)
    shown = [button for button in bar.buttons.values() if button.isVisible()]
    for button in (*shown, bar.exact, bar.card):
        font = button.label_font()
        assert font.pixelSize() >= small, button.accessibleName()
        widest = max(width_of(font, label) for label in button.labels())
        assert widest <= button.width(), button.accessibleName()
    assert bar.buttons["F9"].isVisible()
    hand = bar.buttons["F3"].x() - bar.contentsRect().left()
    assert bar.contentsRect().right() - bar.pay.geometry().right() == hand, "Pay ends as F3 begins"


def test_what_is_folded_is_in_the_menu_and_comes_back(shop: Shop, sell_in: SellIn) -> None:
    hands = sell_in(shop, width=1024, text=150)
    inside(hands.window).model.entry.enter_code(BREAD)
    settle()
    bar = inside(hands.window).work_area.sale.bar
    assert not bar.shows(TillCommand.BUYER)
    hands.tap(bar.buttons["F9"])
    settle()
    hands.tap_words("Купац: Купац")
    settle()
    assert inside(hands.window).work_area.is_paying
    hands.press("Esc")
    settle()
    hands.window.resize(1920, 768)
    settle()
    bar = inside(hands.window).work_area.sale.bar
    assert all(button.isVisible() for button in bar.buttons.values())


def test_nothing_folds_in_usual_sizes(shop: Shop, sell_in: SellIn) -> None:
    for width in (1024, 1366):
        bar = inside(sell_in(shop, width=width).window).work_area.sale.bar
        assert all(button.isVisible() for button in bar.buttons.values())


class Layouts(QObject):
    """Counts how often a widget was asked to lay out its keys again."""

    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


def test_letters_of_a_search_lay_out_no_key_anew(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    settle()
    layouts = Layouts(inside(hands.window).work_area.sale.bar)
    hands.type("hleb")
    settle()
    assert layouts.count == 0
    inside(hands.window).work_area.sale.search.clear()
    hands.type("2000")  # an amount that may have been received: the key of exact cash shows it
    settle()
    assert layouts.count > 0
