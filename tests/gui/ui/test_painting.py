"""What the look paints: words where Qt would put them, lines that break as they are measured, rows
that are copied while they stand, and what is done after the paint."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import idle, painting, views
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.idle import GlyphWarmup
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords, ListRow, Tile
from pos_app.cashier.ui.theme import Theme
from tests.sweep import each

WRITTEN = ("Млеко свеже 2,8 %", "1.234,00", "Ђ", "Çа\u030cj", "")
PLACES = [QRect(60, 7 + 60 * number, 230, 18 + 7 * number) for number in range(6)]
"""Places of different heights, one below the other."""


def drawn(theme: Theme, font: QFont, words: str, align: Qt.AlignmentFlag, *, by_qt: bool) -> QImage:
    """The words in each place, by us or by Qt."""
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    image.fill(theme.colour("surface"))
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(theme.colour("ink"))
    flags = int(align) | int(painting.NO_SHORTCUT) | int(Qt.TextFlag.TextDontClip)
    for place in PLACES:
        if by_qt:
            painter.drawText(place, flags, words)
        else:
            painting.put(painter, place, words, theme.colour("ink"), font, align=align)
    painter.end()
    return image


@each("align", [painting.LEFT, painting.RIGHT, painting.CENTRE])
@each("step", TypeStep)
def test_it_stands_where_qt_puts_it(
    qapp: QApplication, theme: Theme, step: TypeStep, align: Qt.AlignmentFlag
) -> None:
    for weight, words in product(Weight, WRITTEN):
        font = theme.font(step, weight)
        ours, by_qt = (drawn(theme, font, words, align, by_qt=one) for one in (False, True))
        assert ours == by_qt, (weight, words)


@pytest.fixture
def font(qapp: QApplication, theme: Theme) -> QFont:
    return theme.font(TypeStep.BASE)


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


MOST = 20
KINDS = ("cart", "tiles", "list")
WORDS = CartWords(remove="Уклони", restore="Врати")
BREAD = CartRow("2", "Хлеб бели", "89,99", "kom", "179,98")
MILK = CartRow("1", "Млеко", "120,00", "l", "96,00", "150,00", "−20 %", "120,00")
CART = (BREAD, replace(MILK, state=CartState.CURRENT), replace(BREAD, state=CartState.REMOVED))
TILES = (Tile("Хлеб бели", "89,99", "Хб", 3, badge="2"), Tile("Млеко", "120,00", "Мл", 1))
FOUND = (ListRow("12", "Хлеб бели", "89,99", "kom", ((0, 2),)), ListRow("7", "Млеко", "9", "l"))

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class Rows(QAbstractListModel):
    def __init__(self, rows: tuple[object, ...], view: views.RowView) -> None:
        super().__init__(view)
        self.rows = list(rows)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self.rows[index.row()] if role == views.ROW else None


def shown(qtbot: QtBot, view: views.RowView, rows: tuple[object, ...]) -> Rows:
    model = Rows(rows, view)
    view.setModel(model)
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    view.grab()
    return model


def made(theme: Theme, name: str) -> tuple[views.RowView, tuple[object, ...]]:
    delegates: dict[str, tuple[views.ThemedDelegate, tuple[object, ...]]] = {
        "cart": (views.CartDelegate(theme, WORDS), CART),
        "list": (views.ListDelegate(theme), FOUND),
    }
    if name == "tiles":
        return views.TileView(theme), TILES
    delegate, rows = delegates[name]
    return views.RowView(theme, delegate), rows


@each("name", KINDS)
def test_what_did_not_change_is_drawn_once(qtbot: QtBot, theme: Theme, name: str) -> None:
    view, rows = made(theme, name)
    model = shown(qtbot, view, rows)
    first, kept = view.grab().toImage(), view.delegate.kept
    assert kept.drawn == len(rows)
    assert view.grab().toImage() == first
    assert kept.drawn == len(rows)
    model.rows[0] = rows[1]
    assert view.grab().toImage() != first
    model.rows[0] = rows[0]
    assert view.grab().toImage() == first
    drawn = kept.drawn
    assert drawn <= len(rows) + 1
    kept.forget()
    assert view.grab().toImage() == first
    assert kept.drawn == drawn + len(rows)


@each(("ratio", "drawn"), [(1.0, 1), (2.0, 1), (1.25, 3)])
def test_between_two_pixels_of_the_screen_nothing_is_copied(
    qapp: QApplication, theme: Theme, ratio: float, drawn: int
) -> None:
    kept = views.PaintedRows(theme, ground="surface", most=MOST)
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    calls: list[QRect] = []
    for _ in range(3):
        kept.paint(painter, QRect(3, 5, 50, 20), "row", lambda _, rect: calls.append(rect))
    painter.end()
    assert len(calls) == drawn
    assert calls[0].size() == QRect(3, 5, 50, 20).size()


def test_all_letters_are_drawn_once(qtbot: QtBot, theme: Theme) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    ahead = GlyphWarmup(theme, view)
    assert ahead.drawn == 0
    assert idle.BEGIN_MS >= 1_000
    ahead.begin()
    assert ahead.drawn == 0
    qtbot.waitUntil(lambda: ahead.is_done, timeout=30_000)
    assert ahead.drawn > 15
