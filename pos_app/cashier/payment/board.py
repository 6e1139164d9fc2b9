"""The payment itself: lines, methods with notes, the pad, and the options under them.

When the panel is too low for all of it (a banner, 15 mm touch size, large type), the lines scroll
one at a time, and then pad and notes fold behind the key "Numbers" (look.md, "When it gets tight").
No key ever becomes smaller: what has no room even so scrolls.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.look.look import Look
from pos_app.cashier.look.options import OptionButton
from pos_app.cashier.payment import say
from pos_app.cashier.payment.faults import Fault, Place
from pos_app.cashier.payment.lines_view import LinesView, OnKey
from pos_app.cashier.payment.method_keys import MethodKeys, NotesRow, payment_pad
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.scrolled import ScrolledColumn
from pos_app.cashier.texts import Words

OPTIONS: tuple[tuple[Place, str, str], ...] = (
    (Place.BUYER, "building-2", "F5"),
    (Place.DELIVERY, "printer", ""),
    (Place.DISCOUNT, "percent", "F4"),
    (Place.TEXT, "message-square-text", ""),
)
"""Place, icon, key. An advance has one more in front."""
ADVANCE_OPTION = (Place.ADVANCE, "hand-coins", "")
MOST_LINES = 2
"""Payment lines in sight at a time; more scroll."""


class Board(QWidget):
    """Signals: `given(Tender)`, what the customer gives by now; `method(PaymentMethod)` and
    `option(Place)`, pressed.
    """

    given = Signal(object)
    method = Signal(object)
    option = Signal(object)

    def __init__(self, look: Look, words: Words, model: PaymentModel, *, on_key: OnKey) -> None:
        super().__init__()
        self._look = look
        self._words = words
        self._model = model
        self._tight = False
        self._lines_shown = MOST_LINES
        self._numbers = False
        self.lines = LinesView(look, words, on_key=on_key)
        self.keys = MethodKeys(look, words, model.rows)
        self.folded_notes = NotesRow(look, words, columns=2)
        self.pad = payment_pad(look, words)
        places = (ADVANCE_OPTION, *OPTIONS) if model.is_advance else OPTIONS
        self.options = {place: self._option(place, icon, key) for place, icon, key in places}
        self._options = QWidget()
        self._arrange()
        self._connect()
        self._fold()

    def show_model(self, *, error: str, wrong: dict[Place, Fault]) -> None:
        """Everything as it stands."""
        model = self._model
        self.lines.show_tender(model.tender, error=error)
        self.keys.show_model(model)
        self.folded_notes.show_model(model)
        values = {
            Place.BUYER: say.buyer_words(model.buyer, self._words),
            Place.DELIVERY: say.delivery_words(model.delivery, self._words),
            Place.DISCOUNT: say.discount_words(model, self._words),
            Place.TEXT: say.text_words(model.text, self._words),
            Place.ADVANCE: say.advance_words(
                model.advance,
                self._words,
                is_wrong=bool(wrong.keys() & {Place.ADVANCE, Place.WIRE_TIME}),
            ),
        }
        for place, button in self.options.items():
            button.set_value(values[place])

    # --- room ------------------------------------------------------------------------------------

    @property
    def is_tight(self) -> bool:
        """Whether pad and notes are folded."""
        return self._tight

    @property
    def shows_numbers(self) -> bool:
        """Whether the folded pad is open at the moment."""
        return self._numbers

    def set_room(self, *, lines: int, tight: bool) -> None:
        """Show so many lines at a time; fold pad and notes, or unfold them."""
        if (lines, tight) != (self._lines_shown, self._tight):
            self._lines_shown, self._tight = lines, tight
            self._numbers = False
            self._fold()

    def show_numbers(self, shown: bool) -> None:
        """Open or close the folded pad."""
        self._numbers = shown and self._tight
        self._fold()

    def whole_height(self, *, lines: int) -> int:
        """The height in which that many lines are seen and nothing need be folded."""
        metrics = self._look.metrics
        rows = max(self.keys.height_with(notes=True), self.pad.sizeHint().height())
        height = self.lines.height_of(lines) + rows + self._options.sizeHint().height()
        return height + 2 * metrics.s2

    def folded_height(self) -> int:
        """The height in which nothing need be scrolled, with pad and notes folded or unfolded."""
        gap = self._look.metrics.s2
        methods = self.keys.height_with(notes=False) + gap + self._options.sizeHint().height()
        return self.lines.height_of(1) + gap + max(methods, self.pad.sizeHint().height())

    def _fold(self) -> None:
        self.lines.set_shown(self._lines_shown)
        self.keys.show_notes(not self._tight)
        self.keys.setVisible(not self._numbers)
        self.folded_notes.setVisible(self._numbers)
        self.pad.setVisible(not self._tight or self._numbers)
        self._options.setVisible(not self._numbers)

    # --- parts -----------------------------------------------------------------------------------

    def _arrange(self) -> None:
        metrics = self._look.metrics
        inside = QWidget()
        middle = QHBoxLayout(inside)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(metrics.s3)
        middle.addWidget(self.keys, 1)
        middle.addWidget(self.folded_notes, 1)
        middle.addWidget(self.pad)
        row = QHBoxLayout(self._options)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.s2)
        for button in self.options.values():
            row.addWidget(button, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        column.addWidget(self.lines)
        area = ScrolledColumn(self._look, name=self._words("pay.methods"))
        area.show_inside(inside)
        column.addWidget(area, 1)
        column.addWidget(self._options)

    def _connect(self) -> None:
        model, give = self._model, self.given.emit
        self.keys.method.connect(self.method)
        self.pad.pressed.connect(lambda key: give(model.tender.key(key)))
        for notes in (self.keys.notes_row, self.folded_notes):
            notes.note.connect(lambda note: give(model.tender.note(note)))
            notes.exact.connect(lambda: give(model.tender.exact()))
        self.lines.removed.connect(lambda line: give(model.tender.remove(line)))
        self.lines.edited.connect(lambda line: give(model.tender.edit(line)))

    def _option(self, place: Place, icon: str, key: str) -> OptionButton:
        cap = "" if self._look.metrics.narrow else key
        button = OptionButton(self._look, self._words(f"pay.{place}"), "", icon=icon, key=cap)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.option.emit(place))
        return button
