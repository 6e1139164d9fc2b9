"""Every operation on the real journal and the development processor: chains, pairs, refunds."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.errors import Invalid
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.pfr_emulator.ledger import LedgerEntry
from tests.integration.fiscalization.shop import SALE, Shop, opened

KEY = "close-0123456789"
PDF = {"receiptDelivery": {"pdf": True}}
BUYER = {"buyerId": "10:123456788"}
TABLE: dict[str, Any] = {
    "quantity": 1,
    "unitPrice": 12000,
    "article": {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"},
}
BOOK: dict[str, Any] = {
    "quantity": 1,
    "unitPrice": 6000,
    "article": {"name": "Књига", "taxRateLabel": "Е", "unit": "ком"},
}
ADVANCE = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 6000},
    "items": [TABLE, BOOK],
    **PDF,
}
REST = {"payments": {"card": 9000}, **PDF}


def kinds(entries: list[LedgerEntry]) -> list[str]:
    """Return the counter extensions: which kinds of receipts were signed, in order."""
    return [json.loads(entry.answer)["invoiceCounterExtension"] for entry in entries]


async def paid_twice(shop: Shop, text: str = "") -> tuple[IssuedReceipts, IssuedReceipts]:
    """Pay an advance in two parts. text: what tells it from others, which need no key then."""
    first = await shop.sell(ADVANCE | ({"additionalText": text} if text else {}))
    second = await shop.act(
        "advance", first.receipt.invoice_number, {"payments": {"wiretransfer": 3000}, **PDF}
    )
    return first, second


# --- a pair that is cut in two -----------------------------------------------------------------


def second_suffers(shop: Shop, kind: str, **members: Any) -> None:
    """Set that fault for the receipt after the next one."""
    shop.fault("late_answer")
    shop.fault(kind, **members)


async def all_signed(shop: Shop, key: str) -> None:
    async with asyncio.timeout(20):
        while set(shop.states(key)) != {"signed"}:
            await shop.lane.changes.wait("any", 0.05)


FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("refuse", {"code": "1500"}),
    ("drop", {}),
    ("sign_then_drop", {}),
    ("unreadable_200", {"signed": True}),
    ("html_500", {}),
]


async def test_whatever_the_second_suffers_the_pair_is_finished(folder: Path) -> None:
    """Also where the answer to the first one was lost, and where the server died between them."""
    async with opened(folder) as shop:
        for kind, members in FAULTS:
            key, before = f"{kind:k>16}", len(shop.ledger())
            first, _ = await paid_twice(shop, kind)
            second_suffers(shop, kind, **members)
            with pytest.raises(OutcomeNotKnown) as half:
                await shop.act("close", first.receipt_id, REST, key=key)
            assert half.value.signed == (shop.ledger()[before + 2].number,)
            await all_signed(shop, key)
            closed = await shop.act("close", first.receipt_id, REST, key=key)
            assert len(closed.receipts) == 2
            assert kinds(shop.ledger()[before:]) == ["АП", "АП", "АР", "ПП"], kind
        before = len(shop.ledger())
        first, _ = await paid_twice(shop, "the first is lost")
        shop.fault("sign_then_drop")
        with pytest.raises(OutcomeNotKnown):
            await shop.act("close", first.receipt_id, REST, key="the-first-is-lost")
        await all_signed(shop, "the-first-is-lost")
        first, _ = await paid_twice(shop, "the server dies")
        second_suffers(shop, "refuse", code="1500", count=None)
        with pytest.raises(OutcomeNotKnown):
            await shop.act("close", first.receipt_id, REST, key=KEY)
    async with opened(folder) as shop:
        await all_signed(shop, KEY)
        assert kinds(shop.ledger()[before:]) == ["АП", "АП", "АР", "ПП"] * 2


# --- refunds -----------------------------------------------------------------------------------


def refunding(quantity: int, **payments: Any) -> dict[str, Any]:
    return {"items": [{"sku": 1, "quantity": quantity}], "payments": payments, **BUYER, **PDF}


async def test_two_refunds_at_once_of_the_same_goods_sign_one(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        asked = refunding(2, card=Decimal("117.98"))
        both = await asyncio.gather(
            shop.act("refund", sold.receipt_id, asked, key="a" * 16),
            shop.act("refund", sold.receipt_id, asked, key="b" * 16),
            return_exceptions=True,
        )
        assert sum(isinstance(one, IssuedReceipts) for one in both) == 1
        assert sum(isinstance(one, NotSigned) for one in both) == 1
        assert kinds(shop.ledger()) == ["ПП", "ПР"]
        # what a refund held that failed is free again
        sold = await shop.sell(SALE | {"payments": {"cash": 300}})
        shop.fault("refuse", code="1500")
        with pytest.raises(NotSigned):
            await shop.act("refund", sold.receipt_id, asked, key="c" * 16)
        await shop.act("refund", sold.receipt_id, asked, key="d" * 16)
        with pytest.raises(Invalid):
            await shop.act("refund", sold.receipt_id, asked, key="c" * 16)
        assert kinds(shop.ledger()) == ["ПП", "ПР"] * 2


async def test_what_the_catalogue_lost_can_be_given_back(folder: Path) -> None:
    """The receipt says what was sold; a refund of it needs nothing of today's catalogue."""
    own = SALE["items"][0] | {"sku": 999777, "article": TABLE["article"]}
    back = {"transactionType": "refund", "payments": {"card": Decimal("58.99")}, **BUYER}
    async with opened(folder) as shop:
        sales = [await shop.sell(SALE | {"items": [item]}) for item in (own, SALE["items"][0])]
        shop.shelf.by_sku.clear()
        for item, sold in zip((own, SALE["items"][0]), sales, strict=True):
            named = {"referentDocumentNumber": sold.receipt.invoice_number}
            again = {"sku": item["sku"], "quantity": 1, "unitPrice": 1}
            body = SALE | back | named | {"items": [again]}
            refund = await shop.sell(body, key=f"refund-of-{item['sku']:06}")
            assert refund.receipt.total_amount == Money("58.99")
            assert (await shop.sell(body, key=f"refund-of-{item['sku']:06}")) == refund
        named = {"referentDocumentNumber": "XYZW1234-XYZW1234-1"}
        elsewhere = SALE | back | named | {"items": [own | {"article": None}]}
        with pytest.raises(Invalid, match="999777 does not exist"):
            await shop.sell(elsewhere)
