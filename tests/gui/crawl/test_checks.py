"""Each check of the crawl finds a fault that was made on purpose, and none in a sound window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.buttons import (
    ActionButton,
    BigButton,
    Button,
    ButtonKind,
    KeyCap,
    paint_button,
)
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import LEFT, RIGHT, box, put, put_lines
from pos_app.cashier.ui.panel import Ground, Panel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.views import CartDelegate, RowView
from tests.gui.crawl.checks import Finding, Seen, findings
from tests.gui.crawl.painted import taped, torn_words
from tests.gui.crawl.refusing import refused
from tests.gui.ui.examples import WORDS, Rows, cart

Put = tuple[QRect, str, str, Qt.AlignmentFlag, int]


class Painted(ThemedWidget):
    """Paints given words: position, words, colour and pixels of each."""

    def __init__(self, theme: Theme, *told: Put) -> None:
        super().__init__(theme)
        self._told = told
        self.setFixedSize(300, 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, words, colour, align, px in self._told:
            font = self.theme.font()
            font.setPixelSize(px)
            put(painter, place, words, self.theme.colour(colour), font, align=align)  # type: ignore[arg-type]


WHOLE = QRect(0, 0, 300, 40)


def window_of(theme: Theme, *widgets: QWidget) -> Ground:
    window = Ground(theme)
    column = QVBoxLayout(window)
    column.setContentsMargins(*(theme.metrics.s3,) * 4)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return window


def placed(widget: QWidget, parent: QWidget, *place: int) -> QWidget:
    """Put a widget at a position that no layout gave it."""
    widget.setParent(parent)
    widget.setGeometry(*place)
    return widget


def found_in(qtbot: QtBot, window: Ground, *, height: int = 600) -> list[Finding]:
    """The findings of the crawl in a window."""
    qtbot.addWidget(window)
    window.resize(800, height)
    window.show()
    qtbot.waitExposed(window)
    QApplication.processEvents()
    return findings(Seen(window, window.theme))


def sound(theme: Theme) -> Ground:
    """A window without a fault, with words that have a … of their own, and a long amount."""
    name = Painted(theme, (WHOLE, "1.234,50", "ink", RIGHT, 15), (WHOLE, "Хлеб", "ink_2", LEFT, 13))
    field = Field(theme, name="Износ", placeholder="Износ")
    pay = BigButton(theme, "Наплата", amount="142.645.833,00", key="F12", stacked=True)
    goods, asking = ElidedLabel(theme, "Хлеб"), Label(theme, "Тражи се…")
    add, keys = Button(theme, "Додај", key="F1"), KeyCap(theme, "Alt+1…7")
    return window_of(theme, goods, asking, name, field, add, keys, pay)


def test_a_sound_window_has_no_findings(qtbot: QtBot, theme: Theme) -> None:
    assert found_in(qtbot, sound(theme)) == []


# --- broken on purpose ---------------------------------------------------------------------------


def written(
    theme: Theme, *words: str, place: QRect = WHOLE, ink: str = "ink", px: int = 15
) -> QWidget:
    """Words at one place, one over the other."""
    return Painted(theme, *((place, one, ink, LEFT, px) for one in words))


def wide(widget: QWidget, width: int, height: int = 0) -> QWidget:
    widget.setFixedWidth(width)
    if height:
        widget.setFixedHeight(height)
    return widget


def at(theme: Theme, *places: tuple[QWidget, tuple[int, int, int, int]]) -> Ground:
    """A window whose widgets stand where no layout put them."""
    window = Ground(theme)
    for widget, place in places:
        placed(widget, window, *place)
    return window


def payment_key_of_a_usual_height(theme: Theme) -> QWidget:
    return wide(Button(theme, "Картица", height="payment_button"), 200, theme.metrics.touch)


def word_torn_between_its_letters(theme: Theme) -> Ground:
    class Narrow(ThemedWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            meter = self.theme.fonts.text_metrics(self.font(), TypeStep.BASE)
            rect, lines = QRect(0, 0, 45, 20), meter.broken("Cheques", 45, lines=2)
            put_lines(QPainter(self), rect, lines, meter, ink=self.theme.colour("ink"))

    narrow = Narrow(theme)
    narrow.setFixedSize(60, 60)
    return window_of(theme, narrow)


class Elided(ThemedWidget):
    """Words that are cut at the end of the widget."""

    def __init__(self, theme: Theme, words: str, width: int) -> None:
        super().__init__(theme)
        self._words = words
        self.setFixedSize(width, 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        font, ink = self.theme.font(), self.theme.colour("ink")
        put(QPainter(self), self.rect(), self._words, ink, font, elide=True)


class ChainPath(Elided):
    """A widget in which nothing may be cut."""


class Chart(Elided):
    """A widget in which a name may be cut."""


def keys_of_two_sizes(theme: Theme) -> Ground:
    window = Ground(theme)
    for number, (word, pixels) in enumerate((("Више", 15), ("Купац", 13))):
        button = ActionButton(theme, word, key="F9")
        button.take_size(pixels, 0)
        placed(button, window, 120 * number, 0, 90, theme.metrics.button)
    return window


def edge_of_a_key_too_faint(theme: Theme) -> Ground:
    class Soft(Button):
        def paintEvent(self, event: QPaintEvent) -> None:
            edge, fill = theme.colour("line"), theme.colour("surface")
            box(QPainter(self), self.rect(), radius=4, fill=fill, edge=edge)

    return window_of(theme, Soft(theme, "Додај"))


def filled_key_that_is_refused(theme: Theme) -> Ground:
    class Bright(Button):
        def paintEvent(self, event: QPaintEvent) -> None:
            paint_button(QPainter(self), self.rect(), theme, self.spec)

    issue = Bright(theme, "Издај рачун", kind=ButtonKind.FILLED)
    issue.refuse("Корпа је празна")
    return window_of(theme, issue)


def ornament_over_words(theme: Theme) -> Ground:
    hint = Label(theme, "F1 тастери")
    hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    words = Label(theme, "Скенирајте, унесите шифру")
    return at(theme, (words, (0, 0, 300, 40)), (hint, (100, 0, 100, 40)))


def words_over_a_picture(theme: Theme) -> Ground:
    class Shown(Painted):
        def paintEvent(self, event: QPaintEvent) -> None:
            theme.draw_icon(QPainter(self), "store", "accent", 34, QPoint(30, 20))
            super().paintEvent(event)

    return window_of(theme, Shown(theme, (WHOLE, "Пекара и маркет", "ink", LEFT, 15)))


def words_under_a_panel(theme: Theme) -> Ground:
    row = Panel(theme)
    window = at(theme, (row, (0, 0, 300, 60)))
    placed(Label(theme, "Последњи рачун"), row, 10, 10, 200, 30)
    placed(Panel(theme), window, 100, 0, 300, 60)
    return window


def current_line_half_hidden(theme: Theme) -> Ground:
    view = RowView(theme, CartDelegate(theme, WORDS), name="Корпа")
    view.setModel(Rows(list(cart(is_current=True)), view))
    view.setFixedHeight(5 * theme.metrics.cart_row)
    return window_of(theme, view)


def field_scrolled_out_of_sight(theme: Theme) -> Ground:
    area, inside, field = Scrolled(theme, name="Подаци"), QWidget(), Field(theme, name="Број")
    column = QVBoxLayout(inside)
    column.addSpacing(600)
    column.addWidget(field)
    area.show_inside(inside)
    area.setFixedHeight(200)
    field.set_text("12")
    field.edit.setFocus()
    return window_of(theme, area)


LAST, POWDER = "Последњи рачун", "Детерџент за веш"
TYPE_HERE = "Скенирајте, унесите шифру или тражите"
ON_PAPER = "Скенирајте QR код са папира који је процесор одштампао " * 3
ASKING = "Тражи се на осталим касама радње…"
NUMBERED, ORDERED = "Рачун ABCD1234-ABCD1234-1017", "Поруџбина са сајта број 123456"
BESIDE, BELOW = QRect(250, 0, 300, 40), QRect(0, 25, 300, 40)
ROOM, MEETS = (0, 0, 120, 60), (110, 0, 120, 60)
BACK, ARROW = ("Назад", "Јасно"), "arrow-left"
Broken = Callable[[Theme], QWidget]
BROKEN: Sequence[tuple[str, str, Broken]] = (
    ("cut", "…", lambda t: wide(Button(t, "Готовина тачно"), t.metrics.touch)),
    ("shortened", POWDER, lambda t: wide(ElidedLabel(t, POWDER, lines=1), 100)),
    ("shortened", "Детерџент", lambda t: wide(ElidedLabel(t, POWDER * 5), 120)),
    ("torn", "Cheques", word_torn_between_its_letters),
    ("shortened", "радње…", lambda t: wide(ElidedLabel(t, ASKING, lines=1), 100)),
    ("shortened", "1.234.567,50", lambda t: ChainPath(t, "1.234.567,50", 60)),
    ("endless", "ABCD1234-1017", lambda t: Chart(t, NUMBERED, 120)),
    ("endless", "123456", lambda t: Chart(t, ORDERED, 160)),
    ("cut", LAST, lambda t: wide(Label(t, LAST), 40)),
    ("cut", "Скенирајте QR", lambda t: wide(Label(t, ON_PAPER, wrap=True), 300, 40)),
    ("cut", LAST, lambda t: written(t, LAST, place=BESIDE)),
    ("cut", LAST, lambda t: written(t, LAST, place=BELOW)),
    ("cut", "Скенирајте", lambda t: wide(Field(t, name="Тражи", placeholder=TYPE_HERE), 140)),
    ("cut", "Наплата", lambda t: at(t, (Button(t, "Наплата"), (100, 580, 200, 60)))),
    ("small", "по комаду", lambda t: written(t, "по комаду", px=11)),
    ("small", "1.690,00", lambda t: written(t, "1.690,00", px=12)),
    ("uneven", "Више", keys_of_two_sizes),
    ("contrast", LAST, lambda t: Label(t, LAST, colour="line_strong")),
    ("contrast", "1.234,50", lambda t: written(t, "1.234,50", ink="ink_3")),
    ("faint", "Додај", edge_of_a_key_too_faint),
    ("edge", "Један", lambda t: at(t, (Button(t, "Један"), (t.metrics.s3 - 1, 0, 120, 60)))),
    ("filled", "Издај рачун", filled_key_that_is_refused),
    ("twice", "Јасно", lambda t: window_of(t, *(Button(t, one, key="Esc") for one in BACK))),
    ("ways_back", "Јасно", lambda t: window_of(t, *(Button(t, one, icon=ARROW) for one in BACK))),
    ("overlap", "Два", lambda t: at(t, (Button(t, "Један"), ROOM), (Button(t, "Два"), MEETS))),
    ("overlap", "1.234,50", lambda t: written(t, "Готовина тачно", "1.234,50")),
    ("overlap", "F1 тастери", ornament_over_words),
    ("overlap", "picture", words_over_a_picture),
    ("covered", LAST, words_under_a_panel),
    ("covered", "current line", current_line_half_hidden),
    ("target", "Додај", lambda t: wide(Button(t, "Додај"), 200, t.metrics.touch - 2)),
    ("target", "Картица", payment_key_of_a_usual_height),
    ("unnamed", "Button", lambda t: Button(t, icon="trash-2")),
    ("unnamed", "RowView", lambda t: RowView(t, CartDelegate(t, WORDS))),
    ("unnamed", "Edit", lambda t: Field(t, name="")),
    ("unseen", "Број", field_scrolled_out_of_sight),
)


@pytest.mark.parametrize(("check", "words", "broken"), BROKEN)
def test_what_is_broken_is_found(
    qtbot: QtBot, theme: Theme, check: str, words: str, broken: Broken
) -> None:
    made = broken(theme)
    found = found_in(qtbot, made if isinstance(made, Ground) else window_of(theme, made))
    assert any(one.check == check and words in one.what for one in found), found


@pytest.mark.parametrize("is_missing", [False, True])
def test_a_filled_key_that_refuses_is_found_by_pressing_it(
    qtbot: QtBot, theme: Theme, is_missing: bool
) -> None:
    field, save = Field(theme, name="Назив"), BigButton(theme, "Сачувај")
    save.clicked.connect(lambda: field.set_error("Упишите назив"))
    save.set_missing(is_missing)
    window = window_of(theme, field, save)
    assert found_in(qtbot, window) == []
    refusals = [one.what for one in refused(window, theme)]
    assert refusals == ([] if is_missing else ["BigButton “Сачувај”: “Упишите назив”"])


def test_a_disabled_key_has_no_tick(qtbot: QtBot, theme: Theme) -> None:
    save = Button(theme, "Сачувај", icon="check", kind=ButtonKind.FILLED)
    window = window_of(theme, save)
    assert found_in(qtbot, window) == []
    assert "check" in taped(save).icons
    save.refuse("Ништа није промењено")
    assert taped(save).icons == []


def test_a_name_that_does_not_fit_takes_a_second_line_and_nothing_is_cut(
    qtbot: QtBot, theme: Theme
) -> None:
    name = ElidedLabel(theme, "Детерџент за веш 3 kg")
    name.setFixedWidth(140)
    assert found_in(qtbot, window_of(theme, name)) == []
    assert name.height() == 2 * theme.metrics.line(TypeStep.BASE)


@pytest.mark.parametrize(("words", "width"), [("Cheques", 60), ("Тражи се…", 50)])
def test_a_word_that_is_wider_than_its_line_gets_smaller_and_is_not_torn(
    qtbot: QtBot, theme: Theme, words: str, width: int
) -> None:
    name = ElidedLabel(theme, words, weight=Weight.SEMIBOLD)
    name.setFixedWidth(width)
    assert found_in(qtbot, window_of(theme, name)) == []


@pytest.mark.parametrize(
    ("whole", "lines", "torn"),
    [
        ("Cheques", ["Cheque", "s"], {"Cheque": "Cheques"}),
        ("sum of amounts, pieces", ["sum of", "amounts,", "pieces"], {}),
        ("Ана Стефановић-Вукашиновић", ["Ана", "Стефановић-", "Вукашиновић"], {}),
        ("Млеко 1\u00a0l", ["Мле", "ко 1\u00a0l"], {"Мле": "Млеко"}),
    ],
)
def test_torn_words_are_told_by_the_line_that_tears_them(
    whole: str, lines: list[str], torn: dict[str, str]
) -> None:
    assert torn_words(whole, lines) == torn
