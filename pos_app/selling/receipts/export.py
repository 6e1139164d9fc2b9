"""The list of receipts is written as a sheet for a bookkeeper: one row for each receipt, or for
each line.

Amounts of a refund are negative, as the screen shows them, so that those of turnover can be summed.
The category of a line is today's, as in the report by category.
A natural person's number stands in no sheet and no list.
Source: till.md ("Receipts"); fiscal.md 6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from pos_app.documents.words import program_words
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.fiscal_document import label_totals
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import JobMethod
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.cells import Cell
from pos_app.selling.file_work import FileWork

_COMMON = ("Број", "Бројач", "Време", "Врста", "Референца", "Купац")
METHODS = MappingProxyType(
    {
        PaymentMethod.CASH: "Готовина",
        PaymentMethod.CARD: "Платна картица",
        PaymentMethod.CHECK: "Чек",
        PaymentMethod.MOBILE_MONEY: "Инстант плаћање",
        PaymentMethod.WIRE_TRANSFER: "Пренос на рачун",
        PaymentMethod.VOUCHER: "Ваучер",
        PaymentMethod.OTHER: "Друго безготовинско",
    }
)
_TYPES = MappingProxyType(
    {
        InvoiceType.NORMAL: "Промет",
        InvoiceType.ADVANCE: "Аванс",
        InvoiceType.PROFORMA: "Предрачун",
        InvoiceType.TRAINING: "Обука",
        InvoiceType.COPY: "Копија",
    }
)
_TRANSACTIONS = MappingProxyType(
    {TransactionType.SALE: "продаја", TransactionType.REFUND: "рефундација"}
)
_WAYS = MappingProxyType(
    {JobMethod.THERMAL: "штампан", JobMethod.A4: "штампан (А4)", JobMethod.EMAIL: "имејл"}
)
_STATES = MappingProxyType(
    {
        receipt_list.HandOver.NOT_PRINTED: "није штампан",
        receipt_list.HandOver.PRINT_UNPROVEN: "можда није штампан",
        receipt_list.HandOver.MAIL_FAILED: "имејл није послат",
        receipt_list.HandOver.MAIL_UNPROVEN: "имејл можда није послат",
        receipt_list.HandOver.WAITING: "чека штампу",
        receipt_list.HandOver.MAIL_WAITS: "имејл чека",
        receipt_list.HandOver.DONE: "",
        receipt_list.HandOver.DROPPED: "одустало се",
        receipt_list.HandOver.STAYS_HERE: "не уручује се",
        receipt_list.HandOver.NONE: "",
        receipt_list.HandOver.UNKNOWN: "непознато",
    }
)
OF_RECEIPTS = (
    *_COMMON,
    *METHODS.values(),
    *(f"{what} {label}" for label in TaxLabel for what in ("Основица", "ПДВ")),
    "Укупно",
    "Касир",
    "Програм",
    "Уручење",
    "Е-фактура",
)
OF_LINES = (
    *_COMMON,
    "Ставка",
    "Шифра",
    "ЕАН",
    "Назив",
    "Ознака",
    "Стопа",
    "Количина",
    "Цена",
    "Износ",
    "Касир",
    "Програм",
    "Е-фактура",
    "Категорија",
)


class ReceiptExport(Protocol):
    """Begins an export in a process of its own. Its result is a FileDone, where `failed` counts the
    rows that lack unreadable data of the journal."""

    def export(
        self, query: receipt_list.ReceiptQuery, path: Path, *, by_lines: bool = False
    ) -> FileWork:
        """Write the result of the query, as CSV or XLSX by the name of the file, which exists only
        once it is whole. by_lines: one row for each line."""
        ...


def receipt_row(receipt: receipt_list.ListedReceipt) -> Sequence[Cell]:
    """The row of one receipt, below the heads `OF_RECEIPTS`. Where its figures are unreadable, it
    has what the list knows of it."""
    figures, sign = receipt.figures, _sign(receipt)
    total = receipt.total.amount * sign
    handed_over, e_invoice = _handed_over(receipt), _e_invoice(receipt)
    paid, taxes = _paid(figures, sign), _taxes(figures, sign)
    return (*_common(receipt), *paid, *taxes, total, *_issued(receipt), handed_over, e_invoice)


def line_rows(
    receipt: receipt_list.ListedReceipt, categories: Mapping[str, str]
) -> Iterator[Sequence[Cell]]:
    """The rows of one receipt, below the heads `OF_LINES`. A receipt with unreadable figures has
    one row, with what the list knows of it. categories: by article (`first_categories`)."""
    figures, sign, common = receipt.figures, _sign(receipt), _common(receipt)
    ends = (*_issued(receipt), _e_invoice(receipt))
    if figures is None:
        yield (*common, *[None] * 8, receipt.total.amount * sign, *ends, None)
        return
    for line, cells in zip(figures.lines, _lines(figures, sign), strict=True):
        yield (*common, *cells, *ends, categories.get(line.article_key))


def _issued(receipt: receipt_list.ListedReceipt) -> tuple[Cell, ...]:
    return (receipt.cashier, program_words(receipt.program))


def _e_invoice(receipt: receipt_list.ListedReceipt) -> Cell:
    return "да" if receipt.asks_e_invoice else None


def _common(receipt: receipt_list.ListedReceipt) -> tuple[Cell, ...]:
    kind = f"{_TYPES[receipt.kind.invoice_type]} {_TRANSACTIONS[receipt.kind.transaction_type]}"
    at = in_belgrade(receipt.at).replace(tzinfo=None, microsecond=0)
    counter = receipt.figures.counter if receipt.figures else None
    return (receipt.number, counter, at, kind, receipt.referent, receipt.buyer)


def _sign(receipt: receipt_list.ListedReceipt) -> int:
    return -1 if receipt.kind.transaction_type is TransactionType.REFUND else 1


def _paid(figures: receipt_list.ReceiptFigures | None, sign: int) -> Iterator[Cell]:
    paid = dict[PaymentMethod, Decimal]()
    for one in figures.payments if figures else ():
        paid[one.method] = paid.get(one.method, Decimal(0)) + one.amount.amount * sign
    return (paid.get(method) or None for method in METHODS)


def _taxes(figures: receipt_list.ReceiptFigures | None, sign: int) -> Iterator[Cell]:
    """Base and tax of each label, with four decimals, as the processor computed the tax."""
    gross = label_totals(figures.lines) if figures else {}
    taxes = {one.label: one.amount for one in figures.taxes} if figures else {}
    for label in TaxLabel:
        tax = taxes.get(label)
        known = tax is not None and label in gross
        yield (gross[label].amount - tax) * sign if known and tax is not None else None
        yield tax * sign if tax is not None else None


def _lines(figures: receipt_list.ReceiptFigures, sign: int) -> Iterator[tuple[Cell, ...]]:
    rates = {one.label: one.rate for one in figures.taxes}
    for index, line in enumerate(figures.lines, 1):
        yield (
            index,
            line.sku,
            line.gtin,
            line.name,
            line.label.value,
            rates.get(line.label),
            line.quantity.amount * sign,
            line.unit_price.amount,
            line.total.amount * sign,
        )


def _handed_over(receipt: receipt_list.ListedReceipt) -> Cell:
    ways = [_WAYS[one] for one in receipt.figures.handed_by] if receipt.figures else []
    state = _STATES[receipt.handed_over]
    return ", ".join([*dict.fromkeys(ways), *([state] if state else [])]) or None
