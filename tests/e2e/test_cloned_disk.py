"""A disk was cloned and both machines run: one installation exists twice, at one processor.

Each server asks the processor before it sends a request that may be signed already, so that a sale
is signed twice only when both send it at the same moment. The one whose receipt came first then
finds the other's under its own RequestId, which proves a copy, and sends only new requests from
then on. Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.restored import Asker, cloned, served
from tests.e2e.shop import Program, Shop, opened
from tests.proofs import Proof

WAITING = 2
pytestmark = pytest.mark.faults


def waits_with_sales(shop: Shop) -> None:
    """One sale was signed, so that the lane is known; then the processor was away."""
    processor, server = shop.processor(), shop.server()
    assert shop.robot(total=1).wait() == 0
    processor.stop()
    till = shop.robot(total=1 + WAITING)
    till.until(lambda: len(till.lines("key")) >= WAITING)
    till.kill()
    server.stop()


def has_tried_all(till: Program) -> bool:
    ended = {line[1] for one in ("done", "doubt", "refused") for line in till.lines(one)}
    keys = {line[1] for line in till.lines("key")}
    return len(keys) >= WAITING and keys <= ended


def signed_since(shop: Shop, before: int) -> Counter[str]:
    return Counter(str(entry.request_id) for entry in read_entries(shop.ledger_folder)[before:])


@pytest.mark.long
@pytest.mark.deadline(3600)
def test_sales_that_wait_on_both(
    tmp_path: Path, catalogue: Path, nursery: Path, times: int, proof: Proof
) -> None:
    """No sale is lost. The first is signed twice where both send it at the same moment, and then no
    other one is: before servers asked, all waiting sales were."""
    for turn in range(1 if times <= 50 else times // 20):
        with opened(tmp_path / f"turn{turn}", catalogue, nursery) as shop:
            waits_with_sales(shop)
            with cloned(shop) as clone:
                shop.processor()
                before = len(read_entries(shop.ledger_folder))
                for one in (shop, clone.shop):
                    one.server()
                tills = [one.robot(total=1 + WAITING) for one in (shop, clone.shop)]
                for till in tills:
                    till.until(partial(has_tried_all, till))
                signed = signed_since(shop, before)
        proof.tried += WAITING
        proof.lost += WAITING - len(signed)
        assert len(signed) == WAITING
        assert sum(signed.values()) <= WAITING + 1


def test_what_one_has_signed_is_found_by_the_other(shop: Shop, proof: Proof) -> None:
    """Each looks up the sales that the other signed before it sends them."""
    shop.processor()
    asker = Asker(shop)
    with served(shop):
        asker.sold(1, 2)
    with cloned(shop) as clone, served(shop), served(clone.shop):
        asker.sold(3)
        clone.sold(4)
        told = [asker.sell(4).number, clone.sell(3).number]
        assert told == [clone.sell(4).number, asker.sell(3).number]
    for number in (1, 2, 3, 4):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


def test_keys_that_another_program_sends_to_both(shop: Shop) -> None:
    """The first is sent at the very same moment; each is answered truly, and no further key is
    doubled."""
    shop.processor()
    asker = Asker(shop)
    with served(shop):
        asker.sold(1)
    with cloned(shop) as clone, served(shop), served(clone.shop), ThreadPoolExecutor(2) as both:
        before = len(read_entries(shop.ledger_folder))
        for number in range(11, 15):
            for _ in range(2):
                shop.fault("late_signing", seconds=0.3)
            list(both.map(Asker.sell, (asker, clone), (number, number)))
        signed = signed_since(shop, before)
        seen = [one.status() for one in (asker, clone)]
    assert sorted(signed.values())[:-1] == [1] * (len(signed) - 1), signed
    assert len(signed) == 4
    assert [one["restored"]["why"] for one in seen if one["restored"]] == ["twin"]
    alarms = {alarm["what"] for one in seen for alarm in one["alarms"]}
    assert {"late_receipt", "foreign_traffic"} <= alarms
