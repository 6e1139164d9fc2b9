"""Each check of the crawl finds a fault that was made on purpose, and none in a sound window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.attention.cases.case import Step
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.payment.form import Form
from pos_app.cashier.settings.parts import HeadedPanel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import ScreenHead, StatusLine
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind, paint_button
from pos_app.cashier.ui.buttons import ActionButton, Button, KeyCap
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.done import DoneContent, DonePanel
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.painting import LEFT, RIGHT, box, put, put_lines
from pos_app.cashier.ui.panel import Ground, Panel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.views import CartDelegate, LinesView, RowView
from tests.gui.crawl.checks import Finding, Seen, findings
from tests.gui.crawl.painted import torn_words
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
    widget.setParent(parent)
    widget.setGeometry(*place)
    return widget


def found_in(qtbot: QtBot, window: Ground) -> list[Finding]:
    qtbot.addWidget(window)
    window.resize(800, 600)
    window.show()
    qtbot.waitExposed(window)
    QApplication.processEvents()
    return findings(Seen(window, window.theme))


def ragged_page(theme: Theme) -> QWidget:
    nobody: Any = None
    page = Form(theme, Texts(), nobody, nobody, title="pay.buyer", pad=False, whole_width=True)
    page.column.addWidget(bounded(theme, Field(theme, name="ПИБ")))
    page.column.addWidget(sized(Button(theme, "Алфа"), 600, theme.metrics.touch))
    return page


def sound(theme: Theme) -> Ground:
    """A window without a fault, with words that have a … of their own, and a long amount."""
    name = Painted(theme, (WHOLE, "1.234,50", "ink", RIGHT, 15), (WHOLE, "Хлеб", "ink_2", LEFT, 13))
    field = bounded(theme, Field(theme, name="Износ", placeholder="Износ"))
    pay = BigButton(theme, "Наплата", amount="142.645.833,00", key="F12", stacked=True)
    goods, asking = ElidedLabel(theme, "Хлеб"), Label(theme, "Тражи се…")
    add, keys = Button(theme, "Додај", key="F1"), KeyCap(theme, "Alt+1…7")
    return window_of(theme, goods, asking, name, field, add, keys, pay)


def test_a_sound_window_has_no_findings(qtbot: QtBot, theme: Theme) -> None:
    assert found_in(qtbot, sound(theme)) == []


# --- broken on purpose ---------------------------------------------------------------------------


Make = Callable[[Theme], QWidget]
Sized = TypeVar("Sized", bound=QWidget)


def sized(widget: Sized, wide: int = 0, tall: int = 0) -> Sized:
    if wide:
        widget.setFixedWidth(wide)
    if tall:
        widget.setFixedHeight(tall)
    return widget


def painted(words: str, colour: str = "ink", px: int = 15, *, place: QRect = WHOLE) -> Make:
    return lambda theme: Painted(theme, (place, words, colour, LEFT, px))


def side_by_side(theme: Theme, *widgets: tuple[QWidget, int, int, int, int]) -> Ground:
    """Widgets at positions that no layout gave them."""
    window = Ground(theme)
    for widget, *place in widgets:
        placed(widget, window, *place)
    return window


def drawn(
    theme: Theme, draw: Callable[[QPainter, ThemedWidget], object], *, kind: str = "Drawn"
) -> ThemedWidget:
    """A widget of a class of that name, which draws so."""

    def paint(widget: ThemedWidget, _: QPaintEvent) -> None:
        draw(QPainter(widget), widget)

    made: ThemedWidget = type(kind, (ThemedWidget,), {"paintEvent": paint})(theme)
    return made


def torn_by_a_line(painter: QPainter, widget: ThemedWidget) -> None:
    meter = widget.theme.fonts.text_metrics(widget.font(), TypeStep.BASE)
    rect, lines = QRect(0, 0, 45, 20), meter.broken("Cheques", 45, lines=2)
    put_lines(painter, rect, lines, meter, ink=widget.theme.colour("ink"))


def elided(kind: str, words: str, wide: int) -> Make:
    """Words that are cut in a widget in which a name may be."""

    def draw(painter: QPainter, widget: ThemedWidget) -> None:
        font, ink = widget.theme.font(), widget.theme.colour("ink")
        put(painter, widget.rect(), words, ink, font, elide=True)

    return lambda theme: sized(drawn(theme, draw, kind=kind), wide, 40)


def keys_of_two_sizes(theme: Theme) -> Ground:
    keys = []
    for number, (word, pixels) in enumerate((("Више", 15), ("Купац", 13))):
        button = ActionButton(theme, word, key="F9")
        button.take_size(pixels, 0)
        keys.append((button, 120 * number, 0, 90, theme.metrics.button))
    return side_by_side(theme, *keys)


def edge_of_a_key_too_faint(theme: Theme) -> QWidget:
    class Soft(Button):
        def paintEvent(self, event: QPaintEvent) -> None:
            edge, fill = theme.colour("line"), theme.colour("surface")
            box(QPainter(self), self.rect(), radius=4, fill=fill, edge=edge)

    return Soft(theme, "Додај")


def key_cut_at_the_side_of_what_scrolls(theme: Theme) -> QWidget:
    area = Scrolled(theme, name="Права")
    area.show_inside(sized(Button(theme, "Један"), 900))
    return area


def red_field_beside_a_filled_key(theme: Theme) -> Ground:
    field = Field(theme, name="Износ")
    field.set_error("Није износ")
    return window_of(theme, field, BigButton(theme, "Издај рачун"))


def first_row_of_a_list_cut(theme: Theme) -> Ground:
    view = sized(LinesView(theme, CartDelegate(theme, WORDS), name="Списак"), tall=300)
    view.setModel(Rows([*cart(is_current=False)] * 9, view))
    QTimer.singleShot(0, view, lambda: view.verticalScrollBar().setValue(10))
    return window_of(theme, view)


def filled_key_that_is_refused(theme: Theme) -> QWidget:
    class Bright(Button):
        def paintEvent(self, event: QPaintEvent) -> None:
            paint_button(QPainter(self), self.rect(), theme, self.spec)

    issue = Bright(theme, "Издај рачун", kind=ButtonKind.FILLED)
    issue.refuse("Корпа је празна")
    return issue


def question(theme: Theme, safe_answer: Button) -> QWidget:
    return NoticePanel(
        theme, NoticeKind.WARN, happened="Обрисати?", safe="", press="", safe_answer=safe_answer
    )


def a_way_back_to_where_one_is(theme: Theme) -> QWidget:
    head = ScreenHead(theme, key="Esc", title="Рачуни")
    head.button.lead_to("Рачуни")
    return head


def ornament_over_words(theme: Theme) -> Ground:
    hint = Label(theme, "F1 тастери")
    hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    words = Label(theme, "Скенирајте, унесите шифру")
    return side_by_side(theme, (words, 0, 0, 300, 40), (hint, 100, 0, 100, 40))


def words_over_a_picture(theme: Theme) -> QWidget:
    class Shown(Painted):
        def paintEvent(self, event: QPaintEvent) -> None:
            theme.draw_icon(QPainter(self), "store", "accent", 34, QPoint(30, 20))
            super().paintEvent(event)

    return Shown(theme, (WHOLE, "Пекара и маркет", "ink", LEFT, 15))


def words_under_a_panel(theme: Theme) -> Ground:
    row = Panel(theme)
    placed(Label(theme, "Последњи рачун"), row, 10, 10, 200, 30)
    return side_by_side(theme, (row, 0, 0, 300, 60), (Panel(theme), 100, 0, 300, 60))


class Restless(Ground):
    """Gives its key one width, and then another, whenever it is laid out."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._key = Button(theme, "Наплата")
        row = QVBoxLayout(self)
        row.addWidget(self._key)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._key.setFixedWidth(300)
            self._key.setFixedWidth(200)
        return super().event(event)


def current_line_half_hidden(theme: Theme) -> QWidget:
    view = RowView(theme, CartDelegate(theme, WORDS), name="Корпа")
    view.setModel(Rows(list(cart(is_current=True)), view))
    return sized(view, tall=5 * theme.metrics.cart_row)


def field_scrolled_out_of_sight(theme: Theme) -> QWidget:
    area, inside, field = Scrolled(theme, name="Подаци"), QWidget(), Field(theme, name="Број")
    column = QVBoxLayout(inside)
    column.addSpacing(600)
    column.addWidget(field)
    area.show_inside(inside)
    field.set_text("12")
    field.edit.setFocus()
    return sized(area, tall=200)


def panel_on_the_status_line(theme: Theme) -> Ground:
    panel, line = Panel(theme), StatusLine(theme, name="Стање")
    return side_by_side(theme, (panel, 12, 100, 400, 458), (line, 0, 560, 800, 40))


def details_beside_their_text(theme: Theme) -> QWidget:
    details = Details(theme, "Детаљи", "E17")
    details.layout().setContentsMargins(13, 0, 0, 0)
    return details


def step_that_repeats_its_question(theme: Theme) -> Ground:
    asked = Label(theme, LAST, step=TypeStep.TITLE)
    return window_of(theme, asked, StepsView(theme, Texts(), [Step(LAST)]))


LONG = "Скенирајте QR код са папира који је процесор одштампао " * 3
LAST, AMOUNT = "Последњи рачун", (QRect(40, 0, 100, 40), "1.234,50", "ink", LEFT, 15)
BROKEN: dict[str, tuple[str, str, Make]] = {
    "word cut on a key": (
        "cut", "…", lambda theme: sized(Button(theme, "Готовина тачно"), theme.metrics.touch)
    ),
    "name cut in its row": (
        "shortened", "Детерџент за веш 3 kg",
        lambda theme: sized(ElidedLabel(theme, "Детерџент за веш 3 kg", lines=1), 100),
    ),
    "word torn between its letters": (
        "torn", "Cheques", lambda theme: sized(drawn(theme, torn_by_a_line), 60, 60)
    ),
    "own words cut": (
        "shortened", "радње…",
        lambda theme: sized(ElidedLabel(theme, "Тражи се на осталим касама радње…", lines=1), 100),
    ),
    "amount cut where a name may be": (
        "shortened", "1.234.567,50", elided("ChainPath", "1.234.567,50", 60)
    ),
    "end of a number cut": (
        "endless", "ABCD1234-ABCD1234-1017", elided("Chart", "Рачун ABCD1234-ABCD1234-1017", 120)
    ),
    "number cut whole": (
        "endless", "123456", elided("Chart", "Поруџбина са сајта број 123456", 160)
    ),
    "label in too little room": ("cut", LAST, lambda theme: sized(Label(theme, LAST), 40)),
    "lines in too little room": (
        "cut", "Скенирајте", lambda theme: sized(Label(theme, LONG, wrap=True), 300, 40)
    ),
    "words beyond their widget": ("cut", LAST, painted(LAST, place=QRect(250, 0, 300, 40))),
    "placeholder in too little room": (
        "cut", "Скенирајте",
        lambda theme: sized(
            Field(theme, name="Тражи", placeholder="Скенирајте, унесите шифру или тражите"), 140
        ),
    ),
    "key out of the window": (
        "cut", "Наплата",
        lambda theme: side_by_side(theme, (Button(theme, "Наплата"), 100, 580, 200, 60)),
    ),
    "words of 11 px": ("small", "по комаду", painted("по комаду", px=11)),
    "price of 12 px": ("small", "1.690,00", painted("1.690,00", px=12)),
    "keys of two sizes": ("uneven", "Више", keys_of_two_sizes),
    "words too faint": ("contrast", LAST, lambda theme: Label(theme, LAST, colour="line_strong")),
    "amount as faint as words may be": ("contrast", "1.234,50", painted("1.234,50", "ink_3")),
    "edge of a key too faint": ("faint", "Додај", edge_of_a_key_too_faint),
    "key at the edge of the screen": (
        "edge", "Један",
        lambda theme: side_by_side(
            theme, (Button(theme, "Један"), theme.metrics.s3 - 1, 0, 120, 60)
        ),
    ),
    "key cut at the side of what scrolls": ("edge", "Један", key_cut_at_the_side_of_what_scrolls),
    "field wider than that of a form": (
        "wide", "Износ", lambda theme: window_of(theme, Field(theme, name="Износ"))
    ),
    "panel on the status line": ("low", "2 px", panel_on_the_status_line),
    "details beside their text": ("indented", "Детаљи", details_beside_their_text),
    "step that repeats its question": ("asked_again", LAST, step_that_repeats_its_question),
    "key that ends right of the fields of its page": ("ragged", "Алфа", ragged_page),
    "small letter in what was done": (
        "lower_case", "примљено",
        lambda theme: DonePanel(theme, DoneContent("Замењено", (), words="примљено 5,00")),
    ),
    "filled key that is refused": ("filled", "Издај рачун", filled_key_that_is_refused),
    "red field beside a filled key": ("reddened", "Износ", red_field_beside_a_filled_key),
    "first row of a list cut": ("half_begun", "Списак", first_row_of_a_list_cut),
    "one cap on two keys": (
        "twice", "Јасно",
        lambda theme: window_of(
            theme, Button(theme, "Назад", key="Esc"), Button(theme, "Јасно", key="Esc")
        ),
    ),
    "question that Esc does not answer": (
        "unescaped", "Остави",
        lambda theme: window_of(theme, question(theme, Button(theme, "Остави"))),
    ),
    "two keys that lead back": (
        "ways_back", "Рачуни",
        lambda theme: window_of(
            theme, *(Button(theme, word, icon="arrow-left") for word in ("Назад", "Рачуни"))
        ),
    ),
    "a way back to where one is": ("leads_nowhere", "Рачуни", a_way_back_to_where_one_is),
    "head that its screen has already": (
        "repeated", "Рачуни",
        lambda theme: window_of(
            theme, ScreenHead(theme, key="Esc", title="Рачуни"), HeadedPanel(theme, "Рачуни")
        ),
    ),
    "key that is given two widths in turn": ("restless", "Restless", Restless),
    "keys over each other": (
        "overlap", "Два",
        lambda theme: side_by_side(
            theme, (Button(theme, "Један"), 0, 0, 120, 60), (Button(theme, "Два"), 110, 0, 120, 60)
        ),
    ),
    "words over each other": (
        "overlap", "1.234,50",
        lambda theme: Painted(theme, (WHOLE, "Готовина тачно", "ink", LEFT, 15), AMOUNT),
    ),
    "ornament over words": ("overlap", "F1 тастери", ornament_over_words),
    "words over a picture": ("overlap", "picture", words_over_a_picture),
    "words under a panel": ("covered", LAST, words_under_a_panel),
    "current line half hidden": ("covered", "current line", current_line_half_hidden),
    "key too low": (
        "target", "Додај",
        lambda theme: sized(Button(theme, "Додај"), 200, theme.metrics.touch - 2),
    ),
    "payment key of a usual height": (
        "target", "Картица",
        lambda theme: sized(
            Button(theme, "Картица", height="payment_button"), tall=theme.metrics.touch
        ),
    ),
    "key without a name": ("unnamed", "Button", lambda theme: Button(theme, icon="trash-2")),
    "list without a name": (
        "unnamed", "RowView", lambda theme: RowView(theme, CartDelegate(theme, WORDS))
    ),
    "field scrolled out of sight": ("unseen", "Број", field_scrolled_out_of_sight),
}  # fmt: skip


@pytest.mark.parametrize(("check", "words", "broken"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_found(
    qtbot: QtBot, theme: Theme, check: str, words: str, broken: Make
) -> None:
    made = broken(theme)
    window = made if isinstance(made, Ground) else window_of(theme, made)
    found = found_in(qtbot, window)
    assert any(one.check == check and words in one.what for one in found), found


@pytest.mark.parametrize("is_missing", [False, True])
def test_a_filled_key_that_refuses_is_found_by_pressing_it(
    qtbot: QtBot, theme: Theme, is_missing: bool
) -> None:
    field, save = Field(theme, name="Назив"), BigButton(theme, "Сачувај")
    bounded(theme, field)
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
