"""What may stand in place of the payment for a while: a page to fill in, or a notice."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.notice import Notice, NoticeKind
from pos_app.cashier.payment.advance_form import AdvanceForm
from pos_app.cashier.payment.buyer_form import BuyerForm
from pos_app.cashier.payment.faults import Place
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.small_forms import DeliveryForm, DiscountForm, TextForm
from pos_app.cashier.texts import Told, Words
from pos_app.selling.ports import Till

PAGE_OF = {Place.COST_CENTRE: Place.BUYER, Place.WIRE_TIME: Place.ADVANCE}
"""The page on which a fault of another place is mended."""


def form_at(place: Place, look: Look, words: Words, model: PaymentModel, *, till: Till) -> Form:
    """The page of a place. KeyError for a place that has none: a bug."""
    now = till.clock.now()
    pages: dict[Place, Callable[[], Form]] = {
        Place.BUYER: lambda: BuyerForm(look, words, model),
        Place.DELIVERY: lambda: DeliveryForm(look, words, model),
        Place.DISCOUNT: lambda: DiscountForm(look, words, model, till=till),
        Place.TEXT: lambda: TextForm(look, words, model),
        Place.ADVANCE: lambda: AdvanceForm(look, words, model, now=now),
    }
    return pages[PAGE_OF.get(place, place)]()


class NoticePage(QWidget):
    """What happened, that the payment is safe, and the way back to it (`back`)."""

    def __init__(self, look: Look, words: Words, told: Told) -> None:
        super().__init__()
        self.back = Button(look, words("pay.back_to"), icon="arrow-left", key="Esc")
        notice = Notice(
            look,
            NoticeKind.DANGER,
            happened=f"{words('pay.not_confirmed')}. {told.happened}",
            safe=told.safe or words("pay.not_confirmed.safe"),
            press=told.press or words("pay.not_confirmed.do"),
            buttons=(self.back,),
        )
        self.setAccessibleName(notice.accessibleName())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(notice)
        column.addStretch(1)
