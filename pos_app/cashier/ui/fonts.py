"""The till's two families of fonts: Inter for words and amounts, JetBrains Mono for numbers of
documents.

Inter's figures have different widths by default, so that amounts would move; `tnum` makes them
equally wide. JetBrains Mono's ligatures (`calt`) would join `==` and `--` of a journal, and are
off. Measuring a text takes some 3 µs, and a name is measured for each word that may still fit. So a
meter remembers the widths of words, and asks the font only where their sum leaves a doubt.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QFontMetricsF

from pos_app import log
from pos_app.cashier.ui.metrics import LADDER, Metrics, TypeStep, Weight

LONGEST_UNIT = 3
MOST_WORDS = 4_000
"""The words that a meter remembers, some 0.5 MB; it forgets those unused for longest."""
_LEAST_EMS = 2
"""The least width in which words are broken, in sizes of the font."""
_TOLERANCE = 0.3
"""Kerning at a blank adds or takes far less than this share of the font's size."""


class Meter:
    """Widths in one font, which nobody changes, in device-independent pixels."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self._exact = QFontMetricsF(font)
        self._whole = QFontMetrics(font)
        self._of_word = _remembered(self._exact)
        self._of_size: dict[int, Meter] = {}
        self._tolerance = _TOLERANCE * font.pixelSize()
        self._blank = self._exact.horizontalAdvance(" ")
        self.drop = self._exact.ascent() - self._exact.height() / 2
        """The distance from the middle of a text line to its base."""

    def of_size(self, pixels: int) -> Meter:
        """Return the meter of this font in another size; it is remembered."""
        meter = self._of_size.get(pixels)
        if meter is None:
            font = QFont(self.font)
            font.setPixelSize(pixels)
            meter = self._of_size[pixels] = Meter(font)
        return meter

    def width(self, words: str) -> int:
        """Return the width of a line of text, in whole pixels that surely hold it."""
        return math.ceil(self._exact.horizontalAdvance(words))

    def label_width(self, words: str) -> int:
        """Return the width of a button's words, in whole pixels; it is remembered."""
        return math.ceil(self._of_word(words))

    def length(self, word: str) -> float:
        """Return the width of a word or a few letters; it is remembered."""
        return self._of_word(word)

    def fits(self, word: str, free_width: int) -> bool:
        """Tell whether a word or an amount fits; its width is remembered."""
        return self._of_word(word) <= free_width

    def elided(self, words: str, free_width: int) -> str:
        """Return one line of text, cut with … where it does not fit."""
        if self._about(words) < free_width - self._tolerance:
            return words
        return self._whole.elidedText(words, Qt.TextElideMode.ElideRight, free_width)

    def wrapped(self, words: str, width: int, *, lines: int = 2) -> list[str]:
        """Break a name between words into at most `lines` lines. The last line is cut with …,
        before the measure at its end ("400 g") if it has one, so that two sizes of an article don't
        look alike."""
        done: list[str] = []
        rest = _pieces(words)
        while rest and len(done) < lines - 1:
            taken = self._taken(rest, width)
            text_line = " ".join(rest[:taken])
            done.append(text_line if taken > 1 else self._cut(text_line, width))
            del rest[:taken]
        if rest:
            done.append(self._cut_before_measure(rest, width))
        return done

    def broken(self, words: str, width: int, *, lines: int) -> list[str]:
        """Break words into at most `lines` lines, between words, and a word wider than a line
        between its letters. Only the rest behind the last line is cut with …, or all of it where a
        line has room for two or three letters."""
        if width < _LEAST_EMS * self.font.pixelSize():
            return [self._cut(words, width)]
        done: list[str] = []
        rest = _MEASURE.sub("\\1\u00a0", words)
        while rest and len(done) < lines - 1 and self.width(rest) > width:
            taken = self._letters_of_line(rest, width)
            done.append(rest[:taken].rstrip())
            rest = rest[taken:].lstrip()
        return [*done, self._cut(rest, width)]

    def holds(self, words: str, width: int, *, lines: int) -> bool:
        """Tell whether `broken` shows the words whole and tears none between its letters."""
        if self._about(words) < width - self._tolerance:
            return True
        if self.narrowest(words) > width:
            return False
        shown = "".join(self.broken(words, width, lines=lines))
        return "".join(shown.split()) == "".join(words.split())

    def narrowest(self, words: str) -> int:
        """Return the width below which `broken` tears a word between its letters."""
        parts = (part.replace(_KEPT, "-") for part in _UNBROKEN.findall(unbroken(words)))
        return math.ceil(max(map(self._of_word, parts), default=0))

    def _letters_of_line(self, words: str, width: int) -> int:
        """Return how many letters of too long a text stand in its first line, at least one."""
        kept = unbroken(words)
        ends = [at for at in range(1, len(words)) if kept[at] == " " or kept[at - 1] in "-/"]

        def width_of(count: int) -> int:
            return self.width(words[:count])

        fitting = bisect_right(ends, width, key=width_of)
        if fitting:
            return ends[fitting - 1]
        return 1 + bisect_right(range(2, len(words)), width, key=width_of)

    def _cut_before_measure(self, pieces: list[str], width: int) -> str:
        """Return the last line whole, or cut with … after as many words, else letters, as fit."""
        text_line = " ".join(pieces)
        whole, measure = self._cut(text_line, width), pieces[-1]
        if whole == text_line or len(pieces) == 1 or not measure[0].isdigit():
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
        """Return how many pieces fit into one line of text, at least one."""
        about = -self._blank
        for number, piece in enumerate(pieces):
            about += self._blank + self._about(piece)
            left = width - about
            if number == 0 or left > self._tolerance:
                continue
            if left < -self._tolerance or self.width(" ".join(pieces[: number + 1])) > width:
                return number
        return len(pieces)

    def _cut(self, text_line: str, width: int) -> str:
        return self.elided(text_line, width + 1)

    def _about(self, text_line: str) -> float:
        """Return the sum of the widths of words and blanks; kerning may change it a little."""
        if " " not in text_line:
            return self._of_word(text_line)
        words = text_line.split(" ")
        return sum(map(self._of_word, words)) + (len(words) - 1) * self._blank


def _remembered(exact: QFontMetricsF) -> Callable[[str], float]:
    """Return a function for widths that asks the font once for each word. Python's cache copies the
    signature of the function that it wraps. For a Qt method that takes 80 ms, so a function of ours
    is wrapped."""

    @lru_cache(MOST_WORDS)
    def width(word: str) -> float:
        return exact.horizontalAdvance(word)

    return width


_UNBROKEN = re.compile(r"[^\s/-]+[/-]?")
"""The parts of a text between which a line may end."""
_KEPT = "\u2011"
_LETTER = r"[^\W\d_]"
_SIGNS = r"[A-Z\d]{8}"
_JOINED = re.compile(
    rf"(?<!{_LETTER})({_LETTER}{{1,3}})-(?={_LETTER})|(?<={_LETTER})-(?={_LETTER}{{1,3}}(?!{_LETTER}))"
    rf"|(?<={_SIGNS})-(?={_SIGNS}-\d)|(?<={_SIGNS}-{_SIGNS})-(?=\d)"
)
"""The hyphen of an ending ("ПДВ-а"), of a short beginning ("е-пошта") or in a receipt's number,
where no line ends."""


_UNIT = re.compile(r"(?<=\d) (?=(?:[KMG]B|kg|g|mm|ms|s|%|РСД|RSD)(?!\w))")
"""The blank between a figure and its unit in a sentence, where no line ends."""


def breakable(words: str, *, after: str = "/\\") -> str:
    """Return the words with a place after each of these signs at which Qt may end a line, for a
    path, an address or an id that is too long for one. They are for showing alone."""
    return "".join(f"{sign}\u200b" if sign in after else sign for sign in words)


def unbroken(words: str) -> str:
    """Return the words with hyphens and blanks at which Qt ends no line. They are for laying out
    alone: in a text that is searched or copied they would be other signs."""
    return _UNIT.sub("\u00a0", _JOINED.sub(rf"\1{_KEPT}", words))


_MEASURE = re.compile(rf"(\d) (?=\D\S{{0,{LONGEST_UNIT - 1}}}(?!\S))")
"""The blank between a figure and its short unit, where no line ends."""


def _pieces(words: str) -> list[str]:
    """Split a name into words; a figure and its short unit ("400 g", "2,8 %") stay together."""
    pieces: list[str] = []
    for word in words.split():
        figure = bool(pieces) and pieces[-1][-1].isdigit() and " " not in pieces[-1]
        if figure and len(word) <= LONGEST_UNIT and not word[0].isdigit():
            pieces[-1] += f" {word}"
        else:
            pieces.append(word)
    return pieces


_BELOW_NAME = (TypeStep.BASE, TypeStep.SMALL)
"""The steps below the one of names in the cart."""

_log = log.get(__name__)

FAMILIES = ("Inter", "Segoe UI", "DejaVu Sans")
MONO_FAMILIES = ("JetBrains Mono", "Consolas", "DejaVu Sans Mono")

TIGHTER = {TypeStep.AMOUNT: -0.01, TypeStep.TOTAL: -0.02, TypeStep.CHANGE: -0.015}
"""The letter spacing of the large steps, in shares of their size."""


def load_fonts(folder: Path) -> tuple[str, ...]:
    """Load the font files of a folder into this program; return the families found. A missing
    folder is no error, because the system's families are used then."""
    families: list[str] = []
    files = sorted(folder.rglob("*.[ot]tf")) if folder.is_dir() else []
    if not files:
        _log.warning("the program's own fonts are not in %s: the system's are used", folder)
    for file in files:
        number = QFontDatabase.addApplicationFont(str(file))
        if number < 0:
            _log.warning("font not loaded", extra={"fields": {"file": file.name}})
            continue
        families.extend(QFontDatabase.applicationFontFamilies(number))
    return tuple(dict.fromkeys(families))


class Fonts:
    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._made: dict[tuple[TypeStep, int, bool], QFont] = {}
        self._resized: dict[tuple[QFont, TypeStep, int], Meter] = {}
        self._ladders: dict[tuple[QFont, TypeStep, int], tuple[Meter, ...]] = {}

    def font(
        self, step: TypeStep = TypeStep.BASE, weight: int = Weight.MEDIUM, *, mono: bool = False
    ) -> QFont:
        """Return a font of a type step, as a copy that the caller may change."""
        key = (step, int(weight), mono)
        if key not in self._made:
            self._made[key] = self._make(step, weight, mono=mono)
        return QFont(self._made[key])

    def resized(self, own: QFont, step: TypeStep, weight: int = Weight.MEDIUM) -> QFont:
        """Return a copy of a widget's own font in another step, for a delegate to paint with."""
        return QFont(self.text_metrics(own, step, weight).font)

    def text_metrics(self, own: QFont, step: TypeStep, weight: int = Weight.MEDIUM) -> Meter:
        """Return the meter of that font, which is not copied."""
        key = (own, step, weight)
        meter = self._resized.get(key)
        if meter is None:
            font = QFont(own)
            font.setPixelSize(self._metrics.type_px(step))
            font.setWeight(QFont.Weight(int(weight)))
            self._tighten(font, step)
            key = (QFont(own), step, weight)  # a copy, which nobody changes
            meter = self._resized[key] = Meter(font)
        return meter

    def whole(
        self,
        own: QFont,
        step: TypeStep,
        weight: int,
        words: str,
        width: int,
        *,
        lines: int,
        height: int | None = None,
    ) -> TypeStep:
        """Return the largest step from `step` down in which `Meter.broken` shows words whole and
        tears none; the smallest if there is no such step. height: if given, only as many lines as
        it holds."""
        lower = LADDER[LADDER.index(step) + 1 :] if step in LADDER else _BELOW_NAME
        for one in (step, *lower):
            most = lines if height is None else min(lines, height // self._metrics.line(one))
            if self.text_metrics(own, one, weight).holds(words, width, lines=max(1, most)):
                return one
        return TypeStep.SMALL

    def ladder(self, own: QFont, step: TypeStep, weight: int) -> tuple[Meter, ...]:
        """Return the meters from this step down by half steps, for an amount that does not fit."""
        key = (own, step, weight)
        meters = self._ladders.get(key)
        if meters is None:
            meters = tuple(self._down(own, step, weight))
            self._ladders[QFont(own), step, weight] = meters
        return meters

    def _down(self, own: QFont, step: TypeStep, weight: int) -> Iterator[Meter]:
        meter = self.text_metrics(own, step, weight)
        yield meter
        for lower in LADDER[LADDER.index(step) + 1 :] if step in LADDER else (TypeStep.SMALL,):
            larger, meter = meter.font.pixelSize(), self.text_metrics(own, lower, weight)
            between = QFont(meter.font)
            between.setPixelSize((larger + between.pixelSize()) // 2)
            yield Meter(between)
            yield meter

    def _tighten(self, font: QFont, step: TypeStep) -> None:
        spacing = TIGHTER.get(step, 0.0) * font.pixelSize()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, spacing)

    def _make(self, step: TypeStep, weight: int, *, mono: bool) -> QFont:
        font = QFont()
        font.setFamilies(list(MONO_FAMILIES if mono else FAMILIES))
        font.setPixelSize(self._metrics.type_px(step))
        font.setWeight(QFont.Weight(int(weight)))
        self._tighten(font, step)
        font.setFeature(QFont.Tag("tnum"), 1)
        if mono:
            font.setFeature(QFont.Tag("calt"), 0)
            font.setStyleHint(QFont.StyleHint.Monospace)
        return font
