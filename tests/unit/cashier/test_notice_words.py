"""A notice says what can really be done about it."""

from __future__ import annotations

import pytest

from pos_app.cashier.sale.notices import ActFailed, NoSuchCode
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.article.article import Article
from pos_app.errors import DiskFull
from tests.fakes.till import article

ANY_GOODS: tuple[Article, ...] = (article(),)


@pytest.mark.parametrize("may_create", [True, False])
@pytest.mark.parametrize("open_price", [(), ANY_GOODS], ids=["no open price", "open price"])
def test_an_unknown_code_is_sold_at_a_typed_price_only_where_that_can_be(
    may_create: bool, open_price: tuple[Article, ...]
) -> None:
    words = Texts()
    told = NoSuchCode("123", None, may_create, open_price).words(words)
    assert ("коју укуцате" in told.safe) is bool(open_price)
    assert ("Унесите га као нови артикал" in told.safe) is may_create


def test_a_full_disk_says_that_the_scanned_article_was_not_added() -> None:
    words = Texts()
    full = DiskFull(what="The disk is full.")
    assert ActFailed(full, adding=True).words(words).safe.startswith("Артикал није додат")
    told = ActFailed(full).words(words).safe
    assert told == "Што је раније потврђено, сачувано је; ово није сачувано."
