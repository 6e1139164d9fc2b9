"""Refunds pressed in a real window and issued by a real server and processor."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import WireCodec, issued_by
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import RefundedItem, Refunding
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.answers import Issued
from pos_app.wire.receipt_paths import RECEIPTS
from tests.gui.parts import lines_of, notices_in, words_on
from tests.gui.pictures import LIGHT, settle
from tests.gui.refund.opened import opened, receipt_of, refund_after, screen_of, seen_issued
from tests.gui.refund.screens import posed
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"
"""Two articles with a bar code, and 1,560 kg by the label of the scale."""


async def issued(real: RealTill, sale: Sale) -> ReceiptOverview:
    """The server's overview of the signed refund that follows a sale."""
    refund = await refund_after(real, sale)
    assert refund.state is SaleState.DONE
    await seen_issued(real, screen_of(real))
    return await receipt_of(real, refund)


async def a_wrong_quantity_and_no_document_hold_it(real: RealTill) -> None:
    """A wrong quantity determines neither the cash to give nor the remainder."""
    sale = await real.sold(BREAD, BREAD, MILK)
    screen = await opened(real, sale)
    assert "258,00" in lines_of(screen.right_side.figure)
    await real.type("3")
    assert "258,00" not in lines_of(screen.right_side.figure)
    assert "–" in lines_of(screen.right_side.figure)
    lines, main = screen.left_side.lines, screen.right_side.main
    assert "Највише 2" not in words_on(lines.viewport())
    assert (main.kind, main.accessibleName()) == (ButtonKind.PLAIN, "Исправите количину")
    await real.press("Enter")
    assert lines.is_typing
    assert "Највише 2" in words_on(lines.viewport())
    await real.press("F12", "Enter")
    assert screen.left_side.lines.is_typing  # back to the quantity, which has the fault
    assert screen.left_side.lines.quantity.error()
    await real.press("Backspace")
    await real.type("1")
    assert "199,00" in lines_of(screen.right_side.figure)
    await real.press("Alt+0")
    assert (main.kind, main.accessibleName()) == (ButtonKind.PLAIN, "Упишите документ")
    await real.press("Esc")  # it is no exchange
    await real.press("Enter")
    assert screen.right_side.document.is_typing
    assert screen.right_side.document.number.error() == "Упишите број"
    await real.tap_words("ПИБ")
    await real.type("106543218")
    await real.press("Enter")
    assert "Контролна цифра" in screen.right_side.document.number.error()
    assert (main.kind, main.accessibleName()) == (ButtonKind.PLAIN, "Потврди погрешан број")
    await real.press("Backspace")
    assert not screen.right_side.document.number.error()  # it is being typed
    await real.type("8")
    for _ in range(2):
        await real.press("Enter")
        await real.until(lambda: not main.rests)
    assert real.last().key == sale.key
    await real.press("F12")
    refund = await issued(real, sale)
    assert (refund.total, refund.buyer) == (Money("198.98"), "10:106543218")


async def refunded_elsewhere(real: RealTill, number: str, quantity: int, paid: str) -> None:
    """Let another till refund that many pieces of the first line."""
    asked = Refunding(
        payments=Payments.of({PaymentMethod.CASH: Money(paid)}),
        delivery=ReceiptDelivery(pdf=True),
        buyer=BuyerId.parse("10:101234567"),
        items=(RefundedItem(Quantity(quantity), line=0),),
    )
    body, headers = WireCodec().encode(asked), {"Idempotency-Key": "e" * 32}
    async with LocalApi(real.shop.url, real.core.install) as api:
        answer = await issued_by(api, body, headers, path=f"{RECEIPTS}/{number}/refund")
    assert isinstance(answer, Issued), answer


@pytest.mark.long
async def test_what_holds_a_refund_at_one_till(real: RealTill) -> None:
    await real.walk(a_wrong_quantity_and_no_document_hold_it)


def test_what_is_not_marked_is_told_by_the_key_alone(qapp: QApplication) -> None:
    with posed(qapp, LIGHT, "nothing") as window:
        settle()
        assert notices_in(window) == []
        (main,) = (one for one in window.findChildren(BigButton) if one.isVisible())
        assert "Означите шта се враћа" in words_on(main)


@pytest.mark.parametrize(
    ("scene", "copy_follows"),
    [
        ("refund", True),
        ("doubted", True),
        ("mixed", True),
        ("mixed_asked", True),
        ("by_transfer", False),
        ("card", False),
        ("done_by_card", False),
    ],
)
def test_at_the_usual_size_nothing_scrolls_and_a_copy_is_told_where_it_follows(
    qapp: QApplication, scene: str, *, copy_follows: bool
) -> None:
    with posed(qapp, LIGHT, scene) as window:
        settle()
        areas = [one for one in window.findChildren(Scrolled) if one.isVisible()]
        assert [one.verticalScrollBar().maximum() for one in areas] == [0] * len(areas)
        told = "После рефундације следи копија" in " ".join(lines_of(window))
        assert told is copy_follows
