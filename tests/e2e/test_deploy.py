"""A newer platform replaces one in use: no caller is answered that an outcome is unknown."""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from contextlib import ExitStack

import httpx
import pytest

from tests.e2e.shop import Shop
from tests.e2e.town import Town, town_of
from tests.fakes.postgresql import postgresql
from tests.sweep import sampled

CALLERS = 4
DEPLOYS, FEW = 3, 1
"""FEW: those of `make test`."""
BETWEEN = 10
"""Receipts that are issued from one deploy to the next."""


class Callers:
    """Programs of shops that ask one after the other, each with a key, until they are ended."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._over = threading.Event()
        self.answers = Counter[str]()
        self.issued = list[str]()

    def ask(self) -> None:
        while not self._over.is_set():
            self._ask_until_issued(uuid.uuid4().hex)

    def _ask_until_issued(self, key: str) -> None:
        while not self._is_issued(key):
            time.sleep(0.02)  # four that ask without a pause take a whole processor

    def _is_issued(self, key: str) -> bool:
        try:
            answer = self._town.post(key)
        except httpx.ConnectError:
            self.answers["nobody listens"] += 1
            return False
        except httpx.TransportError as error:
            self.answers[f"unknown: {error!r}"] += 1
            return False
        told = answer.json()
        if answer.status_code == httpx.codes.OK:
            self.issued.append(told["invoiceNumber"])
            return True
        self.answers[f"{told['class']}: {told['message']}"] += 1
        return False

    def end(self) -> None:
        self._over.set()


@pytest.mark.faults
@pytest.mark.parametrize("workers", sampled([1, 2]))
def test_a_deploy_under_load_leaves_nobody_in_doubt(shop: Shop, workers: int, times: int) -> None:
    """workers: the number of one program."""
    with ExitStack() as stack:
        address = stack.enter_context(postgresql())
        town = stack.enter_context(town_of(shop, address, of_each=workers))
        town.connected()
        before, callers = len(town.signed), Callers(town)
        threads = [threading.Thread(target=callers.ask) for _ in range(CALLERS)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(DEPLOYS if times > 50 else FEW):
                wanted = len(callers.issued) + BETWEEN
                town.workers[0].until(lambda wanted=wanted: len(callers.issued) >= wanted)  # type: ignore[misc]
                town.deploy()
            wanted = len(callers.issued) + BETWEEN
            town.workers[0].until(lambda: len(callers.issued) >= wanted)
        finally:
            callers.end()
            for thread in threads:
                thread.join()
        assert len(set(callers.issued)) == len(callers.issued)
        assert len(town.signed) == before + len(callers.issued)
        assert not [told for told in callers.answers if told.startswith("unknown")], callers.answers
