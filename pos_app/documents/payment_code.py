"""The NBS IPS code by which a customer pays a proforma, or a receipt that he pays by transfer.

The purpose names the receipt in full; the reference is its counter in model 97, digits alone, so
that no bank's program stumbles over it. Our choice: no law says what the reference is.
Source: fiscal.md 6.15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pos_app.documents.blocks import PaymentCode
from pos_app.documents.words import PaperWords
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.ips import LONGEST_PURPOSE, IpsPayee, IpsPayment, reference_97, speakable
from pos_app.domain.money import Money
from pos_app.domain.number_text import plain_amount_text
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import InvoiceType, TransactionType

_CAPTION = (
    "NBS IPS QR",
    "ЗА ПЛАЋАЊЕ ИЗ БАНКЕ",
    "Ово није QR код фискалног рачуна.",
)
_PURPOSES = {InvoiceType.PROFORMA: "Predračun", InvoiceType.NORMAL: "Račun"}
"""An advance is issued when its money has come, and a copy asks for nothing a second time."""
_COUNTER = re.compile(r"[0-9]{1,21}$")


def payment_code(
    receipt: SignedReceipt, document: FiscalDocument, *, payee: IpsPayee, words: PaperWords
) -> Iterator[PaymentCode]:
    """The code, where there is something to pay by it."""
    amount = _to_pay(document)
    if amount <= Money.ZERO:
        return
    payment = IpsPayment(
        payee=payee,
        amount=amount,
        purpose=_purpose(receipt, document),
        reference=_reference(receipt),
    )
    shown = f"{words.say('Износ')}: {plain_amount_text(amount)} RSD"
    yield PaymentCode(payment.text, (*words.each(_CAPTION), shown))


def _to_pay(document: FiscalDocument) -> Money:
    """The whole of a proforma; of a sale, what is to come by transfer."""
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
    """ "Račun ABCD1234-EFGH5678-12345", or the number alone where that is too long."""
    number = speakable(receipt.invoice_number)
    named = f"{_PURPOSES[document.invoice_type]} {number}".strip()
    return named if len(named) <= LONGEST_PURPOSE else number[:LONGEST_PURPOSE].strip()


def _reference(receipt: SignedReceipt) -> str:
    """The counter at the end of the receipt's number; "" when it ends in no digits."""
    counter = _COUNTER.search(receipt.invoice_number)
    return reference_97(counter[0]) if counter else ""
