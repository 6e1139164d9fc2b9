"""The refund's screen in a real window, and what it says."""

from __future__ import annotations

from pos_app.cashier.frame import HOME
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.screens import REFUND, RefundPlace
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.selling.sale.sale import Sale
from tests.gui.parts import shown
from tests.gui.window.real_till import RealTill


def screen_of(real: RealTill) -> RefundScreen:
    top = real.hands.window.frame.top
    assert isinstance(top, RefundScreen), real.hands.window.frame.top_name
    return top


async def opened(real: RealTill, sale: Sale) -> RefundScreen:
    """The receipt of a sale is asked for and stands there, with all that is left ticked."""
    assert sale.receipt is not None
    real.hands.window.frame.open(REFUND, RefundPlace(sale.receipt.fiscal_number, HOME))
    screen = screen_of(real)
    await real.until(lambda: screen.model.draft is not None and bool(screen.left.lines.isVisible()))
    return screen


def notices(screen: RefundScreen) -> str:
    """What the notices say, as a screen reader tells them."""
    return " / ".join(one.accessibleName() for one in shown(screen, NoticePanel))
