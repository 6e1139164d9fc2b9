"""Words on a screen: plain labels, and amounts that are never cut."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import LEFT, RIGHT, fitted, width_of, write
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedWidget


class Label(QLabel):
    """Plain text in a type step and a colour of the theme. `wrap` breaks it into lines."""

    def __init__(
        self,
        theme: Theme,
        words: str = "",
        *,
        step: Step = Step.BASE,
        weight: int = Weight.MEDIUM,
        colour: Token = "ink",
        mono: bool = False,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(words)
        self.setWordWrap(wrap)
        self.theme = theme
        self._style = (step, weight, mono)
        self._colour = colour
        self._apply()

    def set_colour(self, colour: Token) -> None:
        """Another colour of the theme."""
        self._colour = colour
        self._apply()

    def _apply(self) -> None:
        step, weight, mono = self._style
        self.setFont(self.theme.font(step, weight, mono=mono))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, self.theme.colour(self._colour))
        self.setPalette(palette)


class ElidedLabel(ThemedWidget):
    """One line of plain text that is cut with … where it does not fit (names, addresses)."""

    def __init__(
        self,
        theme: Theme,
        words: str = "",
        *,
        step: Step = Step.BASE,
        weight: int = Weight.MEDIUM,
        colour: Token = "ink",
        mono: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._style = (step, weight, mono)
        self._colour: Token = colour
        self._words = words
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """The whole text."""
        return self._words

    def setText(self, words: str) -> None:
        """Show another text."""
        self._words = words
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def set_colour(self, colour: Token) -> None:
        """Another colour."""
        self._colour = colour
        self.update()

    def wanted(self) -> QSize:
        step, weight, mono = self._style
        font = self.theme.font(step, weight, mono=mono)
        return QSize(width_of(font, self._words) + 1, self.theme.metrics.line(step))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.wanted().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        step, weight, mono = self._style
        painter = QPainter(self)
        colour = self.theme.colour(self._colour)
        font = self.theme.font(step, weight, mono=mono)
        write(painter, self.rect(), self._words, colour, font, align=LEFT, elide=True)


class AmountLabel(ThemedWidget):
    """An amount at the right edge. It is never cut: it steps down until it fits."""

    def __init__(
        self,
        theme: Theme,
        amount: str = "",
        *,
        name: str = "",
        step: Step = Step.TOTAL,
        weight: int = Weight.BOLD,
        colour: Token = "ink",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._amount = amount
        self._name = name
        self._step = step
        self._weight = weight
        self._colour: Token = colour
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tell()

    def text(self) -> str:
        """The amount shown."""
        return self._amount

    def setText(self, amount: str) -> None:
        """Show another amount."""
        if amount != self._amount:
            self._amount = amount
            self._tell()
            self.updateGeometry()
            self.update()

    def set_step(self, step: Step) -> None:
        """The step from which it steps down."""
        if step is not self._step:
            self._step = step
            self.updateGeometry()
            self.update()

    def set_colour(self, colour: Token) -> None:
        """Another colour; amounts take ink, on_accent, ink_2 or danger only."""
        self._colour = colour
        self.update()

    def shown_px(self) -> int:
        """The pixel size in which the amount is painted at the present width."""
        return self._font().pixelSize()

    def wanted(self) -> QSize:
        wide = width_of(self.theme.font(self._step, self._weight), self._amount)
        return QSize(wide + 1, self.theme.metrics.line(self._step))

    def minimumSizeHint(self) -> QSize:
        narrow = width_of(self.theme.font(Step.STRONG, self._weight), self._amount)
        return QSize(narrow + 1, self.theme.metrics.line(self._step))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = self.theme.colour(self._colour)
        write(painter, self.rect(), self._amount, colour, self._font(), align=RIGHT)

    def _font(self) -> QFont:
        return fitted(
            self.theme,
            self.font(),
            self._amount,
            step=self._step,
            weight=self._weight,
            room=self.width(),
        )

    def _tell(self) -> None:
        self.setAccessibleName(f"{self._name} {self._amount}".strip())
