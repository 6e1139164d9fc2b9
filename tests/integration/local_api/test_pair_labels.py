"""A tax label ends between an advance and its closing: nothing of the pair is signed.

Source: exactly-once.md step 9.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, RateGroup, RateTable
from tests.integration.local_api import test_pairs
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

BACK = {"payments": {"cash": 589.9}} | BUYER | DELIVERED
BY_CARD = BACK | {"payments": {"card": 589.9}}


def end_label(server: Running, label: str) -> None:
    """Remove that label from the processor's rates, from now on."""
    last = PRODUCTION_RATES[1]
    left = tuple(one for one in last.categories if label not in one.rates)
    put(server, (*PRODUCTION_RATES[:2], RateGroup(9, datetime.now(UTC), left)))


def put(server: Running, rates: RateTable) -> None:
    processor = server.shop.processor
    processor.options = replace(processor.options, rates=rates)


CLOSING: tuple[dict[str, Any], str, dict[str, Any]] = (test_pairs.ADVANCE, "close", test_pairs.REST)
REFUND: tuple[dict[str, Any], str, dict[str, Any]] = (test_pairs.SALE, "refund", BACK)


@pytest.mark.parametrize(("sold", "operation", "body"), [CLOSING, REFUND])
async def test_nothing_of_the_pair_is_signed(
    folder: Path, sold: dict[str, Any], operation: str, body: dict[str, Any]
) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, sold)
        end_label(server, "Е")
        refused = await test_pairs.act(server, operation, number, body)
        told = error_of(refused)
        assert (refused.status_code, told["code"], told["class"]) == (400, 40012310, "fix")
        assert told["pfrCode"] == "2310"
        assert '"Е"' in told["message"]
        assert len(server.shop.ledger()) == 1
        assert server.shop.states(test_pairs.KEY) == ["released", "released"]
        put(server, Options().rates)  # the processor's mistake is corrected: the same key goes on
        done = await test_pairs.act(server, operation, number, body)
        assert done.status_code == 200, done.text
        assert len(server.shop.ledger()) == 3


async def test_a_single_receipt_is_the_processor_s_to_judge(folder: Path) -> None:
    """A refund has the rates of what it refunds; only the processor refuses a new sale."""
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.SALE)
        end_label(server, "Е")
        back = await test_pairs.act(server, "refund", number, BY_CARD, headers=None)
        assert back.status_code == 200, back.text
        sold = error_of(await server.issue(test_pairs.SALE, headers=test_pairs.KEYED))
        assert (sold["code"], sold["class"]) == (40012310, "fix")
        assert server.shop.states(test_pairs.KEY) == ["rejected"]


@pytest.mark.parametrize("ends", ["Ђ", "Г"])
async def test_the_end_of_another_label_is_nothing_to_it(folder: Path, ends: str) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        end_label(server, ends)
        done = await test_pairs.act(server, "close", number, test_pairs.REST)
        assert done.status_code == 200, done.text
