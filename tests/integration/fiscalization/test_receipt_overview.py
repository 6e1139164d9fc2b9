"""The overview of a receipt offers exactly the acts that the server then carries out."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.ports import Journal
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from tests.integration.fiscalization import test_operations
from tests.integration.fiscalization.shop import SALE, Shop, opened

REFUND = {**test_operations.BUYER, **test_operations.PDF}
TRIED: dict[ReceiptAct, dict[str, Any]] = {
    ReceiptAct.REFUND: {"payments": {"cash": Decimal("0.01")}, **REFUND},
    ReceiptAct.ADVANCE: {"payments": {"cash": 1}, **test_operations.PDF},
    ReceiptAct.CLOSE: {"payments": {"cash": 0}, **test_operations.PDF},
}
SUMS = ("payments", "items")
"""The fields of a refusal that concerns the sums, not the act."""


def overview_in(journal: Journal, reference: str) -> ReceiptOverview:
    overview, link = receipt_overview(journal, reference)
    assert (link.id, link.is_signed) == (overview.receipt_id, True)
    return overview


def sums(overview: ReceiptOverview) -> dict[str, str]:
    return {one.method.value: str(one.amount) for one in overview.left_by_method}


def reasons(overview: ReceiptOverview) -> dict[str, str]:
    """Return why acts are refused, without undoing, which `test_undoing` looks at."""
    told = (one for one in overview.acts if one.act is not ReceiptAct.UNDO)
    return {one.act.value: one.why_not.value for one in told if one.why_not is not None}


async def refused_acts(shop: Shop, receipt_id: str) -> set[ReceiptAct]:
    """Return the acts that the server refuses of that receipt, whatever the body."""
    refused: set[ReceiptAct] = set()
    for act, body in TRIED.items():
        with pytest.raises((Invalid, NotSigned)) as told:
            await shop.act(act.value, receipt_id, {**body, "payments": {"card": 99_999_999}})
        if getattr(told.value, "field", "") not in SUMS:
            refused.add(act)
    return refused


async def test_what_is_offered_is_what_the_server_takes(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        part = {"items": [{"sku": 1, "quantity": 1}], "payments": {"cash": Decimal("58.99")}}
        given = await shop.act("refund", sold.receipt_id, part | REFUND)
        first, _ = await test_operations.paid_twice(shop)
        other = await shop.sell(test_operations.ADVANCE | {"payments": {"cash": 8000}})
        await shop.act(
            "close", other.receipt_id, {"payments": {"card": 10000}, **test_operations.PDF}
        )
        chains = (sold.receipt_id, first.receipt_id, other.receipt_id)
        told = {
            member.receipt_id
            for chain in chains
            for member in overview_in(shop.journal, chain).chain
        }
        assert {given.receipt_id, *chains} < told
        assert len(told) == 8
        for receipt_id in told:
            overview = overview_in(shop.journal, receipt_id)
            unlawful = {one.act for one in overview.acts if one.why_not is not None}
            unlawful -= {ReceiptAct.UNDO}
            assert unlawful & {*TRIED} == await refused_acts(shop, receipt_id), overview
            if ReceiptAct.COPY in unlawful:
                with pytest.raises(Invalid, match="is a copy"):
                    await shop.act("copy", receipt_id, test_operations.PDF)
            else:
                await shop.act("copy", receipt_id, test_operations.PDF)


async def test_a_sale_of_which_a_part_went_back(folder: Path) -> None:
    async with opened(folder) as shop:
        body = SALE | {
            "items": [
                {"sku": 1, "quantity": 2, "unitPrice": Decimal("58.99")},
                {"sku": 2, "quantity": Decimal("0.333"), "unitPrice": 1000},
            ],
            "payments": {"cash": 400, "card": 100},
        }
        sold = await shop.sell(body)
        part = {"items": [{"sku": 2, "quantity": Decimal("0.111")}], "payments": {"cash": 111}}
        given = await shop.act("refund", sold.receipt_id, part | REFUND)
        overview = overview_in(shop.journal, sold.receipt.invoice_number.lower())
        assert overview.total == Money("450.98")
        assert [(one.left_quantity, str(one.left_total)) for one in overview.lines] == [
            (Decimal(2), "117.98"),
            (Decimal("0.222"), "222.00"),
        ]
        assert sums(overview) == {"cash": "239.98", "card": "100.00"}, "49.02 was change"
        assert reasons(overview) == {"advance": "not_an_advance", "close": "not_an_advance"}
        assert [one.operation.value for one in overview.chain] == ["issue", "refund", "refund"]
        assert [one.refers_to for one in overview.chain[1:]] == [
            sold.receipt.invoice_number,
            given.receipt.invoice_number,
        ]
        refund = overview_in(shop.journal, given.receipt_id)
        assert [one.left_quantity for one in refund.lines] == [Decimal(0)]
        assert refund.left_by_method == ()
        assert reasons(refund)["refund"] == "is_refund"
        rest = {"payments": {"cash": Decimal("339.98")}, **REFUND}
        await shop.act("refund", sold.receipt_id, rest)
        gone = overview_in(shop.journal, sold.receipt_id)
        assert gone.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
        assert gone.why_not(ReceiptAct.COPY) is None
        assert sums(gone) == {}


async def test_a_refund_in_doubt_holds_what_it_takes(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        shop.fault("drop")
        key = "open-refund-012345"
        whole = {"payments": {"cash": Decimal("117.98")}, **REFUND}
        with pytest.raises(OutcomeNotKnown):
            await shop.act("refund", sold.receipt_id, whole, key=key)
        assert shop.states(key)[0] == RequestState.UNKNOWN.value
        overview = overview_in(shop.journal, sold.receipt_id)
        assert overview.why_not(ReceiptAct.REFUND) is WhyNot.UNDER_WAY
        assert [one.left_quantity for one in overview.lines] == [Decimal(0)]
        assert [one.number for one in overview.chain[1:]] == [None, None]
        assert overview.why_not(ReceiptAct.COPY) is None
