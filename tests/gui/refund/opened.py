"""The refund's screen in a real window, and its words."""

from __future__ import annotations

from pos_app.cashier.refund.view import RefundScreen
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.selling.sale.sale import Sale
from tests.gui.parts import in_front, is_in_front, notices_in
from tests.gui.window.real_till import RealTill

ID_CARD = "008412357"


def screen_of(real: RealTill) -> RefundScreen:
    screen: RefundScreen = in_front(real.hands.window.frame, "refund.title")
    return screen


def is_refused(screen: RefundScreen) -> bool:
    """Whether the PIN at its gate was tried and is wrong."""
    return screen.gate is not None and bool(screen.gate.panel.fields["pin"].error())


async def opened(real: RealTill, sale: Sale) -> RefundScreen:
    """Press F7, scan the receipt, press R: the refund is open, with all remaining lines ticked."""
    url, number = sale.receipt.verification_url, sale.receipt.fiscal_number
    assert url is not None
    await real.press("F7")
    await real.scan(url)
    await real.until(lambda: _shows(real, number))
    await real.type("r")
    await real.until(lambda: real.hands.window.frame.top_name == "refund")
    screen = screen_of(real)
    await real.until(lambda: screen.model.draft is not None and screen.left_side.lines.hasFocus())
    return screen


def _shows(real: RealTill, number: str) -> bool:
    frame = real.hands.window.frame
    if not is_in_front(frame, "receipts.title"):
        return False
    opened = in_front(frame, "receipts.title").model.opened
    return opened is not None and opened.overview.number == number


async def seen_issued(real: RealTill, screen: RefundScreen) -> None:
    """Wait until the refund's figure was seen for as long as its key rests."""
    await real.until(lambda: "Рефундација је издата" in notices(screen))
    await real.until(lambda: not screen.right_side.main.rests)


async def refund_after(real: RealTill, before: Sale) -> Sale:
    """The refund that is confirmed after a sale, once it has ended."""
    await real.until(lambda: real.last().key != before.key)
    return await real.ended()


async def receipt_of(real: RealTill, sale: Sale) -> ReceiptOverview:
    """The server's overview of the sale's receipt."""
    return (await real.services.receipts.receipt(sale.receipt.receipt_id)).overview


def notices(screen: RefundScreen) -> str:
    """The words of the notices, as a screen reader reads them."""
    return " / ".join(notices_in(screen))
