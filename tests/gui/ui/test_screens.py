"""The look as a whole: theme at run time, the ring of the focus, repaint, a lane beside content."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier import ui as look_package
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Icons, Theme
from pos_app.resources import folder
from tests.gui.ui.conftest import Change
from tests.gui.ui.screens import sale_grid


def shown(qtbot: QtBot, widget: QWidget, width: int = 1366, height: int = 768) -> QWidget:
    """Show a window on the screen."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)
    QApplication.processEvents()  # the first painting; before it, repaint() does nothing
    return widget


def colour_at(window: QWidget, x: int, y: int) -> str:
    return str(window.grab(QRect(x, y, 1, 1)).toImage().pixelColor(0, 0).name()).upper()


def test_a_screen_has_the_colours_of_its_theme(
    qtbot: QtBot, change: Change, qapp: QApplication
) -> None:
    places = {"bg": (510, 400), "surface": (200, 600), "accent": (1110, 700), "sunken": (300, 60)}
    for name in ("light", "dark", "light"):
        theme = change(name)
        window = shown(qtbot, sale_grid(theme, 1366))
        for token, place in places.items():
            assert colour_at(window, *place) == getattr(theme.palette, token), (name, token)
        assert qapp.palette().window().color().name().upper() == theme.palette.bg


def turn_wheel(widget: QWidget, turned: int) -> None:
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place,
        widget.mapToGlobal(place),
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_the_ring_stays_in_the_scroll_area_of_its_widget(qtbot: QtBot, theme: Theme) -> None:
    window, inside, area = Ground(theme, colour="bg"), QWidget(), ScrolledColumn(theme, name="page")
    buttons = [Button(theme, f"{number}") for number in range(12)]
    rows, column = QVBoxLayout(inside), QVBoxLayout(window)
    for button in buttons:
        rows.addWidget(button)
    area.show_inside(inside)
    for part in (Button(theme, "above"), area, Button(theme, "below")):
        column.addWidget(part)
    shown(qtbot, window, 400, 320)
    window.activateWindow()
    ring, target, view = FocusRing(theme, window), buttons[5], area.viewport()
    target.setFocus()
    qtbot.waitUntil(target.hasFocus)
    room, looks = QRect(view.mapTo(window, QPoint()), view.size()), set()
    for _ in range(60):
        turn_wheel(view, -16)
        box = QRect(target.mapTo(window, QPoint()), target.size())
        painted = ring.mask().translated(ring.pos()).boundingRect() if ring.isVisible() else QRect()
        whole, is_seen = box.adjusted(-5, -5, 5, 5), room.intersects(box)
        looks.add((is_seen, room.contains(box)))
        if room.contains(box):
            assert painted == whole
        elif box.top() < room.top():
            assert painted.isEmpty() or painted.top() >= room.top()
        else:
            assert painted.isEmpty() or painted.bottom() <= room.bottom()
        assert painted.isEmpty() == (not is_seen)
    assert looks == {(False, False), (True, False), (True, True)}


ROOM = QSize(422, 408)


class Folding(QWidget):
    """Content that is lower while it is narrower, as a form is whose words fold to shorter ones."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.fold(ROOM.width())

    def fold(self, width: int) -> None:
        self.setMinimumHeight(412 if width >= ROOM.width() else 398)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sizes.append(self.width())
        self.fold(self.width())


def test_content_that_fits_only_beside_the_lane_comes_to_rest(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    area, inside = ScrolledColumn(theme, name="form"), Folding()
    qtbot.addWidget(area)
    area.show_inside(inside)
    area.resize(ROOM)
    area.show()
    for _ in range(20):
        qapp.processEvents()
    inside.sizes.clear()
    for _ in range(20):
        qapp.processEvents()
    assert inside.sizes == [], "it rests"
    assert inside.height() <= area.viewport().height(), "nothing of it is hidden"
    area.resize(ROOM + QSize(0, 40))
    for _ in range(20):
        qapp.processEvents()
    assert inside.width() == ROOM.width(), "with room for all of it there is no lane"


def test_the_heads_of_a_notice_stand_side_by_side_where_all_have_room(
    qtbot: QtBot, theme: Theme
) -> None:
    heads = ("Шта се догодило", "Да ли је сачувано", "Шта сада")
    for width, rows in ((1000, 1), (500, 3)):
        notice = NoticePanel(
            theme, NoticeKind.WARN, happened="Није издат", safe="Јесте", press="", heads=heads
        )
        shown(qtbot, notice, width, 300)
        assert len({one.y() for one in notice.findChildren(Label) if one.text() in heads}) == rows


SOURCES = sorted(Path(look_package.__file__).parent.glob("*.py"))


def test_all_icons_named_in_the_look_are_there() -> None:
    icons = Icons(folder() / "icons")
    named = {
        name
        for source in SOURCES
        for name in re.findall(
            r'(?:icon=|icon or |_icon\(painter, |look, )"([a-z0-9-]+)"',
            source.read_text(encoding="utf-8"),
        )
    }
    assert {"search", "trash-2", "plus"} <= named
    assert [name for name in sorted(named) if not icons.has(name)] == []


def test_no_nested_loop_and_no_effects() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        for never in (".exec(", "QGraphics", "Gradient", "setOpacity", "processEvents", ":hover"):
            assert never not in text, (source.name, never)
