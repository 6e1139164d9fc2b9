"""The till's client at a server whose stored answer is damaged: the sale ends as signed.

Source: exactly-once.md, I2 (an issued receipt is never denied).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pos_app.adapters.api_client.exchange import LocalApi, Reply, refused
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.errors import Unreadable
from pos_app.selling.outbox.answer_effects import after_looking_up, after_sending
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.answers import IssuedUnreadable, LookUpAnswer
from pos_app.selling.server.ports import OutgoingSale
from tests.integration.local_api.test_damaged_answers import COLUMNS, signed_in, spoil
from tests.integration.local_api.test_pairs import KEY, KEYED, SALE
from tests.integration.local_api.wires import running


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_sale_ends_as_signed_with_its_number(folder: Path, column: str) -> None:
    sale = OutgoingSale(KEY, 1, "Мира", json.dumps(SALE).encode())
    async with running(folder) as server:
        issued = (await server.issue(SALE, headers={**KEYED, **server.till})).json()
        spoil(folder, column, issued["id"])
        async with LocalApi(server.url, server.install) as api:
            client = FiscalHttp(api)
            found: LookUpAnswer = await client.look_up(KEY)
            again = await client.issue(sale)
        told = IssuedUnreadable(issued["id"], issued["invoiceNumber"])
        assert (found, again) == (told, told)
        for verdict in (after_sending(again), after_looking_up(found, None)):
            assert verdict.state is SaleState.DONE
            assert verdict.receipt is not None
            assert verdict.receipt.fiscal_number == issued["invoiceNumber"]
        assert signed_in(server) == [issued["invoiceNumber"]]


async def test_an_act_about_it_says_that_it_is_issued(folder: Path) -> None:
    """Neither a doubt nor "try again": it is signed, and what was asked for is surely not done."""
    async with running(folder) as server:
        issued = (await server.issue(SALE, headers={**KEYED, **server.till})).json()
        spoil(folder, "answer", issued["id"])
        answer = await server.issue(SALE, headers={**KEYED, **server.till})
        error = refused(Reply(answer.status_code, answer.json()))
        assert isinstance(error, Unreadable)
        assert error.values["number"] == issued["invoiceNumber"]
