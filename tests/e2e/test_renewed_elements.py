"""A card is renewed, or a processor set back, while receipts are in doubt or a pair is half done.

A doubt ends at its own element or by a person; nothing is signed on two elements.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e import audit, restored
from tests.e2e.shop import Shop
from tests.e2e.test_pairs_killed import ADVANCE, RECEIPTS, REST
from tests.e2e.test_restored import served, sold, until
from tests.proofs import Proof
from tests.sweep import sampled

PIN = {"code": "1500"}
pytestmark = pytest.mark.faults


@pytest.fixture
def asker(shop: Shop) -> restored.Asker:
    shop.processor()
    return restored.Asker(shop)


def in_doubt(asker: restored.Asker, number: int, *, fault: str) -> None:
    """The sale of that number meets the fault, and its outcome stays unknown."""
    asker.shop.change(unreachable=["lookup"])
    asker.shop.fault(fault)
    told = asker.sell(number)
    assert (told.status, told.members["class"]) == (500, "unknown")


def half_done(asker: restored.Asker) -> str:
    """An advance is closed, and its second receipt waits; returns the closing's path."""
    headers = {"Idempotency-Key": restored.key(900)}
    advance = asker.ask("POST", RECEIPTS, ADVANCE, headers)
    path = f"{RECEIPTS}/{advance.number}/close"
    asker.shop.fault("late_answer")
    asker.shop.fault("refuse", **PIN, count=None)
    assert close(asker, path).status == 500
    return path


def close(asker: restored.Asker, path: str) -> restored.Told:
    return asker.ask("POST", path, REST, {"Idempotency-Key": restored.key(901)})


def accepted(asker: restored.Asker) -> None:
    """A manager accepts the offered element."""
    until(lambda: asker.status()["processor"].get("offered"))
    uid = asker.status()["processor"]["offered"]["uid"]
    assert asker.as_manager("/till/element", uid=uid).status == 200


def is_refused(asker: restored.Asker, number: int) -> str:
    """It is surely not sent, and a person has to help; returns the message."""
    until(lambda: asker.sell(number).members["class"] == "cure")
    assert asker.signed(number) == 0
    words: str = asker.sell(number).members["message"]
    return words


@pytest.mark.parametrize("fault", ["sign_then_drop", "drop"])
def test_a_card_is_renewed_with_a_receipt_in_doubt(
    asker: restored.Asker, fault: str, proof: Proof
) -> None:
    shop = asker.shop

    def act() -> None:
        sold(asker, 1, 2)
        in_doubt(asker, 3, fault=fault)
        shop.control("POST", "/element/replace", {})
        shop.change(unreachable=[])
        if fault == "sign_then_drop":
            until(lambda: asker.look(3).number)
        else:
            until(lambda: asker.look(3).members.get("state") == "needs_human")
        assert "secure element" in is_refused(asker, 4)
        accepted(asker)
        sold(asker, 4)
        if fault == "drop":
            said = asker.as_manager(f"/till/doubts/{asker.look(3).members['receiptId']}/absent")
            assert said.members == {"state": "released"}
        sold(asker, 3, 5)

    served(shop, act)
    for number in range(1, 6):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


def test_a_card_is_renewed_and_signs_what_the_one_before_was_sent(
    asker: restored.Asker, proof: Proof
) -> None:
    """The found receipt is of another element than the request was sent to: a person brings its
    paper."""
    shop = asker.shop

    def act() -> None:
        sold(asker, 1)
        shop.change(unreachable=["lookup"])
        shop.fault("drop_then_sign", seconds=0.5)
        assert asker.sell(2).status == 500
        shop.control("POST", "/element/replace", {})
        until(lambda: asker.signed(2))
        shop.change(unreachable=[])
        until(lambda: asker.look(2).members.get("state") == "needs_human")
        accepted(asker)
        way = f"/till/doubts/{asker.look(2).members['receiptId']}/found"
        paper = audit.url_of(audit.ledger(shop)[-1])
        assert asker.as_manager(way, verificationUrl=paper).status == 200
        sold(asker, 2, 3)
        assert asker.status()["alarms"] == []  # the new card's receipts are this shop's

    served(shop, act)
    for number in (1, 2, 3):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


def test_a_card_is_renewed_with_a_pair_half_done(asker: restored.Asker, proof: Proof) -> None:
    shop = asker.shop

    def act() -> None:
        path = half_done(asker)
        shop.control("POST", "/element/replace", {})
        shop.control("DELETE", "/faults")
        assert close(asker, path).status == 500
        accepted(asker)
        until(lambda: close(asker, path).status == 200)
        pair: list[Any] = close(asker, path).members
        numbers = [one["invoiceNumber"] for one in pair]
        assert [entry.number for entry in audit.ledger(shop)][1:] == numbers
        assert numbers[0].partition("-")[0] != numbers[1].partition("-")[0]
        proof.count(signed=len(numbers) - 1)

    served(shop, act)


@pytest.mark.parametrize("remember", sampled(["last", "all"]))
def test_a_card_was_renewed_since_the_journal_was_copied(
    asker: restored.Asker, tmp_path: Path, remember: str, proof: Proof
) -> None:
    """A receipt of the earlier card is found, or a person brings its paper."""
    shop = asker.shop
    served(shop, lambda: sold(asker, 1))
    copy = restored.copied(shop.data / "journal", tmp_path / "copy")
    served(shop, lambda: sold(asker, 2, 3))
    paper = audit.url_of(audit.ledger(shop)[1])
    restored.copied(copy, shop.data / "journal")
    shop.control("POST", "/element/replace", {})
    shop.change(remember=remember)

    def act() -> None:
        accepted(asker)
        told = asker.sell(2)
        if remember == "last":
            assert (told.status, told.members["class"]) == (500, "unknown")
            way = f"/till/doubts/{told.members['receiptId']}/found"
            assert asker.as_manager(way, verificationUrl=paper).status == 200
        sold(asker, 2)
        assert asker.as_manager("/till/restored/close").status == 200
        sold(asker, 4)
        assert asker.status()["alarms"] == []

    served(shop, act)
    for number in (1, 2, 3, 4):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


@pytest.mark.parametrize("fault", sampled(["sign_then_drop", "drop"]))
def test_a_processor_is_set_back_with_a_receipt_in_doubt(
    shop: Shop, tmp_path: Path, fault: str, proof: Proof
) -> None:
    """It ends by a person's answer; sales go on once the processor has its own data again."""
    running, asker = shop.processor(), restored.Asker(shop)
    served(shop, lambda: sold(asker, 1, 2))
    running.stop()
    copy = restored.copied(shop.ledger_folder, tmp_path / "older")
    running = shop.processor()

    def doubt() -> None:
        sold(asker, 3)
        in_doubt(asker, 4, fault=fault)

    served(shop, doubt)
    running.stop()
    papers = [audit.url_of(entry) for entry in audit.ledger(shop)]
    newest = restored.copied(shop.ledger_folder, tmp_path / "newest")
    restored.copied(copy, shop.ledger_folder)
    running = shop.processor()

    def decide() -> None:
        until(lambda: asker.look(4).members.get("state") == "needs_human")
        assert "set back" in is_refused(asker, 5)
        way = f"/till/doubts/{asker.look(4).members['receiptId']}"
        if fault == "drop":
            assert asker.as_manager(f"{way}/absent").members == {"state": "released"}
        else:
            assert asker.as_manager(f"{way}/found", verificationUrl=papers[-1]).status == 200
            assert asker.look(4).number
        assert "set back" in is_refused(asker, 5)
        assert asker.status()["alarms"] == []

    served(shop, decide)
    running.stop()
    restored.copied(newest, shop.ledger_folder)
    shop.processor()
    served(shop, lambda: sold(asker, 4, 5))
    for number in range(1, 6):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)
