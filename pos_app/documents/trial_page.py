"""A page that shows whether a printer prints as receipts need it. Nothing on it is a receipt.

Both alphabets, a ruler of 40 columns with its numbers, the usual signs, and a code as fine as a
receipt's: if a telephone reads it, it reads receipts too.
"""

from __future__ import annotations

from datetime import datetime

from pos_app.documents.blocks import COLUMNS, Block, Document, Lines, Notice, QrCode
from pos_app.documents.columns import clean, wrapped
from pos_app.documents.words import PaperWords, clock_text
from pos_app.domain.store import ReceiptLanguage
from pos_app.domain.transliteration import LETTERS

_NOTICE = ("ПРОБНА СТРАНА", "ОВО НИЈЕ РАЧУН")
_FINE_AS_A_RECEIPT = 845
"""Bytes in the code of a usual receipt."""


def trial_page(*, printer: str, moment: datetime, language: ReceiptLanguage) -> Document:
    """printer: its name in the settings. moment: now, UTC."""
    words = PaperWords(language)
    title = words.text("Пробна страна")
    return Document(
        title=title,
        moment=moment,
        language=language.value,
        blocks=tuple(_blocks(printer, moment, words)),
        page_word=words.text("Страна"),
    )


def _blocks(printer: str, moment: datetime, words: PaperWords) -> tuple[Block, ...]:
    small = "".join(LETTERS)
    latin = "".join(sorted(set("".join(LETTERS.values()))))
    ruler = ("1234567890" * 4, "·········|" * 4, "=" * COLUMNS, "-" * COLUMNS)
    facts = (*wrapped(clean(printer)), *words.pair("Време:", clock_text(moment)))
    sign_lines = ("0123456789 .,:;!?%&*()[]{}/\\@#+-=<>", "„“”’–—…€½×²°")
    code = words.text("Пробна страна") + ". "
    return (
        Notice(words.texts(_NOTICE)),
        Lines((*facts, "", *ruler, "")),
        Lines((small, small.upper(), latin, latin.upper(), *sign_lines)),
        QrCode((code * (_FINE_AS_A_RECEIPT // len(code.encode()))).strip()),
        Lines(tuple(words.pair("Укупан износ:", "1.234,50"))),
    )
