"""The parts of the screen Attention: bar, list at the left, one case or the empty state."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.attention.case_view import CaseView, News
from pos_app.cashier.attention.side import Side
from pos_app.cashier.keys_grid import KeysGrid
from pos_app.cashier.look.banner import Banner, EmptyState
from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.labels import Label
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.topbar import ScreenHead, TopBar
from pos_app.cashier.scrolled import Scrolled
from pos_app.cashier.texts import Words

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


class Frame(QWidget):
    """All widgets in the words and sizes of the moment; made anew when these change."""

    def __init__(self, look: Look, words: Words) -> None:
        super().__init__()
        self.head = ScreenHead(look, back=words("att.back"), title=words("att.title"))
        self.bar = TopBar(look, self.head, lock_key="")
        self.bar.lock.hide()  # locking comes with sign-in
        self.banner = Banner(look, "")
        self.banner.hide()
        self.behind = Banner(look, words("banner.behind"), icon="triangle-alert")
        self.behind.hide()
        self.side = Side(look, words)
        self.case: CaseView | None = None
        self._said = Label(look, wrap=True)
        self._said.hide()
        self._empty = _empty_state(look, words, self._said)
        self.leave_keys = Button(look, words("back"), icon="arrow-left", key="Esc")
        self._keys = _keys(look, words, self.leave_keys)
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


def _keys(look: Look, words: Words, leave: Button) -> Scrolled:
    inside = QWidget()
    edge = look.metrics.s4
    column = QVBoxLayout(inside)
    column.setContentsMargins(edge, edge, edge, edge)
    column.setSpacing(look.metrics.s3)
    title = words("ask.keys")
    column.addWidget(Label(look, title, step=Step.TITLE, weight=Weight.BOLD, wrap=True))
    told = [(words(cap) if words.has(cap) else cap, words(text)) for cap, text in KEYS]
    column.addWidget(KeysGrid(look, told))
    column.addWidget(leave, 0, Qt.AlignmentFlag.AlignLeft)
    column.addStretch(1)
    area = Scrolled(look, name=title)
    area.show_inside(inside)
    return area


def _empty_state(look: Look, words: Words, said: Label) -> QWidget:
    holder = QWidget()
    edge = look.metrics.s4
    column = QVBoxLayout(holder)
    column.setContentsMargins(edge, edge, edge, edge)
    column.addWidget(EmptyState(look, title=words("att.empty"), words=words("att.empty_words")))
    column.addWidget(said)
    column.addStretch(1)
    return holder
