"""A receipt on the screen as on paper: the blocks of its document, and its code."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.painting import NO_SHORTCUT
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.documents import blocks
from pos_app.documents.qr_code import code as modules_of
from pos_app.lazy_dataclass import dataclass

WHITE, BLACK = QColor("#FFFFFF"), QColor("#000000")
"""Paper is white in a dark look too: a camera reads no inverted code."""
SMALLEST_PX, LARGEST_PX = 11, 15
PAPER_MM = 72
"""The printed width of 80 mm paper; the codes are drawn in proportion to it."""


@dataclass(frozen=True, slots=True)
class CodeSize:
    """A code on the screen. pixels: the side of one module. quiet: the white edge, in modules."""

    modules: QImage
    pixels: int
    quiet: int

    @property
    def side(self) -> int:
        return (self.modules.width() + 2 * self.quiet) * self.pixels


class PaperView(ThemedWidget):
    """The paper is as wide as its room, with 40 columns; the height follows from that. fills: the
    code is as large as the room allows, so that a telephone reads it."""

    def __init__(self, theme: Theme, *, fills: bool = False) -> None:
        super().__init__(theme)
        self._document: blocks.Document | None = None
        self._fills = fills
        self._codes: dict[str, QImage] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def document(self) -> blocks.Document | None:
        return self._document

    def show_document(self, document: blocks.Document | None) -> None:
        self._document = document
        self._codes = {}
        words = [
            text_line
            for block in (document.blocks if document is not None else ())
            if isinstance(block, blocks.Lines | blocks.Heading | blocks.FramedNotice)
            for text_line in block.text
        ]
        self.setAccessibleName(" ".join(" ".join(words).split())[:2000])
        self.updateGeometry()
        self._fit()
        self.update()

    @classmethod
    def least_width(cls, theme: Theme) -> int:
        """The width in which a text line of 40 columns fits."""
        font = theme.font(TypeStep.SMALL, mono=True)
        font.setPixelSize(SMALLEST_PX)
        return QFontMetrics(font).horizontalAdvance("0" * blocks.COLUMNS) + 2 * theme.metrics.s2

    def sizeHint(self) -> QSize:
        width = self.width()
        return QSize(width, self._height(width))

    def minimumSizeHint(self) -> QSize:
        least = 0 if self._fills else self.least_width(self.theme)
        return QSize(least, self._height(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), WHITE)
        painter.setPen(BLACK)
        top = self.theme.metrics.s3
        for block in self._blocks():
            height = self._height_of(block, self.width())
            rect = QRect(0, top, self.width(), height)
            if rect.intersects(event.rect()):
                self._paint(painter, block, rect)
            top += height

    # --- parts -----------------------------------------------------------------------------------

    def _fit(self) -> None:
        height = self._height(self.width())
        if height != self.height():
            self.setFixedHeight(height)

    def _blocks(self) -> tuple[blocks.Block, ...]:
        return self._document.blocks if self._document is not None else ()

    def _font(self, width: int, *, columns: int = blocks.COLUMNS) -> QFont:
        font = self.theme.font(TypeStep.SMALL, mono=True)
        room = width - 2 * self.theme.metrics.s2
        most = LARGEST_PX * blocks.COLUMNS // columns
        for pixels in range(most, SMALLEST_PX, -1):
            font.setPixelSize(pixels)
            if QFontMetrics(font).horizontalAdvance("0" * columns) <= room:
                return font
        font.setPixelSize(SMALLEST_PX)
        return font

    def _line(self, width: int, *, columns: int = blocks.COLUMNS) -> int:
        return QFontMetrics(self._font(width, columns=columns)).height()

    def _height(self, width: int) -> int:
        edges = 2 * self.theme.metrics.s3
        return edges + sum(self._height_of(block, width) for block in self._blocks())

    def _height_of(self, block: blocks.Block, width: int) -> int:
        gap = self.theme.metrics.s2
        match block:
            case blocks.Lines() | blocks.Heading():
                return len(block.text) * self._line(width)
            case blocks.FramedNotice():
                return len(block.text) * self._line(width, columns=blocks.COLUMNS // 2) + 2 * gap
            case blocks.QrCode():
                return self._code(block, width).side
            case blocks.PaymentCode():
                caption = len(block.caption) * self._line(width)
                return self._code(block, width).side + caption + gap
            case blocks.ShortCode():
                return 2 * self._line(width) + block.height_mm * width // PAPER_MM
            case blocks.WritingSpace():
                return block.height_mm * width // PAPER_MM

    def _paint(self, painter: QPainter, block: blocks.Block, rect: QRect) -> None:
        match block:
            case blocks.Lines() | blocks.Heading():
                self._write(painter, block.text, rect, blocks.COLUMNS)
            case blocks.FramedNotice():
                gap = self.theme.metrics.s1
                painter.drawRect(rect.adjusted(gap, gap, -gap, -gap))
                inside = rect.adjusted(0, 2 * gap, 0, -2 * gap)
                self._write(painter, block.text, inside, blocks.COLUMNS // 2, is_centred=True)
            case blocks.QrCode():
                self._draw(painter, block, rect)
            case blocks.PaymentCode():
                caption = len(block.caption) * self._line(rect.width())
                self._write(painter, block.caption, rect, blocks.COLUMNS, is_centred=True)
                self._draw(painter, block, rect.adjusted(0, caption, 0, 0))
            case blocks.ShortCode():
                self._draw_bars(painter, block, rect)
            case blocks.WritingSpace():
                return

    def _write(
        self,
        painter: QPainter,
        text_lines: tuple[str, ...],
        rect: QRect,
        columns: int,
        *,
        is_centred: bool = False,
    ) -> None:
        font = self._font(rect.width(), columns=columns)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        wide = metrics.horizontalAdvance("0" * columns)
        left, top = rect.left() + (rect.width() - wide) // 2, rect.top()
        for text_line in text_lines:
            text = text_line.center(columns) if is_centred else text_line.ljust(columns)
            room = QRect(left, top, wide, metrics.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft) | int(NO_SHORTCUT), text)
            top += metrics.height()

    def _code(self, block: blocks.QrCode | blocks.PaymentCode, width: int) -> CodeSize:
        """The size of a code, in whole pixels for a module, nearest to its part of the paper."""
        image = self._codes.get(block.text)
        if image is None:
            symbol = modules_of(block.text)
            image = QImage(symbol.side, symbol.side, QImage.Format.Format_Grayscale8)
            for y in range(symbol.side):
                for x in range(symbol.side):
                    dark = symbol.modules[y * symbol.side + x] == ord("1")
                    image.setPixelColor(x, y, BLACK if dark else WHITE)
            self._codes[block.text] = image
        modules, quiet = image.width(), block.quiet_modules
        most = width // (modules + 2 * quiet)
        wanted = round(width * block.side_mm / PAPER_MM / modules)
        pixels = most if self._fills else min(most, wanted)
        return CodeSize(image, max(1, pixels), quiet)

    def _draw(
        self, painter: QPainter, block: blocks.QrCode | blocks.PaymentCode, rect: QRect
    ) -> None:
        size = self._code(block, rect.width())
        side = size.modules.width() * size.pixels
        corner = QPoint(
            rect.left() + (rect.width() - side) // 2, rect.top() + size.quiet * size.pixels
        )
        painter.drawImage(QRect(corner, QSize(side, side)), size.modules)

    def _draw_bars(self, painter: QPainter, block: blocks.ShortCode, rect: QRect) -> None:
        """Draw an empty text line, the bars in whole pixels for a module, then the figures."""
        line, bars = self._line(rect.width()), block.bars
        pixels = max(1, rect.width() // (bars.modules + 2 * blocks.SHORT_CODE_QUIET) // 2)
        left = rect.left() + (rect.width() - pixels * bars.modules) // 2
        tall = rect.height() - 2 * line
        for number, width in enumerate(bars.widths):
            if number % 2 == 0:
                painter.fillRect(left, rect.top() + line, pixels * width, tall, BLACK)
            left += pixels * width
        figures = rect.adjusted(0, line + tall, 0, 0)
        self._write(painter, (block.figures,), figures, blocks.COLUMNS, is_centred=True)
