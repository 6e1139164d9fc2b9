"""Writes the journal of a receipt: 40 columns, CRLF, Serbian Cyrillic, as PFRs print it.

The layout was measured on real receipts; each function below writes one section, in order.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Literal

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.amounts import money
from pos_app.pfr_emulator.belgrade import BELGRADE
from pos_app.pfr_emulator.invoice import Invoice, InvoiceType, Item, PaymentType, TransactionType
from pos_app.pfr_emulator.options import Taxpayer
from pos_app.pfr_emulator.rates import CategoryType
from pos_app.pfr_emulator.tax import TaxItem, total_tax

WIDTH = 40
_DOUBLE = "=" * WIDTH
_SINGLE = "-" * WIDTH
_NOT_FISCAL = "ОВО НИЈЕ ФИСКАЛНИ РАЧУН"
_ITEM_HEADING = "Назив   Цена         Кол.         Укупно"
_TAX_HEADING = "Ознака       Име      Стопа        Порез"
_KINDS = {
    InvoiceType.NORMAL: "ПРОМЕТ",
    InvoiceType.ADVANCE: "АВАНС",
    InvoiceType.PROFORMA: "ПРЕДРАЧУН",
    InvoiceType.TRAINING: "ОБУКА",
    InvoiceType.COPY: "КОПИЈА",
}
_KIND_LETTERS = {
    InvoiceType.NORMAL: "П",
    InvoiceType.ADVANCE: "А",
    InvoiceType.PROFORMA: "Р",  # not its first letter, because П stands for ПРОМЕТ
    InvoiceType.TRAINING: "О",
    InvoiceType.COPY: "К",
}
_DIRECTIONS = {TransactionType.SALE: "ПРОДАЈА", TransactionType.REFUND: "РЕФУНДАЦИЈА"}
PAYMENTS = {
    PaymentType.CASH: "Готовина",
    PaymentType.CARD: "Платна картица",
    PaymentType.CHECK: "Чек",
    PaymentType.WIRETRANSFER: "Пренос на рачун",
    PaymentType.VOUCHER: "Ваучер",
    PaymentType.MOBILEMONEY: "Инстант плаћање",
    PaymentType.OTHER: "Друго безготовинско плаћање",
}


@dataclass(frozen=True, slots=True)
class Signed:
    """The PFR's time, number, and counter with its extension, which signing adds to an invoice."""

    at: datetime
    number: str
    counter: str


def counter_extension(invoice: Invoice) -> str:
    """Return the two letters after the counter, of type and transaction: ПП, АР, РП."""
    return _KIND_LETTERS[invoice.kind] + _DIRECTIONS[invoice.direction][0]


def write_journal(
    invoice: Invoice,
    *,
    signed: Signed,
    taxes: tuple[TaxItem, ...],
    taxpayer: Taxpayer,
    header: Literal["centred", "plain"],
) -> str:
    text_lines = [
        _title(invoice),
        *_seller(taxpayer, header),
        *_particulars(invoice),
        _banner(f"{_KINDS[invoice.kind]} {_DIRECTIONS[invoice.direction]}", "-"),
        *_items(invoice),
        *_payments(invoice),
        *_taxes(taxes),
        *_signature(signed),
        *_closing(invoice),
    ]
    return "".join(f"{text_line}\r\n" for text_line in text_lines)


def _banner(text: str, fill: str, indent: int | None = None) -> str:
    """Put `text` between two runs of `fill`; without `indent` the smaller half goes left."""
    before = (WIDTH - len(text)) // 2 if indent is None else indent
    return fill * before + text + fill * (WIDTH - before - len(text))


def _title(invoice: Invoice) -> str:
    if invoice.is_fiscal:
        return _banner(" ФИСКАЛНИ РАЧУН ", "=")
    return _banner(f" {_NOT_FISCAL} ", "=", indent=8)


def _seller(taxpayer: Taxpayer, header: str) -> Iterator[str]:
    facts = (
        taxpayer.tin,
        taxpayer.business_name,
        taxpayer.location_name,
        taxpayer.address,
        taxpayer.district,
    )
    for fact in facts:
        if header == "plain":
            yield fact
        else:
            yield from (_banner(part, " ") for part in _broken(fact))


def _broken(fact: str) -> list[str]:
    if len(fact) <= WIDTH:
        return [fact]
    *text_lines, last = textwrap.wrap(fact, WIDTH) or [""]
    ending = fact[len(fact.rstrip()) :]
    return [*text_lines, (last + ending)[:WIDTH]]


def _particulars(invoice: Invoice) -> Iterator[str]:
    facts = {
        "Касир:": invoice.cashier,
        "ИД купца:": invoice.buyer_id,
        "Опционо поље купца:": invoice.buyer_cost_center_id,
        "ЕСИР број:": invoice.esir_number,
        "ЕСИР време:": _moment(invoice.esir_time),
        "Реф. број:": invoice.referent_number,
        "Реф. време:": _moment(invoice.referent_time),
    }
    for label, value in facts.items():
        if value is not None:
            yield from _pair(label, value)


def _items(invoice: Invoice) -> Iterator[str]:
    yield from ("Артикли", _DOUBLE, _ITEM_HEADING)
    sign = "-" if invoice.direction is TransactionType.REFUND else ""
    for item in invoice.items:
        yield from _cut(f"{item.name} ({', '.join(item.labels)})")
        yield from _figures(item, sign)


def _figures(item: Item, sign: str) -> Iterator[str]:
    """Write price, quantity and total in columns, or separated by blanks where they are too
    wide."""
    price, total = _amount(item.unit_price), sign + _amount(item.total)
    quantity = _quantity(item.quantity)
    if len(price) <= 13 and len(quantity) <= 10 and len(total) <= 15:
        yield f"{price:>13}{quantity:>11}{total:>16}"
    else:
        yield from _cut(f"{price} {quantity} {total}".rjust(WIDTH))


def _payments(invoice: Invoice) -> Iterator[str]:
    yield _SINGLE
    is_refund = invoice.direction is TransactionType.REFUND
    yield from _pair(
        "Укупна рефундација:" if is_refund else "Укупан износ:", _amount(invoice.total)
    )
    for payment in invoice.payments:
        yield from _pair(f"{PAYMENTS[payment.method]}:", _amount(payment.amount))
    yield _DOUBLE
    if not invoice.is_fiscal:
        yield from (" " * 8 + _NOT_FISCAL, _DOUBLE)


def _taxes(taxes: tuple[TaxItem, ...]) -> Iterator[str]:
    yield _TAX_HEADING
    for tax in taxes:
        yield from _tax(tax)
    yield _SINGLE
    yield from _pair("Укупан износ пореза:", _amount(total_tax(taxes)))
    yield _DOUBLE


def _tax(tax: TaxItem) -> Iterator[str]:
    label, category, amount = tax.label.label, tax.label.category, _amount(tax.amount)
    unit = "" if tax.label.kind is CategoryType.AMOUNT_PER_QUANTITY else "%"
    rate = _amount(tax.label.rate) + unit
    if len(amount) <= 13:
        yield f"{label}{category:>16}{rate:>9}{amount:>14}"
    else:
        yield from _cut(f"{label} {category} {rate} {amount}".rjust(WIDTH))


def _signature(signed: Signed) -> Iterator[str]:
    yield from _pair("ПФР време:", _moment(signed.at) or "")
    yield from _pair("ПФР број рачуна:", signed.number)
    yield from _pair("Бројач рачуна:", signed.counter)
    yield _DOUBLE


def _closing(invoice: Invoice) -> Iterator[str]:
    if invoice.kind is InvoiceType.COPY and invoice.direction is TransactionType.REFUND:
        yield "Потпис купца: ".ljust(WIDTH, "_")
    if invoice.is_fiscal:
        yield _banner(" КРАЈ ФИСКАЛНОГ РАЧУНА ", "=")
    else:
        yield _title(invoice)


def _pair(label: str, value: str) -> Iterable[str]:
    """Write label left and value right, or, where no blank fits between them, one text cut at
    column 40."""
    if len(label) + len(value) < WIDTH:
        return [label + _one_line(value).rjust(WIDTH - len(label))]
    return _cut(f"{label} {value}")


def _cut(text: str) -> list[str]:
    """Cut every 40 columns; the last line is padded with blanks, also where it stands alone."""
    text_line = _one_line(text)
    return [
        text_line[start : start + WIDTH].ljust(WIDTH) for start in range(0, len(text_line), WIDTH)
    ]


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _amount(value: Decimal) -> str:
    return _serbian(f"{money(value):,.2f}")


def _quantity(value: Decimal) -> str:
    whole = value == value.to_integral_value()
    return _serbian(f"{value:,.0f}" if whole else f"{value:,.3f}")


def _serbian(figure: str) -> str:
    return figure.translate(str.maketrans(",.", ".,"))


def _moment(at: datetime | None) -> str | None:
    """Write Belgrade time, the hour without a leading zero: 05.01.2026. 9:07:03."""
    if at is None:
        return None
    local = at.astimezone(BELGRADE)
    return f"{local:%d.%m.%Y}. {local.hour}:{local:%M:%S}"
