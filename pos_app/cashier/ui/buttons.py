"""Buttons as widgets: the usual one, those that act and save, and those of one size in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import (
    TICK,
    ButtonColours,
    ButtonKind,
    ButtonSpec,
    act_face,
    button_width,
    colours,
    content_width,
    paint_button,
    paint_button_ground,
)
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TYPE_AT_96, TypeStep, Weight
from pos_app.cashier.ui.press_part import REST_MS
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget


class FacedButton(ThemedButton):
    """A button that paints its own content on the usual ground."""

    def paint_ground(self, painter: QPainter, kind: ButtonKind) -> ButtonColours:
        """Paint fill and edge of the present state; return the colours for the content."""
        tokens = colours(kind, pressed=self.isDown(), enabled=self.isEnabled())
        paint_button_ground(painter, self.rect(), self.theme, tokens)
        return tokens


class SameSizeButton(FacedButton):
    """A button of a row in which all labels have one size, by `share_size`. Subclasses give their
    `labels`, and write them in `label_font`."""

    label_weight: ClassVar[int] = Weight.MEDIUM

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._pixels = 0
        self._side = 0
        self._least = 0

    def labels(self) -> tuple[str, ...]:
        """Return the texts that must not be cut, one for each text line."""
        raise NotImplementedError

    def label_font(self) -> QFont:
        return QFont(
            self._text_metrics(self._pixels or self.theme.metrics.type_px(TypeStep.BASE)).font
        )

    def least_width(self, pixels: int, side: int) -> int:
        """Return the width for labels of this size, with `side` free at each side."""
        labels = max(map(self._text_metrics(pixels).label_width, self.labels()), default=0)
        return max(self.theme.metrics.touch, labels + 2 * side)

    def take_size(self, pixels: int, side: int, *, least: int = 0) -> None:
        """Write in this size; with a side of 0 the button may be as narrow as a finger. least: the
        width that buttons of equal width share."""
        if (pixels, side, least) != (self._pixels, self._side, self._least):
            self._pixels, self._side, self._least = pixels, side, least
            self.updateGeometry()
            self.update()

    def minimumSizeHint(self) -> QSize:
        metrics, side = self.theme.metrics, self._side
        wide = self.least_width(self._pixels, side) if side else metrics.touch
        return QSize(max(wide, self._least), metrics.button)

    def _text_metrics(self, pixels: int) -> Meter:
        base = self.theme.fonts.text_metrics(self.font(), TypeStep.BASE, self.label_weight)
        return base.of_size(pixels)


def share_size(
    theme: Theme,
    buttons: Sequence[SameSizeButton],
    free_width: int,
    *,
    alike: Sequence[SameSizeButton] = (),
    side: int,
) -> None:
    """Give all buttons one size in which their labels fit side by side into `free_width`. side:
    what is free beside labels of small type, where there is room for it. alike: those of one width.
    For that width all labels get smaller, down to small type; where it has no room even so, these
    buttons differ in width, and the size is the largest that fits. The sides get narrower before
    labels get smaller than small type. No label is smaller than small type at 100 %, however little
    room there is."""
    metrics = theme.metrics
    smallest, small = metrics.px(TYPE_AT_96[TypeStep.SMALL][0]), metrics.type_px(TypeStep.SMALL)
    largest = max(smallest, metrics.type_px(TypeStep.BASE))
    sizes = [(pixels, metrics.s1) for pixels in range(largest, small - 1, -1)]
    sizes += [(small, side)]
    sizes += [(pixels, metrics.edge) for pixels in range(small, smallest - 1, -1)]
    equal = ((*one, _widest(alike, *one)) for one in sizes if one[0] >= small)
    for pixels, beside, least in (*equal, *((*one, 0) for one in sizes), (smallest, 0, 0)):
        wide = sum(
            max(button.least_width(pixels, beside), least if button in alike else 0)
            for button in buttons
        )
        if wide <= free_width or not beside:
            break
    for button in buttons:
        button.take_size(pixels, beside, least=least if button in alike else 0)


def _widest(buttons: Sequence[SameSizeButton], pixels: int, side: int) -> int:
    return max((button.least_width(pixels, side) for button in buttons), default=0)


Height = Literal["touch", "payment_button", "button"]


class Button(ThemedButton):
    """A button with words, icon and key cap; a checked button is shown as chosen. name: for a
    screen reader; by default the words."""

    is_act = True

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
        flush: bool = False,
        height: Height = "touch",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, name or f"{lead} {words}".strip(), parent)
        self._spec = ButtonSpec(
            words, icon, key, kind, spread, lead, icon_last, bold, narrow, flush
        )
        self._height: Height = height
        self._own_name = bool(name)
        self._compact = False
        self._folds = False

    @property
    def spec(self) -> ButtonSpec:
        kind = ButtonKind.CHOSEN if self.isChecked() else self._spec.kind
        spec = self._spec if kind is self._spec.kind else replace(self._spec, kind=kind)
        return replace(spec, words="", lead="", key="") if self._compact else spec

    @property
    def kind(self) -> ButtonKind:
        return self.spec.kind

    def set_compact(self, compact: bool) -> None:
        """Set whether only the icon is shown, as tall as there is room, with the words in the tool
        tip."""
        if compact != self._compact:
            self._compact = compact
            tall = QSizePolicy.Policy.Expanding if compact else QSizePolicy.Policy.Fixed
            self.setSizePolicy(self.sizePolicy().horizontalPolicy(), tall)
            self.setToolTip(self.accessibleName() if compact else "")
            self.updateGeometry()
            self.update()

    def let_fold(self) -> None:
        """Let the button become as narrow as its words alone."""
        self._folds = True
        self.updateGeometry()

    def set_words(self, words: str, *, lead: str | None = None) -> None:
        self._change(
            replace(self._spec, words=words, lead=self._spec.lead if lead is None else lead)
        )

    def set_kind(self, kind: ButtonKind) -> None:
        self._change(replace(self._spec, kind=kind))

    def set_icon(self, icon: str) -> None:
        self._change(replace(self._spec, icon=icon))

    def set_key(self, key: str) -> None:
        self._change(replace(self._spec, key=key))

    def sizeHint(self) -> QSize:
        height: int = getattr(self.theme.metrics, self._height)
        bold = replace(self.spec, kind=ButtonKind.CHOSEN) if self.isCheckable() else self.spec
        wide = button_width(self.theme, self.font(), bold)
        return QSize(max(wide, self.theme.metrics.touch), height)

    def minimumSizeHint(self) -> QSize:
        spec = self.spec
        if spec.spread or (self._folds and spec.words):
            spec = replace(spec, icon="", key="")
        wide = content_width(self.theme, self.font(), spec) + 2 * self.theme.metrics.s1
        return QSize(max(wide, self.theme.metrics.touch), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        spec = self.spec
        if not self.isEnabled() and spec.icon == TICK and spec.words:
            spec = replace(spec, icon="")  # a tick would say that something is done
        paint_button(
            QPainter(self),
            self.rect(),
            self.theme,
            spec,
            pressed=self.isDown(),
            enabled=self.isEnabled(),
        )

    def showEvent(self, event: QShowEvent) -> None:
        if self._spec.key:
            self._tell_cap()

    def hideEvent(self, event: QHideEvent) -> None:
        if self._spec.key:
            self._tell_cap()

    def _tell_cap(self) -> None:
        """Tell the screens around the button, which have `follow_cap`, that its key cap came or
        went."""
        above = self.parentWidget()
        while above is not None:
            follow_cap: Callable[[Button], None] | None = getattr(above, "follow_cap", None)
            if follow_cap is not None:
                follow_cap(self)
            above = above.parentWidget()

    def _change(self, spec: ButtonSpec) -> None:
        if spec == self._spec:
            return
        before, self._spec = self._spec, spec
        if spec.key != before.key:
            self._tell_cap()
        if not self._own_name:
            self.setAccessibleName(f"{spec.lead} {spec.words}".strip())
        if self._compact:
            self.setToolTip(self.accessibleName())
        self.updateGeometry()
        self.update()


def takes_enter(widget: QWidget | None) -> bool:
    """Whether Enter presses this widget of a form while it has the ring: an act does, and a choice
    is a part of its form as a field is."""
    return isinstance(widget, Button | FacedButton) and not widget.isCheckable()


def is_enter(event: QKeyEvent, form: QWidget) -> bool:
    """Whether a key is an Enter that no act of the form with the ring takes."""
    is_key = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return is_key and not takes_enter(form.window().focusWidget())


class ActButton(Button):
    """A key that says what to do while it can't act."""

    def __init__(
        self,
        theme: Theme,
        words: str,
        *,
        key: str = "",
        icon: str = "",
        kind: ButtonKind = ButtonKind.FILLED,
    ) -> None:
        super().__init__(theme, words, icon=icon, key=key, kind=kind)
        self._usual = words, icon, kind

    @property
    def is_missing(self) -> bool:
        return self.kind is ButtonKind.PLAIN

    def show_act(self, words: str = "", *, order: str = "") -> None:
        """words: what the key does, if that is not what it was made for. order: see `act_face`."""
        usual, icon, usual_kind = self._usual
        face = act_face(words or usual, icon, usual_kind, order=order)
        shown_words, shown_icon, kind = face
        self._change(replace(self._spec, words=shown_words, icon=shown_icon, kind=kind))


SAVE_WIDTH = 240
"""The usual width of the key that saves, in pixels at 96 dpi."""


class SaveButton(ActButton):
    """The filled key at the right end of a form's bar. It is as wide on every screen and with every
    order, so that the hand learns one place: where an order is long its icon goes, then its key
    cap."""

    def __init__(self, theme: Theme, words: str, *, key: str, icon: str = "check") -> None:
        super().__init__(theme, words, icon=icon, key=key)
        self.let_fold()

    def sizeHint(self) -> QSize:
        words = replace(self.spec, icon="", key="")
        least = button_width(self.theme, self.font(), words)
        usual = max(least, self.theme.metrics.px(SAVE_WIDTH))
        return QSize(usual, super().sizeHint().height())


class SeenButton(SaveButton):
    """The yes of what comes by itself. It rests until REST_MS after it can be seen, because a key
    or finger that was under way to what stood there before must not press what nobody has seen."""

    def __init__(self, theme: Theme, words: str, *, key: str) -> None:
        super().__init__(theme, words, key=key)
        self._is_seen = False
        self._resting = QTimer(self, interval=REST_MS, singleShot=True)

    @property
    def rests(self) -> bool:
        return not self._is_seen or self._resting.isActive()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_seen:
            self._is_seen = True
            self._resting.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.rests and event.key() == Qt.Key.Key_Space):
            super().keyPressEvent(event)


class ActionButton(SameSizeButton):
    """A button of the action bar: its key cap above its word."""

    def __init__(
        self, theme: Theme, word: str, *, key: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, word, parent)
        self._word = word
        self._key = key
        self._reserved: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_word(self, word: str) -> None:
        self._word = word
        self.setAccessibleName(word)
        self.updateGeometry()
        self.update()

    def reserve(self, *words: str) -> None:
        """Reserve room for words that the button may show later."""
        self._reserved = words

    def labels(self) -> tuple[str, ...]:
        return (self._word, *self._reserved)

    def sizeHint(self) -> QSize:
        width = (
            painting.width_of(self.theme.font(TypeStep.BASE), self._word) + self.theme.metrics.s4
        )
        return QSize(max(width, self.theme.metrics.touch), self.theme.metrics.button)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        tokens = self.paint_ground(painter, ButtonKind.PLAIN)
        line_height = metrics.line(TypeStep.BASE)
        gap = metrics.s1 + metrics.s2 // 2 - 1
        tall = (metrics.cap + gap if self._key else 0) + line_height
        top = (self.height() - tall + 1) // 2
        if self._key:
            width = painting.cap_width(self.theme, self.font(), self._key)
            rect = QRect((self.width() - width) // 2, top, width, metrics.cap)
            painting.paint_key_cap(
                painter, rect, self.theme, self._key, ink=tokens.cap_ink, edge=tokens.cap_edge
            )
            top += metrics.cap + gap
        ink = self.theme.colour(tokens.ink)
        room = QRect(2, top, self.width() - 4, line_height)
        painting.write(painter, room, self._word, ink, self.label_font(), align=painting.CENTRE)


class KeyCap(ThemedWidget):
    """The name of a key, as printed on the keyboard."""

    def __init__(self, theme: Theme, key: str) -> None:
        super().__init__(theme)
        self._key = key
        self.setAccessibleName(key)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(painting.cap_width(self.theme, self.font(), self._key), self.theme.metrics.cap)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painting.paint_key_cap(
            painter, self.rect(), self.theme, self._key, ink="ink_2", edge="line_strong"
        )
