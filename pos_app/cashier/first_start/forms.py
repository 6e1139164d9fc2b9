"""The steps of the first start that have no form in the settings: the first PIN, articles, and a
new store."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.files_view import ImportPage
from pos_app.cashier.first_start.model import (
    ArticlesModel,
    ArticleWay,
    PinEntry,
    PinModel,
    ShopField,
    ShopModel,
)
from pos_app.cashier.gate.who_and_pin import PinField
from pos_app.cashier.services.long_work import FilePoll, time_left
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.platform_form import PlatformForm
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.file_chooser import SHEETS, file_chooser
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.errors import Invalid
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.sheet.row_plan import SheetAnswers
from pos_app.selling.file_work import FileDone, FileWork
from pos_app.selling.people.people import MOST_DIGITS

_WAYS = tuple(ArticleWay)
_LANGUAGES = tuple(ReceiptLanguage)
_ROWS = (
    (ShopField.NAME,),
    (ShopField.ADDRESS,),
    (ShopField.CITY, ShopField.ZIP),
    (ShopField.PHONE,),
)
_BEGIN, _PLAN, _PLATFORM = range(3)


class ArticlesForm(parts.SetupForm):
    """Articles from a file, which is chosen, previewed and imported, or from a platform by its
    address and key."""

    def __init__(self, model: ArticlesModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__()
        self._model, self._ui, self._texts = model, ui, ui.texts
        texts, theme = ui.texts, ui.theme
        self.way = Segment(
            theme, [texts(f"first.way.{one}") for one in _WAYS], name=texts("first.way")
        )
        self.choose = Button(theme, texts("first.choose_file"), icon="folder")
        self.facts = parts.FactRows(theme)
        self._file_words = Label(theme, colour="ink_2", wrap=True)
        self.platform = PlatformForm(model.platform, ui, start, is_first=True)
        self.preview: ImportPage | None = None
        self._poll: FilePoll | None = None
        self._answered_column: int | None = None
        self._preview_at = QVBoxLayout()
        self._pages = QStackedLayout()
        self._lay_out()
        self.way.chosen.connect(lambda number: model.choose(_WAYS[number]))
        self.choose.clicked.connect(self._choose_file)
        if model.work is not None:  # it began before the form was made anew
            self._watch(model.work)
        self.show_model()

    def _lay_out(self) -> None:
        texts, theme = self._texts, self._ui.theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        column.addWidget(self.way, 0, Qt.AlignmentFlag.AlignLeft)
        panel = parts.HeadedPanel(theme, texts("first.file"))
        panel.column.addWidget(self._file_words)
        panel.column.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignLeft)
        panel.column.addWidget(self.facts)
        begin, plan = QWidget(), QWidget()
        above = QVBoxLayout(begin)
        above.setContentsMargins(0, 0, 0, 0)
        above.addWidget(panel)
        above.addStretch(1)
        plan.setLayout(self._preview_at)
        self._preview_at.setContentsMargins(0, 0, 0, 0)
        for slot in (begin, plan, self.platform):
            self._pages.addWidget(slot)
        whole = QWidget()
        whole.setLayout(self._pages)
        column.addWidget(whole, 1)

    def refresh(self) -> None:
        if self._model.way is ArticleWay.PLATFORM:
            self.platform.refresh()

    def focus_first(self) -> None:
        if self.preview is not None:
            self.preview.focus_first()
        elif self._model.way is ArticleWay.PLATFORM:
            self.platform.focus_first()
        else:
            self.choose.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- the file --------------------------------------------------------------------------------

    def _choose_file(self) -> None:
        chooser = file_chooser(self, self._texts, "first.choose_file")
        chooser.setNameFilter(SHEETS)
        chooser.fileSelected.connect(lambda name: self.read_sheet(Path(name)))
        chooser.open()

    def read_sheet(self, path: Path) -> None:
        """Show what a file would import; nothing is written."""
        self._read(path, None)

    def _read(self, path: Path, answers: SheetAnswers | None, column: int | None = None) -> None:
        model, self._answered_column = self._model, column
        model.path = path
        services = model.services
        work = services.catalogue_files.plan_import(
            path, label=model.label, rates=services.rates, answers=answers
        )
        self._follow(work, "read")

    def _bring_in(self) -> None:
        model = self._model
        if model.plan is not None:
            files, by = model.services.catalogue_files, model.services.cashier
            work = files.carry_out(model.plan, name=model.file, by=by)
            self._follow(work, "bring_in")

    def _follow(self, work: FileWork, running: str) -> None:
        model = self._model
        if model.running:
            work.stop()
            return
        self._watch(work)
        model.begin(work, running=running)

    def _watch(self, work: FileWork) -> None:
        self._poll = poll = FilePoll(work, self)
        poll.progressed.connect(lambda _: self._show_facts())
        poll.ended.connect(self._model.ended)

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model = self._model
        self.way.set_current(_WAYS.index(model.way))
        words = "first.file_words" if model.label is None else "first.file_words_out_of_vat"
        self._file_words.setText(self._texts(words))
        self._show_preview(model.plan)
        self.choose.setEnabled(not model.running)
        self._show_facts()
        asks = model.plan is not None and not model.running
        self.way.setVisible(not asks)
        index = _PLAN if asks else _BEGIN
        by_platform = model.way is ArticleWay.PLATFORM
        self._show_page(_PLATFORM if by_platform else index)
        if by_platform:
            self.platform.refresh()
            self.platform.show_model()

    def _show_page(self, index: int) -> None:
        """Give room only to the page that is shown."""
        policies = QSizePolicy.Policy
        for number in range(self._pages.count()):
            policy = policies.Preferred if number == index else policies.Ignored
            widget = self._pages.widget(number)
            if widget is not None:
                widget.setSizePolicy(policy, policy)
        self._pages.setCurrentIndex(index)

    def _show_preview(self, plan: ImportPlan | None) -> None:
        shown = self.preview
        if shown is not None and shown.plan is not plan:
            shown.hide()
            shown.deleteLater()
            self.preview = None
        if plan is not None and self.preview is None:
            self.preview = made = ImportPage(plan, self._model.file, self._texts, self._ui.theme)
            made.confirmed.connect(self._bring_in)
            made.went_back.connect(self._model.put_plan_away)
            made.answered.connect(
                lambda answers, column: self._read(self._model.path, answers, column)
            )
            made.refused.hide()  # the catalogue saves such rows; here the file is mended and read
            made.setContentsMargins(0, 0, 0, 0)  # the step has the edges of all steps
            self._preview_at.addWidget(made)
            made.focus_first(self._answered_column)

    def _show_facts(self) -> None:
        model, texts = self._model, self._texts
        facts = []
        if model.running:
            facts.append(parts.Fact(model.file, self._running(), StateKind.WAIT))
        elif model.failure is not None:
            words = texts.error(model.failure).in_one_text
            facts.append(parts.Fact(model.file, words, StateKind.FAILED))
        elif isinstance(model.done, FileDone):
            words = texts.count("cat.done.import", model.done.done)
            if model.left_out:
                words = f"{words} {texts.count('cat.import.left_out', model.left_out)}"
            state = StateKind.DECIDE if model.left_out else StateKind.DONE
            facts.append(parts.Fact(model.file, words, state))
        there = model.count
        words = texts.count("first.articles", there) if there else texts("first.no_articles")
        state = StateKind.DONE if there else StateKind.MARK
        facts.append(parts.Fact(texts("first.in_till"), words, state))
        self.facts.show_facts(facts)

    def _running(self) -> str:
        """The progress in words; nothing is counted before the first article is done."""
        model, texts = self._model, self._texts
        done = model.work.progress.done if model.work is not None else 0
        if not done:
            return texts(f"first.begins.{model.running}")
        words = texts.count(f"first.running.{model.running}", done)
        left = time_left(texts, self._poll.seconds_left if self._poll is not None else None)
        return ", ".join(part for part in (words, left) if part)


class PinForm(parts.SetupForm):
    """The manager's PIN, typed twice; once chosen, the form only says that there is one."""

    def __init__(self, model: PinModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._texts = model, ui.texts
        texts, theme = ui.texts, ui.theme
        names = {PinEntry.PIN: texts("cat.pin.new"), PinEntry.AGAIN: texts("cat.pin.again")}
        self.fields = {entry: self._field(theme, entry, name) for entry, name in names.items()}
        self.facts = parts.FactRows(theme)
        self._pin_fields = QWidget()
        self._faults: dict[PinEntry, Invalid] = {}
        rows = QVBoxLayout(self._pin_fields)
        rows.setContentsMargins(0, 0, 0, 0)
        for entry, name in names.items():
            rows.addWidget(parts.Titled(theme, name, self.fields[entry]))
        panel = parts.HeadedPanel(theme, texts("first.step.pin"), repeats=True)
        panel.column.addWidget(Label(theme, texts("first.pin_words"), colour="ink_2", wrap=True))
        panel.column.addWidget(self._pin_fields)
        panel.column.addWidget(self.facts)
        self.facts.show_facts(
            [parts.Fact(texts("set.fact.state"), texts("first.pin_chosen"), StateKind.DONE)]
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(panel)
        column.addStretch(1)
        self.show_model()

    def _field(self, theme: Theme, entry: PinEntry, name: str) -> Field:
        made = PinField(theme, name=name, longest=MOST_DIGITS, takes=InputKind.NUMBER)
        made.changed.connect(partial(self._type, entry))
        return made

    def _type(self, entry: PinEntry, text: str) -> None:
        if text != self._model.typed_texts[entry]:
            self._model.type(entry, text)

    def focus_first(self) -> None:
        """Focus the PIN; focus nothing if there is one, because Enter then goes on."""
        if not self._model.has_pin:
            self.fields[PinEntry.PIN].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_model(self) -> None:
        model = self._model
        self._pin_fields.setVisible(not model.has_pin)
        self.facts.setVisible(model.has_pin)
        for entry, field in self.fields.items():
            fault = model.faults.get(entry)
            parts.show_in(field, model.typed_texts[entry])
            field.set_error("" if fault is None else self._texts.error(fault).happened)
        if model.faults != self._faults:
            self._faults = dict(model.faults)
            for entry in self._faults:
                self.fields[entry].edit.setFocus(Qt.FocusReason.OtherFocusReason)


class ShopForm(parts.SetupForm):
    """The store's name, address and phone, and the language of its receipts."""

    def __init__(self, model: ShopModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._texts, self._theme = model, ui.texts, ui.theme
        texts, theme = ui.texts, ui.theme
        self.fields = {one: self._field(one) for one in ShopField}
        self.language = Segment(
            theme,
            [texts(f"set.store.language.{one}") for one in _LANGUAGES],
            name=texts("set.store.language"),
        )
        self.facts = parts.FactRows(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        panel = parts.HeadedPanel(theme, texts("first.step.store"), repeats=True)
        for entries in _ROWS:
            titled = (
                parts.Titled(theme, texts(f"set.store.{entry}"), self.fields[entry])
                for entry in entries
            )
            panel.column.addWidget(parts.TitledRow(theme, *titled))
        panel.column.addWidget(parts.Titled(theme, texts("set.store.language"), self.language))
        panel.column.addWidget(self.facts)
        column.addWidget(panel)
        column.addStretch(1)
        self.language.chosen.connect(lambda number: model.choose_language(_LANGUAGES[number]))
        self.show_model()

    def _field(self, entry: ShopField) -> Field:
        figures = entry in (ShopField.ZIP, ShopField.PHONE)
        made = Field(
            self._theme,
            name=self._texts(f"set.store.{entry}"),
            takes=InputKind.NUMBER if figures else InputKind.WORDS,
        )
        made.setObjectName(f"shop {entry}")
        made.changed.connect(partial(self._type, entry))
        return made

    def _type(self, entry: ShopField, text: str) -> None:
        if text != self._model.typed_texts[entry]:
            self._model.type(entry, text)

    def refresh(self) -> None:
        if self._model.is_platforms and self._model.store is None:
            self._model.read()
            self.show_model()

    def focus_first(self) -> None:
        self.fields[ShopField.NAME].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        for entry, field in self.fields.items():
            parts.show_in(field, model.typed_texts[entry])
            field.setEnabled(not model.is_platforms)
        self.language.setEnabled(not model.is_platforms)
        self.language.set_current(_LANGUAGES.index(model.language))
        if model.is_platforms:
            came = model.store is not None
            words = texts("first.store.of_platform" if came else "first.store.comes")
            state = StateKind.DONE if came else StateKind.WAIT
            self.facts.show_facts([parts.Fact(texts("set.page.platform"), words, state)])
