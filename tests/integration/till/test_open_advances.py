"""The open advances of a journal, as the till gets them from the real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.sqlite.receipt_index import advances
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.errors import OutcomeUnknown
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.plans.lifecycle import LifecycleStage, lifecycle_stage_of
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization import test_operations
from tests.integration.fiscalization.shop import SALE
from tests.integration.local_api.wires import Running, running
from tests.integration.till.test_fiscal_http import http, listening, says

UNKNOWN = test_operations.ADVANCE | {"unknownAmountAdvance": True, "items": [test_operations.TABLE]}
NEXT = {"payments": {"wiretransfer": 3000}, **test_operations.PDF}

_KEYS = count()


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[tuple[Running, ServerReceipts]]:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        yield server, receipts_at(api)


async def sold(server: Running, body: dict[str, Any]) -> IssuedReceipts:
    return await server.shop.sell(body, key=f"{next(_KEYS):016}")


async def acted(server: Running, operation: str, reference: str, body: dict[str, Any]) -> str:
    issued = await server.shop.act(operation, reference, body, key=f"{next(_KEYS):016}")
    return issued.receipts[-1].receipt.invoice_number


async def test_each_open_advance_is_told_with_what_is_paid_and_what_remains(folder: Path) -> None:
    async with asked(folder) as (server, receipts):
        assert (await receipts.advances()).advances == ()
        await sold(server, SALE)
        first = await sold(server, test_operations.ADVANCE | test_operations.BUYER)
        second = await acted(server, "advance", first.receipt.invoice_number, NEXT)
        copied = await acted(server, "copy", second, test_operations.PDF)
        unknown = await sold(server, UNKNOWN)
        closed = await sold(server, test_operations.ADVANCE)
        await acted(
            server,
            "close",
            closed.receipt.invoice_number,
            test_operations.REST | {"payments": {"cash": 12000}},
        )
        gone = await sold(server, test_operations.ADVANCE)
        await acted(
            server,
            "refund",
            gone.receipt.invoice_number,
            {"payments": {"cash": 6000}, **test_operations.BUYER, **test_operations.PDF},
        )
        paid = await sold(server, test_operations.ADVANCE)
        await acted(
            server, "advance", paid.receipt_id, {"payments": {"card": 12000}, **test_operations.PDF}
        )
        told = await receipts.advances()
        assert told.is_whole
        in_full, not_known, known = told.advances
        assert (in_full.paid, in_full.total, in_full.remaining) == (Money(18000),) * 2 + (Money(0),)
        assert in_full.is_paid
        assert (not_known.total, not_known.remaining, not_known.is_paid) == (None, None, False)
        assert (not_known.paid, not_known.number) == (Money(6000), unknown.receipt.invoice_number)
        overview = (await receipts.receipt(second)).overview
        assert known == OpenAdvance(
            receipt_id=overview.receipt_id,
            number=second,
            time=overview.time,
            since=first.receipt.sdc_time,
            touched=overview.time,
            paid=Money(9000),
            ordered=overview.advance.lines[0].name if overview.advance else "",
            lines=2,
            numbers=(first.receipt.invoice_number, second, copied),
            buyer=test_operations.BUYER["buyerId"],
            total=Money(18000),
        )
        assert (await server.ask("POST", "/till/receipts/advances", json={})).status_code in {
            401,
            403,
            404,
        }


async def test_a_refund_of_a_part_touches_it_and_it_stays_open(folder: Path) -> None:
    async with asked(folder) as (server, receipts):
        first = await sold(server, test_operations.ADVANCE)
        other = await sold(server, test_operations.ADVANCE)
        body = {
            "payments": {"card": 1000},
            "advanceSpecification": {"Ђ": 1000},
            **test_operations.BUYER,
            **test_operations.PDF,
        }
        refund = await acted(server, "refund", first.receipt.invoice_number, body)
        told = (await receipts.advances()).advances
        assert [one.receipt_id for one in told] == [first.receipt_id, other.receipt_id]
        assert (told[0].paid, told[0].remaining) == (Money(5000), Money(13000))
        assert told[0].touched == (await receipts.receipt(refund)).overview.time
        assert told[0].number == first.receipt.invoice_number


async def test_a_chain_that_cannot_be_read_keeps_no_other_back(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked(folder) as (server, receipts):
        spoilt = await sold(server, test_operations.ADVANCE)
        sound = await sold(server, test_operations.ADVANCE)
        monkeypatch.setattr(advances, "AT_ONCE", 0)
        assert not (await receipts.advances()).is_whole
        monkeypatch.undo()
        inner = connection_of(server.shop.journal)
        inner.execute("DROP TRIGGER requests_final")
        inner.execute("UPDATE requests SET planned = x'00' WHERE id = ?", (spoilt.receipt_id,))
        told = await receipts.advances()
        assert [one.receipt_id for one in told.advances] == [sound.receipt_id]
        assert not told.is_whole
        assert "left out of the open advances" in caplog.text


async def test_those_told_are_those_that_the_lifecycle_calls_open(folder: Path) -> None:
    """Each kind of end, and an undone closing, are compared with the table of lawful acts."""
    async with asked(folder) as (server, receipts):
        shop = server.shop
        chains = [(await sold(server, test_operations.ADVANCE)).receipt_id for _ in range(4)]
        await acted(
            server, "close", chains[0], test_operations.REST | {"payments": {"cash": 12000}}
        )
        await acted(
            server,
            "refund",
            chains[1],
            {"payments": {"cash": 6000}, **test_operations.BUYER, **test_operations.PDF},
        )
        await acted(server, "advance", chains[2], NEXT)
        told = {one.numbers[0] for one in (await receipts.advances()).advances}
        expected = set()
        for chain_id in chains:
            chain = shop.journal.chain(chain_id)
            if lifecycle_stage_of(chain.links[0], chain) is LifecycleStage.OPEN:
                expected.add(chain.links[0].reference.number)
        assert told == expected
        assert len(told) == 2


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"advances":[{}],"isWhole":true}', b"1"])
async def test_an_answer_without_sense_is_unknown(body: bytes) -> None:
    async with listening(says(http(200, body))) as api:
        with pytest.raises(OutcomeUnknown):
            await asyncio.wait_for(receipts_at(api).advances(), 5)
