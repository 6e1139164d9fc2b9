"""A copy of the till was put back: the sale says at once that carts were set aside, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.sale.notices import ActFailed, CartsSuspended, TypedNotTaken
from pos_app.cashier.sale.questions import SuspendedCarts
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.sale import sell
from pos_app.selling.sale.state import SaleState
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import MILK, Shop

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


async def another_receipt(hands: Hands) -> None:
    """Let the journal grow."""
    hands.shop.server.grow(1)
    hands.shop.clock.go_on(10_000)
    await hands.shop.serve()
    await seen()


async def test_it_is_told_on_the_sale_until_it_was_read_and_leads_to_the_carts(
    hands: Hands,
) -> None:
    assert len(hands.rows()) == 1
    hands.press("F12")
    await put_back(hands)
    assert (hands.area.is_paying, hands.rows()) == (False, [])
    assert hands.model.context.notices == (CartsSuspended(1),)
    assert hands.notice().startswith(hands.window.texts.count("notice.set_aside", 1))
    assert hands.top.bell.isVisible()
    hands.scan(MILK, "4006381333931")
    await another_receipt(hands)
    assert len(hands.rows()) == 1, "what was begun since is left in peace"
    assert hands.model.context.notices[0] == CartsSuspended(1), "and it is told once"
    hands.press("Esc")
    hands.tap_words(hands.window.texts("notice.show_carts"))
    assert hands.model.questions.question == SuspendedCarts()
    assert hands.model.context.notices == ()


async def test_a_lifted_act_is_done_on_no_other_cart(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, asked = hands.model, list[Callable[[], None]]()
    monkeypatch.setattr(type(hands.window.services), "leave", lambda *_: Leave.ASKS)

    def ask(
        act: Act,
        then: Callable[[], None],
        *,
        percent: Decimal = Decimal(0),
        about: About = NOTHING_ELSE,
    ) -> None:
        asked.append(then)

    model.context.approval = ask
    (line,) = model.cart.active_lines
    model.cart.set_price(line.id, Money(1))
    await put_back(hands)
    hands.scan(MILK)
    (other,) = model.cart.active_lines
    assert other.id == line.id
    asked[0]()
    assert model.cart.active_lines == (other,)
    told = [one.error for one in model.context.notices if isinstance(one, ActFailed)]
    assert [str(one.args[0]) for one in told] == ["other_cart"]


async def test_a_cart_that_was_begun_before_the_server_answered_goes_on(hands: Hands) -> None:
    """The copy's cart is suspended beside it, with words that say why and where."""
    hands.press("F6")
    hands.scan(MILK, MILK)
    rows, total = hands.rows(), hands.total()
    hands.press("F12")
    await put_back(hands)
    assert (hands.rows(), hands.total()) == (rows, total)
    assert hands.area.is_paying
    assert hands.notice().startswith("Остављена је 1 корпа од раније: можда је већ наплаћена")
    assert "међу остављеним корпама" in hands.notice()
    hands.press("Enter", "Enter")
    await hands.shop.serve()
    await seen()
    assert hands.rows() == []
    (sale,) = hands.shop.database.sales.last(5)
    assert (sale.state, hands.shop.server.ledger) == (SaleState.DONE, [sale.key])


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
