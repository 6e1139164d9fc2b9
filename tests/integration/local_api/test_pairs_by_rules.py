"""Half-done pairs in shops that chose rules of their own: corrected and undone, over HTTP. Nothing
of a pair is signed where its tax label ended.

Source: exactly-once.md step 9; fiscal.md 6.2, 6.4 and 6.7; the settings `esir.*`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pos_app.fiscalization.plans.shop_choices import USUAL, ShopChoices
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, RateGroup, RateTable
from tests.integration.local_api import test_half_done_pairs as half_pairs
from tests.integration.local_api import test_pairs
from tests.integration.local_api.test_receipts import keyed
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import error_of

CLOSING_IN_CASH = ShopChoices(closing_refund_in_cash=True)
EVERY_COPY = ShopChoices(copy_of_every_refund=True)
RESTRICTED = ShopChoices(restricted_payments=True)
ON_CARD = test_pairs.ADVANCE | {"payments": {"card": 100}}
SALE, BACK, REST = test_pairs.SALE, test_pairs.BACK, test_pairs.REST
BY_CARD, BY_CHECK, BY_VOUCHER = (
    BACK | {"payments": {method: 589.9}} for method in ("card", "check", "voucher")
)


class Pair(NamedTuple):
    """The pair of receipts that one operation signs, and the method that pays each. other: a body
    with other payments than its refund records."""

    rules: ShopChoices
    operation: str
    sold: dict[str, Any]
    body: dict[str, Any]
    first: str
    second: str
    other: dict[str, Any] | None = None

    async def half_done(self, server: Running, key: str) -> str:
        """Return the operation's id, once its second receipt is refused."""
        number = await test_pairs.begun(server, self.sold)
        return await half_pairs.refused(
            server, self.operation, number, self.body, headers=keyed(key)
        )


PAIRS = {
    "usual-refund": Pair(USUAL, "refund", SALE, BACK, "cash", "cash", BY_CARD),
    "closing-in-cash": Pair(CLOSING_IN_CASH, "close", ON_CARD, REST, "cash", "card"),
    "every-copy": Pair(EVERY_COPY, "refund", SALE, BY_CARD, "card", "card", BY_CHECK),
    "restricted-refund": Pair(RESTRICTED, "refund", SALE, BY_CARD, "cash", "cash", BY_VOUCHER),
    "restricted-close": Pair(RESTRICTED, "close", ON_CARD, REST, "cash", "cash"),
}
_METHODS = {1: "cash", 2: "card"}


def paid(server: Running, since: int) -> list[str]:
    """Return the methods that paid the receipts from that position of the ledger on."""
    places = range(since, len(server.shop.ledger()))
    asked = [half_pairs.sent(server, place)["payment"] for place in places]
    return [_METHODS[one["paymentType"]] for payments in asked for one in payments]


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
async def test_a_pair_is_corrected_and_undone_as_it_was_signed(folder: Path, pair: Pair) -> None:
    """The same body again is no contradiction; other payments than the refund records are one."""
    async with running(folder, rules=pair.rules) as server:
        receipt_id = await pair.half_done(server, "corrected-0123456")
        if pair.other is not None:
            wrong = await half_pairs.corrected(server, receipt_id, pair.other)
            keys = error_of(wrong)["validation"]["body"]["keys"]
            assert (wrong.status_code, keys) == (400, ["payments"])
        whole = await half_pairs.corrected(server, receipt_id, pair.body)
        assert len(half_pairs.kinds(whole)) == 2
        assert paid(server, 1) == [pair.first, pair.second]
        receipt_id = await pair.half_done(server, "reversed-01234567")
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        assert ended.json()["state"] == "reversed"
        assert paid(server, 4) == [pair.first, pair.first]


CHANGED = [
    (USUAL, Pair(CLOSING_IN_CASH, "close", ON_CARD, REST, "cash", "card")),
    (RESTRICTED, Pair(USUAL, "close", ON_CARD, REST, "card", "cash")),
    (USUAL, Pair(RESTRICTED, "refund", SALE, BY_CARD, "cash", "cash")),
]


@pytest.mark.parametrize(("since", "pair"), CHANGED)
async def test_a_rule_that_changed_since_changes_nothing_of_what_is_signed(
    folder: Path, since: ShopChoices, pair: Pair
) -> None:
    """The sale of a closing follows today's rules; a copy follows the rules of its refund."""
    async with running(folder, rules=pair.rules) as server:
        receipt_id = await pair.half_done(server, test_pairs.KEY)
    async with running(folder, rules=since) as server:
        body = pair.body | {"additionalText": "исправљено"}
        whole = await half_pairs.corrected(server, receipt_id, body)
        assert len(half_pairs.kinds(whole)) == 2
        assert paid(server, 1) == [pair.first, pair.second]


# --- a label that ends ---------------------------------------------------------------------------


def end_label(server: Running, label: str) -> None:
    """Remove that label from the processor's rates, from now on."""
    last = PRODUCTION_RATES[1]
    left = tuple(one for one in last.categories if label not in one.rates)
    put(server, (*PRODUCTION_RATES[:2], RateGroup(9, datetime.now(UTC), left)))


def put(server: Running, rates: RateTable) -> None:
    processor = server.shop.processor
    processor.options = replace(processor.options, rates=rates)


@test_pairs.BOTH
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
