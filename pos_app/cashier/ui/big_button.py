"""The large button that goes on, pays or issues."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QSize, QTimer
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import (
    TICK,
    ButtonColours,
    ButtonKind,
    ButtonSpec,
    act_face,
    button_width,
    content_width,
    paint_button,
)
from pos_app.cashier.ui.buttons import FacedButton
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.press_part import REST_MS, strokes
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token

MOST_ORDER_LINES = 3
_ORDER_FORMS = (
    (TypeStep.TITLE, 1),
    (TypeStep.STRONG, 1),
    (TypeStep.STRONG, 2),
    (TypeStep.BASE, 2),
    (TypeStep.SMALL, MOST_ORDER_LINES),
)
"""The sizes and the numbers of lines that an order may take, the best first."""


class BigButton(FacedButton):
    """Pay, Issue and any other "yes" of a screen, 20 mm high in the lower right corner. stacked:
    word and key cap are above the amount (Pay); else all is in one row (Issue). When the button
    appears or its word changes it rests for REST_MS: `PressGuard` takes no press on it. If a
    key made it appear, or was struck since, a finger may press it at once, because no finger was
    under way to what stood there before."""

    is_act = True

    def __init__(
        self,
        theme: Theme,
        word: str,
        *,
        amount: str = "",
        key: str = "",
        icon: str = "",
        kind: ButtonKind = ButtonKind.FILLED,
        stacked: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, word, parent)
        self._word = word
        self._amount = amount
        self._key = key
        self._usual = icon, kind
        self._icon, self._kind = icon, kind
        self._stacked = stacked
        self._is_missing = False
        self._low: QSize | None = None
        """The size of one that is no higher than a finger."""
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._keys_before: int | None = None
        """The number of keys that were struck before the button appeared, or None where it rests
        whatever was struck."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tell()

    def set_amount(self, amount: str) -> None:
        self._amount = amount
        self._tell()
        self.update()

    def set_word(self, word: str, *, rests: bool = True) -> None:
        """rests: False if the finger that changed the word is elsewhere."""
        if word != self._word and rests:
            self._appear()
        self._word = word
        self._tell()
        self.update()

    def show_act(
        self,
        word: str,
        *,
        order: str = "",
        amount: str = "",
        key: str | None = None,
        icon: str | None = None,
        kind: ButtonKind | None = None,
        rests: bool = True,
    ) -> None:
        """Show what the button does. order: see `act_face`. key: the name of the key that presses
        the button; it stays as it is for None, and so do icon and kind. kind: PLAIN if the button
        leads back. rests: see `set_word`."""
        usual_icon, usual_kind = self._usual
        self._usual = usual_icon if icon is None else icon, kind or usual_kind
        self._key = self._key if key is None else key
        self._amount, self._is_missing = amount, bool(order)
        shown_word, self._icon, self._kind = act_face(word, *self._usual, order=order)
        self.set_word(shown_word, rests=rests)

    @property
    def is_missing(self) -> bool:
        return self._is_missing

    @property
    def rests(self) -> bool:
        return self._resting.isActive()

    @property
    def rests_for_fingers(self) -> bool:
        return self.rests and self._keys_before in (None, strokes.count)

    def debounce(self) -> None:
        self.setDown(False)  # a press that began under the other word does not count
        self._keys_before = None
        self._resting.start(REST_MS)

    def _appear(self) -> None:
        self.debounce()
        self._keys_before = strokes.finished

    def showEvent(self, event: QShowEvent) -> None:
        self._appear()
        super().showEvent(event)

    def set_stacked(self, stacked: bool) -> None:
        self._stacked = stacked
        self.update()

    def set_key(self, key: str) -> None:
        self._key = key
        self.update()

    @property
    def kind(self) -> ButtonKind:
        return self._kind

    def fit_word(self) -> None:
        """Make the button look like the ordinary ones beside it, and at most as wide. A word that
        has no room even in small letters is cut, so what it names stands whole elsewhere."""
        wide = button_width(self.theme, self.font(), self._ordinary)
        self._low = QSize(wide, self.theme.metrics.touch)
        self.setMaximumWidth(wide)
        self.updateGeometry()

    @property
    def _ordinary(self) -> ButtonSpec:
        """How an ordinary button would show the same."""
        return ButtonSpec(self._word, self._shown_icon, self._key, self.kind)

    def sizeHint(self) -> QSize:
        usual = QSize(round(5.4 * self.theme.metrics.touch), self.theme.metrics.button)
        return self._low or usual

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics = QPainter(self), self.theme.metrics
        words = replace(self._ordinary, icon="", key="")
        least = content_width(self.theme, self.font(), words) + 2 * metrics.s1
        if self._low is not None and least <= self.width():
            look = {"pressed": self.isDown(), "enabled": self.isEnabled()}
            paint_button(painter, self.rect(), self.theme, self._ordinary, **look)
            return
        tokens = self.paint_ground(painter, self.kind)
        is_tight = metrics.narrow and self._stacked
        side = metrics.s3 if is_tight else metrics.s4 + metrics.s1 // 2
        inside = self.rect().adjusted(side, 0, -side, 0)
        if self._stacked:
            self._paint_stacked(painter, inside, tokens)
        else:
            self._paint_row(painter, inside, tokens)

    def _paint_stacked(self, painter: QPainter, inside: QRect, tokens: ButtonColours) -> None:
        metrics = self.theme.metrics
        word = metrics.line(TypeStep.STRONG)
        amount = metrics.line(TypeStep.AMOUNT)
        top = inside.top() + (inside.height() - word - amount) // 2
        ink = self.theme.colour(tokens.ink)
        font = self.theme.fonts.resized(self.font(), TypeStep.STRONG, Weight.BOLD)
        needed = painting.width_of(font, self._word) + painting.cap_width(
            self.theme, self.font(), self._key
        )
        if needed + metrics.s1 <= inside.width():  # large type leaves room for the word alone
            self._paint_cap(painter, inside, top + word // 2, tokens)
        upper = QRect(inside.left(), top, inside.width(), word)
        painting.write(painter, upper, self._word, ink, font, align=painting.LEFT)
        self._paint_amount(
            painter, QRect(inside.left(), top + word, inside.width(), amount), tokens
        )

    def _paint_order(self, painter: QPainter, inside: QRect, tokens: ButtonColours) -> None:
        """Paint an order, which keeps its sign: the letters get smaller, then they take a second
        line, then the key cap goes."""
        theme, size = self.theme, self.theme.metrics.icon(24)
        left, middle = inside.left() + size + theme.metrics.s3, inside.center().y() + 1
        ink: Token = "warn" if self.isEnabled() else tokens.ink
        theme.draw_icon(painter, self._icon, ink, 24, QPoint(inside.left() + size // 2, middle))
        cap = painting.cap_width(theme, self.font(), self._key) + theme.metrics.s2
        whole = inside.right() + 1 - left
        room, lines, meter = self._order_form(whole, cap if self._key else 0)
        broken = meter.broken(self._word, room, lines=lines)
        high = QFontMetrics(meter.font).height()
        area = QRect(left, middle - (len(broken) * high + 1) // 2, room, high)
        painting.put_lines(painter, area, broken, meter, ink=theme.colour(tokens.ink))
        if room < whole:
            self._paint_cap(painter, inside, middle, tokens)

    def _order_form(self, whole: int, cap: int) -> tuple[int, int, Meter]:
        """Return the width for the order's words, the most lines of them, and their meter. whole:
        the width without the key cap. cap: what that takes."""
        for room in (whole - cap, whole):
            for step, lines in _ORDER_FORMS:
                meter = self.theme.fonts.text_metrics(self.font(), step, Weight.BOLD)
                if meter.holds(self._word, room, lines=lines):
                    return room, lines, meter
        small = self.theme.fonts.text_metrics(self.font(), TypeStep.SMALL, Weight.BOLD)
        return whole, MOST_ORDER_LINES, small

    def _paint_row(self, painter: QPainter, inside: QRect, tokens: ButtonColours) -> None:
        if self._is_missing and not self._amount:
            self._paint_order(painter, inside, tokens)
            return
        metrics = self.theme.metrics
        left = inside.left()
        middle = inside.center().y() + 1
        step = TypeStep.TITLE if self._low is None else TypeStep.BASE
        font = self.theme.fonts.resized(self.font(), step, Weight.BOLD)
        beside = (
            painting.cap_width(self.theme, self.font(), self._key) + metrics.s2 if self._key else 0
        )
        free = inside.width() - painting.width_of(font, self._word)
        size = metrics.icon(24)
        icon = self._shown_icon
        if icon and (self._amount or free >= beside + size + metrics.s3):
            ink: Token = "warn" if self._is_missing and self.isEnabled() else tokens.ink
            self.theme.draw_icon(painter, icon, ink, 24, QPoint(left + size // 2, middle))
            left += size + metrics.s3
        room = QRect(left, inside.top(), inside.right() + 1 - left, inside.height())
        if free < 0 and not self._amount:  # only large type leaves no room
            fit = painting.fitted if self._low is None else painting.fitted_words
            font = fit(
                self.theme,
                self.font(),
                self._word,
                step=step,
                weight=Weight.BOLD,
                free_width=room.width(),
            )
        colour, is_low = self.theme.colour(tokens.ink), self._low is not None
        took = painting.write(painter, room, self._word, colour, font, elide=is_low)
        is_capped = self._amount or free >= beside
        capped = self._paint_cap(painter, inside, middle, tokens) if is_capped else 0
        if capped:
            room.setRight(inside.right() - capped - metrics.s4)
        room.setLeft(left + took + metrics.s4)
        self._paint_amount(painter, room, tokens)

    @property
    def _shown_icon(self) -> str:
        """The icon before the word. A tick stands only where the button can do what it says."""
        return self._icon if self.isEnabled() or self._icon != TICK else ""

    def _paint_amount(self, painter: QPainter, area: QRect, tokens: ButtonColours) -> None:
        font = painting.fitted(
            self.theme,
            self.font(),
            self._amount,
            step=TypeStep.AMOUNT,
            weight=Weight.BOLD,
            free_width=area.width(),
        )
        painting.write(
            painter, area, self._amount, self.theme.colour(tokens.ink), font, align=painting.RIGHT
        )

    def _paint_cap(
        self, painter: QPainter, inside: QRect, middle: int, tokens: ButtonColours
    ) -> int:
        """Paint the key cap at the right edge; return the width that it took."""
        if not self._key:
            return 0
        width = painting.cap_width(self.theme, self.font(), self._key)
        height = self.theme.metrics.cap
        rect = QRect(inside.right() + 1 - width, middle - height // 2, width, height)
        painting.paint_key_cap(
            painter, rect, self.theme, self._key, ink=tokens.cap_ink, edge=tokens.cap_edge
        )
        return width

    def _tell(self) -> None:
        self.setAccessibleName(f"{self._word} {self._amount}".strip())
