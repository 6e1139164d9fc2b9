"""What the painters are given: ready-made strings, so that no widget knows money."""

from __future__ import annotations

from enum import StrEnum

from pos_app.lazy_dataclass import dataclass


class CartState(StrEnum):
    """The three forms of a cart row."""

    NORMAL = "normal"
    CURRENT = "current"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class CartWords:
    """The words on the buttons of cart rows, in the language of the moment."""

    remove: str
    restore: str


@dataclass(frozen=True, slots=True)
class CartRow:
    """One line of the cart. Old values are None when there is no discount."""

    quantity: str
    name: str
    unit_price: str
    unit: str
    total: str
    old_unit_price: str | None = None
    discount: str | None = None
    old_total: str | None = None
    note: str = ""
    """Words after the unit price, for example that the price changed meanwhile."""
    negative: bool = False
    """The total is below zero and takes the colour of danger (the minus sign is in it)."""
    state: CartState = CartState.NORMAL


@dataclass(frozen=True, slots=True)
class Tile:
    """One article of the picker as a tile."""

    name: str
    price: str
    initials: str = ""
    """Two letters for an article without a picture."""
    tone: int = 7
    """Which pair of initials colours, 0…7."""
    per_unit: str = ""
    """ "за 1 kg" when not sold by piece."""
    badge: str = ""
    """How many are in the cart; "" for none."""
    refusal: str = ""
    """Words instead of a price when it is not for sale."""
    has_picture: bool = False
    """Whether the model is to be asked for one; it may still have none."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One article of the picker as a row; `hits` are the (start, end) places found in `name`."""

    code: str
    name: str
    price: str
    unit: str
    hits: tuple[tuple[int, int], ...] = ()
    variants: str = ""
    """ "3 врсте" for an article with variants."""
    refusal: str = ""
    """Words instead of a price when it is not for sale."""


@dataclass(frozen=True, slots=True)
class RowState:
    """How a row or tile stands at the moment."""

    current: bool = False
    pressed: bool = False
    focus: bool = False
