"""A till that is killed while a number is typed returns with all of it, or with none of it."""

from __future__ import annotations

import json
import signal
from typing import Any

import apsw
import pytest

from tests.e2e.shop import Shop

OPENED: list[list[Any]] = [["type", "1"], ["press", "Enter"], ["press", "F12"]]
"""A bread, and its payment."""
INSTANTS = [300, 600, 1100, 100, 200, 450, 800, 950, 1400]
"""Milliseconds from before the first digit; the last digit comes 240 ms after that."""
COMMITS = [8, 7, 9, 4, 5, 6, 10, 11, 12]
"""The commits of a till that opens and gets three digits typed."""
FEW = 1
"""Processes in `make test`."""
PIB = "100000008"


def stored(shop: Shop) -> tuple[Any, str]:
    """The received payment of the open cart, and the number of its buyer."""
    connection = apsw.Connection(str(shop.data / "till" / "till.db"))
    found = connection.execute(
        "SELECT paid, buyer_value FROM cart_additions JOIN carts ON carts.id = cart_id"
        " WHERE state = 'open'"
    ).fetchone()
    connection.close()
    return ([], "") if found is None else (json.loads(found[0]), found[1])


def killed(shop: Shop, *acts: list[Any], commit: int = 0) -> None:
    words = ["pressed", str(shop.data), json.dumps(acts)]
    where = ["--file", "till.db", "--commit", str(commit), "--when", "after"]
    till = shop.run("-m", "tests.e2e.kill_at", *where, "--", *words, name="till")
    assert till.wait() == -signal.SIGKILL, till.errors()


@pytest.mark.faults
def test_cash_that_is_being_typed(shop: Shop, times: int) -> None:
    """Each process types another number; the one from before may still be stored."""
    whole: list[Any] = [[]]
    for number, instant in enumerate(INSTANTS if times > 50 else INSTANTS[:FEW]):
        amount = 210 + number
        whole.append([["cash", f"{amount}.00"]])
        killed(shop, *OPENED, ["die", instant], ["hand", amount])
        assert stored(shop)[0] in whole, instant


@pytest.mark.faults
def test_digits_that_come_at_once(shop: Shop, times: int) -> None:
    """The digits come as those of a busy till do; it is killed at each commit."""
    for commit in COMMITS if times > 50 else COMMITS[:FEW]:
        killed(shop, *OPENED, ["die", 2000], ["type", "200"], commit=commit)
        assert stored(shop)[0] in ([], [["cash", "200.00"]]), commit


@pytest.mark.faults
def test_the_number_of_a_buyer(shop: Shop) -> None:
    killed(shop, *OPENED, ["press", "F5"], ["die", 400], ["hand", PIB])
    assert stored(shop)[1] in ("", PIB)
