"""The bar on top of every screen, and the status line at the bottom of the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from shiboken6 import isValid

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget
from pos_app.lazy_dataclass import dataclass

SHOP_MARK = "store"


class ShopMark(ThemedWidget):
    """An icon on the accent colour in a square of 32 px."""

    def __init__(self, theme: Theme, *, icon: str = SHOP_MARK) -> None:
        super().__init__(theme)
        self._icon = icon
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        size = self.theme.metrics.icon(32)
        return QSize(size, size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        accent = self.theme.colour("accent")
        painting.box(painter, self.rect(), radius=self.theme.metrics.radius_field, fill=accent)
        middle = QPoint(self.width() // 2, self.height() // 2)
        self.theme.draw_icon(painter, self._icon, "on_accent", 22, middle)


class ShopHead(ThemedWidget):
    """Mark, name and address of the shop. In a tight bar the address is hidden, and the mark too
    where the name has no room beside it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.mark = ShopMark(theme)
        self._name = ElidedLabel(theme, step=TypeStep.NAME, weight=Weight.SEMIBOLD, lines=2)
        self._address = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(theme.metrics.s4, 0, 0, 0)
        row.setSpacing(theme.metrics.s3 if theme.metrics.narrow else theme.metrics.s4)
        row.addWidget(self.mark)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._name)
        words.addWidget(self._address)
        words.addStretch(1)
        row.addLayout(words, 1)

    def set_shop(self, name: str, address: str) -> None:
        self._name.setText(name)
        self._address.setText(address)
        self.updateGeometry()

    def fold(self, free_width: int) -> None:
        """Show what has room in this width."""
        mark = self.mark.sizeHint().width() + self._row.spacing()
        beside = free_width - self.theme.metrics.s4
        needed = max(self._name.sizeHint().width(), self._address.sizeHint().width())
        has_address = mark + needed <= beside and bool(self._address.text())
        self._address.setVisible(has_address)
        self.mark.setVisible(has_address or self._name.holds(beside - mark))


class BackButton(Button):
    """The one way back of a screen or panel, at its top left, named after where it leads."""

    def __init__(self, theme: Theme, *, key: str) -> None:
        super().__init__(theme, icon="arrow-left", key=key)
        self._key = key
        self._others: list[Button] = []
        """The buttons inside of the screen that show the same key now."""

    def lead_to(self, words: str) -> None:
        if words != self.spec.words:
            self.set_words(words)

    def follow_cap(self, button: Button) -> None:
        """Show the key only while it presses the way back: another button inside of the screen
        that shows it takes it first."""
        others = [one for one in self._others if one is not button and isValid(one)]
        if button is not self and button.isVisible() and button.spec.key == self._key:
            others.append(button)
        self._others = others
        self.set_key("" if others else self._key)

    @property
    def taken_by(self) -> Button | None:
        """The button inside of the screen that takes the key first, such as the safe answer of a
        question; None while the key presses the way back."""
        return self._others[-1] if self._others else None


class ScreenHead(ThemedWidget):
    """A screen's head: the way back, the title, and quiet words beside it. Signal: `back()`."""

    back = Signal()

    def __init__(self, theme: Theme, *, key: str, title: str, words: str = "") -> None:
        super().__init__(theme)
        self.button = BackButton(theme, key=key)
        self.button.clicked.connect(self.back)
        self._title = ElidedLabel(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD)
        self._words = ElidedLabel(theme, words, colour="ink_2")
        self._own, self._over, self._keeps_words = (title, words), "", False
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s3)
        row.addWidget(self.button)
        row.addWidget(self._title)
        row.addWidget(self._words)
        row.addStretch(1)

    def add_mark(self, mark: QWidget) -> None:
        """Put a mark in front of the title, for where nothing leads back."""
        self._row.insertWidget(1, mark)

    def set_title(self, title: str, words: str = "") -> None:
        self._own = (title, words)
        self._show_title()

    def show_over(self, title: str, *, with_words: bool = False) -> None:
        """Show the title of what lies over the screen; "" for the screen's own again. with_words:
        the screen's own words stay beside it."""
        if (title, with_words) != (self._over, self._keeps_words):
            self._over, self._keeps_words = title, with_words
            self._show_title()

    def title_width(self) -> int:
        """The width of the way back with the title in one line."""
        beside = 0 if self.button.isHidden() else self.button.sizeHint().width()
        return beside + 2 * self._row.spacing() + self._title.sizeHint().width()

    @property
    def title(self) -> str:
        """The title that is shown."""
        return self._over or self._own[0]

    @property
    def own_title(self) -> str:
        """The title of the screen below whatever lies over it."""
        return self._own[0]

    def _show_title(self) -> None:
        has_words = not self._over or self._keeps_words
        self._title.setText(self.title)
        self._words.setText(self._own[1] if has_words else "")


class TopBar(Ground):
    """`head` at the left, `middle` (the segment), `extra` and the clock at the right."""

    def __init__(
        self, theme: Theme, head: ShopHead | ScreenHead, *, middle: QWidget | None = None
    ) -> None:
        super().__init__(theme, side=Qt.Edge.BottomEdge)
        self.head = head
        self.middle = middle
        self._clock = Label(theme, step=TypeStep.TITLE, weight=Weight.SEMIBOLD)
        self._clock.setContentsMargins(theme.metrics.s2 - 1, 0, 0, 0)
        self._clock.hide()
        self.extra = QHBoxLayout()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.addWidget(head, 0 if middle else 1)
        row.addStretch(1 if middle else 0)
        if middle is not None:
            row.addWidget(middle)
            row.addStretch(1)
        row.addLayout(self.extra)
        row.addWidget(self._clock)
        left = 0 if isinstance(head, ShopHead) else theme.metrics.s3
        row.setContentsMargins(left, theme.metrics.hair, theme.metrics.s3, theme.metrics.hair)
        row.setSpacing(theme.metrics.s2)

    def set_clock(self, words: str) -> None:
        self._clock.setText(words)
        self._clock.show()

    def sizeHint(self) -> QSize:
        return QSize(10 * self.theme.metrics.touch, self.theme.metrics.bar)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._share()
        return super().event(event)

    def _share(self) -> None:
        if isinstance(self.head, ShopHead):
            self._fold(self.head)
        else:
            self._keep_title(self.head)

    def _keep_title(self, head: ScreenHead) -> None:
        """Let the other parts fold before the title does, where they can."""
        row = self.layout()
        assert row is not None
        edges, gaps = row.contentsMargins(), 2 * row.spacing()
        clock = 0 if self._clock.isHidden() else self._clock.sizeHint().width()
        others = self.extra.minimumSize().width() + clock + gaps
        room = self.width() - edges.left() - edges.right() - others
        head.setMinimumWidth(head.title_width() if head.title_width() <= room else 0)

    def _fold(self, head: ShopHead) -> None:
        """Fold the head to the room that the other parts leave."""
        metrics, middle = self.theme.metrics, self.middle.sizeHint().width() if self.middle else 0
        sides = self.extra.sizeHint().width() + self._clock.sizeHint().width()
        head.fold(self.width() - middle - sides - 5 * metrics.s2 - metrics.s3)


STATUS_ICON = 16
FACTS = " · "
"""The sign between the facts of a state."""

WELL = (StateKind.DONE, StateKind.MARK)
HASTE = (*WELL, StateKind.WAIT, StateKind.DECIDE, StateKind.FAILED)
"""The states in the order in which they lose words."""


@dataclass(frozen=True, slots=True)
class StatusItem:
    """A subject and its state, such as "Ред" "празан". icon: replaces the kind's icon."""

    subject: str
    state: str
    kind: StateKind = StateKind.DONE
    icon: str = ""


def short_name(person: str) -> str:
    """Return a person's name with its first word whole, and initials for the others."""
    first, *others = person.split() or [""]
    return " ".join((first, *(f"{name[0]}." for name in others)))


class StatusLine(ThemedButton):
    """The person who works here, where the bar on top has no room for the name, then items at the
    left, one sentence at the right. Signal: `clicked`. In tight room the sentence goes first, then
    the states of items that are well, then these items. Then the states of the others keep their
    first facts or go, in the order of HASTE. A long name of a person keeps its first word, and the
    others become initials. The tool tip has everything whole."""

    has_ring = False

    def __init__(self, theme: Theme, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._name = name
        self._items: tuple[StatusItem, ...] = ()
        self._sentence = ""
        self._person = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_status(self, items: Sequence[StatusItem], sentence: str, *, person: str = "") -> None:
        new = tuple(items)
        if (new, sentence, person) == (self._items, self._sentence, self._person):
            return
        self._items = new
        self._sentence = sentence
        self._person = person
        self.setAccessibleName(self._name)
        text = " · ".join(f"{item.subject} {item.state}" for item in new)
        self.setAccessibleDescription(f"{text}. {sentence} {person}".strip())
        self._tell_whole()
        self.update()

    def shown_items(self) -> tuple[StatusItem, ...]:
        """Return the items with the states that have room; a state without room is ""."""
        if self._width(self._items) <= self._free_width():
            return self._items
        items = [replace(one, state="") if one.kind in WELL else one for one in self._items]
        while self._width(items) > self._free_width() and any(one.kind in WELL for one in items):
            last = max(index for index, one in enumerate(items) if one.kind in WELL)
            del items[last]
        for index in sorted(range(len(items)), key=lambda at: HASTE.index(items[at].kind)):
            over = self._width(items) - self._free_width()
            if over > 0:
                items[index] = self._shorter(items[index], over)
        return tuple(items)

    def _shorter(self, item: StatusItem, over: int) -> StatusItem:
        font = self.theme.font(TypeStep.SMALL)
        room = max(0, painting.width_of(font, item.state) - over)
        facts = item.state.split(FACTS)
        forms = (FACTS.join(facts[:many]) for many in range(len(facts), 0, -1))
        fitting = (form for form in forms if painting.width_of(font, form) <= room)
        return replace(item, state=next(fitting, ""))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._tell_whole()
        super().resizeEvent(event)

    def _tell_whole(self) -> None:
        lines = [f"{item.subject} {item.state}" for item in self._items]
        is_whole = self.shown_items() == self._items and self._name_shown() == self._person
        self.setToolTip("" if is_whole else "\n".join(filter(None, (self._person, *lines))))

    def shows_sentence(self) -> bool:
        gap = self.theme.metrics.s6
        return self._width(self._items) + gap + self._sentence_width() <= self._free_width()

    def sizeHint(self) -> QSize:
        return QSize(10 * self.theme.metrics.touch, self.theme.metrics.status)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.metrics.touch, self.theme.metrics.status)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        painter.fillRect(self.rect(), theme.colour("line" if self.isDown() else "surface"))
        painter.fillRect(QRect(0, 0, self.width(), metrics.hair), theme.colour("line"))
        if self.hasFocus():
            thick = metrics.edge + 1
            painter.fillRect(QRect(0, 0, self.width(), thick), theme.colour("focus"))
        left = metrics.s4
        if self._person:
            self._paint_person(painter, left)
            left += self._person_width()
        for item in self.shown_items():
            left += self._paint_item(painter, left, item) + metrics.s6
        if self.shows_sentence():
            font = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
            room = self._line().adjusted(metrics.s4, 0, -metrics.s4, 0)
            painting.write(
                painter, room, self._sentence, theme.colour("ink"), font, align=painting.RIGHT
            )

    def _paint_person(self, painter: QPainter, left_edge: int) -> None:
        theme, metrics = self.theme, self.theme.metrics
        rect, size = self._line(), metrics.icon(STATUS_ICON)
        middle = QPoint(left_edge + size // 2, rect.center().y() + 1)
        theme.draw_icon(painter, "user", "ink", STATUS_ICON, middle)
        rect.setLeft(left_edge + size + metrics.s1 + 2)
        bold = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        ink = theme.colour("ink")
        painting.write(painter, rect, self._name_shown(), ink, bold, align=painting.LEFT)

    def _name_shown(self) -> str:
        """The person's name, in at most a quarter of the line."""
        font = self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        most = self.width() // 4
        short = short_name(self._person)
        if painting.width_of(font, self._person) > most >= painting.width_of(font, short):
            return short
        return QFontMetrics(font).elidedText(self._person, Qt.TextElideMode.ElideRight, most)

    def _person_width(self) -> int:
        """The width of the person with the gap behind it; 0 where none is shown."""
        if not self._person:
            return 0
        metrics = self.theme.metrics
        bold = self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        name = painting.width_of(bold, self._name_shown())
        return metrics.icon(STATUS_ICON) + metrics.s1 + 2 + name + metrics.s6

    def _paint_item(self, painter: QPainter, left_edge: int, item: StatusItem) -> int:
        theme, metrics = self.theme, self.theme.metrics
        icon, colour = STATES[item.kind].icon, STATES[item.kind].icon_ink
        well = item.kind in WELL
        rect = self._line()
        size = metrics.icon(STATUS_ICON)
        middle = QPoint(left_edge + size // 2, rect.center().y() + 1)
        theme.draw_icon(painter, item.icon or icon, colour, STATUS_ICON, middle)
        start = left_edge + size + metrics.s1 + 2
        bold = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        room = QRect(start, rect.top(), max(0, self.width() - start), rect.height())
        ink = theme.colour("ink" if well else colour)
        start += painting.write(painter, room, item.subject, ink, bold, align=painting.LEFT)
        if item.state:
            start += metrics.s1 - 1
            room.setLeft(start)
            usual = theme.fonts.resized(self.font(), TypeStep.SMALL)
            start += painting.write(
                painter, room, item.state, theme.colour("ink_2"), usual, align=painting.LEFT
            )
        return start - left_edge

    def _width(self, items: Sequence[StatusItem]) -> int:
        metrics = self.theme.metrics
        bold = self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        usual = self.theme.font(TypeStep.SMALL)
        total = max(0, len(items) - 1) * metrics.s6
        for item in items:
            total += (
                metrics.icon(STATUS_ICON) + metrics.s1 + 2 + painting.width_of(bold, item.subject)
            )
            if item.state:
                total += metrics.s1 - 1 + painting.width_of(usual, item.state)
        return total

    def _sentence_width(self) -> int:
        return painting.width_of(self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD), self._sentence)

    def _free_width(self) -> int:
        return self.width() - 2 * self.theme.metrics.s4 - self._person_width()

    def _line(self) -> QRect:
        return self.rect().adjusted(0, 2 * self.theme.metrics.hair, 0, 0)
