"""A receipt that a person confirmed by its paper is the shop's own: it is no foreign traffic.

Source: exactly-once.md, steps 3 and 12.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.fiscalization.ports import StateReason
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.test_token_routes import in_doubt, post, reachable_again
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import RECEIPTS, error_of

UNKNOWN_KEY = "never-seen-0123456789"


async def asked_of_person(server: Running) -> tuple[str, str]:
    """Return the id of a receipt in a person's doubt, and the address on its paper; the processor
    is away."""
    receipt_id = await in_doubt(server)
    server.shop.processor.change(unreachable={"lookup", "status"})
    reason = StateReason(AnswerClass.UNKNOWN, "away", "The processor has not answered.")
    journal, now = server.shop.journal, server.shop.service.clock.now()
    journal.settle(receipt_id, RequestState.NEEDS_HUMAN, reason=reason, now=now)
    return receipt_id, json.loads(server.shop.ledger()[-1].answer)["verificationUrl"]


async def confirm(server: Running, receipt_id: str, url: str) -> None:
    body = {"verificationUrl": url, "by": "Мика"}
    status, told = await post(server, f"/till/doubts/{receipt_id}/found", body)
    assert (status, told.get("id")) == (200, receipt_id), told


async def nothing_is_doubted(server: Running) -> None:
    """There is no alarm; an unknown key is denied and a faulty request refused, as on any day."""
    assert (await server.status())["alarms"] == []
    look_up = await server.ask("GET", f"{RECEIPTS}/key:{UNKNOWN_KEY}")
    assert look_up.status_code == 404, look_up.text
    wrong = SALE | {"payments": {"cash": 1}}
    refused = await server.issue(wrong, headers={"Idempotency-Key": UNKNOWN_KEY})
    assert (refused.status_code, error_of(refused)["class"]) == (400, "fix")


@pytest.mark.parametrize("sold_before", [0, 1])
async def test_it_explains_the_counter_when_the_processor_is_back(
    folder: Path, sold_before: int
) -> None:
    async with running(folder) as server:
        for _ in range(sold_before):
            assert (await server.issue(SALE)).status_code == 200
        receipt_id, url = await asked_of_person(server)
        await confirm(server, receipt_id, url)
        reachable_again(server)
        await until(lambda: server.shop.lane.closed() is None)
        assert (await server.issue(SALE)).status_code == 200
        await nothing_is_doubted(server)


async def test_it_explains_the_counter_after_a_restart(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id, url = await asked_of_person(server)
        await confirm(server, receipt_id, url)
    async with running(folder) as server:
        await nothing_is_doubted(server)


async def test_confirmed_between_two_questions_it_explains_the_counter(folder: Path) -> None:
    """The processor is slow to look up, so the person is faster than the comparison."""
    async with running(folder) as server:
        receipt_id, url = await asked_of_person(server)
        server.shop.processor.change(unreachable={"lookup"})
        await until(lambda: server.shop.lane.closed() is None)
        await confirm(server, receipt_id, url)
        reachable_again(server)
        assert (await server.issue(SALE)).status_code == 200
        await nothing_is_doubted(server)
