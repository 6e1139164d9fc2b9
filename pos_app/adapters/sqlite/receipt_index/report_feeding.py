"""Sums up the figures of reports by day while receipts come into the list, so that a report of a
year reads sums and no receipts. Source: till.md ("Reports")."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from enum import IntEnum

import apsw

from pos_app.adapters.sqlite.receipt_index.schema import KINDS, LABELS, METHODS
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.adapters.sqlite.stored_values import para
from pos_app.domain.money.money import PARA, half_up
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.text.instant import in_belgrade
from pos_app.fiscalization.receipt_facets import sold_article

_CASH = METHODS.index(PaymentMethod.CASH)
BEFORE = len(METHODS)
"""Stands for a method: the amounts that were paid in advance of a sale."""
CELLS = 16
"""A label and a method are one key: the label's position times this number, plus the method's."""
_MOST_KNOWN = 2_000
_ADD = (
    "INSERT INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sort, day, key, kind) DO UPDATE"
    " SET receipts = receipts + excluded.receipts, amount = amount + excluded.amount,"
    " tax = tax + excluded.tax, quantity = quantity + excluded.quantity"
)


class SumSort(IntEnum):
    """The meaning of a row's key in `sums`. Stored as these numbers."""

    HOUR = 1
    """The key is the hour of Belgrade's clock."""
    CASHIER = 2
    """The key is an entry."""
    METHOD = 3
    """The key is a position in the codebook, or `BEFORE`."""
    LABEL = 4
    """The key is a position in the codebook; these rows have `tax`."""
    CELL = 5
    """The key is a label with a method: `CELLS` times the label's position plus the method's."""
    ARTICLE = 6
    """The key is a row of `sold`; these rows have `quantity`."""
    ARTICLE_MONTH = 7
    """The same for a whole month, under its first day."""
    UNTAXED = 8
    """The key is 0, for receipts whose tax is unknown."""


_ARTICLE, _ARTICLE_MONTH = int(SumSort.ARTICLE), int(SumSort.ARTICLE_MONTH)
"""These numbers are looked up only once, because most rows that are fed are lines."""


class ReportFeeding:
    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._sums: dict[tuple[int, int, int, int], list[int]] = {}
        self._advances: list[tuple[bytes, int, int, int, int]] = []
        self._known: dict[str, tuple[int, str, int]] = {}

    def forget(self) -> None:
        self._sums, self._advances = {}, []
        self._known.clear()

    def add(self, row: SignedRow, *, cashier: int, total: int) -> None:
        """Add a receipt that the list does not have yet. cashier: its entry. total: in para."""
        document = row.document
        if not document.invoice_type.is_fiscal:
            return
        local, kind = in_belgrade(row.at), KINDS.index(document.kind)
        day = local.toordinal()
        self._add(SumSort.HOUR, day, local.hour, kind, amount=total)
        self._add(SumSort.CASHIER, day, cashier, kind, amount=total)
        if document.invoice_type is InvoiceType.ADVANCE:
            is_sale = document.transaction_type is TransactionType.SALE
            paid = total if is_sale else -total
            self._advances.append((row.chain.bytes, row.at_ms, row.row, day, paid))
        labels = self._add_lines(row, day, kind, local.date().replace(day=1).toordinal())
        self._add_money(row, day, kind, total, labels)

    def write(self) -> None:
        many = self._connection.executemany
        many(_ADD, [(*key, *self._sums[key]) for key in sorted(self._sums)])
        many("INSERT INTO paid_advance VALUES (?, ?, ?, ?, ?)", self._advances)
        self._sums, self._advances = {}, []

    def _add(
        self,
        sort: int,
        day: int,
        key: int,
        kind: int,
        *,
        amount: int = 0,
        tax: int = 0,
        quantity: int = 0,
    ) -> None:
        found = self._sums.get((sort, day, key, kind))
        if found is None:
            self._sums[sort, day, key, kind] = [1, amount, tax, quantity]
        else:
            found[0] += 1
            found[1] += amount
            found[2] += tax
            found[3] += quantity

    def _add_money(
        self, row: SignedRow, day: int, kind: int, total: int, labels: dict[TaxLabel, int]
    ) -> None:
        taxes = {one.label: _rounded(one.amount) for one in row.taxes or ()}
        if row.taxes is None or not taxes.keys() <= labels.keys():
            self._add(SumSort.UNTAXED, day, 0, kind)
        left = paid_by(row, total)
        for method, amount in left.items():
            self._add(SumSort.METHOD, day, method, kind, amount=amount)
        for label, amount in labels.items():
            index, tax = LABELS.index(label), taxes.get(label, 0)
            self._add(SumSort.LABEL, day, index, kind, amount=amount, tax=tax)
            shares = shared(amount, left.values())
            for method, share, of_tax in zip(left, shares, shared(tax, shares), strict=True):
                left[method] -= share
                if share or of_tax:
                    key = index * CELLS + method
                    self._add(SumSort.CELL, day, key, kind, amount=share, tax=of_tax)

    def _add_lines(self, row: SignedRow, day: int, kind: int, month: int) -> dict[TaxLabel, int]:
        sold, labels = dict[int, list[int]](), dict[TaxLabel, int]()
        for line in row.document.lines:
            amount = para(line.total)
            labels[line.label] = labels.get(line.label, 0) + amount
            found = sold.setdefault(self._article(*sold_article(line), row.at_ms), [0, 0])
            found[0] += amount
            found[1] += int(line.quantity.amount.scaleb(3))
        for article, (amount, quantity) in sold.items():
            self._add(_ARTICLE, day, article, kind, amount=amount, quantity=quantity)
            self._add(_ARTICLE_MONTH, month, article, kind, amount=amount, quantity=quantity)
        return labels

    def _article(self, key: str, name: str, at: int) -> int:
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = self._stored(key, name, at)
        number, its_name, named_at = known
        if name != its_name and at >= named_at:
            renamed = "UPDATE sold SET name = ?, at = ? WHERE id = ?"
            self._connection.execute(renamed, (name, at, number))
            self._known[key] = (number, name, at)
        return number

    def _stored(self, key: str, name: str, at: int) -> tuple[int, str, int]:
        find = "SELECT id, name, at FROM sold WHERE key = ?"
        found = self._connection.execute(find, (key,)).fetchone()
        if found is not None:
            return (found[0], found[1], found[2])
        make = "INSERT INTO sold (key, name, at) VALUES (?, ?, ?)"
        self._connection.execute(make, (key, name, at))
        return (self._connection.last_insert_rowid(), name, at)


def paid_by(row: SignedRow, total: int) -> dict[int, int]:
    """Return the payments of a receipt's total in para: cash without the change, and under `BEFORE`
    the amount that was paid before."""
    paid = [(METHODS.index(method), para(amount)) for method, amount in row.document.payments]
    due = total if row.due is None else para(row.due)
    change, left = max(sum(amount for _, amount in paid) - due, 0), total
    methods = dict[int, int]()
    for method, amount in paid:
        back = min(change, amount) if method == _CASH else 0
        change -= back
        left -= amount - back
        if amount > back:
            methods[method] = methods.get(method, 0) + amount - back
    if left:
        methods[BEFORE] = left
    return methods


def shared(amount: int, among: Iterable[int]) -> list[int]:
    """Share an amount in the proportion of other amounts, to the para. The shares add up to the
    amount. If it is not larger than the sum of the others, no share is larger than its amount among
    them.

    | amount | among     | shares     |
    | 100    | 200, 100  | 67, 33     |
    | 299    | 200, 100  | 199, 100   |
    | 1      | 1, 1, 1   | 0, 1, 0    |
    """
    whole, given, reached = sum(among := list(among)), 0, 0
    shares = list[int]()
    for one in among:
        reached += one
        until = (2 * amount * reached + whole) // (2 * whole) if whole else 0
        shares.append(until - given)
        given = until
    return shares


def _rounded(tax: Decimal) -> int:
    return int(half_up(tax, PARA).scaleb(2))
