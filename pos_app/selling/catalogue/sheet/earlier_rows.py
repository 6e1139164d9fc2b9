"""Knows the articles of earlier rows of a sheet, so that a row with a further barcode can join its
article.

Old tills write one row for each barcode: the same code and name again with another EAN, or the EAN
alone below its article. Source: till.md (Catalogue: import).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pos_app.errors import Invalid
from pos_app.selling.catalogue.product_draft import DraftField, read_sku

_F = DraftField
_CODES = frozenset({_F.SKU, _F.EAN, _F.BARCODES})


class EarlierRow(NamedTuple):
    """A row that was read. product_id: "" if the row is bad. texts_digest: the digest of all its
    texts but the codes; named: the digest of its name alone."""

    number: int
    product_id: str
    article_id: str
    texts_digest: int
    named: int

    @property
    def is_bad(self) -> bool:
        return not self.product_id


class EarlierRows:
    def __init__(self) -> None:
        self._by_code: dict[str, int] = {}
        """The number of the first row with a code: "sku 12", "ean 96385074"."""
        self._rows: dict[int, EarlierRow] = {}
        """Rows with an article code, by number."""
        self._last: EarlierRow | None = None

    def add(
        self, number: int, values: Mapping[str, str], *, product_id: str, article_id: str
    ) -> None:
        row = EarlierRow(number, product_id, article_id, _texts_digest(values), _named(values))
        self._last = row
        if values.get(_F.SKU):
            self._rows[number] = row

    def first_with(self, name: DraftField, code: str, number: int) -> int:
        """Return the number of the first row with a code; this row's if no earlier row has it."""
        return self._by_code.setdefault(f"{name} {code}", number)

    def joined_by(self, values: Mapping[str, str], *, below_article: bool) -> EarlierRow | None:
        """The row whose article gets the barcodes of this one; it is None where this row has an
        article of its own.

        below_article: rows of this sheet have more than barcodes, so that a row with nothing else
        belongs to the article above it.

        | row                          | what is joined          |
        | 12 · Сок · 90,00 · 8600…144  | a row of its own        |
        | 12 · Сок · 90,00 · 8600…151  | row 1                   |
        | 12 ·     ·       · 8600…168  | row 1                   |
        |    ·     ·       · 8600…175  | row 1: it is the last   |
        | 12 · Чај · 90,00 · 8600…182  | none: it has a code twice |
        """
        if not values.get(_F.EAN) and not values.get(_F.BARCODES):
            return None
        if not values.keys() - {_F.EAN, _F.BARCODES, _F.TAX_LABEL} and below_article:
            return self._last
        try:
            number = self._by_code.get(f"{_F.SKU} {read_sku(values.get(_F.SKU, ''))}")
        except Invalid:
            return None
        first = self._rows.get(number) if number is not None else None
        if first is None:
            return None
        digest = _texts_digest(values)
        return first if digest in (_NOTHING, first.texts_digest, first.named) else None


def _texts_digest(values: Mapping[str, str]) -> int:
    return hash(tuple(sorted((key, values[key]) for key in values.keys() - _CODES)))


def _named(values: Mapping[str, str]) -> int:
    return _texts_digest({_F.NAME: values.get(_F.NAME, "")})


_NOTHING = _texts_digest({})
