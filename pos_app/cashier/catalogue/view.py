"""The screen of the catalogue: search and filters, the table, the acts for ticked rows, the editor.

It is made when it is first opened, over the model that the window keeps: another theme or language
makes it anew, and nothing that was typed is lost. Sources: look.md (Screens, 6), till.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.bulk import BulkKind, BulkPanel
from pos_app.cashier.catalogue.editor import ProductEditor
from pos_app.cashier.catalogue.files_view import FilePoll, ImportPage
from pos_app.cashier.catalogue.model import CatalogueModel, Change
from pos_app.cashier.catalogue.table import (
    SORTED_BY,
    CatalogueRows,
    Column,
    ProductTable,
    TableHead,
)
from pos_app.cashier.catalogue.work import Work, WorkNotice
from pos_app.cashier.commands import ESCAPE, SAVE, KeyPage, TillCommand, cap_of, help_page
from pos_app.cashier.pin_gate import PinGate
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import ScreenHead, TopBar
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.choices import ChipRow, ChipSpec
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.idle import AfterPaint
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import Banners, NoticeKind, NoticePanel
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.panel import EmptyState, Ground, KeysGrid, Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.instant import in_belgrade
from pos_app.errors import PosError
from pos_app.selling.bulk_change import BulkChange
from pos_app.selling.catalogue import CatalogueRow, EditMark
from pos_app.selling.catalogue_files import FileDone, FileWork, ImportPlan
from pos_app.selling.catalogue_table import TableChoice, TableOrder
from pos_app.selling.product_draft import DraftField

ALL_CHIP = ""
_EDITS = "edits:"
"""Begins the key of a chip that shows products with such changes."""
EDITOR_PERMILLE = 360
"""The editor's share of the width (mock-06: 540 of 1920, more where there is less)."""
LEAST_EDITOR, LEAST_LINES = 9, 23
"""How wide the editor is at least: in touch sizes, and in lines of text where that is large."""
_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked before something is deleted."""

    product_ids: tuple[str, ...]
    name: str
    is_variant: bool = False
    """It is the variant that is edited."""


class CatalogueScreen(Ground):
    """Signals: `back_pressed()`; `changed()`, something was saved or deleted."""

    back_pressed = Signal()
    changed = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(ui.theme, colour="bg", parent=parent)
        self.model = model
        self._ui = ui
        self._texts = texts = ui.texts
        theme = ui.theme
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(texts("cat.title"))
        self.head = ScreenHead(theme, back=texts("cat.back"), key=ESCAPE, title=texts("cat.title"))
        self.bar = TopBar(theme, self.head)
        self.banners = Banners(theme, behind=texts("banner.behind"))
        asked, first = texts("cat.pin.asked_words"), texts("cat.pin.first_words")
        self.gate = PinGate(model, texts, theme, asked=asked, first=first)
        self.keys = _KeysPage(theme, texts)
        self.search = SearchField(
            theme, name=texts("cat.search"), placeholder=texts("cat.search_words"),
            clear_name=texts("search.clear"), key=cap_of(TillCommand.SEARCH),
        )  # fmt: skip
        self.import_key = Button(theme, texts("cat.import"), icon="upload")
        self.export_key = Button(theme, texts("cat.export"), icon="download")
        self.add_key = Button(theme, texts("cat.add"), icon="plus")
        self.chips = ChipRow(theme, more=lambda n: texts("picker.more", n=n))
        self.rows = CatalogueRows(model, texts, self)
        self.table = ProductTable(theme, texts, self.rows)
        self.table_head = TableHead(theme, texts, self.table)
        self.editor = ProductEditor(model, ui)
        self.band = ActBand(theme, texts)
        self.bulk: BulkPanel | None = None
        self.work: Work | FilePoll | None = None
        self.import_page: ImportPage | None = None
        self._work_notice: WorkNotice | None = None
        self._asked: Asked | None = None
        self._question: NoticePanel | None = None
        self._told = QVBoxLayout()
        self._pages = QStackedLayout()
        self._tables = QStackedLayout()
        self._nothing = EmptyState(
            theme, title=texts("cat.nothing"), words=texts("cat.nothing_words"), icon="search",
            colour="ink_2",
        )  # fmt: skip
        self._is_narrow = False
        self._shown_choice: TableChoice | None = None
        self._chips_later = AfterPaint(self._show_chips, self)
        self._shows_keys = False
        self._lay_out()
        self._connect()
        self._show_everything()

    # --- for the window --------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what another program has written, and the clock."""
        self.model.reload_if_outdated()
        now = self.model.services.till.clock.now()
        self.bar.set_clock(in_belgrade(now).strftime("%H:%M"))

    def lock(self) -> None:
        """The PIN stands in front again."""
        self._show_page()

    def set_banner(self, words: str) -> None:
        """What the sale's banner says; "" for none."""
        self.banners.show_kind(words)

    def show_in_front(self, in_front: bool) -> None:
        self.banners.show_in_front(in_front)

    def take_focus(self) -> None:
        """Put the keyboard where the manager goes on."""
        if self._shows_keys:
            self.keys.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        elif not self.model.is_open:
            self.gate.focus_first()
        elif self.model.is_new:
            self.editor.focus_first()
        else:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.take_focus()

    def focus_search(self) -> None:
        """F2."""
        if self.model.is_open and not self._shows_keys:
            self._show_table()
            self.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.edit.selectAll()

    def toggle_keys(self) -> None:
        """F1: the keys of this screen, or back."""
        self._shows_keys = not self._shows_keys
        self._show_page()
        self.take_focus()

    def turn_page(self, by: int) -> None:
        """Page Up and Page Down."""
        if self.model.is_open:
            self.table.turn_page(by)

    def scanned(self, code: str) -> bool:
        """A scan looks the article up, or goes into the field of a code that is being typed.

        False while nobody has typed the PIN: then it is for the sale.
        """
        if not self.model.is_open:
            return False
        if self._shows_keys:
            self.toggle_keys()
        if self.import_page is not None or self.bulk is not None:
            self.model.services.tones.play("no")
            return True
        if self.model.current is not None and self.editor.has_caret_in(DraftField.EAN):
            self.editor.type_into(DraftField.EAN, code)
            return True
        self.search.set_text(code)
        self._search_now()
        if self.model.count == 1 and (row := self.model.row(0)) is not None:
            self.model.open(row.product_id)
        elif not self.model.count:
            self.model.services.tones.play("no")
        return True

    def misread(self) -> bool:
        """A scan whose rest did not come: it is told, and nothing is looked up."""
        if self.model.is_open:
            self.model.services.tones.play("no")
            self._say(self._texts("cat.misread"), is_well=False)
        return self.model.is_open

    def back(self) -> None:
        """Esc: one step back; what was typed is kept."""
        if self._shows_keys:
            self.toggle_keys()
        elif self.import_page is not None:
            self._leave_import()
        elif self._asked is not None:
            self._put_question_away()
        elif self.bulk is not None:
            self._close_bulk()
        elif self.table.cell_editor is not None:
            self.table.close_cell()
        elif self.model.is_open and self._shows_form:
            self.model.close()
            self._focus_table()
        elif self.model.is_open and self.search.text():
            self.search.set_text("")
            self._search_now()
            self._focus_table()
        else:
            self.back_pressed.emit()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.back()
        else:
            super().keyPressEvent(event)

    # --- parts -----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.bar, self.banners):
            column.addWidget(part)
        pages = QWidget()
        self._pages = QStackedLayout(pages)
        column.addWidget(pages, 1)
        self._pages.addWidget(self.gate)
        whole = QWidget()
        sides = QHBoxLayout(whole)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(0)
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        left.setSpacing(metrics.s2 + 2)
        top = QHBoxLayout()
        top.setSpacing(metrics.s2)
        top.addWidget(self.search, 1)
        for key in (self.import_key, self.export_key, self.add_key):
            top.addWidget(key)
        left.addLayout(top)
        left.addWidget(self.chips)
        left.addLayout(self._told)
        left.addWidget(self._table_panel(), 1)
        left.addWidget(self.band)
        sides.addWidget(self._left, 1)
        self._side = QWidget()
        self._sides = QStackedLayout(self._side)
        self._sides.addWidget(self.editor)
        sides.addWidget(self._side)
        self._pages.addWidget(whole)
        self._pages.addWidget(self.keys)

    def _table_panel(self) -> QWidget:
        panel = Panel(self.theme)
        hair = self.theme.metrics.hair
        stack = QVBoxLayout(panel)
        stack.setContentsMargins(hair, hair, hair, self.theme.metrics.s1)
        stack.setSpacing(0)
        stack.addWidget(self.table_head)
        stack.addWidget(self.table, 1)
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._nothing)
        column.addStretch(1)
        holder = QWidget()
        self._tables = QStackedLayout(holder)
        self._tables.addWidget(panel)
        self._tables.addWidget(empty)
        return holder

    def _connect(self) -> None:
        model, table = self.model, self.table
        model.listen(self._on_change)
        self.head.back.connect(self.back)
        self.keys.leave.clicked.connect(self.toggle_keys)
        self.add_key.clicked.connect(self._add)
        self.import_key.clicked.connect(self._choose_import)
        self.export_key.clicked.connect(self._choose_export)
        self.chips.chosen.connect(self._on_chip)
        self.search.changed.connect(lambda _: self._search_now())
        self.search.entered.connect(self._open_first)
        self.table_head.pressed.connect(self._sort)
        self.table_head.tick_pressed.connect(model.tick_all)
        table.opened.connect(self._open)
        table.current_changed.connect(self._on_current)
        table.ticked.connect(self._tick)
        table.cell_typed.connect(self._on_cell_typed)
        table.cell_entered.connect(self._on_cell_entered)
        table.typed.connect(self._type_in_search)
        table.left_upward.connect(self.focus_search)
        table.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.editor.closed.connect(self._close_editor)
        self.editor.picture.clicked.connect(self._choose_picture)
        self.editor.picture.dropped.connect(self.take_picture)
        self.editor.delete_pressed.connect(self._ask_delete_current)
        self.band.delete.clicked.connect(self._ask_delete_ticked)
        self.band.untick.clicked.connect(model.untick)
        self.band.labels.clicked.connect(self._ask_labels)
        for kind, act in self.band.changes.items():
            act.clicked.connect(lambda _=False, one=kind: self._open_bulk(one))
        save = QShortcut(QKeySequence(SAVE), self, context=_WITHIN)
        save.activated.connect(self.editor.save.click)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_width()

    @property
    def _shows_form(self) -> bool:
        return self.model.current is not None and self.model.shows_form

    def _fit_top(self) -> None:
        """What may be searched for is said whole; before that is cut, keys lose their words."""
        gap, keys = self.theme.metrics.s2, (self.import_key, self.export_key)
        whole = self.width() - (0 if self._side.isHidden() else self._side.minimumWidth())
        for key in keys:
            key.set_compact(False)
        said = width_of(self.theme.font(TypeStep.BASE), self._texts("cat.search_words"))
        needed = said + 4 * self.theme.metrics.touch
        needed += sum(one.sizeHint().width() + gap for one in (*keys, self.add_key))
        for key in keys:
            key.set_compact(needed > whole)

    def _share_width(self) -> None:
        """The editor stands beside the table, or in its place where both have no room."""
        metrics = self.theme.metrics
        shown = self._shows_form or self.bulk is not None
        least = max(LEAST_EDITOR * metrics.touch, LEAST_LINES * metrics.line(TypeStep.BASE))
        self._is_narrow = metrics.narrow or self.width() - least < 13 * metrics.touch
        self._side.setVisible(shown)
        self._sides.setCurrentWidget(self.editor if self.bulk is None else self.bulk)
        self._left.setVisible(not (shown and self._is_narrow))
        if self._is_narrow:
            self._side.setMinimumWidth(0)
            self._side.setMaximumWidth(16777215)
        else:
            self._side.setFixedWidth(max(least, min(self.width() * EDITOR_PERMILLE // 1000, 540)))
        self._fit_top()

    # --- what is done ----------------------------------------------------------------------------

    def _search_now(self) -> None:
        self.model.search(self.search.text())

    def _open_first(self) -> None:
        """Enter in the search opens the first row."""
        if self.model.count:
            self.table.set_current(0)
            self._open(0)

    def _type_in_search(self, event: QKeyEvent) -> None:
        self.search.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.edit.insert(event.text())

    def _sort(self, column: Column) -> None:
        self.model.sort(SORTED_BY[column])

    def _on_chip(self, key: str) -> None:
        if key.startswith(_EDITS):
            self.model.filter(edits=EditMark(key.removeprefix(_EDITS)))
        else:
            self.model.filter(category_id=key or None)

    def _on_scrolled(self, place: int) -> None:
        if self.isVisible():
            self.model.scrolled = place

    def _row(self, number: int) -> CatalogueRow | None:
        return self.model.row(number)

    def _open(self, number: int) -> None:
        row = self._row(number)
        if row is not None:
            was = self.model.current_id
            self.model.open(row.product_id)
            if self._is_narrow or was == row.product_id:
                self.editor.focus_first()

    def _on_current(self, number: int) -> None:
        """The editor follows the current row while it stands beside the table."""
        row = self._row(number)
        if row is None or not self._shows_form or self._is_narrow:
            return
        if self.table.hasFocus():
            self.model.open(row.product_id)

    def _tick(self, number: int) -> None:
        row = self._row(number)
        if row is not None:
            self.model.tick(row.product_id)

    def _on_cell_typed(self, number: int, field: str, text: str) -> None:
        row = self._row(number)
        if row is not None:
            self.model.open(row.product_id, with_form=False)
            if self.model.current is not None:
                self.model.put(DraftField(field), text)
                self.editor.type_into(DraftField(field), text)

    def _on_cell_entered(self, number: int, field: str, text: str) -> None:
        row = self._row(number)
        if row is None:
            return
        if self.model.save_cell(row, DraftField(field), text):
            self.table.close_cell()
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            if number + 1 < self.model.count:
                self.table.set_current(number + 1)
        else:
            fault = self.model.faults.get(field) or self.model.failure
            self.table.show_cell_error(self._texts.error(fault).happened if fault else "")

    def _add(self) -> None:
        self.model.add()
        self.editor.focus_first()

    def _close_editor(self) -> None:
        self.model.close()
        self._focus_table()

    def _focus_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_table(self) -> None:
        if self._is_narrow and self._shows_form:
            self.model.close()

    # --- all ticked rows -------------------------------------------------------------------------

    def _open_bulk(self, kind: BulkKind) -> None:
        self._close_bulk()
        self.bulk = BulkPanel(self.model, self._ui, kind)
        self.bulk.closed.connect(self._close_bulk)
        self.bulk.wanted.connect(self._change_ticked)
        self._sides.addWidget(self.bulk)
        self._share_width()
        self.bulk.focus_first()

    def _close_bulk(self) -> None:
        panel, self.bulk = self.bulk, None
        if panel is not None:
            self._sides.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
            self._share_width()
            self._focus_table()

    def _change_ticked(self, change: BulkChange) -> None:
        self._close_bulk()
        many = len(self.model.ticked)
        self._begin_work(self.model.change_ticked(change), many, self._texts("cat.work.change"))

    def _begin_work(self, steps: Iterator[object], whole: int, words: str) -> None:
        """Long work: its steps are made while the window lives on."""
        if self.work is not None:
            return
        work = Work(steps, whole, on_step=self.model.note_step, parent=self)
        work.ended.connect(self._end_work)
        self._show_work(work, words)

    def _show_work(self, work: Work | FilePoll, words: str) -> None:
        self._put_question_away()
        self.work = work
        self._work_notice = WorkNotice(self.theme, self._texts, work, words)
        self._told.addWidget(self._work_notice)
        self._work_notice.show()
        for key in self._kept_from_work():
            key.refuse(self._texts("cat.busy"))

    def _hide_work(self) -> Work | FilePoll | None:
        notice, self._work_notice, work, self.work = self._work_notice, None, self.work, None
        if notice is not None:
            self._told.removeWidget(notice)
            notice.hide()
            notice.deleteLater()
        for key in self._kept_from_work():
            key.allow()
        return work

    def _kept_from_work(self) -> tuple[Button, ...]:
        """What would begin other long work."""
        return (*self.band.acts, self.import_key, self.export_key)

    def _end_work(self, error: PosError | None) -> None:
        work = self._hide_work()
        self.model.end_steps(error, is_stopped=work is not None and work.is_stopped)
        self._say_outcome()
        self._focus_table()

    def _say_outcome(self) -> None:
        """What came of long work: how many products are changed, and what could not be."""
        outcome, texts = self.model.outcome, self._texts
        if outcome is None:
            return
        said = texts.count("cat.done", outcome.changed)
        if outcome.is_stopped:
            said = f"{said} {texts('cat.was_stopped')}"
        wrong = texts.count("cat.done_not", outcome.failed) if outcome.failed else ""
        why = texts.error(outcome.error).happened if outcome.error is not None else ""
        self._say(said, wrong, why, is_well=not (wrong or why))

    def _say(self, said: str, more: str = "", why: str = "", *, is_well: bool = True) -> None:
        """What came of it, until it is read."""
        self._put_question_away()
        close = Button(self.theme, self._texts("ok"), key=ESCAPE)
        self._question = NoticePanel(
            self.theme, NoticeKind.INFO if is_well else NoticeKind.WARN,
            happened=said, safe=more, press=why, buttons=(close,),
        )  # fmt: skip
        self._asked = Asked((), "")
        close.clicked.connect(self._put_question_away)
        self._told.addWidget(self._question)
        self._question.show()

    # --- files -----------------------------------------------------------------------------------

    def _choose_import(self) -> None:
        chooser = QFileDialog(self, self._texts("cat.import"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilter("CSV, XLSX (*.csv *.txt *.xlsx)")
        chooser.fileSelected.connect(lambda name: self.read_sheet(Path(name)))
        chooser.open()

    def _choose_export(self) -> None:
        chooser = QFileDialog(self, self._texts("cat.export"))
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
        chooser.setDefaultSuffix("xlsx")
        chooser.filterSelected.connect(
            lambda name: chooser.setDefaultSuffix("csv" if "csv" in name else "xlsx")
        )
        chooser.selectFile("artikli")
        chooser.fileSelected.connect(lambda name: self.export_to(Path(name)))
        chooser.open()

    def read_sheet(self, path: Path) -> None:
        """Read a file of articles; what it would change is shown, nothing is written."""
        work = self.model.services.catalogue_files.plan_import(path)
        self._follow(work, "cat.work.read", lambda plan: self.show_plan(plan, path.name))

    def export_to(self, path: Path) -> None:
        """Write what the table shows into a file."""
        work = self.model.services.catalogue_files.export(self.model.choice, path)

        def written(done: FileDone) -> None:
            self._say(self._texts.count("cat.exported", done.done), str(path))

        self._follow(work, "cat.work.export", written)

    def _choose_picture(self) -> None:
        chooser = QFileDialog(self, self._texts("cat.field.cover_image"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilter("JPEG, PNG, WebP (*.jpg *.jpeg *.png *.webp *.gif)")
        chooser.fileSelected.connect(lambda name: self.take_picture(Path(name)))
        chooser.open()

    def take_picture(self, path: Path) -> None:
        """Make a photo the main one of what is edited."""
        current, services = self.model.current, self.model.services
        if current is None or self.model.is_new:
            return
        work = services.catalogue_files.take_picture(
            path, product_id=current.product.id, article_id=current.owner.id, by=services.cashier
        )

        def written(_: FileDone) -> None:
            self.model.reload_if_outdated()
            self.changed.emit()

        self._follow(work, "cat.work.picture", written)

    def _ask_labels(self) -> None:
        """All ticked ones, or those alone whose label would say something new."""
        self._put_question_away()
        texts = self._texts
        every = Button(self.theme, texts("cat.labels.all"), icon="barcode")
        new = Button(self.theme, texts("cat.labels.changed"), icon="barcode")
        no = Button(self.theme, texts("cat.bulk.stop"), key=ESCAPE)
        self._asked = Asked((), "")
        self._question = NoticePanel(
            self.theme, NoticeKind.INFO, icon="barcode",
            happened=texts.count("cat.labels.ask", len(self.model.ticked)),
            safe=texts("cat.labels.words"), press="", buttons=(every, new, no),
        )  # fmt: skip
        every.clicked.connect(lambda: self._choose_labels(only_changed=False))
        new.clicked.connect(lambda: self._choose_labels(only_changed=True))
        no.clicked.connect(self._put_question_away)
        self._told.addWidget(self._question)
        self._question.show()
        every.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_labels(self, *, only_changed: bool) -> None:
        self._put_question_away()
        chooser = QFileDialog(self, self._texts("cat.band.labels"))
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setNameFilter("PDF (*.pdf)")
        chooser.setDefaultSuffix("pdf")
        chooser.selectFile("nalepnice")
        chooser.fileSelected.connect(
            lambda name: self.print_labels(Path(name), only_changed=only_changed)
        )
        chooser.open()

    def print_labels(self, path: Path, *, only_changed: bool) -> None:
        """Labels of the ticked products, as PDF."""
        files, products = self.model.services.catalogue_files, self.model.ticked_in_order()
        work = files.labels(products, path, only_changed=only_changed)

        def written(done: FileDone) -> None:
            self._say(self._texts.count("cat.labels.done", done.done), str(path))

        self._follow(work, "cat.work.labels", written)

    def _follow(self, work: FileWork, words: str, then: Callable[[Any], None]) -> None:
        """Show how far a file's work is, and then what came of it."""
        if self.work is not None:
            work.stop()
            return
        poll = FilePoll(work, self)

        def ended(result: object) -> None:
            self._hide_work()
            if isinstance(result, PosError):
                told = self._texts.error(result)
                self._say(told.happened, told.safe, told.press, is_well=False)
            elif poll.is_stopped:
                self._say(self._texts("cat.stopped"))
                self.model.reload()
            else:
                then(result)

        poll.ended.connect(ended)
        self._show_work(poll, self._texts(words))

    def show_plan(self, plan: ImportPlan, name: str) -> None:
        """What a file of that name would change."""
        self._leave_import()
        self.import_page = page = ImportPage(plan, name, self._texts, self.theme)
        page.confirmed.connect(lambda: self._carry_out(plan))
        page.left.connect(self._leave_import)
        self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)
        page.focus_first()

    def _leave_import(self) -> None:
        page, self.import_page = self.import_page, None
        if page is not None:
            self._pages.removeWidget(page)
            page.hide()
            page.deleteLater()
            self._show_page()
            self.take_focus()

    def _carry_out(self, plan: ImportPlan) -> None:
        self._leave_import()
        services = self.model.services
        work = services.catalogue_files.carry_out(plan, by=services.cashier)

        def written(done: FileDone) -> None:
            self.model.reload_if_outdated()
            self.changed.emit()
            texts = self._texts
            failed = texts.count("cat.done_not", done.failed) if done.failed else ""
            self._say(texts.count("cat.done", done.done), failed, is_well=not done.failed)

        self._follow(work, "cat.work.import", written)

    # --- deleting --------------------------------------------------------------------------------

    def _ask_delete_current(self) -> None:
        current = self.model.current
        if current is not None and current.is_variant:
            name = current.owner.variant_name or current.owner.name
            self._ask(Asked((), name, is_variant=True))
        elif current is not None:
            self._ask(Asked((current.product.id,), current.product.name))

    def _ask_delete_ticked(self) -> None:
        self._ask(Asked(tuple(sorted(self.model.ticked)), ""))

    def _ask(self, asked: Asked) -> None:
        self._put_question_away()
        self._show_table()
        texts, many = self._texts, len(asked.product_ids)
        yes = Button(self.theme, texts("cat.delete"), icon="trash-2", kind=ButtonKind.DANGER)
        no = Button(self.theme, texts("cat.keep"), key=ESCAPE)
        happened = (
            texts("cat.delete_one", name=asked.name)
            if asked.name
            else texts.count("cat.delete_many", many)
        )
        self._asked = asked
        self._question = NoticePanel(
            self.theme, NoticeKind.WARN, happened=happened, safe=texts("cat.delete_words"),
            press="", buttons=(no, yes),
        )  # fmt: skip
        yes.clicked.connect(self._delete_asked)
        no.clicked.connect(self._put_question_away)
        self._told.addWidget(self._question)
        self._question.show()
        no.setFocus(Qt.FocusReason.OtherFocusReason)

    def _delete_asked(self) -> None:
        asked = self._asked
        self._put_question_away()
        if asked is None:
            return
        if asked.is_variant:
            self.model.delete_variant()
        elif len(asked.product_ids) == 1:
            self.model.delete(asked.product_ids)
        else:
            steps = self.model.delete_steps(asked.product_ids)
            self._begin_work(steps, len(asked.product_ids), self._texts("cat.work.delete"))

    def _put_question_away(self) -> None:
        question, self._question, self._asked = self._question, None, None
        if question is not None:
            self._told.removeWidget(question)
            question.hide()
            question.deleteLater()
            self._focus_table()

    # --- what is shown ---------------------------------------------------------------------------

    def _show_everything(self) -> None:
        self.search.set_text(self.model.choice.query)
        self._share_width()
        self._show_page()
        self._show_rows()
        self._show_ticks()
        self.editor.show_model(frozenset({Change.CURRENT}))
        if self.model.scrolled:
            place = self.model.scrolled
            QTimer.singleShot(0, self, lambda: self.table.verticalScrollBar().setValue(place))

    def _on_change(self, changes: frozenset[Change]) -> None:
        if Change.LOCK in changes:
            self._show_page()
            self.take_focus()
        if Change.ROWS in changes:
            self._show_rows()
        if Change.CURRENT in changes:
            self._share_width()
            self._follow_current()
        if Change.TICKS in changes:
            self._show_ticks()
        if Change.NEWS in changes:
            self.changed.emit()
        self.editor.show_model(changes)
        self.table.viewport().update()

    def _follow_current(self) -> None:
        """The row of what is edited is the current one, however it was opened."""
        wanted = self.model.current_id
        row = self._row(self.table.currentIndex().row())
        if not wanted or self.model.is_new or (row is not None and row.product_id == wanted):
            return
        place = self.model.place_of(wanted)
        if place is not None:
            self.table.set_current(place)

    def _show_page(self) -> None:
        is_planned = self.import_page is not None and self.model.is_open
        if self.import_page is not None and is_planned and not self._shows_keys:
            self._pages.setCurrentWidget(self.import_page)
            return
        page = 2 if self._shows_keys else 1 if self.model.is_open else 0
        self._pages.setCurrentIndex(page)
        self._show_title()

    def _show_title(self) -> None:
        count = self._texts.count("cat.products", self.model.count) if self.model.is_open else ""
        self.head.set_title(self._texts("cat.title"), count)

    def _show_rows(self) -> None:
        current = self.table.currentIndex()
        place = self.table.verticalScrollBar().value()
        self.rows.reset()
        self._tables.setCurrentIndex(0 if self.model.count else 1)
        self.table_head.show_order(self._order(), descending=self.model.choice.descending)
        is_same = self._shown_choice == self.model.choice
        self._shown_choice = self.model.choice
        if current.isValid() and is_same and self.model.count:
            row = min(current.row(), self.model.count - 1)
            self.table.setCurrentIndex(self.rows.index(row, current.column()))
            self.table.verticalScrollBar().setValue(place)
        elif self.model.count:
            self.table.setCurrentIndex(self.rows.index(0, Column.NAME))
            self.table.scrollToTop()
        self._show_title()
        self._chips_later.ask()

    def _order(self) -> TableOrder:
        choice = self.model.choice
        is_by_name = choice.order is TableOrder.BEST and not choice.query
        return TableOrder.NAME if is_by_name else choice.order

    def _show_chips(self) -> None:
        model, texts = self.model, self._texts
        facts = model.facts()
        specs = [ChipSpec(ALL_CHIP, texts("cat.all"))]
        marks = (
            (EditMark.CONFLICT, facts.conflicts, "git-compare"),
            (EditMark.REFUSED, facts.refused, "circle-alert"),
            (EditMark.WAITING, facts.waiting, "clock"),
        )
        for mark, many, icon in marks:
            if many or model.choice.edits is mark:
                words = texts(f"cat.chip.{mark.name.lower()}", n=many)
                specs.append(ChipSpec(f"{_EDITS}{mark.value}", words, icon))
        specs.extend(
            ChipSpec(one.category.id, f"{one.category.name} {one.rows}")
            for one in model.categories()
            if one.rows
        )
        choice = model.choice
        edits = f"{_EDITS}{choice.edits.value}" if choice.edits else ""
        self.chips.set_chips(specs, current=choice.category_id or edits or ALL_CHIP)

    def _show_ticks(self) -> None:
        ticked = len(self.model.ticked)
        self.table_head.tick.show_ticks(some=bool(ticked), every=self.model.all_ticked)
        self.band.setVisible(bool(ticked))
        self.band.show_count(self._texts.count("cat.chosen", ticked))


class ActBand(Ground):
    """What can be done to all ticked rows; it appears under the table while there are any."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, colour="band")
        metrics = theme.metrics
        self._words = ElidedLabel(
            theme, step=TypeStep.BASE, weight=Weight.SEMIBOLD, colour="on_band"
        )
        kind = ButtonKind.BAND
        icons = {
            BulkKind.PRICE: "percent",
            BulkKind.LABEL: "tag",
            BulkKind.CATEGORY: "folder",
        }
        self.changes = {
            one: Button(theme, texts(f"cat.band.{one}"), icon=icon, kind=kind)
            for one, icon in icons.items()
        }
        self.labels = Button(theme, texts("cat.band.labels"), icon="barcode", kind=kind)
        self.delete = Button(theme, texts("cat.delete"), icon="trash-2", kind=kind)
        self.untick = Button(theme, texts("cat.untick"), icon="x", kind=kind)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s2, metrics.s2)
        row.setSpacing(metrics.s2)
        self.acts = (*self.changes.values(), self.labels, self.delete)
        row.addWidget(self._words, 1)
        for key in self.changes.values():
            row.addWidget(key)
        for key in (self.labels, self.delete, self.untick):
            row.addWidget(key)

    def show_count(self, words: str) -> None:
        self._words.setText(words)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def _fit(self) -> None:
        """How many rows are chosen is always said: keys lose their words first, from the right."""
        gap = self.theme.metrics.s2
        keys = (*self.changes.values(), self.labels, self.delete, self.untick)
        for key in keys:
            key.set_compact(False)
        for key in reversed(keys):
            needed = sum(one.sizeHint().width() + gap for one in keys)
            if needed + self._words.sizeHint().width() + 3 * gap <= self.width():
                break
            key.set_compact(True)


class _KeysPage(QWidget):
    """F1: the keys of this screen."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        metrics = theme.metrics
        self.leave = Button(theme, texts("back"), icon="arrow-left", key=ESCAPE)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        column.setSpacing(metrics.s3)
        title = Label(theme, texts("ask.keys"), step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        column.addWidget(title)
        column.addWidget(KeysGrid(theme, help_page(KeyPage.CATALOGUE, texts)))
        column.addWidget(self.leave, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
