"""The labels to be printed for articles, and their words. Source: till.md (Catalogue)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pos_app.documents.bar_codes import BarCode, bar_code
from pos_app.documents.price_labels import PriceLabel
from pos_app.domain.article.article import Article
from pos_app.domain.money.number_text import NO_BREAK_SPACE, amount_text
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import Catalogue


def label_of(article: Article) -> PriceLabel:
    """The label of an article. It has bars where a scanner would find the article by them."""
    price = "" if article.price is None or article.open_price else amount_text(article.price)
    per = f"за 1{NO_BREAK_SPACE}{article.unit}" if article.by_weight and price else ""
    code = "" if article.sku is None else str(article.sku)
    return PriceLabel(article.name, price, per, code, _bars_of(article))


def _bars_of(article: Article) -> BarCode | None:
    for code in (article.ean, None if article.sku is None else str(article.sku)):
        if code:
            try:
                return bar_code(code)
            except Invalid:
                continue
    return None


def labels_of(catalogue: Catalogue, product_ids: Iterable[str]) -> Iterator[tuple[str, PriceLabel]]:
    for product_id in product_ids:
        for article in catalogue.variants(product_id):
            yield article.id, label_of(article)
