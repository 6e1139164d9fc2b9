"""The pages over the payment that add something to the receipt.

Typed text is in the model at once, and is never lost when a page is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.acts.known_buyers import BuyerMatches, KnownBuyers, id_of
from pos_app.cashier.acts.percent_keys import PercentKeys
from pos_app.cashier.commands import CTRL_ENTER, ENTER
from pos_app.cashier.gate.about import NOTHING_ELSE, About, about_change
from pos_app.cashier.payment.board import payment_pad
from pos_app.cashier.payment.model import Payment, PaymentFigure, PaymentModel, address_of
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import AmountField, Field, TextArea
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import NO_AMOUNT, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_words, option_text_id
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.request import LONGEST_ADDITIONAL_TEXT
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.selling.buyers.buyer_book import LONGEST_BUYER_NAME, KnownBuyer
from pos_app.selling.sale import receipt_drafts
from pos_app.selling.sale.ports import Till

LEAST_TOUCHES = 4
"""The least height, in touch sizes, of a page that shows explanations."""


class Form(Panel):
    """A page: fields at the left, the pad at the right."""

    fault_parts: frozenset[receipt_drafts.FaultPart] = frozenset()
    """The faults that are corrected on this page."""
    done_key = ENTER
    """The key that presses the big button."""
    value_typed = Signal()
    """What the page says of the figure has changed."""

    @property
    def figure(self) -> PaymentFigure | None:
        """The figure that stays above the page, because the page changes it; None for none."""
        return None

    @property
    def lowers(self) -> Decimal:
        """The percentage by which the page lowers the amount due further."""
        return Decimal(0)

    @property
    def about(self) -> About:
        """Describe what the page lowers."""
        return NOTHING_ELSE

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        events: PaymentEvents,
        *,
        title: str,
        pad: bool = True,
    ) -> None:
        super().__init__(theme)
        self.events = events
        self.texts = texts
        self.model = model
        self.title = texts(title)
        self.setAccessibleName(self.title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        row.setSpacing(metrics.s4)
        self._pad: Pad | None = None
        self._hints: list[Label] = []
        self._needs_pad = False
        self._area = ScrolledColumn(theme, name=self.title)
        self.column = self._add_column()
        row.addWidget(self._area, 1)
        if pad:
            self._add_pad(row)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit(self.size())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit(event.size())

    def _fit(self, size: QSize) -> None:
        """Show or hide the pad and the explanations. The pad is hidden on a page too low for it, as
        above the on-screen keyboard, which has digits. A pad that no field needs is also hidden
        where it would take the room of words. A low page has no explanations."""
        metrics = self.theme.metrics
        for hint in self._hints:
            hint.setVisible(size.height() >= LEAST_TOUCHES * metrics.touch and self.has_hints)
        if self._pad is not None:
            room = size - QSize(2, 2) * metrics.s4
            inside = self._area.minimumSizeHint().width() + metrics.s4
            is_wide = self._needs_pad or room.width() >= inside + self._pad.width()
            self._pad.setVisible(is_wide and room.height() >= self._pad.sizeHint().height())

    def focus_first(self) -> None:
        """Put the caret where typing begins."""

    def refresh(self) -> None:
        """Show the model's present state."""

    def fault(
        self, faults: Sequence[receipt_drafts.PaymentFault]
    ) -> receipt_drafts.PaymentFault | None:
        """Return the fault that keeps the page open, or None."""
        return next((fault for fault in faults if fault.part in self.fault_parts), None)

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        """Show a fault at its field, and put the caret there."""
        self.focus_first()

    def shows(self, words: str) -> bool:
        """Tell whether the page itself says so, at a field or below it."""
        errors = [one.error() for one in self.findChildren(Field) if one.isVisible()]
        return words in errors or any(
            one.text() == words for one in self.findChildren(Label) if one.isVisible()
        )

    @property
    def has_hints(self) -> bool:
        """Whether the explanations may take room."""
        return True

    @property
    def done_word(self) -> str:
        """The word of the big button, where it does more than end the page; else ""."""
        return ""

    @property
    def is_doubted(self) -> bool:
        """Whether a doubt stopped the page, so that a person may agree to what is doubted."""
        return False

    def agree(self) -> None:
        """Take what is doubted as right."""

    def settle(self) -> None:
        """Take what the big button has on it, before it is looked for faults."""

    def done(self) -> bool:
        """Store what the page stores only at "Done"; return False to keep the page open."""
        return True

    # --- parts -----------------------------------------------------------------------------------

    def hint(self, text_id: str) -> Label:
        label = Label(self.theme, self.texts(text_id), colour="ink_2", wrap=True)
        self.column.addWidget(label)
        self._hints.append(label)
        return label

    def head(self, text_id: str) -> Label:
        words = self.texts(text_id)
        label = Label(
            self.theme, words, step=TypeStep.SMALL, weight=Weight.BOLD, colour="ink_2", wrap=True
        )
        self.column.addWidget(label)
        return label

    def field(
        self,
        name: str,
        *,
        placeholder: str = "",
        right: bool = False,
        takes: InputKind | None = None,
    ) -> Field:
        """Make a field. The panel takes its Enter as "Done"."""
        made = AmountField if right else Field
        field = made(self.theme, name=name, placeholder=placeholder, takes=takes)
        self._needs_pad |= field.edit.typing.takes is InputKind.NOTHING
        field.refused.connect(self.events.refused)
        return field

    def remover(self, text_id: str) -> Button:
        button = Button(self.theme, self.texts(text_id), icon="trash-2", kind=ButtonKind.DANGER)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return button

    def _add_column(self) -> QVBoxLayout:
        """Make the column for the fields; it scrolls if large type needs more room."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        gap = self.theme.metrics.s1 + 1  # for the focus ring, which is drawn around a button
        column.setContentsMargins(gap, gap, gap, gap)
        column.setSpacing(self.theme.metrics.s2)
        self._area.show_inside(inside)
        return column

    def _add_pad(self, row: QHBoxLayout) -> None:
        self._pad = pad = payment_pad(self.theme, self.texts)
        pad.pressed.connect(self._type)
        side = QVBoxLayout()
        side.addWidget(pad)
        side.addStretch(1)
        row.addLayout(side)

    def _type(self, key: str) -> None:
        """Send a key of the pad to the field with the caret."""
        edit: QWidget | None = QApplication.focusWidget()
        if not isinstance(edit, QLineEdit) or not self.isAncestorOf(edit):
            self.focus_first()
            edit = QApplication.focusWidget()
        if not isinstance(edit, QLineEdit) or not self.isAncestorOf(edit):
            return
        if key == "back":
            edit.backspace()
        else:
            edit.insert(key)


class BuyerForm(Form):
    """The page of the buyer. Errors and warnings are shown below their field. A number whose check
    digit is wrong may still be right (fiscal.md 5). It keeps the page open once; a second "Done"
    accepts it. Until then no payment is confirmed with it.

    Firms of the buyers' book that the typed text may mean stand below the number in place of what
    else may be added. One of them is marked, which Enter takes: the first while the text is no
    whole number, and whichever the arrows lead to."""

    fault_parts = frozenset({receipt_drafts.FaultPart.BUYER, receipt_drafts.FaultPart.COST_CENTRE})

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        events: PaymentEvents,
        *,
        known: KnownBuyers,
    ) -> None:
        super().__init__(theme, texts, model, events, title="pay.buyer")
        self._known = known
        self._doubted: receipt_drafts.BuyerDraft | None = None
        """The buyer whose number stopped the page, until a person agrees to it."""
        self.hint("pay.buyer.words")
        self.kinds = self._chips("pay.buyer.kind")
        self.kinds.chosen.connect(self._choose_kind)
        self.number = self.field("", takes=InputKind.NUMBER)
        self.number.changed.connect(self._type_number)
        self.matches = BuyerMatches(theme, texts)
        self.matches.taken.connect(self._take_match)
        self._name_label = Label(theme, step=TypeStep.STRONG, weight=Weight.SEMIBOLD, wrap=True)
        self.name = self._name_field()
        self._advice = Label(theme, step=TypeStep.SMALL, colour="warn", wrap=True)
        self.corporate = self._corporate_button()
        self.centres = self._chips("pay.centre")
        self.centres.chosen.connect(self._choose_centre)
        self.centre = self.field(texts("pay.centre.value"), placeholder=texts("pay.centre.value"))
        self.centre.changed.connect(self._type_centre)
        self.remove = self.remover("pay.buyer.remove")
        self.remove.clicked.connect(self._remove)
        for part in (
            self.kinds,
            self.number,
            self.matches,
            self._name_label,
            self.name,
            self._advice,
        ):
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

    def _name_field(self) -> Field:
        name = self.texts("pay.buyer.name")
        field = self.field(name, placeholder=name, takes=InputKind.WORDS)
        field.edit.setMaxLength(LONGEST_BUYER_NAME)
        field.changed.connect(self._type_name)
        return field

    @property
    def has_hints(self) -> bool:
        return self.matches.isHidden()

    @property
    def done_word(self) -> str:
        marked = self.matches.marked
        if marked is None:
            return ""
        return self.texts("pay.buyer.take", name=marked.name or marked.id.value)

    def settle(self) -> None:
        if (marked := self.matches.marked) is not None:
            self._take_match(marked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.number.edit.hasFocus() and self.matches.step(event.key()):
            self.value_typed.emit()
        else:
            super().keyPressEvent(event)

    def focus_first(self) -> None:
        self.number.edit.setFocus()

    def refresh(self) -> None:
        draft = self.model.buyer
        kind = self.texts(f"pay.kind.{BUYER_KINDS[draft.code].name}")
        self.kinds.set_chips(self._kind_faces(), current=draft.code)
        self.centres.set_chips(self._centre_faces(), current=draft.centre_code or "none")
        self.number.edit.setAccessibleName(self.texts("pay.buyer.number", kind=kind))
        self.number.set_placeholder(kind)
        self.number.set_text(draft.value)
        self.name.set_text(draft.name)
        self.centre.set_text(draft.centre_value)
        self._show_state()

    def fault(
        self, faults: Sequence[receipt_drafts.PaymentFault]
    ) -> receipt_drafts.PaymentFault | None:
        return None if self.matches.marked is not None else super().fault(faults)

    @property
    def is_doubted(self) -> bool:
        draft = self.model.buyer
        return draft == self._doubted and draft.unconfirmed_warning() is not None

    def agree(self) -> None:
        self._change(replace(self.model.buyer, sure=True))

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        field = self.centre if fault.part is receipt_drafts.FaultPart.COST_CENTRE else self.number
        field.set_error(fault_words(fault, self.texts))
        if fault == self.model.buyer.unconfirmed_warning():
            self._doubted = self.model.buyer
            self._advice.hide()  # the field says it
        field.setFocus()

    # --- acts ------------------------------------------------------------------------------------

    def _choose_kind(self, code: str) -> None:
        self._change(self._known.with_certainty(self.model.buyer.with_typed(code=code)))
        self.refresh()
        self.focus_first()

    def _type_number(self, typed_text: str) -> None:
        if typed_text != self.model.buyer.value:
            self._change(self._known.with_certainty(self.model.buyer.with_typed(value=typed_text)))
            self._show_state()

    def _take_match(self, buyer: KnownBuyer) -> None:
        self._change(self.model.buyer.of_known(buyer))
        self.refresh()
        self.focus_first()

    def _type_name(self, typed_text: str) -> None:
        if typed_text != self.model.buyer.name:
            self._change(replace(self.model.buyer, name=typed_text))

    def _press_corporate(self) -> None:
        self.model.pay_by_corporate_card(self.corporate.isChecked())
        self.events.page_changed.emit()
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

    def _type_centre(self, typed_text: str) -> None:
        if typed_text != self.model.buyer.centre_value:
            self._change(replace(self.model.buyer, centre_value=typed_text))
            self._show_state()

    def _remove(self) -> None:
        if self.model.buyer.by_corporate_card:
            self.model.pay_by_corporate_card(False)
        self._change(receipt_drafts.BuyerDraft())
        self.refresh()
        self.focus_first()

    def _change(self, draft: receipt_drafts.BuyerDraft) -> None:
        with address_of(self.model, self._known):
            self.model.buyer = draft
        self._show_matches()
        self.events.page_changed.emit()

    # --- what is shown ---------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show the faults of the typed text; an empty field is not wrong yet."""
        draft = self.model.buyer
        self._show_matches()
        is_listed = not self.matches.isHidden()
        is_begun = not draft.value or draft.is_name  # letters are looked for
        number = None if is_listed or is_begun else draft.fault()
        self.number.judge(fault_words(number, self.texts))
        self._show_name()
        centre = draft.centre_fault() if draft.centre_value else None
        self.centre.judge(fault_words(centre, self.texts))
        card = draft.by_corporate_card
        self.centre.setVisible(bool(draft.centre_code) and not is_listed)
        self.centres.setVisible(not card and not is_listed)
        self._centre_head.setVisible(not is_listed)
        self.corporate.setVisible(not is_listed)
        self._centre_head.setText(self.texts("pay.corporate" if card else "pay.centre"))
        name = self.texts("pay.corporate.mark" if card else "pay.centre.value")
        self.centre.set_placeholder(name)
        self.centre.edit.setAccessibleName(name)
        self.corporate.setChecked(draft.by_corporate_card)
        warned = () if draft.sure else draft.warnings()
        advice = [self.texts(f"pay.warning.{text_id}") for text_id in warned]
        if BUYER_KINDS[draft.code].personal:
            advice.append(self.texts("pay.buyer.not_kept"))
        if draft.asks_e_invoice:
            advice.append(self.texts("pay.buyer.e_invoice"))
        self._advice.setText(" ".join(advice))
        self._advice.setVisible(bool(advice))
        self.remove.setVisible(not draft.is_empty and not is_listed)

    def _show_matches(self) -> None:
        draft = self.model.buyer
        self.matches.show_buyers(self._known.matching(draft), marks_first=draft.fault() is not None)

    def _show_name(self) -> None:
        """Show what the typed firm is called, or the field in which its name may be typed."""
        draft, known = self.model.buyer, self._known.known(self.model.buyer)
        buyer, name = id_of(draft), "" if known is None else known.name
        self._name_label.setText(name)
        self._name_label.setVisible(bool(name))
        self.name.setVisible(buyer is not None and not buyer.is_personal and not name)

    def _chips(self, name: str) -> choices.ChipRow:
        row = choices.ChipRow(self.theme, more=lambda n: self.texts("pay.kind.more", n=n))
        row.setAccessibleName(self.texts(name))
        return row

    def _kind_faces(self) -> list[choices.ChipSpec]:
        kinds = BUYER_KINDS.values()
        return [choices.ChipSpec(kind.code, self.texts(f"pay.kind.{kind.name}")) for kind in kinds]

    def _centre_faces(self) -> list[choices.ChipSpec]:
        kinds = [
            kind
            for kind in COST_CENTRE_KINDS.values()
            if kind.code not in receipt_drafts.REFUND_ONLY
        ]
        first = choices.ChipSpec("none", self.texts("pay.centre.none"))
        return [
            first,
            *(choices.ChipSpec(k.code, self.texts(f"pay.centre.{k.name}")) for k in kinds),
        ]

    def _corporate_button(self) -> Button:
        button = Button(self.theme, self.texts("pay.corporate"), icon="credit-card")
        button.setCheckable(True)
        button.setAccessibleDescription(self.texts("pay.corporate.words"))
        button.setToolTip(self.texts("pay.corporate.words"))
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.clicked.connect(self._press_corporate)
        return button


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
        is_wire = fault.part is receipt_drafts.FaultPart.WIRE_TIME
        (self._wrong_of_wire(fault) if is_wire else self._first).setFocus()

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
            self.label_fields[label] = field = self.field(name, right=True)
            row.addWidget(Label(self.theme, label.value, weight=Weight.SEMIBOLD))
            field.set_text(self._draft.texts_by_label.get(label, ""))
            field.changed.connect(lambda text, label=label: self._split(label, text))
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
        needed = self._draft.unknown
        quiet = self.texts("pay.advance.split_first" if needed else "pay.advance.split_words")
        self._split_label.setText(fault_words(fault, self.texts) if of_split else quiet)
        self._split_label.set_colour("danger" if of_split else "ink_2")
        fault, words = self._wire_fault(), fault_words(self._wire_fault(), self.texts)
        for field in (self.day, self.time):
            field.judge(words if field is self._wrong_of_wire(fault) else "")

    def _wire_fault(self) -> receipt_drafts.PaymentFault | None:
        """Return the fault of the typed day and time, even while there is no transfer."""
        try:
            self._draft.arrived(self._now)
        except Invalid as error:
            return receipt_drafts.PaymentFault.of(receipt_drafts.FaultPart.WIRE_TIME, error)
        return None


class DeliveryForm(Form):
    """The page of the delivery: a check box for each way that is offered."""

    fault_parts = frozenset({receipt_drafts.FaultPart.DELIVERY})

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        events: PaymentEvents,
        *,
        known: KnownBuyers,
    ) -> None:
        named = option_text_id(receipt_drafts.FaultPart.DELIVERY, model.kind, texts)
        super().__init__(theme, texts, model, events, title=named, pad=False)
        self._known = known
        self.hint(f"{named}.words")
        self.boxes: dict[receipt_drafts.DeliveryWay, choices.CheckBox] = {}
        for way in model.delivery.offered:
            self.boxes[way] = box = choices.CheckBox(theme, texts(f"pay.way.{way}"))
            box.toggled.connect(lambda on, way=way: self._tick(way, on))
            self.column.addWidget(box)
        email = texts("pay.delivery.email")
        self.email = self.field(email, placeholder=email, takes=InputKind.ADDRESS)
        self.email.changed.connect(self._take_email)
        self.column.addWidget(self.email)
        self.column.addStretch(1)
        self.refresh()

    def focus_first(self) -> None:
        if receipt_drafts.DeliveryWay.EMAIL in self.model.delivery.chosen:
            self.email.setFocus()
        elif self.boxes:
            next(iter(self.boxes.values())).setFocus()

    def refresh(self) -> None:
        draft = self.model.delivery
        for way, box in self.boxes.items():
            box.setChecked(way in draft.chosen)
        self.email.set_text(draft.email)
        self._show_state()

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        self.email.set_error(fault_words(fault, self.texts))
        self.email.setFocus()

    def _tick(self, way: receipt_drafts.DeliveryWay, on: bool) -> None:
        self.model.tick_delivery(way, on)
        is_asked = way is receipt_drafts.DeliveryWay.EMAIL and on
        if is_asked and not self.model.delivery.email:
            self.email.set_text(self._known.email(self.model.buyer))
        self._show_state()
        self.events.page_changed.emit()
        if is_asked:
            self.email.setFocus()

    def _take_email(self, typed_text: str) -> None:
        self.model.set_email(typed_text)
        self._show_state()
        self.events.page_changed.emit()

    def _show_state(self) -> None:
        draft = self.model.delivery
        self.email.setVisible(receipt_drafts.DeliveryWay.EMAIL in draft.chosen)
        fault = draft.fault() if draft.email else None
        self.email.judge(fault_words(fault, self.texts))


class DiscountForm(Form):
    """The page of the discount on the whole receipt, in percent or as an amount. "Done" writes the
    discount into the cart. Until then the model keeps the typed text."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: PaymentModel,
        events: PaymentEvents,
        *,
        till: Till,
        may: Callable[[Decimal], bool],
    ) -> None:
        """may: whether the person gives so many percent without asking."""
        named = option_text_id(receipt_drafts.FaultPart.DISCOUNT, model.kind, texts)
        super().__init__(theme, texts, model, events, title=named)
        self._of_cart = model
        self._till = till
        parts = (texts("pay.discount.percent"), texts("pay.discount.amount"))
        self.kind = choices.Segment(theme, parts, name=texts(named))
        self.kind.set_current(0 if self.draft.in_percent else 1)
        self.kind.chosen.connect(self._choose)
        self.value = self.field(texts("pay.discount.value"), right=True)
        self.value.set_text(self.draft.text)
        self.value.changed.connect(self._take_value)
        self.remove = self.remover("pay.discount.remove")
        self.remove.clicked.connect(self._remove)
        self._words_label = Label(theme, colour="ink_2", wrap=True)
        for part in (self.kind, self.value, self._words_label):
            self.column.addWidget(part)
        self.usual = PercentKeys(theme, name=self.title, may=may)
        self.usual.chosen.connect(self._take_usual)
        self.column.addWidget(self.usual)
        self.column.addStretch(1)
        self.column.addWidget(self.remove)
        self._show_state()

    def _take_usual(self, percent: int) -> None:
        self.kind.set_current(0)
        self._choose(0)
        self.value.set_text(str(percent))
        self._show_state()  # the press has unticked the key of the percentage that stood there

    @property
    def figure(self) -> PaymentFigure:
        """The payment's figure as it would be with the typed discount."""
        return self._of_cart.figure_with(self._after)

    @property
    def draft(self) -> receipt_drafts.DiscountDraft:
        return self._of_cart.discount_draft

    def focus_first(self) -> None:
        self.value.edit.setFocus()
        self.value.edit.selectAll()

    def refresh(self) -> None:
        self._show_state()

    @property
    def lowers(self) -> Decimal:
        return self._after.lowered_from(self._of_cart.ticket.cart)

    @property
    def about(self) -> About:
        return about_change(self._of_cart.ticket.cart, self._after)

    @property
    def _after(self) -> Cart:
        """The cart with the discount; as it is while the discount is wrong, as `done` reports."""
        cart = self._of_cart.ticket.cart
        try:
            return replace(cart, discount=self.draft.discount())
        except Invalid:
            return cart

    def fault(
        self, faults: Sequence[receipt_drafts.PaymentFault]
    ) -> receipt_drafts.PaymentFault | None:
        try:
            self._total_after()
        except Invalid as error:
            return receipt_drafts.PaymentFault.of(receipt_drafts.FaultPart.DISCOUNT, error)
        return None

    def _total_after(self) -> Money:
        """Return the cart's total with the discount. Raises Invalid while that is wrong."""
        return replace(self._of_cart.ticket.cart, discount=self.draft.discount()).total

    def done(self) -> bool:
        """Store the discount with the cart; return False if that fails."""
        try:
            ticket = self._of_cart.discount_receipt(self.draft.discount(), till=self._till)
        except Invalid as error:
            self.mark(receipt_drafts.PaymentFault.of(receipt_drafts.FaultPart.DISCOUNT, error))
            return False
        except (NotAllowed, MachineError) as error:
            self.events.failed.emit(error)
            return False
        if ticket is not None:
            self.events.saved.emit(ticket)
        return True

    def mark(self, fault: receipt_drafts.PaymentFault) -> None:
        self.value.set_error(fault_words(fault, self.texts))
        self.focus_first()

    def _choose(self, number: int) -> None:
        self._of_cart.type_discount(replace(self.draft, in_percent=number == 0))
        self._show_state()
        self.events.page_changed.emit()
        self.focus_first()

    def _take_value(self, typed_text: str) -> None:
        self._of_cart.type_discount(replace(self.draft, text=typed_text))
        self._show_state()
        self.events.page_changed.emit()

    def _remove(self) -> None:
        self.value.set_text("")
        self.events.page_done.emit()

    def _show_state(self) -> None:
        cart = self._of_cart.ticket.cart
        before = replace(cart, discount=None).total
        self.remove.setVisible(bool(self.draft.text))
        self.value_typed.emit()
        fault, lowered = self.fault(()), NO_AMOUNT
        if fault is None:
            lowered = amount_text(self._total_after())
        self.value.judge(fault_words(fault, self.texts))
        self._words_label.setText(
            self.texts("pay.discount.words", before=amount_text(before), after=lowered)
        )
        discount = self._after.discount
        given = discount.value if isinstance(discount, Percent) else None
        self.usual.show_percent(given if fault is None else None)


class TextForm(Form):
    """The page of the text below the fiscal part. Enter begins a new line; Ctrl+Enter is "Done"."""

    fault_parts = frozenset({receipt_drafts.FaultPart.TEXT})
    done_key = CTRL_ENTER

    def __init__(self, theme: Theme, texts: Texts, model: Payment, events: PaymentEvents) -> None:
        named = option_text_id(receipt_drafts.FaultPart.TEXT, model.kind, texts)
        super().__init__(theme, texts, model, events, title=named, pad=False)
        self.hint(f"{named}.words")
        self.edit = TextArea(theme, name=texts(named))
        self.edit.setPlainText(model.text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)  # typing goes on after the text
        self.edit.textChanged.connect(self._take_text)
        self.edit.installEventFilter(self)
        self._letters_left = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self.remove = self.remover("pay.text.remove")
        self.remove.clicked.connect(self.edit.clear)
        self.column.addWidget(self.edit, 1)
        self.column.addWidget(self._letters_left)
        self.column.addWidget(self.remove)
        self._show_state()

    def focus_first(self) -> None:
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.events.page_done.emit()
                return True
        return False

    def _take_text(self) -> None:
        self.model.text = self.edit.toPlainText()
        self._show_state()
        self.events.page_changed.emit()

    def _show_state(self) -> None:
        left = LONGEST_ADDITIONAL_TEXT - len(self.model.text)
        fault = receipt_drafts.text_fault(self.model.text)
        left_words = self.texts.count("pay.text.left", max(left, 0))
        self._letters_left.setText(fault_words(fault, self.texts) or left_words)
        self._letters_left.set_colour("danger" if fault else "ink_2")
        self.remove.setVisible(bool(self.model.text))
