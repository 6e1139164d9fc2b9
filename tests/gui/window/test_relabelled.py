"""When an article's tax label is corrected while it is in a cart, the new label is signed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.cashier.sale.notices import Relabelled
from pos_app.cashier.ui.labels import Label
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.resources import folder as resources
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from pos_app.settings import Settings
from pos_app.wire.strict_json import dumps, loads
from tests.gui.parts import words_on
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, CHEESE_WEIGHED, MILK, Shop

NAME = "Хлеб бели Сава 500 g"
TOLD = f"Друга пореска ознака: {NAME} Е → Ђ"


def manager(hands: Hands) -> None:
    product = hands.shop.row(BREAD).product_id
    changes = {"tax_label": TaxLabel.DJ, "price": Money(70)}
    now = hands.shop.clock.now()
    hands.shop.desk.record(NewEdit.changing(product, product, changes, by="Шеф", at=now))


def platform(hands: Hands) -> None:
    listed: Any = loads((resources() / "demo" / "catalogue.json").read_bytes())
    bread = next(one for one in listed["products"] if one["sku"] == int(BREAD))
    bread.update(taxRateLabel="Ђ", price=Decimal(70), updatedAt="2026-11-21T10:00:00.000Z")
    data = hands.shop.services.settings.data
    source = data / "list.json"
    source.write_bytes(dumps(listed))
    run_sync(settings=Settings(data=data), source=source, progress=lambda _: None)


def by_one_key(hands: Hands) -> None:
    hands.pay("+")


def in_the_payment(hands: Hands) -> None:
    hands.press("F12", "Enter")
    hands.shop.pause()
    hands.press("Enter")


def labels(hands: Hands) -> list[TaxLabel]:
    """The labels of the open cart, from the file."""
    stored = hands.shop.database.carts.open_cart(training=False)
    assert stored is not None
    return [line.article.frozen.label for line in stored.cart.active]


async def signed(hands: Hands) -> list[tuple[str, Money | None]]:
    """The labels and totals of the items in the last request to sign."""
    await hands.shop.serve()
    await seen()
    issued = WireCodec().decode(hands.shop.server.handed[-1].body)
    return [(one.article.label.value, one.total) for one in issued.items if one.article is not None]


def told(hands: Hands) -> str:
    """The notice of the sale, or the words of the payment."""
    labels = hands.area.payment.findChildren(Label)
    return " ".join((hands.notice(), *(one.text() for one in labels)))


@pytest.mark.parametrize(("correct", "pay"), [(manager, in_the_payment), (platform, by_one_key)])
async def test_a_label_that_is_corrected_before_the_key_is_signed_and_told(
    hands: Hands, correct: Callable[[Hands], None], pay: Callable[[Hands], None]
) -> None:
    hands.scan(BREAD, MILK)
    correct(hands)
    pay(hands)
    assert await signed(hands) == [("Ђ", Money("58.99")), ("Е", Money("139.99"))]
    assert hands.model.context.notices == (Relabelled(((NAME, TaxLabel.E, TaxLabel.DJ),)),)
    assert TOLD in told(hands)


async def test_a_label_that_is_corrected_while_the_payment_stands_is_told_there(
    hands: Hands,
) -> None:
    hands.scan(BREAD)
    hands.press("F12", "#100")
    manager(hands)
    hands.window.frame.home_screen.tick()
    await seen()
    assert TOLD in told(hands)
    assert labels(hands) == [TaxLabel.DJ]
    hands.press("Enter")
    sale = hands.sold()
    assert (sale.total, sale.money_taken.tendered.cash) == (Money("58.99"), Money(100))
    assert await signed(hands) == [("Ђ", Money("58.99"))]


def held(hands: Hands) -> Hands:
    hands.press("F6")
    manager(hands)
    hands.press("F6", "Enter")
    return hands


def trained(hands: Hands) -> Hands:
    hands.choose(hands.top.segment, 3)
    hands.press("#11", "Enter")
    manager(hands)
    hands.pay("+")
    return hands


def removed(hands: Hands) -> Hands:
    line = hands.model.cart.active_lines[0].id
    hands.model.cart.remove_line(line)
    manager(hands)
    hands.model.cart.put_back_line(line)
    return hands


@pytest.mark.parametrize("away", [held, trained, removed, "closed"])
def test_what_was_corrected_meanwhile_is_taken_when_the_line_comes_back(
    hands: Hands, shop: Shop, sell_in: SellIn, away: Callable[[Hands], Hands] | str
) -> None:
    """The label of now, which is told; the entered price stays, beside that of now."""
    hands.scan(BREAD, CHEESE_WEIGHED)
    if isinstance(away, str):
        manager(hands)
        hands = sell_in(shop)
    else:
        away(hands)
    assert labels(hands)[0] is TaxLabel.DJ
    is_told = any(isinstance(one, Relabelled) for one in hands.model.context.notices)
    assert is_told or away in (removed, trained)
    assert hands.rows()[0] == f"1 × {NAME}, 58,99, сада 70,00"
    assert any("70,00" in words for words in words_on(hands.cart.list.viewport()))


def test_an_article_that_is_renamed_or_sold_by_another_unit(hands: Hands) -> None:
    """The name is the present one."""
    hands.scan(BREAD)
    product = hands.shop.row(BREAD).product_id
    kilogram = next(one.id for one in hands.shop.catalogue.units() if one.symbol == "kg")
    changes = {"name": "Хлеб бели", "sale_unit_id": kilogram}
    now = hands.shop.clock.now()
    hands.shop.desk.record(NewEdit.changing(product, product, changes, by="Шеф", at=now))
    hands.window.frame.home_screen.tick()
    (line,) = hands.model.cart.active_lines
    assert (line.article.frozen.name, line.article.frozen.unit) == ("Хлеб бели", "ком")
    assert hands.rows() == ["1 × Хлеб бели, 58,99"]
    assert not hands.model.context.notices
