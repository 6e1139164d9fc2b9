"""The steps that resolve a case, built from their data: words, fields and buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.attention.cases import case
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.answers import answers_in_flow
from pos_app.cashier.ui.button_face import MISSING_ICON, ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, ChipSpec
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Divider, FilledPanel
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.state import StepNumber
from pos_app.cashier.ui.theme import Theme

USUAL_TOUCH_MM = 12
_TOP = Qt.AlignmentFlag.AlignTop
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class StepLine(QWidget):
    """Number, title and quiet words of one step; its parts are below them."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__()
        metrics = theme.metrics
        self._number = StepNumber(theme, number)
        self._title = Label(theme, step=TypeStep.NAME, weight=Weight.SEMIBOLD, wrap=True)
        self._words = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self._words.setAlignment(_TOP | Qt.AlignmentFlag.AlignLeft)
        self._row = QHBoxLayout(self)
        side = metrics.s3 if metrics.narrow else metrics.s4
        is_tight = metrics.narrow or metrics.touch_mm > USUAL_TOUCH_MM
        above = metrics.s2 if is_tight else metrics.s3 + 1
        self._row.setContentsMargins(side, above, side, above)
        self._row.setSpacing(metrics.s3)
        self._row.addWidget(self._number, 0, _TOP)
        self._column = QVBoxLayout()
        self._column.setSpacing(0)
        self._column.addWidget(self._title)
        self._column.addWidget(self._words)
        self._gap = metrics.s2
        self._row.addLayout(self._column, 1)

    def show_step(self, step: case.Step) -> None:
        self._title.setText(step.title)
        self.show_words(step.words)
        is_done = step.state is case.StepState.DONE
        self._number.set_step(current=step.state is case.StepState.CURRENT, done=is_done)

    def show_words(self, words: str) -> None:
        self._words.setText(words)
        self._words.setVisible(bool(words))

    def hold_room(self, more: int | None) -> None:
        """Keep what is below from rising while other words stand there, and put it lower by that
        many pixels; None lets it go again."""
        stood = self._words.height() if self._words.isVisible() else 0
        self._words.setMinimumHeight(0 if more is None else stood + more)

    def add_beside(self, part: QWidget) -> None:
        """Add a part at the right of title and words, where it needs no height of its own."""
        self._row.addWidget(part, 0, _MIDDLE)

    def add(self, part: QWidget | QLayout) -> None:
        self._column.addSpacing(self._gap)
        if isinstance(part, QLayout):
            self._column.addLayout(part)
        else:
            self._column.addWidget(part)


class StepsView(FilledPanel):
    """A panel of steps. Signal: `pressed(Action, str)`, with the text of the entry that the action
    takes."""

    pressed = Signal(object, str)

    def __init__(self, theme: Theme, texts: Texts, steps: Sequence[case.Step]) -> None:
        super().__init__(theme)
        self._texts = texts
        self._steps = tuple(steps)
        self.fields: dict[str, Field] = {}
        self.buttons: dict[str, Button] = {}
        self._confirms: dict[str, tuple[Button, Button]] = {}
        """The buttons No and Yes of the question before an action, by the action's name."""
        self._asked = ""
        self._first: QWidget | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column = self.edge_column()
        self._lines: list[StepLine] = []
        for number, step in enumerate(self._steps, 1):
            if number > 1:
                column.addWidget(Divider(theme))
            line = StepLine(theme, number)
            self._fill(line, step)
            column.addWidget(line)
            self._lines.append(line)
        # Widgets are shown or hidden only once they have a parent. Without one they would be
        # windows for a moment, which would take the keyboard away from the till's own window.
        self.show_steps(steps)
        for action in self._actions():
            self._show_missing(action)
        self._ask("")

    def show_steps(self, steps: Sequence[case.Step]) -> None:
        """Show the present words of the same steps; what was typed stays."""
        self._steps = tuple(steps)
        for line, step in zip(self._lines, self._steps, strict=True):
            line.show_step(step)
        self._ask(self._asked, moves_focus=False)

    def show_running(self, name: str) -> None:
        """Show which action runs ("" for none): its button says so, and some can't be pressed."""
        for action in self._actions():
            is_running = bool(name) and action.name == name and bool(action.running)
            self.buttons[action.name].set_words(action.running if is_running else action.words)
            if not is_running:
                self._show_missing(action)
            for button in self._all_of(action.name):
                if name and action.busy:
                    button.refuse(action.busy)
                else:
                    button.allow()

    def first(self) -> QWidget | None:
        """The field or button that gets the focus: of an open question the safe answer."""
        return self._confirms[self._asked][0] if self._asked else self._first

    def press_main(self) -> bool:
        """Press the one filled button, or where there is none the only one that takes the text of
        the field with the focus, as Enter does; returns False if there is neither."""
        action = None if self._asked else self._main()
        if action is not None and self.buttons[action.name].isEnabled():
            self.buttons[action.name].click()
        return action is not None

    def _main(self) -> case.Action | None:
        actions = list(self._actions())
        if (main := next((one for one in actions if one.is_main), None)) is not None:
            return main
        typed_in = {name for name, field in self.fields.items() if field.edit.hasFocus()}
        taking = [one for one in actions if one.takes in typed_in]
        return taking[0] if len(taking) == 1 else None

    def give(self, name: str) -> None:
        """Start the action of that name, unless the entry that it takes is incomplete."""
        action = next(one for one in self._actions() if one.name == name)
        if action.takes not in self.fields:
            self.pressed.emit(action, "")
            return
        entry, field = self._entry(action.takes), self.fields[action.takes]
        if _letters(field) < entry.letters:
            self.show_error(entry.name, entry.missing)
            return
        field.set_error("")
        self._ask("")
        self.pressed.emit(action, field.text().strip() if entry.letters else field.text())

    def show_error(self, entry: str, words: str) -> bool:
        """Show what is wrong with a typed text; returns False where there is no such field."""
        field = self.fields.get(entry)
        if field is not None:
            field.set_error(words)
            field.setFocus()
            self._show_entry(entry)
        return field is not None

    def _type(self, entry: str) -> None:
        """Take a change of a text: what was wrong with the one before is told no longer."""
        self.fields[entry].set_error("")
        self._show_entry(entry)

    def _show_entry(self, entry: str) -> None:
        for action in self._actions():
            if action.takes == entry:
                self._show_missing(action)

    def _show_missing(self, action: case.Action) -> None:
        """Show the filled button, or a red one that no question follows, plain while the entry that
        it takes is incomplete or wrong, and let it say what is missing."""
        field = self.fields.get(action.takes)
        is_red = action.kind is ButtonKind.DANGER and action.confirm is None
        if field is None or not (is_red or action.kind is ButtonKind.FILLED):
            return
        entry = self._entry(action.takes)
        lacks_address = entry.is_address and not field.text().strip()
        is_missing = lacks_address or bool(field.error()) or _letters(field) < entry.letters
        button = self.buttons[action.name]
        button.set_kind(ButtonKind.PLAIN if is_missing else action.kind)
        button.set_icon(MISSING_ICON if is_missing else action.icon)
        button.set_words(entry.missing if is_missing and entry.missing else action.words)

    def fill(self, entry: str, words: str) -> None:
        if entry in self.fields:
            self.fields[entry].set_text(words)
            self.fields[entry].set_error("")

    # --- parts -----------------------------------------------------------------------------------

    def _step_parts(self) -> Iterator[case.StepPart]:
        for step in self._steps:
            yield from (part for row in step.rows for part in row)
            if step.beside is not None:
                yield step.beside

    def _actions(self) -> Iterator[case.Action]:
        return (part for part in self._step_parts() if isinstance(part, case.Action))

    def _entry(self, name: str) -> case.EntryField:
        entries = (part for part in self._step_parts() if isinstance(part, case.EntryField))
        return next(entry for entry in entries if entry.name == name)

    def _ask(self, name: str, *, moves_focus: bool = True) -> None:
        """Ask the question of the named action instead of showing its step's words and buttons; ""
        shows these again."""
        self._asked = name
        for line, step in zip(self._lines, self._steps, strict=True):
            actions = [part for row in step.rows for part in row if isinstance(part, case.Action)]
            confirmed = [action for action in actions if action.confirm is not None]
            if not confirmed:
                continue
            asked = next((action for action in confirmed if action.name == name), None)
            confirm = asked.confirm if asked is not None else None
            if asked is None:
                line.hold_room(None)
            elif moves_focus:
                self._stand_under_the_finger(line, step, asked)
            line.show_words(confirm.words if confirm is not None else step.words)
            usual = [self.buttons[action.name] for action in actions]
            answers = {action.name: self._confirms[action.name] for action in confirmed}
            shown = usual if asked is None else answers[name]
            for button in shown:
                button.show()
            if asked is not None and moves_focus:  # before the pressed button goes with its focus
                answers[name][0].setFocus()
                bring_into_sight(answers[name][0])
            for button in (*usual, *chain.from_iterable(answers.values())):
                button.setVisible(button in shown)

    def _stand_under_the_finger(self, line: StepLine, step: case.Step, asked: case.Action) -> None:
        """Let the safe answer reach to where the key ends that asks, so that a finger that taps
        once more does not meet the act, which stands at its right or below it."""
        row = next(row for row in step.rows if asked in row)
        keys = [self.buttons[one.name] for one in row if isinstance(one, case.Action)]
        key = self.buttons[asked.name].geometry()
        safe, _ = self._confirms[asked.name]
        safe.setMinimumWidth(key.right() + 1 - min(one.x() for one in keys))
        line.hold_room(key.top() - min(one.y() for one in keys))

    def _all_of(self, name: str) -> tuple[Button, ...]:
        """The buttons that start an action: its own, and the Yes of its question."""
        return self.buttons[name], *self._confirms.get(name, ())[1:]

    def _fill(self, line: StepLine, step: case.Step) -> None:
        if step.quote:
            line.add(Details(self.theme, self._texts("details"), step.quote))
        if step.beside is not None:
            button = self._button(step.beside)
            line.add_beside(button)
            self._first = self._first or button
        for number, row in enumerate(step.rows):
            widgets = [self._widget(part) for part in row]
            for part in row:
                if isinstance(part, case.Action) and part.confirm is not None:
                    widgets += self._no_and_yes(part, part.confirm)
            if step.state is case.StepState.CURRENT and not number:
                self._first = _first_of(widgets)
            for part in row:
                if isinstance(part, case.EntryField) and not part.hint:
                    line.add(Label(self.theme, part.label, step=TypeStep.SMALL, colour="ink_2"))
            line.add(
                widgets[0] if isinstance(row[0], case.Suggestions) else self._side_by_side(widgets)
            )

    def _widget(self, part: case.StepPart) -> QWidget:
        match part:
            case case.EntryField():
                return self._field(part)
            case case.Suggestions():
                return self._chips(part)
            case case.Remark(words):
                return Label(self.theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True)
            case case.Action():
                return self._button(part)

    def _side_by_side(self, widgets: Sequence[QWidget]) -> QLayout:
        """Put the widgets in a row from the left; a field takes the free room. Buttons alone take
        a second row where they have no room in one."""
        if not any(isinstance(widget, Field | Label) for widget in widgets):
            return answers_in_flow(self.theme, widgets)
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        for widget in widgets:
            stretch = 1 if isinstance(widget, Field | Label) else 0
            row.addWidget(widget, stretch, _MIDDLE if isinstance(widget, Label) else _TOP)
        row.addStretch(0)
        return row

    def _field(self, entry: case.EntryField) -> Field:
        takes = InputKind.ADDRESS if entry.is_address else None
        field = Field(
            self.theme, name=entry.label, placeholder=entry.hint, mono=entry.is_address, takes=takes
        )
        bounded(self.theme, field)
        if entry.is_narrow:
            metrics = self.theme.metrics
            field.setMaximumWidth(max(5 * metrics.touch, 16 * metrics.type_px(TypeStep.BASE)))
        field.set_text(entry.text)
        field.changed.connect(lambda _: self._type(entry.name))
        self.fields[entry.name] = field
        return field

    def _chips(self, suggestions: case.Suggestions) -> ChipRow:
        """Make chips; a press puts the words of a chip into the field."""
        row = ChipRow(self.theme, more=lambda n: self._texts("pay.kind.more", n=n))
        words = dict(suggestions.words)
        row.set_chips([ChipSpec(key, text) for key, text in words.items()], current="")
        row.chosen.connect(lambda key: self.fill(suggestions.entry, words[key]))
        return row

    def _button(self, action: case.Action) -> Button:
        made = self._plain_button(action)
        self.buttons[action.name] = made
        if action.confirm is None:
            made.clicked.connect(lambda: self.give(action.name))
        else:
            made.clicked.connect(lambda: self._ask(action.name))
        return made

    def _no_and_yes(self, action: case.Action, confirm: case.Confirm) -> tuple[Button, Button]:
        icon = action.icon if action.kind is ButtonKind.DANGER else "check"
        yes = self._plain_button(replace(action, words=confirm.yes, icon=icon, key_cap=""))
        yes.clicked.connect(lambda: self.give(action.name))
        no = self._plain_button(case.Action("no", confirm.no, action.run))
        no.clicked.connect(lambda: self._ask(""))
        self._confirms[action.name] = no, yes
        return no, yes

    def _plain_button(self, action: case.Action) -> Button:
        made = Button(
            self.theme, action.words, icon=action.icon, kind=action.kind, key=action.key_cap
        )
        if action.spoken:
            made.setAccessibleName(action.spoken)
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return made


def _first_of(row: Sequence[QWidget]) -> QWidget:
    """The field that stands first, else the filled button, which Enter presses, else the first."""
    if isinstance(row[0], Field):
        return row[0].edit
    buttons = (one for one in row if isinstance(one, Button))
    return next((one for one in buttons if one.kind is ButtonKind.FILLED), row[0])


def _letters(field: Field) -> int:
    return sum(map(str.isalpha, field.text()))


class ListView(FilledPanel):
    def __init__(self, theme: Theme, lines: Sequence[case.ListLine]) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column = self.edge_column()
        for number, line in enumerate(lines):
            if number:
                column.addWidget(Divider(theme))
            column.addWidget(self._line(line))

    def _line(self, list_line: case.ListLine) -> QWidget:
        theme, metrics = self.theme, self.theme.metrics
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        row.setSpacing(metrics.s4)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(ElidedLabel(theme, list_line.title, weight=Weight.SEMIBOLD, mono=True))
        column.addWidget(ElidedLabel(theme, list_line.words, step=TypeStep.SMALL, colour="ink_2"))
        row.addLayout(column, 1)
        row.addWidget(
            AmountLabel(theme, list_line.amount, name=list_line.title, step=TypeStep.STRONG)
        )
        line.setAccessibleName(f"{list_line.title}, {list_line.words}, {list_line.amount}")
        return line
