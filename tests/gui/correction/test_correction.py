"""Corrections pressed in a real window and issued by a real server and processor."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.correction.view import CorrectionScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.screens import CORRECTION, RECEIPTS, CorrectionPlace
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptAct, WhyNot
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.gui.attention.cases import sold_for_cash
from tests.gui.correction.screens import posed
from tests.gui.exchange.test_exchange import refuse_the_sale_of_an_exchange
from tests.gui.parts import in_front, lines_of, notices_in
from tests.gui.patience import until
from tests.gui.pictures import SHAPES
from tests.gui.receipts.test_receipts import receipt
from tests.gui.window.hands import SellIn, seen
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import Shop

BREAD, MILK = "8609910700134", "8609951100139"
PIB = "106006802"
CARD = "Alt+2"


def screen_of(real: RealTill) -> CorrectionScreen:
    screen: CorrectionScreen = in_front(real.hands.window.frame, "corr.title")
    return screen


def seller(real: RealTill) -> str:
    """The shop's own tax number, as the server reported it last."""
    status = real.services.server.status
    return status.seller_pib if status is not None else ""


async def opened(real: RealTill, sale: Sale) -> CorrectionScreen:
    assert sale.receipt is not None
    real.hands.window.frame.open(CORRECTION, CorrectionPlace(sale.receipt.fiscal_number))
    screen = screen_of(real)
    await real.until(lambda: screen.model.overview is not None and bool(screen.model.seller_pib))
    return screen


async def corrected(real: RealTill, screen: CorrectionScreen) -> Sale:
    """The new receipt, once the whole correction is done."""
    await real.until(lambda: screen.model.stage is PairStage.DONE)
    assert screen.model.pair is not None
    return screen.model.pair.new


def notices(screen: CorrectionScreen) -> str:
    return " / ".join(notices_in(screen))


async def a_payment_is_corrected_by_five_presses(real: RealTill) -> None:
    """F7, the scan of the receipt, I, the method, Enter."""
    sale = await real.sold(BREAD, BREAD, MILK)
    was, window = await receipt(real, sale), real.hands.window
    assert was.verification_url is not None
    await real.until(lambda: bool(seller(real)))
    await real.press("F7")
    await real.scan(was.verification_url)
    top = in_front(window.frame, "receipts.title")
    await real.until(lambda: top.model.opened is not None)
    await real.type("i")
    screen = screen_of(real)
    await real.until(lambda: screen.model.overview is not None)
    await real.press(CARD)
    await real.enter_twice(screen.big)
    new = await corrected(real, screen)
    assert new.state is SaleState.DONE
    now = await receipt(real, new)
    assert [(one.method, one.amount) for one in now.payments] == [(PaymentMethod.CARD, was.total)]
    assert [(one.name, one.quantity, one.total) for one in now.lines] == [
        (one.name, one.quantity, one.total) for one in was.lines
    ]
    gone = await receipt(real, sale)
    assert gone.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
    refund = next(one for one in gone.chain if one.operation == "refund")
    assert refund.number is not None
    back = (await real.services.receipts.receipt(refund.number)).overview
    assert back.buyer == f"10:{screen.model.seller_pib}"
    assert back.total == was.total
    assert "исправљен" in notices(screen)
    await real.press("Enter")
    assert real.hands.window.frame.top_name == CORRECTION, "a second tap of the same finger"
    await real.until(lambda: not screen.big.rests)
    await real.press("Enter")
    assert real.hands.window.frame.is_home


async def a_buyer_is_put_on_it_afterwards(real: RealTill) -> None:
    """A second Enter leads nowhere, although the field in which it was typed is gone."""
    sale = await real.sold(BREAD)
    screen = await opened(real, sale)
    await real.type("b")
    await real.type(PIB)
    await real.enter_twice(screen.big)
    new = await corrected(real, screen)
    assert new.state is SaleState.DONE
    now = await receipt(real, new)
    assert now.buyer == f"10:{PIB}"
    assert Money.total(one.amount for one in now.payments) == now.total


async def a_known_firm_is_found_by_its_name(real: RealTill) -> None:
    """Its number is asked about no more, though the check digit does not fit."""
    odd = KnownBuyer(BuyerId.parse("10:123456789"), "Љубица д.о.о.")
    real.services.buyers.take_in([odd])
    connection_of(real.core.database).execute("UPDATE buyers SET receipts = 1")
    screen = await opened(real, await real.sold(BREAD))
    await real.type("b")
    await real.type("lj")
    assert "ПИБ има" not in " ".join(lines_of(screen))
    await real.type("u")
    await real.until(lambda: screen.big.accessibleName() == "Узми: Љубица д.о.о.")
    await real.press("Enter")
    assert (screen.model.pair, screen.model.buyer.sure) == (None, True)
    await real.enter_twice(screen.big)
    new = await corrected(real, screen)
    assert (await receipt(real, new)).buyer == "10:123456789"


async def enter_alone_corrects_nothing_and_esc_leads_to_the_receipt(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    screen = await opened(real, sale)
    await real.press("Alt+1")  # cash is the present method
    await real.press("Enter")
    assert screen.model.misses
    assert screen.model.pair is None
    await real.press(CARD)
    await real.press("Esc")
    assert real.hands.window.frame.top_name == RECEIPTS
    assert real.last().key == sale.key


async def one_that_is_left_by_esc_is_told_at_its_receipt_once_it_is_done(real: RealTill) -> None:
    """The receipt that waits for the other act is asked anew when that ends, without a press."""
    sale = await real.sold(BREAD)
    screen = await opened(real, sale)
    await real.press(CARD)
    real.shop.fault("late_answer", seconds=3, count=1)
    await real.press("Enter")
    await real.until(lambda: screen.model.pair is not None and is_sent(screen, "refund"))
    job = screen.model.pair
    assert job is not None
    await real.press("Esc")
    frame = real.hands.window.frame
    assert frame.top_name == RECEIPTS
    model = in_front(frame, "receipts.title").model
    await real.until(lambda: model.opened is not None)
    assert model.opened.overview.why_not(ReceiptAct.REFUND) is not WhyNot.REFUNDED
    sales = real.core.database.sales
    await real.until(lambda: sales.sale(job.new.key).state is SaleState.DONE)
    await real.until(lambda: model.opened.overview.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED)
    fresh = await receipt(real, sale)
    await real.until(lambda: model.opened.overview.chain == fresh.chain)


def is_sent(screen: CorrectionScreen, part: str) -> bool:
    job = screen.model.pair
    assert job is not None
    return (job.refund if part == "refund" else job.new).state is SaleState.SENDING


async def why_its_new_receipt_is_refused_is_told_beside_it(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    screen = await opened(real, sale)
    await real.press(CARD)
    refuse_the_sale_of_an_exchange(real)
    await real.press("Enter")
    await real.until(lambda: screen.model.stage is PairStage.HALF)
    await real.until(lambda: "Пореска ознака не постоји код процесора." in notices(screen))
    await real.until(lambda: not screen.big.rests)
    await real.press("Enter")
    await corrected(real, screen)


@pytest.mark.deadline(120)
async def test_corrections_at_one_till(real: RealTill) -> None:
    await real.walk(
        a_payment_is_corrected_by_five_presses,
        a_buyer_is_put_on_it_afterwards,
        a_known_firm_is_found_by_its_name,
        enter_alone_corrects_nothing_and_esc_leads_to_the_receipt,
        one_that_is_left_by_esc_is_told_at_its_receipt_once_it_is_done,
        why_its_new_receipt_is_refused_is_told_beside_it,
    )


async def test_a_refused_one_that_can_t_be_put_away_is_given_up_by_a_press(
    shop: Shop, sell_in: SellIn
) -> None:
    """The till's file takes no change just then."""
    shop.server.seller_pib, sales = "106543219", shop.database.sales
    told = overview_of(*sold_for_cash(), jobs=(), origin="till")
    shop.receipts.details[told.number] = ShownReceipt(told, None)
    hands = sell_in(shop)
    await shop.serve()
    hands.window.frame.open(CORRECTION, CorrectionPlace(told.number))
    screen: CorrectionScreen = in_front(hands.window.frame, "corr.title")
    await until(lambda: screen.model.overview is not None)
    hands.press(CARD, "Enter")
    assert screen.model.pair is not None
    refund = screen.model.pair.refund
    shop.server.faults.append(Fault.FIX)
    while sales.sale(refund.key).state is not SaleState.REFUSED:
        shop.clock.go_on(await shop.outbox.step())
    connection_of(shop.database).execute("PRAGMA query_only=1")
    await seen()
    assert "Подаци сада не могу да се прочитају ни упишу" in " ".join(notices_in(screen))
    connection_of(shop.database).execute("PRAGMA query_only=0")
    hands.tap_words("Одустани од исправке")
    await shop.serve()
    assert sales.sale(refund.key).state is SaleState.CANCELLED


UNCHANGED, REFUNDED = "corr.given_up.safe", "corr.given_up_half.happened"


@pytest.mark.parametrize(("scene", "said"), [("given_up", UNCHANGED), ("given_up_half", REFUNDED)])
def test_what_was_given_up_says_whether_the_receipt_is_refunded(
    qapp: QApplication, scene: str, said: str
) -> None:
    shape = SHAPES[0]
    with posed(qapp, shape, scene) as window:
        told, lines = " ".join(notices_in(window)), lines_of(window)
    texts = Texts(shape.language)
    assert [key for key in (UNCHANGED, REFUNDED) if texts(key) in told] == [said]
    counted = [one for one in lines if one.startswith("урађено")]
    done = "урађено 2 од 3, од осталог се одустало"
    assert counted == ([done] if said == REFUNDED else [])
    assert lines.count("Од овога се одустало.") == (1 if said == REFUNDED else 3)
