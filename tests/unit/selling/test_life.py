from __future__ import annotations

from itertools import product

import pytest

from pos_app.errors import NotAllowed
from pos_app.selling.sale.state import BEGINNING, ENDED, MOVES, SaleState, check_move
from tests.sweep import each

ALLOWED = {
    ("frozen", "sending"), ("frozen", "cancelling"), ("frozen", "doubt"), ("frozen", "refused"),
    ("sending", "done"), ("sending", "refused"), ("sending", "frozen"), ("sending", "doubt"),
    ("refused", "cancelling"), ("refused", "frozen"), ("refused", "doubt"),
    ("doubt", "done"), ("doubt", "frozen"), ("doubt", "refused"),
    ("cancelling", "cancelled"), ("cancelling", "doubt"),
}  # fmt: skip


@each(("old", "new"), list(product(SaleState, SaleState)))
def test_each_pair(old: SaleState, new: SaleState) -> None:
    if (old.value, new.value) in ALLOWED:
        check_move(old, new)
    else:
        with pytest.raises(NotAllowed):
            check_move(old, new)


def test_what_may_be_signed_is_never_cancelled_or_sent() -> None:
    assert not MOVES[SaleState.DOUBT] & {SaleState.CANCELLING, SaleState.SENDING}
    assert SaleState.CANCELLING not in MOVES[SaleState.SENDING]


def test_every_state_is_reached_and_ends() -> None:
    reached = {BEGINNING}
    for _ in SaleState:
        reached |= {new for old in reached for new in MOVES[old]}
    assert reached == set(SaleState)
    assert {state for state in SaleState if not MOVES[state]} == ENDED
