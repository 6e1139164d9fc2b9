"""Client programs of three kinds, at the shop's own server and through a platform.

They were written from docs/integrators.md alone: an ERP that registers each article before its
first sale, a hotel that sends no key and orders rooms in parallel over a bad connection, a web shop
that rounds unit prices. Each compares its own books with the receipts that it looks up; here the
same books are compared with the processor's ledger.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from tests.e2e.shop import PATIENCE, Program, Shop, opened
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
    """The address of a connection to that port, which breaks as `faults` say."""
    with subprocess.Popen(
        [sys.executable, str(PROGRAMS / "bad_line.py"), str(port), faults],
        stdout=subprocess.PIPE,
        text=True,
    ) as line:
        assert line.stdout is not None
        try:
            yield line.stdout.readline().strip()
        finally:
            line.terminate()


def signed(shop: Shop, after: int = 0) -> list[LedgerEntry]:
    """The receipts that the processor signed, without the first `after`."""
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


# --- the ERP: an article is sold as soon as it was registered ----------------------------------


@pytest.fixture
def empty_shop(tmp_path: Path, nursery: Path) -> Iterator[Shop]:
    """A shop without an article, as the operator's guide makes one."""
    (tmp_path / "none" / "catalogue").mkdir(parents=True)
    with opened(tmp_path / "shop", tmp_path / "none", nursery) as made:
        yield made


@pytest.mark.parametrize("count", [1, pytest.param(40, marks=pytest.mark.long)])
def test_an_erp_sells_what_it_has_just_registered(count: int, empty_shop: Shop) -> None:
    # A server without a till synchronises by itself some seconds after its start, unless another
    # program does so at that moment.
    synchronising = catalogue_file(empty_shop.data).with_name("sync.lock")
    with town_of(empty_shop) as town:
        with FolderLock(synchronising, what="synchronisation"):
            at_platform = [count, town.url(0), *town.credentials, town.url(0), town.client]
            at_shop = [count + 2, town.url(0), *town.credentials, empty_shop.url]
            until_connected(town)
            with ThreadPoolExecutor(2) as pool:
                branches = list(
                    pool.map(lambda name: books("erp.py", name, *at_platform), ["North", "South"])
                )
            branches.append(books("erp.py", "Shop", *at_shop))
        synchronised(empty_shop)
        branches.append(books("erp.py", "Synchronised", *at_shop))

        north, south, before, after = branches
        assert north["registered"] + south["registered"] == count + 2, (north, south)
        assert north["found"] + south["found"] == count + 2
        assert [len(one["refused"]) for one in branches] == [1, 1, 0, 0]
        # Before the synchronisation each sale sends its own article, after it only new ones do.
        assert before["own_articles"] == len(before["receipts"]) == count + 6
        assert after["own_articles"] == 4
        assert (before["registered"], after["registered"]) == (3, 1)
        receipts = {
            number: total
            for one in branches
            for number, total in (one["receipts"] | one["refunds"]).items()
        }
        entries = signed(empty_shop)
        assert {one.number: one.total for one in entries} == {
            number: Decimal(total) for number, total in receipts.items()
        }
        returned = sum(Decimal(total) for one in branches for total in one["refunds"].values())
        assert balance(entries) == sum(Decimal(one["sum"]) for one in branches) - returned
        products = town.ask("GET", "/products").json()
        codes = [one["sku"] for one in products]
        assert len(set(codes)) == len(codes) == count + 2 + len(branches), products


def synchronised(shop: Shop) -> None:
    """Bring the platform's articles into the shop; while its server does so, this waits for it."""
    end = time.monotonic() + PATIENCE
    while (sync := shop.run("-m", "pos_app", "sync", "--data", str(shop.data), name="sync")).wait():
        assert "Another synchronisation is running" in sync.errors(), sync.errors()
        assert time.monotonic() < end


def until_connected(town: Town) -> None:
    """Wait until the platform lists the shop's server; nothing is sold for it."""
    town.server.until(lambda: town.told_to_the_till()[0] == "connected")


# --- the hotel: no key, rooms of one price, several at once, a bad line --------------------------


HABITS = [
    (10, "repeats"),
    pytest.param(2, "repeats", marks=pytest.mark.long),
    pytest.param(2, "looks-up", marks=pytest.mark.long),
    pytest.param(10, "looks-up", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("at_once", "habit"), HABITS)
@pytest.mark.parametrize("is_relayed", sampled([True, False]))
def test_a_hotel_without_keys_gets_one_receipt_for_each_room(
    at_once: int, habit: str, is_relayed: bool, shop: Shop
) -> None:
    """The connection breaks six times after the receipt was signed; the repeated order is answered
    with it."""
    with hosted(shop, is_relayed) as place, line_to(place.port, BROKEN) as line:
        told = books("hotel.py", line + place.path, at_once, BRIEF, habit, *place.words)
    is_balanced(told, signed(shop))
    assert told["orphans"] == []
    assert told["silent"] >= LOST + 2


@pytest.mark.long
def test_at_the_shop_orders_of_one_price_at_once_are_each_a_sale(shop: Shop) -> None:
    with hosted(shop, is_relayed=False) as place:
        told = books("hotel.py", place.address, 10, PATIENT, "repeats")
    is_balanced(told, signed(shop))
    assert (told["sent"], told["orphans"]) == (1 + ROOMS, [])


@pytest.mark.long
@pytest.mark.parametrize("at_once", [2, 10])
@pytest.mark.parametrize("is_relayed", [False, True])
def test_a_hotel_that_hangs_up_on_a_late_processor_gets_one_receipt_for_each_room(
    at_once: int, is_relayed: bool, shop: Shop
) -> None:
    with hosted(shop, is_relayed) as place:
        shop.fault("late_answer", seconds=LATE, count=3)
        told = books("hotel.py", place.address, at_once, IMPATIENT, "repeats", *place.words)
    is_balanced(told, signed(shop))
    assert (told["orphans"], told["ordered_again"]) == ([], [])
    assert told["silent"] >= 1


@dataclass
class Place:
    """The address where receipts are issued: the shop's own server, or a platform that relays to
    it."""

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
        """The further arguments of a caller."""
        return platform_words(self.town) if self.town else []

    def kill_server(self) -> None:
        """Kill the server, and start it again."""
        self.server.kill()
        self.server = self.shop.server()

    def kill_platform(self) -> None:
        """Kill the platform's only worker, and start it again."""
        assert self.town is not None
        self.town.workers[0].kill()
        self.town.start_worker(0)


@contextmanager
def hosted(shop: Shop, is_relayed: bool) -> Iterator[Place]:
    if not is_relayed:
        shop.processor()
        yield Place(shop, shop.server())
        return
    with town_of(shop) as town:
        until_connected(town)
        yield Place(shop, town.server, town)


def is_balanced(told: Books, entries: list[LedgerEntry]) -> None:
    """Every receipt is the offer, a room's, or undone, and the money is that of the rooms."""
    known = [told["offer"], *told["ledger"].values(), *told["orphans"], *told["refunded"]]
    assert sorted(one.number for one in entries) == sorted(known)
    assert len(told["ledger"]) == len(set(told["ledger"].values())) == ROOMS
    assert balance(entries[1:]) == Decimal(told["owed"])


@pytest.mark.long
def test_who_looks_up_a_joined_order_has_one_receipt_for_two_rooms_until_it_orders_again(
    shop: Shop,
) -> None:
    """The `receiptId` of an order that was not signed beside an identical one belongs to the
    other."""
    with town_of(shop) as town:
        until_connected(town)
        shop.fault("late_signing", seconds=0.5, count=3)
        told = books("hotel.py", town.url(0), 10, PATIENT, "looks-up", *platform_words(town))
        is_balanced(told, signed(shop))
        assert len(told["ordered_again"]) >= 2
        assert told["orphans"] == []


@pytest.mark.long
@pytest.mark.parametrize("at_once", [2, 10])
@pytest.mark.parametrize("is_relayed", [False, True])
def test_an_answer_that_was_taken_on_the_way_is_found_by_its_number_and_refunded(
    at_once: int, is_relayed: bool, shop: Shop
) -> None:
    """The platform gets a key of sales, since with another key a 500 may hide the taken receipt."""
    with hosted(shop, is_relayed) as place, line_to(place.port, TAKEN) as line:
        words = key_of_sales(place.town) if place.town else []
        told = books("hotel.py", line + place.path, at_once, PATIENT, "repeats", *words)
    is_balanced(told, signed(shop))
    assert len(told["orphans"]) == len(told["refunded"]) == LOST_BEHIND


@pytest.mark.long
@pytest.mark.parametrize("at_once", [2, 10])
def test_each_order_is_a_sale_and_what_was_lost_is_found_by_its_number_and_refunded(
    at_once: int, shop: Shop
) -> None:
    with town_of(shop) as town:
        until_connected(town)
        words = key_of_sales(town)
        told = books("hotel.py", town.url(0), at_once, PATIENT, "repeats", *words)
        is_balanced(told, signed(shop))
        assert (told["sent"], told["orphans"]) == (1 + ROOMS, [])
        before = len(signed(shop))
        with line_to(town.ports[0], BROKEN) as line:
            told = books("hotel.py", f"{line}/v2", at_once, BRIEF, "repeats", *words)
        is_balanced(told, signed(shop, before))
        assert len(told["orphans"]) == len(told["refunded"]) == LOST


KILLS = 2


@pytest.mark.long
@pytest.mark.deadline(120)
@pytest.mark.parametrize("at_once", [2, 10])
@pytest.mark.parametrize("killed", ["the shop's server", "a relayed till", "the platform"])
def test_a_hotel_without_keys_gets_one_receipt_for_each_room_over_deaths(
    killed: str, at_once: int, shop: Shop
) -> None:
    """The program that answers is killed twice while orders are under way."""
    with hosted(shop, killed != "the shop's server") as place:
        kill = place.kill_platform if killed == "the platform" else place.kill_server
        told = booked_over_deaths(shop, kill, place.address, at_once, "repeats", *place.words)
    is_balanced(told, signed(shop))
    assert told["orphans"] == []
    assert told["silent"] + told["doubtful"] >= 1


@pytest.mark.long
@pytest.mark.deadline(120)
@pytest.mark.parametrize("habit", ["repeats", "looks-up"])
def test_of_a_key_of_sales_the_receipt_id_of_a_doubtful_order_is_its_own(
    habit: str, shop: Shop
) -> None:
    """A program that looks it up sells nothing twice; one that repeats the order refunds its
    finds."""
    with hosted(shop, is_relayed=True) as place:
        assert place.town is not None
        words = key_of_sales(place.town)
        told = booked_over_deaths(shop, place.kill_server, place.address, 10, habit, *words)
    is_balanced(told, signed(shop))
    assert told["doubtful"] >= 1
    if habit == "looks-up":
        assert (told["orphans"], told["ordered_again"]) == ([], [])


def booked_over_deaths(
    shop: Shop, kill: Callable[[], None], address: str, at_once: int, habit: str, *words: str
) -> Books:
    """The hotel's books; the processor is slow, so that each kill meets orders."""
    shop.fault("late_signing", seconds=0.15, count=None)
    with ThreadPoolExecutor(1) as pool:
        booking = pool.submit(books, "hotel.py", address, at_once, PATIENT, habit, *words)
        for turn in range(1, KILLS + 1):
            end = time.monotonic() + PATIENCE
            while len(signed(shop)) < 5 * turn:
                assert time.monotonic() < end, "the hotel does not order"
                time.sleep(0.01)
            kill()
        return booking.result()


# --- the web shop: its totals are its own ------------------------------------------------------

DIFFERENCES = {
    "divided 50 by 7": "-0.02",
    "divided 1.01 by 7": "-0.03",
    "off the cart 129.99": "-0.02",
}
"""In cash a total that is lower than the payment is signed; the rest is change."""
NAMED = ('"payments" ', '"totalAmount" ', '"items[0].quantity" ')


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("is_relayed", sampled([True, False]))
def test_a_shop_that_rounds_gets_receipts_that_balance_to_the_para(
    every: int, is_relayed: bool, shop: Shop
) -> None:
    with hosted(shop, is_relayed) as place:
        for habit in ("trusts", "tells"):
            before = len(signed(shop))
            told = books("web_shop.py", place.address, habit, every, *place.words)
            issued = told["receipts"] | told["refunds"]
            entries = signed(shop, before)
            assert {one.number: one.total for one in entries} == {
                number: Decimal(total) for number, total in issued.items()
            }
            assert balance(entries) == Decimal(told["signed"]) - Decimal(told["given_back"])
            assert told["refunds"], "nothing was taken back"
            assert told["back_refusals"] == []
            said = [message for messages in told["refusals"].values() for message in messages]
            assert said, "nothing was refused"
            assert [message for message in said if not message.startswith(NAMED)] == []
            if habit == "tells":
                assert (told["differences"], told["signed"]) == ({}, told["paid"])
            else:
                assert told["differences"].items() <= DIFFERENCES.items()
                assert every > 1 or told["differences"] == DIFFERENCES
