"""A receipt that was proven absent and is executed after all, how often a processor is asked for
one, and a journal that can't be read for a moment (exactly-once.md, step 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.domain.receipt import states
from pos_app.errors import DatabaseDamaged, NotAllowed, OutcomeUnknown
from pos_app.fiscalization.issuing.execute import ANSWER_WITHIN_SECONDS, START_WITHIN_SECONDS
from pos_app.fiscalization.issuing.manual_decision import declare_absent
from pos_app.fiscalization.lane.lane_monitor import ASK_WITHIN_SECONDS
from pos_app.fiscalization.outcomes.unknown_receipts import ON_ITS_WAY_AT_MOST
from pos_app.fiscalization.ports import ReleasedAttempt
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.late_shop import LateProcessor, LateShop, late_shop

KEY, NEXT = "k" * 16, "n" * 16


async def asked_of_a_person(shop: LateShop) -> None:
    """The counter moves and the sale of KEY is not found; its receipt is made only afterwards."""
    await shop.sell(key=NEXT)
    shop.processor.keeps_back = True
    with pytest.raises(OutcomeNotKnown):
        await shop.sell(key=KEY)
    shop.processor.sign_for_another()
    await shop.until(KEY, "needs_human")
    shop.processor.execute_late()


async def test_what_the_processor_holds_is_not_declared_absent(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await asked_of_a_person(shop)
        with pytest.raises(NotAllowed) as refusal:
            await declare_absent(
                service=shop.service, receipt_id=shop.request_id(KEY), by="Управник"
            )
        assert refusal.value.values["number"] == shop.processor.ledger[-1].invoice_number
        assert shop.state(KEY) == "signed"


async def test_what_others_sign_is_one_alarm_until_it_was_seen(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await shop.sell(key=KEY)
        for number in range(3):
            shop.processor.sign_for_another()
            await shop.sell(key=f"{NEXT}{number}")
        findings, now = shop.journal.findings, shop.service.clock.now()
        (alarm,) = findings.alarms()
        assert (alarm.receipts, alarm.counter_before, alarm.counter_now) == (3, 1, 6)
        shop.processor.sign_for_another()
        await shop.sell(key=f"{NEXT}3")
        assert findings.see(alarm.id, by="Ана", now=now)
        (left,) = findings.alarms()
        assert (left.receipts, left.counter_before, left.counter_now) == (1, 7, 8)
        assert findings.see(left.id, by="Ана", now=now)
        assert findings.alarms() == ()
        assert not findings.see(99, by="Ана", now=now)
        assert shop.notes().count("alarm_seen") == 2


async def test_a_lane_that_lost_its_counter_sends_nothing(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await shop.sell(key=KEY)
        shop.processor.tells_counter = False
        with pytest.raises(NotSigned) as refusal:
            await shop.sell(key=NEXT)
        assert refusal.value.answer_class is states.AnswerClass.CURE
        assert shop.journal.lane(shop.journal.element()).counter == 1


async def signed_by_a_copy_too(shop: LateShop) -> str:
    """Sell, and sign the same sale for a copy of this disk; return the RequestId of both."""
    await shop.sell(key=KEY)
    shop.processor.sign_for_a_copy()
    assert shop.processor.last is not None
    return shop.processor.last[1]


async def test_a_copy_that_could_not_be_asked_for_is_asked_for_again(folder: Path) -> None:
    async with late_shop(folder) as shop:
        own = await signed_by_a_copy_too(shop)
        is_away = True

        def asked_for(request_id: str) -> None:
            if is_away and request_id == own:
                raise OutcomeUnknown(what="no answer")

        shop.processor.asked_for = asked_for
        with pytest.raises(NotSigned) as refusal:
            await shop.sell(key=NEXT)
        assert refusal.value.answer_class is states.AnswerClass.WAIT
        assert (shop.notes(), shop.journal.restores.restored()) == ([], None)
        is_away = False
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=NEXT)
        found = shop.journal.restores.restored()
        assert found.why == states.RestoreFound.TWIN
        late, _ = shop.journal.findings.alarms()
        expected = (states.AlarmKind.LATE_RECEIPT, shop.processor.ledger[1].invoice_number)
        assert (late.what, late.number) == expected


# --- how often the processor is asked ---
FIRST, OLD, YOUNG = ("f" * 16, "o" * 16, "y" * 16)


async def in_doubt(shop: LateShop, key: str) -> None:
    shop.processor.keeps_back = True
    with pytest.raises(OutcomeNotKnown):
        await shop.sell(key=key)
    shop.processor.keeps_back = False


async def two_absent(shop: LateShop) -> dict[str, ReleasedAttempt]:
    await shop.sell(key=FIRST)
    for key in (OLD, YOUNG):
        await in_doubt(shop, key)
        await shop.until(key, "released")
    shop.processor.sign_for_another()
    absent = {one.request_id: one for one in shop.journal.absent_in(shop.journal.element())}
    return {key: absent[shop.request_id(key)] for key in (OLD, YOUNG)}


async def test_what_is_absent_for_an_hour_and_asked_for_since_is_settled(folder: Path) -> None:
    processor, found = LateProcessor(), list[str]()
    processor.asked_for = found.append
    async with late_shop(folder, processor=processor) as shop:
        absent = await two_absent(shop)
        hour = ON_ITS_WAY_AT_MOST + timedelta(minutes=1)
        connection_of(shop.journal).execute(
            "UPDATE absent SET at = at - ? WHERE request_id = ?",
            (int(hour.total_seconds() * 1000), shop.request_id(OLD)),
        )
        names = {key: one.pfr_request_id for key, one in absent.items()}
        for again, asked in enumerate([{OLD, YOUNG}, {YOUNG}, {YOUNG}]):
            found.clear()
            await shop.sell(key=f"{NEXT}{again}")
            assert {key for key in names if names[key] in found} == asked
            processor.sign_for_another()
        left = shop.journal.absent_in(shop.journal.element())
        assert [one.request_id for one in left] == [shop.request_id(YOUNG)]


def test_a_watch_that_asks_leaves_a_sale_its_time() -> None:
    """The watch holds the lane meanwhile, and one more question may be on its way."""
    assert ASK_WITHIN_SECONDS == 10.0
    assert ASK_WITHIN_SECONDS < START_WITHIN_SECONDS < ANSWER_WITHIN_SECONDS


# --- a journal that can't be read for a moment ---
def broken(shop: LateShop, what: str) -> Callable[[], None]:
    """Let the journal's statements with these words fail; return the function that ends it."""

    def refuse(cursor: apsw.Cursor, sql: str, values: Any) -> bool:
        if what in sql:
            raise apsw.BusyError("locked")
        return True

    connection_of(shop.journal).exec_trace = refuse

    def mend() -> None:
        connection_of(shop.journal).exec_trace = None

    return mend


async def test_the_watch_survives_a_journal_that_can_not_be_read(folder: Path) -> None:
    async with late_shop(folder) as shop:
        shop.processor.keeps_back = True
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        failed = asyncio.Event()
        real = shop.journal.in_lane

        def refuse(lane: str) -> Any:
            failed.set()
            shop.journal.in_lane = real  # type: ignore[method-assign]
            raise DatabaseDamaged(what="locked")

        shop.journal.in_lane = refuse  # type: ignore[method-assign]
        shop.lane.look_now()
        async with asyncio.timeout(5):
            await failed.wait()
        await shop.until(KEY, "released")
