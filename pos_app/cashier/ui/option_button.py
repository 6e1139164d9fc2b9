"""A choice as a button, and what has an amount as one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import FacedButton
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme

OPTION_ICON = 20


class OptionButton(FacedButton):
    """A label above a value, with icon and key cap; a checked button is shown as chosen. In tight
    room the key cap goes first, then label and value take their short forms, then the icon goes,
    and last some of the room beside the words. The tool tip says what was cut."""

    def __init__(
        self,
        theme: Theme,
        label: str,
        value: str,
        *,
        icon: str = "",
        key: str = "",
        short_label: str = "",
    ) -> None:
        super().__init__(theme, f"{label}: {value}")
        self._label = label
        self._value = value
        self._short = (short_label or label, value)
        self._icon = icon
        self._key = key
        self._is_low = False
        self._is_icon_folded = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_low(self, low: bool) -> None:
        """Set whether the button is as low as a finger allows, without its label."""
        if low is not self._is_low:
            self._is_low = low
            self._tell_whole()
            self.updateGeometry()
            self.update()

    def has_room_for_icon(self) -> bool:
        """Tell whether icon and words have room, at least in their short forms."""
        room, icon = self.width() - 2 * self._usual_side(), self._extras()[0]
        needed = self._words_width(self._words_in(room - icon))
        return needed + icon < room

    def fold_icon(self, folded: bool) -> None:
        """Set whether the icon is hidden, as on the other buttons of a row."""
        if folded != self._is_icon_folded:
            self._is_icon_folded = folded
            self._tell_whole()
            self.update()

    def set_icon(self, icon: str) -> None:
        if icon != self._icon:
            self._icon = icon
            self.update()

    def set_value(self, value: str, *, short: str = "") -> None:
        """short: the value for less room."""
        self._value = value
        self._short = (self._short[0], short or value)
        self.setAccessibleName(f"{self._label}: {value}")
        self._tell_whole()
        self.updateGeometry()
        self.update()

    def shown_words(self) -> tuple[str, str]:
        """Return label and value, each in its short form if need be."""
        room = self.width() - 2 * self._side()
        return self._words_in(room - self._extras()[0] if self._shows_icon() else room)

    def whole_width(self) -> int:
        """Return the width in which icon and words stand whole, without the key cap."""
        words = self._words_width((self._label, self._value))
        return words + self._extras()[0] + 2 * self._usual_side() + 1

    def capped_width(self) -> int:
        """Return the width in which icon, words and key cap stand whole."""
        return self.whole_width() + self._extras()[1]

    def bare_width(self) -> int:
        """Return the width in which a low button shows its value alone."""
        value = painting.width_of(self.theme.font(TypeStep.BASE, Weight.SEMIBOLD), self._value)
        return value + 2 * self._usual_side() + 1

    def low_width(self) -> int:
        """Return the width in which a low button shows icon, value and key cap."""
        value = painting.width_of(self.theme.font(TypeStep.BASE, Weight.SEMIBOLD), self._value)
        return value + sum(self._extras()) + 2 * self._usual_side() + 1

    def least_width(self) -> int:
        """Return the width in which the words stand whole, or in their short forms where
        `shown_words` takes them, in small letters, with less room beside them and without the
        icon."""
        fonts = self.theme.font(TypeStep.SMALL), self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        words = zip(fonts, self._short, strict=True)
        return (
            max(painting.width_of(font, word) for font, word in words) + 2 * self.theme.metrics.s2
        )

    def _words_in(self, free_width: int) -> tuple[str, str]:
        """Return label and value, each in its short form if the whole text is wider than the
        room."""
        fonts = self.theme.font(TypeStep.SMALL), self.theme.font(TypeStep.BASE, Weight.SEMIBOLD)
        whole = zip(fonts, (self._label, self._value), self._short, strict=True)
        label, value = (
            long if painting.width_of(font, long) < free_width else short
            for font, long, short in whole
        )
        return ("" if self._is_low else label), value

    def _shows_icon(self) -> bool:
        return bool(self._icon) and not self._is_icon_folded and self.has_room_for_icon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._tell_whole()
        super().resizeEvent(event)

    def _tell_whole(self) -> None:
        whole = (self._label, self._value)
        has_room = self._words_width(whole) <= self.width() - 2 * self._side()
        fits = not self._is_low and self.shown_words() == whole and has_room
        if self.isEnabled():
            self.setToolTip("" if fits else f"{self._label}: {self._value}")

    def _side(self) -> int:
        """Return the free width at each side of the words, which is less if the words need it."""
        usual = self._usual_side()
        room = self.width() - 2 * usual
        return usual if self._words_width(self._words_in(room)) <= room else self.theme.metrics.s1

    def _usual_side(self) -> int:
        return self.theme.metrics.s3 + 1

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        tall = metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.BASE) + 4 * metrics.s1 + 2
        wide = self._words_width((self._label, self._value)) + sum(self._extras())
        return QSize(
            wide + 2 * metrics.s3 + 2, metrics.touch if self._is_low else max(tall, metrics.touch)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        self.paint_ground(painter, ButtonKind.CHOSEN if self.isChecked() else ButtonKind.PLAIN)
        inside = self.rect().adjusted(self._side(), 0, -self._side(), 0)
        middle = inside.center().y() + 1
        shows_icon, shows_key = self._fold(inside.width())
        if shows_icon:
            size = metrics.icon(OPTION_ICON)
            self.theme.draw_icon(
                painter, self._icon, "ink_2", OPTION_ICON, QPoint(inside.left() + size // 2, middle)
            )
            inside.setLeft(inside.left() + size + metrics.s2 + 1)
        if shows_key:
            width = painting.cap_width(self.theme, self.font(), self._key)
            rect = QRect(inside.right() + 1 - width, middle - metrics.cap // 2, width, metrics.cap)
            painting.paint_key_cap(
                painter, rect, self.theme, self._key, ink="ink_2", edge="line_strong"
            )
            inside.setRight(rect.left() - metrics.s1)
        self._paint_lines(painter, inside)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * self.theme.metrics.touch, self.sizeHint().height())

    def _words_width(self, words: tuple[str, str]) -> int:
        small = 0 if self._is_low else painting.width_of(self.theme.font(TypeStep.SMALL), words[0])
        return max(
            small, painting.width_of(self.theme.font(TypeStep.BASE, Weight.SEMIBOLD), words[1])
        )

    def _extras(self) -> tuple[int, int]:
        metrics = self.theme.metrics
        icon = metrics.icon(OPTION_ICON) + metrics.s2 if self._icon else 0
        return icon, painting.cap_width(
            self.theme, self.font(), self._key
        ) + metrics.s2 if self._key else 0

    def _fold(self, free_width: int) -> tuple[bool, bool]:
        """Tell whether icon and key cap are shown."""
        icon, key = self._extras()
        shows_icon, words = self._shows_icon(), self._words_width(self.shown_words())
        needed = words + icon if shows_icon else words
        return shows_icon, bool(key) and needed + key < free_width

    def _paint_lines(self, painter: QPainter, inside: QRect) -> None:
        metrics = self.theme.metrics
        small, base = metrics.line(TypeStep.SMALL), metrics.line(TypeStep.BASE)
        small = 0 if self._is_low else small
        top = (self.height() - small - base) // 2 + 1
        enabled = self.isEnabled()
        fonts = self.theme.fonts
        upper = QRect(inside.left(), top, inside.width(), small)
        lower = QRect(inside.left(), top + small, inside.width(), base)
        quiet = self.theme.colour("ink_2" if enabled else "ink_3")
        own = self.font()
        label, value = self.shown_words()
        if label:
            painting.write(
                painter,
                upper,
                label,
                quiet,
                fonts.resized(own, TypeStep.SMALL),
                align=painting.LEFT,
                elide=True,
            )
        ink = self.theme.colour("ink" if enabled else "ink_3")
        step, weight, room = TypeStep.BASE, Weight.SEMIBOLD, lower.width()
        meter = painting.fitting_words(
            self.theme, own, value, step=step, weight=weight, free_width=room
        )
        painting.write(painter, lower, value, ink, meter.font, align=painting.LEFT, elide=True)


class PricedButton(OptionButton):
    """What has an amount, as a row of a list says it: its name, with quiet words above it, and the
    amount in bold at the right. An article's price stands below the name where both have no room
    side by side."""

    def __init__(
        self, theme: Theme, name: str, price: str, *, label: str = "", icon: str = "", key: str = ""
    ) -> None:
        self._price = price
        super().__init__(theme, label, name, icon=icon, key=key)
        self.setAccessibleName(f"{label}: {name} · {price}" if label else f"{name}: {price}")

    def _tell_whole(self) -> None:
        """The name is read out whole, and its price is never cut."""

    def _words_width(self, words: tuple[str, str]) -> int:
        metrics = self.theme.metrics
        return super()._words_width(words) + metrics.s3 + self._price_width() + metrics.s2

    def _price_width(self) -> int:
        return painting.width_of(self._price_font(), self._price)

    def _price_font(self) -> QFont:
        return self.theme.font(TypeStep.STRONG, Weight.BOLD)

    def _paint_lines(self, painter: QPainter, inside: QRect) -> None:
        metrics, ink = self.theme.metrics, self.theme.colour("ink")
        if self._label:
            inside = inside.adjusted(0, 0, -metrics.s2, 0)
            price = self._price_font()
            painting.write(painter, inside, self._price, ink, price, align=painting.RIGHT)
            super()._paint_lines(
                painter, inside.adjusted(0, 0, -metrics.s3 - self._price_width(), 0)
            )
            return
        name, step, weight = self.shown_words()[1], TypeStep.BASE, Weight.SEMIBOLD
        beside = self._words_width(("", name)) <= inside.width()
        inside = inside.adjusted(0, 0, -metrics.s2, 0) if beside else inside
        room = inside.width() - (metrics.s3 + self._price_width() if beside else 0)
        meter = painting.fitting_words(
            self.theme, self.font(), name, step=step, weight=weight, free_width=room
        )
        upper, lower = QRect(inside), QRect(inside)
        if not beside:
            high = metrics.line(TypeStep.BASE) + metrics.line(TypeStep.STRONG)
            upper.setTop(inside.top() + (inside.height() - high) // 2)
            upper.setHeight(metrics.line(TypeStep.BASE))
            lower = QRect(upper.left(), upper.bottom() + 1, upper.width(), high - upper.height())
        upper.setWidth(room)
        painting.write(painter, upper, name, ink, meter.font, align=painting.LEFT, elide=True)
        align = painting.RIGHT if beside else painting.LEFT
        painting.write(painter, lower, self._price, ink, self._price_font(), align=align)
