"""Every operation on the real journal and the development processor: chains, pairs, refunds."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.errors import Invalid, NotAllowed
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.issuing.results import IssuedReceipts, PendingCommand, look_up
from pos_app.fiscalization.refusals import KeyBound, NotSigned, OutcomeNotKnown
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


def referents(shop: Shop) -> list[str | None]:
    return [json.loads(entry.request).get("referentDocumentNumber") for entry in shop.ledger()]


async def paid_twice(shop: Shop) -> tuple[IssuedReceipts, IssuedReceipts]:
    first = await shop.sell(ADVANCE)
    second = await shop.act(
        "advance", first.receipt.invoice_number, {"payments": {"wiretransfer": 3000}, **PDF}
    )
    return first, second


async def test_a_chain_from_its_first_payment_to_its_refund(folder: Path) -> None:
    async with opened(folder) as shop:
        first, second = await paid_twice(shop)
        closed = await shop.act("close", first.receipt_id, REST)
        refund, sale = closed.receipts
        assert closed.is_array
        assert refund.receipt.total_amount is not None
        assert refund.receipt.total_amount.amount == Decimal(9000)
        assert sale.planned.esir.last_advance is not None
        assert sale.planned.esir.last_advance.number == second.receipt.invoice_number
        back = await shop.act(
            "refund", sale.receipt.invoice_number, {"payments": {"cash": 18000}, **BUYER, **PDF}
        )
        assert len(back.receipts) == 2
        assert kinds(shop.ledger()) == ["АП", "АП", "АР", "ПП", "ПР", "КР"]
        numbers = [entry.number for entry in shop.ledger()]
        assert referents(shop) == [None, *numbers[:3], numbers[3], numbers[4]]


async def test_a_copy_says_what_the_receipt_says(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        copy = await shop.act("copy", sold.receipt.invoice_number, PDF)
        assert not copy.is_array
        original, copied = shop.ledger()
        assert kinds([copied]) == ["КП"]
        asked, asked_again = json.loads(original.request), json.loads(copied.request)
        assert asked_again["items"] == asked["items"]
        assert asked_again["payment"] == asked["payment"]


async def test_a_copy_of_any_receipt_of_an_advance_names_its_chain(folder: Path) -> None:
    async with opened(folder) as shop:
        first = await shop.sell(ADVANCE)
        copy = await shop.act("copy", first.receipt_id, PDF)
        second = await shop.act(
            "advance", copy.receipt.invoice_number, {"payments": {"wiretransfer": 4000}, **PDF}
        )
        given = await shop.act(
            "refund", second.receipt_id, {"payments": {"cash": 1000}, **BUYER, **PDF}
        )
        with pytest.raises(Invalid, match="is a copy"):
            await shop.act("refund", copy.receipt_id, {"payments": {"card": 1}, **BUYER, **PDF})
        copy_of_refund = given.receipts[1]
        await shop.act("close", copy_of_refund.receipt.invoice_number, REST)
        assert kinds(shop.ledger()) == ["АП", "КП", "АП", "АР", "КР", "АР", "ПП"]
        again = [entry.number for entry in shop.ledger()]
        assert referents(shop) == [None, again[0], again[0], again[2], again[3], again[2], again[5]]
        with pytest.raises(Invalid, match="is an advance that is closed already"):
            await shop.act("close", copy.receipt_id, REST)


async def test_the_same_key_answers_the_same_pair(folder: Path) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        closed = await shop.act("close", first.receipt_id, REST, key=KEY)
        again = await shop.act("close", first.receipt_id, REST, key=KEY)
        assert again == closed
        assert len(shop.ledger()) == 4
        assert look_up(journal=shop.journal, origin="local", reference=f"key:{KEY}") == closed
        alone = look_up(
            journal=shop.journal,
            origin="local",
            reference=closed.receipts[1].receipt.invoice_number,
        )
        assert isinstance(alone, IssuedReceipts)
        assert alone.receipts == closed.receipts[1:]


async def test_a_key_is_bound_to_the_receipt_it_was_used_on(folder: Path) -> None:
    async with opened(folder) as shop:
        one, other = await shop.sell(), await shop.sell(SALE | {"payments": {"cash": 300}})
        await shop.act("copy", one.receipt_id, PDF, key=KEY)
        with pytest.raises(KeyBound):
            await shop.act("copy", other.receipt_id, PDF, key=KEY)
        assert len(shop.ledger()) == 3


async def test_a_finished_closing_repeated_names_both_numbers(folder: Path) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        closed = await shop.act("close", first.receipt_id, REST, key=KEY)
        with pytest.raises(Invalid) as refusal:
            await shop.act("close", first.receipt_id, REST | {"additionalText": "опет"})
        for one in closed.receipts:
            assert one.receipt.invoice_number in refusal.value.what


# --- a pair that is cut in two -----------------------------------------------------------------


def second_suffers(shop: Shop, kind: str, **members: Any) -> None:
    """Set that fault for the receipt after the next one."""
    shop.fault("late_answer")
    shop.fault(kind, **members)


async def all_signed(shop: Shop) -> None:
    async with asyncio.timeout(20):
        while set(shop.states(KEY)) != {"signed"}:
            await shop.lane.changes.wait("any", 0.05)


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("refuse", {"code": "1500"}),
        ("drop", {}),
        ("sign_then_drop", {}),
        ("unreadable_200", {"signed": True}),
        ("html_500", {}),
    ],
)
async def test_whatever_happens_to_the_second_receipt_the_server_finishes_the_pair(
    folder: Path, kind: str, members: dict[str, Any]
) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        second_suffers(shop, kind, **members)
        with pytest.raises(OutcomeNotKnown) as half:
            await shop.act("close", first.receipt_id, REST, key=KEY)
        assert half.value.signed == (shop.ledger()[2].number,)
        await all_signed(shop)
        closed = await shop.act("close", first.receipt_id, REST, key=KEY)
        assert len(closed.receipts) == 2
        assert kinds(shop.ledger()) == ["АП", "АП", "АР", "ПП"]


async def test_a_pair_is_finished_after_its_first_receipt_was_found_by_a_look_up(
    folder: Path,
) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        shop.fault("sign_then_drop")
        with pytest.raises(OutcomeNotKnown):
            await shop.act("close", first.receipt_id, REST, key=KEY)
        await all_signed(shop)
        assert kinds(shop.ledger()) == ["АП", "АП", "АР", "ПП"]


async def test_a_pair_whose_first_receipt_is_refused_is_not_signed_at_all(folder: Path) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        shop.fault("refuse", code="1500")
        with pytest.raises(NotSigned):
            await shop.act("close", first.receipt_id, REST, key=KEY)
        assert len(shop.ledger()) == 2
        assert not shop.half_done()
        closed = await shop.act("close", first.receipt_id, REST, key=KEY)
        assert len(closed.receipts) == 2


async def test_a_half_done_pair_lets_nothing_else_pass_and_is_never_denied(folder: Path) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        second_suffers(shop, "refuse", code="1500", count=None)
        with pytest.raises(OutcomeNotKnown) as half:
            await shop.act("close", first.receipt_id, REST, key=KEY)
        for operation, body in (
            ("advance", {"payments": {"card": 1}, **PDF}),
            ("close", REST | {"additionalText": "опет"}),
            ("refund", {"payments": {"card": 1}, **BUYER, **PDF}),
        ):
            with pytest.raises(NotSigned, match="half done"):
                await shop.act(operation, first.receipt_id, body)
        assert half.value.receipt_id is not None
        waiting = look_up(journal=shop.journal, origin="local", reference=half.value.receipt_id)
        assert isinstance(waiting, PendingCommand)
        with pytest.raises(OutcomeNotKnown):
            await shop.act("close", first.receipt_id, REST, key=KEY)
        with pytest.raises(KeyBound):
            await shop.act("close", first.receipt_id, REST | {"additionalText": "x"}, key=KEY)
        with pytest.raises(NotAllowed):
            cancel(service=shop.service, origin="local", key=KEY, cashier="Мика")


async def test_a_second_receipt_refused_for_good_waits_for_a_person(folder: Path) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        second_suffers(shop, "refuse", code="2805")
        with pytest.raises(OutcomeNotKnown) as half:
            await shop.act("close", first.receipt_id, REST, key=KEY)
        assert shop.states(KEY) == ["signed", "needs_human"]
        assert half.value.signed


async def test_a_server_that_died_between_the_two_finishes_the_pair_when_it_is_back(
    folder: Path,
) -> None:
    async with opened(folder) as shop:
        first, _ = await paid_twice(shop)
        second_suffers(shop, "refuse", code="1500", count=None)
        with pytest.raises(OutcomeNotKnown):
            await shop.act("close", first.receipt_id, REST, key=KEY)
    async with opened(folder) as shop:
        await all_signed(shop)
        assert kinds(shop.ledger()) == ["АП", "АП", "АР", "ПП"]


# --- refunds -----------------------------------------------------------------------------------


def refunding(quantity: int, **payments: Any) -> dict[str, Any]:
    return {"items": [{"sku": 1, "quantity": quantity}], "payments": payments, **BUYER, **PDF}


async def test_refunds_never_exceed_what_was_sold(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        number = sold.receipt.invoice_number
        one = await shop.act("refund", number, refunding(1, card=Decimal("58.99")))
        assert len(one.receipts) == 1
        with pytest.raises(Invalid) as refusal:
            await shop.act("refund", number, refunding(2, card=Decimal("117.98")))
        assert refusal.value.field == "items[0].quantity"
        await shop.act("refund", number, refunding(1, card=Decimal("58.99")), key=KEY)
        with pytest.raises(Invalid, match="refunded already"):
            await shop.act("refund", number, refunding(1, card=Decimal("58.99")), key="c" * 16)
        assert len(shop.ledger()) == 3


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


async def test_what_a_failed_refund_held_is_free_again(folder: Path) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        shop.fault("refuse", code="1500")
        asked = refunding(2, card=Decimal("117.98"))
        with pytest.raises(NotSigned):
            await shop.act("refund", sold.receipt_id, asked, key="a" * 16)
        await shop.act("refund", sold.receipt_id, asked, key="b" * 16)
        with pytest.raises(Invalid):
            await shop.act("refund", sold.receipt_id, asked, key="a" * 16)
        assert kinds(shop.ledger()) == ["ПП", "ПР"]


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


async def test_a_refund_by_hand_of_this_journals_receipt_counts_with_the_others(
    folder: Path,
) -> None:
    async with opened(folder) as shop:
        sold = await shop.sell()
        by_hand = SALE | {
            "transactionType": "refund",
            "referentDocumentNumber": sold.receipt.invoice_number,
            "payments": {"cash": Decimal("117.98")},
            **BUYER,
        }
        answer = await shop.sell(by_hand)
        assert not answer.is_array
        assert len(answer.receipts) == 1
        assert kinds(shop.ledger()) == ["ПП", "ПР", "КР"]
        with pytest.raises(Invalid):
            await shop.act("refund", sold.receipt_id, refunding(1, card=Decimal("58.99")))
