"""The page of diagnostics: the self-test, the log, a bundle for support.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from pos_app.cashier.services.self_test import finding_words
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.diagnostics_model import DiagnosticsModel
from pos_app.cashier.settings.parts import CopyButton
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox, Option, WordChoice
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import TextArea
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import StateKind
from pos_app.selling.server.self_test import Finding, Verdict
from pos_app.selling.server.support import LogOf

_STATES: Mapping[Verdict, StateKind] = MappingProxyType(
    {
        Verdict.WELL: StateKind.DONE,
        Verdict.ODD: StateKind.DECIDE,
        Verdict.BAD: StateKind.FAILED,
        Verdict.AWAY: StateKind.WAIT,
        Verdict.UNKNOWN: StateKind.MARK,
    }
)


class DiagnosticsPage(parts.SettingsPage):
    _came_on = Signal(int, int)

    def __init__(self, model: DiagnosticsModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__()
        self._model, self._start = model, start
        self.test = TestPanel(model, ui, start)
        self.log = LogPanel(model, ui, start)
        self.bundle = BundlePanel(model, ui, start)
        metrics = ui.theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        for panel in (self.test, self.bundle, self.log):
            column.addWidget(panel)
        column.addStretch(1)
        area = Scrolled(ui.theme, name=ui.texts("set.page.diagnostics"))
        area.show_inside(inside)
        whole.addWidget(area)
        self._came_on.connect(model.note_progress, Qt.ConnectionType.QueuedConnection)
        model.on_progress = self._came_on.emit
        self.show_model()

    def refresh(self) -> None:
        """Test once when the page opens, and read the log whenever another one is chosen."""
        model = self._model
        if not model.findings:
            self._start(model.test(), "the self-test")
        if not model.is_read:
            self._start(model.read_log(), "read a log")

    def focus_first(self) -> None:
        self.test.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def press_main(self) -> None:
        self.bundle.press()

    def show_model(self) -> None:
        for panel in (self.test, self.log, self.bundle):
            panel.show_model()


class TestPanel(parts.HeadedPanel):
    def __init__(self, model: DiagnosticsModel, ui: UiContext, start: parts.Start) -> None:
        texts = ui.texts
        super().__init__(ui.theme, texts("shift.test"))
        self._model, self._texts = model, texts
        self.button = Button(ui.theme, texts("set.diag.again"), icon="refresh-cw")
        self.head.addWidget(self.button)
        self.facts = parts.FactRows(ui.theme)
        self.column.addWidget(self.facts)
        self.button.clicked.connect(lambda _=False: start(model.test(), "the self-test"))

    def show_model(self) -> None:
        self.facts.show_facts([_fact(one, self._texts) for one in self._model.findings])


class LogPanel(parts.HeadedPanel):
    def __init__(self, model: DiagnosticsModel, ui: UiContext, start: parts.Start) -> None:
        texts, theme = ui.texts, ui.theme
        super().__init__(theme, texts("set.diag.log"))
        self._model, self._texts, self._start = model, texts, start
        logs = [Option(one, texts(f"set.diag.log.{one}")) for one in LogOf]
        self.which = WordChoice(theme, logs, name=texts("set.diag.log"))
        self.warnings = CheckBox(theme, texts("set.diag.warnings"))
        self.lines = TextArea(theme.changed_to(keyboard_name=""), name=texts("set.diag.lines"))
        self.lines.setReadOnly(True)
        self.lines.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.lines.setFixedHeight(5 * theme.metrics.touch)
        self.copy = CopyButton(theme, texts, texts("set.diag.copy"))
        about = Label(theme, texts("set.diag.log_words"), colour="ink_2", wrap=True)
        for part in (about, self.which, self.warnings, self.lines):
            self.column.addWidget(part)
        self.column.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)
        self.which.chosen.connect(lambda word: self._choose(LogOf(word)))
        self.warnings.clicked.connect(lambda _=False: self._want())

    def _choose(self, log: LogOf) -> None:
        self._model.choose_log(log)
        self._start(self._model.read_log(), "read a log")

    def _want(self) -> None:
        self._model.want_warnings(self.warnings.isChecked())
        self._start(self._model.read_log(), "read a log")

    def show_model(self) -> None:
        model = self._model
        self.which.set_current(model.log)
        self.warnings.setChecked(model.warnings)
        text = "\n".join(model.lines)
        shown = text or self._texts("set.diag.no_lines")
        if self.lines.toPlainText() != shown:
            self.lines.setPlainText(shown)
            bar = self.lines.verticalScrollBar()
            bar.setValue(bar.maximum())
        self.copy.set_value(text, self._texts("set.diag.no_lines"))


class BundlePanel(parts.HeadedPanel):
    def __init__(self, model: DiagnosticsModel, ui: UiContext, start: parts.Start) -> None:
        texts, theme = ui.texts, ui.theme
        super().__init__(theme, texts("set.diag.bundle"))
        self._model, self._texts, self._start = model, texts, start
        words = Label(theme, texts("set.diag.bundle_words"), colour="ink_2", wrap=True)
        self.button = Button(theme, texts("set.diag.save"), icon="download", kind=ButtonKind.FILLED)
        self.facts = parts.FactRows(theme)
        self.column.addWidget(words)
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.facts)
        self.button.clicked.connect(lambda _=False: self.press())

    def press(self) -> None:
        if self._model.running or not self._model.has_support:
            return
        chooser = file_chooser(self, self._texts, "set.diag.folder", folder=True)
        chooser.fileSelected.connect(self._write)
        chooser.open()

    def _write(self, folder: str) -> None:
        parts = [
            f"{one.verdict}: {finding_words(one, self._texts)}" for one in self._model.findings
        ]
        self._start(self._model.write_bundle(Path(folder), parts), "write a bundle for support")

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        parts.allow_if(
            self.button, model.has_support and not model.running, texts("set.diag.running")
        )
        self.facts.show_facts(self._facts_now())

    def _facts_now(self) -> list[parts.Fact]:
        model, texts = self._model, self._texts
        label = texts("set.fact.state")
        if model.running:
            done, of = model.progress or (0, 0)
            words = texts.count("set.diag.parts", of, done=texts.number(done))
            return [parts.Fact(label, words if of else texts("set.diag.running"), StateKind.WAIT)]
        if model.failure is not None:
            return [parts.Fact(label, texts.error(model.failure).happened, StateKind.FAILED)]
        if model.bundle is not None:
            return [parts.Fact(texts("set.diag.saved"), str(model.bundle), StateKind.DONE)]
        return []


def _fact(finding: Finding, texts: Texts) -> parts.Fact:
    verdict = texts(f"set.diag.verdict.{finding.verdict}")
    return parts.Fact(finding_words(finding, texts), verdict, _STATES[finding.verdict])
