"""A copy of the till is put back: a panel about a row ends, and what was typed into it is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.cashier.sale.notices import TypedNotTaken
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.selling.sale import sell
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop

EAN = "8609910700134"


@pytest.fixture
def shop(shop_data: Path) -> Iterator[Shop]:
    """A shop whose file comes from a copy, with bread in an open cart."""
    before = Shop(shop_data)
    till = before.services.till
    ticket = sell.start(till=till, cashier=before.services.cashier)
    found = before.catalogue.by_code(ArticleCode(EAN))
    sell.add_item(till=till, ticket=ticket, article=found[0].article)
    before.close()
    made = Shop(shop_data, first_key=100)
    yield made
    made.close()


async def put_back(hands: Hands) -> None:
    """Let the journal have a sale of this till that the till does not know."""
    server = hands.shop.server
    server.sequences[500] = "f" * 32
    server.grow(1)
    await hands.shop.serve()
    await seen()


@pytest.mark.parametrize("open_by", ["F3", "weight"])
async def test_a_panel_about_its_row_ends(hands: Hands, open_by: str) -> None:
    """What was typed is told, and scans that wait for an answer go to the next cart."""
    if open_by == "F3":
        hands.press("F3", "#7")
    else:
        hands.model.entry.enter_code("16")
        hands.scan(EAN)
    await put_back(hands)
    assert hands.model.questions.question is None
    told = [one for one in hands.model.context.notices if isinstance(one, TypedNotTaken)]
    assert [one.typed_text for one in told] == (["7"] if open_by == "F3" else [])
    hands.scan(EAN) if open_by == "F3" else None
    assert len(hands.rows()) == 1
