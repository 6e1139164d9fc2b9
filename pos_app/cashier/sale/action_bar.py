"""The bar below the picker: the shop's action buttons, exact cash and card, and Pay in its
corner."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.cashier.commands import BUTTONS, TillCommand, cap_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import buttons, painting
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import RECEIPTS, SCREENS
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text

MORE, SUSPEND = cap_of(TillCommand.MORE), cap_of(TillCommand.SUSPEND)
_PRICE, _BUYER = cap_of(TillCommand.PRICE), cap_of(TillCommand.BUYER)
_RECEIPTS = next(one.key for one in SCREENS if one.name == RECEIPTS)
FOLDS = (
    TillCommand.DRAWER,
    TillCommand.BUYER,
    TillCommand.PRICE,
    TillCommand.QUANTITY,
    TillCommand.SUSPEND,
)
"""The buttons that go into the menu if their labels have no room, in this order. The acts that are
hardest to find elsewhere go last."""
MOST_NARROW, MOST_WIDE = 136, 250
"""The greatest width of Pay on a narrow screen and on others, in pixels at 96 dpi."""
PAY_PERCENT, LEAST_PAY_PERCENT = 26, 21
"""The most of the row that Pay takes, so that the words of the other keys have room, and the least
where that lets the action keys be of equal width."""


KEY_SHARE, EXACT_SHARE = 66, 104
"""The widths of an action key and of a key that issues a receipt beside each other."""
SIDE = 2
USUAL_MM = 12
USUAL_AMOUNT = "9.999,00"
"""A button on a narrow screen has room for this amount, so that the buttons stand still while it
grows."""


class ExactButton(buttons.SameSizeButton):
    """A button such as "Готовина тачно": a key cap over two short lines of text, the lower one the
    amount to collect. of: the id of its texts, "key.exact" or "key.card". cap: the id of the text
    on its key cap. short: a shorter cap, for less room."""

    label_weight = Weight.SEMIBOLD

    def __init__(
        self, theme: Theme, texts: Texts, parent: QWidget, *, of: str, cap: str, short: str
    ) -> None:
        super().__init__(theme, texts(of), parent)
        self._texts = texts
        self._of = of
        self._cap = cap
        self._short = short
        self._lines = ("", "")
        self._exact: Money | None = None
        self._received: Money | None = None
        self._is_begun = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._show()

    def show_received(self, received: Money | None) -> None:
        """Show the words for exact cash, or for an amount that was typed."""
        if received != self._received:
            self._received = received
            self._show()

    def show_begun(self, is_begun: bool) -> None:
        """Show whether a part was paid already; then the button goes on with that payment, as Pay
        does."""
        if is_begun != self._is_begun:
            self._is_begun = is_begun
            self._show()

    def show_exact(self, due: Money | None) -> None:
        """Show the amount to collect, None for an empty cart."""
        if due != self._exact:
            self._exact = due
            self._show()

    def shown_lines(self) -> tuple[str, str]:
        """Return the two lines of text. An amount without room is replaced by a word, because Pay
        or the search shows the amount."""
        upper, lower = self._lines
        if not self._is_begun and self._least_amount(lower) > self.width() - 2 * SIDE:
            is_exact = self._received is None
            lower = self._texts(f"{self._of}_two" if is_exact else "key.received_two")
        return upper, lower

    def _least_amount(self, amount: str) -> int:
        small = self.theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.BOLD)
        return painting.width_of(small, amount)

    def _show(self) -> None:
        texts, received, exact = self._texts, self._received, self._exact
        collected = texts(f"{self._of}_two") if exact is None else amount_text(exact)
        name = texts(self._of) if exact is None else f"{texts(self._of)} {collected}"
        self._lines = (texts(f"{self._of}_one"), collected)
        if received is not None:
            self._lines = (texts("key.received"), amount_text(received))
            name = " ".join(self._lines)
        if self._is_begun:
            self._lines = (texts(f"{self._of}_one"), texts("key.begun_two"))
            name = " ".join(self._lines)
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def labels(self) -> tuple[str, ...]:
        return tuple(map(self._texts, (f"{self._of}_one", f"{self._of}_two", "key.received_two")))

    def least_width(self, pixels: int, side: int) -> int:
        """Also leave room for a usual amount, so that no button moves during scans. With large
        buttons or type on a narrow screen the amount gets no room; Pay shows it."""
        metrics, least = self.theme.metrics, super().least_width(pixels, side)
        if self._is_tight:
            return least
        step = TypeStep.BASE if metrics.narrow else TypeStep.STRONG
        font = self.theme.fonts.resized(self.font(), step, Weight.BOLD)
        return max(least, painting.width_of(font, USUAL_AMOUNT) + 2 * metrics.s1)

    @property
    def _is_tight(self) -> bool:
        metrics = self.theme.metrics
        return metrics.narrow and (metrics.touch_mm > USUAL_MM or metrics.text_percent > 100)

    def sizeHint(self) -> QSize:
        return QSize(
            self.least_width(self.theme.metrics.type_px(TypeStep.BASE), self.theme.metrics.s1),
            self.theme.metrics.button,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self.theme, self.theme.metrics
        tokens = self.paint_ground(painter, ButtonKind.PLAIN)
        words, amount = self.shown_lines()
        side = SIDE if self._is_tight else metrics.s1
        fonts = [
            painting.fitted(
                theme,
                self.font(),
                line,
                step=step,
                weight=weight,
                free_width=self.width() - 2 * side,
            )
            for line, step, weight in (
                (words, TypeStep.SMALL, Weight.SEMIBOLD),
                (amount, TypeStep.STRONG, Weight.BOLD),
            )
        ]
        heights = [QFontMetrics(font).height() for font in fonts]
        gap = metrics.s1 // 2
        top = (self.height() - metrics.cap - gap - sum(heights)) // 2
        key = self._texts(self._cap)  # the other + and − are typed into the search
        if painting.cap_width(theme, self.font(), key) > self.width() - 2:
            key = self._short
        width = painting.cap_width(theme, self.font(), key)
        rect = QRect((self.width() - width) // 2, top, width, metrics.cap)
        painting.paint_key_cap(painter, rect, theme, key, ink=tokens.cap_ink, edge=tokens.cap_edge)
        top = rect.bottom() + 1 + gap
        for line, font, height in zip((words, amount), fonts, heights, strict=True):
            room = QRect(SIDE, top, self.width() - 2 * SIDE, height)
            painting.write(
                painter, room, line, theme.colour(tokens.ink), font, align=painting.CENTRE
            )
            top += height


class ActionBar(QWidget):
    """Signals: `exact_pressed()` and `card_pressed()`; the other buttons run their commands.

    chosen_caps: the key caps of the buttons that the shop chose.
    """

    exact_pressed = Signal()
    card_pressed = Signal()

    def __init__(
        self,
        chosen_caps: tuple[str, ...],
        frame: Frame,
        texts: Texts,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._frame = frame
        self._texts = texts
        self._theme = theme
        self._suspended = 0
        # The menu has the acts that the shop left out, so the menu's own button always stays.
        named = [name for name in (*chosen_caps, MORE) if name in BUTTONS]
        self.buttons = {name: self._add(name) for name in dict.fromkeys(named)}
        more = self.buttons.pop(MORE)
        self.buttons |= {_RECEIPTS: self._add_receipts(), MORE: more}
        self.exact = ExactButton(
            theme, texts, self, of="key.exact", cap=cap_of(TillCommand.CASH), short="+"
        )
        self.card = ExactButton(
            theme, texts, self, of="key.card", cap=cap_of(TillCommand.CARD), short="−"
        )
        self.pay = BigButton(
            theme, texts("key.pay"), key=cap_of(TillCommand.PAY), stacked=True, parent=self
        )
        self.pay.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._lay_out()
        for button in (*self.buttons.values(), self.exact, self.card, self.pay):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.exact.clicked.connect(self.exact_pressed)
        self.card.clicked.connect(self.card_pressed)
        self.pay.clicked.connect(lambda: frame.run(TillCommand.PAY))

    def show_cart(
        self,
        to_pay: Money,
        *,
        gives: Money,
        empty: bool,
        has_line: bool,
        is_begun: bool,
        offer: str = "",
    ) -> None:
        """Enable the buttons that the cart allows, and show the amount on Pay.

        gives: what the customer gets back. is_begun: a part is paid already, and only the payment
        can go on with that. offer: the name of a document for which nobody pays, "" for others.
        """
        word = "key.give" if gives else "key.pay_on" if is_begun else "key.pay"
        self.pay.set_word(offer or self._texts(word))
        self.pay.set_amount("" if empty else amount_text(gives or to_pay))
        self.exact.show_begun(is_begun)
        self.card.show_begun(is_begun)
        for button, can, why in (
            (self.pay, not empty, "why.empty"),
            (self.exact, not empty, "why.empty"),
            (self.card, not empty, "why.empty"),
            (self.buttons.get(_PRICE), has_line, "why.no_line"),
            (self.buttons.get(_BUYER), not empty, "why.empty"),
            (self.buttons.get(SUSPEND), not empty or self._suspended > 0, "why.empty"),
        ):
            if button is not None:
                button.allow() if can else button.refuse(self._texts(why))

    def show_suspended(self, suspended: int, *, empty: bool) -> None:
        self._suspended = suspended
        button = self.buttons.get(SUSPEND)
        if button is None:
            return
        name = "key.recall" if empty else "key.held"
        button.set_word(self._texts(name, n=suspended) if suspended else self._texts("key.hold"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_size()
        super().resizeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._share_size()  # a word has changed
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Ask only for the width that fingers need, because the width decides the labels' size."""
        row = self.layout()
        assert row is not None
        all_buttons = self.findChildren(buttons.SameSizeButton)
        fingers = len(all_buttons) * (self._theme.metrics.touch + row.spacing())
        return QSize(self._edges() + fingers + self.pay.width(), super().minimumSizeHint().height())

    def _share_size(self) -> None:
        """Give all labels of the row one size; Pay has a size of its own. No label gets smaller
        than small type while a button can still go into the menu."""
        row = self.layout()
        assert row is not None
        if (
            SUSPEND in self.buttons
        ):  # so that no label changes its size with the first suspended cart
            self.buttons[SUSPEND].reserve(
                self._texts("key.held", n=9), self._texts("key.recall", n=9)
            )
        pay = self._pay_width()
        # The widget's width counts: the layout's own rectangle is empty while the sale is hidden.
        room = self.width() - self._edges() - pay
        shown: dict[str, buttons.SameSizeButton] = dict(self.buttons)
        taken = self._least_width(*shown.values(), self.exact, self.card)
        for command in FOLDS:
            if taken > room and (folded := shown.pop(cap_of(command), None)) is not None:
                taken -= self._least_width(folded)
        for key, button in self.buttons.items():
            button.setVisible(key in shown)
        all_buttons = [*shown.values(), self.exact, self.card]
        keys = list(shown.values())
        lacking, side = self._level(keys, room, pay - self.width() * LEAST_PAY_PERCENT // 100)
        self.pay.setFixedWidth(pay - lacking)  # once: each other width asks for a layout again
        free_width = room + lacking - len(all_buttons) * row.spacing()
        buttons.share_size(self._theme, all_buttons, free_width, alike=keys, side=side)

    def _level(
        self, keys: Sequence[buttons.SameSizeButton], free_width: int, spare: int
    ) -> tuple[int, int]:
        """Return the width that Pay gives away so that the action keys are of equal width, and what
        is free at each side of a label. spare: the most that Pay gives. On a narrow screen the
        amounts of the exact keys come before more than the least."""
        metrics = self._theme.metrics
        widest_side = metrics.edge if metrics.narrow else metrics.s1
        for side in range(widest_side, metrics.edge - 1, -1):
            widest = max(self._least_width(key, side=side) for key in keys)
            others = self._least_width(self.exact, self.card, side=side)
            lacking = max(0, len(keys) * widest + others - free_width)
            if lacking <= spare:
                return lacking, side
        return 0, metrics.edge

    def _edges(self) -> int:
        """Return the width that the row and the widget keep free at both ends."""
        row = self.layout()
        assert row is not None
        around, own = row.contentsMargins(), self.contentsMargins()
        return around.left() + around.right() + own.left() + own.right()

    def _least_width(self, *all_buttons: buttons.SameSizeButton, side: int = 0) -> int:
        """Return the width of these buttons in small type, each with its gap. side: what is free at
        each side of a label, by default the least."""
        row, metrics = self.layout(), self._theme.metrics
        assert row is not None
        small = metrics.type_px(TypeStep.SMALL)
        widths = sum(button.least_width(small, side or metrics.edge) for button in all_buttons)
        return widths + len(all_buttons) * row.spacing()

    def shows(self, command: TillCommand) -> bool:
        """Tell whether the bar shows this command: the shop chose it, and it has room."""
        button = self.buttons.get(cap_of(command))
        return button is not None and not button.isHidden()

    def _add(self, name: str) -> buttons.ActionButton:
        key = BUTTONS[name]
        button = buttons.ActionButton(self._theme, self._texts(key.button), key=name, parent=self)
        command = key.command
        assert command is not None
        button.clicked.connect(lambda: self._frame.run(command))
        return button

    def _add_receipts(self) -> buttons.ActionButton:
        """Return the way to every refund and copy, which always stays."""
        words = self._texts("more.receipts")
        button = buttons.ActionButton(self._theme, words, key=_RECEIPTS, parent=self)
        button.clicked.connect(lambda: self._frame.open(RECEIPTS))
        return button

    def _lay_out(self) -> None:
        metrics = self._theme.metrics
        row = QHBoxLayout(self)
        half = metrics.s2 // 2
        row.setContentsMargins(half, 0, half, 0)
        row.setSpacing(metrics.s2 - (1 if metrics.narrow else 0))
        for button in self.buttons.values():
            row.addWidget(button, KEY_SHARE)
        for exact in (self.exact, self.card):
            row.addWidget(exact, EXACT_SHARE)
        row.addWidget(self.pay)

    def _pay_width(self) -> int:
        metrics = self._theme.metrics
        wide = round((3.48 if metrics.narrow else 5.44) * metrics.touch)
        most = metrics.px(MOST_NARROW if metrics.narrow else MOST_WIDE)
        share = most if metrics.narrow else self.width() * PAY_PERCENT // 100
        return min(wide, most, share)
