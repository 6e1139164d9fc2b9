"""The words that are ours on paper, written in Serbian Cyrillic and told in the paper's script."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pos_app.documents.columns import pair, wrapped
from pos_app.domain.instant import in_belgrade
from pos_app.domain.store import ReceiptLanguage
from pos_app.domain.transliteration import latin


@dataclass(frozen=True, slots=True)
class PaperWords:
    """Speaks in one script. Values (numbers, names of articles) are said by the caller."""

    language: ReceiptLanguage

    def say(self, text: str) -> str:
        """Our own Cyrillic words in the script of the paper."""
        return latin(text) if self.language is ReceiptLanguage.LATIN else text

    def each(self, lines: Iterable[str]) -> tuple[str, ...]:
        """Several lines, one by one."""
        return tuple(self.say(line) for line in lines)

    def text(self, text: str) -> tuple[str, ...]:
        """A sentence broken between words into lines of 40 columns."""
        return tuple(wrapped(self.say(text)))

    def pair(self, label: str, value: str) -> list[str]:
        """Label and value in one line; the value is left as it is."""
        return pair(self.say(label), value)


def clock_text(moment: datetime) -> str:
    """An instant as receipts show it, Belgrade time: "05.01.2026. 9:07:03" (fiscal.md 3)."""
    local = in_belgrade(moment)
    return f"{local:%d.%m.%Y}. {local.hour}:{local:%M:%S}"
