"""Public mode while programs are killed at any moment or at each step between two workers, or are
replaced by a deploy: the ledger has what the callers were answered, and the till's own sales."""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any

import httpx
import pytest

from tests.e2e import audit
from tests.e2e.shop import PATIENCE, Program, Shop, until
from tests.e2e.town import Town, town_of
from tests.fakes.postgresql import Cluster, postgresql, postgresql_cluster
from tests.proofs import Proof
from tests.sweep import sampled

DELAY = 0.1
"""Seconds that the processor takes for a receipt."""
KEYED, KEYLESS = 3, 2
"""Callers at the same time."""
FEW = 4
"""Kills in `make test`."""
END_SECONDS = 3 * PATIENCE
"""Seconds in which all requests have to end once the kills stop."""
_PRICE = 20_000
"""The price of the first request; each has its own, by which the ledger distinguishes them."""


@dataclass
class Asked:
    """One request, however often it is sent. told: the receipt numbers in its answers."""

    price: int
    key: str | None
    gives_up: bool
    told: list[str] = field(default_factory=list)
    is_refused: bool = False
    heard: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return bool(self.told) or self.is_refused

    def hear(self, answer: httpx.Response) -> None:
        told = answer.json()
        self.heard.append(f"{answer.status_code} {told.get('code', '')}")
        if answer.status_code == httpx.codes.OK:
            self.told.append(str(told["invoiceNumber"]))
        elif answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
            assert told["class"] == "wait", told
            self.is_refused = self.gives_up
        else:
            assert told["class"] == "unknown", told


class Callers:
    def __init__(
        self,
        town: Town,
        chance: Random,
        *,
        keyed: int = KEYED,
        keyless: int = KEYLESS,
        gives_up: float = 0.5,
    ) -> None:
        """gives_up: the share of requests that end with the first sure refusal."""
        self.asked: list[Asked] = []
        self.faults: list[BaseException] = []
        self.issued, self.waiting, self._town = 0, 0, town
        self._prices = itertools.count(_PRICE)
        self._chance, self._gives_up = chance, gives_up
        self._lock = threading.Lock()
        self._is_ending = threading.Event()
        self._threads = [
            threading.Thread(target=self._ask_on, args=(number < keyed,), daemon=True)
            for number in range(keyed + keyless)
        ]

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """End the callers: they begin no new requests and complete the others."""
        self._is_ending.set()
        end = time.monotonic() + END_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _ask_on(self, has_key: bool) -> None:
        try:
            while not self._is_ending.is_set():
                with self._lock:
                    key = uuid.uuid4().hex if has_key else None
                    one = Asked(next(self._prices), key, self._chance.random() < self._gives_up)
                    self.asked.append(one)
                while not one.is_over:
                    self._ask(one)
        except BaseException as error:
            self.faults.append(error)
            raise

    def _ask(self, one: Asked) -> None:
        worker = self._chance.randrange(len(self._town.ports))
        item = {"sku": 1, "quantity": 1, "unitPrice": one.price}
        with self._lock:
            self.waiting += 1
        try:
            answer = self._town.post(
                one.key, worker=worker, items=[item], payments={"cash": one.price}
            )
        except httpx.TransportError as error:
            one.heard.append(type(error).__name__)
            time.sleep(0.05)
            return
        finally:
            with self._lock:
                self.waiting -= 1
        one.hear(answer)
        with self._lock:
            self.issued += bool(one.told)
        if not one.told:
            time.sleep(0.1)


class Killer:
    def __init__(self, town: Town, cluster: Cluster | None, callers: Callers, chance: Random):
        self._town, self._cluster, self._callers, self._chance = town, cluster, callers, chance
        self._sales = 0
        self._robot: Program | None = None
        self._has_database = True

    @property
    def victims(self) -> list[str]:
        """The programs to kill; a server started anew connects sooner than one cut off again."""
        return ["worker", "server", "till", *(["postgresql"] if self._cluster else [])]

    def kill(self, *victims: str) -> bool:
        """Kill them at once while somebody waits for a receipt; tells whether somebody did."""
        if "till" in victims:
            self._sell()
        issued = self._callers.issued
        _until(lambda: self._callers.issued > issued, self._callers)
        _until(lambda: self._callers.waiting, self._callers)
        time.sleep(self._chance.uniform(0.0, 2 * DELAY))
        waited = self._callers.waiting > 0
        for victim in victims:
            getattr(self, f"_kill_{victim}")()
        for victim in self._chance.sample(victims, len(victims)):
            getattr(self, f"_renew_{victim}")()
        return waited

    def _sell(self) -> None:
        self._sales += 2
        self._renew_till()
        robot = self._robot
        robot.until(lambda: robot.lines("sending") or robot.is_over)

    def _kill_till(self) -> None:
        self._robot.kill()

    def _renew_till(self) -> None:
        if self._robot is not None and not self._robot.is_over:
            self._robot.wait()
        self._robot = self._town.shop.robot(total=self._sales)

    def _kill_server(self) -> None:
        self._town.server.kill()

    def _renew_server(self) -> None:
        self._town.server = self._town.shop.server()

    def _kill_worker(self) -> None:
        self._worker = self._chance.choice(list(self._town.workers))
        self._town.workers[self._worker].kill()

    def _renew_worker(self) -> None:
        self._town.start_worker(self._worker)
        if self._town.workers[self._worker].is_over:  # its database is not there yet
            self._renew_postgresql()
            self._town.start_worker(self._worker)

    def _kill_postgresql(self) -> None:
        self._cluster.kill()
        self._has_database = False

    def _renew_postgresql(self) -> None:
        if not self._has_database and self._cluster is not None:
            time.sleep(self._chance.uniform(0.0, 0.5))
            self._cluster.start()
            self._has_database = True

    def close_the_day(self) -> None:
        if self._robot is not None:
            robot = self._robot
            assert robot.wait(END_SECONDS) == 0, robot.errors()


def _until(reached: Callable[[], Any], callers: Callers) -> None:
    end = time.monotonic() + PATIENCE
    while not reached():
        assert not callers.faults, callers.faults
        assert time.monotonic() < end, [one for one in callers.asked if not one.is_over]
        time.sleep(0.005)


def _faults(shop: Shop, asked: list[Asked], proof: Proof) -> list[str]:
    sales = audit.frozen_sales(shop.data)
    found = audit.faults(shop, keys=[sale.key for sale in sales]) if sales else []
    entries = audit.ledger(shop)
    of_price: dict[Decimal, list[str]] = {}
    for entry in entries:
        of_price.setdefault(entry.total, []).append(entry.number)
    for one in asked:
        signed = of_price.get(Decimal(one.price), [])
        proof.count(signed=len(signed), is_open=not one.is_over or (one.is_refused and not signed))
        if one.is_refused:
            proof.stuck -= not signed  # refused for good, as its caller was answered
        right = [] if one.is_refused else signed[:1]
        if not one.is_over or signed != right or set(one.told) != set(right):
            found.append(f"{one} has {signed}")
    known = {Decimal(one.price) for one in asked}
    of_sales = {sale.request_id for sale in sales}
    found += [
        f"nobody asked for {one.number}"
        for one in entries
        if one.total not in known and one.request_id not in of_sales
    ]
    return found


@pytest.mark.faults
@pytest.mark.deadline(180)
@pytest.mark.parametrize("database", sampled(["sqlite", "postgresql"]))
def test_public_mode_killed_at_any_moment(
    shop: Shop, proof: Proof, times: int, database: str
) -> None:
    kills = FEW if times <= 50 else times // 2
    chance = Random(times)
    with ExitStack() as stack:
        cluster = None
        if database == "postgresql":
            cluster = stack.enter_context(postgresql_cluster(is_durable=True))
        address, workers = ("", 1) if cluster is None else (cluster.address, 2)
        town = stack.enter_context(town_of(shop, address, workers))
        until(town.is_connected)
        shop.change(delay_ms=int(DELAY * 1000))
        callers = Callers(town, chance)
        killer = Killer(town, cluster, callers, chance)
        callers.begin()
        for first in itertools.cycle(killer.victims):
            if proof.tried >= kills:
                break
            also = [one for one in killer.victims if one != first and chance.random() < 0.1]
            victims = [first, *also]
            began = time.monotonic()
            met = killer.kill(*victims)
            for _ in victims:
                proof.killed(in_flight=met)
            proof.recovered.append(time.monotonic() - began)
        callers.end()
        assert callers.faults == []
        killer.close_the_day()
        receipts = Proof(proof.name)
        found = _faults(shop, callers.asked, receipts)
        proof.lost, proof.doubled, proof.stuck = receipts.lost, receipts.doubled, receipts.stuck
        assert found == []
        assert (proof.lost, proof.doubled, proof.stuck) == (0, 0, 0)


DEPLOYS, FEW_DEPLOYS = 3, 1
"""FEW_DEPLOYS: those of `make test`."""
BETWEEN = 10
"""Receipts that are issued from one deploy to the next."""


@pytest.mark.faults
@pytest.mark.parametrize("workers", sampled([1, 2]))
def test_a_deploy_under_load_leaves_nobody_in_doubt(shop: Shop, workers: int, times: int) -> None:
    """workers: the number of one program."""
    with ExitStack() as stack:
        address = stack.enter_context(postgresql())
        town = stack.enter_context(town_of(shop, address, of_each=workers))
        town.connected()
        before = len(town.signed)
        callers = Callers(town, Random(times), keyed=4, keyless=0, gives_up=0.0)
        callers.begin()
        try:
            for number in range((DEPLOYS if times > 50 else FEW_DEPLOYS) + 1):
                if number:
                    town.deploy()
                wanted = callers.issued + BETWEEN
                _until(lambda wanted=wanted: callers.issued >= wanted, callers)  # type: ignore[misc]
        finally:
            callers.end()
        issued = [number for one in callers.asked for number in one.told]
        assert len(set(issued)) == len(issued) == len(callers.asked)
        assert len(town.signed) == before + len(issued)
        heard = Counter(words for one in callers.asked for words in one.heard)
        surely_not = ("200", "400", "ConnectError")  # whoever meets nobody has sent nothing
        assert [words for words in heard if not words.startswith(surely_not)] == []


ITS, ASKER = 0, 1
"""The worker of the application, and the worker that is asked."""
ADDED, TAKEN = "INSERT INTO relay_command", "SET begun"
ANSWERED, READ = "answer=%(to_answer)s", "FROM relay_command \nWHERE relay_command.id ="
SIGNED, WAIT, UNKNOWN = "signed", "wait", "unknown"


@dataclass(frozen=True)
class Step:
    """A kill around a worker's statement. told: possible answers; none of a killed worker."""

    worker: int
    statement: str
    when: str
    told: tuple[str, ...] = ()
    kills_database: bool = False

    def __str__(self) -> str:
        victim = "PostgreSQL" if self.kills_database else ("its", "asker")[self.worker]
        return f"{victim} {self.when} {self.statement!r}"


OF_WORKERS = [
    Step(ASKER, ADDED, "before"),
    Step(ASKER, ADDED, "after"),
    Step(ASKER, READ, "before"),
    Step(ASKER, READ, "after"),
    Step(ITS, TAKEN, "before", (WAIT,)),
    Step(ITS, TAKEN, "after", (UNKNOWN,)),
    Step(ITS, ANSWERED, "before", (SIGNED, UNKNOWN)),
    Step(ITS, ANSWERED, "after", (SIGNED,)),
]
OF_POSTGRESQL = [
    Step(ASKER, ADDED, "before", (SIGNED, UNKNOWN), kills_database=True),
    Step(ASKER, ADDED, "after", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, TAKEN, "before", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, TAKEN, "after", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, ANSWERED, "before", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, ANSWERED, "after", (SIGNED, UNKNOWN), kills_database=True),
]


SOME = [OF_WORKERS[1], OF_WORKERS[6], OF_POSTGRESQL[3]]
"""Those of `make test`."""


@pytest.mark.faults
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(SOME, id="some"),
        pytest.param(OF_WORKERS, id="a worker", marks=pytest.mark.long),
        pytest.param(OF_POSTGRESQL, id="PostgreSQL", marks=pytest.mark.long),
    ],
)
def test_whoever_is_killed_at_a_step_between_two_workers_each_key_has_one_receipt(
    shop: Shop, times: int, proof: Proof, steps: list[Step]
) -> None:
    with ExitStack() as stack:
        cluster = stack.enter_context(postgresql_cluster(is_durable=True))
        town = stack.enter_context(town_of(shop, cluster.address, workers=2))
        callers = stack.enter_context(ThreadPoolExecutor(1))
        for step in steps * max(1, times // 50):
            if step.worker == ITS:
                # A connection that was cut several times within a minute comes back ever later.
                town.server.kill()
                town.server = shop.server()
            _killed_at(town, cluster, step, callers, proof)


def _killed_at(
    town: Town, cluster: Cluster, step: Step, callers: ThreadPoolExecutor, proof: Proof
) -> None:
    armed = town.shop.folder / "armed"
    wrapper = ["--statement", step.statement, "--when", step.when, "--armed", str(armed)]
    if step.kills_database:
        wrapper += ["--cluster", str(cluster.folder)]
    town.workers[step.worker].kill()
    _started(town, step, *wrapper)
    town.connected(worker=ITS)
    town.connected(worker=ASKER)
    key, before = uuid.uuid4().hex, len(town.signed)
    armed.touch()
    asking = callers.submit(town.post, key, worker=ASKER)
    until(lambda: not armed.exists(), told=step)
    if step.kills_database:
        cluster.start()
    else:
        town.workers[step.worker].wait()  # it holds the port until it has ended
        _started(town, step)
    told = None
    try:
        told = _class_of(asking.result(PATIENCE))
    except httpx.TransportError:
        assert not step.told, step
    else:
        assert told in step.told, (step, told)
    signed = town.signed[before:]
    assert not (told == WAIT and signed), step
    number = town.until_issued(key, worker=ASKER)
    made = town.signed[before:]
    proof.count(signed=len(made))
    assert made == [number], (step, made, number)


def _started(town: Town, step: Step, *wrapper: str) -> None:
    town.start_worker(step.worker, *wrapper)
    worker = town.workers[step.worker]
    assert not worker.is_over, worker.errors()


def _class_of(answer: httpx.Response) -> str:
    return SIGNED if answer.status_code == httpx.codes.OK else str(answer.json()["class"])
