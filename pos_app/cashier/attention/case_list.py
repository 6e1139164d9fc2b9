"""The left side of Attention: the groups, and below them what was solved today."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from pos_app.cashier.attention import case_texts, job_texts
from pos_app.cashier.attention.case_texts import CaseFacts
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.rows import Group, Row
from pos_app.cashier.attention.rows_view import GroupFace, GroupList, RowFace
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.panel import Divider, Ground
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.number_text import amount_text
from pos_app.selling.attention import AttentionKind


class CaseList(Ground):
    """Signals: `chosen(str)`, the id of a row; `answered(str, str)`, with a button in it;
    `solved_pressed()`.
    """

    chosen = Signal(str)
    answered = Signal(str, str)
    solved_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, side=Qt.Edge.RightEdge)
        self._texts = texts
        self.shows_solved = False
        self.list = GroupList(theme, name=texts("att.list"))
        self.list.chosen.connect(self.chosen)
        self.list.answered.connect(self.answered)
        self._solved = Label(theme, colour="ink_2")
        self.solved_key = Button(theme, "", icon="history", kind=ButtonKind.QUIET)
        self.solved_key.clicked.connect(self.solved_pressed)
        metrics = theme.metrics
        foot = QHBoxLayout()
        foot.setContentsMargins(metrics.s4, metrics.s2, metrics.s2, metrics.s2)
        foot.addWidget(self._solved)
        foot.addStretch(1)
        foot.addWidget(self.solved_key)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, metrics.hair, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(Divider(theme))
        column.addLayout(foot)

    def show_model(self, model: AttentionModel, standing: CaseFacts) -> None:
        """The open groups, or what was solved today."""
        texts = self._texts
        groups = self._solved_group(model, standing) if self.shows_solved else [
            self._group(group, model, standing) for group in Group
        ]  # fmt: skip
        shown = [group for group in groups if group.rows]
        self.list.show_groups(shown, current=model.current_id)
        self._solved.setText(texts("att.solved_today", n=len(model.solved)))
        self.solved_key.set_words(
            texts("att.show_open" if self.shows_solved else "att.show_solved")
        )
        self._fit_foot()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_foot()
        super().resizeEvent(event)

    def _fit_foot(self) -> None:
        """The count gives way to the key, which shows what is counted."""
        metrics, key = self.theme.metrics, self.solved_key.sizeHint().width()
        needed = self._solved.sizeHint().width() + key + metrics.s4 + 2 * metrics.s2
        self._solved.setVisible(needed + metrics.s2 <= self.width())

    def _group(self, group: Group, model: AttentionModel, standing: CaseFacts) -> GroupFace:
        faces = [self._face(row, standing) for row in model.rows if row.group is group]
        return GroupFace(self._texts(f"att.group.{group}"), tuple(faces))

    def _solved_group(self, model: AttentionModel, standing: CaseFacts) -> list[GroupFace]:
        faces = tuple(self._face(row, standing) for row in model.solved)
        return [GroupFace(self._texts("att.solved"), faces)]

    def _face(self, row: Row, standing: CaseFacts) -> RowFace:
        icon, ink = case_texts.ICONS.get(row.what, case_texts.WAITING_ICON)
        if row.job is not None:
            icon, ink = job_texts.job_icon(row.what, row.job)
        elif row.what is AttentionKind.SOLVED and row.sale is not None and row.sale.receipt is None:
            icon, ink = "x", "ink_2"
        return RowFace(
            id=row.id,
            icon=icon,
            ink=ink,
            title=case_texts.row_title(row, self._texts),
            words=case_texts.row_words(row, self._texts, standing),
            total=amount_text(row.total) if row.total is not None else "",
            short=job_texts.short_title(row.what, row.job, self._texts) if row.job else "",
            buttons=job_texts.row_buttons(row.what, row.job, self._texts) if row.job else (),
        )
