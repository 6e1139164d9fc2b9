"""Asks for the PIN that lifts a `ManagerLock`: the manager's PIN, which is chosen here the first
time, or the PIN of one of the lock's `lifters`, who is found by it. It shows what is approved."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from pos_app.cashier.commands import ENTER
from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.gate.about_rows import ActRows, rows_of
from pos_app.cashier.gate.manager_lock import ManagerLock, never_allowed
from pos_app.cashier.gate.pin_panel import PinPanel, order_of_new
from pos_app.cashier.gate.who_and_pin import WhoAndPin
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.errors import Invalid, PosError
from pos_app.selling.people.manager_pin import DEMO_PIN
from pos_app.selling.people.people import MOST_DIGITS, Person, common_digits


class PinGate(QWidget):
    """Fields and a pad; the lock answers some 50 ms later whether the PIN was right.

    asked, first: the words where the PIN is asked for, and where it is chosen. about: what exactly
    is asked for.
    """

    _of_demo = Signal()

    def __init__(
        self,
        model: ManagerLock,
        frame: Frame,
        *,
        asked: str,
        first: str,
        about: About = NOTHING_ELSE,
        is_titled: bool = False,
    ) -> None:
        """is_titled: the screen's head says already that somebody has to allow it; the panel has
        the act as its title."""
        super().__init__()
        self._model, self._frame = model, frame
        rows = rows_of(model, about, frame.ui.texts)
        self._act = rows.pop(0)[1] if is_titled and model.services.here.person else ""
        self._rows = ActRows(frame.ui.theme, rows)
        self._texts = frame.ui.texts
        self._asked, self._first = asked, first
        self._is_first = not model.has_pin
        self._person = model.services.here.person
        self._trying: asyncio.Task[None] | None = None
        self.panel: PinPanel
        self.who: WhoAndPin | None = None
        if self._person is None:
            self._make_panel(frame.ui.theme)
        else:
            self._make_who(frame.ui.theme)

    def _make_panel(self, theme: Theme) -> None:
        texts = self._texts
        words = self._first if self._is_first else self._asked
        title = texts("cat.pin.first" if self._is_first else "cat.pin.asked")
        self.setAccessibleName(title)
        fields = {"pin": texts("cat.pin.new" if self._is_first else "cat.pin")}
        if self._is_first:
            fields["again"] = texts("cat.pin.again")
        self.panel = PinPanel(
            theme,
            title=title,
            words=words,
            fields=fields,
            enter=texts("cat.pin.keep" if self._is_first else "cat.pin.open"),
            back=texts("typing.back"),
            longest=MOST_DIGITS,
            order=self._order,
        )
        self.panel.column.insertWidget(self.panel.column.indexOf(self.panel.words), self._rows)
        self.panel.centred_in(self)
        self.panel.entered.connect(self._answer)
        # Queued, because a coroutine never calls a view.
        self._of_demo.connect(self._tell_demos_pin, Qt.ConnectionType.QueuedConnection)
        if not self._is_first and self._model.services.settings.environment == "demo":
            self._frame.tasks.start(self._look_at_demo(), name="look at the PIN of a demo")

    def _order(self, panel: PinPanel) -> str:
        """Return what to do before the PIN can be tried or kept; "" for nothing."""
        if self._is_first:
            return order_of_new(panel.text("pin"), panel.text("again"), self._texts)
        return "" if panel.text("pin") else self._texts("sign.type_pin")

    def _make_who(self, theme: Theme) -> None:
        texts, metrics = self._texts, theme.metrics
        lifters = self._model.lifters
        panel = Panel(theme)
        column = QVBoxLayout(panel)
        column.setContentsMargins(metrics.s6, metrics.s6, metrics.s6, metrics.s6)
        column.setSpacing(metrics.s3)
        never = texts.error(never_allowed(self._model.act))
        title = texts("approve.title") if lifters else never.happened
        self.setAccessibleName(title)
        head = self._act if lifters and self._act else title
        column.addWidget(Label(theme, head, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True))
        words = self._asked if lifters else never.press
        column.addWidget(Label(theme, words, colour="ink_2", wrap=True))
        if lifters:
            people = [(one, texts(f"role.{one.role}")) for one in lifters]
            digits = common_digits(self._model.services.people.people())
            self.who = WhoAndPin(theme, texts, people, by_pin=True, digits=digits)
            self.who.above.addWidget(self._rows)
            self.who.given.connect(self._try)
            column.addWidget(self.who, 1)
            is_large = metrics.text_percent > 100
            beside = self.who.choice if is_large else column  # below the names, or below all
            beside.addWidget(self._make_approve(theme, self.who))
        panel.setMinimumWidth(16 * metrics.touch)
        around = QHBoxLayout(self)
        around.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        around.addStretch(1)
        middle = QVBoxLayout()
        middle.addStretch(1)
        middle.addWidget(panel)
        middle.addStretch(2)
        around.addLayout(middle)
        around.addStretch(1)

    def _make_approve(self, theme: Theme, who: WhoAndPin) -> BigButton:
        """Make the key that approves, which is plain while no PIN is typed."""
        approve = BigButton(theme, "", key=ENTER, icon="check")
        approve.clicked.connect(who.enter)

        def show() -> None:
            approve.show_act(self._texts("approve.keys.enter"), order=who.order, rests=False)

        who.field.changed.connect(lambda _: show())
        show()
        return approve

    async def _look_at_demo(self) -> None:
        if await self._model.has_demos_pin() and isValid(self):
            self._of_demo.emit()

    def _tell_demos_pin(self) -> None:
        demos = self._texts("cat.pin.demo", pin=DEMO_PIN)
        self.panel.words.setText(f"{self._asked} {demos}")

    def focus_first(self) -> None:
        if self.who is not None:
            self.who.focus_first()
        elif self._person is None:
            self.panel.focus_first()

    def type_key(self, event: QKeyEvent) -> bool:
        """Take a key that chooses a name; return whether it was one."""
        is_step = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
        if self.who is None or not is_step:
            return False
        self.who.keyPressEvent(event)
        return True

    def takes_badge(self, code: str) -> bool:
        """Take the badge of anybody who works here, and say so if that person may not approve;
        return whether the code was a badge. Where the PIN is needed too, the badge chooses the
        name."""
        if self.who is None:
            return False
        try:
            owner = self._model.services.people.badge_of(code)
            if owner is None:
                return False
            person = self._model.show_badge(owner)
        except PosError as error:
            self._fail(error)
            return True
        if person is not None:
            self.who.choose(person)
            self.who.focus_first()
        return True

    def tell(self, words: str) -> None:
        """Say what was wrong; what was typed stays."""
        if self.who is not None:
            self.who.show_fault(words)

    def _answer(self) -> None:
        """Try the PIN, or choose the first one; one PIN is tried at a time."""
        panel, model = self.panel, self._model
        if self._trying is not None and not self._trying.done():
            return
        if not self._is_first and panel.ask_for("pin", self._texts("sign.no_pin")):
            return
        if self._is_first:
            work = model.choose_pin(panel.text("pin"), panel.text("again"))
        else:
            work = model.enter_pin(panel.text("pin"))
        self._trying = self._frame.tasks.start(work, name="try the PIN", on_failure=self._fail)

    def _try(self, chosen: Person | None, pin: str) -> None:
        """Try the PIN in a thread, because the comparison is slow on purpose."""
        work = self._model.lift(pin, chosen)
        self._frame.tasks.start(work, name="try the PIN", on_failure=self._fail)

    def _fail(self, error: PosError) -> None:
        at_again = isinstance(error, Invalid) and error.field == "again"
        if isValid(self):
            self._refuse(self._texts.error(error).happened, "again" if at_again else "pin")

    def _refuse(self, words: str, field: str) -> None:
        if self.who is not None:
            self.who.refuse(words)
        elif self._person is None:
            self.panel.refuse(field, words)
        self._model.services.tones.play("no")
