"""Key presses and taps at a real till over a real server and processor give the right receipts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.shop import Shop

pytestmark = pytest.mark.long
Act = list[Any]
PIB = "100000008"
BREAD = [["type", "1"], ["press", "Enter"]]
MILK = [["type", "11"], ["press", "Enter"]]
CASH, CARD = 1, 2
"""Payment types of the PFR protocol."""


def pressed(shop: Shop, *acts: Sequence[Any]) -> list[dict[str, Any]]:
    """The screen after each act, once all sales have their receipts."""
    shop.processor()
    words = ["-m", "tests.e2e.pressed_till", str(shop.data), json.dumps([*acts, ["issued"]])]
    till = shop.run(*words, name="till")
    till.until(lambda: till.lines("pressed") or till.is_over)
    assert till.lines("pressed"), till.errors()
    told = [line.removeprefix("seen ") for _, line in till.told if line.startswith("seen ")]
    till.stop()
    return [json.loads(line) for line in told]


def receipts(shop: Shop) -> list[Any]:
    """The requests to the processor, in its order."""
    return [json.loads(entry.request) for entry in audit.ledger(shop)]


def payments(shop: Shop) -> list[list[tuple[int, float]]]:
    return [
        [(one["paymentType"], one["amount"]) for one in receipt["payment"]]
        for receipt in receipts(shop)
    ]


RECEIVED = [["press", "F12"], ["type", "200"], ["press", "Esc"]]
KEYS = ("pad -", "pad plus", "Ctrl+Enter", "Ctrl+Shift+Enter")


def test_each_payment_key_goes_on_with_what_was_received(shop: Shop) -> None:
    """One sale after the other, each with another key."""
    sales = [[*BREAD, *RECEIVED, ["press", key], ["press", "Enter"], ["issued"]] for key in KEYS]
    seen = pressed(shop, *chain.from_iterable(sales))
    for key, number in zip(KEYS, range(0, len(seen), len(sales[0])), strict=False):
        assert "Примљено 200,00" in seen[number + 4]["total"], key
        assert seen[number + 5]["given"] == [["cash", "200.00"]], key
    assert payments(shop) == [[(CASH, 200)]] * len(KEYS)


BUYER = [["press", "F5"], ["type", PIB], ["press", "Enter"]]
WAYS: list[Act] = [["press", "Del"], ["tap_cart", "remove", 0]]


def test_an_emptied_cart_leaves_the_next_customer_nothing_unless_a_finger_brings_it_back(
    shop: Shop,
) -> None:
    """It is emptied by the key, then by a finger; the last one is brought back, and is whole."""
    begun = [*BREAD, *BUYER, *RECEIVED]
    sales = [[*begun, way, *MILK, ["press", "pad -"], ["issued"]] for way in WAYS]
    back: list[Act] = [["press", "Del"], ["tap_cart", "restore", 0]]
    pay = [["press", "pad -"], ["press", "Enter"]]
    seen = pressed(shop, *chain.from_iterable(sales), *begun, *back, *pay)
    for way, number in zip(WAYS, range(0, len(seen), len(sales[0])), strict=False):
        assert PIB in seen[number + 7]["added"], way
        is_received = "Примљено" in seen[number + 8]["total"]
        assert (seen[number + 8]["added"], is_received) == ("", False), way
    assert PIB in seen[2 * len(sales[0]) + 9]["added"]
    assert payments(shop) == [[(CARD, 139.99)], [(CARD, 139.99)], [(CASH, 200)]]
    buyers = [receipt.get("buyerId") for receipt in receipts(shop)]
    assert buyers == [None, None, f"10:{PIB}"]
