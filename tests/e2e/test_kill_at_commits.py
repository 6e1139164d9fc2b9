"""SIGKILL before and after every commit of till, server and processor: while sales go on, the till
acts on receipts, a pair is ended or cancelled, a number is typed."""

from __future__ import annotations

import itertools
import json
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from decimal import Decimal
from functools import partial
from typing import Any

import apsw
import httpx
import pytest

from pos_app.wire.problem import NOT_COMPARED_YET
from tests.e2e import audit
from tests.e2e.acting_till import FIRST, NEXT
from tests.e2e.restored import Asker, Told, copied
from tests.e2e.shop import Program, Shop, sale, until
from tests.proofs import Proof
from tests.sweep import LONG, sampled

Point = tuple[int, str]
ENDLESS = 100_000
COMMITS = {"till": 26, "server": 18, "processor": 5}
"""More than each makes from its start to its third sale (counted: 23, 16, and one a receipt)."""
FILES = {"till": "till.db", "server": "journal.db", "processor": "ledger.db"}
FEW = 10
PARTS = range(2)
"""The parts of each sweep, for two processors: each in a shop of its own."""
ROUND = 30
"""With more than the usual `--times`, each `ROUND` of them sweep every point once."""


def points(commits: int, times: int, part: int) -> list[Point]:
    """A part of the commit points: all many times in `make faults`, some once in `make test`."""
    every = [(n, when) for n in range(1, commits + 1) for when in ("before", "after")]
    if times > 50:
        return every * -(-times // (ROUND * len(PARTS)))
    step = -(-len(every) // FEW)
    few = [point for index, point in enumerate(every) if index % step == index // step % step]
    return few[part :: len(PARTS)]


def wrapped(file: str, point: Point) -> Sequence[str]:
    number, when = point
    return "--file", file, "--commit", str(number), "--when", when


def was_killed(program: Program) -> bool:
    return program.wait() == -signal.SIGKILL


def is_in_flight(robot: Program) -> bool:
    last = {words[1]: words[0] for words in robot.lines() if words[0] != "server"}
    return not {"sending", "doubt"}.isdisjoint(last.values())


def check(shop: Shop, proof: Proof) -> None:
    robot = shop.robot(total=0)
    ended = robot.wait()
    sales = audit.count(shop, proof)
    assert ended == 0, robot.errors()
    assert audit.faults(shop) == []
    assert sales >= 3


def sweep(
    shop: Shop, victim: str, at: list[Point], till: Callable[..., Program], proof: Proof
) -> Program:
    """Kill that program at each of these commits; returns the server that runs then."""
    processor = shop.processor()
    server = None if victim == "server" else shop.server()
    running = None if victim == "till" else till()
    if victim == "processor":
        processor.stop()  # its key takes long to make: later processes begin at once
    start = {"till": till, "server": shop.server, "processor": shop.processor}[victim]
    for number, point in enumerate(at):
        killed = start(*wrapped(FILES[victim], point))
        assert was_killed(killed), f"{number}: {point}\n{killed.errors()}"
        proof.killed(in_flight=is_in_flight(running or killed))
        assert running is None or not running.is_over, running.errors()
    if victim == "processor":
        shop.processor()
    server = server or shop.server()
    if running is not None:
        running.kill()
    return server


@pytest.mark.faults
@pytest.mark.parametrize("part", sampled(PARTS))
@pytest.mark.parametrize("victim", COMMITS)
def test_a_program_is_killed_at_its_commits(
    shop: Shop, times: int, victim: str, part: int, proof: Proof
) -> None:
    at = points(COMMITS[victim], times, part)
    server = sweep(shop, victim, at, partial(shop.robot, total=ENDLESS), proof)
    check(shop, proof)
    server.stop()


@pytest.mark.faults
@pytest.mark.parametrize("when", sampled(["after", "before"]))
def test_everything_is_killed_while_its_files_are_made(shop: Shop, when: str, proof: Proof) -> None:
    assert was_killed(shop.processor(*wrapped("ledger.db", (1, when))))
    shop.processor()
    for number in (1, 2):
        assert was_killed(shop.server(*wrapped("journal.db", (number, when))))
    server = shop.server()
    for number in (1, 2, 3):
        assert was_killed(shop.robot(*wrapped("till.db", (number, when)), total=3))
    for _ in range(6):
        proof.killed(in_flight=False)
    robot = shop.robot(total=3)
    assert robot.wait() == 0, robot.errors()
    check(shop, proof)
    server.stop()


SIGNED = {"ПП": 8, "ПР": 3, "КР": 3, "КП": 1, "АП": 2, "АР": 2}
"""A round's receipts: sales, what was given back for them, copies, and advances."""
CONFIRMED = 15
"""The sales that the till keeps of a round."""
ACT_COMMITS = {"till": 90, "server": 80, "processor": 24}
"""Enough for a start and a round; what is killed later goes on with the next round."""


def acting_till(shop: Shop, *wrapper: str, total: int) -> Program:
    words = ["--data", str(shop.data), "--total", str(total)]
    if wrapper:
        return shop.run("-m", "tests.e2e.kill_at", *wrapper, "--", "acting", *words, name="till")
    return shop.run("-m", "tests.e2e.acting_till", *words, name="till")


def check_acts(shop: Shop, proof: Proof) -> None:
    """The till completes the open sales; then each round has its receipts, once."""
    last = acting_till(shop, total=kinds(shop)["ПП"] // SIGNED["ПП"] + 1)
    assert last.wait() == 0, last.errors()
    found = kinds(shop)
    rounds = found["ПП"] // SIGNED["ПП"]
    for kind, each in SIGNED.items():
        for _ in range(rounds):
            proof.count(signed=1)
        proof.doubled += max(0, found[kind] - each * rounds)
        proof.lost += max(0, each * rounds - found[kind])
    assert found == {kind: each * rounds for kind, each in SIGNED.items()}
    entries = {entry.number: entry for entry in audit.ledger(shop)}
    sales = audit.frozen_sales(shop.data)
    assert {one.state for one in sales} <= {"done", "refused"}
    done = [one for one in sales if one.state == "done"]
    assert len(done) == len({one.number for one in done}) == CONFIRMED * rounds
    signed = {entry.request_id for entry in entries.values()}
    assert not [one.key for one in sales if one.state == "refused" and one.request_id in signed]
    # The till's sums are those that were signed, without what was paid in advance.
    before = Counter(entries[one.number].total - one.total for one in done if one.number)
    in_advance = Decimal(str((FIRST + NEXT).amount))
    assert (before[Decimal(1)], before[in_advance]) == (rounds, rounds)
    given_back = [one.total for one in entries.values() if extension(one.answer) == "АР"]
    assert Counter(given_back) == {Decimal(1): rounds, in_advance: rounds}
    for extensions in (("ПР",), ("КП", "КР"), ("АР",)):
        named = referents(shop, *extensions)
        assert len(named) == len(set(named)), extensions
    elsewhere = {f"XYZW1234-XYZW1234-{n + 1}" for n in range(rounds)}
    assert elsewhere <= set(referents(shop, "АР"))


def referents(shop: Shop, *extensions: str) -> list[str]:
    requests = [
        json.loads(one.request) for one in audit.ledger(shop) if extension(one.answer) in extensions
    ]
    return [one["referentDocumentNumber"] for one in requests]


def kinds(shop: Shop) -> Counter[str]:
    return Counter(extension(entry.answer) for entry in audit.ledger(shop))


def extension(answer: str) -> str:
    told: dict[str, Any] = json.loads(answer)
    return str(told["invoiceCounterExtension"])


@pytest.mark.faults
@pytest.mark.deadline(150)
@pytest.mark.parametrize("part", [PARTS[0], pytest.param(PARTS[1], marks=LONG)])
@pytest.mark.parametrize("victim", ["till", "server", pytest.param("processor", marks=LONG)])
def test_acts_while_a_program_is_killed_at_its_commits(
    shop: Shop, times: int, victim: str, part: int, proof: Proof
) -> None:
    """To a processor each receipt is one commit: `make test` kills it with plain sales."""
    at = points(ACT_COMMITS[victim], times, part)
    server = sweep(shop, victim, at, partial(acting_till, shop, total=ENDLESS), Proof(proof.name))
    check_acts(shop, proof)
    server.stop()


PAIR_COMMITS = 17
"""More than a server makes from its start to the end of one pair (counted: 16)."""
STARTED, FAR = 3, 20
"""The first commit after a start (counted), and more than a start and a cancelling make."""
RECEIPTS = "/fiscalization/receipts"
BY = {"by": "Милан"}
PAPER = {"receiptDelivery": {"pdf": False}}
ADVANCE = sale(10, invoiceType="advance", payments={"cash": 100})
REST = {"payments": {"card": 489.9}} | PAPER
CORRECTED = BY | {"request": {"payments": {"cash": 489.9}} | PAPER}
WORDS: dict[str, dict[str, Any]] = {"again": BY, "correct": CORRECTED, "reverse": BY}
WAYS = sorted(WORDS)
WHOLE = ["АР", "ПП"]
ENDS = {"again": WHOLE, "correct": WHOLE, "reverse": ["АР", "АП"]}


class Person:
    """The person who asks for a pair, and ends it at the till."""

    def __init__(self, shop: Shop, way: str, number: int) -> None:
        self._asker, self._shop, self._way = Asker(shop), shop, way
        self._keys = f"advance-{number:08}", f"closing-{number:08}"
        self._is_asked, self.has_decided = False, False

    def carry(self) -> list[str]:
        """Do all until the pair has ended; returns the kinds of its receipts."""
        advance, closing = self._keys
        first = until(lambda: post(self._asker, RECEIPTS, ADVANCE, advance).number)
        path = f"{RECEIPTS}/{first}/close"
        while True:
            if not self._is_asked:
                self._is_asked = True
                self._shop.fault("late_answer")
                self._shop.fault("refuse", code="2805")
            told = post(self._asker, path, REST, closing)
            if told.status == httpx.codes.OK:
                return [one["invoiceCounterExtension"] for one in told.members]
            if told.members.get("state") == "reversed":
                return [self._kind(number) for number in told.members["signed"]]
            self._decide(told.members["receiptId"])

    def _decide(self, receipt: str) -> None:
        doubts = self._asker.ask("GET", "/till/doubts", None, self._asker.till()).members
        if any(one["pair"] and one["pair"]["ways"] for one in doubts):
            self.has_decided = True
            path = f"/till/doubts/{receipt}/{self._way}"
            self._asker.ask("POST", path, WORDS[self._way], self._asker.till())

    def _kind(self, number: str) -> str:
        found = self._asker.ask("GET", f"{RECEIPTS}/{number}", None, {})
        return str(found.members["invoiceCounterExtension"])


def post(asker: Asker, path: str, body: dict[str, Any], key: str) -> Told:
    return asker.ask("POST", path, body, {"Idempotency-Key": key})


def killed_at(shop: Shop, point: Point, act: Callable[[], object]) -> Program:
    """A server that ends at that commit while somebody acts; an act that ended leaves it."""
    server = shop.server(*wrapped("journal.db", point))
    try:
        if not server.is_over:
            act()
    except httpx.TransportError:
        pass
    if server.is_over:
        assert was_killed(server), server.errors()
    server.stop()
    return server


@pytest.mark.faults
@pytest.mark.deadline(300)
def test_the_server_is_killed_while_a_pair_is_ended(shop: Shop, times: int, proof: Proof) -> None:
    """When a kill hides that the second receipt was refused, the server signs it by itself."""
    shop.processor()
    shop.server().stop()  # makes the files: from here on a process makes the pair's commits alone
    decided = 0
    parts = PARTS if times > 50 else PARTS[:1]
    killed = [point for part in parts for point in points(PAIR_COMMITS, times, part)]
    for number, point in enumerate(killed):
        way = WAYS[number % len(WAYS)]
        person = Person(shop, way, number)
        killed_at(shop, point, person.carry)
        server = shop.server()
        ended = person.carry()
        assert ended == (ENDS[way] if person.has_decided else WHOLE), f"{number}: {point} {way}"
        decided += person.has_decided
        proof.tried += 1
        server.stop()
        assert len(shop.control("GET", "/ledger")) == 3 * (number + 1), f"{number}: {point}"
    assert decided > number // 2


def cancel(asker: Asker, key: str) -> Told:
    """Cancel as a till does: repeat until the server has asked its processor since its start."""

    def told() -> Told | None:
        found = asker.ask("POST", "/till/cancel", {"key": key}, asker.till())
        return None if found.members.get("code") == NOT_COMPARED_YET.code else found

    return until(told)


def states(shop: Shop, key: str) -> list[str]:
    """The states of the key's two receipts, from a copy: who closes a database empties its log."""
    copy = copied(shop.data / "journal", shop.folder / "looked-at") / "journal.db"
    with closing(apsw.Connection(str(copy))) as connection:
        found = connection.execute(
            "SELECT state FROM requests JOIN commands ON commands.id = command_id"
            " WHERE key = ? ORDER BY child",
            (key,),
        ).fetchall()
    return [str(row[0]) for row in found]


@pytest.mark.faults
def test_the_server_is_killed_while_a_pair_is_cancelled(shop: Shop, times: int) -> None:
    """Cancelling is one commit: both receipts are cancelled or neither is."""
    begins = 1 if times > 50 else STARTED
    shop.processor()
    server, asker = shop.server(), Asker(shop)
    install = asker.till()
    advance = asker.ask("POST", RECEIPTS, ADVANCE, install | {"Idempotency-Key": "a" * 16}).members
    path = f"{RECEIPTS}/{advance['invoiceNumber']}/close"
    shop.fault("refuse", code="1500", count=None)
    for number, when in itertools.product(range(begins, FAR), ("before", "after")):
        key = f"closing-{number:04}-{when}".ljust(20, "0")
        closing = asker.ask("POST", path, REST, install | {"Idempotency-Key": key})
        assert closing.members["class"] == "cure"
        server.stop()
        assert states(shop, key) == ["released", "released"]
        told: list[Told] = []

        def act(key: str = key, told: list[Told] = told) -> None:
            told.append(cancel(asker, key))

        killed_at(shop, (number, when), act)
        assert states(shop, key) in (["released"] * 2, ["cancelled"] * 2), f"{number} {when}"
        server = shop.server()
        assert cancel(asker, key).members == {"state": "cancelled"}
        assert states(shop, key) == ["cancelled"] * 2
        if told:
            break
    assert begins < number < FAR - 1
    assert len(shop.control("GET", "/ledger")) == 1


OPENED: list[list[Any]] = [["type", "1"], ["press", "Enter"], ["press", "F12"]]
"""A bread, and its payment."""
INSTANTS = [300, 600, 1100, 100, 200, 450, 800, 950, 1400]
"""Milliseconds from before the first digit; the last digit comes 240 ms after that."""
TYPING_COMMITS = [8, 7, 9, 4, 5, 6, 10, 11, 12]
"""The commits of a till that opens and gets three digits typed."""
PIB = "100000008"


def stored(shop: Shop) -> tuple[Any, str]:
    """The received payment of the open cart, and the number of its buyer."""
    connection = apsw.Connection(str(shop.data / "till" / "till.db"))
    found = connection.execute(
        "SELECT paid, buyer_value FROM cart_additions JOIN carts ON carts.id = cart_id"
        " WHERE state = 'open'"
    ).fetchone()
    connection.close()
    return ([], "") if found is None else (json.loads(found[0]), found[1])


def killed_while_typed(shop: Shop, *acts: list[Any], commit: int = 0) -> None:
    words = ["presses", str(shop.data), json.dumps(acts)]
    where = ["--file", "till.db", "--commit", str(commit), "--when", "after"]
    till = shop.run("-m", "tests.e2e.kill_at", *where, "--", *words, name="till")
    assert till.wait() == -signal.SIGKILL, till.errors()


@pytest.mark.faults
def test_cash_that_is_being_typed(shop: Shop, times: int) -> None:
    """Each process types another number; the one from before may still be stored."""
    whole: list[Any] = [[]]
    for number, instant in enumerate(INSTANTS if times > 50 else INSTANTS[:1]):
        amount = 210 + number
        whole.append([["cash", f"{amount}.00"]])
        killed_while_typed(shop, *OPENED, ["die", instant], ["hand", amount])
        assert stored(shop)[0] in whole, instant


@pytest.mark.faults
def test_digits_that_come_at_once(shop: Shop, times: int) -> None:
    """The digits come as those of a busy till do; it is killed at each commit."""
    for commit in TYPING_COMMITS if times > 50 else TYPING_COMMITS[:1]:
        killed_while_typed(shop, *OPENED, ["die", 2000], ["type", "200"], commit=commit)
        assert stored(shop)[0] in ([], [["cash", "200.00"]]), commit


@pytest.mark.faults
def test_the_number_of_a_buyer(shop: Shop) -> None:
    killed_while_typed(shop, *OPENED, ["press", "F5"], ["die", 400], ["hand", PIB])
    assert stored(shop)[1] in ("", PIB)
