"""Corrections pressed in a real window and issued by a real server and processor."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.correction.view import CorrectionScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.screens import CORRECTION, CorrectionPlace
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.gui.attention.cases import sold_for_cash
from tests.gui.correction.screens import posed
from tests.gui.parts import in_front, lines_of, notices_in
from tests.gui.patience import until
from tests.gui.pictures import SHAPES
from tests.gui.window.hands import SellIn, seen
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import Shop

BREAD, MILK = "8609910700134", "8609951100139"
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
