"""The page of the buyer: kind and number, corporate card, and the optional field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from pos_app.cashier.payment.buyer import REFUND_ONLY, BuyerDraft
from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.payment_texts import fault_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.chips import ChipFace, ChipRow
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.buyer import BUYER_KINDS, COST_CENTRE_KINDS


class BuyerForm(Form):
    """Errors and warnings stand under the field they are about.

    A check digit that does not fit may still be right (fiscal.md 5): it keeps the page open once,
    and the same number confirmed again is taken. Until then no way of paying takes it.
    """

    places = frozenset({FaultPlace.BUYER, FaultPlace.COST_CENTRE})

    def __init__(self, theme: Theme, texts: Texts, model: PaymentModel) -> None:
        super().__init__(theme, texts, model, title="pay.buyer")
        self._doubted: BuyerDraft | None = None
        """The buyer that was doubted here: Done again is the cashier's word for this one."""
        self.hint("pay.buyer.words")
        self.kinds = self._chips("pay.buyer.kind")
        self.kinds.chosen.connect(self._choose_kind)
        self.number = self.field("", takes=Typed.NUMBER)
        self.number.changed.connect(self._type_number)
        self._advice = Label(theme, step=Step.SMALL, colour="warn", wrap=True)
        self.corporate = self._corporate_button()
        self.centres = self._chips("pay.centre")
        self.centres.chosen.connect(self._choose_centre)
        self.centre = self.field(texts("pay.centre.value"), placeholder=texts("pay.centre.value"))
        self.centre.changed.connect(self._type_centre)
        self.remove = self.remover("pay.buyer.remove")
        self.remove.clicked.connect(self._remove)
        for part in (self.kinds, self.number, self._advice):
            self.column.addWidget(part)
        self._centre_head = self.head("pay.centre")
        for widget in (self.centres, self.centre):
            self.column.addWidget(widget)
        row = QVBoxLayout() if theme.metrics.narrow else QHBoxLayout()
        row.setSpacing(theme.metrics.s2 if theme.metrics.narrow else theme.metrics.s6)
        row.addWidget(self.corporate)
        row.addWidget(self.remove)
        row.addStretch(1)
        self.column.addStretch(1)
        self.column.addLayout(row)
        self.refresh()

    def focus_first(self) -> None:
        self.number.edit.setFocus()

    def refresh(self) -> None:
        draft = self.model.buyer
        kind = self.texts(f"pay.kind.{BUYER_KINDS[draft.code].key}")
        self.kinds.set_chips(self._kind_faces(), current=draft.code)
        self.centres.set_chips(self._centre_faces(), current=draft.centre_code or "none")
        self.number.edit.setAccessibleName(self.texts("pay.buyer.number", kind=kind))
        self.number.set_placeholder(kind)
        self.number.set_text(draft.value)
        self.centre.set_text(draft.centre_value)
        self._show_state()

    def fault(self, faults: Sequence[PaymentFault]) -> PaymentFault | None:
        found = super().fault(faults)
        draft = self.model.buyer
        return None if found == draft.doubt() and draft == self._doubted else found

    def done(self) -> bool:
        if self.model.buyer.doubt() is not None:
            self._change(replace(self.model.buyer, sure=True))
        return True

    def mark(self, fault: PaymentFault) -> None:
        field = self.centre if fault.place is FaultPlace.COST_CENTRE else self.number
        field.set_error(fault_words(fault, self.texts))
        if fault == self.model.buyer.doubt():
            self._doubted = self.model.buyer
            self._advice.setText(self.texts("pay.buyer.again"))
        field.setFocus()

    # --- acts ------------------------------------------------------------------------------------

    def _choose_kind(self, code: str) -> None:
        self._change(self.model.buyer.typed(code=code))
        self.refresh()
        self.focus_first()

    def _type_number(self, typed: str) -> None:
        if typed != self.model.buyer.value:
            self._change(self.model.buyer.typed(value=typed))
            self._show_state()

    def _press_corporate(self) -> None:
        self.model.pay_by_corporate_card(self.corporate.isChecked())
        self.changed.emit()
        self.refresh()
        (
            self.centre if self.corporate.isChecked() and self.number.text() else self.number
        ).setFocus()

    def _choose_centre(self, code: str) -> None:
        wanted = "" if code == "none" else code
        draft = replace(self.model.buyer, centre_code=wanted)
        was_corporate = self.model.buyer.by_corporate_card
        if was_corporate or draft.by_corporate_card:
            self.model.pay_by_corporate_card(draft.by_corporate_card)
            draft = replace(draft, centre_value=self.model.buyer.centre_value)
        self._change(draft)
        self.refresh()
        if wanted:
            self.centre.setFocus()

    def _type_centre(self, typed: str) -> None:
        if typed != self.model.buyer.centre_value:
            self._change(replace(self.model.buyer, centre_value=typed))
            self._show_state()

    def _remove(self) -> None:
        if self.model.buyer.by_corporate_card:
            self.model.pay_by_corporate_card(False)
        self._change(BuyerDraft())
        self.refresh()
        self.focus_first()

    def _change(self, draft: BuyerDraft) -> None:
        self.model.buyer = draft
        self.changed.emit()

    # --- what is shown ---------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Faults show once something is typed: an empty field is not yet wrong."""
        draft = self.model.buyer
        self.number.set_error(fault_words(draft.fault(), self.texts))
        centre = draft.centre_fault() if draft.centre_value else None
        self.centre.set_error(fault_words(centre, self.texts))
        self.centre.setVisible(bool(draft.centre_code))
        card = draft.by_corporate_card
        self.centres.setVisible(not card)
        self._centre_head.setText(self.texts("pay.corporate" if card else "pay.centre"))
        name = self.texts("pay.corporate.mark" if card else "pay.centre.value")
        self.centre.set_placeholder(name)
        self.centre.edit.setAccessibleName(name)
        self.corporate.setChecked(draft.by_corporate_card)
        advice = [self.texts(f"pay.warning.{key}") for key in draft.warnings()]
        if BUYER_KINDS[draft.code].personal:
            advice.append(self.texts("pay.buyer.not_kept"))
        self._advice.setText(" ".join(advice))
        self._advice.setVisible(bool(advice))
        self.remove.setVisible(not draft.is_empty)

    def _chips(self, name: str) -> ChipRow:
        row = ChipRow(self.theme, more=lambda n: self.texts("pay.kind.more", n=n))
        row.setAccessibleName(self.texts(name))
        return row

    def _kind_faces(self) -> list[ChipFace]:
        kinds = BUYER_KINDS.values()
        return [ChipFace(kind.code, self.texts(f"pay.kind.{kind.key}")) for kind in kinds]

    def _centre_faces(self) -> list[ChipFace]:
        kinds = [kind for kind in COST_CENTRE_KINDS.values() if kind.code not in REFUND_ONLY]
        first = ChipFace("none", self.texts("pay.centre.none"))
        return [first, *(ChipFace(k.code, self.texts(f"pay.centre.{k.key}")) for k in kinds)]

    def _corporate_button(self) -> Button:
        button = Button(self.theme, self.texts("pay.corporate"), icon="credit-card")
        button.setCheckable(True)
        button.setAccessibleDescription(self.texts("pay.corporate.words"))
        button.setToolTip(self.texts("pay.corporate.words"))
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.clicked.connect(self._press_corporate)
        return button
