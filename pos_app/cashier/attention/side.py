"""The left side of Attention: the groups, and below them what was solved today."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from pos_app.cashier.attention import say, say_job
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.rows import Group, Row
from pos_app.cashier.attention.rows_view import GroupFace, GroupList, RowFace
from pos_app.cashier.attention.say import Standing
from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.faces import Kind
from pos_app.cashier.look.labels import Label
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.panel import Ground, Rule
from pos_app.cashier.texts import Words
from pos_app.domain.numerals import amount_text
from pos_app.selling.attention import What


class Side(Ground):
    """Signals: `chosen(str)`, the id of a row; `answered(str, str)`, with a button in it;
    `solved_pressed()`.
    """

    chosen = Signal(str)
    answered = Signal(str, str)
    solved_pressed = Signal()

    def __init__(self, look: Look, words: Words) -> None:
        super().__init__(look, side=Qt.Edge.RightEdge)
        self._words = words
        self.shows_solved = False
        self.list = GroupList(look, name=words("att.list"))
        self.list.chosen.connect(self.chosen)
        self.list.answered.connect(self.answered)
        self._solved = Label(look, colour="ink_2")
        self.solved_key = Button(look, "", icon="history", kind=Kind.QUIET)
        self.solved_key.clicked.connect(self.solved_pressed)
        metrics = look.metrics
        foot = QHBoxLayout()
        foot.setContentsMargins(metrics.s4, metrics.s2, metrics.s2, metrics.s2)
        foot.addWidget(self._solved)
        foot.addStretch(1)
        foot.addWidget(self.solved_key)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, metrics.hair, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(Rule(look))
        column.addLayout(foot)

    def show_model(self, model: AttentionModel, standing: Standing) -> None:
        """The open groups, or what was solved today."""
        words = self._words
        groups = self._solved_group(model, standing) if self.shows_solved else [
            self._group(group, model, standing) for group in Group
        ]  # fmt: skip
        shown = [group for group in groups if group.rows]
        self.list.show_groups(shown, current=model.current_id)
        self._solved.setText(words("att.solved_today", n=len(model.solved)))
        self.solved_key.set_words(
            words("att.show_open" if self.shows_solved else "att.show_solved")
        )
        self._fit_foot()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_foot()
        super().resizeEvent(event)

    def _fit_foot(self) -> None:
        """The count gives way to the key, which shows what is counted."""
        metrics, key = self.look.metrics, self.solved_key.sizeHint().width()
        needed = self._solved.sizeHint().width() + key + metrics.s4 + 2 * metrics.s2
        self._solved.setVisible(needed + metrics.s2 <= self.width())

    def _group(self, group: Group, model: AttentionModel, standing: Standing) -> GroupFace:
        faces = [self._face(row, standing) for row in model.rows if row.group is group]
        return GroupFace(self._words(f"att.group.{group}"), tuple(faces))

    def _solved_group(self, model: AttentionModel, standing: Standing) -> list[GroupFace]:
        faces = tuple(self._face(row, standing) for row in model.solved)
        return [GroupFace(self._words("att.solved"), faces)]

    def _face(self, row: Row, standing: Standing) -> RowFace:
        icon, ink = say.ICONS.get(row.what, say.WAITING_ICON)
        if row.job is not None:
            icon, ink = say_job.job_icon(row.what, row.job)
        elif row.what is What.SOLVED and row.sale is not None and row.sale.receipt is None:
            icon, ink = "x", "ink_2"
        return RowFace(
            id=row.id,
            icon=icon,
            ink=ink,
            title=say.row_title(row, self._words),
            words=say.row_words(row, self._words, standing),
            total=amount_text(row.total) if row.total is not None else "",
            short=say_job.short_title(row.what, row.job, self._words) if row.job else "",
            buttons=say_job.row_buttons(row.what, row.job, self._words) if row.job else (),
        )
