"""Chains of receipts at random over HTTP: each answer is what the law's model says. `--times` above
the usual draws further histories."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from tests.integration.legal_life.chains import paid_in_advance, refunded_by_hand, sold
from tests.integration.legal_life.desk import Desk, check_open_advances, check_reports
from tests.integration.local_api.wronged import Wronged, wronged
from tests.sweep import sampled

HISTORIES = 2
CHAINS = 12
"""Chains in each history; `--times` above its usual adds more."""
USUAL_TIMES = 50
EXTENSIONS = {"ПРОМЕТ": "П", "АВАНС": "А", "ПРЕДРАЧУН": "Р", "ОБУКА": "О", "КОПИЈА": "К"}
EACH = ("issue", "advance", "close", "copy", "refund")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        yield made


@pytest.mark.faults
@pytest.mark.parametrize("history", sampled(range(HISTORIES)))
def test_every_answer_is_what_the_law_says(shop: Wronged, history: int, times: int) -> None:
    before = len(shop.entries())
    chains = CHAINS + max(0, times - USUAL_TIMES) // HISTORIES
    drawn = random.Random(f"chains {history}")
    desk = Desk(shop, drawn)
    still_open = list[int]()
    for _ in range(chains):
        one_chain(desk)
        still_open.append(check_open_advances(shop))
    entries = shop.entries()[before:]
    assert len(entries) == len(desk.signed)
    for entry, (number, kind) in zip(entries, desk.signed, strict=True):
        assert number in (entry.number, None)  # an issued refund does not name its copy
        of, transaction = kind.split()
        told = json.loads(entry.answer)["invoiceCounterExtension"]
        assert told == EXTENSIONS[of] + transaction[0]
    for operation in EACH:  # a history with refusals alone, or with none, tests nothing
        assert desk.done[operation], desk.done
        assert desk.done[f"{operation} refused"], desk.done
    assert len(set(still_open)) > 1, still_open
    check_reports(shop)
    status = shop.ask("GET", "/till/status", headers=shop.server.till).json()
    assert (status["open"], status["alarms"]) == ([], [])


def one_chain(desk: Desk) -> None:
    """In one chain of ten a sale follows a proforma; a third of all are advances."""
    chance = desk.drawn.random()
    if chance < 0.35:
        sold(desk)
    elif chance < 0.45:
        sold(desk, "training")
    elif chance < 0.55:
        sold(desk, after=sold(desk, "proforma"))
    elif chance < 0.65:
        refunded_by_hand(desk)
    else:
        paid_in_advance(desk)
