"""The labels to be printed for articles, and their words. Source: till.md (Catalogue)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from pos_app.documents.bar_codes import BarCode, bar_code
from pos_app.documents.price_labels import PriceLabel, price_in
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import NO_BREAK_SPACE, amount_text
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor
from pos_app.selling.catalogue.planned_prices import ComingPrice


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


def coming_labels(
    catalogue: Catalogue, prices: Iterable[ComingPrice]
) -> Iterator[tuple[str, PriceLabel]]:
    """The labels of articles with the prices that they come to have."""
    for one in prices:
        article = catalogue.article(one.article_id)
        if article is not None:
            yield one.article_id, label_of(replace(article, price=one.new))


def coming_on(catalogue: Catalogue, day: date) -> tuple[ComingPrice, ...]:
    return catalogue.coming_prices(
        since=beginning_of(day), until=beginning_of(day + timedelta(days=1))
    )


def unprinted_tomorrow(catalogue: Catalogue, editor: CatalogueEditor, now: datetime) -> int:
    """How many articles cost something else from tomorrow on, and have no such label yet."""
    tomorrow = day_of(now) + timedelta(days=1)
    return len(unprinted(editor, coming_on(catalogue, tomorrow)))


def unprinted(editor: CatalogueEditor, prices: Sequence[ComingPrice]) -> list[ComingPrice]:
    """Those whose last printed label says another price. A label without one is of an article whose
    price the cashier types."""
    if not prices:
        return []
    printed = editor.labels_printed(one.article_id for one in prices)
    return [one for one in prices if not _says(printed.get(one.article_id), one.new)]


def _says(words: str | None, price: Money | None) -> bool:
    printed = None if words is None else price_in(words)
    return printed is not None and printed in ("", "" if price is None else amount_text(price))
