"""The methods in the store's rows, the notes under them, and the pad beside them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.payment_texts import ICONS
from pos_app.cashier.payment.tender import NOTES
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind, content_width
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.pad import Pad
from pos_app.cashier.ui.theme import Theme
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


def joined_rows(rows: Rows) -> Rows:
    """The methods in as few rows as there can be, in their order: [2, 2, 3] -> [4, 3]."""
    order = [method for row in rows for method in row]
    count = -(-len(order) // WIDEST_ROW)
    wide = -(-len(order) // max(1, count))
    return tuple(tuple(order[at : at + wide]) for at in range(0, len(order), wide))


def note_words(note: Money) -> str:
    """A note as it is called: 1000 -> "1.000"."""
    return f"{int(note.amount):,}".replace(",", ".")


class MethodKeys(QWidget):
    """Methods, and the row of notes under them. Signal: `method(PaymentMethod)`."""

    method = Signal(object)

    def __init__(self, theme: Theme, texts: Texts, rows: Rows) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self.methods: dict[PaymentMethod, Button] = {}
        self.notes_row = NotesRow(theme, texts)
        self._of_store = rows
        self._order = [method for row in rows for method in row]
        self._rows: Rows = ()
        self._lines: list[QHBoxLayout] = []
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s2)
        for method in self._order:
            self._add_method(method)
        column.addWidget(self.notes_row)
        column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.join(False)

    def show_model(self, model: PaymentModel) -> None:
        """Which method is typed into, which note was given, what is not allowed."""
        for method, button in self.methods.items():
            button.setChecked(method is model.tender.active_line.method)
            if model.allows(method):
                button.allow()
            else:
                button.refuse(self._texts("pay.not_by"))
        self.notes_row.show_model(model)

    def show_notes(self, shown: bool) -> None:
        """With the row of notes, or without it."""
        self.notes_row.setVisible(shown)

    def join(self, joined: bool) -> None:
        """The methods in as few rows as there can be, or in those of the store."""
        rows = joined_rows(self._of_store) if joined else shown_rows(self._of_store)
        if rows == self._rows:
            return
        self._rows = rows
        for line in self._lines:
            while line.count():
                line.takeAt(0)
            self._column.removeItem(line)
            line.deleteLater()
        self._lines = []
        for number, row in enumerate(rows):
            line = QHBoxLayout()
            line.setSpacing(self._theme.metrics.s2)
            for method in row:
                line.addWidget(self.methods[method])
            self._column.insertLayout(number, line)
            self._lines.append(line)
        self._mark()

    def can_join(self, width: int) -> bool:
        """Whether the words of all methods have room so."""
        gap = self._theme.metrics.s2
        rows = joined_rows(self._of_store)
        least = (sum(map(self._room_for, row)) + (len(row) - 1) * gap for row in rows)
        return max(least, default=0) <= width

    def set_row_height(self, height: int) -> None:
        """Make each row of keys so high."""
        for button in self.methods.values():
            button.setFixedHeight(height)
        self.notes_row.set_row_height(height)

    def count_rows(self, *, joined: bool, notes: bool) -> int:
        """How many rows of keys there are so."""
        rows = joined_rows(self._of_store) if joined else shown_rows(self._of_store)
        return len(rows) + notes

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._mark()
        super().resizeEvent(event)

    def _mark(self) -> None:
        """Icons and key caps on all keys, where each has room for its own beside its words."""
        self._share_width()
        self._column.activate()
        icons = self._fits(icon=True, key=False)
        keys = icons and self._fits(icon=True, key=True)
        for number, (method, button) in enumerate(self.methods.items(), start=1):
            button.set_icon(ICONS[method] if icons else "")
            button.set_key(f"Alt+{number}" if keys else "")  # a digit alone types an amount

    def _share_width(self) -> None:
        """Keys of one row alike; where that is too narrow for a word, as their words need it."""
        for line, row in zip(self._lines, self._rows, strict=True):
            needed = [self._room_for(method) for method in row]
            alike = (self.width() - (len(row) - 1) * line.spacing()) // len(row)
            for place, least in enumerate(needed):
                line.setStretch(place, least if max(needed) > alike else 1)

    def _fits(self, *, icon: bool, key: bool) -> bool:
        side = self._theme.metrics.s3 + self._theme.metrics.hair
        return all(
            self._wide(method, icon=icon, key=key) + 2 * side <= button.width()
            for method, button in self.methods.items()
        )

    def _wide(self, method: PaymentMethod, *, icon: bool = False, key: bool = False) -> int:
        """The width of what a key shows, when it is chosen and its words are bold."""
        button, number = self.methods[method], self._order.index(method) + 1
        shown = ICONS[method] if icon else ""
        cap = f"Alt+{number}" if key else ""
        face = replace(button.face, kind=ButtonKind.CHOSEN, icon=shown, key=cap)
        return content_width(self._theme, button.font(), face)

    def _room_for(self, method: PaymentMethod) -> int:
        """The least width of a key with its words alone."""
        return self._wide(method) + 2 * (self._theme.metrics.s3 + self._theme.metrics.hair)

    def _add_method(self, method: PaymentMethod) -> None:
        words = self._texts(f"pay.method.{method}")
        button = Button(self._theme, words, spread=True, height="payment_key", parent=self)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.method.emit(method))
        self.methods[method] = button


class NotesRow(QWidget):
    """The exact amount and the notes, in so many columns. Signals: `note(Money)`, `exact()`."""

    note = Signal(object)
    exact = Signal()

    def __init__(self, theme: Theme, texts: Texts, *, columns: int = 6) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self.notes: dict[Money, Button] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme.metrics.s2)
        self.exact_key = Button(
            theme, texts("pay.exact"), name=texts("pay.exact_name"), bold=True, height="payment_key"
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
                button.refuse(self._texts("pay.not_by"))

    def set_row_height(self, height: int) -> None:
        """Make each row of keys so high."""
        for button in (self.exact_key, *self.notes.values()):
            button.setFixedHeight(height)

    def _note(self, value: Money) -> Button:
        said = note_words(value)
        name = self._texts("pay.note_name", note=said)
        button = Button(self._theme, said, name=name, bold=True, height="payment_key")
        button.setCheckable(True)
        button.clicked.connect(lambda: self.note.emit(value))
        self.notes[value] = button
        return button


def payment_pad(theme: Theme, texts: Texts) -> Pad:
    """The pad in the width of the panel, and never narrower than its keys."""
    pad = Pad(theme, back_name=texts("pay.rub_out"))
    usual = theme.metrics.px(NARROW_PAD_WIDTH if theme.metrics.narrow else PAD_WIDTH)
    pad.setFixedWidth(max(usual, pad.minimumSizeHint().width()))
    return pad


def widen_pad(pad: Pad, theme: Theme, row: int) -> None:
    """Keys of the pad as high as a row, and so wide that they don't stand upright."""
    metrics = theme.metrics
    usual = metrics.px(NARROW_PAD_WIDTH if metrics.narrow else PAD_WIDTH)
    wide = usual if metrics.narrow else max(usual, 4 * row + 3 * metrics.s2)
    pad.setFixedSize(max(wide, pad.minimumSizeHint().width()), 4 * row + 3 * metrics.s2)
