"""The list of receipts as a model: it looks at every row, by the plain meaning of a query."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.receipt_index.feeding import Fed, Feeding
from pos_app.adapters.sqlite.receipt_index.schema import MIGRATIONS
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow, SignedRows
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import reports
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt_list import ListState, ReceiptQuery, Turnover
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import beginning_of, day_of, in_belgrade
from pos_app.domain.text.search_text import matches, words
from pos_app.fiscalization.found_by import methods_of, printed_article


def written(path: Path, rows: Sequence[SignedRow]) -> None:
    with closing(open_database(path, migrations=MIGRATIONS, durable=False)) as connection:
        feeding = Feeding(connection, SignedRows(path.with_name("none.db")))
        with transaction(connection):
            feeding.write(rows)
            feeding.save(Fed("", 1, len(rows), None, len(rows)))


def row_of(place: int, at: datetime, document: FiscalDocument, **members: Any) -> SignedRow:
    usual: dict[str, Any] = {
        "row": place + 1,
        "id": uuid.UUID(int=place),
        "at_ms": round(at.timestamp() * 1000),
        "at": at,
        "number": f"ABCD1234-ABCD1234-{place + 1}",
        "document": document,
        "program": "till",
        "referent": None,
        "chain": uuid.UUID(int=place),
    }
    return SignedRow(**usual | members)


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
    has = (
        query.hour in (None, in_belgrade(row.at).hour),
        query.label is None or any(line.label is query.label for line in document.lines),
        not query.articles
        or any(printed_article(line).key in query.articles for line in document.lines),
    )
    return all(
        (*bounds, *chosen, *has, _has_number(row.number, query.number), _has_words(row, query))
    )


def matching_rows(rows: Iterable[SignedRow], query: ReceiptQuery) -> list[SignedRow]:
    met = [row for row in rows if meets(row, query)]
    return sorted(met, key=lambda row: (row.at_ms, row.row), reverse=True)


def turnover_of(rows: Iterable[SignedRow], query: ReceiptQuery) -> Turnover:
    sums, counts = Counter[TransactionType](), Counter[ReceiptKind]()
    wanted = _wanted(query)
    for row in matching_rows(rows, query):
        counts[kind_of(row)] += 1
        if row.document.invoice_type.is_fiscal:
            sums[row.document.transaction_type] += int(_part(row, wanted) * 100)
    return Turnover(
        Decimal(sums[TransactionType.SALE]) / 100,
        Decimal(sums[TransactionType.REFUND]) / 100,
        dict(counts),
        is_part=wanted is not None,
    )


def _wanted(query: ReceiptQuery) -> tuple[reports.Grouping, frozenset[str]] | None:
    """Return the rows of a report that sum up a query, or None where whole receipts do."""
    for moment in (query.since, query.until):
        if moment is not None and beginning_of(day_of(moment)) != moment:
            return None
    asked = replace(query, since=None, until=None, kinds=frozenset())
    if query.payments and asked == ReceiptQuery(payments=query.payments):
        return reports.Grouping.METHOD, frozenset(query.payments)
    if query.label and asked == ReceiptQuery(label=query.label):
        return reports.Grouping.LABEL, frozenset({query.label})
    if query.articles and asked == ReceiptQuery(articles=query.articles):
        return reports.Grouping.ARTICLE, query.articles
    return None


def _part(row: SignedRow, wanted: tuple[reports.Grouping, frozenset[str]] | None) -> Decimal:
    if wanted is None:
        return row.document.total.amount
    grouping, keys = wanted
    return sum((amount for key, amount in _parts(row, grouping) if key in keys), Decimal(0))


def kind_of(row: SignedRow) -> ReceiptKind:
    return ReceiptKind(row.document.invoice_type, row.document.transaction_type)


def _has_number(number: str, typed: str) -> bool:
    """Text before the counter needs the whole counter."""
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
    asked = [word for word in query.words.split() if words(word)]
    if not asked:
        return not query.words.strip()
    return all(_has_word(row, word) for word in asked)


def _has_word(row: SignedRow, word: str) -> bool:
    buyer = row.document.buyer or ""
    is_person = buyer.startswith("11:")
    if is_person and buyer[3:] == word:
        return True
    if buyer and not is_person and matches(buyer[3:], word):
        return True
    articles = [printed_article(line).words for line in row.document.lines]
    return any(matches(one, word) for one in (row.document.cashier, *articles))


# --- reports -------------------------------------------------------------------------------------
def report_of(rows: Iterable[SignedRow], asked: reports.ReportAsked) -> reports.ReportSums:
    some = [
        row
        for row in rows
        if row.document.invoice_type.is_fiscal and asked.first <= day_of(row.at) <= asked.last
    ]
    count = len(some)
    total = replace(_summed("", [(row, row.document.total.amount) for row in some]), tax=_tax(some))
    report = reports.ReportSums(
        total, ListState(count, count), untaxed=sum(row.taxes is None for row in some)
    )
    if asked.grouping is reports.Grouping.BOOKS:
        return replace(report, open_advances=_open_at(rows, asked.last))
    parts = dict[str, list[tuple[SignedRow, Decimal]]]()
    for row in some:
        for key, amount in _parts(row, asked.grouping):
            parts.setdefault(key, []).append((row, amount))
    told = [_with_more(_summed(key, of_it), of_it, asked.grouping) for key, of_it in parts.items()]
    by_time = asked.grouping in (
        reports.Grouping.DAY,
        reports.Grouping.MONTH,
        reports.Grouping.HOUR,
    )
    told.sort(key=lambda row: row.key if by_time else (-row.net, row.name, row.key))
    return replace(report, rows=tuple(told), many=len(told))


def _summed(key: str, parts: Sequence[tuple[SignedRow, Decimal]]) -> reports.ReportRow:
    sums = Counter[TransactionType]()
    for row, amount in parts:
        sums[row.document.transaction_type] += int(amount * 100)
    return reports.ReportRow(
        key,
        len({row.row for row, _ in parts}),
        Decimal(sums[TransactionType.SALE]) / 100,
        Decimal(sums[TransactionType.REFUND]) / 100,
    )


def _parts(row: SignedRow, grouping: reports.Grouping) -> list[tuple[str, Decimal]]:
    document, at = row.document, in_belgrade(row.at)
    total = document.total.amount
    match grouping:
        case reports.Grouping.DAY:
            return [(at.date().isoformat(), total)]
        case reports.Grouping.MONTH:
            return [(f"{at:%Y-%m}", total)]
        case reports.Grouping.HOUR:
            return [(f"{at:%H}", total)]
        case reports.Grouping.CASHIER:
            return [(document.cashier, total)]
        case reports.Grouping.LABEL:
            return [(line.label.value, line.total.amount) for line in document.lines]
        case reports.Grouping.ARTICLE:
            return [(printed_article(line).key, line.total.amount) for line in document.lines]
        case _:
            return _paid(row)


def _paid(row: SignedRow) -> list[tuple[str, Decimal]]:
    document = row.document
    total, due = document.total.amount, (document.total if row.due is None else row.due).amount
    paid = [(method.value, amount.amount) for method, amount in document.payments if amount]
    change = max(sum((amount for _, amount in paid), Decimal(0)) - due, Decimal(0))
    kept = list[tuple[str, Decimal]]()
    for method, amount in paid:
        back = min(change, amount) if method == "cash" else Decimal(0)
        change -= back
        if amount > back:
            kept.append((method, amount - back))
    rest = total - sum((amount for _, amount in kept), Decimal(0))
    return [*kept, (reports.PAID_BEFORE, rest)] if rest else kept


def _with_more(
    told: reports.ReportRow, parts: Sequence[tuple[SignedRow, Decimal]], grouping: reports.Grouping
) -> reports.ReportRow:
    rows = list({row.row: row for row, _ in parts}.values())
    if grouping is reports.Grouping.LABEL:
        return replace(told, tax=_tax(rows, told.key))
    if grouping is not reports.Grouping.ARTICLE:
        return told
    lines = [(row, line) for row in rows for line in row.document.lines]
    mine = [(row, line) for row, line in lines if printed_article(line).key == told.key]
    newest = max(mine, key=lambda one: one[0].at_ms)[1]
    quantity = sum((_sign(row) * line.quantity.amount for row, line in mine), Decimal(0))
    return replace(told, name=printed_article(newest).name, quantity=quantity)


def _tax(rows: Iterable[SignedRow], label: str | None = None) -> Decimal:
    """Add the taxes, each rounded as on its paper."""
    return sum(
        (
            _sign(row) * one.amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
            for row in rows
            for one in row.taxes or ()
            if label in (None, one.label)
        ),
        Decimal(0),
    )


def _sign(row: SignedRow) -> int:
    return 1 if row.document.transaction_type is TransactionType.SALE else -1


def _open_at(rows: Iterable[SignedRow], last: date) -> tuple[reports.AdvanceAt, ...]:
    chains = dict[uuid.UUID, list[SignedRow]]()
    for row in rows:
        if row.document.invoice_type is InvoiceType.ADVANCE and day_of(row.at) <= last:
            chains.setdefault(row.chain, []).append(row)
    told = []
    for of_it in chains.values():
        paid = sum((_sign(row) * row.document.total.amount for row in of_it), Decimal(0))
        first = min(of_it, key=lambda row: (row.at_ms, row.row))
        if paid > 0:
            place = (first.at_ms, first.row)
            told.append((place, reports.AdvanceAt(first.number, day_of(first.at), Money(paid))))
    return tuple(one for _, one in sorted(told, key=lambda one: one[0]))
