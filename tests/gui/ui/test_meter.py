"""Remembered widths change no line: every name breaks at the same words as when it is measured."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.fonts import Meter, _pieces
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.theme import Theme
from tests.sweep import each, examples

_WORDS = st.sampled_from(
    ("Сир", "млади", "Чоколада", "AVA", "To", "То", "1,5", "l", "400", "g", "%", "са", "WWW", "fi")
)
_SHARED = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(300)
)


@pytest.fixture
def font(qapp: QApplication, theme: Theme) -> QFont:
    return theme.font(TypeStep.BASE)


def measured_each_time(font: QFont, words: str, width: int) -> list[str]:
    """Two lines, found by asking the font for each word that may still fit."""
    exact, elided = QFontMetricsF(font), QFontMetrics(font).elidedText
    rest = _pieces(words)
    if not rest:
        return []
    line, fits = rest.pop(0), False
    while rest and math.ceil(exact.horizontalAdvance(f"{line} {rest[0]}")) <= width:
        line, fits = f"{line} {rest.pop(0)}", True
    right = Qt.TextElideMode.ElideRight
    done = [line if fits or not rest else elided(line, right, width + 1)]
    if not rest and not fits:
        done = [elided(line, right, width + 1)]
    return [*done, elided(" ".join(rest), right, width + 1)] if rest else done


@_SHARED
@given(
    names=st.lists(st.lists(_WORDS, max_size=7).map(" ".join), min_size=1, max_size=4),
    width=st.integers(20, 260),
)
def test_names_break_where_measuring_breaks_them(font: QFont, names: list[str], width: int) -> None:
    meter = Meter(font)
    for name in names * 2:
        done, measured = meter.wrapped(name, width), measured_each_time(font, name, width)
        if done != measured:  # a measure at the end is kept
            assert done[:-1] == measured[:-1]
            assert measured[-1].endswith("…")
            assert done[-1].endswith(f" {_pieces(name)[-1]}")
            assert "…" in done[-1]
            assert meter.width(done[-1]) <= width


@_SHARED
@given(name=st.lists(_WORDS, max_size=7).map(" ".join), room=st.integers(0, 400))
def test_a_line_is_cut_where_qt_cuts_it(font: QFont, name: str, room: int) -> None:
    by_qt = QFontMetrics(font).elidedText(name, Qt.TextElideMode.ElideRight, room)
    assert Meter(font).elided(name, room) == by_qt


def test_an_amount_fits_by_its_exact_width(font: QFont) -> None:
    meter, exact = Meter(font), QFontMetricsF(font).horizontalAdvance("1.234,56")
    assert meter.fits("1.234,56", math.ceil(exact))
    assert not meter.fits("1.234,56", math.ceil(exact) - 1)


@each(
    ("name", "width", "lines"),
    [
        ("Хлеб ражани 400 g", 130, ["Хлеб ражани", "400 g"]),
        ("Млеко свеже 2,8 % 1 l", 130, ["Млеко свеже", "2,8 % 1 l"]),
        ("Хлеб  бели ", 400, ["Хлеб бели"]),
        ("Банана", 130, ["Банана"]),
        ("Непоновљивонајдужаречусвимпродавницама", 60, ["Непон…"]),
        ("", 130, []),
        # a name that is cut keeps its measure
        (
            "Чоколада млечна са целим лешником и сувим грожђем 250 g",
            180,
            ["Чоколада млечна са", "целим… 250 g"],
        ),
        ("Хлеб ражани 400 g", 90, ["Хлеб", "раж… 400 g"]),
        ("Млеко свеже 2,8 % 1 l", 90, ["Млеко", "свеже… 1 l"]),
        ("Сок јабука 0,2l", 70, ["Сок", "јаб… 0,2l"]),
    ],
)
def test_names_break_between_words_and_keep_units(
    font: QFont, name: str, width: int, lines: list[str]
) -> None:
    meter = Meter(font)
    assert meter.wrapped(name, width) == lines
    assert all(meter.width(line) <= width for line in lines)


def test_words_of_which_a_cut_took_one_letter_are_not_whole(font: QFont) -> None:
    meter, words = Meter(font), "ознака Ђ"
    for width in range(meter.narrowest(words), meter.width(words) + 2):
        is_cut = "…" in meter.broken(words, width, lines=1)[0]
        assert meter.holds(words, width, lines=1) is not is_cut, width


def test_figures_are_equally_wide_and_mono_keeps_each_character(theme: Theme) -> None:
    for step in (TypeStep.SMALL, TypeStep.STRONG, TypeStep.TOTAL):
        metrics = QFontMetricsF(theme.font(step, 700))
        widths = [metrics.horizontalAdvance(figure) for figure in "0123456789"]
        assert max(widths) - min(widths) < 0.02 * widths[0]
    mono = theme.font(TypeStep.BASE, mono=True)
    assert len({width_of(mono, sign * 40) for sign in "=-1WшЉ"}) == 1
    assert width_of(mono, "==--") == width_of(mono, "1234")


@each("word", ["ПДВ-а", "е-пошта", "бар-код", "ПИН-ова", "V-PFR", "ABCD1234-ABCD1234-8653"])
@pytest.mark.usefixtures("qapp")
def test_no_line_ends_within_a_word_and_its_ending(theme: Theme, word: str) -> None:
    """The label keeps its words as they were, for a search or a copy."""
    begin = word[: word.rindex("-") + 1]
    label = Label(theme, word, wrap=True)
    wide = QFontMetrics(label.font()).horizontalAdvance(begin) + 2
    assert label.heightForWidth(wide) == label.heightForWidth(500), "one line"
    assert label.text() == word
    meter = Meter(label.font())
    assert meter.narrowest(word) >= meter.width(word) - 1
    wide = meter.width(f"Износ без {begin}")
    assert meter.broken(f"Износ без {word}", wide, lines=3) == ["Износ без", word]


@pytest.mark.usefixtures("qapp")
def test_a_line_ends_after_the_hyphen_of_two_long_words(theme: Theme) -> None:
    label = Label(theme, "Промет-Продаја", wrap=True)
    wide = QFontMetrics(label.font()).horizontalAdvance("Промет-") + 2
    assert label.heightForWidth(wide) > label.heightForWidth(500)
    assert Meter(label.font()).broken("Промет-Продаја", wide, lines=2) == ["Промет-", "Продаја"]


@pytest.mark.usefixtures("qapp")
@each("text", ["Хлеб " * 600, "Х" * 3000])
def test_a_long_text_is_measured_some_times_a_line(font: QFont, text: str) -> None:
    """A name of 3,000 letters that was pasted into the form stopped the window for seconds."""
    measured: list[str] = []

    class Noting(Meter):
        def width(self, words: str) -> int:
            measured.append(words)
            return super().width(words)

    text_lines = Noting(font).broken(text, 300, lines=3)
    assert len(text_lines) == 3
    assert text_lines[-1].endswith("…")
    assert len(measured) < 40
