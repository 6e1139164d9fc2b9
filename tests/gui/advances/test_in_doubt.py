"""An act in doubt holds back the next one on the same advance, also once its screen was left."""

from __future__ import annotations

from pos_app.cashier.advances.room import Wanted
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.screens import ADVANCES
from pos_app.selling.sale.state import SaleState
from tests.gui.advances.screens import opened
from tests.gui.parts import in_front, layout_of, screen_in
from tests.gui.pictures import SHAPES
from tests.integration.local_api.wires import until
from tests.unit.fiscalization.plans.book import payments


async def test_what_may_be_paid_is_not_paid_again(theme: Theme) -> None:
    async with opened(SHAPES[0], theme, "doubt") as window:
        screen = screen_in(window, "Аванси")
        frame = screen.frame
        sales = frame.services.sales
        assert [one.operation for one in sales.waiting(SaleState.DOUBT)] == ["close"]
        confirmed = sales.last(1)[0].key
        frame.go_home()
        frame.open(ADVANCES)
        again = in_front(frame, "adv.title")
        await until(lambda: again.model.opened is not None)
        again.want(Wanted.PAYMENT)
        await until(lambda: again.is_paying)
        model = again.payment.model
        assert model is not None
        model.give(model.tender.note(payments(cash="100").total))
        layout_of(again.payment).issue.click()
        await until(lambda: not frame.tasks.names)
        assert [one.operation for one in sales.waiting(SaleState.DOUBT)] == ["close"]
        assert sales.last(1)[0].key == confirmed
