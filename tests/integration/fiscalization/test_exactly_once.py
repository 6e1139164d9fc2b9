"""Each request becomes one signed receipt, whatever the processor does (exactly-once.md)."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.domain.receipt.verification import decode
from pos_app.errors import Invalid
from pos_app.fiscalization import refusals
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.issuing.manual_decision import declare_absent, declare_found
from pos_app.fiscalization.issuing.results import PendingCommand, look_up
from pos_app.pfr_emulator.ledger import LedgerEntry
from tests.fakes.verification_url import payload, url
from tests.integration.fiscalization.shop import SALE, Monotonic, Shop, opened, unreachable

KEY = "0123456789abcdef"


def other(**members: Any) -> dict[str, Any]:
    return SALE | members


async def test_a_sale_is_signed_once_and_answered_from_the_table(folder: Path) -> None:
    async with opened(folder) as shop:
        first = await shop.sell(key=KEY)
        again = await shop.sell(key=KEY)
        assert first == again
        assert first.receipt.invoice_number.endswith("-1")
        assert str(first.receipt.total_amount) == "117.98"
        entries = shop.ledger()
        assert [entry.number for entry in entries] == [first.receipt.invoice_number]
        found = look_up(
            journal=shop.journal, origin="local", reference=first.receipt.invoice_number
        )
        assert found == first
        assert look_up(journal=shop.journal, origin="local", reference=f"key:{KEY}") == first
        assert look_up(journal=shop.journal, origin="local", reference=first.receipt_id) == first


async def test_the_frozen_article_is_what_is_signed(folder: Path) -> None:
    article = {"name": "Бурек", "taxRateLabel": "Е", "unit": "ком"}
    line = {
        "quantity": Decimal("1.560"),
        "unitPrice": Decimal("189.99"),
        "totalAmount": Decimal("296.38"),
        "article": article,
    }
    async with opened(folder) as shop:
        sold = await shop.sell(other(items=[line], payments={"card": Decimal("296.38")}))
        assert "Бурек/ком (Е)" in (sold.receipt.journal or "")
        assert "296,38" in (sold.receipt.journal or "")


async def test_a_sku_of_two_articles_stores_nothing(folder: Path) -> None:
    """The article has one of two tax labels, and the server must not choose."""
    async with opened(folder) as shop:
        shop.shelf.under_the_same_code[1] = FrozenArticle("Чоколада", TaxLabel.DJ, "ком", None)
        with pytest.raises(Invalid) as refusal:
            await shop.sell(other(items=[{"sku": 1, "quantity": 1, "unitPrice": 1}]))
        assert refusal.value.field == "items[0].sku"
        assert "is of two articles" in refusal.value.what
        assert shop.journal.restores.tip.rows == 0


async def test_an_unknown_sku_stores_nothing(folder: Path) -> None:
    async with opened(folder) as shop:
        with pytest.raises(Invalid) as refusal:
            await shop.sell(other(items=[{"sku": 90, "quantity": 1, "unitPrice": 1}]))
        assert refusal.value.what == '"items[0].sku" 90 does not exist'
        assert shop.journal.restores.tip.rows == 0


async def test_a_key_stands_for_one_body(folder: Path) -> None:
    async with opened(folder) as shop:
        await shop.sell(key=KEY)
        with pytest.raises(refusals.KeyBound):
            await shop.sell(other(payments={"cash": 300}), key=KEY)
        assert len(shop.ledger()) == 1


async def test_two_at_once_with_one_key_are_one_receipt(folder: Path) -> None:
    async with opened(folder) as shop:
        answers = await asyncio.gather(*(shop.sell(key=KEY) for _ in range(5)))
        assert len({answer.receipt.invoice_number for answer in answers}) == 1
        assert len(shop.ledger()) == 1


async def test_many_at_once_are_signed_one_after_the_other(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await asyncio.gather(*(shop.sell(key=f"{number:016}") for number in range(12)))
        counters = sorted(answer.receipt.total_counter or 0 for answer in sold)
        assert counters == list(range(1, 13))


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


@pytest.mark.parametrize("kind", ["sign_then_drop", "cut", "unreadable_200"])
async def test_an_answer_lost_after_signing_is_found(folder: Path, kind: str) -> None:
    async with opened(folder) as shop:
        shop.fault(kind, **({"signed": True} if kind == "unreadable_200" else {}))
        with pytest.raises(refusals.OutcomeNotKnown) as doubt:
            await shop.sell(key=KEY)
        assert doubt.value.receipt_id
        await shop.until(KEY, "signed")
        sold = await shop.sell(key=KEY)
        assert [entry.number for entry in shop.ledger()] == [sold.receipt.invoice_number]


@pytest.mark.parametrize("kind", ["drop", "html_500"])
async def test_a_request_lost_before_signing_is_released_only_after_the_quiet_time(
    folder: Path, kind: str
) -> None:
    async with opened(folder) as shop:
        shop.fault(kind)
        with pytest.raises(refusals.OutcomeNotKnown):
            await shop.sell(key=KEY)
        open_now = look_up(journal=shop.journal, origin="local", reference=f"key:{KEY}")
        assert isinstance(open_now, PendingCommand)
        await shop.until(KEY, "released")
        assert shop.ledger() == []
        with pytest.raises(refusals.ReceiptNotFound):
            look_up(journal=shop.journal, origin="local", reference=f"key:{KEY}")
        sold = await shop.sell(key=KEY)
        assert [entry.number for entry in shop.ledger()] == [sold.receipt.invoice_number]


async def test_while_in_doubt_others_are_told_surely_not_sent(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.fault("drop")
        with pytest.raises(refusals.OutcomeNotKnown):
            await shop.sell(key=KEY)
        with pytest.raises(refusals.NotSigned) as refusal:
            await shop.sell(key="f" * 16)
        assert refusal.value.answer_class is AnswerClass.WAIT
        assert shop.state("f" * 16) == "released"
        await shop.until(KEY, "released")
        await shop.sell(key="f" * 16)
        assert len(shop.ledger()) == 1


async def test_a_request_executed_late_is_found_not_sent_again(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.fault("drop_then_sign", seconds=0.2)
        with pytest.raises(refusals.OutcomeNotKnown):
            await shop.sell(key=KEY)
        await shop.until(KEY, "signed")
        assert len(shop.ledger()) == 1


@pytest.mark.parametrize("kind", ["wrong_total", "wrong_requester"])
async def test_an_echo_of_another_sale_is_no_answer(folder: Path, kind: str) -> None:
    async with opened(folder) as shop:
        shop.fault(kind, lasting=True)
        with pytest.raises(refusals.OutcomeNotKnown):
            await shop.sell(key=KEY)
        await shop.until(KEY, "needs_human")
        assert len(shop.ledger()) == 1


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ({"card": "out"}, "1300"),
        ({"pin": "required"}, "1500"),
        ({"pin": "blocked"}, "2110"),
        ({"audit": "locked"}, "2210"),
        ({"configured": False}, "2400"),
        ({"element": "mismatch"}, "2230"),
    ],
)
async def test_what_a_person_can_cure_is_released(
    folder: Path, condition: dict[str, Any], code: str
) -> None:
    async with opened(folder) as shop:
        await shop.sell()
        shop.processor.change(**condition)
        with pytest.raises(refusals.NotSigned) as refusal:
            await shop.sell(key=KEY)
        assert (refusal.value.answer_class, refusal.value.pfr_code) == (AnswerClass.CURE, code)
        assert shop.state(KEY) == "released"
        assert len(shop.ledger()) == 1


@pytest.mark.parametrize("code", ["2310", "2805"])
async def test_a_refused_document_is_rejected_and_may_be_corrected(folder: Path, code: str) -> None:
    async with opened(folder) as shop:
        shop.fault("refuse", code=code)
        with pytest.raises(refusals.NotSigned) as refusal:
            await shop.sell(key=KEY)
        assert (refusal.value.answer_class, refusal.value.pfr_code) == (AnswerClass.FIX, code)
        assert shop.state(KEY) == "rejected"
        corrected = await shop.sell(other(payments={"cash": 118}), key=KEY)
        assert [entry.number for entry in shop.ledger()] == [corrected.receipt.invoice_number]


async def test_an_unlisted_refusal_is_told_by_the_counter(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.fault("refuse", code="2220")
        with pytest.raises(refusals.NotSigned) as refusal:
            await shop.sell(key=KEY)
        assert (refusal.value.answer_class, refusal.value.pfr_code) == (AnswerClass.CURE, "2220")


async def test_a_processor_that_is_away_answers_wait(folder: Path) -> None:
    async with opened(folder, url=await unreachable()) as shop:
        with pytest.raises(refusals.NotSigned) as refusal:
            await shop.sell()
        assert refusal.value.answer_class is AnswerClass.WAIT
        with pytest.raises(refusals.OutcomeNotKnown):  # was it signed before a restore?
            await shop.sell(key=KEY)
        assert shop.state(KEY) == "released"


async def test_a_restart_in_the_middle_looks_up_before_anything_else(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.fault("sign_then_drop")
        with pytest.raises(refusals.OutcomeNotKnown):
            await shop.sell(key=KEY)
    async with opened(folder) as shop:
        await shop.until(KEY, "signed")
        assert len(shop.ledger()) == 1


async def test_a_keyless_twin_is_not_signed_beside_an_open_one(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.fault("drop")
        with pytest.raises(refusals.OutcomeNotKnown) as first:
            await shop.sell()
        with pytest.raises(refusals.OutcomeNotKnown) as twin:
            await shop.sell()
        assert twin.value.receipt_id == first.value.receipt_id


async def test_a_keyless_body_gets_the_receipt_that_did_not_arrive(folder: Path) -> None:
    async with opened(folder) as shop:
        first = await shop.sell()
        assert await shop.sell() == first
        shop.journal.mark_delivered(first.command.id, now=shop.service.clock.now())
        await shop.sell()
        assert len(shop.ledger()) == 2


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


async def test_its_ten_minutes_begin_anew_with_a_restart_and_not_again_when_they_are_over(
    folder: Path,
) -> None:
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


async def test_cancelling_binds_the_key_for_ever(folder: Path) -> None:
    async with opened(folder) as shop:
        state = cancel(service=shop.service, origin="local", key=KEY, cashier="Мика")
        assert state is RequestState.CANCELLED
        with pytest.raises(refusals.KeyBound):
            await shop.sell(key=KEY)
        assert shop.ledger() == []


async def test_on_an_uncounted_lane_used_elsewhere_a_person_is_asked(folder: Path) -> None:
    async with opened(folder, mode="vpfr") as shop:
        await _doubt_about_a_dropped_sale(shop)
        await shop.until(KEY, "needs_human")


async def _doubt_about_a_dropped_sale(shop: Shop) -> None:
    shop.fault("drop")
    with pytest.raises(refusals.OutcomeNotKnown):
        await shop.sell(key=KEY)


async def test_a_person_declares_absent_and_the_same_key_is_signed(folder: Path) -> None:
    async with opened(folder) as shop:
        shop.fault("wrong_total", lasting=True)
        with pytest.raises(refusals.OutcomeNotKnown) as doubt:
            await shop.sell(key=KEY)
        await shop.until(KEY, "needs_human")
        named_by = str(doubt.value.receipt_id)
        await declare_absent(service=shop.service, receipt_id=named_by, by="Управник")
        assert shop.state(KEY) == "released"
        with pytest.raises(
            refusals.OutcomeNotKnown
        ) as named:  # this time the error names the number
            await shop.sell(key=KEY)
        assert shop.ledger()[0].number in str(named.value)
        await declare_absent(service=shop.service, receipt_id=named_by, by="Управник")
        await shop.sell(key=KEY)
        assert len(shop.ledger()) == 2


async def test_a_person_brings_the_paper_of_a_doubted_receipt(folder: Path) -> None:
    async with opened(folder) as shop:
        await shop.sell(key="a" * 16)
        shop.processor.change(unreachable=["lookup"])
        shop.fault("sign_then_drop")
        with pytest.raises(refusals.OutcomeNotKnown) as doubt:
            await shop.sell(key=KEY)
        earlier, own = shop.ledger()
        named = str(doubt.value.receipt_id)
        bring = partial(declare_found, service=shop.service, receipt_id=named, by="Управник")
        for wrong in (_url(earlier), _url(own)[:-4] + "AAAA", "https://example.org"):
            with pytest.raises(Invalid) as refusal:
                bring(url=wrong)
            assert refusal.value.field == "verificationUrl"
        receipt = bring(url=_url(own))
        assert receipt.invoice_number == own.number
        assert shop.state(KEY) == "signed"


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        ({"requested_by": b"ZZZZ9999"}, "the secure element"),
        ({"buyer": b"10:123456788"}, "the buyer"),
        ({"total": 10_000}, "total"),
        ({}, None),
    ],
)
async def test_a_paper_that_differs_is_not_this_sales(
    folder: Path, other: dict[str, Any], differs: str | None
) -> None:
    """A person brings it: the secure element, the buyer and the total are compared too."""
    async with opened(folder) as shop:
        await shop.sell(key="a" * 16)
        shop.processor.change(unreachable=["lookup"])
        shop.fault("sign_then_drop")
        with pytest.raises(refusals.OutcomeNotKnown) as doubt:
            await shop.sell(key=KEY)
        seen = decode(_url(shop.ledger()[1]))
        members: dict[str, Any] = {
            "requested_by": seen.requested_by.encode(),
            "signed_by": seen.signed_by.encode(),
            "total_counter": seen.total_counter,
            "type_counter": seen.type_counter,
            "total": int(seen.total.amount * 10_000),
            "milliseconds": int(seen.moment.timestamp() * 1000),
        }
        named = str(doubt.value.receipt_id)
        bring = partial(declare_found, service=shop.service, receipt_id=named, by="Управник")
        if differs is None:
            assert bring(url=url(payload(**members))).invoice_number == str(seen.number)
            return
        with pytest.raises(refusals.WrongPaper, match=differs):
            bring(url=url(payload(**members | other)))
        assert shop.state(KEY) != "signed"


def _url(entry: LedgerEntry) -> str:
    url: str = json.loads(entry.answer)["verificationUrl"]
    return url


async def test_a_reference_takes_its_time_from_the_journal(folder: Path) -> None:
    async with opened(folder) as shop:
        first = await shop.sell(other(invoiceType="proforma"))
        number = first.receipt.invoice_number
        sold = await shop.sell(other(referentDocumentNumber=number))
        request = shop.journal.request(sold.receipt_id)
        assert request is not None
        assert request.document.referent_time == first.receipt.sdc_time
        with pytest.raises(Invalid) as refusal:
            await shop.sell(other(referentDocumentNumber="ABCD1234-ABCD1234-77"))
        assert refusal.value.field == "referentDocumentDT"
        assert len(shop.ledger()) == 2


@pytest.mark.parametrize("code", ["2220", "1999"])
async def test_a_code_in_place_of_the_status_lets_nothing_be_sent(folder: Path, code: str) -> None:
    async with opened(folder) as shop:
        shop.processor.change(status_code=code)
        with pytest.raises(refusals.NotSigned):  # no element is paired yet, so it can't begin
            await shop.sell(key="k" * 16)
        shop.processor.change(status_code=None)
        await shop.sell(key="k" * 16)
        shop.processor.change(status_code=code)
        before = shop.journal.lane(shop.journal.element())
        with pytest.raises(refusals.NotSigned) as refusal:
            await shop.sell(key="n" * 16)
        assert (refusal.value.answer_class, refusal.value.pfr_code) == (AnswerClass.CURE, code)
        assert shop.journal.lane(shop.journal.element()) == before
        assert len(shop.ledger()) == 1
        shop.processor.change(status_code=None)
        await shop.sell(key="n" * 16)
        assert len(shop.ledger()) == 2
