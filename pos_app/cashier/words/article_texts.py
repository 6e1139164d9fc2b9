"""An article in words and pictures, as the picker and the manager's table show it.

`domain.article` joins a name with its variant; `sale.panels.choices` has the chooser of variants.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import initials_tone
from pos_app.domain.money.number_text import amount_text, percent_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.bulk_act import ActKind, BulkAct
from pos_app.selling.catalogue.catalogue import CatalogueRow

_SHORT_WORD = 2
"""Words of at most two letters ("са", "за", a unit) give no initial. Initials have two letters
too."""
KEPT_PICTURES = 400
MOST_CATEGORIES = 1_000
"""The most categories whose tones are remembered."""


def reached_words(act: BulkAct, texts: Texts) -> str:
    """How far a change of many articles is. Its unit is a row of the catalogue's table, as at its
    end, and of an import a row of the file."""
    is_import = act.kind is ActKind.IMPORT
    text_id = "cat.act.reached_rows" if is_import else "cat.act.reached"
    return texts.count(text_id, act.whole, done=texts.number(act.reached))


def over_words(act: BulkAct, texts: Texts) -> str:
    """What was done of a change of many articles that is over."""
    if act.done:
        return texts.count(f"cat.done.{act.kind}", act.done)
    return texts("cat.act.nothing", what=texts(f"cat.act.{act.kind}"))


def named_list(names: Sequence[str], many: int) -> str:
    """The names of the first of so many articles."""
    return ", ".join(names) + (" …" if many > len(names) else "")


def price_text(row: CatalogueRow, texts: Texts) -> str:
    """The price; "од 120,00" where variants differ; words where the price is typed."""
    if row.price is None or is_typed(row):
        return texts("picker.open_price") if row.asks_price else ""
    amount = amount_text(row.price)
    if row.highest is not None and row.highest != row.price:
        return texts("picker.from", price=amount)
    return amount


def label_text(label: TaxLabel, rates: Mapping[TaxLabel, Decimal], texts: Texts) -> str:
    """A tax label as it is chosen: "Ђ 20 %"; А is given in words, because it is no rate."""
    text = texts("cat.label.not_in_vat") if label is TaxLabel.A else percent_text(rates[label])
    return f"{label.value} {text}"


def initials(name: str) -> str:
    """The first letters of the first word and of the next longer one, else two letters of the
    first.

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
    """The number of the colour pair for initials, by the id of the first category."""
    return _tone_of(row.category_ids[0] if row.category_ids else "")


@lru_cache(MOST_CATEGORIES)
def _tone_of(first: str) -> int:
    try:
        return initials_tone(UUID(first).bytes)
    except ValueError:
        return initials_tone(first.encode())


def is_typed(row: CatalogueRow) -> bool:
    """Whether the cashier types the price of the article; it is False where there are several
    variants."""
    return row.asks_price and row.articles == 1


class TilePictures:
    """Keeps the pictures that were loaded last, in the size of a tile."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pictures: OrderedDict[Path, QPixmap] = OrderedDict()

    def of(self, path: Path | None) -> QPixmap | None:
        """The picture of a file, or None where the file is missing or unreadable."""
        if path is None:
            return None
        if path not in self._pictures:
            self._pictures[path] = self._load(path)
            if len(self._pictures) > KEPT_PICTURES:
                self._pictures.popitem(last=False)
        picture = self._pictures[path]
        return None if picture.isNull() else picture

    def _load(self, path: Path) -> QPixmap:
        picture = QPixmap(str(path))
        side = 2 * self._theme.metrics.picture
        if picture.isNull() or picture.width() <= side:
            return picture
        return picture.scaledToWidth(side, Qt.TransformationMode.SmoothTransformation)
