"""The rows that painters draw. They hold ready-made strings, so that no widget calculates with
money."""

from __future__ import annotations

from enum import StrEnum

from pos_app.lazy_dataclass import dataclass


class CartState(StrEnum):
    NORMAL = "normal"
    CURRENT = "current"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class CartWords:
    """The words on the buttons of cart rows, in the present language."""

    remove: str
    restore: str


@dataclass(frozen=True, slots=True)
class CartRow:
    """A row of the cart. The old values are None if price and total were not changed."""

    quantity: str
    name: str
    unit_price: str
    unit: str
    total: str
    old_unit_price: str | None = None
    discount: str | None = None
    old_total: str | None = None
    note: str = ""
    """Words after the unit price, for example that the price has changed, or the batch."""
    state: CartState = CartState.NORMAL

    @property
    def spoken(self) -> str:
        said = f"{self.quantity} × {self.name}, {self.total}"
        return f"{said}, {self.note}" if self.note else said


@dataclass(frozen=True, slots=True)
class Tile:
    name: str
    price: str
    initials: str = ""
    """Two letters for an article without a picture."""
    tone: int = 7
    """The number of the colours for initials, 0…7."""
    per_unit: str = ""
    """Words such as "за 1 kg" if the article is not sold by piece."""
    badge: str = ""
    """The quantity in the cart; "" for none."""
    refusal: str = ""
    """Words in place of the price of an article that is not for sale."""
    has_picture: bool = False
    """Whether the model is asked for a picture, which it may still lack."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """An article of the picker as a row; `hits` are the (start, end) positions found in `name`."""

    code: str
    name: str
    price: str
    unit: str
    hits: tuple[tuple[int, int], ...] = ()
    variants: str = ""
    """Words such as "3 врсте" for an article with variants."""
    refusal: str = ""
    """Words in place of the price of an article that is not for sale."""


@dataclass(frozen=True, slots=True)
class RowState:
    current: bool = False
    pressed: bool = False
    focus: bool = False
