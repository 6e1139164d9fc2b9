"""How wide text is in one font, and where its lines break.

To measure a text takes some 3 µs, and a name is measured for each word that may still fit. So a
meter remembers how wide words are, and asks the font only where their sum leaves a doubt.
"""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF

LONGEST_UNIT = 3
MOST_WORDS = 4_000
"""Words that a meter remembers, some 0.5 MB; then it begins anew."""
_DOUBT = 0.3
"""What kerning at a blank may add or take, in shares of the font's size: far more than it does."""


class Meter:
    """Widths in one font, which is nobody's to change, in device-independent pixels."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self._exact = QFontMetricsF(font)
        self._whole = QFontMetrics(font)
        self._words: dict[str, float] = {}
        self._doubt = _DOUBT * font.pixelSize()
        self.drop = self._exact.ascent() - self._exact.height() / 2
        """From the middle of a line to its base."""

    def width(self, words: str) -> int:
        """Width of a line of text, in whole pixels that surely hold it."""
        return math.ceil(self._exact.horizontalAdvance(words))

    def fits(self, word: str, room: int) -> bool:
        """Whether a word, or an amount, fits; asked often of the same ones."""
        return self._of_word(word) <= room

    def elided(self, words: str, room: int) -> str:
        """One line, cut with … where it does not fit."""
        if self._about(words) < room - self._doubt:
            return words
        return self._whole.elidedText(words, Qt.TextElideMode.ElideRight, room)

    def wrapped(self, words: str, width: int, *, lines: int = 2) -> list[str]:
        """A name in at most `lines` lines, broken between words; the last one is cut with …, before
        the measure at its end ("400 g") where it has one: two sizes of an article look alike."""
        done: list[str] = []
        rest = _pieces(words)
        while rest and len(done) < lines - 1:
            taken = self._taken(rest, width)
            line = " ".join(rest[:taken])
            done.append(line if taken > 1 else self._cut(line, width))
            del rest[:taken]
        if rest:
            done.append(self._cut_before_measure(rest, width))
        return done

    def _cut_before_measure(self, pieces: list[str], width: int) -> str:
        """A last line: whole, or with … for as many words as there must be, or for letters."""
        line = " ".join(pieces)
        whole, measure = self._cut(line, width), pieces[-1]
        if whole == line or len(pieces) == 1 or not measure[0].isdigit():
            return whole
        for count in range(len(pieces) - 2, 0, -1):
            shorter = f"{' '.join(pieces[:count])}… {measure}"
            if self.width(shorter) <= width:
                return shorter
        room = width - self.width(f" {measure}")
        shorter = f"{self.elided(pieces[0], room)} {measure}"
        has_letters = shorter[0] != "…" and self.width(shorter) <= width
        return shorter if has_letters and "…" in shorter else whole

    def _taken(self, pieces: list[str], width: int) -> int:
        """How many pieces stand in one line; at least one."""
        line, about = pieces[0], self._about(pieces[0])
        for number, piece in enumerate(pieces[1:], start=1):
            line = f"{line} {piece}"
            about += self._of_word(" ") + self._about(piece)
            left = width - about
            if left < -self._doubt or (left <= self._doubt and self.width(line) > width):
                return number
        return len(pieces)

    def _cut(self, line: str, width: int) -> str:
        return self.elided(line, width + 1)

    def _about(self, line: str) -> float:
        """The sum of its words and blanks; kerning between them may make it a little else."""
        words = line.split(" ")
        return sum(map(self._of_word, words)) + (len(words) - 1) * self._of_word(" ")

    def _of_word(self, word: str) -> float:
        width = self._words.get(word)
        if width is None:
            if len(self._words) >= MOST_WORDS:
                self._words.clear()
            width = self._words[word] = self._exact.horizontalAdvance(word)
        return width


def _pieces(words: str) -> list[str]:
    """The words of a name; a figure and its short unit ("400 g", "2,8 %") stay together."""
    pieces: list[str] = []
    for word in words.split():
        figure = bool(pieces) and pieces[-1][-1].isdigit() and " " not in pieces[-1]
        if figure and len(word) <= LONGEST_UNIT and not word[0].isdigit():
            pieces[-1] += f" {word}"
        else:
            pieces.append(word)
    return pieces
