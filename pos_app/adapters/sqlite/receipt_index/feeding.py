"""Adds signed receipts to the list: first the newly signed ones, then the journal's earlier ones,
the newest first. Each step is one transaction, so that a step that ended halfway leaves nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.receipt_index.schema import (
    BEFORE,
    KINDS,
    LABELS,
    LATER,
    METHODS,
    ROLES,
    UNPAID,
)
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow, SignedRows
from pos_app.adapters.sqlite.stored_values import para, thousandths
from pos_app.domain.money.money import PARA, half_up
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receivables import ChainRole
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.text.instant import in_belgrade
from pos_app.domain.text.search_text import fold
from pos_app.fiscalization.found_by import (
    PrintedArticle,
    kept_buyer,
    methods_of,
    number_parts,
    printed_article,
    words_of_buyer,
)
from pos_app.lazy_dataclass import dataclass

AT_ONCE = 120
"""Rows of the history that a step reads: some forty receipts, 10 ms."""
_MOST_KNOWN = 4_000
_CASH = METHODS.index(PaymentMethod.CASH)
_RECEIPT = f"INSERT INTO receipt VALUES ({', '.join('?' * 17)})"
_LINE = "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?)"
_MONEY = "INSERT INTO money VALUES (?, ?, ?, ?, ?, ?, ?)"
_NAME = (
    "INSERT INTO name (sort, text, words, article, shown) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET words = words RETURNING id"
)
_NEWEST = "UPDATE name SET at = ?1 WHERE id = ?2 AND (at IS NULL OR at < ?1)"
_PAID_LATER = f"INSERT INTO paid_later VALUES ({', '.join('?' * 10)})"
_PAID_ADVANCE = "INSERT INTO paid_advance VALUES (?, ?, ?, ?, ?)"
_PAID = (
    "INSERT INTO advance VALUES (?, ?, NULL) ON CONFLICT (chain) DO UPDATE"
    " SET paid = paid + excluded.paid"
)
_TOUCHED = "UPDATE advance SET told = NULL WHERE chain = ? AND told IS NOT NULL"
_ENDED = "DELETE FROM advance WHERE chain = ? AND paid = 0"


class AnotherJournal(Exception):
    """The list was made from another journal, or from rows that this journal no longer has."""


@dataclass(frozen=True, slots=True)
class Fed:
    """The row of `fed`. hash: that of the row `last` of the history, None if there is no such
    row."""

    journal: str
    first: int
    last: int
    hash: bytes | None
    receipts: int = 0
    left_out: int = 0


def fed_of(connection: apsw.Connection) -> Fed | None:
    """Return the row of `fed`, or None for a new file, which has none yet."""
    row = connection.execute(
        "SELECT journal, first, last, hash, receipts, left_out FROM fed"
    ).fetchone()
    return None if row is None else Fed(*row)


class Feeding:
    def __init__(self, connection: apsw.Connection, journal: SignedRows) -> None:
        self._connection = connection
        self._journal = journal
        self._known: dict[tuple[str, str], int] = {}

    def step(self) -> bool:
        """Add receipts; tell whether there are more. Raises AnotherJournal, JournalAway,
        MachineError."""
        try:
            with transaction(self._connection), self._journal.as_of_now():
                return self._step()
        except BaseException:
            self._known.clear()  # names that were made may not be there now
            raise

    def _step(self) -> bool:
        fed, (tip, _) = self._checked(), self._journal.last()
        if fed.last < tip:
            first, last = fed.last + 1, min(tip, fed.last + AT_ONCE)
            reached = replace(fed, last=last, hash=self._journal.hash_of(last))
        elif fed.first > 1:
            first, last = max(1, fed.first - AT_ONCE), fed.first - 1
            reached = replace(fed, first=first)
        else:
            return False
        left_out = self._journal.left_out
        rows = self._journal.signed(first, last)
        self.write(rows)
        self.save(
            replace(
                reached,
                receipts=fed.receipts + len(rows),
                left_out=fed.left_out + self._journal.left_out - left_out,
            )
        )
        return reached.last < tip or reached.first > 1

    def _checked(self) -> Fed:
        """Return how far the list is; a new file begins at the journal's end. Raises
        AnotherJournal."""
        journal, fed = self._journal.identity(), fed_of(self._connection)
        if fed is None:
            tip, tip_hash = self._journal.last()
            return Fed(journal, first=tip + 1, last=tip, hash=tip_hash)
        if fed.journal != journal or fed.hash != self._journal.hash_of(fed.last):
            raise AnotherJournal
        return fed

    def save(self, fed: Fed) -> None:
        """Write how far the list is now, in a transaction."""
        self._connection.execute(
            "INSERT OR REPLACE INTO fed VALUES (1, ?, ?, ?, ?, ?, ?)",
            (fed.journal, fed.first, fed.last, fed.hash, fed.receipts, fed.left_out),
        )

    def write(self, rows: Iterable[SignedRow]) -> None:
        """Write receipts that the list does not have yet, in a transaction."""
        receipts, lines, money, advances = list[Any](), list[Any](), list[Any](), list[Any]()
        later = list[Any]()
        newest, touched = dict[int, int](), set[bytes]()
        for row in rows:
            document, local = row.document, in_belgrade(row.at)
            day, kind = local.toordinal(), KINDS.index(document.kind)
            receipts.append(self._receipt(row, day, kind, local.hour))
            sold = list(self._lines(row, day, kind))
            lines += sold
            if document.invoice_type.is_fiscal:
                money += _money(row, day, kind)
                later += self._later(row, day)
                for article, *_ in sold:
                    newest[article] = max(row.at_ms, newest.get(article, row.at_ms))
            if document.invoice_type is InvoiceType.ADVANCE:
                is_sale = document.transaction_type is TransactionType.SALE
                paid = para(document.total) * (1 if is_sale else -1)
                advances.append((row.chain.bytes, row.at_ms, row.row, day, paid))
            if document.invoice_type is InvoiceType.ADVANCE or row.chain != row.id:
                touched.add(row.chain.bytes)
        many = self._connection.executemany
        many(_RECEIPT, receipts)
        many(_LINE, sorted(lines))
        many(_MONEY, money)
        many(_PAID_LATER, later)
        many(_NEWEST, [(at, article) for article, at in sorted(newest.items())])
        many(_PAID_ADVANCE, advances)
        paid_in = Counter[bytes]()
        for chain, *_, paid in advances:
            paid_in[chain] += paid
        many(_PAID, [(chain, amount) for chain, amount in paid_in.items() if amount])
        many(_ENDED, [(chain,) for chain in paid_in])
        many(_TOUCHED, [(chain,) for chain in sorted(touched)])

    def _receipt(self, row: SignedRow, day: int, kind: int, hour: int) -> tuple[Any, ...]:
        document = row.document
        head, counter = self._number(row)
        return (
            row.row,
            day,
            row.at_ms,
            row.id.bytes,
            head,
            counter,
            row.referent,
            kind,
            para(document.total),
            sum(1 << METHODS.index(method) for method in methods_of(document)),
            sum(1 << LABELS.index(label) for label in {line.label for line in document.lines}),
            hour,
            self._name("cashier", document.cashier, fold(document.cashier)),
            self._name("program", row.program),
            self._buyer(row),
            int(document.asks_e_invoice),
            int(_is_untaxed(row)),
        )

    def _number(self, row: SignedRow) -> tuple[int, int | None]:
        head, counter = number_parts(row.number)
        return self._name("head", head), counter

    def _buyer(self, row: SignedRow) -> int | None:
        if row.document.buyer is None:
            return None
        kept = kept_buyer(row.document.buyer)
        return self._name("buyer", kept, words_of_buyer(kept))

    def _later(self, row: SignedRow, day: int) -> Iterator[tuple[Any, ...]]:
        """What was paid by methods that may be paid later. A refund that begins its chain is of a
        receipt that is not in this journal, so nobody here owes less by it."""
        role = _role(row)
        if role is not ChainRole.SALE and row.chain == row.id:
            return
        paid = paid_by(row, para(row.document.total))
        for method in LATER:
            if amount := paid.get(method, 0):
                named = (*self._number(row), row.referent, self._buyer(row))
                yield row.chain.bytes, row.row, method, day, amount, ROLES.index(role), *named

    def _lines(self, row: SignedRow, day: int, kind: int) -> Iterator[tuple[int, ...]]:
        """What the receipt sold of each article."""
        sold, keys = dict[PrintedArticle, list[int]](), set[str]()
        for line in row.document.lines:
            found = sold.setdefault(printed_article(line), [0, 0])
            found[0] += para(line.total)
            found[1] += thousandths(line.quantity)
        for one, (amount, quantity) in sold.items():
            article = self._name("article", one.text, one.words, one.key, one.name)
            yield article, day, row.row, kind, int(one.key not in keys), amount, quantity
            keys.add(one.key)

    def _name(
        self,
        sort: str,
        text: str,
        words: str = "",
        article: str | None = None,
        shown_name: str = "",
    ) -> int:
        """Return a name's number, made when it first appears."""
        known = self._known.get((sort, text))
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            made = self._connection.execute(_NAME, (sort, text, words, article, shown_name))
            known = self._known[sort, text] = int(made.get)
        return known


# --- the money of a receipt ----------------------------------------------------------------------


def _money(row: SignedRow, day: int, kind: int) -> Iterator[tuple[int, ...]]:
    """Share each label among the methods that paid the receipt."""
    left = paid_by(row, para(row.document.total)) or {UNPAID: 0}
    taxes = {one.label: _rounded(one.amount) for one in row.taxes or ()}
    for label, gross in row.document.by_label.items():
        shares, tax = shared(para(gross), left.values()), taxes.get(label, 0)
        of_taxes = shared(tax, shares) if any(shares) else [tax, *shares[1:]]
        for method, share, of_tax in zip(left, shares, of_taxes, strict=True):
            yield day, row.row, LABELS.index(label), method, kind, share, of_tax
            left[method] -= share


def _role(row: SignedRow) -> ChainRole:
    if row.is_reversal:
        return ChainRole.REVERSAL
    if row.document.transaction_type is TransactionType.SALE:
        return ChainRole.SALE
    return ChainRole.CLOSING if row.is_closing else ChainRole.REFUND


def _is_untaxed(row: SignedRow) -> bool:
    """Whether no report has the whole tax of a receipt."""
    if not row.document.invoice_type.is_fiscal:
        return False
    labels = row.document.by_label.keys()
    return row.taxes is None or any(one.label not in labels for one in row.taxes)


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
