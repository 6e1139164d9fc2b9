"""What is owed for an exchange whose new goods have no receipt: it is told by the bell, by the
bottom line and by the sale, and the last receipt shows no other money to hand out."""

from __future__ import annotations

import pytest

from pos_app.cashier.ui.labels import AmountLabel
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import NOTHING_ADDED
from tests.fakes.fiscal_server import Fault
from tests.gui.attention.cases import RETURNED, confirmed_closing
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop

OWED = "Купцу дугујемо 842,50 РСД"


async def half_done(hands: Hands, fault: Fault = Fault.FIX) -> FrozenPair:
    """An exchange for which the customer gives more than enough: its refund is signed, and its
    sale is refused, or has another fault."""
    shop, sales = hands.shop, hands.shop.database.sales
    hands.model.cart.begin_exchange(RETURNED, NOTHING_ADDED)
    for _ in range(7):
        hands.scan(MILK)  # 979,93, so that 137 are to be paid
    shop.pause()
    hands.press("F12", "#1000", "Enter", "Enter")
    await seen()
    pair = FrozenPair(*reversed(sales.last(2)))
    while sales.sale(pair.refund.key).state is not SaleState.DONE:
        shop.clock.go_on(await shop.outbox.step())
    shop.server.faults.append(fault)
    await shop.serve()
    await seen()
    return FrozenPair(sales.sale(pair.refund.key), sales.sale(pair.new.key))


async def corrected(hands: Hands) -> None:
    """The lines come back into the cart: Attention, Correct."""
    hands.window.frame.open_waiting()
    await seen()
    hands.tap_words("Исправи")
    await hands.shop.serve()
    await until(lambda: bool(hands.gtins()))
    await until(lambda: not rings(hands))


def rings(hands: Hands) -> bool:
    """Whether the bell calls for a person; the bottom line says the same."""
    is_seen = hands.top.bell.isVisible()
    told = [one.subject for one in hands.window.status.shown_items()]
    assert is_seen is ("Пажња" in told), told
    return is_seen


def drop(hands: Hands) -> None:
    hands.press("F9", "#5", "#1", "Enter")
    assert hands.ticket.is_idle


async def opened_with_the_credit(hands: Hands) -> None:
    hands.window.frame.open_waiting()
    await seen()
    hands.tap_words("Отвори корпу")
    await until(lambda: hands.ticket.exchanged is not None)
    await until(lambda: not rings(hands))


async def test_each_end_of_a_cart_that_owes_rings_and_says_so(hands: Hands) -> None:
    """It is dropped with lines and without; another cart ends one without lines."""
    await half_done(hands)
    await corrected(hands)
    drop(hands)
    assert "979,93 РСД није наплаћено" in hands.notice()
    assert OWED in hands.notice()
    await until(lambda: rings(hands))
    await opened_with_the_credit(hands)
    drop(hands)
    assert OWED in hands.notice()
    assert "наплаћено" not in hands.notice(), "nothing was to be charged"
    await until(lambda: rings(hands))
    hands.scan(BREAD)
    hands.press("F6")
    await opened_with_the_credit(hands)
    hands.press("F9", "#4", "#1")
    assert hands.gtins(), "the held cart took the place of one that has no lines"
    assert OWED in hands.notice()
    await until(lambda: rings(hands))
    drop(hands)
    assert OWED not in hands.notice(), "that cart owed nothing"
    await opened_with_the_credit(hands)
    hands.model.cart.begin_exchange(RETURNED, NOTHING_ADDED)
    assert OWED in hands.notice(), "another exchange took its place"
    await until(lambda: rings(hands))


async def test_the_goods_of_a_closed_advance_are_told_too(hands: Hands) -> None:
    """The cart for them is dropped with lines, and without."""
    refund = confirmed_closing(hands.shop.till)
    await hands.shop.serve()
    for code in (MILK, ""):
        hands.model.cart.open_goods(hands.shop.database.sales.sale(refund.key))
        await until(lambda: not rings(hands))
        if code:
            hands.scan(code)
        assert hands.model.cart.can_be_dropped, "a cart for goods is no empty cart"
        drop(hands)
        assert "Роба по авансу од 6.000,00 РСД још није продата" in hands.notice()
        assert ("139,99 РСД није наплаћено" in hands.notice()) is bool(code)
        await until(lambda: rings(hands))


async def test_what_is_told_of_a_cart_is_not_told_over_the_next_one(hands: Hands) -> None:
    await half_done(hands)
    await corrected(hands)
    assert "Роба за 842,50 је враћена" in hands.notice()
    hands.press("F6")
    assert hands.notice() == ""
    hands.scan(BREAD)
    assert hands.notice() == ""
    hands.press("F6")
    await until(lambda: not rings(hands))  # the held cart stands for it
    hands.press("F6", "#1")
    assert hands.ticket.exchanged is not None
    await until(lambda: not rings(hands))


async def test_an_exchange_without_new_goods_is_not_held(hands: Hands) -> None:
    """The refusal says what to do; the return stays in its cart."""
    hands.model.cart.begin_exchange(RETURNED, NOTHING_ADDED)
    for key in ("F6", "Ctrl+F6"):
        hands.press(key)
        assert "Скенирајте шта купац узима" in hands.notice(), key
        assert hands.ticket.exchanged is not None
        assert hands.model.questions.question is None
        hands.press("Esc")
    hands.scan(BREAD)
    hands.press("F6")
    assert hands.model.cart.suspended_count == 1


def said_of_last(hands: Hands) -> str:
    """The last receipt, in the strip or large, as a screen reader reads it."""
    at = hands.cart.strip if hands.cart.strip.isVisible() else hands.cart.large
    return f"{at.accessibleName()} {at.accessibleDescription()}"


async def test_no_money_is_to_be_handed_out_for_one_that_was_not_issued(
    hands: Hands, shop: Shop, sell_in: SellIn
) -> None:
    """While it is refused, once it was cancelled, and once the till was started anew; the change
    would be 863,00."""
    await half_done(hands)
    hands.window.frame.go_home()
    assert "Готовина 0,00" in said_of_last(hands)
    await corrected(hands)
    assert "Готовина 0,00" in said_of_last(hands)
    hands.press("F6")
    again = sell_in(shop)
    await seen()
    assert "поништен, није издат" in said_of_last(again)
    assert "Готовина 0,00" in said_of_last(again)
    assert [one.text() for one in visible_parts(again.cart.large, AmountLabel)] == ["0,00"]


async def test_no_money_is_to_be_handed_out_while_an_exchange_is_in_doubt(hands: Hands) -> None:
    """Its screen says so too."""
    pair = await half_done(hands, Fault.IN_DOUBT)
    assert pair.new.state is SaleState.DOUBT
    hands.window.frame.go_home()
    assert "Готовина 0,00" in said_of_last(hands)
    assert "863" not in said_of_last(hands)


async def test_a_cancelled_sale_has_no_change(hands: Hands) -> None:
    """That of a refused one was given when it was confirmed, and stays told."""
    hands.scan(MILK)
    hands.shop.pause()
    hands.shop.server.faults.append(Fault.FIX)
    hands.press("F12", "#500", "Enter", "Enter")
    await hands.shop.serve()
    await seen()
    assert "Кусур 360,00" in said_of_last(hands)
    await corrected(hands)
    assert "Износ 139,99" in said_of_last(hands)


def paying(hands: Hands) -> str:
    """What stands in the payment."""
    hands.press("F12")
    words = " ".join(lines_of(hands.area.payment))
    hands.press("Esc")
    return words


async def test_a_change_that_was_told_is_not_given_twice(hands: Hands) -> None:
    """A refused sale of 139,99 for which 500 were received and 360 told as change: whatever
    becomes of its lines, also once they were held, the cart has the 140 that stayed."""
    back = "Вратите купцу 140,00 РСД, и кусур 360,00 ако га нисте дали"
    for end in ("dropped", "deleted", "held", "sold"):
        hands.scan(MILK)
        hands.shop.pause()
        hands.shop.server.faults.append(Fault.FIX)
        hands.press("F12", "#500", "Enter", "Enter")
        await hands.shop.serve()
        await corrected(hands)
        assert "Кусур 360,00 РСД се води као дат" in hands.notice()
        if end == "deleted":
            hands.press("Del")
            assert back in hands.notice()
        elif end == "held":
            hands.press("F6", "F6", "#1")
            hands.scan(BREAD)
            told = paying(hands)
            assert "59,00" in told, "198,98 less what is there"
            assert "кусур 360,00 раније" in told
        if end in ("dropped", "held"):
            drop(hands)
            assert back in hands.notice()
    hands.shop.pause()
    hands.press("F12", "Enter")
    await hands.shop.serve()
    await seen()
    assert hands.sold().state is SaleState.DONE
    assert "Готовина 140,00" in said_of_last(hands)


async def again_refused(hands: Hands, *, lines: int, given: str) -> None:
    """What is owed was to pay other goods, and the server refuses that sale too."""
    await half_done(hands)
    await corrected(hands)
    drop(hands)
    await opened_with_the_credit(hands)
    for _ in range(lines):
        hands.scan(MILK)
    hands.shop.pause()
    hands.press("F12", *([f"#{given}", "Enter"] if given else []), "Enter")
    hands.shop.server.faults.append(Fault.FIX)
    await hands.shop.serve()
    await seen()


async def told_once_dropped(hands: Hands) -> tuple[str, str]:
    """What Attention says of a refused sale before it is dropped there, and once it is solved."""
    hands.window.frame.open_waiting()
    await seen()
    before = " ".join(lines_of(hands.window))
    hands.tap_words("Купац је одустао")
    hands.tap_words("Одбаци продају")
    await hands.shop.serve()
    await until(lambda: hands.sold().state is SaleState.CANCELLED)
    hands.tap_words("Прикажи решено")
    after = " ".join(lines_of(hands.window))
    hands.window.frame.go_home()
    await until(lambda: rings(hands))
    return before, after


@pytest.mark.parametrize(
    ("lines", "given", "back"),
    [(7, "1000", "Вратите купцу 1.000,00, ако већ нисте: готовина."), (1, "", "Ништа.")],
)
async def test_what_was_received_beside_what_is_owed_goes_back_where_its_sale_is_dropped(
    hands: Hands, lines: int, given: str, back: str
) -> None:
    await again_refused(hands, lines=lines, given=given)
    before, after = await told_once_dropped(hands)
    assert ("новац се враћа купцу" in before) is bool(given)
    assert "842,50 за враћену робу и даље дугујемо" in before
    assert f"Шта сада {back}" in after


async def test_it_goes_back_where_its_cart_is_dropped(hands: Hands) -> None:
    await again_refused(hands, lines=7, given="1000")
    await corrected(hands)
    drop(hands)
    assert "Вратите купцу 1.000,00" in hands.notice()
    assert OWED in hands.notice()
