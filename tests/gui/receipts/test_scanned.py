"""The QR code of a paper receipt, scanned anywhere in the till, over a real server."""

from __future__ import annotations

from pos_app.domain.operations import Operation
from pos_app.domain.verification import decode
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.window.real_till import RealTill
from tests.unit.domain.test_verification import payload, url

BREAD, MILK = "8609910700134", "8609910700219"


def code_of(sale: Sale) -> str:
    assert sale.receipt is not None
    assert sale.receipt.verification_url is not None
    return sale.receipt.verification_url


async def told(real: RealTill) -> None:
    """The server has said what it knows of the receipt that was scanned."""
    await real.until(lambda: "Тражи се" not in real.hands.notice())


async def test_on_the_sale_a_receipt_is_told_and_the_cart_stays(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan(BREAD)
        real.hands.scan(code_of(sale))
        number = str(decode(code_of(sale)).number)
        assert real.hands.notice().startswith(f"Рачун {number}: 58,99 РСД")
        await told(real)
        assert real.hands.button("Копија").isEnabled()
        assert len(real.hands.rows()) == 1
        real.hands.scan(BREAD)
        assert real.hands.notice() == ""
        assert len(real.hands.rows()) == 1
        assert real.last().key == sale.key


async def test_its_copy_says_first_what_it_will_do(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan(BREAD)
        real.hands.scan(code_of(sale))
        await told(real)
        real.hands.tap_words("Копија")
        assert real.hands.notice().startswith("Издаје се копија рачуна")
        assert real.last().key == sale.key
        real.hands.tap_words("Издај копију")
        copy = await real.ended()
        assert (copy.operation, copy.state) == (Operation.COPY, SaleState.DONE)
        assert copy.target == (sale.receipt and sale.receipt.receipt_id)
        assert real.hands.notice() == ""
        assert len(real.hands.rows()) == 1


async def test_its_buyer_goes_on_the_open_cart(real: RealTill) -> None:
    async with real.at_work():
        real.hands.scan(BREAD)
        real.hands.scan(url(payload(buyer=b"10:109876542")))
        await told(real)
        assert "Није у дневнику ове касе" in real.hands.notice()
        assert not real.hands.button("Копија").isEnabled()
        real.hands.tap_words("Купац")
        stored = real.core.till.carts.open_cart(training=False)
        assert stored is not None
        for one in (inside(real.hands.window).model.cart.ticket, stored):
            assert str(BuyerDraft.of(one.typed_details).buyer()) == "10:109876542"
        assert real.hands.notice() == ""
