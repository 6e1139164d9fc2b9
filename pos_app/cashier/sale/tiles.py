"""A row of the shelf as a tile or as a line of the list, in ready-made words."""

from __future__ import annotations

from uuid import UUID

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.rows import ListRow, Tile
from pos_app.cashier.ui.tokens import initials_tone
from pos_app.domain.number_text import NO_BREAK_SPACE, amount_text
from pos_app.domain.search_text import hits
from pos_app.selling.catalogue import CatalogueRow

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
