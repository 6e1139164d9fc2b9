"""What a button shows, apart from the widget: rows of the cart paint the same faces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QPainter

from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.painting import LEFT, box, cap, cap_width, width_of, write
from pos_app.cashier.look.tokens import Token

ICON = 18
LONE_ICON = 22
SPREAD_ICON = 22


class Kind(StrEnum):
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
class Face:
    """Words, icon and key cap of a button."""

    words: str = ""
    icon: str = ""
    key: str = ""
    kind: Kind = Kind.PLAIN
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
class Colours:
    """The colours of a face in one state; no fill or edge means none is painted."""

    fill: Token | None
    edge: Token | None
    ink: Token
    cap_edge: Token = "line_strong"
    cap_ink: Token = "ink_2"
    thick: bool = False


USUAL: dict[Kind, Colours] = {
    Kind.PLAIN: Colours("surface", "line_strong", "ink"),
    Kind.FILLED: Colours("accent", None, "on_accent", "on_accent", "on_accent"),
    Kind.QUIET: Colours(None, None, "accent"),
    Kind.DANGER: Colours("surface", "danger_edge", "danger", "danger_edge", "danger"),
    Kind.CHOSEN: Colours("tint", "accent", "accent", thick=True),
    Kind.CHIP: Colours("surface", "line", "ink"),
    Kind.PAD: Colours("surface", "line", "ink"),
}
DISABLED = Colours("sunken", "line", "ink_3", "line", "ink_3")


def colours(kind: Kind, *, pressed: bool = False, enabled: bool = True) -> Colours:
    """The colours of a kind of button in a state."""
    usual = USUAL[kind]
    if not enabled:
        return replace(DISABLED, fill=None, edge=None) if kind is Kind.QUIET else DISABLED
    if pressed:
        return replace(usual, fill="accent_press" if kind is Kind.FILLED else "line")
    return usual


def face_font(look: Look, own: QFont, face: Face) -> QFont:
    """The font of the words of a face."""
    if face.kind is Kind.PAD:
        return look.fonts.resized(own, Step.TITLE, Weight.SEMIBOLD)
    strong = face.bold or face.lead or face.kind in (Kind.FILLED, Kind.CHOSEN, Kind.QUIET)
    large = face.bold and not face.lead and not look.metrics.narrow
    step = Step.STRONG if large else Step.BASE
    return look.fonts.resized(own, step, Weight.BOLD if strong else Weight.MEDIUM)


def content_width(look: Look, own: QFont, face: Face) -> int:
    """Width of icon, words and key cap with the gaps between them."""
    gap = look.metrics.s2
    parts = []
    if face.icon:
        parts.append(look.metrics.icon(icon_size(face)))
    if face.lead:
        parts.append(width_of(look.fonts.resized(own, Step.BASE), face.lead))
    if face.words:
        parts.append(width_of(face_font(look, own, face), face.words))
    if face.key:
        parts.append(cap_width(look, own, face.key))
    return sum(parts) + gap * max(0, len(parts) - 1)


def icon_size(face: Face) -> int:
    """Size of the icon of a face, in pixels at 96 dpi."""
    if face.spread:
        return SPREAD_ICON
    return ICON if face.words or face.key or face.lead else LONE_ICON


def face_width(look: Look, own: QFont, face: Face) -> int:
    """The width a button with this face wants; a lone icon makes it square."""
    if face.icon and not (face.words or face.key or face.lead):
        return look.metrics.touch
    tight = (face.icon and face.key) or face.spread
    hair = look.metrics.hair
    side = (
        look.metrics.s3 + hair if tight else look.metrics.s4 + (-2 * hair if face.narrow else hair)
    )
    return content_width(look, own, face) + 2 * side


def folded(look: Look, own: QFont, face: Face, room: int) -> Face:
    """The face without its icon, and then without its key cap, when the words need the room."""
    if face.words and face.icon and content_width(look, own, face) > room:
        face = replace(face, icon="")
    if face.words and face.key and content_width(look, own, face) > room:
        face = replace(face, key="")
    return face


def paint_face(
    painter: QPainter,
    rect: QRect,
    look: Look,
    face: Face,
    *,
    pressed: bool = False,
    enabled: bool = True,
) -> None:
    """A whole button into `rect`."""
    look_of = colours(face.kind, pressed=pressed, enabled=enabled)
    if face.bold and face.kind is Kind.CHOSEN and enabled:
        look_of = replace(look_of, ink="ink")  # figures are never in the accent colour
    paint_ground(painter, rect, look, look_of)
    side = look.metrics.s3 + look.metrics.hair
    face = folded(
        look, painter.font(), face, rect.width() - 2 * (side if face.spread else look.metrics.s1)
    )
    inside = rect.adjusted(side, 0, -side, 0)
    if not face.spread:
        wanted = min(content_width(look, painter.font(), face), rect.width() - 2 * look.metrics.s1)
        inside = QRect(0, rect.top(), wanted, rect.height())
        inside.moveLeft(rect.left() + (rect.width() - wanted) // 2)
    _paint_content(painter, inside, look, face, look_of)


def paint_ground(painter: QPainter, rect: QRect, look: Look, tokens: Colours) -> None:
    """Fill and edge of a button."""
    if tokens.fill is None and tokens.edge is None:
        return
    metrics = look.metrics
    box(
        painter,
        rect,
        radius=metrics.radius_button,
        fill=look.colour(tokens.fill) if tokens.fill else None,
        edge=look.colour(tokens.edge) if tokens.edge else None,
        width=metrics.edge if tokens.thick else metrics.hair,
    )


def _paint_content(painter: QPainter, rect: QRect, look: Look, face: Face, tokens: Colours) -> None:
    gap = look.metrics.s2
    left, right = rect.left(), rect.right() + 1
    if face.key:
        size = cap_width(look, painter.font(), face.key)
        place = QRect(right - size, 0, size, look.metrics.cap)
        place.moveCenter(QPoint(place.center().x(), rect.center().y()))
        cap(painter, place, look, face.key, ink=tokens.cap_ink, edge=tokens.cap_edge)
        right -= size + gap
    if face.icon:
        at_96 = icon_size(face)
        size = look.metrics.icon(at_96)
        middle = QPoint(left + size // 2, rect.center().y() + 1)
        if face.icon_last:
            middle.setX(right - size + size // 2)
            right -= size + gap
        else:
            left += size + gap + (look.metrics.s1 // 2 if face.spread else 0)
        look.draw_icon(painter, face.icon, tokens.ink, at_96, middle)
    _paint_words(painter, QRect(left, rect.top(), right - left, rect.height()), look, face, tokens)


def _paint_words(painter: QPainter, rect: QRect, look: Look, face: Face, tokens: Colours) -> None:
    left = rect.left()
    if face.lead:
        quiet = look.fonts.resized(painter.font(), Step.BASE)
        took = write(painter, rect, face.lead, look.colour("ink_2"), quiet)
        left += took + look.metrics.s2
    room = QRect(left, rect.top(), rect.right() + 1 - left, rect.height())
    font = face_font(look, painter.font(), face)
    write(painter, room, face.words, look.colour(tokens.ink), font, align=LEFT, elide=True)
