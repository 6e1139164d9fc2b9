"""Keys and fingers at a real till, over a real server and processor: what its receipts say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.shop import Shop

Act = list[Any]
BREAD = [["type", "1"], ["press", "Enter"]]
CASH = 1
"""Of the protocol."""


def pressed(shop: Shop, *acts: Act) -> list[dict[str, Any]]:
    """What stood on the screen after each act, once all sales have their receipts."""
    shop.processor()
    words = ["-m", "tests.e2e.pressed_till", str(shop.data), json.dumps([*acts, ["issued"]])]
    till = shop.run(*words, name="till")
    till.until(lambda: till.lines("pressed") or till.is_over)
    assert till.lines("pressed"), till.errors()
    told = [line.removeprefix("seen ") for _, line in till.told if line.startswith("seen ")]
    till.stop()
    return [json.loads(line) for line in told]


def receipts(shop: Shop) -> list[Any]:
    """What the processor was asked to sign, in its order."""
    return [json.loads(entry.request) for entry in audit.ledger(shop)]


def payments(shop: Shop) -> list[list[tuple[int, float]]]:
    """The payments of each receipt."""
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
