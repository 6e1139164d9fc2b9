"""Journals, tills and processors that were restored, replaced or cloned, with the real programs.

A signed sale is never denied and never signed again; an unknown outcome is asked of a person.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e import other_machine
from tests.e2e.restored import Asker, Told, cloned, copied, key
from tests.e2e.shop import Shop
from tests.fakes.processor_key import give_key
from tests.ports import free_ports
from tests.proofs import Proof
from tests.sweep import sampled

pytestmark = pytest.mark.faults
BEFORE, SINCE = (1, 2), (3, 4, 5)
"""Sales before the copy was made, and after it."""


@pytest.fixture
def asker(shop: Shop) -> Asker:
    shop.processor()
    return Asker(shop)


def served(shop: Shop, act: Callable[[], None]) -> None:
    """Do it while the server runs, which ends afterwards as a service does."""
    server = shop.server()
    assert not server.is_over, server.errors()
    try:
        act()
    finally:
        server.stop()


def sold(asker: Asker, *numbers: int) -> None:
    for number in numbers:
        told = asker.sell(number)
        assert told.number, told


def is_found(asker: Asker, proof: Proof, *numbers: int) -> None:
    """A sale that was signed after the copy is not denied, and its key gives its one receipt."""
    for number in numbers:
        looked = compared(asker, number)
        assert (looked.status, looked.members.get("state")) in ((202, "restored"), (200, None))
        told = asker.sell(number)
        assert told.number, told
        assert asker.look(number).number == told.number
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


def compared(asker: Asker, number: int) -> Told:
    """The look-up once the server has asked its processor."""
    until(lambda: asker.look(number).members.get("state") != "not_compared")
    return asker.look(number)


def is_marked(asker: Asker, *why: str) -> None:
    restored = asker.status()["restored"]
    assert restored is not None
    assert restored["why"] in why


def test_an_older_journal_is_put_back(asker: Asker, tmp_path: Path, proof: Proof) -> None:
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    copy = copied(shop.data / "journal", tmp_path / "copy")
    served(shop, lambda: sold(asker, *SINCE))
    copied(copy, shop.data / "journal")

    def look() -> None:
        is_marked(asker, "server_witness")
        is_found(asker, proof, *SINCE, *BEFORE)
        new = asker.sell(9)
        assert (new.status, new.members["class"]) == (500, "unknown")
        assert asker.signed(9) == 0
        doubt = new.members["receiptId"]
        said = asker.as_manager(f"/till/doubts/{doubt}/absent")
        assert said.members == {"state": "released"}
        assert asker.as_manager("/till/restored/close").status == 200
        assert asker.sell(9).number
        proof.count(signed=asker.signed(9))

    served(shop, look)


def test_the_journal_is_deleted(asker: Asker, proof: Proof) -> None:
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    shutil.rmtree(shop.data / "journal")
    served(shop, lambda: (is_marked(asker, "server_witness"), is_found(asker, proof, *BEFORE))[0])


def test_the_whole_folder_is_put_back(asker: Asker, tmp_path: Path, proof: Proof) -> None:
    """Only the processor remembers: its counter shows the loss."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    copy = copied(shop.data, tmp_path / "copy")
    served(shop, lambda: sold(asker, *SINCE))
    copied(copy, shop.data)

    def look() -> None:
        looked = compared(asker, SINCE[0])
        assert (looked.status, looked.members["state"]) == (202, "restored")
        is_found(asker, proof, *SINCE, *BEFORE)
        is_marked(asker, "processor_holds")

    served(shop, look)


@pytest.mark.long
def test_the_whole_folder_is_put_back_and_the_processor_forgets(
    asker: Asker, tmp_path: Path, proof: Proof
) -> None:
    """It finds its last receipt only: others may be signed although it does not find them."""
    shop = asker.shop
    shop.change(remember="last")
    served(shop, lambda: sold(asker, *BEFORE))
    copy = copied(shop.data, tmp_path / "copy")
    served(shop, lambda: sold(asker, *SINCE))
    copied(copy, shop.data)

    def look() -> None:
        assert compared(asker, SINCE[0]).members["state"] == "restored"
        for number in (*SINCE, *SINCE):
            told = asker.sell(number)
            assert told.number or (told.status, told.members["class"]) == (500, "unknown")
        assert asker.sell(9, as_till=True).number  # a till makes a new key for each sale
        (alarm,) = asker.status()["alarms"]
        assert (alarm["what"], alarm["receipts"]) == ("foreign_traffic", len(SINCE))
        new = asker.sell(10)
        assert (new.status, asker.signed(10)) == (500, 0)
        assert asker.as_manager(f"/till/alarms/{alarm['id']}/seen").status == 200
        sold(asker, 11)
        for number in (*BEFORE, *SINCE, 11):
            proof.count(signed=asker.signed(number))

    served(shop, look)
    assert (proof.lost, proof.doubled) == (0, 0)


@pytest.mark.parametrize("when", sampled(["while_in_doubt", "while_a_person_is_asked"]))
def test_a_folder_with_a_doubt_is_put_back(
    asker: Asker, tmp_path: Path, when: str, proof: Proof
) -> None:
    """When the doubt ends, the lane gets its counter, which shows the loss: there is an alarm until
    all lost sales were found."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    shop.fault("wrong_total", lasting=True)

    def doubt() -> None:
        if when == "while_in_doubt":
            shop.change(unreachable=["lookup"])
        assert asker.sell(8).status == 500
        if when != "while_in_doubt":
            until(lambda: asker.ask("GET", "/till/doubts", None, asker.till()).members)

    served(shop, doubt)
    copy = copied(shop.data, tmp_path / "copy")
    shop.change(unreachable=[])
    shop.control("DELETE", "/faults")

    def go_on() -> None:
        until(lambda: asker.sell(SINCE[0]).number)
        sold(asker, *SINCE[1:])

    served(shop, go_on)
    copied(copy, shop.data)

    def look() -> None:
        until(lambda: asker.sell(9, as_till=True).number)
        is_found(asker, proof, *SINCE, *BEFORE)
        assert asker.status()["alarms"] == []
        is_marked(asker, "processor_holds")

    served(shop, look)


def test_a_refusal_denies_nothing_of_a_lost_past(asker: Asker, tmp_path: Path) -> None:
    """The article of a sale is younger than the copy, or the card wants its PIN again."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    copy = copied(shop.data, tmp_path / "copy")
    served(shop, lambda: sold(asker, *SINCE))
    copied(copy, shop.data)
    (shop.data / "catalogue" / "catalogue.db").unlink()

    def look() -> None:
        compared(asker, SINCE[0])
        refused = asker.sell(SINCE[0])
        assert (refused.status, refused.members["class"]) == (500, "unknown")
        assert "does not exist" in refused.members["message"]
        broken = asker.ask("POST", "/fiscalization/receipts", {"items": 3}, {})
        assert (broken.status, broken.members["class"]) == (400, "fix")

    served(shop, look)


def test_a_restored_journal_is_filled_by_others(asker: Asker, tmp_path: Path, proof: Proof) -> None:
    """It has again as many rows as its witnesses remember, and other ones."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    copy = copied(shop.data / "journal", tmp_path / "copy")
    served(shop, lambda: sold(asker, *SINCE))
    remembered = dict[str, object]()

    def remember() -> None:
        remembered.update(asker.ask("GET", "/health", None, {}).members["journal"])

    served(shop, remember)
    copied(copy, shop.data / "journal")
    (shop.data / "witness.json").unlink()

    def look() -> None:
        sold(asker, *(number + 10 for number in SINCE))
        told = asker.ask("POST", "/till/witness", {"journal": remembered}, asker.till())
        assert told.members["journal"]["rows"] >= remembered["rows"]
        assert told.members["agrees"] is False
        assert told.members["epoch"]
        is_found(asker, proof, *SINCE)

    served(shop, look)


def test_the_folder_runs_on_another_computer(asker: Asker, tmp_path: Path, proof: Proof) -> None:
    """A copy of the folder beside the original, on the same element."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    witness = shop.data / "witness.json"
    text = witness.read_text()
    if '"machine": ""' in text:
        pytest.skip("this machine has no name of its own")
    here = text.rpartition('"machine": "')[2].partition('"')[0]
    witness.write_text(text.replace(here, "0" * len(here)))
    served(shop, lambda: (is_marked(asker, "other_machine"), is_found(asker, proof, *BEFORE))[0])


@pytest.mark.long
@pytest.mark.skipif(not other_machine.can_be_shown(), reason="needs root, unshare, a machine-id")
def test_a_clone_runs_on_another_computer(asker: Asker, proof: Proof) -> None:
    """The original sold on after it was copied; the clone sees another name of the machine."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    (port,) = free_ports(1)
    clone = cloned(shop, port=port)
    served(shop, lambda: sold(asker, *SINCE))
    words = ("server", "--data", str(clone.shop.data))
    # A fork could not become another program.
    program = shop.run("-m", "tests.e2e.other_machine", *words, name="clone", is_real=True)
    program.until(lambda: program.lines("http"))
    is_marked(clone, "other_machine")
    is_found(clone, proof, *SINCE, *BEFORE)
    new = clone.sell(9)
    assert (new.status, new.members["class"]) == (500, "unknown")
    assert clone.as_manager("/till/restored/close").status == 200
    assert asker.signed(9) == 0


def test_a_folder_and_its_clone_run_at_once(asker: Asker, proof: Proof) -> None:
    """Each looks up the sales that the other signed before it sends them: no mark shows the
    clone."""
    shop = asker.shop
    served(shop, lambda: sold(asker, *BEFORE))
    (port,) = free_ports(1)
    clone = cloned(shop, port=port)

    def both() -> None:
        sold(asker, 3)
        sold(clone, 4)
        told = [one.sell(4 if one is asker else 3) for one in (asker, clone)]
        assert [one.number for one in told] == [clone.sell(4).number, asker.sell(3).number]

    served(shop, lambda: served(clone.shop, both))
    for number in (*BEFORE, 3, 4):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)


@pytest.fixture
def other(shop: Shop) -> tuple[int, Path]:
    """Another processor with a secure element of its own: its port and ledger's folder."""
    (port,) = free_ports(1)
    folder = shop.folder / "other-pfr"
    give_key(folder / "processor")
    program = shop.run(
        *("-m", "pos_app", "processor", "--data", str(folder), "--port", str(port)), name="other"
    )
    program.until(lambda: program.lines("http"))
    return port, folder / "processor"


def test_a_new_element_is_accepted_by_a_manager(
    asker: Asker, other: tuple[int, Path], proof: Proof
) -> None:
    """A doubt that began on the first one ends there, and is never sent to the other."""
    shop, (port, ledger) = asker.shop, other
    served(shop, lambda: sold(asker, *BEFORE))

    def doubt() -> None:
        shop.change(unreachable=["lookup"])
        shop.fault("sign_then_drop")
        assert asker.sell(3).status == 500

    served(shop, doubt)
    shop.processor_port, first = port, shop.processor_port

    def change() -> None:
        refused = asker.sell(4)
        assert (refused.status, refused.members["class"]) == (
            500,
            "unknown",
        )  # nothing was compared
        shop.change(unreachable=[])
        until(lambda: asker.look(3).number)
        refused = asker.sell(4)
        assert (refused.status, refused.members["class"]) == (400, "cure")
        offered = asker.status()["processor"]["offered"]
        assert asker.as_manager("/till/element", uid="WRONG000").status == 409
        assert asker.as_manager("/till/element", uid=offered["uid"]).status == 200
        sold(asker, 4)

    served(shop, change)
    assert first != port
    for number, where in ((3, None), (4, ledger)):
        proof.count(signed=asker.signed(number, folder=where))
    assert (asker.signed(3, folder=ledger), asker.signed(4)) == (0, 0)
    assert (proof.lost, proof.doubled) == (0, 0)


def test_an_accepted_element_that_has_signed_is_told(
    asker: Asker, other: tuple[int, Path], tmp_path: Path, proof: Proof
) -> None:
    """The folder is restored from before the renewal of the card, whose receipts nobody knows
    here."""
    shop, (port, ledger) = asker.shop, other
    served(shop, lambda: sold(asker, *BEFORE))
    copy = copied(shop.data, tmp_path / "copy")
    shop.processor_port = port

    def accept() -> None:
        until(lambda: asker.status()["processor"].get("offered"))
        uid = asker.status()["processor"]["offered"]["uid"]
        assert asker.as_manager("/till/element", uid=uid).status == 200

    served(shop, lambda: (accept(), sold(asker, *SINCE))[0])
    copied(copy, shop.data)

    def look() -> None:
        accept()
        until(lambda: asker.status()["alarms"])
        assert asker.look(SINCE[0]).members["state"] == "restored"
        for number in SINCE:
            asker.sell(number)
            proof.count(signed=asker.signed(number, folder=ledger))

    served(shop, look)
    assert (proof.lost, proof.doubled) == (0, 0)


def test_a_doubt_whose_processor_is_gone_is_a_persons(
    shop: Shop, other: tuple[int, Path], proof: Proof
) -> None:
    gone, asker = shop.processor(), Asker(shop)
    served(shop, lambda: sold(asker, *BEFORE))

    def doubt() -> None:
        shop.change(unreachable=["lookup"])
        shop.fault("drop")
        assert asker.sell(3).status == 500

    served(shop, doubt)
    gone.stop()
    shop.processor_port = other[0]

    def change() -> None:
        until(lambda: asker.status()["processor"].get("offered"))
        uid = asker.status()["processor"]["offered"]["uid"]
        assert asker.as_manager("/till/element", uid=uid).status == 200
        sold(asker, 4)
        assert asker.look(3).status == 202
        told = asker.ask("GET", "/till/doubts", None, asker.till()).members
        (one,) = [each for each in told if each["key"] == key(3)]
        assert one["counterNow"] is None  # nobody knows that of the removed card
        said = asker.as_manager(f"/till/doubts/{one['receiptId']}/absent")
        assert said.members == {"state": "released"}
        sold(asker, 3)

    served(shop, change)
    proof.count(signed=asker.signed(3) + asker.signed(3, folder=other[1]))
    assert (proof.lost, proof.doubled) == (0, 0)


@pytest.mark.long
def test_a_processor_that_was_set_back_gets_nothing(
    shop: Shop, tmp_path: Path, proof: Proof
) -> None:
    running, asker = shop.processor(), Asker(shop)
    served(shop, lambda: sold(asker, *BEFORE))
    running.stop()
    copy = copied(shop.ledger_folder, tmp_path / "ledger")
    running = shop.processor()
    served(shop, lambda: sold(asker, *SINCE))
    running.stop()
    copied(copy, shop.ledger_folder)
    shop.processor()

    def look() -> None:
        refused = asker.sell(9)
        assert (refused.status, refused.members["class"]) == (400, "cure")
        assert "set back" in refused.members["message"]
        status = asker.status()
        assert status["alarms"] == []
        assert "set back" in status["processor"]["words"]
        for number in (*BEFORE, *SINCE):
            assert asker.look(number).number
        assert asker.signed(9) == 0
        proof.tried += 1

    served(shop, look)


def until(reached: Callable[[], object], *, seconds: float = 20.0) -> None:
    """Repeat until the condition holds."""
    end, pause = time.monotonic() + seconds, threading.Event()
    while not reached():
        assert time.monotonic() < end, "it does not come"
        pause.wait(0.05)
