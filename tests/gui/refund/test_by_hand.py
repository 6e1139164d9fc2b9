"""A receipt that the journal does not hold, refunded by a manager in a real window."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import cast

import pytest
from PySide6.QtCore import QPoint

from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import RECEIPTS, REFUND, RefundPlace
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.receipts.correction import confirm_undoing
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.people_here import quick
from tests.gui.parts import lines_of
from tests.gui.refund import opened
from tests.gui.window.real_till import RealTill

BREAD, PIN = "8609910700134", "4711"
FOREIGN = ForeignReceipt(
    "XYZA1234-XYZA1234-512",
    "500/512",
    Money("1236.00"),
    datetime(2025, 11, 20, 10, 42, tzinfo=UTC),
    ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
)

OTHER = replace(FOREIGN, number="XYZA1234-XYZA1234-514", counter="500/514")


async def what_its_code_says_is_filled_in_and_an_amount_goes_back(real: RealTill) -> None:
    """The PIN, an amount, F12, the number of the document, Enter."""
    sale = await real.sold(BREAD)
    frame = real.hands.window.frame
    await real.by_hand(frame.open, REFUND, RefundPlace(OTHER.number, HOME, OTHER))
    screen = opened.screen_of(real)
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.type("0000")
    await real.press("Enter")
    await real.until(lambda: opened.is_refused(screen))
    assert screen.model.is_locked
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None and screen.hand_page.is_typing)
    order = "Упишите број и време са папира"
    assert order in opened.notices(screen)
    await real.type("1237")
    await real.scan(opened.ID_CARD)
    assert screen.model.document.value == opened.ID_CARD
    await real.press("Enter")
    assert "Рачун није на толико" in [one.error() for one in screen.hand_page.amounts.values()]
    assert screen.right_side.main.accessibleName() == "Исправите износ"
    await real.press("Backspace", "Backspace")
    await real.press("F12", "Enter")
    refund = await opened.refund_after(real, sale)
    assert (refund.state, refund.total) == (SaleState.DONE, Money("12.00"))
    await opened.seen_issued(real, screen)
    assert order not in opened.notices(screen)
    signed = await opened.receipt_of(real, refund)
    assert (signed.refers_to, signed.buyer) == (OTHER.number, f"20:{opened.ID_CARD}")
    assert [(one.name, one.label) for one in signed.lines] == [("Враћена роба", "Ђ")]
    await real.press("Enter")
    assert frame.is_home
    await real.by_hand(frame.open, REFUND, RefundPlace(OTHER.number, HOME, OTHER))
    await real.until(lambda: opened.screen_of(real).gate is not None)  # each visit asks


async def what_it_lacks_is_asked_for_in_its_field(real: RealTill) -> None:
    """Enter, or a finger on the key, leads to the field whose name the key has."""
    frame = real.hands.window.frame
    await real.by_hand(frame.open, REFUND, RefundPlace("XYZA1234-XYZA1234-616", HOME))
    screen = opened.screen_of(real)
    await real.until(lambda: "Сервер нема тај рачун" in opened.notices(screen))
    await real.press("Enter")
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None and screen.hand_page.is_typing)
    page, main = screen.hand_page, screen.right_side.main
    assert (main.accessibleName(), main.kind) == ("Упишите дан рачуна", ButtonKind.PLAIN)
    for press in (partial(real.press, "Enter"), partial(real.tap, main)):
        await real.by_hand(page.number.edit.setFocus)
        await real.until(lambda: not main.rests)
        await press()
        assert page.day.edit.hasFocus()
        assert page.day.error()
    await real.type("20.11.2025.")
    assert main.accessibleName() == "Упишите време рачуна"


async def a_number_that_nobody_knows_is_refunded_from_the_list(real: RealTill) -> None:
    """By key, and by the button that has it on its cap."""
    button = "Рефундирај ручно"
    await _refunded_from_the_list(real, "XYZA1234-XYZA1234-614", partial(real.type, "r"))
    await _refunded_from_the_list(real, "XYZA1234-XYZA1234-615", partial(real.tap_words, button))


async def _refunded_from_the_list(
    real: RealTill, number: str, press: Callable[[], Awaitable[None]]
) -> None:
    frame = real.hands.window.frame
    await real.press("F7")
    await real.press("F2")
    await real.type(number)
    await real.press("Enter")
    await real.until(lambda: bool(real.hands.buttons("Рефундирај ручно")))
    assert cast("Button", real.hands.button("Рефундирај ручно")).spec.key == "R"
    await press()
    await real.until(lambda: frame.top_name == REFUND)
    screen = opened.screen_of(real)
    await real.until(lambda: "Сервер нема тај рачун" in opened.notices(screen))
    await real.press("Enter")
    await real.until(lambda: screen.gate is not None)
    assert screen.hand_page.number.text() == number
    await real.press("Esc")
    await real.until(lambda: frame.top_name == RECEIPTS)
    await real.by_hand(frame.go_home)


async def undo(real: RealTill, refund: Sale) -> Sale:
    assert refund.receipt is not None
    services = real.services
    await real.until(lambda: bool(services.server.status.seller_pib))
    shown = await services.receipts.receipt(refund.receipt.fiscal_number)
    status = services.server.status
    assert status is not None
    await real.by_hand(
        partial(
            confirm_undoing,
            till=services.till,
            overview=shown.overview,
            seller=BuyerId.parse(f"10:{status.seller_pib}"),
            cashier="Мира",
            in_whole_dinars=True,
            delivery=services.usual_delivery.delivery(),
        )
    )
    services.outbox.wake()
    return await opened.refund_after(real, refund)


async def typed_by_hand(
    real: RealTill, before: Sale, receipt: ForeignReceipt = FOREIGN
) -> RefundScreen:
    """Open a receipt, perhaps once more, with an amount and a document: Enter is next."""
    frame = real.hands.window.frame
    await real.by_hand(frame.open, REFUND, RefundPlace(receipt.number, HOME, receipt))
    screen = opened.screen_of(real)
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None and screen.hand_page.is_typing)
    await real.type("100")
    await real.scan(opened.ID_CARD)
    await real.press("F12")
    assert real.last().key == before.key
    return screen


async def a_second_part_of_the_same_receipt_is_asked_about(real: RealTill) -> None:
    """The screen says that an amount went back before anything is typed."""
    sale = await real.sold(BREAD)
    screen = await typed_by_hand(real, sale)
    assert not [one for one in lines_of(screen) if "већ ручно" in one]
    await real.enter_twice(screen.right_side.main)  # the field in which it was typed is gone
    first = await opened.refund_after(real, sale)
    assert first.state is SaleState.DONE, first.reason
    await opened.seen_issued(real, screen)
    await real.press("Enter")
    screen = await typed_by_hand(real, first)
    [told] = [one for one in lines_of(screen) if "већ ручно рефундирано 100,00" in one]
    assert "други део" not in told
    await real.press("Enter")
    await real.until(lambda: "Ако је ово други део, потврдите то" in " ".join(lines_of(screen)))
    assert screen.right_side.main.accessibleName() == "Потврди да је други део"
    await real.until(lambda: not screen.right_side.main.rests)
    await real.press("Enter", "Enter")
    assert real.last().key == first.key  # the key that asked does not agree
    await real.press("F12")
    second = await opened.refund_after(real, first)
    assert second.state is SaleState.DONE, second.reason
    sales = real.services.sales
    kept = [one.key for one in sales.refunds_by_hand(FOREIGN.number.lower())]
    assert kept == [first.key, second.key]
    assert sales.refunds_by_hand("XYZA1234-XYZA1234-51") == []
    await opened.seen_issued(real, screen)
    undone = await undo(real, second)
    assert undone.state is SaleState.DONE, undone.reason
    assert [one.key for one in sales.refunds_by_hand(FOREIGN.number)] == kept[:-1]


async def a_time_is_typed_as_at_a_till_and_a_wrong_one_is_marked_alone(real: RealTill) -> None:
    number = "XYZA1234-XYZA1234-516"
    await real.by_hand(real.hands.window.frame.open, REFUND, RefundPlace(number, HOME))
    screen = opened.screen_of(real)
    await real.until(lambda: "Сервер нема тај рачун" in opened.notices(screen))
    await real.press("Enter")
    await real.until(lambda: screen.gate is not None)
    await real.type(PIN)
    await real.press("Enter")
    hand = screen.hand_page
    await real.until(hand.day.edit.hasFocus)
    assert hand.number.text() == number
    await real.type("20.11.2019.")
    await real.scan(opened.ID_CARD)
    await real.press("Enter")
    await real.until(lambda: hand.day.error().startswith("Пре 1.11.2021 није било"))
    assert hand.day.edit.hasFocus()
    await real.press(*["Backspace"] * 3)
    await real.type("25.")
    await real.scan(opened.ID_CARD)
    await real.press("Enter")
    await real.until(lambda: bool(hand.time.error()))  # the receipt has a time, and none is assumed
    assert hand.time.edit.hasFocus()
    await real.type("1172")
    await real.scan(opened.ID_CARD)
    fields = (hand.number, hand.day, hand.time, hand.goods, *hand.amounts.values())
    places = [one.mapTo(hand, QPoint()) for one in fields]
    await real.press("Enter")
    await real.until(lambda: bool(hand.time.error()))
    assert hand.time.error() == "Упишите као 11:42"
    assert hand.time.edit.hasFocus()
    assert [one.error() for one in fields if one.error()] == [hand.time.error()]
    assert [one.mapTo(hand, QPoint()) for one in fields] == places
    await real.press("Backspace", "Backspace")
    await real.type("42")
    assert not hand.time.error()
    assert [one.mapTo(hand, QPoint()) for one in fields] == places
    await real.press("Enter")
    assert not hand.day.error()
    assert not hand.time.error()
    assert screen.model.hand_draft is not None
    moment = screen.model.hand_draft.moment(real.services.till.clock.now())
    assert moment == datetime(2025, 11, 20, 10, 42, tzinfo=UTC)


@pytest.mark.deadline(120)
async def test_refunds_by_hand_at_one_till(real: RealTill) -> None:
    real.services.manager.save_pin(quick(PIN))
    await real.walk(
        a_second_part_of_the_same_receipt_is_asked_about,
        what_its_code_says_is_filled_in_and_an_amount_goes_back,
        what_it_lacks_is_asked_for_in_its_field,
        a_number_that_nobody_knows_is_refunded_from_the_list,
        a_time_is_typed_as_at_a_till_and_a_wrong_one_is_marked_alone,
    )
