"""The parts of which the settings' pages are made: panels with a title, fields under their names,
facts with a state."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.settings.acts import SetupModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import RadioCard, WordChoice
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import FIELD_WIDTH, TAKES_ALL, Field, bounded, whole_field
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Divider, Panel, clear_layout
from pos_app.cashier.ui.save_bar import SaveBar
from pos_app.cashier.ui.scrolling import Scrolled, bring_into_sight
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.cashier.words.moments import clock_text
from pos_app.lazy_dataclass import dataclass

Start = Callable[[Coroutine[object, object, None], str], object]
"""Runs a coroutine of a page's model on the window's loop, as a task of the given name."""


class SettingsPage(QWidget):
    """A page, as the frame of the settings uses it."""

    def show_model(self) -> None:
        raise NotImplementedError

    def refresh(self) -> None:
        """Ask anew for facts that may be old. The frame calls it when the page opens, and every
        second."""

    def focus_first(self) -> None:
        """Put the focus where a manager goes on."""
        raise NotImplementedError

    def press_main(self) -> None:
        """Press the filled button, because Enter was pressed."""


class SetupForm(QWidget):
    """The content of a page, without its scroll area and acts. The first start shows it, too."""

    def show_model(self) -> None:
        """Show the model. A text that is being typed is kept."""
        raise NotImplementedError

    def refresh(self) -> None:
        """See `SettingsPage.refresh`."""

    def focus_first(self) -> None:
        raise NotImplementedError

    def focus_missing(self) -> None:
        """Put the focus into the field that lacks something, after a press of the key that takes
        the form."""
        self.focus_first()


def allow_if(button: ThemedButton | WordChoice, allowed: bool, reason: str) -> None:
    """Allow or refuse presses of a button or a choice. reason: why it can't be pressed now."""
    if allowed:
        button.allow()
    else:
        button.refuse(reason)


def show_in(field: Field, text: str) -> None:
    """Show a text, from its beginning. If the field has this text already its caret stays, because
    somebody may be typing."""
    if field.text() != text:
        field.set_text(text)
        field.edit.setCursorPosition(0)


def keep_room(label: Label) -> None:
    """Keep at least a line free while a label is hidden that comes and goes with what is typed, so
    that nothing below it moves under the next press."""
    policy = label.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    label.setSizePolicy(policy)
    label.setMinimumHeight(label.fontMetrics().height())


class QuestionSlots:
    """Opens the question of a page below the widget that asked it, and scrolls to it. make: returns
    the panel of a question, and its button that changes nothing, which gets the focus."""

    def __init__(self, make: Callable[[Any], tuple[QWidget, QWidget]]) -> None:
        self._make = make
        self._slots: dict[str, QVBoxLayout] = {}
        self._asked: object = None
        self._panel: QWidget | None = None
        self._safe_answer: QWidget | None = None

    def at(self, name: str) -> QVBoxLayout:
        """Make a layout in which a question can open. A later call with the same name replaces it,
        for a widget that was made anew."""
        self._slots[name] = slot = QVBoxLayout()
        return slot

    def show(self, asked: object, name: str) -> None:
        """Open a question in the layout of that name; None closes the open one. A question that is
        open already stays."""
        if asked is self._asked:
            return
        self.take_away()
        slot = self._slots.get(name)
        if asked is None or slot is None:  # without a slot: the row is not shown yet
            return
        self._asked = asked
        self._panel, self._safe_answer = self._make(asked)
        slot.addWidget(self._panel)
        self._panel.show()
        self.take_focus()

    def take_focus(self) -> None:
        """Put the focus into the open question, and scroll to it."""
        if self._panel is not None and self._safe_answer is not None:
            self._safe_answer.setFocus(Qt.FocusReason.OtherFocusReason)
            bring_into_sight(self._panel)

    def take_away(self) -> None:
        """Close the question, because it is answered or the widgets around it will be removed."""
        panel, self._panel, self._asked = self._panel, None, None
        self._safe_answer = None
        if panel is not None:
            panel.hide()
            panel.deleteLater()


class HeadedPanel(Panel):
    """A panel with a title; its content goes into `column`. repeats: the screen has this title
    already, so that here it is only read aloud."""

    def __init__(self, theme: Theme, title: str, *, repeats: bool = False) -> None:
        super().__init__(theme)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        self.column.setSpacing(metrics.s2)
        self._title = Label(theme, title, step=TypeStep.NAME, weight=Weight.BOLD, wrap=True)
        self.head = QHBoxLayout()
        """The row of the title. A page may add a button at the right."""
        self.head.setSpacing(metrics.s2)
        self.head.addWidget(self._title, 1)
        self.column.addLayout(self.head)
        self._title.setHidden(repeats)

    @property
    def title(self) -> str:
        return self._title.text()

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self.setAccessibleName(title)


ROOM_FOR_TWO = 56
"""The least width at which two panels stand side by side, in heights of the usual type."""


class Sides(QWidget):
    """Two panels: side by side, or below each other if the page is narrow."""

    def __init__(
        self,
        theme: Theme,
        left_panel: QWidget,
        right_panel: QWidget,
        *,
        least_heights: int = ROOM_FOR_TWO,
    ) -> None:
        super().__init__()
        self._least = least_heights * theme.metrics.type_px(TypeStep.BASE)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.metrics.s3)
        self._row.addWidget(left_panel, 1)
        self._row.addWidget(right_panel, 1)

    def minimumSizeHint(self) -> QSize:
        """Ask for no width, so that the page may decide."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        directions = QBoxLayout.Direction
        is_wide = event.size().width() >= self._least
        self._row.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)


ROOM_FOR_CARD = 11
"""The least width of a card that stands in one row with all others, in heights of the usual
type."""


class Cards(QWidget):
    """Large choices: all in one row, or in two columns if the row has no room for them."""

    def __init__(self, theme: Theme, cards: Sequence[RadioCard]) -> None:
        super().__init__()
        self._least = ROOM_FOR_CARD * theme.metrics.type_px(TypeStep.BASE)
        self._cards = self._shown_cards = tuple(cards)
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.metrics.s2 + 2)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._wanted() != self._columns:
            self._arrange()

    def show_only(self, cards: Sequence[RadioCard]) -> None:
        if tuple(cards) != self._shown_cards:
            self._shown_cards = tuple(cards)
            self._arrange()

    def _wanted(self) -> int:
        count = len(self._shown_cards)
        fits = self.width() >= count * self._least or count < 3
        return count if fits else 2

    def _arrange(self) -> None:
        columns = self._columns = self._wanted()
        for card in self._cards:
            self._grid.removeWidget(card)
        for number, card in enumerate(self._shown_cards):
            self._grid.addWidget(card, number // columns, number % columns)
        for card in self._cards:
            card.setVisible(card in self._shown_cards)
        for column in range(len(self._cards)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)


PORT_FIELD = 160
"""The widest a field for a port is, in pixels at 96 dpi."""


class Titled(QWidget):
    """A field under its name, no wider than what is written in it."""

    def __init__(
        self, theme: Theme, words: str, *widgets: QWidget, widest: int = FIELD_WIDTH
    ) -> None:
        """widgets: they stand side by side; the first takes the free room up to `widest`, in pixels
        at 96 dpi."""
        super().__init__()
        self.words = words
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s1 // 2)
        column.addWidget(Label(theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        for number, widget in enumerate(widgets):
            alignment = Qt.AlignmentFlag.AlignTop
            widths = widget.sizePolicy().horizontalPolicy()
            if widths is QSizePolicy.Policy.Fixed:
                alignment |= Qt.AlignmentFlag.AlignLeft
            elif not number and widths is not QSizePolicy.Policy.Maximum:
                bounded(theme, widget, widest)
            row.addWidget(widget, 0 if number else TAKES_ALL, alignment)
        row.addStretch(1)
        column.addLayout(row)


class TitledRow(QWidget):
    """Fields under their names side by side, which together are as wide as a single one."""

    def __init__(self, theme: Theme, *titled: Titled) -> None:
        super().__init__()
        bounded(theme, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s2)
        for one in titled:
            row.addWidget(one, 1, Qt.AlignmentFlag.AlignTop)


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its value; state is None for a plain fact."""

    label: str
    value: str
    state: StateKind | None = None
    is_mono: bool = False


def setting_name(texts: Texts, setting: str) -> str:
    """The words of a setting; one without words keeps its name."""
    text_id = f"set.value.{setting}"
    return texts(text_id) if texts.has(text_id) else setting


def given_facts(texts: Texts, settings: Sequence[str]) -> list[Fact]:
    """Name the settings that are given outside of the page; none for none."""
    names = ", ".join(setting_name(texts, one) for one in settings)
    return [Fact(texts("set.fact.given"), names)] if names else []


class FactRows(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._facts: tuple[Fact, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.metrics.s2)

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self._facts

    def show_facts(self, facts: Sequence[Fact]) -> None:
        new = tuple(facts)
        if new == self._facts:
            return
        self._facts = new
        clear_layout(self._column)
        for number, fact in enumerate(new):
            if number:
                self._column.addWidget(Divider(self._theme))
            self._column.addWidget(self._row(fact))

    def _row(self, fact: Fact) -> QWidget:
        theme, metrics = self._theme, self._theme.metrics
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.s3)
        top = Qt.AlignmentFlag.AlignTop
        if fact.state is not None:
            colours = STATES[fact.state]
            row.addWidget(Icon(theme, colours.icon, colour=colours.icon_ink), 0, top)
        label = Label(theme, fact.label, colour="ink" if fact.state else "ink_2", wrap=True)
        is_short = len(fact.value) < len(fact.label)  # the longer one has the larger share
        row.addWidget(label, 3 if is_short else 2, top)
        bad = fact.state is StateKind.FAILED
        value = Label(
            theme,
            fact.value,
            weight=Weight.SEMIBOLD,
            colour="danger" if bad else "ink",
            mono=fact.is_mono,
            wrap=True,
        )
        value.setAlignment(Qt.AlignmentFlag.AlignRight)
        row.addWidget(value, 2 if is_short else 3, top)
        return whole


class GivenPanel(Panel):
    """Names the settings of a page that are given outside of it; it is hidden without any."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts, self._rows, metrics = texts, FactRows(theme), theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.addWidget(self._rows)
        self.hide()

    def show_given(self, settings: Sequence[str]) -> None:
        self._rows.show_facts(given_facts(self._texts, settings))
        self.setVisible(bool(settings))


class SetupPage(SettingsPage):
    """A form in a scroll area; the buttons below save and discard its changes."""

    def __init__(
        self,
        model: SetupModel[Any],
        ui: UiContext,
        start: Start,
        form: SetupForm,
        *,
        name: str,
        above: Sequence[QWidget] = (),
        below: Sequence[QWidget] = (),
    ) -> None:
        """name: the page's name. above, below: panels that scroll with the form."""
        super().__init__()
        self._setup, self._words, self._run, self.form = model, ui.texts, start, form
        metrics = ui.theme.metrics
        self.acts = SaveBar(ui.theme, ui.texts)
        self.acts.save.clicked.connect(self._save)
        self.acts.drop.clicked.connect(model.drop)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        whole.setSpacing(metrics.s3)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        for panel in above:
            column.addWidget(panel)
        column.addWidget(form, 0 if below else 1)
        for panel in below:
            column.addWidget(panel)
        if below:
            column.addStretch(1)
        area = Scrolled(ui.theme, name=name)
        area.show_inside(inside)
        whole.addWidget(area, 1)
        whole.addWidget(self.acts)

    def refresh(self) -> None:
        self.form.refresh()

    def focus_first(self) -> None:
        self.form.focus_first()

    def press_main(self) -> None:
        if self._setup.can_save or self.acts.save.is_missing:
            self._save()

    def _save(self) -> None:
        focus: QWidget | None = self.focusWidget()
        if focus is not None and isinstance(field := whole_field(focus), Field):
            field.end_typing()
        if not self._setup.can_save or self._setup.is_refused:
            self.focus_missing()
        if self._setup.can_save:  # what was refused may have been put right elsewhere
            self._run(self._setup.save(), "save a page of the settings")

    def order(self) -> str:
        """Return what to do before the changes can be saved; "" for nothing."""
        if not self._setup.is_refused:
            return ""
        text_id = f"set.order.fault.{self._setup.fault}"
        return self._words(text_id if self._words.has(text_id) else "set.order.mend")

    def focus_missing(self) -> None:
        """Put the focus where the order is followed."""
        self.form.focus_missing()

    def show_model(self) -> None:
        self.form.show_model()
        model = self._setup
        self.acts.drop.setVisible(model.setup is not None and model.has_changes)
        order = self.order() if model.has_changes and not model.running else ""
        allow_if(self.acts.save, model.can_save or bool(order), self._words("set.nothing_to_save"))
        self.acts.save.show_act(order=order)
        self.acts.tell(*self.standing())

    def standing(self) -> tuple[StateKind | None, str]:
        """Return the state of the typed values, and its words, for the bar of acts."""
        model, texts = self._setup, self._words
        if model.running and model.failure is None:
            return StateKind.WAIT, texts(f"set.running.{model.running}")
        if model.failure is not None:  # what runs then was begun by the page itself
            return StateKind.FAILED, texts.error(model.failure).happened
        if words := self.fault_words():
            return StateKind.FAILED, words
        if model.saved_at is not None:
            time = clock_text(model.saved_at)
            return StateKind.DONE, texts("set.saved", time=time)
        if not model.has_server:
            return StateKind.MARK, texts("set.pfr.no_server")
        if model.setup is not None and model.has_changes:
            return StateKind.DECIDE, texts("set.unsaved")
        return None, ""

    def fault_words(self) -> str:
        """Return why the values can't be saved, if the form does not show the reason itself."""
        return ""


class CopyButton(Button):
    """A button that copies a value to the clipboard, and then says that it did."""

    def __init__(self, theme: Theme, texts: Texts, words: str) -> None:
        super().__init__(theme, words, icon="copy")
        self._texts, self._usual, self._value = texts, words, ""
        self.clicked.connect(self._copy)

    def set_value(self, value: str, reason: str) -> None:
        """reason: why there is nothing to copy."""
        if value != self._value:
            self._value = value
            self.set_words(self._usual)
        allow_if(self, bool(value), reason)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._value)
        self.set_words(self._texts("set.plat.copied"))
