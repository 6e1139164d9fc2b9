"""Pieces of the correction's screen: receipt, true value, the parts of the job, the right side."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.acts.known_buyers import BuyerMatches
from pos_app.cashier.acts.pair_parts import part_row
from pos_app.cashier.commands import method_cap
from pos_app.cashier.correction.model import METHODS, SEVERAL, CorrectionModel, What
from pos_app.cashier.correction.words import (
    about_words,
    corrected_buyer,
    draft_words,
    moved_words,
    new_paid_words,
    number_words,
    paid_words,
    part_contents,
    progress_words,
    signed_text,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, ChipSpec, RadioCard
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Icon, Label, NumberLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.painting import cap_width, paint_key_cap
from pos_app.cashier.ui.panel import Divider, FilledPanel, Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.receipt_words import short_number, when_words
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BUYER_KINDS
from pos_app.selling.buyers.buyer_book import KnownBuyer

ICONS = {
    PaymentMethod.CASH: "banknote",
    PaymentMethod.CARD: "credit-card",
    PaymentMethod.WIRE_TRANSFER: "landmark",
    PaymentMethod.MOBILE_MONEY: "smartphone",
    PaymentMethod.CHECK: "file-check-2",
}
_TOP, _RIGHT = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignRight
COLUMNS = 3


def head_label(theme: Theme, words: str) -> Label:
    return Label(
        theme, words, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2", wrap=True
    )


class ReceiptLine(QWidget):
    def __init__(self, theme: Theme, texts: Texts, model: CorrectionModel) -> None:
        super().__init__()
        overview = model.overview
        assert overview is not None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s4)
        number = NumberLabel(theme, overview.number, weight=Weight.SEMIBOLD)
        about = ElidedLabel(
            theme, about_words(overview, texts), step=TypeStep.SMALL, colour="ink_2"
        )
        when = ElidedLabel(theme, when_words(overview), step=TypeStep.SMALL, colour="ink_2")
        paid = Label(theme, paid_words(overview, texts), step=TypeStep.SMALL, colour="ink_2")
        paid.setAlignment(_RIGHT)
        total = AmountLabel(theme, amount_text(overview.total), step=TypeStep.STRONG)
        which = Label(theme, texts("corr.which"), step=TypeStep.SMALL, colour="ink_2")
        for upper, lower, stretch in ((which, number, 0), (when, about, 1), (paid, total, 0)):
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addWidget(upper)
            column.addWidget(lower)
            row.addLayout(column, stretch)


class WhatCard(RadioCard):
    def __init__(self, theme: Theme, title: str, words: str, *, key: str) -> None:
        super().__init__(theme, title, words)
        self._key = key
        layout = self.layout()
        assert layout is not None
        inside = layout.contentsMargins()
        inside.setRight(2 * theme.metrics.s4 + cap_width(theme, self.font(), key))
        layout.setContentsMargins(inside)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, metrics = QPainter(self), self.theme.metrics
        wide = cap_width(self.theme, self.font(), self._key)
        rect = QRect(self.width() - metrics.s4 - wide, 0, wide, metrics.cap)
        rect.moveTop((self.height() - metrics.cap) // 2)
        paint_key_cap(painter, rect, self.theme, self._key, ink="ink_2", edge="line_strong")


class PaymentPart(QWidget):
    """The true payment: one method, or several with their amounts. Signals: `chosen(int)`, the
    number of a method from 0; `amount_typed()`."""

    chosen = Signal(int)
    amount_typed = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: CorrectionModel) -> None:
        super().__init__()
        self._theme, self._texts, self._model = theme, texts, model
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        column.addWidget(head_label(theme, texts("corr.truly_paid")))
        grid = QGridLayout()
        grid.setSpacing(metrics.s2)
        self.buttons = [self._button(number) for number in range(len(METHODS) + 1)]
        columns = 2 if metrics.narrow else COLUMNS
        for number, button in enumerate(self.buttons):
            grid.addWidget(button, number // columns, number % columns)
        column.addLayout(grid)
        self.fields: dict[PaymentMethod, Field] = {}
        self._amounts = QWidget()
        self._fill(columns)
        column.addWidget(self._amounts)
        self._why = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        column.addWidget(self._why)
        self.show_model()

    def show_model(self) -> None:
        model = self._model
        assert model.overview is not None
        for number, method in enumerate(METHODS):
            button = self.buttons[number]
            button.setChecked(model.method is method)
            if model.is_of_exchange:
                button.refuse(self._texts("corr.of_exchange"))
            elif method in model.present:
                button.refuse(self._texts("corr.is_there"))
            else:
                button.allow()
        self.buttons[-1].setChecked(model.several is not None)
        self._amounts.setVisible(model.several is not None)
        for method, field in self.fields.items():
            typed = (model.several or {}).get(method, "")
            if field.text() != typed:
                field.set_text(typed)
            wrong = self._texts("corr.no_amount") if model.amount_fault(method) else ""
            field.set_error(wrong)
        self._why.setText(self._words())
        self._why.set_colour("danger" if model.misses and model.several is not None else "ink_2")

    def focus_first(self) -> bool:
        """Put the caret into the amounts; returns False where there are none."""
        if self._model.several is None:
            return False
        self.fields[SEVERAL[0]].edit.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _words(self) -> str:
        model, texts = self._model, self._texts
        assert model.overview is not None
        if model.several is not None:
            missing = model.missing_amount
            text_id = "corr.sum_missing" if missing else "corr.sum_right"
            return texts(text_id, missing=amount_text(missing))
        if model.is_of_exchange:
            return texts("corr.of_exchange")
        if not model.present:
            return ""
        (method,) = model.present
        number = short_number(model.overview.number)
        return texts("corr.is_there_words", method=texts(f"pay.method.{method}"), number=number)

    def _button(self, number: int) -> Button:
        several = number == len(METHODS)
        words = self._texts("corr.several" if several else f"pay.method.{METHODS[number]}")
        icon = "ellipsis" if several else ICONS[METHODS[number]]
        button = Button(self._theme, words, icon=icon, key=method_cap(number + 1), spread=True)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(number))
        return button

    def _fill(self, columns: int) -> None:
        grid = QGridLayout(self._amounts)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(self._theme.metrics.s2)
        for number, method in enumerate(SEVERAL):
            name = self._texts(f"pay.method.{method}")
            field = AmountField(self._theme, name=name, takes=InputKind.NUMBER)
            field.changed.connect(self._type_into(method))
            self.fields[method] = field
            column = QVBoxLayout()
            column.setSpacing(self._theme.metrics.s1)
            column.addWidget(Label(self._theme, name, step=TypeStep.SMALL, colour="ink_2"))
            column.addWidget(bounded(self._theme, field), 0, _TOP)
            grid.addLayout(column, number // columns, number % columns, _TOP)

    def _type_into(self, method: PaymentMethod) -> Callable[[str], None]:
        def take(typed_text: str) -> None:
            if typed_text != (self._model.several or {}).get(method):
                self._model.type_amount(method, typed_text)
                self.amount_typed.emit()

        return take


class BuyerPart(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: CorrectionModel) -> None:
        super().__init__()
        self._texts, self._model = texts, model
        self.kinds = ChipRow(theme, more=lambda n: texts("pay.kind.more", n=n))
        self.kinds.setAccessibleName(texts("pay.buyer.kind"))
        faces = [ChipSpec(one.code, texts(f"pay.kind.{one.name}")) for one in BUYER_KINDS.values()]
        self.kinds.set_chips(faces, current=model.buyer.code)
        self.kinds.chosen.connect(self._choose_kind)
        self.number = Field(theme, name="", icon="id-card", mono=True, takes=InputKind.NUMBER)
        self.number.changed.connect(self._type)
        self.matches = BuyerMatches(theme, texts)
        self.matches.taken.connect(self._take)
        self._advice = Label(theme, step=TypeStep.SMALL, colour="warn", wrap=True)
        self.remove = Button(theme, texts("corr.without"), icon="trash-2", kind=ButtonKind.DANGER)
        self.remove.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.remove.clicked.connect(self._remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s2)
        column.addWidget(head_label(theme, texts("corr.true_buyer")))
        bounded(theme, self.number)
        for part in (self.kinds, self.number, self.matches, self._advice, self.remove):
            column.addWidget(part)
        self.show_model()

    def show_model(self) -> None:
        draft, texts = self._model.buyer, self._texts
        kind = texts(f"pay.kind.{BUYER_KINDS[draft.code].name}")
        self.kinds.set_current(draft.code)
        self.number.edit.setAccessibleName(texts("pay.buyer.number", kind=kind))
        self.number.set_placeholder(kind)
        if self.number.text() != draft.value:
            self.number.set_text(draft.value)
        is_unfinished = draft.fault() is not None
        self.matches.show_buyers(self._model.known.matching(draft), marks_first=is_unfinished)
        self._model.marked = self.matches.marked
        is_asked = self._model.misses
        self.number.judge(number_words(self._model, texts), asked=is_asked)
        warned = () if draft.sure else draft.warnings()
        advice = [texts(f"pay.warning.{text_id}") for text_id in warned]
        if self._model.is_doubted:
            advice = []  # the field says it
        self._advice.setText(" ".join(advice))
        self._advice.setVisible(bool(advice))
        self.remove.setVisible(bool(draft.value))

    def focus_first(self) -> bool:
        self.number.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.number.edit.selectAll()
        return True

    def _choose_kind(self, code: str) -> None:
        self._model.set_buyer(self._model.buyer.with_typed(code=code))
        self.changed.emit()
        self.focus_first()

    def _type(self, typed_text: str) -> None:
        if typed_text != self._model.buyer.value:
            self._model.set_buyer(self._model.buyer.with_typed(value=typed_text))
            self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.number.edit.hasFocus() and self.matches.step(event.key()):
            self.changed.emit()
        else:
            super().keyPressEvent(event)

    def _take(self, buyer: KnownBuyer) -> None:
        self._model.set_buyer(self._model.buyer.of_known(buyer))
        self.changed.emit()
        self.focus_first()

    def _remove(self) -> None:
        self._model.set_buyer(type(self._model.buyer)())
        self.changed.emit()
        self.focus_first()


class CorrectionPartsPanel(FilledPanel):
    def __init__(self, theme: Theme, texts: Texts, model: CorrectionModel, *, wide: bool) -> None:
        super().__init__(theme)
        metrics = theme.metrics
        parts = part_contents(model, texts)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column = self.edge_column()
        row = QHBoxLayout()
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        many = texts.count("corr.parts", len(parts))
        if wide:
            row.addWidget(head_label(theme, texts("corr.one_job", parts=many)), 1)
            counted = progress_words(parts, model, texts)
            row.addWidget(Label(theme, counted, step=TypeStep.SMALL, weight=Weight.BOLD))
        else:
            title = Label(theme, texts("corr.will_do"), step=TypeStep.STRONG, weight=Weight.BOLD)
            row.addWidget(title, 1)
            row.addWidget(Label(theme, many, step=TypeStep.SMALL, colour="ink_2"))
        column.addLayout(row)
        for number, part in enumerate(parts, 1):
            column.addWidget(Divider(theme))
            column.addWidget(part_row(theme, number, part, wide=wide))


class ComparedPanel(Panel):
    """The values that differ on the new receipt, beside the old ones."""

    def __init__(self, theme: Theme, texts: Texts, model: CorrectionModel) -> None:
        super().__init__(theme)
        overview = model.overview
        assert overview is not None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        grid = QGridLayout(self)
        metrics = theme.metrics
        grid.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        grid.setHorizontalSpacing(metrics.s4)
        grid.setVerticalSpacing(metrics.s2)
        number = texts("corr.receipt", number=short_number(overview.number))
        same = texts("corr.stays")
        lines = texts.count("att.items", len(overview.lines))
        is_buyer = model.what is What.BUYER
        new_buyer = draft_words(model.buyer, texts) if is_buyer else same
        new_paid = same if is_buyer else new_paid_words(model, texts)
        rows = (
            (texts("corr.what_changes"), number, texts("corr.part.new")),
            (texts("corr.payment"), paid_words(overview, texts), new_paid),
            (texts("corr.buyer"), corrected_buyer(overview, texts), new_buyer),
            (
                texts("corr.lines"),
                f"{lines} · {amount_text(overview.total)}",
                texts("corr.lines_stay"),
            ),
        )
        for index, cells in enumerate(rows):
            for at, words in enumerate(cells):
                is_head = index == 0
                is_new = at == 2 and words != same and index in (1, 2)
                weight = Weight.SEMIBOLD if is_head or is_new else Weight.MEDIUM
                step = TypeStep.SMALL if is_head else TypeStep.BASE
                label = Label(
                    theme,
                    words,
                    step=step,
                    weight=weight,
                    wrap=True,
                    colour="ink_2" if is_head or not at else "ink",
                )
                grid.addWidget(label, index, at)
        for at, stretch in enumerate((2, 3, 4)):
            grid.setColumnStretch(at, stretch)


class SumsPanel(Panel):
    def __init__(
        self,
        theme: Theme,
        title: str,
        lines: list[tuple[str, str]],
        sum_of: tuple[str, str],
        words: str = "",
    ) -> None:
        super().__init__(theme)
        metrics = theme.metrics
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s1)
        if title:
            column.addWidget(
                Label(theme, title, step=TypeStep.STRONG, weight=Weight.BOLD, wrap=True)
            )
        for name, amount in lines:
            column.addLayout(self._line(name, amount, TypeStep.BASE))
        if lines:
            column.addWidget(Divider(theme))
        column.addLayout(self._line(*sum_of, TypeStep.TITLE))
        if words:
            quiet = Label(theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True)
            column.addWidget(quiet)

    def _line(self, name: str, amount: str, step: TypeStep) -> QHBoxLayout:
        row = QHBoxLayout()
        is_sum = step is TypeStep.TITLE
        weight = Weight.SEMIBOLD if is_sum else Weight.MEDIUM
        row.addWidget(
            ElidedLabel(self.theme, name, weight=weight, colour="ink" if is_sum else "ink_2"), 1
        )
        label = AmountLabel(self.theme, amount, name=name, step=step)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row.addWidget(label)
        return row


def drawer_notice(theme: Theme, texts: Texts) -> NoticePanel:
    panel = NoticePanel(
        theme,
        NoticeKind.INFO,
        happened=texts("corr.no_cash"),
        safe=texts("corr.drawer_shut"),
        press="",
        icon="vault",
    )
    panel.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return panel


def turnover(model: CorrectionModel, texts: Texts, theme: Theme) -> SumsPanel:
    """Shows that the turnover counts once; before anything is issued, only the sums that move."""
    overview, pair = model.overview, model.pair
    assert overview is not None
    if pair is None:
        moved = [
            (texts("corr.of_shift", method=texts(f"pay.method.{one}").lower()), signed_text(by))
            for one, by in model.moved().items()
        ]
        same = (texts("corr.turnover_same"), amount_text(Money.ZERO))
        return SumsPanel(theme, "", moved, same)
    refund = pair.refund.receipt
    number = short_number(refund.fiscal_number) if refund is not None else ""
    old = texts("corr.receipt", number=short_number(overview.number))
    total, back = amount_text(overview.total), amount_text(-overview.total)
    lines = [
        (f"{old}, {paid_words(overview, texts).lower()}", total),
        (texts("corr.of_refund", number=number).strip(), back),
        (f"{texts('corr.part.new')}, {new_paid_words(model, texts).lower()}", total),
    ]
    once = (texts("corr.counts_once"), total)
    return SumsPanel(theme, texts("corr.turnover"), lines, once, moved_words(model, texts))


def foot(theme: Theme, icon: str, words: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.metrics.s2)
    row.addWidget(Icon(theme, icon, size=18), 0, _TOP)
    row.addWidget(Label(theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True), 1)
    return line
