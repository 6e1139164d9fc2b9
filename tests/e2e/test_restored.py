"""Data folders that were restored or cloned: a signed sale is never denied or signed again, also on
two elements. Source: exactly-once.md, "Restores,
replacements, damage"."""

from __future__ import annotations

import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.restored import Asker, cloned, copied, served
from tests.e2e.shop import Shop, until
from tests.fakes.processor_key import give_key
from tests.ports import free_port
from tests.proofs import Proof

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


def signed_since(shop: Shop, before: int) -> Counter[str]:
    return Counter(str(entry.request_id) for entry in read_entries(shop.ledger_folder)[before:])


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
