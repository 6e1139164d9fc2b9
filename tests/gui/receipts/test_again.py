"""A receipt's lines in the cart once more, and a proforma as a sale: pressed in a real window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.cashier.advances.words import row_of
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import NotAllowed
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.gui.inside import inside
from tests.gui.parts import in_front, lines_of
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"


async def receipt(real: RealTill, sale: Sale) -> ReceiptOverview:
    assert sale.receipt is not None
    return (await real.services.receipts.receipt(sale.receipt.fiscal_number)).overview


async def opened(real: RealTill, told: ReceiptOverview) -> ReceiptsScreen:
    """Press F7 and scan the receipt."""
    assert told.verification_url is not None
    await real.press("F7")
    await real.scan(told.verification_url)
    top: ReceiptsScreen = in_front(real.hands.window.frame, "receipts.title")
    await real.until(
        lambda: top.model.opened is not None and top.model.opened.overview.number == told.number
    )
    return top


def cart(real: RealTill) -> Ticket:
    ticket: Ticket = inside(real.hands.window).model.cart.ticket
    return ticket


async def the_same_items_come_beside_what_is_in_the_cart(real: RealTill) -> None:
    told = await receipt(real, await real.sold(BREAD, BREAD, MILK))
    await real.scan(MILK)
    await opened(real, told)
    await real.type("a")
    assert real.hands.window.frame.is_home
    lines = cart(real).cart.active
    assert {str(line.quantity) for line in lines} == {"2"}
    assert len(lines) == 2
    names = {line.article.frozen.printed_name for line in lines}
    assert names == {line.name for line in told.lines}
    inside(real.hands.window).model.cart.void("test")
    what_is_not_sold_any_more_is_told(real, told)


async def a_proforma_becomes_the_sale_that_it_offers(real: RealTill) -> None:
    inside(real.hands.window).set_kind(DocumentKind.PROFORMA)
    offer = await receipt(real, await real.sold(BREAD, MILK))
    assert offer.invoice_type is InvoiceType.PROFORMA
    await real.scan(BREAD)  # somebody else's cart is suspended meanwhile
    await opened(real, offer)
    await real.type("a")
    assert real.hands.window.frame.is_home
    assert cart(real).kind is DocumentKind.SALE
    assert cart(real).cart.total == offer.total
    assert len(inside(real.hands.window).model.cart.suspended()) == 1
    sale = await real.sold()
    told = await receipt(real, sale)
    assert (told.invoice_type, told.total) == (InvoiceType.NORMAL, offer.total)
    assert (told.refers_to, told.referent_time) == (offer.number, offer.time)
    assert [line.name for line in told.lines] == [line.name for line in offer.lines]
    await opened(real, offer)
    await real.type("a")
    await real.press("F12", "Enter", "Enter")  # the page of the payment keeps it too
    await real.until(lambda: real.last().key != sale.key)
    told = await receipt(real, await real.ended())
    assert (told.invoice_type, told.refers_to) == (InvoiceType.NORMAL, offer.number)


async def a_proforma_becomes_an_advance_on_what_it_offers(real: RealTill) -> None:
    """An advance refers to nothing: its text names the proforma, and F8 shows it."""
    inside(real.hands.window).set_kind(DocumentKind.PROFORMA)
    offer = await receipt(real, await real.sold(BREAD, MILK))
    await opened(real, offer)
    await real.type("p")
    assert real.hands.window.frame.is_home
    assert cart(real).kind is DocumentKind.ADVANCE
    assert cart(real).cart.total == offer.total
    said = " ".join(lines_of(real.hands.window))
    assert "По предрачуну" in said
    await real.press("F12")
    await real.type("100")
    await real.press("Enter", "Enter")
    told = await receipt(real, await real.ended())
    assert (told.invoice_type, told.total) == (InvoiceType.ADVANCE, Money(100))
    assert told.refers_to is None
    assert told.additional_text.splitlines()[0] == f"По предрачуну {offer.number}"
    assert told.advance is not None
    assert told.advance.remaining == offer.total - Money(100)
    [listed] = (await real.services.receipts.advances()).advances
    assert (listed.proforma, listed.total) == (offer.number, offer.total)
    await real.press("F8")
    top = in_front(real.hands.window.frame, "adv.title")
    await real.until(lambda: bool(top.model.matches))
    row = row_of(top.model.matches[0], real.hands.window.texts, now=offer.time, untouched_days=None)
    assert f"предрачун {short_number(offer.number)} · " in row.spoken


def what_is_not_sold_any_more_is_told(real: RealTill, told: ReceiptOverview) -> None:
    gone = replace(told.lines[0], sku=987654, gtin=None, name="Кифла/ком")
    home = real.hands.window.frame.home
    home.sell_again(replace(told, lines=(gone, told.lines[1])))
    assert [line.article.sku for line in cart(real).cart.active] == [told.lines[1].sku]
    assert real.hands.notice().startswith("Није више у каталогу: Кифла")
    with pytest.raises(NotAllowed):
        home.sell_again(replace(told, lines=(gone,)))
    with pytest.raises(NotAllowed):
        home.sell_again(replace(told, invoice_type=InvoiceType.TRAINING))
    assert len(cart(real).cart.active) == 1


async def test_what_is_sold_again_at_one_till(real: RealTill) -> None:
    await real.walk(
        a_proforma_becomes_the_sale_that_it_offers,
        a_proforma_becomes_an_advance_on_what_it_offers,
        the_same_items_come_beside_what_is_in_the_cart,
    )
