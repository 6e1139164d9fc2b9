"""A hotel's program, at the shop's own server and through a platform.

It was written from docs/integrators.md alone: it sends no key, and orders rooms in parallel over a
bad connection. It compares its own books with the receipts that it looks up; here the same books
are compared with the processor's ledger.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from tests.e2e.shop import PATIENCE, Program, Shop
from tests.e2e.town import Town, town_of
from tests.sweep import sampled

PROGRAMS = Path(__file__).parent / "client_doubles" / "programs"
REFUND = 1
ROOMS = 20
BROKEN = "good cut half good cut good silent good half cut silent good good cut"
"""Six answers are lost after the receipt was signed, two orders before they had arrived whole."""
LOST = 6
TAKEN = "good taken good half good taken"
"""A proxy takes two answers and loses them."""
LOST_BEHIND = 2
LATE = 1.2
PATIENT, BRIEF, IMPATIENT = 25.0, 1.2, 0.8
KILLS = 2

Books = dict[str, Any]


def books(*words: object) -> Books:
    """The hotel's books at its end; it fails where they do not balance."""
    clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    command = [sys.executable, str(PROGRAMS / "hotel.py"), *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=clean, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told: Books = json.loads(done.stdout)
    return told


@contextmanager
def line_to(port: int, faults: str) -> Iterator[str]:
    """The address of a connection to that port, which breaks as `faults` say."""
    command = [sys.executable, str(PROGRAMS / "bad_line.py"), str(port), faults]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as line:
        assert line.stdout is not None
        try:
            yield line.stdout.readline().strip()
        finally:
            line.terminate()


def signed(shop: Shop) -> list[LedgerEntry]:
    return read_entries(shop.ledger_folder)


@dataclass
class Place:
    """The address where receipts are issued: the shop's own server, or a platform that relays to
    it. words: the further arguments of a caller."""

    shop: Shop
    server: Program
    town: Town | None
    words: list[str]

    @property
    def port(self) -> int:
        return self.town.ports[0] if self.town else self.shop.port

    @property
    def path(self) -> str:
        return "/v2" if self.town else ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"

    def kill(self, victim: str) -> None:
        """Kill the server, or the platform's only worker, and start it again."""
        if victim == "platform":
            assert self.town is not None
            self.town.workers[0].kill()
            self.town.start_worker(0)
        else:
            self.server.kill()
            self.server = self.shop.server()


@contextmanager
def hosted(shop: Shop, stay: Stay) -> Iterator[Place]:
    if not stay.is_relayed:
        shop.processor()
        yield Place(shop, shop.server(), None, [])
        return
    with town_of(shop) as town:
        town.server.until(lambda: town.told_to_the_till()[0] == "connected")
        words = list(town.credentials)
        if stay.is_sale:
            terms: dict[str, Any] = {"scopes": ["fiscalization"], "eachOrderIsASale": True}
            key = town.asked("POST", "/keys", name="Hotel", **terms)
            words = [key["id"], key["secret"]]
        yield Place(shop, town.server, town, [town.client, *words])


def is_balanced(told: Books, entries: list[LedgerEntry]) -> None:
    """Every receipt is the offer, a room's, or undone, and the money is that of the rooms."""
    known = [told["offer"], *told["ledger"].values(), *told["orphans"], *told["refunded"]]
    assert sorted(one.number for one in entries) == sorted(known)
    assert len(told["ledger"]) == len(set(told["ledger"].values())) == ROOMS
    signs = [-1 if one.transaction_type == REFUND else 1 for one in entries]
    balance = sum(sign * one.total for sign, one in zip(signs[1:], entries[1:], strict=True))
    assert balance == Decimal(told["owed"])


@dataclass(frozen=True)
class Stay:
    """A group that a hotel books. faults: of the line; late: of the processor; killed: the program
    that is killed twice meanwhile. is_sale: each order is a sale, by a key of the platform that
    says so. orphans: receipts that no room was given, and that are refunded. silent: the fewest
    answers that do not come."""

    at_once: int = 10
    habit: str = "repeats"
    is_relayed: bool = True
    faults: str = ""
    late: str = ""
    killed: str = ""
    is_sale: bool = False
    patience: float = PATIENT
    orphans: int = 0
    silent: int = 0


WELL, BAD = Stay(is_relayed=False), Stay(faults=BROKEN, patience=BRIEF, silent=LOST + 2)
HUNG_UP = Stay(late="late_answer", patience=IMPATIENT, silent=1)
TAKEN_ONCE = Stay(faults=TAKEN, orphans=LOST_BEHIND)
KILLED = Stay(killed="server", late="slow")
STAYS = {
    "over a line that breaks": BAD,
    "over such a line, two at once": replace(BAD, at_once=2),
    "over such a line, looking up": replace(BAD, habit="looks-up"),
    "over such a line to the shop": replace(BAD, is_relayed=False),
    "orders of one price at the shop, each a sale": WELL,
    "hanging up on a late processor": HUNG_UP,
    "hanging up on a late processor at the shop": replace(HUNG_UP, at_once=2, is_relayed=False),
    "looking up what was joined": Stay(habit="looks-up", late="late_signing"),
    "answers taken on the way": replace(TAKEN_ONCE, is_sale=True),
    "answers taken on the way at the shop": replace(TAKEN_ONCE, is_relayed=False, at_once=2),
    "each order a sale, over a line that breaks": replace(BAD, is_sale=True, orphans=LOST),
    "over deaths of the shop's server": replace(KILLED, is_relayed=False),
    "over deaths of a relayed till": KILLED,
    "over deaths of the platform": replace(KILLED, killed="platform", at_once=2),
    "each order a sale, over deaths of a relayed till": replace(KILLED, is_sale=True),
    "such sales, looking up": replace(KILLED, is_sale=True, habit="looks-up"),
}
SECONDS = {"late_answer": (LATE, 3), "late_signing": (0.5, 3), "slow": (0.15, None)}
"""How late the processor is, and how often."""


@pytest.mark.deadline(120)
@pytest.mark.parametrize("name", sampled(STAYS))
def test_a_hotel_without_keys_gets_one_receipt_for_each_room(name: str, shop: Shop) -> None:
    """A repeated order is answered with the receipt of the one that was lost. Of a key of sales the
    `receiptId` of a doubtful order is its own: who looks it up sells nothing twice, and who repeats
    the order refunds its finds."""
    stay = STAYS[name]
    with ExitStack() as stack:
        place = stack.enter_context(hosted(shop, stay))
        address = place.address
        if stay.faults:
            address = f"{stack.enter_context(line_to(place.port, stay.faults))}{place.path}"
        if stay.late:
            seconds, count = SECONDS[stay.late]
            kind = "late_answer" if stay.late == "late_answer" else "late_signing"
            shop.fault(kind, seconds=seconds, count=count)
        booking = stack.enter_context(ThreadPoolExecutor(1)).submit(
            books, address, stay.at_once, stay.patience, stay.habit, *place.words
        )
        for turn in range(1, 1 + KILLS if stay.killed else 1):
            end = time.monotonic() + PATIENCE
            while len(signed(shop)) < 5 * turn:
                assert time.monotonic() < end, "the hotel does not order"
                time.sleep(0.01)
            place.kill(stay.killed)
        told = booking.result()
    is_balanced(told, signed(shop))
    assert len(told["orphans"]) == len(told["refunded"])
    if not (stay.killed and stay.is_sale and stay.habit == "repeats"):
        assert len(told["orphans"]) == stay.orphans
    assert told["silent"] >= stay.silent
    if stay.late == "late_answer" or (stay.killed and stay.is_sale and stay.habit == "looks-up"):
        assert told["ordered_again"] == []
    if stay.late == "late_signing":  # a joined order has one receipt for two rooms until then
        assert len(told["ordered_again"]) >= 2
    assert not stay.killed or told["silent"] + told["doubtful"] >= 1
    assert stay != WELL or told["sent"] == 1 + ROOMS
