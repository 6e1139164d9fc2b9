"""Small details of the look are measured: labels, carets, rings, thumbs and pictures."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget

from pos_app.cashier.sale.questions import More
from pos_app.cashier.texts.lookup import LANGUAGES, Language
from pos_app.cashier.ui.buttons import Button, SameSizeButton
from pos_app.cashier.ui.field import Field, LineEdit
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.metrics import TouchMm, TypeStep
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.rows import Tile
from pos_app.cashier.ui.scrolling import ThinScrollBar
from pos_app.cashier.ui.theme import Theme
from tests.gui.inside import inside
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import CHEESE_WEIGHED, MILK, Shop
from tests.sweep import diagonals, sampled, turns

TOUCH: tuple[TouchMm, ...] = (9, 12, 15)


def laid_out() -> None:
    for _ in range(4):
        QApplication.processEvents()


# --- labels of one row ---------------------------------------------------------------------------


def assert_one_size(hands: Hands) -> None:
    """Each label of the bar has the size of the others, is large enough and fits its key."""
    laid_out()
    bar = inside(hands.window).work_area.sale.bar
    buttons = [one for one in bar.findChildren(SameSizeButton) if one.isVisible()]
    sizes = {button.label_font().pixelSize() for button in buttons}
    metrics = hands.window.theme.metrics
    assert len(buttons) >= (
        6 if metrics.text_percent == 100 else 5
    )  # what has no room is in the menu
    assert len(sizes) == 1, sizes
    assert min(sizes) >= metrics.type_px(TypeStep.SMALL)
    for button in buttons:
        wide = max(width_of(button.label_font(), label) for label in button.labels())
        assert wide <= button.width() - 4, button.accessibleName()
    rects = [one.geometry() for one in (*buttons, bar.pay)]
    assert all(bar.rect().contains(rect) for rect in rects)
    assert not any(a.intersects(b) for a in rects for b in rects if a is not b)


SIZES = [(1366, 768), (1024, 768), (1920, 1080)]


@pytest.mark.parametrize(
    ("size_percent", "look"),
    sampled(diagonals(diagonals(SIZES, [150, 100]), diagonals(LANGUAGES, TOUCH))),
)
def test_the_labels_of_the_action_keys_have_one_size(
    shop: Shop,
    sell_in: SellIn,
    size_percent: tuple[tuple[int, int], int],
    look: tuple[Language, TouchMm],
) -> None:
    ((width, height), percent), (language, touch) = size_percent, look
    hands = sell_in(shop, width=width, height=height, touch=touch, text=percent)
    hands.window.change(language=language)
    assert_one_size(hands)
    for _ in range(3):
        inside(hands.window).model.entry.enter_code(MILK)
    assert_one_size(hands)
    hands.press("F6")
    inside(hands.window).model.entry.enter_code(CHEESE_WEIGHED)
    assert_one_size(hands)


def test_no_action_key_moves_while_items_are_scanned(shop: Shop, sell_in: SellIn) -> None:
    hands = sell_in(shop, width=1024)
    bar = inside(hands.window).work_area.sale.bar
    places = set()
    for _ in range(30):
        hands.scan(MILK)
        laid_out()
        places.add(tuple(button.x() for button in bar.findChildren(SameSizeButton)))
    assert len(places) == 1


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


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("icon", ["", "search"])
def test_the_caret_stands_off_the_placeholder(theme: Theme, right: bool, icon: str) -> None:
    window = QWidget()
    field = Field(theme, name="Назив", placeholder="Назив", icon=icon, right=right)
    field.setParent(window)
    field.setGeometry(10, 10, 300, theme.metrics.touch)
    window.resize(320, 70)
    window.show()
    window.activateWindow()
    field.edit.setFocus(Qt.FocusReason.TabFocusReason)
    laid_out()
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
    laid_out()
    if not right:  # the first letter stands where the placeholder began
        typed = ink_columns(field.edit, theme.colour("focus"), caret=False)
        assert abs(typed[0] - placeholder) <= 1
    window.close()
    window.deleteLater()


# --- the ring of the focus -----------------------------------------------------------------------


def apart(one: QColor, other: QColor) -> int:
    """The difference of two colours, summed over the channels."""
    channels = ("red", "green", "blue", "alpha")
    return sum(abs(getattr(one, name)() - getattr(other, name)()) for name in channels)


def test_the_ring_follows_the_rounding_of_a_key(theme: Theme) -> None:
    window = QWidget()
    button = Button(theme, "Назад")
    button.setParent(window)
    button.setGeometry(20, 20, 120, theme.metrics.touch)
    window.resize(160, 90)
    window.show()
    window.activateWindow()
    drawn = FocusRing(theme, window)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    laid_out()
    assert drawn.target() is button
    picture = window.grab().toImage()
    focus = theme.colour("focus")
    for corner, step in (
        (button.geometry().topLeft(), QPoint(1, 1)),
        (button.geometry().topRight(), QPoint(-1, 1)),
        (button.geometry().bottomRight(), QPoint(-1, -1)),
        (button.geometry().bottomLeft(), QPoint(1, -1)),
    ):
        across = [picture.pixelColor(corner + step * far) for far in range(-5, 8)]
        ringed = sum(apart(one, focus) < 300 for one in across)
        assert ringed >= 2, f"the ring is cut at {corner}"
    window.close()
    window.deleteLater()


# --- the thumb -----------------------------------------------------------------------------------


def assert_thumbs_beside_keys(window: QWidget) -> int:
    """Check that no thumb lies over a button of the page that it moves; returns how many pages
    scroll."""
    laid_out()
    count = 0
    for area in window.findChildren(QScrollArea):
        bar = area.findChild(ThinScrollBar)
        if not isinstance(bar, ThinScrollBar) or not bar.isVisible():
            continue
        count += 1
        thick = bar.thickest_thumb()
        left = bar.mapTo(window, thick.topLeft()).x()
        for button in area.findChildren(QAbstractButton):
            if button.isVisible():
                assert button.mapTo(window, button.rect().topRight()).x() < left, (
                    button.accessibleName()
                )
    return count


@pytest.mark.parametrize(("touch", "percent"), turns(TOUCH, [100, 150]))
def test_the_thumb_of_a_menu_stands_beside_its_keys(
    shop: Shop, sell_in: SellIn, touch: TouchMm, percent: int
) -> None:
    hands = sell_in(shop, width=1024, height=460, touch=touch, text=percent)
    inside(hands.window).model.questions.ask(More())
    assert assert_thumbs_beside_keys(hands.window) == 1


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
