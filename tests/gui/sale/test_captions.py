"""Captions of the action keys grow with the text and have one size; keys without room are in the
menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.cashier.ui.buttons import SameSizeButton
from pos_app.cashier.ui.metrics import TouchMm, TypeStep
from pos_app.cashier.ui.painting import width_of
from tests.gui.parts import visible_parts
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, CHEESE_WEIGHED, MILK, Shop


def assert_one_size(hands: Hands) -> None:
    """Each label of the bar has the size of the others, is large enough and fits its key."""
    settle()
    bar, metrics = hands.area.sale.bar, hands.window.theme.metrics
    buttons = visible_parts(bar, SameSizeButton)
    (size,) = {button.label_font().pixelSize() for button in buttons}
    assert len(buttons) >= (6 if metrics.text_percent == 100 else 5)  # others are in the menu
    assert size >= metrics.type_px(TypeStep.SMALL)
    for button in (*buttons, bar.exact, bar.card):
        assert button.width() >= metrics.touch
        wide = max(width_of(button.label_font(), label) for label in button.labels())
        assert wide <= button.width() - 4, button.accessibleName()
    rects = [one.geometry() for one in (*buttons, bar.pay)]
    assert all(bar.rect().contains(rect) for rect in rects)
    assert not any(a.intersects(b) for a in rects for b in rects if a is not b)
    assert bar.buttons["F9"].isVisible()
    hand = bar.buttons["F3"].x() - bar.contentsRect().left()
    assert bar.contentsRect().right() - bar.pay.geometry().right() == hand, "Pay ends as F3 begins"


@pytest.mark.parametrize(
    ("width", "touch", "text"), [(1024, 15, 150), (1366, 9, 125), (1024, 12, 100), (1920, 12, 150)]
)
def test_captions_have_one_size_whatever_is_sold(
    shop: Shop, sell_in: SellIn, width: int, touch: TouchMm, text: int
) -> None:
    hands = sell_in(shop, width=width, touch=touch, text=text)
    for language in LANGUAGES if width == 1024 else LANGUAGES[:1]:
        hands.window.change(language=language)
        assert_one_size(hands)
        for code in (BREAD, MILK):
            hands.model.entry.enter_code(code)
        assert_one_size(hands)
        hands.press("F6")
        hands.model.entry.enter_code(CHEESE_WEIGHED)
        assert_one_size(hands)


def test_no_action_key_moves_or_is_laid_out_anew_without_need(hands: Hands) -> None:
    bar, places = hands.area.sale.bar, set()
    for _ in range(12):
        hands.scan(MILK)
        settle()
        places.add(tuple(button.x() for button in bar.findChildren(SameSizeButton)))
    assert len(places) == 1
    layouts = Layouts(bar)
    hands.type("hleb")
    settle()
    assert layouts.count == 0
    hands.area.sale.search.clear()
    hands.type("2000")  # an amount that may have been received: the key of exact cash shows it
    settle()
    assert layouts.count > 0


def test_what_is_folded_is_in_the_menu_and_comes_back(shop: Shop, sell_in: SellIn) -> None:
    hands = sell_in(shop, width=1024, text=150)
    hands.model.entry.enter_code(BREAD)
    settle()
    bar = hands.area.sale.bar
    assert not bar.shows(TillCommand.BUYER)
    hands.tap(bar.buttons["F9"])
    settle()
    hands.tap_words("Купац: Купац")
    settle()
    assert hands.area.is_paying
    hands.press("Esc")
    settle()
    hands.window.resize(1920, 768)
    settle()
    bar = hands.area.sale.bar
    assert all(button.isVisible() for button in bar.buttons.values())


def test_only_the_buyer_folds_in_usual_sizes(shop: Shop, sell_in: SellIn) -> None:
    """The payment has the buyer too."""
    for width, folded in ((1024, {"F5"}), (1366, set[str]())):
        bar = sell_in(shop, width=width).area.sale.bar
        assert {key for key, button in bar.buttons.items() if button.isHidden()} == folded


class Layouts(QObject):
    """Counts how often a widget was asked to lay out its keys again."""

    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False
