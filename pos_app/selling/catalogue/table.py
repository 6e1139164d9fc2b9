"""The manager's table of the catalogue: products in a chosen order, read window by window.

A table of 100,000 articles opens within 200 ms, each letter of a search takes at most 16 ms.
Source: till.md (Catalogue).
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Protocol

from pos_app.domain.money.tax import TaxLabel
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark


class TableOrder(StrEnum):
    BEST = "best"
    """By relevance to a search; by name while nothing is searched."""
    NAME = "name"
    CODE = "code"
    PRICE = "price"


@dataclass(frozen=True, slots=True)
class TableChoice:
    """The choice of rows of a table. edits: only products with such changes of this till."""

    query: str = ""
    category_id: str | None = None
    edits: EditMark = EditMark.NONE
    order: TableOrder = TableOrder.BEST
    descending: bool = False


@dataclass(frozen=True, slots=True)
class LabelledProducts:
    """The products some of whose articles have a label, as the rows of the table are counted."""

    products: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.products)


class CatalogueTable(Protocol):
    """Reads of the table. Each is one window, or one count."""

    def count(self, choice: TableChoice) -> int: ...

    def page(self, choice: TableChoice, *, offset: int, limit: int) -> tuple[CatalogueRow, ...]: ...

    def products(self, choice: TableChoice) -> tuple[str, ...]:
        """The ids of all rows, for a change of all of them."""

    def labelled(self, labels: Collection[TaxLabel]) -> LabelledProducts:
        """The products for sale some of whose articles have one of these tax labels."""

    def index(self, choice: TableChoice, product_id: str) -> int | None:
        """The number of a product's row, or None when it is not among them."""
