"""The payment looks the same before and after a page that covered it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.metrics import TouchMm, measure
from tests.gui.payment.conftest import PANEL_1024, PANEL_1366, Paying
from tests.gui.payment.shop import Shop
from tests.gui.pictures import settle
from tests.sweep import turns

SLIM_BANNER = 18
"""Height of the banner for receipts of training."""
METHODS = ("Alt+2", "Alt+3", "Alt+6", "Alt+1")
PAGES = ("Купац", "Рачун купцу", "Попуст", "Текст", "F1")


def shown(pay: Paying) -> dict[str, tuple[QRect, object]]:
    """The place of each visible part of the payment, and what stands on its buttons."""
    settle()
    layout = pay.layout
    parts = [one for one in layout.findChildren(QWidget) if one.isVisible()]
    return {
        f"{number} {type(one).__name__} {one.accessibleName()}": (
            QRect(one.mapTo(pay.window, QPoint()), one.size()),
            one.spec if isinstance(one, Button) else None,
        )
        for number, one in enumerate(parts)
    }


@pytest.mark.parametrize("lost", [SLIM_BANNER, 0])
@pytest.mark.parametrize(("size", "touch"), turns([PANEL_1024, PANEL_1366], [12, 9, 15]))
def test_a_page_leaves_the_payment_as_it_was(
    shop: Shop, show: Callable[..., Paying], size: tuple[int, int], touch: TouchMm, lost: int
) -> None:
    pay = show(shop, (size[0], size[1] - lost))
    pay.change(metrics=measure(touch_mm=touch, width=1024 if size == PANEL_1024 else 1366))
    pay.begin(shop.basket())
    for key in METHODS:
        pay.press(key, "100")
        before = shown(pay)
        for page in PAGES:
            pay.press(page) if page == "F1" else pay.tap(page)
            settle()
            pay.press(page if page == "F1" else "Esc")
            after = shown(pay)
            moved = {
                one: (at, after.get(one)) for one, at in before.items() if after.get(one) != at
            }
            assert (key, page, moved) == (key, page, {})
