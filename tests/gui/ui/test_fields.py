"""Fields, labels, amounts, notices and the status line."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field, SearchField
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.painted import painted_by
from tests.sweep import each

HTML = "<b>Хлеб</b> & <img src=x>"


def test_an_error_stands_below_the_field_in_words(qtbot: QtBot, theme: Theme) -> None:
    field = Field(theme, name="ПИБ")
    qtbot.addWidget(field)
    usual = field.sizeHint().height()
    field.set_error("ПИБ има 9 цифара, уписано је 8")
    assert field.sizeHint().height() > usual
    assert field.edit.accessibleDescription() == "ПИБ има 9 цифара, уписано је 8"
    field.set_error("")
    assert field.sizeHint().height() == usual


def test_the_cross_empties_the_search(qtbot: QtBot, theme: Theme) -> None:
    search = SearchField(theme, name="Тражи", placeholder="Скенирај", clear_name="Обриши", key="F2")
    qtbot.addWidget(search)
    search.resize(400, 46)
    search.show()
    (cross,) = search.findChildren(QAbstractButton)
    assert not cross.isVisible()
    search.set_text("sir")
    assert cross.isVisible()
    assert cross.accessibleName() == "Обриши"
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert search.text() == ""


@each("amount", ["0,00", "1.674,72", "−12.345.678,90", "999.999.999.999,99"])
@each("width", [60, 120, 240, 600])
def test_an_amount_is_never_cut(qtbot: QtBot, theme: Theme, amount: str, width: int) -> None:
    label = AmountLabel(theme, amount, name="Укупно", step=TypeStep.CHANGE)
    qtbot.addWidget(label)
    label.resize(width, 78)
    ((painted,), _) = painted_by(label)
    assert painted.words == amount
    assert painted.rect.width() <= width or painted.px == 6
    assert label.accessibleName() == f"Укупно {amount}"


def test_all_labels_show_plain_text(qtbot: QtBot, theme: Theme) -> None:
    notice = NoticePanel(theme, NoticeKind.WARN, happened=HTML, safe=HTML, press=HTML)
    qtbot.addWidget(notice)
    labels = [Label(theme, HTML), *notice.findChildren(QLabel)]
    qtbot.addWidget(labels[0])
    assert len(labels) >= 3
    for label in labels:
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert HTML in label.text()


def test_a_notice_has_three_parts_and_its_buttons(qtbot: QtBot, theme: Theme) -> None:
    again = Button(theme, "Покушај поново")
    heads = ("Шта се догодило", "Да ли је продаја сачувана", "Шта сада")
    notice = NoticePanel(
        theme,
        NoticeKind.DANGER,
        happened="Нема папира.",
        safe="Јесте.",
        press="Уложите папир.",
        buttons=(again,),
        heads=heads,
    )
    qtbot.addWidget(notice)
    words = [label.text() for label in notice.findChildren(QLabel)]
    assert words == [heads[0], "Нема папира.", heads[1], "Јесте.", heads[2], "Уложите папир."]
    assert again.window() is notice
    assert notice.accessibleName() == "Нема папира. Јесте. Уложите папир."


@each(("width", "rows"), [(1400, 1), (600, 2), (330, 3)])
def test_the_buttons_of_a_notice_stand_in_rows(
    qtbot: QtBot, theme: Theme, width: int, rows: int
) -> None:
    buttons = [Button(theme, f"Сачувај и промени све у {label}") for label in ("Ђ", "Е", "Г")]
    panel = NoticePanel(
        theme, NoticeKind.WARN, happened="Ознаке", safe="", press="", buttons=buttons
    )
    qtbot.addWidget(panel)
    panel.resize(width, panel.heightForWidth(width))
    panel.show()
    assert len({one.y() for one in buttons}) == rows
    for one in buttons:
        assert one.width() == one.sizeHint().width()
        assert panel.rect().contains(one.geometry())


# --- amounts that are typed ----------------------------------------------------------------------


def _shown_amount(qtbot: QtBot, theme: Theme, text: str, *, signed: bool = False) -> Field:
    """A field for an amount in a window that has the focus elsewhere."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    other, field = Field(theme, name="Назив"), Field(theme, name="Цена", right=True, signed=signed)
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


def test_a_further_press_places_the_caret_in_an_amount(qtbot: QtBot, theme: Theme) -> None:
    field = _shown_amount(qtbot, theme, "203,25")
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(field.edit, left, pos=QPoint(field.edit.width() - 40, 10))
    qtbot.wait(QApplication.doubleClickInterval() + 50)
    qtbot.mouseClick(field.edit, left, pos=QPoint(field.edit.width() - 2, 10))
    assert not field.edit.hasSelectedText()
    qtbot.keyClicks(field.edit, "9")
    assert field.text() == "203,259"


@each("how", ["typed", "pasted"])
@each(
    ("was", "more"),
    [("203,25", ","), ("203,25", "."), ("203.25", "."), ("203.25", ","), ("12", "a"), ("12", "-")],
)
def test_an_amount_refuses_what_no_number_has(
    qtbot: QtBot, theme: Theme, was: str, more: str, how: str
) -> None:
    field = _shown_amount(qtbot, theme, was)
    field.edit.setFocus()
    with qtbot.waitSignal(field.refused):
        if how == "typed":
            qtbot.keyClicks(field.edit, more)
        else:
            QApplication.clipboard().setText(f"{more}7")
            field.edit.paste()
    assert field.text() == was


@each("text", ["1.234.567,50", "1234,5", "1234.5", ",5", ".5", "1,234.50", "1.234.567", "12345"])
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


def test_a_percentage_has_one_sign(qtbot: QtBot, theme: Theme) -> None:
    field = _shown_amount(qtbot, theme, "", signed=True)
    field.edit.setFocus()
    qtbot.keyClicks(field.edit, "--7,,5-%%")
    assert field.text() == "-7,5%"
