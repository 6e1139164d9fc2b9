"""A change of many articles makes what a person saw, whatever another program writes between the
press and the row: the others stay and are named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.cashier.catalogue.bulk import BulkKind, BulkPanel
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.bulk_change import PriceByPercent
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import planned_rows as bulk_rows
from tests.gui.catalogue.screens import change, delisted, relisted, visited
from tests.gui.catalogue.test_catalogue import begin_visit, came, ended, price_of
from tests.gui.catalogue.test_import import notice_key
from tests.gui.parts import lines_of, notices_in
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, CHEESE, COFFEE, MILK, Shop

HELD = "held"
"""While a shop's folder has this file, a process that works on its articles does not begin."""
WAITS = 'while [ -e "$0" ]; do sleep 0.01; done; exec "$@"'


@pytest.fixture
def shop(shop_data: Path) -> Iterator[Shop]:
    command = ("sh", "-c", WAITS, str(shop_data / HELD), *child(CATALOGUE_FILES))
    made = Shop(shop_data, file_work=command)
    yield made
    made.close()


@contextmanager
def before_the_rows(shop_data: Path) -> Iterator[None]:
    """What is pressed within begins with its rows only after it."""
    (shop_data / HELD).touch()
    yield
    (shop_data / HELD).unlink()


def synchronised(hands: Hands, code: str = CHEESE) -> None:
    relisted(hands.shop, code, price=1099.0, taxRateLabel="А")


def typed_elsewhere(hands: Hands, code: str) -> None:
    article = hands.shop.catalogue.article(hands.shop.row(code).article_id or "")
    assert article is not None
    change(hands.shop, article, {"price": Money(1099), "tax_label": TaxLabel.A})


async def previewed(hands: Hands, kind: BulkKind, *codes: str) -> tuple[Any, BulkPanel]:
    """The preview of a change of these articles, with all that was written before."""
    screen = visited(hands.shop, hands.window)
    for code in codes:
        screen.model.listed.tick(hands.shop.row(code).product_id)
    hands.tap(screen.band.changes[kind])
    page = screen.bulk
    if kind is BulkKind.PRICE:
        hands.type("10")
    else:
        buttons = page.labels.group.buttons()
        hands.tap(buttons[[*TaxLabel].index(TaxLabel.G)])
    is_outdated = True
    while is_outdated:
        await came(page.do.isEnabled)
        await seen()
        is_outdated = screen.model.reload_if_outdated()
    return screen, page


def is_named(screen: Any, name: str) -> bool:
    said = "\n".join(notices_in(screen.notices))
    return f"артикал је мењан после тога и остаје како јесте: {name}" in said


def gone(hands: Hands, code: str) -> None:
    delisted(hands.shop, code)


@pytest.mark.deadline(120)
async def test_what_comes_after_the_press_stays(hands: Hands, shop_data: Path) -> None:
    """A price and a label that nobody saw, and an article that goes."""
    for kind, changed, other, comes in (
        (BulkKind.PRICE, "21", "22", gone),
        (BulkKind.LABEL, COFFEE, MILK, typed_elsewhere),
        (BulkKind.PRICE, CHEESE, BREAD, synchronised),
    ):
        screen, page = await previewed(hands, kind, changed, other)
        name = hands.shop.row(changed).name
        with before_the_rows(shop_data):
            hands.tap(page.do)
            comes(hands, changed)
        await ended(screen)
        assert is_named(screen, name), notices_in(screen.notices)
        hands.press("Esc")
    assert price_of(hands, CHEESE) == Money(1099), "nobody saw what becomes of this price"
    assert (price_of(hands, BREAD), price_of(hands, "22")) == (Money("64.89"), Money("76.99"))
    labels = {code: hands.shop.row(code).label for code in (COFFEE, MILK)}
    assert labels == {COFFEE: TaxLabel.A, MILK: TaxLabel.G}


async def test_what_changes_after_the_question_is_not_deleted(
    hands: Hands, shop_data: Path
) -> None:
    """After its press too."""
    for when, code, other in (("asked", CHEESE, BREAD), ("pressed", COFFEE, MILK)):
        screen = visited(hands.shop, hands.window)
        for one in (code, other):
            screen.model.listed.tick(hands.shop.row(one).product_id)
        hands.tap(screen.band.delete)
        yes = notice_key(screen, "Обриши")
        await came(yes.isEnabled)
        await seen()
        if when == "asked":
            synchronised(hands, code)
        with before_the_rows(shop_data):
            hands.tap(yes)
            if when == "pressed":
                synchronised(hands, code)
        await ended(screen)
        assert price_of(hands, code) == Money(1099)
        assert not hands.shop.catalogue.by_code(ArticleCode(other))
        assert is_named(screen, hands.shop.row(code).name), notices_in(screen.notices)
        hands.press("Esc")
        screen.model.listed.untick()


async def test_a_deletion_is_of_what_is_seen(hands: Hands) -> None:
    """What the table or the form shows anew while the question stands is deleted."""
    screen = visited(hands.shop, hands.window)
    screen.model.listed.tick(hands.shop.row(CHEESE).product_id)
    hands.tap(screen.band.delete)
    synchronised(hands)
    screen.tick()
    yes = notice_key(screen, "Обриши")
    await came(yes.isEnabled)
    await seen()
    hands.tap(yes)
    await ended(screen)
    assert not hands.shop.catalogue.by_code(ArticleCode(CHEESE))
    for code, is_seen in ((MILK, True), (COFFEE, False)):
        screen = begin_visit(hands)
        screen.model.open(hands.shop.row(code).product_id)
        hands.tap(screen.editor.delete)
        yes = notice_key(screen, "Обриши")
        synchronised(hands, code)
        if is_seen:
            screen.tick()
        hands.tap(notice_key(screen, "Обриши") if is_seen else yes)
        assert bool(hands.shop.catalogue.by_code(ArticleCode(code))) is not is_seen
    words = f"„{hands.shop.row(COFFEE).name}“ је мењан после тога и није обрисан"
    assert words in lines_of(screen.editor), "its form stands open, with what it is now"


async def test_only_the_change_that_was_asked_about_is_taken_back(hands: Hands) -> None:
    """Another change of many articles ends while the question stands, as that of labels does."""
    screen, page = await previewed(hands, BulkKind.PRICE, CHEESE, BREAD)
    hands.tap(page.do)
    await ended(screen)
    hands.tap(notice_key(screen, "Врати измене"))
    yes = notice_key(screen, "Врати измене")
    milk = hands.shop.row(MILK)
    rows = bulk_rows(hands.shop.catalogue, [milk.product_id], PriceByPercent(Decimal(10)))
    work = hands.shop.catalogue_files.change(rows, by="Ана")
    await came(lambda: work.result() is not None)
    raised = price_of(hands, MILK)
    assert raised != milk.price
    hands.tap(yes)
    await came(lambda: screen.work is None)
    assert price_of(hands, MILK) == raised, "nobody was asked about this one"
    assert price_of(hands, BREAD) == Money("64.89")
    assert any("Вратити измену 1 артикла" in one for one in notices_in(screen.notices))
