"""A change of many articles makes what a person saw, whatever another program writes between the
press and the row: the others stay and are named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.cases.catalogue import CatalogueEdits
from pos_app.cashier.catalogue.bulk import BulkKind, BulkPanel
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.bulk_act import ActKind, ActState, BulkAct
from pos_app.selling.catalogue.bulk_change import PriceByPercent
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import planned_rows as bulk_rows
from tests.gui.catalogue.screens import change, delisted, opened, relisted, without_category
from tests.gui.catalogue.test_catalogue import begin_visit, came, ended, price_of
from tests.gui.catalogue.test_import import choose, notice_key, page_of, written
from tests.gui.parts import lines_of, notices_in, visible_parts
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


async def previewed(hands: Hands, kind: BulkKind, *codes: str) -> tuple[CatalogueScreen, BulkPanel]:
    """The preview of a change of these articles."""
    screen = opened(hands.shop, hands.window)
    for code in codes:
        screen.model.listed.tick(hands.shop.row(code).product_id)
    hands.tap(screen.band.changes[kind])
    page = screen.bulk
    assert page is not None
    if kind is BulkKind.PRICE:
        hands.type("10")
    else:
        buttons = page.labels.group.buttons()
        hands.tap(buttons[[*TaxLabel].index(TaxLabel.G)])
    await came(page.do.isEnabled)
    await seen()
    return screen, page


def is_named(screen: CatalogueScreen, name: str) -> bool:
    said = "\n".join(notices_in(screen.notices))
    return f"артикал је мењан после тога и остаје како јесте: {name}" in said


@pytest.mark.deadline(120)
async def test_what_comes_after_the_press_stays(hands: Hands, shop_data: Path) -> None:
    """A price and a label that nobody saw, and an article that goes."""
    screen, _ = await previewed(hands, BulkKind.PRICE, CHEESE, BREAD)
    with before_the_rows(shop_data):
        hands.press("Enter")
        synchronised(hands)
    await ended(screen)
    assert price_of(hands, CHEESE) == Money(1099), "nobody saw what becomes of this price"
    assert price_of(hands, BREAD) == Money("64.89")
    assert is_named(screen, hands.shop.row(CHEESE).name), notices_in(screen.notices)
    hands.press("Esc")
    screen, page = await previewed(hands, BulkKind.LABEL, COFFEE, MILK)
    with before_the_rows(shop_data):
        hands.tap(page.do)
        typed_elsewhere(hands, COFFEE)
    await ended(screen)
    labels = {code: hands.shop.row(code).label for code in (COFFEE, MILK)}
    assert labels == {COFFEE: TaxLabel.A, MILK: TaxLabel.G}
    assert is_named(screen, hands.shop.row(COFFEE).name), notices_in(screen.notices)
    hands.press("Esc")
    screen, page = await previewed(hands, BulkKind.PRICE, "21", "22")
    name = hands.shop.row("21").name
    with before_the_rows(shop_data):
        hands.tap(page.do)
        delisted(hands.shop, "21")
    await ended(screen)
    assert price_of(hands, "22") == Money("76.99")
    assert is_named(screen, name), notices_in(screen.notices)


async def test_what_changes_after_the_question_is_not_deleted(
    hands: Hands, shop_data: Path
) -> None:
    """After its press too."""
    for when, code, other in (("asked", CHEESE, BREAD), ("pressed", COFFEE, MILK)):
        screen = opened(hands.shop, hands.window)
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
    """What the table or the form shows anew while the question stands is deleted; what neither
    shows yet is not."""
    screen = opened(hands.shop, hands.window)
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


@pytest.mark.qt_log_ignore("This plugin does not support")
async def test_a_category_that_goes_after_the_press_is_given_to_no_article(
    hands: Hands, shop_data: Path
) -> None:
    screen = opened(hands.shop, hands.window)
    row = hands.shop.row(BREAD)
    screen.model.listed.tick(row.product_id)
    hands.tap(screen.band.changes[BulkKind.CATEGORY])
    page = screen.bulk
    assert page is not None
    choose(hands, page.category, "Млечно", "mouse")
    await came(page.do.isEnabled)
    await seen()
    before = row.category_ids
    with before_the_rows(shop_data):
        hands.tap(page.do)
        without_category(hands.shop, "Млечно")
    await ended(screen)
    assert hands.shop.row(BREAD).category_ids == before
    assert is_named(screen, row.name), notices_in(screen.notices)


async def test_an_import_names_the_row_that_was_changed_before_the_press(hands: Hands) -> None:
    """It is no mistake of the file, and of an import that made nothing nothing is taken back."""
    screen, _ = await previewed(hands, BulkKind.PRICE, MILK)
    hands.press("Enter")
    await ended(screen)
    path = written(hands, "Шифра;Цена", f"{CHEESE};900", "6;abc", "7;abd", "1;x")
    page = await page_of(screen, path)
    synchronised(hands)
    await came(page.do.isEnabled)
    hands.press("Enter")
    await ended(screen)
    assert price_of(hands, CHEESE) == Money(1099)
    said = "\n".join(notices_in(screen.notices))
    assert "3 реда су изостављена због грешке" in said
    assert is_named(screen, hands.shop.row(CHEESE).name), said
    words = [one.spec.words for one in visible_parts(screen.notices, Button)]
    assert "Врати измене" not in words, "it would take another change back"
    assert "Сачувај одбијене редове" in words


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


def test_an_act_that_is_carried_on_by_itself_asks_for_no_decision(shop: Shop) -> None:
    """An import was cut by a kill: it goes on, and nobody has to do anything about it."""
    act = BulkAct(ActKind.IMPORT, "x", "Мира", shop.clock.now(), ActState.RUNNING, 3_000, 800, 800)
    shop.desk.begin_act(act)
    shop.desk.keep_act(act)
    shop.desk.keep_act(BulkAct(act.kind, "x", "Мира", act.at, ActState.RESUMED, 3_000, 800, 800))
    source = CatalogueEdits(shop.services)
    reading = case.Reading(shop.clock.now(), thorough=True, doubts=(), drawer=None)
    (found,) = source.cases(reading)
    assert found.group is not case.CaseGroup.NEEDS_YOU
