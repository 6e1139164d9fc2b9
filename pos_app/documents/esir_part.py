"""Lays out the ESIR's part of a receipt, beside the processor's journal.

Each function returns lines, or none where there is nothing to print.
Sources: fiscal.md 3 (change is no part of the journal; a refund's copy is signed by the customer),
6.2 (advances), 6.6 (unchecked refunds, reversals), 6.10 (achieved discounts); platform-api.md
(printBankAccounts).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pos_app.documents import columns
from pos_app.documents.blocks import COLUMNS
from pos_app.documents.receipt_journal import JournalLines
from pos_app.documents.words import PaperWords, clock_text
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import percent_text, plain_amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.esir_part import EsirPart, LoweredLine, total_saved
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, TransactionType

_SIGNATURE = "Потпис купца:"
_UNDOES = "Поништава рачун:"
_UNCHECKED = "Рефундирани рачун није из овог система, раније рефундације нису проверене."


def is_signed_by_customer(document: FiscalDocument) -> bool:
    """Whether the document is the copy of a refund, which the customer signs."""
    is_refund = document.transaction_type is TransactionType.REFUND
    return is_refund and document.invoice_type is InvoiceType.COPY


def signature_line(journal: JournalLines, words: PaperWords) -> tuple[str, ...]:
    """The line for the customer to sign, where the journal has none."""
    if any(text_line.startswith(words.text(_SIGNATURE)) for text_line in journal.above):
        return ()
    return (f"{words.text(_SIGNATURE)} ".ljust(COLUMNS, "_"),)


def change(
    receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart, words: PaperWords
) -> tuple[str, ...]:
    """The customer's change: payments above the amount due; none on a refund."""
    if document.transaction_type is TransactionType.REFUND:
        return ()
    due = document.total if receipt.total_amount is None else receipt.total_amount
    if esir.advance is not None:
        due -= esir.advance.paid
    returned = document.paid - due
    return (
        tuple(words.pair("Повраћај:", plain_amount_text(returned))) if returned > Money.ZERO else ()
    )


def advance_figures(esir: EsirPart, words: PaperWords) -> tuple[str, ...]:
    if esir.advance is None:
        return ()
    return (
        *words.pair("Плаћено авансом:", plain_amount_text(esir.advance.paid)),
        *words.pair("ПДВ на авансу:", plain_amount_text(esir.advance.vat)),
        *words.pair("Преостало за плаћање:", plain_amount_text(esir.advance.remaining)),
    )


def last_advance(esir: EsirPart, words: PaperWords) -> tuple[str, ...]:
    if esir.last_advance is None:
        return ()
    number, time = columns.clean(esir.last_advance.number), clock_text(esir.last_advance.time)
    label = words.text("Последњи авансни рачун:")
    return (label, *(part.rjust(COLUMNS) for part in (*columns.wrapped(number), time)))


def unchecked_refund(esir: EsirPart, words: PaperWords) -> tuple[str, ...]:
    """A note on the refund of another system's receipt, whose earlier refunds are unknown."""
    return words.wrapped(_UNCHECKED) if esir.is_unchecked else ()


def undone(esir: EsirPart, document: FiscalDocument, words: PaperWords) -> tuple[str, ...]:
    """The receipt that a reversal undoes. A copy does not show that receipt, because the copy
    refers to the reversal itself."""
    number = document.referent_number
    if not esir.is_reversal or document.invoice_type is InvoiceType.COPY or number is None:
        return ()
    return words.text(_UNDOES), *(
        part.rjust(COLUMNS) for part in columns.wrapped(columns.clean(number))
    )


def achieved_discounts(esir: EsirPart, words: PaperWords) -> tuple[str, ...]:
    if not esir.lowered:
        return ()
    rows = [row for line in esir.lowered for row in _discount_rows(line, words)]
    saved = plain_amount_text(total_saved(esir.lowered))
    total = words.pair("Укупна уштеда:", saved)
    return (words.text("Остварени попусти"), "-" * COLUMNS, *rows, "-" * COLUMNS, *total)


def _discount_rows(line: LoweredLine, words: PaperWords) -> Iterator[str]:
    yield from columns.wrapped(words.text(columns.clean(line.name)))
    label = f"  {words.text('уместо')} {plain_amount_text(line.before)}"
    rate = f" ({columns.clean(percent_text(line.percent.value))})" if line.percent else ""
    yield from columns.pair(label + rate, plain_amount_text(line.after - line.before))


def bank_accounts(
    esir: EsirPart, document: FiscalDocument, accounts: Sequence[BankAccount], words: PaperWords
) -> tuple[str, ...]:
    is_sale = document.transaction_type is TransactionType.SALE and not esir.is_reversal
    if not accounts or not is_sale or not document.paid_by(PaymentMethod.WIRE_TRANSFER):
        return ()
    label = words.text("Текући рачун:" if len(accounts) == 1 else "Текући рачуни:")
    first, *further = (columns.pair(label, str(account))[0] for account in accounts)
    return (first, *(text_line.replace(label, " " * len(label)) for text_line in further))


def additional_text(esir: EsirPart) -> tuple[str, ...]:
    return typed_lines((esir.additional_text,))


def typed_lines(texts: Sequence[str]) -> tuple[str, ...]:
    text_lines = columns.trimmed_lines("\n".join(texts))
    return tuple(part for text_line in text_lines for part in columns.wrapped(text_line.rstrip()))
