"""What may stand in place of the payment for a while: a page to fill in, keys, or a notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import Screen, told_keys
from pos_app.cashier.payment.advance_form import AdvanceForm
from pos_app.cashier.payment.buyer_form import BuyerForm
from pos_app.cashier.payment.faults import FaultPlace
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.layout import PaymentLayout
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.small_forms import DeliveryForm, DiscountForm, TextForm
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.confirm_amount import ConfirmAmount
from pos_app.cashier.ui.keys_grid import KeysGrid
from pos_app.cashier.ui.notice import Notice, NoticeKind
from pos_app.cashier.ui.theme import Theme
from pos_app.errors import PosError
from pos_app.selling.ports import Till
from pos_app.selling.unusual_amounts import Unusual

PAGE_OF = {FaultPlace.COST_CENTRE: FaultPlace.BUYER, FaultPlace.WIRE_TIME: FaultPlace.ADVANCE}
"""The page on which a fault of another place is mended."""


def form_at(
    place: FaultPlace, theme: Theme, texts: Texts, model: PaymentModel, *, till: Till
) -> Form:
    """The page of a place. KeyError for a place that has none: a bug."""
    now = till.clock.now()
    pages: dict[FaultPlace, Callable[[], Form]] = {
        FaultPlace.BUYER: lambda: BuyerForm(theme, texts, model),
        FaultPlace.DELIVERY: lambda: DeliveryForm(theme, texts, model),
        FaultPlace.DISCOUNT: lambda: DiscountForm(theme, texts, model, till=till),
        FaultPlace.TEXT: lambda: TextForm(theme, texts, model),
        FaultPlace.ADVANCE: lambda: AdvanceForm(theme, texts, model, now=now),
    }
    return pages[PAGE_OF.get(place, place)]()


class PagedStage(PaymentLayout):
    """The panel with a page over the payment, at most one.

    Signals: `changed()`, a form changed the model; `done()`, a page says that it is done;
    `saved(Basket)`, the cart was stored; `failed(PosError)`, it could not be; `agreed()`, an
    unusual amount is right; `refused()`, a sign was typed that no number has.
    """

    changed = Signal()
    done = Signal()
    saved = Signal(object)
    failed = Signal(object)
    agreed = Signal()
    refused = Signal()

    @property
    def form(self) -> Form | None:
        """The page, if it is one to fill in."""
        return self.page if isinstance(self.page, Form) else None

    @property
    def asks(self) -> bool:
        """Whether the page asks if an unusual amount is right."""
        return isinstance(self.page, ConfirmAmount)

    def open_form(self, place: FaultPlace, *, till: Till) -> Form:
        """The page of a place."""
        form = form_at(place, self.theme, self.texts, self.model, till=till)
        form.changed.connect(self.changed)
        form.entered.connect(self.done)
        form.saved.connect(self.saved)
        form.failed.connect(self.failed)
        form.refused.connect(self.refused)
        self.set_page(form, title=form.title)
        return form

    def tell(self, error: PosError) -> None:
        """Why the payment could not be confirmed; it stays as it is."""
        page = NoticePage(self.theme, self.texts, self.texts.error(error))
        page.back.clicked.connect(self.done)
        self.set_page(page)
        page.back.setFocus()

    def tell_keys(self) -> None:
        """F1."""
        texts = self.texts
        self.set_page(
            KeysPage(self.theme, told_keys(Screen.PAYMENT, texts)), title=texts("pay.keys")
        )

    def ask_if_right(self, unusual: Unusual) -> None:
        """Whether an amount far above the usual is right; the big button goes back to it."""
        page = ConfirmAmount(self.theme, self.texts, unusual)
        page.agreed.connect(self.agreed)
        self.set_page(page, title=self.texts("sure.title"), word=self.texts("sure.mend"))


class KeysPage(QWidget):
    """The keys of the payment."""

    def __init__(self, theme: Theme, told: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(KeysGrid(theme, told))
        column.addStretch(1)


class NoticePage(QWidget):
    """What happened, that the payment is safe, and the way back to it (`back`)."""

    def __init__(self, theme: Theme, texts: Texts, told: NoticeText) -> None:
        super().__init__()
        self.back = Button(theme, texts("pay.back_to"), icon="arrow-left", key="Esc")
        notice = Notice(
            theme,
            NoticeKind.DANGER,
            happened=f"{texts('pay.not_confirmed')}. {told.happened}",
            safe=told.safe or texts("pay.not_confirmed.safe"),
            press=told.press or texts("pay.not_confirmed.do"),
            buttons=(self.back,),
        )
        self.setAccessibleName(notice.accessibleName())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(notice)
        column.addStretch(1)
