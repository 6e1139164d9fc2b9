"""The payment itself: lines, methods with notes, the pad, and the options under them.

When the panel is too low for all of it (a banner, 15 mm touch size, large type), the lines scroll
one at a time, then the pad folds behind the key "Numbers", and then the methods move together into
as few rows as hold their words (look.md, "When it gets tight"). Methods and notes stay in sight. No
key ever becomes smaller: what has no room even so scrolls, row by row. Where there is room to spare
the rows of keys grow to the height of an action key, and no further.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.payment import payment_texts
from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.cashier.payment.lines_view import LinesView, OnKey
from pos_app.cashier.payment.method_keys import MethodKeys, NotesRow, payment_pad, widen_pad
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.options import OptionButton
from pos_app.cashier.ui.scrolled import ScrolledRows
from pos_app.cashier.ui.theme import Theme

OPTIONS: tuple[tuple[FaultPlace, str, str], ...] = (
    (FaultPlace.BUYER, "building-2", "F5"),
    (FaultPlace.DELIVERY, "printer", ""),
    (FaultPlace.DISCOUNT, "percent", "F4"),
    (FaultPlace.TEXT, "message-square-text", ""),
)
"""Place, icon, key. An advance has one more in front."""
ADVANCE_OPTION = (FaultPlace.ADVANCE, "hand-coins", "")
MOST_LINES = 2
"""Payment lines in sight at a time; more scroll."""


class Board(QWidget):
    """Signals: `given(Tender)`, what the customer gives by now; `method(PaymentMethod)` and
    `option(Place)`, pressed.
    """

    given = Signal(object)
    method = Signal(object)
    option = Signal(object)

    def __init__(self, theme: Theme, texts: Texts, model: PaymentModel, *, on_key: OnKey) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._model = model
        self._tight = False
        self._joined = False
        self._row = 0
        self._lines_shown = MOST_LINES
        self._numbers = False
        self.lines = LinesView(theme, texts, on_key=on_key)
        self.keys = MethodKeys(theme, texts, model.rows)
        self.folded_notes = NotesRow(theme, texts, columns=2)
        self.pad = payment_pad(theme, texts)
        places = (ADVANCE_OPTION, *OPTIONS) if model.is_advance else OPTIONS
        self.options = {place: self._option(place, icon, key) for place, icon, key in places}
        self._options = QWidget()
        self._arrange()
        self._connect()
        self._fold()

    def show_model(self, *, error: str, wrong: dict[FaultPlace, PaymentFault]) -> None:
        """Everything as it stands."""
        model = self._model
        self.lines.show_tender(model.tender, error=error)
        self.keys.show_model(model)
        self.folded_notes.show_model(model)
        values = {
            FaultPlace.BUYER: payment_texts.buyer_words(model.buyer, self._texts),
            FaultPlace.DELIVERY: payment_texts.delivery_words(model.delivery, self._texts),
            FaultPlace.DISCOUNT: payment_texts.discount_words(model, self._texts),
            FaultPlace.TEXT: payment_texts.text_words(model.text, self._texts),
            FaultPlace.ADVANCE: payment_texts.advance_words(
                model.advance,
                self._texts,
                is_wrong=bool(wrong.keys() & {FaultPlace.ADVANCE, FaultPlace.WIRE_TIME}),
            ),
        }
        delivery = payment_texts.delivery_words(model.delivery, self._texts, short=True)
        for place, button in self.options.items():
            brief = payment_texts.brief(values[place], place, self._texts)
            button.set_value(
                values[place], short=delivery if place is FaultPlace.DELIVERY else brief
            )

    # --- room ------------------------------------------------------------------------------------

    @property
    def is_tight(self) -> bool:
        """Whether the pad is folded."""
        return self._tight

    @property
    def shows_numbers(self) -> bool:
        """Whether the folded pad is open at the moment."""
        return self._numbers

    def set_room(self, height: int, *, lines: int, tight: bool, joined: bool) -> None:
        """Show so many lines at a time; fold the pad, or unfold it; move the methods together, or
        leave them in the rows of the store. height: that it is about to have."""
        self._joined = joined
        self.keys.join(joined)
        if (lines, tight) != (self._lines_shown, self._tight):
            self._lines_shown, self._tight = lines, tight
            self._numbers = False
            self._fold()
        self._share(height)

    def show_numbers(self, shown: bool) -> None:
        """Open or close the folded pad."""
        self._numbers = shown and self._tight
        self._fold()
        self._share(self.height())

    def whole_height(self, *, lines: int) -> int:
        """The height in which that many lines are seen and nothing need be folded."""
        metrics = self._theme.metrics
        rows = max(self._keys_height(joined=False), self.pad.sizeHint().height())
        height = self.lines.height_of(lines) + rows + self._options.sizeHint().height()
        return height + 2 * metrics.s2

    def folded_height(self, *, joined: bool) -> int:
        """The height in which nothing need be scrolled, with the pad folded or unfolded."""
        gap = self._theme.metrics.s2
        methods = self._keys_height(joined=joined) + gap + self._options.sizeHint().height()
        return self.lines.height_of(1) + gap + max(methods, self.pad.sizeHint().height())

    def can_join(self, width: int) -> bool:
        """Whether the methods can move together in a board of that width."""
        return self.keys.can_join(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share(event.size().height())

    def _keys_height(self, *, joined: bool) -> int:
        metrics, rows = self._theme.metrics, self.keys.count_rows(joined=joined, notes=True)
        return rows * metrics.payment_key + (rows - 1) * metrics.s2

    def _share(self, height: int) -> None:
        """Keys as high as that leaves room for, between a payment key and an action key."""
        metrics, gap = self._theme.metrics, self._theme.metrics.s2
        rows = self.keys.count_rows(joined=self._joined, notes=True)
        rows = 4 if self._numbers else rows if self._tight else max(4, rows)
        around = self.lines.height_of(self._lines_shown) + gap
        if not self._numbers:
            around += self._options.sizeHint().height() + gap
        share = (height - around - (rows - 1) * gap) // rows
        row = max(metrics.payment_key, min(share, metrics.key))
        if row != self._row:
            self._row = row
            self.keys.set_row_height(row)
            self.folded_notes.set_row_height(row)
            widen_pad(self.pad, self._theme, row)
        self._area.set_row_height(row)

    def _fold(self) -> None:
        self.lines.set_shown(self._lines_shown)
        self.keys.setVisible(not self._numbers)
        self.folded_notes.setVisible(self._numbers)
        self.pad.setVisible(not self._tight or self._numbers)
        self._options.setVisible(not self._numbers)

    # --- parts -----------------------------------------------------------------------------------

    def _arrange(self) -> None:
        metrics = self._theme.metrics
        inside = QWidget()
        middle = QHBoxLayout(inside)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(metrics.s3)
        top = Qt.AlignmentFlag.AlignTop
        middle.addWidget(self.keys, 1)
        middle.addWidget(self.folded_notes, 1, top)
        middle.addWidget(self.pad, 0, top)
        row = QHBoxLayout(self._options)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.s2)
        for button in self.options.values():
            row.addWidget(button, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        column.addWidget(self.lines)
        self._area = ScrolledRows(self._theme, name=self._texts("pay.methods"))
        self._area.show_inside(inside)
        column.addWidget(self._area, 1)
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

    def _option(self, place: FaultPlace, icon: str, key: str) -> OptionButton:
        cap = "" if self._theme.metrics.narrow else key
        texts, short = self._texts, f"pay.{place}.short"
        button = OptionButton(
            self._theme, texts(f"pay.{place}"), "", icon=icon, key=cap,
            short_label=texts(short) if texts.has(short) else "",
        )  # fmt: skip
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.option.emit(place))
        return button
