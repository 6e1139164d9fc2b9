"""Sizes, fonts and colours of the customer display, and painting of its code. The sizes depend on
the display's monitor alone. The display is read from an arm's length and touched by nobody, so the
sizes of the till's touch targets do not apply. The figures are those of mock-20a and mock-20b, at
1366×768."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPixmap

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme, pixel_ratio
from pos_app.documents.qr_code import Symbol
from pos_app.documents.qr_code import code as modules_of

DESIGNED = (1366, 768)
SMALLEST, LARGEST = 0.72, 3.0
"""The limits of the scale: a smaller monitor shows fewer lines, in letters that can still be
read."""
LEAST_PX = 13
QUIET = 4
"""The white edge of a code, in modules."""
SMALL_MODULE, LARGE_MODULE, MOST_MODULE = 2, 4, 8
"""Pixels of a module: in the small code, in the large one, and at most on a large monitor."""
USUAL_LENGTH = 830
"""Usual length in bytes of a receipt's code."""
SMALL_ROOM = 246
"""The pixels kept free for the small code: 109 modules of 2 pixels, with an edge."""
WHITE, BLACK = QColor("#FFFFFF"), QColor("#000000")
"""A code is black on white in a dark look, too, because a camera reads no inverted code."""


class Brush:
    def __init__(self, theme: Theme, width: int, height: int) -> None:
        self.theme = theme
        self.width, self.height = width, height
        self.is_portrait = height > width
        across, down = DESIGNED[::-1] if self.is_portrait else DESIGNED
        self.scale = min(max(min(width / across, height / down), SMALLEST), LARGEST)
        self._fonts: dict[tuple[int, int, bool], QFont] = {}
        self._codes: dict[tuple[str, int], QPixmap] = {}
        self._symbols: dict[str, Symbol] = {}

    # --- sizes and colours -----------------------------------------------------------------------

    def px(self, designed: int) -> int:
        """A length of the mocks, scaled to this monitor."""
        return round(designed * self.scale)

    def font(self, designed: int, weight: int = Weight.MEDIUM, *, mono: bool = False) -> QFont:
        return self._font(max(self.px(designed), LEAST_PX), weight, mono=mono)

    def fitting(
        self, words: str, designed: int, free_width: int, weight: int = Weight.BOLD
    ) -> QFont:
        """The largest font, up to the designed size, in which an amount fits without being cut."""
        pixels = max(self.px(designed), LEAST_PX)
        font = self._font(pixels, weight)
        wide = painting.width_of(font, words)
        while wide > free_width and pixels > LEAST_PX:
            pixels = max(min(pixels - 1, pixels * free_width // wide), LEAST_PX)
            font = self._font(pixels, weight)
            wide = painting.width_of(font, words)
        return font

    def _font(self, pixels: int, weight: int, *, mono: bool = False) -> QFont:
        key = (pixels, int(weight), mono)
        font = self._fonts.get(key)
        if font is None:
            font = self._fonts[key] = self.theme.font(TypeStep.BASE, weight, mono=mono)
            font.setPixelSize(pixels)
        return font

    @property
    def side_ground(self) -> QColor:
        """The background of the amounts. In the dark look the light accent would glare on such an
        area."""
        return self.theme.colour("accent" if self.theme.palette.name == "light" else "tint")

    @property
    def side_ink(self) -> QColor:
        return self.theme.colour("on_accent" if self.theme.palette.name == "light" else "ink")

    # --- strokes ---------------------------------------------------------------------------------

    def write(
        self,
        painter: QPainter,
        rect: QRect,
        words: str,
        font: QFont,
        ink: QColor,
        *,
        align: Qt.AlignmentFlag = painting.LEFT,
        elide: bool = False,
        struck: bool = False,
    ) -> int:
        """Write one line of text; returns its width."""
        if words:
            painting.put(
                painter, rect, words, ink, font, align=align, elide=elide, strikethrough=struck
            )
        return painting.width_of(font, words)

    def row(self, painter: QPainter, rect: QRect, row: tuple[str, str], designed: int) -> None:
        name, amount = row
        bold = self.font(designed, Weight.BOLD)
        wide = self.write(painter, rect, amount, bold, self.side_ink, align=painting.RIGHT)
        room = rect.adjusted(0, 0, -wide - self.px(12), 0)
        self.write(painter, room, name, self.font(designed), self.side_ink, elide=True)

    # --- codes -----------------------------------------------------------------------------------

    def module_for(self, text: str, free_width: int, *, most: int = MOST_MODULE) -> int:
        """The pixels of a module with which the code and its white edge fit into `free_width`
        pixels."""
        return max(1, min(most, free_width // (self._symbol(text).side + 2 * QUIET)))

    def code_side(self, text: str, module: int) -> int:
        """The width of the code with its white edge."""
        return module * (self._symbol(text).side + 2 * QUIET)

    def draw_code(self, painter: QPainter, corner: QRect, text: str, module: int) -> None:
        """Draw the code with its white edge at the upper left of a rectangle, each module in whole
        pixels of the monitor."""
        ratio = pixel_ratio(painter)
        exact = max(1, math.floor(module * ratio))
        picture = self._code(text, exact)
        side = self.code_side(text, module)
        painter.fillRect(QRect(corner.x(), corner.y(), side, side), WHITE)
        shown = picture.width() / ratio
        inset = round((side - shown) / 2)
        painter.drawPixmap(
            QRect(corner.x() + inset, corner.y() + inset, round(shown), round(shown)), picture
        )

    def _symbol(self, text: str) -> Symbol:
        found = self._symbols.get(text)
        if found is None:
            self._symbols = {text: modules_of(text)}  # there is one code at a time
            self._codes = {}
            found = self._symbols[text]
        return found

    def _code(self, text: str, module: int) -> QPixmap:
        key = (text, module)
        found = self._codes.get(key)
        if found is None:
            symbol = self._symbol(text)
            grey = symbol.modules.translate(bytes.maketrans(b"01", b"\xff\x00"))
            image = QImage(
                grey, symbol.side, symbol.side, symbol.side, QImage.Format.Format_Grayscale8
            )
            side = module * symbol.side
            found = self._codes[key] = QPixmap.fromImage(image.scaled(side, side))
        return found


def prepare_codes() -> None:
    """Draw a code as long as a receipt's. A program's first code loads segno, which takes longer
    than the code itself, and the first receipt may be signed while somebody scans."""
    modules_of("0" * USUAL_LENGTH)


def card(painter: QPainter, rect: QRect, brush: Brush) -> None:
    painting.box(painter, rect, radius=brush.px(12), fill=WHITE)
