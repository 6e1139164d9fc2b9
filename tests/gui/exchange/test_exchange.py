"""Exchanges pressed in a real window and issued by a real server and processor."""

from __future__ import annotations

import pytest

from pos_app.cashier.exchange.view import ExchangeScreen
from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.sale.panels.choices import SuspendedPanel
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import CORRECTION, CorrectionPlace
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_list import ReceiptQuery
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage
from pos_app.selling.sale.sale import PAID_OUT, ExchangeMoney, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.shift import Span
from pos_app.selling.shift.telling import read_facts
from tests.fakes.inner_connection import connection_of
from tests.gui.inside import Inside, inside
from tests.gui.parts import in_front, lines_of, notices_in, visible_parts, words_on
from tests.gui.receipts.test_receipts import decisions
from tests.gui.refund.opened import ID_CARD, opened, receipt_of
from tests.gui.refund.test_refund import refunded_elsewhere
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"
CASH = PaymentMethod.CASH


def screen_of(real: RealTill) -> ExchangeScreen:
    screen: ExchangeScreen = in_front(real.hands.window.frame, "exch.title")
    return screen


async def begun(real: RealTill, sale: Sale, *new: str) -> None:
    """Begin an exchange by F7, scan, R, the identity card, X: the cart has the goods back."""
    await opened(real, sale)
    await real.scan(ID_CARD)
    await real.type("x")
    assert real.hands.window.frame.is_home
    for code in new:
        await real.scan(code)


async def done(real: RealTill) -> FrozenPair:
    screen = screen_of(real)
    await real.until(lambda: screen.model.stage is PairStage.DONE)
    assert screen.model.pair is not None
    return screen.model.pair


def home(real: RealTill) -> Inside:
    return inside(real.hands.window)


def said(screen: ExchangeScreen) -> str:
    return " / ".join(notices_in(screen))


async def paid(real: RealTill, sale: Sale) -> list[tuple[PaymentMethod, Money]]:
    told: ReceiptOverview = await receipt_of(real, sale)
    return [(one.method, one.amount) for one in told.payments]


async def dearer_goods_are_taken_for_cheaper_ones(real: RealTill) -> None:
    """F7, scan, R, the card, X, scan, F12, Enter, Enter: the cashier takes the difference."""
    sale = await real.sold(BREAD)
    await begun(real, sale, MILK)
    assert home(real).cart.added.isVisible()
    await real.press("F12", "Enter")
    assert real.hands.paying.issue.accessibleName() == "Замени 81,00"
    await real.press("Enter")
    pair = await done(real)
    assert await paid(real, pair.refund) == [(CASH, Money("58.99"))]
    assert await paid(real, pair.new) == [(CASH, Money("139.99"))]
    assert ExchangeMoney.of(pair.refund, pair.new).taken == Money(81)
    page = await real.services.receipts.page(ReceiptQuery())
    kinds = [one.kind for one in page.rows]
    assert kinds.count(ReceiptKind(InvoiceType.NORMAL, TransactionType.REFUND)) == 1
    assert kinds.count(ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE)) == 2
    assert kinds.count(ReceiptKind(InvoiceType.COPY, TransactionType.REFUND)) == 1
    assert "потпише" in said(screen_of(real))
    await real.until(lambda: not screen_of(real).big.rests)
    await real.press("Enter")
    assert real.hands.window.frame.is_home
    await a_correction_leaves_the_credit_where_it_is(real, pair)


async def a_correction_leaves_the_credit_where_it_is(real: RealTill, pair: FrozenPair) -> None:
    """The cash beside the credit was in truth paid by card: only that moves."""
    assert pair.new.receipt is not None
    window, number = real.hands.window, pair.new.receipt.fiscal_number
    await real.by_hand(window.frame.open, CORRECTION, CorrectionPlace(number))
    screen = in_front(window.frame, "corr.title")
    await real.until(lambda: screen.model.overview is not None)
    await real.until(lambda: bool(screen.model.seller_pib))
    await real.press("Alt+2")
    assert screen.model.method is None
    assert "враћеном робом" in " ".join(one.text() for one in visible_parts(screen, Label))
    await real.press("Alt+6")
    await real.by_hand(screen.model.type_amount, CASH, "58,99")
    await real.by_hand(screen.model.type_amount, PaymentMethod.CARD, "81")
    await real.press("Enter")
    await real.until(lambda: screen.model.stage is PairStage.DONE)
    assert screen.model.pair is not None
    assert sorted(await paid(real, screen.model.pair.new)) == [
        (PaymentMethod.CARD, Money("81.00")),
        (CASH, Money("58.99")),
    ]
    await real.by_hand(window.frame.go_home)


async def what_is_left_is_given_back(real: RealTill) -> None:
    """F7, scan, R, the card, X, scan, F12, Enter: nothing is to be paid."""
    sale = await real.sold(MILK)
    await begun(real, sale, BREAD)
    assert "За враћање" in words_on(home(real).cart.total)
    assert "81,00" in words_on(home(real).cart.total)
    assert home(real).work_area.sale.bar.pay.accessibleName() == "Врати 81,00"
    await real.until(lambda: home(real).model.confirmation.can_pay_by_key)
    for key in ("Ctrl+Enter", "Ctrl+Shift+Enter"):
        assert not home(real).work_area.is_paying
        await real.press(key)
        assert home(real).work_area.is_paying
        assert real.last().key == sale.key
        await real.press("Esc")
    await real.press("F12")
    await real.type("100")
    await real.press("Enter", "Ctrl+Enter")
    assert real.hands.area.is_paying, "nothing is received from who gets money"
    assert "ништа се не наплаћује" in " ".join(lines_of(real.hands.paying))
    await real.press("Backspace", "Backspace", "Backspace")
    assert real.hands.paying.issue.accessibleName() == "Замени"
    await real.press("Enter")
    pair = await done(real)
    assert await paid(real, pair.refund) == [(CASH, Money("139.99"))]
    assert await paid(real, pair.new) == [(CASH, Money("58.99"))]
    assert screen_of(real).model.money.hand_gives == Money(81)
    assert said_of_last(real) == ("Враћено", "−81,00", "")
    await real.until(lambda: not screen_of(real).big.rests)
    await real.press("Enter")
    await its_refund_is_not_undone(real, pair)
    page = await real.services.receipts.page(ReceiptQuery())
    mine = real.services.sales.is_exchange
    assert [mine(one.request_id) for one in page.rows].count(True) == 4  # two exchanges by now


async def its_refund_is_not_undone(real: RealTill, pair: FrozenPair) -> None:
    """It paid the new goods: the cash would be expected in the drawer once more."""
    frame, receipt = real.hands.window.frame, pair.refund.receipt
    assert receipt is not None
    assert receipt.verification_url is not None
    await real.press("F7")
    await real.scan(receipt.verification_url)
    await real.until(lambda: "рефундирајте рачун те робе" in " ".join(lines_of(frame.top)))
    await real.type("r")
    await real.press("Enter")
    assert frame.top_name == "receipts"
    assert real.last().key == pair.new.key
    await real.by_hand(frame.go_home)


def notices_of_sale(real: RealTill) -> str:
    texts = real.hands.window.frame.ui.texts
    screen = home(real)
    faces = [one.words(texts) for one in screen.model.context.notices]
    return " / ".join(f"{one.happened} {one.safe} {one.press}" for one in faces)


async def an_empty_cart_is_no_exchange_and_lines_that_leave_it_are_a_plain_sale(
    real: RealTill,
) -> None:
    sale = await real.sold(MILK)
    await begun(real, sale)
    assert not home(real).cart.large.isVisible(), "the change of before, beside another sum"
    await real.press("F12")
    assert not home(real).work_area.is_paying
    assert "без тога је то рефундација" in notices_of_sale(real)
    assert real.last().key == sale.key
    await real.scan(BREAD)
    screen = home(real)
    await real.tap(screen.cart.added.leave)
    assert "обична продаја" in notices_of_sale(real)
    assert not screen.cart.added.isVisible()
    plain = await real.sold()
    assert (plain.is_exchange, plain.total) == (False, Money("58.99"))


async def another_till_was_first_and_the_cart_is_back_with_the_reason(real: RealTill) -> None:
    sale = await real.sold(BREAD, BREAD, BREAD)
    await begun(real, sale, MILK)
    assert sale.receipt is not None
    await refunded_elsewhere(real, sale.receipt.fiscal_number, 2, "117.98")
    await real.press("F12", "Enter")
    screen_of(real)
    await real.until(lambda: real.hands.window.frame.is_home)
    cart = home(real).model.cart
    assert cart.ticket.exchanged is not None
    assert [line.article.frozen.name for line in cart.ticket.cart.active] != []
    await real.until(lambda: "58,99" in notices_of_sale(real))
    states = {one.state for one in real.core.database.sales.last(2)}
    assert states == {SaleState.CANCELLED}
    again = await opened(real, sale)  # the remaining lines are chosen again, for the same cart
    before = cart.ticket.id
    await real.until(lambda: not again.model.is_asking)
    await real.type("x")
    assert cart.ticket.id == before
    assert again.model.draft is not None
    await real.press("F12")
    await real.press("Enter", "Enter")
    pair = await done(real)
    assert (pair.refund.total, pair.new.total) == (Money("58.99"), Money("139.99"))


async def nothing_is_left_of_what_a_held_exchange_gives_back(real: RealTill) -> None:
    """F6 lists what is given back; the advice works, and the cart goes on as a plain sale."""
    sale = await real.sold(MILK, MILK)
    await begun(real, sale, BREAD)
    await real.press("F6")
    assert sale.receipt is not None
    await refunded_elsewhere(real, sale.receipt.fiscal_number, 2, "279.98")
    await real.press("F6")
    panel = visible_parts(real.hands.window, SuspendedPanel)[0]
    row = panel.buttons[0].accessibleName()
    assert "За враћање" in row
    assert "221,00" in row
    await real.press("Enter")
    cart = home(real).model.cart
    await real.until(lambda: cart.ticket.exchanged is not None)
    await real.press("F12", "Enter")
    screen_of(real)
    await real.until(lambda: "преостаје 0,00" in notices_of_sale(real))
    assert "F7" not in notices_of_sale(real)
    assert "Дугме × у корпи" in notices_of_sale(real)
    home(real).cart.added.leave.click()
    assert cart.ticket.exchanged is None
    await real.press("F12")
    await real.press("Enter", "Enter")
    await real.until(lambda: real.last().state is SaleState.DONE)
    assert real.last().total == Money("58.99")


def refuse_the_sale_of_an_exchange(real: RealTill) -> None:
    """Let the processor sign the refund and its copy, and refuse the sale."""
    real.shop.fault("late_answer", seconds=0.01, count=2)
    real.shop.fault("refuse", code="2310")


async def half_of(real: RealTill, *new: str, cash: str = "") -> FrozenPair:
    """An exchange whose refund and copy are signed, while the processor refuses the sale for now.
    cash: what the customer gives, "" for the exact amount."""
    sale = await real.sold(BREAD)
    await begun(real, sale, *new)
    refuse_the_sale_of_an_exchange(real)
    await real.press("F12")
    await real.type(cash)
    await real.press("Enter", "Enter")
    screen = screen_of(real)
    await real.until(lambda: screen.model.stage is PairStage.HALF)
    assert screen.model.pair is not None
    return screen.model.pair


async def attention_at(real: RealTill, key: str) -> None:
    await real.by_hand(real.hands.window.frame.open_waiting)
    top = in_front(real.hands.window.frame, "att.title")

    def is_there() -> bool:
        current = top.model.current
        return current is not None and current.id == key

    await real.until(is_there)


async def the_credit_of_a_half_stays_until_it_is_used_or_paid_out(real: RealTill) -> None:
    """The lines go to the cart and its line is removed."""
    pair = await half_of(real, MILK)
    await attention_at(real, pair.new.key)
    await real.tap_words("Исправи")
    cart = home(real).model.cart
    await real.until(lambda: cart.ticket.exchanged is not None)
    assert cart.ticket.typed_details.paid == ((CASH, Money(81)),)
    await real.by_hand(cart.remove_line, cart.ticket.cart.active[0].id)
    assert cart.ticket.cart.is_empty
    assert home(real).cart.added.isVisible()
    assert not home(real).cart.added.leave.isVisible()
    await real.by_hand(cart.void, "купац још бира")
    assert cart.ticket.is_idle
    await attention_at(real, pair.refund.key)
    await real.press("Enter")
    await real.until(lambda: cart.ticket.exchanged is not None)
    await real.press("F12")
    assert "дуг стоји у Пажњи" in notices_of_sale(real)
    await real.press("F6")
    assert cart.suspended_count == 0, "held without lines it would be told nowhere"
    await real.scan(MILK)
    await real.press("F12", "Enter", "Enter")
    used = await real.ended()
    assert (used.state, used.total, used.follows) == (SaleState.DONE, Money("139.99"), None)
    assert await paid(real, used) == [(CASH, Money("139.99"))]
    assert ExchangeMoney.of(pair.refund, used).taken == Money(81)
    assert (await done(real)).new.key == used.key
    await real.until(lambda: "Примљено 81,00" in " ".join(lines_of(screen_of(real))))
    assert real.services.sales.credits_owed() == []


async def the_payment_tells_both(real: RealTill) -> None:
    assert {"40,00", "41,01"} <= set(words_on(home(real).cart.total))
    await real.press("F12")
    assert "враћа се: Картица 41,01" in lines_of(real.hands.paying)
    await real.press("Enter")


def said_of_last(real: RealTill) -> tuple[str, str, str]:
    told = home(real).model.confirmation
    assert told.last is not None
    facts = last_facts(told.last, real.hands.window.frame.ui.texts, pair=told.last_pair)
    return facts.label, facts.amount, facts.beside


async def what_goes_back_by_card_is_told_beside_the_cash(real: RealTill) -> None:
    """Milk that was paid by card and in cash becomes bread: on the cart, in the payment, while it
    waits, once the refused sale was mended, and on the last receipt."""
    await real.scan(MILK)
    await real.press("F12", "Alt+2")
    await real.type("100")
    await real.press("Alt+1", "Enter")
    await begun(real, await real.ended(), BREAD)
    refuse_the_sale_of_an_exchange(real)
    await the_payment_tells_both(real)
    screen = screen_of(real)
    assert said_of_last(real)[:2] == ("За враћање", "40,00")
    await real.until(lambda: screen.model.stage is PairStage.HALF)
    assert screen.model.pair is not None
    await attention_at(real, screen.model.pair.new.key)
    await real.tap_words("Исправи")
    await real.until(lambda: home(real).model.cart.ticket.exchanged is not None)
    await the_payment_tells_both(real)
    pair = await done(real)
    assert pair.new.follows is None, "the sale of a credit that came into the cart again"
    assert said_of_last(real) == ("Враћено", "−40,00", "враћа се: Картица 41,01")
    await real.until(lambda: {"Дајте купцу", "40,00"} <= set(lines_of(screen_of(real))))
    assert "Враћа се: Картица 41,01." in said(screen_of(real))


async def what_goes_back_by_card_alone_is_no_figure(real: RealTill) -> None:
    """Milk that was paid by card becomes bread: the hand gives nothing, which is told so large."""
    await real.scan(MILK)
    await real.until(lambda: home(real).model.confirmation.can_pay_by_key)
    await real.press("Ctrl+Shift+Enter")
    await begun(real, await real.ended(), BREAD)
    await real.press("F12", "Enter")
    await done(real)
    await real.until(lambda: "Из фиоке: ништа. Враћа се: Картица 81,00." in said(screen_of(real)))
    assert said_of_last(real) == ("Готовина", "0,00", "враћа се: Картица 81,00")


REFUSES_PAID_OUT = f"""
CREATE TEMP TRIGGER refuses_paid_out BEFORE INSERT ON main.sale_events
WHEN NEW.code = '{PAID_OUT}' BEGIN SELECT RAISE(ABORT, 'life: not now'); END
"""


async def a_manager_says_that_the_credit_was_paid_out(real: RealTill) -> None:
    pair = await half_of(real, MILK)
    await attention_at(real, pair.new.key)
    await real.tap_words("Исправи")
    cart = home(real).model.cart
    await real.until(lambda: cart.ticket.exchanged is not None)
    await real.by_hand(cart.void, "купац одлази")
    await attention_at(real, pair.refund.key)
    connection = connection_of(real.core.database)
    connection.execute(REFUSES_PAID_OUT)
    await real.tap_words("Исплаћено је")
    await real.tap_words("Забележи као исплаћено")
    assert real.services.sales.credits_owed()
    assert decisions(real) == 0, "what is not kept has no row"
    connection.execute("DROP TRIGGER refuses_paid_out")
    await real.tap_words("Забележи као исплаћено")
    await real.until(lambda: real.services.sales.credits_owed() == [])
    assert decisions(real) == 1
    told = [one.code for one in real.services.sales.history(pair.refund.key)]
    assert told.count(PAID_OUT) == 1
    shifts = real.core.database.shifts
    shift = shifts.open_shift()
    assert shift is not None
    facts = read_facts(shifts, real.core.database.carts, Span(shift))
    assert facts.drawer.expected == Money(0)  # 59 came in, 59 went out; the receipt has 58.99


def rings(real: RealTill) -> bool:
    """Whether the bell and the bottom line call for a person; both say the same."""
    is_seen = home(real).top.bell.isVisible()
    told = [one.subject for one in real.hands.window.status.shown_items()]
    assert is_seen is ("Пажња" in told), told
    return is_seen


async def drop(real: RealTill) -> None:
    """F9, 5, the first reason, Enter."""
    await real.press("F9")
    await real.type("5")
    await real.type("1")
    await real.press("Enter")
    await real.until(lambda: home(real).model.cart.ticket.is_idle)


async def corrected(real: RealTill, pair: FrozenPair) -> None:
    """Take the lines of the exchange back into the cart: Attention, Correct."""
    await attention_at(real, pair.new.key)
    await real.tap_words("Исправи")
    await real.until(lambda: home(real).model.cart.ticket.exchanged is not None)


async def what_a_dropped_cart_owes_is_told_at_once(real: RealTill) -> None:
    """By the drop itself, by the bell and by the bottom line, each time that it is dropped."""
    pair = await half_of(real, MILK, cash="1000")
    assert said_of_last(real)[:2] == ("Готовина", "0,00"), "nothing is given before it is issued"
    await corrected(real, pair)
    assert said_of_last(real)[:2] == ("Готовина", "0,00"), "no change of what is cancelled"
    await real.until(lambda: not rings(real))
    await drop(real)
    assert "139,99 РСД није наплаћено" in notices_of_sale(real)
    assert "Купцу дугујемо 58,99 РСД" in notices_of_sale(real)
    await real.until(lambda: rings(real))
    await attention_at(real, pair.refund.key)
    await real.press("Enter")
    await real.until(lambda: home(real).model.cart.ticket.exchanged is not None)
    await real.until(lambda: not rings(real))
    await drop(real)
    assert "0,00 РСД" not in notices_of_sale(real)
    assert "Купцу дугујемо 58,99 РСД" in notices_of_sale(real)
    await real.until(lambda: rings(real))
    await attention_at(real, pair.refund.key)
    await real.tap_words("Исплаћено је")
    await real.tap_words("Забележи као исплаћено")
    await real.press("Esc")
    await real.until(lambda: not rings(real))
    assert said_of_last(real)[:2] == ("Готовина", "0,00")


async def a_refund_whose_copy_is_sent_again_gives_nothing(real: RealTill) -> None:
    """The copy of the refund is refused while another customer's credit waits in Attention: the
    key leads to this exchange's own case, and its money pays for the new goods."""
    before = await half_of(real, MILK)
    await corrected(real, before)
    await drop(real)
    sale = await real.sold(BREAD)
    await begun(real, sale, MILK)
    real.shop.fault("late_answer", seconds=0.01)
    real.shop.fault("refuse", code="2310")
    await real.press("F12", "Enter", "Enter")
    screen = screen_of(real)
    await real.until(lambda: screen.model.next_enter == "attention" and not screen.big.rests)
    assert screen.model.pair is not None
    refund = screen.model.pair.refund
    assert lines_of(screen).count("још није издато") == 1, "that of the refund is not known here"
    assert "исход још није познат" in lines_of(screen)
    await real.press("Enter")
    attention = in_front(real.hands.window.frame, "att.title")
    await real.until(lambda: "Копија-Рефундација на 58,99" in " ".join(notices_in(attention)))
    assert attention.model.current.sale_key == refund.key
    assert not attention.model.came_by_itself
    await real.tap_words("Власник")
    await real.tap_words("Пошаљи поново")
    await real.until(lambda: real.services.sales.sale(refund.key).state is SaleState.DONE)
    await real.until(lambda: attention.model.current in attention.model.solved)
    assert "Дајте купцу" not in " ".join(notices_in(attention))
    await real.tap_words("Прикажи решено")
    for case in attention.model.solved:
        await real.by_hand(attention.choose, case.id)
        assert "Дајте купцу" not in " ".join(notices_in(attention)), case


async def a_second_refusal_is_told_where_it_was_tried(real: RealTill) -> None:
    """The head of its case names what was received, without what came back."""
    pair = await half_of(real, MILK, cash="1000")
    await attention_at(real, pair.new.key)
    attention = in_front(real.hands.window.frame, "att.title")
    assert "готовина\N{NO-BREAK SPACE}1.000,00" in " ".join(lines_of(attention))
    real.shop.fault("refuse", code="2310")
    await real.press("Enter")
    screen = screen_of(real)
    await real.until(lambda: not screen.big.rests)
    before = real.services.sales.sale(pair.new.key).attempts
    await real.press("Enter")
    await real.until(lambda: real.services.sales.sale(pair.new.key).attempts > before)
    await real.until(lambda: "Пореска ознака не постоји код процесора." in said(screen))


@pytest.mark.deadline(120)
async def test_exchanges_at_one_till(real: RealTill) -> None:
    await real.walk(
        dearer_goods_are_taken_for_cheaper_ones,
        what_is_left_is_given_back,
        the_credit_of_a_half_stays_until_it_is_used_or_paid_out,
        what_a_dropped_cart_owes_is_told_at_once,
        what_goes_back_by_card_is_told_beside_the_cash,
        what_goes_back_by_card_alone_is_no_figure,
    )


@pytest.mark.deadline(120)
async def test_a_held_exchange_whose_receipt_was_refunded_elsewhere(real: RealTill) -> None:
    await real.walk(nothing_is_left_of_what_a_held_exchange_gives_back)


@pytest.mark.deadline(120)
async def test_a_half_of_an_exchange(real: RealTill) -> None:
    await real.walk(
        a_refund_whose_copy_is_sent_again_gives_nothing, a_second_refusal_is_told_where_it_was_tried
    )


@pytest.mark.long
@pytest.mark.deadline(180)
async def test_what_keeps_an_exchange_from_being_begun_or_ends_it(real: RealTill) -> None:
    await real.walk(
        a_manager_says_that_the_credit_was_paid_out,
        an_empty_cart_is_no_exchange_and_lines_that_leave_it_are_a_plain_sale,
        another_till_was_first_and_the_cart_is_back_with_the_reason,
    )
