"""The buttons of the notice about a receipt that was scanned at the sale. The open cart stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject

from pos_app.cashier.gate.about import About
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices import ReceiptRead
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import HOME, Frame
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview
from pos_app.errors import NoSuchReceipt
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.confirm import confirm_copy
from pos_app.selling.sale.receipt_drafts import BuyerDraft


class ReceiptButtons(QObject):
    """The acts on a receipt. An unlawful act stays shown, but can't be pressed."""

    def __init__(
        self, notice: ReceiptRead, model: SaleModel, frame: Frame, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._notice, self._model, self._frame = notice, model, frame
        self._facts = notice.facts

    def made(self, ui: UiContext, *, tight: bool) -> list[Button]:
        """tight: large type leaves no room for the button of a copy, which the receipt's own screen
        has."""
        texts, theme = ui.texts, ui.theme
        if self._notice.copying:
            issue = Button(theme, texts("notice.receipt_issue_copy"), icon="" if tight else "copy")
            issue.clicked.connect(self._ask_copy)
            return [issue]
        acts: list[tuple[str, Callable[[], object], str]] = [
            ("refund_it", self._refund, self._why_not(ReceiptAct.REFUND, texts)),
            ("copy_it", self._copy, self._why_not(ReceiptAct.COPY, texts)),
            ("buyer", self._take_buyer, ""),
            ("open", self._open, ""),
        ]
        left_out = {"copy_it" if tight else "", "" if self._buyer() else "buyer"}
        made = []
        for name, act, reason in acts:
            if name in left_out:
                continue
            button = Button(theme, texts(f"notice.receipt_{name}"))
            button.clicked.connect(act)
            if reason:
                button.refuse(reason)
            made.append(button)
        return made

    # --- acts ------------------------------------------------------------------------------------

    def _why_not(self, act: ReceiptAct, texts: Texts) -> str:
        """Return why an act can't be done now; "" if it can. A refund is allowed until the server
        has answered, and if it has no such receipt; the refund's screen knows more."""
        overview, facts = self._notice.answer, self._facts
        if isinstance(overview, ReceiptOverview):
            why_not = overview.why_not(act)
            return "" if why_not is None else texts(f"receipts.why_not.{why_not}")
        if act is ReceiptAct.REFUND and facts is not None and facts.may_be_refunded:
            return ""
        return self._notice.known_words(texts)

    def _refund(self) -> None:
        """Open the refund; for a receipt that the journal lacks, the refund by hand from the facts
        in its code."""
        facts = self._facts
        if facts is None:
            return
        foreign = facts if isinstance(self._notice.answer, NoSuchReceipt) else None
        self._leave()
        self._frame.open(
            screens.REFUND, screens.RefundPlace(facts.number, back_to=HOME, foreign=foreign)
        )

    def _open(self) -> None:
        self._leave()
        self._frame.open(screens.RECEIPTS, screens.scanned_place(self._notice.code))

    def _copy(self) -> None:
        """Say what the copy will be; the next press issues it."""
        self._model.context.exchange(self._notice, replace(self._notice, copying=True))

    def _ask_copy(self) -> None:
        answer, about = self._notice.answer, About(key="approve.act.copy")
        if isinstance(answer, ReceiptOverview):
            about = replace(about, of=answer.number, amount=answer.total)
        self._frame.permit(Act.REPRINT, self._issue_copy, about=about)

    def _issue_copy(self) -> None:
        overview, services = self._notice.answer, self._model.context.services
        if not isinstance(overview, ReceiptOverview):
            return
        delivery = services.usual_delivery.delivery()
        copy = self._model.context.attempt(
            lambda: confirm_copy(
                till=services.till, overview=overview, delivery=delivery, cashier=services.cashier
            )
        )
        if copy is not None:
            self._leave()
            self._frame.home.act_confirmed(copy)

    def _buyer(self) -> BuyerDraft | None:
        """Return the receipt's buyer if the open cart can take it over; an empty cart would not
        show a buyer."""
        if self._model.cart.ticket.cart.is_empty or self._facts is None:
            return None
        return self._model.cart.drafts.buyer.from_receipt(self._facts.buyer_id)

    def _take_buyer(self) -> None:
        if (buyer := self._buyer()) is not None:
            self._leave()
            self._model.cart.take_buyer(buyer)

    def _leave(self) -> None:
        self._model.context.withdraw(self._notice)
