"""Every operation on the real journal and the development processor: chains, pairs, refunds."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxRates
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.ports import Journal
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.rates import SANDBOX_RATES
from tests.integration.fiscalization.shop import SALE, WHOLE_REFUND, Shop, opened

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


# --- what the overview of a receipt offers is what the server carries out ---
REFUND = {**BUYER, **PDF}
TRIED: dict[ReceiptAct, dict[str, Any]] = {
    ReceiptAct.REFUND: {"payments": {"cash": Decimal("0.01")}, **REFUND},
    ReceiptAct.ADVANCE: {"payments": {"cash": 1}, **PDF},
    ReceiptAct.CLOSE: {"payments": {"cash": 0}, **PDF},
}
SUMS = ("payments", "items")
"""The fields of a refusal that concerns the sums, not the act."""


def overview_in(journal: Journal, reference: str) -> ReceiptOverview:
    overview, link = receipt_overview(journal, reference)
    assert (link.id, link.is_signed) == (overview.receipt_id, True)
    return overview


def sums(overview: ReceiptOverview) -> dict[str, str]:
    return {one.method.value: str(one.amount) for one in overview.left_by_method}


async def refused_acts(shop: Shop, receipt_id: str) -> set[ReceiptAct]:
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
        partly = overview_in(shop.journal, sold.receipt.invoice_number.lower())
        assert [(one.left_quantity, str(one.left_total)) for one in partly.lines] == [(1, "58.99")]
        assert sums(partly) == {"cash": "58.99"}, "the rest was change"
        first, _ = await paid_twice(shop)
        other = await shop.sell(ADVANCE | {"payments": {"cash": 8000}})
        await shop.act("close", other.receipt_id, {"payments": {"card": 10000}, **PDF})
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
                    await shop.act("copy", receipt_id, PDF)
            else:
                await shop.act("copy", receipt_id, PDF)


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


# --- a processor that spells tax labels otherwise, as the tax administration's sandbox does ---
SANDBOX = Options(rates=SANDBOX_RATES)
LABELS = {"Ђ": "Ж", "Е": "A"}  # to Latin A


def labels_sent(shop: Shop) -> list[str]:
    requests = [json.loads(entry.request) for entry in shop.ledger()]
    return [item["labels"][0] for request in requests for item in request["items"]]


async def test_its_rates_are_told_under_our_labels_and_pairs_pass(folder: Path) -> None:
    """Its label for who is not in VAT becomes ours once it is mapped."""
    for more, outside in (({}, "C"), ({"А": "C"}, "А")):
        place = folder / outside
        async with opened(place, options=SANDBOX, labels={**LABELS, **more}) as shop:
            sold = await shop.sell()
            await shop.act("refund", sold.receipt_id, WHOLE_REFUND)
            assert labels_sent(shop) == ["A", "A", "A"]
            status = shop.lane.status
            (rates,) = status.rates
            assert (rates.percent["Ђ"], rates.percent["Е"]) == (19, 9)
            assert rates.percent["F"] == 11  # a label to which none of ours is mapped
            assert rates.percent[outside] == 0
            assert (rates.outside_vat, rates.label_outside_vat) == ((outside,), outside)


async def test_without_a_map_its_labels_are_others_although_they_look_alike(folder: Path) -> None:
    """Labels differ by code point: the processor's E is Latin, ours is Cyrillic."""
    async with opened(folder, options=SANDBOX) as shop:
        with pytest.raises(NotSigned) as refusal:
            await shop.sell(SALE)
        assert refusal.value.pfr_code == "2310"
        assert shop.ledger() == []


@pytest.mark.parametrize(
    ("percent", "outside_vat", "label"),
    [
        ("ЂЕГА", ("А",), "А"), ("ЂЕГА", (), "А"), ("ЂА", ("А", "C"), "А"),
        ("FAC", ("C",), "C"), ("FAC", (), None), ("FACB", ("C", "B"), None),
        ("ЂЕГ", ("Г",), None), ("", (), None),
    ],
)  # fmt: skip
def test_a_label_for_who_is_not_in_vat_is_never_guessed(
    percent: str, outside_vat: tuple[str, ...], label: str | None
) -> None:
    rates = TaxRates(datetime(2026, 1, 1, tzinfo=UTC), dict.fromkeys(percent, Decimal(0)))
    assert replace(rates, outside_vat=outside_vat).label_outside_vat == label
