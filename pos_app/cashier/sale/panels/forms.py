"""Three questions with fields to type in: for a new article, for the reason why a cart is voided,
and for the name of one that is suspended."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QVBoxLayout, QWidget

from pos_app.cashier.acts.reason_field import ReasonField
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.questions import TEXT, Entries, NewArticle
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.texts.of_store import texts_for
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.theme import Theme
from pos_app.characters import is_blank
from pos_app.domain.article.product import Unit
from pos_app.domain.money.number_text import parse_amount, percent_text
from pos_app.domain.money.tax import TaxLabel, labels_of_shop, usual_label
from pos_app.domain.receipt.request import LONGEST_NAME
from pos_app.errors import Invalid
from pos_app.selling.sale.ticket import LONGEST_CART_NAME

MOST_UNITS = 7
LARGE_TYPE_COLUMNS = 4
"""The number of choices in a row if the window is narrow and the type large."""


class CreatePanel(QuestionPanel):
    """The form for a new article. Enter goes from field to field, and then creates the article."""

    def __init__(self, question: NewArticle, model: SaleModel, texts: Texts, theme: Theme) -> None:
        beside = question.code or texts("create.no_code")
        super().__init__(model, texts, theme, title=texts("ask.create"), words_beside=beside)
        self._code = question.code
        self.name = Field(theme, name=texts("create.name"))
        self.price = AmountField(theme, name=texts("create.price"), takes=InputKind.NUMBER)
        self.labels = QButtonGroup(self)
        self.units = QButtonGroup(self)
        self._units = _usual_first(model.context.services.catalogue.units())[:MOST_UNITS]
        self._build()
        self.offer(texts("create.do"), self.answer)
        for field in (self.name, self.price):
            field.changed.connect(lambda _, changed_field=field: changed_field.set_error(""))
            field.changed.connect(self.typed_changed)
            field.changed.connect(lambda _: self._show_order())
        self._show_order()
        self.refuse_signs(self.price)
        for group in (self.labels, self.units):
            group.idToggled.connect(self.typed_changed)

    def _show_order(self) -> None:
        missing = self._missing()
        self.show_missing("" if missing is None else missing[1])

    def _missing(self) -> tuple[Field, str, str] | None:
        """Return the field that keeps the article from being created, the order to mend it, and
        what is wrong in it; None where nothing is missing."""
        texts, name, price = self.texts, self.name.text().strip(), self.price.text()
        if is_blank(name):
            order = texts("create.needs_name")
            return self.name, order, order
        if len(name) > LONGEST_NAME:
            too_long = Invalid("name_too_long", longest=LONGEST_NAME)
            return self.name, texts("create.mend_name"), texts.error(too_long).happened
        try:
            parse_amount(price)
        except Invalid as error:
            order = texts("create.needs_price" if is_blank(price) else "create.mend_price")
            return self.price, order, texts.error(error).happened
        return None

    def focus_first(self) -> None:
        field = self.name if is_blank(self.name.text()) else self.price
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def entries(self) -> Entries:
        return {
            "name": self.name.text(),
            "price": self.price.text(),
            "label": str(self.labels.checkedId()),
            "unit": str(self.units.checkedId()),
        }

    def take_typed(self, entries: Entries) -> None:
        self.name.set_text(entries["name"])
        self.price.set_text(entries["price"])
        for group, key in ((self.labels, "label"), (self.units, "unit")):
            if (button := group.button(int(entries[key]))) is not None:
                button.setChecked(True)

    def enter(self) -> None:
        if self.name.edit.hasFocus() and self.name.text().strip():
            self.price.edit.setFocus()
        else:
            super().enter()

    def answer(self) -> None:
        if (missing := self._missing()) is not None:
            field, _, why = missing
            field.set_error(why)
            field.edit.setFocus()
            return
        unit = self.units.checkedId()
        self.model.entry.create_typed_article(
            code=self._code,
            name=self.name.text().strip(),
            price=parse_amount(self.price.text()),
            label=self._labels[self.labels.checkedId()],
            unit_id=self._units[unit].id if unit >= 0 else None,
        )

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.theme.metrics.s4)
        grid.setVerticalSpacing(self.theme.metrics.s2 + 2)
        services = self.model.context.services
        rates = services.rates
        labels = [
            f"{label.value} {'—' if label is TaxLabel.A else percent_text(rates[label])}"
            for label in self._labels
        ]
        usual = usual_label(in_vat=services.in_vat)
        units = [unit.symbol for unit in self._units]
        parts: list[tuple[str, QWidget]] = [
            ("create.name", self.name),
            ("create.price", self.price),
            ("create.label", self._choice(self.labels, labels, first=self._labels.index(usual))),
        ]
        if units:
            parts.append(("create.unit", self._choice(self.units, units)))
        for field in (self.name, self.price):
            bounded(self.theme, field)
        for row, (text_id, part) in enumerate(parts):
            label = ElidedLabel(self.theme, self.texts(text_id), colour="ink_2")
            grid.addWidget(label, row, 0)
            grid.addWidget(part, row, 1)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)
        self.body.addStretch(1)

    @property
    def _labels(self) -> tuple[TaxLabel, ...]:
        return labels_of_shop(in_vat=self.model.context.services.in_vat)

    def _choice(self, group: QButtonGroup, choices: list[str], *, first: int = 0) -> QWidget:
        part, metrics = QWidget(), self.theme.metrics
        is_tight = metrics.tight
        columns = LARGE_TYPE_COLUMNS if is_tight else len(choices)
        grid = QGridLayout(part)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(metrics.s2)
        for number, words in enumerate(choices):
            button = Button(self.theme, words, narrow=True)
            button.setCheckable(True)
            button.setChecked(number == first)
            group.addButton(button, number)
            grid.addWidget(button, number // columns, number % columns)
        grid.setColumnStretch(columns, 1)
        return part


def _usual_first(units: Sequence[Unit]) -> list[Unit]:
    """Put the piece first, in any language; without a piece, the first unit that is no weight."""
    not_weighed = [unit for unit in units if not unit.is_weight]
    pieces = [unit for unit in not_weighed if unit.is_piece]
    usual = (pieces or not_weighed)[:1]
    return [*usual, *(unit for unit in units if unit not in usual)]


class CartNamePanel(QuestionPanel):
    """Asks what a cart is called that is to be suspended; without a name it is suspended, too."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("more.hold_named"))
        self.body.addWidget(Label(theme, texts("ask.hold_why"), wrap=True))
        name = texts("ask.hold_name")
        self.field = Field(theme, name=name, placeholder=name)
        self.field.set_text(model.cart.ticket.name)
        self.field.edit.setMaxLength(LONGEST_CART_NAME)
        self.field.edit.selectAll()
        self.field.changed.connect(self.typed_changed)
        self.body.addWidget(bounded(theme, self.field))
        self.body.addStretch(1)
        self.offer(texts("key.hold"), self.answer, icon="pause")

    def focus_first(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def entries(self) -> Entries:
        return {TEXT: self.field.text()}

    def take_typed(self, entries: Entries) -> None:
        self.field.set_text(entries[TEXT])

    def answer(self) -> None:
        self.model.cart.suspend_named(self.field.text())


REASONS = ("drop.left", "drop.no_money", "drop.wrong")


class VoidPanel(QuestionPanel):
    """Asks why the cart is voided. The cashier chooses a usual reason by a tap or its digit, or
    types other words; the big button voids. A usual reason is kept in the store's language."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.drop"))
        self._digit = ""
        """The digit of the chosen reason; "" for none, and for words of the cashier's own."""
        self.body.addWidget(Label(theme, texts("ask.drop_why"), wrap=True))
        column = QVBoxLayout()
        column.setSpacing(theme.metrics.s2)
        kept = texts_for(model.context.services.catalogue.store(), texts)
        self._words = {str(n): kept(text_id) for n, text_id in enumerate(REASONS, start=1)}
        self.reasons = [
            self._reason(str(n), texts(text_id)) for n, text_id in enumerate(REASONS, start=1)
        ]
        for button in self.reasons:
            column.addWidget(button)
        self.body.addLayout(column)
        self.field = ReasonField(
            theme,
            name=texts("ask.drop_reason"),
            placeholder=texts("ask.drop_reason"),
            last=len(REASONS),
            only=texts("reason.only", last=len(REASONS)),
        )
        self.field.chosen.connect(lambda number: self._choose(str(number)))
        self.field.refused.connect(self._refuse)
        self.body.addWidget(self.field)
        self.body.addStretch(1)
        self.offer(
            texts("drop.do"),
            self.answer,
            icon="trash-2",
            kind=ButtonKind.DANGER,
            safe_word=texts("drop.keep"),
        )
        self.field.changed.connect(lambda _: self._on_typed())
        self._show_order()

    def focus_first(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def entries(self) -> Entries:
        return {TEXT: self._digit or self.field.text()}

    def take_typed(self, entries: Entries) -> None:
        if entries[TEXT] in self._words:
            self._digit = entries[TEXT]
        else:
            self.field.set_text(entries[TEXT])
        self._show_order()

    def answer(self) -> None:
        if self._is_reason():
            own = self.field.text().strip()
            self.model.cart.void(self._words.get(self._digit, own))
        else:
            self.model.context.tone("no")

    def _on_typed(self) -> None:
        if self.field.text():
            self._digit = ""
        self._show_order()
        self.typed_changed.emit()

    def _is_reason(self) -> bool:
        """Whether a usual reason was chosen, or words were typed."""
        return bool(self._digit) or any(sign.isalpha() for sign in self.field.text())

    def _reason(self, digit: str, words: str) -> Button:
        button = Button(self.theme, words, key=digit, spread=True)
        button.setCheckable(True)
        button.clicked.connect(lambda: self._choose(digit))
        return button

    def _choose(self, digit: str) -> None:
        """Choose a usual reason; words that are typed then replace it."""
        self.field.edit.clear()
        self._digit = digit
        self.focus_first()
        self._on_typed()

    def _refuse(self) -> None:
        """Take a usual reason back: the digit that chose it was the first one of a number."""
        self._digit = ""
        self.model.context.tone("no")
        self._on_typed()

    def _show_order(self) -> None:
        for digit, button in zip(self._words, self.reasons, strict=True):
            button.setChecked(digit == self._digit)
        self.show_missing("" if self._is_reason() else self.texts("drop.order"))
