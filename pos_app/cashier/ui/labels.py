"""Words on a screen: plain labels, amounts that are never cut, and the icons beside words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.fonts import Meter, unbroken
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token

NO_AMOUNT = "–"
"""In place of an amount that can't be reckoned, as beside a wrong field."""


class Label(QLabel):
    """Plain text in a type step and a colour of the theme."""

    def __init__(
        self,
        theme: Theme,
        words: str = "",
        *,
        step: TypeStep = TypeStep.BASE,
        weight: int = Weight.MEDIUM,
        colour: Token = "ink",
        mono: bool = False,
        wrap: bool = False,
    ) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._style = (step, weight, mono)
        self.setText(words)
        self.setWordWrap(wrap)
        self.theme = theme
        self._colour = colour
        self._apply()

    def setText(self, words: str) -> None:
        self._words = words
        _, _, mono = self._style
        super().setText(words if mono else unbroken(words))

    def text(self) -> str:
        return self._words

    def set_colour(self, colour: Token) -> None:
        self._colour = colour
        self._apply()

    def _apply(self) -> None:
        step, weight, mono = self._style
        self.setFont(self.theme.font(step, weight, mono=mono))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, self.theme.colour(self._colour))
        self.setPalette(palette)


MOST_LINES = 3
_MOST_EMS = 8
"""The most room that a word claims, in sizes of the font; an address or a code is broken."""


_LEAST_OF_NUMBER = 8
"""The letters at its end that a receipt's number claims room for."""


class PaintedLabel(ThemedWidget):
    """Words that are broken, cut or shrink if they do not fit, as a QLabel can't. name: for a
    screen reader, before the words."""

    def __init__(
        self,
        theme: Theme,
        words: str,
        *,
        name: str = "",
        step: TypeStep,
        weight: int,
        colour: Token,
    ) -> None:
        super().__init__(theme)
        self._name = name
        self._words = words
        self._weight = weight
        self._step = step
        self._colour: Token = colour
        self._tell()

    def text(self) -> str:
        return self._words

    def setText(self, words: str) -> None:
        if words != self._words:
            self._words = words
            self._tell()
            self.updateGeometry()
            self.update()

    def set_colour(self, colour: Token) -> None:
        self._colour = colour
        self.update()

    def _tell(self) -> None:
        self.setAccessibleName(f"{self._name} {self._words}".strip())

    def _sized(self, font: QFont) -> QSize:
        return QSize(painting.width_of(font, self._words) + 1, self.theme.metrics.line(self._step))


class ElidedLabel(PaintedLabel):
    """A label for words in a row whose width others decide. What does not fit takes further lines,
    and the row grows by them; where a word is wider than a line, or the lines are not enough, the
    letters get smaller. Only behind the last of `lines` is the rest cut with …."""

    def __init__(
        self,
        theme: Theme,
        words: str = "",
        *,
        step: TypeStep = TypeStep.BASE,
        weight: int = Weight.MEDIUM,
        colour: Token = "ink",
        mono: bool = False,
        lines: int = MOST_LINES,
    ) -> None:
        super().__init__(theme, words, step=step, weight=weight, colour=colour)
        self._mono = mono
        self._most = lines
        self._free_width: int | None = None
        """The width that a layout gave; before that one line is asked for."""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        wide = painting.width_of(self._text_metrics(self._step).font, self._words) + 1
        return QSize(wide, self._height())

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the longest word in small letters."""
        most = _MOST_EMS * self.theme.metrics.type_px(TypeStep.SMALL)
        word = self._text_metrics(TypeStep.SMALL).narrowest(self._words) + 1
        return QSize(min(word, most), self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        before = self._height()
        self._free_width = event.size().width()
        if self._height() != before:
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, ink = QPainter(self), self.theme.colour(self._colour)
        step = self._fitting(self.height())
        meter, high = self._text_metrics(step), self.theme.metrics.line(step)
        text_lines = self._lines(step, max(1, min(self._most, self.height() // high)))
        top = (self.height() - len(text_lines) * high) // 2
        for number, words in enumerate(text_lines):
            area = QRect(0, top + number * high, self.width(), high)
            painting.put(painter, area, words, ink, meter.font)

    def holds(self, width: int) -> bool:
        """Tell whether the words stand whole in this width, if need be in small letters."""
        return self._text_metrics(TypeStep.SMALL).holds(self._words, width, lines=self._most)

    def narrowest(self) -> int:
        """The width below which a word is torn, or its letters get smaller."""
        return self._text_metrics(self._step).narrowest(self._words)

    def _fitting(self, height: int | None = None) -> TypeStep:
        """The largest step in which all words have room and none is torn; else the smallest.
        height: of the label, which may be less than it asked for."""
        if self._free_width is None:
            return self._step
        own = self.theme.font(self._step, self._weight, mono=self._mono)
        return self.theme.fonts.whole(
            own,
            self._step,
            self._weight,
            self._words,
            self._free_width,
            lines=self._most,
            height=height,
        )

    def _lines(self, step: TypeStep, most: int) -> list[str]:
        if self._free_width is None:
            return [self._words]
        return self._text_metrics(step).broken(self._words, self._free_width, lines=most)

    def _height(self) -> int:
        step = self._fitting()
        return len(self._lines(step, self._most)) * self.theme.metrics.line(step)

    def _text_metrics(self, step: TypeStep) -> Meter:
        own = self.theme.font(self._step, self._weight, mono=self._mono)
        return self.theme.fonts.text_metrics(own, step, self._weight)


class NumberLabel(ElidedLabel):
    """A receipt's number on one line. Where it has no room it loses its start, never its end: first
    the words before the number, and only where it has no room alone, signs of the number."""

    def __init__(
        self,
        theme: Theme,
        number: str = "",
        *,
        step: TypeStep = TypeStep.BASE,
        weight: int = Weight.MEDIUM,
        colour: Token = "ink",
    ) -> None:
        super().__init__(theme, number, step=step, weight=weight, colour=colour, mono=True, lines=1)

    def minimumSizeHint(self) -> QSize:
        end = painting.ELLIPSIS + self._words[-_LEAST_OF_NUMBER:]
        wide = painting.width_of(self._text_metrics(self._step).font, end) + 1
        return QSize(wide, self._height())

    def _fitting(self, height: int | None = None) -> TypeStep:
        return self._step

    def _lines(self, step: TypeStep, most: int) -> list[str]:
        if self._free_width is None:
            return [self._words]
        font = self._text_metrics(step).font
        if painting.width_of(font, self._words) <= self._free_width:
            return [self._words]
        return [painting.elided_at_start(font, self._words.rpartition(" ")[2], self._free_width)]


class AmountLabel(PaintedLabel):
    """An amount at the right edge. It is never cut, but gets smaller from `step` down until it
    fits. Its colour is ink, on_accent, ink_2 or danger; a negative one in ink is danger_amount."""

    def __init__(
        self,
        theme: Theme,
        amount: str = "",
        *,
        name: str = "",
        step: TypeStep = TypeStep.TOTAL,
        weight: int = Weight.BOLD,
        colour: Token = "ink",
    ) -> None:
        super().__init__(theme, amount, name=name, step=step, weight=weight, colour=colour)
        self._least = TypeStep.STRONG
        self._column: Sequence[AmountLabel] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def share_size(self, column: Sequence[AmountLabel]) -> None:
        """Take the size in which the longest amount of this column fits. column: labels of one
        width, this one among them."""
        self._column = column

    def set_step(self, step: TypeStep) -> None:
        if step is not self._step:
            self._step = step
            self.updateGeometry()
            self.update()

    def shown_px(self) -> int:
        return self._font().pixelSize()

    def sizeHint(self) -> QSize:
        return self._sized(self.theme.font(self._step, self._weight))

    def minimumSizeHint(self) -> QSize:
        return self._sized(self.theme.font(self._least, self._weight))

    def let_shrink(self) -> None:
        """Let the label shrink to the smallest type, for rare figures beside others."""
        self._least = TypeStep.SMALL
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        is_usual = self._colour == "ink"
        colour = self.theme.colour(painting.amount_ink(self._words) if is_usual else self._colour)
        painting.write(
            QPainter(self), self.rect(), self._words, colour, self._font(), align=painting.RIGHT
        )

    def _font(self) -> QFont:
        longest = max((one.text() for one in self._column or (self,)), key=len)
        return painting.fitted(
            self.theme,
            self.font(),
            longest,
            step=self._step,
            weight=self._weight,
            free_width=self.width(),
        )


class Icon(ThemedWidget):
    """An icon in a colour of the theme, beside a word that says the same."""

    def __init__(self, theme: Theme, icon: str, *, colour: Token = "ink_2", size: int = 20) -> None:
        super().__init__(theme)
        self._icon = icon
        self._colour: Token = colour
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def icon_and_colour(self) -> tuple[str, Token]:
        return self._icon, self._colour

    def set_icon(self, icon: str, colour: Token) -> None:
        self._icon = icon
        self._colour = colour
        self.update()

    def sizeHint(self) -> QSize:
        size = self.theme.metrics.icon(self._size)
        return QSize(size, size)

    def paintEvent(self, event: QPaintEvent) -> None:
        middle = QPoint(self.width() // 2, self.height() // 2)
        self.theme.draw_icon(QPainter(self), self._icon, self._colour, self._size, middle)
