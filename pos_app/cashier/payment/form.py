"""A page over the payment on which something is added to the receipt.

What is typed is the model's at once: leaving a page by Esc, Enter or "Done" never loses it.
"""

from __future__ import annotations

from collections.abc import Sequence

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

from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.cashier.payment.method_keys import payment_pad
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.pad import Pad
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.scrolled import ScrolledColumn
from pos_app.cashier.ui.theme import Theme

LEAST_TOUCHES = 4
"""Height of a page, in fingers, below which it shows no explanations."""


class Form(Panel):
    """A page: fields at the left, the pad at the right.

    Signals: `changed()` of the model; `entered()` when the page itself says that it is done;
    `saved(Basket)`, the cart was stored; `failed(PosError)`, it could not be; `refused()`, a sign
    was typed that no number has.
    """

    refused = Signal()
    changed = Signal()
    entered = Signal()
    saved = Signal(object)
    failed = Signal(object)

    shows_figure = False
    """Whether the largest figure stays above it: where the page changes what is due."""
    places: frozenset[FaultPlace] = frozenset()
    """What is mended on this page."""
    done_key = "Enter"
    """The key of the big button."""

    def __init__(
        self, theme: Theme, texts: Texts, model: PaymentModel, *, title: str, pad: bool = True
    ) -> None:
        super().__init__(theme)
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
        """The pad gives way to the on-screen keyboard, which has digits too; where all fields have
        that, also to words without room beside it. In a low page explanations give way too."""
        metrics = self.theme.metrics
        for hint in self._hints:
            hint.setVisible(size.height() >= LEAST_TOUCHES * metrics.touch)
        if self._pad is not None:
            room = size - QSize(2, 2) * metrics.s4
            inside = self._area.minimumSizeHint().width() + metrics.s4
            is_wide = self._needs_pad or room.width() >= inside + self._pad.width()
            self._pad.setVisible(is_wide and room.height() >= self._pad.sizeHint().height())

    def focus_first(self) -> None:
        """Put the caret where typing begins."""

    def refresh(self) -> None:
        """Show the model as it stands."""

    def fault(self, faults: Sequence[PaymentFault]) -> PaymentFault | None:
        """What keeps the page open, of all that is wrong with the payment; None for nothing."""
        return next((fault for fault in faults if fault.place in self.places), None)

    def mark(self, fault: PaymentFault) -> None:
        """Show a fault at the field that it is about, and put the caret there."""
        self.focus_first()

    def done(self) -> bool:
        """Take over what is only taken over at the end; False keeps the page open."""
        return True

    # --- parts -----------------------------------------------------------------------------------

    def hint(self, key: str) -> Label:
        """A quiet line of explanation."""
        label = Label(self.theme, self.texts(key), colour="ink_2", wrap=True)
        self.column.addWidget(label)
        self._hints.append(label)
        return label

    def head(self, key: str) -> Label:
        """A small head above what follows."""
        words = self.texts(key)
        label = Label(
            self.theme, words, step=Step.SMALL, weight=Weight.BOLD, colour="ink_2", wrap=True
        )
        self.column.addWidget(label)
        return label

    def field(
        self, name: str, *, placeholder: str = "", right: bool = False, takes: Typed | None = None
    ) -> Field:
        """A field; Enter in it goes on to the panel, where it is Done."""
        field = Field(self.theme, name=name, placeholder=placeholder, right=right, takes=takes)
        self._needs_pad |= field.edit.typing.takes is Typed.NOTHING
        field.refused.connect(lambda: self._refuse(field))
        return field

    def remover(self, key: str) -> Button:
        """The button that throws away what was typed."""
        button = Button(self.theme, self.texts(key), icon="trash-2", kind=ButtonKind.DANGER)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return button

    def _refuse(self, field: Field) -> None:
        """Say it at the field; what stands there stays."""
        field.set_error(self.texts("number.only"))
        self.refused.emit()

    def _add_column(self) -> QVBoxLayout:
        """Room for the fields, which scrolls where large type needs more than there is."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        gap = self.theme.metrics.s1 + 1  # the focus ring stands outside of a button
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
        """A key of the pad goes to the field with the caret."""
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
