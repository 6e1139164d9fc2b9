"""An advance of another system is closed by hand: pressed in a real window, over a real server."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.refund.words import figure_content
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.window.frame import LOCK
from pos_app.cashier.window.screens import REFUND, RefundPlace
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.receipts.refund_by_hand import HandDraft, confirm_refund_by_hand
from pos_app.selling.sale.sale import ReceiptFacts, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.shift import Span
from pos_app.selling.shift.telling import read_facts
from tests.e2e import audit
from tests.fakes.people_here import quick
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import in_front, lines_of, notices_in, page_shown, visible_parts
from tests.gui.receipts.test_receipts import cart
from tests.gui.refund import opened
from tests.gui.window.real_till import DEAD_SECONDS, RealTill

BREAD, PIN, NUMBER = "8609910700134", "4711", "XYZA1234-XYZA1234-512"
ADVANCE = ForeignReceipt(
    NUMBER,
    "12/512",
    Money("50.00"),
    datetime(2025, 11, 20, 10, 42, tzinfo=UTC),
    request.ReceiptKind(request.InvoiceType.ADVANCE, request.TransactionType.SALE),
    "10:106543219",
)


def numbered(end: int) -> ForeignReceipt:
    """Another advance, that a step closes alone."""
    return replace(ADVANCE, number=f"XYZA1234-XYZA1234-{end}")


def sums(real: RealTill) -> list[str]:
    return [str(entry.total) for entry in audit.ledger(real.shop)]


async def at_the_form(real: RealTill, *, foreign: ForeignReceipt | None = ADVANCE) -> None:
    """Press F8, then fill in from its code; or press O and type all."""
    real.services.manager.save_pin(quick(PIN))
    if foreign is None:
        await real.press("F8")
        top = in_front(real.hands.window.frame, "adv.title")
        await real.until(lambda: top.model.listed is not None)
        await real.type("o")
    else:
        place = RefundPlace(foreign.number, "advances", foreign, closes=True)
        await real.by_hand(real.hands.window.frame.open, REFUND, place)
    screen = opened.screen_of(real)
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None and screen.hand_page.is_typing)


async def closed(real: RealTill, before: Sale, amount: str = "60") -> Sale:
    """Type its amount, the method if it is unknown, Enter: the sale of the goods is open."""
    await real.type(amount)
    if opened.screen_of(real).model.way.method is None:
        await real.press("Alt+1")
    await real.press("Enter")
    refund = await opened.refund_after(real, before)
    assert refund.state is SaleState.DONE, refund.reason
    return refund


def _is_at(screen: AttentionScreen, refund: Sale) -> bool:
    case = screen.model.current
    return case is not None and case.id == refund.key


async def the_goods_are_sold_for_what_remains(real: RealTill) -> None:
    """Only the keyboard is used: F8, O, number, day, amount, Enter; scan, F12, Enter, Enter."""
    before = await real.sold(BREAD)
    price = before.total
    await real.until(lambda: bool(real.services.server.status.seller_pib))
    await real.scan(BREAD)  # somebody else's cart
    await at_the_form(real, foreign=None)
    screen = opened.screen_of(real)
    assert screen.hand_page.number.edit.hasFocus()
    await real.type(NUMBER)
    await real.press("Tab")
    await real.type("20.11.2025.")
    await real.press("Tab")
    await real.type("11:42")
    await real.by_hand(screen.hand_page.focus_first)
    told = figure_content(screen.model, real.hands.window.texts)
    assert (told.title, told.amount) == ("Новац се не враћа", "0,00")
    refund = await closed(real, before, "50")
    assert (refund.operation, refund.total) == (Operation.REFUND, Money("50.00"))
    assert not refund.money_taken.tendered.total
    frame = real.hands.window.frame
    await real.until(lambda: frame.is_home and cart(real).paid_before == Money("50.00"))
    assert len(inside(real.hands.window).model.cart.suspended()) == 1
    for _ in range(2):
        await real.scan(BREAD)
    window = real.hands.window
    said = " ".join(lines_of(window))
    assert "Затварање аванса: рефундација" in said
    await real.press("F12")
    total = price + price
    remains = str(total - Money("50.00")).replace(".", ",")
    said = " ".join(lines_of(window))
    assert f"за наплату {remains}" in said, said
    assert "50,00" not in said.replace(remains, "")  # the foot of the cart has it, painted
    await real.press("Enter", "Enter")
    sale = await opened.refund_after(real, refund)
    assert (sale.state, sale.total) == (SaleState.DONE, total - Money("50.00"))
    signed = await opened.receipt_of(real, sale)
    assert refund.receipt is not None
    assert (signed.total, signed.refers_to) == (total, refund.receipt.fiscal_number)
    # The refund in cash has the copy that the law demands, but it is handed to nobody.
    assert sums(real) == [str(price), "50.00", "50.00", str(total)]
    assert real.core.database.sales.closed_without_goods() == []
    await an_advance_is_not_closed_twice(real, refund, sale)


async def an_advance_is_not_closed_twice(real: RealTill, first: Sale, last: Sale) -> None:
    """Its goods are sold: the form says so, and refuses until it is settled otherwise."""
    await real.by_hand(real.hands.window.frame.go_home)
    await at_the_form(real)
    screen = opened.screen_of(real)
    assert [one for one in lines_of(screen) if "овде већ затворен" in one]
    await real.type("50")
    await real.press("Alt+1")
    for _ in range(3):
        await real.press("Enter")
    assert real.last().key == last.key
    assert real.hands.window.frame.top_name == REFUND
    await real.by_hand(real.services.sales.mark_shown, first.key)
    await real.until(lambda: not screen.right_side.main.rests)
    await real.press("Enter")
    assert real.last().key == last.key  # it went back before
    await real.press("F12")
    again = await opened.refund_after(real, last)
    assert again.state is SaleState.DONE, again.reason
    await its_goods_are_settled(real, again)


async def its_goods_are_settled(real: RealTill, refund: Sale, *, opens: bool = True) -> None:
    """opens: whether the cart for them opens by itself."""
    await real.until(lambda: bool(cart(real).paid_before) is opens)
    await real.by_hand(inside(real.hands.window).model.cart.void, "void")
    await real.by_hand(real.services.sales.mark_shown, refund.key)


async def goods_below_the_advance_are_refused_and_its_money_goes_back(real: RealTill) -> None:
    """The cart of goods that cost less was voided: Attention opens it again."""
    before = await real.sold(BREAD)
    await at_the_form(real, foreign=numbered(520))
    refund = await closed(real, before, "99,60")
    await real.until(lambda: bool(cart(real).paid_before))
    count = len(sums(real))
    await real.scan(BREAD)
    clock = real.services.till.clock
    scanned_at = clock.ticks()
    await real.until(lambda: clock.ticks() > scanned_at + 1000 * DEAD_SECONDS)
    window = real.hands.window
    for keys in (("Ctrl+Enter",), ("F12", "Enter")):
        await real.press(*keys)
        assert "Авансом је плаћено 99,60" in " ".join((*lines_of(window), real.hands.notice()))
    assert len(sums(real)) == count
    for settles in (False, True):
        await real.by_hand(inside(window).model.cart.void, "void")
        await real.until(lambda: not cart(real).paid_before)
        await real.by_hand(window.frame.open_waiting)
        top = in_front(window.frame, "att.title")
        await real.until(partial(_is_at, top, refund))
        if not settles:
            await real.press("Enter")
            await real.until(lambda: cart(real).paid_before == refund.total)
    was = expected_cash(real)
    await real.tap_words("Враћена је готовина")
    assert "Готовина из фиоке: 100,00" in " ".join(lines_of(window))
    await real.tap_words("Забележи као исплаћено")
    await real.until(lambda: real.core.database.sales.closed_without_goods() == [])
    assert expected_cash(real) == was - Money(100)
    await real.press("Ctrl+D")
    await real.type("x")
    report = in_front(window.frame, "shift.title").model.report
    assert report is not None
    assert report.drawer is not None
    assert report.drawer.expected == was - Money(100)


def expected_cash(real: RealTill) -> Money:
    """The expected cash in the drawer of the open shift."""
    database = real.core.database
    shift = database.shifts.open_shift()
    assert shift is not None
    return read_facts(database.shifts, database.carts, Span(shift)).drawer.expected


async def money_goes_back_where_that_is_chosen(real: RealTill) -> None:
    """The form is the same; only for advances it asks whether the goods are handed over."""
    before = await real.sold(BREAD)
    await at_the_form(real, foreign=numbered(515))
    screen = opened.screen_of(real)
    await real.by_hand(screen.hand_page.ends.chosen.emit, 0)
    assert not screen.model.closes
    refund = await closed(real, before, "40")
    assert refund.money_taken.tendered.cash == Money("40.00")
    await real.until(lambda: "Дајте купцу 40,00" in opened.notices(screen))
    assert real.core.database.sales.closed_without_goods() == []
    assert not real.hands.window.frame.is_home


async def how_it_was_paid_is_asked_and_may_be_by_several(real: RealTill) -> None:
    """No method is preset; the fault is shown at the wrong field."""
    before = await real.sold(BREAD)
    await at_the_form(real, foreign=numbered(514))
    screen = opened.screen_of(real)
    paid = screen.hand_page.paid
    await real.type("60")
    await real.press("Enter")
    assert "Реците како је плаћено" in paid[PaymentMethod.CASH].error()
    assert paid[PaymentMethod.CASH].edit.hasFocus()
    await real.type("20")
    await real.press("Enter")
    assert paid[PaymentMethod.CASH].error() == "По начинима је 20,00, по ознакама 60,00"
    await real.press("Tab")
    await real.type("40")
    assert real.last().key == before.key
    await real.press("Enter")
    refund = await opened.refund_after(real, before)
    assert refund.state is SaleState.DONE, refund.reason
    signed = await opened.receipt_of(real, refund)
    assert [(one.method, one.amount) for one in signed.payments] == [
        (PaymentMethod.CASH, Money("20.00")),
        (PaymentMethod.CARD, Money("40.00")),
    ]
    assert not refund.money_taken.tendered.total
    await its_goods_are_settled(real, refund)


async def under_the_lock_no_cart_takes_the_place_of_another(real: RealTill) -> None:
    """The till is locked while it is issued; the sale of the goods then waits in Attention."""
    before, frame = await real.sold(BREAD), real.hands.window.frame
    await real.scan(BREAD)
    cart_id = cart(real).id
    await at_the_form(real, foreign=numbered(517))
    model = opened.screen_of(real).model
    real.shop.change(delay_ms=300)
    await real.type("60")
    await real.press("Alt+1", "Enter", "F11")
    refund = await opened.refund_after(real, before)
    real.shop.change(delay_ms=0)
    await real.until(lambda: model.is_over)
    await real.by_hand(lambda: None)
    assert (refund.state, frame.cover_name) == (SaleState.DONE, LOCK)
    assert cart(real).id == cart_id
    await real.type(PIN)
    await real.until(lambda: frame.is_home)
    await real.by_hand(frame.open_waiting)
    await real.until(partial(_is_at, in_front(frame, "att.title"), refund))
    await its_goods_are_settled(real, refund, opens=False)


async def the_code_of_an_advance_from_elsewhere_leads_there(real: RealTill) -> None:
    """F8 asks at once; F7 shows the contents of the code, with the key that leads there."""
    real.services.manager.save_pin(quick(PIN))
    for key in ("F7", "F8"):
        await leads_there(real, key)
        await real.by_hand(real.hands.window.frame.go_home)


async def leads_there(real: RealTill, key: str) -> None:
    frame = real.hands.window.frame
    await real.press(key)
    await real.scan(url(payload(invoice_type=4)))
    if key == "F7":
        panel = await page_shown(frame, "receipts.foreign.title")
        assert "Затвори или врати ручно" in panel.refund.accessibleName()
        await real.type("r")
    await real.until(lambda: frame.top_name == REFUND)
    screen = opened.screen_of(real)
    await real.until(lambda: screen.gate is not None)
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None)
    assert screen.hand_page.ends.isVisible()
    assert screen.model.closes is (key == "F8")
    await real.press("Esc")
    await real.until(lambda: frame.top_name != REFUND)
    assert frame.top_name == {"F7": "receipts", "F8": "advances"}[key]


async def a_server_that_lost_the_closing_is_told_with_the_way_out(real: RealTill) -> None:
    """The till has the refund, the restored journal has not, so the rest can't be confirmed."""
    before = await real.sold(BREAD)
    draft = HandDraft(
        number=numbered(516).number,
        day="20.11.2025.",
        time="11:42",
        kind=request.InvoiceType.ADVANCE,
        amounts={TaxLabel.DJ: "10,00"},
        method=PaymentMethod.CARD,
        with_goods=True,
    )
    services, window = real.services, real.hands.window

    def close_only_here() -> None:
        refund = confirm_refund_by_hand(
            till=services.till,
            draft=draft,
            buyer=BuyerId.parse("10:106543219"),
            delivery=request.ReceiptDelivery(),
            cashier="Мира",
            in_whole_dinars=True,
        )
        now = services.till.clock.now()
        services.sales.move(refund.key, SaleState.SENDING, at=now)
        facts = ReceiptFacts("0" * 32, "LOST1234-LOST1234-1", now)
        done = services.sales.move(refund.key, SaleState.DONE, at=now, receipt=facts)
        inside(window).model.cart.open_goods(done)

    await real.by_hand(close_only_here)
    assert cart(real).paid_before == Money("10.00")
    refund = real.last()
    await real.scan(BREAD)
    await real.press("F12", "Enter", "Enter")
    sale = await opened.refund_after(real, refund)
    assert (sale.state, sale.total) == (SaleState.REFUSED, before.total - Money("10.00"))
    await real.by_hand(window.frame.open_waiting)
    top = in_front(window.frame, "att.title")
    await real.until(partial(_is_at, top, sale))
    said = " ".join((*lines_of(top), *notices_in(top)))
    assert "не зна за рефундацију" in said
    assert "да је решено другачије" in said
    names = [one.accessibleName() for one in visible_parts(top, Button)]
    assert window.texts("att.correct") not in names
    assert window.texts("drop.order") in names, "the sale can be dropped for a reason"


@pytest.mark.deadline(180)
async def test_closings_at_one_till(real: RealTill) -> None:
    await real.walk(
        the_goods_are_sold_for_what_remains,
        goods_below_the_advance_are_refused_and_its_money_goes_back,
        the_code_of_an_advance_from_elsewhere_leads_there,
        money_goes_back_where_that_is_chosen,
        how_it_was_paid_is_asked_and_may_be_by_several,
        under_the_lock_no_cart_takes_the_place_of_another,
        a_server_that_lost_the_closing_is_told_with_the_way_out,
    )
