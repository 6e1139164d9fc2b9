"""Refunds pressed in a real window and issued by a real server and processor."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import WireCodec, issued_by
from pos_app.cashier.refund.room import RefundRoom
from pos_app.cashier.refund.side import WayButton
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
from tests.gui.refund.opened import (
    ID_CARD,
    notices,
    opened,
    receipt_of,
    refund_after,
    screen_of,
    seen_issued,
)
from tests.gui.refund.screens import posed
from tests.gui.window.hands import seen
from tests.gui.window.real_till import RealTill

BREAD, MILK, BANANAS = "8609910700134", "8609951100139", "2000016015607"
"""Two articles with a bar code, and 1,560 kg by the label of the scale."""


async def issued(real: RealTill, sale: Sale) -> ReceiptOverview:
    """The server's overview of the signed refund that follows a sale."""
    refund = await refund_after(real, sale)
    assert refund.state is SaleState.DONE
    await seen_issued(real, screen_of(real))
    return await receipt_of(real, refund)


async def a_whole_receipt_goes_back_by_four_keys_and_a_buyer(real: RealTill) -> None:
    """F7, scan, R, Enter, the number, Enter."""
    sale = await real.sold(BREAD, BREAD, MILK)
    assert sale.receipt is not None
    assert sale.receipt.verification_url is not None
    screen = await opened(real, sale)
    assert screen.model.hand_gives == Money(258)
    await real.press("Enter")
    await real.type(ID_CARD)
    real.shop.fault("late_answer", seconds=1.0)
    await real.press("Enter")
    await real.until(lambda: real.last().state is SaleState.SENDING)
    await real.scan(sale.receipt.verification_url)
    assert real.hands.window.frame.top is screen
    await real.until(lambda: "Сачекајте да се рефундација изда" in notices(screen))
    refund = await issued(real, sale)
    assert (refund.total, refund.buyer) == (Money("257.97"), f"20:{ID_CARD}")
    assert [(one.method, one.amount) for one in refund.payments] == [
        (PaymentMethod.CASH, Money("257.97"))
    ]
    assert "258,00" in notices(screen)
    await real.scan(sale.receipt.verification_url)
    assert real.hands.window.frame.top_name == "receipts"


async def a_scanned_article_goes_back_by_its_scan_alone(real: RealTill) -> None:
    """F7, scan, R, scan, Enter, the scan of an identity card, Enter: four keys."""
    sale = await real.sold(BREAD, BREAD, BREAD, MILK)
    screen = await opened(real, sale)
    await real.scan(BREAD)
    assert screen.model.draft is not None
    assert screen.model.draft.taken == {0: 1}
    await real.scan(BREAD)
    await real.scan(ID_CARD)
    await real.press("Enter")
    refund = await issued(real, sale)
    assert [(one.name, one.quantity) for one in refund.lines] == [
        ("Хлеб бели Сава 500 g/ком", Decimal(2))
    ]
    assert (refund.total, refund.buyer) == (Money("117.98"), f"20:{ID_CARD}")
    said = lines_of(screen)
    assert "−117,98" in said, "the head tells what was given back"
    assert said.count("316,96") == 1, "and no more that all of it is left"
    assert [one.left_quantity for one in screen.model.lines] == [1, 1]
    assert real.hands.rows() == []  # nothing was sold by that scan


async def a_part_by_weight_is_typed_with_its_decimals(real: RealTill) -> None:
    """F7, scan, R, then: all other lines out, down to the bananas, 0,75, F12, F5, Enter."""
    sale = await real.sold(BREAD, BANANAS, MILK)
    screen = await opened(real, sale)
    await real.press("Space")
    before = real.hands.keys.layout
    await real.by_hand(setattr, real.hands.keys, "layout", "rs-cyrillic")
    await real.type("а")  # the whole receipt again, by the physical key of A
    assert screen.model.draft is not None
    assert screen.model.draft.is_whole
    await real.press("Space", "Down")
    await real.type("0,75")
    await real.press("Down", "Space", "F12")
    await real.by_hand(setattr, real.hands.keys, "layout", before)
    await real.until(lambda: bool(screen.model.seller_pib))
    await real.press("F5", "Enter")
    refund = await issued(real, sale)
    assert [(one.name, one.quantity, one.total) for one in refund.lines] == [
        ("Банана/kg", Decimal("0.750"), Money("142.49"))
    ]
    assert refund.buyer == "10:990000019"


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


async def each_button_by_the_mouse(real: RealTill) -> None:
    sale = await real.sold(BREAD, MILK)
    screen = await opened(real, sale)
    assert screen.model.draft is not None
    await real.tap(screen.left_side.nothing)
    assert screen.model.draft.taken == {}
    await real.tap(screen.left_side.whole)
    assert screen.model.draft.is_whole
    lines = screen.left_side.lines
    first = lines.visualRect(lines.model().index(0, 0)).center()
    await real.by_hand(real.hands.tap, lines.viewport(), first)
    assert set(screen.model.draft.taken) == {1}
    await real.tap(screen.right_side.ways.buttons[1])
    assert screen.model.draft.way.method is PaymentMethod.WIRE_TRANSFER
    await real.tap(screen.right_side.main)
    assert screen.right_side.document.is_typing
    await real.until(screen.right_side.others.own_error.isEnabled)
    await real.tap(screen.right_side.others.own_error)
    assert screen.model.document.value == "990000019"
    await real.until(lambda: not screen.right_side.main.rests)
    await real.tap(screen.right_side.main)
    refund = await issued(real, sale)
    assert [(one.method, one.amount) for one in refund.payments] == [
        (PaymentMethod.WIRE_TRANSFER, Money("139.99"))
    ]
    assert "Из фиоке: ништа. Враћа се: Пренос на рачун 139,99." in notices(screen)
    await real.until(lambda: not screen.right_side.main.rests)
    await real.tap(screen.right_side.main)
    assert real.hands.window.frame.is_home


async def each_digit_of_a_quantity_counts(real: RealTill) -> None:
    screen = await opened(real, await real.sold(BANANAS))
    lines, model = screen.left_side.lines, screen.model
    for sign in "0,75":
        await real.type(sign)
        assert isinstance(screen.room, RefundRoom)
        screen.room.ask()
        await real.until(lambda: not model.is_asking)
        await seen()
        assert lines.is_typing
    assert lines.quantity.text() == "0,75"
    assert model.draft is not None
    assert model.draft.taken == {0: Decimal("0.75")}


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


async def another_till_refunds_a_line_meanwhile(real: RealTill) -> None:
    """The rows show the present remainder, no typed text is lost, and the refund goes on."""
    sale = await real.sold(BREAD, BREAD, BREAD, MILK)
    screen = await opened(real, sale)
    await real.press("Enter")
    await real.type(ID_CARD)
    assert sale.receipt is not None
    await refunded_elsewhere(real, sale.receipt.fiscal_number, 2, "117.98")
    await real.press("Enter")
    await real.until(lambda: "Друга каса" in notices(screen))
    model = screen.model
    await real.until(lambda: model.draft is not None and model.draft.taken == {0: 1, 1: 1})
    assert model.fewer == {0}
    assert model.document.value == ID_CARD
    refused = real.last()
    await real.until(lambda: real.last().state is SaleState.CANCELLED)
    await real.press("Enter")
    refund = await issued(real, refused)
    assert refund.total == Money("198.98")


async def while_the_processor_is_away_nothing_is_confirmed(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    screen = await opened(real, sale)
    await real.press("Enter")
    await real.type(ID_CARD)
    processor = next(one for one in real.shop.running if one.lines("http"))
    await real.by_hand(processor.kill)
    await real.until(lambda: real.services.server.signs_nothing)
    await real.press("Enter")
    await real.until(lambda: "само док раде сервер" in notices(screen))
    assert real.last().key == sale.key
    assert screen.model.document.value == ID_CARD
    await real.by_hand(real.shop.processor)
    await real.until(lambda: not real.services.server.signs_nothing)
    await real.until(lambda: notices(screen) == "")
    await real.press("Enter")
    refund = await issued(real, sale)
    assert refund.total == Money("58.99")


@pytest.mark.deadline(180)
async def test_refunds_at_one_till(real: RealTill) -> None:
    """The last step kills the processor."""
    await real.walk(
        a_whole_receipt_goes_back_by_four_keys_and_a_buyer,
        a_scanned_article_goes_back_by_its_scan_alone,
        a_part_by_weight_is_typed_with_its_decimals,
        each_button_by_the_mouse,
        each_digit_of_a_quantity_counts,
        another_till_refunds_a_line_meanwhile,
        while_the_processor_is_away_nothing_is_confirmed,
    )


@pytest.mark.long
async def test_what_holds_a_refund_at_one_till(real: RealTill) -> None:
    await real.walk(a_wrong_quantity_and_no_document_hold_it)


@pytest.mark.parametrize(("scene", "is_paid_later"), [("by_transfer", True), ("card", False)])
def test_cash_for_what_is_paid_later_says_that_who_owes_stays_as_it_was(
    qapp: QApplication, scene: str, *, is_paid_later: bool
) -> None:
    with posed(qapp, LIGHT, scene) as window:
        settle()
        ways = window.findChildren(WayButton)
        first, cash = (" ".join(words_on(one)) for one in (ways[0], ways[1]))
        assert "како је плаћено" in first
        assert ("не умањује „Ко дугује“" in cash) is is_paid_later, cash


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
