"""Buttons: plain, filled, quiet, danger, chosen; the big one; action keys and options."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QPoint, QRect, QSize, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui.button_face import (
    ButtonColours,
    ButtonFace,
    ButtonKind,
    colours,
    content_width,
    face_width,
    paint_face,
    paint_ground,
)  # fmt: skip
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import (
    CENTRE,
    LEFT,
    RIGHT,
    cap,
    cap_width,
    fitted,
    width_of,
    write,
)  # fmt: skip
from pos_app.cashier.ui.same_size_keys import SameSizeKey
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedButton, ThemedWidget

Height = Literal["touch", "payment_key", "key"]


class Button(ThemedButton):
    """A button with words, icon and key cap. A checked one is shown as chosen.

    `name` is what a screen reader says; without it the words.
    """

    def __init__(
        self,
        theme: Theme,
        words: str = "",
        *,
        icon: str = "",
        key: str = "",
        kind: ButtonKind = ButtonKind.PLAIN,
        name: str = "",
        spread: bool = False,
        lead: str = "",
        icon_last: bool = False,
        bold: bool = False,
        narrow: bool = False,
        height: Height = "touch",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, name or f"{lead} {words}".strip(), parent)
        self._face = ButtonFace(words, icon, key, kind, spread, lead, icon_last, bold, narrow)
        self._height: Height = height
        self._own_name = bool(name)
        self._alone = False

    @property
    def face(self) -> ButtonFace:
        """What it shows at the moment."""
        kind = ButtonKind.CHOSEN if self.isChecked() else self._face.kind
        face = replace(self._face, kind=kind)
        return replace(face, words="", lead="", key="") if self._alone else face

    def set_alone(self, alone: bool) -> None:
        """Show the icon alone, as tall as there is room; the words go into the tool tip."""
        if alone != self._alone:
            self._alone = alone
            tall = QSizePolicy.Policy.Expanding if alone else QSizePolicy.Policy.Fixed
            self.setSizePolicy(self.sizePolicy().horizontalPolicy(), tall)
            self.setToolTip(self.accessibleName() if alone else "")
            self.updateGeometry()
            self.update()

    def set_words(self, words: str, *, lead: str | None = None) -> None:
        """Other words (and lead) on it."""
        self._change(
            replace(self._face, words=words, lead=self._face.lead if lead is None else lead)
        )

    def set_kind(self, kind: ButtonKind) -> None:
        """Another kind, for a button whose meaning changed."""
        self._change(replace(self._face, kind=kind))

    def set_icon(self, icon: str) -> None:
        """Another icon, "" for none."""
        self._change(replace(self._face, icon=icon))

    def set_key(self, key: str) -> None:
        """The name of another key on its cap, "" for none."""
        self._change(replace(self._face, key=key))

    def wanted(self) -> QSize:
        height: int = getattr(self.theme.metrics, self._height)
        bold = replace(self.face, kind=ButtonKind.CHOSEN) if self.isCheckable() else self.face
        wide = face_width(self.theme, self.font(), bold)
        return QSize(max(wide, self.theme.metrics.touch), height)

    def minimumSizeHint(self) -> QSize:
        face = self.face
        if face.spread:
            face = replace(face, icon="", key="")
        wide = content_width(self.theme, self.font(), face) + 2 * self.theme.metrics.s1
        return QSize(max(wide, self.theme.metrics.touch), self.wanted().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_face(
            QPainter(self), self.rect(), self.theme, self.face,
            pressed=self.isDown(), enabled=self.isEnabled(),
        )  # fmt: skip

    def _change(self, face: ButtonFace) -> None:
        if face == self._face:
            return
        self._face = face
        if not self._own_name:
            self.setAccessibleName(f"{face.lead} {face.words}".strip())
        if self._alone:
            self.setToolTip(self.accessibleName())
        self.updateGeometry()
        self.update()


RESTS_MS = 400
"""How long a big button takes no finger once it stands where another one stood: a double tap, or a
hand that trembles, must not press both."""


class BigButton(ThemedButton):
    """Pay, Issue and every later "yes" of a screen, 20 mm high in the lower right corner.

    `stacked`: word and key cap above the amount (Pay); else all in one row (Issue). When it appears
    or its word changes it rests for RESTS_MS.
    """

    def __init__(
        self,
        theme: Theme,
        word: str,
        *,
        amount: str = "",
        key: str = "",
        icon: str = "",
        stacked: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, word, parent)
        self._word = word
        self._amount = amount
        self._key = key
        self._icon = icon
        self._stacked = stacked
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tell()

    def set_amount(self, amount: str) -> None:
        """The amount on it; "" for none."""
        self._amount = amount
        self._tell()
        self.update()

    def set_word(self, word: str, *, rests: bool = True) -> None:
        """Another word on it. rests: not where the finger that changed it is elsewhere."""
        if word != self._word and rests:
            self.rest()
        self._word = word
        self._tell()
        self.update()

    @property
    def rests(self) -> bool:
        """Whether it takes no finger now."""
        return self._resting.isActive()

    def rest(self) -> None:
        """Take no finger for a moment."""
        self.setDown(False)  # a press that began under the other word is none
        self._resting.start(RESTS_MS)

    def showEvent(self, event: QShowEvent) -> None:
        self.rest()
        super().showEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.rests:
            event.accept()
        else:
            super().mousePressEvent(event)

    def set_marks(self, *, key: str, icon: str) -> None:
        """Another icon before the word, and the name of another key that presses it."""
        self._key, self._icon = key, icon
        self.update()

    def wanted(self) -> QSize:
        return QSize(round(5.4 * self.theme.metrics.touch), self.theme.metrics.key)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tokens = colours(ButtonKind.FILLED, pressed=self.isDown(), enabled=self.isEnabled())
        paint_ground(painter, self.rect(), self.theme, tokens)
        metrics = self.theme.metrics
        is_tight = metrics.narrow and self._stacked
        side = metrics.s3 if is_tight else metrics.s4 + metrics.s1 // 2
        inside = self.rect().adjusted(side, 0, -side, 0)
        if self._stacked:
            self._paint_stacked(painter, inside)
        else:
            self._paint_row(painter, inside)

    def _paint_stacked(self, painter: QPainter, inside: QRect) -> None:
        metrics = self.theme.metrics
        word = metrics.line(Step.STRONG)
        amount = metrics.line(Step.AMOUNT)
        top = inside.top() + (inside.height() - word - amount) // 2
        ink = self.theme.colour(self._tokens().ink)
        font = self.theme.fonts.resized(self.font(), Step.STRONG, Weight.BOLD)
        needed = width_of(font, self._word) + cap_width(self.theme, self.font(), self._key)
        if needed + metrics.s1 <= inside.width():  # large type leaves room for the word alone
            self._paint_cap(painter, inside, top + word // 2)
        upper = QRect(inside.left(), top, inside.width(), word)
        write(painter, upper, self._word, ink, font, align=LEFT)
        self._paint_amount(painter, QRect(inside.left(), top + word, inside.width(), amount))

    def _paint_row(self, painter: QPainter, inside: QRect) -> None:
        metrics = self.theme.metrics
        left = inside.left()
        middle = inside.center().y() + 1
        tokens = self._tokens()
        if self._icon:
            size = metrics.icon(24)
            self.theme.draw_icon(
                painter, self._icon, tokens.ink, 24, QPoint(left + size // 2, middle)
            )
            left += size + metrics.s3
        font = self.theme.fonts.resized(self.font(), Step.TITLE, Weight.BOLD)
        room = QRect(left, inside.top(), inside.right() + 1 - left, inside.height())
        took = write(painter, room, self._word, self.theme.colour(tokens.ink), font)
        capped = self._paint_cap(painter, inside, middle)
        if capped:
            room.setRight(inside.right() - capped - metrics.s4)
        room.setLeft(left + took + metrics.s4)
        self._paint_amount(painter, room)

    def _paint_amount(self, painter: QPainter, room: QRect) -> None:
        font = fitted(
            self.theme, self.font(), self._amount,
            step=Step.AMOUNT, weight=Weight.BOLD, room=room.width(),
        )  # fmt: skip
        write(painter, room, self._amount, self.theme.colour(self._tokens().ink), font, align=RIGHT)

    def _paint_cap(self, painter: QPainter, inside: QRect, middle: int) -> int:
        if not self._key:
            return 0
        tokens = self._tokens()
        width = cap_width(self.theme, self.font(), self._key)
        height = self.theme.metrics.cap
        place = QRect(inside.right() + 1 - width, middle - height // 2, width, height)
        cap(painter, place, self.theme, self._key,
            ink=tokens.cap_ink, edge=tokens.cap_edge,
        )  # fmt: skip
        return width

    def _tokens(self) -> ButtonColours:
        return colours(ButtonKind.FILLED, pressed=self.isDown(), enabled=self.isEnabled())

    def _tell(self) -> None:
        self.setAccessibleName(f"{self._word} {self._amount}".strip())


class ActionKey(SameSizeKey):
    """A key of the touch bar: key cap above its word. `count` follows the word when given."""

    def __init__(
        self, theme: Theme, word: str, *, key: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, word, parent)
        self._word = word
        self._key = key
        self._reserved: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_word(self, word: str) -> None:
        """Another word on it ("Остави 2")."""
        self._word = word
        self.setAccessibleName(word)
        self.updateGeometry()
        self.update()

    def reserve(self, *words: str) -> None:
        """Have room for these words too, which may come."""
        self._reserved = words

    def labels(self) -> tuple[str, ...]:
        return (self._word, *self._reserved)

    def wanted(self) -> QSize:
        width = width_of(self.theme.font(Step.BASE), self._word) + self.theme.metrics.s4
        return QSize(max(width, self.theme.metrics.touch), self.theme.metrics.key)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        tokens = colours(ButtonKind.PLAIN, pressed=self.isDown(), enabled=self.isEnabled())
        paint_ground(painter, self.rect(), self.theme, tokens)
        line = metrics.line(Step.BASE)
        gap = metrics.s1 + metrics.s2 // 2 - 1
        tall = (metrics.cap + gap if self._key else 0) + line
        top = (self.height() - tall + 1) // 2
        if self._key:
            width = cap_width(self.theme, self.font(), self._key)
            place = QRect((self.width() - width) // 2, top, width, metrics.cap)
            cap(painter, place, self.theme, self._key,
                ink=tokens.cap_ink, edge=tokens.cap_edge,
            )  # fmt: skip
            top += metrics.cap + gap
        ink = self.theme.colour(tokens.ink)
        room = QRect(2, top, self.width() - 4, line)
        write(painter, room, self._word, ink, self.label_font(), align=CENTRE)


class KeyCap(ThemedWidget):
    """The name of a key, as it stands on the keyboard."""

    def __init__(self, theme: Theme, key: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._key = key
        self.setAccessibleName(key)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def wanted(self) -> QSize:
        return QSize(cap_width(self.theme, self.font(), self._key), self.theme.metrics.cap)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        cap(painter, self.rect(), self.theme, self._key, ink="ink_2", edge="line_strong")
