"""Questions with a list of choices: variants, suspended carts, removed lines, and the menu F9."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.cashier.commands import KeyPage
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel, price_words
from pos_app.cashier.sale.questions import RemovedLines, VariantQuestion
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.option_button import OptionButton, PricedButton
from pos_app.cashier.ui.panel import EmptyState
from pos_app.cashier.ui.scrolling import MoreBelow, ScrolledColumn, ScrolledRows
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.words.cart_texts import named_line
from pos_app.cashier.words.moments import clock_of
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.domain.text.search_text import matches
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ticket import Ticket

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}


@dataclass(frozen=True, slots=True)
class Choosable:
    """A choice: quiet words above bold ones. key: the cap of the key that does the same without
    this panel. price: an amount of its own, of what `value` names. why_not: why it can't be chosen
    now."""

    label: str
    value: str
    act: Callable[[], None]
    icon: str = ""
    key: str = ""
    price: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Choices under a head; "" for a group without one."""

    head: str
    choices: Sequence[Choosable]


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to lay out the buttons. is_low: they lose their labels. has_heads: those of the groups
    stand."""

    columns: int
    is_low: bool = False
    has_icons: bool = True
    has_heads: bool = True


class _Choices(ScrolledRows):
    """Groups of buttons in as many columns, up to `most`, as their words and key caps have room
    for. folds: they stay in two columns at least; where not all have room so they lose their
    labels, then their icons, which lets them stand in one column more, and last the heads of the
    groups. A mark at the foot says that there are more below."""

    def __init__(
        self,
        theme: Theme,
        groups: Sequence[tuple[str, Sequence[OptionButton]]],
        *,
        most: int,
        folds: bool,
        name: str,
    ) -> None:
        super().__init__(theme, name=name)
        self._groups = groups
        self._buttons = [button for _, some in groups for button in some]
        self._heads = [_head(theme, head) for head, _ in groups]
        self._most = most
        self._folds = folds
        self._below = MoreBelow(theme, self)
        self._laid_out: tuple[int, bool] | None = None
        """The number of columns, and whether the heads stand."""
        self._cells: dict[int, tuple[int, int]] = {}
        """The row and column of each button, by its number."""
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.metrics.s2)
        self._lay_out(2, has_heads=True)
        self.show_inside(inside)

    def _lay_out(self, columns: int, *, has_heads: bool) -> None:
        """Put the buttons in so many columns: each group under its head, or without heads all in
        one row of rows."""
        if (columns, has_heads) == self._laid_out:
            return
        self._laid_out = columns, has_heads
        grid, row, number = self._grid, 0, 0
        for one in range(grid.rowCount()):
            grid.setRowStretch(one, 0)
        self._cells.clear()
        groups = [some for _, some in self._groups] if has_heads else [self._buttons]
        for head in filter(None, self._heads):
            head.hide()
        for title, some in zip_longest(self._heads if has_heads else (), groups):
            if title is not None:
                grid.addWidget(title, row, 0, 1, columns)
                title.show()
                row += 1
            for at, button in enumerate(some):
                self._cells[number] = row + at // columns, at % columns
                grid.addWidget(button, *self._cells[number])
                number += 1
            row += -(-len(some) // columns)
        grid.setRowStretch(row, 1)
        for column in range(self._most):
            grid.setColumnStretch(column, 1 if column < columns else 0)

    def beside(self, number: int, step: int) -> int | None:
        """Return the number of the button before or after another one."""
        return number + step if number + step in self._cells else None

    def above(self, number: int, step: int) -> int | None:
        """Return the number of the button in the row above or below, in the same column or the
        last one of a shorter row."""
        row, column = self._cells[number]
        rows = sorted({one for one, _ in self._cells.values()})
        at = rows.index(row) + step
        if not 0 <= at < len(rows):
            return None
        in_row = [one for one, cell in self._cells.items() if cell[0] == rows[at]]
        return in_row[min(column, len(in_row) - 1)]

    def resizeEvent(self, event: QResizeEvent) -> None:
        width_of = OptionButton.low_width if self._folds else OptionButton.capped_width
        widest = max(map(width_of, self._buttons)) + self._grid.spacing()
        fitting = (event.size().width() + self._grid.spacing()) // widest
        self._fold(min(max(fitting, 2 if self._folds else 1), self._most))
        super().resizeEvent(event)
        self._below.reposition()

    def _fold(self, columns: int) -> None:
        """Take the first way in which all has room; rows that scroll have one height."""
        for way in self._ways(columns):
            for button in self._buttons:
                button.set_low(way.is_low)
                button.fold_icon(not way.has_icons)
            self._lay_out(way.columns, has_heads=way.has_heads)
            self._grid.invalidate()
            if self._grid.sizeHint().height() <= self.height():
                break
        self.set_row_height(self._buttons[0].sizeHint().height())

    def _ways(self, columns: int) -> Iterator[_Way]:
        """Yield the ways to lay out the buttons, in the order in which they fold. A label that
        would take the room of an icon or a key cap folds at once."""
        capped = max(button.capped_width() for button in self._buttons)
        if not self._folds or self._column_width(columns) >= capped:
            yield _Way(columns)
        if not self._folds:
            return
        yield _Way(columns, is_low=True)
        bare = max(button.bare_width() for button in self._buttons)
        if columns < self._most and self._column_width(columns + 1) >= bare:
            yield _Way(columns + 1, is_low=True, has_icons=False)
        yield _Way(columns, is_low=True, has_heads=False)

    def _column_width(self, columns: int) -> int:
        return (self.width() + self._grid.spacing()) // columns - self._grid.spacing()


def _head(theme: Theme, words: str) -> Label | None:
    if not words:
        return None
    return Label(theme, words, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2")


class ChoicePanel(QuestionPanel):
    """Choices as large buttons; digits 1 to 9 and arrows choose too. A choice that has a key of its
    own shows that key; the digits count the others."""

    key_page = KeyPage.CHOICE
    has_digits = True
    """Whether digits choose, which else belong to a field."""

    def __init__(
        self, model: SaleModel, texts: Texts, theme: Theme, *, title: str, beside: str = ""
    ) -> None:
        super().__init__(model, texts, theme, title=title, words_beside=beside)
        self.buttons: list[OptionButton] = []
        self._by_digit: dict[str, OptionButton] = {}

    def fill(
        self,
        choices: Sequence[Choosable],
        *,
        nothing: tuple[str, str] = ("", ""),
        key: Button | None = None,
    ) -> None:
        """Show the choices. nothing: title and words if there is no choice. key: leads on there,
        where a search found none; else all is well."""
        self.buttons, self._by_digit = [], {}
        if choices:
            self._show([ChoiceGroup("", choices)], most=2, folds=False)
            return
        title, text = nothing
        area = ScrolledColumn(self.theme, name=self.accessibleName())
        icon: tuple[str, Token] = ("circle-check", "ok") if key is None else ("search", "ink_3")
        empty = EmptyState(
            self.theme, title=title, words=text, icon=icon[0], colour=icon[1], button=key
        )
        area.show_inside(empty)
        self.fill_whole(area)

    def fill_groups(self, groups: Sequence[ChoiceGroup]) -> None:
        """Show many choices under heads; they may lose their labels."""
        self._show([one for one in groups if one.choices], most=3, folds=True)

    def _show(self, groups: Sequence[ChoiceGroup], *, most: int, folds: bool) -> None:
        made = [(one.head, [self._button(choice) for choice in one.choices]) for one in groups]
        name = self.accessibleName()
        self._choices = _Choices(self.theme, made, most=most, folds=folds, name=name)
        self.fill_whole(self._choices)

    def _button(self, choice: Choosable) -> OptionButton:
        number = len(self._by_digit) + 1
        digit = str(number) if self.has_digits and number <= 9 and not choice.key else ""
        key = choice.key or digit
        if choice.price:
            button: OptionButton = PricedButton(
                self.theme,
                choice.value,
                choice.price,
                label=choice.label,
                icon=choice.icon,
                key=key,
            )
        else:
            button = OptionButton(self.theme, choice.label, choice.value, icon=choice.icon, key=key)
        button.clicked.connect(choice.act)
        if choice.why_not:
            button.refuse(choice.why_not)
        if digit:
            self._by_digit[digit] = button
        self.buttons.append(button)
        return button

    def focus_first(self) -> None:
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().focus_first()

    def enter(self) -> None:
        for button in (*self.buttons, self.head.button):
            if button.hasFocus():
                button.click()
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = next((n for n, one in enumerate(self.buttons) if one.hasFocus()), None)
        step = _STEPS.get(Qt.Key(event.key()), 0)
        edge = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}.get(Qt.Key(event.key()))
        if (chosen := self._by_digit.get(typed_text(event))) is not None:
            chosen.click()
        elif edge is not None and self.buttons:
            self.buttons[edge].setFocus(Qt.FocusReason.TabFocusReason)
        elif step and self.buttons:
            is_row = event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up)
            find = self._choices.above if is_row else self._choices.beside
            there = find(here or 0, step)
            while there is not None and not self.buttons[there].isEnabled():
                there = find(there, step)
            if there is not None:
                self.buttons[there].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)


def which_panel(
    question: VariantQuestion, model: SaleModel, texts: Texts, theme: Theme
) -> ChoicePanel:
    beside = texts.count("ask.which_words", len(question.articles))
    panel = ChoicePanel(model, texts, theme, title=texts("ask.which"), beside=beside)

    def choice(article: Article) -> Choosable:
        price = texts("picker.open_price")
        if article.price is not None and not article.open_price:
            price = price_words(article.price, article.unit, texts)
        take = partial(model.entry.choose, article, question.unknown_code)
        return Choosable("", article.name, partial(model.questions.answered, take), price=price)

    panel.fill([choice(article) for article in question.articles])
    return panel


class SuspendedPanel(ChoicePanel):
    """F6 with an empty cart: the suspended carts, the longest suspended first. Letters look for one
    by its name, cashier or articles; Enter in their field takes the first."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.held"))
        self._carts = model.cart.suspended()
        name = texts("ask.held_find")
        self.field = Field(theme, name=name, placeholder=name, takes=InputKind.WORDS)
        self.field.changed.connect(self._show_matching)
        self._foot.insertWidget(self._foot.indexOf(self._area), self.field)
        self.field.setVisible(len(self._carts) > 1)
        self._show_matching("")

    def _show_matching(self, query: str) -> None:
        texts, self.has_digits = self.texts, not query
        carts = [one for one in self._carts if matches(_searched(one), query)]
        nothing = ("ask.held_no_match", "") if query else ("ask.held_none", "ask.held_none_words")
        words = [texts(one) if one else "" for one in nothing]
        key = None
        if query and not carts:
            key = Button(self.theme, texts("empty.show_all"), icon="list")
            key.clicked.connect(lambda: self.field.set_text(""))
        self.fill([self._choosable(one) for one in carts], nothing=(words[0], words[1]), key=key)

    def _choosable(self, ticket: Ticket) -> Choosable:
        texts, count = self.texts, len(ticket.cart.active)
        now = self.model.context.services.till.clock.now()
        at = clock_of(ticket.suspended_at or ticket.opened_at, now)
        label = texts.count("ask.held_row", count, time=at, cashier=ticket.cashier)
        first = ticket.cart.active[0].article.frozen.name if count else texts("cart.exchange")
        total, gives = ticket.cart.total, Money.ZERO
        if (netting := ticket.netting) is not None:  # only the difference changes hands
            whole = self.model.context.services.in_whole_dinars
            gives = netting.cash_back(in_whole_dinars=whole) + netting.back_beside.total
            total = gives or netting.owed(in_whole_dinars=whole)
        if gives:
            label = f"{label} · {texts('figure.give')}"
        if received := ticket.received.total:
            label = f"{label} · {texts('ask.held_received', received=received)}"
        recall = _recalling(self.model, ticket.id)
        name = ticket.name or first
        return Choosable(label, name, recall, "pause", price=amount_text(total))

    def enter(self) -> None:
        if self.field.edit.hasFocus() and self.buttons:
            self.buttons[0].click()
        else:
            super().enter()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        typed, is_finding = typed_text(event), self.field.edit.hasFocus()
        if is_finding and event.key() == Qt.Key.Key_Down:
            self.focus_first()
        elif self._finds(typed) and self.field.isVisible() and not is_finding:
            self.leave_keys()
            self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.edit.insert(typed)
        else:
            super().keyPressEvent(event)

    def _finds(self, sign: str) -> bool:
        """Whether a sign looks for a cart, as a digit does that no cart has."""
        return sign.isalnum() and sign not in self._by_digit


def _searched(ticket: Ticket) -> str:
    """Return the words by which a suspended cart is found."""
    names = (line.article.frozen.name for line in ticket.cart.active)
    return " ".join((ticket.name, ticket.cashier, *names))


def removed_panel(_: RemovedLines, model: SaleModel, texts: Texts, theme: Theme) -> ChoicePanel:
    """Lines that can be put back until the sale ends."""
    panel = ChoicePanel(model, texts, theme, title=texts("ask.removed"))
    choices = [
        Choosable(
            f"{quantity_text(line.quantity)} × {amount_text(line.price)}",
            named_line(line, texts),
            _putting_back(model, line.id),
            "undo-2",
        )
        for line in model.cart.removed_lines
    ]
    panel.fill(choices, nothing=(texts("ask.removed_none"), ""))
    return panel


def _recalling(model: SaleModel, cart_id: int) -> Callable[[], None]:
    return lambda: model.cart.recall(cart_id)


def _putting_back(model: SaleModel, line_id: int) -> Callable[[], None]:
    return lambda: model.questions.answered(lambda: model.cart.put_back_line(line_id))
