"""The picker's rows: read from the catalogue by pages, shown as tiles or as lines of a list.

100,000 articles cost what is on the screen: rows are read, laid out and put into words when they
are needed, and pictures are loaded once. Source: till.md ("Sale", search), targets.md (Speed).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from uuid import UUID

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QPixmap

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.rows import ListRow, Tile
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import initials_tone
from pos_app.cashier.ui.views import PICTURE, ROW
from pos_app.domain.instant import day_of
from pos_app.domain.number_text import NO_BREAK_SPACE, amount_text
from pos_app.domain.search_text import hits
from pos_app.selling.catalogue import FAVOURITES, Catalogue, CatalogueRow
from pos_app.selling.ports import Clock

# --- rows of the catalogue -----------------------------------------------------------------------


class StandingFavourites:
    """As they were first read on a day of the shop; each sale counts for the next day's order.

    What becomes a favourite meanwhile comes after them, what is sold no more goes.
    """

    def __init__(self, catalogue: Catalogue, clock: Clock) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._day: date | None = None
        self._order: tuple[str, ...] = ()
        """Products, in their places."""

    def rows(self) -> tuple[CatalogueRow, ...]:
        """The favourites with their facts of now, in the order of the day."""
        today = day_of(self._clock.now())
        if today != self._day:
            self._day, self._order = today, ()
        # What others have overtaken since is looked for among twice as many.
        found = {row.product_id: row for row in self._catalogue.favourites(limit=2 * FAVOURITES)}
        standing = [product for product in self._order if product in found]
        later = [product for product in found if product not in self._order]
        shown = (*standing, *later)[:FAVOURITES]
        if found:
            self._order = shown
        return tuple(found[product] for product in shown)


PAGE = 40
"""As many tiles as a usual window shows, and three times the rows of its list."""
KEPT_PAGES = 12

FAVOURITES_CHIP = ""
"""Key of the first chip; categories have their id."""
ALL_CHIP = "*"
"""Key of the chip of everything."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the picker shows: a chip, and what is searched within it."""

    chip: str = FAVOURITES_CHIP
    query: str = ""

    @property
    def category_id(self) -> str | None:
        """The category that is chosen, None for all."""
        return None if self.chip in (FAVOURITES_CHIP, ALL_CHIP) else self.chip


class RowWindow:
    """Rows of one choice, fetched by pages when they are asked for."""

    def __init__(self, catalogue: Catalogue, clock: Clock) -> None:
        self._catalogue = catalogue
        self._favourites = StandingFavourites(catalogue, clock)
        self._pages: OrderedDict[int, tuple[CatalogueRow, ...]] = OrderedDict()
        self._generation = -1
        self._counted: int | None = None
        self._surely = 0
        self.choice = Choice()
        self.fetched = 0
        """Pages read so far, for the tests of laziness."""
        self.show(Choice())

    @property
    def count(self) -> int:
        """How many rows there are; of many hits it takes 2 ms to know it, the first time."""
        if self._counted is None:
            choice = self.choice
            self._counted = self._catalogue.count(choice.query, category_id=choice.category_id)
        return self._counted

    def at_most(self, rows: int) -> int:
        """How many rows there are, no more than `rows`: what a view needs to know."""
        if self._counted is None and rows > self._surely:
            self._count_first_page()
        if self._counted is None and rows > self._surely:
            choice = self.choice
            found = self._catalogue.count(choice.query, category_id=choice.category_id, most=rows)
            if found < rows:
                self._counted = found
            self._surely = found
        return rows if self._counted is None else min(rows, self._counted)

    def _count_first_page(self) -> None:
        """It is shown anyway, and tells of itself whether there may be more."""
        found = len(self._page(0))
        if found < PAGE:
            self._counted = found
        self._surely = found

    def show(self, choice: Choice) -> None:
        """Show another choice; the favourites are read with it."""
        self.choice = choice
        self._generation = self._catalogue.generation()
        self._pages.clear()
        self._counted, self._surely = None, 0
        if self._is_favourites:
            self._pages[0] = self._favourites.rows()
            self._counted = len(self._pages[0])

    def is_outdated(self) -> bool:
        """Whether the catalogue was changed since, so that the rows should be asked anew."""
        return self._catalogue.generation() != self._generation

    def row(self, number: int) -> CatalogueRow | None:
        """A row by its number; None beyond the end, also when the catalogue shrank meanwhile."""
        if number < 0:
            return None
        if self._is_favourites:
            favourites = self._pages[0]
            return favourites[number] if number < len(favourites) else None
        page = self._page(number // PAGE)
        place = number % PAGE
        return page[place] if place < len(page) else None

    @property
    def _is_favourites(self) -> bool:
        return self.choice.chip == FAVOURITES_CHIP and not self.choice.query

    def _page(self, number: int) -> tuple[CatalogueRow, ...]:
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        choice = self.choice
        rows = self._catalogue.page(
            choice.query, category_id=choice.category_id, offset=number * PAGE, limit=PAGE
        )
        self.fetched += 1
        self._pages[number] = rows
        if len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        return rows


# --- in words ------------------------------------------------------------------------------------

_SHORT_WORD = 2
"""Letters of "са", "за", of a unit; and of the initials themselves."""


def tile_of(row: CatalogueRow, texts: Texts, *, badge: str = "") -> Tile:
    """The tile of a row; `badge` is how many of it are in the cart."""
    return Tile(
        name=row.name,
        price=price_text(row, texts),
        initials=initials(row.name),
        tone=tone_of(row),
        per_unit=_per_unit(row, texts),
        badge=badge,
        refusal="" if can_be_sold(row) else texts("picker.not_for_sale"),
        has_picture=row.picture is not None,
    )


def list_row_of(row: CatalogueRow, texts: Texts, *, query: str = "") -> ListRow:
    """The line of a row, with the letters that a search found."""
    many = row.articles > 1
    return ListRow(
        code="" if row.sku is None else str(row.sku),
        name=row.name,
        price=price_text(row, texts),
        unit=row.unit,
        hits=tuple(hits(row.name, query)) if query else (),
        variants=texts.count("picker.variants", row.articles) if many else "",
        refusal="" if can_be_sold(row) else texts("picker.not_for_sale"),
    )


def can_be_sold(row: CatalogueRow) -> bool:
    """Whether a tap can lead to an item: it has a price, asks for one, or has variants."""
    return row.articles > 0 and (row.price is not None or row.asks_price)


def price_text(row: CatalogueRow, texts: Texts) -> str:
    """The price; "од 120,00" where variants differ, words where it is typed."""
    if row.price is None or _is_typed(row):
        return texts("picker.open_price") if row.asks_price else ""
    amount = amount_text(row.price)
    if row.highest is not None and row.highest != row.price:
        return texts("picker.from", price=amount)
    return amount


def initials(name: str) -> str:
    """First letters of the first two words, small words left out, else two letters of the first.

    "Хлеб бели Сава" -> "Хб", "Бурек са месом" -> "Бм", "Вода минерална 1,5 l" -> "Вм",
    "Јогурт 2,8 % 1 l" -> "Јо", "Переца" -> "Пе".
    """
    words = [word for word in name.split() if word[0].isalpha()]
    if not words:
        return name.strip()[:_SHORT_WORD]
    second = next((word for word in words[1:] if len(word) > _SHORT_WORD), "")
    if not second:
        return words[0][:_SHORT_WORD].capitalize()
    return words[0][0].upper() + second[0].lower()


def tone_of(row: CatalogueRow) -> int:
    """Which pair of initials colours: by the category's id, the neutral one without."""
    first = row.category_ids[0] if row.category_ids else ""
    try:
        return initials_tone(UUID(first).bytes)
    except ValueError:
        return initials_tone(first.encode())


def _per_unit(row: CatalogueRow, texts: Texts) -> str:
    if not row.by_weight or row.price is None or _is_typed(row):
        return ""
    return texts("picker.per_unit", unit=f"1{NO_BREAK_SPACE}{row.unit}")


def _is_typed(row: CatalogueRow) -> bool:
    """Whether the cashier types the price of the only article."""
    return row.asks_price and row.articles == 1


# --- for Qt --------------------------------------------------------------------------------------

KEPT_PICTURES = 400
STEP = PAGE
"""Rows that a view lays out at first; where somebody scrolls to their end it gets as many more."""
MOST_AT_ONCE = 2_000
_TOP = QModelIndex()


class Pictures:
    """Pictures of articles in the size of a tile, the latest ones kept."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._kept: OrderedDict[Path, QPixmap] = OrderedDict()
        theme.changed.connect(self._kept.clear)

    def of(self, path: Path | None) -> QPixmap | None:
        """The picture of a file; None where there is none or it can't be read."""
        if path is None:
            return None
        if path not in self._kept:
            self._kept[path] = self._load(path)
            if len(self._kept) > KEPT_PICTURES:
                self._kept.popitem(last=False)
        picture = self._kept[path]
        return None if picture.isNull() else picture

    def _load(self, path: Path) -> QPixmap:
        picture = QPixmap(str(path))
        side = 2 * self._theme.metrics.picture
        if picture.isNull() or picture.width() <= side:
            return picture
        return picture.scaledToWidth(side, Qt.TransformationMode.SmoothTransformation)


class PickerRows(QAbstractListModel):
    """Rows of a shelf window, as tiles or as lines of the list."""

    def __init__(
        self, window: RowWindow, texts: Texts, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.window = window
        self.as_list = False
        self._reached = window.at_most(STEP)
        self._texts = texts
        self._pictures = Pictures(theme)
        self._badges: Mapping[str, str] = {}

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 0 if parent.isValid() else self._reached

    def canFetchMore(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> bool:
        if parent.isValid():
            return False
        return self.window.at_most(self._reached + 1) > self._reached

    def fetchMore(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> None:
        """Twice as many rows, for a view that was scrolled to its end."""
        if self.canFetchMore(parent):
            self.reach(self._reached + min(self._reached, MOST_AT_ONCE))

    def reach(self, rows: int) -> None:
        """Have at least so many rows laid out, where there are as many."""
        wanted = min(rows, self.window.at_most(rows + 1))
        if wanted > self._reached:
            self.beginInsertRows(_TOP, self._reached, wanted - 1)
            self._reached = wanted
            self.endInsertRows()

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        row = self.window.row(index.row())
        if row is None:
            return None
        if role == ROW:
            return self._value(row)
        if role == PICTURE:
            return self._pictures.of(row.picture)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.name}, {price_text(row, self._texts)} {row.unit}".strip()
        return None

    def show(self, choice: Choice) -> None:
        """Other rows."""
        self.beginResetModel()
        self.window.show(choice)
        self._reached = self.window.at_most(STEP)
        self.endResetModel()

    def reload(self) -> None:
        """The same choice, as the catalogue has it now."""
        reached = self._reached
        self.show(self.window.choice)
        self.reach(reached)

    def set_badges(self, badges: Mapping[str, str]) -> set[str]:
        """How many of each product are in the cart; the products whose count is new."""
        old, self._badges = self._badges, badges
        return {key for key in old.keys() | badges.keys() if old.get(key) != badges.get(key)}

    def _value(self, row: CatalogueRow) -> object:
        if self.as_list:
            return list_row_of(row, self._texts, query=self.window.choice.query)
        return tile_of(row, self._texts, badge=self._badges.get(row.product_id, ""))
