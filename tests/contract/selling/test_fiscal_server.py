"""The contract of every connection to the local API server: in memory, and over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.receipt.server_status import JournalCompared, ProcessorState, ServerStatus
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.selling.sale.sale import NOT_COMPARED, RememberedJournal
from pos_app.selling.server import answers
from pos_app.selling.server.ports import FiscalServer, OutgoingSale
from tests.fakes.fiscal_app import INSTALL, URL, FiscalApp
from tests.fakes.fiscal_server import REASONS, Fault, FiscalServerInMemory

KEY = "0123456789abcdef0123456789abcdef"
PARCEL = OutgoingSale(KEY, 1, "Мира Ђ./", b'{"items":[]}')


@dataclass
class Both:
    port: FiscalServer
    behind: FiscalServerInMemory


@pytest.fixture(params=["memory", "http"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def server(way: str) -> AsyncIterator[Both]:
    behind = FiscalServerInMemory()
    if way == "memory":
        yield Both(behind, behind)
        return
    async with LocalApi(URL, INSTALL, connection=FiscalApp(behind).line()) as api:
        yield Both(FiscalHttp(api), behind)


async def test_till_and_journal_witness_each_other(way: str) -> None:
    async with server(way) as both:
        first = await both.port.witness(RememberedJournal())
        assert first == JournalCompared(both.behind.mark(), agrees=True)
        copy = both.behind.copy()
        await both.port.issue(PARCEL)
        seen = await both.port.witness(RememberedJournal(first.journal))
        assert seen == JournalCompared(both.behind.mark(), True, PARCEL.sequence, KEY)
        both.behind.put_back(copy)
        told = await both.port.witness(RememberedJournal(seen.journal, "E"))
        assert (told.agrees, told.last_sequence, told.last_key) == (False, None, None)
        assert told.epoch
        assert both.behind.witnessed[-1] == RememberedJournal(seen.journal, "E")


async def test_what_is_newer_than_a_restore_can_be_denied(way: str) -> None:
    async with server(way) as both:
        both.behind.find_restored("other_machine")
        for older in ("before", None):
            assert await both.port.cancel(KEY, epoch=older) == answers.NotCancelled("restored")
            asked = await both.port.look_up(KEY, epoch=older)
            assert asked == answers.StillOpen(f"of {KEY}", "restored")
        newer = both.behind.epoch
        assert await both.port.look_up(KEY, epoch=newer) == answers.NotIssued()
        assert await both.port.cancel(KEY, epoch=newer) == answers.Cancelled()


async def test_what_was_not_compared_yet_is_neither_denied_nor_cancelled(way: str) -> None:
    async with server(way) as both:
        both.behind.compared = False
        assert await both.port.look_up(KEY) == answers.StillOpen(f"of {KEY}", "not_compared")
        told = await both.port.cancel(KEY)
        assert isinstance(told, answers.RefusedByServer)
        assert told.reason.answer_class is AnswerClass.WAIT
        assert told.reason.code == NOT_COMPARED
        both.behind.compared = True
        assert await both.port.cancel(KEY) == answers.Cancelled()


async def test_what_is_older_than_a_restore_is_only_asked_for(way: str) -> None:
    async with server(way) as both:
        both.behind.find_restored("other_machine")
        assert await both.port.look_up(KEY) == answers.StillOpen(f"of {KEY}", "restored")
        told = await both.port.issue(replace(PARCEL, is_from_before_restore=True))
        assert isinstance(told, answers.Unclear)
        assert told.receipt_id is not None
        assert await both.port.look_up(KEY) == answers.StillOpen(
            told.receipt_id, RequestState.NEEDS_HUMAN
        )
        newer = replace(PARCEL, key="a" * 32, sequence=2, epoch=both.behind.epoch)
        assert isinstance(await both.port.issue(newer), answers.Issued)
        assert both.behind.ledger == ["a" * 32]


async def test_what_the_processor_is_proven_not_to_have_is_denied(way: str) -> None:
    async with server(way) as both:
        signed = await both.port.issue(PARCEL)
        assert isinstance(signed, answers.Issued)
        number = signed.receipt.invoice_number
        both.behind.processor_remembers = None
        assert isinstance(await both.port.remembers(PARCEL, number), answers.NoAnswer)
        both.behind.processor_remembers = True
        assert await both.port.remembers(PARCEL, number) is True
        assert await both.port.remembers(PARCEL, f"{number}9") is False
        both.behind.find_restored("till_witness")
        lost = replace(
            PARCEL, key="b" * 32, sequence=2, is_from_before_restore=True, is_provable=True
        )
        assert isinstance(await both.port.issue(lost), answers.Unclear)
        assert isinstance(await both.port.issue(lost), answers.Unclear)
        assert isinstance(await both.port.issue(lost), answers.RefusedByServer)
        assert both.behind.kept[lost.key].state is RequestState.RELEASED
        both.behind.running = False
        assert isinstance(await both.port.remembers(PARCEL, number), answers.NoAnswer)


async def test_a_stranger_is_told(way: str) -> None:
    async with server(way) as both:
        for who in ("foreign", "other_install", "other_environment", "other_version"):
            both.behind.stranger = who
            told = await both.port.prove()
            assert isinstance(told, answers.ForeignServer), who
            assert told.reason.code == who


async def test_nobody_is_told(way: str) -> None:
    async with server(way) as both:
        both.behind.running = False
        assert isinstance(await both.port.prove(), answers.NoAnswer)
        assert isinstance(await both.port.witness(RememberedJournal()), answers.NoAnswer)
        assert isinstance(await both.port.status(), answers.NoAnswer)
        assert isinstance(await both.port.look_up(KEY), answers.NoAnswer)
        assert isinstance(await both.port.cancel(KEY), answers.NoAnswer)
        assert isinstance(await both.port.issue(PARCEL), answers.Undelivered)
        assert both.behind.handed == []


async def test_the_status_tells_the_processor(way: str) -> None:
    async with server(way) as both:
        for state in ProcessorState:
            both.behind.processor = state
            told = await both.port.status()
            assert isinstance(told, ServerStatus)
            assert told.processor.state is state
            assert told.not_fiscal


async def test_the_same_key_is_signed_once(way: str) -> None:
    async with server(way) as both:
        first = await both.port.issue(PARCEL)
        assert both.behind.handed == [PARCEL], "as it was frozen"
        assert (await both.port.issue(PARCEL), await both.port.look_up(KEY)) == (first, first)
        other = await both.port.issue(OutgoingSale(KEY, 1, "", b'{"items":[1]}'))
        assert isinstance(other, answers.RefusedByServer), "a bound key takes no other body"
        assert other.reason.answer_class is AnswerClass.FIX
        assert await both.port.cancel(KEY) == answers.NotCancelled(RequestState.SIGNED)
        assert both.behind.ledger == [KEY]


@pytest.mark.parametrize("fault", [Fault.NOT_DELIVERED, Fault.AT_THE_DOOR])
async def test_what_was_not_looked_at_is_not_delivered(way: str, fault: Fault) -> None:
    async with server(way) as both:
        both.behind.faults.append(fault)
        assert isinstance(await both.port.issue(PARCEL), answers.Undelivered)
        assert both.behind.ledger == []


@pytest.mark.parametrize("fault", [Fault.WAIT, Fault.CURE, Fault.FIX])
async def test_a_refusal_keeps_its_class_and_leaves_the_key_free(way: str, fault: Fault) -> None:
    async with server(way) as both:
        both.behind.faults.append(fault)
        assert await both.port.issue(PARCEL) == answers.RefusedByServer(REASONS[fault])
        assert await both.port.look_up(KEY) == answers.NotIssued()
        assert isinstance(await both.port.issue(PARCEL), answers.Issued)


@pytest.mark.parametrize(
    ("fault", "signed"),
    [(Fault.REQUEST_LOST, False), (Fault.ANSWER_LOST, True), (Fault.ANSWER_WITHOUT_SENSE, True)],
)
async def test_a_lost_answer_is_unclear_until_found(way: str, fault: Fault, signed: bool) -> None:
    async with server(way) as both:
        both.behind.faults.append(fault)
        told = await both.port.issue(PARCEL)
        assert isinstance(told, answers.Unclear)
        assert not told.answered
        assert isinstance(
            await both.port.look_up(KEY), answers.Issued if signed else answers.NotIssued
        )


async def test_of_a_damaged_receipt_its_number_is_told(way: str) -> None:
    """The receipt is signed once and never denied, neither to a repetition nor to a look-up."""
    async with server(way) as both:
        issued = await both.port.issue(PARCEL)
        assert isinstance(issued, answers.Issued)
        both.behind.damaged = True
        told = answers.IssuedUnreadable(issued.receipt_id, issued.receipt.invoice_number)
        assert (await both.port.issue(PARCEL), await both.port.look_up(KEY)) == (told, told)
        assert both.behind.ledger == [KEY]


async def test_a_doubt_of_the_server_is_open_until_it_is_found_out(way: str) -> None:
    async with server(way) as both:
        both.behind.faults.append(Fault.IN_DOUBT)
        told = await both.port.issue(PARCEL)
        assert told == answers.Unclear(REASONS[Fault.IN_DOUBT], "receipt-1", answered=True)
        assert await both.port.look_up(KEY) == answers.StillOpen("receipt-1", RequestState.UNKNOWN)
        assert await both.port.cancel(KEY) == answers.NotCancelled(RequestState.UNKNOWN)
        both.behind.find_out(signed=True)
        assert isinstance(await both.port.look_up(KEY), answers.Issued)


async def test_a_cancelled_key_is_never_signed(way: str) -> None:
    async with server(way) as both:
        assert await both.port.cancel(KEY) == answers.Cancelled()
        assert await both.port.cancel(KEY) == answers.Cancelled()
        told = await both.port.issue(PARCEL)
        assert isinstance(told, answers.RefusedByServer)
        assert both.behind.ledger == []
