"""The till's client at a server whose stored answer is damaged: the sale ends as signed.

Source: exactly-once.md, I2 (an issued receipt is never denied).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pos_app.adapters.api_client.exchange import LocalApi, Reply, refused
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.errors import Unreadable
from pos_app.selling.outbox.answer_effects import after_cancelling, after_looking_up, after_sending
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server import answers
from pos_app.selling.server.ports import OutgoingSale
from tests.integration.local_api import test_pairs
from tests.integration.local_api.half_pairs import WHO, refused_closing, said
from tests.integration.local_api.test_damaged_answers import COLUMNS, signed_in, spoil
from tests.integration.local_api.wires import running


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_sale_ends_as_signed_with_its_number(folder: Path, column: str) -> None:
    sale = OutgoingSale(test_pairs.KEY, 1, "Мира", json.dumps(test_pairs.SALE).encode())
    async with running(folder) as server:
        issued = (
            await server.issue(test_pairs.SALE, headers={**test_pairs.KEYED, **server.till})
        ).json()
        spoil(folder, column, issued["id"])
        async with LocalApi(server.url, server.install) as api:
            client = FiscalHttp(api)
            found: answers.LookUpAnswer = await client.look_up(test_pairs.KEY)
            again = await client.issue(sale)
        told = answers.IssuedUnreadable(issued["id"], issued["invoiceNumber"])
        assert (found, again) == (told, told)
        for verdict in (after_sending(again), after_looking_up(found, None)):
            assert verdict.state is SaleState.DONE
            assert verdict.receipt is not None
            assert verdict.receipt.fiscal_number == issued["invoiceNumber"]
        assert signed_in(server) == [issued["invoiceNumber"]]


async def test_an_act_about_it_says_that_it_is_issued(folder: Path) -> None:
    """The till sees neither a doubt nor "try again": the receipt is signed, and the new act surely
    is not done."""
    async with running(folder) as server:
        issued = (
            await server.issue(test_pairs.SALE, headers={**test_pairs.KEYED, **server.till})
        ).json()
        spoil(folder, "answer", issued["id"])
        answer = await server.issue(test_pairs.SALE, headers={**test_pairs.KEYED, **server.till})
        error = refused(Reply(answer.status_code, answer.json()))
        assert isinstance(error, Unreadable)
        assert error.values["number"] == issued["invoiceNumber"]


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_closing_ends_with_its_sale(folder: Path, column: str) -> None:
    """Number and id are those of the same receipt."""
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        answer = await test_pairs.act(
            server, "close", number, test_pairs.REST, headers={**test_pairs.KEYED, **server.till}
        )
        refund, sale = answer.json()
        spoil(folder, column, refund["id"])
        async with LocalApi(server.url, server.install) as api:
            found = await FiscalHttp(api).look_up(test_pairs.KEY)
        assert isinstance(found, answers.IssuedUnreadable)
        told = after_looking_up(found, None, Operation.CLOSE).receipt
        assert told is not None
        assert (told.receipt_id, told.fiscal_number) == (sale["id"], sale["invoiceNumber"])


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("place", [0, 1])
async def test_an_undone_closing_is_not_told_as_done(folder: Path, column: str, place: int) -> None:
    """Neither the look-up nor a repeat reports it as done, and it can be put away."""
    async with running(folder) as server:
        keyed = {**test_pairs.KEYED, **server.till}
        closing = await refused_closing(server, headers=keyed)
        undone = await said(server, closing, "reverse", WHO)
        assert undone.json()["state"] == "reversed"
        async with LocalApi(server.url, server.install) as api:
            till = FiscalHttp(api)
            assert await till.look_up(test_pairs.KEY) == answers.StillOpen(closing, "reversed")
            ids = [
                closing,
                receipt_id(origin=till_origin(server.install.till_id), key=test_pairs.KEY, child=1),
            ]
            spoil(folder, column, ids[place])
            found = await till.look_up(test_pairs.KEY)
            assert found == answers.StillOpen(closing, "reversed")
            told = after_looking_up(found, None, Operation.CLOSE)
            assert told.state is SaleState.REFUSED
            advance = server.shop.ledger()[0].number
            again = await test_pairs.act(server, "close", advance, test_pairs.REST, headers=keyed)
            assert (again.status_code, again.json()["state"]) == (500, "reversed")
            cancelled = await till.cancel(test_pairs.KEY)
            assert cancelled == answers.NotCancelled("reversed")
            assert after_cancelling(cancelled).state is SaleState.CANCELLED
