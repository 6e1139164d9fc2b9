"""The parts of the screen Attention: bar, list at the left, one case or the empty state."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.attention.case_list import CaseList
from pos_app.cashier.attention.case_view import CaseView, News
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import ScreenHead, TopBar
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.notice import Banner
from pos_app.cashier.ui.panel import EmptyState, KeysGrid
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme

KEYS: tuple[tuple[str, str], ...] = (
    ("↑ ↓", "att.keys.rows"),
    ("Enter", "att.keys.enter"),
    ("Tab", "att.keys.tab"),
    ("F1", "keys.f1"),
    ("F10", "keys.f10"),
    ("Esc", "keys.escape"),
)
"""What F1 tells: the key as it stands on the keyboard, and what it does."""
SIDE_PERMILLE = 344
"""The list's share of the width (mock-04)."""


class AttentionLayout(QWidget):
    """All widgets in the words and sizes of the moment; made anew when these change."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.head = ScreenHead(theme, back=texts("att.back"), title=texts("att.title"))
        self.bar = TopBar(theme, self.head)
        self.banner = Banner(theme, "")
        self.banner.hide()
        self.behind = Banner(theme, texts("banner.behind"), icon="triangle-alert")
        self.behind.hide()
        self.side = CaseList(theme, texts)
        self.case: CaseView | None = None
        self._said = Label(theme, wrap=True)
        self._said.hide()
        self._empty = _empty_state(theme, texts, self._said)
        self.leave_keys = Button(theme, texts("back"), icon="arrow-left", key="Esc")
        self._keys = _keys(theme, texts, self.leave_keys)
        self._keys.hide()
        self.shows_keys = False
        self._place = QVBoxLayout()
        self._place.addWidget(self._empty)
        self._place.addWidget(self._keys)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addLayout(self._place, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.behind)
        column.addWidget(self.banner)
        column.addLayout(row, 1)

    def set_banner(self, words: str) -> None:
        """The banner of the sale below, slim; "" for none."""
        self.banner.setVisible(bool(words))
        self.banner.set_words(words, slim=True)

    def say(self, words: str) -> None:
        """One line in the case that is shown, or where all is well."""
        self.tell(News(words, is_done=False))

    def tell(self, news: News) -> None:
        """What happened or failed, in the same place."""
        if self.case is not None:
            self.case.tell(news)
        self._said.setVisible(bool(news.words) and self.case is None)
        self._said.setText(news.words)

    def unsay(self) -> None:
        """What was said where all is well is over."""
        self._said.hide()

    def take_width(self, width: int) -> None:
        """The list keeps its share."""
        self.side.setFixedWidth(width * SIDE_PERMILLE // 1000)

    def set_case(self, case: CaseView | None) -> bool:
        """Show another case, or the empty state; whether the focus was in the one before."""
        had_focus = False
        if self.case is not None:
            focus: QWidget | None = self.case.focusWidget()
            had_focus = focus is not None and focus.hasFocus()
            self._place.removeWidget(self.case)
            self.case.hide()
            self.case.deleteLater()
        self.case = case
        if case is not None:
            self.unsay()
            self._place.addWidget(case)
        self._show_place()
        return had_focus

    def show_keys(self, shown: bool) -> None:
        """The keys of this screen in place of the case, or back."""
        self.shows_keys = shown
        self._show_place()
        if shown:
            self.leave_keys.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_case()

    def _show_place(self) -> None:
        self._keys.setVisible(self.shows_keys)
        self._empty.setVisible(self.case is None and not self.shows_keys)
        if self.case is not None:
            self.case.setVisible(not self.shows_keys)

    def focus_case(self) -> None:
        """Put the focus where the answer begins."""
        if self.case is not None:
            self.case.focus_first()
        else:
            self.side.solved_key.setFocus()


def _keys(theme: Theme, texts: Texts, leave: Button) -> Scrolled:
    inside = QWidget()
    edge = theme.metrics.s4
    column = QVBoxLayout(inside)
    column.setContentsMargins(edge, edge, edge, edge)
    column.setSpacing(theme.metrics.s3)
    title = texts("ask.keys")
    column.addWidget(Label(theme, title, step=Step.TITLE, weight=Weight.BOLD, wrap=True))
    told = [(texts(cap) if texts.has(cap) else cap, texts(text)) for cap, text in KEYS]
    column.addWidget(KeysGrid(theme, told))
    column.addWidget(leave, 0, Qt.AlignmentFlag.AlignLeft)
    column.addStretch(1)
    area = Scrolled(theme, name=title)
    area.show_inside(inside)
    return area


def _empty_state(theme: Theme, texts: Texts, said: Label) -> QWidget:
    holder = QWidget()
    edge = theme.metrics.s4
    column = QVBoxLayout(holder)
    column.setContentsMargins(edge, edge, edge, edge)
    column.addWidget(EmptyState(theme, title=texts("att.empty"), words=texts("att.empty_words")))
    column.addWidget(said)
    column.addStretch(1)
    return holder
