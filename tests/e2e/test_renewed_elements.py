"""A card is renewed, or a processor set back, while receipts are in doubt or a pair is half done.

A doubt ends at its own element or by a person; nothing is signed on two elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.restored import Asker, Told, copied, key, served, until
from tests.e2e.shop import Shop
from tests.e2e.test_pairs_killed import ADVANCE, RECEIPTS, REST
from tests.proofs import Proof
from tests.sweep import sampled

pytestmark = pytest.mark.faults


@pytest.fixture
def asker(shop: Shop) -> Asker:
    shop.processor()
    return Asker(shop)


@pytest.fixture
def at_server(asker: Asker) -> Iterator[Asker]:
    with served(asker.shop):
        yield asker


def in_doubt(asker: Asker, number: int, *, fault: str, **members: Any) -> None:
    """The sale of that number meets the fault, and its outcome stays unknown."""
    asker.shop.change(unreachable=["lookup"])
    asker.shop.fault(fault, **members)
    told = asker.sell(number)
    assert (told.status, told.members["class"]) == (500, "unknown")


def renewed(shop: Shop) -> None:
    shop.control("POST", "/element/replace", {})


def is_asked(asker: Asker, number: int) -> None:
    until(lambda: asker.look(number).members.get("state") == "needs_human")


def is_refused(asker: Asker, number: int, words: str) -> None:
    """It is surely not sent, and a person has to help."""
    until(lambda: asker.sell(number).members["class"] == "cure")
    assert asker.signed(number) == 0
    assert words in asker.sell(number).members["message"]


def each_is_signed_once(asker: Asker, proof: Proof, numbers: range) -> None:
    for number in numbers:
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


@pytest.mark.parametrize("fault", ["sign_then_drop", "drop"])
def test_a_card_is_renewed_with_a_receipt_in_doubt(
    at_server: Asker, fault: str, proof: Proof
) -> None:
    asker, shop = at_server, at_server.shop
    asker.sold(1, 2)
    in_doubt(asker, 3, fault=fault)
    renewed(shop)
    shop.change(unreachable=[])
    if fault == "sign_then_drop":
        until(lambda: asker.look(3).number)
    else:
        is_asked(asker, 3)
    is_refused(asker, 4, "secure element")
    asker.accepts_element()
    asker.sold(4)
    if fault == "drop":
        assert asker.decides(3, "absent").members == {"state": "released"}
    asker.sold(3, 5)
    each_is_signed_once(asker, proof, range(1, 6))


def test_a_card_is_renewed_and_signs_what_the_one_before_was_sent(
    at_server: Asker, proof: Proof
) -> None:
    """The found receipt is of another element than the request was sent to: a person brings its
    paper."""
    asker, shop = at_server, at_server.shop
    asker.sold(1)
    in_doubt(asker, 2, fault="drop_then_sign", seconds=0.5)
    renewed(shop)
    until(lambda: asker.signed(2))
    shop.change(unreachable=[])
    is_asked(asker, 2)
    asker.accepts_element()
    paper = audit.url_of(audit.ledger(shop)[-1])
    assert asker.decides(2, "found", verificationUrl=paper).status == 200
    asker.sold(2, 3)
    assert asker.status()["alarms"] == []  # the new card's receipts are this shop's
    each_is_signed_once(asker, proof, range(1, 4))


def test_a_card_is_renewed_with_a_pair_half_done(at_server: Asker, proof: Proof) -> None:
    asker, shop = at_server, at_server.shop
    advance = asker.ask("POST", RECEIPTS, ADVANCE, {"Idempotency-Key": key(900)})
    path = f"{RECEIPTS}/{advance.number}/close"

    def close() -> Told:
        return asker.ask("POST", path, REST, {"Idempotency-Key": key(901)})

    shop.fault("late_answer")
    shop.fault("refuse", code="1500", count=None)
    assert close().status == 500
    renewed(shop)
    shop.control("DELETE", "/faults")
    assert close().status == 500
    asker.accepts_element()
    until(lambda: close().status == 200)
    numbers = [one["invoiceNumber"] for one in close().members]
    assert [entry.number for entry in audit.ledger(shop)][1:] == numbers
    assert numbers[0].partition("-")[0] != numbers[1].partition("-")[0]
    proof.count(signed=len(numbers) - 1)


@pytest.mark.parametrize("remember", sampled(["last", "all"]))
def test_a_card_was_renewed_since_the_journal_was_copied(
    asker: Asker, tmp_path: Path, remember: str, proof: Proof
) -> None:
    """A receipt of the earlier card is found, or a person brings its paper."""
    shop = asker.shop
    with served(shop):
        asker.sold(1)
    copy = copied(shop.data / "journal", tmp_path / "copy")
    with served(shop):
        asker.sold(2, 3)
    paper = audit.url_of(audit.ledger(shop)[1])
    copied(copy, shop.data / "journal")
    renewed(shop)
    shop.change(remember=remember)
    with served(shop):
        asker.accepts_element()
        told = asker.sell(2)
        if remember == "last":
            assert (told.status, told.members["class"]) == (500, "unknown")
            assert asker.decides(2, "found", verificationUrl=paper).status == 200
        asker.sold(2)
        assert asker.as_manager("/till/restored/close").status == 200
        asker.sold(4)
        assert asker.status()["alarms"] == []
    each_is_signed_once(asker, proof, range(1, 5))


@pytest.mark.parametrize("fault", sampled(["sign_then_drop", "drop"]))
def test_a_processor_is_set_back_with_a_receipt_in_doubt(
    shop: Shop, tmp_path: Path, fault: str, proof: Proof
) -> None:
    """It gets nothing; the doubt ends by a person's answer; sales go on once the processor has its
    own data again."""
    running, asker = shop.processor(), Asker(shop)
    with served(shop):
        asker.sold(1, 2)
    running.stop()
    copy = copied(shop.ledger_folder, tmp_path / "older")
    running = shop.processor()
    with served(shop):
        asker.sold(3)
        in_doubt(asker, 4, fault=fault)
    running.stop()
    papers = [audit.url_of(entry) for entry in audit.ledger(shop)]
    newest = copied(shop.ledger_folder, tmp_path / "newest")
    copied(copy, shop.ledger_folder)
    running = shop.processor()
    with served(shop):
        is_asked(asker, 4)
        is_refused(asker, 5, "set back")
        assert "set back" in asker.status()["processor"]["words"]
        if fault == "drop":
            assert asker.decides(4, "absent").members == {"state": "released"}
        else:
            assert asker.decides(4, "found", verificationUrl=papers[-1]).status == 200
            assert asker.look(4).number
        for number in (1, 2, 3):
            assert asker.look(number).number
        is_refused(asker, 5, "set back")
        assert asker.status()["alarms"] == []
    running.stop()
    copied(newest, shop.ledger_folder)
    shop.processor()
    with served(shop):
        asker.sold(4, 5)
    each_is_signed_once(asker, proof, range(1, 6))
