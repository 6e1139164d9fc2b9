"""A sale that Attention takes back has its corporate card and what was given by it."""

from __future__ import annotations

from pos_app.cashier.attention.cases.sale_cases import CORRECTION, ToTakeBack
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD


def cancelled(hands: Hands) -> Sale:
    sales, now, of = hands.shop.database.sales, hands.shop.clock.now(), hands.sold().key
    sales.request_cancel(of, reason=CORRECTION, at=now)
    sales.move(of, SaleState.CANCELLING, at=now)
    return sales.move(of, SaleState.CANCELLED, at=now)


def take_back(hands: Hands, sale: Sale) -> None:
    inside(hands.window).open("attention")
    attention = inside(hands.window).attention
    attention.refresh()
    case = next(one for one in attention.model.cases if one.id == sale.key)
    assert isinstance(case, ToTakeBack)
    attention.room.take_back(case.sale)


def test_a_corporate_card_takes_its_voucher_from_a_corrected_sale_too(hands: Hands) -> None:
    """What it sent back was told until the confirm, and counts as given."""
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.press("F12", "#20", "F5", "#100000008")
    hands.tap_words("Корпоративна картица")
    hands.press("#123", "Enter", "Enter")
    take_back(hands, cancelled(hands))
    hands.shop.pause()
    hands.press("F12", "F5")
    hands.tap_words("Корпоративна картица")
    hands.press("Esc")
    assert hands.payment.tender.paid == ()
    assert hands.paying.issue.accessibleName() == "Упиши тачан износ 59,00"
