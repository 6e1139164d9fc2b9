"""The unread notices that stay when another one comes."""

from __future__ import annotations

import pytest

from pos_app.cashier.sale.notices import (
    MOST_NOTICES,
    ActFailed,
    Bug,
    CartsSuspended,
    CodesMissed,
    ExchangeLeft,
    NoSuchCode,
    NotDone,
    NoticeList,
    Running,
    SaleDropped,
    SaleNotice,
    ScansWaiting,
    TrainingEnded,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed, RemoteError
from pos_app.selling.sale.missed_codes import UnknownCode
from tests.fakes.till import article
from tests.sweep import each

UNKNOWN = NoSuchCode("8600999000014", None, may_create=True)
FAILED = ActFailed(NotAllowed(what="no"))
ONE_MISSED = CodesMissed((UnknownCode("1"),))
DROPPED = SaleDropped(Money(100))
LEFT, TRAINED = ExchangeLeft(), TrainingEnded()
HOLD_IT = ActFailed(NotAllowed("exchange"))
UNFINISHED = ActFailed(NotAllowed("unfinished_buyer"))
OWES = ActFailed(NotAllowed("nothing_new_owed"))
DRAWER = NotDone("drawer", RemoteError(what="away"))


@each(
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
        (ONE_MISSED, CodesMissed((*ONE_MISSED.codes, UnknownCode("2"))), False),
        (ONE_MISSED, FAILED, False),
    ],
)
def test_which_notice_stays_under_the_next(
    before: SaleNotice, comes: SaleNotice, stays: bool
) -> None:
    notices = NoticeList()
    notices.add(before)
    notices.add(comes)
    assert notices.unread == ((before, comes) if stays else (comes,))


@each(
    ("notice", "is_ended", "stays"),
    [
        (LEFT, False, True),
        (LEFT, True, False),
        (TRAINED, True, False),
        (HOLD_IT, False, True),
        (HOLD_IT, True, False),  # the next cart is not the one that has to be held
        (UNFINISHED, True, False),
        (OWES, False, False),  # something is in the cart to be taken for the returned goods
        (FAILED, True, True),
        (DRAWER, True, True),
    ],
)
def test_which_notice_leaves_with_its_cart(notice: SaleNotice, is_ended: bool, stays: bool) -> None:
    notices = NoticeList()
    notices.add(notice)
    assert notices.remove_of_cart(is_ended=is_ended, missed=()) is not stays
    assert notices.unread == ((notice,) if stays else ())


def test_the_oldest_goes_when_there_are_too_many() -> None:
    notices = NoticeList()
    for number in range(MOST_NOTICES + 5):
        notices.add(NoSuchCode(str(number), None, may_create=False))
    assert len(notices.unread) == MOST_NOTICES + 1
    assert notices.unread[-1] == NoSuchCode(str(MOST_NOTICES + 4), None, may_create=False)


# --- a notice says what can really be done about it ----------------------------------------------


ANY_GOODS: tuple[Article, ...] = (article(),)


@pytest.mark.parametrize("may_create", [True, False])
@pytest.mark.parametrize("open_price", [(), ANY_GOODS], ids=["no open price", "open price"])
def test_an_unknown_code_is_sold_at_a_typed_price_only_where_that_can_be(
    may_create: bool, open_price: tuple[Article, ...]
) -> None:
    words = Texts()
    told = NoSuchCode("123", None, may_create, open_price).words(words)
    assert ("коју укуцате" in told.safe) is bool(open_price)
    assert ("Унесите га као нови артикал" in told.safe) is may_create
