"""The page of the scanner: how it types, its port, and the trial of a scan with its result.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.settings import parts
from pos_app.cashier.settings.scanner_model import ScannerTrialModel, TriedCode
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage, ValuesModel, choices_of
from pos_app.cashier.settings.values_page import ValuesPage
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.state import StateKind
from pos_app.domain.article.scale_labels import ScaleLayout
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.selling.catalogue.label_trial import LabelReading

_SHOWN = 80
"""The most characters of a code that are shown. The QR code of a receipt has hundreds."""


class ScannerPage(ValuesPage):
    def __init__(
        self, values: ValuesModel, trial: ScannerTrialModel, ui: UiContext, start: parts.Start
    ) -> None:
        self.trial = ScanHere(trial, ui, start)
        page = ValuePage.SCANNER
        super().__init__(values, ui, start, VALUE_PAGES[page], page=page, above=(self.trial,))

    def refresh(self) -> None:
        super().refresh()
        self.trial.refresh()

    def focus_first(self) -> None:
        self.trial.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_model(self) -> None:
        super().show_model()
        self.trial.show_model()


class ScanHere(parts.HeadedPanel):
    """The trial of a scan. While it runs and the focus is in this panel, scans are shown and not
    sold."""

    def __init__(self, model: ScannerTrialModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__(ui.theme, ui.texts("set.scan.title"))
        self._model, self._texts, self._start = model, ui.texts, start
        texts, theme = ui.texts, ui.theme
        self._words = Label(theme, colour="ink_2", wrap=True)
        self.button = Button(theme, texts("set.scan.start"), icon="scan-barcode")
        self.facts = parts.FactRows(theme)
        self.save_button = Button(theme, texts("set.scan.take_over"), icon="check")
        self.labels = ScaleLabels(ui, after=self.save_button)
        self.port = parts.FactRows(theme)
        left = Qt.AlignmentFlag.AlignLeft
        self.column.addWidget(self._words)
        self.column.addWidget(self.button, 0, left)
        self.column.addWidget(self.facts)
        self.column.addWidget(self.save_button, 0, left)
        self.column.addWidget(self.labels)
        self.column.addWidget(self.port)
        self.button.clicked.connect(lambda _=False: self._press())
        self.save_button.clicked.connect(lambda _=False: self._save_suggestion())
        self.labels.chosen.connect(self._save_layout)
        self.show_model()

    def _press(self) -> None:
        if self._model.is_on:
            self._model.end()
        else:
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)
            self._model.start(self._is_chosen)

    def _save_suggestion(self) -> None:
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._start(self._model.save_suggestion(), "take over what a scan suggests")

    def _save_layout(self, layout: ScaleLayout) -> None:
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._start(self._model.save_layout(layout), "keep how a scale prints")

    def _is_chosen(self) -> bool:
        focus: QWidget | None = self.window().focusWidget()
        return self.isVisible() and focus is not None and self.isAncestorOf(focus)

    def refresh(self) -> None:
        """End the trial if the focus has left the panel; from then on scans are sold again."""
        if self._model.is_on and not self._is_chosen():
            self._model.end()
        self.show_model()

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        self._words.setText(texts("set.scan.on" if model.is_on else "set.scan.words"))
        self.button.set_words(texts("set.scan.end" if model.is_on else "set.scan.start"))
        parts.allow_if(self.button, model.can_try, texts("set.scan.none"))
        tried = model.tried
        self.facts.show_facts(self._facts_now(tried) if tried is not None else ())
        self.save_button.setVisible(tried is not None and bool(tried.suggested))
        readings = tried.readings if tried is not None else ()
        self.labels.show_readings(readings, model.is_present)
        fault = model.port_fault
        self.port.show_facts(
            [
                parts.Fact(
                    texts("set.group.scanner.port"),
                    texts(f"set.scan.port.{fault}"),
                    StateKind.FAILED,
                )
            ]
            if fault
            else ()
        )

    def _facts_now(self, tried: TriedCode) -> list[parts.Fact]:
        texts, scan = self._texts, tried.scan
        code = tried.code if len(tried.code) <= _SHOWN else f"{tried.code[:_SHOWN]}…"
        meaning = texts(f"set.scan.is.{tried.meaning}", **tried.values)
        facts = [
            parts.Fact(
                texts("set.scan.code"), code or texts("set.scan.hidden"), is_mono=bool(code)
            ),
            parts.Fact(texts("set.scan.meaning"), meaning),
        ]
        if not scan.by_machine:
            facts.append(
                parts.Fact(texts("set.scan.pause"), texts("set.scan.by_hand"), StateKind.MARK)
            )
            return facts
        if scan.largest_gap_ms is None:
            facts.append(parts.Fact(texts("set.scan.pause"), texts("set.scan.by_port")))
        else:
            pause = texts("set.scan.ms", many=texts.number(scan.largest_gap_ms))
            ending = texts(f"set.value.scanner.suffix.{scan.ended_by}")
            facts += [
                parts.Fact(texts("set.scan.pause"), pause),
                parts.Fact(texts("set.scan.end_key"), ending),
            ]
        if tried.names_message:
            facts.append(
                parts.Fact(texts("set.scan.kind"), texts("set.scan.message_words"), StateKind.DONE)
            )
        elif tried.names_its_kind:
            facts.append(
                parts.Fact(texts("set.scan.kind"), texts("set.scan.kind_words"), StateKind.DECIDE)
            )
        if tried.suggested:
            facts += [self._suggestion(name, typed) for name, typed in tried.suggested.items()]
        else:
            facts.append(
                parts.Fact(texts("set.scan.fits"), texts("set.scan.fits_words"), StateKind.DONE)
            )
        return facts

    def _suggestion(self, setting: str, typed_text: str) -> parts.Fact:
        texts = self._texts
        value = texts(f"set.value.{setting}.{typed_text}") if choices_of(setting) else typed_text
        text = texts("set.scan.better", value=value or texts("set.scan.empty"))
        return parts.Fact(parts.setting_name(texts, setting), text, StateKind.DECIDE)


class ScaleLabels(QWidget):
    """What the label of a scale would sell by each layout: the key of the right one keeps it.
    after: the control before the keys, from which Tab leads to them. Signal:
    `chosen(ScaleLayout)`."""

    chosen = Signal(object)

    def __init__(self, ui: UiContext, *, after: QWidget) -> None:
        super().__init__()
        self._theme, self._texts, self._after = ui.theme, ui.texts, after
        self._readings: Sequence[LabelReading] = ()
        self.keys: list[Button] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(QMargins())
        self._column.setSpacing(ui.theme.metrics.s2)
        self._column.addWidget(Label(ui.theme, ui.texts("set.scan.label"), wrap=True))
        self.hide()

    def show_readings(
        self, readings: Sequence[LabelReading], is_present: Callable[[LabelReading], bool]
    ) -> None:
        """Show a key for each reading; that of the present layout is ticked."""
        if readings != self._readings:
            self._readings = readings
            for key in self.keys:
                key.hide()
                key.deleteLater()
            self.keys = [self._key_of(one) for one in readings]
            for key in self.keys:
                self._column.addWidget(key, 0, Qt.AlignmentFlag.AlignLeft)
            for before, after in pairwise((self._after, *self.keys)):
                QWidget.setTabOrder(before, after)
        for key, reading in zip(self.keys, readings, strict=True):
            key.set_icon("check" if is_present(reading) else "scale")
        self.setVisible(bool(readings))

    def _key_of(self, reading: LabelReading) -> Button:
        pack = reading.pack
        if pack.total is not None:
            says = self._texts("set.scan.label_total", total=amount_text(pack.total))
        else:
            says = f"{quantity_text(pack.quantity)} {pack.article.unit}".rstrip()
        key = Button(self._theme, f"{pack.article.name} · {says}", icon="scale")
        key.clicked.connect(lambda _=False: self.chosen.emit(reading.layout))
        return key
