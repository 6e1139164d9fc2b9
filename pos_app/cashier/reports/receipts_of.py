"""The receipts of a report's line, as a query to the list of receipts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal

from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.screens import REPORTS, ReceiptPlace, ReceiptsOfPlace
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_list import ReceiptQuery
from pos_app.domain.receipt.reports import PAID_BEFORE
from pos_app.selling.reports.own import receipt_of
from pos_app.selling.reports.report import Report, ReportName

_LONGEST = 300_000
"""The most letters of a category's articles in one query, which has room for a million bytes."""

_OF_ONE = (ReportName.ACTS, ReportName.RECEIVABLES, ReportName.COLLECTED)
"""The reports of which each line has one receipt, or none."""


def receipts_of(
    report: Report, key: str, rates: Mapping[TaxLabel, Decimal]
) -> ReceiptsOfPlace | ReceiptPlace | None:
    """The query, or the receipt of an act or of money that is owed or came in. It is None where
    there are no receipts, or the list can't show them alone: payments in advance, and a category
    with more articles than a query can hold. rates: of the tax labels, for the words of the
    line."""
    if report.choice.name in _OF_ONE:
        number = receipt_of(report, key)
        return ReceiptPlace(number, back_to=REPORTS) if number else None
    if all(line.key != key for line in report.table.lines):
        return None

    def words(texts: Texts) -> str:
        return ReportWords(texts, rates).narrowed_to(report, key)

    name, period = report.choice.name, report.choice.period
    if name is ReportName.DAY:
        return ReceiptsOfPlace(*_days(report, key))
    if name is ReportName.METHOD:
        is_method = key != PAID_BEFORE
        paid = PaymentMethod(key) if is_method else None
        return ReceiptsOfPlace(period.first, period.last, paid) if is_method else None
    if name is ReportName.BOOKS:
        return _of_books(key, words)
    narrowed = _narrowed(report, key)
    if narrowed is None:
        return None
    return ReceiptsOfPlace(period.first, period.last, narrowed=narrowed, words=words)


def _narrowed(report: Report, key: str) -> ReceiptQuery | None:
    match report.choice.name:
        case ReportName.HOUR:
            return ReceiptQuery(hour=int(key))
        case ReportName.LABEL:
            return ReceiptQuery(label=TaxLabel(key))
        case ReportName.CASHIER:
            return ReceiptQuery(cashier=key)
        case ReportName.ARTICLE:
            return ReceiptQuery(articles=frozenset({key}))
        case ReportName.CATEGORY:
            return _of_category(report, key)
    return None


def _of_books(key: str, words: Callable[[Texts], str]) -> ReceiptsOfPlace | None:
    day_text, label, method = key.split(" ")
    if method == PAID_BEFORE:
        return None
    day, narrowed = date.fromisoformat(day_text), ReceiptQuery(label=TaxLabel(label))
    return ReceiptsOfPlace(day, day, PaymentMethod(method), narrowed, words)


def _days(report: Report, key: str) -> tuple[date, date]:
    if not report.choice.is_by_month:
        return date.fromisoformat(key), date.fromisoformat(key)
    period = report.choice.period
    first = date.fromisoformat(f"{key}-01")
    end = (first + timedelta(days=32)).replace(day=1)
    return max(first, period.first), min(end - timedelta(days=1), period.last)


def _of_category(report: Report, key: str) -> ReceiptQuery | None:
    articles = report.articles.get(key, frozenset())
    fits = 0 < sum(map(len, articles)) + len(articles) <= _LONGEST
    return ReceiptQuery(articles=articles) if fits else None
