"""A page of values: panels of switches, choices, numbers and lists, made from the rows of `values`.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.services.till_services import ToneName
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.values import (
    PORTS,
    USE_OF_SHIFTS,
    ValueGroup,
    ValueKind,
    ValuesModel,
    choices_of,
    kind_of,
    number_text,
    range_of,
)
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox, Option, WordChoice
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import FIELD_WIDTH, Field, TextArea
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.number_fields import NumberField, NumberRange
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.state import StateKind


class ValueRow(QWidget):
    def __init__(self, model: ValuesModel, ui: UiContext, setting: str) -> None:
        super().__init__()
        self._model, self._texts, self.setting = model, ui.texts, setting
        self._kind = kind_of(setting)
        texts, theme = ui.texts, ui.theme
        group, _, member = setting.partition(".")
        name = parts.setting_name(texts, setting)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.metrics.s2)
        column.setSpacing(theme.metrics.s1)
        self.part, self._show, self._allow = self._made(name, ui)
        widest = parts.PORT_FIELD if setting in PORTS else FIELD_WIDTH
        is_switch = self._kind is ValueKind.SWITCH
        column.addWidget(
            self.part if is_switch else parts.Titled(theme, name, self.part, widest=widest)
        )
        self.words, self.about = name, texts(f"set.value.{group}.{member}_words")
        column.addWidget(Label(theme, self.about, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        self._wrong = Label(theme, step=TypeStep.SMALL, colour="danger", wrap=True)
        if self._kind in (ValueKind.NUMBER, ValueKind.TEXT, ValueKind.LINES):
            parts.keep_room(self._wrong)
        column.addWidget(self._wrong)
        if isinstance(self.part, Field):
            self.part.error_changed.connect(self._tell_wrong)

    def _made(
        self, name: str, ui: UiContext
    ) -> tuple[QWidget, Callable[[], None], Callable[[bool], None]]:
        """Return the widget, the function that shows the value in it, and the one that allows
        it."""
        if self._kind is ValueKind.SWITCH:
            return self._switch(name, ui)
        if self._kind is ValueKind.CHOICE:
            return self._choice(name, ui)
        if self._kind is ValueKind.CHOICES:
            return self._boxes(ui)
        if self._kind is ValueKind.LINES:
            return self._lines(name, ui)
        return self._field(name, ui)

    def _switch(
        self, name: str, ui: UiContext
    ) -> tuple[QWidget, Callable[[], None], Callable[[bool], None]]:
        box = CheckBox(ui.theme, name)
        box.clicked.connect(lambda _=False: self._type(box.isChecked()))
        given = self._texts("set.fault.given")
        return (
            box,
            lambda: box.setChecked(self._model.typed_values[self.setting] is True),
            lambda allowed: parts.allow_if(box, allowed, given),
        )

    def _choice(
        self, name: str, ui: UiContext
    ) -> tuple[QWidget, Callable[[], None], Callable[[bool], None]]:
        group, _, member = self.setting.partition(".")
        options = [
            Option(one, self._texts(f"set.value.{group}.{member}.{one}"))
            for one in choices_of(self.setting)
        ]
        choice = WordChoice(ui.theme, options, name=name)
        choice.chosen.connect(self._type)
        given = self._texts("set.fault.given")
        return (
            choice,
            lambda: choice.set_current(str(self._model.typed_values[self.setting])),
            lambda allowed: parts.allow_if(choice, allowed, given),
        )

    def _boxes(self, ui: UiContext) -> tuple[QWidget, Callable[[], None], Callable[[bool], None]]:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        boxes = {
            one: CheckBox(ui.theme, self._texts(f"set.value.{self.setting}.{one}"))
            for one in choices_of(self.setting)
        }

        def write() -> None:
            self._type("\n".join(one for one, box in boxes.items() if box.isChecked()))

        def show() -> None:
            chosen = str(self._model.typed_values[self.setting]).split()
            for one, box in boxes.items():
                box.setChecked(one in chosen)

        def allow(allowed: bool) -> None:
            for box in boxes.values():
                parts.allow_if(box, allowed, self._texts("set.fault.given"))

        for box in boxes.values():
            box.clicked.connect(lambda _=False: write())
            column.addWidget(box)
        return inside, show, allow

    def _lines(
        self, name: str, ui: UiContext
    ) -> tuple[QWidget, Callable[[], None], Callable[[bool], None]]:
        area = TextArea(ui.theme, name=name)
        area.setFixedHeight(2 * ui.theme.metrics.touch)
        area.textChanged.connect(lambda: self._type(area.toPlainText()))

        def show() -> None:
            text = str(self._model.typed_values[self.setting])
            if area.toPlainText() != text:
                area.setPlainText(text)

        return area, show, area.setEnabled

    def _field(
        self, name: str, ui: UiContext
    ) -> tuple[QWidget, Callable[[], None], Callable[[bool], None]]:
        if self.setting in PORTS:
            field = Field(ui.theme, name=name, takes=InputKind.NUMBER, error_below=False)
        elif self._kind is ValueKind.NUMBER:
            field = self._number(name, ui)
        else:
            field = Field(ui.theme, name=name, takes=InputKind.WORDS, error_below=False)
        field.changed.connect(self._type)
        return (
            field,
            lambda: parts.show_in(field, str(self._model.typed_values[self.setting])),
            field.setEnabled,
        )

    def _number(self, name: str, ui: UiContext) -> NumberField:
        least, most = range_of(self.setting)
        at_least = self._texts("set.value.fault.least", least=str(least))
        at_most = self._texts("set.value.fault.most", most=str(most))
        return NumberField(
            ui.theme,
            name=name,
            numbers=NumberRange(least, most, at_least, at_most, number_text),
            less_name=self._texts("set.value.less"),
            more_name=self._texts("set.value.more"),
        )

    def _type(self, typed_value: bool | str) -> None:
        self._model.type(self.setting, typed_value)

    def focus(self) -> None:
        if isinstance(self.part, Field):
            self.part.point_out()
        self.part.setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_sight(self)  # with the fault below the field

    def show_model(self) -> None:
        self._show()
        self._allow(self.setting not in self._model.given)
        words = self._fault_words()
        if isinstance(self.part, Field):
            self.part.judge(words)
            return
        self._tell_wrong(words)
        if isinstance(self.part, TextArea):
            self.part.set_error(words)

    def _tell_wrong(self, words: str) -> None:
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def _fault_words(self) -> str:
        texts, (least, most) = self._texts, range_of(self.setting)
        match self._model.fault_of(self.setting):
            case "":
                return ""
            case "least":
                return texts("set.value.fault.least", least=str(least))
            case "most":
                return texts("set.value.fault.most", most=str(most))
            case "number" | "names" | "origins" | "address" as fault:
                return texts(f"set.value.fault.{fault}")
        group, _, member = self.setting.partition(".")
        own = f"set.value.{group}.{member}_refused"
        return texts(own if texts.has(own) else "set.value.fault.refused")


class ValuesForm(parts.SetupForm):
    def __init__(
        self, model: ValuesModel, ui: UiContext, groups: Sequence[ValueGroup], *, page: str
    ) -> None:
        super().__init__()
        self._model, self._texts = model, ui.texts
        self.rows: dict[str, ValueRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(ui.theme.metrics.s3)
        for group in groups:
            panel = parts.HeadedPanel(ui.theme, ui.texts(f"set.group.{page}.{group.name}"))
            for setting in group.values:
                row = self.rows[setting] = ValueRow(model, ui, setting)
                panel.column.addWidget(row)
            column.addWidget(panel)
        self._given = parts.GivenPanel(ui.theme, ui.texts)
        column.addWidget(self._given)
        column.addStretch(1)
        self.show_model()

    def refresh(self) -> None:
        self._model.read()

    def focus_first(self) -> None:
        next(iter(self.rows.values())).focus()

    def show_model(self) -> None:
        for row in self.rows.values():
            row.show_model()
        self._given.show_given(self._model.given)


class SoundsPanel(parts.HeadedPanel):
    """Buttons that try the four tones. play: plays a tone, even if tones are off."""

    def __init__(self, ui: UiContext, play: Callable[[ToneName], None]) -> None:
        super().__init__(ui.theme, ui.texts("set.sounds"))
        words = Label(ui.theme, ui.texts("set.sounds.words"), colour="ink_2", wrap=True)
        self.column.addWidget(words)
        self.buttons: dict[ToneName, Button] = {}
        for tone in get_args(ToneName):
            button = self.buttons[tone] = Button(
                ui.theme, ui.texts(f"set.sounds.{tone}"), icon="bell"
            )
            button.clicked.connect(lambda _=False, tone=tone: play(tone))
            self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


class ValuesPage(parts.SetupPage):
    """reopen: opens the till anew; it is None if the till can't."""

    def __init__(
        self,
        model: ValuesModel,
        ui: UiContext,
        start: parts.Start,
        groups: Sequence[ValueGroup],
        *,
        page: str,
        reopen: Callable[[], None] | None = None,
        above: Sequence[QWidget] = (),
        below: Sequence[QWidget] = (),
    ) -> None:
        form = ValuesForm(model, ui, groups, page=page)
        name = ui.texts(f"set.page.{page}")
        super().__init__(model, ui, start, form, name=name, above=above, below=below)
        self._model, self._texts, self._rows = model, ui.texts, form.rows
        self.reopen = Button(ui.theme, ui.texts("set.reopen"), icon="refresh-cw")
        self.acts.add_act(self.reopen)
        self._can_reopen = reopen is not None
        if reopen is not None:
            self.reopen.clicked.connect(lambda _=False: reopen())
        self.show_model()

    def show_model(self) -> None:
        super().show_model()
        model = self._model
        waits = model.waits_for_start and not model.has_changes and not model.running
        self.reopen.setVisible(waits and self._can_reopen)

    def order(self) -> str:
        if self._model.wrong:
            return self._texts("set.order.mend")
        return self._texts("set.order.shift") if self._model.shift_is_open else super().order()

    def focus_missing(self) -> None:
        self._rows[self._model.wrong or USE_OF_SHIFTS].focus()

    def standing(self) -> tuple[StateKind | None, str]:
        model = self._model
        if not model.running and model.failure is None:
            if model.has_changes and model.shift_is_open:
                return StateKind.DECIDE, self._texts("set.value.shift_open")
            if model.waits_for_start and not model.has_changes:
                return StateKind.WAIT, self._texts("set.value.at_start")
        return super().standing()
