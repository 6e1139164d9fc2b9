"""The page of an advance: how much now, whether the final amount is known, the split, the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtWidgets import QHBoxLayout

from pos_app.cashier.payment.advance import AdvanceDraft
from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.payment_texts import fault_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.segment import Segment
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.number_text import amount_text
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid

SPLIT_FAULTS = frozenset({"split_needed", "split_sum", "split_above"})


class AdvanceForm(Form):
    """now: the present instant, against which the day of a transfer is checked."""

    shows_figure = True
    places = frozenset({FaultPlace.ADVANCE, FaultPlace.WIRE_TIME})

    def __init__(self, theme: Theme, texts: Texts, model: PaymentModel, *, now: datetime) -> None:
        super().__init__(theme, texts, model, title="pay.advance")
        self._now = now
        self.amount = self._typed(texts("pay.advance.now"), model.advance.amount, "amount")
        self.amount.set_placeholder(amount_text(model.ticket.cart.total))
        parts = (texts("pay.advance.known"), texts("pay.advance.unknown"))
        self.final = Segment(theme, parts, name=texts("pay.advance.final"))
        self.final.set_current(1 if model.advance.unknown else 0)
        self.final.chosen.connect(self._choose)
        self.head("pay.advance.now")
        self.column.addWidget(self.amount)
        self.head("pay.advance.final")
        self.column.addWidget(self.final)
        self.parts: dict[TaxLabel, Field] = {}
        self._split_said = Label(theme, step=Step.SMALL, colour="ink_2", wrap=True)
        if len(model.labels) > 1:
            self._add_split()
        self._add_wire()
        self.column.addStretch(1)
        self._show_state()

    def focus_first(self) -> None:
        self.amount.edit.setFocus()

    def refresh(self) -> None:
        self._show_state()

    def fault(self, faults: Sequence[PaymentFault]) -> PaymentFault | None:
        """A time without its transfer keeps no page open: the transfer is added beside it."""
        return super().fault([fault for fault in faults if fault.kind != "no_transfer"])

    def mark(self, fault: PaymentFault) -> None:
        (self.day if fault.place is FaultPlace.WIRE_TIME else self.amount).setFocus()

    # --- parts -----------------------------------------------------------------------------------

    def _typed(self, name: str, text: str, member: str) -> Field:
        field = self.field(name, takes=Typed.NOTHING)  # the pad is beside it
        field.set_text(text)
        field.changed.connect(lambda typed: self._change(replace(self._draft, **{member: typed})))
        return field

    def _add_split(self) -> None:
        self.head("pay.advance.split")
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        for label in self.model.labels:
            name = self.texts("pay.advance.part", label=label)
            self.parts[label] = field = self.field(name, right=True)
            row.addWidget(Label(self.theme, label.value, weight=Weight.SEMIBOLD))
            field.set_text(self._draft.parts.get(label, ""))
            field.changed.connect(lambda typed, label=label: self._split(label, typed))
            row.addWidget(field, 1)
        self.column.addLayout(row)
        self.column.addWidget(self._split_said)

    def _add_wire(self) -> None:
        self.head("pay.advance.wire")
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        day, time = self.texts("pay.advance.day"), self.texts("pay.advance.time")
        self.day = self._typed(day, self._draft.day, "day")
        self.day.set_placeholder(self.texts("pay.advance.day_hint"))
        self.time = self._typed(time, self._draft.time, "time")
        self.time.set_placeholder(self.texts("pay.advance.time_hint"))
        row.addWidget(self.day, 1)
        row.addWidget(self.time, 1)
        self.column.addLayout(row)

    # --- acts ------------------------------------------------------------------------------------

    @property
    def _draft(self) -> AdvanceDraft:
        return self.model.advance

    def _choose(self, number: int) -> None:
        self._change(replace(self._draft, unknown=number == 1))

    def _split(self, label: TaxLabel, typed: str) -> None:
        self._change(replace(self._draft, parts={**self._draft.parts, label: typed}))

    def _change(self, draft: AdvanceDraft) -> None:
        self.model.change_advance(draft)
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        fault = self._draft.fault(self.model.labels)
        of_split = fault is not None and fault.kind in SPLIT_FAULTS
        self.amount.set_error("" if of_split else fault_words(fault, self.texts))
        needed = self._draft.unknown
        quiet = self.texts("pay.advance.split_first" if needed else "pay.advance.split_words")
        self._split_said.setText(fault_words(fault, self.texts) if of_split else quiet)
        self._split_said.set_colour("danger" if of_split else "ink_2")
        self.day.set_error(fault_words(self._wire_fault(), self.texts))

    def _wire_fault(self) -> PaymentFault | None:
        """Only what is wrong with the time itself: the transfer may still be added."""
        try:
            self._draft.arrived(self._now)
        except Invalid as error:
            return PaymentFault.of(FaultPlace.WIRE_TIME, error)
        return None
