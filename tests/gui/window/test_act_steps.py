"""The big button of refunds, corrections and exchanges: a step looks alike on each screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.buttons import BigButton, ButtonKind
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.walk import loop_of_scene
from tests.gui.parts import visible_parts
from tests.gui.pictures import SHAPES

FILLED, PLAIN = ButtonKind.FILLED, ButtonKind.PLAIN
STEPS = {
    "refund-doubt": ("У Пажњу", FILLED, True),
    "correction-doubt": ("У Пажњу", FILLED, True),
    "exchange-doubt": ("У Пажњу", FILLED, True),
    "refund-away": ("Покушај поново", FILLED, True),
    "correction-unknown": ("Покушај поново", FILLED, True),
    "correction-not_sent": ("Покушај поново", FILLED, True),
    "exchange-not_sent": ("Покушај поново", FILLED, True),
    "refund-all_gone": ("На рачун", PLAIN, True),
    "correction-given_up": ("На рачун", PLAIN, True),
    "exchange-given_up": ("Следећа продаја", FILLED, True),
    "exchange-under_way": ("Издаје се", PLAIN, False),
    "exchange-to_cart": ("Корпа се отвара", PLAIN, False),
}


@pytest.mark.parametrize("title", STEPS)
def test_a_step_has_one_word_and_one_kind_of_button(qapp: QApplication, title: str) -> None:
    (scene,) = [one for one in SCENES if one.title == title]
    with loop_of_scene(), scene.posed(qapp, SHAPES[0], scene.name) as window:
        (big,) = visible_parts(window, BigButton)
        assert (big.accessibleName(), big.kind, big.isEnabled()) == STEPS[title]
