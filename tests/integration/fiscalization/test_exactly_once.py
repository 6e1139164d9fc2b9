"""Each request becomes one signed receipt, whatever the processor does (exactly-once.md)."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.receipt.verification import decode
from pos_app.errors import Invalid
from pos_app.fiscalization import refusals
from pos_app.fiscalization.issuing.manual_decision import declare_absent, declare_found
from pos_app.fiscalization.issuing.results import PendingCommand, look_up
from tests.fakes.verification_url import payload, url
from tests.integration.fiscalization.shop import SALE, Monotonic, opened

KEY = "0123456789abcdef"


async def test_a_sku_of_two_articles_stores_nothing(folder: Path) -> None:
    """The article has one of two tax labels, and the server must not choose."""
    async with opened(folder) as shop:
        shop.shelf.under_the_same_code[1] = FrozenArticle("Чоколада", TaxLabel.DJ, "ком", None)
        with pytest.raises(Invalid) as refusal:
            await shop.sell(SALE | {"items": [{"sku": 1, "quantity": 1, "unitPrice": 1}]})
        assert refusal.value.field == "items[0].sku"
        assert "is of two articles" in refusal.value.what
        assert shop.journal.restores.tip.rows == 0


async def test_many_at_once_are_signed_one_after_the_other_and_each_key_once(folder: Path) -> None:
    async with opened(folder) as shop:
        keys = [*(f"{number:016}" for number in range(8)), *[KEY] * 4]
        sold = await asyncio.gather(*(shop.sell(key=key) for key in keys))
        assert len({answer.receipt.invoice_number for answer in sold[8:]}) == 1
        counters = sorted(answer.receipt.total_counter or 0 for answer in sold[:9])
        assert counters == list(range(1, 10))
        assert len(shop.ledger()) == 9


async def test_nothing_is_sent_after_the_time_that_its_caller_waits(folder: Path) -> None:
    """The relay grants only as much time as is left."""
    async with opened(folder) as shop:
        shop.processor.change(delay_ms=700)
        first = asyncio.create_task(shop.sell(key="first" * 4, left_seconds=1.4))
        second = asyncio.create_task(shop.sell(key=KEY, left_seconds=1.5))
        with pytest.raises(refusals.NotSigned) as late:
            await second
        assert late.value.answer_class is AnswerClass.WAIT
        await first
        assert shop.state(KEY) == "released"
        assert len(shop.ledger()) == 1
        assert (await shop.sell(key=KEY)).receipt.total_counter == 2


LOST: list[tuple[str, dict[str, Any], str]] = [
    ("sign_then_drop", {}, "signed"),
    ("cut", {}, "signed"),
    ("unreadable_200", {"signed": True}, "signed"),
    ("drop_then_sign", {"seconds": 0.2}, "signed"),
    ("drop", {}, "released"),
    ("html_500", {}, "released"),
]
"""A fault of the processor, and the state of the request once it was looked up."""


async def test_a_lost_answer_is_found_and_what_is_not_is_released(folder: Path) -> None:
    """It is released only after the quiet time; meanwhile others are told surely not sent."""
    async with opened(folder) as shop:
        for place, (kind, members, state) in enumerate(LOST):
            key, other = f"{kind:k>16}", f"{kind:o>16}"
            shop.fault(kind, **members)
            with pytest.raises(refusals.OutcomeNotKnown) as doubt:
                await shop.sell(key=key)
            assert doubt.value.receipt_id
            if state == "released":
                open_now = look_up(journal=shop.journal, origin="local", reference=f"key:{key}")
                assert isinstance(open_now, PendingCommand)
                with pytest.raises(refusals.NotSigned) as refusal:
                    await shop.sell(key=other)
                assert refusal.value.answer_class is AnswerClass.WAIT
                assert shop.state(other) == "released"
            await shop.until(key, state)
            assert len(shop.ledger()) == place + (state == "signed"), kind
            if state == "released":
                with pytest.raises(refusals.ReceiptNotFound):
                    look_up(journal=shop.journal, origin="local", reference=f"key:{key}")
            sold = await shop.sell(key=key)
            assert shop.ledger()[-1].number == sold.receipt.invoice_number
            assert len(shop.ledger()) == place + 1


CURED: dict[str, dict[str, Any]] = {
    "1300": {"card": "out"},
    "1500": {"pin": "required"},
    "2110": {"pin": "blocked"},
    "2210": {"audit": "locked"},
    "2400": {"configured": False},
    "2230": {"element": "mismatch"},
}


async def test_what_is_curable_is_released_and_the_refused_rejected(folder: Path) -> None:
    """A code that is not listed is told by the counter; the same key may have a corrected body."""
    async with opened(folder) as shop:
        await shop.sell()
        well = shop.processor.condition.model_dump()
        for code, condition in CURED.items():
            shop.processor.change(**condition)
            with pytest.raises(refusals.NotSigned) as refusal:
                await shop.sell(key=KEY)
            told = (refusal.value.answer_class, refusal.value.pfr_code)
            assert told == (AnswerClass.CURE, code)
            assert shop.state(KEY) == "released"
            shop.processor.change(**{name: well[name] for name in condition})
        assert len(shop.ledger()) == 1
        for code, answer_class, state in (
            ("2310", AnswerClass.FIX, "rejected"),
            ("2805", AnswerClass.FIX, "rejected"),
            ("2220", AnswerClass.CURE, "released"),
        ):
            key, before = f"{code:k>16}", len(shop.ledger())
            shop.fault("refuse", code=code)
            with pytest.raises(refusals.NotSigned) as refusal:
                await shop.sell(key=key)
            assert (refusal.value.answer_class, refusal.value.pfr_code) == (answer_class, code)
            assert shop.state(key) == state
            await shop.sell(SALE | {"payments": {"cash": 118}}, key=key)
            assert len(shop.ledger()) == before + 1


async def test_its_ten_minutes_count_from_the_last_repeat(folder: Path) -> None:
    running = Monotonic()
    async with opened(folder, seconds=running) as shop:
        first = await shop.sell()
        for _ in range(3):
            running.at += 599
            assert await shop.sell() == first
        running.at += 601
        assert (await shop.sell()).command.id != first.command.id
        assert len(shop.ledger()) == 2


async def test_its_ten_minutes_begin_anew_once_with_a_restart(folder: Path) -> None:
    """The server's running time counts: its clocks say nothing across a start."""
    running = Monotonic()
    async with opened(folder, seconds=running) as shop:
        old = await shop.sell()
        running.at += 700
        first = await shop.sell({**SALE, "payments": {"cash": 300}})
        running.at += 500
        await shop.sell(key=KEY)
    running = Monotonic(-8e6)
    async with opened(folder, seconds=running) as shop:
        running.at += 550
        assert (await shop.sell({**SALE, "payments": {"cash": 300}})).command == first.command
        assert (await shop.sell()).command.id != old.command.id
        assert len(shop.ledger()) == 4


async def test_what_is_found_signed_late_waits_ten_minutes_for_its_caller(folder: Path) -> None:
    running = Monotonic()
    async with opened(folder, seconds=running) as shop:
        shop.fault("sign_then_drop")
        with pytest.raises(refusals.OutcomeNotKnown) as first:
            await shop.sell()
        running.at += 3600
        async with asyncio.timeout(10):
            while shop.journal.open_requests():
                await shop.lane.changes.wait(str(first.value.receipt_id), 0.1)
        running.at += 599
        assert (await shop.sell()).command.id == first.value.receipt_id
        assert len(shop.ledger()) == 1


@pytest.mark.parametrize("kind", ["wrong_total", "wrong_requester"])
async def test_an_echo_is_no_answer_until_a_person_says_so(folder: Path, kind: str) -> None:
    async with opened(folder) as shop:
        shop.fault(kind, lasting=True)
        with pytest.raises(refusals.OutcomeNotKnown) as doubt:
            await shop.sell(key=KEY)
        await shop.until(KEY, "needs_human")
        assert len(shop.ledger()) == 1
        if kind == "wrong_requester":
            return  # its number is the other's, which the look-up then finds
        named_by = str(doubt.value.receipt_id)
        await declare_absent(service=shop.service, receipt_id=named_by, by="Управник")
        assert shop.state(KEY) == "released"
        with pytest.raises(refusals.OutcomeNotKnown) as named:
            await shop.sell(key=KEY)  # this time the error names the number
        assert shop.ledger()[0].number.partition("-")[2] in str(named.value)
        await declare_absent(service=shop.service, receipt_id=named_by, by="Управник")
        await shop.sell(key=KEY)
        assert len(shop.ledger()) == 2


PAPERS: list[tuple[dict[str, Any], str]] = [
    ({"requested_by": b"ZZZZ9999"}, "the secure element"),
    ({"buyer": b"10:123456788"}, "the buyer"),
    ({"total": 10_000}, "total"),
]


async def test_a_person_brings_the_paper_of_a_doubted_receipt(folder: Path) -> None:
    async with opened(folder) as shop:
        await shop.sell(key="a" * 16)
        shop.processor.change(unreachable=["lookup"])
        shop.fault("sign_then_drop")
        with pytest.raises(refusals.OutcomeNotKnown) as doubt:
            await shop.sell(key=KEY)
        earlier, own = (json.loads(one.answer)["verificationUrl"] for one in shop.ledger())
        named = str(doubt.value.receipt_id)
        bring = partial(declare_found, service=shop.service, receipt_id=named, by="Управник")
        for wrong in (earlier, own[:-4] + "AAAA", "https://example.org"):
            with pytest.raises(Invalid) as refusal:
                bring(url=wrong)
            assert refusal.value.field == "verificationUrl"
        seen = decode(own)
        members: dict[str, Any] = {
            "requested_by": seen.requested_by.encode(),
            "signed_by": seen.signed_by.encode(),
            "total_counter": seen.total_counter,
            "type_counter": seen.type_counter,
            "total": int(seen.total.amount * 10_000),
            "milliseconds": int(seen.moment.timestamp() * 1000),
        }
        for changed, differs in PAPERS:
            with pytest.raises(refusals.WrongPaper, match=differs):
                bring(url=url(payload(**members | changed)))
        assert shop.state(KEY) != "signed"
        receipt = bring(url=url(payload(**members)))
        assert receipt.invoice_number == str(seen.number) == shop.ledger()[1].number
        assert shop.state(KEY) == "signed"


async def test_a_code_in_place_of_the_status_lets_nothing_be_sent(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.processor.change(status_code="2220")
        with pytest.raises(refusals.NotSigned):  # no element is paired yet, so it can't begin
            await shop.sell(key=KEY)
        shop.processor.change(status_code=None)
        await shop.sell(key=KEY)
        for place, code in enumerate(("2220", "1999"), start=1):
            shop.processor.change(status_code=code)
            before = shop.journal.lane(shop.journal.element())
            with pytest.raises(refusals.NotSigned) as refusal:
                await shop.sell(key=f"{code:n>16}")
            told = (refusal.value.answer_class, refusal.value.pfr_code)
            assert told == (AnswerClass.CURE, code)
            assert shop.journal.lane(shop.journal.element()) == before
            assert len(shop.ledger()) == place
            shop.processor.change(status_code=None)
            await shop.sell(key=f"{code:n>16}")
            assert len(shop.ledger()) == place + 1
