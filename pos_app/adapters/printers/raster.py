"""Draws documents as pictures of black and white dots, as wide as a thermal printer prints.

Letters are drawn here, so every printer prints Cyrillic, whatever code pages it knows. Text stands
in columns of whole dots, and a QR code in modules of whole dots where the law's 40 to 50 mm allow
it; elsewhere some of its modules are one dot wider than others.
Source: fiscal.md 3 (40 columns), 4 (size of the code, quiet zone).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from pos_app.adapters import qr_picture
from pos_app.adapters.pdf.typeface import Typeface, Typefaces, no_font
from pos_app.documents import blocks
from pos_app.documents.qr_code import code as modules_of
from pos_app.lazy_dataclass import dataclass

_WHITE = 255


@dataclass(frozen=True, slots=True)
class Roll:
    """Paper of a thermal printer. width: dots that it prints in a row, a multiple of 8. Raises
    ValueError for a row that 40 columns don't fit in."""

    width: int
    dots_per_mm: float = 8.0

    def __post_init__(self) -> None:
        if self.width % 8 or self.width < 8 * blocks.COLUMNS:
            raise ValueError("a row has at least 320 dots, a multiple of 8")

    @property
    def letter(self) -> int:
        """The width of one of 40 columns, in whole dots."""
        return self.width // blocks.COLUMNS

    @property
    def line(self) -> int:
        return line_height(self.letter)

    @property
    def margin(self) -> int:
        return (self.width - blocks.COLUMNS * self.letter) // 2

    def code_side(
        self, modules: int, *, wanted_mm: int, quiet: int, lawful: tuple[int, int]
    ) -> int:
        """Return the dots of a code's side: whole modules nearest to `wanted_mm`, within `lawful`
        millimetres.

        Where none fits, the code is as large as law and paper allow: 97 modules have 388 dots on 80
        mm paper (4 each) and 354 on 58 mm, 101 modules have 400 and 355.
        """
        least, most = (int(mm * self.dots_per_mm) for mm in lawful)
        most = min(most, self.width * modules // (modules + 2 * quiet))
        whole = range(modules * -(-least // modules), most + 1, modules)
        return min(whole, key=lambda side: abs(side - wanted_mm * self.dots_per_mm), default=most)


ROLL_80 = Roll(576)
ROLL_58 = Roll(384)
"""48 mm of print: letters of 9 dots, as such printers' own small font has."""


def draw(document: blocks.Document, *, roll: Roll, faces: Typefaces) -> Iterator[Image.Image]:
    """Draw a document as pictures to be printed one below the other, one bit a dot. Raises
    MachineError (kind: font) without a font."""
    brush = _Brush(roll, faces.writing(document.letters))
    for block in document.blocks:
        match block:
            case blocks.Lines(text):
                for start in range(0, len(text), _MOST_LINES):
                    yield brush.lines(text[start : start + _MOST_LINES])
            case blocks.Heading(text):
                yield brush.heading(text)
            case blocks.FramedNotice(text):
                yield brush.notice(text)
            case blocks.QrCode():
                yield brush.code(block)
            case blocks.PaymentCode():
                yield brush.payment(block)
            case blocks.ShortCode():
                yield brush.short(block)
            case blocks.WritingSpace(height_mm):
                yield brush.blank(height_mm)


_MOST_LINES = 40
"""The most lines of text in one picture, which else could have 40,000 rows."""


class _Brush:
    """Draws blocks, each as wide as the roll."""

    def __init__(self, roll: Roll, face: Typeface) -> None:
        self._roll = roll
        self._plain = RasterFont(face, letter=roll.letter)
        self._strong = RasterFont(face, letter=roll.letter, strong=True)
        # A notice's letter is two columns wide, less what its frame needs.
        within = (blocks.COLUMNS - 2) * roll.letter // blocks.NOTICE_COLUMNS
        self._large = RasterFont(face, letter=within, strong=True)

    def lines(self, text: tuple[str, ...]) -> Image.Image:
        picture = self._sheet(len(text) * self._roll.line)
        for number, text_line in enumerate(text):
            self._plain.write(
                picture, text_line, left_edge=self._roll.margin, top=number * self._roll.line
            )
        return picture

    def heading(self, text: tuple[str, ...]) -> Image.Image:
        picture = self._sheet((len(text) + 1) * self._roll.line)
        self._centred(picture, text, top=0)
        return picture

    def notice(self, text: tuple[str, ...]) -> Image.Image:
        gap, line = self._roll.line // 2, self._large.line
        picture = self._sheet(len(text) * line + 4 * gap)
        self._frame(picture, top=gap, bottom=picture.height - gap, thick=self._roll.letter // 3)
        for number, words in enumerate(text):
            left = (picture.width - len(words) * self._large.letter) // 2
            self._large.write(picture, words, left_edge=left, top=2 * gap + number * line)
        return picture

    def code(self, code: blocks.QrCode | blocks.PaymentCode) -> Image.Image:
        symbol = modules_of(code.text)
        side = self._roll.code_side(
            symbol.side, wanted_mm=code.side_mm, quiet=code.quiet_modules, lawful=_lawful(code)
        )
        white = -(-code.quiet_modules * side // symbol.side)
        picture = self._sheet(side + 2 * white)
        small = qr_picture.draw_image(symbol, module_px=1)
        large = small.resize((side, side), Image.Resampling.NEAREST)
        picture.paste(large, ((picture.width - side) // 2, white))
        return picture

    def payment(self, code: blocks.PaymentCode) -> Image.Image:
        line, drawn = self._roll.line, self.code(code)
        words = (2 * len(code.caption) + 1) * line // 2
        picture = self._sheet(line + words + drawn.height)
        picture.paste(drawn, (0, line + words))
        self._frame(picture, top=line, bottom=picture.height, thick=2)
        self._centred(picture, code.caption, top=3 * line // 2)
        return picture

    def short(self, code: blocks.ShortCode) -> Image.Image:
        """Draw an empty line, the bars in the middle, the figures below. Each bar is whole dots
        wide: two a module, a quarter of a millimetre, where the roll has room for it."""
        line, bars = self._roll.line, code.bars
        wide = bars.modules + 2 * blocks.SHORT_CODE_QUIET
        dots = 2 if 2 * wide <= self._roll.width else 1
        tall = math.ceil(code.height_mm * self._roll.dots_per_mm)
        picture = self._sheet(2 * line + tall)
        pen, left = ImageDraw.Draw(picture), (picture.width - dots * bars.modules) // 2
        for number, width in enumerate(bars.widths):
            if number % 2 == 0:
                pen.rectangle((left, line, left + dots * width - 1, line + tall - 1), fill=0)
            left += dots * width
        middle = (picture.width - len(code.figures) * self._plain.letter) // 2
        self._plain.write(picture, code.figures, left_edge=middle, top=line + tall)
        return picture

    def blank(self, height_mm: int) -> Image.Image:
        return self._sheet(math.ceil(height_mm * self._roll.dots_per_mm))

    def _sheet(self, height: int) -> Image.Image:
        return Image.new("1", (self._roll.width, height), _WHITE)

    def _frame(self, picture: Image.Image, *, top: int, bottom: int, thick: int) -> None:
        corners = (self._roll.margin, top, picture.width - self._roll.margin - 1, bottom - 1)
        ImageDraw.Draw(picture).rectangle(corners, outline=0, width=thick)

    def _centred(self, picture: Image.Image, text: tuple[str, ...], *, top: int) -> None:
        for number, text_line in enumerate(text):
            kind = self._plain if number else self._strong
            left = (picture.width - len(text_line) * kind.letter) // 2
            kind.write(picture, text_line, left_edge=left, top=top + number * kind.line)


def _lawful(code: blocks.QrCode | blocks.PaymentCode) -> tuple[int, int]:
    """Return the least and greatest side in mm, which the law sets for the receipt's code."""
    return (40, 50) if isinstance(code, blocks.QrCode) else (code.side_mm - 6, code.side_mm + 6)


# --- letters as dots ---------------------------------------------------------------------------


_INK = [255] * 128 + [0] * 128
"""A dot is black where its letter covers at least half of it."""


def line_height(letter: int) -> int:
    """Return the height of a line of such letters, in dots, with room for Š above and џ below."""
    return 2 * letter + (letter + 3) // 6


class RasterFont:
    """A font of one size, each letter drawn once, then set side by side like metal type.

    A line of 40 letters took 0.6 ms to be drawn by the font itself, and takes 0.05 ms to be set.
    letter: the width of each in dots. line: the height of their line.
    """

    def __init__(self, face: Typeface, *, letter: int, strong: bool = False) -> None:
        """Set the font up. `write` raises MachineError (kind: font) where the font is gone."""
        self.letter = letter
        self.line = line_height(letter)
        self._baseline = self.line - (3 * letter + 3) // 7
        self._path = face.strong if strong else face.plain
        self._known = face.letters
        self._points = letter / face.advance
        self._font: ImageFont.FreeTypeFont | None = None
        self._drawn: dict[str, Image.Image] = {}

    def write(self, picture: Image.Image, text: str, *, left_edge: int, top: int) -> None:
        """Write a line of text; `left_edge` and `top` are the corner of its first letter, in
        dots."""
        for number, letter in enumerate(text):
            if letter != " ":
                picture.paste(self._cell(letter), (left_edge + number * self.letter, top))

    def _cell(self, letter: str) -> Image.Image:
        cell = self._drawn.get(letter)
        if cell is None:
            cell = self._drawn[letter] = self._draw(letter)
        return cell

    def _draw(self, letter: str) -> Image.Image:
        """Draw the letter in grey first: a cut at half cover is rounder than the font's dots."""
        grey = Image.new("L", (self.letter, self.line), 0)
        pen = ImageDraw.Draw(grey)
        if letter in self._known:
            pen.text((0, self._baseline), letter, fill=255, font=self._opened(), anchor="ls")
        else:
            top = self._baseline - 6 * self.letter // 5
            corners = (1, top, self.letter - 2, self._baseline)
            pen.rectangle(corners, outline=255, width=max(1, self.letter // 8))
        return grey.point(_INK, "1")

    def _opened(self) -> ImageFont.FreeTypeFont:
        """Open the font without ligatures, which columns don't need."""
        if self._font is None:
            try:
                # Given the path of a font that is gone, Pillow would look for the name elsewhere.
                font = BytesIO(self._path.read_bytes())
                self._font = ImageFont.truetype(
                    font, self._points, layout_engine=ImageFont.Layout.BASIC
                )
            except OSError as error:
                raise no_font(self._path) from error
        return self._font
