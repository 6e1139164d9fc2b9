"""Foreign programs, written from the pages for integrators alone, at the shop's server and through
a platform: what they were told is compared with the processor's ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from pos_app.platform_api.receipt_routes import NOBODY
from tests.e2e.shop import Shop, until
from tests.e2e.town import Town, town_of
from tests.integration.platform_api.test_catalogue_snippets import command
from tests.sweep import sampled

PROGRAMS = Path(__file__).parent / "client_doubles" / "programs"
REFUND = 1
ROOMS = 20
AT_ONCE = 10
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


def balance(entries: list[LedgerEntry]) -> Decimal:
    return sum(
        (-one.total if one.transaction_type == REFUND else one.total for one in entries), Decimal(0)
    )


@dataclass(frozen=True)
class Stay:
    """faults: of the line; is_late: the processor; orphans: receipts without a room; silent: fewest
    lost answers."""

    is_relayed: bool = True
    faults: str = ""
    is_late: bool = False
    is_sale: bool = False
    patience: float = PATIENT
    orphans: int = 0
    silent: int = 0


WELL, BAD = Stay(is_relayed=False), Stay(faults=BROKEN, patience=BRIEF, silent=LOST + 2)
STAYS = {
    "over a line that breaks": BAD,
    "over such a line to the shop": replace(BAD, is_relayed=False),
    "orders of one price at the shop, each a sale": WELL,
    "hanging up on a late processor": Stay(is_late=True, patience=IMPATIENT, silent=1),
    "answers taken on the way": Stay(faults=TAKEN, is_sale=True, orphans=LOST_BEHIND),
    "each order a sale, over a line that breaks": replace(BAD, is_sale=True, orphans=LOST),
}


@contextmanager
def hosted(shop: Shop, stay: Stay) -> Iterator[tuple[int, str, list[str]]]:
    """The port and path that take orders, and the program's words for a platform."""
    if not stay.is_relayed:
        shop.processor()
        shop.server()
        yield shop.port, "", []
        return
    with town_of(shop) as town:
        until(town.is_connected)
        key = town.credentials
        if stay.is_sale:
            scopes = ["fiscalization"]
            told = town.asked("POST", "/keys", name="H", scopes=scopes, eachOrderIsASale=True)
            key = told["id"], told["secret"]
        yield town.ports[0], "/v2", [town.client, *key]


@pytest.mark.parametrize("name", sampled(STAYS))
def test_a_hotel_without_keys_gets_one_receipt_for_each_room(name: str, shop: Shop) -> None:
    """A repeated order is answered with the receipt of the one that was lost."""
    stay = STAYS[name]
    with ExitStack() as stack:
        port, path, words = stack.enter_context(hosted(shop, stay))
        line = f"http://127.0.0.1:{port}"
        if stay.faults:
            line = stack.enter_context(line_to(port, stay.faults))
        if stay.is_late:
            shop.fault("late_answer", seconds=LATE, count=3)
        given = (AT_ONCE, stay.patience, *words)
        told = books("hotel.py", f"{line}{path}", *given)
    is_balanced(told, read_entries(shop.ledger_folder))
    assert len(told["orphans"]) == len(told["refunded"]) == stay.orphans
    assert told["silent"] >= stay.silent
    assert not (stay.is_late and told["ordered_again"])
    assert stay != WELL or told["sent"] == 1 + ROOMS


def is_balanced(told: Books, entries: list[LedgerEntry]) -> None:
    """Every receipt is the offer, a room's, or undone, and the money is that of the rooms."""
    known = [told["offer"], *told["ledger"].values(), *told["orphans"], *told["refunded"]]
    assert sorted(one.number for one in entries) == sorted(known)
    assert len(told["ledger"]) == len(set(told["ledger"].values())) == ROOMS
    assert balance(entries[1:]) == Decimal(told["owed"])


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
