"""The keys of the till as data: what is pressed, what it does, and where it is told (F1).

Source: till.md ("Keys"). A key that has no screen behind it yet is told nowhere, and says so when
it is pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

KEYPAD = "pad "
"""Before a key of the numeric pad."""


class Act(StrEnum):
    """What a key of the window does."""

    KEYS = "keys"
    SEARCH = "search"
    QUANTITY = "quantity"
    PRICE = "price"
    BUYER = "buyer"
    HOLD = "hold"
    MORE = "more"
    PAY = "pay"
    CASH = "cash"
    CARD = "card"
    LINE_UP = "line_up"
    LINE_DOWN = "line_down"
    REMOVE = "remove"
    DRAWER = "drawer"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Key:
    """sequence: as Qt spells it, with `KEYPAD` before a key of the numeric pad. cap: as it is
    shown; "" takes the sequence. words: key of the text that says what it does."""

    sequence: str
    act: Act
    words: str
    cap: str = ""


KEYS: tuple[Key, ...] = (
    Key("F1", Act.KEYS, "keys.f1"),
    Key("F2", Act.SEARCH, "keys.f2"),
    Key("F3", Act.QUANTITY, "keys.f3"),
    Key("F4", Act.PRICE, "keys.f4"),
    Key("F5", Act.BUYER, "keys.f5"),
    Key("F6", Act.HOLD, "keys.f6"),
    Key("F9", Act.MORE, "keys.f9"),
    Key("F10", Act.DRAWER, "keys.f10"),
    Key("F12", Act.PAY, "keys.f12"),
    Key(f"{KEYPAD}+", Act.CASH, "keys.plus", "keys.pad_plus"),
    Key(f"{KEYPAD}-", Act.CARD, "keys.minus", "keys.pad_minus"),
    Key("Ctrl+Return", Act.CASH, "keys.cash", "Ctrl+Enter"),
    Key("Ctrl+Enter", Act.CASH, "keys.cash", "Ctrl+Enter"),
    Key("Ctrl+Shift+Return", Act.CARD, "keys.card", "Ctrl+Shift+Enter"),
    Key("Ctrl+Shift+Enter", Act.CARD, "keys.card", "Ctrl+Shift+Enter"),
    Key("PgUp", Act.LINE_UP, "keys.up", "Page Up"),
    Key("PgDown", Act.LINE_DOWN, "keys.down", "Page Down"),
    Key("Del", Act.REMOVE, "keys.delete", "Delete"),
    Key("Esc", Act.BACK, "keys.escape"),
)

NOT_YET: tuple[str, ...] = ("F7", "F8", "F11")
"""Keys of screens that this version does not have: receipts, advances, lock."""

TYPED: tuple[tuple[str, str], ...] = (
    ("keys.typed.code", "keys.code"),
    ("keys.typed.times", "keys.times"),
    ("keys.typed.letters", "keys.letters"),
)
"""What is typed rather than pressed: how it is shown, and what it does."""


def told_keys() -> tuple[tuple[str, str], ...]:
    """Caps and texts for F1, each cap once."""
    told: dict[str, str] = {}
    for key in KEYS:
        told.setdefault(key.cap or key.sequence, key.words)
    return tuple(told.items())
