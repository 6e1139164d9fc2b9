"""Fields for an amount, whose digits are grouped while it is typed, and for a number in a range."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui import amount_typing, painting
from pos_app.cashier.ui.field import Field, IconButton
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.press_part import REPEATS
from pos_app.cashier.ui.theme import Theme
from pos_app.lazy_dataclass import dataclass


class AmountField(Field):
    """A field for an amount, whose thousands are grouped while it is typed. Its text has no
    points."""

    _given = ("", "")
    """The text that was put in, and what the field showed then."""
    _steps: tuple[tuple[str, tuple[str, str]], ...] = ()
    """What the field showed before each edit, with the given text. Qt forgets its own at every
    grouping."""
    _is_typing = False
    """Whether the last edit put signs in; those that follow belong to the same step."""
    _before = ("", (0, 0))
    """What was shown before an edit, and what was selected."""
    _told = ""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        placeholder: str = "",
        signed: bool = False,
        step: TypeStep = TypeStep.BASE,
        error_below: bool = True,
        takes: InputKind | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            theme,
            name=name,
            placeholder=placeholder,
            right=True,
            signed=signed,
            step=step,
            error_below=error_below,
            takes=takes,
            parent=parent,
        )
        self.edit.textEdited.connect(self._group)
        self.edit.cursorPositionChanged.connect(self._note)
        self.edit.selectionChanged.connect(self._note)

    def text(self) -> str:
        given, shown = self._given
        return given if self.edit.text() == shown else amount_typing.bare(self.edit.text())

    def set_text(self, words: str) -> None:
        self._end_refusal()
        self._given = words, amount_typing.grouped(amount_typing.bare_of_written(words))
        self._steps, self._is_typing = (), False
        self.edit.setText(self._given[1])
        self._note()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and self._takes_back(event):
            *earlier, (shown, given) = self._steps
            self._steps, self._is_typing, self._given = tuple(earlier), False, given
            self.edit.setText(shown)
            self._note()
            return True
        return super().eventFilter(watched, event)

    def _takes_back(self, event: QKeyEvent) -> bool:
        is_undo = event.matches(QKeySequence.StandardKey.Undo)
        return is_undo and bool(self._steps) and event.type() is QEvent.Type.KeyPress

    def _note(self) -> None:
        edit = self.edit
        start = edit.selectionStart() if edit.hasSelectedText() else edit.cursorPosition()
        self._before = edit.text(), (start, start + len(edit.selectedText()))

    def _group(self, after: str) -> None:
        before, selected = self._before
        shown, caret = amount_typing.edited(before, selected, after, self.edit.cursorPosition())
        is_typing = self.edit.cursorPosition() > selected[0]
        if not (is_typing and self._is_typing and selected[0] == selected[1]):
            self._steps = (*self._steps, (before, self._given))
        self._given, self._is_typing = ("", ""), is_typing
        if shown != after:
            self.edit.setText(shown)
        self.edit.setCursorPosition(caret)
        self._note()

    def _on_text(self, words: str) -> None:
        """Tell a change once, though grouping changes the text a second time."""
        words = self.text()
        if words != self._told:
            self._told = words
            super()._on_text(words)


NUMBER_WIDTH = 160
"""The width of a field for a number with its steps, in pixels at 96 dpi."""
_LONGEST_NUMBER = "999.999"
_GROUPED = re.compile(r"[0-9]{1,3}(\.[0-9]{3})+|[0-9]+")
_STEP_KEYS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The whole numbers of a field. at_least, at_most: say why there is no step beyond. written:
    returns a number as the field shows it."""

    least: int
    most: float
    at_least: str
    at_most: str
    written: Callable[[int], str]


class NumberField(Field):
    """A field for a whole number with − and + at its sides; the arrows up and down step, too. Its
    owner shows what is wrong with the number, for the field is narrow.

    A step changes the second digit: 7, 8, 9 · 90, 91 · 110, 120 · 2.500, 2.600.
    """

    _offers_keyboard = False
    _less: IconButton | None = None
    _more: IconButton | None = None

    def __init__(
        self, theme: Theme, *, name: str, numbers: NumberRange, less_name: str, more_name: str
    ) -> None:
        super().__init__(theme, name=name, takes=InputKind.NUMBER, error_below=False)
        self._numbers = numbers
        self.edit.is_entered_whole = True
        self.edit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._less = self._step_button("minus", f"{name}: {less_name}", -1)
        self._more = self._step_button("plus", f"{name}: {more_name}", 1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._arrange()

    def _step_button(self, icon: str, name: str, by: int) -> IconButton:
        button = IconButton(self.theme, icon, name, self)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setProperty(REPEATS, True)
        button.clicked.connect(lambda _=False: self.step(by))
        return button

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        number = painting.width_of(self.theme.font(), _LONGEST_NUMBER) + 2 * metrics.s2
        width = max(metrics.px(NUMBER_WIDTH), 2 * metrics.touch + number)
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def step(self, by: int) -> None:
        """Put the next number in the field, as a person does. A text that is no number becomes the
        least one."""
        numbers, now = self._numbers, self._number()
        if now is None:
            then = numbers.least
        else:
            size = 10 ** max(0, len(str(now if by > 0 else now - 1)) - 2)
            then = (now // size + 1) * size if by > 0 else (now - 1) // size * size
        self.set_text(numbers.written(int(min(max(then, numbers.least), numbers.most))))

    def _number(self) -> int | None:
        text = self.text().strip()
        return int(text.replace(".", "")) if _GROUPED.fullmatch(text) else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            by = _STEP_KEYS.get(Qt.Key(event.key()), 0)
            if by and self.edit.isEnabled():
                self.step(by)
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, touch, edge = QPainter(self), self.theme.metrics.touch, self.theme.metrics.edge
        for left in (touch, self.width() - touch):
            line = QRect(left, edge, self.theme.metrics.hair, touch - 2 * edge)
            painter.fillRect(line, self.theme.colour("line"))

    def _on_text(self, words: str) -> None:
        self._arrange()
        super()._on_text(words)

    def _arrange(self) -> None:
        super()._arrange()
        if self._less is None or self._more is None:
            return
        touch, edge = self.theme.metrics.touch, self.theme.metrics.edge
        self._less.setGeometry(0, 0, touch, touch)
        self._more.setGeometry(self.width() - touch, 0, touch, touch)
        between = self.width() - 2 * touch - 2 * edge
        self.edit.setGeometry(touch + edge, edge - 1, between, touch - 2 * edge)
        self._fit()
        number = self._number()
        self._let(self._less, number == self._numbers.least, self._numbers.at_least)
        self._let(self._more, number == self._numbers.most, self._numbers.at_most)

    def _let(self, button: IconButton, is_last: bool, reason: str) -> None:
        if is_last:
            button.refuse(reason)
        elif not button.isEnabled() or button.toolTip():
            button.allow()
