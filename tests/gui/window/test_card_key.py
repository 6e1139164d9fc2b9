"""One tap takes the exact amount by card, wherever the key of exact cash is shown."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.sale.action_bar import ExactButton
from pos_app.cashier.sale.panels.choices import ChoicePanel
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.cashier.ui.metrics import TouchMm, TypeStep, Weight
from pos_app.cashier.ui.painting import width_of
from pos_app.domain.money.payment import PaymentMethod
from tests.gui.inside import inside
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.sweep import diagonals, sampled

BREAD = "8609910700134"


def test_one_tap_issues_the_receipt_by_card(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.tap_words("Картица тачно 58,99")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert dict(last.money_taken.on_receipt.by_method) == {PaymentMethod.CARD: last.total}
    assert str(last.total) == "58.99"
    assert hands.rows() == []


def test_a_second_tap_takes_nothing_more(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    card = inside(hands.window).work_area.sale.bar.card
    hands.tap(card)
    hands.tap(card)
    assert len(hands.shop.database.sales.last(5)) == 1
    assert not card.isEnabled()


def test_it_is_dead_right_after_a_scan_and_says_so(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.tap(inside(hands.window).work_area.sale.bar.card)
    assert inside(hands.window).model.confirmation.last is None
    assert hands.shop.tones.played[-1] == "no"


def test_cash_that_was_typed_is_not_taken_for_the_card(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type("200")
    assert inside(hands.window).work_area.sale.bar.exact.accessibleName() == "Готовина 200,00"
    hands.tap_words("Картица тачно 58,99")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert str(last.money_taken.change) == "0.00"


@pytest.mark.parametrize(
    ("language", "sizes"), sampled(product(LANGUAGES, diagonals([1024, 1366], [15, 9, 12])))
)
def test_each_key_of_the_row_has_room_for_a_finger_and_its_words(
    shop_data: Path, sell_in: SellIn, sizes: tuple[int, TouchMm], language: str
) -> None:
    width, touch = sizes
    shop = Shop(shop_data)
    hands = sell_in(shop, width=width, touch=touch)
    hands.window.change(language=language)  # type: ignore[arg-type]
    hands.scan(BREAD)
    hands.press("F6")
    hands.press("F3")
    hands.type("30")
    hands.press("Enter")
    hands.scan(BREAD)
    assert len(hands.rows()) == 1
    bar = inside(hands.window).work_area.sale.bar
    bar.layout().activate()
    assert hands.window.width() == width
    for button in (*bar.buttons.values(), bar.exact, bar.card):
        assert button.width() >= hands.window.theme.metrics.touch
        weight = Weight.SEMIBOLD if isinstance(button, ExactButton) else Weight.MEDIUM
        font = hands.window.theme.font(TypeStep.SMALL, weight)
        needed = max(width_of(font, word) for word in _lines(button))
        assert needed <= button.width() - 4, f"{button.accessibleName()} needs {needed}"
    shop.close()


def _lines(button: QWidget) -> tuple[str, ...]:
    return button.shown_lines() if isinstance(button, ExactButton) else (button.accessibleName(),)


def test_no_digit_of_the_menu_pays_for_what_shows_a_key_of_its_own(hands: Hands) -> None:
    """The card stands fifth in "More" and shows its own key; "5" was shown by nothing, and paid."""
    hands.scan(BREAD)
    hands.press("F9")
    panel = inside(hands.window).work_area.panel
    assert isinstance(panel, ChoicePanel)
    (card,) = (n for n, one in enumerate(panel.buttons) if "Картица" in one.accessibleName())
    assert card < 9
    hands.type(str(card + 1))
    assert inside(hands.window).model.confirmation.last is None
    assert inside(hands.window).work_area.panel is panel
