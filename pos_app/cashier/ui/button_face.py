"""The face of a button: its contents, its colours and its painting.

The rows of the cart and the on-screen keyboard paint the same buttons without a widget for each. So
no style sheet draws buttons, because one button would be drawn in two ways.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QPainter

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
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
    flush: bool = False
    """Whether the words begin at the left edge, as the text above a quiet button does."""


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
    return content_width(theme, own, spec) + (1 if spec.flush else 2) * side


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
    paint_button_ground(painter, rect, theme, tokens)
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
        inside.moveLeft(rect.left() + (0 if spec.flush else (rect.width() - wanted) // 2))
    _paint_content(painter, inside, theme, spec, tokens)


def paint_button_ground(
    painter: QPainter, rect: QRect, theme: Theme, tokens: ButtonColours
) -> None:
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


def act_face(word: str, icon: str, kind: ButtonKind, *, order: str) -> tuple[str, str, ButtonKind]:
    """Return word, icon and kind of a key. order: what to do before the key can act, which it says
    then; it is plain, and has the sign of what needs a decision."""
    return (order, MISSING_ICON, ButtonKind.PLAIN) if order else (word, icon, kind)
