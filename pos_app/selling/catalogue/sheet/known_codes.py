"""The codes of the catalogue's articles, by which rows of a sheet find theirs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pos_app.domain.article.barcodes import ArticleCode
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.product_draft import DraftField

_F = DraftField


class KnownCode(NamedTuple):
    sku: int | None
    ean: str | None
    product_id: str
    article_id: str
    makers_code: str | None = None


class KnownCodes:
    """known: the codes of all articles, so that a row reads only its own product from the
    catalogue."""

    def __init__(self, catalogue: Catalogue, known: Iterable[KnownCode]) -> None:
        self._catalogue = catalogue
        self._skus: dict[str, KnownCode | None] = {}
        self._eans: dict[str, KnownCode | None] = {}
        self._makers: dict[str, KnownCode | None] = {}
        """A value is None if several articles have the code."""
        tables = (self._skus, self._eans, self._makers)
        for one in known:
            for table, code in zip(tables, (one.sku, one.ean, one.makers_code), strict=True):
                if code is not None:
                    table[str(code)] = None if str(code) in table else one

    def owner(self, name: DraftField, code: str) -> KnownCode | None:
        """The article with a code; of several the one that the catalogue decides for, and none of
        those with the same maker's code."""
        if name is _F.MANUFACTURER_SKU:
            return self._makers.get(code)
        table = self._skus if name is _F.SKU else self._eans
        found = table.get(code)
        return found if found or code not in table else self._look_up(name, code)

    def owner_of_barcode(self, code: str) -> KnownCode | None:
        for found in self._catalogue.by_code(ArticleCode(code)):
            one = found.article
            if any(bar.code == code for bar in self._catalogue.marks(one.id).barcodes):
                return KnownCode(one.sku, one.ean, one.product_id, one.id)
        return None

    def _look_up(self, name: DraftField, code: str) -> KnownCode | None:
        for found in self._catalogue.by_code(ArticleCode(code)):
            one = found.article
            if (str(one.sku) if name is _F.SKU else one.ean) == code:
                return KnownCode(one.sku, one.ean, one.product_id, one.id)
        return None
