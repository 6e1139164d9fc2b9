"""The common frame of the panels of questions: the way back and the title on top, the answer where
Pay is at the sale."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier import commands
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices import SaleNotice, more_words
from pos_app.cashier.sale.questions import TEXT, Entries
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import ScreenHead
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.labels import NO_AMOUNT, AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import KeysPage, Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.words.cart_texts import discount_text, lost_words
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.domain.receipt.cart import CartLine
from pos_app.errors import Invalid


class Reckoning(Panel):
    """Shows the amount that a typed number makes. given: the price used, in words ("189,99 /
    kg")."""

    def __init__(self, theme: Theme, texts: Texts, given: str) -> None:
        super().__init__(theme)
        self._texts = texts
        self._usual = given
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s1)
        self._given = Label(theme, given, step=TypeStep.STRONG, weight=Weight.SEMIBOLD, wrap=True)
        column.addWidget(self._given)
        row = QHBoxLayout()
        row.setSpacing(metrics.s2)
        self._amount = AmountLabel(
            theme, NO_AMOUNT, name=texts("reckon.total"), step=TypeStep.AMOUNT
        )
        row.addWidget(Label(theme, texts("reckon.total"), colour="ink_2"))
        row.addWidget(self._amount, 1)
        column.addLayout(row)
        self._lost = Label(theme, colour="warn", wrap=True)
        column.addWidget(self._lost)
        self.show_total(None)

    def show_total(self, total: Money | None, *, lost: str = "", given: str = "") -> None:
        """total: None while the text makes no amount. lost: which discounts would go with it.
        given: the price that is used then, "" for the usual one."""
        amount = NO_AMOUNT if total is None else amount_text(total)
        self._given.setText(given or self._usual)
        self._amount.setText(amount)
        words = f"{lost}. {self._texts('discount_lost.safe')}" if lost else ""
        self._lost.setText(words)
        self._lost.setVisible(bool(words))
        parts = (self._given.text(), f"{self._texts('reckon.total')} {amount}", words)
        self.setAccessibleName(", ".join(filter(None, parts)))

    def total(self) -> str:
        return self._amount.text()


def price_words(price: Money, unit: str, texts: Texts) -> str:
    """Return the price of one: "189,99 / kg"; without a unit the price alone, as it is printed."""
    return f"{amount_text(price)} / {unit}" if unit else amount_text(price)


def line_words(line: CartLine, texts: Texts, *, counted: bool = False) -> str:
    """Return the price of one piece of a line, and the line's discount. counted: with the
    quantity."""
    text = price_words(line.price, line.article.frozen.unit, texts)
    if counted and line.quantity != Quantity.ONE:
        text = f"{quantity_text(line.quantity)} × {text}"
    lowered = discount_text(line.discount)
    return text if lowered is None else f"{text} ({lowered})"


class QuestionPanel(QWidget):
    """One question. Subclasses fill `body` and may call `offer` for the big button. Head and big
    button are always visible; the body between them scrolls. F1 shows the keys of `key_page` in
    place of the body until the next key. `focus_first` is called once the panel is shown; the
    window handles Esc. Signal: `typed_changed()`, the result of `entries` has changed."""

    typed_changed = Signal()
    key_page = commands.KeyPage.QUESTION

    def __init__(
        self, model: SaleModel, texts: Texts, theme: Theme, *, title: str, words_beside: str = ""
    ) -> None:
        super().__init__()
        self.model = model
        self.texts = texts
        self.theme = theme
        self.setAccessibleName(title)
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        column.setSpacing(metrics.s2 + 2)
        self._title, self._words_beside = title, words_beside
        self._leads_to = texts("back.sale")
        self.head = ScreenHead(theme, key=commands.ESCAPE, title=title, words=words_beside)
        self.head.button.lead_to(self._leads_to)
        self.head.back.connect(self.back)
        column.addWidget(self.head)
        self._news_layout = QVBoxLayout()
        column.addLayout(self._news_layout)
        self._waiting = QVBoxLayout()
        column.addLayout(self._waiting)
        inside = QWidget()
        self.body = QVBoxLayout(inside)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(metrics.s2 + 2)
        self._area = ScrolledColumn(theme, name=title)
        self._area.show_inside(inside)
        column.addWidget(self._area, 1)
        self._keys: KeysPage | None = None
        self._foot = column
        self._notice: NoticePanel | None = None
        self.notice: NoticePanel | None = None
        self.safe: BigButton | None = None
        self.yes: BigButton | None = None
        self._answers = QWidget()
        self._answers.hide()
        self.show_waiting()

    def offer(
        self,
        word: str,
        act: Callable[[], None],
        *,
        icon: str = "check",
        kind: ButtonKind = ButtonKind.FILLED,
        safe_word: str = "",
    ) -> None:
        """Add the big button, which Enter presses. safe_word: the word of the button at its left,
        which leaves everything as it is; "" for none."""
        self._yes_word = word
        row = QHBoxLayout(self._answers)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self.theme.metrics.s6)
        self.yes = BigButton(self.theme, word, key=commands.ENTER, icon=icon, kind=kind)
        self.yes.clicked.connect(act)
        if safe_word:
            self.safe = BigButton(self.theme, safe_word, kind=ButtonKind.PLAIN)
            self.safe.clicked.connect(self.back)
            row.addWidget(self.safe, 1)
            safe = self.safe
            EnterCap(self, self.yes, commands.ENTER, takes=lambda focused: focused is safe)
        row.addWidget(self.yes, 1)
        self._foot.addWidget(self._answers)
        self._answers.show()

    def fill_whole(self, area: ScrolledColumn) -> None:
        """Show a part that scrolls by itself in place of the body."""
        self._foot.replaceWidget(self._area, area)
        self._area.hide()
        self._area.deleteLater()
        self._area = area
        area.show()

    def lead_to(self, words: str) -> None:
        """Name the way back after where it leads, if that is not the sale."""
        self._leads_to = words
        self.head.button.lead_to(words)

    def show_missing(self, order: str) -> None:
        """order: what to do before the big button can act, which it says then; "" for nothing."""
        if self.yes is not None:
            self.yes.show_act(self._yes_word, order=order, rests=False)

    def back(self) -> None:
        """Go one step back: from the keys to the question, or as `Questions.go_back`."""
        if not self.leave_keys():
            self.model.questions.go_back()

    def focus_first(self) -> None:
        """Put the focus where the answer is typed."""
        self.head.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def entries(self) -> Entries:
        """Return the texts of the fields."""
        return {}

    def take_typed(self, entries: Entries) -> None:
        """Put texts typed before into the fields again."""

    def tell_typed_before(self) -> None:
        """Say that the fields' texts were typed before the question was left."""
        label = Label(self.theme, self.texts("ask.typed_before"), colour="ink_2", wrap=True)
        self._waiting.addWidget(label)

    def show_waiting(self) -> None:
        _take_off(self._notice, self._waiting)
        self._notice = None
        count = len(self.model.entry.waiting)
        if count:
            self._notice = NoticePanel(
                self.theme,
                NoticeKind.INFO,
                icon="scan-barcode",
                happened=self.texts.count("waiting", count),
                safe=self.texts("waiting.words"),
                press="",
            )
            self._waiting.addWidget(self._notice)

    def show_news(self, news: Sequence[SaleNotice]) -> None:
        """Show the notices that came while the panel covers the area of notices, the last of them
        in full."""
        _take_off(self.notice, self._news_layout)
        self.notice = None
        if not news:
            return
        words = news[-1].words(self.texts)
        happened = words.happened
        if more := more_words(news, self.model.cart.ticket.missed, self.texts):
            happened += f" · {more}"
        self.notice = NoticePanel(
            self.theme, news[-1].level, happened=happened, safe=words.safe, press=words.press
        )
        self._news_layout.addWidget(self.notice)
        self.notice.show()

    def on_change(self, sale_parts: frozenset[SalePart]) -> None:
        """Take a change of the model while the panel is shown."""
        if SalePart.WAITING in sale_parts:
            self.show_waiting()
            self.repaint()

    def take_key(self, command: commands.TillCommand) -> None:
        """Take a key of the window that was pressed while scans wait for the answer."""
        if command is commands.TillCommand.KEYS and not self.leave_keys():
            self._show_keys()

    def _show_keys(self) -> None:
        self._keys = KeysPage(
            self.theme, commands.help_page(self.key_page, self.texts), name=self.texts("ask.keys")
        )
        self._foot.insertWidget(self._foot.indexOf(self._area), self._keys, 1)
        self._area.hide()
        self._answers.hide()
        self._keys.show()
        self.head.set_title(self.texts("ask.keys"))
        self.head.button.lead_to(self._title)
        self.head.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave_keys(self) -> bool:
        """Go from the keys back to the question; return False if they are not shown."""
        if self._keys is None:
            return False
        self._keys.hide()
        self._keys.deleteLater()
        self._keys = None
        self._area.show()
        self._answers.setVisible(self.yes is not None)
        self.head.set_title(self._title, self._words_beside)
        self.head.button.lead_to(self._leads_to)
        self.focus_first()
        return True

    def refuse_signs(self, field: Field) -> None:
        """Refuse a sign that no number has, with a tone; the text of the field stays."""
        field.refused.connect(lambda: self.model.context.tone("no"))

    def enter(self) -> None:
        """Press the big button, wherever the focus is on the panel but on the safe one."""
        button = self.safe if self.safe is not None and self.safe.hasFocus() else self.yes
        if button is not None and button.isEnabled():
            button.click()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter is handled here alone; Qt passes it on from a field after the field's own signal.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat() and not self.leave_keys():
                self.enter()
            return
        super().keyPressEvent(event)


class NumberPanel(QuestionPanel):
    """A question that one number answers. Subclasses write `answer`, which passes a fault to
    `show_fault`, and `reckon` if the number makes an amount. given: as in Reckoning; "" for no
    amount. above: a widget above the field. yes: the id of the big button's text."""

    key_page = commands.KeyPage.NUMBER

    def __init__(
        self,
        model: SaleModel,
        texts: Texts,
        theme: Theme,
        *,
        title: str,
        beside: str,
        label: str,
        typed_text: str = "",
        given: str = "",
        above: QWidget | None = None,
        yes: str = "ask.enter",
    ) -> None:
        super().__init__(model, texts, theme, title=title, words_beside=beside)
        self.field = number_field(theme, name=label, text=typed_text)
        self.reckoning = Reckoning(theme, texts, given) if given else None
        if above is not None:
            self.body.addWidget(above, 0, Qt.AlignmentFlag.AlignLeft)
        self.beside_pad = QVBoxLayout()
        self.beside_pad.setSpacing(theme.metrics.s2 + 2)
        if above is None and label != title:
            self.beside_pad.addWidget(Label(theme, label, step=TypeStep.STRONG, weight=600))
        self.beside_pad.addWidget(self.field)
        if self.reckoning is not None:
            self.beside_pad.addWidget(self.reckoning)
        self.body.addLayout(self._with_pad(self.beside_pad))
        self.body.addStretch(1)
        self.offer(texts(yes), self.answer)
        self.field.changed.connect(lambda _: self.field.set_error(""))
        self.field.changed.connect(self.typed_changed)
        self.typed_changed.connect(self._reckon)
        self.refuse_signs(self.field)
        self._reckon()

    def focus_first(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def entries(self) -> Entries:
        return {TEXT: self.field.text()}

    def take_typed(self, entries: Entries) -> None:
        self.field.set_text(entries[TEXT])
        self.field.edit.selectAll()

    def _with_pad(self, column: QVBoxLayout) -> QHBoxLayout:
        """Put the column beside the pad, which has a fixed size at the right."""
        pad = pad_for(self.theme, self.texts, lambda: self.field)
        pad.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        column.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s3)
        row.addLayout(column, 1)
        row.addWidget(pad, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send keys to the field if another widget has the focus."""
        if (typed := typed_text(event)).strip():
            self.leave_keys()
            self.focus_first()
            self.field.edit.insert(typed)
        else:
            super().keyPressEvent(event)

    def answer(self) -> None:
        """Take the number, for the big button."""
        raise NotImplementedError

    def reckon(self, typed_text: str) -> Money | None:
        """Return the amount that the typed number makes, or None if it makes none. Raises Invalid
        where `answer` would not take it."""
        raise NotImplementedError

    def changed_line(self, typed_text: str) -> CartLine | None:
        """Return the line of the cart as the typed number makes it, or None if it makes none.
        Raises Invalid."""
        return None

    def given_now(self, line: CartLine) -> str:
        """Return the price that is used for such a line, "" for the one that stands there."""
        return ""

    def _lost_by(self, line: CartLine) -> str:
        """Return which discounts no longer fit once the cart has that line; "" for none."""
        cart = self.model.cart.ticket.cart
        return lost_words(cart.change(line).lost_since(cart), self.texts)

    def _reckon(self) -> None:
        """Show the amount during typing, and none while the text can't be taken; the big button
        says then what to do."""
        text, total, lost, given, order = self.field.text(), None, "", "", ""
        try:
            total, line = self.reckon(text), self.changed_line(text)
            if line is not None:
                lost, given = self._lost_by(line), self.given_now(line)
        except Invalid:
            order = self.texts("ask.mend_number" if text.strip() else "ask.type_number")
        self.show_missing(order)
        if self.reckoning is not None:
            self.reckoning.show_total(total, lost=lost, given=given)

    def show_fault(self, why: Invalid | None) -> None:
        """Say at the field why the text can't be taken. why: None if it was taken."""
        if why is not None:
            self.field.set_error(self.texts.error(why).happened)
            self.focus_first()
            self.model.context.tone("no")


def _take_off(notice: NoticePanel | None, column: QVBoxLayout) -> None:
    if notice is not None:
        notice.hide()
        column.removeWidget(notice)
        notice.deleteLater()


def number_field(theme: Theme, *, name: str, text: str = "") -> Field:
    """Return a large field for a number, its text selected so that typing replaces it."""
    field = AmountField(theme, name=name, step=TypeStep.TITLE)
    field.set_text(text)
    field.edit.selectAll()
    return field


def pad_for(theme: Theme, texts: Texts, field: Callable[[], Field]) -> Pad:
    """Return a pad that types into the field that `field` returns at each press."""
    pad = Pad(theme, back_name=texts("typing.back"))

    def press(key: str) -> None:
        edit = field().edit
        if key == "back":
            edit.backspace()
        else:
            edit.insert(key)

    pad.pressed.connect(press)
    return pad
