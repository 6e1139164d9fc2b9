"""Adds signed receipts to the list: first the newly signed ones, then the journal's earlier ones,
the newest first. Each step is one transaction, so that a step that ended halfway leaves nothing."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.receipt_index.report_feeding import ReportFeeding
from pos_app.adapters.sqlite.receipt_index.schema import KINDS, LABELS, METHODS
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow, SignedRows
from pos_app.adapters.sqlite.stored_values import para
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import day_of, in_belgrade
from pos_app.fiscalization import receipt_facets
from pos_app.lazy_dataclass import dataclass

AT_ONCE = 120
"""Rows of the history that a step reads: some forty receipts, 10 ms."""
NAMED = (
    receipt_facets.FacetSort.CASHIER,
    receipt_facets.FacetSort.BUYER,
    receipt_facets.FacetSort.ARTICLE,
)
"""Sorts of facets by whose words a receipt is found."""
USUAL = (
    receipt_facets.kind_facet(ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE)),
    receipt_facets.payment_facet(PaymentMethod.CASH),
)
"""Facets that nearly all receipts have. The table `facet` has no rows of them."""
_MOST_KNOWN = 2_000
_RECEIPT = "INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_DAY = (
    "INSERT INTO day VALUES (?, ?, ?, ?) ON CONFLICT (day, kind) DO UPDATE"
    " SET receipts = receipts + excluded.receipts, total = total + excluded.total"
)
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
        self._known: dict[tuple[int, str], int] = {}
        self._reports = ReportFeeding(connection)

    def step(self) -> bool:
        """Add receipts; tell whether there are more. Raises AnotherJournal, JournalAway,
        MachineError."""
        try:
            with transaction(self._connection), self._journal.as_of_now():
                return self._step()
        except BaseException:
            self._known.clear()  # entries that were made may not be there now
            self._reports.forget()
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
        self.keep(
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

    def keep(self, fed: Fed) -> None:
        """Write how far the list is now, in a transaction."""
        self._connection.execute(
            "INSERT OR REPLACE INTO fed VALUES (1, ?, ?, ?, ?, ?, ?)",
            (fed.journal, fed.first, fed.last, fed.hash, fed.receipts, fed.left_out),
        )

    def write(self, rows: Iterable[SignedRow]) -> None:
        """Write receipts that the list does not have yet, in a transaction."""
        counts, sums = Counter[int](), dict[tuple[int, int], list[int]]()
        paid, touched = Counter[bytes](), set[bytes]()
        receipts, facets = [], []
        for row in rows:
            found = receipt_facets.facets_of(row.document, program=row.program)
            entries = {facet: self._entry(facet) for facet in found}
            counts.update(entries.values())
            facets += [
                (entry, row.at_ms, row.row) for one, entry in entries.items() if one not in USUAL
            ]
            receipt = self._receipt(row, entries)
            receipts.append(receipt)
            self._reports.add(row, cashier=receipt[8], total=receipt[5])
            day = sums.setdefault((day_of(row.at).toordinal(), receipt[6]), [0, 0])
            day[0] += 1
            day[1] += receipt[5]
            if row.document.invoice_type is InvoiceType.ADVANCE:
                is_sale = row.document.transaction_type is TransactionType.SALE
                paid[row.chain.bytes] += receipt[5] if is_sale else -receipt[5]
            if row.document.invoice_type is InvoiceType.ADVANCE or row.chain != row.id:
                touched.add(row.chain.bytes)
        many = self._connection.executemany
        many(_RECEIPT, receipts)
        many("INSERT INTO facet VALUES (?, ?, ?)", sorted(facets))
        self._reports.write()
        many(_DAY, [(*which, *values) for which, values in sums.items()])
        moved = [(chain, amount) for chain, amount in paid.items() if amount]
        many(_PAID, moved)
        many(_ENDED, [(chain,) for chain, _ in moved])
        many(_TOUCHED, [(chain,) for chain in sorted(touched)])
        many(
            "UPDATE entry SET receipts = receipts + ? WHERE id = ?",
            [(count, entry) for entry, count in counts.items()],
        )

    def _receipt(self, row: SignedRow, entries: dict[receipt_facets.Facet, int]) -> tuple[Any, ...]:
        document = row.document
        head, counter = receipt_facets.number_parts(row.number)
        of_sort = {one.sort: entry for one, entry in entries.items()}
        named = [entry for one, entry in entries.items() if one.sort in NAMED]
        return (
            row.at_ms,
            row.row,
            row.id.bytes,
            self._entry(receipt_facets.Facet(receipt_facets.FacetSort.NUMBER_HEAD, head)),
            counter,
            para(document.total),
            KINDS.index(document.kind),
            sum(1 << METHODS.index(method) for method in receipt_facets.methods_of(document)),
            of_sort[receipt_facets.FacetSort.CASHIER],
            of_sort[receipt_facets.FacetSort.PROGRAM],
            None if document.buyer is None else entries[receipt_facets.buyer_facet(document.buyer)],
            int(receipt_facets.E_INVOICE in entries),
            row.referent,
            in_belgrade(row.at).hour,
            sum(1 << LABELS.index(label) for label in {line.label for line in document.lines}),
            struct.pack(f"<{len(named)}I", *named),
        )

    def _entry(self, facet: receipt_facets.Facet) -> int:
        """Return a facet's number, made when it first appears."""
        key = (facet.sort.value, facet.text)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = self._stored(facet, key)
        return known

    def _stored(self, facet: receipt_facets.Facet, key: tuple[int, str]) -> int:
        connection = self._connection
        found = connection.execute(
            "SELECT id FROM entry WHERE sort = ? AND text = ?", key
        ).fetchone()
        if found is not None:
            return int(found[0])
        connection.execute("INSERT INTO entry (sort, text, receipts) VALUES (?, ?, 0)", key)
        made = connection.last_insert_rowid()
        if facet.words:
            connection.execute(
                "INSERT INTO entry_words (rowid, words) VALUES (?, ?)", (made, facet.words)
            )
        return made
