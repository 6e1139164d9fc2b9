"""The page of units and categories: the list of one of the two at the left, beside it the form of
the chosen entry, or the question before it goes."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.name_edit_words import opened
from pos_app.cashier.catalogue.names_model import MISSING, NEW, NameRow, NamesModel
from pos_app.cashier.commands import ENTER, ESCAPE
from pos_app.cashier.services.open_edits import OpenEditPanels
from pos_app.cashier.services.slices import take_slice
from pos_app.cashier.texts.lookup import Texts, sentence
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import ActButton, Button, is_enter, takes_enter
from pos_app.cashier.ui.choices import DropDown, Option, Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.page_list import PageRow, row_after
from pos_app.cashier.ui.panel import EmptyState, FilledPanel, Panel
from pos_app.cashier.ui.save_bar import SaveBar
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.article.product import Unit
from pos_app.selling.catalogue.bulk_act import EndingName, PlannedRow
from pos_app.selling.catalogue.bulk_change import BulkLine, preview
from pos_app.selling.catalogue.bulk_plan import row_of
from pos_app.selling.catalogue.names import instead, may_replace
from pos_app.selling.synchronisation.own_names import Named, NameKind

KINDS = tuple(NameKind)
_NONE = "-"
"""The option by which articles get nothing in place of an entry that goes."""


class NameButton(PageRow):
    """A row of the list: the name, the printed symbol, and how many rows of the table have it."""

    def __init__(self, theme: Theme, texts: Texts, row: NameRow, *, icon: str) -> None:
        named = row.named
        self.symbol = named.symbol if isinstance(named, Unit) else ""
        self._count = texts("cat.names.deleted") if row.is_deleted else str(row.rows or "–")
        articles = texts.count("cat.products", row.rows)
        parts = (named.name, self.symbol, self._count if row.is_deleted else articles)
        super().__init__(theme, named.name, icon)
        self.setAccessibleName(", ".join(part for part in parts if part))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self.theme, self.theme.metrics
        self.paint_ground(painter)
        is_chosen = self.isChecked()
        ink: Token = "accent" if is_chosen else "ink"
        small = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.MEDIUM)
        left, right = metrics.s3, self.width() - metrics.s3
        if self._icon:
            size = metrics.icon(18)
            spot = QRect(left, 0, size, self.height())
            theme.draw_icon(painter, self._icon, "warn", 18, spot.center())
            left += size + metrics.s2
        ends: tuple[tuple[str, Token, int], ...] = (
            (self._count, "ink_2", 2 * metrics.s6),
            (self.symbol, ink, 0),
        )
        for words, colour, least in ends:
            wide = max(painting.width_of(small, words), least) if words else 0
            room = QRect(right - wide, 0, wide, self.height())
            painting.write(painter, room, words, theme.colour(colour), small, align=painting.RIGHT)
            right -= wide + (metrics.s3 if wide else 0)
        font = theme.fonts.resized(
            self.font(), TypeStep.BASE, Weight.BOLD if is_chosen else Weight.MEDIUM
        )
        room = QRect(left, 0, right - left, self.height())
        painting.write(painter, room, self._words, theme.colour(ink), font, elide=True)


class NameForm(QWidget):
    """The fields of the chosen entry, and its acts. Signals: `typed_in()`; `merge_pressed()`;
    `delete_pressed()`."""

    typed_in, merge_pressed, delete_pressed = Signal(), Signal(), Signal()

    def __init__(self, names: NamesModel, ui: UiContext) -> None:
        super().__init__()
        self._names, self._texts = names, ui.texts
        theme, texts, metrics = ui.theme, ui.texts, ui.theme.metrics
        self.edits = OpenEditPanels(ui, otherwise=self.focus_first)
        self.title = Label(theme, step=TypeStep.NAME, weight=Weight.BOLD, wrap=True)
        self.name = Field(theme, name=texts("cat.names.name"), takes=InputKind.WORDS)
        self.symbol = Field(theme, name=texts("cat.names.symbol"), takes=InputKind.WORDS)
        self._symbol_head = Label(
            theme, texts("cat.names.symbol"), step=TypeStep.SMALL, colour="ink_2"
        )
        self.up = Button(theme, texts("cat.names.up"), icon="arrow-up")
        self.down = Button(theme, texts("cat.names.down"), icon="arrow-down")
        self.merge = Button(theme, texts("cat.names.merge"), icon="git-compare")
        self.delete = Button(theme, texts("cat.delete"), icon="trash-2", kind=ButtonKind.DANGER)
        self._words = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self._why = Label(theme, colour="danger", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s2)
        name_head = Label(theme, texts("cat.names.name"), step=TypeStep.SMALL, colour="ink_2")
        for field in (self.name, self.symbol):
            bounded(theme, field)
        parts = (self.edits, self.title, name_head, self.name, self._symbol_head, self.symbol)
        for part in (*parts, self._words, self._why):
            column.addWidget(part)
        for pair in ((self.up, self.down), (self.merge, self.delete)):
            row = QHBoxLayout()
            row.setSpacing(metrics.s2)
            for button in pair:
                button.let_fold()
                row.addWidget(button, 1)
            column.addLayout(row)
        column.addStretch(1)
        self.name.changed.connect(lambda text: self._type(name=text))
        self.symbol.changed.connect(lambda text: self._type(symbol=text))
        self.up.clicked.connect(lambda: names.move(-1))
        self.down.clicked.connect(lambda: names.move(1))
        self.merge.clicked.connect(self.merge_pressed)
        self.delete.clicked.connect(self.delete_pressed)

    def _type(self, **typed_fields: str) -> None:
        self._names.type(**typed_fields)
        self.show_faults()
        self.typed_in.emit()

    def focus_first(self) -> None:
        self.name.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_missing(self) -> None:
        fault = self._names.lacks() or next(iter(self._names.faults.values()), None)
        field = self.symbol if fault is not None and fault.field == "symbol" else self.name
        field.point_out()

    def show_row(self, row: NameRow | None) -> None:
        names, texts = self._names, self._texts
        draft = names.draft
        assert draft is not None
        is_unit = names.kind is NameKind.UNIT
        is_here = row is not None and not row.is_deleted
        title = texts(f"cat.names.new.{names.kind}") if row is None else row.named.name
        self.title.setText(title)
        for field, text in ((self.name, draft.name), (self.symbol, draft.symbol)):
            if field.text() != text:
                field.set_text(text)
            field.setEnabled(row is None or is_here)
        self._symbol_head.setVisible(is_unit)
        self.symbol.setVisible(is_unit)
        count = texts.count("cat.names.have", row.rows) if is_here and row is not None else ""
        printed = texts("cat.names.printed") if is_unit and is_here else ""
        self._words.setText(" ".join(part for part in (count, printed) if part))
        self._words.setVisible(bool(count or printed))
        for button, by in ((self.up, -1), (self.down, 1)):
            button.setVisible(is_here)
            if names.can_move(by):
                button.allow()
            else:
                button.refuse(texts("set.store.at_end"))
        self.merge.setVisible(is_here and bool(names.others()))
        self.delete.setVisible(is_here)
        edit = None if row is None else row.edit
        self.edits.show_edits([] if edit is None else opened(edit, names, texts))
        self.show_faults()

    def show_faults(self) -> None:
        names, texts = self._names, self._texts
        for name, field in (("name", self.name), ("symbol", self.symbol)):
            fault = names.faults.get(name)
            field.judge(texts.error(fault).happened if fault else "")
        failure = names.failure
        words = None if failure is None else texts.error(failure)
        self._why.setText(
            "" if words is None else f"{sentence(words.happened)} {words.safe}".strip()
        )
        self._why.setVisible(failure is not None)


class RemovalPanel(Panel):
    """The question before an entry goes, with what its articles get. Signals: `closed()`;
    `wanted(list[PlannedRow])`, the rows of the articles that change, none where no article has it.

    is_merge: another entry takes its place in any case.
    """

    closed = Signal()
    wanted = Signal(object)

    def __init__(
        self, model: CatalogueModel, names: NamesModel, ui: UiContext, *, is_merge: bool
    ) -> None:
        super().__init__(ui.theme)
        row = names.row()
        assert row is not None
        self._model, self._names, self._texts = model, names, ui.texts
        self.named: Named = row.named
        self._is_merge = is_merge
        theme, texts = ui.theme, ui.texts
        kind = "merge" if is_merge else "delete"
        asked = texts(f"cat.names.{kind}_sure", name=self.named.name)
        self.setAccessibleName(asked)
        self._title = Label(theme, asked, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self._count = Label(theme, weight=Weight.SEMIBOLD, wrap=True)
        self._words = Label(theme, texts("cat.names.sold_stays"), colour="ink_2", wrap=True)
        self._head = Label(theme, texts("cat.names.get"), step=TypeStep.SMALL, colour="ink_2")
        self.into = DropDown(
            theme, name=texts("cat.names.get"), placeholder=texts("cat.names.into")
        )
        bounded(theme, self.into)
        self._why = Label(theme, texts("cat.names.measured"), colour="danger", wrap=True)
        if is_merge:
            self.do = ActButton(theme, texts("cat.names.merge_do"), key=ENTER)
            EnterCap(self, self.do, ENTER, takes=takes_enter)
        else:
            self.do = ActButton(theme, texts("cat.delete"), icon="trash-2", kind=ButtonKind.DANGER)
        self.stop = Button(theme, texts("cat.keep"), key=ESCAPE)
        self._rows: list[PlannedRow] = []
        self._products: set[str] = set()
        self._reading: Iterator[BulkLine] = iter(())
        self._later = QTimer(self)
        self._later.timeout.connect(self._read_on)
        self._lay_out()
        self.into.chosen.connect(lambda _: self._read())
        self.stop.clicked.connect(self.closed)
        self.do.clicked.connect(self._do)
        self._listed_rows: object = None
        self.show_rows(names.rows())

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s2)
        for part in (self._title, self._count, self._head, self.into, self._why, self._words):
            column.addWidget(part)
        column.addStretch(1)
        acts = QHBoxLayout()
        acts.setSpacing(metrics.s2)
        acts.addWidget(self.stop)
        acts.addStretch(1)
        acts.addWidget(self.do)
        column.addLayout(acts)

    def focus_first(self) -> None:
        if self.into.isHidden():
            self.stop.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.into.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_rows(self, rows: tuple[NameRow, ...]) -> None:
        """Read anew where something was written since; the window tells of much else, too."""
        if rows is not self._listed_rows:
            self._listed_rows = rows
            self._read()

    def _read(self) -> None:
        """Read which articles have it, and what becomes of them; until all are read, nothing can be
        done."""
        texts, chosen = self._texts, self.into.current()
        others = [Option(one.id, one.name) for one in self._names.others()]
        none = [] if self._is_merge else [Option(_NONE, texts("cat.names.nothing"))]
        self.into.set_options([*others, *none])
        change = instead(self._names.kind, self.named.id, None if chosen in ("", _NONE) else chosen)
        catalogue = self._model.services.catalogue
        ids = catalogue.products_having(self._names.kind, self.named.id)
        self._rows, self._products = [], set()
        self._why.hide()
        self._reading = preview(catalogue, ids, change)
        self.do.refuse(texts("cat.bulk.reading"))
        self._count.setText(texts("cat.bulk.reading"))
        self._later.start()
        self._read_on()

    def _read_on(self) -> None:
        if take_slice(self._reading, self._read_line):
            self._later.stop()
            self._show_sums()

    def _read_line(self, line: BulkLine) -> None:
        if line.changes:
            self._products.add(line.product_id)
            self._rows.append(row_of(line))

    def _show_sums(self) -> None:
        texts, many = self._texts, len(self._products)
        self._count.setText(texts.count("cat.names.have", many))
        for part in (self._head, self.into):
            part.setVisible(bool(many) or self._is_merge)
        self._words.setVisible(bool(many))  # else no article changes
        lacks, is_other = self._lacks_answer, self._measures_otherwise
        self._why.setVisible(is_other)
        self.do.allow()
        order = "cat.names.order" if lacks else "cat.names.order.other" if is_other else ""
        self.do.show_act(order=texts(order) if order else "")

    @property
    def _lacks_answer(self) -> bool:
        return not self.into.current() and (bool(self._products) or self._is_merge)

    @property
    def _measures_otherwise(self) -> bool:
        """Whether articles would be weighed or counted otherwise, at the prices that they have."""
        is_had = bool(self._products and self.into.current())
        return is_had and not may_replace(self.named, self._instead)

    @property
    def _instead(self) -> Named | None:
        chosen = self.into.current()
        return next((one for one in self._names.others() if one.id == chosen), None)

    @property
    def into_name(self) -> str:
        """The name of what articles get; "" for nothing."""
        return "" if self._instead is None else self._instead.name

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event, self):
            if not event.isAutoRepeat() and self._is_merge and self.do.isEnabled():
                self._do()
            return
        super().keyPressEvent(event)

    def _do(self) -> None:
        if self._lacks_answer or self._measures_otherwise:
            self.focus_first()
        elif self._model.reload_if_outdated():  # it was another's: it is seen first
            self._model.services.tones.play("no")
        else:
            self.do.refuse(self._texts("cat.bulk.reading"))  # one press is one act
            self.wanted.emit(self._rows)


class NamesPage(QWidget):
    """Signal: `act_wanted(list[PlannedRow], EndingName)`, these articles shall get another unit or
    category, and the old one shall go."""

    act_wanted = Signal(object, object)

    def __init__(self, model: CatalogueModel, names: NamesModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._names, self._ui = model, names, ui
        self._texts, self._theme = ui.texts, ui.theme
        theme, texts = ui.theme, ui.texts
        self.setAccessibleName(texts("cat.names"))
        words = [texts(f"cat.names.{kind}") for kind in KINDS]
        self.kinds = Segment(theme, words, name=texts("cat.names"))
        self.add = Button(theme, icon="plus")
        self.buttons: dict[str, NameButton] = {}
        self._listed_rows: object = None
        self._list = Scrolled(theme, name=texts("cat.names"))
        self.form = NameForm(names, ui)
        self.removal: RemovalPanel | None = None
        self.acts = SaveBar(theme, texts)
        self._empty = EmptyState(
            theme,
            title=texts("cat.names.choose"),
            words=texts("cat.names.choose_words"),
            icon="tag",
        )
        self._side = QVBoxLayout()
        self._form_panel = FilledPanel(theme)
        self._lay_out()
        self.kinds.chosen.connect(self._choose_kind)
        self.add.clicked.connect(self._add)
        self.form.typed_in.connect(self._show_acts)
        self.form.merge_pressed.connect(lambda: self._ask(is_merge=True))
        self.form.delete_pressed.connect(lambda: self._ask(is_merge=False))
        self.acts.drop.clicked.connect(self._drop)
        self.acts.save.clicked.connect(self._save)

    def _lay_out(self) -> None:
        metrics = self._theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(*(metrics.s3,) * 4)
        whole.setSpacing(metrics.s3)
        head = QHBoxLayout()
        head.setSpacing(metrics.s2)
        head.addWidget(self.kinds)
        head.addStretch(1)
        head.addWidget(self.add)
        whole.addLayout(head)
        sides = QHBoxLayout()
        sides.setSpacing(metrics.s3)
        panel = FilledPanel(self._theme)
        panel.edge_column().addWidget(self._list)
        sides.addWidget(panel, 1)
        area = Scrolled(self._theme, name=self._texts("cat.names"))
        area.show_inside(self.form)
        self._form_panel.edge_column().addWidget(area)
        for part in (self._form_panel, self._empty):
            self._side.addWidget(part, 1)
        sides.addLayout(self._side, 1)
        whole.addLayout(sides, 1)
        whole.addWidget(self.acts)

    # --- for the screen --------------------------------------------------------------------------

    def show_model(self) -> None:
        names = self._names
        rows = names.rows()
        self.kinds.set_current(KINDS.index(names.kind))
        self._show_add()
        if names.current not in (None, NEW) and names.row() is None:
            names.current = None  # it went meanwhile
        if self.removal is not None and self.removal.named.id != names.current:
            self.close_removal()
        self._show_list(rows)
        has_form = names.draft is not None
        if has_form:
            self.form.show_row(names.row())
        if self.removal is not None:
            self.removal.show_rows(rows)
        self._form_panel.setVisible(has_form and self.removal is None)
        self._empty.setVisible(not has_form)
        self._show_acts()

    def _show_add(self) -> None:
        """Say on the key where it is what was typed for a new entry and is not saved."""
        texts, names = self._texts, self._names
        words, is_kept = texts(f"cat.names.add.{names.kind}"), names.is_typed(NEW)
        self.add.set_icon("pencil" if is_kept else "plus")
        self.add.set_words(f"{words}: {texts('cat.state.unsaved')}" if is_kept else words)

    @property
    def has_unsaved(self) -> bool:
        return self._names.has_unsaved

    def focus_first(self) -> None:
        """Focus the question, the form of a new entry, or the current row of the list."""
        if self.removal is not None:
            self.removal.focus_first()
        elif self._names.current == NEW:
            self.form.focus_first()
        elif self.buttons:
            button = self.buttons.get(self._names.current or "", next(iter(self.buttons.values())))
            button.setFocus(Qt.FocusReason.OtherFocusReason)
            self._list.bring(button)
        else:
            self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def step_back(self) -> bool:
        """Close the question, or the form of a new entry; tells whether there was one."""
        if self.removal is not None:
            self._leave_removal()
            return True
        if self._names.current == NEW:
            self._names.open(None)
            self.focus_first()
            return True
        return False

    # --- the list --------------------------------------------------------------------------------

    def _show_list(self, rows: tuple[NameRow, ...]) -> None:
        texts, names = self._texts, self._names
        shown = [(row, self._icon(row)) for row in rows]
        if shown != self._listed_rows:
            focus = next((one for one, button in self.buttons.items() if button.hasFocus()), None)
            self._listed_rows = shown
            inside = QWidget()
            column = QVBoxLayout(inside)
            column.setContentsMargins(*(self._theme.metrics.s1,) * 4)
            column.setSpacing(0)
            self.buttons = {}
            for row, icon in shown:
                button = NameButton(self._theme, texts, row, icon=icon)
                name_id = row.named.id
                button.clicked.connect(lambda _=False, name_id=name_id: self._open(name_id))
                self.buttons[name_id] = button
                column.addWidget(button)
            column.addStretch(1)
            self._list.show_inside(inside)
            if focus in self.buttons:
                self.buttons[focus].setFocus(Qt.FocusReason.OtherFocusReason)
        for name_id, button in self.buttons.items():
            button.setChecked(name_id == names.current)

    def _icon(self, row: NameRow) -> str:
        if row.needs_person:
            return "git-compare"
        return "pencil" if self._names.is_typed(row.named.id) else ""

    def _open(self, name_id: str) -> None:
        self.close_removal()
        self._names.open(name_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ids = [*self.buttons]
        at = next((n for n, one in enumerate(ids) if self.buttons[one].hasFocus()), None)
        row = None if at is None else row_after(event.key(), at, len(ids))
        if row is None:
            super().keyPressEvent(event)
            return
        wanted = ids[row]
        self._open(wanted)
        self.buttons[wanted].setFocus(Qt.FocusReason.TabFocusReason)
        self._list.bring(self.buttons[wanted])

    # --- acts ------------------------------------------------------------------------------------

    def _choose_kind(self, number: int) -> None:
        self.close_removal()
        self._names.choose_kind(KINDS[number])

    def _add(self) -> None:
        self.close_removal()
        self._names.open(NEW)
        self.form.focus_first()

    def _drop(self) -> None:
        self._names.drop_typed()
        self.focus_first()

    def _save(self) -> None:
        if not self._can_save():
            return
        if self._names.lacks() is not None or not self._names.save():
            self.form.focus_missing()
        else:
            self.focus_first()

    def _can_save(self) -> bool:
        names = self._names
        return self.removal is None and (names.has_typed or names.current == NEW)

    def _show_acts(self) -> None:
        names, texts = self._names, self._texts
        self.acts.setVisible(self.removal is None and names.draft is not None)
        can_save = self._can_save()
        self.acts.drop.setVisible(names.has_typed)
        if can_save:
            self.acts.save.allow()
        else:
            self.acts.save.refuse(texts("set.nothing_to_save"))
        fault = names.lacks() if can_save else None
        lacks = "mend" if fault is not None and fault.kind not in MISSING else fault and fault.field
        order = texts(f"cat.names.order.{lacks}") if lacks else ""
        self.acts.save.show_act(order=order)
        kind = StateKind.DECIDE if names.has_typed else None
        self.acts.tell(kind, texts("set.unsaved") if names.has_typed else "")

    def _ask(self, *, is_merge: bool) -> None:
        if self.removal is not None or self._names.row() is None:
            return
        self.removal = RemovalPanel(self._model, self._names, self._ui, is_merge=is_merge)
        self.removal.closed.connect(self._leave_removal)
        self.removal.wanted.connect(self._remove)
        self._side.addWidget(self.removal, 1)
        self.removal.show()
        self.show_model()
        self.removal.focus_first()

    def _leave_removal(self) -> None:
        self.close_removal()
        self.show_model()
        self.focus_first()

    def close_removal(self) -> None:
        panel, self.removal = self.removal, None
        if panel is not None:
            self._side.removeWidget(panel)
            panel.hide()
            panel.deleteLater()

    def _remove(self, rows: list[PlannedRow]) -> None:
        assert self.removal is not None
        named, into = self.removal.named, self.removal.into_name
        self.close_removal()
        if rows:
            ends = EndingName(self._names.kind, named.id, named.name, into)
            self.act_wanted.emit(rows, ends)
            return
        self._names.delete(named)
        self.show_model()
        self.focus_first()

    def keep_from_work(self, words: str) -> None:
        """Refuse the acts that would begin long work, with these words; "" allows them."""
        for button in (self.form.merge, self.form.delete):
            if words:
                button.refuse(words)
            else:
                button.allow()
