"""A shift by finger, at both sizes that shops have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.shift import pages
from pos_app.cashier.shift.count_page import CountPage
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.domain.money.money import Money
from pos_app.selling.shift.cash import MoveKind
from pos_app.settings.shapes import ShiftSettings
from tests.gui.parts import notice_in, page_in_front
from tests.gui.shift.test_keys import Papers, ended, papers, rested, screen_of
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop
from tests.sweep import sampled

__all__ = ["papers"]

SIZES = ((1024, 768), (1366, 768))
"""`make test` takes the tight one alone."""
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


@pytest.mark.parametrize(("width", "height"), sampled(SIZES))
async def test_a_shift_from_float_to_z_by_finger(
    at: At, papers: Papers, width: int, height: int
) -> None:
    till = at(width, height)
    shifts = till.shop.database.shifts
    till.press("Ctrl+D")
    till.tap(home(till).buttons["Alt+1"])
    page = counting(till, "shift.count_float")
    on_pad(till, page, "2")  # of 5.000
    till.tap(page.next)
    till.tap(page.fields["packs.note.10"].edit)
    on_pad(till, page, "1")  # a bundle of 10
    till.tap(page.big)
    shift = shifts.open_shift()
    assert shift is not None
    assert shift.cash_float == Money(11000)
    for key, kind in pages.MOVES.items():
        await moved(till, key, kind)
    assert [one.kind for one in shifts.moves(shift)] == list(pages.MOVES.values())
    till.tap(home(till).buttons["X"])
    report = page_in_front(till.window.frame, "shift.x")
    till.tap(report.rows)
    assert is_whole(report.drawer.rows, till)
    till.tap(report.big)
    till.tap(home(till).big)
    check = page_in_front(till.window.frame, "shift.step.check")
    till.tap(check.big)
    await counted(till)
    assert screen_of(till).model.page is ShiftPageKind.DONE
    closed = shifts.last_closed()
    assert closed is not None
    assert (closed.stays, closed.taken) == (Money(11000), Money(0))
    await seen()
    assert papers.printed[-1][0].title == "Z ИЗВЕШТАЈ 1"
    await ended(till)


async def moved(till: Hands, key: str, kind: MoveKind) -> None:
    """Move 100 into the drawer or out of it."""
    till.tap(home(till).buttons[key])
    move = page_in_front(till.window.frame, f"shift.move.{kind}")
    till.type("100")
    if kind in (MoveKind.IN, MoveKind.OUT):
        till.tap(move.reason.edit)
        till.type("mleko")
    till.tap(move.big)
    await seen()


async def counted(till: Hands) -> None:
    """Count as much cash as there was, and a slip that nobody expects."""
    page = counting(till, "shift.step.count")
    await seen()
    assert [name for name, one in page.fields.items() if not is_whole(one, till)] == []
    on_pad(till, page, "2")
    till.tap(page.fields["packs.note.10"].edit)
    on_pad(till, page, "1")
    till.tap(page.fields["slip.Терминал 1"].edit)
    on_pad(till, page, "50")
    till.tap(page.big)
    difference = page_in_front(till.window.frame, "shift.step.difference")
    await rested(till)
    till.tap(difference.chips["card", "unknown"])
    till.tap(difference.big)


def home(till: Hands) -> pages.HomePage:
    page: pages.HomePage = page_in_front(till.window.frame, "shift.title")
    return page


def counting(till: Hands, title: str) -> CountPage:
    page: CountPage = page_in_front(till.window.frame, title)
    return page


@pytest.mark.parametrize("code", ["8609910700134", "4006381333931"])
@pytest.mark.parametrize("name", ["shift.count_float", "shift.step.count"])
@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_notice_leaves_the_pad(
    at: At, name: str, code: str, width: int, height: int
) -> None:
    """The scan of an article, where a figure is typed, and of a code that nobody knows."""
    till = at(width, height)
    till.press("Ctrl+D")
    till.tap(home(till).buttons["Alt+1"])
    page = counting(till, "shift.count_float")
    on_pad(till, page, "2")
    if name != "shift.count_float":
        till.tap(page.big)
        till.tap(home(till).big)
        till.tap(page_in_front(till.window.frame, "shift.step.check").big)
        page = counting(till, name)
        on_pad(till, page, "3")
    till.scan(code)
    await seen()
    notice = notice_in(screen_of(till).told)
    assert is_whole(notice, till)
    assert is_whole(page.pad, till)
    assert is_whole(page.big, till)
    on_pad(till, page, "57")
    first = next(iter(page.fields.values()))
    assert first.text() in ("257", "357")
    await ended(till)
