"""A settled request costs the processor no further questions."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import OutcomeUnknown
from pos_app.fiscalization.issuing.execute import ANSWER_WITHIN_SECONDS, START_WITHIN_SECONDS
from pos_app.fiscalization.lane.lane_monitor import ASK_WITHIN_SECONDS, IDLE_TICK_SECONDS
from pos_app.fiscalization.outcomes.unknown_receipts import ON_ITS_WAY_AT_MOST
from pos_app.fiscalization.ports import ReleasedAttempt
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from tests.fakes.inner_connection import connection_of
from tests.fakes.virtual_time import VirtualLoop
from tests.integration.fiscalization.late_shop import LateProcessor, LateShop, late_shop

FIRST, OLD, YOUNG, NEXT = ("f" * 16, "o" * 16, "y" * 16, "n" * 16)
A_MINUTE = 60.0


class Asked(LateProcessor):
    """Notes what it was asked for. answers: how many more look-ups it answers, or None where it
    answers all."""

    def __init__(self) -> None:
        super().__init__()
        self.statuses = 0
        self.found: list[str] = []
        self.answers: int | None = None

    async def status(self) -> PfrStatus:
        self.statuses += 1
        return await super().status()

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        if self.answers is not None and len(self.found) >= self.answers:
            raise OutcomeUnknown(what="no answer")
        receipt = await super().find(pfr_request_id)
        self.found.append(pfr_request_id)
        return receipt


async def in_doubt(shop: LateShop, key: str) -> None:
    shop.processor.keeps_back = True
    with pytest.raises(OutcomeNotKnown):
        await shop.sell(key=key)
    shop.processor.keeps_back = False


async def end_by_a_person(shop: LateShop) -> None:
    """The sale of NEXT is looked up in vain, until a person brings its receipt."""
    shop.processor.finds_nothing_out = True
    await in_doubt(shop, NEXT)
    request = shop.journal.request(shop.request_id(NEXT))
    assert request is not None
    async with asyncio.timeout(A_MINUTE):
        while not shop.lane.lookup_log.of(request.id):
            await shop.lane.changes.wait(request.id, 0.1)
    shop.processor.execute_late()
    shop.lane.sign_with_found_receipt(request, shop.processor.ledger[-1])
    shop.processor.finds_nothing_out = False


def test_after_a_person_ended_a_doubt_the_processor_is_asked_as_before(folder: Path) -> None:
    async def live() -> None:
        processor = Asked()
        async with late_shop(folder, processor=processor) as shop:
            await shop.sell(key=FIRST)
            await end_by_a_person(shop)
            assert shop.state(NEXT) == "signed"
            before = processor.statuses
            await asyncio.wait({shop.watch}, timeout=A_MINUTE)
            assert 2 <= processor.statuses - before <= A_MINUTE / IDLE_TICK_SECONDS + 2

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(live())


async def two_absent(shop: LateShop) -> dict[str, ReleasedAttempt]:
    """Sell twice with a proof of absence; then others sign."""
    await shop.sell(key=FIRST)
    for key in (OLD, YOUNG):
        await in_doubt(shop, key)
        await shop.until(key, "released")
    shop.processor.sign_for_another()
    absent = {one.request_id: one for one in shop.journal.absent_in(shop.journal.element())}
    return {key: absent[shop.request_id(key)] for key in (OLD, YOUNG)}


async def test_a_round_that_was_cut_off_goes_on_where_it_stopped(folder: Path) -> None:
    processor = Asked()
    async with late_shop(folder, processor=processor) as shop:
        names = {one.pfr_request_id for one in (await two_absent(shop)).values()}
        processor.found.clear()
        processor.answers = 2  # of three: the sale itself is looked up too
        with pytest.raises(NotSigned):
            await shop.sell(key=NEXT)
        processor.answers = None
        await shop.sell(key=NEXT)
        assert names <= set(processor.found)
        assert sorted(names & set(processor.found)) == sorted(
            name for name in processor.found if name in names
        )


async def test_what_is_absent_for_an_hour_and_asked_for_since_is_settled(folder: Path) -> None:
    processor = Asked()
    async with late_shop(folder, processor=processor) as shop:
        absent = await two_absent(shop)
        hour = ON_ITS_WAY_AT_MOST + timedelta(minutes=1)
        connection_of(shop.journal).execute(
            "UPDATE absent SET at = at - ? WHERE request_id = ?",
            (int(hour.total_seconds() * 1000), shop.request_id(OLD)),
        )
        names = {key: one.pfr_request_id for key, one in absent.items()}
        for again, asked in enumerate([{OLD, YOUNG}, {YOUNG}, {YOUNG}]):
            processor.found.clear()
            await shop.sell(key=f"{NEXT}{again}")
            assert {key for key in names if names[key] in processor.found} == asked
            processor.sign_for_another()
        left = shop.journal.absent_in(shop.journal.element())
        assert [one.request_id for one in left] == [shop.request_id(YOUNG)]


def test_a_watch_that_asks_leaves_a_sale_its_time() -> None:
    """The watch holds the lane meanwhile, and one more question may be on its way."""
    assert ASK_WITHIN_SECONDS == 10.0
    assert ASK_WITHIN_SECONDS < START_WITHIN_SECONDS < ANSWER_WITHIN_SECONDS
