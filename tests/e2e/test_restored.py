"""Journals, tills and processors that were restored, cloned, set back or renewed: a signed sale is
never denied or signed again, also on two elements. Source: exactly-once.md, "Restores,
replacements, damage"."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e import audit
from tests.e2e.restored import Asker, Told, cloned, copied, key, served
from tests.e2e.shop import Program, Shop, opened, until
from tests.e2e.test_kill_at_commits import ADVANCE, RECEIPTS, REST
from tests.fakes.processor_key import give_key
from tests.ports import free_port
from tests.proofs import Proof
from tests.sweep import sampled

pytestmark = pytest.mark.faults
BEFORE, SINCE = (1, 2), (3, 4, 5)
"""Sales before the copy was made, and after it."""


@pytest.fixture
def asker(shop: Shop) -> Asker:
    shop.processor()
    return Asker(shop)


def is_found(asker: Asker, proof: Proof, *numbers: int) -> None:
    """A sale that was signed after the copy is not denied, and its key gives its one receipt."""
    for number in numbers:
        looked = asker.compared(number)
        assert (looked.status, looked.members.get("state")) in ((202, "restored"), (200, None))
        told = asker.sell(number)
        assert told.number, told
        assert asker.look(number).number == told.number
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


def to_another_computer(asker: Asker) -> None:
    """The folder stands beside the original, on the same element."""
    witness = asker.shop.data / "witness.json"
    text = witness.read_text()
    if '"machine": ""' in text:
        pytest.skip("this machine has no name of its own")
    here = text.rpartition('"machine": "')[2].partition('"')[0]
    witness.write_text(text.replace(here, "0" * len(here)))


LOSSES = {
    "older journal": "server_witness",
    "no journal": "server_witness",
    "older folder": "processor_holds",
    "another computer": "other_machine",
}
"""What tells of each: of a whole older folder the processor's counter alone."""


@pytest.mark.parametrize("loss", LOSSES)
def test_what_was_signed_is_found_and_nothing_new_denied(
    asker: Asker, tmp_path: Path, loss: str, proof: Proof
) -> None:
    shop = asker.shop
    with served(shop):
        asker.sold(*BEFORE)
    copy = copied(shop.data, tmp_path / "copy")
    with served(shop):
        asker.sold(*SINCE)
    match loss:
        case "older journal":
            copied(copy / "journal", shop.data / "journal")
        case "no journal":
            shutil.rmtree(shop.data / "journal")
        case "older folder":
            copied(copy, shop.data)
        case _:
            to_another_computer(asker)
    with served(shop):
        is_found(asker, proof, *SINCE, *BEFORE)
        assert asker.status()["restored"]["why"] == LOSSES[loss]
        if loss == "older journal":
            new = asker.sell(9)
            assert (new.status, new.members["class"], asker.signed(9)) == (500, "unknown", 0)
            assert asker.decides(9, "absent").members == {"state": "released"}
            assert asker.as_manager("/till/restored/close").status == 200
            asker.sold(9)
            proof.count(signed=asker.signed(9))


@pytest.mark.parametrize("when", sampled(["while_in_doubt", "while_a_person_is_asked"]))
def test_a_folder_with_a_doubt_is_put_back(
    asker: Asker, tmp_path: Path, when: str, proof: Proof
) -> None:
    """The lane gets its counter with the doubt's end: an alarm until all lost sales are found."""
    shop = asker.shop
    with served(shop):
        asker.sold(*BEFORE)
    shop.fault("wrong_total", lasting=True)
    with served(shop):
        if when == "while_in_doubt":
            shop.change(unreachable=["lookup"])
        assert asker.sell(8).status == 500
        if when != "while_in_doubt":
            until(lambda: asker.ask("GET", "/till/doubts", None, asker.till()).members)
    copy = copied(shop.data, tmp_path / "copy")
    shop.change(unreachable=[])
    shop.control("DELETE", "/faults")
    with served(shop):
        until(lambda: asker.sell(SINCE[0]).number)
        asker.sold(*SINCE[1:])
    copied(copy, shop.data)
    with served(shop):
        until(lambda: asker.sell(9, as_till=True).number)
        is_found(asker, proof, *SINCE, *BEFORE)
        assert asker.status()["alarms"] == []
        assert asker.status()["restored"]["why"] == "processor_holds"


def test_a_restored_journal_is_filled_by_others(asker: Asker, tmp_path: Path, proof: Proof) -> None:
    """It has again as many rows as its witnesses remember, and other ones."""
    shop = asker.shop
    with served(shop):
        asker.sold(*BEFORE)
    copy = copied(shop.data / "journal", tmp_path / "copy")
    with served(shop):
        asker.sold(*SINCE)
        remembered = asker.ask("GET", "/health", None, {}).members["journal"]
    copied(copy, shop.data / "journal")
    (shop.data / "witness.json").unlink()
    with served(shop):
        asker.sold(*(number + 10 for number in SINCE))
        told = asker.ask("POST", "/till/witness", {"journal": remembered}, asker.till())
        assert told.members["journal"]["rows"] >= remembered["rows"]
        assert told.members["agrees"] is False
        assert told.members["epoch"]
        is_found(asker, proof, *SINCE)


@pytest.fixture
def other(shop: Shop) -> tuple[int, Path]:
    """Another processor with a secure element of its own: its port and ledger's folder."""
    port, folder = free_port(), shop.folder / "other-pfr"
    give_key(folder / "processor")
    words = ("-m", "pos_app", "processor", "--data", str(folder), "--port", str(port))
    program = shop.run(*words, name="other")
    program.until(lambda: program.lines("http"))
    return port, folder / "processor"


def test_an_accepted_element_that_has_signed_is_told(
    asker: Asker, other: tuple[int, Path], tmp_path: Path, proof: Proof
) -> None:
    """The folder is of before the card's renewal, whose receipts nobody knows here."""
    shop, (port, ledger) = asker.shop, other
    with served(shop):
        asker.sold(*BEFORE)
    copy = copied(shop.data, tmp_path / "copy")
    shop.processor_port = port
    with served(shop):
        asker.accepts_element()
        asker.sold(*SINCE)
    copied(copy, shop.data)
    with served(shop):
        asker.accepts_element()
        until(lambda: asker.status()["alarms"])
        assert asker.look(SINCE[0]).members["state"] == "restored"
        for number in SINCE:
            asker.sell(number)
            proof.count(signed=asker.signed(number, folder=ledger))
    assert (proof.lost, proof.doubled) == (0, 0)


def test_a_doubt_whose_processor_is_gone_is_a_persons(
    shop: Shop, other: tuple[int, Path], proof: Proof
) -> None:
    gone, asker = shop.processor(), Asker(shop)
    with served(shop):
        asker.sold(*BEFORE)
        shop.change(unreachable=["lookup"])
        shop.fault("drop")
        assert asker.sell(3).status == 500
    gone.stop()
    shop.processor_port = other[0]
    with served(shop):
        asker.accepts_element()
        asker.sold(4)
        assert asker.look(3).status == 202
        told = asker.ask("GET", "/till/doubts", None, asker.till()).members
        (one,) = [each for each in told if each["key"] == key(3)]
        assert one["counterNow"] is None  # nobody knows that of the removed card
        assert asker.decides(3, "absent").members == {"state": "released"}
        asker.sold(3)
    proof.count(signed=asker.signed(3) + asker.signed(3, folder=other[1]))
    assert (proof.lost, proof.doubled) == (0, 0)


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
    """The receipt is of another element than was asked: a person brings its paper."""
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
    """The doubt ends by a person; sales go on once the processor has its own data again."""
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


WAITING = 2


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
    """None is lost; only the first may be signed twice, where both send it at one moment."""
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
    """The first is sent at the same moment; each is answered truly, no further key doubled."""
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
