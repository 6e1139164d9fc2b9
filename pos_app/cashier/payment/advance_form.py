"""The page of an advance, over the payment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout

from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import Payment, PaymentFigure, PaymentModel
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_words
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.sale import receipt_drafts

SPLIT_FAULTS = frozenset({"split_needed", "split_sum", "split_above"})


class AdvanceForm(Form):
    """The page of an advance. At the first payment it asks for the amount, and whether the final
    amount is known; a further payment has the amount that is given. now: the time of a transfer is
    checked against it."""

    fault_parts = frozenset({receipt_drafts.FaultPart.ADVANCE, receipt_drafts.FaultPart.WIRE_TIME})

    def __init__(
        self, theme: Theme, texts: Texts, model: Payment, events: PaymentEvents, *, now: datetime
    ) -> None:
        super().__init__(theme, texts, model, events, title="pay.advance")
        self._now = now
        self.amount: Field | None = None
        if isinstance(model, PaymentModel):
            self._add_amount(model)
        self.label_fields: dict[TaxLabel, Field] = {}
        self._split_label = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        if len(model.labels) > 1:
            self._add_split()
        self._add_wire()
        if isinstance(model, PaymentModel):
            self._add_items(model)
        self.column.addStretch(1)
        self._show_state()

    @property
    def figure(self) -> PaymentFigure:
        return self.model.figure()

    def focus_first(self) -> None:
        self._first.edit.setFocus()

    def refresh(self) -> None:
        self._show_state()

    def fault(
        self, faults: Sequence[receipt_drafts.PaymentFault]
    ) -> receipt_drafts.PaymentFault | None:
        """Ignore what is put right in the payment: that there is a time but no transfer, and no
        amount where this page asks for none."""
        elsewhere = {"no_transfer"} | ({"nothing"} if self.amount is None else set())
        return super().fault([fault for fault in faults if fault.kind not in elsewhere])

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        if fault.part is receipt_drafts.FaultPart.WIRE_TIME:
            self._wrong_of_wire(fault).point_out()
        else:
            is_split = fault.kind in SPLIT_FAULTS and self.label_fields
            (next(iter(self.label_fields.values())) if is_split else self._first).point_out()

    def _wrong_of_wire(self, fault: receipt_drafts.PaymentFault | None) -> Field:
        return self.time if fault is not None and fault.kind == "time" else self.day

    # --- parts -----------------------------------------------------------------------------------

    @property
    def _first(self) -> Field:
        return self.amount or next(iter(self.label_fields.values()), self.day)

    def _add_amount(self, model: PaymentModel) -> None:
        texts = self.texts
        self.amount = self._text_field(
            texts("pay.advance.now"), model.advance.amount, "amount", right=True
        )
        self.amount.set_placeholder(amount_text(model.ticket.cart.total))
        parts = (texts("pay.advance.known"), texts("pay.advance.unknown"))
        self.final = choices.Segment(self.theme, parts, name=texts("pay.advance.final"))
        self.final.set_current(1 if model.advance.unknown else 0)
        self.final.chosen.connect(self._choose)
        self.head("pay.advance.now")
        self.column.addWidget(self.amount)
        self.head("pay.advance.final")
        self.column.addWidget(self.final)

    def _add_items(self, model: PaymentModel) -> None:
        self.items = choices.CheckBox(self.theme, self.texts("pay.advance.items"))
        self.items.setChecked(model.lists_items)
        self.items.toggled.connect(partial(self._tell_items, model))
        self.column.addWidget(self.items)

    def _text_field(self, name: str, text: str, member: str, *, right: bool = False) -> Field:
        field = self.field(name, right=right, takes=InputKind.NOTHING)  # the pad is beside it
        field.set_text(text)
        field.changed.connect(lambda text: self._change(replace(self._draft, **{member: text})))
        return field

    def _add_split(self) -> None:
        self.head("pay.advance.split")
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        for label in self.model.labels:
            name = self.texts("pay.advance.part", label=label)
            self.label_fields[label] = field = self.field(name, right=True, error_below=False)
            row.addWidget(Label(self.theme, label.value, weight=Weight.SEMIBOLD))
            field.set_text(self._draft.texts_by_label.get(label, ""))
            field.changed.connect(lambda text, label=label: self._split(label, text))
            field.error_changed.connect(self._show_split)
            row.addWidget(field, 1)
        self.column.addLayout(row)
        self.column.addWidget(self._split_label)

    def _add_wire(self) -> None:
        self.head("pay.advance.wire")
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        day, time = self.texts("pay.advance.day"), self.texts("pay.advance.time")
        self.day = self._text_field(day, self._draft.day, "day")
        self.day.set_placeholder(self.texts("pay.advance.day_hint"))
        self.time = self._text_field(time, self._draft.time, "time")
        self.time.set_placeholder(self.texts("pay.advance.time_hint"))
        row.addWidget(self.day, 1, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.time, 1, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(row)

    # --- acts ------------------------------------------------------------------------------------

    @property
    def _draft(self) -> receipt_drafts.AdvanceDraft:
        return self.model.advance

    def _choose(self, number: int) -> None:
        self._change(replace(self._draft, unknown=number == 1))

    def _tell_items(self, model: PaymentModel, on: bool) -> None:
        model.tell_items(on)
        self.events.page_changed.emit()

    def _split(self, label: TaxLabel, typed_text: str) -> None:
        self._change(
            replace(self._draft, texts_by_label={**self._draft.texts_by_label, label: typed_text})
        )

    def _change(self, draft: receipt_drafts.AdvanceDraft) -> None:
        self.model.change_advance(draft)
        self._show_state()
        self.events.page_changed.emit()

    def _show_state(self) -> None:
        fault = self.model.advance_fault()
        of_split = fault is not None and fault.kind in SPLIT_FAULTS
        if self.amount is not None:
            self.amount.judge("" if of_split else fault_words(fault, self.texts))
        for field in self.label_fields.values():
            field.judge(fault_words(fault, self.texts) if of_split else "")
        self._show_split()
        fault, words = self._wire_fault(), fault_words(self._wire_fault(), self.texts)
        for field in (self.day, self.time):
            field.judge(words if field is self._wrong_of_wire(fault) else "")

    def _show_split(self, words: str = "") -> None:
        """Show what is wrong with the parts, whose fields show by their edges that it is. words:
        what a field tells now."""
        needed = self._draft.unknown
        quiet = self.texts("pay.advance.split_first" if needed else "pay.advance.split_words")
        errors = (words, *(field.error() for field in self.label_fields.values()))
        error = next(filter(None, errors), "")
        self._split_label.setText(error or quiet)
        self._split_label.set_colour("danger" if error else "ink_2")

    def _wire_fault(self) -> receipt_drafts.PaymentFault | None:
        """Return the fault of the typed day and time, even while there is no transfer."""
        try:
            self._draft.arrived(self._now)
        except Invalid as error:
            return receipt_drafts.PaymentFault.of(receipt_drafts.FaultPart.WIRE_TIME, error)
        return None
