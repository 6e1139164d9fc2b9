"""The paper of a receipt whose journal never arrived: it says where the real receipt is printed.

Such a receipt was recovered from its verification URL; what the URL does not hold is not known.
Nothing on this sheet may look like a receipt.
Sources: exactly-once.md, step 12, fiscal.md 6.11.
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.documents.blocks import Block, Lines, Notice, QrCode
from pos_app.documents.columns import clean
from pos_app.documents.words import PaperWords, clock_text
from pos_app.domain.number_text import plain_amount_text
from pos_app.domain.receipt import SignedReceipt

_HEADING = ("ОВО НИЈЕ РАЧУН", "РАЧУН ШТАМПА", "ПРОЦЕСОР")
_WHY = (
    "Рачун је потписан, али његов текст није стигао до касе: познато је само оно што стоји у "
    "QR коду. Папир за купца штампа фискални процесор."
)


def without_journal(receipt: SignedReceipt, words: PaperWords) -> Iterator[Block]:
    yield Notice(words.texts(_HEADING))
    yield Lines((*words.wrapped(_WHY), "", *_facts(receipt, words)))
    if receipt.verification_url:
        yield QrCode(receipt.verification_url)


def _facts(receipt: SignedReceipt, words: PaperWords) -> Iterator[str]:
    yield from words.pair("ПФР време:", clock_text(receipt.sdc_time))
    yield from words.pair("ПФР број рачуна:", clean(receipt.invoice_number))
    yield from words.pair("Бројач рачуна:", words.text(clean(receipt.invoice_counter)))
    if receipt.total_amount is not None:
        yield from words.pair("Укупан износ:", plain_amount_text(receipt.total_amount))
