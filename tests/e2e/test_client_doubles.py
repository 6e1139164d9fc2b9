"""Client programs, written from the pages for integrators alone, at the shop's server and through a
platform: their own books are compared with the processor's ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from pos_app.platform_api.receipt_routes import NOBODY
from tests.e2e.shop import Program, Shop, until
from tests.e2e.town import Town, town_of
from tests.integration.platform_api.test_catalogue_snippets import command
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

Books = dict[str, Any]


def books(program: str, *words: object) -> Books:
    """The program's books at its end; it fails where they do not balance."""
    clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / program), *map(str, words)],
        capture_output=True,
        text=True,
        env=clean,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told: Books = json.loads(done.stdout)
    return told


@contextmanager
def line_to(port: int, faults: str) -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, str(PROGRAMS / "bad_line.py"), str(port), faults],
        stdout=subprocess.PIPE,
        text=True,
    ) as line:
        try:
            yield line.stdout.readline().strip()
        finally:
            line.terminate()


def signed(shop: Shop, after: int = 0) -> list[LedgerEntry]:
    return read_entries(shop.ledger_folder)[after:]


def balance(entries: list[LedgerEntry]) -> Decimal:
    return sum(
        (-one.total if one.transaction_type == REFUND else one.total for one in entries), Decimal(0)
    )


def platform_words(town: Town) -> list[str]:
    return [town.client, *town.credentials]


def key_of_sales(town: Town) -> list[str]:
    """Client, key and secret of an API key with which each order is a sale."""
    told = town.asked(
        "POST", "/keys", name="Hotel", scopes=["fiscalization"], eachOrderIsASale=True
    )
    return [town.client, told["id"], told["secret"]]


@dataclass(frozen=True)
class Stay:
    """faults: of the line; late: of the processor; orphans: receipts without a room; silent: fewest
    lost answers."""

    at_once: int = 10
    habit: str = "repeats"
    is_relayed: bool = True
    faults: str = ""
    late: str = ""
    is_sale: bool = False
    patience: float = PATIENT
    orphans: int = 0
    silent: int = 0


WELL, BAD = Stay(is_relayed=False), Stay(faults=BROKEN, patience=BRIEF, silent=LOST + 2)
HUNG_UP = Stay(late="late_answer", patience=IMPATIENT, silent=1)
TAKEN_ONCE = Stay(faults=TAKEN, orphans=LOST_BEHIND)
OWN_SALES = replace(BAD, is_sale=True, orphans=LOST)
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
    "each order a sale, over a line that breaks": OWN_SALES,
}


@pytest.mark.parametrize("name", sampled(STAYS))
def test_a_hotel_without_keys_gets_one_receipt_for_each_room(name: str, shop: Shop) -> None:
    """A repeated order is answered with the receipt of the one that was lost."""
    stay = STAYS[name]
    with ExitStack() as stack:
        place = stack.enter_context(hosted(shop, stay.is_relayed))
        words = place.words
        if stay.is_sale:
            assert place.town is not None
            words = key_of_sales(place.town)
        address = place.address
        if stay.faults:
            line = stack.enter_context(line_to(place.port, stay.faults))
            address = f"{line}{place.path}"
        if stay.late:
            seconds = 0.5 if stay.late == "late_signing" else LATE
            shop.fault(stay.late, seconds=seconds, count=3)
        told = books("hotel.py", address, stay.at_once, stay.patience, stay.habit, *words)
    is_balanced(told, signed(shop))
    assert len(told["orphans"]) == len(told["refunded"]) == stay.orphans
    assert told["silent"] >= stay.silent
    if stay.late == "late_answer":
        assert told["ordered_again"] == []
    if stay.late == "late_signing":  # a joined order has one receipt for two rooms until then
        assert len(told["ordered_again"]) >= 2
    assert stay != WELL or told["sent"] == 1 + ROOMS


@dataclass
class Place:
    """The place that issues receipts: the shop's own server, or a relaying platform."""

    shop: Shop
    server: Program
    town: Town | None = None

    @property
    def port(self) -> int:
        return self.town.ports[0] if self.town else self.shop.port

    @property
    def path(self) -> str:
        return "/v2" if self.town else ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"

    @property
    def words(self) -> list[str]:
        return platform_words(self.town) if self.town else []

    def kill_server(self) -> None:
        self.server.kill()
        self.server = self.shop.server()

    def kill_platform(self) -> None:
        self.town.workers[0].kill()
        self.town.start_worker(0)


@contextmanager
def hosted(shop: Shop, is_relayed: bool) -> Iterator[Place]:
    if not is_relayed:
        shop.processor()
        yield Place(shop, shop.server())
        return
    with town_of(shop) as town:
        until(town.is_connected)
        yield Place(shop, town.server, town)


def is_balanced(told: Books, entries: list[LedgerEntry]) -> None:
    """Every receipt is the offer, a room's, or undone, and the money is that of the rooms."""
    known = [told["offer"], *told["ledger"].values(), *told["orphans"], *told["refunded"]]
    assert sorted(one.number for one in entries) == sorted(known)
    assert len(told["ledger"]) == len(set(told["ledger"].values())) == ROOMS
    assert balance(entries[1:]) == Decimal(told["owed"])


KILLS = 2
DEATHS = {
    "the shop's server": Stay(is_relayed=False),
    "a relayed till": Stay(),
    "the platform": Stay(at_once=2),
    "a relayed till, each order a sale": Stay(is_sale=True),
    "a relayed till, each order a sale, looking up": Stay(is_sale=True, habit="looks-up"),
}


@pytest.mark.long
@pytest.mark.deadline(120)
@pytest.mark.parametrize("killed", DEATHS)
def test_a_hotel_without_keys_gets_one_receipt_for_each_room_over_deaths(
    killed: str, shop: Shop
) -> None:
    """With a key of sales a look-up sells nothing twice, and a repetition is refunded."""
    stay = DEATHS[killed]
    with hosted(shop, stay.is_relayed) as place:
        kill = place.kill_platform if killed == "the platform" else place.kill_server
        words = place.words
        if stay.is_sale:
            assert place.town is not None
            words = key_of_sales(place.town)
        shop.fault("late_signing", seconds=0.15, count=None)  # so that each kill meets orders
        hotel: tuple[Any, ...] = (
            "hotel.py",
            place.address,
            stay.at_once,
            PATIENT,
            stay.habit,
            *words,
        )
        with ThreadPoolExecutor(1) as pool:
            booking = pool.submit(books, *hotel)
            for turn in range(1, KILLS + 1):
                until(lambda least=5 * turn: len(signed(shop)) >= least)  # type: ignore[misc]
                kill()
            told = booking.result()
    is_balanced(told, signed(shop))
    if not stay.is_sale or stay.habit == "looks-up":
        assert told["orphans"] == []
    if stay.is_sale and stay.habit == "looks-up":
        assert told["ordered_again"] == []
    assert told["silent"] + told["doubtful"] >= 1


OPERATIONS = ["sale", "again", "copy", "refund", "refund", "advance", "payment", "close", "close"]
WAIT, TOO_LATE = "5", 7.0
"""Seconds that a program waits for an answer, and after which one comes that is lost so."""


def ran(words: list[str], town: Town, address: str, seconds: int = 60) -> tuple[int, str, str]:
    words = [*words, address, town.client, *town.credentials, str(seconds), WAIT]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.deadline(240)
@pytest.mark.parametrize("name", ["operations.mjs", "operations.php", "Operations.cs"])
def test_all_operations_at_the_shop_and_through_the_platform(
    name: str, shop: Shop, tmp_path: Path
) -> None:
    words = command(name, tmp_path)
    with town_of(shop) as town:
        town.connected()
        for address in (shop.url, town.url(0)):
            before = len(town.signed)
            shop.fault("late_answer", seconds=TOO_LATE)
            status, printed, errors = ran(words, town, address)
            assert (status, errors) == (0, "looked up\n"), (address, printed, errors)
            told = [line.split() for line in printed.splitlines()]
            assert [operation for operation, _ in told] == OPERATIONS
            numbers = [number for operation, number in told if operation != "again"]
            assert town.signed[before:] == numbers
        town.server.kill()
        until(lambda: town.post(None).json()["code"] == 40080001)
        status, printed, errors = ran(words, town, town.url(0), seconds=2)
        assert (status, printed, errors) == (2, "", f"40080001 wait: {NOBODY}\n")
