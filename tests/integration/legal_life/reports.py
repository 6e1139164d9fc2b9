"""Reports held against the processor's ledger, in which each receipt is added up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from pos_app.domain.receipt import reports
from pos_app.domain.text.instant import day_of
from pos_app.local_api.journal_desk import JournalDesk
from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.wire.port_calls import call_of
from pos_app.wire.strict_json import loads
from tests.integration.local_api.wronged import Wronged
from tests.shop.ledger import turnover

REPORT = call_of(JournalDesk, "report")
NORMAL, ADVANCE = 0, 4
PARA = Decimal("0.01")


def check_reports(shop: Wronged) -> None:
    entries = shop.entries()
    signed = [entry for entry in entries if entry.invoice_type in (NORMAL, ADVANCE)]
    net = sum((_sign(entry) * entry.total for entry in signed), Decimal(0))
    tax = sum((_sign(entry) * _tax(entry) for entry in signed), Decimal(0))
    by_hand = turnover(shop.server.shop.folder / "processor")
    for grouping in set(reports.Grouping) - {reports.Grouping.RECEIVABLES}:
        told = report(shop, grouping, entries)
        assert told.state.is_whole
        assert (told.total.receipts, told.total.net, told.total.tax) == (len(signed), net, tax)
        if grouping is reports.Grouping.BOOKS:
            by_label = Counter[str]()
            for row in told.books:
                sign = -1 if row.kind.transaction_type == "refund" else 1
                by_label[row.label] += sign * int(row.amount * 100)
            found = {label: Decimal(sums) / 100 for label, sums in by_label.items() if sums}
            assert found == by_hand[reports.Grouping.LABEL]
        elif grouping in by_hand:
            found = {row.key: row.net for row in told.rows if row.net}
            assert found == by_hand[grouping], grouping
        else:
            assert sum((row.net for row in told.rows), Decimal(0)) == net, grouping


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


def _sign(entry: LedgerEntry) -> int:
    return 1 - 2 * entry.transaction_type


def _tax(entry: LedgerEntry) -> Decimal:
    """The tax on the paper, which rounds that of each label."""
    items: list[Any] = json.loads(entry.answer, parse_float=Decimal)["taxItems"]
    return sum((Decimal(one["amount"]).quantize(PARA, ROUND_HALF_UP) for one in items), Decimal(0))
