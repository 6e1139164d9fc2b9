"""The page of the shop's printers, and its form.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.settings import parts, printer_model
from pos_app.cashier.settings.parts import SetupPage, Start
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.state import StateKind
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterTrial, PrinterUse

EXAMPLES = {
    PrinterKind.NETWORK: "192.168.1.50",
    PrinterKind.USB: "/dev/usb/lp0",
    PrinterKind.SERIAL: "COM3",
}
"""Placeholders, the same in every language."""
_ON_LINUX = {PrinterKind.SERIAL: "/dev/ttyUSB0"}


class PrinterForm(parts.SetupForm):
    """The receipt printer and the A4 printer: their kind, their answer, a trial page."""

    def __init__(
        self,
        model: printer_model.PrinterModel,
        ui: UiContext,
        start: parts.Start,
        *,
        saves: bool = False,
    ) -> None:
        """saves: a press for a trial page first saves the typed values, because no other button
        does."""
        super().__init__()
        self._model, self._start, self._texts = model, start, ui.texts
        texts, theme = ui.texts, ui.theme
        self.cards = {
            kind: choices.RadioCard(
                theme, texts(f"set.prn.title.{kind}"), texts(f"set.prn.about.{kind}")
            )
            for kind in PrinterKind
        }
        self.receipt = ReceiptPrinterPanel(model, ui, start, saves=saves)
        self.a4 = PrinterPanel(model, ui, start, PrinterUse.A4, saves=saves)
        self.a4.lay_out_end()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        for kind, card in self.cards.items():
            card.clicked.connect(lambda _=False, kind=kind: model.choose_kind(kind))
        self._row = parts.Cards(theme, tuple(self.cards.values()))
        column.addWidget(self._row)
        column.addWidget(parts.Sides(theme, self.receipt, self.a4), 1)
        self.show_model()

    def refresh(self) -> None:
        model = self._model
        if model.running:
            return
        if model.is_outdated:
            self._start(model.load(), "ask how the printers are set up")
        elif model.found_printers is None and not model.is_looking:
            self._start(model.look_for(by_itself=True), "look for printers")

    def focus_first(self) -> None:
        self.cards[PrinterKind(self._model.draft.kind)].setFocus(Qt.FocusReason.OtherFocusReason)

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        for kind, card in self.cards.items():
            card.setChecked(kind == model.draft.kind)
            if model.setup is not None:
                card.allow()
                card.setAccessibleDescription(texts(f"set.prn.about.{kind}"))
            else:
                card.refuse(texts("set.pfr.unknown"))
        self._row.show_only([self.cards[kind] for kind in model.kinds])
        self.receipt.show_model()
        self.a4.show_model()


class PrinterPanel(parts.HeadedPanel):
    def __init__(
        self,
        model: printer_model.PrinterModel,
        ui: UiContext,
        start: parts.Start,
        use: PrinterUse,
        *,
        saves: bool,
    ) -> None:
        super().__init__(ui.theme, ui.texts(f"set.prn.{use}"))
        self._saves = saves
        self.setObjectName(f"printer {use}")
        self._model, self._start, self._texts, self._use = model, start, ui.texts, use
        texts, theme = ui.texts, ui.theme
        self.try_button = Button(
            theme, texts("set.pfr.try"), icon="refresh-cw", name=texts(f"set.prn.try.{use}")
        )
        self.found_printers = choices.DropDown(theme, name=texts("set.prn.found"))
        self.look = Button(theme, icon="search", name=texts("set.prn.look"))
        self.address = Field(
            theme, name=texts(f"set.prn.address.{use}"), takes=InputKind.ADDRESS, mono=True
        )
        self.address.setObjectName(f"printer address {use}")
        self.page_button = Button(
            theme, texts("set.prn.page"), icon="printer", name=texts(f"set.prn.page.{use}")
        )
        self.facts = parts.FactRows(theme)
        self._none = Label(theme, texts(f"set.prn.none.{use}"), colour="ink_2", wrap=True)
        self.head.addWidget(self.try_button)
        self.column.addWidget(self._none)
        self._found_row = parts.Titled(
            theme, texts("set.prn.found"), self.found_printers, self.look
        )
        self._found_none = Label(
            theme,
            texts(f"set.prn.found_none.{use}"),
            step=TypeStep.SMALL,
            colour="ink_2",
            wrap=True,
        )
        self._address_row = parts.Titled(theme, texts(f"set.prn.address.{use}"), self.address)
        self.column.addWidget(self._found_row)
        self.column.addWidget(self._found_none)
        self.column.addWidget(self._address_row)
        self.found_printers.chosen.connect(lambda address: model.type(use, address))
        self.look.clicked.connect(lambda: start(model.look_for(), "look for printers"))
        self.address.changed.connect(self._type)
        self.try_button.clicked.connect(lambda: start(model.try_out(use), "try a printer"))
        self.page_button.clicked.connect(self._print_page)

    def lay_out_end(self) -> None:
        self.column.addWidget(self.page_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.facts)
        self.column.addStretch(1)

    def _print_page(self) -> None:
        model, use = self._model, self._use
        act = model.save_and_print(use) if self._saves else model.print_page(use)
        self._start(act, "print a trial page")

    def _type(self, text: str) -> None:
        if text != self._model.address(self._use):
            self._model.type(self._use, text)

    # --- what is shown ---------------------------------------------------------------------------

    @property
    def has_printer(self) -> bool:
        return bool(self._model.draft.a4_queue.strip())

    @property
    def shows_fields(self) -> bool:
        return True

    @property
    def _can_print(self) -> bool:
        model = self._model
        if model.setup is None or not self._saves:
            return model.setup is not None and not model.has_changes
        return model.can_save or not model.has_changes

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        shown, known = self.shows_fields, model.setup is not None
        parts.show_in(self.address, model.address(self._use))
        self._none.setVisible(not self.has_printer)
        self._address_row.setVisible(shown)
        self._show_found(shown)
        self.try_button.setVisible(self.has_printer)
        self.try_button.setEnabled(known)
        self.page_button.setVisible(self.has_printer)
        parts.allow_if(self.page_button, self._can_print, texts("set.prn.save_first"))
        self.facts.show_facts(self._facts())

    def _show_found(self, visible: bool) -> None:
        model = self._model
        found = model.found_for(self._use)
        is_offered = visible and model.draft_can_be_found(self._use)
        self._found_row.setVisible(is_offered)
        self._found_none.setVisible(is_offered and model.found_printers is not None and not found)
        self.found_printers.set_options([choices.Option(one.address, one.name) for one in found])
        self.found_printers.set_current(model.address(self._use))
        if model.is_looking:
            words, why = "set.running.find", "set.running.find"
        elif model.found_printers is None:
            words, why = "set.prn.not_looked", "set.prn.not_looked"
        else:
            words, why = "set.prn.found_none", f"set.prn.found_none.{self._use}"
        self.found_printers.set_placeholder(self._texts("set.prn.choose" if found else words))
        parts.allow_if(self.found_printers, bool(found), self._texts(why))

    def _facts(self) -> list[parts.Fact]:
        model, texts, use = self._model, self._texts, self._use
        made: list[parts.Fact] = []
        if model.is_unused(use):
            way = texts("set.store.a4" if use is PrinterUse.A4 else "set.store.thermal")
            words = texts("set.prn.unused", way=way, store=texts("set.page.store"))
            made.append(parts.Fact(texts("set.store.receipts"), words, StateKind.DECIDE))
        if (trial := model.trials.get(use)) is not None:
            made.append(_trial_fact(trial, texts, can_print=self._can_print))
            if trial.paper_low:
                words = texts("set.prn.paper_low")
                made.append(parts.Fact(texts("set.prn.paper"), words, StateKind.DECIDE))
        if (page := model.pages.get(use)) is not None:
            made.append(_page_fact(page, texts))
        elif model.running == "page" and model.acts_on is use:
            words = texts("set.prn.page.running")
            made.append(parts.Fact(texts("set.prn.page"), words, StateKind.WAIT))
        made.extend(parts.given_facts(texts, _given(model, use)))
        return made


class ReceiptPrinterPanel(PrinterPanel):
    def __init__(
        self, model: printer_model.PrinterModel, ui: UiContext, start: parts.Start, *, saves: bool
    ) -> None:
        super().__init__(model, ui, start, PrinterUse.RECEIPT, saves=saves)
        texts, theme = ui.texts, ui.theme
        self.baud = choices.DropDown(theme, name=texts("set.prn.baud"))
        self.flow = self._segment(ui, "flow", printer_model.FLOWS)
        self.roll_width = self._segment(ui, "width_mm", printer_model.WIDTHS)
        self.cut = self._segment(ui, "cut", printer_model.CUTS)
        self.drawer = self._segment(ui, "drawer", printer_model.DRAWERS)
        self.baud.chosen.connect(lambda words: model.set(baud=int(words)))
        self._line = QWidget()
        line = QVBoxLayout(self._line)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.metrics.s2)
        line.addWidget(parts.Titled(theme, texts("set.prn.baud"), self.baud))
        line.addWidget(parts.Titled(theme, texts("set.prn.flow"), self.flow))
        self.column.addWidget(self._line)
        self._roll = [
            parts.Titled(theme, texts(f"set.prn.{name}"), segment)
            for name, segment in (
                ("width_mm", self.roll_width),
                ("cut", self.cut),
                ("drawer", self.drawer),
            )
        ]
        for row in self._roll:
            self.column.addWidget(row)
        self.lay_out_end()

    def _segment(
        self, ui: UiContext, name: str, values: tuple[int, ...] | tuple[str, ...]
    ) -> choices.Segment:
        words = [ui.texts(f"set.prn.{name}.{value}") for value in values]
        made = choices.Segment(ui.theme, words, name=ui.texts(f"set.prn.{name}"))
        model = self._model
        made.chosen.connect(lambda number: model.set(**{name: values[number]}))
        return made

    @property
    def has_printer(self) -> bool:
        return self._model.draft.kind != PrinterKind.NONE

    @property
    def shows_fields(self) -> bool:
        return self.has_printer

    def show_model(self) -> None:
        draft, texts = self._model.draft, self._texts
        super().show_model()
        kind = PrinterKind(draft.kind)
        example = EXAMPLES.get(kind, "")
        is_windows = PrinterKind.WINDOWS in self._model.kinds
        self.address.set_placeholder(example if is_windows else _ON_LINUX.get(kind, example))
        fault = self._model.fault
        words = texts(f"set.prn.fault.{fault}") if fault == "address" else ""
        self.address.set_error(words)
        self._line.setVisible(kind is PrinterKind.SERIAL)
        for row in self._roll:
            row.setVisible(self.has_printer)
        bauds = sorted({*printer_model.BAUDS, draft.baud})
        self.baud.set_options([choices.Option(str(one), str(one)) for one in bauds])
        self.baud.set_current(str(draft.baud))
        for segment, values, value in (
            (self.flow, printer_model.FLOWS, draft.flow),
            (self.roll_width, printer_model.WIDTHS, draft.width_mm),
            (self.cut, printer_model.CUTS, draft.cut),
            (self.drawer, printer_model.DRAWERS, draft.drawer),
        ):
            segment.set_current(values.index(value))


def _given(model: printer_model.PrinterModel, use: PrinterUse) -> list[str]:
    """Return the settings of one printer that the environment sets."""
    names = model.setup.given_elsewhere if model.setup is not None else ()
    return [name for name in names if name.startswith("a4.") is (use is PrinterUse.A4)]


def _trial_fact(trial: PrinterTrial, texts: Texts, *, can_print: bool) -> parts.Fact:
    label = texts("set.fact.state")
    if trial.fault:
        return parts.Fact(label, trouble_words(trial.fault, texts), StateKind.FAILED)
    if trial.tells:
        return parts.Fact(
            label, texts("set.prn.ready", n=texts.number(trial.elapsed_ms or 0)), StateKind.DONE
        )
    words = "set.prn.tells_nothing" if can_print else "set.prn.tells_nothing_unsaved"
    return parts.Fact(label, texts(words), StateKind.MARK)


def _page_fact(page: DeliveryJob, texts: Texts) -> parts.Fact:
    label = texts("set.prn.page")
    if page.state is JobState.DONE:
        return parts.Fact(label, texts("set.prn.page.done"), StateKind.DONE)
    why = trouble_words(page.trouble, texts) if page.trouble else ""
    if page.state is JobState.FAILED:
        return parts.Fact(label, texts("set.prn.page.failed", why=why), StateKind.FAILED)
    words = texts("set.prn.page.unproven", why=why) if why else texts("set.prn.page.long")
    return parts.Fact(label, words, StateKind.DECIDE)


def trouble_words(trouble: str, texts: Texts) -> str:
    """Return why a printer does not print; an unknown word of a newer server gets general words."""
    text_ids = f"set.prn.fault.{trouble}", f"att.trouble.{trouble}.paper", f"att.trouble.{trouble}"
    return texts(next((text_id for text_id in text_ids if texts.has(text_id)), "att.trouble.other"))


class PrinterPage(SetupPage):
    def __init__(self, model: PrinterModel, ui: UiContext, start: Start) -> None:
        form, name = PrinterForm(model, ui, start), ui.texts("set.page.printers")
        super().__init__(model, ui, start, form, name=name)
        self._model, self._texts, self._receipt = model, ui.texts, form.receipt
        self.show_model()

    def order(self) -> str:
        is_missing = self._model.address_is_missing
        return self._texts("set.order.address") if is_missing else super().order()

    def focus_missing(self) -> None:
        self._receipt.address.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def fault_words(self) -> str:
        fault, texts = self._model.fault, self._texts
        text_id = f"set.prn.fault.{fault}"
        if fault in ("", "address"):
            return ""
        return texts(text_id) if texts.has(text_id) else texts("set.prn.fault.settings")
