"""Names of people, the PIN of the chosen one, and a pad, by which a person signs in. Where the PIN
finds its person, it is the PIN of any of them, by which an act is approved.

A PIN whose length is known is tried at its last digit; Enter tries a PIN of any length. A person
with neither PIN nor badge chooses a PIN, which is typed twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import FacedButton
from pos_app.cashier.ui.field import DigitSigns, Field
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Metrics, TypeStep, Weight
from pos_app.cashier.ui.painting import box, broken, put_lines, write
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.errors import Invalid
from pos_app.selling.people.people import MOST_DIGITS, Person, check_new_pin


def card_height(metrics: Metrics) -> int:
    """Return the height of a person's card, for a name of two lines, and in large type for as many
    lines of words."""
    lines = 2 if metrics.tight else 1
    words = 2 * metrics.line(TypeStep.NAME) + lines * metrics.line(TypeStep.SMALL) + metrics.s2
    return max(round(1.6 * metrics.touch), words)


class PersonCard(FacedButton):
    def __init__(self, theme: Theme, person: Person, words: str, *, tone: int) -> None:
        super().__init__(theme, person.name)
        self.person = person
        self.setAccessibleDescription(words)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the PIN keeps the caret
        self.setToolTip(f"{person.name}\n{words}")
        self._words, self._tone = words, tone

    def sizeHint(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, card_height(self.theme.metrics))

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.theme.metrics.touch, self.sizeHint().height())

    def whole_width(self) -> int:
        """The width in which the words have one line, and no word of the name is torn."""
        fonts, metrics = self.theme.fonts, self.theme.metrics
        name = fonts.text_metrics(self.font(), TypeStep.NAME, Weight.SEMIBOLD).narrowest(
            self.person.name
        )
        words = fonts.text_metrics(self.font(), TypeStep.SMALL).width(self._words)
        beside = metrics.touch + 2 * metrics.s3 + metrics.s4 + metrics.s2
        return max(name, words) + beside + metrics.icon(24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self.theme, self.theme.metrics
        chosen = self.isChecked()
        self.paint_ground(painter, ButtonKind.CHOSEN if chosen else ButtonKind.PLAIN)
        tick = metrics.icon(24)
        left, right = metrics.s3, self.width() - metrics.s4
        right -= tick if chosen else 0
        if self._has_mark(right):
            self._paint_mark(painter)
            left += metrics.touch + metrics.s3
        upper, lower = metrics.line(TypeStep.NAME), metrics.line(TypeStep.SMALL)
        room, own = right - left - metrics.s2, self.font()
        step, weight = TypeStep.NAME, Weight.SEMIBOLD
        name, above = broken(theme, own, self.person.name, room, step=step, weight=weight, lines=2)
        lines = (self.height() - len(above) * upper - metrics.s1) // lower
        small = theme.fonts.text_metrics(own, TypeStep.SMALL)
        below = small.broken(self._words, room, lines=min(lines, 2))
        top = (self.height() - len(above) * upper - len(below) * lower) // 2
        rect, ink = QRect(left, top, room, upper), theme.colour("ink")
        top += put_lines(painter, rect, above, name, ink=ink)
        rect = QRect(left, top, room, lower)
        put_lines(painter, rect, below, small, ink=theme.colour("ink_2"))
        painter.setFont(own)
        if chosen:
            middle = QPoint(right + tick // 2, self.height() // 2)
            theme.draw_icon(painter, "check", "accent", 24, middle)

    def _has_mark(self, right: int) -> bool:
        """Tell whether name and words have room up to `right` beside the initials."""
        fonts, metrics, own = self.theme.fonts, self.theme.metrics, self.font()
        room = right - 2 * metrics.s3 - metrics.touch - metrics.s2
        name = fonts.text_metrics(own, TypeStep.SMALL, Weight.SEMIBOLD)
        words = fonts.text_metrics(own, TypeStep.SMALL)
        lines = 2 if metrics.tight else 1
        return name.holds(self.person.name, room, lines=2) and words.holds(
            self._words, room, lines=lines
        )

    def _paint_mark(self, painter: QPainter) -> None:
        theme, side = self.theme, self.theme.metrics.touch
        mark = QRect(theme.metrics.s3, (self.height() - side) // 2, side, side)
        ground, ink = theme.initials(self._tone)
        edge = theme.colour("accent") if self.isChecked() else None  # its ground may be like tint
        box(painter, mark, radius=theme.metrics.radius_button, fill=ground, edge=edge)
        bold = theme.fonts.resized(self.font(), TypeStep.NAME, Weight.BOLD)
        centred = Qt.AlignmentFlag.AlignCenter
        write(painter, mark, self.person.initials, ink, bold, align=centred)


class PinDots(ThemedWidget):
    """Shows the number of typed digits, the caret behind them, and the PIN's length where that is
    known: in a form from the left as any text, and large in the middle where the field stands alone
    over its pad. It covers Qt's own caret, which stands where letters would end."""

    def __init__(self, theme: Theme, edit: QLineEdit, *, is_alone: bool) -> None:
        super().__init__(theme, edit)
        self.digits = 0
        self._is_alone = is_alone
        self._edit = edit
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        edit.textChanged.connect(lambda _: self.update())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics = QPainter(self), self.theme.metrics
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = self.rect().adjusted(0, metrics.edge + 1, 0, -metrics.edge - 1)
        painter.fillRect(inside, self.theme.colour("surface"))
        typed = len(self._edit.text())
        many = max(self.digits, typed)
        wide, gap = (metrics.px(one) for one in ((22, 20) if self._is_alone else (14, 5)))
        while many and many * wide + (many - 1) * gap > self.width() and gap > 4:
            gap -= 2
        left = self._edit.textMargins().left() + metrics.edge  # where letters begin
        if self._is_alone:
            left = (self.width() - many * wide - max(many - 1, 0) * gap) // 2
        top = (self.height() - wide) // 2
        painter.setPen(self.theme.colour("ink"))
        for number in range(many):
            is_typed = number < typed
            fill = self.theme.colour("ink") if is_typed else QColor(Qt.GlobalColor.transparent)
            painter.setBrush(fill)
            rect = QRect(left + number * (wide + gap), top, wide, wide)
            painter.drawEllipse(rect.adjusted(1, 1, -1, -1))
        if self._edit.hasFocus():
            beside = left + typed * (wide + gap) - (gap + metrics.edge) // 2
            tall = self._edit.fontMetrics().height()
            caret = QRect(beside, (self.height() - tall) // 2, metrics.edge, tall)
            painter.fillRect(caret, self.theme.colour("focus"))


class PinField(Field):
    """A PIN field that shows dots for its digits. It is not in password mode, because a field in
    that mode gets a scan's keys as text; so it echoes nothing, and the dots lie over it. takes:
    nothing where a pad stands beside it, whose owner shows the error. is_alone: see PinDots."""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        longest: int,
        takes: InputKind = InputKind.NOTHING,
        is_alone: bool = False,
    ) -> None:
        has_no_pad = takes is not InputKind.NOTHING
        super().__init__(theme, name=name, takes=takes, step=TypeStep.TITLE, error_below=has_no_pad)
        self.edit.setEchoMode(QLineEdit.EchoMode.NoEcho)
        self.edit.setMaxLength(longest)
        self.edit.setValidator(DigitSigns(self.edit))
        self.dots = PinDots(theme, self.edit, is_alone=is_alone)
        self.edit.installEventFilter(self)
        self.edit.cursorPositionChanged.connect(lambda *_: self.edit.end(False))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self.dots.setGeometry(self.edit.rect())
        elif event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.dots.update()
        return super().eventFilter(watched, event)


class WhoAndPin(QWidget):
    """The first of the people is chosen unless another is given; by_pin nobody is, because the PIN
    tells whose it is, and a name is chosen only where two have the same PIN. Signals:
    `given(Person | None, str)`, a PIN to be tried; `pin_chosen(Person, str)`, one to be kept;
    `chose(Person)`."""

    given = Signal(object, str)
    pin_chosen = Signal(object, str)
    chose = Signal(object)

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        people: Sequence[tuple[Person, str]],
        *,
        chosen: Person | None = None,
        digits: int = 0,
        by_pin: bool = False,
    ) -> None:
        """people: the people, each with the words below the name. digits: the length of a PIN that
        is chosen, or of one whose person is not known; 0 for any length."""
        super().__init__()
        self._texts, self._theme, self._digits = texts, theme, digits
        self._by_pin = by_pin
        self._is_trying = False
        self._is_refused = False
        """Whether the reason of a refusal stands, and no digit was typed since."""
        self._chooses, self._first = False, ""
        self.cards = [PersonCard(theme, one, words, tone=one.id) for one, words in people]
        self.above, self.below, self.choice = (QVBoxLayout() for _ in range(3))
        """Layouts for more widgets: above the names, below them in the scrolled area, and below
        that area, where they are always visible."""
        self._above = Label(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD)
        self.field = PinField(theme, name="PIN", longest=MOST_DIGITS, is_alone=True)
        self.pad = Pad(theme, back_name=texts("typing.back"), third="C")
        self.words_label = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self.fault = Label(
            theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="danger", wrap=True
        )
        self.fault.hide()
        self._lay_out()
        self.field.changed.connect(self._on_typed)
        self.field.entered.connect(self.enter)
        self.pad.pressed.connect(self._press)
        for card in self.cards:
            card.clicked.connect(lambda _=False, card=card: self.choose(card.person))
        first = chosen or (self.cards[0].person if self.cards else None)
        if by_pin:
            self._ask(None)
        elif first is not None:
            self.choose(first)

    @property
    def person(self) -> Person | None:
        return next((card.person for card in self.cards if card.isChecked()), None)

    def choose(self, person: Person) -> None:
        for card in self.cards:
            card.setChecked(card.person.id == person.id)
        has_neither = not person.has_pin and not person.has_badge
        self._chooses, self._first = has_neither and not self._by_pin, ""
        self._ask(person)
        self.chose.emit(person)

    def ask_new_pin(self) -> None:
        """Ask the chosen person, whose identity is proved, for another PIN."""
        person = self.person
        if person is not None:
            self._is_trying = False
            self._chooses, self._first = True, ""
            self._ask(person)

    def _ask(self, person: Person | None) -> None:
        """Ask for the present PIN, a new PIN, or the new PIN once more. person: None for the PIN of
        anybody."""
        name, texts = person.name if person is not None else "", self._texts
        self.field.edit.clear()
        if person is None:
            above = texts("approve.pin")
        elif not self._chooses:
            above = texts("sign.pin_of", name=name)
        elif self._first:
            above = texts("sign.new_again", name=name)
        else:
            above = texts("sign.new_pin", name=name)
        self._above.setText(above)
        self.field.edit.setAccessibleName(above)
        self.field.dots.digits = self._length_of(person)
        self.field.dots.update()
        everybody = [card.person for card in self.cards]
        asked = everybody if person is None or self._by_pin else [person]
        can_type = self._chooses or any(one.has_pin for one in asked)
        self.tell("" if can_type else texts("sign.badge_only"))
        self.field.setEnabled(can_type)
        self.pad.setEnabled(can_type)

    def _length_of(self, person: Person | None) -> int:
        """The number of digits of the whole PIN; 0 where it is unknown."""
        if self._chooses or person is None:
            return len(self._first) or self._digits
        return person.pin_length or (self._digits if self._by_pin else 0)

    def step(self, by: int) -> None:
        """Choose the next name (1) or the name before (-1), as far as there is one."""
        here = next((n for n, card in enumerate(self.cards) if card.isChecked()), -1)
        to = min(max(here + by, 0), len(self.cards) - 1)
        if self.cards and to != here:
            self.choose(self.cards[to].person)

    @property
    def order(self) -> str:
        """What to do before Enter can act; "" for nothing."""
        if not self.field.isEnabled():
            return self._texts("sign.scan_badge")
        return "" if self.field.text() else self._texts("sign.type_pin")

    def enter(self) -> None:
        person, pin = self.person, self.field.text()
        if (person is None and not self._by_pin) or self._is_trying or not self.field.isEnabled():
            return
        if not pin:
            if not self._is_refused:  # Enter after a PIN that was tried at its last digit
                self.refuse(self._texts("sign.no_pin"))
            return
        if self._chooses and person is not None:
            self._take_new(person, pin)
        else:
            self._is_trying = True
            self.given.emit(person, pin)

    def _take_new(self, person: Person, pin: str) -> None:
        """Take a new PIN, which is typed twice."""
        first = self._first
        try:
            check_new_pin(first or pin, pin, digits=self._digits)
        except Invalid as error:
            self._first = ""
            self._ask(person)
            self.refuse(self._texts.error(error).happened)
            return
        if first:
            self._is_trying = True
            self.pin_chosen.emit(person, pin)
        else:
            self._first = pin
            self._ask(person)

    def refuse(self, words: str) -> None:
        """Say why the PIN was wrong, and empty the field."""
        self._is_trying, self._is_refused = False, True
        self.field.edit.clear()
        self.show_fault(words)

    def tell(self, words: str) -> None:
        self._is_refused = False
        self.words_label.setText(words or self._usual_words())
        self.show_fault("")

    def show_fault(self, words: str) -> None:
        """Say what was wrong, in the place of the words below the digits; what was typed stays."""
        self.field.set_error(words)
        self.fault.setText(words)
        told, other = (self.fault, self.words_label) if words else (self.words_label, self.fault)
        other.hide()  # first, because Qt lays out at once with what is shown
        told.setVisible(bool(told.text()))

    def _usual_words(self) -> str:
        """The hint below the digits; large type leaves no room for one that asks for nothing."""
        texts = self._texts
        if not self._chooses:
            return "" if self._theme.metrics.text_percent > 100 else texts("sign.slows")
        digits = self._digits
        many = texts("set.people.digits", n=digits) if digits else texts("set.people.any_digits")
        return f"{texts('sign.choose_pin')} {many}"

    def focus_first(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and len(self.cards) > 1:
            self.step(-1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Qt passes the key on although the field has emitted `entered` already.
            if not event.isAutoRepeat() and not self.field.edit.hasFocus():
                self.enter()
        else:
            super().keyPressEvent(event)

    def _on_typed(self, typed_text: str) -> None:
        person = self.person
        if typed_text and (person is not None or self._by_pin):
            self.tell("")
            if len(typed_text) == self._length_of(person):
                self.enter()

    def _press(self, key: str) -> None:
        if key == "back":
            self.field.edit.backspace()
        elif key == "C":
            self.field.edit.clear()
        else:
            self.field.edit.insert(key)
        self.focus_first()

    def _lay_out(self) -> None:
        metrics = self._theme.metrics
        names = QWidget()
        column = QVBoxLayout(names)
        column.setContentsMargins(QMargins())
        column.setSpacing(metrics.s2)
        for card in self.cards:
            column.addWidget(card)
        column.addLayout(self.below)
        column.addStretch(1)
        scrolled = ScrolledColumn(self._theme, name=self._texts("sign.who"))
        scrolled.show_inside(names)
        left = QVBoxLayout()
        for part in (self.above, self.below, self.choice, left):
            part.setSpacing(metrics.s2)
        left.addLayout(self.above)
        left.addWidget(scrolled, 1)
        left.addLayout(self.choice)
        right = QVBoxLayout()
        right.setSpacing(metrics.s2)
        right.addWidget(self._above)
        self.field.setFixedHeight(round(1.25 * metrics.touch))
        right.addWidget(self.field)
        right.addWidget(self._told())
        self.pad.setMinimumHeight(4 * metrics.touch + 3 * metrics.s2)
        right.addWidget(self.pad, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins())
        row.setSpacing(metrics.s4)
        row.addLayout(left, 3)
        row.addLayout(right, 2)

    def _told(self) -> QWidget:
        """Make the one place of the hint and of a fault. The lines that the longest needs are kept
        free, so that no key of the pad stands elsewhere once a PIN was wrong."""
        told, metrics = QWidget(), self._theme.metrics
        lines = 3 if metrics.text_percent > 100 else 2
        told.setMinimumHeight(lines * metrics.line(TypeStep.SMALL))
        column = QVBoxLayout(told)
        column.setContentsMargins(QMargins())
        column.addWidget(self.fault)
        column.addWidget(self.words_label)
        column.addStretch(1)
        return told
