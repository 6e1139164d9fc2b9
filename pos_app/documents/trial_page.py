"""A page that shows whether a printer prints: its width, our letters, a code to scan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.documents.blocks import COLUMNS, Block, Document, FramedNotice, Heading, Lines, QrCode
from pos_app.documents.columns import clean
from pos_app.documents.esir_part import typed_lines
from pos_app.documents.receipt import ShopPaper
from pos_app.documents.words import PaperWords, clock_text

TITLE = "Пробни лист"
_LETTERS = (
    "АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ",
    "абвгдђежзијклљмнњопрстћуфхцчџш",
    "ABCČĆDDžĐEFGHIJKLLjMNNjOPRSŠTUVZŽ",
    "abcčćddžđefghijklljmnnjoprsštuvzž",
)
_RULER = "1234567890" * (COLUMNS // 10)


def trial_page(shop: ShopPaper, *, at: datetime, facts: Sequence[tuple[str, str]]) -> Document:
    """The page with the shop's own header and footer. at: UTC. facts: labels in Cyrillic, and their
    values."""
    words = PaperWords(shop.language)
    entries = [*facts, ("Време:", clock_text(at))]
    text_lines = [
        text_line for label, value in entries for text_line in words.pair(label, clean(value))
    ]
    blocks: list[Block] = []
    if header := tuple(text_line.strip() for text_line in typed_lines(shop.header)):
        blocks.append(Heading(header))
    blocks += [
        FramedNotice(words.texts(("ПРОБНИ ЛИСТ", "НИЈЕ РАЧУН"))),
        Lines((_RULER, *_LETTERS, _RULER)),
        QrCode(f"{words.text(TITLE)} {clock_text(at)}"),
        Lines(tuple(text_lines)),
    ]
    if footer := tuple(
        text_line.center(COLUMNS).rstrip() for text_line in typed_lines(shop.footer)
    ):
        blocks.append(Lines(footer))
    return Document(
        title=words.text(TITLE),
        moment=at,
        language=shop.language.value,
        blocks=tuple(blocks),
        page_word=words.text("Страна"),
    )
