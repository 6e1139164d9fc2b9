"""The methods in the store's rows, the notes under them, and the pad beside them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.pad import Pad
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.say import ICONS
from pos_app.cashier.payment.tender import NOTES
from pos_app.cashier.texts import Words
from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod

MOST_ROWS = 3
WIDEST_ROW = 4
PAD_WIDTH, NARROW_PAD_WIDTH = 272, 232

Rows = tuple[tuple[PaymentMethod, ...], ...]


def shown_rows(rows: Rows) -> Rows:
    """The store's rows as the panel has room for them, in their order.

    A row of more than four is broken, and of more than three rows the shortest neighbours are
    joined: [7] -> [4, 3]; [1, 1, 1, 4] -> [2, 1, 4].
    """
    cut = [row[at : at + WIDEST_ROW] for row in rows for at in range(0, len(row), WIDEST_ROW)]
    while len(cut) > MOST_ROWS:
        at = min(range(len(cut) - 1), key=lambda n: len(cut[n]) + len(cut[n + 1]))
        cut[at : at + 2] = [cut[at] + cut[at + 1]]
    return tuple(cut)


def note_words(note: Money) -> str:
    """A note as it is called: 1000 -> "1.000"."""
    return f"{int(note.amount):,}".replace(",", ".")


class MethodKeys(QWidget):
    """Methods, and the row of notes under them. Signal: `method(PaymentMethod)`."""

    method = Signal(object)

    def __init__(self, look: Look, words: Words, rows: Rows) -> None:
        super().__init__()
        self._look = look
        self._words = words
        self.methods: dict[PaymentMethod, Button] = {}
        self.notes_row = NotesRow(look, words)
        order = [method for row in rows for method in row]
        self._rows = shown_rows(rows)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.metrics.s2)
        for row in self._rows:
            line = QHBoxLayout()
            line.setSpacing(look.metrics.s2)
            for method in row:
                line.addWidget(self._method(method, order.index(method) + 1), 1)
            column.addLayout(line)
        column.addWidget(self.notes_row)
        column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_model(self, model: PaymentModel) -> None:
        """Which method is typed into, which note was given, what is not allowed."""
        for method, button in self.methods.items():
            button.setChecked(method is model.tender.active_line.method)
            if model.allows(method):
                button.allow()
            else:
                button.refuse(self._words("pay.not_by"))
        self.notes_row.show_model(model)

    def show_notes(self, shown: bool) -> None:
        """With the row of notes, or without it."""
        self.notes_row.setVisible(shown)

    def height_with(self, *, notes: bool) -> int:
        """With the row of notes, or without it."""
        metrics, rows = self._look.metrics, len(self._rows) + notes
        return rows * metrics.payment_key + (rows - 1) * metrics.s2

    def _method(self, method: PaymentMethod, number: int) -> Button:
        narrow = self._look.metrics.narrow
        button = Button(
            self._look,
            self._words(f"pay.method.{method}"),
            icon="" if narrow else ICONS[method],
            key="" if narrow else f"Alt+{number}",  # a digit alone types an amount
            spread=True,
            height="payment_key",
        )
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.method.emit(method))
        self.methods[method] = button
        return button


class NotesRow(QWidget):
    """The exact amount and the notes, in so many columns. Signals: `note(Money)`, `exact()`."""

    note = Signal(object)
    exact = Signal()

    def __init__(self, look: Look, words: Words, *, columns: int = 6) -> None:
        super().__init__()
        self._look = look
        self._words = words
        self.notes: dict[Money, Button] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(look.metrics.s2)
        self.exact_key = Button(
            look, words("pay.exact"), name=words("pay.exact_name"), bold=True, height="payment_key"
        )
        self.exact_key.clicked.connect(self.exact)
        keys = [self.exact_key, *(self._note(value) for value in NOTES)]
        for number, button in enumerate(keys):
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(button, number // columns, number % columns)
        for column in range(columns):
            grid.setColumnStretch(column, 1)

    def show_model(self, model: PaymentModel) -> None:
        """Which note was given."""
        active = model.tender.active_line
        is_cash = active.method is PaymentMethod.CASH
        for note, button in self.notes.items():
            button.setChecked(is_cash and active.entry.amount == note)
            if model.allows(PaymentMethod.CASH):
                button.allow()
            else:
                button.refuse(self._words("pay.not_by"))

    def _note(self, value: Money) -> Button:
        said = note_words(value)
        name = self._words("pay.note_name", note=said)
        button = Button(self._look, said, name=name, bold=True, height="payment_key")
        button.setCheckable(True)
        button.clicked.connect(lambda: self.note.emit(value))
        self.notes[value] = button
        return button


def payment_pad(look: Look, words: Words) -> Pad:
    """The pad in the width of the panel, and never narrower than its keys."""
    pad = Pad(look, back_name=words("pay.rub_out"))
    usual = look.metrics.px(NARROW_PAD_WIDTH if look.metrics.narrow else PAD_WIDTH)
    pad.setFixedWidth(max(usual, pad.minimumSizeHint().width()))
    return pad
