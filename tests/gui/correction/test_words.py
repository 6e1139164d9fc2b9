"""What the screen of the correction says of a correction that is over."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.notice import NoticePanel
from tests.gui.correction.screens import posed
from tests.gui.parts import shown
from tests.gui.pictures import SHAPES


@pytest.mark.parametrize(
    ("scene", "stays", "refunded"), [("given_up", True, False), ("given_up_half", False, True)]
)
def test_what_was_given_up_says_whether_the_receipt_is_refunded(
    qapp: QApplication, scene: str, stays: bool, refunded: bool
) -> None:
    with posed(qapp, SHAPES[0], scene) as window:
        said = " ".join(one.accessibleName() for one in shown(window, NoticePanel))
    assert ("како је и био" in said) is stays
    assert ("Рачун је рефундиран" in said) is refunded
