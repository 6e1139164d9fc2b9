"""Buttons, fields, labels and the bottom line: their look, their signals and their refusals."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QStackedLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import buttons
from pos_app.cashier.ui.answers import Removal
from pos_app.cashier.ui.bars import StatusItem, StatusLine
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label, NumberLabel
from pos_app.cashier.ui.metrics import measure
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.scrolling import Scrolled, ThinScrollBar
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.painted import painted_by
from tests.gui.ui.conftest import Change
from tests.sweep import each


def test_enter_presses_no_button(qtbot: QtBot, theme: Theme) -> None:
    """The Enter that ends a scan confirms nothing, wherever the focus is."""
    button = buttons.Button(theme, "Сачувај", kind=ButtonKind.FILLED)
    qtbot.addWidget(button)
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    qtbot.keyClick(button, Qt.Key.Key_Return)
    qtbot.keyClick(button, Qt.Key.Key_Enter)
    assert pressed == []
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert len(pressed) == 1


HTML = "<b>Хлеб</b> & <img src=x>"


def test_all_labels_show_plain_text(qtbot: QtBot, theme: Theme) -> None:
    notice = NoticePanel(theme, NoticeKind.WARN, happened=HTML, safe=HTML, press=HTML)
    qtbot.addWidget(notice)
    labels = [Label(theme, HTML), *notice.findChildren(QLabel)]
    qtbot.addWidget(labels[0])
    assert len(labels) >= 3
    for label in labels:
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert HTML in label.text()


def _shown_amount(
    qtbot: QtBot, theme: Theme, text: str, *, signed: bool = False, grouped: bool = False
) -> Field:
    """A field for an amount in a window that has the focus elsewhere."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    other, field = Field(theme, name="Назив"), Field(theme, name="Цена", right=True, signed=signed)
    if grouped:
        field = AmountField(theme, name="Цена", signed=signed)
    for one in (other, field):
        column.addWidget(one)
    field.set_text(text)
    window.resize(300, 140)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    other.edit.setFocus()
    return field


@each("double", [False, True])
@each(("was", "typed"), [("203,25", "12500,00"), ("300,00", "250")])
def test_the_press_that_leads_into_an_amount_selects_it_whole(
    qtbot: QtBot, theme: Theme, double: bool, was: str, typed: str
) -> None:
    field = _shown_amount(qtbot, theme, was)
    left, spot = Qt.MouseButton.LeftButton, QPoint(field.edit.width() - 40, 10)
    qtbot.mouseClick(field.edit, left, pos=spot)
    if double:
        qtbot.mouseDClick(field.edit, left, pos=spot)
    assert field.edit.selectedText() == was
    qtbot.keyClicks(field.edit, typed)
    assert field.text() == typed


@each("how", ["typed", "pasted"])
@each(("was", "more"), [("203,25", "a"), ("12", "a"), ("12", "-")])
def test_an_amount_refuses_what_no_number_has(
    qtbot: QtBot, theme: Theme, was: str, more: str, how: str
) -> None:
    words = "Само број"
    field = _shown_amount(qtbot, theme.changed_to(keyboard_name="", number_only=words), was)
    field.edit.setFocus()
    with qtbot.waitSignal(field.refused):
        if how == "typed":
            qtbot.keyClicks(field.edit, more)
        else:
            QApplication.clipboard().setText(f"{more}7")
            field.edit.paste()
    assert field.text() == was
    field.edit.end(False)
    qtbot.keyClicks(field.edit, "5")
    assert field.edit.accessibleDescription() == words, "it is another number"
    field.end_typing()
    assert field.edit.accessibleDescription() == ""


@each(
    "text",
    ["1.234.567,50", "1234,5", "1234.5", ",5", ".5", "1,234.50", "1.234.567", "12345", "1,2,3"],
)
def test_every_number_can_be_typed_and_taken_away_again(
    qtbot: QtBot, theme: Theme, text: str
) -> None:
    field = _shown_amount(qtbot, theme, "")
    field.edit.setFocus()
    qtbot.keyClicks(field.edit, text)
    assert field.text() == text
    field.edit.setCursorPosition(1)
    for left in range(len(text) - 1, 0, -1):
        qtbot.keyClick(field.edit, Qt.Key.Key_Delete)
        assert len(field.text()) == left


WELL = (StatusItem("Сервер", "ради"), StatusItem("Процесор", "спреман, Л-ПФР"))


LEFT, BACK, DELETE, END = Qt.Key.Key_Left, Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_End


@each(
    ("keys", "shown", "typed"),
    [
        (("450000",), "450.000|", "450000"),
        (("1234567,5",), "1.234.567,5|", "1234567,5"),
        (("1234.5",), "1.234,5|", "1234,5"),  # a typed point is the decimal mark
        (("1.234,50",), "1.234,50|", "1234,50"),  # and no longer where another mark follows
        (("1.234",), "1,234|", "1,234"),  # which is told where it is read
        (("450000", BACK), "45.000|", "45000"),
        (("1234", LEFT, LEFT, LEFT, BACK), "|234", "234"),  # the digit before the point goes
        (("1234", LEFT, LEFT, LEFT, LEFT, DELETE), "1|34", "134"),  # the digit behind it
        (("1234", LEFT, "9"), "12.39|4", "12394"),
        (("1234", "+", "5"), "5|", "5"),  # all of it is selected
    ],
)
def test_an_amount_is_grouped_while_it_is_typed(
    qtbot: QtBot, theme: Theme, keys: tuple[object, ...], shown: str, typed: str
) -> None:
    field = _shown_amount(qtbot, theme, "", grouped=True)
    field.edit.setFocus()
    told: list[str] = []
    field.changed.connect(told.append)
    for key in keys:
        if key == "+":
            field.edit.selectAll()
        elif isinstance(key, str):
            qtbot.keyClicks(field.edit, key)
        else:
            qtbot.keyClick(field.edit, key)
    text, at = field.edit.text(), field.edit.cursorPosition()
    assert (f"{text[:at]}|{text[at:]}", field.text()) == (shown, typed)
    assert told[-1] == typed
    assert not [one for one, two in itertools.pairwise(told) if one == two]


@each(
    ("was", "pasted", "shown"),
    [
        ("", "1.234,50", "1.234,50"),
        ("", "1,234.50", "1.234,50"),
        ("", "1.234.567", "1.234.567"),
        ("12", "34", "1.234"),
        ("450000", "0", "4.500.000"),
        *(("", copied, "1.500,00") for copied in (
            "RSD 1.500,00", "1.500,00 дин.\n", "1 500,00", "1\u202f500,00\u00a0RSD", "1'500.00",
            "\t1500,00 динара",
        )),
        *(("", copied, "1.500") for copied in ("RSD 1.500", "1.500,- din", "1 500", "рсд1,500")),
        *(("", copied, "2.000.000") for copied in (
            "2.000.000 дин", "RSD 2,000,000", "2.000.000,- din", "2 000 000 РСД",
        )),
        *(("", copied, "1.234.567,50") for copied in ("1.234.567,50 дин.", "1,234,567.50 RSD")),
        *(("12", unread, "12") for unread in ("1.500 EUR", "RSD", "12a", "RSD 5")),
    ],
)  # fmt: skip
def test_a_pasted_amount_is_grouped_and_what_was_put_in_is_told_as_it_was(
    qtbot: QtBot, theme: Theme, was: str, pasted: str, shown: str
) -> None:
    field = _shown_amount(qtbot, theme, was, grouped=True)
    assert field.text() == was
    field.edit.setFocus()
    QApplication.clipboard().setText(pasted)
    field.edit.paste()
    assert field.edit.text() == shown
    field.set_text("1.234,00")
    assert field.text() == "1.234,00"


@each(
    ("keys", "then"),
    [
        (("#1250", "Z"), ["203,25"]),
        (("#1250", BACK, "Z", "Z"), ["1.250", "203,25"]),
        (("paste", "#7", "Z"), ["203,25"]),
        ((DELETE, "#9", "Z", "Z"), ["", "203,25"]),
        (("#1", "Z", "Z"), ["203,25", "203,25"]),
    ],
)
def test_ctrl_z_takes_back_what_was_typed_into_an_amount_and_then_leaves_the_key(
    qtbot: QtBot, theme: Theme, keys: tuple[object, ...], then: list[str]
) -> None:
    field = _shown_amount(qtbot, theme, "203,25", grouped=True)
    ctrl, left = Qt.KeyboardModifier.ControlModifier, 0
    field.edit.setFocus()
    field.edit.selectAll()
    QApplication.clipboard().setText("RSD 1.500")
    shown: list[str] = []
    for key in keys:
        if key == "Z":
            event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Z, ctrl)
            QApplication.sendEvent(field.edit, event)
            left += not event.isAccepted()
            shown.append(field.text())
        elif key == "paste":
            field.edit.paste()
        elif isinstance(key, str):
            qtbot.keyClicks(field.edit, key[1:])
        else:
            qtbot.keyClick(field.edit, key)
    assert shown == [text.replace(".", "") for text in then]
    assert left == (1 if then == ["203,25", "203,25"] else 0)


@pytest.fixture
def line(qtbot: QtBot, change: Change) -> StatusLine:
    line = StatusLine(change(metrics=measure(width=1024, text_percent=150)), name="Стање")
    qtbot.addWidget(line)
    line.resize(1024, 44)
    return line


def test_everything_is_said_where_it_has_room_and_the_sentence_folds_first(
    qtbot: QtBot, line: StatusLine
) -> None:
    line.set_status(WELL, "Продаја ради")
    assert line.shown_items() == WELL
    assert line.toolTip() == ""
    assert "Процесор спреман, Л-ПФР" in line.accessibleDescription()
    assert line.accessibleDescription().endswith("ради")
    assert line.shows_sentence()
    line.resize(620, 44)
    assert not line.shows_sentence()
    with qtbot.waitSignal(line.clicked):
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton)


def test_a_long_name_of_a_person_keeps_its_first_word_and_initials(line: StatusLine) -> None:
    line.set_status(WELL, "", person="Ана Марија Стефановић-Вукашиновић")
    painted, _ = painted_by(line)
    assert painted[0].words == "Ана М. С."
    assert "Ана Марија Стефановић-Вукашиновић" in line.toolTip()
    line.set_status(WELL, "", person="Ана Илић")
    assert painted_by(line)[0][0].words == "Ана Илић"


def test_the_bar_of_a_page_in_a_stack_stands_in_the_gap_beside_it(
    qtbot: QtBot, theme: Theme
) -> None:
    """The form is as wide as what stands below it, and the bar goes with its page."""
    page, stack = QWidget(), QWidget()
    qtbot.addWidget(page)
    column, pages = QVBoxLayout(page), QStackedLayout(stack)
    column.setContentsMargins(0, 0, theme.metrics.s3, 0)
    column.addWidget(stack)
    high, low = Scrolled(theme, name="висока"), Scrolled(theme, name="ниска")
    for area, height in ((high, 2000), (low, 10)):
        inside = QWidget()
        inside.setMinimumHeight(height)
        area.show_inside(inside)
        pages.addWidget(area)
    page.resize(400, 300)
    page.show()
    qtbot.waitExposed(page)
    assert high.viewport().width() == stack.width() == 400 - theme.metrics.s3
    (bar,) = (one for one in page.findChildren(ThinScrollBar) if one.isVisible())
    assert bar.geometry().left() >= stack.geometry().right()
    pages.setCurrentWidget(low)
    assert not bar.isVisible()
    pages.setCurrentWidget(high)
    assert bar.isVisible()


def test_the_red_answer_of_a_question_is_an_ordinary_button(qtbot: QtBot, theme: Theme) -> None:
    words, icon, kind = "Уклони: Мира", "trash-2", ButtonKind.DANGER
    low = BigButton(theme, words, icon=icon, kind=kind)
    low.fit_word()
    usual = buttons.Button(theme, words, icon=icon, kind=kind)
    for one in (low, usual):
        qtbot.addWidget(one)
        one.resize(one.sizeHint())
    assert low.grab().toImage() == usual.grab().toImage()


def test_the_red_answer_says_what_it_has_room_for(qtbot: QtBot, theme: Theme) -> None:
    """The safe answer is as wide as the key that asked, which takes room from the red one."""
    removal = Removal(theme, key_word="Уклони из корисника", safe_word="Задржи")
    qtbot.addWidget(removal)
    long, short = "Уклони: Драгана Петровић", "Уклони: Драгана П."
    removal.ask("Уклонити?", words="", act_words=(long,))
    room = removal.safe.minimumWidth() + theme.metrics.s6 + removal.act.sizeHint().width()
    removal.show()
    for width, words in ((room, long), (room - 1, short)):
        removal.resize(width, removal.sizeHint().height())
        removal.ask("Уклонити?", words="", act_words=(long, short))
        assert painted_by(removal.act)[0][0].words == words


def test_a_receipt_s_number_loses_its_words_before_its_start(qtbot: QtBot, theme: Theme) -> None:
    """A number with all its signs has no …, which would tell that some are missing."""
    number = "ABCD1234-ABCD1234-27"
    alone, named = NumberLabel(theme, number), NumberLabel(theme, f"Рачун {number}")
    qtbot.addWidget(alone)
    qtbot.addWidget(named)
    named.show()
    room, whole = alone.sizeHint().width(), named.sizeHint().width()
    for width, words in ((whole, f"Рачун {number}"), (room, number)):
        named.resize(width, named.sizeHint().height())
        assert painted_by(named)[0][0].words == words
    named.resize(room * 2 // 3, named.sizeHint().height())
    (cut,) = painted_by(named)[0]
    assert cut.words.startswith("…")
    assert cut.words.endswith("-27")
