"""A page over the payment that adds something to the receipt.

Typed text is in the model at once, and is never lost when a page is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.commands import ENTER
from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.payment.board import payment_pad
from pos_app.cashier.payment.model import Payment, PaymentFigure
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import FIELD_WIDTH, Field, bounded
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.sale import receipt_drafts

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
        whole_width: bool = False,
    ) -> None:
        """whole_width: one text fills the page, which else is as wide as its fields."""
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
        self.column = self._add_column(None if whole_width else theme.metrics.px(FIELD_WIDTH))
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
        error_below: bool = True,
        takes: InputKind | None = None,
    ) -> Field:
        """Make a field. The panel takes its Enter as "Done"."""
        made = AmountField if right else Field
        field = made(
            self.theme, name=name, placeholder=placeholder, error_below=error_below, takes=takes
        )
        self._needs_pad |= field.edit.typing.takes is InputKind.NOTHING
        field.refused.connect(self.events.refused)
        bounded(self.theme, field)
        return field

    def remover(self, text_id: str) -> Button:
        button = Button(self.theme, self.texts(text_id), icon="trash-2", kind=ButtonKind.DANGER)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return button

    def _add_column(self, widest: int | None) -> QVBoxLayout:
        """Make the column for the fields; it scrolls if large type needs more room. All that stands
        in it ends where the fields do."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        gap = self.theme.metrics.s1 + 1  # for the focus ring, which is drawn around a button
        column.setContentsMargins(gap, gap, gap, gap)
        if widest is not None:
            inside.setMaximumWidth(widest + 2 * gap)
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
