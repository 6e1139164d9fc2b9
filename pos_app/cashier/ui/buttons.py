"""Buttons: their contents, their painting, and the widgets.

The rows of the cart and the on-screen keyboard paint the same buttons without a widget for each. So
no style sheet draws buttons, because one button would be drawn in two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import ClassVar, Literal

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TYPE_AT_96, TypeStep, Weight
from pos_app.cashier.ui.press_part import REST_MS, strokes
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

ICON = 18
LONE_ICON = 22
SPREAD_ICON = 22
TICK, MISSING_ICON = "check", "triangle-alert"


class ButtonKind(StrEnum):
    """The purpose of a button; `FILLED` is the one that Enter presses."""

    PLAIN = "plain"
    FILLED = "filled"
    QUIET = "quiet"
    DANGER = "danger"
    CHOSEN = "chosen"
    CHIP = "chip"
    """Like PLAIN, in a row of choices."""
    PAD = "pad"
    """A key of the numeric pad, in title type."""
    BAND = "band"
    """For the dark band of acts under a table."""


@dataclass(frozen=True, slots=True)
class ButtonSpec:
    words: str = ""
    icon: str = ""
    key: str = ""
    kind: ButtonKind = ButtonKind.PLAIN
    spread: bool = False
    """Icon and words are at the left, the key cap is at the right edge; otherwise all is
    centred."""
    lead: str = ""
    """Quiet words before the bold ones ("Следећа" 1 ×)."""
    icon_last: bool = False
    """Whether the icon follows the words (the arrow of a menu)."""
    bold: bool = False
    """Whether the words are figures, as on cash notes: larger, bold, and in the ink colour even
    when chosen."""
    narrow: bool = False
    """Whether the sides are narrower, as in a row of chips."""


@dataclass(frozen=True, slots=True)
class ButtonColours:
    """The colours of a button in one state. A fill or edge of None is not painted."""

    fill: Token | None
    edge: Token | None
    ink: Token
    cap_edge: Token = "line_strong"
    cap_ink: Token = "ink_2"
    thick: bool = False


USUAL: dict[ButtonKind, ButtonColours] = {
    ButtonKind.PLAIN: ButtonColours("surface", "line_strong", "ink"),
    ButtonKind.FILLED: ButtonColours("accent", None, "on_accent", "on_accent", "on_accent"),
    ButtonKind.QUIET: ButtonColours(None, None, "accent"),
    ButtonKind.DANGER: ButtonColours("surface", "danger_edge", "danger", "danger_edge", "danger"),
    ButtonKind.CHOSEN: ButtonColours("tint", "accent", "accent", thick=True),
    ButtonKind.CHIP: ButtonColours("surface", "line_strong", "ink"),
    ButtonKind.PAD: ButtonColours("surface", "line_strong", "ink"),
    ButtonKind.BAND: ButtonColours("band", "line_strong", "on_band", "line_strong", "on_band"),
}
PRESSED: dict[ButtonKind, Token] = {ButtonKind.FILLED: "accent_press", ButtonKind.BAND: "ink_2"}
DISABLED = ButtonColours("sunken", "line", "ink_3", "line", "ink_3")


def colours(kind: ButtonKind, *, pressed: bool = False, enabled: bool = True) -> ButtonColours:
    usual = USUAL[kind]
    if not enabled:
        return replace(DISABLED, fill=None, edge=None) if kind is ButtonKind.QUIET else DISABLED
    if pressed:
        return replace(usual, fill=PRESSED.get(kind, "line"))
    return usual


def label_meter(theme: Theme, own: QFont, spec: ButtonSpec) -> Meter:
    if spec.kind is ButtonKind.PAD:
        return theme.fonts.text_metrics(own, TypeStep.TITLE, Weight.SEMIBOLD)
    strong = (
        spec.bold
        or spec.lead
        or spec.kind in (ButtonKind.FILLED, ButtonKind.CHOSEN, ButtonKind.QUIET)
    )
    large = spec.bold and not spec.lead and not theme.metrics.narrow
    step = TypeStep.STRONG if large else TypeStep.BASE
    return theme.fonts.text_metrics(own, step, Weight.BOLD if strong else Weight.MEDIUM)


def content_width(theme: Theme, own: QFont, spec: ButtonSpec) -> int:
    """Return the width of icon, words and key cap, with the gaps."""
    gap = theme.metrics.s2
    parts = []
    if spec.icon:
        beside = theme.metrics.s1 // 2 if spec.spread and not spec.icon_last else 0
        parts.append(theme.metrics.icon(icon_size(spec)) + beside)
    if spec.lead:
        parts.append(theme.fonts.text_metrics(own, TypeStep.BASE).label_width(spec.lead))
    if spec.words:
        parts.append(label_meter(theme, own, spec).label_width(spec.words))
    if spec.key:
        parts.append(painting.cap_width(theme, own, spec.key))
    return sum(parts) + gap * max(0, len(parts) - 1)


def icon_size(spec: ButtonSpec) -> int:
    """Return the icon's size in pixels at 96 dpi."""
    if spec.spread:
        return SPREAD_ICON
    return ICON if spec.words or spec.key or spec.lead else LONE_ICON


def button_width(theme: Theme, own: QFont, spec: ButtonSpec) -> int:
    """Return the width that a button with this spec wants; a lone icon makes it square."""
    if spec.icon and not (spec.words or spec.key or spec.lead):
        return theme.metrics.touch
    tight = (spec.icon and spec.key) or spec.spread
    hair = theme.metrics.hair
    side = (
        theme.metrics.s3 + hair
        if tight
        else theme.metrics.s4 + (-2 * hair if spec.narrow else hair)
    )
    return content_width(theme, own, spec) + 2 * side


def folded(theme: Theme, own: QFont, spec: ButtonSpec, free_width: int) -> ButtonSpec:
    """Return the spec without its icon, and if need be without its key cap, if the words need the
    room."""
    if spec.words and spec.icon and content_width(theme, own, spec) > free_width:
        spec = replace(spec, icon="")
    if spec.words and spec.key and content_width(theme, own, spec) > free_width:
        spec = replace(spec, key="")
    return spec


def paint_button(
    painter: QPainter,
    rect: QRect,
    theme: Theme,
    spec: ButtonSpec,
    *,
    pressed: bool = False,
    enabled: bool = True,
) -> None:
    tokens = colours(spec.kind, pressed=pressed, enabled=enabled)
    if spec.bold and spec.kind is ButtonKind.CHOSEN and enabled:
        tokens = replace(tokens, ink="ink")  # figures are never in the accent colour
    _paint_ground(painter, rect, theme, tokens)
    side = theme.metrics.s3 + theme.metrics.hair
    spec = folded(
        theme, painter.font(), spec, rect.width() - 2 * (side if spec.spread else theme.metrics.s1)
    )
    inside = rect.adjusted(side, 0, -side, 0)
    if not spec.spread:
        wanted = min(
            content_width(theme, painter.font(), spec), rect.width() - 2 * theme.metrics.s1
        )
        inside = QRect(0, rect.top(), wanted, rect.height())
        inside.moveLeft(rect.left() + (rect.width() - wanted) // 2)
    _paint_content(painter, inside, theme, spec, tokens)


def _paint_ground(painter: QPainter, rect: QRect, theme: Theme, tokens: ButtonColours) -> None:
    if tokens.fill is None and tokens.edge is None:
        return
    metrics = theme.metrics
    painting.box(
        painter,
        rect,
        radius=metrics.radius_button,
        fill=theme.colour(tokens.fill) if tokens.fill else None,
        edge=theme.colour(tokens.edge) if tokens.edge else None,
        width=metrics.edge if tokens.thick else metrics.hair,
    )


def _paint_content(
    painter: QPainter, rect: QRect, theme: Theme, spec: ButtonSpec, tokens: ButtonColours
) -> None:
    gap = theme.metrics.s2
    left, right = rect.left(), rect.right() + 1
    if spec.key:
        size = painting.cap_width(theme, painter.font(), spec.key)
        area = QRect(right - size, 0, size, theme.metrics.cap)
        area.moveCenter(QPoint(area.center().x(), rect.center().y()))
        painting.paint_key_cap(
            painter, area, theme, spec.key, ink=tokens.cap_ink, edge=tokens.cap_edge
        )
        right -= size + gap
    if spec.icon:
        at_96 = icon_size(spec)
        size = theme.metrics.icon(at_96)
        middle = QPoint(left + size // 2, rect.center().y() + 1)
        if spec.icon_last:
            middle.setX(right - size + size // 2)
            right -= size + gap
        else:
            left += size + gap + (theme.metrics.s1 // 2 if spec.spread else 0)
        theme.draw_icon(painter, spec.icon, tokens.ink, at_96, middle)
    _paint_words(painter, QRect(left, rect.top(), right - left, rect.height()), theme, spec, tokens)


def _paint_words(
    painter: QPainter, rect: QRect, theme: Theme, spec: ButtonSpec, tokens: ButtonColours
) -> None:
    left = rect.left()
    if spec.lead:
        quiet = theme.fonts.resized(painter.font(), TypeStep.BASE)
        took = painting.write(painter, rect, spec.lead, theme.colour("ink_2"), quiet)
        left += took + theme.metrics.s2
    room = QRect(left, rect.top(), rect.right() + 1 - left, rect.height())
    font = QFont(label_meter(theme, painter.font(), spec).font)
    painting.write(
        painter, room, spec.words, theme.colour(tokens.ink), font, align=painting.LEFT, elide=True
    )


class FacedButton(ThemedButton):
    """A button that paints its own content on the usual ground."""

    def paint_ground(self, painter: QPainter, kind: ButtonKind) -> ButtonColours:
        """Paint fill and edge of the present state; return the colours for the content."""
        tokens = colours(kind, pressed=self.isDown(), enabled=self.isEnabled())
        _paint_ground(painter, self.rect(), self.theme, tokens)
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
        height: Height = "touch",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, name or f"{lead} {words}".strip(), parent)
        self._spec = ButtonSpec(words, icon, key, kind, spread, lead, icon_last, bold, narrow)
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


def act_face(word: str, icon: str, kind: ButtonKind, *, order: str) -> tuple[str, str, ButtonKind]:
    """Return word, icon and kind of a key. order: what to do before the key can act, which it says
    then; it is plain, and has the sign of what needs a decision."""
    return (order, MISSING_ICON, ButtonKind.PLAIN) if order else (word, icon, kind)


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
        """Make the button as high as a finger, and at most as wide as icon and word in a row; its
        letters are those of the buttons beside it."""
        metrics = self.theme.metrics
        font = self.theme.fonts.resized(self.font(), TypeStep.BASE, Weight.BOLD)
        around = 2 * (metrics.s4 + metrics.s1) + metrics.icon(24) + 2 * metrics.s3
        self._low = QSize(painting.width_of(font, self._word) + around, metrics.touch)
        self.setMaximumWidth(self._low.width())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        usual = QSize(round(5.4 * self.theme.metrics.touch), self.theme.metrics.button)
        return self._low or usual

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tokens = self.paint_ground(painter, self.kind)
        metrics = self.theme.metrics
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
            font = painting.fitted(
                self.theme,
                self.font(),
                self._word,
                step=step,
                weight=Weight.BOLD,
                free_width=room.width(),
            )
        took = painting.write(painter, room, self._word, self.theme.colour(tokens.ink), font)
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
