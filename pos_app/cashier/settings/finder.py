"""Finds a setting by the names of pages, panels, fields and switches, and by the words below a
value. The search reads the pages' own texts, so that each text exists once. For this it makes all
pages at the first typed letter. Source: till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.parts import HeadedPanel, SettingsPage, Titled
from pos_app.cashier.settings.values_page import ValueRow
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox, RadioCard
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.labels import MOST_LINES
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.page_list import PageList, PageRow, make_one_stop, row_after
from pos_app.cashier.ui.painting import broken, put_lines, write
from pos_app.cashier.ui.panel import EmptyState, clear_layout
from pos_app.cashier.ui.scrolling import Scrolled, bring_into_sight
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.text.search_text import matches
from pos_app.lazy_dataclass import dataclass

MOST = 30
"""The most results that are shown."""


@dataclass(frozen=True, slots=True)
class FoundPart:
    """A result. page: the title of its page. part: the widget, or None for a whole page. about: a
    description, or another name."""

    name: PageName
    page: str
    icon: str
    words: str
    part: QWidget | None = None
    about: str = ""


def parts_in(
    name: PageName, page: str, icon: str, made: SettingsPage, *, about: str = ""
) -> Iterator[FoundPart]:
    """Iterate over the page and all that has a name on it, from the top. about: another name of the
    page."""
    yield FoundPart(name, page, icon, page, about=about)
    for part in made.findChildren(QWidget):
        words = about_text = ""
        match part:
            case ValueRow():
                words, about_text = part.words, part.about
            case Titled() | CheckBox() if isinstance(part.parent(), ValueRow):
                pass
            case HeadedPanel():
                words = part.title
            case Titled():
                words = part.words
            case CheckBox() | RadioCard():
                words = part.accessibleName()
        if words and words != page:
            yield FoundPart(name, page, icon, words, part, about_text)


def go_to(found_part: FoundPart, page: SettingsPage) -> None:
    """Put the focus into the part, or where the page begins: for the whole page, and where nothing
    of the part can have it."""
    part = found_part.part
    if part is None or not _takes_focus(part):
        page.focus_first()
        focus: QWidget | None = page.window().focusWidget()
        if focus is None or not page.isAncestorOf(focus):
            _takes_focus(page)
    if part is not None:
        bring_into_sight(part)


def _takes_focus(part: QWidget) -> bool:
    for one in (part, *part.findChildren(QWidget)):
        if one.focusPolicy() != Qt.FocusPolicy.NoFocus and one.isVisible() and one.isEnabled():
            one.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
    return False


class FoundRow(PageRow):
    def __init__(self, theme: Theme, found_part: FoundPart) -> None:
        super().__init__(theme, found_part.words, found_part.icon)
        self._part = found_part
        self.setAccessibleName(f"{found_part.words}, {found_part.page}")

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        words = len(self._broken()[1]) * metrics.line(TypeStep.BASE)
        tall = words + metrics.line(TypeStep.SMALL) + metrics.s2
        return QSize(super().sizeHint().width(), max(metrics.touch, tall))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _left_edge(self) -> int:
        return 2 * self.theme.metrics.s3 + self.theme.metrics.icon(20)

    def _broken(self) -> tuple[Meter, list[str]]:
        room, words = self.width() - self._left_edge() - self.theme.metrics.s2, self._part.words
        step, weight = TypeStep.BASE, Weight.SEMIBOLD
        return broken(
            self.theme, self.font(), words, room, step=step, weight=weight, lines=MOST_LINES
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self.theme, self.theme.metrics
        self.paint_ground(painter)
        size = metrics.icon(20)
        middle = QRect(metrics.s3, 0, size, self.height()).center()
        theme.draw_icon(painter, self._part.icon, "ink_2", 20, middle)
        room = self.rect().adjusted(self._left_edge(), metrics.s1, -metrics.s2, -metrics.s1)
        above = QRect(room.left(), room.top(), room.width(), metrics.line(TypeStep.BASE))
        bold, text_lines = self._broken()
        took = put_lines(painter, above, text_lines, bold, ink=theme.colour("ink"))
        below = room.adjusted(0, took, 0, 0)
        small = theme.fonts.resized(self.font(), TypeStep.SMALL)
        write(painter, below, self._part.page, theme.colour("ink_2"), small, elide=True)


class Finder(QObject):
    """The field above the list of pages, and its results, which replace the pages' rows.

    Signal: `chosen(FoundPart)`. all_parts: returns all that can be found, and makes pages that are
    not made yet. has_page: tells whether a page is available now.
    """

    chosen = Signal(object)

    def __init__(
        self,
        ui: UiContext,
        pages: PageList,
        all_parts: Callable[[], Sequence[FoundPart]],
        has_page: Callable[[PageName], bool],
    ) -> None:
        super().__init__(pages)
        self._ui, self._pages, self._all_parts, self._has_page = ui, pages, all_parts, has_page
        self._known: Sequence[FoundPart] | None = None
        texts, theme = ui.texts, ui.theme
        self.field = SearchField(
            theme,
            name=texts("set.find"),
            placeholder=texts("set.find.short"),
            clear_name=texts("set.find.clear"),
            key=cap_of(TillCommand.SEARCH),
        )
        self.results = QVBoxLayout()
        self.results.setContentsMargins(0, 0, 0, 0)
        self.results.setSpacing(theme.metrics.s1)
        inside = QWidget()
        self._whole = whole = QVBoxLayout(inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addLayout(self.results)
        whole.addStretch(0)
        self.area = Scrolled(theme, name=texts("set.found"))
        self.area.show_inside(inside)
        pages.column.insertWidget(0, self.field)
        pages.column.insertWidget(1, self.area, 1)
        self._rows: list[FoundRow] = []
        self.area.hide()
        self.field.changed.connect(self._find)
        self.field.edit.installEventFilter(self)

    @property
    def rows(self) -> Sequence[FoundRow]:
        """The rows of the results; those that are found by their name come first, pages before
        their parts."""
        return self._rows

    @property
    def is_searching(self) -> bool:
        return bool(self.field.text().strip())

    def clear(self) -> None:
        self.field.set_text("")

    def focus(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.edit.selectAll()

    def _find(self, text: str) -> None:
        typed = text.strip()
        self._pages.show_rows(not typed)
        self.area.setVisible(bool(typed))
        clear_layout(self.results)
        self._rows = []
        if not typed:
            return
        if self._known is None:
            self._known = self._all_parts()
        there = [one for one in self._known if self._has_page(one.name)]
        named = [found_part for found_part in there if matches(found_part.words, typed)]
        named.sort(key=lambda found_part: found_part.part is not None)
        entries = [one for one in there if one not in named and matches(one.about, typed)]
        found = [*named, *entries][:MOST]
        for part in found:
            row = FoundRow(self._ui.theme, part)
            row.clicked.connect(lambda _=False, part=part: self.chosen.emit(part))
            self._rows.append(row)
            self.results.addWidget(row)
        make_one_stop(self._rows, self._rows[0] if found else None)
        self._whole.setStretchFactor(self.results, 0 if found else 1)
        if found:
            self.order_stops(*self._rows)
        else:
            every = Button(self._ui.theme, self._ui.texts("set.found.all"))
            self.results.addWidget(self._nothing(every))
            self.order_stops(every)

    def order_stops(self, *results: QWidget) -> None:
        """Let Tab go from the field to the results, and then to the pages' rows, once all of them
        stand in one window."""
        for before, after in pairwise((self.field.edit, *results, *self._pages.rows.values())):
            QWidget.setTabOrder(before, after)

    def _nothing(self, every: Button) -> EmptyState:
        theme, texts = self._ui.theme, self._ui.texts
        every.clicked.connect(self.clear)
        title = texts("set.found.nothing")
        return EmptyState(theme, title=title, icon="search", colour="ink_3", button=every)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the arrow keys from the field, which would keep them. Enter ends here, too, because
        the page that it opens would press its main button."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take_first()
            return True
        is_row_key = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
        return is_row_key and self.step(event.key())

    def _take_first(self) -> None:
        if rows := self.rows:
            rows[0].click()

    def step(self, key: int) -> bool:
        """Go through the results by the keys of rows; tell whether there was a step."""
        rows, focus = self.rows, self._pages.window().focusWidget()
        at = next((n for n, row in enumerate(rows) if row is focus), -1)
        wanted = row_after(key, at, len(rows))
        is_here = focus is self.field.edit or focus in rows
        if wanted is None or not self.is_searching or not is_here:
            return False
        if key == Qt.Key.Key_Up and at <= 0:
            self.focus()
        else:
            row = rows[wanted]
            make_one_stop(rows, row)
            row.setFocus(Qt.FocusReason.OtherFocusReason)
            self.area.bring(row)
        return True
