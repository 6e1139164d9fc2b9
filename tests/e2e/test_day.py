"""A day of a shop by real keys at a real X server: its ledger agrees with the screens."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import apsw
import pytest

from pos_app.pfr_emulator.ledger import LedgerEntry
from tests.e2e import audit, day_of_a_shop
from tests.e2e.day_person import Person
from tests.e2e.shop import Program, Shop
from tests.gui.scanner.x11 import XKeyboard, x_server
from tests.proofs import Proof

pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
)

SEED, RECEIPTS = 24, 300
LIMITS = {
    day_of_a_shop.Kind.REFUND: 4,
    day_of_a_shop.Kind.REFUND_LINE: 6,
    day_of_a_shop.Kind.EXCHANGE: 6,
    day_of_a_shop.Kind.EXCHANGE_BACK: 5,
    day_of_a_shop.Kind.COPY: 3,
    day_of_a_shop.Kind.CORRECT_PAYMENT: 6,
    day_of_a_shop.Kind.PAYMENT: 5,
    day_of_a_shop.Kind.CLOSING: 5,
}
"""The most keys that an act may take; scans and the digits of a buyer do not count."""
NORMAL, PROFORMA, COPY, ADVANCE = 0, 1, 2, 4
FISCAL = (NORMAL, ADVANCE)
PAID_IN_ADVANCE = (
    day_of_a_shop.Kind.ADVANCE,
    day_of_a_shop.Kind.UNKNOWN_ADVANCE,
    day_of_a_shop.Kind.PAY_PROFORMA,
    day_of_a_shop.Kind.PAYMENT,
)
METHODS = {1: "cash", 2: "card"}


@pytest.fixture
def keyboard() -> Iterator[XKeyboard]:
    with x_server(size="1366x768") as server:
        server.layout("rs")
        yield server


@pytest.fixture
def person(shop: Shop, keyboard: XKeyboard) -> Iterator[Person]:
    """A person at a till that keeps its server, as the product does."""
    shop.processor()
    words = ["-m", "tests.e2e.told_till", str(shop.data)]
    env = shop.env() | keyboard.environment()
    till = Program(words, env=env, errors=shop.folder / "till.log", nursery=shop.nursery)
    shop.running.append(till)
    made = Person(shop, till, keyboard)
    made.sit_down()
    yield made
    till.stop()


# --- the ledger ----------------------------------------------------------------------------------


def turnover(entries: list[LedgerEntry]) -> tuple[Decimal, Decimal]:
    fiscal = [one for one in entries if one.invoice_type in FISCAL]
    sales, refunds = (
        sum((one.total for one in fiscal if one.transaction_type == of), Decimal(0))
        for of in (0, 1)
    )
    return sales, refunds


def moved(entries: list[LedgerEntry]) -> dict[str, Decimal]:
    """The net money by method. The refund of a closing moves nothing, and its sale was paid with
    it."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    by_number = {one.number: one for one in entries}
    asked = {one.number: json.loads(one.request) for one in entries}
    closed = _closings(entries)
    for entry in entries:
        if entry.invoice_type not in FISCAL or entry.number in closed.values():
            continue
        sign = -1 if entry.transaction_type else 1
        due = entry.total
        if entry.number in closed:
            due -= by_number[closed[entry.number]].total
        paid = {
            METHODS[one["paymentType"]]: Decimal(str(one["amount"])) for one in _paid(asked, entry)
        }
        change = sum(paid.values(), Decimal(0)) - due
        paid["cash"] = paid.get("cash", Decimal(0)) - change
        for method, amount in paid.items():
            sums[method] += sign * amount
    return dict(sums)


def _paid(asked: dict[str, Any], entry: LedgerEntry) -> list[dict[str, Any]]:
    payments: list[dict[str, Any]] = asked[entry.number]["payment"]
    return payments


def _closings(entries: list[LedgerEntry]) -> dict[str, str]:
    """Sales that close an advance, with the refund that each refers to."""
    kinds = {one.number: (one.invoice_type, one.transaction_type) for one in entries}
    found = {}
    for one in entries:
        referent = json.loads(one.request).get("referentDocumentNumber")
        if (one.invoice_type, one.transaction_type) == (NORMAL, 0) and kinds.get(referent) == (
            ADVANCE,
            1,
        ):
            found[one.number] = str(referent)
    return found


# --- the till's file and the journal -------------------------------------------------------------


def rows(path: Any, sql: str) -> list[Any]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def hand_by_till(shop: Shop) -> Decimal:
    """The cash that the hand took less what it gave, by till.db. The parts of a correction move
    none; those of an exchange have its credit in both."""
    found = rows(
        shop.data / "till" / "till.db",
        "SELECT s.operation, p.tendered, s.change, s.rounding FROM sales AS s"
        " JOIN sale_payments AS p ON p.key = s.key AND p.method = 'cash'"
        " WHERE s.state = 'done' AND s.kind <> 'proforma' AND (s.is_exchange OR s.follows IS NULL"
        " AND s.key NOT IN (SELECT follows FROM sales WHERE follows IS NOT NULL))",
    )
    hand = 0
    for operation, tendered, change, rounding in found:
        hand += rounding - tendered if operation == "refund" else tendered - change
    return Decimal(hand) / 100


def ended(shop: Shop) -> dict[str, str]:
    """Key and number of the sales that the till confirmed; none is open."""
    found = rows(shop.data / "till" / "till.db", "SELECT key, state, fiscal_number FROM sales")
    assert {state for _, state, _ in found} <= {"done", "cancelled"}
    return {key: number for key, state, number in found if state == "done"}


def assert_once(person: Person) -> None:
    """Each act is one sale of the till, one command of the journal, and its receipts; there is no
    other."""
    shop, entries = person.shop, audit.ledger(person.shop)
    assert len({one.number for one in entries}) == len(entries)
    done = ended(shop)
    told = Counter(number for said in person.said for number in said.numbers)
    assert not told - Counter(done.values()), "a screen told what the till does not have, or twice"
    queued = sum(not said.numbers for said in person.said)
    assert len(done) == told.total() + queued
    signed = rows(
        shop.data / "journal" / "journal.db",
        "SELECT c.key, r.pfr_request_id, w.number FROM commands AS c"
        " JOIN requests AS r ON r.command_id = c.id AND r.state = 'signed'"
        " JOIN receipts AS w ON w.request_id = r.id",
    )
    by_journal = Counter((request, number) for _, request, number in signed)
    assert by_journal == Counter((one.request_id, one.number) for one in entries)
    assert {key for key, *_ in signed} == set(done)


def assert_sums(person: Person) -> None:
    """The screens' amounts act by act, F7's line, the ledger and the till's file agree to the
    para."""
    said, entries = person.said, audit.ledger(person.shop)
    sales, refunds = turnover(entries)
    assert (
        sum(
            (one.sold for one in said if one.act.kind is not day_of_a_shop.Kind.PROFORMA),
            Decimal(0),
        )
        == sales
    )
    assert sum((one.back for one in said), Decimal(0)) == refunds
    by_method: dict[str, Decimal] = defaultdict(Decimal)
    for one in said:
        for method, amount in one.by_method.items():
            by_method[method] += amount
    assert dict(by_method) == moved(entries)
    assert sum((one.cash for one in said), Decimal(0)) == hand_by_till(person.shop)
    person.press("F7")
    seen = person.until(
        lambda seen: (
            seen.top == "receipts"
            and any(f", {len(entries)} " in one for one in seen.all("ElidedLabel", "Промет данас"))
        )
    )
    assert seen.amount("Label", "продаја ") == sales
    assert -seen.amount("Label", "рефундације ") == refunds
    assert seen.amount("AmountLabel", "Промет ") == sales - refunds


def assert_counts(person: Person) -> None:
    """The documents of each type are those of the acts."""
    done = [one.act for one in person.said]
    types = Counter((one.invoice_type, one.transaction_type) for one in audit.ledger(person.shop))
    pairs = day_of_a_shop.many(done, *day_of_a_shop.CORRECTIONS, *day_of_a_shop.EXCHANGES)
    closings = day_of_a_shop.many(
        done, day_of_a_shop.Kind.CLOSING, day_of_a_shop.Kind.CLOSE_ELSEWHERE
    )
    assert (
        types[NORMAL, 0]
        == day_of_a_shop.many(done, day_of_a_shop.Kind.SALE, day_of_a_shop.Kind.SELL_PROFORMA)
        + pairs
        + closings
    )
    advances_back = day_of_a_shop.many(done, day_of_a_shop.Kind.REFUND_ADVANCE)
    assert (
        types[NORMAL, 1] == day_of_a_shop.many(done, *day_of_a_shop.REFUNDS) - advances_back + pairs
    )
    assert types[ADVANCE, 0] == day_of_a_shop.many(done, *PAID_IN_ADVANCE)
    assert types[ADVANCE, 1] == advances_back + closings
    assert types[PROFORMA, 0] == day_of_a_shop.many(done, day_of_a_shop.Kind.PROFORMA)
    assert types[COPY, 0] == day_of_a_shop.many(done, day_of_a_shop.Kind.COPY)


def play(person: Person, planned: list[day_of_a_shop.Act]) -> None:
    for act in planned:
        person.do(act)
    assert person.kills == sum(act.trouble is day_of_a_shop.Trouble.KILL for act in planned)
    for kind, counted in sorted(person.presses.items()):
        sys.stdout.write(f"{kind}: {min(counted)} presses, {counted.total()} times\n")
    assert_once(person)
    assert_counts(person)
    assert_sums(person)
    over = {
        kind: person.presses[kind]
        for kind, most in LIMITS.items()
        if kind in person.presses and min(person.presses[kind]) > most
    }
    assert not over


def test_some_acts_of_a_day(person: Person) -> None:
    play(person, day_of_a_shop.short())


@pytest.mark.long
def test_a_day_of_a_shop(person: Person, proof: Proof) -> None:
    play(person, day_of_a_shop.acts(day_of_a_shop.WHOLE, SEED))
    signed = Counter(one.number for one in audit.ledger(person.shop))
    assert signed.total() >= RECEIPTS
    for number in ended(person.shop).values():
        proof.count(signed=signed[number])
