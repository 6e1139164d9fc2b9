"""The left of Attention: the open cases grouped by who must act, or the cases solved today; the
foot counts the solved ones."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.attention.cases.case import Case, CaseFacts, CaseGroup, when
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.labels import MOST_LINES, Label
from pos_app.cashier.ui.metrics import Metrics, TypeStep, Weight
from pos_app.cashier.ui.page_list import row_after
from pos_app.cashier.ui.panel import Divider, Ground
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.money.number_text import amount_text
from pos_app.lazy_dataclass import dataclass

ICON = 22


@dataclass(frozen=True, slots=True)
class RowData:
    """The content of one row. short is a shorter title for narrow rows."""

    id: str
    icon: str
    ink: Token
    title: str
    words: str
    total: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class GroupData:
    """many: the number of things that its cases stand for, as the bell counts them: without those
    that only sum others up, and without what is being done now."""

    head: str
    rows: tuple[RowData, ...]
    many: int


@dataclass(frozen=True, slots=True)
class _CaseLines:
    """The lines of a row: its title in the letters of `meter`, the amount beside it or, for want of
    room, below it, and the words."""

    meter: Meter
    above: list[str]
    below: list[str]
    is_beside: bool

    def height(self, metrics: Metrics) -> int:
        upper = len(self.above) + (0 if self.is_beside else 1)
        lower = len(self.below) * metrics.line(TypeStep.SMALL)
        return upper * metrics.line(TypeStep.NAME) + lower


class CaseRow(ThemedButton):
    """One row; the current one is tinted and has an accent bar. Its acts stand in the opened case
    alone. Signal: `clicked`."""

    has_ring = False

    def __init__(self, theme: Theme, data: RowData) -> None:
        super().__init__(theme, f"{data.title} {data.total}".strip())
        self.setAccessibleDescription(data.words)
        self.data = data
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        lines = self._lines(self.width())
        high = max(metrics.cart_row, lines.height(metrics) + 6 * metrics.s1)
        return QSize(6 * metrics.touch, high)

    def _lines(self, width: int) -> _CaseLines:
        fonts, metrics, own = self.theme.fonts, self.theme.metrics, self.font()
        step, weight = TypeStep.NAME, Weight.SEMIBOLD
        room = width - metrics.s4 - self._left_edge()
        beside = room - self._amount_width() - metrics.s3
        fits = (
            not self.data.short
            or fonts.text_metrics(own, step, weight).width(self.data.title) <= beside
        )
        title = self.data.title if fits else self.data.short
        small = fonts.text_metrics(own, TypeStep.SMALL, weight)
        is_beside = small.holds(title, beside, lines=MOST_LINES)
        meter, above = painting.broken(
            self.theme,
            own,
            title,
            beside if is_beside else room,
            step=step,
            weight=weight,
            lines=MOST_LINES,
        )
        quiet = fonts.text_metrics(own, TypeStep.SMALL)
        below = quiet.broken(self.data.words, room, lines=MOST_LINES)
        return _CaseLines(meter, above, below, is_beside=is_beside)

    def _amount_width(self) -> int:
        amount = self.theme.fonts.text_metrics(self.font(), TypeStep.STRONG, Weight.BOLD)
        return amount.width(self.data.total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _left_edge(self) -> int:
        metrics = self.theme.metrics
        return metrics.s4 + metrics.icon(ICON) + metrics.s3

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics, fonts = self.theme, self.theme.metrics, self.theme.fonts
        if self.isChecked() or self.isDown():
            painter.fillRect(self.rect(), theme.colour("tint" if self.isChecked() else "line"))
        self._paint_bar(painter)
        painting.rule(painter, self.rect(), theme)
        size = metrics.icon(ICON)
        line, small = metrics.line(TypeStep.NAME), metrics.line(TypeStep.SMALL)
        lines = self._lines(self.width())
        quiet = fonts.text_metrics(self.font(), TypeStep.SMALL)
        top = (self.height() - lines.height(metrics)) // 2
        middle = QPoint(metrics.s4 + size // 2, top + line // 2)
        theme.draw_icon(painter, self.data.icon, self.data.ink, ICON, middle)
        left, right = self._left_edge(), self.width() - metrics.s4
        amount = fonts.resized(self.font(), TypeStep.STRONG, Weight.BOLD)
        took = self._amount_width()
        room, ink = QRect(right - took, top, took, line), theme.colour("ink")
        upper = QRect(left, top, right - left, line)
        top += painting.put_lines(painter, upper, lines.above, lines.meter, ink=ink)
        if not lines.is_beside:
            room.moveTop(top)
            top += line
        painting.put(painter, room, self.data.total, ink, amount, align=painting.RIGHT)
        lower = QRect(left, top, right - left, small)
        painting.put_lines(painter, lower, lines.below, quiet, ink=theme.colour("ink_2"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass Up and Down to the screen, which chooses another row."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _paint_bar(self, painter: QPainter) -> None:
        """Paint the accent bar of the current row; with the focus it has the focus' colour."""
        if self.isChecked() or self.hasFocus():
            ink: Token = "focus" if self.hasFocus() else "accent"
            bar = QRect(0, 0, self.theme.metrics.s1, self.height())
            painter.fillRect(bar, self.theme.colour(ink))


class CaseList(Ground):
    """Signals: `chosen(str)`, the id of a case; `solved_pressed()`."""

    chosen = Signal(str)
    solved_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, side=Qt.Edge.RightEdge)
        self.setAccessibleName(texts("att.list"))
        self._texts = texts
        self.rows: dict[str, CaseRow] = {}
        self._groups: list[GroupData] | None = None
        self._area = Scrolled(theme, name=texts("att.list"))
        self._solved = Label(theme, colour="ink_2")
        self.solved_button = Button(theme, "", icon="history", kind=ButtonKind.QUIET)
        self.solved_button.clicked.connect(self.solved_pressed)
        metrics = theme.metrics
        foot = QHBoxLayout()
        foot.setContentsMargins(metrics.s4, metrics.s2, metrics.s2, metrics.s2)
        foot.addWidget(self._solved)
        foot.addStretch(1)
        foot.addWidget(self.solved_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, metrics.hair, 0)
        column.setSpacing(0)
        column.addWidget(self._area, 1)
        column.addWidget(Divider(theme))
        column.addLayout(foot)

    def show_model(self, model: AttentionModel, facts: CaseFacts) -> None:
        """Show the open groups, or what was solved today; unchanged rows stay."""
        texts = self._texts
        groups = (
            self._solved_group(model, facts)
            if model.shows_solved
            else [self._group(group, model, facts) for group in CaseGroup]
        )
        self._show_groups([group for group in groups if group.rows], model.current_id)
        self._solved.setText(texts("att.solved_today", n=texts.number(len(model.solved))))
        self.solved_button.set_words(
            texts("att.show_open" if model.shows_solved else "att.show_solved")
        )
        self._fit_foot()

    def step(self, current: str, key: int) -> str:
        """The id of the case to which a key leads, or the same id at the ends."""
        ids = list(self.rows)
        if current not in ids:
            return ids[0] if ids else ""
        wanted = row_after(key, ids.index(current), len(ids))
        return current if wanted is None else ids[wanted]

    def reveal(self, case_id: str, *, takes_focus: bool = False) -> None:
        if case_id in self.rows:
            if takes_focus:
                self.rows[case_id].setFocus()
            self._area.ensureWidgetVisible(self.rows[case_id], 0, 0)

    @property
    def row_has_focus(self) -> bool:
        return any(row.hasFocus() for row in self.rows.values())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_foot()
        super().resizeEvent(event)

    # --- parts -----------------------------------------------------------------------------------

    def _fit_foot(self) -> None:
        """Hide the count where it does not fit beside the button, which shows what is counted."""
        metrics, width = self.theme.metrics, self.solved_button.sizeHint().width()
        needed = self._solved.sizeHint().width() + width + metrics.s4 + 2 * metrics.s2
        self._solved.setVisible(needed + metrics.s2 <= self.width())

    def _group(self, group: CaseGroup, model: AttentionModel, facts: CaseFacts) -> GroupData:
        cases = [case for case in model.cases if case.group is group]
        rows = tuple(self._row_data(case, facts) for case in cases)
        counted = (case for case in cases if not case.sums_up and not case.is_under_way)
        many = sum(case.many or 1 for case in counted)
        return GroupData(self._texts(f"att.group.{group}"), rows, many)

    def _solved_group(self, model: AttentionModel, facts: CaseFacts) -> list[GroupData]:
        rows = tuple(self._row_data(case, facts) for case in model.solved)
        return [GroupData(self._texts("att.solved"), rows, len(rows))]

    def _row_data(self, attention_case: Case, facts: CaseFacts) -> RowData:
        icon, ink = attention_case.picture
        moment = when(attention_case.since, self._texts, now=facts.now)
        return RowData(
            id=attention_case.id,
            icon=icon,
            ink=ink,
            title=attention_case.title(self._texts),
            words=f"{moment} · {attention_case.why(self._texts, facts)}".rstrip(" ·"),
            total=amount_text(attention_case.total) if attention_case.total is not None else "",
            short=attention_case.short_title(self._texts),
        )

    def _show_groups(self, groups: list[GroupData], current: str) -> None:
        if groups != self._groups:
            had_focus = self.row_has_focus
            self._groups = groups
            self._build(groups)
            if had_focus and current in self.rows:
                self.rows[current].setFocus()
        for case_id, row in self.rows.items():
            row.setChecked(case_id == current)

    def _build(self, groups: Sequence[GroupData]) -> None:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.rows = {}
        for group in groups:
            column.addLayout(self._head(group))
            for data in group.rows:
                self.rows[data.id] = row = CaseRow(self.theme, data)
                row.clicked.connect(lambda _=False, case_id=data.id: self.chosen.emit(case_id))
                column.addWidget(row)
        column.addStretch(1)
        self._area.show_inside(holder)

    def _head(self, group: GroupData) -> QHBoxLayout:
        metrics = self.theme.metrics
        row = QHBoxLayout()
        row.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s1)
        for words in (group.head, str(group.many or "")):
            row.addWidget(
                Label(self.theme, words, step=TypeStep.SMALL, weight=Weight.BOLD, colour="ink_2")
            )
        row.insertStretch(1, 1)
        return row
