"""What the ESIR itself says on a receipt's paper, beside the words of the processor.

Sources: fiscal.md 3 (change is no part of the journal; a refund's copy is signed by the customer),
6.10 (achieved discounts).
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.documents.blocks import COLUMNS
from pos_app.documents.columns import clean, pair, split_lines, wrapped
from pos_app.documents.journal import Journal
from pos_app.documents.words import Words
from pos_app.domain.numerals import percent_text, plain_amount_text
from pos_app.domain.pricing import PricedLine, price
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import InvoiceType, IssueRequest, RequestedItem, TransactionType

_SIGNATURE = "Потпис купца:"


def signature_line(journal: Journal, request: IssueRequest, words: Words) -> tuple[str, ...]:
    """The customer signs the copy of a refund; where the processor left no line, we draw it."""
    is_refund = request.transaction_type is TransactionType.REFUND
    if not is_refund or request.invoice_type is not InvoiceType.COPY:
        return ()
    if any(line.startswith(words.say(_SIGNATURE)) for line in journal.above):
        return ()
    return ("", f"{words.say(_SIGNATURE)} ".ljust(COLUMNS, "_"))


def change(receipt: SignedReceipt, request: IssueRequest, words: Words) -> tuple[str, ...]:
    """What the customer gets back: payments above the total; nothing on a refund."""
    if request.transaction_type is TransactionType.REFUND:
        return ()
    total = price(request).total if receipt.total_amount is None else receipt.total_amount
    paid = request.payments.total
    return tuple(words.pair("Повраћај:", plain_amount_text(paid - total))) if paid > total else ()


def achieved_discounts(request: IssueRequest, words: Words) -> tuple[str, ...]:
    """The lines that were lowered, each with what it saved, and the sum. Raises Invalid."""
    worth = price(request)
    if not worth.achieved_discount or request.invoice_type is InvoiceType.ADVANCE:
        return ()
    lowered = zip(request.items, worth.lines, strict=True)
    rows = [row for item, line in lowered for row in _discount_rows(request, item, line, words)]
    total = words.pair("Укупна уштеда:", plain_amount_text(worth.achieved_discount))
    return (words.say("Остварени попусти"), "-" * COLUMNS, *rows, "-" * COLUMNS, *total)


def _discount_rows(
    request: IssueRequest, item: RequestedItem, line: PricedLine, words: Words
) -> Iterator[str]:
    saved = line.before_discount - line.total
    if not saved:
        return
    yield from wrapped(words.say(clean(line.name)))
    label = f"  {words.say('уместо')} {plain_amount_text(line.before_discount)}"
    yield from pair(label + _rate(request, item), plain_amount_text(-saved))


def _rate(request: IssueRequest, item: RequestedItem) -> str:
    """The percentage, where the request tells one; a stated line total has its own."""
    if request.discount is None or item.total is not None:
        return ""
    return f" ({clean(percent_text(request.discount.value))})"


def additional_text(request: IssueRequest) -> tuple[str, ...]:
    """The caller's own words, in the caller's own script, broken between words."""
    if not request.additional_text.strip():
        return ()
    lines = split_lines(request.additional_text.strip("\r\n"))
    return tuple(part for line in lines for part in wrapped(line.rstrip()))
