"""Buttons, chips, pad, fields, labels and notices: their look, their signals and their refusals."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import buttons, choices, keyboard
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, measure
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.floating import tip_faults
from tests.gui.crawl.painted import painted_by
from tests.gui.parts import chips_of, more_of
from tests.sweep import each


def colour_at(widget: QWidget, x: int, y: int) -> str:
    return str(widget.grab().toImage().pixelColor(x, y).name()).upper()


@each(
    ("kind", "usual", "pressed"),
    [
        (buttons.ButtonKind.PLAIN, "surface", "line"),
        (buttons.ButtonKind.FILLED, "accent", "accent_press"),
        (buttons.ButtonKind.DANGER, "surface", "line"),
        (buttons.ButtonKind.CHOSEN, "tint", "line"),
        (buttons.ButtonKind.CHIP, "surface", "line"),
    ],
)
def test_fill_of_each_kind(
    qtbot: QtBot, theme: Theme, kind: buttons.ButtonKind, usual: str, pressed: str
) -> None:
    button = buttons.Button(theme, "Сачувај", kind=kind)
    qtbot.addWidget(button)
    button.resize(120, 46)
    assert colour_at(button, 6, 23) == getattr(theme.palette, usual)
    button.setDown(True)
    assert colour_at(button, 6, 23) == getattr(theme.palette, pressed)
    button.refuse("Прво унесите цену.")
    assert colour_at(button, 6, 23) == theme.palette.sunken


def test_a_refused_button_says_why_with_room_for_a_long_reason(qtbot: QtBot) -> None:
    theme = Theme(metrics=measure(touch_mm=15, text_percent=150, width=1024))
    window = Ground(theme)
    window.resize(1024, 768)
    qtbot.addWidget(window)
    button = buttons.Button(theme, "Изабери", parent=window)
    why = ("Рачунар сервера не види такав штампач. " * 6).strip()
    button.refuse(why)
    assert not button.isEnabled()
    font = theme.font(TypeStep.SMALL)
    assert not list(tip_faults(button.toolTip(), "it", font, theme.metrics, window))
    assert button.toolTip().split() == why.split()
    assert button.accessibleDescription() == why
    button.allow()
    assert button.isEnabled()
    assert (button.toolTip(), button.accessibleDescription()) == ("", "")


def test_enter_presses_no_button(qtbot: QtBot, theme: Theme) -> None:
    """The Enter that ends a scan confirms nothing, wherever the focus is."""
    button = buttons.Button(theme, "Сачувај", kind=buttons.ButtonKind.FILLED)
    qtbot.addWidget(button)
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    qtbot.keyClick(button, Qt.Key.Key_Return)
    qtbot.keyClick(button, Qt.Key.Key_Enter)
    assert pressed == []
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert len(pressed) == 1


def test_icon_folds_before_key_cap(theme: Theme) -> None:
    spec = buttons.ButtonSpec("Пренос на рачун", icon="landmark", key="3", spread=True)
    whole = buttons.content_width(theme, theme.font(), spec)
    own = theme.font()
    assert buttons.folded(theme, own, spec, whole) == spec
    assert buttons.folded(theme, own, spec, whole - 1).icon == ""
    assert buttons.folded(theme, own, spec, whole - 1).key == "3"
    assert buttons.folded(theme, own, spec, 10).key == ""


def test_segment_is_chosen_by_touch_and_by_arrows(qtbot: QtBot, theme: Theme) -> None:
    segment = choices.Segment(theme, ("Продаја", "Аванс", "Обука"), name="Врста")
    qtbot.addWidget(segment)
    segment.resize(segment.sizeHint())
    told: list[int] = []
    segment.chosen.connect(told.append)
    right = QPoint(segment.width() - 10, 20)
    qtbot.mouseClick(segment, Qt.MouseButton.LeftButton, pos=right)
    for _ in range(3):
        qtbot.keyClick(segment, Qt.Key.Key_Left)
    segment.set_current(1)
    assert told == [2, 1, 0]
    assert segment.accessibleName() == "Врста: Аванс"


# --- chips ---------------------------------------------------------------------------------------


def chip_row(qtbot: QtBot, theme: Theme, width: int) -> choices.ChipRow:
    row = choices.ChipRow(theme, more=lambda count: f"Још {count}")
    qtbot.addWidget(row)
    row.set_chips([choices.ChipSpec(f"k{n}", f"Група {n}") for n in range(10)], current="k0")
    row.resize(width, 46)
    row.show()
    return row


@each("width", [200, 400, 621, 837])
def test_chips_without_room_go_into_the_menu(qtbot: QtBot, theme: Theme, width: int) -> None:
    row = chip_row(qtbot, theme, width)
    shown = [chip for chip in chips_of(row) if chip.isVisible()]
    assert len(shown) + len(row.folded()) == 10
    assert more_of(row).isVisible()
    assert more_of(row).text() == ""
    assert more_of(row).spec.words == f"Још {len(row.folded())}"
    assert all(chip.geometry().right() < more_of(row).geometry().left() for chip in shown)
    assert more_of(row).geometry().right() == width - 1


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
def test_a_chip_from_the_menu_is_chosen_and_shown(qtbot: QtBot, theme: Theme) -> None:
    row = chip_row(qtbot, theme, 400)
    told: list[str] = []
    row.chosen.connect(told.append)
    qtbot.mouseClick(more_of(row), Qt.MouseButton.LeftButton)
    menu = row.findChild(QMenu)
    assert menu is not None
    qtbot.waitUntil(menu.isVisible)
    menu.actions()[-1].trigger()
    menu.close()
    assert told == ["k9"]
    assert more_of(row).spec == more_of(row).spec.__class__(
        "Група 9", "chevron-down", kind=buttons.ButtonKind.CHOSEN, icon_last=True, narrow=True
    )


# --- the pad -------------------------------------------------------------------------------------


@each("third", ["00", "C", ","])
def test_every_pad_has_one_order_and_backspace_at_the_lower_left(
    qtbot: QtBot, theme: Theme, third: keyboard.ThirdKey
) -> None:
    pad = keyboard.Pad(theme, back_name="Обриши цифру", third=third)
    qtbot.addWidget(pad)
    pad.resize(pad.sizeHint())
    pad.show()
    order = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "back", "0", third]
    assert sorted(order, key=lambda name: (pad.key(name).y(), pad.key(name).x())) == order
    assert len({pad.key(name).size().toTuple() for name in order}) == 1


# --- fields, labels and notices -------------------------------------------------------------------


HTML = "<b>Хлеб</b> & <img src=x>"


def test_the_amounts_of_a_column_have_one_size(qtbot: QtBot, theme: Theme) -> None:
    column = [AmountLabel(theme, one) for one in ("12,50", "−12.345.678.901,50")]
    for label in column:
        qtbot.addWidget(label)
        label.resize(180, label.height())
        label.share_size(column)
    assert column[0].shown_px() == column[1].shown_px()
    assert column[0].shown_px() < theme.metrics.type_px(TypeStep.TOTAL)


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


@each("how", ["typed", "pasted"])
@each(("was", "more"), [("203,25", "a"), ("12", "a"), ("12", "-")])
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


def test_a_percentage_has_one_sign(qtbot: QtBot, theme: Theme) -> None:
    field = _shown_amount(qtbot, theme, "", signed=True)
    field.edit.setFocus()
    qtbot.keyClicks(field.edit, "--7,5-%%")
    assert field.text() == "-7,5%"
