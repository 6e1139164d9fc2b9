"""The table of a request's states, move by move (exactly-once.md)."""

from __future__ import annotations

import itertools

from pos_app.domain.receipt.states import BEGINNINGS, BINDING, MOVES, RequestState
from tests.sweep import each

ALLOWED = {
    line.strip()
    for line in """
    - queued
    - needs_human
    - cancelled
    queued sending
    queued released
    queued cancelled
    sending signed
    sending rejected
    sending unknown
    sending released
    unknown signed
    unknown released
    unknown needs_human
    needs_human signed
    needs_human released
    needs_human queued
    rejected needs_human
    rejected queued
    rejected cancelled
    released signed
    released queued
    released cancelled
    released needs_human
    """.strip().splitlines()
}


@each(("old", "new"), list(itertools.product([None, *RequestState], RequestState)))
def test_every_pair_of_states(old: RequestState | None, new: RequestState) -> None:
    allowed = BEGINNINGS if old is None else MOVES[old]
    assert (new in allowed) is (f"{old or '-'} {new}" in ALLOWED)


def test_released_and_rejected_alone_do_not_bind() -> None:
    assert set(RequestState) - BINDING == {RequestState.RELEASED, RequestState.REJECTED}
    assert BEGINNINGS < BINDING
