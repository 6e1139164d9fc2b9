"""Which receipts a line of a report is made of, as far as the list of receipts can be asked so."""

from __future__ import annotations

from datetime import date, timedelta

from pos_app.cashier.screens import ReceiptsOfPlace
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.reports import PAID_BEFORE
from pos_app.selling.reports.report import Report, ReportName


def receipts_of(report: Report, key: str) -> ReceiptsOfPlace | None:
    """None where the list can't show them alone: those of an hour, a label or a category."""
    period = report.choice.period
    whole = ReceiptsOfPlace(period.first, period.last)
    if not key:
        return None
    match report.choice.name:
        case ReportName.DAY if report.choice.is_by_month:
            first = max(date.fromisoformat(f"{key}-01"), period.first)
            end = (first.replace(day=1) + timedelta(days=32)).replace(day=1)
            return ReceiptsOfPlace(first, min(end - timedelta(days=1), period.last))
        case ReportName.DAY:
            day = date.fromisoformat(key)
            return ReceiptsOfPlace(day, day)
        case ReportName.BOOKS:
            day = date.fromisoformat(key.partition(" ")[0])
            return ReceiptsOfPlace(day, day)
        case ReportName.CASHIER:
            return ReceiptsOfPlace(whole.first, whole.last, typed=key)
        case ReportName.ARTICLE if key.isdigit():
            return ReceiptsOfPlace(whole.first, whole.last, typed=key)
        case ReportName.METHOD if key != PAID_BEFORE:
            return ReceiptsOfPlace(whole.first, whole.last, payment=PaymentMethod(key))
    return None
