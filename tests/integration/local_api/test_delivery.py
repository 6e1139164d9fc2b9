"""Printers that are not there are refused by name, before anything is signed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.domain.receipt.states import AnswerClass
from pos_app.wire.problem import problem_from_json
from tests.integration.local_api.test_receipts import KEY, SALE
from tests.integration.local_api.wires import running


@pytest.mark.parametrize(("member", "wanted"), [("thermalPrinter", True), ("a4Printer", True)])
async def test_a_delivery_that_is_not_offered_is_refused_before_signing(
    folder: Path, member: str, wanted: object
) -> None:
    async with running(folder) as server:
        asked = SALE | {"receiptDelivery": {"pdf": True, member: wanted}}
        answer = await server.issue(asked, headers={"Idempotency-Key": KEY})
        assert answer.status_code == 400
        told = problem_from_json(400, answer.json())
        assert told is not None
        assert f'"receiptDelivery.{member}"' in told.message
        assert told.answer_class is AnswerClass.FIX
        assert server.shop.ledger() == []
        assert server.shop.journal.command_by_key("local", KEY) is None


@pytest.mark.parametrize("member", ["thermalPrinter", "a4Printer"])
async def test_a_printer_that_is_not_wanted_is_no_matter(folder: Path, member: str) -> None:
    async with running(folder) as server:
        asked = SALE | {"receiptDelivery": {"pdf": False, member: False}}
        assert (await server.issue(asked)).status_code == 200
        assert len(server.shop.ledger()) == 1
