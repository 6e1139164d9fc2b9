"""A count on a disk that is full meanwhile: what the fields show is what is confirmed."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.domain.money.money import Money
from pos_app.errors import DiskFull
from tests.fakes.small_disk import fill, make_room
from tests.gui.shift.test_keys import begun, counting, screen_of
from tests.gui.window.hands import Hands
from tests.sweep import sampled

FIGURES = ("10", "19", "21", "14")
WORTH = Money(10 * 5000 + 19 * 2000 + 21 * 1000 + 14 * 500)


def typed(hands: Hands) -> None:
    for figure in FIGURES:
        hands.type(figure)
        hands.press("Enter")


def is_confirmed_as_shown(hands: Hands) -> None:
    """Confirm the count; the stored one and the difference are of the figures in the fields."""
    shop, screen = hands.shop, screen_of(hands)
    hands.press("F12")
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    shift = shop.database.shifts.open_shift()
    assert shift is not None
    (stored,) = shop.database.shifts.counts(shift)
    assert stored.count.cash == WORTH
    cash = next(row for row in screen.model.drawer_differences.rows if row.method == "cash")
    assert cash.counted == WORTH


def test_a_count_that_cannot_be_confirmed_stays_as_it_is_typed(little: Hands) -> None:
    begun(little)
    screen = counting(little)
    filler = fill(little.shop.services.settings.data.parent)
    typed(little)
    little.press("F12")
    assert screen.model.page is ShiftPageKind.COUNT
    make_room(filler, 200)
    is_confirmed_as_shown(little)


class _Failing:
    """Lets the n-th store of typed figures fail."""

    def __init__(self, keep: Any, number: int) -> None:
        self._keep, self._number, self.many = keep, number, 0

    def __call__(self, *values: object) -> None:
        self.many += 1
        if self.many == self._number:
            raise DiskFull("disk")
        self._keep(*values)


@pytest.mark.parametrize("number", sampled(range(1, 9)))
def test_a_figure_whose_store_fails_is_counted(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Each key stores the field, of a float and of a close; whichever of these stores fails, no
    figure is lost."""
    shifts = hands.shop.database.shifts
    floats, counts = (_Failing(one, number) for one in (shifts.keep_float_count, shifts.keep_count))
    monkeypatch.setattr(type(shifts), "keep_float_count", lambda _, count: floats(count))
    monkeypatch.setattr(type(shifts), "keep_count", lambda _, stored: counts(stored))
    for key in ("Ctrl+D", "Alt+1"):
        hands.press(key)
    screen = screen_of(hands)
    if screen.model.page is not ShiftPageKind.FLOAT:
        screen.model.begin_float()
        screen.room.changed.emit()
    typed(hands)
    hands.press("F12")
    shift = shifts.open_shift()
    assert shift is not None
    assert shift.cash_float == WORTH
    hands.press("Esc")
    counting(hands)
    typed(hands)
    assert min(floats.many, counts.many) >= number
    is_confirmed_as_shown(hands)
