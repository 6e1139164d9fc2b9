"""What a change of many articles and an export tell in numbers is what they do."""

from __future__ import annotations

import csv
from pathlib import Path

from pos_app.cashier.catalogue.bulk import BulkKind
from pos_app.cashier.ui.labels import Label
from pos_app.domain.money.money import Money
from tests.gui.catalogue.screens import change, opened
from tests.gui.catalogue.test_catalogue import came, ended
from tests.gui.parts import notices_in, visible_parts
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK


def _priced_zero(hands: Hands, code: str) -> str:
    row = hands.shop.row(code)
    article = hands.shop.catalogue.article(row.article_id or "")
    assert article is not None
    change(hands.shop, article, {"price": Money(0)})
    return row.name


async def test_a_change_of_prices_names_the_articles_that_stay_before_it_is_done(
    hands: Hands,
) -> None:
    screen = opened(hands.shop, hands.window)
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


async def test_an_export_counts_the_articles(hands: Hands, tmp_path: Path) -> None:
    """As the table does; a row of the file may be a variant."""
    screen = opened(hands.shop, hands.window)
    path = tmp_path / "artikli.csv"
    screen.files.export_to(path)
    await ended(screen)
    with path.open(encoding="utf-8-sig") as file:
        rows = sum(1 for _ in csv.reader(file, delimiter=";")) - 1
    assert rows > screen.model.listed.count == 427
    told = notices_in(screen.notices)[-1]
    assert "427 артикала је уписано у датотеку" in told
    assert f"Датотека има {rows} ред" in told
