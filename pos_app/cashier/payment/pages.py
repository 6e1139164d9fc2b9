"""What may stand in place of the payment for a while: a page to fill in, keys, or a notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.keys_grid import KeysGrid
from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.notice import Notice, NoticeKind
from pos_app.cashier.payment.advance_form import AdvanceForm
from pos_app.cashier.payment.buyer_form import BuyerForm
from pos_app.cashier.payment.faults import Place
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.keys import TOLD
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.small_forms import DeliveryForm, DiscountForm, TextForm
from pos_app.cashier.payment.stage import Stage
from pos_app.cashier.sure import Sure
from pos_app.cashier.texts import Told, Words
from pos_app.errors import PosError
from pos_app.selling.plausible import Unusual
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


class PagedStage(Stage):
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
        return isinstance(self.page, Sure)

    def open_form(self, place: Place, *, till: Till) -> Form:
        """The page of a place."""
        form = form_at(place, self.look, self.words, self.model, till=till)
        form.changed.connect(self.changed)
        form.entered.connect(self.done)
        form.saved.connect(self.saved)
        form.failed.connect(self.failed)
        form.refused.connect(self.refused)
        self.set_page(form, title=form.title)
        return form

    def tell(self, error: PosError) -> None:
        """Why the payment could not be confirmed; it stays as it is."""
        page = NoticePage(self.look, self.words, self.words.error(error))
        page.back.clicked.connect(self.done)
        self.set_page(page)
        page.back.setFocus()

    def tell_keys(self) -> None:
        """F1."""
        words = self.words
        told = [(words(cap) if words.has(cap) else cap, words(text)) for cap, text in TOLD]
        self.set_page(KeysPage(self.look, told), title=words("pay.keys"))

    def ask_if_right(self, unusual: Unusual) -> None:
        """Whether an amount far above the usual is right; the big button goes back to it."""
        page = Sure(self.look, self.words, unusual)
        page.agreed.connect(self.agreed)
        self.set_page(page, title=self.words("sure.title"), word=self.words("sure.mend"))


class KeysPage(QWidget):
    """The keys of the payment."""

    def __init__(self, look: Look, told: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(KeysGrid(look, told))
        column.addStretch(1)


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
