"""Small details of the look are measured: carets and pictures."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QWidget

from pos_app.cashier.ui.field import Field, LineEdit
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.rows import Tile
from pos_app.cashier.ui.theme import Theme
from tests.gui.pictures import settle
from tests.sweep import each

# --- caret ---------------------------------------------------------------------------------------


def ink_columns(edit: LineEdit, colour: QColor, *, caret: bool) -> list[int]:
    """Columns of a field that have marks in the caret's colour alone, or else other marks."""
    picture = edit.window().grab().toImage()
    place = QRect(edit.mapTo(edit.window(), QPoint(0, 0)), edit.size()).adjusted(0, 4, 0, -4)
    ground = picture.pixelColor(place.center().x(), place.top())
    found = []
    for x in range(place.left(), place.right() + 1):
        column = [picture.pixelColor(x, y) for y in range(place.top(), place.bottom() + 1)]
        marks = [one for one in column if one != ground]
        if marks and (all(one == colour for one in marks) is caret):
            found.append(x)
    return found


@each("right", [False, True])
@each("icon", ["", "search"])
def test_the_caret_stands_off_the_placeholder(theme: Theme, right: bool, icon: str) -> None:
    window = QWidget()
    field = Field(theme, name="Назив", placeholder="Назив", icon=icon, right=right)
    field.setParent(window)
    field.setGeometry(10, 10, 300, theme.metrics.touch)
    window.resize(320, 70)
    window.show()
    window.activateWindow()
    field.edit.setFocus(Qt.FocusReason.TabFocusReason)
    settle()
    assert field.edit.hasFocus()
    written = field.edit.palette().color(QPalette.ColorRole.PlaceholderText)
    assert written == theme.colour("ink_2" if right else "ink_3")
    carets = ink_columns(field.edit, theme.colour("focus"), caret=True)
    letters = ink_columns(field.edit, theme.colour("focus"), caret=False)
    assert len(carets) == theme.metrics.edge
    free = carets[0] - letters[-1] - 1 if right else letters[0] - carets[-1] - 1
    assert free >= 1
    assert letters[0] > field.edit.mapTo(window, QPoint(0, 0)).x()
    placeholder = letters[0]
    field.edit.insert("Н")
    settle()
    if not right:  # the first letter stands where the placeholder began
        typed = ink_columns(field.edit, theme.colour("focus"), caret=False)
        assert abs(typed[0] - placeholder) <= 1
    window.close()
    window.deleteLater()


# --- pictures ------------------------------------------------------------------------------------


def brightest(theme: Theme) -> float:
    """The lightness of the lightest pixel of a tile with a white picture."""
    white = QPixmap(96, 96)
    white.fill(Qt.GlobalColor.white)
    tile = Tile(name="", price="", has_picture=True)
    image = QImage(160, 108, QImage.Format.Format_RGB32)
    image.fill(theme.colour("surface"))
    painter = QPainter(image)
    frame = frame_of(tile, picture=white)
    own = TilePainter(theme)
    own.paint_frame(painter, image.rect(), frame)
    own.paint_on(painter, image.rect(), frame, tile, white)
    painter.end()
    return image.pixelColor(160 - 30, 108 - 30).lightnessF()


def test_pictures_do_not_glare_among_dark_tiles(theme: Theme) -> None:
    assert brightest(theme) == 1
    assert 0.5 < brightest(theme.changed_to(theme="dark")) < 0.7
