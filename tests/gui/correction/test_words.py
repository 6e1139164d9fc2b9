"""The screen's words about a correction that is over."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.texts.lookup import Texts
from tests.gui.correction.screens import posed
from tests.gui.parts import notices_in
from tests.gui.pictures import SHAPES

UNCHANGED, REFUNDED = "corr.given_up.safe", "corr.given_up_half.happened"


@pytest.mark.parametrize(("scene", "said"), [("given_up", UNCHANGED), ("given_up_half", REFUNDED)])
def test_what_was_given_up_says_whether_the_receipt_is_refunded(
    qapp: QApplication, scene: str, said: str
) -> None:
    shape = SHAPES[0]
    with posed(qapp, shape, scene) as window:
        told = " ".join(notices_in(window))
    texts = Texts(shape.language)
    assert [key for key in (UNCHANGED, REFUNDED) if texts(key) in told] == [said]
