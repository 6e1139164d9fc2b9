"""Journals, tills and processors that were restored or replaced, with the real programs.

A signed sale is never denied and never signed again; an unknown outcome is asked of a person.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.restored import Asker, copied, key, served, until
from tests.e2e.shop import Shop
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
    """When the doubt ends, the lane gets its counter, which shows the loss: there is an alarm until
    all lost sales were found."""
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


# --- another processor ---------------------------------------------------------------------------


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
    """The folder is restored from before the renewal of the card, whose receipts nobody knows
    here."""
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
