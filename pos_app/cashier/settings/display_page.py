"""The page of the customer display: its monitor, the shop's pictures, its look.

Sources: look.md (Screens, 8), till.md (Customer display).
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from pos_app.cashier.services import display_setup
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.display_model import DisplayModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown, Option, Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.state import StateKind


class DisplayPage(parts.SetupPage):
    def __init__(self, model: DisplayModel, ui: UiContext, start: parts.Start) -> None:
        name = ui.texts("set.page.display")
        super().__init__(model, ui, start, DisplayForm(model, ui), name=name)
        self._model, self._texts = model, ui.texts
        self.show_model()

    def fault_words(self) -> str:
        fault = self._model.fault
        return self._texts(f"set.display.fault.{fault}") if fault else ""


class DisplayForm(parts.SetupForm):
    def __init__(self, model: DisplayModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._ui, self._texts = model, ui, ui.texts
        texts, theme = ui.texts, ui.theme
        self.monitor = DropDown(theme, name=texts("set.display.monitor"))
        self.try_button = Button(theme, texts("set.display.try"), icon="monitor")
        self.pictures = Field(
            theme, name=texts("set.display.folder"), takes=InputKind.ADDRESS, mono=True
        )
        self.choose = Button(theme, texts("set.display.choose"), icon="folder")
        looks = [texts(f"set.display.theme.{one}") for one in display_setup.THEMES]
        self.look = Segment(theme, looks, name=texts("set.display.theme"))
        self._facts = parts.FactRows(theme)
        self._given = parts.GivenPanel(theme, texts)
        self._lay_out()
        self.monitor.chosen.connect(lambda name: model.change(replace(model.draft, monitor=name)))
        self.try_button.clicked.connect(model.try_out)
        self.pictures.changed.connect(self._type)
        self.choose.clicked.connect(self._choose_folder)
        self.look.chosen.connect(
            lambda number: model.change(replace(model.draft, theme=display_setup.THEMES[number]))
        )
        self.show_model()

    def _lay_out(self) -> None:
        texts, theme = self._texts, self._ui.theme
        where = parts.HeadedPanel(theme, texts("set.display.monitor"))
        words = Label(theme, texts("set.display.monitor_words"), colour="ink_2", wrap=True)
        where.column.addWidget(words)
        where.column.addWidget(bounded(theme, self.monitor))
        where.column.addWidget(self.try_button, 0, Qt.AlignmentFlag.AlignLeft)
        where.column.addWidget(self._facts)
        what = parts.HeadedPanel(theme, texts("set.display.pictures"))
        words = Label(theme, texts("set.display.pictures_words"), colour="ink_2", wrap=True)
        what.column.addWidget(words)
        what.column.addWidget(
            parts.Titled(theme, texts("set.display.folder"), self.pictures, self.choose)
        )
        look = parts.HeadedPanel(theme, texts("set.display.theme"))
        look.column.addWidget(self.look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        for part in (where, what, look, self._given):
            column.addWidget(part)
        column.addStretch(1)

    def refresh(self) -> None:
        """Show the monitors anew: one may have been connected or removed."""
        self.show_model()

    def focus_first(self) -> None:
        self.monitor.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        self._show_monitors()
        parts.allow_if(self.try_button, model.can_try, texts("set.display.try_none"))
        parts.show_in(self.pictures, model.draft.pictures)
        self.pictures.set_error(texts("set.display.fault.folder") if model.fault else "")
        self.look.set_current(display_setup.THEMES.index(model.draft.theme))
        given = texts("set.fact.given")
        for setting, part in (
            (display_setup.MONITOR, self.monitor),
            (display_setup.PICTURES, self.choose),
        ):
            if model.is_given(setting):
                part.refuse(given)
        self.pictures.setEnabled(not model.is_given(display_setup.PICTURES))
        self.look.setEnabled(not model.is_given(display_setup.THEME))
        names = model.setup.given_elsewhere if model.setup is not None else ()
        self._given.show_given(names)
        self._facts.show_facts(self._facts_now())

    def _show_monitors(self) -> None:
        model, texts = self._model, self._texts
        options = [Option("", texts("set.display.off"))]
        may = (one for one in model.monitors if not one.is_tills or one.name == model.draft.monitor)
        options += [Option(one.name, _words(one, texts)) for one in may]
        if model.is_away:
            name = model.draft.monitor
            options.append(Option(name, texts("set.display.away", name=name)))
        self.monitor.set_options(options)
        self.monitor.set_current(model.draft.monitor)

    def _facts_now(self) -> list[parts.Fact]:
        model, texts = self._model, self._texts
        label = texts("set.fact.state")
        if model.is_tried:
            return [parts.Fact(label, texts("set.display.tried"), StateKind.DONE)]
        if not model.draft.monitor and all(one.is_tills for one in model.monitors):
            return [parts.Fact(label, texts("set.display.alone"), StateKind.MARK)]
        return []

    # --- typed -----------------------------------------------------------------------------------

    def _type(self, text: str) -> None:
        if text != self._model.draft.pictures:
            self._model.change(replace(self._model.draft, pictures=text))

    def _choose_folder(self) -> None:
        chooser = file_chooser(self, self._texts, "set.display.folder", folder=True)
        chooser.fileSelected.connect(self._type)
        chooser.open()


def _words(monitor: display_setup.Monitor, texts: Texts) -> str:
    if monitor.is_tills:
        return texts("set.display.till", name=monitor.name)
    size = {"width": str(monitor.width), "height": str(monitor.height)}
    return texts("set.display.one", name=monitor.name, **size)
