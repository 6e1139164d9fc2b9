"""The picker: category chips, and the articles as a list or as tiles, which are loaded lazily."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMoveEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, FAVOURITES_CHIP, PAGE, Choice
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.picker_rows import PickerRows
from pos_app.cashier.sale.typed import is_code
from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import views
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, ChipSpec
from pos_app.cashier.ui.column_head import PickerHead
from pos_app.cashier.ui.idle import AfterPaint, GlyphWarmup
from pos_app.cashier.ui.panel import EmptyState, Panel
from pos_app.cashier.ui.press_part import REPEATS, REST_MS
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.words.cart_texts import badges
from pos_app.errors import MachineError
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.people.rights import Act

STAR = "star"
_LIST, _TILES, _NOTHING = range(3)
_SIGNS = {"picker.unread": "circle-alert", "picker.empty": "tag", "picker.no_articles": "tag"}
"""The icon of what is told without rows and without a search; a search has the glass."""


class Picker(QWidget):
    """Signals: `picked(CatalogueRow)`; `key_typed(QKeyEvent)`, a printable key for the search;
    `to_search()`, the arrow up was pressed in the first row; `catalogue_wanted()` and
    `everything_wanted()`, from the words in the place of the rows."""

    picked = Signal(object)
    key_typed = Signal(object)
    to_search = Signal()
    catalogue_wanted = Signal()
    everything_wanted = Signal()

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._texts = texts
        self._theme = theme
        self._screen = screen = model.context.screen
        self._product_of: dict[str, str] = {}
        self._counted: tuple[int, tuple[ChipSpec, ...]] | None = None
        self.rows = PickerRows(
            screen.rows_of(model.context.services),
            texts,
            theme,
            self,
            sync=model.context.services.sync,
        )
        self.chips = ChipRow(theme, more=lambda n: texts("picker.more", n=n), parent=self)
        self._lane = theme.metrics.s3 - theme.metrics.s2 // 2
        self.tiles = views.TileView(
            theme, name=texts("picker.name"), shows_current=True, lane=self._lane, parent=self
        )
        self.list_delegate = views.ListDelegate(theme)
        self.list = views.RowView(theme, self.list_delegate, name=texts("picker.name"), parent=self)
        self.head = PickerHead(theme)
        for view in (self.tiles, self.list):
            view.setProperty(REPEATS, True)  # three taps sell three
        self.letters = GlyphWarmup(theme, self.tiles)
        self._nothing = QWidget()
        self._nothing_words = ("", "", "")
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._chips_later = AfterPaint(self.show_chips, self)
        self._head_later = AfterPaint(self._name_columns, self)
        self._build()
        self._wire()
        self.show_chips()
        self.set_as_list(screen.as_list)
        self._restore_scroll(screen.scrolled)

    # --- what is shown ---------------------------------------------------------------------------

    @property
    def view(self) -> views.RowView:
        return self.list if self.rows.as_list else self.tiles

    def set_as_list(self, as_list: bool) -> None:
        """Show a list, or tiles, and forget the pictures of the other view."""
        self.rows.as_list = as_list
        other = self.tiles if as_list else self.list
        other.delegate.kept.forget()
        self._screen.as_list = as_list
        self._refresh()
        self._name_columns()

    def search(self, query: str) -> None:
        """Show the hits of a query; an empty query brings the former rows back."""
        now = self.rows.window.choice
        if query and not now.query:
            self._screen.chip_before = now.chip
        chip = now.chip
        if not query:
            chip = self._screen.chip_before
        elif not now.query:
            chip = ALL_CHIP
        if (query, chip) == (now.query, now.chip):
            return
        begins = bool(query) is not bool(now.query)
        self.rows.show(Choice(chip, query))
        self._refresh()
        if begins:
            self._chips_later.ask()

    def begin(self) -> None:
        """Begin with all articles in a shop that has few favourites, because it has sold little
        yet."""
        if self.rows.window.choice == Choice() and not self.rows.window.has_enough:
            self.rows.show(Choice(ALL_CHIP))
            self._refresh()
            self.show_chips()

    def hasHeightForWidth(self) -> bool:
        """The picker has the height that others leave; it gives way before all else."""
        return False

    def fold_chips(self, folded: bool) -> None:
        self.chips.setVisible(not folded)

    def show_chips(self) -> None:
        """Show the chips: favourites or, while searching, everything; then the categories."""
        texts, choice = self._texts, self.rows.window.choice
        specs = self._categories()
        everything = ChipSpec(ALL_CHIP, texts("picker.all"))
        if choice.query:
            specs.insert(0, everything)
        else:
            specs.insert(0, ChipSpec(FAVOURITES_CHIP, texts("picker.favourites"), STAR))
            specs.append(everything)
        self.chips.set_chips(specs, current=choice.chip)

    def _categories(self) -> list[ChipSpec]:
        """Return the categories' chips, read once until the catalogue changes."""
        catalogue = self._model.context.services.catalogue
        generation = catalogue.generation()
        if self._counted is None or self._counted[0] != generation:
            found = tuple(ChipSpec(one.id, one.name) for one in catalogue.categories_in_use())
            self._counted = (generation, found)
        return list(self._counted[1])

    def show_badges(self) -> None:
        cart = self._model.cart.ticket.cart
        for line in cart.active:
            article_id = line.article.article_id
            if article_id not in self._product_of:
                try:
                    article = self._model.context.services.catalogue.article(article_id)
                except MachineError:
                    # the status line says so, and a tile without its count sells as well
                    break
                self._product_of[article_id] = article.product_id if article else ""
        changed = self.rows.set_badges(badges(cart, self._product_of))
        if changed and not self.rows.as_list:
            for number in self.tiles.in_sight():
                row = self.rows.window.row(number)
                if row is not None and row.product_id in changed:
                    self.tiles.update(self.rows.index(number))

    def reload_if_outdated(self) -> bool:
        """Read anew if the catalogue has changed; tell whether it has. The chosen row stays chosen,
        and no other one is where it went."""
        if not self.rows.window.is_outdated():
            return False
        index, number = self.view.verticalScrollBar().value(), self.view.currentIndex().row()
        chosen = self.rows.window.row(number)
        self.rows.reload()
        self.show_chips()
        self._refresh()
        self._choose(self._found_again(chosen, near=number))
        self.view.verticalScrollBar().setValue(index)
        return True

    def _found_again(self, wanted: CatalogueRow | None, *, near: int) -> QModelIndex:
        """Return where a row is now, or no index if it is no more among the rows around."""
        if wanted is None:
            return QModelIndex()
        for number in range(max(0, near - PAGE), min(near + PAGE, self.rows.rowCount())):
            row = self.rows.window.row(number)
            if row is not None and row.product_id == wanted.product_id:
                return self.rows.index(number)
        return QModelIndex()

    def _choose(self, index: QModelIndex) -> None:
        self.view.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def take_current(self) -> bool:
        """Pick the current row, as Enter does; return False if there is none."""
        row = self.rows.window.row(self.view.currentIndex().row())
        if row is not None:
            self.picked.emit(row)
        return row is not None

    def step_in(self) -> None:
        """Move the focus into the rows, as the arrow down does."""
        view = self.view
        if self.rows.rowCount():
            if not view.currentIndex().isValid():
                view.setCurrentIndex(self.rows.index(0))
            view.setFocus(Qt.FocusReason.TabFocusReason)

    # --- parts -----------------------------------------------------------------------------------

    def _build(self) -> None:
        metrics = self._theme.metrics
        half = metrics.s2 // 2
        panel = Panel(self._theme)
        stack = panel.edge_column(foot=metrics.s1)
        stack.addWidget(self.head)
        stack.addWidget(self.list)
        inset = QWidget()
        around = QVBoxLayout(inset)
        around.setContentsMargins(half, half, half + self._lane, half)
        around.addWidget(panel)
        # The pages have a parent of their own, because turning a page paints everything in the
        # parent.
        pages_area = QWidget()
        self._pages = QStackedLayout(pages_area)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2 + 2 - half)
        row = QHBoxLayout()
        row.setContentsMargins(half, 0, half + self._lane, 0)
        row.addWidget(self.chips)
        column.addLayout(row)
        column.addWidget(pages_area, 1)
        for page in (inset, self.tiles, self._nothing):
            self._pages.addWidget(page)

    def _wire(self) -> None:
        self.list.setUniformItemSizes(True)
        for view in (self.list, self.tiles):
            view.setModel(self.rows)
            view.setSelectionMode(QListView.SelectionMode.SingleSelection)
            view.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            view.tapped.connect(self._on_tapped)
            view.installEventFilter(self)
            view.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.chips.chosen.connect(self._on_chip)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.take_current()
            return True
        if event.key() == Qt.Key.Key_Up and self._in_first_row():
            self.to_search.emit()
            return True
        if typed_text(event):
            self.key_typed.emit(event)
            return True
        return False

    def _in_first_row(self) -> bool:
        columns = 1 if self.rows.as_list else self.tiles.columns()
        return self.view.currentIndex().row() < columns

    @property
    def rests(self) -> bool:
        return self._resting.isActive()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Rest for a moment after a notice came or went: another tile now lies under the
        finger."""
        if self.isVisible() and event.oldPos() != event.pos():
            self._resting.start(REST_MS)
        super().moveEvent(event)

    def _on_tapped(self, index: QModelIndex) -> None:
        row = self.rows.window.row(index.row())
        if not self.rows.window.choice.query:
            self.view.setCurrentIndex(QModelIndex())
        if row is not None:
            self.picked.emit(row)

    def _on_scrolled(self, index: int) -> None:
        if self.isVisible():
            self._screen.scrolled = index

    def _restore_scroll(self, index: int) -> None:
        """Scroll once the view is laid out."""
        if index:
            QTimer.singleShot(0, self, lambda: self.view.verticalScrollBar().setValue(index))

    def _on_chip(self, chip_id: str) -> None:
        self.rows.show(Choice(chip_id, self.rows.window.choice.query))
        self._refresh()

    def _refresh(self) -> None:
        """Show the right page and choose the first hit; the list's head follows later."""
        choice = self.rows.window.choice
        if self.rows.as_list:
            self._head_later.ask()
        if not self.rows.rowCount():
            if self._model.context.services.faults.fault_of(Where.CATALOGUE) is not None:
                self._show_nothing("picker.unread")
                return
            self._show_nothing(*self._why_nothing(choice.query))
            return
        self.tiles.show_few(self.rows.rowCount() if choice == Choice() else 0)
        self._pages.setCurrentIndex(_LIST if self.rows.as_list else _TILES)
        self._choose(self.rows.index(0) if choice.query else QModelIndex())

    def follow_person(self) -> None:
        """Show who may fill a catalogue that has nothing."""
        if not self.rows.rowCount():
            self._refresh()

    def _why_nothing(self, query: str) -> tuple[str, ...]:
        """Return the id of the title that is shown without rows, and the id of the words if they
        are not the title's own."""
        services = self._model.context.services
        if not services.catalogue.count(most=1):
            title = "picker.no_articles"
            return (title,) if services.may(Act.CATALOGUE) else (title, "picker.no_articles_ask")
        if query:
            return ("picker.nothing_code" if is_code(query) else "picker.nothing",)
        return ("picker.empty",)

    def _name_columns(self) -> None:
        """Set the words of the list's head. This comes late, because to count many hits takes as
        long as to show the first."""
        choice, texts = self.rows.window.choice, self._texts
        name = texts("picker.article")
        if choice.query:
            name = texts.count("picker.found", self.rows.window.count, query=choice.query)
        self.head.set_words(
            code=texts("picker.code"),
            name=name,
            price=texts("picker.price"),
            unit=texts("picker.unit"),
        )

    def _show_nothing(self, text_id: str, text: str = "") -> None:
        icon = _SIGNS.get(text_id, "search")
        values = (self._texts(text_id), self._texts(text or f"{text_id}_words"), icon)
        if values != self._nothing_words:
            self._nothing_words = values
            self._replace_nothing(*values)
        self._pages.setCurrentIndex(_NOTHING)

    def _way_on(self) -> Button | None:
        """Make the key that leads on from where no article is shown."""
        services = self._model.context.services
        if services.faults.fault_of(Where.CATALOGUE) is not None:
            return None
        if services.catalogue.count(most=1):
            key = Button(self._theme, self._texts("empty.show_all"), icon="list")
            key.clicked.connect(self.everything_wanted)
            return key
        if not services.may(Act.CATALOGUE):
            return None
        key = Button(self._theme, self._texts("picker.open_catalogue"), icon="tag")
        key.clicked.connect(self.catalogue_wanted)
        return key

    def show_everything(self) -> None:
        """Show all articles, whatever was searched or chosen."""
        self.rows.show(Choice(ALL_CHIP))
        self._refresh()
        self.show_chips()

    def _replace_nothing(self, title: str, text: str, icon: str) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        half = self._theme.metrics.s2 // 2
        column.setContentsMargins(half, half, half + self._lane, half)
        column.addWidget(
            EmptyState(
                self._theme,
                title=title,
                words=text,
                icon=icon,
                colour="warn" if icon == "circle-alert" else "ink_2",
                button=self._way_on(),
            )
        )
        old, self._nothing = self._nothing, page
        self._pages.removeWidget(old)
        old.deleteLater()
        self._pages.insertWidget(_NOTHING, page)


def picked_row(value: object) -> CatalogueRow:
    assert isinstance(value, CatalogueRow)
    return value
