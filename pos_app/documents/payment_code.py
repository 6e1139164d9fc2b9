"""The NBS IPS code by which a customer pays a proforma, or a receipt paid by transfer.

The purpose is the receipt's full number. The reference is the receipt's counter in model 97, digits
only, so that every bank's program accepts it; no law prescribes the reference.
Source: fiscal.md 6.15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pos_app.documents.blocks import PaymentCode
from pos_app.documents.words import PaperWords
from pos_app.domain.money import ips
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import plain_amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, TransactionType

_CAPTION = ("NBS IPS QR", "ЗА ПЛАЋАЊЕ ИЗ БАНКЕ", "Ово није QR код фискалног рачуна.")
_PURPOSES = {InvoiceType.PROFORMA: "Predračun", InvoiceType.NORMAL: "Račun"}
"""The words of payable kinds. An advance is issued once it is paid, and a copy is not paid
again."""
_COUNTER = re.compile(r"[0-9]{1,21}$")


def payment_code(
    receipt: SignedReceipt, document: FiscalDocument, *, payee: ips.IpsPayee, words: PaperWords
) -> Iterator[PaymentCode]:
    amount = _to_pay(document)
    if amount <= Money.ZERO:
        return
    payment = ips.IpsPayment(
        payee=payee,
        amount=amount,
        purpose=_purpose(receipt, document),
        reference=_reference(receipt),
    )
    shown = f"{words.text('Износ')}: {plain_amount_text(amount)} RSD"
    yield PaymentCode(payment.text, (*words.texts(_CAPTION), shown))


def _to_pay(document: FiscalDocument) -> Money:
    """The amount of the code: a proforma's total, or the part of a sale paid by transfer."""
    if document.transaction_type is not TransactionType.SALE:
        return Money.ZERO
    match document.invoice_type:
        case InvoiceType.PROFORMA:
            return document.total
        case InvoiceType.NORMAL:
            return document.paid_by(PaymentMethod.WIRE_TRANSFER)
        case _:
            return Money.ZERO


def _purpose(receipt: SignedReceipt, document: FiscalDocument) -> str:
    """The purpose: "Račun ABCD1234-EFGH5678-12345", or only the number where that is too long."""
    number = ips.tag_text(receipt.invoice_number)
    named = f"{_PURPOSES[document.invoice_type]} {number}".strip()
    return named if len(named) <= ips.LONGEST_PURPOSE else number[: ips.LONGEST_PURPOSE].strip()


def _reference(receipt: SignedReceipt) -> str:
    counter = _COUNTER.search(receipt.invoice_number)
    return ips.reference_97(counter[0]) if counter else ""
