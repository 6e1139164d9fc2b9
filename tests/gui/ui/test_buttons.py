"""Buttons, segment, chips and pad: their look, their signals and their refusals."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import buttons, choices, keyboard
from pos_app.cashier.ui.metrics import TypeStep, measure
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.floating import tip_faults
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


def test_a_checked_button_is_shown_as_chosen(qtbot: QtBot, theme: Theme) -> None:
    button = buttons.Button(theme, "Готовина")
    qtbot.addWidget(button)
    button.setCheckable(True)
    width = button.sizeHint().width()
    button.click()
    assert button.spec.kind is buttons.ButtonKind.CHOSEN
    assert button.sizeHint().width() == width, "choosing moves nothing"


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


def test_a_chip_that_stood_there_before_stays(qtbot: QtBot, theme: Theme) -> None:
    row = chip_row(qtbot, theme, 2_000)
    assert (row.folded(), more_of(row).isVisible()) == ((), False), "there is room for all"
    before = chips_of(row)
    specs = [
        choices.ChipSpec("all", "Све"),
        *(choices.ChipSpec(f"k{n}", f"Група {n}") for n in range(1, 10)),
    ]
    row.set_chips(specs, current="k3")
    chips = [chip for chip in chips_of(row) if chip.isVisible()]
    assert chips[1:] == before[1:]
    assert [chip.isChecked() for chip in chips].index(True) == 3
    assert not before[0].isVisible()


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


def test_pad_tells_its_keys_and_takes_no_focus(qtbot: QtBot, theme: Theme) -> None:
    pad = keyboard.Pad(theme, back_name="Обриши цифру")
    qtbot.addWidget(pad)
    told: list[str] = []
    pad.pressed.connect(told.append)
    wanted = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "back", "0", ","]
    for name in wanted:
        qtbot.mouseClick(pad.key(name), Qt.MouseButton.LeftButton)
        assert pad.key(name).focusPolicy() is Qt.FocusPolicy.NoFocus
    assert told == wanted
    assert pad.key("back").accessibleName() == "Обриши цифру"
    pad.set_third("00")
    qtbot.mouseClick(pad.key("00"), Qt.MouseButton.LeftButton)
    assert (told[-1], pad.key("00").accessibleName()) == ("00", "00")
