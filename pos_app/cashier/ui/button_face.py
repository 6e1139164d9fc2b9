"""What a button shows, apart from the widget: rows of the cart paint the same faces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QPainter

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import LEFT, box, cap, cap_width, width_of, write
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token

ICON = 18
LONE_ICON = 22
SPREAD_ICON = 22


class ButtonKind(StrEnum):
    """What a button is for; `FILLED` is the one that Enter means."""

    PLAIN = "plain"
    FILLED = "filled"
    QUIET = "quiet"
    DANGER = "danger"
    CHOSEN = "chosen"
    CHIP = "chip"
    """Like plain, with the soft edge of a tile."""
    PAD = "pad"
    """A key of the numeric pad: soft edge, title type."""


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """Words, icon and key cap of a button."""

    words: str = ""
    icon: str = ""
    key: str = ""
    kind: ButtonKind = ButtonKind.PLAIN
    spread: bool = False
    """Icon and words at the left, key cap at the right edge; else all of it centred."""
    lead: str = ""
    """Quiet words before the bold ones ("Следећа" 1 ×)."""
    icon_last: bool = False
    """The icon follows the words (the arrow of a menu)."""
    bold: bool = False
    """Figures, as on the notes of cash: larger, bold, and ink even when chosen."""
    narrow: bool = False
    """A little less room at the sides, as in a row of chips."""


@dataclass(frozen=True, slots=True)
class ButtonColours:
    """The colours of a face in one state; no fill or edge means none is painted."""

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
    ButtonKind.CHIP: ButtonColours("surface", "line", "ink"),
    ButtonKind.PAD: ButtonColours("surface", "line", "ink"),
}
DISABLED = ButtonColours("sunken", "line", "ink_3", "line", "ink_3")


def colours(kind: ButtonKind, *, pressed: bool = False, enabled: bool = True) -> ButtonColours:
    """The colours of a kind of button in a state."""
    usual = USUAL[kind]
    if not enabled:
        return replace(DISABLED, fill=None, edge=None) if kind is ButtonKind.QUIET else DISABLED
    if pressed:
        return replace(usual, fill="accent_press" if kind is ButtonKind.FILLED else "line")
    return usual


def face_font(theme: Theme, own: QFont, face: ButtonFace) -> QFont:
    """The font of the words of a face."""
    if face.kind is ButtonKind.PAD:
        return theme.fonts.resized(own, Step.TITLE, Weight.SEMIBOLD)
    strong = (
        face.bold
        or face.lead
        or face.kind in (ButtonKind.FILLED, ButtonKind.CHOSEN, ButtonKind.QUIET)
    )
    large = face.bold and not face.lead and not theme.metrics.narrow
    step = Step.STRONG if large else Step.BASE
    return theme.fonts.resized(own, step, Weight.BOLD if strong else Weight.MEDIUM)


def content_width(theme: Theme, own: QFont, face: ButtonFace) -> int:
    """Width of icon, words and key cap with the gaps between them."""
    gap = theme.metrics.s2
    parts = []
    if face.icon:
        parts.append(theme.metrics.icon(icon_size(face)))
    if face.lead:
        parts.append(width_of(theme.fonts.resized(own, Step.BASE), face.lead))
    if face.words:
        parts.append(width_of(face_font(theme, own, face), face.words))
    if face.key:
        parts.append(cap_width(theme, own, face.key))
    return sum(parts) + gap * max(0, len(parts) - 1)


def icon_size(face: ButtonFace) -> int:
    """Size of the icon of a face, in pixels at 96 dpi."""
    if face.spread:
        return SPREAD_ICON
    return ICON if face.words or face.key or face.lead else LONE_ICON


def face_width(theme: Theme, own: QFont, face: ButtonFace) -> int:
    """The width a button with this face wants; a lone icon makes it square."""
    if face.icon and not (face.words or face.key or face.lead):
        return theme.metrics.touch
    tight = (face.icon and face.key) or face.spread
    hair = theme.metrics.hair
    side = (
        theme.metrics.s3 + hair
        if tight
        else theme.metrics.s4 + (-2 * hair if face.narrow else hair)
    )
    return content_width(theme, own, face) + 2 * side


def folded(theme: Theme, own: QFont, face: ButtonFace, room: int) -> ButtonFace:
    """The face without its icon, and then without its key cap, when the words need the room."""
    if face.words and face.icon and content_width(theme, own, face) > room:
        face = replace(face, icon="")
    if face.words and face.key and content_width(theme, own, face) > room:
        face = replace(face, key="")
    return face


def paint_face(
    painter: QPainter,
    rect: QRect,
    theme: Theme,
    face: ButtonFace,
    *,
    pressed: bool = False,
    enabled: bool = True,
) -> None:
    """A whole button into `rect`."""
    look_of = colours(face.kind, pressed=pressed, enabled=enabled)
    if face.bold and face.kind is ButtonKind.CHOSEN and enabled:
        look_of = replace(look_of, ink="ink")  # figures are never in the accent colour
    paint_ground(painter, rect, theme, look_of)
    side = theme.metrics.s3 + theme.metrics.hair
    face = folded(
        theme, painter.font(), face, rect.width() - 2 * (side if face.spread else theme.metrics.s1)
    )
    inside = rect.adjusted(side, 0, -side, 0)
    if not face.spread:
        wanted = min(
            content_width(theme, painter.font(), face), rect.width() - 2 * theme.metrics.s1
        )
        inside = QRect(0, rect.top(), wanted, rect.height())
        inside.moveLeft(rect.left() + (rect.width() - wanted) // 2)
    _paint_content(painter, inside, theme, face, look_of)


def paint_ground(painter: QPainter, rect: QRect, theme: Theme, tokens: ButtonColours) -> None:
    """Fill and edge of a button."""
    if tokens.fill is None and tokens.edge is None:
        return
    metrics = theme.metrics
    box(
        painter,
        rect,
        radius=metrics.radius_button,
        fill=theme.colour(tokens.fill) if tokens.fill else None,
        edge=theme.colour(tokens.edge) if tokens.edge else None,
        width=metrics.edge if tokens.thick else metrics.hair,
    )


def _paint_content(
    painter: QPainter, rect: QRect, theme: Theme, face: ButtonFace, tokens: ButtonColours
) -> None:
    gap = theme.metrics.s2
    left, right = rect.left(), rect.right() + 1
    if face.key:
        size = cap_width(theme, painter.font(), face.key)
        place = QRect(right - size, 0, size, theme.metrics.cap)
        place.moveCenter(QPoint(place.center().x(), rect.center().y()))
        cap(painter, place, theme, face.key, ink=tokens.cap_ink, edge=tokens.cap_edge)
        right -= size + gap
    if face.icon:
        at_96 = icon_size(face)
        size = theme.metrics.icon(at_96)
        middle = QPoint(left + size // 2, rect.center().y() + 1)
        if face.icon_last:
            middle.setX(right - size + size // 2)
            right -= size + gap
        else:
            left += size + gap + (theme.metrics.s1 // 2 if face.spread else 0)
        theme.draw_icon(painter, face.icon, tokens.ink, at_96, middle)
    _paint_words(painter, QRect(left, rect.top(), right - left, rect.height()), theme, face, tokens)


def _paint_words(
    painter: QPainter, rect: QRect, theme: Theme, face: ButtonFace, tokens: ButtonColours
) -> None:
    left = rect.left()
    if face.lead:
        quiet = theme.fonts.resized(painter.font(), Step.BASE)
        took = write(painter, rect, face.lead, theme.colour("ink_2"), quiet)
        left += took + theme.metrics.s2
    room = QRect(left, rect.top(), rect.right() + 1 - left, rect.height())
    font = face_font(theme, painter.font(), face)
    write(painter, room, face.words, theme.colour(tokens.ink), font, align=LEFT, elide=True)
