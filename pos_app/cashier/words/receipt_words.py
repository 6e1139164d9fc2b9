"""Words and figures of a receipt of the journal, for each screen that shows one."""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.moments import moment_text
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import MINUS, amount_text
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import is_relay_origin
from pos_app.domain.receipt.receipt_list import LOCAL_PROGRAM
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import ReceiptKind, TransactionType
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.shift.shift import Shift


def short_number(number: str) -> str:
    """The counter at the end of a number, by which people name it."""
    return number.rpartition("-")[2]


def when_words(overview: ReceiptOverview) -> str:
    return moment_text(overview.time)


def document_words(sale: Sale, texts: Texts) -> str:
    """Return the kind of document in words; "" for a sale."""
    if sale.closes_elsewhere:
        return texts("last.closes_elsewhere")
    if sale.operation is not Operation.ISSUE:
        return texts(f"att.op.{sale.operation}")
    return "" if sale.kind is DocumentKind.SALE else texts(f"kind.{sale.kind}")


def moved_total(sale: Sale) -> Money:
    """Return the sum of a sale, with a minus if it goes back to the customer."""
    return -sale.total if sale.operation is Operation.REFUND else sale.total


def program_words(program: str, texts: Texts) -> str:
    """Return the words for the program that asked for a receipt, by its origin."""
    if is_relay_origin(program):
        return texts("receipts.relayed_program")
    return texts("receipts.local_program") if program == LOCAL_PROGRAM else program


def kind_words(kind: ReceiptKind, texts: Texts) -> str:
    return texts(f"receipts.kind.{kind.invoice_type}.{kind.transaction_type}")


def link_words(kind: ReceiptKind, texts: Texts) -> str:
    """The kind in as few words as a chain has room for."""
    return texts(f"receipts.link.{kind.invoice_type}.{kind.transaction_type}")


def signed_amount(kind: ReceiptKind, total: Money) -> str:
    text = amount_text(total)
    return f"{MINUS}{text}" if is_given_back(kind) else text


def is_given_back(kind: ReceiptKind) -> bool:
    return kind.transaction_type is TransactionType.REFUND


def since_words(shift: Shift, texts: Texts, text_id: str) -> str:
    """The words for an open shift, with its person if it has one. text_id: the text with the
    person; the text with `_since` behind the id has none."""
    since = moment_text(shift.opened_at)
    if not shift.opened_by:
        return texts(f"{text_id}_since", since=since)
    return texts(text_id, name=shift.opened_by, since=since)
