"""A count by finger, at both sizes that shops have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.shift import pages
from pos_app.cashier.shift.count_page import CountPage
from pos_app.settings.shapes import ShiftSettings
from tests.gui.parts import notice_in, page_in_front
from tests.gui.shift.test_keys import Papers, ended, papers, screen_of
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop

__all__ = ["papers"]

SIZES = ((1024, 768), (1366, 768))
At = Callable[[int, int], Hands]


@pytest.fixture
def at(shop: Shop, papers: Papers, sell_in: Callable[..., Hands]) -> At:
    """The till in a given size; a terminal stands beside it."""
    told = ShiftSettings(use="on", terminals=("Терминал 1",))
    settings = shop.services.settings.having(shift=told)
    shop.services = replace(shop.services, started_with=settings)
    return lambda width, height: sell_in(shop, width=width, height=height)


def is_whole(widget: QWidget, hands: Hands) -> bool:
    """Whether the whole widget can be seen and pressed."""
    whole = widget.rect().translated(widget.mapTo(hands.window, widget.rect().topLeft()))
    seen_part = widget.visibleRegion().boundingRect()
    return hands.window.rect().contains(whole) and seen_part == widget.rect()


def on_pad(hands: Hands, page: CountPage, digits: str) -> None:
    for digit in digits:
        hands.tap(page.pad.key(digit))


def home(till: Hands) -> pages.HomePage:
    page: pages.HomePage = page_in_front(till.window.frame, "shift.title")
    return page


def counting(till: Hands, title: str) -> CountPage:
    page: CountPage = page_in_front(till.window.frame, title)
    return page


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_notice_leaves_the_pad(at: At, width: int, height: int) -> None:
    """The scan of an article, where a figure is typed, and of a code that nobody knows."""
    till = at(width, height)
    till.press("Ctrl+D")
    till.tap(home(till).buttons["Alt+1"])
    page = counting(till, "shift.count_float")
    await is_typed_on_beside_a_notice(till, page, "2")
    till.tap(page.big)
    till.tap(home(till).big)
    await is_typed_on_beside_a_notice(till, counting(till, "shift.step.count"), "3")
    await ended(till)


async def is_typed_on_beside_a_notice(till: Hands, page: CountPage, digits: str) -> None:
    on_pad(till, page, digits)
    for code in ("8609910700134", "4006381333931"):
        till.scan(code)
        await seen()
        notice = notice_in(screen_of(till).told)
        for part in (notice, page.pad, page.big):
            assert is_whole(part, till)
    on_pad(till, page, "57")
    assert next(iter(page.fields.values())).text() == f"{digits}57"
