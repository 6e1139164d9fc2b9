"""The guided answers: numbered steps, each with its words and what can be pressed in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.attention.step_line import StepLine
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.choices import ChipFace, ChipRow
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.panel import Divider, Panel
from pos_app.cashier.ui.theme import Theme

_TOP = Qt.AlignmentFlag.AlignTop
REASONS = ("withdrew", "mistake", "twice")
MANAGERS = ("word", "owner")
MANAGER_LETTERS = 3
"""A manager's name has at least so many."""


class Guide(Panel):
    """A panel of steps. Each subclass says what its signals mean."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self.texts = texts
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(1, 1, 1, 1)
        self.column.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._count = 0
        self.fields: dict[str, Field] = {}
        """What is typed into, by name: it survives when the case is made anew."""

    def take_typed(self, other: Guide) -> None:
        """What was typed into the guide before."""
        for name, field in other.fields.items():
            if name in self.fields:
                self.fields[name].set_text(field.text())

    def first(self) -> QWidget | None:
        """What the caret or the focus goes to."""
        return None

    def press_main(self) -> bool:
        """Enter: the one filled button; False when there is none."""
        return False

    def step(self, title: str, words: str, *parts: QWidget | QHBoxLayout) -> StepLine:
        """A further step under the ones before."""
        if self._count:
            self.column.addWidget(Divider(self.theme))
        self._count += 1
        line = StepLine(self.theme, self._count, title, words)
        for part in parts:
            line.add(part)
        self.column.addWidget(line)
        return line

    def row(self, *parts: QWidget) -> QHBoxLayout:
        """Parts side by side, at the left; a field takes what room there is."""
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        for part in parts:
            stretch = 1 if isinstance(part, Field | Label) else 0
            place = Qt.AlignmentFlag.AlignVCenter if isinstance(part, Label) else _TOP
            row.addWidget(part, stretch, place)
        if not any(isinstance(part, Field | Label) for part in parts):
            row.addStretch(1)
        return row

    def button(
        self, key: str, *, icon: str = "", kind: ButtonKind = ButtonKind.PLAIN, cap: str = ""
    ) -> Button:
        """A button as wide as its words."""
        made = Button(self.theme, self.texts(key), icon=icon, kind=kind, key=cap)
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return made

    def chips(self, keys: Sequence[str], prefix: str, on_chosen: Callable[[str], None]) -> ChipRow:
        """Ready-made words for touch: a press puts them into the field."""
        row = ChipRow(self.theme, more=lambda n: self.texts("pay.kind.more", n=n))
        row.set_chips([ChipFace(key, self.texts(f"{prefix}.{key}")) for key in keys], current="")
        row.chosen.connect(lambda key: on_chosen(self.texts(f"{prefix}.{key}")))
        return row


class ManagerName:
    """Which manager it is: a name, typed or one of those ready-made."""

    def __init__(self, guide: Guide) -> None:
        self._words = texts = guide.texts
        name = texts("att.manager")
        self.field = Field(guide.theme, name=name, placeholder=name)
        metrics = guide.theme.metrics
        self.field.setMaximumWidth(max(5 * metrics.touch, 16 * metrics.type_px(Step.BASE)))
        guide.fields["manager"] = self.field
        chips = guide.chips(MANAGERS, "att.manager", self._take)
        self.row = guide.row(self.field, chips)

    def _take(self, name: str) -> None:
        self.field.set_text(name)
        self.field.set_error("")

    def given(self) -> str:
        """The name, or "" when none is given, which the field says then."""
        name = self.field.text().strip()
        if len(name) < MANAGER_LETTERS:
            self.field.set_error(self._words("att.manager_needed"))
            self.field.setFocus()
            return ""
        self.field.set_error("")
        return name


class DoubtGuide(Guide):
    """Look it up again · scan the processor's paper · a manager says that there is none.

    Signals: `look_again()`, `found(str)` with the address, `absent(str)` with the manager's name.
    """

    look_again = Signal()
    found = Signal(str)
    absent = Signal(str)

    def __init__(self, theme: Theme, texts: Texts, *, can_scan: bool, is_ours: bool) -> None:
        super().__init__(theme, texts)
        self.again = self.button("att.look_again", icon="refresh-cw")
        self.again.clicked.connect(self.look_again)
        self.look_step = self.step(texts("att.step.look_first"), "")
        self.look_step.add_beside(self.again)
        self.url = Field(theme, name=texts("att.scan_field"), mono=True, takes=Typed.ADDRESS,
                         placeholder=texts("att.scan_hint"))  # fmt: skip
        self.fields["url"] = self.url
        self.check = self.button("att.check", kind=ButtonKind.FILLED, cap="Enter")
        self.check.clicked.connect(self._give_url)
        if can_scan:
            scan = self.step(
                texts("att.step.scan"), texts("att.scan_words"), self.row(self.url, self.check)
            )
            scan.number.set_step(current=True)
        self._add_absent(is_ours)

    def first(self) -> QWidget | None:
        return self.url.edit if self.url.isVisibleTo(self) else self.again

    def press_main(self) -> bool:
        if not self.isAncestorOf(self.check):
            return False
        self._give_url()
        return True

    def show_looked(self, title: str, words: str, *, done: bool) -> None:
        """What the look-ups found."""
        self.look_step.set_words(title, words)
        self.look_step.number.set_step(done=done)

    def set_running(self, running: str) -> None:
        """Which act runs: "look", "url" or "absent"; "" for none. Its button says so."""
        self.again.set_words(self.texts("att.looking" if running == "look" else "att.look_again"))
        self.check.set_words(self.texts("att.checking" if running == "url" else "att.check"))
        for button in (self.again, self.check, self.declare):
            if running:
                button.refuse(self.texts("att.looking"))
            else:
                button.allow()

    def _add_absent(self, is_ours: bool) -> None:
        texts = self.texts
        self.manager = ManagerName(self)
        self.declare = self.button("att.absent" if is_ours else "att.absent_foreign", icon="lock")
        self.declare.clicked.connect(self._declare)
        note = Label(
            self.theme, texts("att.absent_note"), step=Step.SMALL, colour="ink_2", wrap=True
        )
        said = texts("att.absent_words") if is_ours else ""
        self.step(texts("att.step.absent"), said, self.manager.row, self.row(self.declare, note))

    def _give_url(self) -> None:
        if self.check.isEnabled():
            self.found.emit(self.url.text())

    def _declare(self) -> None:
        if name := self.manager.given():
            self.absent.emit(name)


class DropStep:
    """A reason, ready-made or typed, and the button that drops the sale with it."""

    def __init__(self, guide: Guide, on_drop: Callable[[str], None], *, title: str) -> None:
        texts = guide.texts
        self._words = texts
        self._on_drop = on_drop
        self.reason = Field(guide.theme, name=texts("att.drop_reason"),
                            placeholder=texts("att.drop_reason"))  # fmt: skip
        guide.fields["reason"] = self.reason
        self.chips = guide.chips(REASONS, "att.reason", self.reason.set_text)
        self.drop = guide.button("att.drop", icon="trash-2", kind=ButtonKind.DANGER)
        self.drop.clicked.connect(self._press)
        row = guide.row(self.reason, self.drop)
        guide.step(texts(title), texts("att.drop_words"), self.chips, row)

    def _press(self) -> None:
        if not self.reason.text().strip():
            self.reason.set_error(self._words("att.reason_needed"))
            self.reason.setFocus()
            return
        self.reason.set_error("")
        self._on_drop(self.reason.text())


class RefusedGuide(Guide):
    """What the server said · correct it · or drop it with a reason.

    Signals: `correct()`, `again()`, `drop(str)` with the reason.
    """

    correct = Signal()
    again = Signal()
    drop = Signal(str)

    def __init__(self, theme: Theme, texts: Texts, *, said: str, server_said: str) -> None:
        super().__init__(theme, texts)
        told = self.step(texts("att.step.said"), said)
        told.number.set_step(done=True)
        if server_said:
            told.add(
                Label(theme, server_said, step=Step.SMALL, colour="ink_2", mono=True, wrap=True)
            )
        self.mend = self.button("att.correct", icon="undo-2", kind=ButtonKind.FILLED, cap="Enter")
        self.mend.clicked.connect(self.correct)
        self.resend = self.button("att.again", icon="refresh-cw")
        self.resend.setAccessibleName(texts("att.again_name"))
        self.resend.clicked.connect(self.again)
        mend = self.step(
            texts("att.step.correct"), texts("att.correct_words"), self.row(self.mend, self.resend)
        )
        mend.number.set_step(current=True)
        self.dropping = DropStep(self, self.drop.emit, title="att.step.drop")

    def first(self) -> QWidget | None:
        return self.mend

    def press_main(self) -> bool:
        if self.mend.isEnabled():
            self.correct.emit()
        return True


class WaitingGuide(Guide):
    """Nothing need be done; a sale that is not being sent may be dropped. Signal: `drop(str)`."""

    drop = Signal(str)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, texts)
        self.dropping = DropStep(self, self.drop.emit, title="att.drop_waiting")


class OneAct(Guide):
    """One button that ends the case. Signal: `done()`."""

    done = Signal()

    def __init__(
        self, theme: Theme, texts: Texts, *, title: str, key: str, icon: str, said: str = ""
    ) -> None:
        super().__init__(theme, texts)
        self.press = self.button(key, icon=icon, kind=ButtonKind.FILLED, cap="Enter")
        self.press.clicked.connect(self.done)
        line = self.step(texts(title), said, self.row(self.press))
        line.number.set_step(current=True)

    def first(self) -> QWidget | None:
        return self.press

    def press_main(self) -> bool:
        self.done.emit()
        return True
