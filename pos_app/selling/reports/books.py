"""The bookkeeper's report: each day's amounts by label and method, with advances and refunds
apart."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from pos_app.domain.reports import BookRow
from pos_app.domain.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.reports.table import Cell, Column, Kind, Line, Table, summed

_NORMAL, _ADVANCE = InvoiceType.NORMAL, InvoiceType.ADVANCE
_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND
_KINDS = (
    (ReceiptKind(_NORMAL, _SALE), "normal"),
    (ReceiptKind(_NORMAL, _REFUND), "normal_refunds"),
    (ReceiptKind(_ADVANCE, _SALE), "advances"),
    (ReceiptKind(_ADVANCE, _REFUND), "advance_refunds"),
)
_COLUMNS = (
    Column("day", Kind.KEY),
    Column("label", Kind.KEY),
    Column("method", Kind.KEY),
    *(
        column
        for kind, name in _KINDS
        for amounts in [Kind.BACK if kind.transaction_type is _REFUND else Kind.AMOUNT]
        for column in (Column(name, amounts), Column(f"{name}_tax", amounts, in_files=True))
    ),
    Column("net", Kind.NET),
    Column("tax", Kind.AMOUNT),
)


def books_table(rows: Iterable[BookRow]) -> Table:
    """A table of the days in their order, with their sum."""
    found = dict[tuple[str, str, str], dict[ReceiptKind, tuple[Decimal, Decimal]]]()
    for row in rows:
        sign = 1 if row.kind.transaction_type is _SALE else -1
        sums = found.setdefault((row.day.isoformat(), row.label, row.method), {})
        sums[row.kind] = (sign * row.amount, sign * row.tax)
    lines = tuple(Line(" ".join(key), (*key, *_cells(sums))) for key, sums in found.items())
    return Table(_COLUMNS, lines, summed(_COLUMNS, lines))


def _cells(sums: dict[ReceiptKind, tuple[Decimal, Decimal]]) -> list[Cell]:
    zero = Decimal(0)
    apart = [sums.get(kind, (zero, zero)) for kind, _ in _KINDS]
    amounts, taxes = (sum(parts, zero) for parts in zip(*apart, strict=True))
    return [*(cell for pair in apart for cell in pair), amounts, taxes]
