"""The labels to be printed for articles, and their words. Source: till.md (Catalogue)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

from pos_app.documents.bar_codes import BarCode, bar_code
from pos_app.documents.price_labels import PriceLabel
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import NO_BREAK_SPACE, amount_text
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor, PrintedLabel
from pos_app.selling.catalogue.planned_prices import ComingPrice

_EVER = datetime(2000, 1, 1, tzinfo=UTC)


def label_of(article: Article) -> PriceLabel:
    """The label of an article. It has bars where a scanner would find the article by them."""
    price = _price_on_label(article)
    per = f"за 1{NO_BREAK_SPACE}{article.unit}" if article.by_weight and price is not None else ""
    code = "" if article.sku is None else str(article.sku)
    text = "" if price is None else amount_text(price)
    return PriceLabel(article.name, text, per, code, _bars_of(article))


def _price_on_label(article: Article) -> Money | None:
    """None also where the cashier types it."""
    return None if article.open_price else article.price


def _bars_of(article: Article) -> BarCode | None:
    for code in (article.ean, None if article.sku is None else str(article.sku)):
        if code:
            try:
                return bar_code(code)
            except Invalid:
                continue
    return None


@dataclass(frozen=True, slots=True)
class DueLabel:
    """A label to be printed for an article. at: the moment from which it holds; UTC."""

    article_id: str
    label: PriceLabel
    price: Money | None
    at: datetime

    @classmethod
    def of(cls, article: Article, at: datetime) -> DueLabel:
        return cls(article.id, label_of(article), _price_on_label(article), at)


def labels_of(
    catalogue: Catalogue,
    editor: CatalogueEditor,
    product_ids: Iterable[str],
    *,
    now: datetime,
    only_changed: bool,
) -> list[DueLabel]:
    """The labels of products as they are now. only_changed: without those that were printed so, or
    whose next one hangs ready: a label that comes later is not undone by this one."""
    found = [
        DueLabel.of(article, now)
        for product_id in product_ids
        for article in catalogue.variants(product_id)
    ]
    if not only_changed:
        return found
    printed = editor.labels_printed(one.article_id for one in found)
    coming = _with_prices(catalogue, _ready(catalogue, printed, now).values())
    said = {(one.article_id, one.label.all_words) for one in (*coming, *found)}
    return [
        one
        for one in found
        if one.article_id not in printed
        or (one.article_id, printed[one.article_id].words) not in said
    ]


def labels_for(catalogue: Catalogue, day: date, *, now: datetime, only_new: bool) -> list[DueLabel]:
    """The labels of the articles whose prices change on a day, with the prices that they come to
    have. only_new: only those that are missing."""
    prices = changes_for(catalogue, day, now=now)
    return _with_prices(catalogue, (one for one in prices if one.is_missing or not only_new))


def _with_prices(catalogue: Catalogue, prices: Iterable[ComingPrice]) -> list[DueLabel]:
    named = ((one, catalogue.article(one.article_id)) for one in prices)
    return [
        DueLabel.of(replace(article, price=one.new), one.at)
        for one, article in named
        if article is not None
    ]


def note_printed(
    catalogue: Catalogue, editor: CatalogueEditor, labels: Sequence[DueLabel], *, now: datetime
) -> None:
    """Remember what was printed. Who prints the label of now once more has the next one ready as
    before."""
    ready = _ready(catalogue, editor.labels_printed(one.article_id for one in labels), now)
    editor.note_labels(
        {
            one.article_id: PrintedLabel(one.label.all_words, one.at, one.price)
            for one in labels
            if one.at != now or one.article_id not in ready
        }
    )


def _ready(
    catalogue: Catalogue, printed: Mapping[str, PrintedLabel], now: datetime
) -> dict[str, ComingPrice]:
    """The prices yet to come, as they are planned by now, whose labels are printed, by article."""
    last = max((one.at for one in printed.values()), default=now)
    coming = catalogue.coming_prices(since=now, until=last + timedelta(seconds=1), now=now)
    return {
        one.article_id: one
        for one in coming
        if one.is_ready and one.at > now and one.article_id in printed
    }


def changes_for(catalogue: Catalogue, day: date, *, now: datetime) -> tuple[ComingPrice, ...]:
    """The prices that begin or end on a day. Those of today are with the earlier ones whose printed
    label still says another price: an article that has no label at all is left out once its day is
    over, because its shop may have no labels."""
    begins, ends = beginning_of(day), beginning_of(day + timedelta(days=1))
    prices = catalogue.coming_prices(since=begins, until=ends, now=now)
    if day != day_of(now):
        return prices
    earlier = catalogue.coming_prices(since=_EVER, until=begins, now=now)
    return (*(one for one in earlier if one.is_missing and one.is_labelled), *prices)


def labels_due(catalogue: Catalogue, now: datetime) -> tuple[date, int]:
    """The day, today or tomorrow, for which labels are missing, and how many, as `changes_for` has
    them: from the day before until those of what holds are printed."""
    today, missing = day_of(now), partial(catalogue.labels_missing, now=now)
    begin, end, last = (beginning_of(today + timedelta(days=number)) for number in range(3))
    many = missing(since=begin, until=end)
    many += missing(since=_EVER, until=begin, only_labelled=True)
    return (today, many) if many else (day_of(end), missing(since=end, until=last))
