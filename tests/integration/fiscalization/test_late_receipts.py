"""A receipt that was proven absent and is executed after all, how often a processor is asked for
one, and a journal that can't be read for a moment (exactly-once.md, step 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.domain.receipt import states
from pos_app.errors import DatabaseBusy, DatabaseDamaged, NotAllowed, OutcomeUnknown
from pos_app.fiscalization.issuing.execute import ANSWER_WITHIN_SECONDS, START_WITHIN_SECONDS
from pos_app.fiscalization.issuing.manual_decision import declare_absent
from pos_app.fiscalization.lane.lane_monitor import ASK_WITHIN_SECONDS
from pos_app.fiscalization.outcomes.unknown_receipts import ON_ITS_WAY_AT_MOST
from pos_app.fiscalization.ports import ReleasedAttempt
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.keep_running import keep_running
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.late_shop import UID, LateProcessor, LateShop, late_shop
from tests.integration.fiscalization.shop import SALE

KEY, NEXT = "k" * 16, "n" * 16


async def executed_after_the_proof(shop: LateShop) -> None:
    """The sale of KEY is proven absent; its receipt is made only afterwards."""
    shop.processor.keeps_back = True
    with pytest.raises(OutcomeNotKnown):
        await shop.sell(key=KEY)
    await shop.until(KEY, "released")
    shop.processor.execute_late()


async def test_a_look_up_that_fails_lets_nothing_be_sent(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await executed_after_the_proof(shop)
        shop.processor.finds_nothing_out = True
        for key in (KEY, NEXT):
            with pytest.raises(NotSigned) as refusal:
                await shop.sell(key=key)
            assert refusal.value.answer_class is states.AnswerClass.WAIT
        shop.processor.finds_nothing_out = False
        found = await shop.sell(key=KEY)
        assert shop.processor.ledger == [found.receipt]


async def test_the_receipt_of_a_body_corrected_since_is_an_alarm_once(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await executed_after_the_proof(shop)
        corrected = await shop.sell(SALE | {"payments": {"cash": 300}}, key=KEY)
        assert shop.notes() == ["alarm_late_receipt"]
        assert corrected.receipt == shop.processor.ledger[1]
        shop.processor.sign_for_another()
        await shop.sell(key=NEXT)
        assert shop.notes() == ["alarm_late_receipt", "foreign_traffic"]
        late, foreign = shop.journal.findings.alarms()
        receipt = shop.processor.ledger[0]
        expected = (states.AlarmKind.LATE_RECEIPT, receipt.invoice_number, receipt.total_amount)
        assert (late.what, late.number, late.total) == expected
        assert late.signed_at is not None
        assert abs(late.signed_at - receipt.sdc_time) < timedelta(milliseconds=1)
        assert late.receipt_id == shop.request_id(KEY)
        assert foreign.what is states.AlarmKind.FOREIGN_TRAFFIC
        assert (foreign.counter_before, foreign.counter_now) == (2, 3)


async def test_of_two_bodies_proven_absent_each_is_looked_up(folder: Path) -> None:
    async with late_shop(folder) as shop:
        shop.processor.keeps_back = True
        for body in (SALE, SALE | {"payments": {"cash": 300}}):
            with pytest.raises(OutcomeNotKnown):
                await shop.sell(body, key=KEY)
            await shop.until(KEY, "released")
        shop.processor.execute_late()
        await shop.sell(key=NEXT)
        kept = shop.journal.receipt(shop.request_id(KEY))
        assert kept == shop.processor.ledger[1]
        assert shop.notes() == ["alarm_late_receipt"]


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


@pytest.mark.parametrize("away", [timedelta(minutes=-10), timedelta(minutes=10)])
async def test_after_a_restart_the_time_is_compared_too(folder: Path, away: timedelta) -> None:
    processor = LateProcessor()
    processor.keeps_back = True
    async with late_shop(folder, processor=processor) as shop:
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
    processor.signs_at = datetime.now(UTC) + away
    processor.execute_late()
    async with late_shop(folder, processor=processor) as shop:
        await shop.until(KEY, "needs_human")
        request = shop.journal.request(shop.request_id(KEY))
        assert request.reason.code == "echo"
        assert await shop.lane.look_again(request.id, seconds=5.0) is None


async def test_a_late_receipt_of_another_time_is_a_persons(folder: Path) -> None:
    async with late_shop(folder) as shop:
        shop.processor.signs_at = datetime.now(UTC) - timedelta(minutes=10)
        await executed_after_the_proof(shop)
        shop.processor.signs_at = None
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        assert shop.state(KEY) == "needs_human"
        assert shop.notes() == ["alarm_late_receipt"]
        with pytest.raises(NotAllowed) as held:
            await declare_absent(
                service=shop.service, receipt_id=shop.request_id(KEY), by="Управник"
            )
        (only,) = shop.processor.ledger
        assert held.value.values["number"] == only.invoice_number
        assert (await shop.sell(key=KEY)).receipt == only


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


async def declared_absent(shop: LateShop) -> None:
    """A manager wrongly says that the sale of KEY is absent, though its receipt is there."""
    shop.processor.finds_nothing_out = True
    await declare_absent(service=shop.service, receipt_id=shop.request_id(KEY), by="Управник")
    shop.processor.finds_nothing_out = False
    assert shop.state(KEY) == "released"


async def test_of_a_wrong_word_about_a_sale_corrected_since_a_manager_is_told(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await asked_of_a_person(shop)
        first = shop.processor.ledger[-1]
        await declared_absent(shop)
        await shop.sell(SALE | {"payments": {"cash": 300}}, key=KEY)
        late, others = shop.journal.findings.alarms()
        assert (late.what, late.number) == (states.AlarmKind.LATE_RECEIPT, first.invoice_number)
        assert (others.what, others.receipts) == (states.AlarmKind.FOREIGN_TRAFFIC, 1)  # as before


async def test_a_lane_that_lost_its_counter_sends_nothing(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await shop.sell(key=KEY)
        shop.processor.tells_counter = False
        with pytest.raises(NotSigned) as refusal:
            await shop.sell(key=NEXT)
        assert refusal.value.answer_class is states.AnswerClass.CURE
        assert shop.journal.lane(shop.journal.element()).counter == 1


async def test_a_persons_paper_leaves_the_counter_of_a_later_lane(folder: Path) -> None:
    async with late_shop(folder) as shop:
        await asked_of_a_person(shop)
        receipt = shop.processor.ledger[-1]
        shop.processor.forgets = True
        await shop.sell(key=f"{NEXT}2")
        before = shop.journal.lane(shop.journal.element())
        request = shop.journal.request(shop.request_id(KEY))
        assert request is not None
        shop.lane.sign_with_found_receipt(request, receipt)
        assert shop.state(KEY) == "signed"
        assert shop.journal.lane(shop.journal.element()) == before
        assert before.counter == 4


async def compared(shop: LateShop) -> None:
    async with asyncio.timeout(10.0):
        while not shop.lane.is_compared():
            await shop.lane.changes.wait("any", 0.02)


@pytest.mark.parametrize("others", [0, 1])
async def test_an_alarm_of_a_start_ends_with_its_paper(folder: Path, others: int) -> None:
    """The receipt in doubt may be another program's, until its paper proves it this shop's own."""
    processor = LateProcessor()
    async with late_shop(folder, processor=processor) as shop:
        await asked_of_a_person(shop)
        receipt = processor.ledger[-1]
        processor.forgets = True
        for _ in range(others):
            processor.sign_for_another()
    async with late_shop(folder, processor=processor) as shop:
        await compared(shop)
        (told,) = shop.journal.findings.alarms()
        assert (told.counter_before, told.counter_now) == (2, 3 + others)
        request = shop.journal.request(shop.request_id(KEY))
        assert request is not None
        shop.lane.sign_with_found_receipt(request, receipt)
        if others:
            assert shop.journal.findings.alarms() == (told,)
        else:
            assert shop.journal.findings.alarms() == ()
            never = datetime.min.replace(tzinfo=UTC)
            assert not shop.journal.findings.others_signed_since(never)
            assert shop.notes()[-1] == "foreign_traffic_explained"


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


async def test_the_alarm_about_a_copy_counts_on_from_the_lane_of_then(folder: Path) -> None:
    """A receipt that a person confirms while the processor is asked is no foreign traffic."""
    async with late_shop(folder) as shop:
        own = await signed_by_a_copy_too(shop)
        shop.processor.sign_for_another()

        def asked_for(request_id: str) -> None:
            if request_id == own:
                shop.journal.keep_lane(replace(shop.journal.lane(UID), counter=2))

        shop.processor.asked_for = asked_for
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=NEXT)
        late, foreign = shop.journal.findings.alarms()
        assert late.what == states.AlarmKind.LATE_RECEIPT
        expected = (states.AlarmKind.FOREIGN_TRAFFIC, 2, 3)
        assert (foreign.what, foreign.counter_before, foreign.counter_now) == expected


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


async def test_an_unreadable_way_is_released(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def bug(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async with late_shop(folder) as shop:
        await shop.sell(key="f" * 16)
        mend = broken(shop, "FROM lanes")
        with pytest.raises(DatabaseBusy):
            shop.journal.lane(shop.journal.element())
        with pytest.raises(NotSigned):
            await shop.sell(key=KEY)
        mend()
        assert shop.state(KEY) == "released"
        with monkeypatch.context() as patched:
            patched.setattr(shop.journal, "send", bug)
            with pytest.raises(NotSigned):
                await shop.sell(key=KEY)
        assert shop.state(KEY) == "released"
        await shop.sell(key=KEY)


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


async def test_work_that_a_bug_ended_is_started_again() -> None:
    starts, again = [0], asyncio.Event()

    async def work() -> None:
        starts[0] += 1
        if starts[0] == 1:
            raise ZeroDivisionError
        again.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(keep_running(work, "the test", restart_seconds=0.0))
    async with asyncio.timeout(5):
        await again.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert starts == [2]
