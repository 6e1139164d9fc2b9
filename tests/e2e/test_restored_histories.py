"""Random histories of a shop: no sale is signed twice, no signed one is denied, and after a
manager's answers each has its one receipt."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pos_app.domain.receipt.receipt_identity import receipt_id
from tests.e2e import audit, restored
from tests.e2e.shop import Program, Shop, opened, until
from tests.proofs import Proof

STEPS, FEW = 60, 30
"""FEW: those of `make test`."""
WEIGHTS = {
    "sell_a_new_one": 12,
    "sell_again": 6,
    "look": 4,
    "suffer": 4,
    "copy": 3,
    "put_the_journal_back": 2,
    "put_the_folder_back": 2,
    "kill": 2,
    "ask_the_manager": 2,
    "renew_the_card": 1,
}
FAULTS: list[dict[str, Any]] = [
    {"kind": "drop"},
    {"kind": "sign_then_drop"},
    {"kind": "drop_then_sign", "seconds": 0.2},
    {"kind": "late_answer", "seconds": 0.3},
    {"kind": "cut"},
    {"kind": "refuse", "code": "1500"},
    {"kind": "html_500", "signed": True},
]


class Life:
    """One shop; its server is another process after each stop."""

    def __init__(self, shop: Shop, chance: Random, folder: Path) -> None:
        self.asker = restored.Asker(shop)
        self.done: list[str] = []
        self.numbers: list[int] = []
        self._shop, self._chance, self._folder = shop, chance, folder
        self._copies: list[tuple[int, Path]] = []
        self._cards = 0
        shop.processor()
        self._server = self._started()

    def _started(self) -> Program:
        server = self._shop.server()
        assert not server.is_over, server.errors()
        return server

    def step(self) -> None:
        (act,) = self._chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        self.done.append(act)
        getattr(self, act)()

    def sell_a_new_one(self) -> None:
        self.numbers.append(len(self.numbers) + 1)
        self._sell(self.numbers[-1])

    def sell_again(self) -> None:
        if self.numbers:
            self._sell(self._chance.choice(self.numbers))

    def look(self) -> None:
        if self.numbers:
            number = self._chance.choice(self.numbers)
            self._checked(number, self.asker.look(number))

    def suffer(self) -> None:
        fault = dict(self._chance.choice(FAULTS))
        self._shop.fault(fault.pop("kind"), **fault)

    def copy(self) -> None:
        """Copy a journal that knows its processor's counter: an empty one can't tell its loss."""
        self._shop.control("DELETE", "/faults")
        self.numbers.append(len(self.numbers) + 1)
        if self._sell(self.numbers[-1]).number is None:
            return
        self._server.stop()
        target = self._folder / str(len(self._copies))
        self._copies.append((self._cards, restored.copied(self._shop.data, target)))
        self._server = self._started()

    def put_the_journal_back(self) -> None:
        self._put_back("journal", [copy for _, copy in self._copies])

    def put_the_folder_back(self) -> None:
        """Only an element's own counter shows the loss."""
        self._put_back(".", [copy for cards, copy in self._copies if cards == self._cards])

    def _put_back(self, what: str, copies: list[Path]) -> None:
        if copies:
            self._server.stop()
            restored.copied(self._chance.choice(copies) / what, self._shop.data / what)
            self._server = self._started()

    def kill(self) -> None:
        self._server.kill()
        self._server = self._started()

    def renew_the_card(self) -> None:
        """Wait for the comparison: nothing reveals a restore before the card's next renewal."""
        until(self._is_compared)
        self._shop.control("POST", "/element/replace", {})
        self._cards += 1

    def ask_the_manager(self) -> None:
        """The manager knows all papers, has every sale asked for again, and closes the rest."""
        self._shop.control("DELETE", "/faults")
        for number in self.numbers:
            until(partial(self._is_ended, number))
        for alarm in self.asker.status()["alarms"]:
            self.asker.as_manager(f"/till/alarms/{alarm['id']}/seen")
        if self.asker.status()["restored"]:
            assert self.asker.as_manager("/till/restored/close").status == 200

    def _sell(self, number: int) -> restored.Told:
        return self._checked(number, self.asker.sell(number))

    def _checked(self, number: int, told: restored.Told) -> restored.Told:
        signed = [one.number for one in self._papers(number)]
        all_that_was = number, signed, told.status, told.number, " ".join(self.done)
        assert len(signed) <= 1, all_that_was
        if told.number is not None:
            assert signed == [told.number], all_that_was
        elif told.members.get("class") == "fix":  # the others say: the same key again
            assert not signed, all_that_was
        return told

    def _papers(self, number: int) -> list[Any]:
        name = self.asker.name_of(number)
        return [one for one in audit.ledger(self._shop) if one.request_id == name]

    def _is_ended(self, number: int) -> bool:
        self._accept_card()
        if self._sell(number).number:
            return True
        self._decide(number)
        return False

    def _is_compared(self) -> bool:
        """Tell whether it has compared, or waits for a manager to accept a card."""
        unknown = self.asker.look(10_000).members.get("state")
        is_offered = self.asker.status()["processor"].get("offered") is not None
        return is_offered or unknown != "not_compared"

    def _accept_card(self) -> None:
        if offered := self.asker.status()["processor"].get("offered"):
            self.asker.as_manager("/till/element", uid=offered["uid"])

    def _decide(self, number: int) -> None:
        asked = receipt_id(origin="local", key=restored.key(number))
        doubts = self.asker.ask("GET", "/till/doubts", None, self.asker.till()).members
        if any(one["state"] == "needs_human" and one["receiptId"] == asked for one in doubts):
            if papers := self._papers(number):
                self.asker.decides(number, "found", verificationUrl=audit.url_of(papers[0]))
            else:
                self.asker.decides(number, "absent")


@pytest.mark.faults
def test_random_lives_with_restores(
    tmp_path: Path, catalogue: Path, nursery: Path, times: int, proof: Proof
) -> None:
    for number in range(max(1, times // 50)):
        with opened(tmp_path / f"shop {number}", catalogue, nursery) as shop:
            life = Life(shop, Random(number), tmp_path / f"copies {number}")
            for _ in range(STEPS if times > 50 else FEW):
                life.step()
            life.ask_the_manager()
            for sale in life.numbers:
                proof.count(signed=life.asker.signed(sale))
    assert (proof.lost, proof.doubled) == (0, 0)
