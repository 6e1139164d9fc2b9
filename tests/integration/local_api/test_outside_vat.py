"""Shops with rules of their own: half-done pairs are corrected and undone by them, nothing of a
pair is signed where its tax label ended, and outside the system of VAT no label of VAT is.

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
from tests.integration.local_api.test_half_done_pairs import WHO, corrected, kinds, said, sent
from tests.integration.local_api.test_pairs import ADVANCE, BOTH, KEY, act, begun
from tests.integration.local_api.test_receipts import keyed
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

CLOSING_IN_CASH = ShopChoices(closing_refund_in_cash=True)
EVERY_COPY = ShopChoices(copy_of_every_refund=True)
RESTRICTED = ShopChoices(restricted_payments=True)
ON_CARD = ADVANCE | {"payments": {"card": 100}}
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
        number = await begun(server, self.sold)
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
    places = range(since, len(server.shop.ledger()))
    asked = [sent(server, place)["payment"] for place in places]
    return [_METHODS[one["paymentType"]] for payments in asked for one in payments]


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
async def test_a_pair_is_corrected_and_undone_as_it_was_signed(folder: Path, pair: Pair) -> None:
    """The same body again is no contradiction; other payments than the refund records are one."""
    async with running(folder, rules=pair.rules) as server:
        receipt_id = await pair.half_done(server, "corrected-0123456")
        if pair.other is not None:
            wrong = await corrected(server, receipt_id, pair.other)
            keys = error_of(wrong)["validation"]["body"]["keys"]
            assert (wrong.status_code, keys) == (400, ["payments"])
        whole = await corrected(server, receipt_id, pair.body)
        assert len(kinds(whole)) == 2
        assert paid(server, 1) == [pair.first, pair.second]
        receipt_id = await pair.half_done(server, "reversed-01234567")
        ended = await said(server, receipt_id, "reverse", WHO)
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
        receipt_id = await pair.half_done(server, KEY)
    async with running(folder, rules=since) as server:
        body = pair.body | {"additionalText": "исправљено"}
        whole = await corrected(server, receipt_id, body)
        assert len(kinds(whole)) == 2
        assert paid(server, 1) == [pair.first, pair.second]


# --- a label that ends ---------------------------------------------------------------------------
def end_label(server: Running, label: str) -> None:
    last = PRODUCTION_RATES[1]
    left = tuple(one for one in last.categories if label not in one.rates)
    put(server, (*PRODUCTION_RATES[:2], RateGroup(9, datetime.now(UTC), left)))


def put(server: Running, rates: RateTable) -> None:
    processor = server.shop.processor
    processor.options = replace(processor.options, rates=rates)


@BOTH
async def test_nothing_of_the_pair_is_signed(
    folder: Path, sold: dict[str, Any], operation: str, body: dict[str, Any]
) -> None:
    async with running(folder) as server:
        number = await begun(server, sold)
        end_label(server, "Е")
        refused = await act(server, operation, number, body)
        told = error_of(refused)
        assert (refused.status_code, told["code"], told["class"]) == (400, 40012310, "fix")
        assert told["pfrCode"] == "2310"
        assert '"Е"' in told["message"]
        assert len(server.shop.ledger()) == 1
        assert server.shop.states(KEY) == ["released", "released"]
        put(server, Options().rates)  # the processor's mistake is corrected: the same key goes on
        done = await act(server, operation, number, body)
        assert done.status_code == 200, done.text
        assert len(server.shop.ledger()) == 3


# --- a shop that is not in the system of VAT -----------------------------------------------------
OUTSIDE = "[esir]\nin_vat = false\n"
KINDS = ("normal", "advance", "proforma", "training")
TABLE: dict[str, Any] = {"name": "Сто", "unit": "ком"}
WHOLE = {"payments": {"card": 589.9}} | BUYER | DELIVERED


def leave_vat(folder: Path) -> None:
    (folder / "settings.toml").write_text(OUTSIDE, "utf-8")


def sale(label: str, **members: Any) -> dict[str, Any]:
    item = {"quantity": 1, "unitPrice": 100, "article": TABLE | {"taxRateLabel": label}}
    body: dict[str, Any] = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 100},
        "items": [item],
    }
    return body | DELIVERED | members


async def test_nothing_with_a_label_of_vat_is_signed(folder: Path) -> None:
    split = {"unknownAmountAdvance": True, "advanceSpecification": {"Ђ": 100}}
    named = '"items[0].article.taxRateLabel" has the tax label {}'
    leave_vat(folder)
    async with running(folder) as server:
        for body, words in (
            *[(sale("Ђ", invoiceType=kind), named.format("Ђ")) for kind in KINDS],
            *[(sale(label), named.format(label)) for label in "ЕГ"],
            (test_pairs.SALE, '"items[0].sku" has the tax label Е'),
            (sale("А", invoiceType="advance", **split), 'Specification" has the tax label Ђ'),
        ):
            answer = await server.issue(body)
            told = error_of(answer)
            assert (answer.status_code, told["class"]) == (400, "fix")
            assert words in told["message"]
        assert server.shop.ledger() == []
        for kind in KINDS:
            assert labels(await server.issue(sale("А", invoiceType=kind))) == [["А"]]


def labels(answer: Any) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return [
        [one["label"] for one in each["taxItems"]]
        for each in (body if isinstance(body, list) else [body])
    ]


async def test_what_was_signed_in_vat_goes_on_with_its_labels(folder: Path) -> None:
    """A closing adds no other label of VAT; a refund by hand repeats its receipt's."""
    unknown = sale("Е", invoiceType="advance", unknownAmountAdvance=True)
    of_another = {
        "transactionType": "refund",
        "referentDocumentNumber": "AAAAAAAA-BBBBBBBB-17",
        "referentDocumentDT": "2024-05-05T10:00:00+02:00",
    }
    async with running(folder) as server:
        number = await begun(server, test_pairs.SALE)
        advance = await begun(server, ADVANCE)
        other = await begun(server, unknown)
        leave_vat(folder)
        copy = await act(server, "copy", number, DELIVERED, headers=None)
        assert labels(copy) == [["Е"]]
        back = await act(server, "refund", number, WHOLE, headers=None)
        assert labels(back) == [["Е"]]
        paid = {"payments": {"cash": 50}} | DELIVERED
        more = await act(server, "advance", advance, paid, headers=None)
        assert labels(more) == [["Е"]]
        rest = {"payments": {"card": 439.9}} | DELIVERED
        last = more.json()["invoiceNumber"]
        assert labels(await act(server, "close", last, rest)) == [["Е"], ["Е"]]
        goods, before = sale("Ђ")["items"], len(server.shop.ledger())
        added = {"items": goods, "payments": {}} | DELIVERED
        refused = await act(server, "close", other, added, headers=None)
        assert '"items[0].article.taxRateLabel"' in error_of(refused)["message"]
        assert len(server.shop.ledger()) == before
        back = await server.issue(sale("Ђ", **of_another) | BUYER)
        assert labels(back)[0] == ["Ђ"]


async def test_a_correction_sells_the_lines_of_its_refund_once_more(folder: Path) -> None:
    async with running(folder) as server:
        number = await begun(server, test_pairs.SALE)
        leave_vat(folder)
        key = {"Idempotency-Key": "refund-0123456789"}
        back = await act(server, "refund", number, WHOLE, headers=key | server.till)
        assert back.status_code == 200, back.text
        after = server.till | {"X-Corrects-After": key["Idempotency-Key"]}
        again = {"Idempotency-Key": "again-0123456789a"}
        assert (await server.issue(test_pairs.SALE, headers=server.till | again)).status_code == 400
        assert labels(await server.issue(test_pairs.SALE, headers=after | again)) == [["Е"]]
        other = sale("Ђ")
        told = await server.issue(other, headers=after | {"Idempotency-Key": "other-0123456789a"})
        assert told.status_code == 400
        # a program that is no till can't say that
        assert (await server.issue(test_pairs.SALE, headers=key)).status_code == 400
