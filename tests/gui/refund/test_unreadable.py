"""Each screen shows a signed receipt that can't be read as issued, never as unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from pos_app.cashier.refund.model import RefundStep
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import CorrectionPlace, ReceiptPlace, RefundPlace
from pos_app.errors import NoSuchReceipt, RemoteError, Unreadable
from tests.gui.correction import screens as correction
from tests.gui.payment.shop import Shop
from tests.gui.receipts import screens as receipts
from tests.gui.refund import screens as refund
from tests.sweep import turns

NUMBER = refund.NUMBER
UNREADABLE = Unreadable(
    what="It can't be read.", safe="The receipt is issued.", do="Mend it.", number=NUMBER
)
NONE = NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")
SCREENS = {
    "refund": (refund.framed, RefundPlace(NUMBER)),
    "correction": (correction.framed, CorrectionPlace(NUMBER)),
    "receipts": (receipts.framed, ReceiptPlace(NUMBER)),
}


def told(widget: QWidget) -> str:
    return " ".join(one.text() for one in widget.findChildren(QLabel))


@pytest.mark.parametrize(("name", "is_issued"), turns(SCREENS, [True, False]))
async def test_it_is_told_as_it_is(
    tmp_path: Path, theme: Theme, name: str, *, is_issued: bool
) -> None:
    fault: RemoteError = UNREADABLE if is_issued else NONE
    shop = Shop(tmp_path)
    framed, place = SCREENS[name]
    holder, screen = framed(shop, UiContext(theme, Texts()))
    frame: Frame = screen.frame
    shop.receipts.fault = fault
    await refund.settle(shop)
    screen.go_to(place)
    await refund.pause()
    await refund.pause()
    words = told(screen)
    if name == "refund" and is_issued:
        assert screen.model.next_enter(at_document=False) is RefundStep.AGAIN, "not by hand"
    await frame.tasks.close()
    holder.deleteLater()
    shop.close()
    assert ("сервер не може да га прочита" in words) == is_issued
    assert ("Не издајте га поново" in words) == is_issued
    unknown = any(
        one in words for one in ("нема тај рачун", "нема овај рачун", "не зна за тај рачун")
    )
    assert unknown == (not is_issued)
