"""The list of receipts as it should be: every row looked at, by the plain meaning of a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path

from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.receipt_index.feeding import Fed, Feeding
from pos_app.adapters.sqlite.receipt_index.schema import MIGRATIONS
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow, SignedRows
from pos_app.domain.receipt_list import ReceiptQuery, Turnover
from pos_app.domain.request import ReceiptKind, TransactionType
from pos_app.domain.search_text import matches, words
from pos_app.fiscalization.receipt_facets import FacetSort, facets_of, methods_of


def written(path: Path, rows: Sequence[SignedRow]) -> None:
    """A list of these rows, of a journal that is not asked."""
    with closing(open_database(path, migrations=MIGRATIONS, durable=False)) as connection:
        feeding = Feeding(connection, SignedRows(path.with_name("none.db")))
        with transaction(connection):
            feeding.write(rows)
            feeding.keep(Fed("", 1, len(rows), None, len(rows)))


def meets(row: SignedRow, query: ReceiptQuery) -> bool:
    document = row.document
    bounds = (
        query.since is None or row.at >= query.since,
        query.until is None or row.at < query.until,
        query.least is None or document.total >= query.least,
        query.most is None or document.total <= query.most,
    )
    chosen = (
        not query.kinds or kind_of(row) in query.kinds,
        not query.payments or bool(query.payments & set(methods_of(document))),
        query.cashier in (None, document.cashier),
        query.program in (None, row.program),
        query.buyer in (None, document.buyer),
        document.asks_e_invoice or not query.asks_e_invoice,
    )
    return all((*bounds, *chosen, _has_number(row.number, query.number), _has_words(row, query)))


def found(rows: Iterable[SignedRow], query: ReceiptQuery) -> list[SignedRow]:
    """Those that a query finds, the newest first."""
    met = [row for row in rows if meets(row, query)]
    return sorted(met, key=lambda row: (row.at_ms, row.row), reverse=True)


def turnover_of(rows: Iterable[SignedRow], query: ReceiptQuery) -> Turnover:
    sums, counts = Counter[TransactionType](), Counter[ReceiptKind]()
    for row in found(rows, query):
        counts[kind_of(row)] += 1
        if row.document.invoice_type.is_fiscal:
            sums[row.document.transaction_type] += int(row.document.total.amount * 100)
    return Turnover(
        Decimal(sums[TransactionType.SALE]) / 100, Decimal(sums[TransactionType.REFUND]) / 100,
        dict(counts),
    )  # fmt: skip


def kind_of(row: SignedRow) -> ReceiptKind:
    return ReceiptKind(row.document.invoice_type, row.document.transaction_type)


def _has_number(number: str, typed: str) -> bool:
    """The end of a number; with what stands before the counter, all of the counter."""
    typed, number = typed.strip().upper(), number.upper()
    head, hyphen, digits = typed.rpartition("-")
    if hyphen and digits.isdigit():
        its_head, _, its_digits = number.rpartition("-")
        return its_head.endswith(head) and its_digits == digits
    if typed.isdigit():
        counter = number.rpartition("-")[2]
        return counter.isdigit() and counter.endswith(typed)
    return not typed or number == typed


def _has_words(row: SignedRow, query: ReceiptQuery) -> bool:
    if not query.words.strip():
        return True
    if not words(query.words):
        return False
    facets = facets_of(row.document, program=row.program)
    named = [one for one in facets if one.sort in (FacetSort.ARTICLE, FacetSort.CASHIER)]
    buyer = row.document.buyer or ""
    is_person = buyer.startswith("11:")
    if is_person and buyer[3:] == query.words.strip():
        return True
    if buyer and not is_person and matches(buyer[3:], query.words):
        return True
    return any(matches(one.words, query.words) for one in named)
