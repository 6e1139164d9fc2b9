"""A doubt is seen whole: its three steps, and the row that names the sale."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.cashier.ui.notice import BannerText
from pos_app.cashier.ui.scrolling import Scrolled, ThinScrollBar
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.parts import notice_in
from tests.sweep import sampled


async def doubt(
    care: Caring, width: int, touch: TouchMm, *, percent: int = 100, banner: str = ""
) -> None:
    """Show a doubt on a screen of that width, above the bottom line."""
    sizes = measure(touch_mm=touch, width=width, text_percent=percent)
    care.change(metrics=sizes)
    await cases.doubtful(care.shop)
    await cases.waiting(care.shop, "1236.00")
    care.window.resize(width, 768 - sizes.status)
    await care.opened()
    care.frame.set_banner(BannerText(banner))
    for _ in range(6):
        QApplication.processEvents()


def seen(care: Caring, widget: QAbstractButton) -> QRect:
    """The rectangle of a part of the case in the window."""
    return QRect(widget.mapTo(care.window, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize(
    ("width", "touch", "banner"),
    sampled(
        [
            (1366, 9, "Обука"),
            (1366, 12, "Обука"),
            (1366, 15, ""),
            (1024, 9, "Обука"),
            (1024, 12, "Обука"),
            (1024, 15, ""),
        ],
        few=2,
    ),
)
async def test_three_steps_stand_without_scrolling(
    care: Caring, width: int, touch: TouchMm, banner: str
) -> None:
    await doubt(care, width, touch, banner=banner)
    for area in care.window.findChildren(Scrolled):
        assert area.verticalScrollBar().maximum() == 0
    for button in care.steps.buttons.values():
        assert button.visibleRegion().boundingRect() == button.rect(), button.accessibleName()


@pytest.mark.parametrize("width", sampled([1024, 1366]))
async def test_large_type_scrolls_beside_the_steps(care: Caring, width: int) -> None:
    await doubt(care, width, 15, percent=150)
    (area,) = (one for one in care.window.findChildren(Scrolled) if one.isAncestorOf(care.steps))
    bar = area.findChild(ThinScrollBar)
    assert isinstance(bar, ThinScrollBar)
    assert bar.isVisible()
    thumb = bar.thickest_thumb()
    left = bar.mapTo(care.window, thumb.topLeft()).x()
    steps = care.steps
    assert steps.mapTo(care.window, steps.rect().topRight()).x() < left
    assert bar.mapTo(care.window, thumb.topRight()).x() < width
    notice = notice_in(care.window)
    end = notice.mapTo(care.window, notice.rect().bottomLeft()).y()
    begin = steps.mapTo(care.window, steps.rect().topLeft()).y()
    assert 0 < begin - end <= care.frame.ui.theme.metrics.s3 + 1  # it begins where the notice ends
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    for _ in range(3):
        QApplication.processEvents()
    declare = care.button("Рачун не постоји")
    assert declare.visibleRegion().boundingRect() == declare.rect()


@pytest.mark.parametrize("percent", sampled([100, 150]))
async def test_the_line_of_a_case_is_told_to_its_end(care: Caring, percent: int) -> None:
    await doubt(care, 1024, 12, percent=percent)
    told = [one for one in care.window.findChildren(QLabel) if "готовина" in one.text()]
    assert told
    for label in told:
        assert label.heightForWidth(label.width()) <= label.height()
