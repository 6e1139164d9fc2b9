"""The screen of the catalogue: filters and table, the editor beside them, and pages that replace
them.

Sources: look.md (Screens, 6), till.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier import commands
from pos_app.cashier.catalogue.bulk import ActBand, BulkKind, BulkPanel
from pos_app.cashier.catalogue.columns import FIELD_OF
from pos_app.cashier.catalogue.coming_labels import ComingLabelsPanel
from pos_app.cashier.catalogue.conflicts_view import ConflictsPage
from pos_app.cashier.catalogue.deleting import Deleting
from pos_app.cashier.catalogue.editor import ProductEditor
from pos_app.cashier.catalogue.file_acts import FileActs
from pos_app.cashier.catalogue.files_view import ImportPage
from pos_app.cashier.catalogue.filter_bar import FilterBar
from pos_app.cashier.catalogue.model import CatalogueModel, CataloguePart
from pos_app.cashier.catalogue.names_model import NamesModel
from pos_app.cashier.catalogue.names_view import NamesPage
from pos_app.cashier.catalogue.notices import CatalogueNotices
from pos_app.cashier.catalogue.second_tap import SecondTap
from pos_app.cashier.catalogue.table import TableCell
from pos_app.cashier.catalogue.table_area import TableArea
from pos_app.cashier.catalogue.work import BUSY_WITH, WORK_OF, LongWork, WorkName
from pos_app.cashier.services.long_work import FilePoll
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import KeysScreen
from pos_app.cashier.window.frame import Busy, Change, Frame, Room, ScanAnswer, ShopChange
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.window.scan_ways import is_known
from pos_app.cashier.window.screens import SETTINGS, CataloguePlace, SettingsPlace
from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import ReceiptCode, ShortReceiptCode
from pos_app.errors import NotAllowed, PosError
from pos_app.selling.catalogue.bulk_act import ActState, EndingName, PlannedRow
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.codes import ReadCode, found_by, named_code
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.price_labels import labels_due
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.row_plan import SheetAnswers
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.people.people import check_no_badge

EDITOR_PERMILLE = 360
"""The editor's share of the width in thousandths (mock-06: 540 of 1920, more on a small screen)."""
LEAST_EDITOR, LEAST_LINES = 9, 23
"""The least width of the editor: the larger of these, in touch sizes and in text heights."""
_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut


class CatalogueRoom(Room):
    """Holds rows, drafts and long work, which stay or run on when the screen is left."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = CatalogueModel(frame.services)
        self.names = NamesModel(self.model)
        self.long_work = LongWork(self)

    def leave(self) -> None:
        self.model.leave()
        self.long_work.leave()

    def carry_on(self) -> None:
        """Carry on the change of many articles that the end of the last till cut."""
        act = self.model.many.open_act()
        is_cut = act is not None and act.state is not ActState.STOPPED
        if act is not None and is_cut and self.long_work.work is None:
            work = self.model.many.carry_on()
            self.long_work.follow_act(self.model, work, WORK_OF[act.kind])

    def forget_widgets(self) -> None:
        self.model.forget_listeners()

    @property
    def busy(self) -> Busy | None:
        return BUSY_WITH[self.long_work.name] if self.long_work.work is not None else None


_EVERYWHERE = (
    (commands.TillCommand.KEYS, "keys.f1"),
    (commands.TillCommand.DRAWER, "keys.f10"),
    (commands.TillCommand.BACK, "cat.keys.escape"),
)


class CatalogueScreen(HeadedScreen):
    title = "cat.title"
    help_keys = (
        ("↑ ↓", "cat.keys.rows"),
        ("← →", "cat.keys.columns"),
        (commands.ENTER, "cat.keys.enter"),
        (commands.IN_PLACE, "cat.keys.in_place"),
        ("Tab", "cat.keys.tab"),
        (commands.UNDO, "cat.keys.undo"),
        ("cat.keys.space_bar", "cat.keys.space"),
        ("keys.typed.letters", "cat.keys.letters"),
        ("Delete", "cat.keys.delete"),
        (commands.MOVE, "cat.keys.photos"),
        (commands.SAVE, "cat.keys.save"),
        (commands.TillCommand.KEYS, "keys.f1"),
        (commands.TillCommand.SEARCH, "cat.keys.search"),
        (commands.TillCommand.DRAWER, "keys.f10"),
        (commands.TillCommand.LINE_UP, "cat.keys.pages"),
        (commands.TillCommand.LINE_DOWN, "cat.keys.pages"),
        (commands.TillCommand.BACK, "cat.keys.escape"),
    )

    names_keys = (
        ("↑ ↓", "cat.keys.names"),
        (commands.ENTER, "cat.keys.merge"),
        (commands.SAVE, "cat.keys.save"),
        *_EVERYWHERE,
    )
    decisions_keys = (("← ↑ ↓ →", "cat.keys.choices"), *_EVERYWHERE)
    import_keys = ((commands.ENTER, "cat.keys.import"), *_EVERYWHERE)

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, CatalogueRoom)
        self.model = model = room.model
        self._long = long_work = room.long_work
        self._ui = ui = frame.ui
        self._texts = texts = ui.texts
        theme = ui.theme
        asked, first = texts("cat.pin.asked_words"), texts("cat.pin.first_words")
        self.gate = PinGate(model, frame, asked=asked, first=first)
        self.filters = FilterBar(model, ui)
        self.area = TableArea(model, ui)
        self.table = self.area.table
        self.editor = ProductEditor(model, ui)
        self.band = ActBand(theme, texts)
        self.notices = CatalogueNotices(model, long_work, ui)
        self.files = FileActs(model, ui, self.notices, self)
        bring_back = self.area.bring_back
        self.deleting = Deleting(model, ui, self.notices, bring_back=bring_back)
        self.conflicts = ConflictsPage(model, ui)
        self.bulk: BulkPanel | ComingLabelsPanel | None = None
        """The panel that stands in the place of the form."""
        self.names = NamesPage(model, room.names, ui)
        self.import_page: ImportPage | None = None
        self._plan_waits: Callable[[], None] | None = None
        self._main = QWidget()
        self._pages = QStackedLayout()
        self._is_narrow = False
        self._lay_out()
        self._tapped: TableCell | None = None
        self._second_tap = SecondTap(self._side, near=theme.metrics.touch)
        self._connect()
        self._show_everything()
        self.notices.show_work()

    # --- for the frame ---------------------------------------------------------------------------

    @property
    def work(self) -> FilePoll | None:
        return self._long.work

    def go_to(self, screen_place: object) -> None:
        if screen_place is CataloguePlace.UNDECIDED:
            self.model.show_undecided()
        elif screen_place is CataloguePlace.NAMES:
            self.model.show_names()
        elif screen_place is CataloguePlace.LABELS:
            self.model.wants_labels = True
            self._tell_on_visit()

    def tick(self) -> None:
        """Update the clock, and read what another program has written."""
        super().tick()
        self.model.reload_if_outdated()

    def come_on_top(self) -> None:
        super().come_on_top()
        self._tell_result()
        self._tell_on_visit()

    def _tell_on_visit(self) -> None:
        self.notices.ask_open_act()
        if self.model.is_open and self.model.wants_labels:
            self._open_due_labels()
        elif self.bulk is None:
            self.notices.offer_labels()

    def press(self, command: commands.TillCommand) -> None:
        match command:
            case commands.TillCommand.SEARCH:
                self.focus_search()
            case commands.TillCommand.LINE_UP | commands.TillCommand.LINE_DOWN:
                self.turn_page(-1 if command is commands.TillCommand.LINE_UP else 1)
            case _:
                super().press(command)

    def focus_place(self) -> None:
        if not self.model.is_open:
            self.gate.focus_first()
        elif self.import_page is not None:
            self.import_page.focus_first()
        elif self.model.is_naming:
            self.names.focus_first()
        elif self.model.is_deciding:
            self.conflicts.focus_first()
        elif self.model.must_decide and not self.model.is_new:
            self.editor.focus_decision()
        elif self.model.is_new or (self._shows_form and self._left_side.isHidden()):
            self.editor.focus_first()
        else:
            self._focus_rows()

    def focus_search(self) -> None:
        if self.model.is_open and self._pages.currentWidget() is self._main:
            self._show_table()
            if self._is_narrow and self.model.must_decide:
                self.editor.focus_decision()
                return
            self.filters.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.filters.search.edit.selectAll()

    def turn_page(self, by: int) -> None:
        if self.model.is_open:
            self.table.turn_page(by)

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Look a scanned article up, or put its code into the code field that is being typed in.
        While nobody has typed the PIN the scan is for the sale."""
        if not self.model.is_open:
            return super().scan(code, text)
        if self.shows_keys:
            self.toggle_keys()
        if self._is_on_page:
            return self.unused_scan
        answer = super().scan(code, text)
        is_for_others = isinstance(code.meaning, ReceiptCode | ShortReceiptCode)
        if answer is ScanAnswer.TAKEN or is_for_others:
            return answer
        try:
            check_no_badge(self.model.services.people, text)
        except NotAllowed as error:
            self.model.services.tones.play("no")
            self.notices.show_failure(error)
            return ScanAnswer.TAKEN
        if self.model.current is not None and self.editor.has_caret_in(DraftField.EAN):
            self.editor.type_into(DraftField.EAN, named_code(code))
            self.editor.field(DraftField.EAN).end_typing()  # a scan is a whole code
            return ScanAnswer.TAKEN
        is_typed = self._shows_form and (self.model.is_new or self.model.is_changed)
        if is_typed and not is_known(code, self.model.services.catalogue):
            return answer  # the search, which may be hidden, would find nothing beneath the form
        self._search_scanned(code)
        return ScanAnswer.TAKEN

    def _search_scanned(self, code: ReadCode) -> None:
        """Open the product that a code means, as the sale reads it; else show what has the code's
        signs."""
        listed, article = self.model.listed, self._meant(code)
        self._search_for(named_code(code))
        if article is not None and not listed.count:  # a label of a scale, the issue of a paper
            self._search_for(article.ean or str(article.sku))
        if article is not None:
            self.model.open(article.product_id)
        elif listed.count == 1 and (row := listed.row(0)) is not None:
            self.model.open(row.product_id)
        elif not listed.count:
            self.model.services.tones.play("no")

    def _search_for(self, text: str) -> None:
        self.filters.search.set_text(text)
        self.filters.search_now()

    def _meant(self, code: ReadCode) -> Article | None:
        """The only article that a code means, or None, also while the catalogue can't be read."""
        with suppress(PosError):
            found = found_by(code, self.model.services.catalogue)
            products = {one.article.product_id: one.article for one in found}
            return next(iter(products.values())) if len(products) == 1 else None
        return None

    def misread(self) -> ScanAnswer:
        """Say that a scan was incomplete; nothing is looked up."""
        if not self.model.is_open:
            return super().misread()
        self.model.services.tones.play("no")
        self.notices.show_notice(self._texts("cat.misread"), is_well=False)
        return ScanAnswer.TAKEN

    @property
    def _covers_table(self) -> str:
        """The page in place of the table, by its step; "" for none."""
        if not self.model.is_open:
            return ""
        if self.import_page is not None:
            return "import"
        if self.model.is_naming:
            return "names"
        return "decisions" if self.model.is_deciding else ""

    @property
    def _is_on_page(self) -> bool:
        """Whether a page covers the table, so that no scan is looked up."""
        is_on_page = self.model.is_deciding or self.model.is_naming
        return self.import_page is not None or self.bulk is not None or is_on_page

    @property
    def holds_typed(self) -> bool:
        is_typed = self.model.is_new or self.model.is_changed or self._is_on_page
        return (self.model.is_open and is_typed) or super().holds_typed

    def keeps_scan(self) -> bool:
        return self.model.is_open or super().keeps_scan()

    def step_back(self) -> bool:
        if not self.model.is_open:
            return False
        if self.import_page is not None:
            self._leave_import()
        elif self.model.is_naming:
            self._leave_names()
        elif self.model.is_deciding:
            self._decide(False)
        elif self.notices.is_asking:
            self.notices.put_away()
        elif self.bulk is not None:
            self._leave_bulk()
        elif self.table.cell_editor is not None:
            self.table.close_cell()
        elif self._shows_form:
            self._leave_form()
        elif self.filters.search.text():
            self.filters.search.set_text("")
            self.filters.search_now()
            self._focus_rows()
        else:
            return False
        return True

    def _show_all(self) -> None:
        """End the search and the choice of rows that left nothing."""
        self.filters.search.set_text("")
        self.model.listed.choose(TableChoice())
        self._focus_rows()

    # --- parts -----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        pages = QWidget()
        self._pages = QStackedLayout(pages)
        self.column.addWidget(pages, 1)
        sides = QHBoxLayout(self._main)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(0)
        self._left_side = QWidget()
        left = QVBoxLayout(self._left_side)
        left.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        left.setSpacing(metrics.s2 + 2)
        left.addWidget(self.filters)
        self._above_table, self._above_form = QVBoxLayout(), QVBoxLayout()
        left.addLayout(self._above_table)
        left.addWidget(self.area, 1)
        left.addWidget(self.band)
        sides.addWidget(self._left_side, 1)
        self._above_table.addWidget(self.notices)
        self._side = QWidget()
        self._beside = beside = QVBoxLayout(self._side)
        beside.setSpacing(metrics.s3)
        beside.addLayout(self._above_form)
        forms = QWidget()
        self._sides = QStackedLayout(forms)
        self._sides.addWidget(self.editor)
        beside.addWidget(forms, 1)
        sides.addWidget(self._side)
        self._keys_of = {
            name: KeysScreen(
                self.theme, commands.help_rows(rows, self._texts), title=self._texts("ask.keys")
            )
            for name, rows in (
                ("names", self.names_keys),
                ("decisions", self.decisions_keys),
                ("import", self.import_keys),
            )
        }
        places = (self.gate, self._main, self.keys, self.conflicts, self.names)
        for page in (*places, *self._keys_of.values()):
            self._pages.addWidget(page)

    def _connect(self) -> None:
        model, table, filters = self.model, self.table, self.filters
        model.listen(self._on_change)
        filters.add_button.clicked.connect(self._add)
        filters.import_button.clicked.connect(self.files.choose_import)
        filters.export_button.clicked.connect(self.files.choose_export)
        filters.columns_chosen.connect(self.area.show_columns)
        filters.conflicts_pressed.connect(lambda: self._decide(True))
        filters.labels_pressed.connect(self._open_labels)
        self.notices.labels_wanted.connect(self._open_due_labels)
        filters.names_pressed.connect(lambda: self._open_names(True))
        self.names.act_wanted.connect(self._change_names)
        filters.store_pressed.connect(lambda: self.frame.open(SETTINGS, SettingsPlace.STORE))
        filters.search.entered.connect(self._open_first)
        filters.left_downward.connect(self._go_below_search)
        table.opened.connect(self._open)
        table.current_changed.connect(self._on_current)
        table.key_typed.connect(self._type_in_search)
        table.left_upward.connect(self.focus_search)
        self.area.refused.connect(self.notices.show_refusal)
        self.area.doubted.connect(lambda what: self.notices.show_notice(what, is_well=False))
        self.area.undecided.connect(self.editor.focus_decision)
        self.area.cell_left.connect(self._on_cell_left)
        self.area.undone.connect(self.notices.show_notice)
        self.area.many_undone.connect(self.files.ask_take_back)
        self.area.import_wanted.connect(self.files.choose_import)
        self.area.everything_wanted.connect(self._show_all)
        filters.undo_button.clicked.connect(self.files.ask_take_back)
        self.notices.take_back_wanted.connect(self.files.ask_take_back)
        self.notices.carry_on_wanted.connect(self.files.carry_on)
        self.notices.refused_wanted.connect(self.files.choose_refused)
        self.notices.refused_saved.connect(self._tell_on_page)
        self.notices.question_ended.connect(self._after_notice)
        self.notices.busy.connect(self._keep_from_work)
        self.notices.planned.connect(self._take_plan)
        self._long.began.connect(self.notices.show_work)
        self._long.ended.connect(self._on_work_ended)
        self.conflicts.opened.connect(self._open_undecided)
        self.conflicts.put_off.connect(lambda: self._decide(False))
        self._second_tap.meant.connect(self._on_second_tap)
        self.editor.photos.wanted.connect(self.files.choose_photos)
        self.editor.photos.dropped.connect(self.files.take_photos)
        self.editor.delete_pressed.connect(self.deleting.ask_current)
        self.editor.undo_pressed.connect(self.area.undo_in_form)
        self.band.delete.clicked.connect(self.deleting.ask_ticked)
        self.band.untick.clicked.connect(model.listed.untick)
        self.band.labels.clicked.connect(self.files.ask_labels)
        for kind, act in self.band.changes.items():
            act.clicked.connect(lambda _=False, bulk_kind=kind: self._open_bulk(bulk_kind))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_width()

    @property
    def _shows_form(self) -> bool:
        return self.model.current is not None and self.model.shows_form

    def _share_width(self) -> None:
        """Put the editor beside the table, or over it where both do not fit."""
        metrics = self.theme.metrics
        shown = self._has_side
        least = max(LEAST_EDITOR * metrics.touch, LEAST_LINES * metrics.line(TypeStep.BASE))
        self._is_narrow = metrics.narrow or self.width() - least < 13 * metrics.touch
        self._side.setVisible(shown)
        self._sides.setCurrentWidget(self.editor if self.bulk is None else self.bulk)
        covers = shown and self._is_narrow
        self.show_way_back()
        self._left_side.setVisible(not covers)
        edge = metrics.s3  # beside the table that has the room between them
        self._beside.setContentsMargins(edge if covers else 0, edge, edge, edge)
        here, there = self._above_table, self._above_form
        slot, other = (there, here) if covers else (here, there)
        if slot.indexOf(self.notices) < 0:  # questions and results are visible with either
            other.removeWidget(self.notices)
            slot.addWidget(self.notices)
        if self._is_narrow:
            self._side.setMinimumWidth(0)
            self._side.setMaximumWidth(16777215)
        else:
            wide = max(least, min(self.width() * EDITOR_PERMILLE // 1000, 540))
            self._side.setFixedWidth(wide + edge)

    # --- table and editor ------------------------------------------------------------------------

    def _open_first(self) -> None:
        """Open the first row at Enter in the search."""
        if self.model.listed.count:
            self.table.set_current(0)
            self._open(0)

    def _go_below_search(self) -> None:
        """Go from the search to the second hit, for Enter opens the first; without a search to the
        first row."""
        count = self.model.listed.count
        if count:
            self.area.focus_table()
            self.table.set_current(1 if self.filters.search.text() and count > 1 else 0)

    def _type_in_search(self, event: QKeyEvent) -> None:
        if not self.model.is_open:  # a PIN is no search, wherever the focus was
            self.gate.focus_first()
            focus = QApplication.focusWidget()
            if focus is not None and self.gate.isAncestorOf(focus):
                QApplication.sendEvent(focus, event.clone())
            return
        self.filters.search.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.filters.search.edit.insert(event.text())

    def _open(self, number: int) -> None:
        row = self.model.listed.row(number)
        if row is not None:
            had_form, tapped = self._shows_form, self.table.tapped
            was = self.model.current_id if had_form else ""
            self.notices.show_refusal("")
            if not self._opens(row.product_id):
                return
            if tapped is not None and not had_form:
                self._tapped = tapped.cell
                self._second_tap.begin(tapped.spot)
            if self._is_narrow and tapped is not None:
                self._focus_field_of(tapped.cell)
            elif self._is_narrow or was == row.product_id:
                self.editor.focus_first()

    def _opens(self, product_id: str, article_id: str = "") -> bool:
        """Open the form of an article; where that is impossible, say why, or focus the question
        that must be answered first, and return False."""
        self.model.open(product_id, article_id)
        if self.model.current is None and self.model.failure is not None:
            self.notices.show_refusal(self._texts.error(self.model.failure).happened)
        elif self.model.must_decide:
            self.editor.focus_decision()
        else:
            return True
        return False

    def _focus_field_of(self, cell: TableCell, *, select: bool = False) -> None:
        """Focus the field of the tapped column, or the name if the form has no such field."""
        self.editor.focus_first()
        if cell.column in FIELD_OF:
            self.editor.focus_field(FIELD_OF[cell.column], select=select)

    def _on_second_tap(self) -> None:
        """Edit the double-tapped cell, in place where the table is still visible."""
        cell = self._tapped
        if cell is None or cell.column not in FIELD_OF:
            return
        if self._is_narrow or self.table.isColumnHidden(cell.column):
            self._focus_field_of(cell, select=True)
        else:
            number = self.area.rows.number_of(cell.row, cell.column)
            if number is not None:
                self.table.edit_cell(self.area.rows.index(number, cell.column))

    def _on_current(self, number: int) -> None:
        """Let the editor follow the current row while it stands beside the table, unless it shows
        the row's product or one of its variants already."""
        row = self.model.listed.row(number)
        if row is None or not self._shows_form or self._is_narrow:
            return
        if self.table.hasFocus() and row.product_id != self.model.current_id:
            self.model.open(row.product_id)

    def _on_cell_left(self, row: CatalogueRow) -> None:
        """Say that the row of an open cell left the list, unless the form says more of it."""
        if not self.model.must_decide:
            words = "cat.cell.left_typed" if self.model.unsaved_in(row) else ""
            self.notices.show_notice(
                self._texts("cat.cell.left", name=row.name),
                self._texts(words) if words else "",
                is_well=False,
            )

    def _add(self) -> None:
        self.model.add()
        self.editor.focus_first()

    def _leave_form(self) -> None:
        """Close a question of the form, else the form. A form whose article is gone stays for the
        next visit."""
        if self.editor.put_question_away():
            return
        if self.model.must_decide:
            self.frame.go_home()
        else:
            self._close_editor()

    def _close_editor(self) -> None:
        is_kept = self.model.is_new_typed
        self.model.close()
        if self.model.must_decide:
            self.editor.focus_decision()
        else:
            self._focus_rows()
        if is_kept:
            kept, words = self._texts("cat.new_kept"), self._texts("cat.new_kept_words")
            self.notices.show_notice(kept, words, is_done=False)
        self._show_waiting_plan()

    def _show_table(self) -> None:
        if self._is_narrow and self._shows_form:
            self.model.close()

    def _after_notice(self) -> None:
        if self._pages.currentWidget() is not self._main:
            self.take_focus()
        else:
            self._focus_rows()

    # --- all ticked rows -------------------------------------------------------------------------

    def _open_bulk(self, kind: BulkKind) -> None:
        panel = BulkPanel(self.model, self._ui, kind)
        panel.wanted.connect(self._change_ticked)
        self._put_beside(panel)

    def _open_labels(self) -> None:
        panel = ComingLabelsPanel(self.model, self._ui)
        panel.wanted.connect(self._print_labels)
        self._put_beside(panel)

    def _open_due_labels(self) -> None:
        self.model.wants_labels = False
        self._open_labels()
        assert isinstance(self.bulk, ComingLabelsPanel)
        services = self.model.services
        day, _ = labels_due(services.catalogue, services.till.clock.now())
        self.bulk.show_day(day)

    def _print_labels(self, day: date, only_new: bool) -> None:
        if self._may_begin():
            self.files.choose_coming_labels(day, only_new)

    def _put_beside(self, panel: BulkPanel | ComingLabelsPanel) -> None:
        self._close_bulk()
        self.bulk = panel
        panel.closed.connect(self._leave_bulk)
        self._sides.addWidget(panel)
        self._share_width()
        panel.focus_first()
        self.focus.settled()  # in a narrow window Qt moved it there before, as the table went

    def _close_bulk(self) -> None:
        panel, self.bulk = self.bulk, None
        if panel is not None:
            self._sides.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
            self._share_width()
            self._focus_rows()

    def _leave_bulk(self) -> None:
        self._close_bulk()
        self._show_waiting_plan()

    def _change_ticked(self, planned_rows: Sequence[PlannedRow]) -> None:
        if not self._may_begin():  # the panel stays, and the next press does it
            return
        rows = sorted(planned_rows, key=lambda row: row.product_id)
        products = [*dict.fromkeys(row.product_id for row in rows)]
        is_for_later = isinstance(self.bulk, BulkPanel) and self.bulk.is_for_later
        name: WorkName = "plan" if is_for_later else "change"
        self._close_bulk()
        begin = partial(self.model.many.change, rows, for_later=is_for_later)
        self.notices.follow_act(begin, name, products)

    def _may_begin(self) -> bool:
        """Tell whether long work can begin now; while other work runs, say why not where it is
        seen."""
        if self._pages.currentWidget() is self._main or self.work is None:
            return self.notices.may_begin()
        self.model.services.tones.play("no")
        self.tell(lambda texts: texts("cat.busy"))
        return False

    def _on_work_ended(self) -> None:
        self.notices.hide_work()
        self._tell_result()
        self._show_waiting_plan()

    def _tell_result(self) -> None:
        """Tell the result of the last work here, or once somebody sees it."""
        if self.frame.top is self and self.model.is_open:
            self.notices.tell_result()

    def _keep_from_work(self, is_busy: bool) -> None:
        """Disable the buttons that would begin other long work."""
        for button in (*self.band.acts, *self.filters.long_buttons):
            if is_busy:
                button.refuse(self._texts("cat.busy"))
            else:
                button.allow()
        self.names.keep_from_work(self._texts("cat.busy") if is_busy else "")

    # --- pages in place of the table -------------------------------------------------------------

    @property
    def _is_typed_in(self) -> bool:
        """Whether somebody works at something that a preview would cover."""
        is_searched = self.filters.search.edit.hasFocus() and bool(self.filters.search.text())
        is_at_row = self._shows_form or self.table.cell_editor is not None or is_searched
        is_on_page = self.model.is_deciding or self.model.is_naming
        return is_at_row or self.bulk is not None or is_on_page

    def _take_plan(self, plan: ImportPlan, path: Path, column: int | None) -> None:
        """Show what a file would change. While something is typed only say that it was read: the
        preview opens at its button, or once that is closed."""
        show = partial(self.show_plan, plan, path, column)
        if self._is_typed_in:
            self._plan_waits = show
            self.notices.offer_plan(path.name, show)
        else:
            show()

    def _show_waiting_plan(self) -> None:
        if self._plan_waits is not None and not self._is_typed_in and self.work is None:
            self._plan_waits()

    def show_plan(self, plan: ImportPlan, path: Path, column: int | None = None) -> None:
        """Show what a file would change. column: the index of the column answered last."""
        self._close_import()
        self._long.is_told = True
        self.notices.drop_offer()
        self._plan_waits = None
        self.import_page = page = ImportPage(plan, path.name, self._texts, self.theme)
        page.confirmed.connect(lambda: self._carry_out(plan, path))
        page.answered.connect(lambda answers, index: self._answer(path, answers, index))
        page.refused_wanted.connect(lambda: self.files.choose_refused(plan))
        page.went_back.connect(self._leave_import)
        self._pages.addWidget(page)
        self.show_place()
        page.focus_first(column)

    def _answer(self, path: Path, answers: SheetAnswers, column: int) -> None:
        if self._may_begin():
            self._leave_import()
            self.files.read_sheet(path, answers, column)

    def _tell_on_page(self, words: str) -> None:
        if self.import_page is not None:
            self.import_page.tell(words)

    def _leave_import(self) -> None:
        self.notices.forget_result()
        self._close_import()

    def _close_import(self) -> None:
        page, self.import_page = self.import_page, None
        if page is not None:
            self._pages.removeWidget(page)
            page.hide()
            page.deleteLater()
            self.show_place()
            self.take_focus()

    def _carry_out(self, plan: ImportPlan, path: Path) -> None:
        if self._may_begin():
            self._leave_import()
            self.files.carry_out(plan, path)

    def _decide(self, is_deciding: bool) -> None:
        """Open the page of undecided changes, or go back to the table."""
        self.model.is_deciding = is_deciding
        if is_deciding:
            self.conflicts.show_changes()
        self.show_place()
        self.take_focus()
        self._show_waiting_plan()

    def _open_names(self, is_naming: bool) -> None:
        """Open the page of units and categories, or go back to the table."""
        self.model.is_naming = is_naming
        self.names.close_removal()
        if is_naming:
            self.names.show_model()
        self.show_place()
        self.take_focus()
        self._show_waiting_plan()

    def _leave_names(self) -> None:
        if self.names.step_back():
            return
        self._open_names(False)
        if self.names.has_unsaved:
            texts = self._texts
            kept, words = texts("cat.names.kept"), texts("cat.names.kept_words")
            self.notices.show_notice(kept, words, is_done=False)

    def _change_names(self, rows: Sequence[PlannedRow], ends: EndingName) -> None:
        """Give the articles another unit or category, and let the old one go with the last."""
        if not self._may_begin():
            return
        self._open_names(False)
        products = [*dict.fromkeys(row.product_id for row in rows)]
        self.notices.follow_act(
            partial(self.model.many.change, rows, ends=ends), "change", products
        )

    def _open_undecided(self, product_id: str, article_id: str) -> None:
        self.model.is_deciding = False
        self.show_place()
        if self._opens(product_id, article_id):
            self.editor.focus_first()

    # --- what is shown ---------------------------------------------------------------------------

    def _show_everything(self) -> None:
        self.filters.search.set_text(self.model.listed.choice.query)
        self._share_width()
        self.show_place()
        self._show_rows()
        self._show_ticks()
        self._show_page()
        self.editor.show_model(frozenset({CataloguePart.CURRENT}))
        self.area.scroll_back()
        self.area.reopen_cell()

    def _on_change(self, changes: frozenset[CataloguePart]) -> None:
        if changes & {CataloguePart.LOCK, CataloguePart.PAGE}:
            self.show_place()
            self.take_focus()
            self._tell_result()
        if CataloguePart.LOCK in changes and self.frame.top is self:
            self._tell_on_visit()
        if CataloguePart.ROWS in changes and self.bulk is not None:
            self.bulk.renew()
        if CataloguePart.ROWS in changes:
            self.deleting.renew()
            self._show_rows()
            self._show_ticks()
        if changes & {CataloguePart.ROWS, CataloguePart.NEWS, CataloguePart.PAGE}:
            self._show_page()
        if CataloguePart.CURRENT in changes:
            self._share_width()
            if self._shows_form:
                self.area.follow_current()
        if CataloguePart.TICKS in changes:
            self._show_ticks()
        if CataloguePart.NEWS in changes:
            self.frame.announce(Change(ShopChange.CATALOGUE))
        self.editor.show_model(changes)
        self.table.viewport().update()

    def _show_page(self) -> None:
        """Show anew what the page in place of the table shows."""
        if self.model.is_naming:
            self.names.show_model()
        elif self.model.is_deciding:
            self.conflicts.show_changes()

    def show_place(self) -> None:
        page: QWidget = self._main
        if self.shows_keys:
            page = self._keys_of.get(self._covers_table, self.keys)
        elif not self.model.is_open:
            page = self.gate
        elif self.import_page is not None:
            page = self.import_page
        elif self.model.is_naming:
            page = self.names
        elif self.model.is_deciding:
            page = self.conflicts
        self._pages.setCurrentWidget(page)
        self.show_way_back()
        self._show_title()

    @property
    def is_searched(self) -> bool:
        is_typed = bool(self.filters.search.text())
        return self.model.is_open and is_typed and not (self._is_on_page or self._has_side)

    def step_title(self) -> str:
        if not self.model.is_open or self.is_searched:
            return super().step_title()
        steps = {
            "import": self.import_page is not None,
            "names": self.model.is_naming,
            "decisions": self.model.is_deciding,
            "labels": isinstance(self.bulk, ComingLabelsPanel),
            "several": self.bulk is not None,
            "form": self._shows_form,
        }
        return next((self._texts(f"cat.step.{name}") for name, on in steps.items() if on), "")

    @property
    def _has_side(self) -> bool:
        """Whether a form stands beside the table, or over it."""
        return self._shows_form or self.bulk is not None

    def _show_title(self) -> None:
        """Show the title with the number of articles; the empty state stands for none of them."""
        many = self.model.listed.count if self.model.is_open else 0
        count = self._texts.count("cat.products", many) if many else ""
        self.head.set_title(self._texts("cat.title"), count)
        self.show_way_back()

    def _focus_rows(self) -> None:
        """Focus the rows; if there are none, focus the search or the import, and if a form covers
        them, the form."""
        self.focus.settled()
        if self._is_narrow and self._has_side:
            (self.bulk or self.editor).focus_first()
        elif self.model.listed.count:
            self.area.focus_table()
        else:
            widget = (
                self.filters.import_button
                if self.model.listed.is_empty
                else self.filters.search.edit
            )
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_rows(self) -> None:
        had_focus = self.table.hasFocus()
        self.area.show_rows()
        if had_focus and not self.model.listed.count:
            self._focus_rows()
        self._show_title()
        self.filters.show_chips()

    def _show_ticks(self) -> None:
        ticked = len(self.model.listed.ticked)
        self.area.show_ticks()
        self.band.setVisible(bool(ticked))
        self.band.show_count(self._texts.count("cat.chosen", ticked))


ROOM, SCREEN = CatalogueRoom, CatalogueScreen
