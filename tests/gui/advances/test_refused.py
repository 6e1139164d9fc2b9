"""Acts on an advance that the processor refused: what was given for them, and what is shown."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from pos_app.cashier.attention.case_list import CaseRow
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.window.screens import ATTENTION
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.ports import Paid
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.e2e import shop as programs
from tests.e2e.nursery import door
from tests.gui.advances.test_advances import (
    ADVANCE,
    BREAD,
    CAKE,
    PAPER,
    act,
    act_words,
    at_advance,
    issue,
    method,
    opened,
    paying,
    screen,
    state_of,
    told,
    until_issued,
)
from tests.gui.parts import lines_of, visible_parts
from tests.gui.refund.opened import screen_of as refunding
from tests.gui.window.hands import SellIn, put_away
from tests.gui.window.real_till import RealTill, started

BEGUN: dict[str, Any] = ADVANCE | {
    "payments": {"cash": 100},
    "items": [CAKE | {"unitPrice": 349.99}],
}
CARD: Paid = ((PaymentMethod.CARD, Money(70)),)
BACK = (("Enter",), ("+",), ("Esc", "F8", "+"), ("Esc", "F8", "Enter"))
"""The ways back to the payment of a refused one; the last one leads to the closing."""


async def go(real: RealTill, receipt: dict[str, Any], *keys: str) -> None:
    """Go that way to a payment of the advance, of which all is known by then."""
    for key in keys:
        if key != "F8":
            await opened(real, receipt["invoiceNumber"])
            await real.until(screen(real).opened.close_button.isEnabled)
        await (real.type if key == "+" else real.press)(key)
    await real.until(lambda: screen(real).is_paying)


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


async def what_was_given_stays_given_whichever_way_it_is_come_back_to(real: RealTill) -> None:
    carts = real.core.database.carts
    for way in BACK:
        first = issue(real, BEGUN)
        sale = await refused(real, first)
        await go(real, first, *way)
        payment = screen(real).payment.model
        assert payment is not None
        assert payment.tender.paid == CARD, way
        assert carts.given_for_advances()[first["invoiceNumber"]].paid == CARD, way
        await real.until(lambda: state_of(real, sale) is SaleState.CANCELLED)  # noqa: B023
        assert real.hands.window.frame.received == Money(70)
        await real.press("Enter", "Enter")
        issued = await until_issued(real)
        assert issued.money_taken.tendered.amount(PaymentMethod.CARD) == Money(70), way
        await real.until(lambda: not real.hands.window.frame.received)
        await real.by_hand(real.hands.window.frame.go_home)


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


async def what_a_corporate_card_sent_back_is_not_given_once_more(real: RealTill) -> None:
    """It was told until the payment was confirmed. Neither is the voucher of the card given."""
    first = issue(real, BEGUN)
    await paying(real, first)
    await real.type("100")
    await by_corporate_card(real)
    await real.until(lambda: "није издат" in act_words(real))
    await go(real, first, "Enter")
    await real.press("F5")
    await real.tap_words("Корпоративна картица")
    await real.press("Esc")
    payment = screen(real).payment.model
    assert payment is not None
    assert payment.tender.paid == ()
    assert not real.hands.window.frame.received


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


async def what_was_given_stays_given_while_the_advance_is_open(real: RealTill) -> None:
    """A part of it is refunded meanwhile, here or elsewhere, or another program is paid."""
    carts, given = real.core.database.carts, ((PaymentMethod.CASH, Money(20)), *CARD)
    frame, own_id = real.hands.window.frame, {"buyerId": "20:123456789"} | PAPER
    for way in ("here", "refund", "advance"):
        first, before = issue(real, BEGUN), frame.received
        await paying(real, first)
        await real.type("20")
        await real.tap(method(real, PaymentMethod.CARD))
        await real.type("70")
        await real.press("Esc")
        if way == "here":
            await refund(real, amount="40")
            await real.press("Enter")
        else:
            act(real, first["invoiceNumber"], way, {"payments": {"cash": 40}} | own_id)
        await real.by_hand(frame.go_home)
        await at_advance(real, first)
        await real.until(lambda: told(real).paid != Money(100))
        for key in ("Enter", "+"):
            await go(real, first, key)
            assert screen(real).payment.model.tender.paid == given, (way, key)
            assert frame.received == before + Money(90), (way, key)
            await real.press("Esc")
        await go(real, first, "+")
        await real.press("Enter")
        await until_issued(real, lambda sale: sale.total == Money(90))
        assert first["invoiceNumber"] not in carts.given_for_advances()
        await real.by_hand(frame.go_home)


async def what_was_given_and_issued_is_not_given_once_more(real: RealTill) -> None:
    """The till ended between the two, and another program gave some of it back since."""
    first, carts = issue(real, BEGUN), real.core.database.carts
    await paying(real, first)
    await real.type("70")
    await real.press("Enter")
    await until_issued(real)
    carts.give_for_advance(first["invoiceNumber"], 1, CARD)
    back = {"buyerId": "20:123456789", "payments": {"cash": 40}} | PAPER
    act(real, first["invoiceNumber"], "refund", back)
    await real.by_hand(real.hands.window.frame.go_home)
    await at_advance(real, first)
    await real.until(lambda: told(real).paid == Money(130))
    await go(real, first, "+")
    assert screen(real).payment.model.tender.paid == ()
    await real.press("Esc")
    assert first["invoiceNumber"] not in carts.given_for_advances()


async def what_was_given_for_an_advance_that_is_no_more_is_told(real: RealTill) -> None:
    """It was given for a refused payment, and then the advance is refunded, here or elsewhere."""
    frame = real.hands.window.frame
    for is_here in (True, False):
        first = issue(real, BEGUN)
        sale = await refused(real, first)
        if is_here:
            page = await refund(real)
            words = "Вратите купцу 70,00 РСД. Толико је за аванс примљено: Картица 70,00."
            await real.until(lambda: words in " ".join(lines_of(page)))  # noqa: B023
            await real.press("Enter")
        else:
            await real.press("Esc")
            back = {"buyerId": "20:123456789", "payments": {"cash": 100}} | PAPER
            act(real, first["invoiceNumber"], "refund", back)
            await real.press("F8")
        carts, number = real.core.database.carts, first["invoiceNumber"]
        await real.until(lambda: carts.given_for_advances()[number].goes_back)  # noqa: B023
        assert state_of(real, sale) is SaleState.CANCELLED
        await real.by_hand(frame.go_home)
        await real.scan(BREAD)
        await real.press("F6")  # another cart says nothing of an advance
        assert real.hands.notice().startswith("Вратите купцу 70,00 РСД"), is_here
        assert "Толико је за аванс примљено: Картица 70,00." in real.hands.notice()
        await real.press("Esc")
        assert number not in carts.given_for_advances()


NOT_CLOSED = "Затварање аванса: није издато"


def rows_of(screen: QWidget) -> list[str]:
    return [one.accessibleName() for one in visible_parts(screen, CaseRow)]


async def an_undone_closing_has_one_row_that_tells_of_its_money(real: RealTill) -> None:
    first, frame = await undone_closing(real), real.hands.window.frame
    await go(real, first, "+")
    await real.until(lambda: real.last().state is SaleState.CANCELLED)
    await real.by_hand(frame.open, ATTENTION)
    await real.tap_words("Прикажи решено")
    solved = rows_of(frame.top)
    assert sum(one.startswith("Поништено затварање") for one in solved) == 1
    assert NOT_CLOSED not in " ".join(solved)


async def undone_closing(real: RealTill) -> dict[str, Any]:
    """The refund of a closing is signed, its sale is refused, and a manager undoes the refund."""
    first, frame = issue(real, BEGUN), real.hands.window.frame
    await at_advance(real, first)
    await real.press("Enter", "Del")
    await real.type("251")
    real.shop.fault("late_answer", seconds=0.1)
    real.shop.fault("refuse", code="2310")
    await real.press("Enter")
    await real.until(lambda: real.last().state is SaleState.DOUBT)
    await real.by_hand(frame.open, ATTENTION)
    await real.until(lambda: bool(real.hands.buttons("Поништи издато")))
    await real.tap_words("Власник")
    await real.tap_words("Поништи издато")
    await real.tap_words("Издај поништење")
    await real.until(lambda: real.last().state is SaleState.REFUSED)
    await real.until(lambda: "Поништено затварање" in " ".join(rows_of(frame.top)))
    assert NOT_CLOSED not in " ".join(rows_of(frame.top)), "two receipts were issued"
    await real.press("F8")
    await opened(real, first["invoiceNumber"])
    return first


async def what_was_told_to_go_back_is_not_given_any_more(real: RealTill) -> None:
    for way in BACK:
        first = await undone_closing(real)
        assert "враћа се купцу: Готовина 251" in act_words(real)
        assert "Унето је сачувано" not in act_words(real)
        await go(real, first, *way)
        payment = screen(real).payment.model
        assert payment is not None
        assert payment.tender.paid == (), way
        assert first["invoiceNumber"] not in real.core.database.carts.given_for_advances(), way
        before = real.last().key
        await real.press("Enter")
        assert screen(real).is_paying, "the money is named before it is taken again"
        assert real.last().key == before
        await real.by_hand(real.hands.window.frame.go_home)


async def the_row_is_drawn_as_it_is_after_a_refusal(real: RealTill) -> None:
    """Nothing else has the window draw its list once more."""
    await refused(real, issue(real, BEGUN))
    table, window = screen(real).list.list.table, real.hands.window
    row = table.visualRect(table.model().index(0, 0)).adjusted(9, 9, -9, -9)
    row.translate(table.viewport().mapTo(table, row.topLeft()) - row.topLeft())
    at = table.mapTo(window, row.topLeft())

    def is_drawn() -> bool:
        found = QGuiApplication.primaryScreen().grabWindow(
            window.winId(), at.x(), at.y(), row.width(), row.height()
        )
        as_it_is = table.grab(row).toImage()
        return found.toImage().convertToFormat(as_it_is.format()) == as_it_is

    await real.until(is_drawn)


async def what_was_taken_is_what_the_hand_took(real: RealTill) -> None:
    """Of 249,99 in whole dinars the customer gave 251."""
    await at_advance(real, issue(real, BEGUN))
    await real.press("Enter", "Del")
    await real.type("251")
    await real.press("Enter")
    await until_issued(real)
    await real.until(lambda: "250,00" in act_words(real))
    assert "249,99" not in act_words(real)


@pytest.mark.deadline(240)
async def test_acts_on_advances_that_are_refused_or_undone(real: RealTill) -> None:
    await real.walk(
        what_was_given_stays_given_whichever_way_it_is_come_back_to,
        what_a_corporate_card_sent_back_is_not_given_once_more,
        the_row_is_drawn_as_it_is_after_a_refusal,
        what_was_given_stays_given_while_the_advance_is_open,
        what_was_given_and_issued_is_not_given_once_more,
        what_was_given_for_an_advance_that_is_no_more_is_told,
        an_undone_closing_has_one_row_that_tells_of_its_money,
        what_was_told_to_go_back_is_not_given_any_more,
        what_was_taken_is_what_the_hand_took,
    )
