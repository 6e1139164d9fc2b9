"""Work on many articles does what it tells in numbers; what was cut is carried on or decided."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.cases.catalogue import CatalogueEdits
from pos_app.cashier.catalogue.bulk import BulkKind
from pos_app.cashier.catalogue.view import CatalogueRoom
from pos_app.cashier.ui.labels import Label
from pos_app.domain.money.money import Money
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.gui.catalogue.screens import change, visited
from tests.gui.catalogue.test_catalogue import came, ended, price_of
from tests.gui.catalogue.test_import import notice_key, page_of, written
from tests.gui.parts import notices_in, visible_parts
from tests.gui.window.hands import Hands, SellIn, put_away
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK, Shop, copied

HELD = "held"
"""While a shop's folder has this file, a process that works on its articles does not begin."""
WAITS = 'while [ -e "$0" ]; do sleep 0.01; done; exec "$@"'


def cases_of(shop: Shop) -> list[case.Case]:
    source = CatalogueEdits(shop.services)
    return [*source.cases(case.Reading(shop.clock.now(), thorough=True, doubts=(), drawer=None))]


def _priced_zero(hands: Hands, code: str) -> str:
    row = hands.shop.row(code)
    article = hands.shop.catalogue.article(row.article_id or "")
    assert article is not None
    change(hands.shop, article, {"price": Money(0)})
    return row.name


async def test_a_change_of_prices_names_the_articles_that_stay_before_it_is_done(
    hands: Hands,
) -> None:
    screen = visited(hands.shop, hands.window)
    free = [_priced_zero(hands, code) for code in (BREAD, CHEESE)]
    screen.tick()
    hands.tap(screen.area.head.tick)

    def told() -> str:
        return " ".join(one.text() for one in visible_parts(screen.bulk, Label))

    async def read() -> None:
        """Type a percentage, and wait until it is told what becomes of each article."""
        hands.tap(screen.band.changes[BulkKind.PRICE])
        hands.type("1")
        panel = screen.bulk
        assert panel is not None
        assert "чита се" in told() or "се мењају" in told()  # or it is read already
        await came(lambda: "→" in told())
        await came(panel.do.isEnabled)

    await read()
    assert "422 артикла се мењају. 3 остају: без цене (Разно 10 %, Разно 20 %," in told()
    assert "2 остају: цена је 0" in told()
    assert all(name in told() for name in free)
    hands.press("Esc")
    hands.tap(screen.area.head.tick)
    for code in (BREAD, CHEESE, BUREK, MILK):
        screen.model.listed.tick(hands.shop.row(code).product_id)
    await read()
    assert "2 артикла се мењају. 2 остају: цена је 0" in told()
    hands.press("Enter")
    await ended(screen)
    assert screen.model.many.outcome.changed == 2


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("begun", "Увоз артикала: ништа није урађено, каталог је какав је био."),
        ("made", "Увезен је 1 артикал."),
    ],
)
async def test_an_import_whose_end_the_till_did_not_tell_is_told_at_the_next_opening(
    shop_data: Path, tmp_path: Path, sell_in: SellIn, when: str, said: str
) -> None:
    """The till is killed before the first write, or as all was written and nobody saw it."""
    held = shop_data / HELD
    shop = Shop(shop_data, file_work=("sh", "-c", WAITS, str(held), *child(CATALOGUE_FILES)))
    hands = sell_in(shop)
    page = await page_of(visited(shop, hands.window), written(hands, "Šifra;Cena", "1;60,00"))
    if when == "begun":
        held.touch()
    hands.tap(page.do)
    room = hands.window.frame.room("catalogue")
    assert isinstance(room, CatalogueRoom)
    hands.window.frame.go_home()
    if when == "made":
        await came(lambda: room.long_work.work is None)
    later = copied(shop_data, tmp_path / "later")
    held.unlink(missing_ok=True)
    await came(lambda: room.long_work.work is None)
    put_away(hands)
    shop.close()
    (later / HELD).unlink(missing_ok=True)
    with closing(Shop(later, file_work=child(CATALOGUE_FILES))) as again:
        hands = sell_in(again)
        await came(lambda: cases_of(again))
        (told,) = cases_of(again)
        assert told.title(hands.window.texts) == said
        screen = visited(again, hands.window)
        assert any(said in one for one in notices_in(screen.notices))
        assert price_of(hands, BREAD) == Money(60 if when == "made" else "58.99")
        if when == "made":
            hands.tap(notice_key(screen, "Врати измене"))
            hands.tap(notice_key(screen, "Врати измене"))
            await ended(screen)
            assert price_of(hands, BREAD) == Money("58.99")
        hands.press("Esc")
        assert cases_of(again) == []
        assert again.desk.bulk_act() is None
        put_away(hands)
