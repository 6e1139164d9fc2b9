"""The parts of an X and a Z, from the till's own rows and from the journal.

Receipts are counted once: a sale that is unsigned at the end of its shift is shown apart, and again
by the shift in which it is signed, as one of an earlier shift.
Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from pos_app.domain.money.money import PARA, Money, half_up
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import shift_report
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_list import TILL_PROGRAM, ListedReceipt
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.sale.state import ENDED, SaleState
from pos_app.selling.shift import cash
from pos_app.selling.shift.count import Count
from pos_app.selling.shift.shift import Differences

COUNTED_METHODS = (PaymentMethod.CARD, PaymentMethod.CHECK, PaymentMethod.VOUCHER)
"""These are counted beside cash; a bank confirms the others."""
_SALE = ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE)


def is_signed(sale: cash.ShiftSale, end: int = cash.AFTER) -> bool:
    return sale.states[end] is SaleState.DONE


def signed_ids(sales: Iterable[cash.ShiftSale]) -> frozenset[str]:
    return frozenset(
        one.receipt_id for one in sales if one.is_own and _is_fiscal(one) and is_signed(one)
    )


def _is_fiscal(sale: cash.ShiftSale) -> bool:
    return sale.kind.takes_money and sale.operation is not Operation.COPY


def turnover_of(sale: cash.ShiftSale) -> Money:
    """The sale's part of the turnover, negative for a refund. An earlier advance at another system
    belongs to the turnover of the sale, because its refund by hand was subtracted."""
    whole = sale.total + sale.paid_before
    return -whole if sale.is_refund else whole


def turnover_by(sale: cash.ShiftSale) -> Mapping[PaymentMethod, Money]:
    """The same by method, where cash is without the change on the receipt.

    | total  | on the receipt         | turnover by                |
    | 198.98 | cash 500.00            | cash 198.98                |
    | 700.00 | card 500.00, cash 1000 | card 500.00, cash 200.00   |
    """
    shown = dict(sale.taken.on_receipt.by_method)
    change = Money.total(shown.values()) - sale.total
    if change and PaymentMethod.CASH in shown:
        shown[PaymentMethod.CASH] -= change
    for method, amount in sale.before_by.by_method:
        shown[method] = shown.get(method, Money.ZERO) + amount
    return {method: -amount if sale.is_refund else amount for method, amount in shown.items()}


def takings_of(sales: Iterable[cash.ShiftSale]) -> shift_report.Takings:
    """Sum up the takings of a shift. sales: its own, and those of earlier shifts that changed in
    it."""
    fiscal = [one for one in sales if _is_fiscal(one)]
    own = [one for one in fiscal if one.is_own]
    signed = [one for one in own if is_signed(one)]
    methods: dict[str, Money] = {}
    cashiers: dict[str, Money] = {}
    hours: dict[int, Money] = {}
    for one in signed:
        amount = turnover_of(one)
        for method, of in turnover_by(one).items():
            methods[method.value] = methods.get(method.value, Money.ZERO) + of
        cashiers[one.cashier] = cashiers.get(one.cashier, Money.ZERO) + amount
        hour = in_belgrade(one.frozen_at).hour
        hours[hour] = hours.get(hour, Money.ZERO) + amount
    order = [method.value for method in PaymentMethod]
    return shift_report.Takings(
        turnover=Money.total(turnover_of(one) for one in signed),
        receipts=sum(2 if one.operation is Operation.CLOSE else 1 for one in signed),
        methods=tuple(shift_report.Sum(one, methods[one]) for one in order if methods.get(one)),
        cashiers=tuple(shift_report.Sum(name, amount) for name, amount in cashiers.items()),
        hours=tuple(shift_report.HourSum(hour, hours[hour]) for hour in sorted(hours)),
        refunds=_summed("refunds", (one for one in signed if _is_refund(one))),
        corrections=_summed(
            "corrections", (one for one in signed if one.of_correction and not one.is_refund)
        ),
        unsigned=_summed("unsigned", (one for one in own if one.states[cash.AFTER] not in ENDED)),
        signed_later=_summed(
            "signed_later",
            (
                one
                for one in fiscal
                if not one.is_own and is_signed(one) and not is_signed(one, cash.BEFORE)
            ),
        ),
    )


def _is_refund(sale: cash.ShiftSale) -> bool:
    """Whether a customer got money back: no half of a correction, no closing."""
    is_closing = sale.closes_elsewhere and not sale.paid_out[cash.AFTER]
    return sale.is_refund and not sale.of_correction and not is_closing


def _summed(name: str, sales: Iterable[cash.ShiftSale]) -> shift_report.Sum:
    found = list(sales)
    return shift_report.Sum(name, Money.total(turnover_of(one) for one in found), len(found))


# --- the count against the sum ---------------------------------------------------------------


def differences(
    drawer: cash.DrawerSum, sales: Sequence[cash.ShiftSale], count: Count
) -> Differences:
    """The differences by method; a method without any amount is left out."""
    beside = cash.expected_beside_cash(sales)
    rows = [shift_report.Difference(PaymentMethod.CASH.value, drawer.expected, count.cash)]
    for method in COUNTED_METHODS:
        expected, counted = beside.get(method, Money.ZERO), count.beside_cash(method)
        if expected or counted is not None:
            rows.append(shift_report.Difference(method.value, expected, counted))
    return Differences(tuple(rows))


def parts_of(drawer: cash.DrawerSum) -> tuple[shift_report.PartSum, ...]:
    return tuple(
        shift_report.PartSum(part, drawer.amount(part))
        for part in shift_report.CashPart
        if part is shift_report.CashPart.FLOAT or drawer.of(part)
    )


# --- what the journal tells ------------------------------------------------------------------


def from_server(
    rows: Iterable[ListedReceipt],
    sales: Sequence[cash.ShiftSale],
    *,
    until: datetime,
    categories: Mapping[str, str],
) -> shift_report.FromServer | None:
    """rows: the receipts of the shift's period, with their figures. until: see `FromServer`.
    categories: by article (`first_categories`).

    A receipt is the shift's own by its id, or as one of the two of a closing. The result is None
    where the rows lack a receipt of the turnover, because the tax would be too small.
    """
    listed = list(rows)
    own_ids = signed_ids(sales)
    tills = {row.number: row for row in listed if row.program.startswith(TILL_PROGRAM)}
    if not own_ids <= {row.request_id for row in tills.values()}:
        return None
    own = {number for number, row in tills.items() if row.request_id in own_ids}
    closings = {
        row.referent: row.number
        for row in tills.values()
        if row.kind == _SALE
        and row.referent in tills
        and _ends_advance(tills[row.referent])
        and not own.isdisjoint((row.number, row.referent))
    }
    numbers = own | set(closings) | set(closings.values())
    mine = [tills[one] for one in sorted(numbers) if tills[one].kind.invoice_type.is_fiscal]
    others: dict[str, shift_report.Sum] = {}
    for row in listed:
        if not row.program.startswith(TILL_PROGRAM) and row.kind.invoice_type.is_fiscal:
            was = others.get(row.program, shift_report.Sum(row.program, Money.ZERO))
            others[row.program] = shift_report.Sum(
                row.program, was.amount + _signed(row), was.many + 1
            )
    return shift_report.FromServer(
        until,
        labels=_labels(mine),
        closed_advances=shift_report.Sum(
            "closed_advances",
            Money.total(_signed(tills[number]) for number in closings),
            len(closings),
        ),
        others=tuple(others.values()),
        categories=_categories(mine, categories),
    )


def _ends_advance(row: ListedReceipt) -> bool:
    kind = row.kind
    return (
        kind.invoice_type is InvoiceType.ADVANCE and kind.transaction_type is TransactionType.REFUND
    )


def _signed(row: ListedReceipt) -> Money:
    return -row.total if row.kind.transaction_type is TransactionType.REFUND else row.total


def _labels(rows: Iterable[ListedReceipt]) -> tuple[shift_report.LabelSum, ...]:
    """Sums by label; the tax of a label is rounded on each receipt before."""
    totals: dict[str, Money] = {}
    taxes: dict[str, Money] = {}
    rates: dict[str, Decimal] = {}
    for row in rows:
        if row.figures is None:
            continue
        is_refund = row.kind.transaction_type is TransactionType.REFUND
        for line in row.figures.lines:
            label = line.label.value
            was = totals.get(label, Money.ZERO)
            totals[label] = was - line.total if is_refund else was + line.total
        for item in row.figures.taxes:
            rates[item.label] = item.rate
            tax, was = Money(half_up(item.amount, PARA)), taxes.get(item.label, Money.ZERO)
            taxes[item.label] = was - tax if is_refund else was + tax
    return tuple(
        shift_report.LabelSum(
            label, rates.get(label), totals.get(label, Money.ZERO), taxes.get(label, Money.ZERO)
        )
        for label in sorted({*totals, *taxes})
    )


def _categories(
    rows: Iterable[ListedReceipt], categories: Mapping[str, str]
) -> tuple[shift_report.Sum, ...]:
    found: dict[str, Money] = {}
    for row in rows:
        is_refund = row.kind.transaction_type is TransactionType.REFUND
        for line in () if row.figures is None else row.figures.lines:
            name = categories.get(line.article_key, "")
            was = found.get(name, Money.ZERO)
            found[name] = was - line.total if is_refund else was + line.total
    ordered = sorted(found, key=lambda name: (not name, -found[name].amount))
    return tuple(shift_report.Sum(name, found[name]) for name in ordered if found[name])
