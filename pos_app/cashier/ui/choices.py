"""Widgets to choose one or several of a few, or to say yes.

Shape shows the state, never colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui import buttons, painting
from pos_app.cashier.ui.button_face import ButtonKind, button_width
from pos_app.cashier.ui.field import FIELD_WIDTH
from pos_app.cashier.ui.flow import FlowLayout
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.press_guard import guard_opened
from pos_app.cashier.ui.press_part import PressPart
from pos_app.cashier.ui.theme import RING, Theme, ThemedButton, ThemedWidget, refuse
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ChipSpec:
    id: str
    words: str
    icon: str = ""


class ChipRow(ThemedWidget):
    """Chips in one row. Chips without room go into a menu behind an overflow chip at the end.
    Signal: `chosen(str)` with the id of a chip, only when the cashier chose it. more: gives the
    words of the overflow chip ("Још 9") for n chips in the menu."""

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, *, more: Callable[[int], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._more_words = more
        self._follows: QWidget | None = None
        self._specs: tuple[ChipSpec, ...] = ()
        self._chips: list[buttons.Button] = []
        self._folded: tuple[ChipSpec, ...] = ()
        self._current = ""
        self._menu = QMenu(self)
        self._more = buttons.Button(
            theme,
            icon="chevron-down",
            icon_last=True,
            kind=ButtonKind.CHIP,
            narrow=True,
            parent=self,
        )
        self._more.clicked.connect(self._open_menu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def follow(self, before: QWidget) -> None:
        """Put this row after that widget in the order of the focus."""
        self._follows = before
        self._order()

    def set_chips(self, specs: Sequence[ChipSpec], *, current: str) -> None:
        """Show these chips, one of them chosen. A chip that was there before keeps its button."""
        before = dict(zip(self._specs, self._chips, strict=True))
        self._specs = tuple(specs)
        self._current = current
        self._chips = [
            before.pop(spec) if spec in before else self._make(spec) for spec in self._specs
        ]
        for chip in before.values():
            chip.hide()
            chip.deleteLater()
        self._order()
        self._arrange()

    def _order(self) -> None:
        """Let the focus go through the row in reading order."""
        order = (*self._chips, self._more)
        for before, after in pairwise(order if self._follows is None else (self._follows, *order)):
            QWidget.setTabOrder(before, after)

    def set_current(self, option_id: str) -> None:
        """Choose a chip without a signal."""
        self._current = option_id
        self._arrange()

    def current(self) -> str:
        return self._current

    def folded(self) -> tuple[ChipSpec, ...]:
        """Return the chips that are in the menu at the present width."""
        return self._folded

    def sizeHint(self) -> QSize:
        gap = self.theme.metrics.s2
        return QSize(sum(c.sizeHint().width() + gap for c in self._chips), self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.theme.metrics.touch, self.theme.metrics.touch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _make(self, spec: ChipSpec) -> buttons.Button:
        chip = buttons.Button(
            self.theme, spec.words, icon=spec.icon, kind=ButtonKind.CHIP, narrow=True, parent=self
        )
        chip.setCheckable(True)
        chip.clicked.connect(lambda: self._choose(spec.id))
        return chip

    def _choose(self, option_id: str) -> None:
        changed = option_id != self._current
        self._current = option_id
        self._arrange()
        if changed:
            self.chosen.emit(option_id)

    def _arrange(self) -> None:
        fitting = self._fitting()
        gap, height = self.theme.metrics.s2, self.theme.metrics.touch
        left = 0
        for number, (chip, spec) in enumerate(zip(self._chips, self._specs, strict=True)):
            chip.setChecked(spec.id == self._current)
            chip.setVisible(number < fitting)
            width = chip.sizeHint().width()
            chip.setGeometry(left, 0, width, height)
            left += width + gap if number < fitting else 0
        self._folded = self._specs[fitting:]
        self._more.setVisible(bool(self._folded))
        if self._folded:
            self._show_more(left)

    def _show_more(self, left_edge: int) -> None:
        option_ids = [spec.id for spec in self._folded]
        inside = self._current in option_ids
        words = self._more_words(len(option_ids))
        if inside:
            words = self._folded[option_ids.index(self._current)].words
        self._more.set_words(words)
        self._more.set_kind(ButtonKind.CHOSEN if inside else ButtonKind.CHIP)
        self._more.setGeometry(
            left_edge, 0, max(0, self.width() - left_edge), self.theme.metrics.touch
        )

    def _fitting(self) -> int:
        """Return how many chips fit into the row, beside the overflow chip if that is needed."""
        gap = self.theme.metrics.s2
        widths = [chip.sizeHint().width() for chip in self._chips]
        if sum(widths) + gap * max(0, len(widths) - 1) <= self.width():
            return len(widths)
        count = len(widths) - 1
        taken = sum(widths[:count]) + gap * count
        while count > 0 and taken + self._more_width(len(widths) - count) > self.width():
            count -= 1
            taken -= widths[count] + gap
        return count

    def _more_width(self, folded: int) -> int:
        spec = replace(self._more.spec, words=self._more_words(folded))
        return button_width(self.theme, self.font(), spec)

    def _open_menu(self) -> None:
        _fill_menu(self._menu, self._folded, chosen=(self._current,), choose=self._choose)
        self._menu.popup(self._menu_position())
        guard_opened(self._menu)

    def _menu_position(self) -> QPoint:
        """Return the menu's position: below the chip and at its right edge, or higher if the window
        ends too soon."""
        size, window, chip = self._menu.sizeHint(), self.window(), self._more
        below = chip.mapToGlobal(QPoint(chip.width(), chip.height() + self.theme.metrics.s1))
        corner = window.mapToGlobal(QPoint(window.width(), window.height()))
        top = min(below.y(), corner.y() - size.height())
        first = window.mapToGlobal(QPoint(0, 0))
        return QPoint(max(first.x(), below.x() - size.width()), max(first.y(), top))


class Segment(ThemedWidget):
    """Parts side by side on a sunken track; the chosen part has an accent edge. Left and right
    arrows choose. Signal: `chosen(int)` with the number of a part, only when the cashier chose
    it."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, labels: Sequence[str], *, name: str) -> None:
        super().__init__(theme)
        self._labels = list(labels)
        self._name = name
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a finger leaves the caret in its field
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(RING, theme.metrics.radius_button)
        self._tell()

    def current(self) -> int:
        return self._current

    def set_current(self, number: int) -> None:
        """Choose a part without a signal."""
        if number != self._current:
            self._current = number
            self._tell()
            self.update()

    def refuse(self, reason: str) -> None:
        """Disable the segment and say why, in the tool tip and to a screen reader."""
        refuse(self, reason)

    def allow(self) -> None:
        self.setEnabled(True)
        self.setToolTip("")
        self._tell()

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()), self.theme.metrics.touch)

    def part_at(self, x: int) -> int | None:
        """Return the number of the part at `x`, or None."""
        for number, rect in enumerate(self.part_rects()):
            if rect.left() <= x <= rect.right():
                return number
        return None

    def press_part(self, point: QPoint) -> PressPart | None:
        number = self.part_at(point.x())
        return None if number is None else PressPart(number, self.part_rects()[number])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number = self.part_at(round(event.position().x()))
        if event.button() is Qt.MouseButton.LeftButton and number is not None:
            self._choose(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        self._choose(min(max(self._current + step, 0), len(self._labels) - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, theme = self.theme.metrics, self.theme
        enabled = self.isEnabled()
        painting.box(
            painter,
            self.rect(),
            radius=metrics.radius_button,
            width=metrics.hair,
            fill=theme.colour("sunken"),
            edge=theme.colour("line_strong"),
        )
        for number, rect in enumerate(self.part_rects()):
            here = number == self._current
            if here:
                painting.box(
                    painter,
                    rect,
                    radius=metrics.radius_field,
                    width=metrics.edge,
                    fill=theme.colour("surface" if enabled else "sunken"),
                    edge=theme.colour("accent" if enabled else "line_strong"),
                )
            font = theme.fonts.resized(
                self.font(), TypeStep.BASE, Weight.BOLD if here else Weight.MEDIUM
            )
            ink: Token = ("accent" if here else "ink_2") if enabled else "ink_3"
            colour = theme.colour(ink)
            painting.write(painter, rect, self._labels[number], colour, font, align=painting.CENTRE)

    def _choose(self, number: int) -> None:
        if number != self._current:
            self.set_current(number)
            self.chosen.emit(number)

    def _widths(self) -> list[int]:
        side = self.theme.metrics.s3 if self.theme.metrics.narrow else self.theme.metrics.s4
        bold = QFontMetrics(self.theme.font(TypeStep.BASE, Weight.BOLD))
        touch = self.theme.metrics.touch
        return [max(bold.horizontalAdvance(part) + 2 * side, touch) for part in self._labels]

    def part_rects(self) -> list[QRect]:
        hair = self.theme.metrics.hair
        left = 0
        rects = []
        for width in self._widths():
            rects.append(QRect(left, 0, width, self.height()))
            left += width
        if rects:
            rects[0].setLeft(hair)
            rects[-1].setRight(self.width() - 1 - hair)
        return [rect.adjusted(0, hair, 0, -hair) for rect in rects]

    def _tell(self) -> None:
        part = self._labels[self._current] if self._labels else ""
        self.setAccessibleName(f"{self._name}: {part}")
        self.setAccessibleDescription(" · ".join(self._labels))


class CheckBox(ThemedButton):
    """A box of 24 px at the left edge of a target of T, and words beside the box."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__(theme, words)
        self._words = words
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        words = painting.width_of(self.theme.font(TypeStep.BASE), self._words)
        return QSize(metrics.icon(24) + words + 2 * metrics.s2, metrics.touch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        size = metrics.icon(24)
        rect = QRect(0, (self.height() - size) // 2, size, size)
        paint_check(painter, rect, self.theme, ticked=self.isChecked(), enabled=self.isEnabled())
        room = self.rect().adjusted(rect.right() + 1 + metrics.s2, 0, 0, 0)
        ink = self.theme.colour("ink" if self.isEnabled() else "ink_3")
        font = self.theme.fonts.resized(self.font(), TypeStep.BASE)
        painting.write(painter, room, self._words, ink, font, align=painting.LEFT)


def paint_check(
    painter: QPainter, rect: QRect, theme: Theme, *, ticked: bool, enabled: bool = True
) -> None:
    metrics = theme.metrics
    edge: Token = "line_strong" if enabled else "line"
    fill: Token = "surface" if enabled else "sunken"
    if ticked and enabled:
        edge = fill = "accent"
    radius = metrics.radius_cap + metrics.s1 // 2
    painting.box(
        painter,
        rect,
        radius=radius,
        fill=theme.colour(fill),
        edge=theme.colour(edge),
        width=metrics.edge,
    )
    if ticked:
        ink: Token = "on_accent" if enabled else "ink_2"
        theme.draw_icon(painter, "check", ink, 18, rect.center() + QPoint(1, 1))


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    words: str


class DropDown(ThemedButton):
    """A field whose value is chosen from a menu below it. Signal: `chosen(str)` with the option's
    id, only when a person chose."""

    chosen = Signal(str)

    has_ring = False

    def __init__(self, theme: Theme, *, name: str, placeholder: str = "") -> None:
        super().__init__(theme, name)
        self._name = name
        self._placeholder = placeholder
        self._options: tuple[Option, ...] = ()
        self._current = ""
        self._error = ""
        self._menu = QMenu(self)
        self.clicked.connect(self._open)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_options(self, options: Sequence[Option]) -> None:
        """Offer these. A chosen one that is no longer among them is chosen no more, and an open
        menu of others closes."""
        if tuple(options) == self._options:
            return
        self._options = tuple(options)
        self._menu.close()
        if self._current not in {one.id for one in self._options}:
            self._current = ""
        self._tell()

    def set_placeholder(self, words: str) -> None:
        self._placeholder = words
        self.update()

    def set_current(self, option_id: str) -> None:
        """Choose without a signal."""
        self._current = option_id
        self._tell()

    def current(self) -> str:
        return self._current

    def text(self) -> str:
        return next((one.words for one in self._options if one.id == self._current), "")

    def sizeHint(self) -> QSize:
        metrics, font = self.theme.metrics, self.theme.font()
        words = painting.width_of(font, self.text() or self._placeholder)
        wide = words + 2 * metrics.s3 + metrics.icon(18) + 2
        return QSize(max(3 * metrics.touch, wide), metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * self.theme.metrics.touch, self.theme.metrics.touch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, theme = self.theme.metrics, self.theme
        focus = self.hasFocus()
        painting.box(
            painter,
            self.rect(),
            radius=metrics.radius_field,
            width=metrics.edge if focus else metrics.hair,
            fill=theme.colour("line" if self.isDown() else "surface"),
            edge=theme.colour("focus" if focus else "line_strong"),
        )
        size = metrics.icon(18)
        room = self.rect().adjusted(metrics.s3, 0, -metrics.s3 - size, 0)
        middle = QPoint(self.width() - metrics.s3 - size // 2 + 1, self.height() // 2 + 1)
        theme.draw_icon(painter, "chevron-down", "ink_2", 18, middle)
        words = self.text() or self._placeholder
        ink = theme.colour("ink" if self.text() else "ink_3")
        step, weight, wide = TypeStep.BASE, Weight.MEDIUM, room.width()
        meter = painting.fitting_words(
            theme, self.font(), words, step=step, weight=weight, free_width=wide
        )
        painting.put(painter, room, words, ink, meter.font, elide=True)

    def _tell(self) -> None:
        self.setAccessibleName(f"{self._name}: {self.text()}".rstrip(": "))
        self.updateGeometry()
        self.update()

    def _open(self) -> None:
        _fill_menu(self._menu, self._options, chosen=(self._current,), choose=self._choose)
        popup_below(self._menu, self)
        for action in self._menu.actions():
            if action.isChecked():  # the arrow keys begin there
                self._menu.setActiveAction(action)

    def _choose(self, option_id: str) -> None:
        if option_id != self._current:
            self.set_current(option_id)
            self.chosen.emit(option_id)


MOST_SEGMENTS = 4
"""The most words that stand side by side."""


class WordChoice(ThemedWidget):
    """One of the words that the program itself knows, such as a language: side by side while they
    are few and have room, else in a menu. Words that come from elsewhere, such as printers or
    categories, can become many, and stand in a `DropDown`. Signal: `chosen(str)` with the option's
    id, only when a person chose."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, options: Sequence[Option], *, name: str) -> None:
        super().__init__(theme)
        self._options = tuple(options)
        self._segment = Segment(theme, [one.words for one in options], name=name)
        self._drop = DropDown(theme, name=name)
        self._drop.set_options(options)
        self._is_few = len(self._options) <= MOST_SEGMENTS
        for part in (self._segment, self._drop):
            part.setParent(self)
        widths = QSizePolicy.Policy.Maximum if self._is_few else QSizePolicy.Policy.Expanding
        self.setSizePolicy(widths, QSizePolicy.Policy.Fixed)
        self._segment.chosen.connect(lambda number: self._choose(self._options[number].id))
        self._drop.chosen.connect(self._choose)
        self._arrange()

    def set_current(self, option_id: str) -> None:
        """Choose without a signal."""
        ids = [one.id for one in self._options]
        self._segment.set_current(ids.index(option_id))
        self._drop.set_current(option_id)
        self.updateGeometry()

    def current(self) -> str:
        return self._drop.current()

    def refuse(self, reason: str) -> None:
        self._segment.refuse(reason)
        self._drop.refuse(reason)

    def allow(self) -> None:
        self._segment.allow()
        self._drop.allow()

    def sizeHint(self) -> QSize:
        return (self._segment if self._is_few else self._drop).sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._drop.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        whole = self._segment.sizeHint()
        is_side_by_side = self._is_few and self.width() >= whole.width()
        self._segment.setVisible(is_side_by_side)
        self._segment.resize(whole)
        self._drop.setVisible(not is_side_by_side)
        widest = self.theme.metrics.px(FIELD_WIDTH)
        self._drop.setGeometry(0, 0, min(self.width(), widest), self.theme.metrics.touch)
        self.setFocusProxy(self._segment if is_side_by_side else self._drop)

    def _choose(self, option_id: str) -> None:
        self.set_current(option_id)
        self.chosen.emit(option_id)


def _fill_menu(
    menu: QMenu,
    options: Iterable[ChipSpec | Option],
    *,
    chosen: Container[str],
    choose: Callable[[str], None],
) -> None:
    """Fill a menu anew with options; the chosen ones have a tick."""
    menu.clear()
    for option in options:
        action = QAction(option.words.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(option.id in chosen)
        action.triggered.connect(lambda _=False, key=option.id: choose(key))
        menu.addAction(action)


def popup_below(menu: QMenu, button: QWidget) -> None:
    """Open a menu below the pressed widget, or higher if the window ends too soon."""
    size, window = menu.sizeHint(), button.window()
    below = button.mapToGlobal(QPoint(0, button.height()))
    corner = window.mapToGlobal(QPoint(window.width(), window.height()))
    first = window.mapToGlobal(QPoint(0, 0))
    left = min(below.x(), corner.x() - size.width())
    top = min(below.y(), corner.y() - size.height())
    menu.popup(QPoint(max(first.x(), left), max(first.y(), top)))
    guard_opened(menu)


class ChipFlow(ThemedWidget):
    """The chosen options as chips, a press on which removes the chip, and a button that adds one.
    Signals: `changed(list)` with the ids, only when a person changed them; `other_wanted()` asks
    for an option that the list lacks."""

    changed = Signal(list)
    other_wanted = Signal()

    def __init__(
        self, theme: Theme, *, name: str, add: str, other: str, take_off: Callable[[str], str]
    ) -> None:
        """add: the words of the button that adds. other: the words for an option that the list
        lacks; with an empty list the button asks for it at once. take_off: gives a chip's name for
        a screen reader."""
        super().__init__(theme)
        self._other = other
        self._take_off = take_off
        self._options: tuple[Option, ...] = ()
        self._ids: list[str] = []
        self._chips: list[buttons.Button] = []
        self._menu = QMenu(self)
        self.add = buttons.Button(theme, add, icon="plus", kind=ButtonKind.QUIET, parent=self)
        self.add.clicked.connect(self._open)
        self.setAccessibleName(name)
        self._flow = FlowLayout(theme.metrics.s2)
        self.setLayout(self._flow)
        self._flow.addWidget(self.add)

    def set_options(self, options: Sequence[Option]) -> None:
        """Offer these. The chip of one that is no longer among them goes, and an open menu of
        others closes."""
        if tuple(options) == self._options:
            return
        self._options = tuple(options)
        self._menu.close()
        self._show_chips(self._ids)

    def set_ids(self, option_ids: Sequence[str]) -> None:
        """Show the chips of these ids without a signal. An id without an option has none."""
        if self._known(option_ids) != self._ids or not self._chips:
            self._show_chips(option_ids)

    def _known(self, option_ids: Sequence[str]) -> list[str]:
        known = {one.id for one in self._options}
        return [one for one in option_ids if one in known]

    def _show_chips(self, option_ids: Sequence[str]) -> None:
        self._ids = self._known(option_ids)
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(option_id) for option_id in self._ids]
        for chip in (*self._chips, self.add):  # the button that adds stays the last one
            self._flow.removeWidget(chip)
            self._flow.addWidget(chip)

    def _chip(self, option_id: str) -> buttons.Button:
        words = next(one.words for one in self._options if one.id == option_id)
        chip = buttons.Button(
            self.theme,
            words,
            icon="x",
            icon_last=True,
            kind=ButtonKind.CHOSEN,
            narrow=True,
            name=self._take_off(words),
            parent=self,
        )
        chip.clicked.connect(lambda: self._change([one for one in self._ids if one != option_id]))
        chip.show()
        return chip

    def _change(self, option_ids: list[str]) -> None:
        self.set_ids(option_ids)
        self.changed.emit(option_ids)

    def choose(self, option_id: str) -> None:
        """Add an option, as a person does."""
        if option_id not in self._ids:
            self._change([*self._ids, option_id])

    def _open(self) -> None:
        if not self._options:
            self.other_wanted.emit()
            return
        _fill_menu(self._menu, self._options, chosen=self._ids, choose=self._toggle)
        self._menu.addSeparator()
        self._menu.addAction(self._other, self.other_wanted.emit)
        popup_below(self._menu, self.add)

    def _toggle(self, option_id: str) -> None:
        self._change(
            [one for one in self._ids if one != option_id]
            if option_id in self._ids
            else [*self._ids, option_id]
        )


class CardButton(buttons.FacedButton):
    """A large button with labels on it, as high as their words need. least, usual: the width in
    touch sizes."""

    def __init__(self, theme: Theme, title: str, words: str, *, least: int, usual: int) -> None:
        super().__init__(theme, title)
        self.setAccessibleDescription(words)
        self._least, self._usual = least, usual
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def put(self, labels: Sequence[QWidget], margins: QMargins, spacing: int) -> None:
        """Stack the labels from the top; a press on one of them presses the button."""
        column = QVBoxLayout(self)
        column.setContentsMargins(margins)
        column.setSpacing(spacing)
        for part in labels:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(part)
        column.addStretch(1)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else self.theme.metrics.touch

    def sizeHint(self) -> QSize:
        width = self._usual * self.theme.metrics.touch
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._least * self.theme.metrics.touch, self.theme.metrics.touch)


class RadioCard(CardButton):
    """One of a few large choices: a ring, a title and its meaning, in as many text lines as needed.
    The arrow keys go through the cards of one parent."""

    def __init__(self, theme: Theme, title: str, words: str) -> None:
        super().__init__(theme, title, words, least=3, usual=5)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        metrics = theme.metrics
        self._ring = metrics.icon(24)
        parts = (
            Label(theme, title, step=TypeStep.NAME, weight=Weight.SEMIBOLD, wrap=True),
            Label(theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True),
        )
        left = 2 * metrics.s3 + self._ring
        self.put(parts, QMargins(left, metrics.s3, metrics.s3, metrics.s3), metrics.s1 // 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, theme = self.theme.metrics, self.theme
        chosen = self.isChecked()
        self.paint_ground(painter, ButtonKind.CHOSEN if chosen else ButtonKind.PLAIN)
        line_height = metrics.line(TypeStep.NAME)
        top = metrics.s3 + (line_height - self._ring) // 2
        rect = QRect(metrics.s3, top, self._ring, self._ring)
        edge: Token = "accent" if chosen else "line_strong"
        fill: Token = "accent" if chosen else "surface"
        painting.box(
            painter,
            rect,
            radius=self._ring // 2,
            fill=theme.colour(fill),
            edge=theme.colour(edge),
            width=metrics.edge,
        )
        if chosen:
            inner = self._ring // 3 // 2 * 2
            dot = QRect(0, 0, inner, inner)
            dot.moveCenter(rect.center())
            painting.box(painter, dot, radius=inner // 2, fill=theme.colour("on_accent"))
