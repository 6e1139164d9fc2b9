"""The unread notices that stay when another one comes."""

from __future__ import annotations

import pytest

from pos_app.cashier.sale.notices import (
    MOST_NOTICES,
    ActFailed,
    Bug,
    CartsSuspended,
    CodesMissed,
    NoSuchCode,
    NotDone,
    NoticeList,
    Running,
    SaleDropped,
    SaleNotice,
    ScansWaiting,
)
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed, RemoteError

UNKNOWN = NoSuchCode("8600999000014", None, may_create=True)
FAILED = ActFailed(NotAllowed(what="no"))
DROPPED = SaleDropped(Money(100))
DRAWER = NotDone("drawer", RemoteError(what="away"))


@pytest.mark.parametrize(
    ("before", "comes", "stays"),
    [
        (FAILED, DROPPED, False),  # the next act replaces the last one
        (UNKNOWN, FAILED, True),  # goods may leave unpaid: an act does not hide it
        (UNKNOWN, UNKNOWN, False),
        (UNKNOWN, NoSuchCode("1", None, may_create=True), True),
        (FAILED, Bug("KeyError"), True),  # a fault that no act caused replaces nothing
        (FAILED, Running("drawer"), True),
        (Running("drawer"), FAILED, True),
        (DRAWER, NotDone("drawer", RemoteError(what="busy")), False),
        (DRAWER, NotDone("receipt", RemoteError(what="busy")), True),
        (ScansWaiting(1), ScansWaiting(2), False),
        (ScansWaiting(1), FAILED, True),
        (CartsSuspended(1), CartsSuspended(2), False),
        (CodesMissed(1), CodesMissed(2), False),
        (CodesMissed(1), FAILED, False),
    ],
)
def test_which_notice_stays_under_the_next(
    before: SaleNotice, comes: SaleNotice, stays: bool
) -> None:
    notices = NoticeList()
    notices.add(before)
    notices.add(comes)
    assert notices.unread == ((before, comes) if stays else (comes,))


def test_the_oldest_goes_when_there_are_too_many() -> None:
    notices = NoticeList()
    for number in range(MOST_NOTICES + 5):
        notices.add(NoSuchCode(str(number), None, may_create=False))
    assert len(notices.unread) == MOST_NOTICES + 1
    assert notices.unread[-1] == NoSuchCode(str(MOST_NOTICES + 4), None, may_create=False)


def test_what_is_no_longer_true_is_taken_away_by_itself() -> None:
    notices = NoticeList()
    for one in (UNKNOWN, ScansWaiting(1), DROPPED):
        notices.add(one)
    assert notices.unread == (UNKNOWN, ScansWaiting(1), DROPPED)
    assert notices.remove_scans_waiting()
    assert not notices.remove_scans_waiting()
    assert notices.remove_act_notice()
    assert notices.remove_notice_of_code(UNKNOWN.code)
    assert notices.unread == ()
