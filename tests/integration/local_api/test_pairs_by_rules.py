"""Half-done pairs in shops that chose rules of their own: corrected and undone, over HTTP.

Source: exactly-once.md step 9; fiscal.md 6.2, 6.4 and 6.7; the settings `esir.*`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pos_app.fiscalization.plans.shop_choices import USUAL, ShopChoices
from tests.integration.local_api import half_pairs, test_pairs
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import error_of
from tests.sweep import sampled

CLOSING_IN_CASH = ShopChoices(closing_refund_in_cash=True)
EVERY_COPY = ShopChoices(copy_of_every_refund=True)
RESTRICTED = ShopChoices(restricted_payments=True)
ON_CARD = test_pairs.ADVANCE | {"payments": {"card": 100}}
BY_CARD = test_pairs.BACK | {"payments": {"card": 589.9}}
BY_CHECK = test_pairs.BACK | {"payments": {"check": 589.9}}


class Pair(NamedTuple):
    """The pair of receipts that one operation signs, and the method that pays each."""

    rules: ShopChoices
    operation: str
    sold: dict[str, Any]
    body: dict[str, Any]
    first: str
    second: str

    async def half_done(self, server: Running) -> str:
        """Return the operation's id, once its second receipt is refused."""
        return await half_pairs.refused(
            server, self.operation, await test_pairs.begun(server, self.sold), self.body
        )


PAIRS = [
    pytest.param(
        Pair(USUAL, "close", test_pairs.ADVANCE, test_pairs.REST, "cash", "card"), id="usual-close"
    ),
    pytest.param(
        Pair(USUAL, "refund", test_pairs.SALE, test_pairs.BACK, "cash", "cash"), id="usual-refund"
    ),
    pytest.param(
        Pair(CLOSING_IN_CASH, "close", ON_CARD, test_pairs.REST, "cash", "card"),
        id="closing-in-cash",
    ),
    pytest.param(
        Pair(EVERY_COPY, "refund", test_pairs.SALE, BY_CARD, "card", "card"), id="every-copy"
    ),
    pytest.param(
        Pair(RESTRICTED, "refund", test_pairs.SALE, BY_CARD, "cash", "cash"), id="restricted-refund"
    ),
    pytest.param(
        Pair(RESTRICTED, "close", ON_CARD, test_pairs.REST, "cash", "cash"), id="restricted-close"
    ),
]

_METHODS = {1: "cash", 2: "card"}


def paid(server: Running, place: int) -> list[str]:
    """Return the methods that paid the receipt at that position of the ledger."""
    asked: dict[str, Any] = json.loads(server.shop.ledger()[place].request)
    return [_METHODS[one["paymentType"]] for one in asked["payment"]]


@pytest.mark.parametrize("pair", PAIRS)
async def test_the_same_body_again_is_no_contradiction(folder: Path, pair: Pair) -> None:
    async with running(folder, rules=pair.rules) as server:
        receipt_id = await pair.half_done(server)
        whole = await half_pairs.corrected(server, receipt_id, pair.body)
        assert len(half_pairs.kinds(whole)) == 2
        assert [paid(server, place) for place in (1, 2)] == [[pair.first], [pair.second]]


@pytest.mark.parametrize("pair", PAIRS)
async def test_what_is_signed_is_undone_as_it_was_signed(folder: Path, pair: Pair) -> None:
    async with running(folder, rules=pair.rules) as server:
        receipt_id = await pair.half_done(server)
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        assert ended.json()["state"] == "reversed"
        assert [paid(server, place) for place in (1, 2)] == [[pair.first], [pair.first]]


@pytest.mark.parametrize(
    ("since", "pair"),
    sampled(
        [
            (USUAL, Pair(CLOSING_IN_CASH, "close", ON_CARD, test_pairs.REST, "cash", "card")),
            (RESTRICTED, Pair(USUAL, "close", ON_CARD, test_pairs.REST, "card", "cash")),
            (RESTRICTED, Pair(EVERY_COPY, "refund", test_pairs.SALE, BY_CARD, "card", "card")),
            (USUAL, Pair(RESTRICTED, "refund", test_pairs.SALE, BY_CARD, "cash", "cash")),
            (CLOSING_IN_CASH, Pair(USUAL, "close", ON_CARD, test_pairs.REST, "card", "card")),
            (USUAL, Pair(RESTRICTED, "close", ON_CARD, test_pairs.REST, "cash", "card")),
            (USUAL, Pair(EVERY_COPY, "refund", test_pairs.SALE, BY_CARD, "card", "card")),
            (EVERY_COPY, Pair(RESTRICTED, "refund", test_pairs.SALE, BY_CARD, "cash", "cash")),
        ],
        4,
    ),
)
async def test_a_rule_that_changed_since_changes_nothing_of_what_is_signed(
    folder: Path, since: ShopChoices, pair: Pair
) -> None:
    """The sale of a closing follows today's rules; a copy follows the rules of its refund."""
    async with running(folder, rules=pair.rules) as server:
        receipt_id = await pair.half_done(server)
    async with running(folder, rules=since) as server:
        whole = await half_pairs.corrected(
            server, receipt_id, pair.body | {"additionalText": "исправљено"}
        )
        assert len(half_pairs.kinds(whole)) == 2
        assert [paid(server, place) for place in (1, 2)] == [[pair.first], [pair.second]]


@pytest.mark.parametrize(
    ("rules", "body", "other"),
    [
        (EVERY_COPY, BY_CARD, BY_CHECK),
        (USUAL, test_pairs.BACK, BY_CARD),
        (RESTRICTED, test_pairs.BACK, test_pairs.BACK | {"payments": {"voucher": 589.9}}),
    ],
)
async def test_other_payments_than_the_refund_records_stay_a_contradiction(
    folder: Path, rules: ShopChoices, body: dict[str, Any], other: dict[str, Any]
) -> None:
    async with running(folder, rules=rules) as server:
        receipt_id = await half_pairs.refused(
            server, "refund", await test_pairs.begun(server, test_pairs.SALE), body
        )
        wrong = await half_pairs.corrected(server, receipt_id, other)
        assert (wrong.status_code, error_of(wrong)["validation"]["body"]["keys"]) == (
            400,
            ["payments"],
        )
