"""The left side of a refund by hand: number and time of the receipt, and amounts by label."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.refund.model import RefundModel
from pos_app.cashier.refund.words import earlier_words, hand_fault_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.number_text import amount_text, percent_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import InvoiceType
from pos_app.selling.receipts.refund_by_hand import MAY_BE, HandDraft, HandFault, HandPart


class HandPage(ScrolledColumn):
    changed = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__(theme, name=texts("refund.hand.title"))
        self._look, self._texts, self._model = theme, texts, model
        self.number = self._field("refund.hand.number", mono=True, takes=InputKind.NUMBER)
        self.day = self._field("refund.hand.day", takes=InputKind.NUMBER)
        self.time = self._field("refund.hand.time", takes=InputKind.NUMBER)
        self.goods = self._field("refund.hand.goods_name")
        self.amounts = {
            label: AmountField(
                theme,
                name=texts("refund.hand.amount_of", label=label.value),
                takes=InputKind.NUMBER,
            )
            for label in TaxLabel
        }
        self.paid = {
            method: AmountField(
                theme,
                name=texts("refund.hand.paid_by", method=texts(f"pay.method.{method}")),
                takes=InputKind.NUMBER,
            )
            for method in PaymentMethod
        }
        self._paid_heads: list[Label] = []
        kinds = tuple(texts(f"refund.hand.kind.{kind}") for kind in ("normal", "advance"))
        self.kind = Segment(theme, kinds, name=texts("refund.hand.kind"))
        ends = (texts("refund.hand.money_back"), texts("refund.hand.with_goods"))
        self.ends = Segment(theme, ends, name=texts("refund.hand.ends"))
        self._ends_head = self._head(texts("refund.hand.ends"))
        self._goods_head = self._head(texts("refund.hand.goods_name"))
        self._notices = QVBoxLayout()
        self._noticed: tuple[str, str, bool] | None = None
        self._most = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self.show_inside(self._made())
        self._connect()

    def show_model(self) -> None:
        """Show the model; a field whose text is unchanged keeps its caret."""
        draft, texts = self._model.hand_draft, self._texts
        if draft is None:
            return
        values = {
            self.number: draft.number,
            self.day: draft.day,
            self.time: draft.time,
            self.goods: draft.goods,
        }
        values |= {one: draft.amounts.get(label, "") for label, one in self.amounts.items()}
        values |= {one: draft.paid.get(method, "") for method, one in self.paid.items()}
        for field, text in values.items():
            if field.text() != text:
                field.set_text(text)
            field.edit.setReadOnly(not self._model.can_type)
        self.kind.set_current(MAY_BE.index(draft.kind))
        self.kind.setEnabled(self._model.can_type)
        is_advance = draft.kind is InvoiceType.ADVANCE
        self.ends.set_current(int(draft.with_goods))
        self.ends.setEnabled(self._model.can_type)
        self.ends.setVisible(is_advance)
        self._ends_head.setVisible(is_advance)
        self.goods.setVisible(not is_advance)  # the law names the items of an advance
        self._goods_head.setVisible(not is_advance)
        for part in (*self._paid_heads, *self.paid.values()):
            part.setVisible(draft.closes)
        if draft.closes:
            self._most.setText(texts("refund.hand.all_paid"))
        elif draft.most is not None:
            self._most.setText(texts("refund.hand.most", most=amount_text(draft.most)))
        self._most.setVisible(draft.closes or draft.most is not None)
        self._tell(draft.till, earlier_words(self._model, texts))
        self._show_fault()

    def _tell(self, till: str, earlier: str) -> None:
        """Say whose the receipt is, what to type while it can be typed, and what of it was refunded
        here before. till: the other till that has it, or ""."""
        is_typed = self._model.can_type or self._model.is_locked
        if (till, earlier, is_typed) == self._noticed:
            return
        self._noticed = till, earlier, is_typed
        clear_layout(self._notices)
        theme, texts = self._look, self._texts
        happened, safe = texts("refund.hand.happened"), texts("refund.hand.safe")
        if till:
            happened, safe = texts("refund.hand.other_till", till=till), ""
        kind = NoticeKind.WARN if till else NoticeKind.INFO
        press = texts("refund.hand.press") if is_typed else ""
        self._notices.addWidget(NoticePanel(theme, kind, happened=happened, safe=safe, press=press))
        if earlier:
            self._notices.addWidget(
                NoticePanel(theme, NoticeKind.WARN, happened=earlier, safe="", press="")
            )

    def focus_first(self) -> None:
        fault = self._model.hand_fault()
        part = HandPart.AMOUNTS if fault is None else fault.part
        field = {
            HandPart.NUMBER: self.number,
            HandPart.TIME: self._wrong_of_when(fault),
            HandPart.GOODS: self.goods,
        }.get(part)
        if fault is not None and fault.part is HandPart.METHODS:
            field = self.paid[fault.method or PaymentMethod.CASH]
        if field is None:
            label = TaxLabel.DJ if fault is None else fault.label or TaxLabel.DJ
            field = self.amounts[label]
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _wrong_of_when(self, fault: HandFault | None) -> Field:
        return self.time if fault is not None and fault.kind == "time" else self.day

    def show_earlier(self) -> None:
        last = self._notices.itemAt(self._notices.count() - 1)
        if last is not None and (notice := last.widget()) is not None:
            self.bring(notice)

    @property
    def is_typing(self) -> bool:
        fields = (
            self.number,
            self.day,
            self.time,
            self.goods,
            *self.amounts.values(),
            *self.paid.values(),
        )
        return any(one.edit.hasFocus() for one in fields)

    # --- parts -----------------------------------------------------------------------------------

    def _field(
        self, text_id: str, *, mono: bool = False, takes: InputKind = InputKind.WORDS
    ) -> Field:
        words = self._texts(text_id)
        hint = self._texts(f"{text_id}.hint") if self._texts.has(f"{text_id}.hint") else words
        return Field(self._look, name=words, placeholder=hint, mono=mono, takes=takes)

    def _made(self) -> QWidget:
        theme, texts, metrics = self._look, self._texts, self._look.metrics
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        self._notices.setSpacing(metrics.s3)
        column.addLayout(self._notices)
        for field in (self.number, self.goods, *self.amounts.values(), *self.paid.values()):
            bounded(theme, field)
        panel = Panel(theme)
        grid = QGridLayout(panel)
        grid.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s2)
        grid.addWidget(self._ends_head, 1, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.ends, 1, 1, Qt.AlignmentFlag.AlignLeft)
        for row, text_id, part in (
            (0, "refund.hand.kind", self.kind),
            (2, "refund.hand.number", self.number),
            (3, "refund.hand.when", self._day_and_time()),
        ):
            grid.addWidget(self._head(texts(text_id)), row, 0, Qt.AlignmentFlag.AlignTop)
            at = Qt.AlignmentFlag.AlignLeft if part is self.kind else Qt.AlignmentFlag(0)
            grid.addWidget(part, row, 1, at)
        grid.addWidget(self._goods_head, 4, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.goods, 4, 1)
        rates = self._model.services.rates
        for row, (label, field) in enumerate(self.amounts.items(), start=5):
            words = texts("refund.hand.label", label=label.value, rate=percent_text(rates[label]))
            grid.addWidget(self._head(words), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(field, row, 1)
        grid.addWidget(self._most, 5 + len(self.amounts), 1)
        self._add_paid(grid, 6 + len(self.amounts))
        grid.setColumnStretch(1, 1000)  # as far as its fields grow
        grid.setColumnStretch(2, 1)
        column.addWidget(panel)
        column.addStretch(1)
        return inside

    def _day_and_time(self) -> QWidget:
        both = bounded(self._look, QWidget())
        when = QHBoxLayout(both)
        when.setContentsMargins(0, 0, 0, 0)
        when.setSpacing(self._look.metrics.s2)
        for field, share in ((self.day, 3), (self.time, 2)):
            field.keep_room_for_error()
            when.addWidget(field, share, Qt.AlignmentFlag.AlignTop)
        return both

    def _add_paid(self, grid: QGridLayout, first: int) -> None:
        """Add the fields of a closed advance's payment by several methods."""
        several = Label(
            self._look,
            self._texts("refund.hand.several"),
            step=TypeStep.SMALL,
            colour="ink_2",
            wrap=True,
        )
        grid.addWidget(several, first, 1)
        self._paid_heads.append(several)
        for row, (method, field) in enumerate(self.paid.items(), start=first + 1):
            head = self._head(self._texts(f"pay.method.{method}"))
            self._paid_heads.append(head)
            grid.addWidget(head, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(field, row, 1)

    def _head(self, words: str) -> Label:
        metrics = self._look.metrics
        label = Label(self._look, words, weight=Weight.SEMIBOLD, wrap=metrics.narrow)
        label.setMinimumHeight(metrics.touch)
        return label

    def _connect(self) -> None:
        self.number.changed.connect(lambda text: self._type(number=text))
        self.goods.changed.connect(lambda text: self._type(goods=text))
        self.day.changed.connect(lambda text: self._type_when(day=text))
        self.time.changed.connect(lambda text: self._type_when(time=text))
        self.kind.chosen.connect(lambda number: self._type(kind=MAY_BE[number]))
        self.ends.chosen.connect(lambda number: self._type(with_goods=bool(number)))
        for label, field in self.amounts.items():
            field.changed.connect(lambda text, label=label: self._type_amount(label, text))

        for method, field in self.paid.items():
            field.changed.connect(lambda text, method=method: self._type_paid(method, text))

    def _type_paid(self, method: PaymentMethod, text: str) -> None:
        draft = self._model.hand_draft
        if draft is not None:
            self._change(replace(draft, paid={**draft.paid, method: text}))

    def _type(self, **members: object) -> None:
        draft = self._model.hand_draft
        if draft is not None:
            self._change(replace(draft, **members))  # type: ignore[arg-type]

    def _type_when(self, *, day: str | None = None, time: str | None = None) -> None:
        draft = self._model.hand_draft
        if draft is not None:
            self._change(draft.with_typed(day=day, time=time))

    def _type_amount(self, label: TaxLabel, text: str) -> None:
        draft = self._model.hand_draft
        if draft is not None:
            self._change(replace(draft, amounts={**draft.amounts, label: text}))

    def _change(self, draft: HandDraft) -> None:
        if draft != self._model.hand_draft:
            self._model.type_by_hand(draft)
            self.changed.emit()

    def _show_fault(self) -> None:
        fault, words = self._model.hand_fault(), hand_fault_words(self._model, self._texts)
        part = fault.part if fault is not None else None
        label = (fault.label or TaxLabel.DJ) if fault is not None else None
        for field in (self.day, self.time):
            field.set_error("")
        for field, at in (
            (self.number, HandPart.NUMBER),
            (self._wrong_of_when(fault), HandPart.TIME),
            (self.goods, HandPart.GOODS),
        ):
            field.set_error(words if part is at else "")
        for one, field in self.amounts.items():
            is_here = part is HandPart.AMOUNTS and one is label
            field.set_error(words if is_here else "")
        at_method = (fault.method or PaymentMethod.CASH) if fault is not None else None
        for method, field in self.paid.items():
            is_here = part is HandPart.METHODS and method is at_method
            field.set_error(words if is_here else "")
