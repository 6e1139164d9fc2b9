"""The right of Attention: one question as a title, a notice in three parts, the guided answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.attention import case_texts
from pos_app.cashier.attention.case_texts import CaseFacts
from pos_app.cashier.attention.guides import guide_for
from pos_app.cashier.attention.job_texts import ask_key
from pos_app.cashier.attention.lines_list import LinesList
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.steps import DoubtGuide
from pos_app.cashier.copy_path import CopyPath
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.notice import Notice
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import Icon
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.number_text import amount_text

HEADS = ("happened", "safe", "press")


WIDEST_TYPE = 125
"""Text size up to which the notice stands above the steps on a narrow screen."""


@dataclass(frozen=True, slots=True)
class News:
    """What is said at the bottom of a case. is_done: of an act, that it was carried out.

    file: one that nothing opened, whose place can be copied.
    """

    words: str
    is_done: bool = True
    is_trouble: bool = False
    file: Path | None = None


class CaseView(QWidget):
    """The case of one row, made anew when the case is another one. Signal: `lines_pressed()`."""

    lines_pressed = Signal()

    def __init__(
        self, theme: Theme, texts: Texts, row: Row, model: AttentionModel, standing: CaseFacts
    ) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._row = row
        self._model = model
        self.made_of = made_of(row, texts, standing)
        self.guide = guide_for(row, theme, texts)
        self.lines: LinesList | None = None
        self.show_lines = Button(theme, texts("att.show_lines"), icon="list")
        self.show_lines.clicked.connect(self.lines_pressed)
        self._said = Label(theme, texts("att.go_on_quiet"), colour="ink_2", wrap=True)
        self._mark = Icon(theme, "info", size=18)
        self._middle = QVBoxLayout()
        self._foot = QHBoxLayout()
        self._copy: CopyPath | None = None
        self._build(standing)
        # Shown or hidden once it has its place: without a parent it would be a window of its own.
        self.show_lines.setVisible(row.sale is not None)
        self.show_row(row, standing)

    @property
    def row(self) -> Row:
        """The row whose case this is."""
        return self._row

    def show_row(self, row: Row, standing: CaseFacts) -> None:
        """New facts of the same case: what was typed stays."""
        self._row = row
        if isinstance(self.guide, DoubtGuide):
            looked = row.doubt is not None and bool(row.doubt.lookups)
            title = self._texts("att.step.look" if looked else "att.step.look_first")
            self.guide.show_looked(
                title, case_texts.look_words(row.doubt, self._texts, now=standing.now), done=looked
            )

    def take_typed(self, before: CaseView | None) -> None:
        """What was typed into the same case, before it was made anew."""
        if before is None or before.row.id != self._row.id:
            return
        if self.guide is not None and before.guide is not None:
            self.guide.take_typed(before.guide)

    def tell(self, news: News) -> None:
        """The line at the bottom: what just happened, what failed, or that selling goes on."""
        self._said.setText(news.words)
        if news.is_trouble:
            self._mark.set_icon("triangle-alert", "warn")
        elif news.is_done:
            self._mark.set_icon("circle-check", "ok")
        else:
            self._mark.set_icon("info", "ink_2")
        self._offer_path(news.file)

    def said(self) -> str:
        """The line at the bottom."""
        return self._said.text()

    def toggle_lines(self) -> None:
        """The items of the sale in place of the answer, or back."""
        shown = self.lines is None
        if self.lines is not None:
            self._middle.removeWidget(self.lines)
            self.lines.deleteLater()
            self.lines = None
        else:
            self.lines = LinesList(self._theme, self._texts, self._model.lines(self._row))
            self._middle.insertWidget(0, self.lines)
        if self.guide is not None:
            self.guide.setVisible(not shown)
        self.show_lines.set_words(self._texts("att.show_steps" if shown else "att.show_lines"))

    def _offer_path(self, file: Path | None) -> None:
        """The button that copies where a file lies, made anew where it is another file."""
        if (self._copy.file if self._copy is not None else None) == file:
            return
        if self._copy is not None:
            self._foot.removeWidget(self._copy)
            self._copy.hide()
            self._copy.deleteLater()
            self._copy = None
        if file is not None:
            self._copy = CopyPath(self._theme, self._texts, file)
            self._foot.insertWidget(self._foot.indexOf(self._said) + 1, self._copy)
            self._copy.show()

    # --- parts -----------------------------------------------------------------------------------

    def _build(self, standing: CaseFacts) -> None:
        metrics = self._theme.metrics
        column = QVBoxLayout(self)
        side = metrics.s3 if metrics.narrow else metrics.s4 + metrics.s1
        column.setContentsMargins(side, metrics.s3, side, metrics.s3)
        column.setSpacing(metrics.s3)
        column.addLayout(self._head(standing))
        notice = self._notice(standing)
        is_tight = metrics.narrow and metrics.text_percent > WIDEST_TYPE
        if not is_tight:
            column.addWidget(notice)
        column.addWidget(self._answer(notice if is_tight else None), 1)
        foot = self._foot
        foot.setSpacing(metrics.s2)
        foot.addWidget(self._mark)
        foot.addWidget(self._said, 1)
        foot.addWidget(self.show_lines)
        column.addLayout(foot)
        if case_texts.is_doubt(self._row):
            self.tell(News(self._texts("att.go_on"), is_done=False))
        elif self._row.trouble is not None:
            self.tell(News(self._texts("att.go_on_storage"), is_done=False))

    def _head(self, standing: CaseFacts) -> QHBoxLayout:
        theme, texts, row = self._theme, self._texts, self._row
        left = QVBoxLayout()
        left.setSpacing(0)
        title = texts(ask_key(row.what, row.job))
        left.addWidget(Label(theme, title, step=Step.TITLE, weight=Weight.BOLD, wrap=True))
        told = case_texts.case_words(row, texts, standing, lines=len(self._model.lines(row)))
        left.addWidget(Label(theme, told, colour="ink_2", wrap=True))
        head = QHBoxLayout()
        head.setSpacing(theme.metrics.s4)
        head.addLayout(left, 1)
        if row.total is not None:
            total = amount_text(row.total)
            amount = AmountLabel(theme, total, name=texts("att.amount"), step=Step.TOTAL)
            amount.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            head.addWidget(amount)
        return head

    def _notice(self, standing: CaseFacts) -> Notice:
        texts = self._texts
        told = case_texts.notice_words(self._row, texts, standing)
        happened, safe, press = (texts(f"att.heads.{head}") for head in HEADS)
        return Notice(
            self._theme,
            case_texts.notice_kind(self._row),
            happened=told.happened,
            safe=told.safe,
            press=told.press,
            heads=(happened, safe, press),
        )

    def _answer(self, notice: Notice | None) -> Scrolled:
        """The steps; they scroll only where large type needs more than there is.

        notice: what is told before them and scrolls with them, for want of room.
        """
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(self._theme.metrics.s3)
        if notice is not None:
            whole.addWidget(notice)
        self._middle = QVBoxLayout()
        whole.addLayout(self._middle, 1)
        if self.guide is not None:
            self._middle.addWidget(self.guide)
        self._middle.addStretch(1)
        area = Scrolled(self._theme, name=self._texts(ask_key(self._row.what, self._row.job)))
        area.show_inside(inside)
        return area

    def focus_first(self) -> None:
        """Put the focus where the answer begins."""
        target = self.guide.first() if self.guide is not None else None
        (target or self.show_lines).setFocus(Qt.FocusReason.OtherFocusReason)


def made_of(row: Row, texts: Texts, standing: CaseFacts) -> tuple[object, ...]:
    """What a case is made of: when it differs, the case is made anew."""
    told = case_texts.notice_words(row, texts, standing)
    return row.id, row.what, texts.language, told, row.receipt_id is None
