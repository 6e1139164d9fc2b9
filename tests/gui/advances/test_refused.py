"""A payment on an advance that the processor refused: what was given for it is there after a
start."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pos_app.cashier.refund.view import RefundScreen
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.ports import Paid
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.e2e import shop as programs
from tests.e2e.nursery import door
from tests.gui.advances.test_advances import (
    ADVANCE,
    CAKE,
    act_words,
    at_advance,
    issue,
    method,
    paying,
    screen,
)
from tests.gui.parts import lines_of
from tests.gui.refund.opened import screen_of as refunding
from tests.gui.window.hands import SellIn, put_away
from tests.gui.window.real_till import RealTill, started

BEGUN: dict[str, Any] = ADVANCE | {
    "payments": {"cash": 100},
    "items": [CAKE | {"unitPrice": 349.99}],
}
CARD: Paid = ((PaymentMethod.CARD, Money(70)),)


async def refused(real: RealTill, receipt: dict[str, Any]) -> Sale:
    """Have a card charged with 70 for a further payment that the processor refuses."""
    await paying(real, receipt)
    await real.tap(method(real, PaymentMethod.CARD))
    await real.type("70")
    real.shop.fault("refuse", code="2310")
    await real.press("Enter")
    sale = await real.ended()
    assert sale.state is SaleState.REFUSED
    await real.until(lambda: "Уплата" in act_words(real) and "није издат" in act_words(real))
    return sale


def test_a_till_that_begins_anew_has_what_a_refused_payment_was_given(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    """The page of the refused payment stood open when the till ended."""
    first, other = dict[str, Any](), dict[str, Any]()

    async def before(till: RealTill) -> None:
        async with till.at_work():
            first.update(issue(till, BEGUN))
            await refused(till, first)

    async def after(till: RealTill) -> None:
        async with till.at_work():
            await at_advance(till, first)
            await till.until(lambda: "Картица 70,00" in act_words(till))
            await till.type("+")
            payment = screen(till).payment.model
            assert payment is not None
            assert payment.tender.paid == CARD
            kept = till.core.database.carts.given_for_advances()
            assert kept[first["invoiceNumber"]].paid == CARD
            await till.press("Esc")
            other.update(issue(till, BEGUN))
            await paying(till, other)
            await by_corporate_card(till)

    async def after_card(till: RealTill) -> None:
        async with till.at_work():
            await at_advance(till, other)
            await till.until(lambda: "није издат" in act_words(till))
            assert "Примљено" not in act_words(till), "nobody gave the voucher of the card"
            await till.type("+")
            payment = screen(till).payment.model
            assert payment is not None
            assert payment.tender.paid == ()
            await till.press("Esc")
            await at_advance(till, first)
            await refund(till)
            await till.until(lambda: "Вратите купцу" in " ".join(lines_of(refunding(till))))

    async def after_refund(till: RealTill) -> None:
        async with till.at_work():
            assert till.hands.notice().startswith("Вратите купцу 70,00 РСД")
            await till.press("Esc")
            assert till.hands.notice() == ""
            assert not till.core.database.carts.given_for_advances()

    with programs.opened(tmp_path / "real", template, door()) as shop:
        shop.processor()
        shop.server()
        for walk in (before, after, after_card, after_refund):
            with started(shop, sell_in) as till:
                asyncio.get_event_loop().run_until_complete(walk(till))
                put_away(till.hands)


async def by_corporate_card(real: RealTill) -> None:
    """Have a corporate card pay the whole payment that is open, which the processor refuses."""
    before = real.last().key
    await real.press("F5")
    await real.tap_words("Корпоративна картица")
    await real.type("101134702")
    await real.press("Enter")
    await real.type("1234")
    await real.press("Enter")
    real.shop.fault("refuse", code="2310")
    await real.press("Enter")
    await real.until(lambda: real.last().key != before)
    assert (await real.ended()).state is SaleState.REFUSED


async def refund(real: RealTill, *, amount: str = "") -> RefundScreen:
    """Refund the opened advance, all of it where no amount is given."""
    await real.type("r")
    page = refunding(real)
    await real.until(lambda: page.model.draft is not None and page.left_side.lines.hasFocus())
    await real.type(amount)
    await real.until(lambda: bool(page.model.seller_pib))
    await real.press("F12", "F5", "Enter")
    await real.until(lambda: page.model.is_over)
    return page
