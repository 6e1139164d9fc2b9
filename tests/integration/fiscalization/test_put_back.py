"""A journal that is an older copy: what it may send, deny and prove (exactly-once.md, "Restores,
replacements, damage")."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import NOT_COMPARED, RESTORED, RestoreFound
from pos_app.errors import DiskFull, NotAllowed
from pos_app.fiscalization.issuing.after_restore import not_deniable
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.issuing.execute import execute
from pos_app.fiscalization.issuing.manual_decision import declare_absent
from pos_app.fiscalization.issuing.results import IssuedReceipts, known_of
from pos_app.fiscalization.lane.sending import CallerWaits
from pos_app.fiscalization.outcomes.restore_detection import LastSeen, continues, found_at_start
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.fiscalization.service import Caller, IncomingRequest, body_hash
from pos_app.wire.fiscal import issue_request_from_json
from pos_app.wire.strict_json import canonical, dumps
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.late_shop import LateProcessor, LateShop, late_shop
from tests.integration.fiscalization.shop import SALE, WHOLE_REFUND, Monotonic, opened, waits

KEY, NEXT, OTHER = "k" * 16, "n" * 16, "o" * 16


@contextlib.asynccontextmanager
async def put_back(folder: Path, processor: LateProcessor) -> AsyncIterator[LateShop]:
    """Open the copy in that folder, marked as one found at the start."""
    async with late_shop(folder, processor=processor) as shop:
        now = shop.service.clock.now()
        shop.journal.recover(now=now)
        shop.journal.restores.mark_restored(RestoreFound.SERVER_WITNESS, now=now)
        yield shop


def copied(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    return target


async def gone() -> bool:
    return False


async def sell_as_till(
    shop: LateShop, key: str, *, waits: CallerWaits = waits, **members: Any
) -> IssuedReceipts:
    received = IncomingRequest(
        dumps(SALE), body_hash(canonical(SALE)), lambda: issue_request_from_json(SALE)
    )
    caller = Caller(origin="local", cashier="Мика", waits=waits, key=key, is_till=True, **members)
    return await execute(service=shop.service, caller=caller, incoming=received)


async def released_in_a_copy(folder: Path) -> tuple[Path, LateProcessor]:
    """Release KEY, and copy; since then KEY and others were signed, and look-ups forget them."""
    processor = LateProcessor()
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=OTHER)
        with pytest.raises(NotSigned):
            await shop.sell(key=KEY, waits=gone)
        assert shop.state(KEY) == "released"
    copy = copied(folder / "first", folder / "copy")
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=KEY)
        await shop.sell(key=NEXT)
    processor.forgets = True
    return copy, processor


async def test_what_was_released_before_is_asked_of_a_person_and_then_sent(folder: Path) -> None:
    copy, processor = await released_in_a_copy(folder)
    async with put_back(copy, processor) as shop:
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        assert (shop.state(KEY), len(processor.ledger)) == ("needs_human", 3)
        await declare_absent(service=shop.service, receipt_id=shop.request_id(KEY), by="Власник")
        await shop.sell(key=KEY)
        assert len(processor.ledger) == 4


async def test_a_tills_report_is_a_persons_when_the_mark_is_closed(folder: Path) -> None:
    copy, processor = await released_in_a_copy(folder)
    async with put_back(copy, processor) as shop:
        shop.journal.restores.close_restored(by="Власник", now=shop.service.clock.now())
        with pytest.raises(OutcomeNotKnown):
            await sell_as_till(shop, KEY, is_from_before_restore=True)
        assert (shop.state(KEY), len(processor.ledger)) == ("needs_human", 3)


async def lost(folder: Path) -> tuple[Path, LateProcessor]:
    """Return a copy from before KEY was handed over; KEY is surely not signed."""
    processor = LateProcessor()
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=OTHER)
    return copied(folder / "first", folder / "copy"), processor


async def reported(shop: LateShop) -> None:
    """The till reports KEY, from before the restore, as provable."""
    with pytest.raises((OutcomeNotKnown, NotSigned)):
        await sell_as_till(shop, KEY, is_from_before_restore=True, is_provable=True)


async def until_released(shop: LateShop) -> None:
    async with asyncio.timeout(10.0):
        while shop.state(KEY) != "released":
            await reported(shop)
            await asyncio.sleep(0.02)


async def test_what_is_not_found_for_the_quiet_time_is_released_and_sent(folder: Path) -> None:
    copy, processor = await lost(folder)
    async with put_back(copy, processor) as shop:
        await reported(shop)
        await reported(shop)
        assert shop.state(KEY) == "needs_human", "the quiet time has only begun"
        await until_released(shop)
        assert len(processor.ledger) == 1
        await sell_as_till(shop, KEY)
        assert (shop.state(KEY), len(processor.ledger)) == ("signed", 2)


async def test_what_is_signed_within_the_quiet_time_is_found(folder: Path) -> None:
    """The sale was on its way when the journal was lost."""
    copy, processor = await lost(folder)
    async with late_shop(folder / "first", processor=processor) as shop:
        processor.keeps_back = processor.finds_nothing_out = True
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
    processor.finds_nothing_out = False
    async with put_back(copy, processor) as shop:
        await reported(shop)
        await reported(shop)
        processor.execute_late()
        await until_signed(shop)
        assert len(processor.ledger) == 2


async def until_signed(shop: LateShop) -> None:
    async with asyncio.timeout(10.0):
        while shop.state(KEY) != "signed":
            with contextlib.suppress(OutcomeNotKnown):
                await sell_as_till(shop, KEY, is_from_before_restore=True, is_provable=True)
            await asyncio.sleep(0.02)


async def test_a_processor_remembers_what_it_finds_on_its_element(folder: Path) -> None:
    _, processor = await lost(folder)
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=NEXT)
        name = shop.journal.requests_of(shop.request_id(NEXT))[0].pfr_request_id
        number = processor.ledger[-1].invoice_number
        assert await shop.lane.remembers(name, number=number)
        assert not await shop.lane.remembers(name, number=f"{number}9")
        assert not await shop.lane.remembers("0" * 32, number=number)
        processor.forgets = True
        assert not await shop.lane.remembers(name, number=number)
        processor.forgets = False
        # where a copy of the shop may send it yet nothing is provable
        for why in (RestoreFound.TWIN, RestoreFound.OTHER_MACHINE):
            now = shop.service.clock.now()
            assert await shop.lane.remembers(name, number=number)
            shop.journal.restores.mark_restored(why, now=now)
            assert not await shop.lane.remembers(name, number=number)
            assert shop.journal.restores.close_restored(by="Власник", now=now)


async def test_a_second_restore_is_another_one(folder: Path) -> None:
    """A request released after the first one is from before the second, whatever the clock says."""
    copy, processor = await released_in_a_copy(folder)
    async with put_back(copy, processor) as shop:
        restores, now = shop.journal.restores, shop.service.clock.now()
        first = restores.restored()

        with pytest.raises(NotSigned):
            await sell_as_till(shop, NEXT, epoch=first.epoch, waits=gone)
        assert not restores.is_from_before(shop.request_id(NEXT))
        second = restores.mark_restored(RestoreFound.SERVER_WITNESS, now=first.since)
        assert restores.restored() == second
        assert second.epoch != first.epoch
        assert restores.is_from_before(shop.request_id(NEXT))
        with pytest.raises(OutcomeNotKnown):
            await sell_as_till(shop, NEXT, epoch=first.epoch)
        assert restores.close_restored(by="Власник", now=now)
        assert restores.restored() is None


async def test_a_copy_that_is_put_back_twice_is_found_twice(folder: Path) -> None:
    """No row differs from the remembered ones; the mark of the first time is gone with the copy."""
    processor = LateProcessor()
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=KEY)
    copy = copied(folder / "first", folder / "copy")
    async with put_back(folder / "first", processor) as shop:
        restores = shop.journal.restores
        seen = LastSeen(restores.tip, restores.last_epoch(), "")
        assert found_at_start(restores, seen, machine="") is None
    async with late_shop(copy, processor=processor) as shop:
        restores, now = shop.journal.restores, shop.service.clock.now()
        assert restores.tip == seen.tip
        assert found_at_start(restores, seen, machine="") is RestoreFound.SERVER_WITNESS
        assert not continues(restores, seen.tip, epoch=seen.epoch, now=now)
        assert restores.restored() is not None


async def test_two_tills_tell_of_the_same_restore(folder: Path) -> None:
    """The second till remembers the journal from before the restore that the first has reported."""
    processor = LateProcessor()
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=KEY)
        copy = copied_now(shop, folder)
        await shop.sell(key=NEXT)
        remembered = shop.journal.restores.tip
    async with late_shop(copy, processor=processor) as shop:
        restores, now = shop.journal.restores, shop.service.clock.now()
        assert not continues(restores, remembered, epoch=None, now=now)
        epoch = restores.last_epoch()
        assert epoch is not None
        assert not continues(restores, remembered, epoch=None, now=now)
        assert restores.last_epoch() == epoch
        stranger = replace(restores.tip, hash="00" * 16)
        assert not continues(restores, stranger, epoch=epoch, now=now)
        assert restores.last_epoch() != epoch


def copied_now(shop: LateShop, folder: Path) -> Path:
    connection_of(shop.journal).pragma("wal_checkpoint(TRUNCATE)")
    return copied(folder / "first", folder / "copy")


async def test_a_pair_half_done_in_a_copy_is_not_ended_by_the_server(folder: Path) -> None:
    """Its second receipt was signed since, and the processor remembers only the last one."""
    async with opened(folder) as shop:
        number = (await shop.sell(key=OTHER)).receipt.invoice_number
        shop.fault("late_answer")
        shop.fault("refuse", code="1500", count=None)
        with pytest.raises(OutcomeNotKnown):
            await shop.act("refund", number, WHOLE_REFUND, key=KEY)
        connection_of(shop.journal).pragma("wal_checkpoint(TRUNCATE)")
        copied(folder / "journal", folder / "copy")
        shop.processor.faults.clear()
        async with asyncio.timeout(20.0):
            while set(shop.states(KEY)) != {"signed"}:
                await shop.lane.changes.wait("any", 0.05)
        await shop.sell(key=NEXT)
    shutil.rmtree(folder / "journal")
    copied(folder / "copy", folder / "journal")
    async with opened(folder) as shop:
        now = shop.service.clock.now()
        shop.journal.restores.mark_restored(RestoreFound.SERVER_WITNESS, now=now)
        shop.processor.change(remember="last")
        async with asyncio.timeout(20.0):
            while shop.states(KEY) != ["signed", "needs_human"]:
                await shop.lane.changes.wait("any", 0.05)
        assert len(shop.ledger()) == 4


async def test_a_key_is_denied_once_the_processor_was_compared(folder: Path) -> None:
    processor = LateProcessor()
    async with late_shop(folder, processor=processor) as shop:
        await shop.sell(key=KEY)
    async with late_shop(folder, processor=processor) as shop:
        with pytest.raises(NotSigned) as later:
            cancel(service=shop.service, origin="local", key=NEXT, cashier="Мика")
        assert later.value.reason == NOT_COMPARED
        await shop.sell(key=OTHER)
        assert cancel(service=shop.service, origin="local", key=NEXT, cashier="Мика") == "cancelled"


async def test_what_others_signed_may_have_been_this_shop(folder: Path) -> None:
    """No key is denied until a manager has seen the alarm."""
    async with late_shop(folder) as shop:
        await shop.sell(key=KEY)
        shop.processor.sign_for_another()
        await shop.sell(key=OTHER)
        assert not_deniable(shop.service, (), is_till=True) == RESTORED
        with pytest.raises(NotSigned) as later:
            cancel(service=shop.service, origin="local", key=NEXT, cashier="Мика")
        assert later.value.reason == NOT_COMPARED
        (alarm,) = shop.journal.findings.alarms()
        assert shop.journal.findings.see(alarm.id, by="Ана", now=shop.service.clock.now())
        assert cancel(service=shop.service, origin="local", key=NEXT, cashier="Мика") == "cancelled"


async def test_a_key_is_not_denied_before_a_manager_has_looked(folder: Path) -> None:
    async with put_back(folder, LateProcessor()) as shop:
        restore = shop.journal.restores.restored()
        with pytest.raises(NotAllowed) as held:
            cancel(service=shop.service, origin="local", key=KEY, cashier="Мика")
        assert held.value.values["state"] == RESTORED
        newer = cancel(
            service=shop.service, origin="local", key=KEY, cashier="Мика", epoch=restore.epoch
        )
        assert newer == "cancelled"


async def test_requests_without_a_key_are_sent_once_no_repeat_can_come(folder: Path) -> None:
    """A body counts as a new sale ten minutes after its last repeat, also after a restore."""
    seconds = Monotonic()
    async with opened(folder, seconds=seconds) as shop:
        now = shop.service.clock.now()
        shop.journal.restores.mark_restored(RestoreFound.SERVER_WITNESS, now=now)
        with pytest.raises(OutcomeNotKnown):
            await shop.sell()
        assert shop.ledger() == []
        seconds.at += 601.0
        await shop.sell(SALE | {"payments": {"cash": 300}})
        assert len(shop.ledger()) == 1


async def sold_since(folder: Path, *, before: bool) -> tuple[Path, LateProcessor]:
    """Return a copy of all data from before KEY was sold. before: another sale is already in it."""
    processor = LateProcessor()
    async with late_shop(folder / "first", processor=processor) as shop:
        if before:
            await shop.sell(key=OTHER)
    copy = copied(folder / "first", folder / "copy")
    async with late_shop(folder / "first", processor=processor) as shop:
        await shop.sell(key=KEY)
        await shop.sell(key=NEXT)
    return copy, processor


def why_not(shop: LateShop, key: str, *, is_till: bool = False) -> str | None:
    found = known_of(shop.journal, f"key:{key}", origin="local")
    return not_deniable(shop.service, found, is_till=is_till)


@pytest.mark.parametrize("before", [True, False], ids=["after a sale", "before the first"])
async def test_all_data_were_put_back_and_nothing_tells(folder: Path, before: bool) -> None:
    """Until the journal is compared nothing is denied; then the receipts are found."""
    copy, processor = await sold_since(folder, before=before)
    async with late_shop(copy, processor=processor) as shop:
        processor.is_away = True
        assert why_not(shop, KEY) == NOT_COMPARED
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        assert why_not(shop, KEY) == NOT_COMPARED
        processor.is_away = False
        async with asyncio.timeout(10):
            while shop.lane.closed() is not None:
                shop.lane.look_now()
                await asyncio.sleep(0.01)
        await shop.sell(key="x" * 16)
        (alarm,) = shop.journal.findings.alarms()
        assert alarm.receipts == 2
        assert (why_not(shop, KEY), why_not(shop, NEXT)) == (RESTORED, RESTORED)
        assert (await shop.sell(key=KEY)).receipt == processor.ledger[int(before)]
        assert len(processor.ledger) == 3 + before


class SlowToRemember(LateProcessor):
    """It finds nothing any more, and gives no answer until `answers` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.forgets = True
        self.is_asked, self.answers = asyncio.Event(), asyncio.Event()

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        self.is_asked.set()
        await self.answers.wait()
        return await super().find(pfr_request_id)


async def test_what_came_while_the_processor_was_asked_is_not_sent(folder: Path) -> None:
    copy, before = await sold_since(folder, before=True)
    processor = SlowToRemember()
    processor.ledger += before.ledger
    async with late_shop(copy, processor=processor) as shop:
        async with asyncio.timeout(10):
            await processor.is_asked.wait()
            again = asyncio.create_task(shop.sell(key=KEY))
            await asyncio.sleep(0)
            assert shop.state(KEY) == "queued"
            processor.answers.set()
            for _ in range(2):
                with pytest.raises(OutcomeNotKnown):
                    await again
                again = asyncio.create_task(shop.sell(key=KEY))
            with pytest.raises(OutcomeNotKnown):
                await again
        assert shop.state(KEY) == "needs_human"
        assert len(processor.ledger) == 3


async def test_what_others_repeat_is_asked_for_first_always(folder: Path) -> None:
    copy, processor = await sold_since(folder, before=False)
    async with late_shop(copy, processor=processor) as shop:
        await shop.sell(key="x" * 16)
        now = shop.service.clock.now()
        for alarm in shop.journal.findings.alarms():
            assert shop.journal.findings.see(alarm.id, by="Власник", now=now)
        assert (await shop.sell(key=KEY)).receipt == processor.ledger[0]
        shop.journal.restores.close_restored(by="Власник", now=now)
        for alarm in shop.journal.findings.alarms():
            assert shop.journal.findings.see(alarm.id, by="Власник", now=now)
        assert (await shop.sell(key=NEXT)).receipt == processor.ledger[1]
        assert len(processor.ledger) == 3


async def test_after_the_mark_is_closed_an_old_sale_is_looked_up_first(folder: Path) -> None:
    """It is found while the disk refuses: nothing tells the caller that it was not signed."""
    copy, processor = await released_in_a_copy(folder)
    processor.forgets = False
    async with put_back(copy, processor) as shop:
        now = shop.service.clock.now()
        shop.journal.restores.close_restored(by="Власник", now=now)
        await shop.sell(key="x" * 16)
        (alarm,) = shop.journal.findings.alarms()
        assert shop.journal.findings.see(alarm.id, by="Власник", now=now)
        journal, refused = shop.journal, list[str]()
        sign = journal.sign

        def fails_twice(request_id: str, *args: Any, **members: Any) -> None:
            if len(refused) < 2:
                refused.append(request_id)
                raise DiskFull(what="full", safe="", do="", path="")
            sign(request_id, *args, **members)

        journal.sign = fails_twice  # type: ignore[method-assign]
        assert (await shop.sell(key=KEY)).receipt == processor.ledger[1]
        assert (refused, len(processor.ledger)) == (2 * [shop.request_id(KEY)], 4)


async def test_what_was_refused_before_it_was_asked_for_is_not_denied(folder: Path) -> None:
    """Another receipt is in doubt: the key is refused, and nobody has looked for it."""
    copy, processor = await sold_since(folder, before=True)
    async with late_shop(copy, processor=processor) as shop:
        await shop.sell(key="x" * 16)
        processor.keeps_back, processor.finds_nothing_out = True, True
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key="y" * 16)
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        assert (shop.state(KEY), why_not(shop, KEY)) == ("released", RESTORED)


async def test_a_till_may_drop_what_it_sent_since_the_start(folder: Path) -> None:
    """It makes a key for each sale and sends it at once: none of its keys is from before a copy."""
    processor = LateProcessor()
    async with late_shop(folder, processor=processor) as shop:
        await shop.sell(key=OTHER)
    async with late_shop(folder, processor=processor) as shop:
        processor.is_away = True
        with pytest.raises(NotSigned):
            await sell_as_till(shop, KEY)
        assert cancel(service=shop.service, origin="local", key=KEY, cashier="Мика") == "cancelled"
