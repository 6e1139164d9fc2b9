"""The labels to be printed for articles, and their words. Source: till.md (Catalogue)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from pos_app.documents.bar_codes import BarCode, bar_code
from pos_app.documents.price_labels import PriceLabel, price_in
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


@dataclass(frozen=True, slots=True)
class DueLabel:
    """A label to be printed for an article. at: the moment from which it holds; UTC."""

    article_id: str
    label: PriceLabel
    at: datetime


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
        DueLabel(article.id, label_of(article), now)
        for product_id in product_ids
        for article in catalogue.variants(product_id)
    ]
    if not only_changed:
        return found
    printed = editor.labels_printed(one.article_id for one in found)
    coming = _with_prices(catalogue, _ready(catalogue, printed, now).values())
    said = {(one.article_id, one.label.all_words) for one in coming}
    said |= {(one.article_id, one.label.all_words) for one in found}
    return [
        one
        for one in found
        if one.article_id not in printed
        or (one.article_id, printed[one.article_id].words) not in said
    ]


def labels_for(
    catalogue: Catalogue, editor: CatalogueEditor, day: date, *, now: datetime, only_new: bool
) -> list[DueLabel]:
    """The labels of the articles whose prices change on a day, with the prices that they come to
    have. only_new: only those of `unprinted`."""
    prices = changes_for(catalogue, editor, day, now=now)
    return _with_prices(
        catalogue, unprinted(catalogue, editor, prices, now=now) if only_new else prices
    )


def _with_prices(catalogue: Catalogue, prices: Iterable[ComingPrice]) -> list[DueLabel]:
    named = ((one, catalogue.article(one.article_id)) for one in prices)
    return [
        DueLabel(article.id, label_of(replace(article, price=one.new)), one.at)
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
            one.article_id: PrintedLabel(one.label.all_words, one.at)
            for one in labels
            if one.at != now or one.article_id not in ready
        }
    )


def _ready(
    catalogue: Catalogue, printed: Mapping[str, PrintedLabel], now: datetime
) -> dict[str, ComingPrice]:
    """The prices yet to come, as they are planned by now, whose labels are printed, by article."""
    last = max((one.at for one in printed.values()), default=now)
    if last <= now:
        return {}
    coming = catalogue.coming_prices(since=now, until=last + timedelta(seconds=1))
    return {
        one.article_id: one
        for one in coming
        if (label := printed.get(one.article_id)) is not None
        and label.at == one.at
        and _says(label, one.new)
    }


def changes_for(
    catalogue: Catalogue, editor: CatalogueEditor, day: date, *, now: datetime
) -> tuple[ComingPrice, ...]:
    """The prices that begin or end on a day. Those of today are with the earlier ones whose printed
    label still says another price: an article that has no label at all is left out once its day is
    over, because its shop may have no labels."""
    begins, ends = beginning_of(day), beginning_of(day + timedelta(days=1))
    prices = catalogue.coming_prices(since=begins, until=ends)
    if day != day_of(now):
        return prices
    earlier = catalogue.coming_prices(since=_EVER, until=begins)
    if not earlier:
        return prices
    hanging = editor.labels_printed(one.article_id for one in earlier)
    labelled = [one for one in earlier if one.article_id in hanging]
    return (*_missing(catalogue, hanging, labelled, now), *prices)


def labels_due(catalogue: Catalogue, editor: CatalogueEditor, now: datetime) -> tuple[date, int]:
    """The day, today or tomorrow, for which labels are missing, and how many: from the day before
    until those of what holds are printed."""
    day, many = day_of(now), 0
    for day in (day_of(now), day_of(now) + timedelta(days=1)):
        prices = changes_for(catalogue, editor, day, now=now)
        many = len(unprinted(catalogue, editor, prices, now=now))
        if many:
            break
    return day, many


def unprinted(
    catalogue: Catalogue, editor: CatalogueEditor, prices: Sequence[ComingPrice], *, now: datetime
) -> list[ComingPrice]:
    """Those whose last printed label says another price, which is not the next one after it. A
    label without a price is of an article whose price the cashier types."""
    printed = editor.labels_printed(one.article_id for one in prices) if prices else {}
    return _missing(catalogue, printed, prices, now)


def _missing(
    catalogue: Catalogue,
    printed: Mapping[str, PrintedLabel],
    prices: Sequence[ComingPrice],
    now: datetime,
) -> list[ComingPrice]:
    missing = [one for one in prices if not _says(printed.get(one.article_id), one.new)]
    ready = _ready(catalogue, printed, now) if any(one.at <= now for one in missing) else {}
    return [one for one in missing if one.at > now or one.article_id not in ready]


def _says(printed: PrintedLabel | None, price: Money | None) -> bool:
    wanted = ("", "" if price is None else amount_text(price))
    return printed is not None and price_in(printed.words) in wanted
