"""The colours of both themes, by the name of their use.

By the WCAG 2 formula every text has a contrast of 4.5:1, amounts have 7:1 and edges of controls
3:1. A test measures this, so that no colour becomes unreadable.
"""

from __future__ import annotations

from typing import Literal

from pos_app.lazy_dataclass import dataclass

ThemeName = Literal["light", "dark"]

Token = Literal[
    "bg",
    "surface",
    "sunken",
    "line",
    "line_strong",
    "ink",
    "ink_2",
    "ink_3",
    "accent",
    "accent_press",
    "on_accent",
    "tint",
    "focus",
    "ok",
    "info",
    "info_ground",
    "info_edge",
    "warn",
    "warn_ground",
    "warn_edge",
    "danger",
    "danger_amount",
    "danger_ground",
    "danger_edge",
    "band",
    "on_band",
    "hit",
]


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme, written `#RRGGBB`."""

    name: ThemeName
    bg: str
    """The window, and the ground behind tiles."""
    surface: str
    """Cart, bars, tiles, buttons, fields, panels."""
    sunken: str
    """Table head, last receipt, disabled controls, track of a segment."""
    line: str
    """Rules between rows, edges of panels (decoration), fill of a pressed plain
    button."""
    line_strong: str
    """Edge of what is pressed: buttons, tiles, chips, fields, key caps, check boxes."""
    ink: str
    ink_2: str
    ink_3: str
    accent: str
    accent_press: str
    on_accent: str
    tint: str
    """Ground of a selection, and of the change."""
    focus: str
    ok: str
    info: str
    info_ground: str
    info_edge: str
    warn: str
    warn_ground: str
    warn_edge: str
    danger: str
    danger_amount: str
    """A negative amount, also in a chosen row."""
    danger_ground: str
    danger_edge: str
    band: str
    on_band: str
    hit: str
    """Ground of the letters that a search found."""
    initials: tuple[tuple[str, str], ...]
    """Eight pairs (ground, letters) for articles without a picture."""
    picture_light: float
    """The part of its brightness that a picture keeps, because a bright photo glares among dark
    tiles."""


LIGHT = Palette(
    name="light",
    bg="#E9ECE7",
    surface="#FFFFFF",
    sunken="#F4F6F2",
    line="#D3D8D0",
    line_strong="#7C8880",
    ink="#13201A",
    ink_2="#425049",
    ink_3="#5A665F",
    accent="#0B5D48",
    accent_press="#084837",
    on_accent="#FFFFFF",
    tint="#E1F0E9",
    focus="#1A5DC2",
    ok="#0B6B45",
    info="#1B4C84",
    info_ground="#E5EEF9",
    info_edge="#6E9CD0",
    warn="#734600",
    warn_ground="#FFF1CF",
    warn_edge="#C68710",
    danger="#9C211A",
    danger_amount="#8A1A14",
    danger_ground="#FCE8E5",
    danger_edge="#C9625A",
    band="#13201A",
    on_band="#FFFFFF",
    hit="#CDE6DB",
    initials=(
        ("#F6E7C6", "#5C410A"),
        ("#DCE8F7", "#22466E"),
        ("#DDEED4", "#2A541F"),
        ("#D5EDEF", "#12505A"),
        ("#F7DEE8", "#78234F"),
        ("#F7DED7", "#782C1B"),
        ("#E8E2F5", "#443484"),
        ("#E6E7E1", "#464A42"),
    ),
    picture_light=1.0,
)

DARK = Palette(
    name="dark",
    bg="#0D1210",
    surface="#161D1A",
    sunken="#1E2723",
    line="#303B36",
    line_strong="#74827B",
    ink="#F1F5F2",
    ink_2="#BCC7C1",
    ink_3="#9AA7A0",
    accent="#54CBA6",
    accent_press="#7ADBBD",
    on_accent="#04211A",
    tint="#17342B",
    focus="#7DB2FF",
    ok="#6BD3A0",
    info="#9CC5F7",
    info_ground="#15273E",
    info_edge="#3F6C9F",
    warn="#F2C15C",
    warn_ground="#332709",
    warn_edge="#A87A1D",
    danger="#FF9C92",
    danger_amount="#FFA49B",
    danger_ground="#3A1714",
    danger_edge="#B4544B",
    band="#F1F5F2",
    on_band="#0D1210",
    hit="#235243",
    initials=(
        ("#3A2F16", "#EBCF92"),
        ("#1B2D43", "#A9CBF0"),
        ("#1F3318", "#B1DA9F"),
        ("#123237", "#97D5DD"),
        ("#3D1B2C", "#F0AECB"),
        ("#3D1F18", "#F1B5A4"),
        ("#2A2447", "#C4B8F2"),
        ("#2A2F2B", "#C3CAC4"),
    ),
    picture_light=0.62,
)


def palette_named(name: ThemeName) -> Palette:
    return LIGHT if name == "light" else DARK


def initials_tone(category_id: bytes) -> int:
    """Return the number of a category's colours for initials: the first byte modulo 8. Without a
    category (empty id) it is the neutral last pair."""
    return category_id[0] % 8 if category_id else 7
