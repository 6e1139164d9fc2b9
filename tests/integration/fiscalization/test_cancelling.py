"""A till cancels a sale that has not been sent (exactly-once.md, "Who retries")."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.domain.receipt.states import RequestState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.refusals import KeyBound, OutcomeNotKnown
from tests.integration.fiscalization.late_shop import LateShop, late_shop

KEY = "k" * 16


def cancelled(shop: LateShop) -> RequestState:
    return cancel(service=shop.service, origin="local", key=KEY, cashier="Мика")


async def test_a_sale_whose_turn_has_not_come_is_cancelled_and_never_sent(folder: Path) -> None:
    async with late_shop(folder) as shop:

        async def cancels_meanwhile() -> bool:
            assert shop.state(KEY) == "queued"
            assert cancelled(shop) is RequestState.CANCELLED
            return True

        with pytest.raises(KeyBound):
            await shop.sell(key=KEY, waits=cancels_meanwhile)
        assert shop.state(KEY) == "cancelled"
        assert shop.processor.ledger == []


async def test_a_sale_that_was_sent_is_not_cancelled(folder: Path) -> None:
    async with late_shop(folder) as shop:
        shop.processor.keeps_back = True
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        with pytest.raises(NotAllowed):
            cancelled(shop)
        shop.processor.execute_late()
        await shop.until(KEY, "signed")
