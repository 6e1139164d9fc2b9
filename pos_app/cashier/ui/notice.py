"""Notices and banners. A notice says what happened, whether the sale is safe, and what to press; it
has the buttons.

A notice is part of the layout: it moves other content and never covers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygon, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.ui.answers import answers_in_flow, answers_in_row
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import LEFT, width_of, write
from pos_app.cashier.ui.panel import Divider, EmptyState, Panel
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass


class NoticeKind(StrEnum):
    """INFO tells of something that goes on by itself, WARN asks for a decision, DANGER tells of a
    failure, DONE of a success in the colours of the panel of what was issued (`ui.done`)."""

    INFO = "info"
    WARN = "warn"
    DANGER = "danger"
    DONE = "done"


_THIRDS, _LEAST_COLUMN_EMS = 3, 11
"""The parts of a notice, and the least width of one beside others, in sizes of the font."""

GROUNDS: dict[NoticeKind, tuple[Token, Token, Token, str]] = {
    NoticeKind.INFO: ("info_ground", "info_edge", "info", "info"),
    NoticeKind.WARN: ("warn_ground", "warn_edge", "warn", "triangle-alert"),
    NoticeKind.DANGER: ("danger_ground", "danger_edge", "danger", "circle-alert"),
    NoticeKind.DONE: ("tint", "accent", "accent", "circle-check"),
}
"""The colours of ground, edge and heads, and the icon."""


class NoticePanel(Panel):
    """A notice. Its three parts are below each other, or with `heads` each below its head, in three
    columns where these have room. safe_answer: the button that changes nothing; it stands at the
    left of the others. beside: the buttons stand beside the parts, which makes the notice lower.
    apart: below the parts, the acts stand apart from the safe answer, as what destroys always does.
    more_buttons: a second row of buttons, where the first one is below the parts. details: what
    only support reads; it stands between the parts and their buttons."""

    def __init__(
        self,
        theme: Theme,
        kind: NoticeKind,
        *,
        happened: str,
        safe: str,
        press: str,
        safe_answer: QAbstractButton | None = None,
        buttons: Sequence[QAbstractButton] = (),
        more_buttons: Sequence[QAbstractButton] = (),
        details: QWidget | None = None,
        heads: tuple[str, str, str] | None = None,
        beside: bool = False,
        apart: bool = False,
        icon: str = "",
        parent: QWidget | None = None,
    ) -> None:
        ground, _, ink, usual = GROUNDS[kind]
        super().__init__(theme, colour=ground, parent=parent)
        if kind is NoticeKind.DONE:
            self.set_chosen(True)
        self.safe_answer = safe_answer
        self.setAccessibleName(f"{happened} {safe} {press}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        buttons = buttons if safe_answer is None else (safe_answer, *buttons)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s3 + 2)
        mark = Icon(theme, icon or usual, colour=ink, size=24)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        parts = (happened, safe, press)
        self._thirds: QBoxLayout | None = None
        self._dividers: list[Divider] = []
        self._sentences: list[Label] = []
        self._details = details
        if heads:
            self._thirds = self._columns(parts, heads, kind)
            row.addLayout(self._thirds, 1)
        else:
            rows = () if beside else (buttons, more_buttons)
            row.addLayout(self._stack(parts, rows, apart=apart), 1)
        if (heads or beside) and buttons:
            row.addLayout(answers_in_row(theme, buttons))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._thirds is None:
            return
        metrics, ways = self.theme.metrics, QBoxLayout.Direction
        words = max(one.minimumSizeHint().width() for one in self._sentences)
        by_words = _THIRDS * words + 2 * len(self._dividers) * metrics.s4 + self._beside_width
        by_type = _THIRDS * (_LEAST_COLUMN_EMS * metrics.type_px(TypeStep.BASE) + metrics.s4)
        is_wide = event.size().width() >= max(by_words, by_type)
        self._thirds.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)
        self._thirds.setSpacing(metrics.s4 if is_wide else metrics.s2)
        for divider in self._dividers:
            divider.setVisible(is_wide)

    @property
    def _beside_width(self) -> int:
        """The width of what stands beside the three columns."""
        row, margins = self._row, self._row.contentsMargins()
        items = [row.itemAt(number) for number in range(row.count())]
        others = [one for one in items if one is not None and one.layout() is not self._thirds]
        wide = sum(one.sizeHint().width() + row.spacing() for one in others)
        return wide + margins.left() + margins.right()

    def _stack(
        self,
        sentences: tuple[str, str, str],
        rows: Sequence[Sequence[QAbstractButton]],
        *,
        apart: bool,
    ) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(
            Label(self.theme, sentences[0], step=TypeStep.NAME, weight=Weight.SEMIBOLD, wrap=True)
        )
        rest = " ".join(part for part in sentences[1:] if part).replace("\n ", "\n")
        if rest:
            column.addWidget(Label(self.theme, rest, step=TypeStep.BASE, wrap=True))
        if self._details is not None:
            column.addWidget(self._details)
        for buttons in filter(None, rows):
            column.addSpacing(self.theme.metrics.s2)
            column.addLayout(answers_in_flow(self.theme, buttons, apart=apart))
        return column

    def _columns(
        self, sentences: tuple[str, str, str], heads: tuple[str, str, str], kind: NoticeKind
    ) -> QBoxLayout:
        _, edge, ink, _ = GROUNDS[kind]
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(self.theme.metrics.s4)
        for number, (head, words) in enumerate(zip(heads, sentences, strict=True)):
            if number:
                self._dividers.append(Divider(self.theme, colour=edge, upright=True))
                row.addWidget(self._dividers[-1])
            column = QVBoxLayout()
            column.setSpacing(self.theme.metrics.s1 // 2)
            title = Label(
                self.theme, head, step=TypeStep.SMALL, weight=Weight.BOLD, colour=ink, wrap=True
            )
            column.addWidget(title)
            sentence = Label(self.theme, words, wrap=True)
            sentence.setMinimumWidth(1)  # else a long number would hold the columns beside others
            self._sentences.append(sentence)
            column.addWidget(sentence, 1, Qt.AlignmentFlag.AlignTop)
            row.addLayout(column, 1)
        return row


class NoticeAlone(EmptyState):
    """A notice beside which its page has nothing else: it stands in the middle of the whole place.
    button: asks again, where that may help."""

    def __init__(
        self,
        theme: Theme,
        kind: NoticeKind,
        *,
        happened: str,
        safe: str = "",
        press: str = "",
        button: Button | None = None,
    ) -> None:
        _, _, ink, icon = GROUNDS[kind]
        words = " ".join(filter(None, (safe, press))).replace("\n ", "\n")
        super().__init__(theme, title=happened, words=words, icon=icon, colour=ink, button=button)


@dataclass(frozen=True, slots=True)
class NoticeText:
    """The three parts of a notice. A refusal ends with the next act of its screen."""

    happened: str
    safe: str = ""
    press: str = ""
    is_refusal: bool = False


class ToldNotice(QWidget):
    """The place of one notice at the top of a screen; it takes no room without one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.panel: NoticePanel | None = None
        self._column = QVBoxLayout(self)
        edge = theme.metrics.s3
        self._column.setContentsMargins(edge, edge, edge, 0)
        self.hide()

    def show_notice(self, notice: NoticeText | None, read: QAbstractButton | None = None) -> None:
        """Show a notice in place of the one before. read: its button, which takes it away."""
        if self.panel is not None:
            self._column.removeWidget(self.panel)
            self.panel.hide()
            self.panel.deleteLater()
            self.panel = None
        self.setVisible(notice is not None)
        if notice is None:
            return
        self.panel = NoticePanel(
            self._theme,
            NoticeKind.WARN,
            happened=notice.happened,
            safe=notice.safe,
            press=notice.press,
            buttons=() if read is None else (read,),
            beside=True,
        )
        self._column.addWidget(self.panel)
        self.panel.show()


@dataclass(frozen=True, slots=True)
class BannerText:
    """A banner without words is not shown."""

    words: str = ""
    icon: str = "triangle-alert"


class Banner(ThemedWidget):
    """A band of diagonal stripes across the window, with an icon and words on a plain field in the
    middle. A slim banner leaves more room to the sale; it is for facts that do not change while the
    till runs."""

    def __init__(self, theme: Theme, banner: BannerText) -> None:
        super().__init__(theme)
        self.banner_text, self._slim = banner, False
        self.setAccessibleName(banner.words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def tell(self, banner: BannerText, *, slim: bool = False) -> None:
        if (banner, slim) == (self.banner_text, self._slim):
            return  # this is called for each scanned item, and the stripes take 2 ms
        self.banner_text, self._slim = banner, slim
        self.setAccessibleName(banner.words)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        touch, line = self.theme.metrics.touch, self.theme.metrics.line(TypeStep.SMALL)
        return QSize(1, max(touch * 2 // 5, line) if self._slim else touch)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, theme = self.theme.metrics, self.theme
        painter.fillRect(self.rect(), theme.colour("warn_ground"))
        step, size = (TypeStep.SMALL, 16) if self._slim else (TypeStep.STRONG, 20)
        font = theme.fonts.resized(self.font(), step, Weight.BOLD)
        icon = metrics.icon(size)
        wide = icon + metrics.s2 + width_of(font, self.banner_text.words)
        field = QRect(0, 0, wide + 2 * metrics.s6, self.height())
        field.moveLeft((self.width() - field.width()) // 2)
        self._paint_stripes(painter, QRect(0, 0, field.left(), self.height()))
        rest = self.width() - field.right() - 1
        self._paint_stripes(painter, QRect(field.right() + 1, 0, rest, self.height()))
        left = field.left() + metrics.s6
        middle = QPoint(left + icon // 2, self.height() // 2)
        theme.draw_icon(painter, self.banner_text.icon, "warn", size, middle)
        room = QRect(left + icon + metrics.s2, 0, field.width(), self.height())
        write(painter, room, self.banner_text.words, theme.colour("warn"), font, align=LEFT)

    def _paint_stripes(self, painter: QPainter, area: QRect) -> None:
        """Paint stripes that rise to the right, 16 px thick, so that each is 16·√2 px wide along
        the lower edge, as is the ground between two."""
        if area.width() <= 0:
            return
        painter.save()
        painter.setClipRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colour("warn_edge"))
        wide = round(self.theme.metrics.s4 * 1.414)
        tall = area.height()
        for left in range(-2 * wide, self.width() + tall, 2 * wide):
            painter.drawPolygon(
                QPolygon(
                    [
                        QPoint(left, tall),
                        QPoint(left + wide, tall),
                        QPoint(left + wide + tall, 0),
                        QPoint(left + tall, 0),
                    ]
                )
            )
        painter.restore()


class Banners(QWidget):
    """The two banners of the window: one says that another program is in front, the other which
    kind of document is issued. If both are shown the second is slim."""

    def __init__(self, theme: Theme, *, behind: str) -> None:
        """behind: the words shown while another program is in front."""
        super().__init__()
        self.behind = Banner(theme, BannerText(behind))
        self.behind.hide()
        self.kind = Banner(theme, BannerText())
        self.kind.hide()
        self.banner_text, self._slim = BannerText(), True
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.behind)
        column.addWidget(self.kind)

    def show_kind(self, banner: BannerText, *, slim: bool = True) -> None:
        self.banner_text, self._slim = banner, slim
        self.kind.setVisible(bool(banner.words))
        self.kind.tell(banner, slim=slim or not self.behind.isHidden())

    def show_in_front(self, in_front: bool) -> None:
        """Show the banner unless the till's window is in front, because the till gets no scans
        then."""
        self.behind.setVisible(not in_front)
        self.show_kind(self.banner_text, slim=self._slim)
