"""A signed receipt on paper: the journal as signed, its QR code, and the ESIR's part.

From top to bottom: the shop's header; the journal; the line that a customer signs, with room for
it; the receipt's code; the end line; advance figures; the last advance receipt; the receipt that a
reversal undoes; the note of an unchecked refund; change; achieved discounts; bank accounts;
additional text; the code to pay by; the short number in bars; the shop's footer. The signed journal
is not interrupted: only our line to sign is printed inside it, where the law requires it.
Sources: fiscal.md 3 (positions of the QR code and the line to sign), 4 (the code), 6.2 (advances),
6.10 (a discount is printed outside the fiscal part only), 6.11 (nothing unsigned looks fiscal).
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.documents import esir_part
from pos_app.documents.blocks import (
    COLUMNS,
    Block,
    Document,
    FramedNotice,
    Heading,
    Lines,
    QrCode,
    ShortCode,
    WritingSpace,
)
from pos_app.documents.columns import clean
from pos_app.documents.payment_code import payment_code
from pos_app.documents.receipt_journal import JournalLines, read_journal
from pos_app.documents.words import PaperWords, clock_text
from pos_app.domain.article.barcodes import LONGEST_COUNTER, short_receipt_code
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.money.number_text import plain_amount_text
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopPaper:
    """not_fiscal: the development processor signs here, so nothing printed is a fiscal receipt.

    header and footer: the shop's own lines, outside the fiscal part, in the script as typed.
    accounts: printed on receipts paid by transfer, where print_bank_accounts says so. short_code: a
    Code 128 of the receipt's short number, for scanners that read no QR code. payee: the payee in
    the IPS code on proformas and receipts paid by transfer, or None.
    """

    not_fiscal: bool
    language: ReceiptLanguage = ReceiptLanguage.CYRILLIC
    print_discounts: bool = False
    print_bank_accounts: bool = False
    short_code: bool = False
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    accounts: tuple[BankAccount, ...] = ()
    payee: IpsPayee | None = None


DEVELOPMENT = ("РАЗВОЈНИ ПРОЦЕСОР", "НИЈЕ ФИСКАЛНИ РАЧУН")
NOT_FISCAL = ("ОВО НИЈЕ", "ФИСКАЛНИ РАЧУН")
VIEW = ("ПРЕГЛЕД", "НИЈЕ ОРИГИНАЛ")
_TO_SIGN_MM = 15
"""The space below the line to sign."""
_NO_CODE = "QR код недостаје: процесор није послао адресу за проверу рачуна."


def layout(
    *,
    receipt: SignedReceipt,
    document: FiscalDocument,
    esir: EsirPart,
    shop: ShopPaper,
    as_view: bool = False,
) -> Document:
    """Lay out a receipt: the processor's answer to `document`, and our part. as_view: the paper is
    not the original; each page says so."""
    words = PaperWords(shop.language)
    journal = read_journal(receipt.journal or "", language=shop.language)
    if journal is None:
        blocks = tuple(without_journal(receipt, words))
    else:
        signed = _signed_part(journal, receipt, document, words)
        below = _below(receipt, document, esir, shop=shop)
        blocks = (*_header(shop), *signed, *below, *_footer(shop))
    view = (FramedNotice(words.texts(VIEW)),) if as_view else ()
    practice = (FramedNotice(words.texts(DEVELOPMENT)),) if shop.not_fiscal else ()
    warning = (*view, *practice)
    return Document(
        title=clean(receipt.invoice_number),
        moment=receipt.sdc_time,
        language=shop.language.value,
        blocks=(*warning, *blocks, *warning),
        on_each_page=(*view, *(practice or _non_fiscal(document, words))),
        page_word=words.text("Страна"),
    )


def _non_fiscal(document: FiscalDocument, words: PaperWords) -> tuple[FramedNotice, ...]:
    """The notice for each further page; on the first page the journal has one."""
    return () if document.invoice_type.is_fiscal else (FramedNotice(words.texts(NOT_FISCAL)),)


def _header(shop: ShopPaper) -> Iterator[Block]:
    text_lines = tuple(text_line.strip() for text_line in esir_part.typed_lines(shop.header))
    if text_lines:
        yield Heading(text_lines)


def _footer(shop: ShopPaper) -> Iterator[Lines]:
    yield from _own(
        tuple(
            text_line.center(COLUMNS).rstrip() for text_line in esir_part.typed_lines(shop.footer)
        )
    )


def _signed_part(
    journal: JournalLines, receipt: SignedReceipt, document: FiscalDocument, words: PaperWords
) -> Iterator[Block]:
    yield Lines(journal.above, signed=True)
    if esir_part.is_signed_by_customer(document):
        yield from _own(esir_part.signature_line(journal, words))
        yield WritingSpace(_TO_SIGN_MM)
    if receipt.verification_url:
        yield QrCode(receipt.verification_url)
    else:
        yield from _own(words.wrapped(_NO_CODE))
    if journal.end:
        yield Lines(journal.end, signed=True)


def _below(
    receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart, *, shop: ShopPaper
) -> Iterator[Block]:
    words = PaperWords(shop.language)
    parts = (
        esir_part.advance_figures(esir, words),
        esir_part.last_advance(esir, words),
        esir_part.undone(esir, document, words),
        esir_part.unchecked_refund(esir, words),
        esir_part.change(receipt, document, esir, words),
        esir_part.achieved_discounts(esir, words) if shop.print_discounts else (),
        esir_part.bank_accounts(esir, document, shop.accounts, words)
        if shop.print_bank_accounts
        else (),
        esir_part.additional_text(esir),
    )
    for part in parts:
        yield from _own(part)
    if shop.payee is not None and not esir.is_reversal:
        yield from payment_code(receipt, document, payee=shop.payee, words=words)
    if shop.short_code:
        yield from _short_code(receipt)


def _short_code(receipt: SignedReceipt) -> Iterator[ShortCode]:
    """The short code with the counter of all receipts, which is the last part of the number."""
    counter = receipt.invoice_number.rpartition("-")[2]
    if counter.isdecimal() and len(counter) <= LONGEST_COUNTER:
        yield ShortCode(short_receipt_code(int(counter)), counter)


def _own(text_lines: tuple[str, ...]) -> Iterator[Lines]:
    if text_lines:
        yield Lines(("", *text_lines))


# --- a receipt whose journal never arrived: its paper says where the real receipt is printed ---
# It was recovered from its verification URL; the rest is unknown. Nothing on this sheet may look
# like a receipt. Sources: exactly-once.md, step 12, fiscal.md 6.11.


_HEADING = ("ОВО НИЈЕ РАЧУН", "РАЧУН ШТАМПА", "ПРОЦЕСОР")
_WHY = (
    "Рачун је потписан, али његов текст није стигао до касе: познато је само оно што стоји у "
    "QR коду. Папир за купца штампа фискални процесор."
)


def without_journal(receipt: SignedReceipt, words: PaperWords) -> Iterator[Block]:
    yield FramedNotice(words.texts(_HEADING))
    yield Lines((*words.wrapped(_WHY), "", *_facts(receipt, words)))
    if receipt.verification_url:
        yield QrCode(receipt.verification_url)


def _facts(receipt: SignedReceipt, words: PaperWords) -> Iterator[str]:
    yield from words.pair("ПФР време:", clock_text(receipt.sdc_time))
    yield from words.pair("ПФР број рачуна:", clean(receipt.invoice_number))
    yield from words.pair("Бројач рачуна:", words.text(clean(receipt.invoice_counter)))
    if receipt.total_amount is not None:
        yield from words.pair("Укупан износ:", plain_amount_text(receipt.total_amount))
