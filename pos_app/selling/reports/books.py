"""The bookkeeper's report: each day's amounts by label and method; advances and refunds apart."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from pos_app.domain.receipt.reports import BookRow
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.reports import table

_NORMAL, _ADVANCE = InvoiceType.NORMAL, InvoiceType.ADVANCE
_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND
_KINDS = (
    (ReceiptKind(_NORMAL, _SALE), "normal"),
    (ReceiptKind(_NORMAL, _REFUND), "normal_refunds"),
    (ReceiptKind(_ADVANCE, _SALE), "advances"),
    (ReceiptKind(_ADVANCE, _REFUND), "advance_refunds"),
)
_COLUMNS = (
    table.ReportColumn("day", table.ColumnKind.KEY),
    table.ReportColumn("label", table.ColumnKind.KEY),
    table.ReportColumn("method", table.ColumnKind.KEY),
    *(
        column
        for kind, name in _KINDS
        for amounts in [
            table.ColumnKind.BACK if kind.transaction_type is _REFUND else table.ColumnKind.AMOUNT
        ]
        for column in (
            table.ReportColumn(name, amounts),
            table.ReportColumn(f"{name}_tax", amounts, in_files=True),
        )
    ),
    table.ReportColumn("net", table.ColumnKind.NET),
    table.ReportColumn("tax", table.ColumnKind.AMOUNT),
)


def books_table(rows: Iterable[BookRow]) -> table.Table:
    """A table of the days in their order, with their sum."""
    found = dict[tuple[str, str, str], dict[ReceiptKind, tuple[Decimal, Decimal]]]()
    for row in rows:
        sign = 1 if row.kind.transaction_type is _SALE else -1
        sums = found.setdefault((row.day.isoformat(), row.label, row.method), {})
        sums[row.kind] = (sign * row.amount, sign * row.tax)
    lines = tuple(table.Line(" ".join(key), (*key, *_cells(sums))) for key, sums in found.items())
    return table.Table(_COLUMNS, lines, table.summed(_COLUMNS, lines))


def _cells(sums: dict[ReceiptKind, tuple[Decimal, Decimal]]) -> list[table.Cell]:
    zero = Decimal(0)
    apart = [sums.get(kind, (zero, zero)) for kind, _ in _KINDS]
    amounts, taxes = (sum(parts, zero) for parts in zip(*apart, strict=True))
    return [*(cell for pair in apart for cell in pair), amounts, taxes]
