"""Each check of the crawl finds a fault that was made on purpose, and none in a sound window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.bars import ScreenHead
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
from tests.gui.window.shop import PlayedTones

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


def word_cut_on_a_key(theme: Theme) -> Ground:
    button = Button(theme, "Готовина тачно")
    button.setFixedWidth(theme.metrics.touch)
    return window_of(theme, button)


def name_cut_in_its_row(theme: Theme) -> Ground:
    name = ElidedLabel(theme, "Детерџент за веш 3 kg", lines=1)
    name.setFixedWidth(100)
    return window_of(theme, name)


def name_longer_than_its_lines(theme: Theme) -> Ground:
    name = ElidedLabel(theme, "Детерџент за веш " * 5)
    name.setFixedWidth(120)
    return window_of(theme, name)


def word_torn_between_its_letters(theme: Theme) -> Ground:
    class Narrow(ThemedWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            meter = self.theme.fonts.text_metrics(self.font(), TypeStep.BASE)
            rect, lines = QRect(0, 0, 45, 20), meter.broken("Cheques", 45, lines=2)
            put_lines(QPainter(self), rect, lines, meter, ink=self.theme.colour("ink"))

    narrow = Narrow(theme)
    narrow.setFixedSize(60, 60)
    return window_of(theme, narrow)


def own_words_cut(theme: Theme) -> Ground:
    asking = ElidedLabel(theme, "Тражи се на осталим касама радње…", lines=1)
    asking.setFixedWidth(100)
    return window_of(theme, asking)


def amount_cut_where_a_name_may_be(theme: Theme) -> Ground:
    class ChainPath(ThemedWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            font, ink = self.theme.font(), self.theme.colour("ink")
            put(QPainter(self), self.rect(), "1.234.567,50", ink, font, elide=True)

    path = ChainPath(theme)
    path.setFixedSize(60, 40)
    return window_of(theme, path)


def end_of_a_number_cut(theme: Theme) -> Ground:
    return _in_a_chart(theme, "Рачун ABCD1234-ABCD1234-1017", 120)


def number_cut_whole(theme: Theme) -> Ground:
    return _in_a_chart(theme, "Поруџбина са сајта број 123456", 160)


def _in_a_chart(theme: Theme, words: str, wide: int) -> Ground:
    """A text in a widget in which a name may be cut."""

    class Chart(ThemedWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            font, ink = self.theme.font(), self.theme.colour("ink")
            put(QPainter(self), self.rect(), words, ink, font, elide=True)

    chart = Chart(theme)
    chart.setFixedSize(wide, 40)
    return window_of(theme, chart)


def label_in_too_little_room(theme: Theme) -> Ground:
    label = Label(theme, "Последњи рачун")
    label.setFixedWidth(40)
    return window_of(theme, label)


def lines_in_too_little_room(theme: Theme) -> Ground:
    label = Label(theme, "Скенирајте QR код са папира који је процесор одштампао " * 3, wrap=True)
    label.setFixedSize(300, 40)
    return window_of(theme, label)


def words_beyond_their_widget(theme: Theme) -> Ground:
    place = QRect(250, 0, 300, 40)
    return window_of(theme, Painted(theme, (place, "Последњи рачун", "ink", LEFT, 15)))


def words_too_low(theme: Theme) -> Ground:
    place = QRect(0, 25, 300, 40)
    return window_of(theme, Painted(theme, (place, "Последњи рачун", "ink", LEFT, 15)))


def placeholder_in_too_little_room(theme: Theme) -> Ground:
    field = Field(theme, name="Тражи", placeholder="Скенирајте, унесите шифру или тражите")
    field.setFixedWidth(140)
    return window_of(theme, field)


def key_out_of_the_window(theme: Theme) -> Ground:
    window = Ground(theme)
    placed(Button(theme, "Наплата"), window, 100, 580, 200, 60)
    return window


def words_of_11_px(theme: Theme) -> Ground:
    return window_of(theme, Painted(theme, (WHOLE, "по комаду", "ink", LEFT, 11)))


def price_of_12_px(theme: Theme) -> Ground:
    return window_of(theme, Painted(theme, (WHOLE, "1.690,00", "ink", LEFT, 12)))


def keys_of_two_sizes(theme: Theme) -> Ground:
    window = Ground(theme)
    for number, (word, pixels) in enumerate((("Више", 15), ("Купац", 13))):
        button = ActionButton(theme, word, key="F9")
        button.take_size(pixels, 0)
        placed(button, window, 120 * number, 0, 90, theme.metrics.button)
    return window


def words_too_faint(theme: Theme) -> Ground:
    return window_of(theme, Label(theme, "Последњи рачун", colour="line_strong"))


def amount_as_faint_as_words_may_be(theme: Theme) -> Ground:
    return window_of(theme, Painted(theme, (WHOLE, "1.234,50", "ink_3", LEFT, 15)))


def edge_of_a_key_too_faint(theme: Theme) -> Ground:
    class Soft(Button):
        def paintEvent(self, event: QPaintEvent) -> None:
            edge, fill = theme.colour("line"), theme.colour("surface")
            box(QPainter(self), self.rect(), radius=4, fill=fill, edge=edge)

    return window_of(theme, Soft(theme, "Додај"))


def key_cut_at_the_side_of_what_scrolls(theme: Theme) -> Ground:
    wide = Button(theme, "Један")
    wide.setFixedWidth(900)
    area = Scrolled(theme, name="Права")
    area.show_inside(wide)
    return window_of(theme, area)


def key_at_the_edge_of_the_screen(theme: Theme) -> Ground:
    window = Ground(theme)
    placed(Button(theme, "Један"), window, theme.metrics.s3 - 1, 0, 120, 60)
    return window


def filled_key_that_is_refused(theme: Theme) -> Ground:
    class Bright(Button):
        def paintEvent(self, event: QPaintEvent) -> None:
            paint_button(QPainter(self), self.rect(), theme, self.spec)

    issue = Bright(theme, "Издај рачун", kind=ButtonKind.FILLED)
    issue.refuse("Корпа је празна")
    return window_of(theme, issue)


def one_cap_on_two_keys(theme: Theme) -> Ground:
    return window_of(theme, Button(theme, "Назад", key="Esc"), Button(theme, "Јасно", key="Esc"))


def two_keys_that_lead_back(theme: Theme) -> Ground:
    keys = (Button(theme, word, icon="arrow-left") for word in ("Назад", "Рачуни"))
    return window_of(theme, *keys)


def a_way_back_to_where_one_is(theme: Theme) -> Ground:
    head = ScreenHead(theme, key="Esc", title="Рачуни")
    head.button.lead_to("Рачуни")
    return window_of(theme, head)


def keys_over_each_other(theme: Theme) -> Ground:
    window = Ground(theme)
    placed(Button(theme, "Један"), window, 0, 0, 120, 60)
    placed(Button(theme, "Два"), window, 110, 0, 120, 60)
    return window


def words_over_each_other(theme: Theme) -> Ground:
    amount = (QRect(40, 0, 100, 40), "1.234,50", "ink", LEFT, 15)
    return window_of(theme, Painted(theme, (WHOLE, "Готовина тачно", "ink", LEFT, 15), amount))


def ornament_over_words(theme: Theme) -> Ground:
    window = Ground(theme)
    placed(Label(theme, "Скенирајте, унесите шифру"), window, 0, 0, 300, 40)
    hint = placed(Label(theme, "F1 тастери"), window, 100, 0, 100, 40)
    hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return window


def words_over_a_picture(theme: Theme) -> Ground:
    class Shown(Painted):
        def paintEvent(self, event: QPaintEvent) -> None:
            theme.draw_icon(QPainter(self), "store", "accent", 34, QPoint(30, 20))
            super().paintEvent(event)

    return window_of(theme, Shown(theme, (WHOLE, "Пекара и маркет", "ink", LEFT, 15)))


def words_under_a_panel(theme: Theme) -> Ground:
    window = Ground(theme)
    row = placed(Panel(theme), window, 0, 0, 300, 60)
    placed(Label(theme, "Последњи рачун"), row, 10, 10, 200, 30)
    placed(Panel(theme), window, 100, 0, 300, 60)
    return window


def current_line_half_hidden(theme: Theme) -> Ground:
    view = RowView(theme, CartDelegate(theme, WORDS), name="Корпа")
    view.setModel(Rows(list(cart(is_current=True)), view))
    view.setFixedHeight(5 * theme.metrics.cart_row)
    return window_of(theme, view)


def key_too_low(theme: Theme) -> Ground:
    button = Button(theme, "Додај")
    button.setFixedSize(200, theme.metrics.touch - 2)
    return window_of(theme, button)


def payment_key_of_a_usual_height(theme: Theme) -> Ground:
    button = Button(theme, "Картица", height="payment_button")
    button.setFixedHeight(theme.metrics.touch)
    return window_of(theme, button)


def key_without_a_name(theme: Theme) -> Ground:
    return window_of(theme, Button(theme, icon="trash-2"))


def list_without_a_name(theme: Theme) -> Ground:
    view = RowView(theme, CartDelegate(theme, WORDS))
    return window_of(theme, view)


def field_without_a_name(theme: Theme) -> Ground:
    return window_of(theme, Field(theme, name=""))


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


BROKEN: Sequence[tuple[Callable[[Theme], Ground], str, str]] = (
    (word_cut_on_a_key, "cut", "…"),
    (name_cut_in_its_row, "shortened", "Детерџент за веш 3 kg"),
    (name_longer_than_its_lines, "shortened", "Детерџент"),
    (word_torn_between_its_letters, "torn", "Cheques"),
    (own_words_cut, "shortened", "радње…"),
    (amount_cut_where_a_name_may_be, "shortened", "1.234.567,50"),
    (end_of_a_number_cut, "endless", "ABCD1234-ABCD1234-1017"),
    (number_cut_whole, "endless", "123456"),
    (label_in_too_little_room, "cut", "Последњи рачун"),
    (lines_in_too_little_room, "cut", "Скенирајте"),
    (words_beyond_their_widget, "cut", "Последњи рачун"),
    (words_too_low, "cut", "Последњи рачун"),
    (placeholder_in_too_little_room, "cut", "Скенирајте"),
    (key_out_of_the_window, "cut", "Наплата"),
    (words_of_11_px, "small", "по комаду"),
    (price_of_12_px, "small", "1.690,00"),
    (keys_of_two_sizes, "uneven", "Више"),
    (words_too_faint, "contrast", "Последњи рачун"),
    (amount_as_faint_as_words_may_be, "contrast", "1.234,50"),
    (edge_of_a_key_too_faint, "faint", "Додај"),
    (key_at_the_edge_of_the_screen, "edge", "Један"),
    (key_cut_at_the_side_of_what_scrolls, "edge", "Један"),
    (filled_key_that_is_refused, "filled", "Издај рачун"),
    (one_cap_on_two_keys, "twice", "Јасно"),
    (two_keys_that_lead_back, "ways_back", "Рачуни"),
    (a_way_back_to_where_one_is, "leads_nowhere", "Рачуни"),
    (keys_over_each_other, "overlap", "Два"),
    (words_over_each_other, "overlap", "1.234,50"),
    (ornament_over_words, "overlap", "F1 тастери"),
    (words_over_a_picture, "overlap", "picture"),
    (words_under_a_panel, "covered", "Последњи рачун"),
    (current_line_half_hidden, "covered", "current line"),
    (key_too_low, "target", "Додај"),
    (payment_key_of_a_usual_height, "target", "Картица"),
    (key_without_a_name, "unnamed", "Button"),
    (list_without_a_name, "unnamed", "RowView"),
    (field_without_a_name, "unnamed", "Edit"),
    (field_scrolled_out_of_sight, "unseen", "Број"),
)


@pytest.mark.parametrize(
    ("broken", "check", "words"), BROKEN, ids=[broken.__name__ for broken, _, _ in BROKEN]
)
def test_what_is_broken_is_found(
    qtbot: QtBot, theme: Theme, broken: Callable[[Theme], Ground], check: str, words: str
) -> None:
    found = found_in(qtbot, broken(theme))
    assert any(one.check == check and words in one.what for one in found), found


@pytest.mark.parametrize("is_missing", [False, True])
def test_a_filled_key_that_refuses_is_found_by_pressing_it(
    qtbot: QtBot, theme: Theme, is_missing: bool
) -> None:
    field, save = Field(theme, name="Назив"), BigButton(theme, "Сачувај")
    save.clicked.connect(lambda: field.set_error("Упишите назив"))
    save.show_act("Сачувај", order="Сачувај" if is_missing else "")
    window = window_of(theme, field, save)
    assert found_in(qtbot, window) == []
    for _ in ("before the fault is told", "while it stands"):
        refusals = [one.what for one in refused(window, theme)]
        assert refusals == ([] if is_missing else ["BigButton “Сачувај”: “Упишите назив”"])


def test_a_filled_key_is_heard_to_refuse(qtbot: QtBot, theme: Theme) -> None:
    window = window_of(theme, save := BigButton(theme, "Сачувај"))
    assert found_in(qtbot, window) == []
    vars(window)["services"] = tones = PlayedTones()
    assert [*refused(window, theme)] == []
    save.clicked.connect(lambda: tones.play("no"))
    assert ["tone" in one.what for one in refused(window, theme)] == [True]


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
