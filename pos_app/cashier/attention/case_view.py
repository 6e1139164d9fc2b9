"""The right of Attention: a question as the title, a notice in three parts, and the steps below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.attention.cases.case import Case, CaseFacts, Step
from pos_app.cashier.attention.model import NO_NEWS, CaseNews
from pos_app.cashier.attention.steps_view import ListView, StepsView
from pos_app.cashier.services.file_viewer import CopyPath
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.labels import AmountLabel, Icon, Label
from pos_app.cashier.ui.list_rows import ListRows
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import FilledPanel
from pos_app.cashier.ui.rows import CartWords
from pos_app.cashier.ui.scrolling import Scrolled, bring_into_sight
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import CartDelegate, RowView
from pos_app.cashier.words.cart_texts import cart_row
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.cart import CartLine

HEADS = ("happened", "safe", "press")
MOST_LINES = 7
"""The most items that are shown at once; further ones scroll."""


class CaseView(QWidget):
    """Shows one case, with the items of its sale. Signals: `pressed(Action, str)`, an action and
    its text; `entry_typed(str, str)`, the name of an entry and its text; `lines_toggled(bool)`."""

    pressed = Signal(object, str)
    entry_typed = Signal(str, str)
    lines_toggled = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        attention_case: Case,
        lines: Sequence[CartLine],
        facts: CaseFacts,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._sold = lines
        self.attention_case = attention_case
        self.steps = _steps_view(theme, texts, attention_case.steps(texts, facts))
        self.lines: LinesList | None = None
        self.show_lines = Button(theme, texts("att.show_lines"), icon="list")
        self.show_lines.clicked.connect(self.toggle_lines)
        self._words_label = Label(theme, texts("att.go_on_quiet"), colour="ink_2", wrap=True)
        self._mark = Icon(theme, "info", size=18)
        self._trouble: NoticePanel | None = None
        self._news = NO_NEWS
        self._middle = QVBoxLayout()
        self._trouble_layout = QVBoxLayout()
        self._made_of = _made_of(attention_case, texts, facts)
        self._build(facts)
        # The button has a parent only now; without one it would be a window of its own.
        self.show_lines.setVisible(attention_case.cart_id is not None)
        if self.steps is not None:
            self.steps.pressed.connect(self.pressed)
            for entry, field in self.steps.fields.items():
                field.changed.connect(partial(self.entry_typed.emit, entry))

    def show_case(self, attention_case: Case, facts: CaseFacts) -> bool:
        """Update the view where it is the same case with the same parts; what was typed stays.
        Returns False where the view has to be made anew."""
        if _made_of(attention_case, self._texts, facts) != self._made_of:
            return False
        self.attention_case = attention_case
        if self.steps is not None:
            self.steps.show_steps(attention_case.steps(self._texts, facts))
        return True

    def fill(self, typed_texts: Mapping[str, str]) -> None:
        """Fill the entries with what was typed into the same case, by their names."""
        for entry, words in typed_texts.items():
            if self.steps is not None:
                self.steps.fill(entry, words)

    def tell(self, news: CaseNews) -> None:
        """Set the text at the bottom: what just happened, or that selling goes on. A failure stands
        in a notice below the buttons, where the eye is."""
        words = news.say(self._texts)
        is_foot = news.is_trouble or not words
        self._words_label.setText(self._texts(self.attention_case.foot) if is_foot else words)
        sign = STATES[StateKind.MARK if is_foot else news.kind]
        self._mark.set_icon(sign.icon, sign.icon_ink)
        if news != self._news:
            self._news = news
            self._show_trouble()

    def news_text(self) -> str:
        if self._trouble is not None:
            return self._news.say(self._texts)
        return self._words_label.text()

    def toggle_lines(self) -> None:
        """Show the items of the sale instead of the steps, or the steps again."""
        shown = self.lines is None
        if self.lines is not None:
            self._middle.removeWidget(self.lines)
            self.lines.deleteLater()
            self.lines = None
        else:
            self.lines = LinesList(self._theme, self._texts, self._sold)
            self._middle.insertWidget(0, self.lines)
        if self.steps is not None:
            self.steps.setVisible(not shown)
        has_lines = self.attention_case.cart_id is not None
        self.show_lines.setVisible(has_lines and not shown)  # the way back leads to the steps
        self.lines_toggled.emit(shown)

    def focus_first(self) -> bool:
        """Focus the first field or button of the answer. Returns False where nothing can be
        pressed, as while the items are shown."""
        steps = self.steps if self.lines is None else None
        target = (steps.first() if steps is not None else None) or self.show_lines
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        return not target.isHidden()

    # --- parts -----------------------------------------------------------------------------------

    def _show_trouble(self) -> None:
        """Show why the last action failed; the path of its file is behind "Details", and a button
        copies it."""
        if self._trouble is not None:
            self._trouble_layout.removeWidget(self._trouble)
            self._trouble.hide()
            self._trouble.deleteLater()
            self._trouble = None
        news = self._news
        if not news.is_trouble:
            return
        theme, texts = self._theme, self._texts
        file, say = news.file, news.say(texts)
        self._trouble = NoticePanel(
            theme,
            NoticeKind.DANGER,
            happened=say,
            safe="",
            press="",
            buttons=() if file is None else (CopyPath(theme, texts, file),),
            details=None if file is None else Details(theme, texts("details"), str(file)),
        )
        self._trouble_layout.addWidget(self._trouble)
        self._trouble.show()
        bring_into_sight(self._trouble)

    def _build(self, facts: CaseFacts) -> None:
        metrics = self._theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(*(metrics.s3,) * 4)
        column.setSpacing(metrics.s3)
        told = self.attention_case.notice(self._texts, facts)
        column.addLayout(self._head(facts, told))
        notice = self._notice(told)
        is_tight = metrics.narrow and metrics.large
        if not is_tight:
            column.addWidget(notice)
        column.addWidget(self._answer(notice if is_tight else None), 1)
        foot = QHBoxLayout()
        foot.setSpacing(metrics.s2)
        foot.addWidget(self._mark)
        foot.addWidget(self._words_label, 1)
        foot.addWidget(self.show_lines)
        column.addLayout(foot)
        self.tell(NO_NEWS)

    def _head(self, facts: CaseFacts, told: NoticeWords) -> QHBoxLayout:
        theme, texts, case = self._theme, self._texts, self.attention_case
        left = QVBoxLayout()
        left.setSpacing(0)
        title = case.heading(texts)
        left.addWidget(Label(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True))
        about = case.about(texts, facts, lines=len(self._sold))
        left.addWidget(Label(theme, about, colour="ink_2", wrap=True))
        if technical := case.technical(texts) or told.technical:
            left.addWidget(Details(theme, texts("details"), technical))
        head = QHBoxLayout()
        head.setSpacing(theme.metrics.s4)
        head.addLayout(left, 1)
        if case.total is not None:
            total = amount_text(case.total)
            amount = AmountLabel(theme, total, name=texts("att.amount"), step=TypeStep.TOTAL)
            amount.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            head.addWidget(amount)
        return head

    def _notice(self, told: NoticeWords) -> NoticePanel:
        happened, safe, press = (self._texts(f"att.heads.{head}") for head in HEADS)
        return NoticePanel(
            self._theme,
            self.attention_case.level,
            happened=told.happened,
            safe=told.safe,
            press=told.press,
            heads=(happened, safe, press),
        )

    def _answer(self, notice: NoticePanel | None) -> Scrolled:
        """Return the steps or the list in an area that scrolls only if large type needs more room.
        notice: shown above them and scrolled with them where room is scarce, else None."""
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(self._theme.metrics.s3)
        if notice is not None:
            whole.addWidget(notice)
        self._middle = QVBoxLayout()
        whole.addLayout(self._middle, 1)
        if self.steps is not None:
            self._middle.addWidget(self.steps)
        elif listed := self.attention_case.listed(self._texts):
            self._middle.addWidget(ListView(self._theme, listed))
        self._middle.addLayout(self._trouble_layout)
        self._middle.addStretch(1)
        area = Scrolled(self._theme, name=self.attention_case.heading(self._texts))
        area.show_inside(inside)
        return area


def _steps_view(theme: Theme, texts: Texts, steps: Sequence[Step]) -> StepsView | None:
    return StepsView(theme, texts, steps) if steps else None


def _made_of(attention_case: Case, texts: Texts, facts: CaseFacts) -> tuple[object, ...]:
    """The parts that the view of a case is made of; the view is made anew when they differ."""
    steps = [(step.quote, step.rows, step.beside) for step in attention_case.steps(texts, facts)]
    return (
        attention_case.id,
        attention_case.kind,
        attention_case.notice(texts, facts),
        steps,
        attention_case.listed(texts),
    )


# --- the items of a sale -------------------------------------------------------------------------


class LinesList(FilledPanel):
    """The items of a sale as the cart showed them, read only."""

    def __init__(self, theme: Theme, texts: Texts, lines: Sequence[CartLine]) -> None:
        super().__init__(theme)
        self._count = len(lines)
        self.setAccessibleName(texts("att.lines"))
        remove, restore = texts("cart.remove"), texts("cart.restore")
        delegate = CartDelegate(theme, CartWords(remove=remove, restore=restore))
        self.view = RowView(theme, delegate, name=texts("att.lines"))
        self._rows = ListRows[CartLine](lambda row: row.spoken)
        self._rows.show_rows(lines, lambda line: cart_row(line, texts, is_current=False))
        self.view.setModel(self._rows)
        self.view.setSelectionMode(RowView.SelectionMode.NoSelection)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = self.edge_column()
        column.addWidget(self.view)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        shown = min(max(self._count, 1), MOST_LINES)
        return QSize(8 * metrics.touch, shown * metrics.cart_row + 2)
