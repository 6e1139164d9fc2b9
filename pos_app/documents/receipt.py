"""A signed receipt on paper: the journal as signed, its QR code, and what the ESIR adds.

Sources: fiscal.md 3 (where the QR code and the ESIR's own lines stand), 4 (the code), 6.10
(a discount is told outside the fiscal part only), 6.11 (nothing unsigned looks fiscal).
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.documents.blocks import Block, Document, Lines, Notice, QrCode
from pos_app.documents.columns import clean
from pos_app.documents.esir_part import achieved_discounts, additional_text, change, signature_line
from pos_app.documents.journal import Journal, read_journal
from pos_app.documents.missing_journal import without_journal
from pos_app.documents.words import Words
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import IssueRequest
from pos_app.domain.store import ReceiptLanguage

NOT_FISCAL = ("РАЗВОЈНИ ПРОЦЕСОР", "НИЈЕ ФИСКАЛНИ РАЧУН")
_NO_CODE = "QR код недостаје: процесор није послао адресу за проверу рачуна."


def layout(
    *,
    receipt: SignedReceipt,
    request: IssueRequest,
    not_fiscal: bool,
    language: ReceiptLanguage = ReceiptLanguage.CYRILLIC,
    print_discounts: bool = False,
) -> Document:
    """The paper of a receipt. not_fiscal: the development processor signed it.

    request: what was issued, its items with their articles (a sku alone has no price to tell
    discounts by). Raises Invalid when such a request can't be priced.
    """
    words = Words(language)
    journal = read_journal(receipt.journal or "", language=language)
    if journal is None:
        blocks = tuple(without_journal(receipt, words))
    else:
        own = _below(receipt, request, words, print_discounts=print_discounts)
        blocks = (*_signed_part(journal, receipt, request, words), *own)
    warning = (Notice(words.each(NOT_FISCAL)),) if not_fiscal else ()
    return Document(
        title=clean(receipt.invoice_number),
        moment=receipt.sdc_time,
        language=language.value,
        blocks=(*warning, *blocks, *warning),
        on_each_page=warning,
        page_word=words.say("Страна"),
    )


def _signed_part(
    journal: Journal, receipt: SignedReceipt, request: IssueRequest, words: Words
) -> Iterator[Block]:
    yield Lines(journal.above, signed=True)
    yield from _own(signature_line(journal, request, words))
    if receipt.verification_url:
        yield QrCode(receipt.verification_url)
    else:
        yield from _own(words.text(_NO_CODE))
    if journal.end:
        yield Lines(journal.end, signed=True)


def _below(
    receipt: SignedReceipt, request: IssueRequest, words: Words, *, print_discounts: bool
) -> Iterator[Block]:
    """What the ESIR says under the end line, each part after an empty line."""
    parts = (
        change(receipt, request, words),
        achieved_discounts(request, words) if print_discounts else (),
        additional_text(request),
    )
    for part in parts:
        yield from _own(("", *part) if part else ())


def _own(lines: tuple[str, ...]) -> Iterator[Lines]:
    if lines:
        yield Lines(lines)
