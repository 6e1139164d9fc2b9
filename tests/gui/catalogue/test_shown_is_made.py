"""A change of many articles makes what a person saw, whatever another program writes between the
press and the row: the others stay and are named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from tests.gui.catalogue.test_catalogue import came, ended, price_of
from tests.gui.catalogue.test_import import choose, notice_key, page_of, written
from tests.gui.parts import lines_of, notices_in, visible_parts
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, CHEESE, MILK, Shop
from tests.sweep import sampled

BY = pytest.mark.parametrize("by", sampled(["keys", "mouse"]))
Other = Callable[[Hands], None]
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


def synchronised(hands: Hands) -> None:
    relisted(hands.shop, CHEESE, price=1099.0, taxRateLabel="А")


def typed_elsewhere(hands: Hands) -> None:
    article = hands.shop.catalogue.article(hands.shop.row(CHEESE).article_id or "")
    assert article is not None
    change(hands.shop, article, {"price": Money(1099), "tax_label": TaxLabel.A})


OTHERS = pytest.mark.parametrize("other", sampled([synchronised, typed_elsewhere]))


async def previewed(hands: Hands, kind: BulkKind, *codes: str) -> tuple[CatalogueScreen, BulkPanel]:
    """The preview of a change of these articles, else of cheese and bread."""
    screen = opened(hands.shop, hands.window)
    for code in codes or (CHEESE, BREAD):
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


def press(hands: Hands, button: Button, by: str) -> None:
    if by == "mouse":
        hands.tap(button)
    else:
        hands.press("Enter")


def is_named(screen: CatalogueScreen, name: str) -> bool:
    said = "\n".join(notices_in(screen.notices))
    return f"артикал је мењан после тога и остаје како јесте: {name}" in said


@OTHERS
@BY
async def test_a_price_that_comes_after_the_press_stays(
    hands: Hands, shop_data: Path, by: str, other: Other
) -> None:
    screen, page = await previewed(hands, BulkKind.PRICE)
    with before_the_rows(shop_data):
        press(hands, page.do, by)
        other(hands)
    await ended(screen)
    assert price_of(hands, CHEESE) == Money(1099), "nobody saw what becomes of this price"
    assert price_of(hands, BREAD) == Money("64.89")
    assert is_named(screen, hands.shop.row(CHEESE).name), notices_in(screen.notices)


@OTHERS
async def test_a_label_that_comes_after_the_press_stays(
    hands: Hands, shop_data: Path, other: Other
) -> None:
    screen, page = await previewed(hands, BulkKind.LABEL)
    with before_the_rows(shop_data):
        hands.tap(page.do)
        other(hands)
    await ended(screen)
    labels = {code: hands.shop.row(code).label for code in (CHEESE, BREAD)}
    assert labels == {CHEESE: TaxLabel.A, BREAD: TaxLabel.G}
    assert is_named(screen, hands.shop.row(CHEESE).name), notices_in(screen.notices)


async def test_an_article_that_goes_after_the_press_is_named(hands: Hands, shop_data: Path) -> None:
    screen, page = await previewed(hands, BulkKind.PRICE)
    name = hands.shop.row(CHEESE).name
    with before_the_rows(shop_data):
        hands.tap(page.do)
        delisted(hands.shop, CHEESE)
    await ended(screen)
    assert price_of(hands, BREAD) == Money("64.89")
    assert is_named(screen, name), notices_in(screen.notices)


@OTHERS
@pytest.mark.parametrize("when", sampled(["asked", "pressed"]))
async def test_what_changes_after_the_question_is_not_deleted(
    hands: Hands, shop_data: Path, other: Other, when: str
) -> None:
    screen = opened(hands.shop, hands.window)
    for code in (CHEESE, BREAD):
        screen.model.listed.tick(hands.shop.row(code).product_id)
    hands.tap(screen.band.delete)
    yes = notice_key(screen, "Обриши")
    await came(yes.isEnabled)
    await seen()
    if when == "asked":
        other(hands)
    with before_the_rows(shop_data):
        hands.tap(yes)
        if when == "pressed":
            other(hands)
    await ended(screen)
    assert price_of(hands, CHEESE) == Money(1099)
    assert not hands.shop.catalogue.by_code(ArticleCode(BREAD))
    assert is_named(screen, hands.shop.row(CHEESE).name), notices_in(screen.notices)


async def test_a_deletion_is_asked_about_the_rows_that_are_seen(hands: Hands) -> None:
    """The table shows a new price while the question stands: that article is deleted as well."""
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


@OTHERS
def test_one_article_that_changes_after_the_question_is_not_deleted(
    hands: Hands, other: Other
) -> None:
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    hands.tap(screen.editor.delete)
    yes = notice_key(screen, "Обриши")
    other(hands)
    hands.tap(yes)
    assert price_of(hands, CHEESE) == Money(1099), "nobody saw the article that it is now"
    words = f"„{hands.shop.row(CHEESE).name}“ је мењан после тога и није обрисан"
    assert words in lines_of(screen.editor), "its form stands open, with what it is now"


def test_one_article_is_deleted_as_its_form_shows_it(hands: Hands) -> None:
    """The form shows a new price while the question stands: that article is deleted."""
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    hands.tap(screen.editor.delete)
    synchronised(hands)
    screen.tick()
    hands.tap(notice_key(screen, "Обриши"))
    assert not hands.shop.catalogue.by_code(ArticleCode(CHEESE))


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
    before = hands.shop.catalogue.product(row.product_id)
    with before_the_rows(shop_data):
        hands.tap(page.do)
        without_category(hands.shop, "Млечно")
    await ended(screen)
    after = hands.shop.catalogue.product(row.product_id)
    assert before is not None
    assert after is not None
    assert after.categories == before.categories
    assert is_named(screen, row.name), notices_in(screen.notices)


@OTHERS
async def test_an_import_names_the_row_that_was_changed_before_the_press(
    hands: Hands, other: Other
) -> None:
    """It is no mistake of the file, and of an import that made nothing nothing is taken back."""
    screen, _ = await previewed(hands, BulkKind.PRICE, MILK)
    hands.press("Enter")
    await ended(screen)
    article = hands.shop.catalogue.article(hands.shop.row(CHEESE).article_id or "")
    assert article is not None
    path = written(hands, "Шифра;Цена", f"{CHEESE};900", "6;abc", "7;abd", "1;x")
    page = await page_of(screen, path)
    other(hands)
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
    screen, page = await previewed(hands, BulkKind.PRICE)
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


def test_an_act_that_is_carried_on_by_itself_asks_for_no_decision(hands: Hands) -> None:
    """An import was cut by a kill: it goes on, and nobody has to do anything about it."""
    shop = hands.shop
    act = BulkAct(ActKind.IMPORT, "x", "Мира", shop.clock.now(), ActState.RUNNING, 3_000, 800, 800)
    shop.desk.begin_act(act)
    shop.desk.keep_act(act)
    shop.desk.keep_act(BulkAct(act.kind, "x", "Мира", act.at, ActState.RESUMED, 3_000, 800, 800))
    source = CatalogueEdits(shop.services)
    reading = case.Reading(shop.clock.now(), thorough=True, doubts=(), drawer=None)
    (found,) = source.cases(reading)
    assert found.group is not case.CaseGroup.NEEDS_YOU
