from __future__ import annotations

from itertools import product

import pytest

from pos_app.cashier.ui import keyboard


@pytest.mark.parametrize("keys", [keyboard.PAD_KEYS, keyboard.DIGIT_KEYS])
def test_no_place_of_a_pad_is_empty_or_has_two_keys(
    keys: dict[str, tuple[int, int, int, int]],
) -> None:
    taken = [
        (row + down, column + right)
        for row, column, rows, columns in keys.values()
        for down, right in product(range(rows), range(columns))
    ]
    assert sorted(taken) == list(product(range(keyboard.PAD_ROWS), range(keyboard.PAD_COLUMNS)))
