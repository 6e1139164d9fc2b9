"""The photos of a product: they are dropped or chosen, ordered and removed; one is the main one.
Keys on a photo: an arrow goes to the next or previous one, Ctrl and an arrow move the photo, Enter
makes it the main one, Delete removes it. Source: till.md (Catalogue), mock-06."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.scrolling import DRAGGED
from pos_app.cashier.ui.theme import Theme, ThemedButton

_CTRL = Qt.KeyboardModifier.ControlModifier


def filling(picture: QPixmap, size: QSize) -> QPixmap:
    """The picture scaled and cut to fill a size; its middle is kept."""
    scaled = picture.scaled(
        size,
        Qt.AspectRatioMode.KeepAspectRatioByExpanding,
        Qt.TransformationMode.SmoothTransformation,
    )
    left, top = (scaled.width() - size.width()) // 2, (scaled.height() - size.height()) // 2
    return scaled.copy(QRect(QPoint(left, top), size))


def _files(event: QDropEvent) -> list[Path]:
    """The dragged files of this machine; a picture dragged from a browser is not one."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


class CoverDrop(ThemedButton):
    """The large main photo; others are dropped here, or chosen after a press.

    Signal: `dropped(list)` of paths.
    """

    dropped = Signal(list)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, texts("cat.photos"))
        self._words = texts("cat.picture.drop")
        self._picture = QPixmap()
        self._is_over = False
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_file(self, file: Path | None) -> None:
        """Show the photo of a file; None shows words on what to drop here."""
        self._picture = QPixmap() if file is None else QPixmap(str(file))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        side = max(2 * metrics.touch + metrics.s6, 7 * metrics.line(TypeStep.SMALL))
        return QSize(side, side)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.isEnabled() and _files(event):
            event.acceptProposedAction()
            self._is_over = True
            self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._is_over = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        self._is_over = False
        self.update()
        files = _files(event)
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        whole = self.rect()
        if not self._picture.isNull():
            painter.drawPixmap(whole, filling(self._picture, whole.size()))
            if self._is_over or self.hasFocus():
                painting.ring_inside(painter, whole, theme)
            return
        pen = QPen(theme.colour("accent" if self._is_over else "line_strong"), metrics.edge)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(theme.colour("tint" if self._is_over else "surface"))
        edge = metrics.edge
        inner = whole.adjusted(edge, edge, -edge, -edge)
        painter.drawRoundedRect(inner, metrics.radius_field, metrics.radius_field)
        lines = 3 * metrics.line(TypeStep.SMALL) + metrics.s2
        middle = QPoint(whole.center().x() + 1, (whole.height() - lines) // 2 + metrics.s1)
        theme.draw_icon(painter, "image", "ink_2", 22, middle)
        font = theme.fonts.resized(self.font(), TypeStep.SMALL)
        below = whole.adjusted(metrics.s1, whole.height() - lines, -metrics.s1, -metrics.s1)
        line_height = metrics.line(TypeStep.SMALL)
        for number, words in enumerate(self._lines(font, below.width())):
            rect = QRect(
                below.left(), below.top() + number * line_height, below.width(), line_height
            )
            painting.put(painter, rect, words, theme.colour("ink_2"), font, align=painting.CENTRE)

    def _lines(self, font: QFont, free_width: int) -> list[str]:
        """The words in as many text lines as they need."""
        text_lines = [""]
        for word in self._words.split():
            longer = f"{text_lines[-1]} {word}".strip()
            if painting.width_of(font, longer) <= free_width:
                text_lines[-1] = longer
            else:
                text_lines.append(word)
        return [text_line for text_line in text_lines if text_line]


class PhotoButton(ThemedButton):
    """One small photo. Signals: `moved(int)`, by so many positions; `dropped_at(QPoint)`, it was
    dragged to this point of the screen; `removed()`; `neighbour(int)`, the next (1) or the previous
    one (-1) shall get the focus."""

    moved = Signal(int)
    dropped_at = Signal(QPoint)
    removed = Signal()
    neighbour = Signal(int)

    has_ring = False

    def __init__(self, theme: Theme, name: str, file: Path | None, *, index: int) -> None:
        super().__init__(theme, name)
        self._picture = QPixmap() if file is None else QPixmap(str(file))
        self._index = index
        self._pressed = QPoint()
        self._is_dragged = False
        self.setProperty(DRAGGED, True)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        side = self.theme.metrics.touch * 5 // 4
        return QSize(side, side)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            if event.key() == Qt.Key.Key_Delete:  # the key removes the photo, and does nothing else
                event.accept()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if by is not None and event.modifiers() & _CTRL:
            self.moved.emit(by)
        elif by is not None:
            self.neighbour.emit(by)
        elif event.key() == Qt.Key.Key_Delete:
            self.removed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.moved.emit(-self._index)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        far = (event.position().toPoint() - self._pressed).manhattanLength()
        if event.buttons() & Qt.MouseButton.LeftButton and far >= QApplication.startDragDistance():
            self._is_dragged = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.setDown(False)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._is_dragged:
            super().mouseReleaseEvent(event)
            return
        self._is_dragged = False
        self.unsetCursor()
        self.update()
        self.dropped_at.emit(event.globalPosition().toPoint())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, whole = QPainter(self), self.theme, self.rect()
        metrics = theme.metrics
        if self._picture.isNull():
            painting.box(
                painter,
                whole,
                radius=metrics.radius_field,
                fill=theme.colour("sunken"),
                edge=theme.colour("line"),
            )
            theme.draw_icon(painter, "image", "ink_2", 22, whole.center() + QPoint(1, 1))
        else:
            painter.drawPixmap(whole, filling(self._picture, whole.size()))
        if self._index == 0:
            side = metrics.icon(18) + metrics.s1
            mark = QRect(whole.right() - side - 1, 2, side, side)
            painting.box(painter, mark, radius=metrics.radius_cap, fill=theme.colour("accent"))
            theme.draw_icon(painter, "star", "on_accent", 16, mark.center() + QPoint(1, 1))
        if self.isChecked() or self._is_dragged:
            painting.box(
                painter,
                whole,
                radius=metrics.radius_field,
                width=metrics.edge + 1,
                edge=theme.colour("accent"),
            )
        if self.hasFocus():
            painting.ring_inside(painter, whole, theme)


class PhotoStrip(QWidget):
    """All photos in their order, with the acts on the chosen one.

    Signals: `ordered(list)`, the ids of the photos in a person's order; `wanted()`, others shall be
    chosen; `dropped(list)` of paths.
    """

    ordered = Signal(list)
    wanted = Signal()
    dropped = Signal(list)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._ids: list[str] = []
        self._buttons: list[PhotoButton] = []
        self._chosen = ""
        self.cover = CoverDrop(theme, texts)
        self.cover.clicked.connect(self.wanted)
        self.cover.dropped.connect(self.dropped)
        self.main = Button(theme, texts("cat.photos.main"), icon="star", narrow=True)
        self.back = Button(theme, icon="chevron-left", name=texts("cat.photos.back"), narrow=True)
        self.on = Button(theme, icon="chevron-right", name=texts("cat.photos.on"), narrow=True)
        self.remove = Button(theme, texts("cat.photos.remove"), icon="trash-2", narrow=True)
        self.add = Button(theme, icon="plus", name=texts("cat.photos.add"), narrow=True)
        self.add.clicked.connect(self.wanted)
        self.main.clicked.connect(lambda: self._move(self._at(), 0))
        self.back.clicked.connect(lambda: self._move(self._at(), self._at() - 1))
        self.on.clicked.connect(lambda: self._move(self._at(), self._at() + 1))
        self.remove.clicked.connect(lambda: self._remove(self._at()))
        gap = theme.metrics.s2
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(gap)
        self._row = QHBoxLayout()
        self._row.setSpacing(gap)
        self._row.addWidget(self.add)
        self._row.addStretch(1)
        self._acts = QWidget()
        acts = QHBoxLayout(self._acts)
        acts.setContentsMargins(0, 0, 0, 0)
        acts.setSpacing(gap)
        for button in (self.main, self.back, self.on, self.remove):
            acts.addWidget(button)
        acts.addStretch(1)
        column.addLayout(self._row)
        column.addWidget(self._acts)

    def show_photos(self, photos: Sequence[tuple[str, Path | None]]) -> None:
        had_focus = any(button.hasFocus() for button in self._buttons)
        self._ids = [file_id for file_id, _ in photos]
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [self._button_at(index, file) for index, (_, file) in enumerate(photos)]
        for index, button in enumerate(self._buttons):
            self._row.insertWidget(index, button)
            button.show()
        self.cover.show_file(photos[0][1] if photos else None)
        self.setVisible(bool(photos))
        self._choose(self._chosen if self._chosen in self._ids else "")
        if had_focus and self._chosen:
            self._buttons[self._at()].setFocus(Qt.FocusReason.OtherFocusReason)

    def button(self, index: int) -> PhotoButton:
        return self._buttons[index]

    def _button_at(self, index: int, file: Path | None) -> PhotoButton:
        texts = self._texts
        name = texts("cat.photos.first") if not index else texts("cat.photos.other", n=index + 1)
        button = PhotoButton(self._theme, name, file, index=index)
        if file is None:
            button.setToolTip(texts("cat.photos.elsewhere"))
        button.clicked.connect(lambda: self._choose(self._ids[index]))
        button.moved.connect(lambda by: self._move(index, index + by))
        button.dropped_at.connect(lambda spot: self._drop(index, spot))
        button.removed.connect(lambda: self._remove(index))
        button.neighbour.connect(lambda by: self._focus(index + by))
        return button

    def _at(self) -> int:
        return self._ids.index(self._chosen) if self._chosen in self._ids else 0

    def _focus(self, index: int) -> None:
        if 0 <= index < len(self._buttons):
            self._buttons[index].setFocus(Qt.FocusReason.OtherFocusReason)
            self._choose(self._ids[index])

    def _choose(self, file_id: str) -> None:
        self._chosen = file_id
        at = self._at() if file_id else -1
        for index, button in enumerate(self._buttons):
            button.setChecked(index == at)
        self._acts.setVisible(bool(file_id))
        self.main.setVisible(at > 0)
        self.back.setVisible(at > 0)
        self.on.setVisible(0 <= at < len(self._ids) - 1)

    def _move(self, origin: int, index: int) -> None:
        if not (0 <= origin < len(self._ids) and 0 <= index < len(self._ids)) or origin == index:
            return
        ids = list(self._ids)
        self._chosen = ids.pop(origin)
        ids.insert(index, self._chosen)
        self.ordered.emit(ids)

    def _drop(self, origin: int, spot: QPoint) -> None:
        """Move a photo to the position of the small photo, or of the main one, to which it was
        dragged."""
        for index, target in ((0, self.cover), *enumerate(self._buttons)):
            if target.rect().contains(target.mapFromGlobal(spot)):
                self._move(origin, index)
                return

    def _remove(self, index: int) -> None:
        ids = list(self._ids)
        ids.pop(index)
        self._chosen = ids[min(index, len(ids) - 1)] if ids else ""
        self.ordered.emit(ids)
