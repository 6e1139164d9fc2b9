"""Key presses and taps at a real till over a real server and processor give the right receipts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.shop import Shop

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


@pytest.mark.parametrize("key", ["pad -", "pad plus", "Ctrl+Enter", "Ctrl+Shift+Enter"])
def test_a_payment_key_goes_on_with_what_was_received(shop: Shop, key: str) -> None:
    received = [["press", "F12"], ["type", "200"], ["press", "Esc"]]
    seen = pressed(shop, *BREAD, *received, ["press", key], ["press", "Enter"])
    assert "Примљено 200,00" in seen[4]["total"]
    assert seen[5]["given"] == [["cash", "200.00"]]
    assert payments(shop) == [[(CASH, 200)]]


BUYER = [["press", "F5"], ["type", PIB], ["press", "Enter"]]
RECEIVED = [["press", "F12"], ["type", "200"], ["press", "Esc"]]


@pytest.mark.parametrize("way", [["press", "Del"], ["tap_cart", "remove", 0]])
def test_an_emptied_cart_leaves_the_next_customer_nothing(shop: Shop, way: Act) -> None:
    seen = pressed(shop, *BREAD, *BUYER, *RECEIVED, way, *MILK, ["press", "pad -"])
    assert PIB in seen[7]["added"]
    assert (seen[8]["added"], "Примљено" in seen[8]["total"]) == ("", False)
    assert payments(shop) == [[(CARD, 139.99)]]
    assert [receipt.get("buyerId") for receipt in receipts(shop)] == [None]


def test_a_finger_brings_an_emptied_cart_back_whole(shop: Shop) -> None:
    back: list[Act] = [["press", "Del"], ["tap_cart", "restore", 0]]
    pay = [["press", "pad -"], ["press", "Enter"]]
    seen = pressed(shop, *BREAD, *BUYER, *RECEIVED, *back, *pay)
    assert PIB in seen[9]["added"]
    assert payments(shop) == [[(CASH, 200)]]
    assert [receipt.get("buyerId") for receipt in receipts(shop)] == [f"10:{PIB}"]
