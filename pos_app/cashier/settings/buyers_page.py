"""The page of the buyers' book: the search and the firms, one of which is edited in their place;
sheets are written and read. Source: till.md (Settings)."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.services.long_work import FilePoll, WorkNotice
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.buyers_model import MOST_ROWS, BuyerBookModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.answers import Removal
from pos_app.cashier.ui.buttons import Button, SeenButton
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field, SearchField
from pos_app.cashier.ui.file_chooser import SHEETS, file_chooser, file_stem
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.cashier.ui.page_list import row_after
from pos_app.cashier.ui.panel import EmptyState, clear_layout
from pos_app.cashier.ui.save_bar import SaveBar
from pos_app.cashier.ui.scrolling import Scrolled, bring_into_sight
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import known_buyer_label
from pos_app.cashier.words.moments import date_text
from pos_app.domain.text.instant import day_of
from pos_app.selling.buyers.buyer_book import LONGEST_BUYER_NAME, KnownBuyer

_NAMED = 3
"""The firms of a read sheet that are named as examples."""


class BuyerRows(QWidget):
    """The firms that are found, as buttons that open them. Signal: `everything_wanted()`."""

    everything_wanted = Signal()

    def __init__(self, model: BuyerBookModel, texts: Texts, theme: Theme) -> None:
        super().__init__()
        self._model, self._texts, self._theme = model, texts, theme
        self._listed: tuple[tuple[KnownBuyer, ...], bool] | None = None
        self.rows: list[OptionButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.metrics.s2)

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        buyers, is_searched = tuple(model.rows()), bool(model.query.strip())
        if (buyers, is_searched) == self._listed:
            return
        self._listed = buyers, is_searched
        clear_layout(self._column)
        self.rows = [self._row(one) for one in buyers]
        for row in self.rows:
            self._column.addWidget(row)
        if not buyers:
            self._column.addWidget(self._nothing(is_searched), 1)
            return
        if len(buyers) == MOST_ROWS < model.count():
            more = texts("set.buyers.more", n=MOST_ROWS)
            self._column.addWidget(Label(self._theme, more, colour="ink_2", wrap=True))
        self._column.addStretch(1)

    def _nothing(self, is_searched: bool) -> EmptyState:
        texts, theme = self._texts, self._theme
        if not is_searched:
            title, words = texts("set.buyers.none"), texts("set.buyers.none_words")
            return EmptyState(theme, title=title, words=words, icon="building-2", colour="ink_2")
        key = Button(theme, texts("empty.show_all"), icon="list")
        key.clicked.connect(self.everything_wanted)
        title = texts("set.buyers.no_match")
        return EmptyState(theme, title=title, icon="search", colour="ink_2", button=key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = next((n for n, row in enumerate(self.rows) if row.hasFocus()), None)
        wanted = None if at is None else row_after(event.key(), at, len(self.rows))
        if wanted is None:
            super().keyPressEvent(event)
            return
        row = self.rows[wanted]
        row.setFocus(Qt.FocusReason.TabFocusReason)
        bring_into_sight(row)

    def _row(self, buyer: KnownBuyer) -> OptionButton:
        texts = self._texts
        label = [known_buyer_label(buyer, texts)]
        if buyer.last_at is not None:
            last = date_text(day_of(buyer.last_at))
            label.append(texts.count("set.buyers.receipts", buyer.receipts, last=last))
        name = buyer.name or buyer.id.value
        row = OptionButton(self._theme, " · ".join(label), name, icon="building-2")
        row.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row.clicked.connect(lambda: self._model.open(buyer))
        return row


class BuyerFields(parts.HeadedPanel):
    """The fields of one firm; the number of a firm that is there already stays. Signal:
    `field_typed()`, a field was changed by hand."""

    field_typed = Signal()

    def __init__(self, model: BuyerBookModel, texts: Texts, theme: Theme) -> None:
        super().__init__(theme, texts("set.buyers.new"))
        self._model, self._texts = model, texts
        self.number = Field(theme, name=texts("set.buyers.number"), takes=InputKind.NUMBER)
        self.name = Field(theme, name=texts("set.buyers.name"), takes=InputKind.WORDS)
        self.name.edit.setMaxLength(LONGEST_BUYER_NAME)
        self.email = Field(theme, name=texts("set.buyers.email"), takes=InputKind.ADDRESS)
        self.removal = Removal(
            theme, key_word=texts("set.buyers.remove"), safe_word=texts("set.buyers.keep")
        )
        self._fields = {"number": self.number, "name": self.name, "email": self.email}
        for name, field in self._fields.items():
            self.column.addWidget(parts.Titled(theme, texts(f"set.buyers.{name}"), field))
            field.changed.connect(lambda text, name=name: self._type(name, text))
        self.column.addStretch(1)
        self.column.addWidget(self.removal)
        self.removal.asked.connect(lambda: model.ask_removal(True))
        self.removal.kept.connect(lambda: model.ask_removal(False))
        self.removal.removed.connect(model.remove)

    def show_model(self) -> None:
        model, texts, edit = self._model, self._texts, self._model.edit
        if edit is None:
            return
        before = edit.before
        self.set_title(texts("set.buyers.new") if before is None else before.name or edit.number)
        self.number.setEnabled(before is None)
        for name, field in self._fields.items():
            parts.show_in(field, getattr(edit, name))
            fault = model.faults.get(name)
            words = "" if fault is None else texts.error(fault).happened
            is_odd = (
                fault is not None and fault.kind == "buyer_meanwhile"
            )  # the typed value may be right
            field.set_error(words, ink="warn" if is_odd else "danger")
        self.removal.setVisible(before is not None)
        self._show_removal()

    def focus_first(self) -> None:
        wrong = [field for name, field in self._fields.items() if name in self._model.faults]
        usual = self.number if self.number.isEnabled() else self.name
        field = next(iter(wrong), usual)
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_sight(field)

    def _type(self, name: str, text: str) -> None:
        self._model.type(**{name: text})
        self._fields[name].set_error("")
        self._show_removal()
        self.field_typed.emit()

    def _show_removal(self) -> None:
        texts, edit = self._texts, self._model.edit
        if edit is None or edit.before is None or not self._model.asks_removal:
            self.removal.end()
            return
        name = edit.before.name or edit.number
        self.removal.ask(
            texts("set.buyers.remove_sure", name=name),
            words=texts("set.buyers.remove_words"),
            act_words=(texts("set.buyers.remove_named", name=name),),
        )


class SheetPanel(parts.HeadedPanel):
    """A sheet that was read: how many firms it has, and which rows are refused, and why."""

    def __init__(self, model: BuyerBookModel, texts: Texts, theme: Theme) -> None:
        super().__init__(theme, texts("set.buyers.read"), repeats=True)
        self._model, self._texts = model, texts
        self._words = Label(theme, wrap=True)
        self._refused = parts.FactRows(theme)
        self.take = SeenButton(theme, texts("set.buyers.take"), key=ENTER)
        self.column.addWidget(self._words)
        self.column.addWidget(self._refused)
        self.column.addStretch(1)
        self.take.clicked.connect(model.take_sheet)

    def show_model(self) -> None:
        sheet, texts = self._model.sheet, self._texts
        if sheet is None:
            return
        words = [texts.count("set.buyers.has", len(sheet.buyers))]
        if renamed := self._model.renamed():
            named = "; ".join(f"{old} → {new}" for old, new in renamed[:_NAMED])
            words.append(texts.count("set.buyers.renamed", len(renamed), named=named))
        if odd := [one.id.value for one in sheet.buyers if one.id.warnings()]:
            named = ", ".join(odd[:_NAMED])
            words.append(texts.count("set.buyers.odd", len(odd), named=named))
        if sheet.refused_many:
            words.append(texts.count("set.buyers.refused", sheet.refused_many))
        self._words.setText(" ".join(words))
        parts.allow_if(self.take, bool(sheet.buyers), texts("set.buyers.take_none"))
        self._refused.show_facts(
            [
                parts.Fact(
                    texts("set.buyers.row", row=one.row, column=one.column),
                    texts.error(one.why).happened,
                    StateKind.FAILED,
                )
                for one in sheet.refused
            ]
        )

    def focus_first(self) -> None:
        self.take.setFocus(Qt.FocusReason.OtherFocusReason)

    def press_main(self) -> None:
        if self.take.isEnabled() and not self.take.rests:
            self._model.take_sheet()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.press_main()
            return
        super().keyPressEvent(event)


class BuyersPage(parts.SettingsPage):
    def __init__(self, model: BuyerBookModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__()
        self._model, self._ui, self._texts = model, ui, ui.texts
        texts, theme = ui.texts, ui.theme
        self.search = SearchField(
            theme,
            name=texts("set.buyers.search"),
            placeholder=texts("set.buyers.search"),
            clear_name=texts("search.clear"),
            key="",
            parent=self,
        )
        self.new = Button(theme, texts("set.buyers.new"), icon="plus")
        self.read = Button(theme, texts("set.buyers.import"), icon="upload")
        self.write = Button(theme, texts("set.buyers.export"), icon="file-spreadsheet")
        self.rows = BuyerRows(model, texts, theme)
        self.fields = BuyerFields(model, texts, theme)
        self.sheet = SheetPanel(model, texts, theme)
        self.acts = SaveBar(theme, texts)
        self.acts.add_yes(self.sheet.take)
        self._running = QVBoxLayout()
        self._shown_work: FilePoll | None = None
        self._top, self._steps = QWidget(), QStackedLayout()
        self._lay_out()
        self.search.changed.connect(model.search)
        self.rows.everything_wanted.connect(self._show_all)
        self.new.clicked.connect(lambda: model.open(None))
        self.read.clicked.connect(self._choose_sheet)
        self.write.clicked.connect(self._name_sheet)
        self.acts.save.clicked.connect(self.press_main)
        self.fields.field_typed.connect(self._show_acts)
        self.acts.drop.clicked.connect(model.drop_typed)
        self.show_model()

    def _lay_out(self) -> None:
        texts, theme, metrics = self._texts, self._ui.theme, self._ui.theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        whole.setSpacing(metrics.s3)
        top = QVBoxLayout(self._top)
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(metrics.s2)
        words = Label(
            theme, texts("set.buyers.words"), step=TypeStep.SMALL, colour="ink_2", wrap=True
        )
        top.addWidget(words)
        top.addWidget(self.search)
        buttons = QHBoxLayout()
        buttons.setSpacing(metrics.s2)
        for button in (self.new, self.read, self.write):
            button.let_fold()
            buttons.addWidget(button)
        buttons.addStretch(1)
        top.addLayout(buttons)
        whole.addWidget(self._top)
        whole.addLayout(self._running)
        steps = QWidget()
        steps.setLayout(self._steps)
        for part, name in (
            (self.rows, "set.page.buyers"),
            (self.fields, "set.buyers.new"),
            (self.sheet, "set.buyers.read"),
        ):
            area = Scrolled(theme, name=texts(name))
            area.show_inside(part)
            self._steps.addWidget(area)
        whole.addWidget(steps, 1)
        whole.addWidget(self.acts)

    def _show_all(self) -> None:
        self.search.set_text("")
        self.focus_first()

    # --- for the frame ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model = self._model
        step = 1 if model.edit is not None else 2 if model.sheet is not None else 0
        changed = step != self._steps.currentIndex()
        self._steps.setCurrentIndex(step)
        if self.search.text() != model.query:
            self.search.set_text(model.query)
        (self.rows, self.fields, self.sheet)[step].show_model()
        self._show_work()
        self._show_acts()
        if self.isVisible() and step and changed:
            self.focus_first()  # while the button that was pressed is there
        self._top.setVisible(not step)

    def focus_first(self) -> None:
        if self._model.edit is not None:
            self.fields.focus_first()
        elif self._model.sheet is not None:
            self.sheet.focus_first()
        else:
            self.search.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def press_main(self) -> None:
        model = self._model
        if not model.is_step and self.search.edit.hasFocus() and self.rows.rows:
            self.rows.rows[0].click()
        elif model.edit is not None and self.acts.save.isEnabled():
            model.save()
            if model.faults:
                self.fields.focus_first()
        elif model.sheet is not None:
            self.sheet.press_main()

    # --- parts -----------------------------------------------------------------------------------

    def _show_acts(self) -> None:
        model, texts = self._model, self._texts
        is_new = model.edit is not None and model.edit.before is None
        can_save = model.has_typed or is_new  # of a new firm it is told what is missing
        self.acts.save.setVisible(model.edit is not None)
        self.sheet.take.setVisible(model.edit is None and model.sheet is not None)
        self.acts.drop.setVisible(model.has_typed)
        parts.allow_if(self.acts.save, can_save, texts("set.nothing_to_save"))
        self.acts.save.show_act(order=self._order() if can_save else "")
        state, words = self._standing()
        self.acts.tell(state, words)
        self.acts.setVisible(model.is_step or bool(words))  # else its gap is below the list

    def _order(self) -> str:
        """Return what to do before the firm can be saved; "" for nothing."""
        lacking = self._model.lacks
        if lacking is None:
            return ""
        is_missing = lacking.kind == "buyer_missing"
        return self._texts("set.buyers.order" if is_missing else "set.order.mend")

    def _standing(self) -> tuple[StateKind | None, str]:
        model, texts = self._model, self._texts
        if model.failure is not None:
            notice = texts.error(model.failure)
            return StateKind.FAILED, " ".join(filter(None, (notice.happened, notice.press)))
        if model.done is not None:
            return StateKind.DONE, texts.count(model.done.text_id, model.done.many)
        if model.has_typed:
            return StateKind.DECIDE, texts("set.unsaved")
        return None, ""

    def _show_work(self) -> None:
        work = self._model.work
        for button in (self.read, self.write):
            parts.allow_if(button, work is None, self._texts("set.buyers.busy"))
        if work is self._shown_work:
            return
        clear_layout(self._running)
        self._shown_work = work
        if work is not None:
            words = self._texts("set.buyers.running")
            self._running.addWidget(WorkNotice(self._ui.theme, self._texts, work, words))

    def _choose_sheet(self) -> None:
        chooser = file_chooser(self, self._texts, "set.buyers.import")
        chooser.setNameFilter(SHEETS)
        chooser.fileSelected.connect(lambda name: self._model.read_sheet(Path(name)))
        chooser.open()

    def _name_sheet(self) -> None:
        chooser = file_chooser(self, self._texts, "set.buyers.export", saves=True)
        chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
        chooser.setDefaultSuffix("xlsx")
        chooser.filterSelected.connect(
            lambda name: chooser.setDefaultSuffix("csv" if "csv" in name else "xlsx")
        )
        chooser.selectFile(file_stem(self._texts("set.page.buyers")))
        chooser.fileSelected.connect(lambda name: self._model.write_sheet(Path(name)))
        chooser.open()
