"""The keys of the till as data: what is pressed, what it does, and where it is told (F1).

Source: till.md ("Keys"). A key that has no screen behind it yet is told nowhere, and says so when
it is pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

KEYPAD = "pad "
"""Before a key of the numeric pad."""


class KeyAction(StrEnum):
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
class KeyBinding:
    """sequence: as Qt spells it, with `KEYPAD` before a key of the numeric pad. cap: as it is
    shown; "" takes the sequence. words: key of the text that says what it does."""

    sequence: str
    act: KeyAction
    words: str
    cap: str = ""


KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("F1", KeyAction.KEYS, "keys.f1"),
    KeyBinding("F2", KeyAction.SEARCH, "keys.f2"),
    KeyBinding("F3", KeyAction.QUANTITY, "keys.f3"),
    KeyBinding("F4", KeyAction.PRICE, "keys.f4"),
    KeyBinding("F5", KeyAction.BUYER, "keys.f5"),
    KeyBinding("F6", KeyAction.HOLD, "keys.f6"),
    KeyBinding("F9", KeyAction.MORE, "keys.f9"),
    KeyBinding("F10", KeyAction.DRAWER, "keys.f10"),
    KeyBinding("F12", KeyAction.PAY, "keys.f12"),
    KeyBinding(f"{KEYPAD}+", KeyAction.CASH, "keys.plus", "keys.pad_plus"),
    KeyBinding(f"{KEYPAD}-", KeyAction.CARD, "keys.minus", "keys.pad_minus"),
    KeyBinding("Ctrl+Return", KeyAction.CASH, "keys.cash", "Ctrl+Enter"),
    KeyBinding("Ctrl+Enter", KeyAction.CASH, "keys.cash", "Ctrl+Enter"),
    KeyBinding("Ctrl+Shift+Return", KeyAction.CARD, "keys.card", "Ctrl+Shift+Enter"),
    KeyBinding("Ctrl+Shift+Enter", KeyAction.CARD, "keys.card", "Ctrl+Shift+Enter"),
    KeyBinding("PgUp", KeyAction.LINE_UP, "keys.up", "Page Up"),
    KeyBinding("PgDown", KeyAction.LINE_DOWN, "keys.down", "Page Down"),
    KeyBinding("Del", KeyAction.REMOVE, "keys.delete", "Delete"),
    KeyBinding("Esc", KeyAction.BACK, "keys.escape"),
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
