"""Panels, plain grounds and dividers, which the style sheet draws (`style._PANELS`), and widgets
made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainterPath, QRegion, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.button_face import content_width
from pos_app.cashier.ui.buttons import Button, KeyCap
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.scrolling import Scrolled, ScrolledColumn
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Ground(ThemedWidget):
    """A plain coloured area with a layout. side: where a rule separates it from its neighbour."""

    def __init__(
        self,
        theme: Theme,
        *,
        colour: Token = "surface",
        side: Qt.Edge | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("colour", colour)
        self.setProperty("side", side.name if side is not None else "")


class Panel(Ground):
    def set_chosen(self, chosen: bool) -> None:
        if chosen != self.property("chosen"):
            self.setProperty("chosen", chosen)
            self.style().polish(self)
            self.update()

    def edge_column(self, *, foot: int = 0) -> QVBoxLayout:
        """Make the layout of content that reaches to the panel's edge. foot: room below it."""
        column, hair = QVBoxLayout(self), self.theme.metrics.hair
        column.setContentsMargins(hair, hair, hair, foot or hair)
        column.setSpacing(0)
        return column


class FilledPanel(Panel):
    """A panel whose content reaches to its edge, such as a list with its head. Its children are
    kept off the round corners; the last row needs no room for them."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._mask_corners()

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # the layout has placed the children
            self._mask_corners()
        return is_done

    def _mask_corners(self) -> None:
        metrics = self.theme.metrics
        hair, radius = metrics.hair, metrics.radius_panel - metrics.hair
        inside = self.rect().adjusted(hair, hair, -hair, -hair)
        path = QPainterPath()
        path.addRoundedRect(QRectF(inside), radius, radius)
        round_region = QRegion(path.toFillPolygon().toPolygon())
        upright = inside.adjusted(radius, 0, -radius, 0)
        across = inside.adjusted(0, radius, 0, -radius)
        for child in self.findChildren(QWidget, options=_DIRECT):
            spot = child.geometry()
            if upright.contains(spot) or across.contains(spot):
                child.clearMask()
            else:
                child.setMask((round_region & spot).translated(-spot.topLeft()))


class ListSide(QWidget):
    """A side of a screen with a list in a panel. Without rows the panel is away, and the side has
    the focus in its place, so that letters act."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._list: QWidget = self
        self._list_panel: QWidget = self

    def hold_list(self, rows: QWidget, panel: QWidget) -> None:
        """rows: the list, which has the focus. panel: what is away while there are none."""
        self._list, self._list_panel = rows, panel

    def focus_list(self) -> None:
        """Give the focus to the rows, or where there are none to this side."""
        (self if self._list_panel.isHidden() else self._list).setFocus()

    def show_list(self, *, has_rows: bool) -> None:
        had_focus = self._list.hasFocus() or self.hasFocus()
        self._list_panel.setVisible(has_rows)
        if had_focus:
            self.focus_list()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if has_rows else Qt.FocusPolicy.ClickFocus)


class Divider(Ground):
    """A thin rule across, or upright between two columns."""

    def __init__(self, theme: Theme, *, colour: Token = "line", upright: bool = False) -> None:
        super().__init__(theme, colour=colour)
        fixed, expanding = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.setSizePolicy(*((fixed, expanding) if upright else (expanding, fixed)))

    def sizeHint(self) -> QSize:
        hair = self.theme.metrics.hair
        return QSize(hair, hair)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class EmptyState(Panel):
    """Says in the place of a list why nothing is there: what the place is for, that nothing was
    found, or that all is well. words: at most one line below the title. more: what is known
    nevertheless. button: what leads on. Where all of it has no room, the icon is gone."""

    def __init__(
        self,
        theme: Theme,
        *,
        title: str,
        words: str = "",
        icon: str = "circle-check",
        colour: Token = "ok",
        more: QWidget | None = None,
        button: Button | None = None,
    ) -> None:
        super().__init__(theme)
        self.button = button
        self.setAccessibleName(f"{title} {words}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        metrics, middle = theme.metrics, Qt.AlignmentFlag.AlignHCenter
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        column.setSpacing(metrics.s1)
        column.addStretch(1)
        self._icon = Icon(theme, icon, colour=colour, size=34)
        column.addWidget(self._icon, 0, middle)
        column.addSpacing(metrics.s1)
        self._title = Label(theme, title, step=TypeStep.STRONG, weight=Weight.SEMIBOLD, wrap=True)
        below = Label(theme, words, colour="ink_2", wrap=True)
        for label in (self._title, below):
            label.setAlignment(middle)
            column.addWidget(label)
        below.setVisible(bool(words))
        if more is not None:
            column.addSpacing(metrics.s3)
            column.addWidget(more)
        if button is not None:
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press leaves the caret where it is
            column.addSpacing(metrics.s3)
            column.addWidget(button, 0, middle)
        column.addStretch(1)

    def say(self, title: str) -> None:
        """Say something else, where nothing stands below the title."""
        if title != self._title.text():
            self._title.setText(title)
            self.setAccessibleName(title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        needed = self._column.heightForWidth(self.width())
        if self._icon.isHidden():
            needed += self._icon.sizeHint().height() + self._column.spacing()
        self._icon.setVisible(self.height() >= needed)


class KeysGrid(Panel):
    """Two columns of key caps. entries: the caps with the words of their acts."""

    def __init__(self, theme: Theme, entries: Sequence[tuple[str, str]]) -> None:
        super().__init__(theme)
        grid = QGridLayout(self)
        metrics = theme.metrics
        grid.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s2)
        rows = (len(entries) + 1) // 2
        for number, (cap, words) in enumerate(entries):
            column = 2 * (number // rows)
            grid.addWidget(KeyCap(theme, cap), number % rows, column)
            grid.addWidget(Label(theme, words, wrap=True), number % rows, column + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)


class KeysPage(ScrolledColumn):
    """The keys of a screen, which scroll if large type needs more room."""

    def __init__(self, theme: Theme, entries: Sequence[tuple[str, str]], *, name: str) -> None:
        super().__init__(theme, name=name)
        self.show_inside(_keys_from_top(theme, entries, edge=0))


class KeysScreen(Scrolled):
    """The keys as a whole screen, made when it is first shown: every screen has one, and few are
    asked for. title: of the screen's head meanwhile."""

    def __init__(self, theme: Theme, entries: Sequence[tuple[str, str]], *, title: str) -> None:
        super().__init__(theme, name=title)
        self._entries = entries

    def showEvent(self, event: QShowEvent) -> None:
        if self.widget() is None:
            theme = self._theme
            self.show_inside(_keys_from_top(theme, self._entries, edge=theme.metrics.s3))
        super().showEvent(event)


def _keys_from_top(theme: Theme, entries: Sequence[tuple[str, str]], *, edge: int) -> QWidget:
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setContentsMargins(edge, edge, edge, edge)
    column.addWidget(KeysGrid(theme, entries))
    column.addStretch(1)
    return inside


class ButtonRow(QWidget):
    """Buttons side by side. In tight room all icons go, then the key caps; if even the words have
    no room the buttons are below each other. apart: the last button is at the right edge."""

    def __init__(self, theme: Theme, *buttons: Button, gap: int, apart: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._icons = {button: button.spec.icon for button in buttons}
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(gap)
        for button in buttons:
            button.let_fold()
            self._row.addWidget(button)
        self._row.insertStretch(len(buttons) - 1 if apart else len(buttons), 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        widest = max(button.minimumSizeHint().width() for button in self._icons)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        room = event.size().width() - (len(self._icons) - 1) * self._row.spacing()
        folds = sum(button.minimumSizeHint().width() for button in self._icons) > room
        way = QBoxLayout.Direction.TopToBottom if folds else QBoxLayout.Direction.LeftToRight
        if way is not self._row.direction():
            self._row.setDirection(way)
        has_icons = folds or sum(map(self._whole, self._icons)) <= room
        for button, icon in self._icons.items():
            button.set_icon(icon if has_icons else "")
        super().resizeEvent(event)

    def _whole(self, button: Button) -> int:
        spec = replace(button.spec, icon=self._icons[button])
        return content_width(self._theme, button.font(), spec) + 2 * self._theme.metrics.s1


def clear_layout(layout: QLayout) -> None:
    """Empty a layout and the layouts within it; the widgets are hidden at once, and deleted
    later."""
    while (item := layout.takeAt(0)) is not None:
        if (inner := item.layout()) is not None:
            clear_layout(inner)
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
