"""Text in columns of one width: cut, wrapped, paired. The default is a journal's 40 columns.

Source: fiscal.md 3 (point 3: how a label and its value share a line).
"""

from __future__ import annotations

import re
import textwrap
import unicodedata

from pos_app.characters import is_drawn
from pos_app.documents.blocks import COLUMNS

_LINE_END = re.compile(r"\r\n|\n|\r")


def clean(text: str) -> str:
    """`text` with a blank for each character that can't be drawn.

    Control characters, direction marks and line breaks never reach a printer, though a name in a
    journal may contain them. An accent is composed with its letter.
    """
    composed = unicodedata.normalize("NFC", text)
    return "".join(letter if is_drawn(letter) else " " for letter in composed)


def split_lines(text: str) -> list[str]:
    return [clean(text_line) for text_line in _LINE_END.split(text)]


def trimmed_lines(text: str) -> list[str]:
    """The clean lines of a text, without blank ones at its start and end."""
    text_lines = split_lines(text)
    spoken = [index for index, text_line in enumerate(text_lines) if text_line.strip()]
    return text_lines[spoken[0] : spoken[-1] + 1] if spoken else []


def cut(text: str, columns: int = COLUMNS) -> list[str]:
    """Cut text at any character, as a processor does: "abcde" in 2 columns -> ["ab", "cd", "e"]."""
    return [text[start : start + columns] for start in range(0, len(text), columns)]


def wrapped(text: str, columns: int = COLUMNS) -> list[str]:
    """Break one line between words; a word that is wider than the paper is cut. "" -> [""]."""
    if len(text) <= columns:
        return [text]
    return textwrap.wrap(text, columns, break_on_hyphens=False) or [""]


def pair(label: str, value: str) -> list[str]:
    """Put the label left and the value right. If no blank fits between them, they are joined by one
    blank and cut at any character. "Готовина:", "500,00" -> "Готовина:" + 25 blanks + "500,00"."""
    if len(label) + len(value) < COLUMNS:
        return [label + value.rjust(COLUMNS - len(label))]
    return cut(f"{label} {value}")
