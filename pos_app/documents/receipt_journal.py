"""A processor's journal as lines of paper, split where the QR code is printed.

Source: fiscal.md 3 (point 11: the QR code stands before the last line).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pos_app.documents.columns import trimmed_lines, wrapped
from pos_app.documents.latin import latin_lines
from pos_app.domain.store import ReceiptLanguage

_END_LINE = re.compile(r"=+ .*[^= ].* =+")


@dataclass(frozen=True, slots=True)
class JournalLines:
    """The lines above the QR code, and the end line below it (empty where the journal has none)."""

    above: tuple[str, ...]
    end: tuple[str, ...]


def read_journal(text: str, *, language: ReceiptLanguage) -> JournalLines | None:
    """The lines of a journal in the script of the paper; None for a blank journal.

    In Cyrillic the lines are as signed; one wider than the paper is broken between words.
    """
    lines = trimmed_lines(text)
    if not lines:
        return None
    end = [lines.pop()] if _END_LINE.fullmatch(lines[-1].strip()) else []
    return JournalLines(_on_paper(lines, language), _on_paper(end, language))


def _on_paper(lines: Sequence[str], language: ReceiptLanguage) -> tuple[str, ...]:
    if language is ReceiptLanguage.LATIN:
        return tuple(latin_lines(lines))
    return tuple(part for line in lines for part in wrapped(line))
