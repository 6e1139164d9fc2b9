"""A manager scans one label of a scale: what each layout would sell for it, to choose the right
one. Source: till.md ("Weight and price codes")."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product

from pos_app.domain.article.barcodes import CodeRules, check_digit_fits, classify
from pos_app.domain.article.scale_labels import (
    DIGITS,
    DIGITS_OF_ARTICLE,
    LabelValue,
    PriceCode,
    ScaleLayout,
    WeightCode,
    may_be_label,
)
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, FoundArticle
from pos_app.selling.catalogue.codes import ReadCode, found_by

MOST_READINGS = 8
USUAL_DIGITS = 5
"""The digits of an article on most labels."""


@dataclass(frozen=True, slots=True)
class LabelReading:
    """What a label sells by a layout: an article with its quantity or total."""

    layout: ScaleLayout
    pack: FoundArticle


def label_readings(code: str, rules: CodeRules, catalogue: Catalogue) -> tuple[LabelReading, ...]:
    """The layouts by which a label names an article of the catalogue, the likeliest first: the
    present one, then those with as many digits of an article, then the others. Of layouts that sell
    the same for it one is told; none for a code that no scale prints.

    Raises DatabaseBusy, DatabaseDamaged.
    """
    if not (may_be_label(code) and check_digit_fits(code)):
        return ()
    present = rules.scale.layout_of(code)
    told = dict[FoundArticle, LabelReading]()
    for layout in (*([present] if present else []), *_layouts(code[:2])):
        for pack in _packs(code, layout, rules, catalogue):
            told.setdefault(pack, LabelReading(layout, pack))
    digits = present.article_digits if present else USUAL_DIGITS

    def distance(reading: LabelReading) -> tuple[bool, int, bool]:
        layout = reading.layout
        others = abs(layout.article_digits - digits)
        return layout != present, others, layout.value is not LabelValue.GRAMS

    return tuple(sorted(told.values(), key=distance)[:MOST_READINGS])


def _layouts(prefix: str) -> Iterator[ScaleLayout]:
    for digits, verifier, value in product(DIGITS_OF_ARTICLE, ("", "V"), LabelValue):
        begin = f"{prefix}{'A' * digits}{verifier}"
        with suppress(Invalid):  # six digits of an article leave too few for a verified value
            yield ScaleLayout.of(begin.ljust(DIGITS, value))


def _packs(
    code: str, layout: ScaleLayout, rules: CodeRules, catalogue: Catalogue
) -> tuple[FoundArticle, ...]:
    meant = classify(code, replace(rules, scale=replace(rules.scale, layouts=(layout,))))
    if not isinstance(meant, WeightCode | PriceCode):
        return ()
    is_count = layout.value is LabelValue.PIECES
    return tuple(
        one
        for one in found_by(ReadCode(code, meant), catalogue)
        if one.is_pack and one.refusal is None and not (is_count and one.article.by_weight)
    )
