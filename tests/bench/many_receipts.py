"""A list of receipts as large as it gets, made of generated documents by the product's own writer.

A shop of three years: articles that sell more or less often, baskets of one to nine lines, some
rare kinds and payments, one receipt of fifty paid by transfer, a web shop beside the till, buyers
who are firms.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path

from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.journal.rows import ms
from pos_app.adapters.sqlite.receipt_index.feeding import Fed, Feeding
from pos_app.adapters.sqlite.receipt_index.schema import MIGRATIONS
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow, SignedRows
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from tests.bench import assortment

ELEMENT = "BIG0BIG0-BIG0BIG0"
LAST = datetime(2026, 11, 20, 18, tzinfo=UTC)
_YEARS = timedelta(days=3 * 365)
_DOCUMENTS = 20_000
"""The number of different baskets; each is sold again and again."""
_ARTICLES = 10_000
_AT_ONCE = 5_000
_BEYOND = 1_000_000_000
"""The generated rows lie beyond those of the journal, which goes on while it is measured."""
_CASHIERS = ("Милица Јовановић", "Марко Петровић", "Ана Илић", "Петар Ђорђевић", "Јелена Нешић")
_RARE = (
    (InvoiceType.NORMAL, TransactionType.REFUND),
    (InvoiceType.COPY, TransactionType.REFUND),
    (InvoiceType.ADVANCE, TransactionType.SALE),
    (InvoiceType.PROFORMA, TransactionType.SALE),
)
_RAREST = (InvoiceType.TRAINING, TransactionType.REFUND)


def fill(path: Path, receipts: int, *, journal: Path, known: Sequence[str]) -> None:
    """Fill a list with `receipts` receipts that the journal goes on from. known: requests of the
    journal, whose ids the receipts share."""
    with closing(open_database(path, migrations=MIGRATIONS, durable=False)) as connection:
        connection.execute("PRAGMA cache_size=-200000")
        signed = SignedRows(journal)
        feeding = Feeding(connection, signed)
        ids = [uuid.UUID(one) for one in known]
        rows = (
            replace(row, row=row.row + _BEYOND, id=ids[row.row % len(ids)])
            for row in rows_of(receipts)
        )
        while chunk := list(islice(rows, _AT_ONCE)):
            with transaction(connection):
                feeding.write(chunk)
        with transaction(connection):
            feeding.save(Fed(signed.identity(), 1, *signed.last(), receipts))
        signed.close()


def rows_of(receipts: int) -> Iterator[SignedRow]:
    """Rows spread evenly over three years, the oldest first."""
    chance = random.Random(20261120)
    documents = documents_of(chance, min(_DOCUMENTS, receipts))
    for place in range(receipts):
        at = LAST - _YEARS * ((receipts - place) / receipts)
        document = chance.choice(documents)
        yield SignedRow(
            row=place + 1,
            id=uuid.UUID(int=place),
            at_ms=ms(at),
            at=at,
            number=f"{ELEMENT}-{place + 1}",
            document=document,
            program="web" if chance.random() < 0.05 else "till",
            referent=None,
            # that of all advances, which the journal does not have
            chain=uuid.UUID(int=place + 1 if _is_paid_later(document) else 0),
        )


def _is_paid_later(document: FiscalDocument) -> bool:
    return document.payments[0][0] is PaymentMethod.WIRE_TRANSFER


def documents_of(chance: random.Random, count: int) -> list[FiscalDocument]:
    many = min(_ARTICLES, 10 * count)
    articles = [_line(one) for one in islice(assortment.products(2 * many), many)]
    return [_document(chance, articles, place) for place in range(count)]


def _line(product: dict[str, object]) -> FiscalLine:
    price = Money(Decimal(str(product["price"])))
    sku = product["sku"]
    return FiscalLine(
        name=f"{product['name']}/ком",
        label=TaxLabel.DJ,
        quantity=Quantity(1),
        unit_price=price,
        total=price,
        gtin=None if sku is None else assortment.ean_of(int(str(sku))),
        sku=None if sku is None else int(str(sku)),
    )


def _document(chance: random.Random, articles: list[FiscalLine], place: int) -> FiscalDocument:
    """Make a document; the first articles are sold most."""
    picked = {int(len(articles) * chance.random() ** 3) for _ in range(chance.randrange(1, 10))}
    lines = tuple(articles[one] for one in sorted(picked))
    kind = (InvoiceType.NORMAL, TransactionType.SALE)
    if place % 25 == 0:
        kind = _RARE[place // 25 % len(_RARE)]
    if place == 0:
        kind = _RAREST
    method = PaymentMethod.CARD if chance.random() < 0.4 else PaymentMethod.CASH
    if place % 50 == 7:
        method = PaymentMethod.WIRE_TRANSFER
    if place % 2_000 == 0:
        method = PaymentMethod.VOUCHER
    buyer = f"10:{100_000_000 + place % 700}" if place % 40 == 0 else None
    if place % 1_000 == 0:
        buyer = f"12:{100_000_000 + place % 700}:12345"
    return FiscalDocument(
        invoice_type=kind[0],
        transaction_type=kind[1],
        lines=lines,
        payments=((method, Money.total(line.total for line in lines)),),
        cashier=_CASHIERS[min(int(chance.expovariate(1.5)), len(_CASHIERS) - 1)],
        buyer=buyer,
    )
