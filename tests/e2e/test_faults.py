"""Faults of a processor through the till's outbox, the server, and HTTP: a sale ends by itself, or
waits with a helpful reason, and the next sales go on as soon as they may."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Refused
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit
from tests.e2e.real_shop import Till, at_work
from tests.e2e.shop import Program, Shop, ask, opened
from tests.sweep import each

_S = SaleState
WELL: dict[str, Any] = {
    "configured": True,
    "card": "in",
    "pin": "entered",
    "element": "ok",
    "audit": "ok",
    "unreachable": [],
    "delay_ms": 0,
    "remember": "all",
}


class Works:
    """A shop whose processor and server run through all tests of this file."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.processor: Program = shop.processor()
        self.server = shop.server()

    def heal(self) -> None:
        if self.processor.is_over:
            self.processor = self.shop.processor()
        self.shop.control("DELETE", "/faults")
        self.shop.change(**WELL)


@pytest.fixture(scope="module")
def works(
    tmp_path_factory: pytest.TempPathFactory, catalogue: Path, nursery: Path
) -> Iterator[Works]:
    with opened(tmp_path_factory.mktemp("faults") / "shop", catalogue, nursery) as shop:
        yield Works(shop)


@asynccontextmanager
async def till_of(works: Works) -> AsyncIterator[Till]:
    """The till of the shop, opened for one test; the processor is well at its begin and end."""
    works.heal()
    try:
        async with at_work(works.shop) as till:
            yield till
    finally:
        works.heal()


BY_ITSELF: dict[str, list[dict[str, Any]]] = {
    "lost before signing, twice": [{"kind": "drop", "count": 2}],
    "signed after the connection had broken": [{"kind": "drop_then_sign", "seconds": 0.2}],
    "answered late": [{"kind": "late_answer", "seconds": 1.0}],
    "signed late": [{"kind": "late_signing", "seconds": 1.0}],
    "slow": [{"kind": "slow", "seconds": 0.0001}],
    "another total was told once": [{"kind": "wrong_total"}],
    "another element was told once": [{"kind": "wrong_requester"}],
    "an error page before signing": [{"kind": "html_500"}],
    "an error page after signing": [{"kind": "html_500", "signed": True}],
    "an unreadable answer before signing": [{"kind": "unreadable_200"}],
    "an unreadable answer after signing": [{"kind": "unreadable_200", "signed": True}],
    "a curable code": [{"kind": "refuse", "code": "1300"}],
    "an unlisted code": [{"kind": "refuse", "code": "2220"}],
    "one after the other": [{"kind": "cut"}, {"kind": "drop"}, {"kind": "sign_then_drop"}],
}


@pytest.mark.deadline(120)
@each("name", BY_ITSELF)
async def test_it_ends_by_itself_and_the_next_sales_go_on(works: Works, name: str) -> None:
    async with till_of(works) as till:
        for fault in BY_ITSELF[name]:
            works.shop.fault(**fault)
        await till.done(till.sell(), till.sell())
        assert audit.faults(works.shop, keys=till.keys) == []


CURES: list[tuple[dict[str, Any], str]] = [
    ({"card": "out"}, "1300"),
    ({"pin": "required"}, "1500"),
    ({"configured": False}, "2400"),
    ({"pin": "blocked"}, "2110"),
    ({"audit": "locked"}, "2210"),
    ({"element": "mismatch"}, "2230"),
]
FEW = 2
"""The number of cures in `make test`: the till looks for one every five seconds only."""


@pytest.mark.faults
@pytest.mark.deadline(120)
async def test_what_a_person_cures_goes_on_after_the_cure(works: Works, times: int) -> None:
    """A PIN is entered at the processor itself."""
    for condition, code in CURES if times > 50 else CURES[:FEW]:
        async with till_of(works) as till:
            works.shop.change(**condition)
            first = till.sell()
            waiting = await till.until(first, _S.FROZEN, code)
            assert waiting.reason.answer_class is AnswerClass.CURE
            assert audit.times_signed(works.shop, first.key) == 0
            if "required" in condition.values():
                pin = f"http://127.0.0.1:{works.shop.processor_port}/api/v3/pin"
                answer = ask("POST", pin, content="1234", headers={"Content-Type": "text/plain"})
                assert answer.text.strip('"') == "0100"
            else:
                works.heal()
            await till.done(first, till.sell())
            assert audit.faults(works.shop, keys=till.keys) == []


@each("code", ["2310", "2801", "2805", "2809"])
async def test_a_refused_sale_lets_the_next_ones_pass(works: Works, code: str) -> None:
    """One that is dropped is never signed."""
    async with till_of(works) as till:
        works.shop.fault("refuse", code=code, count=2)
        refused, dropped, following = till.sell(), till.sell(), till.sell()
        for one in (refused, dropped):
            held = await till.until(one, _S.REFUSED, code)
            assert held.reason.answer_class is AnswerClass.FIX
        await till.done(following)
        till.core.outbox.cancel(dropped.key, reason="the customer left")
        till.core.outbox.try_again(refused.key)
        await till.done(refused)
        await till.until(dropped, _S.CANCELLED)
        assert audit.times_signed(works.shop, dropped.key) == 0
        assert audit.faults(works.shop, keys=[refused.key, following.key]) == []


@each("kind", ["wrong_total", "wrong_requester"])
async def test_a_lasting_mix_up_asks_a_person_and_frees_the_lane(works: Works, kind: str) -> None:
    async with till_of(works) as till:
        works.shop.fault(kind, lasting=True)
        doubted, following = till.sell(), till.sell()
        await till.until(doubted, _S.DOUBT, RequestState.NEEDS_HUMAN)
        await till.done(following)
        assert audit.times_signed(works.shop, doubted.key) == 1
        assert audit.faults(works.shop, keys=[following.key]) == []


async def test_a_person_brings_the_paper_of_a_receipt_that_is_not_found(works: Works) -> None:
    async with till_of(works) as till:
        await till.done(till.sell())
        works.shop.change(unreachable=["lookup"])
        works.shop.fault("sign_then_drop")
        sale = till.sell()
        doubted = await till.until(sale, _S.DOUBT, RequestState.UNKNOWN)
        assert doubted.receipt_id is not None
        other, own = audit.ledger(works.shop)[-2:]
        with pytest.raises(Refused):
            await till.core.doubts.declare_found(
                doubted.receipt_id, verification_url=audit.url_of(other), by="Управник"
            )
        await till.core.doubts.declare_found(
            doubted.receipt_id, verification_url=audit.url_of(own), by="Управник"
        )
        await till.done(sale)
        assert audit.faults(works.shop, keys=till.keys) == []


@each("away", [0.0, 3.0])
async def test_the_processor_is_restarted_with_a_receipt_in_it(works: Works, away: float) -> None:
    async with till_of(works) as till:
        works.shop.change(delay_ms=300)
        first = till.sell()
        await till.until(first, _S.SENDING)
        works.processor.kill()
        following = till.sell()
        await asyncio.to_thread(threading.Event().wait, away)  # nobody answers at its port
        works.processor = await asyncio.to_thread(works.shop.processor)
        await till.done(first, following)
        assert audit.faults(works.shop, keys=till.keys) == []


async def test_another_program_signs_in_between(works: Works) -> None:
    async with till_of(works) as till:
        await till.done(till.sell())
        body = audit.ledger(works.shop)[-1].request
        address = f"http://127.0.0.1:{works.shop.processor_port}/api/v3/invoices"
        headers = {"Content-Type": "application/json", "RequestId": "another program"}
        assert ask("POST", address, content=body, headers=headers).is_success
        works.shop.fault("sign_then_drop")
        await till.done(till.sell(), till.sell())
        assert audit.faults(works.shop, keys=till.keys) == []
