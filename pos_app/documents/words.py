"""Our own words on paper: written here in Serbian Cyrillic, printed in the paper's script."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pos_app.documents.columns import pair, wrapped
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.receipt.receipt_identity import is_relay_origin
from pos_app.domain.receipt.receipt_list import LOCAL_PROGRAM, TILL_PROGRAM
from pos_app.domain.text.instant import in_belgrade
from pos_app.domain.text.transliteration import latin
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PaperWords:
    """Cyrillic words of ours in one script. Values (numbers, article names) stay unchanged."""

    language: ReceiptLanguage

    def text(self, cyrillic: str) -> str:
        return latin(cyrillic) if self.language is ReceiptLanguage.LATIN else cyrillic

    def texts(self, text_lines: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.text(text_line) for text_line in text_lines)

    def wrapped(self, sentence: str) -> tuple[str, ...]:
        """Lines of 40 columns, broken between words."""
        return tuple(wrapped(self.text(sentence)))

    def pair(self, label: str, value: str) -> list[str]:
        return pair(self.text(label), value)


def clock_text(moment: datetime) -> str:
    """An instant as receipts show it, Belgrade time: "05.01.2026. 9:07:03" (fiscal.md 3)."""
    local = in_belgrade(moment)
    return f"{local:%d.%m.%Y}. {local.hour}:{local:%M:%S}"


def program_words(program: str) -> str:
    """The program that asked for a receipt, by its origin: a platform's application, a till,
    another program of this computer, or one by its name."""
    if is_relay_origin(program):
        return "преко платформе"
    if program.startswith(TILL_PROGRAM):
        return "Каса"
    return "на овом рачунару" if program == LOCAL_PROGRAM else program
