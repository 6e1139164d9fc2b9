"""The page of the buyer, over the payment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from pos_app.cashier.acts.known_buyers import BuyerMatches, KnownBuyers, id_of
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.model import Payment, address_of
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_words
from pos_app.domain.receipt.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.selling.buyers.buyer_book import LONGEST_BUYER_NAME, KnownBuyer
from pos_app.selling.sale import receipt_drafts


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
        self._pay_by_card(self.corporate.isChecked())
        self.events.page_changed.emit()
        self.refresh()
        (
            self.centre if self.corporate.isChecked() and self.number.text() else self.number
        ).setFocus()

    def _pay_by_card(self, on: bool) -> None:
        before = self.model.given_back
        self.model.pay_by_corporate_card(on)
        if self.model.given_back != before:
            self.events.goes_back.emit(before, self.model.given_back)

    def _choose_centre(self, code: str) -> None:
        wanted = "" if code == "none" else code
        draft = replace(self.model.buyer, centre_code=wanted)
        was_corporate = self.model.buyer.by_corporate_card
        if was_corporate or draft.by_corporate_card:
            self._pay_by_card(draft.by_corporate_card)
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
            self._pay_by_card(False)
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
