"""The payment itself: lines, methods with notes, the pad, and the options under them.

When the panel is too low for all of it (a banner, 15 mm touch size, large type), the lines scroll
one at a time, then the pad folds behind the button "Numbers", and then the methods move into the
fewest rows that hold their words (look.md, "When it gets tight"). Methods and notes stay in sight.
No button becomes smaller; if the room is still too small, the board scrolls row by row. In larger
room the rows of buttons grow to the height of an action button.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.commands import TillCommand, cap_of, method_cap
from pos_app.cashier.payment import payment_texts
from pos_app.cashier.payment.lines_view import OnKey, PaymentLinesView
from pos_app.cashier.payment.model import Payment
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.payment.payment_texts import ICONS
from pos_app.cashier.payment.tender import NOTES
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import buttons
from pos_app.cashier.ui.button_face import ButtonKind, content_width
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.cashier.ui.scrolling import ScrolledRows
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words import cart_texts
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import grouped_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.receipt_drafts import FaultPart, PaymentFault

MOST_ROWS = 3
WIDEST_ROW = 4
PAD_WIDTH, NARROW_PAD_WIDTH = 202, 172

MethodRows = tuple[tuple[PaymentMethod, ...], ...]


def shown_rows(rows: MethodRows) -> MethodRows:
    """Return the shop's rows of methods, fitted to the panel.

    A row of more than four is broken; while there are more than three rows the shortest neighbours
    are joined: [7] -> [4, 3]; [1, 1, 1, 4] -> [2, 1, 4].
    """
    cut = [row[at : at + WIDEST_ROW] for row in rows for at in range(0, len(row), WIDEST_ROW)]
    while len(cut) > MOST_ROWS:
        at = min(range(len(cut) - 1), key=lambda n: len(cut[n]) + len(cut[n + 1]))
        cut[at : at + 2] = [cut[at] + cut[at + 1]]
    return tuple(cut)


def joined_rows(rows: MethodRows) -> MethodRows:
    """Return the methods in the fewest rows, in their order: [2, 2, 3] -> [4, 3]."""
    order = [method for row in rows for method in row]
    count = -(-len(order) // WIDEST_ROW)
    wide = -(-len(order) // max(1, count))
    return tuple(tuple(order[at : at + wide]) for at in range(0, len(order), wide))


def note_words(note: Money) -> str:
    """Return a note's name: 1000 -> "1.000"."""
    return grouped_text(int(note.amount))


class MethodButtons(QWidget):
    def __init__(self, theme: Theme, texts: Texts, model: Payment, events: PaymentEvents) -> None:
        super().__init__()
        self._model = model
        self._events = events
        self._theme = theme
        self._texts = texts
        self.methods: dict[PaymentMethod, buttons.Button] = {}
        self.notes_row = NotesRow(theme, texts, model, events)
        self._of_store = model.rows
        self._order = list(model.methods)
        self._rows: MethodRows = ()
        self._lines: list[QHBoxLayout] = []
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s2)
        for method in self._order:
            self._add_method(method)
        column.addWidget(self.notes_row)
        self.notes_row.setVisible(not model.is_offer)
        column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.join(False)

    def show_model(self) -> None:
        """Show the active method, the given note, and the methods that are not allowed."""
        model = self._model
        for method, button in self.methods.items():
            button.setChecked(method is model.tender.active_line.method)
            if model.allows(method):
                button.allow()
            else:
                button.refuse(self._texts("pay.not_by"))
        self.notes_row.show_model()

    def join(self, joined: bool) -> None:
        """Put the methods into the fewest rows, or into those of the shop."""
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
        """Tell whether the words of all methods have room in the fewest rows."""
        gap = self._theme.metrics.s2
        rows = joined_rows(self._of_store)
        least = (sum(map(self._room_for, row)) + (len(row) - 1) * gap for row in rows)
        return max(least, default=0) <= width

    def set_row_height(self, height: int) -> None:
        for button in self.methods.values():
            button.setFixedHeight(height)
        self.notes_row.set_row_height(height)

    def count_rows(self, *, joined: bool, notes: bool) -> int:
        rows = joined_rows(self._of_store) if joined else shown_rows(self._of_store)
        return len(rows) + (notes and not self._model.is_offer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._mark()
        super().resizeEvent(event)

    def _mark(self) -> None:
        """Put icons, and then key caps, on all buttons if each button has room for them."""
        self._share_width()
        self._column.activate()
        icons = self._fits(icon=True, key=False)
        caps = icons and self._fits(icon=True, key=True)
        for number, (method, button) in enumerate(self.methods.items(), start=1):
            button.set_icon(ICONS[method] if icons else "")
            button.set_key(method_cap(number) if caps else "")  # a digit alone types an amount

    def _share_width(self) -> None:
        """Give the buttons of a row equal widths, or widths by their words if an equal width is too
        narrow for one."""
        for line, row in zip(self._lines, self._rows, strict=True):
            needed = [self._room_for(method) for method in row]
            alike = (self.width() - (len(row) - 1) * line.spacing()) // len(row)
            for index, least in enumerate(needed):
                line.setStretch(index, least if max(needed) > alike else 1)

    def _fits(self, *, icon: bool, key: bool) -> bool:
        side = self._theme.metrics.s3 + self._theme.metrics.hair
        return all(
            self._wide(method, icon=icon, key=key) + 2 * side <= button.width()
            for method, button in self.methods.items()
        )

    def _wide(self, method: PaymentMethod, *, icon: bool = False, key: bool = False) -> int:
        """Return the width of a button's content when the button is chosen, and its words are
        bold."""
        button, number = self.methods[method], self._order.index(method) + 1
        shown = ICONS[method] if icon else ""
        cap = method_cap(number) if key else ""
        spec = replace(button.spec, kind=ButtonKind.CHOSEN, icon=shown, key=cap)
        return content_width(self._theme, button.font(), spec)

    def _room_for(self, method: PaymentMethod) -> int:
        """Return the least width of a button with its words alone."""
        return self._wide(method) + 2 * (self._theme.metrics.s3 + self._theme.metrics.hair)

    def _add_method(self, method: PaymentMethod) -> None:
        words = self._texts(f"pay.method.{method}")
        button = buttons.Button(
            self._theme, words, spread=True, height="payment_button", parent=self
        )
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self._events.method.emit(method))
        self.methods[method] = button


class NotesRow(QWidget):
    def __init__(
        self, theme: Theme, texts: Texts, model: Payment, events: PaymentEvents, *, columns: int = 6
    ) -> None:
        super().__init__()
        self._model = model
        self._events = events
        self._theme = theme
        self._texts = texts
        self.notes: dict[Money, buttons.Button] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme.metrics.s2)
        self.exact_button = buttons.Button(
            theme,
            texts("pay.exact"),
            name=texts("pay.exact_name"),
            bold=True,
            height="payment_button",
        )
        self.exact_button.clicked.connect(lambda: events.given.emit(model.tender.exact()))
        note_buttons = [self.exact_button, *(self._note(value) for value in NOTES)]
        for number, button in enumerate(note_buttons):
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(button, number // columns, number % columns)
        for column in range(columns):
            grid.setColumnStretch(column, 1)

    def show_model(self) -> None:
        model = self._model
        active = model.tender.active_line
        is_cash = active.method is PaymentMethod.CASH
        for note, button in self.notes.items():
            button.setChecked(is_cash and active.entry.amount == note)
            if model.allows(PaymentMethod.CASH):
                button.allow()
            else:
                button.refuse(self._texts("pay.not_by"))

    def set_row_height(self, height: int) -> None:
        for button in (self.exact_button, *self.notes.values()):
            button.setFixedHeight(height)

    def _note(self, value: Money) -> buttons.Button:
        text = note_words(value)
        name = self._texts("pay.note_name", note=text)
        button = buttons.Button(self._theme, text, name=name, bold=True, height="payment_button")
        button.setCheckable(True)
        model, given = self._model, self._events.given
        button.clicked.connect(lambda: given.emit(model.tender.note(value)))
        self.notes[value] = button
        return button


def payment_pad(theme: Theme, texts: Texts) -> Pad:
    """Return the pad in the panel's usual width, or wider if its keys need that."""
    pad = Pad(theme, back_name=texts("typing.back"))
    usual = theme.metrics.px(NARROW_PAD_WIDTH if theme.metrics.narrow else PAD_WIDTH)
    pad.setFixedWidth(max(usual, pad.minimumSizeHint().width()))
    return pad


def widen_pad(pad: Pad, theme: Theme, row: int) -> None:
    """Make the pad's keys as high as a row, and on a wide screen at least as wide."""
    metrics = theme.metrics
    usual = metrics.px(NARROW_PAD_WIDTH if metrics.narrow else PAD_WIDTH)
    wide = usual if metrics.narrow else max(usual, 3 * row + 2 * metrics.s2)
    pad.setFixedSize(max(wide, pad.minimumSizeHint().width()), 4 * row + 3 * metrics.s2)


OPTIONS: Mapping[FaultPart, tuple[str, str]] = {
    FaultPart.ADVANCE: ("hand-coins", ""),
    FaultPart.BUYER: ("building-2", cap_of(TillCommand.BUYER)),
    FaultPart.DELIVERY: ("printer", ""),
    FaultPart.DISCOUNT: ("percent", cap_of(TillCommand.PRICE)),
    FaultPart.TEXT: ("message-square-text", ""),
}
"""Icon and key of each option."""
MOST_LINES = 2
"""The most payment lines in sight at a time."""


class Board(QWidget):
    """The whole board. It reports presses by `events`."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        events: PaymentEvents,
        *,
        known: KnownBuyers,
        on_key: OnKey,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._model = model
        self._known = known
        self._events = events
        self._tight = False
        self._joined = False
        self._row = 0
        self._lines_shown = MOST_LINES
        self._numbers = False
        self.lines = PaymentLinesView(theme, texts, model, events, on_key=on_key)
        self.buttons = MethodButtons(theme, texts, model, events)
        self.folded_notes = NotesRow(theme, texts, model, events, columns=2)
        self.pad = payment_pad(theme, texts)
        self.pad.pressed.connect(lambda key: events.given.emit(model.tender.key(key)))
        self._has_pad = not model.is_offer
        self.options = {part: self._option(part, *OPTIONS[part]) for part in model.pages}
        self._options = QWidget()
        self._arrange()
        self._fold()

    def show_model(
        self, *, errors: Mapping[int, str], wrong: dict[FaultPart, PaymentFault]
    ) -> None:
        model = self._model
        self.lines.show_model(errors=errors)
        self.buttons.show_model()
        self.folded_notes.show_model()
        is_cash = model.tender.active_line.method is PaymentMethod.CASH
        self.pad.set_third("00" if is_cash and model.in_whole_dinars else ",")
        values = {
            FaultPart.BUYER: cart_texts.buyer_draft_words(
                model.buyer, self._texts, name=self._known.name(model.buyer)
            ),
            FaultPart.DELIVERY: cart_texts.delivery_words(model.delivery, self._texts),
            FaultPart.DISCOUNT: payment_texts.discount_words(model, self._texts),
            FaultPart.TEXT: cart_texts.text_words(model.text, self._texts),
            FaultPart.ADVANCE: payment_texts.advance_words(
                model,
                self._texts,
                is_wrong=bool(wrong.keys() & {FaultPart.ADVANCE, FaultPart.WIRE_TIME}),
            ),
        }
        short = {
            FaultPart.DELIVERY: cart_texts.delivery_words(model.delivery, self._texts, short=True)
        }
        if number := cart_texts.buyer_number(model.buyer):
            short[FaultPart.BUYER] = number
        for part, button in self.options.items():
            brief = payment_texts.brief(values[part], part, self._texts)
            button.set_value(values[part], short=short.get(part, brief))
            if part is FaultPart.DELIVERY:
                button.set_icon(cart_texts.delivery_icon(model.delivery))
        self._mark_options()

    # --- room ------------------------------------------------------------------------------------

    @property
    def is_tight(self) -> bool:
        """Whether there is no room for the pad."""
        return self._tight

    @property
    def folds_pad(self) -> bool:
        return self._tight and self._has_pad

    @property
    def shows_numbers(self) -> bool:
        return self._numbers

    def set_room(self, height: int, *, lines: int, tight: bool, joined: bool) -> None:
        """lines: in sight at a time. tight: the pad is folded. joined: the methods are in the
        fewest rows. height: the height that the board is about to have."""
        self._joined = joined
        self.buttons.join(joined)
        if (lines, tight) != (self._lines_shown, self._tight):
            self._lines_shown, self._tight = lines, tight
            self._numbers = False
            self._fold()
        self._share(height)

    def show_numbers(self, visible: bool) -> None:
        self._numbers = visible and self._tight and self._has_pad
        self._fold()
        self._share(self.height())

    def whole_height(self, *, lines: int) -> int:
        """Return the height in which this many lines are in sight and nothing is folded."""
        metrics = self._theme.metrics
        rows = max(self._keys_height(joined=False), self._pad_height)
        height = self.lines.height_of(lines) + rows + self._options.sizeHint().height()
        return height + 2 * metrics.s2

    def folded_height(self, *, joined: bool) -> int:
        """Return the height in which nothing but lines scrolls, with the pad folded or in place of
        the methods."""
        gap = self._theme.metrics.s2
        methods = self._keys_height(joined=joined) + gap + self._options.sizeHint().height()
        return self.lines.height_of(1) + gap + max(methods, self._pad_height)

    @property
    def _pad_height(self) -> int:
        return self.pad.sizeHint().height() if self._has_pad else 0

    def can_join(self, width: int) -> bool:
        return self.buttons.can_join(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share(event.size().height())
        self._mark_options()

    def _mark_options(self) -> None:
        """Make the options equally wide, or as wide as their words need if that is too narrow for
        one; show icons on all or on none."""
        options, row = self.options.values(), self._options_row
        needed = [option.least_width() for option in options]
        alike = (self._options.width() - (len(needed) - 1) * row.spacing()) // len(needed)
        for index, least in enumerate(needed):
            row.setStretch(index, least if max(needed) > alike else 1)
        row.activate()
        has_room = all(option.has_room_for_icon() for option in options)
        for option in options:
            option.fold_icon(not has_room)

    def _keys_height(self, *, joined: bool) -> int:
        metrics, rows = self._theme.metrics, self.buttons.count_rows(joined=joined, notes=True)
        return rows * metrics.payment_button + (rows - 1) * metrics.s2

    def _share(self, height: int) -> None:
        """Make the buttons as high as `height` allows, between a payment button and an action
        button."""
        metrics, gap = self._theme.metrics, self._theme.metrics.s2
        rows = self.buttons.count_rows(joined=self._joined, notes=True)
        rows = 4 if self._numbers else rows if self._tight else max(4, rows)
        around = self.lines.height_of(self._lines_shown) + gap
        if not self._numbers:
            around += self._options.sizeHint().height() + gap
        share = (height - around - (rows - 1) * gap) // rows
        row = max(metrics.payment_button, min(share, metrics.button))
        if row != self._row:
            self._row = row
            self.buttons.set_row_height(row)
            self.folded_notes.set_row_height(row)
            widen_pad(self.pad, self._theme, row)
        self._area.set_row_height(row)

    def _fold(self) -> None:
        self.lines.set_shown(self._lines_shown)
        self.buttons.setVisible(not self._numbers)
        self.folded_notes.setVisible(self._numbers)
        self.pad.setVisible(self._has_pad and (not self._tight or self._numbers))
        self._options.setVisible(not self._numbers)

    # --- parts -----------------------------------------------------------------------------------

    def _arrange(self) -> None:
        metrics = self._theme.metrics
        inside = QWidget()
        middle = QHBoxLayout(inside)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(metrics.s3)
        top = Qt.AlignmentFlag.AlignTop
        middle.addWidget(self.buttons, 1)
        middle.addWidget(self.folded_notes, 1, top)
        middle.addWidget(self.pad, 0, top)
        self._options_row = row = QHBoxLayout(self._options)
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

    def _option(self, part: FaultPart, icon: str, key: str) -> OptionButton:
        cap = "" if self._theme.metrics.narrow else key
        texts = self._texts
        named = cart_texts.option_text_id(part, self._model.kind, texts)
        short = f"{named}.short"
        button = OptionButton(
            self._theme,
            texts(named),
            "",
            icon=icon,
            key=cap,
            short_label=texts(short) if texts.has(short) else "",
        )
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self._events.page.emit(part))
        return button
