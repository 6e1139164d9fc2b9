"""A week of a shop by real keys at two tills: each Z is the sum of the ledgers, and the table of
acts has every act."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, datetime, timedelta
from datetime import time as hour_of_day
from decimal import Decimal
from itertools import cycle, zip_longest
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.selling.people.rights import Role
from tests.e2e import audit, week_sums, week_tills
from tests.e2e.day_of_a_shop import BREAD, COFFEE, MILK, PAID_FURTHER, ROLL, TYPED, Act, Kind, Way
from tests.e2e.week_person import Worker
from tests.proofs import Proof

pytestmark = [
    pytest.mark.skipif(
        shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
    ),
    pytest.mark.skipif(
        week_tills.COMPILER is None or not sys.platform.startswith("linux"),
        reason="no C compiler here: the programs can't be given another day",
    ),
]

DRAGANA = week_tills.Colleague("Драгана Петровић", Role.CASHIER, "1357")
MILOS = week_tills.Colleague("Милош Илић", Role.LEAD, "2468")
NENAD = week_tills.Colleague("Ненад Костић", Role.MANAGER, "2580", "KOSTIC-01")
PEOPLE = (DRAGANA, MILOS, NENAD)
SALES = 2000
HOURS = (
    hour_of_day(8, 58, 30),
    hour_of_day(7, 30),
    hour_of_day(23, 58, 30),
    hour_of_day(10),
    hour_of_day(14),
    hour_of_day(8, 59, 30),
    hour_of_day(12),
)
"""When the tills are started from Monday to Sunday; Wednesday's shifts pass midnight."""
TUESDAY, _, THURSDAY, FRIDAY, SATURDAY = range(1, 6)
KILLED = (
    Kind.CORRECT_PAYMENT,
    Kind.REFUND,
    Kind.COPY,
    Kind.EXCHANGE,
    Kind.CLOSING,
    Kind.REFUND_LINE,
)
"""The act in which the server is killed, day by day."""
KILL_AFTER = (0.05, 0.0, 0.1, 0.2)


@pytest.fixture
def short_week(tmp_path: Path, catalogue: Path) -> Iterator[week_tills.Week]:
    with week_tills.week_of(tmp_path / "week", catalogue, PEOPLE, tills=1) as made:
        yield made


@pytest.fixture
def whole_week(tmp_path: Path, catalogue: Path) -> Iterator[week_tills.Week]:
    with week_tills.week_of(tmp_path / "week", catalogue, PEOPLE, tills=2) as made:
        yield made


def next_monday() -> date:
    today = datetime.now(week_tills.BELGRADE).date()
    return today + timedelta(days=7 - today.weekday())


class Customers:
    """Quick sales, one way of paying after the other."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.thread = worker, 0
        self._codes = cycle(TYPED)
        self._ways = cycle((*[Way.CASH] * 3, Way.CARD, Way.GIVEN))

    def new(self) -> int:
        self.thread += 1
        return self.thread

    def come(self, many: int) -> int:
        """`many` customers buy; returns the thread of the last one."""
        for _ in range(many):
            self.worker.sell(next(self._codes), next(self._ways), self.new())
        return self.thread

    def buys(self, *goods: str, way: Way = Way.CASH) -> int:
        self.worker.do(Act(Kind.SALE, self.new(), goods, way))
        return self.thread


def specials(customers: Customers, day: int) -> dict[str, Callable[[], object]]:
    """The acts of a shift beside plain sales; in one of them the server is killed."""
    worker, odd = customers.worker, day % 2 == 1

    def act(kind: Kind, thread: int, *goods: str, way: Way = Way.CASH) -> None:
        is_killed = kind is KILLED[day % len(KILLED)] and not worker.has_killed
        after = KILL_AFTER[day % len(KILL_AFTER)] if is_killed else None
        worker.has_killed |= is_killed
        worker.do(Act(kind, thread, goods, way, after))

    def correct() -> None:
        kind = Kind.CORRECT_BUYER if day % 3 == 2 else Kind.CORRECT_PAYMENT
        way = Way.CARD if odd else Way.CASH
        act(kind, customers.buys(BREAD, MILK, way=way), way=way)

    def advance() -> None:
        thread = customers.new()
        if odd:
            act(Kind.ADVANCE, thread, BREAD)
            act(Kind.PAYMENT, thread, way=Way.CARD)
            act(Kind.REFUND_ADVANCE, thread)
        else:
            act(Kind.ADVANCE, thread, *PAID_FURTHER)
            act(Kind.PAYMENT, thread)
            act(Kind.CLOSING, thread, way=Way.CARD if day % 4 else Way.CASH)

    def exchange() -> None:
        if odd:
            act(Kind.EXCHANGE, customers.buys(ROLL), BREAD)
        else:
            act(Kind.EXCHANGE_BACK, customers.buys(COFFEE, way=Way.CARD), MILK)

    def refund(kind: Kind, *goods: str, way: Way) -> Callable[[], object]:
        return lambda: act(kind, customers.buys(*goods, way=way))

    found: dict[str, Callable[[], object]] = {
        "cash in": lambda: worker.move_cash("in", 3000),
        "refund": refund(Kind.REFUND, BREAD, COFFEE, way=list(Way)[day % 4]),
        "discount": lambda: worker.sell_cheaper((BREAD, MILK), 5, customers.new()),
        "training": lambda: worker.train(BREAD),
        "correction": correct,
        "advance": advance,
        "cash out": lambda: worker.move_cash("out", 450),
        "refund of a line": refund(Kind.REFUND_LINE, BREAD, MILK, way=Way.GIVEN),
        "lifted discount": lambda: worker.sell_cheaper((COFFEE,), 10 + day, customers.new()),
        "exchange": exchange,
        "dropped cart": lambda: worker.drop_cart((BREAD, "21")),
        "copy": lambda: act(Kind.COPY, customers.buys(MILK, "5", way=Way.MIXED)),
        "to the safe": lambda: worker.move_cash("drop", 2000),
    }
    if odd:
        found["own error"] = refund(Kind.REFUND_OWN_ERROR, MILK, way=Way.CARD)
        found["from the safe"] = lambda: worker.move_cash("change", 1500)
    if worker.town is not None:
        found["another program"] = worker.other_program_sells
        found["another program again"] = worker.other_program_sells
    return found


def work(worker: Worker, customers: Customers, day: int, *, sales: int, number: int) -> None:
    opener, other = (DRAGANA, MILOS) if (day + number) % 2 else (MILOS, DRAGANA)
    worker.arrive()
    if worker.queued:
        worker.until(lambda seen: "Ред празан" in seen.only_words("StatusLine"))
        worker.read_what_waited()
    worker.sign_in(opener)
    before = worker.sold
    if day == SATURDAY:
        worker.opens_by_itself()
        customers.come(1)
    else:
        worker.open_shift(Decimal(5000) if day == 0 else None)
    worker.has_killed = False
    done = list(specials(customers, day).values())
    each = sales // (len(done) + 4)
    for place, special in enumerate(done):
        customers.come(each)
        special()
        if place == len(done) // 2:
            worker.change(other)
        if place == 4 and (day, number) == (THURSDAY, 1):
            worker.processor_goes()
            customers.come(20)
            worker.processor_comes()
    customers.come(max(sales - (worker.sold - before), 0))
    if (day, number) == (FRIDAY, 2):
        worker.processor_goes()
        customers.come(12)
    if (day, number) == (TUESDAY, 2):
        worker.change(NENAD)
    kill = (lambda: killed(worker.desk)) if (day, number) == (FRIDAY, 1) else None
    worker.close_shift(missing=30 if day == SATURDAY else 0, kill=kill)


def killed(desk: week_tills.Desk) -> None:
    desk.till.kill()
    desk.start()


def rows(desk: week_tills.Desk, sql: str) -> list[Any]:
    path = desk.shop.data / "till" / "till.db"
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return connection.execute(sql).fetchall()


def found_at(worker: Worker) -> list[str]:
    ledger = week_sums.Ledger(audit.ledger(worker.shop))
    noted = worker.before + [number for one in worker.said for number in one.numbers]
    noted += [number for shift in worker.shifts for number in shift.training]
    noted += [number for shift in worker.shifts for number, _ in shift.others]
    noted += [one.number for one in map(ledger.advance_of, ledger.all) if one is not None]
    noted += [one.number for one in ledger.all if ledger.is_to_be_signed(one)]
    found = []
    if sorted(noted) != sorted(ledger.by_number):
        odd = sorted(set(noted) ^ set(ledger.by_number))
        found.append(f"what was noted is not what was signed: {odd}")
    kept = rows(worker.desk, "SELECT z FROM shifts ORDER BY id")
    if len(kept) != len(worker.shifts):
        found.append(f"{len(kept)} shifts, not {len(worker.shifts)}")
    for notes, (text,) in zip(worker.shifts, kept, strict=False):
        name = f"{worker.desk.name}, shift {notes.number}"
        must = week_sums.z_of(notes, ledger)
        found += week_sums.differences(name, must, week_sums.told_z(text))
        found += week_sums.hours_differ(notes, ledger, text)
        seen = {
            "expected": must["expected"],
            "counted": must["counted"],
            "difference": must["counted"] - must["expected"],
        }
        if "turnover" in notes.told:
            seen["turnover"] = must["turnover"]
        found += week_sums.differences(f"{name}, its screen", seen, notes.told)
    return found + acts_differ(worker)


def acts_differ(worker: Worker) -> list[str]:
    told = rows(worker.desk, "SELECT by_name, done, lifted_by FROM acts ORDER BY id")
    both = enumerate(zip_longest(told, worker.acts))
    odd = [(at, one, other) for at, (one, other) in both if one != other]
    return [f"{worker.desk.name}, act {at}: {one}, not {other}" for at, one, other in odd[:4]]


def test_two_shifts_of_two_people(short_week: week_tills.Week) -> None:
    """An act of most kinds; the server is killed in one of them, the till in its count."""
    (desk,) = short_week.desks
    short_week.begin(next_monday(), hour_of_day(9))
    worker = Worker(desk, NENAD)
    customers = Customers(worker)
    acts = specials(customers, day=0)
    worker.arrive()
    worker.sign_in(DRAGANA)
    worker.open_shift(Decimal(5000))
    customers.come(3)
    for name in ("cash in", "refund of a line", "training", "correction", "advance"):
        acts[name]()
    worker.close_shift(kill=lambda: killed(desk))
    worker.change(MILOS)
    worker.opens_by_itself()
    customers.come(2)
    for name in ("cash out", "exchange", "copy"):
        acts[name]()
    worker.close_shift(missing=30)
    assert (worker.kills, found_at(worker)) == (1, [])


def people_of(week: week_tills.Week) -> tuple[list[Worker], list[Customers]]:
    """One worker at each till; another program sells at the first one."""
    assert week.town is not None
    workers = [
        Worker(desk, NENAD, None if number else week.town) for number, desk in enumerate(week.desks)
    ]
    for worker in workers:
        worker.arrive()
        worker.until(lambda seen: _has_articles(seen.only_words("StatusLine")), seconds=180)
    workers[0].before.append(week.town.until_issued(uuid.uuid4().hex))  # once it is connected
    return workers, [Customers(worker) for worker in workers]


def _has_articles(line: str) -> bool:
    """Tell whether the synchronisation is over, or has all articles."""
    counted = re.search(r"Усклађивање (\d+) од (\d+)", line)
    return "Усклађено у " in line or (counted is not None and counted[1] == counted[2])


def play(week: week_tills.Week, sales: int) -> list[Worker]:
    """Play from Monday to Sunday, both tills at a time."""
    began, monday = time.monotonic(), next_monday()
    each = -(-sales // (len(HOURS) * len(week.desks)))
    workers, customers = list[Worker](), list[Customers]()
    for day, hour in enumerate(HOURS):
        week.begin(monday + timedelta(days=day), hour)
        if not workers:
            workers, customers = people_of(week)
        with ThreadPoolExecutor(len(workers)) as pool:
            started = [
                pool.submit(work, worker, of, day, sales=each, number=number)
                for number, (worker, of) in enumerate(zip(workers, customers, strict=True), 1)
            ]
            for one in started:
                one.result()
        found = [one for worker in workers for one in found_at(worker)]
        sys.stdout.write(f"day {day + 1}: {time.monotonic() - began:.0f} s, differences {found}\n")
        sys.stdout.flush()
        week.end()
    return workers


@pytest.mark.long
def test_a_week_of_a_shop(whole_week: week_tills.Week, proof: Proof) -> None:
    workers = play(whole_week, int(os.environ.get("SALES", SALES)))
    found = [one for worker in workers for one in found_at(worker)]
    shifts = [shift for worker in workers for shift in worker.shifts]
    assert len(shifts) == 2 * len(HOURS)
    assert any(one.closed_at and one.closed_at.date() > one.opened_at.date() for one in shifts)
    assert any(one.closed_by != one.opened_by for one in shifts)
    assert sum(worker.kills for worker in workers) >= len(HOURS)
    assert found == []
    for worker in workers:
        signed = Counter(one.number for one in audit.ledger(worker.shop))
        for many in signed.values():
            proof.count(signed=many)
