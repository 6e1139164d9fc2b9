"""Receipts of some weeks for the screen of reports, the same in each run."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count

from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt import TaxItem
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.text.instant import in_belgrade

CASHIERS = ("Милица Јовановић", "Марко Петровић", "Ненад Костић")
_ARTICLES = (
    (1, "Хлеб бели Сава 500 g/ком", TaxLabel.E, "64.99"),
    (6, "Бурек са сиром/ком", TaxLabel.E, "189.99"),
    (11, "Млеко 2,8 % 1 l/ком", TaxLabel.E, "149.99"),
    (20, "Кафа млевена 200 g/ком", TaxLabel.DJ, "389.90"),
    (31, "Детерџент за веш 3 kg/ком", TaxLabel.DJ, "1299.00"),
    (32, "Новине/ком", TaxLabel.A, "80.00"),
)
_TAX = {TaxLabel.DJ: Decimal(20), TaxLabel.E: Decimal(10), TaxLabel.A: Decimal(0)}


def weeks(now: datetime, *, days: int = 28, a_day: int = 12) -> list[SignedRow]:
    """Rows of that many days that end now, with refunds and an advance."""
    chance, numbers = random.Random(19), count(1)
    rows = [
        row
        for back in range(days - 1, -1, -1)
        for row in _day(now - timedelta(days=back), chance, numbers, a_day, is_today=back == 0)
    ]
    return sorted(rows, key=lambda row: row.at_ms)


def paid_later(now: datetime, *, after: int) -> list[SignedRow]:
    """Sales to firms, paid by transfer or cheque on some of the last days. after: the number of the
    receipt before them."""
    chance = random.Random(7)
    buyers = ("10:104982316", "10:104982316", "12:100002887:12345", "10:101626723", None)
    rows = list[SignedRow]()
    for place, back in enumerate((74, 61, 40, 38, 21, 12, 9, 5, 2)):
        number = after + place + 1
        row = _row(now - timedelta(days=back), chance, 3 * number + 1)
        method = PaymentMethod.CHECK if place % 4 == 3 else PaymentMethod.WIRE_TRANSFER
        document = replace(
            row.document,
            invoice_type=InvoiceType.NORMAL,
            transaction_type=TransactionType.SALE,
            payments=((method, row.document.total),),
            buyer=buyers[place % len(buyers)],
        )
        rows.append(
            replace(
                row,
                row=number,
                id=uuid.UUID(int=number),
                number=f"JIBV9AD5-JIBV9AD5-{number}",
                document=document,
                chain=uuid.UUID(int=number),
            )
        )
    return rows


def _day(
    now: datetime, chance: random.Random, numbers: Iterator[int], many: int, *, is_today: bool
) -> Iterator[SignedRow]:
    busy = {5: 1.4, 6: 0.5}.get(in_belgrade(now).weekday(), 1.0)
    for _ in range(round(many * busy * chance.uniform(0.8, 1.2))):
        local = in_belgrade(now).replace(hour=chance.randrange(7, 21), minute=chance.randrange(60))
        if is_today:
            local = min(local, in_belgrade(now))
        yield _row(local, chance, next(numbers))


def _row(at: datetime, chance: random.Random, number: int) -> SignedRow:
    is_refund, is_advance = number % 29 == 0, number % 97 == 0
    lines = tuple(
        _line(*chance.choice(_ARTICLES), chance.randrange(1, 9))
        for _ in range(chance.randrange(1, 5))
    )
    method = PaymentMethod.CARD if chance.random() < 0.4 else PaymentMethod.CASH
    total = Money.total(line.total for line in lines)
    document = FiscalDocument(
        invoice_type=InvoiceType.ADVANCE if is_advance else InvoiceType.NORMAL,
        transaction_type=TransactionType.REFUND if is_refund else TransactionType.SALE,
        lines=lines,
        payments=((method, total),),
        cashier=CASHIERS[number % len(CASHIERS)],
    )
    taxes = tuple(
        TaxItem(0, "", label.value, _TAX[label], _share(gross, _TAX[label]))
        for label, gross in document.by_label.items()
    )
    return SignedRow(
        row=number,
        id=uuid.UUID(int=number),
        at_ms=int(at.timestamp() * 1000),
        at=at,
        number=f"JIBV9AD5-JIBV9AD5-{number}",
        document=document,
        program="till",
        referent=None,
        chain=uuid.UUID(int=number),
        taxes=taxes,
    )


def _line(sku: int, name: str, label: TaxLabel, price: str, pieces: int) -> FiscalLine:
    one = Money(price)
    total = Money(one.amount * pieces)
    return FiscalLine(name, label, Quantity(pieces), one, total, sku=sku)


def _share(gross: Money, rate: Decimal) -> Decimal:
    return (gross.amount * rate / (100 + rate)).quantize(Decimal("0.0001"))
