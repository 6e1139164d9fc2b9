"""Reports held against the processor's ledger, in which each receipt is added up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from pos_app.domain.receipt import reports
from pos_app.domain.text.instant import day_of, in_belgrade
from pos_app.local_api.journal_desk import JournalDesk
from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.wire.port_calls import call_of
from pos_app.wire.strict_json import loads
from tests.integration.local_api.wronged import Wronged

REPORT = call_of(JournalDesk, "report")
NORMAL, ADVANCE, REFUND, CASH = 0, 4, 1, 1
METHODS = ("other", "cash", "card", "check", "wiretransfer", "voucher", "mobilemoney")
"""The methods in the order of the processor's numbers (fiscal.md 1)."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A receipt of the turnover. sign: −1 for a refund. parts: its amounts by the rows of each
    report."""

    sign: int
    total: Decimal
    parts: dict[reports.Grouping, list[tuple[str, Decimal]]]
    taxes: list[tuple[str, Decimal]]


def check_reports(shop: Wronged) -> None:
    """Compare every grouping to the para."""
    entries = shop.entries()
    signed = list(signed_of(entries))
    for grouping in reports.Grouping:
        told = report(shop, grouping, entries)
        assert told.state.is_whole
        assert told.total.receipts == len(signed)
        assert told.total.net == sum(one.sign * one.total for one in signed)
        assert told.total.tax == sum(one.sign * tax for one in signed for _, tax in one.taxes)
        if grouping is reports.Grouping.BOOKS:
            by_label = Counter[str]()
            for row in told.books:
                by_label[row.label] += _sign(row.kind.transaction_type) * int(row.amount * 100)
            assert _without_none(by_label) == _summed(signed, reports.Grouping.LABEL)
        elif grouping is reports.Grouping.ARTICLE:
            assert sum(row.net for row in told.rows) == told.total.net
        else:
            found = {row.key: int(row.net * 100) for row in told.rows if row.net}
            assert found == _summed(signed, grouping), grouping


def report(
    shop: Wronged, grouping: reports.Grouping, entries: Sequence[LedgerEntry]
) -> reports.ReportSums:
    days = [day_of(entry.signed_at) for entry in entries]
    body = REPORT.asked(reports.ReportAsked(grouping, min(days), max(days)))
    headers = {**shop.server.till, "Content-Type": "application/json"}
    answer = shop.ask("POST", "/till/receipts/report", content=body, headers=headers)
    assert answer.is_success, answer.text
    sums: reports.ReportSums = REPORT.result(loads(answer.content))
    return sums


def signed_of(entries: Sequence[LedgerEntry]) -> Iterator[Signed]:
    """Yield the receipts of the turnover in the order in which they were signed."""
    for place, entry in enumerate(entries):
        if entry.invoice_type not in (NORMAL, ADVANCE):
            continue
        request, answer = json.loads(entry.request), json.loads(entry.answer)
        at, items = in_belgrade(entry.signed_at), request["items"]
        before = _paid_before(request, entries[place - 1]) if place else Decimal(0)
        yield Signed(
            -1 if entry.transaction_type == REFUND else 1,
            entry.total,
            {
                reports.Grouping.DAY: [(at.date().isoformat(), entry.total)],
                reports.Grouping.MONTH: [(f"{at:%Y-%m}", entry.total)],
                reports.Grouping.HOUR: [(f"{at:%H}", entry.total)],
                reports.Grouping.CASHIER: [(request["cashier"], entry.total)],
                reports.Grouping.METHOD: list(_paid(request, entry.total, before)),
                reports.Grouping.LABEL: [(item["labels"][0], _amount(item)) for item in items],
                reports.Grouping.ARTICLE: [],  # the processor gets no articles
            },
            [(tax["label"], _rounded(tax["amount"])) for tax in answer["taxItems"]],
        )


def _paid_before(request: Any, entry: LedgerEntry) -> Decimal:
    """Return the refund of a closing, which stands before its sale; the sale refers to it."""
    is_closed = entry.invoice_type == ADVANCE and entry.transaction_type == REFUND
    return (
        entry.total
        if is_closed and request.get("referentDocumentNumber") == entry.number
        else (Decimal(0))
    )


def _paid(request: Any, total: Decimal, before: Decimal) -> Iterator[tuple[str, Decimal]]:
    """Yield by method what stayed with the shop, less the change."""
    change = max(sum(map(_amount, request["payment"]), Decimal(0)) - (total - before), Decimal(0))
    rest = total
    for one in request["payment"]:
        back = min(change, _amount(one)) if one["paymentType"] == CASH else Decimal(0)
        change -= back
        rest -= _amount(one) - back
        yield METHODS[one["paymentType"]], _amount(one) - back
    yield reports.PAID_BEFORE, rest


def _amount(told: Any) -> Decimal:
    return Decimal(str(told.get("totalAmount", told.get("amount"))))


def _rounded(tax: Any) -> Decimal:
    return Decimal(str(tax)).quantize(Decimal("0.01"), ROUND_HALF_UP)


def _summed(signed: Sequence[Signed], grouping: reports.Grouping) -> dict[str, int]:
    sums = Counter[str]()
    for one in signed:
        for key, amount in one.parts[grouping]:
            sums[key] += one.sign * int(amount * 100)
    return _without_none(sums)


def _without_none(sums: Counter[str]) -> dict[str, int]:
    return {key: amount for key, amount in sums.items() if amount}


def _sign(transaction: object) -> int:
    return -1 if transaction == "refund" else 1
